//! What is known of a value: that certain schemas hold for it.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value as Json;
use wirewise_core::json::{Node, Value};

use super::number::{Num, canonical, count};
use super::sides::{Draft, Sides, Spot, SpotKey};

/// Kinds of values. A number without a fraction is an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Kinds(pub(super) u8);

impl Kinds {
    pub(super) const NONE: Kinds = Kinds(0);
    pub(super) const NULL: Kinds = Kinds(1);
    pub(super) const BOOLEAN: Kinds = Kinds(2);
    pub(super) const INTEGER: Kinds = Kinds(4);
    pub(super) const FRACTION: Kinds = Kinds(8);
    pub(super) const NUMBER: Kinds = Kinds(12);
    pub(super) const STRING: Kinds = Kinds(16);
    pub(super) const ARRAY: Kinds = Kinds(32);
    pub(super) const OBJECT: Kinds = Kinds(64);
    pub(super) const ALL: Kinds = Kinds(127);

    const NAMES: [(Kinds, &'static str); 7] = [
        (Kinds::NULL, "null"),
        (Kinds::BOOLEAN, "a boolean"),
        (Kinds::INTEGER, "an integer"),
        (Kinds::FRACTION, "a number with a fraction"),
        (Kinds::STRING, "a string"),
        (Kinds::ARRAY, "an array"),
        (Kinds::OBJECT, "an object"),
    ];

    pub(super) fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub(super) fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    pub(super) fn has(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn is_none(self) -> bool {
        self == Kinds::NONE
    }

    /// Each by itself; integers are not told from other numbers where there are both.
    pub(super) fn each(self) -> impl Iterator<Item = Kinds> {
        let number = if self.and(Kinds::NUMBER) == Kinds::NUMBER { Kinds::NUMBER } else { Kinds::NONE };
        let single =
            Kinds::NAMES.map(|(kind, _)| kind).into_iter().filter(move |&kind| self.has(kind) && !number.has(kind));
        single.chain((!number.is_none()).then_some(number))
    }

    /// In words: `null or a string`.
    pub(super) fn describe(self) -> String {
        let mut rest = self;
        let mut names = Vec::new();
        if self == Kinds::ALL {
            return "any value".to_owned();
        }
        if rest.and(Kinds::NUMBER) == Kinds::NUMBER {
            names.push("a number");
            rest = rest.without(Kinds::NUMBER);
        }
        names.extend(Kinds::NAMES.iter().filter(|(kind, _)| rest.has(*kind)).map(|(_, name)| *name));
        match names.as_slice() {
            [] => "no value".to_owned(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} or {last}", first.join(", ")),
        }
    }

    /// Those that a `type` names.
    pub(super) fn of_type(schema: Spot<'_>) -> Kinds {
        if schema.get("type").is_none() {
            return Kinds::ALL;
        }
        schema.texts("type").into_iter().fold(Kinds::NONE, |kinds, name| {
            let kind = match name {
                "null" => Kinds::NULL,
                "boolean" => Kinds::BOOLEAN,
                "integer" => Kinds::INTEGER,
                "number" => Kinds::NUMBER,
                "string" => Kinds::STRING,
                "array" => Kinds::ARRAY,
                "object" => Kinds::OBJECT,
                _ => Kinds::NONE,
            };
            Kinds(kinds.0 | kind.0)
        })
    }

    pub(super) fn of(value: &Json) -> Kinds {
        match value {
            Json::Null => Kinds::NULL,
            Json::Bool(_) => Kinds::BOOLEAN,
            Json::Number(number) => match Num::of(number) {
                Num::Float(float) if float.fract() != 0.0 => Kinds::FRACTION,
                _ => Kinds::INTEGER,
            },
            Json::String(_) => Kinds::STRING,
            Json::Array(_) => Kinds::ARRAY,
            Json::Object(_) => Kinds::OBJECT,
        }
    }
}

/// What is known of a value.
#[derive(Debug, Clone)]
pub(super) struct Facts<'a> {
    /// Schema objects that hold, without `$ref` and `allOf`, which are followed: in the order of their keys.
    pub(super) layers: Vec<Spot<'a>>,
    /// Schemas that do not hold.
    pub(super) not: Vec<Spot<'a>>,
    /// Properties that an object has.
    pub(super) required: BTreeSet<String>,
    /// What the value may be.
    pub(super) kinds: Kinds,
}

/// What tells facts apart.
pub(super) type FactsKey = (Vec<SpotKey>, Vec<SpotKey>, BTreeSet<String>, Kinds);

impl<'a> Facts<'a> {
    /// Nothing is known.
    pub(super) fn nothing() -> Facts<'a> {
        Facts { layers: Vec::new(), not: Vec::new(), required: BTreeSet::new(), kinds: Kinds::ALL }
    }

    pub(super) fn key(&self) -> FactsKey {
        let mut not: Vec<SpotKey> = self.not.iter().map(|spot| spot.key()).collect();
        not.sort_unstable();
        not.dedup();
        (self.layers.iter().map(|spot| spot.key()).collect(), not, self.required.clone(), self.kinds)
    }

