//! Going on from a schema at hand: names and numbers stay, types only widen.

mod common;

use common::assert_exact;
use wirewise_core::Schema;
use wirewise_schema::{Inference, Options};

/// The types of a schema whose root is the first of them.
fn schema(types: &str) -> Schema {
    let root = types.split('"').nth(3).unwrap();
    Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": "{root}", "types": [{types}]}}"#)).unwrap()
}

/// Goes on from `old` with the samples, which must come back, to `new`.
fn check(old: &str, samples: &[&str], new: &str) {
    let mut inference = Inference::with_schema(&schema(old), Options::default());
    for sample in samples {
        inference.add(sample.as_bytes()).unwrap();
    }
    let found = inference.finish("Ignored").unwrap();
    assert_exact(&found, samples, "");
    assert_eq!(found.to_text(), schema(new).to_text(), "{samples:?}");
}

/// The same for the only field of a record: what it was, a value, what it is then. `types` are the others, before and
/// after.
fn field(old: &str, sample: &str, new: &str) {
    let with = |field: &str, more: &str| {
        format!(r#"{{"record": "R", "fields": [{{"number": 7, "name": "v", {field}}}]}}{more}"#)
    };
    let (new, more) = new.split_once(" + ").unwrap_or((new, ""));
    let more = if more.is_empty() { String::new() } else { format!(",{more}") };
    check(&with(old, ""), &[&format!("{{\"v\": {sample}}}")], &with(new, &more));
}

#[test]
fn scalars_widen() {
    for (old, sample, new) in [
        (r#""type": "int32""#, "5", r#""type": "int32""#),
        (r#""type": "int32""#, "5000000000", r#""type": "int64""#),
        (r#""type": "uint8""#, "-1", r#""type": "int64""#),
        (r#""type": "uint64""#, "1", r#""type": "uint64""#),
        (r#""type": "uint64""#, "-1", r#""type": "string", "logical": "number""#),
        (r#""type": "int64""#, "18446744073709551615", r#""type": "string", "logical": "number""#),
        (r#""type": "uint32""#, "18446744073709551615", r#""type": "uint64""#),
        (r#""type": "int16""#, "0.5", r#""type": "float64", "logical": "number""#),
        (r#""type": "float32""#, "0.1", r#""type": "float32""#),
        (r#""type": "float32""#, "0.123456789", r#""type": "float64""#),
        (r#""type": "float64", "logical": "number""#, "1", r#""type": "float64", "logical": "number""#),
        (r#""type": "float64", "logical": "number""#, "1.0", r#""type": "string", "logical": "number""#),
        (r#""type": "string""#, "\"2026-11-21\"", r#""type": "string""#),
        (r#""type": "string", "logical": "date""#, "\"2026-11-21\"", r#""type": "string", "logical": "date""#),
        (r#""type": "string", "logical": "date""#, "\"soon\"", r#""type": "string""#),
        (r#""type": "int32", "logical": "date""#, "\"2026-11-21\"", r#""type": "int32", "logical": "date""#),
        (r#""type": "int32", "logical": "date""#, "\"soon\"", r#""type": "string""#),
        (r#""type": {"fixed": 3}"#, "\"AAAA\"", r#""type": {"fixed": 3}"#),
        (r#""type": {"fixed": 3}"#, "\"AAAAAAAA\"", r#""type": "string""#),
        (r#""type": "bytes""#, "\"not base64\"", r#""type": "string""#),
        (r#""type": "bool""#, "null", r#""type": {"nullable": "bool"}"#),
        (r#""type": "null""#, "1", r#""type": {"nullable": "int64"}"#),
        (r#""type": "any""#, "1", r#""type": "any""#),
        (r#""type": {"list": "null"}"#, "[1]", r#""type": {"list": "int64"}"#),
        (r#""type": {"list": "int8"}"#, "[null, 200]", r#""type": {"list": {"nullable": "int64"}}"#),
        (r#""type": {"map": "int8", "key": "int8"}"#, "{\"5\": 1}", r#""type": {"map": "int8", "key": "int8"}"#),
        (r#""type": {"map": "int8", "key": "int8"}"#, "{\"500\": 1}", r#""type": {"map": "int8"}"#),
        (r#""type": {"map": "int8", "key": "bool"}"#, "{\"true\": 1}", r#""type": {"map": "int8", "key": "bool"}"#),
        (r#""type": "int64", "default": 5"#, "7", r#""type": "int64", "default": 5"#),
        (
            r#""type": "int64", "default": 5, "doc": "Five.", "aliases": ["u"]"#,
            "null",
            r#""type": {"nullable": "int64"}, "default": 5, "doc": "Five.", "aliases": ["u"]"#,
        ),
    ] {
        field(old, sample, new);
    }
}

#[test]
fn what_meets_another_kind_becomes_a_union_with_the_same_number() {
    let union = |branches: &str| format!(r#""type": "V" + {{"union": "V", "branches": [{branches}]}}"#);
    for (old, sample, branches) in [
        (
            r#""type": "int32""#,
            "\"x\"",
            r#"{"number": 1, "name": "int", "type": "int32"}, {"number": 2, "name": "string", "type": "string"}"#,
        ),
        (
            r#""type": "int64""#,
            "0.5",
            r#"{"number": 1, "name": "int", "type": "int64"}, {"number": 2, "name": "float", "type": "float64"}"#,
        ),
        (
            r#""type": "bytes""#,
            "true",
            r#"{"number": 1, "name": "bytes", "type": "bytes"}, {"number": 2, "name": "bool", "type": "bool"}"#,
        ),
    ] {
        field(old, sample, &union(branches));
    }
}

/// Messages without the field fitted the default, so they must still fit when a union, which has none, takes its place.
#[test]
fn a_field_that_loses_its_default_may_be_absent() {
    field(
        r#""type": "int64", "default": 5"#,
        "[]",
        r#""type": "V", "presence": "optional" + {"union": "V", "branches": [
            {"number": 1, "name": "int", "type": "int64"},
            {"number": 2, "name": "list", "type": {"list": "null"}}]}"#,
    );
}

#[test]
fn fields_keep_their_numbers() {
    check(
        r#"{"record": "Person", "doc": "Somebody.", "reserved_numbers": [9], "reserved_names": ["age", "sex"], "fields": [
            {"number": 4, "name": "name", "type": "string"},
            {"number": 2, "name": "mail", "type": "string", "presence": "optional"},
            {"number": 3, "name": "id", "type": "int64"}]}"#,
        &[r#"{"age": 5, "name": "A", "phone": null}"#, r#"{"name": "B", "age": 6}"#],
        r#"{"record": "Person", "doc": "Somebody.", "reserved_numbers": [9], "reserved_names": ["sex"], "fields": [
            {"number": 4, "name": "name", "type": "string"},
            {"number": 2, "name": "mail", "type": "string", "presence": "optional"},
            {"number": 3, "name": "id", "type": "int64", "presence": "optional"},
            {"number": 10, "name": "age", "type": "int64", "presence": "optional"},
            {"number": 11, "name": "phone", "type": "null", "presence": "optional"}]}"#,
    );
    // The largest number is taken, and some belong to Protobuf.
    check(
        r#"{"record": "R", "fields": [{"number": 18999, "name": "a", "type": "bool"}]}"#,
        &[r#"{"a": true, "b": true}"#],
        r#"{"record": "R", "fields": [
            {"number": 18999, "name": "a", "type": "bool"},
            {"number": 20000, "name": "b", "type": "bool", "presence": "optional"}]}"#,
    );
    check(
        r#"{"record": "R", "fields": [{"number": 536870911, "name": "a", "type": "bool"}]}"#,
        &[r#"{"a": true, "b": true}"#],
        r#"{"record": "R", "fields": [
            {"number": 536870911, "name": "a", "type": "bool"},
            {"number": 1, "name": "b", "type": "bool", "presence": "optional"}]}"#,
    );
}

#[test]
fn types_keep_their_names_and_are_shared() {
    check(
        r#"{"record": "R", "fields": [
            {"number": 1, "name": "here", "type": "Place"}, {"number": 2, "name": "there", "type": "Place"}]},
           {"record": "Place", "fields": [{"number": 1, "name": "x", "type": "int64"}]},
           {"record": "NobodyUsesThis", "fields": []}"#,
        &[r#"{"here": {"x": 1, "place": {}}, "there": {"x": 2}}"#],
        r#"{"record": "R", "fields": [
            {"number": 1, "name": "here", "type": "Place"}, {"number": 2, "name": "there", "type": "Place"}]},
           {"record": "Place", "fields": [
            {"number": 1, "name": "x", "type": "int64"},
            {"number": 2, "name": "place", "type": "PlacePlace", "presence": "optional"}]},
           {"record": "NobodyUsesThis", "fields": []},
           {"record": "PlacePlace", "fields": []}"#,
    );
    // An object that no record can have leaves the record alone.
    check(
        r#"{"record": "R", "fields": [
            {"number": 1, "name": "here", "type": "Place"}, {"number": 2, "name": "there", "type": "Place"}]},
           {"record": "Place", "fields": [{"number": 1, "name": "x", "type": "int64"}]}"#,
        &[r#"{"here": {"": 1}, "there": {"x": 2}}"#],
        r#"{"record": "R", "fields": [
            {"number": 1, "name": "here", "type": "any"}, {"number": 2, "name": "there", "type": "Place"}]},
           {"record": "Place", "fields": [{"number": 1, "name": "x", "type": "int64"}]}"#,
    );
}

#[test]
fn recursive_types_go_on() {
    let tree = r#"{"record": "Node", "fields": [
        {"number": 1, "name": "name", "type": "string"},
        {"number": 2, "name": "nodes", "type": {"list": "Node"}, "presence": "optional"}"#;
    check(
        &format!("{tree}]}}"),
        &[r#"{"name": "a", "nodes": [{"name": "b", "nodes": [{"name": "c", "size": 1}]}]}"#],
        &format!(r#"{tree}, {{"number": 3, "name": "size", "type": "int64", "presence": "optional"}}]}}"#),
    );
}

#[test]
fn enums_gain_symbols() {
    let with = |ty: &str, symbols: &str| {
        format!(
            r#"{{"record": "R", "fields": [{{"number": 1, "name": "v", "type": {ty}}}]}},
               {{"enum": "Colour", "closed": true, "symbols": [{symbols}]}}"#
        )
    };
    let red = r#"{"number": 3, "name": "RED"}"#;
    let old = with("\"Colour\"", red);
    check(&old, &[r#"{"v": "RED"}"#], &old);
    let more = format!(r#"{red}, {{"number": 4, "name": "BLUE"}}"#);
    check(&old, &[r#"{"v": "BLUE"}"#, r#"{"v": "RED"}"#], &with("\"Colour\"", &more));
    // No symbol of any language.
    check(&old, &[r#"{"v": "dark red"}"#], &with("\"string\"", red));
    let union = r#",{"union": "V", "branches": [
        {"number": 1, "name": "string", "type": "string"}, {"number": 2, "name": "int", "type": "int64"}]}"#;
    check(&old, &[r#"{"v": 3}"#], &(with("\"V\"", red) + union));
}

#[test]
fn unions_gain_branches() {
    let union = |branches: &str| {
        format!(
            r#"{{"record": "R", "fields": [{{"number": 1, "name": "v", "type": "U"}}]}},
               {{"union": "U", "branches": [{branches}]}}"#
        )
    };
    let old = r#"{"number": 5, "name": "text", "type": "string"}, {"number": 2, "name": "count", "type": "int32"}"#;
    for (sample, new) in [
        ("\"x\"", old.to_owned()),
        ("5000000000", old.replace("int32", "int64")),
        ("[true]", format!(r#"{old}, {{"number": 6, "name": "list", "type": {{"list": "bool"}}}}"#)),
        ("0.5", old.replace(r#""int32""#, r#"{"scalar": "float64", "logical": "number"}"#)),
        ("1.0", format!(r#"{old}, {{"number": 6, "name": "float", "type": "float64"}}"#)),
    ] {
        check(&union(old), &[&format!("{{\"v\": {sample}}}")], &union(&new));
    }
}

#[test]
fn unions_that_json_shows_stay_as_they_are() {
    let union = |branches: &str| {
        format!(
            r#"{{"record": "R", "fields": [{{"number": 1, "name": "v", "type": "U"}}]}},
               {{"union": "U", "branches": [{branches}]}}"#
        )
    };
    let old = r#"{"number": 1, "name": "mail", "type": "string"}, {"number": 2, "name": "phone", "type": "string"}"#;
    check(&union(old), &[r#"{"v": {"mail": "a@example.com"}}"#, r#"{"v": {"phone": "5"}}"#], &union(old));
    // A branch that needs two types.
    let any = old.replacen("\"string\"", "\"any\"", 1);
    check(&union(old), &[r#"{"v": {"mail": null}}"#], &union(&any));
    check(&union(old), &[r#"{"v": {"mail": [1]}}"#, r#"{"v": {"phone": "5"}}"#], &union(&any));
    // No value of the union at all.
    let record = r#"{"record": "R", "fields": [{"number": 1, "name": "v", "type": "any"}]}"#;
    check(&union(old), &[r#"{"v": {"fax": "5"}}"#], record);
}
