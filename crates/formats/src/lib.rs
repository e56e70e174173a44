//! Wirewise formats.
