//! Protobuf's JSON as Google's Python library writes it: `conformance/protobuf/protojson.py`.

use std::sync::Arc;

use serde_json::Value as Json;
use wirewise_core::{Arena, Limits, LossKind, Losses, Schema, diff};
use wirewise_formats::{Codec, plan};
use wirewise_idl::with_zeros;
use wirewise_testkit::random::Rng;

use super::{proto, read};

fn file(name: &str) -> Vec<u8> {
    let path = wirewise_testkit::root().join("conformance/protobuf").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn schema() -> Arc<Schema> {
    let module = read(&String::from_utf8(file("protojson.proto")).unwrap());
    let schema = module.schema_of(Some("ProtoJson")).unwrap();
    Arc::new(with_zeros(&schema, proto()))
}

fn convert(from: &dyn Codec, to: &dyn Codec, input: &[u8]) -> wirewise_core::Result<Vec<u8>> {
    let (mut arena, mut losses, mut out) = (Arena::new(Limits::default()), Losses::none(), Vec::new());
    let document = from.decode(input, &mut arena, &mut losses)?;
    to.encode(&document, &mut out, &mut losses)?;
    Ok(out)
}

/// All numbers as floats: Python writes a `Value` of 1 as `1.0`.
fn plain(json: &[u8]) -> Json {
    fn floats(json: &mut Json) {
        match json {
            Json::Number(number) => *json = number.as_f64().into(),
            Json::Array(items) => items.iter_mut().for_each(floats),
            Json::Object(members) => members.values_mut().for_each(floats),
            _ => {}
        }
    }
    let mut json = serde_json::from_slice(json).unwrap();
    floats(&mut json);
    json
}

#[test]
fn python_writes_the_same() {
    let schema = schema();
    let (protobuf, json) = (plan("protobuf", &schema).unwrap(), plan("protojson", &schema).unwrap());
    let payloads = file("protojson.delimited");
    let (mut rest, mut count) = (&payloads[..], 0);
    for line in file("protojson.json").split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let (mut len, mut width) = (0, 0);
        while rest[width] >= 0x80 {
            len |= usize::from(rest[width] & 0x7f) << (7 * width);
            width += 1;
        }
        len |= usize::from(rest[width]) << (7 * width);
        let (payload, after) = rest[width + 1..].split_at(len);
        (rest, count) = (after, count + 1);
        assert_eq!(convert(&*json, &*protobuf, line).unwrap(), payload, "{}", String::from_utf8_lossy(line));
        let written = convert(&*protobuf, &*json, payload).unwrap();
        assert_eq!(plain(&written), plain(line), "{}", String::from_utf8_lossy(&written));
    }
    assert_eq!((count, rest.len()), (2, 0));
}

fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        let at = rng.below(bytes.len().max(1));
        match rng.below(4) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 => bytes.insert(at, *rng.pick(b"\"{}[],:0-1.e\\_x\x00\x80\xff")),
            2 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            _ => {
                let piece = bytes[at..bytes.len().min(at + rng.below(40))].to_vec();
                let to = rng.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
        }
    }
    bytes
}

/// What is read of any bytes can be written, and is read again as the same.
#[test]
fn mutated_messages_are_errors_or_valid() {
    let schema = schema();
    let (protobuf, json) = (plan("protobuf", &schema).unwrap(), plan("protojson", &schema).unwrap());
    let text = file("protojson.json");
    let line = text.split(|&byte| byte == b'\n').nth(1).unwrap();
    let payload = convert(&*json, &*protobuf, line).unwrap();
    let mut rng = Rng::new(7);
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut valid = [0, 0];
    for _ in 0..20_000 {
        let bytes = mutated(line, &mut rng);
        let mut losses = Losses::allowing(LossKind::ALL);
        if let Ok(document) = json.decode(&bytes, &mut first, &mut losses) {
            valid[0] += 1;
            let mut out = Vec::new();
            let shown = || String::from_utf8_lossy(&bytes).into_owned();
            json.encode(&document, &mut out, &mut Losses::none()).unwrap_or_else(|e| panic!("{e}: {}", shown()));
            let again = json.decode(&out, &mut second, &mut Losses::none());
            let again = again.unwrap_or_else(|error| panic!("{error}: {}", shown()));
            assert_eq!(diff(&document, &again).map(|difference| difference.to_string()), None, "{}", shown());
        }
        let bytes = mutated(&payload, &mut rng);
        let mut losses = Losses::allowing(LossKind::ALL);
        if let Ok(document) = protobuf.decode(&bytes, &mut first, &mut losses) {
            let mut out = Vec::new();
            if json.encode(&document, &mut out, &mut losses).is_ok() {
                valid[1] += 1;
                let again = json.decode(&out, &mut second, &mut Losses::none()).map(drop);
                again.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out)));
            }
        }
    }
    assert!(valid[0] > 1000 && valid[1] > 1000, "too few are valid: {valid:?}");
}

