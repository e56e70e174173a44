//! Files that fuzzing found: what is read of them is written by the same language, and read back as an equal schema.

use serde_json::Value as Json;
use wirewise_idl::{MemoryFiles, Module, Source, find};

/// Names of 300 bytes.
const LONG_PACKAGE: &str = concat!(
    "syntax = \"proto3\"; package x.",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "; message M { int32 a = 1; }"
);
const LONG_GROUP: &str = concat!(
    "syntax = \"proto2\"; message M { repeated group G",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    " = 1 { optional int32 a = 1; } }"
);

/// Language and file.
const FILES: &[(&str, &str)] = &[
    // A line of notes with spaces after it was documentation, and notes when it came back.
    ("proto", "syntax = \"proto3\"; message M {\n  // @wirewise presence=required   \n  optional int32 a = 1;\n}"),
    // So was one with a form feed in it, which is written as a space.
    ("proto", "message M {\n  // @wirewise type=\"{\u{c}\\\"nullable\\\": 5}\"\n  optional int32 a = 1;\n}"),
    ("proto", "message M {\n  // @wirewise a=\"\u{7f}\u{0}\"\n  optional int32 a = 1;\n}"),
    // A name that was in no style of its own lost the name in JSON that differs from it.
    ("proto", "message M { optional int32 Field_2 = 3 [json_name = \"field2\"]; }"),
    // Long names: they were not written as they are, so groups were none, and packages were lost.
    ("proto", LONG_GROUP),
    ("proto", LONG_PACKAGE),
    // A note of a package where a package statement could have said it was taken back, and left an empty one.
    ("proto", "// @wirewise protobuf.package=none\nsyntax = \"proto3\";\nmessage M { int32 a = 1; }"),
    ("proto", "// @wirewise protobuf.package=\"a-b\"\nsyntax = \"proto3\";\nmessage M { int32 a = 1; }"),
    ("proto", "// @wirewise protobuf.package=\"\"\nsyntax = \"proto3\";\nmessage M { int32 a = 1; }"),
    // A union was named after a field's name that Avro does not allow.
    ("avsc", r#"{"type": "record", "name": "R", "fields": [{"name": "a]0", "type": ["string", "float"]}]}"#),
    (
        "avsc",
        r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": ["float"], "wirewise.presence": "optional", "wirewise.nullable": true}]}"#,
    ),
    ("avsc", r#"{"type": "record", "name": "a.R-", "fields": [{"name": "a", "type": ["string", "float"]}]}"#),
    // What looks like a reference was moved with the definitions, in values that are no schemas.
    (
        "json-schema",
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/R", "definitions": {"R": {"x": {"a": {"$ref": "#/$defs/R"}},
            "properties": {"b": {"type": "string", "default": {"$ref": "#/$defs/R"}}}}}}"##,
    ),
    (
        "json-schema",
        r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/U", "definitions": {"R": {"type": "object"}, "U": {"oneOf": [
            {"type": "object", "x": {"a": {"$ref": "#/definitions/R"}}, "properties": {"b": {"$ref": "#/definitions/R"}}, "required": ["b"]},
            {"type": "object", "properties": {"c": {"type": "number"}}, "required": ["c"], "x": {"$ref": "#/$defs/R"}}], "x-wirewise": {"union": "tagged"}}}}"##,
    ),
    // So was a union, once the name of the record was legal.
    (
        "avsc",
        r#"{"type": "record", "name": "Record.1", "fields": [{"name": "f", "type": [{"type": "record", "name": "R", "fields": []}, "string"]}]}"#,
    ),
    // A type without a namespace got one when its name was not legal.
    (
        "avsc",
        r#"{"type": "record", "name": "a/b", "fields": [{"name": "f", "type": ["null", {"type": "record", "name": "n.d", "fields": []}, "string"]}]}"#,
    ),
    // Notes whose keys are no words overflowed the stack, or were lost.
    ("capnp", "struct A { a @0 :Int8;\n# @wirewise \"json-schema.$id\"=b; \"x y\"=\"1 2\"\n}"),
    ("thrift", "/** @wirewise \"json-schema.$id\"=b */ struct A {}"),
    ("fbs", "/// @wirewise \"json-schema.$id\"=b\ntable A {}"),
    // Definitions of no named type made a file of anything.
    ("json-schema", r#"{"$defs": {"R": {"type": "object"}}}"#),
    // A default of a map was refused in the list that the model has for it.
    ("thrift", "struct S { 1: map<double, i32> m = {0.5: 1} }"),
];

