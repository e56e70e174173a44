//! Rules about enums.

use std::collections::HashMap;

use wirewise_core::{Enum, Kind, Symbol, TypeId};
use wirewise_idl::Element;

use crate::compare::same_value;
use crate::mode::Level;
use crate::rule::{At, Check, Rule};
use crate::sample::Provoke;

pub(super) const ENUMERANT: Rule = Rule {
    name: "enumerant-number",
    title: "An enumerant keeps its number",
    level: Level::Wire,
    why: "Messages have the number of an enumerant, and numbers count from 0 without gaps. One that is added in the middle, or taken \
          away, changes what all the others after it mean. New ones at the end are kept as numbers by readers that do not know \
          them.",
    check: Check::Enums(enumerant),
};

fn enumerant(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (Kind::Enum(written), Kind::Enum(read)) = (writer.kind(from), reader.kind(to)) else { return };
    let (count, other_count) = (written.symbols.len(), read.symbols.len());
    let names = |e: &Enum| -> HashMap<String, usize> {
        e.symbols.iter().enumerate().map(|(i, symbol)| (symbol.name.clone(), i)).collect()
    };
    let (old, new) = (names(written), names(read));
    let same = |symbol: &Symbol, other: &Symbol| {
        let there = new.get(&symbol.name).map(|&at| &read.symbols[at]);
        same_value(symbol, there, other, || old.get(&other.name).map(|&at| &written.symbols[at]))
    };
    let mut broken: Vec<(String, Element, i64)> = Vec::new();
    for (position, symbol) in written.symbols.iter().enumerate() {
        // Of two symbols with one number the first is written.
        if written.position(symbol.number) != Some(position) {
            continue;
        }
        let what = match read.symbols.get(position) {
            Some(other) if same(symbol, other) => continue,
            Some(other) => format!("number {position} is {} to writers, and {} to readers", symbol.name, other.name),
            None if read.closed => format!("readers have no number {position}, which is {} to writers", symbol.name),
            None if read.position(position as i64).is_none() && symbol.number == position as i64 => continue,
            None => format!("number {position}, which is {} to writers, is another one to readers", symbol.name),
        };
        broken.push((what, Element::Symbol(from, position), symbol.number));
    }
    if !written.closed {
        // Numbers that the writer has no name for, and passes on.
        let unnamed =
            |number: &i64| (count as i64..=i64::from(u16::MAX)).contains(number) && written.position(*number).is_none();
        let renamed = (count..other_count)
            .find(|&position| unnamed(&(position as i64)) && read.symbols[position].number != position as i64);
        let taken = read
            .symbols
            .iter()
            .map(|symbol| symbol.number)
            .find(|number| *number >= other_count as i64 && unnamed(number));
        let refused = (count.max(other_count) as i64..).find(unnamed).filter(|_| read.closed);
        if let Some(number) = renamed.map(|position| position as i64).or(taken).or(refused) {
            let what = format!("writers may use any number, and {number} is another one, or none, to readers");
            broken.push((what, Element::Type(from), number));
        }
    }
    for (what, element, number) in broken {
        at.broken(what, "add new enumerants at the end, and keep those that there are")
            .writer(element)
            .reader(Element::Type(to))
            .provoke(Provoke::Symbol(number));
    }
}
