use wirewise_core::{Kind, Schema};
use wirewise_testkit::random::Rng;

use super::*;
use crate::{Element, MemoryFiles};

fn read(text: &str) -> Result<Module> {
    JsonSchema.read(&Source::new("a.json", text), &MemoryFiles::none())
}

fn schema(text: &str) -> Schema {
    read(text).unwrap_or_else(|error| panic!("{error}\n{text}")).schema
}

/// The type of a schema, as schema files write it.
fn ty(text: &str) -> String {
    let schema = schema(text);
    schema.type_json(schema.root()).to_string()
}

fn written(schema: &Schema) -> String {
    String::from_utf8(JsonSchema.write(&Module::of(schema.clone())).unwrap().bytes).unwrap()
}

#[test]
fn types_of_scalars() {
    for (json, expected) in [
        (r#"{"type": "null"}"#, r#""null""#),
        (r#"{"type": "boolean"}"#, r#""bool""#),
        (r#"{"type": "integer"}"#, r#""int64""#),
        (r#"{"type": "integer", "format": "int32"}"#, r#""int32""#),
        (r#"{"type": "integer", "minimum": 0, "maximum": 255}"#, r#""uint8""#),
        (r#"{"type": "integer", "minimum": 0, "maximum": 18446744073709551615}"#, r#""uint64""#),
        (r#"{"type": "integer", "minimum": -128.0, "maximum": 127}"#, r#""int8""#),
        (r#"{"type": "integer", "minimum": 0}"#, r#"{"notes":{"json-schema.minimum":"0"},"scalar":"int64"}"#),
        (r#"{"type": "number"}"#, r#"{"logical":"number","scalar":"float64"}"#),
        (r#"{"type": "number", "format": "double"}"#, r#""float64""#),
        (r#"{"type": "number", "format": "float"}"#, r#""float32""#),
        (r#"{"type": ["integer", "number"]}"#, r#"{"logical":"number","scalar":"float64"}"#),
        (r#"{"type": "string"}"#, r#""string""#),
        (r#"{"type": "string", "format": "uuid"}"#, r#"{"logical":"uuid","scalar":"string"}"#),
        (r#"{"format": "date"}"#, r#"{"logical":"date","scalar":"string"}"#),
        (r#"{"type": "string", "format": "date-time"}"#, r#"{"logical":"timestamp-millis","scalar":"string"}"#),
        (r#"{"type": "string", "contentEncoding": "base64"}"#, r#""bytes""#),
        (r#"{"type": "string", "format": "byte"}"#, r#""bytes""#),
        (
            r#"{"type": "string", "contentEncoding": "base16"}"#,
            r#"{"notes":{"json-schema.contentEncoding":"base16"},"scalar":"string"}"#,
        ),
        (r#"{"type": ["string", "null"]}"#, r#"{"nullable":"string"}"#),
        (
            r#"{"anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "boolean"}}]}"#,
            r#"{"nullable":{"list":"bool"}}"#,
        ),
        (r#"{"type": "string", "nullable": true}"#, r#"{"nullable":"string"}"#),
        (r#"{"items": {}}"#, r#"{"list":"any"}"#),
        (r#"{"type": "object"}"#, r#"{"map":"any"}"#),
        (r#"{"additionalProperties": {"type": "integer"}}"#, r#"{"map":"int64"}"#),
        (
            r#"{"type": "object", "patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false}"#,
            r#"{"map":"string","notes":{"json-schema.additionalProperties":"false","json-schema.patternProperties":"{\"^x\":{\"type\":\"string\"}}"}}"#,
        ),
        ("true", r#""any""#),
        ("{}", r#""any""#),
        (r#"{"not": {"type": "string"}}"#, r#"{"notes":{"json-schema.not":"{\"type\":\"string\"}"},"scalar":"any"}"#),
        (r#"{"const": 5}"#, r#"{"notes":{"json-schema.const":"5"},"scalar":"int64"}"#),
        (r#"{"const": null}"#, r#"{"notes":{"json-schema.const":"null"},"scalar":"null"}"#),
        (
            r#"{"anyOf": [{"type": "string", "format": "uuid"}, {"type": "string", "format": "uuid", "minLength": 1}]}"#,
            r#"{"logical":"uuid","notes":{"json-schema.anyOf":"[{\"type\":\"string\",\"format\":\"uuid\"},{\"type\":\"string\",\"format\":\"uuid\",\"minLength\":1}]"},"scalar":"string"}"#,
        ),
        (r#"{"allOf": [{"type": "integer"}, {"minimum": 0}, {"maximum": 255}]}"#, r#""uint8""#),
        (
            r#"{"prefixItems": [{"type": "string"}, {"type": "string"}], "items": {"type": "string"}}"#,
            r#"{"list":"string","notes":{"json-schema.items":"{\"type\":\"string\"}","json-schema.prefixItems":"[{\"type\":\"string\"},{\"type\":\"string\"}]"}}"#,
        ),
    ] {
        assert_eq!(ty(json), expected, "{json}");
        let schema = schema(json);
        let again = written(&schema);
        assert_eq!(read(&again).unwrap().schema.to_text(), schema.to_text(), "{json}\n{again}");
    }
}

#[test]
fn errors_say_where() {
    for (json, error) in [
        ("", "a.json:1:1: found the end of the file, expected a JSON value"),
        ("[]", "a.json:1:1: found an empty array, expected a schema: an object, true or false"),
        ("false", "a.json:1:1: no value can satisfy this schema"),
        (r#"{"type": "strng"}"#, r#"a.json:1:10: found "strng", expected one of null, boolean, integer"#),
        (r#"{"type": []}"#, "a.json:1:10: found an empty array, expected one of"),
        (r#"{"enum": []}"#, "a.json:1:10: found an empty array, expected an array of at least one value"),
        (r#"{"enum": ["a", "a"]}"#, r#"a.json:1:16: the enum has "a" twice"#),
        (r#"{"anyOf": []}"#, "a.json:1:11: found an empty array, expected an array of schemas"),
        (r#"{"type": "string", "pattern": 5}"#, r#"a.json:1:31: found 5, expected a string: the value of "pattern""#),
        (r#"{"type": "string", "minLength": -1}"#, "a.json:1:33: found -1, expected a number of 0 or more"),
        (r#"{"properties": []}"#, "a.json:1:16: found an array, expected an object of properties"),
        (r#"{"properties": {"a": 1}}"#, "a.json:1:22: found 1, expected a schema"),
        (r#"{"properties": {}, "required": [1]}"#, "a.json:1:33: found a number, expected the name of a property"),
        (r##"{"$ref": "#/$defs/A"}"##, r##"a.json:1:10: "#/$defs/A" leads nowhere: there is no "$defs""##),
        (r##"{"$ref": "#a"}"##, r#"a.json:1:10: there is no anchor "a""#),
        (r#"{"$ref": "b.json"}"#, r#"a.json:1:10: there is no schema "b.json"; looked among the given files"#),
        (r#"{"$ref": 1}"#, "a.json:1:10: found 1, expected a reference: a string"),
        (r##"{"$ref": "#"}"##, "a.json:1:1: this schema refers only to itself"),
        (r##"{"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}"##, "a.json:1:3"),
        (
            r##"{"$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}}}"##,
            "a.json:1:17: this schema leads",
        ),
        (r#"{"allOf": [{"type": "string"}, {"type": "object"}]}"#, "a.json:1:1: no value can satisfy this schema"),
        (r##"{"properties": {"a": {"$ref": "#"}}, "required": ["a"]}"##, "a.json:1:17: record A must contain itself"),
        (
            r##"{"$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}, "$ref": "#/$defs/A"}"##,
            "a.json: a list, map",
        ),
        (
            r#"{"$schema": "http://json-schema.org/draft-04/schema#"}"#,
            "a.json:1:13: \"http://json-schema.org/draft-04/schema#\" is too old",
        ),
        (r#"{"x-wirewise": {"numbr": 1}}"#, "a.json:1:26: unknown member \"numbr\" of x-wirewise"),
        (r#"{"x-wirewise": {"type": {"list": "nope"}}}"#, "a.json:1:34: there is no type \"nope\""),
        (
            r#"{"properties": {"a": {"x-wirewise": {"number": 1}}, "b": {"x-wirewise": {"number": 1}}}}"#,
            "a.json:1:53: field \"b\"",
        ),
    ] {
        let found = read(json).map(|module| module.schema.to_text()).unwrap_err().to_string();
        assert!(found.starts_with(error), "{json}\n{found}\n{error}");
    }
}

#[test]
fn other_files_are_read() {
    let mut files = MemoryFiles::none();
    files
        .add("s/b.json", r##"{"$id": "https://x.org/s/b.json", "title": "the b", "type": "object", "properties": {"c": {"$ref": "sub/c.json#/definitions/C"}}, "$defs": {"unused": {"type": "object", "properties": {}}}}"##)
        .add("s/sub/c.json", r##"{"definitions": {"C": {"type": "object", "properties": {"b": {"$ref": "../b.json"}, "d": {"$ref": "#x"}}}, "d": {"$anchor": "x", "enum": ["y"]}}}"##);
    let text = r##"{"$id": "https://x.org/s/a.json", "type": "object", "properties": {"b": {"$ref": "b.json"}, "c": {"$ref": "https://x.org/s/sub/c.json#/definitions/Flag"}}}"##;
    // The absolute reference is found as a file of that name beside the one that has it.
    files.add("s/c.json", r#"{"definitions": {"Flag": {"type": "boolean"}}}"#);
    let module = JsonSchema.read(&Source::new("s/a.json", text), &files).unwrap();
    let names: Vec<_> = module.schema.named_types().filter_map(|id| module.schema.name(id)).collect();
    assert_eq!(names, ["A", "TheB", "C", "d"]);
    let c = module.schema.named("C").unwrap();
    assert_eq!(module.places.get(Element::Field(c, 1)).unwrap().to_string(), "s/sub/c.json:1:85");
    let Kind::Record(record) = module.schema.kind(module.schema.root()) else { unreachable!() };
    assert_eq!(*module.schema.kind(record.fields[1].ty), Kind::Bool);
    let text = written(&module.schema);
    assert_eq!(read(&text).unwrap().schema.to_text(), module.schema.to_text());

    // An error is in the file that has it.
    files.add("s/b.json", r#"{"type": "nope"}"#);
    let error = JsonSchema.read(&Source::new("s/a.json", text_of_a()), &files).unwrap_err();
    assert!(error.to_string().starts_with("s/b.json:1:10: found \"nope\""), "{error}");
}

fn text_of_a() -> &'static str {
    r#"{"properties": {"b": {"$ref": "b.json"}}}"#
}

#[test]
fn a_library_of_definitions_has_no_root() {
    let module = read(r#"{"$defs": {"A": {"properties": {}}, "B": {"enum": ["x"]}}}"#).unwrap();
    assert_eq!(module.root, None);
    assert_eq!(module.schema.name(module.schema.root()), Some("A"));
    let text = String::from_utf8(JsonSchema.write(&module).unwrap().bytes).unwrap();
    assert!(!text.contains("\"$ref\""), "{text}");
    assert_eq!(read(&text).unwrap().root, None);
}

#[test]
fn drafts() {
    let schema = schema(
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/A"}},
            "definitions": {"A": {"$id": "#a", "properties": {"t": {"items": [{"type": "string"}], "additionalItems": false}}}}}"##,
    );
    let text = written(&schema);
    assert!(
        text.contains("draft-07") && text.contains("\"#/definitions/A\"") && text.contains("additionalItems"),
        "{text}"
    );
    assert_eq!(read(&text).unwrap().schema.to_text(), schema.to_text());
    // There the neighbours of a reference mean nothing.
    let module = read(
        r##"{"$schema": "http://json-schema.org/draft-07/schema", "properties": {"a": {"$ref": "#/definitions/A", "minLength": 3}},
            "definitions": {"A": {"type": "string"}}}"##,
    );
    let module = module.unwrap();
    assert_eq!(module.notices, ["a.json:1:116: \"minLength\" beside \"$ref\" means nothing in draft-07"]);
}

#[test]
fn numbers_follow_the_order_of_properties() {
    let schema = schema(
        r##"{"x-wirewise": {"notes": {"a": "b"}}, "$ref": "#/$defs/R", "$defs": {"R": {
            "properties": {"z": {}, "a": {"x-wirewise": {"number": 1}}, "m": {}, "n": {}},
            "x-wirewise": {"reserved_numbers": [[3, 5]], "reserved_names": ["old"]}}}}"##,
    );
    let Kind::Record(record) = schema.kind(schema.root()) else { unreachable!() };
    let numbers: Vec<_> = record.fields.iter().map(|field| (field.name.as_str(), field.number)).collect();
    assert_eq!(numbers, [("z", 2), ("a", 1), ("m", 6), ("n", 7)]);
    assert_eq!(schema.notes().get("a"), Some("b"));
}

#[test]
fn what_is_not_modelled_is_told() {
    for (json, notice) in [
        (r#"{"anyOf": [{"type": "string"}, {}]}"#, "a.json:1:1: one alternative allows any value"),
        (r#"{"prefixItems": [{"type": "string"}, {"type": "integer"}]}"#, "a.json:1:1: the elements of a tuple"),
        (
            r#"{"anyOf": [{"properties": {"a": {}}}, {"type": "object"}]}"#,
            "a.json:1:1: some alternatives have properties",
        ),
        (
            r#"{"properties": {"a": {}}, "additionalProperties": {"type": "string"}}"#,
            "a.json:1:1: properties that are not named",
        ),
        (r#"{"properties": {"a": {}}, "then": {"properties": {"b": {}}}}"#, "a.json:1:35: properties that depend"),
        (r#"{"$defs": {"A": {"type": "string"}}, "type": "boolean"}"#, "the definition \"A\" is of no named type"),
    ] {
        let notices = read(json).unwrap().notices;
        assert!(notices.len() == 1 && notices[0].starts_with(notice), "{json}: {notices:?}");
    }
}

/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn hostile_files_end() {
    let many = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(",");
    // Types that nest.
    let nested = format!("{}{{}}{}", r#"{"items":"#.repeat(100), "}".repeat(100));
    assert!(read(&nested).unwrap_err().to_string().contains("nest deeper than 64"));
    assert!(read(&r#"{"items":"#.repeat(1_000_000)).is_err());
    // A chain of references, and one of properties.
    let chain = many(300_000, &|i| format!(r##""d{i}": {{"$ref": "#/$defs/d{}"}}"##, i + 1));
    let text = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{chain}, "d300000": {{"enum": ["a"]}}}}}}"##);
    assert_eq!(schema(&text).named_types().count(), 1);
    let chain = many(100_000, &|i| format!(r##""d{i}": {{"properties": {{"a": {{"$ref": "#/$defs/d{}"}}}}}}"##, i + 1));
    let text = format!(r##"{{"$defs": {{{chain}, "d100000": {{"type": "string"}}}}}}"##);
    assert_eq!(schema(&text).named_types().count(), 100_000);
    // Alternatives that double at every step.
    let double = many(60, &|i| {
        format!(r##""d{i}": {{"anyOf": [{{"$ref": "#/$defs/d{0}"}}, {{"$ref": "#/$defs/d{0}"}}]}}"##, i + 1)
    });
    let text = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{double}, "d60": {{"properties": {{}}}}}}}}"##);
    let _ = read(&text);
    let product = many(40, &|i| {
        format!(r#"{{"anyOf": [{{"minimum": {i}}}, {{"type": "string"}}, {{"properties": {{"a{i}": {{}}}}}}]}}"#)
    });
    let module = read(&format!(r#"{{"allOf": [{product}]}}"#)).unwrap();
    assert!(module.notices[0].contains("combinations"), "{:?}", module.notices);
    // Large enums, also with a description each; many properties; a long line.
    let names = many(1_000_000, &|i| format!("\"n{i}\""));
    let e = schema(&format!(r#"{{"enum": [{names}]}}"#));
    assert!(matches!(e.kind(e.root()), Kind::Enum(e) if e.symbols.len() == 1_000_000));
    let text = written(&e);
    assert_eq!(schema(&text), e);
    let constants = many(300_000, &|i| format!(r#"{{"const": "n{i}", "description": "d"}}"#));
    let e = schema(&format!(r#"{{"oneOf": [{constants}]}}"#));
    assert!(matches!(e.kind(e.root()), Kind::Enum(e) if e.symbols.len() == 300_000));
    let properties = many(100_000, &|i| format!(r#""p{i}": {{"properties": {{"x": {{}}}}}}"#));
    assert_eq!(schema(&format!(r#"{{"properties": {{{properties}}}}}"#)).named_types().count(), 100_001);
    let long = format!(
        r#"{{"properties": {{"{}": {{"type": "string", "pattern": "{}"}}}}}}"#,
        "x".repeat(5_000_000),
        "y".repeat(5_000_000)
    );
    assert_eq!(schema(&long).named_types().count(), 1);
    // Constraints that refer to themselves.
    let text = r##"{"type": "object", "not": {"$ref": "#/$defs/A"}, "$defs": {"A": {"items": {"not": {"$ref": "#/$defs/A"}}}}}"##;
    assert!(read(text).is_ok());
    let double = many(60, &|i| {
        format!(r##""d{i}": {{"not": {{"allOf": [{{"$ref": "#/$defs/d{0}"}}, {{"$ref": "#/$defs/d{0}"}}]}}}}"##, i + 1)
    });
    let text = format!(r##"{{"$ref": "#/$defs/d0", "$defs": {{{double}, "d60": {{"type": "string"}}}}}}"##);
    assert!(read(&text).is_ok());
}

#[test]
fn broken_files_never_panic() {
    let files = ["package", "orders", "tree", "events", "shapes"];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/json_schema/schemas");
    let mut rng = Rng::new(5);
    for name in files {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let words =
            ["\"$ref\"", "\"type\"", "{}", "[]", "null", "true", "\"object\"", "\"oneOf\"", "\"#\"", "\"enum\"", "1"];
        let tokens: Vec<&str> = text.split_inclusive(|c: char| ",:{}[]".contains(c)).collect();
        for _ in 0..600 {
            let mut tokens = tokens.clone();
            for _ in 0..1 + rng.below(3) {
                let place = rng.below(tokens.len());
                match rng.below(3) {
                    0 => drop(tokens.remove(place)),
                    1 => tokens[place] = *rng.pick(&tokens.clone()),
                    _ => tokens.insert(place, *rng.pick(&words)),
                }
            }
            if let Ok(module) = read(&tokens.concat()) {
                let text = String::from_utf8(JsonSchema.write(&module).unwrap().bytes).unwrap();
                let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{}\n{text}", tokens.concat()));
                assert_eq!(again.schema.to_text(), module.schema.to_text(), "{}\n{text}", tokens.concat());
            }
        }
        // Values in each other's places keep a file valid JSON more often.
        let values: Vec<&str> = text.lines().filter(|line| line.trim_end().ends_with("},")).collect();
        for _ in 0..600 {
            let mut lines: Vec<&str> = text.lines().collect();
            for _ in 0..1 + rng.below(3) {
                let place = rng.below(lines.len());
                if lines[place].trim_end().ends_with("},") {
                    lines[place] = *rng.pick(&values);
                }
            }
            if let Ok(module) = read(&lines.join("\n")) {
                let text = String::from_utf8(JsonSchema.write(&module).unwrap().bytes).unwrap();
                let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{}\n{text}", lines.join("\n")));
                assert_eq!(again.schema.to_text(), module.schema.to_text(), "{}\n{text}", lines.join("\n"));
            }
        }
    }
}

#[test]
fn a_root_that_is_anything_is_still_a_root() {
    let schema = Schema::parse(
        r#"{"wirewise": "schema/1", "root": "any", "types": [{"enum": "E", "symbols": [{"number": 0, "name": "A"}]}]}"#,
    );
    let schema = schema.unwrap();
    let module = read(&written(&schema)).unwrap();
    assert_eq!((module.schema.to_text(), module.root.is_some()), (schema.to_text(), true));
}
