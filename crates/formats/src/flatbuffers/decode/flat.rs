//! Vectors of tables of nothing but scalars and strings.

use wirewise_core::{Cell, Tracer};

use super::Reader;
use crate::flatbuffers::buffer::Buffer;
use crate::flatbuffers::flat::{Flat, Layout, Layouts};
use crate::flatbuffers::plan::{Item, Target};

impl<T: Tracer> Reader<'_, T> {
    /// A vector of such tables. `None` when it is of something else, or something is unusual: then nothing was read.
    pub(super) fn flat_tables(&mut self, item: Item, start: usize, count: usize, depth: usize) -> Option<Cell> {
        let Item::Table(Target::Record(index)) = item else { return None };
        let table = &self.codec.plan.tables[index];
        let flat = table.flat.as_ref()?;
        if T::ON || depth >= self.arena.limits().depth {
            return None;
        }
        let zeros = std::iter::repeat_n(Cell::EMPTY, count * table.cells);
        let list = self.arena.records(count, table.cells, zeros).ok()?;
        let runs = self.arena.run_mut((list.start() + count) as u32, count * table.cells);
        let (budget, runs) = (self.buffer.budget(), runs.chunks_exact_mut(table.cells));
        let read = match flat.words {
            true => read::<true>(flat, index, &mut self.layouts, &mut self.buffer, start, runs),
            false => read::<false>(flat, index, &mut self.layouts, &mut self.buffer, start, runs),
        };
        if read.is_none() {
            self.arena.rewind(list.start());
            self.buffer.set_budget(budget);
            return None;
        }
        Some(list)
    }
}

/// Reads as many tables as there are runs, with this index in the plan. The offsets to them begin at `start`.
fn read<'r, const WORDS: bool>(
    flat: &Flat,
    index: usize,
    layouts: &mut Layouts,
    buffer: &mut Buffer<'_>,
    start: usize,
    runs: impl Iterator<Item = &'r mut [Cell]>,
) -> Option<()> {
    let bytes = buffer.bytes_to_end();
    let u32_at = |at: usize| bytes.get(at..)?.first_chunk().map(|raw| u32::from_le_bytes(*raw));
    let (mut layout, mut read) = (Layout::default(), 0);
    for (i, run) in runs.enumerate() {
        let from = start + 4 * i;
        let offset = u32_at(from)? as usize;
        let at = from + offset;
        let vtable = (at as i64 - i64::from(u32_at(at)? as i32)) as usize;
        if vtable != layout.vtable {
            layout = match layouts.find(index, |layout| layout.vtable == vtable) {
                Some(layout) => *layout,
                None => *layouts.add(Layout::new(flat, index, vtable, bytes.get(vtable..)?)?),
            };
        }
        // Where the buffer starts, there is no vtable.
        if offset == 0 || vtable == 0 || layout.size > bytes.len() - at {
            return None;
        }
        layout.read::<WORDS>(flat, buffer, bytes, at, run)?;
        read += layout.size;
    }
    buffer.charge(read, start).ok()
}
