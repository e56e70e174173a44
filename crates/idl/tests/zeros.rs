//! What a language leaves out is zero, in every format.

use wirewise_core::{Arena, Losses};
use wirewise_idl::{MemoryFiles, Source, with_zeros};

/// The JSON of a message, read by the schema of a file and written again.
fn json(file: &str, text: &str, message: &str) -> Result<String, String> {
    let source = Source::new(file, text);
    let language = wirewise_idl::language_of(&source).unwrap();
    let module = language.read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}"));
    let schema = with_zeros(&module.schema_of(None).unwrap(), language);
    let codec = wirewise_formats::plan("json", &schema.into()).unwrap();
    let (mut arena, mut out) = (Arena::new(Default::default()), Vec::new());
    let document = codec.decode(message.as_bytes(), &mut arena, &mut Losses::none());
    let document = document.map_err(|error| error.to_string())?;
    codec.encode(&document, &mut out, &mut Losses::none()).unwrap();
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn what_is_left_out_is_zero() {
    let proto3 = "syntax = \"proto3\"; enum E { A = 0; } \
        message M { int32 a = 1; string b = 2; bytes c = 3; repeated M d = 4; map<string, bool> e = 5; E f = 6; M g = 7; }";
    let all = r#"{"a":0,"b":"","c":"","d":[],"e":{},"f":"A"}"#;
    assert_eq!(json("a.proto", proto3, "{}").unwrap(), all);
    let fbs = "table T { a: int; b: double = 1.5; c: string; d: [int] (required); } root_type T;";
    assert_eq!(json("a.fbs", fbs, r#"{"d": []}"#).unwrap(), r#"{"a":0,"b":1.5,"d":[]}"#);
    let thrift = "struct S { 1: i32 a; 2: optional i32 b; 3: list<string> c }";
    assert_eq!(json("a.thrift", thrift, "{}").unwrap(), r#"{"a":0,"c":[]}"#);
    let capnp = "@0x934efea7f017fff0; struct S { a @0 :Int32; b @1 :Bool = true; }";
    assert_eq!(json("a.capnp", capnp, "{}").unwrap(), r#"{"a":0,"b":true}"#);
}

#[test]
fn what_must_be_there_must_be_there() {
    let required = [
        ("a.proto", "syntax = \"proto2\"; message M { required int32 a = 1; }"),
        ("a.fbs", "table T { a: string (required); } root_type T;"),
        ("a.thrift", "struct S { 1: required i32 a }"),
        ("a.avsc", r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}"#),
    ];
    for (file, text) in required {
        let error = json(file, text, "{}").unwrap_err();
        assert!(error.contains("\"a\""), "{file}: {error}");
    }
}
