//! The schemas of a writer and a reader, side by side.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use wirewise_core::json::{Member, Node, Object, Value};
use wirewise_idl::Place;
use wirewise_idl::json_schema::{At, Documents, Locators};

use super::judge::Judge;
use super::keywords::{self, Form};
use super::number::same_json;

/// Whose schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Side {
    Writer,
    Reader,
}

/// A place in the schemas of a side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'a> {
    pub(super) side: Side,
    pub(super) at: At<'a>,
}

/// What tells two spots apart.
pub(super) type SpotKey = (Side, usize, usize);

impl<'a> Spot<'a> {
    pub(super) fn key(self) -> SpotKey {
        let (file, offset) = self.at.key();
        (self.side, file, offset)
    }

    /// Another value of the same file.
    pub(super) fn to(self, node: &'a Node) -> Spot<'a> {
        Spot { side: self.side, at: self.at.to(node) }
    }

    pub(super) fn node(self) -> &'a Node {
        self.at.node
    }

    pub(super) fn object(self) -> Option<&'a Object> {
        self.at.node.as_object()
    }

    pub(super) fn get(self, name: &str) -> Option<Spot<'a>> {
        self.at.node.get(name).map(|node| self.to(node))
    }

    /// The members of a keyword that is an object.
    pub(super) fn members(self, name: &str) -> &'a [Member] {
        self.at.node.get(name).and_then(Node::as_object).map(Object::members).unwrap_or_default()
    }

    /// The elements of a keyword that is an array.
    pub(super) fn list(self, name: &str) -> &'a [Node] {
        self.at.node.get(name).and_then(Node::as_array).unwrap_or_default()
    }

    /// The strings of a keyword that is an array of them, or one.
    pub(super) fn texts(self, name: &str) -> Vec<&'a str> {
        match self.at.node.get(name) {
            Some(node) => match node.as_str() {
                Some(text) => vec![text],
                None => node.as_array().unwrap_or_default().iter().filter_map(Node::as_str).collect(),
            },
            None => Vec::new(),
        }
    }
}

/// What a file is written in, as far as keywords differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    /// Draft-06 is a part of it.
    Draft07,
    Draft2019,
    Draft2020,
}

impl Draft {
    fn of(root: &Node) -> Draft {
        let uri = root.get("$schema").and_then(Node::as_str).unwrap_or_default();
        if uri.contains("draft-07") || uri.contains("draft-06") {
            Draft::Draft07
        } else if uri.contains("2019-09") {
            Draft::Draft2019
        } else {
            Draft::Draft2020
        }
    }

    /// The URI of its meta-schema.
    pub(super) fn uri(self) -> &'static str {
        match self {
            Draft::Draft07 => "http://json-schema.org/draft-07/schema#",
            Draft::Draft2019 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft2020 => "https://json-schema.org/draft/2020-12/schema",
        }
    }
}