#[test]
fn what_has_no_form_is_refused_and_says_why() {
    let schema = schema();
    let json = plan("protojson", &schema).unwrap();
    let plain = plan("json", &schema).unwrap();
    let error = |text: &str| convert(&*json, &*json, text.as_bytes()).unwrap_err().to_string();
    for (text, expected) in [
        (
            r#"{"createdAt": "2026-11-21t00:00:00Z"}"#,
            "expected an instant such as \"2026-11-21T12:00:00.5Z\" in the years 0001 to 9999, at byte 14, in $.created_at",
        ),
        (
            r#"{"took": "1m"}"#,
            "expected a duration such as \"1.5s\", of at most 315576000000 seconds, at byte 9, in $.took",
        ),
        (r#"{"mask": "a_b"}"#, "expected paths in lowerCamelCase with commas between them, at byte 9, in $.mask"),
        (r#"{"largeNumber": 1.5}"#, "1.5 is no int64, at byte 16, in $.large_number"),
        (r#"{"largeNumber": "1e19"}"#, "1e19 does not fit int64, at byte 16, in $.large_number"),
        (r#"{"largeNumber": " 1"}"#, "expected a number, found \" 1\", at byte 16, in $.large_number"),
        (r#"{"large_number": 1, "largeNumber": 1}"#, "the object has the field \"large_number\" twice, at byte 20"),
        (
            r#"{"asText": "", "asNull": null}"#,
            "\"as_text\" and \"as_null\" are both there, but oneof \"choice\" takes one of them, at byte 0",
        ),
        (r#"{"colors": [null]}"#, "expected wirewise.conformance.Color, found null, at byte 12, in $.colors[0]"),
        (
            r#"{"colors": ["COLOR_PINK"]}"#,
            "enum wirewise.conformance.Color has no symbol \"COLOR_PINK\", at byte 12, in $.colors[0]",
        ),
        (r#"{"things": [{"a": 1}]}"#, "an Any says no \"@type\", at byte 12, in $.things[0]"),
        (
            r#"{"things": [{"@type": "a/b.C"}]}"#,
            "the schema has no message type \"b.C\", at byte 12, in $.things[0]; \
             what an Any holds must be declared in the schema, or in what it imports",
        ),
        (
            r#"{"things": [{"@type": "/google.protobuf.Duration"}]}"#,
            "an Any of google.protobuf.Duration has no \"value\", at byte 12, in $.things[0]",
        ),
    ] {
        assert_eq!(error(text), expected);
    }
    let error = |text: &str| convert(&*plain, &*json, text.as_bytes()).unwrap_err().to_string();
    for (text, expected) in [
        (
            r#"{"created_at": {"seconds": 253402300800}}"#,
            "a timestamp is outside the years 0001 to 9999, and so has no form in Protobuf's JSON, in $.created_at",
        ),
        (
            r#"{"mask": {"paths": ["aB"]}}"#,
            "a path has a capital letter, and so has no form in Protobuf's JSON, in $.mask",
        ),
        (r#"{"value": {}}"#, "a google.protobuf.Value has no value, and so has no form in Protobuf's JSON, in $.value"),
        (
            r#"{"things": [{"type_url": "/wirewise.conformance.Point", "value": "CA=="}]}"#,
            "an Any holds no valid wirewise.conformance.Point: the input ends, but the end of a varint should follow, \
             at byte 1, in $.x_position, in $.things[0]",
        ),
    ] {
        assert_eq!(error(text), expected);
    }
}

/// Messages in an `Any` in an `Any`, ...: each is decoded only when it is written.
#[test]
fn any_in_any_is_bounded() {
    let schema = schema();
    let (protobuf, json) = (plan("protobuf", &schema).unwrap(), plan("protojson", &schema).unwrap());
    let url = b"/google.protobuf.Any";
    let mut payload = Vec::new();
    for _ in 0..2000 {
        let mut outer = vec![0x0a, url.len() as u8];
        outer.extend_from_slice(url);
        outer.push(0x12);
        let mut len = payload.len();
        while len >= 0x80 {
            outer.push(len as u8 | 0x80);
            len >>= 7;
        }
        outer.push(len as u8);
        outer.append(&mut payload);
        payload = outer;
    }
    let mut message = vec![0xca, 0x01];
    let mut len = payload.len();
    while len >= 0x80 {
        message.push(len as u8 | 0x80);
        len >>= 7;
    }
    message.push(len as u8);
    message.append(&mut payload);
    let error = convert(&*protobuf, &*json, &message).unwrap_err();
    assert_eq!(error.kind(), wirewise_core::ErrorKind::Limit, "{error}");
    let text = r#"{"@type":"/google.protobuf.Any","value":"#.repeat(2000);
    let text = format!(r#"{{"things":[{text}{{}}{}]}}"#, "}".repeat(2000));
    let error = convert(&*json, &*protobuf, text.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), wirewise_core::ErrorKind::Limit, "{error}");
}
