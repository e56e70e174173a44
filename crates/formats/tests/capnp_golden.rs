//! The messages that the `capnp` tool wrote for the cases in `conformance/capnp`.

use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Schema, diff};
use wirewise_formats::plan;

fn file(name: &str) -> Vec<u8> {
    let path = wirewise_testkit::root().join("conformance/capnp").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema(case: &str) -> Arc<Schema> {
    let text = String::from_utf8(file(&format!("{case}.schema.json"))).unwrap();
    Arc::new(Schema::parse(&text).unwrap_or_else(|error| panic!("{case}: {error}")))
}

/// The message `bytes` has the value in the file `json`, and is decoded without losses but those allowed.
fn check(schema: &Arc<Schema>, variant: &str, bytes: &[u8], json: &str, losses: &mut Losses) {
    let (text, codec) = (plan("json", schema).unwrap(), plan(variant, schema).unwrap());
    let (mut expected, mut found) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let json_text = file(json);
    let expected = text.decode(&json_text, &mut expected, losses).unwrap_or_else(|error| panic!("{json}: {error}"));
    let found = codec.decode(bytes, &mut found, losses).unwrap_or_else(|error| panic!("{json}: {error}"));
    if let Some(difference) = diff(&expected, &found) {
        panic!("{json}, {variant}: {difference}");
    }
}

/// The value in the file `json`, encoded.
fn encode(schema: &Arc<Schema>, variant: &str, json: &str) -> Vec<u8> {
    let (text, codec) = (plan("json", schema).unwrap(), plan(variant, schema).unwrap());
    let mut arena = Arena::new(Limits::default());
    let json = file(json);
    let document = text.decode(&json, &mut arena, &mut Losses::none()).unwrap();
    let mut out = Vec::new();
    codec.encode(&document, &mut out, &mut Losses::none()).unwrap();
    out
}

#[test]
fn bytes_are_those_of_the_tool() {
    for case in ["profile", "everything", "defaults", "numbers", "old", "new"] {
        let schema = schema(case);
        let json = format!("{case}.json");
        for (variant, extension) in [("capnp", "framed"), ("capnp-packed", "packed")] {
            let theirs = file(&format!("{case}.{extension}"));
            check(&schema, variant, &theirs, &json, &mut Losses::none());
            assert_eq!(encode(&schema, variant, &json), theirs, "{case}, {variant}");
        }
    }
    assert_eq!((file("profile.framed").len(), file("profile.packed").len()), (160, 92));
}

#[test]
fn messages_of_many_segments_are_read() {
    for words in [1, 3, 10] {
        let theirs = file(&format!("everything.segments-{words}"));
        check(&schema("everything"), "capnp", &theirs, "everything.json", &mut Losses::none());
    }
}

#[test]
fn canonical_messages_are_read() {
    let segment = file("everything.canonical");
    let mut message = vec![0; 4];
    message.extend(((segment.len() / 8) as u32).to_le_bytes());
    message.extend(&segment);
    assert!(message.len() < file("everything.framed").len());
    check(&schema("everything"), "capnp", &message, "everything.json", &mut Losses::none());
}

/// Fields were added, and lists of texts and of numbers became lists of structs.
#[test]
fn schemas_may_grow() {
    check(&schema("new"), "capnp", &file("old.framed"), "old-read-as-new.json", &mut Losses::none());

    let old = schema("old");
    let codec = plan("capnp", &old).unwrap();
    let newer = file("new.framed");
    let error = codec.decode(&newer, &mut Arena::new(Limits::default()), &mut Losses::none()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField));

    let mut losses = Losses::allowing([LossKind::UnknownField]);
    check(&old, "capnp", &newer, "new-read-as-old.json", &mut losses);
    // priority, price and its discriminant, note; a weight; a unit; a size.
    let places: Vec<_> = losses.summary(&old).into_iter().map(|(_, place, count)| format!("{place} {count}")).collect();
    assert_eq!(
        places,
        [
            "Order.data word 0 1",
            "Order.data word 1 1",
            "Order.pointer 3 1",
            "Item.data word 0 1",
            "$.data word 0 1",
            "$.pointer 0 1",
        ]
    );
}
