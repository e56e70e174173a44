//! Writing one value.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Out, Record, Result, TypeId, varint,
};

use super::plan::{Nothing, Op, OpId, Plan, UnionPlan, key_text};
use super::usual::{Code, FieldPlan, RecordPlan, code};

use crate::dynamic::check_oneofs;
use crate::json;

/// Writes values as a plan says.
pub(super) struct Encoder<'a> {
    pub(super) plan: &'a Plan,
    pub(super) document: &'a Document<'a>,
    pub(super) losses: &'a mut Losses,
}

impl<'a> Encoder<'a> {
    pub(super) fn value(&mut self, op: OpId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (plan, document) = (self.plan, self.document);
        match plan.op(op) {
            Op::Null => {}
            Op::OnlyNull => out.byte(0),
            Op::Bool => out.byte(cell.as_bool().into()),
            Op::Int(Int::U64) => {
                let value = i64::try_from(cell.as_u64()).map_err(|_| too_large(cell.as_u64()))?;
                write_long(value, out);
            }
            Op::Int(_) => write_long(cell.as_i64(), out),
            Op::Float(Float::F64) => out.array(cell.as_f64().to_le_bytes()),
            Op::Float(Float::F32) => out.array(cell.as_f32().to_le_bytes()),
            Op::String | Op::Bytes => self.text(cell, out),
            Op::Fixed(_) => document.copy(cell, out),
            Op::Any => {
                let start = out.len();
                out.with(|vec| json::any_to_text(document, cell, vec))?;
                let end = out.len();
                // The length comes first, but is known last.
                write_long((end - start) as i64, out);
                let prefix = out.len() - end;
                out.written_mut()[start..].rotate_right(prefix);
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
            Op::List(item) => return self.list(*item, cell, out),
            Op::Map { key_type, value } => {
                let pairs = document.map(cell);
                block(pairs.len() / 2, out, |out| {
                    pairs.chunks_exact(2).try_for_each(|pair| {
                        self.text(pair[0], out);
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
            | Op::Never(_) => unreachable!("what was resolved is only read"),
            Op::Union(union) if !union.nullable => return self.union(union, cell, out),
            Op::Nullable { .. } | Op::Union(_) => return self.nullable(op, document.boxed(cell), out),
            Op::Record(record) => return self.record(record, cell, out),
        }
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, cell: Cell, out: &mut Out<'_>) {
        usual(self.document, Code::String, cell, out);
    }

    fn list(&mut self, item: OpId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        match self.plan.op(item) {
            Op::String => self.strings(cell, out),
            Op::Record(plan) => self.records(plan, cell, out),
            op => {
                let (code, _) = code(op);
                self.items(cell, out, |encoder, cell, out| match usual(encoder.document, code, cell, out) {
                    true => Ok(()),
                    false => encoder.value(item, cell, out),
                })
            }
        }
    }

    fn strings(&mut self, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        self.items(cell, out, |encoder, cell, out| {
            encoder.text(cell, out);
            Ok(())
        })
    }

    fn records(&mut self, plan: &'a RecordPlan, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (document, items) = (self.document, self.document.list(cell));
        block(items.len(), out, |out| {
            let mut done = 0;
            if plan.flat && !plan.oneofs {
                done = out.local(|out| {
                    for (i, &item) in items.iter().enumerate() {
                        let start = out.len();
                        if !flat_record(document, plan, item, out) {
                            out.truncate(start);
                            return i;
                        }
                    }
                    items.len()
                });
            }
            for (i, &item) in items.iter().enumerate().skip(done) {
                self.record(plan, item, out).map_err(|error| error.in_index(i))?;
            }
            Ok(())
        })
    }

    #[inline(always)]
    fn items(
        &mut self,
        cell: Cell,
        out: &mut Out<'_>,
        mut write: impl FnMut(&mut Self, Cell, &mut Out<'_>) -> Result<()>,
    ) -> Result<()> {
        let items = self.document.list(cell);
        block(items.len(), out, |out| {
            for (i, &cell) in items.iter().enumerate() {
                write(self, cell, out).map_err(|error| error.in_index(i))?;
            }
            Ok(())
        })
    }

    fn record(&mut self, plan: &'a RecordPlan, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let run = self.document.run(cell, plan.cells as usize);
        if plan.oneofs {
            let record = self.record_of(plan);
            check_oneofs(record, &self.document.record(record, cell))?;
        }
        for field in &plan.fields {
            let cell = run[field.slot as usize];
            if field.is_union() {
                let position = plan.position(field);
                let state = run[position / 32].as_u64() >> (position % 32 * 2) & 3;
                match (state, field.nothing) {
                    _ if field.code == Code::Op => {
                        self.unusual_field(plan, field, run, out)?;
                        continue;
                    }
                    (0, _) | (1, Nothing::Null) => {
                        out.byte(field.some ^ 2);
                        continue;
                    }
                    // A null that is written as if it were absent is a loss.
                    (1, _) => {
                        self.unusual_field(plan, field, run, out)?;
                        continue;
                    }
                    _ => out.byte(field.some),
                }
            }
            match field.code {
                Code::Op if field.nothing == Nothing::Always => self.unusual_field(plan, field, run, out)?,
                code if usual(self.document, code, cell, out) => {}
                _ => {
                    let written = match (field.code, self.plan.op(field.value)) {
                        (Code::Strings, _) => self.strings(cell, out),
                        (Code::Records, Op::Record(inner)) => self.records(inner, cell, out),
                        (Code::Record, Op::Record(inner)) => self.record(inner, cell, out),
                        (Code::List, _) => self.list(field.value, cell, out),
                        _ => self.value(field.value, cell, out),
                    };
                    written.map_err(|error| self.in_field(plan, field, error))?;
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn in_field(&self, plan: &RecordPlan, field: &FieldPlan, error: Error) -> Error {
        error.in_field(&self.record_of(plan).fields[plan.position(field)].name)
    }

    fn record_of(&self, plan: &RecordPlan) -> &'a Record {
        let Kind::Record(record) = self.document.schema().kind(plan.ty) else { unreachable!("planned as a record") };
        record
    }

    /// A field that is more than a value, or null and a value.
    #[inline(never)]
    fn unusual_field(&mut self, plan: &RecordPlan, field: &FieldPlan, run: &[Cell], out: &mut Out<'_>) -> Result<()> {
        let position = plan.position(field);
        let state =
            run.get(position / 32).filter(|_| plan.words > 0).map(|word| word.as_u64() >> (position % 32 * 2) & 3);
        let (absent, null) = (state == Some(0), state == Some(1));
        let record = self.record_of(plan);
        // Both a null value and the state of null are null.
        let lost = match field.nothing {
            Nothing::Always => !absent,
            nothing => null && nothing == Nothing::Absent,
        };
        let noted = if lost { self.null_as_absent(record, position) } else { Ok(()) };
        let written = noted.and_then(|()| match field.nothing {
            Nothing::Always => self.value(field.op, Cell::EMPTY, out),
            _ => {
                let cell = run[field.slot as usize];
                self.nullable(field.op, (!absent && !null).then_some(cell), out)
            }
        });
        written.map_err(|error| error.in_field(&record.fields[position].name))
    }

    /// A value that may be null.
    fn nullable(&mut self, op: OpId, cell: Option<Cell>, out: &mut Out<'_>) -> Result<()> {
        match (self.plan.op(op), cell) {
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

    fn union(&mut self, union: &UnionPlan, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (branch, cell) = self.document.union(cell);
        let (index, op) = union.branches[branch];
        write_long(index, out);
        self.value(op, cell, out)
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

/// Writes a scalar; `false` where this takes more than its cell.
#[inline(always)]
fn usual(document: &Document<'_>, code: Code, cell: Cell, out: &mut Out<'_>) -> bool {
    match code {
        Code::Bool => out.byte(cell.as_bool().into()),
        Code::Signed => out.number(varint::zigzag(cell.as_i64())),
        Code::Unsigned if cell.as_i64() >= 0 => out.number(varint::zigzag(cell.as_i64())),
        Code::Double => out.array(cell.as_f64().to_le_bytes()),
        Code::Float => out.array(cell.as_f32().to_le_bytes()),
        Code::String | Code::Bytes => {
            write_long(cell.len() as i64, out);
            document.copy(cell, out);
        }
        _ => return false,
    }
    true
}

/// Writes a record whose fields are scalars; `false` where one of them takes more than its cell.
#[inline(always)]
fn flat_record(document: &Document<'_>, plan: &RecordPlan, cell: Cell, out: &mut Out<'_>) -> bool {
    let run = document.run(cell, plan.cells as usize);
    for field in &plan.fields {
        if field.is_union() {
            let position = plan.position(field);
            match (run[position / 32].as_u64() >> (position % 32 * 2) & 3, field.nothing) {
                (0, _) | (1, Nothing::Null) => {
                    out.byte(field.some ^ 2);
                    continue;
                }
                // A null that is written as if it were absent is a loss.
                (1, _) => return false,
                _ => out.byte(field.some),
            }
        }
        if !usual(document, field.code, run[field.slot as usize], out) {
            return false;
        }
    }
    true
}

/// Appends an `int` or `long`.
#[inline(always)]
fn write_long(value: i64, out: &mut Out<'_>) {
    out.varint(varint::zigzag(value));
}

/// One block with everything in it, as the Java, Python and other writers do; then the empty block that ends it.
#[inline(always)]
fn block(count: usize, out: &mut Out<'_>, write: impl FnOnce(&mut Out<'_>) -> Result<()>) -> Result<()> {
    if count > 0 {
        write_long(count as i64, out);
        write(out)?;
    }
    out.byte(0);
    Ok(())
}

#[cold]
fn too_large(value: u64) -> Error {
    Error::new(ErrorKind::Unsupported, format!("{value} is above {}, the largest long of Avro", i64::MAX))
        .hint("make the field a string or 8 fixed bytes, or keep the data in a format with unsigned integers")
}
