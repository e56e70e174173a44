//! Rules about numbers.

use std::cmp::Ordering::{Equal, Greater, Less};

use super::facts::Kinds;
use super::number::Num;
use super::prove::Asked;
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const MINIMUM: Rule = Rule {
    name: "minimum",
    title: "A lower bound of numbers does not rise",
    level: Level::Wire,
    why: "Readers refuse numbers below `minimum` and up to `exclusiveMinimum`. Such a bound may be lowered or dropped, but \
          not raised or added.",
    check: Check::Documents(minimum),
};

fn minimum(at: &mut Asked<'_, '_>) {
    for (keyword, exclusive) in [("minimum", false), ("exclusiveMinimum", true)] {
        let Some(bound) = at.keyword(keyword, Kinds::NUMBER).and_then(|bound| Num::at(bound.node())) else { continue };
        let low = at.facts.low();
        let implied = low.is_some_and(|(low, excluded)| {
            if at.facts.kinds.has(Kinds::FRACTION) {
                match low.cmp(bound) {
                    Greater => true,
                    Equal => excluded || !exclusive,
                    Less => false,
                }
            } else {
                match low.integer_from(excluded).cmp(bound) {
                    Greater => true,
                    Equal => !exclusive,
                    Less => false,
                }
            }
        });
        if implied || at.holds_for_all_values(keyword) {
            continue;
        }
        let was = low.map_or("nothing says how small numbers may be".to_owned(), |(low, excluded)| {
            format!("numbers {} {} are allowed", if excluded { "above" } else { "from" }, low.to_json())
        });
        let bounds = if exclusive { "above" } else { "from" };
        let what = format!("{was}, and readers take only those {bounds} {}", bound.to_json());
        let fix = format!("keep the old bound, or leave {keyword:?} out");
        let facts = at.facts.only(Kinds::NUMBER);
        let below = below(bound);
        at.broken(keyword, what, fix).facts(facts).provoke(below);
    }
}

pub(super) const MAXIMUM: Rule = Rule {
    name: "maximum",
    title: "An upper bound of numbers does not fall",
    level: Level::Wire,
    why: "Readers refuse numbers above `maximum` and from `exclusiveMaximum` on. Such a bound may be raised or dropped, but \
          not lowered or added.",
    check: Check::Documents(maximum),
};

fn maximum(at: &mut Asked<'_, '_>) {
    for (keyword, exclusive) in [("maximum", false), ("exclusiveMaximum", true)] {
        let Some(bound) = at.keyword(keyword, Kinds::NUMBER).and_then(|bound| Num::at(bound.node())) else { continue };
        let high = at.facts.high();
        let implied = high.is_some_and(|(high, excluded)| {
            if at.facts.kinds.has(Kinds::FRACTION) {
                match high.cmp(bound) {
                    Less => true,
                    Equal => excluded || !exclusive,
                    Greater => false,
                }
            } else {
                match high.integer_to(excluded).cmp(bound) {
                    Less => true,
                    Equal => !exclusive,
                    Greater => false,
                }
            }
        });
        if implied || at.holds_for_all_values(keyword) {
            continue;
        }
        let was = high.map_or("nothing says how large numbers may be".to_owned(), |(high, excluded)| {
            format!("numbers {} {} are allowed", if excluded { "below" } else { "up to" }, high.to_json())
        });
        let bounds = if exclusive { "below" } else { "up to" };
        let what = format!("{was}, and readers take only those {bounds} {}", bound.to_json());
        let fix = format!("keep the old bound, or leave {keyword:?} out");
        let facts = at.facts.only(Kinds::NUMBER);
        at.broken(keyword, what, fix).facts(facts).provoke(above(bound));
    }
}

/// Numbers at and below a bound, the largest first.
fn below(bound: Num) -> Vec<serde_json::Value> {
    match bound {
        Num::Int(int) => {
            vec![Num::Int(int - 1).to_json(), Num::Int(int).to_json(), Num::Float(int as f64 - 0.5).to_json()]
        }
        Num::Float(float) => vec![Num::Float(float.floor()).to_json(), Num::Float(float).to_json()],
    }
}

/// Numbers at and above a bound, the smallest first.
fn above(bound: Num) -> Vec<serde_json::Value> {
    match bound {
        Num::Int(int) => {
            vec![Num::Int(int + 1).to_json(), Num::Int(int).to_json(), Num::Float(int as f64 + 0.5).to_json()]
        }
        Num::Float(float) => vec![Num::Float(float.ceil()).to_json(), Num::Float(float).to_json()],
    }
}

pub(super) const MULTIPLE_OF: Rule = Rule {
    name: "multiple-of",
    title: "Numbers are multiples of what they were multiples of, or less",
    level: Level::Wire,
    why: "Readers refuse numbers that are not multiples of `multipleOf`. It may become a divisor of what it was (from 10 to \
          5), or be dropped.",
    check: Check::Documents(multiple_of),
};

fn multiple_of(at: &mut Asked<'_, '_>) {
    let Some(read) = at.keyword("multipleOf", Kinds::NUMBER).and_then(|of| Num::at(of.node())) else { return };
    let whole = (!at.facts.kinds.has(Kinds::FRACTION)).then_some(Num::Int(1));
    let written = at.facts.with("multipleOf").filter_map(|(_, of)| Num::at(of.node()));
    let all: Vec<Num> = written.chain(whole).collect();
    if all.iter().any(|written| written.is_multiple_of(read)) || at.holds_for_all_values("multipleOf") {
        return;
    }
    let was = match all.first() {
        Some(first) => format!("numbers are multiples of {}", first.to_json()),
        None => "any number is allowed".to_owned(),
    };
    let what = format!("{was}, and readers take only multiples of {}", read.to_json());
    let facts = at.facts.only(Kinds::NUMBER);
    let provoke = all.first().map(|first| first.to_json());
    at.broken("multipleOf", what, "keep the old step, or take a divisor of it").facts(facts).provoke(provoke);
}
