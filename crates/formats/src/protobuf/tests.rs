use std::sync::Arc;

use wirewise_core::{Arena, ErrorKind, Limits, LossKind, Losses, Result, Schema};

use crate::plan;
use crate::testing::convert;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

/// A schema whose root is `Root`, from the rows of its types.
fn schema(types: &str) -> Arc<Schema> {
    let text = format!(r#"{{"wirewise": "schema/1", "root": "Root", "types": [{types}]}}"#);
    Arc::new(Schema::parse(&text).unwrap())
}

/// A schema with one record, from the rows of its fields.
fn record(fields: &str) -> Arc<Schema> {
    schema(&format!(r#"{{"record": "Root", "fields": [{fields}]}}"#))
}

fn write(schema: &Arc<Schema>, json: &str) -> Vec<u8> {
    convert(schema, "json", "protobuf", json.as_bytes(), &mut Losses::none()).unwrap()
}

fn read(schema: &Arc<Schema>, payload: &[u8]) -> Result<String> {
    convert(schema, "protobuf", "json", payload, &mut Losses::none()).map(|json| String::from_utf8(json).unwrap())
}

/// Reads a payload that has unknown parts; returns how many.
fn read_lossy(schema: &Arc<Schema>, payload: &[u8]) -> (String, u64) {
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let json = convert(schema, "protobuf", "json", payload, &mut losses).unwrap();
    (String::from_utf8(json).unwrap(), losses.total())
}

#[test]
fn the_profile_takes_76_bytes() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "user_id", "type": "uint64"},
            {"number": 2, "name": "username", "type": "string"},
            {"number": 3, "name": "email", "type": "string"},
            {"number": 4, "name": "created_at", "type": "int64"},
            {"number": 5, "name": "last_login", "type": "int64"},
            {"number": 6, "name": "preferences", "type": "Preferences"},
            {"number": 7, "name": "subscription", "type": "Subscription"}]},
        {"record": "Preferences", "fields": [
            {"number": 1, "name": "theme", "type": "string"},
            {"number": 2, "name": "notifications", "type": "bool"}]},
        {"record": "Subscription", "fields": [
            {"number": 1, "name": "tier", "type": "string"},
            {"number": 2, "name": "expires_at", "type": "int64"}]}"#,
    );
    let payload = write(&schema, PROFILE);
    assert_eq!(payload.len(), 76);
    assert_eq!(read(&schema, &payload).unwrap(), PROFILE);
    let delimited = convert(&schema, "protobuf", "protobuf-delimited", &payload, &mut Losses::none()).unwrap();
    assert_eq!(delimited, [&[76], &payload[..]].concat());
}