/// Both sides.
pub(super) struct Sides<'a> {
    documents: [&'a Documents; 2],
    locators: [Locators<'a>; 2],
    drafts: [Vec<Draft>; 2],
    judges: [Judge; 2],
    patterns: RefCell<HashMap<String, Option<jsonschema::Validator>>>,
    /// Which schemas say the same.
    same: RefCell<HashMap<(SpotKey, SpotKey), bool>>,
}

impl<'a> Sides<'a> {
    /// # Errors
    /// When one is no JSON Schema.
    pub(super) fn new(writer: &'a Documents, reader: &'a Documents) -> wirewise_idl::Result<Sides<'a>> {
        let drafts = [writer, reader].map(drafts);
        Ok(Sides {
            documents: [writer, reader],
            locators: [Locators::new(writer), Locators::new(reader)],
            judges: [Judge::new(writer)?, Judge::new(reader)?],
            drafts,
            patterns: RefCell::default(),
            same: RefCell::default(),
        })
    }

    pub(super) fn root(&self, side: Side) -> Spot<'a> {
        Spot { side, at: self.documents[side as usize].root() }
    }

    pub(super) fn files(&self, side: Side) -> impl Iterator<Item = Spot<'a>> + use<'a> {
        let documents = self.documents[side as usize];
        (0..documents.count()).map(move |file| Spot { side, at: documents.whole(file) })
    }

    /// Whether what a `$dynamicRef` or `$recursiveRef` leads to may depend on the way to it.
    pub(super) fn is_dynamic(&self, side: Side) -> bool {
        let mut names = HashSet::new();
        let mut todo: Vec<&Node> = self.files(side).map(Spot::node).collect();
        while let Some(node) = todo.pop() {
            match &node.value {
                Value::Array(items) => todo.extend(items),
                Value::Object(object) => {
                    if object.get("$recursiveAnchor").is_some() {
                        return true;
                    }
                    let anchor = object.get("$dynamicAnchor").and_then(Node::as_str);
                    if anchor.is_some_and(|anchor| !names.insert(anchor)) {
                        return true;
                    }
                    todo.extend(object.members().iter().map(|member| &member.value));
                }
                _ => {}
            }
        }
        false
    }

    pub(super) fn draft(&self, spot: Spot<'_>) -> Draft {
        self.drafts[spot.side as usize][spot.at.file]
    }

    pub(super) fn place(&self, spot: Spot<'_>) -> Place {
        self.locators[spot.side as usize].place(spot.at)
    }

    /// What a `$ref` leads to. `None`: it leads nowhere, or there is none.
    pub(super) fn target(&self, spot: Spot<'a>) -> Option<Spot<'a>> {
        keywords::reference(spot.object()?)?;
        let side = spot.side as usize;
        let at = self.documents[side].target(spot.at, &self.locators[side]).ok()?;
        Some(Spot { side: spot.side, at })
    }

    /// Whether a value is valid under a schema.
    pub(super) fn valid(&self, schema: Spot<'_>, value: &Json) -> bool {
        self.judges[schema.side as usize].valid_at(self.documents[schema.side as usize], schema.at, value)
    }

    pub(super) fn judge(&self, side: Side) -> &Judge {
        &self.judges[side as usize]
    }

    /// Whether a text has a match of a pattern. `None`: the pattern is none.
    pub(super) fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        let mut patterns = self.patterns.borrow_mut();
        let made = patterns.entry(pattern.to_owned());
        let validator = made
            .or_insert_with(|| jsonschema::options().offline().build(&serde_json::json!({ "pattern": pattern })).ok());
        Some(validator.as_ref()?.is_valid(&Json::from(text)))
    }

    /// Whether two schemas say the same of values, word by word. What says nothing of values may differ.
    pub(super) fn same(&self, a: Spot<'a>, b: Spot<'a>) -> bool {
        if a.key() == b.key() {
            return true;
        }
        let key = (a.key(), b.key());
        if let Some(same) = self.same.borrow().get(&key) {
            return *same;
        }
        let mut seen = HashSet::from([key]);
        let mut todo = vec![(a, b)];
        let mut same = true;
        while let Some((a, b)) = todo.pop() {
            let mut inside = Vec::new();
            same = self.same_here(a, b, &mut inside);
            if !same {
                break;
            }
            todo.extend(inside.into_iter().filter(|(a, b)| seen.insert((a.key(), b.key()))));
        }
        self.same.borrow_mut().insert(key, same);
        same
    }

    /// Whether two schemas say the same, if those inside do that are added.
    fn same_here(&self, a: Spot<'a>, b: Spot<'a>, inside: &mut Vec<(Spot<'a>, Spot<'a>)>) -> bool {
        if self.draft(a) != self.draft(b) {
            return false;
        }
        let (Some(left), Some(right)) = (a.object(), b.object()) else { return a.node().value == b.node().value };
        let asserts = |object: &'a Object| -> Vec<&'a Member> {
            let alone = self.draft(a) == Draft::Draft07 && object.get("$ref").is_some();
            let kept = |member: &&Member| match alone {
                true => member.name == "$ref",
                false => !keywords::says_nothing(&member.name, self.draft(a)),
            };
            object.members().iter().filter(kept).collect()
        };
        let (left, right_members) = (asserts(left), asserts(right));
        left.len() == right_members.len()
            && left.iter().all(|member| {
                let Some(other) = right_members.iter().find(|other| other.name == member.name) else { return false };
                let (x, y) = (a.to(&member.value), b.to(&other.value));
                match member.name.as_str() {
                    "$ref" | "$dynamicRef" => match (self.target(a), self.target(b)) {
                        (Some(x), Some(y)) => {
                            inside.push((x, y));
                            true
                        }
                        _ => false,
                    },
                    name => same_value(keywords::form(name), x, y, inside),
                }
            })
    }
}

fn same_value<'a>(form: Form, x: Spot<'a>, y: Spot<'a>, inside: &mut Vec<(Spot<'a>, Spot<'a>)>) -> bool {
    match (form, &x.node().value, &y.node().value) {
        (Form::Schema, Value::Array(left), Value::Array(right)) => {
            inside.extend(left.iter().zip(right).map(|(a, b)| (x.to(a), y.to(b))));
            left.len() == right.len()
        }
        (Form::Schema, ..) => {
            inside.push((x, y));
            true
        }
        (Form::ByName, Value::Object(left), Value::Object(right)) => {
            left.members().len() == right.members().len()
                && left.members().iter().all(|member| {
                    let Some(other) = right.get(&member.name) else { return false };
                    match (&member.value.value, &other.value) {
                        (Value::Array(_), _) | (_, Value::Array(_)) => {
                            same_json(&member.value.to_json(), &other.to_json())
                        }
                        _ => {
                            inside.push((x.to(&member.value), y.to(other)));
                            true
                        }
                    }
                })
        }
        _ => same_json(&x.node().to_json(), &y.node().to_json()),
    }
}

/// What each file is written in.
pub(super) fn drafts(documents: &Documents) -> Vec<Draft> {
    (0..documents.count()).map(|file| Draft::of(documents.whole(file).node)).collect()
}
