//! Reading by schema.

use wirewise_core::{
    AnyTag, AnyValue, Arena, Cell, Document, Enum, Error, Float, Int, Kind, Logical, LossKind, LossName, Losses,
    Record, Result, State, TypeId, Union, Unit, text,
};

use super::encode::Sorter;
use super::plan::{BinaryCodec, RecordPlan, TypePlan};
use super::{Head, Input, Length, TagMeaning, Wire, any};
use crate::dynamic::{Seen, Shape, UnionPlan, duplicate, set_missing, too_deep};

pub(super) fn read<W: Wire>(
    codec: &BinaryCodec<W>,
    bytes: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
) -> Result<usize> {
    arena.begin(bytes)?;
    let mut reader = Reader { codec, input: Input { bytes, pos: 0 }, at: 0, arena, losses };
    let root = reader.value(codec.schema.root(), 0)?;
    let used = reader.input.pos;
    arena.set_root(root);
    Ok(used)
}

struct Reader<'a, W> {
    codec: &'a BinaryCodec<W>,
    input: Input<'a>,
    /// Where the head that was last read starts.
    at: usize,
    arena: &'a mut Arena,
    losses: &'a mut Losses,
}

impl<'a, W: Wire> Reader<'a, W> {
    #[inline]
    fn head(&mut self) -> Result<Head> {
        self.at = self.input.pos;
        W::head(&mut self.input)
    }

