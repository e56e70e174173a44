//! Explained bytes: every byte has one explanation, and explaining changes nothing.

use wirewise_core::{Recorder, Role, Span, diff};
use wirewise_formats::FORMATS;

use super::*;

/// Checks that the spans of a message cover it, do not overlap, and that the traced message is the same.
pub(crate) fn check(variant: &str, schema: &Arc<Schema>, document: &Document<'_>, bytes: &[u8], context: &str) {
    let codec = wirewise_formats::plan(variant, schema).unwrap();
    let (mut arena, mut recorder) = (Arena::new(Limits::default()), Recorder::new());
    let used = codec.trace(bytes, &mut arena, &mut Losses::none(), &mut recorder);
    assert_eq!(used.unwrap_or_else(|error| panic!("{error}: {context}")), bytes.len(), "{context}");
    let traced = Document::new(schema, bytes, &arena);
    let mut plain = Arena::new(Limits::default());
    codec.read(bytes, &mut plain, &mut Losses::none()).unwrap();
    let read = Document::new(schema, bytes, &plain);
    assert_eq!(diff(&read, &traced).map(|found| found.to_string()), None, "{context}");
    let _ = document;
    let spans = recorder.finish();
    let mut end = 0;
    for span in &spans {
        assert_eq!(span.bytes.start, end, "{span:?}: {context}");
        end = span.bytes.end;
        assert!(span.role != Role::Unknown, "{span:?}: {context}");
    }
    assert_eq!(end, bytes.len(), "{context}");
}

#[test]
fn every_byte_is_explained() {
    for seed in 0..cases() * 2 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = Arc::new(if seed % 3 == 0 { schema.list_of() } else { schema });
        let mut arena = Arena::new(Limits::default());
        random::wild_message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        for variant in ["flatbuffers", "flatbuffers-size-prefixed"] {
            if let Some(bytes) = encode(variant, &document, &schema) {
                check(variant, &schema, &document, &bytes, &format!("seed {seed}, {variant}"));
            }
        }
    }
}

fn spans(text: &str, bytes: &[u8]) -> Vec<Span> {
    let schema = Arc::new(read(text).schema_of(None).unwrap());
    let codec = wirewise_formats::plan("flatbuffers", &schema).unwrap();
    let (mut arena, mut recorder) = (Arena::new(Limits::default()), Recorder::new());
    let mut losses = Losses::allowing(wirewise_core::LossKind::ALL);
    let _ = codec.trace(bytes, &mut arena, &mut losses, &mut recorder);
    recorder.finish()
}

#[test]
fn what_bytes_are_called() {
    let text =
        "struct P { x: short; y: byte; } table T { p: P; s: string; n: int; } root_type T; file_identifier \"TEST\";";
    let schema = Arc::new(read(text).schema_of(None).unwrap());
    let json = wirewise_formats::plan("json", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    let document = json.decode(br#"{"p":{"x":-2,"y":3},"s":"hi","n":5}"#, &mut arena, &mut Losses::none()).unwrap();
    let bytes = encode("flatbuffers", &document, &schema).unwrap();
    let lines: Vec<String> = spans(text, &bytes)
        .iter()
        .map(|span| format!("{} {} {} {} = {}", span.bytes.start, span.role.name(), span.path, span.what, span.value))
        .collect();
    let expected = [
        "0 pointer $ offset to the root table = 20",
        "4 header $ file identifier = \"TEST\"",
        "8 padding $ padding = ",
        "10 vtable $ size of the vtable = 10",
        "12 vtable $ size of the table = 16",
        "14 vtable $ offset of \"p\" = 4",
        "16 vtable $ offset of \"s\" = 8",
        "18 vtable $ offset of \"n\" = 12",
        "20 pointer $ offset back to the vtable = 10",
        "24 payload $.p.x int16 = -2",
        "26 payload $.p.y int8 = 3",
        "27 padding $ padding = ",
        "28 pointer $.s offset to a string = 36",
        "32 payload $.n int32 = 5",
        "36 length $.s length of the string = 2",
        "40 payload $.s string = \"hi\"",
        "42 syntax $.s end of the string = ",
        "43 padding $ padding = ",
    ];
    assert_eq!(lines, expected);
    // What comes before an error stays.
    assert!(spans(text, &bytes[..30]).len() >= 9);
    // A field that a newer schema has.
    let older = "struct P { x: short; y: byte; } table T { p: P; } root_type T;";
    let unknown: Vec<String> =
        spans(older, &bytes).iter().filter(|s| s.role == Role::Unknown).map(|s| s.what.clone()).collect();
    let field = |id: u16| format!("field {id}, which the schema does not have");
    assert_eq!(unknown, ["bytes that nothing refers to".to_owned(), field(1), field(2)]);
}

#[test]
fn messages_are_recognised() {
    let format = FORMATS.iter().find(|format| format.info().name == "flatbuffers").unwrap();
    let (mut seen, mut of) = (0, 0);
    for seed in 0..cases() {
        let schema = Arc::new(random::schema(seed));
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        for variant in ["flatbuffers", "flatbuffers-size-prefixed"] {
            let Some(bytes) = encode(variant, &document, &schema) else { continue };
            let guesses = format.guess(&bytes);
            of += 1;
            seen +=
                usize::from(guesses.first().is_some_and(|guess| guess.variant.id == variant && guess.certainty >= 40));
        }
    }
    assert_eq!(seen, of);
    let mut rng = random::Rng::new(1);
    for length in [0, 1, 3, 4, 7, 8, 11, 12, 100, 10_000] {
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..length).map(|_| rng.bits() as u8).collect();
            assert!(format.guess(&bytes).iter().all(|guess| guess.certainty <= 30), "{bytes:?}");
        }
        assert!(format.guess(&vec![0; length]).iter().all(|guess| guess.certainty <= 30));
        assert!(format.guess(&vec![b' '; length]).iter().all(|guess| guess.certainty <= 30));
    }
}
