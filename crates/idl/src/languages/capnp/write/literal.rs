//! Values of the model as literals.

use serde_json::Value as Json;
use wirewise_core::{Float, Kind, Record, Schema, TypeId, text::base64};

use super::super::value::{data_text, float_text, quoted};

/// Names of fields and enumerants as the file has them.
pub(super) trait Idents {
    /// The enumerant at this position.
    fn symbol(&self, ty: TypeId, position: usize) -> String;

    /// The field at this position.
    fn field(&self, ty: TypeId, record: &Record, position: usize) -> String;
}

/// A literal, and what a reader takes it for; `None` when the language has none.
pub(super) fn literal(schema: &Schema, idents: &dyn Idents, ty: TypeId, json: &Json) -> Option<(String, Json)> {
    Some(match (schema.kind(ty), json) {
        (Kind::Null, Json::Null) => ("void".to_owned(), Json::Null),
        (Kind::Bool, Json::Bool(value)) => (value.to_string(), json.clone()),
        (Kind::Int(_), Json::Number(value)) => (value.to_string(), json.clone()),
        (Kind::Float(float), _) => {
            let value = match json.as_str() {
                Some("NaN") => f64::NAN,
                Some("Infinity") => f64::INFINITY,
                Some("-Infinity") => f64::NEG_INFINITY,
                Some(_) => return None,
                None => json.as_f64()?,
            };
            if *float == Float::F32 && value.is_finite() && !(value as f32).is_finite() {
                return None;
            }
            (float_text(value), if value.is_finite() { Json::from(value) } else { json.clone() })
        }
        (Kind::String, Json::String(text)) => (quoted(text.as_bytes()), json.clone()),
        (Kind::Bytes, Json::String(text)) => {
            let mut bytes = Vec::new();
            base64::decode(text.as_bytes(), &mut bytes).then_some(())?;
            (data_text(&bytes), json.clone())
        }
        (Kind::Enum(e), Json::String(name)) => {
            // Of two names for one number, the first is what the codec writes.
            let position = e.position(e.symbols[e.position_of(name.as_bytes())?].number)?;
            (idents.symbol(ty, position), Json::from(e.symbols[position].name.as_str()))
        }
        (Kind::List(item), Json::Array(items)) => {
            let items: Vec<(String, Json)> =
                items.iter().map(|json| literal(schema, idents, *item, json)).collect::<Option<_>>()?;
            let (texts, values): (Vec<String>, Vec<Json>) = items.into_iter().unzip();
            (format!("[{}]", texts.join(", ")), Json::Array(values))
        }
        // A reader takes it for a list, which a comment corrects.
        (Kind::Map(..), Json::Object(entries)) if entries.is_empty() => ("[]".to_owned(), Json::Array(Vec::new())),
        (Kind::Record(record), Json::Object(fields)) => {
            let mut texts = Vec::new();
            let mut values = serde_json::Map::new();
            for (name, json) in fields {
                let position = record.position(name)?;
                let (text, value) = literal(schema, idents, record.fields[position].ty, json)?;
                texts.push(format!("{} = {text}", idents.field(ty, record, position)));
                values.insert(name.clone(), value);
            }
            (format!("({})", texts.join(", ")), Json::Object(values))
        }
        _ => return None,
    })
}
