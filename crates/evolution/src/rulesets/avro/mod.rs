//! Avro: what its specification calls schema resolution.
//!
//! There are no rules about JSON. Avro's JSON form is read with the writer's schema and then resolved, as its bytes are, so
//! that what is safe for the one is safe for the other.

mod defaults;
mod enums;
mod fields;
mod matching;
mod resolves;
mod source;
mod types;
mod unions;

use std::sync::Arc;

use wirewise_core::{Result, Schema};
use wirewise_formats::Codec;

use crate::rule::{Engine, Ruleset};

pub(super) static RULES: Ruleset = Ruleset {
    format: "avro",
    title: "Apache Avro",
    variant: "avro",
    extension: "avsc",
    engine: Engine::Types,
    rules: &[
        types::TYPE,
        types::TYPE_NAME,
        types::FIXED_SIZE,
        types::DECIMAL,
        types::BYTES_AS_STRING,
        types::EXACT_TYPE,
        unions::BRANCH,
        unions::NULL,
        fields::WITHOUT_DEFAULT,
        fields::INVALID_DEFAULT,
        fields::ONEOF_JOINED,
        fields::ONEOF_REQUIRED,
        enums::SYMBOL,
        source::TYPE_RENAMED,
        source::TYPE_REMOVED,
        source::FIELD_RENAMED,
        source::FIELD_REMOVED,
        source::FIELD_TYPE,
        source::LOGICAL_TYPE,
        source::DEFAULT_REMOVED,
        source::DEFAULT_CHANGED,
        source::ALIAS_REMOVED,
        enums::SYMBOL_REMOVED,
        enums::SYMBOL_AS_DEFAULT,
        enums::DEFAULT_SYMBOL,
    ],
    match_field: matching::field,
    inside: matching::inside,
    symbols_by_name: true,
    absent_is_default: false,
    any_type_is_root: false,
    reader,
    groups: None,
    substitute: Some(|schema, ty| schema.type_notes(ty).get(wirewise_formats::avro::notes::DEFAULT)),
};

/// Avro's readers need the writer's schema.
fn reader(writer: &Arc<Schema>, reader: &Arc<Schema>, variant: &str) -> Result<Box<dyn Codec>> {
    let (_, variant) = wirewise_formats::find(variant)?;
    wirewise_formats::avro::resolve(writer, reader, variant)
}
