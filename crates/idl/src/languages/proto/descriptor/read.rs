//! From a `FileDescriptorProto` to a file.

use std::collections::{HashMap, HashSet};

use wirewise_core::Schema;

use crate::names::is_identifier;

use super::super::ast::{
    At, Enum, EnumValue, ExtensionRanges, Field, File, Import, ImportKind, Item, Label, Message, Name, Oneof, Opt,
    Range, Scalar, Syntax, TypeRef, Value,
};
use super::super::place::Origin;
use super::super::tree::{Record, Tree};
use super::super::{interpret, parser};

type Result<T> = std::result::Result<T, String>;

/// Numbers of fields of the descriptors, of which the paths to locations consist.
mod path {
    pub(super) const FILE_PACKAGE: i32 = 2;
    pub(super) const FILE_MESSAGE: i32 = 4;
    pub(super) const FILE_ENUM: i32 = 5;
    pub(super) const FILE_SERVICE: i32 = 6;
    pub(super) const FILE_EXTENSION: i32 = 7;
    pub(super) const FILE_SYNTAX: i32 = 12;
    pub(super) const FILE_EDITION: i32 = 14;
    pub(super) const NAME: i32 = 1;
    pub(super) const MESSAGE_FIELD: i32 = 2;
    pub(super) const MESSAGE_NESTED: i32 = 3;
    pub(super) const MESSAGE_ENUM: i32 = 4;
    pub(super) const MESSAGE_EXTENSION: i32 = 6;
    pub(super) const MESSAGE_ONEOF: i32 = 8;
    pub(super) const NUMBER: i32 = 3;
    pub(super) const ENUM_VALUE: i32 = 2;
    pub(super) const VALUE_NUMBER: i32 = 2;
}

struct Reader<'a> {
    schema: &'a Schema,
    locations: HashMap<Vec<i32>, (At, Option<String>)>,
    syntax: Syntax,
}

/// Reads a file.
pub(super) fn file(record: &Record, schema: &Schema) -> Result<File> {
    let path = record.text("name").unwrap_or_default().to_owned();
    let syntax = match (record.text("syntax"), record.word("edition")) {
        (None | Some("" | "proto2"), _) => Syntax::Proto2,
        (Some("proto3"), _) => Syntax::Proto3,
        (Some("editions"), Some("EDITION_2023")) => Syntax::Edition2023,
        (syntax, edition) => {
            let found = edition.or(syntax).unwrap_or_default();
            return Err(format!("{path:?} has the syntax {found:?}, which is not known"));
        }
    };
    let mut places = vec![(0, 0)];
    let mut locations = HashMap::new();
    for location in record.record("source_code_info").into_iter().flat_map(|info| info.records("location")) {
        let ints = |name: &str| -> Vec<i32> {
            let int = |item: &Tree| if let Tree::Int(value) = item { *value as i32 } else { 0 };
            location.list(name).iter().map(int).collect()
        };
        let span = ints("span");
        let one_based = |value: Option<&i32>| value.map_or(0, |value| value.saturating_add(1).max(0) as u32);
        // A file made by a program has locations for its comments, which are nowhere.
        let known = span.iter().any(|&value| value != 0);
        let place = if known { (one_based(span.first()), one_based(span.get(1))) } else { (0, 0) };
        let comment = comment(location.text("leading_comments"), location.text("trailing_comments"));
        locations.entry(ints("path")).or_insert((places.len(), comment));
        places.push(place);
    }
    let mut reader = Reader { schema, locations, syntax };
    let mut file = File { path: path.clone(), syntax, ..File::default() };
    file.origin = Origin::Locations(path.as_str().into(), places);
    let said = if syntax == Syntax::Edition2023 { path::FILE_EDITION } else { path::FILE_SYNTAX };
    file.comment = reader.comment(&[said]);
    if let Some(package) = record.text("package").filter(|name| !name.is_empty()) {
        if !package.split('.').all(is_identifier) {
            return Err(format!("the package {:?} is not a name", super::super::lexer::short(package)));
        }
        file.package = Some(Name { text: package.to_owned(), at: reader.at(&[path::FILE_PACKAGE]) });
    }
    let listed = |name: &str| -> HashSet<usize> {
        let place = |item: &Tree| if let Tree::Int(place) = item { usize::try_from(*place).ok() } else { None };
        record.list(name).iter().filter_map(place).collect()
    };
    let (public, weak) = (listed("public_dependency"), listed("weak_dependency"));
    for (place, item) in record.list("dependency").iter().enumerate() {
        let Tree::Text(text) = item else { continue };
        let kind = match place {
            _ if public.contains(&place) => ImportKind::Public,
            _ if weak.contains(&place) => ImportKind::Weak,
            _ => ImportKind::Plain,
        };
        file.imports.push(Import { path: Name::new(String::from_utf8_lossy(text)), kind });
    }
    file.options = reader.options(record, "FileOptions");
    let mut at = Vec::new();
    let lists = [path::FILE_MESSAGE, path::FILE_ENUM, path::FILE_EXTENSION];
    file.items = reader.items(record, ["message_type", "enum_type", "extension"], lists, &mut at)?;
    for (i, service) in record.records("service").enumerate() {
        let at = reader.at(&[path::FILE_SERVICE, i as i32]);
        file.services.push(Name { text: service.text("name").unwrap_or_default().to_owned(), at });
    }
    Ok(file)
}

