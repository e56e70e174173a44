//! Structs to records: fields, groups, unions, and what our own files say in comments about them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json, json};
use wirewise_core::Notes;
use wirewise_formats::capnp::notes::{self, Skipped};

use super::ast::{Expr, Form, Member, Name};
use super::build::Build;
use super::scope::{Env, Ty, TyId};
use super::value::wrong_note;
use crate::{Element, Place, Result, docs, names};

/// A record that is being made.
pub(super) struct Record {
    pub(super) name: String,
    pub(super) fields: Vec<Json>,
    pub(super) oneofs: Vec<Json>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) places: Vec<Place>,
    pub(super) oneof_places: Vec<Place>,
    /// Names of the fields in the file, with where they are.
    names: HashMap<String, usize>,
    /// Unions whose presence depends on whether a struct's default has an end: place in `oneofs`, and the struct.
    pub(super) endless: Vec<(usize, TyId)>,
}

impl Record {
    pub(super) fn new(name: String) -> Self {
        Record {
            name,
            fields: Vec::new(),
            oneofs: Vec::new(),
            skipped: Vec::new(),
            places: Vec::new(),
            oneof_places: Vec::new(),
            names: HashMap::new(),
            endless: Vec::new(),
        }
    }

    /// The members of the JSON form.
    pub(super) fn json(mut self, extra: Map<String, Json>, mut type_notes: Notes) -> Json {
        self.skipped.sort_by_key(|skipped| skipped.number);
        let mut record = Map::from_iter([("record".to_owned(), Json::from(self.name))]);
        if !self.skipped.is_empty() {
            type_notes.set(notes::SKIPPED, Skipped::text(&self.skipped));
            let numbers: Vec<u32> = self.skipped.iter().map(|skipped| skipped.number).collect();
            record.insert("reserved_numbers".to_owned(), json!(numbers));
        }
        record.insert("fields".to_owned(), Json::Array(self.fields));
        if !self.oneofs.is_empty() {
            record.insert("oneofs".to_owned(), Json::Array(self.oneofs));
        }
        record.extend(extra);
        set_notes(&mut record, &type_notes);
        Json::Object(record)
    }
}

/// Notes as the schema file writes them.
pub(super) fn notes_json(notes: &Notes) -> Json {
    Json::Object(notes.iter().map(|(key, text)| (key.to_owned(), Json::from(text))).collect())
}

/// Sets the notes of a JSON form, when there are any.
pub(super) fn set_notes(object: &mut Map<String, Json>, notes: &Notes) {
    if !notes.is_empty() {
        object.insert("notes".to_owned(), notes_json(notes));
    }
}

/// Takes what our own files keep of a thing that the model knows, such as its documentation when a comment cannot hold it.
pub(super) fn take_json(notes: &mut Notes, key: &str) -> Option<std::result::Result<Json, String>> {
    let text = notes.take(key)?;
    Some(serde_json::from_str(&text).map_err(|_| key.to_owned()))
}

/// Where a member lies.
#[derive(Clone, Copy)]
pub(super) struct In<'e> {
    pub(super) env: &'e Env,
    /// The oneof, by name.
    pub(super) oneof: Option<&'e str>,
    /// Whether it is the record's own unnamed union.
    pub(super) is_unnamed: bool,
}

impl<'a> Build<'a> {
    /// Adds the members of a struct, group or union to a record.
    pub(super) fn members(&mut self, record: &mut Record, at: In<'_>, members: &'a [Member]) -> Result<()> {
        for member in members {
            self.member(record, at, member)?;
        }
        Ok(())
    }

