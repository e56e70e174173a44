//! Values of fields that a message came without.

use serde_json::Value as Json;
use wirewise_core::{Arena, Cell, Error, Float, Kind, Record, Result, Schema, TypeId, text};

use super::plan::{Missing, Plan};

/// Zero as Thrift's own languages have it: an enum is 0 whatever its symbols are.
pub(super) fn zero(arena: &mut Arena, schema: &Schema, ty: TypeId) -> Result<Cell> {
    match schema.kind(ty) {
        Kind::Enum(e) if !e.closed || e.position(0).is_some() => Ok(Cell::int(0)),
        _ => arena.zero(schema, ty, 0),
    }
}

/// The value that `json` is, as the JSON format writes values of this type. `start` is where the message's record lies.
pub(super) fn value(plan: &Plan, arena: &mut Arena, ty: TypeId, json: &Json, start: usize) -> Result<Cell> {
    let schema = &plan.schema;
    let number = |json: &Json| json.as_i64().map(Cell::int).or(json.as_u64().map(Cell::uint));
    let wrong = || Error::data(start, format!("the default {json} is no {}", schema.describe(ty)));
    let cell = match (schema.kind(ty), json) {
        (Kind::Nullable(_), Json::Null) => Some(Cell::NULL),
        (Kind::Nullable(inner), _) => {
            let inner = value(plan, arena, *inner, json, start)?;
            Some(arena.boxed(inner)?)
        }
        (Kind::Bool, Json::Bool(value)) => Some(Cell::bool(*value)),
        (Kind::Int(int), Json::Number(n)) => number(json).filter(|_| n.as_i128().is_some_and(|n| int.holds(n))),
        (Kind::Enum(e), Json::String(name)) => {
            e.position_of(name.as_bytes()).map(|position| Cell::int(e.symbols[position].number))
        }
        (Kind::Enum(_), Json::Number(_)) => json.as_i64().map(Cell::int),
        (Kind::Float(float), _) => {
            let value = match json.as_str() {
                Some("Infinity") => Some(f64::INFINITY),
                Some("-Infinity") => Some(f64::NEG_INFINITY),
                Some("NaN") => Some(f64::NAN),
                _ => json.as_f64(),
            };
            value.map(|value| if *float == Float::F32 { Cell::f32(value as f32) } else { Cell::f64(value) })
        }
        (Kind::String, Json::String(text)) => Some(arena.text_with(|out| {
            out.extend_from_slice(text.as_bytes());
            Ok(())
        })?),
        (Kind::Fixed(16), Json::String(text)) => match text::uuid::parse(text.as_bytes()) {
            Some(bytes) => Some(arena.text_with(|out| {
                out.extend_from_slice(&bytes);
                Ok(())
            })?),
            None => None,
        },
        (Kind::Bytes, Json::String(text)) => Some(
            arena.text_with(|out| if text::base64::decode(text.as_bytes(), out) { Ok(()) } else { Err(wrong()) })?,
        ),
        (Kind::List(item), Json::Array(items)) => {
            let mark = arena.mark();
            for item_json in items {
                let cell = value(plan, arena, *item, item_json, start)?;
                arena.push(cell)?;
            }
            Some(arena.list(mark)?)
        }
        (Kind::Map(key, item), Json::Object(entries)) => {
            let mark = arena.mark();
            for (name, item_json) in entries {
                let cell = map_key(plan, arena, *key, name, start)?;
                arena.push(cell)?;
                let cell = value(plan, arena, *item, item_json, start)?;
                arena.push(cell)?;
            }
            Some(arena.map(mark)?)
        }
        (Kind::Record(record), Json::Object(members)) => Some(self::record(plan, arena, record, members, start)?),
        _ => None,
    };
    cell.ok_or_else(wrong)
}

fn map_key(plan: &Plan, arena: &mut Arena, ty: TypeId, name: &str, start: usize) -> Result<Cell> {
    let json = match plan.schema.kind(ty) {
        Kind::Bool | Kind::Int(_) => serde_json::from_str(name).unwrap_or(Json::Null),
        _ => Json::from(name),
    };
    value(plan, arena, ty, &json, start)
}

fn record(
    plan: &Plan,
    arena: &mut Arena,
    record: &Record,
    members: &serde_json::Map<String, Json>,
    start: usize,
) -> Result<Cell> {
    let at = arena.record(record)?;
    for (position, field) in record.fields.iter().enumerate() {
        let schema = &plan.schema;
        let cell = match (members.get(&field.name), plan.missing(record.type_id(), position)) {
            (Some(Json::Null), _) | (None, Missing::Null) if field.is_nullable() => {
                arena.set_state(record, at, position, wirewise_core::State::Null);
                continue;
            }
            (Some(json), _) | (None, Missing::Value(json)) => value(plan, arena, field.value_type(), json, start)?,
            (None, Missing::Nothing) => Cell::EMPTY,
            (None, Missing::Zero) => zero(arena, schema, field.ty)?,
            (None, _) => {
                crate::dynamic::set_missing(arena, schema, record, at, position, start)?;
                continue;
            }
        };
        arena.set_field(record, at, position, cell);
    }
    Ok(Cell::index(at))
}
