//! From slots to a schema.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value as Json;
use wirewise_core::{Float, Kind, Notes, Schema, SchemaBuilder, TypeId, text};

use super::super::keywords::{DEF, DRAFT, ID, OWNER};
use super::documents::At;
use super::slots::{Keywords, Slot, parts_mut};
use super::{Reader, Where};
use crate::{Element, Error, Module, Place, Places, Result};

impl<'a> Reader<'a> {
    /// Puts a record, enum or union into its place, with what its schema says about it.
    pub(super) fn finish_named(
        &mut self,
        place: Where<'a, '_>,
        make: impl FnOnce(Option<String>) -> Kind,
    ) -> Result<()> {
        let at = place.at;
        let doc = if place.bare { self.description(at)? } else { None };
        let mut ty = wirewise_core::Type::from(make(doc));
        if place.bare {
            // At the root they are those of the whole file.
            if at.key() != self.documents.root().key() {
                ty.notes = self.notes(at)?;
            }
            let annotations = self.annotations(at, &["description"])?;
            self.slots.note(place.slot, annotations);
        }
        self.slots.places.push((Element::Type(super::slots::part(place.slot)), self.locators.place(at)));
        self.slots.define(place.slot, Slot::Made(ty));
        Ok(())
    }

    pub(super) fn finish(mut self, root: Option<usize>) -> Result<Module> {
        let real = self.real_slots()?;
        self.keep_notes(&real)?;
        self.keep_defaults(&real)?;
        let used = self.used_slots(root.map(|root| real[root]), &real);
        let mut types = SchemaBuilder::new();
        let mut ids: HashMap<usize, TypeId> = HashMap::new();
        for slot in (0..self.slots.len()).filter(|&slot| used[slot]) {
            ids.insert(slot, types.declare());
        }
        let mut slots = std::mem::take(&mut self.slots);
        for (&slot, &id) in &ids {
            let Some(ty) = slots.made_mut(slot) else { continue };
            let mut ty = ty.clone();
            for inner in parts_mut(&mut ty.kind) {
                *inner = ids[&real[inner.index()]];
            }
            types.define(id, ty);
        }
        let mut places = Places::default();
        for (element, place) in slots.places {
            let moved = |id: TypeId| ids.get(&id.index()).copied();
            let element = match element {
                Element::Type(id) => moved(id).map(Element::Type),
                Element::Field(id, i) => moved(id).map(|id| Element::Field(id, i)),
                Element::Symbol(id, i) => moved(id).map(|id| Element::Symbol(id, i)),
                Element::Branch(id, i) => moved(id).map(|id| Element::Branch(id, i)),
                Element::Oneof(id, i) => moved(id).map(|id| Element::Oneof(id, i)),
            };
            if let Some(element) = element {
                places.set(element, place);
            }
        }
        let root = root.map(|root| ids[&real[root]]);
        let schema = self.schema(types, root, &places)?;
        Ok(Module { schema, root, places, notices: self.notices.into_inner(), documents: None })
    }

    fn schema(&self, mut types: SchemaBuilder, root: Option<TypeId>, places: &Places) -> Result<Schema> {
        let at = self.documents.root();
        let mut notes = self.notes(at)?;
        if self.is_draft_07(0) {
            notes.set(DRAFT, "07");
        }
        if let Some(id) = at.get("$id").and_then(|id| id.node.as_str()) {
            notes.set(ID, id);
        }
        types.set_notes(notes);
        let first = match root {
            Some(root) => root,
            None => {
                let is_record = |id: &TypeId| matches!(types.kind(*id), Some(Kind::Record(_)));
                let ids = || (0..types.len()).map(TypeId::from_index);
                match ids().find(is_record).or(ids().next()) {
                    Some(id) => id,
                    None => types.add(Kind::Any),
                }
            }
        };
        types.finish(first).map_err(|error| places.error(error, &Place::file(&self.documents.file(0).source.name)))
    }

    /// For each slot the one that has its type.
    fn real_slots(&self) -> Result<Vec<usize>> {
        const UNKNOWN: usize = usize::MAX;
        let mut real = vec![UNKNOWN; self.slots.len()];
        for start in 0..real.len() {
            let mut way = Vec::new();
            let mut slot = start;
            while real[slot] == UNKNOWN {
                match self.slots.get(slot) {
                    Slot::Same(other) if way.len() <= real.len() => {
                        way.push(slot);
                        slot = *other;
                    }
                    Slot::Same(_) => {
                        let at = self.known.iter().find(|(_, known)| **known == start).map(|(key, _)| *key);
                        let (file, offset) = at.unwrap_or((0, 0));
                        let place = self.locators.offset(file, offset);
                        return Err(Error::at(place, "this schema refers only to itself"));
                    }
                    _ => real[slot] = slot,
                }
            }
            let end = real[slot];
            way.into_iter().for_each(|slot| real[slot] = end);
        }
        Ok(real)
    }

