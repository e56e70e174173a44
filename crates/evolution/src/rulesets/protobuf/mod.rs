//! Protocol Buffers: what its language guide and its encoding say about updating messages.

mod fields;
mod types;

use crate::rule::Ruleset;

use super::{by_number, plain_reader};

pub(super) static RULES: Ruleset = Ruleset {
    format: "protobuf",
    title: "Protocol Buffers",
    variant: "protobuf",
    extension: "proto",
    rules: &[types::FIELD_TYPE, fields::FIELD_REQUIRED],
    match_field: by_number,
    symbols_by_name: false,
    absent_is_default: true,
    any_type_is_root: true,
    reader: plain_reader,
};
