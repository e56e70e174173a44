//! Writing a buffer from its end to its start.
//!
//! Offsets point forward only, so what is pointed to is written first. The buffer grows downwards from the end of the
//! vector, and is moved to where it belongs once it is finished. A *place* is the distance to the end of the buffer,
//! which does not change when there is not enough room and all moves up.

use std::collections::HashMap;

use wirewise_core::{Cell, Document, Down, Error, ErrorKind, Result};

use super::flat::{Flat, Layout};
use super::plan::Inline;
use super::vtables::Vtables;

/// A buffer being written. Places and padding are those of FlatBuffers' own builders, byte for byte.
pub(super) struct Builder<'a> {
    down: Down<'a>,
    /// The strictest alignment so far, which the whole buffer then has.
    alignment: usize,
    vtables: Vtables,
    /// The places of strings that are shared.
    strings: Option<HashMap<Vec<u8>, usize>>,
}

/// Offsets back to a vtable are signed.
const MOST_BYTES: usize = i32::MAX as usize;

impl<'a> Builder<'a> {
    /// A buffer of about so many bytes.
    #[inline(always)]
    pub(super) fn new(out: &'a mut Vec<u8>, expected: usize) -> Self {
        Builder { down: Down::new(out, expected), alignment: 1, vtables: Vtables::default(), strings: None }
    }

