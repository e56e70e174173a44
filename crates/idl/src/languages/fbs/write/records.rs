//! Tables and structs.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};
use wirewise_core::{Field, Float, Kind, Notes, Record, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::types::{Use, plain_field};
use super::{Form, Writer, unwritable};

/// The largest id: vtables have 65535 bytes at most.
const MOST_ID: u32 = 32_763;
use crate::Result;
use crate::languages::fbs::facts;
use crate::languages::fbs::ir::{self, Attributes, Default, Type};
use crate::languages::fbs::lexer::{Lexer, Token};
use crate::languages::fbs::print;
use crate::names::{Case, Scope, identifier};

mod fields;

impl Writer<'_> {
    pub(super) fn record(&mut self, id: TypeId, record: &Record, index: usize) -> Result<()> {
        let mut said = self.type_said(id);
        let mut attributes = attributes_of(&mut said);
        let is_struct = said.take(notes::STRUCT).is_some();
        if let Some(align) = said.take(notes::FORCE_ALIGN) {
            attributes.add("force_align", Some(align));
        }
        if said.take(notes::ORIGINAL_ORDER).is_some() {
            attributes.add("original_order", None);
        }
        let mut explicit = said.get(notes::IDS) == Some("explicit") && !is_struct;
        if explicit {
            said.take(notes::IDS);
        }
        let dead =
            if is_struct { Vec::new() } else { print::deprecated(said.get(notes::DEPRECATED).unwrap_or_default()) };
        if !dead.is_empty() {
            said.take(notes::DEPRECATED);
        }
        let (mut fields, unwritten) = self.fields(id, record, is_struct, &mut said)?;
        if !unwritten.is_empty() {
            said.set(facts::FIELDS, Json::from(unwritten).to_string());
        }
        self.dead(record, &dead, &mut fields, &mut said)?;
        self.fill(&mut fields);
        if !is_struct {
            let in_order = ids_in_order(&fields);
            if self.form == Form::Binary {
                // There the order of the ids is the only one.
                let mut rows: Vec<(usize, ir::Field)> = fields.into_iter().enumerate().collect();
                rows.sort_by_key(|(_, field)| field.id);
                for (position, field) in rows.iter_mut().filter(|_| !in_order) {
                    super::append(&mut field.doc, &Notes::default().with(facts::POSITION, position.to_string()));
                }
                fields = rows.into_iter().map(|(_, field)| field).collect();
            } else {
                explicit |= !in_order;
            }
        }
        self.oneofs(record, &mut said);
        if fields.iter().flat_map(ir::Field::ids).any(|id| id > MOST_ID) {
            let what = format!("{} has more fields than a FlatBuffers table can have ({})", record.name, MOST_ID + 1);
            return Err(unwritable(what));
        }
        let object = &mut self.out.objects[index];
        (object.fields, object.attributes, object.explicit_ids) = (fields, attributes, explicit);
        object.doc = facts::join(record.doc.as_deref(), &said);
        Ok(())
    }

    /// The fields that were, back in their places.
    fn dead(&mut self, record: &Record, dead: &[Json], fields: &mut Vec<ir::Field>, said: &mut Notes) -> Result<()> {
        let (mut numbers, mut names) = (Vec::new(), HashSet::new());
        let mut taken: HashSet<String> = fields.iter().map(|field| field.name.clone()).collect();
        let mut ids: HashSet<u32> = fields.iter().flat_map(ir::Field::ids).collect();
        for row in dead {
            let parsed = row["id"].as_u64().and_then(|id| u32::try_from(id).ok()).zip(row["name"].as_str());
            let Some((id, name)) = parsed.filter(|(id, _)| *id <= 0xFFFF) else { continue };
            let ty = self.type_called(row["type"].as_str().unwrap_or_default());
            let mut field = plain_field(name, ty, id);
            if field.ty.has_types() && id == 0 || !taken.insert(name.to_owned()) {
                continue;
            }
            if !field.ids().all(|id| ids.insert(id)) {
                return Err(unwritable(format!(
                    "the deprecated field {name:?} of {} has the id {id}, which is taken",
                    record.name
                )));
            }
            field.deprecated = true;
            if let Some(text) = row["default"].as_str() {
                field.default = self.default_called(&field.ty, text);
            }
            if field.default == Default::Zero {
                field.default = self.usual_default(&field.ty);
            }
            let mut attributes = parse_attributes(row["attributes"].as_str().unwrap_or_default());
            field.key = attributes.take("key").is_some();
            field.required = attributes.take("required").is_some() && !field.ty.is_scalar();
            field.attributes = attributes;
            let lines = row["doc"].as_array().into_iter().flatten().filter_map(Json::as_str);
            field.doc = lines.map(str::to_owned).collect();
            numbers.extend(field.ids().map(|id| id + 1));
            names.insert(name.to_owned());
            // Where it stands among the others if those are in order.
            let at = fields.iter().position(|other| other.id > id).unwrap_or(fields.len());
            fields.insert(at, field);
        }
        let others: Vec<RangeInclusive<u32>> = without(&record.reserved_numbers, &numbers);
        let other_names: Vec<String> =
            record.reserved_names.iter().filter(|name| !names.contains(*name)).cloned().collect();
        if let Some(note) = range_note(&others, &other_names) {
            self.lose(&record.name, "reserved numbers and names are kept in a comment only");
            said.set(facts::RESERVED, note);
        }
        Ok(())
    }

    /// Ids that nothing has must be had by something.
    fn fill(&mut self, fields: &mut Vec<ir::Field>) {
        let taken: HashSet<u32> = fields.iter().flat_map(ir::Field::ids).collect();
        let mut scope = Scope::default();
        fields.iter().for_each(|field| drop(scope.take(&field.name)));
        let most = taken.iter().max().copied().unwrap_or(0);
        for id in (0..most).filter(|id| !taken.contains(id)).take(if fields.is_empty() { 0 } else { 0x8000 }) {
            let mut field = plain_field(&scope.take(&format!("gap_{id}")), Type::Bool, id);
            field.deprecated = true;
            field.doc = facts::join(None, &Notes::default().with(facts::WRAPPER, "gap"));
            fields.push(field);
        }
    }

    fn oneofs(&mut self, record: &Record, said: &mut Notes) {
        if record.oneofs.is_empty() {
            return;
        }
        self.lose(&record.name, "readers do not check that at most one field of a oneof is there");
        let mut first_used: Vec<usize> = Vec::new();
        for oneof in record.fields.iter().filter_map(|field| field.oneof) {
            if !first_used.contains(&oneof) {
                first_used.push(oneof);
            }
        }
        let plain = |oneof: &wirewise_core::Oneof| !oneof.required && oneof.doc.is_none() && oneof.notes.is_empty();
        // With one oneof there is one order; with more the members' order in the file may be another.
        if record.oneofs.len() == 1 && record.oneofs.iter().all(plain) {
            return;
        }
        let rows: Vec<Json> = record
            .oneofs
            .iter()
            .map(|oneof| {
                let mut row = json!({"name": oneof.name});
                if oneof.required {
                    row["required"] = Json::from(true);
                }
                if let Some(doc) = &oneof.doc {
                    row["doc"] = Json::from(doc.as_str());
                }
                if !oneof.notes.is_empty() {
                    row["notes"] = Json::from(oneof.notes.to_string());
                }
                row
            })
            .collect();
        said.set(facts::ONEOFS, Json::from(rows).to_string());
    }

    /// The type that a deprecated field had; one that is no more is a byte.
    fn type_called(&self, text: &str) -> Type {
        if let Some(item) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let item = self.type_called(item);
            return if matches!(item, Type::Vector(_)) { Type::Bool } else { Type::Vector(item.into()) };
        }
        if let Some(int) = notes::integer(text) {
            return Type::Int(int);
        }
        match text {
            "float" => Type::Float(Float::F32),
            "double" => Type::Float(Float::F64),
            "string" => Type::String,
            _ => self.named(text).unwrap_or(Type::Bool),
        }
    }

    fn named(&self, full: &str) -> Option<Type> {
        if let Some(index) = self.out.enums.iter().position(|e| e.name == full) {
            return Some(if self.out.enums[index].is_union { Type::Union(index) } else { Type::Enum(index) });
        }
        self.out.objects.iter().position(|object| object.name == full).map(Type::Object)
    }

    fn default_called(&self, ty: &Type, text: &str) -> Default {
        match ty {
            _ if text == "null" && ty.is_scalar() => Default::Null,
            Type::Bool => Default::Int(i128::from(text == "true")),
            Type::Int(_) => text.parse().map_or(Default::Zero, Default::Int),
            Type::Float(_) => super::super::constants::float(text).map_or(Default::Zero, Default::Float),
            Type::Enum(index) => {
                let id = self.enum_types[*index];
                let Kind::Enum(e) = self.model.kind(id) else { return Default::Zero };
                let known = e.symbols.iter().find(|symbol| symbol.name == text).map(|symbol| symbol.number);
                let known = known.map(|number| self.enum_number(*index, number));
                known.or_else(|| text.parse().ok()).map_or(Default::Zero, Default::Int)
            }
            _ => Default::Zero,
        }
    }

    /// The object that a note calls so, for `nested_flatbuffer`.
    fn object_called(&self, full: &str) -> Option<usize> {
        match self.named(full) {
            Some(Type::Object(index)) if !self.out.objects[index].is_struct => Some(index),
            _ => None,
        }
    }

    fn field_use<'n>(&self, owner: &'n str, field: &'n Field) -> Use<'n> {
        Use { owner, field: &field.name }
    }
}

