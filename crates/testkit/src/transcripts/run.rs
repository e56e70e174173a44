//! Running the commands of a transcript.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use tempfile::TempDir;

/// Where the commands of one transcript run.
pub(super) struct Session {
    path: OsString,
    folder: TempDir,
}

impl Session {
    /// A session that finds `binary` first in `PATH`.
    pub(super) fn start(binary: &Path) -> Result<Self, String> {
        let own = binary.parent().ok_or_else(|| format!("{} has no folder", binary.display()))?;
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
        let path = std::env::join_paths(folders).map_err(|error| format!("cannot set PATH: {error}"))?;
        let folder = TempDir::new().map_err(|error| format!("cannot make TMP_DIR: {error}"))?;
        Ok(Self { path, folder })
    }

    /// The lines that `script` prints, and how it ended unless that was well.
    pub(super) fn run(&self, script: &str) -> Result<Vec<String>, String> {
        let (printed, status) = self.output(script).map_err(|error| format!("cannot run `{script}`: {error}"))?;
        let printed = String::from_utf8(printed)
            .map_err(|_| format!("`{script}` prints what is not UTF-8; pipe it through `od -An -tx1`"))?;
        let printed = printed.replace(&*self.folder.path().to_string_lossy(), "$TMP_DIR");

        let mut lines: Vec<_> = printed.lines().map(str::to_owned).collect();
        if !printed.is_empty() && !printed.ends_with('\n') {
            lines.push("[no newline]".to_owned());
        }
        match status.code() {
            Some(0) => {}
            Some(code) => lines.push(format!("[exit {code}]")),
            None => lines.push("[killed by a signal]".to_owned()),
        }
        Ok(lines)
    }

    fn output(&self, script: &str) -> std::io::Result<(Vec<u8>, ExitStatus)> {
        // One pipe for both, so that their order is that of the writes.
        let (mut reader, writer) = std::io::pipe()?;
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(crate::root());
        command.env("PATH", &self.path).env("TMP_DIR", self.folder.path());
        command.env("NO_COLOR", "1").env("LC_ALL", "C").env("TZ", "UTC");
        command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
        let mut child = command.spawn()?;
        // It holds our ends of the pipe, and reading ends only when all are closed.
        drop(command);

        let mut printed = Vec::new();
        reader.read_to_end(&mut printed)?;
        Ok((printed, child.wait()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(script: &str) -> Result<Vec<String>, String> {
        Session::start(Path::new("/bin/sh")).unwrap().run(script)
    }

    #[test]
    fn both_streams_are_read_in_order() {
        assert_eq!(run("echo 1; echo 2 >&2; echo 3").unwrap(), ["1", "2", "3"]);
    }

    #[test]
    fn the_end_is_told_unless_all_is_well() {
        assert_eq!(run("true").unwrap(), [""; 0]);
        assert_eq!(run("printf x; exit 3").unwrap(), ["x", "[no newline]", "[exit 3]"]);
        assert_eq!(run("kill -9 $$").unwrap(), ["[killed by a signal]"]);
    }

    #[test]
    fn commands_run_in_the_root_without_input_or_colour() {
        assert_eq!(run("ls crates/testkit/Cargo.toml").unwrap(), ["crates/testkit/Cargo.toml"]);
        assert_eq!(run("cat; echo $NO_COLOR").unwrap(), ["1"]);
    }

    #[test]
    fn the_folder_lasts_for_the_session_and_has_a_stable_name() {
        let session = Session::start(Path::new("/bin/sh")).unwrap();
        session.run("echo kept > $TMP_DIR/file").unwrap();
        assert_eq!(session.run("cat $TMP_DIR/file; echo $TMP_DIR/file").unwrap(), ["kept", "$TMP_DIR/file"]);
    }

    #[test]
    fn the_tested_binary_comes_first() {
        let folder = TempDir::new().unwrap();
        let session = Session::start(&folder.path().join("tested")).unwrap();
        let path = session.run("echo $PATH").unwrap();
        assert!(path[0].starts_with(&*folder.path().to_string_lossy()), "{path:?}");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        assert!(run(r"printf '\377'").unwrap_err().contains("od -An"));
    }
}
