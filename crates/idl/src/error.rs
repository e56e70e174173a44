//! Errors with a place in a file.

use std::fmt;
use std::sync::Arc;

/// A place in a schema file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file, as the user named it or as it was found.
    pub file: Arc<str>,
    /// From 1; 0 where the file has no lines (a binary one).
    pub line: u32,
    /// From 1, in characters; 0 where the file has no lines.
    pub column: u32,
}

impl Place {
    /// The place of the byte at `offset` of `text`.
    pub fn at(file: &Arc<str>, text: &str, offset: usize) -> Place {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
        let characters = before[start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        Place { file: file.clone(), line, column: characters + 1 }
    }

    /// The file as a whole.
    pub fn file(file: &Arc<str>) -> Place {
        Place { file: file.clone(), line: 0, column: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        Ok(())
    }
}

/// What is wrong with a schema, where, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    place: Option<Place>,
    what: String,
    hint: Option<String>,
    /// Another place that matters, and why: the first of two declarations.
    related: Option<(Place, String)>,
}

/// The result of reading or writing a schema.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Something wrong at a place.
    pub fn at(place: Place, what: impl Into<String>) -> Error {
        Error(Box::new(Inner { place: Some(place), what: what.into(), hint: None, related: None }))
    }

    /// Something wrong that has no place.
    pub fn new(what: impl Into<String>) -> Error {
        Error(Box::new(Inner { place: None, what: what.into(), hint: None, related: None }))
    }

    /// The same with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same with another place that matters.
    #[must_use]
    pub fn related(mut self, place: Place, why: impl Into<String>) -> Error {
        self.0.related = Some((place, why.into()));
        self
    }

    /// The same at this place, unless it has one.
    #[must_use]
    pub fn or_at(mut self, place: Place) -> Error {
        self.0.place.get_or_insert(place);
        self
    }

    /// Where.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// What, in a sentence without the place.
    pub fn what(&self) -> &str {
        &self.0.what
    }

    /// What to do next.
    pub fn advice(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Another place that matters, and why.
    pub fn other_place(&self) -> Option<(&Place, &str)> {
        self.0.related.as_ref().map(|(place, why)| (place, why.as_str()))
    }
}

impl From<wirewise_core::Error> for Error {
    /// An error of the schema model: it names the type and field, and has no place.
    fn from(error: wirewise_core::Error) -> Error {
        Error::new(error.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.what)?;
        if let Some((place, why)) = &self.0.related {
            write!(f, " ({why} at {place})")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
