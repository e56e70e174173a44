//! Protocol Buffers against Google's own tools: `protoc` (C++) and the Python library (upb).
//!
//! Random schemas are written as `.proto` files. A random message is then encoded here and re-encoded by the tool. What comes back must be the same message, and encoding that
//! must give the tool's bytes: the tool orders a map's entries as it likes, and here their order is kept.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use wirewise_core::{Arena, Document, ErrorKind, Kind, Limits, Losses, Schema, diff};
use wirewise_idl::{MemoryFiles, Module, Source};
use wirewise_testkit::{foreign, random};

/// The file for a schema, and the full name of its root, in a package of its own.
fn declare(schema: &Schema, package: &str) -> (String, String) {
    let text = super::write(&Module::of(schema.clone()));
    let text = text.replacen(";\n", &format!(";\npackage {package};\n"), 1);
    let root = match schema.name(schema.root()) {
        Some(name) => name.to_owned(),
        None => {
            let (_, after) = text.split_once("wrapper=root\nmessage ").expect("the root has a wrapper");
            after.split(' ').next().unwrap_or_default().to_owned()
        }
    };
    (text, format!("{package}.{root}"))
}

/// A random message, encoded.
struct Case {
    seed: u64,
    schema: Arc<Schema>,
    payload: Vec<u8>,
    proto: String,
    /// The full name of its type.
    root: String,
}

fn cases(seeds: std::ops::Range<u64>) -> Vec<Case> {
    let mut arena = Arena::new(Limits::default());
    let case = |seed: u64| {
        let schema = random::schema(seed);
        let schema = Arc::new(if seed.is_multiple_of(3) { schema.list_of() } else { schema });
        random::message(&schema, seed ^ 0x5EED, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let mut payload = Vec::new();
        let codec = wirewise_formats::plan("protobuf", &schema).unwrap();
        codec.encode(&document, &mut payload, &mut Losses::none()).ok()?;
        let (proto, root) = declare(&schema, &format!("seed{seed}"));
        Some(Case { seed, schema, payload, proto, root })
    };
    seeds.filter_map(case).collect()
}

/// Checks what a tool made of a case's payload; returns whether the bytes are the same.
fn check(case: &Case, theirs: &[u8]) -> bool {
    let codec = wirewise_formats::plan("protobuf", &case.schema).unwrap();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut losses = Losses::none();
    let context = || format!("seed {}\n{}", case.seed, case.proto);
    let ours = codec.decode(&case.payload, &mut first, &mut losses).unwrap();
    let read = codec.decode(theirs, &mut second, &mut losses).unwrap_or_else(|e| panic!("{e}: {}", context()));
    if let Some(difference) = diff(&ours, &read) {
        panic!("{difference}: {}", context());
    }
    let mut again = Vec::new();
    codec.encode(&read, &mut again, &mut losses).unwrap();
    // Python has extensions in no certain order.
    assert_eq!(again.len(), theirs.len(), "{}", context());
    case.payload == theirs
}

fn run(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_vec());
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let mut output = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    writer.join().unwrap().unwrap();
    assert!(child.wait().unwrap().success(), "{command:?} failed");
    output
}

