//! Writing FlatBuffers: what a table points to first, in the order of its fields, then the table.

use std::collections::HashMap;

use wirewise_core::{Cell, Document, Error, ErrorKind, Int, Kind, LossKind, LossName, Losses, Record, Result, State};

use super::FlatBuffersCodec;
use super::builder::Builder;
use super::flat::{self, Flat, Layouts};
use super::plan::{Item, Presence, Root, Scalar, Slot, Store, Table, Target, Variant};
use super::sorted;
use super::structs::{Part, unsupported};
use super::vtables::{self, Known};
use crate::json;

pub(super) fn write(
    codec: &FlatBuffersCodec,
    document: &Document<'_>,
    out: &mut Vec<u8>,
    losses: &mut Losses,
) -> Result<()> {
    // Room for the tables of small messages.
    let mut scratch = Scratch { values: Vec::with_capacity(32), ..Scratch::default() };
    let mut message = |target, cell, expected, out: &mut Vec<u8>, losses: &mut Losses| {
        let mut writer = Writer {
            codec,
            document,
            losses,
            builder: Builder::new(out, expected),
            scratch: &mut scratch,
            shared: None,
            known: Known::default(),
            flat: Layouts::default(),
        };
        let root = writer.target(target, cell)?;
        writer.builder.finish(root, codec.plan.identifier, codec.size_prefixed);
        Ok(())
    };
    // Most formats are not much smaller than this one.
    let input = document.input().len();
    match codec.plan.root {
        Root::One(target) => message(target, document.root(), input + input / 4 + 128, out, losses),
        Root::Stream(target) => {
            for (i, &cell) in document.list(document.root()).iter().enumerate() {
                message(target, cell, 256, out, losses).map_err(|error: Error| error.in_index(i))?;
            }
            Ok(())
        }
    }
}

/// Memory that is reused from table to table.
#[derive(Default)]
struct Scratch {
    /// Of each open table what its fields hold.
    stack: Vec<Pushed>,
    /// Of each open table that is simple what its fields hold, of each open vector the places of its elements.
    values: Vec<u64>,
    /// The order of a map's entries by key.
    order: Vec<u32>,
    /// JSON text, or a struct.
    text: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Pushed {
    Nothing,
    /// A scalar to be written.
    Scalar(u64),
    /// The place of what an offset is to point to; later that of the scalar or offset itself.
    Place(usize),
    /// A struct to be written: its index in the plan, and its value.
    Struct(usize, Cell),
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
    /// Places of the values of shared tables.
    shared: Option<HashMap<(usize, u64), usize>>,
    known: Known,
    /// The layouts of tables with nothing but scalars.
    flat: Layouts,
}

impl<'a> Writer<'a> {
    fn target(&mut self, target: Target, cell: Cell) -> Result<usize> {
        match target {
            Target::Record(index) => self.record(index, cell),
            Target::Box(index) => self.boxed(index, cell),
        }
    }

    fn record(&mut self, index: usize, cell: Cell) -> Result<usize> {
        let table = &self.codec.plan.tables[index];
        if !table.shared {
            return if table.simple { self.simple(index, table, cell) } else { self.fields(table, cell) };
        }
        let key = (index, cell.as_u64());
        if let Some(&place) = self.shared.get_or_insert_default().get(&key) {
            return Ok(place);
        }
        let place = self.fields(table, cell)?;
        self.shared.get_or_insert_default().insert(key, place);
        Ok(place)
    }

    fn fields(&mut self, table: &'a Table, cell: Cell) -> Result<usize> {
        let record = record_of(self.codec, table);
        let view = self.document.record(record, cell);
        if !record.oneofs.is_empty() {
            check_oneofs(record, |position| view.state(position))?;
        }
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
            // Ids that no field has.
            while self.scratch.stack.len() - mark < usize::from(slot.id) {
                self.scratch.stack.push(Pushed::Nothing);
            }
            self.slot(slot, cell).map_err(|error| error.in_field(&field.name))?;
        }
        self.end_table(table, mark)
    }

