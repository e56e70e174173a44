//! Rules about objects.

use serde_json::Value as Json;
use wirewise_core::json::Node;

use super::facts::{Facts, Kinds};
use super::prove::{Asked, Hop, distinct};
use super::sides::{Draft, Spot};
use super::strings::{least_known, most};
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const REQUIRED: Rule = Rule {
    name: "required",
    title: "A property that readers require was required before",
    level: Level::Wire,
    why: "Readers refuse an object without a property that is `required`. A `default` does not help: validators do not fill \
          it in. (Some registries call a required property with a default compatible; the document is refused all the same.)",
    check: Check::Documents(required),
};

fn required(at: &mut Asked<'_, '_>) {
    if at.keyword("required", Kinds::OBJECT).is_none() || at.holds_for_all_values("required") {
        return;
    }
    let facts = at.facts.only(Kinds::OBJECT);
    let there = facts.required_names(at.sides());
    for name in distinct(at.reader.texts("required").into_iter()) {
        if there.contains(name) {
            continue;
        }
        let what = match at.sides().names_property(&facts, name) {
            true => format!("the property {name:?} was optional, and readers require it"),
            false => format!("readers require the property {name:?}, which writers do not have"),
        };
        at.broken("required", what, "make it optional").facts(facts.clone());
    }
}

pub(super) const PROPERTY_ADDED: Rule = Rule {
    name: "property-added-to-open",
    title: "A property that was open gets no schema of its own",
    level: Level::Wire,
    why: "By default an object may have any other property with any value: its content is open. A document may already have \
          the property that is added now, with a value that its schema refuses. Where other properties are closed \
          (`additionalProperties: false`), or have a schema that covers the new one, a property may be added.",
    check: Check::Documents(property_added),
};

fn property_added(at: &mut Asked<'_, '_>) {
    if at.keyword("properties", Kinds::OBJECT).is_none() {
        return;
    }
    let facts = at.facts.only(Kinds::OBJECT);
    for member in at.reader.members("properties") {
        let name = member.name.as_str();
        if at.sides().names_property(&facts, name) || !at.sides().name_is_allowed(&facts, name) {
            continue;
        }
        let (schemas, schema) = (at.sides().property(&facts, name), at.reader.to(&member.value));
        let hop = Hop::Property(name.to_owned());
        if let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, schema)) {
            let open = if schemas.is_empty() { "with any value" } else { "with other values" };
            let what =
                format!("the property {name:?} is added, and so far it was allowed {open}: {}", Asked::inner(&inner));
            let fix = "close the object first (\"additionalProperties\": false), and add properties when all readers know that";
            at.broken("properties", what, fix).reader(schema).hop(hop).because_of(inner);
        }
    }
}

pub(super) const PROPERTY_REMOVED: Rule = Rule {
    name: "property-removed-from-closed",
    title: "A property that was written still has room",
    level: Level::Wire,
    why: "When a property is removed from `properties`, what is said of other properties counts for it: readers refuse it where \
          those are closed (`additionalProperties: false`), or have a schema that does not cover it. From an object that is \
          open a property may be removed.",
    check: Check::Documents(property_removed),
};

fn property_removed(at: &mut Asked<'_, '_>) {
    if !at.facts.kinds.has(Kinds::OBJECT) {
        return;
    }
    let facts = at.facts.only(Kinds::OBJECT);
    let own = at.reader.get("properties");
    let named = facts.layers.iter().flat_map(|layer| layer.members("properties").iter().map(|member| (*layer, member)));
    for (layer, member) in named.collect::<Vec<_>>() {
        let name = member.name.as_str();
        if own.is_some_and(|own| own.get(name).is_some()) || !at.sides().name_is_allowed(&facts, name) {
            continue;
        }
        let schemas = at.sides().property(&facts, name);
        if at.prover.nothing_inside(&schemas) {
            continue;
        }
        let read = match at.sides().own_property(at.reader, name) {
            Some(read) => read,
            None => unevaluated(at, name).into_iter().collect(),
        };
        let hop = Hop::Property(name.to_owned());
        for schema in read {
            if let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, schema)) {
                let what = match schema.node().as_bool() {
                    Some(false) => format!("the property {name:?} is gone, and readers allow no others"),
                    _ => {
                        let inner = Asked::inner(&inner);
                        format!("the property {name:?} is gone, and what readers say of others refuses it: {inner}")
                    }
                };
                at.broken("additionalProperties", what, format!("keep {name:?} as an optional property"))
                    .writer(layer.to(&member.value))
                    .reader(schema)
                    .hop(hop.clone())
                    .because_of(inner);
            }
        }
    }
}

