//! Notes that are keywords again.

use wirewise_core::Notes;

use super::super::keywords::{self, About, Form, OWNER};
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
            .and_then(|(name, (_, form))| Some((name, keywords::value(text, form)?, form)))
            .filter(|(_, value, form)| references(value, *form, is_defined));
        match written {
            Some((name, value, _)) => {
                kept.extend(["allOf", "anyOf", "oneOf"].into_iter().find(|combinator| *combinator == name));
                members.push((name.to_owned(), value));
            }
            None => rest.set(key, text),
        }
    }
    (rest, kept)
}

/// Whether all definitions are there that a value of this form refers to: a part of a schema may have been left out.
fn references(tree: &Tree, form: Form, is_defined: &dyn Fn(&str) -> bool) -> bool {
    match tree {
        _ if !form.has_schemas() => true,
        Tree::Object(members) => members.iter().all(|(name, value)| match value {
            Tree::Text(text) if is_reference(form, name) => text.strip_prefix("#/$defs/").is_none_or(is_defined),
            value => references(value, form.of_part(Some(name)), is_defined),
        }),
        Tree::Array(items) => items.iter().all(|item| references(item, form.of_part(None), is_defined)),
        _ => true,
    }
}

/// Refers to definitions where they are in this draft, in a value of this form: notes always say `#/$defs/`.
pub(super) fn move_references(value: &mut Tree, form: Form, defs_at: &str) {
    match value {
        _ if !form.has_schemas() => {}
        Tree::Object(members) => {
            for (name, value) in members {
                match value {
                    Tree::Text(text) if is_reference(form, name) => {
                        if let Some(rest) = text.strip_prefix("#/$defs/") {
                            *text = format!("#/{defs_at}/{rest}");
                        }
                    }
                    value => move_references(value, form.of_part(Some(name)), defs_at),
                }
            }
        }
        Tree::Array(items) => items.iter_mut().for_each(|item| move_references(item, form.of_part(None), defs_at)),
        _ => {}
    }
}

/// Whether a text with this name leads to a schema, in a value of this form.
fn is_reference(form: Form, name: &str) -> bool {
    matches!(form, Form::Schema | Form::Items) && name == "$ref"
}
