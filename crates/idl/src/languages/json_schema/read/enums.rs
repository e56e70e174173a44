//! Enums: lists of strings, or of constants with a description each.

use std::collections::HashSet;

use wirewise_core::{Enum, Kind, Symbol};

use super::alternatives::Alternative;
use super::documents::At;
use super::kinds::Kinds;
use super::slots::{Slot, part};
use super::types::Shared;
use super::{Reader, Where};
use crate::json::{Node, Value};
use crate::{Element, Result};

impl<'a> Reader<'a> {
    /// Makes an enum of alternatives that are strings, maybe beside one that is any integer. `false`: they are something
    /// else.
    pub(super) fn enumeration(
        &mut self,
        alternatives: &[&Alternative<'a>],
        shared: &Shared<'a>,
        place: Where<'a, '_>,
    ) -> Result<bool> {
        let mut names: Vec<(&'a str, At<'a>, Option<At<'a>>)> = Vec::new();
        let mut open = false;
        let mut constants = 0;
        for alternative in alternatives {
            for one in self.opened((*alternative).clone(), 0)? {
                if self.kinds(&one, 0)? == Kinds::INT {
                    let listed = |at: &At<'a>| at.get("enum").is_some() || at.get("const").is_some();
                    if open || one.layers.iter().any(listed) {
                        return Ok(false);
                    }
                    open = true;
                    continue;
                }
                let mut lists = one.layers.iter().filter_map(|&at| Some((at, symbols(at)?)));
                let (Some((at, list)), None) = (lists.next(), lists.next()) else { return Ok(false) };
                let own = at.get("const").is_some().then_some(at);
                constants += usize::from(own.is_some());
                for node in list {
                    match &node.value {
                        Value::String(name) if !name.is_empty() => names.push((name, at.to(node), own)),
                        // Null makes the type nullable, not the enum larger.
                        Value::Null => {}
                        _ => return Ok(false),
                    }
                }
            }
        }
        // One constant is a tag, which is a string like any other.
        if names.is_empty() || constants == 1 && names.len() == 1 && !open && !self.is_marked(place.at)? {
            return Ok(false);
        }
        let extension = self.extension(place.at)?;
        let numbers = self.numbers(place.at)?;
        let mut e = Enum { name: self.name_of(place), closed: !open, ..Enum::default() };
        let mut seen = HashSet::new();
        for (name, at, own) in names {
            if !seen.insert(name) {
                if alternatives.len() == 1 {
                    return Err(self.wrong(at, format!("the enum has {name:?} twice")));
                }
                continue;
            }
            let index = e.symbols.len();
            let mut symbol = Symbol::new(name, index as i64);
            if let Some(number) = numbers.get(index) {
                symbol.number = *number;
            }
            if let Some(own) = own {
                symbol.doc = self.description(own)?;
                let annotations = self.annotations(own, &["description"])?;
                self.slots.symbols.insert((place.slot, index), annotations);
                let of_symbol = self.extension(own)?;
                if let Some(number) = of_symbol.and_then(|extension| extension.get("number")) {
                    let wrong = || self.wrong(own.to(number), "the number of a symbol must be an integer of 64 bits");
                    symbol.number = number.as_i64().ok_or_else(wrong)?;
                }
                symbol.notes = self.notes(own)?;
            }
            self.slots.places.push((Element::Symbol(part(place.slot), index), self.locators.place(at)));
            e.symbols.push(symbol);
        }
        let layers = if let [one] = alternatives { &one.layers[..] } else { &shared.layers[..] };
        let mut notes = self.said_by(layers, Kinds::STRING, shared)?;
        // The list is what the enum is.
        notes.take("enum");
        notes.take("const");
        if extension.is_some() {
            e.reserved_numbers = self.reserved(place.at, Node::as_i64)?;
            e.reserved_names = self.reserved_names(place.at)?;
        }
        self.finish_named(place, |doc| {
            e.doc = doc;
            Kind::Enum(e)
        })?;
        self.slots.note(place.slot, notes);
        debug_assert!(matches!(self.slots.get(place.slot), Slot::Made(_)));
        Ok(true)
    }
}

/// The values that a schema lists.
fn symbols(at: At<'_>) -> Option<&[Node]> {
    match at.node.get("const") {
        Some(value) => Some(std::slice::from_ref(value)),
        None => at.node.get("enum")?.as_array(),
    }
}
