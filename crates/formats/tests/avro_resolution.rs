//! Schema resolution, compared with both Python libraries on schemas that evolve at random.

use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, diff};
use wirewise_formats::{avro, find, plan};
use wirewise_testkit::foreign;
use wirewise_testkit::random::{self, Rng};

/// What an evolution may do beyond what both libraries know: the Apache library for Python has no aliases, no defaults of enums, does
/// not read strings as bytes, and wants the items of arrays and maps to have the very same type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    Both,
    Fastavro,
}

/// A schema without logical types and without members of ours.
fn bare(json: &mut Json) {
    match json {
        Json::Object(object) => {
            object.retain(|name, _| name != "logicalType" && !name.starts_with("wirewise."));
            object.values_mut().for_each(bare);
        }
        Json::Array(items) => items.iter_mut().for_each(bare),
        _ => {}
    }
}

/// Makes a schema that can read what another one writes (but for enums that lose symbols, which depends on the values).
struct Evolution {
    rng: Rng,
    reach: Reach,
    count: usize,
}

impl Evolution {
    fn ty(&mut self, json: &mut Json) {
        match json {
            Json::String(name) => {
                let wider: &[&str] = match name.as_str() {
                    "int" => &["long", "float", "double"],
                    "long" => &["float", "double"],
                    "float" => &["double"],
                    "string" if self.reach == Reach::Fastavro => &["bytes"],
                    _ => &[],
                };
                if !wider.is_empty() && self.rng.one_in(4) {
                    *name = (*self.rng.pick(wider)).to_owned();
                }
            }
            Json::Array(branches) => {
                // Two branches must not become the same: only one of them changes, and only inside.
                for branch in branches.iter_mut().filter_map(Json::as_object_mut) {
                    self.object(branch);
                }
                if self.rng.one_in(4) {
                    self.count += 1;
                    branches.push(json!({"type": "fixed", "name": format!("New{}", self.count), "size": 3}));
                }
                return;
            }
            Json::Object(object) => self.object(object),
            _ => {}
        }
        // A value becomes a union that has it.
        if self.rng.one_in(6) && *json != json!("null") {
            let ty = json.take();
            *json = if self.rng.one_in(2) { json!(["null", ty]) } else { json!([ty, "null"]) };
        }
    }

    fn object(&mut self, object: &mut Map<String, Json>) {
        match object["type"].as_str().unwrap_or_default() {
            what @ ("array" | "map") => {
                let inner = object.get_mut(if what == "array" { "items" } else { "values" }).unwrap();
                match (self.reach, inner) {
                    (Reach::Fastavro, inner) => self.ty(inner),
                    (Reach::Both, Json::Object(inner)) => self.object(inner),
                    _ => {}
                }
            }
            "enum" => {
                let symbols = object["symbols"].as_array_mut().unwrap();
                match self.rng.below(4) {
                    0 => symbols.push(json!("LATER")),
                    1 => symbols.reverse(),
                    2 if symbols.len() > 1 => {
                        symbols.remove(self.rng.below(symbols.len()));
                        if self.reach == Reach::Fastavro && self.rng.one_in(2) {
                            let default = symbols[0].clone();
                            object.insert("default".to_owned(), default);
                        }
                    }
                    _ => {}
                }
            }
            "record" => {
                let mut fields = std::mem::take(object["fields"].as_array_mut().unwrap());
                for field in &mut fields {
                    if field.get("default").is_none() {
                        self.ty(&mut field["type"]);
                    }
                    if self.reach == Reach::Fastavro && self.rng.one_in(6) {
                        let old = field["name"].as_str().unwrap().to_owned();
                        field["name"] = json!(format!("renamed_{old}"));
                        field["aliases"] = json!(["other", old]);
                    }
                }
                // A field that defines a type which others use must stay.
                fields.retain(|field| field["type"].is_object() || field["type"].is_array() || !self.rng.one_in(5));
                for _ in 0..self.rng.below(3) {
                    let field = self.new_field();
                    fields.push(field);
                }
                object["fields"] = Json::Array(fields);
            }
            _ => {}
        }
    }

    fn new_field(&mut self) -> Json {
        self.count += 1;
        let record = format!("Added{}", self.count);
        let (ty, default) = match self.rng.below(11) {
            0 => (json!("int"), json!(-5)),
            1 => (json!("long"), json!(1_u64 << 40)),
            2 => (json!("double"), json!(2.5)),
            3 => (json!("string"), json!("new")),
            4 => (json!("boolean"), json!(true)),
            5 => (json!(["null", "string"]), Json::Null),
            6 => (json!(["string", "null"]), json!("text")),
            7 => (json!({"type": "array", "items": "long"}), json!([1, 2, 3])),
            8 => (json!({"type": "map", "values": "string"}), json!({"a": "b", "c": "d"})),
            9 => (json!({"type": "enum", "name": record, "symbols": ["P", "Q"]}), json!("Q")),
            _ => {
                let fields =
                    json!([{"name": "x", "type": "int"}, {"name": "y", "type": {"type": "array", "items": "string"}}]);
                (json!({"type": "record", "name": record, "fields": fields}), json!({"x": 7, "y": ["z"]}))
            }
        };
        json!({"name": format!("added_{}", self.count), "type": ty, "default": default})
    }
}

/// A value, and what we read of it with the other schema.
struct Case {
    seed: u64,
    reach: Reach,
    writer: String,
    reader: String,
    datum: Vec<u8>,
    /// What we read, written with the reader's schema; or an error.
    ours: Result<Vec<u8>, wirewise_core::Error>,
}

