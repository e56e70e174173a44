//! Reading ProtoJSON.

use std::borrow::Cow;

use wirewise_core::{
    Arena, Cell, Enum, Error, Float, Int, Kind, Logical, LossKind, LossName, Losses, Record, Result, Role, State,
    Tracer, TypeId, Union, text,
};

use super::plan::{Missing, Null, RecordPlan, TypePlan, takes_null};
use super::{ProtoJsonCodec, base64, number};
use crate::dynamic::{Seen, duplicate, too_deep};
use crate::json::any;
use crate::json::number::float;
use crate::json::scan::{Literal, Scanner, untraced};

pub(super) fn read<T: Tracer>(
    codec: &ProtoJsonCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<usize> {
    arena.begin(input)?;
    let mut reader = Reader { codec, scan: Scanner::new(input, input, tracer), arena, losses };
    let root = reader.value(codec.schema.root(), 0);
    if root.is_err() {
        reader.scan.trace_stop();
    }
    let root = root?;
    // White space after the message belongs to it.
    reader.scan.peek();
    let used = reader.scan.pos;
    reader.scan.trace_punctuation(used);
    arena.set_root(root);
    Ok(used)
}

pub(super) struct Reader<'a, T> {
    pub(super) codec: &'a ProtoJsonCodec,
    pub(super) scan: Scanner<'a, T>,
    pub(super) arena: &'a mut Arena,
    pub(super) losses: &'a mut Losses,
}

/// What an object is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    /// A message.
    Message,
    /// A message in an `Any`: one of the members is its type.
    Any,
}

