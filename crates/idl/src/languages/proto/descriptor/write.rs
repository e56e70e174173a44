//! From a file to a `FileDescriptorProto`.

use std::collections::HashSet;

use crate::Result;

use super::super::ast::{
    self, Enum, Field, ImportKind, Item, Label, Message, Opt, Range, Scalar, Syntax, TypeRef, Value,
};
use super::super::fields::{FieldType, MapValue};
use super::super::interpret::Options;
use super::super::symbols::{ScopeId, Symbols};
use super::super::tree::{Record, Tree};
use super::super::{names, text};

struct Writer<'o, 's, 'a> {
    options: &'o Options<'s, 'a>,
    symbols: &'s Symbols<'a>,
    file: usize,
    syntax: Syntax,
    /// Comments, with the paths to what they are about.
    locations: Vec<Tree>,
}

/// A file as a message.
pub(in super::super) fn file(options: &Options<'_, '_>, symbols: &Symbols<'_>, place: usize) -> Result<Record> {
    let node = symbols.file(place);
    let mut writer = Writer { options, symbols, file: place, syntax: node.syntax, locations: Vec::new() };
    let mut record = Record::default();
    record.set_text("name", &node.path);
    if let Some(package) = &node.package {
        record.set_text("package", &package.text);
    }
    let paths = node.imports.iter().map(|import| Tree::Text(import.path.text.clone().into_bytes()));
    record.set_list("dependency", paths.collect());
    let listed = |kind: ImportKind| {
        let places = node.imports.iter().enumerate().filter(|(_, import)| import.kind == kind);
        places.map(|(place, _)| Tree::Int(place as i128)).collect()
    };
    record.set_list("public_dependency", listed(ImportKind::Public));
    record.set_list("weak_dependency", listed(ImportKind::Weak));
    let said = match node.syntax {
        Syntax::Proto2 => 12,
        Syntax::Proto3 => {
            record.set_text("syntax", "proto3");
            12
        }
        Syntax::Edition2023 => {
            record.set_text("syntax", "editions");
            record.set("edition", Tree::Word("EDITION_2023".to_owned()));
            14
        }
    };
    writer.comment(&[said], node.comment.as_deref());
    let scope = symbols.package_scope(place);
    writer.set_options(&mut record, "FileOptions", scope, &node.options)?;
    let mut path = Vec::new();
    writer.items(&mut record, ["message_type", "enum_type", "extension"], [4, 5, 7], scope, &node.items, &mut path)?;
    if !writer.locations.is_empty() {
        let mut info = Record::default();
        info.set_list("location", writer.locations);
        record.set("source_code_info", Tree::Record(info));
    }
    Ok(record)
}

