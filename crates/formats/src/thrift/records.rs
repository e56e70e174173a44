//! Reading records and lists: loops that read what is usual at once, and leave all else to the types.

use wirewise_core::{Arena, Cell, Error, Kind, Record, Result, State, Tracer, TypeId, utf8};

use super::decode::{Reader, twice};
use super::plan::find;
use super::protocol::{Announced, Protocol, STOP, WireType};
use super::steps::{Code, RecordPlan, Step, Usual};
use crate::dynamic::Seen;

impl<'a, P: Protocol, T: Tracer> Reader<'a, '_, P, T> {
    pub(super) fn record(&mut self, ty: TypeId, depth: usize) -> Result<Cell> {
        let plan = self.plan.record(ty);
        let at = self.arena.alloc(plan.cells as usize)?;
        self.record_at(ty, plan, at, depth)
    }

    /// A record whose cells are at `at`.
    fn record_at(&mut self, ty: TypeId, plan: &'a RecordPlan, at: u32, depth: usize) -> Result<Cell> {
        for (i, &states) in plan.states.iter().enumerate() {
            self.arena.set(at as usize + i, Cell::uint(states));
        }
        let start = self.input.pos;
        let (mut seen, mut last, mut expected) = (0, 0, 0);
        // Who listens is told about every byte, and values that are too deep are refused, by the types.
        if !T::ON && plan.few && depth < self.arena.limits().depth {
            let bytes = self.input.bytes;
            let mut pos = start;
            for (place, step) in plan.steps.iter().enumerate() {
                if !P::is_next(bytes, pos, last, step.id, step.tag, step.usual.code == Code::Bool) {
                    // It may be that the message came without this field.
                    if bytes.get(pos) == Some(&STOP) {
                        break;
                    }
                    continue;
                }
                let mut after = pos + P::HEADER;
                let cell = match step.usual.code {
                    Code::Type => None,
                    Code::Record | Code::List | Code::Strings | Code::Records => {
                        self.input.pos = after;
                        let cell = match step.usual.code {
                            Code::Record => self.record(step.ty, depth + 1),
                            Code::Records => self.records(step.ty, depth + 1),
                            Code::Strings => self.strings(step.ty, depth + 1),
                            _ => self.list(step.ty, depth + 1),
                        };
                        let cell = cell.map_err(|error| self.in_field(ty, step, error))?;
                        after = self.input.pos;
                        Some(cell)
                    }
                    _ => self.usual(step.usual, bytes, &mut after),
                };
                self.input.pos = pos;
                let cell = match cell {
                    Some(cell) => cell,
                    None => {
                        let cell = self.unusual(ty, place, last, depth)?;
                        after = self.input.pos;
                        cell
                    }
                };
                self.arena.set((at + step.slot) as usize, cell);
                if step.stateful {
                    let word = at as usize + step.position as usize / 32;
                    let present = (State::Present as u64) << (step.position % 32 * 2);
                    self.arena.set(word, Cell::uint(self.arena.get(word).as_u64() | present));
                }
                seen |= 1 << step.position;
                (last, expected) = (step.id, place + 1);
                pos = after;
            }
            self.input.pos = pos;
            if bytes.get(pos) == Some(&STOP) {
                self.input.pos += 1;
                if !seen & plan.needed != 0 || plan.oneofs {
                    self.finish(ty, at, start, |position| seen >> position & 1 != 0)?;
                }
                return Ok(Cell::index(at));
            }
        }
        self.rest(ty, at, start, (seen, last, expected), depth)?;
        Ok(Cell::index(at))
    }

    #[cold]
    fn in_field(&self, ty: TypeId, step: &Step, error: Error) -> Error {
        error.in_field(&self.record_of(ty).fields[step.position as usize].name)
    }

    fn record_of(&self, ty: TypeId) -> &'a Record {
        let Kind::Record(record) = self.plan.schema.kind(ty) else { unreachable!("planned as a record") };
        record
    }

    /// A field, header and value, that comes in its place.
    #[inline(never)]
    fn unusual(&mut self, ty: TypeId, place: usize, last: i16, depth: usize) -> Result<Cell> {
        let Some(header) = P::read_field(&mut self.input, last)? else { unreachable!("its header was compared") };
        let slot = self.plan.slots(ty)[place];
        let name = &self.record_of(ty).fields[slot.position].name;
        self.value(slot.ty, header.value, depth + 1).map_err(|error| error.in_field(name))
    }

    /// The fields that follow `last`, in any order; `seen` has bits of those that were there before.
    #[inline(never)]
    fn rest(
        &mut self,
        ty: TypeId,
        at: u32,
        start: usize,
        (before, last, mut expected): (u64, i16, usize),
        depth: usize,
    ) -> Result<()> {
        let (slots, record) = (self.plan.slots(ty), self.record_of(ty));
        let mut seen = Seen::default();
        for position in (0..record.fields.len().min(64)).filter(|position| before >> position & 1 != 0) {
            seen.mark(position);
        }
        self.fields(ty, last, depth, |reader, header, header_at| {
            let Some(place) = find(slots, expected, header.id) else { return Ok(false) };
            let slot = slots[place];
            if !reader.accepts(slot.ty, slot.wire, header.value.wire) {
                return Ok(false);
            }
            expected = place + 1;
            let name = &record.fields[slot.position].name;
            reader.tracer.field(name);
            reader.trace_header(header, header_at);
            if !seen.mark(slot.position) {
                return Err(twice(header_at, name));
            }
            let cell = reader.value(slot.ty, header.value, depth + 1).map_err(|error| error.in_field(name))?;
            reader.tracer.leave();
            reader.arena.set_field(record, at, slot.position, cell);
            Ok(true)
        })?;
        self.finish(ty, at, start, |position| seen.has(position))
    }

    /// What fields are that the message came without, and what all together must be.
    #[inline(never)]
    fn finish(&mut self, ty: TypeId, at: u32, start: usize, has: impl Fn(usize) -> bool) -> Result<()> {
        let record = self.record_of(ty);
        for position in 0..record.fields.len() {
            if !has(position) {
                self.missing(record, at, position, start)?;
            }
        }
        if !record.oneofs.is_empty() {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(())
    }

    /// A scalar whose bytes are as they usually are. `None` and any `pos` where they are not: its type says then what
    /// they are.
    #[inline(always)]
    fn usual(&mut self, usual: Usual, bytes: &'a [u8], pos: &mut usize) -> Option<Cell> {
        Some(match usual.code {
            Code::Bool => Cell::bool(P::usual_bool(bytes, pos)?),
            Code::Signed => {
                let value = P::usual_int(bytes, pos, usual.wire)?;
                if value << usual.shift >> usual.shift != value {
                    return None;
                }
                Cell::int(value)
            }
            Code::Unsigned => {
                let value = P::usual_int(bytes, pos, usual.wire)? as u64;
                if value << usual.shift >> usual.shift != value {
                    return None;
                }
                Cell::uint(value)
            }
            Code::Enum => {
                let value = P::usual_int(bytes, pos, WireType::I32)?;
                if i32::try_from(value).is_err() {
                    return None;
                }
                Cell::int(value)
            }
            Code::Double => {
                let bits = *bytes.get(*pos..)?.first_chunk()?;
                *pos += 8;
                Cell::uint(P::double(bits))
            }
            Code::String | Code::Bytes => {
                let len = P::usual_len(bytes, pos)?;
                let start = *pos;
                if len > bytes.len() - start {
                    return None;
                }
                *pos += len;
                if usual.code == Code::String && utf8::check_part(bytes, start, len).is_err() {
                    return None;
                }
                self.arena.borrowed(start, len)
            }
            _ => return None,
        })
    }

    /// The head of a list: how many elements it has, and of what type on the wire if it has any.
    #[inline(always)]
    fn list_head(&mut self, item: TypeId) -> Result<(usize, WireType)> {
        let start = self.input.pos;
        let list = P::read_list(&mut self.input)?;
        if T::ON {
            self.trace_list(start, &list);
        }
        self.check_list(item, start, &list)?;
        Ok((list.count, list.items.unwrap_or(WireType::Struct)))
    }

    /// A list.
    pub(super) fn list(&mut self, item: TypeId, depth: usize) -> Result<Cell> {
        let usual = self.plan.usual(item);
        match usual.code {
            Code::Record => self.records(item, depth),
            Code::String => self.strings(item, depth),
            Code::Signed | Code::Unsigned | Code::Double | Code::Bytes | Code::Enum => {
                self.run(item, depth, |reader, bytes, pos| reader.usual(usual, bytes, pos))
            }
            _ => {
                let (count, found) = self.list_head(item)?;
                self.items(item, count, found, depth)
            }
        }
    }

    /// A list of strings.
    fn strings(&mut self, item: TypeId, depth: usize) -> Result<Cell> {
        let usual = Usual { code: Code::String, wire: WireType::Binary, shift: 0 };
        self.run(item, depth, |reader, bytes, pos| reader.usual(usual, bytes, pos))
    }

    /// A list of scalars, which `read` reads. Their number was compared with that of bytes: what a list claims to have
    /// is there, or little memory is lost on it.
    #[inline(always)]
    fn run(
        &mut self,
        item: TypeId,
        depth: usize,
        mut read: impl FnMut(&mut Self, &'a [u8], &mut usize) -> Option<Cell>,
    ) -> Result<Cell> {
        let (count, found) = self.list_head(item)?;
        if T::ON || depth >= self.arena.limits().depth {
            return self.items(item, count, found, depth);
        }
        let (bytes, mut pos) = (self.input.bytes, self.input.pos);
        let at = self.arena.alloc(count)?;
        for index in 0..count {
            let start = pos;
            let cell = match read(self, bytes, &mut pos) {
                Some(cell) => cell,
                None => {
                    self.input.pos = start;
                    let cell = self.value(item, Announced::plain(found), depth + 1);
                    let cell = cell.map_err(|error| error.in_index(index))?;
                    pos = self.input.pos;
                    cell
                }
            };
            self.arena.set(at as usize + index, cell);
        }
        self.input.pos = pos;
        Ok(Cell::run(at, count as u32))
    }

    /// A list of records.
    fn records(&mut self, item: TypeId, depth: usize) -> Result<Cell> {
        /// A list in each of these many elements, and so on, takes little memory before it shows that nothing follows.
        const FEW: usize = 64;
        let (count, found) = self.list_head(item)?;
        if T::ON || depth >= self.arena.limits().depth {
            return self.items(item, count, found, depth);
        }
        let plan = self.plan.record(item);
        let mut cells = Cells::default();
        if count <= FEW {
            let at = self.arena.alloc(count)?;
            for index in 0..count {
                let place = cells.next(plan, count - index, self.arena)?;
                let cell = self.record_at(item, plan, place, depth + 1).map_err(|error| error.in_index(index))?;
                self.arena.set(at as usize + index, cell);
            }
            return Ok(Cell::run(at, count as u32));
        }
        let mark = self.arena.mark();
        for index in 0..count {
            let place = cells.next(plan, count - index, self.arena)?;
            let cell = self.record_at(item, plan, place, depth + 1).map_err(|error| error.in_index(index))?;
            self.arena.push(cell)?;
        }
        self.arena.list(mark)
    }

    /// The elements of a list of anything.
    #[inline(never)]
    fn items(&mut self, item: TypeId, count: usize, found: WireType, depth: usize) -> Result<Cell> {
        let mark = self.arena.mark();
        for index in 0..count {
            self.tracer.index(index);
            let cell = self.value(item, Announced::plain(found), depth + 1).map_err(|error| error.in_index(index))?;
            self.tracer.leave();
            self.arena.push(cell)?;
        }
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
