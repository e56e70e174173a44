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
    /// For each `STEP` bytes: line from 0, and characters since its start.
    marks: Vec<(u32, u32)>,
}

const STEP: usize = 1024;

impl<'a> Locator<'a> {
    /// For the text of `file`.
    pub fn new(file: &Arc<str>, text: &'a str) -> Locator<'a> {
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        let mut place = (0, 0);
        for chunk in text.as_bytes().chunks(STEP) {
            marks.push(place);
            place = chunk.iter().fold(place, after);
        }
        Locator { file: file.clone(), text, marks }
    }

    /// The place of the byte at `offset`.
    pub fn place(&self, offset: usize) -> Place {
        let offset = offset.min(self.text.len());
        let mark = (offset / STEP).min(self.marks.len().saturating_sub(1));
        let start = self.marks.get(mark).copied().unwrap_or_default();
        let (line, column) = self.text.as_bytes()[mark * STEP..offset].iter().fold(start, after);
        Place { file: self.file.clone(), line: line + 1, column: column + 1 }
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
