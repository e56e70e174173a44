//! What keeps the gateway from starting, or a source from being read.

use std::fmt;
use std::ops::Range;

/// A result of the gateway.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and what to do next. Never has a secret in it.
#[derive(Debug, Clone)]
pub struct Error {
    /// What went wrong.
    pub message: String,
    /// Where in the configuration, in bytes.
    pub span: Option<Range<usize>>,
    /// Which key of the configuration it is about, from the outermost table on.
    pub key: Vec<String>,
    /// What to do next.
    pub hint: Option<String>,
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), span: None, key: Vec::new(), hint: None }
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }

    /// The same, said of a key of the configuration. The first that says so knows best.
    #[must_use]
    pub fn at<const N: usize>(mut self, key: [&str; N]) -> Error {
        if self.key.is_empty() {
            self.key = key.map(str::to_owned).into();
        }
        self
    }

    /// The same, said of something: `resource places: ...`.
    #[must_use]
    pub fn of(mut self, what: impl fmt::Display) -> Error {
        self.message = format!("{what}: {}", self.message);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl std::error::Error for Error {}

impl From<wirewise_core::Error> for Error {
    fn from(error: wirewise_core::Error) -> Error {
        let mut message = error.message().to_owned();
        if let Some(offset) = error.offset() {
            message.push_str(&format!(", at byte {offset}"));
        }
        if let Some(path) = error.path() {
            message.push_str(&format!(", in {path}"));
        }
        // Options of other commands are no advice here.
        let hint = error.advice().filter(|advice| !advice.contains("--")).map(str::to_owned);
        Error { hint, ..Error::new(message) }
    }
}

impl From<toml::de::Error> for Error {
    fn from(error: toml::de::Error) -> Error {
        Error { message: error.message().to_owned(), span: error.span(), key: Vec::new(), hint: None }
    }
}
