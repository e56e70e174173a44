//! Writing types, in the order of the schema.

use std::collections::HashMap;

use wirewise_core::{Enum, Field, Int, Kind, Logical, Notes, Oneof, Record, Schema, TypeId, Union, Unit};
use wirewise_formats::json;

use super::text::{comment, property, string};
use crate::names::{Case, Scope, identifier, namespace};
use crate::{Lost, Module, Written};

/// Names of the language's own types that ours would hide where they are used.
const TAKEN: &[&str] = &["Array", "Record"];

/// Fields of which only one may be there are written as a union as long as they are few.
const FEW: usize = 8;

pub(super) fn write(module: &Module) -> Written {
    let schema = &module.schema;
    let mut scope = Scope::new(TAKEN);
    let named: Vec<TypeId> = schema.named_types().collect();
    let names = named.iter().map(|&id| (id, scope.take(&identifier(namespace(schema, id).1, Case::Pascal)))).collect();
    let mut writer = Writer { schema, names, lost: Vec::new() };
    let mut parts: Vec<String> = named.iter().map(|&id| writer.definition(id)).collect();
    if let Some(root) = module.root {
        let ty = writer.ty(root, Parens::No);
        if ty != "Root" {
            let name = scope.take("Root");
            let lines = ["What a message is.".to_owned()].into_iter().chain(writer.meaning(root)).collect::<Vec<_>>();
            parts.push(format!("{}export type {name} = {ty};\n", comment(&lines, "")));
        }
    }
    if parts.is_empty() {
        // A file without exports would not be a module.
        parts.push("export {};\n".to_owned());
    }
    Written { bytes: parts.join("\n").into_bytes(), lost: writer.lost }
}

struct Writer<'a> {
    schema: &'a Schema,
    names: HashMap<TypeId, String>,
    lost: Vec<Lost>,
}

/// Whether a union of types needs parentheses where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parens {
    Yes,
    No,
}

