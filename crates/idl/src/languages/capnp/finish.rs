//! The whole: a schema file in memory, read by the model, with errors at the places of the Cap'n Proto file.

use std::collections::{HashMap, HashSet};

use serde_json::{Value as Json, json};
use wirewise_core::schema::{FILE_VERSION, Part};
use wirewise_core::{Schema, TypeId};
use wirewise_formats::capnp::notes;

use super::build::Build;
use super::record::{notes_json, take_json};
use super::scope::TyId;
use crate::{Element, Error, Module, Result};

impl Build<'_> {
    /// Makes the module.
    pub(super) fn finish(mut self) -> Result<Module> {
        self.find_endless();
        let noted_root = take_json(&mut self.file_notes, "root");
        let unit = &self.scopes.units[0];
        let root = match noted_root {
            Some(root) => Some(root.map_err(|_| unit.error(0, "the note root cannot be read"))?),
            None => None,
        };
        let first = self.types.iter().position(|ty| ty.get("record").is_some()).unwrap_or_default();
        let Some(default) = self.types.get(first) else {
            return Err(unit.error(0, "the file declares no type"));
        };
        let default = name_of(default).map(Json::from);
        let named = self.types.iter().filter_map(name_of);
        let of_root = root.as_ref().and_then(Json::as_str).filter(|root| named.clone().any(|name| name == *root));
        if unit.file.id == Some(super::derived_id(of_root, named.clone())) {
            self.file_notes.take(notes::ID);
        }
        let text = format!("{{\"wirewise\": {}, \"root\": {}", json!(FILE_VERSION), json!(root.clone().or(default)));
        let mut file = SchemaFile { text, elements: Vec::new() };
        if !self.file_notes.is_empty() {
            file.text.push_str(&format!(", \"notes\": {}", notes_json(&self.file_notes)));
        }
        file.text.push_str(", \"types\": [");
        for (i, ty) in self.types.iter().enumerate() {
            file.add(i, ty);
        }
        file.text.push_str("]}");
        let schema = Schema::parse(&file.text).map_err(|error| self.placed(&error, &file))?;
        self.check_fits(&schema)?;
        let module_root = root.map(|_| schema.root());
        Ok(Module { root: module_root, schema, places: self.places, notices: self.notices, documents: None })
    }

    /// A union that begins with a struct that begins with a union, and so on without end, may have no member.
    fn find_endless(&mut self) {
        let mut ends: HashSet<TyId> = HashSet::new();
        let mut users: HashMap<TyId, Vec<TyId>> = HashMap::new();
        let mut open: HashMap<TyId, usize> = HashMap::new();
        for (&ty, structs) in &self.defaults {
            open.insert(ty, structs.len());
            structs.iter().for_each(|&inner| users.entry(inner).or_default().push(ty));
        }
        let mut todo: Vec<TyId> = open.iter().filter(|(_, count)| **count == 0).map(|(&ty, _)| ty).collect();
        while let Some(ty) = todo.pop() {
            ends.insert(ty);
            for &user in users.get(&ty).into_iter().flatten() {
                let count = open.entry(user).or_default();
                *count -= 1;
                if *count == 0 {
                    todo.push(user);
                }
            }
        }
        for &(ty, oneof, inner) in &self.endless {
            if self.defaults.contains_key(&inner) && !ends.contains(&inner) {
                self.types[ty]["oneofs"][oneof]["required"] = Json::from(false);
            }
        }
    }

    /// An error of the model at the place of what is wrong.
    fn placed(&self, error: &wirewise_core::Error, file: &SchemaFile) -> Error {
        let element = match error.part() {
            Some(Part::Type(ty)) => Some(Element::Type(ty)),
            Some(Part::Field(ty, i)) => Some(Element::Field(ty, i)),
            Some(Part::Symbol(ty, i)) => Some(Element::Symbol(ty, i)),
            Some(Part::Branch(ty, i)) => Some(Element::Branch(ty, i)),
            Some(Part::Oneof(ty, i)) => Some(Element::Oneof(ty, i)),
            None => error.offset().and_then(|offset| file.element(offset)),
        };
        let place = element.and_then(|element| self.places.get(element).cloned());
        let place = place.unwrap_or_else(|| self.scopes.units[0].place(0));
        let placed = Error::at(place, error.message());
        match error.advice() {
            Some(hint) => placed.hint(hint),
            None => placed,
        }
    }
}

/// The text of a schema file, and where in it things stand.
struct SchemaFile {
    text: String,
    elements: Vec<(usize, Element)>,
}

impl SchemaFile {
    fn add(&mut self, index: usize, ty: &Json) {
        let id = TypeId::from_index(index);
        if index > 0 {
            self.text.push(',');
        }
        self.elements.push((self.text.len(), Element::Type(id)));
        self.text.push('{');
        for (i, (key, value)) in ty.as_object().into_iter().flatten().enumerate() {
            if i > 0 {
                self.text.push(',');
            }
            self.text.push_str(&format!("{}: ", json!(key)));
            let element: Option<fn(TypeId, usize) -> Element> = match key.as_str() {
                "fields" => Some(Element::Field),
                "symbols" => Some(Element::Symbol),
                "branches" => Some(Element::Branch),
                "oneofs" => Some(Element::Oneof),
                _ => None,
            };
            let (Some(element), Some(items)) = (element, value.as_array()) else {
                self.text.push_str(&value.to_string());
                continue;
            };
            self.text.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    self.text.push(',');
                }
                self.elements.push((self.text.len(), element(id, i)));
                self.text.push_str(&item.to_string());
            }
            self.text.push(']');
            self.elements.push((self.text.len(), Element::Type(id)));
        }
        self.text.push('}');
    }

    /// What stands at a byte.
    fn element(&self, offset: usize) -> Option<Element> {
        let next = self.elements.partition_point(|(start, _)| *start <= offset);
        Some(self.elements.get(next.checked_sub(1)?)?.1)
    }
}

/// The name of a type in the form of the schema file.
fn name_of(ty: &Json) -> Option<&str> {
    ["record", "enum", "union"].iter().find_map(|what| ty.get(what)?.as_str())
}
