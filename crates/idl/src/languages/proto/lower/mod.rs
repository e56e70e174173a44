//! From the schema model to a tree: the same messages on the wire, in words of Protobuf.
//!
//! It follows the codec's lowering: what that puts into a message of its own (a list in a list, a null among the
//! elements) gets one here, noted as a wrapper. What the words do not say stands in notes, so that reading the file gives
//! the same schema again.

mod enums;
mod fields;
mod homes;
mod notes;
mod syntax;
mod types;

use std::collections::HashMap;

use serde_json::Value as Json;
use wirewise_core::{Kind, Notes, Schema, TypeId};
use wirewise_formats::protobuf::notes as keys_of_protobuf;

use crate::{Error, Lost, Module, Result, keys};

use super::ast::{File, Import, ImportKind, Item, Name, Syntax};
use super::{parser, wkt};
use homes::{Home, Homes};

/// The package of a schema: what a note says, or the namespace of its first type.
pub(super) fn package(schema: &Schema) -> &str {
    if let Some(package) = schema.notes().get(keys_of_protobuf::PACKAGE) {
        return package;
    }
    schema.named_types().next().map_or("", |id| crate::names::namespace(schema, id).0)
}

/// Whether a package statement, or having none, can say it.
pub(super) fn is_package(name: &str) -> bool {
    name.is_empty() || name.split('.').all(homes::is_identifier)
}

/// Makes a file of a module, and says what is lost in it.
pub(super) fn lower(module: &Module) -> Result<(File, Vec<Lost>)> {
    let schema = &module.schema;
    let syntax = syntax::choose(schema);
    let homes = Homes::new(schema, syntax)?;
    let mut lowering = Lowering {
        schema,
        syntax,
        homes,
        lost: Vec::new(),
        wrappers: HashMap::new(),
        wrapper_items: Vec::new(),
        null: None,
        extensions: HashMap::new(),
        custom: HashMap::new(),
    };
    let mut file = lowering.file(module)?;
    super::shorten::shorten(&mut file)?;
    Ok((file, lowering.lost))
}

struct Lowering<'a> {
    schema: &'a Schema,
    syntax: Syntax,
    homes: Homes<'a>,
    lost: Vec<Lost>,
    /// Full names of the messages that hold what Protobuf has no words for, by the type expression of that.
    wrappers: HashMap<String, String>,
    wrapper_items: Vec<Item>,
    /// The full name of the enum that is a null.
    null: Option<String>,
    /// The extensions in each message, by its type; `None` is the file.
    extensions: HashMap<Option<TypeId>, Vec<Item>>,
    /// Full names of custom options: in the model, and in the file.
    custom: HashMap<String, String>,
}

impl Lowering<'_> {
    fn file(&mut self, module: &Module) -> Result<File> {
        let schema = self.schema;
        let mut file = File { syntax: self.syntax, path: "schema.proto".to_owned(), ..File::default() };
        file.package = Some(Name::new(self.homes.package.clone())).filter(|name| !name.text.is_empty());
        let mut said = schema.notes().clone();
        let noted = said.take(keys_of_protobuf::SYNTAX);
        if noted.as_deref() != Some(self.syntax.name()) {
            said.set(keys_of_protobuf::SYNTAX, noted.as_deref().unwrap_or("none"));
        }
        // The package statement says it, unless it cannot.
        if said.get(keys_of_protobuf::PACKAGE) == Some(&self.homes.package) {
            said.take(keys_of_protobuf::PACKAGE);
        }
        let mut custom = self.custom_options(&mut said);
        file.options = self.options(&mut said);
        if let Some(root) = module.root {
            said.set(keys::ROOT, type_text(&schema.type_json(root)));
        }
        let mut declared: Vec<(TypeId, Item)> = Vec::new();
        for id in schema.named_types().filter(|&id| self.homes.of(id).is_declared()).collect::<Vec<_>>() {
            declared.push((id, self.named_type(id)?));
        }
        if let Some(root) = module.root
            && !matches!(schema.kind(root), Kind::Record(_) | Kind::Union(_))
        {
            self.root_wrapper(root)?;
        }
        self.extensions.entry(None).or_default().append(&mut custom);
        file.items = self.assemble(declared);
        let mut imports: Vec<&str> = self.homes.imports().collect();
        if file.items.iter().any(extends_options) {
            imports.push(wkt::DESCRIPTOR);
        }
        imports.sort_unstable();
        imports.dedup();
        let import = |path: &str| Import { path: Name::new(path), kind: ImportKind::Plain };
        file.imports = imports.into_iter().map(import).collect();
        file.comment = comment(None, &said);
        Ok(file)
    }

    /// Puts types into those that they lie in, from the inside out, then extensions.
    fn assemble(&mut self, mut declared: Vec<(TypeId, Item)>) -> Vec<Item> {
        declared.sort_by_key(|(id, _)| std::cmp::Reverse(self.homes.depth(*id)));
        let mut inside: HashMap<Option<TypeId>, Vec<Item>> = HashMap::new();
        for (id, mut item) in declared {
            if let Item::Message(message) = &mut item {
                message.items = inside.remove(&Some(id)).unwrap_or_default();
                message.items.extend(self.extensions.remove(&Some(id)).unwrap_or_default());
                mark_groups(&mut message.fields, &mut message.items);
            }
            let around = if let Home::Inside(parent, _) = self.homes.of(id) { Some(*parent) } else { None };
            inside.entry(around).or_default().push(item);
        }
        let mut items = inside.remove(&None).unwrap_or_default();
        items.append(&mut self.wrapper_items);
        items.extend(self.extensions.remove(&None).unwrap_or_default());
        mark_groups(&mut [], &mut items);
        items
    }

    /// The statements that declare custom options, as items; those that cannot be declared are lost.
    fn custom_options(&mut self, said: &mut Notes) -> Vec<Item> {
        let Some(text) = said.take(keys_of_protobuf::CUSTOM_OPTIONS) else { return Vec::new() };
        let Some(parsed) = parser::parse_statements(&text) else {
            said.set(keys_of_protobuf::CUSTOM_OPTIONS, text);
            return Vec::new();
        };
        let mut items = Vec::new();
        for item in parsed.items {
            let Item::Extension(mut field) = item else { continue };
            let full_name = field.name.text.clone();
            if !self.homes.translate(&mut field.ty) {
                let what = "the custom option is lost: its type is not part of the schema".to_owned();
                self.lost.push(Lost { path: full_name, what });
                continue;
            }
            let (around, identifier) = self.homes.extension(&full_name);
            let output = self.homes.inside(around, &identifier);
            if output != full_name {
                field.comment = comment(None, &Notes::default().with(keys_of_protobuf::EXTENSION, full_name.as_str()));
            }
            field.name = Name::new(identifier);
            self.delimited_option(&mut field);
            self.custom.insert(format!(".{full_name}"), format!(".{output}"));
            match around {
                Some(id) => self.extensions.entry(Some(id)).or_default().push(Item::Extension(field)),
                None => items.push(Item::Extension(field)),
            }
        }
        // Their own options may be custom ones, declared later.
        for item in items.iter_mut().chain(self.extensions.values_mut().flatten()) {
            if let Item::Extension(field) = item {
                field.options.retain_mut(|option| rename(option, &self.custom));
            }
        }
        items
    }

    fn lost(&mut self, path: impl Into<String>, what: impl Into<String>) {
        self.lost.push(Lost { path: path.into(), what: what.into() });
    }
}

