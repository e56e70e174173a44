//! `x-wirewise`: what the model has and JSON Schema has not.

use std::ops::RangeInclusive;

use wirewise_core::{Kind, Notes, SchemaBuilder, TypeId};

use super::super::keywords::{DEF, EXTENSION};
use super::Reader;
use super::documents::At;
use super::slots::{part, parts_mut};
use crate::Result;
use crate::json::{Member, Node, Object};

/// Members that the extension may have.
const MEMBERS: [&str; 14] = [
    "aliases",
    "default",
    "enum",
    "kept",
    "name",
    "notes",
    "number",
    "numbers",
    "oneofs",
    "reserved_names",
    "reserved_numbers",
    "type",
    "union",
    "doc",
];

impl<'a> Reader<'a> {
    pub(super) fn extension(&self, at: At<'a>) -> Result<Option<&'a Object>> {
        let Some(extension) = at.get(EXTENSION) else { return Ok(None) };
        let object = extension.node.as_object().ok_or_else(|| {
            self.wrong(extension, format!("found {}, expected an object: {EXTENSION}", extension.node.kind()))
        })?;
        match object.members().iter().find(|member| !MEMBERS.contains(&member.name.as_str())) {
            Some(Member { name, value, .. }) => {
                let what = format!("unknown member {name:?} of {EXTENSION}; there are {}", MEMBERS.join(", "));
                Err(self.wrong(at.to(value), what))
            }
            None => Ok(Some(object)),
        }
    }

    pub(super) fn member(&self, at: At<'a>, name: &str) -> Result<Option<At<'a>>> {
        Ok(self.extension(at)?.and_then(|object| object.get(name)).map(|node| at.to(node)))
    }

    /// Whether the extension says what the type is, so that the rest of the schema does not.
    pub(super) fn has_type(&self, at: At<'a>) -> bool {
        at.node.get(EXTENSION).is_some_and(|extension| extension.get("type").is_some())
    }

    /// Whether the extension says that it is an enum, however small.
    pub(super) fn is_marked(&self, at: At<'a>) -> Result<bool> {
        Ok(self.member(at, "enum")?.is_some_and(|at| at.node.as_bool() == Some(true)))
    }

    pub(super) fn notes(&self, at: At<'a>) -> Result<Notes> {
        let mut notes = Notes::default();
        let Some(list) = self.member(at, "notes")? else { return Ok(notes) };
        let wrong = |at| self.wrong(at, "notes are an object of strings");
        for Member { name, value, .. } in list.node.as_object().ok_or_else(|| wrong(list))?.members() {
            notes.set(name, value.as_str().ok_or_else(|| wrong(at.to(value)))?);
        }
        Ok(notes)
    }

    pub(super) fn texts_of(&self, at: At<'a>, name: &str) -> Result<Vec<String>> {
        let Some(list) = self.member(at, name)? else { return Ok(Vec::new()) };
        let wrong = || self.wrong(list, format!("{name:?} is an array of strings"));
        let text = |node: &Node| node.as_str().map(str::to_owned).ok_or_else(wrong);
        list.node.as_array().ok_or_else(wrong)?.iter().map(text).collect()
    }

    /// A number of a field or branch.
    pub(super) fn number_of(&self, at: At<'a>) -> Result<Option<u32>> {
        let Some(number) = self.member(at, "number")? else { return Ok(None) };
        let value = number.node.as_u64().and_then(|number| u32::try_from(number).ok());
        value.map(Some).ok_or_else(|| self.wrong(number, "a number of a field is from 1 to 536870911"))
    }

    pub(super) fn numbers(&self, at: At<'a>) -> Result<Vec<i64>> {
        let Some(list) = self.member(at, "numbers")? else { return Ok(Vec::new()) };
        let wrong = || self.wrong(list, "\"numbers\" is an array of integers of 64 bits");
        list.node.as_array().ok_or_else(wrong)?.iter().map(|node| node.as_i64().ok_or_else(wrong)).collect()
    }

    pub(super) fn reserved<T: Copy + Ord>(
        &self,
        at: At<'a>,
        number: impl Fn(&Node) -> Option<T>,
    ) -> Result<Vec<RangeInclusive<T>>> {
        let Some(list) = self.member(at, "reserved_numbers")? else { return Ok(Vec::new()) };
        let wrong = || self.wrong(list, "\"reserved_numbers\" is an array of numbers and [from, to]");
        let mut ranges = Vec::new();
        for node in list.node.as_array().ok_or_else(wrong)? {
            let range = match node.as_array() {
                Some([from, to]) => number(from).zip(number(to)),
                Some(_) => None,
                None => number(node).map(|number| (number, number)),
            };
            let (from, to) = range.ok_or_else(wrong)?;
            ranges.push(from..=to);
        }
        ranges.sort_unstable_by_key(|range| *range.start());
        Ok(ranges)
    }

    pub(super) fn reserved_names(&self, at: At<'a>) -> Result<Vec<String>> {
        self.texts_of(at, "reserved_names")
    }

    /// The type that the extension says, as a type expression of a schema file.
    pub(super) fn expressed(&mut self, at: At<'a>) -> Result<Option<usize>> {
        let Some(ty) = self.member(at, "type")? else { return Ok(None) };
        // A builder of its own: its types are copied into slots.
        let mut types = SchemaBuilder::new();
        let mut named = Vec::new();
        let declared = std::cell::RefCell::new((&mut named, Vec::<&str>::new()));
        let mut names = Vec::new();
        collect_names(ty.node, &mut names);
        for name in names {
            if let Some(&slot) = self.by_name.get(name) {
                let mut declared = declared.borrow_mut();
                declared.0.push((types.declare(), slot));
                declared.1.push(name);
            }
        }
        let find = |name: &str| {
            let declared = declared.borrow();
            let place = declared.1.iter().position(|known| *known == name)?;
            Some(declared.0[place].0)
        };
        let id = types.type_expression_at(ty.node, &find).map_err(|error| {
            let place =
                error.offset().map_or_else(|| self.locators.place(ty), |offset| self.locators.offset(ty.file, offset));
            crate::Error::at(place, error.message())
        })?;
        Ok(Some(self.copied(&types, id, &named)))
    }

    fn copied(&mut self, types: &SchemaBuilder, id: TypeId, named: &[(TypeId, usize)]) -> usize {
        if let Some((_, slot)) = named.iter().find(|(declared, _)| *declared == id) {
            return *slot;
        }
        let mut ty = types.ty(id).cloned().unwrap_or_else(|| Kind::Any.into());
        self.mentioned.extend(ty.notes.get(DEF).map(str::to_owned));
        for inner in parts_mut(&mut ty.kind) {
            *inner = part(self.copied(types, *inner, named));
        }
        self.slots.add(ty)
    }
}

/// All strings of a type expression that may be names of types.
fn collect_names<'a>(node: &'a Node, names: &mut Vec<&'a str>) {
    if let Some(name) = node.as_str() {
        names.push(name);
    }
    for name in ["list", "map", "key", "nullable"] {
        if let Some(inner) = node.get(name) {
            collect_names(inner, names);
        }
    }
}
