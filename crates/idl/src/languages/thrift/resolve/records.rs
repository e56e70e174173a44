//! Structs, unions and exceptions.

use std::collections::HashMap;

use serde_json::Value as Json;
use wirewise_core::{Branch, Kind, Notes, Oneof, Presence, Record, Type, TypeId, Union};
use wirewise_formats::thrift::{self, notes};

use super::super::ast::{self, Form, Item, Requiredness, What};
use super::super::keys;
use super::values::Default;
use super::{FieldType, Resolver, wrong_note};
use crate::names::{Case, Scope, identifier};
use crate::{Element, Error, Place, Result};

impl Resolver<'_> {
    /// Resolves the types of the fields of a struct, which defaults anywhere may need.
    pub(super) fn field_types(&mut self, unit: usize, item: usize) -> Result<()> {
        let Item { name, head, what } = self.item((unit, item));
        let What::Struct(_, fields) = what else { return Ok(()) };
        let owner = self.full_name(unit, &name.text, &head.notes);
        self.check_fields(unit, &name.text, fields)?;
        let mut types = Vec::with_capacity(fields.len());
        for field in fields {
            types.push(self.field_type(unit, &owner, field, 0)?);
        }
        self.records.insert(self.defined[&(unit, item)], types);
        Ok(())
    }

    fn check_fields(&self, unit: usize, owner: &str, fields: &[ast::Field]) -> Result<()> {
        let (mut names, mut ids) = (HashMap::new(), HashMap::new());
        for field in fields {
            let second = |what: String, first: &ast::Field| {
                let first = self.place(unit, &first.name);
                Err(Error::at(self.place(unit, &field.name), what).related(first, "first defined"))
            };
            if let Some(first) = names.insert(&field.name.text, field) {
                return second(
                    format!("{owner} has a second field {:?}, expected another name", field.name.text),
                    first,
                );
            }
            if let Some(first) = ids.insert(field.id, field) {
                return second(format!("{owner} has a second field with number {}, expected another", field.id), first);
            }
        }
        Ok(())
    }

    /// The type of a field: what it says in Thrift, unless a note of ours knows better.
    pub(super) fn field_type(
        &mut self,
        unit: usize,
        owner: &str,
        field: &ast::Field,
        depth: usize,
    ) -> Result<FieldType> {
        let (mut notes, facts) = Self::notes(&field.head);
        let inner = format!("{owner}.{}", identifier(&field.name.text, Case::Pascal));
        let place = self.place(unit, &field.name);
        let mut typedef = None;
        let mut ty = match facts.get(keys::TYPE) {
            Some(text) => {
                let json = keys::expression(text);
                self.check_shape(unit, &field.ty, &json, &place)?;
                let ty = self.builder.add_expression(&json, &self.named);
                ty.map_err(|error| Error::from(error).or_at(place.clone()))?
            }
            None => {
                let resolved = self.resolve(unit, &field.ty, &inner, depth)?;
                typedef = resolved.typedef;
                resolved.id
            }
        };
        if facts.has(keys::NULLABLE) {
            if matches!(self.builder.kind(ty), Some(Kind::Nullable(_) | Kind::Null | Kind::Any)) {
                return Err(wrong_note(place, keys::NULLABLE));
            }
            ty = self.builder.add_type(Type::from(Kind::Nullable(ty)));
        }
        if field.reference {
            notes.set(notes::REFERENCE, "true");
        }
        if let Some(typedef) = typedef.filter(|_| !notes.has(notes::TYPEDEF)) {
            notes.set(notes::TYPEDEF, typedef);
        }
        let name = facts.get(keys::NAME).unwrap_or(&field.name.text).to_owned();
        Ok(FieldType { ident: field.name.text.clone(), name, ty, notes, facts })
    }

    pub(super) fn define_struct(&mut self, unit: usize, item: usize) -> Result<()> {
        let Item { name, head, what } = self.item((unit, item));
        let What::Struct(form, fields) = what else { return Ok(()) };
        let id = self.defined[&(unit, item)];
        let full = self.full_name(unit, &name.text, &head.notes);
        let (mut notes, facts) = Self::notes(head);
        let place = self.place(unit, name);
        for (position, field) in fields.iter().enumerate() {
            let place = self.place(unit, &field.name);
            let element = match facts.get(keys::KIND) {
                Some("union") => Element::Branch(id, position),
                _ => Element::Field(id, position),
            };
            self.places.set(element, place);
        }
        let kind = if *form == Form::Union && facts.get(keys::KIND) == Some("union") {
            Kind::Union(self.union(unit, id, full, head.doc.clone(), fields, &place)?)
        } else {
            match form {
                Form::Struct => {}
                Form::Union => notes.set(notes::UNION, "true"),
                Form::Exception => notes.set(notes::EXCEPTION, "true"),
            }
            let mut record = Record::new(full, Vec::new());
            record.doc.clone_from(&head.doc);
            (record.oneofs, record.fields) = self.fields(unit, id, *form, fields, &facts)?;
            if let Some(text) = facts.get(keys::RESERVED) {
                keys::reserved(text, &mut record.reserved_numbers, &mut record.reserved_names);
            }
            let ids = thrift::ids(&record).unwrap_or_default();
            let notes = record.fields.iter_mut().map(|field| &mut field.notes);
            keep_ids(notes, ids, fields);
            Kind::Record(record)
        };
        self.builder.define(id, Type { kind, logical: None, notes });
        Ok(())
    }

    fn union(
        &mut self,
        unit: usize,
        id: TypeId,
        name: String,
        doc: Option<String>,
        fields: &[ast::Field],
        place: &Place,
    ) -> Result<Union> {
        if fields.is_empty() {
            return Err(Error::at(place.clone(), format!("union {name} has no fields, expected at least one")));
        }
        let mut branches = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            let FieldType { name, ty, notes, facts, .. } = self.records[&id][position].clone();
            let number = self.number(unit, field, &facts)?;
            branches.push(Branch { number, name, ty, doc: field.head.doc.clone(), notes });
        }
        let mut union = Union { name, doc, branches };
        let ids = thrift::branch_ids(&union).unwrap_or_default();
        keep_ids(union.branches.iter_mut().map(|branch| &mut branch.notes), ids, fields);
        Ok(union)
    }

    fn number(&self, unit: usize, field: &ast::Field, facts: &Notes) -> Result<u32> {
        match facts.get(keys::NUMBER) {
            Some(text) => text.parse().map_err(|_| wrong_note(self.place(unit, &field.name), keys::NUMBER)),
            None => Ok(field.id as u32),
        }
    }

    fn fields(
        &mut self,
        unit: usize,
        id: TypeId,
        form: Form,
        fields: &[ast::Field],
        facts: &Notes,
    ) -> Result<(Vec<Oneof>, Vec<wirewise_core::Field>)> {
        let mut oneofs = match facts.get(keys::ONEOFS) {
            Some(text) => oneofs(text).ok_or_else(|| wrong_note(self.place(unit, &fields[0].name), keys::ONEOFS))?,
            None => Vec::new(),
        };
        if form == Form::Union && !fields.is_empty() && oneofs.is_empty() {
            let names: Vec<&str> = self.records[&id].iter().map(|field| field.name.as_str()).collect();
            oneofs.push(Oneof { name: oneof_name(&names), required: true, ..Oneof::default() });
        }
        let mut oneof_names: HashMap<String, usize> =
            oneofs.iter().enumerate().map(|(i, oneof)| (oneof.name.clone(), i)).collect();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut out = Vec::with_capacity(fields.len());
        for (position, ast) in fields.iter().enumerate() {
            let FieldType { name, ty, notes, facts, .. } = self.records[&id][position].clone();
            let place = self.place(unit, &ast.name);
            let number = self.number(unit, ast, &facts)?;
            let before = known.insert(name.clone(), position).or(numbers.insert(number, position));
            if let Some(first) = before {
                let what = format!("a second field with name {name:?} or number {number}, expected others");
                return Err(Error::at(place, what).related(self.place(unit, &fields[first].name), "first defined"));
            }
            let mut field = wirewise_core::Field::new(number, name, ty);
            field.doc.clone_from(&ast.head.doc);
            field.notes = notes;
            if let Some(text) = facts.get(keys::ALIASES) {
                let aliases = serde_json::from_str(text);
                field.aliases = aliases.map_err(|_| wrong_note(place.clone(), keys::ALIASES))?;
            }
            field.presence = self.presence(ast, form, ty, &mut field.notes);
            match facts.get(keys::PRESENCE) {
                Some("required") => field.presence = Presence::Required,
                Some("optional") => field.presence = Presence::Optional,
                Some(_) => return Err(wrong_note(place, keys::PRESENCE)),
                None => {}
            }
            if form == Form::Union {
                field.presence = Presence::Optional;
                field.oneof = Some(0);
            } else if let Some(oneof) = facts.get(keys::ONEOF) {
                field.oneof = Some(*oneof_names.entry(oneof.to_owned()).or_insert_with(|| {
                    oneofs.push(Oneof { name: oneof.to_owned(), ..Oneof::default() });
                    oneofs.len() - 1
                }));
            }
            if let Some(text) = facts.get(keys::DEFAULT) {
                let json = serde_json::from_str(text).map_err(|_| wrong_note(place, keys::DEFAULT))?;
                field.default = Some(json);
            } else if let Some(value) = &ast.default {
                match self.default(unit, value, ty)? {
                    // Members of a oneof have none: one of them would always be there.
                    Default::Model(json) if field.oneof.is_none() => field.default = Some(json),
                    Default::Model(json) | Default::Noted(json) => field.notes.set(notes::DEFAULT, json.to_string()),
                }
            }
            out.push(field);
        }
        Ok((oneofs, out))
    }

    /// Whether a field may be absent. Without a word about it that depends: a struct that is not there cannot be made of
    /// nothing (it may contain itself), everything else reads as zero.
    fn presence(&self, field: &ast::Field, form: Form, ty: TypeId, notes: &mut Notes) -> Presence {
        match field.requiredness {
            Some(Requiredness::Required) => Presence::Required,
            Some(Requiredness::Optional) => Presence::Optional,
            None if form == Form::Union => Presence::Optional,
            None => {
                notes.set(notes::REQUIREDNESS, "default");
                let is_struct = matches!(self.builder.kind(ty), None | Some(Kind::Record(_) | Kind::Union(_)));
                if is_struct { Presence::Optional } else { Presence::Required }
            }
        }
    }
}

/// Says which ids the file has, where our rule would give others.
fn keep_ids<'n>(notes: impl Iterator<Item = &'n mut Notes>, ids: Vec<i16>, fields: &[ast::Field]) {
    if fields.iter().map(|field| field.id).eq(ids) {
        return;
    }
    for (notes, field) in notes.zip(fields) {
        notes.set(notes::ID, field.id.to_string());
    }
}

/// The name of the oneof of a union with these fields.
pub(in super::super) fn oneof_name(fields: &[&str]) -> String {
    Scope::new(fields).take("value")
}

fn oneofs(text: &str) -> Option<Vec<Oneof>> {
    let rows: Vec<Json> = serde_json::from_str(text).ok()?;
    let text = |row: &Json, key: &str| row.get(key).and_then(Json::as_str).map(str::to_owned);
    let oneof = |row: &Json| {
        let notes = text(row, "notes").map_or(Some(Notes::default()), |text| Notes::parse(&text))?;
        let required = row.get("required").is_some_and(|required| *required == Json::Bool(true));
        Some(Oneof { name: text(row, "name")?, doc: text(row, "doc"), required, notes })
    };
    rows.iter().map(oneof).collect()
}
