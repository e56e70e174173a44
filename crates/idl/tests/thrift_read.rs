//! A schema that we read from a `.thrift` file has the bytes that generated code of the same file writes.

use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema};
use wirewise_idl::{MemoryFiles, Source, find};
use wirewise_testkit::{foreign, root};

const KINDS: &str = r#"{"flag":true,"small":-5,"short_number":300,"number":-70000,"id":9007199254740993,"ratio":0.1,
    "text":"é","data":"AP8=","color":"BLUE","ids":[1,-2],"numbers":[5],"by_color":{"2":"green"},
    "by_ratio":[{"key":1.5,"value":{"x":1.0,"y":-0.5}}],"by_number":{"7":[true,false]},"shape":{"radius":3},
    "refused":{"why":"no","color":"GREEN"},"inner":INNER,"far":"end"}"#;
const DEFAULTS: &str = r#"{"number":7,"text":"a \"b\"\n","numbers":[1,2,3],"colors":{"cold":["GREEN","BLUE"],"warm":["RED"]},
    "flag":true,"ratio":1.0,"data":"Ynl0ZXM=","color":"BLUE","by_ratio":[{"key":0.5,"value":1}],"names":["only"],
    "id":-5000000000}"#;

fn schema(name: &str) -> Arc<Schema> {
    let text = std::fs::read(root().join("conformance/thrift/idl.thrift")).unwrap();
    let module = find("thrift").unwrap().read(&Source::new("idl.thrift", text), &MemoryFiles::none());
    Arc::new(module.unwrap_or_else(|error| panic!("{error}")).schema_of(Some(name)).unwrap())
}

fn recoded(schema: &Arc<Schema>, from: &str, bytes: &[u8], to: &str) -> Vec<u8> {
    let (from, to) = (wirewise_formats::plan(from, schema).unwrap(), wirewise_formats::plan(to, schema).unwrap());
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(bytes, &mut arena, &mut Losses::none()).unwrap_or_else(|error| panic!("{error}"));
    let mut out = Vec::new();
    to.encode(&document, &mut out, &mut Losses::none()).unwrap();
    out
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What generated code makes of these messages.
fn echoed(folder: &Path, messages: &str) -> Option<Vec<String>> {
    let (mut python, mut thrift) = (foreign::python()?, foreign::tool("thrift")?);
    let case = folder.join("case");
    std::fs::create_dir(&case).unwrap();
    let made = thrift.args(["--gen", "py", "-out"]).arg(&case).arg("conformance/thrift/idl.thrift").status().unwrap();
    assert!(made.success());
    std::fs::write(case.join("messages"), messages).unwrap();
    let output = python.arg("conformance/thrift/echo.py").arg(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn generated_code_of_the_same_file_writes_the_same() {
    let inner = KINDS.replace("\"inner\":INNER,", "").replace("\"radius\":3", "\"point\":{\"x\":0.0,\"y\":1.0}");
    let kinds = KINDS.replace("INNER", &inner);
    let cases = [("Kinds", kinds.as_str()), ("Defaults", DEFAULTS), ("Refused", r#"{"why":""}"#)];
    let (mut messages, mut expected) = (String::new(), Vec::new());
    for (name, json) in cases {
        for variant in ["thrift-compact", "thrift-binary"] {
            let bytes = recoded(&schema(name), "json", json.as_bytes(), variant);
            messages.push_str(&format!("{variant} idl {name} {}\n", hex(&bytes)));
            expected.push(format!("0x{}", hex(&bytes)));
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(theirs) = echoed(folder.path(), &messages) else { return };
    assert_eq!(theirs, expected);
}

#[test]
fn an_empty_message_has_the_defaults_that_generated_code_has() {
    let schema = schema("Defaults");
    let json: serde_json::Value = serde_json::from_slice(&recoded(&schema, "thrift", &[0], "json")).unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(DEFAULTS).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let Some(theirs) = echoed(folder.path(), "thrift-binary idl Defaults 00\n") else { return };
    let bytes: Vec<u8> =
        (2..theirs[0].len()).step_by(2).map(|at| u8::from_str_radix(&theirs[0][at..at + 2], 16).unwrap()).collect();
    let json: serde_json::Value = serde_json::from_slice(&recoded(&schema, "thrift-binary", &bytes, "json")).unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(DEFAULTS).unwrap());
}

#[test]
fn a_union_has_exactly_one_field() {
    let schema = schema("Shape");
    let codec = wirewise_formats::plan("thrift", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    assert!(codec.decode(&[0x25, 6, 0], &mut arena, &mut Losses::none()).is_ok());
    assert!(codec.decode(&[0], &mut arena, &mut Losses::none()).is_err());
    assert!(codec.decode(&[0x25, 6, 0x59, 0x0c, 0], &mut arena, &mut Losses::none()).is_err());
}
