//! The messages in a file of JSON.

use std::ops::Range;

use wirewise_core::{Error, Result};
use wirewise_formats::Framing;

/// Where the messages of an input lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messages {
    framing: Framing,
    ranges: Vec<Range<usize>>,
}

impl Messages {
    /// How they follow each other: [`Framing::None`] for one document, [`Framing::JsonArray`] for the elements of an
    /// array, [`Framing::Lines`], or [`Framing::Concatenated`] for documents that may have several lines.
    pub fn framing(&self) -> Framing {
        self.framing
    }

    /// The bytes of each message in the input, in order; never empty.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Turns the error of the message at `index` into one of the whole input.
    #[must_use]
    pub fn locate(&self, index: usize, error: Error) -> Error {
        let start = self.ranges.get(index).map_or(0, |range| range.start);
        let error = error.shifted(start);
        if self.framing == Framing::JsonArray { error.in_index(index) } else { error }
    }
}

/// Finds the messages: the elements of an array if all of them are objects, otherwise the lines if each is a value,
/// otherwise values that follow each other. One document, also an array of anything else, is one message.
///
/// Only brackets and strings are looked at: whether messages are valid is for the decoder to say.
///
/// ```
/// use wirewise_formats::Framing;
/// use wirewise_schema::split_json;
///
/// let batch = split_json(br#"[{"a": 1}, {"a": "],"}]"#)?;
/// assert_eq!((batch.framing(), batch.ranges()), (Framing::JsonArray, &[1..9, 11..22][..]));
/// let lines = split_json(b"{\"a\": 1}\n{\"a\": 2}\n")?;
/// assert_eq!((lines.framing(), lines.ranges()), (Framing::Lines, &[0..8, 9..17][..]));
/// assert_eq!(split_json(b"[1, 2]")?.framing(), Framing::None);
/// # Ok::<(), wirewise_core::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::End`](wirewise_core::ErrorKind::End) when there is nothing but white space.
pub fn split_json(input: &[u8]) -> Result<Messages> {
    let start = skip_space(input, 0);
    if start == input.len() {
        return Err(Error::end(start, "a JSON value"));
    }
    let mut items = Items::default();
    let end = value_end(input, start, Some(&mut items));
    if skip_space(input, end) == input.len() {
        let batch = !items.ranges.is_empty() && items.objects;
        return Ok(if batch {
            Messages { framing: Framing::JsonArray, ranges: items.ranges }
        } else {
            Messages { framing: Framing::None, ranges: std::iter::once(start..end).collect() }
        });
    }
    let line_end = input[end..].iter().position(|&byte| byte == b'\n').map_or(input.len(), |at| end + at);
    let own_line = !input[start..end].contains(&b'\n') && skip_space(&input[..line_end], end) == line_end;
    Ok(if own_line { lines(input) } else { concatenated(input, start) })
}

fn lines(input: &[u8]) -> Messages {
    let mut ranges = Vec::new();
    let mut at = 0;
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        let start = skip_space(line, 0);
        let end = line.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
        if start < end {
            ranges.push(at + start..at + end);
        }
        at += line.len();
    }
    Messages { framing: Framing::Lines, ranges }
}

fn concatenated(input: &[u8], start: usize) -> Messages {
    let mut ranges = Vec::new();
    let mut at = start;
    while at < input.len() {
        let end = value_end(input, at, None);
        ranges.push(at..end);
        at = skip_space(input, end);
    }
    Messages { framing: Framing::Concatenated, ranges }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn skip_space(input: &[u8], at: usize) -> usize {
    input[at..].iter().position(|&byte| !is_space(byte)).map_or(input.len(), |skipped| at + skipped)
}

/// The elements of an array.
#[derive(Default)]
struct Items {
    ranges: Vec<Range<usize>>,
    /// Whether all of them are objects, if there are any.
    objects: bool,
}

impl Items {
    fn push(&mut self, input: &[u8], from: usize, to: usize) {
        let start = skip_space(&input[..to], from);
        let end = input[start..to].iter().rposition(|&byte| !is_space(byte)).map_or(start, |last| start + last + 1);
        self.objects &= input.get(start) == Some(&b'{') && start < to;
        // What is no batch needs no list of its elements.
        if self.objects {
            self.ranges.push(start..end);
        }
    }
}

/// Where the value that begins at `start` ends: after its closing bracket or quote, or before what ends a word or a
/// number. Always after `start`, and at the end of the input if it is not closed. The elements are noted when the value
/// is an array.
fn value_end(input: &[u8], start: usize, mut items: Option<&mut Items>) -> usize {
    let mut depth = 0usize;
    let mut item = start + 1;
    let mut at = start;
    if input[start] != b'[' {
        items = None;
    }
    if let Some(items) = &mut items {
        items.objects = true;
    }
    while at < input.len() {
        match input[at] {
            b'"' => {
                at = string_end(input, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    if let Some(items) = items
                        && skip_space(&input[..at], item) < at
                    {
                        items.push(input, item, at);
                    }
                    return at + 1;
                }
            }
            b',' if depth == 1 => {
                if let Some(items) = &mut items {
                    items.push(input, item, at);
                    item = at + 1;
                }
            }
            byte if depth == 0 => {
                let ends = |&byte: &u8| is_space(byte) || matches!(byte, b'"' | b'{' | b'[' | b'}' | b']' | b',');
                let len = input[at + 1..].iter().position(ends).unwrap_or(input.len() - at - 1);
                debug_assert!(!is_space(byte), "values do not begin with white space");
                return at + 1 + len;
            }
            _ => {}
        }
        at += 1;
    }
    input.len()
}

fn string_end(input: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = input.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    input.len()
}
