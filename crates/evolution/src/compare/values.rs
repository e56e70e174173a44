//! Values by themselves: bare, as zero or default, and as text for people.

use serde_json::Value as Json;
use wirewise_core::{AnyValue, Cell, Document, Float, Int, Kind, Schema, State, TypeId, Union};

/// A field's default; that of an enum is its number.
pub(crate) fn default_of(schema: &Schema, field: &wirewise_core::Field) -> Option<Json> {
    let default = field.default.clone()?;
    let symbol = |name: &str| match schema.kind(field.value_type()) {
        Kind::Enum(e) => e.position_of(name.as_bytes()).map(|position| Json::from(e.symbols[position].number)),
        _ => None,
    };
    Some(default.as_str().and_then(symbol).unwrap_or(default))
}

pub(super) fn nothing(default: Option<&serde_json::Value>) -> String {
    match default {
        Some(default) => format!("nothing, which reads as {default}"),
        None => "nothing".to_owned(),
    }
}

/// The type without a nullable around it.
pub(super) fn unwrapped(schema: &Schema, ty: TypeId) -> TypeId {
    match schema.kind(ty) {
        Kind::Nullable(inner) => *inner,
        _ => ty,
    }
}

/// The branch that a union has, if it is one.
pub(super) fn branch<'a>(document: &Document<'a>, ty: TypeId, cell: Option<Cell>) -> Option<(&'a Union, usize)> {
    let (ty, cell) = match document.schema().kind(ty) {
        Kind::Nullable(inner) if matches!(document.schema().kind(*inner), Kind::Union(_)) => {
            (*inner, document.boxed(cell?))
        }
        _ => (ty, cell),
    };
    match document.schema().kind(ty) {
        Kind::Union(union) => Some((union, document.union(cell?).0)),
        _ => None,
    }
}

/// The value without nullables and unions around it.
pub(super) fn bare(document: &Document<'_>, mut ty: TypeId, mut cell: Option<Cell>) -> (TypeId, Option<Cell>) {
    loop {
        match (document.schema().kind(ty), cell) {
            (Kind::Nullable(inner), Some(boxed)) => (ty, cell) = (*inner, document.boxed(boxed)),
            (Kind::Nullable(inner), None) => ty = *inner,
            (Kind::Union(union), Some(value)) => {
                let (position, value) = document.union(value);
                (ty, cell) = (union.branches[position].ty, Some(value));
            }
            (Kind::Null, _) => return (ty, None),
            (Kind::Any, Some(value)) if matches!(document.any(value), AnyValue::Null) => return (ty, None),
            _ => return (ty, cell),
        }
    }
}

/// Whether a value is what its field is when it is not there: its default, or the first symbol of an enum without a zero.
pub(super) fn is_default(document: &Document<'_>, field: &wirewise_core::Field, cell: Cell) -> bool {
    let ty = field.value_type();
    match (default_of(document.schema(), field), document.schema().kind(ty)) {
        (Some(default), _) => same_json(&default_text(document, ty, cell), &default.to_string()),
        (None, Kind::Enum(e)) => e.symbols[0].number == cell.as_i64(),
        _ => false,
    }
}

/// Whether a value is what a format may leave out.
pub(super) fn is_zero(document: &Document<'_>, ty: TypeId, cell: Cell) -> bool {
    match document.schema().kind(ty) {
        Kind::Bool | Kind::Int(_) | Kind::Enum(_) => cell.as_u64() == 0,
        Kind::Float(Float::F32) => cell.as_f32() == 0.0,
        Kind::Float(Float::F64) => cell.as_f64() == 0.0,
        Kind::String | Kind::Bytes => document.bytes(cell).is_empty(),
        Kind::Fixed(_) => document.bytes(cell).iter().all(|&byte| byte == 0),
        Kind::List(_) | Kind::Map(..) => cell.is_empty(),
        Kind::Record(record) => {
            let view = document.record(record, cell);
            record.fields.iter().enumerate().all(|(position, field)| {
                let (ty, cell) = (field.value_type(), view.cell(position));
                view.state(position) != State::Present
                    || is_zero(document, ty, cell)
                    || is_default(document, field, cell)
            })
        }
        Kind::Null => true,
        Kind::Any => matches!(document.any(cell), AnyValue::Null),
        Kind::Nullable(_) => cell == Cell::NULL,
        // Where unions are in place, and nothing is written, that is their first member.
        Kind::Union(union) => {
            let (position, cell) = document.union(cell);
            let first = union.branches.iter().map(|branch| branch.number).min();
            let ty = union.branches[position].ty;
            let first_symbol =
                matches!(document.schema().kind(ty), Kind::Enum(e) if e.symbols[0].number == cell.as_i64());
            Some(union.branches[position].number) == first && (first_symbol || is_zero(document, ty, cell))
        }
    }
}

