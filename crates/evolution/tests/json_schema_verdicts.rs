//! Verdicts on JSON Schemas: the cases that schema registries document, and what documents say of them.
//!
//! Registries ask for the same thing (what is valid under the old schema is valid under the new one), but decide some
//! cases by rules of thumb. Where they call something else compatible or incompatible than documents do, the case says so.

use serde_json::{Value as Json, json};
use wirewise_evolution::{Finding, Level, Mode, Options, Outcome, Version, check, find};
use wirewise_idl::{MemoryFiles, Source};

fn version(name: &str, schema: &Json) -> Version {
    let source = Source::new(name, schema.to_string());
    let language = wirewise_idl::find("json-schema").unwrap();
    let module = language.read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{schema}: {error}"));
    Version { name: name.to_owned(), module, source: Some(source) }
}

fn findings(old: &Json, new: &Json, mode: Mode, level: Level) -> Vec<Finding> {
    let options = Options { mode, level, type_name: None };
    let (old, new) = (version("old.json", old), version("new.json", new));
    check(find("json-schema").unwrap(), &[old], &new, &options).unwrap().findings
}

/// The rules that are broken when readers with the second schema read what is valid under the first. Everything that is
/// found must be shown by a document.
fn broken(old: &Json, new: &Json) -> Vec<&'static str> {
    let found = findings(old, new, Mode::Backward, Level::Wire);
    for finding in &found {
        let Some(witness) = &finding.witness else { panic!("{old} -> {new}: nothing shows {finding:#?}") };
        let document: Json = serde_json::from_slice(&witness.bytes).unwrap();
        assert!(matches!(witness.outcome, Outcome::Refused { .. }));
        if !old.to_string().contains("$ref") {
            assert!(jsonschema::is_valid(old, &document) && !jsonschema::is_valid(new, &document), "{finding:#?}");
        }
    }
    found.iter().map(|finding| finding.rule.name).collect()
}

fn draft_07(mut schema: Json) -> Json {
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema
}

/// Old, new, and what breaks backward.
#[track_caller]
fn case(old: Json, new: Json, expected: &[&str]) {
    assert_eq!(broken(&old, &new), expected, "{old} -> {new}");
}

#[test]
fn notes_for_people_change_nothing() {
    case(json!({"properties": {}}), json!({}), &[]);
    case(json!({"title": "a"}), json!({"title": "b"}), &[]);
    case(json!({"description": "a"}), json!({"description": "b"}), &[]);
    case(json!({"$id": "a"}), json!({"$id": "b"}), &[]);
    case(json!({"type": "string"}), json!({"type": "string", "x-origin": 1, "deprecated": true}), &[]);
    case(json!({"type": "string"}), json!({"type": "string", "format": "email"}), &[]);
}

#[test]
fn types() {
    case(json!({"type": "object"}), json!({"type": "array"}), &["type"]);
    case(json!({"type": "number"}), json!({"type": "integer"}), &["type"]);
    case(json!({"type": "integer"}), json!({"type": "number"}), &[]);
    case(json!({"type": ["object"]}), json!({"type": ["object", "array"]}), &[]);
    case(json!({"type": ["string", "null"]}), json!({"type": "string"}), &["type"]);
    case(json!({}), json!({"type": "string"}), &["type"]);
    case(json!({"type": "string"}), json!({}), &[]);
    let items = |schema: Json| json!({"type": "array", "prefixItems": [schema]});
    case(items(json!(true)), items(json!(false)), &["nothing-allowed"]);
    case(items(json!(false)), items(json!({"type": "string"})), &[]);
    case(json!({"type": "string"}), json!(true), &[]);
}

#[test]
fn values() {
    let colours = |names: Json| json!({"type": "string", "enum": names});
    case(colours(json!(["red"])), json!({"type": "string"}), &[]);
    case(json!({"type": "string"}), colours(json!(["red"])), &["enum"]);
    case(colours(json!(["red", "blue"])), colours(json!(["red"])), &["enum"]);
    case(colours(json!(["red"])), colours(json!(["blue", "red"])), &[]);
    case(json!({"const": 1}), json!({"const": 1.0}), &[]);
    case(json!({"const": 1}), json!({"const": 2}), &["const"]);
    case(json!({"const": 1}), json!({"enum": [1, 2]}), &[]);
    case(json!({"enum": [1, 2]}), json!({"type": "integer", "minimum": 1}), &[]);
    case(json!({"type": "boolean"}), json!({"enum": [false, true]}), &[]);
    let together = |colour: Json| json!({"allOf": [{"type": "string"}, {"enum": colour}]});
    case(together(json!(["red"])), together(json!(["blue"])), &["enum"]);
    case(together(json!(["red"])), json!({"allOf": [{"enum": ["red", "blue"]}, {"type": "string"}]}), &[]);
}

