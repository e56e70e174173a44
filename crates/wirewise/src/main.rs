//! Wirewise wirewise.
fn main() {}
