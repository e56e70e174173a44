//! FlatBuffers: fields are found by their ids, at places that both sides must know, and values have no types with them.

mod forms;
mod names;
mod wire;

use crate::rule::{Engine, Ruleset};

use super::{by_number, parts_by_number, plain_reader};

pub(super) static RULES: Ruleset = Ruleset {
    format: "flatbuffers",
    title: "FlatBuffers",
    variant: "flatbuffers",
    extension: "fbs",
    engine: Engine::Types,
    rules: &[
        wire::FIELD_ID,
        wire::ID_REUSED,
        wire::FIELD_FORM,
        wire::VALUE_RANGE,
        wire::STRUCT,
        wire::DEFAULT,
        wire::UNION_MEMBER,
        wire::REQUIRED_UNION,
        wire::ONEOF,
        names::FIELD_NAME,
        names::SYMBOL_NAME,
        names::FIELD_REMOVED,
        names::TYPE_REMOVED,
        names::FIELD_TYPE_NAME,
        names::PRESENCE,
    ],
    match_field: by_number,
    inside: parts_by_number,
    symbols_by_name: false,
    absent_is_default: true,
    any_type_is_root: true,
    groups: None,
    substitute: None,
    reader: plain_reader,
};
