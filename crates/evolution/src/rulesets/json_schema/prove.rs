//! The proof that whatever satisfies the writer's schema satisfies the reader's.
//!
//! The reader's schema is walked, and each of its keywords must follow from what is known of the writer's values at the
//! place. So nothing is called compatible that was not proven: a keyword that nobody understands fails, too.
//!
//! Schemas may refer to themselves. A proof may then use itself, for a value inside the one that it is about: documents
//! are finite, and this is an induction on their size.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use wirewise_idl::Place;

use super::facts::{Facts, FactsKey, Kinds};
use super::keywords;
use super::sides::{Draft, Sides, Spot, SpotKey};
use crate::rule::{Check, Rule};

/// A step from a value to one inside it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Hop {
    /// To the property of this name.
    Property(String),
    /// To any property that no schema names; if given, one whose name matches the pattern.
    AnyProperty(Option<String>),
    /// To the element at this place.
    Item(usize),
    /// To any element after the first ones, which are so many.
    AnyItem(usize),
    /// To the name of a property.
    Name,
}

/// What a rule found.
#[derive(Debug, Clone)]
pub(super) struct Found<'a> {
    pub(super) rule: &'static Rule,
    pub(super) trail: Vec<Hop>,
    pub(super) what: String,
    pub(super) fix: String,
    pub(super) writer: Place,
    pub(super) reader: Place,
    /// What is known of the values at the end of the trail that break it.
    pub(super) facts: Facts<'a>,
    /// Values of which one may show it.
    pub(super) provoke: Vec<Json>,
}

/// How often schemas are compared before it is called too much.
const MOST_STEPS: usize = 100_000;

/// How deep proofs may lie in each other.
const DEEPEST: usize = 120;

/// Findings of one pair of schemas.
const MOST_FOUND: usize = 200;

pub(super) struct Prover<'a> {
    pub(super) sides: &'a Sides<'a>,
    rules: Vec<&'static Rule>,
    pub(super) found: Vec<Found<'a>>,
    /// Whatever failed, also where it was only tried.
    failures: usize,
    trail: Vec<Hop>,
    /// How many values the one at hand lies in.
    level: usize,
    depth: usize,
    steps: usize,
    known: HashMap<(FactsKey, SpotKey), Known<'a>>,
    /// What was proven, in this order, to be forgotten when it relied on something that was not.
    proven: Vec<(FactsKey, SpotKey)>,
    /// Where the writer's and the reader's schemas that are compared stand.
    context: Vec<(Spot<'a>, Spot<'a>)>,
}

#[derive(Debug, Clone)]
enum Known<'a> {
    /// It is being proven, of a value this deep.
    Open(usize),
    Proven,
    /// With what was found, its trails from the value on.
    Failed(Vec<Found<'a>>),
}

/// Findings that are kept, to be said again where the same schemas meet again.
const MOST_KEPT: usize = 8;

impl<'a> Prover<'a> {
    pub(super) fn new(sides: &'a Sides<'a>, rules: Vec<&'static Rule>) -> Prover<'a> {
        Prover {
            sides,
            rules,
            found: Vec::new(),
            failures: 0,
            trail: Vec::new(),
            level: 0,
            depth: 0,
            steps: 0,
            known: HashMap::new(),
            proven: Vec::new(),
            context: Vec::new(),
        }
    }

    /// Proves that what satisfies the writer's schema satisfies the reader's; what fails is found.
    pub(super) fn compare(&mut self, writer: Spot<'a>, reader: Spot<'a>) -> bool {
        self.context.push((writer, reader));
        let ok = self.ways_imply(&Facts::nothing(), &[writer], reader);
        self.context.pop();
        ok
    }

    /// Whether too much was asked.
    pub(super) fn is_exhausted(&self) -> bool {
        self.steps >= MOST_STEPS
    }

    /// Proves that a schema holds for whatever satisfies `schemas`, in every way.
    pub(super) fn ways_imply(&mut self, facts: &Facts<'a>, schemas: &[Spot<'a>], reader: Spot<'a>) -> bool {
        let ways = self.sides.ways(facts, schemas);
        // Each is looked at, so that everything is found.
        ways.iter().filter(|way| !self.implies(way, reader)).count() == 0
    }

