//! The vtables of a buffer that is written: equal ones are shared, and tables that came before are laid out alike.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// How a table was laid out: the next one that has the same fields, and starts at the same distance from aligned bytes,
/// is laid out alike.
#[derive(Clone, Copy, Default)]
pub(super) struct Layout {
    /// Index of the table in the plan.
    pub(super) table: u32,
    pub(super) phase: u32,
    /// Which ids it had.
    pub(super) there: u64,
    /// The place of its vtable; 0 when nothing was written yet.
    pub(super) vtable: usize,
}

/// The layouts of tables that came more than once.
#[derive(Default)]
pub(super) struct Known {
    /// By hash: one that meets another takes its place.
    layouts: Vec<Layout>,
}

/// How many are kept at first, and when these were too few.
const FEW_LAYOUTS: usize = 8;
const MANY_LAYOUTS: usize = 256;

impl Known {
    #[inline(always)]
    fn hash(&self, table: usize, phase: usize, there: u64) -> usize {
        let mixed = (there ^ (table as u64) << 40 ^ (phase as u64) << 60).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 56) as usize & self.layouts.len().wrapping_sub(1)
    }

    /// The place of the vtable of such a table.
    #[inline(always)]
    pub(super) fn find(&self, table: usize, phase: usize, there: u64) -> Option<usize> {
        let layout = self.layouts.get(self.hash(table, phase, there))?;
        let is = (layout.table, layout.phase, layout.there) == (table as u32, phase as u32, there);
        (is && layout.vtable != 0).then_some(layout.vtable)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn add(&mut self, layout: Layout) {
        let at = |known: &Self| known.hash(layout.table as usize, layout.phase as usize, layout.there);
        if self.layouts.is_empty() {
            self.layouts.resize(FEW_LAYOUTS, Layout::default());
        } else if self.layouts.len() < MANY_LAYOUTS && self.layouts[at(self)].vtable != 0 {
            self.layouts.clear();
            self.layouts.resize(MANY_LAYOUTS, Layout::default());
        }
        let at = at(self);
        self.layouts[at] = layout;
    }
}

/// The vtables written so far, so that equal ones are shared.
#[derive(Default)]
pub(super) struct Vtables {
    /// The places of the first ones and what they begin with, and how many these are.
    few: [(u32, u32); FEW],
    count: usize,
    many: Option<Many>,
}

/// As many are compared one by one, which is faster than hashing for most messages.
const FEW: usize = 8;

/// The places and lengths of the others by hash. Two that share a hash are not found: then one is only written twice.
#[derive(Default)]
struct Many {
    known: HashMap<u64, (u32, u32)>,
    hasher: RandomState,
}

impl Vtables {
    /// The place of a vtable equal to the one of this length that `buffer` begins with; remembers that when there is none.
    #[inline(always)]
    pub(super) fn find_or_add(&mut self, buffer: &[u8], len: usize) -> Option<usize> {
        // The lengths of the vtable and of its tables.
        let head = u32::from_le_bytes([buffer[0], buffer[1], buffer[2], buffer[3]]);
        let entries = |place: usize| buffer[buffer.len() - place..][4..len].chunks_exact(2);
        for &(known, its) in &self.few[..self.count] {
            // Most are so short that a loop is faster than a call.
            if its == head && entries(known as usize).eq(entries(buffer.len())) {
                return Some(known as usize);
            }
        }
        if let Some(free) = self.few.get_mut(self.count) {
            *free = (buffer.len() as u32, head);
            self.count += 1;
            return None;
        }
        self.find_or_add_many(buffer, len)
    }

    #[inline(never)]
    fn find_or_add_many(&mut self, buffer: &[u8], len: usize) -> Option<usize> {
        let Many { known, hasher } = self.many.get_or_insert_default();
        let slice = |(place, len): (u32, u32)| &buffer[buffer.len() - place as usize..][..len as usize];
        let range = (buffer.len() as u32, len as u32);
        let found = *known.entry(hasher.hash_one(slice(range))).or_insert(range);
        (found != range && slice(found) == slice(range)).then_some(found.0 as usize)
    }
}
