//! Writing flat records, all of whose fields are there and are numbers, booleans or short texts: a loop over a few bytes
//! for each field that calls nobody, so that all it needs is in registers.

use wirewise_core::{Cell, Document, Field, Out, Record};

use super::plan::{Code, FieldPlan, RecordPlan};
use super::{Start, Wire};

/// Bytes of a key that are written at once.
const KEY: usize = 24;

/// The steps that are worth a loop of their own, where no other record follows.
pub(super) const FEW: usize = 3;

/// How to write a field.
pub(super) struct Step {
    /// What stands before the value: the field's key, before the first one the head of the record too.
    key: [u8; KEY],
    slot: u32,
    len: u8,
    way: Way,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Int,
    F64,
    Text,
    Uint,
    F32,
    Bool,
}

/// A step for each field up to the first one that is not flat or has a long key; none where fields may be absent.
pub(super) fn steps(record: &Record, fields: &[FieldPlan], keys: &[Vec<u8>], head: &[u8]) -> Vec<Step> {
    if !record.oneofs.is_empty() || record.fields.iter().any(Field::is_optional) {
        return Vec::new();
    }
    let step = |(i, field): (usize, &FieldPlan)| {
        let way = match field.value.code {
            _ if field.stateful => return None,
            Code::Int if field.value.signed => Way::Int,
            Code::Int => Way::Uint,
            Code::F64 => Way::F64,
            Code::F32 => Way::F32,
            Code::Bool => Way::Bool,
            Code::String => Way::Text,
            Code::List | Code::Record | Code::Null | Code::Any | Code::Other => return None,
        };
        let before = if i == 0 { head } else { &[] };
        let all = [before, &keys[field.position as usize][..field.key_len as usize]].concat();
        let mut key = [0; KEY];
        key.get_mut(..all.len())?.copy_from_slice(&all);
        Some(Step { key, slot: field.slot, len: all.len() as u8, way })
    };
    fields.iter().enumerate().map_while(step).collect()
}

/// Writes the fields that have steps of all records, up to the first field that is a longer text or for which there is no
/// room: of how many records, and how many of the next one.
#[inline(never)]
pub(super) fn records<W: Wire>(
    plan: &RecordPlan,
    document: &Document<'_>,
    items: &[Cell],
    out: &mut Out<'_>,
) -> (usize, usize) {
    let (steps, cells, size) = (&plan.steps[..], document.cells(), plan.cells);
    out.local(|out| {
        for (i, cell) in items.iter().enumerate() {
            let run = &cells[cell.as_index()..][..size];
            for (done, step) in steps.iter().enumerate() {
                if !field::<W>(step, run[step.slot as usize], document, out) {
                    return (i, done);
                }
            }
        }
        (items.len(), 0)
    })
}

#[inline(always)]
fn field<W: Wire>(step: &Step, cell: Cell, document: &Document<'_>, out: &mut Out<'_>) -> bool {
    let (key, len) = (&step.key, step.len.into());
    let start = match step.way {
        Way::Int => W::int(cell.as_i64()),
        Way::F64 => W::float64(cell.as_f64()),
        Way::Text => {
            let start = W::string(cell.len());
            let (base, at, text_len) = document.place(cell);
            let rest = base.get(at..).unwrap_or_default();
            return match (rest.first_chunk::<32>(), rest.first_chunk::<64>()) {
                (Some(block), _) if text_len <= 32 => start.try_write(key, len, block, text_len, out),
                (_, Some(block)) if text_len <= 64 => start.try_write(key, len, block, text_len, out),
                _ => text_len == 0 && start.try_write(key, len, &[], 0, out),
            };
        }
        Way::Uint => W::uint(cell.as_u64()),
        Way::F32 => W::float32(cell.as_f32()),
        Way::Bool => Start::byte(W::FALSE | cell.as_bool() as u8),
    };
    start.try_write(key, len, &[], 0, out)
}
