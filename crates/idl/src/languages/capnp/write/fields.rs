//! Fields and groups, with what the model knows of them and the language does not say.

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Field, Kind, Notes, TypeId};
use wirewise_formats::capnp::notes as keys;
use wirewise_formats::capnp::shape::{self, Form, Member, Size, What};

use super::Writer;
use super::comment::comment;
use super::literal::literal;
use super::structs::{Known, Place, default_union_name, least, line};
use super::types::read_as;
use crate::Result;
use crate::names::{Case, identifier};

impl Writer<'_> {
    pub(super) fn field(
        &mut self,
        place: &Place<'_>,
        position: usize,
        member: &Member,
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        let schema = &self.module.schema;
        let field = &place.record.fields[position];
        let ident = &place.fields[position];
        let path = format!("{}.{}", place.record.name, field.name);
        let mut notes = field.notes.clone();
        let mut after = String::new();
        self.applied(&mut notes, &mut after);
        if *ident != field.name {
            notes.set("name", field.name.clone());
        }
        if least(member).map(|ordinal| ordinal + 1) != Some(field.number) {
            notes.set("number", field.number.to_string());
        }
        if !field.aliases.is_empty() {
            notes.set("aliases", json!(field.aliases).to_string());
        }
        self.lose_of_field(field, &path);
        let presence = if field.is_optional() { "optional" } else { "required" };
        match &member.form {
            Form::Group(members) if shape::is_group(schema, field) => {
                return self.group(place, field, ident, &after, notes, members, from, indent, out);
            }
            Form::Slot { ordinal, ty: Some(ty) } => {
                let text = self.type_text(Some(from), *ty)?;
                if read_as(schema, *ty) != schema.type_json(field.ty) {
                    notes.set("type", schema.type_json(field.ty).to_string());
                }
                let is_optional = field.oneof.is_some() || shape::size(schema, *ty) == Size::Pointer;
                if is_optional != field.is_optional() {
                    notes.set("presence", presence);
                }
                let default = self.default(field, *ty, &mut notes, &path);
                line(out, indent, &format!("{ident} @{ordinal} :{text}{default}{after};"));
                comment(field.doc.as_deref(), &notes, indent, out);
            }
            Form::Union { members, .. } | Form::Group(members) => {
                if let Some(default) = &field.default {
                    notes.set("default", default.to_string());
                    self.lose(path, "the default is only a comment");
                }
                let union = match schema.kind(field.value_type()) {
                    Kind::Union(union) => Some(union),
                    _ => None,
                };
                notes.set("wrapper", if union.is_some() { "union" } else { "optional" });
                let read = if union.is_some() { Json::Null } else { read_as(schema, field.value_type()) };
                if read != schema.type_json(field.ty) {
                    notes.set("type", schema.type_json(field.ty).to_string());
                }
                if union.is_some() == field.is_optional() {
                    notes.set("presence", presence);
                }
                let what = if matches!(member.form, Form::Union { .. }) { "union" } else { "group" };
                line(out, indent, &format!("{ident} :{what}{after} {{"));
                comment(field.doc.as_deref(), &notes, indent + 1, out);
                match union {
                    Some(union) => self.branches(union, members, false, from, indent + 1, out)?,
                    None => self.optional(members, from, indent + 1, out)?,
                }
                line(out, indent, "}");
            }
            Form::Slot { ty: None, .. } => {}
        }
        Ok(())
    }

    fn lose_of_field(&mut self, field: &Field, path: &str) {
        let schema = &self.module.schema;
        if field.is_optional() && field.is_nullable() && field.oneof.is_none() {
            self.lose(path.to_owned(), "null cannot be told from an absent value");
        }
        match schema.kind(field.value_type()) {
            Kind::Fixed(size) => self.lose(path.to_owned(), &format!("data of any length, not only {size} bytes")),
            Kind::Any => self.lose(path.to_owned(), "any value becomes a text with JSON"),
            Kind::Map(..) => self.lose(path.to_owned(), "a map becomes a list of entries, whose keys may be alike"),
            _ => {}
        }
    }

    /// The text of a field's default, which may also be in a note.
    fn default(&mut self, field: &Field, ty: TypeId, notes: &mut Notes, path: &str) -> String {
        let schema = &self.module.schema;
        if let Some(json) = notes.get(keys::DEFAULT).and_then(|text| serde_json::from_str(text).ok())
            && let Some((text, read)) = literal(schema, &Known(self), ty, &json)
            && read == json
        {
            notes.take(keys::DEFAULT);
            return format!(" = {text}");
        }
        let Some(json) = &field.default else { return String::new() };
        // A null pointer or a none is nothing here, and not the default.
        let is_plain = !field.is_nullable() && field.oneof.is_none();
        match literal(schema, &Known(self), ty, json).filter(|_| is_plain) {
            Some((text, read)) => {
                // As text: 0 and -0 are not the same.
                let (read, wanted) = (read.to_string(), json.to_string());
                if read != wanted {
                    notes.set("default", wanted);
                }
                format!(" = {text}")
            }
            None => {
                notes.set("default", json.to_string());
                self.lose(path.to_owned(), "the default is only a comment");
                String::new()
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what is known of one field")]
    fn group(
        &mut self,
        outer: &Place<'_>,
        field: &Field,
        ident: &str,
        after: &str,
        mut notes: Notes,
        members: &[Member],
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        let schema = &self.module.schema;
        let Kind::Record(record) = schema.kind(field.ty) else { return Ok(()) };
        notes.take(keys::GROUP);
        let place = self.place(field.ty, record)?;
        let mut extra = Map::new();
        let expected = format!("{}.{}", outer.record.name, identifier(ident, Case::Pascal));
        if record.name != expected {
            extra.insert("record".to_owned(), Json::from(record.name.as_str()));
        }
        if let Some(doc) = &record.doc {
            extra.insert("doc".to_owned(), Json::from(doc.as_str()));
        }
        let mut type_notes = schema.type_notes(field.ty).clone();
        if !place.skipped.is_empty() {
            type_notes.take(keys::SKIPPED);
        }
        let mut reserved = Notes::default();
        self.reserved(record, &place.skipped, &mut reserved);
        for (key, text) in reserved.iter() {
            extra.insert(key.to_owned(), serde_json::from_str(text).unwrap_or_default());
        }
        if !type_notes.is_empty() {
            let notes = type_notes.iter().map(|(key, text)| (key.to_owned(), Json::from(text)));
            extra.insert("notes".to_owned(), Json::Object(notes.collect()));
        }
        if !extra.is_empty() {
            notes.set("record", Json::Object(extra).to_string());
        }
        // A group of nothing but a plain union is a named union.
        let union = match members {
            [Member { what: What::Oneof(oneof), form: Form::Union { ordinal, members } }]
                if place.unnamed == Some(*oneof) =>
            {
                let oneof = &record.oneofs[*oneof];
                let known = |key: &str| key == keys::UNNAMED || key == keys::NUMBER;
                let is_plain = oneof.doc.is_none() && oneof.notes.iter().all(|(key, _)| known(key));
                (is_plain && oneof.name == default_union_name(&place) || ordinal.is_some())
                    .then_some((*ordinal, members))
            }
            [Member { what: What::Unmodelled, form: Form::Union { members, .. } }] => Some((None, members)),
            _ => None,
        };
        match union {
            Some((ordinal, members)) => {
                let ordinal = ordinal.map(|ordinal| format!(" @{ordinal}!")).unwrap_or_default();
                line(out, indent, &format!("{ident}{ordinal} :union{after} {{"));
                comment(field.doc.as_deref(), &notes, indent + 1, out);
                self.members(&place, members, from, indent + 1, out)?;
            }
            None => {
                line(out, indent, &format!("{ident} :group{after} {{"));
                comment(field.doc.as_deref(), &notes, indent + 1, out);
                self.members(&place, members, from, indent + 1, out)?;
            }
        }
        line(out, indent, "}");
        Ok(())
    }
}
