//! Defaults: the model keeps those of times as numbers, and those of large numbers as text.

use serde_json::Value as Json;
use wirewise_core::{Kind, Logical, Schema, TypeId, text};

use super::super::tree::Tree;

/// A default as JSON has it. `None`: JSON cannot say it.
pub(super) fn as_json(schema: &Schema, ty: TypeId, default: &Json) -> Option<Tree> {
    let ty = match schema.kind(ty) {
        Kind::Nullable(_) if default.is_null() => return Some(Tree::json(default)),
        Kind::Nullable(inner) => *inner,
        _ => ty,
    };
    match (schema.kind(ty), schema.logical(ty), default) {
        (Kind::Int(_), Some(logical), Json::Number(number)) => {
            let mut out = Vec::new();
            let number = number.as_i64()?;
            let written = match logical {
                Logical::Timestamp(unit) => text::time::write_timestamp(number, unit, &mut out),
                _ => i32::try_from(number).is_ok_and(|days| text::time::write_date(days, &mut out)),
            };
            written.then(|| String::from_utf8(out).ok().map(Tree::text)).flatten()
        }
        (Kind::Float(_), _, Json::String(_)) => None,
        (Kind::String, Some(Logical::Number), Json::String(text)) => {
            Tree::parse(text).filter(|tree| matches!(tree, Tree::Word(word) if word == text))
        }
        _ => Some(Tree::json(default)),
    }
}
