//! Folders with npm packages, as their lock files have them.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::process;

/// A folder with a lock file.
pub(super) struct Packages {
    /// What they are for.
    name: &'static str,
    folder: &'static str,
}

/// What is complete once the packages are there.
const FOLDERS: &[Packages] = &[
    Packages { name: "the TypeScript compiler", folder: "conformance/typescript" },
    Packages { name: "the driver of Chromium", folder: "crates/report/tests/browser" },
    Packages { name: "what builds the TypeScript client", folder: "clients/typescript" },
    Packages { name: "the map of the examples", folder: "examples/geo-points/web" },
    Packages { name: "the driver of browsers", folder: "examples/tests" },
];

const LOCK: &str = "package-lock.json";

/// A copy of the lock file, left beside the packages once they were installed: they are current as long as both agree.
const STAMP: &str = "node_modules/installed-package-lock.json";

/// The folders that do not have what their lock files say.
pub(super) fn missing() -> Vec<&'static Packages> {
    FOLDERS.iter().filter(|packages| !is_current(packages.folder)).collect()
}

/// Install what is missing.
pub(super) fn install() -> Result<()> {
    for packages in missing() {
        ci(packages.folder)?;
        stamp(packages.folder)?;
    }
    Ok(())
}

/// Print one line for each folder.
pub(super) fn report() {
    for packages in FOLDERS {
        let Packages { name, folder } = packages;
        if is_current(folder) {
            println!("ok       {name}: {folder}/{LOCK}");
        } else {
            println!("MISSING  {name}: not what {folder}/{LOCK} says");
        }
    }
}

/// How to get what is missing.
pub(super) fn advice(missing: &[&Packages]) -> String {
    let names: Vec<_> = missing.iter().map(|packages| packages.name).collect();
    format!("install {} with: cargo xtask setup", names.join(" and "))
}

/// Whether a folder has what its lock file says.
pub(super) fn is_current(folder: &str) -> bool {
    let read = |name: &str| std::fs::read(path(folder).join(name)).ok();
    let wanted = read(LOCK);
    wanted.is_some() && wanted == read(STAMP)
}

/// Install exactly what the lock file has; scripts of packages do not run.
pub(super) fn ci(folder: &str) -> Result<()> {
    println!("installing {folder}/{LOCK}");
    let mut npm = process::command("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", folder]);
    process::run(&mut npm).with_context(|| format!("cannot install {folder}/{LOCK}"))
}

/// Note that a folder is complete.
pub(super) fn stamp(folder: &str) -> Result<()> {
    std::fs::copy(path(folder).join(LOCK), path(folder).join(STAMP)).context("cannot write the stamp")?;
    Ok(())
}

fn path(folder: &str) -> PathBuf {
    process::root().join(folder)
}
