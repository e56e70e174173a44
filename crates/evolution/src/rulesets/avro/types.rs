//! Rules about the types of values.

use serde_json::Value as Json;
use wirewise_core::{Int, Kind, Schema, TypeId};
use wirewise_formats::avro::notes;

use crate::mode::Level;
use crate::rule::{At, Check, Rule};
use crate::sample::Provoke;

use super::matching::{Shape, bare, name, names_fit, shape, unqualified};

pub(super) const TYPE: Rule = Rule {
    name: "type",
    title: "A value keeps its type, or is promoted",
    level: Level::Wire,
    why: "Bytes have no types with them, so a reader interprets them by the writer's schema and turns the value into its own type. \
          It does so only where no value is lost: an `int` is read as `long`, `float` or `double`, a `long` as `float` or `double`, a \
          `float` as `double`, `string` as `bytes` and `bytes` as `string`. Everything else is refused, before a byte is read.",
    check: Check::Types(type_kept),
};

pub(super) const TYPE_NAME: Rule = Rule {
    name: "type-name",
    title: "Records, enums and fixed types keep their name, or have the old one as an alias",
    level: Level::Wire,
    why: "Named types are the same only if their names are, without their namespaces. A reader finds a type that was renamed by \
          the `aliases` in its own schema.",
    check: Check::Types(type_name),
};

pub(super) const FIXED_SIZE: Rule = Rule {
    name: "fixed-size",
    title: "A fixed type keeps its size",
    level: Level::Wire,
    why: "Two fixed types match if their names and their sizes do.",
    check: Check::Types(fixed_size),
};

pub(super) const DECIMAL: Rule = Rule {
    name: "decimal",
    title: "A decimal keeps its precision and scale",
    level: Level::Wire,
    why: "The bytes of a decimal are its digits without the point: the scale, which says where that is, is in the schema only. Two \
          decimals match if both precision and scale do.",
    check: Check::Types(decimal_kept),
};

pub(super) const BYTES_AS_STRING: Rule = Rule {
    name: "bytes-as-string",
    title: "Bytes that are read as a string are UTF-8",
    level: Level::Wire,
    why: "The specification promotes `bytes` to `string`, so that the schemas match. But a string is UTF-8, and not all bytes \
          are: where writers put anything else there, readers fail.",
    check: Check::Types(bytes_as_string),
};

pub(super) const EXACT_TYPE: Rule = Rule {
    name: "exact-type",
    title: "A type that Avro does not have holds every value of the writer's",
    level: Level::Wire,
    why: "Avro has integers of 32 and 64 bits. Where the schema says, in `wirewise.type`, that an `int` is an `int8` or that a `string` \
          is JSON text, Wirewise refuses values that are none; other readers take them.",
    check: Check::Types(exact_type),
};

/// What a type is called in messages: `long`, `record com.acme.User`.
pub(super) fn describe(schema: &Schema, ty: TypeId) -> String {
    match shape(schema, ty) {
        Some(shape @ (Shape::Fixed | Shape::Enum | Shape::Record)) => format!("{} {}", shape.name(), name(schema, ty)),
        Some(shape) => shape.name().to_owned(),
        None => "union".to_owned(),
    }
}

/// The shapes of two types that are no unions. Of null another rule speaks, unless values other than null are read as it.
fn shapes(at: &At<'_>, from: TypeId, to: TypeId) -> Option<(Shape, Shape)> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    Some((shape(writer, from).filter(|shape| *shape != Shape::Null)?, shape(reader, to)?))
}

