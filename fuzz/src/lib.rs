//! What the fuzz targets do with their inputs.
//!
//! All formats share one harness, [`format`]. The first bytes of an input choose the variant and a random schema, the
//! rest is the payload: so the fuzzer explores schemas and payloads together, and an input means the same on every
//! machine (as long as [`random::schema`] makes the same of a seed).

pub mod convert;

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

use wirewise_core::{Arena, Error, Limits, LossKind, Losses, Schema, diff};
use wirewise_formats::{Codec, FORMATS, Format, Variant, find};
use wirewise_idl::{Language, MemoryFiles, Module, Source};
use wirewise_inspect::{ByField, Reading};
use wirewise_shapes::{Shaping, Step};
use wirewise_testkit::random;

// The counters of an instrumented build are libFuzzer's: link it to whatever uses this crate.
use libfuzzer_sys as _;

/// Bytes before the payload: one for the variant, two for the schema.
pub const HEADER: usize = 3;

/// The schema number that stands for "any value".
const ANY: u16 = u16::MAX;

/// Small, so that an input which takes all it may (a list of a million nulls takes few bytes) is still quick.
pub fn limits() -> Limits {
    Limits { memory_bytes: 1 << 20, ..Limits::default() }
}

/// For what we have written of something that was read within [`limits`]: it may be larger than what it was read from.
fn roomy() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

/// The schema with this number.
pub fn schema(number: u16) -> Schema {
    if number == ANY {
        return Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).expect("a valid schema file");
    }
    let schema = random::schema(u64::from(number));
    // Every third one is a list: a batch.
    if number.is_multiple_of(3) { schema.list_of() } else { schema }
}

/// The beginning of an input for the format's variant at `variant` and the schema with this number.
pub fn header(variant: u8, number: u16) -> [u8; HEADER] {
    let [low, high] = number.to_le_bytes();
    [variant, low, high]
}

/// Fuzzes the decoder and encoder of the format with this name.
pub fn format(name: &str, input: &[u8]) {
    if let Some((variant, codec, payload)) = take_apart(name, input) {
        check(&*codec, variant, payload);
        if find(name).is_ok_and(|(format, _)| format.keeps_unknown()) {
            check_kept(&*codec, variant, payload);
        }
    }
}

/// Whether an input is a message that loses nothing.
pub fn is_message(name: &str, input: &[u8]) -> bool {
    take_apart(name, input).is_some_and(|(_, codec, payload)| {
        codec.decode(payload, &mut Arena::new(limits()), &mut Losses::none()).is_ok()
    })
}

/// The variant, the codec and the payload of an input; `None` when it is too short, or the format cannot express the
/// schema.
fn take_apart<'a>(name: &str, input: &'a [u8]) -> Option<(&'static Variant, Rc<dyn Codec>, &'a [u8])> {
    let ([variant, low, high], payload) = input.split_first_chunk::<HEADER>()?;
    let (format, _) = find(name).expect("the target is named after a format");
    let variants = format.info().variants;
    let variant = &variants[usize::from(*variant) % variants.len()];
    let codec = codec(format, variant, u16::from_le_bytes([*low, *high]))?;
    Some((variant, codec, payload))
}

