//! Keywords that the model has no place for.

use super::super::keywords::{self, About, Form, expected};
use super::super::tree::Tree;
use super::super::write::pointer_part;
use super::Reader;
use super::alternatives::{Alternative, Role};
use super::documents::At;
use super::kinds::{Kinds, described};
use super::slots::{Kept, Keywords};
use super::types::Shared;
use crate::Result;
use crate::json::{Member, Node, Value};

impl<'a> Reader<'a> {
    /// What schemas that must all hold say about values of `class` and about all values; what `shared` has taken is left
    /// out.
    pub(super) fn said_by(&self, layers: &[At<'a>], class: Kinds, shared: &Shared<'a>) -> Result<Keywords<'a>> {
        let mut all = Keywords::default();
        for (i, &layer) in layers.iter().enumerate() {
            let taken = shared.taken && shared.layers.iter().any(|at| at.key() == layer.key());
            let mut said = Keywords::default();
            let Some(object) = self.object(layer)? else { continue };
            for member in object.members() {
                let Some((about, form)) = keywords::find(&member.name) else { continue };
                let about = if member.name == "format" && is_of_numbers(layer.node) { About::Number } else { about };
                let wanted = match about {
                    About::Nothing => false,
                    About::All => !taken,
                    about => class == kinds_of(about),
                };
                if !wanted {
                    continue;
                }
                if matches!(member.name.as_str(), "allOf" | "anyOf" | "oneOf")
                    && self.role(layer, &member.name)? != Role::Constraint
                {
                    continue;
                }
                let at = layer.to(&member.value);
                self.check_form(at, &member.name, form)?;
                said.set(&member.name, at, form);
            }
            if i == 0 { all = said } else { all.and(said) }
        }
        Ok(all)
    }

    /// The same for the only alternative; of several, what they share, and the text of all.
    pub(super) fn said_about(
        &self,
        alternatives: &[Alternative<'a>],
        class: Kinds,
        shared: &Shared<'a>,
        at: At<'a>,
    ) -> Result<Keywords<'a>> {
        if let [one] = alternatives {
            return self.said_by(&one.layers, class, shared);
        }
        let mut said = self.said_by(&shared.layers, class, shared)?;
        said.extend(self.kept_alternatives(at)?);
        Ok(said)
    }

