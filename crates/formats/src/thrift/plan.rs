//! A schema compiled for Thrift: field numbers, wire types, and what Thrift cannot express.

use std::sync::Arc;

use wirewise_core::{Enum, Error, ErrorKind, Int, Kind, Result, Schema, TypeId};

use super::protocol::WireType;

/// A schema compiled for Thrift, the same for both protocols.
pub(super) struct Plan {
    pub(super) schema: Arc<Schema>,
    /// Beside the schema's table, indexed alike.
    types: Vec<TypePlan>,
}

struct TypePlan {
    /// What values are outside fields: what can be null is a struct there.
    wire: WireType,
    /// Fields of a record, branches of a union, by number.
    slots: Vec<Slot>,
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

impl Plan {
    pub(super) fn new(schema: &Arc<Schema>) -> Result<Self> {
        let reachable = reachable(schema);
        let mut types = Vec::with_capacity(schema.types().len());
        for (place, ty) in schema.types().iter().enumerate() {
            // A type that no message has may be what Thrift cannot express.
            let slots = if reachable[place] { slots(schema, &ty.kind)? } else { Vec::new() };
            types.push(TypePlan { wire: wire(&ty.kind), slots });
        }
        Ok(Plan { schema: schema.clone(), types })
    }

    /// The wire type of values outside fields.
    pub(super) fn wire(&self, ty: TypeId) -> WireType {
        self.types[ty.index()].wire
    }

    /// The fields of a record or the branches of a union, by number.
    pub(super) fn slots(&self, ty: TypeId) -> &[Slot] {
        &self.types[ty.index()].slots
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
fn wire(kind: &Kind) -> WireType {
    match kind {
        Kind::Bool => WireType::Bool,
        Kind::Int(int) => int_wire(*int),
        Kind::Float(_) => WireType::Double,
        Kind::String | Kind::Bytes | Kind::Fixed(_) | Kind::Any => WireType::Binary,
        Kind::List(_) => WireType::List,
        Kind::Map(..) => WireType::Map,
        Kind::Enum(_) => WireType::I32,
        Kind::Null | Kind::Nullable(_) | Kind::Record(_) | Kind::Union(_) => WireType::Struct,
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
fn field_wire(kind: &Kind) -> WireType {
    if *kind == Kind::Null { WireType::Bool } else { wire(kind) }
}

fn slots(schema: &Schema, kind: &Kind) -> Result<Vec<Slot>> {
    let slot = |position, number: u32, ty| {
        let id = i16::try_from(number).ok()?;
        Some(Slot { id, position, ty, wire: field_wire(schema.kind(ty)) })
    };
    let mut slots = Vec::new();
    match kind {
        Kind::Record(record) => {
            for (position, field) in record.fields.iter().enumerate() {
                slots.push(
                    slot(position, field.number, field.value_type()).ok_or_else(|| {
                        too_large(field.number, &format!("field {:?} of {}", field.name, record.name))
                    })?,
                );
            }
        }
        Kind::Union(union) => {
            for (position, branch) in union.branches.iter().enumerate() {
                slots.push(
                    slot(position, branch.number, branch.ty).ok_or_else(|| {
                        too_large(branch.number, &format!("branch {:?} of {}", branch.name, union.name))
                    })?,
                );
            }
        }
        Kind::Enum(e) => check_enum(e)?,
        _ => {}
    }
    slots.sort_by_key(|slot| slot.id);
    Ok(slots)
}

fn too_large(number: u32, place: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{place} has number {number}, but Thrift's go up to {}", i16::MAX))
        .hint("renumber it for Thrift, or use a format with larger numbers, such as protobuf")
}

fn check_enum(e: &Enum) -> Result<()> {
    match e.symbols.iter().find(|symbol| i32::try_from(symbol.number).is_err()) {
        None => Ok(()),
        Some(symbol) => Err(Error::new(
            ErrorKind::Unsupported,
            format!("symbol {:?} of enum {} is {}, but Thrift's enums are i32", symbol.name, e.name, symbol.number),
        )),
    }
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
