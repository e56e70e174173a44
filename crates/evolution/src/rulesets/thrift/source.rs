//! Rules about source code: what generated types are called and can do.

use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

use super::super::shared;

pub(super) const FIELD_NAME: Rule = Rule {
    name: "field-name",
    title: "A field keeps its name",
    level: Level::Source,
    why: "Numbers go over the wire, names into generated code (and into the simple JSON protocol).",
    check: Check::Fields(shared::field_renamed),
};

pub(super) const FIELD_REMOVED: Rule = Rule {
    name: "field-removed",
    title: "A field is not removed",
    level: Level::Source,
    why: "Thrift has no `reserved`: nothing stops somebody from giving the number of a removed field to another one, and then stored \
          messages are read as nonsense. Leave the field, or a comment in its place.",
    check: Check::OnlyWritten(field_removed),
};

pub(super) const FIELD_TYPE_NAME: Rule = Rule {
    name: "field-type-name",
    title: "A field keeps its type in generated code",
    level: Level::Source,
    why: "Types that are one on the wire (an enum and `i32`, `string` and `binary`) are different types in source code.",
    check: Check::Fields(shared::type_name),
};

pub(super) const REQUIREDNESS: Rule = Rule {
    name: "requiredness",
    title: "A field stays optional, or always there",
    level: Level::Source,
    why: "Generated code can tell whether an `optional` field was set, and has other types for it in some languages.",
    check: Check::Fields(shared::presence),
};

pub(super) const DEFAULT: Rule = Rule {
    name: "default",
    title: "A field keeps its default",
    level: Level::Source,
    why: "Programs that leave the field alone write another value than before, and those that read a message without it see \
          another one.",
    check: Check::Fields(default),
};

pub(super) const SYMBOL_NAME: Rule = Rule {
    name: "symbol-name",
    title: "A symbol of an enum keeps its name",
    level: Level::Source,
    why: "The number goes over the wire, the name into generated code.",
    check: Check::Enums(shared::symbol_renamed),
};

pub(super) const SYMBOL_REMOVED: Rule = Rule {
    name: "symbol-removed",
    title: "A symbol of an enum is not removed",
    level: Level::Source,
    why: "Stored messages have its number. Generated code of some languages turns a number that it does not know into null.",
    check: Check::Enums(symbol_removed),
};

pub(super) const TYPE_REMOVED: Rule = Rule {
    name: "type-removed",
    title: "A type is not removed or renamed",
    level: Level::Source,
    why: "Source code names generated types.",
    check: Check::Modules(shared::type_removed),
};

fn field_removed(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    at.broken(format!("the field {} is removed", field.label()), "keep it, unused")
        .writer(field.element())
        .reader(Element::Type(record));
}

fn default(at: &mut At<'_>, writer: FieldAt<'_>, reader: FieldAt<'_>) {
    let (old, new) = (&writer.field().default, &reader.field().default);
    if old != new {
        let text =
            |default: &Option<serde_json::Value>| default.as_ref().map_or("nothing".to_owned(), ToString::to_string);
        let what = format!("the default of {} was {} and is {}", writer.label(), text(old), text(new));
        at.broken(what, format!("keep the default {}", text(old))).fields(writer, reader);
    }
}

fn symbol_removed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, symbol) in written.symbols.iter().enumerate() {
        if read.position(symbol.number).is_none() {
            at.broken(format!("{} = {} is removed", symbol.name, symbol.number), "keep it, unused")
                .writer(Element::Symbol(from, position))
                .reader(Element::Type(to));
        }
    }
}
