//! What JSON, MessagePack and CBOR share: what their traces say, line by line, and that of a oneof one field is there.

use std::sync::Arc;

use wirewise_core::{Arena, Cell, Document, ErrorKind, Limits, LossKind, Losses, Recorder, Schema};
use wirewise_formats::plan;

const EVENT: &str = r#"{"wirewise": "schema/1", "root": "Event", "types": [
    {"record": "Event", "fields": [
        {"number": 1, "name": "at", "type": "int64", "logical": "timestamp-millis"},
        {"number": 2, "name": "kind", "type": "Kind"},
        {"number": 3, "name": "tags", "type": {"map": "int32"}},
        {"number": 4, "name": "ratio", "type": "float32", "presence": "optional"}]},
    {"enum": "Kind", "symbols": [{"name": "NONE", "number": 0}, {"name": "START", "number": 1}]}]}"#;

/// What a traced decoder says, a line for each span.
fn traced(id: &str, schema: &str, input: &[u8]) -> Vec<String> {
    let codec = plan(id, &Arc::new(Schema::parse(schema).unwrap())).unwrap();
    let (mut recorder, mut arena) = (Recorder::new(), Arena::new(Limits::default()));
    let used = codec.trace(input, &mut arena, &mut Losses::allowing(LossKind::ALL), &mut recorder).unwrap();
    assert_eq!(used, input.len());
    let spans = recorder.finish().into_iter();
    spans
        .map(|span| {
            let (start, end) = (span.bytes.start, span.bytes.end);
            let line = format!("{start}..{end} {} {} {} {}", span.role.name(), span.path, span.what, span.value);
            line.trim_end().to_owned()
        })
        .collect()
}

#[test]
fn traces_of_json() {
    let text = br#"{"kind":"START", "at":"1970-01-01T00:00:00.007Z","tags":{"a":1},"more":[0]} "#;
    let expected = [
        "0..1 syntax $ punctuation {",
        "1..8 name $.kind name \"kind\":",
        "8..15 name $.kind string \"START\"",
        "15..17 syntax $ punctuation ,",
        "17..22 name $.at name \"at\":",
        "22..48 payload $.at string \"1970-01-01T00:00:00.007Z\"",
        "48..49 syntax $ punctuation ,",
        "49..56 name $.tags name \"tags\":",
        "56..57 syntax $.tags punctuation {",
        "57..61 name $.tags.a name \"a\":",
        "61..62 payload $.tags.a number 1",
        "62..63 syntax $.tags punctuation }",
        "63..64 syntax $ punctuation ,",
        "64..71 name $.more name \"more\":",
        "71..72 unknown $.more punctuation [",
        "72..73 unknown $.more[0] number 0",
        "73..74 unknown $.more punctuation ]",
        "74..76 syntax $ punctuation }",
    ];
    assert_eq!(traced("json", EVENT, text), expected);
    let compact = traced("json-compact", EVENT, br#"["1970-01-01T00:00:00.007Z","NONE",{},null]"#);
    assert_eq!(compact[1], "1..27 payload $.at string \"1970-01-01T00:00:00.007Z\"");
    assert_eq!(compact[compact.len() - 2], "38..42 payload $.ratio null null");
}

#[test]
fn traces_of_message_pack() {
    let named = b"\x84\xa2at\xcd\x01\x00\xa4kind\xa5START\xa4tags\x81\xa1a\xff\xa4more\xc0";
    let expected = [
        "0..1 length $ fixmap 4 entries",
        "1..2 length $.at fixstr 2 bytes",
        "2..4 name $.at text \"at\"",
        "4..5 tag $.at uint 16",
        "5..7 payload $.at uint 16 \"1970-01-01T00:00:00.256Z\"",
        "7..8 length $.kind fixstr 4 bytes",
        "8..12 name $.kind text \"kind\"",
        "12..13 length $.kind fixstr 5 bytes",
        "13..18 name $.kind text \"START\"",
        "18..19 length $.tags fixstr 4 bytes",
        "19..23 name $.tags text \"tags\"",
        "23..24 length $.tags fixmap 1 entry",
        "24..25 length $.tags.a fixstr 1 byte",
        "25..26 name $.tags.a text \"a\"",
        "26..27 payload $.tags.a negative fixint -1",
        "27..28 length $.more fixstr 4 bytes",
        "28..32 name $.more text \"more\"",
        "32..33 unknown $.more nil null",
    ];
    assert_eq!(traced("msgpack-named", EVENT, named), expected);
    // A timestamp extension of 32 bits, the number of a symbol, a float.
    let positional = traced("msgpack-positional", EVENT, b"\x94\xd6\xff\x00\x00\x00\x01\x01\x80\xca\x3d\xcc\xcc\xcd");
    let expected = [
        "0..1 length $ fixarray 4 elements",
        "1..3 tag $.at fixext 4 type -1, 4 bytes",
        "3..7 payload $.at timestamp \"1970-01-01T00:00:01.000Z\"",
        "7..8 payload $.kind positive fixint \"START\"",
        "8..9 length $.tags fixmap 0 entries",
        "9..10 tag $.ratio float 32",
        "10..14 payload $.ratio float 32 0.1",
    ];
    assert_eq!(positional, expected);
}

#[test]
fn traces_of_cbor() {
    let any = r#"{"wirewise": "schema/1", "root": "any"}"#;
    let input = b"\xd9\xd9\xf7\xbf\x7f\x61a\x61b\xff\x9f\x18\x64\xf5\xff\x03\xf9\x3c\x00\xff";
    let expected = [
        "0..3 tag $ tag tag 55799",
        "3..4 length $ map up to a break",
        "4..5 length $.ab text string up to a break",
        "5..6 length $.ab text string 1 byte",
        "6..7 name $.ab text \"a\"",
        "7..8 length $.ab text string 1 byte",
        "8..9 name $.ab text \"b\"",
        "9..10 syntax $.ab break",
        "10..11 length $.ab array up to a break",
        "11..12 tag $.ab[0] unsigned integer",
        "12..13 payload $.ab[0] unsigned integer 100",
        "13..14 payload $.ab[1] true true",
        "14..15 syntax $.ab break",
        "15..16 name $[\"3\"] unsigned integer 3",
        "16..17 tag $[\"3\"] half-precision float",
        "17..19 payload $[\"3\"] half-precision float 1.0",
        "19..20 syntax $ break",
    ];
    assert_eq!(traced("cbor-named", any, input), expected);
}

const CHOICE: &str = r#"{"wirewise": "schema/1", "root": "R", "types": [
    {"record": "R", "oneofs": [{"name": "choice", "required": true}], "fields": [
        {"number": 1, "name": "a", "type": "int32", "presence": "optional", "oneof": "choice"},
        {"number": 2, "name": "b", "type": "int32", "presence": "optional", "oneof": "choice"}]}]}"#;

