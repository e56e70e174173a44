//! Rules about source code: what generated types are called and can do, and what keeps later changes safe.

use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, FieldAt, Rule};

use super::super::shared;

pub(super) const TYPE_REMOVED: Rule = Rule {
    name: "type-removed",
    title: "A type is not removed or renamed",
    level: Level::Source,
    why: "Source code names generated types, and `google.protobuf.Any` has the full name of the message in it.",
    check: Check::Modules(shared::type_removed),
};

pub(super) const FIELD_REMOVED: Rule = Rule {
    name: "field-removed-without-reserving",
    title: "The number and name of a removed field are reserved",
    level: Level::Source,
    why: "Stored messages still have the field. If somebody gives its number to another field later, those messages are read as \
          nonsense. `reserved` makes the compiler refuse that. Source code that used the field must be changed anyway.",
    check: Check::OnlyWritten(field_removed),
};

pub(super) const RESERVED: Rule = Rule {
    name: "reserved-given-up",
    title: "What was reserved stays reserved",
    level: Level::Source,
    why: "A number is reserved because old messages have it. It may be used again only by the field that it came from.",
    check: Check::Records(reserved),
};

pub(super) const TYPE_NAME: Rule = Rule {
    name: "field-type-name",
    title: "A field keeps its type in generated code",
    level: Level::Source,
    why: "Types that are compatible as bytes (`int32` and `int64`, two messages with the same fields) are different types in \
          source code.",
    check: Check::Fields(shared::type_name),
};

pub(super) const PRESENCE: Rule = Rule {
    name: "presence",
    title: "A field keeps its presence",
    level: Level::Source,
    why: "With `optional`, generated code can tell a field that is not there from zero, and has functions for that. Without it, \
          they are gone.",
    check: Check::Fields(shared::presence),
};

pub(super) const ONEOF_MEMBER: Rule = Rule {
    name: "oneof-member",
    title: "A field stays in its oneof, or outside",
    level: Level::Source,
    why: "Fields of a oneof are cases of one type in generated code.",
    check: Check::Fields(shared::oneof_member),
};

pub(super) const SYMBOL_REMOVED: Rule = Rule {
    name: "symbol-removed-without-reserving",
    title: "The number and name of a removed symbol are reserved",
    level: Level::Source,
    why: "As for fields: stored messages still have the number, and source code the name.",
    check: Check::Enums(symbol_removed),
};

fn is_reserved<T: PartialOrd>(ranges: &[std::ops::RangeInclusive<T>], number: &T) -> bool {
    ranges.iter().any(|range| range.contains(number))
}

fn field_removed(at: &mut At<'_>, field: FieldAt<'_>, record: TypeId) {
    let Kind::Record(read) = at.reader.schema.kind(record) else { return };
    let (number, name) = (field.field().number, &field.field().name);
    let numbers = is_reserved(&read.reserved_numbers, &number);
    let names = read.reserved_names.contains(name);
    if !numbers || !names {
        let missing = match (numbers, names) {
            (false, false) => format!("`reserved {number}; reserved {name:?};`"),
            (false, true) => format!("`reserved {number};`"),
            _ => format!("`reserved {name:?};`"),
        };
        at.broken(
            format!("the field {} is removed, and may be given out again", field.label()),
            format!("add {missing}"),
        )
        .writer(field.element())
        .reader(Element::Type(record));
    }
}

fn reserved(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Record(written), Kind::Record(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let kept = |range: &&std::ops::RangeInclusive<u32>| {
        read.reserved_numbers.iter().any(|other| other.contains(range.start()) && other.contains(range.end()))
    };
    if let Some(range) = written.reserved_numbers.iter().find(|range| !kept(range)) {
        let (first, last) = (*range.start(), *range.end());
        let numbers = if first == last { first.to_string() } else { format!("{first} to {last}") };
        at.broken(format!("the numbers {numbers} are no longer reserved"), format!("add `reserved {numbers};`"))
            .writer(Element::Type(from))
            .reader(Element::Type(to));
    }
    if let Some(name) = written.reserved_names.iter().find(|name| !read.reserved_names.contains(name)) {
        at.broken(format!("the name {name:?} is no longer reserved"), format!("add `reserved {name:?};`"))
            .writer(Element::Type(from))
            .reader(Element::Type(to));
    }
}

fn symbol_removed(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    for (position, symbol) in written.symbols.iter().enumerate() {
        let there = read.position(symbol.number).is_some();
        if !there && !is_reserved(&read.reserved_numbers, &symbol.number) {
            let fix = format!("add `reserved {}; reserved {:?};`", symbol.number, symbol.name);
            at.broken(format!("{} = {} is removed, and may be given out again", symbol.name, symbol.number), fix)
                .writer(Element::Symbol(from, position))
                .reader(Element::Type(to));
        }
    }
}
