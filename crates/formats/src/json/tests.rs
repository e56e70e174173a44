use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema};

use crate::plan;

const PROFILE: &str = r#"{"user_id":123456789,"username":"alice_smith","email":"alice@example.com","created_at":1678886400,"last_login":1710422400,"preferences":{"theme":"dark","notifications":true},"subscription":{"tier":"premium","expires_at":1741958400}}"#;

fn any() -> Arc<Schema> {
    Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap())
}

fn convert(schema: &Arc<Schema>, from: &str, to: &str, input: &[u8]) -> wirewise_core::Result<String> {
    let (from, to) = (plan(from, schema)?, plan(to, schema)?);
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let document = from.decode(input, &mut arena, &mut losses)?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, &mut losses)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn any_value_comes_back() {
    let schema = any();
    for text in [
        PROFILE,
        "null",
        "[1,1.0,-0,-0.0,1e100,18446744073709551615,18446744073709551616,0.1,123456789012345678901234567890.5]",
        r#"{"":[],"a":{},"\n\u0000\"\\":"é€😀\u001f"}"#,
    ] {
        assert_eq!(convert(&schema, "json", "json", text.as_bytes()).unwrap(), text);
    }
    assert_eq!(PROFILE.len(), 232);
}

#[test]
fn pretty_is_indented_by_two() {
    let pretty = convert(&any(), "json", "json-pretty", br#"{"a":[1,{}],"b":[]}"#).unwrap();
    assert_eq!(pretty, "{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}");
}

#[test]
fn errors_say_where() {
    let schema = any();
    for (input, expected) in [
        (&b"[1,2"[..], "the input ends, but ',' or ']' should follow, at byte 4"),
        (b"{\"a\":1,\"a\":2}", "the object has the name \"a\" twice, at byte 7"),
        (
            b"[\"a\\ud800\"]",
            "\\ud800 is half of a surrogate pair, which is no character, at byte 3, in $[0]; the text cannot be kept as it is: replace it at the source",
        ),
        (b"\xef\xbb\xbf{}", "a byte order mark, which JSON does not allow, at byte 0; remove these three bytes"),
        (b"[\"\xff\"]", "the text is not valid UTF-8, at byte 2, in $[0]; convert the input to UTF-8 first"),
        (b"[NaN]", "expected a value, found 'N', at byte 1, in $[0]"),
        (b"[01]", "a number must not begin with 0, at byte 1, in $[0]"),
        (
            b"1 2",
            "1 bytes follow the end of the message, at byte 2; if the input is a stream of messages, choose its framing",
        ),
    ] {
        let error = convert(&schema, "json", "json", input).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let deep = "[".repeat(100_000);
    assert!(convert(&schema, "json", "json", deep.as_bytes()).unwrap_err().message().contains("deeper"));
}

#[test]
fn texts_with_a_meaning_may_be_escaped() {
    for (ty, text, expected) in [
        (r#""bytes""#, r#""ab\/+\u0041A==""#, r#""ab/+AA==""#),
        (
            r#"{"fixed": 16, "logical": "uuid"}"#,
            r#""157ae52a\u002de77a-56c9-bce7-1025260eb7b2""#,
            r#""157ae52a-e77a-56c9-bce7-1025260eb7b2""#,
        ),
        (r#"{"scalar": "int32", "logical": "date"}"#, r#""2026\u002d11-21""#, r#""2026-11-21""#),
    ] {
        let schema = Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {ty}}}"#)).unwrap();
        let schema = Arc::new(schema);
        assert_eq!(convert(&schema, "json", "json", text.as_bytes()).unwrap(), expected);
        for wrong in [r#""ab"#, "\"ab\n\"", r#""ab\x""#, "\"\u{e4}\"", "7"] {
            convert(&schema, "json", "json", wrong.as_bytes()).unwrap_err();
        }
    }
}

#[test]
fn an_escape_that_no_byte_can_save_is_no_end() {
    let kind = |text: &str| convert(&any(), "json", "json", text.as_bytes()).unwrap_err().kind();
    assert_eq!(kind(r#""\uZ"#), wirewise_core::ErrorKind::Syntax);
    assert_eq!(kind(r#""\u00"#), wirewise_core::ErrorKind::End);
    assert_eq!(kind(r#""\ud800\udc"#), wirewise_core::ErrorKind::End);
    assert_eq!(kind(r#""\ud800\ux"#), wirewise_core::ErrorKind::Syntax);
}

#[test]
fn symbols_of_large_enums_are_found_at_once() {
    // Looking at all symbols for each name would take minutes.
    let symbols: Vec<_> = (0..100_000).map(|i| format!(r#"{{"number": {}, "name": "s{i}"}}"#, i * 3)).collect();
    let schema = format!(
        r#"{{"wirewise": "schema/1", "root": {{"list": "E"}}, "types": [{{"enum": "E", "closed": true, "symbols": [{}]}}]}}"#,
        symbols.join(",")
    );
    let schema = Arc::new(Schema::parse(&schema).unwrap());
    let names: Vec<_> = (0..100_000).rev().map(|i| format!(r#""s{i}""#)).collect();
    let text = format!("[{}]", names.join(","));
    assert_eq!(convert(&schema, "json", "json", text.as_bytes()).unwrap(), text);
}
