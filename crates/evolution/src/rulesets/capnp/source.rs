//! Rules about source code, and about what keeps later changes safe.

use wirewise_core::{Kind, TypeId};
use wirewise_formats::capnp::{FieldPlace, notes};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

use super::super::shared;
use super::structs::pairs;
use super::unions::in_oneof;

pub(super) const FIELD_NUMBER: Rule = Rule {
    name: "field-number",
    title: "A field keeps its number",
    level: Level::Source,
    why: "Where two fields happen to change their numbers without changing their places, messages arrive. But everything that knows \
          fields by their numbers is wrong then, and the next change of the struct is made of false history.",
    check: Check::Fields(field_number),
};

pub(super) const FIELD_NAME: Rule = Rule {
    name: "field-name",
    title: "A field keeps its name",
    level: Level::Source,
    why: "Names are not in messages, and may be changed. But they are in generated code, and in the JSON that `capnp` converts to.",
    check: Check::Fields(field_name),
};

pub(super) const ENUMERANT_NAME: Rule = Rule {
    name: "enumerant-name",
    title: "An enumerant keeps its name",
    level: Level::Source,
    why: "Numbers go into messages, names into generated code and JSON.",
    check: Check::Enums(shared::symbol_renamed),
};

pub(super) const FIELD_REMOVED: Rule = Rule {
    name: "field-removed",
    title: "A field is not removed",
    level: Level::Source,
    why: "Numbers have no gaps: a field that is taken out of the middle moves all others, and one that is taken from the end leaves \
          its number, and its place, to the next field that is added, which then reads old values. Fields that are no longer used \
          stay, under a name like `obsoleteZip`.",
    check: Check::OnlyWritten(field_removed),
};

pub(super) const ENUMERANT_REMOVED: Rule = Rule {
    name: "enumerant-removed",
    title: "An enumerant is not removed",
    level: Level::Source,
    why: "Stored messages have its number, and source code its name. The next one that is added would get that number.",
    check: Check::Enums(enumerant_removed),
};

pub(super) const TYPE_REMOVED: Rule = Rule {
    name: "type-removed",
    title: "A type is not removed or renamed",
    level: Level::Source,
    why: "Source code names generated types. A type with the id that it had may have another name, as messages do not know it.",
    check: Check::Modules(type_removed),
};

pub(super) const TYPE_ID: Rule = Rule {
    name: "type-id",
    title: "A type keeps its id",
    level: Level::Source,
    why: "Ids are not in messages, but in everything that speaks of types: interfaces, reflection, schemas that import each other, and \
          the ids that are made from the id of the file and the names of the types inside.",
    check: Check::Types(type_id),
};

pub(super) const FIELD_TYPE_NAME: Rule = Rule {
    name: "field-type-name",
    title: "A field keeps its type in generated code",
    level: Level::Source,
    why: "Types that are laid out alike (`UInt16` and an enum, two structs with the same fields, a list whose elements became structs) \
          are different types in source code.",
    check: Check::Fields(type_name),
};

pub(super) const GROUP: Rule = Rule {
    name: "field-scope",
    title: "A field stays in its group or union in generated code",
    level: Level::Source,
    why: "Moving a field into a new group or union is safe for messages, but its accessor is another one then, and members of a union \
          must be asked whether they are there.",
    check: Check::Types(scope),
};

fn field_number(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (writer.field().number, reader.field().number);
    if old != new {
        let what = format!("the field {:?} was @{} and is @{}", writer.field().name, ordinal(old), ordinal(new));
        at.broken(what, "keep the number").fields(writer, reader);
    }
}

fn field_name(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (&writer.field().name, &reader.field().name);
    if old != new {
        let what = format!("the field @{} is renamed from {old:?} to {new:?}", ordinal(writer.field().number));
        at.broken(what, "keep the name").fields(writer, reader);
    }
}

/// The number as `.capnp` files have it.
fn ordinal(number: u32) -> u32 {
    number.saturating_sub(1)
}

fn field_removed(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    let (name, number) = (&field.field().name, ordinal(field.field().number));
    at.broken(format!("the field {name:?} (@{number}) is removed"), "keep it, and rename it if it is obsolete")
        .writer(field.element())
        .reader(Element::Type(record));
}

