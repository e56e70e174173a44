//! Whether a type in a note can be what the file says: both must be the same on the wire.

use serde_json::Value as Json;
use wirewise_formats::thrift::notes;

use super::super::ast::{Base, TypeExpr, TypeRef, What};
use super::super::parser::MOST_NESTING;
use super::Resolver;
use crate::{Error, Place, Result};

impl Resolver<'_> {
    /// Refuses a note that says another type than the field's. Who edits the file should not have to know about notes.
    pub(super) fn check_shape(&self, unit: usize, ty: &TypeRef, noted: &Json, place: &Place) -> Result<()> {
        let noted_value = noted.get("nullable").unwrap_or(noted);
        let (found, expected) = (self.shape(unit, ty, 0), self.noted_shape(noted_value, true, 0));
        match (found, expected) {
            (Some(found), Some(expected)) if found != expected => {
                let what = format!("the note \"type\" is of type {expected}, expected {found} as the field is");
                Err(Error::at(place.clone(), what).hint("change the note, or take it out"))
            }
            // What cannot be told is an error elsewhere.
            _ => Ok(()),
        }
    }

    /// What a type is on the wire.
    fn shape(&self, unit: usize, ty: &TypeRef, depth: usize) -> Option<String> {
        if depth > MOST_NESTING {
            return None;
        }
        Some(match &ty.expr {
            TypeExpr::Base(Base::Binary) => "string".to_owned(),
            TypeExpr::Base(base) => base.name().to_owned(),
            TypeExpr::List(item) => format!("list<{}>", self.shape(unit, item, depth + 1)?),
            TypeExpr::Set(item) => format!("set<{}>", self.shape(unit, item, depth + 1)?),
            TypeExpr::Map(key, value) => {
                format!("map<{}, {}>", self.shape(unit, key, depth + 1)?, self.shape(unit, value, depth + 1)?)
            }
            TypeExpr::Named(name) => match self.find_type(unit, name) {
                None => "uuid".to_owned(),
                Some(item) => match &self.item(item).what {
                    What::Typedef(target) => self.shape(item.0, target, depth + 1)?,
                    What::Enum(_) => "i32".to_owned(),
                    _ => "struct".to_owned(),
                },
            },
        })
    }

    /// What a type expression is on the wire; in a field a null is a boolean.
    fn noted_shape(&self, json: &Json, in_field: bool, depth: usize) -> Option<String> {
        if depth > MOST_NESTING {
            return None;
        }
        let inner = |json: &Json| self.noted_shape(json, false, depth + 1);
        let noted = |key: &str| json.get("notes")?.get(key)?.as_str();
        if let Some(item) = json.get("list") {
            // The types of its entries may not be known yet.
            if noted(notes::MAP).is_some() {
                return None;
            }
            let name = if noted(notes::SET).is_some() { "set" } else { "list" };
            return Some(format!("{name}<{}>", inner(item)?));
        }
        if let Some(value) = json.get("map") {
            let key = json.get("key").map_or(Some("string".to_owned()), inner)?;
            return Some(format!("map<{key}, {}>", inner(value)?));
        }
        if json.get("nullable").is_some() {
            return Some("struct".to_owned());
        }
        if json.get("fixed").is_some() {
            return Some(if noted(notes::TYPE) == Some("uuid") { "uuid" } else { "string" }.to_owned());
        }
        let name = json.get("scalar").unwrap_or(json).as_str()?;
        if let Some(id) = self.named.get(name) {
            return Some(match self.enums.get(id) {
                Some(e) if e.numbers.iter().any(|&number| i32::try_from(number).is_err()) => "i64".to_owned(),
                Some(_) => "i32".to_owned(),
                None => "struct".to_owned(),
            });
        }
        Some(
            match name {
                "null" if in_field => "bool",
                "null" => "struct",
                "bool" => "bool",
                "int8" => "i8",
                "uint8" | "int16" => "i16",
                "uint16" | "int32" => "i32",
                "uint32" | "int64" | "uint64" => "i64",
                "float32" | "float64" => "double",
                "string" | "bytes" | "any" => "string",
                _ => return None,
            }
            .to_owned(),
        )
    }
}
