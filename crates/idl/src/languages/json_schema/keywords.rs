//! Keywords that the model has no place for: they are kept as notes `json-schema.KEYWORD` and written again.

use super::tree::Tree;

/// What the keys of our notes begin with.
pub(super) const OWNER: &str = "json-schema.";

/// The member with what the model has and JSON Schema has not.
pub(super) const EXTENSION: &str = "x-wirewise";

/// Note of the schema: the draft that it was read from, when that is not the one that is written (`07`).
pub(super) const DRAFT: &str = "json-schema.draft";

/// Note of the schema: its `$id`.
pub(super) const ID: &str = "json-schema.$id";

/// Note of a type without a name: that of its definition.
pub(super) const DEF: &str = "json-schema.def";

/// What a keyword says something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// Values of every kind.
    All,
    Number,
    String,
    Array,
    Object,
    /// People and tools: it allows and forbids nothing.
    Nothing,
}

/// What the value of a keyword is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A string; its note is the string itself.
    Text,
    Number,
    Count,
    Flag,
    /// Any value, in which nothing is a schema.
    Data,
    Values,
    Schema,
    /// A schema, or one for each of the first elements.
    Items,
    Schemas,
    SchemaMap,
}

impl Form {
    /// What a part of a value of this form is: a member with its name, or an element. What is no schema is data, whatever
    /// it looks like.
    pub(super) fn of_part(self, name: Option<&str>) -> Form {
        match (self, name) {
            (Form::Schema | Form::Items, Some("properties" | "$defs" | "definitions")) => Form::SchemaMap,
            (Form::Schema | Form::Items, Some(name)) => find(name).map_or(Form::Data, |(_, form)| form),
            (Form::SchemaMap, Some(_)) | (Form::Schemas | Form::Items, None) => Form::Schema,
            _ => Form::Data,
        }
    }

    /// Whether there may be schemas in a value of this form.
    pub(super) fn has_schemas(self) -> bool {
        matches!(self, Form::Schema | Form::Items | Form::Schemas | Form::SchemaMap)
    }
}

/// A keyword.
#[derive(Debug, Clone, Copy)]
pub(super) struct Keyword {
    pub(super) name: &'static str,
    pub(super) about: About,
    pub(super) form: Form,
}

const fn keyword(name: &'static str, about: About, form: Form) -> Keyword {
    Keyword { name, about, form }
}

const KEYWORDS: &[Keyword] = &[
    keyword("title", About::Nothing, Form::Text),
    keyword("description", About::Nothing, Form::Text),
    keyword("$comment", About::Nothing, Form::Text),
    keyword("$anchor", About::Nothing, Form::Text),
    keyword("$dynamicAnchor", About::Nothing, Form::Text),
    keyword("default", About::Nothing, Form::Data),
    keyword("examples", About::Nothing, Form::Values),
    keyword("deprecated", About::Nothing, Form::Flag),
    keyword("readOnly", About::Nothing, Form::Flag),
    keyword("writeOnly", About::Nothing, Form::Flag),
    keyword("const", About::All, Form::Data),
    keyword("enum", About::All, Form::Values),
    keyword("not", About::All, Form::Schema),
    keyword("if", About::All, Form::Schema),
    keyword("then", About::All, Form::Schema),
    keyword("else", About::All, Form::Schema),
    keyword("allOf", About::All, Form::Schemas),
    keyword("anyOf", About::All, Form::Schemas),
    keyword("oneOf", About::All, Form::Schemas),
    keyword("minimum", About::Number, Form::Number),
    keyword("maximum", About::Number, Form::Number),
    keyword("exclusiveMinimum", About::Number, Form::Number),
    keyword("exclusiveMaximum", About::Number, Form::Number),
    keyword("multipleOf", About::Number, Form::Number),
    keyword("minLength", About::String, Form::Count),
    keyword("maxLength", About::String, Form::Count),
    keyword("pattern", About::String, Form::Text),
    keyword("format", About::String, Form::Text),
    keyword("contentEncoding", About::String, Form::Text),
    keyword("contentMediaType", About::String, Form::Text),
    keyword("contentSchema", About::String, Form::Schema),
    keyword("minItems", About::Array, Form::Count),
    keyword("maxItems", About::Array, Form::Count),
    keyword("uniqueItems", About::Array, Form::Flag),
    keyword("contains", About::Array, Form::Schema),
    keyword("minContains", About::Array, Form::Count),
    keyword("maxContains", About::Array, Form::Count),
    keyword("items", About::Array, Form::Items),
    keyword("prefixItems", About::Array, Form::Schemas),
    keyword("additionalItems", About::Array, Form::Schema),
    keyword("unevaluatedItems", About::Array, Form::Schema),
    keyword("minProperties", About::Object, Form::Count),
    keyword("maxProperties", About::Object, Form::Count),
    keyword("propertyNames", About::Object, Form::Schema),
    keyword("patternProperties", About::Object, Form::SchemaMap),
    keyword("additionalProperties", About::Object, Form::Schema),
    keyword("unevaluatedProperties", About::Object, Form::Schema),
    keyword("dependentRequired", About::Object, Form::Data),
    keyword("dependentSchemas", About::Object, Form::SchemaMap),
    keyword("dependencies", About::Object, Form::SchemaMap),
];

