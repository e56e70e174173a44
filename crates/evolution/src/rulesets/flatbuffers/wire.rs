//! Rules about buffers as bytes.

use serde_json::Value as Json;
use wirewise_core::{Enum, Kind, Schema, TypeId};
use wirewise_formats::flatbuffers::ids;
use wirewise_idl::Element;

use crate::compare::default_of;
use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Hop, Rule};
use crate::sample::Provoke;

use super::super::shared;
use super::forms::{form, is_struct};

pub(super) const FIELD_ID: Rule = Rule {
    name: "field-id",
    title: "A field keeps its id",
    level: Level::Wire,
    why: "A table's fields are found by their ids, which count the fields in the order of the schema unless it says `(id: n)`. \
          So new fields go to the end, and fields are never removed or moved: they are marked `(deprecated)`.",
    check: Check::Records(field_id),
};

pub(super) const ID_REUSED: Rule = Rule {
    name: "id-reused",
    title: "A new field has an id that no other field had",
    level: Level::Wire,
    why: "Where a removed field was, a reader of the new one finds the old value, and takes it for its own.",
    check: Check::Records(id_reused),
};

pub(super) const FIELD_FORM: Rule = Rule {
    name: "field-form",
    title: "A field keeps its type",
    level: Level::Wire,
    why: "Nothing in a buffer says what a field is. A reader that expects another type reads the same bytes as a number, an offset, \
          or a length, and may end up anywhere.",
    check: Check::Fields(field_form),
};

pub(super) const VALUE_RANGE: Rule = Rule {
    name: "value-range",
    title: "A reader's type holds every value of the writer's",
    level: Level::Wire,
    why: "A number may be a symbol of an enum to one side only, and bytes may have a length that the other side does not expect.",
    check: Check::Types(value_range),
};

pub(super) const STRUCT: Rule = Rule {
    name: "struct-changed",
    title: "A struct never changes",
    level: Level::Wire,
    why: "Structs lie in their place without a table of offsets: every byte of them has a fixed meaning. Use a table for what may \
          grow.",
    check: Check::Records(struct_changed),
};

pub(super) const DEFAULT: Rule = Rule {
    name: "default",
    title: "A field keeps its default",
    level: Level::Wire,
    why: "A scalar that equals its default is not written. The reader takes its own default instead.",
    check: Check::Fields(default),
};

pub(super) const UNION_MEMBER: Rule = Rule {
    name: "union-member",
    title: "A union has every member that writers use, with the same number",
    level: Level::Wire,
    why: "The number of a member says what its offset points to. Numbers count the members in the order of the schema, unless it says \
          otherwise: new members go to the end.",
    check: Check::Types(union_member),
};

pub(super) const REQUIRED_UNION: Rule = Rule {
    name: "required-union",
    title: "A union that readers require is written in every buffer",
    level: Level::Wire,
    why: "A union has no default: without it a reader that requires one has nothing.",
    check: Check::Records(required_union),
};

pub(super) const ONEOF: Rule = Rule {
    name: "oneof-joined",
    title: "Fields that may be set together are in no oneof",
    level: Level::Wire,
    why: "FlatBuffers has no groups of fields of which only one may be there; a schema that says so refuses two of them.",
    check: Check::Records(shared::oneof_joined),
};

/// What became of a field whose id readers take for something else.
enum Fate {
    /// The reader's field has its name: its type was changed.
    Kept,
    /// The reader has it elsewhere.
    Moved(usize),
    /// The reader has given its id to another one.
    Replaced,
}

fn fate(writer: &FieldAt<'_>, reader: &FieldAt<'_>) -> Fate {
    let name = &writer.field().name;
    if reader.field().name == *name {
        return Fate::Kept;
    }
    reader.record.fields.iter().position(|field| field.name == *name).map_or(Fate::Replaced, Fate::Moved)
}

/// Fields with the same number, and how they are written and read where that differs.
fn misread<'a>(at: &At<'a>, from: TypeId, to: TypeId) -> Vec<(FieldAt<'a>, FieldAt<'a>, String, String)> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return Vec::new() };
    let pairs = written.fields.iter().enumerate().filter_map(|(position, field)| {
        let other = read.position_of_number(field.number)?;
        let writer = FieldAt { schema: writer, ty: from, record: written, position };
        let reader = FieldAt { schema: reader, ty: to, record: read, position: other };
        let (old, new) = differs(&writer, &reader)?;
        Some((writer, reader, old, new))
    });
    pairs.collect()
}

/// How a field is written and read, where that differs.
fn differs(writer: &FieldAt<'_>, reader: &FieldAt<'_>) -> Option<(String, String)> {
    let null = |field: &FieldAt<'_>| matches!(field.schema.kind(field.field().value_type()), Kind::Null);
    // An optional null is a byte that is there; a required one is nothing at all.
    let whole = |field: &FieldAt<'_>| match null(field) {
        true if field.field().is_optional() => "a byte that only is there".to_owned(),
        _ => form(field.schema, field.field().value_type()),
    };
    let (old, new) = (whole(writer), whole(reader));
    (old != new && (writer.field().is_optional() || !null(writer))).then_some((old, new))
}