/// The root and the types, in the order of their names.
fn content(module: &Module) -> Json {
    let schema = &module.schema;
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    if let Some(types) = json.get_mut("types").and_then(Json::as_array_mut) {
        types.sort_by_key(Json::to_string);
    }
    json["root"] = module.root.map(|root| schema.type_json(root)).into();
    json
}

#[test]
fn they_come_back() {
    // Attributes without a value; attributes in another order than that in which they are written.
    let binary: [(&str, &[u8]); 2] =
        [("bfbs", include_bytes!("found/bare_attribute.bfbs")), ("bfbs", include_bytes!("found/attribute_order.bfbs"))];
    let files = FILES.iter().map(|(name, file)| (*name, file.as_bytes()));
    for (name, file) in files.chain(binary) {
        let language = find(name).unwrap();
        let read = |bytes: &[u8]| language.read(&Source::new("input", bytes), &MemoryFiles::none());
        let text = String::from_utf8_lossy(file);
        let module = read(file).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let written = language.write(&module).unwrap_or_else(|error| panic!("{error}\n{text}")).bytes;
        let became = String::from_utf8_lossy(&written);
        let again = read(&written).unwrap_or_else(|error| panic!("{error}\n{text}\nbecame\n{became}"));
        assert_eq!(content(&module), content(&again), "{text}\nbecame\n{became}");
    }
}

/// Notes that would become something else when they are written again are errors, with their place.
#[test]
fn notes_that_do_not_fit_are_errors() {
    for note in ["type=int64; wrapper=optiOnal", "type=int64"] {
        let file = format!(
            "@0xb2fbe1464a56360f;\nstruct S {{\n  b :union {{\n    # @wirewise {note}\n    c @0 :Void;\n    d @1 :Int64;\n  }}\n}}"
        );
        let error = find("capnp").unwrap().read(&Source::new("a.capnp", file.as_bytes()), &MemoryFiles::none());
        let error = error.map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("a.capnp:3:3: "), "{error}");
    }
}

/// A descriptor set whose extension extends nothing.
#[test]
fn an_extension_of_nothing_is_an_error() {
    let bytes = b"\x0a\x0e\x0a\x01a\x3a\x09\x0a\x01e\x18\x01\x20\x01\x28\x05";
    let error = find("descriptor-set").unwrap().read(&Source::new("a.binpb", &bytes[..]), &MemoryFiles::none());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the extension \"e\" does not say what it extends"), "{error}");
}

/// Binary files that say what their language cannot.
#[test]
fn binary_files_are_checked_like_text() {
    let cases: [(&str, &[u8], &str); 5] = [
        ("bfbs", include_bytes!("found/large_id.bfbs"), "the last one of a table is 32762"),
        ("bfbs", include_bytes!("found/string_in_struct.bfbs"), "the field `field_0` is in a struct"),
        ("bfbs", include_bytes!("found/illegal_name.bfbs"), "is no identifier"),
        ("bfbs", include_bytes!("found/name_twice.bfbs"), "\"Record1\" has two members that are called \"field_0\""),
        ("descriptor-set", b"\x0a\x0e\x0a\x07a.proto\x12\x03a b", "the package \"a b\" is not a name"),
    ];
    for (name, bytes, expected) in cases {
        let error = find(name).unwrap().read(&Source::new("input", bytes), &MemoryFiles::none()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

/// Binary schemas have members in the order of their numbers: a note says in which order they were.
#[test]
fn members_of_unions_keep_their_order() {
    let text = r#"{"wirewise": "schema/1", "root": "R", "types": [
        {"record": "R", "fields": [{"number": 1, "name": "u", "type": "U", "presence": "optional"}]},
        {"record": "A", "fields": []}, {"record": "B", "fields": []},
        {"union": "U", "branches": [
            {"number": 4, "name": "A", "type": "A"}, {"number": 2, "name": "B", "type": "B"},
            {"number": 3, "name": "text", "type": "string"}]}]}"#;
    let module = Module::of(wirewise_core::Schema::parse(text).unwrap());
    let language = find("bfbs").unwrap();
    let written = language.write(&module).unwrap().bytes;
    let again = language.read(&Source::new("input", written), &MemoryFiles::none()).unwrap();
    assert_eq!(content(&module), content(&again));
}
