//! Reading FlatBuffers, in any legal layout.

mod flat;
mod spans;
mod values;

use std::fmt::Arguments;

use wirewise_core::{
    Arena, Cell, Error, ErrorKind, Kind, LossKind, LossName, Losses, Record, Result, Role, State, Tracer, TypeId,
};

use super::FlatBuffersCodec;
use super::buffer::{Buffer, View};
use super::encode::record_of;
use super::flat::Layouts;
use super::plan::{Presence, Root, Slot, Store, Table, Target};
use crate::dynamic::too_deep;
use spans::Spans;

pub(super) fn read<T: Tracer>(
    codec: &FlatBuffersCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<usize> {
    arena.begin(input)?;
    let mut reader = Reader {
        codec,
        buffer: Buffer::new(input),
        arena,
        losses,
        places: Vec::new(),
        clean: Vec::new(),
        layouts: Layouts::default(),
        tracer,
        spans: Spans::default(),
    };
    let (root, used) = match codec.plan.root {
        Root::One(target) if codec.size_prefixed => reader.prefixed(0, target)?,
        Root::One(target) => (reader.message(0, input.len(), target)?, input.len()),
        Root::Stream(target) => {
            let mark = reader.arena.mark();
            let (mut at, mut index) = (0, 0);
            while at < input.len() {
                reader.tracer.index(index);
                let message = reader.prefixed(at, target);
                reader.tracer.leave();
                let (cell, end) = message.map_err(|error| error.in_index(index))?;
                reader.arena.push(cell)?;
                (at, index) = (end, index + 1);
            }
            (reader.arena.list(mark)?, at)
        }
    };
    arena.set_root(root);
    Ok(used)
}

struct Reader<'a, T> {
    codec: &'a FlatBuffersCodec,
    buffer: Buffer<'a>,
    arena: &'a mut Arena,
    losses: &'a mut Losses,
    /// Of each open map the places of its entries.
    places: Vec<u32>,
    /// For each planned table a vtable that is longer than needed, but has no unknown fields.
    clean: Vec<usize>,
    /// How tables in vectors are laid out.
    layouts: Layouts,
    tracer: &'a mut T,
    spans: Spans,
}

/// What noting an unknown field counts for, in bytes read.
const NOTE: usize = 16;

