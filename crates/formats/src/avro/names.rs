//! Names that Avro takes: `[A-Za-z_][A-Za-z0-9_]*`, with dots between the parts of a full name.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Words that mean a type of their own where a type's name may stand.
const RESERVED: [&str; 18] = [
    "null",
    "boolean",
    "int",
    "long",
    "float",
    "double",
    "bytes",
    "string",
    "record",
    "enum",
    "array",
    "map",
    "fixed",
    "union",
    "error",
    "errors",
    "error_union",
    "request",
];

/// Whether a field or symbol may be called so.
pub fn is_simple(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Whether a type may be called so.
pub(super) fn is_type_name(name: &str) -> bool {
    name.split('.').all(is_simple) && !RESERVED.contains(&name)
}

/// A legal name made of any text: other characters become `_`.
pub(super) fn mangled(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !is_simple(&out) || RESERVED.contains(&out.as_str()) {
        out.insert(0, '_');
    }
    out
}

/// What a type is called once it is written, unless another has that name.
pub(super) fn type_name(name: &str) -> String {
    if is_type_name(name) { name.to_owned() } else { mangled(name) }
}

/// The names of one scope. Legal names are claimed first, so that they stay what they are whatever their neighbours
/// are called.
#[derive(Debug, Default)]
pub(super) struct Scope {
    taken: HashSet<String>,
    /// The number to try next for a name that was wanted before: many may want the same.
    next: HashMap<String, u32>,
}

impl Scope {
    /// Takes a name, unless something else has it.
    pub(super) fn claim(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// A name that nothing else in the scope has: `wanted`, or `wanted` with the first free number from 2.
    pub(super) fn free(&mut self, wanted: String) -> String {
        if self.taken.insert(wanted.clone()) {
            return wanted;
        }
        let next = self.next.entry(wanted.clone()).or_insert(2);
        loop {
            let name = format!("{wanted}_{next}");
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// Legal names for the fields of a record or the symbols of an enum, in their order.
pub(super) fn legal_names<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut scope = Scope::default();
    for name in names.clone().filter(|name| is_simple(name)) {
        scope.claim(name);
    }
    names.map(|name| if is_simple(name) { name.to_owned() } else { scope.free(mangled(name)) }).collect()
}

/// Legal, unique full names for types, in their order. Once one of them has a namespace they all get one, because
/// other libraries do not find a type without a namespace from within one; except those that come without a namespace
/// from a schema that has others with one (`true`).
pub(super) fn legal_type_names<'a>(wanted: impl Iterator<Item = (&'a str, bool)> + Clone) -> (Vec<String>, Scope) {
    let legal = |name: &&str| is_type_name(name);
    let names = wanted.clone().map(|(name, _)| name);
    let namespace = names.clone().filter(legal).find_map(|name| name.rsplit_once('.').map(|(namespace, _)| namespace));
    let full = |name: &str| match namespace {
        Some(namespace) if !name.contains('.') => format!("{namespace}.{name}"),
        _ => name.to_owned(),
    };
    let mut scope = Scope::default();
    for name in names.filter(legal) {
        scope.claim(name);
    }
    let mut out = Vec::new();
    for (name, is_bare) in wanted {
        let name = if is_type_name(name) { Cow::Borrowed(name) } else { Cow::Owned(mangled(name)) };
        let inside = if is_bare { name.clone().into_owned() } else { full(&name) };
        // Legal names have been claimed already, by themselves.
        let stays = matches!(name, Cow::Borrowed(_)) && inside == *name;
        out.push(if stays { inside } else { scope.free(inside) });
    }
    (out, scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_unique_and_stable() {
        let names = legal_names(["a-b", "a_b", "é", "1st", "a b", "fine"].into_iter());
        assert_eq!(names, ["a_b_2", "a_b", "_", "_1st", "a_b_3", "fine"]);
        let bound = |names: &[&'static str]| names.iter().map(|&name| (name, false)).collect::<Vec<_>>().into_iter();
        let (names, _) = legal_type_names(bound(&["User", "string", "a/b"]));
        assert_eq!(names, ["User", "_string", "a_b"]);
        let (names, _) = legal_type_names(bound(&["x.y.A", "B", "x.y.B", "z.B"]));
        assert_eq!(names, ["x.y.A", "x.y.B_2", "x.y.B", "z.B"]);
        let (names, _) = legal_type_names([("x.y.A", false), ("B", true)].into_iter());
        assert_eq!(names, ["x.y.A", "B"]);
        let (names, _) = legal_type_names([("x.y.A", false), ("a/b", true), ("a-b", false)].into_iter());
        assert_eq!(names, ["x.y.A", "a_b", "x.y.a_b"]);
    }
}
