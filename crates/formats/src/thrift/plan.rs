//! A schema compiled for Thrift: field numbers, wire types, and what Thrift cannot express.

use std::sync::Arc;

use serde_json::Value as Json;
use wirewise_core::{Enum, Error, ErrorKind, Field, Int, Kind, Record, Result, Schema, Type, TypeId};

use super::protocol::WireType;
use super::steps::{self, RecordPlan, Usual};
use super::{ids, notes};

/// A schema compiled for Thrift, the same for both protocols.
pub(super) struct Plan {
    pub(super) schema: Arc<Schema>,
    /// Beside the schema's table, indexed alike.
    types: Vec<TypePlan>,
}

struct TypePlan {
    /// What values are outside fields: what can be null is a struct there.
    wire: WireType,
    /// Fields of a record, branches of a union, by id.
    slots: Vec<Slot>,
    /// What the fields of a record are when a message comes without them, by position.
    missing: Vec<Missing>,
    /// Types of key and value of a list that is a map on the wire.
    entry: Option<(TypeId, TypeId)>,
    usual: Usual,
    record: Option<RecordPlan>,
}

/// A field of a record or a branch of a union.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) id: i16,
    /// In [`wirewise_core::Record::fields`] or [`wirewise_core::Union::branches`].
    pub(super) position: usize,
    /// Type of the value; nulls are told by the field's presence.
    pub(super) ty: TypeId,
    pub(super) wire: WireType,
}

/// What a field is when a message comes without it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missing {
    /// What the model says: its default, absent, or an error.
    Model,
    /// Null: a field that is never absent is not written when it is null.
    Null,
    /// What its type always is.
    Nothing,
    /// Zero, false, empty.
    Zero,
    /// A value that defaults of the model cannot be.
    Value(Json),
}

impl Plan {
    /// `tag` is the protocol's byte for a type.
    pub(super) fn new(schema: &Arc<Schema>, tag: fn(WireType) -> u8) -> Result<Self> {
        let reachable = reachable(schema);
        let mut types = Vec::with_capacity(schema.types().len());
        for (place, ty) in schema.types().iter().enumerate() {
            // A type that no message has may be what Thrift cannot express.
            let slots = if reachable[place] { slots(schema, &ty.kind)? } else { Vec::new() };
            let missing = match &ty.kind {
                Kind::Record(record) => record.fields.iter().map(|field| missing(schema, field)).collect(),
                _ => Vec::new(),
            };
            let id = TypeId::from_index(place);
            let record = RecordPlan::new(schema, id, &slots, &missing, tag);
            let (wire, entry, usual) = (wire(schema, ty), entry(schema, ty), steps::usual(schema, id));
            types.push(TypePlan { wire, slots, missing, entry, usual, record });
        }
        Ok(Plan { schema: schema.clone(), types })
    }

    /// The wire type of values outside fields.
    pub(super) fn wire(&self, ty: TypeId) -> WireType {
        self.types[ty.index()].wire
    }

    /// What is usual about values outside fields.
    #[inline(always)]
    pub(super) fn usual(&self, ty: TypeId) -> Usual {
        self.types[ty.index()].usual
    }

    /// The table of a record.
    #[inline(always)]
    pub(super) fn record(&self, ty: TypeId) -> &RecordPlan {
        self.types[ty.index()].record.as_ref().expect("planned as a record")
    }

    /// The fields of a record or the branches of a union, by id.
    pub(super) fn slots(&self, ty: TypeId) -> &[Slot] {
        &self.types[ty.index()].slots
    }

    /// What the field at `position` of a record is when a message comes without it.
    pub(super) fn missing(&self, record: TypeId, position: usize) -> &Missing {
        &self.types[record.index()].missing[position]
    }

    /// Types of key and value of a list that is a map on the wire: a list of records with two fields.
    pub(super) fn entry(&self, list: TypeId) -> Option<(TypeId, TypeId)> {
        self.types[list.index()].entry
    }
}

/// The place in `slots` of the field with number `id`; fields usually come in order, so that it is `expected`.
pub(super) fn find(slots: &[Slot], expected: usize, id: i16) -> Option<usize> {
    if slots.get(expected).is_some_and(|slot| slot.id == id) {
        return Some(expected);
    }
    slots.binary_search_by_key(&id, |slot| slot.id).ok()
}

/// The wire type of values in lists, maps and as messages.
pub(super) fn wire(schema: &Schema, ty: &Type) -> WireType {
    match &ty.kind {
        Kind::Bool => WireType::Bool,
        Kind::Int(int) => int_wire(*int),
        Kind::Float(_) => WireType::Double,
        Kind::Fixed(_) if is_uuid(ty) => WireType::Uuid,
        Kind::String | Kind::Bytes | Kind::Fixed(_) | Kind::Any => WireType::Binary,
        Kind::List(_) if entry(schema, ty).is_some() => WireType::Map,
        Kind::List(_) if ty.notes.has(notes::SET) => WireType::Set,
        Kind::List(_) => WireType::List,
        Kind::Map(..) => WireType::Map,
        Kind::Enum(e) => enum_wire(e),
        Kind::Null | Kind::Nullable(_) | Kind::Record(_) | Kind::Union(_) => WireType::Struct,
    }
}