/// Keywords that the reader understands wherever they stand: they are never notes.
const UNDERSTOOD: &[&str] = &[
    EXTENSION,
    "$schema",
    "$id",
    "$ref",
    "$dynamicRef",
    "$defs",
    "definitions",
    "type",
    "properties",
    "required",
    "nullable",
    "components",
];

/// The keyword with this name: one that nobody knows says nothing about values. `None`: the reader understands it.
pub(super) fn find(name: &str) -> Option<(About, Form)> {
    match KEYWORDS.iter().find(|keyword| keyword.name == name) {
        Some(keyword) => Some((keyword.about, keyword.form)),
        None if UNDERSTOOD.contains(&name) => None,
        None => Some((About::Nothing, Form::Data)),
    }
}

/// The note of a keyword with this value.
pub(super) fn note(value: &Tree, form: Form) -> String {
    match value {
        Tree::Text(text) if form == Form::Text => text.clone(),
        value => value.compact(),
    }
}

/// The value of a keyword that a note keeps. `None` when the keyword would not be read as that note again.
pub(super) fn value(text: &str, form: Form) -> Option<Tree> {
    if form == Form::Text {
        return Some(Tree::text(text));
    }
    let tree = Tree::parse(text)?;
    let fits = match form {
        Form::Flag => matches!(&tree, Tree::Word(word) if word == "true" || word == "false"),
        Form::Count => matches!(&tree, Tree::Word(word) if word.bytes().all(|byte| byte.is_ascii_digit())),
        Form::Number => matches!(&tree, Tree::Word(word) if word.starts_with(|c: char| c == '-' || c.is_ascii_digit())),
        Form::Values | Form::Schemas => matches!(tree, Tree::Array(_)),
        Form::SchemaMap => matches!(tree, Tree::Object(_)),
        Form::Schema => {
            matches!(&tree, Tree::Object(_)) || matches!(&tree, Tree::Word(word) if word == "true" || word == "false")
        }
        Form::Items => matches!(tree, Tree::Object(_) | Tree::Array(_) | Tree::Word(_)),
        Form::Text | Form::Data => true,
    };
    (fits && tree.compact() == text).then_some(tree)
}

/// What a value of this form is called in messages.
pub(super) fn expected(form: Form) -> &'static str {
    match form {
        Form::Text => "a string",
        Form::Number => "a number",
        Form::Count => "a number of 0 or more, without a fraction",
        Form::Flag => "true or false",
        Form::Data => "a value",
        Form::Values => "an array",
        Form::Schema => "a schema: an object, true or false",
        Form::Items => "a schema, or an array of schemas",
        Form::Schemas => "an array of schemas",
        Form::SchemaMap => "an object of schemas",
    }
}
