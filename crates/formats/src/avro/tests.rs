mod resolution;
mod schemas;
mod trace;

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, LossKind, Losses, Result, Schema, diff};
use wirewise_testkit::random;

use super::container::{BlockReader, Header, Writer};
use super::{canonical_form, fingerprint, parse_schema, plan_with, schema_json};
use crate::{Codec, plan};

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

const PROFILE_TYPES: &str = r#"{"record": "Preferences", "fields": [
    {"number": 1, "name": "theme", "type": "string"}, {"number": 2, "name": "notifications", "type": "bool"}]},
  {"record": "Subscription", "fields": [
    {"number": 1, "name": "tier", "type": "string"}, {"number": 2, "name": "expires_at", "type": "int64"}]},
  {"record": "UserProfile", "fields": [
    {"number": 1, "name": "user_id", "type": "uint64"}, {"number": 2, "name": "username", "type": "string"},
    {"number": 3, "name": "email", "type": "string"}, {"number": 4, "name": "created_at", "type": "int64"},
    {"number": 5, "name": "last_login", "type": "int64"}, {"number": 6, "name": "preferences", "type": "Preferences"},
    {"number": 7, "name": "subscription", "type": "Subscription"}]}"#;

/// The schema with this root and these named types.
fn schema(root: &str, types: &str) -> Arc<Schema> {
    let text = format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": [{types}]}}"#);
    Arc::new(Schema::parse(&text).unwrap())
}