#[test]
fn of_a_oneof_one_field_is_there() {
    let schema = Arc::new(Schema::parse(CHOICE).unwrap());
    type Bytes = &'static [u8];
    let cases: [(&str, Bytes, Bytes, Bytes); 6] = [
        ("json", b"{\"b\":1}", b"{\"a\":1,\"b\":1}", b"{}"),
        ("json-compact", b"[null,1]", b"[1,1]", b"[]"),
        ("msgpack-named", b"\x81\xa1b\x01", b"\x82\xa1a\x01\xa1b\x01", b"\x80"),
        ("msgpack-positional", b"\x92\xc0\x01", b"\x92\x01\x01", b"\x90"),
        ("cbor-named", b"\xa1\x61b\x01", b"\xa2\x61a\x01\x61b\x01", b"\xa0"),
        ("cbor-positional", b"\x82\xf6\x01", b"\x82\x01\x01", b"\x80"),
    ];
    for (id, good, both, none) in cases {
        let codec = plan(id, &schema).unwrap();
        let read = |input: &[u8]| {
            codec
                .read(input, &mut Arena::new(Limits::default()), &mut Losses::none())
                .map_err(|error| error.to_string())
        };
        assert_eq!(read(good), Ok(good.len()), "{id}");
        assert!(read(both).unwrap_err().contains("\"a\" and \"b\" are both there"), "{id}");
        assert!(read(none).unwrap_err().contains("none of the fields of oneof \"choice\""), "{id}");

        let record = match schema.kind(schema.root()) {
            wirewise_core::Kind::Record(record) => record,
            _ => unreachable!("the root is a record"),
        };
        for fields in [0..0, 0..2] {
            let mut arena = Arena::new(Limits::default());
            arena.begin(b"").unwrap();
            let at = arena.record(record).unwrap();
            fields.for_each(|position| arena.set_field(record, at, position, Cell::int(1)));
            arena.set_root(Cell::index(at));
            let document = Document::new(&schema, b"", &arena);
            let error = codec.encode(&document, &mut Vec::new(), &mut Losses::none()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Data, "{id}");
        }
    }
}
