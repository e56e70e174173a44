use std::sync::Arc;

use serde_json::{Value as Json, json};
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
fn every_schema_comes_back_from_its_avsc() {
    for seed in 0..2000 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        // Without the types that nothing uses.
        let schema = schema.rooted(schema.root());
        let schema = Arc::new(if seed % 3 == 0 { schema } else { decorated(&schema, seed) });
        let avsc = schema_json(&schema).unwrap();
        let context = || format!("seed {seed}: {avsc}");
        let back = parse_schema(&avsc).unwrap_or_else(|error| panic!("{error}: {}", context()));
        assert_eq!(schema_json(&back).unwrap(), avsc, "seed {seed}");
        for (back, schema) in sorted_types(&back).iter().zip(sorted_types(&schema)) {
            assert_eq!(*back, schema, "seed {seed}");
        }
        assert_eq!(sorted_types(&back).len(), sorted_types(&schema).len());
        let canonical = canonical_form(&avsc).unwrap();
        assert_eq!(canonical_form(&canonical).unwrap(), canonical, "{}", context());

        // And what is written by the one is read by the other.
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let mut losses = Losses::allowing(LossKind::ALL);
        let (ours, theirs) = (plan("avro", &schema).unwrap(), plan_with("avro", &schema, &avsc).unwrap());
        let (mut first, mut second) = (Vec::new(), Vec::new());
        if ours.encode(&document, &mut first, &mut losses).is_ok() {
            theirs.encode(&document, &mut second, &mut losses).unwrap();
            assert!(first == second, "{}", context());
            let back = Arc::new(back);
            let mut arena = Arena::new(Limits::default());
            plan("avro", &back).unwrap().decode(&first, &mut arena, &mut losses).map(drop).unwrap();
        }
    }
}

/// The schema with documentation, notes and reserved numbers and names here and there.
fn decorated(schema: &Schema, seed: u64) -> Schema {
    fn walk(json: &mut Json, rng: &mut random::Rng) {
        match json {
            Json::Object(object) => {
                let members: Vec<String> = object.keys().cloned().collect();
                let has = |name: &str| members.iter().any(|member| member == name);
                let named = has("record") || has("enum") || has("union");
                if (named || has("name")) && rng.one_in(6) {
                    object.insert("doc".to_owned(), json!(rng.pick(&["What it is.", "\"Two\"\nlines"])));
                }
                let expression = ["scalar", "list", "map", "nullable", "fixed"].iter().any(|form| has(form));
                if (named || expression || has("name")) && rng.one_in(6) {
                    let notes = [
                        json!({"name": "other name", "protobuf.type": "sint32"}),
                        json!({"avro.properties": "{\"a\":1}", "x.y": ""}),
                        json!({"avro.properties": "[]", "avro.order": "ignore", "avro.aliases": "[\"A\",\"b.C\"]"}),
                        json!({"avro.default": "{\"deep\":[1]}", "avro.null": "1", "avro.logicalType": "decimal"}),
                    ];
                    object.insert("notes".to_owned(), rng.pick(&notes).clone());
                }
                if (has("record") || has("enum")) && rng.one_in(4) {
                    object.insert("reserved_numbers".to_owned(), json!([70_000, [80_000, 90_000]]));
                    object.insert("reserved_names".to_owned(), json!(["gone", "also gone"]));
                }
                let is_whole = !has("logical") && !has("scalar");
                object
                    .iter_mut()
                    .filter(|(name, _)| *name != "notes" && (is_whole || *name != "type" && *name != "scalar"))
                    .for_each(|(_, value)| walk(value, rng));
            }
            Json::Array(items) => items.iter_mut().for_each(|item| walk(item, rng)),
            Json::String(name) if rng.one_in(20) && name == "int32" => {
                *json = json!({"scalar": "int32", "notes": {"n": "1"}})
            }
            _ => {}
        }
    }
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    walk(&mut json["types"], &mut random::Rng::new(seed));
    json["notes"] = json!({"file": "note"});
    Schema::parse(&json.to_string()).unwrap()
}

