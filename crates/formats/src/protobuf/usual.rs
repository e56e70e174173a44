//! Reading what messages mostly are: known fields, in short tags and varints, that come once.
//!
//! The loops here go by the table of [`Ops`](super::ops) and stop in front of the first field that is not as they expect,
//! having consumed nothing of it. The general path then reads that field, or says what is wrong with it: so no error has
//! its origin here, and whatever is rare costs the usual path nothing. Tracing takes the general path alone.

use wirewise_core::{Cell, Error, Int, Kind, Result, State, Tracer, utf8, varint};

use super::ProtobufCodec;
use super::decode::Reader;
use super::ops::{Code, LABELLED, Op, Ops, RIVALS, STATEFUL};
use super::plan::{FieldPlan, Message, Scalar, Shape, Value};
use super::wire::{WireType, length, load};

/// A tag, first byte lowest, and the bits of the first four bytes that it takes.
#[derive(Clone, Copy)]
pub(super) struct Tag {
    pub(super) bytes: u32,
    pub(super) mask: u32,
    pub(super) len: usize,
}

impl Tag {
    /// The tag of a field, when it is short.
    pub(super) fn new(number: u32, wire_type: WireType) -> Option<Tag> {
        let (bytes, len) = varint::bytes(u64::from(number) << 3 | wire_type as u64);
        let short = *bytes.first_chunk().filter(|_| len <= 4)?;
        Some(Tag { bytes: u32::from_le_bytes(short), mask: u32::MAX >> (32 - 8 * len), len })
    }

    #[inline(always)]
    fn of(op: &Op) -> Tag {
        Tag { bytes: op.tag, mask: op.mask, len: op.tag_len.into() }
    }

    #[inline(always)]
    fn is_at(self, input: &[u8], pos: usize) -> bool {
        load(input, pos) as u32 & self.mask == self.bytes
    }

    /// Where what follows the tag begins, if it is at `pos`.
    #[inline(always)]
    fn after(self, input: &[u8], pos: usize) -> Option<usize> {
        self.is_at(input, pos).then_some(pos + self.len)
    }
}

impl<'a, T: Tracer> Reader<'a, T> {
    /// Reads fields of the record at `at` from `pos` on; returns where the first unusual one begins, or `end`.
    #[inline]
    pub(super) fn usual(
        &mut self,
        message: &'a Message,
        at: u32,
        pos: usize,
        end: usize,
        depth: usize,
    ) -> Result<usize> {
        let table = &message.ops;
        let cells = self.arena.run_mut(at, table.cells);
        let (pos, place) = scalars_called(self.cursor.input, table, cells, pos, end, 0);
        if pos >= end { Ok(pos) } else { self.others(message, at, pos, end, place, depth) }
    }

    /// Goes on with [`Reader::usual`] at a field that is no scalar.
    fn others(
        &mut self,
        message: &'a Message,
        at: u32,
        mut pos: usize,
        end: usize,
        mut place: usize,
        depth: usize,
    ) -> Result<usize> {
        let input = self.cursor.input;
        let table = &message.ops;
        while let Some(op) = table.ops.get(place) {
            let start = pos + usize::from(op.tag_len);
            let before = self.arena.run_mut(at, table.cells)[op.slot as usize];
            let read = match op.code {
                Code::ClosedEnum => {
                    let read =
                        varint::read(input, start).map(|(value, next)| (Cell::int(i64::from(value as i32)), next));
                    read.filter(|&(cell, _)| self.codec.has_symbol(&message.fields[place], cell.as_i64()))
                }
                Code::Record if before == Cell::EMPTY && op.flags & RIVALS == 0 => {
                    let Some((from, next)) = length(input, start, end) else { break };
                    let read = self.element(op.place as usize, from, next, depth + 1);
                    Some((read.map_err(|error| self.in_field(message, place, error))?, next))
                }
                Code::Strings | Code::Blobs if before.is_empty() => {
                    let read = self.texts(Tag::of(op), op.code == Code::Strings, start, end);
                    read.map_err(|error| self.in_field(message, place, error))?
                }
                Code::Records if before.is_empty() => {
                    let mark = self.arena.mark();
                    let read = self.records(Tag::of(op), op.place as usize, start, end, 0, depth + 1);
                    let next = read.map_err(|error| self.in_field(message, place, error))?;
                    let list = self.arena.list(mark).map_err(|error| self.in_field(message, place, error))?;
                    (next != start).then_some((list, next))
                }
                Code::Packed if before.is_empty() => {
                    let Shape::Repeated(Value::Scalar(scalar)) = message.fields[place].shape else { break };
                    let read = self.packed_numbers(scalar, start, end);
                    read.map_err(|error| self.in_field(message, place, error))?
                }
                _ => None,
            };
            let Some((cell, next)) = read.filter(|&(_, next)| next <= end) else { break };
            if !set(op, self.arena.run_mut(at, table.cells), cell) {
                break;
            }
            (pos, place) = (next, place + 1);
            if pos == end {
                break;
            }
            let expected = table.ops.get(place);
            if expected.is_none_or(|op| op.code < Code::ClosedEnum || !Tag::of(op).is_at(input, pos)) {
                (pos, place) = scalars_called(input, table, self.arena.run_mut(at, table.cells), pos, end, place);
                if pos >= end {
                    break;
                }
            }
        }
        Ok(pos)
    }

