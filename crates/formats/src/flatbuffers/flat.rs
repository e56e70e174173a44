//! Tables of nothing but scalars and strings, of which vectors have many. Most of these share a vtable, so where their
//! fields lie is looked up once, and then each is read and written without asking what it is.

use wirewise_core::{Cell, Kind, Schema, Words};

use super::buffer::Buffer;
use super::plan::{Presence, Scalar, Slot, Store, Table};

/// How many fields such a table may have.
const FIELDS: usize = 16;

/// The fields of such a table, as they are written: from its end to its start.
pub(super) struct Flat {
    fields: Vec<Field>,
    /// Whether each of them is eight bytes, which are its cell.
    pub(super) words: bool,
    /// Whether there are no strings. Only such tables are written so.
    pub(super) scalars: bool,
}

#[derive(Clone, Copy)]
struct Field {
    id: u16,
    /// Its cell in the record.
    cell: u16,
    size: u8,
    /// Whether it is the offset of a string.
    text: bool,
    /// By how much eight bytes that end where the field does are to be shifted.
    shift: u8,
    /// The sign bit, if it has one.
    sign: u64,
    /// The most that it can be: one for a boolean, whose byte may be any.
    most: u64,
    default: Cell,
}

impl Flat {
    /// `None` for a table that has anything else, or more fields.
    pub(super) fn new(schema: &Schema, table: &Table) -> Option<Flat> {
        let Kind::Record(record) = schema.kind(table.ty) else { return None };
        let field = |slot: &Slot| match slot.store {
            Store::Scalar(scalar) if slot.presence == Presence::Required && !matches!(scalar, Scalar::Enum(_)) => {
                let size = scalar.size();
                let signed = matches!(scalar, Scalar::Int(int) if int.signed());
                Some(Field {
                    id: slot.id,
                    cell: slot.position as u16,
                    size: size as u8,
                    text: false,
                    shift: (64 - 8 * size) as u8,
                    sign: if signed { 1 << (8 * size - 1) } else { 0 },
                    most: if scalar == Scalar::Bool { 1 } else { u64::MAX },
                    default: slot.default,
                })
            }
            Store::String if slot.presence == Presence::Required && record.fields[slot.position].default.is_none() => {
                Some(Field {
                    id: slot.id,
                    cell: slot.position as u16,
                    size: 4,
                    text: true,
                    shift: 0,
                    sign: 0,
                    most: 0,
                    default: Cell::EMPTY,
                })
            }
            _ => None,
        };
        let few = (1..=FIELDS).contains(&table.slots.len()) && table.gaps.is_empty();
        if !few || !table.simple || table.state_words > 0 || table.shared || table.cells != table.slots.len() {
            return None;
        }
        let slot = |id: u16| table.slots.iter().find(|slot| slot.id == id);
        let fields = table.layout.iter().map(|inline| field(slot(inline.id)?));
        let fields: Vec<Field> = fields.collect::<Option<_>>()?;
        let (words, scalars) = (fields.iter().all(|field| field.size == 8), fields.iter().all(|field| !field.text));
        Some(Flat { words, scalars, fields })
    }

    /// Which fields are to be written, a bit for each. The others have their defaults.
    #[inline(always)]
    pub(super) fn there(&self, run: &[Cell]) -> u32 {
        let bit = |field: &Field| u32::from(run[usize::from(field.cell)] != field.default);
        self.fields.iter().fold(0, |there, field| there << 1 | bit(field))
    }
}

/// Where the fields lie in tables with one vtable.
#[derive(Clone, Copy, Default)]
pub(super) struct Layout {
    /// The index of the table in the plan.
    table: usize,
    /// The vtable: where it lies in a buffer that is read, its place in one that is written.
    pub(super) vtable: usize,
    /// Bytes of a table.
    pub(super) size: usize,
    /// Which fields there are, and how far from aligned bytes the tables are that are written so.
    pub(super) there: u32,
    phase: usize,
    /// Where each field ends in the table; 0 where there is none.
    ends: [u16; FIELDS],
}

