//! Values as Thrift writes them.

use serde_json::Value as Json;
use wirewise_core::Kind;

use super::ast::{Literal, Value};
use super::parser::escape;

/// Writes a value; `inner` writes those in it.
pub(super) fn write(literal: &Literal, out: &mut String, inner: &mut dyn FnMut(&Value, &mut String)) {
    match literal {
        Literal::Int(value) => out.push_str(&value.to_string()),
        Literal::Double(value) => out.push_str(&serde_json::Value::from(*value).to_string()),
        Literal::Text(text) => out.push_str(&format!("\"{}\"", escape(text))),
        Literal::Name(name) => out.push_str(name),
        Literal::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                inner(item, out);
            }
            out.push(']');
        }
        Literal::Map(entries) => {
            out.push('{');
            for (i, (key, value)) in entries.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                inner(key, out);
                out.push_str(": ");
                inner(value, out);
            }
            out.push('}');
        }
    }
}

/// Whether a value of a kind can be a default of the model, which has scalars and what is empty.
pub(super) fn is_models(json: &Json, kind: Option<&Kind>) -> bool {
    match json {
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty() && matches!(kind, Some(Kind::Map(..))),
        Json::Number(_) => !matches!(kind, Some(Kind::Enum(_))),
        _ => !matches!(kind, Some(Kind::Fixed(_))),
    }
}
