//! Rules about source code: what generated types are called and are made of, and what keeps later changes safe.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_formats::avro::notes;
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

use super::defaults::{self, Default};
use super::matching::{aliases, bare, unqualified};

pub(super) const TYPE_RENAMED: Rule = Rule {
    name: "type-renamed",
    title: "A type keeps its name and namespace",
    level: Level::Source,
    why: "Generated types are called after the full name, and the namespace is their package. An alias, or the same name in \
          another namespace, helps readers of data, not source code.",
    check: Check::Modules(type_renamed),
};

pub(super) const TYPE_REMOVED: Rule = Rule {
    name: "type-removed",
    title: "A type is not removed",
    level: Level::Source,
    why: "Source code names generated types.",
    check: Check::Modules(type_removed),
};

pub(super) const FIELD_RENAMED: Rule = Rule {
    name: "field-renamed",
    title: "A field keeps its name",
    level: Level::Source,
    why: "With an alias, readers find the field under its old name. Source code does not. And old readers, who do not know the new \
          name, take their default for it, or fail if they have none.",
    check: Check::Fields(field_renamed),
};

pub(super) const FIELD_REMOVED: Rule = Rule {
    name: "field-removed",
    title: "A field is not removed",
    level: Level::Source,
    why: "Source code uses it. And old readers take their default for it, or fail if they have none.",
    check: Check::OnlyWritten(field_removed),
};

pub(super) const FIELD_TYPE: Rule = Rule {
    name: "field-type-name",
    title: "A field keeps its type in generated code",
    level: Level::Source,
    why: "Types that readers convert (`int` and `long`, a type and its union with `null`) are different types in source code.",
    check: Check::Fields(field_type),
};

pub(super) const LOGICAL_TYPE: Rule = Rule {
    name: "logical-type",
    title: "A value keeps its logical type",
    level: Level::Source,
    why: "Logical types change no byte, and readers do not compare them (but for decimals). So a number of milliseconds that becomes \
          one of microseconds, or a date that becomes a plain number, is read without a word as something else.",
    check: Check::Types(logical_type),
};

pub(super) const DEFAULT_REMOVED: Rule = Rule {
    name: "default-removed",
    title: "A default is not removed",
    level: Level::Source,
    why: "No message shows it as long as all writers have the field. But readers without the default cannot read what was written \
          before the field was added, and the field can never be removed.",
    check: Check::Fields(default_removed),
};

pub(super) const DEFAULT_CHANGED: Rule = Rule {
    name: "default-changed",
    title: "A field keeps its default",
    level: Level::Source,
    why: "It breaks no message of a writer that has the field. Messages from before the field was added get another value than \
          they had, and so do objects that programs build.",
    check: Check::Fields(default_changed),
};

pub(super) const ALIAS_REMOVED: Rule = Rule {
    name: "alias-removed",
    title: "An alias is not removed",
    level: Level::Source,
    why: "Messages from before the renaming are still stored, and readers find their fields and types by the alias.",
    check: Check::Types(alias_removed),
};

/// Named types that have their names from a schema.
fn named(schema: &Schema) -> impl Iterator<Item = (TypeId, &str)> {
    let is_made = |id: TypeId| schema.type_notes(id).get(notes::UNNAMED) == Some("true");
    schema.named_types().filter(move |&id| !is_made(id)).filter_map(|id| Some((id, schema.name(id)?)))
}

/// A type of the old schema that the new one has not under its name, and what it has become there.
struct Gone<'a> {
    id: TypeId,
    name: &'a str,
    new: Option<(TypeId, &'a str)>,
}

fn gone<'a>(at: &At<'a>) -> Vec<Gone<'a>> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (mut full, mut other) = (HashMap::new(), HashMap::new());
    for (id, name) in named(reader) {
        full.insert(name, id);
        other.insert(unqualified(name).to_owned(), (id, name));
    }
    for (id, name) in named(reader) {
        for alias in aliases(reader, id) {
            other.entry(unqualified(&alias).to_owned()).or_insert((id, name));
        }
    }
    let gone = named(writer).filter(|(_, name)| !full.contains_key(name));
    gone.map(|(id, name)| Gone { id, name, new: other.get(unqualified(name)).copied() }).collect()
}

fn type_renamed(at: &mut At<'_>) {
    for Gone { id, name, new } in gone(at) {
        if let Some((other, new)) = new {
            at.broken(format!("the type {name} is called {new}"), "keep the name")
                .writer(Element::Type(id))
                .reader(Element::Type(other));
        }
    }
}