fn enumerant_removed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, symbol) in written.symbols.iter().enumerate() {
        if read.position_of(symbol.name.as_bytes()).is_none() && position >= read.symbols.len() {
            at.broken(format!("{} = {position} is removed", symbol.name), "keep it, and rename it if it is obsolete")
                .writer(Element::Symbol(from, position))
                .reader(Element::Type(to));
        }
    }
}

fn type_removed(at: &mut At<'_>) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let ids = at.ruleset.type_ids(reader);
    let mut gone = Vec::new();
    for id in writer.named_types() {
        let Some(name) = writer.name(id).filter(|name| reader.named(name).is_none()) else { continue };
        gone.push(match at.ruleset.type_id(writer, id).and_then(|id| ids.get(id)) {
            Some(&other) => (id, format!("the type {name} is now called {}", reader.describe(other)), Some(other)),
            None => (id, format!("the type {name} is gone"), None),
        });
    }
    for (id, what, other) in gone {
        let report = at.broken(what, "keep it, and its name").writer(Element::Type(id));
        if let Some(other) = other {
            report.reader(Element::Type(other));
        }
    }
}

fn type_id(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (old, new) = (writer.type_notes(from).get(notes::ID), reader.type_notes(to).get(notes::ID));
    // Where the id is made from the name and the file's id, both count.
    let file = (writer.notes().get(notes::ID), reader.notes().get(notes::ID));
    let is_named =
        |schema: &wirewise_core::Schema, ty: TypeId| matches!(schema.kind(ty), Kind::Record(_) | Kind::Enum(_));
    if !is_named(writer, from) || !is_named(reader, to) {
        return;
    }
    let what = match (old, new) {
        (Some(old), Some(new)) if old == new => return,
        (None, None) if file.0 == file.1 && writer.name(from) == reader.name(to) => return,
        (None, None) if file.0 != file.1 => "the id of the file changes, and with it that of the type".to_owned(),
        (None, None) => "the name of the type changes, and with it its id".to_owned(),
        (Some(old), Some(new)) => format!("the id changes from @{old} to @{new}"),
        // It may be the one that it had: only the compiler can tell.
        (None, Some(_)) => return,
        (Some(old), None) => format!("the id @{old} is no longer said"),
    };
    at.broken(what, "write the id that the type had after its name: `capnp compile -ocapnp` shows it")
        .writer(Element::Type(from))
        .reader(Element::Type(to));
}

fn type_name(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    // A type that was renamed is said once, by another rule.
    let ids = (writer.field().value_type(), reader.field().value_type());
    let renamed = match (writer.schema.kind(ids.0), reader.schema.kind(ids.1)) {
        (Kind::Record(_), Kind::Record(_)) | (Kind::Enum(_), Kind::Enum(_)) => {
            let gone = |name: Option<&str>, other: &wirewise_core::Schema| {
                name.is_some_and(|name| other.named(name).is_none())
            };
            gone(writer.schema.name(ids.0), reader.schema) && gone(reader.schema.name(ids.1), writer.schema)
        }
        _ => false,
    };
    if !renamed {
        shared::type_name(at, writer, reader);
    }
}

fn scope(at: &mut At<'_>, from: TypeId, to: TypeId) {
    for pair in pairs(at, from, to) {
        for (from, to) in pair.matched() {
            let text = |place: &FieldPlace, is_member: bool| match (place.way.len(), is_member) {
                (0 | 1, false) => "in no group or union",
                (0 | 1, true) => "in a union",
                (_, false) => "in a group",
                (_, true) => "in a union's group",
            };
            let old = text(from, in_oneof(&at.writer.schema, pair.types.0, from));
            let new = text(to, in_oneof(&at.reader.schema, pair.types.1, to));
            if old != new {
                let (name, _) = pair.names(at, from, to);
                let schemas = (&at.writer.schema, &at.reader.schema);
                let report = at.broken(format!("{name} was {old} and is {new}"), "leave it where it was");
                pair.show(schemas, report, from, Some(to));
            }
        }
    }
}