#[test]
fn bounds() {
    for (keyword, least, kind) in [
        ("minLength", true, "string"),
        ("maxLength", false, "string"),
        ("minimum", true, "number"),
        ("exclusiveMinimum", true, "integer"),
        ("maximum", false, "number"),
        ("exclusiveMaximum", false, "number"),
        ("minItems", true, "array"),
        ("maxItems", false, "array"),
        ("minProperties", true, "object"),
        ("maxProperties", false, "object"),
    ] {
        let schema = |bound: i64| json!({"type": kind, keyword: bound});
        let (narrow, wide) = if least { (schema(11), schema(10)) } else { (schema(10), schema(11)) };
        case(narrow.clone(), wide.clone(), &[]);
        case(narrow.clone(), json!({"type": kind}), &[]);
        assert_eq!(broken(&wide, &narrow).len(), 1, "{keyword}");
        assert_eq!(broken(&json!({"type": kind}), &narrow).len(), 1, "{keyword}");
    }
    case(json!({"type": "integer", "exclusiveMinimum": 3}), json!({"minimum": 4}), &[]);
    case(json!({"type": "number", "exclusiveMinimum": 3}), json!({"minimum": 4}), &["minimum"]);
    case(json!({"type": "number", "multipleOf": 10}), json!({"type": "number", "multipleOf": 2}), &[]);
    case(json!({"type": "number", "multipleOf": 10}), json!({"type": "number", "multipleOf": 11}), &["multiple-of"]);
    case(json!({"type": "integer"}), json!({"multipleOf": 0.5}), &[]);
    case(json!({"type": "string", "pattern": "uuid"}), json!({"type": "string"}), &[]);
    case(json!({"type": "string", "pattern": "date"}), json!({"type": "string", "pattern": "uuid"}), &["pattern"]);
    case(json!({"type": "string", "pattern": "date"}), json!({"type": "string", "pattern": "date"}), &[]);
}

#[test]
fn open_content() {
    let schema = |properties: Json| json!({"type": "object", "properties": properties});
    let (foo, both) =
        (json!({"foo": {"type": "string"}}), json!({"foo": {"type": "string"}, "bar": {"type": "number"}}));
    // A document may have had "bar" before, as a string.
    case(schema(foo.clone()), schema(both.clone()), &["property-added-to-open"]);
    case(schema(both.clone()), schema(foo.clone()), &[]);
    case(schema(foo.clone()), schema(json!({"foo": {"type": "string"}, "bar": {}})), &[]);
    case(schema(foo.clone()), schema(json!({"bar": {"type": "string"}})), &["property-added-to-open"]);
    case(schema(foo.clone()), schema(json!({"foo": {"type": "number"}})), &["type"]);
    // Closing it refuses what was allowed.
    case(
        schema(foo.clone()),
        json!({"type": "object", "properties": foo, "additionalProperties": false}),
        &["additional-properties"],
    );
}

#[test]
fn closed_content() {
    let schema = |properties: Json| json!({"type": "object", "properties": properties, "additionalProperties": false});
    let (foo, both) =
        (json!({"foo": {"type": "string"}}), json!({"foo": {"type": "string"}, "bar": {"type": "number"}}));
    case(schema(foo.clone()), schema(both.clone()), &[]);
    case(schema(both.clone()), schema(foo.clone()), &["property-removed-from-closed"]);
    let mut required = schema(both);
    required["required"] = json!(["bar"]);
    case(schema(foo.clone()), required.clone(), &["required"]);
    // Registries take a required property that has a default for compatible. Validators do not fill it in.
    required["properties"]["bar"]["default"] = json!(1);
    case(schema(foo.clone()), required, &["required"]);
    case(schema(foo.clone()), json!({"type": "object", "properties": foo}), &[]);
}

