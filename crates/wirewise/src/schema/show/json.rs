//! A schema as JSON, documented in `docs/json-output.md`: the types are those of a schema file, with their places.

use serde_json::{Value as Json, json};
use wirewise_core::{Kind, Schema, TypeId};
use wirewise_idl::{Element, Module};

use super::Shown;
use super::avro::Identity;

/// `message` is the schema of one message, where it is clear which.
pub(super) fn write(shown: &Shown<'_>, module: &Module, message: Option<&Schema>) -> String {
    let schema = shown.schema;
    // A schema file is what the schema writes.
    let mut file: Json = serde_json::from_str(&schema.to_text()).unwrap_or_default();
    let mut types = file["types"].take();
    let rows = types.as_array_mut().into_iter().flatten();
    for (row, id) in rows.zip(schema.named_types()) {
        // Places are kept by the ids of the whole module.
        if let Some(id) = schema.name(id).and_then(|name| module.schema.named(name)) {
            set_places(row, module, id);
        }
    }
    let avro = match message.map(Identity::of) {
        Some(Ok(identity)) => identity.json(),
        Some(Err(error)) => json!({ "error": error.to_string() }),
        None => json!({ "error": "the schema does not say which type a message has" }),
    };
    let mut json = json!({
        "wirewise": "schema-show/1", "file": shown.file, "language": shown.language.name,
        "root": shown.root.map(|root| schema.type_json(root)), "types": types, "notices": shown.notices, "avro": avro,
    });
    if !shown.shapes.is_empty() {
        json["shapes"] = shown.shapes.iter().map(String::as_str).collect();
    }
    if let Json::Object(notes) = file["notes"].take() {
        json["notes"] = Json::Object(notes);
    }
    format!("{json:#}\n")
}

/// Adds file, line and column to a type and to its parts.
fn set_places(row: &mut Json, module: &Module, id: TypeId) {
    set_place(row, module, Element::Type(id));
    let (member, element): (&str, fn(TypeId, usize) -> Element) = match module.schema.kind(id) {
        Kind::Record(_) => ("fields", Element::Field),
        Kind::Enum(_) => ("symbols", Element::Symbol),
        _ => ("branches", Element::Branch),
    };
    for (member, element) in [(member, element), ("oneofs", Element::Oneof)] {
        let parts = row.get_mut(member).and_then(Json::as_array_mut);
        for (position, part) in parts.into_iter().flatten().enumerate() {
            set_place(part, module, element(id, position));
        }
    }
}

fn set_place(part: &mut Json, module: &Module, element: Element) {
    if let Some(place) = module.places.get(element) {
        part["file"] = Json::from(&*place.file);
        if place.line > 0 {
            part["line"] = Json::from(place.line);
            part["column"] = Json::from(place.column);
        }
    }
}
