//! Reading Thrift by schema.

use std::marker::PhantomData;

use wirewise_core::{
    Arena, Cell, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Record, Result, Role, State, Tracer,
    TypeId, Union, utf8,
};

use super::plan::{Missing, Plan, find, int_wire};
use super::protocol::{Announced, Header, Input, ListHead, Protocol, WireType};
use super::skip::{check_count, skip, too_deep};
use super::{default, show};
use crate::dynamic::binary::float::narrow;
use crate::dynamic::{duplicate, set_missing};
use crate::json;

pub(super) fn read<P: Protocol, T: Tracer>(
    plan: &Plan,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<usize> {
    arena.begin(input)?;
    let input = Input { bytes: input, pos: 0 };
    let mut reader = Reader::<P, T> { plan, input, arena, losses, tracer, protocol: PhantomData };
    let ty = plan.schema.root();
    let root = match plan.schema.kind(ty) {
        // These are structs already.
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) | Kind::Null => {
            reader.value(ty, Announced::plain(WireType::Struct), 0)?
        }
        _ => {
            let start = reader.input.pos;
            let value = reader.wrapper(ty, ty, 0)?;
            value.ok_or_else(|| Error::data(start, "field 1, which has the value of the message, is missing"))?
        }
    };
    let used = reader.input.pos;
    arena.set_root(root);
    Ok(used)
}

pub(super) struct Reader<'a, 't, P, T> {
    pub(super) plan: &'a Plan,
    pub(super) input: Input<'a>,
    pub(super) arena: &'a mut Arena,
    losses: &'a mut Losses,
    pub(super) tracer: &'t mut T,
    protocol: PhantomData<P>,
}

