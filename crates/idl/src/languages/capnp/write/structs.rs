//! Structs, groups, unions and enums, with what the model knows and the language does not say.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value as Json, json};
use wirewise_core::{Enum, Kind, Notes, Oneof, Record, TypeId};
use wirewise_formats::capnp::notes::{self as keys, Skipped};
use wirewise_formats::capnp::shape::{self, Form, Member, Shape, What};

use super::comment::comment;
use super::literal::Idents;
use super::{Writer, parse_id};
use crate::names::{Case, Scope, identifier};
use crate::{Error, Result};

/// Enumerants of an enum.
const MOST_ENUMERANTS: usize = 65535;

/// What a struct or group is printed for.
pub(super) struct Place<'r> {
    pub(super) record: &'r Record,
    pub(super) skipped: Vec<Skipped>,
    /// Names of fields by position, and of unions by oneof.
    pub(super) fields: Vec<String>,
    oneofs: Vec<String>,
    /// The oneof that is the unnamed union.
    pub(super) unnamed: Option<usize>,
}

/// Identifiers of a schema's enumerants and fields.
pub(super) struct Known<'w, 'a>(pub(super) &'w Writer<'a>);

impl Idents for Known<'_, '_> {
    fn symbol(&self, ty: TypeId, position: usize) -> String {
        let mut known = self.0.idents.borrow_mut();
        let idents = known.entry(ty).or_insert_with(|| match self.0.module.schema.kind(ty) {
            Kind::Enum(e) => symbols(e),
            _ => Vec::new(),
        });
        idents.get(position).cloned().unwrap_or_default()
    }

    fn field(&self, ty: TypeId, record: &Record, position: usize) -> String {
        let mut known = self.0.idents.borrow_mut();
        let fields = || self.0.place(ty, record).map(|place| place.fields).unwrap_or_default();
        known.entry(ty).or_insert_with(fields).get(position).cloned().unwrap_or_default()
    }
}

/// A name of something that is no type: camelCase without underscores.
pub(super) fn camel(scope: &mut Scope, name: &str) -> String {
    let is_plain =
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    let ident = if is_plain { name.to_owned() } else { identifier(name, Case::Camel).replace('_', "") };
    scope.take(if ident.is_empty() { "n" } else { &ident })
}

fn symbols(e: &Enum) -> Vec<String> {
    let mut scope = Scope::default();
    e.symbols.iter().map(|symbol| camel(&mut scope, &symbol.name)).collect()
}

pub(super) fn line(out: &mut String, indent: usize, text: &str) {
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
            Kind::Enum(e) => self.enumeration(e, &own, &after, notes, indent, &mut out)?,
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
    pub(super) fn applied(&self, notes: &mut Notes, after: &mut String) {
        if let Some(text) = notes.take(keys::ANNOTATIONS) {
            if self.applicable.applies(&text) {
                after.push(' ');
                after.push_str(&text);
            } else {
                notes.set(keys::ANNOTATIONS, text);
            }
        }
    }

    fn enumeration(
        &mut self,
        e: &Enum,
        own: &str,
        after: &str,
        mut notes: Notes,
        indent: usize,
        out: &mut String,
    ) -> Result<()> {
        if e.symbols.len() > MOST_ENUMERANTS {
            let what = format!(
                "Cap'n Proto enums have at most {} enumerants: {} has {}",
                MOST_ENUMERANTS,
                e.name,
                e.symbols.len()
            );
            return Err(Error::new(what));
        }
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
        Ok(())
    }

    pub(super) fn reserved(&mut self, record: &Record, skipped: &[Skipped], notes: &mut Notes) {
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
    pub(super) fn place<'r>(&self, ty: TypeId, record: &'r Record) -> Result<Place<'r>> {
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

    pub(super) fn members(
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
pub(super) fn default_union_name(place: &Place<'_>) -> String {
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
pub(super) fn least(member: &Member) -> Option<u32> {
    match &member.form {
        Form::Slot { ordinal, .. } => Some(*ordinal),
        Form::Group(members) => members.iter().filter_map(least).min(),
        Form::Union { ordinal, members } => members.iter().filter_map(least).chain(*ordinal).min(),
    }
}
