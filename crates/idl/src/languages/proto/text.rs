//! From the tree to text.

use std::fmt::Write;

use super::ast::{
    Enum, ExtensionRanges, Field, File, ImportKind, Item, Key, Label, Message, Name, Opt, Range, Syntax, TypeRef, Value,
};

/// The file as text. Comments are written as they are in the tree.
pub(super) fn write(file: &File) -> String {
    let mut out = Writer { out: String::new(), indent: 0, syntax: file.syntax };
    out.comment(file.comment.as_deref());
    match file.syntax {
        Syntax::Edition2023 => out.line(format_args!("edition = \"2023\";")),
        syntax => out.line(format_args!("syntax = \"{}\";", syntax.name())),
    }
    if let Some(package) = &file.package {
        out.blank();
        out.line(format_args!("package {};", package.text));
    }
    if !file.imports.is_empty() {
        out.blank();
    }
    for import in &file.imports {
        let kind = match import.kind {
            ImportKind::Plain => "",
            ImportKind::Public => "public ",
            ImportKind::Weak => "weak ",
        };
        out.line(format_args!("import {kind}{};", quoted(import.path.text.as_bytes())));
    }
    if !file.options.is_empty() {
        out.blank();
    }
    out.options(&file.options);
    out.items(&file.items);
    out.out
}

/// `extend` statements on one line, for notes.
pub(super) fn extensions(fields: &[Field]) -> String {
    let statement = |field: &Field| {
        let mut out = Writer { out: String::new(), indent: 0, syntax: Syntax::Proto2 };
        out.field(field, &[]);
        let extendee = field.extendee.as_ref().map_or("", |name| name.text.as_str());
        format!("extend {extendee} {{ {} }}", out.out.trim_end())
    };
    fields.iter().map(statement).collect::<Vec<_>>().join(" ")
}

/// Options as they stand between brackets.
pub(super) fn options(options: &[Opt]) -> String {
    options.iter().map(option).collect::<Vec<_>>().join(", ")
}

/// Ranges as they stand after `extensions`.
pub(super) fn extension_ranges(ranges: &ExtensionRanges) -> String {
    let mut text = self::ranges(&ranges.ranges, super::parser::MOST_NUMBER);
    if !ranges.options.is_empty() {
        let _ = write!(text, " [{}]", options(&ranges.options));
    }
    text
}

/// `name = value`
fn option(option: &Opt) -> String {
    let parts = option
        .name
        .iter()
        .map(|part| if part.custom { format!("({})", part.name.text) } else { part.name.text.clone() });
    format!("{} = {}", parts.collect::<Vec<_>>().join("."), value(&option.value))
}

/// The value of an option.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Word(word) => word.clone(),
        Value::Int(value, true) => format!("-{value}"),
        Value::Int(value, false) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Text(text) => quoted(text),
        Value::List(items) => format!("[{}]", items.iter().map(self::value).collect::<Vec<_>>().join(", ")),
        Value::Message(fields) if fields.is_empty() => "{}".to_owned(),
        Value::Message(fields) => {
            let fields = fields.iter().map(|(key, value)| {
                let key = match key {
                    Key::Field(name) => name.clone(),
                    Key::Extension(name) => format!("[{name}]"),
                };
                format!("{key}: {}", self::value(value))
            });
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A number that reads back as the same float.
pub(super) fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    // Rust's exponents have no sign and its long numbers no exponent, both of which are fine here.
    if value != 0.0 && !(1e-5..1e17).contains(&value.abs()) { format!("{value:e}") } else { format!("{value}") }
}

/// A string with quotes and escapes.
pub(super) fn quoted(text: &[u8]) -> String {
    let mut out = String::from("\"");
    let mut rest = text;
    while !rest.is_empty() {
        let (valid, invalid) = match std::str::from_utf8(rest) {
            Ok(valid) => (valid, 0),
            Err(error) => {
                let valid = std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default();
                (valid, error.error_len().unwrap_or(rest.len() - error.valid_up_to()))
            }
        };
        for c in valid.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                c if c.is_ascii_control() => {
                    let _ = write!(out, "\\{:03o}", c as u32);
                }
                c => out.push(c),
            }
        }
        for byte in &rest[valid.len()..valid.len() + invalid] {
            let _ = write!(out, "\\{byte:03o}");
        }
        rest = &rest[valid.len() + invalid..];
    }
    out.push('"');
    out
}

