//! Writing messages.

use wirewise_core::{Cell, Document, Error, ErrorKind, Kind, LossKind, LossName, Losses, Out, Result, State, varint};

use super::ops::{Code, IMPLICIT, Null, Op};
use super::plan::{FieldPlan, Layout, Message, MessageKind, Presence, Scalar, Shape, Value};
use super::wire::{WireType, begin_prefixed, end_prefixed, write_prefixed};
use super::{Payload, ProtobufCodec};
use crate::json::any_to_text;

pub(super) fn write(
    codec: &ProtobufCodec,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    let mut writer = Writer { codec, document, losses, long: 0 };
    let root = codec.plan.root;
    let out = &mut Out::new(out);
    match codec.payload {
        Payload::Message => {
            let start = out.len();
            writer.root(document.root(), out)?;
            check_size(out.len() - start)
        }
        Payload::Delimited => writer.delimited(root, document.root(), out),
        Payload::Stream => {
            let mut items = document.list(document.root()).iter().enumerate();
            items.try_for_each(|(i, &item)| writer.delimited(root, item, out).map_err(|error| error.in_index(i)))
        }
    }
}

/// After a message of so many bytes, two are kept free for the length of the next one of its type, until one has less than
/// 128. Not before: where messages have about 128 bytes, now one and now two are right, and guessing costs time.
const LONG: usize = 512;

/// Protobuf's implementations read messages of less than 2 GiB.
fn check_size(len: usize) -> Result<()> {
    if i32::try_from(len).is_ok() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Unsupported, format!("the message would have {len} bytes, more than Protobuf allows"))
        .hint("a message has less than 2 GiB: split it into several"))
}

pub(super) struct Writer<'a> {
    codec: &'a ProtobufCodec,
    pub(super) document: &'a Document<'a>,
    losses: &'a mut Losses,
    /// Which messages were long when they last were in a field: a bit for each place, modulo 64.
    long: u64,
}

