//! Unions.

use wirewise_core::{Branch, Kind, Union};

use super::documents::At;
use super::kinds::Kinds;
use super::slots::{Keywords, part};
use super::types::Shared;
use super::{Reader, Where, members};
use crate::{Element, Result};

impl<'a> Reader<'a> {
    /// A union of values that can be told apart by their kind.
    pub(super) fn union(
        &mut self,
        name: String,
        branches: Vec<(&str, usize)>,
        notes: Keywords<'a>,
        place: Where<'a, '_>,
    ) -> Result<()> {
        let branches = branches.into_iter().enumerate();
        let branches = branches.map(|(i, (name, slot))| Branch::new(i as u32 + 1, name, part(slot))).collect();
        let mut union = Union { name, doc: None, branches };
        self.finish_named(place, |doc| {
            union.doc = doc;
            Kind::Union(union)
        })?;
        self.slots.note(place.slot, notes);
        Ok(())
    }

    /// A union as we write it, with a branch for each alternative. `false`: it is none.
    pub(super) fn marked_union(&mut self, place: Where<'a, '_>) -> Result<bool> {
        let at = place.at;
        let Some(mark) = self.member(at, "union")? else { return Ok(false) };
        let tagged = match mark.node.as_str() {
            Some("tagged") => true,
            Some("plain") => false,
            _ => return Err(self.wrong(mark, "expected \"tagged\" or \"plain\"")),
        };
        let combinator = if tagged { "oneOf" } else { "anyOf" };
        let list = at.list(combinator);
        if list.is_empty() {
            return Err(
                self.wrong(at, format!("a {} union has {combinator:?}", mark.node.as_str().unwrap_or_default()))
            );
        }
        let mut union = Union { name: self.name_of(place), ..Union::default() };
        for (i, one) in list.into_iter().enumerate() {
            let (name, slot) = if tagged {
                let mut properties = members(one, "properties");
                let (Some((member, value)), None) = (properties.next(), properties.next()) else {
                    return Err(self.wrong(one, "a branch of a tagged union is an object of one property"));
                };
                let hint = format!("{}.{}", union.name, member.name);
                (member.name.clone(), self.node(value, &hint, true, place.depth + 1)?)
            } else {
                let name = self.member(one, "name")?.and_then(|name| name.node.as_str());
                let name = name.map_or_else(|| format!("branch{}", i + 1), str::to_owned);
                let hint = format!("{}.{name}", union.name);
                let slot = self.node(one, &hint, false, place.depth + 1)?;
                (name, slot)
            };
            let mut branch = Branch::new(self.number_of(one)?.unwrap_or(i as u32 + 1), name, part(slot));
            branch.doc = self.description(one)?;
            branch.notes = self.notes(one)?;
            self.slots.branches.insert((place.slot, i), self.annotations(one, &["description"])?);
            self.slots.places.push((Element::Branch(part(place.slot), i), self.locators.place(one)));
            union.branches.push(branch);
        }
        self.finish_named(place, |doc| {
            union.doc = doc;
            Kind::Union(union)
        })?;
        let layer: [At<'a>; 1] = [at];
        let notes = self.said_by(&layer, Kinds::NONE, &Shared::default())?;
        self.slots.note(place.slot, notes);
        Ok(true)
    }
}
