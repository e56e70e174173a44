//! Protobuf's own conformance runner against our codecs.
//!
//! The runner starts a program and talks to it through its standard input and output. That program is this test itself,
//! which it recognizes by a variable of the environment; so it has no harness of its own.

mod runner;
mod testee;

/// Set for the process that the runner starts.
const TESTEE: &str = "WIREWISE_CONFORMANCE_TESTEE";

fn main() {
    if std::env::var_os(TESTEE).is_some() {
        return testee::serve();
    }
    // What `cargo test` may ask of any test.
    if std::env::args().any(|argument| argument == "--list") {
        return println!("protobuf_conformance: test");
    }
    runner::run();
}
