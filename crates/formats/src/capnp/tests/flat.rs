//! Lists of structs that are read and written as a whole: the same as one by one.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, LossKind, Losses, Recorder, Schema, diff};

use super::values::{record, schema};
use crate::plan;
use crate::testing::{NUMBERS, convert};

fn list(fields: &str) -> Arc<Schema> {
    schema(&format!(r#""root": {{"list": "R"}}, "types": [{{"record": "R", "fields": [{fields}]}}]"#))
}

/// Records of which every one is different, more than one block of them.
fn rows() -> Vec<String> {
    let row = |i: i64| {
        let n = i - 150;
        format!(
            r#"{{"flag":{},"on":{},"i8":{},"u8":{},"i16":{},"u16":{},"i32":{},"u32":{},"i64":{},"u64":{},"f32":{n}.5,"f64":{n}.25}}"#,
            i % 2 == 0,
            i % 3 == 0,
            n.clamp(-128, 127),
            i % 256,
            n * 200,
            i * 200,
            n * 14_000_000,
            i * 14_000_000,
            n * 30_000_000_000_000_000,
            i as u64 * 60_000_000_000_000_000,
        )
    };
    (0..300).map(row).collect()
}

#[test]
fn a_list_of_scalars_is_the_same_as_its_structs_one_by_one() {
    let (whole, one) = (list(NUMBERS), record(NUMBERS));
    let text = format!("[{}]", rows().join(","));
    let losses = &mut Losses::none();
    let message = convert(&whole, "json", "capnp", text.as_bytes(), losses).unwrap();
    assert_eq!(convert(&whole, "capnp", "json", &message, losses).unwrap(), text.as_bytes());
    // Behind the table: a pointer to the root, its pointer, a tag.
    let mut structs = message[32..].chunks(message[32..].len() / rows().len());
    for row in rows() {
        let alone = convert(&one, "json", "capnp", row.as_bytes(), losses).unwrap();
        assert_eq!(structs.next().unwrap(), &alone[16..], "{row}");
    }
    // Where every byte is explained, structs are read one by one.
    let codec = plan("capnp", &whole).unwrap();
    let (mut left, mut right) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let read = codec.decode(&message, &mut left, losses).unwrap();
    codec.trace(&message, &mut right, losses, &mut Recorder::default()).unwrap();
    assert_eq!(diff(&read, &Document::new(&whole, &message, &right)), None);
    // What is written does not depend on how the records lie in the arena: optional fields keep them from lying in a row.
    let packed = convert(&whole, "capnp", "capnp-packed", &message, losses).unwrap();
    assert_eq!(convert(&whole, "capnp-packed", "capnp", &packed, losses).unwrap(), message);
}

#[test]
fn data_of_no_field_in_a_list_of_scalars_is_a_loss() {
    let schema = list(r#"{"number": 1, "name": "flag", "type": "bool"}, {"number": 2, "name": "n", "type": "int64"}"#);
    let text = br#"[{"flag":true,"n":1},{"flag":false,"n":2},{"flag":true,"n":3}]"#;
    let mut message = convert(&schema, "json", "capnp", text, &mut Losses::none()).unwrap();
    message[32 + 2 * 16 + 3] = 1;
    let error = convert(&schema, "capnp", "json", &message, &mut Losses::none()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::Loss(LossKind::UnknownField), Some(64)), "{error}");
    assert!(error.to_string().contains("[2]"), "{error}");
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    assert_eq!(convert(&schema, "capnp", "json", &message, &mut losses).unwrap(), text);
}

#[test]
fn a_list_of_scalars_obeys_the_limits() {
    let schema = list(NUMBERS);
    let text = format!("[{}]", rows().join(","));
    let message = convert(&schema, "json", "capnp", text.as_bytes(), &mut Losses::none()).unwrap();
    let codec = plan("capnp", &schema).unwrap();
    let read = |limits| {
        let mut arena = Arena::new(limits);
        codec.decode(&message, &mut arena, &mut Losses::none()).map(drop).map_err(|error| error.kind())
    };
    // Without the index of each record, 300 records of 12 cells have 28,800 bytes.
    assert_eq!(read(Limits { memory_bytes: 29_000, ..Limits::default() }), Err(ErrorKind::Limit));
    assert_eq!(read(Limits { memory_bytes: 32_000, ..Limits::default() }), Ok(()));
    assert_eq!(read(Limits { depth: 1, ..Limits::default() }), Err(ErrorKind::Limit));
    assert_eq!(read(Limits { depth: 2, ..Limits::default() }), Ok(()));
}

#[test]
fn lists_of_scalars_and_texts_are_read_as_their_structs_one_by_one() {
    let schema = list(
        r#"{"number": 1, "name": "name", "type": "string"}, {"number": 2, "name": "n", "type": "int32"},
           {"number": 3, "name": "text", "type": "string"}"#,
    );
    let text =
        r#"[{"name":"a","n":-1,"text":"a longer one"},{"name":"","n":2,"text":"ä"},{"name":"c","n":3,"text":""}]"#;
    let mut message = convert(&schema, "json", "capnp", text.as_bytes(), &mut Losses::none()).unwrap();
    for variant in ["capnp", "capnp-packed"] {
        let other = convert(&schema, "capnp", variant, &message, &mut Losses::none()).unwrap();
        assert_eq!(convert(&schema, variant, "json", &other, &mut Losses::none()).unwrap(), text.as_bytes());
    }
    // A null pointer is an empty text.
    let tag = 24;
    message[tag + 8 + 2 * 24 + 16..][..8].fill(0);
    assert_eq!(convert(&schema, "capnp", "json", &message, &mut Losses::none()).unwrap(), text.as_bytes());
    // Whatever one byte is changed to: the same as with all bytes explained, where structs are read one by one.
    let codec = plan("capnp", &schema).unwrap();
    for at in 0..message.len() {
        for change in [1, 2, 4, 8, 0x80, 0xFF] {
            let mut message = message.clone();
            message[at] ^= change;
            let (mut left, mut right) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
            let (one, other) = (&mut Losses::none(), &mut Losses::none());
            let read = codec.decode(&message, &mut left, one);
            let traced = codec.trace(&message, &mut right, other, &mut Recorder::default());
            match (read, traced) {
                (Ok(read), Ok(_)) => assert_eq!(diff(&read, &Document::new(&schema, &message, &right)), None),
                (Ok(_), Err(error)) => panic!("byte {at}: {error}"),
                // Bytes that follow the message: no matter of the codec's own.
                (Err(error), Ok(used)) => assert_eq!(error.offset(), Some(used), "byte {at}: {error}"),
                (Err(error), Err(traced)) => assert_eq!(error.to_string(), traced.to_string(), "byte {at}"),
            }
        }
    }
}
