//! Writing by schema.

use wirewise_core::{Cell, Document, Error, Kind, Losses, Out, Record, Result, State, TypeId};

use super::plan::{BinaryCodec, Code, FieldPlan, Op, RecordPlan, TypePlan};
use super::{Wire, any, flat};
use crate::dynamic::{UnionPlan, check_oneofs, positional_null};

pub(super) fn write<W: Wire>(
    codec: &BinaryCodec<W>,
    document: &Document<'_>,
    out: &mut Out<'_>,
    losses: &mut Losses,
) -> Result<()> {
    let (ty, cell) = (codec.schema.root(), document.root());
    let mut writer = Writer { codec, document, losses, sorter: Sorter::default() };
    match &codec.types[ty.index()] {
        TypePlan::Record(plan) => match codec.tree.write::<W>(document, cell, out) {
            done if done > 0 && done == plan.fields.len() => Ok(()),
            done => writer.root(ty, plan, cell, done, out),
        },
        _ => writer.value(&codec.ops[ty.index()], cell, out),
    }
}

struct Writer<'a, W> {
    codec: &'a BinaryCodec<W>,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    sorter: Sorter,
}

impl<'a, W: Wire> Writer<'a, W> {
    /// Values of the usual types here, all others in [`Writer::other`].
    #[inline(always)]
    fn value(&mut self, op: &Op, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        match op.code {
            Code::Bool => write_bool::<W>(cell.as_bool(), out),
            Code::Int if op.signed => W::int(cell.as_i64()).write(out),
            Code::Int => W::uint(cell.as_u64()).write(out),
            Code::F32 => W::float32(cell.as_f32()).write(out),
            Code::F64 => W::float64(cell.as_f64()).write(out),
            Code::String => {
                W::string(cell.len()).write(out);
                self.document.copy(cell, out);
            }
            Code::List => return self.list(op, cell, out),
            Code::Record => return self.record(op.ty, cell, out),
            Code::Null | Code::Any | Code::Other => return self.other(op.ty, cell, out),
        }
        Ok(())
    }

