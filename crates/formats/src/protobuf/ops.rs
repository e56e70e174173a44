//! The fields of a message as a small table, for the loops that do most of the work.
//!
//! An [`Op`] says all that reading and writing a usual field takes: its tag as it stands in the bytes, what follows it,
//! and where in a record's run its cell and state are. What has no code of its own is left to the general path, which
//! goes by the [`FieldPlan`] at the same place.

use wirewise_core::{Cell, Int, Kind, Record, Schema, State};

use super::plan::{FieldPlan, Layout, Message, MessageKind, Presence, Scalar, Shape, Value, is_labelled};

/// What a field holds. From [`Code::ClosedEnum`] on, it takes more than the bytes to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
#[repr(u8)]
pub(super) enum Code {
    /// Something that only the general path knows.
    Other,
    Bool,
    /// A varint of 64 bits, signed or not.
    Int64,
    Int32,
    Uint32,
    Sint64,
    Sint32,
    /// 64 bits as they are: numbers and doubles.
    Word64,
    /// 32 bits, unsigned: also floats.
    Word32,
    /// 32 bits, signed.
    Sword32,
    String,
    Bytes,
    /// An open enum.
    Enum,
    /// A closed enum: a number without a symbol is not a value of it.
    ClosedEnum,
    /// A message that is a record at `place`.
    Record,
    Strings,
    Blobs,
    Records,
    /// A packed list of numbers.
    Packed,
}

/// The field can be absent or null.
pub(super) const STATEFUL: u8 = 1;
/// It has the label `required`, so that it matters whether a zero has come.
pub(super) const LABELLED: u8 = 2;
/// It is a member of a oneof.
pub(super) const RIVALS: u8 = 4;
/// It is not written when it is zero.
pub(super) const IMPLICIT: u8 = 8;
/// It can be absent, so that a null is a loss.
pub(super) const OPTIONAL: u8 = 16;

#[derive(Debug, Clone, Copy)]
pub(super) struct Op {
    /// The tag as bytes, first byte lowest, and which bits of the first four bytes it takes.
    pub(super) tag: u32,
    pub(super) mask: u32,
    pub(super) tag_len: u8,
    pub(super) code: Code,
    pub(super) flags: u8,
    /// The bits of its state in their word.
    pub(super) shift: u8,
    /// Its cell and the word of its state, in the record's run.
    pub(super) slot: u32,
    pub(super) word: u32,
    /// The message, of records.
    pub(super) place: u32,
}

/// A field is null that can be absent, which is the same here: a loss.
#[derive(Debug)]
pub(super) struct Null;

/// The ops of a message, and what goes with them.
#[derive(Debug, Default)]
pub(super) struct Ops {
    /// In the order of [`Message::fields`]; none for what is not a record.
    pub(super) ops: Vec<Op>,
    /// Place plus one of the field with this tag, for short tags.
    tags: Vec<u16>,
    /// Cells of the record's run.
    pub(super) cells: usize,
    /// Words of states, and the low bits of those that are null when nothing has come.
    pub(super) nulls: Vec<(usize, u64)>,
    /// Whether something is to be looked at when a message has been read.
    pub(super) closes: bool,
    /// Whether all fields are numbers and texts, of which each may be there, whatever the others are.
    pub(super) flat: bool,
    /// Whether it also is a run of zeros when all fields are missing.
    pub(super) plain: bool,
}

/// Tags below this are found by index.
const TAGS: u32 = 2048;

impl Ops {
    /// Compiles the ops of one of the messages.
    pub(super) fn new(message: &Message, messages: &[Message], schema: &Schema) -> Ops {
        let Kind::Record(record) = schema.kind(message.ty) else { return Ops::default() };
        if message.kind != MessageKind::Record {
            return Ops::default();
        }
        let ops: Vec<Op> = message.fields.iter().map(|plan| Op::new(plan, record, messages, schema)).collect();
        let mut tags = Vec::new();
        for (i, plan) in message.fields.iter().enumerate() {
            let tag = plan.number << 3 | u32::from(plan.tag[0] & 7);
            if tag >= TAGS {
                break;
            }
            tags.resize(tag as usize + 1, 0);
            tags[tag as usize] = i as u16 + 1;
        }
        let mut nulls: Vec<(usize, u64)> = Vec::new();
        for &position in &message.nulls {
            let (word, bit) = (position / 32, 1 << (position % 32 * 2));
            match nulls.last_mut() {
                Some((last, bits)) if *last == word => *bits |= bit,
                _ => nulls.push((word, bit)),
            }
        }
        let closes =
            !nulls.is_empty() || !message.finish.is_empty() || record.oneofs.iter().any(|oneof| oneof.required);
        let scalar = |op: &Op| (Code::Bool..Code::Enum).contains(&op.code) && op.flags & RIVALS == 0;
        let flat = !ops.is_empty() && ops.iter().all(scalar);
        let plain = flat && !closes && message.prefilled.is_empty();
        Ops { ops, tags, cells: record.cells(), nulls, closes, flat, plain }
    }

