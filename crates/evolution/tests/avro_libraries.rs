//! What is called compatible is read by other libraries, too, and what is shown to be incompatible is refused by them:
//! by fastavro, and by Apache's for Python.
//!
//! Neither does all that the specification says, and both do things that it does not say; what they are known for is
//! written down here, and everything else that they do otherwise is an error of our rules.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{Arena, Document, Kind, Limits, Losses, Schema, diff};
use wirewise_evolution::witness::Crossing;
use wirewise_evolution::{Level, Mode, Options, Version, check, find};
use wirewise_formats::{avro, plan};
use wirewise_idl::Module;
use wirewise_testkit::{evolve, foreign, random};

/// A message of a writer for a reader.
struct Case {
    seed: u64,
    reader_schema: Arc<Schema>,
    writer: Json,
    reader: Json,
    datum: Vec<u8>,
    /// What we read, written with the reader's schema, where that can be.
    ours: Option<Vec<u8>>,
    /// The rule that says that it cannot be read.
    rule: Option<&'static str>,
}

/// An Avro schema without members of ours, and without logical types: libraries turn those into values of their own.
fn bare(schema: &Schema) -> Json {
    fn strip(json: &mut Json) {
        match json {
            Json::Object(object) => {
                object.retain(|name, _| name != "logicalType" && !name.starts_with("wirewise."));
                object.values_mut().for_each(strip);
            }
            Json::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut json = serde_json::from_str(&avro::schema_json(schema).unwrap()).unwrap();
    strip(&mut json);
    json
}

/// Rules about what Avro does not have: members of ours, which are not in the schemas that others get.
const OUR_OWN: [&str; 3] = ["exact-type", "oneof-joined", "oneof-required"];

/// A random message, if the schemas are called compatible; otherwise all those that show that they are not.
fn cases(seed: u64) -> Vec<Case> {
    let ruleset = find("avro").unwrap();
    let schema = random::schema(seed);
    let Some(changed) = evolve::changed(&schema, seed) else { return Vec::new() };
    let (old, new) = if seed.is_multiple_of(2) { (schema, changed) } else { (changed, schema) };
    let version = |name: &str, schema| Version { name: name.to_owned(), module: Module::of(schema), source: None };
    let (old, new) = (version("old", old), version("new", new));
    let roots = (old.module.schema.root(), new.module.schema.root());
    let Ok(crossing) = Crossing::new(ruleset, &old.module, &new.module, roots) else { return Vec::new() };
    let (writer, reader) = (crossing.writer().clone(), crossing.reader().clone());
    let case = |datum: Vec<u8>, ours, rule| {
        let reader_schema = reader.clone();
        Case { seed, writer: bare(&writer), reader: bare(&reader), reader_schema, datum, ours, rule }
    };
    let options = Options { mode: Mode::Backward, level: Level::Wire, type_name: None };
    let verdict = check(ruleset, std::slice::from_ref(&old), &new, &options).unwrap();
    if !verdict.is_compatible() {
        // Where a rule of our own is broken, the message may show that one.
        let is_ours = |finding: &wirewise_evolution::Finding| OUR_OWN.contains(&finding.rule.name);
        if verdict.findings.iter().any(is_ours) {
            return Vec::new();
        }
        let shown = verdict.findings.iter().filter_map(|finding| Some((finding.rule.name, finding.witness.as_ref()?)));
        return shown.map(|(rule, witness)| case(witness.bytes.clone(), None, Some(rule))).collect();
    }
    let mut arena = Arena::new(Limits::default());
    random::message(&writer, seed, &mut arena);
    let mut datum = Vec::new();
    let document = Document::new(&writer, b"", &arena);
    if plan("avro", &writer).unwrap().encode(&document, &mut datum, &mut Losses::none()).is_err() {
        return Vec::new();
    }
    let codec = (ruleset.reader)(&writer, &reader, "avro").unwrap();
    let mut arena = Arena::new(Limits::default());
    let (mut losses, mut ours) = (Losses::none(), Vec::new());
    let read = codec.decode(&datum, &mut arena, &mut losses).unwrap();
    let written = plan("avro", &reader).unwrap().encode(&read, &mut ours, &mut Losses::none());
    vec![case(datum, written.is_ok().then_some(ours), None)]
}

/// Whether a type has a union with more than null and one other branch: the libraries choose between those in ways of their
/// own.
fn has_unions(schema: &Schema) -> bool {
    schema.types().iter().any(|ty| matches!(&ty.kind, Kind::Union(union) if union.branches.len() > 1))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Whether two datums are the same message: the entries of maps have no order.
fn same(schema: &Arc<Schema>, left: &[u8], right: &[u8]) -> bool {
    let codec = plan("avro", schema).unwrap();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let (mut a, mut b) = (Losses::none(), Losses::none());
    let left = codec.decode(left, &mut first, &mut a);
    let right = codec.decode(right, &mut second, &mut b);
    matches!((left, right), (Ok(left), Ok(right)) if diff(&left, &right).is_none())
}

fn ask(cases: &[Case]) -> Option<Vec<Json>> {
    let mut python = foreign::python()?;
    python.arg("conformance/avro/resolve.py").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    let to_json = |case: &Case| json!({"writer": case.writer.to_string(), "reader": case.reader.to_string(), "datum": hex(&case.datum)});
    let cases: Json = cases.iter().map(to_json).collect();
    child.stdin.take().unwrap().write_all(cases.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// What an answer of a library is beside our verdict.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Answer {
    /// Both read the same, or both refuse it.
    Agrees,
    /// It does what it is known for.
    Known,
    Disagrees,
}

fn judge(case: &Case, library: &str, answer: &Json) -> Answer {
    let error = |what: &str| answer[what].as_str();
    let unions = has_unions(&case.reader_schema);
    // Apache's library does not know aliases: a renamed field is a new one to it, which it fills with the default or misses.
    // (fastavro knows them.)
    if library == "apache" && case.reader.to_string().contains("\"aliases\"") {
        return Answer::Known;
    }
    if case.rule.is_some() {
        return if error("read").is_some() { Answer::Agrees } else { Answer::Disagrees };
    }
    match (answer["datum"].as_str(), error("read")) {
        (Some(datum), _) => match &case.ours {
            Some(ours) if same(&case.reader_schema, ours, &unhex(datum)) => Answer::Agrees,
            // Both choose the branch of what they write by the value, and some values fit several.
            _ if unions => Answer::Known,
            _ => Answer::Disagrees,
        },
        // "The first schema in the reader's union that matches": fastavro takes bytes for a string if that comes first, even
        // where bytes follow. We look for the same type first, as Apache's libraries do, and the schemas match either way.
        (None, Some(error)) if library == "fastavro" && unions && error.starts_with("UnicodeDecodeError") => {
            Answer::Known
        }
        // Apache's library for Python does not read a string as bytes.
        (None, Some(error))
            if library == "apache" && error.contains("Writer's Schema: \"string\"") && error.contains("\"bytes\"") =>
        {
            Answer::Known
        }
        (None, Some(_)) => Answer::Disagrees,
        // It was read, but the value fits another branch, which it is not written as.
        (None, None) => {
            if unions {
                Answer::Known
            } else {
                Answer::Disagrees
            }
        }
    }
}

#[test]
fn other_libraries_agree() {
    let cases: Vec<Case> = (0..3000).flat_map(cases).collect();
    let Some(answers) = ask(&cases) else { return };
    for library in ["fastavro", "apache"] {
        let mut tally: BTreeMap<(Option<&str>, Answer), u64> = BTreeMap::new();
        for (case, answer) in cases.iter().zip(&answers) {
            let judged = judge(case, library, &answer[library]);
            assert!(
                judged != Answer::Disagrees,
                "seed {}, {library}, {:?}: {}\nwriter: {}\nreader: {}\ndatum: {}",
                case.seed,
                case.rule,
                answer[library],
                case.writer,
                case.reader,
                hex(&case.datum)
            );
            *tally.entry((case.rule, judged)).or_default() += 1;
        }
        println!("{library}: {tally:#?}");
        let agreed = |rule: bool| -> u64 {
            let of = tally.iter().filter(|((broken, answer), _)| broken.is_some() == rule && *answer == Answer::Agrees);
            of.map(|(_, count)| count).sum()
        };
        assert!(agreed(false) > 1000 && agreed(true) > 1000, "{library}: {tally:?}");
    }
}
