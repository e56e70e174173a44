//! Notes that are keywords again.

use wirewise_core::Notes;

use super::super::keywords::{self, About, Form, OWNER, find};
use super::super::tree::Tree;
use super::Members;

/// Where keywords are to stand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// What the values there are.
    pub(super) about: About,
    /// Whether keywords stand there that say nothing about values.
    pub(super) annotations: bool,
    /// Keywords that would be taken for something else there.
    pub(super) except: &'static [&'static str],
}

impl Place {
    /// A property, a symbol or a branch: only what says nothing about values.
    pub(super) const MEMBER: Place = Place { about: About::Nothing, annotations: true, except: &["description"] };

    fn takes(self, name: &str, about: About) -> bool {
        let fits = match about {
            About::Nothing => self.annotations,
            About::All => self.about != About::Nothing,
            about => about == self.about,
        };
        fits && !self.except.contains(&name)
    }
}

/// Adds the keywords that notes keep, and returns the notes that they do not say. `kept` names those that only constrain,
/// though they look like what a type is made of.
pub(super) fn keywords(
    notes: &Notes,
    place: Place,
    is_defined: &dyn Fn(&str) -> bool,
    members: &mut Members,
) -> (Notes, Vec<&'static str>) {
    let mut rest = Notes::default();
    let mut kept = Vec::new();
    for (key, text) in notes.iter() {
        let known = key.strip_prefix(OWNER).and_then(|name| Some((name, keywords::find(name)?)));
        let written = known
            .filter(|(name, (about, _))| {
                // One that is there already says what the type is.
                place.takes(name, *about) && !members.iter().any(|(member, _)| member == name)
            })
            .and_then(|(name, (_, form))| Some((name, keywords::value(text, form)?)))
            .filter(|(_, value)| references(value, is_defined));
        match written {
            Some((name, value)) => {
                kept.extend(["allOf", "anyOf", "oneOf"].into_iter().find(|combinator| *combinator == name));
                members.push((name.to_owned(), value));
            }
            None => rest.set(key, text),
        }
    }
    (rest, kept)
}

/// Whether all definitions are there that a value refers to: a part of a schema may have been left out.
fn references(tree: &Tree, is_defined: &dyn Fn(&str) -> bool) -> bool {
    match tree {
        Tree::Object(members) => members.iter().all(|(name, value)| match value {
            Tree::Text(text) if name == "$ref" => text.strip_prefix("#/$defs/").is_none_or(is_defined),
            value => references(value, is_defined),
        }),
        Tree::Array(items) => items.iter().all(|item| references(item, is_defined)),
        _ => true,
    }
}

/// Refers to definitions where they are in this draft, in the value of a keyword: notes always say `#/$defs/`. What is no
/// schema is data, whatever it looks like.
pub(super) fn move_references(keyword: &str, value: &mut Tree, defs_at: &str) {
    let data = |name: &str| matches!(find(name), Some((_, Form::Data | Form::Values)));
    if !data(keyword) {
        move_within(value, defs_at);
    }
}

fn move_within(schema: &mut Tree, defs_at: &str) {
    match schema {
        Tree::Object(members) => {
            for (name, value) in members {
                match value {
                    Tree::Text(text) if name == "$ref" => {
                        if let Some(rest) = text.strip_prefix("#/$defs/") {
                            *text = format!("#/{defs_at}/{rest}");
                        }
                    }
                    _ if matches!(name.as_str(), "enum" | "const" | "default" | "examples") => {}
                    value => move_within(value, defs_at),
                }
            }
        }
        Tree::Array(items) => items.iter_mut().for_each(|item| move_within(item, defs_at)),
        _ => {}
    }
}
