//! Rules about enums.

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
