//! One error type for everything that reads, writes or plans.

use std::fmt;

use crate::LossKind;
use crate::schema::Part;

/// `std::result::Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What class of thing went wrong. Callers branch on this; people read the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The bytes are not valid in this format.
    Syntax,
    /// The bytes stop in the middle of a message: more of them may make it valid.
    End,
    /// The bytes are valid, but do not fit the schema.
    Data,
    /// The target cannot hold the value, and dropping it was not allowed.
    Loss(LossKind),
    /// A limit of [`Limits`](crate::Limits) was reached.
    Limit,
    /// This is legal, but Wirewise (or the format) does not do it.
    Unsupported,
    /// The schema itself is wrong.
    Schema,
}

/// One step of the path from the root of a message to a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// A record's field.
    Field(String),
    /// An element of a list, counted from 0.
    Index(usize),
    /// A value of a map.
    Key(String),
}

/// An error with the place it happened at. One pointer wide, so that `Result` stays small on hot paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    offset: Option<usize>,
    /// Innermost segment first: it grows while the error travels outwards.
    path: Vec<Segment>,
    hint: Option<String>,
    part: Option<Part>,
}

impl Error {
    /// An error without a place yet. `message` says what is wrong, in lower case and without a full stop.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, message: message.into(), offset: None, path: Vec::new(), hint: None, part: None }))
    }

    /// Invalid bytes at `offset`, counted in bytes from the start of the message.
    #[cold]
    pub fn syntax(offset: usize, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Syntax, message).at(offset)
    }

    /// The input ended at `offset` although more was needed.
    #[cold]
    pub fn end(offset: usize, expected: impl fmt::Display) -> Self {
        Error::new(ErrorKind::End, format!("the input ends, but {expected} should follow")).at(offset)
    }

    /// Valid bytes at `offset` that the schema does not allow.
    #[cold]
    pub fn data(offset: usize, message: impl Into<String>) -> Self {
        Error::new(ErrorKind::Data, message).at(offset)
    }

    /// Sets the byte offset, unless an inner call already did.
    #[must_use]
    pub fn at(mut self, offset: usize) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Moves the offset by `base`: for errors from a part of a larger input.
    #[must_use]
    pub fn shifted(mut self, base: usize) -> Self {
        self.0.offset = self.0.offset.map(|offset| offset + base);
        self
    }

    /// Puts the error elsewhere: for errors from bytes that were made of the input.
    #[must_use]
    pub fn relocated(mut self, place: impl FnOnce(usize) -> usize) -> Self {
        self.0.offset = self.0.offset.map(place);
        self
    }

    /// Sets the part of the schema that is wrong, unless an inner call already did.
    #[must_use]
    #[cold]
    pub fn in_part(mut self, part: Part) -> Self {
        self.0.part.get_or_insert(part);
        self
    }

    /// Says what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint.get_or_insert(hint.into());
        self
    }

    /// Adds the field this error happened in; called on the way out, innermost first.
    #[must_use]
    #[cold]
    pub fn in_field(mut self, name: &str) -> Self {
        self.0.path.push(Segment::Field(name.to_owned()));
        self
    }

    /// Adds the list element this error happened in.
    #[must_use]
    #[cold]
    pub fn in_index(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Index(index));
        self
    }

    /// Adds the map key whose value this error happened in.
    #[must_use]
    #[cold]
    pub fn in_key(mut self, key: &[u8]) -> Self {
        self.0.path.push(Segment::Key(String::from_utf8_lossy(key).into_owned()));
        self
    }

    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Byte offset in the message, where one is known.
    pub fn offset(&self) -> Option<usize> {
        self.0.offset
    }

    /// The part of the schema that is wrong, of an error that a whole schema was checked for.
    pub fn part(&self) -> Option<Part> {
        self.0.part
    }

    /// What to do next, where there is advice.
    pub fn advice(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The path as `$.items[3].name`; `None` at the root.
    pub fn path(&self) -> Option<String> {
        (!self.0.path.is_empty()).then(|| render_path(self.0.path.iter().rev()))
    }
}

/// Writes a path as `$.items[3]["odd key"]`.
pub(crate) fn render_path<'a>(segments: impl Iterator<Item = &'a Segment>) -> String {
    use fmt::Write;
    let mut out = String::from("$");
    for segment in segments {
        match segment {
            Segment::Field(name) | Segment::Key(name) if is_plain(name) => {
                out.push('.');
                out.push_str(name);
            }
            // Without a schema fields have no names, but numbers.
            Segment::Field(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
                out.push('.');
                out.push_str(number);
            }
            Segment::Field(name) | Segment::Key(name) => {
                let _ = write!(out, "[{name:?}]");
            }
            Segment::Index(index) => {
                let _ = write!(out, "[{index}]");
            }
        }
    }
    shorten(out)
}

/// Deep nesting and long keys make paths that nobody can read: only the ends of those are shown.
fn shorten(path: String) -> String {
    const MOST: usize = 200;
    let ends = |at: usize| path.char_indices().map(|(i, _)| i).nth(at).unwrap_or(path.len());
    let count = path.chars().count();
    if count <= MOST {
        return path;
    }
    format!("{}...{}", &path[..ends(MOST / 2)], &path[ends(count - MOST / 2)..])
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        if let Some(offset) = self.0.offset {
            write!(f, ", at byte {offset}")?;
        }
        if let Some(path) = self.path() {
            write!(f, ", in {path}")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_where_and_what_next() {
        let error = Error::data(17, "expected a string, found 5")
            .in_field("name")
            .in_index(3)
            .in_key(b"odd key")
            .hint("use --schema");
        assert_eq!(
            error.to_string(),
            r#"expected a string, found 5, at byte 17, in $["odd key"][3].name; use --schema"#
        );
        assert_eq!(error.clone().shifted(10).offset(), Some(27));
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }
}
