//! One folder per format.

mod avro;
mod capnp;
mod flatbuffers;
pub mod json_schema;
mod protobuf;
mod shared;
mod thrift;

use wirewise_core::{Kind, Record, Schema, TypeId};

use crate::rule::{Hop, Meeting, Ruleset};

/// Every ruleset.
pub const RULESETS: &[&Ruleset] =
    &[&protobuf::RULES, &flatbuffers::RULES, &capnp::RULES, &thrift::RULES, &avro::RULES, &json_schema::RULES];

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

/// Parts of two types of one kind; branches of unions by number. One value and a list are also a pair: it is read as a list
/// of one, or the list as its last.
fn parts_by_number(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Vec<Meeting> {
    match (writer.kind(from), reader.kind(to)) {
        (Kind::List(written), Kind::List(read)) => vec![Meeting::of(Hop::Item, *written, *read)],
        (Kind::Map(_, written), Kind::Map(_, read)) => vec![Meeting::of(Hop::Value, *written, *read)],
        (Kind::List(written), _) => vec![Meeting::of(Hop::Item, *written, to)],
        (_, Kind::List(read)) => vec![Meeting::of(Hop::AsItem, from, *read)],
        (Kind::Union(written), Kind::Union(read)) => {
            let inside = written.branches.iter().enumerate().filter_map(|(position, branch)| {
                let other = read.branches.iter().position(|other| other.number == branch.number)?;
                let types = (branch.ty, read.branches[other].ty);
                Some(Meeting { hop: Some(Hop::Branch(position)), types, branches: (Some(position), Some(other)) })
            });
            inside.collect()
        }
        _ => Vec::new(),
    }
}

/// A reader that needs to know nothing of the writer: fields are found by number.
fn plain_reader(
    _: &std::sync::Arc<Schema>,
    reader: &std::sync::Arc<Schema>,
    variant: &str,
) -> wirewise_core::Result<Box<dyn wirewise_formats::Codec>> {
    wirewise_formats::plan(variant, reader)
}
