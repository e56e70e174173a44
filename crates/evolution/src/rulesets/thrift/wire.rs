//! Rules about messages as bytes.

use wirewise_core::{Enum, Float, Int, Kind, Schema, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};
use crate::sample::Provoke;

use super::super::shared;

pub(super) const FIELD_TYPE: Rule = Rule {
    name: "field-type",
    title: "A value keeps its type on the wire",
    level: Level::Wire,
    why: "Every field is written with its type. Readers skip a field whose type is not the one that they expect, as if it were not \
          there, without a word. `i32` and enums are one type, `string` and `binary` are one, and a `set` is read as a `list`; `i16`, `i32` \
          and `i64` are three.",
    check: Check::Types(field_type),
};

pub(super) const VALUE_RANGE: Rule = Rule {
    name: "value-range",
    title: "A reader's type holds every value of the writer's",
    level: Level::Wire,
    why: "Types that are one on the wire have different values: bytes that are no UTF-8 are no `string`, and not every `i32` is a number \
          of an enum.",
    check: Check::Types(value_range),
};

pub(super) const FIELD_REQUIRED: Rule = Rule {
    name: "field-required",
    title: "A field that readers require exists for every writer",
    level: Level::Wire,
    why: "A reader refuses a message without a `required` field, and writers whose schema does not have it write such messages. \
          Nothing that is `required` can ever be added or taken away.",
    check: Check::OnlyRead(field_required),
};

pub(super) const FIELD_NOT_ALWAYS_WRITTEN: Rule = Rule {
    name: "field-not-always-written",
    title: "A field that readers require is written in every message",
    level: Level::Wire,
    why: "A reader refuses a message without a `required` field, and a writer that has it as an `optional` one may leave it out.",
    check: Check::Fields(field_not_always_written),
};

pub(super) const UNION_FIELD: Rule = Rule {
    name: "union-field",
    title: "A union has every field that writers use",
    level: Level::Wire,
    why: "A union is a struct with exactly one field. A field that the reader does not know is skipped, and then there is none.",
    check: Check::Types(union_field),
};

pub(super) const ONEOF: Rule = Rule {
    name: "oneof-joined",
    title: "Fields that may be set together do not become a union",
    level: Level::Wire,
    why: "A struct and a union look the same on the wire, but a union has exactly one field. A struct with two is refused.",
    check: Check::Records(shared::oneof_joined),
};

/// What a value is on the wire; a struct around a value that has no form of its own counts as one.
fn wire_type(schema: &Schema, ty: TypeId) -> &'static str {
    match schema.kind(ty) {
        Kind::Null => "nothing",
        Kind::Bool => "bool",
        Kind::Int(Int::I8) => "i8",
        Kind::Int(Int::I16 | Int::U8) => "i16",
        Kind::Enum(e) if wirewise_formats::thrift::is_wide(e) => "i64",
        Kind::Int(Int::I32 | Int::U16) | Kind::Enum(_) => "i32",
        Kind::Int(Int::I64 | Int::U32 | Int::U64) => "i64",
        Kind::Float(_) => "double",
        Kind::Fixed(16) if schema.type_notes(ty).get("thrift.type") == Some("uuid") => "uuid",
        Kind::Any => "JSON text",
        Kind::String | Kind::Bytes | Kind::Fixed(_) => "string",
        Kind::List(_) => "list",
        Kind::Map(..) => "map",
        Kind::Nullable(_) => "struct around a value",
        Kind::Record(_) => "struct",
        Kind::Union(_) => "union",
    }
}

fn field_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if let (Kind::Map(from, _), Kind::Map(to, _)) = (writer.kind(from), reader.kind(to)) {
        let (from, to) = (*from, *to);
        if wire_type(writer, from) != wire_type(reader, to) || !holds(writer, from, reader, to) {
            let (from, to) = (writer.describe(from), reader.describe(to));
            let fix = format!("keep {from} keys");
            at.broken(format!("keys of a map are written as {from} and read as {to}"), fix).provoke(Provoke::Something);
        }
        return;
    }
    let (written, read) = (wire_type(writer, from), wire_type(reader, to));
    // A uuid is read where there are 16 bytes.
    if written == read {
        return;
    }
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is written as {written}, and read as {to}, which is {read}"),
        format!("keep the type {from}, and add a field with a new number for the new type"),
    );
}