/// The layouts that were met last in a buffer.
#[derive(Default)]
pub(super) struct Layouts {
    known: Vec<Layout>,
    next: usize,
}

/// How many are kept.
const LAYOUTS: usize = 8;

impl Layouts {
    /// That of a table of the plan of which this is true.
    #[inline(always)]
    pub(super) fn find(&self, table: usize, is: impl Fn(&Layout) -> bool) -> Option<&Layout> {
        self.known.iter().find(|layout| layout.table == table && is(layout))
    }

    pub(super) fn add(&mut self, layout: Layout) -> &Layout {
        let at = self.next;
        self.next = (at + 1) % LAYOUTS;
        if at == self.known.len() {
            self.known.push(layout);
        } else {
            self.known[at] = layout;
        }
        &self.known[at]
    }
}

impl Layout {
    /// That of a vtable, which lies in the buffer. `None` when it has unknown fields, or one that does not lie in the table.
    pub(super) fn new(flat: &Flat, table: usize, vtable: usize, bytes: &[u8]) -> Option<Layout> {
        let u16_at = |at: usize| bytes.get(at..at + 2).map(|raw| u16::from_le_bytes([raw[0], raw[1]]));
        let (len, size) = (usize::from(u16_at(0)?), usize::from(u16_at(2)?));
        if len < 4 || !len.is_multiple_of(2) || len > bytes.len() || len > 4 + 2 * flat.fields.len() {
            return None;
        }
        let mut layout = Layout { table, vtable, size, ..Layout::default() };
        for (field, end) in flat.fields.iter().zip(&mut layout.ends) {
            let entry = 4 + 2 * usize::from(field.id);
            let offset = if entry < len { usize::from(u16_at(entry)?) } else { 0 };
            layout.there = layout.there << 1 | u32::from(offset > 0);
            if offset > 0 {
                *end = u16::try_from(offset + usize::from(field.size)).ok()?;
                if offset < 4 || usize::from(*end) > size {
                    return None;
                }
            }
        }
        (size >= 4).then_some(layout)
    }

    /// The same for tables that are written so far from aligned bytes.
    pub(super) fn at(self, phase: usize) -> Layout {
        Layout { phase, ..self }
    }

    /// Whether tables with these fields are written so, there.
    #[inline(always)]
    pub(super) fn is_for(&self, there: u32, phase: usize) -> bool {
        self.there == there && self.phase == phase
    }

    /// Reads the table at `at`, which lies in the buffer, these bytes, as a whole; one of [`Flat::words`] with fewer steps.
    #[inline(always)]
    pub(super) fn read<const WORDS: bool>(
        &self,
        flat: &Flat,
        buffer: &mut Buffer<'_>,
        bytes: &[u8],
        at: usize,
        run: &mut [Cell],
    ) -> Option<()> {
        for (field, &end) in flat.fields.iter().zip(&self.ends) {
            let end = usize::from(end);
            run[usize::from(field.cell)] = if end == 0 {
                field.default
            } else if !WORDS && field.text {
                let (start, len) = buffer.usual_text(at + end - 4)?;
                Cell::run(start as u32, len as u32)
            } else {
                let raw = u64::from_le_bytes(*bytes.get(..at + end)?.last_chunk()?);
                let bits = (raw >> field.shift).min(field.most);
                let cell = if WORDS { raw } else { (bits ^ field.sign).wrapping_sub(field.sign) };
                Cell::uint(cell)
            };
        }
        Some(())
    }

    /// Writes a table with that offset to the vtable.
    #[inline(always)]
    pub(super) fn write(&self, flat: &Flat, words: &mut Words<'_, '_>, run: &[Cell], vtable: u32) {
        words.begin(self.size);
        // What a word has before a field is padding, or written later.
        words.put(self.size, 0);
        for (field, &end) in flat.fields.iter().zip(&self.ends) {
            if end > 0 {
                words.put(usize::from(end), run[usize::from(field.cell)].as_u64() << field.shift);
            }
        }
        words.put(4, u64::from(vtable) << 32);
    }
}
