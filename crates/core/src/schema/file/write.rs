//! Writing schema files.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde_json::{Map, Value as Json};

use super::{FILE_VERSION, logical_name, scalar_name};
use crate::schema::{Kind, Logical, Notes, Presence, Schema, TypeId};

impl Schema {
    /// Writes the schema file: the same schema always gives the same text, and reading it gives an equal schema.
    pub fn to_text(&self) -> String {
        let mut out = format!("{{\n  \"wirewise\": \"{FILE_VERSION}\",\n  \"root\": {}", self.type_json(self.root));
        if !self.notes.is_empty() {
            let _ = write!(out, ",\n  \"notes\": {}", notes_json(&self.notes));
        }
        out.push_str(",\n  \"types\": [");
        for (i, id) in self.named_types().enumerate() {
            out.push_str(if i == 0 { "\n" } else { ",\n" });
            self.write_named(id, &mut out);
        }
        out.push_str("\n  ]\n}\n");
        out
    }

    fn write_named(&self, id: TypeId, out: &mut String) {
        // Writing to a String cannot fail, so the results of `write!` are dropped.
        match self.kind(id) {
            Kind::Record(record) => {
                let _ = write!(out, "    {{\"record\": {}", quoted(&record.name));
                write_doc(&record.doc, out);
                write_reserved(&record.reserved_numbers, &record.reserved_names, out);
                write_notes(self.type_notes(id), out);
                if !record.oneofs.is_empty() {
                    let rows = record.oneofs.iter().map(|oneof| {
                        let mut row = format!("{{\"name\": {}", quoted(&oneof.name));
                        if oneof.required {
                            row.push_str(", \"required\": true");
                        }
                        write_doc(&oneof.doc, &mut row);
                        write_notes(&oneof.notes, &mut row);
                        row.push('}');
                        row
                    });
                    write_rows("oneofs", rows, out);
                }
                let rows = record.fields.iter().map(|field| {
                    let (ty, logical) = self.field_type(field.ty);
                    let mut row = format!("{{\"number\": {}, \"name\": {}", field.number, quoted(&field.name));
                    let _ = write!(row, ", \"type\": {ty}");
                    if let Some(logical) = logical {
                        let _ = write!(row, ", \"logical\": {}", quoted(logical_name(logical)));
                    }
                    if field.presence == Presence::Optional {
                        row.push_str(", \"presence\": \"optional\"");
                    }
                    if let Some(default) = &field.default {
                        let _ = write!(row, ", \"default\": {default}");
                    }
                    if !field.aliases.is_empty() {
                        let _ = write!(row, ", \"aliases\": {}", Json::from(field.aliases.clone()));
                    }
                    if let Some(oneof) = field.oneof {
                        let _ = write!(row, ", \"oneof\": {}", quoted(&record.oneofs[oneof].name));
                    }
                    write_doc(&field.doc, &mut row);
                    write_notes(&field.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("fields", rows, out);
                out.push('}');
            }
            Kind::Enum(e) => {
                let _ = write!(out, "    {{\"enum\": {}", quoted(&e.name));
                if e.closed {
                    out.push_str(", \"closed\": true");
                }
                write_doc(&e.doc, out);
                write_reserved(&e.reserved_numbers, &e.reserved_names, out);
                write_notes(self.type_notes(id), out);
                let rows = e.symbols.iter().map(|symbol| {
                    let mut row = format!("{{\"number\": {}, \"name\": {}", symbol.number, quoted(&symbol.name));
                    write_doc(&symbol.doc, &mut row);
                    write_notes(&symbol.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("symbols", rows, out);
                out.push('}');
            }
            Kind::Union(union) => {
                let _ = write!(out, "    {{\"union\": {}", quoted(&union.name));
                write_doc(&union.doc, out);
                write_notes(self.type_notes(id), out);
                let rows = union.branches.iter().map(|branch| {
                    let (number, name, ty) = (branch.number, quoted(&branch.name), self.type_json(branch.ty));
                    let mut row = format!("{{\"number\": {number}, \"name\": {name}, \"type\": {ty}");
                    write_doc(&branch.doc, &mut row);
                    write_notes(&branch.notes, &mut row);
                    row.push('}');
                    row
                });
                write_rows("branches", rows, out);
                out.push('}');
            }
            _ => unreachable!("only named types are written at the top level"),
        }
    }

    /// The type of a field, with the meaning of a plain scalar taken out: it reads better beside the type.
    fn field_type(&self, id: TypeId) -> (Json, Option<Logical>) {
        match (self.logical(id), scalar_name(self.kind(id))) {
            (Some(logical), Some(name)) if name != "fixed" && self.type_notes(id).is_empty() => {
                (Json::from(name), Some(logical))
            }
            _ => (self.type_json(id), None),
        }
    }

    /// The type as schema files write it: a name, or an object such as `{"list": "int32"}`.
    pub fn type_json(&self, id: TypeId) -> Json {
        let mut bare = match self.kind(id) {
            Kind::Fixed(size) => object("fixed", Json::from(*size)),
            Kind::List(item) => object("list", self.type_json(*item)),
            Kind::Nullable(inner) => object("nullable", self.type_json(*inner)),
            Kind::Map(key, value) => {
                let mut map = object("map", self.type_json(*value));
                if *self.kind(*key) != Kind::String {
                    map["key"] = self.type_json(*key);
                }
                map
            }
            kind => Json::from(scalar_name(kind).or(self.name(id)).unwrap_or_default()),
        };
        // The notes of a named type stand where it is defined.
        let notes = Some(self.type_notes(id)).filter(|notes| !notes.is_empty() && self.name(id).is_none());
        let logical = self.logical(id);
        if !bare.is_object() && (logical.is_some() || notes.is_some()) {
            bare = object("scalar", bare);
        }
        if let Some(logical) = logical {
            bare["logical"] = Json::from(logical_name(logical));
        }
        if let Some(notes) = notes {
            bare["notes"] = notes_json(notes);
        }
        bare
    }
}

fn object(name: &str, value: Json) -> Json {
    Json::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn write_doc(doc: &Option<String>, out: &mut String) {
    if let Some(doc) = doc {
        let _ = write!(out, ", \"doc\": {}", quoted(doc));
    }
}

fn write_rows(name: &str, rows: impl Iterator<Item = String>, out: &mut String) {
    let rows: Vec<String> = rows.map(|row| format!("\n      {row}")).collect();
    let _ = write!(out, ", \"{name}\": [{}]", rows.join(","));
}

fn write_notes(notes: &Notes, out: &mut String) {
    if !notes.is_empty() {
        let _ = write!(out, ", \"notes\": {}", notes_json(notes));
    }
}

fn notes_json(notes: &Notes) -> Json {
    Json::Object(notes.iter().map(|(key, text)| (key.to_owned(), Json::from(text))).collect())
}

/// Numbers as they are, ranges as `[from, to]`.
fn write_reserved<T: Copy + PartialEq + Into<Json>>(numbers: &[RangeInclusive<T>], names: &[String], out: &mut String) {
    if !numbers.is_empty() {
        let range = |range: &RangeInclusive<T>| match (*range.start(), *range.end()) {
            (from, to) if from == to => from.into(),
            (from, to) => Json::Array(vec![from.into(), to.into()]),
        };
        let _ = write!(out, ", \"reserved_numbers\": {}", Json::Array(numbers.iter().map(range).collect()));
    }
    if !names.is_empty() {
        let _ = write!(out, ", \"reserved_names\": {}", serde_json::json!(names));
    }
}
