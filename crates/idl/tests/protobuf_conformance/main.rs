//! Protobuf's own conformance runner against our codecs.
//!
//! The runner starts a program and talks to it through its standard input and output. That program is this test itself,
//! which it recognizes by a variable of the environment; so it has no harness of its own.

mod runner;
mod testee;

use std::process::ExitCode;

/// Set for the process that the runner starts.
const TESTEE: &str = "WIREWISE_CONFORMANCE_TESTEE";

fn main() -> ExitCode {
    if std::env::var_os(TESTEE).is_some() {
        testee::serve();
        return ExitCode::SUCCESS;
    }
    if runner::is_filtered() { ExitCode::SUCCESS } else { runner::run() }
}
