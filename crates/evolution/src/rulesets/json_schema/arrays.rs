//! Rules about arrays.

use super::facts::Kinds;
use super::number::count;
use super::prove::{Asked, Hop};
use super::sides::Draft;
use super::strings::{least, most};
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const MIN_ITEMS: Rule = Rule {
    name: "min-items",
    title: "The least number of elements does not grow",
    level: Level::Wire,
    why: "Readers refuse arrays with fewer elements than `minItems`.",
    check: Check::Documents(|at| least(at, "minItems", Kinds::ARRAY, "elements")),
};

pub(super) const MAX_ITEMS: Rule = Rule {
    name: "max-items",
    title: "The greatest number of elements does not shrink",
    level: Level::Wire,
    why: "Readers refuse arrays with more elements than `maxItems`.",
    check: Check::Documents(|at| {
        let known = at.sides().most_items(at.facts);
        most(at, "maxItems", Kinds::ARRAY, "elements", known);
    }),
};

pub(super) const UNIQUE_ITEMS: Rule = Rule {
    name: "unique-items",
    title: "Elements that may be equal stay so",
    level: Level::Wire,
    why: "With `uniqueItems` readers refuse an array that has the same value twice.",
    check: Check::Documents(unique_items),
};

fn unique_items(at: &mut Asked<'_, '_>) {
    let wanted = at.keyword("uniqueItems", Kinds::ARRAY).is_some_and(|unique| unique.node().as_bool() == Some(true));
    let unique = at.facts.with("uniqueItems").any(|(_, unique)| unique.node().as_bool() == Some(true));
    if wanted && !unique && at.sides().most_items(at.facts) > 1 && !at.holds_for_all_values("uniqueItems") {
        let facts = at.facts.only(Kinds::ARRAY);
        at.broken(
            "uniqueItems",
            "an array may have a value twice, and readers refuse that",
            "leave \"uniqueItems\" out",
        )
        .facts(facts);
    }
}

pub(super) const CONTAINS: Rule = Rule {
    name: "contains",
    title: "An array need not contain more than before",
    level: Level::Wire,
    why: "Readers refuse an array without an element that is valid under `contains`, with fewer of them than `minContains`, \
          or more than `maxContains`.",
    check: Check::Documents(contains),
};

fn contains(at: &mut Asked<'_, '_>) {
    let Some(schema) = at.keyword("contains", Kinds::ARRAY) else { return };
    let new = at.draft() >= Draft::Draft2019;
    let number = |spot: super::sides::Spot<'_>, keyword: &str| {
        spot.get(keyword).filter(|_| new).and_then(|value| count(value.node()))
    };
    let (least, most) = (number(at.reader, "minContains").unwrap_or(1), number(at.reader, "maxContains"));
    let facts = at.facts.only(Kinds::ARRAY);
    if least > 0 {
        let written: Vec<_> = facts.with("contains").collect();
        let mut proven = false;
        for (layer, contained) in written {
            let promised = match at.sides().draft(layer) {
                Draft::Draft07 => 1,
                _ => layer.get("minContains").and_then(|value| count(value.node())).unwrap_or(1),
            };
            proven |= promised >= least
                && at.prover.fails(|prover| prover.inside(Hop::AnyItem(0), &[contained], schema)).is_none();
        }
        // Where every element is what is wanted, enough elements are enough.
        if !proven && facts.at_least("minItems") >= least {
            let prefix = at.sides().prefix_len(&facts);
            proven = (0..=prefix).all(|place| {
                let schemas = at.sides().item(&facts, place);
                at.prover.fails(|prover| prover.inside(Hop::Item(place), &schemas, schema)).is_none()
            });
        }
        if !proven {
            let what = format!("an array need not contain what readers want {least} of");
            at.broken("contains", what, "leave \"contains\" as it was").facts(facts.clone());
        }
    }
    if let Some(most) = most {
        let same = facts.with("contains").any(|(layer, contained)| {
            at.sides().draft(layer) >= Draft::Draft2019
                && layer.get("maxContains").and_then(|value| count(value.node())).is_some_and(|written| written <= most)
                && at.sides().same(contained, schema)
        });
        if !same && at.sides().most_items(&facts) > most {
            let what = format!("an array may contain more of this than {most}, which is all that readers take");
            at.broken("maxContains", what, "leave \"maxContains\" as it was").facts(facts);
        }
    }
}

pub(super) const ITEM_ADDED: Rule = Rule {
    name: "item-added-to-open",
    title: "An element that was open gets no schema of its own",
    level: Level::Wire,
    why: "In an array with a schema for each of its first elements, those after them may be anything, unless the schema says \
          otherwise. A schema for one more element then refuses what was allowed there. If elements after the first are \
          closed (`items: false`, in draft-07 `additionalItems: false`), one more may be added.",
    check: Check::Documents(item_added),
};

