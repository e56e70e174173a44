//! Writing FlatBuffers: what a table points to first, in the order of its fields, then the table.

use wirewise_core::{Cell, Document, Error, ErrorKind, Int, Kind, LossKind, LossName, Losses, Record, Result, State};

use super::FlatBuffersCodec;
use super::builder::Builder;
use super::plan::{Item, Presence, Root, Scalar, Slot, Store, Table, Target};
use crate::json;

pub(super) fn write(
    codec: &FlatBuffersCodec,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    let mut scratch = Scratch::default();
    let mut message = |target, cell, out: &mut Vec<u8>, losses: &mut Losses| {
        let builder = Builder::new(out);
        let mut writer = Writer { codec, document, losses, builder, scratch: &mut scratch };
        let root = writer.target(target, cell)?;
        writer.builder.finish(root, codec.size_prefixed);
        Ok(())
    };
    match codec.plan.root {
        Root::One(target) => message(target, document.root(), out, losses),
        Root::Stream(target) => {
            for (i, &cell) in document.list(document.root()).iter().enumerate() {
                message(target, cell, out, losses).map_err(|error: Error| error.in_index(i))?;
            }
            Ok(())
        }
    }
}

/// Memory that is reused from table to table.
#[derive(Default)]
struct Scratch {
    /// Of each open table what its fields hold, of each open vector the places of its elements.
    stack: Vec<Pushed>,
    /// The order of a map's entries by key.
    order: Vec<u32>,
    /// JSON text.
    text: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Pushed {
    Nothing,
    /// A scalar to be written.
    Scalar(u64),
    /// The place of what an offset is to point to; later that of the scalar or offset itself.
    Place(usize),
}

impl Pushed {
    fn place(self) -> usize {
        if let Pushed::Place(place) = self { place } else { 0 }
    }
}

struct Writer<'a> {
    codec: &'a FlatBuffersCodec,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    builder: Builder<'a>,
    scratch: &'a mut Scratch,
}

impl<'a> Writer<'a> {
    fn target(&mut self, target: Target, cell: Cell) -> Result<usize> {
        match target {
            Target::Record(index) => self.record(index, cell),
            Target::Box(index) => self.boxed(index, cell),
        }
    }

