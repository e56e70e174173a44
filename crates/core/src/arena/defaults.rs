//! Values of fields that a message does not have.

use super::{AnyTag, Arena, Cell, State};
use crate::schema::{Kind, Record, Schema, TypeId};
use crate::{Error, ErrorKind, Result};

impl Arena {
    /// Gives a field that the message does not have its default, or zero where it has none. An optional field keeps
    /// its state: readers can still tell that it was absent.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] as [`Arena::alloc`], or when zero values nest deeper than [`Limits::depth`](crate::Limits::depth).
    pub fn set_default(&mut self, schema: &Schema, record: &Record, at: u32, position: usize) -> Result<()> {
        let field = &record.fields[position];
        let mut state = State::Present;
        let cell = match &field.default {
            Some(serde_json::Value::Null) => {
                state = State::Null;
                Cell::EMPTY
            }
            Some(default) => self.literal(schema, field.value_type(), default)?,
            None => self.zero(schema, field.value_type(), 0)?,
        };
        if field.is_optional() {
            self.cells[at as usize + record.state_words() + position] = cell;
        } else {
            self.set_field(record, at, position, cell);
            self.set_state(record, at, position, state);
        }
        Ok(())
    }

    fn literal(&mut self, schema: &Schema, ty: TypeId, default: &serde_json::Value) -> Result<Cell> {
        use serde_json::Value as Json;
        Ok(match (schema.kind(ty), default) {
            (_, Json::Bool(value)) => Cell::bool(*value),
            (Kind::Float(float), value) => {
                let value = match value.as_str() {
                    Some("Infinity") => f64::INFINITY,
                    Some("-Infinity") => f64::NEG_INFINITY,
                    Some(_) => f64::NAN,
                    None => value.as_f64().unwrap_or_default(),
                };
                if *float == crate::Float::F32 { Cell::f32(value as f32) } else { Cell::f64(value) }
            }
            (_, Json::Number(n)) => n.as_i64().map(Cell::int).or(n.as_u64().map(Cell::uint)).unwrap_or_default(),
            (Kind::Enum(e), Json::String(name)) => {
                Cell::int(e.position_of(name.as_bytes()).map_or(0, |i| e.symbols[i].number))
            }
            (Kind::Bytes, Json::String(text)) => self.text_with(|out| {
                crate::text::base64::decode(text.as_bytes(), out);
                Ok(())
            })?,
            (_, Json::String(text)) => self.text_with(|out| {
                out.extend_from_slice(text.as_bytes());
                Ok(())
            })?,
            _ => Cell::EMPTY,
        })
    }

    /// The zero value of a type: 0, false, empty, the first symbol, the first branch, a record of zeros.
    ///
    /// # Errors
    /// As [`Arena::set_default`].
    pub fn zero(&mut self, schema: &Schema, ty: TypeId, depth: usize) -> Result<Cell> {
        if depth > self.limits.depth {
            return Err(Error::new(ErrorKind::Limit, "default values nest deeper than the limit"));
        }
        Ok(match schema.kind(ty) {
            Kind::Nullable(_) => Cell::NULL,
            Kind::Any => self.any(AnyTag::Null, Cell::EMPTY)?,
            Kind::Enum(e) => Cell::int(e.symbols[0].number),
            // The schema alone says how long it is: no input has to be.
            Kind::Fixed(size) if *size as usize > self.limits.memory_bytes => return Err(self.too_large()),
            Kind::Fixed(size) => self.text_with(|out| {
                out.resize(out.len() + *size as usize, 0);
                Ok(())
            })?,
            Kind::Union(union) => {
                let value = self.zero(schema, union.branches[0].ty, depth + 1)?;
                self.union(0, value)?
            }
            Kind::Record(record) => {
                let at = self.record(record)?;
                for (position, field) in record.fields.iter().enumerate() {
                    if !field.is_optional() {
                        let cell = self.zero_field(schema, field, depth)?;
                        self.set_field(record, at, position, cell);
                        if field.is_nullable() && field.default.as_ref().is_none_or(serde_json::Value::is_null) {
                            self.set_state(record, at, position, State::Null);
                        }
                    }
                }
                Cell::index(at)
            }
            _ => Cell::EMPTY,
        })
    }

    fn zero_field(&mut self, schema: &Schema, field: &crate::Field, depth: usize) -> Result<Cell> {
        match &field.default {
            Some(default) => self.literal(schema, field.value_type(), default),
            None if field.is_nullable() => Ok(Cell::EMPTY),
            None => self.zero(schema, field.ty, depth + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    fn message(schema: &str) -> (Schema, Arena) {
        let mut arena = Arena::new(Limits { memory_bytes: 1 << 16, ..Limits::default() });
        arena.begin(b"").unwrap();
        (Schema::parse(schema).unwrap(), arena)
    }

    #[test]
    fn a_nullable_field_of_a_zero_record_has_its_default() {
        let (schema, mut arena) = message(
            r#"{"wirewise": "schema/1", "root": "R", "types": [{"record": "R", "fields": [
                {"number": 1, "name": "a", "type": {"nullable": "int64"}, "default": 5},
                {"number": 2, "name": "b", "type": {"nullable": "int64"}, "default": null},
                {"number": 3, "name": "c", "type": {"nullable": "int64"}}]}]}"#,
        );
        let root = arena.zero(&schema, schema.root(), 0).unwrap();
        let Kind::Record(record) = schema.kind(schema.root()) else { unreachable!() };
        let at = root.as_index() as u32;
        let states = [0, 1, 2].map(|position| arena.state(record, at, position));
        assert_eq!(states, [State::Present, State::Null, State::Null]);
        assert_eq!(arena.field(record, at, 0).as_i64(), 5);
    }

    #[test]
    fn a_zero_of_any_size_is_bounded() {
        let (schema, mut arena) = message(r#"{"wirewise": "schema/1", "root": {"fixed": 4294967295}}"#);
        assert_eq!(arena.zero(&schema, schema.root(), 0).unwrap_err().kind(), ErrorKind::Limit);
        assert!(arena.scratch.capacity() < 1 << 16);
    }
}
