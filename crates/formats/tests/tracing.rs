//! Laws of tracing, on random schemas and messages, for every variant: a traced message is the same message, and every
//! byte of it is explained, once; a broken one fails as it does untraced, and is explained up to there. `WIREWISE_CASES=n` runs more cases than the default; a failure names its seed.

use std::collections::BTreeMap;
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
    let mut messages: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..cases() {
        for_each_payload(seed, |variant, codec, document, payload| {
            *messages.entry(variant.to_owned()).or_default() += 1;
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
    // No variant is left out because it cannot hold these messages.
    for variant in FORMATS.iter().flat_map(|format| format.info().variants) {
        let count = messages.get(variant.id).copied().unwrap_or_default();
        assert!(count * 4 > cases() * 3, "{}: only {count} messages", variant.id);
    }
}

/// How much of what lies before errors is explained.
#[derive(Debug, Default)]
struct Explained {
    errors: u64,
    before: u64,
    explained: u64,
}

#[test]
fn broken_messages_are_explained_as_far_as_they_go() {
    let mut of_cut: BTreeMap<String, Explained> = BTreeMap::new();
    let mut of_damaged: BTreeMap<String, Explained> = BTreeMap::new();
    for seed in 0..cases() / 5 {
        for_each_payload(seed, |variant, codec, _, payload| {
            let mut rng = Rng::new(seed);
            let step = payload.len() / 30 + 1;
            for end in (0..payload.len()).step_by(step) {
                check_bytes(variant, codec, &payload[..end], of_cut.entry(variant.to_owned()).or_default());
                let mut bytes = payload.to_vec();
                bytes[end] = rng.bits() as u8;
                check_bytes(variant, codec, &bytes, of_damaged.entry(variant.to_owned()).or_default());
            }
        });
    }
    let variants: usize = FORMATS.iter().map(|format| format.info().variants.len()).sum();
    assert_eq!((of_cut.len(), of_damaged.len()), (variants, variants));
    for (variant, explained) in of_cut.iter().chain(&of_damaged) {
        let Explained { errors, before, explained } = *explained;
        let share = explained as f64 / before as f64;
        // Where a table's own offsets are behind what is there, as in FlatBuffers, whose writers put them to the end,
        // nothing can be said of the table.
        let least = if variant.starts_with("flatbuffers") { 0.3 } else { 0.7 };
        assert!(errors > 50 && share > least, "{variant}: {share} of the {before} bytes before {errors} errors");
    }
}

/// Tracing these bytes ends as reading them does, and no span is outside of them.
fn check_bytes(variant: &str, codec: &dyn Codec, bytes: &[u8], explained: &mut Explained) {
    let (mut first, mut second) = (Arena::new(limits()), Arena::new(limits()));
    let mut losses = Losses::allowing(LossKind::ALL);
    let read = codec.read(bytes, &mut first, &mut losses);
    let mut recorder = Recorder::new();
    let traced = codec.trace(bytes, &mut second, &mut losses, &mut recorder);
    assert_eq!(read, traced, "{variant}, {bytes:02x?}\n{}", codec.schema().to_text());
    let spans = recorder.finish();
    assert!(spans.iter().all(|span| span.bytes.end <= bytes.len()), "{variant}, {bytes:02x?}: {spans:?}");
    if let Err(error) = &read {
        // A message that is too large as a whole is that nowhere.
        if error.message().starts_with("the message takes more memory") {
            return;
        }
        // What is wrong with the schema that a container has inside has a place in the schema's text.
        let place = error.offset().or(variant.starts_with("avro-container").then_some(0));
        let place = place.unwrap_or_else(|| panic!("{variant}: no place: {error}\n{}", codec.schema().to_text()));
        assert!(place <= bytes.len(), "{variant}, {bytes:02x?}: {error}");
        let mut end = 0;
        for span in &spans {
            let (start, stop) = (span.bytes.start.max(end).min(place), span.bytes.end.min(place));
            explained.explained += stop.saturating_sub(start) as u64;
            end = end.max(stop);
        }
        explained.errors += 1;
        explained.before += place as u64;
    }
    if let Ok(used) = read {
        let (a, b) = (Document::new(codec.schema(), bytes, &first), Document::new(codec.schema(), bytes, &second));
        assert_eq!(diff(&a, &b), None, "{variant}, {bytes:02x?}, {used}");
    }
}
