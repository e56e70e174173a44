//! Lowering: every type of a schema as Protobuf would declare it.
//!
//! Three kinds of message come out of it. Records are messages. Unions are messages with a `oneof`. And where Protobuf
//! has no way to say what the schema says (a list that may be absent, a list of lists, a null among the elements), a
//! *wrapper* says it: a message whose only field, number 1, is the value. A map's entries are messages too, but they
//! always look the same, so they need no table.

use std::collections::HashMap;

use wirewise_core::{Error, ErrorKind, Field, Float, Int, Kind, Result, Schema, TypeId};

use super::wire::{WireType, write_varint};

/// A schema, lowered.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) messages: Vec<Message>,
    /// The message that the whole payload is.
    pub(super) root: usize,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: MessageKind,
    /// The record, the union, or what the wrapper wraps.
    pub(super) ty: TypeId,
    /// In the order of their numbers: the order in which they are written.
    pub(super) fields: Vec<FieldPlan>,
    /// Place in `fields` plus one, by number, for small numbers.
    direct: Vec<u16>,
    /// Positions of fields with a default, which is set before anything is read.
    pub(super) prefilled: Vec<usize>,
    /// Fields to look at when a message has been read.
    pub(super) finish: Vec<(usize, Finish)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    Record,
    Union,
    Wrapper,
}

/// What to do about a field that did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// It is null.
    Null,
    /// It is an `Any` that is null.
    AnyNull,
    /// It is an error: a required message, or bytes of a fixed size, has no zero value that is left out.
    Missing,
}

/// A field, or a branch of a `oneof`.
#[derive(Debug)]
pub(super) struct FieldPlan {
    pub(super) number: u32,
    /// Its position in the record or union; 0 in a wrapper.
    pub(super) position: usize,
    /// Its tag, as written.
    pub(super) tag: Vec<u8>,
    pub(super) shape: Shape,
    pub(super) presence: Presence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Left out when it is zero or empty: proto3's fields without a label, lists and maps.
    Implicit,
    /// Written whenever the record has it: fields with the label `optional`, messages, branches of a `oneof`.
    Explicit,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    One(Value),
    Repeated(Value),
    Map(Scalar, Value),
}

/// What one occurrence of a field holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value {
    Scalar(Scalar),
    /// Its place in [`Plan::messages`].
    Message(usize),
}

/// What is not a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    /// `NullValue`, an enum whose only number is 0.
    Null,
    Bool,
    /// `int32`, `uint32`, `int64` or `uint64`.
    Int(Int),
    Float,
    Double,
    String,
    Bytes,
    /// `bytes` of this length.
    Fixed(u32),
    Enum(TypeId),
    /// `string` of JSON text.
    Any,
}

impl Scalar {
    pub(super) fn wire_type(self) -> WireType {
        match self {
            Scalar::Null | Scalar::Bool | Scalar::Int(_) | Scalar::Enum(_) => WireType::Varint,
            Scalar::Float => WireType::I32,
            Scalar::Double => WireType::I64,
            Scalar::String | Scalar::Bytes | Scalar::Fixed(_) | Scalar::Any => WireType::Len,
        }
    }

    /// Whether a list of these is one field with all elements in it.
    pub(super) fn is_packed(self) -> bool {
        self.wire_type() != WireType::Len
    }
}

impl Value {
    pub(super) fn wire_type(self) -> WireType {
        match self {
            Value::Scalar(scalar) => scalar.wire_type(),
            Value::Message(_) => WireType::Len,
        }
    }
}

impl Message {
    /// The field with this number. `guess` is the place where fields in order would have it.
    #[inline]
    pub(super) fn field(&self, number: u32, guess: usize) -> Option<usize> {
        if self.fields.get(guess).is_some_and(|field| field.number == number) {
            return Some(guess);
        }
        match self.direct.get(number as usize) {
            Some(0) => None,
            Some(&place) => Some(place as usize - 1),
            None => self.fields.binary_search_by_key(&number, |field| field.number).ok(),
        }
    }
}

