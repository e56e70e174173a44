//! Writing one value.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Record, RecordView, Result, State,
    TypeId,
};

use super::plan::{FieldPlan, Nothing, Op, OpId, Plan, UnionPlan, key_text};
use super::wire::{write_bytes, write_long};
use crate::json;

/// Writes values as a plan says.
pub(super) struct Encoder<'a> {
    pub(super) plan: &'a Plan,
    pub(super) document: &'a Document<'a>,
    pub(super) losses: &'a mut Losses,
}

impl Encoder<'_> {
    pub(super) fn value(&mut self, op: OpId, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let (plan, document) = (self.plan, self.document);
        match &plan.ops[op] {
            Op::Null => {}
            Op::OnlyNull => out.push(0),
            Op::Bool => out.push(cell.as_bool().into()),
            Op::Int(Int::U64) => {
                let value = i64::try_from(cell.as_u64()).map_err(|_| too_large(cell.as_u64()))?;
                write_long(value, out);
            }
            Op::Int(_) => write_long(cell.as_i64(), out),
            Op::Float(Float::F64) => out.extend_from_slice(&cell.as_f64().to_le_bytes()),
            Op::Float(Float::F32) => out.extend_from_slice(&cell.as_f32().to_le_bytes()),
            Op::String | Op::Bytes => write_bytes(document.bytes(cell), out),
            Op::Fixed(_) => out.extend_from_slice(document.bytes(cell)),
            Op::Any => {
                let start = out.len();
                json::any_to_text(document, cell, out)?;
                let end = out.len();
                // The length comes first, but is known last.
                write_long((end - start) as i64, out);
                let prefix = out.len() - end;
                out[start..].rotate_right(prefix);
            }
            Op::Enum(plan) => {
                let Kind::Enum(e) = document.schema().kind(plan.ty) else { unreachable!("planned as an enum") };
                let number = cell.as_i64();
                let Some(position) = e.position(number) else {
                    let what = format!("enum {} has no symbol for {number}, and Avro writes symbols only", e.name);
                    return Err(Error::new(ErrorKind::Unsupported, what).hint("add the symbol to the schema"));
                };
                let Some(index) = plan.index[position] else {
                    let symbol = &e.symbols[position].name;
                    let what = format!("the Avro schema's enum {} has no symbol {symbol:?}", e.name);
                    return Err(Error::new(ErrorKind::Unsupported, what));
                };
                write_long(index, out);
            }
            Op::List(item) => {
                let items = document.list(cell);
                block(items.len(), out, |out| {
                    items
                        .iter()
                        .enumerate()
                        .try_for_each(|(i, &cell)| self.value(*item, cell, out).map_err(|error| error.in_index(i)))
                })?;
            }
            Op::Map { key_type, value } => {
                let pairs = document.map(cell);
                block(pairs.len() / 2, out, |out| {
                    pairs.chunks_exact(2).try_for_each(|pair| {
                        write_bytes(document.bytes(pair[0]), out);
                        self.value(*value, pair[1], out).map_err(|error| self.in_key(*key_type, pair[0], error))
                    })
                })?;
            }
            Op::Pairs { key_type, key, value } => {
                let pairs = document.map(cell);
                block(pairs.len() / 2, out, |out| {
                    pairs.chunks_exact(2).try_for_each(|pair| {
                        self.value(*key, pair[0], out)
                            .and_then(|()| self.value(*value, pair[1], out))
                            .map_err(|error| self.in_key(*key_type, pair[0], error))
                    })
                })?;
            }
            Op::IntToFloat(_)
            | Op::FloatToDouble
            | Op::Symbols(_)
            | Op::Choice { .. }
            | Op::Chosen { .. }
            | Op::Resolved(_)
            | Op::Never(_) => unreachable!("what was resolved is only read"),
            Op::Union(union) if !union.nullable => return self.union(union, cell, out),
            Op::Nullable { .. } | Op::Union(_) => return self.nullable(op, document.boxed(cell), out),
            Op::Record { ty, fields } => {
                let Kind::Record(record) = document.schema().kind(*ty) else { unreachable!("planned as a record") };
                let view = document.record(record, cell);
                if !record.oneofs.is_empty() {
                    check_oneofs(record, &view)?;
                }
                for field in fields {
                    self.field(record, &view, field, out)
                        .map_err(|error| error.in_field(&record.fields[field.position].name))?;
                }
            }
        }
        Ok(())
    }

    /// A value that may be null.
    fn nullable(&mut self, op: OpId, cell: Option<Cell>, out: &mut Vec<u8>) -> Result<()> {
        match (&self.plan.ops[op], cell) {
            (Op::Nullable { null, .. } | Op::Union(UnionPlan { null, .. }), None) => write_long(*null, out),
            (Op::Nullable { some, value, .. }, Some(cell)) => {
                write_long(*some, out);
                return self.value(*value, cell, out);
            }
            (Op::Union(union), Some(cell)) => return self.union(union, cell, out),
            _ => unreachable!("planned as a union"),
        }
        Ok(())
    }

    fn union(&mut self, union: &UnionPlan, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let (branch, cell) = self.document.union(cell);
        let (index, op) = union.branches[branch];
        write_long(index, out);
        self.value(op, cell, out)
    }

    fn field(&mut self, record: &Record, view: &RecordView<'_>, plan: &FieldPlan, out: &mut Vec<u8>) -> Result<()> {
        let position = plan.position;
        let state = view.state(position);
        match plan.nothing {
            Nothing::Never => self.value(plan.op, view.cell(position), out),
            // Both a null value and the state of null are null.
            Nothing::Always => {
                if state != State::Absent {
                    self.null_as_absent(record, position)?;
                }
                self.value(plan.op, Cell::EMPTY, out)
            }
            Nothing::Absent | Nothing::Null => {
                if state == State::Null && plan.nothing == Nothing::Absent {
                    self.null_as_absent(record, position)?;
                }
                let cell = (state == State::Present).then(|| view.cell(position));
                self.nullable(plan.op, cell, out)
            }
        }
    }

    fn null_as_absent(&mut self, record: &Record, position: usize) -> Result<()> {
        let name = LossName::Name(&record.fields[position].name);
        self.losses.note(LossKind::NullAsAbsent, record.type_id(), name)
    }

    #[cold]
    fn in_key(&self, key_type: TypeId, key: Cell, error: Error) -> Error {
        let text = key_text(self.document.schema(), key_type, key, |cell| self.document.bytes(cell));
        error.in_key(text.as_bytes())
    }
}

