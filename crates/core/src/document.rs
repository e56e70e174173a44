//! The read-only view of a decoded message.

use crate::Limits;
use crate::Out;
use crate::arena::{AnyTag, Arena, Cell, State, decode_state};
use crate::schema::{Record, Schema};

/// One decoded message: a schema, the bytes it was decoded from, and the arena that it was decoded into.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    schema: &'a Schema,
    input: &'a [u8],
    arena: &'a Arena,
}

/// An `Any` value, taken apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnyValue<'a> {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer in the range of `i64`.
    Int(i64),
    /// An integer above `i64::MAX`.
    Uint(u64),
    /// A double.
    Float(f64),
    /// The text of a JSON number that no other variant can hold.
    Number(&'a [u8]),
    /// UTF-8 text.
    String(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Cells of `Any`s.
    List(&'a [Cell]),
    /// Cells of `Any` keys and `Any` values, in turn.
    Map(&'a [Cell]),
    /// A tag, and the cell of the `Any` it is about.
    Tagged(u64, Cell),
}

impl<'a> Document<'a> {
    /// The message last decoded into `arena`, from `input`, with `schema`.
    ///
    /// All three must belong together: cells mean nothing under another schema, and reading them may then panic.
    pub fn new(schema: &'a Schema, input: &'a [u8], arena: &'a Arena) -> Self {
        Document { schema, input, arena }
    }

    pub(crate) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// The limits that its decoder obeyed.
    pub fn limits(&self) -> &'a Limits {
        self.arena.limits()
    }

    /// The schema its cells are laid out by.
    #[inline]
    pub fn schema(&self) -> &'a Schema {
        self.schema
    }

    /// The bytes it was decoded from, which may go on after the message; none where it was made from something else.
    pub fn input(&self) -> &'a [u8] {
        self.input
    }

    /// The cell of the whole message, of type [`Schema::root`].
    #[inline]
    pub fn root(&self) -> Cell {
        self.arena.root()
    }

    /// The bytes of a string, bytes or fixed cell. Strings are valid UTF-8: decoders check.
    #[inline]
    pub fn bytes(&self, cell: Cell) -> &'a [u8] {
        self.arena.bytes(self.input, cell)
    }

    /// The buffer in which the bytes of a string, bytes or fixed cell lie, where they start there, and how many they are:
    /// for who reads faster when more bytes follow.
    #[inline(always)]
    pub fn place(&self, cell: Cell) -> (&'a [u8], usize, usize) {
        self.arena.place(self.input, cell)
    }

    /// The N bytes of the input from where the text of a cell begins, if it lies there and there are as many.
    #[inline(always)]
    pub fn block<const N: usize>(&self, cell: Cell) -> Option<&'a [u8; N]> {
        self.input.get(cell.start()..cell.start() + N)?.first_chunk()
    }

    /// A text of 1 to 32 bytes with zeros behind it, as far as this can be had without a loop: for those that are not in the
    /// input, or behind which there are too few bytes for a [`Document::block`].
    #[inline(always)]
    pub fn last_block(&self, cell: Cell) -> Option<[u8; 32]> {
        let (base, start, len) = self.place(cell);
        last_block(base, start, len)
    }

    /// Appends the bytes of a string, bytes or fixed cell.
    #[inline(always)]
    pub fn copy(&self, cell: Cell, out: &mut Out<'_>) {
        let (base, start, len) = self.place(cell);
        out.part(base, start, len);
    }

    /// The text of a string cell.
    pub fn str(&self, cell: Cell) -> &'a str {
        std::str::from_utf8(self.bytes(cell)).expect("decoders check that strings are UTF-8")
    }

    /// The cells of a list's elements.
    #[inline]
    pub fn list(&self, cell: Cell) -> &'a [Cell] {
        &self.arena.cells()[cell.start()..cell.start() + cell.len()]
    }

    /// The cells of a map's keys and values, in turn.
    #[inline]
    pub fn map(&self, cell: Cell) -> &'a [Cell] {
        &self.arena.cells()[cell.start()..cell.start() + 2 * cell.len()]
    }

    /// All cells, for who knows the layout of what they look up.
    #[inline(always)]
    pub fn cells(&self) -> &'a [Cell] {
        self.arena.cells()
    }

    /// `count` cells from the index that `cell` is: a record's run, states included, for who knows its layout.
    #[inline(always)]
    pub fn run(&self, cell: Cell, count: usize) -> &'a [Cell] {
        let at = cell.as_index();
        &self.arena.cells()[at..at + count]
    }

    /// The runs of a list's records, of `count` cells each, if they lie one behind another: so most decoders lay them down,
    /// if nothing but records is in the list.
    #[inline]
    pub fn runs(&self, records: &[Cell], count: usize) -> Option<&'a [Cell]> {
        let first = records.first()?.as_index();
        let differ = |differ, (i, cell): (usize, &Cell)| differ | (cell.as_u64() ^ (first + i * count) as u64);
        match records.iter().enumerate().fold(0, differ) {
            0 => self.arena.cells().get(first..first + records.len() * count),
            _ => None,
        }
    }

    /// A record's fields.
    #[inline]
    pub fn record(&self, record: &'a Record, cell: Cell) -> RecordView<'a> {
        let at = cell.as_index();
        RecordView { record, cells: &self.arena.cells()[at..at + record.cells()] }
    }

    /// The position of a union's branch, and the value's cell.
    #[inline]
    pub fn union(&self, cell: Cell) -> (usize, Cell) {
        let at = cell.as_index();
        (self.arena.get(at).as_u64() as usize, self.arena.get(at + 1))
    }

    /// The value of a nullable outside a field: `None` is null.
    #[inline]
    pub fn boxed(&self, cell: Cell) -> Option<Cell> {
        (cell != Cell::NULL).then(|| self.arena.get(cell.as_index()))
    }

    /// The value of an `Any`.
    pub fn any(&self, cell: Cell) -> AnyValue<'a> {
        let (tag, value) = self.union(cell);
        match AnyTag::ALL[tag] {
            AnyTag::Null => AnyValue::Null,
            AnyTag::Bool => AnyValue::Bool(value.as_bool()),
            AnyTag::Int => AnyValue::Int(value.as_i64()),
            AnyTag::Uint => AnyValue::Uint(value.as_u64()),
            AnyTag::Float => AnyValue::Float(value.as_f64()),
            AnyTag::Number => AnyValue::Number(self.bytes(value)),
            AnyTag::String => AnyValue::String(self.bytes(value)),
            AnyTag::Bytes => AnyValue::Bytes(self.bytes(value)),
            AnyTag::List => AnyValue::List(self.list(value)),
            AnyTag::Map => AnyValue::Map(self.map(value)),
            AnyTag::Tagged => AnyValue::Tagged(value.as_u64(), self.arena.get(cell.as_index() + 2)),
        }
    }
}