fn field_id(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let fix = "add fields at the end, and deprecate instead of removing; or give every field its id";
    for (writer, reader, old, new) in misread(at, from, to) {
        if let Fate::Moved(position) = fate(&writer, &reader) {
            let (name, other) = (&writer.field().name, &reader.field().name);
            let what = format!("the field {name:?} has another id for readers, who take {old} for {other:?}, {new}");
            let moved = FieldAt { position, ..reader };
            at.broken(what, fix).fields(writer, moved);
        }
    }
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let (Ok(old), Ok(new)) = (ids(writer, from), ids(reader, to)) else { return };
    // Notes may number fields otherwise than by their ids.
    for (position, field) in written.fields.iter().enumerate() {
        let Some(other) = read.position_of_number(field.number) else { continue };
        if let (Some(old), Some(new)) = (old[position], new[other])
            && old != new
        {
            let what = format!("the field {:?} is written with the id {old}, and read with {new}", field.name);
            at.broken(what, fix)
                .writer(Element::Field(from, position))
                .reader(Element::Field(to, other))
                .hop(Hop::Field(position));
        }
    }
}

fn id_reused(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let fix = "keep the old field, deprecated, and add the new one at the end";
    for (writer, reader, old, new) in misread(at, from, to) {
        if let Fate::Replaced = fate(&writer, &reader) {
            let (name, other) = (&writer.field().name, &reader.field().name);
            let what = format!("{other:?} has the id of {name:?}: what is written as {old} is read as {new}");
            at.broken(what, fix).fields(writer, reader);
        }
    }
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let (Ok(old), Ok(new)) = (ids(writer, from), ids(reader, to)) else { return };
    // A union has two ids: that of its value, and the one before.
    let taken = |schema: &Schema, field: &wirewise_core::Field, id: u16| {
        let is_union = matches!(schema.kind(field.value_type()), Kind::Union(_));
        id.saturating_sub(u16::from(is_union))..=id
    };
    for (position, field) in read.fields.iter().enumerate() {
        // A field that holds nothing has no id: then it is as if writers did not have it.
        if written.position_of_number(field.number).is_some_and(|other| old[other].is_some()) {
            continue;
        }
        let Some(id) = new[position] else { continue };
        let own = taken(reader, field, id);
        let other =
            written.fields.iter().enumerate().find(|(other, field)| {
                old[*other].is_some_and(|id| taken(writer, field, id).any(|id| own.contains(&id)))
            });
        if let Some((other, old)) = other {
            let what = format!("the new field {:?} has the id {id}, where writers have {:?}", field.name, old.name);
            at.broken(what, fix)
                .writer(Element::Field(from, other))
                .reader(Element::Field(to, position))
                .hop(Hop::Field(other));
        }
    }
}

fn field_form(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    if let (Fate::Kept, Some((old, new))) = (fate(&writer, &reader), differs(&writer, &reader)) {
        at.broken(
            format!("the field {} is written as {old}, and read as {new}", writer.label()),
            "keep the type, and add a new field at the end for the new one",
        )
        .fields(writer, reader);
    }
}

fn value_range(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if form(writer, from) != form(reader, to) {
        return;
    }
    unwritten_symbol(at, from, to);
    let missing = |e: &Enum, other: &Enum| {
        e.symbols.iter().map(|symbol| symbol.number).find(|&number| other.position(number).is_none())
    };
    let unknown = match (writer.kind(from), reader.kind(to)) {
        (Kind::Enum(e), Kind::Enum(other)) if other.closed => match missing(e, other) {
            Some(number) => Provoke::Symbol(number),
            None if e.closed => return,
            None => Provoke::Symbol((0..).find(|&number| other.position(number).is_none()).unwrap_or(0)),
        },
        (Kind::Int(_), Kind::Enum(other)) if other.closed => {
            Provoke::Int((0..).find(|&number| other.position(number).is_none()).unwrap_or(0).into())
        }
        (Kind::Fixed(size), Kind::Fixed(other)) if size != other => Provoke::Something,
        (Kind::Bytes, Kind::Fixed(_)) => Provoke::Something,
        _ => return,
    };
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is read as {to}, which does not have all of its values"),
        "let readers have the new values before they are written",
    )
    .provoke(unknown);
}

/// In a table that is no record's (a map's entry, a box) the symbol that is the default is left out, too.
fn unwritten_symbol(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let bare = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Nullable(inner) => (*inner, true),
        _ => (ty, false),
    };
    let ((from, nullable), (to, _)) = (bare(writer, from), bare(reader, to));
    let default = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Enum(e) if e.position(0).is_none() => Some(e.symbols[0].number),
        Kind::Enum(_) | Kind::Int(_) => Some(0),
        _ => None,
    };
    let (Some(old), Some(new)) = (default(writer, from), default(reader, to)) else { return };
    let in_table = match at.trail.last() {
        Some(Hop::Value | Hop::Branch(_)) => !nullable,
        _ => false,
    };
    if in_table && old != new {
        at.broken(format!("{old} is left out, and {new} is what readers take then"), "keep a symbol with the number 0")
            .writer(Element::Type(from))
            .reader(Element::Type(to))
            .provoke(Provoke::Symbol(old))
            .provoke(Provoke::Int(old.into()));
    }
}

