//! Reading: files are loaded, every definition is read into a slot, and at the end the slots become a schema.

mod alternatives;
pub(super) mod documents;
mod enums;
mod extension;
mod finish;
mod kept;
mod kinds;
mod objects;
mod scalars;
mod slots;
mod types;
mod unions;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::json::{Node, Object};
use crate::names::{Case, identifier};
use crate::{Error, Files, Module, Result, Source};
use alternatives::Alternative;
use documents::{At, Documents, Key, Locators};
use kinds::Kinds;
use slots::{Slot, Slots};
use wirewise_core::schema::MOST_NESTING;

pub(super) fn read(source: &Source, files: &dyn Files) -> Result<Module> {
    let documents = Documents::load(source, files)?;
    let mut module = {
        let locators = Locators::new(&documents);
        Reader::new(&documents, &locators)?.module()?
    };
    module.documents = Some(Arc::new(documents));
    Ok(module)
}

struct Reader<'a> {
    documents: &'a Documents,
    locators: &'a Locators<'a>,
    slots: Slots<'a>,
    /// The slots of schemas that have been read, or will be.
    known: HashMap<Key, usize>,
    /// Schemas that were referred to and wait for being read, and what they are to be called.
    waiting: VecDeque<(At<'a>, usize, String)>,
    /// Names of definitions, by slot.
    definitions: BTreeMap<usize, String>,
    /// Those that are the name of a type.
    used: HashSet<usize>,
    /// Slots of the definitions of the main file by name, for type expressions.
    by_name: HashMap<&'a str, usize>,
    /// Names of definitions that type expressions have.
    mentioned: HashSet<String>,
    names: HashSet<String>,
    /// The number to try next for a name that is taken.
    counts: HashMap<String, usize>,
    drafts_07: Vec<bool>,
    notices: RefCell<Vec<String>>,
    known_alternatives: RefCell<HashMap<Key, Rc<Vec<Alternative<'a>>>>>,
    known_kinds: RefCell<HashMap<Key, Kinds>>,
}

/// Members that have definitions, from the root of a file.
const DEFINITIONS: [&[&str]; 3] = [&["$defs"], &["definitions"], &["components", "schemas"]];