impl Writer<'_> {
    fn delimited(&mut self, place: usize, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let start = out.len();
        self.prefixed(place, cell, out)?;
        check_size(out.len() - start)
    }

    /// Writes a message after its length.
    #[inline(always)]
    fn prefixed(&mut self, place: usize, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        write_prefixed(out, |out| self.message(place, cell, out))
    }

    /// Writes a tag, and a message after its length. `long` says how many bytes are kept free for that: whether the last
    /// message of this type was long, and then whether this one is.
    #[inline(always)]
    fn tagged(
        &mut self,
        tag: ([u8; 4], usize),
        place: usize,
        long: &mut bool,
        cell: Cell,
        out: &mut Out<'_>,
    ) -> Result<()> {
        if *long {
            let content = begin_prefixed(tag, 2, out);
            self.message(place, cell, out)?;
            *long = end_prefixed(out, 2, content) >= 0x80;
        } else {
            let content = begin_prefixed(tag, 1, out);
            self.message(place, cell, out)?;
            *long = end_prefixed(out, 1, content) >= LONG;
        }
        Ok(())
    }

    /// Writes the tag and the message of a field that is no list.
    #[inline(always)]
    fn one(&mut self, op: &Op, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let bit = 1 << (op.place % 64);
        let before = self.long & bit != 0;
        let mut long = before;
        self.tagged(op.head(), op.place as usize, &mut long, cell, out)?;
        if long != before {
            self.long = if long { self.long | bit } else { self.long & !bit };
        }
        Ok(())
    }

    /// Writes the message that is the whole payload.
    fn root(&mut self, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let plan = &self.codec.plan;
        if !plan.steps.any() || self.document.has_unknown() {
            return self.message(plan.root, cell, out);
        }
        let done = plan.steps.write(self.document, cell, out);
        if plan.steps.all(done) { Ok(()) } else { self.rest(&plan.messages[plan.root], cell, done, out) }
    }

    /// Writes the fields of a record without oneofs and unknown fields from this place on. Its loop does what that of
    /// [`Writer::record`] does: with one body for both, people took 4 % longer.
    #[inline(never)]
    fn rest(&mut self, message: &Message, cell: Cell, from: usize, out: &mut Out<'_>) -> Result<()> {
        let table = &message.ops;
        let cells = self.document.run(cell, table.cells);
        for (place, op) in table.ops.iter().enumerate().skip(from) {
            let written = match op.written(cells) {
                Ok(Some(cell)) if scalar(self.document, op, cell, out) => continue,
                Ok(Some(cell)) => self.field(&message.fields[place], cell, out),
                Ok(None) => continue,
                Err(Null) => {
                    self.null(message, place)?;
                    continue;
                }
            };
            written.map_err(|error| self.in_field(message, place, error))?;
        }
        Ok(())
    }

    fn message(&mut self, place: usize, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let message = &self.codec.plan.messages[place];
        if message.kind == MessageKind::Record {
            return self.record(message, cell, out);
        }
        match (message.kind, self.codec.schema.kind(message.ty)) {
            (MessageKind::Set, Kind::Record(record)) => self.message_set(message, record, cell, out),
            (MessageKind::Union, Kind::Union(union)) => {
                let (position, value) = self.document.union(cell);
                // Branches are nearly always in the order of their numbers.
                let direct = message.fields.get(position).filter(|field| field.position == position);
                let field = direct.or_else(|| message.fields.iter().find(|field| field.position == position));
                let field = field.expect("every branch is planned");
                self.field(field, value, out).map_err(|error| error.in_field(&union.branches[position].name))?;
                self.unknown(cell, out);
                Ok(())
            }
            (_, Kind::Nullable(_)) => match self.document.boxed(cell) {
                None => Ok(()),
                Some(cell) => self.field(&message.fields[0], cell, out),
            },
            _ => self.field(&message.fields[0], cell, out),
        }
    }

    fn record(&mut self, message: &Message, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let table = &message.ops;
        let cells = self.document.run(cell, table.cells);
        if !message.oneofs.is_empty() {
            self.check_oneofs(message, cell)?;
        }
        for (place, op) in table.ops.iter().enumerate() {
            let cell = match op.written(cells) {
                Ok(Some(cell)) => cell,
                Ok(None) => continue,
                Err(Null) => {
                    self.null(message, place)?;
                    continue;
                }
            };
            if scalar(self.document, op, cell, out) {
                continue;
            }
            let written = match op.code {
                Code::Strings | Code::Blobs => {
                    self.document.list(cell).iter().for_each(|&item| text(self.document, op, item, out));
                    Ok(())
                }
                Code::Record => self.one(op, cell, out),
                Code::Records => self.records(op.head(), op.place as usize, cell, out),
                _ => self.field(&message.fields[place], cell, out),
            };
            written.map_err(|error| self.in_field(message, place, error))?;
        }
        self.unknown(cell, out);
        Ok(())
    }

    /// Writes a list of records.
    #[inline(never)]
    fn records(&mut self, tag: ([u8; 4], usize), place: usize, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let items = self.document.list(cell);
        let inner = &self.codec.plan.messages[place].ops;
        let mut done = 0;
        if inner.flat && !self.document.has_unknown() {
            let document = self.document;
            done = out.local(|out| {
                for (i, &item) in items.iter().enumerate() {
                    let start = out.len();
                    let content = begin_prefixed(tag, 1, out);
                    if !flat_record(document, &inner.ops, document.run(item, inner.cells), out) {
                        out.truncate(start);
                        return i;
                    }
                    end_prefixed(out, 1, content);
                }
                items.len()
            });
        }
        let mut long = false;
        for (i, &item) in items.iter().enumerate().skip(done) {
            self.tagged(tag, place, &mut long, item, out).map_err(|error| error.in_index(i))?;
        }
        Ok(())
    }

    /// Writes the fields that came unknown, where they were kept.
    #[inline(always)]
    pub(super) fn unknown(&self, cell: Cell, out: &mut Out<'_>) {
        if self.document.has_unknown() {
            self.kept(cell, out);
        }
    }

    #[cold]
    #[inline(never)]
    fn kept(&self, cell: Cell, out: &mut Out<'_>) {
        self.document.unknown(cell).for_each(|bytes| out.bytes(bytes));
    }

    #[cold]
    fn in_field(&self, message: &Message, place: usize, error: Error) -> Error {
        match self.codec.schema.kind(message.ty) {
            Kind::Record(record) => error.in_field(&record.fields[message.fields[place].position].name),
            _ => error,
        }
    }

    /// Notes a null in a field that could have been absent, which is the same here.
    #[cold]
    fn null(&mut self, message: &Message, place: usize) -> Result<()> {
        let Kind::Record(record) = self.codec.schema.kind(message.ty) else { unreachable!("planned as a record") };
        let name = &record.fields[message.fields[place].position].name;
        let noted = self.losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(name));
        noted.map_err(|error| error.in_field(name))
    }

    /// Checks that of each oneof one field is there at most, and one exactly where that is required: the bytes would
    /// otherwise say something else.
    fn check_oneofs(&self, message: &Message, cell: Cell) -> Result<()> {
        let Kind::Record(record) = self.codec.schema.kind(message.ty) else { unreachable!("planned as a record") };
        let view = self.document.record(record, cell);
        for (oneof, members) in record.oneofs.iter().zip(&message.oneofs) {
            let mut there = members.iter().filter(|&&position| view.state(position) != State::Absent);
            let name = |position: &usize| &record.fields[*position].name;
            match (there.next(), there.next()) {
                (Some(first), Some(second)) => {
                    let (first, second, oneof) = (name(first), name(second), &oneof.name);
                    let what =
                        format!("{first:?} and {second:?} are both there, but oneof {oneof:?} takes one of them");
                    return Err(Error::new(ErrorKind::Data, what));
                }
                (None, _) if oneof.required => {
                    let what = format!("none of the fields of oneof {:?} of {} is there", oneof.name, record.name);
                    return Err(Error::new(ErrorKind::Data, what));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes a field that has a value: its tag and the value, for each element where it has several.
    fn field(&mut self, plan: &FieldPlan, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        match plan.shape {
            Shape::One(value) => {
                if plan.presence == Presence::Implicit && is_zero(value, cell) {
                    return Ok(());
                }
                self.occurrence(plan, value, cell, out)
            }
            Shape::Repeated(Value::Scalar(scalar)) if plan.layout == Layout::Packed => {
                let items = self.document.list(cell);
                if items.is_empty() {
                    return Ok(());
                }
                out.bytes(&plan.tag);
                self.packed(scalar, items, out)
            }
            Shape::Repeated(Value::Message(place)) if plan.layout == Layout::Plain && plan.tag.len() <= 4 => {
                let mut tag = [0; 4];
                tag[..plan.tag.len()].copy_from_slice(&plan.tag);
                self.records((tag, plan.tag.len()), place, cell, out)
            }
            Shape::Repeated(value) => {
                for (i, &item) in self.document.list(cell).iter().enumerate() {
                    self.occurrence(plan, value, item, out).map_err(|error| error.in_index(i))?;
                }
                Ok(())
            }
            Shape::Map(key, value) => {
                for pair in self.document.map(cell).chunks_exact(2) {
                    out.bytes(&plan.tag);
                    write_prefixed(out, |out| {
                        out.byte(tag_byte(1, key.wire_type()));
                        self.scalar(key, pair[0], out)?;
                        out.byte(tag_byte(2, value.wire_type()));
                        self.value(value, pair[1], out).map_err(|error| self.in_entry(error, key, pair[0]))
                    })?;
                }
                Ok(())
            }
        }
    }

    /// Writes a list of numbers after its length.
    fn packed(&mut self, scalar: Scalar, items: &[Cell], out: &mut Out<'_>) -> Result<()> {
        match scalar.wire_type() {
            WireType::I64 => {
                out.varint(8 * items.len() as u64);
                items.iter().for_each(|item| out.array(item.as_u64().to_le_bytes()));
                Ok(())
            }
            WireType::I32 => {
                out.varint(4 * items.len() as u64);
                items.iter().for_each(|item| out.array((item.as_u64() as u32).to_le_bytes()));
                Ok(())
            }
            _ => write_prefixed(out, |out| match scalar {
                Scalar::Int(_) | Scalar::Bool => {
                    items.iter().for_each(|item| out.varint(item.as_u64()));
                    Ok(())
                }
                _ => {
                    let mut items = items.iter().enumerate();
                    items.try_for_each(|(i, &item)| self.scalar(scalar, item, out).map_err(|e| e.in_index(i)))
                }
            }),
        }
    }

    /// Writes a tag and a value.
    #[inline]
    fn occurrence(&mut self, plan: &FieldPlan, value: Value, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        out.bytes(&plan.tag);
        match value {
            Value::Message(place) if plan.layout == Layout::Group => {
                self.message(place, cell, out)?;
                out.varint(u64::from(plan.number) << 3 | WireType::EndGroup as u64);
                Ok(())
            }
            _ => self.value(value, cell, out),
        }
    }

    #[cold]
    fn in_entry(&self, error: Error, key: Scalar, cell: Cell) -> Error {
        match key {
            Scalar::String => error.in_key(self.document.bytes(cell)),
            key => error.in_key(key_text(key, cell).as_bytes()),
        }
    }

    #[inline]
    pub(super) fn value(&mut self, value: Value, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        match value {
            Value::Scalar(scalar) => self.scalar(scalar, cell, out),
            Value::Message(place) => self.prefixed(place, cell, out),
        }
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        match scalar {
            Scalar::Null => out.byte(0),
            Scalar::Bool => out.byte(cell.as_bool().into()),
            // A negative int32 is ten bytes long, as if it were an int64: so that one can become the other.
            Scalar::Int(_) => out.varint(cell.as_u64()),
            Scalar::ZigZag(_) => out.varint(varint::zigzag(cell.as_i64())),
            Scalar::Word(int) if int.bits() == 64 => out.array(cell.as_u64().to_le_bytes()),
            Scalar::Word(_) => out.array((cell.as_u64() as u32).to_le_bytes()),
            Scalar::Float => out.array(cell.as_f32().to_bits().to_le_bytes()),
            Scalar::Double => out.array(cell.as_f64().to_bits().to_le_bytes()),
            Scalar::String | Scalar::Bytes | Scalar::Fixed(_) => {
                out.varint(cell.len() as u64);
                self.document.copy(cell, out);
            }
            Scalar::Enum(_) => {
                if i32::try_from(cell.as_i64()).is_err() {
                    let what = format!("the enum's number {} does not fit 32 bits", cell.as_i64());
                    return Err(Error::new(ErrorKind::Unsupported, what).hint("Protobuf's enums are 32 bits wide"));
                }
                out.varint(cell.as_u64());
            }
            Scalar::Any => return write_prefixed(out, |out| out.with(|out| any_to_text(self.document, cell, out))),
        }
        Ok(())
    }
}

/// Writes a record of numbers and texts; `false` where a field takes more than its cell.
#[inline(always)]
fn flat_record(document: &Document<'_>, ops: &[Op], cells: &[Cell], out: &mut Out<'_>) -> bool {
    for op in ops {
        match op.written(cells) {
            Ok(Some(cell)) if !scalar(document, op, cell, out) => return false,
            Ok(_) => {}
            Err(Null) => return false,
        }
    }
    true
}

/// Writes a field that is a number or a text; `false` where it is neither.
#[inline(always)]
fn scalar(document: &Document<'_>, op: &Op, cell: Cell, out: &mut Out<'_>) -> bool {
    match op.code {
        Code::Bool => byte(op, cell.as_bool().into(), out),
        // A negative int32 is ten bytes long, as if it were an int64: so that one can become the other.
        Code::Int64 | Code::Int32 | Code::Uint32 => number(op, cell.as_u64(), out),
        Code::Sint64 | Code::Sint32 => number(op, varint::zigzag(cell.as_i64()), out),
        Code::Word64 => out.prefixes(op.head(), (cell.as_u64().to_le_bytes(), 8)),
        Code::Word32 | Code::Sword32 => out.prefixes(op.head(), ((cell.as_u64() as u32).to_le_bytes(), 4)),
        Code::String | Code::Bytes => {
            if op.flags & IMPLICIT == 0 || !cell.is_empty() {
                text(document, op, cell, out);
            }
        }
        _ => return false,
    }
    true
}

/// Writes a tag and a number of one byte.
#[inline(always)]
fn byte(op: &Op, value: u64, out: &mut Out<'_>) {
    let tag_len = usize::from(op.tag_len);
    out.prefix((u64::from(op.tag) | value << (8 * tag_len)).to_le_bytes(), tag_len + 1);
}

/// Writes a tag and a varint.
#[inline(always)]
fn number(op: &Op, value: u64, out: &mut Out<'_>) {
    if varint::is_byte(value) {
        byte(op, value, out);
    } else if value >> varint::WORD_BITS == 0 {
        let (word, len) = varint::word(value);
        out.prefixes(op.head(), (word.to_le_bytes(), len));
    } else {
        out.prefixes(op.head(), varint::bytes(value));
    }
}

/// Writes a tag and a text after its length.
#[inline(always)]
fn text(document: &Document<'_>, op: &Op, cell: Cell, out: &mut Out<'_>) {
    let len = cell.len();
    if len < 0x80 {
        byte(op, len as u64, out);
    } else {
        let (word, len) = varint::word(len as u64);
        out.prefixes(op.head(), (word.to_le_bytes(), len));
    }
    document.copy(cell, out);
}

/// A tag of a number below 16.
fn tag_byte(number: u8, wire_type: WireType) -> u8 {
    number << 3 | wire_type as u8
}

/// Whether proto3 leaves out a field without a label that has this value. Minus zero is not zero.
#[inline]
fn is_zero(value: Value, cell: Cell) -> bool {
    match value {
        Value::Scalar(Scalar::String | Scalar::Bytes | Scalar::Fixed(_)) => cell.is_empty(),
        Value::Scalar(Scalar::Null) => true,
        Value::Scalar(_) => cell == Cell::EMPTY,
        Value::Message(_) => false,
    }
}

/// The text of a map's key that is no string, for messages.
pub(super) fn key_text(key: Scalar, cell: Cell) -> String {
    match key {
        Scalar::Bool => cell.as_bool().to_string(),
        Scalar::Int(int) | Scalar::ZigZag(int) | Scalar::Word(int) if int.signed() => cell.as_i64().to_string(),
        _ => cell.as_u64().to_string(),
    }
}
