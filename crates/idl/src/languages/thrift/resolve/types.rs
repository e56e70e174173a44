//! Types: base types, containers, typedefs, and what maps with other keys become.

use wirewise_core::{Field, Float, Int, Kind, Logical, Notes, Record, Type, TypeId};
use wirewise_formats::thrift::notes;

use super::super::ast::{Annotations, Base, Item, TypeExpr, TypeRef, What};
use super::super::parser::MOST_NESTING;
use super::super::{keys, lexer::short};
use super::{ItemId, Resolved, Resolver};
use crate::{Error, Result};

impl Resolver<'_> {
    /// The item that a name means in a unit.
    pub(super) fn find_type(&self, unit: usize, name: &str) -> Option<ItemId> {
        let here = |unit: usize, name: &str| Some((unit, *self.units[unit].types.get(name)?));
        match name.rsplit_once('.') {
            None => here(unit, name),
            Some((file, name)) => here(*self.units[unit].includes.get(file)?, name),
        }
    }

    /// What a type means. `owner` is the name of what it belongs to, for what has to get a name.
    pub(super) fn resolve(&mut self, unit: usize, ty: &TypeRef, owner: &str, depth: usize) -> Result<Resolved> {
        let place = ty.at.place(self.file(unit));
        let too_deep = || Error::at(place.clone(), format!("types nest deeper than {MOST_NESTING}"));
        if depth > MOST_NESTING {
            return Err(too_deep());
        }
        let mut notes = annotations(&ty.annotations, notes::ANNOTATION);
        if let Some(cpp_type) = &ty.cpp_type {
            notes.set(notes::CPP_TYPE, cpp_type);
        }
        let mut nest = 0;
        let kind = match &ty.expr {
            TypeExpr::Base(base) => base_kind(*base),
            TypeExpr::Named(name) => {
                let Some(item) = self.find_type(unit, name) else {
                    if name == "uuid" {
                        return Ok(self.plain(uuid(notes), 0));
                    }
                    let what = format!("there is no type {:?}", short(name));
                    return Err(Error::at(place, what).hint(self.type_hint(unit, name)));
                };
                return self.item_type(item, ty, unit, depth);
            }
            TypeExpr::List(item) | TypeExpr::Set(item) => {
                let item = self.resolve(unit, item, owner, depth + 1)?;
                nest = item.nest + 1;
                if matches!(ty.expr, TypeExpr::Set(_)) {
                    notes.set(notes::SET, "true");
                }
                Kind::List(item.id)
            }
            TypeExpr::Map(key, value) => {
                let key = self.resolve(unit, key, &format!("{owner}Key"), depth + 1)?;
                let value = self.resolve(unit, value, owner, depth + 1)?;
                nest = key.nest.max(value.nest) + 1;
                match self.key(&key) {
                    Some(key) => Kind::Map(key, value.id),
                    None => {
                        notes.set(notes::MAP, "true");
                        let entry = self.entry(owner, key.id, value.id);
                        self.entries.insert(entry, place.clone());
                        Kind::List(entry)
                    }
                }
            }
        };
        if nest > MOST_NESTING {
            return Err(too_deep());
        }
        Ok(self.plain(Type { kind, logical: None, notes }, nest))
    }

    fn plain(&mut self, ty: Type, nest: usize) -> Resolved {
        Resolved { id: self.builder.add_type(ty.clone()), ty: Some(ty), nest, typedef: None }
    }

    fn type_hint(&self, unit: usize, name: &str) -> String {
        match name.rsplit_once('.') {
            Some((file, _)) if !self.units[unit].includes.contains_key(file) => {
                format!("no file called {:?} is included", short(&format!("{file}.thrift")))
            }
            _ => "types are those of this file, and those of included files as `file.Type`".to_owned(),
        }
    }

    /// The type that an item is.
    fn item_type(&mut self, id: ItemId, ty: &TypeRef, unit: usize, depth: usize) -> Result<Resolved> {
        let Item { name, head, what } = self.item(id);
        if let Some(wrapper) = head.notes.get(keys::WRAPPER) {
            return self.wrapper(id, wrapper, ty, unit, depth);
        }
        let What::Typedef(target) = what else {
            return Ok(Resolved { id: self.defined[&id], ty: None, nest: 0, typedef: None });
        };
        match self.typedefs.get(&id) {
            Some(Some(known)) => return Ok(known.clone()),
            Some(None) => {
                let what = format!("typedef {} is itself: found a cycle, expected a type", name.text);
                return Err(Error::at(ty.at.place(self.file(unit)), what).related(self.place(id.0, name), "defined"));
            }
            None => {}
        }
        self.typedefs.insert(id, None);
        let full = self.full_name(id.0, &name.text, &head.notes);
        let target = self.resolve(id.0, target, &full, depth + 1)?;
        let mut resolved = target;
        match &mut resolved.ty {
            None => resolved.typedef = Some(full),
            Some(ty) => {
                ty.notes.set(notes::TYPEDEF, full);
                ty.notes.extend(&annotations(&head.annotations, notes::TYPEDEF_ANNOTATION));
                if let Some(doc) = &head.doc {
                    ty.notes.set(notes::TYPEDEF_DOC, doc);
                }
                resolved.id = self.builder.add_type(ty.clone());
            }
        }
        self.typedefs.insert(id, Some(resolved.clone()));
        Ok(resolved)
    }

    /// What a struct that our writer made stands for.
    fn wrapper(&mut self, id: ItemId, form: &str, ty: &TypeRef, unit: usize, depth: usize) -> Result<Resolved> {
        let Item { name, what, .. } = self.item(id);
        let place = ty.at.place(self.file(unit));
        if let Some(Some(known)) = self.typedefs.get(&id) {
            return Ok(known.clone());
        }
        let resolved = match (form, what) {
            ("null", _) => self.plain(Type::from(Kind::Null), 0),
            ("nullable", What::Struct(_, fields)) if fields.len() == 1 && depth < MOST_NESTING => {
                let field = self.field_type(id.0, &name.text, &fields[0], depth + 1)?;
                self.plain(Type::from(Kind::Nullable(field.ty)), 1)
            }
            _ => return Err(Error::at(place, format!("{} is a wrapper that cannot be a type here", name.text))),
        };
        self.typedefs.insert(id, Some(resolved.clone()));
        Ok(resolved)
    }

    /// The type of a map's keys, if the model can have it.
    fn key(&mut self, key: &Resolved) -> Option<TypeId> {
        if let Some(symbols) = self.enums.get(&key.id) {
            let notes = Notes::default().with(notes::TYPE, &symbols.full_name);
            return Some(self.builder.add_type(Type { kind: Kind::Int(Int::I32), logical: None, notes }));
        }
        let scalar = matches!(key.ty.as_ref()?.kind, Kind::String | Kind::Int(_) | Kind::Bool);
        scalar.then_some(key.id)
    }

    /// The record of a map's entries.
    fn entry(&mut self, owner: &str, key: TypeId, value: TypeId) -> TypeId {
        let mut name = format!("{owner}Entry");
        while self.named.contains_key(&name) {
            let count = self.entry_names.entry(owner.to_owned()).or_insert(1);
            *count += 1;
            name = format!("{owner}Entry{count}");
        }
        let fields = vec![Field::new(1, "key", key), Field::new(2, "value", value)];
        let record = Kind::Record(Record::new(name.clone(), fields));
        let notes = Notes::default().with(notes::ENTRY, "true");
        let id = self.builder.add_type(Type { kind: record, logical: None, notes });
        self.named.insert(name, id);
        id
    }

    /// Looks at the typedefs that nothing uses, so that errors in them are found.
    pub(super) fn check_typedefs(&mut self) -> Result<()> {
        for unit in 0..self.units.len() {
            for item in 0..self.units[unit].file.items.len() {
                let Item { name, what, head } = self.item((unit, item));
                if matches!(what, What::Typedef(_)) && !head.notes.has(keys::WRAPPER) {
                    let (expr, annotations) = (TypeExpr::Named(name.text.clone()), Vec::new());
                    self.resolve(unit, &TypeRef { at: name.at, expr, annotations, cpp_type: None }, "", 0)?;
                }
            }
        }
        Ok(())
    }
}

pub(super) fn annotations(annotations: &Annotations, prefix: &str) -> Notes {
    let mut notes = Notes::default();
    annotations.iter().for_each(|(key, value)| notes.set(format!("{prefix}{key}"), value));
    notes
}

fn uuid(notes: Notes) -> Type {
    Type { kind: Kind::Fixed(16), logical: Some(Logical::Uuid), notes: notes.with(notes::TYPE, "uuid") }
}

fn base_kind(base: Base) -> Kind {
    match base {
        Base::Bool => Kind::Bool,
        Base::I8 => Kind::Int(Int::I8),
        Base::I16 => Kind::Int(Int::I16),
        Base::I32 => Kind::Int(Int::I32),
        Base::I64 => Kind::Int(Int::I64),
        Base::Double => Kind::Float(Float::F64),
        Base::String => Kind::String,
        Base::Binary => Kind::Bytes,
    }
}