    /// Reads a message of the record at `place` in the plan, which lies at `start..end` of the input.
    #[inline(always)]
    fn element(&mut self, place: usize, start: usize, end: usize, depth: usize) -> Result<Cell> {
        let message = &self.codec.plan.messages[place];
        if depth > self.arena.limits().depth || !message.prefilled.is_empty() {
            return self.unusual(place, None, start, start, end, depth);
        }
        // At least one, as `Arena::record` does.
        let at = self.arena.alloc(message.ops.cells.max(1))?;
        let pos = self.usual(message, at, start, end, depth)?;
        if pos != end {
            return self.unusual(place, Some(at), start, pos, end, depth);
        }
        if message.ops.closes {
            self.close(message, at, start)?;
        }
        Ok(Cell::index(at))
    }

    /// Goes on from `pos` by the general path.
    #[inline(never)]
    fn unusual(
        &mut self,
        place: usize,
        at: Option<u32>,
        start: usize,
        pos: usize,
        end: usize,
        depth: usize,
    ) -> Result<Cell> {
        let outer = self.cursor.confine(end);
        self.cursor.pos = pos;
        let cell = match at {
            None => self.message(place, None, depth)?,
            Some(at) => {
                self.fields(&self.codec.plan.messages[place], at, depth)?;
                self.close(&self.codec.plan.messages[place], at, start)?;
                Cell::index(at)
            }
        };
        self.cursor.release(outer);
        Ok(cell)
    }

    /// Pushes records, the first of which begins at `start` with its length; returns where what is not read begins: there
    /// again, or at a later tag. `count` elements were read before.
    pub(super) fn records(
        &mut self,
        tag: Tag,
        place: usize,
        start: usize,
        end: usize,
        mut count: usize,
        depth: usize,
    ) -> Result<usize> {
        let input = self.cursor.input;
        let (mut pos, mut after) = (start, Some(start));
        let inner = &self.codec.plan.messages[place];
        if inner.ops.plain && depth <= self.arena.limits().depth {
            (pos, after) = self.plain_records(tag, &inner.ops, start, end, &mut count)?;
        }
        while let Some((from, next)) = after.and_then(|at| length(input, at, end)) {
            let cell = self.element(place, from, next, depth).map_err(|error| error.in_index(count))?;
            self.arena.push(cell).map_err(|error| error.in_index(count))?;
            count += 1;
            pos = next;
            after = tag.after(input, pos);
        }
        Ok(pos)
    }

    /// Reads records of numbers and texts as [`Reader::records`] does, up to the first one that is not usual; returns where
    /// that begins, or what is no record, and where its length is if it is one.
    #[inline(always)]
    fn plain_records(
        &mut self,
        tag: Tag,
        table: &Ops,
        start: usize,
        end: usize,
        count: &mut usize,
    ) -> Result<(usize, Option<usize>)> {
        /// A list takes no more memory than so many records before it is known that they are there.
        const MANY: usize = 32;
        let input = self.cursor.input;
        let (mut pos, mut after) = (start, Some(start));
        loop {
            let Some((from, next)) = after.and_then(|at| length(input, at, end)) else { return Ok((pos, after)) };
            // At least as many as follow if all are as long as this one.
            let expected = ((end - pos) >> (next - from + 2).ilog2()).clamp(1, MANY);
            let runs = self.arena.runs(table.cells, expected);
            let (at, cells) = runs.map_err(|error| error.in_index(*count))?;
            let mut read = 0;
            for run in cells.chunks_exact_mut(table.cells) {
                let Some((from, next)) = after.and_then(|at| length(input, at, end)) else { break };
                if scalars(input, table, run, from, next, 0).0 != next {
                    break;
                }
                pos = next;
                after = tag.after(input, pos);
                read += 1;
            }
            let all = read == cells.len() / table.cells;
            self.arena.push_runs(at, table.cells, read).map_err(|(i, error)| error.in_index(*count + i))?;
            *count += read;
            if !all {
                return Ok((pos, after));
            }
        }
    }

