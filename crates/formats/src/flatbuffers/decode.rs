//! Reading FlatBuffers, in any legal layout.

use wirewise_core::{Arena, Cell, Error, Int, Kind, LossKind, LossName, Losses, Result, State, TypeId};

use super::FlatBuffersCodec;
use super::buffer::{Buffer, View};
use super::encode::{key_text, record_of};
use super::plan::{Item, Presence, Root, Scalar, Slot, Store, Target};
use crate::dynamic::{duplicate, too_deep};
use crate::json;

pub(super) fn read(codec: &FlatBuffersCodec, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
    arena.begin(input)?;
    let mut reader = Reader { codec, buffer: Buffer::new(input), arena, losses, places: Vec::new(), clean: Vec::new() };
    let (root, used) = match codec.plan.root {
        Root::One(target) if codec.size_prefixed => {
            let end = reader.buffer.enter(0)?;
            (reader.message(4, target)?, end)
        }
        Root::One(target) => (reader.message(0, target)?, input.len()),
        Root::Stream(target) => {
            let mark = reader.arena.mark();
            let (mut at, mut index) = (0, 0);
            while at < input.len() {
                let end = reader.buffer.enter(at)?;
                let cell = reader.message(at + 4, target).map_err(|error| error.in_index(index))?;
                reader.arena.push(cell)?;
                (at, index) = (end, index + 1);
            }
            (reader.arena.list(mark)?, at)
        }
    };
    arena.set_root(root);
    Ok(used)
}

struct Reader<'a> {
    codec: &'a FlatBuffersCodec,
    buffer: Buffer<'a>,
    arena: &'a mut Arena,
    losses: &'a mut Losses,
    /// Of each open map the places of its entries.
    places: Vec<u32>,
    /// For each planned table a vtable that is longer than needed, but has no unknown fields.
    clean: Vec<usize>,
}

/// What noting an unknown field counts for, in bytes read.
const NOTE: usize = 16;

