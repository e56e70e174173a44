//! Structs, groups, unions and enums, with what the model knows and the language does not say.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Enum, Field, Kind, Notes, Oneof, Record, TypeId, Union};
use wirewise_formats::capnp::notes::{self as keys, Skipped};
use wirewise_formats::capnp::shape::{self, Form, Member, Shape, Size, What};

use super::comment::comment;
use super::literal::{Idents, literal};
use super::types::read_as;
use super::{Writer, parse_id};
use crate::Result;
use crate::names::{Case, Scope, identifier};

/// What a struct or group is printed for.
struct Place<'r> {
    record: &'r Record,
    skipped: Vec<Skipped>,
    /// Names of fields by position, and of unions by oneof.
    fields: Vec<String>,
    oneofs: Vec<String>,
    /// The oneof that is the unnamed union.
    unnamed: Option<usize>,
}

/// Identifiers of a schema's enumerants and fields.
struct Known<'w, 'a>(&'w Writer<'a>);

impl Idents for Known<'_, '_> {
    fn symbol(&self, ty: TypeId, position: usize) -> String {
        match self.0.module.schema.kind(ty) {
            Kind::Enum(e) => symbols(e).swap_remove(position),
            _ => String::new(),
        }
    }

    fn field(&self, ty: TypeId, record: &Record, position: usize) -> String {
        let place = self.0.place(ty, record);
        place.map_or_else(|_| String::new(), |mut place| place.fields.swap_remove(position))
    }
}

/// A name of something that is no type: camelCase without underscores.
fn camel(scope: &mut Scope, name: &str) -> String {
    let is_plain =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let ident = if is_plain { name.to_owned() } else { identifier(name, Case::Camel).replace('_', "") };
    scope.take(if ident.is_empty() { "n" } else { &ident })
}

fn symbols(e: &Enum) -> Vec<String> {
    let mut scope = Scope::default();
    e.symbols.iter().map(|symbol| camel(&mut scope, &symbol.name)).collect()
}

fn line(out: &mut String, indent: usize, text: &str) {
    out.extend(std::iter::repeat_n("  ", indent));
    out.push_str(text);
    out.push('\n');
}