/// Gives the custom parts of an option's name the names they have in the file; false when one is not there.
fn rename(option: &mut super::ast::Opt, custom: &HashMap<String, String>) -> bool {
    option.name.iter_mut().filter(|part| part.custom).all(|part| match custom.get(&part.name.text) {
        Some(output) => {
            part.name.text = output.clone();
            true
        }
        None => false,
    })
}

fn extends_options(item: &Item) -> bool {
    match item {
        Item::Extension(field) => {
            field.extendee.as_ref().is_some_and(|name| name.text.starts_with(".google.protobuf."))
        }
        Item::Message(message) => message.items.iter().any(extends_options),
        Item::Enum(_) => false,
    }
}

/// Marks the messages that fields and extensions declare as groups do.
fn mark_groups(fields: &mut [super::ast::Field], items: &mut [Item]) {
    let mut wanted: std::collections::HashSet<String> = std::collections::HashSet::new();
    wanted.extend(fields.iter().filter(|field| field.group).map(|field| field.name.text.clone()));
    wanted.extend(items.iter().filter_map(|item| match item {
        Item::Extension(field) if field.group => Some(field.name.text.clone()),
        _ => None,
    }));
    let mut found = std::collections::HashSet::new();
    for item in items.iter_mut() {
        if let Item::Message(message) = item
            && message.name.text.starts_with(|c: char| c.is_ascii_uppercase())
            && wanted.contains(&message.name.text.to_ascii_lowercase())
        {
            message.group = true;
            found.insert(message.name.text.to_ascii_lowercase());
        }
    }
    for field in fields.iter_mut().filter(|field| field.group) {
        field.group = found.contains(&field.name.text);
    }
    for item in items {
        if let Item::Extension(field) = item {
            field.group &= found.contains(&field.name.text);
        }
    }
}

/// Documentation and notes as a comment.
fn comment(doc: Option<&str>, notes: &Notes) -> Option<String> {
    let mut lines = crate::docs::join(doc, notes);
    let written: Vec<String> = lines.iter().map(|line| super::text::comment_line(line)).collect();
    // Documentation that looks like notes, or has what comments cannot have.
    if let Some(text) = doc
        && crate::docs::split(&written.join("\n")) != (Some(text.to_owned()), notes.clone())
    {
        lines = crate::docs::join(None, &notes.clone().with(super::DOC, text));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A type expression as the text of a note: bare when it is a name that is nothing else in JSON.
fn type_text(json: &Json) -> String {
    match json {
        Json::String(name) if serde_json::from_str::<Json>(name).is_err() => name.clone(),
        json => json.to_string(),
    }
}

fn unsupported(path: &str, what: impl std::fmt::Display) -> Error {
    Error::new(format!("{path}: {what}"))
}