impl<'a> Reader<'a> {
    fn new(documents: &'a Documents, locators: &'a Locators<'a>) -> Result<Reader<'a>> {
        let mut drafts_07 = Vec::new();
        for file in 0..documents.count() {
            let root = documents.whole(file);
            drafts_07.push(match root.get("$schema") {
                Some(at) => is_draft_07(at.node.as_str()).map_err(|what| Error::at(locators.place(at), what))?,
                None => false,
            });
        }
        Ok(Reader {
            documents,
            locators,
            slots: Slots::default(),
            known: HashMap::new(),
            waiting: VecDeque::new(),
            definitions: BTreeMap::new(),
            used: HashSet::new(),
            by_name: HashMap::new(),
            mentioned: HashSet::new(),
            names: HashSet::new(),
            counts: HashMap::new(),
            drafts_07,
            notices: RefCell::default(),
            known_alternatives: RefCell::default(),
            known_kinds: RefCell::default(),
        })
    }

    fn is_draft_07(&self, file: usize) -> bool {
        self.drafts_07[file]
    }

    fn notice(&self, at: At<'_>, what: impl std::fmt::Display) {
        self.notices.borrow_mut().push(format!("{}: {what}", self.locators.place(at)));
    }

    fn wrong(&self, at: At<'_>, what: impl Into<String>) -> Error {
        Error::at(self.locators.place(at), what)
    }

    fn module(mut self) -> Result<Module> {
        let root = self.documents.root();
        self.extension(root)?;
        let says = match self.object(root)? {
            Some(object) => {
                let defines = DEFINITIONS.iter().any(|path| object.get(path[0]).is_some());
                !defines || self.has_type(root) || object.members().iter().any(|member| is_of_a_type(&member.name))
            }
            None => true,
        };
        // The root comes first among the types, unless it only refers to one of the definitions.
        let mut found = None;
        if says && self.pure_reference(root)?.is_none() {
            let slot = self.slots.declare();
            self.known.insert(root.key(), slot);
            found = Some(slot);
        }
        for path in DEFINITIONS {
            let mut at = Some(root);
            for name in path {
                at = at.and_then(|at| at.get(name));
            }
            let Some(at) = at else { continue };
            let Some(object) = at.node.as_object() else {
                return Err(self.wrong(at, format!("found {}, expected an object of schemas", at.node.kind())));
            };
            for member in object.members() {
                let definition = at.to(&member.value);
                if self.known.contains_key(&definition.key()) {
                    continue;
                }
                let slot = self.slots.declare();
                self.known.insert(definition.key(), slot);
                let name = self.type_name(definition, &member.name);
                self.definitions.insert(slot, name.clone());
                self.by_name.entry(&member.name).or_insert(slot);
                self.waiting.push_back((definition, slot, name));
            }
        }
        let mut root_slot = None;
        if says {
            let name = self.root_name(root);
            root_slot = Some(match found {
                Some(slot) => {
                    self.fill(root, slot, &name)?;
                    slot
                }
                None => self.node(root, &name, true, 0)?,
            });
        }
        while let Some((at, slot, name)) = self.waiting.pop_front() {
            self.fill(at, slot, &name)?;
        }
        self.finish(root_slot)
    }

    /// Reads a schema into the slot that was promised for it.
    fn fill(&mut self, at: At<'a>, slot: usize, name: &str) -> Result<()> {
        self.build(&[at], slot, name, true, 0)
    }

    /// The slot of a schema that is referred to; it is read later, so that nothing nests without end.
    fn reference(&mut self, target: At<'a>) -> Result<usize> {
        if let Some(&slot) = self.known.get(&target.key()) {
            return Ok(slot);
        }
        self.object(target)?;
        let slot = self.slots.declare();
        self.known.insert(target.key(), slot);
        let wanted = match self.definition_name(target) {
            Some(name) => name,
            None => self.root_name(target),
        };
        let name = self.type_name(target, &wanted);
        self.definitions.insert(slot, name.clone());
        self.waiting.push_back((target, slot, name));
        Ok(slot)
    }

    /// The name under which a schema of any file is defined, or the last part of the way to it.
    fn definition_name(&self, target: At<'a>) -> Option<String> {
        let mut at = self.documents.whole(target.file);
        let mut name: Option<(&str, bool)> = None;
        // Down to it, by offset.
        while at.key() != target.key() {
            let (next, last) = match &at.node.value {
                crate::json::Value::Object(object) => {
                    let members = object.members();
                    let end = members.partition_point(|member| member.value.at <= target.node.at);
                    let member = members[..end].last()?;
                    (&member.value, Some(member.name.as_str()))
                }
                crate::json::Value::Array(items) => {
                    let end = items.partition_point(|item| item.at <= target.node.at);
                    (items[..end].last()?, None)
                }
                _ => return None,
            };
            at = at.to(next);
            let defined = matches!(name, Some(("$defs" | "definitions" | "schemas", _)));
            name = last.map(|last| (last, defined)).or(name);
        }
        let (name, defined) = name?;
        Some(if defined { name.to_owned() } else { identifier(name, Case::Pascal) })
    }

    /// A free name for what is called `wanted`.
    fn type_name(&mut self, at: At<'a>, wanted: &str) -> String {
        let wanted = if wanted.is_empty() { "Empty" } else { wanted };
        let mut name = wanted.to_owned();
        if wirewise_core::schema::is_built_in(wanted) {
            // Type expressions would mean the built-in type.
            name = format!("{wanted}Type");
            self.notice(at, format!("{wanted:?} is the name of a built-in type: the type is called {name}"));
        }
        self.free_name(&name)
    }

    fn free_name(&mut self, wanted: &str) -> String {
        if self.names.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        loop {
            let count = self.counts.entry(wanted.to_owned()).or_insert(1);
            *count += 1;
            let name = format!("{wanted}{count}");
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    /// What the root of a file is called: as its title says, or the file.
    fn root_name(&self, at: At<'a>) -> String {
        let title = at.get("title").and_then(|title| title.node.as_str()).filter(|title| title.len() <= 60);
        let file = &self.documents.file(at.file).source.name;
        let stem = file.rsplit(['/', '\\']).next().unwrap_or_default().split('.').next().unwrap_or_default();
        let names = [title.unwrap_or_default(), stem].map(|name| identifier(name, Case::Pascal));
        names.into_iter().find(|name| name.bytes().any(|byte| byte != b'_')).unwrap_or_else(|| "Root".to_owned())
    }

    /// The slot of a schema where it stands. `bare`: it is no property, so that what it says to people is about the type.
    fn node(&mut self, at: At<'a>, name: &str, bare: bool, depth: usize) -> Result<usize> {
        if let Some(target) = self.pure_reference(at)?.filter(|_| !self.has_type(at)) {
            if self.is_draft_07(at.file) {
                self.note_ignored(at)?;
            }
            return self.reference(target);
        }
        if let Some(&slot) = self.known.get(&at.key()) {
            return Ok(slot);
        }
        let slot = self.slots.declare();
        self.known.insert(at.key(), slot);
        self.build(&[at], slot, name, bare, depth)?;
        Ok(slot)
    }

    fn note_ignored(&self, at: At<'a>) -> Result<()> {
        let ignored = |object: &'a Object| object.members().iter().find(|member| alternatives::asserts(&member.name));
        if let Some(member) = self.object(at)?.and_then(ignored) {
            self.notice(at.to(&member.value), format!("{:?} beside \"$ref\" means nothing in draft-07", member.name));
        }
        Ok(())
    }

    /// The slot of what satisfies all of these schemas.
    fn all_of(&mut self, nodes: &[At<'a>], name: &str, bare: bool, depth: usize) -> Result<usize> {
        match nodes {
            [] => Ok(self.slots.add(wirewise_core::Kind::Any)),
            [one] => self.node(*one, name, bare, depth),
            _ => {
                let slot = self.slots.declare();
                self.build(nodes, slot, name, bare, depth)?;
                Ok(slot)
            }
        }
    }

    /// Makes the type of what satisfies all of these schemas.
    fn build(&mut self, nodes: &[At<'a>], slot: usize, name: &str, bare: bool, depth: usize) -> Result<()> {
        let at = nodes[0];
        if depth > MOST_NESTING {
            return Err(self.wrong(at, format!("types nest deeper than {MOST_NESTING}")));
        }
        let place = Where { at, slot, named_by: slot, name, bare, depth };
        if let [_] = nodes {
            if let Some(same) = self.expressed(at)? {
                self.slots.define(slot, Slot::Same(same));
                return Ok(());
            }
            if self.marked_union(place)? {
                return Ok(());
            }
        }
        let alternatives = self.alternatives_of_all(nodes, 0)?;
        self.resolve(alternatives, place)
    }

    /// The name of a type that is made: that of its definition, or one like it.
    fn name_of(&mut self, place: Where<'a, '_>) -> String {
        match self.definitions.get(&place.named_by) {
            Some(name) if self.used.insert(place.named_by) => name.clone(),
            _ => self.free_name(place.name),
        }
    }
}

/// Where a type is made.
#[derive(Clone, Copy)]
struct Where<'a, 'n> {
    /// The schema, or the first of several.
    at: At<'a>,
    /// Where the type goes.
    slot: usize,
    /// The slot whose definition gives it its name.
    named_by: usize,
    /// What it is called otherwise, unless that is taken.
    name: &'n str,
    /// Whether what the schema says to people is about the type: otherwise it is about the field.
    bare: bool,
    depth: usize,
}

/// Whether a schema is of draft-07 (or draft-06, which is a part of it).
fn is_draft_07(schema: Option<&str>) -> std::result::Result<bool, String> {
    let schema = schema.ok_or("\"$schema\" must be a string")?;
    if ["draft-03", "draft-04"].iter().any(|old| schema.contains(old)) {
        return Err(format!("{schema:?} is too old: draft-07 and 2020-12 can be read"));
    }
    Ok(schema.contains("draft-07") || schema.contains("draft-06"))
}

/// Whether a keyword at the root of a file says what messages are.
fn is_of_a_type(name: &str) -> bool {
    alternatives::asserts(name) || matches!(name, "$ref" | "$dynamicRef")
}

/// The schemas of an object of schemas.
fn members<'a>(at: At<'a>, name: &str) -> impl Iterator<Item = (&'a crate::json::Member, At<'a>)> {
    let object = at.node.get(name).and_then(Node::as_object);
    object.map(Object::members).unwrap_or_default().iter().map(move |member| (member, at.to(&member.value)))
}