    /// Proves that a schema holds for every value of which the facts are known.
    pub(super) fn implies(&mut self, facts: &Facts<'a>, reader: Spot<'a>) -> bool {
        self.steps += 1;
        if facts.kinds.is_none() || reader.node().as_bool() == Some(true) {
            return true;
        }
        if self.steps > MOST_STEPS || self.depth > DEEPEST {
            self.failures += 1;
            return false;
        }
        if facts.layers.iter().any(|layer| self.sides.same(*layer, reader)) {
            return true;
        }
        let key = (facts.key(), reader.key());
        match self.known.get(&key) {
            Some(Known::Proven) => return true,
            Some(Known::Open(level)) if *level < self.level => return true,
            Some(Known::Open(_)) => {
                self.failures += 1;
                return false;
            }
            Some(Known::Failed(found)) => {
                self.failures += 1;
                for inner in found.clone() {
                    let trail = self.trail.iter().cloned().chain(inner.trail).collect();
                    self.add(Found { trail, ..inner });
                }
                return false;
            }
            None => {}
        }
        self.known.insert(key.clone(), Known::Open(self.level));
        self.depth += 1;
        let (failures, found, proven) = (self.failures, self.found.len(), self.proven.len());
        self.look(facts, reader);
        if self.failures > failures {
            // What was proven meanwhile may rely on this.
            self.forget(proven);
        }
        // What no value satisfies satisfies everything.
        if self.failures > failures && self.is_empty(facts) {
            self.failures = failures;
            self.found.truncate(found);
        }
        self.depth -= 1;
        let ok = self.failures == failures;
        let known = match ok {
            true => Known::Proven,
            false => {
                let inner = |found: &Found<'a>| Found {
                    trail: found.trail.get(self.trail.len()..).unwrap_or_default().to_vec(),
                    ..found.clone()
                };
                Known::Failed(self.found.iter().skip(found).take(MOST_KEPT).map(inner).collect())
            }
        };
        self.known.insert(key.clone(), known);
        if ok {
            self.proven.push(key);
        }
        ok
    }

    /// Adds a finding, unless it was found already; its place.
    fn add(&mut self, found: Found<'a>) -> usize {
        // Two ways to satisfy the writer's schema may break the same.
        let twice = |other: &Found<'_>| {
            other.rule.name == found.rule.name
                && (&other.reader, &other.trail, &other.what) == (&found.reader, &found.trail, &found.what)
        };
        self.found.iter().position(twice).unwrap_or_else(|| {
            self.found.truncate(MOST_FOUND);
            self.found.push(found);
            self.found.len() - 1
        })
    }

    /// Lets the rules look at a schema of the reader, and follows it.
    fn look(&mut self, facts: &Facts<'a>, reader: Spot<'a>) {
        let Some(object) = reader.object() else { return self.ask(facts, reader) };
        let alone = self.sides.draft(reader) == Draft::Draft07 && object.get("$ref").is_some();
        if keywords::reference(object).is_some() {
            match self.sides.target(reader) {
                Some(target) => self.implies(facts, target),
                None => {
                    self.failures += 1;
                    false
                }
            };
            if alone {
                return;
            }
        }
        // Where all possible values are known, only those count that the reader refuses.
        let values = facts.values(self.sides);
        if let Some(values) = &values
            && values.iter().all(|value| self.sides.valid(reader, value))
        {
            return;
        }
        for part in reader.list("allOf") {
            self.implies(facts, reader.to(part));
        }
        if facts.kinds.has(Kinds::OBJECT) {
            self.common_properties(&facts.only(Kinds::OBJECT), reader);
        }
        if facts.kinds.has(Kinds::ARRAY) {
            self.common_items(&facts.only(Kinds::ARRAY), reader);
        }
        self.ask(facts, reader);
    }

    /// Asks the rules at a pair of schemas, and follows nothing.
    pub(super) fn ask_at(&mut self, writer: Spot<'a>, reader: Spot<'a>, facts: &Facts<'a>, trail: &[Hop]) {
        self.context.push((writer, reader));
        let outer = std::mem::replace(&mut self.trail, trail.to_vec());
        self.ask(facts, reader);
        self.trail = outer;
        self.context.pop();
    }

    fn ask(&mut self, facts: &Facts<'a>, reader: Spot<'a>) {
        for rule in self.rules.clone() {
            if let Check::Documents(check) = rule.check {
                check(&mut Asked { prover: self, facts, reader, rule });
            }
        }
    }

    /// Properties that both name.
    fn common_properties(&mut self, facts: &Facts<'a>, reader: Spot<'a>) {
        for member in reader.members("properties") {
            if self.sides.names_property(facts, &member.name) {
                let schemas = self.sides.property(facts, &member.name);
                self.inside(Hop::Property(member.name.clone()), &schemas, reader.to(&member.value));
            }
        }
    }

    /// Elements of their own for both.
    fn common_items(&mut self, facts: &Facts<'a>, reader: Spot<'a>) {
        let prefix = self.sides.prefix(reader);
        let written = self.sides.prefix_len(facts);
        for (place, node) in prefix.iter().enumerate().take(written) {
            if place as u64 >= self.sides.most_items(facts) {
                break;
            }
            let schemas = self.sides.item(facts, place);
            self.inside(Hop::Item(place), &schemas, reader.to(node));
        }
    }

    /// Proves that a schema holds for a value inside.
    pub(super) fn inside(&mut self, hop: Hop, schemas: &[Spot<'a>], reader: Spot<'a>) -> bool {
        let facts = match hop {
            Hop::Name => Facts::nothing().only(Kinds::STRING),
            _ => Facts::nothing(),
        };
        let outer = self.context.last().expect("a comparison has begun").0;
        let writer = schemas.iter().rev().copied().find(|schema| schema.side == outer.side).unwrap_or(outer);
        self.context.push((writer, reader));
        self.trail.push(hop);
        self.level += 1;
        let ok = self.ways_imply(&facts, schemas, reader);
        self.level -= 1;
        self.trail.pop();
        self.context.pop();
        ok
    }

    /// The same as a trial: the first thing that was found, if it fails.
    pub(super) fn fails(&mut self, attempt: impl FnOnce(&mut Self) -> bool) -> Option<Option<Found<'a>>> {
        let (failures, found, proven) = (self.failures, self.found.len(), self.proven.len());
        if attempt(self) {
            self.found.truncate(found);
            self.failures = failures;
            return None;
        }
        self.forget(proven);
        self.failures = failures;
        Some(self.found.drain(found..).next())
    }

    fn forget(&mut self, proven: usize) {
        for key in self.proven.drain(proven..) {
            self.known.remove(&key);
        }
    }

    /// Proves that no value satisfies these facts.
    pub(super) fn is_empty(&mut self, facts: &Facts<'a>) -> bool {
        if facts.kinds.is_none() {
            return true;
        }
        if self.depth > DEEPEST || self.steps > MOST_STEPS {
            return false;
        }
        self.steps += 1;
        if let Some(values) = facts.values(self.sides) {
            return values.is_empty();
        }
        if self.possible_kinds(facts).is_none() {
            return true;
        }
        for place in 0..facts.not.len() {
            let mut rest = facts.clone();
            let not = rest.not.remove(place);
            self.depth += 1;
            let never = self.fails(|prover| prover.implies(&rest, not)).is_none();
            self.depth -= 1;
            if never {
                return true;
            }
        }
        false
    }

    /// The kinds of which there may be values.
    pub(super) fn possible_kinds(&mut self, facts: &Facts<'a>) -> Kinds {
        let mut kinds = facts.kinds;
        if let (Some((low, low_excluded)), Some((high, high_excluded))) = (facts.low(), facts.high()) {
            use std::cmp::Ordering::{Equal, Greater};
            match low.cmp(high) {
                Greater => kinds = kinds.without(Kinds::NUMBER),
                Equal if low_excluded || high_excluded => kinds = kinds.without(Kinds::NUMBER),
                _ if low.integer_from(low_excluded).cmp(high.integer_to(high_excluded)) == Greater => {
                    kinds = kinds.without(Kinds::INTEGER);
                }
                _ => {}
            }
        }
        if facts.at_least("minLength") > facts.at_most("maxLength") {
            kinds = kinds.without(Kinds::STRING);
        }
        if kinds.has(Kinds::ARRAY) && self.no_array(facts) {
            kinds = kinds.without(Kinds::ARRAY);
        }
        if kinds.has(Kinds::OBJECT) && self.no_object(facts) {
            kinds = kinds.without(Kinds::OBJECT);
        }
        kinds
    }

    fn no_array(&mut self, facts: &Facts<'a>) -> bool {
        let (least, most) = (facts.at_least("minItems"), self.sides.most_items(facts));
        least > most || (0..least.min(8)).any(|place| self.nothing_inside(&self.sides.item(facts, place as usize)))
    }

    fn no_object(&mut self, facts: &Facts<'a>) -> bool {
        let names = facts.required_names(self.sides);
        let least = facts.at_least("minProperties").max(names.len() as u64);
        let possible = self.sides.possible_names(facts).map_or(u64::MAX, |names| names.len() as u64);
        least > facts.at_most("maxProperties").min(possible)
            || names.iter().any(|name| {
                !self.sides.name_is_allowed(facts, name) || {
                    let schemas = self.sides.property(facts, name);
                    self.nothing_inside(&schemas)
                }
            })
    }

    /// Whether no value inside satisfies these schemas.
    pub(super) fn nothing_inside(&mut self, schemas: &[Spot<'a>]) -> bool {
        if self.depth > DEEPEST / 4 {
            return false;
        }
        self.depth += 1;
        self.level += 1;
        let ways = self.sides.ways(&Facts::nothing(), schemas);
        let nothing = ways.iter().all(|way| self.is_empty(way));
        self.level -= 1;
        self.depth -= 1;
        nothing
    }

    /// Proves that nothing of which the facts are known satisfies a schema.
    pub(super) fn excludes(&mut self, facts: &Facts<'a>, schema: Spot<'a>) -> bool {
        self.sides.ways(facts, &[schema]).iter().all(|way| self.is_empty(way))
    }
}

