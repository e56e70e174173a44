//! What the tests of several crates share. Nothing else may depend on it.
//!
//! * [`foreign`] finds the tools and the Python that our bytes are compared with.
//! * [`random`] makes schemas and messages for property tests.
//! * [`transcripts`] runs the commands in a file and compares what they print with what the file says.

pub mod evolve;
pub mod foreign;
pub mod random;
pub mod transcripts;

use std::path::Path;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the testkit lies in crates/testkit")
}
