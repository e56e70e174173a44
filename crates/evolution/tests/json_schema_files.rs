//! Schemas of several files, and schemas that are made to be a burden.

use serde_json::{Value as Json, json};
use wirewise_evolution::json_schema::Crossing;
use wirewise_evolution::{Level, Mode, Options, Outcome, Verdict, Version, check, find};
use wirewise_idl::{MemoryFiles, Result, Source};

fn version(name: &str, schema: &Json, files: &MemoryFiles) -> Version {
    let source = Source::new(name, schema.to_string());
    let module = wirewise_idl::find("json-schema").unwrap().read(&source, files).unwrap();
    Version { name: name.to_owned(), module, source: Some(source) }
}

fn verdict(old: &Json, new: &Json, files: &MemoryFiles, type_name: Option<&str>) -> Result<Verdict> {
    let type_name = type_name.map(str::to_owned);
    let options = Options { mode: Mode::Backward, level: Level::Wire, type_name };
    let (old, new) = (version("old.json", old, files), version("new.json", new, files));
    check(find("json-schema").unwrap(), &[old], &new, &options)
}

#[test]
fn references_lead_into_files_of_other_drafts() {
    let mut files = MemoryFiles::none();
    let tuple = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}], "additionalItems": false}"#;
    files.add("old_tuple.json", tuple);
    files.add(
        "new_tuple.json",
        r#"{"$defs": {"a/b": {"prefixItems": [{"type": ["string", "null"]}], "items": false}}}"#,
    );
    let schema = |reference: &str| json!({"type": "object", "properties": {"pair": {"$ref": reference}}});
    let (old, new) = (schema("old_tuple.json"), schema("new_tuple.json#/$defs/a~1b"));
    assert!(verdict(&old, &new, &files, None).unwrap().is_compatible());
    let found = verdict(&new, &old, &files, None).unwrap().findings;
    assert_eq!((found.len(), found[0].rule.name, found[0].path.as_str()), (1, "type", "$.pair[0]"));
    assert_eq!(found[0].old.as_ref().unwrap().to_string(), "new_tuple.json:1:45");
    assert_eq!(found[0].new.as_ref().unwrap().to_string(), "old_tuple.json:1:75");
    assert_eq!(found[0].witness.as_ref().unwrap().message, r#"{"pair":[null]}"#);
}

#[test]
fn a_definition_may_be_the_message() {
    let schema = |kind: &str| json!({"$defs": {"User": {"type": kind}, "Other": {"type": "string"}}});
    let files = MemoryFiles::none();
    let (old, new) = (schema("number"), schema("integer"));
    assert!(verdict(&old, &new, &files, Some("Other")).unwrap().is_compatible());
    for name in [Some("User"), None] {
        let found = verdict(&old, &new, &files, name).unwrap().findings;
        assert_eq!((found.len(), found[0].rule.name), (1, "type"), "{name:?}");
        assert!(found[0].witness.is_some());
    }
    let error = verdict(&old, &new, &files, Some("None")).unwrap_err();
    assert!(error.to_string().contains("there is no definition \"None\""), "{error}");
}

