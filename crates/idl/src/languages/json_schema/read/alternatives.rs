//! A schema as alternatives, each a list of schema objects that all hold: `$ref`, `allOf`, `anyOf` and `oneOf` taken
//! apart.

use std::rc::Rc;

use super::super::keywords::{self, About};
use super::Reader;
use super::documents::At;
use super::kinds::{self, Kinds, described};
use crate::json::{Node, Object, Value};
use crate::{Error, Result};

/// One way to satisfy a schema.
#[derive(Debug, Clone, Default)]
pub(super) struct Alternative<'a> {
    /// Schema objects that must all hold, by what they say themselves. None: everything is allowed.
    pub(super) layers: Vec<At<'a>>,
    /// Instead: exactly the schema there, which was referred to.
    pub(super) reference: Option<At<'a>>,
    /// Instead: null, which `nullable` adds to what a schema says otherwise.
    pub(super) null: bool,
}

impl Alternative<'_> {
    pub(super) fn is_same(&self, other: &Alternative<'_>) -> bool {
        let key = |at: &At<'_>| at.key();
        self.reference.as_ref().map(key) == other.reference.as_ref().map(key)
            && self.null == other.null
            && self.layers.iter().map(key).eq(other.layers.iter().map(key))
    }
}

/// Alternatives of one schema: more are not told apart.
const MOST: usize = 256;

/// Steps from a schema to those that it consists of.
const DEEPEST: usize = 64;

/// What an `anyOf` or `oneOf` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Ways to satisfy the schema.
    Alternatives,
    /// A oneof of the record: its members are fields that must not come together.
    Oneof,
    /// It only constrains what the rest of the schema says.
    Constraint,
}