/// The schema's notes and named types in the order of their names: Avro has them in the order of their use.
fn sorted_types(schema: &Schema) -> Vec<String> {
    let text = schema.to_text();
    let mut types: Vec<String> =
        text.split("\n    {").skip(1).map(|ty| ty.trim_end_matches([',', '\n', ' ', ']', '}']).to_owned()).collect();
    types.sort();
    types.push(format!("{}: {:?}", schema.type_json(schema.root()), schema.notes()));
    types
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

/// Schemas of others, with everything that Avro has.
const FOREIGN: &[&str] = &[
    r#"{"type":"record","name":"User","namespace":"com.acme","doc":"A user.","aliases":["Person","org.old.User"],
        "my.property":{"deep":[1,2.5,null]},"fields":[
        {"name":"id","type":{"type":"fixed","name":"Id","namespace":"com.acme.ids","size":8,"aliases":["Key"],"doc":"custom"}},
        {"name":"other","type":"com.acme.ids.Id","doc":"Another one.","order":"descending","aliases":["o"],"x-y z":[]},
        {"name":"suit","type":{"type":"enum","name":"Suit","doc":"Cards","symbols":["SPADES","HEARTS"],"default":"HEARTS","aliases":["S"]},"default":"SPADES"},
        {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":10,"scale":2},"default":"\u0001\u00ff"},
        {"name":"fee","type":{"type":"fixed","name":"Fee","size":4,"logicalType":"decimal","precision":9},"order":"ignore"},
        {"name":"span","type":{"type":"fixed","name":"Span","size":12,"logicalType":"duration"}},
        {"name":"uid","type":{"type":"fixed","name":"Uid","size":16,"logicalType":"uuid"}},
        {"name":"t1","type":{"type":"int","logicalType":"time-millis"}},
        {"name":"t2","type":{"type":"long","logicalType":"local-timestamp-micros","foo":"bar"}},
        {"name":"t3","type":{"type":"string","logicalType":"timestamp-millis"}},
        {"name":"t4","type":{"type":"long","logicalType":"timestamp-nanos"},"default":0},
        {"name":"t5","type":{"type":"int","logicalType":"date"},"default":-1},
        {"name":"java","type":{"type":"string","avro.java.string":"String"},"default":""},
        {"name":"a","type":["null","string"],"default":null},
        {"name":"b","type":["string","null"],"default":"x"},
        {"name":"c","type":["string","null"]},
        {"name":"d","type":["int","null","string","Suit"],"default":5},
        {"name":"e","type":["null","int","string"],"default":null},
        {"name":"f","type":["string","null"],"default":null},
        {"name":"g","type":["null","string"],"default":"late"},
        {"name":"h","type":[{"type":"array","items":["long","null"]},"null",{"type":"map","values":["null",{"type":"map","values":"Id2"}]}],"default":[]},
        {"name":"i","type":{"type":"array","items":"int"},"default":[1,2,3]},
        {"name":"j","type":{"type":"map","values":"double"},"default":{"a":1.5}},
        {"name":"k","type":{"type":"record","name":"Inner","fields":[{"name":"x","type":"int"},{"name":"next","type":["null","Inner"]}]},"default":{"x":1,"next":null}},
        {"name":"l","type":["null"]},
        {"name":"m","type":["float"],"default":1},
        {"name":"n","type":"null","default":null},
        {"name":"o","type":"double","default":1e100},
        {"name":"p","type":{"type":"record","name":"Bare","namespace":"","fields":[{"name":"self","type":["null","Bare"]}]}},
        {"name":"q","type":{"type":"error","name":"Oops","fields":[]}},
        {"name":"r","type":{"type":"array","items":["null"],"doc":"odd"}},
        {"name":"s","type":"long","default":"not a long"}
    ]}"#,
    r#"["null",{"type":"record","name":"A","fields":[]},{"type":"enum","name":"B","symbols":["x"]},"string"]"#,
    r#"{"type":"map","values":{"type":"array","items":["string","null","int"],"p":1},"q":"r"}"#,
    r#"["null"]"#,
    r#"{"type":"long","logicalType":"time-micros"}"#,
    r#"[{"type":"record","name":"n.A","fields":[{"name":"b","type":{"type":"record","name":"B","fields":[{"name":"a","type":["A","null"]}]}}]},
        {"type":"record","name":"m.A","fields":[{"name":"x","type":["n.A","n.B"]}]}]"#,
];

