//! Enums, structs, unions and exceptions.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use serde_json::{Value as Json, json};
use wirewise_core::{Branch, Enum, Field, Kind, Notes, Oneof, Record, TypeId, Union};
use wirewise_formats::thrift::notes;

use super::super::keys;
use super::super::parser::annotations_text;
use super::super::resolve::oneof_name;
use super::types::is_annotation;
use super::{Rendered, Writer, ids};
use crate::Result;

impl Writer<'_> {
    /// A type with a name; `order` is its place among all of them, if it is not written there.
    pub(super) fn item(&mut self, id: TypeId, order: Option<usize>, out: &mut String) -> Result<()> {
        let name = self.schema.name(id).unwrap_or_default();
        let mut facts = Notes::default();
        if self.idents.full(self.idents.of(id)) != name {
            facts.set(keys::NAME, name);
        }
        if let Some(order) = order {
            facts.set(keys::ORDER, order.to_string());
        }
        match self.schema.kind(id) {
            Kind::Enum(e) => self.enumeration(id, e, facts, out),
            Kind::Record(record) => self.record(id, record, facts, out)?,
            Kind::Union(union) => self.union(id, union, facts, out)?,
            _ => {}
        }
        self.written[id.index()] = true;
        Ok(())
    }

    fn enumeration(&mut self, id: TypeId, e: &Enum, mut facts: Notes, out: &mut String) {
        if e.closed {
            facts.set(keys::CLOSED, "true");
        }
        self.reserved(&e.name, &e.reserved_numbers, &e.reserved_names, &mut facts);
        self.enum_losses(e);
        let (annotations, rest) = annotations(self.schema.type_notes(id));
        self.comment(e.doc.as_deref(), &rest, facts, "", out);
        out.push_str(&format!("enum {} {{\n", self.idents.of(id)));
        let mut taken: HashSet<i64> = e.symbols.iter().map(|symbol| symbol.number).collect();
        let mut free = 0;
        for (position, symbol) in e.symbols.iter().enumerate() {
            let ident = &self.idents.members(id)[position];
            let mut facts = Notes::default();
            if *ident != symbol.name {
                facts.set(keys::NAME, &symbol.name);
            }
            let mut number = symbol.number;
            if i32::try_from(number).is_err() {
                facts.set(keys::NUMBER, number.to_string());
                while !taken.insert(free) {
                    free += 1;
                }
                number = free;
            }
            let (annotations, rest) = self::annotations(&symbol.notes);
            self.comment(symbol.doc.as_deref(), &rest, facts, "  ", out);
            out.push_str(&format!("  {ident} = {number}"));
            annotations_text(&annotations, out);
            out.push_str(",\n");
        }
        out.push('}');
        annotations_text(&annotations, out);
        out.push_str("\n\n");
    }

    /// Thrift reserves nothing: only our own reader keeps these free.
    fn reserved<T: Copy + Into<Json>>(
        &mut self,
        path: &str,
        numbers: &[RangeInclusive<T>],
        names: &[String],
        facts: &mut Notes,
    ) {
        if !numbers.is_empty() || !names.is_empty() {
            facts.set(keys::RESERVED, keys::reserved_text(numbers, names));
            self.lose(path, "reserved names and numbers: Thrift lets them be given out again");
        }
    }

    fn record(&mut self, id: TypeId, record: &Record, mut facts: Notes, out: &mut String) -> Result<()> {
        let ids = ids(self.schema, id)?;
        let noted = self.schema.type_notes(id);
        let (annotations, mut rest) = annotations(noted);
        let form = if is_union(record, noted) {
            rest.take(notes::UNION);
            "union"
        } else if noted.get(notes::EXCEPTION) == Some("true") {
            rest.take(notes::EXCEPTION);
            "exception"
        } else {
            "struct"
        };
        if form != "union" {
            oneofs(record, &mut facts);
            for oneof in &record.oneofs {
                let what = format!("oneof {:?}: a reader may see several of its fields, or none", oneof.name);
                self.lose(&record.name, what);
            }
        }
        self.reserved(&record.name, &record.reserved_numbers, &record.reserved_names, &mut facts);
        self.comment(record.doc.as_deref(), &rest, facts, "", out);
        out.push_str(&format!("{form} {} {{\n", self.idents.of(id)));
        for (position, field) in record.fields.iter().enumerate() {
            let ident = self.idents.members(id)[position].clone();
            self.field(record, field, ids[position], &ident, form, out);
        }
        out.push('}');
        annotations_text(&annotations, out);
        out.push_str("\n\n");
        Ok(())
    }

    fn field(&mut self, record: &Record, field: &Field, id: i16, ident: &str, form: &str, out: &mut String) {
        let path = format!("{}.{}", record.name, field.name);
        let (annotations, mut rest) = annotations(&field.notes);
        let mut facts = Notes::default();
        if ident != field.name {
            facts.set(keys::NAME, &field.name);
        }
        if field.number != id as u32 {
            facts.set(keys::NUMBER, field.number.to_string());
            self.lose(&path, format!("number {} becomes {id}: Thrift's go up to {}", field.number, i16::MAX));
        }
        let ty = self.field_type(field, &mut facts, &mut rest);
        self.losses(&path, field.value_type());

        let is_struct = matches!(self.schema.kind(field.ty), Kind::Record(_) | Kind::Union(_));
        let is_null = field.is_nullable() || *self.schema.kind(field.ty) == Kind::Null;
        let silent = rest.get(notes::REQUIREDNESS) == Some("default") && field.is_optional() == is_struct && !is_null;
        let requiredness = if form == "union" {
            ""
        } else if silent {
            rest.take(notes::REQUIREDNESS);
            ""
        } else if field.is_optional() || is_null {
            "optional "
        } else {
            "required "
        };
        if is_null && !field.is_optional() {
            facts.set(keys::PRESENCE, "required");
            self.lose(&path, "a null is written by leaving the field out: a reader takes it for absent");
        } else if is_null {
            self.lose(&path, "a null cannot be told from an absent field");
        }
        if let Some(oneof) = field.oneof.filter(|_| form != "union") {
            facts.set(keys::ONEOF, &record.oneofs[oneof].name);
        }
        if !field.aliases.is_empty() {
            facts.set(keys::ALIASES, Json::from(field.aliases.clone()).to_string());
            self.lose(&path, "former names: Thrift knows fields by their numbers alone");
        }
        let default = self.field_default(field, form, &path, &mut facts, &mut rest);
        let reference = if rest.get(notes::REFERENCE) == Some("true") {
            rest.take(notes::REFERENCE);
            "&"
        } else {
            ""
        };
        self.comment(field.doc.as_deref(), &rest, facts, "  ", out);
        out.push_str(&format!("  {id}: {requiredness}{ty}{reference} {ident}{default}"));
        annotations_text(&annotations, out);
        out.push_str(",\n");
    }

    /// The type of a field, and the facts that Thrift does not say about it.
    fn field_type(&mut self, field: &Field, facts: &mut Notes, rest: &mut Notes) -> String {
        let value = field.value_type();
        let plain_nullable = field.is_nullable() && self.schema.type_notes(field.ty).is_empty();
        let Rendered { mut text, reading } = match self.schema.kind(value) {
            // Here a null needs no struct.
            Kind::Null => Rendered { text: "bool".to_owned(), reading: Json::from("bool") },
            _ => self.render(value),
        };
        let wanted = if plain_nullable {
            facts.set(keys::NULLABLE, "true");
            self.schema.type_json(value)
        } else {
            self.schema.type_json(field.ty)
        };
        if wanted != reading {
            facts.set(keys::TYPE, keys::expression_text(&wanted));
        } else if self.schema.name(value).is_some() {
            let name = rest.get(notes::TYPEDEF).map(str::to_owned);
            if let Some(ident) = name.and_then(|name| self.typedef(&name, &text, &[], None)) {
                rest.take(notes::TYPEDEF);
                text = ident;
            }
        }
        text
    }

    /// The default as Thrift says it; otherwise it goes to the facts.
    fn field_default(&mut self, field: &Field, form: &str, path: &str, facts: &mut Notes, rest: &mut Notes) -> String {
        if let Some(json) = &field.default {
            return match self.default(field.value_type(), json, true) {
                Some(text) => format!(" = {text}"),
                None => {
                    facts.set(keys::DEFAULT, json.to_string());
                    let said = match json {
                        Json::Null => "is null",
                        _ => "cannot be said",
                    };
                    self.lose(path, format!("the default {json} {said} in Thrift: readers do not know it"));
                    String::new()
                }
            };
        }
        let Some(noted) = rest.get(notes::DEFAULT).map(str::to_owned) else { return String::new() };
        // Only what our reader would write down just so.
        let json = serde_json::from_str(&noted).ok().map(|json: Json| (json.to_string(), json));
        let json = json.filter(|(text, _)| *text == noted).map(|(_, json)| json);
        let said = json.filter(|_| form != "union").and_then(|json| self.default(field.value_type(), &json, false));
        match said {
            Some(text) => {
                rest.take(notes::DEFAULT);
                format!(" = {text}")
            }
            None => {
                self.lose(path, format!("the default {noted} cannot be said in Thrift: readers do not know it"));
                String::new()
            }
        }
    }

    /// A union whose value is one of its branches.
    fn union(&mut self, id: TypeId, union: &Union, mut facts: Notes, out: &mut String) -> Result<()> {
        let ids = ids(self.schema, id)?;
        facts.set(keys::KIND, "union");
        let (annotations, rest) = annotations(self.schema.type_notes(id));
        self.comment(union.doc.as_deref(), &rest, facts, "", out);
        out.push_str(&format!("union {} {{\n", self.idents.of(id)));
        for (position, branch) in union.branches.iter().enumerate() {
            let ident = self.idents.members(id)[position].clone();
            self.branch(&union.name, branch, ids[position], &ident, out);
        }
        out.push('}');
        annotations_text(&annotations, out);
        out.push_str("\n\n");
        Ok(())
    }

    fn branch(&mut self, union: &str, branch: &Branch, id: i16, ident: &str, out: &mut String) {
        let path = format!("{union}.{}", branch.name);
        let (annotations, mut rest) = annotations(&branch.notes);
        let mut facts = Notes::default();
        if ident != branch.name {
            facts.set(keys::NAME, &branch.name);
        }
        if branch.number != id as u32 {
            facts.set(keys::NUMBER, branch.number.to_string());
            self.lose(&path, format!("number {} becomes {id}: Thrift's go up to {}", branch.number, i16::MAX));
        }
        let Rendered { mut text, reading } = self.render(branch.ty);
        self.losses(&path, branch.ty);
        let wanted = self.schema.type_json(branch.ty);
        if wanted != reading {
            facts.set(keys::TYPE, keys::expression_text(&wanted));
        } else if self.schema.name(branch.ty).is_some() {
            let name = rest.get(notes::TYPEDEF).map(str::to_owned);
            if let Some(typedef) = name.and_then(|name| self.typedef(&name, &text, &[], None)) {
                rest.take(notes::TYPEDEF);
                text = typedef;
            }
        }
        self.comment(branch.doc.as_deref(), &rest, facts, "  ", out);
        out.push_str(&format!("  {id}: {text} {ident}"));
        annotations_text(&annotations, out);
        out.push_str(",\n");
    }
}

