//! Writing a buffer from its end to its start.
//!
//! Offsets point forward only, so what is pointed to is written first. The buffer grows downwards from the end of the
//! vector, and is moved to where it belongs once it is finished. A *place* is the distance to the end of the buffer,
//! which does not change when there is not enough room and all moves up.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use wirewise_core::{Cell, Document, Error, ErrorKind, Result};

use super::flat::{Flat, Layout};
use super::plan::Inline;

/// A buffer being written. Places and padding are those of FlatBuffers' own builders, byte for byte.
pub(super) struct Builder<'a> {
    out: &'a mut Vec<u8>,
    /// Where the buffer belongs.
    start: usize,
    /// Where it begins now: all behind is written.
    pos: usize,
    /// The strictest alignment so far, which the whole buffer then has.
    alignment: usize,
    vtables: Vtables,
    /// The places of strings that are shared.
    strings: HashMap<Vec<u8>, usize>,
}

/// Offsets back to a vtable are signed.
const MOST_BYTES: usize = i32::MAX as usize;

/// Bytes of text that are copied at once.
const BLOCK: usize = 32;

impl<'a> Builder<'a> {
    /// A buffer of about so many bytes.
    pub(super) fn new(out: &'a mut Vec<u8>, expected: usize) -> Self {
        let start = out.len();
        out.resize(start + expected, 0);
        let pos = out.len();
        Builder { out, start, pos, alignment: 1, vtables: Vtables::default(), strings: HashMap::new() }
    }