/// Numbers below this are found by index.
const DIRECT: u32 = 256;

impl Plan {
    /// Lowers what messages of type `root` need.
    pub(super) fn new(schema: &Schema, root: TypeId) -> Result<Plan> {
        let mut lowering = Lowering { schema, messages: Vec::new(), places: HashMap::new(), todo: Vec::new() };
        let root = match schema.kind(root) {
            Kind::Record(_) => lowering.place(MessageKind::Record, root),
            Kind::Union(_) => lowering.place(MessageKind::Union, root),
            _ => lowering.place(MessageKind::Wrapper, root),
        };
        // A list of work instead of recursion: schemas may nest deeper than the stack.
        while let Some(place) = lowering.todo.pop() {
            lowering.fill(place)?;
        }
        Ok(Plan { messages: lowering.messages, root })
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    messages: Vec<Message>,
    places: HashMap<(bool, TypeId), usize>,
    todo: Vec<usize>,
}

impl Lowering<'_> {
    fn place(&mut self, kind: MessageKind, ty: TypeId) -> usize {
        let (messages, todo) = (&mut self.messages, &mut self.todo);
        *self.places.entry((kind == MessageKind::Wrapper, ty)).or_insert_with(|| {
            let (fields, direct, prefilled, finish) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            messages.push(Message { kind, ty, fields, direct, prefilled, finish });
            todo.push(messages.len() - 1);
            messages.len() - 1
        })
    }

    fn fill(&mut self, place: usize) -> Result<()> {
        let schema = self.schema;
        let Message { kind, ty, .. } = self.messages[place];
        let (mut fields, mut prefilled, mut finish) = (Vec::new(), Vec::new(), Vec::new());
        match (kind, schema.kind(ty)) {
            (MessageKind::Record, Kind::Record(record)) => {
                for (position, field) in record.fields.iter().enumerate() {
                    fields.push(self.field(field.number, position, field.ty, Some(field))?);
                    // A null that is left out must come back as null, so a nullable field's default is not taken.
                    let default = field.default.is_some() && (field.is_optional() || !field.is_nullable());
                    if default || !field.is_stateful() && !self.is_zero_when_missing(field.ty, None) {
                        prefilled.push(position);
                    }
                    if !field.is_optional() {
                        finish.extend(self.finish(field.ty).map(|finish| (position, finish)));
                    }
                }
            }
            (MessageKind::Union, Kind::Union(union)) => {
                for (position, branch) in union.branches.iter().enumerate() {
                    let value = self.value(branch.ty)?;
                    fields.push(field_plan(branch.number, position, Shape::One(value), Presence::Explicit));
                }
            }
            _ => {
                fields.push(self.field(1, 0, ty, None)?);
                finish.extend(self.finish(ty).map(|finish| (0, finish)));
            }
        }
        fields.sort_by_key(|field| field.number);
        let message = &mut self.messages[place];
        for (i, field) in fields.iter().enumerate().take_while(|(_, field)| field.number < DIRECT) {
            message.direct.resize(field.number as usize + 1, 0);
            message.direct[field.number as usize] = i as u16 + 1;
        }
        (message.fields, message.prefilled, message.finish) = (fields, prefilled, finish);
        Ok(())
    }

    /// A field of type `ty`; that of a wrapper has no [`Field`].
    fn field(&mut self, number: u32, position: usize, ty: TypeId, field: Option<&Field>) -> Result<FieldPlan> {
        let schema = self.schema;
        let (inner, nullable) = match schema.kind(ty) {
            Kind::Nullable(inner) => (*inner, true),
            _ => (ty, false),
        };
        let stateful = nullable || field.is_some_and(Field::is_optional);
        let shape = match schema.kind(inner) {
            Kind::List(item) if !stateful => Shape::Repeated(self.value(*item)?),
            Kind::Map(key, value) if !stateful => Shape::Map(self.scalar(*key)?, self.value(*value)?),
            _ => Shape::One(self.value(inner)?),
        };
        let presence = match shape {
            Shape::Repeated(_) | Shape::Map(..) => Presence::Implicit,
            Shape::One(Value::Message(_)) => Presence::Explicit,
            _ if stateful => Presence::Explicit,
            // What reads as something else than zero when it is left out must not be left out.
            Shape::One(Value::Scalar(Scalar::Any)) => Presence::Explicit,
            Shape::One(_) if self.is_zero_when_missing(inner, field) => Presence::Implicit,
            Shape::One(_) => Presence::Explicit,
        };
        Ok(field_plan(number, position, shape, presence))
    }