#[test]
fn partially_open_content() {
    let open = |properties: Json, rest: Json| json!({"properties": properties, "additionalProperties": rest});
    let text = || json!({"type": "string"});
    let foo = || json!({"foo": {"type": "string"}});
    let with_bar = |bar: Json| json!({"foo": {"type": "string"}, "bar": bar});
    case(open(foo(), text()), open(with_bar(text()), text()), &[]);
    case(open(foo(), text()), open(with_bar(json!({"type": "number"})), text()), &["property-added-to-open"]);
    case(open(with_bar(text()), json!(false)), open(foo(), text()), &[]);
    case(
        open(with_bar(json!({"type": "number"})), json!(false)),
        open(foo(), text()),
        &["property-removed-from-closed"],
    );
    let nullable = || json!({"oneOf": [{"type": "null"}, {"type": "string"}]});
    case(open(with_bar(nullable()), json!(false)), open(foo(), nullable()), &[]);
    case(open(with_bar(text()), json!(false)), open(foo(), nullable()), &[]);
    let mut required = open(with_bar(text()), text());
    required["required"] = json!(["bar"]);
    case(open(foo(), text()), required, &["required"]);
    let patterns = |properties: Json, number: &str| {
        json!({"properties": properties, "additionalProperties": false,
            "patternProperties": {"^S_": {"type": "string"}, "^I_": {"type": number}}})
    };
    case(patterns(foo(), "integer"), patterns(json!({"foo": text(), "I_1": {"type": "number"}}), "integer"), &[]);
    let closed = open(json!({"foo": text(), "I_1": {"type": "integer"}}), json!(false));
    case(closed, patterns(foo(), "number"), &[]);
    case(patterns(foo(), "number"), patterns(foo(), "integer"), &["pattern-properties"]);
    case(open(foo(), text()), open(foo(), json!({"type": "string", "maxLength": 3})), &["additional-properties"]);
}

#[test]
fn required_properties() {
    let schema = |required: Json| json!({"properties": {"foo": {"type": "string"}}, "required": required});
    case(schema(json!(["foo"])), schema(json!([])), &[]);
    case(schema(json!([])), schema(json!(["foo"])), &["required"]);
    // Registries look at declared properties only; a document without "bar" is refused all the same.
    case(schema(json!(["foo"])), schema(json!(["bar"])), &["required"]);
}

#[test]
fn dependencies() {
    let old = |dependencies: Json| draft_07(json!({"dependencies": dependencies}));
    case(old(json!({"foo": ["bar"]})), old(json!({"bar": ["foo"]})), &["dependencies"]);
    case(
        old(json!({"foo": {"minProperties": 2}, "bar": {"maxProperties": 1}})),
        old(json!({"foo": {"minProperties": 2}})),
        &[],
    );
    case(old(json!({"foo": {"minProperties": 2}})), old(json!({})), &[]);
    case(old(json!({"foo": {"minProperties": 2}})), old(json!({"foo": {"minProperties": 3}})), &["dependencies"]);
    case(old(json!({"foo": {"minProperties": 2}})), old(json!({"bar": {"minProperties": 2}})), &["dependencies"]);
    let new = |keyword: &str, dependencies: Json| json!({"type": "object", keyword: dependencies});
    case(new("dependentRequired", json!({"a": ["b", "c"]})), new("dependentRequired", json!({"a": ["b"]})), &[]);
    case(
        new("dependentRequired", json!({"a": ["b"]})),
        new("dependentRequired", json!({"a": ["b", "c"]})),
        &["dependencies"],
    );
    case(
        new("dependentRequired", json!({"a": ["b"]})),
        new("dependentSchemas", json!({"a": {"required": ["b"]}})),
        &[],
    );
    case(new("required", json!(["a", "b"])), new("dependentRequired", json!({"a": ["b"]})), &[]);
}

