//! Laws of the rules of JSON Schema, on random schemas and random changes of them:
//!
//! * what is called compatible survives: whatever a validator takes under the writer's schema it takes under the reader's;
//! * what is called incompatible has a witness, nearly always.
//!
//! `WIREWISE_CASES=n` sets how many pairs there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Kind, SchemaBuilder};
use wirewise_evolution::json_schema::{Generator, Judge};
use wirewise_evolution::{Direction, Level, Mode, Options, Version, check, find};
use wirewise_idl::json_schema::Documents;
use wirewise_idl::{MemoryFiles, Module, Source};

/// Documents for each pair that is called compatible: a random one may not be valid under the writer's schema.
const DOCUMENTS: u64 = 60;

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(600)
}

#[test]
fn verdicts_hold() {
    let mut tally = Tally::default();
    for seed in 0..cases() {
        let mut random = Random(seed);
        let old = random.root();
        let mut new = old.clone();
        for _ in 0..1 + random.below(3) {
            random.change(&mut new);
        }
        pair(seed, &old, &new, &mut tally);
    }
    let unproven: u64 = tally.unproven.values().map(|(count, _)| count).sum();
    println!("{} pairs: {tally:#?}", cases());
    assert!(tally.survived > 100 && tally.proven > 10, "the test tests nothing: {tally:?}");
    assert!(unproven * 20 < tally.proven, "findings without a witness: {:#?}", tally.unproven);
}

#[derive(Debug, Default)]
struct Tally {
    compatible: u64,
    incompatible: u64,
    survived: u64,
    proven: u64,
    unproven: BTreeMap<&'static str, (u64, String)>,
}

fn version(name: &str, schema: &Json) -> Version {
    let source = Source::new(name, schema.to_string());
    let documents = Documents::load(&source, &MemoryFiles::none()).unwrap();
    let mut types = SchemaBuilder::new();
    let any = types.add(Kind::Any);
    let mut module = Module::of(types.finish(any).unwrap());
    module.documents = Some(Arc::new(documents));
    Version { name: name.to_owned(), module, source: None }
}

fn pair(seed: u64, old: &Json, new: &Json, tally: &mut Tally) {
    let (old_version, new_version) = (version("old", old), version("new", new));
    for (mode, direction) in [(Mode::Backward, Direction::Backward), (Mode::Forward, Direction::Forward)] {
        let (writer, reader) = match direction {
            Direction::Backward => (&old_version, &new_version),
            Direction::Forward => (&new_version, &old_version),
        };
        let options = Options { mode, level: Level::Wire, type_name: None };
        let verdict = check(find("json-schema").unwrap(), std::slice::from_ref(&old_version), &new_version, &options);
        let verdict = match verdict {
            Ok(verdict) => verdict,
            // No validator comes to an end with it.
            Err(error) if error.what().contains("leads back to itself") => return,
            Err(error) => panic!("seed {seed}: {error}\n{old}\n{new}"),
        };
        let (writer, reader) = (documents(writer), documents(reader));
        let judges = [Judge::new(writer).unwrap(), Judge::new(reader).unwrap()];
        if !verdict.is_compatible() {
            tally.incompatible += 1;
        }
        for finding in &verdict.findings {
            match &finding.witness {
                Some(witness) => {
                    let document: Json = serde_json::from_slice(&witness.bytes).unwrap();
                    assert!(judges[0].is_valid(&document) && !judges[1].is_valid(&document), "seed {seed}");
                    tally.proven += 1;
                }
                None => {
                    let what = format!(
                        "seed {seed}, {direction:?} {}: {}\nold: {old}\nnew: {new}",
                        finding.path, finding.what
                    );
                    let entry = tally.unproven.entry(finding.rule.name).or_default();
                    *entry = (entry.0 + 1, what);
                }
            }
        }
        if !verdict.is_compatible() {
            continue;
        }
        tally.compatible += 1;
        // From both schemas: what the reader's mentions may be where it breaks.
        let generators = [Generator::new(writer, reader).unwrap(), Generator::new(reader, writer).unwrap()];
        for number in 0..DOCUMENTS {
            let generator = &generators[usize::from(number % 4 == 3)];
            let Some(mut document) = generator.document(seed * DOCUMENTS + number) else { continue };
            if number % 5 == 4 {
                Random(number ^ seed).spoil(&mut document);
            }
            if !judges[0].is_valid(&document) {
                continue;
            }
            let problem = judges[1].problem(&document);
            assert!(
                problem.is_none(),
                "seed {seed}, {direction:?}: called compatible, but {document}: {problem:?}\nold: {old}\nnew: {new}"
            );
            tally.survived += 1;
        }
    }
}