impl<T: Tracer> Reader<'_, T> {
    /// Says what bytes are, unless that was said before: parts of a buffer may be shared.
    #[inline(always)]
    fn span(&mut self, at: usize, len: usize, role: Role, what: Arguments<'_>, value: Arguments<'_>) {
        if T::ON && self.spans.add(at..at + len) {
            self.tracer.span(at..at + len, role, what, value);
        }
    }

    /// Follows the offset at `at`.
    #[inline]
    fn follow(&mut self, at: usize, what: &str) -> Result<usize> {
        let target = self.buffer.follow(at, what)?;
        self.span(at, 4, Role::Pointer, format_args!("offset to {what}"), format_args!("{target}"));
        Ok(target)
    }

    /// The message behind its size at `at`, and where it ends.
    fn prefixed(&mut self, at: usize, target: Target) -> Result<(Cell, usize)> {
        // What lies outside of this buffer is none of its vtables.
        self.layouts = Layouts::default();
        let end = match self.buffer.enter(at) {
            Ok(end) => end,
            Err(error) => {
                // What there is of the buffer is explained all the same.
                if T::ON && at + 4 <= self.buffer.input().len() {
                    self.span(at, 4, Role::Length, format_args!("size of the buffer"), format_args!(""));
                    drop(self.message(at + 4, self.buffer.input().len(), target));
                }
                return Err(error);
            }
        };
        self.span(at, 4, Role::Length, format_args!("size of the buffer"), format_args!("{}", end - at - 4));
        Ok((self.message(at + 4, end, target)?, end))
    }

    /// The message whose buffer starts at `at`.
    fn message(&mut self, at: usize, end: usize, target: Target) -> Result<Cell> {
        let root = self.follow(at, "the root table")?;
        if let Some(expected) = self.codec.plan.identifier {
            let found = self.buffer.slice(at + 4, 4, "the file identifier")?;
            if found != expected {
                let [found, expected] = [found, &expected].map(String::from_utf8_lossy);
                return Err(Error::data(at + 4, format!("the file identifier is {found:?}, expected {expected:?}")));
            }
            let text = format_args!("{:?}", String::from_utf8_lossy(found));
            self.span(at + 4, 4, Role::Header, format_args!("file identifier"), text);
        }
        let cell = self.target(target, root, 0);
        if T::ON {
            match cell {
                Ok(_) => self.spans.fill(self.buffer.input(), end, self.tracer),
                Err(_) => self.spans.pad(self.buffer.input(), self.tracer),
            }
        }
        cell
    }

    /// Whether to go on after an error, which is kept: what else can be read is explained, too. After a limit nothing is,
    /// because limits are what keeps hostile buffers from being read forever.
    fn keep(&self, error: Error, first: &mut Option<Error>) -> Result<()> {
        if !T::ON || error.kind() == ErrorKind::Limit {
            return Err(first.take().unwrap_or(error));
        }
        first.get_or_insert(error);
        Ok(())
    }

    fn target(&mut self, target: Target, at: usize, depth: usize) -> Result<Cell> {
        match target {
            Target::Record(index) => self.record(index, at, depth),
            Target::Box(index) => self.boxed(index, at, depth),
        }
    }

    /// The table at `at`, whose nesting is checked.
    fn table(&mut self, index: usize, at: usize, depth: usize) -> Result<View> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(at, self.arena));
        }
        let view = self.buffer.table(at);
        if T::ON {
            match &view {
                Ok(view) => self.trace_table(index, *view),
                Err(_) if self.buffer.slice(at, 4, "").is_ok() => {
                    let what = format_args!("offset back to the vtable");
                    self.span(at, 4, Role::Pointer, what, format_args!(""));
                }
                Err(_) => {}
            }
        }
        view
    }

    fn record(&mut self, index: usize, at: usize, depth: usize) -> Result<Cell> {
        let view = self.table(index, at, depth)?;
        let table = &self.codec.plan.tables[index];
        if !T::ON && table.simple && depth < self.arena.limits().depth && self.buffer.holds(view) {
            return self.simple_fields(index, table, view, depth);
        }
        self.record_fields(index, Some(view), at, depth)
    }

    /// The fields of a table that lies in the buffer as a whole.
    fn simple_fields(&mut self, index: usize, table: &Table, view: View, depth: usize) -> Result<Cell> {
        self.unknown_fields(view, index)?;
        let run = self.arena.alloc(table.cells).map_err(|error| error.at(view.at))?;
        let mut states = 0;
        for slot in &table.slots {
            let at = self.buffer.field(view, slot.id);
            let cell = match at {
                // What lies outside of the table may also lie outside of the buffer.
                Some(at) if at + 8 <= view.at + view.size => self.usual(slot, at),
                Some(at) if at + slot.store.size() <= view.at + view.size => self.usual_short(slot, at),
                // Writers leave out what is zero.
                None if slot.presence == Presence::Required && matches!(slot.store, Store::Scalar(_)) => {
                    Some(slot.default)
                }
                _ => None,
            };
            let cell = match (cell, slot.store, at) {
                (None, Store::Table(index), Some(at)) => Some(self.child(table, slot, index, at, depth + 1)?),
                (None, Store::List(item), Some(at)) => {
                    let list = self.list(item, at, depth + 1);
                    Some(list.map_err(|error| self.in_slot(table, slot, error))?)
                }
                (cell, ..) => cell,
            };
            let Some(cell) = cell else {
                self.field(table, slot, Some(view), view.at, run, depth)?;
                continue;
            };
            self.arena.set(run as usize + table.state_words + slot.position, cell);
            states |= slot.present;
        }
        for word in 0..table.state_words.min(2) {
            let before = self.arena.get(run as usize + word).as_u64();
            self.arena.set(run as usize + word, Cell::uint(before | (states >> (64 * word)) as u64));
        }
        Ok(Cell::index(run))
    }

    /// The table that a field points to.
    #[inline(always)]
    fn child(&mut self, table: &Table, slot: &Slot, index: usize, at: usize, depth: usize) -> Result<Cell> {
        let read = self.follow(at, "a table").and_then(|at| self.record(index, at, depth));
        read.map_err(|error| self.in_slot(table, slot, error))
    }

    #[cold]
    fn in_slot(&self, table: &Table, slot: &Slot, error: Error) -> Error {
        error.in_field(&record_of(self.codec, table).fields[slot.position].name)
    }

    /// A scalar or string of which at least eight bytes lie in the table; `None` for all others, and for errors.
    #[inline(always)]
    fn usual(&mut self, slot: &Slot, at: usize) -> Option<Cell> {
        match slot.store {
            Store::Scalar(scalar) => scalar.cell(u64::from_le_bytes(self.buffer.load(at))),
            Store::String => self.buffer.usual_text(at).map(|(start, len)| self.arena.borrowed(start, len)),
            _ => None,
        }
    }

    /// The same for one at the end of its table.
    #[inline(always)]
    fn usual_short(&mut self, slot: &Slot, at: usize) -> Option<Cell> {
        match slot.store {
            Store::Scalar(scalar) => scalar.cell(match scalar.size() {
                1 => u64::from(self.buffer.load::<1>(at)[0]),
                2 => u16::from_le_bytes(self.buffer.load(at)).into(),
                _ => u32::from_le_bytes(self.buffer.load(at)).into(),
            }),
            Store::String => self.buffer.usual_text(at).map(|(start, len)| self.arena.borrowed(start, len)),
            _ => None,
        }
    }

    /// A record of the table's fields; of no fields at all where a required table is missing.
    fn record_fields(&mut self, index: usize, view: Option<View>, at: usize, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        let table = &codec.plan.tables[index];
        let record = record_of(codec, table);
        if let Some(view) = view {
            self.unknown_fields(view, index)?;
        }
        let run = self.arena.record(record).map_err(|error| error.at(at))?;
        let mut failed = None;
        for slot in &table.slots {
            if let Err(error) = self.field(table, slot, view, at, run, depth) {
                self.keep(error, &mut failed)?;
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        self.check_oneofs(record, run, at)?;
        Ok(Cell::index(run))
    }

    /// A field of the record whose cells are at `run`.
    fn field(
        &mut self,
        table: &Table,
        slot: &Slot,
        view: Option<View>,
        at: usize,
        run: u32,
        depth: usize,
    ) -> Result<()> {
        let codec = self.codec;
        let record = record_of(codec, table);
        let field = &record.fields[slot.position];
        let cell = match view {
            Some(view) => {
                self.tracer.field(&field.name);
                let cell = self.slot(slot, view, depth + 1);
                self.tracer.leave();
                cell.map_err(|error| error.in_field(&field.name))?
            }
            None => None,
        };
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
        Ok(())
    }

    #[inline]
    fn check_oneofs(&self, record: &Record, run: u32, at: usize) -> Result<()> {
        if record.oneofs.is_empty() { Ok(()) } else { self.arena.check_oneofs(record, run, at) }
    }

    fn boxed(&mut self, index: usize, at: usize, depth: usize) -> Result<Cell> {
        let view = self.table(index, at, depth)?;
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
            Store::Struct(index) => self.zeros(index),
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
        if view.len <= 4 + 2 * table.ids && table.gaps.is_empty() {
            return Ok(());
        }
        self.newer_fields(view, index, table.ids, table.ty)
    }

    /// The same for a table of a newer schema, or of one with fields that are no more. Its vtable is long, and shared
    /// with others: what was found in one is remembered as long as it is nothing, and looking again counts.
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
        let gaps = self.codec.plan.tables[index].gaps.iter().map(|&id| usize::from(id));
        for id in gaps.chain(known..(view.len - 4) / 2) {
            if let Some(at) = self.buffer.field(view, id as u16) {
                clean = false;
                self.buffer.charge(NOTE, at)?;
                if T::ON {
                    self.spans.unknown(at, id);
                }
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
        match slot.store {
            Store::Union(index) => return self.union(index, slot, view, depth),
            Store::Unions(index) => return self.unions(index, slot, view, depth),
            _ => {}
        }
        let Some(at) = self.buffer.field(view, slot.id) else { return Ok(None) };
        let cell = match slot.store {
            Store::Flag => {
                self.buffer.slice(at, 1, "a byte")?;
                self.span(at, 1, Role::Payload, format_args!("a byte that is there"), format_args!("null"));
                Cell::EMPTY
            }
            Store::Scalar(scalar) => self.scalar(scalar, slot.ty, at)?,
            Store::String => self.string(at)?,
            Store::Json => self.json(at, depth)?,
            Store::Bytes => self.bytes(at, None)?,
            Store::Fixed(size) => self.bytes(at, Some(size))?,
            Store::Table(index) => {
                let table = self.follow(at, "a table")?;
                self.record(index, table, depth)?
            }
            Store::Boxed(index) => {
                let table = self.follow(at, "a table")?;
                self.boxed(index, table, depth)?
            }
            Store::List(item) => self.list(item, at, depth)?,
            Store::Map(entry) => self.map(entry, at, depth)?,
            Store::Struct(index) => {
                self.buffer.charge(self.codec.plan.structs[index].size, at)?;
                self.structure(index, at)?
            }
            Store::Union(_) | Store::Unions(_) => unreachable!("handled above"),
        };
        Ok(Some(cell))
    }

    /// Says what a table and its vtable are.
    #[cold]
    fn trace_table(&mut self, index: usize, view: View) {
        let codec = self.codec;
        let table = &codec.plan.tables[index];
        self.span(
            view.at,
            4,
            Role::Pointer,
            format_args!("offset back to the vtable"),
            format_args!("{}", view.vtable),
        );
        let input = self.buffer.input();
        let u16_at = |at: usize| u16::from_le_bytes([input[at], input[at + 1]]);
        let len = u16_at(view.vtable);
        self.span(view.vtable, 2, Role::Vtable, format_args!("size of the vtable"), format_args!("{len}"));
        let size = u16_at(view.vtable + 2);
        self.span(view.vtable + 2, 2, Role::Vtable, format_args!("size of the table"), format_args!("{size}"));
        let mut names: Vec<(&str, &str)> = vec![("", ""); table.ids];
        for slot in &table.slots {
            let name = match codec.schema.kind(table.ty) {
                Kind::Record(record) if table.is_record => record.fields[slot.position].name.as_str(),
                Kind::Map(..) if slot.position == 0 => "key",
                _ => "value",
            };
            names[usize::from(slot.id)] = (name, if slot.store.ids() == 2 { " (its type)" } else { "" });
            if slot.store.ids() == 2 {
                names[usize::from(slot.id) + 1] = (name, "");
            }
        }
        for id in 0..(view.len - 4) / 2 {
            let at = view.vtable + 4 + 2 * id;
            let offset = u16_at(at);
            let value = if offset == 0 { "absent".to_owned() } else { offset.to_string() };
            match names.get(id) {
                Some((name, of)) if !name.is_empty() => {
                    self.span(at, 2, Role::Vtable, format_args!("offset of {name:?}{of}"), format_args!("{value}"));
                }
                _ => self.span(at, 2, Role::Vtable, format_args!("offset of field {id}"), format_args!("{value}")),
            }
        }
    }
}