/// A comment as it stands in a descriptor, where lines begin with the space after the slashes.
fn comment(leading: Option<&str>, trailing: Option<&str>) -> Option<String> {
    let plain = |text: &str| {
        let lines = text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.collect::<Vec<_>>().join("\n").trim_end().trim_start_matches('\n').to_owned()
    };
    let all: Vec<String> = leading.into_iter().chain(trailing).map(plain).filter(|text| !text.is_empty()).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}

impl Reader<'_> {
    fn at(&self, path: &[i32]) -> At {
        self.locations.get(path).map_or(0, |(at, _)| *at)
    }

    fn comment(&mut self, path: &[i32]) -> Option<String> {
        self.locations.get(path).and_then(|(_, comment)| comment.clone())
    }

    /// The name of something; its place is that of the name, or of the whole.
    fn name(&self, record: &Record, path: &mut Vec<i32>) -> Result<Name> {
        let text = record.text("name").unwrap_or_default();
        let valid = is_identifier(text) && text.len() <= 512;
        if !valid {
            return Err(format!("{:?} is not a name", super::super::lexer::short(text)));
        }
        path.push(path::NAME);
        let mut at = self.at(path);
        path.pop();
        if at == 0 {
            at = self.at(path);
        }
        Ok(Name { text: text.to_owned(), at })
    }

    fn options(&self, record: &Record, kind: &str) -> Vec<Opt> {
        let Some(options) = record.record("options") else { return Vec::new() };
        let ty = self.schema.named(&format!("google.protobuf.{kind}"));
        ty.map_or_else(Vec::new, |ty| interpret::options(self.schema, ty, options))
    }

    /// Messages, enums and extensions in a file or message, in the order in which they stand in its text.
    fn items(
        &mut self,
        record: &Record,
        names: [&str; 3],
        numbers: [i32; 3],
        path: &mut Vec<i32>,
    ) -> Result<Vec<Item>> {
        if path.len() > 2 * 64 {
            return Err("messages nest deeper than 64".to_owned());
        }
        let mut items: Vec<(At, Item)> = Vec::new();
        let mut groups = HashMap::new();
        for (i, inner) in record.records(names[2]).enumerate() {
            path.extend([numbers[2], i as i32]);
            let field = self.field(inner, path, &HashMap::new())?;
            if field.extendee.is_none() {
                return Err(format!("the extension {:?} does not say what it extends", field.name.text));
            }
            if field.group
                && let TypeRef::Named(name) = &field.ty
            {
                groups.insert(name.text.clone(), ());
            }
            items.push((field.name.at, Item::Extension(field)));
            path.truncate(path.len() - 2);
        }
        for (i, inner) in record.records(names[0]).enumerate() {
            if inner.record("options").is_some_and(|options| options.flag("map_entry")) {
                continue;
            }
            path.extend([numbers[0], i as i32]);
            let message = self.message(inner, path)?;
            items.push((message.name.at, Item::Message(message)));
            path.truncate(path.len() - 2);
        }
        for (i, inner) in record.records(names[1]).enumerate() {
            path.extend([numbers[1], i as i32]);
            let e = self.enumeration(inner, path)?;
            items.push((e.name.at, Item::Enum(e)));
            path.truncate(path.len() - 2);
        }
        items.sort_by_key(|(at, _)| *at);
        let mut items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
        mark_groups(&mut items, |name| groups.keys().any(|full| ends_with(full, name)));
        Ok(items)
    }

    fn message(&mut self, record: &Record, path: &mut Vec<i32>) -> Result<Message> {
        let mut message = Message { name: self.name(record, path)?, comment: self.comment(path), ..Message::default() };
        message.options = self.options(record, "MessageOptions");
        // Maps are lists of messages that are marked as their entries.
        let mut entries = HashMap::new();
        for inner in record.records("nested_type") {
            if inner.record("options").is_some_and(|options| options.flag("map_entry")) {
                entries.insert(inner.text("name").unwrap_or_default().to_owned(), inner);
            }
        }
        let optionals: Vec<bool> = oneofs_of_optionals(record);
        let mut kept = Vec::new();
        for (i, oneof) in record.records("oneof_decl").enumerate() {
            if optionals.get(i) == Some(&true) {
                kept.push(None);
                continue;
            }
            kept.push(Some(message.oneofs.len()));
            path.extend([path::MESSAGE_ONEOF, i as i32]);
            let (name, comment) = (self.name(oneof, path)?, self.comment(path));
            path.truncate(path.len() - 2);
            message.oneofs.push(Oneof { name, comment, options: self.options(oneof, "OneofOptions") });
        }
        for (i, field) in record.records("field").enumerate() {
            path.extend([path::MESSAGE_FIELD, i as i32]);
            let mut lowered = self.field(field, path, &entries)?;
            lowered.oneof = match field.int("oneof_index") {
                None => None,
                Some(index) => {
                    let kept = usize::try_from(index).ok().and_then(|index| kept.get(index));
                    *kept.ok_or_else(|| format!("the field {:?} is in a oneof that is not there", lowered.name.text))?
                }
            };
            if lowered.oneof.is_some() {
                lowered.label = None;
            }
            message.fields.push(lowered);
            path.truncate(path.len() - 2);
        }
        if let Some(empty) =
            (0..message.oneofs.len()).find(|&i| message.fields.iter().all(|field| field.oneof != Some(i)))
        {
            return Err(format!("the oneof {:?} has no fields", message.oneofs[empty].name.text));
        }
        let lists = [path::MESSAGE_NESTED, path::MESSAGE_ENUM, path::MESSAGE_EXTENSION];
        message.items = self.items(record, ["nested_type", "enum_type", "extension"], lists, path)?;
        let groups: Vec<String> = message
            .fields
            .iter()
            .filter(|field| field.group)
            .filter_map(|field| if let TypeRef::Named(name) = &field.ty { Some(name.text.clone()) } else { None })
            .collect();
        mark_groups(&mut message.items, |name| groups.iter().any(|full| ends_with(full, name)));
        let whole = self.at(path);
        for range in record.records("extension_range") {
            let options = self.options(range, "ExtensionRangeOptions");
            message.extension_ranges.push(ExtensionRanges { ranges: vec![self::range(range, 1, whole)], options });
        }
        message.reserved_ranges = record.records("reserved_range").map(|range| self::range(range, 1, whole)).collect();
        message.reserved_names = reserved_names(record, whole);
        Ok(message)
    }

    fn field(&mut self, record: &Record, path: &mut Vec<i32>, entries: &HashMap<String, &Record>) -> Result<Field> {
        let (name, comment) = (self.name(record, path)?, self.comment(path));
        path.push(path::NUMBER);
        let number_at = self.at(path);
        path.pop();
        let at = self.at(path);
        let extendee = record.text("extendee").map(|text| Name { text: text.to_owned(), at });
        let type_name = record.text("type_name").unwrap_or_default();
        let mut label = match record.word("label") {
            Some("LABEL_REQUIRED") => Some(Label::Required),
            Some("LABEL_REPEATED") => Some(Label::Repeated),
            _ if self.syntax == Syntax::Proto2 || record.flag("proto3_optional") => Some(Label::Optional),
            _ => None,
        };
        if self.syntax == Syntax::Proto3 && extendee.is_some() && label.is_none() {
            label = Some(Label::Optional);
        }
        let group = record.word("type") == Some("TYPE_GROUP");
        let named = || TypeRef::Named(Name { text: type_name.to_owned(), at });
        let ty = match record.word("type") {
            None | Some("TYPE_MESSAGE" | "TYPE_ENUM" | "TYPE_GROUP") => {
                let entry = entries.get(type_name.rsplit('.').next().unwrap_or_default());
                match entry.filter(|_| label == Some(Label::Repeated)) {
                    Some(entry) => {
                        label = None;
                        self.map(entry, at)?
                    }
                    None => named(),
                }
            }
            Some(name) => {
                TypeRef::Scalar(Scalar::by_descriptor(name).ok_or_else(|| format!("there is no type {name}"))?)
            }
        };
        let mut options = Vec::new();
        if let Some(text) = record.text("default_value") {
            options.push(Opt { at, ..Opt::new("default", default(&ty, text)?) });
        }
        if let Some(json) = record.text("json_name").filter(|json| *json != super::super::names::json(&name.text)) {
            options.push(Opt { at, ..Opt::new("json_name", Value::Text(json.as_bytes().to_vec())) });
        }
        options.extend(self.options(record, "FieldOptions"));
        let number = record.int("number").unwrap_or_default();
        Ok(Field { name, comment, label, at, ty, number, number_at, options, oneof: None, group, extendee })
    }

    fn map(&mut self, entry: &Record, at: At) -> Result<TypeRef> {
        let mut parts = entry.records("field");
        let (Some(key), Some(value)) = (parts.next(), parts.next()) else {
            return Err("an entry of a map has a key and a value".to_owned());
        };
        let scalar = key.word("type").and_then(Scalar::by_descriptor).filter(|scalar| scalar.is_key());
        let scalar = scalar.ok_or_else(|| "the key of a map has a type that keys cannot have".to_owned())?;
        let value = self.field(value, &mut vec![-1], &HashMap::new())?;
        Ok(TypeRef::Map(scalar, at, Box::new(value.ty)))
    }

    fn enumeration(&mut self, record: &Record, path: &mut Vec<i32>) -> Result<Enum> {
        let mut e = Enum { name: self.name(record, path)?, comment: self.comment(path), ..Enum::default() };
        e.options = self.options(record, "EnumOptions");
        for (i, value) in record.records("value").enumerate() {
            path.extend([path::ENUM_VALUE, i as i32]);
            let (name, comment) = (self.name(value, path)?, self.comment(path));
            path.push(path::VALUE_NUMBER);
            let number_at = self.at(path);
            path.truncate(path.len() - 3);
            let number = value.int("number").unwrap_or_default();
            let options = self.options(value, "EnumValueOptions");
            e.values.push(EnumValue { name, comment, number, number_at, options });
        }
        let whole = self.at(path);
        e.reserved_ranges = record.records("reserved_range").map(|range| self::range(range, 0, whole)).collect();
        e.reserved_names = reserved_names(record, whole);
        Ok(e)
    }
}