    /// The place of what was written last.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        self.out.len() - self.pos
    }

    /// Makes room for so many bytes.
    #[inline(always)]
    fn room(&mut self, count: usize) {
        if self.pos - self.start < count {
            self.grow(count);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let len = self.out.len();
        let more = count.max(len - self.start);
        self.out.resize(len + more, 0);
        self.out.copy_within(self.pos..len, self.pos + more);
        self.pos += more;
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.room(N);
        self.pos -= N;
        self.out[self.pos..self.pos + N].copy_from_slice(&bytes);
    }

    #[inline(always)]
    fn pad(&mut self, count: usize) {
        if count > 0 {
            self.room(count);
            self.pos -= count;
            self.out[self.pos..self.pos + count].fill(0);
        }
    }

    /// Pads so that what follows is aligned once `len` more bytes are written.
    #[inline(always)]
    pub(super) fn align_after(&mut self, len: usize, alignment: usize) {
        self.alignment = self.alignment.max(alignment);
        let padding = (self.place() + len).wrapping_neg() & (alignment - 1);
        self.pad(padding);
    }

    /// Writes the low `size` bytes of a scalar, aligned.
    pub(super) fn scalar(&mut self, value: u64, size: usize) {
        self.align_after(0, size);
        self.bytes(&value.to_le_bytes()[..size]);
    }

    /// The same for a place, as an offset from where it is written.
    pub(super) fn offset(&mut self, place: usize) {
        self.align_after(0, 4);
        let offset = self.place() + 4 - place;
        self.array((offset as u32).to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.room(bytes.len());
        self.pos -= bytes.len();
        self.out[self.pos..self.pos + bytes.len()].copy_from_slice(bytes);
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
        self.room(4 + len + 1 + padding + 2 * BLOCK);
        let end = self.pos - 1 - padding;
        let (from, out) = (start + len, &mut self.out[..]);
        // Whole blocks: what lies before the text is written later.
        out[self.pos - 4..self.pos].fill(0);
        if len <= BLOCK && from >= BLOCK {
            out[end - BLOCK..end].copy_from_slice(&base[from - BLOCK..from]);
        } else if len <= 2 * BLOCK && from >= 2 * BLOCK {
            out[end - 2 * BLOCK..end].copy_from_slice(&base[from - 2 * BLOCK..from]);
        } else {
            out[end - len..end].copy_from_slice(&base[start..from]);
        }
        self.pos = end - len - 4;
        out[self.pos..self.pos + 4].copy_from_slice(&(len as u32).to_le_bytes());
        self.check_size()?;
        Ok(self.place())
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

    /// A vector of offsets to these places.
    pub(super) fn offsets(&mut self, places: &[u64]) -> Result<usize> {
        let len = 4 * places.len();
        self.start_vector(len, 4);
        self.room(len);
        let first = self.place() + len;
        self.pos -= len;
        let mut at = first;
        for (to, &place) in self.out[self.pos..self.pos + len].chunks_exact_mut(4).zip(places) {
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
        self.room(len);
        self.pos -= len;
        for (to, &cell) in self.out[self.pos..self.pos + len].chunks_exact_mut(N).zip(cells) {
            to.copy_from_slice(&bytes(cell));
        }
        self.end_vector(cells.len())
    }

    /// Writes a table with the vtable at this place, which was made for one with the same fields that began as this one
    /// does. The values are those of the fields by id: scalars, or the places that offsets point to.
    #[inline(always)]
    pub(super) fn table_like(&mut self, vtable: usize, layout: &[Inline], values: &[u64], there: u64) -> Result<usize> {
        let at = self.out.len() - vtable;
        let size = usize::from(u16_at(self.out, at + 2));
        self.room(size + 8);
        let (len, end) = (self.out.len(), self.pos);
        let (vtable_at, table) = (len - vtable, end - size);
        let out = &mut self.out[..];
        let mut zeros = end;
        while zeros > table {
            zeros -= 8;
            out[zeros..zeros + 8].fill(0);
        }
        for inline in layout {
            let id = usize::from(inline.id);
            if there >> id & 1 == 0 {
                continue;
            }
            let at = table + usize::from(u16_at(out, vtable_at + 4 + 2 * id));
            let value = values[id];
            match inline.size {
                8 => out[at..at + 8].copy_from_slice(&value.to_le_bytes()),
                4 if inline.offset => {
                    let offset = len - at - value as usize;
                    out[at..at + 4].copy_from_slice(&(offset as u32).to_le_bytes());
                }
                4 => out[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes()),
                2 => out[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
                _ => out[at] = value as u8,
            }
        }
        let distance = (vtable as i32).wrapping_sub((len - table) as i32);
        out[table..table + 4].copy_from_slice(&distance.to_le_bytes());
        self.pos = table;
        self.check_size()?;
        Ok(self.place())
    }

    /// How the table at this place is laid out, the one with this index in the plan; it began so far from aligned bytes.
    pub(super) fn layout_of(&self, flat: &Flat, index: usize, table: usize, phase: usize) -> Option<Layout> {
        let at = self.out.len() - table;
        let distance = i32::from_le_bytes(*self.out[at..].first_chunk()?);
        let vtable = (table as i64 + i64::from(distance)) as usize;
        Layout::new(flat, index, vtable, &self.out[self.out.len() - vtable..]).map(|layout| layout.at(phase))
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
        let size = layout.size;
        // A table of another size leaves the next one at another distance from aligned bytes.
        let most = if size.is_multiple_of(8) { runs.len() } else { 1 };
        self.room(most * size + 8);
        places.reserve(most);
        let (len, out, before) = (self.out.len(), &mut self.out[..], places.len());
        for run in runs.take(most) {
            if flat.there(run) != layout.there {
                break;
            }
            self.pos -= size;
            layout.write(flat, out, self.pos, run);
            let place = len - self.pos;
            let distance = (layout.vtable as i32).wrapping_sub(place as i32);
            out[self.pos..self.pos + 4].copy_from_slice(&distance.to_le_bytes());
            places.push(place as u64);
        }
        self.check_size()?;
        Ok(places.len() - before)
    }

    /// Writes a table of scalars and offsets, and a vtable if there is none like it: as [`Builder::end_table`], in one go.
    /// The values are as in [`Builder::table_like`], and become the places of the fields. Gives the places of the table and
    /// of its vtable.
    pub(super) fn table(&mut self, layout: &[Inline], values: &mut [u64], there: u64) -> Result<(usize, usize)> {
        let ids = (64 - there.leading_zeros()) as usize;
        // Each field with what aligns it, the vtable, and the eight bytes that are always written.
        self.room(16 * (ids + 2) + 2 * ids + 8);
        let (len, start, out) = (self.out.len(), self.place(), &mut self.out[..]);
        let put = |out: &mut [u8], end: usize, word: u64| out[end - 8..end].copy_from_slice(&word.to_le_bytes());
        let mut pos = self.pos;
        put(out, pos, 0);
        for inline in layout.iter().filter(|inline| there >> inline.id & 1 != 0) {
            let (value, size) = (&mut values[usize::from(inline.id)], usize::from(inline.size));
            self.alignment = self.alignment.max(size);
            let end = pos - ((len - pos).wrapping_neg() & (size - 1));
            pos = end - size;
            let bits = if inline.offset { (len - pos) as u64 - *value } else { *value };
            // Zeros before it: what aligns the next one.
            put(out, end, bits << (64 - 8 * size));
            *value = (len - pos) as u64;
        }
        self.alignment = self.alignment.max(4);
        let table_at = pos - ((len - pos).wrapping_neg() & 3) - 4;
        let table = len - table_at;
        self.pos = table_at - 2 * ids - 4;
        let vtable = &mut out[self.pos..table_at];
        for (id, entry) in vtable[4..].chunks_exact_mut(2).enumerate() {
            let offset = if there >> id & 1 != 0 { table as u64 - values[id] } else { 0 };
            entry.copy_from_slice(&(offset as u16).to_le_bytes());
        }
        vtable[..2].copy_from_slice(&(2 * ids as u16 + 4).to_le_bytes());
        vtable[2..4].copy_from_slice(&((table - start) as u16).to_le_bytes());
        self.end_vtable(table)
    }

    /// Ends a table whose scalars and offsets were written since `start`. `places` are theirs by id, 0 where the table
    /// has none. Gives the places of the table and of its vtable.
    pub(super) fn end_table(
        &mut self,
        start: usize,
        places: impl DoubleEndedIterator<Item = usize>,
    ) -> Result<(usize, usize)> {
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
            self.array((offset as u16).to_le_bytes());
        }
        self.array(((table - start) as u16).to_le_bytes());
        self.array((fields as u16 * 2 + 4).to_le_bytes());
        self.end_vtable(table)
    }

    /// Ends the table at this place, before which its vtable was written: unless there is one like it.
    #[inline(always)]
    fn end_vtable(&mut self, table: usize) -> Result<(usize, usize)> {
        self.check_size()?;
        let place = self.place();
        let vtable = match self.vtables.find_or_add(&self.out[self.pos..], place, place - table) {
            Some(earlier) => {
                self.pos = self.out.len() - table;
                earlier
            }
            None => place,
        };
        // Positive when the vtable lies before the table.
        let distance = (vtable as i32).wrapping_sub(table as i32);
        let at = self.out.len() - table;
        self.out[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        Ok((table, vtable))
    }

    /// Writes the offset of the root, the identifier and the size of all if wanted, and moves the buffer to its place.
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
        let len = self.place();
        self.out.copy_within(self.pos.., self.start);
        self.out.truncate(self.start + len);
    }
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

/// The vtables written so far, so that equal ones are shared.
#[derive(Default)]
struct Vtables {
    /// The places and lengths of the first ones, and how many these are.
    few: [(u32, u32); FEW],
    count: usize,
    /// The others by hash. Two that share a hash are not found: then one is only written twice.
    many: HashMap<u64, (u32, u32)>,
    hasher: RandomState,
}

/// As many are compared one by one, which is faster than hashing for most messages.
const FEW: usize = 8;

impl Vtables {
    /// The place of a vtable equal to the one of this length that `buffer` begins with, at this place; remembers it when
    /// there is none.
    fn find_or_add(&mut self, buffer: &[u8], place: usize, len: usize) -> Option<usize> {
        let vtable = &buffer[..len];
        let slice = |&(place, len): &(u32, u32)| {
            let at = buffer.len() - place as usize;
            &buffer[at..at + len as usize]
        };
        let is = |range: &&(u32, u32)| range.1 as usize == len && slice(range) == vtable;
        if let Some(found) = self.few[..self.count].iter().find(is) {
            return Some(found.0 as usize);
        }
        let range = (place as u32, len as u32);
        if let Some(free) = self.few.get_mut(self.count) {
            *free = range;
            self.count += 1;
            return None;
        }
        let found = self.many.entry(self.hasher.hash_one(vtable)).or_insert(range);
        (*found != range && slice(found) == vtable).then_some(found.0 as usize)
    }
}
