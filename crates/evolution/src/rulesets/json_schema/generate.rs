//! Documents that are valid under a schema, or nearly: whoever asks for one judges it afterwards.

use serde_json::{Map, Value as Json};
use wirewise_core::json::{Node, Value};
use wirewise_idl::json_schema::Documents;

use super::facts::{Facts, Kinds};
use super::number::{Num, count};
use super::pattern;
use super::prove::Hop;
use super::sides::{Side, Sides, Spot};

/// Makes random documents of a schema.
pub struct Generator<'a> {
    sides: Sides<'a>,
    pool: Pool,
}

impl<'a> Generator<'a> {
    /// Documents under the first schema; the second lends its names, bounds and values, so that what differs is hit.
    ///
    /// # Errors
    /// When one is no JSON Schema.
    pub fn new(schema: &'a Documents, other: &'a Documents) -> wirewise_idl::Result<Generator<'a>> {
        let sides = Sides::new(schema, other)?;
        let pool = Pool::of(&sides);
        Ok(Generator { sides, pool })
    }

    /// A document, the same for the same seed. It may not be valid. `None`: none was found.
    pub fn document(&self, seed: u64) -> Option<Json> {
        let root = self.sides.root(Side::Writer);
        let mut maker = Maker { sides: &self.sides, pool: &self.pool, random: Random::new(seed), plain: false };
        maker.value(&[root], &[], None, 0)
    }
}

/// Numbers that look random, and are the same every time.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is at least 1.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

/// What schemas mention: what is just inside or outside of a bound is near one of these.
#[derive(Debug, Default)]
pub(super) struct Pool {
    numbers: Vec<Num>,
    names: Vec<String>,
    values: Vec<Json>,
}

/// Of each, so many.
const MOST: usize = 500;

impl Pool {
    pub(super) fn of(sides: &Sides<'_>) -> Pool {
        let mut pool = Pool::default();
        let mut todo: Vec<&Node> =
            [Side::Writer, Side::Reader].into_iter().flat_map(|side| sides.files(side)).map(Spot::node).collect();
        while let Some(node) = todo.pop() {
            match &node.value {
                Value::Array(items) => todo.extend(items),
                Value::Object(object) => {
                    for member in object.members() {
                        match member.name.as_str() {
                            "enum" => {
                                pool.values
                                    .extend(member.value.as_array().unwrap_or_default().iter().map(Node::to_json));
                            }
                            "const" | "default" => pool.values.push(member.value.to_json()),
                            "properties" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
                                let names = member.value.as_object().map(|object| object.members()).unwrap_or_default();
                                pool.names.extend(names.iter().map(|member| member.name.clone()));
                                todo.push(&member.value);
                            }
                            "required" => {
                                let names = member.value.as_array().unwrap_or_default();
                                pool.names.extend(names.iter().filter_map(Node::as_str).map(str::to_owned));
                            }
                            "pattern" | "patternProperties" => {
                                todo.push(&member.value);
                                let patterns =
                                    member.value.as_object().map(|object| object.members()).unwrap_or_default();
                                let patterns =
                                    patterns.iter().map(|member| member.name.as_str()).chain(member.value.as_str());
                                for text in patterns {
                                    let text = pattern::sample(text, &mut Random::new(7));
                                    pool.values.push(Json::from(text.as_str()));
                                    pool.names.push(text);
                                }
                            }
                            _ => {
                                if let Some(number) = Num::at(&member.value) {
                                    pool.numbers.push(number);
                                }
                                todo.push(&member.value);
                            }
                        }
                    }
                }
                _ => {}
            }
            if pool.names.len() + pool.values.len() + pool.numbers.len() > 3 * MOST {
                break;
            }
        }
        pool.names.sort_unstable();
        pool.names.dedup();
        pool
    }
}

/// What is to be at the end of a trail.
pub(super) struct End<'e, 'a> {
    pub(super) facts: &'e Facts<'a>,
    /// Exactly this value.
    pub(super) value: Option<&'e Json>,
}

/// How deep values are made.
const DEEPEST: usize = 12;