fn documents(version: &Version) -> &Documents {
    version.module.documents.as_ref().unwrap()
}

/// Makes schemas, and changes them.
struct Random(u64);

const NAMES: [&str; 4] = ["a", "b", "c", "x1"];
const PATTERNS: [&str; 4] = ["^[a-c]$", "^x", "1$", "^[a-z]+$"];

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn root(&mut self) -> Json {
        let draft = self.pick(&[
            "http://json-schema.org/draft-07/schema#",
            "https://json-schema.org/draft/2020-12/schema",
            "https://json-schema.org/draft/2020-12/schema",
            "https://json-schema.org/draft/2019-09/schema",
        ]);
        let mut schema = match self.schema(3) {
            Json::Object(object) => object,
            _ => Map::new(),
        };
        // A reference to itself must lie inside.
        if schema.get("$ref") == Some(&json!("#")) {
            schema.remove("$ref");
        }
        let definitions = json!({"one": self.guarded(2), "two": self.guarded(1)});
        schema.insert("definitions".to_owned(), definitions);
        schema.insert("$schema".to_owned(), json!(draft));
        // Of files that only define schemas the definitions would be compared.
        schema.insert("allOf".to_owned(), json!([true]));
        clean(Json::Object(schema), draft)
    }

    /// A schema without references at its own place.
    fn guarded(&mut self, depth: usize) -> Json {
        let mut schema = json!({"type": self.pick(&["object", "array", "string", "integer"])});
        for _ in 0..1 + self.below(2) {
            if let Some((keyword, value)) = self.plain_keyword(depth) {
                schema[keyword] = value;
            }
        }
        schema
    }

    fn schema(&mut self, depth: usize) -> Json {
        if self.below(12) == 0 {
            return json!(self.below(4) != 0);
        }
        let mut schema = Map::new();
        if self.below(3) != 0 {
            let kind = self.kind();
            schema.insert("type".to_owned(), kind);
        }
        for _ in 0..self.below(4) {
            let (keyword, value) = self.keyword(depth);
            schema.insert(keyword.to_owned(), value);
        }
        Json::Object(schema)
    }

    fn kind(&mut self) -> Json {
        const KINDS: [&str; 9] =
            ["object", "object", "array", "array", "string", "integer", "number", "boolean", "null"];
        match self.below(4) {
            0 => {
                let (a, b) = (self.pick(&KINDS), self.pick(&KINDS));
                if a == b { json!([a]) } else { json!([a, b]) }
            }
            _ => json!(self.pick(&KINDS)),
        }
    }

    fn value(&mut self, depth: usize) -> Json {
        match self.below(if depth > 0 { 9 } else { 7 }) {
            0 => json!(null),
            1 => json!(self.below(2) == 0),
            2 | 3 => json!(self.below(4)),
            4 => json!(1.5),
            5 | 6 => json!(self.pick(&NAMES)),
            7 => json!([self.value(depth - 1)]),
            _ => json!({self.pick(&NAMES): self.value(depth - 1)}),
        }
    }

    fn schemas(&mut self, depth: usize) -> Json {
        (0..1 + self.below(3)).map(|_| self.schema(depth)).collect()
    }

    fn names(&mut self) -> Json {
        let mut names: Vec<&str> = (0..1 + self.below(2)).map(|_| self.pick(&NAMES)).collect();
        names.sort_unstable();
        names.dedup();
        json!(names)
    }

    fn by_name(&mut self, depth: usize, names: &[&'static str]) -> Json {
        (0..1 + self.below(3)).map(|_| (self.pick(names).to_owned(), self.schema(depth))).collect::<Map<_, _>>().into()
    }

    fn keyword(&mut self, depth: usize) -> (&'static str, Json) {
        let inner = depth.saturating_sub(1);
        if depth > 0 && self.below(4) == 0 {
            return match self.below(9) {
                0 => ("allOf", self.schemas(inner)),
                1 | 2 => ("anyOf", self.schemas(inner)),
                3 | 4 => ("oneOf", self.schemas(inner)),
                5 => ("not", self.schema(inner)),
                6 => ("if", self.schema(inner)),
                7 => ("then", self.schema(inner)),
                _ => ("else", self.schema(inner)),
            };
        }
        if self.below(10) == 0 {
            return ("$ref", json!(self.pick(&["#/definitions/one", "#/definitions/two"])));
        }
        loop {
            if let Some(keyword) = self.plain_keyword(depth) {
                return keyword;
            }
        }
    }

    /// A keyword that does not apply other schemas to the same value.
    fn plain_keyword(&mut self, depth: usize) -> Option<(&'static str, Json)> {
        let inner = depth.checked_sub(1);
        Some(match self.below(34) {
            0 => ("enum", (0..1 + self.below(3)).map(|_| self.value(1)).fold(Vec::new(), distinct).into()),
            1 => ("const", self.value(1)),
            2 => ("minimum", json!(self.below(5))),
            3 => ("maximum", json!(self.below(5))),
            4 => ("exclusiveMinimum", json!(self.pick(&[0.0, 1.0, 1.5, 2.0]))),
            5 => ("exclusiveMaximum", json!(self.pick(&[2.0, 3.5, 5.0]))),
            6 => ("multipleOf", json!(self.pick(&[0.5, 1.0, 2.0, 3.0, 4.0]))),
            7 => ("minLength", json!(self.below(4))),
            8 => ("maxLength", json!(self.below(6))),
            9 => ("pattern", json!(self.pick(&PATTERNS))),
            10 => ("minItems", json!(self.below(4))),
            11 => ("maxItems", json!(self.below(5))),
            12 => ("uniqueItems", json!(self.below(3) != 0)),
            13 => ("minContains", json!(self.below(3))),
            14 => ("maxContains", json!(self.below(4))),
            15 => ("minProperties", json!(self.below(3))),
            16 => ("maxProperties", json!(self.below(4))),
            17..=19 => ("required", self.names()),
            20 => ("dependentRequired", json!({self.pick(&NAMES): self.names()})),
            21 => (
                "propertyNames",
                self.pick(
                    &[json!({"pattern": "^[a-c]$"}), json!({"maxLength": 1}), json!({"enum": ["a", "b"]})].each_ref(),
                )
                .clone(),
            ),
            22..=25 => ("properties", self.by_name(inner?, &NAMES)),
            26 => ("patternProperties", self.by_name(inner?, &PATTERNS)),
            27 => ("additionalProperties", self.rest(inner?)),
            28 => ("unevaluatedProperties", self.rest(inner?)),
            29 => ("items", self.rest(inner?)),
            30 => ("prefixItems", self.schemas(inner?)),
            31 => ("contains", self.schema(inner?)),
            32 => ("dependentSchemas", self.by_name(inner?, &NAMES)),
            _ => ("unevaluatedItems", self.rest(inner?)),
        })
    }

    fn rest(&mut self, depth: usize) -> Json {
        if self.below(2) == 0 { json!(false) } else { self.schema(depth) }
    }

    /// Changes something somewhere.
    fn change(&mut self, root: &mut Json) {
        let draft = root["$schema"].as_str().unwrap().to_owned();
        let count = count(root);
        let chosen = self.below(count);
        let guarded = chosen != 0;
        at(root, &mut { chosen }, &mut |schema| self.change_here(schema, guarded));
        *root = clean(root.take(), &draft);
    }

    fn change_here(&mut self, schema: &mut Json, _inside: bool) {
        let Json::Object(object) = schema else {
            *schema = self.schema(1);
            return;
        };
        let keywords: Vec<String> = object
            .keys()
            .filter(|name| !["$schema", "definitions", "allOf"].contains(&name.as_str()))
            .cloned()
            .collect();
        let keyword = (!keywords.is_empty()).then(|| keywords[self.below(keywords.len())].clone());
        match (self.below(5), keyword) {
            (0, Some(keyword)) => {
                object.remove(&keyword);
            }
            (1 | 2, Some(keyword)) => self.change_value(object.get_mut(&keyword).unwrap()),
            (3, _) => {
                let kind = self.kind();
                object.insert("type".to_owned(), kind);
            }
            _ => {
                if let Some((keyword, value)) = self.plain_keyword(2) {
                    object.insert(keyword.to_owned(), value);
                }
            }
        }
    }

    fn change_value(&mut self, value: &mut Json) {
        match value {
            Json::Number(number) if number.is_u64() => {
                let number = number.as_u64().unwrap();
                *value = json!(if self.below(2) == 0 { number + 1 } else { number.saturating_sub(1).max(1) });
            }
            Json::Array(items) if items.len() > 1 => {
                items.remove(self.below(items.len()));
            }
            Json::Object(object) if !object.is_empty() => {
                let name = object.keys().nth(self.below(object.len())).unwrap().clone();
                if self.below(2) == 0 {
                    object.remove(&name);
                }
            }
            Json::String(text) if NAMES.contains(&text.as_str()) => *text = self.pick(&NAMES).to_owned(),
            _ => {}
        }
    }

    /// Makes a document worse, or not.
    fn spoil(&mut self, document: &mut Json) {
        match document {
            Json::Object(object) => {
                let name = self.pick(&NAMES).to_owned();
                let value = self.value(2);
                object.insert(name, value);
            }
            Json::Array(items) => {
                let value = self.value(1);
                items.push(value);
            }
            _ => *document = self.value(2),
        }
    }
}

