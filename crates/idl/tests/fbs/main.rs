//! FlatBuffers schemas against `flatc`: it must accept what we write, and write the bytes that we write for it.
//! `WIREWISE_CASES=n` runs more cases than the default.

mod generate;
mod native;
mod trace;
mod value;

use std::path::Path;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Schema};
use wirewise_idl::{MemoryFiles, Module, Source};
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

/// The text of a module in a schema language.
fn written(language: &str, module: &Module) -> Vec<u8> {
    let written = wirewise_idl::find(language).unwrap().write(module);
    written.unwrap_or_else(|error| panic!("{error}\n{}", module.schema.to_text())).bytes
}

fn fbs(schema: &Schema) -> String {
    String::from_utf8(written("fbs", &Module::of(schema.clone()))).unwrap()
}

fn read(text: &str) -> Module {
    let source = Source::new("schema.fbs", text);
    wirewise_idl::read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}\n{text}"))
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
        std::fs::write(folder.path().join("schema.fbs"), fbs(&schema)).unwrap();
        std::fs::write(folder.path().join("value.json"), &text.json).unwrap();
        let context = || {
            let kept = folder.path().display();
            format!("seed {seed}, {kept}\n{}\n{}", fbs(&schema), text.json)
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

/// Schemas that no other language can say in full, too.
#[test]
fn flatc_accepts_every_schema() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..cases() * 2 {
        let schema = random::wild_schema(seed);
        std::fs::write(folder.path().join("schema.fbs"), fbs(&schema)).unwrap();
        if !flatc(folder.path(), &["--binary", "--schema", "schema.fbs"]) {
            return;
        }
    }
}

/// A random schema with names that no language can have, documentation, notes of other formats and reserved numbers.
fn odd(seed: u64) -> Schema {
    let mut rng = random::Rng::new(seed);
    let mut text = random::wild_schema(seed).to_text();
    for (from, to) in [("Record", "com.odd name.Record"), ("Enum1", "com.Outer.Enum1"), ("Union", "unions.a.b.union ")]
    {
        text = text.replace(&format!("\"{from}"), &format!("\"{to}"));
    }
    text = text.replace("\"field_", "\"Field é").replace("SYMBOL_1\"", "symbol one\"");
    text = text
        .replace("\"name\": \"Field é1\"", "\"name\": \"type\"")
        .replace("\"name\": \"Field é2\"", "\"name\": \"type_length\"");
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["notes"] = serde_json::json!({"avro.x": "a b; c=\"d\"", "plain": "1"});
    let docs = ["Plain.", "Two\nlines: \"quoted\"", " indented\n\n  @wirewise x=1", "late \n", "*/ \u{0} // é"];
    let mut decorate = |thing: &mut serde_json::Value| {
        if rng.one_in(3) {
            thing["doc"] = (*rng.pick(&docs)).into();
        }
        if rng.one_in(3) {
            thing["notes"] = serde_json::json!({"protobuf.type": "sint32", "thrift.odd": "é\n\u{1}"});
        }
    };
    for ty in json["types"].as_array_mut().unwrap() {
        decorate(ty);
        if ty.get("enum").is_some() || ty.get("record").is_some() {
            ty["reserved_numbers"] = serde_json::json!([[1000, 1005], 2000]);
            ty["reserved_names"] = serde_json::json!(["gone", "with spaces"]);
        }
        for rows in ["fields", "symbols", "branches", "oneofs"] {
            ty.get_mut(rows).into_iter().flat_map(|rows| rows.as_array_mut().unwrap()).for_each(&mut decorate);
        }
        for field in ty.get_mut("fields").into_iter().flat_map(|rows| rows.as_array_mut().unwrap()) {
            if field["number"].as_u64().unwrap() % 3 == 0 {
                field["aliases"] = serde_json::json!(["former", "name \"2\""]);
            }
        }
    }
    Schema::parse(&json.to_string()).unwrap_or_else(|error| panic!("{error}\n{json}"))
}

#[test]
fn odd_schemas_come_back_and_flatc_accepts_them() {
    let folder = tempfile::tempdir().unwrap();
    let mut has_flatc = true;
    for seed in 0..cases() {
        let module = Module::of(odd(seed));
        let text = String::from_utf8(written("fbs", &module)).unwrap();
        let bytes = written("bfbs", &module);
        let binary = wirewise_idl::read(&Source::new("a.bfbs", bytes.clone()), &MemoryFiles::none()).unwrap();
        for again in [read(&text), binary] {
            let (before, after) = (native::canonical(&module.schema), native::canonical(&again.schema));
            if let Some(found) = native::difference(&before, &after, "$") {
                panic!("seed {seed}: {found}\n{text}");
            }
        }
        std::fs::write(folder.path().join("schema.fbs"), &text).unwrap();
        std::fs::write(folder.path().join("ours.bfbs"), bytes).unwrap();
        std::fs::write(folder.path().join("value.json"), "{}").unwrap();
        has_flatc = has_flatc && flatc(folder.path(), &["--binary", "--schema", "schema.fbs"]);
        has_flatc = has_flatc && flatc(folder.path(), &["--cpp", "ours.bfbs"]);
    }
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
        std::fs::write(folder.path().join("schema.fbs"), fbs(&schema)).unwrap();
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
    let types = ["byte", "string", "double", "bool", "short", "string"];
    let fields = names.iter().zip(types).map(|(name, ty)| {
        let default = if ty == "string" { "" } else { " = null" };
        format!("{name}: {ty}{default}; ")
    });
    let text = format!("table R {{ {}}} table L {{ value: [R]; }} root_type L;", fields.collect::<String>());
    let schema = Arc::new(read(&text).schema_of(None).unwrap());
    let values = ["1", "\"x\"", "0.5", "true", "7", "\"long enough\""];
    let rows = (0..128).map(|row| {
        let present = names.iter().zip(values).enumerate().filter(|(i, _)| row >> i & 1 == 1);
        let members: Vec<_> = present.map(|(_, (name, value))| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    });
    let json = format!("{{\"value\":[{}]}}", rows.collect::<Vec<_>>().join(","));
    let mut arena = Arena::new(Limits::default());
    let codec = wirewise_formats::plan("json", &schema).unwrap();
    let document = codec.decode(json.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let ours = encode("flatbuffers", &document, &schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schema.fbs"), text).unwrap();
    std::fs::write(folder.path().join("value.json"), json).unwrap();
    let Some(theirs) = flatc_binary(folder.path(), &[]) else { return };
    assert!(ours == theirs, "{} bytes, {} by flatc", ours.len(), theirs.len());
}
