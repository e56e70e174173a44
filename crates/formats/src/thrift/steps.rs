//! The small tables that the loops over records go by: for each field what it takes to read and write it when nothing
//! about it is unusual. What they have no word for is done by the field's type.

use wirewise_core::{Float, Int, Kind, Schema, TypeId};

use super::plan::{Missing, Slot, entry, int_wire, is_wide, wire};
use super::protocol::WireType;

/// How a value is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// By its type alone.
    Type,
    Bool,
    /// An integer that its type holds if it is the same after being shifted left and right.
    Signed,
    /// The same, shifted as an unsigned number.
    Unsigned,
    Double,
    String,
    Bytes,
    /// An enum that takes any number.
    Enum,
    Record,
    /// A list of what has no code of its own below.
    List,
    /// A list of strings.
    Strings,
    /// A list of records.
    Records,
}

/// What is usual about the values of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usual {
    pub(super) code: Code,
    pub(super) wire: WireType,
    /// Bits that an integer has not.
    pub(super) shift: u8,
}

/// A field, in the order of ids.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) id: i16,
    pub(super) usual: Usual,
    /// The protocol's byte for its type.
    pub(super) tag: u8,
    pub(super) stateful: bool,
    /// Where its cell is in its record's run.
    pub(super) slot: u32,
    pub(super) position: u32,
    /// Type of the value, or of what a list has.
    pub(super) ty: TypeId,
}

/// A record.
#[derive(Debug)]
pub(super) struct RecordPlan {
    /// All cells.
    pub(super) cells: u32,
    /// States as they are before a field is read: required fields are there.
    pub(super) states: Box<[u64]>,
    pub(super) steps: Box<[Step]>,
    /// Whether the steps may be used for reading: bits for all fields fit in a word.
    pub(super) few: bool,
    /// Bits of fields that need something when a message comes without them.
    pub(super) needed: u64,
    pub(super) oneofs: bool,
    /// Whether no field has cells of its own.
    pub(super) flat: bool,
}

/// What is usual about a type.
pub(super) fn usual(schema: &Schema, ty: TypeId) -> Usual {
    let mut shift = 0;
    let code = match schema.kind(ty) {
        Kind::Bool => Code::Bool,
        Kind::Int(int) => {
            shift = if *int == Int::U64 { 1 } else { 64 - int.bits() as u8 };
            if int.signed() { Code::Signed } else { Code::Unsigned }
        }
        Kind::Float(Float::F64) => Code::Double,
        Kind::String => Code::String,
        Kind::Bytes => Code::Bytes,
        Kind::Enum(e) if !e.closed && !is_wide(e) => Code::Enum,
        Kind::Record(_) => Code::Record,
        Kind::List(_) if entry(schema, schema.ty(ty)).is_some() => Code::Type,
        Kind::List(item) => match schema.kind(*item) {
            Kind::String => Code::Strings,
            Kind::Record(_) => Code::Records,
            _ => Code::List,
        },
        _ => Code::Type,
    };
    let wire = match schema.kind(ty) {
        Kind::Int(int) => int_wire(*int),
        _ => wire(schema, schema.ty(ty)),
    };
    Usual { code, wire, shift }
}

impl RecordPlan {
    /// The table of a record whose fields are `slots`; `tag` is the protocol's byte for a type.
    pub(super) fn new(
        schema: &Schema,
        ty: TypeId,
        slots: &[Slot],
        missing: &[Missing],
        tag: fn(WireType) -> u8,
    ) -> Option<Self> {
        let Kind::Record(record) = schema.kind(ty) else { return None };
        let words = record.state_words();
        let mut states = vec![0; words].into_boxed_slice();
        for (position, field) in record.fields.iter().enumerate().filter(|_| words > 0) {
            if !field.is_stateful() {
                states[position / 32] |= 2 << (position % 32 * 2);
            }
        }
        let step = |slot: &Slot| {
            let field = &record.fields[slot.position];
            let usual = usual(schema, slot.ty);
            let ty = match (usual.code, schema.kind(slot.ty)) {
                (Code::List | Code::Strings | Code::Records, Kind::List(item)) => *item,
                _ => slot.ty,
            };
            Step {
                id: slot.id,
                usual,
                tag: tag(slot.wire),
                stateful: field.is_stateful(),
                slot: (words + slot.position) as u32,
                position: slot.position as u32,
                ty,
            }
        };
        let steps: Box<[Step]> = slots.iter().map(step).collect();
        let few = record.fields.len() <= 64;
        let mut needed = 0;
        for (position, field) in record.fields.iter().enumerate().filter(|_| few) {
            let nothing = missing[position] == Missing::Model && field.is_optional() && field.default.is_none();
            needed |= u64::from(!nothing) << position;
        }
        let flat = |step: &Step| {
            !matches!(step.usual.code, Code::Type | Code::Record | Code::List | Code::Strings | Code::Records)
        };
        Some(RecordPlan {
            cells: record.cells() as u32,
            flat: steps.iter().all(flat),
            states,
            steps,
            few,
            needed,
            oneofs: !record.oneofs.is_empty(),
        })
    }
}