impl Writer<'_> {
    fn definition(&mut self, id: TypeId) -> String {
        let schema = self.schema;
        let name = self.names[&id].clone();
        match schema.kind(id) {
            Kind::Record(record) => self.record(&name, record, schema.type_notes(id)),
            Kind::Enum(e) => enumeration(&name, e, schema.type_notes(id)),
            Kind::Union(union) => self.union(&name, union, schema.type_notes(id)),
            _ => unreachable!("only named types are defined"),
        }
    }

    fn record(&mut self, name: &str, record: &Record, notes: &Notes) -> String {
        let mut lines = documented(&record.doc, notes);
        let mut groups: Vec<Vec<&Field>> = record.oneofs.iter().map(|_| Vec::new()).collect();
        for field in &record.fields {
            if let Some(oneof) = field.oneof {
                groups[oneof].push(field);
            }
        }
        for (oneof, group) in record.oneofs.iter().zip(&groups).filter(|(_, group)| group.len() > FEW) {
            let what = if oneof.required { "Exactly" } else { "At most" };
            let fields = group.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
            lines.push(format!("{what} one of {fields}."));
            self.lost.push(Lost {
                path: format!("{}.{}", record.name, oneof.name),
                what: format!("the type does not say that {} one of its fields is there", what.to_lowercase()),
            });
        }
        let is_union = |field: &Field| field.oneof.is_some_and(|oneof| groups[oneof].len() <= FEW);
        let doc = comment(&lines, "");
        let alone: Vec<&Field> = record.fields.iter().filter(|field| !is_union(field)).collect();
        let body = self.members(record, &alone);
        let unions: Vec<String> = record
            .oneofs
            .iter()
            .zip(&groups)
            .filter(|(_, group)| group.len() <= FEW)
            .map(|(oneof, group)| self.oneof(record, oneof, group))
            .collect();
        if unions.is_empty() && record.fields.is_empty() {
            return format!("{doc}export type {name} = Record<string, never>;\n");
        }
        if unions.is_empty() {
            return format!("{doc}export interface {name} {{\n{body}}}\n");
        }
        // An object without properties would allow none of the others.
        let first = if alone.is_empty() { String::new() } else { format!("{{\n{body}}} & ") };
        format!("{doc}export type {name} = {first}{};\n", unions.join(" & "))
    }

    fn members(&mut self, record: &Record, fields: &[&Field]) -> String {
        let mut out = String::new();
        for field in fields {
            out.push_str(&comment(&self.field_lines(record, field), "  "));
            let mark = if field.is_optional() { "?" } else { "" };
            out.push_str(&format!("  {}{mark}: {};\n", property(&field.name), self.ty(field.ty, Parens::No)));
        }
        out
    }

    /// A union with a member for each of the fields, which has no other.
    fn oneof(&mut self, record: &Record, oneof: &Oneof, group: &[&Field]) -> String {
        let mut out = String::from("(\n");
        out.push_str(&comment(&documented(&oneof.doc, &oneof.notes), "  "));
        for &chosen in group {
            let mut lines = Vec::new();
            let mut members = Vec::new();
            for &field in group {
                let name = property(&field.name);
                if field.number == chosen.number {
                    let mark = if oneof.required { "" } else { "?" };
                    members.push(format!("{name}{mark}: {}", self.ty(field.ty, Parens::No)));
                    lines = self.field_lines(record, field);
                } else {
                    members.push(format!("{name}?: never"));
                }
            }
            out.push_str(&comment(&lines, "  "));
            out.push_str(&format!("  | {{ {} }}\n", members.join("; ")));
        }
        out + ")"
    }

    fn field_lines(&mut self, record: &Record, field: &Field) -> Vec<String> {
        let mut lines = documented(&field.doc, &Notes::default());
        lines.extend(self.meaning(field.ty));
        if let Some(what) = self.rounded(field.ty) {
            self.lost.push(Lost { path: format!("{}.{}", record.name, field.name), what: what.to_owned() });
        }
        if let Some(default) = &field.default {
            lines.push(format!("@defaultValue {default}"));
        }
        lines.extend(deprecated(&field.notes));
        lines
    }

    fn union(&mut self, name: &str, union: &Union, notes: &Notes) -> String {
        let tagged = json::is_tagged(self.schema, union);
        let mut out = comment(&documented(&union.doc, notes), "");
        out.push_str(&format!("export type {name} =\n"));
        for (i, branch) in union.branches.iter().enumerate() {
            let mut lines = documented(&branch.doc, &branch.notes);
            lines.extend(self.meaning(branch.ty));
            out.push_str(&comment(&lines, "  "));
            let ty = self.ty(branch.ty, if tagged { Parens::No } else { Parens::Yes });
            let member = if tagged {
                let others = union.branches.iter().enumerate().filter(|(other, _)| *other != i).take(FEW);
                let others = others.map(|(_, other)| format!("; {}?: never", property(&other.name)));
                let others: String = if union.branches.len() <= FEW { others.collect() } else { String::new() };
                format!("{{ {}: {ty}{others} }}", property(&branch.name))
            } else {
                ty
            };
            let end = if i + 1 == union.branches.len() { ";" } else { "" };
            out.push_str(&format!("  | {member}{end}\n"));
        }
        out
    }

    fn ty(&self, id: TypeId, parens: Parens) -> String {
        let schema = self.schema;
        match schema.kind(id) {
            Kind::Null => "null".to_owned(),
            Kind::Bool => "boolean".to_owned(),
            Kind::Int(_) if schema.logical(id).is_some() => "string".to_owned(),
            Kind::Int(_) | Kind::Float(_) => "number".to_owned(),
            Kind::String if schema.logical(id) == Some(Logical::Number) => "number".to_owned(),
            Kind::String | Kind::Bytes | Kind::Fixed(_) => "string".to_owned(),
            Kind::List(item) => format!("{}[]", self.ty(*item, Parens::Yes)),
            Kind::Map(key, value) => {
                let value_type = self.ty(*value, Parens::No);
                match schema.kind(*key) {
                    Kind::Bool => format!("{{ false?: {value_type}; true?: {value_type} }}"),
                    // A union may have maps of itself, which only this way is not circular.
                    _ if self.ends_in_union(*value) => format!("{{ [key: string]: {value_type} }}"),
                    _ => format!("Record<string, {value_type}>"),
                }
            }
            Kind::Nullable(inner) => {
                let union = format!("{} | null", self.ty(*inner, Parens::Yes));
                if parens == Parens::Yes { format!("({union})") } else { union }
            }
            Kind::Any => "unknown".to_owned(),
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => self.names[&id].clone(),
        }
    }

    fn ends_in_union(&self, mut id: TypeId) -> bool {
        loop {
            match self.schema.kind(id) {
                Kind::List(inner) | Kind::Nullable(inner) | Kind::Map(_, inner) => id = *inner,
                kind => return matches!(kind, Kind::Union(_)),
            }
        }
    }

    /// What the values are that a type does not tell apart from others.
    fn meaning(&self, id: TypeId) -> Option<String> {
        let id = self.innermost(id);
        let digits = |unit| match unit {
            Unit::Seconds => "without a fraction",
            Unit::Millis => "with 3 fraction digits",
            Unit::Micros => "with 6 fraction digits",
            Unit::Nanos => "with 9 fraction digits",
        };
        Some(match (self.schema.kind(id), self.schema.logical(id)) {
            (Kind::String | Kind::Fixed(_), Some(Logical::Uuid)) => "A UUID in lower case.".to_owned(),
            (Kind::String | Kind::Int(_), Some(Logical::Timestamp(unit))) => {
                format!("RFC 3339 in UTC, {}.", digits(unit))
            }
            (Kind::String | Kind::Int(_), Some(Logical::Date)) => "A day: YYYY-MM-DD.".to_owned(),
            (Kind::String, Some(Logical::Base64)) | (Kind::Bytes, _) => "Base64.".to_owned(),
            (Kind::Fixed(size), _) => format!("Base64 of {size} bytes."),
            (Kind::String, Some(Logical::Number)) => {
                "A number of any size and precision: `JSON.parse` rounds it.".to_owned()
            }
            (Kind::Int(int @ (Int::I64 | Int::U64)), None) => {
                let signed = if int.signed() { "A" } else { "An unsigned" };
                format!("{signed} 64-bit integer: `JSON.parse` rounds what is beyond 2^53.")
            }
            (Kind::Int(int), None) => {
                let signed = if int.signed() { "A" } else { "An unsigned" };
                format!("{signed} {}-bit integer.", int.bits())
            }
            _ => return None,
        })
    }

    /// What JavaScript does to values that are too large for it.
    fn rounded(&self, id: TypeId) -> Option<&'static str> {
        let id = self.innermost(id);
        match (self.schema.kind(id), self.schema.logical(id)) {
            (Kind::Int(Int::I64 | Int::U64), None) => {
                Some("a 64-bit integer is a number: JavaScript rounds it beyond 2^53")
            }
            (Kind::String, Some(Logical::Number)) => Some("a number of any size is a double: JavaScript rounds it"),
            _ => None,
        }
    }

    fn innermost(&self, mut id: TypeId) -> TypeId {
        while let Kind::List(inner) | Kind::Nullable(inner) | Kind::Map(_, inner) = self.schema.kind(id) {
            id = *inner;
        }
        id
    }
}