/// A rule at a place: a schema of the reader, and what is known of the writer's values.
///
/// Rules of documents are called with it; they prove a keyword of the reader, or report it.
pub struct Asked<'p, 'a> {
    pub(super) prover: &'p mut Prover<'a>,
    pub(super) facts: &'p Facts<'a>,
    pub(super) reader: Spot<'a>,
    rule: &'static Rule,
}

impl<'p, 'a> Asked<'p, 'a> {
    pub(super) fn sides(&self) -> &'a Sides<'a> {
        self.prover.sides
    }

    pub(super) fn draft(&self) -> Draft {
        self.prover.sides.draft(self.reader)
    }

    /// The keyword of the reader, where values of one of these kinds are possible at all.
    pub(super) fn keyword(&self, keyword: &str, kinds: Kinds) -> Option<Spot<'a>> {
        self.reader.get(keyword).filter(|_| self.facts.kinds.has(kinds))
    }

    /// Reports that a keyword of the reader does not follow.
    pub(super) fn broken(&mut self, keyword: &str, what: impl Into<String>, fix: impl Into<String>) -> Report<'_, 'a> {
        let prover = &mut *self.prover;
        prover.failures += 1;
        let member = self.reader.object().and_then(|object| object.member(keyword));
        let (outer_writer, _) = *prover.context.last().expect("a comparison has begun");
        let same = self.facts.with(keyword).find(|(layer, _)| layer.side == outer_writer.side);
        let writer = same.map_or(outer_writer, |(_, value)| value);
        let reader = member.map_or(self.reader, |member| self.reader.to(&member.value));
        let found = Found {
            rule: self.rule,
            trail: prover.trail.clone(),
            what: what.into(),
            fix: fix.into(),
            writer: prover.sides.place(writer),
            reader: prover.sides.place(reader),
            facts: self.facts.clone(),
            provoke: Vec::new(),
        };
        let place = prover.add(found);
        Report { sides: prover.sides, found: &mut prover.found[place] }
    }

    /// Whether a keyword that looks at nothing but the value holds for all values, because they are few and known.
    pub(super) fn holds_for_all_values(&self, keyword: &str) -> bool {
        let Some(schema) = self.reader.get(keyword) else { return true };
        let Some(values) = self.facts.values(self.sides()) else { return false };
        let alone = serde_json::json!({ "$schema": self.draft().uri(), keyword: schema.node().to_json() });
        let validator = jsonschema::options().offline().should_validate_formats(false).build(&alone);
        validator.is_ok_and(|validator| values.iter().all(|value| validator.is_valid(value)))
    }

    /// Each finding inside, in one sentence.
    pub(super) fn inner(found: &Option<Found<'a>>) -> String {
        found.as_ref().map_or_else(|| "it cannot be proven".to_owned(), |found| found.what.clone())
    }
}

