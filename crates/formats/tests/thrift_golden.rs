//! The bytes that Apache Thrift's Python wrote for the cases in `conformance/thrift`.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema, diff};
use wirewise_formats::plan;

const VARIANTS: [&str; 2] = ["thrift-compact", "thrift-binary"];

fn file(name: &str) -> Vec<u8> {
    let path = wirewise_testkit::root().join("conformance/thrift").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema(case: &str) -> Arc<Schema> {
    let text = String::from_utf8(file(&format!("{case}.schema.json"))).unwrap();
    Arc::new(Schema::parse(&text).unwrap_or_else(|error| panic!("{case}: {error}")))
}

/// Their bytes decode to the value; the value's own bytes are given back.
fn check(case: &str, variant: &str) -> Vec<u8> {
    let schema = schema(case);
    let (json, thrift) = (plan("json", &schema).unwrap(), plan(variant, &schema).unwrap());
    let (mut expected_arena, mut arena) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut losses = Losses::none();

    let text = file(&format!("{case}.json"));
    let expected = json.decode(&text, &mut expected_arena, &mut losses).unwrap();
    let bytes = file(&format!("{case}.{variant}"));
    let decoded = thrift.decode(&bytes, &mut arena, &mut losses).unwrap_or_else(|error| panic!("{case}: {error}"));
    if let Some(difference) = diff(&expected, &decoded) {
        panic!("{case}, {variant}: {difference}");
    }
    let mut out = Vec::new();
    thrift.encode(&expected, &mut out, &mut losses).unwrap();
    out
}

#[test]
fn bytes_are_those_of_apache_thrift() {
    for variant in VARIANTS {
        for case in ["profile", "everything", "number_list", "uuids"] {
            assert_eq!(check(case, variant), file(&format!("{case}.{variant}")), "{case}, {variant}");
        }
    }
    assert_eq!(file("profile.thrift-compact").len(), 76);
    assert_eq!(file("profile.thrift-binary").len(), 124);
}

/// We have no sets: theirs are read as lists, and lists are what we write.
#[test]
fn sets_are_read_as_lists() {
    for variant in VARIANTS {
        check("sets", variant);
    }
}