#[test]
fn schemas_of_others_come_back_with_all_they_say() {
    for avsc in FOREIGN {
        let avsc = avsc.replace("\"Id2\"", "\"com.acme.ids.Id\"");
        let schema = parse_schema(&avsc).unwrap();
        let back = schema_json(&schema).unwrap();
        assert_eq!(canonical_form(&back).unwrap(), canonical_form(&avsc).unwrap());
        assert_eq!(full(&back), full(&avsc), "{back}");
        assert!(!back.contains("wirewise."), "{back}");
        // What it means for our codec is the same, to the byte.
        let (schema, again) = (Arc::new(schema), parse_schema(&back).unwrap());
        assert_eq!(again.to_text(), schema.to_text());
        for seed in 0..20 {
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            plan("avro", &schema).unwrap().encode(&document, &mut ours, &mut Losses::none()).unwrap();
            plan_with("avro", &schema, &avsc).unwrap().encode(&document, &mut theirs, &mut Losses::none()).unwrap();
            assert_eq!(ours, theirs);
        }
    }
}

/// A schema with all names in full and nothing left out, for comparing.
fn full(avsc: &str) -> Json {
    fn walk(json: &mut Json, namespace: &str) {
        match json {
            Json::String(name)
                if !name.contains('.') && !["null", "string", "int", "long"].contains(&name.as_str()) =>
            {
                *name = format!("{namespace}.{name}");
            }
            Json::Array(items) => items.iter_mut().for_each(|item| walk(item, namespace)),
            Json::Object(object) => {
                let mut inner = namespace.to_owned();
                if let Some(name) = object.get("name").and_then(Json::as_str).map(str::to_owned) {
                    let own = object.remove("namespace").and_then(|own| own.as_str().map(str::to_owned));
                    inner = match name.rsplit_once('.') {
                        Some((own, _)) => own.to_owned(),
                        None => own.unwrap_or(inner),
                    };
                    object.insert("name".to_owned(), json!(format!("{inner}.{}", name.rsplit('.').next().unwrap())));
                }
                for part in ["items", "values"] {
                    object.get_mut(part).into_iter().for_each(|part| walk(part, &inner));
                }
                if let Some(Json::Array(fields)) = object.get_mut("fields") {
                    for field in fields {
                        walk(&mut field["type"], &inner);
                    }
                }
            }
            _ => {}
        }
    }
    let mut json = serde_json::from_str(avsc).unwrap();
    walk(&mut json, "");
    // A name alone may be of a type without a namespace, or of one in the namespace around it.
    serde_json::from_str(&json.to_string().replace("\"com.acme.Bare\"", "\".Bare\"")).unwrap()
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

/// What a value, given as our JSON, becomes when it is read with another schema.
fn evolve(writer: &str, reader: &str, json: &str) -> Result<String> {
    let writer = Arc::new(parse_schema(writer).unwrap());
    let reader = Arc::new(parse_schema(reader).unwrap());
    let (_, variant) = crate::find("avro").unwrap();
    let codec = super::resolve(&writer, &reader, variant)?;
    let bytes = encode("avro", &writer, json).unwrap();
    decode_with(&*codec, &reader, &bytes, Limits::default())
}

#[test]
fn schema_resolution() {
    let r = |fields: &str| format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#);
    let f = |ty: &str| r(&format!(r#"{{"name":"f","type":{ty}}}"#));
    let e = |symbols: &str, more: &str| format!(r#"{{"type":"enum","name":"E","symbols":[{symbols}]{more}}}"#);
    for (writer, reader, json, expected) in [
        // Promotions.
        (f("\"int\""), f("\"long\""), r#"{"f":-7}"#, r#"{"f":-7}"#),
        (f("\"int\""), f("\"float\""), r#"{"f":-7}"#, r#"{"f":-7.0}"#),
        (f("\"long\""), f("\"double\""), r#"{"f":-7}"#, r#"{"f":-7.0}"#),
        (f("\"float\""), f("\"double\""), r#"{"f":0.5}"#, r#"{"f":0.5}"#),
        (f("\"string\""), f("\"bytes\""), r#"{"f":"ab"}"#, r#"{"f":"YWI="}"#),
        (f("\"bytes\""), f("\"string\""), r#"{"f":"YWI="}"#, r#"{"f":"ab"}"#),
        (
            f(r#"{"type":"array","items":"int"}"#),
            f(r#"{"type":"array","items":"double"}"#),
            r#"{"f":[1]}"#,
            r#"{"f":[1.0]}"#,
        ),
        (
            f(r#"{"type":"map","values":"int"}"#),
            f(r#"{"type":"map","values":"long"}"#),
            r#"{"f":{"a":1}}"#,
            r#"{"f":{"a":1}}"#,
        ),
        // Fields: in another order, gone, new with defaults of every kind, renamed.
        (
            r(
                r#"{"name":"a","type":"int"},{"name":"gone","type":{"type":"array","items":["null",{"type":"map","values":"R"}]}},{"name":"b","type":"string"}"#,
            ),
            r(r#"{"name":"b","type":"string"},{"name":"a","type":"int"}"#),
            r#"{"a":1,"gone":[null,{"x":{"a":2,"gone":[],"b":"y"}}],"b":"z"}"#,
            r#"{"b":"z","a":1}"#,
        ),
        (
            r(r#"{"name":"a","type":"int"}"#),
            r(
                r#"{"name":"a","type":"int"},{"name":"n","type":["null","int"],"default":null},{"name":"s","type":["string","null"],"default":"d"},
                {"name":"l","type":{"type":"array","items":"long"},"default":[1,2]},{"name":"m","type":{"type":"map","values":"bytes"},"default":{"k":"\u00ff"}},
                {"name":"x","type":{"type":"record","name":"X","fields":[{"name":"y","type":["int","string","null"]},{"name":"z","type":"float","default":2}]},"default":{"y":"u"}},
                {"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"]},"default":"B"},{"name":"h","type":{"type":"fixed","name":"H","size":2},"default":"\u0001\u0002"}"#,
            ),
            r#"{"a":1}"#,
            r#"{"a":1,"n":null,"s":"d","l":[1,2],"m":{"k":"/w=="},"x":{"y":"u","z":2.0},"e":"B","h":"AQI="}"#,
        ),
        (
            r(r#"{"name":"old","type":"int"}"#),
            r(r#"{"name":"new","type":"long","aliases":["older","old"]}"#),
            r#"{"old":5}"#,
            r#"{"new":5}"#,
        ),
        // Names of types.
        (
            r#"{"type":"record","name":"a.b.R","fields":[]}"#.to_owned(),
            r#"{"type":"record","name":"c.R","fields":[]}"#.to_owned(),
            "{}",
            "{}",
        ),
        (
            r#"{"type":"record","name":"a.Old","fields":[]}"#.to_owned(),
            r#"{"type":"record","name":"a.New","aliases":["Old"],"fields":[]}"#.to_owned(),
            "{}",
            "{}",
        ),
        // Unions.
        (f(r#""int""#), f(r#"["string","double","long"]"#), r#"{"f":1}"#, r#"{"f":1.0}"#),
        (f(r#""long""#), f(r#"["double","long"]"#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#""long""#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#"["string","int","null"]"#), r#"{"f":1}"#, r#"{"f":1}"#),
        (f(r#"["null","int"]"#), f(r#"["string","int","null"]"#), r#"{"f":null}"#, r#"{"f":null}"#),
        (f(r#""string""#), f(r#"["null","string"]"#), r#"{"f":"a"}"#, r#"{"f":"a"}"#),
        (
            f(r#"{"type":"array","items":"int"}"#),
            f(r#"{"type":"array","items":["null","int"]}"#),
            r#"{"f":[1]}"#,
            r#"{"f":[1]}"#,
        ),
        // Enums.
        (e(r#""A","B","C""#, ""), e(r#""C","A""#, ""), r#""C""#, r#""C""#),
        (e(r#""A","B","C""#, ""), e(r#""C","A""#, r#","default":"A""#), r#""B""#, r#""A""#),
        // Recursion.
        (
            r(r#"{"name":"v","type":"int"},{"name":"next","type":["null","R"]}"#),
            r(r#"{"name":"next","type":["null","R"]},{"name":"v","type":"double"}"#),
            r#"{"v":1,"next":{"v":2,"next":null}}"#,
            r#"{"next":{"next":null,"v":2.0},"v":1.0}"#,
        ),
    ] {
        let found = evolve(&writer, &reader, json).unwrap_or_else(|error| panic!("{writer} {reader}: {error}"));
        assert_eq!(found, expected, "{writer} {reader}");
    }
    for (writer, reader, json, kind, expected) in [
        (
            f("\"long\""),
            f("\"int\""),
            r#"{"f":1}"#,
            ErrorKind::Unsupported,
            "the writer's long cannot be read as int32, in $.f",
        ),
        (
            f(r#"{"type":"array","items":"string"}"#),
            f(r#"{"type":"array","items":"int"}"#),
            r#"{"f":[]}"#,
            ErrorKind::Unsupported,
            "the writer's string cannot be read as int32, in $.f[0]",
        ),
        (
            f("\"int\""),
            f(r#"["string","null"]"#),
            r#"{"f":1}"#,
            ErrorKind::Unsupported,
            "the writer's int cannot be read as string, in $.f",
        ),
        (
            r(""),
            f("\"int\""),
            "{}",
            ErrorKind::Unsupported,
            "the writer's record R has no field \"f\", and the reader's has no default for it, in $.f",
        ),
        (
            r(""),
            r#"{"type":"record","name":"S","fields":[]}"#.to_owned(),
            "{}",
            ErrorKind::Unsupported,
            "the writer's R cannot be read as S; an alias",
        ),
        (
            f(r#"{"type":"fixed","name":"F","size":1}"#),
            f(r#"{"type":"fixed","name":"F","size":2}"#),
            r#"{"f":"AA=="}"#,
            ErrorKind::Unsupported,
            "the writer's F has 1 bytes, the reader's 2, in $.f",
        ),
        (
            r(""),
            r(r#"{"name":"f","type":"int","default":"x"}"#),
            "{}",
            ErrorKind::Schema,
            "the default \"x\" is no int32, in $.f",
        ),
        (
            f(r#"{"type":"bytes","logicalType":"decimal","precision":4,"scale":2}"#),
            f(r#"{"type":"bytes","logicalType":"decimal","precision":4,"scale":1}"#),
            r#"{"f":""}"#,
            ErrorKind::Unsupported,
            "the writer's bytes is a decimal of precision 4 and scale 2, the reader's bytes one of precision 4 and scale 1, in $.f",
        ),
        // What depends on the value.
        (
            f(r#"["null","int"]"#),
            f(r#""long""#),
            r#"{"f":null}"#,
            ErrorKind::Data,
            "the writer's null cannot be read as int64, at byte 0, in $.f",
        ),
        (e(r#""A","B""#, ""), e(r#""A""#, ""), r#""B""#, ErrorKind::Data, "enum E has no symbol \"B\", at byte 0"),
        (
            f("\"bytes\""),
            f("\"string\""),
            r#"{"f":"/w=="}"#,
            ErrorKind::Syntax,
            "the text is not valid UTF-8, at byte 1, in $.f",
        ),
    ] {
        let error = evolve(&writer, &reader, json).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{writer} {reader}: {error}");
        assert_eq!(error.kind(), kind, "{error}");
    }
    // A number of values without bytes is passed over at once.
    let writer = r#"{"type":"record","name":"R","fields":[{"name":"n","type":{"type":"array","items":"null"}}]}"#;
    let (_, variant) = crate::find("avro").unwrap();
    let reader = Arc::new(parse_schema(r#"{"type":"record","name":"R","fields":[]}"#).unwrap());
    let codec = super::resolve_avsc(writer, &reader, variant).unwrap();
    let count = b"\x80\x80\x80\x80\x80\x80\x80\x80\x20\0";
    assert_eq!(decode_with(&*codec, &reader, count, Limits::default()).unwrap(), "{}");
    // Defaults that contain each other.
    let many = |i: usize| {
        format!(
            r#"{{"type":"record","name":"R{i}","fields":[{{"name":"a","type":"R{0}","default":{{}}}},{{"name":"b","type":"R{0}","default":{{}}}}]}}"#,
            i - 1
        )
    };
    let mut types = r#"{"type":"record","name":"R0","fields":[]}"#.to_owned();
    for i in 1..60 {
        types = many(i).replacen(&format!("\"R{}\"", i - 1), &types, 1);
    }
    let reader = Arc::new(
        parse_schema(&format!(
            r#"{{"type":"record","name":"R","fields":[{{"name":"x","type":{types},"default":{{}}}}]}}"#
        ))
        .unwrap(),
    );
    let error =
        super::resolve_avsc(r#"{"type":"record","name":"R","fields":[]}"#, &reader, variant).map(drop).unwrap_err();
    assert!(error.message().contains("contain each other too often"), "{error}");
}

/// Traces a message: the spans cover all of it, and lie apart; the document is the same.
fn traced(codec: &dyn Codec, bytes: &[u8], expected: &Document<'_>) -> Vec<wirewise_core::Span> {
    let mut recorder = wirewise_core::Recorder::new();
    let mut arena = Arena::new(Limits::default());
    let used = codec.trace(bytes, &mut arena, &mut Losses::none(), &mut recorder).unwrap();
    assert_eq!(used, bytes.len());
    assert_eq!(diff(expected, &Document::new(codec.schema(), bytes, &arena)), None);
    let spans = recorder.finish();
    let mut pos = 0;
    for span in &spans {
        assert_eq!(span.bytes.start, pos, "{span:?} {spans:?}");
        pos = span.bytes.end;
    }
    assert_eq!(pos, bytes.len());
    spans
}

#[test]
fn spans_cover_every_byte() {
    for seed in 0..60 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = Arc::new(if seed % 3 == 0 { schema.list_of() } else { schema });
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        for variant in super::INFO.variants {
            let codec = plan(variant.id, &schema).unwrap();
            let mut bytes = Vec::new();
            if codec.encode(&document, &mut bytes, &mut Losses::none()).is_ok() {
                traced(&*codec, &bytes, &document);
                // A container explains itself.
                if variant.list_is_stream {
                    let mut recorder = wirewise_core::Recorder::new();
                    let format = crate::find(variant.id).unwrap().0;
                    let used = format.explain(variant, &bytes, &Limits::default(), &mut recorder).unwrap();
                    assert_eq!(used, bytes.len());
                }
                let guessed = crate::find(variant.id).unwrap().0.guess(&bytes);
                match variant.id {
                    "avro" => {}
                    "avro-single-object" => {
                        assert!(guessed.is_empty() && bytes.len() < 11 || guessed[0].variant == variant)
                    }
                    _ => assert_eq!((guessed[0].variant, guessed[0].certainty), (variant, 100)),
                }
            }
        }
    }
}

#[test]
fn spans_say_what_bytes_are() {
    let types = r#"{"record": "R", "fields": [{"number": 1, "name": "n", "type": "int32"}, {"number": 2, "name": "tags", "type": {"map": {"nullable": "string"}}},
        {"number": 3, "name": "u", "type": "U"}, {"number": 4, "name": "e", "type": "E"}]},
        {"union": "U", "branches": [{"number": 1, "name": "flag", "type": "bool"}, {"number": 2, "name": "blob", "type": "bytes"}]},
        {"enum": "E", "symbols": [{"number": 0, "name": "A"}, {"number": 1, "name": "B"}]}"#;
    let schema = schema(r#""R""#, types);
    let json = r#"{"n":-300,"tags":{"k":"v"},"u":"AP8=","e":"B"}"#;
    let bytes = encode("avro", &schema, json).unwrap();
    let mut arena = Arena::new(Limits::default());
    let codec = plan("avro", &schema).unwrap();
    let mut losses = Losses::none();
    let document = codec.decode(&bytes, &mut arena, &mut losses).unwrap();
    let spans = traced(&*codec, &bytes, &document);
    let rows: Vec<String> = spans
        .iter()
        .map(|span| format!("{:?} {} {} {} = {}", span.bytes, span.role.name(), span.path, span.what, span.value))
        .collect();
    assert_eq!(
        rows,
        [
            "0..2 payload $.n zigzag varint = -300",
            "2..3 length $.tags number of entries of a map = 1",
            "3..4 length $.tags length of a key = 1",
            "4..5 name $.tags key = \"k\"",
            "5..6 tag $.tags.k branch of a union = 1",
            "6..7 length $.tags.k length of a string = 1",
            "7..8 payload $.tags.k string = \"v\"",
            "8..9 syntax $.tags no more entries of a map = ",
            "9..10 tag $.u branch of a union = blob",
            "10..11 length $.u.blob length of bytes = 2",
            "11..13 payload $.u.blob bytes = \"AP8=\"",
            "13..14 payload $.e position of a symbol = \"B\"",
        ]
    );
    // What is broken is explained up to there.
    let mut recorder = wirewise_core::Recorder::new();
    assert!(codec.trace(&bytes[..9], &mut arena, &mut losses, &mut recorder).is_err());
    assert_eq!(recorder.len(), 8);
}

#[test]
fn random_bytes_are_not_claimed() {
    let mut rng = random::Rng::new(5);
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..10_240).map(|_| rng.bits() as u8).collect();
        assert!(super::guess::guess(&bytes).iter().all(|guess| guess.certainty <= 30));
    }
    assert!(super::guess::guess(b"").is_empty());
    assert_eq!(super::guess::guess(b"Obj\x01")[0].certainty, 90);
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

#[test]
fn large_schemas_take_no_more_than_their_share() {
    let start = std::time::Instant::now();
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
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
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
