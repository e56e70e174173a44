//! Structs without unions and groups, for reading and writing them in one go.

use wirewise_core::{Float, Int, Kind, Record, Schema, TypeId};

use super::plan::{Home, Member, Scope, Slot};

/// A record whose struct has no unions and no groups.
pub(super) struct Simple {
    /// Cells in the record's run, and how many of these are states.
    pub(super) cells: usize,
    pub(super) state_words: usize,
    /// As [`Scope::members`].
    pub(super) fields: Vec<Field>,
}

/// A field, in a few bytes.
pub(super) struct Field {
    pub(super) code: Code,
    /// Of a boolean, its bit.
    pub(super) bit: u8,
    /// Whether a document says if it is there.
    pub(super) stateful: bool,
    /// Its byte in the data, or that of its pointer in the pointers.
    pub(super) at: u32,
    pub(super) position: u32,
    pub(super) ty: TypeId,
    /// The bits that are inverted.
    pub(super) default: u64,
    /// That it is there, in the record's first two state words.
    pub(super) present: u128,
}

/// How a field is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    Bool,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    /// Anything of 64 bits.
    Word,
    Text,
    List,
    /// As the member says.
    Other,
}

impl Simple {
    /// `None` where there is more than fields.
    pub(super) fn new(schema: &Schema, record: &Record, scope: &Scope) -> Option<Simple> {
        let few = record.fields.len() <= 64;
        if !few || !scope.oneofs.is_empty() || !scope.skipped.is_empty() {
            return None;
        }
        let fields = scope.members.iter().map(|member| Field::new(schema, record, member)).collect();
        Some(Simple { cells: record.cells(), state_words: record.state_words(), fields })
    }
}

impl Field {
    fn new(schema: &Schema, record: &Record, member: &Member) -> Field {
        let position = member.position;
        let mut field = Field {
            code: Code::Other,
            bit: 0,
            stateful: record.fields[position].is_stateful(),
            at: 0,
            position: position as u32,
            ty: member.ty,
            default: 0,
            present: if record.state_words() > 0 { 2 << (2 * position) } else { 0 },
        };
        match (&member.home, schema.kind(member.ty)) {
            (Home::Slot(Slot::Data { bit, default, .. }), kind) => {
                (field.at, field.bit, field.default) = ((bit / 8) as u32, (bit % 8) as u8, *default);
                field.code = match kind {
                    Kind::Bool => Code::Bool,
                    Kind::Int(Int::I8) => Code::I8,
                    Kind::Int(Int::I16) => Code::I16,
                    Kind::Int(Int::I32) => Code::I32,
                    Kind::Int(Int::U8) => Code::U8,
                    Kind::Int(Int::U16) => Code::U16,
                    Kind::Int(Int::U32) | Kind::Float(Float::F32) => Code::U32,
                    Kind::Int(Int::I64 | Int::U64) | Kind::Float(Float::F64) => Code::Word,
                    _ => Code::Other,
                };
            }
            (Home::Slot(Slot::Pointer(index)), kind) => {
                field.at = (index * 8) as u32;
                field.code = match kind {
                    Kind::String => Code::Text,
                    Kind::List(_) => Code::List,
                    _ => Code::Other,
                };
            }
            _ => {}
        }
        field
    }
}
