//! Reading messages.
//!
//! A message may come in pieces: when a field that holds a message occurs twice, the pieces are merged as if they were
//! one. So a piece is read *into* what earlier ones left, and whether something required is missing can be said for
//! certain only at the end: see [`Reader::missing`].

use std::collections::HashMap;

use wirewise_core::{
    Arena, Cell, Error, ErrorKind, Int, Kind, LossKind, LossName, Losses, Record, Result, State, TypeId,
};

use super::plan::{FieldPlan, Finish, Message, MessageKind, Scalar, Shape, Value};
use super::repeated::Grown;
use super::wire::{Cursor, WireType};
use super::{Payload, ProtobufCodec};
use crate::dynamic::too_deep;
use crate::json::any_from_text;

pub(super) fn read(codec: &ProtobufCodec, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
    match read_pass(codec, input, arena, losses, false)? {
        Some(used) => Ok(used),
        // Read it again to say where, which the first pass did not keep.
        None => match read_pass(codec, input, arena, losses, true)? {
            Some(used) => Ok(used),
            None => unreachable!("a strict pass reports what is missing"),
        },
    }
}

/// One pass over the input; `None` when something required is missing and the pass was not strict.
fn read_pass(
    codec: &ProtobufCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    strict: bool,
) -> Result<Option<usize>> {
    arena.begin(input)?;
    let cursor = Cursor { input, pos: 0, end: input.len(), bounded: false };
    let (missing, grown) = (Vec::new(), HashMap::new());
    let mut reader = Reader { codec, cursor, arena, losses, strict, missing, grown };
    let root = codec.plan.root;
    let cell = match codec.payload {
        Payload::Message => reader.message(root, None, 0)?,
        Payload::Delimited => reader.prefixed(root, None, 0)?,
        Payload::Stream => {
            let mark = reader.arena.mark();
            let mut index = 0;
            while reader.cursor.pos < input.len() {
                let item = reader.prefixed(root, None, 0).map_err(|error| error.in_index(index))?;
                reader.arena.push(item)?;
                index += 1;
            }
            reader.arena.list(mark)?
        }
    };
    let (used, missing) = (reader.cursor.pos, reader.missing);
    arena.set_root(cell);
    let complete = missing.iter().all(|&(at, unset)| arena.get(at) != unset);
    Ok(complete.then_some(used))
}

pub(super) struct Reader<'a> {
    codec: &'a ProtobufCodec,
    pub(super) cursor: Cursor<'a>,
    pub(super) arena: &'a mut Arena,
    losses: &'a mut Losses,
    /// Whether what is missing in a piece of a message is an error at once.
    strict: bool,
    /// Cells that hold no value yet, and what they hold instead: a later piece may fill them.
    missing: Vec<(usize, Cell)>,
    /// Lists and maps that came in pieces, by where they start.
    pub(super) grown: HashMap<usize, Grown>,
}

/// The branch of a union of which nothing has come yet.
const NO_BRANCH: Cell = Cell::NULL;

impl<'a> Reader<'a> {
    /// Reads a message after its length.
    pub(super) fn prefixed(&mut self, place: usize, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        let end = self.cursor.length()?;
        let outer = self.cursor.confine(end);
        let cell = self.message(place, existing, depth)?;
        self.cursor.release(outer);
        Ok(cell)
    }

