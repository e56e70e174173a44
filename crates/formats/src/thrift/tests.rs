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
    let large = r#"{"record": "R", "fields": [{"number": 32768, "name": "far", "type": "bool"}]}"#;
    let error = plan("thrift", &schema("\"R\"", large)).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().starts_with("field \"far\" of R has number 32768"), "{error}");
    // A type that no message has does not matter.
    assert!(plan("thrift", &schema("\"bool\"", large)).is_ok());

    let wide = r#"{"enum": "E", "symbols": [{"number": 2147483648, "name": "FAR"}]}"#;
    assert_eq!(plan("thrift", &schema("\"E\"", wide)).map(drop).unwrap_err().kind(), ErrorKind::Unsupported);

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
