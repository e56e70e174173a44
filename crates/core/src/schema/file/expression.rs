//! Type expressions: a name, or an object such as `{"list": "int32"}`.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::read::{members, notes, wrong};
use super::{LOGICALS, MOST_NESTING, SCALARS};
use crate::json::Node;
use crate::schema::{Kind, Logical, Notes, SchemaBuilder, Type, TypeId};
use crate::{Error, ErrorKind, Result};

/// Finds a named type.
type Named<'a> = dyn Fn(&str) -> Option<TypeId> + 'a;

/// The members that go together in a type expression, by the one that says what it is.
const FORMS: [&[&str]; 5] = [
    &["scalar", "logical", "notes"],
    &["fixed", "logical", "notes"],
    &["list", "notes"],
    &["nullable", "notes"],
    &["map", "key", "notes"],
];

impl SchemaBuilder {
    /// Adds the type that [`Schema::type_json`](crate::Schema::type_json) describes; `named` finds the types that it
    /// may name.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when it is no type expression.
    pub fn type_expression(&mut self, json: &Json, named: &Named<'_>) -> Result<TypeId> {
        let node = Node::parse(&json.to_string()).map_err(|problem| Error::new(ErrorKind::Schema, problem.what))?;
        // Offsets in a text that nobody has seen would only confuse.
        self.type_expression_at(&node, named).map_err(|error| Error::new(error.kind(), error.message()))
    }

    /// The same with the types that it may name in a table.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when it is no type expression.
    pub fn add_expression(&mut self, json: &Json, named: &HashMap<String, TypeId>) -> Result<TypeId> {
        self.type_expression(json, &|name| named.get(name).copied())
    }

    /// Adds the type that a type expression in a file describes.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`], with the offset, when it is no type expression.
    pub fn type_expression_at(&mut self, node: &Node, named: &Named<'_>) -> Result<TypeId> {
        self.expression(node, named, 0)
    }

    fn expression(&mut self, node: &Node, named: &Named<'_>, depth: usize) -> Result<TypeId> {
        if depth > MOST_NESTING {
            return Err(wrong(node.at, format!("types nest deeper than {MOST_NESTING}")));
        }
        if let Some(name) = node.as_str() {
            if let Some(id) = named(name) {
                return Ok(id);
            }
            let unknown = || format!("there is no type {name:?}: the built-in ones are {}", scalar_names());
            return self.scalar(node, None, Notes::default()).map_err(|_| wrong(node.at, unknown()));
        }
        let ty = members(node, &["scalar", "fixed", "list", "map", "key", "nullable", "logical", "notes"])?;
        if let Some(form) = FORMS.iter().find(|form| ty.get(form[0]).is_some()) {
            // What would be passed over was meant to say something.
            members(node, form)?;
        }
        let (logical, notes) = (ty.get("logical"), notes(ty)?);
        let kind = if let Some(name) = ty.get("scalar") {
            return self.scalar(name, logical, notes);
        } else if let Some(size) = ty.get("fixed") {
            let bytes = size.as_u64().and_then(|size| u32::try_from(size).ok());
            let bytes = bytes.ok_or_else(|| wrong(size.at, "\"fixed\" expects a number of bytes"))?;
            let logical = logical.map(logical_by_name).transpose()?;
            return Ok(self.add_type(Type { kind: Kind::Fixed(bytes), logical, notes }));
        } else if let Some(item) = ty.get("list") {
            Kind::List(self.expression(item, named, depth + 1)?)
        } else if let Some(inner) = ty.get("nullable") {
            Kind::Nullable(self.expression(inner, named, depth + 1)?)
        } else if let Some(value) = ty.get("map") {
            let value = self.expression(value, named, depth + 1)?;
            let key = match ty.get("key") {
                None => self.add(Kind::String),
                Some(key) => self.expression(key, named, depth + 1)?,
            };
            Kind::Map(key, value)
        } else {
            return Err(wrong(
                node.at,
                "expected a type: a name, or an object with \"list\", \"map\", \"nullable\", \"fixed\" or \"scalar\"",
            ));
        };
        Ok(self.add_type(Type { kind, logical: None, notes }))
    }

    /// Adds a built-in type by its name.
    pub(super) fn scalar(&mut self, name: &Node, logical: Option<&Node>, notes: Notes) -> Result<TypeId> {
        let logical = logical.map(logical_by_name).transpose()?;
        let text = name.as_str().unwrap_or_default();
        match SCALARS.iter().find(|(scalar, _)| *scalar == text) {
            Some((_, kind)) => Ok(self.add_type(Type { kind: kind.clone(), logical, notes })),
            None => Err(wrong(name.at, format!("{} is no built-in type; they are {}", name.to_json(), scalar_names()))),
        }
    }
}

fn scalar_names() -> String {
    SCALARS.map(|(name, _)| name).join(", ")
}

fn logical_by_name(node: &Node) -> Result<Logical> {
    let name = node.as_str().unwrap_or_default();
    let found = LOGICALS.iter().find(|(known, _)| *known == name).map(|(_, logical)| *logical);
    found.ok_or_else(|| {
        let names = LOGICALS.map(|(name, _)| name).join(", ");
        wrong(node.at, format!("there is no logical type {}; they are {names}", node.to_json()))
    })
}