#[test]
fn zero_is_left_out_unless_presence_is_explicit() {
    let types = r#"{"record": "Root", "fields": [
            {"number": 1, "name": "plain", "type": "int32"},
            {"number": 2, "name": "optional", "type": "int32", "presence": "optional"},
            {"number": 3, "name": "nullable", "type": {"nullable": "string"}},
            {"number": 4, "name": "colour", "type": "Colour"},
            {"number": 5, "name": "with_default", "type": "int32", "default": 7}]},
        {"enum": "Colour", "closed": true, "symbols": [{"number": 1, "name": "RED"}, {"number": 0, "name": "NONE"}]}"#;
    let schema = schema(types);
    for (json, payload) in [
        // The first symbol is not 0, and the default is not 0: what is left out would read as those.
        (r#"{"plain":0,"nullable":null,"colour":"RED","with_default":0}"#, &b"\x20\x01\x28\x00"[..]),
        (r#"{"plain":0,"nullable":"","colour":"NONE","with_default":7}"#, b"\x1a\x00\x20\x00\x28\x07"),
        (
            r#"{"plain":1,"optional":0,"nullable":null,"colour":"RED","with_default":7}"#,
            b"\x08\x01\x10\0\x20\x01\x28\x07",
        ),
    ] {
        assert_eq!(write(&schema, json), payload);
        assert_eq!(read(&schema, payload).unwrap(), json);
    }
    assert_eq!(read(&schema, b"").unwrap(), r#"{"plain":0,"nullable":null,"colour":"RED","with_default":7}"#);
}

#[test]
fn what_is_left_out_reads_as_the_default() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "text", "type": "string", "default": "x"},
            {"number": 2, "name": "float", "type": "float32", "default": -0.0},
            {"number": 3, "name": "flag", "type": "bool", "default": false},
            {"number": 4, "name": "colour", "type": "Colour", "default": "NONE"},
            {"number": 5, "name": "nullable", "type": {"nullable": "int32"}, "default": 5},
            {"number": 6, "name": "optional", "type": "int32", "default": 5, "presence": "optional"},
            {"number": 7, "name": "list", "type": {"list": "int32"}, "default": []}]},
        {"enum": "Colour", "symbols": [{"number": 1, "name": "RED"}, {"number": 0, "name": "NONE"}]}"#,
    );
    // Null is what is left out of a nullable field, whatever its default is.
    let default = r#"{"text":"x","float":-0.0,"flag":false,"colour":"NONE","nullable":null,"list":[]}"#;
    assert_eq!(read(&schema, b"").unwrap(), default);
    assert_eq!(write(&schema, default), b"\x0a\x01x\x15\0\0\0\x80");
    let zero = r#"{"text":"","float":0.0,"flag":false,"colour":"NONE","nullable":0,"optional":0,"list":[]}"#;
    let payload = b"\x0a\x00\x15\0\0\0\0\x28\x00\x30\x00";
    assert_eq!(write(&schema, zero), payload);
    assert_eq!(read(&schema, payload).unwrap(), zero);
}

