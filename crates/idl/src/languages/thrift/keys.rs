//! Notes in comments that say what Thrift has no words for. Keys without a dot are facts of the model: those of all
//! languages, and some of ours.
//!
//! `wrapper` says what a struct stands for that is no type of the model: `nullable`, `null` or `root`.

use serde_json::Value as Json;
use wirewise_core::Notes;

pub(super) use crate::keys::{
    ALIASES, CLOSED, DEFAULT, KIND, NAME, ORDER, PRESENCE, RESERVED, ROOT, TYPE, WRAPPER, reserved, reserved_text,
};

/// The model's number, where Thrift has another.
pub(super) const NUMBER: &str = "number";
/// The field can be null.
pub(super) const NULLABLE: &str = "nullable";
/// The oneof that a field belongs to.
pub(super) const ONEOF: &str = "oneof";
/// The oneofs of a record, where its fields do not say all of them: JSON.
pub(super) const ONEOFS: &str = "oneofs";
/// Documentation that a comment would change.
pub(super) const DOC: &str = "doc";
/// Of a file: what the names of its types begin with.
pub(super) const PACKAGE: &str = "package";
/// Notes of the model that have one of these keys.
pub(super) const NOTES: &str = "notes";

const ALL: [&str; 18] = [
    NAME, NUMBER, TYPE, PRESENCE, NULLABLE, ONEOF, ONEOFS, CLOSED, RESERVED, ALIASES, DEFAULT, DOC, KIND, WRAPPER,
    ORDER, PACKAGE, ROOT, NOTES,
];

/// Notes of the model, and facts of ours.
pub(super) fn join(notes: &Notes, facts: &Notes) -> Notes {
    let mut all = facts.clone();
    let mut inner = Notes::default();
    for (key, text) in notes.iter() {
        if ALL.contains(&key) { inner.set(key, text) } else { all.set(key, text) }
    }
    if !inner.is_empty() {
        all.set(NOTES, inner.to_string());
    }
    all
}

/// The notes of the model in what [`join`] made, and the facts.
pub(super) fn split(all: &Notes) -> (Notes, Notes) {
    let (mut notes, mut facts) = (Notes::default(), Notes::default());
    for (key, text) in all.iter() {
        if ALL.contains(&key) { facts.set(key, text) } else { notes.set(key, text) }
    }
    if let Some(inner) = facts.take(NOTES).and_then(|text| Notes::parse(&text)) {
        notes.extend(&inner);
    }
    (notes, facts)
}

/// A type expression in a note: a name that does not look like JSON stands alone.
pub(super) fn expression(text: &str) -> Json {
    match text.starts_with(['{', '"']) {
        true => serde_json::from_str(text).unwrap_or_else(|_| Json::from(text)),
        false => Json::from(text),
    }
}

/// What [`expression`] reads.
pub(super) fn expression_text(json: &Json) -> String {
    match json.as_str() {
        Some(name) if !name.starts_with(['{', '"']) => name.to_owned(),
        _ => json.to_string(),
    }
}
