//! Laws of tracing, on random schemas and messages, for every variant: a traced message is the same message, and every
//! byte of it is explained, once. `WIREWISE_CASES=n` runs more cases than the default; a failure names its seed.

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, LossKind, Losses, Recorder, Span, diff};
use wirewise_formats::{Codec, FORMATS};
use wirewise_testkit::random::{self, Rng};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

/// The message of this seed in every variant that can hold it.
fn for_each_payload(seed: u64, mut check: impl FnMut(&str, &dyn Codec, &Document<'_>, &[u8])) {
    let wild = seed % 4 == 1;
    let schema = Arc::new(if wild { random::wild_schema(seed) } else { random::schema(seed) });
    let schema = if seed.is_multiple_of(3) { Arc::new(schema.list_of()) } else { schema };
    let mut arena = Arena::new(limits());
    let fill = if wild { random::wild_message } else { random::message };
    fill(&schema, seed ^ 0xABCD, &mut arena);
    let document = Document::new(&schema, b"", &arena);
    for format in FORMATS {
        for variant in format.info().variants {
            let Ok(codec) = format.plan(&schema, variant) else { continue };
            let mut out = Vec::new();
            if codec.encode(&document, &mut out, &mut Losses::none()).is_ok() {
                check(variant.id, &*codec, &document, &out);
            }
        }
    }
}

/// The part of the payload that is wrong with these spans: bytes that no span covers, or two that are not the same.
/// Several spans of the same bytes are fine: bits.
fn uncovered(spans: &[Span], len: usize) -> Option<String> {
    let mut end = 0;
    let mut last = 0..0;
    for span in spans {
        if span.bytes == last {
            continue;
        }
        if span.bytes.start > end {
            return Some(format!("bytes {end}..{} are not explained", span.bytes.start));
        }
        if span.bytes.start < end {
            return Some(format!("bytes {:?} are explained twice: {:?} is {}", span.bytes, last, span.what));
        }
        end = span.bytes.end;
        last = span.bytes.clone();
    }
    (end != len).then(|| format!("bytes {end}..{len} are not explained"))
}

#[test]
fn traced_messages_are_the_same_and_explained_whole() {
    for seed in 0..cases() {
        for_each_payload(seed, |variant, codec, document, payload| {
            let context = |spans: &[Span]| {
                format!("seed {seed}, {variant}, {payload:02x?}\n{}\n{spans:#?}", codec.schema().to_text())
            };
            let mut arena = Arena::new(limits());
            let mut recorder = Recorder::new();
            let used = codec.trace(payload, &mut arena, &mut Losses::none(), &mut recorder);
            let spans = recorder.finish();
            let used = used.unwrap_or_else(|error| panic!("{error}: {}", context(&spans)));
            assert_eq!(used, payload.len(), "{}", context(&spans));
            let traced = Document::new(codec.schema(), payload, &arena);
            if let Some(difference) = diff(document, &traced) {
                panic!("{difference}: {}", context(&spans));
            }
            if let Some(problem) = uncovered(&spans, payload.len()) {
                panic!("{problem}: {}", context(&spans));
            }
            assert!(
                spans.iter().all(|span| span.path.starts_with('$') && !span.what.is_empty()),
                "{}",
                context(&spans)
            );
        });
    }
}

#[test]
fn broken_messages_are_explained_as_far_as_they_go() {
    for seed in 0..cases() / 5 {
        for_each_payload(seed, |variant, codec, _, payload| {
            let mut rng = Rng::new(seed);
            let step = payload.len() / 30 + 1;
            for end in (0..payload.len()).step_by(step) {
                check_bytes(variant, codec, &payload[..end]);
                let mut bytes = payload.to_vec();
                bytes[end] = rng.bits() as u8;
                check_bytes(variant, codec, &bytes);
            }
        });
    }
}

/// Tracing these bytes ends as reading them does, and no span is outside of them.
fn check_bytes(variant: &str, codec: &dyn Codec, bytes: &[u8]) {
    let (mut first, mut second) = (Arena::new(limits()), Arena::new(limits()));
    let mut losses = Losses::allowing(LossKind::ALL);
    let read = codec.read(bytes, &mut first, &mut losses);
    let mut recorder = Recorder::new();
    let traced = codec.trace(bytes, &mut second, &mut losses, &mut recorder);
    assert_eq!(read, traced, "{variant}, {bytes:02x?}\n{}", codec.schema().to_text());
    let spans = recorder.finish();
    assert!(spans.iter().all(|span| span.bytes.end <= bytes.len()), "{variant}, {bytes:02x?}: {spans:?}");
    if let Ok(used) = read {
        let (a, b) = (Document::new(codec.schema(), bytes, &first), Document::new(codec.schema(), bytes, &second));
        assert_eq!(diff(&a, &b), None, "{variant}, {bytes:02x?}, {used}");
    }
}
