//! Which kinds of JSON value a schema allows.

use super::Reader;
use super::documents::At;
use crate::json::{Node, Value};
use crate::{Error, Result};

/// A set of kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);
    pub(super) const NULL: Kinds = Kinds(1);
    pub(super) const BOOL: Kinds = Kinds(2);
    pub(super) const INT: Kinds = Kinds(4);
    /// Integers, and numbers that are none.
    pub(super) const NUMBER: Kinds = Kinds(4 | 8);
    pub(super) const STRING: Kinds = Kinds(16);
    pub(super) const ARRAY: Kinds = Kinds(32);
    pub(super) const OBJECT: Kinds = Kinds(64);
    pub(super) const ALL: Kinds = Kinds(127);

    pub(super) fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub(super) fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    pub(super) fn has(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no other kind in it.
    pub(super) fn only(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The names that `type` may have.
const NAMES: [(&str, Kinds); 7] = [
    ("null", Kinds::NULL),
    ("boolean", Kinds::BOOL),
    ("integer", Kinds::INT),
    ("number", Kinds::NUMBER),
    ("string", Kinds::STRING),
    ("array", Kinds::ARRAY),
    ("object", Kinds::OBJECT),
];

/// Keywords that only make sense for values of one kind: a schema with them and without `type` means that kind.
const IMPLIED: &[(&[&str], Kinds)] = &[
    (
        &[
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "unevaluatedProperties",
        ],
        Kinds::OBJECT,
    ),
    (
        &[
            "items",
            "prefixItems",
            "additionalItems",
            "contains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ],
        Kinds::ARRAY,
    ),
    (&["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType", "format"], Kinds::STRING),
    (&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"], Kinds::NUMBER),
];

/// The kinds that one schema object names itself, without what it refers to: `Err` of what they are likely to be where it
/// does not say.
pub(super) fn own(reader: &Reader<'_>, at: At<'_>) -> Result<std::result::Result<Kinds, Kinds>> {
    let Some(object) = at.node.as_object() else { return Ok(Err(Kinds::ALL)) };
    let mut kinds = Kinds::ALL;
    let mut said = false;
    if let Some(ty) = object.get("type") {
        said = true;
        kinds = match &ty.value {
            Value::Array(items) if !items.is_empty() => {
                let mut all = Kinds::NONE;
                for item in items {
                    all = all.or(named(reader, at.to(item))?);
                }
                all
            }
            _ => named(reader, at.to(ty))?,
        };
    }
    let values = match (object.get("const"), object.get("enum")) {
        (Some(value), _) => Some(std::slice::from_ref(value)),
        (None, Some(values)) => {
            let list = values.as_array().filter(|list| !list.is_empty());
            Some(list.ok_or_else(|| {
                let what = format!("found {}, expected an array of at least one value", described(values));
                Error::at(reader.locators.place(at.to(values)), what)
            })?)
        }
        (None, None) => None,
    };
    if let Some(values) = values {
        let numbers = kinds.has(Kinds::NUMBER.without(Kinds::INT));
        let of_values = values.iter().map(of_value).fold(Kinds::NONE, Kinds::or);
        let mut both = kinds.and(of_values);
        if said && numbers && both.has(Kinds::INT) {
            both = both.or(Kinds::NUMBER);
        }
        (kinds, said) = (both, true);
    }
    if said && object.get("nullable").and_then(Node::as_bool) == Some(true) {
        kinds = kinds.or(Kinds::NULL);
    }
    if said {
        return Ok(Ok(kinds));
    }
    let implied = IMPLIED.iter().filter(|(names, _)| names.iter().any(|name| object.get(name).is_some()));
    let implied = implied.map(|(_, kinds)| *kinds).fold(Kinds::NONE, Kinds::or);
    Ok(Err(if implied.is_empty() { Kinds::ALL } else { implied }))
}

fn named(reader: &Reader<'_>, at: At<'_>) -> Result<Kinds> {
    let found = at.node.as_str().and_then(|name| NAMES.iter().find(|(known, _)| *known == name));
    found.map(|(_, kinds)| *kinds).ok_or_else(|| {
        let names = NAMES.map(|(name, _)| name).join(", ");
        let what = format!("found {}, expected one of {names}", described(at.node));
        Error::at(reader.locators.place(at), what)
    })
}

fn of_value(node: &Node) -> Kinds {
    match &node.value {
        Value::Null => Kinds::NULL,
        Value::Bool(_) => Kinds::BOOL,
        Value::Number(number) if number.is_f64() => Kinds::NUMBER,
        Value::Number(_) => Kinds::INT,
        Value::String(_) => Kinds::STRING,
        Value::Array(_) => Kinds::ARRAY,
        Value::Object(_) => Kinds::OBJECT,
    }
}

/// A value for messages: short ones as they are.
pub(super) fn described(node: &Node) -> String {
    match &node.value {
        Value::String(text) if text.len() <= 60 => format!("{text:?}"),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        _ => node.kind().to_owned(),
    }
}
