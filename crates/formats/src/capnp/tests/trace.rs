//! Every byte of a message is explained, once.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Kind, Limits, Losses, Recorder, Role, Schema, Span, diff};
use wirewise_testkit::random;

use super::values::record;
use crate::testing::convert;
use crate::{Codec, plan};

fn trace(codec: &dyn Codec, message: &[u8]) -> Vec<Span> {
    let (mut arena, mut recorder) = (Arena::new(Limits::default()), Recorder::new());
    let used = codec.trace(message, &mut arena, &mut Losses::none(), &mut recorder).unwrap();
    assert_eq!(used, message.len());
    let mut plain = Arena::new(Limits::default());
    let expected = codec.decode(message, &mut plain, &mut Losses::none()).unwrap();
    let found = Document::new(codec.schema(), message, &arena);
    assert!(diff(&expected, &found).is_none());
    recorder.finish()
}

/// Spans lie side by side from the first byte to the last; only bits share a byte.
fn check(spans: &[Span], message: &[u8], context: &dyn Fn() -> String) {
    let mut end = 0;
    let mut last: Option<&Span> = None;
    for span in spans {
        let is_bit = |span: &Span| span.what.contains(", bit ");
        let shares = last.is_some_and(|last| last.bytes == span.bytes && is_bit(last) && is_bit(span));
        assert!(shares || span.bytes.start == end, "{span:?} after byte {end}: {}", context());
        end = span.bytes.end;
        last = Some(span);
    }
    assert_eq!(end, message.len(), "{}", context());
}

fn shown(spans: &[Span]) -> String {
    let row = |s: &Span| format!("{:?} {} {} {} {}\n", s.bytes, s.role.name(), s.path, s.what, s.value);
    spans.iter().map(row).collect()
}

#[test]
fn every_byte_is_explained_once() {
    let mut traced = 0;
    for seed in 0..400 {
        let schema = Arc::new(if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) });
        let schema = if seed % 5 == 0 { Arc::new(schema.list_of()) } else { schema };
        for variant in ["capnp", "capnp-packed"] {
            let codec = plan(variant, &schema).unwrap();
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed, &mut arena);
            let mut message = Vec::new();
            let document = Document::new(&schema, b"", &arena);
            if codec.encode(&document, &mut message, &mut Losses::none()).is_err() {
                continue;
            }
            let spans = trace(&*codec, &message);
            check(&spans, &message, &|| format!("seed {seed}, {variant}\n{}", shown(&spans)));
            assert!(spans.iter().all(|span| span.role != Role::Unknown), "seed {seed}\n{}", shown(&spans));
            traced += 1;
        }
    }
    assert!(traced > 600, "{traced}");
}

#[test]
fn spans_say_what_and_where() {
    let schema = record(
        r#"{"number": 1, "name": "on", "type": "bool"}, {"number": 2, "name": "n", "type": "int16", "default": 5},
           {"number": 3, "name": "tags", "type": {"list": "string"}},
           {"number": 4, "name": "more", "type": {"list": "R"}, "presence": "optional"}"#,
    );
    let json = br#"{"on":true,"n":-1,"tags":["hi"],"more":[{"on":false,"n":5,"tags":[]}]}"#;
    let message = convert(&schema, "json", "capnp", json, &mut Losses::none()).unwrap();
    let spans = trace(&*plan("capnp", &schema).unwrap(), &message);
    let expected = "\
0..4 header $ segment count minus one 1 segment
4..8 header $ size of segment 0 10 words
8..16 pointer $ struct pointer +0 words: 1 data words, 2 pointers
16..17 payload $.on bool, bit 0 true
17..18 padding $ not used \n18..20 payload $.n int16, xor its default -1
20..24 padding $ not used \n24..32 pointer $.tags list pointer +1 words: 1 pointers
32..40 pointer $.more list pointer +2 words: structs of 3 words
40..48 pointer $.tags[0] list pointer +0 words: 3 bytes
48..50 payload $.tags[0] text \"hi\"
50..51 syntax $.tags[0] end of text 0
51..56 padding $.tags[0] to the next word \n56..64 length $.more tag of a list of structs 1 structs of 1 data words and 2 pointers
64..65 payload $.more[0].on bool, bit 0 false
65..66 padding $.more[0] not used \n66..68 payload $.more[0].n int16, xor its default 5
68..72 padding $.more[0] not used \n72..80 pointer $.more[0].tags list pointer +1 words: 0 pointers
80..88 pointer $.more[0].more null pointer null
";
    assert_eq!(shown(&spans), expected);
}

