//! The repository's sample data: every message comes back.

mod common;

use std::path::{Path, PathBuf};

use common::assert_exact;
use wirewise_core::{Kind, Schema};
use wirewise_schema::{Inference, LogicalStyle, Options, split_json};

fn json_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension().and_then(|extension| extension.to_str()) {
            None if path.is_dir() => json_files(&path, files),
            Some("json" | "ndjson") => files.push(path),
            _ => {}
        }
    }
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

#[test]
fn every_message_of_every_file_comes_back() {
    let mut files = Vec::new();
    json_files(&corpus(), &mut files);
    assert!(files.len() >= 7, "{files:?}");
    for file in files {
        let input = std::fs::read(&file).unwrap();
        let messages = split_json(&input).unwrap();
        let messages: Vec<&[u8]> = messages.ranges().iter().map(|range| &input[range.clone()]).collect();
        for logical in [LogicalStyle::Text, LogicalStyle::Stored] {
            let schema = common::infer(&messages, Options { logical, ..Options::default() });
            assert_exact(&schema, &messages, &file.display().to_string());
        }
        // The first half, then the second.
        let (first, second) = messages.split_at(messages.len() / 2);
        if !first.is_empty() {
            let half = common::infer(first, Options::default());
            let mut inference = Inference::with_schema(&half, Options::default());
            second.iter().for_each(|message| inference.add(message).unwrap());
            let schema = inference.finish("Root").unwrap();
            assert_exact(&schema, &messages, &format!("{}, second half", file.display()));
        }
    }
}

#[test]
fn people_have_the_schema_that_one_would_write() {
    let mut inference = Inference::new(Options::default());
    inference.add_all(&std::fs::read(corpus().join("people.json")).unwrap()).unwrap();
    let expected = r#"{"wirewise": "schema/1", "root": "Person", "types": [
        {"record": "Person", "fields": [
            {"number": 1, "name": "name", "type": "string"},
            {"number": 2, "name": "addresses", "type": {"list": "Address"}},
            {"number": 3, "name": "mobiles", "type": {"list": "string"}},
            {"number": 4, "name": "emails", "type": {"list": "string"}}]},
        {"record": "Address", "fields": [
            {"number": 1, "name": "street", "type": "string"},
            {"number": 2, "name": "number", "type": "int64"}]}]}"#;
    assert_eq!(inference.finish("Person").unwrap().to_text(), Schema::parse(expected).unwrap().to_text());
}

#[test]
fn real_webhooks_make_a_record_without_any() {
    let mut inference = Inference::new(Options::default());
    inference.add_all(&std::fs::read(corpus().join("real/github_webhooks.ndjson")).unwrap()).unwrap();
    let schema = inference.finish("Webhook").unwrap();
    assert!(matches!(schema.kind(schema.root()), Kind::Record(_)));
    assert!(schema.types().iter().all(|ty| ty.kind != Kind::Any), "{}", schema.to_text());
}
