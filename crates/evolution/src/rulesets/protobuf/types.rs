//! Rules about the types of fields.

use wirewise_core::{Float, Kind, Schema, TypeId};

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

pub(super) const FIELD_TYPE: Rule = Rule {
    name: "field-type",
    title: "A field keeps the encoding of its type",
    level: Level::Wire,
    why: "A field's number says nothing about its type: a reader interprets the bytes as its own schema says. Only types of \
          one group are laid out alike: `int32`, `int64`, `uint32`, `uint64`, `bool` and enums; `sint32` and `sint64`; `fixed32` and \
          `sfixed32`; `fixed64` and `sfixed64`; `string` and `bytes`.",
    check: Check::Fields(field_type),
};

/// Types of one group have the same bytes for the same value.
fn group(schema: &Schema, ty: TypeId) -> &'static str {
    let notes = schema.type_notes(ty);
    match (notes.get("protobuf.type"), schema.kind(ty)) {
        (Some("sint32" | "sint64"), _) => "zigzag varint",
        (Some("fixed32" | "sfixed32"), _) => "4 bytes",
        (Some("fixed64" | "sfixed64"), _) => "8 bytes",
        (_, Kind::Bool | Kind::Int(_) | Kind::Enum(_) | Kind::Null) => "varint",
        (_, Kind::Float(Float::F32)) => "float",
        (_, Kind::Float(Float::F64)) => "double",
        (_, Kind::String | Kind::Bytes | Kind::Fixed(_) | Kind::Any) => "bytes",
        (_, Kind::Nullable(inner)) => group(schema, *inner),
        (_, Kind::List(item)) => group(schema, *item),
        (_, Kind::Map(..)) => "map",
        (_, Kind::Record(_) | Kind::Union(_)) => "message",
    }
}

fn field_type(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (from, to) = (writer.field().value_type(), reader.field().value_type());
    let (written, read) = (group(writer.schema, from), group(reader.schema, to));
    if written != read {
        at.broken(
            format!(
                "field {} is written as {} ({written}) and read as {} ({read})",
                writer.label(),
                writer.schema.describe(from),
                reader.schema.describe(to)
            ),
            format!(
                "keep the type {}, and add a field with a new number for the new one",
                writer.schema.describe(from)
            ),
        )
        .fields(writer, reader);
    }
}
