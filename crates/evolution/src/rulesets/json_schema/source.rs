//! Rules about what programs and other schemas use: names.

use std::collections::HashSet;

use super::facts::Facts;
use super::number::same_json;
use super::prove::{Asked, Hop, Prover};
use super::sides::{Side, Spot, SpotKey};
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const PROPERTY_REMOVED: Rule = Rule {
    name: "property-removed",
    title: "A property keeps its name",
    level: Level::Source,
    why: "Programs read properties by their names. One that is renamed is a property that is removed, and another that is \
          added: neither validators nor programs know that they are the same.",
    check: Check::Documents(property_removed),
};

fn property_removed<'a>(at: &mut Asked<'_, 'a>) {
    let parts = at.sides().conjunction(at.reader);
    let described = |name: &str| {
        parts.iter().any(|part| at.sides().own_property(*part, name).is_some_and(|own| own.iter().any(is_a_schema)))
    };
    let written =
        at.facts.layers.iter().flat_map(|layer| layer.members("properties").iter().map(|member| (*layer, member)));
    let gone: Vec<_> = written.filter(|(_, member)| !described(&member.name)).collect();
    for (layer, member) in gone {
        let (name, schema) = (&member.name, layer.to(&member.value));
        let like_it = |other: &&'a wirewise_core::json::Member| {
            !at.sides().names_property(at.facts, &other.name) && at.sides().same(schema, at.reader.to(&other.value))
        };
        let named = parts.iter().flat_map(|part| part.members("properties"));
        let what = match named.into_iter().find(like_it) {
            Some(other) => format!("the property {name:?} is gone; {:?} looks like its new name", other.name),
            None => format!("the property {name:?} is gone"),
        };
        at.broken("properties", what, "keep the old property, marked as deprecated, beside the new one").writer(schema);
    }
}

/// Whether a schema says something.
fn is_a_schema(schema: &Spot<'_>) -> bool {
    schema.node().as_bool() != Some(false)
}

/// A keyword of the reader, wherever it stands among the schemas that hold together.
pub(super) fn read<'a>(at: &Asked<'_, 'a>, keyword: &str) -> Option<Spot<'a>> {
    at.sides().conjunction(at.reader).iter().find_map(|part| part.get(keyword))
}

pub(super) const DEFINITION_REMOVED: Rule = Rule {
    name: "definition-removed",
    title: "A definition keeps its name",
    level: Level::Source,
    why: "Other files refer to the schemas in `$defs` and `definitions`, and types in generated code are called by their names.",
    check: Check::Documents(definition_removed),
};

fn definition_removed(at: &mut Asked<'_, '_>) {
    for layer in &at.facts.layers {
        for keyword in ["$defs", "definitions"] {
            for member in layer.members(keyword) {
                let name = member.name.as_str();
                let there = ["$defs", "definitions"].iter().any(|keyword| {
                    let all = at.sides().conjunction(at.reader);
                    all.iter().any(|part| part.get(keyword).is_some_and(|definitions| definitions.get(name).is_some()))
                });
                if !there {
                    let what = format!("the definition {name:?} is gone");
                    at.broken(keyword, what, "keep it, also where this file does not use it")
                        .writer(layer.to(&member.value));
                }
            }
        }
    }
}

pub(super) const DEFAULT: Rule = Rule {
    name: "default",
    title: "A default stays the same",
    level: Level::Source,
    why: "Validators do nothing with `default`. But programs and generated code may fill it in where a property is not there: \
          then old and new programs see different values in the same document.",
    check: Check::Documents(default),
};

fn default(at: &mut Asked<'_, '_>) {
    let read = read(at, "default").map(|value| value.node().to_json());
    for (_, value) in at.facts.with("default").collect::<Vec<_>>() {
        let written = value.node().to_json();
        match &read {
            Some(read) if same_json(read, &written) => {}
            Some(read) => {
                let what = format!("the default changes from {written} to {read}");
                at.broken("default", what, "keep the default").writer(value);
            }
            None => {
                at.broken("default", format!("the default {written} is gone"), "keep the default").writer(value);
            }
        }
    }
}