    /// Reads the message up to the cursor's end into what earlier pieces left.
    fn message(&mut self, place: usize, existing: Option<Cell>, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.cursor.pos, self.arena));
        }
        let codec = self.codec;
        let message = &codec.plan.messages[place];
        match (message.kind, codec.schema.kind(message.ty)) {
            (MessageKind::Record, Kind::Record(record)) => self.record(message, record, existing, depth),
            (MessageKind::Union, Kind::Union(_)) => self.union(message, existing, depth),
            _ => self.wrapper(message, existing, depth),
        }
    }

    fn record(&mut self, message: &Message, record: &Record, existing: Option<Cell>, depth: usize) -> Result<Cell> {
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
        let mut guess = 0;
        while let Some((place, wire_type)) = self.next_field(message, guess, depth)? {
            guess = place + 1;
            let plan = &message.fields[place];
            let position = plan.position;
            let before = self.arena.field(record, at, position);
            let read = self.field(message, plan, wire_type, before, depth);
            if let Some(cell) = read.map_err(|error| error.in_field(&record.fields[position].name))? {
                self.arena.set_field(record, at, position, cell);
            }
        }
        for &(position, finish) in &message.finish {
            self.finish(record, at, position, finish, start)?;
        }
        Ok(Cell::index(at))
    }

    /// Looks at a field that must have a value.
    fn finish(&mut self, record: &Record, at: u32, position: usize, finish: Finish, start: usize) -> Result<()> {
        match finish {
            Finish::Null => {
                if self.arena.state(record, at, position) == State::Absent {
                    self.arena.set_state(record, at, position, State::Null);
                }
            }
            // A cell of a value that is not at the start of the arena is not zero, and a record's fields never are.
            _ if self.arena.field(record, at, position) != Cell::EMPTY => {}
            Finish::AnyNull => {
                let cell = self.arena.any(wirewise_core::AnyTag::Null, Cell::EMPTY)?;
                self.arena.set_field(record, at, position, cell);
            }
            Finish::Missing => {
                let field = &record.fields[position];
                let cell = at as usize + record.state_words() + position;
                self.miss(cell, Cell::EMPTY, || {
                    Error::data(start, format!("the required field {:?} of {} is missing", field.name, record.name))
                        .hint("make it optional in the schema, if messages may come without it")
                })?;
            }
        }
        Ok(())
    }

    /// Nothing has come for the cell at `at`, which still holds `unset`.
    #[cold]
    fn miss(&mut self, at: usize, unset: Cell, error: impl FnOnce() -> Error) -> Result<()> {
        if self.strict {
            return Err(error());
        }
        self.missing.push((at, unset));
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
        while let Some((place, wire_type)) = self.next_field(message, 0, depth)? {
            let plan = &message.fields[place];
            let branch = Cell::uint(plan.position as u64);
            // The last branch wins; only pieces of the same one are merged.
            let before = if self.arena.get(at) == branch { self.arena.get(at + 1) } else { Cell::EMPTY };
            let read = self.field(message, plan, wire_type, before, depth);
            if let Some(cell) = read.map_err(|error| error.in_field(&union.branches[plan.position].name))? {
                self.arena.set(at, branch);
                self.arena.set(at + 1, cell);
            }
        }
        if self.arena.get(at) == NO_BRANCH {
            self.miss(at, NO_BRANCH, || Error::data(start, format!("union {} has no value", union.name)))?;
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
        while let Some((_, wire_type)) = self.next_field(message, 0, depth)? {
            if let Some(read) = self.field(message, &message.fields[0], wire_type, cell, depth)? {
                (cell, present) = (read, true);
            }
        }
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
            let (number, wire_type) = self.cursor.tag()?;
            if let Some(place) = message.field(number, guess)
                && message.fields[place].shape.accepts(wire_type)
            {
                return Ok(Some((place, wire_type)));
            }
            self.unknown(message.ty, number, at)?;
            self.cursor.skip(number, wire_type, self.arena.limits().depth.saturating_sub(depth))?;
        }
        Ok(None)
    }

    /// Notes a field, or a value, that the schema has no place for.
    #[cold]
    pub(super) fn unknown(&mut self, within: TypeId, number: u32, at: usize) -> Result<()> {
        let noted = self.losses.note(LossKind::UnknownField, within, LossName::Number(number.into()));
        noted.map_err(|error| error.at(at))
    }

    /// Reads one occurrence of a field (and those that follow it at once) of which `before` is known. `None`: there
    /// is nothing in it that the schema knows.
    fn field(
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
                self.prefixed(place, existing, depth + 1).map(Some)
            }
            Shape::Repeated(value) => self.repeated(value, message.ty, plan.number, wire_type, before, depth).map(Some),
            Shape::Map(key, value) => self.map(key, value, message.ty, plan.number, before, depth).map(Some),
        }
    }

    /// Reads a scalar. `None` is a number that a closed enum does not have, noted as unknown: so Protobuf has it.
    #[inline]
    pub(super) fn scalar(&mut self, scalar: Scalar, within: TypeId, number: u32) -> Result<Option<Cell>> {
        let at = self.cursor.pos;
        Ok(Some(match scalar {
            Scalar::Null => {
                if self.cursor.varint()? as u32 != 0 {
                    self.unknown(within, number, at)?;
                    return Ok(None);
                }
                Cell::EMPTY
            }
            Scalar::Bool => Cell::bool(self.cursor.varint()? != 0),
            Scalar::Int(int) => integer(self.cursor.varint()?, int, at)?,
            Scalar::Float => Cell::f32(f32::from_le_bytes(self.cursor.fixed()?)),
            Scalar::Double => Cell::f64(f64::from_le_bytes(self.cursor.fixed()?)),
            Scalar::String => {
                let bytes = self.string()?;
                self.arena.text(bytes)?
            }
            Scalar::Bytes => {
                let bytes = self.cursor.bytes()?;
                self.arena.text(bytes)?
            }
            Scalar::Fixed(size) => {
                let bytes = self.cursor.bytes()?;
                if bytes.len() != size as usize {
                    return Err(Error::data(at, format!("expected {size} bytes, found {}", bytes.len())));
                }
                self.arena.text(bytes)?
            }
            Scalar::Enum(ty) => {
                // Enums are 32 bits wide: what is above them does not count.
                let value = i64::from(self.cursor.varint()? as i32);
                let Kind::Enum(e) = self.codec.schema.kind(ty) else { unreachable!("planned as an enum") };
                if e.closed && e.position(value).is_none() {
                    self.unknown(within, number, at)?;
                    return Ok(None);
                }
                Cell::int(value)
            }
            Scalar::Any => self.any()?,
        }))
    }

    fn string(&mut self) -> Result<&'a [u8]> {
        let bytes = self.cursor.bytes()?;
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => {
                let at = self.cursor.pos - bytes.len() + error.valid_up_to();
                Err(Error::syntax(at, "the text is not valid UTF-8").hint("if it is not text, its type is bytes"))
            }
        }
    }

    fn any(&mut self) -> Result<Cell> {
        let text = self.string()?;
        if text.is_empty() {
            // What is left out reads as the empty text, so both mean the same.
            return self.arena.any(wirewise_core::AnyTag::Null, Cell::EMPTY);
        }
        let at = self.cursor.pos - text.len();
        any_from_text(text, self.cursor.input, at, self.arena, 0).map_err(|error| match error.kind() {
            // The text is complete, so more input cannot help.
            ErrorKind::End => Error::syntax(self.cursor.pos, "the JSON text in this string is incomplete"),
            _ => error,
        })
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

/// Fits a varint into an integer type. Protobuf itself has 32 and 64 bits and drops what is above them; the narrower
/// types are ours, and what does not fit those is an error.
#[inline]
fn integer(varint: u64, int: Int, at: usize) -> Result<Cell> {
    let value = match int {
        Int::I64 | Int::U64 => return Ok(Cell::uint(varint)),
        Int::U8 | Int::U16 | Int::U32 => i64::from(varint as u32),
        Int::I8 | Int::I16 | Int::I32 => i64::from(varint as i32),
    };
    if matches!(int, Int::U32 | Int::I32) || int.holds(i128::from(value)) {
        return Ok(Cell::int(value));
    }
    let (min, max) = int.range();
    Err(Error::data(at, format!("{value} is out of range: the type has {min} to {max}")))
}
