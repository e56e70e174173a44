use std::sync::Arc;

use wirewise_core::{ErrorKind, LossKind, Losses, Result, Schema};

use crate::plan;
use crate::testing::convert;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

fn schema(root: &str, types: &str) -> Arc<Schema> {
    let text = format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": [{types}]}}"#);
    Arc::new(Schema::parse(&text).unwrap())
}

fn record(name: &str, fields: &str) -> String {
    let fields: Vec<_> = fields
        .split_terminator("; ")
        .enumerate()
        .map(|(i, field)| {
            let (name, rest) = field.split_once(' ').unwrap();
            format!(r#"{{"number": {}, "name": "{name}", "type": {rest}}}"#, i + 1)
        })
        .collect();
    format!(r#"{{"record": "{name}", "fields": [{}]}}"#, fields.join(", "))
}

fn profile() -> Arc<Schema> {
    let types = [
        record("Preferences", r#"theme "string"; notifications "bool""#),
        record("Subscription", r#"tier "string"; expires_at "int64""#),
        record(
            "User",
            r#"user_id "uint64"; username "string"; email "string"; created_at "int64"; last_login "int64"; preferences "Preferences"; subscription "Subscription""#,
        ),
    ];
    schema("\"User\"", &types.join(", "))
}

fn encode(schema: &Arc<Schema>, json: &str) -> Vec<u8> {
    convert(schema, "json", "flatbuffers", json.as_bytes(), &mut Losses::none()).unwrap()
}

fn decode(schema: &Arc<Schema>, bytes: &[u8]) -> Result<String> {
    let json = convert(schema, "flatbuffers", "json", bytes, &mut Losses::none())?;
    Ok(String::from_utf8(json).unwrap())
}

#[test]
fn the_profile_takes_184_bytes() {
    let bytes = encode(&profile(), PROFILE);
    assert_eq!(bytes.len(), 184);
    assert_eq!(decode(&profile(), &bytes).unwrap(), PROFILE);
    let prefixed = convert(&profile(), "json", "flatbuffers-size-prefixed", PROFILE.as_bytes(), &mut Losses::none());
    let prefixed = prefixed.unwrap();
    assert_eq!(prefixed[..4], (prefixed.len() as u32 - 4).to_le_bytes());
}

/// A tree whose nodes have a number and two optional children.
fn tree() -> Arc<Schema> {
    let child =
        |number, name| format!(r#"{{"number": {number}, "name": "{name}", "type": "Node", "presence": "optional"}}"#);
    let types = format!(
        r#"{{"record": "Node", "fields": [{}, {}, {{"number": 3, "name": "n", "type": "int32"}}]}}"#,
        child(1, "left"),
        child(2, "right")
    );
    schema("\"Node\"", &types)
}

#[test]
fn cut_off_anywhere_is_the_end_of_the_input() {
    for variant in ["flatbuffers", "flatbuffers-size-prefixed"] {
        let bytes = convert(&profile(), "json", variant, PROFILE.as_bytes(), &mut Losses::none()).unwrap();
        for end in 0..bytes.len() {
            let cut = convert(&profile(), variant, "json", &bytes[..end], &mut Losses::none());
            // The terminating zero and the padding after the last string carry nothing.
            match cut {
                Err(error) => assert_eq!(error.kind(), ErrorKind::End, "{variant} cut at {end}: {error}"),
                Ok(json) => assert!(end > bytes.len() - 4 && json == PROFILE.as_bytes()),
            }
        }
    }
}

#[test]
fn what_lies_outside_of_a_sized_buffer_is_wrong() {
    let bytes = convert(&profile(), "json", "flatbuffers-size-prefixed", PROFILE.as_bytes(), &mut Losses::none());
    let mut bytes = bytes.unwrap();
    bytes[7] = 0x70;
    bytes.extend([0; 100]);
    let error = convert(&profile(), "flatbuffers-size-prefixed", "json", &bytes, &mut Losses::none()).unwrap_err();
    assert_eq!(error.to_string(), "the root table lies outside of the buffer, at byte 4");
}

#[test]
fn older_readers_refuse_or_drop_what_they_do_not_know() {
    let old = schema("\"A\"", &record("A", r#"a "int32""#));
    let new = schema("\"A\"", &record("A", r#"a "int32"; b "string"; c "int32""#));
    let bytes = encode(&new, r#"{"a":1,"b":"new","c":5}"#);
    let error = decode(&old, &bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField));
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    let json = convert(&old, "flatbuffers", "json", &bytes, &mut losses).unwrap();
    assert_eq!((&json[..], losses.total()), (&br#"{"a":1}"#[..], 2));
    // And newer readers give defaults to what older writers did not know.
    assert_eq!(decode(&new, &encode(&old, r#"{"a":1}"#)).unwrap(), r#"{"a":1,"b":"","c":0}"#);
}

#[test]
fn the_schemas_defaults_are_not_written() {
    let types = r#"{"enum": "E", "symbols": [{"number": 4, "name": "FOUR"}, {"number": 6, "name": "SIX"}]},
        {"record": "R", "fields": [
          {"number": 1, "name": "n", "type": "int16", "default": -7},
          {"number": 2, "name": "e", "type": "E"},
          {"number": 3, "name": "f", "type": "float64"},
          {"number": 4, "name": "s", "type": "string", "default": "text"},
          {"number": 5, "name": "o", "type": "int16", "default": 3, "presence": "optional"}]}"#;
    let schema = schema("\"R\"", types);
    let bytes = encode(&schema, r#"{"n":-7,"e":"FOUR","f":0.0,"s":""}"#);
    // Offset, vtable of 6 entries up to the string, table, empty string.
    assert_eq!(bytes.len(), 4 + 12 + 8 + 8, "{bytes:?}");
    assert_eq!(decode(&schema, &bytes).unwrap(), r#"{"n":-7,"e":"FOUR","f":0.0,"s":""}"#);
    let empty_table = [8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0];
    assert_eq!(decode(&schema, &empty_table).unwrap(), r#"{"n":-7,"e":"FOUR","f":0.0,"s":"text"}"#);
    for value in [r#"{"n":0,"e":0,"f":-0.0,"s":"","o":3}"#, r#"{"n":0,"e":"SIX","f":1.0,"s":"","o":0}"#] {
        assert_eq!(decode(&schema, &encode(&schema, value)).unwrap(), value);
    }
}

#[test]
fn null_has_one_place_only() {
    let types = r#"{"record": "R", "fields": [
        {"number": 1, "name": "n", "type": {"nullable": "string"}, "presence": "optional"}]}"#;
    let schema = schema("\"R\"", types);
    let null = br#"{"n":null}"#;
    let error = convert(&schema, "json", "flatbuffers", null, &mut Losses::none()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Loss(LossKind::NullAsAbsent), Some("$.n".to_owned())));
    let mut losses = Losses::allowing([LossKind::NullAsAbsent]);
    let bytes = convert(&schema, "json", "flatbuffers", null, &mut losses).unwrap();
    assert_eq!((decode(&schema, &bytes).unwrap().as_str(), losses.total()), ("{}", 1));
}

#[test]
fn maps_are_sorted_for_readers_and_keep_their_order() {
    let schema = schema(r#"{"map": "int32"}"#, "");
    let json = r#"{"b":1,"":2,"a":0}"#;
    let bytes = encode(&schema, json);
    assert_eq!(decode(&schema, &bytes).unwrap(), json);
    let names = [&b"\0\0\0\0"[..], b"\x01\0\0\0a", b"\x01\0\0\0b"];
    let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let u16_at = |at: usize| usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap()));
    let field = |table: usize| {
        let vtable = table.wrapping_sub(u32_at(table) as i32 as usize);
        table + u16_at(vtable + 4)
    };
    let root = u32_at(0);
    let vector = field(root) + u32_at(field(root));
    assert_eq!(u32_at(vector), 3);
    for (i, name) in names.iter().enumerate() {
        let entry = vector + 4 + 4 * i;
        let key = field(entry + u32_at(entry));
        assert!(bytes[key + u32_at(key)..].starts_with(name), "entry {i}");
    }
}

#[test]
fn duplicate_keys_and_unknown_branches_are_errors() {
    let map = schema(r#"{"map": "bool", "key": "int8"}"#, "");
    let mut bytes = encode(&map, r#"{"1":true,"2":true}"#);
    let key = bytes.iter().rposition(|&byte| byte == 2).unwrap();
    bytes[key] = 1;
    let error = decode(&map, &bytes).unwrap_err();
    assert!(error.to_string().starts_with("the map has the key \"1\" twice"), "{error}");

    let union = r#"{"union": "U", "branches": [{"number": 9, "name": "b", "type": "bool"}, {"number": 4, "name": "s", "type": "string"}]}"#;
    let union = schema("\"U\"", union);
    let bytes = encode(&union, "true");
    let tag = bytes.iter().position(|&byte| byte == 9).unwrap();
    assert_eq!(decode(&union, &bytes).unwrap(), "true");
    let outcomes = [0, 3, 10].map(|tag_value| {
        let mut bytes = bytes.clone();
        bytes[tag] = tag_value;
        decode(&union, &bytes).map_err(|error| error.message().to_owned())
    });
    assert_eq!(outcomes[0], Err("the value of union U has no type".to_owned()));
    assert_eq!(outcomes[1], Err("the value of union U has the type 3, which the schema does not have".to_owned()));
    assert_eq!(outcomes[2], Err("the value of union U has the type 10, which the schema does not have".to_owned()));
}

#[test]
fn enums_take_the_bits_that_their_symbols_need() {
    let narrow = r#"{"enum": "E", "symbols": [{"number": 0, "name": "ZERO"}]}"#;
    let narrow = schema("\"E\"", narrow);
    let error = convert(&narrow, "json", "flatbuffers", b"5000000000", &mut Losses::none()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let wide = schema("\"E\"", r#"{"enum": "E", "symbols": [{"number": 3000000000, "name": "MANY"}]}"#);
    assert_eq!(decode(&wide, &encode(&wide, "5000000000")).unwrap(), "5000000000");
}

#[test]
fn tables_have_at_most_64_kib() {
    let fields: Vec<_> = (0..9000).map(|i| format!(r#"f{i} "int64""#)).collect();
    let large = schema("\"R\"", &record("R", &fields.join("; ")));
    let error = plan("flatbuffers", &large).map(drop).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let fields: Vec<_> = (0..40_000).map(|i| format!(r#"f{i} "bool""#)).collect();
    let many = schema("\"R\"", &record("R", &fields.join("; ")));
    assert_eq!(plan("flatbuffers", &many).map(drop).unwrap_err().kind(), ErrorKind::Unsupported);
}

/// A table of two offsets, both to the place `next` bytes after the table, behind the shared vtable at byte 4.
fn fork(out: &mut Vec<u8>, next: u32) {
    let at = out.len() as u32;
    out.extend((at - 4).to_le_bytes());
    out.extend((next - 4).to_le_bytes());
    out.extend((next - 8).to_le_bytes());
}

#[test]
fn shared_tables_do_not_multiply() {
    // Each node has the next one as both of its children: 2^100 values in 1.2 kB.
    let mut bytes = vec![12, 0, 0, 0, 8, 0, 12, 0, 4, 0, 8, 0];
    for _ in 0..100 {
        fork(&mut bytes, 12);
    }
    // The last one is empty, with its vtable behind it.
    bytes.extend((-4i32).to_le_bytes());
    bytes.extend([4, 0, 4, 0]);
    let error = decode(&tree(), &bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.message().contains("again and again"), "{error}");
}

#[test]
fn shared_strings_are_legal() {
    // A vector of 1000 offsets to one string.
    let schema = schema(r#"{"list": "string"}"#, "");
    let mut bytes = vec![12, 0, 0, 0, 0, 0, 6, 0, 8, 0, 4, 0, 6, 0, 0, 0, 4, 0, 0, 0];
    bytes.extend(1000u32.to_le_bytes());
    bytes.extend((0..1000u32).flat_map(|i| (4 * (1000 - i)).to_le_bytes()));
    bytes.extend(500u32.to_le_bytes());
    bytes.extend([b'x'; 501]);
    let json = decode(&schema, &bytes).unwrap();
    assert_eq!(json.len(), 1000 * 503 + 1);
}

#[test]
fn long_vtables_do_not_take_long() {
    // 100,000 tables share two vtables of 32 KiB in turn, for a schema without fields.
    let schema = schema(r#"{"list": "Empty"}"#, &record("Empty", ""));
    let count = 100_000u32;
    let mut bytes = vec![12, 0, 0, 0, 0, 0, 6, 0, 8, 0, 4, 0, 6, 0, 0, 0, 4, 0, 0, 0];
    bytes.extend(count.to_le_bytes());
    let tables = bytes.len() as u32 + 4 * count;
    bytes.extend((0..count).flat_map(|_| (4 * count).to_le_bytes()));
    let vtables = tables + 4 * count;
    let table = |i: u32, alternate: bool| {
        let vtable = vtables + if alternate { i % 2 * 32768 } else { 0 };
        (tables + 4 * i).wrapping_sub(vtable).to_le_bytes()
    };
    for alternate in [false, true] {
        let mut bytes = bytes.clone();
        bytes.extend((0..count).flat_map(|i| table(i, alternate)));
        for _ in 0..2 {
            bytes.extend([0, 128, 4, 0]);
            bytes.extend([0; 32764]);
        }
        let outcome = decode(&schema, &bytes).map(|json| json.len());
        if alternate {
            assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Limit);
        } else {
            assert_eq!(outcome.unwrap(), 3 * count as usize + 1);
        }
    }
}
