//! Reading one value.

use wirewise_core::{Arena, Cell, Float, Kind, Record, Result, Schema, State, TypeId};

use super::plan::{EnumPlan, FieldPlan, Nothing, Op, OpId, Plan, key_text};
use super::wire::Reader;
use crate::dynamic::{duplicate, too_deep};
use crate::json;

/// Reads values as a plan says.
pub(super) struct Decoder<'a> {
    pub(super) plan: &'a Plan,
    pub(super) schema: &'a Schema,
    pub(super) wire: Reader<'a>,
    /// The message that the arena was begun with; the reader's input may be a block of it.
    pub(super) whole: &'a [u8],
    pub(super) arena: &'a mut Arena,
}

impl<'a> Decoder<'a> {
    pub(super) fn value(&mut self, op: OpId, depth: usize) -> Result<Cell> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.wire.offset(self.wire.pos), self.arena));
        }
        let plan = self.plan;
        match &plan.ops[op] {
            Op::Null => Ok(Cell::EMPTY),
            Op::OnlyNull => {
                let at = self.wire.pos;
                match self.wire.long()? {
                    0 => Ok(Cell::EMPTY),
                    index => Err(self.wire.syntax(at, format!("a union of 1 branches has no branch {index}"))),
                }
            }
            Op::Bool => {
                let at = self.wire.pos;
                match self.wire.take(1, "a boolean")?[0] {
                    byte @ 0..=1 => Ok(Cell::bool(byte == 1)),
                    byte => Err(self.wire.syntax(at, format!("a boolean is 0 or 1, not {byte}"))),
                }
            }
            Op::Int(int) => {
                let at = self.wire.pos;
                let value = self.wire.long()?;
                if int.holds(value.into()) {
                    return Ok(Cell::int(value));
                }
                let (min, max) = int.range();
                Err(self.wire.data(at, format!("{value} is not in the range of the type, {min} to {max}")))
            }
            Op::Float(Float::F64) => {
                let bytes = self.wire.take(8, "the rest of a double")?.try_into().expect("asked for 8 bytes");
                Ok(Cell::f64(f64::from_le_bytes(bytes)))
            }
            Op::Float(Float::F32) => {
                let bytes = self.wire.take(4, "the rest of a float")?.try_into().expect("asked for 4 bytes");
                Ok(Cell::f32(f32::from_le_bytes(bytes)))
            }
            Op::String => self.string(),
            Op::Bytes => {
                let bytes = self.bytes()?;
                self.arena.text(bytes)
            }
            Op::Fixed(size) => {
                let bytes = self.wire.take(*size as usize, "the rest of a fixed value")?;
                self.arena.text(bytes)
            }
            Op::Any => {
                let text = self.bytes()?;
                let at = self.wire.pos - text.len();
                json::any_from_text(text, self.whole, self.wire.offset(at), self.arena, depth)
                    .map_err(|error| self.wire.inside(error))
            }
            Op::Enum(plan) => self.enumeration(plan),
            Op::List(item) => {
                let mark = self.arena.mark();
                self.blocks(|decoder, index| {
                    let cell = decoder.value(*item, depth + 1).map_err(|error| error.in_index(index))?;
                    decoder.arena.push(cell)
                })?;
                self.arena.list(mark)
            }
            Op::Map { key_type, value } => {
                let (mark, start) = (self.arena.mark(), self.wire.pos);
                self.blocks(|decoder, _| {
                    let key = decoder.string()?;
                    decoder.map_entry(*key_type, key, *value, depth)
                })?;
                self.map(*key_type, mark, start)
            }
            Op::Pairs { key_type, key, value } => {
                let (mark, start) = (self.arena.mark(), self.wire.pos);
                self.blocks(|decoder, index| {
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
            Op::Record { ty, fields } => {
                let Kind::Record(record) = self.schema.kind(*ty) else { unreachable!("planned as a record") };
                let at = self.arena.record(record)?;
                for field in fields {
                    self.field(record, at, field, depth)
                        .map_err(|error| error.in_field(&record.fields[field.position].name))?;
                }
                if !record.oneofs.is_empty() {
                    self.arena.check_oneofs(record, at, self.wire.offset(self.wire.pos))?;
                }
                Ok(Cell::index(at))
            }
        }
    }

    /// The value of an operation that can be null: `None` when it is.
    fn nullable(&mut self, op: OpId, depth: usize) -> Result<Option<Cell>> {
        let at = self.wire.pos;
        let plan = self.plan;
        let index = self.wire.long()?;
        let count = match &plan.ops[op] {
            Op::Nullable { null, .. } if index == *null => return Ok(None),
            Op::Nullable { some, value, .. } if index == *some => return self.value(*value, depth).map(Some),
            Op::Union(union) => match usize::try_from(index).ok().and_then(|index| union.wire.get(index)) {
                Some(None) => return Ok(None),
                Some(Some(branch)) => {
                    let cell = self.value(union.branches[*branch].1, depth)?;
                    return self.arena.union(*branch, cell).map(Some);
                }
                None => union.wire.len(),
            },
            _ => 2,
        };
        Err(self.wire.syntax(at, format!("a union of {count} branches has no branch {index}")))
    }

    fn field(&mut self, record: &Record, at: u32, plan: &FieldPlan, depth: usize) -> Result<()> {
        let position = plan.position;
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
        Ok(())
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let len = self.wire.len(self.arena.limits().message_bytes)?;
        self.wire.take(len, "the rest of a string or bytes")
    }

    fn string(&mut self) -> Result<Cell> {
        let len = self.wire.len(self.arena.limits().message_bytes)?;
        let start = self.wire.pos;
        let bytes = self.wire.take(len, "the rest of a string")?;
        match std::str::from_utf8(bytes) {
            Ok(_) => self.arena.text(bytes),
            Err(error) => Err(self.wire.syntax(start + error.valid_up_to(), "the text is not valid UTF-8")),
        }
    }

    fn enumeration(&mut self, plan: &EnumPlan) -> Result<Cell> {
        let at = self.wire.pos;
        let index = self.wire.long()?;
        match usize::try_from(index).ok().and_then(|index| plan.numbers.get(index)) {
            Some(&number) => Ok(Cell::int(number)),
            None => {
                let name = self.schema.describe(plan.ty);
                Err(self.wire.syntax(at, format!("enum {name} has {} symbols, none {index}", plan.numbers.len())))
            }
        }
    }

    /// The blocks of an array or map, up to the empty one. Elements may take no bytes at all, so what bounds a count
    /// is that `item` keeps something in the arena for each.
    fn blocks(&mut self, mut item: impl FnMut(&mut Self, usize) -> Result<()>) -> Result<()> {
        let mut index = 0;
        loop {
            let at = self.wire.pos;
            let count = self.wire.long()?;
            if count == 0 {
                return Ok(());
            }
            // A negative count comes with the size of the block, so that readers can skip it.
            let size = if count < 0 { Some(self.wire.len(self.arena.limits().message_bytes)?) } else { None };
            let start = self.wire.pos;
            for _ in 0..count.unsigned_abs() {
                item(self, index)?;
                index += 1;
            }
            if size.is_some_and(|size| size != self.wire.pos - start) {
                return Err(self.wire.syntax(at, "the block has another size than it says"));
            }
        }
    }

    fn map_entry(&mut self, key_type: TypeId, key: Cell, value: OpId, depth: usize) -> Result<()> {
        self.arena.push(key)?;
        let cell = self.value(value, depth + 1).map_err(|error| {
            let key = key_text(self.schema, key_type, key, |cell| self.arena.bytes(self.whole, cell));
            error.in_key(key.as_bytes())
        })?;
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
