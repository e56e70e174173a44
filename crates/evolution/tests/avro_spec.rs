//! Avro's specification, version 1.12.0: every sentence of its section "Schema Resolution", and what other sections say
//! about it, as a pair of schemas with the verdicts in both directions.

use std::collections::BTreeSet;

use wirewise_evolution::{Direction, Level, Mode, Options, Version, check, find};
use wirewise_idl::{MemoryFiles, Source};

fn version(name: &str, avsc: &str) -> Version {
    let source = Source::new(&format!("{name}.avsc"), avsc.as_bytes().to_vec());
    let module = wirewise_idl::read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{avsc}: {error}"));
    Version { name: name.to_owned(), module, source: Some(source) }
}

/// The rules that are broken in each direction; every finding on the wire must be shown by a message.
fn broken(old: &str, new: &str, level: Level) -> [Vec<&'static str>; 2] {
    let options = Options { mode: Mode::Full, level, type_name: None };
    let verdict = check(find("avro").unwrap(), &[version("old", old)], &version("new", new), &options).unwrap();
    for finding in verdict.findings.iter().filter(|finding| finding.rule.level == Level::Wire) {
        assert!(finding.witness.is_some(), "{old} {new}: {finding:#?}");
    }
    [Direction::Backward, Direction::Forward].map(|direction| {
        let of =
            verdict.findings.iter().filter(|finding| finding.direction == direction && finding.rule.level == level);
        of.map(|finding| finding.rule.name).collect::<BTreeSet<_>>().into_iter().collect()
    })
}