fn struct_changed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if !is_struct(writer, from) || !is_struct(reader, to) {
        return;
    }
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let layout = |schema: &Schema, record: &wirewise_core::Record| {
        let fields = record.by_number().into_iter().map(|position| &record.fields[position]);
        fields
            .map(|field| (field.number, schema.type_json(field.ty).to_string(), form(schema, field.ty)))
            .collect::<Vec<_>>()
    };
    let (old, new) = (layout(writer, written), layout(reader, read));
    let forms = |fields: &[(u32, String, String)]| {
        fields.iter().map(|(number, _, form)| (*number, form.clone())).collect::<Vec<_>>()
    };
    if forms(&old) != forms(&new) {
        let what = format!("the struct {} has other fields for readers than for writers", written.name);
        // The first of several structs may look right: the next begins elsewhere.
        let in_vector = at.trail.last() == Some(&Hop::Item);
        let report = at
            .broken(what, "leave the struct alone, and add a new one (or a table) in a new field")
            .writer(Element::Type(from))
            .reader(Element::Type(to));
        if in_vector {
            report.up().provoke(Provoke::Items(2))
        } else {
            report.provoke(Provoke::Something)
        };
    }
}

/// What a scalar is when it is not in the table.
fn when_missing(field: &FieldAt<'_>) -> Json {
    let ty = field.field().value_type();
    let null = field.field().is_nullable() && !field.field().is_optional();
    match default_of(field.schema, field.field()).filter(|default| !null && !default.is_null()) {
        Some(default) => default,
        // The default of an enum is 0, or its first symbol where none is 0.
        None => match field.schema.kind(ty) {
            Kind::Enum(e) if !field.field().is_stateful() && e.position(0).is_none() => Json::from(e.symbols[0].number),
            _ => Json::from(0),
        },
    }
}

fn default(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let types = (writer.field().value_type(), reader.field().value_type());
    let (written, read) = (when_missing(&writer), when_missing(&reader));
    let zero = |json: &Json| {
        json.as_f64() == Some(0.0)
            || *json == false
            || *json == ""
            || json.as_array().is_some_and(Vec::is_empty)
            || json.as_object().is_some_and(serde_json::Map::is_empty)
    };
    let number = |json: &Json| json.as_f64().or(json.as_bool().map(|bool| f64::from(u8::from(bool))));
    let same = written == read
        || zero(&written) && zero(&read)
        || number(&written).is_some() && number(&written) == number(&read);
    // A required null is never written.
    let nothing = matches!(writer.schema.kind(types.0), Kind::Null) && !writer.field().is_optional();
    if !same && (nothing || form(writer.schema, types.0) == form(reader.schema, types.1)) {
        at.broken(
            format!("the field {} is {written} to writers when it is not there, and {read} to readers", writer.label()),
            format!("keep the default {written}"),
        )
        .fields(writer, reader)
        .provoke(Provoke::Absent)
        .provoke(Provoke::Zero);
    }
}

fn union_member(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Union(written), Kind::Union(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, branch) in written.branches.iter().enumerate() {
        let other = read.branches.iter().position(|other| other.number == branch.number);
        let what = match other {
            None => format!("union {} has no member {:?} (number {})", read.name, branch.name, branch.number),
            Some(other) => {
                let (old, new) = (form(writer, branch.ty), form(reader, read.branches[other].ty));
                if old == new {
                    continue;
                }
                format!("member {:?} of union {} is written as {old}, and read as {new}", branch.name, read.name)
            }
        };
        let report = at
            .broken(what, "add members at the end, and keep those that there are")
            .writer(Element::Branch(from, position))
            .reader(other.map_or(Element::Type(to), |other| Element::Branch(to, other)));
        report.provoke(Provoke::Branch(position));
    }
}

/// Whether a value of this type, which is not in the table, would have to have a union in it.
fn needs_union(schema: &Schema, ty: TypeId, depth: usize) -> bool {
    match schema.kind(ty) {
        Kind::Union(_) => true,
        Kind::Record(record) if depth < 64 => {
            let required = record.fields.iter().filter(|field| !field.is_stateful());
            required.into_iter().any(|field| needs_union(schema, field.ty, depth + 1))
        }
        _ => false,
    }
}

fn required_union(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, field) in read.fields.iter().enumerate() {
        if field.is_stateful() || !needs_union(reader, field.ty, 0) {
            continue;
        }
        let other = written.position_of_number(field.number);
        if other.is_some_and(|other| !written.fields[other].is_stateful()) {
            continue;
        }
        let what = format!("the union {:?} is required by readers, and writers may leave it out", field.name);
        let report = at
            .broken(what, "make it optional for readers")
            .writer(other.map_or(Element::Type(from), |other| Element::Field(from, other)))
            .reader(Element::Field(to, position));
        report.provoke(Provoke::Fields(Vec::new()));
    }
}