/// A record of a document. Positions are those of [`Record::fields`].
#[derive(Debug, Clone, Copy)]
pub struct RecordView<'a> {
    record: &'a Record,
    cells: &'a [Cell],
}

impl<'a> RecordView<'a> {
    /// The field's cell: meaningful unless the field is absent or null.
    #[inline]
    pub fn cell(&self, position: usize) -> Cell {
        self.cells[self.record.state_words() + position]
    }

    /// The cells of all fields, whatever their states.
    #[inline]
    pub fn cells(&self) -> &'a [Cell] {
        &self.cells[self.record.state_words()..]
    }

    /// The state of a field; of one that is neither optional nor nullable always [`State::Present`].
    #[inline]
    pub fn state(&self, position: usize) -> State {
        if self.record.state_words() == 0 || !self.record.fields[position].is_stateful() {
            return State::Present;
        }
        decode_state(self.cells[position / 32], position)
    }

    /// Whether the message came without the field.
    pub fn is_absent(&self, position: usize) -> bool {
        self.state(position) == State::Absent
    }

    /// The field's cell, unless it is absent or null.
    #[inline]
    pub fn get(&self, position: usize) -> Option<Cell> {
        (self.state(position) == State::Present).then(|| self.cell(position))
    }
}

/// `base[start..start + len]`, see [`Document::last_block`].
#[inline(always)]
fn last_block(base: &[u8], start: usize, len: usize) -> Option<[u8; 32]> {
    let word = |end: usize| Some(u128::from_le_bytes(*base.get(end.checked_sub(16)?..end)?.first_chunk()?));
    let last = word(start + len)?;
    let (low, high) = match len {
        1..=16 => (last >> (8 * (16 - len)), 0),
        17..=32 => (word(start + 16)?, last >> (8 * (32 - len))),
        _ => return None,
    };
    let mut block = [0; 32];
    block[..16].copy_from_slice(&low.to_le_bytes());
    block[16..].copy_from_slice(&high.to_le_bytes());
    Some(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_blocks_are_as_they_are() {
        let base: Vec<u8> = (1..=40).collect();
        for start in 0..40 {
            for len in 0..=40 - start {
                match last_block(&base, start, len) {
                    Some(block) => {
                        assert_eq!((&block[..len], &block[len..]), (&base[start..start + len], &[0; 32][len..]))
                    }
                    None => assert!(len == 0 || len > 32 || start + len < 16, "{start} {len}"),
                }
            }
        }
    }
}
