//! Schemas as people write them: data that they describe is read and written unchanged, and what is written of the schema
//! takes that data, too.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value as Json;
use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_idl::{MemoryFiles, Module, Source, find};

use crate::common::{difference, write};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/json_schema/schemas")
}

fn read(name: &str) -> Module {
    let text = std::fs::read(folder().join(name)).unwrap();
    let source = Source::new(name, text);
    find("json-schema").unwrap().read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}"))
}

/// What a schema file has of it, and the notices: compared with a file beside it.
fn expect(name: &str, root: Option<&str>) -> Schema {
    let module = read(&format!("{name}.json"));
    let schema = module.schema_of(root).unwrap();
    let notices: String = module.notices.iter().map(|notice| format!("// {notice}\n")).collect();
    let found = format!("{notices}{}", module.schema.to_text());
    let path = folder().join(format!("{name}.expected.txt"));
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{name}: {}\nWIREWISE_REWRITE=1 rewrites it", difference(&expected, &found));
    let text = write(&module.schema);
    let again = find("json-schema").unwrap().read(&Source::new("again.json", text.as_str()), &MemoryFiles::none());
    let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let (expected, found) = (module.schema.to_text(), again.schema.to_text());
    assert!(found == expected, "{name}: {}\n{text}", difference(&expected, &found));
    schema
}

fn samples(name: &str, schema: Schema) {
    let codec = wirewise_formats::plan("json", &Arc::new(schema.clone())).unwrap();
    let original: Json =
        serde_json::from_slice(&std::fs::read(folder().join(format!("{name}.json"))).unwrap()).unwrap();
    let written: Json = serde_json::from_str(&write(&schema)).unwrap();
    jsonschema::meta::validate(&written).unwrap_or_else(|error| panic!("{name}: {error}\n{written:#}"));
    let text = std::fs::read_to_string(folder().join(format!("{name}.sample.json"))).unwrap();
    for line in text.lines() {
        let mut arena = Arena::new(Limits::default());
        let document = codec.decode(line.as_bytes(), &mut arena, &mut Losses::none());
        let document = document.unwrap_or_else(|error| panic!("{name}: {error}\n{line}\n{}", schema.to_text()));
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut Losses::none()).unwrap();
        let sample: Json = serde_json::from_str(line).unwrap();
        let encoded: Json = serde_json::from_slice(&out).unwrap();
        for (name, value) in sample.as_object().unwrap() {
            assert_eq!(encoded.get(name), Some(value), "{name}");
        }
        for (what, schema) in [("original", &original), ("written", &written)] {
            if original.get("openapi").is_some() && what == "original" {
                continue;
            }
            let validator = jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            if let Some(error) = validator.iter_errors(&sample).next() {
                panic!("{name}, {what}: {error} at {}\n{schema:#}", error.instance_path());
            }
        }
    }
}

#[test]
fn package_manifest() {
    samples("package", expect("package", None));
}

#[test]
fn orders_of_an_api() {
    samples("orders", expect("orders", Some("Order")));
}

#[test]
fn recursive_tree() {
    samples("tree", expect("tree", None));
}

#[test]
fn events_with_tags() {
    samples("events", expect("events", None));
}

#[test]
fn unions_of_all_kinds() {
    samples("shapes", expect("shapes", None));
}