/// What a reader of ours would refuse is not written: two fields of a group, or none of one that must have one.
fn check_oneofs(record: &Record, view: &RecordView<'_>) -> Result<()> {
    for (i, oneof) in record.oneofs.iter().enumerate() {
        let members = record.fields.iter().enumerate().filter(|(_, field)| field.oneof == Some(i));
        let mut there = members.filter(|&(position, _)| !view.is_absent(position));
        let what = match (there.next(), there.next()) {
            (Some((_, first)), Some((_, second))) => {
                let (first, second, name) = (&first.name, &second.name, &oneof.name);
                format!("{first:?} and {second:?} are both there, but oneof {name:?} takes one of them")
            }
            (None, _) if oneof.required => {
                format!("none of the fields of oneof {:?} of {} is there", oneof.name, record.name)
            }
            _ => continue,
        };
        return Err(Error::new(ErrorKind::Data, what));
    }
    Ok(())
}

/// One block with everything in it, as the Java, Python and other writers do; then the empty block that ends it.
fn block(count: usize, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    if count > 0 {
        write_long(count as i64, out);
        write(out)?;
    }
    out.push(0);
    Ok(())
}

#[cold]
fn too_large(value: u64) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{value} is above {}, the largest long of Avro", i64::MAX))
        .hint("make the field a string or 8 fixed bytes, or keep the data in a format with unsigned integers")
}