fn distinct(mut all: Vec<Json>, value: Json) -> Vec<Json> {
    if !all.contains(&value) {
        all.push(value);
    }
    all
}

/// Keywords whose members are schemas by name, and those that are a schema or several.
const BY_NAME: [&str; 4] = ["properties", "patternProperties", "dependentSchemas", "definitions"];
const SCHEMAS: [&str; 15] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "items",
    "prefixItems",
    "additionalItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
];

/// The schemas inside one.
fn inside(schema: &mut Json) -> Vec<&mut Json> {
    let Json::Object(object) = schema else { return Vec::new() };
    let mut all = Vec::new();
    for (keyword, value) in object.iter_mut() {
        let list = SCHEMAS.contains(&keyword.as_str());
        if list && !value.is_array() {
            all.push(value);
            continue;
        }
        match value {
            Json::Object(members) if BY_NAME.contains(&keyword.as_str()) => all.extend(members.values_mut()),
            Json::Array(items) if list => all.extend(items.iter_mut()),
            _ => {}
        }
    }
    all
}

fn count(schema: &mut Json) -> usize {
    1 + inside(schema).into_iter().map(count).sum::<usize>()
}

fn at(schema: &mut Json, number: &mut usize, change: &mut impl FnMut(&mut Json)) {
    if *number == 0 {
        change(schema);
        *number = usize::MAX;
        return;
    }
    if *number == usize::MAX {
        return;
    }
    *number -= 1;
    for schema in inside(schema) {
        at(schema, number, change);
        if *number == usize::MAX {
            return;
        }
    }
}

/// The schema as its draft writes it.
fn clean(mut schema: Json, draft: &str) -> Json {
    for inner in inside(&mut schema) {
        *inner = clean(inner.take(), draft);
    }
    if let Json::Object(object) = &mut schema
        && !draft.contains("2020")
        && let Some(first) = object.remove("prefixItems")
    {
        let rest = object.insert("items".to_owned(), first);
        if let Some(rest) = rest.filter(|rest| !rest.is_array()) {
            object.insert("additionalItems".to_owned(), rest);
        }
    }
    schema
}
