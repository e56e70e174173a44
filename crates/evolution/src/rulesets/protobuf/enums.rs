//! Rules about enums and unions.

use wirewise_core::{Kind, TypeId};
use wirewise_idl::Element;

use crate::mode::Level;
use crate::rule::{At, Check, Rule};
use crate::sample::Provoke;

pub(super) const CLOSED_ENUM: Rule = Rule {
    name: "closed-enum",
    title: "A closed enum has every number that writers use",
    level: Level::Wire,
    why: "Readers of a closed enum (those of proto2) treat a number that they do not know as if the field were not there. Open \
          enums keep it.",
    check: Check::Enums(closed_enum),
};

pub(super) const UNION_BRANCH: Rule = Rule {
    name: "union-branch",
    title: "A union has every branch that writers use",
    level: Level::Wire,
    why: "A union is a message with a `oneof`. A branch that the reader does not know is skipped, and then the union has no \
          value at all.",
    check: Check::Unions(union_branch),
};

fn closed_enum(at: &mut At<'_>, from: TypeId, to: TypeId) {
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

fn union_branch(at: &mut At<'_>, from: TypeId, to: TypeId) {
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
