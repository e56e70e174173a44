//! Bytes that are no messages, or that ask for more than they are.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, LossKind, Losses, Result, Schema, diff};
use wirewise_testkit::random::{self, Rng};

use super::values::{message, record, schema};
use crate::capnp::packed::{Unpacker, pack};
use crate::plan;
use crate::testing::convert;

fn read(schema: &Arc<Schema>, bytes: &[u8]) -> Result<String> {
    convert(schema, "capnp", "json", bytes, &mut Losses::none()).map(|json| String::from_utf8(json).unwrap())
}

/// A struct pointer to what follows it.
fn struct_pointer(data: u64, pointers: u64) -> u64 {
    data << 32 | pointers << 48
}

/// A list pointer `offset` words on.
fn list_pointer(offset: u64, code: u64, count: u64) -> u64 {
    1 | offset << 2 | code << 32 | count << 35
}

#[test]
fn errors_say_what_and_where() {
    let text = record(r#"{"number": 1, "name": "t", "type": "string"}"#);
    let far = |segment: u64, word: u64, double: u64| 2 | double << 2 | word << 3 | segment << 32;
    for (words, expected) in [
        (&[][..], "the first segment is empty: there is no root pointer, at byte 8"),
        (&[struct_pointer(1, 0)], "a pointer leads out of its segment, at byte 8"),
        (&[0xFFFF_FFF8 | 1 << 32], "a pointer leads out of its segment, at byte 8"),
        (&[list_pointer(0, 2, 0)], "expected a pointer to a struct, found one to a list, at byte 8"),
        (&[7], "a pointer of an unknown kind, at byte 8"),
        (&[3], "the message has a capability, which means nothing outside RPC, at byte 8"),
        (
            &[struct_pointer(0, 1), 0xFFFF_FFFC],
            "expected a pointer to string, found one to a struct, at byte 16, in $.t",
        ),
        (
            &[struct_pointer(0, 1), list_pointer(0, 3, 1), 0],
            "expected a pointer to string, found one to a list of something else than bytes, at byte 16, in $.t",
        ),
        (&[struct_pointer(0, 1), list_pointer(0, 2, 0)], "a text does not end with a zero byte, at byte 24, in $.t"),
        (
            &[struct_pointer(0, 1), list_pointer(0, 2, 2), 0x4141],
            "a text does not end with a zero byte, at byte 26, in $.t",
        ),
        (&[struct_pointer(0, 1), list_pointer(0, 2, 2), 0xFF], "the text is not valid UTF-8, at byte 24, in $.t"),
        (&[struct_pointer(0, 1), list_pointer(0, 2, 9), 0], "a pointer leads out of its segment, at byte 16, in $.t"),
        (&[far(1, 0, 0)], "a far pointer leads to segment 1, and there are 1, at byte 8"),
        (&[far(0, 1, 0)], "a pointer leads out of its segment, at byte 8"),
        (&[far(0, 1, 0), far(0, 1, 0)], "a far pointer leads to another far pointer, at byte 16"),
        (&[far(0, 1, 1), 0, 0], "the landing pad of a double-far pointer is no far pointer, at byte 16"),
        (&[far(0, 1, 1), far(0, 0, 0), 4], "the tag of a double-far pointer has an offset, at byte 24"),
        (&[far(0, 1, 1), far(0, 0, 0)], "a pointer leads out of its segment, at byte 8"),
    ] {
        assert_eq!(read(&text, &message(words)).unwrap_err().to_string(), expected, "{words:x?}");
    }
    let structs = schema(r#""root": {"list": "S"}, "types": [{"record": "S", "fields": []}]"#);
    for (words, expected) in [
        (
            &[struct_pointer(0, 1), list_pointer(0, 7, 0), 1],
            "the tag of a list of structs is no struct pointer, at byte 24",
        ),
        (
            &[struct_pointer(0, 1), list_pointer(0, 7, 0), 4 | 1 << 32],
            "the structs of a list take more space than the list has, at byte 24",
        ),
        (&[struct_pointer(0, 1), list_pointer(0, 7, 1), 0], "a pointer leads out of its segment, at byte 16"),
    ] {
        assert_eq!(read(&structs, &message(words)).unwrap_err().to_string(), expected, "{words:x?}");
    }
}

#[test]
fn small_messages_cannot_stand_for_huge_ones() {
    let huge = 0x1FFF_FFFF;
    let nulls = schema(r#""root": {"list": "null"}"#);
    let error = read(&nulls, &message(&[struct_pointer(0, 1), list_pointer(0, 0, huge)])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    let structs = schema(r#""root": {"list": "S"}, "types": [{"record": "S", "fields": []}]"#);
    let error = read(&structs, &message(&[struct_pointer(0, 1), list_pointer(0, 7, 0), huge << 2])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);

    // Each level has two pointers to the next: 2^60 structs in 120 words.
    let tree = record(
        r#"{"number": 1, "name": "a", "type": "R", "presence": "optional"},
           {"number": 2, "name": "b", "type": "R", "presence": "optional"}"#,
    );
    let mut words = vec![struct_pointer(0, 2)];
    for _ in 0..60 {
        words.push(4 | struct_pointer(0, 2));
        words.push(struct_pointer(0, 2));
    }
    words.extend([0, 0]);
    assert_eq!(read(&tree, &message(&words)).unwrap_err().kind(), ErrorKind::Limit);

    // A struct that points to itself: -3 words from its first pointer.
    let error = read(&tree, &message(&[struct_pointer(0, 2), 0xFFFF_FFF8 | struct_pointer(0, 2), 0])).unwrap_err();
    assert!(error.message().contains("deeper"), "{error}");

    // Defaults nest as the schema does: 2^30 records for a null pointer.
    let levels: Vec<String> = (0..30)
        .map(|i| {
            let next = i + 1;
            format!(
                r#"{{"record": "R{i}", "fields": [{{"number": 1, "name": "a", "type": "R{next}"}},
                    {{"number": 2, "name": "b", "type": "R{next}"}}]}}"#
            )
        })
        .collect();
    let wide = schema(&format!(r#""root": "R0", "types": [{}, {{"record": "R30", "fields": []}}]"#, levels.join(",")));
    assert_eq!(read(&wide, &message(&[0])).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn what_we_write_we_read() {
    // A list of nulls takes no space, and readers bound such lists.
    let nulls = schema(r#""root": {"list": "null"}"#);
    for (count, fits) in [(100_000, true), (200_000, false)] {
        let json = format!("[{}null]", "null,".repeat(count - 1));
        match convert(&nulls, "json", "capnp", json.as_bytes(), &mut Losses::none()) {
            Ok(message) => {
                assert!(fits);
                assert_eq!(read(&nulls, &message).unwrap(), json);
            }
            Err(error) => {
                assert!(!fits);
                assert_eq!(error.kind(), ErrorKind::Unsupported);
            }
        }
    }
}

#[test]
fn ends_are_told_from_errors() {
    let text = record(r#"{"number": 1, "name": "t", "type": "string"}"#);
    for variant in ["capnp", "capnp-packed"] {
        let whole = convert(&text, "json", variant, br#"{"t":"some text"}"#, &mut Losses::none()).unwrap();
        let codec = plan(variant, &text).unwrap();
        let mut arena = Arena::new(Limits::default());
        for end in 0..whole.len() {
            let error = codec.read(&whole[..end], &mut arena, &mut Losses::none()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::End, "{variant}, {end}: {error}");
        }
        let twice = whole.repeat(2);
        assert_eq!(codec.read(&twice, &mut arena, &mut Losses::none()).unwrap(), whole.len());
    }
    // Sizes that no input will reach are no ends.
    let codec = plan("capnp", &text).unwrap();
    for table in [[0xFF; 8], [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]] {
        let error = codec.read(&table, &mut Arena::new(Limits::default()), &mut Losses::none()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
}

fn unpack(packed: &[u8], words: usize) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    Unpacker::new(packed).words(words, &mut out).map(|()| out)
}

#[test]
fn packing_is_that_of_the_specification() {
    // The two examples of the specification, and its runs.
    let word = [8, 0, 0, 0, 3, 0, 2, 0];
    let more = [0x19, 0, 0, 0, 0xAA, 1, 0, 0];
    let mut packed = Vec::new();
    pack(&[word, more].concat(), &mut packed);
    assert_eq!(packed, [0x51, 8, 3, 2, 0x31, 0x19, 0xAA, 1]);

    for (message, expected) in [
        (vec![0; 8 * 4], vec![0, 3]),
        (vec![0; 8 * 300], vec![0, 255, 0, 43]),
        (vec![0x8A; 8 * 4], [&[0xFF][..], &[0x8A; 8], &[3], &[0x8A; 24]].concat()),
        // One zero byte does not end a run; two do.
        (
            [&[1; 8][..], &[1, 1, 1, 0, 1, 1, 1, 1], &[0, 1, 1, 1, 1, 1, 1, 0]].concat(),
            [&[0xFF][..], &[1; 8], &[1], &[1, 1, 1, 0, 1, 1, 1, 1], &[0x7E], &[1; 6]].concat(),
        ),
    ] {
        let mut packed = Vec::new();
        pack(&message, &mut packed);
        assert_eq!(packed, expected);
        assert_eq!(unpack(&packed, message.len() / 8).unwrap(), message);
    }
}

#[test]
fn packed_runs_end_with_the_message() {
    let codec = plan("capnp-packed", &record("")).unwrap();
    let mut arena = Arena::new(Limits::default());
    // A table for one segment of one word, and that word with three more.
    let error = codec.read(&[0x10, 1, 0, 3], &mut arena, &mut Losses::none()).unwrap_err();
    assert_eq!(error.to_string(), "a run of packed words goes on after the end of the message, at byte 4");
    assert_eq!(codec.read(&[0x10, 1, 0, 0, 0], &mut arena, &mut Losses::none()).unwrap(), 4);
    // Places are those in the packed bytes.
    let error = codec.read(&[0x10, 1, 1, 7], &mut arena, &mut Losses::none()).unwrap_err();
    assert_eq!(error.to_string(), "a pointer of an unknown kind, at byte 3");
}

/// Messages whose words were replaced by pointers of all kinds: most of them valid, to where they should not be.
#[test]
fn any_pointers_are_errors_or_valid() {
    let cases: u64 = std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let limits = Limits { memory_bytes: 64 << 20, ..Limits::default() };
    let (mut source, mut arena) = (Arena::new(limits), Arena::new(limits));
    let (mut valid, mut total) = (0, 0);
    for seed in 0..cases {
        let schema = Arc::new(random::schema(seed));
        random::message(&schema, seed, &mut source);
        let (codec, mut bytes) = (plan("capnp", &schema).unwrap(), Vec::new());
        let document = Document::new(&schema, b"", &source);
        if codec.encode(&document, &mut bytes, &mut Losses::none()).is_err() {
            continue;
        }
        let mut rng = Rng::new(seed);
        for _ in 0..30 {
            let mut bytes = bytes.clone();
            for _ in 0..1 + rng.below(4) {
                let at = (1 + rng.below(bytes.len() / 8 - 1)) * 8;
                let word = pointer(&mut rng, bytes.len() / 8);
                bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
            }
            let mut losses = Losses::allowing(LossKind::ALL);
            total += 1;
            let Ok(document) = codec.decode(&bytes, &mut arena, &mut losses) else { continue };
            valid += 1;
            let mut again = Vec::new();
            if codec.encode(&document, &mut again, &mut losses).is_ok() {
                let decoded = codec.decode(&again, &mut source, &mut losses);
                let decoded = decoded.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                assert_eq!(diff(&document, &decoded), None, "seed {seed}");
            }
        }
    }
    assert!(valid * 20 > total, "only {valid} of {total} messages were valid");
}

fn pointer(rng: &mut Rng, words: usize) -> u64 {
    let offset = (rng.below(words) as u64).wrapping_sub(rng.below(words) as u64 / 2) << 2 & 0xFFFF_FFFC;
    let small = rng.below(4) as u64;
    match rng.below(6) {
        0 => 0,
        1 => offset | struct_pointer(small, rng.below(4) as u64),
        2 => offset | list_pointer(0, rng.below(8) as u64, rng.below(20) as u64),
        3 => 2 | small << 2 | (rng.below(words) as u64) << 3,
        4 => offset | list_pointer(0, 7, small),
        _ => rng.bits(),
    }
}