/// The schema that `unevaluatedProperties` has for a property, unless some other schema surely looks at it.
fn unevaluated<'a>(at: &Asked<'_, 'a>, name: &str) -> Option<Spot<'a>> {
    let schema = at.reader.get("unevaluatedProperties").filter(|_| at.draft() >= Draft::Draft2019)?;
    let parts = at.sides().conjunction(at.reader);
    let looked_at = |part: &&Spot<'a>| {
        at.sides().own_property(**part, name).is_some()
            || part.key() != at.reader.key() && part.get("unevaluatedProperties").is_some()
    };
    parts.iter().find(looked_at).is_none().then_some(schema)
}

pub(super) const PATTERN_PROPERTIES: Rule = Rule {
    name: "pattern-properties",
    title: "Properties whose names match a pattern may be everything that they were",
    level: Level::Wire,
    why: "`patternProperties` has schemas for all properties whose names match a pattern. Readers refuse an object with such a \
          property that is not valid under it. A pattern that is new is one more restriction.",
    check: Check::Documents(pattern_properties),
};

fn pattern_properties(at: &mut Asked<'_, '_>) {
    if at.keyword("patternProperties", Kinds::OBJECT).is_none() {
        return;
    }
    let facts = at.facts.only(Kinds::OBJECT);
    for member in at.reader.members("patternProperties") {
        let (pattern, schema) = (member.name.as_str(), at.reader.to(&member.value));
        let hop = Hop::AnyProperty(Some(pattern.to_owned()));
        for schemas in at.sides().other_properties(&facts, &[], Some(pattern)) {
            if let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, schema)) {
                let what = format!("properties that match {pattern:?} are refused: {}", Asked::inner(&inner));
                at.broken("patternProperties", what, "leave the pattern out, or keep its schema as it was")
                    .reader(schema)
                    .hop(hop.clone())
                    .because_of(inner);
                break;
            }
        }
        // Properties that only the writer names.
        named_by_writer(at, &facts, |name| at_pattern(pattern, name), schema, "patternProperties");
    }
}

type NameTest<'t> = Box<dyn Fn(&super::sides::Sides<'_>) -> bool + 't>;

fn at_pattern<'t>(pattern: &'t str, name: &'t str) -> NameTest<'t> {
    Box::new(move |sides| sides.matches(pattern, name) != Some(false))
}

/// Proves a schema for every property that the writer names, the reader names too, and that passes the test. (Those that
/// the reader does not name are those that were removed.)
fn named_by_writer<'a, 't>(
    at: &mut Asked<'_, 'a>,
    facts: &Facts<'a>,
    test: impl Fn(&'a str) -> NameTest<'t>,
    schema: Spot<'a>,
    keyword: &str,
) where
    'a: 't,
{
    let own = at.reader.members("properties").iter().map(|member| member.name.as_str());
    for name in own.filter(|name| test(name)(at.sides())).collect::<Vec<_>>() {
        if !at.sides().name_is_allowed(facts, name) {
            continue;
        }
        let schemas = at.sides().property(facts, name);
        let hop = Hop::Property(name.to_owned());
        if let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, schema)) {
            let what = format!("the property {name:?} matches the pattern and is refused: {}", Asked::inner(&inner));
            at.broken(keyword, what, "let the pattern's schema cover it").reader(schema).hop(hop).because_of(inner);
        }
    }
}

