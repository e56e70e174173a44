//! Wirewise compress.
