//! Traced decoding of Protobuf: every byte is explained once, and the document is the same as without a trace.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, LossKind, Losses, Recorder, Role, diff};
use wirewise_testkit::random;

#[test]
fn spans_cover_every_byte_once() {
    for seed in 0..300 {
        let schema = random::schema(seed);
        let schema = Arc::new(if seed % 3 == 0 { schema.list_of() } else { schema });
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        for variant in ["protobuf", "protobuf-delimited"] {
            let codec = wirewise_formats::plan(variant, &schema).unwrap();
            let mut payload = Vec::new();
            let document = Document::new(&schema, b"", &arena);
            if codec.encode(&document, &mut payload, &mut Losses::none()).is_err() {
                continue;
            }
            let mut traced = Arena::new(Limits::default());
            let mut recorder = Recorder::new();
            let used = codec.trace(&payload, &mut traced, &mut Losses::none(), &mut recorder).unwrap();
            assert_eq!(used, payload.len());
            assert_eq!(diff(&document, &Document::new(&schema, &payload, &traced)), None);
            let mut at = 0;
            for span in recorder.finish() {
                assert_eq!(span.bytes.start, at, "seed {seed}, {variant}: {span:?}");
                at = span.bytes.end;
            }
            assert_eq!(at, payload.len(), "seed {seed}, {variant}");
        }
    }
}

#[test]
fn spans_say_what_the_bytes_are() {
    let schema = Arc::new(
        wirewise_core::Schema::parse(
            r#"{"wirewise": "schema/1", "root": "R", "types": [{"record": "R", "fields": [
                {"number": 1, "name": "id", "type": {"scalar": "int32", "notes": {"protobuf.type": "sint32"}}},
                {"number": 2, "name": "tags", "type": {"list": "string"}},
                {"number": 3, "name": "sizes", "type": {"map": "int32"}},
                {"number": 4, "name": "marks", "type": {"list": "bool"}},
                {"number": 5, "name": "next", "type": "R", "presence": "optional",
                 "notes": {"protobuf.encoding": "delimited"}}]}]}"#,
        )
        .unwrap(),
    );
    let payload = b"\x08\x03\x12\x02ab\x1a\x05\x0a\x01k\x10\x07\x22\x02\x01\x00\x2b\x08\x02\x2c\x38\x01";
    let codec = wirewise_formats::plan("protobuf", &schema).unwrap();
    let mut recorder = Recorder::new();
    let mut losses = Losses::allowing([LossKind::UnknownField]);
    codec.trace(payload, &mut Arena::new(Limits::default()), &mut losses, &mut recorder).unwrap();
    assert_eq!(losses.total(), 1);
    let spans = recorder.finish();
    let rows = spans.iter().map(|span| {
        format!(
            "{}-{} {} {} {} {}",
            span.bytes.start,
            span.bytes.end,
            span.role.name(),
            span.path,
            span.what,
            span.value
        )
    });
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    let expected = [
        "0-1 tag $.id tag 1, varint",
        "1-2 payload $.id sint32 -2",
        "2-3 tag $.tags tag 2, length-delimited",
        "3-4 length $.tags[0] length 2",
        "4-6 payload $.tags[0] string \"ab\"",
        "6-7 tag $.sizes tag 3, length-delimited",
        "7-8 length $.sizes length 5",
        "8-9 tag $.sizes tag 1, length-delimited",
        "9-10 length $.sizes length 1",
        "10-11 payload $.sizes string \"k\"",
        "11-12 tag $.sizes.k tag 2, varint",
        "12-13 payload $.sizes.k int32 7",
        "13-14 tag $.marks tag 4, length-delimited",
        "14-15 length $.marks length 2",
        "15-16 payload $.marks[0] bool true",
        "16-17 payload $.marks[1] bool false",
        "17-18 tag $.next tag 5, group start",
        "18-19 tag $.next.id tag 1, varint",
        "19-20 payload $.next.id sint32 1",
        "20-21 tag $.next tag 5, group end",
        "21-23 unknown $ field 7, varint",
    ];
    assert_eq!(rows, expected);

    // What could be read of a broken message is explained.
    let mut recorder = Recorder::new();
    let error = codec.trace(&payload[..5], &mut Arena::new(Limits::default()), &mut losses, &mut recorder).unwrap_err();
    assert_eq!(error.offset(), Some(5));
    assert_eq!(recorder.finish().iter().filter(|span| span.role == Role::Tag).count(), 2);
}
