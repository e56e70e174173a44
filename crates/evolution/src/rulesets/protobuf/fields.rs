//! Rules about fields: whether they are there, and what they are when they are not.

use serde_json::Value as Json;
use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::compare::default_of;
use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};
use crate::sample::Provoke;

use super::super::shared;
use super::types::group;

pub(super) const FIELD_REQUIRED: Rule = Rule {
    name: "field-required",
    title: "A field that readers require exists for every writer",
    level: Level::Wire,
    why: "A reader refuses a message without a required field, and writers whose schema does not have it write such messages.",
    check: Check::OnlyRead(field_required),
};

pub(super) const FIELD_NOT_ALWAYS_WRITTEN: Rule = Rule {
    name: "field-not-always-written",
    title: "A field that readers require is written in every message",
    level: Level::Wire,
    why: "A reader refuses a message without a required field. Where the writer has it as an optional one, or leaves zero out, \
          it may not be there.",
    check: Check::Fields(field_not_always_written),
};

pub(super) const DEFAULT: Rule = Rule {
    name: "default",
    title: "A field keeps its default",
    level: Level::Wire,
    why: "A field that is not in the message reads as the reader's default. Where the writer's default was another, the \
          two see different values in the same bytes.",
    check: Check::Fields(default),
};

pub(super) const ONEOF: Rule = Rule {
    name: "oneof-joined",
    title: "Fields that may be set together are in no oneof",
    level: Level::Wire,
    why: "A reader keeps only the last of a oneof's fields. A message with two of them, from a writer that has them apart, \
          loses one.",
    check: Check::Records(shared::oneof_joined),
};

/// Whether a message without the field is an error for its readers.
fn is_required(field: &FieldAt<'_>) -> bool {
    let label = field.field().notes.get("protobuf.label") == Some("required");
    let kind = field.schema.kind(field.field().ty);
    let message = matches!(kind, Kind::Record(_) | Kind::Union(_)) || matches!(kind, Kind::Fixed(size) if *size > 0);
    label || !field.field().is_optional() && message
}

/// Whether it is in every message that has this record.
fn is_always_written(field: &FieldAt<'_>) -> bool {
    is_required(field) || field.field().notes.get("protobuf.label") == Some("required")
}

fn field_required(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    if is_required(&field) {
        at.broken(format!("the field {} is required, and writers do not have it", field.label()), "make it optional")
            .writer(Element::Type(record))
            .reader(field.element())
            .provoke(Provoke::Fields(Vec::new()));
    }
}

fn field_not_always_written(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    if is_required(&reader) && !is_always_written(&writer) {
        let what = format!("the field {} is required by readers, but writers may leave it out", reader.label());
        at.broken(what, "make it optional for readers")
            .fields(writer, reader)
            .provoke(Provoke::Absent)
            .provoke(Provoke::Zero);
    }
}

/// What a field is when it is not in the message.
fn when_missing(field: &FieldAt<'_>) -> Json {
    let ty = field.field().value_type();
    // A null that is left out is null again, whatever the default.
    let null = field.field().is_nullable() && !field.field().is_optional();
    let value = default_of(field.schema, field.field()).filter(|default| !null && !default.is_null());
    match (value, field.schema.kind(ty)) {
        (Some(value), _) => value,
        (None, Kind::Enum(e)) if !field.field().is_stateful() => Json::from(e.symbols[0].number),
        (None, Kind::String | Kind::Bytes | Kind::Fixed(_)) => Json::from(""),
        (None, Kind::Bool) => Json::from(false),
        (None, Kind::Float(_)) => Json::from(0.0),
        (None, Kind::List(_)) => Json::Array(Vec::new()),
        (None, Kind::Map(..)) => Json::Object(serde_json::Map::new()),
        (None, _) => Json::from(0),
    }
}

fn default(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (written, read) = (when_missing(&writer), when_missing(&reader));
    // A scalar that is required and reads as something else than zero is always written.
    let is_zero = |json: &Json| {
        let empty =
            json.as_array().is_some_and(Vec::is_empty) || json.as_object().is_some_and(serde_json::Map::is_empty);
        empty || *json == "" || *json == false || json.as_f64() == Some(0.0)
    };
    let may_be_missing = writer.field().is_stateful() || is_zero(&written);
    let number = |json: &Json| json.as_f64().or(json.as_bool().map(|bool| f64::from(u8::from(bool))));
    let same = written == read
        || is_zero(&written) && is_zero(&read)
        || number(&written).is_some() && number(&written) == number(&read);
    // Of types that have nothing in common other rules speak; one value may be read as a list.
    let (from, to) = (writer.field().value_type(), reader.field().value_type());
    let comparable =
        group(writer.schema, from) == group(reader.schema, to) || matches!(reader.schema.kind(to), Kind::List(_));
    if may_be_missing && !same && comparable && !is_always_written(&writer) {
        at.broken(
            format!(
                "the field {} reads as {read} when it is not there, and is {written} to its writers",
                writer.label()
            ),
            format!("keep the default {written}"),
        )
        .fields(writer, reader)
        .provoke(Provoke::Absent)
        .provoke(Provoke::Zero);
    }
}
