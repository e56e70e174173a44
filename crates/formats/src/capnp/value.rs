//! Values that schemas have: defaults, from the model and from notes.

use serde_json::Value as Json;
use wirewise_core::{Arena, Cell, Error, ErrorKind, Field, Float, Kind, Result, Schema, TypeId, text};

/// The bits of a field's default in the model: what is written is inverted where they are set, so that the default is
/// all zeros.
pub(super) fn default_bits(schema: &Schema, field: &Field) -> Result<u64> {
    match &field.default {
        Some(default) => bits_of(schema, field.value_type(), default),
        None => Ok(0),
    }
}

/// The bits of a scalar that is no pointer.
pub(super) fn bits_of(schema: &Schema, ty: TypeId, json: &Json) -> Result<u64> {
    let number = || json.as_i64().map(i128::from).or_else(|| json.as_u64().map(i128::from));
    let bits = match schema.kind(ty) {
        Kind::Null => Some(0),
        Kind::Bool => json.as_bool().map(u64::from),
        Kind::Int(int) => number().filter(|&n| int.holds(n)).map(|n| n as u64 & u64::MAX >> (64 - int.bits())),
        Kind::Float(float) => {
            let value = match json.as_str() {
                Some("NaN") => Some(f64::NAN),
                Some("Infinity") => Some(f64::INFINITY),
                Some("-Infinity") => Some(f64::NEG_INFINITY),
                _ => json.as_f64(),
            };
            value.map(|value| match float {
                Float::F32 => u64::from((value as f32).to_bits()),
                Float::F64 => value.to_bits(),
            })
        }
        Kind::Enum(e) => {
            let position = json.as_str().and_then(|name| e.position_of(name.as_bytes()));
            // The ordinal of the first symbol with that number is what is written.
            position.and_then(|at| e.position(e.symbols[at].number)).map(|position| position as u64)
        }
        _ => None,
    };
    bits.ok_or_else(|| wrong(schema, ty, json))
}

/// How deep values in notes may nest.
const DEEPEST: usize = 64;

/// Puts a value from a note into an arena.
pub(super) fn fill(schema: &Schema, arena: &mut Arena, ty: TypeId, json: &Json, depth: usize) -> Result<Cell> {
    let wrong = || wrong(schema, ty, json);
    if depth > DEEPEST {
        return Err(wrong());
    }
    match schema.kind(ty) {
        Kind::String => {
            let text = json.as_str().ok_or_else(wrong)?;
            arena.text(text.as_bytes())
        }
        Kind::Bytes | Kind::Fixed(_) => {
            let mut bytes = Vec::new();
            let valid = json.as_str().is_some_and(|text| text::base64::decode(text.as_bytes(), &mut bytes));
            if valid { arena.text(&bytes) } else { Err(wrong()) }
        }
        Kind::List(item) => {
            let mark = arena.mark();
            for json in json.as_array().ok_or_else(wrong)? {
                let cell = fill(schema, arena, *item, json, depth + 1)?;
                arena.push(cell)?;
            }
            arena.list(mark)
        }
        Kind::Record(record) => {
            let object = json.as_object().ok_or_else(wrong)?;
            if object.keys().any(|name| record.position(name).is_none()) {
                return Err(wrong());
            }
            let at = arena.record(record)?;
            for (position, field) in record.fields.iter().enumerate() {
                match object.get(&field.name) {
                    Some(json) => {
                        let cell = fill(schema, arena, field.value_type(), json, depth + 1)?;
                        arena.set_field(record, at, position, cell);
                    }
                    None if field.is_optional() => {}
                    None => arena.set_default(schema, record, at, position)?,
                }
            }
            Ok(Cell::index(at))
        }
        Kind::Int(int) => {
            let bits = bits_of(schema, ty, json)?;
            let shift = 64 - int.bits();
            Ok(if int.signed() { Cell::int((bits << shift) as i64 >> shift) } else { Cell::uint(bits) })
        }
        Kind::Enum(e) => {
            let position = json.as_str().and_then(|name| e.position_of(name.as_bytes())).ok_or_else(wrong)?;
            Ok(Cell::int(e.symbols[position].number))
        }
        _ => bits_of(schema, ty, json).map(Cell::uint),
    }
}

#[cold]
fn wrong(schema: &Schema, ty: TypeId, json: &Json) -> Error {
    let mut text = json.to_string();
    if text.len() > 60 {
        let end = (0..=60).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
    }
    Error::new(ErrorKind::Schema, format!("a default is {text}, which is no {}", schema.describe(ty)))
}
