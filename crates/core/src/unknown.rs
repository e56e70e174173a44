//! Fields that the schema does not know, kept as they came.
//!
//! A decoder that is asked to ([`Arena::keep_unknown`]) keeps their bytes beside the record that they were found in, and
//! the encoder of the same format writes them back. They mean nothing to any other format.

use crate::arena::{Arena, Cell};
use crate::{Document, Result};

/// What was kept of the message in an arena.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    wanted: bool,
    /// The index of a record's run, and bytes that were found in it; in the order of the indices once the message is read.
    parts: Vec<(u32, Cell)>,
}

impl Unknown {
    /// Bytes of memory that it takes.
    pub(crate) fn used(&self) -> usize {
        self.parts.len() * size_of::<(u32, Cell)>()
    }

    /// Forgets what was kept, not whether it is wanted.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
    }

    /// All has been read: what belongs together comes together, in the order in which it was found.
    pub(crate) fn settle(&mut self) {
        self.parts.sort_by_key(|&(at, _)| at);
    }
}

impl Arena {
    /// Whether decoders that can keep fields unknown to the schema do so, from the next message on. What is kept is no
    /// loss.
    pub fn keep_unknown(&mut self, wanted: bool) {
        self.unknown.wanted = wanted;
    }

    /// Whether fields unknown to the schema are to be kept.
    pub fn keeps_unknown(&self) -> bool {
        self.unknown.wanted
    }

    /// Keeps bytes, as a text cell, of the record (or union) whose run is at `at`.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    pub fn add_unknown(&mut self, at: u32, bytes: Cell) -> Result<()> {
        // Fields that follow each other are one part, so that many small ones take little memory. (Not across the end of the
        // input, where the other text begins.)
        let input_len = self.input_len;
        if let Some((owner, last)) = self.unknown.parts.last_mut()
            && *owner == at
            && last.start() + last.len() == bytes.start()
            && bytes.start() != input_len
        {
            *last = Cell::run(last.start() as u32, (last.len() + bytes.len()) as u32);
            return Ok(());
        }
        if self.used() > self.limits().memory_bytes {
            return Err(self.too_large());
        }
        self.unknown.parts.push((at, bytes));
        Ok(())
    }
}

impl<'a> Document<'a> {
    /// Whether anything was kept that the schema does not know.
    #[inline]
    pub fn has_unknown(&self) -> bool {
        !self.arena().unknown.parts.is_empty()
    }

    /// What was kept of a record (or union), in the order in which it came.
    pub fn unknown(&self, cell: Cell) -> impl Iterator<Item = &'a [u8]> {
        let parts = &self.arena().unknown.parts;
        let at = cell.as_index() as u32;
        let first = parts.partition_point(|&(owner, _)| owner < at);
        let (document, of_record) = (*self, move |&&(owner, _): &&(u32, Cell)| owner == at);
        parts[first..].iter().take_while(of_record).map(move |&(_, bytes)| document.bytes(bytes))
    }
}
