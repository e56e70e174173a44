//! What is known of the parts of a value: properties and elements.

use serde_json::Value as Json;

use super::facts::Facts;
use super::sides::{Draft, Sides, Spot};

/// Ways in which a property of unknown name may be constrained that are told apart.
const MOST: usize = 32;

impl<'a> Sides<'a> {
    /// The schemas of a property.
    pub(super) fn property(&self, facts: &Facts<'a>, name: &str) -> Vec<Spot<'a>> {
        let mut schemas = Vec::new();
        for &layer in &facts.layers {
            match self.own_property(layer, name) {
                Some(own) => schemas.extend(own),
                None => {
                    schemas.extend(layer.get("unevaluatedProperties").filter(|_| self.surely_unevaluated(layer, name)))
                }
            }
        }
        schemas
    }

    /// What one schema object says of a property by itself. `None`: nothing at all.
    pub(super) fn own_property(&self, layer: Spot<'a>, name: &str) -> Option<Vec<Spot<'a>>> {
        let mut schemas = Vec::new();
        schemas.extend(layer.get("properties").and_then(|properties| properties.get(name)));
        let mut unknown = false;
        for member in layer.members("patternProperties") {
            match self.matches(&member.name, name) {
                Some(true) => schemas.push(layer.to(&member.value)),
                Some(false) => {}
                None => unknown = true,
            }
        }
        if schemas.is_empty() && !unknown {
            schemas.extend(layer.get("additionalProperties"));
        }
        (!schemas.is_empty() || unknown).then_some(schemas)
    }

    /// Whether no schema at this place can have looked at a property.
    fn surely_unevaluated(&self, layer: Spot<'a>, name: &str) -> bool {
        if self.draft(layer) == Draft::Draft07 {
            return false;
        }
        let parts = self.in_place(layer);
        parts.is_some_and(|parts| {
            parts.iter().all(|part| {
                (part.key() == layer.key() || part.get("unevaluatedProperties").is_none())
                    && self.own_property(*part, name).is_none()
            })
        })
    }

    /// Every schema object that may apply to the same value, the first included. `None`: too many.
    pub(super) fn in_place(&self, first: Spot<'a>) -> Option<Vec<Spot<'a>>> {
        let mut parts: Vec<Spot<'a>> = Vec::new();
        let mut todo = vec![first];
        while let Some(spot) = todo.pop() {
            if spot.object().is_none() || parts.iter().any(|part| part.key() == spot.key()) {
                continue;
            }
            if parts.len() >= 200 {
                return None;
            }
            parts.push(spot);
            todo.extend(self.target(spot));
            for keyword in ["allOf", "anyOf", "oneOf"] {
                todo.extend(spot.list(keyword).iter().map(|node| spot.to(node)));
            }
            todo.extend(["if", "then", "else"].into_iter().filter_map(|keyword| spot.get(keyword)));
            for keyword in ["dependentSchemas", "dependencies"] {
                todo.extend(spot.members(keyword).iter().map(|member| spot.to(&member.value)));
            }
        }
        Some(parts)
    }

    /// Schema objects that surely hold where this one does: `$ref` and `allOf` followed.
    pub(super) fn conjunction(&self, first: Spot<'a>) -> Vec<Spot<'a>> {
        let mut parts: Vec<Spot<'a>> = Vec::new();
        let mut todo = vec![first];
        while let Some(spot) = todo.pop() {
            if spot.object().is_none() || parts.iter().any(|part| part.key() == spot.key()) || parts.len() >= 200 {
                continue;
            }
            let alone = self.draft(spot) == Draft::Draft07 && spot.get("$ref").is_some();
            todo.extend(self.target(spot));
            if !alone {
                parts.push(spot);
                todo.extend(spot.list("allOf").iter().rev().map(|node| spot.to(node)));
            }
        }
        parts
    }

    /// Whether some schema names the property.
    pub(super) fn names_property(&self, facts: &Facts<'a>, name: &str) -> bool {
        facts.layers.iter().any(|layer| layer.get("properties").is_some_and(|all| all.get(name).is_some()))
    }

    /// The schemas of properties that no schema names and that match none of the patterns `except`: each way in which
    /// they may be constrained. No way: there are no such properties.
    pub(super) fn other_properties(
        &self,
        facts: &Facts<'a>,
        except: &[&str],
        pattern: Option<&str>,
    ) -> Vec<Vec<Spot<'a>>> {
        let mut ways: Vec<Vec<Spot<'a>>> = vec![Vec::new()];
        for &layer in &facts.layers {
            let patterns = layer.members("patternProperties");
            if let Some(same) = patterns.iter().find(|member| Some(member.name.as_str()) == pattern) {
                ways.iter_mut().for_each(|way| way.push(layer.to(&same.value)));
                continue;
            }
            let mut own: Vec<Option<Spot<'a>>> = Vec::new();
            let possible = patterns.iter().filter(|member| !except.contains(&member.name.as_str()));
            own.extend(possible.map(|member| Some(layer.to(&member.value))));
            match layer.get("additionalProperties") {
                Some(additional) => own.push(Some(additional)),
                None => {
                    own.push(layer.get("unevaluatedProperties").filter(|_| self.others_are_unevaluated(facts, layer)))
                }
            }
            own.retain(|schema| schema.is_none_or(|schema| schema.node().as_bool() != Some(false)));
            if own.is_empty() {
                return Vec::new();
            }
            if ways.len() * own.len() > MOST {
                continue;
            }
            let add = |way: &Vec<Spot<'a>>, schema: &Option<Spot<'a>>| way.iter().copied().chain(*schema).collect();
            ways = ways.iter().flat_map(|way| own.iter().map(move |schema| add(way, schema))).collect();
        }
        ways
    }

    /// Whether no schema at the place of a layer looks at properties that the facts do not name.
    fn others_are_unevaluated(&self, facts: &Facts<'a>, layer: Spot<'a>) -> bool {
        self.draft(layer) >= Draft::Draft2019
            && self.in_place(layer).is_some_and(|parts| {
                parts.iter().all(|part| {
                    part.key() == layer.key()
                        || ["additionalProperties", "unevaluatedProperties", "patternProperties"]
                            .iter()
                            .all(|keyword| part.get(keyword).is_none())
                            && part.members("properties").iter().all(|member| self.names_property(facts, &member.name))
                })
            })
    }

    /// Whether nothing but the schema object itself looks at properties and elements.
    pub(super) fn is_plain(&self, layer: Spot<'a>) -> bool {
        self.draft(layer) >= Draft::Draft2019 && self.in_place(layer).is_some_and(|parts| parts.len() == 1)
    }

    /// Names of properties that are possible, where they can be counted.
    pub(super) fn possible_names(&self, facts: &Facts<'a>) -> Option<Vec<&'a str>> {
        let closed = |layer: &&Spot<'a>| {
            let no = |keyword| layer.get(keyword).is_some_and(|schema| schema.node().as_bool() == Some(false));
            layer.members("patternProperties").is_empty()
                && (no("additionalProperties")
                    || layer.get("additionalProperties").is_none()
                        && no("unevaluatedProperties")
                        && self.is_plain(**layer))
        };
        let layer = facts.layers.iter().find(closed)?;
        let names = layer.members("properties").iter().filter(|member| {
            let schemas = self.property(facts, &member.name);
            !schemas.iter().any(|schema| schema.node().as_bool() == Some(false))
        });
        Some(names.map(|member| member.name.as_str()).collect())
    }

    /// The schemas that a layer has for its first elements.
    pub(super) fn prefix(&self, layer: Spot<'a>) -> &'a [wirewise_core::json::Node] {
        layer.list(if self.draft(layer) == Draft::Draft2020 { "prefixItems" } else { "items" })
    }

    /// The schema that a layer has for elements after the first ones.
    pub(super) fn rest(&self, layer: Spot<'a>) -> Option<Spot<'a>> {
        let items = layer.get("items");
        let own = match items.is_some_and(|items| items.node().as_array().is_some()) {
            true => layer.get("additionalItems"),
            false => items,
        };
        own.or_else(|| {
            layer.get("unevaluatedItems").filter(|_| layer.get("contains").is_none() && self.is_plain(layer))
        })
    }

    /// The schemas of the element at this place.
    pub(super) fn item(&self, facts: &Facts<'a>, place: usize) -> Vec<Spot<'a>> {
        let of = |layer: &Spot<'a>| match self.prefix(*layer).get(place) {
            Some(node) => Some(layer.to(node)),
            None => self.rest(*layer),
        };
        facts.layers.iter().filter_map(of).collect()
    }

    /// How many elements have schemas of their own.
    pub(super) fn prefix_len(&self, facts: &Facts<'a>) -> usize {
        facts.layers.iter().map(|layer| self.prefix(*layer).len()).max().unwrap_or(0)
    }

    /// The largest number of elements.
    pub(super) fn most_items(&self, facts: &Facts<'a>) -> u64 {
        let closed = facts.layers.iter().filter_map(|layer| {
            let rest = self.rest(*layer)?;
            (rest.node().as_bool() == Some(false)).then(|| self.prefix(*layer).len() as u64)
        });
        facts.at_most("maxItems").min(closed.min().unwrap_or(u64::MAX))
    }

    /// Whether a property of this name is possible, by the schemas for names.
    pub(super) fn name_is_allowed(&self, facts: &Facts<'a>, name: &str) -> bool {
        let name = Json::from(name);
        facts.with("propertyNames").all(|(_, schema)| self.valid(schema, &name))
    }
}
