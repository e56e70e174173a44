//! Thrift: fields are found by their numbers and carry the type that they were written as.

mod source;
mod wire;

use crate::rule::{Engine, Ruleset};

use super::{by_number, parts_by_number, plain_reader};

pub(super) static RULES: Ruleset = Ruleset {
    format: "thrift",
    title: "Apache Thrift",
    variant: "thrift-compact",
    extension: "thrift",
    engine: Engine::Types,
    rules: &[
        wire::FIELD_TYPE,
        wire::VALUE_RANGE,
        wire::FIELD_REQUIRED,
        wire::FIELD_NOT_ALWAYS_WRITTEN,
        wire::UNION_FIELD,
        wire::ONEOF,
        source::FIELD_NAME,
        source::FIELD_REMOVED,
        source::FIELD_TYPE_NAME,
        source::REQUIREDNESS,
        source::DEFAULT,
        source::SYMBOL_NAME,
        source::SYMBOL_REMOVED,
        source::TYPE_REMOVED,
    ],
    match_field: by_number,
    inside: parts_by_number,
    symbols_by_name: false,
    absent_is_default: false,
    any_type_is_root: true,
    groups: None,
    substitute: None,
    reader: plain_reader,
};
