//! Rules about the types of values.

use wirewise_core::{Enum, Float, Int, Kind, Schema, TypeId};

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Hop, Rule};
use crate::sample::Provoke;

use super::super::shared;

pub(super) const FIELD_TYPE: Rule = Rule {
    name: "field-type",
    title: "A value keeps the encoding of its type",
    level: Level::Wire,
    why: "A field's number says nothing about its type: a reader interprets the bytes as its own schema says. Only types of \
          one group are laid out alike: `int32`, `int64`, `uint32`, `uint64`, `bool` and enums; `sint32` and `sint64`; `fixed32` and \
          `sfixed32`; `fixed64` and `sfixed64`; `string` and `bytes`.",
    check: Check::Types(field_type),
};

pub(super) const VALUE_RANGE: Rule = Rule {
    name: "value-range",
    title: "A reader's type holds every value of the writer's",
    level: Level::Wire,
    why: "Types of one group have the same bytes, but not the same values: an `int64` read as an `int32` loses its upper half, \
          a `uint32` read as an `int32` becomes negative, bytes that are no UTF-8 are no `string`.",
    check: Check::Types(value_range),
};

pub(super) const CARDINALITY: Rule = Rule {
    name: "cardinality",
    title: "A repeated field stays repeated, and a map stays a map",
    level: Level::Wire,
    why: "A reader that expects one value takes the last of several, and does not understand packed ones at all. The other way \
          round is safe: one value is read as a list of one.",
    check: Check::Fields(cardinality),
};

/// Types of one group have the same bytes for the same value.
pub(super) fn group(schema: &Schema, ty: TypeId) -> &'static str {
    let notes = schema.type_notes(ty);
    match (notes.get("protobuf.type"), schema.kind(ty)) {
        (Some("sint32" | "sint64"), _) => "a zigzag varint",
        (Some("fixed32" | "sfixed32"), _) => "4 bytes",
        (Some("fixed64" | "sfixed64"), _) => "8 bytes",
        (_, Kind::Bool | Kind::Int(_) | Kind::Enum(_) | Kind::Null) => "a varint",
        (_, Kind::Float(Float::F32)) => "a float",
        (_, Kind::Float(Float::F64)) => "a double",
        (_, Kind::Any) => "JSON text",
        (_, Kind::String | Kind::Bytes | Kind::Fixed(_)) => "bytes after their length",
        (_, Kind::Nullable(_)) => "a message around a value",
        (_, Kind::List(_)) => "a list",
        (_, Kind::Map(..)) => "a map",
        (_, Kind::Record(_)) => "a message",
        (_, Kind::Union(_)) => "a union",
    }
}

fn field_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (written, read) = (group(writer, from), group(reader, to));
    // A map's keys are not visited by themselves.
    if let (Kind::Union(_), Kind::Union(_)) = (writer.kind(from), reader.kind(to)) {
        return shared::union_branch(at, from, to);
    }
    if let (Kind::Map(from, _), Kind::Map(to, _)) = (writer.kind(from), reader.kind(to)) {
        let (from, to) = (*from, *to);
        if group(writer, from) != group(reader, to) || !holds(reader, to, writer, from) {
            let (from, to) = (writer.describe(from), reader.describe(to));
            let fix = format!("keep {from} keys");
            at.broken(format!("keys of a map are written as {from} and read as {to}"), fix);
        }
        return;
    }
    // One value is read as a list of one; and that a list is read as one value `cardinality` says, with better words.
    let in_field = at.trail.last().is_some_and(|hop| matches!(hop, Hop::Field(_)));
    let list_and_one = |list: &str, one: &str| list == "a list" && one != "a map";
    if written == read || in_field && (list_and_one(written, read) || list_and_one(read, written)) {
        return;
    }
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is written as {written}, and read as {to}, which is {read}"),
        format!("keep the type {from}, and add a field with a new number for the new type"),
    );
}

/// Whether every value of one scalar type is a value of another with the same layout.
fn holds(reader: &Schema, to: TypeId, writer: &Schema, from: TypeId) -> bool {
    let int32 = (i128::from(i32::MIN), i128::from(i32::MAX));
    let symbols = |e: &Enum| {
        let numbers = e.symbols.iter().map(|symbol| i128::from(symbol.number));
        (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0))
    };
    let written = match writer.kind(from) {
        Kind::Null => Some((0, 0)),
        Kind::Bool => Some((0, 1)),
        Kind::Int(int) => Some(int.range()),
        Kind::Enum(e) if e.closed => Some(symbols(e)),
        Kind::Enum(_) => Some(int32),
        _ => None,
    };
    let read = match reader.kind(to) {
        Kind::Null => Some((0, 0)),
        Kind::Bool => Some((0, 1)),
        Kind::Int(int) => Some(int.range()),
        // Which symbols there are is the affair of another rule, when both are enums.
        Kind::Enum(_) if matches!(writer.kind(from), Kind::Enum(_)) => return true,
        Kind::Enum(e) if e.closed => {
            let written = written.unwrap_or((1, 0));
            return written.1 - written.0 < 2 && (written.0..=written.1).all(|n| e.position(n as i64).is_some());
        }
        Kind::Enum(_) => Some(int32),
        _ => None,
    };
    if let (Some(written), Some(read)) = (written, read) {
        return read.0 <= written.0 && written.1 <= read.1;
    }
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Fixed(from), Kind::Fixed(to)) => from == to,
        (_, Kind::Fixed(_)) => false,
        (Kind::Bytes | Kind::Fixed(_), Kind::String) => false,
        _ => true,
    }
}

fn value_range(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (written, read) = (group(writer, from), group(reader, to));
    if written != read || holds(reader, to, writer, from) {
        return;
    }
    let provoke = match (writer.kind(from), reader.kind(to)) {
        (Kind::Int(from), Kind::Int(to)) => {
            let (min, max) = to.range();
            Provoke::Int(if from.range().1 > max { max + 1 } else { min - 1 })
        }
        (Kind::Int(Int::U64), _) => Provoke::Int(1 << 40),
        (Kind::Bytes, Kind::String) => Provoke::Bytes(b"\xff\xfe"),
        _ => Provoke::Something,
    };
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is read as {to}, which does not hold all of its values"),
        format!("read it as {from}, or as a type that holds all of its values"),
    )
    .provoke(provoke);
}

/// Whether a field's list or map lies in a message of its own, because it may be absent or null.
fn is_wrapped(field: &FieldAt<'_>) -> bool {
    let kind = field.schema.kind(field.field().value_type());
    field.field().is_stateful() && matches!(kind, Kind::List(_) | Kind::Map(..))
}

fn cardinality(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (from, to) = (writer.field().value_type(), reader.field().value_type());
    let lists = (writer.schema.kind(from), reader.schema.kind(to));
    let what = match lists {
        (Kind::List(_), Kind::List(_)) | (Kind::Map(..), Kind::Map(..))
            if is_wrapped(&writer) != is_wrapped(&reader) =>
        {
            "is a message around a list or map on one side only, because it may be absent there"
        }
        (Kind::List(_), other) if !matches!(other, Kind::List(_) | Kind::Map(..)) => {
            "is written as many values and read as one"
        }
        (other, Kind::List(_)) if is_wrapped(&reader) && !matches!(other, Kind::List(_) | Kind::Map(..)) => {
            "is written as one value and read as a message around a list"
        }
        _ => return,
    };
    at.broken(format!("the field {} {what}", writer.label()), "add a field with a new number for the new form")
        .fields(writer, reader)
        .provoke(Provoke::Items(2));
}