    /// The head of a value of this type, behind any tags.
    #[inline]
    fn typed_head(&mut self, ty: TypeId, depth: usize) -> Result<Head> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena));
        }
        match self.head()? {
            Head::Tag(tag) => self.untag(tag, ty, depth),
            Head::Extension(kind, len) => self.timestamp(kind, len, ty),
            head => Ok(head),
        }
    }

    fn value(&mut self, ty: TypeId, depth: usize) -> Result<Cell> {
        if let Kind::Any = self.codec.schema.kind(ty) {
            return self.any(depth);
        }
        let head = self.typed_head(ty, depth)?;
        self.value_of(ty, head, depth)
    }

    /// The rest of a value whose head was read.
    fn value_of(&mut self, ty: TypeId, head: Head, depth: usize) -> Result<Cell> {
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
            (Kind::List(item), Head::List(len)) => self.list(*item, len, depth),
            (Kind::Map(key, value), Head::Map(len)) => self.map(*key, *value, len, depth),
            (Kind::Nullable(_), Head::Null) => Ok(Cell::NULL),
            (Kind::Nullable(inner), head) => {
                let cell = self.value_of(*inner, head, depth)?;
                self.arena.boxed(cell)
            }
            (Kind::Record(record), head) => {
                let TypePlan::Record(plan) = &codec.types[ty.index()] else { unreachable!("planned as a record") };
                match head {
                    Head::List(len) if codec.positional => self.array_record(ty, record, plan, len, depth),
                    Head::Map(len) if !codec.positional => self.map_record(ty, record, plan, len, depth),
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
    fn mismatch(&self, ty: TypeId, head: Head) -> Error {
        if head == Head::Break {
            return stray_break(self.at);
        }
        let schema = &self.codec.schema;
        let error = Error::data(self.at, format!("expected {}, found {}", schema.describe(ty), head.describe()));
        match (schema.kind(ty), head) {
            (Kind::Bytes | Kind::Fixed(_), Head::String(_)) => {
                error.hint("writers of MessagePack's old specification write bytes as strings: tell yours to use bin")
            }
            (Kind::String, Head::Bytes(_)) => error.hint("a string has to be written as text, not as bytes"),
            (Kind::Record(_), Head::Map(_)) => error.hint("records as maps are the variant named"),
            (Kind::Record(_), Head::List(_)) => error.hint("records as arrays are the variant positional"),
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

    fn string(&mut self, len: Length) -> Result<Cell> {
        match len {
            Some(len) => {
                let at = self.input.pos;
                let bytes = self.input.take(len)?;
                check_utf8(bytes, at)?;
                self.arena.text(bytes)
            }
            None => self.chunks(true),
        }
    }

    fn bytes(&mut self, len: Length) -> Result<Cell> {
        match len {
            Some(len) => {
                let bytes = self.input.take(len)?;
                self.arena.text(bytes)
            }
            None => self.chunks(false),
        }
    }

    /// Text or bytes in pieces, up to the mark of the end. Every piece of a text is text.
    fn chunks(&mut self, utf8: bool) -> Result<Cell> {
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
                let cell = self.string(len)?;
                let name = self.arena.bytes(self.input.bytes, cell);
                let position = e.position_of(name);
                position.map(|position| Cell::int(e.symbols[position].number)).ok_or_else(|| {
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
    fn more(&mut self, len: Length, done: usize) -> Result<bool> {
        match len {
            Some(len) => Ok(done < len),
            None => {
                let at = self.input.pos;
                let ends = W::head(&mut self.input)? == Head::Break;
                if !ends {
                    self.input.pos = at;
                }
                Ok(!ends)
            }
        }
    }

    fn list(&mut self, item: TypeId, len: Length, depth: usize) -> Result<Cell> {
        let mark = self.arena.mark();
        let mut index = 0;
        while self.more(len, index)? {
            let cell = self.value(item, depth + 1).map_err(|error| error.in_index(index))?;
            self.arena.push(cell)?;
            index += 1;
        }
        self.arena.list(mark)
    }

    fn map(&mut self, key: TypeId, value: TypeId, len: Length, depth: usize) -> Result<Cell> {
        let start = self.at;
        let mark = self.arena.mark();
        let mut count = 0;
        while self.more(len, count)? {
            let name = self.value(key, depth + 1)?;
            self.arena.push(name)?;
            let cell =
                self.value(value, depth + 1).map_err(|error| error.in_key(self.key_text(key, name).as_bytes()))?;
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

    fn map_record(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        len: Length,
        depth: usize,
    ) -> Result<Cell> {
        let start = self.at;
        let at = self.arena.record(record)?;
        let mut seen = Seen::default();
        let mut place = 0;
        let mut count = 0;
        while self.more(len, count)? {
            count += 1;
            let key_at = self.input.pos;
            let Some(position) = self.field_key(ty, plan, place, depth)? else { continue };
            place = plan.next[position];
            let field = &record.fields[position];
            if !seen.mark(position) {
                return Err(Error::data(key_at, format!("the map has the key {:?} twice", field.name)));
            }
            self.field(record, at, position, depth)?;
        }
        for position in 0..record.fields.len() {
            if !seen.has(position) {
                set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
            }
        }
        Ok(Cell::index(at))
    }

    /// The position of the field whose key comes next; `None` when there is none and key and value were skipped.
    #[inline]
    fn field_key(&mut self, ty: TypeId, plan: &RecordPlan, place: usize, depth: usize) -> Result<Option<usize>> {
        // Fields usually come in the order in which we write them, with keys in the usual encoding.
        if let Some(&expected) = plan.order.get(place) {
            let key = &plan.keys[expected];
            if self.input.bytes[self.input.pos..].starts_with(key) {
                self.input.pos += key.len();
                return Ok(Some(expected));
            }
        }
        let at = self.input.pos;
        let key = self.any(depth + 1)?;
        let document = Document::new(&self.codec.schema, self.input.bytes, self.arena);
        let name = any::key_text(&document, key);
        if let AnyValue::String(name) = document.any(key)
            && let Some(&position) = plan.names.get(name)
        {
            return Ok(Some(position));
        }
        let name = String::from_utf8_lossy(&name);
        self.losses.note(LossKind::UnknownField, ty, LossName::Name(&name)).map_err(|error| error.at(at))?;
        // What is skipped must be valid too; that it is built first only costs memory of this message.
        self.any(depth + 1)?;
        Ok(None)
    }

    fn array_record(
        &mut self,
        ty: TypeId,
        record: &Record,
        plan: &RecordPlan,
        len: Length,
        depth: usize,
    ) -> Result<Cell> {
        let start = self.at;
        let at = self.arena.record(record)?;
        let mut count = 0;
        while self.more(len, count)? {
            match plan.order.get(count) {
                Some(&position) => self.field(record, at, position, depth)?,
                None => {
                    self.losses
                        .note(LossKind::UnknownField, ty, LossName::Number(count as u64))
                        .map_err(|error| error.at(self.input.pos))?;
                    self.any(depth + 1)?;
                }
            }
            count += 1;
        }
        for &position in plan.order.iter().skip(count) {
            set_missing(self.arena, &self.codec.schema, record, at, position, start)?;
        }
        Ok(Cell::index(at))
    }

    fn field(&mut self, record: &Record, at: u32, position: usize, depth: usize) -> Result<()> {
        let field = &record.fields[position];
        let ty = field.value_type();
        // Null is how an array says that an optional field is absent.
        let absent = self.codec.positional && field.is_optional();
        let cell = if absent || field.is_nullable() {
            self.nullable_field(ty, absent, depth)
        } else {
            self.value(ty, depth + 1).map(Ok)
        };
        match cell.map_err(|error| error.in_field(&field.name))? {
            Ok(cell) => self.arena.set_field(record, at, position, cell),
            Err(State::Null) => self.arena.set_state(record, at, position, State::Null),
            Err(_) => {}
        }
        Ok(())
    }

    /// The value of a field that may be null, or what its null says.
    fn nullable_field(&mut self, ty: TypeId, absent: bool, depth: usize) -> Result<Result<Cell, State>> {
        let any = *self.codec.schema.kind(ty) == Kind::Any;
        let head = if any { self.any_head(depth + 1)? } else { self.typed_head(ty, depth + 1)? };
        match head {
            Head::Null => Ok(Err(if absent { State::Absent } else { State::Null })),
            head => self.value_of(ty, head, depth + 1).map(Ok),
        }
    }

    fn union(&mut self, ty: TypeId, union: &Union, head: Head, depth: usize) -> Result<Cell> {
        let TypePlan::Union { plan, .. } = &self.codec.types[ty.index()] else { unreachable!("planned as a union") };
        if let UnionPlan::Tagged = plan {
            return self.tagged_union(ty, union, head, depth);
        }
        let shape = match head {
            Head::Bool(_) => Some(Shape::Bool),
            Head::Uint(_) | Head::Negative(_) => Some(Shape::Int),
            Head::Float(_) => Some(Shape::Float),
            Head::String(_) => Some(Shape::String),
            Head::Bytes(_) => Some(Shape::Bytes),
            Head::List(_) => Some(Shape::Array),
            Head::Map(_) => Some(Shape::Map),
            _ => None,
        };
        let Some(position) = shape.and_then(|shape| plan.branch(shape)) else { return Err(self.mismatch(ty, head)) };
        let value = self.value_of(union.branches[position].ty, head, depth)?;
        self.arena.union(position, value)
    }

    /// `{"branch": value}`, or `[number, value]` when positional.
    fn tagged_union(&mut self, ty: TypeId, union: &Union, head: Head, depth: usize) -> Result<Cell> {
        let start = self.at;
        let (len, expected) = match head {
            Head::List(len) if self.codec.positional => (len, 2),
            Head::Map(len) if !self.codec.positional => (len, 1),
            _ => return Err(self.mismatch(ty, head)),
        };
        let wrong = || {
            let what =
                if expected == 2 { "a branch's number and its value" } else { "one entry: a branch and its value" };
            Error::data(start, format!("a value of union {} is {what}", union.name))
        };
        if len.is_some_and(|len| len != expected) || !self.more(len, 0)? {
            return Err(wrong());
        }
        let position = match self.head()? {
            Head::Uint(number) if self.codec.positional => {
                union.branches.iter().position(|branch| u64::from(branch.number) == number)
            }
            Head::String(len) if !self.codec.positional => {
                let name = self.string(len)?;
                let name = self.arena.bytes(self.input.bytes, name);
                union.branches.iter().position(|branch| branch.name.as_bytes() == name)
            }
            _ => return Err(wrong()),
        };
        let Some(position) = position else {
            return Err(Error::data(start, format!("union {} has no such branch", union.name)));
        };
        let branch = &union.branches[position];
        let value = self.value(branch.ty, depth + 1).map_err(|error| error.in_field(&branch.name))?;
        if self.more(len, expected)? {
            return Err(wrong());
        }
        self.arena.union(position, value)
    }

    fn any_head(&mut self, depth: usize) -> Result<Head> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena));
        }
        self.head()
    }

    fn any(&mut self, depth: usize) -> Result<Cell> {
        let head = self.any_head(depth)?;
        self.any_of(head, depth)
    }

    fn any_of(&mut self, head: Head, depth: usize) -> Result<Cell> {
        let (tag, cell) = match head {
            Head::Null => (AnyTag::Null, Cell::EMPTY),
            Head::Bool(value) => (AnyTag::Bool, Cell::bool(value)),
            Head::Uint(value) => match i64::try_from(value) {
                Ok(value) => (AnyTag::Int, Cell::int(value)),
                Err(_) => (AnyTag::Uint, Cell::uint(value)),
            },
            Head::Negative(n) => match i64::try_from(n) {
                Ok(n) => (AnyTag::Int, Cell::int(!n)),
                // Only CBOR has integers below those of 64 bits.
                Err(_) => (AnyTag::Number, self.arena.text(integer_value(head).to_string().as_bytes())?),
            },
            Head::Float(value) => (AnyTag::Float, Cell::f64(value)),
            Head::String(len) => (AnyTag::String, self.string(len)?),
            Head::Bytes(len) => (AnyTag::Bytes, self.bytes(len)?),
            Head::List(len) => {
                let mark = self.arena.mark();
                let mut index = 0;
                while self.more(len, index)? {
                    let cell = self.any(depth + 1).map_err(|error| error.in_index(index))?;
                    self.arena.push(cell)?;
                    index += 1;
                }
                (AnyTag::List, self.arena.list(mark)?)
            }
            Head::Map(len) => (AnyTag::Map, self.any_map(len, depth)?),
            Head::Extension(kind, len) => {
                let bytes = self.bytes(Some(len))?;
                let value = self.arena.any(AnyTag::Bytes, bytes)?;
                return self.arena.tagged(kind as u64, value);
            }
            Head::Tag(tag) => {
                let value = self.any(depth + 1)?;
                return self.arena.tagged(tag, value);
            }
            Head::Break => return Err(stray_break(self.at)),
        };
        self.arena.any(tag, cell)
    }

    fn any_map(&mut self, len: Length, depth: usize) -> Result<Cell> {
        let start = self.at;
        let mark = self.arena.mark();
        let mut count = 0;
        let mut strings = true;
        while self.more(len, count)? {
            let key = self.any(depth + 1)?;
            strings &= self.arena.get(key.as_index()).as_u64() == AnyTag::String as u64;
            self.arena.push(key)?;
            let value = self.any(depth + 1);
            let value = value.map_err(|error| {
                let document = Document::new(&self.codec.schema, self.input.bytes, self.arena);
                error.in_key(&any::key_text(&document, key))
            })?;
            self.arena.push(value)?;
            count += 1;
        }
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let document = Document::new(&self.codec.schema, self.input.bytes, self.arena);
        let twice = if strings {
            let text = |pair: &[Cell]| self.arena.bytes(self.input.bytes, self.arena.get(pair[0].as_index() + 1));
            duplicate(pairs.map(text)).map(|key| String::from_utf8_lossy(key).into_owned())
        } else {
            // Keys are equal when they are written alike.
            let mut written = Vec::new();
            let mut ends = Vec::new();
            for pair in pairs.clone() {
                any::write::<W>(&document, pair[0], true, &mut Sorter::default(), &mut written)?;
                ends.push(written.len());
            }
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let keys: Vec<&[u8]> = starts.zip(&ends).map(|(start, &end)| &written[start..end]).collect();
            let twice = duplicate(keys.iter().copied());
            let place = twice.and_then(|twice| keys.iter().position(|key| *key == twice));
            place
                .and_then(|place| pairs.clone().nth(place))
                .map(|pair| String::from_utf8_lossy(&any::key_text(&document, pair[0])).into_owned())
        };
        match twice {
            Some(key) => Err(Error::data(start, format!("the map has the key {key:?} twice"))),
            None => self.arena.map(mark),
        }
    }
}

impl<W: Wire> Reader<'_, W> {
    /// The head behind a tag, where the tag says nothing that the schema does not say too.
    #[cold]
    fn untag(&mut self, tag: u64, ty: TypeId, depth: usize) -> Result<Head> {
        let at = self.at;
        let schema = &self.codec.schema;
        let (mut inner, mut logical) = (ty, schema.logical(ty));
        if let Kind::Nullable(value) = schema.kind(ty) {
            (inner, logical) = (*value, schema.logical(*value));
        }
        let meaning = W::tag_meaning(tag, schema.kind(inner), logical);
        if meaning == TagMeaning::Other {
            let name = format!("tag {tag}");
            self.losses
                .note(LossKind::UnknownField, ty, LossName::Name(&name))
                .map_err(|error| error.at(at).hint("the type any keeps tags"))?;
        }
        let head = self.typed_head(ty, depth + 1)?;
        self.at = at;
        match (meaning, head) {
            (TagMeaning::BigInteger { negative }, Head::Bytes(len)) => {
                let cell = self.bytes(len)?;
                let bytes = self.arena.bytes(self.input.bytes, cell);
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                if bytes.len() - zeros > 8 {
                    return Err(Error::data(at, format!("a large integer does not fit {}", schema.describe(ty)))
                        .hint("the type any keeps it"));
                }
                let value = bytes[zeros..].iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
                Ok(if negative { Head::Negative(value) } else { Head::Uint(value) })
            }
            (TagMeaning::Seconds, Head::Uint(_) | Head::Negative(_)) => match logical {
                Some(Logical::Timestamp(unit)) => {
                    let ticks = integer_value(head) * i128::from(ticks_per_second(unit));
                    integer_head(ticks).ok_or_else(|| beyond(at, unit))
                }
                _ => Ok(head),
            },
            _ => Ok(head),
        }
    }

    /// An extension where the schema wants a timestamp, as the integer that the schema keeps.
    #[cold]
    fn timestamp(&mut self, kind: i8, len: usize, ty: TypeId) -> Result<Head> {
        let schema = &self.codec.schema;
        let inner = if let Kind::Nullable(value) = schema.kind(ty) { *value } else { ty };
        let head = Head::Extension(kind, len);
        let (Kind::Int(_), Some(Logical::Timestamp(unit))) = (schema.kind(inner), schema.logical(inner)) else {
            return Ok(head);
        };
        let data = self.input.take(len)?;
        let Some((seconds, nanos)) = W::timestamp(kind, data) else { return Err(self.mismatch(ty, head)) };
        let per_second = ticks_per_second(unit);
        let per_tick = 1_000_000_000 / per_second;
        if i64::from(nanos) % per_tick != 0 {
            self.losses.note(LossKind::Precision, ty, LossName::Name("")).map_err(|error| error.at(self.at))?;
        }
        let ticks = i128::from(seconds) * i128::from(per_second) + i128::from(i64::from(nanos) / per_tick);
        integer_head(ticks).ok_or_else(|| beyond(self.at, unit))
    }
}

fn ticks_per_second(unit: Unit) -> i64 {
    10i64.pow(text::time::fraction_digits(unit) as u32)
}

#[cold]
fn beyond(at: usize, unit: Unit) -> Error {
    Error::data(at, format!("the timestamp is beyond those that 64 bits of {unit:?} can hold").to_lowercase())
}

#[cold]
fn stray_break(at: usize) -> Error {
    Error::syntax(at, "the mark of an end where nothing of unknown length is open")
}

/// The value of an integer head.
fn integer_value(head: Head) -> i128 {
    match head {
        Head::Uint(value) => i128::from(value),
        Head::Negative(n) => -1 - i128::from(n),
        _ => 0,
    }
}

/// The head of an integer of 64 bits.
fn integer_head(value: i128) -> Option<Head> {
    let value = i64::try_from(value).ok()?;
    Some(if value < 0 { Head::Negative(!value as u64) } else { Head::Uint(value as u64) })
}

/// The double with exactly this value, the payload of a NaN included.
#[inline]
pub(crate) fn widen(value: f32) -> f64 {
    if value.is_nan() {
        // Conversions may set bits of a NaN.
        let bits = u64::from(value.to_bits());
        return f64::from_bits(bits >> 31 << 63 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29);
    }
    f64::from(value)
}

/// The float with exactly this value, the payload of a NaN included.
fn narrow(value: f64) -> Option<f32> {
    if value.is_nan() {
        // Conversions may set bits of a NaN.
        let bits = value.to_bits();
        let narrow = (bits >> 32 & 1 << 31) as u32 | 0xff << 23 | (bits >> 29) as u32 & 0x7f_ffff;
        let exact = bits & 0x1fff_ffff == 0 && narrow & 0x7f_ffff != 0;
        return exact.then(|| f32::from_bits(narrow));
    }
    let narrow = value as f32;
    (f64::from(narrow) == value).then_some(narrow)
}

#[inline]
fn check_utf8(bytes: &[u8], at: usize) -> Result<()> {
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::syntax(at + error.valid_up_to(), "the text is not valid UTF-8")
            .hint("bytes that are no text have to be written as bytes")),
    }
}
