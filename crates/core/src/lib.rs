//! Wirewise core.
