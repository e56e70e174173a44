//! Records, enums and unions.

use std::ops::RangeInclusive;

use wirewise_core::{Enum, Field, Kind, Notes, Record, TypeId, Union};
use wirewise_formats::json;

use super::super::keywords::{About, Form};
use super::super::tree::Tree;
use super::defaults;
use super::notes::{Place, keywords, move_references};
use super::unnamed::push;
use super::{Inline, Members, Writer, extend_with_notes};

impl Writer<'_> {
    pub(super) fn definition(&mut self, id: TypeId) -> Tree {
        let schema = self.schema;
        match schema.kind(id) {
            Kind::Record(record) => self.record(id, record),
            Kind::Enum(e) => self.enumeration(id, e),
            Kind::Union(union) => self.union(id, union),
            _ => unreachable!("only named types are defined"),
        }
    }

    fn record(&mut self, id: TypeId, record: &Record) -> Tree {
        let mut members = documented(&record.doc);
        push(&mut members, "type", Tree::text("object"));
        let in_order = record.fields.iter().enumerate().all(|(i, field)| field.number as usize == i + 1);
        let properties = record.fields.iter().map(|field| {
            let property = self.property(record, field, in_order);
            (field.name.clone(), property.tree())
        });
        let properties = properties.collect();
        push(&mut members, "properties", Tree::Object(properties));
        let required: Vec<&str> =
            record.fields.iter().filter(|field| !field.is_optional()).map(|field| field.name.as_str()).collect();
        if !required.is_empty() {
            push(&mut members, "required", Tree::texts(required));
        }
        self.oneofs(record, self.schema.type_notes(id), &mut members);
        let place = Place { about: About::Object, annotations: true, except: &["description"] };
        let (rest, kept) = keywords(self.schema.type_notes(id), place, &|name| self.is_defined(name), &mut members);
        let mut extension = Members::new();
        extend_with_reserved(&mut extension, &record.reserved_numbers, &record.reserved_names);
        if !record.oneofs.is_empty() {
            let oneofs = record.oneofs.iter().map(|oneof| {
                let mut row = vec![("name".to_owned(), Tree::text(&oneof.name))];
                row.extend(documented(&oneof.doc));
                extend_with_notes(&mut row, &oneof.notes);
                Tree::Object(row)
            });
            push(&mut extension, "oneofs", Tree::Array(oneofs.collect()));
        }
        self.finished(members, extension, &rest, kept)
    }

    fn property(&mut self, record: &Record, field: &Field, in_order: bool) -> Inline {
        let Inline { members, extension } = self.inline(field.ty, false);
        let mut property = Inline { members: documented(&field.doc), extension: Members::new() };
        property.members.extend(members);
        if !in_order {
            push(&mut property.extension, "number", Tree::word(field.number));
        }
        property.extension.extend(extension);
        if let Some(default) = &field.default {
            let exact = Tree::json(default);
            let shown = defaults::as_json(self.schema, field.ty, default);
            if shown.as_ref() != Some(&exact) {
                push(&mut property.extension, "default", exact);
            }
            match shown {
                Some(shown) => push(&mut property.members, "default", shown),
                None => self.lost(
                    format!("{}.{}", record.name, field.name),
                    format!("the default {default} is nothing that JSON can say"),
                ),
            }
        }
        if !field.aliases.is_empty() {
            push(&mut property.extension, "aliases", Tree::texts(&field.aliases));
        }
        let except: &[&str] = if field.default.is_some() { &["description", "default"] } else { &["description"] };
        let (rest, _) = keywords(
            &field.notes,
            Place { except, ..Place::MEMBER },
            &|name| self.is_defined(name),
            &mut property.members,
        );
        extend_with_notes(&mut property.extension, &rest);
        property
    }

    /// At most one of the fields, or exactly one.
    fn oneofs(&self, record: &Record, notes: &Notes, members: &mut Members) {
        let mut groups: Vec<Vec<Tree>> = record.oneofs.iter().map(|_| Vec::new()).collect();
        for field in &record.fields {
            if let Some(oneof) = field.oneof {
                groups[oneof].push(Tree::object([("required", Tree::texts([&field.name]))]));
            }
        }
        let mut groups = groups.into_iter().zip(&record.oneofs).map(|(mut group, oneof)| {
            if !oneof.required {
                let any = Tree::object([("anyOf", Tree::Array(group.clone()))]);
                group.push(Tree::object([("not", any)]));
            }
            Tree::Array(group)
        });
        match record.oneofs.len() {
            0 => {}
            1 if !notes.has("json-schema.oneOf") => {
                members.extend(groups.next().map(|group| ("oneOf".to_owned(), group)))
            }
            _ => push(members, "allOf", Tree::Array(groups.map(|group| Tree::object([("oneOf", group)])).collect())),
        }
    }

    fn enumeration(&mut self, id: TypeId, e: &Enum) -> Tree {
        let mut members = documented(&e.doc);
        let mut extension = Members::new();
        let in_order = e.symbols.iter().enumerate().all(|(i, symbol)| symbol.number == i as i64);
        let plain = e.symbols.iter().all(|symbol| symbol.doc.is_none() && symbol.notes.is_empty());
        let mut alternatives: Vec<Tree> = Vec::new();
        if plain {
            let names = Tree::texts(e.symbols.iter().map(|symbol| symbol.name.as_str()));
            if !in_order {
                let numbers = e.symbols.iter().map(|symbol| Tree::word(symbol.number));
                push(&mut extension, "numbers", Tree::Array(numbers.collect()));
            }
            if e.closed {
                push(&mut members, "type", Tree::text("string"));
                push(&mut members, "enum", names);
            } else {
                alternatives.push(Tree::object([("type", Tree::text("string")), ("enum", names)]));
            }
        } else {
            for symbol in &e.symbols {
                let mut inline = Inline::default();
                push(&mut inline.members, "const", Tree::text(&symbol.name));
                inline.members.extend(documented(&symbol.doc));
                if !in_order {
                    push(&mut inline.extension, "number", Tree::word(symbol.number));
                }
                let (rest, _) =
                    keywords(&symbol.notes, Place::MEMBER, &|name| self.is_defined(name), &mut inline.members);
                extend_with_notes(&mut inline.extension, &rest);
                alternatives.push(inline.tree());
            }
        }
        if !e.closed {
            let number =
                [("type", Tree::text("integer")), ("minimum", Tree::word(i64::MIN)), ("maximum", Tree::word(i64::MAX))];
            alternatives.push(Tree::object(number));
        }
        if !alternatives.is_empty() {
            if e.closed && alternatives.len() == 1 {
                // A constant alone would be a string.
                push(&mut extension, "enum", Tree::word(true));
            }
            push(&mut members, if e.closed { "oneOf" } else { "anyOf" }, Tree::Array(alternatives));
        }
        let place = Place {
            about: About::String,
            annotations: true,
            except: &["description", "const", "enum", "allOf", "anyOf", "oneOf"],
        };
        let (rest, kept) = keywords(self.schema.type_notes(id), place, &|name| self.is_defined(name), &mut members);
        extend_with_reserved(&mut extension, &e.reserved_numbers, &e.reserved_names);
        self.finished(members, extension, &rest, kept)
    }

    fn union(&mut self, id: TypeId, union: &Union) -> Tree {
        let mut members = documented(&union.doc);
        let tagged = json::is_tagged(self.schema, union);
        let in_order = union.branches.iter().enumerate().all(|(i, branch)| branch.number as usize == i + 1);
        let branches = union.branches.iter().map(|branch| {
            let mut inline = Inline { members: documented(&branch.doc), extension: Members::new() };
            if !in_order {
                push(&mut inline.extension, "number", Tree::word(branch.number));
            }
            if tagged {
                let value = self.inline(branch.ty, true).tree();
                push(&mut inline.members, "type", Tree::text("object"));
                push(&mut inline.members, "properties", Tree::Object(vec![(branch.name.clone(), value)]));
                push(&mut inline.members, "required", Tree::texts([&branch.name]));
                push(&mut inline.members, "additionalProperties", Tree::word(false));
            } else {
                let Inline { members, extension } = self.inline(branch.ty, false);
                inline.members.extend(members);
                push(&mut inline.extension, "name", Tree::text(&branch.name));
                inline.extension.extend(extension);
            }
            let (rest, _) = keywords(&branch.notes, Place::MEMBER, &|name| self.is_defined(name), &mut inline.members);
            extend_with_notes(&mut inline.extension, &rest);
            inline.tree()
        });
        let branches = Tree::Array(branches.collect());
        push(&mut members, if tagged { "oneOf" } else { "anyOf" }, branches);
        let place = Place { about: About::All, annotations: true, except: &["description", "allOf", "anyOf", "oneOf"] };
        let (rest, kept) = keywords(self.schema.type_notes(id), place, &|name| self.is_defined(name), &mut members);
        let extension = vec![("union".to_owned(), Tree::text(if tagged { "tagged" } else { "plain" }))];
        self.finished(members, extension, &rest, kept)
    }

    fn finished(&self, mut members: Members, mut extension: Members, rest: &Notes, kept: Vec<&str>) -> Tree {
        for (name, value) in &mut members {
            if name != "properties" {
                move_references(value, Form::Schema.of_part(Some(name)), self.defs_at);
            }
        }
        if !kept.is_empty() {
            push(&mut extension, "kept", Tree::texts(kept));
        }
        extend_with_notes(&mut extension, rest);
        Inline { members, extension }.tree()
    }
}

fn documented(doc: &Option<String>) -> Members {
    doc.iter().map(|doc| ("description".to_owned(), Tree::text(doc))).collect()
}

fn extend_with_reserved<T: Copy + PartialEq + ToString>(
    extension: &mut Members,
    numbers: &[RangeInclusive<T>],
    names: &[String],
) {
    if !numbers.is_empty() {
        let range = |range: &RangeInclusive<T>| match (*range.start(), *range.end()) {
            (from, to) if from == to => Tree::word(from),
            (from, to) => Tree::Array(vec![Tree::word(from), Tree::word(to)]),
        };
        push(extension, "reserved_numbers", Tree::Array(numbers.iter().map(range).collect()));
    }
    if !names.is_empty() {
        push(extension, "reserved_names", Tree::texts(names));
    }
}