impl<'a, T: Tracer> Reader<'a, T> {
    pub(super) fn value(&mut self, ty: TypeId, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.scan.pos, self.arena));
        }
        let codec = self.codec;
        let first = self.scan.peek_value()?;
        let start = self.scan.pos;
        let logical = codec.schema.logical(ty);
        let cell = match codec.schema.kind(ty) {
            Kind::Null => self.scan.word("null").map(|()| Cell::EMPTY),
            Kind::Bool => match first {
                b't' => self.scan.word("true").map(|()| Cell::bool(true)),
                b'f' => self.scan.word("false").map(|()| Cell::bool(false)),
                _ => Err(self.mismatch(ty)),
            },
            Kind::Int(int) => match logical {
                Some(logical) => self.logical_int(ty, *int, logical),
                None => self.integer(ty, *int),
            },
            Kind::Float(float) => self.float(ty, *float),
            Kind::String if logical == Some(Logical::Number) => {
                let (literal, _) = self.literal(ty)?;
                self.arena.text(literal.as_bytes())
            }
            Kind::String => {
                self.need(ty, first == b'"')?;
                self.scan.string(self.arena)
            }
            Kind::Bytes | Kind::Fixed(_) => self.bytes(ty, logical),
            Kind::Enum(e) => match self.enumerator(ty, e)? {
                Ok(cell) => Ok(cell),
                Err(unknown) => Err(unknown.error),
            },
            Kind::List(item) => return self.list(ty, *item, depth),
            Kind::Map(key, value) => return self.map(ty, *key, *value, depth),
            Kind::Nullable(_) if first == b'n' => self.scan.word("null").map(|()| Cell::NULL),
            Kind::Nullable(inner) => {
                let cell = self.value(*inner, depth)?;
                return self.arena.boxed(cell);
            }
            Kind::Record(record) => {
                return match &codec.types[ty.index()] {
                    TypePlan::Record(plan) => self.object(ty, record, plan, Within::Message, depth),
                    TypePlan::WellKnown(known) => self.well_known(*known, ty, record, depth),
                    _ => unreachable!("planned as a record"),
                };
            }
            Kind::Union(union) => return self.union(ty, union, depth),
            Kind::Any => return any::read(&mut self.scan, self.arena, depth),
        }?;
        // What is left is one token.
        let symbol = matches!(codec.schema.kind(ty), Kind::Enum(_)) && first == b'"';
        self.scan.trace_token(start, if symbol { Role::Name } else { Role::Payload });
        Ok(cell)
    }

    /// A value of a field, list or map; `None` for an enum's that the schema does not know and that may be lost.
    fn part(&mut self, ty: TypeId, depth: usize) -> Result<Option<Cell>> {
        let Kind::Enum(e) = self.codec.schema.kind(ty) else { return self.value(ty, depth).map(Some) };
        let first = self.scan.peek_value()?;
        let start = self.scan.pos;
        let found = self.enumerator(ty, e)?;
        self.scan.trace_token(start, if first == b'"' { Role::Name } else { Role::Payload });
        match found {
            Ok(cell) => Ok(Some(cell)),
            Err(_) if self.losses.allows(LossKind::UnknownField) => {
                let text = String::from_utf8_lossy(&self.scan.input[start..self.scan.pos]).into_owned();
                self.losses.note(LossKind::UnknownField, ty, LossName::Name(&text))?;
                Ok(None)
            }
            Err(unknown) => Err(unknown.error),
        }
    }

    /// The error of a value of another kind than the type's, or of no valid value at all.
    #[cold]
    pub(super) fn mismatch(&mut self, ty: TypeId) -> Error {
        let found = match self.scan.peek() {
            Some(b'"') => "a string",
            Some(b'{') => "an object",
            Some(b'[') => "an array",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            Some(b'-' | b'0'..=b'9') => "a number",
            _ => return self.scan.unexpected(&format!("a value of type {}", self.codec.schema.describe(ty))),
        };
        let at = self.scan.pos;
        Error::data(at, format!("expected {}, found {found}", self.codec.schema.describe(ty)))
    }

    pub(super) fn need(&mut self, ty: TypeId, fits: bool) -> Result<()> {
        if fits { Ok(()) } else { Err(self.mismatch(ty)) }
    }

    /// The text of a number, which may stand in quotes, and where it is.
    fn literal(&mut self, ty: TypeId) -> Result<(Cow<'a, str>, usize)> {
        let at = self.scan.pos;
        match self.scan.peek() {
            Some(b'-' | b'0'..=b'9') => self.scan.number().map(|literal| (literal.text.into(), at)),
            _ => {
                let token = self.token(ty)?;
                let mut inner = untraced(&token, &token);
                if inner.number().is_err() || inner.pos != token.len() {
                    let shown: String = String::from_utf8_lossy(&token).chars().take(40).collect();
                    return Err(Error::data(at, format!("expected a number, found {shown:?}")));
                }
                let text = match token {
                    Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
                    Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
                };
                Ok((text, at))
            }
        }
    }

    fn integer(&mut self, ty: TypeId, int: Int) -> Result<Cell> {
        let (text, at) = self.literal(ty)?;
        number::integer(Literal { text: &text, at, integer: false }, int).map(Cell::uint)
    }

    fn float(&mut self, ty: TypeId, width: Float) -> Result<Cell> {
        let at = self.scan.pos;
        let value = if self.scan.peek() == Some(b'"') {
            let special = match &*self.token(ty)? {
                b"NaN" => Some(f64::NAN),
                b"Infinity" => Some(f64::INFINITY),
                b"-Infinity" => Some(f64::NEG_INFINITY),
                _ => None,
            };
            match special {
                Some(value) => value,
                None => {
                    self.scan.pos = at;
                    self.finite(ty, width)?
                }
            }
        } else {
            self.finite(ty, width)?
        };
        Ok(match width {
            Float::F64 => Cell::f64(value),
            Float::F32 => Cell::f32(value as f32),
        })
    }

    pub(super) fn finite(&mut self, ty: TypeId, width: Float) -> Result<f64> {
        let (text, at) = self.literal(ty)?;
        let integer = !text.contains(['.', 'e', 'E']);
        float(Literal { text: &text, at, integer }, width, ty, self.losses)
    }

    /// A string's content, for types whose text is parsed at once.
    pub(super) fn token(&mut self, ty: TypeId) -> Result<Cow<'a, [u8]>> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'"'))?;
        let start = self.scan.pos + 1;
        let rest = &self.scan.input[start..];
        let len = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
        if rest.get(len) == Some(&b'"') {
            self.scan.pos = start + len + 1;
            return Ok(Cow::Borrowed(&rest[..len]));
        }
        let cell = self.scan.string(self.arena)?;
        Ok(Cow::Owned(self.arena.bytes(self.scan.input, cell).to_vec()))
    }

    fn logical_int(&mut self, ty: TypeId, int: Int, logical: Logical) -> Result<Cell> {
        let at = self.scan.pos;
        let value = match logical {
            Logical::Timestamp(unit) => text::time::parse_timestamp(&self.token(ty)?, unit),
            Logical::Date => text::time::parse_date(&self.token(ty)?).map(i64::from),
            _ => return self.integer(ty, int),
        };
        value.map(Cell::int).ok_or_else(|| {
            let what = if logical == Logical::Date {
                "expected a day such as \"2026-11-21\""
            } else {
                "expected an instant such as \"2026-11-21T12:00:00Z\", in UTC, with as many fraction digits as the type"
            };
            Error::data(at, what)
        })
    }

    fn bytes(&mut self, ty: TypeId, logical: Option<Logical>) -> Result<Cell> {
        let at = self.scan.pos;
        let token = self.token(ty)?;
        let uuid = logical == Some(Logical::Uuid);
        let cell = self.arena.text_with(|out| {
            if uuid {
                let bytes = text::uuid::parse(&token);
                out.extend_from_slice(&bytes.ok_or_else(|| Error::data(at, "expected a UUID in lower case"))?);
                return Ok(());
            }
            if base64::decode(&token, out) { Ok(()) } else { Err(Error::data(at, "expected base64")) }
        })?;
        match self.codec.schema.kind(ty) {
            Kind::Fixed(size) if *size as usize != cell.len() => {
                Err(Error::data(at, format!("expected {size} bytes in base64, found {}", cell.len())))
            }
            _ => Ok(cell),
        }
    }

    /// A symbol's number; the inner error is that of one that the enum does not have.
    fn enumerator(&mut self, ty: TypeId, e: &Enum) -> Result<Result<Cell, Unknown>> {
        let TypePlan::Enum { names, null } = &self.codec.types[ty.index()] else { unreachable!("planned as an enum") };
        let at = self.scan.pos;
        match self.scan.peek() {
            Some(b'n') if *null => {
                self.scan.word("null")?;
                Ok(Ok(Cell::EMPTY))
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = self.integer(ty, Int::I64)?;
                // Protobuf's enums have 32 bits, ours may have more.
                if e.closed && e.position(number.as_i64()).is_none() {
                    let error = Error::data(at, format!("enum {} has no number {}", e.name, number.as_i64()));
                    return Ok(Err(Unknown { error }));
                }
                Ok(Ok(number))
            }
            _ => {
                self.need(ty, self.scan.input.get(at) == Some(&b'"'))?;
                let cell = self.scan.string(self.arena)?;
                let name = self.arena.bytes(self.scan.input, cell);
                Ok(names.get(name).map(|&position| Cell::int(e.symbols[position].number)).ok_or_else(|| {
                    let name = String::from_utf8_lossy(name);
                    Unknown { error: Error::data(at, format!("enum {} has no symbol {name:?}", e.name)) }
                }))
            }
        }
    }

    pub(super) fn list(&mut self, ty: TypeId, item: TypeId, depth: usize) -> Result<Cell> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'['))?;
        self.scan.pos += 1;
        let mark = self.arena.mark();
        let mut more = !self.scan.closes(b']');
        let mut index = 0;
        while more {
            self.scan.enter_index(index);
            let cell = self.element(item, depth + 1).map_err(|error| error.in_index(index))?;
            self.scan.leave();
            if let Some(cell) = cell {
                self.arena.push(cell)?;
            }
            index += 1;
            more = self.scan.more(b']')?;
        }
        if self.arena.mark() == mark { Ok(Cell::EMPTY) } else { self.arena.list(mark) }
    }

    /// A value of a list or map, which is null only where its type has that.
    fn element(&mut self, ty: TypeId, depth: usize) -> Result<Option<Cell>> {
        if self.scan.peek() == Some(b'n') && !takes_null(&self.codec.schema, ty) {
            return Err(self.mismatch(ty));
        }
        self.part(ty, depth)
    }

    pub(super) fn map(&mut self, ty: TypeId, key: TypeId, value: TypeId, depth: usize) -> Result<Cell> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'{'))?;
        let start = self.scan.pos;
        self.scan.pos += 1;
        let mark = self.arena.mark();
        let mut more = !self.scan.closes(b'}');
        while more {
            self.scan.peek();
            let at = self.scan.pos;
            let name = self.scan.string(self.arena)?;
            let key = self.map_key(key, name, at)?;
            self.scan.expect(b':', "':'")?;
            self.scan.enter_key(at, self.arena.bytes(self.scan.input, name));
            let read = self.element(value, depth + 1).map_err(|e| e.in_key(self.arena.bytes(self.scan.input, name)))?;
            self.scan.leave();
            if let Some(cell) = read {
                self.arena.push(key)?;
                self.arena.push(cell)?;
            }
            more = self.scan.more(b'}')?;
        }
        let input = self.scan.input;
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let same = match self.codec.schema.kind(key) {
            Kind::String => duplicate(pairs.clone().map(|pair| self.arena.bytes(input, pair[0]))).map(|name| {
                let second =
                    self.arena.pushed(mark).chunks_exact(2).rfind(|pair| self.arena.bytes(input, pair[0]) == name);
                any::named_twice(&self.scan, name, second.map(|pair| pair[0]), start)
            }),
            _ => duplicate(pairs.map(|pair| pair[0].as_u64()))
                .map(|key| any::named_twice(&self.scan, key.to_string().as_bytes(), None, start)),
        };
        match same {
            Some(error) => Err(error),
            None if self.arena.mark() == mark => Ok(Cell::EMPTY),
            None => self.arena.map(mark),
        }
    }

    fn map_key(&mut self, key: TypeId, name: Cell, at: usize) -> Result<Cell> {
        let kind = self.codec.schema.kind(key);
        if *kind == Kind::String {
            return Ok(name);
        }
        let text = std::str::from_utf8(self.arena.bytes(self.scan.input, name)).unwrap_or_default();
        let cell = match kind {
            Kind::Int(int) => text
                .parse::<i128>()
                .ok()
                // Only the text that would be written back.
                .filter(|value| int.holds(*value) && value.to_string() == text)
                .map(|value| Cell::uint(value as u64)),
            _ => text.parse().ok().map(Cell::bool),
        };
        cell.ok_or_else(|| Error::data(at, format!("the name {text:?} is no {}", self.codec.schema.describe(key))))
    }

    /// A message whose fields are members.
    pub(super) fn object(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        within: Within,
        depth: usize,
    ) -> Result<Cell> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'{'))?;
        let start = self.scan.pos;
        self.scan.pos += 1;
        let at = self.arena.record(record)?;
        let (mut seen, mut given) = (Seen::default(), Seen::default());
        let mut expected = 0;
        let mut typed = false;
        let mut more = !self.scan.closes(b'}');
        while more {
            self.scan.peek();
            let name_at = self.scan.pos;
            let name = self.scan.string(self.arena)?;
            let name = self.arena.bytes(self.scan.input, name);
            // Fields usually come in the schema's order.
            let position = match plan.names.written.get(expected) {
                Some(written) if written == name => Some(expected),
                _ => plan.names.read.get(name).copied(),
            };
            let Some(position) = position else {
                if within == Within::Any && is_of_any(name, record) {
                    if name == b"@type" && std::mem::replace(&mut typed, true) {
                        return Err(Error::data(name_at, "the object has the name \"@type\" twice"));
                    }
                } else {
                    let text = std::str::from_utf8(name).unwrap_or_default();
                    self.losses
                        .note(LossKind::UnknownField, ty, LossName::Name(text))
                        .map_err(|error| error.at(name_at))?;
                }
                self.scan.expect(b':', "':'")?;
                self.scan.enter_named(name_at, name);
                any::skip(&mut self.scan, self.arena, depth + 1)?;
                self.scan.leave();
                more = self.scan.more(b'}')?;
                continue;
            };
            expected = position + 1;
            let field = &record.fields[position];
            if !seen.mark(position) {
                return Err(Error::data(name_at, format!("the object has the field {:?} twice", field.name)));
            }
            self.scan.expect(b':', "':'")?;
            self.scan.enter_named(name_at, field.name.as_bytes());
            let read = self.field(record, plan.fields[position].null, at, position, depth);
            if read.map_err(|error| error.in_field(&field.name))? {
                given.mark(position);
            }
            self.scan.leave();
            more = self.scan.more(b'}')?;
        }
        for position in 0..record.fields.len() {
            if !given.has(position) {
                self.missing(record, plan.fields[position].missing, at, position, start)?;
            }
        }
        if !record.oneofs.is_empty() {
            self.arena.check_oneofs(record, at, start)?;
        }
        Ok(Cell::index(at))
    }

    /// Reads the value of a field; `false` when that says that it is absent.
    fn field(&mut self, record: &Record, null: Null, at: u32, position: usize, depth: usize) -> Result<bool> {
        if self.scan.peek() == Some(b'n') && null != Null::Value {
            let start = self.scan.pos;
            self.scan.word("null")?;
            self.scan.trace_token(start, Role::Payload);
            if null == Null::State {
                self.arena.set_state(record, at, position, State::Null);
            }
            return Ok(null == Null::State);
        }
        let cell = self.part(record.fields[position].value_type(), depth + 1)?;
        if let Some(cell) = cell {
            self.arena.set_field(record, at, position, cell);
        }
        Ok(cell.is_some())
    }

    /// Gives a field that did not come what it is then.
    fn missing(&mut self, record: &Record, missing: Missing, at: u32, position: usize, start: usize) -> Result<()> {
        match missing {
            Missing::Absent => {}
            Missing::Null => self.arena.set_state(record, at, position, State::Null),
            Missing::Default => self.arena.set_default(&self.codec.schema, record, at, position)?,
            Missing::Error => {
                let name = &record.fields[position].name;
                return Err(Error::data(start, format!("the required field {name:?} of {} is missing", record.name)));
            }
        }
        Ok(())
    }

    /// `{"branch": value}`.
    fn union(&mut self, ty: TypeId, union: &Union, depth: usize) -> Result<Cell> {
        let TypePlan::Union(names) = &self.codec.types[ty.index()] else { unreachable!("planned as a union") };
        let first = self.scan.peek();
        self.need(ty, first == Some(b'{'))?;
        self.scan.pos += 1;
        self.scan.peek();
        let at = self.scan.pos;
        let name = self.scan.string(self.arena)?;
        let name = self.arena.bytes(self.scan.input, name);
        let Some(&position) = names.read.get(name) else {
            let name = String::from_utf8_lossy(name);
            return Err(Error::data(at, format!("union {} has no branch {name:?}", union.name)));
        };
        self.scan.expect(b':', "':'")?;
        let branch = &union.branches[position];
        self.scan.enter_named(at, branch.name.as_bytes());
        let value = self.value(branch.ty, depth + 1).map_err(|error| error.in_field(&branch.name))?;
        self.scan.leave();
        self.scan.expect(b'}', "the end of a union's value")?;
        self.arena.union(position, value)
    }
}

/// A value that an enum does not have.
struct Unknown {
    error: Error,
}

/// Whether a member of the object of an `Any` is about that, and no field of the message in it. (Some writers treat
/// `Empty` as a message with a form of its own.)
fn is_of_any(name: &[u8], record: &Record) -> bool {
    name == b"@type" || name == b"value" && record.name == "google.protobuf.Empty"
}
