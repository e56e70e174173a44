//! Notes in comments that say what Thrift has no words for. Keys without a dot are facts of the model.

use serde_json::Value as Json;
use wirewise_core::Notes;

/// The model's name, where the identifier is another.
pub(super) const NAME: &str = "name";
/// The model's number, where Thrift has another.
pub(super) const NUMBER: &str = "number";
/// The model's type, as a type expression.
pub(super) const TYPE: &str = "type";
/// Whether the model's field may be absent, where its requiredness says otherwise: `required`, `optional`.
pub(super) const PRESENCE: &str = "presence";
/// The field can be null.
pub(super) const NULLABLE: &str = "nullable";
/// The oneof that a field belongs to.
pub(super) const ONEOF: &str = "oneof";
/// The oneofs of a record, where its fields do not say all of them: JSON.
pub(super) const ONEOFS: &str = "oneofs";
/// The enum is closed.
pub(super) const CLOSED: &str = "closed";
/// Reserved numbers, ranges `[from, to]` and names: JSON.
pub(super) const RESERVED: &str = "reserved";
/// Former names: JSON.
pub(super) const ALIASES: &str = "aliases";
/// The default, where Thrift has none like it: JSON.
pub(super) const DEFAULT: &str = "default";
/// Documentation that a comment would change.
pub(super) const DOC: &str = "doc";
/// `union`: the union is a value, not a record with a oneof.
pub(super) const KIND: &str = "kind";
/// The struct is made for a `nullable`, a `null` or the `root`, and is no type of the model.
pub(super) const WRAPPER: &str = "wrapper";
/// The place of a type among all, where it had to be moved.
pub(super) const ORDER: &str = "order";
/// Of a file: what the names of its types begin with.
pub(super) const PACKAGE: &str = "package";
/// Of a file: the type of a message, as a type expression.
pub(super) const ROOT: &str = "root";
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
