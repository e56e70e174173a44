//! FlatBuffers against `flatc`: it is given our schemas as `.fbs` and our messages as its kind of JSON, and must write
//! the bytes that we write. `WIREWISE_CASES=n` runs more cases than the default.

mod fbs;
mod value;

use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Schema};
use wirewise_testkit::{foreign, random};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

fn encode(variant: &str, document: &Document<'_>, schema: &Arc<Schema>) -> Option<Vec<u8>> {
    let codec = wirewise_formats::plan(variant, schema).ok()?;
    let mut out = Vec::new();
    codec.encode(document, &mut out, &mut Losses::none()).ok()?;
    Some(out)
}

/// Runs `flatc` in `folder`; `false` where there is none.
fn flatc(folder: &Path, args: &[&str]) -> bool {
    let Some(mut flatc) = foreign::tool("flatc") else { return false };
    let output = flatc.current_dir(folder).args(args).output().unwrap();
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    assert!(
        output.status.success(),
        "{}{}{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        read("schema.fbs"),
        read("value.json")
    );
    true
}

/// What `flatc` writes for `value.json` under `schema.fbs`, both in `folder`.
fn flatc_binary(folder: &Path, flags: &[&str]) -> Option<Vec<u8>> {
    let args = [flags, &["--binary", "schema.fbs", "value.json"]].concat();
    flatc(folder, &args).then(|| std::fs::read(folder.join("value.bin")).unwrap())
}

/// What `flatc` reads from `ours` under `schema.fbs` in `folder`.
fn flatc_json(folder: &Path, ours: &[u8]) -> Option<String> {
    std::fs::write(folder.join("ours.bin"), ours).unwrap();
    let args = ["--json", "--strict-json", "--raw-binary", "schema.fbs", "--", "ours.bin"];
    flatc(folder, &args).then(|| std::fs::read_to_string(folder.join("ours.json")).unwrap())
}

#[test]
fn flatc_writes_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (mut compared, mut zeros) = (0, 0);
    for seed in 0..cases() {
        let schema = Arc::new(random::schema(seed));
        let schema = if seed % 3 == 0 { Arc::new(schema.list_of()) } else { schema };
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed ^ 0xABCD, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let Some(ours) = encode("flatbuffers", &document, &schema) else { continue };
        let text = value::print(&document);
        std::fs::write(folder.path().join("schema.fbs"), fbs::print(&schema)).unwrap();
        std::fs::write(folder.path().join("value.json"), &text.json).unwrap();
        let context = || {
            let kept = folder.path().display();
            format!("seed {seed}, {kept}\n{}\n{}", fbs::print(&schema), text.json)
        };
        if text.negative_zero {
            // flatc leaves out a field of -0.0, which is then 0.0: we keep it.
            zeros += 1;
            if flatc_json(folder.path(), &ours).is_none() {
                return;
            }
            continue;
        }
        let Some(theirs) = flatc_binary(folder.path(), &[]) else { return };
        assert!(ours == theirs, "{ours:02x?}\n{theirs:02x?}\n{}", context());
        if seed % 3 != 0 {
            let ours = encode("flatbuffers-size-prefixed", &document, &schema).unwrap();
            let Some(theirs) = flatc_binary(folder.path(), &["--size-prefixed"]) else { return };
            assert!(ours == theirs, "size-prefixed: {ours:02x?}\n{theirs:02x?}\n{}", context());
        }
        compared += 1;
    }
    assert!(compared > 2 * zeros, "{compared} messages were compared, {zeros} were not");
}

#[test]
fn flatc_reads_what_we_write() {
    let folder = tempfile::tempdir().unwrap();
    for seed in (1..cases()).filter(|seed| seed % 7 == 1) {
        let schema = Arc::new(random::schema(seed));
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let Some(ours) = encode("flatbuffers", &document, &schema) else { continue };
        std::fs::write(folder.path().join("schema.fbs"), fbs::print(&schema)).unwrap();
        let Some(theirs) = flatc_json(folder.path(), &ours) else { return };
        let theirs: serde_json::Value = match serde_json::from_str(&theirs) {
            // flatc rounds the largest double up.
            Err(error) if error.to_string().contains("number out of range") => continue,
            other => other.unwrap(),
        };
        let printed: serde_json::Value = serde_json::from_str(&value::print(&document).json).unwrap();
        value::assert_close(&theirs, &printed, &format!("seed {seed}: $"));
    }
}

/// More vtables than the encoder compares one by one, each of them twice.
#[test]
fn flatc_shares_the_same_vtables() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let fields = (1..).zip(names).map(|(number, name)| {
        let ty = ["int8", "string", "float64", "bool", "int16", "string"][number - 1];
        format!(r#"{{"number": {number}, "name": "{name}", "type": "{ty}", "presence": "optional"}}"#)
    });
    let fields: Vec<_> = fields.collect();
    let schema = format!(
        r#"{{"wirewise": "schema/1", "root": {{"list": "R"}}, "types": [{{"record": "R", "fields": [{}]}}]}}"#,
        fields.join(", ")
    );
    let schema = Arc::new(Schema::parse(&schema).unwrap());
    let values = ["1", "\"x\"", "0.5", "true", "7", "\"long enough\""];
    let rows = (0..128).map(|row| {
        let present = names.iter().zip(values).enumerate().filter(|(i, _)| row >> i & 1 == 1);
        let members: Vec<_> = present.map(|(_, (name, value))| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    });
    let json = format!("[{}]", rows.collect::<Vec<_>>().join(","));
    let mut arena = Arena::new(Limits::default());
    let codec = wirewise_formats::plan("json", &schema).unwrap();
    let document = codec.decode(json.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let ours = encode("flatbuffers", &document, &schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schema.fbs"), fbs::print(&schema)).unwrap();
    std::fs::write(folder.path().join("value.json"), format!("{{\"value\":{json}}}")).unwrap();
    let Some(theirs) = flatc_binary(folder.path(), &[]) else { return };
    assert!(ours == theirs, "{} bytes, {} by flatc", ours.len(), theirs.len());
}