impl Writer<'_, '_, '_> {
    fn comment(&mut self, path: &[i32], comment: Option<&str>) {
        let Some(comment) = comment else { return };
        let ints = |values: &[i32]| values.iter().map(|&value| Tree::Int(value.into())).collect::<Vec<_>>();
        let mut location = Record::default();
        location.set_list("path", ints(path));
        location.set_list("span", ints(&[0, 0, 0]));
        let lines = comment.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!(" {line}\n") });
        location.set_text("leading_comments", &lines.collect::<String>());
        self.locations.push(Tree::Record(location));
    }

    fn set_options(&self, record: &mut Record, kind: &str, scope: ScopeId, options: &[Opt]) -> Result<()> {
        let options = self.options.interpret(self.file, scope, kind, options)?;
        if !options.0.is_empty() {
            record.set("options", Tree::Record(options));
        }
        Ok(())
    }

    fn items(
        &mut self,
        record: &mut Record,
        lists: [&str; 3],
        numbers: [i32; 3],
        scope: ScopeId,
        items: &[Item],
        path: &mut Vec<i32>,
    ) -> Result<()> {
        let (mut messages, mut enums, mut extensions) = (Vec::new(), Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Message(message) => {
                    path.extend([numbers[0], messages.len() as i32]);
                    let inner = self.symbols.scope_named(scope, &message.name.text);
                    messages.push(Tree::Record(self.message(inner, message, path)?));
                }
                Item::Enum(e) => {
                    path.extend([numbers[1], enums.len() as i32]);
                    enums.push(Tree::Record(self.enumeration(scope, e, path)?));
                }
                Item::Extension(field) => {
                    path.extend([numbers[2], extensions.len() as i32]);
                    extensions.push(Tree::Record(self.field(scope, field, path)?));
                }
            }
            path.truncate(path.len() - 2);
        }
        record.set_list(lists[0], messages);
        record.set_list(lists[1], enums);
        record.set_list(lists[2], extensions);
        Ok(())
    }

    fn message(&mut self, scope: ScopeId, message: &Message, path: &mut Vec<i32>) -> Result<Record> {
        self.comment(path, message.comment.as_deref());
        let mut record = Record::default();
        record.set_text("name", &message.name.text);
        self.items(&mut record, ["nested_type", "enum_type", "extension"], [3, 4, 6], scope, &message.items, path)?;
        let mut oneofs = Vec::new();
        for (i, oneof) in message.oneofs.iter().enumerate() {
            path.extend([8, i as i32]);
            self.comment(path, oneof.comment.as_deref());
            path.truncate(path.len() - 2);
            let mut record = Record::default();
            record.set_text("name", &oneof.name.text);
            self.set_options(&mut record, "OneofOptions", scope, &oneof.options)?;
            oneofs.push(Tree::Record(record));
        }
        let (mut fields, mut entries) = (Vec::new(), Vec::new());
        let mut taken: HashSet<String> = message.fields.iter().map(|field| field.name.text.clone()).collect();
        taken.extend(message.oneofs.iter().map(|oneof| oneof.name.text.clone()));
        let mut synthetic = Vec::new();
        for (i, field) in message.fields.iter().enumerate() {
            path.extend([2, i as i32]);
            let mut record = self.field(scope, field, path)?;
            path.truncate(path.len() - 2);
            if let Some(oneof) = field.oneof {
                record.set_int("oneof_index", oneof as i64);
            } else if self.syntax == Syntax::Proto3 && field.label == Some(Label::Optional) {
                // An optional field is in a oneof of its own, after the others.
                record.set_int("oneof_index", (message.oneofs.len() + synthetic.len()) as i64);
                record.set("proto3_optional", Tree::Bool(true));
                let mut name = format!("_{}", field.name.text);
                while !taken.insert(name.clone()) {
                    name.insert(0, 'X');
                }
                synthetic.push(name);
            }
            if let TypeRef::Map(key, _, value) = &field.ty {
                entries.push(Tree::Record(self.entry(scope, field, *key, value)?));
            }
            fields.push(Tree::Record(record));
        }
        record.set_list("field", fields);
        if !entries.is_empty() {
            let mut nested = record.list("nested_type").to_vec();
            nested.extend(entries);
            record.set_list("nested_type", nested);
        }
        oneofs.extend(synthetic.iter().map(|name| {
            let mut record = Record::default();
            record.set_text("name", name);
            Tree::Record(record)
        }));
        record.set_list("oneof_decl", oneofs);
        self.set_options(&mut record, "MessageOptions", scope, &message.options)?;
        let mut ranges = Vec::new();
        for list in &message.extension_ranges {
            for range in &list.ranges {
                let mut record = self::range(range, 1);
                self.set_options(&mut record, "ExtensionRangeOptions", scope, &list.options)?;
                ranges.push(Tree::Record(record));
            }
        }
        record.set_list("extension_range", ranges);
        reserved(&mut record, &message.reserved_ranges, &message.reserved_names, 1);
        Ok(record)
    }

    /// The message that is an entry of a map.
    fn entry(&mut self, scope: ScopeId, field: &Field, key: Scalar, value: &TypeRef) -> Result<Record> {
        let part = |name: &str, number: i64, ty: TypeRef| Field {
            name: ast::Name::new(name),
            comment: None,
            label: (self.syntax == Syntax::Proto2).then_some(Label::Optional),
            ty,
            number,
            options: Vec::new(),
            oneof: None,
            group: false,
            extendee: None,
            ..field.clone()
        };
        let parts = [part("key", 1, TypeRef::Scalar(key)), part("value", 2, value.clone())];
        let mut fields = Vec::new();
        for field in &parts {
            fields.push(Tree::Record(self.field(scope, field, &[])?));
        }
        let mut record = Record::default();
        record.set_text("name", &names::entry(&field.name.text));
        record.set_list("field", fields);
        let mut options = Record::default();
        options.set("map_entry", Tree::Bool(true));
        record.set("options", Tree::Record(options));
        Ok(record)
    }

    fn field(&mut self, scope: ScopeId, field: &Field, path: &[i32]) -> Result<Record> {
        self.comment(path, field.comment.as_deref());
        let mut record = Record::default();
        record.set_text("name", &field.name.text);
        record.set_int("number", field.number);
        let label = match (&field.ty, field.label) {
            (TypeRef::Map(..), _) | (_, Some(Label::Repeated)) => "LABEL_REPEATED",
            (_, Some(Label::Required)) => "LABEL_REQUIRED",
            _ => "LABEL_OPTIONAL",
        };
        record.set("label", Tree::Word(label.to_owned()));
        let message = if field.group { "TYPE_GROUP" } else { "TYPE_MESSAGE" };
        let full_name = |place: usize| format!(".{}", self.symbols.types[place].full_name);
        let ty = self.symbols.field_type(self.file, scope, &field.ty)?;
        let (kind, type_name) = match ty {
            FieldType::Scalar(scalar) => (scalar.descriptor(), None),
            FieldType::Message(place) => (message, Some(full_name(place))),
            FieldType::Enum(place) => ("TYPE_ENUM", Some(full_name(place))),
            FieldType::Map(_, _) => {
                let around = self.symbols.full_name(scope);
                ("TYPE_MESSAGE", Some(format!(".{around}.{}", names::entry(&field.name.text))))
            }
        };
        record.set("type", Tree::Word(kind.to_owned()));
        if let Some(name) = type_name {
            record.set_text("type_name", &name);
        }
        if let Some(extendee) = &field.extendee {
            let place = self.symbols.resolve(self.file, scope, extendee)?;
            record.set_text("extendee", &format!(".{}", self.symbols.types[place].full_name));
            if self.syntax == Syntax::Proto3 && field.label == Some(Label::Optional) {
                record.set("proto3_optional", Tree::Bool(true));
            }
        }
        if let Some(default) = ast::find(&field.options, "default") {
            record.set_text("default_value", &default_text(ty, &default.value));
        }
        let json = match ast::find(&field.options, "json_name").map(|option| &option.value) {
            Some(Value::Text(text)) => String::from_utf8_lossy(text).into_owned(),
            _ => names::json(&field.name.text),
        };
        record.set_text("json_name", &json);
        let options = self.options.field(self.file, scope, field)?;
        if !options.0.is_empty() {
            record.set("options", Tree::Record(options));
        }
        Ok(record)
    }

    fn enumeration(&mut self, scope: ScopeId, e: &Enum, path: &mut Vec<i32>) -> Result<Record> {
        self.comment(path, e.comment.as_deref());
        let mut record = Record::default();
        record.set_text("name", &e.name.text);
        let mut values = Vec::new();
        for (i, value) in e.values.iter().enumerate() {
            path.extend([2, i as i32]);
            self.comment(path, value.comment.as_deref());
            path.truncate(path.len() - 2);
            let mut record = Record::default();
            record.set_text("name", &value.name.text);
            record.set_int("number", value.number);
            self.set_options(&mut record, "EnumValueOptions", scope, &value.options)?;
            values.push(Tree::Record(record));
        }
        record.set_list("value", values);
        self.set_options(&mut record, "EnumOptions", scope, &e.options)?;
        reserved(&mut record, &e.reserved_ranges, &e.reserved_names, 0);
        Ok(record)
    }
}

