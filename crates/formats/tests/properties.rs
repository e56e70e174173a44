//! Laws that every variant of every format keeps, on random schemas and messages. A new format is tested by being
//! registered. `WIREWISE_CASES=n` runs more cases than the default; a failure names its seed.

use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, Schema, diff};
use wirewise_formats::{Codec, FORMATS};
use wirewise_testkit::random::{self, Rng};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Small enough that hostile lengths show as errors, not as a slow test.
fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

fn variants() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.info().variants).map(|variant| variant.id)
}

/// What a format may answer to a message that it cannot hold.
fn is_refusal(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Loss(_) | ErrorKind::Unsupported)
}

/// The message of this seed in every variant that can hold it.
fn for_each_payload(seed: u64, mut check: impl FnMut(&str, &dyn Codec, &Document<'_>, &[u8])) -> (usize, usize) {
    let (mut held, mut refused) = (0, 0);
    let wild = seed % 4 == 1;
    let schema = Arc::new(if wild { random::wild_schema(seed) } else { random::schema(seed) });
    // Every third schema is a list: a batch.
    let schema = if seed.is_multiple_of(3) { Arc::new(schema.list_of()) } else { schema };
    let mut arena = Arena::new(limits());
    let fill = if wild { random::wild_message } else { random::message };
    fill(&schema, seed ^ 0xABCD, &mut arena);
    let document = Document::new(&schema, b"", &arena);
    for variant in variants() {
        let codec = match wirewise_formats::plan(variant, &schema) {
            Ok(codec) => codec,
            Err(error) => {
                assert!(is_refusal(error.kind()), "seed {seed}, {variant}: {error}");
                refused += 1;
                continue;
            }
        };
        let mut out = Vec::new();
        match codec.encode(&document, &mut out, &mut Losses::none()) {
            Ok(()) => {
                held += 1;
                check(variant, &*codec, &document, &out);
            }
            Err(error) => {
                assert!(is_refusal(error.kind()), "seed {seed}, {variant}: {error}\n{}", schema.to_text());
                refused += 1;
            }
        }
    }
    (held, refused)
}

#[test]
fn decoding_gives_back_what_was_encoded() {
    let (mut held, mut refused) = (0, 0);
    for seed in 0..cases() {
        let (h, r) = for_each_payload(seed, |variant, codec, document, payload| {
            let mut arena = Arena::new(limits());
            let mut losses = Losses::none();
            let context = || format!("seed {seed}, {variant}, {payload:?}\n{}", codec.schema().to_text());
            let decoded = codec.decode(payload, &mut arena, &mut losses);
            let decoded = decoded.unwrap_or_else(|error| panic!("{error}: {}", context()));
            if let Some(difference) = diff(document, &decoded) {
                panic!("{difference}: {}", context());
            }
            let mut again = Vec::new();
            codec.encode(&decoded, &mut again, &mut losses).unwrap();
            assert!(again == payload, "encoding is not deterministic: {}", context());
        });
        held += h;
        refused += r;
    }
    assert!(held > refused * 3, "too many messages are refused: {refused} of {}", held + refused);
}

#[test]
fn truncated_payloads_are_errors_or_valid() {
    for seed in 0..cases() / 4 {
        for_each_payload(seed, |_, codec, _, payload| {
            let mut arena = Arena::new(limits());
            let step = payload.len() / 200 + 1;
            for end in (0..payload.len()).step_by(step) {
                check_bytes(codec, &payload[..end], &mut arena);
            }
        });
    }
}

#[test]
fn corrupted_payloads_are_errors_or_valid() {
    for seed in 0..cases() / 2 {
        for_each_payload(seed, |_, codec, _, payload| {
            let mut rng = Rng::new(seed);
            let mut arena = Arena::new(limits());
            for _ in 0..40 {
                let mut bytes = payload.to_vec();
                for _ in 0..1 + rng.below(3) {
                    match rng.below(4) {
                        0 if !bytes.is_empty() => drop(bytes.remove(rng.below(bytes.len()))),
                        1 => bytes.insert(rng.below(bytes.len() + 1), rng.bits() as u8),
                        2 if !bytes.is_empty() => {
                            let at = rng.below(bytes.len());
                            bytes[at] = *rng.pick(&[0, 0x7f, 0x80, 0xff]);
                        }
                        _ if !bytes.is_empty() => {
                            let at = rng.below(bytes.len());
                            bytes[at] ^= 1 << rng.below(8);
                        }
                        _ => {}
                    }
                }
                check_bytes(codec, &bytes, &mut arena);
            }
        });
    }
}

#[test]
fn any_bytes_are_errors_or_valid() {
    for seed in 0..cases() / 4 {
        let schema = Arc::new(random::schema(seed));
        let mut rng = Rng::new(seed);
        let mut arena = Arena::new(limits());
        for variant in variants() {
            let Ok(codec) = wirewise_formats::plan(variant, &schema) else { continue };
            for _ in 0..50 {
                let bytes: Vec<u8> = (0..rng.below(40)).map(|_| rng.bits() as u8).collect();
                check_bytes(&*codec, &bytes, &mut arena);
            }
        }
    }
}

/// Whatever these bytes are, decoding them ends in an error or in a document that can be written again.
fn check_bytes(codec: &dyn Codec, bytes: &[u8], arena: &mut Arena) {
    let mut losses = Losses::allowing(wirewise_core::LossKind::ALL);
    if let Ok(document) = codec.decode(bytes, arena, &mut losses) {
        let mut out = Vec::new();
        if codec.encode(&document, &mut out, &mut losses).is_ok() {
            let mut second = Arena::new(limits());
            let again = codec.decode(&out, &mut second, &mut losses).map(|_| ());
            again.unwrap_or_else(|error| panic!("{bytes:?} became {out:?}, which cannot be read: {error}"));
        }
    }
}

#[test]
fn there_and_back_through_every_other_variant() {
    for seed in 0..cases() / 4 {
        let mut payloads: Vec<(String, Vec<u8>)> = Vec::new();
        let mut schema: Option<Schema> = None;
        for_each_payload(seed, |variant, codec, _, payload| {
            payloads.push((variant.to_owned(), payload.to_vec()));
            schema.get_or_insert_with(|| codec.schema().clone());
        });
        let Some(schema) = schema.map(Arc::new) else { continue };
        let codecs: Vec<_> = payloads.iter().map(|(v, _)| wirewise_formats::plan(v, &schema).unwrap()).collect();
        let (mut first, mut second) = (Arena::new(limits()), Arena::new(limits()));
        let mut losses = Losses::none();
        for (i, a) in codecs.iter().enumerate() {
            for (j, b) in codecs.iter().enumerate() {
                let context = || format!("seed {seed}, {} to {}", payloads[i].0, payloads[j].0);
                let document = a.decode(&payloads[i].1, &mut first, &mut losses).unwrap();
                let mut out = Vec::new();
                b.encode(&document, &mut out, &mut losses).unwrap_or_else(|e| panic!("{}: {e}", context()));
                let document =
                    b.decode(&out, &mut second, &mut losses).unwrap_or_else(|e| panic!("{}: {e}", context()));
                let mut back = Vec::new();
                a.encode(&document, &mut back, &mut losses).unwrap_or_else(|e| panic!("{}: {e}", context()));
                if back == payloads[i].1 {
                    continue;
                }
                // Formats that sort the entries of maps may change their order, which means nothing.
                let before = a.decode(&payloads[i].1, &mut first, &mut losses).unwrap();
                let after = a.decode(&back, &mut second, &mut losses);
                let after = after.unwrap_or_else(|error| panic!("{}: {error}", context()));
                if let Some(difference) = diff(&before, &after) {
                    panic!("{} changed the message: {difference}", context());
                }
            }
        }
    }
}