    /// The same for a table of nothing but scalars and offsets.
    fn simple(&mut self, index: usize, table: &'a Table, cell: Cell) -> Result<usize> {
        let run = self.document.run(cell, table.cells);
        let mark = self.scratch.values.len();
        self.scratch.values.resize(mark + table.ids, 0);
        let mut there = 0;
        for slot in &table.slots {
            if slot.stateful {
                match run[slot.position / 32].as_u64() >> (slot.position % 32 * 2) & 3 {
                    0 => continue,
                    1 if slot.presence == Presence::Optional => {
                        self.note_null(table, slot)?;
                        continue;
                    }
                    1 => continue,
                    _ => {}
                }
            }
            let cell = run[table.state_words + slot.position];
            let value = match slot.store {
                Store::Scalar(_) if slot.presence == Presence::Required && cell == slot.default => continue,
                Store::Scalar(Scalar::Enum(_)) => self.outside(table, slot, cell)?,
                Store::Scalar(_) => cell.as_u64(),
                Store::String if !slot.shared => {
                    let place = self.builder.string_of(self.document, cell);
                    place.map_err(|error| self.in_slot(table, slot, error))? as u64
                }
                Store::Table(index) => {
                    let place = self.record(index, cell);
                    place.map_err(|error| self.in_slot(table, slot, error))? as u64
                }
                Store::List(item) => {
                    let place = self.list(item, cell, slot);
                    place.map_err(|error| self.in_slot(table, slot, error))? as u64
                }
                _ => self.outside(table, slot, cell)?,
            };
            self.scratch.values[mark + usize::from(slot.id)] = value;
            there |= 1 << slot.id;
        }
        let start = self.builder.place();
        let phase = start & 7;
        let values = &mut self.scratch.values[mark..];
        let place = match self.known.find(index, phase, there) {
            Some(vtable) => self.builder.table_like(vtable, &table.layout, values, there)?,
            None => {
                let (place, vtable, again) = self.builder.table(&table.layout, values, there)?;
                if again {
                    self.known.add(vtables::Layout { table: index as u32, phase: phase as u32, there, vtable });
                }
                place
            }
        };
        self.scratch.values.truncate(mark);
        Ok(place)
    }

    /// Writes tables of nothing but scalars, and pushes their places.
    fn flat_tables(&mut self, index: usize, flat: &Flat, cells: &[Cell]) -> Result<()> {
        let table = &self.codec.plan.tables[index];
        let mut done = 0;
        while done < cells.len() {
            let runs = cells[done..].iter().map(|&cell| self.document.run(cell, table.cells));
            let there = runs.clone().next().map(|run| flat.there(run));
            let phase = self.builder.place() & 7;
            let is = |layout: &flat::Layout| there.is_some_and(|there| layout.is_for(there, phase));
            if let Some(layout) = self.flat.find(index, is) {
                done += self.builder.flat_tables(flat, layout, runs, &mut self.scratch.values)?;
                continue;
            }
            let place = self.simple(index, table, cells[done]).map_err(|error| error.in_index(done))?;
            self.scratch.values.push(place as u64);
            if let Some(layout) = self.builder.layout_of(flat, index, place, phase) {
                self.flat.add(layout);
            }
            done += 1;
        }
        Ok(())
    }

    /// What a simple table holds for a field: most write something outside of it.
    fn outside(&mut self, table: &Table, slot: &'a Slot, cell: Cell) -> Result<u64> {
        self.slot(slot, Some(cell)).map_err(|error| self.in_slot(table, slot, error))?;
        match self.scratch.stack.pop() {
            Some(Pushed::Scalar(value)) => Ok(value),
            pushed => Ok(pushed.map_or(0, Pushed::place) as u64),
        }
    }

    #[cold]
    fn note_null(&mut self, table: &Table, slot: &Slot) -> Result<()> {
        let name = &record_of(self.codec, table).fields[slot.position].name;
        let noted = self.losses.note(LossKind::NullAsAbsent, table.ty, LossName::Name(name));
        noted.map_err(|error| error.in_field(name))
    }

