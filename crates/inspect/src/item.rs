//! What is found in a stream, piece by piece.

use std::ops::Range;

use wirewise_core::{Error, Role, Span, Total};

/// A run of bytes, explained.
#[derive(Debug)]
pub struct Item<'a> {
    /// What it is.
    pub label: Label,
    /// Where it begins: in the stream, or in what `within` names.
    pub offset: u64,
    /// What its offset counts in, where that is not the stream: `block 2, decompressed`.
    pub within: Option<&'a str>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// What they are, in the order in which they stand there. All bytes are in some row, or, of a message of which only
    /// the sums were asked for, in one of those.
    pub rows: Vec<Row>,
    /// See `rows`.
    pub totals: Vec<Total>,
    /// Why it could not be read to its end; the offset counts from the start of its bytes.
    pub error: Option<Error>,
    /// Whether there was more to say than fits in memory.
    pub truncated: bool,
}

/// What an [`Item`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// What stands around messages: lengths, commas, headers.
    Framing,
    /// Bytes that are not read themselves, but decompressed; what comes out of them follows.
    Packed {
        /// How many bytes come out of them.
        unpacked: u64,
    },
    /// A message.
    Message {
        /// How many messages come before it.
        index: u64,
    },
}

/// What one value, or a part of it, is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where it lies in the item.
    pub bytes: Range<usize>,
    /// What it is for.
    pub kind: Kind,
    /// Path of the value that it is about, as `$.items[3].name`; empty for what is around messages.
    pub path: String,
    /// The path without indices and keys: `$.items[*].name`.
    pub place: String,
    /// What it is in the terms of the format.
    pub what: String,
    /// What it reads as; empty where there is nothing to say.
    pub value: String,
}

/// What bytes are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What the format says of them.
    Role(Role),
    /// The format says nothing of them, and they are no error.
    Unexplained,
    /// They were not read, because the message is broken.
    Unread,
}

impl Kind {
    /// How many kinds there are.
    pub const COUNT: usize = Role::ALL.len() + 2;

    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Role(role) => role.name(),
            Kind::Unexplained => "unexplained",
            Kind::Unread => "unread",
        }
    }

    /// Every kind, in the order of their indices.
    pub fn all() -> impl Iterator<Item = Kind> {
        Role::ALL.into_iter().map(Kind::Role).chain([Kind::Unexplained, Kind::Unread])
    }

    /// Its place in a table of all kinds.
    pub fn index(self) -> usize {
        match self {
            Kind::Role(role) => role as usize,
            Kind::Unexplained => Role::ALL.len(),
            Kind::Unread => Role::ALL.len() + 1,
        }
    }
}

/// Rows for `len` bytes from what a decoder said of them; what it left out is in rows, too. When it did not come to the
/// end, a row begins where it stopped.
pub(crate) fn rows(spans: Vec<Span>, len: usize, error: Option<&Error>) -> Vec<Row> {
    let mut out = Vec::with_capacity(spans.len());
    let mut end = 0;
    let one = |bytes: Range<usize>| {
        let (kind, what) = match error {
            Some(_) => (Kind::Unread, "not read"),
            None => (Kind::Unexplained, "not explained"),
        };
        let (path, place, value) = (String::new(), String::new(), String::new());
        Row { bytes, kind, path, place, what: what.to_owned(), value }
    };
    let gap = |bytes: Range<usize>| {
        let stop = error.and_then(Error::offset).filter(|stop| (bytes.start + 1..bytes.end).contains(stop));
        let second = stop.map(|stop| one(stop..bytes.end));
        [Some(one(bytes.start..stop.unwrap_or(bytes.end))), second].into_iter().flatten()
    };
    for span in spans {
        if span.bytes.end > len {
            continue;
        }
        if span.bytes.start > end {
            out.extend(gap(end..span.bytes.start));
        }
        end = end.max(span.bytes.end);
        let Span { bytes, role, path, place, what, value } = span;
        out.push(Row { bytes, kind: Kind::Role(role), path, place, what, value });
    }
    if end < len {
        out.extend(gap(end..len));
    }
    out
}

/// A span of something around messages.
pub(crate) fn span(bytes: Range<usize>, role: Role, what: impl Into<String>, value: impl Into<String>) -> Span {
    Span { bytes, role, path: String::new(), place: String::new(), what: what.into(), value: value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_explained_is_shown() {
        let spans =
            vec![span(1..2, Role::Tag, "a", ""), span(4..6, Role::Payload, "b", ""), span(8..99, Role::Tag, "c", "")];
        let rows = rows(spans, 8, None);
        let shown: Vec<_> = rows.iter().map(|row| (row.bytes.clone(), row.kind.name())).collect();
        let expected =
            [(0..1, "unexplained"), (1..2, "tag"), (2..4, "unexplained"), (4..6, "payload"), (6..8, "unexplained")];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_row_begins_where_it_stopped() {
        let error = Error::syntax(5, "wrong");
        let rows = rows(vec![span(0..2, Role::Tag, "a", "")], 8, Some(&error));
        let shown: Vec<_> = rows.iter().map(|row| (row.bytes.clone(), row.kind.name())).collect();
        assert_eq!(shown, [(0..2, "tag"), (2..5, "unread"), (5..8, "unread")]);
    }

    #[test]
    fn kinds_have_their_indices() {
        assert!(Kind::all().enumerate().all(|(index, kind)| kind.index() == index));
        assert_eq!(Kind::all().count(), Kind::COUNT);
    }
}
