//! Rules about unions, and about null, which is a branch of one.

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, Hop, Rule};
use crate::sample::Provoke;

use super::matching::{Branch, Choices, bare, branches, fit};
use super::types::describe;

pub(super) const BRANCH: Rule = Rule {
    name: "union-branch",
    title: "Every branch of a union can be read",
    level: Level::Wire,
    why: "A value of a union is read as the first branch of the reader's union that has its type, or else as the first that its \
          type is promoted to. A value of a branch that matches none is refused when it comes.",
    check: Check::Types(branch),
};

pub(super) const NULL: Rule = Rule {
    name: "null",
    title: "What may be null for writers may be null for readers",
    level: Level::Wire,
    why: "A value that may be null is a union with `null`. A reader that has no `null` in its union, or no union, refuses it.",
    check: Check::Types(null),
};

fn branch(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    let choices = if let Kind::Union(union) = reader.kind(to) { Some(Choices::new(reader, union)) } else { None };
    let read = |from: Branch<'_>| match &choices {
        Some(choices) => !choices.of(writer, from).is_empty(),
        None => !from.is_wrapped() && fit(writer, from.ty, reader, to).is_some(),
    };
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Union(union), kind) => {
            let lost = branches(writer, union).into_iter().enumerate().filter(|(_, branch)| !read(*branch));
            for (position, branch) in lost {
                let whole = match kind {
                    Kind::Union(_) => "the reader's union has no branch for it".to_owned(),
                    _ => format!("readers have {} instead of a union", describe(reader, to)),
                };
                at.broken(
                    format!("values of the branch {} cannot be read: {whole}", describe(writer, branch.ty)),
                    "keep the branch, or let readers have it before it is written",
                )
                .writer(Element::Branch(from, position))
                .hop(Hop::Branch(position))
                .provoke(Provoke::Something);
            }
        }
        (kind, Kind::Union(_)) if *kind != Kind::Null && !read(Branch::alone(from)) => {
            let old = describe(writer, from);
            at.broken(format!("{old} is read as a union that has no branch for it"), format!("add {old} to the union"));
        }
        _ => {}
    }
}

/// Looks at what is inside two types, because it is there that null is beside a type; and at the message itself.
fn null(at: &mut At<'_>, from: TypeId, to: TypeId) {
    if at.trail.is_empty() {
        null_of(at, (from, false), (to, false), None);
    }
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    match (writer.kind(from), reader.kind(to)) {
        (Kind::List(written), Kind::List(read)) => null_of(at, (*written, false), (*read, false), Some(Hop::Item)),
        (Kind::Map(_, written), Kind::Map(_, read)) => {
            null_of(at, (*written, false), (*read, false), Some(Hop::Value));
        }
        (Kind::Record(written), Kind::Record(read)) => {
            for (position, field) in written.fields.iter().enumerate() {
                let Some(other) = (at.ruleset.match_field)(writer, written, position, reader, read) else { continue };
                let elements = at.elements;
                at.elements = (Element::Field(from, position), Element::Field(to, other));
                let value = |field: &wirewise_core::Field| (field.value_type(), field.is_stateful());
                null_of(at, value(field), value(&read.fields[other]), Some(Hop::Field(position)));
                at.elements = elements;
            }
        }
        _ => {}
    }
}

/// The same for values of two types, which may be null beside them.
fn null_of(at: &mut At<'_>, (from, from_null): (TypeId, bool), (to, to_null): (TypeId, bool), hop: Option<Hop>) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let has_null = |schema: &Schema, ty: TypeId| matches!(schema.kind(ty), Kind::Nullable(_) | Kind::Null);
    if (from_null || has_null(writer, from)) && !to_null && !has_null(reader, to) {
        let what = match writer.kind(from) {
            Kind::Null => format!("null is read as {}", describe(reader, to)),
            _ => format!("writers may write null, and readers have {} without null", describe(reader, to)),
        };
        let mut report = at.broken(what, "keep null in the reader's type");
        if let Some(hop) = hop {
            report = report.hop(hop);
        }
        report.provoke(Provoke::Null).provoke(Provoke::Absent);
    }
}
