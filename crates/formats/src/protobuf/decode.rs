//! Reading messages.
//!
//! A message may come in pieces: when a field that holds a message occurs twice, the pieces are merged as if they were
//! one. So a piece is read *into* what earlier ones left, and whether something required is missing can be said for
//! certain only at the end: see [`Reader::missing`].

use std::collections::{HashMap, HashSet};

use wirewise_core::{Arena, Cell, Error, Kind, Losses, Record, Recorder, Result, Role, Schema, Silent, State, Tracer};

use super::plan::{FieldPlan, Finish, Message, MessageKind, Presence, Scalar, Shape, Value};
use super::repeated::Grown;
use super::unknown::Owner;
use super::wire::{Cursor, WireType};
use super::{Payload, ProtobufCodec};
use crate::dynamic::too_deep;

pub(super) fn read(codec: &ProtobufCodec, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
    match read_pass(codec, input, arena, losses, false, &mut Silent)? {
        Some(used) => Ok(used),
        // Read it again to say where, which the first pass did not keep.
        None => match read_pass(codec, input, arena, losses, true, &mut Silent)? {
            Some(used) => Ok(used),
            None => unreachable!("a strict pass reports what is missing"),
        },
    }
}

/// Reads once more than [`read`], which is needed to know which of its passes is the one to record.
pub(super) fn trace(
    codec: &ProtobufCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    recorder: &mut Recorder,
) -> Result<usize> {
    let strict = matches!(read_pass(codec, input, arena, &mut losses.clone(), false, &mut Silent), Ok(None));
    match read_pass(codec, input, arena, losses, strict, recorder)? {
        Some(used) => Ok(used),
        None => unreachable!("what is missing is only missed by a pass that is strict"),
    }
}

/// One pass over the input; `None` when something required is missing and the pass was not strict.
fn read_pass<T: Tracer>(
    codec: &ProtobufCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    strict: bool,
    tracer: &mut T,
) -> Result<Option<usize>> {
    arena.begin(input)?;
    let cursor = Cursor { input, pos: 0, end: input.len(), bounded: false, group: 0 };
    let (missing, zeros, grown) = (Vec::new(), None, None);
    let (owner, tag_at) = (Owner::Nobody, 0);
    let mut reader = Reader { codec, cursor, arena, losses, strict, missing, zeros, grown, owner, tracer, tag_at };
    let root = codec.plan.root;
    let cell = match codec.payload {
        Payload::Message => reader.message(root, None, 0)?,
        Payload::Delimited => reader.prefixed(root, None, 0)?,
        Payload::Stream => {
            let mark = reader.arena.mark();
            let mut index = 0;
            while reader.cursor.pos < input.len() {
                reader.tracer.index(index);
                let item = reader.prefixed(root, None, 0);
                reader.tracer.leave();
                let item = item.map_err(|error| error.in_index(index))?;
                reader.arena.push(item)?;
                index += 1;
            }
            reader.arena.list(mark)?
        }
    };
    reader.arena.set_root(cell);
    let complete = reader.missing.iter().all(|missing| match *missing {
        Missing::Cell(at, unset) => reader.arena.get(at) != unset || reader.has_zero(at),
        Missing::Oneof(record, at, oneof) => has_member(reader.arena, record, at, oneof),
    });
    Ok(complete.then_some(reader.cursor.pos))
}

/// Whether the record at `at` has a field of this oneof.
fn has_member(arena: &Arena, record: &Record, at: u32, oneof: usize) -> bool {
    let mut members = record.fields.iter().enumerate().filter(|(_, field)| field.oneof == Some(oneof));
    members.any(|(position, _)| arena.state(record, at, position) != State::Absent)
}

/// Something that must be there and has not come yet: a later piece may bring it.
enum Missing<'a> {
    /// A cell, and what it holds as long as nothing has come.
    Cell(usize, Cell),
    /// A member of a oneof of the record at this place.
    Oneof(&'a Record, u32, usize),
}

pub(super) struct Reader<'a, T> {
    pub(super) codec: &'a ProtobufCodec,
    pub(super) cursor: Cursor<'a>,
    pub(super) arena: &'a mut Arena,
    pub(super) losses: &'a mut Losses,
    /// Whether what is missing in a piece of a message is an error at once.
    strict: bool,
    missing: Vec<Missing<'a>>,
    /// Cells of fields with the label `required` that are zero because a zero has come. Hashed from the first one on, which most messages have not.
    zeros: Option<HashSet<usize>>,
    /// Lists and maps that came in pieces, by where they start.
    pub(super) grown: Option<HashMap<usize, Grown>>,
    /// Whose unknown fields would be kept.
    pub(super) owner: Owner,
    pub(super) tracer: &'a mut T,
    /// Where the tag of the field at hand is; only kept for the tracer.
    pub(super) tag_at: usize,
}

