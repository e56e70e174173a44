//! Reading records and lists: loops that read what is usual at once, and leave all else to the operations.

use wirewise_core::{Arena, Cell, Error, Kind, Record, Result, Role, State, Tracer, utf8};

use super::decode::Decoder;
use super::literal::put_field;
use super::plan::{Nothing, Op, OpId};
use super::usual::{Code, FieldPlan, RecordPlan, code};
use super::wire::usual_long;

impl<'a, T: Tracer> Decoder<'a, T> {
    /// A record.
    pub(super) fn record(&mut self, plan: &'a RecordPlan, depth: usize) -> Result<Cell> {
        let at = self.arena.alloc(plan.cells as usize)?;
        self.record_at(plan, at, depth)
    }

    /// A record whose cells are at `at`.
    #[inline(always)]
    fn record_at(&mut self, plan: &'a RecordPlan, at: u32, depth: usize) -> Result<Cell> {
        for (i, &states) in plan.states.iter().enumerate() {
            self.arena.set(at as usize + i, Cell::uint(states));
        }
        // Who listens is told about every byte, and values that are too deep are refused, by the operations.
        let unusual = T::ON || depth >= self.arena.limits().depth;
        let input = self.wire.input;
        let mut pos = self.wire.pos;
        for field in &plan.fields {
            let start = pos;
            if !unusual && field.code != Code::Op {
                let mut usual = true;
                if field.is_union() {
                    let byte = input.get(pos).copied().unwrap_or(!field.null);
                    usual = byte == field.some;
                    if usual {
                        self.set_state(plan, at, field, State::Present);
                    } else if byte == field.null {
                        if field.nothing == Nothing::Null {
                            self.set_state(plan, at, field, State::Null);
                        }
                        pos += 1;
                        continue;
                    }
                    pos += 1;
                }
                let cell = match field.code {
                    _ if !usual => None,
                    Code::Record | Code::List | Code::Strings | Code::Records => {
                        self.wire.pos = pos;
                        let cell = match (field.code, self.plan.op(field.value)) {
                            (Code::Record, Op::Record(inner)) => self.record(inner, depth + 1),
                            (Code::Records, Op::Record(inner)) => self.records(inner, field.value, depth + 1),
                            (Code::Strings, _) => self.strings(field.value, depth + 1),
                            _ => self.list(field.value, depth + 1),
                        };
                        let cell = cell.map_err(|error| self.in_field(plan, field, error))?;
                        pos = self.wire.pos;
                        Some(cell)
                    }
                    code => self.usual(code, field.shift, field.value, input, &mut pos),
                };
                if let Some(cell) = cell {
                    self.arena.set((at + field.slot) as usize, cell);
                    continue;
                }
            }
            self.wire.pos = start;
            self.unusual_field(plan, at, field, depth)?;
            pos = self.wire.pos;
        }
        self.wire.pos = pos;
        if plan.oneofs || !plan.defaults.is_empty() {
            self.finish_record(plan, at)?;
        }
        Ok(Cell::index(at))
    }

    #[inline(always)]
    fn set_state(&mut self, plan: &RecordPlan, at: u32, field: &FieldPlan, state: State) {
        let position = plan.position(field);
        let word = at as usize + position / 32;
        let states = self.arena.get(word).as_u64() | (state as u64) << (position % 32 * 2);
        self.arena.set(word, Cell::uint(states));
    }