    #[cold]
    fn in_slot(&self, table: &Table, slot: &Slot, error: Error) -> Error {
        error.in_field(&record_of(self.codec, table).fields[slot.position].name)
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
            self.scratch.stack.extend([Pushed::Nothing; 2].iter().take(slot.store.ids()));
            return Ok(());
        };
        let pushed = match slot.store {
            Store::Flag => Pushed::Scalar(1),
            Store::Scalar(_) if slot.presence == Presence::Required && cell == slot.default => Pushed::Nothing,
            Store::Scalar(scalar) => Pushed::Scalar(self.scalar(scalar, cell)?),
            Store::String => Pushed::Place(self.string(cell, slot.shared)?),
            Store::Json => Pushed::Place(self.json(cell)?),
            Store::Bytes | Store::Fixed(_) => {
                let bytes = self.document.bytes(cell);
                // A nested buffer is read in place. How it is aligned is not said, but its length is a multiple of that.
                let nested = slot.nested && bytes.len().is_multiple_of(8);
                Pushed::Place(self.builder.byte_vector(bytes, slot.align.max(if nested { 8 } else { 1 }))?)
            }
            Store::Struct(index) => {
                // flatc makes structs before their table, and what it aligned for them stays.
                self.builder.align_after(0, self.codec.plan.structs[index].align);
                Pushed::Struct(index, cell)
            }
            Store::Table(index) => Pushed::Place(self.record(index, cell)?),
            Store::Boxed(index) => Pushed::Place(self.boxed(index, cell)?),
            Store::List(item) => Pushed::Place(self.list(item, cell, slot)?),
            Store::Map(entry) => Pushed::Place(self.map(entry, cell)?),
            Store::Union(index) => {
                let (tag, place) = self.union(index, cell, slot.shared)?;
                self.scratch.stack.push(Pushed::Scalar(u64::from(tag)));
                Pushed::Place(place)
            }
            Store::Unions(index) => {
                let (tags, values) = self.unions(index, cell, slot.shared)?;
                self.scratch.stack.push(Pushed::Place(tags));
                Pushed::Place(values)
            }
        };
        self.scratch.stack.push(pushed);
        Ok(())
    }

    fn string(&mut self, cell: Cell, shared: bool) -> Result<usize> {
        match shared {
            true => self.builder.shared_string(self.document.bytes(cell)),
            false => self.builder.string_of(self.document, cell),
        }
    }

    /// The byte of a union's branch, and the place of its value.
    fn union(&mut self, index: usize, cell: Cell, shared: bool) -> Result<(u8, usize)> {
        let (position, value) = self.document.union(cell);
        let (tag, variant) = self.codec.plan.unions[index].branches[position];
        let place = match variant {
            Variant::Table(target) => self.target(target, value)?,
            Variant::String => self.string(value, shared)?,
            Variant::Struct(index) => {
                self.structure(index, value)?;
                self.builder.place()
            }
        };
        Ok((tag, place))
    }

    /// The places of a vector of unions' bytes, and of that of their values.
    fn unions(&mut self, index: usize, cell: Cell, shared: bool) -> Result<(usize, usize)> {
        let cells = self.document.list(cell);
        let unions = &self.codec.plan.unions[index];
        let tag = |cell: &Cell| unions.branches[self.document.union(*cell).0].0;
        let tags: Vec<u8> = cells.iter().map(tag).collect();
        let tags = self.builder.byte_vector(&tags, 1)?;
        let mark = self.scratch.values.len();
        for (i, &cell) in cells.iter().enumerate() {
            let (_, place) = self.union(index, cell, shared).map_err(|error| error.in_index(i))?;
            self.scratch.values.push(place as u64);
        }
        Ok((tags, self.offsets(mark)?))
    }

    /// Writes a struct where the buffer is.
    fn structure(&mut self, index: usize, cell: Cell) -> Result<()> {
        let layout = &self.codec.plan.structs[index];
        self.scratch.text.clear();
        self.scratch.text.resize(layout.size, 0);
        self.members(index, cell, 0)?;
        self.builder.structure(&self.scratch.text, layout.align);
        Ok(())
    }

    /// Puts the fields of a struct into the bytes that begin at `base` of the scratch text.
    fn members(&mut self, index: usize, cell: Cell, base: usize) -> Result<()> {
        let codec = self.codec;
        let layout = &codec.plan.structs[index];
        let Kind::Record(record) = codec.schema.kind(layout.ty) else { unreachable!("planned as a record") };
        let view = self.document.record(record, cell);
        for member in &layout.members {
            let cell = view.cell(member.position);
            let written = match member.count {
                None => self.part(member.part, cell, base + member.at),
                Some(count) => self.array(member.part, count, cell, base + member.at),
            };
            written.map_err(|error| error.in_field(&record.fields[member.position].name))?;
        }
        Ok(())
    }

    fn array(&mut self, part: Part, count: usize, cell: Cell, at: usize) -> Result<()> {
        let cells = self.document.list(cell);
        if cells.len() != count {
            return Err(unsupported(format!("the array has {count} elements, the list {}", cells.len())));
        }
        let size = self.codec.plan.part_size(part);
        for (i, &cell) in cells.iter().enumerate() {
            self.part(part, cell, at + i * size).map_err(|error| error.in_index(i))?;
        }
        Ok(())
    }

    fn part(&mut self, part: Part, cell: Cell, at: usize) -> Result<()> {
        match part {
            Part::Struct(index) => self.members(index, cell, at),
            Part::Scalar(scalar, _) => {
                let value = self.scalar(scalar, cell)?.to_le_bytes();
                self.scratch.text[at..at + scalar.size()].copy_from_slice(&value[..scalar.size()]);
                Ok(())
            }
            Part::Bytes(size) => {
                self.scratch.text[at..at + size].copy_from_slice(self.document.bytes(cell));
                Ok(())
            }
        }
    }

    /// Writes a table of what was pushed since `mark`.
    fn end_table(&mut self, table: &Table, mark: usize) -> Result<usize> {
        let start = self.builder.place();
        for inline in &table.layout {
            let at = mark + usize::from(inline.id);
            match self.scratch.stack[at] {
                Pushed::Nothing => continue,
                Pushed::Scalar(value) => self.builder.scalar(value, inline.size.into()),
                Pushed::Place(place) => self.builder.offset(place),
                Pushed::Struct(index, cell) => self.structure_of(table, inline.id, index, cell)?,
            }
            self.scratch.stack[at] = Pushed::Place(self.builder.place());
        }
        let places = self.scratch.stack[mark..].iter().map(|pushed| pushed.place());
        let (place, ..) = self.builder.end_table(start, places)?;
        self.scratch.stack.truncate(mark);
        Ok(place)
    }

    /// A struct in a table: by now its field must be named for errors.
    fn structure_of(&mut self, table: &Table, id: u16, index: usize, cell: Cell) -> Result<()> {
        self.structure(index, cell).map_err(|error| match self.codec.schema.kind(table.ty) {
            Kind::Record(record) => {
                let slot = table.slots.iter().find(|slot| slot.id == id);
                slot.map_or(error.clone(), |slot| error.in_field(&record.fields[slot.position].name))
            }
            _ => error,
        })
    }

    fn scalar(&self, scalar: Scalar, cell: Cell) -> Result<u64> {
        match scalar {
            // The numbers of an enum are those of an i64: beyond that they are its bits.
            Scalar::Enum(int) if int != Int::U64 && !int.holds(cell.as_i64().into()) => {
                let (number, bits) = (cell.as_i64(), int.bits());
                let what =
                    format!("the enum's number {number} does not fit the {bits} bits that FlatBuffers has for it");
                Err(unsupported(what).hint("give the enum a symbol beyond 32 bits, so that it takes 64"))
            }
            _ => Ok(cell.as_u64()),
        }
    }

    fn json(&mut self, cell: Cell) -> Result<usize> {
        self.scratch.text.clear();
        json::any_to_text(self.document, cell, &mut self.scratch.text)?;
        self.builder.string(&self.scratch.text)
    }

    fn list(&mut self, item: Item, cell: Cell, slot: &Slot) -> Result<usize> {
        let cells = self.document.list(cell);
        let size = self.codec.plan.item_size(item);
        match item {
            Item::Null => {
                self.builder.start_vector(cells.len(), slot.align);
                cells.iter().for_each(|_| self.builder.scalar(0, 1));
                return self.builder.end_vector(cells.len());
            }
            Item::Scalar(Scalar::F64 | Scalar::Int(Int::I64 | Int::U64), _) => {
                return self.builder.scalars(cells, slot.align, |cell| cell.as_u64().to_le_bytes());
            }
            Item::Scalar(Scalar::F32 | Scalar::Int(Int::I32 | Int::U32), _) => {
                return self.builder.scalars(cells, slot.align, |cell| (cell.as_u64() as u32).to_le_bytes());
            }
            Item::Scalar(scalar, _) => {
                self.builder.start_vector(cells.len() * size, size.max(slot.align));
                for (i, &cell) in cells.iter().enumerate().rev() {
                    let value = self.scalar(scalar, cell).map_err(|error| error.in_index(i))?;
                    self.builder.scalar(value, size);
                }
                return self.builder.end_vector(cells.len());
            }
            Item::Struct(index) => {
                let align = self.codec.plan.structs[index].align;
                self.builder.start_vector(cells.len() * size, align.max(slot.align));
                let order = sorted::structs(self.codec, index, self.document, cells);
                for i in (0..cells.len()).rev() {
                    let i = order.as_ref().map_or(i, |order| order[i] as usize);
                    self.structure(index, cells[i]).map_err(|error| error.in_index(i))?;
                }
                return self.builder.end_vector(cells.len());
            }
            Item::String | Item::Json | Item::Table(_) => {}
        }
        let mark = self.scratch.values.len();
        if let Item::Table(Target::Record(index)) = item
            && let Some(flat) = self.codec.plan.tables[index].flat.as_ref().filter(|flat| flat.scalars)
        {
            self.flat_tables(index, flat, cells)?;
        } else {
            for (i, &cell) in cells.iter().enumerate() {
                let place = match item {
                    Item::Table(target) => self.target(target, cell),
                    Item::Json => self.json(cell),
                    _ => self.string(cell, slot.shared),
                };
                self.scratch.values.push(place.map_err(|error| error.in_index(i))? as u64);
            }
        }
        if let Item::Table(Target::Record(index)) = item
            && let Some(order) = sorted::tables(self.codec, index, self.document, cells)
        {
            let places: Vec<u64> = order.iter().map(|&i| self.scratch.values[mark + i as usize]).collect();
            self.scratch.values[mark..].copy_from_slice(&places);
        }
        if slot.align > 4 {
            self.builder.align_after(4 * cells.len(), slot.align);
        }
        self.offsets(mark)
    }

    /// A vector of offsets to the places pushed since `mark`.
    fn offsets(&mut self, mark: usize) -> Result<usize> {
        let vector = self.builder.offsets(&self.scratch.values[mark..]);
        self.scratch.values.truncate(mark);
        vector
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
        let mark = self.scratch.values.len();
        for pair in pairs.chunks_exact(2) {
            let place = self
                .entry(table, pair)
                .map_err(|error| error.in_key(&key_text(key, pair[0], || document.bytes(pair[0]).to_vec())))?;
            self.scratch.values.push(place as u64);
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
        self.builder.start_vector(4 * count, 4);
        for &i in order.iter().rev() {
            self.builder.offset(self.scratch.values[mark + i as usize] as usize);
        }
        self.scratch.values.truncate(mark);
        self.builder.end_vector(count)
    }
}

/// Checks that of every `oneof` at most one field is there, and one of a required one.
fn check_oneofs(record: &Record, state: impl Fn(usize) -> State) -> Result<()> {
    for (i, oneof) in record.oneofs.iter().enumerate() {
        let members = record.fields.iter().enumerate().filter(|(_, field)| field.oneof == Some(i));
        let count = members.filter(|&(position, _)| state(position) != State::Absent).count();
        if count > 1 || count == 0 && oneof.required {
            let what = format!("{count} fields of oneof {:?} of {} are there", oneof.name, record.name);
            return Err(Error::new(ErrorKind::Data, what));
        }
    }
    Ok(())
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
