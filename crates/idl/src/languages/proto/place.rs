//! From places in the tree to lines and columns.

use std::cell::Cell;
use std::sync::Arc;

use crate::Place;

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

/// Where the lines of a text begin. Asking for places in order takes linear time, however long its lines are.
#[derive(Debug)]
pub(super) struct Lines {
    file: Arc<str>,
    text: Arc<str>,
    starts: Vec<usize>,
    /// The last place asked for, and its column: counting goes on from there.
    last: Cell<(usize, u32)>,
}

impl Lines {
    pub(super) fn new(file: Arc<str>, text: Arc<str>) -> Lines {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { file, text, starts, last: Cell::new((0, 1)) }
    }

    pub(super) fn place(&self, at: At) -> Place {
        let at = at.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= at).max(1);
        let start = self.starts[line - 1];
        let (known, column) = self.last.get();
        let (from, before) = if (start..=at).contains(&known) { (known, column) } else { (start, 1) };
        let bytes = &self.text.as_bytes()[from..at];
        let column = before + bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u32;
        self.last.set((at, column));
        Place { file: self.file.clone(), line: line as u32, column }
    }
}
