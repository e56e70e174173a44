//! `cargo xtask test`: every check there is, in the order in which people want to hear about failures.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::steps::{Done, Steps};
use crate::{fuzz, miri, process, setup};

/// Folders whose Python files are linted.
const PYTHON_FOLDERS: &[&str] = &["bench", "conformance", "examples"];

pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.run("setup", || setup::install().map(|()| Done::Passed));
    steps.run("rustfmt", || cargo(&["fmt", "--all", "--check"]));
    steps.run("clippy", || cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]));
    steps.run("rustdoc", || {
        let args = ["doc", "--workspace", "--no-deps", "--locked", "--quiet"];
        passes(process::cargo().args(args).env("RUSTDOCFLAGS", "-D warnings"))
    });
    steps.run("tests", || cargo(&["test", "--workspace", "--locked", "--no-fail-fast"]));
    steps.run("typescript client", typescript);
    steps.run("examples", examples);
    steps.run("ruff check", || ruff(&["check"]));
    steps.run("ruff format", || ruff(&["format", "--check"]));
    steps.run("miri", miri::run);
    steps.run("fuzz smoke", fuzz::smoke);
    steps.finish()
}

fn cargo(args: &[&str]) -> Result<Done> {
    passes(process::cargo().args(args))
}

/// Types, format and tests of the client. Its tests convert with the binary, also random messages.
fn typescript() -> Result<Done> {
    let wirewise = wirewise()?;
    cargo(&["build", "--locked", "--quiet", "--package", "wirewise-shapes", "--example", "random_messages"])?;
    for script in ["check", "format:check", "test"] {
        npm("clients/typescript", script, &wirewise)?;
    }
    Ok(Done::Passed)
}

/// The examples as they are served, in real browsers; their pages have the client in them.
fn examples() -> Result<Done> {
    let wirewise = wirewise()?;
    for (folder, script) in [
        ("clients/typescript", "build"),
        ("examples/geo-points/web", "check"),
        ("examples/tests", "format:check"),
        ("examples/tests", "test"),
    ] {
        npm(folder, script, &wirewise)?;
    }
    Ok(Done::Passed)
}

/// The binary, which lies beside this one.
fn wirewise() -> Result<PathBuf> {
    cargo(&["build", "--locked", "--quiet", "--package", "wirewise"])?;
    Ok(std::env::current_exe()?.with_file_name(format!("wirewise{}", std::env::consts::EXE_SUFFIX)))
}

fn npm(folder: &str, script: &str, wirewise: &Path) -> Result<Done> {
    passes(process::command("npm").args(["run", "--silent", script, "--prefix", folder]).env("WIREWISE", wirewise))
}

fn ruff(args: &[&str]) -> Result<Done> {
    let mut files = Vec::new();
    for folder in PYTHON_FOLDERS {
        python_files(&process::root().join(folder), &mut files)?;
    }
    if files.is_empty() {
        return Ok(Done::Skipped(format!("no Python files in {}", PYTHON_FOLDERS.join(", "))));
    }
    passes(process::command(setup::python_bin("ruff")).args(args).args(files))
}

fn python_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let shown = || folder.display().to_string();
    for entry in folder.read_dir().with_context(shown)? {
        let path = entry.with_context(shown)?.path();
        if path.ends_with("node_modules") {
            // Others' files.
        } else if path.is_dir() {
            python_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}

/// Run a check. A test that needs a missing tool must fail here, while a plain `cargo test` may skip it; and no test may
/// rewrite its expectation.
fn passes(check: &mut Command) -> Result<Done> {
    process::run(check.env("WIREWISE_REQUIRE_FOREIGN", "1").env_remove("WIREWISE_REWRITE"))?;
    Ok(Done::Passed)
}
