//! What keywords say, as far as walking along schemas needs to know.

use wirewise_core::json::{Node, Object};

use super::sides::Draft;

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A schema, or an array of schemas.
    Schema,
    /// Schemas by name; in `dependencies` also arrays of names.
    ByName,
    /// No schema is in it.
    Data,
}

/// The form of a keyword.
pub(super) fn form(keyword: &str) -> Form {
    match keyword {
        "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "if"
        | "then"
        | "else"
        | "items"
        | "prefixItems"
        | "additionalItems"
        | "unevaluatedItems"
        | "contains"
        | "additionalProperties"
        | "unevaluatedProperties"
        | "propertyNames"
        | "contentSchema" => Form::Schema,
        "properties" | "patternProperties" | "dependentSchemas" | "dependencies" | "$defs" | "definitions" => {
            Form::ByName
        }
        _ => Form::Data,
    }
}

/// The reference of a schema.
pub(super) fn reference(object: &Object) -> Option<&Node> {
    object.get("$ref").or_else(|| object.get("$dynamicRef")).filter(|node| node.as_str().is_some())
}

/// Keywords that have a rule, or are followed by the walk.
const KNOWN: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "type",
    "enum",
    "const",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "items",
    "minProperties",
    "maxProperties",
    "required",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "dependencies",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
];

/// Those that came with 2019-09.
const KNOWN_SINCE_2019: &[&str] = &[
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "unevaluatedItems",
];

/// Whether a keyword has a rule of its own.
pub(super) fn is_known(keyword: &str, draft: Draft) -> bool {
    KNOWN.contains(&keyword)
        || draft >= Draft::Draft2019 && KNOWN_SINCE_2019.contains(&keyword)
        || match keyword {
            "prefixItems" => draft == Draft::Draft2020,
            "additionalItems" => draft < Draft::Draft2020,
            _ => false,
        }
}

/// Whether a keyword allows and forbids nothing: it is for people and tools, or names schemas.
pub(super) fn says_nothing(keyword: &str, draft: Draft) -> bool {
    match keyword {
        "title" | "description" | "$comment" | "default" | "examples" | "example" | "deprecated" | "readOnly"
        | "writeOnly" | "$schema" | "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$vocabulary" | "$defs"
        | "definitions" | "components" | "contentSchema" => true,
        // An annotation, unless a validator is told to assert it; it has a rule of its own for those.
        "format" => true,
        "contentEncoding" | "contentMediaType" => draft >= Draft::Draft2019,
        // Of another draft: nobody looks at it.
        "minContains"
        | "maxContains"
        | "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedProperties"
        | "unevaluatedItems" => draft < Draft::Draft2019,
        "prefixItems" => draft < Draft::Draft2020,
        "additionalItems" => draft == Draft::Draft2020,
        _ => keyword.starts_with("x-"),
    }
}
