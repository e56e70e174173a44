//! Messages that are made to do harm: what stops each of them, with which words, and that memory stays bounded.
//!
//! The table in docs/limits.md is written by this test: `WIREWISE_REWRITE=1 cargo test -p wirewise-formats --test hostile`.

mod attacks;

use std::sync::Arc;

use peak_alloc::PeakAlloc;
use wirewise_core::{Arena, Error, ErrorKind, Limits, LossKind, Losses, Recorder, Schema};
use wirewise_formats::{FORMATS, plan};

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
    many_keys_take_no_quadratic_time();
    long_numbers_take_no_quadratic_time();
}

/// The error that an attack ends with; or what is wrong with how it ends.
fn stopped(attack: &Attack) -> Result<Error, String> {
    let codec = plan(attack.variant, &schema(&attack.schema)).unwrap();
    let mut arena = Arena::new(LIMITS);
    let mut losses = Losses::allowing(LossKind::ALL);
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    // That it ends is enough: what reads the same bytes again and again would not.
    let read = codec.read(&attack.bytes, &mut arena, &mut losses);
    let peak = ALLOCATED.peak_usage().saturating_sub(before);
    let Err(error) = read else { return Err("it was read".to_owned()) };
    // A vector that grows is there twice. A container has a block beside the arena, and what unpacks it has tables.
    let tables = if attack.variant.starts_with("avro-container") { 6 << 20 } else { 0 };
    if peak > 2 * LIMITS.memory_bytes + tables {
        return Err(format!("it took {peak} bytes: {error}"));
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

/// So many keys or steps that this is quick, while comparing all pairs of them would take hours.
const MANY: usize = 1_000_000;

/// Keys that have the same value in the hash functions that people write: all of "Aa" and "BB", and also in those that
/// look at the length and the ends of a key only.
fn colliding(i: usize) -> String {
    let middle: String = (0..20).map(|bit| if i >> bit & 1 == 0 { "Aa" } else { "BB" }).collect();
    format!("{:<16}{middle}{:>16}", "begins", "ends")
}

/// It is enough that this ends.
fn many_keys_take_no_quadratic_time() {
    let any = r#""root": "any""#;
    let map = r#""root": {"map": "int32"}"#;
    let record = r#""root": "R", "types": [{"record": "R", "fields": [
        {"number": 1, "name": "AaAa", "type": "int32", "presence": "optional"}]}]"#;
    let text: Vec<String> = (0..MANY).map(|i| format!("\"{}\":1", colliding(i))).collect();
    let text = format!("{{{}}}", text.join(",")).into_bytes();
    // Written without the record's schema, so that its keys are unknown fields.
    for (written, read) in [(any, vec![("any", any), ("record", record)]), (map, vec![("map", map)])] {
        let written = schema(written);
        let mut arena = Arena::new(Limits::default());
        let json = plan("json", &written).unwrap();
        let document = json.decode(&text, &mut arena, &mut Losses::none()).unwrap();
        // What is in compressed blocks is read as what is in others.
        let variants = FORMATS.iter().flat_map(|format| format.info().variants);
        for variant in variants.filter(|variant| !variant.id.starts_with("avro-container-")) {
            let schemaless = variant.schemaless && !variant.id.ends_with("positional");
            let mut bytes = Vec::new();
            for (name, members) in &read {
                // What has keys in it: maps everywhere, other things where names are on the wire.
                if *name != "map" && !(schemaless && variant.id != "json-compact") {
                    continue;
                }
                if bytes.is_empty() {
                    plan(variant.id, &written).unwrap().encode(&document, &mut bytes, &mut Losses::none()).unwrap();
                }
                let codec = plan(variant.id, &schema(members)).unwrap();
                let mut losses = Losses::allowing(LossKind::ALL);
                let ended = codec.read(&bytes, &mut Arena::new(Limits::default()), &mut losses);
                assert_eq!(ended, Ok(bytes.len()), "{}, {name}", variant.id);
            }
        }
    }
    // One key again and again: legal in Protobuf, an error elsewhere.
    let read = |variant: &str, members: &str, bytes: &[u8]| {
        plan(variant, &schema(members)).unwrap().read(bytes, &mut Arena::new(Limits::default()), &mut Losses::none())
    };
    let bytes = b"\x0a\x05\x0a\x01a\x10\x07".repeat(MANY);
    assert_eq!(read("protobuf", map, &bytes), Ok(bytes.len()));
    let text = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(MANY)).into_bytes();
    for members in [any, map] {
        assert!(read("json", members, &text).is_err());
    }
}

/// It is enough that this ends: a digit for which there is a step for each digit before it would keep this from ending.
fn long_numbers_take_no_quadratic_time() {
    for begin in ["", "0.", "1e", "1e-", "0.000", "-"] {
        let bytes = format!("{begin}{}", "7".repeat(20 * MANY)).into_bytes();
        for variant in ["json", "protojson"] {
            for ty in ["any", "int64", "uint64", "float32", "float64"] {
                let codec = plan(variant, &schema(&format!(r#""root": "{ty}""#))).unwrap();
                let mut losses = Losses::allowing(LossKind::ALL);
                // Some are read, rounded; others are errors.
                drop(codec.read(&bytes, &mut Arena::new(Limits::default()), &mut losses));
            }
        }
    }
}