/// Notes that are annotations, and the others.
pub(super) fn annotations(notes: &Notes) -> (Vec<(String, String)>, Notes) {
    let (mut annotations, mut rest) = (Vec::new(), Notes::default());
    for (key, text) in notes.iter() {
        let annotation = key.strip_prefix(notes::ANNOTATION).map(|key| (key.to_owned(), text.to_owned()));
        match annotation.filter(is_annotation) {
            Some(annotation) => annotations.push(annotation),
            None => rest.set(key, text),
        }
    }
    (annotations, rest)
}

/// Whether a record is what our reader makes of a union.
fn is_union(record: &Record, noted: &Notes) -> bool {
    let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).collect();
    let only = || Oneof { name: oneof_name(&names), required: true, ..Oneof::default() };
    let oneofs = match record.fields.is_empty() {
        true => record.oneofs.is_empty(),
        false => record.oneofs == [only()],
    };
    let members = record.fields.iter().all(|field| field.oneof == Some(0));
    noted.get(notes::UNION) == Some("true") && oneofs && members
}

/// Keeps the oneofs of a record, unless the notes of its fields say all of them.
fn oneofs(record: &Record, facts: &mut Notes) {
    let mut said: Vec<Oneof> = Vec::new();
    let mut seen = HashSet::new();
    for position in record.fields.iter().filter_map(|field| field.oneof) {
        if seen.insert(position) {
            said.push(Oneof { name: record.oneofs[position].name.clone(), ..Oneof::default() });
        }
    }
    if said == record.oneofs {
        return;
    }
    let row = |oneof: &Oneof| {
        let mut row = json!({ "name": oneof.name });
        if oneof.required {
            row["required"] = json!(true);
        }
        if let Some(doc) = &oneof.doc {
            row["doc"] = json!(doc);
        }
        if !oneof.notes.is_empty() {
            row["notes"] = json!(oneof.notes.to_string());
        }
        row
    };
    facts.set(keys::ONEOFS, Json::from(record.oneofs.iter().map(row).collect::<Vec<_>>()).to_string());
}