impl<'a> Reader<'a> {
    /// The schema that a node is.
    pub(super) fn object(&self, at: At<'a>) -> Result<Option<&'a Object>> {
        match &at.node.value {
            Value::Object(object) => Ok(Some(object)),
            Value::Bool(_) => Ok(None),
            _ => {
                let what = format!("found {}, expected a schema: an object, true or false", described(at.node));
                Err(Error::at(self.locators.place(at), what))
            }
        }
    }

    /// What a schema refers to, when it does nothing else.
    pub(super) fn pure_reference(&self, at: At<'a>) -> Result<Option<At<'a>>> {
        let Some(object) = self.object(at)? else { return Ok(None) };
        let Some(reference) = object.get("$ref").or_else(|| object.get("$dynamicRef")) else { return Ok(None) };
        if reference.as_str().is_none() {
            let what = format!("found {}, expected a reference: a string", described(reference));
            return Err(Error::at(self.locators.place(at.to(reference)), what));
        }
        if !self.is_draft_07(at.file) && object.members().iter().any(|member| asserts(&member.name)) {
            return Ok(None);
        }
        self.documents.target(at, self.locators).map(Some)
    }

    /// The alternatives of a schema. Those that are references stay closed.
    pub(super) fn alternatives(&self, at: At<'a>, depth: usize) -> Result<Rc<Vec<Alternative<'a>>>> {
        if let Some(known) = self.known_alternatives.borrow().get(&at.key()) {
            return Ok(known.clone());
        }
        self.check_depth(at, depth)?;
        let found = Rc::new(self.split(at, depth)?);
        self.known_alternatives.borrow_mut().insert(at.key(), found.clone());
        Ok(found)
    }

    /// A schema that consists of itself would be taken apart for ever.
    fn check_depth(&self, at: At<'a>, depth: usize) -> Result<()> {
        if depth <= DEEPEST {
            return Ok(());
        }
        let what = format!("this schema leads through more than {DEEPEST} others, or back to itself");
        Err(Error::at(self.locators.place(at), what))
    }

    fn split(&self, at: At<'a>, depth: usize) -> Result<Vec<Alternative<'a>>> {
        let Some(object) = self.object(at)? else {
            let all = at.node.as_bool() == Some(true);
            return Ok(if all { vec![Alternative::default()] } else { Vec::new() });
        };
        if let Some(target) = self.pure_reference(at)? {
            return Ok(vec![Alternative { reference: Some(target), ..Alternative::default() }]);
        }
        let mut parts: Vec<Vec<Alternative<'a>>> = Vec::new();
        if object.get("$ref").or_else(|| object.get("$dynamicRef")).is_some() {
            let target = self.documents.target(at, self.locators)?;
            parts.push(vec![Alternative { reference: Some(target), ..Alternative::default() }]);
        }
        let mut says = object.members().iter().any(|member| {
            asserts(&member.name)
                && !matches!(member.name.as_str(), "$ref" | "$dynamicRef" | "allOf" | "anyOf" | "oneOf")
        });
        for name in ["allOf", "anyOf", "oneOf"] {
            let Some(node) = object.get(name) else { continue };
            let list = node.as_array().filter(|list| !list.is_empty()).ok_or_else(|| {
                let what = format!("found {}, expected an array of schemas", described(node));
                Error::at(self.locators.place(at.to(node)), what)
            })?;
            if self.role(at, name)? != Role::Alternatives {
                says = true;
            } else if name == "allOf" {
                for item in list {
                    parts.push(self.alternatives(at.to(item), depth + 1)?.to_vec());
                }
            } else {
                let mut all = Vec::new();
                for item in list {
                    for alternative in self.alternatives(at.to(item), depth + 1)?.iter() {
                        add(&mut all, alternative.clone());
                    }
                }
                if all.len() > MOST && !self.are_names(list) {
                    return Ok(self.too_many(at));
                }
                parts.push(all);
            }
        }
        if says || parts.is_empty() {
            let own = if says { vec![at] } else { Vec::new() };
            parts.insert(0, vec![Alternative { layers: own, ..Alternative::default() }]);
        }
        let mut product = self.product(at, parts, depth)?;
        // As OpenAPI has it, also where only references say what else the type is.
        if object.get("nullable").and_then(Node::as_bool) == Some(true) && kinds::own(self, at)?.is_err() {
            product.push(Alternative { null: true, ..Alternative::default() });
        }
        Ok(product)
    }

    /// All ways to satisfy all of several schemas.
    pub(super) fn alternatives_of_all(&self, nodes: &[At<'a>], depth: usize) -> Result<Vec<Alternative<'a>>> {
        let parts = nodes.iter().map(|&node| Ok(self.alternatives(node, depth)?.to_vec())).collect::<Result<_>>()?;
        self.product(nodes[0], parts, depth)
    }

    fn product(&self, at: At<'a>, mut parts: Vec<Vec<Alternative<'a>>>, depth: usize) -> Result<Vec<Alternative<'a>>> {
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        let mut product = vec![Alternative::default()];
        for part in parts {
            let mut open = Vec::new();
            for alternative in part {
                open.extend(self.opened(alternative, depth + 1)?);
            }
            let combined = product.len() * open.len();
            if combined > MOST && product.len() > 1 {
                return Ok(self.too_many(at));
            }
            let mut next = Vec::with_capacity(combined);
            for left in &product {
                for right in &open {
                    let mut both = left.clone();
                    both.null |= right.null;
                    for layer in &right.layers {
                        if !both.layers.iter().any(|known| known.key() == layer.key()) {
                            both.layers.push(*layer);
                        }
                    }
                    next.push(both);
                }
            }
            product = next;
        }
        Ok(product)
    }

    /// An alternative without references.
    pub(super) fn opened(&self, alternative: Alternative<'a>, depth: usize) -> Result<Vec<Alternative<'a>>> {
        let Some(target) = alternative.reference else { return Ok(vec![alternative]) };
        self.check_depth(target, depth)?;
        let mut open = Vec::new();
        for inner in self.alternatives(target, depth)?.iter() {
            open.extend(self.opened(inner.clone(), depth + 1)?);
            if open.len() > MOST {
                return Ok(self.too_many(target));
            }
        }
        Ok(open)
    }

    fn too_many(&self, at: At<'a>) -> Vec<Alternative<'a>> {
        self.notice(at, format!("more than {MOST} combinations of alternatives are taken for any value"));
        vec![Alternative::default()]
    }

    /// Whether all alternatives are constant strings, or integers: an enum, of which there may be many.
    fn are_names(&self, list: &[Node]) -> bool {
        let text = |node: &Node, name| node.get(name).and_then(Node::as_str).map(str::to_owned);
        list.iter().all(|node| text(node, "const").is_some() || text(node, "type").as_deref() == Some("integer"))
    }

    /// The kinds of value that an alternative allows.
    pub(super) fn kinds(&self, alternative: &Alternative<'a>, depth: usize) -> Result<Kinds> {
        if let Some(target) = alternative.reference {
            return self.kinds_at(target, depth + 1);
        }
        if alternative.null {
            return Ok(Kinds::NULL);
        }
        let mut kinds = Kinds::ALL;
        let mut implied = Kinds::ALL;
        for &layer in &alternative.layers {
            match kinds::own(self, layer)? {
                Ok(said) => kinds = kinds.and(said),
                Err(likely) => implied = implied.and(likely),
            }
        }
        Ok(if kinds == Kinds::ALL { implied } else { kinds })
    }

    /// The kinds of value that a schema allows.
    pub(super) fn kinds_at(&self, at: At<'a>, depth: usize) -> Result<Kinds> {
        if let Some(&known) = self.known_kinds.borrow().get(&at.key()) {
            return Ok(known);
        }
        self.check_depth(at, depth)?;
        let mut kinds = Kinds::NONE;
        for alternative in self.alternatives(at, depth)?.iter() {
            kinds = kinds.or(self.kinds(alternative, depth + 1)?);
        }
        self.known_kinds.borrow_mut().insert(at.key(), kinds);
        Ok(kinds)
    }

    /// What `allOf`, `anyOf` or `oneOf` is at a schema.
    pub(super) fn role(&self, at: At<'a>, name: &str) -> Result<Role> {
        let kept = self.extension(at)?.and_then(|extension| extension.get("kept"));
        if kept.and_then(Node::as_array).is_some_and(|kept| kept.iter().any(|kept| kept.as_str() == Some(name))) {
            return Ok(Role::Constraint);
        }
        if name == "allOf" {
            return Ok(Role::Alternatives);
        }
        let list = at.list(name);
        if name == "oneOf" && oneof(&list).is_some() {
            return Ok(Role::Oneof);
        }
        let object = at.node.as_object();
        let typed = |object: &Object| object.get("$ref").is_some() || object.get("allOf").is_some();
        let says = object.is_some_and(typed) || kinds::own(self, at)? != Err(Kinds::ALL);
        let refines = says && list.iter().all(|item| refines(*item, at));
        Ok(if refines { Role::Constraint } else { Role::Alternatives })
    }
}

/// Adds an alternative that is not there already.
pub(super) fn add<'a>(all: &mut Vec<Alternative<'a>>, one: Alternative<'a>) {
    // Where there are many, they are names, and looking at all would take long.
    if all.len() > MOST || !all.iter().any(|known| known.is_same(&one)) {
        all.push(one);
    }
}

/// Whether a keyword allows or forbids values.
pub(super) fn asserts(name: &str) -> bool {
    match keywords::find(name) {
        Some((about, _)) => about != About::Nothing,
        None => matches!(name, "type" | "properties" | "required"),
    }
}

/// Whether a schema only narrows down what `whole` says, so that it has no types of its own.
fn refines(item: At<'_>, whole: At<'_>) -> bool {
    let Some(object) = item.node.as_object() else { return true };
    object.members().iter().all(|member| match member.name.as_str() {
        "type" => whole.node.get("type").is_some_and(|ty| ty.to_json() == member.value.to_json()),
        "$ref" | "$dynamicRef" | "enum" | "const" | "items" | "prefixItems" | "patternProperties" => false,
        "additionalProperties" => member.value.as_object().is_none() && whole.node.get("properties").is_some(),
        "properties" => {
            let known = whole.node.get("properties").and_then(Node::as_object);
            let names = member.value.as_object().map(Object::members).unwrap_or_default();
            known.is_some_and(|known| names.iter().all(|name| known.get(&name.name).is_some()))
        }
        "allOf" | "anyOf" | "oneOf" => item.list(&member.name).iter().all(|inner| refines(*inner, whole)),
        _ => true,
    })
}

/// The fields of a oneof, and whether one of them must be there: `[{"required": ["a"]}, {"required": ["b"]}]`, maybe with
/// `{"not": {"anyOf": ...the same... }}`.
pub(super) fn oneof<'a>(list: &[At<'a>]) -> Option<(Vec<&'a str>, bool)> {
    let only = |at: &At<'a>| -> Option<&'a str> {
        let object = at.node.as_object()?;
        let [member] = object.members() else { return None };
        match member.value.as_array()? {
            [one] if member.name == "required" => one.as_str(),
            _ => None,
        }
    };
    let (last, rest) = list.split_last()?;
    match last.get("not") {
        None => Some((list.iter().map(only).collect::<Option<_>>()?, true)),
        Some(not) if last.node.as_object()?.members().len() == 1 => {
            let names: Vec<&str> = rest.iter().map(only).collect::<Option<_>>()?;
            let others: Vec<&str> = not.list("anyOf").iter().map(only).collect::<Option<_>>()?;
            (names == others && !names.is_empty()).then_some((names, false))
        }
        _ => None,
    }
}
