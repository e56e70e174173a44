//! Files that use what only FlatBuffers has: our bytes and those of `flatc` for them.

use serde_json::Value as Json;

use super::*;
use wirewise_core::{Cell, Kind, State};
use wirewise_formats::flatbuffers::notes;

/// The folder with the schemas of these tests.
fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fbs")
}

pub(crate) fn creatures() -> Module {
    let mut files = MemoryFiles::none();
    for name in ["schemas/creatures.fbs", "schemas/shared/colors.fbs"] {
        files.add(name, std::fs::read(folder().join(name)).unwrap());
    }
    wirewise_idl::read(files.get("schemas/creatures.fbs").unwrap(), &files).unwrap_or_else(|error| panic!("{error}"))
}

/// What `flatc` writes for a file of these tests.
fn flatc_file(out: &Path, args: &[&str]) -> bool {
    let Some(mut flatc) = foreign::tool("flatc") else { return false };
    let output = flatc.current_dir(folder()).args(["-o", out.to_str().unwrap()]).args(args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    true
}

#[test]
fn everything_in_one_file() {
    let out = tempfile::tempdir().unwrap();
    let json = ["--binary", "-I", ".", "schemas/creatures.fbs", "schemas/creatures.json"];
    if !flatc_file(out.path(), &json) {
        return;
    }
    let theirs = std::fs::read(out.path().join("creatures.zoo")).unwrap();
    let module = creatures();
    let schema = Arc::new(module.schema_of(None).unwrap());
    let codec = wirewise_formats::plan("flatbuffers", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    let document = codec.decode(&theirs, &mut arena, &mut Losses::none()).unwrap_or_else(|error| panic!("{error}"));
    let mut ours = Vec::new();
    codec.encode(&document, &mut ours, &mut Losses::none()).unwrap();
    assert!(ours == theirs, "{ours:02x?}\n{theirs:02x?}");
    // Our own file for the same module says the same.
    std::fs::write(out.path().join("schema.fbs"), written("fbs", &module)).unwrap();
    std::fs::copy(folder().join("schemas/creatures.json"), out.path().join("value.json")).unwrap();
    flatc(out.path(), &["--binary", "schema.fbs", "value.json"]);
    let again = std::fs::read(out.path().join("value.zoo")).unwrap();
    assert!(again == theirs, "{}", String::from_utf8_lossy(&written("fbs", &module)));
    // So does our binary one.
    std::fs::write(out.path().join("schema.bfbs"), written("bfbs", &module)).unwrap();
    flatc(out.path(), &["--binary", "schema.bfbs", "value.json"]);
    assert!(std::fs::read(out.path().join("value.zoo")).unwrap() == theirs, "by the binary schema");
}

/// Readers search vectors by their keys, so both sort them.
#[test]
fn keys_are_sorted() {
    let text = "struct S { x: short (key); } table T { name: string (key); n: int; } table F { x: float (key); }
        table R { s: [S]; t: [T]; f: [F]; } root_type R;";
    let schema = Arc::new(read(text).schema_of(None).unwrap());
    let json = r#"{"s":[{"x":3},{"x":-5},{"x":0}],"t":[{"name":"b","n":1},{"name":"","n":2},{"name":"a\u00e9","n":3}],"f":[{"x":2.5},{"x":-1.0},{"x":1.0}]}"#;
    let mut arena = Arena::new(Limits::default());
    let codec = wirewise_formats::plan("json", &schema).unwrap();
    let document = codec.decode(json.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let ours = encode("flatbuffers", &document, &schema).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("schema.fbs"), text).unwrap();
    std::fs::write(folder.path().join("value.json"), json).unwrap();
    let Some(theirs) = flatc_binary(folder.path(), &[]) else { return };
    assert!(ours == theirs, "{ours:02x?}\n{theirs:02x?}");
}

/// flatc's binary schema of a file says the same as the file.
#[test]
fn flatc_binary_schemas() {
    let out = tempfile::tempdir().unwrap();
    let args = ["--binary", "--schema", "--bfbs-comments", "--bfbs-builtins", "-I", ".", "schemas/creatures.fbs"];
    if !flatc_file(out.path(), &args) {
        return;
    }
    let bytes = std::fs::read(out.path().join("creatures.bfbs")).unwrap();
    let theirs = wirewise_idl::read(&Source::new("creatures.bfbs", bytes), &MemoryFiles::none());
    let theirs = theirs.unwrap_or_else(|error| panic!("{error}"));
    let ours = creatures();
    if let Some(found) = difference(&canonical(&theirs.schema), &canonical(&ours.schema), "$") {
        panic!("{found}");
    }
    let name = |module: &Module| module.schema.name(module.root.unwrap()).map(str::to_owned);
    assert_eq!(name(&theirs), name(&ours));
}

/// A schema without the order of its types and symbols, which binary schemas do not keep.
pub(crate) fn canonical(schema: &Schema) -> Json {
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let types = json["types"].as_array_mut().unwrap();
    types.sort_by_key(|ty| ["record", "enum", "union"].iter().find_map(|kind| ty[kind].as_str().map(str::to_owned)));
    for symbols in types.iter_mut().filter_map(|ty| ty.get_mut("symbols")) {
        symbols.as_array_mut().unwrap().sort_by_key(|symbol| (symbol["number"].as_i64(), symbol["name"].to_string()));
    }
    json
}

/// Schemas with everything that random ones of the model do not have.
#[test]
fn random_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for seed in 0..cases() {
        let text = generate::file(seed);
        let module = read(&text);
        let schema = Arc::new(module.schema_of(None).unwrap());
        std::fs::write(folder.path().join("schema.fbs"), &text).unwrap();
        let mut arena = Arena::new(Limits::default());
        random::message(&schema, seed, &mut arena);
        let document = Document::new(&schema, b"", &arena);
        let ours = encode("flatbuffers", &document, &schema).unwrap_or_else(|| panic!("{text}"));
        let json = value::print(&document);
        std::fs::write(folder.path().join("value.json"), &json.json).unwrap();
        let Some(theirs) = flatc_binary(folder.path(), &[]) else { return };
        if json.negative_zero {
            continue;
        }
        compared += 1;
        trace::check("flatbuffers", &schema, &document, &ours, &format!("seed {seed}\n{text}"));
        let again = read(&String::from_utf8(written("fbs", &module)).unwrap());
        if let Some(found) = difference(&canonical(&module.schema), &canonical(&again.schema), "$") {
            panic!("seed {seed}: {found}\n{text}");
        }
        assert!(ours == theirs, "seed {seed}\n{ours:02x?}\n{theirs:02x?}\n{text}\n{}", json.json);
        // Our own text and binary schema of the module say the same.
        std::fs::write(folder.path().join("schema.fbs"), written("fbs", &module)).unwrap();
        let again = flatc_binary(folder.path(), &[]).unwrap();
        assert!(again == theirs, "seed {seed}\n{text}\n{}", String::from_utf8_lossy(&written("fbs", &module)));
        std::fs::write(folder.path().join("schema.bfbs"), written("bfbs", &module)).unwrap();
        flatc(folder.path(), &["--binary", "schema.bfbs", "value.json"]);
        assert!(std::fs::read(folder.path().join("value.bin")).unwrap() == theirs, "seed {seed}, binary\n{text}");
        // And flatc's binary schema is read as the text is.
        std::fs::write(folder.path().join("schema.fbs"), &text).unwrap();
        flatc(folder.path(), &["--binary", "--schema", "--bfbs-comments", "--bfbs-builtins", "schema.fbs"]);
        let bytes = std::fs::read(folder.path().join("schema.bfbs")).unwrap();
        let theirs = wirewise_idl::read(&Source::new("schema.bfbs", bytes), &MemoryFiles::none()).unwrap();
        if let Some(found) = difference(&without_positions(&theirs.schema), &without_positions(&module.schema), "$") {
            panic!("seed {seed}: {found}\n{text}");
        }
    }
    assert!(compared * 2 > cases(), "{compared} of {} were compared", cases());
}

/// What random schemas of the model become as binary schemas is what flatc makes of them as text.
#[test]
fn binary_schemas_are_those_of_flatc() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..cases() / 3 {
        let module = Module::of(random::wild_schema(seed));
        let ours = written("bfbs", &module);
        if module.schema.to_text().contains("-0.0") {
            // flatc does not keep the sign of a default of zero there.
            continue;
        }
        std::fs::write(folder.path().join("ours.bfbs"), &ours).unwrap();
        std::fs::write(folder.path().join("schema.fbs"), written("fbs", &module)).unwrap();
        if !flatc(folder.path(), &["--binary", "--schema", "--bfbs-comments", "--bfbs-builtins", "schema.fbs"]) {
            return;
        }
        let theirs = std::fs::read(folder.path().join("schema.bfbs")).unwrap();
        let read = |bytes: Vec<u8>| wirewise_idl::read(&Source::new("a.bfbs", bytes), &MemoryFiles::none()).unwrap();
        let (ours, theirs) = (read(ours), read(theirs));
        let (ours, theirs) = (without_positions(&ours.schema), without_positions(&theirs.schema));
        if let Some(found) = difference(&ours, &theirs, "$") {
            panic!("seed {seed}: {found}");
        }
    }
}

