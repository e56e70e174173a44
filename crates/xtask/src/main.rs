//! Wirewise xtask.
fn main() {}
