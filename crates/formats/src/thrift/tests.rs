use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Result, Schema};

use crate::plan;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

fn schema(root: &str, types: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": [{types}]}}"#)).unwrap())
}

/// A record `R` with fields of these types, numbered from 1 and called `a`, `b`, ...
fn record(types: &[&str]) -> Arc<Schema> {
    let fields = types.iter().enumerate().map(|(i, ty)| {
        let name = (b'a' + i as u8) as char;
        format!(r#"{{"number": {}, "name": "{name}", "type": {ty}}}"#, i + 1)
    });
    schema("\"R\"", &format!(r#"{{"record": "R", "fields": [{}]}}"#, fields.collect::<Vec<_>>().join(",")))
}

fn to_json(schema: &Arc<Schema>, variant: &str, bytes: &[u8], losses: &mut Losses) -> Result<String> {
    let mut arena = Arena::new(Limits::default());
    let codec = plan(variant, schema)?;
    let document = codec.decode(bytes, &mut arena, losses)?;
    let mut out = Vec::new();
    plan("json", schema)?.encode(&document, &mut out, losses)?;
    Ok(String::from_utf8(out).unwrap())
}

fn from_json(schema: &Arc<Schema>, variant: &str, text: &str) -> Result<Vec<u8>> {
    let mut arena = Arena::new(Limits::default());
    let codec = plan("json", schema)?;
    let document = codec.decode(text.as_bytes(), &mut arena, &mut Losses::none())?;
    let mut out = Vec::new();
    plan(variant, schema)?.encode(&document, &mut out, &mut Losses::none())?;
    Ok(out)
}

/// What compact bytes are in JSON.
#[track_caller]
fn reads(schema: &Arc<Schema>, bytes: &[u8], json: &str) {
    assert_eq!(to_json(schema, "thrift-compact", bytes, &mut Losses::none()).unwrap(), json, "{bytes:02x?}");
}

/// What is wrong with compact bytes.
#[track_caller]
fn refused(schema: &Arc<Schema>, bytes: &[u8], kind: ErrorKind, message: &str) {
    let error = to_json(schema, "thrift-compact", bytes, &mut Losses::none()).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, message), "{bytes:02x?}");
}

#[test]
fn the_user_profile_has_the_sizes_that_apache_thrift_gives_it() {
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/thrift/profile.schema.json"),
    );
    let schema = Arc::new(Schema::parse(&text.unwrap()).unwrap());
    for (variant, size) in [("thrift", 76), ("thrift-compact", 76), ("thrift-binary", 124)] {
        let bytes = from_json(&schema, variant, PROFILE).unwrap();
        assert_eq!(bytes.len(), size, "{variant}");
        assert_eq!(to_json(&schema, variant, &bytes, &mut Losses::none()).unwrap(), PROFILE);
    }
}

#[test]
fn fields_come_in_any_order_and_with_long_headers() {
    let schema = record(&["\"int32\"", "\"bool\""]);
    let json = r#"{"a":3,"b":true}"#;
    reads(&schema, &[0x15, 6, 0x11, 0], json);
    reads(&schema, &[0x21, 0x05, 2, 6, 0], json);
    reads(&schema, &[0x05, 2, 6, 0x01, 4, 0], json);
    // More bytes than the number needs.
    reads(&schema, &[0x05, 0x82, 0x80, 0, 0x86, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x11, 0], json);
}

