//! Messages that are made to do harm: what stops each of them, with which words, and that memory stays bounded.
//!
//! The table in docs/limits.md is written by this test: `WIREWISE_REWRITE=1 cargo test -p wirewise-formats --test hostile`.

mod attacks;

use std::sync::Arc;
use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;
use wirewise_core::{Arena, Error, ErrorKind, Limits, LossKind, Losses, Recorder, Schema};
use wirewise_formats::{Codec, FORMATS, plan};

use attacks::Attack;

/// Counts what is allocated. So the tests of this file are one test: others would be counted, too.
#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// As by default, with less memory.
const LIMITS: Limits = Limits { depth: 128, message_bytes: 1 << 30, memory_bytes: 1 << 20 };

#[test]
fn harm_is_limited() {
    let attacks = attacks::all();
    let (mut rows, mut wrong) = (Vec::new(), Vec::new());
    for attack in &attacks {
        match stopped(attack) {
            Ok(error) => rows.push(row(attack, &error)),
            Err(what) => wrong.push(format!("{}, {}: {what}", attack.variant, attack.what)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let table =
        format!("| attack | variant | bytes | what stops it | error |\n|---|---|---|---|---|\n{}\n", rows.join("\n"));
    check_docs(&table);
    many_keys_take_linear_time();
    long_numbers_take_linear_time();
}

/// The error that an attack ends with; or what is wrong with how it ends.
fn stopped(attack: &Attack) -> Result<Error, String> {
    let codec = plan(attack.variant, &schema(&attack.schema)).unwrap();
    let mut arena = Arena::new(LIMITS);
    let mut losses = Losses::allowing(LossKind::ALL);
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let start = Instant::now();
    let read = codec.read(&attack.bytes, &mut arena, &mut losses);
    let (took, peak) = (start.elapsed(), ALLOCATED.peak_usage().saturating_sub(before));
    let Err(error) = read else { return Err("it was read".to_owned()) };
    // A vector that grows is there twice. A container has a block beside the arena, and what unpacks it has tables.
    let tables = if attack.variant.starts_with("avro-container") { 6 << 20 } else { 0 };
    if peak > 2 * LIMITS.memory_bytes + tables {
        return Err(format!("it took {peak} bytes: {error}"));
    }
    if took > Duration::from_secs(10) {
        return Err(format!("it took {took:?}: {error}"));
    }
    let mut losses = Losses::allowing(LossKind::ALL);
    match codec.trace(&attack.bytes, &mut arena, &mut losses, &mut Recorder::new()) {
        Err(traced) if traced == error => Ok(error),
        traced => Err(format!("it ends with {error}, and traced with {traced:?}")),
    }
}

fn schema(members: &str) -> Arc<Schema> {
    Arc::new(Schema::parse(&format!(r#"{{"wirewise": "schema/1", {members}}}"#)).unwrap())
}

/// A line of the table.
fn row(attack: &Attack, error: &Error) -> String {
    let text = error.to_string();
    let has = |part: &str| text.contains(part);
    let limit = match error.kind() {
        ErrorKind::Limit if has("nest") => "`--max-depth`",
        ErrorKind::Limit if has("over: it shares") || has("used again and again") => "how often bytes may be read",
        ErrorKind::Limit if has(&LIMITS.memory_bytes.to_string()) => "`--max-memory`",
        ErrorKind::Limit if has(&LIMITS.message_bytes.to_string()) || has("any message") => "`--max-message`",
        ErrorKind::Limit => panic!("which limit is it? {text}"),
        ErrorKind::End => "the input's length",
        _ => "the format's rules",
    };
    let text = text.lines().next().unwrap_or_default().replace('|', "\\|");
    let text = attacks::shortened(&text);
    format!("| {} | `{}` | {} | {limit} | {text} |", attack.what, attack.variant, attack.bytes.len())
}

fn check_docs(table: &str) {
    let path = wirewise_testkit::root().join("docs/limits.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- attacks -->\n\n", "\n<!-- end of attacks -->");
    let start = page.find(begin).expect("the page has a place for the table") + begin.len();
    let stop = page.find(end).expect("the table has an end");
    if page[start..stop] == *table {
        return;
    }
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        std::fs::write(&path, format!("{}{table}{}", &page[..start], &page[stop..])).unwrap();
        return;
    }
    for (old, new) in page[start..stop].lines().zip(table.lines()) {
        assert_eq!(old, new, "docs/limits.md; WIREWISE_REWRITE=1 writes it anew");
    }
    panic!("docs/limits.md has another number of attacks; WIREWISE_REWRITE=1 writes it anew");
}

/// The shortest of a few times.
fn fastest(mut run: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(time).min().expect("there are three")
}

/// Sixteen times as much takes more than sixteen times as long, where it leaves a cache; but not 256 times.
fn check_linear(what: &str, run: impl Fn(usize) -> Box<dyn FnMut()>) {
    let (mut small, mut large) = (run(2_000), run(16 * 2_000));
    // A busy machine may be slow for a while.
    let mut times = Vec::new();
    for _ in 0..5 {
        let (small, large) = (fastest(&mut small), fastest(&mut large));
        if large < small * 80 + Duration::from_millis(1) {
            return;
        }
        times.push((small, large));
    }
    panic!("{what}: {times:?}");
}

/// Keys that have the same value in the hash functions that people write: all of "Aa" and "BB".
fn colliding(i: usize) -> String {
    (0..17).map(|bit| if i >> bit & 1 == 0 { "Aa" } else { "BB" }).collect()
}

/// Keys of one length that differ in the middle only.
fn alike(i: usize) -> String {
    format!("{:>40}{i:08}{:<40}", "begins", "ends")
}

fn many_keys_take_linear_time() {
    let any = r#""root": "any""#;
    let map = r#""root": {"map": "int32"}"#;
    let record = r#""root": "R", "types": [{"record": "R", "fields": [
        {"number": 1, "name": "AaAa", "type": "int32", "presence": "optional"}]}]"#;
    for variant in FORMATS.iter().flat_map(|format| format.info().variants) {
        for (name, members) in [("any", any), ("map", map), ("record", record)] {
            let schemaless = variant.schemaless && !variant.id.ends_with("positional");
            // What has keys in it: maps everywhere, other things where names are on the wire.
            if name != "map" && !(schemaless && variant.id != "json-compact") {
                continue;
            }
            for (key, kind) in [(colliding as fn(usize) -> String, "colliding"), (alike, "alike")] {
                check_linear(&format!("{}, {name}, {kind} keys", variant.id), |count| {
                    let text: Vec<String> = (0..count).map(|i| format!("\"{}\":1", key(i))).collect();
                    let text = format!("{{{}}}", text.join(","));
                    // Written without the record's schema, so that its keys are unknown fields.
                    let written = schema(if name == "record" { any } else { members });
                    let bytes =
                        converted(&*plan("json", &written).unwrap(), &*plan(variant.id, &written).unwrap(), &text);
                    let codec = plan(variant.id, &schema(members)).unwrap();
                    let mut arena = Arena::new(Limits::default());
                    Box::new(move || {
                        let read = codec.read(&bytes, &mut arena, &mut Losses::allowing(LossKind::ALL));
                        assert_eq!(read, Ok(bytes.len()));
                    })
                });
            }
        }
    }
    // One key again and again: legal in Protobuf, an error elsewhere.
    check_linear("protobuf, one key", |count| {
        let bytes = b"\x0a\x05\x0a\x01a\x10\x07".repeat(count);
        let codec = plan("protobuf", &schema(map)).unwrap();
        let mut arena = Arena::new(Limits::default());
        Box::new(move || assert_eq!(codec.read(&bytes, &mut arena, &mut Losses::none()), Ok(bytes.len())))
    });
    for name in ["any", "map"] {
        check_linear("json, one key", |count| {
            let bytes = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(count)).into_bytes();
            let codec = plan("json", &schema(if name == "any" { any } else { map })).unwrap();
            let mut arena = Arena::new(Limits::default());
            Box::new(move || assert!(codec.read(&bytes, &mut arena, &mut Losses::none()).is_err()))
        });
    }
}

fn converted(from: &dyn Codec, to: &dyn Codec, text: &str) -> Vec<u8> {
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(text.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let mut out = Vec::new();
    to.encode(&document, &mut out, &mut Losses::none()).unwrap();
    out
}

fn long_numbers_take_linear_time() {
    for variant in ["json", "protojson"] {
        for ty in ["any", "int64", "uint64", "float32", "float64"] {
            for begin in ["", "0.", "1e", "1e-", "0.000", "-"] {
                check_linear(&format!("{variant}, {ty}, {begin:?} and many digits"), |count| {
                    let bytes = format!("{begin}{}", "7".repeat(20 * count)).into_bytes();
                    let codec = plan(variant, &schema(&format!(r#""root": "{ty}""#))).unwrap();
                    let mut arena = Arena::new(Limits::default());
                    Box::new(move || {
                        let read = codec.read(&bytes, &mut arena, &mut Losses::allowing(LossKind::ALL));
                        drop(read);
                    })
                });
            }
        }
    }
}
