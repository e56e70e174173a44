//! What values become, and what they cannot become.

use std::sync::Arc;

use wirewise_core::{ErrorKind, LossKind, Losses, Result, Schema};

use crate::testing::convert;

pub(super) fn schema(text: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", {text}}}"#)).unwrap())
}

/// A schema with one record of these fields.
pub(super) fn record(fields: &str) -> Arc<Schema> {
    schema(&format!(r#""root": "R", "types": [{{"record": "R", "fields": [{fields}]}}]"#))
}

/// What JSON text reads back as after it was a message.
fn there_and_back(schema: &Arc<Schema>, json: &str) -> Result<String> {
    let mut text = json.as_bytes().to_vec();
    for variant in ["capnp", "capnp-packed"] {
        let message = convert(schema, "json", variant, &text, &mut Losses::none())?;
        text = convert(schema, variant, "json", &message, &mut Losses::none())?;
    }
    Ok(String::from_utf8(text).unwrap())
}

/// A framed message of one segment.
pub(super) fn message(words: &[u64]) -> Vec<u8> {
    let mut out = vec![0; 4];
    out.extend((words.len() as u32).to_le_bytes());
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    out
}

#[test]
fn every_kind_can_be_the_root() {
    for (ty, values) in [
        (r#""null""#, &["null"][..]),
        (r#""bool""#, &["true", "false"]),
        (r#""int16""#, &["-5"]),
        (r#""float32""#, &["1.5"]),
        (r#""string""#, &["\"\"", "\"text\""]),
        (r#""bytes""#, &["\"\"", "\"AAECA/8=\""]),
        (r#"{"fixed": 2}"#, &["\"AAE=\""]),
        (r#""any""#, &["null", r#"{"a":[1]}"#]),
        (r#"{"list": "bool"}"#, &["[]", "[true,false,true]"]),
        (r#"{"map": "int8"}"#, &["{}", r#"{"a":1,"b":-1}"#]),
        (r#"{"nullable": "int8"}"#, &["null", "0", "7"]),
        (r#"{"nullable": "string"}"#, &["null", "\"\""]),
        (r#"{"nullable": "R"}"#, &["null", r#"{"x":0}"#]),
        (r#"{"nullable": "U"}"#, &["null", "\"a\"", "5"]),
        (r#""R""#, &[r#"{"x":3}"#]),
        (r#""U""#, &["\"a\"", "5"]),
        (r#""E""#, &["\"B\"", "\"A\""]),
        (r#"{"list": {"nullable": {"list": "U"}}}"#, &[r#"[null,[],["a",0]]"#]),
        (r#"{"map": {"nullable": "U"}}"#, &[r#"{"x":null,"y":5}"#]),
    ] {
        let schema = schema(&format!(
            r#""root": {ty}, "types": [
                {{"record": "R", "fields": [{{"number": 1, "name": "x", "type": "int8"}}]}},
                {{"enum": "E", "symbols": [{{"number": 7, "name": "A"}}, {{"number": 3, "name": "B"}}]}},
                {{"union": "U", "branches": [
                    {{"number": 2, "name": "text", "type": "string"}}, {{"number": 1, "name": "number", "type": "int8"}}]}}]"#
        ));
        for value in values {
            assert_eq!(there_and_back(&schema, value).unwrap(), *value, "{ty}");
        }
    }
}

#[test]
fn absent_and_null_are_told_apart_where_only_one_is_possible() {
    for ty in [r#""int8""#, r#""string""#, r#""any""#, r#""null""#, r#"{"list": "int8"}"#, r#"{"map": "bool"}"#] {
        let optional = record(&format!(r#"{{"number": 1, "name": "x", "type": {ty}, "presence": "optional"}}"#));
        assert_eq!(there_and_back(&optional, "{}").unwrap(), "{}");
        if matches!(ty, r#""any""# | r#""null""#) {
            assert_eq!(there_and_back(&optional, r#"{"x":null}"#).unwrap(), r#"{"x":null}"#);
            continue;
        }
        let nullable = record(&format!(r#"{{"number": 1, "name": "x", "type": {{"nullable": {ty}}}}}"#));
        assert_eq!(there_and_back(&nullable, r#"{"x":null}"#).unwrap(), r#"{"x":null}"#);

        let both =
            record(&format!(r#"{{"number": 1, "name": "x", "type": {{"nullable": {ty}}}, "presence": "optional"}}"#));
        assert_eq!(there_and_back(&both, "{}").unwrap(), "{}");
        let error = there_and_back(&both, r#"{"x":null}"#).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Loss(LossKind::NullAsAbsent));
        assert_eq!(error.path().unwrap(), "$.x");
        let mut losses = Losses::allowing([LossKind::NullAsAbsent]);
        let message = convert(&both, "json", "capnp", br#"{"x":null}"#, &mut losses).unwrap();
        assert_eq!(convert(&both, "capnp", "json", &message, &mut losses).unwrap(), b"{}");
        assert_eq!(losses.total(), 1);
    }
}

#[test]
fn unknown_numbers_of_open_enums_are_kept_where_they_fit() {
    let schema = schema(
        r#""root": "E", "types": [{"enum": "E", "symbols": [
            {"number": 0, "name": "A"}, {"number": 1, "name": "B"}, {"number": 70, "name": "C"}]}]"#,
    );
    for value in ["\"A\"", "\"C\"", "3", "71", "65535"] {
        assert_eq!(there_and_back(&schema, value).unwrap(), value);
    }
    // 2 is the position of C, and the others are no positions at all.
    for value in ["2", "-1", "65536"] {
        assert_eq!(there_and_back(&schema, value).unwrap_err().kind(), ErrorKind::Unsupported);
    }
    // Position 70 is not known, but the number 70 is: it would become C.
    let struct_ = [1 << 32, 70];
    let error = convert(&schema, "capnp", "json", &message(&struct_), &mut Losses::none()).unwrap_err();
    assert_eq!(error.to_string(), "enum E has no ordinal 70, at byte 16");
}

#[test]
fn empty_messages_are_all_defaults() {
    let schema = schema(
        r#""root": "R", "types": [
            {"record": "R", "fields": [
                {"number": 1, "name": "n", "type": "int8"}, {"number": 2, "name": "five", "type": "int8", "default": 5},
                {"number": 3, "name": "text", "type": "string"},
                {"number": 4, "name": "hello", "type": "string", "default": "hello"},
                {"number": 5, "name": "fixed", "type": {"fixed": 3}}, {"number": 6, "name": "any", "type": "any"},
                {"number": 7, "name": "list", "type": {"list": "R"}}, {"number": 8, "name": "s", "type": "S"},
                {"number": 9, "name": "u", "type": "U"}, {"number": 10, "name": "o", "type": "S", "presence": "optional"},
                {"number": 11, "name": "map", "type": {"map": "S"}},
                {"number": 12, "name": "null", "type": {"nullable": "int8"}}]},
            {"record": "S", "fields": [{"number": 1, "name": "on", "type": "bool", "default": true}]},
            {"union": "U", "branches": [
                {"number": 1, "name": "s", "type": "S"}, {"number": 2, "name": "n", "type": "int8"}]}]"#,
    );
    let expected = concat!(
        r#"{"n":0,"five":5,"text":"","hello":"hello","fixed":"AAAA","any":null,"list":[],"s":{"on":true},"#,
        r#""u":{"on":true},"map":{},"null":null}"#
    );
    // A null root, a struct without fields, and one whose data ends in the middle of ours.
    for words in [&[0][..], &[0x0000_0000_FFFF_FFFC], &[1 << 32, 0]] {
        let json = convert(&schema, "capnp", "json", &message(words), &mut Losses::none()).unwrap();
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }
}

#[test]
fn lists_are_read_as_lists_of_structs_and_back() {
    let numbers = schema(r#""root": {"list": "uint16"}"#);
    let structs = schema(
        r#""root": {"list": "S"}, "types": [{"record": "S", "fields": [
            {"number": 1, "name": "x", "type": "uint16"}, {"number": 2, "name": "y", "type": "uint16"}]}]"#,
    );
    let message = |schema, json: &str| convert(schema, "json", "capnp", json.as_bytes(), &mut Losses::none()).unwrap();
    let read = |schema, bytes: &[u8]| {
        convert(schema, "capnp", "json", bytes, &mut Losses::none()).map(|json| String::from_utf8(json).unwrap())
    };
    assert_eq!(read(&structs, &message(&numbers, "[1,65535]")).unwrap(), r#"[{"x":1,"y":0},{"x":65535,"y":0}]"#);
    assert_eq!(read(&numbers, &message(&structs, r#"[{"x":1,"y":0},{"x":9,"y":0}]"#)).unwrap(), "[1,9]");
    let error = read(&numbers, &message(&structs, r#"[{"x":1,"y":0},{"x":9,"y":1}]"#)).unwrap_err();
    assert_eq!((error.kind(), error.path().unwrap().as_str()), (ErrorKind::Loss(LossKind::UnknownField), "$[1]"));

    let (bools, texts) = (schema(r#""root": {"list": "bool"}"#), schema(r#""root": {"list": "string"}"#));
    let error = read(&structs, &message(&bools, "[true]")).unwrap_err();
    assert_eq!(error.to_string(), "expected a list of S, found one of elements of 1 bits, at byte 16");
    let error = read(&numbers, &message(&texts, r#"["a"]"#)).unwrap_err();
    assert_eq!(error.to_string(), "expected a list of uint16, found one of pointers, at byte 16");
    let error = read(&bools, &message(&structs, r#"[{"x":1,"y":0}]"#)).unwrap_err();
    assert_eq!(error.to_string(), "expected a list of bool, found one of structs, at byte 16");
    // Data is a list of bytes.
    let (data, bytes) = (schema(r#""root": "bytes""#), schema(r#""root": {"list": "uint8"}"#));
    assert_eq!(read(&bytes, &message(&data, "\"AAH/\"")).unwrap(), "[0,1,255]");
}

#[test]
fn what_has_no_place_is_an_error() {
    let schema =
        schema(r#""root": "E", "types": [{"enum": "E", "closed": true, "symbols": [{"number": 0, "name": "A"}]}]"#);
    let error = convert(&schema, "capnp", "json", &message(&[1 << 32, 1]), &mut Losses::none()).unwrap_err();
    assert_eq!(error.to_string(), "enum E has no ordinal 1, at byte 16");

    let maps = super::values::schema(r#""root": {"map": "int8"}"#);
    let twice = convert(
        &super::values::schema(
            r#""root": {"list": "S"}, "types": [{"record": "S", "fields": [
                {"number": 1, "name": "key", "type": "string"}, {"number": 2, "name": "value", "type": "int8"}]}]"#,
        ),
        "json",
        "capnp",
        br#"[{"key":"a","value":1},{"key":"a","value":2}]"#,
        &mut Losses::none(),
    )
    .unwrap();
    let error = convert(&maps, "capnp", "json", &twice, &mut Losses::none()).unwrap_err();
    assert_eq!(error.message(), "the map has the key \"a\" twice");
}

#[test]
fn far_and_double_far_pointers_are_followed() {
    let schema = record(r#"{"number": 1, "name": "n", "type": "int8"}, {"number": 2, "name": "t", "type": "string"}"#);
    let far = |segment: u64, word: u64| 2 | word << 3 | segment << 32;
    let struct_ = 1 << 32 | 1 << 48;
    let text = 1 | 2 << 32 | 3 << 35;
    // The root is found over a pad of two words in segment 1, and its text over a pad of one word in segment 3.
    let segments: [&[u64]; 4] = [&[far(1, 1) | 4], &[0, far(2, 1), struct_], &[0, 7, far(3, 1)], &[0, text, 0x6968]];
    let mut bytes: Vec<u8> = [3, 1, 3, 3, 3, 0].iter().flat_map(|size: &u32| size.to_le_bytes()).collect();
    bytes.extend(segments.concat().iter().flat_map(|word| word.to_le_bytes()));
    let json = convert(&schema, "capnp", "json", &bytes, &mut Losses::none()).unwrap();
    assert_eq!(String::from_utf8(json).unwrap(), r#"{"n":7,"t":"hi"}"#);
}
