//! Writing messages.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Kind, LossKind, LossName, Losses, Record, RecordView, Result, State,
};

use super::plan::{FieldPlan, Layout, Message, MessageKind, Presence, Scalar, Shape, Value};
use super::wire::{WireType, write_prefixed, write_varint};
use super::{Payload, ProtobufCodec};
use crate::json::any_to_text;

pub(super) fn write(
    codec: &ProtobufCodec,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    let mut writer = Writer { codec, document, losses };
    let root = codec.plan.root;
    match codec.payload {
        Payload::Message => {
            let start = out.len();
            writer.message(root, document.root(), out)?;
            check_size(out.len() - start)
        }
        Payload::Delimited => writer.delimited(root, document.root(), out),
        Payload::Stream => {
            let mut items = document.list(document.root()).iter().enumerate();
            items.try_for_each(|(i, &item)| writer.delimited(root, item, out).map_err(|error| error.in_index(i)))
        }
    }
}

/// Protobuf's implementations read messages of less than 2 GiB.
fn check_size(len: usize) -> Result<()> {
    if i32::try_from(len).is_ok() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Unsupported, format!("the message would have {len} bytes, more than Protobuf allows"))
        .hint("a message has less than 2 GiB: split it into several"))
}

struct Writer<'a> {
    codec: &'a ProtobufCodec,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
}

impl Writer<'_> {
    fn delimited(&mut self, place: usize, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        write_prefixed(out, |out| self.message(place, cell, out))?;
        check_size(out.len() - start)
    }

    fn message(&mut self, place: usize, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let message = &self.codec.plan.messages[place];
        let kind = self.codec.schema.kind(message.ty);
        match (message.kind, kind) {
            (MessageKind::Record, Kind::Record(record)) => self.record(message, record, cell, out),
            (MessageKind::Union, Kind::Union(union)) => {
                let (position, value) = self.document.union(cell);
                // Branches are nearly always in the order of their numbers.
                let direct = message.fields.get(position).filter(|field| field.position == position);
                let field = direct.or_else(|| message.fields.iter().find(|field| field.position == position));
                let field = field.expect("every branch is planned");
                self.field(field, value, out).map_err(|error| error.in_field(&union.branches[position].name))
            }
            (_, Kind::Nullable(_)) => match self.document.boxed(cell) {
                None => Ok(()),
                Some(cell) => self.field(&message.fields[0], cell, out),
            },
            _ => self.field(&message.fields[0], cell, out),
        }
    }

    fn record(&mut self, message: &Message, record: &Record, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let view = self.document.record(record, cell);
        if !record.oneofs.is_empty() {
            check_oneofs(message, record, &view)?;
        }
        for plan in &message.fields {
            if self.is_left_out(plan, record, &view)? {
                continue;
            }
            let written = self.field(plan, view.cell(plan.position), out);
            written.map_err(|error| error.in_field(&record.fields[plan.position].name))?;
        }
        Ok(())
    }

    /// Whether a field is absent, or null where that is the same.
    fn is_left_out(&mut self, plan: &FieldPlan, record: &Record, view: &RecordView<'_>) -> Result<bool> {
        match view.state(plan.position) {
            State::Present => return Ok(false),
            State::Absent => {}
            State::Null => {
                let field = &record.fields[plan.position];
                if field.is_optional() {
                    let name = LossName::Name(&field.name);
                    let noted = self.losses.note(LossKind::NullAsAbsent, record.type_id(), name);
                    noted.map_err(|error| error.in_field(&field.name))?;
                }
            }
        }
        Ok(true)
    }

    /// Writes a field that has a value: its tag and the value, for each element where it has several.
    fn field(&mut self, plan: &FieldPlan, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
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
                out.extend_from_slice(&plan.tag);
                write_prefixed(out, |out| {
                    let mut items = items.iter().enumerate();
                    items.try_for_each(|(i, &item)| self.scalar(scalar, item, out).map_err(|e| e.in_index(i)))
                })
            }
            Shape::Repeated(value) => {
                for (i, &item) in self.document.list(cell).iter().enumerate() {
                    self.occurrence(plan, value, item, out).map_err(|error| error.in_index(i))?;
                }
                Ok(())
            }
            Shape::Map(key, value) => {
                for pair in self.document.map(cell).chunks_exact(2) {
                    out.extend_from_slice(&plan.tag);
                    write_prefixed(out, |out| {
                        out.push(tag_byte(1, key.wire_type()));
                        self.scalar(key, pair[0], out)?;
                        out.push(tag_byte(2, value.wire_type()));
                        self.value(value, pair[1], out).map_err(|error| self.in_entry(error, key, pair[0]))
                    })?;
                }
                Ok(())
            }
        }
    }

    /// Writes a tag and a value.
    #[inline]
    fn occurrence(&mut self, plan: &FieldPlan, value: Value, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(&plan.tag);
        match value {
            Value::Message(place) if plan.layout == Layout::Group => {
                self.message(place, cell, out)?;
                write_varint(u64::from(plan.number) << 3 | WireType::EndGroup as u64, out);
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
    fn value(&mut self, value: Value, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        match value {
            Value::Scalar(scalar) => self.scalar(scalar, cell, out),
            Value::Message(place) => write_prefixed(out, |out| self.message(place, cell, out)),
        }
    }

    #[inline]
    fn scalar(&mut self, scalar: Scalar, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        match scalar {
            Scalar::Null => out.push(0),
            Scalar::Bool => out.push(cell.as_bool().into()),
            // A negative int32 is ten bytes long, as if it were an int64: so that one can become the other.
            Scalar::Int(_) => write_varint(cell.as_u64(), out),
            Scalar::ZigZag(_) => write_varint((cell.as_i64() << 1 ^ cell.as_i64() >> 63) as u64, out),
            Scalar::Word(int) if int.bits() == 64 => out.extend_from_slice(&cell.as_u64().to_le_bytes()),
            Scalar::Word(_) => out.extend_from_slice(&(cell.as_u64() as u32).to_le_bytes()),
            Scalar::Float => out.extend_from_slice(&cell.as_f32().to_bits().to_le_bytes()),
            Scalar::Double => out.extend_from_slice(&cell.as_f64().to_bits().to_le_bytes()),
            Scalar::String | Scalar::Bytes | Scalar::Fixed(_) => {
                let bytes = self.document.bytes(cell);
                write_varint(bytes.len() as u64, out);
                out.extend_from_slice(bytes);
            }
            Scalar::Enum(_) => {
                if i32::try_from(cell.as_i64()).is_err() {
                    let what = format!("the enum's number {} does not fit 32 bits", cell.as_i64());
                    return Err(Error::new(ErrorKind::Unsupported, what).hint("Protobuf's enums are 32 bits wide"));
                }
                write_varint(cell.as_u64(), out);
            }
            Scalar::Any => return write_prefixed(out, |out| any_to_text(self.document, cell, out)),
        }
        Ok(())
    }
}

/// Checks that of each oneof one field is there at most, and one exactly where that is required: the bytes would
/// otherwise say something else.
fn check_oneofs(message: &Message, record: &Record, view: &RecordView<'_>) -> Result<()> {
    for (oneof, members) in record.oneofs.iter().zip(&message.oneofs) {
        let mut there = members.iter().filter(|&&position| view.state(position) != State::Absent);
        let name = |position: &usize| &record.fields[*position].name;
        match (there.next(), there.next()) {
            (Some(first), Some(second)) => {
                let (first, second, oneof) = (name(first), name(second), &oneof.name);
                let what = format!("{first:?} and {second:?} are both there, but oneof {oneof:?} takes one of them");
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
