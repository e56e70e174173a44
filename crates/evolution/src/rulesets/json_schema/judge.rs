//! The judge of documents: a validator, which knows nothing of the rules.

use std::cell::RefCell;
use std::collections::HashMap;

use jsonschema::{Registry, Validator};
use serde_json::{Value as Json, json};
use wirewise_core::json::{Node, Value};
use wirewise_idl::json_schema::{At, Documents, Key, Locators};
use wirewise_idl::{Error, Result};

use super::keywords::{self, Form};
use super::sides::drafts;

/// Validates documents under a schema.
///
/// Files are given to the validator with references that are resolved already: so it finds what the reader of the
/// language found, in files and below the same roots, and nothing is fetched.
pub struct Judge {
    root: Validator,
    /// All files.
    registry: Registry<'static>,
    /// Validators of parts.
    parts: RefCell<HashMap<Key, Option<Validator>>>,
}

impl Judge {
    /// A judge of documents under the first of these files.
    ///
    /// # Errors
    /// When it is no JSON Schema.
    pub fn new(documents: &Documents) -> Result<Judge> {
        super::loops::refuse(documents)?;
        let locators = Locators::new(documents);
        let drafts = drafts(documents);
        let files: Result<Vec<Json>> = (0..documents.count())
            .map(|file| {
                let at = documents.whole(file);
                let mut json = linked(documents, &locators, at)?;
                if let Json::Object(object) = &mut json {
                    object.insert("$schema".to_owned(), Json::from(drafts[file].uri()));
                }
                Ok(json)
            })
            .collect();
        let wrong = |what: String| {
            Error::at(locators.place(documents.root()), format!("this is no JSON Schema that can be validated: {what}"))
        };
        let registry = registry(files?).map_err(wrong)?;
        let root = validator(&registry, &uri(documents, documents.root())).map_err(wrong)?;
        Ok(Judge { root, registry, parts: RefCell::default() })
    }

    /// A judge of documents under one definition of the first file.
    ///
    /// # Errors
    /// When it is no JSON Schema.
    pub(super) fn at(documents: &Documents, at: At<'_>) -> Result<Judge> {
        let mut judge = Judge::new(documents)?;
        judge.root = validator(&judge.registry, &uri(documents, at)).map_err(Error::new)?;
        Ok(judge)
    }

    /// Whether a document is valid.
    pub fn is_valid(&self, document: &Json) -> bool {
        self.root.is_valid(document)
    }

    /// Why a document is not valid, and where in it. `None`: it is.
    pub fn problem(&self, document: &Json) -> Option<Problem> {
        let error = self.root.validate(document).err()?;
        Some(Problem { path: error.instance_path().to_string(), what: shortened(&error.to_string()) })
    }

    /// Whether a value is valid under a part of the schema. What cannot be judged is not.
    pub(super) fn valid_at(&self, documents: &Documents, at: At<'_>, value: &Json) -> bool {
        let mut parts = self.parts.borrow_mut();
        let part = parts.entry(at.key()).or_insert_with(|| validator(&self.registry, &uri(documents, at)).ok());
        part.as_ref().is_some_and(|part| part.is_valid(value))
    }
}

/// Why a document is not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: a JSON pointer.
    pub path: String,
    /// The validator's words.
    pub what: String,
}

/// Longest text of a validator that is shown.
const LONGEST: usize = 300;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The schema files, as the validator gets them.
fn registry(files: Vec<Json>) -> std::result::Result<Registry<'static>, String> {
    let mut registry = Registry::new();
    for (file, json) in files.into_iter().enumerate() {
        let resource = jsonschema::Resource::from_contents(json);
        registry = registry.add(file_uri(file), resource).map_err(|error| error.to_string())?;
    }
    registry.prepare().map_err(|error| error.to_string())
}

fn validator(registry: &Registry<'static>, uri: &str) -> std::result::Result<Validator, String> {
    let options = jsonschema::options().offline().with_registry(registry).should_validate_formats(false);
    options.build(&json!({ "$ref": uri })).map_err(|error| error.to_string())
}

fn file_uri(file: usize) -> String {
    format!("https://schema.invalid/{file}")
}

/// What the validator knows a place as.
fn uri(documents: &Documents, at: At<'_>) -> String {
    let mut uri = file_uri(at.file);
    uri.push('#');
    for byte in documents.pointer(at).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(byte as char),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// A schema with its references resolved, and without names that others would resolve differently.
fn linked<'a>(documents: &'a Documents, locators: &Locators<'a>, at: At<'a>) -> Result<Json> {
    let Value::Object(object) = &at.node.value else { return Ok(at.node.to_json()) };
    let mut out = serde_json::Map::new();
    for member in object.members() {
        let value = at.to(&member.value);
        let json = match member.name.as_str() {
            "$id" | "id" | "$anchor" | "$dynamicAnchor" | "$schema" if value.node.as_str().is_some() => continue,
            "$ref" | "$dynamicRef" if value.node.as_str().is_some() => {
                let target = documents.target(at, locators)?;
                out.insert("$ref".to_owned(), Json::from(uri(documents, target)));
                continue;
            }
            "enum" | "const" | "default" | "examples" | "example" | "required" => value.node.to_json(),
            name if keywords::form(name) == Form::ByName => named(documents, locators, value)?,
            _ => nested(documents, locators, value)?,
        };
        out.insert(member.name.clone(), json);
    }
    Ok(Json::Object(out))
}

/// The same, of a value of which it is not known whether it is a schema.
fn nested<'a>(documents: &'a Documents, locators: &Locators<'a>, at: At<'a>) -> Result<Json> {
    match &at.node.value {
        Value::Array(items) => {
            items.iter().map(|item: &'a Node| nested(documents, locators, at.to(item))).collect::<Result<Json>>()
        }
        Value::Object(_) => linked(documents, locators, at),
        _ => Ok(at.node.to_json()),
    }
}

/// The same, of an object of schemas.
fn named<'a>(documents: &'a Documents, locators: &Locators<'a>, at: At<'a>) -> Result<Json> {
    let Value::Object(object) = &at.node.value else { return Ok(at.node.to_json()) };
    let member = |member: &'a wirewise_core::json::Member| {
        Ok((member.name.clone(), nested(documents, locators, at.to(&member.value))?))
    };
    Ok(Json::Object(object.members().iter().map(member).collect::<Result<_>>()?))
}