/// The branch of a union of which nothing has come yet.
const NO_BRANCH: Cell = Cell::NULL;

impl<'a, T: Tracer> Reader<'a, T> {
    pub(super) fn schema(&self) -> &'a Schema {
        &self.codec.schema
    }

    /// Reads a message after its tag: one after its length, or a group.
    #[inline]
    pub(super) fn submessage(
        &mut self,
        place: usize,
        number: u32,
        wire_type: WireType,
        existing: Option<Cell>,
        depth: usize,
    ) -> Result<Cell> {
        if wire_type != WireType::StartGroup {
            return self.prefixed(place, existing, depth);
        }
        let outer = self.cursor.enter(number);
        let cell = self.message(place, existing, depth)?;
        self.cursor.release(outer);
        Ok(cell)
    }

    /// Reads a message after its length.
    pub(super) fn prefixed(&mut self, place: usize, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        let cut = self.trace_cut();
        if let Some(error) = cut {
            // What there is of the message is explained all the same.
            let (end, mark) = (self.cursor.end, self.arena.mark());
            self.cursor.confine(end);
            drop(self.message(place, existing, depth));
            // Elements of a list that was not finished.
            drop(self.arena.list(mark));
            return Err(error);
        }
        let end = self.length()?;
        let outer = self.cursor.confine(end);
        let cell = self.message(place, existing, depth)?;
        self.cursor.release(outer);
        Ok(cell)
    }

    /// For the tracer only: the error of a length that leads behind the end of the message, if there is one here, which
    /// is passed over and explained then.
    #[inline]
    pub(super) fn trace_cut(&mut self) -> Option<Error> {
        if !T::ON {
            return None;
        }
        let at = self.cursor.pos;
        let error = self.cursor.length().err();
        let after = std::mem::replace(&mut self.cursor.pos, at);
        let error = error.filter(|error| after > at && error.offset() == Some(self.cursor.end))?;
        let len = self.cursor.varint().unwrap_or_default();
        self.tracer.span(at..after, Role::Length, format_args!("length"), format_args!("{len}"));
        Some(error)
    }

    /// Reads the message up to the cursor's end into what earlier pieces left.
    pub(super) fn message(&mut self, place: usize, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.cursor.pos, self.arena));
        }
        let codec = self.codec;
        let message = &codec.plan.messages[place];
        match (message.kind, codec.schema.kind(message.ty)) {
            (MessageKind::Record, Kind::Record(record)) => self.record(message, record, existing, depth),
            (MessageKind::Set, Kind::Record(record)) => self.message_set(message, record, existing, depth),
            (MessageKind::Union, Kind::Union(_)) => self.union(message, existing, depth),
            _ => self.wrapper(message, existing, depth),
        }
    }

    fn record(
        &mut self,
        message: &'a Message,
        record: &'a Record,
        existing: Option<Cell>,
        depth: usize,
    ) -> Result<Cell> {
        let start = self.cursor.pos;
        let at = match existing {
            Some(cell) => cell.as_index() as u32,
            None => {
                let at = self.arena.record(record)?;
                for &position in &message.prefilled {
                    self.arena.set_default(&self.codec.schema, record, at, position)?;
                }
                at
            }
        };
        self.fields(message, at, depth)?;
        self.close(message, at, start)?;
        Ok(Cell::index(at))
    }

    /// Reads fields into the record at `at`, up to the cursor's end.
    pub(super) fn fields(&mut self, message: &'a Message, at: u32, depth: usize) -> Result<()> {
        let Kind::Record(record) = self.codec.schema.kind(message.ty) else { unreachable!("planned as a record") };
        let outer = std::mem::replace(&mut self.owner, Owner::Run(at));
        let mut guess = 0;
        loop {
            if !T::ON {
                self.cursor.pos = self.usual(message, at, self.cursor.pos, self.cursor.end, depth)?;
            }
            let Some((place, wire_type)) = self.next_field(message, guess, depth)? else {
                self.owner = outer;
                return Ok(());
            };
            guess = place + 1;
            let plan = &message.fields[place];
            let position = plan.position;
            // Of a oneof the last member wins; only pieces of the same one are merged.
            let replaces = plan.oneof.filter(|_| self.arena.state(record, at, position) == State::Absent);
            let before = if replaces.is_some() { Cell::EMPTY } else { self.arena.field(record, at, position) };
            if T::ON {
                self.tracer.field(&record.fields[position].name);
                self.trace_tag(plan.number, wire_type);
            }
            let read = self.field(message, plan, wire_type, before, depth);
            self.tracer.leave();
            if let Some(cell) = read.map_err(|error| error.in_field(&record.fields[position].name))? {
                if let Some(oneof) = replaces {
                    for &rival in &message.oneofs[oneof] {
                        self.arena.set_state(record, at, rival, State::Absent);
                    }
                }
                self.arena.set_field(record, at, position, cell);
                if cell == Cell::EMPTY && plan.presence == Presence::Explicit && !record.fields[position].is_stateful()
                {
                    let cell = at as usize + record.state_words() + position;
                    self.zeros.get_or_insert_default().insert(cell);
                }
            }
        }
    }

    /// Looks at what must have a value in the record at `at`, a piece of which began at `start`.
    pub(super) fn close(&mut self, message: &'a Message, at: u32, start: usize) -> Result<()> {
        if !message.ops.closes {
            return Ok(());
        }
        let cells = self.arena.run_mut(at, message.ops.cells);
        for &(word, nulls) in &message.ops.nulls {
            let states = cells[word].as_u64();
            // The lower bit of each state is set where both were zero.
            cells[word] = Cell::uint(states | nulls & !(states | states >> 1));
        }
        let Kind::Record(record) = self.codec.schema.kind(message.ty) else { unreachable!("planned as a record") };
        for &(position, finish) in &message.finish {
            // A cell of a value that is not at the start of the arena is not zero, and a record's fields never are.
            if self.arena.field(record, at, position) == Cell::EMPTY {
                self.finish(record, at, position, finish, start)?;
            }
        }
        for (i, oneof) in record.oneofs.iter().enumerate().filter(|(_, oneof)| oneof.required) {
            if !has_member(self.arena, record, at, i) {
                self.miss(Missing::Oneof(record, at, i), || {
                    Error::data(
                        start,
                        format!("none of the fields of oneof {:?} of {} is there", oneof.name, record.name),
                    )
                })?;
            }
        }
        Ok(())
    }

    /// Looks at a field that must have a value, and whose cell is zero.
    #[cold]
    fn finish(&mut self, record: &Record, at: u32, position: usize, finish: Finish, start: usize) -> Result<()> {
        match finish {
            Finish::AnyNull => {
                let cell = self.arena.any(wirewise_core::AnyTag::Null, Cell::EMPTY)?;
                self.arena.set_field(record, at, position, cell);
            }
            Finish::Missing | Finish::Labelled => {
                let field = &record.fields[position];
                let cell = at as usize + record.state_words() + position;
                if finish == Finish::Labelled && self.has_zero(cell) {
                    return Ok(());
                }
                self.miss(Missing::Cell(cell, Cell::EMPTY), || {
                    Error::data(start, format!("the required field {:?} of {} is missing", field.name, record.name))
                        .hint("make it optional in the schema, if messages may come without it")
                })?;
            }
        }
        Ok(())
    }

    /// Whether a zero has come for this cell.
    fn has_zero(&self, cell: usize) -> bool {
        self.zeros.as_ref().is_some_and(|zeros| zeros.contains(&cell))
    }

    /// Something has not come yet.
    #[cold]
    fn miss(&mut self, missing: Missing<'a>, error: impl FnOnce() -> Error) -> Result<()> {
        if self.strict {
            return Err(error());
        }
        self.missing.push(missing);
        Ok(())
    }

    fn union(&mut self, message: &Message, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        let Kind::Union(union) = self.codec.schema.kind(message.ty) else { unreachable!("planned as a union") };
        let start = self.cursor.pos;
        let at = match existing {
            Some(cell) => cell.as_index(),
            None => {
                let at = self.arena.alloc(2)? as usize;
                self.arena.set(at, NO_BRANCH);
                at
            }
        };
        let outer = std::mem::replace(&mut self.owner, Owner::Run(at as u32));
        while let Some((place, wire_type)) = self.next_field(message, 0, depth)? {
            let plan = &message.fields[place];
            let branch = Cell::uint(plan.position as u64);
            // The last branch wins; only pieces of the same one are merged.
            let before = if self.arena.get(at) == branch { self.arena.get(at + 1) } else { Cell::EMPTY };
            let name = &union.branches[plan.position].name;
            self.tracer.field(name);
            self.trace_tag(plan.number, wire_type);
            let read = self.field(message, plan, wire_type, before, depth);
            self.tracer.leave();
            if let Some(cell) = read.map_err(|error| error.in_field(name))? {
                self.arena.set(at, branch);
                self.arena.set(at + 1, cell);
            }
        }
        self.owner = outer;
        if self.arena.get(at) == NO_BRANCH {
            self.miss(Missing::Cell(at, NO_BRANCH), || {
                Error::data(start, format!("union {} has no value", union.name))
            })?;
        }
        Ok(Cell::index(at as u32))
    }

    fn wrapper(&mut self, message: &Message, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        let start = self.cursor.pos;
        let nullable = matches!(self.codec.schema.kind(message.ty), Kind::Nullable(_));
        let before = match existing {
            Some(cell) if nullable => (cell != Cell::NULL).then(|| self.arena.get(cell.as_index())),
            other => other,
        };
        let (mut cell, mut present) = (before.unwrap_or_default(), before.is_some());
        let outer = std::mem::replace(&mut self.owner, Owner::Nobody);
        while let Some((_, wire_type)) = self.next_field(message, 0, depth)? {
            self.trace_tag(1, wire_type);
            if let Some(read) = self.field(message, &message.fields[0], wire_type, cell, depth)? {
                (cell, present) = (read, true);
            }
        }
        self.owner = outer;
        if nullable {
            return if present { self.arena.boxed(cell) } else { Ok(Cell::NULL) };
        }
        if !present {
            let schema = &self.codec.schema;
            if message.finish.first().is_some_and(|&(_, finish)| finish == Finish::Missing) {
                let what = format!("the message has no field 1, which holds a {}", schema.describe(message.ty));
                return Err(Error::data(start, what));
            }
            return self.arena.zero(schema, message.ty, depth);
        }
        Ok(cell)
    }

    /// The place and layout of the next field that the message knows; what it does not know is passed over.
    #[inline]
    fn next_field(&mut self, message: &Message, guess: usize, depth: usize) -> Result<Option<(usize, WireType)>> {
        while self.cursor.pos < self.cursor.end {
            let at = self.cursor.pos;
            if T::ON {
                self.tag_at = at;
            }
            let (number, wire_type) = self.cursor.tag()?;
            if let Some(place) = message.field(number, guess)
                && message.fields[place].accepts(wire_type)
            {
                return Ok(Some((place, wire_type)));
            }
            if wire_type == WireType::EndGroup {
                if number != self.cursor.group {
                    return Err(self.cursor.wrong_end(number, at));
                }
                self.trace_tag(number, wire_type);
                return Ok(None);
            }
            self.skip(message.ty, number, wire_type, at, depth)?;
        }
        if self.cursor.group != 0 {
            return Err(self.cursor.ended(&format!("the end of group {}", self.cursor.group)));
        }
        Ok(None)
    }

    /// Reads a length and checks that as many bytes follow; returns where they end.
    #[inline]
    pub(super) fn length(&mut self) -> Result<usize> {
        let at = self.cursor.pos;
        let end = self.cursor.length()?;
        if T::ON {
            let len = end - self.cursor.pos;
            self.tracer.span(at..self.cursor.pos, Role::Length, format_args!("length"), format_args!("{len}"));
        }
        Ok(end)
    }

    /// Says that the bytes from [`Reader::tag_at`] on were a tag.
    #[inline]
    pub(super) fn trace_tag(&mut self, number: u32, wire_type: WireType) {
        if T::ON {
            let bytes = self.tag_at..self.cursor.pos;
            self.tracer.span(bytes, Role::Tag, format_args!("tag {number}, {wire_type}"), format_args!(""));
        }
    }

    /// Reads one occurrence of a field (and those that follow it at once) of which `before` is known. `None`: there
    /// is nothing in it that the schema knows.
    pub(super) fn field(
        &mut self,
        message: &Message,
        plan: &FieldPlan,
        wire_type: WireType,
        before: Cell,
        depth: usize,
    ) -> Result<Option<Cell>> {
        match plan.shape {
            Shape::One(Value::Scalar(scalar)) => self.scalar(scalar, message.ty, plan.number),
            Shape::One(Value::Message(place)) => {
                let existing = (before != Cell::EMPTY).then_some(before);
                self.submessage(place, plan.number, wire_type, existing, depth + 1).map(Some)
            }
            Shape::Repeated(value) => self.repeated(value, message.ty, plan.number, wire_type, before, depth).map(Some),
            Shape::Map(key, value) => self.map(key, value, message.ty, plan.number, before, depth).map(Some),
        }
    }

    /// The value of a scalar or message that a map's entry came without.
    pub(super) fn missing_value(&mut self, value: Value, depth: usize) -> Result<Cell> {
        let at = self.cursor.pos;
        match value {
            Value::Message(place) => {
                let outer = self.cursor.confine(at);
                let cell = self.message(place, None, depth)?;
                self.cursor.release(outer);
                Ok(cell)
            }
            Value::Scalar(Scalar::Any) => self.arena.any(wirewise_core::AnyTag::Null, Cell::EMPTY),
            Value::Scalar(Scalar::Enum(ty)) => self.arena.zero(&self.codec.schema, ty, depth),
            Value::Scalar(Scalar::Fixed(size)) if size > 0 => {
                Err(Error::data(at, format!("expected {size} bytes, found a map entry without a value")))
            }
            Value::Scalar(_) => Ok(Cell::EMPTY),
        }
    }
}