fn type_kept(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((theirs, ours)) = shapes(at, from, to) else { return };
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    let is_map = |schema: &Schema, ty: TypeId| matches!(schema.kind(ty), Kind::Map(..));
    if theirs != ours && !theirs.is_promoted_to(ours) {
        let (from, to) = (describe(writer, from), describe(reader, to));
        at.broken(
            format!("{from} cannot be read as {to}"),
            format!("keep {from}, or add a field with a default for the new type"),
        );
    } else if theirs == Shape::Array && is_map(writer, from) != is_map(reader, to) {
        at.broken("an array is a map with other keys than strings on one side only", "keep `wirewise.map` as it is");
    } else if let (Kind::Map(key, _), Kind::Map(other, _), Shape::Array) = (writer.kind(from), reader.kind(to), theirs)
    {
        let (key, other) = (*key, *other);
        let shapes = (shape(writer, key), shape(reader, other));
        let promoted = shapes.0.zip(shapes.1).is_some_and(|(theirs, ours)| theirs.is_promoted_to(ours));
        if shapes.0 != shapes.1 && !promoted || !holds(writer, key, reader, other) {
            let (key, other) = (writer.describe(key), reader.describe(other));
            at.broken(format!("keys of a map are written as {key} and read as {other}"), format!("keep {key} keys"));
        }
    }
}

fn type_name(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((theirs, ours)) = shapes(at, from, to) else { return };
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    let named = matches!(theirs, Shape::Fixed | Shape::Enum | Shape::Record);
    if named && theirs == ours && names_fit(writer, from, reader, to).is_none() {
        let (old, new) = (name(writer, from), name(reader, to));
        at.broken(
            format!("{} {old} is called {new} by readers", theirs.name()),
            format!("add \"aliases\": [{:?}] to {new}", if old.contains('.') { &*old } else { unqualified(&old) }),
        );
    }
}

fn fixed_size(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    if let (Kind::Fixed(theirs), Kind::Fixed(ours)) = (writer.kind(from), reader.kind(to))
        && theirs != ours
    {
        let what = format!("fixed {} has {theirs} bytes, and {ours} for readers", name(writer, from));
        at.broken(what, "add a fixed type with another name, in a new field with a default");
    }
}

/// Precision and scale of a decimal.
pub(super) fn decimal(schema: &Schema, ty: TypeId) -> Option<(u64, u64)> {
    let about = schema.type_notes(ty);
    if about.get(notes::LOGICAL_TYPE) != Some("decimal") {
        return None;
    }
    let properties: Json = about.get(notes::PROPERTIES).and_then(|text| serde_json::from_str(text).ok())?;
    let number = |name: &str| properties.get(name).and_then(Json::as_u64).unwrap_or(0);
    Some((number("precision"), number("scale")))
}

fn decimal_kept(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let decimals = (decimal(writer, bare(writer, from)), decimal(reader, bare(reader, to)));
    if let (Some(theirs), Some(ours)) = decimals
        && theirs != ours
    {
        let describe = |(precision, scale): (u64, u64)| format!("precision {precision} and scale {scale}");
        let what = format!("a decimal of {} is read as one of {}", describe(theirs), describe(ours));
        at.broken(what, format!("keep {}, and add a field with a default for the new decimal", describe(theirs)));
    }
}

fn bytes_as_string(at: &mut At<'_>, from: TypeId, to: TypeId) {
    if let Some((Shape::Bytes, Shape::String)) = shapes(at, from, to) {
        at.broken("bytes are read as a string, and may be no UTF-8", "keep bytes").provoke(Provoke::Bytes(b"\xff\xfe"));
    }
}

/// Whether every value of a type is one of another that it is read as, by what the model knows beyond Avro.
fn holds(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> bool {
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Int(theirs), Kind::Int(ours)) => {
            // Avro's long has no larger values.
            let most = theirs.range().1.min(Int::I64.range().1);
            ours.range().0 <= theirs.range().0 && most <= ours.range().1
        }
        (Kind::Any, Kind::String | Kind::Bytes) | (Kind::String | Kind::Bytes, Kind::Any) => false,
        _ => true,
    }
}

fn exact_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((theirs, ours)) = shapes(at, from, to) else { return };
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    if theirs != ours && !theirs.is_promoted_to(ours) || holds(writer, from, reader, to) {
        return;
    }
    let provoke = match (writer.kind(from), reader.kind(to)) {
        (Kind::Int(theirs), Kind::Int(ours)) => {
            let (min, max) = ours.range();
            Provoke::Int(if theirs.range().1 > max { max + 1 } else { min - 1 })
        }
        _ => Provoke::Something,
    };
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(format!("{from} is read as {to}, which does not hold all of its values"), format!("read it as {from}"))
        .provoke(provoke);
}
