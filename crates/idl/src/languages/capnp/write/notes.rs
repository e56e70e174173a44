//! Annotations and constants that a schema brings from a file in this language: what can be declared again.

use std::collections::HashSet;

use wirewise_core::Schema;
use wirewise_formats::capnp::notes as keys;

use super::super::ast::{Applied, Base, Decl, Expr, ExprForm, Part, What};
use super::super::builtin::BUILTINS;
use super::super::parser;
use super::names::Names;

/// What may be applied and declared in a file.
pub(super) struct Applicable {
    annotations: HashSet<String>,
    types: HashSet<String>,
}

impl Applicable {
    pub(super) fn new(schema: &Schema, names: &Names<'_>) -> Self {
        let mut all = Applicable { annotations: HashSet::new(), types: HashSet::new() };
        for builtin in &BUILTINS {
            let known = parser::parse(&builtin.path.into(), builtin.text()).unwrap_or_default();
            all.annotations.extend(known.decls.iter().map(|decl| format!("{}.{}", builtin.alias, decl.name.text)));
        }
        for (key, text) in schema.notes().iter() {
            let Some(name) = key.strip_prefix(keys::ANNOTATION).or_else(|| key.strip_prefix(keys::CONSTANT)) else {
                continue;
            };
            let is_annotation = key.starts_with(keys::ANNOTATION);
            let Some(decl) = read(if is_annotation { "annotation" } else { "const" }, name, text) else { continue };
            let (What::Annotation { ty, .. } | What::Const { ty, .. }) = &decl.what else { continue };
            let mut paths = Vec::new();
            if !type_paths(ty, &mut paths) {
                continue;
            }
            let exists = |path: &String| BUILT_IN.contains(&path.as_str()) || names.has_path(path);
            if paths.iter().all(exists) {
                all.types.insert(key.to_owned());
                if is_annotation {
                    all.annotations.insert(name.to_owned());
                }
            }
        }
        all
    }

    /// Whether all annotations in the text are known.
    pub(super) fn applies(&self, text: &str) -> bool {
        let file = parser::parse(&"note".into(), &format!("{text};"));
        let Ok(file) = file else { return false };
        let known = |applied: &Applied| {
            let Base::Name(base) = &applied.name.base else { return false };
            let mut name = base.clone();
            for part in &applied.name.parts {
                let Part::Member(part) = part else { return false };
                name.push('.');
                name.push_str(&part.text);
            }
            self.annotations.contains(&name) && applied.value.as_ref().is_none_or(is_literal)
        };
        !text.contains(['\n', '#', ';']) && file.decls.is_empty() && file.annotations.iter().all(known)
    }

    /// The declaration of an annotation or a constant.
    pub(super) fn declaration(&self, key: &str, text: &str) -> Option<String> {
        let (word, name) = match key.strip_prefix(keys::ANNOTATION) {
            Some(name) => ("annotation", name),
            None => ("const", key.strip_prefix(keys::CONSTANT)?),
        };
        // Those inside of structs stay notes.
        let known = self.types.contains(key);
        known.then(|| declared(word, name, text))
    }
}

const BUILT_IN: [&str; 14] = [
    "Void", "Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64",
    "Text", "Data",
];

fn declared(word: &str, name: &str, text: &str) -> String {
    let blank = if text.starts_with('(') { "" } else { " " };
    format!("{word} {name}{blank}{text};\n")
}

/// Reads a declaration that a note has.
fn read(word: &str, name: &str, text: &str) -> Option<Decl> {
    if text.contains(['\n', '#']) {
        return None;
    }
    let file = parser::parse(&"note".into(), &declared(word, name, text)).ok()?;
    let mut decls = file.decls.into_iter();
    let decl = decls.next().filter(|decl| decl.name.text == name && decl.annotations.is_empty())?;
    let is_literal = match &decl.what {
        What::Const { value, .. } => is_literal(value),
        _ => true,
    };
    (decls.next().is_none() && file.annotations.is_empty() && is_literal).then_some(decl)
}

/// The paths of all types in a type without arguments other than those of `List`.
fn type_paths(ty: &Expr, out: &mut Vec<String>) -> bool {
    let ExprForm::Path(path) = &ty.form else { return false };
    let Base::Name(base) = &path.base else { return false };
    match (&base[..], &path.parts[..]) {
        ("List", [Part::Apply(arguments, _)]) => arguments.iter().all(|(_, argument)| type_paths(argument, out)),
        (_, parts) => {
            let mut text = base.clone();
            for part in parts {
                let Part::Member(name) = part else { return false };
                text.push('.');
                text.push_str(&name.text);
            }
            out.push(text);
            true
        }
    }
}

/// Whether a value needs nothing else than what it says.
fn is_literal(value: &Expr) -> bool {
    match &value.form {
        ExprForm::Path(path) => path.parts.is_empty() && matches!(path.base, Base::Name(_)),
        ExprForm::List(items) => items.iter().all(is_literal),
        ExprForm::Tuple(items) => items.iter().all(|(_, item)| is_literal(item)),
        ExprForm::Embed => false,
        _ => true,
    }
}
