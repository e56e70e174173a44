//! What the tests of MessagePack and CBOR share.

#![allow(dead_code, reason = "no test uses all of it")]

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Result, Schema, diff};
use wirewise_formats::plan;
use wirewise_testkit::{foreign, random, root};

/// The schema of values that carry their own types.
pub(crate) fn any() -> Arc<Schema> {
    Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap())
}

/// Reads bytes of one variant and writes another.
pub(crate) fn convert(schema: &Arc<Schema>, from: &str, to: &str, input: &[u8]) -> Result<Vec<u8>> {
    let mut arena = Arena::new(Limits::default());
    let mut losses = Losses::none();
    let mut out = Vec::new();
    let from = plan(from, schema)?;
    plan(to, schema)?.encode(&from.decode(input, &mut arena, &mut losses)?, &mut out, &mut losses)?;
    Ok(out)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Hyphens between bytes are passed over.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// A case's foreign bytes are the value in its JSON file, and the bytes that we write.
pub(crate) fn check_golden(variant: &str, bytes: &Path, values: &Path, case: &str) {
    let read = |path: &Path| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let folder = root().join("conformance");
    let schema = read(&folder.join(values).join(format!("{case}.schema.json")));
    let schema = Arc::new(Schema::parse(std::str::from_utf8(&schema).unwrap()).unwrap());
    let text = read(&folder.join(values).join(format!("{case}.json")));
    let theirs = read(&folder.join(bytes).join(format!("{case}.{variant}")));

    let (json, codec) = (plan("json", &schema).unwrap(), plan(variant, &schema).unwrap());
    let (mut first, mut second, mut losses) =
        (Arena::new(Limits::default()), Arena::new(Limits::default()), Losses::none());
    let expected = json.decode(&text, &mut first, &mut losses).unwrap_or_else(|error| panic!("{case}: {error}"));
    let decoded = codec.decode(&theirs, &mut second, &mut losses);
    let decoded = decoded.unwrap_or_else(|error| panic!("{case}, {variant}: {error}"));
    if let Some(difference) = diff(&expected, &decoded) {
        panic!("{case}, {variant}: {difference}");
    }
    let mut ours = Vec::new();
    codec.encode(&expected, &mut ours, &mut losses).unwrap();
    assert_eq!(hex(&ours), hex(&theirs), "{case}, {variant}");
}

/// The lines that a Python script answers to these lines; `None` where there is no Python.
#[track_caller]
pub(crate) fn ask(script: &str, arguments: &[&str], lines: &[String]) -> Option<Vec<String>> {
    let mut python = foreign::python()?;
    python.arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = python.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{script} failed");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// Random messages in this variant, with their schemas.
pub(crate) fn random_messages(variant: &str, count: u64) -> Vec<(Arc<Schema>, Vec<u8>)> {
    let mut arena = Arena::new(Limits::default());
    let mut messages = Vec::new();
    for seed in 0..count {
        let schema = Arc::new(random::schema(seed));
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let mut out = Vec::new();
        // What a variant cannot hold is tested elsewhere.
        if plan(variant, &schema).unwrap().encode(&document, &mut out, &mut Losses::none()).is_ok() {
            messages.push((schema, out));
        }
    }
    assert!(messages.len() as u64 > count / 2);
    messages
}

/// Whatever random bytes are read as is written, and then reading and writing changes nothing any more.
pub(crate) fn check_random_bytes(variant: &str) {
    let any = any();
    let mut valid = 0;
    for seed in 0..50_000 {
        let mut rng = random::Rng::new(seed);
        // Few of all bytes, so that lengths are small, keys come twice, and values are complete now and then.
        let few: Vec<u8> = (0..6).map(|_| rng.bits() as u8).collect();
        let bytes: Vec<u8> = (0..1 + rng.below(40)).map(|_| *rng.pick(&few)).collect();
        let mut losses = Losses::none();
        let mut arena = Arena::new(Limits::default());
        let codec = plan(variant, &any).unwrap();
        let Ok(used) = codec.read(&bytes, &mut arena, &mut losses) else { continue };
        valid += 1;
        let once = convert(&any, variant, variant, &bytes[..used]).unwrap();
        let twice = convert(&any, variant, variant, &once).unwrap_or_else(|error| panic!("{error}: {bytes:?}"));
        assert_eq!(once, twice, "{bytes:?}");
        assert!(once.len() <= used * 2 + 8, "{bytes:?}");
    }
    assert!(valid > 5_000, "{valid}");
}
