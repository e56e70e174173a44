//! Which identifier each thing of the model has.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId};

use super::super::words::{AVOIDED, RESERVED};
use crate::names::{Case, Scope, identifier, is_identifier, namespace};

pub(super) struct Idents {
    /// The types, by full name.
    named: HashMap<String, TypeId>,
    /// What all full names begin with, without the dot.
    package: Option<String>,
    /// Of types, by their place in the table; empty for those without a name.
    types: Vec<String>,
    /// Of fields, branches and symbols.
    members: HashMap<TypeId, Vec<String>>,
    scope: Scope,
}

impl Idents {
    pub(super) fn new(schema: &Schema) -> Idents {
        let package = package(schema);
        let mut scope = scope();
        let mut types = vec![String::new(); schema.types().len()];
        let mut members = HashMap::new();
        for id in schema.named_types() {
            let full = schema.name(id).unwrap_or_default();
            let name = package.as_ref().and_then(|package| full.strip_prefix(package)?.strip_prefix('.'));
            types[id.index()] = scope.take(&ident(name.unwrap_or(full)));
            let mut inner = self::scope();
            let mut take = |name: &String| inner.take(&identifier(name, Case::Keep));
            let names = match schema.kind(id) {
                Kind::Record(record) => record.fields.iter().map(|field| take(&field.name)).collect(),
                Kind::Union(union) => union.branches.iter().map(|branch| take(&branch.name)).collect(),
                Kind::Enum(e) => e.symbols.iter().map(|symbol| take(&symbol.name)).collect(),
                _ => Vec::new(),
            };
            members.insert(id, names);
        }
        let named = schema.named_types().map(|id| (schema.name(id).unwrap_or_default().to_owned(), id)).collect();
        Idents { named, package, types, members, scope }
    }

    /// The type with this full name.
    pub(super) fn named(&self, full: &str) -> Option<TypeId> {
        self.named.get(full).copied()
    }

    pub(super) fn package(&self) -> Option<&str> {
        self.package.as_deref()
    }

    pub(super) fn of(&self, id: TypeId) -> &str {
        &self.types[id.index()]
    }

    pub(super) fn members(&self, id: TypeId) -> &[String] {
        self.members.get(&id).map_or(&[], |names| names)
    }

    /// The full name that our reader gives to what has this identifier.
    pub(super) fn full(&self, ident: &str) -> String {
        match &self.package {
            Some(package) => format!("{package}.{ident}"),
            None => ident.to_owned(),
        }
    }

    /// An identifier for a full name of something that is no type of the table.
    pub(super) fn take_full(&mut self, full: &str) -> String {
        let name = self.package.as_ref().and_then(|package| full.strip_prefix(package)?.strip_prefix('.'));
        let wanted = ident(name.unwrap_or(full));
        self.scope.take(&wanted)
    }

    /// A name for something that the model has no name for.
    pub(super) fn take(&mut self, wanted: &str) -> String {
        self.scope.take(wanted)
    }
}

fn scope() -> Scope {
    Scope::new(&[RESERVED, AVOIDED].concat())
}

/// A name that Thrift can have stays; of others the words remain.
fn ident(name: &str) -> String {
    if is_identifier(name) { name.to_owned() } else { identifier(name, Case::Pascal) }
}

/// The namespace of all types, if they have the same.
fn package(schema: &Schema) -> Option<String> {
    let first = schema.named_types().next()?;
    let (package, _) = namespace(schema, first);
    let common = |id: TypeId| {
        let full = schema.name(id).unwrap_or_default();
        full.strip_prefix(package).is_some_and(|rest| rest.len() > 1 && rest.starts_with('.'))
    };
    let usable = !package.is_empty() && package.split('.').all(|part| is_identifier(part) && !RESERVED.contains(&part));
    (usable && schema.named_types().all(common)).then(|| package.to_owned())
}