/// Whether fields take the ids that their order gives.
fn ids_in_order(fields: &[ir::Field]) -> bool {
    let mut next = 0;
    fields.iter().all(|field| std::mem::replace(&mut next, field.id + 1) == *field.ids().start())
}

/// Ranges without these numbers.
fn without(ranges: &[RangeInclusive<u32>], numbers: &[u32]) -> Vec<RangeInclusive<u32>> {
    let mut sorted: Vec<u32> = numbers.to_vec();
    sorted.sort_unstable();
    let mut out = Vec::new();
    for range in ranges {
        let mut start = *range.start();
        for &number in sorted.iter().filter(|number| range.contains(number)) {
            if number > start {
                out.push(start..=number - 1);
            }
            start = number + 1;
        }
        if start <= *range.end() {
            out.push(start..=*range.end());
        }
    }
    out
}

/// Reserved numbers and names as a note.
pub(super) fn range_note<T: Copy + Into<Json>>(numbers: &[RangeInclusive<T>], names: &[String]) -> Option<String> {
    if numbers.is_empty() && names.is_empty() {
        return None;
    }
    let ranges: Vec<Json> =
        numbers.iter().map(|range| json!([(*range.start()).into(), (*range.end()).into()])).collect();
    Some(json!({"numbers": ranges, "names": names}).to_string())
}

