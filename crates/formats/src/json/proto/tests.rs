use std::sync::Arc;

use wirewise_core::{Arena, Limits, LossKind, Losses, Schema};

use crate::plan;

fn schema(text: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(text).unwrap())
}

fn convert(schema: &Arc<Schema>, from: &str, to: &str, text: &str, losses: &mut Losses) -> Result<String, String> {
    let (from, to) = (plan(from, schema).unwrap(), plan(to, schema).unwrap());
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(text.as_bytes(), &mut arena, losses).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, losses).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

fn again(schema: &Arc<Schema>, text: &str) -> Result<String, String> {
    convert(schema, "protojson", "protojson", text, &mut Losses::none())
}

fn numbers() -> Arc<Schema> {
    schema(
        r#"{"wirewise": "schema/1", "root": "M", "types": [{"record": "M", "fields": [
            {"number": 1, "name": "an_int", "type": "int32"},
            {"number": 2, "name": "a_long", "type": "int64", "presence": "optional"},
            {"number": 3, "name": "a_float", "type": "float32"},
            {"number": 4, "name": "some_bytes", "type": "bytes", "notes": {"protobuf.json_name": "data"}},
            {"number": 5, "name": "kind", "type": {"list": "E"}},
            {"number": 6, "name": "kinds", "type": {"map": "E"}},
            {"number": 7, "name": "one_kind", "type": "E", "presence": "optional"},
            {"number": 8, "name": "ext", "type": "bool", "presence": "optional", "notes": {"protobuf.extension": "a.b"}}]},
            {"enum": "E", "closed": true, "symbols": [{"number": 0, "name": "A"}, {"number": 1, "name": "B"}]}]}"#,
    )
}

#[test]
fn both_names_and_every_form_of_a_number_are_read() {
    let schema = numbers();
    for (text, expected) in [
        ("{}", "{}"),
        (r#"{"an_int": 0, "a_long": 0, "a_float": 0}"#, r#"{"aLong":"0"}"#),
        (r#"{"anInt": 1e2, "aLong": "9007199254740993"}"#, r#"{"anInt":100,"aLong":"9007199254740993"}"#),
        (r#"{"anInt": "1.50e1", "aLong": -9223372036854775808}"#, r#"{"anInt":15,"aLong":"-9223372036854775808"}"#),
        (r#"{"aFloat": "-Infinity"}"#, r#"{"aFloat":"-Infinity"}"#),
        (r#"{"aFloat": "1.5", "aLong": null}"#, r#"{"aFloat":1.5}"#),
        (r#"{"aFloat": -0.0}"#, r#"{"aFloat":-0.0}"#),
        (r#"{"data": "-_8"}"#, r#"{"data":"+/8="}"#),
        (r#"{"some_bytes": "\u002b\/8="}"#, r#"{"data":"+/8="}"#),
        (r#"{"kind": ["A", 1, "B", 1.0]}"#, r#"{"kind":["A","B","B","B"]}"#),
        (r#"{"[a.b]": false}"#, r#"{"[a.b]":false}"#),
    ] {
        assert_eq!(again(&schema, text).as_deref(), Ok(expected), "{text}");
    }
    for (text, expected) in [
        (r#"{"anInt": 2147483648}"#, "2147483648 does not fit int32, at byte 10, in $.an_int"),
        (r#"{"anInt": 1, "an_int": null}"#, "the object has the field \"an_int\" twice, at byte 13"),
        (r#"{"kind": ["C"]}"#, "enum E has no symbol \"C\", at byte 10, in $.kind[0]"),
        (r#"{"kind": [2]}"#, "enum E has no number 2, at byte 10, in $.kind[0]"),
        (r#"{"kind": [null]}"#, "expected E, found null, at byte 10, in $.kind[0]"),
        (r#"{"data": "A"}"#, "expected base64, at byte 9, in $.some_bytes"),
        (
            r#"{"ext": true}"#,
            "the schema has no such field: \"ext\", at byte 1; --lossy unknown-field drops it and counts what was dropped",
        ),
    ] {
        assert_eq!(again(&schema, text).unwrap_err(), expected, "{text}");
    }
}

#[test]
fn what_the_schema_does_not_know_may_be_dropped() {
    let schema = numbers();
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let text = r#"{"new": [{}], "kind": ["A", "C", 7], "kinds": {"x": "C", "y": "B"}, "oneKind": "C"}"#;
    let written = convert(&schema, "protojson", "protojson", text, &mut losses).unwrap();
    assert_eq!((written.as_str(), losses.total()), (r#"{"kind":["A"],"kinds":{"y":"B"}}"#, 5));
}

#[test]
fn what_protobuf_has_not_is_as_in_plain_json() {
    let schema = schema(
        r#"{"wirewise": "schema/1", "root": "M", "types": [{"record": "M", "fields": [
            {"number": 1, "name": "lists", "type": {"list": {"list": {"nullable": "int64"}}}},
            {"number": 2, "name": "day", "type": {"scalar": "int32", "logical": "date"}},
            {"number": 3, "name": "nothing", "type": "null", "presence": "optional"},
            {"number": 4, "name": "maybe", "type": {"nullable": "bool"}, "presence": "optional"},
            {"number": 5, "name": "anything", "type": "any"},
            {"number": 6, "name": "one_of_two", "type": "U", "presence": "optional"}]},
            {"union": "U", "branches": [{"number": 1, "name": "a_b", "type": "string"}, {"number": 2, "name": "c", "type": "bool"}]}]}"#,
    );
    let text = r#"{"lists":[[],["1",null]],"day":"1970-01-02","nothing":null,"maybe":null,"anything":{"a_b":1},"oneOfTwo":{"aB":"x"}}"#;
    assert_eq!(again(&schema, text).as_deref(), Ok(text));
    assert_eq!(again(&schema, "{}").as_deref(), Ok(r#"{"anything":null}"#));
}

/// There is one NaN in JSON, and more in memory.
#[test]
fn a_nan_with_a_payload_is_a_loss() {
    let schema = schema(r#"{"wirewise": "schema/1", "root": {"list": "float64"}}"#);
    let (from, to) = (plan("msgpack", &schema).unwrap(), plan("protojson", &schema).unwrap());
    let mut arena = Arena::new(Limits::default());
    let bytes = [&[0x92][..], &[0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], &[0xcb, 0xff, 0xf8, 0, 0, 0, 0, 0, 1]].concat();
    let document = from.decode(&bytes, &mut arena, &mut Losses::none()).unwrap();
    let error = to.encode(&document, &mut Vec::new(), &mut Losses::none()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "this NaN has a sign or a payload, and JSON would say NaN alone, in $[1]; --lossy not-finite drops it and counts what was dropped"
    );
    let (mut out, mut losses) = (Vec::new(), Losses::allowing([LossKind::NotFinite]));
    to.encode(&document, &mut out, &mut losses).unwrap();
    assert_eq!((out, losses.total()), (br#"["NaN","NaN"]"#.to_vec(), 1));
}
