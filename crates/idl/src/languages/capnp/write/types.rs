//! Types: what the codec keeps values as.

use serde_json::{Value as Json, json};
use wirewise_core::{Float, Kind, Schema, TypeId};
use wirewise_formats::capnp::shape;

use super::super::parser::DEEPEST;
use super::Writer;
use crate::{Error, Result};

impl Writer<'_> {
    /// A type as it is written after a colon, in a struct or in the file.
    pub(super) fn type_text(&mut self, from: Option<TypeId>, ty: TypeId) -> Result<String> {
        let text = self.nested_type_text(from, ty, 0)?;
        // The compiler takes `:.` for one sign.
        Ok(if text.starts_with('.') { format!(" {text}") } else { text })
    }

    fn nested_type_text(&mut self, from: Option<TypeId>, ty: TypeId, depth: usize) -> Result<String> {
        let schema = &self.module.schema;
        if depth + 2 > DEEPEST {
            return Err(Error::new(format!("{} nests too deep for Cap'n Proto", schema.describe(ty))));
        }
        Ok(match schema.kind(ty) {
            Kind::Null => "Void".to_owned(),
            Kind::Bool => "Bool".to_owned(),
            Kind::Int(int) => format!("{}Int{}", if int.signed() { "" } else { "U" }, int.bits()),
            Kind::Float(Float::F32) => "Float32".to_owned(),
            Kind::Float(Float::F64) => "Float64".to_owned(),
            Kind::String | Kind::Any => "Text".to_owned(),
            Kind::Bytes | Kind::Fixed(_) => "Data".to_owned(),
            Kind::List(item) => format!("List({})", self.nested_type_text(from, *item, depth + 1)?),
            Kind::Map(..) => {
                let entry = self.wrapper(ty);
                format!("List({})", self.names.refer(from, &entry))
            }
            Kind::Nullable(_) => {
                let wrapper = self.wrapper(ty);
                self.names.refer(from, &wrapper)
            }
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => self.names.refer(from, &self.names.path(ty)),
        })
    }

    /// The struct that the codec puts around the entry of a map, or around a nullable value. What it says is written
    /// later: it may lead back to itself.
    fn wrapper(&mut self, ty: TypeId) -> String {
        let schema = &self.module.schema;
        let key = structure(schema, ty);
        if let Some(name) = self.wrappers.get(&key) {
            return name.clone();
        }
        let name = match schema.kind(ty) {
            Kind::Map(key, value) => format!("{}To{}Entry", word(schema, *key), word(schema, *value)),
            _ => word(schema, ty),
        };
        let name = self.names.take(None, &name);
        self.wrappers.insert(key, name.clone());
        self.waiting.push_back((name.clone(), ty));
        name
    }

    /// All such structs.
    pub(super) fn wrapper_bodies(&mut self) -> Result<Vec<String>> {
        let mut blocks = Vec::new();
        while let Some((name, ty)) = self.waiting.pop_front() {
            let schema = &self.module.schema;
            let what = if matches!(schema.kind(ty), Kind::Map(..)) { "entry" } else { "box" };
            let Some(shape) = shape::shape(schema, ty)? else { continue };
            let body = self.wrapper_body(ty, &shape.members, what)?;
            blocks.push(format!("struct {name} {{\n{body}}}\n"));
        }
        Ok(blocks)
    }
}

/// What tells one wrapper from another.
fn structure(schema: &Schema, ty: TypeId) -> String {
    match schema.kind(ty) {
        Kind::List(item) => format!("List({})", structure(schema, *item)),
        Kind::Map(key, value) => format!("Map({},{})", structure(schema, *key), structure(schema, *value)),
        Kind::Nullable(inner) => format!("Nullable({})", structure(schema, *inner)),
        Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => format!("{:?}", schema.name(ty).unwrap_or_default()),
        _ => read_as(schema, ty).to_string(),
    }
}

/// What a reader takes the written type for; `Json::Null` for what it cannot say.
pub(super) fn read_as(schema: &Schema, ty: TypeId) -> Json {
    match schema.kind(ty) {
        Kind::String | Kind::Any => Json::from("string"),
        Kind::Bytes | Kind::Fixed(_) => Json::from("bytes"),
        Kind::List(item) => match read_as(schema, *item) {
            Json::Null => Json::Null,
            item => json!({"list": item}),
        },
        Kind::Map(..) | Kind::Nullable(_) => Json::Null,
        Kind::Null => Json::from("null"),
        Kind::Bool => Json::from("bool"),
        Kind::Int(int) => Json::from(format!("{}int{}", if int.signed() { "" } else { "u" }, int.bits())),
        Kind::Float(float) => Json::from(if *float == Float::F32 { "float32" } else { "float64" }),
        Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => Json::from(schema.name(ty)),
    }
}

/// A word for a type, to make names of.
fn word(schema: &Schema, ty: TypeId) -> String {
    let word = match schema.kind(ty) {
        Kind::List(item) => format!("{}List", word(schema, *item)),
        Kind::Map(_, value) => format!("{}Map", word(schema, *value)),
        Kind::Nullable(inner) => format!("Optional{}", word(schema, *inner)),
        Kind::String => "Text".to_owned(),
        Kind::Bytes | Kind::Fixed(_) => "Data".to_owned(),
        Kind::Any => "Any".to_owned(),
        _ => {
            let name = schema.describe(ty);
            let last = name.rsplit('.').next().unwrap_or_default();
            crate::names::identifier(last, crate::names::Case::Pascal)
        }
    };
    // Types nest, and names need not.
    word.chars().take(60).collect()
}