fn range(range: &Range, beyond: i64) -> Record {
    let mut record = Record::default();
    record.set_int("start", *range.numbers.start());
    record.set_int("end", *range.numbers.end() + beyond);
    record
}

fn reserved(record: &mut Record, ranges: &[Range], names: &[ast::Name], beyond: i64) {
    record.set_list("reserved_range", ranges.iter().map(|range| Tree::Record(self::range(range, beyond))).collect());
    let names = names.iter().map(|name| Tree::Text(name.text.clone().into_bytes()));
    record.set_list("reserved_name", names.collect());
}

/// A default as descriptors have it.
fn default_text(ty: FieldType, value: &Value) -> String {
    let scalar = match ty {
        FieldType::Scalar(scalar) => Some(scalar),
        FieldType::Map(_, MapValue::Scalar(_)) => None,
        _ => None,
    };
    match (scalar, value) {
        (Some(Scalar::String), Value::Text(text)) => String::from_utf8_lossy(text).into_owned(),
        (Some(Scalar::Bytes), Value::Text(text)) => escaped(text),
        (Some(Scalar::Float | Scalar::Double), Value::Int(value, negative)) => {
            let value = *value as f64;
            text::float(if *negative { -value } else { value })
        }
        (_, value) => text::value(value),
    }
}

/// Bytes with C's escapes.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' => out.push_str("\\\""),
            b'\'' => out.push_str("\\'"),
            b'\\' => out.push_str("\\\\"),
            0x20..0x7F => out.push(byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out
}
