//! Writing Thrift.

use std::marker::PhantomData;

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Out, Record, RecordView, Result,
    State, TypeId, Union,
};

use super::plan::{Plan, int_wire};
use super::protocol::{Protocol, STOP, WireType};
use super::steps::{Code, RecordPlan, Step, Usual};
use crate::dynamic::binary::float::widen;
use crate::json;

pub(super) fn write<P: Protocol>(
    plan: &Plan,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    let mut writer = Writer::<P> { plan, document, losses, text: Vec::new(), protocol: PhantomData };
    let out = &mut Out::new(out);
    let ty = plan.schema.root();
    match plan.schema.kind(ty) {
        // These are structs already.
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) | Kind::Null => writer.value(ty, document.root(), out),
        _ => writer.wrapper(ty, Some(document.root()), out),
    }
}

struct Writer<'a, P> {
    plan: &'a Plan,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    /// The JSON text of the last `any`, kept for its memory.
    text: Vec<u8>,
    protocol: PhantomData<P>,
}

impl<'a, P: Protocol> Writer<'a, P> {
    fn value(&mut self, ty: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let document = self.document;
        let plan = self.plan;
        match plan.schema.kind(ty) {
            Kind::Null => out.byte(STOP),
            Kind::Bool => P::write_bool(out, cell.as_bool()),
            Kind::Int(int) => return Self::int(*int, cell, out),
            Kind::Float(Float::F64) => P::write_double(out, cell.as_f64()),
            Kind::Float(Float::F32) => P::write_double(out, widen(cell.as_f32())),
            Kind::Fixed(_) if plan.wire(ty) == WireType::Uuid => document.copy(cell, out),
            Kind::String | Kind::Bytes | Kind::Fixed(_) => return self.text(cell, out),
            Kind::Enum(e) => match (plan.wire(ty), i32::try_from(cell.as_i64())) {
                (WireType::I32, Ok(number)) => P::write_int(out, WireType::I32, i64::from(number)),
                (WireType::I64, _) => P::write_int(out, WireType::I64, cell.as_i64()),
                _ => {
                    let message =
                        format!("enum {} has the value {}, but Thrift's enums are i32", e.name, cell.as_i64());
                    return Err(Error::new(ErrorKind::Unsupported, message));
                }
            },
            Kind::List(item) => match plan.entry(ty) {
                Some(entry) => return self.entries(*item, entry, cell, out),
                None => return self.list(*item, cell, out),
            },
            Kind::Map(key, value) => return self.map(*key, *value, cell, out),
            Kind::Nullable(inner) => return self.wrapper(*inner, document.boxed(cell), out),
            Kind::Record(_) => return self.record(ty, plan.record(ty), cell, out),
            Kind::Union(union) => return self.union(ty, union, cell, out),
            Kind::Any => {
                self.text.clear();
                json::any_to_text(document, cell, &mut self.text)?;
                return Self::bytes(&self.text, out);
            }
        }
        Ok(())
    }

    fn int(int: Int, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        if int == Int::U64 && cell.as_u64() > i64::MAX as u64 {
            let message = format!("Thrift's integers are signed: {} is beyond i64", cell.as_u64());
            return Err(Error::new(ErrorKind::Unsupported, message)
                .hint("declare it as a string or as bytes, or use a format with unsigned integers"));
        }
        P::write_int(out, int_wire(int), cell.as_i64());
        Ok(())
    }

    fn bytes(bytes: &[u8], out: &mut Out<'_>) -> Result<()> {
        P::write_len(out, size(bytes.len(), "a string")?);
        out.bytes(bytes);
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        P::write_len(out, size(cell.len(), "a string")?);
        self.document.copy(cell, out);
        Ok(())
    }

    fn list(&mut self, item: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let usual = self.plan.usual(item);
        match usual.code {
            Code::Record => self.records(item, cell, out),
            Code::String => self.strings(item, cell, out),
            _ => self.items(item, cell, out, |writer, cell, out| {
                match write_usual::<P>(writer.document, usual, cell, out) {
                    true => Ok(()),
                    false => writer.value(item, cell, out),
                }
            }),
        }
    }

    fn strings(&mut self, item: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        self.items(item, cell, out, |writer, cell, out| writer.text(cell, out))
    }