#[test]
fn booleans_in_lists_are_read_as_all_writers_write_them() {
    let schema = record(&[r#"{"list": "bool"}"#]);
    assert_eq!(from_json(&schema, "thrift-compact", r#"{"a":[true,false]}"#).unwrap(), [0x19, 0x21, 1, 2, 0]);
    for head in [0x21, 0x22] {
        reads(&schema, &[0x19, head, 1, 2, 0], r#"{"a":[true,false]}"#);
        reads(&schema, &[0x19, head, 1, 0, 0], r#"{"a":[true,false]}"#);
    }
    // A long head for a short list, and empty lists with whatever type.
    reads(&schema, &[0x19, 0xf1, 1, 1, 0], r#"{"a":[true]}"#);
    for head in [0x00, 0x01, 0x0f] {
        reads(&schema, &[0x19, head, 0], r#"{"a":[]}"#);
    }
    let message = "expected a boolean (0, 1 or 2), found 3, at byte 2, in $.a[0]";
    refused(&schema, &[0x19, 0x11, 3, 0], ErrorKind::Syntax, message);
    let message = "expected elements of type bool, found i32, at byte 1, in $.a";
    refused(&schema, &[0x19, 0x15, 3, 0], ErrorKind::Data, message);
}

#[test]
fn sets_and_uuids_are_read() {
    let schema = record(&[r#"{"list": "int8"}"#, r#"{"fixed": 16}"#]);
    let json = r#"{"a":[5,6],"b":"AAAAAAAAAAAAAAAAAAAAAA=="}"#;
    let uuid = [0; 16];
    reads(&schema, &[&[0x1a, 0x23, 5, 6, 0x1d], &uuid[..], &[0]].concat(), json);
    let binary = [&[14, 0, 1, 3, 0, 0, 0, 2, 5, 6, 16, 0, 2], &uuid[..], &[0]].concat();
    assert_eq!(to_json(&schema, "thrift-binary", &binary, &mut Losses::none()).unwrap(), json);
}

#[test]
fn unknown_fields_of_every_type_are_skipped_when_that_is_allowed() {
    let schema = record(&["\"int32\""]);
    #[rustfmt::skip]
    let compact: &[u8] = &[
        0x15, 14,
        0x11, 0x12, 0x13, 0xff, 0x14, 1, 0x15, 1, 0x16, 1,
        0x17, 0, 0, 0, 0, 0, 0, 0, 0,
        0x18, 2, b'h', b'i',
        0x19, 0x28, 0, 1, b'x', 0x1a, 0x11, 2,
        0x1b, 0, 0x1b, 1, 0x8c, 0, 0, 0x1c, 0x11, 0,
        0x1c, 0x1c, 0x00, 0x00,
        0x1d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        // A negative number, and the known one with another type, which makes it unknown.
        0x05, 1, 2, 0x08, 2, 0,
        0,
    ];
    #[rustfmt::skip]
    let binary: &[u8] = &[
        8, 0, 1, 0, 0, 0, 7,
        2, 0, 9, 1, 3, 0, 9, 0xff, 4, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0,
        6, 0, 9, 0, 1, 8, 0, 9, 0, 0, 0, 1, 10, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1,
        11, 0, 9, 0, 0, 0, 2, b'h', b'i',
        12, 0, 9, 2, 0, 1, 0, 0,
        13, 0, 9, 0, 0, 0, 0, 0, 0, 13, 0, 9, 8, 12, 0, 0, 0, 1, 0, 0, 0, 5, 0,
        14, 0, 9, 3, 0, 0, 0, 1, 1, 15, 0, 9, 11, 0, 0, 0, 0,
        16, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        2, 0xff, 0xff, 0, 11, 0, 1, 0, 0, 0, 0,
        0,
    ];
    for (variant, bytes, count) in [("thrift-compact", compact, 17), ("thrift-binary", binary, 15)] {
        let mut losses = Losses::allowing([LossKind::UnknownField]);
        assert_eq!(to_json(&schema, variant, bytes, &mut losses).unwrap(), r#"{"a":7}"#);
        assert_eq!(losses.total(), count, "{variant}");
        let error = to_json(&schema, variant, bytes, &mut Losses::none()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField));
        // Every cut is missed.
        for end in 0..bytes.len() {
            let mut losses = Losses::allowing([LossKind::UnknownField]);
            let error = to_json(&schema, variant, &bytes[..end], &mut losses).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::End, "{variant} at {end}: {error}");
        }
    }
}

#[test]
fn errors_say_where() {
    let schema = record(&["\"int16\"", "\"uint8\"", "\"string\"", "\"float32\"", "{\"map\": \"bool\"}", "\"any\""]);
    let syntax = ErrorKind::Syntax;
    let data = ErrorKind::Data;
    refused(&schema, &[0x1e, 0], syntax, "the compact protocol has no type 14, at byte 0");
    refused(&schema, &[0x10, 0], syntax, "the compact protocol has no type 0, at byte 0");
    refused(&schema, &[0x14, 0x80, 0x80, 4, 0], syntax, "32768 is beyond the range of i16, at byte 1, in $.a");
    let long = [0x14, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0];
    refused(&schema, &long, syntax, "a number has more than 64 bits, at byte 1, in $.a");
    refused(&schema, &[0x24, 0x80, 4, 0], data, "256 is not within 0 to 255, at byte 1, in $.b");
    refused(&schema, &[0x24, 1, 0], data, "-1 is not within 0 to 255, at byte 1, in $.b");
    refused(
        &schema,
        &[0x38, 2, b'a', 0xff, 0],
        data,
        "the text is not valid UTF-8, at byte 3, in $.c; a schema of type bytes takes any bytes",
    );
    let mut double = vec![0x47];
    double.extend(1e300f64.to_le_bytes());
    refused(&schema, &double, data, &format!("{} is beyond the range of float32, at byte 1, in $.d", 1e300));
    refused(&schema, &[0x5b, 2, 0x81, 0, 1, 0, 2], data, "the map has the key \"\" twice, at byte 1, in $.e");
    refused(&schema, &[0x68, 1, b'[', 0], syntax, "the input ends, but a value should follow, at byte 3, in $.f");
    refused(&schema, &[0x14, 2, 0x04, 2, 2], data, "the struct has the field \"a\" twice, at byte 2");
    refused(&schema, &[0x14, 2, 0], data, "the required field \"b\" of R is missing, at byte 0");
    refused(
        &schema,
        &[0x5b, 0xff, 0xff, 0xff, 0xff, 7, 0x88],
        ErrorKind::End,
        "the input ends, but the rest of 2147483647 elements should follow, at byte 7, in $.e",
    );
    let deep = [&[0x7c][..], &[0x1c; 100_000]].concat();
    let mut losses = Losses::allowing(LossKind::ALL);
    let error = to_json(&schema, "thrift-compact", &deep, &mut losses).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn a_float32_gives_back_only_what_it_holds() {
    let schema = record(&["\"float32\""]);
    let bytes = |value: f64| [&[0x17][..], &value.to_le_bytes(), &[0]].concat();
    reads(&schema, &bytes(0.15625), r#"{"a":0.15625}"#);
    let error = to_json(&schema, "thrift", &bytes(0.1), &mut Losses::none()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Loss(LossKind::Precision));
    let mut losses = Losses::allowing([LossKind::Precision]);
    assert_eq!(to_json(&schema, "thrift", &bytes(0.1), &mut losses).unwrap(), r#"{"a":0.1}"#);
}

#[test]
fn unions_have_exactly_one_field() {
    let union = r#"{"union": "U", "branches": [
        {"number": 2, "name": "a", "type": "int32"}, {"number": 1, "name": "b", "type": "int64"}]}"#;
    let schema = schema("\"U\"", union);
    reads(&schema, &[0x25, 14, 0], r#"{"a":7}"#);
    reads(&schema, &[0x16, 14, 0], r#"{"b":7}"#);
    refused(&schema, &[0], ErrorKind::Data, "union U has no field, at byte 0");
    refused(&schema, &[0x16, 2, 0x15, 2, 0], ErrorKind::Data, "a second field, \"a\", in union U, at byte 2");
}

#[test]
fn nulls_outside_fields_have_a_struct_of_their_own() {
    let list = schema(r#"{"list": {"nullable": "int8"}}"#, "");
    assert_eq!(from_json(&list, "thrift", "[1,null]").unwrap(), [0x19, 0x2c, 0x13, 1, 0, 0, 0]);
    let nullable = schema(r#"{"nullable": "int8"}"#, "");
    assert_eq!(from_json(&nullable, "thrift", "1").unwrap(), [0x13, 1, 0]);
    assert_eq!(from_json(&nullable, "thrift", "null").unwrap(), [0]);
    let null = schema(r#""null""#, "");
    assert_eq!(from_json(&null, "thrift", "null").unwrap(), [0]);
}

#[test]
fn what_thrift_cannot_express_is_said_when_planning_or_encoding() {
    let fields = (1..=32768).map(|i| format!(r#"{{"number": {i}, "name": "f{i}", "type": "bool"}}"#));
    let large = format!(r#"{{"record": "R", "fields": [{}]}}"#, fields.collect::<Vec<_>>().join(","));
    let error = plan("thrift", &schema("\"R\"", &large)).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert_eq!(error.to_string(), "R has more fields than Thrift has ids: 32767");
    // A type that no message has does not matter.
    assert!(plan("thrift", &schema("\"bool\"", &large)).is_ok());

    let open = r#"{"enum": "E", "symbols": [{"number": 0, "name": "ZERO"}]}"#;
    let error = from_json(&schema(r#"{"list": "E"}"#, open), "thrift", "[2147483648]").unwrap_err();
    let message = "enum E has the value 2147483648, but Thrift's enums are i32, in $[0]";
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Unsupported, message));

    let error = from_json(&record(&["\"uint64\""]), "thrift", r#"{"a":9223372036854775808}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("9223372036854775808 is beyond i64, in $.a"), "{error}");
}

#[test]
fn every_nan_of_a_float32_comes_back() {
    let schema = schema(r#""float32""#, "");
    for bits in [0x7FC0_0000u32, 0x7F80_0001, 0xFFBF_FFFF] {
        let mut arena = Arena::new(Limits::default());
        arena.begin(b"").unwrap();
        arena.set_root(wirewise_core::Cell::f32(f32::from_bits(bits)));
        let mut bytes = Vec::new();
        let codec = plan("thrift-binary", &schema).unwrap();
        let document = wirewise_core::Document::new(&schema, b"", &arena);
        codec.encode(&document, &mut bytes, &mut Losses::none()).unwrap();
        let mut arena = Arena::new(Limits::default());
        let document = codec.decode(&bytes, &mut arena, &mut Losses::none()).unwrap();
        assert_eq!(document.root().as_f32().to_bits(), bits);
    }
}

#[test]
fn what_thrift_has_no_room_for_has_another_place() {
    let wide = r#"{"enum": "E", "closed": true, "symbols": [{"number": 2147483648, "name": "FAR"}]}"#;
    assert_eq!(
        from_json(&schema(r#"{"list": "E"}"#, wide), "thrift-binary", r#"["FAR"]"#).unwrap()[3..13],
        [10, 0, 0, 0, 1, 0, 0, 0, 0, 0x80]
    );
    let large = schema("\"R\"", r#"{"record": "R", "fields": [{"number": 32768, "name": "far", "type": "bool"}]}"#);
    let bytes = [2, 0x40, 0, 1, 0];
    assert_eq!(from_json(&large, "thrift-binary", r#"{"far":true}"#).unwrap(), bytes);
    assert_eq!(to_json(&large, "thrift-binary", &bytes, &mut Losses::none()).unwrap(), r#"{"far":true}"#);
}

#[test]
fn notes_choose_what_is_on_the_wire() {
    let set = r#"{"list": "int8", "notes": {"thrift.set": "true"}}"#;
    let uuid = r#"{"fixed": 16, "logical": "uuid", "notes": {"thrift.type": "uuid"}}"#;
    let entry = r#"{"record": "Entry", "fields": [
        {"number": 1, "name": "key", "type": "float64"}, {"number": 2, "name": "value", "type": "int8"}]}"#;
    let record = format!(
        r#"{{"record": "R", "fields": [
            {{"number": 1, "name": "a", "type": {set}}}, {{"number": 2, "name": "b", "type": {uuid}}},
            {{"number": 3, "name": "c", "type": {{"list": "Entry", "notes": {{"thrift.map": "true"}}}}}}]}}, {entry}"#
    );
    let schema = schema("\"R\"", &record);
    let json = r#"{"a":[5],"b":"00000000-0000-0000-0000-000000000007","c":[{"key":0.0,"value":9}]}"#;
    let bytes = from_json(&schema, "thrift-compact", json).unwrap();
    let mut expected = vec![0x1a, 0x13, 5, 0x1d];
    expected.extend([0; 15]);
    expected.extend([7, 0x1b, 1, 0x73, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0]);
    assert_eq!(bytes, expected);
    reads(&schema, &bytes, json);
    // What is a set is no list to generated code, which passes over it.
    refused(
        &schema,
        &[0x19, 0x13, 5, 0],
        ErrorKind::Loss(LossKind::UnknownField),
        "the schema has no such field: number 1, at byte 0; --lossy unknown-field drops it and counts what was dropped",
    );
    refused(
        &schema,
        &[0x3b, 1, 0x33, 5, 9, 0],
        ErrorKind::Data,
        "expected elements of type double, found i8, at byte 1, in $.c",
    );
}

#[test]
fn a_field_without_requiredness_reads_as_its_default_or_zero() {
    let field = |number: u32, name: &str, rest: &str, default: &str| {
        format!(
            r#"{{"number": {number}, "name": "{name}", {rest}, "notes": {{"thrift.requiredness": "default"{default}}}}}"#
        )
    };
    let fields = [
        field(1, "int", r#""type": "int32""#, ""),
        field(2, "five", r#""type": "int32", "default": 5"#, ""),
        field(3, "text", r#""type": "string""#, ""),
        field(4, "color", r#""type": "Color""#, ""),
        field(5, "items", r#""type": {"list": "int32"}"#, r#", "thrift.default": "[1,2]""#),
        field(6, "names", r#""type": {"map": "bool", "key": "int32"}"#, r#", "thrift.default": "{\"1\":true}""#),
        field(7, "inner", r#""type": "Inner""#, r#", "thrift.default": "{\"b\":\"x\"}""#),
        field(8, "next", r#""type": "R", "presence": "optional""#, ""),
    ];
    let types = format!(
        r#"{{"record": "R", "fields": [{}]}}, {{"enum": "Color", "symbols": [{{"number": 3, "name": "RED"}}]}},
        {{"record": "Inner", "fields": [{}, {{"number": 2, "name": "b", "type": "string"}}]}}"#,
        fields.join(","),
        field(1, "a", r#""type": "float64""#, "")
    );
    let schema = schema("\"R\"", &types);
    let json = r#"{"int":0,"five":5,"text":"","color":0,"items":[1,2],"names":{"1":true},"inner":{"a":0.0,"b":"x"}}"#;
    reads(&schema, &[0], json);
    // All of it is written.
    let bytes = from_json(&schema, "thrift-compact", json).unwrap();
    assert_eq!(bytes[..9], [0x15, 0, 0x15, 10, 0x18, 0, 0x15, 0, 0x19]);
    reads(&schema, &bytes, json);
}

#[test]
fn oneofs_are_kept() {
    let record = |required: bool| {
        let record = format!(
            r#"{{"record": "R", "oneofs": [{{"name": "one", "required": {required}}}], "fields": [
            {{"number": 1, "name": "a", "type": "int8", "presence": "optional", "oneof": "one"}},
            {{"number": 2, "name": "b", "type": "int8", "presence": "optional", "oneof": "one"}}]}}"#
        );
        schema("\"R\"", &record)
    };
    reads(&record(true), &[0x23, 5, 0], r#"{"b":5}"#);
    reads(&record(false), &[0], "{}");
    let message = "none of the fields of oneof \"one\" of R is there, at byte 0";
    refused(&record(true), &[0], ErrorKind::Data, message);
    let message = "\"a\" and \"b\" are both there, but oneof \"one\" takes one of them, at byte 0";
    refused(&record(false), &[0x13, 5, 0x13, 5, 0], ErrorKind::Data, message);
    // A document that nobody checked.
    for (states, why) in [([true, true], "both there"), ([false, false], "none of the fields")] {
        let schema = record(true);
        let wirewise_core::Kind::Record(r) = schema.kind(schema.root()) else { unreachable!() };
        let mut arena = Arena::new(Limits::default());
        arena.begin(b"").unwrap();
        let at = arena.record(r).unwrap();
        let there = states.into_iter().enumerate().filter(|(_, there)| *there);
        there.for_each(|(position, _)| arena.set_field(r, at, position, wirewise_core::Cell::int(1)));
        arena.set_root(wirewise_core::Cell::index(at));
        let document = wirewise_core::Document::new(&schema, b"", &arena);
        let error = plan("thrift", &schema).unwrap().encode(&document, &mut Vec::new(), &mut Losses::none());
        let error = error.unwrap_err();
        assert!(error.kind() == ErrorKind::Unsupported && error.to_string().contains(why), "{error}");
    }
}

#[test]
fn every_byte_is_explained() {
    for seed in 0..300 {
        let schema = Arc::new(wirewise_testkit::random::wild_schema(seed));
        let mut arena = Arena::new(Limits::default());
        wirewise_testkit::random::wild_message(&schema, seed, &mut arena);
        let document = wirewise_core::Document::new(&schema, b"", &arena);
        for variant in ["thrift-compact", "thrift-binary"] {
            let codec = plan(variant, &schema).unwrap();
            let mut bytes = Vec::new();
            if codec.encode(&document, &mut bytes, &mut Losses::none()).is_err() {
                continue;
            }
            let mut traced = Arena::new(Limits::default());
            let mut recorder = wirewise_core::Recorder::new();
            let used = codec.trace(&bytes, &mut traced, &mut Losses::none(), &mut recorder).unwrap();
            assert_eq!(used, bytes.len());
            let again = wirewise_core::Document::new(&schema, &bytes, &traced);
            assert_eq!(wirewise_core::diff(&document, &again).map(|d| d.to_string()), None);
            assert_eq!(covered(recorder.finish()), bytes.len(), "seed {seed}, {variant}");
        }
    }
}

/// How many bytes these spans explain, one after the other.
fn covered(spans: Vec<wirewise_core::Span>) -> usize {
    spans.iter().fold(0, |end, span| {
        assert_eq!(span.bytes.start, end, "{span:?}");
        span.bytes.end
    })
}

#[test]
fn spans_say_what_bytes_are() {
    let schema = record(&["\"int32\"", "\"bool\"", r#"{"map": "string"}"#, r#"{"list": "int8"}"#]);
    let bytes = [0x15, 0xac, 2, 0x11, 0x1b, 1, 0x88, 1, b'k', 2, b'h', b'i', 0x19, 0x13, 7, 0x15, 2, 0];
    let mut recorder = wirewise_core::Recorder::new();
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let codec = plan("thrift", &schema).unwrap();
    codec.trace(&bytes, &mut Arena::new(Limits::default()), &mut losses, &mut recorder).unwrap();
    let shown: Vec<String> = recorder
        .finish()
        .into_iter()
        .map(|span| format!("{} {} {} {} {}", span.bytes.start, span.role.name(), span.path, span.what, span.value))
        .collect();
    assert_eq!(
        shown,
        [
            "0 tag $.a field 1, i32 ",
            "1 payload $.a i32 as zigzag varint 150",
            "3 tag $.b field 2, bool true",
            "4 tag $.c field 3, map ",
            "5 length $.c map of 1 string to string ",
            "7 length $.c.k length as varint 1",
            "8 payload $.c.k string \"k\"",
            "9 length $.c.k length as varint 2",
            "10 payload $.c.k string \"hi\"",
            "12 tag $.d field 4, list ",
            "13 length $.d list of 1 i8 ",
            "14 payload $.d[0] i8 7",
            "15 tag $[\"field 5\"] field 5, i32 ",
            "16 unknown $[\"field 5\"] i32 ",
            "17 syntax $ end of struct ",
        ]
    );
}

/// How a message is explained without a schema.
fn explained(variant: &str, bytes: &[u8]) -> (Result<usize>, Vec<wirewise_core::Span>) {
    let (format, variant) = crate::find(variant).unwrap();
    let mut recorder = wirewise_core::Recorder::new();
    let used = format.explain(variant, bytes, &Limits::default(), &mut recorder);
    (used, recorder.finish())
}

#[test]
fn bytes_are_explained_without_a_schema() {
    let bytes = [0x15, 0xac, 2, 0x11, 0x1b, 1, 0x88, 1, b'k', 2, b'h', b'i', 0x1c, 0x1a, 0x14, 7, 0, 0];
    let (used, spans) = explained("thrift", &bytes[..15]);
    let error = used.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::End, "{error}");
    assert_eq!(spans.last().unwrap().what, "set of 1 i16");
    let bytes = [0x15, 0xac, 2, 0x11, 0x1b, 1, 0x88, 1, b'k', 2, b'h', 0xff, 0x1c, 0x1a, 0x14, 7, 0, 0];
    let (used, spans) = explained("thrift", &bytes);
    assert_eq!(used.unwrap(), bytes.len());
    let shown: Vec<String> =
        spans.iter().map(|span| format!("{} {} {} {}", span.bytes.start, span.path, span.what, span.value)).collect();
    assert_eq!(
        shown,
        [
            "0 $.1 field 1, i32 ",
            "1 $.1 i32 as zigzag varint 150",
            "3 $.2 field 2, bool true",
            "4 $.3 field 3, map ",
            "5 $.3 map of 1 string to string ",
            "7 $.3.k length as varint 1",
            "8 $.3.k string \"k\"",
            "9 $.3.k length as varint 2",
            "10 $.3.k string 0x68ff",
            "12 $.4 field 4, struct ",
            "13 $.4.1 field 1, set ",
            "14 $.4.1 set of 1 i16 ",
            "15 $.4.1[0] i16 as zigzag varint -4",
            "16 $.4 end of struct ",
            "17 $ end of struct ",
        ]
    );
    // A remote call.
    let call = [&[0x80, 1, 0, 1, 0, 0, 0, 4][..], b"ping", &[0, 0, 0, 9, 0]].concat();
    let (used, spans) = explained("thrift-binary", &call);
    assert_eq!((used.unwrap(), covered(spans.clone())), (call.len(), call.len()));
    assert_eq!(spans[1].value, "\"ping\"");
    let call = [&[0x82, 0x21, 9, 4][..], b"ping", &[0]].concat();
    assert_eq!(explained("thrift", &call).0.unwrap(), call.len());
}

#[test]
fn own_messages_are_explained_and_recognised() {
    let (mut known, mut all) = (0, 0);
    for seed in 0..300 {
        let schema = Arc::new(wirewise_testkit::random::schema(seed));
        let mut arena = Arena::new(Limits::default());
        wirewise_testkit::random::message(&schema, seed, &mut arena);
        let document = wirewise_core::Document::new(&schema, b"", &arena);
        for variant in ["thrift-compact", "thrift-binary"] {
            let mut bytes = Vec::new();
            if plan(variant, &schema).unwrap().encode(&document, &mut bytes, &mut Losses::none()).is_err() {
                continue;
            }
            let (used, spans) = explained(variant, &bytes);
            assert_eq!(used.unwrap(), bytes.len(), "seed {seed}, {variant}");
            assert_eq!(covered(spans), bytes.len(), "seed {seed}, {variant}");
            if bytes.len() > 20 {
                all += 1;
                let guesses = crate::find("thrift").unwrap().0.guess(&bytes);
                known += usize::from(guesses.first().is_some_and(|g| g.variant.id == variant && g.certainty > 35));
            }
        }
    }
    assert!(all > 100 && known * 10 > all * 9, "{known} of {all}");
}

#[test]
fn what_is_no_thrift_is_not_claimed() {
    let mut rng = wirewise_testkit::random::Rng::new(7);
    let format = crate::find("thrift").unwrap().0;
    for round in 0..2000 {
        let bytes: Vec<u8> = (0..10_000).map(|_| rng.bits() as u8).collect();
        let guesses = format.guess(&bytes);
        assert!(guesses.iter().all(|guess| guess.certainty <= 30), "{round}: {guesses:?}");
        let mut recorder = wirewise_core::Recorder::new();
        for variant in format.info().variants {
            drop(format.explain(variant, &bytes[..200], &Limits::default(), &mut recorder));
        }
    }
    for text in [&br#"{"a": 1, "b": [true, null], "c": "text"}"#[..], b"id,name\n1,x\n", &[0; 10_000], b"", b"<xml/>"] {
        let guesses = format.guess(text);
        assert!(guesses.iter().all(|guess| guess.certainty <= 30), "{guesses:?}");
    }
}
