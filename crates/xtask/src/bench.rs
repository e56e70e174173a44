//! `cargo xtask bench`: the comparison with other libraries, and the page made from its results.
//!
//! The comparison is a workspace of its own (`bench/`), so that the peers are not dependencies of the product. What its
//! results are is compiled into both: the page can be made, and checked, without the peers.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::from_slice;

use crate::process;

#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../../../bench/src/figures.rs"]
mod figures;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../../../bench/src/format.rs"]
mod format;
#[allow(dead_code, missing_docs, unreachable_pub)]
#[path = "../../../bench/src/results.rs"]
mod results;

mod bars;
mod page;

/// The page, relative to the root of the repository.
const PAGE: &str = "docs/benchmarks.md";

/// How the comparison is built, the one whose tables are shown first. What the documentation of peers asks for is in
/// the first: sonic-rs wants the machine's own instructions, simd-json another allocator.
const SETTINGS: [(&str, &[&str], &str); 2] =
    [("tuned", &["--features", "mimalloc"], "-Ctarget-cpu=native"), ("portable", &[], "")];

/// Runs the comparison in each setting, then makes the page of all that is measured. With options for the program
/// itself, it is run once with these, in the second setting.
pub(crate) fn run(options: &[String]) -> Result<()> {
    if !options.is_empty() {
        let (_, features, flags) = SETTINGS[1];
        return process::run(program(features, flags).args(options));
    }
    process::run(process::cargo().args(["build", "--release", "--locked", "--package", "wirewise"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| process::root().join("target"), PathBuf::from);
    let binary = target.join("release").join(format!("wirewise{}", std::env::consts::EXE_SUFFIX));
    for (setting, features, flags) in SETTINGS {
        let mut program = program(features, flags);
        program.args(["--setting", setting, "--out", "bench/results"]);
        if setting == SETTINGS[0].0 {
            program.args(["--scaling", "--schemas", "--streams"]).arg(&binary);
        }
        process::run(&mut program)?;
    }
    write_page()
}

fn program(features: &[&str], flags: &str) -> std::process::Command {
    let mut cargo = process::cargo();
    cargo.args(["run", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"]).args(features);
    cargo.env("RUSTFLAGS", flags).arg("--");
    cargo
}

/// Makes the page from the newest results.
pub(crate) fn write_page() -> Result<()> {
    let page = page()?.context("there are no results in bench/results")?;
    std::fs::write(process::root().join(PAGE), page)?;
    println!("{PAGE} is new");
    Ok(())
}

/// What the page must be; nothing where nothing was measured yet.
fn page() -> Result<Option<String>> {
    let folder = process::root().join("bench/results");
    let dates = folder.read_dir().into_iter().flatten();
    let Some(newest) = dates.map_while(|entry| Some(entry.ok()?.path())).max() else { return Ok(None) };
    let mut files = Vec::new();
    for (setting, _, _) in SETTINGS {
        let path = newest.join(format!("{setting}.json"));
        if path.is_file() {
            let bytes = std::fs::read(&path)?;
            let results: results::Results = from_slice(&bytes).with_context(|| path.display().to_string())?;
            files.push((path.strip_prefix(process::root())?.to_string_lossy().replace('\\', "/"), results));
        }
    }
    if files.is_empty() {
        bail!("there are no results in {}", newest.display());
    }
    Ok(Some(page::page(&files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_the_newest_results_say() {
        let committed = std::fs::read_to_string(process::root().join(PAGE)).ok();
        assert!(committed == page().unwrap(), "{PAGE} is out of date: cargo xtask bench --render");
    }
}