impl Reader<'_> {
    /// The message whose buffer starts at `at`.
    fn message(&mut self, at: usize, target: Target) -> Result<Cell> {
        let root = self.buffer.follow(at, "the root table")?;
        self.target(target, root, 0)
    }

    fn target(&mut self, target: Target, at: usize, depth: usize) -> Result<Cell> {
        match target {
            Target::Record(index) => self.record(index, at, depth),
            Target::Box(index) => self.boxed(index, at, depth),
        }
    }

    /// The table at `at`, whose nesting is checked.
    fn table(&mut self, at: usize, depth: usize) -> Result<View> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(at, self.arena));
        }
        self.buffer.table(at)
    }

    fn record(&mut self, index: usize, at: usize, depth: usize) -> Result<Cell> {
        let view = self.table(at, depth)?;
        self.record_fields(index, Some(view), at, depth)
    }

    /// A record of the table's fields; of no fields at all where a required table is missing.
    fn record_fields(&mut self, index: usize, view: Option<View>, at: usize, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        let table = &codec.plan.tables[index];
        let record = record_of(codec, table);
        if let Some(view) = view {
            self.unknown_fields(view, index)?;
        }
        let run = self.arena.record(record)?;
        for slot in &table.slots {
            let field = &record.fields[slot.position];
            let cell = match view {
                Some(view) => self.slot(slot, view, depth + 1),
                None => Ok(None),
            };
            let cell = cell.map_err(|error| error.in_field(&field.name))?;
            match (cell, slot.presence) {
                (Some(cell), _) => self.arena.set_field(record, run, slot.position, cell),
                (None, Presence::Nullable) => self.arena.set_state(record, run, slot.position, State::Null),
                (None, _) if field.default.is_some() => {
                    self.arena.set_default(&codec.schema, record, run, slot.position)?;
                }
                (None, Presence::Optional) => {}
                (None, Presence::Required) => {
                    let cell = self.missing(slot, at, depth + 1).map_err(|error| error.in_field(&field.name))?;
                    self.arena.set_field(record, run, slot.position, cell);
                }
            }
        }
        Ok(Cell::index(run))
    }

    fn boxed(&mut self, index: usize, at: usize, depth: usize) -> Result<Cell> {
        let view = self.table(at, depth)?;
        let table = &self.codec.plan.tables[index];
        self.unknown_fields(view, index)?;
        let Some(slot) = table.slots.first() else { return Ok(Cell::EMPTY) };
        let cell = self.slot(slot, view, depth)?;
        match (cell, slot.presence) {
            (Some(cell), Presence::Nullable) => self.arena.boxed(cell),
            (None, Presence::Nullable) => Ok(Cell::NULL),
            (Some(cell), _) => Ok(cell),
            (None, _) => self.missing(slot, at, depth),
        }
    }

    /// What a required field is that the table does not have.
    fn missing(&mut self, slot: &Slot, at: usize, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(at, self.arena));
        }
        match slot.store {
            Store::Scalar(_) => Ok(slot.default),
            Store::Table(index) => self.record_fields(index, None, at, depth),
            Store::Union(_) => {
                let name = self.codec.schema.describe(slot.ty);
                Err(Error::data(at, format!("the required value of union {name} is missing")))
            }
            _ => self.arena.zero(&self.codec.schema, slot.ty, depth),
        }
    }

    /// Notes the fields that the table has beyond those of the schema.
    #[inline]
    fn unknown_fields(&mut self, view: View, index: usize) -> Result<()> {
        let table = &self.codec.plan.tables[index];
        if view.len <= 4 + 2 * table.layout.len() {
            return Ok(());
        }
        self.newer_fields(view, index, table.layout.len(), table.ty)
    }

    /// The same for a table of a newer schema. Its vtable is long, and shared with others: what was found in one is
    /// remembered as long as it is nothing, and looking again counts.
    #[cold]
    fn newer_fields(&mut self, view: View, index: usize, known: usize, ty: TypeId) -> Result<()> {
        if self.clean.is_empty() {
            self.clean.resize(self.codec.plan.tables.len(), usize::MAX);
        }
        if self.clean[index] == view.vtable {
            return Ok(());
        }
        self.buffer.charge(view.len, view.vtable)?;
        let mut clean = true;
        for id in known..(view.len - 4) / 2 {
            if let Some(at) = self.buffer.field(view, id as u16) {
                clean = false;
                self.buffer.charge(NOTE, at)?;
                let noted = self.losses.note(LossKind::UnknownField, ty, LossName::Number(id as u64));
                noted.map_err(|error| error.at(at))?;
            }
        }
        if clean {
            self.clean[index] = view.vtable;
        }
        Ok(())
    }

    /// The value of a field; `None` when the table does not have it.
    fn slot(&mut self, slot: &Slot, view: View, depth: usize) -> Result<Option<Cell>> {
        if let Store::Union(index) = slot.store {
            return self.union(index, slot, view, depth);
        }
        let Some(at) = self.buffer.field(view, slot.id) else { return Ok(None) };
        let cell = match slot.store {
            Store::Flag => {
                self.buffer.slice(at, 1, "a byte")?;
                Cell::EMPTY
            }
            Store::Scalar(scalar) => self.scalar(scalar, slot.ty, at)?,
            Store::String => self.string(at)?,
            Store::Json => self.json(at, depth)?,
            Store::Bytes => self.bytes(at, None)?,
            Store::Fixed(size) => self.bytes(at, Some(size))?,
            Store::Table(index) => {
                let table = self.buffer.follow(at, "a table")?;
                self.record(index, table, depth)?
            }
            Store::Boxed(index) => {
                let table = self.buffer.follow(at, "a table")?;
                self.boxed(index, table, depth)?
            }
            Store::List(item) => self.list(item, at, depth)?,
            Store::Map(entry) => self.map(entry, at, depth)?,
            Store::Union(_) => unreachable!("handled above"),
        };
        Ok(Some(cell))
    }

    fn scalar(&mut self, scalar: Scalar, ty: TypeId, at: usize) -> Result<Cell> {
        let bytes = self.buffer.slice(at, scalar.size(), "a scalar")?;
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let raw = u64::from_le_bytes(raw);
        let signed = |int: Int| (raw << (64 - int.bits())) as i64 >> (64 - int.bits());
        Ok(match scalar {
            Scalar::Bool => Cell::bool(raw != 0),
            Scalar::Int(int) if int.signed() => Cell::int(signed(int)),
            Scalar::Int(_) | Scalar::F32 | Scalar::F64 => Cell::uint(raw),
            Scalar::Enum(int) => {
                let number = signed(int);
                match self.codec.schema.kind(ty) {
                    Kind::Enum(e) if e.closed && e.position(number).is_none() => {
                        return Err(Error::data(at, format!("enum {} has no number {number}", e.name)));
                    }
                    _ => Cell::int(number),
                }
            }
        })
    }

    /// The text that the offset at `at` points to.
    fn text(&mut self, at: usize) -> Result<(usize, &[u8])> {
        let at = self.buffer.follow(at, "a string")?;
        let text = self.buffer.bytes(at, "a string")?;
        match std::str::from_utf8(text) {
            Ok(_) => Ok((at + 4, text)),
            Err(error) => Err(Error::syntax(at + 4 + error.valid_up_to(), "the text is not valid UTF-8")),
        }
    }

    fn string(&mut self, at: usize) -> Result<Cell> {
        let input = self.buffer.input();
        let (start, text) = self.text(at)?;
        let end = start + text.len();
        self.arena.text(&input[start..end])
    }

    fn json(&mut self, at: usize, depth: usize) -> Result<Cell> {
        let input = self.buffer.input();
        let (start, text) = self.text(at)?;
        let end = start + text.len();
        json::any_from_text(&input[start..end], input, start, self.arena, depth)
    }

    fn bytes(&mut self, at: usize, size: Option<u32>) -> Result<Cell> {
        let at = self.buffer.follow(at, "a vector")?;
        let bytes = self.buffer.bytes(at, "a vector")?;
        match size {
            Some(size) if size as usize != bytes.len() => {
                Err(Error::data(at, format!("expected {size} bytes, found {}", bytes.len())))
            }
            _ => self.arena.text(bytes),
        }
    }

    fn list(&mut self, item: Item, at: usize, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(at, self.arena));
        }
        let size = match item {
            Item::Null => 1,
            Item::Scalar(scalar, _) => scalar.size(),
            Item::String | Item::Json | Item::Table(_) => 4,
        };
        let at = self.buffer.follow(at, "a vector")?;
        let (start, count) = self.buffer.vector(at, size, "a vector")?;
        let run = self.arena.alloc(count)?;
        for i in 0..count {
            let at = start + i * size;
            let cell = match item {
                Item::Null => continue,
                Item::Scalar(scalar, ty) => self.scalar(scalar, ty, at),
                Item::String => self.string(at),
                Item::Json => self.json(at, depth + 1),
                Item::Table(target) => match self.buffer.follow(at, "a table") {
                    Ok(table) => self.target(target, table, depth + 1),
                    Err(error) => Err(error),
                },
            };
            self.arena.set(run as usize + i, cell.map_err(|error| error.in_index(i))?);
        }
        Ok(Cell::run(run, count as u32))
    }

    fn map(&mut self, entry: usize, at: usize, depth: usize) -> Result<Cell> {
        let at = self.buffer.follow(at, "a vector")?;
        let (start, count) = self.buffer.vector(at, 4, "a vector")?;
        let run = self.arena.alloc(2 * count)? as usize;
        let first = self.places.len();
        for i in 0..count {
            let place = self.buffer.follow(start + 4 * i, "a map's entry").map_err(|error| error.in_index(i))?;
            self.places.push(place as u32);
        }
        // The vector is sorted by key. Builders write back to front: the entry that was added first comes last.
        self.places[first..].sort_unstable_by_key(|&place| std::cmp::Reverse(place));
        let codec = self.codec;
        let table = &codec.plan.tables[entry];
        let Kind::Map(key, _) = codec.schema.kind(table.ty) else { unreachable!("planned as a map") };
        let key = codec.schema.kind(*key);
        for i in 0..count {
            let place = self.places[first + i] as usize;
            self.entry(entry, run + 2 * i, place, depth + 1).map_err(|error| {
                let cell = self.arena.get(run + 2 * i);
                error.in_key(&key_text(key, cell, || self.arena.bytes(self.buffer.input(), cell).to_vec()))
            })?;
        }
        self.places.truncate(first);
        let keys = (0..count).map(|i| self.arena.get(run + 2 * i));
        let twice = match key {
            Kind::String => duplicate(keys.map(|key| self.arena.bytes(self.buffer.input(), key)))
                .map(|key| String::from_utf8_lossy(key).into_owned()),
            _ => duplicate(keys.map(Cell::as_u64)).map(|key| key.to_string()),
        };
        match twice {
            Some(key) => Err(Error::data(at, format!("the map has the key {key:?} twice"))),
            None => Ok(Cell::run(run as u32, count as u32)),
        }
    }

    /// Reads the entry at `at` into the pair of cells at `pair`.
    fn entry(&mut self, index: usize, pair: usize, at: usize, depth: usize) -> Result<()> {
        let view = self.table(at, depth)?;
        self.unknown_fields(view, index)?;
        let codec = self.codec;
        for slot in &codec.plan.tables[index].slots {
            let cell = match self.slot(slot, view, depth)? {
                Some(cell) => cell,
                None => self.missing(slot, at, depth)?,
            };
            self.arena.set(pair + slot.position, cell);
        }
        Ok(())
    }

    fn union(&mut self, index: usize, slot: &Slot, view: View, depth: usize) -> Result<Option<Cell>> {
        let tag = match self.buffer.field(view, slot.id) {
            Some(at) => self.buffer.slice(at, 1, "the type of a union")?[0],
            None => 0,
        };
        let value = self.buffer.field(view, slot.id + 1);
        let wrong = |what: &str| {
            let name = self.codec.schema.describe(slot.ty);
            Err(Error::data(view.at, format!("the value of union {name} has {what}")))
        };
        let at = match (tag, value) {
            (0, None) => return Ok(None),
            (0, Some(_)) => return wrong("no type"),
            (_, None) => return wrong("a type but no table"),
            (_, Some(at)) => at,
        };
        let union = &self.codec.plan.unions[index];
        let Some(&position) = union.by_tag.get(usize::from(tag) - 1) else {
            return wrong(&format!("the type {tag}, which the schema does not have"));
        };
        let table = self.buffer.follow(at, "a table")?;
        let value = self.target(union.branches[position].1, table, depth)?;
        self.arena.union(position, value).map(Some)
    }
}
