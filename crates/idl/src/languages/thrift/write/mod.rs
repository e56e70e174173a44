//! From the schema model to a `.thrift` file.

mod constants;
mod defaults;
mod idents;
mod items;
mod losses;
mod types;

use std::collections::HashMap;

use serde_json::Value as Json;
use wirewise_core::{Kind, Notes, Schema, TypeId};
use wirewise_formats::thrift::{self, notes};

use self::idents::Idents;
use super::{comments, keys, parser};
use crate::{Error, Lost, Module, Result, Written, docs};

/// Writes a module.
pub(super) fn write(module: &Module) -> Result<Written> {
    let schema = &module.schema;
    let mut writer = Writer {
        schema,
        idents: Idents::new(schema),
        written: vec![false; schema.types().len()],
        wrappers: HashMap::new(),
        wrapper_items: String::new(),
        typedefs: HashMap::new(),
        typedef_items: String::new(),
        lost: Vec::new(),
    };
    let named: Vec<TypeId> = schema.named_types().collect();
    let moved = defaults::enums_needed_early(schema, &writer.idents, &named);
    let mut enums = String::new();
    for (place, &id) in named.iter().enumerate().filter(|(place, _)| moved[*place]) {
        writer.item(id, Some(place), &mut enums)?;
    }
    let mut items = String::new();
    for (_, &id) in named.iter().enumerate().filter(|(place, _)| !moved[*place]) {
        writer.item(id, None, &mut items)?;
    }
    if let Some(root) = module.root {
        writer.root(root, &mut items);
    }
    let (constants, all_constants) = writer.constants();
    let mut out = writer.header(module.root, all_constants);
    for part in [&enums, &writer.typedef_items, &items, &writer.wrapper_items, &constants] {
        out.push_str(part);
    }
    let text = out.trim_end().to_owned() + "\n";
    Ok(Written { bytes: text.into_bytes(), lost: writer.lost })
}

struct Writer<'a> {
    schema: &'a Schema,
    idents: Idents,
    /// The types that stand in the file so far, by their place in the table.
    written: Vec<bool>,
    /// Structs for what is a value in the model and a struct in Thrift, by type expression.
    wrappers: HashMap<String, String>,
    wrapper_items: String,
    /// By full name, what they are, and what they are called.
    typedefs: HashMap<String, (String, String)>,
    typedef_items: String,
    lost: Vec<Lost>,
}

impl Writer<'_> {
    fn lose(&mut self, path: &str, what: impl Into<String>) {
        self.lost.push(Lost { path: path.to_owned(), what: what.into() });
    }

    /// Documentation, and what notes and facts remain, as a comment.
    fn comment(&self, doc: Option<&str>, notes: &Notes, facts: Notes, indent: &str, out: &mut String) {
        let mut facts = facts;
        let mut lines = docs::join(doc, &keys::join(notes, &facts));
        let joined = lines.join("\n");
        let visible = |c: char| c == '\n' || c == '\t' || !c.is_control();
        let (read_doc, _) = docs::split(&joined);
        let plain = |lines: &[String]| {
            lines.join("\n").chars().all(visible) && comments::reads_back(lines, indent, read_doc.as_deref())
        };
        if read_doc.as_deref() != doc || !lines.is_empty() && !plain(&lines) {
            if let Some(doc) = doc {
                facts.set(keys::DOC, doc);
            }
            lines = docs::join(None, &keys::join(notes, &facts));
        }
        if !lines.is_empty() {
            comments::write(&lines, indent, out);
        }
    }

    /// What stands before all types: notes on the file, namespaces.
    fn header(&mut self, root: Option<TypeId>, all_constants: bool) -> String {
        let mut facts = Notes::default();
        let mut rest = self.schema.notes().clone();
        if let Some(root) = root {
            facts.set(keys::ROOT, keys::expression_text(&self.schema.type_json(root)));
        }
        if all_constants {
            rest.take(notes::CONSTANTS);
        }
        let mut lines = String::new();
        if let Some(package) = self.idents.package() {
            facts.set(keys::PACKAGE, package);
            if !rest.has(notes::NAMESPACES) {
                lines.push_str(&format!("namespace * {package}\n\n"));
            }
        }
        let generated = self.idents.package().map(|package| format!("* {package}"));
        for (key, word) in [(notes::NAMESPACES, "namespace "), (notes::CPP_INCLUDES, "cpp_include ")] {
            let Some(text) = rest.get(key) else { continue };
            let said: String = text.lines().map(|line| format!("{word}{line}\n")).collect();
            let read = parser::parse_header(&said);
            let read = read.map(|file| match key {
                notes::NAMESPACES => file.namespaces.join("\n"),
                _ => file
                    .cpp_includes
                    .iter()
                    .map(|path| format!("\"{}\"", parser::escape(path)))
                    .collect::<Vec<_>>()
                    .join("\n"),
            });
            // What our reader takes apart as it was is what Thrift can say.
            if read.as_deref() == Some(text) && !said.contains("namespace \"") {
                lines.push_str(&said);
                lines.push('\n');
                if generated.as_deref() != Some(text) {
                    rest.take(key);
                }
            }
        }
        let notes = keys::join(&rest, &facts);
        match notes.is_empty() {
            true => lines,
            false => format!("# {}{notes}\n\n{lines}", docs::MARK),
        }
    }

    /// A message that is no struct is a struct with the value in field 1.
    fn root(&mut self, root: TypeId, out: &mut String) {
        match self.schema.kind(root) {
            Kind::Record(_) | Kind::Union(_) => {}
            Kind::Nullable(_) | Kind::Null => _ = self.render(root),
            _ => {
                let name = self.idents.take("Message");
                let ty = self.render(root);
                self.losses(&name, root);
                let facts = Notes::default().with(keys::WRAPPER, "root");
                self.comment(None, &Notes::default(), facts, "", out);
                out.push_str(&format!("struct {name} {{\n  1: required {} value\n}}\n\n", ty.text));
            }
        }
    }
}

/// A type as Thrift says it, and what our reader takes that for.
struct Rendered {
    text: String,
    reading: Json,
}

/// The ids of a type's fields or branches.
fn ids(schema: &Schema, id: TypeId) -> Result<Vec<i16>> {
    let ids = match schema.kind(id) {
        Kind::Record(record) => thrift::ids(record),
        Kind::Union(union) => thrift::branch_ids(union),
        _ => Ok(Vec::new()),
    };
    ids.map_err(|_| {
        let name = schema.name(id).unwrap_or_default();
        Error::new(format!("{name} has more fields than Thrift has ids: {}", i16::MAX))
    })
}