pub(super) const ID: Rule = Rule {
    name: "id",
    title: "The identifier of a schema stays the same",
    level: Level::Source,
    why: "Other schemas refer to this one by its `$id`.",
    check: Check::Documents(id),
};

fn id(at: &mut Asked<'_, '_>) {
    let read = read(at, "$id").and_then(|id| id.node().as_str());
    for (_, id) in at.facts.with("$id").collect::<Vec<_>>() {
        let Some(written) = id.node().as_str() else { continue };
        if read != Some(written) {
            let now = read.map_or("it has none now".to_owned(), |read| format!("it is {read:?} now"));
            at.broken("$id", format!("the schema was called {written:?}, and {now}"), "keep the \"$id\"").writer(id);
        }
    }
}

/// Schemas that are compared by their names: each pair once.
const MOST_PAIRS: usize = 20_000;

/// Goes along both schemas, wherever they have the same names, and asks the rules.
pub(super) fn walk<'a>(prover: &mut Prover<'a>, roots: (Spot<'a>, Spot<'a>)) {
    let mut seen: HashSet<(SpotKey, SpotKey)> = HashSet::new();
    let mut todo = vec![(roots, Vec::new())];
    while let Some(((writer, reader), trail)) = todo.pop() {
        if seen.len() > MOST_PAIRS || !seen.insert((writer.key(), reader.key())) {
            continue;
        }
        let [written, read] = [writer, reader].map(|spot| prover.sides.conjunction(spot));
        let mut facts = Facts::nothing();
        facts.layers = written.clone();
        prover.ask_at(writer, reader, &facts, &trail);
        let mut next = |from: Spot<'a>, to: Spot<'a>, hop: Option<Hop>| {
            todo.push(((from, to), trail.iter().cloned().chain(hop).collect::<Vec<Hop>>()));
        };
        for (from, to) in written.iter().flat_map(|from| read.iter().map(move |to| (*from, *to))) {
            for keyword in ["properties", "$defs", "definitions"] {
                for member in from.members(keyword) {
                    if let Some(other) = to.get(keyword).and_then(|all| all.get(&member.name)) {
                        let hop = (keyword == "properties").then(|| Hop::Property(member.name.clone()));
                        next(from.to(&member.value), other, hop);
                    }
                }
            }
            for (keyword, hop) in [("items", Hop::AnyItem(0)), ("additionalProperties", Hop::AnyProperty(None))] {
                if let (Some(from), Some(to)) = (from.get(keyword), to.get(keyword)) {
                    next(from, to, Some(hop));
                }
            }
            for keyword in ["anyOf", "oneOf", "prefixItems", "items"] {
                let (old, new) = (from.list(keyword), to.list(keyword));
                for (place, (old, new)) in old.iter().zip(new).enumerate() {
                    let hop = keyword.contains("tems").then_some(Hop::Item(place));
                    if hop.is_some() || from.list(keyword).len() == to.list(keyword).len() {
                        next(from.to(old), to.to(new), hop);
                    }
                }
            }
        }
    }
}

/// The definitions of a schema by name.
pub(super) fn definition<'a>(root: Spot<'a>, name: &str) -> Option<Spot<'a>> {
    let schemas = root.get("components").and_then(|components| components.get("schemas"));
    let places = [root.get("$defs"), root.get("definitions"), schemas];
    places.into_iter().flatten().find_map(|definitions| definitions.get(name))
}

/// The messages that schemas are about: their roots, or, of a file that only defines schemas, each definition that both
/// have.
pub(super) fn roots<'a>(sides: &super::sides::Sides<'a>) -> Vec<(Spot<'a>, Spot<'a>)> {
    let (writer, reader) = (sides.root(Side::Writer), sides.root(Side::Reader));
    let mut roots = vec![(writer, reader)];
    let says_nothing = |root: Spot<'a>| {
        root.object().is_some_and(|object| {
            object.members().iter().all(|member| super::keywords::says_nothing(&member.name, sides.draft(root)))
        })
    };
    if says_nothing(writer) && says_nothing(reader) {
        for keyword in ["$defs", "definitions"] {
            for member in writer.members(keyword) {
                let other = definition(reader, &member.name);
                roots.extend(other.map(|other| (writer.to(&member.value), other)));
            }
        }
    }
    roots
}