/// Whether every value of one type is a value of another that is written alike.
fn holds(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> bool {
    let symbols = |e: &Enum, other: &Enum| e.symbols.iter().all(|symbol| other.position(symbol.number).is_some());
    let int32 = Int::I32.range();
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Int(from), Kind::Int(to)) => {
            // Thrift's i64 has no larger values.
            let most = from.range().1.min(i128::from(i64::MAX));
            to.range().0 <= from.range().0 && most <= to.range().1
        }
        (Kind::Int(from), Kind::Enum(e)) => !e.closed && int32.0 <= from.range().0 && from.range().1 <= int32.1,
        (Kind::Enum(e), Kind::Int(int)) => {
            let fits = e.symbols.iter().all(|symbol| int.holds(symbol.number.into()));
            if e.closed { fits } else { int.holds(int32.0) && int.holds(int32.1) }
        }
        (Kind::Enum(e), Kind::Enum(other)) => !other.closed || e.closed && symbols(e, other),
        (Kind::Float(Float::F64), Kind::Float(Float::F32)) => false,
        (Kind::Fixed(from), Kind::Fixed(to)) => from == to,
        (Kind::String | Kind::Bytes, Kind::Fixed(_)) | (Kind::Bytes | Kind::Fixed(_), Kind::String) => false,
        _ => true,
    }
}

fn value_range(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if wire_type(writer, from) != wire_type(reader, to) || holds(writer, from, reader, to) {
        return;
    }
    let unknown = match (writer.kind(from), reader.kind(to)) {
        (Kind::Enum(e), Kind::Enum(other)) => {
            let missing = e.symbols.iter().find(|symbol| other.position(symbol.number).is_none());
            missing.map_or(Provoke::Symbol(1_000_007), |symbol| Provoke::Symbol(symbol.number))
        }
        (Kind::Int(from), Kind::Int(to)) => {
            let (min, max) = to.range();
            Provoke::Int(if from.range().1 > max { max + 1 } else { min - 1 })
        }
        (Kind::Float(_), _) => Provoke::Float(0.1),
        (Kind::Bytes, _) => Provoke::Bytes(b"\xff\xfe"),
        _ => Provoke::Something,
    };
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is read as {to}, which does not hold all of its values"),
        format!("read it as {from}, or as a type that holds all of its values"),
    )
    .provoke(unknown);
}

/// Whether a message without the field is an error for its readers.
fn is_required(field: &FieldAt<'_>) -> bool {
    let thrift = field.field();
    let may_miss = thrift.notes.get("thrift.requiredness") == Some("default");
    let nothing = matches!(field.schema.kind(thrift.ty), Kind::Null);
    !thrift.is_stateful() && thrift.default.is_none() && !may_miss && !nothing
}

fn field_required(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    if is_required(&field) {
        at.broken(
            format!("the field {} is required, and writers do not have it", field.label()),
            "make it optional, or give it a default",
        )
        .writer(Element::Type(record))
        .reader(field.element())
        .provoke(Provoke::Fields(Vec::new()));
    }
}

fn field_not_always_written(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let null = matches!(writer.schema.kind(writer.field().ty), Kind::Null);
    if is_required(&reader) && (writer.field().is_stateful() || null) {
        let what = format!("the field {} is required by readers, but writers may leave it out", reader.label());
        at.broken(what, "make it optional for readers")
            .fields(writer, reader)
            .provoke(Provoke::Absent)
            .provoke(Provoke::Null);
    }
}

/// Unions are records with a oneof that must have a field, or unions of the model.
fn union_field(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if let (Kind::Union(_), Kind::Union(_)) = (writer.kind(from), reader.kind(to)) {
        return shared::union_branch(at, from, to);
    }
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (i, oneof) in read.oneofs.iter().enumerate().filter(|(_, oneof)| oneof.required) {
        let members = |number: u32| read.position_of_number(number).is_some_and(|at| read.fields[at].oneof == Some(i));
        // A message that has none of the members: one with a field that the reader lacks, or with none at all.
        let other = written.fields.iter().position(|field| field.oneof.is_some() && !members(field.number));
        let all_there = written.oneofs.iter().enumerate().any(|(n, other)| {
            let own = written.fields.iter().filter(|field| field.oneof == Some(n));
            other.required && own.clone().count() > 0 && own.clone().all(|field| members(field.number))
        });
        if all_there || written.fields.iter().any(|field| !field.is_optional() && members(field.number)) {
            continue;
        }
        let what = match other {
            Some(position) => format!("{} has no field {:?}", read.name, written.fields[position].name),
            None => format!("{} needs one of the fields of {:?}, and writers may set none", read.name, oneof.name),
        };
        let fields = other.map_or_else(Vec::new, |position| vec![position]);
        let element = other.map_or(Element::Type(from), |position| Element::Field(from, position));
        at.broken(what, "keep the field, or let readers have it before it is written")
            .writer(element)
            .reader(Element::Type(to))
            .provoke(Provoke::Fields(fields));
    }
}