pub(super) const ADDITIONAL_PROPERTIES: Rule = Rule {
    name: "additional-properties",
    title: "Properties that no schema names may be everything that they were",
    level: Level::Wire,
    why: "`additionalProperties` is the schema of all properties that `properties` and `patternProperties` do not name. \
          An object that was open cannot be closed, nor the schema of its other properties be narrowed: documents may have \
          any such property already.",
    check: Check::Documents(additional_properties),
};

fn additional_properties(at: &mut Asked<'_, '_>) {
    for keyword in ["additionalProperties", "unevaluatedProperties"] {
        let Some(schema) = at.keyword(keyword, Kinds::OBJECT) else { continue };
        if keyword == "unevaluatedProperties" && (at.draft() == Draft::Draft07 || all_evaluated(at)) {
            continue;
        }
        let facts = at.facts.only(Kinds::OBJECT);
        let patterns: Vec<&str> = match keyword {
            "additionalProperties" => vec![at.reader],
            _ => at.sides().conjunction(at.reader),
        }
        .into_iter()
        .flat_map(|part| part.members("patternProperties"))
        .map(|member| member.name.as_str())
        .collect();
        if at.facts.with("propertyNames").next().is_some() && names_are_known(at, &facts) {
            continue;
        }
        let hop = Hop::AnyProperty(None);
        for schemas in at.sides().other_properties(&facts, &patterns, None) {
            if at.prover.nothing_inside(&schemas) {
                continue;
            }
            let Some(inner) = at.prover.fails(|prover| prover.inside(hop.clone(), &schemas, schema)) else { continue };
            let what = match schema.node().as_bool() {
                Some(false) => "other properties were allowed, and readers allow none".to_owned(),
                _ => format!("other properties are refused: {}", Asked::inner(&inner)),
            };
            at.broken(keyword, what, "leave other properties as open as they were").hop(hop).because_of(inner);
            break;
        }
    }
}

/// Whether some schema that surely holds has looked at every property.
fn all_evaluated(at: &Asked<'_, '_>) -> bool {
    let parts = at.sides().conjunction(at.reader);
    let inner = |part: &Spot<'_>| {
        part.get("additionalProperties").is_some()
            || part.key() != at.reader.key() && part.get("unevaluatedProperties").is_some()
    };
    parts.iter().any(inner)
}

/// Whether names are listed, and each is one that the reader names.
fn names_are_known(at: &Asked<'_, '_>, facts: &Facts<'_>) -> bool {
    let listed = |schema: &Spot<'_>| -> Option<Vec<String>> {
        let names = schema.get("enum")?;
        Some(names.node().as_array()?.iter().filter_map(Node::as_str).map(str::to_owned).collect())
    };
    let own = at.reader.get("properties");
    let mut all = facts.with("propertyNames").filter_map(|(_, schema)| listed(&schema));
    all.any(|names| names.iter().all(|name| own.is_some_and(|own| own.get(name).is_some())))
}

pub(super) const PROPERTY_NAMES: Rule = Rule {
    name: "property-names",
    title: "Names of properties that were allowed stay so",
    level: Level::Wire,
    why: "Readers refuse an object with a property whose name is not valid under `propertyNames`.",
    check: Check::Documents(property_names),
};

fn property_names(at: &mut Asked<'_, '_>) {
    let Some(schema) = at.keyword("propertyNames", Kinds::OBJECT) else { return };
    let facts = at.facts.only(Kinds::OBJECT);
    let refused = match at.sides().possible_names(&facts) {
        Some(names) => {
            let refused = |name: &&&str| {
                at.sides().name_is_allowed(&facts, name) && !at.sides().valid(schema, &Json::from(**name))
            };
            names
                .iter()
                .find(refused)
                .map(|name| format!("there may be a property {name:?}, and readers refuse that name"))
        }
        None => {
            let schemas: Vec<Spot<'_>> = facts.with("propertyNames").map(|(_, schema)| schema).collect();
            let inner = at.prover.fails(|prover| prover.inside(Hop::Name, &schemas, schema));
            inner.map(|inner| format!("there may be properties whose names readers refuse: {}", Asked::inner(&inner)))
        }
    };
    if let Some(what) = refused {
        at.broken("propertyNames", what, "leave \"propertyNames\" as it was").facts(facts);
    }
}

