//! Traced decoding: which bytes said what.
//!
//! A decoder is generic over a [`Tracer`]. With [`Silent`] the compiler removes every call, so that untraced decoding
//! pays nothing; with a [`Recorder`] the calls become a list of [`Span`]s, from which annotated bytes and
//! bytes-per-field are made. Decoders guard work that only tracing needs with `if T::ON`.
//!
//! Spans are reported as they are read, need not be in order, and may lie inside each other only where the format
//! itself puts one thing inside another (a bit field). Bytes that no span covers are shown as unexplained, so a decoder
//! reports padding too. When decoding fails, the spans so far are the explanation of how far it went.

mod totals;

use std::fmt;
use std::ops::Range;

use totals::Totals;

pub use totals::Total;

use crate::error::{Segment, render_path};

/// What bytes are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The value itself.
    Payload,
    /// A name of a field, or the text of an enum's symbol or union's branch where that is written out.
    Name,
    /// What says which field, type or branch follows: tags, field headers, type bytes, discriminants, branch numbers.
    Tag,
    /// A length or count.
    Length,
    /// A pointer or offset to where the value lies.
    Pointer,
    /// A table of offsets (a vtable).
    Vtable,
    /// Bytes that only align others.
    Padding,
    /// Brackets, commas, white space, end marks.
    Syntax,
    /// What stands before messages: magic numbers, schemas, fingerprints, segment tables.
    Header,
    /// What only checks: checksums, sync markers.
    Check,
    /// A field that the schema does not know.
    Unknown,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 11] = [
        Role::Payload,
        Role::Name,
        Role::Tag,
        Role::Length,
        Role::Pointer,
        Role::Vtable,
        Role::Padding,
        Role::Syntax,
        Role::Header,
        Role::Check,
        Role::Unknown,
    ];

    /// Its name in output.
    pub fn name(self) -> &'static str {
        match self {
            Role::Payload => "payload",
            Role::Name => "name",
            Role::Tag => "tag",
            Role::Length => "length",
            Role::Pointer => "pointer",
            Role::Vtable => "vtable",
            Role::Padding => "padding",
            Role::Syntax => "syntax",
            Role::Header => "header",
            Role::Check => "check",
            Role::Unknown => "unknown",
        }
    }

    /// Whether these bytes are the data itself rather than what the format needs to carry it.
    pub fn is_payload(self) -> bool {
        matches!(self, Role::Payload | Role::Unknown)
    }
}

/// Where a decoder reports what it reads.
///
/// `field`, `index` and `key` open a step of the path, `leave` closes the last one. `span` says what a range of the
/// input is; its texts are made only when [`Tracer::ON`].
pub trait Tracer {
    /// Whether anything listens.
    const ON: bool;

    /// The next spans are about the field with this name (of a record, or a branch of a union).
    fn field(&mut self, name: &str);

    /// The next spans are about the element with this index of a list.
    fn index(&mut self, index: usize);

    /// The next spans are about the entry with this key of a map.
    fn key(&mut self, key: &[u8]);

    /// Ends the last [`field`](Tracer::field), [`index`](Tracer::index) or [`key`](Tracer::key).
    fn leave(&mut self);

    /// These bytes are a `what` (`varint`, `tag 3, length-delimited`, `string`) that reads as `value`, as JSON would
    /// write it where that is possible; empty where there is nothing to say.
    fn span(&mut self, bytes: Range<usize>, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>);
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Tracer for Silent {
    const ON: bool = false;

    #[inline(always)]
    fn field(&mut self, _: &str) {}

    #[inline(always)]
    fn index(&mut self, _: usize) {}

    #[inline(always)]
    fn key(&mut self, _: &[u8]) {}

    #[inline(always)]
    fn leave(&mut self) {}

    #[inline(always)]
    fn span(&mut self, _: Range<usize>, _: Role, _: fmt::Arguments<'_>, _: fmt::Arguments<'_>) {}
}

/// Whoever has a tracer for a while reports to it.
impl<T: Tracer> Tracer for &mut T {
    const ON: bool = T::ON;

    #[inline(always)]
    fn field(&mut self, name: &str) {
        T::field(self, name);
    }

    #[inline(always)]
    fn index(&mut self, index: usize) {
        T::index(self, index);
    }

    #[inline(always)]
    fn key(&mut self, key: &[u8]) {
        T::key(self, key);
    }

    #[inline(always)]
    fn leave(&mut self) {
        T::leave(self);
    }

    #[inline(always)]
    fn span(&mut self, bytes: Range<usize>, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>) {
        T::span(self, bytes, role, what, value);
    }
}

/// Bytes, and what they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Where they lie in the input.
    pub bytes: Range<usize>,
    /// What they are for.
    pub role: Role,
    /// Path of the value that they are about, as `$.items[3].name`.
    pub path: String,
    /// The same without indices and keys (`$.items[*].name`): what bytes are counted by.
    pub place: String,
    /// What they are in the terms of the format.
    pub what: String,
    /// What they read as; empty where there is nothing to say.
    pub value: String,
}

