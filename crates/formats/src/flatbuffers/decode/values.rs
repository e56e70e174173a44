//! Values: scalars, texts, vectors, unions, structs.

use wirewise_core::{Cell, Error, Float, Int, Kind, Result, Role, Tracer, TypeId, utf8};

use super::Reader;
use crate::dynamic::{duplicate, too_deep};
use crate::flatbuffers::buffer::View;
use crate::flatbuffers::encode::key_text;
use crate::flatbuffers::plan::{Item, Scalar, Slot, Target, Variant};
use crate::flatbuffers::structs::Part;
use crate::json;

impl<T: Tracer> Reader<'_, T> {
    pub(super) fn scalar(&mut self, scalar: Scalar, ty: TypeId, at: usize) -> Result<Cell> {
        let bytes = self.buffer.slice(at, scalar.size(), "a scalar")?;
        let mut raw = [0; 8];
        raw[..bytes.len()].copy_from_slice(bytes);
        let raw = u64::from_le_bytes(raw);
        let signed = |int: Int| (raw << (64 - int.bits())) as i64 >> (64 - int.bits());
        let cell = match scalar {
            Scalar::Bool => Cell::bool(raw != 0),
            Scalar::Int(int) if int.signed() => Cell::int(signed(int)),
            Scalar::Int(_) | Scalar::F32 | Scalar::F64 => Cell::uint(raw),
            Scalar::Enum(int) => {
                let number = if int.signed() { signed(int) } else { raw as i64 };
                match self.codec.schema.kind(ty) {
                    Kind::Enum(e) if e.closed && e.position(number).is_none() => {
                        return Err(Error::data(at, format!("enum {} has no number {number}", e.name)));
                    }
                    _ => Cell::int(number),
                }
            }
        };
        if T::ON {
            self.trace_scalar(scalar, ty, cell, at);
        }
        Ok(cell)
    }

    #[cold]
    fn trace_scalar(&mut self, scalar: Scalar, ty: TypeId, cell: Cell, at: usize) {
        let schema = &self.codec.schema;
        let value = match (scalar, schema.kind(ty)) {
            (Scalar::Bool, _) => cell.as_bool().to_string(),
            (Scalar::Enum(_), Kind::Enum(e)) => match e.position(cell.as_i64()) {
                Some(position) => format!("{:?}", e.symbols[position].name),
                None => cell.as_i64().to_string(),
            },
            (_, Kind::Float(Float::F32)) => cell.as_f32().to_string(),
            (_, Kind::Float(Float::F64)) => cell.as_f64().to_string(),
            (Scalar::Int(int), _) if !int.signed() => cell.as_u64().to_string(),
            _ => cell.as_i64().to_string(),
        };
        let what = schema.describe(ty);
        self.span(at, scalar.size(), Role::Payload, format_args!("{what}"), format_args!("{value}"));
    }

    /// The text that the offset at `at` points to: where it starts, and its length.
    fn text(&mut self, at: usize) -> Result<(usize, usize)> {
        let at = self.follow(at, "a string")?;
        self.text_at(at)
    }

    fn text_at(&mut self, at: usize) -> Result<(usize, usize)> {
        let text = self.buffer.bytes(at, "a string")?;
        match utf8::check(text) {
            Ok(()) => {
                if T::ON {
                    let text = String::from_utf8_lossy(text);
                    let (len, input) = (text.len(), self.buffer.input());
                    self.span(at, 4, Role::Length, format_args!("length of the string"), format_args!("{len}"));
                    self.span(at + 4, len, Role::Payload, format_args!("string"), format_args!("{text:?}"));
                    if input.get(at + 4 + len) == Some(&0) {
                        self.span(at + 4 + len, 1, Role::Syntax, format_args!("end of the string"), format_args!(""));
                    }
                }
                Ok((at + 4, text.len()))
            }
            Err(valid) => Err(Error::syntax(at + 4 + valid, "the text is not valid UTF-8")),
        }
    }

    pub(super) fn string(&mut self, at: usize) -> Result<Cell> {
        let (start, len) = self.text(at)?;
        self.arena.text(&self.buffer.input()[start..start + len])
    }

    pub(super) fn json(&mut self, at: usize, depth: usize) -> Result<Cell> {
        let (start, len) = self.text(at)?;
        let input = self.buffer.input();
        json::any_from_text(&input[start..start + len], input, start, self.arena, depth)
    }

    pub(super) fn bytes(&mut self, at: usize, size: Option<u32>) -> Result<Cell> {
        let at = self.follow(at, "a vector")?;
        let bytes = self.buffer.bytes(at, "a vector")?;
        let len = bytes.len();
        self.span(at, 4, Role::Length, format_args!("length of the vector"), format_args!("{len}"));
        self.span(at + 4, len, Role::Payload, format_args!("bytes"), format_args!("{len} bytes"));
        match size {
            Some(size) if size as usize != bytes.len() => {
                Err(Error::data(at, format!("expected {size} bytes, found {}", bytes.len())))
            }
            _ => self.arena.text(bytes),
        }
    }

    /// The vector that the offset at `at` points to: where its elements start, and their count.
    fn vector(&mut self, at: usize, size: usize) -> Result<(usize, usize)> {
        let at = self.follow(at, "a vector")?;
        let (start, count) = self.buffer.vector(at, size, "a vector")?;
        self.span(at, 4, Role::Length, format_args!("length of the vector"), format_args!("{count}"));
        Ok((start, count))
    }

    pub(super) fn list(&mut self, item: Item, at: usize, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(at, self.arena));
        }
        let size = self.codec.plan.item_size(item);
        let (start, count) = self.vector(at, size)?;
        if let Some(list) = self.flat_tables(item, start, count, depth) {
            return Ok(list);
        }
        let run = self.arena.alloc(count).map_err(|error| error.at(start))?;
        if !T::ON && depth < self.arena.limits().depth {
            self.usual_items(item, start, count, run, depth)?;
            return Ok(Cell::run(run, count as u32));
        }
        let mut failed = None;
        for i in 0..count {
            let at = start + i * size;
            self.tracer.index(i);
            let cell = self.item(item, at, depth);
            self.tracer.leave();
            match cell {
                Ok(cell) => self.arena.set(run as usize + i, cell),
                Err(error) => self.keep(error.in_index(i), &mut failed)?,
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(Cell::run(run, count as u32)),
        }
    }

    /// An element of a vector.
    #[inline(always)]
    fn item(&mut self, item: Item, at: usize, depth: usize) -> Result<Cell> {
        match item {
            Item::Null => {
                self.span(at, 1, Role::Payload, format_args!("a byte that only counts"), format_args!("null"));
                Ok(Cell::EMPTY)
            }
            Item::Scalar(scalar, ty) => self.scalar(scalar, ty, at),
            Item::String => self.string(at),
            Item::Json => self.json(at, depth + 1),
            Item::Struct(index) => self.structure(index, at),
            Item::Table(target) => self.table_of(target, at, depth + 1),
        }
    }

    /// The elements of a vector that lies in the buffer, into as many cells.
    #[inline(always)]
    fn usual_items(&mut self, item: Item, start: usize, count: usize, run: u32, depth: usize) -> Result<()> {
        let size = self.codec.plan.item_size(item);
        let bytes = &self.buffer.input()[start..start + count * size];
        match item {
            Item::Scalar(Scalar::F64 | Scalar::Int(Int::I64 | Int::U64), _) => {
                let cells = self.arena.run_mut(run, count);
                for (cell, raw) in cells.iter_mut().zip(bytes.chunks_exact(8)) {
                    *cell = Cell::uint(u64::from_le_bytes(raw.try_into().expect("eight bytes")));
                }
            }
            Item::String => {
                for i in 0..count {
                    let at = start + i * size;
                    let cell = match self.buffer.usual_text(at) {
                        Some((start, len)) => self.arena.borrowed(start, len),
                        None => self.string(at).map_err(|error| error.in_index(i))?,
                    };
                    self.arena.set(run as usize + i, cell);
                }
            }
            _ => {
                for i in 0..count {
                    let cell = self.item(item, start + i * size, depth).map_err(|error| error.in_index(i))?;
                    self.arena.set(run as usize + i, cell);
                }
            }
        }
        Ok(())
    }

    /// The table that the offset at `at` points to.
    fn table_of(&mut self, target: Target, at: usize, depth: usize) -> Result<Cell> {
        let table = self.follow(at, "a table")?;
        self.target(target, table, depth)
    }

    pub(super) fn map(&mut self, entry: usize, at: usize, depth: usize) -> Result<Cell> {
        let (start, count) = self.vector(at, 4)?;
        let run = self.arena.alloc(2 * count).map_err(|error| error.at(start))? as usize;
        let first = self.places.len();
        let mut failed = None;
        for i in 0..count {
            match self.follow(start + 4 * i, "a map's entry") {
                Ok(place) => self.places.push(place as u32),
                Err(error) => self.keep(error.in_index(i), &mut failed)?,
            }
        }
        // Those that are there are explained, if one is not.
        let count = self.places.len() - first;
        // The vector is sorted by key. Builders write back to front: the entry that was added first comes last.
        self.places[first..].sort_unstable_by_key(|&place| std::cmp::Reverse(place));
        let codec = self.codec;
        let table = &codec.plan.tables[entry];
        let Kind::Map(key, _) = codec.schema.kind(table.ty) else { unreachable!("planned as a map") };
        let key = codec.schema.kind(*key);
        for i in 0..count {
            let place = self.places[first + i] as usize;
            if let Err(error) = self.entry(entry, run + 2 * i, place, depth + 1) {
                let cell = self.arena.get(run + 2 * i);
                let key = key_text(key, cell, || self.arena.bytes(self.buffer.input(), cell).to_vec());
                self.keep(error.in_key(&key), &mut failed)?;
            }
        }
        self.places.truncate(first);
        if let Some(error) = failed {
            return Err(error);
        }
        let keys = (0..count).map(|i| self.arena.get(run + 2 * i));
        let twice = match key {
            Kind::String => duplicate(keys.map(|key| self.arena.bytes(self.buffer.input(), key)))
                .map(|key| String::from_utf8_lossy(key).into_owned()),
            _ => duplicate(keys.map(Cell::as_u64)).map(|key| key.to_string()),
        };
        match twice {
            Some(key) => Err(Error::data(start - 4, format!("the map has the key {key:?} twice"))),
            None => Ok(Cell::run(run as u32, count as u32)),
        }
    }

    /// Reads the entry at `at` into the pair of cells at `pair`.
    fn entry(&mut self, index: usize, pair: usize, at: usize, depth: usize) -> Result<()> {
        let codec = self.codec;
        let slots = &codec.plan.tables[index].slots;
        if T::ON {
            self.enter_entry(slots.first(), at);
        }
        let outcome = self.table(index, at, depth).and_then(|view| {
            self.unknown_fields(view, index)?;
            for slot in slots {
                let cell = match self.slot(slot, view, depth)? {
                    Some(cell) => cell,
                    None => self.missing(slot, at, depth)?,
                };
                self.arena.set(pair + slot.position, cell);
            }
            Ok(())
        });
        self.tracer.leave();
        outcome
    }

    /// Opens the path of an entry, for which its key must be known first.
    #[cold]
    fn enter_entry(&mut self, slot: Option<&Slot>, at: usize) {
        let view = self.buffer.table(at).ok();
        let key = slot.zip(view).and_then(|(slot, view)| self.peek_key(slot, view));
        self.tracer.key(&key.unwrap_or_default());
    }

    /// The key of an entry as text.
    fn peek_key(&mut self, slot: &Slot, view: View) -> Option<Vec<u8>> {
        let at = self.buffer.field(view, slot.id)?;
        let kind = self.codec.schema.kind(slot.ty);
        if *kind == Kind::String {
            let at = self.buffer.follow(at, "a string").ok()?;
            return Some(self.buffer.bytes(at, "a string").ok()?.to_vec());
        }
        let size = match kind {
            Kind::Int(int) => int.bits() as usize / 8,
            _ => 1,
        };
        let mut raw = [0; 8];
        raw[..size].copy_from_slice(self.buffer.slice(at, size, "a key").ok()?);
        let raw = u64::from_le_bytes(raw);
        let cell = match kind {
            Kind::Int(int) if int.signed() => Cell::int((raw << (64 - int.bits())) as i64 >> (64 - int.bits())),
            _ => Cell::uint(raw),
        };
        Some(key_text(kind, cell, Vec::new))
    }

    pub(super) fn union(&mut self, index: usize, slot: &Slot, view: View, depth: usize) -> Result<Option<Cell>> {
        let tag = match self.buffer.field(view, slot.id) {
            Some(at) => {
                let tag = self.buffer.slice(at, 1, "the type of a union")?[0];
                self.trace_tag(index, slot.ty, tag, at);
                tag
            }
            None => 0,
        };
        let value = self.buffer.field(view, slot.id + 1);
        match (tag, value) {
            (0, None) => Ok(None),
            (0, Some(_)) => Err(self.wrong_union(slot.ty, view.at, "no type")),
            (_, None) => Err(self.wrong_union(slot.ty, view.at, "a type but no table")),
            (_, Some(at)) => self.variant(index, slot.ty, tag, at, depth).map(Some),
        }
    }

    fn trace_tag(&mut self, index: usize, ty: TypeId, tag: u8, at: usize) {
        if T::ON {
            let position = self.codec.plan.unions[index].by_tag.get(usize::from(tag)).copied().flatten();
            let name = match (position, self.codec.schema.kind(self.union_type(ty))) {
                (Some(position), Kind::Union(union)) => union.branches[position].name.clone(),
                _ => tag.to_string(),
            };
            self.span(at, 1, Role::Tag, format_args!("type of a union's value"), format_args!("{name}"));
        }
    }

    /// The union that a slot holds one or many of.
    fn union_type(&self, ty: TypeId) -> TypeId {
        if let Kind::List(item) = self.codec.schema.kind(ty) { *item } else { ty }
    }

    #[cold]
    fn wrong_union(&self, ty: TypeId, at: usize, what: &str) -> Error {
        let name = self.codec.schema.describe(self.union_type(ty));
        Error::data(at, format!("the value of union {name} has {what}"))
    }

    /// The value of a union of this type, which the offset at `at` points to.
    fn variant(&mut self, index: usize, ty: TypeId, tag: u8, at: usize, depth: usize) -> Result<Cell> {
        let union = &self.codec.plan.unions[index];
        let Some(&Some(position)) = union.by_tag.get(usize::from(tag)) else {
            let what = format!("the type {tag}, which the schema does not have");
            return Err(self.wrong_union(ty, at, &what));
        };
        let value = match union.branches[position].1 {
            Variant::Table(target) => self.table_of(target, at, depth)?,
            Variant::String => self.string(at)?,
            Variant::Struct(index) => {
                let at = self.follow(at, "a struct")?;
                self.buffer.charge(self.codec.plan.structs[index].size, at)?;
                self.structure(index, at)?
            }
        };
        self.arena.union(position, value)
    }

    /// A vector of types and one of values.
    pub(super) fn unions(&mut self, index: usize, slot: &Slot, view: View, depth: usize) -> Result<Option<Cell>> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(view.at, self.arena));
        }
        let (tags, values) = match (self.buffer.field(view, slot.id), self.buffer.field(view, slot.id + 1)) {
            (Some(tags), Some(values)) => (self.vector(tags, 1)?, self.vector(values, 4)?),
            (None, None) => return Ok(None),
            _ => return Err(self.wrong_union(slot.ty, view.at, "types without values, or the other way round")),
        };
        let ((tags, count), (values, other)) = (tags, values);
        if count != other {
            return Err(self.wrong_union(slot.ty, tags, &format!("{count} types, but {other} values")));
        }
        let run = self.arena.alloc(count).map_err(|error| error.at(tags))?;
        for i in 0..count {
            let tag = self.buffer.slice(tags + i, 1, "the type of a union")?[0];
            self.tracer.index(i);
            self.trace_tag(index, slot.ty, tag, tags + i);
            let cell = self.variant(index, slot.ty, tag, values + 4 * i, depth + 1);
            self.tracer.leave();
            self.arena.set(run as usize + i, cell.map_err(|error| error.in_index(i))?);
        }
        Ok(Some(Cell::run(run, count as u32)))
    }

    /// The struct at `at`.
    pub(super) fn structure(&mut self, index: usize, at: usize) -> Result<Cell> {
        let codec = self.codec;
        let layout = &codec.plan.structs[index];
        self.buffer.slice(at, layout.size, "a struct")?;
        let Kind::Record(record) = codec.schema.kind(layout.ty) else { unreachable!("planned as a record") };
        let run = self.arena.record(record)?;
        for member in &layout.members {
            let field = &record.fields[member.position];
            self.tracer.field(&field.name);
            let cell = match member.count {
                None => self.part(member.part, at + member.at),
                Some(count) => self.array(member.part, count, at + member.at),
            };
            self.tracer.leave();
            let cell = cell.map_err(|error| error.in_field(&field.name))?;
            self.arena.set_field(record, run, member.position, cell);
        }
        Ok(Cell::index(run))
    }

    fn array(&mut self, part: Part, count: usize, at: usize) -> Result<Cell> {
        let size = self.codec.plan.part_size(part);
        let run = self.arena.alloc(count).map_err(|error| error.at(at))?;
        for i in 0..count {
            self.tracer.index(i);
            let cell = self.part(part, at + i * size);
            self.tracer.leave();
            self.arena.set(run as usize + i, cell.map_err(|error| error.in_index(i))?);
        }
        Ok(Cell::run(run, count as u32))
    }

    fn part(&mut self, part: Part, at: usize) -> Result<Cell> {
        match part {
            Part::Scalar(scalar, ty) => self.scalar(scalar, ty, at),
            Part::Struct(index) => self.structure(index, at),
            Part::Bytes(size) => {
                let bytes = self.buffer.slice(at, size, "bytes of a struct")?;
                self.span(at, size, Role::Payload, format_args!("bytes"), format_args!("{size} bytes"));
                self.arena.text(bytes)
            }
        }
    }

    /// The struct that stands for one that is missing: all zeros.
    pub(super) fn zeros(&mut self, index: usize) -> Result<Cell> {
        let codec = self.codec;
        let layout = &codec.plan.structs[index];
        let Kind::Record(record) = codec.schema.kind(layout.ty) else { unreachable!("planned as a record") };
        let run = self.arena.record(record)?;
        for member in &layout.members {
            let cell = match member.count {
                None => self.zero_part(member.part)?,
                Some(count) => {
                    let run = self.arena.alloc(count)?;
                    for i in 0..count {
                        let cell = self.zero_part(member.part)?;
                        self.arena.set(run as usize + i, cell);
                    }
                    Cell::run(run, count as u32)
                }
            };
            self.arena.set_field(record, run, member.position, cell);
        }
        Ok(Cell::index(run))
    }

    fn zero_part(&mut self, part: Part) -> Result<Cell> {
        match part {
            Part::Scalar(..) => Ok(Cell::EMPTY),
            Part::Struct(index) => self.zeros(index),
            Part::Bytes(size) => self.arena.text_with(|out| {
                out.resize(out.len() + size, 0);
                Ok(())
            }),
        }
    }
}
