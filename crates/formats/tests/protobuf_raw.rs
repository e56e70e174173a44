//! Protobuf explained without a schema.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, Recorder, Result, Span};
use wirewise_formats::find;
use wirewise_testkit::random::{self, Rng};

fn explain(variant: &str, bytes: &[u8]) -> (Result<usize>, Vec<Span>) {
    let (format, variant) = find(variant).unwrap();
    let mut recorder = Recorder::new();
    let used = format.explain(variant, bytes, &Limits::default(), &mut recorder);
    (used, recorder.finish())
}

/// Spans as lines of text.
fn shown(spans: &[Span]) -> Vec<String> {
    let line = |span: &Span| {
        let Span { bytes, role, path, what, value, .. } = span;
        format!("{}-{} {} {path} {what}: {value}", bytes.start, bytes.end, role.name())
    };
    spans.iter().map(|span| line(span).trim_end_matches(": ").to_owned()).collect()
}

/// Up to where spans that begin at the start follow each other.
fn covered(spans: &[Span]) -> usize {
    spans.iter().fold(0, |end, span| {
        assert_eq!(span.bytes.start, end, "{:#?}", shown(spans));
        span.bytes.end
    })
}

#[test]
fn every_byte_of_a_message_is_explained_once() {
    for seed in 0..300 {
        let schema = Arc::new(if seed % 3 == 0 { random::wild_schema(seed) } else { random::schema(seed) });
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        for variant in ["protobuf", "protobuf-delimited"] {
            let mut payload = Vec::new();
            let codec = wirewise_formats::plan(variant, &schema).unwrap();
            if codec.encode(&Document::new(&schema, b"", &arena), &mut payload, &mut Losses::none()).is_err() {
                continue;
            }
            let (used, spans) = explain(variant, &payload);
            assert_eq!(used.unwrap(), payload.len(), "seed {seed}, {variant}");
            assert_eq!(covered(&spans), payload.len(), "seed {seed}, {variant}");

            // What is cut is explained up to there but for a number in its middle.
            for end in (0..payload.len()).step_by(payload.len() / 20 + 1) {
                let (used, spans) = explain(variant, &payload[..end]);
                let covered = covered(&spans);
                match used {
                    Ok(used) => assert_eq!((used, covered), (end, end)),
                    Err(error) => {
                        assert_eq!((error.kind(), error.offset()), (ErrorKind::End, Some(end)), "{error}");
                        assert!(covered + 10 > end, "seed {seed}, {variant}: {error}, {covered} of {end}");
                    }
                }
            }
        }
    }
}

#[test]
fn plausible_readings_are_shown() {
    let message =
        b"\x08\x96\x01\x12\x03Ada\x1a\x04\x08\x01\x10\x02\x12\x00\x25\x00\x00\xc0\x3f\x2b\x08\x01\x08\x02\x2c\
        \x31\x00\x00\x00\x00\x00\x00\xd0\x3f\x3a\x03\x03\x8e\x02";
    let (used, spans) = explain("protobuf", message);
    assert_eq!(used.unwrap(), message.len());
    let expected = [
        "0-1 tag $.1 tag 1, varint",
        "1-3 payload $.1 varint: uint 150 | sint 75",
        "3-4 tag $.2[0] tag 2, length-delimited",
        "4-5 length $.2[0] length: 3",
        "5-8 payload $.2[0] string: \"Ada\"",
        "8-9 tag $.3 tag 3, length-delimited",
        "9-10 length $.3 length of a message: 4 | varints 8, 1, 16, 2",
        "10-11 tag $.3.1 tag 1, varint",
        "11-12 payload $.3.1 varint: uint 1 | sint -1 | bool true",
        "12-13 tag $.3.2 tag 2, varint",
        "13-14 payload $.3.2 varint: uint 2 | sint 1",
        "14-15 tag $.2[1] tag 2, length-delimited",
        "15-16 length $.2[1] length: 0: an empty text, message or list",
        "16-17 tag $.4 tag 4, 32-bit",
        "17-21 payload $.4 32-bit: float 1.5 | uint 1069547520",
        "21-22 tag $.5 tag 5, group start",
        "22-23 tag $.5.1[0] tag 1, varint",
        "23-24 payload $.5.1[0] varint: uint 1 | sint -1 | bool true",
        "24-25 tag $.5.1[1] tag 1, varint",
        "25-26 payload $.5.1[1] varint: uint 2 | sint 1",
        "26-27 tag $.5 tag 5, group end",
        "27-28 tag $.6 tag 6, 64-bit",
        "28-36 payload $.6 64-bit: double 0.25 | uint 4598175219545276416",
        "36-37 tag $.7 tag 7, length-delimited",
        "37-38 length $.7 length: 3",
        "38-41 payload $.7 bytes: 0x038e02 | varints 3, 270",
    ];
    assert_eq!(shown(&spans), expected);

    let delimited = [&[message.len() as u8][..], message, b"\x02"].concat();
    let (used, spans) = explain("protobuf-delimited", &delimited);
    assert_eq!((used.unwrap(), covered(&spans)), (message.len() + 1, message.len() + 1));
    assert_eq!(shown(&spans)[0], "0-1 length $ length of the message: 41");
}