    /// What one occurrence of a field of this type holds: an element, a map's value, a branch.
    fn value(&mut self, ty: TypeId) -> Result<Value> {
        Ok(match self.schema.kind(ty) {
            Kind::Record(_) => Value::Message(self.place(MessageKind::Record, ty)),
            Kind::Union(_) => Value::Message(self.place(MessageKind::Union, ty)),
            Kind::List(_) | Kind::Map(..) | Kind::Nullable(_) => Value::Message(self.place(MessageKind::Wrapper, ty)),
            _ => Value::Scalar(self.scalar(ty)?),
        })
    }

    fn scalar(&self, ty: TypeId) -> Result<Scalar> {
        Ok(match self.schema.kind(ty) {
            Kind::Null => Scalar::Null,
            Kind::Bool => Scalar::Bool,
            Kind::Int(int) => Scalar::Int(*int),
            Kind::Float(Float::F32) => Scalar::Float,
            Kind::Float(Float::F64) => Scalar::Double,
            Kind::String => Scalar::String,
            Kind::Bytes => Scalar::Bytes,
            Kind::Fixed(size) => Scalar::Fixed(*size),
            Kind::Any => Scalar::Any,
            Kind::Enum(e) => {
                if let Some(symbol) = e.symbols.iter().find(|symbol| i32::try_from(symbol.number).is_err()) {
                    let what = format!("symbol {} of enum {} has number {}", symbol.name, e.name, symbol.number);
                    return Err(Error::new(ErrorKind::Unsupported, what).hint("Protobuf's enums are 32 bits wide"));
                }
                Scalar::Enum(ty)
            }
            _ => unreachable!("the schema model has no other scalars"),
        })
    }

    /// Whether a required scalar that is left out reads as zero: it has no other default, and an enum's first symbol,
    /// which it then is, has the number 0.
    fn is_zero_when_missing(&self, ty: TypeId, field: Option<&Field>) -> bool {
        let default = field.and_then(|field| field.default.as_ref());
        match (self.schema.kind(ty), default) {
            (Kind::Enum(e), Some(default)) => {
                let position = default.as_str().and_then(|name| e.position_of(name.as_bytes()));
                position.is_some_and(|position| e.symbols[position].number == 0)
            }
            (Kind::Enum(e), None) => e.symbols[0].number == 0,
            (_, None) => true,
            (Kind::Float(_), Some(default)) => default.as_f64().is_some_and(|value| value.to_bits() == 0),
            (_, Some(default)) => default.is_null() || default == false || default == 0 || default == "",
        }
    }

    fn finish(&self, ty: TypeId) -> Option<Finish> {
        match self.schema.kind(ty) {
            Kind::Nullable(_) => Some(Finish::Null),
            Kind::Any => Some(Finish::AnyNull),
            Kind::Record(_) | Kind::Union(_) => Some(Finish::Missing),
            Kind::Fixed(size) if *size > 0 => Some(Finish::Missing),
            _ => None,
        }
    }
}

fn field_plan(number: u32, position: usize, shape: Shape, presence: Presence) -> FieldPlan {
    let wire_type = match shape {
        Shape::One(value) => value.wire_type(),
        Shape::Repeated(Value::Scalar(scalar)) if scalar.is_packed() => WireType::Len,
        Shape::Repeated(value) => value.wire_type(),
        Shape::Map(..) => WireType::Len,
    };
    let mut tag = Vec::new();
    write_varint(u64::from(number) << 3 | wire_type as u64, &mut tag);
    FieldPlan { number, position, tag, shape, presence }
}
