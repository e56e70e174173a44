//! FlatBuffers against the files in `conformance/flatbuffers`, which `make.py` there made with foreign tools.

use std::path::PathBuf;
use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema, diff};

fn file(name: &str) -> PathBuf {
    wirewise_testkit::root().join("conformance/flatbuffers").join(name)
}

/// The bytes decode to the case's value; returns what that value is when encoded.
#[track_caller]
fn reads(variant: &str, case: &str, bytes: &[u8]) -> Vec<u8> {
    let schema = std::fs::read_to_string(file(&format!("{case}.schema.json"))).unwrap();
    let schema = Arc::new(Schema::parse(&schema).unwrap());
    let json = std::fs::read(file(&format!("{case}.json"))).unwrap();
    let codec = wirewise_formats::plan(variant, &schema).unwrap();
    let mut losses = Losses::none();
    let (mut ours, mut theirs) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let ours = wirewise_formats::plan("json", &schema).unwrap().decode(&json, &mut ours, &mut losses).map(|document| {
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut losses).unwrap();
        let theirs = codec.decode(bytes, &mut theirs, &mut Losses::none()).unwrap();
        if let Some(difference) = diff(&document, &theirs) {
            panic!("{case}: {difference}");
        }
        out
    });
    ours.unwrap()
}

/// The bytes decode to the case's value, and the value encodes to the bytes.
#[track_caller]
fn agrees(variant: &str, case: &str, bytes: &str) {
    let bytes = std::fs::read(file(bytes)).unwrap();
    assert!(reads(variant, case, &bytes) == bytes, "{case} is written otherwise");
}

#[test]
fn what_flatc_wrote() {
    agrees("flatbuffers", "profile", "profile.bin");
    agrees("flatbuffers", "everything", "everything.bin");
    agrees("flatbuffers", "numbers", "numbers.bin");
}

#[test]
fn what_flatc_wrote_with_sizes() {
    agrees("flatbuffers-size-prefixed", "profile", "profile.prefixed.bin");
    agrees("flatbuffers-size-prefixed", "everything", "everything.prefixed.bin");
    agrees("flatbuffers-size-prefixed", "stream", "stream.prefixed.bin");
}

#[test]
fn what_python_laid_out_otherwise() {
    let bytes = std::fs::read(file("profile.python.bin")).unwrap();
    assert_eq!(bytes[4..8], *b"USER");
    let ours = reads("flatbuffers", "profile", &bytes);
    assert!(ours != bytes, "the layouts no longer differ");
}