    /// A scalar whose bytes are as they usually are. `None` and any `pos` where they are not: the operation says then
    /// what they are.
    #[inline(always)]
    fn usual(&mut self, code: Code, shift: u8, op: OpId, input: &'a [u8], pos: &mut usize) -> Option<Cell> {
        let take = |pos: &mut usize, len: usize| {
            let bytes = input.get(*pos..)?.get(..len)?;
            *pos += len;
            Some(bytes)
        };
        Some(match code {
            Code::Bool => match take(pos, 1)?[0] {
                byte @ 0..=1 => Cell::uint(byte.into()),
                _ => return None,
            },
            Code::Signed => {
                let value = usual_long(input, pos)?;
                if value << shift >> shift != value {
                    return None;
                }
                Cell::int(value)
            }
            Code::Unsigned => {
                let value = usual_long(input, pos)? as u64;
                if value << shift >> shift != value {
                    return None;
                }
                Cell::uint(value)
            }
            Code::Double => {
                let bytes = *input.get(*pos..)?.first_chunk()?;
                *pos += 8;
                Cell::uint(u64::from_le_bytes(bytes))
            }
            Code::Float => {
                let bytes = *input.get(*pos..)?.first_chunk()?;
                *pos += 4;
                Cell::uint(u32::from_le_bytes(bytes).into())
            }
            Code::String | Code::Bytes => {
                let len = usize::try_from(usual_long(input, pos)?).ok()?;
                let start = *pos;
                let bytes = take(pos, len)?;
                if code == Code::String && utf8::check_part(input, start, len).is_err() {
                    return None;
                }
                match self.base {
                    Some(base) => self.arena.borrowed(base + start, len),
                    None => self.copied(bytes)?,
                }
            }
            Code::Enum => {
                let Op::Enum(plan) = self.plan.op(op) else { return None };
                let index = usize::try_from(usual_long(input, pos)?).ok()?;
                Cell::int(*plan.numbers.get(index)?)
            }
            _ => return None,
        })
    }

    /// Text of a block that was compressed.
    #[inline(never)]
    fn copied(&mut self, bytes: &[u8]) -> Option<Cell> {
        if bytes.len() > self.arena.limits().message_bytes {
            return None;
        }
        self.arena.text(bytes).ok()
    }

    #[cold]
    fn in_field(&self, plan: &RecordPlan, field: &FieldPlan, error: Error) -> Error {
        error.in_field(&self.record_of(plan).fields[plan.position(field)].name)
    }

