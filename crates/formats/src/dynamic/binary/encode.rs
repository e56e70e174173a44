//! Writing by schema.

use wirewise_core::{Cell, Document, Float, Int, Kind, Losses, Record, Result, State, TypeId};

use super::plan::{BinaryCodec, RecordPlan, TypePlan};
use super::{Wire, any};
use crate::dynamic::{UnionPlan, check_oneofs, positional_null};

pub(super) fn write<W: Wire>(
    codec: &BinaryCodec<W>,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    Writer { codec, document, losses, sorter: Sorter::default() }.value(codec.schema.root(), document.root(), out)
}

struct Writer<'a, W> {
    codec: &'a BinaryCodec<W>,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    sorter: Sorter,
}

impl<W: Wire> Writer<'_, W> {
    fn value(&mut self, ty: TypeId, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let document = self.document;
        let schema = &self.codec.schema;
        match schema.kind(ty) {
            Kind::Null => W::null(out),
            Kind::Bool => W::bool(cell.as_bool(), out),
            Kind::Int(int) => return write_int::<W>(*int, cell, out),
            Kind::Float(float) => write_float::<W>(*float, cell, out),
            Kind::String => write_string::<W>(document.bytes(cell), out),
            Kind::Bytes | Kind::Fixed(_) => write_bytes::<W>(document.bytes(cell), out),
            Kind::Enum(e) => match (&self.codec.types[ty.index()], e.position(cell.as_i64())) {
                (TypePlan::Enum { names, .. }, Some(position)) if !self.codec.positional => {
                    out.extend_from_slice(&names[position]);
                }
                _ => return write_int::<W>(Int::I64, cell, out),
            },
            Kind::List(item) => {
                let items = document.list(cell);
                W::list(items.len(), out);
                for (i, &cell) in items.iter().enumerate() {
                    self.value(*item, cell, out).map_err(|error| error.in_index(i))?;
                }
            }
            Kind::Map(key, value) => return self.map(*key, *value, cell, out),
            Kind::Nullable(inner) => match document.boxed(cell) {
                None => W::null(out),
                Some(cell) => return self.value(*inner, cell, out),
            },
            Kind::Record(record) => {
                let TypePlan::Record(plan) = &self.codec.types[ty.index()] else { unreachable!("planned as a record") };
                return match self.codec.positional {
                    true => self.array_record(record, plan, cell, out),
                    false => self.map_record(record, plan, cell, out),
                };
            }
            Kind::Union(union) => {
                let (position, value) = document.union(cell);
                let branch = &union.branches[position];
                let TypePlan::Union { plan, names } = &self.codec.types[ty.index()] else {
                    unreachable!("planned as a union")
                };
                match plan {
                    UnionPlan::Plain(_) => return self.value(branch.ty, value, out),
                    UnionPlan::Tagged if self.codec.positional => {
                        W::list(2, out);
                        W::uint(branch.number.into(), out);
                    }
                    UnionPlan::Tagged => {
                        W::map(1, out);
                        out.extend_from_slice(&names[position]);
                    }
                }
                return self.value(branch.ty, value, out).map_err(|error| error.in_field(&branch.name));
            }
            Kind::Any => return any::write::<W>(document, cell, W::SORTED, &mut self.sorter, out),
        }
        Ok(())
    }

    fn map(&mut self, key: TypeId, value: TypeId, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let document = self.document;
        let pairs = document.map(cell).chunks_exact(2);
        W::map(pairs.len(), out);
        let mark = self.sorter.begin();
        for pair in pairs {
            let start = out.len();
            self.value(key, pair[0], out)?;
            let key_end = out.len();
            self.value(value, pair[1], out).map_err(|error| match self.codec.schema.kind(key) {
                Kind::String => error.in_key(document.bytes(pair[0])),
                Kind::Bool => error.in_key(pair[0].as_bool().to_string().as_bytes()),
                Kind::Int(int) if int.signed() => error.in_key(pair[0].as_i64().to_string().as_bytes()),
                _ => error.in_key(pair[0].as_u64().to_string().as_bytes()),
            })?;
            if W::SORTED {
                self.sorter.add(start, key_end, out);
            }
        }
        self.sorter.finish(mark, out);
        Ok(())
    }

    fn map_record(&mut self, record: &Record, plan: &RecordPlan, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        let absent =
            if record.state_words() == 0 { 0 } else { plan.order.iter().filter(|&&p| view.is_absent(p)).count() };
        W::map(plan.order.len() - absent, out);
        for &position in &plan.order {
            match view.state(position) {
                State::Absent => {}
                State::Null => {
                    out.extend_from_slice(&plan.keys[position]);
                    W::null(out);
                }
                State::Present => {
                    out.extend_from_slice(&plan.keys[position]);
                    let field = &record.fields[position];
                    self.value(field.value_type(), view.cell(position), out).map_err(|e| e.in_field(&field.name))?;
                }
            }
        }
        Ok(())
    }

    fn array_record(&mut self, record: &Record, plan: &RecordPlan, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        W::list(plan.order.len(), out);
        for &position in &plan.order {
            if positional_null(self.document, record, &view, position, self.losses)? {
                W::null(out);
                continue;
            }
            let field = &record.fields[position];
            self.value(field.value_type(), view.cell(position), out).map_err(|error| error.in_field(&field.name))?;
        }
        Ok(())
    }
}

#[inline]
pub(super) fn write_i64<W: Wire>(value: i64, out: &mut Vec<u8>) -> Result<()> {
    if value < 0 {
        return W::negative(!value as u64, out);
    }
    W::uint(value as u64, out);
    Ok(())
}

#[inline]
fn write_int<W: Wire>(int: Int, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
    if int.signed() {
        return write_i64::<W>(cell.as_i64(), out);
    }
    W::uint(cell.as_u64(), out);
    Ok(())
}

fn write_float<W: Wire>(float: Float, cell: Cell, out: &mut Vec<u8>) {
    match float {
        Float::F64 => W::float64(cell.as_f64(), out),
        Float::F32 => W::float32(cell.as_f32(), out),
    }
}

#[inline]
pub(super) fn write_string<W: Wire>(text: &[u8], out: &mut Vec<u8>) {
    W::string(text.len(), out);
    out.extend_from_slice(text);
}

#[inline]
pub(super) fn write_bytes<W: Wire>(bytes: &[u8], out: &mut Vec<u8>) {
    W::bytes(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// Puts the entries of a map that was just written into the order of their keys' bytes.
#[derive(Default)]
pub(super) struct Sorter {
    /// The entries of all maps that are being written, as start, end of the key, and end.
    entries: Vec<(usize, usize, usize)>,
    moved: Vec<u8>,
}

impl Sorter {
    pub(super) fn begin(&self) -> usize {
        self.entries.len()
    }

    /// Adds the entry that ends where `out` does.
    pub(super) fn add(&mut self, start: usize, key_end: usize, out: &[u8]) {
        self.entries.push((start, key_end, out.len()));
    }

    /// Ends the map begun at `mark`.
    pub(super) fn finish(&mut self, mark: usize, out: &mut Vec<u8>) {
        let entries = &mut self.entries[mark..];
        let key = |entry: &(usize, usize, usize)| &out[entry.0..entry.1];
        if !entries.is_sorted_by_key(key) {
            let first = entries[0].0;
            entries.sort_by(|a, b| key(a).cmp(key(b)));
            self.moved.clear();
            for &(start, _, end) in entries.iter() {
                self.moved.extend_from_slice(&out[start..end]);
            }
            out.truncate(first);
            out.extend_from_slice(&self.moved);
        }
        self.entries.truncate(mark);
    }
}
