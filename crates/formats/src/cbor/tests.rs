use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Result, Schema};

use crate::plan;

fn schema(ty: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {ty}}}"#)).unwrap())
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).unwrap() as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn convert(ty: &str, from: &str, to: &str, input: &[u8], losses: &mut Losses) -> Result<Vec<u8>> {
    let schema = schema(ty);
    let mut arena = Arena::new(Limits::default());
    let mut out = Vec::new();
    let from = plan(from, &schema)?;
    plan(to, &schema)?.encode(&from.decode(input, &mut arena, losses)?, &mut out, losses)?;
    Ok(out)
}

fn recode(input: &str) -> Result<String> {
    let out = convert(r#""any""#, "cbor", "cbor", &unhex(input), &mut Losses::none())?;
    Ok(out.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn as_json(ty: &str, input: &str) -> Result<String> {
    let out = convert(ty, "cbor", "json", &unhex(input), &mut Losses::none())?;
    Ok(String::from_utf8(out).unwrap())
}

/// The examples of RFC 8949, appendix F.
#[test]
fn what_is_not_well_formed_is_refused() {
    let ends = "18 19 1a 1b 1901 1a0102 1b01020304050607 38 58 78 98 9a01ff00 b8 d8 f8 f900 fa0000 fb000000 41 61 \
        5affffffff00 7affffffff00 81 818181818181818181 8200 a1 a20102 a100 a2000000 c0 5f4100 7f6100 9f 9f0102 bf \
        bf01020102 819f 9f8000 9f9f9f9f9fffffffff 9f819f819f9fffffff";
    for input in ends.split_whitespace() {
        assert_eq!(recode(input).unwrap_err().kind(), ErrorKind::End, "{input}");
    }
    let wrong = "1c 1d 1e 3c 3d 3e 5c 5d 5e 7c 7d 7e 9c 9d 9e bc bd be dc dd de fc fd fe f800 f801 f818 f81f 5f00ff \
        5f21ff 5f6100ff 5f80ff 5fa0ff 5fc000ff 5fe0ff 7f4100ff 5f5f4100ffff 7f7f6100ffff ff 81ff 8200ff a1ff a1ff00 \
        a100ff a20000ff 9f81ff 9f829f819f9fffffffff bf00ff bf000000ff 1f 3f df";
    for input in wrong.split_whitespace() {
        assert_eq!(recode(input).unwrap_err().kind(), ErrorKind::Syntax, "{input}");
    }
    // No message is that long.
    for input in ["5bffffffffffffffff010203", "7b7fffffffffffffff010203", "9bffffffffffffffff", "bb0000000100000000"] {
        assert_eq!(recode(input).unwrap_err().kind(), ErrorKind::Limit, "{input}");
    }
}

#[test]
fn errors_say_what_and_where() {
    for (input, expected) in [
        ("61ff", "the text is not valid UTF-8, at byte 1; bytes that are no text have to be written as bytes"),
        // Each piece of a text has to be text.
        ("7f61c361bcff", "the text is not valid UTF-8, at byte 2; bytes that are no text have to be written as bytes"),
        ("a2616101616102", "the map has the key \"a\" twice, at byte 0"),
        // Equal values are equal keys, however they are written.
        ("a201001801f6", "the map has the key \"1\" twice, at byte 0"),
        ("82f6f7", "undefined, which no other format has, at byte 2, in $[1]; write null, or leave the entry out"),
        ("a16178e1", "the simple value 1, which has no standard meaning, at byte 3, in $.x"),
        (
            "0000",
            "1 bytes follow the end of the message, at byte 1; if the input is a stream of messages, choose its framing",
        ),
    ] {
        assert_eq!(recode(input).unwrap_err().to_string(), expected);
    }
    let deep = "c0".repeat(100_000) + "00";
    assert_eq!(recode(&deep).unwrap_err().kind(), ErrorKind::Limit);
    let deep = "9f".repeat(100_000);
    assert_eq!(recode(&deep).unwrap_err().kind(), ErrorKind::Limit);
    let error = as_json(r#""string""#, &("d9d9f7".repeat(100_000) + "60")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn floats_take_the_shortest_form_that_keeps_them() {
    for (input, expected) in [
        ("fb3ff8000000000000", "f93e00"),
        ("fb3e70000000000000", "f90001"),
        ("fb3e60000000000000", "fa33000000"),
        ("fb36a0000000000000", "fa00000001"),
        ("fb3690000000000000", "fb3690000000000000"),
        ("fb40effe0000000000", "fa477ff000"),
        ("fb40effc0000000000", "f97bff"),
        // The payloads of NaN, and its sign and quiet bit.
        ("fb7ff8000000000000", "f97e00"),
        ("fb7ff0040000000000", "f97c01"),
        ("fb7ff0000020000000", "fa7f800001"),
        ("fb7ff0000000000001", "fb7ff0000000000001"),
        ("fbfff8000000000001", "fbfff8000000000001"),
        ("fafff02000", "f9ff81"),
    ] {
        assert_eq!(recode(input).unwrap(), expected, "{input}");
    }
    // The same through types.
    for (ty, input) in
        [("float64", "f97c01"), ("float64", "fa7f800001"), ("float32", "f9fe01"), ("float32", "fa7f800001")]
    {
        let ty = format!("{ty:?}");
        assert_eq!(convert(&ty, "cbor", "cbor", &unhex(input), &mut Losses::none()).unwrap(), unhex(input), "{input}");
    }
    let narrowed = |input| as_json(r#""float32""#, input).map_err(|error| error.kind());
    assert_eq!(narrowed("fb3fb99999a0000000"), Ok("0.1".to_owned()));
    assert_eq!(narrowed("fb3fb999999999999a"), Err(ErrorKind::Loss(LossKind::Precision)));
    assert_eq!(narrowed("1a01000001"), Err(ErrorKind::Loss(LossKind::Precision)));
    assert_eq!(narrowed("fb7e37e43c8800759c"), Err(ErrorKind::Data));
}

#[test]
fn tags_that_say_what_the_schema_says_are_passed_over() {
    let millis = r#"{"scalar": "int64", "logical": "timestamp-millis"}"#;
    let uuid = r#"{"fixed": 16, "logical": "uuid"}"#;
    for (ty, input, expected) in [
        (r#""any""#, "d9d9f700", None),
        (r#""string""#, "d9d9f7626869", Some(r#""hi""#)),
        (r#"{"nullable": "string"}"#, "d9d9f7f6", Some("null")),
        (r#""string""#, "c074323031332d30332d32315432303a30343a30305a", Some(r#""2013-03-21T20:04:00Z""#)),
        // Tag 1 counts seconds, the type milliseconds.
        (millis, "c11a514b67b0", Some(r#""2013-03-21T20:04:00.000Z""#)),
        (millis, "1b0000013d8e8d0780", Some(r#""2013-03-21T20:04:00.000Z""#)),
        (uuid, "d8255000112233445566778899aabbccddeeff", Some(r#""00112233-4455-6677-8899-aabbccddeeff""#)),
        // Large integers that are not large.
        (r#""uint64""#, "c248ffffffffffffffff", Some("18446744073709551615")),
        (r#""int64""#, "c34a00007fffffffffffffff", Some("-9223372036854775808")),
        (r#""float64""#, "c24101", Some("1.0")),
        (r#""int64""#, "c249010000000000000000", None),
        (r#""bytes""#, "c24101", None),
        (r#""int64""#, "c201", None),
        (r#"{"list": "int32"}"#, "d90102820102", Some("[1,2]")),
        (r#""int32""#, "d9010201", None),
    ] {
        assert_eq!(as_json(ty, input).ok().as_deref(), expected, "{input} as {ty}");
    }
    let error = as_json(r#""string""#, "d82a60").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the schema has no such field: \"tag 42\", at byte 0; --lossy unknown-field drops it and counts what was dropped"
    );
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    assert_eq!(convert(r#""string""#, "cbor", "cbor", &unhex("d82a60"), &mut losses).unwrap(), [0x60]);
    assert_eq!(losses.total(), 1);
}

#[test]
fn records_in_any_encoding() {
    let point = r#"{"wirewise": "schema/1", "root": "P", "types": [{"record": "P", "fields": [
        {"number": 1, "name": "long", "type": "int32"},
        {"number": 2, "name": "b", "type": "int32", "presence": "optional"},
        {"number": 3, "name": "a", "type": {"nullable": "string"}}]}]}"#;
    let schema = Arc::new(Schema::parse(point).unwrap());
    let read = |variant: &str, input: &str| {
        let mut arena = Arena::new(Limits::default());
        let codec = plan(variant, &schema).unwrap();
        let input = unhex(input);
        let mut losses = Losses::none();
        let document = codec.decode(&input, &mut arena, &mut losses).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut losses).unwrap();
        Ok::<String, String>(out.iter().map(|byte| format!("{byte:02x}")).collect())
    };
    // Keys are written in the order of their bytes.
    let full = "a36161f6616202646c6f6e6701";
    for input in [
        full,
        "a3646c6f6e67016162026161f6",
        // Lengths unknown, and longer than needed.
        "bf616202646c6f6e671900016161f6ff",
        "b90003780161f679000162027f626c6f626e67ff01",
    ] {
        assert_eq!(read("cbor", input), Ok(full.to_owned()), "{input}");
    }
    // JavaScript writes undefined for a field that it does not have.
    assert_eq!(read("cbor", "a36161f66162f7646c6f6e6701"), Ok("a26161f6646c6f6e6701".to_owned()));
    assert_eq!(read("cbor-positional", "8301f7f6"), Ok("8301f6f6".to_owned()));
    assert_eq!(read("cbor-positional", "9f0102f6ff"), Ok("830102f6".to_owned()));
    for (variant, input, expected) in [
        ("cbor", "a16161f6", "the required field \"long\" of P is missing, at byte 0"),
        ("cbor", "a2646c6f6e6701646c6f6e6701", "the map has the key \"long\" twice, at byte 7"),
        (
            "cbor",
            "a1646c6f6e67f7",
            "undefined, which no other format has, at byte 6, in $.long; write null, or leave the entry out",
        ),
        (
            "cbor",
            "83010203",
            "expected P, found an array, at byte 0; records are arrays in the variant cbor-positional",
        ),
        (
            "cbor",
            "a10500",
            "the schema has no such field: \"5\", at byte 1; --lossy unknown-field drops it and counts what was dropped",
        ),
    ] {
        assert_eq!(read(variant, input), Err(expected.to_owned()));
    }
}

/// Integers below those of 64 bits are CBOR's alone.
#[test]
fn integers_of_65_bits() {
    let json = |input: &[u8]| convert(r#""any""#, "json", "cbor", input, &mut Losses::none());
    assert_eq!(json(b"-18446744073709551616").unwrap(), unhex("3bffffffffffffffff"));
    assert_eq!(json(b"-9223372036854775809").unwrap(), unhex("3b8000000000000000"));
    assert_eq!(json(b"-18446744073709551617").unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(json(b"18446744073709551616").unwrap_err().kind(), ErrorKind::Unsupported);
    let msgpack = convert(r#""any""#, "cbor", "msgpack", &unhex("3b8000000000000000"), &mut Losses::none());
    let error = msgpack.unwrap_err();
    assert_eq!(
        error.to_string(),
        "MessagePack integers cannot hold -9223372036854775809; they reach from -2^63 to 2^64 - 1"
    );
}