#[test]
fn recorded_documents_are_judged() {
    let files = MemoryFiles::none();
    let old = version("old.json", &json!({"type": "object", "properties": {"a": {"type": "number"}}}), &files);
    let new = version("new.json", &json!({"type": "object", "properties": {"a": {"type": "integer"}}}), &files);
    let crossing = Crossing::new(&old.module, &new.module, None).unwrap();
    assert_eq!(crossing.send(br#"{"a": 1}"#), None);
    let witness = crossing.send(br#"{"a": 1.5}"#).unwrap();
    assert_eq!(witness.message, r#"{"a": 1.5}"#);
    assert!(
        matches!(&witness.outcome, Outcome::Refused { error } if error.starts_with("/a: 1.5 is not")),
        "{witness:?}"
    );
    let Outcome::Refused { error } = crossing.send(br#"{"a": "x"}"#).unwrap().outcome else { panic!() };
    assert!(error.ends_with("(nor is it valid under the old schema)"), "{error}");
}

#[test]
fn other_languages_are_judged_as_the_json_schema_that_they_would_be() {
    let proto = |kind: &str| {
        let source = Source::new("a.proto", format!("syntax = \"proto3\"; message M {{ {kind} a = 1; }}"));
        let module = wirewise_idl::read(&source, &MemoryFiles::none()).unwrap();
        Version { name: "a.proto".to_owned(), module, source: Some(source) }
    };
    let options = Options { mode: Mode::Backward, level: Level::Wire, type_name: None };
    let check = |old, new| check(find("json").unwrap(), &[proto(old)], &proto(new), &options).unwrap().findings;
    assert!(check("int32", "int32").is_empty());
    assert!(!check("string", "int32").is_empty());
}

/// That it ends is enough, and no time is asserted: comparing all pairs of what is so many here would take from many
/// minutes to hours, and exponential work would have no end.
#[test]
fn large_schemas_end() {
    let chain = |length: usize, last: &str| {
        let mut definitions: serde_json::Map<String, Json> = (0..length)
            .map(|i| {
                (
                    format!("n{i}"),
                    json!({"type": "object", "properties": {"x": {"$ref": format!("#/$defs/n{}", i + 1)}}}),
                )
            })
            .collect();
        definitions.insert(format!("n{length}"), json!({"type": last}));
        json!({"$ref": "#/$defs/n0", "$defs": definitions})
    };
    let names = |from: usize, to: usize| json!({"enum": (from..to).map(|i| format!("v{i}")).collect::<Vec<_>>()});
    let wide = |longest: usize| {
        let property = |i| (format!("p{i}"), json!({"type": "string", "maxLength": longest}));
        json!({"type": "object", "properties": (0..10_000).map(property).collect::<serde_json::Map<_, _>>()})
    };
    let choices = |count: usize| {
        let branch = |i| json!({"type": "object", "properties": {format!("p{i}"): {"$ref": "#"}}, "required": [format!("p{i}")]});
        json!({"type": "object", "properties": {"x": {"anyOf": (0..count).map(branch).collect::<Vec<_>>()}}})
    };
    let files = MemoryFiles::none();
    for (old, new, compatible) in [
        (chain(300, "string"), chain(300, "string"), Some(true)),
        (chain(300, "string"), chain(300, "integer"), Some(false)),
        (chain(100_000, "string"), chain(100_000, "integer"), None),
        (names(0, 300_000), names(0, 400_000), Some(true)),
        (names(0, 300_000), names(1, 300_000), Some(false)),
        (wide(5), wide(6), Some(true)),
        (wide(6), wide(5), Some(false)),
        (choices(40), choices(40), Some(true)),
        (choices(40), choices(39), Some(false)),
    ] {
        let verdict = verdict(&old, &new, &files, None);
        assert_eq!(verdict.ok().map(|verdict| verdict.is_compatible()), compatible, "{:.200}", old.to_string());
    }
}

#[test]
fn schemas_that_lead_back_to_themselves_are_refused() {
    let files = MemoryFiles::none();
    let text = json!({"type": "string"});
    for schema in [
        json!({"type": "string", "not": {"$ref": "#"}}),
        json!({"type": "object", "properties": {"default": {"type": "string", "not": {"$ref": "#/properties/default"}}}}),
        json!({"type": "object", "dependentSchemas": {"a": {"$ref": "#"}}}),
    ] {
        let error = verdict(&text, &schema, &files, None).unwrap_err().to_string();
        assert!(error.contains("leads back to itself"), "{error}");
    }
    // What leads back for a value inside is no loop, and data is no schema.
    let tree = json!({"type": "object", "properties": {"const": {"$ref": "#"}}, "not": {"const": {"$ref": "#"}}});
    assert!(verdict(&tree, &tree, &files, None).unwrap().is_compatible());
}
