//! Writing: a file of definitions, and the root that refers to them.

mod defaults;
mod named;
mod notes;
mod unnamed;

pub(super) use unnamed::WIDTHS;

use std::collections::{BTreeMap, HashSet};

use wirewise_core::{Notes, TypeId};

use super::keywords::{DEF, DRAFT, EXTENSION, ID};
use super::tree::Tree;
use crate::{Lost, Module, Result, Written};

/// Members of an object.
type Members = Vec<(String, Tree)>;

pub(super) fn write(module: &Module) -> Result<Written> {
    let schema = match module.root {
        Some(root) => module.schema.with_root(root),
        None => module.schema.clone(),
    };
    let mut notes = schema.notes().clone();
    let draft_07 = notes.get(DRAFT) == Some("07");
    if draft_07 {
        notes.take(DRAFT);
    }
    let mut writer = Writer {
        schema: &schema,
        defs_at: if draft_07 { "definitions" } else { "$defs" },
        references: schema.named_types().filter_map(|id| schema.name(id)).map(pointer_part).collect(),
        named: schema.named_types().filter_map(|id| schema.name(id)).collect(),
        defs: BTreeMap::new(),
        lost: Vec::new(),
    };
    let mut file: Members = Vec::new();
    let draft = if draft_07 {
        "http://json-schema.org/draft-07/schema#"
    } else {
        "https://json-schema.org/draft/2020-12/schema"
    };
    file.push(("$schema".to_owned(), Tree::text(draft)));
    if let Some(id) = notes.get(ID).filter(|id| is_uri(id)).map(str::to_owned) {
        notes.take(ID);
        file.push(("$id".to_owned(), Tree::text(id)));
    }
    let mut extension: Members = Vec::new();
    if module.root.is_some() {
        let root = writer.inline(schema.root(), true);
        extension = root.extension;
        if root.members.is_empty() && extension.is_empty() {
            // Otherwise nothing would say that there is a root, which may be anything.
            extension.push(("type".to_owned(), Tree::json(&schema.type_json(schema.root()))));
        }
        file.extend(root.members);
    }
    extend_with_notes(&mut extension, &notes);
    if !extension.is_empty() {
        file.push((EXTENSION.to_owned(), Tree::Object(extension)));
    }
    let mut defs: Members = Vec::new();
    for id in schema.named_types() {
        let def = writer.definition(id);
        defs.push((schema.name(id).unwrap_or_default().to_owned(), def));
    }
    defs.extend(std::mem::take(&mut writer.defs).into_iter().map(|(name, def)| (name, def.tree)));
    // Without definitions a file is the schema of anything.
    if !defs.is_empty() || module.root.is_none() {
        file.push((writer.defs_at.to_owned(), Tree::Object(defs)));
    }
    Ok(Written { bytes: Tree::Object(file).pretty().into_bytes(), lost: writer.lost })
}

struct Writer<'a> {
    schema: &'a wirewise_core::Schema,
    /// Where definitions stand: `$defs`.
    defs_at: &'static str,
    named: HashSet<&'a str>,
    /// The names of named types as references have them.
    references: HashSet<String>,
    /// Definitions of types without a name in the model.
    defs: BTreeMap<String, Def>,
    lost: Vec<Lost>,
}

/// The definition of a type that has no name in the model.
struct Def {
    /// What the model has: two types with one name for their definition may differ.
    model: serde_json::Value,
    tree: Tree,
}

/// A type where it is used.
#[derive(Default)]
struct Inline {
    members: Members,
    /// Those of `x-wirewise`.
    extension: Members,
}

impl Inline {
    fn tree(mut self) -> Tree {
        if !self.extension.is_empty() {
            self.members.push((EXTENSION.to_owned(), Tree::Object(self.extension)));
        }
        Tree::Object(self.members)
    }
}

impl Writer<'_> {
    /// A type where it is used. `bare`: keywords that say nothing about values are the type's own there; at a property
    /// they are the field's.
    fn inline(&mut self, id: TypeId, bare: bool) -> Inline {
        let schema = self.schema;
        if let Some(name) = schema.name(id) {
            return self.reference(name);
        }
        match schema.type_notes(id).get(DEF).map(str::to_owned) {
            Some(name) if self.defines(id, &name) => self.reference(&name),
            Some(_) => {
                let mut inline = self.unnamed(id, bare).0;
                inline.extension.push(("type".to_owned(), Tree::json(&schema.type_json(id))));
                inline
            }
            None => {
                let (mut inline, exact) = self.unnamed(id, bare);
                if !exact {
                    inline.extension.push(("type".to_owned(), Tree::json(&schema.type_json(id))));
                }
                inline
            }
        }
    }

    fn reference(&self, name: &str) -> Inline {
        let target = format!("#/{}/{}", self.defs_at, pointer_part(name));
        Inline { members: vec![("$ref".to_owned(), Tree::text(target))], extension: Vec::new() }
    }

    /// Whether there is a definition with this name that is this type, which is made unless another has the name.
    fn defines(&mut self, id: TypeId, name: &str) -> bool {
        let schema = self.schema;
        let model = schema.type_json(id);
        if let Some(def) = self.defs.get(name) {
            return def.model == model;
        }
        if name.is_empty() || self.named.contains(name) {
            return false;
        }
        // It must be there before its parts, which may use it again.
        self.defs.insert(name.to_owned(), Def { model: model.clone(), tree: Tree::Object(Vec::new()) });
        let (mut inline, exact) = self.unnamed(id, true);
        if !exact {
            let mut model = model;
            if let Some(notes) = model.get_mut("notes").and_then(serde_json::Value::as_object_mut) {
                notes.remove(DEF);
                if notes.is_empty() {
                    model.as_object_mut().map(|model| model.remove("notes"));
                }
            }
            inline.extension.push(("type".to_owned(), Tree::json(&model)));
        }
        if let Some(def) = self.defs.get_mut(name) {
            def.tree = inline.tree();
        }
        true
    }

    /// Whether a reference leads to a named type.
    fn is_defined(&self, reference: &str) -> bool {
        self.references.contains(reference)
    }

    fn lost(&mut self, path: String, what: impl Into<String>) {
        self.lost.push(Lost { path, what: what.into() });
    }
}

fn extend_with_notes(extension: &mut Members, notes: &Notes) {
    if !notes.is_empty() {
        let notes = notes.iter().map(|(key, text)| (key.to_owned(), Tree::text(text)));
        extension.push(("notes".to_owned(), Tree::Object(notes.collect())));
    }
}

/// A name as a part of a JSON pointer in a URI.
pub(in crate::languages::json_schema) fn pointer_part(name: &str) -> String {
    let mut out = String::new();
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'$' => out.push(byte as char),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn is_uri(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b":/?&=._~+@-".contains(&byte);
    !text.is_empty() && text.bytes().all(plain)
}
