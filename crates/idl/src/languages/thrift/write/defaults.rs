//! Defaults as Thrift says them.

use std::collections::HashSet;

use serde_json::Value as Json;
use wirewise_core::{Kind, Schema, TypeId, text};
use wirewise_formats::thrift::{self, notes};

use super::super::parser::escape;
use super::super::values::is_models;
use super::Writer;
use super::idents::Idents;
use super::types::is_text;

impl Writer<'_> {
    /// A default in Thrift's words, if our reader takes these for exactly that default: of the model, or of a note.
    pub(super) fn default(&self, ty: TypeId, json: &Json, models: bool) -> Option<String> {
        let text = self.literal(ty, json)?;
        (is_models(json, Some(self.schema.kind(ty))) == models).then_some(text)
    }

    fn literal(&self, id: TypeId, json: &Json) -> Option<String> {
        let ty = self.schema.ty(id);
        Some(match (&ty.kind, json) {
            (Kind::Bool, Json::Bool(value)) => value.to_string(),
            (Kind::Int(int), Json::Number(_)) => {
                let value = json.as_i64().filter(|value| int.holds(i128::from(*value)))?;
                value.to_string()
            }
            (Kind::Float(_), Json::Number(value)) if !json.is_u64() || json.is_i64() => value.to_string(),
            (Kind::String, Json::String(text)) if is_text(text) => format!("\"{}\"", escape(text)),
            (Kind::Bytes, Json::String(base64)) => {
                let (mut bytes, mut again) = (Vec::new(), Vec::new());
                if !text::base64::decode(base64.as_bytes(), &mut bytes) {
                    return None;
                }
                text::base64::encode(&bytes, &mut again);
                let text = String::from_utf8(bytes).ok().filter(|text| again == base64.as_bytes() && is_text(text))?;
                format!("\"{}\"", escape(&text))
            }
            (Kind::Fixed(16), Json::String(text)) if thrift::is_uuid(ty) => {
                let bytes = text::uuid::parse(text.as_bytes())?;
                let mut again = Vec::new();
                text::uuid::write(&bytes, &mut again);
                if again != text.as_bytes() {
                    return None;
                }
                format!("\"{text}\"")
            }
            (Kind::Enum(e), Json::String(name)) => {
                let position = e.position_of(name.as_bytes())?;
                if thrift::is_wide(e) {
                    // The field is an integer.
                    let number = e.symbols[position].number;
                    return (e.position(number) == Some(position)).then(|| number.to_string());
                }
                self.symbol(id, position)?
            }
            (Kind::List(item), Json::Array(items)) => match thrift::entry(self.schema, ty) {
                Some((key, value)) => {
                    let entry = |entry: &Json| {
                        let members = entry.as_object().filter(|members| members.len() == 2)?;
                        let key = self.literal(key, members.get("key")?)?;
                        Some(format!("{key}: {}", self.literal(value, members.get("value")?)?))
                    };
                    format!("{{{}}}", items.iter().map(entry).collect::<Option<Vec<_>>>()?.join(", "))
                }
                None => {
                    let items = items.iter().map(|json| self.literal(*item, json));
                    format!("[{}]", items.collect::<Option<Vec<_>>>()?.join(", "))
                }
            },
            (Kind::Map(key, value), Json::Object(members)) => {
                let entry = |(name, json): (&String, &Json)| {
                    Some(format!("{}: {}", self.key_literal(*key, name)?, self.literal(*value, json)?))
                };
                format!("{{{}}}", members.iter().map(entry).collect::<Option<Vec<_>>>()?.join(", "))
            }
            (Kind::Record(record), Json::Object(members)) if self.written[id.index()] => {
                let member = |(name, json): (&String, &Json)| {
                    let position = record.position(name)?;
                    let ident = &self.idents.members(id)[position];
                    Some(format!("\"{ident}\": {}", self.literal(record.fields[position].value_type(), json)?))
                };
                format!("{{{}}}", members.iter().map(member).collect::<Option<Vec<_>>>()?.join(", "))
            }
            _ => return None,
        })
    }

    /// The name of an enum's symbol, if the enum stands before this place: the Thrift compiler asks for that.
    fn symbol(&self, id: TypeId, position: usize) -> Option<String> {
        let written = self.written[id.index()];
        written.then(|| format!("{}.{}", self.idents.of(id), self.idents.members(id)[position]))
    }

    fn key_literal(&self, id: TypeId, name: &str) -> Option<String> {
        let ty = self.schema.ty(id);
        match &ty.kind {
            Kind::String => self.literal(id, &Json::from(name)),
            Kind::Bool => ["true", "false"].contains(&name).then(|| name.to_owned()),
            _ => {
                let number: i64 = name.parse().ok().filter(|number: &i64| number.to_string() == name)?;
                match ty.notes.get(notes::TYPE).and_then(|name| self.idents.named(name)) {
                    Some(e) => match self.schema.kind(e) {
                        Kind::Enum(kind) => self.symbol(e, kind.position(number)?),
                        _ => None,
                    },
                    None => Some(name.to_owned()),
                }
            }
        }
    }
}

/// Which of the named types are enums that stand after a struct with a default that needs them.
pub(super) fn enums_needed_early(schema: &Schema, idents: &Idents, named: &[TypeId]) -> Vec<bool> {
    let place: std::collections::HashMap<TypeId, usize> =
        named.iter().enumerate().map(|(place, id)| (*id, place)).collect();
    let mut early = vec![false; named.len()];
    let mut seen: HashSet<TypeId> = HashSet::new();
    for (user, &id) in named.iter().enumerate() {
        let Kind::Record(record) = schema.kind(id) else { continue };
        let with_default = |field: &&wirewise_core::Field| {
            field.default.as_ref().is_some_and(|json| !json.is_null()) || field.notes.has(notes::DEFAULT)
        };
        // What one struct needs early is early for all that come after it.
        let mut rest: Vec<TypeId> = record.fields.iter().filter(with_default).map(|field| field.ty).collect();
        while let Some(id) = rest.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Kind::Enum(e) = schema.kind(id) {
                early[place[&id]] |= place[&id] > user && !thrift::is_wide(e);
            }
            if let Some(e) = schema.type_notes(id).get(notes::TYPE).and_then(|name| idents.named(name)) {
                rest.push(e);
            }
            rest.extend(schema.parts(id));
        }
    }
    early
}
