//! Rules about what a value is.

use std::collections::HashSet;

use serde_json::Value as Json;
use wirewise_core::json::Node;

use super::facts::Kinds;
use super::number::canonical;
use super::prove::Asked;
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const TYPE: Rule = Rule {
    name: "type",
    title: "A value may be everything that it was",
    level: Level::Wire,
    why: "`type` says what a value may be. Readers refuse what is not in it. A type may be widened, as from `integer` to \
          `number` or by adding `null`, but not narrowed or changed: JSON has no conversions between types.",
    check: Check::Documents(value_type),
};

fn value_type(at: &mut Asked<'_, '_>) {
    let Some(keyword) = at.keyword("type", Kinds::ALL) else { return };
    let read = Kinds::of_type(at.reader);
    let mut refused = at.facts.kinds.without(read);
    if refused.is_none() || at.holds_for_all_values("type") {
        return;
    }
    refused = at.prover.possible_kinds(&at.facts.only(refused));
    // An integer is a number that happens to have no fraction.
    if at.facts.values(at.sides()).is_none() && refused == Kinds::FRACTION && at.facts.layers.iter().any(whole_numbers)
    {
        return;
    }
    if refused.is_none() {
        return;
    }
    let what = format!("the value may be {}, and readers take only {}", refused.describe(), read.describe());
    let fix = match keyword.node().as_str() {
        Some(name) => format!("keep the old types beside {name:?}: {:?} may be a list", "type"),
        None => "keep the old types in the list".to_owned(),
    };
    let facts = at.facts.only(refused);
    at.broken("type", what, fix).facts(facts);
}

/// Whether a schema has only multiples of a whole number.
fn whole_numbers(layer: &super::sides::Spot<'_>) -> bool {
    let multiple = layer.get("multipleOf").and_then(|of| super::number::Num::at(of.node()));
    multiple.is_some_and(|of| of.is_multiple_of(super::number::Num::Int(1)))
}

pub(super) const ENUM: Rule = Rule {
    name: "enum",
    title: "An enum keeps its values",
    level: Level::Wire,
    why: "Readers refuse a value that is not in the `enum`. Values may be added to it, but not taken from it; and where any \
          value was allowed, an `enum` cannot be added.",
    check: Check::Documents(|at| one_of_these(at, "enum")),
};

pub(super) const CONST: Rule = Rule {
    name: "const",
    title: "A constant stays the same",
    level: Level::Wire,
    why: "Readers refuse every value but the one that `const` says.",
    check: Check::Documents(|at| one_of_these(at, "const")),
};

fn one_of_these(at: &mut Asked<'_, '_>, keyword: &str) {
    let Some(allowed) = at.keyword(keyword, Kinds::ALL) else { return };
    let allowed: Vec<Json> = match keyword {
        "enum" => allowed.node().as_array().unwrap_or_default().iter().map(Node::to_json).collect(),
        _ => vec![allowed.node().to_json()],
    };
    let allowed: HashSet<String> = allowed.iter().map(canonical).collect();
    let is_allowed = |value: &Json| allowed.contains(&canonical(value));
    match at.facts.values(at.sides()) {
        Some(values) => {
            let refused: Vec<Json> = values.into_iter().filter(|value| !is_allowed(value)).collect();
            if let Some(first) = refused.first() {
                let more = match refused.len() {
                    1 => String::new(),
                    count => format!(" (and {} more)", count - 1),
                };
                let what = format!("the value may be {first}{more}, which is not what {keyword:?} says");
                let fix = format!("keep {first} in an {:?}, also where nobody writes it any more", "enum");
                at.broken(keyword, what, fix).provoke(refused);
            }
        }
        None => {
            let possible = at.prover.possible_kinds(at.facts);
            let what =
                format!("the value may be {}, and readers take only what {keyword:?} lists", possible.describe());
            at.broken(keyword, what, format!("leave {keyword:?} out, or let writers have it long before readers"));
        }
    }
}

pub(super) const NOTHING: Rule = Rule {
    name: "nothing-allowed",
    title: "A schema that allowed something is not false",
    level: Level::Wire,
    why: "Nothing is valid under the schema `false`. Where it stands as the schema of the document, or of an element, \
          every value there is refused.",
    check: Check::Documents(nothing),
};

fn nothing(at: &mut Asked<'_, '_>) {
    if at.reader.node().as_bool() == Some(false) {
        let possible = at.prover.possible_kinds(at.facts);
        let what = format!("there may be {}, and readers allow nothing there", possible.describe());
        at.broken("", what, "keep a schema that allows what is written");
    }
}
