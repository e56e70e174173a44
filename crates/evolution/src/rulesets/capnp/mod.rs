//! Cap'n Proto: fields are found by their places, which follow from the numbers and types of all fields before them.

mod enums;
mod forms;
mod places;
mod source;
mod structs;
mod types;
mod unions;

use wirewise_core::{Kind, Schema, TypeId};

use crate::groups::same_branch;
use crate::rule::{Engine, Hop, Meeting, Ruleset};

use super::{by_number, plain_reader};

pub(super) static RULES: Ruleset = Ruleset {
    format: "capnp",
    title: "Cap'n Proto",
    variant: "capnp",
    extension: "capnp",
    engine: Engine::Types,
    rules: &[
        places::FIELD_PLACE,
        places::PLACE_REUSED,
        types::FIELD_TYPE,
        types::VALUE_RANGE,
        types::LIST_ELEMENT,
        places::DEFAULT,
        unions::UNION_MOVE,
        unions::UNION_MEMBER,
        enums::ENUMERANT,
        source::FIELD_NUMBER,
        source::FIELD_NAME,
        source::ENUMERANT_NAME,
        source::FIELD_REMOVED,
        source::ENUMERANT_REMOVED,
        source::TYPE_REMOVED,
        source::TYPE_ID,
        source::FIELD_TYPE_NAME,
        source::GROUP,
    ],
    // Where fields may be in groups, the walk itself finds their counterparts.
    match_field: by_number,
    inside: parts,
    symbols_by_name: false,
    absent_is_default: true,
    any_type_is_root: true,
    groups: Some(wirewise_formats::capnp::shape::is_group),
    substitute: None,
    reader: plain_reader,
};

/// Parts of two types of one kind. Of elements that became structs the walk knows.
fn parts(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Vec<Meeting> {
    match (writer.kind(from), reader.kind(to)) {
        (Kind::List(written), Kind::List(read)) => vec![Meeting::of(Hop::Item, *written, *read)],
        (Kind::Map(_, written), Kind::Map(_, read)) => vec![Meeting::of(Hop::Value, *written, *read)],
        (Kind::Union(written), Kind::Union(read)) => {
            let inside = (0..written.branches.len()).filter_map(|position| {
                let other = same_branch(written, position, read)?;
                let types = (written.branches[position].ty, read.branches[other].ty);
                Some(Meeting { hop: Some(Hop::Branch(position)), types, branches: (Some(position), Some(other)) })
            });
            inside.collect()
        }
        _ => Vec::new(),
    }
}
