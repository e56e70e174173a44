//! Which type a name means, by the rules of flatc.
//!
//! Enums and unions must be declared before they are used. A table may be used before: until then it is known by the
//! name that was written, and the next declaration of that name, in whatever namespace, is taken for it.

use std::collections::HashMap;

use super::ir::{Definition, Enum, Object, Schema};
use crate::{Error, Place, Result};

/// Types declared so far, and those only used so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    objects: HashMap<String, usize>,
    enums: HashMap<String, usize>,
    /// By index of the object: whether it is declared.
    declared: Vec<bool>,
}

/// What a name means.
pub(super) enum Found {
    Enum(usize),
    Object(usize),
}

/// A name in a namespace, or in the first `parts` of its parts.
fn qualified(namespace: &[String], parts: usize, name: &str) -> String {
    let mut full = String::new();
    for part in &namespace[..parts] {
        full.push_str(part);
        full.push('.');
    }
    full + name
}

impl Names {
    /// The type that `name` means in a namespace; an object that is yet to be declared where there is none.
    pub(super) fn find(&mut self, schema: &mut Schema, namespace: &[String], name: &str, place: &Place) -> Found {
        for parts in (0..=namespace.len()).rev() {
            if let Some(&index) = self.enums.get(&qualified(namespace, parts, name)) {
                return Found::Enum(index);
            }
        }
        Found::Object(self.object(schema, namespace, name, place))
    }

    /// The object that `name` means in a namespace.
    pub(super) fn object(&mut self, schema: &mut Schema, namespace: &[String], name: &str, place: &Place) -> usize {
        let full = qualified(namespace, namespace.len(), name);
        for pending in [name, &full] {
            if let Some(&index) = self.objects.get(pending)
                && !self.declared[index]
            {
                return index;
            }
        }
        for parts in (0..=namespace.len()).rev() {
            if let Some(&index) = self.objects.get(&qualified(namespace, parts, name)) {
                return index;
            }
        }
        self.add(schema, name, place, false)
    }

    /// An enum or object with this name, declared or not, for messages and for roots.
    pub(super) fn declared_object(&self, namespace: &[String], name: &str) -> Option<usize> {
        let full = qualified(namespace, namespace.len(), name);
        let found = self.objects.get(name).or_else(|| self.objects.get(&full)).copied();
        found.filter(|&index| self.declared[index])
    }

    /// An enum of this name in a namespace or around it.
    pub(super) fn find_enum(&self, namespace: &[String], name: &str) -> Option<usize> {
        (0..=namespace.len()).rev().find_map(|parts| self.enums.get(&qualified(namespace, parts, name))).copied()
    }

    /// Whether an object of exactly this name is known.
    pub(super) fn has_object(&self, name: &str) -> bool {
        self.objects.contains_key(name)
    }

    fn add(&mut self, schema: &mut Schema, name: &str, place: &Place, declared: bool) -> usize {
        schema.objects.push(Object {
            name: name.to_owned(),
            doc: Vec::new(),
            is_struct: false,
            attributes: Default::default(),
            fields: Vec::new(),
            explicit_ids: false,
            place: place.clone(),
        });
        self.declared.push(declared);
        self.objects.insert(name.to_owned(), schema.objects.len() - 1);
        schema.objects.len() - 1
    }

    /// The place of a table or struct that is declared now.
    pub(super) fn declare_object(
        &mut self,
        schema: &mut Schema,
        namespace: &[String],
        name: &str,
        place: &Place,
    ) -> Result<usize> {
        let full = qualified(namespace, namespace.len(), name);
        let pending = [name, &full].into_iter().find_map(|known| {
            let index = *self.objects.get(known)?;
            (!self.declared[index]).then(|| (known.to_owned(), index))
        });
        let taken = self.objects.get(&full).copied().filter(|&index| self.declared[index]);
        if let Some(index) = taken {
            return Err(twice(&full, place, &schema.objects[index].place));
        }
        if let Some(&index) = self.enums.get(&full) {
            return Err(twice(&full, place, &schema.enums[index].place));
        }
        let index = match pending {
            Some((known, index)) => {
                self.objects.remove(&known);
                self.objects.insert(full.clone(), index);
                self.declared[index] = true;
                index
            }
            None => self.add(schema, &full, place, true),
        };
        schema.objects[index].name = full;
        schema.objects[index].place = place.clone();
        schema.order.push(Definition::Object(index));
        Ok(index)
    }

    /// The place of an enum or union that is declared now.
    pub(super) fn declare_enum(&mut self, schema: &mut Schema, namespace: &[String], mut new: Enum) -> Result<usize> {
        let full = qualified(namespace, namespace.len(), &new.name);
        let first = match (self.enums.get(&full), self.objects.get(&full)) {
            (Some(&index), _) => Some(&schema.enums[index].place),
            (_, Some(&index)) if self.declared[index] => Some(&schema.objects[index].place),
            _ => None,
        };
        if let Some(first) = first {
            return Err(twice(&full, &new.place, first));
        }
        new.name.clone_from(&full);
        schema.enums.push(new);
        self.enums.insert(full, schema.enums.len() - 1);
        schema.order.push(Definition::Enum(schema.enums.len() - 1));
        Ok(schema.enums.len() - 1)
    }

    /// Checks that all that was used was declared.
    pub(super) fn finish(&self, schema: &Schema) -> Result<()> {
        let Some(index) = self.declared.iter().position(|declared| !declared) else { return Ok(()) };
        let missing = &schema.objects[index];
        let error =
            Error::at(missing.place.clone(), format!("there is no type `{}`", super::lexer::shortened(&missing.name)));
        let later = schema.enums.iter().find(|known| {
            let tail = known.name.strip_suffix(missing.name.as_str());
            tail.is_some_and(|head| head.is_empty() || head.ends_with('.'))
        });
        Err(match later {
            Some(known) => error
                .related(known.place.clone(), "an enum or union of that name is declared")
                .hint("declare enums and unions before they are used"),
            None => error.hint("check its spelling, its namespace and the includes"),
        })
    }
}

fn twice(name: &str, place: &Place, first: &Place) -> Error {
    Error::at(place.clone(), format!("the name `{name}` is taken, expected a new one"))
        .related(first.clone(), "first declared")
}