impl<'a, P: Protocol, T: Tracer> Reader<'a, '_, P, T> {
    /// A value whose announced type was accepted.
    pub(super) fn value(&mut self, ty: TypeId, announced: Announced, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena.limits().depth));
        }
        match self.plan.schema.kind(ty) {
            Kind::Null => self.null(ty, announced, depth),
            Kind::List(item) => match self.plan.entry(ty) {
                Some(entry) => self.entries(*item, entry, depth),
                None => self.list(*item, depth),
            },
            Kind::Map(key, value) => self.map(*key, *value, depth),
            Kind::Nullable(inner) => match self.wrapper(ty, *inner, depth)? {
                Some(cell) => self.arena.boxed(cell),
                None => Ok(Cell::NULL),
            },
            Kind::Record(_) => self.record(ty, depth),
            Kind::Union(union) => self.union(ty, union, depth),
            _ => {
                let start = self.input.pos;
                let cell = self.scalar(ty, announced, depth)?;
                self.trace_scalar(ty, start, cell);
                Ok(cell)
            }
        }
    }

    /// A value that has no parts.
    #[inline(always)]
    fn scalar(&mut self, ty: TypeId, announced: Announced, depth: usize) -> Result<Cell> {
        let start = self.input.pos;
        match self.plan.schema.kind(ty) {
            Kind::Bool => self.bool(announced).map(Cell::bool),
            Kind::Int(int) => self.int(*int),
            Kind::Float(float) => self.float(ty, *float),
            Kind::String => {
                let text = self.string()?;
                self.arena.text(text)
            }
            Kind::Fixed(size) => {
                let bytes = match announced.wire {
                    WireType::Uuid => self.input.take(16, "a uuid")?,
                    _ => self.bytes()?,
                };
                if bytes.len() != *size as usize {
                    return Err(Error::data(start, format!("expected {size} bytes, found {}", bytes.len())));
                }
                self.arena.text(bytes)
            }
            Kind::Enum(e) => {
                let number = P::read_int(&mut self.input, self.plan.wire(ty))?;
                if e.closed && e.position(number).is_none() {
                    return Err(Error::data(start, format!("enum {} has no number {number}", e.name)));
                }
                Ok(Cell::int(number))
            }
            Kind::Any => self.any(depth),
            _ => {
                let bytes = self.bytes()?;
                self.arena.text(bytes)
            }
        }
    }

    /// Says what the bytes from `start` on are: the scalar of this type that was just read from them.
    #[inline]
    fn trace_scalar(&mut self, ty: TypeId, start: usize, cell: Cell) {
        if T::ON {
            let schema = &self.plan.schema;
            let bytes = start..self.input.pos;
            let wire = self.plan.wire(ty);
            match schema.kind(ty) {
                Kind::String | Kind::Bytes | Kind::Fixed(_) if wire != WireType::Uuid => {
                    let text = self.arena.bytes(self.input.bytes, cell);
                    let value = show::scalar(schema, ty, cell, text);
                    show::text_spans::<P, T>(self.tracer, bytes, cell.len(), &value);
                }
                Kind::Any => {
                    // What the value was read from is not kept: it is the end of what was read.
                    let mut again = Input { bytes: self.input.bytes, pos: start };
                    let len = P::read_len(&mut again).unwrap_or_default();
                    let value = show::scalar(schema, ty, cell, &self.input.bytes[again.pos..bytes.end]);
                    show::text_spans::<P, T>(self.tracer, bytes, len, &value);
                }
                kind => {
                    let fixed = matches!(kind, Kind::Fixed(_));
                    let text = self.arena.bytes(self.input.bytes, if fixed { cell } else { Cell::EMPTY });
                    let value = show::scalar(schema, ty, cell, text);
                    // A boolean of a compact field has no bytes of its own.
                    show::scalar_spans::<P, T>(self.tracer, wire, bytes, &value);
                }
            }
        }
    }

    /// Says what the bytes from `start` to here are.
    #[inline]
    fn trace(&mut self, start: usize, role: Role, what: std::fmt::Arguments<'_>) {
        self.tracer.span(start..self.input.pos, role, what, format_args!(""));
    }

    /// Whether a value announced as `found` can be one of type `ty`, which is `expected` on the wire.
    pub(super) fn accepts(&self, ty: TypeId, expected: WireType, found: WireType) -> bool {
        expected == found
            || match found {
                // A list without order or duplicates is a list.
                WireType::Set => expected == WireType::List,
                WireType::Uuid => *self.plan.schema.kind(ty) == Kind::Fixed(16),
                _ => false,
            }
    }

    fn bool(&mut self, announced: Announced) -> Result<bool> {
        match announced.inline {
            Some(value) => Ok(value),
            None => P::read_bool(&mut self.input),
        }
    }

    /// A null: a field with the value true, or an empty struct in lists and maps.
    fn null(&mut self, ty: TypeId, announced: Announced, depth: usize) -> Result<Cell> {
        let start = self.input.pos;
        if announced.wire == WireType::Struct {
            self.fields(ty, 0, depth, |_, _, _| Ok(false))?;
        } else {
            if !self.bool(announced)? {
                return Err(Error::data(start, "expected true, which stands for null, found false"));
            }
            self.trace(start, Role::Payload, format_args!("true, which stands for null"));
        }
        Ok(Cell::EMPTY)
    }

    #[inline(always)]
    fn int(&mut self, int: Int) -> Result<Cell> {
        let start = self.input.pos;
        let value = P::read_int(&mut self.input, int_wire(int))?;
        if int.holds(i128::from(value)) {
            return Ok(Cell::int(value));
        }
        let (min, max) = int.range();
        Err(Error::data(start, format!("{value} is not within {min} to {max}")))
    }

    #[inline(always)]
    fn float(&mut self, ty: TypeId, float: Float) -> Result<Cell> {
        let start = self.input.pos;
        let value = P::read_double(&mut self.input)?;
        if float == Float::F64 {
            return Ok(Cell::f64(value));
        }
        if let Some(exact) = narrow(value) {
            return Ok(Cell::f32(exact));
        }
        let near = value as f32;
        if near.is_infinite() {
            return Err(Error::data(start, format!("{value} is beyond the range of float32")));
        }
        let noted = self.losses.note(LossKind::Precision, ty, LossName::Name(""));
        noted.map_err(|error| error.at(start))?;
        Ok(Cell::f32(near))
    }

    #[inline(always)]
    fn bytes(&mut self) -> Result<&'a [u8]> {
        let len = P::read_len(&mut self.input)?;
        self.input.take(len, "the rest of a string")
    }

    #[inline(always)]
    fn string(&mut self) -> Result<&'a [u8]> {
        let text = self.bytes()?;
        match utf8::check(text) {
            Ok(()) => Ok(text),
            Err(valid) => {
                let at = self.input.pos - text.len() + valid;
                Err(Error::data(at, "the text is not valid UTF-8").hint("a schema of type bytes takes any bytes"))
            }
        }
    }

    fn any(&mut self, depth: usize) -> Result<Cell> {
        let text = self.bytes()?;
        let at = self.input.pos - text.len();
        json::any_from_text(text, self.input.bytes, at, self.arena, depth).map_err(|error| match error.kind() {
            // The text has a length: more input would not complete it.
            ErrorKind::End => Error::syntax(error.offset().unwrap_or(at), error.message()),
            _ => error,
        })
    }

    /// Says what the head of a list is.
    pub(super) fn trace_list(&mut self, start: usize, list: &ListHead) {
        let of = list.items.map_or("nothing", WireType::name);
        self.trace(start, Role::Length, format_args!("list of {} {of}", list.count));
    }

    /// Checks that a list can have as many elements as it says, and of the type that it says.
    #[inline(always)]
    pub(super) fn check_list(&self, item: TypeId, start: usize, list: &ListHead) -> Result<()> {
        check_count(&self.input, list.count, 1)?;
        list.items.map_or(Ok(()), |found| self.check_item(item, found, start))
    }

    fn check_item(&self, ty: TypeId, found: WireType, start: usize) -> Result<()> {
        let expected = self.plan.wire(ty);
        if self.accepts(ty, expected, found) {
            return Ok(());
        }
        let (expected, found) = (expected.name(), found.name());
        Err(Error::data(start, format!("expected elements of type {expected}, found {found}")))
    }

    /// The head of a map, with the types of its keys and values when it has any.
    fn map_head(&mut self, key: TypeId, value: TypeId) -> Result<(usize, Option<(WireType, WireType)>)> {
        let start = self.input.pos;
        let map = P::read_map(&mut self.input)?;
        if T::ON {
            let (key, value) = map.entries.map_or(("nothing", "nothing"), |(key, value)| (key.name(), value.name()));
            self.trace(start, Role::Length, format_args!("map of {} {key} to {value}", map.count));
        }
        check_count(&self.input, map.count, 2)?;
        if let Some(found) = map.entries {
            self.check_item(key, found.0, start)?;
            self.check_item(value, found.1, start)?;
        }
        Ok((map.count, map.entries))
    }

    /// A list of records that is a map on the wire.
    fn entries(&mut self, item: TypeId, entry: (TypeId, TypeId), depth: usize) -> Result<Cell> {
        let (count, Some(found)) = self.map_head(entry.0, entry.1)? else { return Ok(Cell::EMPTY) };
        let Kind::Record(record) = self.plan.schema.kind(item) else { unreachable!("entries are records") };
        let mark = self.arena.mark();
        for index in 0..count {
            self.tracer.index(index);
            let at = self.arena.record(record)?;
            for (position, (ty, wire)) in [(entry.0, found.0), (entry.1, found.1)].into_iter().enumerate() {
                let name = &record.fields[position].name;
                self.tracer.field(name);
                let cell = self.value(ty, Announced::plain(wire), depth + 1);
                let cell = cell.map_err(|error| error.in_field(name).in_index(index))?;
                self.tracer.leave();
                self.arena.set_field(record, at, position, cell);
            }
            self.tracer.leave();
            self.arena.push(Cell::index(at))?;
        }
        self.arena.list(mark)
    }

    fn map(&mut self, key: TypeId, value: TypeId, depth: usize) -> Result<Cell> {
        let start = self.input.pos;
        let (count, Some(found)) = self.map_head(key, value)? else { return Ok(Cell::EMPTY) };
        let schema = &self.plan.schema;
        let mark = self.arena.mark();
        for _ in 0..count {
            let key_start = self.input.pos;
            // Keys have no parts, and the path needs their text before their bytes are explained.
            let name = self.scalar(key, Announced::plain(found.0), depth + 1)?;
            if T::ON {
                let text = self.key_text(key, name);
                self.tracer.key(text.as_bytes());
                self.trace_scalar(key, key_start, name);
            }
            self.arena.push(name)?;
            let cell = self.value(value, Announced::plain(found.1), depth + 1).map_err(|error| {
                let text = self.key_text(key, name);
                error.in_key(text.as_bytes())
            })?;
            self.tracer.leave();
            self.arena.push(cell)?;
        }
        let pairs = self.arena.pushed(mark).chunks_exact(2).map(|pair| pair[0]);
        let twice = match schema.kind(key) {
            // The same cell may be elsewhere in the input: it is the text that counts.
            Kind::String => {
                let mut names = pairs.clone();
                duplicate(pairs.map(|name| self.arena.bytes(self.input.bytes, name)))
                    .and_then(|text| names.find(|&name| self.arena.bytes(self.input.bytes, name) == text))
            }
            _ => duplicate(pairs.map(Cell::as_u64)).map(Cell::uint),
        };
        match twice {
            Some(name) => Err(Error::data(start, format!("the map has the key {:?} twice", self.key_text(key, name)))),
            None => self.arena.map(mark),
        }
    }

    /// A map key in messages.
    #[cold]
    fn key_text(&self, key: TypeId, cell: Cell) -> String {
        match self.plan.schema.kind(key) {
            Kind::Bool => cell.as_bool().to_string(),
            Kind::Int(int) if int.signed() => cell.as_i64().to_string(),
            Kind::Int(_) => cell.as_u64().to_string(),
            _ => String::from_utf8_lossy(self.arena.bytes(self.input.bytes, cell)).into_owned(),
        }
    }

    /// The fields of a struct up to its stop byte. `known` reads the value of a field and says `true`, or says `false`:
    /// then the field is unknown (to generated code too: a field of another type than expected is skipped).
    /// `last` is the number of the field that was read before, or 0.
    pub(super) fn fields(
        &mut self,
        ty: TypeId,
        mut last: i16,
        depth: usize,
        mut known: impl FnMut(&mut Self, Header, usize) -> Result<bool>,
    ) -> Result<()> {
        loop {
            let at = self.input.pos;
            let Some(header) = P::read_field(&mut self.input, last)? else {
                self.trace(at, Role::Syntax, format_args!("end of struct"));
                return Ok(());
            };
            last = header.id;
            if known(self, header, at)? {
                continue;
            }
            let number = header.id.to_string();
            let name = match u64::try_from(header.id) {
                Ok(number) => LossName::Number(number),
                Err(_) => LossName::Name(&number),
            };
            if T::ON {
                self.tracer.field(&format!("field {number}"));
                self.trace_header(header, at);
            }
            self.losses.note(LossKind::UnknownField, ty, name).map_err(|error| error.at(at))?;
            let start = self.input.pos;
            skip::<P>(&mut self.input, header.value, self.arena.limits().depth, depth + 1)?;
            if T::ON {
                self.trace(start, Role::Unknown, format_args!("{}", header.value.wire.name()));
                self.tracer.leave();
            }
        }
    }

    /// Says what the field header that began at `at` is.
    #[inline]
    pub(super) fn trace_header(&mut self, header: Header, at: usize) {
        if T::ON {
            show::header(self.tracer, header, at..self.input.pos);
        }
    }

    pub(super) fn missing(&mut self, record: &Record, at: u32, position: usize, start: usize) -> Result<()> {
        let schema = &self.plan.schema;
        match self.plan.missing(record.type_id(), position) {
            Missing::Model => set_missing(self.arena, schema, record, at, position, start)?,
            Missing::Null => self.arena.set_state(record, at, position, State::Null),
            Missing::Nothing => self.arena.set_field(record, at, position, Cell::EMPTY),
            Missing::Zero => {
                let cell = default::zero(self.arena, schema, record.fields[position].ty)?;
                self.arena.set_field(record, at, position, cell);
            }
            Missing::Value(value) => {
                let field = &record.fields[position];
                let cell = default::value(self.plan, self.arena, field.ty, value, start);
                let cell = cell.map_err(|error| error.in_field(&field.name))?;
                self.arena.set_field(record, at, position, cell);
            }
        }
        Ok(())
    }

    fn union(&mut self, ty: TypeId, union: &Union, depth: usize) -> Result<Cell> {
        let slots = self.plan.slots(ty);
        let start = self.input.pos;
        let mut found: Option<(usize, Cell)> = None;
        self.fields(ty, 0, depth, |reader, header, header_at| {
            let Some(place) = find(slots, 0, header.id) else { return Ok(false) };
            let slot = slots[place];
            if !reader.accepts(slot.ty, slot.wire, header.value.wire) {
                return Ok(false);
            }
            let name = &union.branches[slot.position].name;
            reader.tracer.field(name);
            reader.trace_header(header, header_at);
            if found.is_some() {
                return Err(Error::data(header_at, format!("a second field, {name:?}, in union {}", union.name)));
            }
            let cell = reader.value(slot.ty, header.value, depth + 1).map_err(|error| error.in_field(name))?;
            reader.tracer.leave();
            found = Some((slot.position, cell));
            Ok(true)
        })?;
        match found {
            Some((branch, cell)) => self.arena.union(branch, cell),
            None => Err(Error::data(start, format!("union {} has no field", union.name))),
        }
    }

    /// A struct with one value in field 1, or without it. `within` is what unknown fields are reported in.
    fn wrapper(&mut self, within: TypeId, ty: TypeId, depth: usize) -> Result<Option<Cell>> {
        let wire = self.plan.wire(ty);
        let mut found = None;
        self.fields(within, 0, depth, |reader, header, header_at| {
            if header.id != 1 || !reader.accepts(ty, wire, header.value.wire) {
                return Ok(false);
            }
            reader.trace_header(header, header_at);
            if found.is_some() {
                return Err(twice(header_at, "1"));
            }
            found = Some(reader.value(ty, header.value, depth)?);
            Ok(true)
        })?;
        Ok(found)
    }
}

#[cold]
pub(super) fn twice(at: usize, name: &str) -> Error {
    Error::data(at, format!("the struct has the field {name:?} twice"))
}
