//! Defaults of fields: what readers take for a field that the writer does not have.

use serde_json::Value as Json;
use wirewise_core::{Field, Float, Int, Kind, Schema, TypeId};
use wirewise_formats::avro::notes;

/// What a field has for a default.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Default {
    /// None.
    Missing,
    /// One, as JSON.
    Value(Json),
    /// One that is no value of the field's type.
    Invalid(Json),
}

impl Default {
    /// Whether a reader can take it.
    pub(super) fn is_usable(&self) -> bool {
        matches!(self, Default::Value(_))
    }
}

/// The default of a field. That of an optional field, which Avro has as a union with null, is null.
pub(super) fn of(schema: &Schema, field: &Field) -> Default {
    if let Some(default) = &field.default {
        // The model has checked it.
        return Default::Value(default.clone());
    }
    if field.is_optional() {
        return Default::Value(Json::Null);
    }
    // One that the model does not have: filled lists and maps, records, and what is wrong.
    let noted = field.notes.get(notes::DEFAULT).and_then(|text| serde_json::from_str::<Json>(text).ok());
    match noted {
        None => Default::Missing,
        Some(json) if Values::new(schema).holds(field.ty, &json, 0) => Default::Value(json),
        Some(json) => Default::Invalid(json),
    }
}

/// How deep defaults may nest, and how many values one may have: they may contain each other.
const DEEPEST: usize = 64;
const MOST_VALUES: usize = 1 << 16;

struct Values<'a> {
    schema: &'a Schema,
    count: usize,
}

impl<'a> Values<'a> {
    fn new(schema: &'a Schema) -> Self {
        Values { schema, count: 0 }
    }

    /// Whether JSON is a value of a type, as Avro writes defaults.
    fn holds(&mut self, ty: TypeId, json: &Json, depth: usize) -> bool {
        self.count += 1;
        if depth > DEEPEST || self.count > MOST_VALUES {
            return false;
        }
        let schema = self.schema;
        match (schema.kind(ty), json) {
            (Kind::Null | Kind::Nullable(_), Json::Null) | (Kind::Bool, Json::Bool(_)) => true,
            (Kind::String, Json::String(_)) => true,
            (Kind::Int(Int::U64), Json::Number(number)) => number.as_i64().is_some_and(|number| number >= 0),
            (Kind::Int(int), Json::Number(number)) => number.as_i64().is_some_and(|number| int.holds(number.into())),
            (Kind::Float(Float::F32 | Float::F64), Json::Number(_)) => true,
            (Kind::Float(_), Json::String(text)) => {
                matches!(&**text, "NaN" | "Infinity" | "INF" | "-Infinity" | "-INF")
            }
            (Kind::Any, Json::String(text)) => serde_json::from_str::<Json>(text).is_ok(),
            // One character for each byte.
            (Kind::Bytes, Json::String(text)) => text.chars().all(|c| u8::try_from(c).is_ok()),
            (Kind::Fixed(size), Json::String(text)) => {
                text.chars().all(|c| u8::try_from(c).is_ok()) && text.chars().count() == *size as usize
            }
            (Kind::Enum(e), Json::String(name)) => e.position_of(name.as_bytes()).is_some(),
            (Kind::List(item), Json::Array(rows)) => rows.iter().all(|row| self.holds(*item, row, depth + 1)),
            (Kind::Map(key, value), Json::Object(rows)) if *schema.kind(*key) == Kind::String => {
                rows.values().all(|row| self.holds(*value, row, depth + 1))
            }
            (Kind::Map(key, value), Json::Array(rows)) => {
                rows.iter().all(|row| match (row.get("key"), row.get("value")) {
                    (Some(first), Some(second)) => {
                        self.holds(*key, first, depth + 1) && self.holds(*value, second, depth + 1)
                    }
                    _ => false,
                })
            }
            (Kind::Nullable(inner), _) => self.holds(*inner, json, depth),
            (Kind::Union(union), _) => union.branches.iter().any(|branch| self.holds(branch.ty, json, depth + 1)),
            (Kind::Record(record), Json::Object(given)) => record.fields.iter().all(|field| {
                let noted = || serde_json::from_str::<Json>(field.notes.get(notes::DEFAULT)?).ok();
                let or_null = json_or_null(field);
                match given.get(&field.name).cloned().or_else(|| or_null.or_else(noted)) {
                    Some(Json::Null) if field.is_stateful() => true,
                    Some(_) if field.default.is_some() && !given.contains_key(&field.name) => true,
                    Some(json) => self.holds(field.ty, &json, depth + 1),
                    None => false,
                }
            }),
            _ => false,
        }
    }
}

/// The default that the model has for a field.
fn json_or_null(field: &Field) -> Option<Json> {
    field.default.clone().or_else(|| field.is_optional().then_some(Json::Null))
}
