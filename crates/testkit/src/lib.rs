//! Wirewise testkit.