pub(super) const MIN_PROPERTIES: Rule = Rule {
    name: "min-properties",
    title: "The least number of properties does not grow",
    level: Level::Wire,
    why: "Readers refuse objects with fewer properties than `minProperties`.",
    check: Check::Documents(|at| {
        let known = at.facts.required_names(at.sides()).len() as u64;
        least_known(at, "minProperties", Kinds::OBJECT, "properties", known);
    }),
};

pub(super) const MAX_PROPERTIES: Rule = Rule {
    name: "max-properties",
    title: "The greatest number of properties does not shrink",
    level: Level::Wire,
    why: "Readers refuse objects with more properties than `maxProperties`.",
    check: Check::Documents(|at| {
        let known = at.sides().possible_names(at.facts).map_or(u64::MAX, |names| names.len() as u64);
        most(at, "maxProperties", Kinds::OBJECT, "properties", known);
    }),
};

pub(super) const DEPENDENCIES: Rule = Rule {
    name: "dependencies",
    title: "A property brings no new conditions with it",
    level: Level::Wire,
    why: "With `dependentRequired`, `dependentSchemas` and, in draft-07, `dependencies`, an object that has one property must \
          have others too, or be valid under one more schema. Readers refuse objects that are not.",
    check: Check::Documents(dependencies),
};

fn dependencies(at: &mut Asked<'_, '_>) {
    if !at.facts.kinds.has(Kinds::OBJECT) {
        return;
    }
    for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
        if keyword != "dependencies" && at.draft() == Draft::Draft07 {
            continue;
        }
        for member in at.reader.members(keyword) {
            let (name, condition) = (member.name.as_str(), at.reader.to(&member.value));
            let mut facts = at.facts.only(Kinds::OBJECT);
            facts.required.insert(name.to_owned());
            let ways = at.sides().ways(&facts, &[]);
            // Facts may say more now that the property is there.
            let mut possible = Vec::new();
            for way in ways {
                let way = at.sides().ways(&way, &dependent_of(at, &way));
                possible.extend(way.into_iter().filter(|way| !at.prover.is_empty(way)).collect::<Vec<_>>());
            }
            if let Some(needed) = condition.node().as_array() {
                for needed in needed.iter().filter_map(Node::as_str) {
                    let missing = possible.iter().find(|way| !way.required_names(at.sides()).contains(needed)).cloned();
                    if let Some(way) = missing {
                        let what = format!("an object with {name:?} need not have {needed:?}, and readers want both");
                        at.broken(keyword, what, "leave the condition out").reader(condition).facts(way);
                    }
                }
            } else {
                for way in possible {
                    if let Some(inner) = at.prover.fails(|prover| prover.implies(&way, condition)) {
                        let inner = Asked::inner(&inner);
                        let what = format!("an object with {name:?} may be refused under what depends on it: {inner}");
                        at.broken(keyword, what, "leave the condition out").reader(condition).facts(way);
                        break;
                    }
                }
            }
        }
    }
}

/// Schemas that hold because of properties that are there.
fn dependent_of<'a>(at: &Asked<'_, 'a>, facts: &Facts<'a>) -> Vec<Spot<'a>> {
    let names = facts.required_names(at.sides());
    let mut schemas = Vec::new();
    for layer in &facts.layers {
        let newer = if at.sides().draft(*layer) == Draft::Draft07 { &[] } else { layer.members("dependentSchemas") };
        let there = newer.iter().chain(layer.members("dependencies")).filter(|member| names.contains(&member.name));
        schemas.extend(there.map(|member| layer.to(&member.value)).filter(|spot| spot.node().as_array().is_none()));
    }
    schemas
}
