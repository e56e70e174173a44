//! The order of vectors whose tables or structs have a key: readers search them by it.

use std::cmp::Ordering;

use wirewise_core::{Cell, Document, Float, Kind, Record, Schema, TypeId};

use super::FlatBuffersCodec;

/// The order of these structs; `None` where they have no key.
pub(super) fn structs(
    codec: &FlatBuffersCodec,
    index: usize,
    document: &Document<'_>,
    cells: &[Cell],
) -> Option<Vec<u32>> {
    let layout = &codec.plan.structs[index];
    let key = layout.key?;
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    sort(&codec.schema, layout.ty, key, document, cells, &mut order);
    Some(order)
}

/// The order of these tables; `None` where they have no key.
pub(super) fn tables(
    codec: &FlatBuffersCodec,
    index: usize,
    document: &Document<'_>,
    cells: &[Cell],
) -> Option<Vec<u32>> {
    let table = &codec.plan.tables[index];
    let key = table.key?;
    let mut order: Vec<u32> = (0..cells.len() as u32).collect();
    sort(&codec.schema, table.ty, key, document, cells, &mut order);
    Some(order)
}

fn sort(schema: &Schema, ty: TypeId, key: usize, document: &Document<'_>, cells: &[Cell], order: &mut [u32]) {
    let Kind::Record(record) = schema.kind(ty) else { unreachable!("planned as a record") };
    let kind = schema.kind(record.fields[key].value_type());
    let cell = |i: u32| key_of(record, key, document, cells[i as usize]);
    order.sort_by(|&a, &b| compare(kind, document, cell(a), cell(b)));
}

fn key_of(record: &Record, key: usize, document: &Document<'_>, cell: Cell) -> Cell {
    document.record(record, cell).cell(key)
}

fn compare(kind: &Kind, document: &Document<'_>, a: Cell, b: Cell) -> Ordering {
    match kind {
        Kind::String => document.bytes(a).cmp(document.bytes(b)),
        Kind::Float(Float::F32) => a.as_f32().total_cmp(&b.as_f32()),
        Kind::Float(Float::F64) => a.as_f64().total_cmp(&b.as_f64()),
        Kind::Int(int) if !int.signed() => a.as_u64().cmp(&b.as_u64()),
        Kind::Bool => a.as_bool().cmp(&b.as_bool()),
        _ => a.as_i64().cmp(&b.as_i64()),
    }
}
