//! Rules about enums, whose symbols are found by their names.

use std::collections::HashSet;

use wirewise_core::{Enum, Kind, Schema, TypeId};
use wirewise_formats::avro::notes;
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, Rule};
use crate::sample::Provoke;

pub(super) const SYMBOL: Rule = Rule {
    name: "enum-symbol",
    title: "An enum has every symbol that writers use, or a default",
    level: Level::Wire,
    why: "A symbol that the reader's enum does not have is read as the default of the enum, if that has one (`\"default\"` beside \
          `\"symbols\"`; that of a field does not count). Otherwise it is refused when it comes.",
    check: Check::Enums(symbol),
};

pub(super) const SYMBOL_REMOVED: Rule = Rule {
    name: "symbol-removed",
    title: "A symbol of an enum is not removed",
    level: Level::Source,
    why: "Source code names it. Symbols have no aliases, so a renamed symbol is one that is removed and one that is new.",
    check: Check::Enums(symbol_removed),
};

pub(super) const SYMBOL_AS_DEFAULT: Rule = Rule {
    name: "symbol-as-default",
    title: "No symbol is read as the default of its enum",
    level: Level::Source,
    why: "The specification calls it compatible: a symbol that readers do not know is read as the default of their enum. But it is \
          another value, and nobody is told, so what takes symbols apart must be able to live with the default.",
    check: Check::Enums(symbol_as_default),
};

pub(super) const DEFAULT_SYMBOL: Rule = Rule {
    name: "enum-default",
    title: "An enum keeps its default",
    level: Level::Source,
    why: "The default is what lets writers use new symbols. Without it their messages are refused; with another one they are \
          read as something else than before.",
    check: Check::Enums(default_symbol),
};

fn enums<'a>(at: &At<'a>, from: TypeId, to: TypeId) -> Option<(&'a Enum, &'a Enum)> {
    match (at.writer.schema.kind(from), at.reader.schema.kind(to)) {
        (Kind::Enum(written), Kind::Enum(read)) => Some((written, read)),
        _ => None,
    }
}

/// The symbol for those that a reader does not know.
fn default(schema: &Schema, ty: TypeId) -> Option<&str> {
    schema.type_notes(ty).get(notes::DEFAULT)
}

/// Positions of the symbols of the one that the other does not have. Of two names of one number only the first is written.
fn missing(from: &Enum, to: &Enum) -> Vec<usize> {
    let known: HashSet<&str> = to.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    let is_missing = |&position: &usize| {
        let symbol = &from.symbols[position];
        !known.contains(symbol.name.as_str()) && from.position(symbol.number) == Some(position)
    };
    (0..from.symbols.len()).filter(is_missing).collect()
}

fn symbol(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((written, read)) = enums(at, from, to) else { return };
    if default(&at.reader.schema, to).is_some_and(|name| read.position_of(name.as_bytes()).is_some()) {
        return;
    }
    for position in missing(written, read) {
        let symbol = &written.symbols[position];
        let what = format!("enum {} has no symbol {}, which writers use, and no default", read.name, symbol.name);
        at.broken(what, "give the reader's enum a default, or let readers have the symbol before it is written")
            .writer(Element::Symbol(from, position))
            .reader(Element::Type(to))
            .provoke(Provoke::Symbol(symbol.number));
    }
}

fn symbol_removed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((written, read)) = enums(at, from, to) else { return };
    for position in missing(written, read) {
        let name = &written.symbols[position].name;
        at.broken(format!("the symbol {name} of enum {} is gone", written.name), "keep it, unused")
            .writer(Element::Symbol(from, position))
            .reader(Element::Type(to));
    }
}

fn symbol_as_default(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let Some((old, new)) = enums(at, from, to) else { return };
    if let Some(default) = default(&at.reader.schema, to) {
        for position in missing(old, new) {
            let name = &old.symbols[position].name;
            at.broken(format!("readers with the new schema read {name} as {default}"), format!("keep {name}"))
                .writer(Element::Symbol(from, position))
                .reader(Element::Type(to));
        }
    }
    if let Some(default) = default(&at.writer.schema, from) {
        for position in missing(new, old) {
            let name = &new.symbols[position].name;
            let fix = format!("let readers have {name} before it is written");
            at.broken(format!("readers with the old schema read {name} as {default}"), fix)
                .writer(Element::Type(from))
                .reader(Element::Symbol(to, position));
        }
    }
}

fn default_symbol(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (old, new) = (default(&at.writer.schema, from), default(&at.reader.schema, to));
    if let Some(old) = old.filter(|old| new != Some(old)) {
        let what = match new {
            Some(new) => format!("the default of the enum was {old} and is {new}"),
            None => format!("the enum had the default {old} and has none"),
        };
        at.broken(what, format!("keep the default {old}")).writer(Element::Type(from)).reader(Element::Type(to));
    }
}