    /// The same of values of these kinds only.
    pub(super) fn only(&self, kinds: Kinds) -> Facts<'a> {
        Facts { kinds: self.kinds.and(kinds), ..self.clone() }
    }

    fn add(&mut self, spot: Spot<'a>) {
        if let Err(place) = self.layers.binary_search_by_key(&spot.key(), |layer| layer.key()) {
            self.layers.insert(place, spot);
        }
    }

    /// The layers that have a keyword, with its value.
    pub(super) fn with<'f>(&'f self, keyword: &'f str) -> impl Iterator<Item = (Spot<'a>, Spot<'a>)> + 'f {
        self.layers.iter().filter_map(move |layer| Some((*layer, layer.get(keyword)?)))
    }

    /// The largest count that a keyword says.
    pub(super) fn at_least(&self, keyword: &str) -> u64 {
        self.with(keyword).filter_map(|(_, value)| count(value.node())).max().unwrap_or(0)
    }

    /// The smallest count that a keyword says.
    pub(super) fn at_most(&self, keyword: &str) -> u64 {
        self.with(keyword).filter_map(|(_, value)| count(value.node())).min().unwrap_or(u64::MAX)
    }

    /// The largest lower bound of numbers, and whether it is excluded.
    pub(super) fn low(&self) -> Option<(Num, bool)> {
        let of = |keyword, exclusive| {
            self.with(keyword).filter_map(move |(_, value)| Some((Num::at(value.node())?, exclusive)))
        };
        of("minimum", false)
            .collect::<Vec<_>>()
            .into_iter()
            .chain(of("exclusiveMinimum", true).collect::<Vec<_>>())
            .max_by(|a, b| a.0.cmp(b.0).then(a.1.cmp(&b.1)))
    }

    /// The smallest upper bound of numbers, and whether it is excluded.
    pub(super) fn high(&self) -> Option<(Num, bool)> {
        let of = |keyword, exclusive| {
            self.with(keyword).filter_map(move |(_, value)| Some((Num::at(value.node())?, exclusive)))
        };
        of("maximum", false)
            .collect::<Vec<_>>()
            .into_iter()
            .chain(of("exclusiveMaximum", true).collect::<Vec<_>>())
            .min_by(|a, b| a.0.cmp(b.0).then(b.1.cmp(&a.1)))
    }

    /// Every name that an object surely has.
    pub(super) fn required_names(&self, sides: &Sides<'a>) -> BTreeSet<String> {
        let mut names = self.required.clone();
        let own = self.layers.iter().flat_map(|layer| layer.texts("required"));
        names.extend(own.map(str::to_owned));
        loop {
            let before = names.len();
            for layer in &self.layers {
                let newer = match sides.draft(*layer) {
                    Draft::Draft07 => &[],
                    _ => layer.members("dependentRequired"),
                };
                for member in newer.iter().chain(layer.members("dependencies")) {
                    if names.contains(&member.name) {
                        let needed = member.value.as_array().unwrap_or_default().iter().filter_map(Node::as_str);
                        names.extend(needed.map(str::to_owned));
                    }
                }
            }
            if names.len() == before {
                return names;
            }
        }
    }

    /// The values that are possible, where they can be counted.
    pub(super) fn values(&self, sides: &Sides<'a>) -> Option<Vec<Json>> {
        let mut values: Option<Vec<Json>> = None;
        let mut narrow = |other: Vec<Json>| {
            values = Some(match values.take() {
                None => other,
                Some(values) => {
                    let other: HashSet<String> = other.iter().map(canonical).collect();
                    values.into_iter().filter(|value| other.contains(&canonical(value))).collect()
                }
            });
        };
        for (_, value) in self.with("const") {
            narrow(vec![value.node().to_json()]);
        }
        for (_, value) in self.with("enum") {
            narrow(value.node().as_array()?.iter().map(Node::to_json).collect());
        }
        if values.is_none() && self.kinds.without(Kinds(Kinds::NULL.0 | Kinds::BOOLEAN.0)).is_none() {
            let mut few = Vec::new();
            if self.kinds.has(Kinds::NULL) {
                few.push(Json::Null);
            }
            if self.kinds.has(Kinds::BOOLEAN) {
                few.extend([Json::from(true), Json::from(false)]);
            }
            values = Some(few);
        }
        let fits = |value: &Json| {
            self.kinds.has(Kinds::of(value))
                && self.layers.iter().all(|layer| sides.valid(*layer, value))
                && !self.not.iter().any(|schema| sides.valid(*schema, value))
                && self.required.iter().all(|name| value.as_object().is_none_or(|object| object.contains_key(name)))
        };
        values.map(|values| values.into_iter().filter(fits).collect())
    }
}

/// Ways to satisfy schemas that are told apart; beyond it a choice says nothing.
const MOST: usize = 48;

/// Branches of a `oneOf` of which it is noted that the others do not hold.
const MOST_BRANCHES: usize = 24;

