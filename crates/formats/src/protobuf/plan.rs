//! Lowering: every type of a schema as Protobuf would declare it.
//!
//! Three kinds of message come out of it. Records are messages. Unions are messages with a `oneof`. And where Protobuf
//! has no way to say what the schema says (a list that may be absent, a list of lists, a null among the elements), a
//! *wrapper* says it: a message whose only field, number 1, is the value. A map's entries are messages too, but they
//! always look the same, so they need no table.

use std::collections::HashMap;

use wirewise_core::{Error, ErrorKind, Field, Float, Int, Kind, Result, Schema, TypeId, varint};

use super::message_set;
use super::notes;
use super::ops::Ops;
use super::steps::Steps;
use super::wire::WireType;

/// A schema, lowered.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) messages: Vec<Message>,
    /// The message that the whole payload is.
    pub(super) root: usize,
    /// How its first fields are written.
    pub(super) steps: Steps,
}

/// A message.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: MessageKind,
    /// The record, the union, or what the wrapper wraps.
    pub(super) ty: TypeId,
    /// In the order of their numbers: the order in which they are written.
    pub(super) fields: Vec<FieldPlan>,
    /// Positions of fields with a default other than zero, which is set before anything is read.
    pub(super) prefilled: Vec<usize>,
    /// Positions of fields that are null when nothing has come, in order.
    pub(super) nulls: Vec<usize>,
    /// Fields to look at when a message has been read.
    pub(super) finish: Vec<(usize, Finish)>,
    /// Positions of the members of each oneof.
    pub(super) oneofs: Vec<Vec<usize>>,
    pub(super) ops: Ops,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageKind {
    Record,
    /// A record that is a message set.
    Set,
    Union,
    Wrapper,
}

/// What to do about a field that did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// It is an `Any` that is null.
    AnyNull,
    /// It is an error: a required message, or bytes of a fixed size, has no zero value that is left out.
    Missing,
    /// It is an error even though it would have a zero value: it has the label `required`.
    Labelled,
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
    /// How it is laid out.
    pub(super) layout: Layout,
    /// The oneof that it is a member of.
    pub(super) oneof: Option<usize>,
}

/// How a field is laid out, where there is a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A tag and a value, for every element of a list.
    Plain,
    /// All elements of a list of numbers in one value.
    Packed,
    /// A message between a start and an end tag.
    Group,
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
    /// `sint32` or `sint64`: small negative numbers are short.
    ZigZag(Int),
    /// `fixed32`, `sfixed32`, `fixed64` or `sfixed64`.
    Word(Int),
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
            Scalar::Null | Scalar::Bool | Scalar::Int(_) | Scalar::ZigZag(_) | Scalar::Enum(_) => WireType::Varint,
            Scalar::Word(int) if int.bits() == 64 => WireType::I64,
            Scalar::Float | Scalar::Word(_) => WireType::I32,
            Scalar::Double => WireType::I64,
            Scalar::String | Scalar::Bytes | Scalar::Fixed(_) | Scalar::Any => WireType::Len,
        }
    }

    /// Whether a list of these can be one field with all elements in it.
    pub(super) fn is_packable(self) -> bool {
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
        self.fields.binary_search_by_key(&number, |field| field.number).ok()
    }
}

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
        let mut messages = lowering.messages;
        for place in 0..messages.len() {
            messages[place].ops = Ops::new(&messages[place], &messages, schema);
        }
        let steps = Steps::new(&messages[root], &messages);
        Ok(Plan { messages, root, steps })
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
            let (fields, prefilled, nulls, finish) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            let (oneofs, ops) = (Vec::new(), Ops::default());
            messages.push(Message { kind, ty, fields, prefilled, nulls, finish, oneofs, ops });
            todo.push(messages.len() - 1);
            messages.len() - 1
        })
    }

    fn fill(&mut self, place: usize) -> Result<()> {
        let schema = self.schema;
        let Message { kind, ty, .. } = self.messages[place];
        let (mut fields, mut prefilled, mut finish) = (Vec::new(), Vec::new(), Vec::new());
        let (mut oneofs, mut nulls) = (Vec::new(), Vec::new());
        match (kind, schema.kind(ty)) {
            (MessageKind::Record, Kind::Record(record)) => {
                oneofs.resize(record.oneofs.len(), Vec::new());
                for (position, field) in record.fields.iter().enumerate() {
                    if let Some(oneof) = field.oneof {
                        oneofs[oneof].push(position);
                    }
                    let planned = self.field(field.number, position, field.ty, Some(field));
                    fields.push(planned.map_err(|error| error.in_field(&field.name))?);
                    if is_labelled(field) {
                        finish.push((position, Finish::Labelled));
                        continue;
                    }
                    // A null that is left out must come back as null, so a nullable field's default is not taken.
                    let default = field.default.is_some() && (field.is_optional() || !field.is_nullable());
                    // Cells begin as zero: nothing has to be set for that (`proto3` gives every field such a default).
                    let is_zero = is_zero_when_missing(schema, field.value_type(), Some(field));
                    if (default || !field.is_stateful()) && !is_zero {
                        prefilled.push(position);
                    }
                    if !field.is_optional() && field.is_nullable() {
                        nulls.push(position);
                    } else if !field.is_optional() {
                        finish.extend(self.finish(field.ty).map(|finish| (position, finish)));
                    }
                }
            }
            (MessageKind::Union, Kind::Union(union)) => {
                for (position, branch) in union.branches.iter().enumerate() {
                    let value = self.value(branch.ty)?;
                    let shape = Shape::One(value);
                    fields.push(field_plan(branch.number, position, shape, Presence::Explicit, Layout::Plain, None));
                }
            }
            _ => {
                fields.push(self.field(1, 0, ty, None)?);
                finish.extend(self.finish(ty).map(|finish| (0, finish)));
            }
        }
        fields.sort_by_key(|field| field.number);
        let message = &mut self.messages[place];
        if kind == MessageKind::Record && schema.type_notes(ty).get(notes::MESSAGE_SET) == Some("true") {
            message_set::check(schema, ty, &fields)?;
            message.kind = MessageKind::Set;
        }
        (message.fields, message.prefilled, message.nulls) = (fields, prefilled, nulls);
        (message.finish, message.oneofs) = (finish, oneofs);
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
            _ if stateful || field.is_some_and(is_labelled) => Presence::Explicit,
            // What reads as something else than zero when it is left out must not be left out.
            Shape::One(Value::Scalar(Scalar::Any)) => Presence::Explicit,
            Shape::One(_) if is_zero_when_missing(schema, inner, field) => Presence::Implicit,
            Shape::One(_) => Presence::Explicit,
        };
        let layout = layout(shape, field)?;
        Ok(field_plan(number, position, shape, presence, layout, field.and_then(|field| field.oneof)))
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
            Kind::Int(int) => integer(*int, self.schema.type_notes(ty).get(notes::TYPE))?,
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

    fn finish(&self, ty: TypeId) -> Option<Finish> {
        match self.schema.kind(ty) {
            Kind::Any => Some(Finish::AnyNull),
            Kind::Record(_) | Kind::Union(_) => Some(Finish::Missing),
            Kind::Fixed(size) if *size > 0 => Some(Finish::Missing),
            _ => None,
        }
    }
}