    /// The alternatives of a schema as a constraint: the type that was made of them allows more.
    pub(super) fn kept_alternatives(&self, at: At<'a>) -> Result<Keywords<'a>> {
        let mut kept = Keywords::default();
        let Some(object) = self.object(at)? else { return Ok(kept) };
        let is = |name: &str| {
            Ok::<_, crate::Error>(object.get(name).is_some() && self.role(at, name)? == Role::Alternatives)
        };
        let split = is("anyOf")? || is("oneOf")?;
        let names: &[&str] = if split { &["anyOf", "oneOf"] } else { &["allOf"] };
        for name in names {
            if let (Some(node), true) = (object.get(name), is(name)?) {
                kept.set(name, at.to(node), Form::Schemas);
            }
        }
        Ok(kept)
    }

    /// What a schema says to people and tools.
    pub(super) fn annotations(&self, at: At<'a>, except: &[&str]) -> Result<Keywords<'a>> {
        let mut said = Keywords::default();
        let Some(object) = self.object(at)? else { return Ok(said) };
        for member in object.members() {
            let found = keywords::find(&member.name).filter(|(about, _)| *about == About::Nothing);
            let is_root_id = at.key() == self.documents.root().key();
            if member.name == "$id" && !is_root_id {
                said.set("$id", at.to(&member.value), Form::Data);
            }
            let Some((_, form)) = found.filter(|_| !except.contains(&member.name.as_str())) else { continue };
            let value = at.to(&member.value);
            self.check_form(value, &member.name, form)?;
            said.set(&member.name, value, form);
        }
        Ok(said)
    }

    /// Documentation.
    pub(super) fn description(&self, at: At<'a>) -> Result<Option<String>> {
        let Some(text) = at.get("description") else { return Ok(None) };
        self.check_form(text, "description", Form::Text)?;
        Ok(text.node.as_str().map(str::to_owned))
    }

    fn check_form(&self, at: At<'a>, name: &str, form: Form) -> Result<()> {
        let node = at.node;
        let fits = match form {
            Form::Text => node.as_str().is_some(),
            Form::Number => node.as_number().is_some(),
            Form::Count => node.as_number().is_some_and(|n| n.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0)),
            Form::Flag => node.as_bool().is_some(),
            Form::Values | Form::Schemas => node.as_array().is_some(),
            Form::Schema => node.as_object().is_some() || node.as_bool().is_some(),
            Form::Items => node.as_object().is_some() || node.as_bool().is_some() || node.as_array().is_some(),
            Form::SchemaMap => node.as_object().is_some(),
            Form::Data => true,
        };
        // Draft-04 had flags here, and many files still do.
        if fits {
            return Ok(());
        }
        Err(self.wrong(at, format!("found {}, expected {}: the value of {name:?}", described(node), expected(form))))
    }

    /// The text that a note keeps of a keyword's value.
    pub(super) fn kept_text(&self, kept: &Kept<'a>) -> Result<String> {
        Ok(match kept {
            Kept::At(at, form) => {
                let mut left = MOST_KEPT;
                keywords::note(&self.with_references(*at, *form, true, 0, &mut left)?, *form)
            }
            Kept::All(all) => {
                let mut list = Vec::new();
                for keywords in all {
                    let mut members = Vec::new();
                    for (name, kept) in keywords.names() {
                        let text = self.kept_text(kept)?;
                        let form = keywords::find(name).map_or(Form::Data, |(_, form)| form);
                        let value = if form == Form::Text { Some(Tree::text(text)) } else { Tree::parse(&text) };
                        members.extend(value.map(|value| (name.to_owned(), value)));
                    }
                    list.push(Tree::Object(members));
                }
                Tree::Array(list).compact()
            }
        })
    }

    fn text(&self, at: At<'_>) -> &'a str {
        &self.documents.file(at.file).text
    }

    /// A value of this form; the references of schemas in it lead to where the types will be defined.
    fn with_references(&self, at: At<'a>, form: Form, top: bool, depth: usize, left: &mut usize) -> Result<Tree> {
        if !form.has_schemas() {
            return Ok(Tree::of(at.node, self.text(at)));
        }
        if *left == 0 || depth > MOST_DEEP {
            if *left > 0 {
                self.notice(at, "a constraint that leads back to itself is kept only in part");
            }
            *left = 0;
            return Ok(Tree::word(true));
        }
        *left -= 1;
        let object = match &at.node.value {
            Value::Object(object) => object,
            Value::Array(items) => {
                let form = form.of_part(None);
                let items = items.iter().map(|item| self.with_references(at.to(item), form, false, depth + 1, left));
                return Ok(Tree::Array(items.collect::<Result<_>>()?));
            }
            _ => return Ok(Tree::of(at.node, self.text(at))),
        };
        if form == Form::SchemaMap {
            let mut members = Vec::new();
            for Member { name, value, .. } in object.members() {
                let value = self.with_references(at.to(value), form.of_part(Some(name)), false, depth + 1, left)?;
                members.push((name.clone(), value));
            }
            return Ok(Tree::Object(members));
        }
        if let (Some(name), false) = (self.name_at(at), top) {
            return Ok(reference_to(name));
        }
        let mut members = Vec::new();
        for Member { name, value, .. } in object.members() {
            let inner = at.to(value);
            match name.as_str() {
                "$ref" | "$dynamicRef" if value.as_str().is_some() => {
                    let target = self.documents.target(at, self.locators)?;
                    let tree = match self.name_at(target) {
                        Some(name) => reference_to(name),
                        None => self.with_references(target, Form::Schema, true, depth + 1, left)?,
                    };
                    match tree {
                        Tree::Object(list) if members.is_empty() && object.members().len() == 1 => members = list,
                        Tree::Object(list) if list.len() == 1 && list[0].0 == "$ref" => members.extend(list),
                        tree => members.push(("allOf".to_owned(), Tree::Array(vec![tree]))),
                    }
                }
                // Definitions are elsewhere, and identifiers must not come twice.
                "$id" | "$schema" | "$anchor" | "$dynamicAnchor" | "$defs" | "definitions" => {}
                _ => {
                    let value = self.with_references(inner, form.of_part(Some(name)), false, depth + 1, left)?;
                    members.push((name.clone(), value));
                }
            }
        }
        Ok(Tree::Object(members))
    }

    /// The name of the type that was made of a schema, when it has one.
    fn name_at(&self, at: At<'a>) -> Option<&str> {
        self.slots.name(*self.known.get(&at.key())?)
    }
}

/// Values that a kept constraint may have.
const MOST_KEPT: usize = 20_000;

/// How deep it may nest, its references followed.
const MOST_DEEP: usize = 200;

fn reference_to(name: &str) -> Tree {
    Tree::object([("$ref", Tree::text(format!("#/$defs/{}", pointer_part(name))))])
}

fn kinds_of(about: About) -> Kinds {
    match about {
        About::Number => Kinds::NUMBER,
        About::String => Kinds::STRING,
        About::Array => Kinds::ARRAY,
        About::Object => Kinds::OBJECT,
        About::All | About::Nothing => Kinds::NONE,
    }
}

/// Whether the format of a schema is one of numbers.
fn is_of_numbers(node: &Node) -> bool {
    let known = ["float", "double", "decimal"];
    let format = node.get("format").and_then(Node::as_str).unwrap_or_default();
    let of_numbers = known.contains(&format) || super::super::write::WIDTHS.iter().any(|(name, _)| *name == format);
    let is = |name: &str| match node.get("type").map(|ty| &ty.value) {
        Some(Value::String(text)) => text == name,
        Some(Value::Array(list)) => list.iter().any(|item| item.as_str() == Some(name)),
        _ => false,
    };
    !is("string") && (is("integer") || is("number") || of_numbers) || of_numbers && (is("integer") || is("number"))
}