fn write_protos(folder: &Path, cases: &[Case]) -> Vec<String> {
    let names = cases.iter().map(|case| {
        let name = format!("seed{}.proto", case.seed);
        std::fs::write(folder.join(&name), &case.proto).unwrap();
        name
    });
    names.collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// What Python's library makes of the cases' payloads; `None` where the tools are missing.
fn python_reencodes(cases: &[Case]) -> Option<Vec<String>> {
    let mut protoc = foreign::tool("protoc")?;
    let folder = tempfile::tempdir().unwrap();
    let names = write_protos(folder.path(), cases);
    run(protoc.current_dir(folder.path()).arg("--descriptor_set_out=set.binpb").args(names), b"");
    python_reencodes_with(&folder.path().join("set.binpb"), cases)
}

/// The same, with the types of a descriptor set.
fn python_reencodes_with(set: &Path, cases: &[Case]) -> Option<Vec<String>> {
    let mut python = foreign::python()?;
    let requests: Vec<_> = cases.iter().map(|case| format!("{} {}\n", case.root, hex(&case.payload))).collect();
    let answers = run(python.arg("conformance/protobuf/reencode.py").arg(set), requests.concat().as_bytes());
    let answers: Vec<_> = String::from_utf8(answers).unwrap().lines().map(str::to_owned).collect();
    assert_eq!(answers.len(), cases.len());
    Some(answers)
}

#[test]
fn python_writes_the_same_bytes() {
    let cases = cases(0..400);
    let Some(answers) = python_reencodes(&cases) else { return };
    let same = cases.iter().zip(&answers).filter(|(case, answer)| check(case, &unhex(answer))).count();
    // Maps apart, which Python sorts, not even the order of anything differs.
    assert!(same * 4 > cases.len() * 3, "{same} of {}", cases.len());
}

/// Two messages, one after the other, are one message with both merged; and fields may come in any order.
#[test]
fn python_merges_and_reorders_the_same_way() {
    let mut cases = cases(2000..2400);
    let mut arena = Arena::new(Limits::default());
    for case in &mut cases {
        random::message(&case.schema, case.seed, &mut arena);
        let document = Document::new(&case.schema, b"", &arena);
        let mut other = Vec::new();
        let codec = wirewise_formats::plan("protobuf", &case.schema).unwrap();
        if codec.encode(&document, &mut other, &mut Losses::none()).is_err() {
            continue;
        }
        case.payload.extend(other);
        if case.seed.is_multiple_of(2) {
            let mut fields = split(&case.payload);
            let mut rng = random::Rng::new(case.seed);
            for i in (1..fields.len()).rev() {
                fields.swap(i, rng.below(i + 1));
            }
            case.payload = fields.concat();
        }
    }
    let Some(answers) = python_reencodes(&cases) else { return };
    let same = cases.iter().zip(&answers).filter(|(case, answer)| check(case, &unhex(answer))).count();
    assert!(same * 4 < cases.len() * 3, "{same} of {} were not even changed", cases.len());
}

/// What is accepted here, Python reads as the same message; what is refused here as invalid, Python refuses too.
#[test]
fn python_accepts_the_same_bytes() {
    let mut cases = cases(3000..4000);
    // The text of an `any` must be JSON, which Python does not know.
    cases.retain(|case| case.schema.types().iter().all(|ty| ty.kind != Kind::Any));
    for case in &mut cases {
        let mut rng = random::Rng::new(case.seed);
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(case.payload.len() + 1);
            match case.payload.get_mut(at) {
                None => case.payload.push(rng.bits() as u8),
                Some(byte) => match rng.below(4) {
                    0 => *byte ^= 1 << rng.below(8),
                    1 => *byte = *rng.pick(&[0, 0x7f, 0x80, 0xff]),
                    2 => drop(case.payload.remove(at)),
                    _ => case.payload.insert(at, rng.bits() as u8),
                },
            }
        }
    }
    let Some(answers) = python_reencodes(&cases) else { return };
    let (mut accepted, mut invalid) = (0, 0);
    for (case, answer) in cases.iter().zip(&answers) {
        let codec = wirewise_formats::plan("protobuf", &case.schema).unwrap();
        let mut arena = Arena::new(Limits::default());
        match codec.decode(&case.payload, &mut arena, &mut Losses::none()).map(drop) {
            Ok(()) => {
                assert!(!answer.starts_with(['i', 'u']), "seed {}: Python says {answer}\n{}", case.seed, case.proto);
                check(case, &unhex(answer));
                accepted += 1;
            }
            Err(error) if matches!(error.kind(), ErrorKind::Syntax | ErrorKind::End) => {
                assert_eq!(answer, "invalid", "seed {}: {error}\n{}", case.seed, case.proto);
                invalid += 1;
            }
            // The schema says more than Protobuf can: what is required, what is 8 bits wide, what is unknown.
            Err(_) => {}
        }
    }
    assert!(accepted * 10 > cases.len() && invalid * 10 > cases.len(), "{accepted}, {invalid} of {}", cases.len());
}

/// The fields of a message, each with its tag.
fn split(mut payload: &[u8]) -> Vec<&[u8]> {
    let varint = |bytes: &[u8]| {
        let len = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
        (len, bytes[..len].iter().rev().fold(0, |value, byte| value << 7 | usize::from(byte & 0x7f)))
    };
    let mut fields = Vec::new();
    while !payload.is_empty() {
        let (tag_len, tag) = varint(payload);
        let value = &payload[tag_len..];
        let len = match tag & 7 {
            0 => value.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1,
            1 => 8,
            5 => 4,
            _ => {
                let (len, size) = varint(value);
                len + size
            }
        };
        let (field, rest) = payload.split_at(tag_len + len);
        fields.push(field);
        payload = rest;
    }
    fields
}

#[test]
fn protoc_reads_and_writes_the_same_messages() {
    let Some(_) = foreign::tool("protoc") else { return };
    let cases = cases(1000..1060);
    let folder = tempfile::tempdir().unwrap();
    let names = write_protos(folder.path(), &cases);
    let mut same = 0;
    for (case, name) in cases.iter().zip(names) {
        let protoc = |action: &str, input: &[u8]| {
            let mut protoc = foreign::tool("protoc").expect("it was just there");
            run(protoc.current_dir(folder.path()).arg(format!("--{action}={}", case.root)).arg(&name), input)
        };
        let text = protoc("decode", &case.payload);
        same += usize::from(check(case, &protoc("encode", &text)));
    }
    assert!(same * 4 > cases.len() * 3, "{same} of {}", cases.len());
}

