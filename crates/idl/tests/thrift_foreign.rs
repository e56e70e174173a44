//! Apache Thrift takes every schema that we write, and its generated code reads our bytes and writes the same.

mod thrift_schemas;

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Schema};
use wirewise_idl::names::{Case, identifier};
use wirewise_idl::{Module, find};
use wirewise_testkit::{foreign, random};

use thrift_schemas::decorated;

const VARIANTS: [&str; 2] = ["thrift-compact", "thrift-binary"];

fn write(schema: &Schema) -> String {
    let written = find("thrift").unwrap().write(&Module::of(schema.clone())).unwrap();
    String::from_utf8(written.bytes).unwrap()
}

/// Compiles a schema for Python, and as JSON, into `folder`; gives the module's name.
fn generate(text: &str, folder: &Path) -> Option<String> {
    let mut thrift = foreign::tool("thrift")?;
    std::fs::create_dir_all(folder).unwrap();
    let file = folder.join("schema.thrift");
    std::fs::write(&file, text).unwrap();
    let output = thrift.args(["--gen", "py", "--gen", "json", "-out"]).arg(folder).arg(&file).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}{}\n{text}", String::from_utf8_lossy(&output.stdout));
    let namespace = text.lines().find_map(|line| line.strip_prefix("namespace * "));
    Some(namespace.unwrap_or("schema").to_owned())
}

#[test]
fn the_compiler_takes_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..300 {
        if generate(&write(&decorated(seed)), &folder.path().join("case")).is_none() {
            return;
        }
    }
}

/// What the struct of a message is called.
fn struct_of(schema: &Schema, text: &str) -> String {
    let Some(full) = schema.name(schema.root()) else { return "Message".to_owned() };
    let package = text.lines().find_map(|line| line.strip_prefix("namespace * "));
    let name = package.and_then(|package| full.strip_prefix(package)?.strip_prefix('.')).unwrap_or(full);
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric());
    if plain { name.to_owned() } else { identifier(name, Case::Pascal) }
}

/// Generated code reads our bytes into its own objects and writes them again: every byte must be the same.
#[test]
fn generated_code_gives_back_our_bytes() {
    let Some(mut python) = foreign::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut expected = Vec::new();
    for seed in (0..500).step_by(2) {
        let schema = Arc::new(decorated(seed));
        let text = write(&schema);
        // Sets have no order, and a default of an optional field is there in Python whether it was read or not.
        let defaults = text.lines().any(|line| line.contains(": optional ") && line.contains(" = "));
        if text.contains("set<") || defaults {
            continue;
        }
        let case = folder.path().join(format!("{seed:05}"));
        let Some(module) = generate(&text, &case) else { return };
        let mut messages = String::new();
        for round in 0..5 {
            let mut arena = Arena::new(Limits::default());
            random::message(&schema, seed * 100 + round, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            for variant in VARIANTS {
                let codec = wirewise_formats::plan(variant, &schema).unwrap();
                let mut bytes = Vec::new();
                // What Thrift cannot hold (a null beside an absent field, numbers beyond i64) is not for this test.
                if codec.encode(&document, &mut bytes, &mut Losses::none()).is_err() {
                    continue;
                }
                let name = struct_of(&schema, &text);
                writeln!(messages, "{variant} {module} {name} {}", hex(&bytes)).unwrap();
                expected.push((seed, variant, hex(&bytes)));
            }
        }
        std::fs::write(case.join("messages"), messages).unwrap();
    }
    assert!(expected.len() > 1000, "too few messages can be held: {}", expected.len());
    let echoed = run(python.arg("conformance/thrift/echo.py").arg(folder.path()));
    let echoed: Vec<_> = echoed.lines().collect();
    assert_eq!(echoed.len(), expected.len());
    for ((seed, variant, ours), theirs) in expected.iter().zip(echoed) {
        assert!(ours == theirs, "seed {seed}, {variant}: {ours}\n{theirs}");
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", shown(&output.stdout), shown(&output.stderr));
    shown(&output.stdout)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::from("0x"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
