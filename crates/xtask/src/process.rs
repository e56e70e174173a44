//! Running other programs, from the root of the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the repository this binary was built from.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("xtask lies in crates/xtask")
}

/// A command that will run in the root of the repository.
pub(crate) fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root());
    command
}

/// The cargo that started us, so that nested runs use the same toolchain.
pub(crate) fn cargo() -> Command {
    command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Run `command` with our stdout and stderr; a non-zero exit is an error that shows the command.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", shown(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

/// What `command` prints; `None` when it cannot be started or fails.
pub(crate) fn stdout_if_ok(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Kill the processes that the process `id` started, and those that they started, on systems that have `ps` and `kill`.
pub(crate) fn kill_below(id: u32) {
    let all = stdout_if_ok(command("ps").args(["-A", "-o", "pid=", "-o", "ppid="])).unwrap_or_default();
    let parents: Vec<(&str, &str)> = all.lines().filter_map(|line| line.trim().split_once(' ')).collect();
    let mut found = vec![id.to_string()];
    let mut next = 0;
    while let Some(parent) = found.get(next).cloned() {
        found.extend(parents.iter().filter(|(_, of)| of.trim() == parent).map(|(child, _)| (*child).to_owned()));
        next += 1;
    }
    stdout_if_ok(command("kill").arg("-KILL").args(&found[1..]));
}

/// Where `program` lies in `PATH`.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", words.join(" "))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn children_of_children_are_killed_too() {
        let mut shell = command("sh").args(["-c", "sh -c 'sleep 1000; exit 8'; exit 7"]).spawn().unwrap();
        let status = loop {
            kill_below(shell.id());
            if let Some(status) = shell.try_wait().unwrap() {
                break status;
            }
        };
        assert_eq!(status.code(), Some(7));
    }
}
