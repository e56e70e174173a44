//! Bytes of msgpack-python, and the MessagePack test suite.

mod binary;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{AnyValue, Arena, Document, ErrorKind, Limits, LossKind, Losses, Schema};
use wirewise_formats::plan;
use wirewise_testkit::root;

use binary::{any, convert, unhex};

#[test]
fn bytes_are_those_of_msgpack_python() {
    let folder = Path::new("msgpack");
    for case in ["profile", "everything"] {
        for variant in ["msgpack-named", "msgpack-positional"] {
            binary::check_golden(variant, folder, folder, case);
        }
    }
    let size = |name: &str| root().join("conformance/msgpack").join(name).metadata().unwrap().len();
    assert_eq!((size("profile.msgpack-named"), size("profile.msgpack-positional")), (173, 67));
}

/// All encodings of all values decode to the value, and the shortest one is what we write.
#[test]
fn test_suite() {
    let text = std::fs::read(root().join("conformance/msgpack/suite/msgpack-test-suite.json")).unwrap();
    let suite: Json = serde_json::from_slice(&text).unwrap();
    let mut encodings = 0;
    for (group, cases) in suite.as_object().unwrap() {
        for case in cases.as_array().unwrap() {
            let all: Vec<_> = case["msgpack"].as_array().unwrap().iter().map(|hex| hex.as_str().unwrap()).collect();
            for encoding in &all {
                let context = format!("{group}: {encoding} of {case}");
                check_any(case, &unhex(encoding), &context);
                check_typed(case, &unhex(encoding), &context);
                encodings += 1;
            }
            // A float is written as a double: its type is any, not float32.
            if !group.contains("float") {
                let written = convert(&any(), "msgpack", "msgpack", &unhex(all[0])).unwrap();
                let is_float = |encoding: &str| encoding.starts_with("ca") || encoding.starts_with("cb");
                let exact = all.iter().filter(|encoding| !is_float(encoding)).map(|encoding| unhex(encoding));
                let shortest = exact.clone().map(|encoding| encoding.len()).min();
                assert!(exact.clone().any(|encoding| encoding == written), "{group}: {case}");
                assert_eq!(Some(written.len()), shortest, "{group}: {case}");
            }
        }
    }
    assert_eq!(encodings, 233);
}

/// The value that carries its own type.
fn check_any(case: &Json, bytes: &[u8], context: &str) {
    let schema = any();
    let codec = plan("msgpack", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    let document = codec.decode(bytes, &mut arena, &mut Losses::none());
    let document = document.unwrap_or_else(|error| panic!("{error}: {context}"));
    let value = document.any(document.root());
    let tagged = |tag: u64, cell| match document.any(cell) {
        AnyValue::Bytes(data) => (tag as i64, data),
        other => panic!("{other:?}: {context}"),
    };
    for (kind, expected) in case.as_object().unwrap() {
        match (kind.as_str(), value) {
            ("msgpack", _) => {}
            ("nil" | "bool" | "string" | "array" | "map", _) => {
                assert_eq!(&as_json(&document), expected, "{context}");
            }
            ("number", AnyValue::Float(value)) => assert_eq!(Some(value), expected.as_f64(), "{context}"),
            ("number", AnyValue::Int(value)) => assert_eq!(Some(value), expected.as_i64(), "{context}"),
            ("bignum", AnyValue::Int(value)) => assert_eq!(value.to_string(), expected.as_str().unwrap(), "{context}"),
            ("bignum", AnyValue::Uint(value)) => assert_eq!(value.to_string(), expected.as_str().unwrap(), "{context}"),
            ("bignum", AnyValue::Float(value)) => {
                assert_eq!((value as i128).to_string(), expected.as_str().unwrap(), "{context}");
            }
            ("binary", AnyValue::Bytes(data)) => assert_eq!(data, unhex(expected.as_str().unwrap()), "{context}"),
            ("ext", AnyValue::Tagged(tag, cell)) => {
                let (kind, data) = tagged(tag, cell);
                assert_eq!(kind, expected[0].as_i64().unwrap(), "{context}");
                assert_eq!(data, unhex(expected[1].as_str().unwrap()), "{context}");
            }
            // What it stands for is checked below.
            ("timestamp", AnyValue::Tagged(tag, cell)) => assert_eq!(tagged(tag, cell).0, -1, "{context}"),
            _ => panic!("{value:?}: {context}"),
        }
    }
}

fn as_json(document: &Document<'_>) -> Json {
    let schema = any();
    let mut out = Vec::new();
    plan("json", &schema).unwrap().encode(document, &mut out, &mut Losses::none()).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// The value by a schema that says what it is.
fn check_typed(case: &Json, bytes: &[u8], context: &str) {
    let (number, bignum) = (case.get("number"), case.get("bignum").and_then(Json::as_str));
    let float = matches!(bytes[0], 0xca | 0xcb);
    if let Some(number) = number {
        let read: f64 = read_as(r#""float64""#, bytes).unwrap().parse().unwrap();
        assert_eq!(Some(read), number.as_f64(), "{context}");
    }
    let integer = bignum.map(str::to_owned).or(number.filter(|number| !number.is_f64()).map(Json::to_string));
    if let Some(integer) = integer {
        let ty = if integer.starts_with('-') { r#""int64""# } else { r#""uint64""# };
        match read_as(ty, bytes) {
            Ok(read) => assert_eq!(read, integer, "{context}"),
            Err(kind) => assert!(float && kind == ErrorKind::Data, "{context}"),
        }
    }
    if let Some(timestamp) = case.get("timestamp") {
        let (seconds, nanos) = (timestamp[0].as_i64().unwrap(), timestamp[1].as_i64().unwrap());
        let read = |unit: &str| read_ticks(unit, bytes);
        let seconds_only = if nanos == 0 { Some(seconds) } else { None };
        assert_eq!(read("timestamp-seconds"), seconds_only, "{context}");
        let ticks = seconds.checked_mul(1_000_000_000).and_then(|ticks| ticks.checked_add(nanos));
        assert_eq!(read("timestamp-nanos"), ticks, "{context}");
        let millis = seconds * 1000 + nanos / 1_000_000;
        assert_eq!(read("timestamp-millis"), (nanos % 1_000_000 == 0).then_some(millis), "{context}");
    }
}

/// The JSON text of a value of this type.
fn read_as(ty: &str, bytes: &[u8]) -> Result<String, ErrorKind> {
    let schema = Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {ty}}}"#)).unwrap());
    let out = convert(&schema, "msgpack", "json", bytes).map_err(|error| error.kind())?;
    Ok(String::from_utf8(out).unwrap())
}

/// The ticks of a timestamp; `None` when the unit cannot hold it.
fn read_ticks(unit: &str, bytes: &[u8]) -> Option<i64> {
    let ty = json!({"wirewise": "schema/1", "root": {"scalar": "int64", "logical": unit}});
    let schema = Arc::new(Schema::parse(&ty.to_string()).unwrap());
    let codec = plan("msgpack", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    match codec.decode(bytes, &mut arena, &mut Losses::none()) {
        Ok(document) => Some(document.root().as_i64()),
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Data | ErrorKind::Loss(LossKind::Precision)), "{error}");
            None
        }
    }
}

#[test]
fn random_bytes_are_errors_or_values() {
    binary::check_random_bytes("msgpack");
}