/// Binary schemas made from text have lost where fields and symbols stood, and whether their ids had to be said.
fn without_positions(schema: &Schema) -> Json {
    let mut json = canonical(schema);
    for fields in json["types"].as_array_mut().unwrap().iter_mut().filter_map(|ty| ty.get_mut("fields")) {
        fields.as_array_mut().unwrap().sort_by_key(|field| field["number"].as_u64());
    }
    for notes in json["types"].as_array_mut().unwrap().iter_mut().filter_map(|ty| ty.get_mut("notes")) {
        notes.as_object_mut().unwrap().remove(notes::IDS);
    }
    for ty in json["types"].as_array_mut().unwrap() {
        if ty["notes"].as_object().is_some_and(serde_json::Map::is_empty) {
            ty.as_object_mut().unwrap().remove("notes");
        }
    }
    json
}

#[test]
fn a_missing_struct_and_an_unknown_field() {
    let text = "struct P { x: int; y: [short:2]; } table T { p: P (required); old: int (deprecated); s: string; } root_type T;";
    let schema = Arc::new(read(text).schema_of(None).unwrap());
    let codec = wirewise_formats::plan("flatbuffers", &schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    let empty = [8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0];
    let document = codec.decode(&empty, &mut arena, &mut Losses::none()).unwrap();
    let Kind::Record(record) = schema.kind(schema.root()) else { unreachable!() };
    let view = document.record(record, document.root());
    assert_eq!(view.state(0), State::Present);
    let Kind::Record(inner) = schema.kind(record.fields[0].ty) else { unreachable!() };
    let point = document.record(inner, view.cell(0));
    assert_eq!((point.cell(0), document.list(point.cell(1))), (Cell::int(0), &[Cell::int(0); 2][..]));
    // The slot of the deprecated field is not empty.
    let old = [10, 0, 0, 0, 8, 0, 8, 0, 0, 0, 4, 0, 6, 0, 0, 0, 7, 0, 0, 0];
    let old = [&[12, 0, 0, 0, 8, 0, 8, 0, 0, 0, 4, 0][..], &old[12..]].concat();
    let mut bytes = old;
    bytes[12] = 8;
    let error = codec.decode(&bytes, &mut arena, &mut Losses::none()).unwrap_err();
    assert!(error.to_string().contains("number 1"), "{error}");
}

/// Where two JSON values differ.
pub(crate) fn difference(a: &Json, b: &Json, path: &str) -> Option<String> {
    match (a, b) {
        (Json::Object(x), Json::Object(y)) if x.keys().eq(y.keys()) => {
            x.iter().find_map(|(key, value)| difference(value, &y[key], &format!("{path}.{key}")))
        }
        (Json::Array(x), Json::Array(y)) if x.len() == y.len() => {
            x.iter().zip(y).enumerate().find_map(|(i, (x, y))| difference(x, y, &format!("{path}[{i}]")))
        }
        _ => (a != b).then(|| format!("{path}:\n{a}\n{b}")),
    }
}