    /// Reads strings or bytes, the first of which begins at `start` with its length.
    fn texts(&mut self, tag: Tag, strings: bool, start: usize, end: usize) -> Result<Option<(Cell, usize)>> {
        let input = self.cursor.input;
        let (mut first, mut count) = (0, 0);
        let (mut pos, mut after) = (start, Some(start));
        while let Some(at) = after {
            let read = if strings { text(input, at, end) } else { length(input, at, end).map(run) };
            let Some((cell, next)) = read else { break };
            let at = self.arena.append(cell).map_err(|error| error.in_index(count))?;
            if count == 0 {
                first = at;
            }
            count += 1;
            pos = next;
            after = tag.after(input, pos);
        }
        Ok((count != 0).then_some((Cell::run(first, count as u32), pos)))
    }

    /// Reads a packed list whose length is at `start`.
    fn packed_numbers(&mut self, scalar: Scalar, start: usize, end: usize) -> Result<Option<(Cell, usize)>> {
        let input = self.cursor.input;
        let Some((from, next)) = length(input, start, end) else { return Ok(None) };
        let bytes = &input[from..next];
        let run = match scalar {
            Scalar::Double | Scalar::Word(Int::I64 | Int::U64) => {
                self.packed_words(bytes, |word| Cell::uint(u64::from_le_bytes(word)))?
            }
            Scalar::Float | Scalar::Word(Int::U32) => {
                self.packed_words(bytes, |word| Cell::uint(u32::from_le_bytes(word).into()))?
            }
            Scalar::Word(Int::I32) => self.packed_words(bytes, |word| Cell::int(i32::from_le_bytes(word).into()))?,
            Scalar::Bool => self.packed_varints(from, next, |value| Cell::bool(value != 0))?,
            Scalar::Int(Int::I64 | Int::U64) => self.packed_varints(from, next, Cell::uint)?,
            Scalar::Int(Int::U32) => self.packed_varints(from, next, |value| Cell::uint(u64::from(value as u32)))?,
            Scalar::Int(Int::I32) | Scalar::Enum(_) => {
                self.packed_varints(from, next, |value| Cell::int(i64::from(value as i32)))?
            }
            Scalar::ZigZag(Int::I64) => self.packed_varints(from, next, |value| Cell::int(varint::unzigzag(value)))?,
            Scalar::ZigZag(Int::I32) => {
                self.packed_varints(from, next, |value| Cell::int(varint::unzigzag(u64::from(value as u32))))?
            }
            _ => None,
        };
        Ok(run.map(|cell| (cell, next)))
    }

    fn packed_words<const N: usize>(&mut self, bytes: &[u8], cell: impl Fn([u8; N]) -> Cell) -> Result<Option<Cell>> {
        let (words, rest) = bytes.as_chunks::<N>();
        if !rest.is_empty() {
            return Ok(None);
        }
        let at = self.arena.alloc(words.len())?;
        for (to, word) in self.arena.run_mut(at, words.len()).iter_mut().zip(words) {
            *to = cell(*word);
        }
        Ok(Some(Cell::run(at, words.len() as u32)))
    }

    fn packed_varints(&mut self, start: usize, end: usize, cell: impl Fn(u64) -> Cell) -> Result<Option<Cell>> {
        let input = self.cursor.input;
        // As many as there are last bytes.
        let count = input[start..end].iter().filter(|&&byte| byte < 0x80).count();
        let at = self.arena.alloc(count)?;
        let mut pos = start;
        for to in self.arena.run_mut(at, count) {
            let Some((value, next)) = varint::read(input, pos) else { return Ok(None) };
            (*to, pos) = (cell(value), next);
        }
        Ok((pos == end).then_some(Cell::run(at, count as u32)))
    }

    #[cold]
    fn in_field(&self, message: &Message, place: usize, error: Error) -> Error {
        match self.schema().kind(message.ty) {
            Kind::Record(record) => error.in_field(&record.fields[message.fields[place].position].name),
            _ => error,
        }
    }
}