    /// The place of the field whose tag these bytes begin with.
    #[inline(always)]
    pub(super) fn find(&self, word: u64) -> Option<usize> {
        let tag = if word & 0x80 == 0 {
            word & 0x7f
        } else if word & 0x8000 == 0 {
            word & 0x7f | word >> 1 & 0x3f80
        } else {
            return None;
        };
        usize::from(*self.tags.get(tag as usize)?).checked_sub(1)
    }
}

impl Op {
    /// Its tag, to be written.
    #[inline(always)]
    pub(super) fn head(&self) -> ([u8; 4], usize) {
        (self.tag.to_le_bytes(), self.tag_len.into())
    }

    /// The field's cell, given its record's run, if it has a value that is written.
    #[inline(always)]
    pub(super) fn written(&self, cells: &[Cell]) -> Result<Option<Cell>, Null> {
        if self.flags & STATEFUL != 0 {
            let state = cells[self.word as usize].as_u64() >> self.shift & 3;
            if state == State::Null as u64 && self.flags & OPTIONAL != 0 {
                return Err(Null);
            }
            if state != State::Present as u64 {
                return Ok(None);
            }
        }
        let cell = cells[self.slot as usize];
        Ok((self.flags & IMPLICIT == 0 || cell != Cell::EMPTY).then_some(cell))
    }

    fn new(plan: &FieldPlan, record: &Record, messages: &[Message], schema: &Schema) -> Op {
        let mut tag = [0; 4];
        let short = plan.tag.len() <= 4;
        if short {
            tag[..plan.tag.len()].copy_from_slice(&plan.tag);
        }
        let (code, place) = match plan.layout {
            // Five bytes of tag are not worth a thought.
            _ if !short => (Code::Other, 0),
            Layout::Group => (Code::Other, 0),
            Layout::Plain => plain(plan.shape, messages, schema),
            Layout::Packed => packed(plan.shape, schema),
        };
        let field = &record.fields[plan.position];
        let mut flags = 0;
        if field.is_stateful() {
            flags |= STATEFUL;
        } else if is_labelled(field) {
            flags |= LABELLED;
        }
        if field.is_optional() {
            flags |= OPTIONAL;
        }
        if plan.oneof.is_some() {
            flags |= RIVALS;
        }
        if plan.presence == Presence::Implicit {
            flags |= IMPLICIT;
        }
        Op {
            tag: u32::from_le_bytes(tag),
            mask: if short { u32::MAX >> (32 - 8 * plan.tag.len()) } else { 0 },
            tag_len: plan.tag.len() as u8,
            code,
            flags,
            shift: (plan.position % 32 * 2) as u8,
            slot: (record.state_words() + plan.position) as u32,
            word: (plan.position / 32) as u32,
            place,
        }
    }
}

fn plain(shape: Shape, messages: &[Message], schema: &Schema) -> (Code, u32) {
    let is_record = |place: usize| messages[place].kind == MessageKind::Record;
    match shape {
        Shape::One(Value::Scalar(scalar)) => (scalar_code(scalar, schema), 0),
        Shape::One(Value::Message(place)) if is_record(place) => (Code::Record, place as u32),
        Shape::Repeated(Value::Scalar(Scalar::String)) => (Code::Strings, 0),
        Shape::Repeated(Value::Scalar(Scalar::Bytes)) => (Code::Blobs, 0),
        Shape::Repeated(Value::Message(place)) if is_record(place) => (Code::Records, place as u32),
        _ => (Code::Other, 0),
    }
}

fn packed(shape: Shape, schema: &Schema) -> (Code, u32) {
    let Shape::Repeated(Value::Scalar(scalar)) = shape else { return (Code::Other, 0) };
    match scalar_code(scalar, schema) {
        Code::Other | Code::ClosedEnum => (Code::Other, 0),
        _ => (Code::Packed, 0),
    }
}

fn scalar_code(scalar: Scalar, schema: &Schema) -> Code {
    match scalar {
        Scalar::Bool => Code::Bool,
        Scalar::Int(Int::I64 | Int::U64) => Code::Int64,
        Scalar::Int(Int::I32) => Code::Int32,
        Scalar::Int(Int::U32) => Code::Uint32,
        Scalar::ZigZag(Int::I64) => Code::Sint64,
        Scalar::ZigZag(Int::I32) => Code::Sint32,
        Scalar::Word(Int::I64 | Int::U64) | Scalar::Double => Code::Word64,
        Scalar::Word(Int::U32) | Scalar::Float => Code::Word32,
        Scalar::Word(Int::I32) => Code::Sword32,
        Scalar::String => Code::String,
        Scalar::Bytes => Code::Bytes,
        Scalar::Enum(ty) => match schema.kind(ty) {
            Kind::Enum(e) if e.closed => Code::ClosedEnum,
            _ => Code::Enum,
        },
        // Integers of 8 and 16 bits are not Protobuf's own; the rest is rare.
        Scalar::Int(_) | Scalar::ZigZag(_) | Scalar::Word(_) | Scalar::Null | Scalar::Fixed(_) | Scalar::Any => {
            Code::Other
        }
    }
}
