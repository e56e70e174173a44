//! Reading one value.

use std::fmt::{self, Display};
use std::ops::Range;

use wirewise_core::{Arena, Cell, Float, Kind, Record, Result, Role, Schema, State, Tracer, TypeId, text};

use super::plan::{Chosen, EnumPlan, Nothing, Op, OpId, Plan, key_text};
use super::skip::{Skip, SkipId};
use super::usual::FieldPlan;
use super::wire::Reader;
use crate::dynamic::{duplicate, too_deep};
use crate::json;

/// Reads values as a plan says.
pub(super) struct Decoder<'a, T> {
    pub(super) plan: &'a Plan,
    pub(super) schema: &'a Schema,
    pub(super) wire: Reader<'a>,
    /// The message that the arena was begun with; the reader's input may be a block of it.
    pub(super) whole: &'a [u8],
    /// Where the reader's input begins in it, unless it was compressed.
    pub(super) base: Option<usize>,
    pub(super) arena: &'a mut Arena,
    pub(super) tracer: &'a mut T,
}

impl<'a, T: Tracer> Decoder<'a, T> {
    /// A value of the type that the plan is for.
    pub(super) fn root(&mut self, depth: usize) -> Result<Cell> {
        // The arena does not know where the message is too large.
        self.value(self.plan.root, depth).map_err(|error| error.at(self.wire.offset(self.wire.pos)))
    }