pub(super) struct Maker<'s, 'a> {
    pub(super) sides: &'s Sides<'a>,
    pub(super) pool: &'s Pool,
    pub(super) random: Random,
    /// Nothing that need not be there.
    pub(super) plain: bool,
}

impl<'a> Maker<'_, 'a> {
    /// A value for which these schemas hold, with something at the end of a trail inside.
    pub(super) fn value(
        &mut self,
        schemas: &[Spot<'a>],
        trail: &[Hop],
        end: Option<&End<'_, 'a>>,
        depth: usize,
    ) -> Option<Json> {
        let ways = self.sides.ways(&Facts::nothing(), schemas);
        let mut way = match self.plain && trail.is_empty() && end.is_none() {
            true => ways.first()?,
            false => self.random.pick(&ways)?,
        }
        .clone();
        if let (Some(end), []) = (end, trail) {
            if let Some(value) = end.value {
                return Some(value.clone());
            }
            match end.facts.layers.is_empty() {
                true => way = way.only(end.facts.kinds),
                false => way = end.facts.clone(),
            }
        }
        self.of(&way, trail, end, depth)
    }

    fn of(&mut self, facts: &Facts<'a>, trail: &[Hop], end: Option<&End<'_, 'a>>, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        if let (Some(values), []) = (facts.values(self.sides), trail) {
            return self.random.pick(&values).cloned();
        }
        let kinds = match trail.first() {
            Some(Hop::Property(_) | Hop::AnyProperty(_) | Hop::Name) => Kinds::OBJECT,
            Some(Hop::Item(_) | Hop::AnyItem(_)) => Kinds::ARRAY,
            None => facts.kinds,
        };
        let mut kinds: Vec<Kinds> = facts.kinds.and(kinds).each().collect();
        // Where anything may be, what is short is enough most of the time.
        if depth > 3 && kinds.len() > 2 {
            kinds.retain(|kind| !Kinds(Kinds::ARRAY.0 | Kinds::OBJECT.0).has(*kind));
        }
        let kind = *self.random.pick(&kinds)?;
        match kind {
            Kinds::NULL => Some(Json::Null),
            Kinds::BOOLEAN => Some(Json::from(self.random.one_in(2))),
            Kinds::STRING => self.string(facts),
            Kinds::ARRAY => self.array(facts, trail, end, depth),
            Kinds::OBJECT => self.object(facts, trail, end, depth),
            _ => self.number(facts),
        }
    }

    fn number(&mut self, facts: &Facts<'a>) -> Option<Json> {
        let step = facts.with("multipleOf").find_map(|(_, of)| Num::at(of.node()));
        for _ in 0..12 {
            let near = match (self.random.below(5), facts.low(), facts.high()) {
                (0 | 1, Some((low, _)), _) => low,
                (0 | 2, _, Some((high, _))) => high,
                (3, ..) => Num::Int(self.random.below(20) as i128 - 5),
                _ => self.random.pick(&self.pool.numbers).copied().unwrap_or(Num::Int(1)),
            };
            let offsets = [0.0f64, 1.0, -1.0, 0.5, -0.5, 0.3, 10.0, -100.0];
            let whole = !facts.kinds.has(Kinds::FRACTION) || self.random.one_in(2);
            let offset = self.random.pick(&offsets[..]).copied().unwrap_or(0.0);
            let number = match near {
                Num::Int(int) if offset.fract() == 0.0 => Num::Int(int + offset as i128),
                Num::Int(int) => Num::Float(int as f64 + offset),
                Num::Float(float) => Num::Float(float + offset),
            };
            let number = match (number, step) {
                (_, Some(step)) if step.to_f64() != 0.0 => {
                    let times = (number.to_f64() / step.to_f64()).floor() + self.random.below(2) as f64;
                    match step {
                        Num::Int(step) => Num::Int(times as i128 * step),
                        Num::Float(step) => Num::Float(times * step),
                    }
                }
                (Num::Float(float), _) if whole => Num::Int(float.floor() as i128),
                (number, _) => number,
            };
            let below = facts
                .low()
                .is_some_and(|(low, excluded)| number.cmp(low).is_lt() || excluded && number.cmp(low).is_eq());
            let above = facts
                .high()
                .is_some_and(|(high, excluded)| number.cmp(high).is_gt() || excluded && number.cmp(high).is_eq());
            if !below && !above && facts.kinds.has(Kinds::of(&number.to_json())) {
                return Some(number.to_json());
            }
        }
        facts.low().or(facts.high()).map(|(bound, _)| bound.to_json())
    }

    /// A count between two bounds, near one of them or near one that is mentioned.
    fn count(&mut self, least: u64, most: u64, limit: u64) -> Option<usize> {
        let most = most.min(least.saturating_add(limit));
        if least > most || least > 100_000 {
            return None;
        }
        let mentioned = self.random.pick(&self.pool.numbers).copied();
        let near = match (self.random.below(4), mentioned) {
            (0, _) => least,
            (1, _) if most < limit => most,
            (_, Some(Num::Int(int))) => (int + self.random.below(3) as i128 - 1).clamp(0, 1 << 32) as u64,
            _ => least + self.random.below(3) as u64,
        };
        Some(if self.plain && self.random.one_in(2) { least } else { near.clamp(least, most) } as usize)
    }

    fn string(&mut self, facts: &Facts<'a>) -> Option<Json> {
        let (least, most) = (facts.at_least("minLength"), facts.at_most("maxLength"));
        let patterns: Vec<&str> = facts.with("pattern").filter_map(|(_, pattern)| pattern.node().as_str()).collect();
        for _ in 0..8 {
            let text = match self.random.pick(&patterns) {
                Some(pattern) => pattern::sample(pattern, &mut self.random),
                None => match self.random.pick(&self.pool.values) {
                    Some(Json::String(text)) if self.random.one_in(3) => text.clone(),
                    _ => {
                        let len = self.count(least, most, 300)?;
                        "text of some length ".chars().cycle().take(len).collect()
                    }
                },
            };
            let len = text.chars().count() as u64;
            if (least..=most).contains(&len) && patterns.iter().all(|p| self.sides.matches(p, &text) == Some(true)) {
                return Some(Json::from(text));
            }
        }
        None
    }

    fn array(&mut self, facts: &Facts<'a>, trail: &[Hop], end: Option<&End<'_, 'a>>, depth: usize) -> Option<Json> {
        let most = self.sides.most_items(facts);
        let mut len = self.count(facts.at_least("minItems"), most, 20)?;
        if depth > 4 {
            len = facts.at_least("minItems") as usize;
        }
        let at = match trail.first() {
            Some(Hop::Item(place)) => Some(*place),
            Some(Hop::AnyItem(first)) => Some(first + if *first < 20 { self.random.below(2) } else { 0 }),
            _ => None,
        };
        len = len.max(at.map_or(0, |at| at + 1));
        let contained: Vec<Spot<'a>> = facts.with("contains").map(|(_, schema)| schema).collect();
        if !contained.is_empty() && len == 0 && most > 0 {
            len = 1;
        }
        let wanted: usize =
            facts.with("minContains").filter_map(|(_, least)| count(least.node())).max().unwrap_or(1) as usize;
        let unique = facts.with("uniqueItems").any(|(_, unique)| unique.node().as_bool() == Some(true));
        let mut items: Vec<Json> = Vec::new();
        for place in 0..len.max(if contained.is_empty() { 0 } else { wanted.min(50) }) {
            let mut schemas = self.sides.item(facts, place);
            let here = at == Some(place);
            if place < wanted && !here && !(self.random.one_in(4) && place > 0) {
                schemas.extend(&contained);
            }
            let inner = if here { &trail[1..] } else { &[] };
            let mut item = self.value(&schemas, inner, end.filter(|_| here), depth + 1);
            for _ in 0..4 {
                if unique && item.as_ref().is_some_and(|item| items.contains(item)) && !here {
                    item = self.value(&schemas, &[], None, depth + 1);
                }
            }
            items.push(item?);
        }
        // Twice the same, where that is allowed.
        if !unique && at.is_none() && items.len() >= 2 && self.random.one_in(3) {
            let last = items.len() - 1;
            items[last] = items[0].clone();
        }
        Some(Json::Array(items))
    }

    fn object(&mut self, facts: &Facts<'a>, trail: &[Hop], end: Option<&End<'_, 'a>>, depth: usize) -> Option<Json> {
        let mut names: Vec<String> = facts.required_names(self.sides).into_iter().collect();
        let at = match trail.first() {
            Some(Hop::Property(name)) => Some(name.clone()),
            Some(Hop::AnyProperty(Some(pattern))) => Some(pattern::sample(pattern, &mut self.random)),
            Some(Hop::AnyProperty(None) | Hop::Name) => Some(self.other_name(facts)),
            _ => None,
        };
        names.extend(at.clone());
        let most = facts.at_most("maxProperties");
        let (least, few) = (facts.at_least("minProperties") as usize, self.plain || depth > 3);
        let own: Vec<&str> =
            facts.layers.iter().flat_map(|layer| layer.members("properties")).map(|m| m.name.as_str()).collect();
        for name in &own {
            if !few && self.random.one_in(2 + own.len() / 20) {
                names.push((*name).to_owned());
            }
        }
        if !few && self.random.one_in(2) || self.random.one_in(6) {
            for _ in 0..self.random.below(3) {
                let name = match self.random.pick(&self.pool.names) {
                    Some(name) if !self.random.one_in(4) => name.clone(),
                    _ => self.other_name(facts),
                };
                names.push(name);
            }
        }
        let wanted = match self.random.one_in(4) && depth < 3 {
            true => self.count(least as u64, most, 20)?,
            false => least,
        };
        let known: Vec<String> = match self.sides.possible_names(facts).filter(|_| wanted > names.len()) {
            Some(known) => known.into_iter().map(str::to_owned).collect(),
            None if wanted > names.len() => self.pool.names.clone(),
            None => Vec::new(),
        };
        for extra in 0..wanted.min(60) * 2 {
            names.sort_unstable();
            names.dedup();
            if names.len() >= wanted {
                break;
            }
            match known.get(self.random.below(known.len() * 2)) {
                Some(name) => names.push(name.clone()),
                None => names.push(format!("p{extra}")),
            }
        }
        let required = facts.required_names(self.sides);
        let mut object = Map::new();
        names.sort_by_key(|name| !(required.contains(name) || at.as_ref() == Some(name)));
        for name in names {
            if object.contains_key(&name) || object.len() as u64 >= most {
                continue;
            }
            let here = at.as_ref() == Some(&name);
            if !here && !self.sides.name_is_allowed(facts, &name) {
                continue;
            }
            let schemas = self.sides.property(facts, &name);
            let inner = if here { &trail[1..] } else { &[] };
            match self.value(&schemas, inner, end.filter(|_| here), depth + 1) {
                Some(value) => {
                    object.insert(name, value);
                }
                None if here || required.contains(&name) => return None,
                None => {}
            }
        }
        Some(Json::Object(object))
    }

    /// A name that no schema has.
    fn other_name(&mut self, facts: &Facts<'a>) -> String {
        let schemas: Vec<Spot<'a>> = facts.with("propertyNames").map(|(_, schema)| schema).collect();
        if !schemas.is_empty() {
            let ways = self.sides.ways(&Facts::nothing().only(Kinds::STRING), &schemas);
            let way = self.random.pick(&ways).cloned();
            if let Some(Json::String(name)) = way.and_then(|way| self.of(&way, &[], None, 0)) {
                return name;
            }
        }
        let patterns: Vec<&str> =
            facts.layers.iter().flat_map(|layer| layer.members("patternProperties")).map(|m| m.name.as_str()).collect();
        match self.random.pick(&patterns) {
            Some(pattern) if self.random.one_in(2) => pattern::sample(pattern, &mut self.random),
            _ => "other".to_owned(),
        }
    }
}