fn item_added(at: &mut Asked<'_, '_>) {
    if !at.facts.kinds.has(Kinds::ARRAY) {
        return;
    }
    let facts = at.facts.only(Kinds::ARRAY);
    let written = at.sides().prefix_len(&facts);
    for (place, node) in at.sides().prefix(at.reader).iter().enumerate().skip(written) {
        if place as u64 >= at.sides().most_items(&facts) {
            return;
        }
        let (schemas, schema) = (at.sides().item(&facts, place), at.reader.to(node));
        if let Some(inner) = at.prover.fails(|prover| prover.inside(Hop::Item(place), &schemas, schema)) {
            let what =
                format!("the element {place} gets a schema, and so far others were allowed: {}", Asked::inner(&inner));
            at.broken("", what, "close the array first, and add elements after all readers know that")
                .reader(schema)
                .hop(Hop::Item(place))
                .because_of(inner);
        }
    }
}

pub(super) const ITEM_REMOVED: Rule = Rule {
    name: "item-removed",
    title: "An element with a schema of its own still has room",
    level: Level::Wire,
    why: "When the schema of one of the first elements is removed, the schema for all others counts for it. Readers refuse the \
          element where that one is `false`, or does not cover what it was.",
    check: Check::Documents(item_removed),
};

fn item_removed(at: &mut Asked<'_, '_>) {
    if !at.facts.kinds.has(Kinds::ARRAY) {
        return;
    }
    let Some(rest) = at.sides().rest(at.reader) else { return };
    let facts = at.facts.only(Kinds::ARRAY);
    for place in at.sides().prefix(at.reader).len()..at.sides().prefix_len(&facts) {
        if place as u64 >= at.sides().most_items(&facts) {
            return;
        }
        let schemas = at.sides().item(&facts, place);
        if at.prover.nothing_inside(&schemas) {
            continue;
        }
        if let Some(inner) = at.prover.fails(|prover| prover.inside(Hop::Item(place), &schemas, rest)) {
            let what = format!(
                "the element {place} has no schema any more, and that of others refuses it: {}",
                Asked::inner(&inner)
            );
            let report = at.broken("", what, "keep its schema, or allow it with that of other elements").reader(rest);
            let report = match schemas.first() {
                Some(written) => report.writer(*written),
                None => report,
            };
            report.hop(Hop::Item(place)).because_of(inner);
        }
    }
}

pub(super) const ITEMS: Rule = Rule {
    name: "items",
    title: "Elements may be everything that they were",
    level: Level::Wire,
    why: "`items` is the schema of all elements, or of those after the first ones. Readers refuse an array with an element \
          that is not valid under it.",
    check: Check::Documents(items),
};

fn items(at: &mut Asked<'_, '_>) {
    if !at.facts.kinds.has(Kinds::ARRAY) {
        return;
    }
    let Some(rest) = at.sides().rest(at.reader) else { return };
    let facts = at.facts.only(Kinds::ARRAY);
    let place = at.sides().prefix(at.reader).len().max(at.sides().prefix_len(&facts));
    if at.sides().most_items(&facts) <= place as u64 {
        return;
    }
    let schemas = at.sides().item(&facts, place);
    if at.prover.nothing_inside(&schemas) {
        return;
    }
    let hop = Hop::AnyItem(place);
    if let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, rest)) {
        // Where both have a schema, what differs inside is what there is to say.
        match inner {
            Some(_) if !schemas.is_empty() && rest.object().is_some() => {
                at.prover.inside(hop, &schemas, rest);
            }
            inner => {
                let what = format!("elements are not restricted so far as readers do: {}", Asked::inner(&inner));
                at.broken("items", what, "leave elements as open as they were").reader(rest).hop(hop).because_of(inner);
            }
        }
    }
}

pub(super) const UNEVALUATED_ITEMS: Rule = Rule {
    name: "unevaluated-items",
    title: "What no other schema looks at stays allowed in arrays",
    level: Level::Wire,
    why: "`unevaluatedItems` is the schema of elements that no other schema at the same place has looked at. Which those are \
          may depend on the array; where it does, a change is not proven safe.",
    check: Check::Documents(unevaluated_items),
};

fn unevaluated_items(at: &mut Asked<'_, '_>) {
    if at.draft() == Draft::Draft07 {
        return;
    }
    let Some(schema) = at.keyword("unevaluatedItems", Kinds::ARRAY) else { return };
    let known = at.sides().rest(at.reader).is_some();
    if known || schema.node().as_bool() == Some(true) || at.sides().most_items(at.facts) == 0 {
        return;
    }
    let facts = at.facts.only(Kinds::ARRAY);
    let what = "which elements no other schema looks at may differ: it is not proven that readers take them all";
    at.broken("unevaluatedItems", what, "leave the schema as it was, or say it with \"items\"").facts(facts);
}