    /// The place of what was written last.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        self.down.len()
    }

    /// Pads so that what follows is aligned once `len` more bytes are written.
    #[inline(always)]
    pub(super) fn align_after(&mut self, len: usize, alignment: usize) {
        self.alignment = self.alignment.max(alignment);
        let padding = (self.place() + len).wrapping_neg() & (alignment - 1);
        if padding > 0 {
            self.down.zeros(padding);
        }
    }

    /// Writes the low `size` bytes of a scalar, aligned.
    #[inline(always)]
    pub(super) fn scalar(&mut self, value: u64, size: usize) {
        self.alignment = self.alignment.max(size);
        self.down.scalar(value, size);
    }

    /// The same for a place, as an offset from where it is written.
    #[inline(always)]
    pub(super) fn offset(&mut self, place: usize) {
        let here = (self.place() + 4).next_multiple_of(4);
        self.scalar((here - place) as u64, 4);
    }

    /// Refuses what the offsets could not span. To be asked after everything that may be large.
    #[inline(always)]
    pub(super) fn check_size(&self) -> Result<()> {
        if self.place() <= MOST_BYTES - 64 { Ok(()) } else { Err(too_large()) }
    }

    /// A string, with the zero that ends it.
    pub(super) fn string(&mut self, text: &[u8]) -> Result<usize> {
        self.text(text, 0, text.len())
    }

    /// The string of a document.
    #[inline(always)]
    pub(super) fn string_of(&mut self, document: &Document<'_>, cell: Cell) -> Result<usize> {
        let (base, start, len) = document.place(cell);
        self.text(base, start, len)
    }

    /// `base[start..start + len]`, with its length before it, and zeros behind it.
    #[inline(always)]
    fn text(&mut self, base: &[u8], start: usize, len: usize) -> Result<usize> {
        self.alignment = self.alignment.max(4);
        let padding = (self.place() + len + 1).wrapping_neg() & 3;
        self.down.text((len as u32).to_le_bytes(), base, start, len, 1 + padding);
        self.check_size()?;
        Ok(self.place())
    }

    /// The same, unless it was written before: then that place.
    pub(super) fn shared_string(&mut self, text: &[u8]) -> Result<usize> {
        if let Some(&place) = self.strings.get_or_insert_default().get(text) {
            return Ok(place);
        }
        let place = self.string(text)?;
        self.strings.get_or_insert_default().insert(text.to_vec(), place);
        Ok(place)
    }

    /// A vector of bytes, with at least this alignment.
    pub(super) fn byte_vector(&mut self, bytes: &[u8], alignment: usize) -> Result<usize> {
        self.start_vector(bytes.len(), alignment);
        self.down.bytes(bytes);
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
        self.down.bytes(bytes);
    }

    /// Writes a vector's length before its elements.
    pub(super) fn end_vector(&mut self, count: usize) -> Result<usize> {
        self.scalar(count as u64, 4);
        self.check_size()?;
        Ok(self.place())
    }

    /// A vector of offsets to these places.
    pub(super) fn offsets(&mut self, places: &[u64]) -> Result<usize> {
        let len = 4 * places.len();
        self.start_vector(len, 4);
        self.down.zeros(len);
        let mut at = self.place();
        for (to, &place) in self.down.written_mut()[..len].chunks_exact_mut(4).zip(places) {
            to.copy_from_slice(&((at - place as usize) as u32).to_le_bytes());
            at -= 4;
        }
        self.end_vector(places.len())
    }

    /// A vector of such scalars.
    #[inline(always)]
    pub(super) fn scalars<const N: usize>(
        &mut self,
        cells: &[Cell],
        alignment: usize,
        bytes: impl Fn(Cell) -> [u8; N],
    ) -> Result<usize> {
        let len = N * cells.len();
        self.start_vector(len, alignment.max(N));
        self.down.zeros(len);
        for (to, &cell) in self.down.written_mut()[..len].chunks_exact_mut(N).zip(cells) {
            to.copy_from_slice(&bytes(cell));
        }
        self.end_vector(cells.len())
    }

    /// Writes a table with the vtable at this place, which was made for one with the same fields that began as this one
    /// does. The values are those of the fields by id: scalars, or the places that offsets point to.
    #[inline(always)]
    pub(super) fn table_like(&mut self, vtable: usize, layout: &[Inline], values: &[u64], there: u64) -> Result<usize> {
        let written = self.down.written();
        let size = usize::from(u16_at(written, written.len() - vtable + 2));
        let table = written.len() + size;
        let mut words = self.down.words(size);
        words.begin(size);
        words.put(size, 0);
        for inline in layout {
            let id = usize::from(inline.id);
            if there >> id & 1 == 0 {
                continue;
            }
            let behind = words.behind();
            let at = usize::from(u16_at(behind, behind.len() - vtable + 4 + 2 * id));
            let bits = if inline.offset { (table - at) as u64 - values[id] } else { values[id] };
            let len = usize::from(inline.size);
            words.put(at + len, bits << (64 - 8 * len));
        }
        words.put(4, u64::from(distance(vtable, table)) << 32);
        words.finish();
        self.check_size()?;
        Ok(table)
    }

    /// How the table at this place is laid out, the one with this index in the plan; it began so far from aligned bytes.
    pub(super) fn layout_of(&self, flat: &Flat, index: usize, table: usize, phase: usize) -> Option<Layout> {
        let out = self.down.written();
        let distance = i32::from_le_bytes(*out[out.len() - table..].first_chunk()?);
        let vtable = (table as i64 + i64::from(distance)) as usize;
        Layout::new(flat, index, vtable, &out[out.len() - vtable..]).map(|layout| layout.at(phase))
    }

    /// Writes tables that are laid out so, up to the first one that has other fields, and pushes their places. Gives how
    /// many these are.
    pub(super) fn flat_tables<'r>(
        &mut self,
        flat: &Flat,
        layout: &Layout,
        runs: impl ExactSizeIterator<Item = &'r [Cell]>,
        places: &mut Vec<u64>,
    ) -> Result<usize> {
        // A table of another size leaves the next one at another distance from aligned bytes.
        let most = if layout.size.is_multiple_of(8) { runs.len() } else { 1 };
        let (before, mut place) = (places.len(), self.place());
        places.reserve(most);
        let mut words = self.down.words(most * layout.size);
        for run in runs.take(most) {
            if flat.there(run) != layout.there {
                break;
            }
            place += layout.size;
            layout.write(flat, &mut words, run, distance(layout.vtable, place));
            places.push(place as u64);
        }
        words.finish();
        self.check_size()?;
        Ok(places.len() - before)
    }

    /// Writes a table of scalars and offsets, and a vtable if there is none like it: as [`Builder::end_table`], in one go.
    /// The values are as in [`Builder::table_like`], and become the places of the fields. Gives the places of the table and
    /// of its vtable, and whether there was one like it.
    pub(super) fn table(&mut self, layout: &[Inline], values: &mut [u64], there: u64) -> Result<(usize, usize, bool)> {
        let start = self.place();
        for inline in layout.iter().filter(|inline| there >> inline.id & 1 != 0) {
            let value = &mut values[usize::from(inline.id)];
            match inline.offset {
                true => self.offset(*value as usize),
                false => self.scalar(*value, inline.size.into()),
            }
            *value = self.place() as u64;
        }
        // The distance to the vtable, once that is known.
        self.scalar(0, 4);
        let table = self.place();
        let len = 4 + 2 * (64 - there.leading_zeros()) as usize;
        self.down.zeros(len);
        let vtable = &mut self.down.written_mut()[..len];
        for (id, entry) in vtable[4..].chunks_exact_mut(2).enumerate() {
            let offset = if there >> id & 1 != 0 { table as u64 - values[id] } else { 0 };
            entry.copy_from_slice(&(offset as u16).to_le_bytes());
        }
        vtable[..2].copy_from_slice(&(len as u16).to_le_bytes());
        vtable[2..4].copy_from_slice(&((table - start) as u16).to_le_bytes());
        self.end_vtable(table)
    }

    /// Ends a table whose scalars and offsets were written since `start`. `places` are theirs by id, 0 where the table
    /// has none. Gives what [`Builder::table`] does.
    pub(super) fn end_table(
        &mut self,
        start: usize,
        places: impl DoubleEndedIterator<Item = usize>,
    ) -> Result<(usize, usize, bool)> {
        // The distance to the vtable, once that is known.
        self.scalar(0, 4);
        let table = self.place();
        let mut fields = 0;
        for place in places.rev() {
            if fields == 0 && place == 0 {
                continue;
            }
            fields += 1;
            let offset = if place == 0 { 0 } else { table - place };
            self.down.array((offset as u16).to_le_bytes());
        }
        self.down.array(((table - start) as u16).to_le_bytes());
        self.down.array((fields as u16 * 2 + 4).to_le_bytes());
        self.end_vtable(table)
    }

    /// Ends the table at this place, before which its vtable was written: unless there is one like it.
    #[inline(always)]
    fn end_vtable(&mut self, table: usize) -> Result<(usize, usize, bool)> {
        self.check_size()?;
        let place = self.place();
        let earlier = self.vtables.find_or_add(self.down.written(), place - table);
        if earlier.is_some() {
            self.down.truncate(table);
        }
        let vtable = earlier.unwrap_or(place);
        let out = self.down.written_mut();
        let at = out.len() - table;
        out[at..at + 4].copy_from_slice(&distance(vtable, table).to_le_bytes());
        Ok((table, vtable, earlier.is_some()))
    }

    /// Writes the offset of the root, the identifier and the size of all if wanted, and moves the buffer to its place.
    #[inline(always)]
    pub(super) fn finish(&mut self, root: usize, identifier: Option<[u8; 4]>, size_prefixed: bool) {
        let head = if size_prefixed { 8 } else { 4 };
        self.align_after(head + identifier.map_or(0, |text| text.len()), self.alignment);
        if let Some(text) = identifier {
            self.down.array(text);
        }
        self.offset(root);
        if size_prefixed {
            self.scalar(self.place() as u64, 4);
        }
        self.down.finish();
    }
}

/// From a table to its vtable: positive when that lies before it.
#[inline(always)]
fn distance(vtable: usize, table: usize) -> u32 {
    (vtable as u32).wrapping_sub(table as u32)
}

#[inline(always)]
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

#[cold]
fn too_large() -> Error {
    Error::new(ErrorKind::Unsupported, "a FlatBuffers buffer cannot be larger than 2 GiB")
        .hint("write the data as several messages")
}
