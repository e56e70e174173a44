//! Reading records: objects, and arrays of their fields.

use wirewise_core::{Cell, Error, Kind, LossKind, LossName, Record, Result, State, Tracer};

use super::decode::Reader;
use super::plan::{FieldPlan, RecordPlan};
use super::usual::Next;
use crate::dynamic::{Seen, set_missing};

impl<'a, T: Tracer> Reader<'a, T> {
    pub(super) fn record_of(&self, plan: &RecordPlan) -> &'a Record {
        let Kind::Record(record) = self.codec.schema.kind(plan.ty) else { unreachable!("planned as a record") };
        record
    }

    /// A record whose brace was seen.
    #[inline(never)]
    pub(super) fn object_record(&mut self, place: u32, depth: usize) -> Result<Cell> {
        self.object_of(&self.codec.types.records[place as usize], depth)
    }

    #[inline(always)]
    pub(super) fn object_of(&mut self, plan: &'a RecordPlan, depth: usize) -> Result<Cell> {
        let start = self.scan.pos;
        self.scan.pos += 1;
        let at = self.arena.alloc(plan.cells)?;
        let (mut read, mut next) = (0, Next::Item);
        if !T::ON && depth < self.depth {
            (read, next) = self.usual_fields(plan, 0, at, depth)?;
            if next == Next::Ended && read == plan.fields.len() && !plan.has_oneofs {
                return Ok(Cell::index(at));
            }
        }
        self.other_fields(plan, (read, next), at, start, depth)?;
        Ok(Cell::index(at))
    }

    /// The fields of a record of which so many were read, in order.
    #[inline(never)]
    fn other_fields(
        &mut self,
        plan: &'a RecordPlan,
        (mut count, next): (usize, Next),
        at: u32,
        start: usize,
        depth: usize,
    ) -> Result<()> {
        let values = at as usize + plan.state_words;
        let mut seen = Seen::default();
        (0..count).for_each(|position| _ = seen.mark(position));
        let mut expected = count;
        // Where the last field in the order of positions stands that was seen.
        let mut furthest = count;
        let mut more = match next {
            Next::Item => count > 0 || !self.scan.closes(b'}'),
            Next::Behind => self.scan.more(b'}')?,
            Next::Ended => false,
        };
        while more {
            // None of the fields from here on has come before.
            if !T::ON && expected == furthest && depth < self.depth {
                let (read, next) = self.usual_fields(plan, expected, at, depth)?;
                (expected..expected + read).for_each(|position| _ = seen.mark(position));
                expected += read;
                furthest = expected;
                count += read;
                if next == Next::Ended || next == Next::Behind && !self.scan.more(b'}')? {
                    break;
                }
            }
            self.scan.peek();
            let name_at = self.scan.pos;
            let Some((position, field)) = self.field_name(plan, expected, name_at, depth)? else {
                more = self.scan.more(b'}')?;
                continue;
            };
            expected = position + 1;
            furthest = furthest.max(expected);
            count += 1;
            if !seen.mark(position) {
                return Err(self.twice(plan, position, name_at));
            }
            if T::ON {
                self.scan.enter_named(name_at, self.record_of(plan).fields[position].name.as_bytes());
            }
            if field.nullable && self.scan.peek() == Some(b'n') {
                self.null().map_err(|error| error.in_field(&self.record_of(plan).fields[position].name))?;
                self.arena.set_state(self.record_of(plan), at, position, State::Null);
            } else {
                let cell = self.node(field.node, field.ty, depth + 1);
                let cell = cell.map_err(|error| error.in_field(&self.record_of(plan).fields[position].name))?;
                self.arena.set(values + position, cell);
                if plan.state_words != 0 {
                    self.arena.set_present(at, position);
                }
            }
            self.scan.leave();
            more = self.scan.more(b'}')?;
        }
        if count < plan.fields.len() {
            for (position, field) in plan.fields.iter().enumerate() {
                if !field.may_miss && !seen.has(position) {
                    let record = self.record_of(plan);
                    set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
                }
            }
        }
        if plan.has_oneofs {
            self.arena.check_oneofs(self.record_of(plan), at, start)?;
        }
        Ok(())
    }

    /// How many fields may be left out at once before the next name is looked up.
    const AHEAD: usize = 8;

    /// Reads a field's name and the colon. A name that the schema does not know is passed over with its value.
    #[inline(always)]
    fn field_name(
        &mut self,
        plan: &'a RecordPlan,
        expected: usize,
        name_at: usize,
        depth: usize,
    ) -> Result<Option<(usize, &'a FieldPlan)>> {
        // Fields usually come in the schema's order, and without white space before the colon.
        let mut position = expected;
        while let Some(field) = plan.fields.get(position) {
            if field.is_next(self.scan.input, name_at) {
                self.scan.pos = name_at + field.len;
                return Ok(Some((position, field)));
            }
            position += 1;
            if position == expected + Self::AHEAD {
                break;
            }
        }
        let position = self.any_name(plan, name_at, depth)?;
        Ok(position.map(|position| (position, &plan.fields[position])))
    }

    #[inline(never)]
    fn any_name(&mut self, plan: &RecordPlan, name_at: usize, depth: usize) -> Result<Option<usize>> {
        let name = self.scan.string(self.arena)?;
        let name = self.arena.bytes(self.scan.input, name);
        if let Some(&position) = plan.names.get(name) {
            self.scan.expect(b':', "':'")?;
            return Ok(Some(position));
        }
        let text = std::str::from_utf8(name).unwrap_or_default();
        let noted = self.losses.note(LossKind::UnknownField, plan.ty, LossName::Name(text));
        noted.map_err(|error| error.at(name_at))?;
        self.scan.expect(b':', "':'")?;
        self.scan.enter_named(name_at, name);
        super::any::skip(&mut self.scan, self.arena, depth + 1)?;
        self.scan.leave();
        Ok(None)
    }

    #[cold]
    fn twice(&mut self, plan: &RecordPlan, position: usize, name_at: usize) -> Error {
        let name = &self.record_of(plan).fields[position].name;
        Error::data(name_at, format!("the object has the name {name:?} twice"))
    }

    /// A record as an array, whose bracket was seen.
    pub(super) fn array_record(&mut self, place: u32, depth: usize) -> Result<Cell> {
        let plan = &self.codec.types.records[place as usize];
        let record = self.record_of(plan);
        let start = self.scan.pos;
        self.scan.pos += 1;
        let at = self.arena.alloc(plan.cells)?;
        let mut count = 0;
        let mut more = !self.scan.closes(b']');
        while more {
            match plan.order.get(count) {
                Some(&position) => {
                    let field = &plan.fields[position];
                    self.scan.enter_field(&record.fields[position].name);
                    if field.stateful && self.scan.peek() == Some(b'n') {
                        self.null().map_err(|error| error.in_field(&record.fields[position].name))?;
                        // Null is how an array says that an optional field is absent.
                        if !field.optional {
                            self.arena.set_state(record, at, position, State::Null);
                        }
                    } else {
                        let cell = self.node(field.node, field.ty, depth + 1);
                        let cell = cell.map_err(|error| error.in_field(&record.fields[position].name))?;
                        self.arena.set_field(record, at, position, cell);
                    }
                    self.scan.leave();
                }
                None => {
                    self.losses
                        .note(LossKind::UnknownField, plan.ty, LossName::Number(count as u64))
                        .map_err(|error| error.at(self.scan.pos))?;
                    self.scan.enter_index(count);
                    super::any::skip(&mut self.scan, self.arena, depth + 1)?;
                    self.scan.leave();
                }
            }
            count += 1;
            more = self.scan.more(b']')?;
        }
        for &position in plan.order.iter().skip(count) {
            set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
        }
        if plan.has_oneofs {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(Cell::index(at))
    }
}