/// A sentence, the old and the new schema, and what breaks where the new one reads the old one's messages, and where
/// the old one reads the new one's.
type Row = (&'static str, String, String, &'static [&'static str], &'static [&'static str]);

fn record(fields: &str) -> String {
    format!(r#"{{"type": "record", "name": "R", "fields": [{fields}]}}"#)
}

/// A record with the one field `f`.
fn field(ty: &str) -> String {
    record(&format!(r#"{{"name": "f", "type": {ty}}}"#))
}

fn named(name: &str, rest: &str) -> String {
    field(&format!(r#"{{"name": "{name}", {rest}}}"#))
}

const NONE: &[&str] = &[];
const TYPE: &[&str] = &["type"];
const NAME: &[&str] = &["type-name"];
const SIZE: &[&str] = &["fixed-size"];
const TEXT: &[&str] = &["bytes-as-string"];
const SYMBOL: &[&str] = &["enum-symbol"];
const BRANCH: &[&str] = &["union-branch"];
const NULL: &[&str] = &["null"];
const MISSING: &[&str] = &["field-without-default"];

fn check_rows(level: Level, rows: Vec<Row>) {
    for (sentence, old, new, backward, forward) in rows {
        assert_eq!(broken(&old, &new, level), [backward.to_vec(), forward.to_vec()], "{sentence}\n{old}\n{new}");
    }
}

#[test]
fn to_match_one_of_the_following_must_hold() {
    let array = |items: &str| field(&format!(r#"{{"type": "array", "items": {items}}}"#));
    let map = |values: &str| field(&format!(r#"{{"type": "map", "values": {values}}}"#));
    let enumeration = r#""type": "enum", "symbols": ["A"]"#;
    let empty = r#""type": "record", "fields": []"#;
    let fixed = |size: usize| format!(r#""type": "fixed", "size": {size}"#);
    let matching = "It is an error if the two schemas do not match";
    let arrays = "both schemas are arrays whose item types match";
    let maps = "both schemas are maps whose value types match";
    let enums = "both schemas are enums whose (unqualified) names match";
    let fixeds = "both schemas are fixed whose sizes and (unqualified) names match";
    let records = "both schemas are records with the same (unqualified) name";
    let union = "either schema is a union";
    let mut rows: Vec<Row> = vec![
        (matching, field(r#""int""#), field(r#""string""#), TYPE, TYPE),
        (matching, field(r#""int""#), field(r#""boolean""#), TYPE, TYPE),
        (matching, array(r#""int""#), map(r#""int""#), TYPE, TYPE),
        (matching, field(r#""int""#), array(r#""int""#), TYPE, TYPE),
        (matching, field(r#""int""#), named("E", enumeration), TYPE, TYPE),
        (matching, field(r#""bytes""#), named("F", &fixed(4)), TYPE, TYPE),
        (matching, field(r#""string""#), named("E", enumeration), TYPE, TYPE),
        (matching, named("E", enumeration), named("E", empty), TYPE, TYPE),
        (matching, field(r#""null""#), field(r#""int""#), NULL, TYPE),
        (matching, r#""int""#.to_owned(), r#""long""#.to_owned(), NONE, TYPE),
        (matching, r#""int""#.to_owned(), r#""null""#.to_owned(), TYPE, NULL),
        (arrays, array(r#""int""#), array(r#""int""#), NONE, NONE),
        (arrays, array(r#""int""#), array(r#""long""#), NONE, TYPE),
        (arrays, array(r#""int""#), array(r#""string""#), TYPE, TYPE),
        (maps, map(r#""int""#), map(r#""int""#), NONE, NONE),
        (maps, map(r#""int""#), map(r#""double""#), NONE, TYPE),
        (maps, map(r#""int""#), map(r#""boolean""#), TYPE, TYPE),
        (enums, named("E", enumeration), named("E", enumeration), NONE, NONE),
        (enums, named("a.E", enumeration), named("b.E", enumeration), NONE, NONE),
        (enums, named("E", enumeration), named("Other", enumeration), NAME, NAME),
        (fixeds, named("F", &fixed(4)), named("F", &fixed(4)), NONE, NONE),
        (fixeds, named("a.F", &fixed(4)), named("b.F", &fixed(4)), NONE, NONE),
        (fixeds, named("F", &fixed(4)), named("F", &fixed(5)), SIZE, SIZE),
        (fixeds, named("F", &fixed(4)), named("G", &fixed(4)), NAME, NAME),
        (records, named("S", empty), named("S", empty), NONE, NONE),
        (records, named("a.S", empty), named("b.c.S", empty), NONE, NONE),
        (records, named("S", empty), named("T", empty), NAME, NAME),
        (union, field(r#""int""#), field(r#"["int", "string"]"#), NONE, BRANCH),
    ];
    for primitive in ["null", "boolean", "int", "long", "float", "double", "bytes", "string"] {
        let same = field(&format!("\"{primitive}\""));
        rows.push(("both schemas have same primitive type", same.clone(), same, NONE, NONE));
    }
    check_rows(Level::Wire, rows);
}

/// Every pair of primitive types: a promotion, the same, or an error.
#[test]
fn the_writers_schema_may_be_promoted_to_the_readers() {
    let types = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
    let is_promoted = |from: &str, to: &str| match from {
        "int" => matches!(to, "long" | "float" | "double"),
        "long" => matches!(to, "float" | "double"),
        "float" => to == "double",
        "string" => to == "bytes",
        "bytes" => to == "string",
        _ => false,
    };
    let verdict = |from: &str, to: &str| match (from, to) {
        // The schemas match. But not all bytes are a string, and a reader that gets others fails: a message shows it.
        ("bytes", "string") => TEXT,
        _ if from == to || is_promoted(from, to) => NONE,
        ("null", _) => NULL,
        _ => TYPE,
    };
    for from in types {
        for to in types {
            let (old, new) = (field(&format!("\"{from}\"")), field(&format!("\"{to}\"")));
            let expected = [verdict(from, to).to_vec(), verdict(to, from).to_vec()];
            assert_eq!(broken(&old, &new, Level::Wire), expected, "{from} {to}");
        }
    }
}

#[test]
fn if_both_are_records() {
    let (a, b) = (r#"{"name": "a", "type": "int"}"#, r#"{"name": "b", "type": "string"}"#);
    let order = "the ordering of fields may be different: fields are matched by name";
    let recursive = "schemas for fields with the same name in both records are resolved recursively";
    let ignored = "if the writer's record contains a field with a name not present in the reader's record, the writer's value for that field is ignored";
    let default = "if the reader's record schema has a field that contains a default value, and writer's schema does not have a field with the same name, then the reader should use the default value from its field";
    let none = "if the reader's record schema has a field with no default value, and writer's schema does not have a field with the same name, an error is signalled";
    let with = |more: &str| record(&format!("{a}, {more}"));
    let inner =
        |ty: &str| field(&format!(r#"{{"type": "record", "name": "S", "fields": [{{"name": "g", "type": {ty}}}]}}"#));
    let list = |item: &str| {
        record(&format!(
            r#"{{"name": "v", "type": {item}}}, {{"name": "next", "type": ["null", "R"], "default": null}}"#
        ))
    };
    check_rows(
        Level::Wire,
        vec![
            (order, record(&format!("{a}, {b}")), record(&format!("{b}, {a}")), NONE, NONE),
            (recursive, inner(r#""int""#), inner(r#""long""#), NONE, TYPE),
            (recursive, inner(r#""int""#), inner(r#"["null", "int"]"#), NONE, NULL),
            (recursive, list(r#""float""#), list(r#""double""#), NONE, TYPE),
            (ignored, with(b), record(a), NONE, MISSING),
            (default, record(a), with(r#"{"name": "c", "type": "int", "default": 3}"#), NONE, NONE),
            (default, record(a), with(r#"{"name": "c", "type": ["null", "int"], "default": null}"#), NONE, NONE),
            (default, record(a), with(r#"{"name": "c", "type": ["int", "null"], "default": 3}"#), NONE, NONE),
            // 1.12: the default of a union is of any of its branches.
            (default, record(a), with(r#"{"name": "c", "type": ["null", "int"], "default": 3}"#), NONE, NONE),
            (
                default,
                record(a),
                with(r#"{"name": "c", "type": {"type": "array", "items": "int"}, "default": [1, 2]}"#),
                NONE,
                NONE,
            ),
            (
                default,
                record(a),
                with(r#"{"name": "c", "type": {"type": "map", "values": "int"}, "default": {"x": 1}}"#),
                NONE,
                NONE,
            ),
            (
                default,
                record(a),
                with(
                    r#"{"name": "c", "type": {"type": "record", "name": "S", "fields": [{"name": "g", "type": "int"}]}, "default": {"g": 1}}"#,
                ),
                NONE,
                NONE,
            ),
            (none, record(a), with(r#"{"name": "c", "type": "int"}"#), MISSING, NONE),
            (none, record(a), with(r#"{"name": "c", "type": ["null", "int"]}"#), MISSING, NONE),
            (none, record(a), with(r#"{"name": "c", "type": "null"}"#), MISSING, NONE),
            (none, with(b), with(r#"{"name": "B", "type": "string"}"#), MISSING, MISSING),
            // A default that is no value of the type is none.
            (none, record(a), with(r#"{"name": "c", "type": "int", "default": "3"}"#), &["invalid-default"], NONE),
            (none, record(a), with(r#"{"name": "c", "type": "int", "default": null}"#), &["invalid-default"], NONE),
            (
                none,
                record(a),
                with(r#"{"name": "c", "type": {"type": "array", "items": "int"}, "default": [null]}"#),
                &["invalid-default"],
                NONE,
            ),
            (
                none,
                record(a),
                with(
                    r#"{"name": "c", "type": {"type": "record", "name": "S", "fields": [{"name": "g", "type": "int"}]}, "default": {}}"#,
                ),
                &["invalid-default"],
                NONE,
            ),
            // It is not looked at where the writer has the field.
            (
                none,
                with(r#"{"name": "c", "type": "int"}"#),
                with(r#"{"name": "c", "type": "int", "default": "3"}"#),
                NONE,
                NONE,
            ),
        ],
    );
}

#[test]
fn if_both_are_enums() {
    let sentence = "if the writer's symbol is not present in the reader's enum and the reader has a default value, then that value is used, otherwise an error is signalled";
    let e =
        |symbols: &str, more: &str| field(&format!(r#"{{"type": "enum", "name": "E", "symbols": [{symbols}]{more}}}"#));
    let of_field = record(r#"{"name": "f", "type": {"type": "enum", "name": "E", "symbols": ["A"]}, "default": "A"}"#);
    let (one, two) = (e(r#""A""#, ""), e(r#""A", "B""#, ""));
    check_rows(
        Level::Wire,
        vec![
            (sentence, two.clone(), one.clone(), SYMBOL, NONE),
            (sentence, two.clone(), e(r#""A""#, r#", "default": "A""#), NONE, NONE),
            (sentence, two.clone(), of_field, SYMBOL, NONE),
            (sentence, two.clone(), e(r#""A", "C""#, ""), SYMBOL, SYMBOL),
            (sentence, two.clone(), e(r#""B", "A""#, ""), NONE, NONE),
        ],
    );
    // Compatible it is, but the value is another: that is said to those who ask for more than the wire.
    let default = e(r#""A""#, r#", "default": "A""#);
    assert_eq!(broken(&two, &default, Level::Source)[0], ["symbol-as-default", "symbol-removed"]);
    let both = e(r#""A", "B""#, r#", "default": "A""#);
    assert_eq!(broken(&default, &both, Level::Source)[0], ["symbol-as-default"]);
}

#[test]
fn if_both_are_arrays_or_maps() {
    let array = |items: &str| field(&format!(r#"{{"type": "array", "items": {items}}}"#));
    let map = |values: &str| field(&format!(r#"{{"type": "map", "values": {values}}}"#));
    let arrays = "if both are arrays: this resolution algorithm is applied recursively to the reader's and writer's array item schemas";
    let maps =
        "if both are maps: this resolution algorithm is applied recursively to the reader's and writer's value schemas";
    let e = |symbols: &str| format!(r#"{{"type": "enum", "name": "E", "symbols": [{symbols}]}}"#);
    check_rows(
        Level::Wire,
        vec![
            (arrays, array(r#"["null", "int"]"#), array(r#""int""#), NULL, NONE),
            (arrays, array(&e(r#""A", "B""#)), array(&e(r#""A""#)), SYMBOL, NONE),
            (
                arrays,
                array(r#"{"type": "array", "items": "float"}"#),
                array(r#"{"type": "array", "items": "int"}"#),
                TYPE,
                NONE,
            ),
            (maps, map(r#"["null", "int"]"#), map(r#""int""#), NULL, NONE),
            (maps, map(&e(r#""A", "B""#)), map(&e(r#""A""#)), SYMBOL, NONE),
            (
                maps,
                map(r#"{"type": "map", "values": "float"}"#),
                map(r#"{"type": "map", "values": "int"}"#),
                TYPE,
                NONE,
            ),
        ],
    );
}

#[test]
fn if_one_or_both_are_unions() {
    let both = "if both are unions: the first schema in the reader's union that matches the selected writer's union schema is recursively resolved against it; if none match, an error is signalled";
    let reader = "if reader's is a union, but writer's is not: the first schema in the reader's union that matches the writer's schema is recursively resolved against it; if none match, an error is signalled";
    let writer = "if writer's is a union, but reader's is not: if the reader's schema matches the selected writer's schema, it is recursively resolved against it; if they do not match, an error is signalled";
    let s = |ty: &str| format!(r#"{{"type": "record", "name": "S", "fields": [{{"name": "g", "type": {ty}}}]}}"#);
    let t = r#"{"type": "record", "name": "T", "fields": []}"#;
    check_rows(
        Level::Wire,
        vec![
            (both, field(r#"["null", "int"]"#), field(r#"["int", "null"]"#), NONE, NONE),
            (both, field(r#"["int", "string"]"#), field(r#"["string", "long"]"#), NONE, BRANCH),
            (both, field(r#"["int", "string"]"#), field(r#"["int", "string", "null"]"#), NONE, NULL),
            (both, field(r#"["int", "boolean"]"#), field(r#"["int", "string"]"#), BRANCH, BRANCH),
            (both, field(r#"["null", "int"]"#), field(r#"["null", "string"]"#), TYPE, TYPE),
            (
                both,
                field(&format!("[{}, {t}]", s(r#""int""#))),
                field(&format!("[{t}, {}]", s(r#""long""#))),
                NONE,
                TYPE,
            ),
            (both, field(&format!("[{}, {t}]", s(r#""int""#))), field(&format!(r#"["string", {t}]"#)), BRANCH, BRANCH),
            (reader, field(r#""int""#), field(r#"["null", "int"]"#), NONE, NULL),
            (reader, field(r#""int""#), field(r#"["string", "double"]"#), NONE, BRANCH),
            (reader, field(r#""boolean""#), field(r#"["string", "double"]"#), BRANCH, BRANCH),
            (reader, field(r#""null""#), field(r#"["null", "int"]"#), NONE, TYPE),
            (
                reader,
                field(&s(r#""int""#)),
                field(&format!(r#"["null", {}]"#, s(r#""double""#))),
                NONE,
                &["null", "type"],
            ),
            (writer, field(r#"["null", "int"]"#), field(r#""long""#), NULL, TYPE),
            // A double is read as neither an int nor a long.
            (writer, field(r#"["int", "long"]"#), field(r#""double""#), NONE, BRANCH),
            (writer, field(r#"["int", "string"]"#), field(r#""int""#), BRANCH, NONE),
        ],
    );
}

#[test]
fn what_else_is_said_about_resolution() {
    let docs = "a schema's doc fields are ignored for the purposes of schema resolution";
    let aliases = "named types and fields may have aliases: a writer's schema is rewritten using aliases from the reader's schema";
    let decimals = "two schemas that are decimal logical types match if their scales and precisions match";
    let logical =
        "implementations must ignore unknown logical types when reading, and should use the underlying Avro type";
    let decimal = |precision: usize, scale: usize| {
        field(&format!(r#"{{"type": "bytes", "logicalType": "decimal", "precision": {precision}, "scale": {scale}}}"#))
    };
    let long = |logical: &str| field(&format!(r#"{{"type": "long", "logicalType": "{logical}"}}"#));
    let old = r#"{"type": "record", "name": "Old", "fields": [{"name": "a", "type": "int"}]}"#.to_owned();
    let new = r#"{"type": "record", "name": "New", "aliases": ["Old"], "fields": [{"name": "b", "aliases": ["a"], "type": "int"}]}"#.to_owned();
    check_rows(
        Level::Wire,
        vec![
            (
                docs,
                record(r#"{"name": "f", "type": "int", "doc": "x"}"#),
                record(r#"{"name": "f", "type": "int"}"#),
                NONE,
                NONE,
            ),
            (aliases, old, new, NONE, &["field-without-default", "type-name"]),
            (
                aliases,
                record(r#"{"name": "a", "type": "int"}, {"name": "b", "type": "int"}"#),
                // An alias takes no field that has its own name.
                record(r#"{"name": "b", "type": "int"}, {"name": "c", "type": "int", "aliases": ["b"]}"#),
                MISSING,
                MISSING,
            ),
            (
                aliases,
                named("E", r#""type": "enum", "symbols": ["A"]"#),
                named("G", r#""aliases": ["E"], "type": "enum", "symbols": ["A"]"#),
                NONE,
                NAME,
            ),
            (
                aliases,
                named("F", r#""type": "fixed", "size": 2"#),
                named("G", r#""aliases": ["x.F"], "type": "fixed", "size": 2"#),
                NONE,
                NAME,
            ),
            (decimals, decimal(9, 2), decimal(9, 2), NONE, NONE),
            (decimals, decimal(9, 2), decimal(9, 3), &["decimal"], &["decimal"]),
            (decimals, decimal(9, 2), decimal(10, 2), &["decimal"], &["decimal"]),
            (decimals, decimal(9, 2), field(r#""bytes""#), NONE, NONE),
            (logical, long("timestamp-millis"), field(r#""long""#), NONE, NONE),
            (logical, long("timestamp-millis"), long("timestamp-micros"), NONE, NONE),
            (logical, long("of-ours"), field(r#""long""#), NONE, NONE),
        ],
    );
    // What changes the meaning, and no byte, is said on another level.
    assert_eq!(broken(&long("timestamp-millis"), &long("timestamp-micros"), Level::Source)[0], ["logical-type"]);
    assert_eq!(broken(&decimal(9, 2), &field(r#""bytes""#), Level::Source)[0], ["logical-type"]);
}

#[test]
fn names_and_defaults_are_about_source_code() {
    let a = |more: &str| record(&format!(r#"{{"name": "a", "type": "int"{more}}}"#));
    let rows: Vec<Row> = vec![
        ("docs", a(r#", "doc": "x""#), a(r#", "doc": "y""#), NONE, NONE),
        ("custom", a(r#", "x": 1"#), a(r#", "x": 2"#), NONE, NONE),
        ("order", a(r#", "order": "ignore""#), a(""), NONE, NONE),
        ("a default comes", a(""), a(r#", "default": 1"#), NONE, NONE),
        ("a default goes", a(r#", "default": 1"#), a(""), &["default-removed"], NONE),
        ("a default changes", a(r#", "default": 1"#), a(r#", "default": 2"#), &["default-changed"], NONE),
        ("an alias comes", a(""), a(r#", "aliases": ["b"]"#), NONE, NONE),
        ("an alias goes", a(r#", "aliases": ["b"]"#), a(""), &["alias-removed"], NONE),
        ("null comes", a(""), record(r#"{"name": "a", "type": ["null", "int"]}"#), &["field-type-name"], NONE),
        ("a namespace changes", a(""), a("").replace(r#""name": "R""#, r#""name": "x.R""#), &["type-renamed"], NONE),
    ];
    check_rows(Level::Source, rows);
}

/// Hostile sizes: nothing is quadratic that need not be.
///
/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn large_schemas_end() {
    let names = |prefix: &str, count: usize| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let symbols = |count: usize| {
        let symbols: Vec<String> = names("S", count).iter().map(|name| format!("{name:?}")).collect();
        field(&format!(r#"{{"type": "enum", "name": "E", "symbols": [{}]}}"#, symbols.join(", ")))
    };
    let branches = |count: usize| {
        let branches = names("B", count);
        let branches: Vec<String> =
            branches.iter().map(|name| format!(r#"{{"type": "record", "name": "{name}", "fields": []}}"#)).collect();
        field(&format!("[{}]", branches.join(", ")))
    };
    // Each renamed field is looked for among all aliases: more of them would take long.
    let fields = |renamed: bool| {
        let field = |i: usize| match renamed {
            true => format!(r#"{{"name": "new{i}", "type": "int", "aliases": ["old{i}"], "default": 1}}"#),
            false => format!(r#"{{"name": "old{i}", "type": "int", "default": 1}}"#),
        };
        record(&(0..3000).map(field).collect::<Vec<_>>().join(", "))
    };
    assert_eq!(broken(&symbols(300_000), &symbols(299_999), Level::Wire), [SYMBOL.to_vec(), NONE.to_vec()]);
    assert_eq!(broken(&branches(10_000), &branches(9_999), Level::Wire), [BRANCH.to_vec(), NONE.to_vec()]);
    assert_eq!(broken(&fields(false), &fields(true), Level::Wire), [NONE.to_vec(), NONE.to_vec()]);
}