/// protoc takes every file that is written, whatever schema it is made of.
#[test]
fn protoc_accepts_every_schema() {
    let Some(_) = foreign::tool("protoc") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut names = Vec::new();
    for seed in 0..400 {
        let schema = if seed % 3 == 0 { random::wild_schema(seed) } else { random::schema(seed) };
        let schema = if seed % 2 == 0 { super::round_trip::annotated(&schema, seed) } else { schema };
        let text = super::write(&Module::of(schema));
        // This protoc is older than editions.
        if text.contains("edition = ") {
            continue;
        }
        let text = text.replacen(";\n", &format!(";\npackage seed{seed};\n"), 1);
        let name = format!("seed{seed}.proto");
        std::fs::write(folder.path().join(&name), text).unwrap();
        names.push(name);
    }
    let mut protoc = foreign::tool("protoc").expect("it was just there");
    run(protoc.current_dir(folder.path()).arg("--descriptor_set_out=set.binpb").args(names), b"");
}

/// A random message of each record of a module, encoded.
fn messages_of(module: &Module, seed: u64) -> Vec<Case> {
    let mut arena = Arena::new(Limits::default());
    let records = module.schema.named_types().filter(|&id| matches!(module.schema.kind(id), Kind::Record(_)));
    let case = |id| {
        let root = module.schema.name(id).unwrap().to_owned();
        let schema = Arc::new(module.schema.rooted(id));
        random::message(&schema, seed ^ 0x5EED, &mut arena);
        let mut payload = Vec::new();
        let codec = wirewise_formats::plan("protobuf", &schema).unwrap();
        codec.encode(&Document::new(&schema, b"", &arena), &mut payload, &mut Losses::none()).ok()?;
        Some(Case { seed, schema, payload, proto: root.clone(), root })
    };
    records.filter_map(case).collect()
}

/// Files written by hand, with all that proto2, proto3 and edition 2023 have: messages of their types mean the same to
/// Python, which knows the types from protoc or, since that is older than editions, from the set that is written here.
#[test]
fn python_understands_the_messages_of_files() {
    let root = wirewise_testkit::root().join("crates/idl/tests/proto");
    let mut files = MemoryFiles::none();
    for name in ["data/shared.proto", "data/options.proto"] {
        files.add(name, std::fs::read(root.join(name)).unwrap());
    }
    for name in ["everything2", "everything3", "everything2023"] {
        let path = format!("data/{name}.proto");
        let source = Source::new(&path, std::fs::read(root.join(&path)).unwrap());
        let module = super::proto().read(&source, &files).unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("set.binpb");
        if name == "everything2023" {
            let written = wirewise_idl::find("descriptor-set").unwrap().write(&module).unwrap();
            std::fs::write(&set, written.bytes).unwrap();
        } else {
            let Some(mut protoc) = foreign::tool("protoc") else { return };
            let out = format!("--descriptor_set_out={}", set.display());
            run(protoc.current_dir(&root).args(["-I.", "--include_imports", &out, &path]), b"");
        }
        let cases: Vec<Case> = (0..200).flat_map(|seed| messages_of(&module, seed)).collect();
        let Some(answers) = python_reencodes_with(&set, &cases) else { return };
        let same = cases.iter().zip(&answers).filter(|(case, answer)| check(case, &unhex(answer))).count();
        // Many have extensions.
        assert!(same * 4 > cases.len(), "{name}: {same} of {}", cases.len());
    }
}

/// Random schemas with all notes that change bytes, in the syntax that has the words for them.
#[test]
fn python_understands_notes() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..150 {
        let schema = super::round_trip::noted(&random::schema(seed), seed);
        let module = Module::of(schema);
        let written = wirewise_idl::find("descriptor-set").unwrap().write(&module).unwrap();
        let set = folder.path().join("set.binpb");
        std::fs::write(&set, written.bytes).unwrap();
        let mut cases = messages_of(&module, seed);
        cases.retain(|case| case.root == module.schema.name(module.schema.root()).unwrap());
        let Some(answers) = python_reencodes_with(&set, &cases) else { return };
        for (case, answer) in cases.iter_mut().zip(&answers) {
            case.proto = super::write(&module);
            assert!(!answer.starts_with(['i', 'u']), "seed {seed}: {answer}\n{}", case.proto);
            check(case, &unhex(answer));
        }
    }
}
