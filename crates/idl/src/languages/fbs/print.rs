//! A schema as text.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::Value as Json;
use wirewise_core::{Float, Int};
use wirewise_formats::flatbuffers::notes;

use super::ir::{Attributes, Default, Definition, Enum, Field, Object, Schema, Type};

/// The text of a schema.
pub(super) fn print(schema: &Schema) -> String {
    let mut shorts: HashMap<&str, usize> = HashMap::new();
    for definition in &schema.order {
        *shorts.entry(parts(name_of(schema, *definition)).1).or_default() += 1;
    }
    let mut printer = Printer { schema, shorts, namespace: "", out: String::new() };
    printer.head();
    for definition in &schema.order {
        let (namespace, short) = parts(name_of(schema, *definition));
        if namespace != printer.namespace {
            printer.namespace = namespace;
            let _ = writeln!(printer.out, "namespace {namespace};\n");
        }
        match *definition {
            Definition::Object(index) => printer.object(&schema.objects[index], short),
            Definition::Enum(index) => printer.enumeration(&schema.enums[index], short),
        }
    }
    printer.tail();
    printer.out
}

fn name_of(schema: &Schema, definition: Definition) -> &str {
    match definition {
        Definition::Object(index) => &schema.objects[index].name,
        Definition::Enum(index) => &schema.enums[index].name,
    }
}

/// Namespace and name.
pub(super) fn parts(full: &str) -> (&str, &str) {
    full.rsplit_once('.').unwrap_or(("", full))
}

/// An attribute with its value.
pub(super) fn attribute(name: &str, value: Option<&str>) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if plain && !name.starts_with(|c: char| c.is_ascii_digit()) { name.to_owned() } else { quoted(name) };
    match value {
        None => name,
        Some(value) if value.parse::<i64>().is_ok_and(|n| n.to_string() == value) => format!("{name}: {value}"),
        Some(value) => format!("{name}: {}", quoted(value)),
    }
}

/// A string constant.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// A type with full names.
pub(super) fn type_name(schema: &Schema, ty: &Type) -> String {
    type_text(schema, ty, &|name| name.to_owned())
}

fn type_text(schema: &Schema, ty: &Type, refer: &dyn Fn(&str) -> String) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(int) => notes::integer_name(*int).to_owned(),
        Type::Float(Float::F32) => "float".to_owned(),
        Type::Float(Float::F64) => "double".to_owned(),
        Type::String => "string".to_owned(),
        Type::Enum(index) | Type::Union(index) => refer(&schema.enums[*index].name),
        Type::Object(index) => refer(&schema.objects[*index].name),
        Type::Vector(item) => format!("[{}]", type_text(schema, item, refer)),
        Type::Array(item, count) => format!("[{}:{count}]", type_text(schema, item, refer)),
    }
}

/// What stands behind the `=` of a field.
pub(super) fn default(schema: &Schema, field: &Field) -> Option<String> {
    Some(match (&field.default, &field.ty) {
        (Default::Zero, _) => return None,
        (Default::Null, _) => "null".to_owned(),
        (Default::EmptyVector, _) => "[]".to_owned(),
        (Default::Text(text), _) => quoted(text),
        (Default::Float(value), _) if value.is_nan() => "nan".to_owned(),
        (Default::Float(value), _) if value.is_infinite() => if *value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        (Default::Float(value), _) => format!("{value:?}"),
        (Default::Int(value), Type::Bool) => (*value != 0).to_string(),
        (Default::Int(value), Type::Enum(index)) => {
            let values = &schema.enums[*index].values;
            let named = values.iter().find(|known| known.number == *value as i64);
            named.map_or_else(|| value.to_string(), |known| known.name.clone())
        }
        (Default::Int(value), _) => value.to_string(),
    })
}

/// The number of an enum's value as its type has it.
fn number(value: i64, underlying: Int) -> i128 {
    if underlying == Int::U64 { i128::from(value as u64) } else { value.into() }
}

struct Printer<'a> {
    schema: &'a Schema,
    /// How many types have this name in some namespace.
    shorts: HashMap<&'a str, usize>,
    namespace: &'a str,
    out: String,
}

