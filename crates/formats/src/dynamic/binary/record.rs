//! Reading records and unions.

use wirewise_core::{
    Cell, Document, Error, Field, Kind, LossKind, LossName, Record, Result, State, Tracer, TypeId, Union,
};

use super::decode::{Reader, usual};
use super::plan::{FieldPlan, RecordPlan, TypePlan};
use super::trace::Within;
use super::{Head, Length, UNDEFINED, Wire, any};
use crate::dynamic::{Seen, Shape, UnionPlan, set_missing};

/// What was read of a record: how many fields, and which.
#[derive(Default)]
struct Done {
    count: usize,
    /// A bit for each position, of records with few fields.
    seen: u64,
}

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    /// A record whose head was read: a map, or an array, of so many fields.
    pub(super) fn record(&mut self, ty: TypeId, plan: &RecordPlan, len: Length, depth: usize) -> Result<Cell> {
        let start = self.at;
        let at = self.arena.alloc(plan.cells)?;
        let mut done = Done::default();
        let fits = plan.few && depth < self.arena.limits().depth;
        if let Some(len) = len.filter(|_| !T::ON && fits) {
            self.usual_fields(ty, plan, at, len, depth, &mut done)?;
            if done.count == len && plan.needed & !done.seen == 0 && !plan.has_oneofs {
                return Ok(Cell::index(at));
            }
        }
        let codec = self.codec;
        let Kind::Record(record) = codec.schema.kind(ty) else { unreachable!("planned as a record") };
        match codec.positional {
            true => self.array_record(record, plan, at, len, done, start, depth)?,
            false => self.map_record(record, plan, at, len, done, start, depth)?,
        }
        if plan.has_oneofs {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(Cell::index(at))
    }

    /// The fields up to the first one that does not come in the usual order.
    #[inline(always)]
    fn usual_fields(
        &mut self,
        ty: TypeId,
        plan: &RecordPlan,
        at: u32,
        len: usize,
        depth: usize,
        done: &mut Done,
    ) -> Result<()> {
        let bytes = self.input.bytes;
        let mut rest = &bytes[self.input.pos..];
        let (mut seen, mut count, mut states) = (0, 0, 0);
        for field in &plan.fields {
            if count == len {
                break;
            }
            let Some(value) = field.behind_key(&plan.keys, rest) else {
                if field.optional {
                    continue;
                }
                break;
            };
            count += 1;
            seen |= 1 << field.position;
            if field.stateful && value.first() == Some(&W::NULL) && field.null.is_some() {
                if field.null == Some(State::Null) {
                    states |= field.present >> 1;
                }
                rest = &value[1..];
                continue;
            }
            let pos = bytes.len() - value.len();
            match usual::<W>(&field.value, value, pos) {
                Some((cell, len)) => {
                    self.arena.set(at as usize + field.slot as usize, cell);
                    states |= field.present;
                    rest = &value[len..];
                }
                None => {
                    match self.usual_nested(&field.value, pos, depth + 1) {
                        Some(Ok(cell)) => {
                            self.arena.set(at as usize + field.slot as usize, cell);
                            states |= field.present;
                        }
                        Some(Err(error)) => return Err(self.in_field(ty, field, error)),
                        None => {
                            self.input.pos = pos;
                            self.other_field(ty, at, field, depth)?;
                        }
                    }
                    rest = &bytes[self.input.pos..];
                }
            }
        }
        for word in 0..plan.state_words.min(2) {
            let before = self.arena.get(at as usize + word).as_u64();
            self.arena.set(at as usize + word, Cell::uint(before | (states >> (64 * word)) as u64));
        }
        self.input.pos = bytes.len() - rest.len();
        *done = Done { count, seen };
        Ok(())
    }

    #[cold]
    fn in_field(&self, ty: TypeId, field: &FieldPlan, error: Error) -> Error {
        let Kind::Record(record) = self.codec.schema.kind(ty) else { unreachable!("planned as a record") };
        error.in_field(&record.fields[field.position as usize].name)
    }

    /// A field that is of another type, or not in its usual encoding.
    #[inline(never)]
    fn other_field(&mut self, ty: TypeId, at: u32, field: &FieldPlan, depth: usize) -> Result<()> {
        let codec = self.codec;
        let Kind::Record(record) = codec.schema.kind(ty) else { unreachable!("planned as a record") };
        self.field(record, at, field.position as usize, depth)
    }

    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn map_record(
        &mut self,
        record: &Record,
        plan: &RecordPlan,
        at: u32,
        len: Length,
        done: Done,
        start: usize,
        depth: usize,
    ) -> Result<()> {
        let mut seen = Seen::from(done.seen);
        let Done { mut count, .. } = done;
        let mut place = 0;
        while self.more(len, count)? {
            count += 1;
            let key_at = self.input.pos;
            let Some(position) = self.field_key(record, plan, place, depth)? else { continue };
            place = plan.next[position];
            let field = &record.fields[position];
            if !seen.mark(position) {
                return Err(Error::data(key_at, format!("the map has the key {:?} twice", field.name)));
            }
            self.field(record, at, position, depth)?;
            self.tracer.leave();
        }
        for position in 0..record.fields.len() {
            if !seen.has(position) {
                set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
            }
        }
        Ok(())
    }

    /// The position of the field whose key comes next; `None` when there is none and key and value were skipped.
    /// The tracer has entered the field then, and otherwise left it again.
    #[inline]
    fn field_key(&mut self, record: &Record, plan: &RecordPlan, place: usize, depth: usize) -> Result<Option<usize>> {
        // Fields usually come in the order in which we write them, with keys in the usual encoding.
        if let Some(field) = plan.fields.get(place)
            && let Some(rest) = field.behind_key(&plan.keys, &self.input.bytes[self.input.pos..])
        {
            self.input.pos = self.input.bytes.len() - rest.len();
            let expected = field.position as usize;
            if T::ON {
                let name = &record.fields[expected].name;
                self.tracer.field(name);
                self.trace_field_key(field.key_len as usize, name);
            }
            return Ok(Some(expected));
        }
        let at = self.input.pos;
        if T::ON {
            self.enter_any_key();
        }
        let name = match self.inside(Within::Name, |reader| reader.any_head(depth + 1))? {
            Head::String(len) => {
                let cell = self.inside(Within::Name, |reader| reader.string(len))?;
                let name = self.arena.bytes(self.input.bytes, cell);
                if let Some(&position) = plan.names.get(name) {
                    return Ok(Some(position));
                }
                name.to_vec()
            }
            head => {
                let key = self.inside(Within::Name, |reader| reader.any_of(head, depth + 1))?;
                any::key_text(&Document::new(&self.codec.schema, self.input.bytes, self.arena), key)
            }
        };
        let name = String::from_utf8_lossy(&name);
        self.losses
            .note(LossKind::UnknownField, record.type_id(), LossName::Name(&name))
            .map_err(|error| error.at(at))?;
        // What is skipped must be valid too; that it is built first only costs memory of this message.
        self.inside(Within::Unknown, |reader| reader.any(depth + 1))?;
        self.tracer.leave();
        Ok(None)
    }

    #[allow(clippy::too_many_arguments)]
    #[inline(never)]
    fn array_record(
        &mut self,
        record: &Record,
        plan: &RecordPlan,
        at: u32,
        len: Length,
        done: Done,
        start: usize,
        depth: usize,
    ) -> Result<()> {
        let Done { mut count, .. } = done;
        while self.more(len, count)? {
            match plan.fields.get(count) {
                Some(field) => {
                    let position = field.position as usize;
                    self.tracer.field(&record.fields[position].name);
                    self.field(record, at, position, depth)?;
                    self.tracer.leave();
                }
                None => {
                    self.losses
                        .note(LossKind::UnknownField, record.type_id(), LossName::Number(count as u64))
                        .map_err(|error| error.at(self.input.pos))?;
                    self.tracer.index(count);
                    self.inside(Within::Unknown, |reader| reader.any(depth + 1))?;
                    self.tracer.leave();
                }
            }
            count += 1;
        }
        for field in plan.fields.iter().skip(count) {
            set_missing(self.arena, &self.codec.schema, record, at, field.position as usize, start)?;
        }
        Ok(())
    }

    fn field(&mut self, record: &Record, at: u32, position: usize, depth: usize) -> Result<()> {
        let field = &record.fields[position];
        let cell = match field.is_stateful() {
            true => self.stateful_field(field, depth + 1),
            false => self.value(field.value_type(), depth + 1).map(Ok),
        };
        match cell.map_err(|error| error.in_field(&field.name))? {
            Ok(cell) => self.arena.set_field(record, at, position, cell),
            Err(state) => self.arena.set_state(record, at, position, state),
        }
        Ok(())
    }

    /// The value of a field, or the state that stands in its place.
    fn stateful_field(&mut self, field: &Field, depth: usize) -> Result<Result<Cell, State>> {
        let ty = field.value_type();
        let any = *self.codec.schema.kind(ty) == Kind::Any;
        let head = if any { self.any_head(depth)? } else { self.typed_head(ty, depth)? };
        match head {
            // Null is how an array says that an optional field is absent.
            Head::Null if self.codec.positional && field.is_optional() => Ok(Err(State::Absent)),
            Head::Null if field.is_nullable() => Ok(Err(State::Null)),
            Head::Simple(UNDEFINED) if field.is_optional() => Ok(Err(State::Absent)),
            head => self.value_of(ty, head, depth).map(Ok),
        }
    }

    pub(super) fn union(&mut self, ty: TypeId, union: &Union, head: Head, depth: usize) -> Result<Cell> {
        let TypePlan::Union { plan, .. } = &self.codec.types[ty.index()] else { unreachable!("planned as a union") };
        if let UnionPlan::Tagged = plan {
            return self.tagged_union(ty, union, head, depth);
        }
        let shape = match head {
            Head::Bool(_) => Some(Shape::Bool),
            Head::Uint(_) | Head::Negative(_) => Some(Shape::Int),
            Head::Float(_) => Some(Shape::Float),
            Head::String(_) => Some(Shape::String),
            Head::Bytes(_) => Some(Shape::Bytes),
            Head::List(_) => Some(Shape::Array),
            Head::Map(_) => Some(Shape::Map),
            _ => None,
        };
        let Some(position) = shape.and_then(|shape| plan.branch(shape)) else { return Err(self.mismatch(ty, head)) };
        let value = self.value_of(union.branches[position].ty, head, depth)?;
        self.arena.union(position, value)
    }

    /// `{"branch": value}`, or `[number, value]` when positional.
    fn tagged_union(&mut self, ty: TypeId, union: &Union, head: Head, depth: usize) -> Result<Cell> {
        let start = self.at;
        let (len, expected) = match head {
            Head::List(len) if self.codec.positional => (len, 2),
            Head::Map(len) if !self.codec.positional => (len, 1),
            _ => return Err(self.mismatch(ty, head)),
        };
        let wrong = || {
            let what =
                if expected == 2 { "a branch's number and its value" } else { "one entry: a branch and its value" };
            Error::data(start, format!("a value of union {} is {what}", union.name))
        };
        if len.is_some_and(|len| len != expected) || !self.more(len, 0)? {
            return Err(wrong());
        }
        if T::ON {
            self.tracer.field(&self.peek_branch(union));
        }
        let position = match self.inside(Within::Name, |reader| reader.head(None))? {
            Head::Uint(number) if self.codec.positional => {
                union.branches.iter().position(|branch| u64::from(branch.number) == number)
            }
            Head::String(len) if !self.codec.positional => {
                let name = self.inside(Within::Name, |reader| reader.string(len))?;
                let name = self.arena.bytes(self.input.bytes, name);
                union.branches.iter().position(|branch| branch.name.as_bytes() == name)
            }
            _ => return Err(wrong()),
        };
        let Some(position) = position else {
            return Err(Error::data(start, format!("union {} has no such branch", union.name)));
        };
        let branch = &union.branches[position];
        let value = self.value(branch.ty, depth + 1).map_err(|error| error.in_field(&branch.name))?;
        self.tracer.leave();
        if self.more(len, expected)? {
            return Err(wrong());
        }
        self.arena.union(position, value)
    }
}