/// What values of a type are on the wire outside fields, in the words of Thrift: `i32`, `set`, `struct`. Text, bytes and
/// JSON are all `string`.
pub fn wire_name(schema: &Schema, ty: TypeId) -> &'static str {
    wire(schema, schema.ty(ty)).name()
}

/// Whether a type is written as the wire's own `uuid`.
pub fn is_uuid(ty: &Type) -> bool {
    ty.kind == Kind::Fixed(16) && ty.notes.get(notes::TYPE) == Some("uuid")
}

/// Types of key and value of a list that is a map on the wire, because it is noted so and its elements are records with
/// two fields that are always there.
pub fn entry(schema: &Schema, ty: &Type) -> Option<(TypeId, TypeId)> {
    let Kind::List(item) = ty.kind else { return None };
    match schema.kind(item) {
        Kind::Record(Record { fields, .. }) if ty.notes.has(notes::MAP) => match &fields[..] {
            [key, value] if !key.is_stateful() && !value.is_stateful() => Some((key.ty, value.ty)),
            _ => None,
        },
        _ => None,
    }
}

/// Enums are `i32`, unless one has symbols beyond.
pub(super) fn enum_wire(e: &Enum) -> WireType {
    if is_wide(e) { WireType::I64 } else { WireType::I32 }
}

/// Whether an enum has symbols that no enum of Thrift can have; it is an `i64` then.
pub fn is_wide(e: &Enum) -> bool {
    e.symbols.iter().any(|symbol| i32::try_from(symbol.number).is_err())
}

fn missing(schema: &Schema, field: &Field) -> Missing {
    let kind = schema.kind(field.ty);
    let noted = || serde_json::from_str(field.notes.get(notes::DEFAULT)?).ok();
    let zero = || match kind {
        Kind::Record(_) | Kind::Union(_) | Kind::Any => false,
        _ => field.default.is_none() && field.notes.get(notes::REQUIREDNESS) == Some("default"),
    };
    if field.is_optional() {
        Missing::Model
    } else if field.is_nullable() {
        Missing::Null
    } else if *kind == Kind::Null {
        Missing::Nothing
    } else if let Some(value) = noted() {
        Missing::Value(value)
    } else if zero() {
        Missing::Zero
    } else {
        Missing::Model
    }
}

/// The smallest type that has all values, as far as there is one: Thrift has no unsigned integers.
pub(super) fn int_wire(int: Int) -> WireType {
    match int {
        Int::I8 => WireType::I8,
        Int::U8 | Int::I16 => WireType::I16,
        Int::U16 | Int::I32 => WireType::I32,
        Int::U32 | Int::I64 | Int::U64 => WireType::I64,
    }
}

/// The wire type of a field's value. A null needs no wrapper here: its field is there or it is not.
fn field_wire(schema: &Schema, ty: TypeId) -> WireType {
    let ty = schema.ty(ty);
    if ty.kind == Kind::Null { WireType::Bool } else { wire(schema, ty) }
}

fn slots(schema: &Schema, kind: &Kind) -> Result<Vec<Slot>> {
    let slot = |(position, ty, id)| Slot { id, position, ty, wire: field_wire(schema, ty) };
    let mut slots: Vec<Slot> = match kind {
        Kind::Record(record) => {
            let ids = ids::ids(record).map_err(|_| no_id(&record.name))?;
            record
                .fields
                .iter()
                .zip(ids)
                .enumerate()
                .map(|(i, (field, id))| slot((i, field.value_type(), id)))
                .collect()
        }
        Kind::Union(union) => {
            let ids = ids::branch_ids(union).map_err(|_| no_id(&union.name))?;
            union.branches.iter().zip(ids).enumerate().map(|(i, (branch, id))| slot((i, branch.ty, id))).collect()
        }
        _ => Vec::new(),
    };
    slots.sort_by_key(|slot| slot.id);
    Ok(slots)
}

fn no_id(name: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{name} has more fields than Thrift has ids: {}", i16::MAX))
}

/// Which types a message can have.
fn reachable(schema: &Schema) -> Vec<bool> {
    let mut seen = vec![false; schema.types().len()];
    let mut rest = vec![schema.root()];
    while let Some(ty) = rest.pop() {
        if std::mem::replace(&mut seen[ty.index()], true) {
            continue;
        }
        match schema.kind(ty) {
            Kind::List(item) => rest.push(*item),
            Kind::Map(key, value) => rest.extend([*key, *value]),
            Kind::Nullable(inner) => rest.push(*inner),
            Kind::Record(record) => rest.extend(record.fields.iter().map(|field| field.ty)),
            Kind::Union(union) => rest.extend(union.branches.iter().map(|branch| branch.ty)),
            _ => {}
        }
    }
    seen
}
