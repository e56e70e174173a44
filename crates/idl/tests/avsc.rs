//! Both Python libraries take every schema that is written.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value as Json, json};
use wirewise_core::Schema;
use wirewise_formats::avro;
use wirewise_idl::{MemoryFiles, Module, Source, find};
use wirewise_testkit::{foreign, random};

fn written(module: &Module) -> String {
    String::from_utf8(find("avsc").unwrap().write(module).unwrap().bytes).unwrap()
}

/// The verdicts of the libraries.
fn ask(texts: &[String]) -> Option<Vec<Json>> {
    let mut python = foreign::python()?;
    python.arg("conformance/avro/accept.py").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    child.stdin.take().unwrap().write_all(json!(texts).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn both_libraries_take_what_is_written() {
    let mut texts = Vec::new();
    for seed in 0..500 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let mut module = Module::of(schema);
        if seed % 3 == 0 {
            module.root = None;
        }
        texts.push(written(&module));
    }
    // Names that Avro does not have, names in namespaces, and notes of other languages.
    let odd = r#"{"wirewise": "schema/1", "root": "com.acme.Outer.Inner", "notes": {"proto.syntax": "proto3"}, "types": [
        {"record": "com.acme.Outer.Inner", "notes": {"x": "y"}, "oneofs": [{"name": "either", "required": true}], "fields": [
            {"number": 7, "name": "first-name", "type": {"scalar": "string", "notes": {"protobuf.type": "x"}}, "aliases": ["given name", "given"]},
            {"number": 2, "name": "e", "type": {"nullable": "string"}, "presence": "optional", "oneof": "either"},
            {"number": 3, "name": "f", "type": "Bare", "presence": "optional", "oneof": "either", "doc": "A doc."},
            {"number": 4, "name": "null", "type": {"map": {"list": {"nullable": "Choice"}}, "key": "uint8"}},
            {"number": 5, "name": "level", "type": "com.acme.Level", "default": "très haut"}]},
        {"record": "Bare", "fields": []},
        {"enum": "com.acme.Level", "closed": true, "symbols": [{"number": 5, "name": "low", "doc": "Low."}, {"number": 9, "name": "très haut"}]},
        {"union": "Choice", "doc": "One of them.", "branches": [{"number": 3, "name": "a", "type": "int8"}, {"number": 9, "name": "b", "type": "int32"}]}]}"#;
    texts.push(written(&Module::of(Schema::parse(odd).unwrap())));
    let avsc = r#"{"type":"record","name":"User","namespace":"com.acme","fields":[
        {"name":"id","type":{"type":"fixed","name":"Id","namespace":"com.acme.ids","size":8}},
        {"name":"other","type":"com.acme.ids.Id","order":"descending"},
        {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":10,"scale":2},"default":"\u0001\u00ff"},
        {"name":"suit","type":{"type":"enum","name":"Suit","symbols":["A","B"],"default":"B"},"default":"A"},
        {"name":"k","type":{"type":"record","name":"Inner","fields":[{"name":"x","type":"int"}]},"default":{"x":1}},
        {"name":"c","type":["string","null"],"default":"x"}]}"#;
    let source = Source::new("user.avsc", avsc);
    texts.push(written(&find("avsc").unwrap().read(&source, &MemoryFiles::none()).unwrap()));

    let Some(verdicts) = ask(&texts) else { return };
    for (text, verdict) in texts.iter().zip(verdicts) {
        assert_eq!(verdict["error"], Json::Null, "{text}");
        assert_eq!(verdict["canonical"], avro::canonical_form(text).unwrap(), "{text}");
    }
}
