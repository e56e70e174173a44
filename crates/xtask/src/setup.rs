//! `cargo xtask setup`: install what the tests need. Running it again when all is there takes well under a second, so
//! `cargo xtask test` always starts with it.

mod conformance;
mod debian;
mod npm;
mod python;
mod tools;

use anyhow::{Result, bail};

pub(crate) use python::{bin as python_bin, wheel};

/// Install what is missing. What cannot be installed does not keep the rest from it; the final report names it.
pub(crate) fn install() -> Result<()> {
    let missing = tools::missing();
    if !missing.is_empty() {
        let packages: Vec<_> = missing.iter().map(|tool| tool.package).collect();
        warn(debian::install(&packages));
    }
    if !python::is_current() {
        warn(python::install());
    }
    if !npm::missing().is_empty() {
        warn(npm::install());
    }
    if !conformance::is_current() {
        warn(conformance::install());
    }
    check()
}

/// Install Debian packages that only a comparison needs.
pub(crate) fn packages(names: &[&str]) -> Result<()> {
    debian::install(names)
}

fn warn(outcome: Result<()>) {
    if let Err(error) = outcome {
        eprintln!("warning: {error:#}");
    }
}

/// Report what is there and what is missing.
pub(crate) fn check() -> Result<()> {
    tools::report();
    python::report();
    npm::report();
    conformance::report();

    let missing = tools::missing();
    let mut advice = Vec::new();
    if !missing.is_empty() {
        advice.push(tools::advice(&missing));
    }
    if !python::is_current() {
        advice.push(python::advice());
    }
    let packages = npm::missing();
    if !packages.is_empty() {
        advice.push(npm::advice(&packages));
    }
    if !conformance::is_current() {
        advice.push(conformance::advice());
    }
    if !advice.is_empty() {
        bail!("not everything the tests need is installed\n{}", advice.join("\n"));
    }
    Ok(())
}
