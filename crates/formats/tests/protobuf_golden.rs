//! Payloads that Google's tools made, in `conformance/protobuf`: reading them gives the value in the JSON file, and
//! writing that value gives the same bytes.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema, diff};
use wirewise_testkit::root;

fn check(variant: &str, case: &str, payload: &str, list: bool) {
    let read = |name: &str| {
        let path = root().join("conformance/protobuf").join(name);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let schema = Schema::parse(std::str::from_utf8(&read(&format!("{case}.schema.json"))).unwrap()).unwrap();
    let schema = Arc::new(if list { schema.list_of() } else { schema });
    let payload = read(payload);
    let mut json = read(&format!("{case}.json"));
    if list {
        let row = String::from_utf8(json).unwrap();
        json = format!("[{row},{row},{row}]").into_bytes();
    }
    let codec = wirewise_formats::plan(variant, &schema).unwrap();
    let json_codec = wirewise_formats::plan("json", &schema).unwrap();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut losses = Losses::none();
    let expected = json_codec.decode(&json, &mut first, &mut losses).unwrap();
    let decoded = codec.decode(&payload, &mut second, &mut losses).unwrap_or_else(|error| panic!("{case}: {error}"));
    if let Some(difference) = diff(&expected, &decoded) {
        panic!("{case}: {difference}");
    }
    let mut out = Vec::new();
    codec.encode(&expected, &mut out, &mut losses).unwrap();
    assert_eq!(out, payload, "{case}");
}

#[test]
fn protoc_wrote_the_same_bytes() {
    for case in ["profile", "scalars", "presence", "collections"] {
        check("protobuf", case, &format!("{case}.pb"), false);
    }
}

#[test]
fn python_wrote_the_same_stream() {
    check("protobuf-delimited", "profile", "profile.delimited", true);
}
