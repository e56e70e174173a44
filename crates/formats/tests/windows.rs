//! The fast arms of decoders look at whole words and blocks of the input at once. Whatever lies before or behind a message
//! must not matter to them, nor whether anything does. `WIREWISE_CASES=n` runs more cases.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, diff};
use wirewise_formats::{Codec, FORMATS, Framing, Variant};
use wirewise_testkit::random::{self, Rng};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// Whether a message of this variant shows where it ends, whatever follows.
fn delimits_itself(variant: &Variant) -> bool {
    let takes_all = ["protobuf", "flatbuffers"].contains(&variant.id) || variant.framing == Framing::AvroContainer;
    !takes_all && !variant.text
}

#[test]
fn what_lies_around_a_message_does_not_matter() {
    let mut followed = 0;
    for seed in 0..cases() {
        let wild = seed % 4 == 1;
        let schema = Arc::new(if wild { random::wild_schema(seed) } else { random::schema(seed) });
        let mut arena = Arena::new(Limits::default());
        let fill = if wild { random::wild_message } else { random::message };
        fill(&schema, seed ^ 0xABCD, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        for format in FORMATS {
            for variant in format.info().variants {
                let Ok(codec) = format.plan(&schema, variant) else { continue };
                let mut bytes = Vec::new();
                if codec.encode(&document, &mut bytes, &mut Losses::none()).is_err() {
                    continue;
                }
                check(seed, variant, &*codec, &document, &bytes);
                followed += u64::from(delimits_itself(variant));
            }
        }
    }
    assert!(followed > cases(), "only {followed} messages have others behind them");
}

fn check(seed: u64, variant: &Variant, codec: &dyn Codec, document: &Document<'_>, bytes: &[u8]) {
    let mut rng = Rng::new(seed);
    let mut arena = Arena::new(Limits::default());
    for behind in [&[][..], &[0; 70], &[0xff; 70], &[0x80; 3], b"\"}]0123456789 abcdefgh"] {
        let before = rng.below(20);
        let mut buffer = vec![rng.bits() as u8; before];
        buffer.extend_from_slice(bytes);
        buffer.extend_from_slice(behind);
        // Nothing but the message, in the middle of the buffer: what is behind it is not part of the input.
        let input = &buffer[before..before + bytes.len()];
        let read = codec.read(input, &mut arena, &mut Losses::none());
        assert_eq!(read, Ok(bytes.len()), "seed {seed}, {}: {input:02x?}", variant.id);
        let again = Document::new(codec.schema(), input, &arena);
        assert_eq!(diff(document, &again), None, "seed {seed}, {}: {input:02x?}", variant.id);
        // At the very end of an allocation.
        let exact: Box<[u8]> = input.into();
        let read = codec.read(&exact, &mut arena, &mut Losses::none());
        assert_eq!(read, Ok(bytes.len()), "seed {seed}, {}: {input:02x?}", variant.id);
        // With what is behind it, where it shows its end.
        if delimits_itself(variant) {
            let input = &buffer[before..];
            let read = codec.read(input, &mut arena, &mut Losses::none());
            assert_eq!(read, Ok(bytes.len()), "seed {seed}, {}, {behind:02x?} behind: {bytes:02x?}", variant.id);
            let again = Document::new(codec.schema(), input, &arena);
            assert_eq!(diff(document, &again), None, "seed {seed}, {}, {behind:02x?} behind", variant.id);
        }
    }
}
