//! Tests as transcripts: a command and exactly what it prints, as somebody would paste them from a terminal.
//!
//! ```text
//! A transcript starts with text for its readers: all lines before the first command.
//!
//! $ wirewise convert --to json broken.msgpack
//! error: broken.msgpack: byte 17: the string ends after 3 of 9 bytes
//! [exit 2]
//!
//! # A comment is a run of such lines between a blank line and a command.
//! $ printf '%s\n' one two |
//! >   wc -l
//! 2
//! $ wirewise measure samples/ | tail -1
//! measured in [..] s
//! ```
//!
//! * Each command runs with `sh -c` in the root of the repository, without input, and with the tested binary's folder
//!   first in `PATH`. Lines that start with `> ` continue it.
//! * Stdout and stderr are compared together, in the order in which they were written.
//! * `[..]` stands for any part of a line.
//! * `[exit N]` is the exit status when it is not 0; `[no newline]` says that the last line has no end.
//! * `$TMP_DIR` is an empty folder, one for each file. Where its path is printed, the output shows `$TMP_DIR`.
//! * A single blank line before the next command or its comment is layout, not output.
//! * `NO_COLOR=1`, `LC_ALL=C` and `TZ=UTC` are set.
//!
//! With `WIREWISE_REWRITE=1` the files are rewritten to what the commands printed; a line with `[..]` stays as long as it
//! fits. Review the difference like code.

mod merge;
mod parse;
mod run;

use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use merge::merge;
use parse::Transcript;
use run::Session;

/// Run every `*.transcript` in `folder` (relative to the root of the repository) against `binary`, which a test gets
/// from `env!("CARGO_BIN_EXE_<name>")`.
///
/// # Panics
///
/// When an output differs, with the differences; when there is no transcript; or when one cannot be read or written.
#[track_caller]
pub fn check(folder: impl AsRef<Path>, binary: impl AsRef<Path>) {
    let on_difference = OnDifference::chosen();
    if let Err(report) = check_folder(&crate::root().join(folder), binary.as_ref(), on_difference) {
        panic!("{report}");
    }
}

/// The same for the fenced `console` blocks of Markdown files (relative to the root of the repository).
///
/// # Panics
///
/// As [`check`].
#[track_caller]
pub fn check_markdown(files: &[&str], binary: impl AsRef<Path>) {
    let on_difference = OnDifference::chosen();
    let check =
        |file: &&str| check_parts(&crate::root().join(file), binary.as_ref(), on_difference, console_blocks).err();
    let reports: Vec<_> = files.iter().filter_map(check).collect();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

#[derive(Clone, Copy)]
enum OnDifference {
    Report,
    Rewrite,
}

impl OnDifference {
    /// What the environment asks for.
    fn chosen() -> Self {
        let rewrite = std::env::var_os("WIREWISE_REWRITE").is_some_and(|value| !value.is_empty());
        if rewrite { OnDifference::Rewrite } else { OnDifference::Report }
    }
}

fn check_folder(folder: &Path, binary: &Path, on_difference: OnDifference) -> Result<(), String> {
    let files = transcripts(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if files.is_empty() {
        return Err(format!("{}: there is no *.transcript", folder.display()));
    }

    let reports: Vec<_> = files.iter().filter_map(|file| check_file(file, binary, on_difference).err()).collect();
    if reports.is_empty() { Ok(()) } else { Err(reports.join("\n")) }
}

/// The transcripts directly in `folder`, in a fixed order.
fn transcripts(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries: Vec<_> = folder.read_dir()?.collect::<Result<_, _>>()?;
    let mut files: Vec<_> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension() == Some(OsStr::new("transcript")));
    files.sort();
    Ok(files)
}

fn check_file(file: &Path, binary: &Path, on_difference: OnDifference) -> Result<(), String> {
    check_parts(file, binary, on_difference, |text| vec![(0, text)])
}

/// The transcripts in a file, each with the byte it starts at.
type Parts = fn(&str) -> Vec<(usize, &str)>;

fn check_parts(file: &Path, binary: &Path, on_difference: OnDifference, parts: Parts) -> Result<(), String> {
    let shown = file.strip_prefix(crate::root()).unwrap_or(file).display();
    let told = |error: &dyn std::fmt::Display| format!("{shown}: {error}");

    let text = std::fs::read_to_string(file).map_err(|error| told(&error))?;
    let session = Session::start(binary).map_err(|error| told(&error))?;
    let (mut rewritten, mut copied, mut reports) = (String::new(), 0, Vec::new());
    for (start, part) in parts(&text) {
        let expected = Transcript::parse(part).map_err(|error| told(&error))?;
        let mut actual = expected.clone();
        for block in &mut actual.blocks {
            let printed = session.run(&block.command()).map_err(|error| told(&error))?;
            block.output = merge(&block.output, &printed);
        }
        rewritten.push_str(&text[copied..start]);
        rewritten.push_str(&actual.render().map_err(|error| told(&error))?);
        copied = start + part.len();
        if actual != expected {
            reports.push(difference(&told(&"the output differs"), &expected, &actual));
        }
    }
    rewritten.push_str(&text[copied..]);

    match on_difference {
        _ if reports.is_empty() => Ok(()),
        OnDifference::Report => Err(reports.join("\n")),
        OnDifference::Rewrite => std::fs::write(file, rewritten).map_err(|error| told(&error)),
    }
}

/// The content of every fenced block of the kind `console` in a Markdown text.
fn console_blocks(markdown: &str) -> Vec<(usize, &str)> {
    const OPEN: &str = "```console\n";
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(open) = markdown[at..].find(OPEN) {
        let start = at + open + OPEN.len();
        let end = markdown[start..].find("```").map_or(markdown.len(), |close| start + close);
        blocks.push((start, &markdown[start..end]));
        at = end;
    }
    blocks
}

/// The commands whose outputs differ, each with what is expected (`-`) and what it printed (`+`).
fn difference(title: &str, expected: &Transcript, actual: &Transcript) -> String {
    let mut report = format!("{title} (WIREWISE_REWRITE=1 accepts it)\n");
    for (expected, actual) in expected.blocks.iter().zip(&actual.blocks) {
        if expected.output == actual.output {
            continue;
        }
        let _ = writeln!(report, "\nline {}:\n{}", expected.line, expected.prompt());
        let diff = TextDiff::from_slices(&borrowed(&expected.output), &borrowed(&actual.output));
        for change in diff.iter_all_changes() {
            let _ = writeln!(report, "{}{}", change.tag(), change.value());
        }
    }
    report
}

fn borrowed(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests;
