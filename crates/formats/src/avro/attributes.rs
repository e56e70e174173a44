//! Members that we add to Avro schemas so that reading them gives back the schema they were made from. Avro allows
//! members it does not define and ignores them; none of them changes a byte of the data.

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Notes, Schema, TypeId};

use super::model::Attributes;
use super::notes;

/// What the names of all of them begin with.
pub(super) const PREFIX: &str = "wirewise.";
/// Name of a type, field or branch, where Avro does not allow it.
pub(super) const NAME: &str = "wirewise.name";
/// The exact scalar: `uint8` for an `int`, `any` for a string of JSON text.
pub(super) const TYPE: &str = "wirewise.type";
/// Former names of a field, where Avro does not allow one of them.
pub(super) const ALIASES: &str = "wirewise.aliases";
/// A logical type that Avro does not have.
pub(super) const LOGICAL: &str = "wirewise.logical";
/// A field's number, where it is not its place counted from 1.
pub(super) const NUMBER: &str = "wirewise.number";
/// `"optional"`: null in this field means that it is absent.
pub(super) const PRESENCE: &str = "wirewise.presence";
/// On an optional field: its values can be null too.
pub(super) const NULLABLE: &str = "wirewise.nullable";
/// A field's default, where Avro cannot state it.
pub(super) const DEFAULT: &str = "wirewise.default";
/// On an array of records: it is a map, which Avro has with string keys only.
pub(super) const MAP: &str = "wirewise.map";
/// On a map: meaning and notes of its keys.
pub(super) const KEY: &str = "wirewise.key";
/// On a record with one field: it only sets apart two branches of a union; the value is the name of the branch.
pub(super) const WRAPPER: &str = "wirewise.wrapper";
/// On a fixed type, which has no name in our model: the name is made up.
pub(super) const GENERATED: &str = "wirewise.generated";
/// Symbols of an enum, where Avro does not allow one of them.
pub(super) const SYMBOLS: &str = "wirewise.symbols";
/// Numbers of an enum's symbols, where they are not 0, 1, 2, ...
pub(super) const NUMBERS: &str = "wirewise.numbers";
/// Documentation of an enum's symbols, by the name that Avro has.
pub(super) const SYMBOL_DOCS: &str = "wirewise.symbol_docs";
/// Notes of an enum's symbols, by the name that Avro has.
pub(super) const SYMBOL_NOTES: &str = "wirewise.symbol_notes";
/// On an enum: numbers without a symbol are allowed elsewhere.
pub(super) const OPEN: &str = "wirewise.open";
/// Numbers of a record or enum that must not be given out again.
pub(super) const RESERVED_NUMBERS: &str = "wirewise.reserved_numbers";
/// Names of a record or enum that must not be given out again.
pub(super) const RESERVED_NAMES: &str = "wirewise.reserved_names";
/// Groups of fields of a record of which a message has at most one.
pub(super) const ONEOFS: &str = "wirewise.oneofs";
/// On a field: the name of its group.
pub(super) const ONEOF: &str = "wirewise.oneof";
/// Notes that are not Avro's.
pub(super) const NOTES: &str = "wirewise.notes";
/// On what a union is in (a field, array or map): its name, documentation, notes and branches.
pub(super) const UNION: &str = "wirewise.union";
/// On what a union with null is in: notes of the type that it makes nullable.
pub(super) const NULLABLE_NOTES: &str = "wirewise.nullable_notes";
/// On the first object of a file: what is about the file as a whole.
pub(super) const FILE: &str = "wirewise.file";
/// Avro's own.
pub(super) const LOGICAL_TYPE: &str = "logicalType";
/// Avro's own: former names of a type.
pub(super) const TYPE_ALIASES: &str = "aliases";
/// Avro's own: the symbol for those that a reader does not know.
pub(super) const ENUM_DEFAULT: &str = "default";
/// Avro's own: the sort order of a field.
pub(super) const ORDER: &str = "order";

/// Members that Avro defines for all kinds of objects: no custom property may be called so.
const DEFINED: [&str; 12] = [
    "type",
    "name",
    "namespace",
    "aliases",
    "fields",
    "symbols",
    "items",
    "values",
    "size",
    "default",
    "order",
    "logicalType",
];

/// Puts notes into the members of an object. `own` says those that Avro has a place for elsewhere; the others become
/// members as they were in the file that they come from, or go into [`NOTES`].
pub(super) fn put_notes(notes: &Notes, own: &[&str], documented: Documented, attributes: &mut Attributes) {
    let mut rest = Map::new();
    for (key, text) in notes.iter() {
        let done = own.contains(&key)
            || match key {
                notes::PROPERTIES => put_properties(text, documented, attributes),
                notes::LOGICAL_TYPE if !attributes.contains_key(LOGICAL_TYPE) => {
                    attributes.insert(LOGICAL_TYPE.to_owned(), json!(text));
                    true
                }
                _ => false,
            };
        if !done {
            rest.insert(key.to_owned(), json!(text));
        }
    }
    if !rest.is_empty() {
        attributes.insert(NOTES.to_owned(), Json::Object(rest));
    }
}

/// Whether a kind of object has documentation: elsewhere `doc` is a custom property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Documented {
    Yes,
    No,
}

fn put_properties(text: &str, documented: Documented, attributes: &mut Attributes) -> bool {
    let Ok(Json::Object(properties)) = serde_json::from_str(text) else { return false };
    let taken = |name: &String| {
        DEFINED.contains(&name.as_str())
            || name.starts_with(PREFIX)
            || documented == Documented::Yes && name == "doc"
            || attributes.contains_key(name)
    };
    if properties.is_empty() || properties.keys().any(taken) || !is_text_of(text, &Json::Object(properties.clone())) {
        return false;
    }
    attributes.extend(properties);
    true
}

/// Whether a text is what we write for a value, so that it comes back the same.
pub(super) fn is_text_of(text: &str, json: &Json) -> bool {
    let written = json.to_string();
    written == text
}

/// The notes that the members of an object stand for. `own` are members that the caller reads itself.
pub(super) fn take_notes(attributes: &Attributes, own: &[&str]) -> Notes {
    let mut notes = Notes::default();
    let mut properties = Map::new();
    for (name, value) in attributes {
        if own.contains(&name.as_str()) || name.starts_with(PREFIX) {
            continue;
        }
        match value.as_str() {
            Some(text) if name == LOGICAL_TYPE => notes.set(notes::LOGICAL_TYPE, text),
            _ => {
                properties.insert(name.clone(), value.clone());
            }
        }
    }
    if !properties.is_empty() {
        notes.set(notes::PROPERTIES, Json::Object(properties).to_string());
    }
    notes.extend(&notes_of(attributes.get(NOTES)));
    notes
}

/// Notes that are written as an object.
pub(super) fn notes_of(json: Option<&Json>) -> Notes {
    let mut notes = Notes::default();
    for (key, text) in json.and_then(Json::as_object).into_iter().flatten() {
        if let Some(text) = text.as_str() {
            notes.set(key, text);
        }
    }
    notes
}

/// Notes as an object.
pub(super) fn notes_json(notes: &Notes) -> Json {
    Json::Object(notes.iter().map(|(key, text)| (key.to_owned(), json!(text))).collect())
}

/// What is known of a map's keys, unless they are plain strings.
pub(super) fn put_key(schema: &Schema, key: TypeId, attributes: &mut Attributes) {
    let expression = schema.type_json(key);
    if let Json::Object(mut object) = expression {
        object.remove("scalar");
        attributes.insert(KEY.to_owned(), Json::Object(object));
    }
}