#[test]
fn what_is_broken_is_explained_up_to_there() {
    let cases: [(&str, &[u8], usize, usize, &str); 9] = [
        ("protobuf", b"\x08\x01\x07", 2, 2, "there is no wire type 7"),
        ("protobuf", b"\x08\x01\x00", 2, 2, "a field has the number 0"),
        ("protobuf", b"\x08\xff", 1, 2, "the input ends, but the end of a varint should follow"),
        ("protobuf", b"\x12\x07Ada", 5, 5, "the input ends, but 4 more bytes of a value should follow"),
        ("protobuf", b"\x0b\x08\x01", 3, 3, "the input ends, but the end of group 1 should follow"),
        ("protobuf", b"\x0b\x08\x01\x14", 3, 3, "group 2 ends inside group 1"),
        ("protobuf", b"\x08\x01\x0c", 2, 2, "group 1 ends, but none has begun"),
        (
            "protobuf-delimited",
            b"\x09\x08\x01\x10",
            4,
            4,
            "the input ends, but 6 more bytes of a message should follow",
        ),
        ("protobuf-delimited", b"\x02\x08\xff\x01", 2, 3, "the message ends, but the end of a varint should follow"),
    ];
    for (variant, bytes, explained, offset, what) in cases {
        let (used, spans) = explain(variant, bytes);
        let error = used.unwrap_err();
        assert_eq!((covered(&spans), error.offset(), error.message()), (explained, Some(offset), what), "{bytes:02x?}");
    }
}

/// Everything that may be a message is looked into: the work must not multiply with each level.
///
/// That it ends is enough, and no time is asserted: work that doubles 120 times, or that is done for all pairs of a
/// million groups, has no end.
#[test]
fn nesting_costs_no_more_than_its_bytes() {
    let nested = |levels: usize, mut bytes: Vec<u8>| {
        for _ in 0..levels {
            let mut outer = vec![0x0a];
            let mut len = bytes.len();
            while len >= 0x80 {
                outer.push(len as u8 | 0x80);
                len >>= 7;
            }
            outer.push(len as u8);
            outer.append(&mut bytes);
            bytes = outer;
        }
        bytes
    };
    let (used, spans) = explain("protobuf", &nested(10_000, vec![8, 1]));
    assert!(used.is_ok() && spans.len() < 1000, "{}", spans.len());
    let fields = |count: usize| [8, 1].repeat(count);
    let hostile = [
        nested(120, fields(50_000)),
        // Every level may be two.
        (0..16).fold(vec![8, 1], |bytes, _| nested(1, bytes).repeat(2)),
        [0x0b].repeat(1_000_000),
        [[0x0b].repeat(100), fields(50_000), [0x0c].repeat(100)].concat(),
        [0x0b, 0x0c].repeat(1_000_000),
        nested(1, vec![0xff; 1_000_000]),
        (0..50_000u32).flat_map(|i| [0x80 | (i as u8) << 3, 1 + (i >> 5) as u8 % 127, 0]).collect(),
    ];
    for bytes in &hostile {
        drop(explain("protobuf", bytes));
        drop(explain("protobuf-delimited", bytes));
    }
    let mut rng = Rng::new(5);
    for _ in 0..20_000 {
        let bytes: Vec<u8> =
            (0..rng.below(80)).map(|_| *rng.pick(&[0, 1, 2, 8, 10, 11, 12, 13, 18, 99, 255])).collect();
        for variant in ["protobuf", "protobuf-delimited"] {
            let (used, spans) = explain(variant, &bytes);
            let covered = covered(&spans);
            assert!(used.is_err() || used == Ok(covered), "{bytes:02x?}: {:#?}", shown(&spans));
        }
    }
}
