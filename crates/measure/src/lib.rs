//! Wirewise measure.