#[test]
fn null_and_absent_are_one() {
    let schema = record(r#"{"number": 1, "name": "a", "type": {"nullable": "int32"}, "presence": "optional"}"#);
    let mut losses = Losses::none();
    let error = convert(&schema, "json", "protobuf", br#"{"a":null}"#, &mut losses).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Loss(LossKind::NullAsAbsent), Some("$.a".to_owned())));
    let mut losses = Losses::allowing([LossKind::NullAsAbsent]);
    assert_eq!(convert(&schema, "json", "protobuf", br#"{"a":null}"#, &mut losses).unwrap(), b"");
    assert_eq!(losses.summary(&schema), [(LossKind::NullAsAbsent, "Root.a".to_owned(), 1)]);
}

#[test]
fn numbers_are_read_as_the_specification_says() {
    let schema = record(
        r#"{"number": 1, "name": "i32", "type": "int32"}, {"number": 2, "name": "u32", "type": "uint32"},
           {"number": 3, "name": "b", "type": "bool"}, {"number": 4, "name": "i8", "type": "int8"}"#,
    );
    for (payload, json) in [
        // -1 in ten bytes, and in the five that are wrong but legal.
        (&b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"[..], r#"{"i32":-1,"u32":0,"b":false,"i8":0}"#),
        (b"\x08\xff\xff\xff\xff\x0f", r#"{"i32":-1,"u32":0,"b":false,"i8":0}"#),
        // More than 32 bits: the low ones count; but a boolean is true when any bit is set.
        (b"\x08\x81\x80\x80\x80\x10\x10\x82\x80\x80\x80\x10", r#"{"i32":1,"u32":2,"b":false,"i8":0}"#),
        (b"\x18\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", r#"{"i32":0,"u32":0,"b":true,"i8":0}"#),
        // Longer than necessary, the tag too. The last one wins.
        (b"\x08\x05\x88\x80\x00\x83\x80\x80\x80\x80\x80\x80\x80\x80\x00", r#"{"i32":3,"u32":0,"b":false,"i8":0}"#),
        (b"\x20\x80\xff\xff\xff\xff\xff\xff\xff\xff\x01", r#"{"i32":0,"u32":0,"b":false,"i8":-128}"#),
    ] {
        assert_eq!(read(&schema, payload).unwrap(), json);
    }
    let error = read(&schema, b"\x20\x80\x01").unwrap_err();
    assert_eq!(error.to_string(), "128 is out of range: the type has -128 to 127, at byte 1, in $.i8");
    let error = read(&schema, b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").unwrap_err();
    assert_eq!(error.to_string(), "a varint has more than ten bytes, at byte 1, in $.i32");
}

#[test]
fn lists_are_read_packed_and_unpacked() {
    let schema = record(
        r#"{"number": 1, "name": "a", "type": {"list": "int32"}}, {"number": 2, "name": "b", "type": {"list": "string"}},
           {"number": 3, "name": "c", "type": {"list": "float32"}}"#,
    );
    let payload = b"\x0a\x02\x01\x02\x12\x01x\x12\x00";
    assert_eq!(write(&schema, r#"{"a":[1,2],"b":["x",""],"c":[]}"#), payload);
    let pieces = b"\x08\x01\x12\x01x\x0a\x00\x0a\x01\x02\x12\x00\x08\x03\x1d\0\0\x80\x3f\x1a\x04\0\0\0\x40";
    assert_eq!(read(&schema, pieces).unwrap(), r#"{"a":[1,2,3],"b":["x",""],"c":[1.0,2.0]}"#);
    let error = read(&schema, b"\x1a\x05\0\0\0\0\0").unwrap_err();
    assert_eq!(error.to_string(), "the message ends, but a value of 4 bytes should follow, at byte 7, in $.c[1]");
}

/// How many bytes are kept free for a length depends on the messages before it: none may show.
#[test]
fn lengths_are_right_whatever_came_before() {
    let schema = schema(
        r#"{"record": "Root", "fields": [{"number": 1, "name": "items", "type": {"list": "Item"}}]},
        {"record": "Item", "fields": [{"number": 1, "name": "inner", "type": "Inner"}]},
        {"record": "Inner", "fields": [{"number": 1, "name": "texts", "type": {"list": "string"}}]}"#,
    );
    let field = |content: &[u8]| {
        let (prefix, width) = wirewise_core::varint::bytes(content.len() as u64);
        [b"\x0a", &prefix[..width], content].concat()
    };
    let lens = [1, 120, 130, 1, 500, 600, 122, 121, 120, 700, 100, 700, 16370, 16390, 1 << 21, 130, 16384, 1, 2];
    let texts: Vec<String> = lens.iter().map(|&len| "x".repeat(len)).collect();
    let items: Vec<String> = texts.iter().map(|text| format!(r#"{{"inner":{{"texts":["{text}"]}}}}"#)).collect();
    let json = format!(r#"{{"items":[{}]}}"#, items.join(","));
    let payload: Vec<u8> = texts.iter().flat_map(|text| field(&field(&field(text.as_bytes())))).collect();
    assert!(write(&schema, &json) == payload);
    assert!(read(&schema, &payload).unwrap() == json);
}

#[test]
fn messages_merge_and_maps_keep_the_last() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "p", "type": "Point"}, {"number": 2, "name": "m", "type": {"map": "Point"}},
            {"number": 3, "name": "u", "type": "Either"}]},
        {"record": "Point", "fields": [
            {"number": 1, "name": "x", "type": "int32"}, {"number": 2, "name": "y", "type": {"list": "int32"}}]},
        {"union": "Either", "branches": [
            {"number": 1, "name": "left", "type": "Point"}, {"number": 2, "name": "right", "type": "Point"}]}"#,
    );
    let union = b"\x1a\x02\x0a\x00";
    let payload = [&b"\x0a\x05\x08\x01\x12\x01\x05\x0a\x03\x12\x01\x06"[..], union].concat();
    assert_eq!(read(&schema, &payload).unwrap(), r#"{"p":{"x":1,"y":[5,6]},"m":{},"u":{"left":{"x":0,"y":[]}}}"#);
    // Two values in one entry merge; two entries do not. A key or value that is left out is zero.
    let entries = b"\x12\x09\x0a\x01a\x12\x00\x12\x02\x08\x01\x12\x02\x12\x00\x12\x05\x0a\x01a\x12\x00";
    let payload = [&b"\x0a\x00"[..], union, entries].concat();
    assert_eq!(
        read(&schema, &payload).unwrap(),
        r#"{"p":{"x":0,"y":[]},"m":{"a":{"x":0,"y":[]},"":{"x":0,"y":[]}},"u":{"left":{"x":0,"y":[]}}}"#
    );
    // Of a union the last branch wins, and only pieces of the same branch merge.
    let payload = b"\x0a\x00\x1a\x04\x0a\x02\x08\x01\x1a\x04\x12\x02\x08\x02\x1a\x05\x12\x03\x12\x01\x07";
    assert!(read(&schema, payload).unwrap().ends_with(r#""u":{"right":{"x":2,"y":[7]}}}"#));
    // A union may come empty first: only all pieces together must have a value.
    assert!(read(&schema, &[&b"\x0a\x00\x1a\x00"[..], union].concat()).is_ok());
    let error = read(&schema, b"\x0a\x00\x1a\x00").unwrap_err();
    assert_eq!(error.to_string(), "union Either has no value, at byte 4, in $.u");
    let error = read(&schema, b"\x1a\x02\x0a\x00").unwrap_err();
    assert_eq!(error.message(), "the required field \"p\" of Root is missing");
}

#[test]
fn what_is_unknown_is_noted_and_passed_over() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "a", "type": "int32"}, {"number": 2, "name": "e", "type": {"list": "Closed"}},
            {"number": 3, "name": "o", "type": "Open"}, {"number": 4, "name": "m", "type": {"map": "Closed"}}]},
        {"enum": "Closed", "closed": true, "symbols": [{"number": 0, "name": "ZERO"}]},
        {"enum": "Open", "symbols": [{"number": 0, "name": "NONE"}]}"#,
    );
    let nothing = r#"{"a":0,"e":[],"o":"NONE","m":{}}"#;
    for payload in [
        // Every layout, a group in a group, and a known field that is not laid out as its type.
        &b"\x28\x01"[..],
        b"\x29\0\0\0\0\0\0\0\0",
        b"\x2a\x01x",
        b"\x2d\0\0\0\0",
        b"\x2b\x08\x01\x33\x34\x2c",
        b"\x0d\0\0\0\0",
        // Numbers that a closed enum does not have.
        b"\x12\x01\x07",
        b"\x22\x05\x0a\x01k\x10\x05",
    ] {
        let error = read(&schema, payload).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField), "{payload:?}");
        assert_eq!(read_lossy(&schema, payload), (nothing.to_owned(), 1), "{payload:?}");
    }
    assert_eq!(read(&schema, b"\x18\x07").unwrap(), nothing.replace("\"NONE\"", "7"));
    for (payload, message) in [
        (&b"\x2b\x34"[..], "group 6 ends inside group 5"),
        (b"\x2c", "group 5 ends, but none has begun"),
        (b"\x00", "a field has the number 0"),
        (b"\x0e", "there is no wire type 6"),
        (b"\x80\x80\x80\x80\x10\x00", "a field has a number above 536870911"),
    ] {
        let mut losses = Losses::allowing([LossKind::UnknownField]);
        let error = convert(&schema, "protobuf", "json", payload, &mut losses).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Syntax, message));
    }
    let deep = b"\x2b".repeat(100_000);
    let error = convert(&schema, "protobuf", "json", &deep, &mut Losses::allowing(LossKind::ALL)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
}

#[test]
fn only_a_message_that_could_go_on_ends_too_early() {
    let schema = record(r#"{"number": 1, "name": "a", "type": {"list": {"list": "string"}}}"#);
    let kind = |variant: &str, payload: &[u8]| {
        let codec = plan(variant, &schema).unwrap();
        codec.read(payload, &mut Arena::new(Limits::default()), &mut Losses::none()).unwrap_err().kind()
    };
    assert_eq!(kind("protobuf", b"\x0a\x04\x0a\x02x"), ErrorKind::End);
    assert_eq!(kind("protobuf", b"\x0a"), ErrorKind::End);
    // The inner length leaves no room for this.
    assert_eq!(kind("protobuf", b"\x0a\x03\x0a\x02x"), ErrorKind::Syntax);
    assert_eq!(kind("protobuf", b"\x0a\xff\xff\xff\xff\x0f"), ErrorKind::Syntax);
    assert_eq!(kind("protobuf-delimited", b""), ErrorKind::End);
    assert_eq!(kind("protobuf-delimited", b"\x03\x0a\x01"), ErrorKind::End);
    assert_eq!(kind("protobuf-delimited", b"\x02\x0a\x01"), ErrorKind::Syntax);
}

#[test]
fn pieces_take_linear_time() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "a", "type": {"list": "int32"}}, {"number": 2, "name": "b", "type": {"list": "int32"}},
            {"number": 3, "name": "m", "type": {"map": "int32", "key": "int32"}},
            {"number": 4, "name": "r", "type": "Root", "presence": "optional"}]}"#,
    );
    const COUNT: usize = 200_000;
    let mut payload = Vec::new();
    for i in 0..COUNT {
        // Two lists in turn; and a message in pieces, each with an element and an entry. Every key comes twice.
        let key = i / 2;
        payload.extend(b"\x08\x01\x10\x02\x22\x0a\x08\x03\x1a\x06\x08");
        payload.extend([key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8, 0x10, (i % 2) as u8]);
    }
    let json: serde_json::Value = serde_json::from_str(&read(&schema, &payload).unwrap()).unwrap();
    let inner = &json["r"];
    for (list, value) in [(&json["a"], 1), (&json["b"], 2), (&inner["a"], 3)] {
        let list = list.as_array().unwrap();
        assert!(list.len() == COUNT && list.iter().all(|item| *item == value));
    }
    let map = inner["m"].as_object().unwrap();
    assert!(map.len() == COUNT / 2 && map.values().all(|value| *value == 1));
}

#[test]
fn roots_that_are_no_messages_are_wrapped() {
    let union = schema(
        r#"{"union": "Root", "branches": [
            {"number": 2, "name": "number", "type": "int32"}, {"number": 1, "name": "list", "type": {"list": "bool"}}]}"#,
    );
    for (json, payload) in [("0", &b"\x10\x00"[..]), ("[true]", b"\x0a\x03\x0a\x01\x01")] {
        assert_eq!(write(&union, json), payload);
        assert_eq!(read(&union, payload).unwrap(), json);
    }
    for (root, json, payload) in [
        (r#""int32""#, "0", &b""[..]),
        (r#""int32""#, "5", b"\x08\x05"),
        (r#"{"list": "int32"}"#, "[0,1]", b"\x0a\x02\x00\x01"),
        (r#"{"nullable": "int32"}"#, "null", b""),
        (r#"{"nullable": "int32"}"#, "0", b"\x08\x00"),
        (r#""any""#, "null", b"\x0a\x04null"),
        (r#""any""#, "[1,{}]", b"\x0a\x06[1,{}]"),
        (r#""null""#, "null", b""),
        (
            r#"{"list": {"list": {"nullable": "string"}}}"#,
            r#"[[],[null,""]]"#,
            b"\x0a\x00\x0a\x06\x0a\x00\x0a\x02\x0a\x00",
        ),
    ] {
        let text = format!(r#"{{"wirewise": "schema/1", "root": {root}}}"#);
        let schema = Arc::new(Schema::parse(&text).unwrap());
        assert_eq!(write(&schema, json), payload, "{json}");
        assert_eq!(read(&schema, payload).unwrap(), json);
    }
}

#[test]
fn a_list_is_a_stream_of_delimited_messages() {
    let text = r#"{"wirewise": "schema/1", "root": {"list": {"nullable": "string"}}}"#;
    let schema = Arc::new(Schema::parse(text).unwrap());
    let mut losses = Losses::none();
    let payload = convert(&schema, "json", "protobuf-delimited", br#"[null,"x",""]"#, &mut losses).unwrap();
    assert_eq!(payload, b"\x00\x03\x0a\x01x\x02\x0a\x00");
    assert_eq!(convert(&schema, "protobuf-delimited", "json", &payload, &mut losses).unwrap(), br#"[null,"x",""]"#);
}

#[test]
fn integers_are_laid_out_as_their_notes_say() {
    let field = |number: u32, name: &str, int: &str, note: &str| {
        let ty = format!(r#"{{"scalar": "{int}", "notes": {{"protobuf.type": "{note}"}}}}"#);
        format!(r#"{{"number": {number}, "name": "{name}", "type": {ty}}}"#)
    };
    let fields = [
        field(1, "a", "int32", "sint32"),
        field(2, "b", "int64", "sint64"),
        field(3, "c", "uint32", "fixed32"),
        field(4, "d", "int64", "sfixed64"),
        field(5, "e", "int8", "sint32"),
        field(6, "f", "int32", "sfixed32"),
    ];
    let schema = record(&fields.join(","));
    for (json, payload) in [
        (r#"{"a":-1,"b":-9223372036854775808,"c":7,"d":-2,"e":-3,"f":-4}"#, &b"\x08\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x1d\x07\0\0\0\x21\xfe\xff\xff\xff\xff\xff\xff\xff\x28\x05\x35\xfc\xff\xff\xff"[..]),
        (r#"{"a":-2147483648,"b":0,"c":4294967295,"d":0,"e":0,"f":0}"#, b"\x08\xff\xff\xff\xff\x0f\x1d\xff\xff\xff\xff"),
    ] {
        assert_eq!(write(&schema, json), payload);
        assert_eq!(read(&schema, payload).unwrap(), json);
    }
    assert_eq!(read(&schema, b"\x28\x80\x02").unwrap_err().message(), "128 is out of range: the type has -128 to 127");
    let wrong = record(&field(1, "a", "uint32", "sint32"));
    let error = plan("protobuf", &wrong).err().unwrap().to_string();
    assert_eq!(error, "an uint32 cannot be a Protobuf sint32, in $.a; change the note protobuf.type");
}

#[test]
fn lists_are_packed_unless_a_note_says_no() {
    let schema =
        record(r#"{"number": 1, "name": "a", "type": {"list": "int32"}, "notes": {"protobuf.packed": "false"}}"#);
    assert_eq!(write(&schema, r#"{"a":[1,300]}"#), b"\x08\x01\x08\xac\x02");
    for payload in [&b"\x08\x01\x08\xac\x02"[..], b"\x0a\x03\x01\xac\x02"] {
        assert_eq!(read(&schema, payload).unwrap(), r#"{"a":[1,300]}"#);
    }
}

#[test]
fn groups_lie_between_tags() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "one", "type": "Root", "presence": "optional", "notes": {"protobuf.encoding": "delimited"}},
            {"number": 20, "name": "all", "type": {"list": "Root"}, "notes": {"protobuf.encoding": "delimited"}},
            {"number": 3, "name": "x", "type": "int32"}]}"#,
    );
    let json = r#"{"one":{"all":[],"x":1},"all":[{"all":[],"x":2},{"one":{"all":[],"x":0},"all":[],"x":0}],"x":3}"#;
    let payload = b"\x0b\x18\x01\x0c\x18\x03\xa3\x01\x18\x02\xa4\x01\xa3\x01\x0b\x0c\xa4\x01";
    assert_eq!(write(&schema, json), payload);
    assert_eq!(read(&schema, payload).unwrap(), json);
    // Pieces of a group are merged too; a message is no group.
    assert_eq!(read(&schema, b"\x0b\x18\x01\x0c\x0b\x0c").unwrap(), r#"{"one":{"all":[],"x":1},"all":[],"x":0}"#);
    assert_eq!(read_lossy(&schema, b"\x0a\x00").1, 1);
    for (payload, kind, message) in [
        (&b"\x0b\x18\x01"[..], ErrorKind::End, "the input ends, but the end of group 1 should follow"),
        (b"\x0b\x14", ErrorKind::Syntax, "group 2 ends inside group 1"),
        (b"\x0c", ErrorKind::Syntax, "group 1 ends, but none has begun"),
    ] {
        let error = read(&schema, payload).unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, message));
    }
    let deep = b"\x0b".repeat(100_000);
    assert_eq!(read(&schema, &deep).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn what_has_the_label_required_is_always_written() {
    let schema = schema(
        r#"{"record": "Root", "fields": [
            {"number": 1, "name": "a", "type": "int32", "notes": {"protobuf.label": "required"}},
            {"number": 2, "name": "b", "type": "string", "default": "x", "notes": {"protobuf.label": "required"}},
            {"number": 3, "name": "r", "type": "All", "presence": "optional"}]},
        {"record": "All", "fields": [
            {"number": 1, "name": "a", "type": "int32", "notes": {"protobuf.label": "required"}}]}"#,
    );
    let json = r#"{"a":0,"b":"","r":{"a":0}}"#;
    let payload = b"\x08\0\x12\0\x1a\x02\x08\0";
    assert_eq!(write(&schema, json), payload);
    assert_eq!(read(&schema, payload).unwrap(), json);
    // Another piece may bring what is missing in this one.
    assert_eq!(read(&schema, b"\x1a\x00\x08\0\x12\0\x1a\x02\x08\0").unwrap(), json);
    for (payload, name) in
        [(&b"\x08\0"[..], "\"b\" of Root"), (b"\x12\0", "\"a\" of Root"), (b"\x08\0\x12\0\x1a\0", "\"a\" of All")]
    {
        let error = read(&schema, payload).unwrap_err();
        assert_eq!(error.message(), format!("the required field {name} is missing"));
    }
}

#[test]
fn of_a_oneof_the_last_member_wins() {
    let types = r#"{"record": "Root", "oneofs": [{"name": "o", "required": true}], "fields": [
            {"number": 1, "name": "a", "type": "int32", "presence": "optional", "oneof": "o"},
            {"number": 2, "name": "r", "type": "Point", "presence": "optional", "oneof": "o"},
            {"number": 3, "name": "s", "type": "Point", "presence": "optional", "oneof": "o"},
            {"number": 4, "name": "e", "type": "Closed", "presence": "optional", "oneof": "o"}]},
        {"record": "Point", "fields": [{"number": 1, "name": "x", "type": "int32"}, {"number": 2, "name": "y", "type": "int32"}]},
        {"enum": "Closed", "closed": true, "symbols": [{"number": 0, "name": "ZERO"}]}"#;
    let schema = schema(types);
    for (payload, json) in [
        (&b"\x08\0"[..], r#"{"a":0}"#),
        (b"\x08\x05\x12\x02\x08\x01\x12\x02\x10\x02", r#"{"r":{"x":1,"y":2}}"#),
        (b"\x12\x02\x08\x01\x1a\0\x12\x02\x10\x02", r#"{"r":{"x":0,"y":2}}"#),
        (b"\x12\x02\x08\x01\x08\x07", r#"{"a":7}"#),
    ] {
        assert_eq!(read(&schema, payload).unwrap(), json);
    }
    assert_eq!(write(&schema, r#"{"r":{"x":0,"y":2}}"#), b"\x12\x02\x10\x02");
    // A number that the enum does not have sets nothing, and replaces nothing.
    assert_eq!(read_lossy(&schema, b"\x08\x07\x20\x09"), (r#"{"a":7}"#.to_owned(), 1));
    assert_eq!(read(&schema, b"").unwrap_err().message(), "none of the fields of oneof \"o\" of Root is there");
}

#[test]
fn guesses_are_careful() {
    let guess = |input: &[u8]| {
        let (format, _) = crate::find("protobuf").unwrap();
        format.guess(input).first().map(|guess| (guess.variant.id, guess.certainty))
    };
    let profile = b"\x08\x95\x9a\xef\x3a\x12\x0balice_smith\x1a\x11alice@example.com\x20\x80\xe2\xcf\xa0\x06";
    assert_eq!(guess(profile), Some(("protobuf", 70)));
    let stream = [&[profile.len() as u8], &profile[..]].concat().repeat(3);
    assert_eq!(guess(&stream), Some(("protobuf-delimited", 80)));
    assert_eq!(guess(b""), None);
    assert_eq!(guess(b"{\"a\": 1}"), None);
    assert!(guess(&profile[..20]).unwrap().1 < 20);
    for seed in 0..2000 {
        let mut rng = wirewise_testkit::random::Rng::new(seed);
        let random: Vec<u8> = (0..10_000).map(|_| rng.bits() as u8).collect();
        assert!(guess(&random).is_none_or(|(_, certainty)| certainty <= 30), "{seed}");
    }
}
