//! Writing a buffer from its end to its start.
//!
//! Offsets point forward only, so what is pointed to is written first. The bytes are appended in reverse, and the
//! whole is turned around once it is finished: no second buffer is needed, and a *place*, which is the distance to the
//! end of the buffer, is simply how much had been written.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use wirewise_core::{Error, ErrorKind, Result};

/// A buffer being written. Places and padding are those of FlatBuffers' own builders, byte for byte.
pub(super) struct Builder<'a> {
    out: &'a mut Vec<u8>,
    start: usize,
    /// The strictest alignment so far, which the whole buffer then has.
    alignment: usize,
    vtables: Vtables,
    /// The places of strings that are shared.
    strings: HashMap<Vec<u8>, usize>,
}

/// Offsets back to a vtable are signed.
const MOST_BYTES: usize = i32::MAX as usize;

impl<'a> Builder<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        Builder { out, start, alignment: 1, vtables: Vtables::default(), strings: HashMap::new() }
    }

    /// The place of what was written last.
    pub(super) fn place(&self) -> usize {
        self.out.len() - self.start
    }

    fn pad(&mut self, count: usize) {
        self.out.resize(self.out.len() + count, 0);
    }

    /// Pads so that what follows is aligned once `len` more bytes are written.
    pub(super) fn align_after(&mut self, len: usize, alignment: usize) {
        self.alignment = self.alignment.max(alignment);
        let padding = (self.place() + len).wrapping_neg() & (alignment - 1);
        self.pad(padding);
    }

    /// Writes the low `size` bytes of a scalar, aligned.
    pub(super) fn scalar(&mut self, value: u64, size: usize) {
        self.align_after(0, size);
        self.out.extend_from_slice(&value.to_be_bytes()[8 - size..]);
    }

    /// The same for a place, as an offset from where it is written.
    pub(super) fn offset(&mut self, place: usize) {
        self.align_after(0, 4);
        let offset = self.place() + 4 - place;
        self.out.extend_from_slice(&(offset as u32).to_be_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let at = self.out.len();
        self.out.extend_from_slice(bytes);
        self.out[at..].reverse();
    }

    /// Refuses what the offsets could not span. To be asked after everything that may be large.
    pub(super) fn check_size(&self) -> Result<()> {
        if self.place() <= MOST_BYTES - 64 {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Unsupported, "a FlatBuffers buffer cannot be larger than 2 GiB")
            .hint("write the data as several messages"))
    }

    /// A string, with the zero that ends it.
    pub(super) fn string(&mut self, text: &[u8]) -> Result<usize> {
        self.align_after(text.len() + 1, 4);
        self.pad(1);
        self.bytes(text);
        self.end_vector(text.len())
    }

    /// The same, unless it was written before: then that place.
    pub(super) fn shared_string(&mut self, text: &[u8]) -> Result<usize> {
        if let Some(&place) = self.strings.get(text) {
            return Ok(place);
        }
        let place = self.string(text)?;
        self.strings.insert(text.to_vec(), place);
        Ok(place)
    }

    /// A vector of bytes, with at least this alignment.
    pub(super) fn byte_vector(&mut self, bytes: &[u8], alignment: usize) -> Result<usize> {
        self.start_vector(bytes.len(), alignment);
        self.bytes(bytes);
        self.end_vector(bytes.len())
    }

    /// Aligns for a vector with elements of `len` bytes in all, which are to be written next, the last one first.
    pub(super) fn start_vector(&mut self, len: usize, alignment: usize) {
        // The elements of an empty vector need no alignment.
        if len > 0 {
            self.align_after(len, 4);
            self.align_after(len, alignment);
        }
    }

    /// A struct, whose size is a multiple of its alignment.
    pub(super) fn structure(&mut self, bytes: &[u8], alignment: usize) {
        self.align_after(0, alignment);
        self.bytes(bytes);
    }

    /// Writes a vector's length before its elements.
    pub(super) fn end_vector(&mut self, count: usize) -> Result<usize> {
        self.scalar(count as u64, 4);
        self.check_size()?;
        Ok(self.place())
    }

    /// Ends a table whose scalars and offsets were written since `start`. `places` are theirs by id, 0 where the table
    /// has none.
    pub(super) fn end_table(&mut self, start: usize, places: impl DoubleEndedIterator<Item = usize>) -> Result<usize> {
        // The distance to the vtable, once that is known.
        self.scalar(0, 4);
        let table = self.place();
        let at = self.out.len();
        let mut fields = 0;
        for place in places.rev() {
            if fields == 0 && place == 0 {
                continue;
            }
            fields += 1;
            let offset = if place == 0 { 0 } else { table - place };
            self.out.extend_from_slice(&(offset as u16).to_be_bytes());
        }
        self.out.extend_from_slice(&((table - start) as u16).to_be_bytes());
        self.out.extend_from_slice(&(fields as u16 * 2 + 4).to_be_bytes());
        self.check_size()?;
        let place = self.place();
        let vtable = match self.vtables.find_or_add(&self.out[self.start..], at - self.start, place) {
            Some(earlier) => {
                self.out.truncate(at);
                earlier
            }
            None => place,
        };
        // Positive when the vtable lies before the table.
        let distance = (vtable as i32).wrapping_sub(table as i32);
        self.out[at - 4..at].copy_from_slice(&distance.to_be_bytes());
        Ok(table)
    }

    /// Writes the offset of the root, the identifier and the size of all if wanted, and turns the buffer around.
    pub(super) fn finish(mut self, root: usize, identifier: Option<[u8; 4]>, size_prefixed: bool) {
        let head = if size_prefixed { 8 } else { 4 };
        self.align_after(head + identifier.map_or(0, |text| text.len()), self.alignment);
        if let Some(text) = identifier {
            self.bytes(&text);
        }
        self.offset(root);
        if size_prefixed {
            self.scalar(self.place() as u64, 4);
        }
        self.out[self.start..].reverse();
    }
}

/// The vtables written so far, so that equal ones are shared.
#[derive(Default)]
struct Vtables {
    /// Where the first ones start and end in the reversed buffer.
    few: Vec<(u32, u32)>,
    /// The others by hash. Two that share a hash are not found: then one is only written twice.
    many: HashMap<u64, (u32, u32)>,
    hasher: RandomState,
}

/// As many are compared one by one, which is faster than hashing for most messages.
const FEW: usize = 8;

impl Vtables {
    /// The place of a vtable equal to the one between `start` and `end` (its place); remembers it when there is none.
    fn find_or_add(&mut self, buffer: &[u8], start: usize, end: usize) -> Option<usize> {
        let vtable = &buffer[start..end];
        let slice = |&(start, end): &(u32, u32)| &buffer[start as usize..end as usize];
        if let Some(found) = self.few.iter().find(|range| slice(range) == vtable) {
            return Some(found.1 as usize);
        }
        let range = (start as u32, end as u32);
        if self.few.len() < FEW {
            self.few.push(range);
            return None;
        }
        let found = self.many.entry(self.hasher.hash_one(vtable)).or_insert(range);
        (*found != range && slice(found) == vtable).then_some(found.1 as usize)
    }
}
