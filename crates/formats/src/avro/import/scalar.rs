//! Types without parts.

use serde_json::Value as Json;
use wirewise_core::{Float, Int, Kind, Type, Unit};

use super::{Logical, Notes, attribute, is, notes, notes_of, take_notes};
use crate::avro::model::{Attributes, Primitive};

pub(super) fn primitive(primitive: Primitive, attributes: &Attributes) -> Type {
    let text = |name: &str| attributes.get(name).and_then(Json::as_str);
    let exact = text(attribute::TYPE);
    let own = text(attribute::LOGICAL_TYPE).and_then(logical_by_name);
    let logical = own.or(text(attribute::LOGICAL).and_then(logical_by_name));
    let (kind, fits) = match primitive {
        Primitive::Null => (Kind::Null, false),
        Primitive::Boolean => (Kind::Bool, false),
        Primitive::Int => match exact {
            Some("int8") => (Kind::Int(Int::I8), false),
            Some("int16") => (Kind::Int(Int::I16), false),
            Some("uint8") => (Kind::Int(Int::U8), false),
            Some("uint16") => (Kind::Int(Int::U16), false),
            _ => (Kind::Int(Int::I32), logical == Some(Logical::Date)),
        },
        Primitive::Long => match exact {
            Some("uint32") => (Kind::Int(Int::U32), false),
            Some("uint64") => (Kind::Int(Int::U64), false),
            _ => (Kind::Int(Int::I64), matches!(logical, Some(Logical::Timestamp(_)))),
        },
        Primitive::Float => (Kind::Float(Float::F32), false),
        Primitive::Double => (Kind::Float(Float::F64), logical == Some(Logical::Number)),
        Primitive::Bytes => (Kind::Bytes, false),
        Primitive::String if exact == Some("any") => (Kind::Any, false),
        Primitive::String => (Kind::String, true),
    };
    let logical = logical.filter(|_| fits);
    // What Avro would write in another way was not meant so, and stays what it is.
    let logical = logical.filter(|&logical| own.is_none() || super::super::lower::is_own(primitive, logical));
    let taken = if own.is_some() && logical.is_some() { &[attribute::LOGICAL_TYPE][..] } else { &[] };
    Type { kind, logical, notes: take_notes(attributes, taken) }
}

pub(super) fn fixed(name: &str, size: u32, attributes: &Attributes) -> Type {
    let uuid = size == 16 && is(attributes, attribute::LOGICAL_TYPE, "uuid");
    let logical = uuid.then_some(Logical::Uuid);
    let mut own = vec![attribute::TYPE_ALIASES];
    own.extend(uuid.then_some(attribute::LOGICAL_TYPE));
    let mut notes = Notes::default();
    if attributes.get(attribute::GENERATED).is_none() {
        notes.set(notes::NAME, name);
    }
    aliases(attributes, &mut notes);
    notes.extend(&take_notes(attributes, &own));
    Type { kind: Kind::Fixed(size), logical, notes }
}

/// The keys of a map.
pub(super) fn key(about: Option<&Json>) -> Type {
    let text = about.and_then(|about| about.get("logical")?.as_str());
    let logical = text.and_then(logical_by_name);
    Type { kind: Kind::String, logical, notes: notes_of(about.and_then(|about| about.get("notes"))) }
}

/// Aliases of a named type.
pub(super) fn aliases(attributes: &Attributes, notes: &mut Notes) {
    if let Some(aliases) = attributes.get(attribute::TYPE_ALIASES).filter(|aliases| aliases.is_array()) {
        notes.set(notes::ALIASES, aliases.to_string());
    }
}

fn logical_by_name(name: &str) -> Option<Logical> {
    Some(match name {
        "uuid" => Logical::Uuid,
        "date" => Logical::Date,
        "timestamp-seconds" => Logical::Timestamp(Unit::Seconds),
        "timestamp-millis" => Logical::Timestamp(Unit::Millis),
        "timestamp-micros" => Logical::Timestamp(Unit::Micros),
        "timestamp-nanos" => Logical::Timestamp(Unit::Nanos),
        "number" => Logical::Number,
        "base64" => Logical::Base64,
        _ => return None,
    })
}
