//! Records, their fields, and enums.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Enum, Field, Int, Kind, Record, Result, TypeId, text};

use super::{Lowering, null_place, put_aliases};
use crate::avro::attributes::{self as attribute, Documented, is_text_of, notes_json, put_notes};
use crate::avro::model::{Attributes, AvroField, NodeId, NodeKind};
use crate::avro::{names, notes};

/// Levels of JSON from a record to the type of one of its fields: its object, the array, and the field's object.
const FIELD_LEVELS: usize = 3;

impl Lowering<'_> {
    pub(super) fn enumeration(&mut self, ty: TypeId, e: &Enum) -> NodeId {
        if let Some(&node) = self.done.get(&ty) {
            return node;
        }
        let names = e.symbols.iter().map(|symbol| symbol.name.as_str());
        let symbols = names::legal_names(names.clone());
        let (mut attributes, mut own) = self.named_attributes(ty, &e.name);
        if !symbols.iter().map(String::as_str).eq(names.clone()) {
            attributes.insert(attribute::SYMBOLS.to_owned(), names.collect());
        }
        if e.symbols.iter().enumerate().any(|(i, symbol)| symbol.number != i as i64) {
            attributes.insert(attribute::NUMBERS.to_owned(), e.symbols.iter().map(|symbol| symbol.number).collect());
        }
        let (mut docs, mut symbol_notes) = (Map::new(), Map::new());
        for (symbol, name) in e.symbols.iter().zip(&symbols) {
            if let Some(doc) = &symbol.doc {
                docs.insert(name.clone(), json!(doc));
            }
            if !symbol.notes.is_empty() {
                symbol_notes.insert(name.clone(), notes_json(&symbol.notes));
            }
        }
        for (name, object) in [(attribute::SYMBOL_DOCS, docs), (attribute::SYMBOL_NOTES, symbol_notes)] {
            if !object.is_empty() {
                attributes.insert(name.to_owned(), Json::Object(object));
            }
        }
        if !e.closed {
            attributes.insert(attribute::OPEN.to_owned(), json!(true));
        }
        put_reserved(&e.reserved_numbers, &e.reserved_names, &mut attributes);
        let notes = self.schema.type_notes(ty);
        if let Some(default) = notes.get(notes::DEFAULT).filter(|default| symbols.iter().any(|name| name == default)) {
            attributes.insert(attribute::ENUM_DEFAULT.to_owned(), json!(default));
            own.push(notes::DEFAULT);
        }
        put_notes(notes, &own, Documented::Yes, &mut attributes);
        let kind = NodeKind::Enum { name: self.names[&ty].clone(), doc: e.doc.clone(), symbols };
        let node = self.out.add_with(kind, attributes);
        self.done.insert(ty, node);
        node
    }

    /// The original name of a type, where Avro calls it otherwise, and its aliases; also the notes that are done.
    fn named_attributes(&self, ty: TypeId, name: &str) -> (Attributes, Vec<&'static str>) {
        let mut attributes = Attributes::new();
        if self.names[&ty] != name {
            attributes.insert(attribute::NAME.to_owned(), json!(name));
        }
        let notes = self.schema.type_notes(ty);
        let mut own: Vec<&str> = put_aliases(notes, &mut attributes).into_iter().collect();
        let is_bare = !self.names[&ty].contains('.') && !name.contains('.') && notes.get(notes::NAMESPACE) == Some("");
        if is_bare && self.has_namespaces {
            own.push(notes::NAMESPACE);
        }
        (attributes, own)
    }

    pub(super) fn record(&mut self, ty: TypeId, record: &Record) -> Result<NodeId> {
        let name = self.names[&ty].clone();
        let (mut attributes, mut own) = self.named_attributes(ty, &record.name);
        put_reserved(&record.reserved_numbers, &record.reserved_names, &mut attributes);
        if !record.oneofs.is_empty() {
            let rows = record.oneofs.iter().map(|oneof| {
                let mut row = json!({"name": oneof.name});
                if oneof.required {
                    row["required"] = json!(true);
                }
                if let Some(doc) = &oneof.doc {
                    row["doc"] = json!(doc);
                }
                if !oneof.notes.is_empty() {
                    row["notes"] = notes_json(&oneof.notes);
                }
                row
            });
            attributes.insert(attribute::ONEOFS.to_owned(), rows.collect());
        }
        let notes = self.schema.type_notes(ty);
        let is_error = notes.get(notes::ERROR) == Some("true");
        if is_error {
            own.push(notes::ERROR);
        }
        put_notes(notes, &own, Documented::Yes, &mut attributes);
        let empty = NodeKind::Record { name: name.clone(), doc: None, fields: Vec::new(), is_error };
        let node = self.out.add_with(empty, attributes);
        self.done.insert(ty, node);
        let outside = std::mem::take(&mut self.open);
        let names = names::legal_names(record.fields.iter().map(|field| field.name.as_str()));
        let mut fields = Vec::with_capacity(names.len());
        self.depth += FIELD_LEVELS;
        for (position, field) in record.fields.iter().enumerate() {
            let oneof = field.oneof.map(|oneof| record.oneofs[oneof].name.as_str());
            let lowered = self.field(field, oneof, position, &names[position], &name);
            fields.push(lowered.map_err(|error| error.in_field(&field.name))?);
        }
        self.depth -= FIELD_LEVELS;
        self.open = outside;
        self.out.nodes[node].kind = NodeKind::Record { name, doc: record.doc.clone(), fields, is_error };
        Ok(node)
    }

    fn field(
        &mut self,
        field: &Field,
        oneof: Option<&str>,
        position: usize,
        name: &str,
        record: &str,
    ) -> Result<AvroField> {
        let context = format!("{record}_{name}");
        let mut attributes = Attributes::new();
        let mut own = Vec::new();
        let mut default = match &field.default {
            Some(default) => self.default(field.value_type(), default),
            None => None,
        };
        let is_null = *self.schema.kind(field.value_type()) == Kind::Null;
        let mut place = None;
        let ty = if !field.is_stateful() || is_null {
            self.value(field.value_type(), &context)?
        } else {
            // Avro wants a default to be of the first branch.
            let null_first = field.is_optional() || default.as_ref().is_none_or(Json::is_null);
            let last = self.width(field.value_type());
            let usual = if null_first { 0 } else { last };
            let notes = if field.is_optional() { &field.notes } else { self.schema.type_notes(field.ty) };
            place = null_place(notes).map(|place| place.min(last)).filter(|&place| place != usual);
            if field.is_optional() && place.map(|place| place.to_string()).as_deref() == notes.get(notes::NULL) {
                own.push(notes::NULL);
            }
            self.nullable(field.value_type(), &context, place.unwrap_or(usual))?
        };
        if field.is_optional() {
            default = Some(Json::Null);
            attributes.insert(attribute::PRESENCE.to_owned(), json!("optional"));
            if field.is_nullable() {
                attributes.insert(attribute::NULLABLE.to_owned(), json!(true));
            }
        }
        if let Some(exact) = &field.default
            && (field.is_optional() || default.is_none())
        {
            attributes.insert(attribute::DEFAULT.to_owned(), exact.clone());
        }
        // A default that the model does not have.
        if field.default.is_none()
            && !field.is_optional()
            && let Some(text) = field.notes.get(notes::DEFAULT)
            && let Ok(json) = serde_json::from_str::<Json>(text)
            && is_text_of(text, &json)
        {
            default = Some(json);
            own.push(notes::DEFAULT);
        }
        if let Some(order) = field.notes.get(notes::ORDER) {
            attributes.insert(attribute::ORDER.to_owned(), json!(order));
            own.push(notes::ORDER);
        }
        if name != field.name {
            attributes.insert(attribute::NAME.to_owned(), json!(field.name));
        }
        if field.number as usize != position + 1 {
            attributes.insert(attribute::NUMBER.to_owned(), json!(field.number));
        }
        if let Some(oneof) = oneof {
            attributes.insert(attribute::ONEOF.to_owned(), json!(oneof));
        }
        let (doc, name) = (field.doc.clone(), name.to_owned());
        let aliases: Vec<String> = field.aliases.iter().filter(|alias| names::is_simple(alias)).cloned().collect();
        if aliases.len() < field.aliases.len() {
            attributes.insert(attribute::ALIASES.to_owned(), json!(field.aliases));
        }
        self.describe_slot_with(field.ty, place.filter(|_| !field.is_optional()), &mut attributes);
        put_notes(&field.notes, &own, Documented::Yes, &mut attributes);
        Ok(AvroField { name, ty, default, doc, aliases, attributes, at: 0 })
    }

    /// A default as Avro writes it; `None` where it cannot.
    fn default(&mut self, ty: TypeId, default: &Json) -> Option<Json> {
        match (self.schema.kind(ty), default) {
            (Kind::Int(Int::U64), Json::Number(n)) if n.as_i64().is_none() => None,
            // NaN and the infinities are no JSON numbers.
            (Kind::Float(_), Json::String(_)) => None,
            (Kind::Bytes, Json::String(text)) => {
                let mut bytes = Vec::new();
                text::base64::decode(text.as_bytes(), &mut bytes);
                // One character for each byte: ISO 8859-1.
                Some(Json::String(bytes.into_iter().map(char::from).collect()))
            }
            (Kind::Enum(e), Json::String(name)) => {
                let node = self.enumeration(ty, e);
                let NodeKind::Enum { symbols, .. } = self.out.kind(node) else { return None };
                Some(Json::from(symbols[e.position_of(name.as_bytes())?].as_str()))
            }
            // A map that is an array.
            (Kind::Map(key, _), Json::Object(_)) if *self.schema.kind(*key) != Kind::String => Some(json!([])),
            _ => Some(default.clone()),
        }
    }
}

fn put_reserved<T: Copy + PartialEq + Into<Json> + Display>(
    numbers: &[RangeInclusive<T>],
    names: &[String],
    attributes: &mut Attributes,
) {
    if !numbers.is_empty() {
        let rows = numbers.iter().map(|range| match (*range.start(), *range.end()) {
            (from, to) if from == to => from.into(),
            (from, to) => Json::Array(vec![from.into(), to.into()]),
        });
        attributes.insert(attribute::RESERVED_NUMBERS.to_owned(), rows.collect());
    }
    if !names.is_empty() {
        attributes.insert(attribute::RESERVED_NAMES.to_owned(), json!(names));
    }
}
