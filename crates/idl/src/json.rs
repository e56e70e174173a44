//! Schema files that are JSON: [`Node`]s with the places of everything in them.

use std::sync::Arc;

pub use wirewise_core::json::{MOST_NESTING, Member, Node, Object, Value};

use crate::{Error, Place, Result, Source};

/// Reads a file that is one JSON value.
///
/// # Errors
/// At the first byte that is wrong.
pub fn parse(source: &Source) -> Result<Node> {
    let text = source.text()?;
    Node::parse(text).map_err(|problem| {
        let error = Error::at(Place::at(&source.name, text, problem.at), problem.what);
        match problem.first {
            Some(first) => error.related(Place::at(&source.name, text, first), "first"),
            None => error,
        }
    })
}

/// Turns offsets into places: as [`Place::at`], but fast for many offsets in a large text, also one without lines.
#[derive(Debug)]
pub struct Locator<'a> {
    file: Arc<str>,
    text: &'a str,
    marks: Marks,
}

impl<'a> Locator<'a> {
    /// For the text of `file`.
    pub fn new(file: &Arc<str>, text: &'a str) -> Locator<'a> {
        Locator { file: file.clone(), text, marks: Marks::new(text) }
    }

    /// The place of the byte at `offset`.
    pub fn place(&self, offset: usize) -> Place {
        self.marks.place(&self.file, self.text, offset)
    }
}

/// What a [`Locator`] knows of its text.
#[derive(Debug)]
pub(crate) struct Marks {
    /// For each `STEP` bytes: line from 0, and characters since its start.
    marks: Vec<(u32, u32)>,
}

const STEP: usize = 1024;

impl Marks {
    pub(crate) fn new(text: &str) -> Marks {
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        let mut place = (0, 0);
        for chunk in text.as_bytes().chunks(STEP) {
            marks.push(place);
            place = chunk.iter().fold(place, after);
        }
        Marks { marks }
    }

    /// The place of the byte at `offset` of the same text.
    pub(crate) fn place(&self, file: &Arc<str>, text: &str, offset: usize) -> Place {
        let offset = offset.min(text.len());
        let mark = (offset / STEP).min(self.marks.len().saturating_sub(1));
        let start = self.marks.get(mark).copied().unwrap_or_default();
        let (line, column) = text.as_bytes()[mark * STEP..offset].iter().fold(start, after);
        Place { file: file.clone(), line: line + 1, column: column + 1 }
    }
}

/// Line and column after one more byte.
fn after((line, column): (u32, u32), byte: &u8) -> (u32, u32) {
    match byte {
        b'\n' => (line + 1, 0),
        // The rest of a character of several bytes.
        0x80..0xC0 => (line, column),
        _ => (line, column + 1),
    }
}

/// Most characters of an array or object that is written on one line.
const LINE: usize = 80;

/// Lays out JSON for people: members in their order, two spaces for each level, and what is short and flat on one line.
/// The text must be JSON.
pub fn pretty(text: &str) -> String {
    let bytes = text.as_bytes();
    let flat = flat_ends(bytes);
    let mut out = String::with_capacity(text.len() * 2);
    let mut depth = 0;
    let mut pos = 0;
    // Until where the text goes on one line.
    let mut line_end = 0;
    while pos < bytes.len() {
        let start = pos;
        pos += 1;
        let on_line = start < line_end;
        match bytes[start] {
            b'"' => {
                while bytes.get(pos).is_some_and(|&byte| byte != b'"') {
                    pos += if bytes[pos] == b'\\' { 2 } else { 1 };
                }
                pos = (pos + 1).min(bytes.len());
                out.push_str(&text[start..pos]);
            }
            b'{' | b'[' => {
                out.push(bytes[start] as char);
                if !on_line {
                    line_end = flat.get(&start).copied().unwrap_or(line_end);
                }
                if start >= line_end {
                    depth += 1;
                    new_line(&mut out, depth);
                }
            }
            b'}' | b']' => {
                if !on_line {
                    depth = depth.saturating_sub(1);
                    new_line(&mut out, depth);
                }
                out.push(bytes[start] as char);
            }
            b',' => {
                out.push(',');
                if on_line { out.push(' ') } else { new_line(&mut out, depth) }
            }
            b':' => out.push_str(": "),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => {
                while bytes.get(pos).is_some_and(|byte| !b",:]}[{\" \t\r\n".contains(byte)) {
                    pos += 1;
                }
                out.push_str(&text[start..pos]);
            }
        }
    }
    out.push('\n');
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Where the arrays and objects begin that go on one line, and where they end.
fn flat_ends(bytes: &[u8]) -> std::collections::HashMap<usize, usize> {
    let mut ends = std::collections::HashMap::new();
    // Begin of each open one, and how deep others lie in it.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut pos = 0;
    while pos < bytes.len() {
        match bytes[pos] {
            b'"' => {
                pos += 1;
                while bytes.get(pos).is_some_and(|&byte| byte != b'"') {
                    pos += if bytes[pos] == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => open.push((pos, 0)),
            b'}' | b']' => {
                if let Some((start, inside)) = open.pop() {
                    if pos - start < LINE && inside < 3 {
                        ends.insert(start, pos + 1);
                    }
                    if let Some((_, outside)) = open.last_mut() {
                        *outside = (*outside).max(inside + 1);
                    }
                }
            }
            _ => {}
        }
        pos += 1;
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_where() {
        let error = parse(&Source::new("a.json", "\u{feff}{\"a\": 1,\n \"é\": 2, \"a\": 3}")).unwrap_err();
        assert_eq!(error.to_string(), "a.json:2:10: the object has two members \"a\" (first at a.json:1:2)");
        let error = parse(&Source::new("a.json", b"{\"a\": \xff}")).unwrap_err();
        assert_eq!(error.to_string(), "a.json:1:7: the file is not valid UTF-8");
    }

    #[test]
    fn layout_for_people() {
        let long = format!(r#"{{"a":[1,2,{{}}],"long":["{}",[]],"b":{{"c":"x,\"{{y"}}}}"#, "z".repeat(90));
        let expected =
            "{\n  \"a\": [1, 2, {}],\n  \"long\": [\n    \"ZZZ\",\n    []\n  ],\n  \"b\": {\"c\": \"x,\\\"{y\"}\n}\n";
        assert_eq!(pretty(&long), expected.replace("ZZZ", &"z".repeat(90)));
        assert_eq!(pretty(&pretty(&long)), pretty(&long));
        assert_eq!(pretty("[]"), "[]\n");
        for text in ["\"\\", "[", "]", "{\"", ","] {
            pretty(text);
        }
    }

    #[test]
    fn many_places_are_the_same_as_one_by_one() {
        let text: String = (0..3000).map(|i| ["ä", "b", "\n", "日本", " ", ""][i * i % 6]).collect();
        let file: Arc<str> = "x".into();
        let locator = Locator::new(&file, &text);
        for offset in (0..=text.len() + 2).step_by(7) {
            assert_eq!(locator.place(offset), Place::at(&file, &text, offset), "{offset}");
        }
        assert_eq!(Locator::new(&file, "").place(5), Place::at(&file, "", 5));
    }
}