#[test]
fn arrays() {
    let all = |items: Json| json!({"type": "array", "items": items});
    case(json!({"type": "array"}), all(json!({"type": "string"})), &["items"]);
    case(all(json!({"type": "string"})), json!({"type": "array"}), &[]);
    case(all(json!({"type": "string"})), all(json!({"type": "number"})), &["type"]);
    case(json!({"type": "array", "uniqueItems": true}), json!({"type": "array"}), &[]);
    case(json!({"type": "array"}), json!({"type": "array", "uniqueItems": true}), &["unique-items"]);
    case(json!({"type": "array", "maxItems": 1}), json!({"type": "array", "uniqueItems": true}), &[]);
    // The same for tuples of both drafts.
    let new = |first: Json, rest: Json| json!({"type": "array", "prefixItems": first, "items": rest});
    let old = |first: Json, rest: Json| draft_07(json!({"type": "array", "items": first, "additionalItems": rest}));
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    for tuple in [&new as &dyn Fn(Json, Json) -> Json, &old] {
        let two = || json!([text, number]);
        case(tuple(two(), json!(true)), json!({"type": "array"}), &[]);
        case(tuple(two(), text.clone()), tuple(json!([text, number, text]), text.clone()), &[]);
        case(tuple(two(), text.clone()), tuple(json!([text, number, number]), text.clone()), &["item-added-to-open"]);
        case(tuple(two(), json!(true)), tuple(json!([text, number, number]), json!(true)), &["item-added-to-open"]);
        case(tuple(two(), json!(false)), tuple(json!([text, number, number]), json!(false)), &[]);
        case(tuple(json!([text, number, text]), text.clone()), tuple(two(), text.clone()), &[]);
        case(tuple(json!([text, number, number]), text.clone()), tuple(two(), text.clone()), &["item-removed"]);
        case(tuple(two(), json!(false)), tuple(json!([text]), json!(false)), &["item-removed"]);
        case(tuple(json!([text]), json!(true)), tuple(json!([number]), json!(true)), &["type"]);
        case(tuple(two(), json!(true)), tuple(two(), json!(false)), &["items"]);
    }
    let contains = |schema: Json, least: u64| json!({"type": "array", "contains": schema, "minContains": least});
    case(contains(json!({"type": "integer"}), 1), contains(json!({"type": "number"}), 1), &[]);
    case(contains(json!({"type": "number"}), 1), contains(json!({"type": "integer"}), 1), &["contains"]);
    case(contains(json!({"type": "number"}), 1), contains(json!({"type": "number"}), 2), &["contains"]);
    case(
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 1}),
        contains(json!({"type": "number"}), 1),
        &[],
    );
    case(
        json!({"type": "array"}),
        json!({"type": "array", "contains": true, "maxContains": 2, "minContains": 0}),
        &["contains"],
    );
}

#[test]
fn combined() {
    let one_of = |branches: Json| json!({"oneOf": branches});
    let (text, number) = (json!({"type": "string"}), json!({"type": "number"}));
    case(one_of(json!([text])), one_of(json!([number])), &["one-of"]);
    case(one_of(json!([text])), one_of(json!([number, text])), &[]);
    case(one_of(json!([number, text])), one_of(json!([text])), &["one-of"]);
    // A registry says that the kind of combination must not change from oneOf to allOf; of one branch they mean the same.
    case(one_of(json!([text])), json!({"allOf": [text]}), &[]);
    case(json!({"anyOf": [text, number]}), one_of(json!([text, number])), &[]);
    case(
        json!({"anyOf": [{"minimum": 1}, {"maximum": 5}]}),
        one_of(json!([{"minimum": 1}, {"maximum": 5}])),
        &["one-of"],
    );
    case(text.clone(), json!({"anyOf": [text, number]}), &[]);
    case(json!({"type": ["string", "number"]}), json!({"anyOf": [text, number]}), &[]);
    case(json!({"type": ["string", "null"]}), json!({"anyOf": [text, number]}), &["any-of"]);
    case(json!({"allOf": [text, {"minLength": 1}]}), json!({"allOf": [text]}), &[]);
    case(json!({"allOf": [text]}), json!({"allOf": [text, {"minLength": 1}]}), &["min-length"]);
    case(json!({"not": {"type": "number"}}), json!({"not": {"type": "integer"}}), &[]);
    case(json!({"not": {"type": "integer"}}), json!({"not": {"type": "number"}}), &["not"]);
    case(text.clone(), json!({"not": {"type": "number"}}), &[]);
    case(json!({"type": "string", "maxLength": 3}), json!({"not": {"minLength": 4, "type": "string"}}), &[]);
    let property = |kind: &str| one_of(json!([{"properties": {"foo": {"type": kind}}}]));
    case(property("string"), property("number"), &["one-of"]);
    let by_kind = |kinds: &[&str]| {
        let branch =
            |kind: &&str| json!({"properties": {"kind": {"const": kind}}, "required": ["kind"], "type": "object"});
        one_of(kinds.iter().map(branch).collect())
    };
    case(by_kind(&["a", "b"]), by_kind(&["a", "b", "c"]), &[]);
    case(by_kind(&["a", "b", "c"]), by_kind(&["a", "b"]), &["one-of"]);
    let when = |then: Json| json!({"if": {"required": ["a"]}, "then": then, "type": "object"});
    case(when(json!({"required": ["b"]})), when(json!({"required": ["b", "c"]})), &["if-then-else"]);
    case(when(json!({"required": ["b", "c"]})), when(json!({"required": ["b"]})), &[]);
    case(json!({"type": "object", "required": ["b"]}), when(json!({"required": ["b"]})), &[]);
}