/// Whether a required scalar that is left out reads as zero: it has no other default, and an enum's first symbol, which
/// it then is, has the number 0.
pub(crate) fn is_zero_when_missing(schema: &Schema, ty: TypeId, field: Option<&Field>) -> bool {
    let default = field.and_then(|field| field.default.as_ref());
    match (schema.kind(ty), default) {
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

/// The integer type that the note asks for.
fn integer(int: Int, note: Option<&str>) -> Result<Scalar> {
    Ok(match (note, int.bits(), int.signed()) {
        (None, ..) => Scalar::Int(int),
        (Some("sint32"), ..=32, true) | (Some("sint64"), 64, true) => Scalar::ZigZag(int),
        (Some("fixed32"), ..=32, false) | (Some("fixed64"), 64, false) => Scalar::Word(int),
        (Some("sfixed32"), ..=32, true) | (Some("sfixed64"), 64, true) => Scalar::Word(int),
        (Some(note), bits, signed) => {
            let what = format!("an {}int{bits} cannot be a Protobuf {note}", if signed { "" } else { "u" });
            return Err(Error::new(ErrorKind::Unsupported, what).hint(format!("change the note {}", notes::TYPE)));
        }
    })
}

/// Whether a field has the label `required`.
pub(crate) fn is_labelled(field: &Field) -> bool {
    !field.is_stateful() && field.notes.get(notes::LABEL) == Some("required")
}

fn layout(shape: Shape, field: Option<&Field>) -> Result<Layout> {
    let note = |key| field.and_then(|field| field.notes.get(key));
    match (shape, note(notes::ENCODING)) {
        (Shape::One(Value::Message(_)) | Shape::Repeated(Value::Message(_)), Some("delimited")) => {
            return Ok(Layout::Group);
        }
        (_, None) => {}
        (_, Some(other)) => {
            let what = format!("{}={other} is not for a field of this type", notes::ENCODING);
            return Err(Error::new(ErrorKind::Unsupported, what).hint("fields that hold messages may be \"delimited\""));
        }
    }
    Ok(match shape {
        Shape::Repeated(Value::Scalar(scalar)) if scalar.is_packable() && note(notes::PACKED) != Some("false") => {
            Layout::Packed
        }
        _ => Layout::Plain,
    })
}

fn field_plan(
    number: u32,
    position: usize,
    shape: Shape,
    presence: Presence,
    layout: Layout,
    oneof: Option<usize>,
) -> FieldPlan {
    let wire_type = match (layout, shape) {
        (Layout::Group, _) => WireType::StartGroup,
        (Layout::Packed, _) | (_, Shape::Map(..)) => WireType::Len,
        (Layout::Plain, Shape::One(value) | Shape::Repeated(value)) => value.wire_type(),
    };
    let (tag, len) = varint::bytes(u64::from(number) << 3 | wire_type as u64);
    let tag = tag[..len].to_vec();
    FieldPlan { number, position, tag, shape, presence, layout, oneof }
}
