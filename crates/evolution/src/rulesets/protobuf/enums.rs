//! Rules about enums and unions.

use crate::mode::Level;
use crate::rule::{Check, Rule};

use super::super::shared;

pub(super) const CLOSED_ENUM: Rule = Rule {
    name: "closed-enum",
    title: "A closed enum has every number that writers use",
    level: Level::Wire,
    why: "Readers of a closed enum (those of proto2) treat a number that they do not know as if the field were not there. Open \
          enums keep it.",
    check: Check::Enums(shared::closed_enum),
};

pub(super) const UNION_BRANCH: Rule = Rule {
    name: "union-branch",
    title: "A union has every branch that writers use",
    level: Level::Wire,
    why: "A union is a message with a `oneof`. A branch that the reader does not know is skipped, and then the union has no \
          value at all.",
    check: Check::Unions(shared::union_branch),
};