fn ranges(ranges: &[Range], most: i64) -> String {
    let range = |range: &Range| match (*range.numbers.start(), *range.numbers.end()) {
        (from, to) if from == to => from.to_string(),
        (from, to) if to == most => format!("{from} to max"),
        (from, to) => format!("{from} to {to}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}

struct Writer {
    out: String,
    indent: usize,
    syntax: Syntax,
}

impl Writer {
    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent);
    }

    /// An empty line, unless something begins here.
    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("{\n") && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn comment(&mut self, text: Option<&str>) {
        for line in text.unwrap_or_default().lines() {
            let line = comment_line(line);
            if line.is_empty() { self.line(format_args!("//")) } else { self.line(format_args!("// {line}")) }
        }
    }

    fn options(&mut self, options: &[Opt]) {
        for option in options {
            self.line(format_args!("option {};", self::option(option)));
        }
    }

    fn items(&mut self, items: &[Item]) {
        let mut extendee: Option<&str> = None;
        for item in items {
            if let Item::Extension(field) = item {
                let name = field.extendee.as_ref().map_or("", |name| name.text.as_str());
                if extendee != Some(name) {
                    self.end_extend(&mut extendee);
                    self.blank();
                    self.line(format_args!("extend {name} {{"));
                    self.indent += 1;
                    extendee = Some(name);
                }
                self.field(field, items);
                continue;
            }
            match item {
                Item::Message(message) if !message.group => {
                    self.end_extend(&mut extendee);
                    self.blank();
                    self.comment(message.comment.as_deref());
                    if is_empty(message) {
                        self.line(format_args!("message {} {{}}", message.name.text));
                    } else {
                        self.line(format_args!("message {} {{", message.name.text));
                        self.message_body(message);
                        self.line(format_args!("}}"));
                    }
                }
                Item::Enum(e) => {
                    self.end_extend(&mut extendee);
                    self.enumeration(e);
                }
                _ => {}
            }
        }
        self.end_extend(&mut extendee);
    }

    fn end_extend(&mut self, extendee: &mut Option<&str>) {
        if extendee.take().is_some() {
            self.indent -= 1;
            self.line(format_args!("}}"));
        }
    }

    fn message_body(&mut self, message: &Message) {
        self.indent += 1;
        self.options(&message.options);
        for ranges in &message.extension_ranges {
            self.line(format_args!("extensions {};", extension_ranges(ranges)));
        }
        self.reserved(&message.reserved_ranges, &message.reserved_names, super::parser::MOST_NUMBER);
        self.items(&message.items);
        let declares = message.items.iter().any(|item| !matches!(item, Item::Message(message) if message.group));
        if declares && !message.fields.is_empty() {
            self.blank();
        }
        let mut fields = message.fields.iter().peekable();
        while let Some(field) = fields.next() {
            let Some(oneof) = field.oneof else {
                self.field(field, &message.items);
                continue;
            };
            let node = &message.oneofs[oneof];
            self.comment(node.comment.as_deref());
            self.line(format_args!("oneof {} {{", node.name.text));
            self.indent += 1;
            self.options(&node.options);
            self.field(field, &message.items);
            while let Some(field) = fields.next_if(|field| field.oneof == Some(oneof)) {
                self.field(field, &message.items);
            }
            self.indent -= 1;
            self.line(format_args!("}}"));
        }
        self.indent -= 1;
    }

    fn reserved(&mut self, ranges: &[Range], names: &[Name], most: i64) {
        if !ranges.is_empty() {
            self.line(format_args!("reserved {};", self::ranges(ranges, most)));
        }
        if !names.is_empty() {
            let bare = self.syntax == Syntax::Edition2023;
            let names = names.iter().map(|name| if bare { name.text.clone() } else { quoted(name.text.as_bytes()) });
            self.line(format_args!("reserved {};", names.collect::<Vec<_>>().join(", ")));
        }
    }

    /// A field; `items` are those beside it, among which the message of a group is.
    fn field(&mut self, field: &Field, items: &[Item]) {
        self.comment(field.comment.as_deref());
        let label = match field.label {
            None => "",
            Some(Label::Optional) => "optional ",
            Some(Label::Required) => "required ",
            Some(Label::Repeated) => "repeated ",
        };
        let options = match &field.options[..] {
            [] => String::new(),
            options => format!(" [{}]", self::options(options)),
        };
        let number = field.number;
        let group = items.iter().find_map(|item| match item {
            Item::Message(message) if field.group && is_group_of(message, field) => Some(message),
            _ => None,
        });
        if let Some(message) = group {
            self.line(format_args!("{label}group {} = {number}{options} {{", message.name.text));
            if message.comment.is_some() {
                self.indent += 1;
                self.comment(message.comment.as_deref());
                self.indent -= 1;
                self.out.push('\n');
            }
            self.message_body(message);
            self.line(format_args!("}}"));
        } else {
            self.line(format_args!("{label}{} {} = {number}{options};", type_name(&field.ty), field.name.text));
        }
    }

    fn enumeration(&mut self, e: &Enum) {
        self.blank();
        self.comment(e.comment.as_deref());
        self.line(format_args!("enum {} {{", e.name.text));
        self.indent += 1;
        self.options(&e.options);
        self.reserved(&e.reserved_ranges, &e.reserved_names, i32::MAX.into());
        for value in &e.values {
            self.comment(value.comment.as_deref());
            let options = match &value.options[..] {
                [] => String::new(),
                options => format!(" [{}]", self::options(options)),
            };
            self.line(format_args!("{} = {}{options};", value.name.text, value.number));
        }
        self.indent -= 1;
        self.line(format_args!("}}"));
    }
}

fn is_empty(message: &Message) -> bool {
    message.fields.is_empty()
        && message.items.is_empty()
        && message.options.is_empty()
        && message.extension_ranges.is_empty()
        && message.reserved_ranges.is_empty()
        && message.reserved_names.is_empty()
}

/// Whether a message is the one that a group declares: its name is that of the field, but for the case.
pub(super) fn is_group_of(message: &Message, field: &Field) -> bool {
    message.group && message.name.text.eq_ignore_ascii_case(&field.name.text)
}

fn type_name(ty: &TypeRef) -> String {
    match ty {
        TypeRef::Scalar(scalar) => scalar.name().to_owned(),
        TypeRef::Named(name) => name.text.clone(),
        TypeRef::Map(key, _, value) => format!("map<{}, {}>", key.name(), type_name(value)),
    }
}

/// A line of a comment: what would end it for a compiler ends up as a space.
pub(super) fn comment_line(line: &str) -> String {
    let line: String = line.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
    line.trim_end().to_owned()
}
