//! Reading by schema.

use wirewise_core::{
    Arena, Cell, Enum, Error, ErrorKind, Float, Int, Kind, LossKind, LossName, Losses, Result, Tracer, TypeId, utf8,
};

use super::float::narrow;
use super::plan::{BinaryCodec, Code, Op, TypePlan};
use super::trace::Within;
use super::{Head, Input, Length, UNDEFINED, Wire};
use crate::dynamic::{duplicate, too_deep};

pub(super) fn read<W: Wire, T: Tracer>(
    codec: &BinaryCodec<W>,
    bytes: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<usize> {
    arena.begin(bytes)?;
    let input = Input { bytes, pos: 0 };
    let mut reader = Reader { codec, input, at: 0, arena, losses, tracer, within: Within::Value };
    let root = reader.value(codec.schema.root(), 0)?;
    let used = reader.input.pos;
    arena.set_root(root);
    Ok(used)
}

pub(super) struct Reader<'a, W, T> {
    pub(super) codec: &'a BinaryCodec<W>,
    pub(super) input: Input<'a>,
    /// Where the head that was last read starts.
    pub(super) at: usize,
    pub(super) arena: &'a mut Arena,
    pub(super) losses: &'a mut Losses,
    pub(super) tracer: &'a mut T,
    /// For the tracer only.
    pub(super) within: Within,
}

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    /// The head of a value, of this type where that is known.
    #[inline]
    pub(super) fn head(&mut self, ty: Option<TypeId>) -> Result<Head> {
        self.at = self.input.pos;
        let head = W::head(&mut self.input)?;
        if T::ON {
            self.trace_head(self.at, head, ty);
        }
        Ok(head)
    }

    /// Reads a part of a message that is `within` something.
    #[inline]
    pub(super) fn inside<R>(&mut self, within: Within, read: impl FnOnce(&mut Self) -> R) -> R {
        // What is in something unknown is unknown, too.
        let before = self.within;
        if T::ON && before != Within::Unknown {
            self.within = within;
        }
        let result = read(self);
        if T::ON {
            self.within = before;
        }
        result
    }

    /// The head of a value of this type, behind any tags.
    #[inline]
    pub(super) fn typed_head(&mut self, ty: TypeId, depth: usize) -> Result<Head> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena));
        }
        match self.head(Some(ty))? {
            Head::Tag(tag) => self.untag(tag, ty, depth),
            Head::Extension(kind, len) => self.timestamp(kind, len, ty),
            head => Ok(head),
        }
    }

    pub(super) fn value(&mut self, ty: TypeId, depth: usize) -> Result<Cell> {
        let op = &self.codec.ops[ty.index()];
        if !T::ON && depth <= self.arena.limits().depth {
            let pos = self.input.pos;
            if let Some((cell, len)) = usual::<W>(op, &self.input.bytes[pos..], pos) {
                self.input.pos = pos + len;
                return Ok(cell);
            }
            if let Some(cell) = self.usual_nested(op, pos, depth) {
                return cell;
            }
        }
        if op.code == Code::Any {
            return self.any(depth);
        }
        let head = self.typed_head(ty, depth)?;
        self.value_of(ty, head, depth)
    }

    /// A list or record at `pos` whose head is as nearly all are.
    #[inline(always)]
    pub(super) fn usual_nested(&mut self, op: &Op, pos: usize, depth: usize) -> Option<Result<Cell>> {
        let codec = self.codec;
        let rest = &self.input.bytes[pos..];
        let list = op.code == Code::List;
        let (head, len) = match op.code {
            Code::List | Code::Record if list || codec.positional => W::usual_list(rest)?,
            Code::Record => W::usual_map(rest)?,
            _ => return None,
        };
        self.at = pos;
        self.input.pos = pos + head;
        Some(match &codec.types[op.ty.index()] {
            TypePlan::Record(plan) => self.record(op.ty, plan, Some(len), depth),
            _ => self.list(&codec.ops[op.item.index()], Some(len), depth),
        })
    }

    /// The rest of a value whose head was read.
    pub(super) fn value_of(&mut self, ty: TypeId, head: Head, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        match (codec.schema.kind(ty), head) {
            (Kind::Null, Head::Null) => Ok(Cell::EMPTY),
            (Kind::Bool, Head::Bool(value)) => Ok(Cell::bool(value)),
            (Kind::Int(int), head) => self.integer(ty, *int, head),
            (Kind::Float(float), head) => self.float(ty, *float, head),
            (Kind::String, Head::String(len)) => self.string(len),
            (Kind::Bytes, Head::Bytes(len)) => self.bytes(len),
            (Kind::Fixed(size), Head::Bytes(len)) => {
                let at = self.at;
                let cell = self.bytes(len)?;
                if cell.len() == *size as usize {
                    return Ok(cell);
                }
                Err(Error::data(at, format!("expected {size} bytes, found {}", cell.len())))
            }
            (Kind::Enum(e), head) => self.enumerator(ty, e, head),
            (Kind::List(item), Head::List(len)) => self.list(&codec.ops[item.index()], len, depth),
            (Kind::Map(key, value), Head::Map(len)) => self.map(*key, *value, len, depth),
            (Kind::Nullable(_), Head::Null) => Ok(Cell::NULL),
            (Kind::Nullable(inner), head) => {
                let cell = self.value_of(*inner, head, depth)?;
                self.arena.boxed(cell)
            }
            (Kind::Record(_), head) => {
                let TypePlan::Record(plan) = &codec.types[ty.index()] else { unreachable!("planned as a record") };
                match head {
                    Head::List(len) if codec.positional => self.record(ty, plan, len, depth),
                    Head::Map(len) if !codec.positional => self.record(ty, plan, len, depth),
                    _ => Err(self.mismatch(ty, head)),
                }
            }
            (Kind::Union(union), head) => self.union(ty, union, head, depth),
            (Kind::Any, head) => self.any_of(head, depth),
            _ => Err(self.mismatch(ty, head)),
        }
    }

    /// The error of a value of another kind than the type's.
    #[cold]
    pub(super) fn mismatch(&self, ty: TypeId, head: Head) -> Error {
        match head {
            Head::Break => return stray_break(self.at),
            Head::Simple(value) => return simple_value(value, self.at),
            _ => {}
        }
        let schema = &self.codec.schema;
        let error = Error::data(self.at, format!("expected {}, found {}", schema.describe(ty), head.describe()));
        match (schema.kind(ty), head) {
            (Kind::Bytes | Kind::Fixed(_), Head::String(_)) => error.hint(W::BYTES_ADVICE),
            (Kind::String, Head::Bytes(_)) => error.hint("text has to be written as a string, not as bytes"),
            (Kind::Record(_), Head::Map(_)) => error.hint(format!("records are maps in the variant {}-named", W::NAME)),
            (Kind::Record(_), Head::List(_)) => {
                error.hint(format!("records are arrays in the variant {}-positional", W::NAME))
            }
            _ => error,
        }
    }

    fn integer(&mut self, ty: TypeId, int: Int, head: Head) -> Result<Cell> {
        let most = if int.signed() { i64::MAX as u64 >> (64 - int.bits()) } else { u64::MAX >> (64 - int.bits()) };
        match head {
            Head::Uint(value) if value <= most => Ok(Cell::uint(value)),
            Head::Negative(n) if int.signed() && n <= most => Ok(Cell::int(!n as i64)),
            Head::Uint(_) | Head::Negative(_) => {
                let value = integer_value(head);
                Err(Error::data(self.at, format!("{value} does not fit {}", self.codec.schema.describe(ty))))
            }
            _ => Err(self.mismatch(ty, head)),
        }
    }

    fn float(&mut self, ty: TypeId, float: Float, head: Head) -> Result<Cell> {
        let (value, mut exact) = match head {
            Head::Float(value) => (value, true),
            Head::Uint(_) | Head::Negative(_) => {
                let integer = integer_value(head);
                (integer as f64, integer as f64 as i128 == integer)
            }
            _ => return Err(self.mismatch(ty, head)),
        };
        let cell = match float {
            Float::F64 => Cell::f64(value),
            Float::F32 => match narrow(value) {
                Some(narrow) => Cell::f32(narrow),
                None if value.is_finite() && (value as f32).is_infinite() => {
                    return Err(Error::data(self.at, format!("{value:?} does not fit float32")));
                }
                None => {
                    exact = false;
                    Cell::f32(value as f32)
                }
            },
        };
        if !exact {
            self.losses.note(LossKind::Precision, ty, LossName::Name("")).map_err(|error| error.at(self.at))?;
        }
        Ok(cell)
    }

    pub(super) fn string(&mut self, len: Length) -> Result<Cell> {
        match len {
            Some(len) => {
                let at = self.input.pos;
                let bytes = self.input.take(len)?;
                check_utf8(bytes, at)?;
                if T::ON {
                    self.trace_text(len);
                }
                self.arena.text(bytes)
            }
            None => self.chunks(true),
        }
    }

    pub(super) fn bytes(&mut self, len: Length) -> Result<Cell> {
        match len {
            Some(len) => {
                let bytes = self.input.take(len)?;
                if T::ON {
                    self.trace_bytes(len);
                }
                self.arena.text(bytes)
            }
            None => self.chunks(false),
        }
    }

    /// Text or bytes in pieces, up to the mark of the end. Every piece of a text is text.
    fn chunks(&mut self, utf8: bool) -> Result<Cell> {
        if T::ON {
            self.trace_chunks(utf8);
        }
        let input = &mut self.input;
        self.arena.text_with(|out| {
            loop {
                let at = input.pos;
                let len = match W::head(input)? {
                    Head::Break => return Ok(()),
                    Head::String(Some(len)) if utf8 => len,
                    Head::Bytes(Some(len)) if !utf8 => len,
                    head => {
                        let what = format!("expected a piece of a string in pieces, found {}", head.describe());
                        return Err(Error::syntax(at, what));
                    }
                };
                let at = input.pos;
                let bytes = input.take(len)?;
                if utf8 {
                    check_utf8(bytes, at)?;
                }
                out.extend_from_slice(bytes);
            }
        })
    }

    fn enumerator(&mut self, ty: TypeId, e: &Enum, head: Head) -> Result<Cell> {
        let at = self.at;
        match head {
            Head::String(len) => {
                let cell = self.inside(Within::Name, |reader| reader.string(len))?;
                let name = self.arena.bytes(self.input.bytes, cell);
                let TypePlan::Enum { positions, .. } = &self.codec.types[ty.index()] else {
                    unreachable!("planned as an enum")
                };
                positions.get(name).map(|&position| Cell::int(e.symbols[position].number)).ok_or_else(|| {
                    Error::data(at, format!("enum {} has no symbol {:?}", e.name, String::from_utf8_lossy(name)))
                })
            }
            head => {
                let number = self.integer(ty, Int::I64, head)?;
                if e.closed && e.position(number.as_i64()).is_none() {
                    return Err(Error::data(at, format!("enum {} has no number {}", e.name, number.as_i64())));
                }
                Ok(number)
            }
        }
    }

    /// Whether another element follows, after `done` of them. The mark of the end is consumed.
    #[inline]
    pub(super) fn more(&mut self, len: Length, done: usize) -> Result<bool> {
        match len {
            Some(len) => Ok(done < len),
            None => {
                let at = self.input.pos;
                let ends = W::head(&mut self.input)? == Head::Break;
                if !ends {
                    self.input.pos = at;
                } else if T::ON {
                    self.trace_head(at, Head::Break, None);
                }
                Ok(!ends)
            }
        }
    }

    fn list(&mut self, item: &Op, len: Length, depth: usize) -> Result<Cell> {
        // Each element takes a byte at least: a longer list is not there, whatever the head says.
        let known = len.filter(|&len| !T::ON && len <= self.input.bytes.len() - self.input.pos);
        if let Some(len) = known
            && depth < self.arena.limits().depth
        {
            match item.code {
                Code::Int => return self.scalars(&Op { code: Code::Int, ..*item }, len, depth),
                Code::F64 => return self.scalars(&Op { code: Code::F64, ..*item }, len, depth),
                Code::String => return self.scalars(&Op { code: Code::String, ..*item }, len, depth),
                Code::Bool | Code::F32 => return self.scalars(item, len, depth),
                Code::Record => return self.records(item.ty, len, depth),
                _ => {}
            }
        }
        let mark = self.arena.mark();
        let mut index = 0;
        while self.more(len, index)? {
            self.tracer.index(index);
            let cell = self.value(item.ty, depth + 1).map_err(|error| error.in_index(index))?;
            self.tracer.leave();
            self.arena.push(cell)?;
            index += 1;
        }
        self.arena.list(mark)
    }

    /// So many values that need no more memory than their cells.
    #[inline(always)]
    fn scalars(&mut self, item: &Op, len: usize, depth: usize) -> Result<Cell> {
        let bytes = self.input.bytes;
        let at = self.arena.alloc(len)?;
        let mut index = 0;
        loop {
            let mut pos = self.input.pos;
            for cell in &mut self.arena.run_mut(at, len)[index..] {
                let Some((value, len)) = usual::<W>(item, &bytes[pos..], pos) else { break };
                *cell = value;
                pos += len;
                index += 1;
            }
            self.input.pos = pos;
            if index == len {
                return Ok(Cell::run(at, len as u32));
            }
            let cell = self.value(item.ty, depth + 1).map_err(|error| error.in_index(index))?;
            self.arena.set(at as usize + index, cell);
            index += 1;
        }
    }

    fn records(&mut self, ty: TypeId, len: usize, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        let TypePlan::Record(plan) = &codec.types[ty.index()] else { unreachable!("planned as a record") };
        let mark = self.arena.mark();
        for index in 0..len {
            let pos = self.input.pos;
            let rest = &self.input.bytes[pos..];
            let head = if codec.positional { W::usual_list(rest) } else { W::usual_map(rest) };
            let cell = match head {
                Some((len, fields)) => {
                    self.at = pos;
                    self.input.pos = pos + len;
                    self.record(ty, plan, Some(fields), depth + 1)
                }
                None => self.value(ty, depth + 1),
            };
            self.arena.push(cell.map_err(|error| error.in_index(index))?)?;
        }
        self.arena.list(mark)
    }

    fn map(&mut self, key: TypeId, value: TypeId, len: Length, depth: usize) -> Result<Cell> {
        let start = self.at;
        let mark = self.arena.mark();
        let mut count = 0;
        while self.more(len, count)? {
            if T::ON {
                self.tracer.key(&self.peek_key().0);
            }
            let name = self.inside(Within::Name, |reader| reader.value(key, depth + 1))?;
            self.arena.push(name)?;
            let cell =
                self.value(value, depth + 1).map_err(|error| error.in_key(self.key_text(key, name).as_bytes()))?;
            self.tracer.leave();
            self.arena.push(cell)?;
            count += 1;
        }
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let twice = match self.codec.schema.kind(key) {
            Kind::String => duplicate(pairs.map(|pair| self.arena.bytes(self.input.bytes, pair[0])))
                .map(|key| String::from_utf8_lossy(key).into_owned()),
            _ => duplicate(pairs.map(|pair| pair[0].as_u64())).map(|bits| self.key_text(key, Cell::uint(bits))),
        };
        match twice {
            Some(key) => Err(Error::data(start, format!("the map has the key {key:?} twice"))),
            None => self.arena.map(mark),
        }
    }

    fn key_text(&self, key: TypeId, cell: Cell) -> String {
        match self.codec.schema.kind(key) {
            Kind::String => String::from_utf8_lossy(self.arena.bytes(self.input.bytes, cell)).into_owned(),
            Kind::Bool => cell.as_bool().to_string(),
            Kind::Int(int) if int.signed() => cell.as_i64().to_string(),
            _ => cell.as_u64().to_string(),
        }
    }
}