    fn member(&mut self, record: &mut Record, at: In<'_>, member: &'a Member) -> Result<()> {
        let node = at.env.node;
        let (doc, mut notes) = docs::split(member.doc.as_deref().unwrap_or_default());
        self.annotations(at.env, &member.annotations, &mut notes)?;
        let Some(name) = &member.name else {
            let Form::Union(members) = &member.form else { return Ok(()) };
            return self.unnamed_union(record, at, member, members, doc, notes);
        };
        self.check_name(record, node, name)?;
        match (&member.form, notes.take("wrapper").as_deref()) {
            // What an absent value is.
            (_, Some("none")) => Ok(()),
            (Form::Union(members) | Form::Group(members), Some("oneof")) => {
                self.noted_oneof(record, at, member, members, doc, notes)
            }
            (Form::Union(members), Some("optional")) => {
                let value = members.iter().find_map(|member| match &member.form {
                    Form::Field { ty, .. } if member.name.as_ref().is_some_and(|name| name.text == "value") => Some(ty),
                    _ => None,
                });
                let Some(value) = value else { return Err(wrong_note(&self.scopes, node, member.at, "wrapper")) };
                notes.set("presence", notes.get("presence").unwrap_or("optional").to_owned());
                self.field(record, at, member, name, (value, None), doc, notes)
            }
            (Form::Union(_) | Form::Group(_), Some("union")) => {
                let Some(json) = take_json(&mut notes, "type") else {
                    return Err(wrong_note(&self.scopes, node, member.at, "wrapper"));
                };
                let ty = json.map_err(|key| wrong_note(&self.scopes, node, member.at, &key))?;
                let number = least_ordinal(std::slice::from_ref(member)).map_or(1, |ordinal| ordinal + 1);
                let presence = notes.take("presence").unwrap_or_else(|| "required".to_owned());
                self.push(record, at, member, name, (number, ty, &presence, None), doc, notes)
            }
            // Such a note would say something else of the field that this becomes.
            (Form::Group(_) | Form::Union(_), Some(_)) => Err(wrong_note(&self.scopes, node, member.at, "wrapper")),
            (Form::Group(_) | Form::Union(_), None) if notes.has("type") => {
                Err(wrong_note(&self.scopes, node, member.at, "type"))
            }
            (Form::Group(members), _) => self.group(record, at, member, name, members, doc, notes),
            (Form::Union(_), _) => self.group(record, at, member, name, std::slice::from_ref(member), doc, notes),
            (Form::Field { ty, default }, _) => {
                self.field(record, at, member, name, (ty, default.as_ref()), doc, notes)
            }
            (Form::Enumerant, _) => Ok(()),
        }
    }

    fn check_name(&mut self, record: &mut Record, node: usize, name: &Name) -> Result<()> {
        match record.names.insert(name.text.clone(), name.at) {
            Some(first) => Err(self.scopes.twice(self.scopes.nodes[node].unit, name, first)),
            None => Ok(()),
        }
    }

    /// A field with a type of the file's, and perhaps a default.
    #[expect(clippy::too_many_arguments, reason = "what is known of one field")]
    fn field(
        &mut self,
        record: &mut Record,
        at: In<'_>,
        member: &'a Member,
        name: &Name,
        (ty, default): (&'a Expr, Option<&'a Expr>),
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let node = at.env.node;
        let declared = self.scopes.type_of(at.env, ty)?;
        let ordinal =
            member.ordinal.map(|(ordinal, _)| ordinal).or_else(|| least_ordinal(std::slice::from_ref(member)));
        let number = ordinal.unwrap_or_default() + 1;
        let is_pointer = matches!(self.scopes.ty(declared), Ty::Text | Ty::Data | Ty::List(_) | Ty::Struct(..));
        if let Ty::Pointer(text) = self.scopes.ty(declared).clone() {
            let ty = notes.take("capnp.type").unwrap_or(text);
            let (name, in_union) = (name.text.clone(), at.is_unnamed);
            record.skipped.push(Skipped { number, name, ty, in_union });
            return Ok(());
        }
        let json = match take_json(&mut notes, "type") {
            Some(json) => json.map_err(|key| wrong_note(&self.scopes, node, member.at, &key))?,
            None => self.type_json(declared),
        };
        let presence = notes.take("presence");
        let is_optional = at.oneof.is_some() || is_pointer;
        let presence = presence.as_deref().unwrap_or(if is_optional { "optional" } else { "required" }).to_owned();
        let mut value = None;
        if let Some(default) = default {
            let json = self.values.eval(&mut self.scopes, at.env, declared, default)?;
            let is_plain = match self.scopes.ty(declared) {
                Ty::List(_) => json.as_array().is_some_and(Vec::is_empty),
                Ty::Struct(..) => false,
                _ => true,
            };
            if is_plain && at.oneof.is_none() {
                value = Some(json);
            } else {
                notes.set(notes::DEFAULT, json.to_string());
            }
        }
        self.push(record, at, member, name, (number, json, &presence, value), doc, notes)
    }

