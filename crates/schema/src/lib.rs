//! Wirewise schema.
