//! Reading JSON by schema.

use std::borrow::Cow;

use wirewise_core::{
    Arena, Cell, Enum, Error, Float, Int, Kind, Logical, Losses, Result, Role, Tracer, TypeId, Union, text,
};

use super::number;
use super::plan::{Node, Other};
use super::scan::{Scanner, show};
use super::usual::Next;
use super::{JsonCodec, decimal};
use crate::dynamic::{Shape, UnionPlan, duplicate, too_deep};

pub(super) fn read<T: Tracer>(
    codec: &JsonCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<usize> {
    arena.begin(input)?;
    let depth = arena.limits().depth;
    let mut reader = Reader { codec, scan: Scanner::new(input, input, tracer), arena, losses, depth };
    let root = codec.schema.root();
    let root = reader.node(codec.types.nodes[root.index()], root, 0);
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
    pub(super) codec: &'a JsonCodec,
    pub(super) scan: Scanner<'a, T>,
    pub(super) arena: &'a mut Arena,
    pub(super) losses: &'a mut Losses,
    /// How deep values may nest.
    pub(super) depth: usize,
}

impl<'a, T: Tracer> Reader<'a, T> {
    /// A value whose type's node is at hand: the usual ones without a call.
    #[inline(always)]
    pub(super) fn node(&mut self, node: Node, ty: TypeId, depth: usize) -> Result<Cell> {
        if depth <= self.depth {
            let first = self.scan.peek();
            let start = self.scan.pos;
            let cell = match (node, first) {
                (Node::String, Some(b'"')) => {
                    self.scan.pos += 1;
                    self.scan.string_rest(self.arena)?
                }
                (Node::Int(int), Some(b'-' | b'0'..=b'9')) => self.integer(ty, int)?,
                (Node::Double(_), Some(b'-' | b'0'..=b'9')) => self.double(ty)?,
                (Node::Record(place), Some(b'{')) if !self.codec.style.positional => {
                    return self.object_record(place, depth);
                }
                (Node::List(item), Some(b'[')) => return self.list(item, depth),
                _ => return self.value(ty, depth),
            };
            self.scan.trace_token(start, Role::Payload);
            return Ok(cell);
        }
        self.value(ty, depth)
    }

    fn value(&mut self, ty: TypeId, depth: usize) -> Result<Cell> {
        if depth > self.depth {
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
                self.need(ty, matches!(first, b'-' | b'0'..=b'9'))?;
                let literal = self.scan.number()?;
                self.arena.text(literal.text.as_bytes())
            }
            Kind::String => {
                self.need(ty, first == b'"')?;
                self.scan.string(self.arena)
            }
            Kind::Bytes | Kind::Fixed(_) => self.bytes(ty, logical),
            Kind::Enum(e) => self.enumerator(ty, e),
            Kind::List(item) => {
                self.need(ty, first == b'[')?;
                return self.list(*item, depth);
            }
            Kind::Map(key, value) => return self.map(ty, *key, *value, depth),
            Kind::Nullable(_) if first == b'n' => self.scan.word("null").map(|()| Cell::NULL),
            Kind::Nullable(inner) => {
                let cell = self.value(*inner, depth)?;
                return self.arena.boxed(cell);
            }
            Kind::Record(_) => {
                let Node::Record(place) = codec.types.nodes[ty.index()] else { unreachable!("planned as a record") };
                self.need(ty, first == if codec.style.positional { b'[' } else { b'{' })?;
                return if codec.style.positional {
                    self.array_record(place, depth)
                } else {
                    self.object_record(place, depth)
                };
            }
            Kind::Union(union) => return self.union(ty, union, depth),
            Kind::Any => return super::any::read(&mut self.scan, self.arena, depth),
        }?;
        // What is left is one token.
        let symbol = matches!(codec.schema.kind(ty), Kind::Enum(_)) && first == b'"';
        self.scan.trace_token(start, if symbol { Role::Name } else { Role::Payload });
        Ok(cell)
    }

    /// The error of a value of another kind than the type's, or of no valid value at all.
    #[cold]
    fn mismatch(&mut self, ty: TypeId) -> Error {
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

    fn need(&mut self, ty: TypeId, fits: bool) -> Result<()> {
        if fits { Ok(()) } else { Err(self.mismatch(ty)) }
    }

    #[inline(always)]
    fn integer(&mut self, ty: TypeId, int: Int) -> Result<Cell> {
        if let Some((value, end)) = decimal::integer(self.scan.input, self.scan.pos)
            && decimal::ends(self.scan.input, end)
            && number::holds(int, value)
        {
            self.scan.pos = end;
            return Ok(Cell::int(value));
        }
        self.odd_integer(ty, int)
    }

    #[inline(never)]
    fn odd_integer(&mut self, ty: TypeId, int: Int) -> Result<Cell> {
        if let Some((value, end)) = decimal::long_integer(self.scan.input, self.scan.pos)
            && number::holds(int, value)
        {
            self.scan.pos = end;
            return Ok(Cell::int(value));
        }
        let first = self.scan.peek();
        self.need(ty, matches!(first, Some(b'-' | b'0'..=b'9')))?;
        let literal = self.scan.number()?;
        number::integer(literal, int).map(Cell::uint)
    }

    #[inline(always)]
    fn double(&mut self, ty: TypeId) -> Result<Cell> {
        if let Some((value, end)) = decimal::double(self.scan.input, self.scan.pos)
            && decimal::ends(self.scan.input, end)
        {
            self.scan.pos = end;
            return Ok(Cell::f64(value));
        }
        self.float(ty, Float::F64)
    }

    #[inline(never)]
    fn float(&mut self, ty: TypeId, float: Float) -> Result<Cell> {
        if float == Float::F64
            && let Some(decimal) = decimal::scan(self.scan.input, self.scan.pos)
            && let Some(value) = decimal.float()
        {
            self.scan.pos = decimal.end;
            return Ok(Cell::f64(value));
        }
        let first = self.scan.peek();
        self.need(ty, matches!(first, Some(b'-' | b'0'..=b'9')))?;
        let literal = self.scan.number()?;
        let value = number::float(literal, float, ty, self.losses)?;
        Ok(match float {
            Float::F64 => Cell::f64(value),
            Float::F32 => Cell::f32(value as f32),
        })
    }

    /// A string's content, for types whose text is parsed at once.
    fn token(&mut self, ty: TypeId) -> Result<Cow<'a, [u8]>> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'"'))?;
        let start = self.scan.pos + 1;
        let rest = &self.scan.input[start..];
        let len = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
        if rest.get(len) == Some(&b'"') {
            self.scan.pos = start + len + 1;
            return Ok(Cow::Borrowed(&rest[..len]));
        }
        // None of these texts needs an escape, but some writers put one before every slash of base64. And the scanner
        // says what is wrong with any other.
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
            if text::base64::decode(&token, out) { Ok(()) } else { Err(Error::data(at, "expected padded base64")) }
        })?;
        match self.codec.schema.kind(ty) {
            Kind::Fixed(size) if *size as usize != cell.len() => {
                Err(Error::data(at, format!("expected {size} bytes in base64, found {}", cell.len())))
            }
            _ => Ok(cell),
        }
    }

    fn enumerator(&mut self, ty: TypeId, e: &Enum) -> Result<Cell> {
        let at = self.scan.pos;
        if let Some(b'-' | b'0'..=b'9') = self.scan.peek() {
            let number = self.integer(ty, Int::I64)?;
            if e.closed && e.position(number.as_i64()).is_none() {
                return Err(Error::data(at, format!("enum {} has no number {}", e.name, number.as_i64())));
            }
            return Ok(number);
        }
        self.need(ty, self.scan.input.get(at) == Some(&b'"'))?;
        let cell = self.scan.string(self.arena)?;
        let name = self.arena.bytes(self.scan.input, cell);
        let Other::Enum { names } = &self.codec.types.others[ty.index()] else { unreachable!("planned as an enum") };
        let few = || e.symbols.iter().position(|symbol| symbol.name.as_bytes() == name);
        let position = if e.symbols.len() <= 8 { few() } else { names.get(name).copied() };
        position.map(|position| Cell::int(e.symbols[position].number)).ok_or_else(|| {
            Error::data(at, format!("enum {} has no symbol {:?}", e.name, String::from_utf8_lossy(name)))
        })
    }

    /// A list whose bracket was seen.
    pub(super) fn list(&mut self, item: TypeId, depth: usize) -> Result<Cell> {
        let node = self.codec.types.nodes[item.index()];
        self.scan.pos += 1;
        if self.scan.closes(b']') {
            return Ok(Cell::EMPTY);
        }
        let mark = self.arena.mark();
        let mut index = 0;
        loop {
            if !T::ON && depth < self.depth {
                let (read, next) = self.usual_items(node, index, depth)?;
                index += read;
                if next == Next::Ended || next == Next::Behind && !self.scan.more(b']')? {
                    return self.arena.list(mark);
                }
            }
            self.scan.enter_index(index);
            let cell = self.node(node, item, depth + 1).map_err(|error| error.in_index(index))?;
            self.scan.leave();
            self.arena.push(cell)?;
            index += 1;
            if !self.scan.more(b']')? {
                return self.arena.list(mark);
            }
        }
    }

    fn map(&mut self, ty: TypeId, key: TypeId, value: TypeId, depth: usize) -> Result<Cell> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'{'))?;
        let start = self.scan.pos;
        self.scan.pos += 1;
        if self.scan.closes(b'}') {
            return Ok(Cell::EMPTY);
        }
        let mark = self.arena.mark();
        let node = self.codec.types.nodes[value.index()];
        loop {
            self.scan.peek();
            let at = self.scan.pos;
            let name = self.scan.string(self.arena)?;
            let cell = self.map_key(key, name, at)?;
            self.arena.push(cell)?;
            self.scan.expect(b':', "':'")?;
            self.scan.enter_key(at, self.arena.bytes(self.scan.input, name));
            let cell = self.node(node, value, depth + 1);
            let cell = cell.map_err(|error| error.in_key(self.arena.bytes(self.scan.input, name)))?;
            self.scan.leave();
            self.arena.push(cell)?;
            if !self.scan.more(b'}')? {
                break;
            }
        }
        let input = self.scan.input;
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let same = match self.codec.schema.kind(key) {
            Kind::String => duplicate(pairs.clone().map(|pair| self.arena.bytes(input, pair[0]))).map(|name| {
                let second =
                    self.arena.pushed(mark).chunks_exact(2).rfind(|pair| self.arena.bytes(input, pair[0]) == name);
                super::any::named_twice(&self.scan, name, second.map(|pair| pair[0]), start)
            }),
            _ => duplicate(pairs.map(|pair| pair[0].as_u64()))
                .map(|key| super::any::named_twice(&self.scan, key.to_string().as_bytes(), None, start)),
        };
        match same {
            Some(error) => Err(error),
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

    /// The word that says that a field has no value.
    pub(super) fn null(&mut self) -> Result<()> {
        let start = self.scan.pos;
        self.scan.word("null")?;
        self.scan.trace_token(start, Role::Payload);
        Ok(())
    }

    fn union(&mut self, ty: TypeId, union: &Union, depth: usize) -> Result<Cell> {
        let Other::Union(plan) = &self.codec.types.others[ty.index()] else { unreachable!("planned as a union") };
        if let UnionPlan::Tagged = plan {
            return self.tagged_union(ty, union, depth);
        }
        let shape = match self.scan.peek_value()? {
            b'"' => Shape::String,
            b'{' => Shape::Map,
            b'[' => Shape::Array,
            b't' | b'f' => Shape::Bool,
            b'-' | b'0'..=b'9' => {
                let start = self.scan.pos;
                let literal = self.scan.number()?;
                self.scan.pos = start;
                if literal.integer && literal.text != "-0" { Shape::Int } else { Shape::Float }
            }
            _ => return Err(self.mismatch(ty)),
        };
        let Some(position) = plan.branch(shape) else { return Err(self.mismatch(ty)) };
        let value = self.value(union.branches[position].ty, depth)?;
        self.arena.union(position, value)
    }

    /// `{"branch": value}`, or `[number, value]` in compact arrays.
    fn tagged_union(&mut self, ty: TypeId, union: &Union, depth: usize) -> Result<Cell> {
        let (open, close) = if self.codec.style.positional { (b'[', b']') } else { (b'{', b'}') };
        let first = self.scan.peek();
        self.need(ty, first == Some(open))?;
        self.scan.pos += 1;
        self.scan.peek();
        let at = self.scan.pos;
        let position = if self.codec.style.positional {
            let number = number::integer(self.scan.number()?, Int::U32)?;
            self.scan.trace_token(at, Role::Tag);
            self.scan.expect(b',', "','")?;
            union.branches.iter().position(|branch| u64::from(branch.number) == number)
        } else {
            let name = self.scan.string(self.arena)?;
            let name = self.arena.bytes(self.scan.input, name);
            self.scan.expect(b':', "':'")?;
            self.scan.enter_named(at, name);
            union.branches.iter().position(|branch| branch.name.as_bytes() == name)
        };
        let position = position.ok_or_else(|| {
            let found = show(&self.scan.input[at..]);
            Error::data(at, format!("union {} has no branch that begins with {found}", union.name))
        })?;
        let branch = &union.branches[position];
        if self.codec.style.positional {
            self.scan.enter_field(&branch.name);
        }
        let value = self.value(branch.ty, depth + 1).map_err(|error| error.in_field(&branch.name))?;
        self.scan.leave();
        self.scan.expect(close, "the end of a union's value")?;
        self.arena.union(position, value)
    }
}