/// Codecs by variant and schema, `None` where the format cannot express the schema.
type Codecs = HashMap<(&'static str, u16), Option<Rc<dyn Codec>>>;

/// The codec for a schema, from a cache: making schemas takes longer than most payloads.
fn codec(format: &dyn Format, variant: &'static Variant, number: u16) -> Option<Rc<dyn Codec>> {
    const MOST: usize = 4096;
    thread_local!(static CODECS: RefCell<Codecs> = RefCell::default());
    CODECS.with_borrow_mut(|codecs| {
        if codecs.len() >= MOST {
            codecs.clear();
        }
        let plan = || format.plan(&Arc::new(schema(number)), variant).ok().map(Rc::from);
        codecs.entry((variant.id, number)).or_insert_with(plan).clone()
    })
}

/// Whatever the payload is, decoding it ends in an error or in a document that is written and read back the same.
pub fn check(codec: &dyn Codec, variant: &Variant, payload: &[u8]) {
    let (mut first, mut second) = (Arena::new(limits()), Arena::new(roomy()));
    let Ok(document) = codec.decode(payload, &mut first, &mut Losses::allowing(LossKind::ALL)) else { return };
    let mut out = Vec::new();
    let failed = |what: &str, error: Error, out: &[u8]| -> ! {
        panic!(
            "{}: {what}: {error}\npayload {payload:02x?}\nwritten {out:02x?}\n{}",
            variant.id,
            codec.schema().to_text()
        )
    };
    // What the format gave, it can hold: nothing may be lost from here on.
    if let Err(error) = codec.encode(&document, &mut out, &mut Losses::none()) {
        failed("what was read cannot be written", error, &out);
    }
    let again = match codec.decode(&out, &mut second, &mut Losses::none()) {
        Ok(again) => again,
        Err(error) => failed("what was written cannot be read", error, &out),
    };
    if let Some(difference) = diff(&document, &again) {
        let text = codec.schema().to_text();
        panic!("{}: changed: {difference}\npayload {payload:02x?}\nwritten {out:02x?}\n{text}", variant.id);
    }
}

/// The schema that [`shapes`] shapes: something for every shape.
const SHAPED: &str = r#"{"wirewise": "schema/1", "root": "M", "types": [
  {"record": "M", "fields": [
    {"number": 1, "name": "id", "type": "string"},
    {"number": 2, "name": "at", "type": "string", "presence": "optional"},
    {"number": 3, "name": "price", "type": {"nullable": "string"}},
    {"number": 4, "name": "ratio", "type": "float64"},
    {"number": 5, "name": "rows", "type": {"list": "R"}},
    {"number": 6, "name": "ints", "type": {"list": "int64"}},
    {"number": 7, "name": "floats", "type": {"list": "float32"}},
    {"number": 8, "name": "texts", "type": {"list": "string"}},
    {"number": 9, "name": "map", "type": {"map": "float64"}}]},
  {"record": "R", "fields": [
    {"number": 1, "name": "n", "type": "uint32"},
    {"number": 2, "name": "d", "type": "string"},
    {"number": 3, "name": "x", "type": "float64", "presence": "optional"}]}]}"#;

/// Fuzzes steps, which are a line of text, and what is read with them, which is the rest: steps that are understood are
/// written as they are read, and what is undone is written and read back the same, unless a shape may lose something.
pub fn shapes(input: &[u8]) {
    let [variant, rest @ ..] = input else { return };
    let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    let (text, payload) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    let Ok(steps) = str::from_utf8(text).map_err(drop).and_then(|text| Step::parse_all(text).map_err(drop)) else {
        return;
    };
    let written: Vec<String> = steps.iter().map(Step::to_string).collect();
    let again = Step::parse_all(&written.join(" ")).expect("a step is read as it is written");
    assert!(steps == again, "{steps:?} {again:?}");
    let lossy = steps.iter().any(|step| step.shape.info().lossy);
    let schema = Arc::new(Schema::parse(SHAPED).expect("a valid schema file"));
    let Ok(shaping) = Shaping::new(&schema, steps) else { return };
    let variants = ["protobuf", "json", "msgpack-positional", "avro"];
    let variant = variants[usize::from(*variant) % variants.len()];
    let Ok(codec) = wirewise_shapes::plan(variant, &Arc::new(shaping)) else { return };
    let (_, variant) = find(variant).expect("a variant");
    if lossy {
        let _ = codec.decode(payload, &mut Arena::new(limits()), &mut Losses::allowing(LossKind::ALL)).map(drop);
    } else {
        check(&*codec, variant, payload);
    }
}

/// Whatever the payload is, the unknown fields that are kept of it are written so that they are read back: what is
/// written then is the same.
fn check_kept(codec: &dyn Codec, variant: &Variant, payload: &[u8]) {
    let again = |payload: &[u8], limits: Limits| {
        let mut arena = Arena::new(limits);
        arena.keep_unknown(true);
        let document = codec.decode(payload, &mut arena, &mut Losses::allowing(LossKind::ALL))?;
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut Losses::none())?;
        Ok::<_, Error>(out)
    };
    let Ok(first) = again(payload, limits()) else { return };
    let second = again(&first, roomy());
    assert!(
        second.as_ref().is_ok_and(|second| *second == first),
        "{}: with unknown fields\npayload {payload:02x?}\nwritten {first:02x?}\nagain {second:02x?}\n{}",
        variant.id,
        codec.schema().to_text()
    );
}

/// Fuzzes planning for every variant.
pub fn schema_file(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(schema) = Schema::parse(text) else { return };
    let schema = Arc::new(schema);
    for (format, variant) in all_variants() {
        drop(format.plan(&schema, variant));
    }
}

