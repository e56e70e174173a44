//! What went wrong, where, and what to do next; and the exit status that says so.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::Value as Json;
use wirewise_core::ErrorKind;

use crate::cli::Output;
use crate::disk;

/// The end of a command that did not do what it was asked for. Boxed, so that `Result` stays small.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Failure(Box<Details>);

#[derive(Debug, Serialize)]
struct Details {
    #[serde(skip)]
    status: Status,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// Line and column, from 1: text inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    /// Bytes before it in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// Messages before it in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    /// Another place that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    related: Option<Related>,
    /// What a schema language cannot say.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<Json>,
    /// What a number lock would have to change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<String>,
}

/// Changes that are listed as text.
const MOST_CHANGES: usize = 20;

/// Another place that matters: the first of two declarations.
#[derive(Debug, Serialize)]
struct Related {
    message: String,
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// A broken pipe: whoever read our output has had enough.
    Quiet,
    /// The answer is no, and was given.
    Answered,
    /// The answer is no.
    Negative,
    /// Bad usage or bad input.
    Bad,
}

/// A line for the user beside the output. Where nobody can be told, nothing is lost: the exit status says the same.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text())
    }
}

impl Failure {
    /// A command line that cannot be understood.
    pub(crate) fn usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let (what, advice) = text.trim().split_once('\n').unwrap_or((text.trim(), ""));
        let failure = Failure::bad(what.strip_prefix("error: ").unwrap_or(what));
        let advice = advice.lines().map(str::trim);
        let advice: Vec<_> =
            advice.filter(|line| !line.is_empty() && !line.starts_with("For more information")).collect();
        if advice.is_empty() { failure } else { failure.hint(advice.join("; ")) }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Failure(Box::new(Details {
            status: Status::Bad,
            message: message.into(),
            file: None,
            line: None,
            column: None,
            offset: None,
            record: None,
            path: None,
            hint: None,
            related: None,
            lost: Vec::new(),
            changes: Vec::new(),
        }))
    }

    /// The answer is no: the exit status is 1.
    pub(crate) fn negative(message: impl Into<String>) -> Self {
        let mut failure = Failure::bad(message);
        failure.0.status = Status::Negative;
        failure
    }

    /// The answer is no, and it was written to standard output: the exit status is 1, and there is nothing to add.
    pub(crate) fn answered() -> Self {
        let mut failure = Failure::bad("the answer is no");
        failure.0.status = Status::Answered;
        failure
    }

    /// What a schema language cannot say, for the JSON form.
    pub(crate) fn lost(mut self, lost: Vec<Json>) -> Self {
        self.0.lost = lost;
        self
    }

    /// What a number lock would have to change, for the JSON form.
    pub(crate) fn changes(mut self, changes: Vec<String>) -> Self {
        self.0.changes = changes;
        self
    }

    /// Whether the answer is no, rather than that something is wrong.
    pub(crate) fn is_negative(&self) -> bool {
        self.0.status == Status::Negative
    }

    /// Says what to do next; several ways may be said.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        self.0.hint = Some(match self.0.hint {
            None => hint,
            Some(first) => format!("{first}\n{hint}"),
        });
        self
    }

    /// Says what to do next instead of what the library advises.
    pub(crate) fn advise(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.0.file = Some(if file == Path::new("-") { "<stdin>".to_owned() } else { file.display().to_string() });
        self
    }

    pub(crate) fn io(doing: &str, file: &Path, error: &io::Error) -> Self {
        Failure::bad(format!("cannot {doing}: {}", disk::reason(error))).in_file(file)
    }

    /// Writing failed: quietly when the reader went away.
    pub(crate) fn write(file: &Path, error: &io::Error) -> Self {
        let mut failure = Failure::io("write", file, error);
        if file == Path::new("-") {
            failure.0.file = Some("<stdout>".to_owned());
        }
        if error.kind() == io::ErrorKind::BrokenPipe {
            failure.0.status = Status::Quiet;
        }
        failure
    }

    /// An error of the library, in a text whose lines can be counted.
    pub(crate) fn in_text(error: &wirewise_core::Error, file: &Path, text: &[u8]) -> Self {
        let mut failure = Failure::from_error(error).in_file(file);
        if let Some(offset) = error.offset() {
            let before = &text[..offset.min(text.len())];
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            failure.0.offset = Some(offset as u64);
            failure.0.line = Some(before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1);
            failure.0.column = Some((before.len() - line_start) as u64 + 1);
        }
        failure
    }

    /// An error of the library, in bytes.
    pub(crate) fn in_bytes(error: &wirewise_core::Error, file: &Path) -> Self {
        let mut failure = Failure::from_error(error).in_file(file);
        failure.0.offset = error.offset().map(|offset| offset as u64);
        failure
    }

    /// An error in a schema. It has its own place; `main` is the file that was asked for.
    pub(crate) fn from_idl(error: &wirewise_idl::Error, main: &Path) -> Self {
        let numbers = |place: &wirewise_idl::Place| {
            let known = |number: u32| Some(u64::from(number)).filter(|&number| number > 0);
            (known(place.line), known(place.column))
        };
        let mut failure = Failure::bad(error.what()).in_file(main);
        if let Some(place) = error.place() {
            failure.0.file = Some(place.file.to_string());
            (failure.0.line, failure.0.column) = numbers(place);
        }
        if let Some((place, why)) = error.other_place() {
            let (line, column) = numbers(place);
            failure.0.related = Some(Related { message: why.to_owned(), file: place.file.to_string(), line, column });
        }
        failure.0.hint = error.advice().map(str::to_owned);
        failure
    }

    /// An error of a message that is in no file.
    pub(crate) fn in_message(error: &wirewise_core::Error) -> Self {
        let mut failure = Failure::from_error(error);
        failure.0.offset = error.offset().map(|offset| offset as u64);
        failure
    }

    pub(crate) fn from_error(error: &wirewise_core::Error) -> Self {
        let mut failure = Failure::bad(error.message());
        failure.0.status = match error.kind() {
            ErrorKind::Loss(_) | ErrorKind::Unsupported => Status::Negative,
            _ => Status::Bad,
        };
        failure.0.path = error.path();
        failure.0.hint = error.advice().map(str::to_owned);
        if error.kind() == ErrorKind::Limit && failure.0.hint.is_none() {
            return failure.hint("limits are set with --max-depth, --max-message and --max-memory");
        }
        failure
    }

    /// An error of a stream. `text` says whether lines mean something in it.
    pub(crate) fn in_stream(error: &wirewise_transcode::Error, input: &Path, output: &Path, text: bool) -> Self {
        use wirewise_transcode::Error;
        match error {
            Error::Message { place, error } => {
                let mut failure = Failure::from_error(error).in_file(input);
                failure.0.offset = Some(place.offset);
                failure.0.record = Some(place.message);
                if text {
                    failure.0.line = Some(place.line);
                    failure.0.column = Some(place.column);
                }
                failure
            }
            Error::Read(error) => Failure::io("read", input, error),
            Error::Write(error) => Failure::write(output, error),
            Error::Usage(what) => Failure::bad(what).hint("--out-framing says what is between messages"),
        }
    }

    /// What is wrong with an input that was explained up to there.
    pub(crate) fn in_item(broken: &wirewise_inspect::Broken, input: &Path) -> Self {
        let mut failure = Failure::from_error(&broken.error).in_file(input);
        failure.0.status = Status::Bad;
        failure.0.record = Some(broken.message);
        match &broken.within {
            Some(within) => failure.0.message = format!("byte {} of {within}: {}", broken.offset, failure.0.message),
            None => failure.0.offset = Some(broken.offset),
        }
        failure
    }

    /// Tells the user, and gives the exit status.
    pub(crate) fn report(&self, output: Output) -> ExitCode {
        match self.0.status {
            Status::Quiet => return ExitCode::SUCCESS,
            Status::Answered => return ExitCode::from(1),
            _ => {}
        }
        match output {
            Output::Text => tell(&format!("error: {}", self.text())),
            Output::Json => tell(&serde_json::json!({ "wirewise": "error/1", "error": self }).to_string()),
        }
        ExitCode::from(if self.0.status == Status::Negative { 1 } else { 2 })
    }

    /// All of it, as people read it.
    fn text(&self) -> String {
        let mut out = String::new();
        if let Some(file) = &self.0.file {
            out.push_str(file);
            match (self.0.line, self.0.column, self.0.offset) {
                (Some(line), Some(column), _) => out.push_str(&format!(":{line}:{column}")),
                (_, _, Some(offset)) => out.push_str(&format!(": byte {offset}")),
                _ => {}
            }
            out.push_str(": ");
        }
        out.push_str(&self.0.message);
        if let Some(path) = &self.0.path {
            out.push_str(&format!(", at {path}"));
        }
        if let Some(record) = self.0.record.filter(|&record| record > 0) {
            out.push_str(&format!(", in message {}", record + 1));
        }
        if let Some(related) = &self.0.related {
            out.push_str(&format!("\n  {} at {}", related.message, related.file));
            if let (Some(line), Some(column)) = (related.line, related.column) {
                out.push_str(&format!(":{line}:{column}"));
            }
        }
        for change in self.0.changes.iter().take(MOST_CHANGES) {
            out.push_str(&format!("\n  {change}"));
        }
        if let Some(more) = self.0.changes.len().checked_sub(MOST_CHANGES).filter(|&more| more > 0) {
            out.push_str(&format!("\n  and {more} more"));
        }
        if let Some(hint) = &self.0.hint {
            out.push_str(&format!("\n  {}", hint.replace('\n', "\n  ")));
        }
        out
    }
}
