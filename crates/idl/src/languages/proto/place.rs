//! From places in the tree to lines and columns.

use std::sync::Arc;

use crate::Place;
use crate::json::Marks;

use super::ast::At;

/// What the places of a file refer to.
#[derive(Debug)]
pub(super) enum Origin {
    /// Text, with the offsets of its lines.
    Text(Lines),
    /// Lines and columns from 1, by the number of a location: of a descriptor whose text is somewhere else.
    Locations(Arc<str>, Vec<(u32, u32)>),
}

impl Default for Origin {
    fn default() -> Self {
        Origin::Locations("".into(), Vec::new())
    }
}

impl Origin {
    /// The place of something.
    pub(super) fn place(&self, at: At) -> Place {
        match self {
            Origin::Text(lines) => lines.place(at),
            Origin::Locations(file, places) => match places.get(at) {
                Some(&(line, column)) if line > 0 => Place { file: file.clone(), line, column },
                _ => Place::file(file),
            },
        }
    }
}

/// A text, and where its lines begin.
#[derive(Debug)]
pub(super) struct Lines {
    file: Arc<str>,
    text: Arc<str>,
    marks: Marks,
}

impl Lines {
    pub(super) fn new(file: Arc<str>, text: Arc<str>) -> Lines {
        let marks = Marks::new(&text);
        Lines { file, text, marks }
    }

    pub(super) fn place(&self, at: At) -> Place {
        self.marks.place(&self.file, &self.text, at)
    }
}
