//! What is inferred, case by case.

mod common;

use common::{assert_exact, infer};
use wirewise_core::{ErrorKind, Limits, Schema};
use wirewise_schema::{Inference, LogicalStyle, Options};

/// The type of `v` in the objects `{"v": sample}`, as the schema file has it, with what else the field says.
fn field(samples: &[&str], options: Options) -> String {
    let objects: Vec<String> = samples.iter().map(|sample| format!("{{\"v\": {sample}}}")).collect();
    let schema = infer(&objects, options);
    assert_exact(&schema, &objects, "");
    let text = schema.to_text();
    let line = text.lines().find(|line| line.contains("\"name\": \"v\"")).unwrap();
    let (_, ty) = line.split_once("\"type\": ").unwrap();
    row(ty).strip_suffix('}').unwrap().to_owned()
}

/// A line with a field or branch, without what follows it.
fn row(line: &str) -> &str {
    let line = line.trim().trim_end_matches(',');
    if line.ends_with("}]}") { line.strip_suffix("]}").unwrap() } else { line }
}

fn text(samples: &[&str]) -> String {
    field(samples, Options::default())
}

/// The branches of the union that `v` is, as the schema file has them.
fn branches(samples: &[&str]) -> Vec<String> {
    let objects: Vec<String> = samples.iter().map(|sample| format!("{{\"v\": {sample}}}")).collect();
    let schema = infer(&objects, Options::default()).to_text();
    let rest = schema.split_once("{\"union\": \"V\", \"branches\": [").unwrap().1;
    let rows = rest.lines().skip(1).take_while(|line| line.starts_with("      "));
    rows.map(|line| row(line).to_owned()).collect()
}

