//! Random schemas and messages, held against the `capnp` tool: it compiles our schema, reads the message from its text
//! form and writes it; both sides must give the same bytes, which they only do when they lay out every struct alike.

use std::path::PathBuf;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Schema, diff};
use wirewise_formats::Codec;
use wirewise_idl::Module;
use wirewise_testkit::{foreign, random};

use crate::common::{capnp, cases};
use crate::tool::{message_text, run};

/// A schema with messages that Cap'n Proto can hold: their text, and our bytes.
struct Case {
    schema: Arc<Schema>,
    /// The schema for the tool.
    file: PathBuf,
    text: String,
    /// What the file says.
    schema_text: String,
    /// The struct of a message.
    root: String,
    messages: Vec<Vec<u8>>,
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

fn case(seed: u64, test: &str) -> Case {
    let schema = Arc::new(random::schema(seed));
    let schema = if seed.is_multiple_of(4) { Arc::new(schema.list_of()) } else { schema };
    let file = std::env::temp_dir().join(format!("wirewise-{}-{test}-{seed}.capnp", std::process::id()));
    let written = capnp().write(&Module::of((*schema).clone())).unwrap();
    std::fs::write(&file, &written.bytes).unwrap();
    let codec = wirewise_formats::plan("capnp", &schema).unwrap();
    let (mut text, mut messages) = (String::new(), Vec::new());
    for i in 0..4 {
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed ^ i << 32, &mut arena);
        let mut message = Vec::new();
        let written = codec.encode(&Document::new(&schema, b"", &arena), &mut message, &mut Losses::none());
        if written.is_ok() {
            let Some(message_text) = message_text(&schema, &mut arena) else { continue };
            text.push_str(&message_text);
            text.push('\n');
            messages.push(message);
        }
    }
    let schema_text = String::from_utf8(written.bytes).unwrap();
    let root = if schema.name(schema.root()).is_some() { "Record1" } else { "Root" };
    Case { schema, file, text, schema_text, root: root.to_owned(), messages }
}

/// Where two messages first differ, for people.
fn compare(ours: &[u8], theirs: &[u8], context: &dyn Fn() -> String) {
    if ours == theirs {
        return;
    }
    let at = ours.iter().zip(theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
    panic!("{} bytes became {}, first difference at {at:#x}; {}", ours.len(), theirs.len(), context());
}

#[test]
fn the_tool_writes_the_same_bytes() {
    for seed in 0..cases() / 5 {
        let Some(tool) = foreign::tool("capnp") else { return };
        let case = case(seed, "bytes");
        let context = || format!("seed {seed}\n{}\n{}", case.schema_text, case.text);
        let segments = run(tool, &["encode"], &case.file, &case.root, case.text.as_bytes());
        // `encode` splits messages of more than 8 KiB into segments; `convert` joins them when told to.
        const JOIN: &str = "--segment-size=1000000";
        let Some(tool) = foreign::tool("capnp") else { return };
        let theirs = run(tool, &["convert", "--quiet", JOIN, "binary:binary"], &case.file, &case.root, &segments);
        compare(&case.messages.concat(), &theirs, &context);
        check_same(seed, &case, "capnp", &segments);

        let packed = wirewise_formats::plan("capnp-packed", &case.schema).unwrap();
        let ours: Vec<u8> = case.messages.iter().flat_map(|message| convert(&case.schema, message, &*packed)).collect();
        let Some(tool) = foreign::tool("capnp") else { return };
        let theirs = run(tool, &["convert", "--quiet", JOIN, "binary:packed"], &case.file, &case.root, &segments);
        compare(&ours, &theirs, &context);
    }
}

/// A framed message in another variant.
fn convert(schema: &Arc<Schema>, message: &[u8], to: &dyn Codec) -> Vec<u8> {
    let from = wirewise_formats::plan("capnp", schema).unwrap();
    let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
    let document = from.decode(message, &mut arena, &mut losses).unwrap();
    let mut out = Vec::new();
    to.encode(&document, &mut out, &mut losses).unwrap();
    out
}

#[test]
fn segments_and_far_pointers_are_read() {
    for seed in 0..cases() / 10 {
        let case = case(seed, "segments");
        for size in ["1", "2", "3", "7", "20"] {
            let Some(tool) = foreign::tool("capnp") else { return };
            let flag = format!("--segment-size={size}");
            let input = case.messages.concat();
            let theirs = run(tool, &["convert", "--quiet", &flag, "binary:binary"], &case.file, &case.root, &input);
            check_same(seed, &case, "capnp", &theirs);
            let Some(tool) = foreign::tool("capnp") else { return };
            let theirs = run(tool, &["convert", "--quiet", &flag, "binary:packed"], &case.file, &case.root, &input);
            check_same(seed, &case, "capnp-packed", &theirs);
        }
    }
}

#[test]
fn canonical_messages_are_read() {
    for seed in 0..cases() / 5 {
        let case = case(seed, "canonical");
        let mut theirs = Vec::new();
        for message in &case.messages {
            // Every struct is cut off after its last value that is not zero.
            let Some(tool) = foreign::tool("capnp") else { return };
            let canonical = run(tool, &["convert", "--quiet", "binary:canonical"], &case.file, &case.root, message);
            theirs.extend([0; 4]);
            theirs.extend(((canonical.len() / 8) as u32).to_le_bytes());
            theirs.extend(canonical);
        }
        check_same(seed, &case, "capnp", &theirs);
    }
}

/// The messages in `theirs` are those of the case.
fn check_same(seed: u64, case: &Case, variant: &str, theirs: &[u8]) {
    let ours = wirewise_formats::plan("capnp", &case.schema).unwrap();
    let codec = wirewise_formats::plan(variant, &case.schema).unwrap();
    let (mut expected, mut found) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut rest = theirs;
    for message in &case.messages {
        let document = ours.decode(message, &mut expected, &mut Losses::none()).unwrap();
        let used = codec.read(rest, &mut found, &mut Losses::none());
        let used = used.unwrap_or_else(|error| panic!("seed {seed}, {variant}: {error}\n{}", case.text));
        let other = Document::new(&case.schema, rest, &found);
        if let Some(difference) = diff(&document, &other) {
            panic!("seed {seed}, {variant}: {difference}\n{}", case.text);
        }
        rest = &rest[used..];
    }
    assert!(rest.is_empty(), "seed {seed}, {variant}: {} bytes are left", rest.len());
}