#[test]
fn references() {
    let items = |kind: &str| {
        draft_07(json!({"type": "array", "items": {"$ref": "#/definitions/x"}, "definitions": {"x": {"type": kind}}}))
    };
    case(items("string"), items("number"), &["type"]);
    case(items("integer"), items("number"), &[]);
    let referred = draft_07(json!({"$ref": "#/definitions/x", "definitions": {"x": {"type": "string"}}}));
    case(draft_07(json!({"type": "string"})), referred.clone(), &[]);
    case(referred, draft_07(json!({"type": "string"})), &[]);
    let list = |value: Json| {
        json!({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "required": ["value"], "additionalProperties": false,
            "properties": {"value": value, "next": {"$ref": "#/$defs/node"}}}}})
    };
    case(list(json!({"type": "integer"})), list(json!({"type": "number"})), &[]);
    case(list(json!({"type": "number"})), list(json!({"type": "integer"})), &["type"]);
}

#[test]
fn unevaluated() {
    let schema = |properties: Json| {
        json!({"allOf": [{"$ref": "#/$defs/base"}], "properties": properties, "unevaluatedProperties": false,
            "$defs": {"base": {"properties": {"id": {"type": "string"}}}}})
    };
    case(schema(json!({"a": {}})), schema(json!({"a": {}, "b": {}})), &[]);
    case(schema(json!({"a": {}, "b": {}})), schema(json!({"a": {}})), &["property-removed-from-closed"]);
    case(
        json!({"properties": {"a": {}}}),
        json!({"properties": {"a": {}}, "unevaluatedProperties": false}),
        &["additional-properties"],
    );
}

#[test]
fn what_is_not_known_is_not_proven() {
    let found =
        findings(&json!({"type": "string"}), &json!({"type": "string", "maxSize": 3}), Mode::Backward, Level::Wire);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].rule.name, found[0].witness.is_none()), ("unknown-keyword", true), "{found:#?}");
    case(json!({"maxSize": 3}), json!({"maxSize": 3, "title": "x"}), &[]);
}

#[test]
fn names_count_on_the_level_of_source() {
    let schema = |name: &str, more: Json| {
        let mut schema = json!({"$id": "https://x.org/a", "type": "object", "properties": {"id": {"type": "integer"}}});
        schema["properties"][name] = json!({"type": "string", "default": "a"});
        schema.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        schema
    };
    let rules = |old: &Json, new: &Json| -> Vec<(&str, String)> {
        let found = findings(old, new, Mode::Forward, Level::Source);
        found.into_iter().filter(|f| f.rule.level != Level::Wire).map(|f| (f.rule.name, f.what)).collect()
    };
    let found = rules(&schema("name", json!({})), &schema("label", json!({})));
    assert_eq!(
        found,
        [("property-removed", "the property \"name\" is gone; \"label\" looks like its new name".to_owned())]
    );
    let found = rules(&schema("name", json!({})), &schema("name", json!({"$id": "https://x.org/b", "title": "T"})));
    assert_eq!(found.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), ["id"]);
    let found = rules(&json!({"type": "string", "default": "a"}), &json!({"type": "string", "format": "date"}));
    assert_eq!(found.iter().map(|(rule, _)| *rule).collect::<Vec<_>>(), ["format", "default"]);
}

#[test]
fn places_are_those_of_the_keywords() {
    let version = |name: &str, text: &str| {
        let source = Source::new(name, text);
        let module = wirewise_idl::find("json-schema").unwrap().read(&source, &MemoryFiles::none()).unwrap();
        Version { name: name.to_owned(), module, source: Some(source) }
    };
    let old = version("old.json", "{\"type\": \"object\",\n \"properties\": {\n  \"age\": {\"minimum\": 0}}}");
    let new = version("new.json", "{\"type\": \"object\",\n \"properties\": {\n  \"age\": {\n   \"minimum\": 1}}}");
    let options = Options { mode: Mode::Full, level: Level::Wire, type_name: None };
    let verdict = check(find("json").unwrap(), &[old], &new, &options).unwrap();
    let [finding] = verdict.findings.as_slice() else { panic!("{verdict:#?}") };
    assert_eq!(finding.old.as_ref().unwrap().to_string(), "old.json:3:22");
    assert_eq!(finding.new.as_ref().unwrap().to_string(), "new.json:4:15");
    assert_eq!(finding.path, "$.age");
    let witness = finding.witness.as_ref().unwrap();
    assert_eq!(witness.message, r#"{"age":0}"#);
}