impl Writer<'_> {
    /// A type with a name, and what is declared in it.
    pub(super) fn named(&mut self, id: TypeId, indent: usize) -> Result<String> {
        let schema = &self.module.schema;
        let mut out = String::new();
        let mut notes = schema.type_notes(id).clone();
        if schema.name(id) != Some(&self.names.read_as(id)) {
            notes.set("name", schema.name(id).unwrap_or_default());
        }
        let mut after = String::new();
        if let Some(file_id) = notes.get(keys::ID).and_then(parse_id) {
            let _ = write!(after, " @{file_id:#018x}");
            notes.take(keys::ID);
        }
        self.applied(&mut notes, &mut after);
        let own = self.names.own(id).to_owned();
        match schema.kind(id) {
            Kind::Enum(e) => self.enumeration(e, &own, &after, notes, indent, &mut out),
            Kind::Record(record) => {
                let shape = shape::shape(schema, id)?.unwrap_or(Shape { members: Vec::new(), ordinals: 0 });
                let place = self.place(id, record)?;
                if shape::skipped(schema, id).is_ok_and(|skipped| !skipped.is_empty()) {
                    notes.take(keys::SKIPPED);
                }
                self.reserved(record, &place.skipped, &mut notes);
                keep_order("order", &declared_order(&shape.members), &mut notes);
                let oneof = |member: &Member| if let What::Oneof(oneof) = member.what { Some(oneof) } else { None };
                let oneofs: Vec<usize> = shape.members.iter().filter_map(oneof).collect();
                keep_order("oneof_order", &oneofs, &mut notes);
                line(&mut out, indent, &format!("struct {own}{after} {{"));
                comment(record.doc.as_deref(), &notes, indent + 1, &mut out);
                self.members(&place, &shape.members, id, indent + 1, &mut out)?;
            }
            Kind::Union(union) => {
                let shape = shape::shape(schema, id)?.unwrap_or(Shape { members: Vec::new(), ordinals: 0 });
                notes.set("wrapper", "union");
                line(&mut out, indent, &format!("struct {own}{after} {{"));
                let Some(Form::Union { members, .. } | Form::Group(members)) =
                    shape.members.first().map(|member| &member.form)
                else {
                    return Ok(out);
                };
                let order: Vec<usize> = members.iter().filter_map(branch).collect();
                keep_order("order", &order, &mut notes);
                comment(union.doc.as_deref(), &notes, indent + 1, &mut out);
                let in_union = members.len() > 1;
                if in_union {
                    line(&mut out, indent + 1, "union {");
                }
                self.branches(union, members, true, id, indent + 1 + usize::from(in_union), &mut out)?;
                if in_union {
                    line(&mut out, indent + 1, "}");
                }
            }
            _ => return Ok(out),
        }
        for inner in self.names.inside(Some(id)) {
            let text = self.named(inner, indent + 1)?;
            out.push('\n');
            out.push_str(&text);
        }
        line(&mut out, indent, "}");
        Ok(out)
    }

    /// Moves annotations out of the notes, when they can be applied.
    fn applied(&self, notes: &mut Notes, after: &mut String) {
        if let Some(text) = notes.take(keys::ANNOTATIONS) {
            if self.applicable.applies(&text) {
                after.push(' ');
                after.push_str(&text);
            } else {
                notes.set(keys::ANNOTATIONS, text);
            }
        }
    }

    fn enumeration(&mut self, e: &Enum, own: &str, after: &str, mut notes: Notes, indent: usize, out: &mut String) {
        if e.closed {
            notes.set("closed", "true");
            self.lose(e.name.clone(), "the enum is open: readers accept numbers without a symbol");
        }
        if !e.reserved_numbers.is_empty() || !e.reserved_names.is_empty() {
            let range = |range: &std::ops::RangeInclusive<i64>| json!([range.start(), range.end()]);
            let numbers: Vec<Json> = e.reserved_numbers.iter().map(range).collect();
            self.keep_reserved(&e.name, &numbers, &e.reserved_names, &mut notes);
        }
        line(out, indent, &format!("enum {own}{after} {{"));
        comment(e.doc.as_deref(), &notes, indent + 1, out);
        for (i, (symbol, ident)) in e.symbols.iter().zip(symbols(e)).enumerate() {
            let mut notes = symbol.notes.clone();
            let mut after = String::new();
            self.applied(&mut notes, &mut after);
            if ident != symbol.name {
                notes.set("name", symbol.name.clone());
            }
            if symbol.number != i as i64 {
                notes.set("number", symbol.number.to_string());
            }
            line(out, indent + 1, &format!("{ident} @{i}{after};"));
            comment(symbol.doc.as_deref(), &notes, indent + 1, out);
        }
    }

    fn reserved(&mut self, record: &Record, skipped: &[Skipped], notes: &mut Notes) {
        let mut known: Vec<u32> = skipped.iter().map(|skipped| skipped.number).collect();
        known.sort_unstable();
        let plain = record.reserved_numbers.iter().map(|range| (*range.start(), *range.end()));
        if plain.eq(known.iter().map(|&number| (number, number))) && record.reserved_names.is_empty() {
            return;
        }
        let range = |range: &std::ops::RangeInclusive<u32>| json!([range.start(), range.end()]);
        let numbers: Vec<Json> = record.reserved_numbers.iter().map(range).collect();
        self.keep_reserved(&record.name, &numbers, &record.reserved_names, notes);
    }

    fn keep_reserved(&mut self, name: &str, numbers: &[Json], names: &[String], notes: &mut Notes) {
        notes.set("reserved_numbers", json!(numbers).to_string());
        if !names.is_empty() {
            notes.set("reserved_names", json!(names).to_string());
        }
        self.lose(name.to_owned(), "reserved names and numbers are only a comment");
    }

    /// The names in a struct or group.
    fn place<'r>(&self, ty: TypeId, record: &'r Record) -> Result<Place<'r>> {
        let skipped = shape::skipped(&self.module.schema, ty)?;
        let mut scope = Scope::default();
        skipped.iter().for_each(|skipped| drop(camel(&mut scope, &skipped.name)));
        let unnamed = record.oneofs.iter().position(|oneof| oneof.notes.has(keys::UNNAMED));
        // The members of other unions have names of their own.
        let mut inside: HashMap<usize, Scope> = HashMap::new();
        let mut fields = Vec::with_capacity(record.fields.len());
        for field in &record.fields {
            let scope = match field.oneof.filter(|oneof| Some(*oneof) != unnamed) {
                Some(oneof) => inside.entry(oneof).or_insert_with(|| Scope::new(&["none"])),
                None => &mut scope,
            };
            fields.push(camel(scope, &field.name));
        }
        let oneofs = record.oneofs.iter().enumerate();
        let oneofs = oneofs
            .map(|(i, oneof)| if Some(i) == unnamed { String::new() } else { camel(&mut scope, &oneof.name) })
            .collect();
        Ok(Place { record, skipped, fields, oneofs, unnamed })
    }

    fn members(
        &mut self,
        place: &Place<'_>,
        members: &[Member],
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        for member in members {
            match member.what {
                What::Field(position) => self.field(place, position, member, from, indent, out)?,
                What::Oneof(oneof) => self.oneof(place, oneof, member, from, indent, out)?,
                What::Unmodelled => {
                    let (Form::Union { members, .. } | Form::Group(members)) = &member.form else { continue };
                    line(out, indent, "union {");
                    self.members(place, members, from, indent + 1, out)?;
                    line(out, indent, "}");
                }
                What::Skipped(i) => {
                    let skipped = &place.skipped[i];
                    let Form::Slot { ordinal, .. } = member.form else { continue };
                    let known = ["AnyPointer", "AnyStruct", "AnyList", "Capability"].contains(&skipped.ty.as_str());
                    let ty = if known { &skipped.ty } else { "AnyPointer" };
                    let notes = if known { Notes::default() } else { Notes::default().with("capnp.type", &skipped.ty) };
                    let name = camel(&mut Scope::default(), &skipped.name);
                    line(out, indent, &format!("{name} @{ordinal} :{ty};"));
                    comment(None, &notes, indent, out);
                }
                What::Nothing => {
                    let Form::Slot { ordinal, .. } = member.form else { continue };
                    line(out, indent, &format!("none @{ordinal} :Void;"));
                    comment(None, &Notes::default().with("wrapper", "none"), indent, out);
                }
                What::Value | What::Key | What::Branch(_) => {}
            }
        }
        Ok(())
    }

    fn oneof(
        &mut self,
        place: &Place<'_>,
        oneof: usize,
        member: &Member,
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        let Oneof { name, doc, notes, .. } = &place.record.oneofs[oneof];
        let (Form::Union { members, .. } | Form::Group(members)) = &member.form else { return Ok(()) };
        let mut notes = notes.clone();
        let mut after = String::new();
        self.applied(&mut notes, &mut after);
        // A union of one is no union.
        if place.unnamed == Some(oneof) && members.len() > 1 {
            notes.take(keys::UNNAMED);
            notes.take(keys::NUMBER);
            if *name != default_union_name(place) {
                notes.set("name", name.clone());
            }
            line(out, indent, &format!("union{after} {{"));
        } else {
            let ident = &place.oneofs[oneof];
            let ident = if ident.is_empty() { "union" } else { ident };
            notes.set("wrapper", "oneof");
            if ident != name {
                notes.set("name", name.clone());
            }
            let what = if members.len() > 1 { "union" } else { "group" };
            line(out, indent, &format!("{ident} :{what}{after} {{"));
        }
        comment(doc.as_deref(), &notes, indent + 1, out);
        self.members(place, members, from, indent + 1, out)?;
        line(out, indent, "}");
        Ok(())
    }

    fn field(
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
                let text = self.type_text(Some(from), *ty, 0)?;
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
                if read.to_string() != json.to_string() {
                    notes.set("default", json.to_string());
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

    /// The members of the union of nothing and a value.
    fn optional(&mut self, members: &[Member], from: TypeId, indent: usize, out: &mut String) -> Result<()> {
        for member in members {
            let Form::Slot { ordinal, ty } = member.form else { continue };
            match ty {
                None => line(out, indent, &format!("none @{ordinal} :Void;")),
                Some(ty) => {
                    let text = self.type_text(Some(from), ty, 0)?;
                    line(out, indent, &format!("value @{ordinal} :{text};"));
                }
            }
        }
        Ok(())
    }

    /// The branches of a union; where it is declared with all that is known of them.
    fn branches(
        &mut self,
        union: &Union,
        members: &[Member],
        is_declaration: bool,
        from: TypeId,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        let schema = &self.module.schema;
        let mut scope = Scope::new(&["none"]);
        let idents: Vec<String> = union.branches.iter().map(|branch| camel(&mut scope, &branch.name)).collect();
        for member in members {
            let Form::Slot { ordinal, ty } = member.form else { continue };
            let (What::Branch(position), Some(ty)) = (member.what, ty) else {
                line(out, indent, &format!("none @{ordinal} :Void;"));
                continue;
            };
            let (branch, ident) = (&union.branches[position], &idents[position]);
            let mut notes = branch.notes.clone();
            let mut after = String::new();
            self.applied(&mut notes, &mut after);
            if *ident != branch.name {
                notes.set("name", branch.name.clone());
            }
            if ordinal + 1 != branch.number {
                notes.set("number", branch.number.to_string());
            }
            if read_as(schema, ty) != schema.type_json(ty) {
                notes.set("type", schema.type_json(ty).to_string());
            }
            let text = self.type_text(Some(from), ty, 0)?;
            line(out, indent, &format!("{ident} @{ordinal} :{text}{after};"));
            if is_declaration {
                comment(branch.doc.as_deref(), &notes, indent, out);
            }
        }
        Ok(())
    }

    /// What a struct says that the codec puts around a value.
    pub(super) fn wrapper_body_at(
        &mut self,
        ty: TypeId,
        members: &[Member],
        what: &str,
        depth: usize,
    ) -> Result<String> {
        let schema = &self.module.schema;
        let mut out = String::new();
        comment(None, &Notes::default().with("wrapper", what), 1, &mut out);
        for member in members {
            let name = if member.what == What::Key { "key" } else { "value" };
            match &member.form {
                Form::Slot { ordinal, ty: Some(ty) } => {
                    let text = self.type_text(None, *ty, depth)?;
                    line(&mut out, 1, &format!("{name} @{ordinal} :{text};"));
                }
                Form::Slot { .. } => {}
                Form::Union { members, .. } | Form::Group(members) => {
                    let inner = if let Kind::Nullable(inner) = *schema.kind(ty) { inner } else { ty };
                    let is_union = matches!(member.form, Form::Union { .. });
                    // A struct with nothing but a union needs no name for it.
                    let is_entry = matches!(schema.kind(ty), Kind::Map(..));
                    let open = match (schema.kind(inner), is_entry, is_union) {
                        (Kind::Union(_), false, true) => "union {".to_owned(),
                        (Kind::Union(_), false, false) => String::new(),
                        _ => format!("{name} :union {{"),
                    };
                    let indent = 1 + usize::from(!open.is_empty());
                    if !open.is_empty() {
                        line(&mut out, 1, &open);
                    }
                    for member in members {
                        let Form::Slot { ordinal, ty } = member.form else { continue };
                        let name = match (member.what, schema.kind(inner)) {
                            (What::Nothing, _) => "none".to_owned(),
                            (What::Branch(position), _) => format!("branch{position}"),
                            _ => "value".to_owned(),
                        };
                        let text = match ty {
                            Some(ty) => self.type_text(None, ty, depth)?,
                            None => "Void".to_owned(),
                        };
                        line(&mut out, indent, &format!("{name} @{ordinal} :{text};"));
                    }
                    if !open.is_empty() {
                        line(&mut out, 1, "}");
                    }
                }
            }
        }
        Ok(out)
    }
}

/// Keeps the order of the model where another is declared: for each position, which declaration it is.
fn keep_order(key: &str, declared: &[usize], notes: &mut Notes) {
    if declared.iter().enumerate().all(|(i, &position)| i == position) {
        return;
    }
    let mut places = vec![0; declared.len()];
    declared.iter().enumerate().for_each(|(at, &position)| places[position] = at);
    notes.set(key, places.iter().map(usize::to_string).collect::<Vec<_>>().join(","));
}

fn branch(member: &Member) -> Option<usize> {
    if let What::Branch(position) = member.what { Some(position) } else { None }
}

/// The name that a reader gives the unnamed union.
fn default_union_name(place: &Place<'_>) -> String {
    let mut name = "which".to_owned();
    let taken = |name: &String| {
        place.fields.contains(name) || place.oneofs.contains(name) || place.skipped.iter().any(|s| s.name == *name)
    };
    while taken(&name) {
        name.push('_');
    }
    name
}

/// The positions of the fields in the order in which they are declared.
fn declared_order(members: &[Member]) -> Vec<usize> {
    let mut all = Vec::new();
    for member in members {
        match (&member.what, &member.form) {
            (What::Field(position), _) => all.push(*position),
            (What::Oneof(_), Form::Union { members, .. } | Form::Group(members)) => {
                all.extend(declared_order(members));
            }
            _ => {}
        }
    }
    all
}

/// The least ordinal of a member.
fn least(member: &Member) -> Option<u32> {
    match &member.form {
        Form::Slot { ordinal, .. } => Some(*ordinal),
        Form::Group(members) => members.iter().filter_map(least).min(),
        Form::Union { ordinal, members } => members.iter().filter_map(least).chain(*ordinal).min(),
    }
}
