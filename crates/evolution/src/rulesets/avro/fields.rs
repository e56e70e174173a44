//! Rules about fields that one side does not have.

use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};
use crate::sample::Provoke;

use super::super::shared;
use super::defaults::{self, Default};
use super::types::describe;

pub(super) const WITHOUT_DEFAULT: Rule = Rule {
    name: "field-without-default",
    title: "A field that writers do not have has a default",
    level: Level::Wire,
    why: "A reader takes the default of a field that the writer's record does not have. Without a default it refuses everything from \
          that writer. `[\"null\", \"string\"]` is no default: that takes `\"default\": null`. So a field can be added, and later \
          be removed, only if it has a default.",
    check: Check::OnlyRead(without_default),
};

pub(super) const INVALID_DEFAULT: Rule = Rule {
    name: "invalid-default",
    title: "The default of a field that writers do not have is a value of its type",
    level: Level::Wire,
    why: "A default is looked at only when it is needed. One that is no value of the field's type (a string for a number, null \
          for a union without null) is no default then.",
    check: Check::OnlyRead(invalid_default),
};

pub(super) const ONEOF_JOINED: Rule = Rule {
    name: "oneof-joined",
    title: "Fields that may be set together are in no oneof",
    level: Level::Wire,
    why: "Avro has no groups of fields of which one may be set: Wirewise keeps them in `wirewise.oneofs`, and refuses a message with \
          two of a group. Other readers take it.",
    check: Check::Records(shared::oneof_joined),
};

pub(super) const ONEOF_REQUIRED: Rule = Rule {
    name: "oneof-required",
    title: "One of the fields of a group that readers require is always written",
    level: Level::Wire,
    why: "A group in `wirewise.oneofs` may be required. A message that has none of its fields, because the writer has others or may \
          leave them all out, is refused by Wirewise.",
    check: Check::Records(oneof_required),
};

fn without_default(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    if defaults::of(field.schema, field.field()) == Default::Missing {
        let name = &field.field().name;
        let fix = if field.field().is_nullable() { "add \"default\": null" } else { "give it a default" };
        at.broken(format!("the field {name:?} has no default, and writers do not have it"), fix)
            .writer(Element::Type(record))
            .reader(field.element());
    }
}

fn invalid_default(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    if let Default::Invalid(json) = defaults::of(field.schema, field.field()) {
        let (name, ty) = (&field.field().name, describe(field.schema, field.field().value_type()));
        at.broken(format!("the default {json} of the field {name:?} is no {ty}"), format!("make it a value of {ty}"))
            .writer(Element::Type(record))
            .reader(field.element());
    }
}

fn oneof_required(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let other: Vec<Option<usize>> = (0..written.fields.len())
        .map(|position| (at.ruleset.match_field)(writer, written, position, reader, read))
        .collect();
    for (group, oneof) in read.oneofs.iter().enumerate().filter(|(_, oneof)| oneof.required) {
        let is_member = |position: usize| other[position].is_some_and(|other| read.fields[other].oneof == Some(group));
        let always = |position: usize| !written.fields[position].is_stateful() && is_member(position);
        // A required group of the writer's whose fields are all in this one.
        let whole = |n: usize| {
            let own = || (0..written.fields.len()).filter(|&position| written.fields[position].oneof == Some(n));
            written.oneofs[n].required && own().count() > 0 && own().all(is_member)
        };
        if (0..written.fields.len()).any(always) || (0..written.oneofs.len()).any(whole) {
            continue;
        }
        let others = (0..written.fields.len())
            .find(|&position| written.fields[position].oneof.is_some() && !is_member(position));
        let what = format!("{} needs one of the fields of {:?}, and writers may set none", read.name, oneof.name);
        at.broken(what, "let the group be optional for readers")
            .writer(Element::Type(from))
            .reader(Element::Oneof(to, group))
            .provoke(Provoke::Fields(others.into_iter().collect()));
    }
}
