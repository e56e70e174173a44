//! One folder per format.

mod flatbuffers;
pub mod json_schema;
mod protobuf;
mod shared;
mod thrift;

use wirewise_core::{Record, Schema};

use crate::rule::Ruleset;

/// Every ruleset.
pub const RULESETS: &[&Ruleset] = &[&protobuf::RULES, &flatbuffers::RULES, &thrift::RULES, &json_schema::RULES];

/// The rules of this format. Those of JSON are the rules of JSON Schema.
pub fn find(format: &str) -> Option<&'static Ruleset> {
    RULESETS.iter().find(|ruleset| ruleset.format == format || ruleset.variant == format).copied()
}

/// The reader's field with the name of the writer's.
fn by_name(_: &Schema, written: &Record, position: usize, _: &Schema, read: &Record) -> Option<usize> {
    read.fields.iter().position(|field| field.name == written.fields[position].name)
}

/// The reader's field with the number of the writer's.
fn by_number(_: &Schema, written: &Record, position: usize, _: &Schema, read: &Record) -> Option<usize> {
    read.position_of_number(written.fields[position].number)
}

/// A reader that needs to know nothing of the writer: fields are found by number.
fn plain_reader(
    _: &std::sync::Arc<Schema>,
    reader: &std::sync::Arc<Schema>,
    variant: &str,
) -> wirewise_core::Result<Box<dyn wirewise_formats::Codec>> {
    wirewise_formats::plan(variant, reader)
}
