//! Schemas that lead back to themselves for the very same value: no validator comes to an end with them.

use std::collections::HashMap;

use wirewise_core::json::{Node, Value};
use wirewise_idl::json_schema::{At, Documents, Key, Locators};
use wirewise_idl::{Error, Result};

use super::keywords;

/// Keywords with schemas for the same value.
const SAME_VALUE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// Schemas that lie so deep in each other, by reference and otherwise, are not compared.
const DEEPEST: usize = 500;

/// # Errors
/// When a schema leads back to itself, or schemas refer to each other in a chain that is too long to follow.
pub(super) fn refuse(documents: &Documents) -> Result<()> {
    let locators = Locators::new(documents);
    let mut heights: HashMap<Key, Option<usize>> = HashMap::new();
    let mut todo: Vec<At<'_>> = (0..documents.count()).map(|file| documents.whole(file)).collect();
    let mut all = Vec::new();
    while let Some(at) = todo.pop() {
        match &at.node.value {
            Value::Array(items) => todo.extend(items.iter().map(|item| at.to(item))),
            Value::Object(object) => {
                all.push(at);
                let data = ["enum", "const", "default", "examples", "example"];
                let kept = object.members().iter().filter(|member| !data.contains(&member.name.as_str()));
                todo.extend(kept.map(|member| at.to(&member.value)));
            }
            _ => {}
        }
    }
    for first in all {
        height(documents, &locators, first, &mut heights)?;
    }
    Ok(())
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