    #[inline(never)]
    fn other(&mut self, ty: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let document = self.document;
        let codec = self.codec;
        match codec.schema.kind(ty) {
            Kind::Null => write_null::<W>(out),
            Kind::Bytes | Kind::Fixed(_) => write_bytes::<W>(document.bytes(cell), out),
            Kind::Enum(e) => match (&codec.types[ty.index()], e.position(cell.as_i64())) {
                (TypePlan::Enum { names, .. }, Some(position)) if !codec.positional => out.bytes(&names[position]),
                _ => W::int(cell.as_i64()).write(out),
            },
            Kind::Map(key, value) => return self.map(*key, *value, cell, out),
            Kind::Nullable(inner) => match document.boxed(cell) {
                None => write_null::<W>(out),
                Some(cell) => return self.value(&codec.ops[inner.index()], cell, out),
            },
            Kind::Union(union) => {
                let (position, value) = document.union(cell);
                let branch = &union.branches[position];
                let TypePlan::Union { plan, names } = &codec.types[ty.index()] else {
                    unreachable!("planned as a union")
                };
                let op = &codec.ops[branch.ty.index()];
                match plan {
                    UnionPlan::Plain(_) => return self.value(op, value, out),
                    UnionPlan::Tagged if codec.positional => {
                        W::list(2).write(out);
                        W::uint(branch.number.into()).write(out);
                    }
                    UnionPlan::Tagged => {
                        W::map(1).write(out);
                        out.bytes(&names[position]);
                    }
                }
                return self.value(op, value, out).map_err(|error| error.in_field(&branch.name));
            }
            Kind::Any => return any::write::<W>(document, cell, W::SORTED, &mut self.sorter, out),
            Kind::Bool | Kind::Int(_) | Kind::Float(_) | Kind::String | Kind::List(_) | Kind::Record(_) => {
                unreachable!("has a code of its own")
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn list(&mut self, op: &Op, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let items = self.document.list(cell);
        let item = &self.codec.ops[op.item.index()];
        W::list(items.len()).write(out);
        match (item.code, &self.codec.types[item.ty.index()]) {
            (Code::F64, _) => items.iter().for_each(|cell| W::float64(cell.as_f64()).write(out)),
            (Code::Int, _) if !item.signed => items.iter().for_each(|cell| W::uint(cell.as_u64()).write(out)),
            (_, TypePlan::Record(plan)) if plan.flat() => {
                let mut next = 0;
                while next < items.len() {
                    let (records, fields) = flat::records::<W>(plan, self.document, &items[next..], out);
                    next += records;
                    if let Some(&cell) = items.get(next) {
                        let written = self.record_from(item.ty, plan, cell, fields, out);
                        written.map_err(|error| error.in_index(next))?;
                        next += 1;
                    }
                }
            }
            _ => {
                for (i, &cell) in items.iter().enumerate() {
                    self.value(item, cell, out).map_err(|error| error.in_index(i))?;
                }
            }
        }
        Ok(())
    }

    fn map(&mut self, key: TypeId, value: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let document = self.document;
        let (key_op, value_op) = (&self.codec.ops[key.index()], &self.codec.ops[value.index()]);
        let pairs = document.map(cell).chunks_exact(2);
        W::map(pairs.len()).write(out);
        let mark = self.sorter.begin();
        for pair in pairs {
            let start = out.len();
            self.value(key_op, pair[0], out)?;
            let key_end = out.len();
            self.value(value_op, pair[1], out).map_err(|error| match self.codec.schema.kind(key) {
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

    fn record(&mut self, ty: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let TypePlan::Record(plan) = &self.codec.types[ty.index()] else { unreachable!("planned as a record") };
        let mut from = 0;
        if plan.steps.len() >= flat::FEW {
            from = match flat::records::<W>(plan, self.document, &[cell], out) {
                (0, fields) => fields,
                _ if plan.flat() => return Ok(()),
                _ => plan.steps.len(),
            };
        }
        self.record_from(ty, plan, cell, from, out)
    }

    /// The fields of the record that is the whole message, from this place on.
    #[inline(never)]
    fn root(&mut self, ty: TypeId, plan: &RecordPlan, cell: Cell, from: usize, out: &mut Out<'_>) -> Result<()> {
        self.record_from(ty, plan, cell, from, out)
    }

    /// The fields of a record from this place on; with its head from the first one on.
    #[inline(always)]
    fn record_from(&mut self, ty: TypeId, plan: &RecordPlan, cell: Cell, from: usize, out: &mut Out<'_>) -> Result<()> {
        let run = self.document.run(cell, plan.cells);
        if plan.has_oneofs {
            let record = self.schema_record(ty);
            check_oneofs(record, &self.document.record(record, cell))?;
        }
        if self.codec.positional {
            self.array_record(ty, plan, cell, run, from, out)
        } else {
            self.map_record(ty, plan, run, from, out)
        }
    }

    #[inline(always)]
    fn map_record(
        &mut self,
        ty: TypeId,
        plan: &RecordPlan,
        run: &[Cell],
        from: usize,
        out: &mut Out<'_>,
    ) -> Result<()> {
        if from == 0 {
            self.map_head(plan, run, out);
        }
        for field in plan.fields.iter().skip(from) {
            if field.stateful {
                match state(run, field.position) {
                    State::Present => {}
                    State::Absent => continue,
                    State::Null => {
                        write_key(plan, field, out);
                        write_null::<W>(out);
                        continue;
                    }
                }
            }
            write_key(plan, field, out);
            if let Err(error) = self.value(&field.value, run[field.slot as usize], out) {
                return Err(self.in_field(ty, field, error));
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn map_head(&self, plan: &RecordPlan, run: &[Cell], out: &mut Out<'_>) {
        // Of the two bits of a state none is set when the field is absent.
        let absent = |(word, optional): (&Cell, &u64)| {
            let there = word.as_u64() | word.as_u64() >> 1;
            (optional & !there).count_ones() as usize
        };
        let absent: usize = run.iter().zip(&plan.optional).map(absent).sum();
        if absent == 0 {
            out.prefix(plan.head, plan.head_len);
        } else {
            W::map(plan.fields.len() - absent).write(out);
        }
    }

    #[inline(always)]
    fn array_record(
        &mut self,
        ty: TypeId,
        plan: &RecordPlan,
        cell: Cell,
        run: &[Cell],
        from: usize,
        out: &mut Out<'_>,
    ) -> Result<()> {
        if from == 0 {
            out.prefix(plan.head, plan.head_len);
        }
        for field in plan.fields.iter().skip(from) {
            let state = if field.stateful { state(run, field.position) } else { State::Present };
            if state == State::Absent {
                write_null::<W>(out);
                continue;
            }
            if state == State::Null || matches!(field.value.code, Code::Null | Code::Any) {
                let record = self.schema_record(ty);
                let view = self.document.record(record, cell);
                if positional_null(self.document, record, &view, field.position as usize, self.losses)? {
                    write_null::<W>(out);
                    continue;
                }
            }
            if let Err(error) = self.value(&field.value, run[field.slot as usize], out) {
                return Err(self.in_field(ty, field, error));
            }
        }
        Ok(())
    }

    fn schema_record(&self, ty: TypeId) -> &'a Record {
        let Kind::Record(record) = self.codec.schema.kind(ty) else { unreachable!("planned as a record") };
        record
    }

    #[cold]
    fn in_field(&self, ty: TypeId, field: &FieldPlan, error: Error) -> Error {
        error.in_field(&self.schema_record(ty).fields[field.position as usize].name)
    }
}

/// The state of a field that has one.
#[inline(always)]
fn state(run: &[Cell], position: u32) -> State {
    match run[position as usize / 32].as_u64() >> (position % 32 * 2) & 3 {
        0 => State::Absent,
        1 => State::Null,
        _ => State::Present,
    }
}

#[inline(always)]
fn write_key(plan: &RecordPlan, field: &FieldPlan, out: &mut Out<'_>) {
    let len = field.key_len as usize;
    if len <= field.key.len() {
        out.prefix(field.key, len);
    } else {
        out.bytes(&plan.keys[field.position as usize]);
    }
}

#[inline(always)]
pub(super) fn write_null<W: Wire>(out: &mut Out<'_>) {
    out.byte(W::NULL);
}

#[inline(always)]
pub(super) fn write_bool<W: Wire>(value: bool, out: &mut Out<'_>) {
    out.byte(W::FALSE | value as u8);
}

#[inline]
pub(super) fn write_string<W: Wire>(text: &[u8], out: &mut Out<'_>) {
    W::string(text.len()).write(out);
    out.bytes(text);
}

#[inline]
pub(super) fn write_bytes<W: Wire>(bytes: &[u8], out: &mut Out<'_>) {
    W::bytes(bytes.len()).write(out);
    out.bytes(bytes);
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
    pub(super) fn add(&mut self, start: usize, key_end: usize, out: &Out<'_>) {
        self.entries.push((start, key_end, out.len()));
    }

    /// Ends the map begun at `mark`.
    pub(super) fn finish(&mut self, mark: usize, out: &mut Out<'_>) {
        let entries = &mut self.entries[mark..];
        let written = out.written();
        let key = |entry: &(usize, usize, usize)| &written[entry.0..entry.1];
        if !entries.is_sorted_by_key(key) {
            let first = entries[0].0;
            entries.sort_by(|a, b| key(a).cmp(key(b)));
            self.moved.clear();
            for &(start, _, end) in entries.iter() {
                self.moved.extend_from_slice(&written[start..end]);
            }
            out.truncate(first);
            out.bytes(&self.moved);
        }
        self.entries.truncate(mark);
    }
}