impl Printer<'_> {
    fn head(&mut self) {
        self.doc(&self.schema.doc, "");
        let first = self.schema.order.first().map(|first| parts(name_of(self.schema, *first)).0);
        // Documentation of the file must not be taken for that of a type.
        if !self.schema.doc.is_empty() && self.schema.declared.is_empty() && first == Some("") {
            self.out.push_str("namespace;\n\n");
        }
        for name in &self.schema.declared {
            let _ = writeln!(self.out, "attribute {};", quoted(name));
        }
        if !self.schema.declared.is_empty() {
            self.out.push('\n');
        }
    }

    fn tail(&mut self) {
        if let Some(root) = self.schema.root {
            let name = self.refer(&self.schema.objects[root].name);
            let _ = writeln!(self.out, "root_type {name};");
        }
        if let Some(identifier) = &self.schema.identifier {
            let _ = writeln!(self.out, "file_identifier {};", quoted(identifier));
        }
        if let Some(extension) = &self.schema.extension {
            let _ = writeln!(self.out, "file_extension {};", quoted(extension));
        }
        let end = self.out.trim_end().len();
        self.out.truncate(end);
        self.out.push('\n');
    }

    /// A type's name as it is written in the namespace at hand.
    fn refer(&self, full: &str) -> String {
        let (namespace, short) = parts(full);
        let plain = namespace == self.namespace && self.shorts.get(short) == Some(&1);
        if plain { short.to_owned() } else { full.to_owned() }
    }

    fn doc(&mut self, lines: &[String], indent: &str) {
        for line in lines {
            let space = if line.is_empty() { "" } else { " " };
            let _ = writeln!(self.out, "{indent}///{space}{line}");
        }
    }

    fn attributes(&self, flags: &[(&str, bool)], values: &[(&str, Option<String>)], others: &Attributes) -> String {
        let mut all: Vec<String> = flags.iter().filter(|(_, has)| *has).map(|(name, _)| (*name).to_owned()).collect();
        let values = values.iter().filter_map(|(name, value)| Some(attribute(name, Some(value.as_deref()?))));
        all.extend(values);
        all.extend(others.0.iter().map(|(name, value)| attribute(name, value.as_deref())));
        if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
    }

    fn object(&mut self, object: &Object, short: &str) {
        self.doc(&object.doc, "");
        let word = if object.is_struct { "struct" } else { "table" };
        let attributes = self.attributes(&[], &[], &object.attributes);
        let _ = writeln!(self.out, "{word} {short}{attributes} {{");
        for field in &object.fields {
            self.field(object, field);
        }
        self.out.push_str("}\n\n");
    }

    fn field(&mut self, object: &Object, field: &Field) {
        self.doc(&field.doc, "  ");
        let ty = type_text(self.schema, &field.ty, &|name| self.refer(name));
        let default = default(self.schema, field).map_or_else(String::new, |text| format!(" = {text}"));
        let flags = [
            ("deprecated", field.deprecated),
            // A key that is a string is required anyway.
            ("required", field.required && !(field.key && field.ty == Type::String)),
            ("key", field.key),
        ];
        let id = object.explicit_ids.then(|| field.id.to_string());
        let nested = field.nested.map(|index| self.refer(&self.schema.objects[index].name));
        let values = [("id", id), ("nested_flatbuffer", nested)];
        let attributes = self.attributes(&flags, &values, &field.attributes);
        let _ = writeln!(self.out, "  {}: {ty}{default}{attributes};", field.name);
    }

    fn enumeration(&mut self, e: &Enum, short: &str) {
        self.doc(&e.doc, "");
        let attributes = self.attributes(&[], &[], &e.attributes);
        if e.is_union {
            let _ = writeln!(self.out, "union {short}{attributes} {{");
        } else {
            let _ = writeln!(self.out, "enum {short} : {}{attributes} {{", notes::integer_name(e.underlying));
        }
        let mut next = i128::from(e.is_union);
        for (i, value) in e.values.iter().enumerate() {
            self.doc(&value.doc, "  ");
            let _ = write!(self.out, "  {}", value.name);
            if let Some(ty) = &value.ty {
                let ty = type_text(self.schema, ty, &|name| self.refer(name));
                if ty != value.name {
                    let _ = write!(self.out, ": {ty}");
                }
            }
            let number = if e.is_bit_flags() {
                i128::from(value.number.trailing_zeros())
            } else {
                number(value.number, e.underlying)
            };
            if number != next {
                let _ = write!(self.out, " = {number}");
            }
            next = number + 1;
            self.out.push_str(if i + 1 < e.values.len() { ",\n" } else { "\n" });
        }
        self.out.push_str("}\n\n");
    }
}

/// Deprecated fields as [`notes::DEPRECATED`] keeps them: id, name, type, and what else there is.
pub(super) fn deprecated(text: &str) -> Vec<Json> {
    serde_json::from_str(text).unwrap_or_default()
}