#[test]
fn pads_and_what_nobody_points_to_are_explained() {
    let schema = record(r#"{"number": 1, "name": "n", "type": "int8"}, {"number": 2, "name": "t", "type": "string"}"#);
    let far = |segment: u64, word: u64| 2 | word << 3 | segment << 32;
    let struct_ = 1 << 32 | 1 << 48;
    let text = 1 | 2 << 32 | 3 << 35;
    let segments: [&[u64]; 4] =
        [&[far(1, 1) | 4], &[99, far(2, 1), struct_], &[0, 7, far(3, 1)], &[0, text, 0x6968, 0]];
    let mut bytes: Vec<u8> = [3, 1, 3, 3, 4, 0].iter().flat_map(|size: &u32| size.to_le_bytes()).collect();
    bytes.extend(segments.concat().iter().flat_map(|word| word.to_le_bytes()));
    let spans = trace(&*plan("capnp", &schema).unwrap(), &bytes);
    check(&spans, &bytes, &|| shown(&spans));
    let roles = |role: Role| spans.iter().filter(|span| span.role == role).count();
    assert_eq!((roles(Role::Pointer), roles(Role::Unknown)), (5, 1), "{}", shown(&spans));
}

#[test]
fn broken_messages_are_explained_as_far_as_they_go() {
    let schema = Arc::new(random::schema(12));
    let Kind::Record(_) = schema.kind(schema.root()) else { panic!("a record") };
    for variant in ["capnp", "capnp-packed"] {
        let codec = plan(variant, &schema).unwrap();
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, 3, &mut arena);
        let mut message = Vec::new();
        codec.encode(&Document::new(&schema, b"", &arena), &mut message, &mut Losses::none()).unwrap();
        for at in 0..message.len() {
            let mut broken = message.clone();
            broken[at] ^= 0x55;
            let (mut arena, mut recorder) = (Arena::new(Limits::default()), Recorder::new());
            let _ = codec.trace(&broken, &mut arena, &mut Losses::none(), &mut recorder);
            assert!(recorder.finish().iter().all(|span| span.bytes.end <= broken.len()));
        }
    }
}

#[test]
fn schemas_of_any_kind_are_traced() {
    for ty in [r#""any""#, r#"{"nullable": "int8"}"#, r#"{"map": {"nullable": "bool"}}"#, r#"{"fixed": 3}"#] {
        let schema = Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", "root": {ty}}}"#)).unwrap());
        let codec = plan("capnp", &schema).unwrap();
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, 7, &mut arena);
        let mut message = Vec::new();
        codec.encode(&Document::new(&schema, b"", &arena), &mut message, &mut Losses::none()).unwrap();
        let spans = trace(&*codec, &message);
        check(&spans, &message, &|| shown(&spans));
    }
}

/// Messages of random schemas, in both variants.
fn messages() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    (0..200).flat_map(|seed| {
        let schema = Arc::new(random::schema(seed));
        ["capnp", "capnp-packed"].into_iter().filter_map(move |variant| {
            let codec = plan(variant, &schema).unwrap();
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed, &mut arena);
            let mut message = Vec::new();
            let document = Document::new(&schema, b"", &arena);
            codec.encode(&document, &mut message, &mut Losses::none()).ok().map(|()| (variant, message))
        })
    })
}

#[test]
fn messages_are_explained_without_a_schema() {
    for (variant, message) in messages() {
        let (format, variant) = crate::find(variant).unwrap();
        let mut recorder = Recorder::new();
        let used = format.explain(variant, &message, &Limits::default(), &mut recorder).unwrap();
        assert_eq!(used, message.len());
        let spans = recorder.finish();
        check(&spans, &message, &|| shown(&spans));
    }
}

#[test]
fn messages_are_recognised_and_noise_is_not() {
    let (mut certain, mut count) = (0, 0);
    for (variant, message) in messages() {
        let (format, _) = crate::find(variant).unwrap();
        let guesses = format.guess(&message);
        count += 1;
        certain +=
            usize::from(guesses.first().is_some_and(|guess| guess.variant.id == variant && guess.certainty > 50));
        let twice = [&message[..], &message].concat();
        assert!(format.guess(&twice).iter().any(|guess| guess.variant.id == variant), "{variant} {message:?}");
    }
    // Some messages are empty, or nearly so.
    assert!(certain * 10 > count * 7, "{certain} of {count}");
    let mut rng = random::Rng::new(1);
    let (format, _) = crate::find("capnp").unwrap();
    for _ in 0..300 {
        let noise: Vec<u8> = (0..10_000).map(|_| rng.bits() as u8).collect();
        assert!(format.guess(&noise).iter().all(|guess| guess.certainty <= 30));
    }
    for other in [&b""[..], b"{\"a\": 1}", b"\0", &[0; 64], b"plain text", &[0xFF; 64]] {
        assert!(format.guess(other).iter().all(|guess| guess.certainty <= 50), "{other:?}");
    }
}
