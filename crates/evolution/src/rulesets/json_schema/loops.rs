//! Schemas that lead back to themselves for the very same value: no validator comes to an end with them.

use std::collections::{HashMap, HashSet};

use wirewise_core::json::{Node, Value};
use wirewise_idl::json_schema::{At, Documents, Key, Locators};
use wirewise_idl::{Error, Result};

use super::keywords::{self, Form};

/// Keywords with schemas for the same value.
const SAME_VALUE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// Schemas that lie so deep in each other, by reference and otherwise, are not compared.
const DEEPEST: usize = 500;

/// References that lead to each other one after the other: validators take the square of it.
const LONGEST: usize = 1500;

/// # Errors
/// When a schema leads back to itself, or schemas refer to each other in a chain that is too long to follow.
pub(super) fn refuse(documents: &Documents) -> Result<()> {
    let locators = Locators::new(documents);
    let mut heights: HashMap<Key, Option<usize>> = HashMap::new();
    let mut todo: Vec<(At<'_>, Form)> =
        (0..documents.count()).map(|file| (documents.whole(file), Form::Schema)).collect();
    let mut all = Vec::new();
    while let Some((at, form)) = todo.pop() {
        if form == Form::Schema && at.node.as_object().is_some() {
            all.push(at);
        }
        todo.extend(inside(at, form));
    }
    for first in all {
        height(documents, &locators, first, &mut heights)?;
    }
    chains(documents, &locators)
}

/// Follows every reference once, and counts those on the way.
fn chains<'a>(documents: &'a Documents, locators: &Locators<'a>) -> Result<()> {
    let mut seen = HashSet::new();
    let mut todo = vec![(documents.root(), Form::Schema, 0)];
    while let Some((at, form, long)) = todo.pop() {
        if long > LONGEST {
            let what = format!("this schema is reached through more than {LONGEST} references");
            return Err(Error::at(locators.place(at), what));
        }
        let Some(object) = at.node.as_object().filter(|_| form == Form::Schema) else {
            todo.extend(inside(at, form).into_iter().map(|(at, form)| (at, form, long)));
            continue;
        };
        if seen.insert(at.key()) {
            todo.extend(inside(at, form).into_iter().map(|(at, form)| (at, form, long)));
            if keywords::reference(object).is_some() {
                todo.push((documents.target(at, locators)?, Form::Schema, long + 1));
            }
        }
    }
    Ok(())
}

/// What lies directly in a schema, or in an object of schemas, and is not data.
fn inside(at: At<'_>, form: Form) -> Vec<(At<'_>, Form)> {
    match &at.node.value {
        Value::Array(items) => items.iter().map(|item| (at.to(item), Form::Schema)).collect(),
        Value::Object(object) => {
            let data = ["enum", "const", "default", "examples", "example"];
            let members = object.members().iter();
            let kept = members.filter(|member| form == Form::ByName || !data.contains(&member.name.as_str()));
            let form_of = |name: &str| match form {
                Form::Schema if keywords::form(name) == Form::ByName => Form::ByName,
                _ => Form::Schema,
            };
            kept.map(|member| (at.to(&member.value), form_of(&member.name))).collect()
        }
        _ => Vec::new(),
    }
}

/// Notes how far each schema leads, without recursion.
fn height<'a>(
    documents: &'a Documents,
    locators: &Locators<'a>,
    first: At<'a>,
    heights: &mut HashMap<Key, Option<usize>>,
) -> Result<()> {
    let mut path = vec![(first, false)];
    while let Some((at, seen)) = path.pop() {
        let next = next(documents, locators, at)?;
        if seen {
            let height =
                next.iter().filter_map(|next| heights.get(&next.key()).copied().flatten()).max().unwrap_or(0) + 1;
            if height > DEEPEST {
                let what = format!("this schema leads through more than {DEEPEST} others for one value");
                return Err(Error::at(locators.place(at), what));
            }
            heights.insert(at.key(), Some(height));
            continue;
        }
        match heights.get(&at.key()) {
            Some(Some(_)) => continue,
            Some(None) => {
                return Err(Error::at(locators.place(at), "this schema leads back to itself for the same value"));
            }
            None => {}
        }
        heights.insert(at.key(), None);
        path.push((at, true));
        for next in next {
            match heights.get(&next.key()) {
                Some(Some(_)) => {}
                Some(None) => {
                    return Err(Error::at(locators.place(next), "this schema leads back to itself for the same value"));
                }
                _ => path.push((next, false)),
            }
        }
    }
    Ok(())
}

/// The schemas that look at the same value.
fn next<'a>(documents: &'a Documents, locators: &Locators<'a>, at: At<'a>) -> Result<Vec<At<'a>>> {
    let Some(object) = at.node.as_object() else { return Ok(Vec::new()) };
    let mut next = Vec::new();
    if keywords::reference(object).is_some() {
        next.push(documents.target(at, locators)?);
    }
    for keyword in SAME_VALUE {
        let Some(node) = object.get(keyword) else { continue };
        match node.as_array() {
            Some(items) => next.extend(items.iter().map(|item| at.to(item))),
            None => next.push(at.to(node)),
        }
    }
    for keyword in ["dependentSchemas", "dependencies"] {
        let members = object.get(keyword).and_then(Node::as_object).map(|members| members.members());
        next.extend(members.unwrap_or_default().iter().map(|member| at.to(&member.value)));
    }
    Ok(next)
}