/// Keeps every span, or only [adds them up](Recorder::adding_up).
#[derive(Debug, Default)]
pub struct Recorder {
    spans: Vec<Span>,
    path: Vec<Segment>,
    bytes: usize,
    truncated: bool,
    totals: Option<Box<Totals>>,
}

/// Longest value kept, in bytes: a text of a megabyte is not something to read in an annotation.
const LONGEST_VALUE: usize = 200;

/// Most memory that spans may take; after that they are dropped and [`Recorder::is_truncated`] says so.
const MOST_MEMORY: usize = 1 << 29;

impl Recorder {
    /// Nothing recorded yet.
    pub fn new() -> Self {
        Recorder::default()
    }

    /// For [`Recorder::totals`] only: spans are added up by place and role, and not kept.
    pub fn adding_up() -> Self {
        Recorder { totals: Some(Box::new(Totals::new())), ..Recorder::default() }
    }

    /// What was added up since the last time.
    pub fn totals(&mut self) -> Vec<Total> {
        self.totals.as_mut().map(|totals| totals.take()).unwrap_or_default()
    }

    /// What was recorded, in the order of the bytes.
    pub fn finish(mut self) -> Vec<Span> {
        self.spans.sort_by_key(|span| (span.bytes.start, std::cmp::Reverse(span.bytes.end)));
        self.spans
    }

    /// How many spans there are: for going back to a state with [`Recorder::truncate`].
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Forgets all spans but the first `len`, and the whole path: a decoder starts anew.
    pub fn truncate(&mut self, len: usize) {
        self.spans.truncate(len);
        self.path.clear();
        if let Some(totals) = &mut self.totals {
            totals.clear();
        }
    }

    /// Whether there were more spans than fit in memory.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
}

impl Tracer for Recorder {
    const ON: bool = true;

    fn field(&mut self, name: &str) {
        if let Some(totals) = &mut self.totals {
            return totals.field(name);
        }
        self.path.push(Segment::Field(name.to_owned()));
    }

    fn index(&mut self, index: usize) {
        if let Some(totals) = &mut self.totals {
            return totals.index(index);
        }
        self.path.push(Segment::Index(index));
    }

    fn key(&mut self, key: &[u8]) {
        if let Some(totals) = &mut self.totals {
            return totals.key(key);
        }
        self.path.push(Segment::Key(String::from_utf8_lossy(key).into_owned()));
    }

    fn leave(&mut self) {
        if let Some(totals) = &mut self.totals {
            return totals.leave();
        }
        self.path.pop();
    }

    fn span(&mut self, bytes: Range<usize>, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>) {
        if bytes.is_empty() {
            return;
        }
        if let Some(totals) = &mut self.totals {
            return totals.span(bytes, role);
        }
        if self.bytes > MOST_MEMORY {
            self.truncated = true;
            return;
        }
        let mut place = String::from("$");
        for segment in &self.path {
            match segment {
                Segment::Index(_) => place.push_str("[*]"),
                Segment::Key(_) => place.push_str(".*"),
                Segment::Field(_) => {
                    let field = render_path(std::iter::once(segment));
                    place.push_str(field.strip_prefix('$').unwrap_or(&field));
                }
            }
        }
        let mut short = Short { text: String::new(), cut: false };
        // The only error is that of a text that is long enough.
        let _ = fmt::write(&mut short, value);
        if short.cut {
            short.text.push_str("...");
        }
        let path = render_path(self.path.iter());
        let span = Span { bytes, role, path, place, what: what.to_string(), value: short.text };
        // A growing list has room for twice as many, and each text takes more than its bytes.
        let texts = [&span.path, &span.place, &span.what, &span.value];
        self.bytes += 2 * size_of::<Span>() + texts.map(|text| text.capacity() + 16).iter().sum::<usize>();
        self.spans.push(span);
    }
}

/// Text that stops growing.
struct Short {
    text: String,
    cut: bool,
}

impl fmt::Write for Short {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = LONGEST_VALUE - self.text.len();
        if part.len() <= room {
            self.text.push_str(part);
            return Ok(());
        }
        let end = (0..=room).rev().find(|&end| part.is_char_boundary(end)).unwrap_or(0);
        self.text.push_str(&part[..end]);
        self.cut = true;
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_paths_places_and_short_values() {
        let mut recorder = Recorder::new();
        recorder.field("items");
        recorder.index(3);
        recorder.span(5..7, Role::Payload, format_args!("varint"), format_args!("{}", 300));
        recorder.leave();
        recorder.leave();
        recorder.span(0..5, Role::Header, format_args!("magic"), format_args!("{}", "ä".repeat(200)));
        recorder.span(9..9, Role::Padding, format_args!("nothing"), format_args!(""));
        let spans = recorder.finish();
        assert_eq!(spans.len(), 2);
        assert_eq!((spans[0].path.as_str(), spans[0].value.len()), ("$", 203));
        assert_eq!((spans[1].path.as_str(), spans[1].place.as_str()), ("$.items[3]", "$.items[*]"));
    }
}