impl ProtobufCodec {
    /// Whether a closed enum has a symbol for this number.
    fn has_symbol(&self, plan: &FieldPlan, value: i64) -> bool {
        let Shape::One(Value::Scalar(Scalar::Enum(ty))) = plan.shape else { return false };
        matches!(self.schema.kind(ty), Kind::Enum(e) if e.position(value).is_some())
    }
}

/// [`scalars`], out of line.
#[inline(never)]
fn scalars_called(
    input: &[u8],
    table: &Ops,
    cells: &mut [Cell],
    pos: usize,
    end: usize,
    place: usize,
) -> (usize, usize) {
    scalars(input, table, cells, pos, end, place)
}

/// Reads numbers and texts into the run of a record, `place` being the first to expect; returns where the first field begins
/// that is neither, or not usual, and its place.
#[inline(always)]
fn scalars(
    input: &[u8],
    table: &Ops,
    cells: &mut [Cell],
    mut pos: usize,
    end: usize,
    mut place: usize,
) -> (usize, usize) {
    while pos < end {
        let word = load(input, pos);
        let op = match table.ops.get(place) {
            Some(op) if word as u32 & op.mask == op.tag => op,
            _ => {
                place = table.find(word).unwrap_or(usize::MAX);
                match table.ops.get(place) {
                    Some(op) if word as u32 & op.mask == op.tag => op,
                    _ => return (pos, usize::MAX),
                }
            }
        };
        let start = pos + usize::from(op.tag_len);
        let read = match op.code {
            Code::Int64 => number(input, start, Cell::uint),
            Code::Bool => number(input, start, |value| Cell::bool(value != 0)),
            Code::Int32 | Code::Enum => number(input, start, |value| Cell::int(i64::from(value as i32))),
            Code::Uint32 => number(input, start, |value| Cell::uint(u64::from(value as u32))),
            Code::Sint64 => number(input, start, |value| Cell::int(varint::unzigzag(value))),
            Code::Sint32 => number(input, start, |value| Cell::int(varint::unzigzag(u64::from(value as u32)))),
            Code::Word64 => bytes(input, start).map(|word| (Cell::uint(u64::from_le_bytes(word)), start + 8)),
            Code::Word32 => bytes(input, start).map(|word| (Cell::uint(u32::from_le_bytes(word).into()), start + 4)),
            Code::Sword32 => bytes(input, start).map(|word| (Cell::int(i32::from_le_bytes(word).into()), start + 4)),
            Code::String => text(input, start, end),
            Code::Bytes => length(input, start, end).map(run),
            _ => None,
        };
        match read {
            Some((cell, next)) if next <= end && set(op, cells, cell) => pos = next,
            _ => break,
        }
        place += 1;
    }
    (pos, place)
}

/// The number whose varint is at `start`, as a cell, and where it ends.
#[inline(always)]
fn number(input: &[u8], start: usize, cell: impl Fn(u64) -> Cell) -> Option<(Cell, usize)> {
    let (value, next) = match varint::read_word(load(input, start)) {
        Some((value, len)) => (value, start + len),
        None => long_varint(input, start)?,
    };
    Some((cell(value), next))
}

#[inline(never)]
fn long_varint(input: &[u8], start: usize) -> Option<(u64, usize)> {
    varint::read(input, start)
}

/// Gives a field its value; not if more than that is to be done.
#[inline(always)]
fn set(op: &Op, cells: &mut [Cell], cell: Cell) -> bool {
    if op.flags & (STATEFUL | LABELLED | RIVALS) != 0 {
        if op.flags & RIVALS != 0 || op.flags & LABELLED != 0 && cell == Cell::EMPTY {
            return false;
        }
        if op.flags & STATEFUL != 0 {
            let states = &mut cells[op.word as usize];
            *states = Cell::uint(states.as_u64() & !(3 << op.shift) | (State::Present as u64) << op.shift);
        }
    }
    cells[op.slot as usize] = cell;
    true
}

/// The string whose length is at `start`, and its end.
#[inline(always)]
fn text(input: &[u8], start: usize, end: usize) -> Option<(Cell, usize)> {
    let (from, next) = length(input, start, end)?;
    utf8::check_part(input, from, next - from).ok()?;
    Some(run((from, next)))
}

#[inline(always)]
fn run((from, next): (usize, usize)) -> (Cell, usize) {
    (Cell::run(from as u32, (next - from) as u32), next)
}

#[inline(always)]
fn bytes<const N: usize>(input: &[u8], start: usize) -> Option<[u8; N]> {
    input.get(start..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests;