#[test]
fn scalars() {
    for (samples, expected) in [
        (&["null"][..], r#""null""#),
        (&["true", "false"], r#""bool""#),
        (&["true", "null"], r#"{"nullable":"bool"}"#),
        (&["\"a\"", "\"\""], r#""string""#),
        (&["1", "-1"], r#""int64""#),
        (&["9223372036854775807", "-9223372036854775808"], r#""int64""#),
        (&["9223372036854775808", "0"], r#""uint64""#),
        (&["9223372036854775808", "-1"], r#""string", "logical": "number""#),
        (&["18446744073709551616"], r#""string", "logical": "number""#),
        (&["0.1", "1.0", "1e5"], r#""float64""#),
        (&["1", "0.5"], r#""float64", "logical": "number""#),
        (&["9007199254740992", "0.5"], r#""float64", "logical": "number""#),
        (&["-0"], r#""float64", "logical": "number""#),
        (&["-0", "1", "0.5"], r#""float64", "logical": "number""#),
        (&["-0", "1.0"], r#""string", "logical": "number""#),
        (&["0.12345678901234567890123", "1"], r#""string", "logical": "number""#),
        (&["1e400", "1.0"], r#""string", "logical": "number""#),
        (&["1e400", "null"], r#"{"nullable":{"logical":"number","scalar":"string"}}"#),
    ] {
        assert_eq!(text(samples), expected, "{samples:?}");
    }
}

#[test]
fn numbers_that_one_type_cannot_tell_apart_become_a_union() {
    let int_and_float =
        [r#"{"number": 1, "name": "int", "type": "int64"}"#, r#"{"number": 2, "name": "float", "type": "float64"}"#];
    for samples in [&["1", "1.0"][..], &["1", "0.5", "2.0"], &["9007199254740993", "0.5"]] {
        assert_eq!(branches(samples), int_and_float, "{samples:?}");
    }
    assert_eq!(branches(&["1.0", "18446744073709551615"])[1], r#"{"number": 2, "name": "int", "type": "uint64"}"#);
}

#[test]
fn texts_with_a_meaning() {
    let uuid = r#""157ae52a-e77a-56c9-bce7-1025260eb7b2""#;
    for (samples, noted, stored) in [
        (&[uuid][..], r#""string", "logical": "uuid""#, r#"{"fixed":16,"logical":"uuid"}"#),
        (&[uuid, r#""157AE52A-E77A-56C9-BCE7-1025260EB7B2""#], r#""string""#, r#""string""#),
        (
            &[uuid, "null"],
            r#"{"nullable":{"logical":"uuid","scalar":"string"}}"#,
            r#"{"nullable":{"fixed":16,"logical":"uuid"}}"#,
        ),
        (
            &[r#""2026-11-21T02:17:26Z""#],
            r#""string", "logical": "timestamp-seconds""#,
            r#""int64", "logical": "timestamp-seconds""#,
        ),
        (
            &[r#""2026-11-21T02:17:26.001Z""#],
            r#""string", "logical": "timestamp-millis""#,
            r#""int64", "logical": "timestamp-millis""#,
        ),
        (&[r#""2026-11-21T02:17:26Z""#, r#""2026-11-21T02:17:26.001Z""#], r#""string""#, r#""string""#),
        (&[r#""2026-11-21T02:17:26+01:00""#], r#""string""#, r#""string""#),
        (&[r#""2026-11-21""#], r#""string", "logical": "date""#, r#""int32", "logical": "date""#),
        (&[r#""2026-11-31""#], r#""string""#, r#""string""#),
        (&[r#""q83vEjRWeJCrze8SNFZ4kA==""#], r#""string", "logical": "base64""#, r#""bytes""#),
        // Written with an escape, which types parsed from the text do not take.
        (&[r#""q83v\/jRWeJCrze8SNFZ4kA==""#], r#""string", "logical": "base64""#, r#""string", "logical": "base64""#),
        // Too short, words, a path, hexadecimal digits.
        (&[r#""q83vEjRWeJA=""#], r#""string""#, r#""string""#),
        (&[r#""application/json""#], r#""string""#, r#""string""#),
        (&[r#""Content/Images/Photo1234""#], r#""string""#, r#""string""#),
        (&[r#""d41d8cd98f00b204e9800998ecf8427e""#], r#""string""#, r#""string""#),
    ] {
        assert_eq!(text(samples), noted, "{samples:?}");
        let options = Options { logical: LogicalStyle::Stored, ..Options::default() };
        assert_eq!(field(samples, options), stored, "{samples:?}");
    }
}

#[test]
fn lists() {
    for (samples, expected) in [
        (&["[]"][..], r#"{"list":"null"}"#),
        (&["[]", "[1]"], r#"{"list":"int64"}"#),
        (&["[null]"], r#"{"list":"any"}"#),
        (&["[null, 1]"], r#"{"list":{"nullable":"int64"}}"#),
        (&["[[], [true]]", "null"], r#"{"nullable":{"list":{"list":"bool"}}}"#),
        (&["[{\"a\": 1}]"], r#"{"list":"V"}"#),
    ] {
        assert_eq!(text(samples), expected, "{samples:?}");
    }
}

#[test]
fn kinds_that_differ_become_a_union_in_order_of_appearance() {
    assert_eq!(
        branches(&["[1]", "\"a\"", "{\"x\": 1}", "1", "true", "null"]),
        [
            r#"{"number": 1, "name": "list", "type": {"list":"int64"}}"#,
            r#"{"number": 2, "name": "string", "type": "string"}"#,
            r#"{"number": 3, "name": "record", "type": "VRecord"}"#,
            r#"{"number": 4, "name": "int", "type": "int64"}"#,
            r#"{"number": 5, "name": "bool", "type": "bool"}"#,
        ]
    );
}

#[test]
fn objects_with_data_for_names_become_maps() {
    let words: String = (0..200).map(|i| format!(",\"word{i}\": {i}")).collect();
    let words = format!("{{{}}}", &words[1..]);
    for (samples, expected) in [
        (&[r#"{"337100890": "a"}"#][..], r#"{"map":"string"}"#),
        (&[r#"{"1": {"a": 1}, "2": {"a": 2, "b": 3}, "3": {"a": null}}"#], r#"{"map":"V"}"#),
        (&[r#"{"2026-11-21": [1], "2026-11-22": []}"#], r#"{"map":{"list":"int64"}}"#),
        (&[r#"{"2026-11-21": {"7": true}, "2026-11-22": {"8": false}}"#], r#"{"map":{"map":"bool"}}"#),
        (&[r#"{"/users": {"get": 1}, "/users/{id}": {"get": 2}}"#], r#"{"map":"V"}"#),
        // Names of things, but values of different shapes.
        (&[r#"{"1": "a", "2": [1]}"#], r#""V""#),
        // Names of properties.
        (&[r#"{"x": 1, "y": 2}"#], r#""V""#),
        (&["{}"], r#""V""#),
        (&["{}", r#"{"x": 1}"#], r#""V""#),
        // No record has such names.
        (&[r#"{"": 1}"#], r#"{"map":"int64"}"#),
        (&[r#"{"": 1, "a": "x"}"#], r#"{"map":"V"}"#),
        (&[&*words], r#"{"map":"int64"}"#),
    ] {
        assert_eq!(text(samples), expected, "{samples:?}");
    }
    let rare: Vec<String> = (0..40).map(|i| format!("{{\"word{i}\": 1, \"word{}\": 2}}", i + 1)).collect();
    let rare: Vec<&str> = rare.iter().map(String::as_str).collect();
    assert_eq!(text(&rare), r#"{"map":"int64"}"#);
}

/// Checks the whole schema file.
fn check(samples: &[&str], expected: &str) {
    let schema = infer(samples, Options::default());
    assert_exact(&schema, samples, "");
    assert_eq!(schema.to_text(), Schema::parse(expected).unwrap().to_text());
}

#[test]
fn fields_that_are_missing_somewhere_are_optional() {
    check(
        &[r#"{"a": 1, "b": null}"#, r#"{"c": true, "a": 2}"#],
        r#"{"wirewise": "schema/1", "root": "Root", "types": [
            {"record": "Root", "fields": [
                {"number": 1, "name": "a", "type": "int64"},
                {"number": 2, "name": "b", "type": "null", "presence": "optional"},
                {"number": 3, "name": "c", "type": "bool", "presence": "optional"}]}]}"#,
    );
}

#[test]
fn types_are_named_after_their_fields() {
    check(
        &[r#"{"home_address": {"geo": {"lat": 0.5}}, "addresses": [{"geo": {"alt": 1}}], "名前": {"x": 1},
             "stats": {"a": {"geo": {"z": true}}}, "children": [{"y": 1}]}"#],
        r#"{"wirewise": "schema/1", "root": "Root", "types": [
            {"record": "Root", "fields": [
                {"number": 1, "name": "home_address", "type": "HomeAddress"},
                {"number": 2, "name": "addresses", "type": {"list": "Address"}},
                {"number": 3, "name": "名前", "type": "RootField3"},
                {"number": 4, "name": "stats", "type": "Stats"},
                {"number": 5, "name": "children", "type": {"list": "Child"}}]},
            {"record": "HomeAddress", "fields": [{"number": 1, "name": "geo", "type": "Geo"}]},
            {"record": "RootField3", "fields": [{"number": 1, "name": "x", "type": "int64"}]},
            {"record": "Stats", "fields": [{"number": 1, "name": "a", "type": "A"}]},
            {"record": "Geo", "fields": [{"number": 1, "name": "lat", "type": "float64"}]},
            {"record": "Address", "fields": [{"number": 1, "name": "geo", "type": "AddressGeo"}]},
            {"record": "A", "fields": [{"number": 1, "name": "geo", "type": "AGeo"}]},
            {"record": "Child", "fields": [{"number": 1, "name": "y", "type": "int64"}]},
            {"record": "AddressGeo", "fields": [{"number": 1, "name": "alt", "type": "int64"}]},
            {"record": "AGeo", "fields": [{"number": 1, "name": "z", "type": "bool"}]}]}"#,
    );
}

#[test]
fn trees_become_recursive_types() {
    let tree =
        r#"{"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}, {"name": "d", "children": []}]}"#;
    let recursive = |more: &str| {
        format!(
            r#"{{"wirewise": "schema/1", "root": "Root", "types": [
                {{"record": "Root", "fields": [
                    {{"number": 1, "name": "name", "type": "string"}},
                    {more}
                    {{"number": 2, "name": "children", "type": {{"list": "Root"}}, "presence": "optional"}}]}}]}}"#
        )
    };
    check(&[tree], &recursive(""));
    // Two levels could be an accident.
    check(
        &[r#"{"name": "a", "children": [{"name": "b"}]}"#],
        r#"{"wirewise": "schema/1", "root": "Root", "types": [
            {"record": "Root", "fields": [
                {"number": 1, "name": "name", "type": "string"},
                {"number": 2, "name": "children", "type": {"list": "Child"}}]},
            {"record": "Child", "fields": [{"number": 1, "name": "name", "type": "string"}]}]}"#,
    );
    check(
        &[
            r#"{"key": 5, "left": {"key": 3, "left": {"key": 1}, "right": {"key": 4}}, "right": {"key": 8, "right": null}}"#,
        ],
        r#"{"wirewise": "schema/1", "root": "Root", "types": [
            {"record": "Root", "fields": [
                {"number": 1, "name": "key", "type": "int64"},
                {"number": 2, "name": "left", "type": "Root", "presence": "optional"},
                {"number": 3, "name": "right", "type": {"nullable": "Root"}, "presence": "optional"}]}]}"#,
    );
    // Below something else, and through a longer path.
    let inner = r#"{"id": 1, "data": {"kind": "t", "replies": [{"id": 2, "data": {"kind": "t", "replies":
        [{"id": 3, "data": {"kind": "t", "replies": []}}]}}]}}"#;
    check(
        &[&format!("{{\"post\": {inner}}}")],
        r#"{"wirewise": "schema/1", "root": "Root", "types": [
            {"record": "Root", "fields": [{"number": 1, "name": "post", "type": "Post"}]},
            {"record": "Post", "fields": [
                {"number": 1, "name": "id", "type": "int64"},
                {"number": 2, "name": "data", "type": "Data"}]},
            {"record": "Data", "fields": [
                {"number": 1, "name": "kind", "type": "string"},
                {"number": 2, "name": "replies", "type": {"list": "Post"}}]}]}"#,
    );
}

#[test]
fn roots_of_every_kind() {
    let root = |sample: &str| {
        let schema = infer(&[sample], Options::default());
        assert_exact(&schema, &[sample], "");
        schema.describe(schema.root())
    };
    assert_eq!(root("1"), "int64");
    assert_eq!(root("null"), "null");
    assert_eq!(root("[[1, 2]]"), "list of list of int64");
    assert_eq!(root("{}"), "Root");
    assert_eq!(root(r#"{"1": 2}"#), "map of int64");
    let error = Inference::new(Options::default()).finish("Root").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Data);
}

#[test]
fn errors_say_where_and_leave_everything_as_it_was() {
    let mut inference = Inference::new(Options::default());
    let error = inference.add_all(b"{\"a\": 1}\n{\"a\": tru}\n").unwrap_err();
    assert_eq!(error.to_string(), "expected true, at byte 18, in $.a");
    let error = inference.add_all(br#"[{"a": 1}, {"a": 1, "a": 2}]"#).unwrap_err();
    assert_eq!(error.to_string(), "the object has the name \"a\" twice, at byte 20, in $[1]");
    assert_eq!(inference.samples(), 2);
    inference.finish("Root").unwrap();
}

#[test]
fn hostile_samples_stay_small() {
    // Every object has other names, of all lengths, with values of all kinds.
    let options = Options { max_places: 500, max_fields: 50, ..Options::default() };
    let mut samples = Vec::new();
    for i in 0..3000 {
        samples
            .push(format!(r#"{{"n{i}": {{"m{i}": [{{"o{i}": {i}}}, "x", null]}}, "{}": 1.5}}"#, "k".repeat(i % 400)));
    }
    let schema = infer(&samples, options);
    assert_exact(&schema, &samples, "");
    assert!(schema.types().len() < 200, "{}", schema.to_text());

    // As deep as messages may be, in every way.
    let limits = Limits { depth: 120, ..Limits::default() };
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"1\":", "}]"), ("{\"a\":1,\"b\":", "}")] {
        let depth = 110 / open.matches(['[', '{']).count();
        let deep = [format!("{}null{}", open.repeat(depth), close.repeat(depth))];
        for max_depth in [0, 7, 128] {
            let schema = infer(&deep, Options { limits, max_depth, ..Options::default() });
            assert_exact(&schema, &deep, "");
        }
    }
}

#[test]
fn what_nests_too_deep_is_any() {
    let options = Options { max_depth: 2, ..Options::default() };
    let schema = infer(&[r#"{"a": {"b": [1]}, "c": [2]}"#], options);
    let expected = r#"{"wirewise": "schema/1", "root": "Root", "types": [
        {"record": "Root", "fields": [
            {"number": 1, "name": "a", "type": "A"}, {"number": 2, "name": "c", "type": {"list": "int64"}}]},
        {"record": "A", "fields": [{"number": 1, "name": "b", "type": "any"}]}]}"#;
    assert_eq!(schema.to_text(), Schema::parse(expected).unwrap().to_text());
}
