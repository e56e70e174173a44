use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Result, Schema};

use crate::plan;

fn convert(ty: &str, from: &str, to: &str, input: &[u8]) -> Result<Vec<u8>> {
    let schema = Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {ty}}}"#)).unwrap());
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let mut out = Vec::new();
    let from = plan(from, &schema)?;
    plan(to, &schema)?.encode(&from.decode(input, &mut arena, &mut losses)?, &mut out, &mut losses)?;
    Ok(out)
}

fn recode(input: &[u8]) -> Result<Vec<u8>> {
    convert(r#""any""#, "msgpack", "msgpack", input)
}

fn as_json(ty: &str, input: &[u8]) -> Result<String> {
    convert(ty, "msgpack", "json", input).map(|out| String::from_utf8(out).unwrap())
}

#[test]
fn any_value_comes_back() {
    let text = br#"{"a":[1,-1,255,1.5,null,true,18446744073709551615],"b":{"c":"text"}}"#;
    let packed = convert(r#""any""#, "json", "msgpack", text).unwrap();
    assert_eq!(convert(r#""any""#, "msgpack", "json", &packed).unwrap(), text);
}

/// Extension types, and keys that JSON does not have.
#[test]
fn what_only_messagepack_has_comes_back() {
    for bytes in [
        &b"\xd4\x05\x01"[..],
        b"\xc7\x00\x80",
        b"\xd6\xff\x5a\x4a\xf6\xa5",
        b"\x84\x01\xa1a\xc0\xa1b\xc4\x01x\xa1c\x91\x02\x80",
        b"\x82\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xc0\x01\xc0",
    ] {
        assert_eq!(recode(bytes).unwrap(), bytes);
    }
}

/// The lengths at which encodings change.
#[test]
fn lengths() {
    for (heads, element) in [
        (["a0", "bf", "d920", "d9ff", "da0100", "daffff", "db00010000"], b'x'),
        (["c400", "c41f", "c420", "c4ff", "c50100", "c5ffff", "c600010000"], 0xff),
        (["90", "9f", "dc0010", "dc00ff", "dc0100", "dcffff", "dd00010000"], 0xc0),
    ] {
        let is_list = heads[0] == "90";
        let lengths = [0, if is_list { 15 } else { 31 }, if is_list { 16 } else { 32 }, 255, 256, 65535, 65536];
        for (head, len) in heads.into_iter().zip(lengths) {
            let mut bytes: Vec<u8> =
                (0..head.len()).step_by(2).map(|at| u8::from_str_radix(&head[at..at + 2], 16).unwrap()).collect();
            bytes.resize(bytes.len() + len, element);
            assert!(recode(&bytes).unwrap() == bytes, "{head}");
        }
    }
}

#[test]
fn errors_say_what_and_where() {
    for (ty, input, expected) in [
        ("any", &b"\xc1"[..], "the byte 0xc1, which MessagePack never uses, at byte 0"),
        ("any", b"\x92\x01", "the input ends, but a value should follow, at byte 2, in $[1]"),
        ("any", b"\xdb\xff\xff\xff\xffab", "the input ends, but 4294967293 more bytes should follow, at byte 7"),
        ("any", b"\x82\xa1a\x01\xa1a\x02", "the map has the key \"a\" twice, at byte 0"),
        ("any", b"\x82\x01\x01\xcd\x00\x01\x02", "the map has the key \"1\" twice, at byte 0"),
        ("int8", b"\xcc\x80", "128 does not fit int8, at byte 0"),
        ("uint8", b"\xff", "-1 does not fit uint8, at byte 0"),
        ("int32", b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "expected int32, found a float, at byte 0"),
        (
            "string",
            b"\xc4\x01a",
            "expected string, found bytes, at byte 0; text has to be written as a string, not as bytes",
        ),
        (
            "bytes",
            b"\xa1a",
            "expected bytes, found a string, at byte 0; writers of the specification before 2013 write bytes as strings: tell yours to use the bin family",
        ),
        (
            "string",
            b"\xa1\xff",
            "the text is not valid UTF-8, at byte 1; bytes that are no text have to be written as bytes",
        ),
        ("string", b"\xd4\x05\x01", "expected string, found an extension type, at byte 0"),
    ] {
        let error = convert(&format!("{ty:?}"), "msgpack", "msgpack", input).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(recode(&[0x91; 100_000]).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn numbers_of_other_widths_are_read_exactly_or_not_at_all() {
    let read = |ty: &str, input: &[u8]| as_json(&format!("{ty:?}"), input).map_err(|error| error.kind());
    assert_eq!(read("int8", b"\xd3\xff\xff\xff\xff\xff\xff\xff\x80"), Ok("-128".to_owned()));
    assert_eq!(read("uint64", b"\xd0\x7f"), Ok("127".to_owned()));
    assert_eq!(read("float64", b"\xca\x3f\xc0\x00\x00"), Ok("1.5".to_owned()));
    assert_eq!(read("float64", b"\x05"), Ok("5.0".to_owned()));
    assert_eq!(read("float32", b"\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), Ok("1.5".to_owned()));
    let precision = Err(ErrorKind::Loss(LossKind::Precision));
    assert_eq!(read("float32", b"\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a"), precision);
    assert_eq!(read("float64", b"\xcf\x00\x20\x00\x00\x00\x00\x00\x01"), precision);
    assert_eq!(read("float64", b"\xcf\x80\x00\x00\x00\x00\x00\x00\x00"), Ok("9.223372036854776e18".to_owned()));
}

#[test]
fn timestamps_of_the_extension_are_read_where_the_type_is_one() {
    let read = |unit: &str, input: &[u8]| {
        let ty = format!(r#"{{"nullable": {{"scalar": "int64", "logical": "timestamp-{unit}"}}}}"#);
        as_json(&ty, input).map_err(|error| error.kind())
    };
    let half = b"\xd7\xff\x77\x35\x94\x00\x5a\x4a\xf6\xa5";
    assert_eq!(read("millis", half), Ok(r#""2018-01-02T03:04:05.500Z""#.to_owned()));
    assert_eq!(read("seconds", half), Err(ErrorKind::Loss(LossKind::Precision)));
    assert_eq!(read("seconds", b"\xd6\xff\x5a\x4a\xf6\xa5"), Ok(r#""2018-01-02T03:04:05Z""#.to_owned()));
    assert_eq!(read("seconds", b"\xd6\x01\x5a\x4a\xf6\xa5"), Err(ErrorKind::Data));
    // A billion nanoseconds are a second.
    assert_eq!(read("nanos", b"\xc7\x0c\xff\x3b\x9a\xca\x00\0\0\0\0\0\0\0\0"), Err(ErrorKind::Data));
}

#[test]
fn tags_of_cbor_are_refused_unless_they_are_extension_types() {
    let from_cbor = |input: &[u8]| convert(r#""any""#, "cbor", "msgpack", input);
    assert_eq!(from_cbor(b"\xc5\x41\x01").unwrap(), b"\xd4\x05\x01");
    for input in [&b"\xd8\x80\x41\x01"[..], b"\xc1\x01"] {
        assert_eq!(from_cbor(input).unwrap_err().kind(), ErrorKind::Unsupported);
    }
}
