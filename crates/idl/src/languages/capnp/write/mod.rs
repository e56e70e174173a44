//! The model to Cap'n Proto's language: the structs that the codec lays out, with what they do not say in comments.

mod comment;
mod fields;
mod literal;
mod names;
mod notes;
mod structs;
mod types;
mod unions;

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;

use wirewise_core::{Kind, TypeId};
use wirewise_formats::capnp::{notes as keys, shape};

use self::comment::comment;
use self::names::Names;
use self::notes::Applicable;
use super::builtin::BUILTINS;
use super::derived_id;
use crate::{Lost, Module, Result, Written};

/// Writes a module.
pub(super) fn write(module: &Module) -> Result<Written> {
    let names = Names::new(&module.schema, module.root)?;
    let applicable = Applicable::new(&module.schema, &names);
    let mut writer = Writer {
        module,
        names,
        applicable,
        wrappers: HashMap::new(),
        waiting: VecDeque::new(),
        idents: RefCell::default(),
        lost: Vec::new(),
    };
    let text = writer.file()?;
    Ok(Written { bytes: text.into_bytes(), lost: writer.lost })
}

struct Writer<'a> {
    module: &'a Module,
    names: Names<'a>,
    applicable: Applicable,
    /// Structs that the codec puts around entries of maps and nullable values, by what they hold.
    wrappers: HashMap<String, String>,
    /// Those that are not written yet, in the order in which they were first needed.
    waiting: VecDeque<(String, TypeId)>,
    /// Identifiers of the enumerants and fields of types that defaults need.
    idents: RefCell<HashMap<TypeId, Vec<String>>>,
    lost: Vec<Lost>,
}

impl Writer<'_> {
    fn file(&mut self) -> Result<String> {
        let schema = &self.module.schema;
        let mut blocks = Vec::new();
        for id in self.names.top() {
            blocks.push(self.named(id, 0)?);
        }
        let mut notes = schema.notes().without("capnp");
        if !self.names.namespace.is_empty() {
            notes.set("namespace", self.names.namespace.clone());
        }
        if let Some(root) = self.module.root {
            notes.set("root", schema.type_json(root).to_string());
            if let Some(block) = self.root(root)? {
                blocks.push(block);
            }
        }
        blocks.extend(self.wrapper_bodies()?);
        let mut declarations = String::new();
        for (key, text) in schema.notes().iter().filter(|(key, _)| key.starts_with("capnp.")) {
            match (key, self.applicable.declaration(key, text)) {
                (keys::ID, _) => {}
                (keys::ANNOTATIONS, _) if self.applicable.applies(text) => {
                    let _ = writeln!(declarations, "{text};");
                }
                (_, Some(declaration)) => declarations.push_str(&declaration),
                _ => notes.set(key, text),
            }
        }
        let mut out = format!("@{:#018x};\n", self.id());
        comment(None, &notes, 0, &mut out);
        let body = format!("{declarations}\n{}", blocks.join("\n"));
        for builtin in BUILTINS.iter().filter(|builtin| body.contains(&format!("${}.", builtin.alias))) {
            let _ = writeln!(out, "\nusing {} = import \"{}\";", builtin.alias, builtin.path);
        }
        if !declarations.is_empty() {
            out.push('\n');
            out.push_str(&declarations);
        }
        for block in blocks {
            out.push('\n');
            out.push_str(&block);
        }
        Ok(out)
    }

    /// The file's id: the one that it had, or one made of the name of its root, so that it is always the same.
    fn id(&self) -> u64 {
        let schema = &self.module.schema;
        if let Some(id) = schema.notes().get(keys::ID).and_then(parse_id) {
            return id;
        }
        let root = self.module.root.and_then(|root| schema.name(root));
        derived_id(root, schema.named_types().filter_map(|id| schema.name(id)))
    }

    /// The struct around a root that is none.
    fn root(&mut self, root: TypeId) -> Result<Option<String>> {
        let schema = self.module.schema.with_root(root);
        if matches!(schema.kind(root), Kind::Record(_) | Kind::Union(_)) {
            return Ok(None);
        }
        let shape = shape::root_shape(&schema)?;
        let body = self.wrapper_body(root, &shape.members, "root")?;
        Ok(Some(format!("struct {} {{\n{body}}}\n", self.names.root)))
    }

    fn lose(&mut self, path: String, what: &str) {
        self.lost.push(Lost { path, what: what.to_owned() });
    }
}

/// An id as notes keep it.
fn parse_id(text: &str) -> Option<u64> {
    let id = u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?;
    (id >> 63 == 1).then_some(id)
}
