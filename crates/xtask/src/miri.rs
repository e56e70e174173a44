//! `cargo xtask miri`: the tests of the modules with unsafe code, under Miri, which finds what is undefined behaviour although
//! it works.

use anyhow::Result;

use crate::process;
use crate::steps::Done;

/// Crates with the modules whose tests are run: those with unsafe code, and those that it relies on.
const MODULES: &[(&str, &[&str])] =
    &[("wirewise-core", &["down::", "out::", "utf8::", "varint::"]), ("wirewise-formats", &["json::simd::"])];

/// What Miri needs of a nightly toolchain.
const COMPONENTS: &[&str] = &["miri", "rust-src"];

/// Run the tests; what is missing is installed, and where that cannot be done they are skipped.
pub(crate) fn run() -> Result<Done> {
    if let Some(why) = missing() {
        return Ok(Done::Skipped(why));
    }
    for (package, modules) in MODULES {
        let mut miri = process::command("cargo");
        miri.args(["+nightly", "miri", "test", "--quiet", "--locked", "--lib", "--package", package, "--"])
            .args(*modules);
        process::run(&mut miri)?;
    }
    Ok(Done::Passed)
}

/// Why Miri cannot run.
fn missing() -> Option<String> {
    let installed = || {
        let mut list = process::command("rustup");
        list.args(["component", "list", "--toolchain", "nightly", "--installed"]);
        process::stdout_if_ok(&mut list).unwrap_or_default()
    };
    let lacks = |list: &str| COMPONENTS.iter().any(|component| !list.lines().any(|line| line.starts_with(component)));
    if !lacks(&installed()) {
        return None;
    }
    let install = ["toolchain", "install", "nightly", "--profile", "minimal", "--component"];
    let mut rustup = process::command("rustup");
    rustup.args(install).arg(COMPONENTS.join(","));
    match process::run(&mut rustup) {
        Ok(()) if !lacks(&installed()) => None,
        Ok(()) => Some("rustup did not install Miri for the nightly toolchain".to_owned()),
        Err(error) => Some(format!("Miri is not there and cannot be installed: {error:#}")),
    }
}
