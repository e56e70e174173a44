//! Types: what the codec keeps values as.

use serde_json::{Value as Json, json};
use wirewise_core::{Float, Kind, Schema, TypeId};
use wirewise_formats::capnp::shape::{self, Member};

use super::super::parser::DEEPEST;
use super::Writer;
use crate::{Error, Result};

impl Writer<'_> {
    /// A type as it is written in a struct, or in the file.
    pub(super) fn type_text(&mut self, from: Option<TypeId>, ty: TypeId, depth: usize) -> Result<String> {
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
            Kind::List(item) => format!("List({})", self.type_text(from, *item, depth + 1)?),
            Kind::Map(..) => {
                let entry = self.wrapper(ty, depth)?;
                format!("List({})", self.names.refer(from, &entry))
            }
            Kind::Nullable(inner) if matches!(schema.kind(*inner), Kind::Union(_)) => {
                let wrapper = self.wrapper(ty, depth)?;
                self.names.refer(from, &wrapper)
            }
            Kind::Nullable(_) => {
                let wrapper = self.wrapper(ty, depth)?;
                self.names.refer(from, &wrapper)
            }
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => self.names.refer(from, &self.names.path(ty)),
        })
    }

    /// The struct that the codec puts around the entry of a map, or around a nullable value.
    fn wrapper(&mut self, ty: TypeId, depth: usize) -> Result<String> {
        let schema = &self.module.schema;
        let (what, name) = match schema.kind(ty) {
            Kind::Map(key, value) => ("entry", format!("{}To{}Entry", word(schema, *key), word(schema, *value))),
            _ => ("box", word(schema, ty)),
        };
        if depth + 2 > DEEPEST {
            return Err(Error::new(format!("{} nests too deep for Cap'n Proto", schema.describe(ty))));
        }
        let Some(shape) = shape::shape(schema, ty)? else { return Ok(String::new()) };
        let body = self.wrapper_body_at(ty, &shape.members, what, depth + 1)?;
        if let Some(name) = self.wrappers.get(&body) {
            return Ok(name.clone());
        }
        let name = self.names.take(None, &name);
        self.bodies.push((name.clone(), format!("struct {name} {{\n{body}}}\n")));
        self.wrappers.insert(body, name.clone());
        Ok(name)
    }

    /// What such a struct says.
    pub(super) fn wrapper_body(&mut self, ty: TypeId, members: &[Member], what: &str) -> Result<String> {
        self.wrapper_body_at(ty, members, what, 0)
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
