//! The small tables that the loops over records go by: for each field 16 bytes that say how it is read and written when
//! nothing about it is unusual. What they have no word for is done by the field's operation.

use wirewise_core::{Int, Kind, Schema, TypeId};

use super::literal::FieldLiteral;
use super::plan::{Chosen, Nothing, Op, OpId};

/// How a value is read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// By its operation alone.
    Op,
    Bool,
    /// An integer that its type holds if it is the same after being shifted left and right.
    Signed,
    /// The same, shifted as an unsigned number.
    Unsigned,
    Double,
    Float,
    String,
    Bytes,
    Enum,
    Record,
    /// A list of what has no code of its own below.
    List,
    /// A list of strings.
    Strings,
    /// A list of records.
    Records,
    /// A field of the writer that the reader has not.
    Skip,
}

/// A field, in the order of the wire.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldPlan {
    /// Where its cell is in its record's run; of a field to skip, where its name is.
    pub(super) slot: u32,
    pub(super) op: OpId,
    /// The operation of the value beside null, or of what a list has; otherwise the same as `op`.
    pub(super) value: OpId,
    pub(super) code: Code,
    pub(super) nothing: Nothing,
    /// The byte of the branch that is not null.
    pub(super) some: u8,
    /// The byte of null. The same as `some` where null asks for more than a state.
    pub(super) null: u8,
    /// Bits that an integer has not.
    pub(super) shift: u8,
}

/// A record.
#[derive(Debug)]
pub(super) struct RecordPlan {
    pub(super) ty: TypeId,
    /// Cells of states.
    pub(super) words: u32,
    /// All cells.
    pub(super) cells: u32,
    /// States as they are before a field is read: required fields are there.
    pub(super) states: Box<[u64]>,
    pub(super) oneofs: bool,
    /// Whether no field has cells of its own.
    pub(super) flat: bool,
    pub(super) fields: Box<[FieldPlan]>,
    /// Names of fields that are skipped.
    pub(super) skipped: Vec<String>,
    /// Fields that the writer does not have.
    pub(super) defaults: Vec<(usize, FieldLiteral)>,
}

impl FieldPlan {
    /// A field whose operations are not known yet: [`finish`] completes it.
    pub(super) fn new(position: usize, op: OpId, nothing: Nothing) -> Self {
        FieldPlan { slot: position as u32, op, value: op, code: Code::Op, nothing, some: 0, null: 0, shift: 0 }
    }

    /// A field of the writer that is passed over.
    pub(super) fn skip(name: usize, skip: super::skip::SkipId) -> Self {
        let field = FieldPlan::new(name, skip as OpId, Nothing::Never);
        FieldPlan { code: Code::Skip, ..field }
    }

    /// Whether there is a null beside the value, and both are told by one byte.
    #[inline(always)]
    pub(super) fn is_union(&self) -> bool {
        matches!(self.nothing, Nothing::Absent | Nothing::Null)
    }
}

impl RecordPlan {
    pub(super) fn new(schema: &Schema, ty: TypeId, mut fields: Vec<FieldPlan>) -> Self {
        let Kind::Record(record) = schema.kind(ty) else { unreachable!("planned as a record") };
        let words = record.state_words();
        let mut states = vec![0; words].into_boxed_slice();
        for (position, field) in record.fields.iter().enumerate().filter(|_| words > 0) {
            if !field.is_stateful() {
                states[position / 32] |= 2 << (position % 32 * 2);
            }
        }
        for field in fields.iter_mut().filter(|field| field.code != Code::Skip) {
            field.slot += words as u32;
        }
        RecordPlan {
            ty,
            words: words as u32,
            cells: record.cells() as u32,
            states,
            oneofs: !record.oneofs.is_empty(),
            flat: false,
            fields: fields.into_boxed_slice(),
            skipped: Vec::new(),
            defaults: Vec::new(),
        }
    }

    /// The position of a field among those of its record.
    #[inline(always)]
    pub(super) fn position(&self, field: &FieldPlan) -> usize {
        (field.slot - self.words) as usize
    }
}

/// The code of an operation, and its shift.
pub(super) fn code(op: &Op) -> (Code, u8) {
    let code = match op {
        Op::Bool => Code::Bool,
        Op::Int(Int::U64) => return (Code::Unsigned, 1),
        Op::Int(int) => {
            let shift = 64 - int.bits() as u8;
            return (if int.signed() { Code::Signed } else { Code::Unsigned }, shift);
        }
        Op::Float(wirewise_core::Float::F64) => Code::Double,
        Op::Float(wirewise_core::Float::F32) => Code::Float,
        Op::String => Code::String,
        Op::Bytes => Code::Bytes,
        Op::Enum(_) => Code::Enum,
        Op::Record(_) => Code::Record,
        Op::List(_) => Code::List,
        _ => Code::Op,
    };
    (code, 0)
}

/// Completes the fields of all records, now that all operations are known.
pub(super) fn finish(schema: &Schema, ops: &mut [Op]) {
    for place in 0..ops.len() {
        let Op::Record(plan) = &mut ops[place] else { continue };
        let mut fields = std::mem::take(&mut plan.fields);
        let (ty, words) = (plan.ty, plan.words);
        let Kind::Record(record) = schema.kind(ty) else { unreachable!("planned as a record") };
        for field in fields.iter_mut().filter(|field| field.code != Code::Skip && field.nothing != Nothing::Always) {
            if field.is_union() {
                let Some((some, value)) = optional(&ops[field.op as usize]) else { continue };
                (field.some, field.null, field.value) = (some, some ^ 2, value);
                let default = record.fields[(field.slot - words) as usize].default.is_some();
                if field.nothing == Nothing::Absent && default {
                    field.null = some;
                }
            }
            // An operation may be this record, which has no fields now, but is a record all the same.
            (field.code, field.shift) = code(&ops[field.value as usize]);
            if let Op::List(item) = ops[field.value as usize] {
                field.value = item;
                field.code = match ops[item as usize] {
                    Op::String => Code::Strings,
                    Op::Record(_) => Code::Records,
                    _ => Code::List,
                };
            }
        }
        let Op::Record(plan) = &mut ops[place] else { unreachable!("it was one above") };
        use Code::{List, Op as Other, Record as Inner, Records, Skip, Strings};
        plan.flat = !fields.iter().any(|field| matches!(field.code, Other | Inner | List | Records | Strings | Skip));
        plan.fields = fields;
    }
}

/// The byte of the branch that is not null, and its operation, of a union of null and one type.
fn optional(op: &Op) -> Option<(u8, OpId)> {
    match op {
        Op::Nullable { some, value, .. } => Some((2 * *some as u8, *value)),
        Op::Choice { branches, .. } => match branches[..] {
            [Chosen::Null, Chosen::Value(value)] => Some((2, value)),
            [Chosen::Value(value), Chosen::Null] => Some((0, value)),
            _ => None,
        },
        _ => None,
    }
}