    /// Types that messages, or records, enums and unions need.
    fn used_slots(&self, root: Option<usize>, real: &[usize]) -> Vec<bool> {
        let mut used = vec![false; self.slots.len()];
        let named = (0..used.len()).filter(|&slot| self.slots.name(slot).is_some() && real[slot] == slot);
        let mut todo: Vec<usize> = root.into_iter().chain(named).collect();
        while let Some(slot) = todo.pop() {
            if std::mem::replace(&mut used[slot], true) {
                continue;
            }
            if let Slot::Made(ty) = self.slots.get(slot) {
                let mut kind = ty.kind.clone();
                todo.extend(parts_mut(&mut kind).iter().map(|id| real[id.index()]));
            }
        }
        let unused =
            self.definitions.iter().filter(|(slot, name)| !used[real[**slot]] && !self.mentioned.contains(*name));
        for (_, name) in unused {
            self.notices.borrow_mut().push(format!("the definition {name:?} is of no named type, and nothing uses it"));
        }
        used
    }

    /// Turns keywords into notes, now that all types have their names.
    fn keep_notes(&mut self, real: &[usize]) -> Result<()> {
        let mut texts: HashMap<usize, Notes> = HashMap::new();
        for (&slot, keywords) in &self.slots.types {
            texts.insert(slot, self.notes_of(keywords)?);
        }
        for (&slot, name) in &self.definitions {
            let other = self.definitions.get(&real[slot]).filter(|_| real[slot] != slot);
            if self.slots.name(real[slot]).is_none() && other.is_none() {
                texts.entry(real[slot]).or_default().set(DEF, name);
            } else if real[slot] != slot {
                let real = other.map(String::as_str).or(self.slots.name(real[slot])).unwrap_or_default();
                self.notices.borrow_mut().push(format!("{name:?} is a second name of {real:?}, and left out"));
            }
        }
        for (slot, notes) in texts {
            if let Some(ty) = self.slots.made_mut(slot) {
                ty.notes.extend(&notes);
            }
        }
        let fields = self.all_notes(&self.slots.fields)?;
        let symbols = self.all_notes(&self.slots.symbols)?;
        let branches = self.all_notes(&self.slots.branches)?;
        for ((slot, i), notes) in fields {
            if let Some(Kind::Record(record)) = self.slots.made_mut(slot).map(|ty| &mut ty.kind) {
                record.fields[i].notes.extend(&notes);
            }
        }
        for ((slot, i), notes) in symbols {
            if let Some(Kind::Enum(e)) = self.slots.made_mut(slot).map(|ty| &mut ty.kind) {
                e.symbols[i].notes.extend(&notes);
            }
        }
        for ((slot, i), notes) in branches {
            if let Some(Kind::Union(union)) = self.slots.made_mut(slot).map(|ty| &mut ty.kind) {
                union.branches[i].notes.extend(&notes);
            }
        }
        Ok(())
    }

    fn all_notes(&self, all: &BTreeMap<(usize, usize), Keywords<'a>>) -> Result<Vec<((usize, usize), Notes)>> {
        all.iter().map(|(place, keywords)| Ok((*place, self.notes_of(keywords)?))).collect()
    }

    fn notes_of(&self, keywords: &Keywords<'a>) -> Result<Notes> {
        let mut notes = Notes::default();
        for (name, kept) in keywords.names() {
            notes.set(format!("{OWNER}{name}"), self.kept_text(kept)?);
        }
        Ok(notes)
    }

    /// A default that is a value of its field's type is the field's; any other is a note.
    fn keep_defaults(&mut self, real: &[usize]) -> Result<()> {
        let defaults: Vec<((usize, usize), At<'a>)> =
            self.slots.defaults.iter().map(|(place, at)| (*place, *at)).collect();
        for ((slot, i), at) in defaults {
            let Some(Kind::Record(record)) = self.slots.made(slot).map(|ty| &ty.kind) else { continue };
            let field = &record.fields[i];
            let json = at.node.to_json();
            let fits = field.oneof.is_none() && self.fits(real[field.ty.index()], &json, real);
            let note = self.kept_text(&super::slots::Kept::At(at, super::super::keywords::Form::Data))?;
            if let Some(Kind::Record(record)) = self.slots.made_mut(slot).map(|ty| &mut ty.kind) {
                let field = &mut record.fields[i];
                if fits {
                    field.default = Some(json);
                } else {
                    field.notes.set(format!("{OWNER}default"), note);
                }
            }
        }
        Ok(())
    }

    fn fits(&self, slot: usize, default: &Json, real: &[usize]) -> bool {
        let Slot::Made(ty) = self.slots.get(slot) else { return false };
        match (&ty.kind, default) {
            (Kind::Nullable(_) | Kind::Null, Json::Null) => true,
            (Kind::Nullable(inner), default) => self.fits(real[inner.index()], default, real),
            (Kind::Bool, Json::Bool(_)) | (Kind::String, Json::String(_)) => true,
            (Kind::Int(int), Json::Number(n)) => {
                n.as_i64().map(i128::from).or(n.as_u64().map(i128::from)).is_some_and(|n| int.holds(n))
            }
            (Kind::Float(Float::F32), Json::Number(n)) => n.as_f64().is_some_and(|n| (n as f32).is_finite()),
            (Kind::Float(Float::F64), Json::Number(_)) => true,
            (Kind::Float(_), Json::String(text)) => matches!(text.as_str(), "NaN" | "Infinity" | "-Infinity"),
            (Kind::Enum(e), Json::String(name)) => e.symbols.iter().any(|symbol| symbol.name == *name),
            (Kind::Bytes, Json::String(value)) => text::base64::decode(value.as_bytes(), &mut Vec::new()),
            (Kind::List(_), Json::Array(items)) => items.is_empty(),
            (Kind::Map(..), Json::Object(entries)) => entries.is_empty(),
            _ => false,
        }
    }
}