/// Fuzzes guessing and explaining: whatever the bytes are, every one of them is in some row.
pub fn inspect(input: &[u8]) {
    let Some((&number, payload)) = input.split_first() else { return };
    // Sometimes with a schema.
    let schema = (number >= 128).then(|| Arc::new(schema(u16::from(number))));
    if let Some(compressor) = wirewise_inspect::layers::detect(payload) {
        wirewise_inspect::layers::Layer::peel(compressor, payload.to_vec(), limits().memory_bytes).rows();
    }
    for candidate in wirewise_inspect::guess(payload, true, schema.as_ref()).into_iter().take(3) {
        let (variant, frames) = (candidate.variant, candidate.frames);
        let Ok(reading) = Reading::plan(variant, frames, candidate.confluent, schema.as_ref()) else { continue };
        let mut bytes = 0;
        let mut by_field = ByField::default();
        let summary = wirewise_inspect::inspect(payload, &reading, limits(), Some(1000), &mut |item| {
            let mut end = 0;
            for row in &item.rows {
                assert!(row.bytes.start <= end, "{candidate:?}: a gap before {row:?} in {payload:02x?}");
                end = end.max(row.bytes.end);
            }
            assert_eq!(end, item.bytes.len(), "{candidate:?}: {payload:02x?}");
            bytes += if item.within.is_none() { end as u64 } else { 0 };
            by_field.add(item);
            ControlFlow::Continue(())
        });
        if let Ok(summary) = summary {
            assert_eq!(summary.bytes, bytes, "{candidate:?}: {payload:02x?}");
            let whole = summary.broken.is_none() && !summary.more;
            assert!(!whole || bytes == payload.len() as u64, "{candidate:?}: only {bytes} bytes of {payload:02x?}");
        }
    }
}

fn all_variants() -> impl Iterator<Item = (&'static dyn Format, &'static Variant)> {
    FORMATS.iter().flat_map(|format| format.info().variants.iter().map(|variant| (*format, variant)))
}

/// Fuzzes schema languages: where there are several names, the first byte of an input chooses one of them. What was read
/// is written, and read back the same.
pub fn language(names: &[&str], input: &[u8]) {
    let Some((language, file)) = chosen(names, input) else { return };
    let read = |bytes: &[u8]| language.read(&Source::new("input", bytes), &MemoryFiles::none());
    let Ok(module) = read(file) else { return };
    let written = match language.write(&module) {
        Ok(written) => written,
        // Some limits are those of what is written only.
        Err(error) if MAY_BE_UNWRITABLE.iter().any(|what| error.what().contains(what)) => return,
        Err(error) => panic!("what was read cannot be written: {error}\n{}", module.schema.to_text()),
    };
    let text = || String::from_utf8_lossy(&written.bytes);
    let again = read(&written.bytes).unwrap_or_else(|error| panic!("{error} in what was written:\n{}", text()));
    let (before, after) = (canonical(&module), canonical(&again));
    if let Some((before, after)) = before.iter().zip(&after).find(|(before, after)| before != after) {
        panic!("what was read and written is another schema:\n{before}\n{after}\n{}", text());
    }
    assert_eq!(before.len(), after.len(), "what was read and written has more or less types:\n{}", text());
}

/// Whether an input is a file of its language.
pub fn is_schema(names: &[&str], input: &[u8]) -> bool {
    let read =
        |(language, file): (&dyn Language, &[u8])| language.read(&Source::new("input", file), &MemoryFiles::none());
    chosen(names, input).is_some_and(|chosen| read(chosen).is_ok())
}

/// The language of an input, and the file.
fn chosen<'a>(names: &[&str], input: &'a [u8]) -> Option<(&'static dyn Language, &'a [u8])> {
    let (choice, file) = match (names, input) {
        ([_], file) => (0, file),
        (_, [choice, file @ ..]) => (usize::from(*choice) % names.len(), file),
        _ => return None,
    };
    Some((wirewise_idl::find(names[choice]).expect("the target names languages"), file))
}

/// What errors of writing say that are no mistakes.
const MAY_BE_UNWRITABLE: &[&str] = &[];

/// A schema's root, notes and types, in the order of their names: the order of types means nothing.
fn canonical(module: &Module) -> Vec<String> {
    let text = module.schema.to_text();
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("schema files are JSON");
    let mut types: Vec<String> = json["types"].as_array_mut().into_iter().flatten().map(|ty| ty.to_string()).collect();
    types.sort();
    let root = module.root.map(|root| module.schema.type_json(root).to_string());
    types.extend([json["notes"].to_string(), root.unwrap_or_default()]);
    types
}