impl Case {
    fn new(seed: u64, reach: Reach) -> Option<Case> {
        let schema = Arc::new(random::schema(seed));
        let mut json: Json = serde_json::from_str(&avro::schema_json(&schema).unwrap()).unwrap();
        bare(&mut json);
        let writer = json.to_string();
        let mut evolution = Evolution { rng: Rng::new(seed), reach, count: 0 };
        let Json::Object(root) = &mut json else { unreachable!("a record") };
        evolution.object(root);
        let reader = json.to_string();
        // Members of ours change no byte.
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let mut datum = Vec::new();
        let document = Document::new(&schema, b"", &arena);
        plan("avro", &schema).unwrap().encode(&document, &mut datum, &mut Losses::none()).ok()?;
        let ours = read(&writer, &reader, &datum);
        Some(Case { seed, reach, writer, reader, datum, ours })
    }

    fn to_json(&self) -> Json {
        json!({"writer": self.writer, "reader": self.reader, "datum": hex(&self.datum)})
    }

    /// The libraries choose the branch of a union by the value, and some values fit several.
    fn has_unions(&self) -> bool {
        fn has(json: &Json) -> bool {
            match json {
                Json::Array(branches) => {
                    let is_union =
                        branches.iter().all(|branch| branch.get("name").is_none() || branch.get("type").is_some());
                    is_union && branches.iter().filter(|branch| **branch != json!("null")).count() > 1
                        || branches.iter().any(has)
                }
                Json::Object(object) => {
                    ["type", "items", "values"].iter().filter_map(|part| object.get(*part)).any(has)
                        || object.get("fields").and_then(Json::as_array).is_some_and(|fields| fields.iter().any(has))
                }
                _ => false,
            }
        }
        has(&serde_json::from_str(&self.reader).unwrap())
    }
}

fn read(writer: &str, reader: &str, datum: &[u8]) -> Result<Vec<u8>, wirewise_core::Error> {
    let schema = Arc::new(avro::parse_schema(reader)?);
    let codec = avro::resolve_avsc(writer, &schema, find("avro").unwrap().1)?;
    let mut arena = Arena::new(Limits::default());
    let document = codec.decode(datum, &mut arena, &mut Losses::none())?;
    let mut out = Vec::new();
    plan("avro", &schema)?.encode(&document, &mut out, &mut Losses::none())?;
    Ok(out)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Whether two datums are the same message: the entries of maps have no order.
fn same(reader: &str, left: &[u8], right: &[u8]) -> bool {
    let schema = Arc::new(avro::parse_schema(reader).unwrap());
    let codec = plan("avro", &schema).unwrap();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let (mut a, mut b) = (Losses::none(), Losses::none());
    let left = codec.decode(left, &mut first, &mut a).unwrap();
    match codec.decode(right, &mut second, &mut b) {
        Ok(right) => diff(&left, &right).is_none(),
        Err(_) => false,
    }
}

fn ask(mut python: Command, cases: &[Case]) -> Vec<Json> {
    python.arg("conformance/avro/resolve.py").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    let cases: Json = cases.iter().map(Case::to_json).collect();
    child.stdin.take().unwrap().write_all(cases.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn evolved_schemas_read_what_they_can() {
    let mut read = 0;
    for seed in 0..1500 {
        let Some(case) = Case::new(seed, if seed % 2 == 0 { Reach::Both } else { Reach::Fastavro }) else { continue };
        match &case.ours {
            Ok(_) => read += 1,
            // Only an enum that has lost a symbol is not read.
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Data, "seed {seed}: {error}\n{}\n{}", case.writer, case.reader);
                assert!(error.message().contains("has no symbol"), "seed {seed}: {error}");
            }
        }
    }
    assert!(read > 1200, "{read}");
}

#[test]
fn both_libraries_read_the_same() {
    let Some(python) = foreign::python() else { return };
    let reach = |seed| if seed % 2 == 0 { Reach::Both } else { Reach::Fastavro };
    let cases: Vec<Case> = (0..1500).filter_map(|seed| Case::new(seed, reach(seed))).collect();
    let answers = ask(python, &cases);
    for library in ["fastavro", "apache"] {
        let (mut equal, mut refused, mut other) = (0, 0, 0);
        for (case, answer) in cases.iter().zip(&answers) {
            if library == "apache" && case.reach == Reach::Fastavro {
                continue;
            }
            let context = || format!("seed {}, {library}: {answer}\n{}\n{}", case.seed, case.writer, case.reader);
            match (&case.ours, answer[library]["datum"].as_str()) {
                (Ok(ours), Some(theirs)) => {
                    let is_same = same(&case.reader, ours, &unhex(theirs));
                    assert!(is_same || case.has_unions(), "{}", context());
                    equal += usize::from(is_same);
                }
                (Err(_), None) => {
                    assert!(answer[library].get("read").is_some(), "{}", context());
                    refused += 1;
                }
                (Err(error), Some(_)) => panic!("we do not read it: {error}; {}", context()),
                (Ok(_), None) => {
                    assert!(answer[library].get("write").is_some() || case.has_unions(), "{}", context());
                    other += 1;
                }
            }
        }
        println!("{library}: {equal} equal, {refused} refused by both, {other} not written");
        assert!(equal > 200 && refused > 3, "{library}: {equal} equal, {refused} refused, {other} not written");
    }
}