    pub(super) fn value(&mut self, op: OpId, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.wire.offset(self.wire.pos), self.arena));
        }
        let plan = self.plan;
        let at = self.wire.pos;
        match plan.op(op) {
            Op::Null => Ok(Cell::EMPTY),
            Op::OnlyNull => match self.wire.long()? {
                0 => {
                    self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("null"));
                    Ok(Cell::EMPTY)
                }
                index => Err(self.wire.syntax(at, format!("a union of 1 branches has no branch {index}"))),
            },
            Op::Bool => match self.wire.take(1, "a boolean")?[0] {
                byte @ 0..=1 => {
                    self.span(at, Role::Payload, format_args!("boolean"), format_args!("{}", byte == 1));
                    Ok(Cell::bool(byte == 1))
                }
                byte => Err(self.wire.syntax(at, format!("a boolean is 0 or 1, not {byte}"))),
            },
            Op::Int(int) => {
                let value = self.wire.long()?;
                if int.holds(value.into()) {
                    self.span(at, Role::Payload, format_args!("zigzag varint"), format_args!("{value}"));
                    return Ok(Cell::int(value));
                }
                let (min, max) = int.range();
                Err(self.wire.data(at, format!("{value} is not in the range of the type, {min} to {max}")))
            }
            Op::Float(Float::F64) => self.double().map(Cell::f64),
            Op::Float(Float::F32) => self.float().map(Cell::f32),
            Op::FloatToDouble => Ok(Cell::f64(self.float()?.into())),
            Op::IntToFloat(float) => {
                let value = self.wire.long()?;
                self.span(at, Role::Payload, format_args!("zigzag varint"), format_args!("{value}"));
                Ok(if *float == Float::F32 { Cell::f32(value as f32) } else { Cell::f64(value as f64) })
            }
            Op::String => self.string(Role::Payload),
            Op::Bytes => {
                let bytes = self.bytes("bytes")?;
                self.arena.text(bytes)
            }
            Op::Fixed(size) => {
                let bytes = self.wire.take(*size as usize, "the rest of a fixed value")?;
                self.span(at, Role::Payload, format_args!("fixed"), format_args!("{}", Base64(bytes)));
                self.arena.text(bytes)
            }
            Op::Any => {
                let text = self.bytes("JSON text")?;
                let at = self.wire.pos - text.len();
                json::any_from_text(text, self.whole, self.wire.offset(at), self.arena, depth)
                    .map_err(|error| self.wire.inside(error))
            }
            Op::Enum(plan) => self.enumeration(plan),
            Op::Symbols(numbers) => self.symbol(numbers),
            Op::List(item) => self.list(*item, depth),
            Op::Map { key_type, value } => {
                let (mark, start) = (self.arena.mark(), self.wire.pos);
                self.blocks("entries of a map", 0, |decoder, _, _| {
                    let key = decoder.string(Role::Name)?;
                    decoder.map_entry(*key_type, key, *value, depth)
                })?;
                self.map(*key_type, mark, start)
            }
            Op::Pairs { key_type, key, value } => {
                let (mark, start) = (self.arena.mark(), self.wire.pos);
                self.blocks("entries of a map", 0, |decoder, index, _| {
                    let key = decoder.value(*key, depth + 1).map_err(|error| error.in_index(index))?;
                    decoder.map_entry(*key_type, key, *value, depth)
                })?;
                self.map(*key_type, mark, start)
            }
            Op::Union(union) if !union.nullable => match self.nullable(op, depth)? {
                Some(cell) => Ok(cell),
                None => unreachable!("a union without null gives a value"),
            },
            Op::Nullable { .. } | Op::Union(_) => match self.nullable(op, depth)? {
                Some(cell) => self.arena.boxed(cell),
                None => Ok(Cell::NULL),
            },
            Op::Choice { boxed, .. } | Op::Chosen { boxed, .. } => match self.nullable(op, depth)? {
                Some(cell) if *boxed => self.arena.boxed(cell),
                Some(cell) => Ok(cell),
                None if *boxed => Ok(Cell::NULL),
                None => Ok(Cell::EMPTY),
            },
            Op::Never(why) => Err(self.wire.data(at, why.as_str())),
            Op::Record(record) => self.record(record, depth),
        }
    }

    /// Says what was read since `start`.
    #[inline(always)]
    pub(super) fn span(&mut self, start: usize, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>) {
        if T::ON {
            self.span_of(start..self.wire.pos, role, what, value);
        }
    }

    #[inline(always)]
    fn span_of(&mut self, bytes: Range<usize>, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>) {
        if T::ON {
            self.tracer.span(self.wire.offset(bytes.start)..self.wire.offset(bytes.end), role, what, value);
        }
    }

    fn double(&mut self) -> Result<f64> {
        let at = self.wire.pos;
        let bytes = self.wire.take(8, "the rest of a double")?.try_into().expect("asked for 8 bytes");
        let value = f64::from_le_bytes(bytes);
        self.span(at, Role::Payload, format_args!("double"), format_args!("{value:?}"));
        Ok(value)
    }

    fn float(&mut self) -> Result<f32> {
        let at = self.wire.pos;
        let bytes = self.wire.take(4, "the rest of a float")?.try_into().expect("asked for 4 bytes");
        let value = f32::from_le_bytes(bytes);
        self.span(at, Role::Payload, format_args!("float"), format_args!("{value:?}"));
        Ok(value)
    }

    /// The value of an operation that can be null: `None` when it is.
    fn nullable(&mut self, op: OpId, depth: usize) -> Result<Option<Cell>> {
        let plan = self.plan;
        if let Op::Chosen { chosen, .. } = plan.op(op) {
            return self.chosen(chosen, self.wire.pos, depth);
        }
        let at = self.wire.pos;
        let index = self.wire.long()?;
        let place = usize::try_from(index).ok();
        let count = match plan.op(op) {
            Op::Nullable { null, .. } if index == *null => {
                self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("null"));
                return Ok(None);
            }
            Op::Nullable { some, value, .. } if index == *some => {
                self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("{index}"));
                return self.value(*value, depth).map(Some);
            }
            Op::Union(union) => match place.and_then(|place| union.wire.get(place)) {
                Some(None) => {
                    self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("null"));
                    return Ok(None);
                }
                Some(Some(branch)) => {
                    if T::ON {
                        let Kind::Union(ours) = self.schema.kind(union.ty) else { unreachable!("planned as a union") };
                        let name = &ours.branches[*branch].name;
                        self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("{name}"));
                        self.tracer.field(name);
                    }
                    let cell = self.value(union.branches[*branch].1, depth)?;
                    self.tracer.leave();
                    return self.arena.union(*branch, cell).map(Some);
                }
                None => union.wire.len(),
            },
            Op::Choice { branches, .. } => match place.and_then(|place| branches.get(place)) {
                Some(chosen) => {
                    self.span(at, Role::Tag, format_args!("branch of a union"), format_args!("{index}"));
                    return self.chosen(chosen, at, depth);
                }
                None => branches.len(),
            },
            Op::Never(why) => return Err(self.wire.data(at, why.as_str())),
            _ => 2,
        };
        Err(self.wire.syntax(at, format!("a union of {count} branches has no branch {index}")))
    }

    fn chosen(&mut self, chosen: &Chosen, at: usize, depth: usize) -> Result<Option<Cell>> {
        match chosen {
            Chosen::Null => Ok(None),
            Chosen::Value(op) => self.value(*op, depth).map(Some),
            Chosen::Branch(branch, op) => {
                let cell = self.value(*op, depth)?;
                self.arena.union(*branch, cell).map(Some)
            }
            Chosen::Never(why) => Err(self.wire.data(at, why.as_str())),
        }
    }

    /// The field at `position` of a record, whatever it is.
    pub(super) fn field(
        &mut self,
        record: &Record,
        at: u32,
        position: usize,
        plan: &FieldPlan,
        depth: usize,
    ) -> Result<()> {
        if T::ON {
            self.tracer.field(&record.fields[position].name);
        }
        match plan.nothing {
            Nothing::Never => {
                let cell = self.value(plan.op, depth + 1)?;
                self.arena.set_field(record, at, position, cell);
            }
            Nothing::Always => {
                self.value(plan.op, depth + 1)?;
            }
            Nothing::Absent | Nothing::Null => match self.nullable(plan.op, depth + 1)? {
                Some(cell) => self.arena.set_field(record, at, position, cell),
                None if plan.nothing == Nothing::Null => self.arena.set_state(record, at, position, State::Null),
                None if record.fields[position].default.is_some() => {
                    self.arena.set_default(self.schema, record, at, position)?;
                }
                None => {}
            },
        }
        self.tracer.leave();
        Ok(())
    }

    /// Gets past a value.
    pub(super) fn skip(&mut self, skip: SkipId, depth: usize) -> Result<()> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.wire.offset(self.wire.pos), self.arena));
        }
        let plan = self.plan;
        let most = self.arena.limits().message_bytes;
        match plan.skips.get(skip) {
            Skip::Bytes(count) => drop(self.wire.take(*count, "the rest of a value")?),
            Skip::Long => drop(self.wire.long()?),
            Skip::Text => {
                let len = self.wire.len(most)?;
                self.wire.take(len, "the rest of a string or bytes")?;
            }
            Skip::Array(item) | Skip::Map(item) => loop {
                let count = self.wire.long()?;
                if count == 0 {
                    break;
                }
                if count < 0 {
                    let size = self.wire.len(most)?;
                    self.wire.take(size, "the rest of a block")?;
                    continue;
                }
                let keys = matches!(plan.skips.get(skip), Skip::Map(_));
                if !keys && plan.skips.is_empty(*item) {
                    continue;
                }
                for _ in 0..count {
                    if keys {
                        let len = self.wire.len(most)?;
                        self.wire.take(len, "the rest of a string")?;
                    }
                    self.skip(*item, depth + 1)?;
                }
            },
            Skip::Union(branches) => {
                let at = self.wire.pos;
                let index = self.wire.long()?;
                match usize::try_from(index).ok().and_then(|index| branches.get(index)) {
                    Some(&branch) => self.skip(branch, depth)?,
                    None => {
                        let what = format!("a union of {} branches has no branch {index}", branches.len());
                        return Err(self.wire.syntax(at, what));
                    }
                }
            }
            Skip::Record(fields) => {
                for &field in fields {
                    self.skip(field, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    fn bytes(&mut self, what: &str) -> Result<&'a [u8]> {
        let at = self.wire.pos;
        let len = self.wire.len(self.arena.limits().message_bytes)?;
        self.span(at, Role::Length, format_args!("length of {what}"), format_args!("{len}"));
        let at = self.wire.pos;
        let bytes = self.wire.take(len, "the rest of a string or bytes")?;
        match what {
            "bytes" => self.span(at, Role::Payload, format_args!("{what}"), format_args!("{}", Base64(bytes))),
            _ => self.span(at, Role::Payload, format_args!("{what}"), format_args!("{}", Quoted(bytes))),
        }
        Ok(bytes)
    }

    fn string(&mut self, role: Role) -> Result<Cell> {
        let at = self.wire.pos;
        let len = self.wire.len(self.arena.limits().message_bytes)?;
        let what = if role == Role::Name { "key" } else { "string" };
        self.span(at, Role::Length, format_args!("length of a {what}"), format_args!("{len}"));
        let start = self.wire.pos;
        let bytes = self.wire.take(len, "the rest of a string")?;
        match std::str::from_utf8(bytes) {
            Ok(_) => {
                self.span(start, role, format_args!("{what}"), format_args!("{}", Quoted(bytes)));
                self.arena.text(bytes)
            }
            Err(error) => Err(self.wire.syntax(start + error.valid_up_to(), "the text is not valid UTF-8")),
        }
    }

    fn enumeration(&mut self, plan: &EnumPlan) -> Result<Cell> {
        let at = self.wire.pos;
        let index = self.wire.long()?;
        match usize::try_from(index).ok().and_then(|index| plan.numbers.get(index)) {
            Some(&number) => {
                self.trace_symbol(at, plan.ty, number);
                Ok(Cell::int(number))
            }
            None => {
                let name = self.schema.describe(plan.ty);
                Err(self.wire.syntax(at, format!("enum {name} has {} symbols, none {index}", plan.numbers.len())))
            }
        }
    }

    fn trace_symbol(&mut self, at: usize, ty: TypeId, number: i64) {
        if T::ON
            && let Kind::Enum(e) = self.schema.kind(ty)
            && let Some(position) = e.position(number)
        {
            let name = Quoted(e.symbols[position].name.as_bytes());
            self.span(at, Role::Payload, format_args!("position of a symbol"), format_args!("{name}"));
        }
    }

    fn symbol(&mut self, numbers: &[std::result::Result<i64, String>]) -> Result<Cell> {
        let at = self.wire.pos;
        let index = self.wire.long()?;
        match usize::try_from(index).ok().and_then(|index| numbers.get(index)) {
            Some(Ok(number)) => {
                self.span(
                    at,
                    Role::Payload,
                    format_args!("position of a symbol of the writer's"),
                    format_args!("{index}"),
                );
                Ok(Cell::int(*number))
            }
            Some(Err(why)) => Err(self.wire.data(at, why.as_str())),
            None => {
                let what = format!("the writer's enum has {} symbols, none {index}", numbers.len());
                Err(self.wire.syntax(at, what))
            }
        }
    }

    /// The blocks of an array or map, up to the empty one. Elements may take no bytes at all, so what bounds a count
    /// is that `item` keeps something in the arena for each. `index` elements were read before. `item` gets the index of
    /// an element, and how many its block has from there on.
    pub(super) fn blocks(
        &mut self,
        what: &str,
        mut index: usize,
        mut item: impl FnMut(&mut Self, usize, usize) -> Result<()>,
    ) -> Result<()> {
        loop {
            let at = self.wire.pos;
            let count = self.wire.long()?;
            if count == 0 {
                self.span(at, Role::Syntax, format_args!("no more {what}"), format_args!(""));
                return Ok(());
            }
            self.span(at, Role::Length, format_args!("number of {what}"), format_args!("{count}"));
            let size_at = self.wire.pos;
            // A negative count comes with the size of the block, so that readers can skip it.
            let size = if count < 0 { Some(self.wire.len(self.arena.limits().message_bytes)?) } else { None };
            if let Some(size) = size {
                self.span(size_at, Role::Length, format_args!("size of {what}"), format_args!("{size}"));
            }
            let start = self.wire.pos;
            for read in 0..count.unsigned_abs() {
                item(self, index, (count.unsigned_abs() - read) as usize)?;
                index += 1;
            }
            if size.is_some_and(|size| size != self.wire.pos - start) {
                return Err(self.wire.syntax(at, "the block has another size than it says"));
            }
        }
    }

    fn map_entry(&mut self, key_type: TypeId, key: Cell, value: OpId, depth: usize) -> Result<()> {
        self.arena.push(key)?;
        if T::ON {
            let key = key_text(self.schema, key_type, key, |cell| self.arena.bytes(self.whole, cell));
            self.tracer.key(key.as_bytes());
        }
        let cell = self.value(value, depth + 1).map_err(|error| {
            let key = key_text(self.schema, key_type, key, |cell| self.arena.bytes(self.whole, cell));
            error.in_key(key.as_bytes())
        })?;
        self.tracer.leave();
        self.arena.push(cell)
    }

    /// Ends a map whose keys must be distinct. Avro does not say what a key that comes twice means.
    fn map(&mut self, key_type: TypeId, mark: usize, start: usize) -> Result<Cell> {
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let bytes = |cell| self.arena.bytes(self.whole, cell);
        let text = *self.schema.kind(key_type) == Kind::String;
        let (mut strings, mut numbers) = (None, None);
        if text {
            strings = duplicate(pairs.map(|pair| bytes(pair[0])));
        } else {
            numbers = duplicate(pairs.map(|pair| pair[0].as_u64()));
        }
        let twice = match (strings, numbers) {
            (Some(key), _) => String::from_utf8_lossy(key).into_owned(),
            (_, Some(key)) => key_text(self.schema, key_type, Cell::uint(key), bytes),
            (None, None) => return self.arena.map(mark),
        };
        Err(self.wire.data(start, format!("the map has the key {twice:?} twice")))
    }
}

/// Text as JSON has it.
struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // More is not shown.
        let shown = &self.0[..self.0.len().min(1000)];
        write!(f, "{}", serde_json::Value::from(String::from_utf8_lossy(shown).into_owned()))
    }
}

/// Bytes as JSON has them.
struct Base64<'a>(&'a [u8]);

impl Display for Base64<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Vec::new();
        text::base64::encode(&self.0[..self.0.len().min(1000)], &mut out);
        write!(f, "\"{}\"", String::from_utf8_lossy(&out))
    }
}
