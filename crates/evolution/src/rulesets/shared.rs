//! Checks that are the same in several formats.

use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::rule::{At, FieldAt};
use crate::sample::Provoke;

/// Fields that may be set together for the writer are in one oneof for the reader.
pub(super) fn oneof_joined(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let other = |position: usize| (at.ruleset.match_field)(writer, written, position, reader, read);
    for (i, oneof) in read.oneofs.iter().enumerate() {
        let joined: Vec<usize> = (0..written.fields.len())
            .filter(|&position| other(position).is_some_and(|other| read.fields[other].oneof == Some(i)))
            .collect();
        let apart = joined.iter().enumerate().find_map(|(n, &first)| {
            let together = |&&second: &&usize| {
                written.fields[first].oneof.is_none() || written.fields[first].oneof != written.fields[second].oneof
            };
            joined[n + 1..].iter().find(together).map(|&second| (first, second))
        });
        if let Some((first, second)) = apart {
            let names = (&written.fields[first].name, &written.fields[second].name);
            let what =
                format!("{:?} and {:?} may be set together, but are both in oneof {:?}", names.0, names.1, oneof.name);
            at.broken(what, "leave existing fields where they are, and add new fields to the oneof")
                .writer(Element::Field(from, first))
                .reader(Element::Oneof(to, i))
                .provoke(Provoke::Fields(vec![first, second]));
        }
    }
}

/// A closed enum of the reader lacks a number that the writer may use.
pub(super) fn closed_enum(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    if !read.closed {
        return;
    }
    for (position, symbol) in written.symbols.iter().enumerate() {
        if read.position(symbol.number).is_none() {
            let what =
                format!("enum {} has no number {}, which writers have as {}", read.name, symbol.number, symbol.name);
            at.broken(what, "add the symbol to the readers first, or make the enum open")
                .writer(Element::Symbol(from, position))
                .reader(Element::Type(to))
                .provoke(Provoke::Symbol(symbol.number));
        }
    }
    if !written.closed {
        let unknown = (1..).map(|n| n * 1000 + 7).find(|&n| read.position(n).is_none()).unwrap_or(i64::from(i32::MAX));
        let what = format!("enum {} is closed, but writers may use any number", read.name);
        at.broken(what, "make the enum open")
            .writer(Element::Type(from))
            .reader(Element::Type(to))
            .provoke(Provoke::Symbol(unknown));
    }
}

/// A union of the reader lacks a branch of the writer.
pub(super) fn union_branch(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Union(written), Kind::Union(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, branch) in written.branches.iter().enumerate() {
        if !read.branches.iter().any(|other| other.number == branch.number) {
            let what = format!("union {} has no branch {:?} (number {})", read.name, branch.name, branch.number);
            at.broken(what, "keep the branch, or let readers have it before it is written")
                .writer(Element::Branch(from, position))
                .reader(Element::Type(to))
                .provoke(Provoke::Branch(position));
        }
    }
}

/// A named type of the writer does not exist for the reader.
pub(super) fn type_removed(at: &mut At<'_>) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let gone: Vec<(TypeId, String)> = writer
        .named_types()
        .filter_map(|id| Some((id, writer.name(id)?.to_owned())))
        .filter(|(_, name)| reader.named(name).is_none())
        .collect();
    for (id, name) in gone {
        at.broken(format!("the type {name} is gone"), "keep it, deprecated").writer(Element::Type(id));
    }
}

/// A field has another type in generated code.
pub(super) fn type_name(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let describe = |field: &FieldAt<'_>| {
        let ty = field.field().ty;
        let exact = field.schema.type_notes(ty).iter().find(|(key, _)| key.ends_with(".type"));
        exact.map_or_else(|| field.schema.describe(ty), |(_, name)| name.to_owned())
    };
    let (old, new) = (describe(&writer), describe(&reader));
    if old != new {
        at.broken(format!("the field {} changes from {old} to {new}", writer.label()), format!("keep the type {old}"))
            .fields(writer, reader);
    }
}

/// A field that could be absent always is there, or the reverse.
pub(super) fn presence(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let label = |field: &FieldAt<'_>| match field.field().is_optional() {
        true => "optional",
        false => "always there",
    };
    let (old, new) = (label(&writer), label(&reader));
    if old != new {
        at.broken(format!("the field {} was {old} and is {new}", writer.label()), format!("keep it {old}"))
            .fields(writer, reader);
    }
}

/// A field joins a oneof, or leaves it.
pub(super) fn oneof_member(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let oneof = |field: &FieldAt<'_>| {
        field
            .field()
            .oneof
            .map_or_else(|| "in no oneof".to_owned(), |i| format!("in oneof {:?}", field.record.oneofs[i].name))
    };
    let (old, new) = (oneof(&writer), oneof(&reader));
    if old != new {
        at.broken(format!("the field {} was {old} and is {new}", writer.label()), format!("keep it {old}"))
            .fields(writer, reader);
    }
}

/// A field has another name.
pub(super) fn field_renamed(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (&writer.field().name, &reader.field().name);
    if old != new {
        let what = format!("field {} is renamed from {old:?} to {new:?}", writer.field().number);
        at.broken(what, "keep the name").fields(writer, reader);
    }
}

/// A number of an enum has another name.
pub(super) fn symbol_renamed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, symbol) in written.symbols.iter().enumerate() {
        let renamed = read.symbols.iter().position(|other| other.number == symbol.number);
        if let (Some(other), None) = (renamed, read.position_of(symbol.name.as_bytes())) {
            let what = format!("{} = {} is renamed to {}", symbol.name, symbol.number, read.symbols[other].name);
            at.broken(what, "keep the name").writer(Element::Symbol(from, position)).reader(Element::Symbol(to, other));
        }
    }
}