    /// Completes a field with what the notes say of it.
    #[expect(clippy::too_many_arguments, reason = "what is known of one field")]
    fn push(
        &mut self,
        record: &mut Record,
        at: In<'_>,
        member: &Member,
        name: &Name,
        (number, ty, presence, default): (u32, Json, &str, Option<Json>),
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let node = at.env.node;
        let wrong = |build: &Self, key: &str| wrong_note(&build.scopes, node, member.at, key);
        let number = match notes.take("number") {
            Some(text) => text.parse().map_err(|_| wrong(self, "number"))?,
            None => number,
        };
        let full = notes.take("name").unwrap_or_else(|| name.text.clone());
        let mut field = Map::new();
        field.insert("number".to_owned(), Json::from(number));
        field.insert("name".to_owned(), Json::from(full));
        field.insert("type".to_owned(), ty);
        if presence == "optional" {
            field.insert("presence".to_owned(), Json::from("optional"));
        }
        let noted = take_json(&mut notes, "default").transpose().map_err(|key| wrong(self, &key))?;
        if let Some(default) = noted.or(default) {
            field.insert("default".to_owned(), default);
        }
        if let Some(aliases) = take_json(&mut notes, "aliases") {
            field.insert("aliases".to_owned(), aliases.map_err(|key| wrong(self, &key))?);
        }
        if let Some(oneof) = at.oneof {
            field.insert("oneof".to_owned(), Json::from(oneof));
        }
        let noted = take_json(&mut notes, "doc").transpose().map_err(|key| wrong(self, &key))?;
        if let Some(doc) = noted.or(doc.map(Json::from)) {
            field.insert("doc".to_owned(), doc);
        }
        set_notes(&mut field, &notes);
        record.fields.push(Json::Object(field));
        record.places.push(self.place(node, member.at));
        Ok(())
    }

    /// A group, or a named union, which is a group with nothing but a union: `members` are its members then too.
    #[expect(clippy::too_many_arguments, reason = "what is known of one field")]
    fn group(
        &mut self,
        record: &mut Record,
        at: In<'_>,
        member: &'a Member,
        name: &Name,
        members: &'a [Member],
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let node = at.env.node;
        if members.is_empty() {
            return Err(self.scopes.error(node, member.at, "a group must have at least one member"));
        }
        let wrong = |build: &Self| wrong_note(&build.scopes, node, member.at, "record");
        let mut extra = match take_json(&mut notes, "record") {
            None => Map::new(),
            Some(Ok(Json::Object(object))) => object,
            Some(_) => return Err(wrong(self)),
        };
        let full = match extra.remove("record") {
            Some(Json::String(name)) => self.claim(name),
            Some(_) => return Err(wrong(self)),
            None => {
                let own = names::identifier(&name.text, names::Case::Pascal);
                self.claim(format!("{}.{own}", record.name))
            }
        };
        let index = self.reserve();
        let mut inner = Record::new(full.clone());
        let inside = In { env: at.env, oneof: None, is_unnamed: false };
        if let Form::Union(inside_union) = &member.form {
            let mut union_notes = Notes::default();
            if let Some((ordinal, _)) = member.ordinal {
                union_notes.set(notes::NUMBER, (ordinal + 1).to_string());
            }
            self.unnamed_union(&mut inner, inside, member, inside_union, None, union_notes)?;
        } else {
            self.members(&mut inner, inside, members)?;
        }
        notes.set(notes::GROUP, "true");
        let number = least_ordinal(std::slice::from_ref(member)).unwrap_or_default() + 1;
        let presence = if at.oneof.is_some() { "optional" } else { "required" };
        self.push(record, at, member, name, (number, Json::from(full), presence, None), doc, notes)?;
        let type_notes = match extra.remove("notes") {
            None => Notes::default(),
            Some(Json::Object(object)) => {
                let mut all = Notes::default();
                for (key, text) in object {
                    all.set(key, text.as_str().ok_or_else(|| wrong(self))?);
                }
                all
            }
            Some(_) => return Err(wrong(self)),
        };
        let place = self.place(node, member.at);
        self.add_record(index, inner, extra, type_notes, place);
        Ok(())
    }

