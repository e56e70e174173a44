//! Both Python libraries read what we write, and we read what they write of it.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{Arena, Document, Limits, Losses, Schema, diff};
use wirewise_formats::avro::{self, container::BlockCodec};
use wirewise_formats::{Codec, plan};
use wirewise_testkit::{foreign, random};

const LIBRARIES: [&str; 2] = ["fastavro", "apache"];

fn ask(mut python: Command, cases: &Json) -> Vec<Json> {
    python.arg("conformance/avro/live.py").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    child.stdin.take().unwrap().write_all(cases.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &Json) -> Vec<u8> {
    let digits = text.as_str().unwrap().as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Without logical types: the libraries turn times into objects of Python, which hold fewer of them.
fn bare(mut avsc: Json) -> Json {
    match &mut avsc {
        Json::Object(object) => {
            object.remove("logicalType");
            object.values_mut().for_each(|value| *value = bare(value.take()));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| *item = bare(item.take())),
        _ => {}
    }
    avsc
}

/// A random message and all we write of it.
struct Case {
    seed: u64,
    schema: Arc<Schema>,
    avsc: String,
    arena: Arena,
    datum: Vec<u8>,
    containers: BTreeMap<&'static str, Vec<u8>>,
}

impl Case {
    /// `None` when Avro cannot hold the message.
    fn new(seed: u64, codecs: &[BlockCodec]) -> Option<Case> {
        let schema = Arc::new(random::schema(seed));
        let avsc = bare(serde_json::from_str(&avro::schema_json(&schema).unwrap()).unwrap()).to_string();
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let mut case = Case { seed, schema, avsc, arena, datum: Vec::new(), containers: BTreeMap::new() };
        case.datum = case.encode("avro")?;
        for codec in codecs {
            let bytes = case.encode(&variant(codec.name()))?;
            case.containers.insert(codec.name(), bytes);
        }
        Some(case)
    }

    fn codec(&self, variant: &str) -> Box<dyn Codec> {
        avro::plan_with(variant, &self.schema, &self.avsc).unwrap()
    }

    fn encode(&self, variant: &str) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let document = Document::new(&self.schema, b"", &self.arena);
        self.codec(variant).encode(&document, &mut out, &mut Losses::none()).ok()?;
        Some(out)
    }

    fn to_json(&self) -> Json {
        let containers: BTreeMap<_, _> = self.containers.iter().map(|(name, bytes)| (*name, hex(bytes))).collect();
        json!({"avsc": self.avsc, "datum": hex(&self.datum), "containers": containers})
    }

    /// Whether `bytes` are this message.
    fn is(&self, variant: &str, bytes: &[u8]) -> bool {
        let codec = self.codec(variant);
        let mut arena = Arena::new(Limits::default());
        let decoded = codec.decode(bytes, &mut arena, &mut Losses::none());
        let decoded = decoded.unwrap_or_else(|error| panic!("seed {}, {variant}: {error}", self.seed));
        diff(&Document::new(&self.schema, b"", &self.arena), &decoded).is_none()
    }

    /// The libraries choose the branch of a union by the value, and some values fit several.
    fn has_unions(&self) -> bool {
        self.schema.to_text().contains("\"union\"")
    }
}

fn variant(codec: &str) -> String {
    if codec == "null" { "avro-container".to_owned() } else { format!("avro-container-{codec}") }
}

#[test]
fn both_libraries_read_our_datum_and_write_the_same() {
    let Some(python) = foreign::python() else { return };
    let cases: Vec<Case> = (0..400).filter_map(|seed| Case::new(seed, &[])).collect();
    let answers = ask(python, &cases.iter().map(Case::to_json).collect());
    for (case, answer) in cases.iter().zip(&answers) {
        let canonical = avro::canonical_form(&case.avsc).unwrap();
        assert_eq!(answer["canonical"], canonical);
        // Their fingerprint is written as its bytes, the lowest first.
        assert_eq!(answer["fingerprint"], hex(&avro::fingerprint(&canonical).to_le_bytes()));
    }
    for library in LIBRARIES {
        let mut same = 0;
        for (case, answer) in cases.iter().zip(&answers) {
            if answer[library]["datum"] == hex(&case.datum) {
                same += 1;
            } else {
                assert!(case.has_unions(), "seed {}, {library}: {}", case.seed, case.avsc);
            }
        }
        assert!(same > 350, "{library} wrote only {same} of {} again", cases.len());
    }
}

#[test]
fn both_libraries_read_our_containers_and_we_theirs() {
    let Some(python) = foreign::python() else { return };
    let cases: Vec<Case> = (1000..1060).filter_map(|seed| Case::new(seed, &BlockCodec::ALL)).collect();
    let answers = ask(python, &cases.iter().map(Case::to_json).collect());
    for library in LIBRARIES {
        for codec in codecs(library) {
            let mut same = 0;
            for (case, answer) in cases.iter().zip(&answers) {
                assert_eq!(answer[library]["counts"][codec.name()], 1);
                let theirs = &answer[library]["containers"][codec.name()];
                if theirs.is_null() {
                    assert!(case.has_unions(), "seed {}, {library}: {}", case.seed, case.avsc);
                    continue;
                }
                // Any variant reads any codec.
                for variant in ["avro-container", &variant(codec.name())] {
                    let is_same = case.is(variant, &unhex(theirs));
                    assert!(is_same || case.has_unions(), "seed {}, {library}", case.seed);
                    same += usize::from(is_same);
                }
            }
            assert!(same > 90, "{library} wrote only {same} of {} again", cases.len());
        }
    }
}

/// The Apache library for Python has no xz.
fn codecs(library: &str) -> impl Iterator<Item = BlockCodec> {
    BlockCodec::ALL.into_iter().filter(move |codec| library != "apache" || *codec != BlockCodec::Xz)
}

#[test]
fn large_containers_of_many_blocks() {
    let Some(python) = foreign::python() else { return };
    let json = std::fs::read(wirewise_testkit::root().join("corpus/geo-points.json")).unwrap();
    let schema = r#"{"wirewise": "schema/1", "root": {"list": "Point"}, "types": [{"record": "Point", "fields": [
        {"number": 1, "name": "uuid", "type": "string", "logical": "uuid"}, {"number": 2, "name": "status", "type": "uint8"},
        {"number": 3, "name": "longitude", "type": "float64"}, {"number": 4, "name": "latitude", "type": "float64"}]}]}"#;
    let schema = Arc::new(Schema::parse(schema).unwrap());
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    plan("json", &schema).unwrap().decode(&json, &mut arena, &mut losses).map(drop).unwrap();
    let document = Document::new(&schema, &json, &arena);
    let mut containers = BTreeMap::new();
    for codec in BlockCodec::ALL {
        let mut out = Vec::new();
        plan(&variant(codec.name()), &schema).unwrap().encode(&document, &mut out, &mut losses).unwrap();
        containers.insert(codec.name(), hex(&out));
    }
    let answers = ask(python, &json!([{"avsc": "\"null\"", "containers": containers}]));
    for library in LIBRARIES {
        for codec in codecs(library) {
            assert_eq!(answers[0][library]["counts"][codec.name()], 1000);
            let theirs = unhex(&answers[0][library]["containers"][codec.name()]);
            let mut second = Arena::new(Limits::default());
            let codec = plan("avro-container", &schema).unwrap();
            let again = codec.decode(&theirs, &mut second, &mut losses).unwrap();
            assert_eq!(diff(&document, &again), None, "{library}");
        }
    }
}