#[cold]
pub(super) fn stray_break(at: usize) -> Error {
    Error::syntax(at, "the mark of an end where nothing of unknown length is open")
}

/// A simple value of CBOR where it would have to be a value of ours.
#[cold]
pub(super) fn simple_value(value: u8, at: usize) -> Error {
    if value == UNDEFINED {
        return Error::new(ErrorKind::Unsupported, "undefined, which no other format has")
            .at(at)
            .hint("write null, or leave the entry out");
    }
    Error::new(ErrorKind::Unsupported, format!("the simple value {value}, which has no standard meaning")).at(at)
}

/// The value of an integer head.
pub(super) fn integer_value(head: Head) -> i128 {
    match head {
        Head::Uint(value) => i128::from(value),
        Head::Negative(n) => -1 - i128::from(n),
        _ => 0,
    }
}

#[inline]
fn check_utf8(bytes: &[u8], at: usize) -> Result<()> {
    utf8::check(bytes).map_err(|valid| {
        Error::syntax(at + valid, "the text is not valid UTF-8")
            .hint("bytes that are no text have to be written as bytes")
    })
}

/// A scalar at the start of `rest`, which lies at `pos` of the message, and how many bytes it takes: if it is written as
/// nearly all are. What is unusual, or wrong, is read again by who knows all about it.
#[inline(always)]
pub(super) fn usual<W: Wire>(op: &Op, rest: &[u8], pos: usize) -> Option<(Cell, usize)> {
    match op.code {
        Code::String => {
            let (head, len) = W::usual_string(rest)?;
            if head + len > rest.len() {
                return None;
            }
            utf8::check_part(rest, head, len).ok()?;
            Some((Cell::run((pos + head) as u32, len as u32), head + len))
        }
        Code::Int => match W::usual_int(rest)? {
            (negative, n, len) if n <= op.most() && (op.signed || !negative) => {
                Some((Cell::uint(if negative { !n } else { n }), len))
            }
            _ => None,
        },
        Code::F64 => W::usual_float(rest).map(|(value, len)| (Cell::f64(value), len)),
        Code::F32 => {
            let (value, len) = W::usual_float(rest)?;
            Some((Cell::f32(narrow(value)?), len))
        }
        Code::Bool => match rest.first()?.wrapping_sub(W::FALSE) {
            value @ 0..=1 => Some((Cell::uint(value.into()), 1)),
            _ => None,
        },
        _ => None,
    }
}