pub(super) fn is_zero_json(json: &serde_json::Value) -> bool {
    let empty = json.as_array().is_some_and(Vec::is_empty) || json.as_object().is_some_and(serde_json::Map::is_empty);
    empty || json.is_null() || json == false || json == "" || json.as_f64() == Some(0.0)
}

/// A value as [`default_of`] would write it.
pub(super) fn default_text(document: &Document<'_>, ty: TypeId, cell: Cell) -> String {
    match document.schema().kind(ty) {
        Kind::Enum(_) => cell.as_i64().to_string(),
        Kind::Bytes => {
            let mut out = Vec::new();
            wirewise_core::text::base64::encode(document.bytes(cell), &mut out);
            Json::from(String::from_utf8_lossy(&out)).to_string()
        }
        _ => text(document, ty, cell),
    }
}

/// Whether two JSON texts are the same value; numbers by value.
pub(super) fn same_json(left: &str, right: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok();
    left == right || number(left).is_some_and(|left| number(right) == Some(left))
}

/// A value for people: as JSON, shortened.
pub(crate) fn text(document: &Document<'_>, ty: TypeId, cell: Cell) -> String {
    const MOST: usize = 120;
    let text = json(document, ty, cell, 0).to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

pub(super) fn hex(bytes: &[u8]) -> Json {
    Json::from(bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect::<String>())
}

pub(super) fn json(document: &Document<'_>, ty: TypeId, cell: Cell, depth: usize) -> Json {
    if depth > 8 {
        return Json::from("...");
    }
    let inside = |ty: TypeId, cell: Cell| json(document, ty, cell, depth + 1);
    match document.schema().kind(ty) {
        Kind::Null => Json::Null,
        Kind::Bool => Json::from(cell.as_bool()),
        Kind::Int(Int::U64) => Json::from(cell.as_u64()),
        Kind::Int(_) => Json::from(cell.as_i64()),
        Kind::Float(float) => {
            let value = if *float == Float::F32 { f64::from(cell.as_f32()) } else { cell.as_f64() };
            serde_json::Number::from_f64(value).map_or_else(|| Json::from(value.to_string()), Json::Number)
        }
        Kind::String => Json::from(document.str(cell)),
        Kind::Bytes | Kind::Fixed(_) => hex(document.bytes(cell)),
        Kind::Enum(e) => match e.position(cell.as_i64()) {
            Some(position) => Json::from(e.symbols[position].name.as_str()),
            None => Json::from(cell.as_i64()),
        },
        Kind::List(item) => document.list(cell).iter().take(8).map(|&cell| inside(*item, cell)).collect(),
        Kind::Map(key, value) => {
            let entries = document.map(cell).chunks_exact(2).take(8);
            let name = |key: Json| key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            Json::Object(entries.map(|entry| (name(inside(*key, entry[0])), inside(*value, entry[1]))).collect())
        }
        Kind::Nullable(inner) => document.boxed(cell).map_or(Json::Null, |cell| json(document, *inner, cell, depth)),
        Kind::Record(record) => {
            let view = document.record(record, cell);
            let there = record.fields.iter().enumerate().filter(|&(position, _)| !view.is_absent(position));
            let entry = |(position, field): (usize, &wirewise_core::Field)| {
                let value = view.get(position).map_or(Json::Null, |cell| inside(field.value_type(), cell));
                (field.name.clone(), value)
            };
            Json::Object(there.map(entry).collect())
        }
        Kind::Union(union) => {
            let (position, cell) = document.union(cell);
            json(document, union.branches[position].ty, cell, depth)
        }
        Kind::Any => match document.any(cell) {
            AnyValue::Null => Json::Null,
            AnyValue::Bool(value) => Json::from(value),
            AnyValue::Int(value) => Json::from(value),
            AnyValue::Uint(value) => Json::from(value),
            AnyValue::Float(value) => Json::from(value),
            AnyValue::String(text) | AnyValue::Number(text) => Json::from(String::from_utf8_lossy(text)),
            AnyValue::Bytes(bytes) => hex(bytes),
            AnyValue::List(items) => items.iter().map(|&cell| inside(ty, cell)).collect(),
            AnyValue::Map(entries) => {
                let name = |key: Json| key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                let entries = entries.chunks_exact(2);
                Json::Object(entries.map(|entry| (name(inside(ty, entry[0])), inside(ty, entry[1]))).collect())
            }
            AnyValue::Tagged(tag, value) => serde_json::json!({ "tag": tag, "value": inside(ty, value) }),
        },
    }
}
