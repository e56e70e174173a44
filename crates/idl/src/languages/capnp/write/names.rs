//! Where each type is declared and what it is called there.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_formats::capnp::shape;

use super::super::builtin::BUILTINS;
use crate::names::{Case, Scope, identifier, namespace};
use crate::{Error, Result};

/// Names that the language has for its own types.
const TYPES: [&str; 20] = [
    "Void",
    "Bool",
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
    "Text",
    "Data",
    "List",
    "AnyPointer",
    "AnyStruct",
    "AnyList",
    "Capability",
    "Object",
];

/// How deep structs are declared in each other.
const DEEPEST: usize = 32;

/// The names of types in a file.
pub(super) struct Names<'a> {
    schema: &'a Schema,
    /// What the names of all types begin with.
    pub(super) namespace: String,
    /// The name of each type that is declared.
    own: HashMap<TypeId, String>,
    /// The struct that it is declared in.
    outer: HashMap<TypeId, TypeId>,
    /// What is declared in a struct, or in the file.
    inner: HashMap<Option<TypeId>, Vec<TypeId>>,
    /// The names in a struct or in the file.
    scopes: HashMap<Option<TypeId>, Scope>,
    taken: HashMap<Option<TypeId>, HashSet<String>>,
    /// The name of the struct around a root that is none.
    pub(super) root: String,
    /// The id of each name in the file.
    by_name: HashMap<String, TypeId>,
}

impl<'a> Names<'a> {
    pub(super) fn new(schema: &'a Schema, root: Option<TypeId>) -> Result<Self> {
        let by_name: HashMap<String, TypeId> =
            schema.named_types().filter_map(|id| Some((schema.name(id)?.to_owned(), id))).collect();
        let mut names = Names {
            schema,
            namespace: common_namespace(schema),
            own: HashMap::new(),
            outer: HashMap::new(),
            inner: HashMap::new(),
            scopes: HashMap::new(),
            taken: HashMap::new(),
            root: String::new(),
            by_name,
        };
        let groups = groups(schema, root);
        let declared: HashSet<TypeId> = schema.named_types().filter(|id| !groups.contains(id)).collect();
        let mut order: Vec<TypeId> = schema.named_types().filter(|id| declared.contains(id)).collect();
        // What lies inside others comes after these.
        order.sort_by_key(|&id| schema.name(id).map_or(0, |name| name.matches('.').count()));
        let mut depths: HashMap<TypeId, usize> = HashMap::new();
        for &id in &order {
            let full = schema.name(id).unwrap_or_default();
            let outer = names.outer_of(full, &declared);
            let depth = outer.map_or(0, |outer| depths.get(&outer).copied().unwrap_or_default() + 1);
            let outer = outer.filter(|_| depth <= DEEPEST);
            depths.insert(id, if outer.is_some() { depth } else { 0 });
            if let Some(outer) = outer {
                names.outer.insert(id, outer);
            }
        }
        for id in schema.named_types().filter(|id| declared.contains(id)) {
            let outer = names.outer.get(&id).copied();
            let full = schema.name(id).unwrap_or_default();
            let last = full.rsplit('.').next().unwrap_or_default();
            let own = names.take(outer, &identifier(last, Case::Pascal));
            names.own.insert(id, own);
            names.inner.entry(outer).or_default().push(id);
        }
        names.root = names.take(None, "Root");
        if names.own.len() < declared.len() {
            return Err(Error::new("a type has no name"));
        }
        Ok(names)
    }

    /// The struct that a type with this full name is declared in.
    fn outer_of(&self, full: &str, declared: &HashSet<TypeId>) -> Option<TypeId> {
        // Names nest as deep as they have dots, which may be many.
        full.rmatch_indices('.').take(DEEPEST).find_map(|(dot, _)| {
            let id = *self.by_name.get(&full[..dot])?;
            let is_struct = matches!(self.schema.kind(id), Kind::Record(_) | Kind::Union(_));
            (is_struct && declared.contains(&id)).then_some(id)
        })
    }

    /// A free name in a struct or in the file. Identifiers of types have no underscores.
    pub(super) fn take(&mut self, scope: Option<TypeId>, name: &str) -> String {
        let name = name.replace('_', "");
        let name = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("N{name}") };
        let aliases = BUILTINS.map(|builtin| builtin.alias);
        let reserved: Vec<&str> = TYPES.iter().copied().chain(aliases).collect();
        let taken = self.scopes.entry(scope).or_insert_with(|| Scope::new(&reserved)).take(&name);
        self.taken.entry(scope).or_default().insert(taken.clone());
        taken
    }

    /// What is declared in the file, outside of structs.
    pub(super) fn top(&self) -> Vec<TypeId> {
        self.inside(None)
    }

    /// What is declared in a struct.
    pub(super) fn inside(&self, outer: Option<TypeId>) -> Vec<TypeId> {
        self.inner.get(&outer).cloned().unwrap_or_default()
    }

    pub(super) fn own(&self, id: TypeId) -> &str {
        self.own.get(&id).map_or("", String::as_str)
    }

    /// The names from the file to a type, with dots.
    pub(super) fn path(&self, id: TypeId) -> String {
        let mut parts = vec![self.own(id)];
        let mut at = id;
        while let Some(&outer) = self.outer.get(&at) {
            parts.push(self.own(outer));
            at = outer;
        }
        parts.reverse();
        parts.join(".")
    }

    /// What a reader takes the full name of a type for.
    pub(super) fn read_as(&self, id: TypeId) -> String {
        let path = self.path(id);
        if self.namespace.is_empty() { path } else { format!("{}.{path}", self.namespace) }
    }

    /// The type with this path in the file.
    pub(super) fn has_path(&self, path: &str) -> bool {
        self.own.keys().any(|&id| self.path(id) == path)
    }

    /// A type as it is called inside of a struct, or in the file.
    pub(super) fn refer(&self, from: Option<TypeId>, path: &str) -> String {
        let parts: Vec<&str> = path.split('.').collect();
        // The shortest end of the path whose first part means the right thing here.
        for first in (0..parts.len()).rev() {
            let expected = parts[..first].join(".");
            if self.found_in(from, parts[first]) == Some(expected) {
                return parts[first..].join(".");
            }
        }
        format!(".{path}")
    }

    /// The path of the nearest scope that has this name.
    fn found_in(&self, from: Option<TypeId>, name: &str) -> Option<String> {
        let mut scope = from;
        loop {
            if self.taken.get(&scope).is_some_and(|names| names.contains(name)) {
                return Some(scope.map_or_else(String::new, |id| self.path(id)));
            }
            let id = scope?;
            scope = self.outer.get(&id).copied();
        }
    }
}

/// Records that are nothing but groups: one field has each of them.
fn groups(schema: &Schema, root: Option<TypeId>) -> HashSet<TypeId> {
    let mut uses: HashMap<TypeId, usize> = HashMap::new();
    let mut groups = HashSet::new();
    for index in 0..schema.types().len() {
        let id = TypeId::from_index(index);
        for part in schema.parts(id) {
            *uses.entry(part).or_default() += 1;
        }
        if let Kind::Record(record) = schema.kind(id) {
            groups.extend(record.fields.iter().filter(|field| shape::is_group(schema, field)).map(|field| field.ty));
        }
    }
    groups.retain(|id| uses.get(id) == Some(&1) && root != Some(*id));
    groups
}

/// The namespace that all types have.
fn common_namespace(schema: &Schema) -> String {
    let mut all = schema.named_types().map(|id| namespace(schema, id).0);
    let first = all.next().unwrap_or_default();
    if all.all(|other| other == first) { first.to_owned() } else { String::new() }
}
