//! JSON Schema: whatever is valid under the writer's schema must be valid under the reader's.
//!
//! A JSON Schema is a set of constraints, of which types are only one; so these rules are about the schema files
//! themselves. `prove` walks the reader's and asks the rules whether each of its keywords follows from what the writer's
//! say (`facts`). What a rule finds is shown by a document from `generate`, and `judge`, a validator that knows
//! nothing of all this, has the last word.

mod arrays;
mod check;
mod combined;
mod facts;
mod generate;
mod judge;
mod keywords;
mod loops;
mod number;
mod numbers;
mod objects;
mod pattern;
mod places;
mod prove;
mod sides;
mod source;
mod strings;
mod values;

pub use check::Crossing;
pub use generate::Generator;
pub use judge::{Judge, Problem};
pub use prove::Asked;

pub(crate) use check::{Broken, Pair, find};

use super::{by_name, parts_by_number, plain_reader};
use crate::rule::{Engine, Ruleset};

pub(super) static RULES: Ruleset = Ruleset {
    format: "json-schema",
    title: "JSON Schema",
    variant: "json",
    extension: "json",
    engine: Engine::Documents,
    rules: &[
        values::TYPE,
        values::ENUM,
        values::CONST,
        values::NOTHING,
        numbers::MINIMUM,
        numbers::MAXIMUM,
        numbers::MULTIPLE_OF,
        strings::MIN_LENGTH,
        strings::MAX_LENGTH,
        strings::PATTERN,
        strings::CONTENT,
        arrays::MIN_ITEMS,
        arrays::MAX_ITEMS,
        arrays::UNIQUE_ITEMS,
        arrays::CONTAINS,
        arrays::ITEMS,
        arrays::ITEM_ADDED,
        arrays::ITEM_REMOVED,
        arrays::UNEVALUATED_ITEMS,
        objects::REQUIRED,
        objects::PROPERTY_ADDED,
        objects::PROPERTY_REMOVED,
        objects::ADDITIONAL_PROPERTIES,
        objects::PATTERN_PROPERTIES,
        objects::PROPERTY_NAMES,
        objects::MIN_PROPERTIES,
        objects::MAX_PROPERTIES,
        objects::DEPENDENCIES,
        combined::ANY_OF,
        combined::ONE_OF,
        combined::NOT,
        combined::CONDITION,
        combined::UNKNOWN,
        combined::UNDECIDED,
        strings::FORMAT,
        source::PROPERTY_REMOVED,
        source::DEFINITION_REMOVED,
        source::DEFAULT,
        source::ID,
    ],
    match_field: by_name,
    inside: parts_by_number,
    symbols_by_name: true,
    absent_is_default: false,
    any_type_is_root: false,
    groups: None,
    substitute: None,
    reader: plain_reader,
};
