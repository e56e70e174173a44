//! Vectors of tables of scalars that are read and written without asking what each is: the same as one by one.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, LossKind, Losses, Recorder, Schema, diff};

use crate::plan;
use crate::testing::{NUMBERS, convert};

fn schema(root: &str, fields: &str) -> Arc<Schema> {
    let types = format!(r#"[{{"record": "R", "fields": [{fields}]}}]"#);
    Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": {types}}}"#)).unwrap())
}

/// Records of which every one is different, and some have fields that are not written.
fn text(count: i64) -> String {
    let row = |i: i64| {
        let n = i - 150;
        format!(
            r#"{{"flag":{},"on":{},"i8":{},"u8":{},"i16":{},"u16":{},"i32":{},"u32":{},"i64":{},"u64":{},"f32":{n}.5,"f64":{}.5}}"#,
            i % 40 == 0,
            i % 30 == 0,
            n.clamp(-128, 127),
            i % 256,
            n * 200,
            i * 200,
            n * 14_000_000,
            i * 14_000_000,
            n * 30_000_000_000_000_000,
            i as u64 * 60_000_000_000_000_000,
            i % 9,
        )
    };
    format!("[{}]", (0..count).map(row).collect::<Vec<_>>().join(","))
}

const LIST: &str = r#"{"list": "R"}"#;

#[test]
fn a_vector_of_scalars_is_the_same_as_its_tables_one_by_one() {
    let (schema, losses, text) = (schema(LIST, NUMBERS), &mut Losses::none(), text(300));
    for variant in ["flatbuffers", "flatbuffers-size-prefixed"] {
        let message = convert(&schema, "json", variant, text.as_bytes(), losses).unwrap();
        assert_eq!(String::from_utf8(convert(&schema, variant, "json", &message, losses).unwrap()).unwrap(), text);
        // Where every byte is explained, tables are read one by one.
        let codec = plan(variant, &schema).unwrap();
        let (mut left, mut right) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
        let read = codec.decode(&message, &mut left, losses).unwrap();
        codec.trace(&message, &mut right, losses, &mut Recorder::default()).unwrap();
        assert_eq!(diff(&read, &Document::new(&schema, &message, &right)), None);
    }
}

#[test]
fn what_is_wrong_in_a_vector_of_scalars_has_its_place() {
    let fields = r#"{"number": 1, "name": "a", "type": "int64"}, {"number": 2, "name": "b", "type": "int32"}"#;
    every_change(&schema(LIST, fields), r#"[{"a":1,"b":2},{"a":3,"b":4},{"a":5,"b":6}]"#);
    let texts = r#"{"number": 3, "name": "c", "type": "string"}, {"number": 4, "name": "d", "type": "string"}"#;
    let text = r#"[{"a":1,"b":2,"c":"","d":"a longer one"},{"a":3,"b":0,"c":"ä","d":"four"}]"#;
    every_change(&schema(LIST, &format!("{fields}, {texts}")), text);
}

fn every_change(schema: &Arc<Schema>, text: &str) {
    let message = convert(schema, "json", "flatbuffers", text.as_bytes(), &mut Losses::none()).unwrap();
    assert_eq!(convert(schema, "flatbuffers", "json", &message, &mut Losses::none()).unwrap(), text.as_bytes());
    let codec = plan("flatbuffers", schema).unwrap();
    // Whatever one byte is changed to: the same as with all bytes explained.
    for at in 0..message.len() {
        for change in [1, 2, 4, 0x80, 0xFF] {
            let mut message = message.clone();
            message[at] ^= change;
            let (mut left, mut right) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
            let (one, other) = (&mut Losses::none(), &mut Losses::none());
            let read = codec.decode(&message, &mut left, one);
            let traced = codec.trace(&message, &mut right, other, &mut Recorder::default());
            match (read, traced) {
                (Ok(read), Ok(_)) => assert_eq!(diff(&read, &Document::new(schema, &message, &right)), None),
                (read, traced) => {
                    let (read, traced) = (read.map(drop).unwrap_err(), traced.unwrap_err());
                    assert_eq!(read.to_string(), traced.to_string(), "byte {at}");
                }
            }
        }
    }
}

#[test]
fn fields_of_a_newer_schema_in_a_vector_of_scalars_are_a_loss() {
    let old = schema(LIST, r#"{"number": 1, "name": "a", "type": "int64"}"#);
    let new =
        schema(LIST, r#"{"number": 1, "name": "a", "type": "int64"}, {"number": 2, "name": "b", "type": "int64"}"#);
    let text = br#"[{"a":1,"b":0},{"a":2,"b":3}]"#;
    let message = convert(&new, "json", "flatbuffers", text, &mut Losses::none()).unwrap();
    let error = convert(&old, "flatbuffers", "json", &message, &mut Losses::none()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Loss(LossKind::UnknownField), "{error}");
    assert!(error.to_string().contains("[1]"), "{error}");
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    assert_eq!(convert(&old, "flatbuffers", "json", &message, &mut losses).unwrap(), br#"[{"a":1},{"a":2}]"#);
    assert_eq!(losses.total(), 1);
}

#[test]
fn a_vector_of_scalars_obeys_the_limits() {
    let schema = schema(LIST, NUMBERS);
    let message = convert(&schema, "json", "flatbuffers", text(300).as_bytes(), &mut Losses::none()).unwrap();
    let codec = plan("flatbuffers", &schema).unwrap();
    let read = |limits| {
        let mut arena = Arena::new(limits);
        codec.decode(&message, &mut arena, &mut Losses::none()).map(drop).map_err(|error| error.kind())
    };
    // Without the index of each record, 300 records of 12 cells have 28,800 bytes.
    assert_eq!(read(Limits { memory_bytes: 29_000, ..Limits::default() }), Err(ErrorKind::Limit));
    assert_eq!(read(Limits { memory_bytes: 32_000, ..Limits::default() }), Ok(()));
    assert_eq!(read(Limits { depth: 0, ..Limits::default() }), Err(ErrorKind::Limit));
    assert_eq!(read(Limits { depth: 1, ..Limits::default() }), Ok(()));
}
