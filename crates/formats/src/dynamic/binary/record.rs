//! Reading records and unions.

use wirewise_core::{
    Cell, Document, Error, Field, Kind, LossKind, LossName, Record, Result, State, Tracer, TypeId, Union,
};

use super::decode::Reader;
use super::plan::{RecordPlan, TypePlan};
use super::trace::Within;
use super::{Head, Length, UNDEFINED, Wire, any};
use crate::dynamic::{Seen, Shape, UnionPlan, set_missing};

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    pub(super) fn map_record(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        len: Length,
        depth: usize,
    ) -> Result<Cell> {
        let start = self.at;
        let at = self.arena.record(record)?;
        let mut seen = Seen::default();
        let mut place = 0;
        let mut count = 0;
        while self.more(len, count)? {
            count += 1;
            let key_at = self.input.pos;
            let Some(position) = self.field_key(ty, record, plan, place, depth)? else { continue };
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
        if !record.oneofs.is_empty() {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(Cell::index(at))
    }

    /// The position of the field whose key comes next; `None` when there is none and key and value were skipped.
    /// The tracer has entered the field then, and otherwise left it again.
    #[inline]
    fn field_key(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        place: usize,
        depth: usize,
    ) -> Result<Option<usize>> {
        // Fields usually come in the order in which we write them, with keys in the usual encoding.
        if let Some(&expected) = plan.order.get(place) {
            let key = &plan.keys[expected];
            if self.input.bytes[self.input.pos..].starts_with(key) {
                self.input.pos += key.len();
                if T::ON {
                    let name = &record.fields[expected].name;
                    self.tracer.field(name);
                    self.trace_field_key(key.len(), name);
                }
                return Ok(Some(expected));
            }
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
        self.losses.note(LossKind::UnknownField, ty, LossName::Name(&name)).map_err(|error| error.at(at))?;
        // What is skipped must be valid too; that it is built first only costs memory of this message.
        self.inside(Within::Unknown, |reader| reader.any(depth + 1))?;
        self.tracer.leave();
        Ok(None)
    }

    pub(super) fn array_record(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        len: Length,
        depth: usize,
    ) -> Result<Cell> {
        let start = self.at;
        let at = self.arena.record(record)?;
        let mut count = 0;
        while self.more(len, count)? {
            match plan.order.get(count) {
                Some(&position) => {
                    self.tracer.field(&record.fields[position].name);
                    self.field(record, at, position, depth)?;
                    self.tracer.leave();
                }
                None => {
                    self.losses
                        .note(LossKind::UnknownField, ty, LossName::Number(count as u64))
                        .map_err(|error| error.at(self.input.pos))?;
                    self.tracer.index(count);
                    self.inside(Within::Unknown, |reader| reader.any(depth + 1))?;
                    self.tracer.leave();
                }
            }
            count += 1;
        }
        for &position in plan.order.iter().skip(count) {
            set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
        }
        if !record.oneofs.is_empty() {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(Cell::index(at))
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
