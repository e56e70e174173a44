//! Which syntax a schema is written in.

use wirewise_core::{Field, Kind, Record, Schema};
use wirewise_formats::protobuf::notes;

use super::super::ast::Syntax;

/// That which it was read from, or proto3; but one that has the words for everything that changes bytes.
pub(super) fn choose(schema: &Schema) -> Syntax {
    let noted = schema.notes().get(notes::SYNTAX).and_then(Syntax::by_name);
    let mut syntax = noted.unwrap_or(Syntax::Proto3);
    for ty in schema.types() {
        let Kind::Record(record) = &ty.kind else { continue };
        if syntax == Syntax::Proto3 && ty.notes.has(notes::EXTENSIONS) {
            syntax = Syntax::Proto2;
        }
        for field in &record.fields {
            if is_labelled(field) && syntax == Syntax::Proto3 {
                syntax = Syntax::Proto2;
            }
            if is_delimited(schema, field) && syntax != Syntax::Edition2023 {
                syntax = if is_group(schema, record, field) { Syntax::Proto2 } else { Syntax::Edition2023 };
            }
        }
    }
    syntax
}

/// Whether a field has the label `required`.
pub(super) fn is_labelled(field: &Field) -> bool {
    !field.is_stateful() && field.notes.get(notes::LABEL) == Some("required")
}

/// Whether a field holds messages between tags.
pub(super) fn is_delimited(schema: &Schema, field: &Field) -> bool {
    let inner = match schema.kind(field.value_type()) {
        Kind::List(item) if !field.is_stateful() => *item,
        Kind::Map(..) if !field.is_stateful() => return false,
        _ => field.value_type(),
    };
    let message = matches!(
        schema.kind(inner),
        Kind::Record(_) | Kind::Union(_) | Kind::List(_) | Kind::Map(..) | Kind::Nullable(_)
    );
    message && field.notes.get(notes::ENCODING) == Some("delimited")
}

/// Whether a field that is delimited can declare its message, as a group does: that lies beside it, and has its name.
pub(super) fn is_group(schema: &Schema, record: &Record, field: &Field) -> bool {
    let inner = match schema.kind(field.value_type()) {
        Kind::List(item) => *item,
        _ => field.value_type(),
    };
    let Kind::Record(message) = schema.kind(inner) else { return false };
    let (around, simple) = message.name.rsplit_once('.').unwrap_or(("", &message.name));
    let beside = match field.notes.get(notes::EXTENSION) {
        Some(full_name) => full_name.rsplit_once('.').map_or("", |(around, _)| around),
        None => &record.name,
    };
    around == beside
        && simple.starts_with(|c: char| c.is_ascii_uppercase())
        && super::homes::is_identifier(simple)
        && field.name == simple.to_ascii_lowercase()
}