    fn record_of(&self, plan: &RecordPlan) -> &'a Record {
        let Kind::Record(record) = self.schema.kind(plan.ty) else { unreachable!("planned as a record") };
        record
    }

    #[inline(never)]
    fn unusual_field(&mut self, plan: &'a RecordPlan, at: u32, field: &FieldPlan, depth: usize) -> Result<()> {
        if field.code == Code::Skip {
            let name = &plan.skipped[field.slot as usize];
            let start = self.wire.pos;
            self.skip(field.op as usize, depth + 1).map_err(|error| error.in_field(name))?;
            self.tracer.field(name);
            let what = format_args!("a field that the reader's schema has not");
            self.span(start, Role::Unknown, what, format_args!(""));
            self.tracer.leave();
            return Ok(());
        }
        let (record, position) = (self.record_of(plan), plan.position(field));
        let read = self.field(record, at, position, field, depth);
        read.map_err(|error| error.in_field(&record.fields[position].name))
    }

    /// What follows the fields: fields that the writer does not have, and what all together must be.
    #[inline(never)]
    fn finish_record(&mut self, plan: &RecordPlan, at: u32) -> Result<()> {
        for (position, literal) in &plan.defaults {
            put_field(literal, self.schema, plan.ty, at, *position, self.arena)?;
        }
        if plan.oneofs {
            self.arena.check_oneofs(self.record_of(plan), at, self.wire.offset(self.wire.pos))?;
        }
        Ok(())
    }

    /// A list.
    pub(super) fn list(&mut self, item: OpId, depth: usize) -> Result<Cell> {
        let op = self.plan.op(item);
        match (code(op), op) {
            ((Code::Op | Code::List, _), _) => self.items(item, 0, self.arena.mark(), depth),
            (_, Op::String) => self.strings(item, depth),
            (_, Op::Record(plan)) => self.records(plan, item, depth),
            ((code, shift), _) => {
                self.run(item, depth, |decoder, input, pos| decoder.usual(code, shift, item, input, pos))
            }
        }
    }

    /// A list of strings.
    fn strings(&mut self, item: OpId, depth: usize) -> Result<Cell> {
        self.run(item, depth, |decoder, input, pos| decoder.usual(Code::String, 0, item, input, pos))
    }

    /// A list of scalars, which `read` reads.
    #[inline(always)]
    fn run(
        &mut self,
        item: OpId,
        depth: usize,
        mut read: impl FnMut(&mut Self, &'a [u8], &mut usize) -> Option<Cell>,
    ) -> Result<Cell> {
        // Each item takes a byte: what a list claims to have is there, or little memory is lost on it.
        let Some(count) = self.count(self.wire.input.len(), depth) else {
            return self.items(item, 0, self.arena.mark(), depth);
        };
        let (input, mut pos) = (self.wire.input, self.wire.pos);
        let at = self.arena.alloc(count)?;
        for index in 0..count {
            let start = pos;
            let cell = match read(self, input, &mut pos) {
                Some(cell) => cell,
                None => {
                    self.wire.pos = start;
                    let cell = self.value(item, depth + 1).map_err(|error| error.in_index(index))?;
                    pos = self.wire.pos;
                    cell
                }
            };
            self.arena.set(at as usize + index, cell);
        }
        self.wire.pos = pos;
        self.end_of_list(at, count, item, depth)
    }

    /// A list of records.
    fn records(&mut self, plan: &'a RecordPlan, item: OpId, depth: usize) -> Result<Cell> {
        /// A list in each of these many elements, and so on, takes little memory before it shows that nothing follows.
        const FEW: usize = 64;
        if let Some(count) = self.count(FEW, depth) {
            let at = self.arena.alloc(count)?;
            let mut cells = Cells::default();
            for index in 0..count {
                let place = cells.next(plan, count - index, self.arena)?;
                let cell = self.record_at(plan, place, depth + 1).map_err(|error| error.in_index(index))?;
                self.arena.set(at as usize + index, cell);
            }
            return self.end_of_list(at, count, item, depth);
        }
        let mark = self.arena.mark();
        if T::ON || depth >= self.arena.limits().depth {
            return self.items(item, 0, mark, depth);
        }
        let mut cells = Cells::default();
        self.blocks("items of an array", 0, |decoder, index, left| {
            let at = cells.next(plan, left, decoder.arena)?;
            let cell = decoder.record_at(plan, at, depth + 1).map_err(|error| error.in_index(index))?;
            decoder.arena.push(cell)
        })?;
        self.arena.list(mark)
    }

    /// Reads how many elements the first block of a list has, if they can be read in place: no more than `most`, nor
    /// than there are bytes.
    #[inline(always)]
    fn count(&mut self, most: usize, depth: usize) -> Option<usize> {
        if T::ON || depth >= self.arena.limits().depth {
            return None;
        }
        let (input, mut pos) = (self.wire.input, self.wire.pos);
        let count = usize::try_from(usual_long(input, &mut pos)?).ok()?;
        if count == 0 || count > most || count > input.len() - pos {
            return None;
        }
        self.wire.pos = pos;
        Some(count)
    }

    /// The end of a list whose first block was read to `at`.
    #[inline(always)]
    fn end_of_list(&mut self, at: u32, count: usize, item: OpId, depth: usize) -> Result<Cell> {
        if self.wire.input.get(self.wire.pos) == Some(&0) {
            self.wire.pos += 1;
            return Ok(Cell::run(at, count as u32));
        }
        self.more_blocks(at, count, item, depth)
    }

    #[inline(never)]
    fn more_blocks(&mut self, at: u32, count: usize, item: OpId, depth: usize) -> Result<Cell> {
        let mark = self.arena.mark();
        for index in 0..count {
            let cell = self.arena.get(at as usize + index);
            self.arena.push(cell)?;
        }
        self.items(item, count, mark, depth)
    }

    /// The elements of a list, or what follows the first ones, which were pushed.
    #[inline(never)]
    fn items(&mut self, item: OpId, first: usize, mark: usize, depth: usize) -> Result<Cell> {
        self.blocks("items of an array", first, |decoder, index, _| {
            decoder.tracer.index(index);
            let cell = decoder.value(item, depth + 1).map_err(|error| error.in_index(index))?;
            decoder.tracer.leave();
            decoder.arena.push(cell)
        })?;
        self.arena.list(mark)
    }
}

/// Cells of the next records of a list: many at once where their fields need no others.
#[derive(Default)]
struct Cells {
    at: u32,
    left: usize,
}

impl Cells {
    /// The place of a record's cells, when `expected` more are expected.
    #[inline(always)]
    fn next(&mut self, plan: &RecordPlan, expected: usize, arena: &mut Arena) -> Result<u32> {
        if !plan.flat {
            return arena.alloc(plan.cells as usize);
        }
        if self.left == 0 {
            self.left = expected.clamp(1, 32);
            self.at = arena.alloc(self.left * plan.cells as usize)?;
        }
        let at = self.at;
        self.at += plan.cells;
        self.left -= 1;
        Ok(at)
    }
}
