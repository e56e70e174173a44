//! The TypeScript compiler of `conformance/typescript/`, as its lock file has it.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;

const FOLDER: &str = "conformance/typescript";

const LOCK: &str = "package-lock.json";

/// A copy of the lock file, left beside the packages once they were installed: they are current as long as both agree.
const STAMP: &str = "node_modules/installed-package-lock.json";

/// Whether the compiler is there that the lock file names.
pub(super) fn is_current() -> bool {
    let wanted = std::fs::read(folder().join(LOCK)).ok();
    let installed = std::fs::read(folder().join(STAMP)).ok();
    wanted.is_some() && wanted == installed && compiler().is_file()
}

/// Install exactly what the lock file has; scripts of packages do not run.
pub(super) fn install() -> Result<()> {
    println!("installing {FOLDER}/{LOCK}");
    let mut npm = process::command("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", FOLDER]);
    process::run(&mut npm).with_context(|| format!("cannot install {FOLDER}/{LOCK}"))?;
    std::fs::copy(folder().join(LOCK), folder().join(STAMP)).context("cannot write the stamp")?;
    Ok(())
}

/// Print one line about the compiler.
pub(super) fn report() {
    if is_current() {
        println!("ok       TypeScript: {FOLDER}/{LOCK}");
    } else {
        println!("MISSING  TypeScript: not what {FOLDER}/{LOCK} says");
    }
}

/// How to get the compiler.
pub(super) fn advice() -> String {
    "install the TypeScript compiler with: cargo xtask setup".to_owned()
}

fn compiler() -> PathBuf {
    folder().join("node_modules/typescript/bin/tsc")
}

fn folder() -> PathBuf {
    process::root().join(FOLDER)
}