fn enumeration(name: &str, e: &Enum, notes: &Notes) -> String {
    let mut lines = documented(&e.doc, notes);
    if !e.closed {
        lines.push("A number has no name yet.".to_owned());
    }
    let doc = comment(&lines, "");
    let plain = e.symbols.iter().all(|symbol| symbol.doc.is_none() && deprecated(&symbol.notes).is_none());
    let open = if e.closed { None } else { Some("number".to_owned()) };
    if plain {
        let names = e.symbols.iter().map(|symbol| string(&symbol.name)).chain(open.clone()).collect::<Vec<_>>();
        let line = format!("{doc}export type {name} = {};\n", names.join(" | "));
        if line.len() - doc.len() <= 120 {
            return line;
        }
    }
    let mut out = format!("{doc}export type {name} =\n");
    for symbol in &e.symbols {
        out.push_str(&comment(&documented(&symbol.doc, &symbol.notes), "  "));
        out.push_str(&format!("  | {}\n", string(&symbol.name)));
    }
    if let Some(open) = open {
        out.push_str(&format!("  | {open}\n"));
    }
    out.pop();
    out + ";\n"
}

fn documented(doc: &Option<String>, notes: &Notes) -> Vec<String> {
    let doc = doc.as_deref().unwrap_or_default().lines().map(str::to_owned);
    doc.chain(deprecated(notes)).collect()
}

/// What any language says of something that should not be used any more.
fn deprecated(notes: &Notes) -> Option<String> {
    let says = |(key, text): (&str, &str)| {
        (key == "deprecated" || key.ends_with(".deprecated")) && !matches!(text, "false" | "0")
    };
    notes.iter().any(says).then(|| "@deprecated".to_owned())
}