fn ends_with(full: &str, name: &str) -> bool {
    full.rsplit('.').next() == Some(name)
}

fn mark_groups(items: &mut [Item], is_group: impl Fn(&str) -> bool) {
    for item in items {
        if let Item::Message(message) = item
            && is_group(&message.name.text)
        {
            message.group = true;
        }
    }
}

/// Which oneofs only say that a field of proto3 is optional.
fn oneofs_of_optionals(record: &Record) -> Vec<bool> {
    let mut synthetic = vec![false; record.list("oneof_decl").len()];
    for field in record.records("field").filter(|field| field.flag("proto3_optional")) {
        let index = field.int("oneof_index").and_then(|index| usize::try_from(index).ok());
        if let Some(synthetic) = index.and_then(|index| synthetic.get_mut(index)) {
            *synthetic = true;
        }
    }
    synthetic
}

/// Ranges of messages end before `end`, those of enums with it.
fn range(record: &Record, beyond: i64, at: At) -> Range {
    let (start, end) = (record.int("start").unwrap_or_default(), record.int("end").unwrap_or_default());
    Range { numbers: start..=end - beyond, at }
}

fn reserved_names(record: &Record, at: At) -> Vec<Name> {
    let text = |item: &Tree| {
        if let Tree::Text(text) = item { String::from_utf8_lossy(text).into_owned() } else { String::new() }
    };
    record.list("reserved_name").iter().map(|item| Name { text: text(item), at }).collect()
}

/// A default, which descriptors have as text.
fn default(ty: &TypeRef, text: &str) -> Result<Value> {
    let parse = |text: &str| {
        let options = parser::parse_options(&format!("default = {text}"));
        let option = options.and_then(|options| options.into_iter().next());
        option
            .map(|option| option.value)
            .ok_or_else(|| format!("{:?} is not a default", super::super::lexer::short(text)))
    };
    match ty {
        TypeRef::Scalar(Scalar::String) => Ok(Value::Text(text.as_bytes().to_vec())),
        // The text of bytes has escapes.
        TypeRef::Scalar(Scalar::Bytes) => parse(&format!("\"{text}\"")),
        _ => parse(text),
    }
}