impl<'a> Sides<'a> {
    /// The ways in which all of these schemas may hold for a value of which `facts` are known. Each says no more than
    /// that the schemas hold; none: no value satisfies them.
    pub(super) fn ways(&self, facts: &Facts<'a>, schemas: &[Spot<'a>]) -> Vec<Facts<'a>> {
        let mut ways = Vec::new();
        let mut open = vec![(facts.clone(), schemas.to_vec(), Vec::new())];
        while let Some((mut facts, mut todo, mut choices)) = open.pop() {
            if !self.settle(&mut facts, &mut todo, &mut choices) {
                continue;
            }
            let Some(choice) = choices.pop() else {
                ways.push(facts);
                continue;
            };
            let branches = self.branches(choice);
            if ways.len() + open.len() + branches.len() > MOST {
                open.push((facts, Vec::new(), choices));
                continue;
            }
            // The first one is to come first.
            for (schemas, not) in branches.into_iter().rev() {
                let mut facts = facts.clone();
                facts.not.extend(not);
                open.push((facts, schemas, choices.clone()));
            }
        }
        ways
    }

    /// Follows everything that surely holds. `false`: nothing satisfies it.
    fn settle(&self, facts: &mut Facts<'a>, todo: &mut Vec<Spot<'a>>, choices: &mut Vec<(Spot<'a>, Choice)>) -> bool {
        let mut seen: HashSet<SpotKey> = facts.layers.iter().map(|layer| layer.key()).collect();
        loop {
            while let Some(spot) = todo.pop() {
                match &spot.node().value {
                    Value::Bool(true) => continue,
                    Value::Bool(false) => return false,
                    Value::Object(_) if seen.insert(spot.key()) => {}
                    _ => continue,
                }
                let target = self.target(spot);
                if spot.get("$ref").is_some() && self.draft(spot) == Draft::Draft07 {
                    todo.extend(target);
                    continue;
                }
                facts.add(spot);
                todo.extend(target);
                todo.extend(spot.list("allOf").iter().map(|node| spot.to(node)));
                facts.kinds = facts.kinds.and(Kinds::of_type(spot));
                let mut values = spot.list("enum").iter().chain(spot.get("const").map(Spot::node)).peekable();
                if values.peek().is_some() {
                    let kinds = values.fold(0, |kinds, value| kinds | Kinds::of(&value.to_json()).0);
                    facts.kinds = facts.kinds.and(Kinds(kinds));
                }
                facts.not.extend(spot.get("not"));
                for (keyword, choice) in [("anyOf", Choice::Any), ("oneOf", Choice::One)] {
                    if !spot.list(keyword).is_empty() {
                        choices.push((spot, choice));
                    }
                }
                if spot.get("if").is_some() && (spot.get("then").is_some() || spot.get("else").is_some()) {
                    choices.push((spot, Choice::If));
                }
                if facts.kinds.is_none() {
                    return false;
                }
            }
            // What depends on a property that is there.
            if facts.kinds == Kinds::OBJECT {
                let names = facts.required_names(self);
                for layer in &facts.layers {
                    let keywords = ["dependencies", "dependentSchemas"];
                    let known = if self.draft(*layer) == Draft::Draft07 { 1 } else { 2 };
                    for keyword in &keywords[..known] {
                        let there = layer.members(keyword).iter().filter(|member| names.contains(&member.name));
                        let schemas = there.map(|member| layer.to(&member.value));
                        let new = schemas.filter(|spot| match &spot.node().value {
                            Value::Bool(value) => !value,
                            Value::Object(_) => !seen.contains(&spot.key()),
                            _ => false,
                        });
                        todo.extend(new);
                    }
                }
            }
            if todo.is_empty() {
                return true;
            }
        }
    }

    /// What each way of a choice says: schemas that hold, and schemas that do not.
    fn branches(&self, (spot, choice): (Spot<'a>, Choice)) -> Vec<(Vec<Spot<'a>>, Vec<Spot<'a>>)> {
        match choice {
            Choice::Any => spot.list("anyOf").iter().map(|node| (vec![spot.to(node)], Vec::new())).collect(),
            Choice::One => {
                let all: Vec<Spot<'a>> = spot.list("oneOf").iter().map(|node| spot.to(node)).collect();
                let others = |place: usize| match all.len() <= MOST_BRANCHES {
                    true => all.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, other)| *other).collect(),
                    false => Vec::new(),
                };
                all.iter().enumerate().map(|(place, schema)| (vec![*schema], others(place))).collect()
            }
            Choice::If => {
                let condition = spot.get("if");
                let then: Vec<_> = condition.into_iter().chain(spot.get("then")).collect();
                let otherwise: Vec<_> = spot.get("else").into_iter().collect();
                vec![(then, Vec::new()), (otherwise, condition.into_iter().collect())]
            }
        }
    }
}

/// A keyword that may hold in several ways.
#[derive(Debug, Clone, Copy)]
enum Choice {
    Any,
    One,
    If,
}