    /// A union whose members are fields of the record.
    fn unnamed_union(
        &mut self,
        record: &mut Record,
        at: In<'_>,
        member: &'a Member,
        members: &'a [Member],
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let node = at.env.node;
        if members.len() < 2 {
            return Err(self.scopes.error(node, member.at, "a union must have at least two members"));
        }
        if record.oneofs.iter().any(|oneof| oneof["notes"].get(notes::UNNAMED).is_some()) {
            return Err(self.scopes.error(node, member.at, "a struct or group has only one unnamed union"));
        }
        if at.oneof.is_some() {
            return Err(self.scopes.error(node, member.at, "a union in a union must have a name"));
        }
        notes.set(notes::UNNAMED, "true");
        let name = notes.take("name").unwrap_or_else(|| {
            let mut name = "which".to_owned();
            let taken: HashSet<&str> =
                members.iter().filter_map(|member| Some(&member.name.as_ref()?.text[..])).collect();
            while record.names.contains_key(&name) || taken.contains(&name[..]) {
                name.push('_');
            }
            name
        });
        let place = record.oneofs.len();
        let (count, skipped) = (record.fields.len(), record.skipped.len());
        record.oneofs.push(Json::Null);
        let inside = In { env: at.env, oneof: Some(&name), is_unnamed: true };
        self.members(record, inside, members)?;
        let has_skipped = record.skipped.len() > skipped;
        if record.fields.len() == count {
            // The model can say none of its members, and so not the union.
            record.oneofs.pop();
            return Ok(());
        }
        let mut oneof = Map::from_iter([("name".to_owned(), Json::from(name))]);
        let first = members.iter().min_by_key(|member| least_ordinal(std::slice::from_ref(*member)));
        if let Some(struct_) = first.map(|first| self.default_struct(at.env, first)).transpose()?.flatten() {
            record.endless.push((place, struct_));
        }
        oneof.insert("required".to_owned(), Json::from(!has_skipped));
        self.push_oneof(record, place, node, member, oneof, doc, notes)
    }

    /// A union that stands for a oneof of the model: its members are fields of the record.
    fn noted_oneof(
        &mut self,
        record: &mut Record,
        at: In<'_>,
        member: &'a Member,
        members: &'a [Member],
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let node = at.env.node;
        let name = member.name.as_ref().map(|name| name.text.clone()).unwrap_or_default();
        let name = notes.take("name").unwrap_or(name);
        let is_none =
            |member: &Member| docs::split(member.doc.as_deref().unwrap_or_default()).1.get("wrapper") == Some("none");
        let is_required = !members.iter().any(is_none);
        let place = record.oneofs.len();
        record.oneofs.push(Json::Null);
        // Their names were made to differ in the union only.
        let outer = std::mem::take(&mut record.names);
        self.members(record, In { env: at.env, oneof: Some(&name), is_unnamed: false }, members)?;
        record.names = outer;
        let mut oneof = Map::from_iter([("name".to_owned(), Json::from(name.clone()))]);
        oneof.insert("required".to_owned(), Json::from(is_required));
        self.push_oneof(record, place, node, member, oneof, doc, notes)
    }

    #[expect(clippy::too_many_arguments, reason = "what is known of one union")]
    fn push_oneof(
        &mut self,
        record: &mut Record,
        place: usize,
        node: usize,
        member: &Member,
        mut oneof: Map<String, Json>,
        doc: Option<String>,
        mut notes: Notes,
    ) -> Result<()> {
        let noted = take_json(&mut notes, "doc").transpose();
        let noted = noted.map_err(|key| wrong_note(&self.scopes, node, member.at, &key))?;
        if let Some(doc) = noted.or(doc.map(Json::from)) {
            oneof.insert("doc".to_owned(), doc);
        }
        set_notes(&mut oneof, &notes);
        record.oneofs[place] = Json::Object(oneof);
        record.oneof_places.push(self.place(node, member.at));
        Ok(())
    }

    /// Where the members of a record were declared.
    pub(super) fn set_places(&mut self, id: wirewise_core::TypeId, record: &Record) {
        for (i, place) in record.places.iter().enumerate() {
            self.places.set(Element::Field(id, i), place.clone());
        }
        for (i, place) in record.oneof_places.iter().enumerate() {
            self.places.set(Element::Oneof(id, i), place.clone());
        }
    }
}

/// The least ordinal in these members.
pub(super) fn least_ordinal(members: &[Member]) -> Option<u32> {
    let least = |member: &Member| {
        let own = member.ordinal.map(|(ordinal, _)| ordinal);
        let inside = match &member.form {
            Form::Group(members) | Form::Union(members) => least_ordinal(members),
            _ => None,
        };
        own.into_iter().chain(inside).min()
    };
    members.iter().filter_map(least).min()
}