/// Takes the attributes of users out of notes.
pub(super) fn attributes_of(said: &mut Notes) -> Attributes {
    let attributes = parse_attributes(said.get(notes::ATTRIBUTES).unwrap_or_default());
    if !attributes.0.is_empty() {
        said.take(notes::ATTRIBUTES);
    }
    attributes
}

/// Attributes as [`notes::ATTRIBUTES`] has them; none when it is something else.
fn parse_attributes(text: &str) -> Attributes {
    let mut lexer = Lexer::new(&"".into(), text);
    let mut attributes = Attributes::default();
    let mut next = || lexer.next().map_or(Token::End, |(token, ..)| token);
    loop {
        let name = match next() {
            Token::Identifier(name) => name.to_owned(),
            Token::Text(name) => name,
            Token::End if attributes.0.is_empty() => return attributes,
            _ => return Attributes::default(),
        };
        let (mut value, mut after) = (None, next());
        if after == Token::Sign(':') {
            value = match next() {
                Token::Number(text) | Token::Identifier(text) => Some(text.to_owned()),
                Token::Text(text) => Some(text),
                _ => return Attributes::default(),
            };
            after = next();
        }
        attributes.add(&name, value);
        match after {
            Token::Sign(',') => {}
            Token::End => return attributes,
            _ => return Attributes::default(),
        }
    }
}