fn type_removed(at: &mut At<'_>) {
    for Gone { id, name, .. } in gone(at).into_iter().filter(|gone| gone.new.is_none()) {
        at.broken(format!("the type {name} is gone"), "keep it").writer(Element::Type(id));
    }
}

fn field_renamed(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (&writer.field().name, &reader.field().name);
    if old != new {
        at.broken(format!("the field {old:?} is called {new:?}"), "keep the name").fields(writer, reader);
    }
}

fn field_removed(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    at.broken(format!("the field {:?} is gone", field.field().name), "keep it")
        .writer(field.element())
        .reader(Element::Type(record));
}

fn field_type(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let describe = |field: &FieldAt<'_>| {
        let (schema, ty) = (field.schema, field.field().value_type());
        // The names of unions are made up; what has changed in them shows in the findings of other rules.
        let of_value = match schema.kind(ty) {
            Kind::Union(_) => "union".to_owned(),
            _ => schema.describe(ty),
        };
        if field.field().is_stateful() { format!("{of_value} or null") } else { of_value }
    };
    let (old, new) = (describe(&writer), describe(&reader));
    if old != new {
        let what = format!("the field {:?} changes from {old} to {new}", writer.field().name);
        at.broken(what, format!("keep the type {old}")).fields(writer, reader);
    }
}

fn logical_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let logical = |schema: &Schema, ty: TypeId| {
        let ty = bare(schema, ty);
        let other = schema.type_notes(ty).get(notes::LOGICAL_TYPE).map(str::to_owned);
        other.or_else(|| {
            schema.logical(ty).map(|logical| format!("{logical:?}").to_lowercase().replace('(', "-").replace(')', ""))
        })
    };
    let (old, new) = (logical(&at.writer.schema, from), logical(&at.reader.schema, to));
    if old != new {
        let name = |logical: Option<String>| logical.unwrap_or_else(|| "a value without a logical type".to_owned());
        let what = format!("{} becomes {}", name(old), name(new));
        at.broken(what, "keep the logical type, and add a field with a default for the new one");
    }
}

fn default_removed(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let default = |field: &FieldAt<'_>| defaults::of(field.schema, field.field());
    if let (Default::Value(old), Default::Missing) = (default(&writer), default(&reader)) {
        let what = format!("the field {:?} had the default {old} and has none", reader.field().name);
        at.broken(what, format!("keep the default {old}")).fields(writer, reader);
    }
}

fn default_changed(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let default = |field: &FieldAt<'_>| match defaults::of(field.schema, field.field()) {
        Default::Missing => None,
        Default::Value(json) | Default::Invalid(json) => Some(json),
    };
    let number = |json: &serde_json::Value| json.as_f64();
    if let (Some(old), Some(new)) = (default(&writer), default(&reader))
        && old != new
        && (number(&old).is_none() || number(&old) != number(&new))
    {
        let what = format!("the default of the field {:?} was {old} and is {new}", reader.field().name);
        at.broken(what, format!("keep the default {old}")).fields(writer, reader);
    }
}

fn alias_removed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (from, to) = (bare(writer, from), bare(reader, to));
    let name = reader.name(to).or(reader.type_notes(to).get(notes::NAME)).unwrap_or_default();
    let kept = aliases(reader, to);
    let mut lost: Vec<(String, Element, Element)> = aliases(writer, from)
        .into_iter()
        .filter(|alias| !kept.contains(alias) && unqualified(alias) != unqualified(name))
        .map(|alias| (format!("the alias {alias:?} of {name} is gone"), Element::Type(from), Element::Type(to)))
        .collect();
    if let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) {
        for (position, field) in written.fields.iter().enumerate().filter(|(_, field)| !field.aliases.is_empty()) {
            let Some(other) = (at.ruleset.match_field)(writer, written, position, reader, read) else { continue };
            let new = &read.fields[other];
            for alias in field.aliases.iter().filter(|alias| !new.aliases.contains(alias) && **alias != new.name) {
                let what = format!("the alias {alias:?} of the field {:?} is gone", new.name);
                lost.push((what, Element::Field(from, position), Element::Field(to, other)));
            }
        }
    }
    for (what, old, new) in lost {
        at.broken(what, "keep the alias").writer(old).reader(new);
    }
}