/// A record `R` with these fields.
fn record(fields: &str) -> Arc<Schema> {
    schema(r#""R""#, &format!(r#"{{"record": "R", "fields": [{fields}]}}"#))
}

fn encode_with(codec: &dyn Codec, schema: &Arc<Schema>, json: &str, losses: &mut Losses) -> Result<Vec<u8>> {
    let json_codec = plan("json", schema)?;
    let mut arena = Arena::new(Limits::default());
    let document = json_codec.decode(json.as_bytes(), &mut arena, losses)?;
    let mut out = Vec::new();
    codec.encode(&document, &mut out, losses)?;
    Ok(out)
}

fn encode(variant: &str, schema: &Arc<Schema>, json: &str) -> Result<Vec<u8>> {
    encode_with(&*plan(variant, schema)?, schema, json, &mut Losses::none())
}

fn decode_with(codec: &dyn Codec, schema: &Arc<Schema>, bytes: &[u8], limits: Limits) -> Result<String> {
    let mut arena = Arena::new(limits);
    let mut losses = Losses::none();
    let document = codec.decode(bytes, &mut arena, &mut losses)?;
    let mut out = Vec::new();
    plan("json", schema)?.encode(&document, &mut out, &mut losses)?;
    Ok(String::from_utf8(out).unwrap())
}

fn decode(variant: &str, schema: &Arc<Schema>, bytes: &[u8]) -> Result<String> {
    decode_with(&*plan(variant, schema)?, schema, bytes, Limits::default())
}

#[test]
fn user_profile() {
    let schema = schema(r#""UserProfile""#, PROFILE_TYPES);
    let datum = encode("avro", &schema, PROFILE).unwrap();
    assert_eq!(datum.len(), 63);
    assert_eq!(decode("avro", &schema, &datum).unwrap(), PROFILE);
    let single = encode("avro-single-object", &schema, PROFILE).unwrap();
    assert_eq!(single.len(), 63 + 10);
    assert_eq!(single[10..], datum);
    assert_eq!(decode("avro-single-object", &schema, &single).unwrap(), PROFILE);
}

#[test]
fn schemas_say_what_avro_cannot_in_members_of_their_own() {
    let schema = record(
        r#"{"number": 1, "name": "a-b", "type": "uint8", "doc": "Odd name"},
        {"number": 5, "name": "note", "type": "string", "presence": "optional"},
        {"number": 3, "name": "at", "type": "int64", "logical": "timestamp-millis"},
        {"number": 4, "name": "both", "type": {"nullable": "string"}, "presence": "optional"},
        {"number": 6, "name": "level", "type": {"nullable": "int32"}, "default": 3},
        {"number": 7, "name": "blob", "type": "bytes", "default": "AP8="},
        {"number": 8, "name": "counts", "type": {"map": "int64", "key": "int32"}},
        {"number": 9, "name": "hash", "type": {"fixed": 4}}"#,
    );
    let expected = concat!(
        r#"{"type":"record","name":"R","fields":["#,
        r#"{"name":"a_b","type":{"type":"int","wirewise.type":"uint8"},"doc":"Odd name","wirewise.name":"a-b"},"#,
        r#"{"name":"note","type":["null","string"],"default":null,"wirewise.number":5,"wirewise.presence":"optional"},"#,
        r#"{"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},"#,
        r#"{"name":"both","type":["null","string"],"default":null,"wirewise.nullable":true,"wirewise.presence":"optional"},"#,
        r#"{"name":"level","type":["int","null"],"default":3,"wirewise.number":6},"#,
        r#"{"name":"blob","type":"bytes","default":"\u0000ÿ","wirewise.number":7},"#,
        r#"{"name":"counts","type":{"type":"array","items":{"type":"record","name":"R_counts_entry","fields":["#,
        r#"{"name":"key","type":"int"},{"name":"value","type":"long"}]},"wirewise.map":true},"wirewise.number":8},"#,
        r#"{"name":"hash","type":{"type":"fixed","name":"Fixed4","size":4,"wirewise.generated":true},"wirewise.number":9}]}"#,
    );
    let avsc = schema_json(&schema).unwrap();
    assert_eq!(avsc, expected);
    assert_eq!(parse_schema(&avsc).unwrap().to_text(), schema.to_text());
}

#[test]
fn unions_are_flat_and_their_branches_distinct() {
    let types = r#"{"record": "R", "fields": [{"number": 1, "name": "u", "type": {"nullable": "U"}, "presence": "optional"}]},
        {"union": "U", "branches": [{"number": 1, "name": "text", "type": "string"}, {"number": 2, "name": "small", "type": "int8"},
        {"number": 3, "name": "large", "type": "int32"}, {"number": 4, "name": "r", "type": "R"}, {"number": 5, "name": "any", "type": "any"}]}"#;
    let schema = schema(r#""R""#, types);
    let avsc = schema_json(&schema).unwrap();
    assert!(
        avsc.contains(concat!(
            r#"["null","string",{"type":"int","wirewise.type":"int8"},"#,
            r#"{"type":"record","name":"R_u_large","fields":[{"name":"value","type":"int"}],"wirewise.wrapper":"large"},"#,
            r#""R",{"type":"record","name":"R_u_any","fields":[{"name":"value","type":{"type":"string","wirewise.type":"any"}}],"#,
            r#""wirewise.wrapper":"any"}]"#
        )),
        "{avsc}"
    );
    for (json, bytes) in [
        (r#"{}"#, &b"\0"[..]),
        (r#"{"u":{"text":"a"}}"#, b"\x02\x02a"),
        (r#"{"u":{"small":-1}}"#, b"\x04\x01"),
        (r#"{"u":{"large":-1}}"#, b"\x06\x01"),
        (r#"{"u":{"r":{"u":{"small":1}}}}"#, b"\x08\x04\x02"),
        (r#"{"u":{"any":[]}}"#, b"\x0a\x04[]"),
    ] {
        assert_eq!(encode("avro", &schema, json).unwrap(), bytes, "{json}");
        assert_eq!(decode("avro", &schema, bytes).unwrap(), json);
    }
}

#[test]
fn one_nothing_stands_for_two_only_as_a_loss() {
    let schema = record(
        r#"{"number": 1, "name": "optional", "type": "int32", "presence": "optional"},
        {"number": 2, "name": "nullable", "type": {"nullable": "int32"}},
        {"number": 3, "name": "both", "type": {"nullable": "int32"}, "presence": "optional"},
        {"number": 4, "name": "nothing", "type": "null", "presence": "optional"},
        {"number": 5, "name": "any", "type": "any", "presence": "optional"}"#,
    );
    for (json, bytes) in [
        (r#"{"nullable":null}"#, &b"\0\0\0\0"[..]),
        (r#"{"optional":1,"nullable":2,"both":3}"#, b"\x02\x02\x02\x04\x02\x06\0"),
        // JSON's null is a value of the type `any`.
        (r#"{"nullable":null,"any":null}"#, b"\0\0\0\x02\x08null"),
    ] {
        assert_eq!(encode("avro", &schema, json).unwrap(), bytes, "{json}");
        assert_eq!(decode("avro", &schema, bytes).unwrap(), json);
    }
    for (json, field) in
        [(r#"{"nullable":null,"both":null}"#, "both"), (r#"{"nullable":null,"nothing":null}"#, "nothing")]
    {
        let error = encode("avro", &schema, json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Loss(LossKind::NullAsAbsent));
        assert_eq!(error.path().unwrap(), format!("$.{field}"));
        let mut losses = Losses::allowing([LossKind::NullAsAbsent]);
        let bytes = encode_with(&*plan("avro", &schema).unwrap(), &schema, json, &mut losses).unwrap();
        assert_eq!((bytes.as_slice(), losses.total()), (&b"\0\0\0\0"[..], 1));
    }
}

#[test]
fn what_avro_cannot_hold_says_where() {
    let types = r#"{"enum": "Open", "symbols": [{"number": 3, "name": "X"}]}, {"record": "R", "fields": [
        {"number": 1, "name": "n", "type": {"map": {"list": "uint64"}}}, {"number": 2, "name": "e", "type": "Open"}]}"#;
    let schema = schema(r#""R""#, types);
    for (json, expected) in [
        (
            r#"{"n":{"k":[1,9223372036854775808]},"e":"X"}"#,
            "9223372036854775808 is above 9223372036854775807, the largest long of Avro, in $.n.k[1]",
        ),
        (r#"{"n":{},"e":4}"#, "enum Open has no symbol for 4, and Avro writes symbols only, in $.e"),
    ] {
        let error = encode("avro", &schema, json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    // The symbol's number is ours; Avro's is its place.
    assert_eq!(encode("avro", &schema, r#"{"n":{},"e":"X"}"#).unwrap(), b"\0\0");
}

#[test]
fn blocks_may_be_many_and_say_their_size() {
    let list = schema(r#"{"list": "int32"}"#, "");
    assert_eq!(encode("avro", &list, "[1,2,3]").unwrap(), b"\x06\x02\x04\x06\0");
    for bytes in [
        &b"\x06\x02\x04\x06\0"[..],
        b"\x02\x02\x04\x04\x06\0",
        b"\x05\x06\x02\x04\x06\0",
        b"\x01\x02\x02\x04\x04\x06\0",
    ] {
        assert_eq!(decode("avro", &list, bytes).unwrap(), "[1,2,3]", "{bytes:?}");
    }
    for (bytes, kind) in [
        (&b"\x05\x08\x02\x04\x06\0"[..], ErrorKind::Syntax),
        (b"\x05\x07\x02\x04\x06\0", ErrorKind::Syntax),
        (b"\x06\x02\x04", ErrorKind::End),
        (b"\x06\x02\x04\x06", ErrorKind::End),
        (b"\x02\xff\xff\xff\xff\xff\x01\0", ErrorKind::Data),
    ] {
        assert_eq!(decode("avro", &list, bytes).unwrap_err().kind(), kind, "{bytes:?}");
    }
    let map = schema(r#"{"map": "int32"}"#, "");
    assert_eq!(decode("avro", &map, b"\x02\x02a\x02\x01\x06\x02b\x04\0").unwrap(), r#"{"a":1,"b":2}"#);
    let error = decode("avro", &map, b"\x04\x02a\x02\x02a\x04\0").unwrap_err();
    assert_eq!(error.to_string(), "the map has the key \"a\" twice, at byte 0");
}

#[test]
fn elements_without_bytes_are_bounded() {
    // 2^60 nulls, and as many records without fields.
    let count = b"\x80\x80\x80\x80\x80\x80\x80\x80\x20\0";
    let limits = Limits { memory_bytes: 1 << 20, ..Limits::default() };
    for root in [r#"{"list": "null"}"#, r#"{"list": "E"}"#] {
        let schema = schema(root, r#"{"record": "E", "fields": []}"#);
        let error = decode_with(&*plan("avro", &schema).unwrap(), &schema, count, limits).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        let mut file = encode("avro-container", &schema, "[]").unwrap();
        let sync = file[file.len() - 16..].to_vec();
        file.extend_from_slice(count);
        file.extend_from_slice(&sync);
        let error = decode_with(&*plan("avro-container", &schema).unwrap(), &schema, &file, limits).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
    }
}

#[test]
fn types_that_only_names_could_express_are_refused() {
    use wirewise_core::{Kind, SchemaBuilder};
    let mut types = SchemaBuilder::new();
    let deep = (0..100_000).fold(types.add(Kind::Bool), |inner, _| types.add(Kind::List(inner)));
    let error = plan("avro", &Arc::new(types.finish(deep).unwrap())).map(drop).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unsupported, "types nest so deep that their JSON has more than 250 levels")
    );
}

#[test]
fn containers_are_the_same_every_time_and_read_block_by_block() {
    let schema = schema(r#"{"list": "UserProfile"}"#, PROFILE_TYPES);
    let json = format!("[{}]", [PROFILE; 2500].join(","));
    let file = encode("avro-container-zstandard", &schema, &json).unwrap();
    assert_eq!(file, encode("avro-container-zstandard", &schema, &json).unwrap());
    assert_eq!(decode("avro-container", &schema, &file).unwrap(), json);

    let (header, mut pos) = Header::parse(&file).unwrap();
    for end in 0..pos {
        assert_eq!(Header::parse(&file[..end]).unwrap_err().kind(), ErrorKind::End, "{end}");
    }
    let mut again = Vec::new();
    let mut writer = Writer::begin(&header, &mut again);
    let mut blocks = BlockReader::new(&header, Limits::default());
    let (mut counts, first) = (Vec::new(), pos);
    while pos < file.len() {
        if pos == first {
            for end in pos..file.len() {
                let Err(error) = blocks.next(&file[pos..end]).map(drop) else { break };
                assert_eq!(error.kind(), ErrorKind::End);
            }
        }
        let block = blocks.next(&file[pos..]).unwrap();
        assert!(block.data.len() < 64_000 + 63);
        block.data.chunks(63).for_each(|datum| writer.append(datum, &mut again).unwrap());
        counts.push(block.count);
        pos += block.used;
    }
    writer.finish(&mut again).unwrap();
    assert_eq!(again, file);
    // 1016 values of 63 bytes are the first to make 64,000.
    assert_eq!(counts, [1016, 1016, 468]);
}

#[test]
fn containers_of_one_value_or_none() {
    let one = schema(r#""UserProfile""#, PROFILE_TYPES);
    let list = Arc::new(one.list_of());
    let file = encode("avro-container", &one, PROFILE).unwrap();
    assert_eq!(decode("avro-container", &one, &file).unwrap(), PROFILE);
    assert_eq!(decode("avro-container", &list, &file).unwrap(), format!("[{PROFILE}]"));
    let empty = encode("avro-container", &list, "[]").unwrap();
    assert_eq!(decode("avro-container", &list, &empty).unwrap(), "[]");
    assert_eq!(decode("avro-container", &one, &empty).unwrap_err().kind(), ErrorKind::End);
    let two = encode("avro-container", &list, &format!("[{PROFILE},{PROFILE}]")).unwrap();
    let error = decode("avro-container", &one, &two).unwrap_err();
    assert!(error.to_string().contains("more than one value"), "{error}");
}

#[test]
fn errors_in_blocks_say_where() {
    let schema = schema(r#"{"list": "UserProfile"}"#, PROFILE_TYPES);
    let mut file = encode("avro-container", &schema, &format!("[{PROFILE},{PROFILE}]")).unwrap();
    // The second user's name gets a byte that is no UTF-8.
    let at = file.windows(5).rposition(|window| window == b"alice").unwrap() - 12;
    assert_eq!(&file[at..at + 5], b"alice");
    file[at] = 0xff;
    let error = decode("avro-container", &schema, &file).unwrap_err();
    assert_eq!(error.to_string(), format!("the text is not valid UTF-8, at byte {at}, in $[1].username"));

    // A block that is whole, but whose values are not: more bytes would not help.
    let (header, start) = Header::parse(&file).unwrap();
    let mut short = file[..start].to_vec();
    let mut writer = Writer::begin(&header, &mut Vec::new());
    writer.append(b"\x02", &mut short).unwrap();
    writer.finish(&mut short).unwrap();
    let error = decode("avro-container", &schema, &short).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert!(error.message().starts_with("the block ends, but"), "{error}");
    assert_eq!(decode("avro-container", &schema, &file[..file.len() - 1]).unwrap_err().kind(), ErrorKind::End);
}

#[test]
fn a_foreign_schema_is_kept_to_the_letter() {
    let avsc = r#"{"type": "record", "name": "User", "namespace": "com.example", "fields": [
        {"name": "id", "type": {"type": "fixed", "name": "Id", "size": 2}},
        {"name": "nick", "type": ["string", "null"], "default": "x"},
        {"name": "friend", "type": ["User", "null", "int"], "order": "ignore"}]}"#;
    let schema = Arc::new(parse_schema(avsc).unwrap());
    let codec = plan_with("avro-single-object", &schema, avsc).unwrap();
    let json = r#"{"id":"AAE=","nick":null,"friend":{"id":"AAI=","nick":"n","friend":5}}"#;
    let bytes = encode_with(&*codec, &schema, json, &mut Losses::none()).unwrap();
    let print = fingerprint(&canonical_form(avsc).unwrap()).to_le_bytes();
    assert_eq!(bytes[..10], [&b"\xc3\x01"[..], &print].concat());
    assert_eq!(bytes[10..], *b"\0\x01\x02\0\0\x02\0\x02n\x04\x0a");
    assert_eq!(decode_with(&*codec, &schema, &bytes, Limits::default()).unwrap(), json);
    // So the schema alone is enough.
    assert_eq!(decode("avro-single-object", &schema, &bytes).unwrap(), json);
    assert_eq!(encode("avro-single-object", &schema, json).unwrap(), bytes);
    let list = Arc::new(schema.list_of());
    for codec in [plan_with("avro-container", &list, avsc).unwrap(), plan("avro-container", &list).unwrap()] {
        let file = encode_with(&*codec, &list, &format!("[{json}]"), &mut Losses::none()).unwrap();
        assert_eq!(decode("avro-container", &list, &file).unwrap(), format!("[{json}]"));
    }
    assert!(plan_with("json", &schema, avsc).is_err());
}

#[test]
fn wrong_avro_schemas_say_where() {
    for (avsc, expected) in [
        (r#"{"type":"record""#, "the Avro schema is not valid JSON"),
        (
            r#"{"type":"record","name":"A","fields":[{"name":"x","type":"B"}]}"#,
            "at $.fields[0].type: there is no type \"B\" before",
        ),
        (r#"["int","int"]"#, "at $[1]: a union has two branches \"int\""),
        (r#"["int",["null"]]"#, "at $[1]: a union is directly in a union"),
        (r#"{"type":"enum","name":"int","symbols":["A"]}"#, "is the name of a primitive type"),
        (r#"{"type":"fixed","name":"f","size":-1}"#, "\"size\" must be a number of bytes"),
        (r#"[]"#, "the union has no branches"),
        (r#"{"type":"record","name":"A","fields":[{"name":"x","type":"A"}]}"#, "must contain itself"),
        (r#"{"type":"enum","name":"E","symbols":[]}"#, "has no symbols"),
    ] {
        let error = parse_schema(avsc).unwrap_err();
        assert!(error.to_string().contains(expected), "{avsc}: {error}");
    }
    let deep = format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(10_000), "}".repeat(10_000));
    assert_eq!(parse_schema(&deep).unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn documents_are_equal_after_a_file_with_each_codec() {
    let schema = Arc::new(random::schema(7).list_of());
    let mut arena = Arena::new(Limits::default());
    random::message(&schema, 1, &mut arena);
    let document = Document::new(&schema, b"", &arena);
    for variant in super::INFO.variants {
        let codec = plan(variant.id, &schema).unwrap();
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut Losses::none()).unwrap();
        let mut second = Arena::new(Limits::default());
        let again = codec.decode(&out, &mut second, &mut Losses::none()).unwrap();
        assert_eq!(diff(&document, &again), None, "{}", variant.id);
    }
}

/// That it ends is enough, and no time is asserted: work for all triples would have no end. For all pairs it would take
/// about a minute.
#[test]
fn large_schemas_end() {
    let rows = |count: usize, row: &dyn Fn(usize) -> String| (0..count).map(row).collect::<Vec<_>>().join(",");
    let record = |fields: String| format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#);
    // Names that all become the same, reserved numbers, unions of many types, defaults to search for.
    let odd = |i| char::from_u32(0x4E00 + i as u32).unwrap();
    let many = rows(20_000, &|i| format!(r#"{{"name":"{}","type":["int","string"],"default":1}}"#, odd(i)));
    let reserved = format!(
        r#"{{"type":"record","name":"R","wirewise.reserved_numbers":[{}],"fields":[{}]}}"#,
        rows(100_000, &|i| (i + 1).to_string()),
        rows(20_000, &|i| format!(r#"{{"name":"f{i}","type":"int"}}"#))
    );
    let union = format!("[{}]", rows(20_000, &|i| format!(r#"{{"type":"fixed","name":"F{i}","size":1}}"#)));
    let symbols = rows(20_000, &|i| format!("\"S{i}\""));
    let defaults = rows(20_000, &|i| {
        let ty =
            if i == 0 { format!(r#"{{"type":"enum","name":"E","symbols":[{symbols}]}}"#) } else { r#""E""#.to_owned() };
        format!(r#"{{"name":"f{i}","type":{ty},"default":"S19999"}}"#)
    });
    for avsc in [record(many), reserved, union, record(defaults)] {
        let schema = Arc::new(parse_schema(&avsc).unwrap());
        plan("avro", &schema).unwrap();
        plan_with("avro", &schema, &avsc).unwrap();
    }
}

#[test]
fn unions_inside_each_other_are_not_repeated_without_end() {
    use wirewise_core::{Branch, Kind, SchemaBuilder, Union};
    let mut types = SchemaBuilder::new();
    let mut ty = types.add(Kind::Bool);
    let key = types.add(Kind::String);
    for i in 0..100 {
        let branches = [types.add(Kind::List(ty)), types.add(Kind::Map(key, ty))];
        let branch = |(j, &ty): (usize, &_)| Branch::new(j as u32 + 1, format!("b{j}"), ty);
        let branches = branches.iter().enumerate().map(branch).collect();
        ty = types.add(Kind::Union(Union { name: format!("U{i}"), doc: None, branches }));
    }
    let error = plan("avro", &Arc::new(types.finish(ty).unwrap())).map(drop).unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Unsupported, "the Avro schema has more than 71952 types"));
}
