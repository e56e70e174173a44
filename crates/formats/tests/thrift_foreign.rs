//! Apache Thrift itself reads what we write and writes the same: on the golden cases and on random schemas.

use std::fmt::Write;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Int, Kind, Limits, Losses, Schema, TypeId};
use wirewise_testkit::{foreign, random, root};

const VARIANTS: [&str; 2] = ["thrift-compact", "thrift-binary"];

#[test]
fn golden_files_are_what_their_command_writes() {
    let (Some(mut python), Some(_)) = (foreign::python(), foreign::tool("thrift")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let made = python.arg("conformance/thrift/make.py").arg(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut compared = 0;
    for entry in folder.path().read_dir().unwrap() {
        let made = entry.unwrap();
        let golden = root().join("conformance/thrift").join(made.file_name());
        assert!(std::fs::read(&golden).unwrap() == std::fs::read(made.path()).unwrap(), "{}", golden.display());
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// Generated code reads our bytes into its own objects and writes them again: every byte must be the same.
#[test]
fn generated_code_gives_back_our_bytes() {
    let (Some(mut python), Some(mut thrift)) = (foreign::python(), foreign::tool("thrift")) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut idl = String::new();
    let mut messages = String::new();
    let mut expected = Vec::new();
    for seed in 0..150 {
        let schema = Arc::new(random::schema(seed));
        write_idl(&schema, &format!("S{seed}_"), &mut idl);
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
                let name = schema.name(schema.root()).unwrap();
                writeln!(messages, "{variant} S{seed}_{name} {}", hex(&bytes)).unwrap();
                expected.push((seed, variant, hex(&bytes)));
            }
        }
    }
    assert!(expected.len() > 1000, "too few messages can be held: {}", expected.len());
    std::fs::write(folder.path().join("echo_types.thrift"), idl).unwrap();
    std::fs::write(folder.path().join("messages"), messages).unwrap();
    run(thrift.args(["--gen", "py", "-out"]).arg(folder.path()).arg(folder.path().join("echo_types.thrift")));
    let echoed = run(python.arg("conformance/thrift/echo.py").arg(folder.path()));
    let echoed: Vec<_> = echoed.lines().collect();
    assert_eq!(echoed.len(), expected.len());
    for ((seed, variant, ours), theirs) in expected.iter().zip(echoed) {
        assert_eq!(ours, theirs, "seed {seed}, {variant}");
    }
}

fn run(command: &mut std::process::Command) -> String {
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

/// The Thrift of a schema, as `help.md` describes the mapping.
fn write_idl(schema: &Schema, prefix: &str, out: &mut String) {
    for place in 0..schema.types().len() {
        let id = TypeId::from_index(place);
        let mut line = match schema.kind(id) {
            Kind::Record(record) => {
                let mut line = format!("struct {prefix}{} {{", record.name);
                for field in &record.fields {
                    let ty = schema.kind(field.ty);
                    let always_null = *ty == Kind::Null && !field.is_optional();
                    if !always_null {
                        let presence = if field.is_stateful() { "optional" } else { "required" };
                        let ty = if *ty == Kind::Null {
                            "bool".to_owned()
                        } else {
                            idl_type(schema, prefix, field.value_type())
                        };
                        write!(line, " {}: {presence} {ty} {};", field.number, field.name).unwrap();
                    }
                }
                line
            }
            Kind::Union(union) => {
                let mut line = format!("union {prefix}{} {{", union.name);
                for branch in &union.branches {
                    write!(line, " {}: {} {};", branch.number, idl_type(schema, prefix, branch.ty), branch.name)
                        .unwrap();
                }
                line
            }
            Kind::Nullable(inner) => {
                format!("struct {prefix}Nullable{place} {{ 1: optional {} value;", idl_type(schema, prefix, *inner))
            }
            Kind::Null => format!("struct {prefix}Null {{"),
            _ => continue,
        };
        line.push_str(" }\n");
        out.push_str(&line);
    }
}

fn idl_type(schema: &Schema, prefix: &str, id: TypeId) -> String {
    let inner = |id| idl_type(schema, prefix, id);
    match schema.kind(id) {
        Kind::Null => format!("{prefix}Null"),
        Kind::Bool => "bool".to_owned(),
        Kind::Int(Int::I8) => "i8".to_owned(),
        Kind::Int(Int::I16 | Int::U8) => "i16".to_owned(),
        Kind::Int(Int::I32 | Int::U16) | Kind::Enum(_) => "i32".to_owned(),
        Kind::Int(_) => "i64".to_owned(),
        Kind::Float(_) => "double".to_owned(),
        Kind::String | Kind::Any => "string".to_owned(),
        Kind::Bytes | Kind::Fixed(_) => "binary".to_owned(),
        Kind::List(item) => format!("list<{}>", inner(*item)),
        Kind::Map(key, value) => format!("map<{}, {}>", inner(*key), inner(*value)),
        Kind::Nullable(_) => format!("{prefix}Nullable{}", id.index()),
        Kind::Record(record) => format!("{prefix}{}", record.name),
        Kind::Union(union) => format!("{prefix}{}", union.name),
    }
}