/// What was just reported, to say more about it.
pub(super) struct Report<'r, 'a> {
    sides: &'a Sides<'a>,
    found: &'r mut Found<'a>,
}

impl<'a> Report<'_, 'a> {
    /// It is about this place of the writer's schema.
    pub(super) fn writer(self, spot: Spot<'a>) -> Self {
        self.found.writer = self.sides.place(spot);
        self
    }

    /// It is about this place of the reader's schema.
    pub(super) fn reader(self, spot: Spot<'a>) -> Self {
        self.found.reader = self.sides.place(spot);
        self
    }

    /// One of these values shows it.
    pub(super) fn provoke(self, values: impl IntoIterator<Item = Json>) -> Self {
        self.found.provoke.extend(values);
        self
    }

    /// Values of which this is known show it.
    pub(super) fn facts(self, facts: Facts<'a>) -> Self {
        self.found.facts = facts;
        self
    }

    /// It is one step further.
    pub(super) fn hop(self, hop: Hop) -> Self {
        self.found.trail.push(hop);
        self.found.facts = Facts::nothing();
        self
    }

    /// It lies as deep inside as this does, which is why it is reported.
    pub(super) fn because_of(self, inner: Option<Found<'a>>) -> Self {
        if let Some(inner) = inner {
            self.found.trail = inner.trail;
            self.found.facts = inner.facts;
            self.found.provoke = inner.provoke;
        }
        self
    }
}

/// Every different place at most once.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| seen.insert(*name)).collect()
}
