//! Names of types: one that is free in its namespace for each.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Schema as Model, TypeId};
use wirewise_formats::flatbuffers::notes;

use crate::names::{Case, Scope, identifier, is_identifier, namespace};

/// Words that cannot name a type: they would be read as built-in types.
const BUILT_IN: [&str; 24] = [
    "bool", "byte", "ubyte", "short", "ushort", "int", "uint", "float", "long", "ulong", "double", "int8", "uint8",
    "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64", "string", "NONE", "null",
];

/// The names given out.
pub(super) struct Names {
    /// By type: namespace and name.
    full: Vec<String>,
    scopes: HashMap<String, Scope>,
    /// All names without their namespaces.
    shorts: HashSet<String>,
}

impl Names {
    pub(super) fn new(model: &Model) -> Names {
        let mut names =
            Names { full: vec![String::new(); model.types().len()], scopes: HashMap::new(), shorts: HashSet::new() };
        // Those that say what they are called come first.
        let all: Vec<TypeId> = model.named_types().collect();
        let said = |id: &TypeId| model.type_notes(*id).has(notes::NAME);
        let (kept, others): (Vec<TypeId>, Vec<TypeId>) = all.into_iter().partition(said);
        for id in kept.into_iter().chain(others) {
            let (space, short) = namespace(model, id);
            let space = space_of(space);
            let usual = identifier(short, Case::Pascal);
            let wanted = model.type_notes(id).get(notes::NAME).filter(|name| is_identifier(name));
            let taken = names.take(&space, wanted.unwrap_or(&usual));
            names.full[id.index()] = taken;
        }
        names
    }

    /// A free name in a namespace, with the namespace.
    pub(super) fn take(&mut self, space: &str, wanted: &str) -> String {
        let scope = self.scopes.entry(space.to_owned()).or_insert_with(|| Scope::new(&BUILT_IN));
        let short = scope.take(wanted);
        self.shorts.insert(short.clone());
        if space.is_empty() { short } else { format!("{space}.{short}") }
    }

    /// The full name of a type.
    pub(super) fn full(&self, id: TypeId) -> &str {
        &self.full[id.index()]
    }

    /// Whether a type has this name in some namespace.
    pub(super) fn has_short(&self, name: &str) -> bool {
        self.shorts.contains(name)
    }
}

/// A namespace of names that can be.
fn space_of(space: &str) -> String {
    let parts = space.split('.').filter(|part| !part.is_empty());
    parts.map(|part| identifier(part, Case::Keep)).collect::<Vec<_>>().join(".")
}
