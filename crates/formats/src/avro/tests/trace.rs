//! What bytes are, and what they may be.

use super::*;

/// Traces a message: the spans cover all of it, and lie apart; the document is the same.
fn traced(codec: &dyn Codec, bytes: &[u8], expected: &Document<'_>) -> Vec<wirewise_core::Span> {
    let mut recorder = wirewise_core::Recorder::new();
    let mut arena = Arena::new(Limits::default());
    let used = codec.trace(bytes, &mut arena, &mut Losses::none(), &mut recorder).unwrap();
    assert_eq!(used, bytes.len());
    assert_eq!(diff(expected, &Document::new(codec.schema(), bytes, &arena)), None);
    let spans = recorder.finish();
    let mut pos = 0;
    for span in &spans {
        assert_eq!(span.bytes.start, pos, "{span:?} {spans:?}");
        pos = span.bytes.end;
    }
    assert_eq!(pos, bytes.len());
    spans
}

#[test]
fn spans_cover_every_byte() {
    for seed in 0..60 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = Arc::new(if seed % 3 == 0 { schema.list_of() } else { schema });
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        for variant in crate::avro::INFO.variants {
            let codec = plan(variant.id, &schema).unwrap();
            let mut bytes = Vec::new();
            if codec.encode(&document, &mut bytes, &mut Losses::none()).is_ok() {
                traced(&*codec, &bytes, &document);
                // A container explains itself.
                if variant.list_is_stream {
                    let mut recorder = wirewise_core::Recorder::new();
                    let format = crate::find(variant.id).unwrap().0;
                    let used = format.explain(variant, &bytes, &Limits::default(), &mut recorder).unwrap();
                    assert_eq!(used, bytes.len());
                }
                let guessed = crate::find(variant.id).unwrap().0.guess(&bytes);
                match variant.id {
                    "avro" => {}
                    "avro-single-object" => {
                        assert!(guessed.is_empty() && bytes.len() < 11 || guessed[0].variant == variant)
                    }
                    _ => assert_eq!((guessed[0].variant, guessed[0].certainty), (variant, 100)),
                }
            }
        }
    }
}

#[test]
fn spans_say_what_bytes_are() {
    let types = r#"{"record": "R", "fields": [{"number": 1, "name": "n", "type": "int32"}, {"number": 2, "name": "tags", "type": {"map": {"nullable": "string"}}},
        {"number": 3, "name": "u", "type": "U"}, {"number": 4, "name": "e", "type": "E"}]},
        {"union": "U", "branches": [{"number": 1, "name": "flag", "type": "bool"}, {"number": 2, "name": "blob", "type": "bytes"}]},
        {"enum": "E", "symbols": [{"number": 0, "name": "A"}, {"number": 1, "name": "B"}]}"#;
    let schema = schema(r#""R""#, types);
    let json = r#"{"n":-300,"tags":{"k":"v"},"u":"AP8=","e":"B"}"#;
    let bytes = encode("avro", &schema, json).unwrap();
    let mut arena = Arena::new(Limits::default());
    let codec = plan("avro", &schema).unwrap();
    let mut losses = Losses::none();
    let document = codec.decode(&bytes, &mut arena, &mut losses).unwrap();
    let spans = traced(&*codec, &bytes, &document);
    let rows: Vec<String> = spans
        .iter()
        .map(|span| format!("{:?} {} {} {} = {}", span.bytes, span.role.name(), span.path, span.what, span.value))
        .collect();
    assert_eq!(
        rows,
        [
            "0..2 payload $.n zigzag varint = -300",
            "2..3 length $.tags number of entries of a map = 1",
            "3..4 length $.tags length of a key = 1",
            "4..5 name $.tags key = \"k\"",
            "5..6 tag $.tags.k branch of a union = 1",
            "6..7 length $.tags.k length of a string = 1",
            "7..8 payload $.tags.k string = \"v\"",
            "8..9 syntax $.tags no more entries of a map = ",
            "9..10 tag $.u branch of a union = blob",
            "10..11 length $.u.blob length of bytes = 2",
            "11..13 payload $.u.blob bytes = \"AP8=\"",
            "13..14 payload $.e position of a symbol = \"B\"",
        ]
    );
    // What is broken is explained up to there.
    let mut recorder = wirewise_core::Recorder::new();
    assert!(codec.trace(&bytes[..9], &mut arena, &mut losses, &mut recorder).is_err());
    assert_eq!(recorder.len(), 8);
}

#[test]
fn random_bytes_are_not_claimed() {
    let mut rng = random::Rng::new(5);
    for _ in 0..50 {
        let bytes: Vec<u8> = (0..10_240).map(|_| rng.bits() as u8).collect();
        assert!(crate::avro::guess::guess(&bytes).iter().all(|guess| guess.certainty <= 30));
    }
    assert!(crate::avro::guess::guess(b"").is_empty());
    assert_eq!(crate::avro::guess::guess(b"Obj\x01")[0].certainty, 90);
}
