//! Protocol Buffers: what its language guide and its encoding say about updating messages.

mod enums;
mod fields;
mod json;
mod source;
mod types;

use crate::rule::{Engine, Ruleset};

use super::{by_number, parts_by_number, plain_reader};

pub(super) static RULES: Ruleset = Ruleset {
    format: "protobuf",
    title: "Protocol Buffers",
    variant: "protobuf",
    extension: "proto",
    engine: Engine::Types,
    rules: &[
        types::FIELD_TYPE,
        types::VALUE_RANGE,
        types::CARDINALITY,
        fields::FIELD_REQUIRED,
        fields::FIELD_NOT_ALWAYS_WRITTEN,
        fields::DEFAULT,
        fields::ONEOF,
        enums::CLOSED_ENUM,
        json::FIELD_NAME,
        json::SYMBOL_NAME,
        json::JSON_TYPE,
        source::TYPE_REMOVED,
        source::FIELD_REMOVED,
        source::RESERVED,
        source::TYPE_NAME,
        source::PRESENCE,
        source::ONEOF_MEMBER,
        source::SYMBOL_REMOVED,
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
