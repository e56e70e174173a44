//! Reading Thrift by schema.

use std::marker::PhantomData;

use wirewise_core::{
    Arena, Cell, Enum, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Record, Result, State, TypeId,
    Union,
};

use super::plan::{Plan, find, int_wire};
use super::protocol::{Announced, Header, Input, Protocol, WireType};
use super::skip::{check_count, skip};
use crate::dynamic::binary::float::narrow;
use crate::dynamic::{Seen, duplicate, set_missing, too_deep};
use crate::json;

pub(super) fn read<P: Protocol>(plan: &Plan, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
    arena.begin(input)?;
    let input = Input { bytes: input, pos: 0 };
    let mut reader = Reader::<P> { plan, input, arena, losses, protocol: PhantomData };
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

struct Reader<'a, P> {
    plan: &'a Plan,
    input: Input<'a>,
    arena: &'a mut Arena,
    losses: &'a mut Losses,
    protocol: PhantomData<P>,
}

impl<'a, P: Protocol> Reader<'a, P> {
    /// A value whose announced type was accepted.
    fn value(&mut self, ty: TypeId, announced: Announced, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena));
        }
        let plan = self.plan;
        let start = self.input.pos;
        match plan.schema.kind(ty) {
            Kind::Null => self.null(ty, announced, depth),
            Kind::Bool => self.bool(announced).map(Cell::bool),
            Kind::Int(int) => self.int(*int),
            Kind::Float(float) => self.float(ty, *float),
            Kind::String => {
                let text = self.string()?;
                self.arena.text(text)
            }
            Kind::Bytes => {
                let bytes = self.bytes()?;
                self.arena.text(bytes)
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
            Kind::Enum(e) => self.enumerator(e),
            Kind::List(item) => self.list(*item, depth),
            Kind::Map(key, value) => self.map(*key, *value, depth),
            Kind::Nullable(inner) => match self.wrapper(ty, *inner, depth)? {
                Some(cell) => self.arena.boxed(cell),
                None => Ok(Cell::NULL),
            },
            Kind::Record(record) => self.record(ty, record, depth),
            Kind::Union(union) => self.union(ty, union, depth),
            Kind::Any => self.any(depth),
        }
    }

    /// Whether a value announced as `found` can be one of type `ty`, which is `expected` on the wire.
    fn accepts(&self, ty: TypeId, expected: WireType, found: WireType) -> bool {
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
            self.fields(ty, depth, |_, _, _| Ok(false))?;
        } else if !self.bool(announced)? {
            return Err(Error::data(start, "expected true, which stands for null, found false"));
        }
        Ok(Cell::EMPTY)
    }

    fn int(&mut self, int: Int) -> Result<Cell> {
        let start = self.input.pos;
        let value = P::read_int(&mut self.input, int_wire(int))?;
        if int.holds(i128::from(value)) {
            return Ok(Cell::int(value));
        }
        let (min, max) = int.range();
        Err(Error::data(start, format!("{value} is not within {min} to {max}")))
    }

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

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let len = P::read_len(&mut self.input)?;
        self.input.take(len, "the rest of a string")
    }

    fn string(&mut self) -> Result<&'a [u8]> {
        let text = self.bytes()?;
        match std::str::from_utf8(text) {
            Ok(_) => Ok(text),
            Err(error) => {
                let at = self.input.pos - text.len() + error.valid_up_to();
                Err(Error::data(at, "the text is not valid UTF-8").hint("a schema of type bytes takes any bytes"))
            }
        }
    }

    fn enumerator(&mut self, e: &Enum) -> Result<Cell> {
        let start = self.input.pos;
        let number = P::read_int(&mut self.input, WireType::I32)?;
        if e.closed && e.position(number).is_none() {
            return Err(Error::data(start, format!("enum {} has no number {number}", e.name)));
        }
        Ok(Cell::int(number))
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

    fn list(&mut self, item: TypeId, depth: usize) -> Result<Cell> {
        let start = self.input.pos;
        let list = P::read_list(&mut self.input)?;
        check_count(&self.input, list.count, 1)?;
        let Some(found) = list.items else { return Ok(Cell::EMPTY) };
        self.check_item(item, found, start)?;
        let mark = self.arena.mark();
        for index in 0..list.count {
            let cell = self.value(item, Announced::plain(found), depth + 1).map_err(|error| error.in_index(index))?;
            self.arena.push(cell)?;
        }
        self.arena.list(mark)
    }

    fn check_item(&self, ty: TypeId, found: WireType, start: usize) -> Result<()> {
        let expected = self.plan.wire(ty);
        if self.accepts(ty, expected, found) {
            return Ok(());
        }
        let (expected, found) = (expected.name(), found.name());
        Err(Error::data(start, format!("expected elements of type {expected}, found {found}")))
    }

    fn map(&mut self, key: TypeId, value: TypeId, depth: usize) -> Result<Cell> {
        let start = self.input.pos;
        let map = P::read_map(&mut self.input)?;
        check_count(&self.input, map.count, 2)?;
        let Some(found) = map.entries else { return Ok(Cell::EMPTY) };
        self.check_item(key, found.0, start)?;
        self.check_item(value, found.1, start)?;
        let schema = &self.plan.schema;
        let mark = self.arena.mark();
        for _ in 0..map.count {
            let name = self.value(key, Announced::plain(found.0), depth + 1)?;
            self.arena.push(name)?;
            let cell = self.value(value, Announced::plain(found.1), depth + 1).map_err(|error| {
                let text = self.key_text(key, name);
                error.in_key(text.as_bytes())
            })?;
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
    fn fields(
        &mut self,
        ty: TypeId,
        depth: usize,
        mut known: impl FnMut(&mut Self, Header, usize) -> Result<bool>,
    ) -> Result<()> {
        let mut last = 0;
        loop {
            let at = self.input.pos;
            let Some(header) = P::read_field(&mut self.input, last)? else { return Ok(()) };
            last = header.id;
            if known(self, header, at)? {
                continue;
            }
            let number = header.id.to_string();
            let name = match u64::try_from(header.id) {
                Ok(number) => LossName::Number(number),
                Err(_) => LossName::Name(&number),
            };
            self.losses.note(LossKind::UnknownField, ty, name).map_err(|error| error.at(at))?;
            skip::<P>(&mut self.input, header.value, self.arena, depth + 1)?;
        }
    }

    fn record(&mut self, ty: TypeId, record: &Record, depth: usize) -> Result<Cell> {
        let slots = self.plan.slots(ty);
        let start = self.input.pos;
        let at = self.arena.record(record)?;
        let mut seen = Seen::default();
        let mut expected = 0;
        self.fields(ty, depth, |reader, header, header_at| {
            let Some(place) = find(slots, expected, header.id) else { return Ok(false) };
            let slot = slots[place];
            if !reader.accepts(slot.ty, slot.wire, header.value.wire) {
                return Ok(false);
            }
            expected = place + 1;
            let name = &record.fields[slot.position].name;
            if !seen.mark(slot.position) {
                return Err(twice(header_at, name));
            }
            let cell = reader.value(slot.ty, header.value, depth + 1).map_err(|error| error.in_field(name))?;
            reader.arena.set_field(record, at, slot.position, cell);
            Ok(true)
        })?;
        for position in 0..record.fields.len() {
            if !seen.has(position) {
                self.missing(record, at, position, start)?;
            }
        }
        Ok(Cell::index(at))
    }

    fn missing(&mut self, record: &Record, at: u32, position: usize, start: usize) -> Result<()> {
        let field = &record.fields[position];
        if !field.is_optional() {
            // A field that is never absent is not written when it is null.
            if field.is_nullable() {
                self.arena.set_state(record, at, position, State::Null);
                return Ok(());
            }
            if *self.plan.schema.kind(field.ty) == Kind::Null {
                self.arena.set_field(record, at, position, Cell::EMPTY);
                return Ok(());
            }
        }
        set_missing(self.arena, &self.plan.schema, record, at, position, start)
    }

    fn union(&mut self, ty: TypeId, union: &Union, depth: usize) -> Result<Cell> {
        let slots = self.plan.slots(ty);
        let start = self.input.pos;
        let mut found: Option<(usize, Cell)> = None;
        self.fields(ty, depth, |reader, header, header_at| {
            let Some(place) = find(slots, 0, header.id) else { return Ok(false) };
            let slot = slots[place];
            if !reader.accepts(slot.ty, slot.wire, header.value.wire) {
                return Ok(false);
            }
            let name = &union.branches[slot.position].name;
            if found.is_some() {
                return Err(Error::data(header_at, format!("a second field, {name:?}, in union {}", union.name)));
            }
            let cell = reader.value(slot.ty, header.value, depth + 1).map_err(|error| error.in_field(name))?;
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
        self.fields(within, depth, |reader, header, header_at| {
            if header.id != 1 || !reader.accepts(ty, wire, header.value.wire) {
                return Ok(false);
            }
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
fn twice(at: usize, name: &str) -> Error {
    Error::data(at, format!("the struct has the field {name:?} twice"))
}