    fn records(&mut self, item: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (document, plan) = (self.document, self.plan.record(item));
        let items = document.list(cell);
        P::write_list(out, self.plan.wire(item), size(items.len(), "a list")?);
        let mut done = 0;
        if plan.flat && !plan.oneofs {
            done = out.local(|out| {
                for (i, &item) in items.iter().enumerate() {
                    let start = out.len();
                    if !flat_record::<P>(document, plan, item, out) {
                        out.truncate(start);
                        return i;
                    }
                }
                items.len()
            });
        }
        for (i, &cell) in items.iter().enumerate().skip(done) {
            self.record(item, plan, cell, out).map_err(|error| error.in_index(i))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn items(
        &mut self,
        item: TypeId,
        cell: Cell,
        out: &mut Out<'_>,
        mut write: impl FnMut(&mut Self, Cell, &mut Out<'_>) -> Result<()>,
    ) -> Result<()> {
        let items = self.document.list(cell);
        P::write_list(out, self.plan.wire(item), size(items.len(), "a list")?);
        for (index, &cell) in items.iter().enumerate() {
            write(self, cell, out).map_err(|error| error.in_index(index))?;
        }
        Ok(())
    }

    fn map(&mut self, key: TypeId, value: TypeId, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let pairs = self.document.map(cell);
        P::write_map(out, self.plan.wire(key), self.plan.wire(value), size(pairs.len() / 2, "a map")?);
        for pair in pairs.chunks_exact(2) {
            self.value(key, pair[0], out)?;
            self.value(value, pair[1], out).map_err(|error| error.in_key(self.key_text(key, pair[0]).as_bytes()))?;
        }
        Ok(())
    }

    /// A list of records that is a map on the wire.
    fn entries(&mut self, item: TypeId, entry: (TypeId, TypeId), cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let items = self.document.list(cell);
        let plan = self.plan;
        let Kind::Record(record) = plan.schema.kind(item) else { unreachable!("entries are records") };
        P::write_map(out, plan.wire(entry.0), plan.wire(entry.1), size(items.len(), "a map")?);
        for (index, &cell) in items.iter().enumerate() {
            let view = self.document.record(record, cell);
            for (position, ty) in [entry.0, entry.1].into_iter().enumerate() {
                let written = self.value(ty, view.cell(position), out);
                written.map_err(|error| error.in_field(&record.fields[position].name).in_index(index))?;
            }
        }
        Ok(())
    }

    /// A map key in messages.
    #[cold]
    fn key_text(&self, key: TypeId, cell: Cell) -> String {
        match self.plan.schema.kind(key) {
            Kind::Bool => cell.as_bool().to_string(),
            Kind::Int(int) if int.signed() => cell.as_i64().to_string(),
            Kind::Int(_) => cell.as_u64().to_string(),
            _ => self.document.str(cell).to_owned(),
        }
    }

    /// The field with number `id`, after one with number `last`.
    fn field(&mut self, last: i16, id: i16, ty: TypeId, wire: WireType, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        if wire == WireType::Bool {
            // A null in a field is true.
            let value = *self.plan.schema.kind(ty) == Kind::Null || cell.as_bool();
            P::write_bool_field(out, value, last, id);
            return Ok(());
        }
        P::write_field(out, P::tag(wire), last, id);
        self.value(ty, cell, out)
    }

    fn record(&mut self, ty: TypeId, plan: &'a RecordPlan, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let run = self.document.run(cell, plan.cells as usize);
        if plan.oneofs {
            let record = self.record_of(ty);
            check_oneofs(record, &self.document.record(record, cell))?;
        }
        let mut last = 0;
        for (place, step) in plan.steps.iter().enumerate() {
            if step.stateful {
                match run[step.position as usize / 32].as_u64() >> (step.position % 32 * 2) & 3 {
                    0 => continue,
                    1 => {
                        self.null(ty, step)?;
                        continue;
                    }
                    _ => {}
                }
            }
            let cell = run[step.slot as usize];
            let written = match step.usual.code {
                Code::Type => match self.unusual(ty, place, last, cell, out) {
                    Ok(true) => Ok(()),
                    Ok(false) => continue,
                    Err(error) => Err(error),
                },
                Code::Bool => {
                    P::write_bool_field(out, cell.as_bool(), last, step.id);
                    Ok(())
                }
                code => {
                    P::write_field(out, step.tag, last, step.id);
                    match code {
                        _ if write_usual::<P>(self.document, step.usual, cell, out) => Ok(()),
                        Code::Strings => self.strings(step.ty, cell, out),
                        Code::Records => self.records(step.ty, cell, out),
                        Code::Record => self.record(step.ty, self.plan.record(step.ty), cell, out),
                        Code::List => self.list(step.ty, cell, out),
                        _ => self.value(step.ty, cell, out),
                    }
                }
            };
            written.map_err(|error| error.in_field(&self.record_of(ty).fields[step.position as usize].name))?;
            last = step.id;
        }
        out.byte(STOP);
        Ok(())
    }

    fn record_of(&self, ty: TypeId) -> &'a Record {
        let Kind::Record(record) = self.plan.schema.kind(ty) else { unreachable!("planned as a record") };
        record
    }

    /// A null is not written; of a field that may be absent that is a loss.
    #[cold]
    fn null(&mut self, ty: TypeId, step: &Step) -> Result<()> {
        let record = self.record_of(ty);
        let field = &record.fields[step.position as usize];
        if !field.is_optional() {
            return Ok(());
        }
        let noted = self.losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(&field.name));
        noted.map_err(|error| error.in_field(&field.name))
    }

    /// A field, header and value, by its type. `false` for a null that is always there, which needs no bytes.
    #[inline(never)]
    fn unusual(&mut self, ty: TypeId, place: usize, last: i16, cell: Cell, out: &mut Out<'_>) -> Result<bool> {
        let slot = self.plan.slots(ty)[place];
        let field = &self.record_of(ty).fields[slot.position];
        if !field.is_optional() && *self.plan.schema.kind(slot.ty) == Kind::Null {
            return Ok(false);
        }
        self.field(last, slot.id, slot.ty, slot.wire, cell, out).map(|()| true)
    }

    fn union(&mut self, ty: TypeId, union: &Union, cell: Cell, out: &mut Out<'_>) -> Result<()> {
        let (position, cell) = self.document.union(cell);
        let slots = self.plan.slots(ty);
        let slot = slots.iter().find(|slot| slot.position == position).expect("every branch has a slot");
        let written = self.field(0, slot.id, slot.ty, slot.wire, cell, out);
        written.map_err(|error| error.in_field(&union.branches[position].name))?;
        out.byte(STOP);
        Ok(())
    }

    /// A struct with the value in field 1, or without it.
    fn wrapper(&mut self, ty: TypeId, cell: Option<Cell>, out: &mut Out<'_>) -> Result<()> {
        if let Some(cell) = cell {
            self.field(0, 1, ty, self.plan.wire(ty), cell, out)?;
        }
        out.byte(STOP);
        Ok(())
    }
}

/// Writes a scalar; `false` where this takes more than its cell.
#[inline(always)]
fn write_usual<P: Protocol>(document: &Document<'_>, usual: Usual, cell: Cell, out: &mut Out<'_>) -> bool {
    match usual.code {
        Code::Signed => P::write_int(out, usual.wire, cell.as_i64()),
        Code::Unsigned if cell.as_i64() >= 0 => P::write_int(out, usual.wire, cell.as_i64()),
        Code::Double => P::write_double(out, cell.as_f64()),
        Code::String | Code::Bytes if cell.len() <= i32::MAX as usize => {
            P::write_len(out, cell.len() as u32);
            document.copy(cell, out);
        }
        _ => return false,
    }
    true
}

/// Writes a record whose fields are scalars; `false` where one of them takes more than its cell.
#[inline(always)]
fn flat_record<P: Protocol>(document: &Document<'_>, plan: &RecordPlan, cell: Cell, out: &mut Out<'_>) -> bool {
    let run = document.run(cell, plan.cells as usize);
    let mut last = 0;
    for step in &plan.steps {
        if step.stateful {
            match run[step.position as usize / 32].as_u64() >> (step.position % 32 * 2) & 3 {
                0 => continue,
                1 => return false,
                _ => {}
            }
        }
        let cell = run[step.slot as usize];
        if step.usual.code == Code::Bool {
            P::write_bool_field(out, cell.as_bool(), last, step.id);
        } else {
            P::write_field(out, step.tag, last, step.id);
            if !write_usual::<P>(document, step.usual, cell, out) {
                return false;
            }
        }
        last = step.id;
    }
    out.byte(STOP);
    true
}

/// Structs of Thrift can have any fields: it is up to us to write no two of a oneof.
fn check_oneofs(record: &Record, view: &RecordView<'_>) -> Result<()> {
    let mut found: Vec<Option<&str>> = vec![None; record.oneofs.len()];
    for (position, field) in record.fields.iter().enumerate() {
        let Some(oneof) = field.oneof else { continue };
        // A null that may be absent is not written.
        if view.state(position) != State::Present {
            continue;
        }
        if let Some(first) = found[oneof].replace(&field.name) {
            let (second, name) = (&field.name, &record.oneofs[oneof].name);
            let what = format!("{first:?} and {second:?} are both there, but oneof {name:?} takes one of them");
            return Err(Error::new(ErrorKind::Unsupported, what));
        }
    }
    match record.oneofs.iter().zip(found).find(|(oneof, found)| oneof.required && found.is_none()) {
        Some((oneof, _)) => {
            let what = format!("none of the fields of oneof {:?} of {} is there", oneof.name, record.name);
            Err(Error::new(ErrorKind::Unsupported, what))
        }
        None => Ok(()),
    }
}

/// A length or count as Thrift writes it.
fn size(len: usize, what: &str) -> Result<u32> {
    i32::try_from(len).map(|len| len as u32).map_err(|_| {
        let message = format!("{what} of length {len}: Thrift's lengths go up to {}", i32::MAX);
        Error::new(ErrorKind::Unsupported, message)
    })
}