    fn record(&mut self, index: usize, cell: Cell) -> Result<usize> {
        let codec = self.codec;
        let table = &codec.plan.tables[index];
        let record = record_of(codec, table);
        let view = self.document.record(record, cell);
        let mark = self.scratch.stack.len();
        for slot in &table.slots {
            let field = &record.fields[slot.position];
            let cell = match view.state(slot.position) {
                State::Present => Some(view.cell(slot.position)),
                State::Null if slot.presence == Presence::Optional => {
                    let noted = self.losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(&field.name));
                    noted.map_err(|error| error.in_field(&field.name))?;
                    None
                }
                State::Null | State::Absent => None,
            };
            self.slot(slot, cell).map_err(|error| error.in_field(&field.name))?;
        }
        self.end_table(table, mark)
    }

    fn boxed(&mut self, index: usize, cell: Cell) -> Result<usize> {
        let table = &self.codec.plan.tables[index];
        let mark = self.scratch.stack.len();
        if let Some(slot) = table.slots.first() {
            let cell = if slot.presence == Presence::Nullable { self.document.boxed(cell) } else { Some(cell) };
            self.slot(slot, cell)?;
        }
        self.end_table(table, mark)
    }

    fn entry(&mut self, table: &'a Table, pair: &[Cell]) -> Result<usize> {
        let mark = self.scratch.stack.len();
        for slot in &table.slots {
            self.slot(slot, Some(pair[slot.position]))?;
        }
        self.end_table(table, mark)
    }

    /// Writes what a field points to, and pushes what the table will hold for it.
    fn slot(&mut self, slot: &'a Slot, cell: Option<Cell>) -> Result<()> {
        let Some(cell) = cell else {
            let count = if let Store::Union(_) = slot.store { 2 } else { 1 };
            self.scratch.stack.extend([Pushed::Nothing; 2].iter().take(count));
            return Ok(());
        };
        let pushed = match slot.store {
            Store::Flag => Pushed::Scalar(1),
            Store::Scalar(_) if slot.presence == Presence::Required && cell == slot.default => Pushed::Nothing,
            Store::Scalar(scalar) => Pushed::Scalar(self.scalar(scalar, cell)?),
            Store::String => Pushed::Place(self.builder.string(self.document.bytes(cell))?),
            Store::Json => Pushed::Place(self.json(cell)?),
            Store::Bytes | Store::Fixed(_) => Pushed::Place(self.builder.byte_vector(self.document.bytes(cell))?),
            Store::Table(index) => Pushed::Place(self.record(index, cell)?),
            Store::Boxed(index) => Pushed::Place(self.boxed(index, cell)?),
            Store::List(item) => Pushed::Place(self.list(item, cell)?),
            Store::Map(entry) => Pushed::Place(self.map(entry, cell)?),
            Store::Union(index) => {
                let (position, value) = self.document.union(cell);
                let (tag, target) = self.codec.plan.unions[index].branches[position];
                let place = self.target(target, value)?;
                self.scratch.stack.push(Pushed::Scalar(u64::from(tag)));
                Pushed::Place(place)
            }
        };
        self.scratch.stack.push(pushed);
        Ok(())
    }

    /// Writes a table of what was pushed since `mark`.
    fn end_table(&mut self, table: &Table, mark: usize) -> Result<usize> {
        let start = self.builder.place();
        let pushed = &mut self.scratch.stack[mark..];
        for inline in &table.layout {
            let pushed = &mut pushed[usize::from(inline.id)];
            match *pushed {
                Pushed::Nothing => continue,
                Pushed::Scalar(value) => self.builder.scalar(value, inline.size.into()),
                Pushed::Place(place) => self.builder.offset(place),
            }
            *pushed = Pushed::Place(self.builder.place());
        }
        let places = pushed.iter().map(|pushed| pushed.place());
        let place = self.builder.end_table(start, places)?;
        self.scratch.stack.truncate(mark);
        Ok(place)
    }

    fn scalar(&self, scalar: Scalar, cell: Cell) -> Result<u64> {
        match scalar {
            Scalar::Enum(Int::I32) if i32::try_from(cell.as_i64()).is_err() => Err(Error::new(
                ErrorKind::Unsupported,
                format!("the enum's number {} does not fit the 32 bits that FlatBuffers has for it", cell.as_i64()),
            )
            .hint("give the enum a symbol beyond 32 bits, so that it takes 64")),
            _ => Ok(cell.as_u64()),
        }
    }

    fn json(&mut self, cell: Cell) -> Result<usize> {
        self.scratch.text.clear();
        json::any_to_text(self.document, cell, &mut self.scratch.text)?;
        self.builder.string(&self.scratch.text)
    }

    fn list(&mut self, item: Item, cell: Cell) -> Result<usize> {
        let cells = self.document.list(cell);
        match item {
            Item::Null => {
                self.builder.start_vector(cells.len(), 1);
                cells.iter().for_each(|_| self.builder.scalar(0, 1));
                return self.builder.end_vector(cells.len());
            }
            Item::Scalar(scalar, _) => {
                self.builder.start_vector(cells.len(), scalar.size());
                for (i, &cell) in cells.iter().enumerate().rev() {
                    let value = self.scalar(scalar, cell).map_err(|error| error.in_index(i))?;
                    self.builder.scalar(value, scalar.size());
                }
                return self.builder.end_vector(cells.len());
            }
            Item::String | Item::Json | Item::Table(_) => {}
        }
        let mark = self.scratch.stack.len();
        for (i, &cell) in cells.iter().enumerate() {
            let place = match item {
                Item::Table(target) => self.target(target, cell),
                Item::Json => self.json(cell),
                _ => self.builder.string(self.document.bytes(cell)),
            };
            self.scratch.stack.push(Pushed::Place(place.map_err(|error| error.in_index(i))?));
        }
        self.offsets(mark)
    }

    /// A vector of offsets to the places pushed since `mark`.
    fn offsets(&mut self, mark: usize) -> Result<usize> {
        let places = &self.scratch.stack[mark..];
        let count = places.len();
        self.builder.start_vector(count, 4);
        for &pushed in places.iter().rev() {
            self.builder.offset(pushed.place());
        }
        self.scratch.stack.truncate(mark);
        self.builder.end_vector(count)
    }

    /// The entries lie in the buffer in the document's order, as flatc lays them down, which the decoder recovers from
    /// their places. What is sorted is the vector of offsets to them: that is how readers find a key.
    fn map(&mut self, entry: usize, cell: Cell) -> Result<usize> {
        let codec = self.codec;
        let table = &codec.plan.tables[entry];
        let Kind::Map(key, _) = codec.schema.kind(table.ty) else { unreachable!("planned as a map") };
        let key = codec.schema.kind(*key);
        let document = self.document;
        let pairs = document.map(cell);
        let mark = self.scratch.stack.len();
        for pair in pairs.chunks_exact(2) {
            let place = self
                .entry(table, pair)
                .map_err(|error| error.in_key(&key_text(key, pair[0], || document.bytes(pair[0]).to_vec())))?;
            self.scratch.stack.push(Pushed::Place(place));
        }
        let count = cell.len();
        let order = &mut self.scratch.order;
        order.clear();
        order.extend(0..count as u32);
        let cell_of = |i: u32| pairs[2 * i as usize];
        match key {
            Kind::String => order.sort_unstable_by_key(|&i| document.bytes(cell_of(i))),
            Kind::Int(int) if int.signed() => order.sort_unstable_by_key(|&i| cell_of(i).as_i64()),
            _ => order.sort_unstable_by_key(|&i| cell_of(i).as_u64()),
        }
        self.builder.start_vector(count, 4);
        for &i in order.iter().rev() {
            self.builder.offset(self.scratch.stack[mark + i as usize].place());
        }
        self.scratch.stack.truncate(mark);
        self.builder.end_vector(count)
    }
}

/// The record of a table that is one.
pub(super) fn record_of<'a>(codec: &'a FlatBuffersCodec, table: &Table) -> &'a Record {
    match codec.schema.kind(table.ty) {
        Kind::Record(record) => record,
        _ => unreachable!("planned as a record"),
    }
}

/// A map's key for the path of an error.
#[cold]
pub(super) fn key_text(kind: &Kind, key: Cell, text: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    match kind {
        Kind::String => text(),
        Kind::Bool => key.as_bool().to_string().into_bytes(),
        Kind::Int(int) if int.signed() => key.as_i64().to_string().into_bytes(),
        _ => key.as_u64().to_string().into_bytes(),
    }
}
