use std::path::PathBuf;

use wirewise_testkit::foreign;

use super::interpret::{self, Options};
use super::symbols::Symbols;
use super::tree::{self, Record, Tree};
use super::{check, descriptor, load};
use crate::{Element, Files, Module, Result, Source};

/// The files that protoc brings, and those of the tests.
struct Disk;

const ROOTS: [&str; 2] = ["crates/idl/tests/proto", "/usr/include"];

impl Files for Disk {
    fn find(&self, path: &str, _importer: &Source) -> Result<Option<Source>> {
        let found = ROOTS.iter().find_map(|root| {
            let file = wirewise_testkit::root().join(root).join(path);
            std::fs::read(&file).ok()
        });
        Ok(found.map(|bytes| Source::new(path, bytes)))
    }

    fn places(&self) -> String {
        format!("looked in {}", ROOTS.join(", "))
    }
}

fn roots() -> Vec<PathBuf> {
    ROOTS.iter().map(|root| wirewise_testkit::root().join(root)).collect()
}

fn source(path: &str) -> Source {
    Disk.find(path, &Source::new("", "")).unwrap().unwrap_or_else(|| panic!("there is no {path}"))
}

/// Files that are read by protoc and by us, and must mean the same.
const FILES: [&str; 15] = [
    "data/everything2.proto",
    "data/everything3.proto",
    "data/options.proto",
    "data/shared.proto",
    "google/protobuf/any.proto",
    "google/protobuf/api.proto",
    "google/protobuf/descriptor.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/field_mask.proto",
    "google/protobuf/source_context.proto",
    "google/protobuf/struct.proto",
    "google/protobuf/timestamp.proto",
    "google/protobuf/type.proto",
    "google/protobuf/wrappers.proto",
];

/// What protoc makes of a file: a descriptor set.
fn protoc(roots: &[PathBuf], path: &str) -> Option<Vec<u8>> {
    let mut protoc = foreign::tool("protoc")?;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("set.binpb");
    for root in roots {
        protoc.arg("-I").arg(root);
    }
    protoc.args(["--include_imports", "--include_source_info", "--descriptor_set_out"]).arg(&out).arg(path);
    assert!(protoc.status().unwrap().success(), "{path}");
    Some(std::fs::read(out).unwrap())
}

/// The last file of a descriptor set, as `options` understand it.
fn last(options: &Options<'_, '_>, set: &[u8]) -> Record {
    let ty = options.schema().named("google.protobuf.FileDescriptorSet").unwrap();
    let (set, unknown) = tree::decode(options.schema(), ty, set).unwrap();
    assert_eq!(unknown, 0);
    let mut file = set.records("file").last().unwrap().clone();
    file.0.remove("source_code_info");
    // Services are passed over.
    file.0.remove("service");
    file
}

/// A message as lines, with the declarations of a scope in the order of their names.
fn lines(tree: &Tree, indent: usize, out: &mut String) {
    let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    match tree {
        Tree::Text(bytes) => *out += &format!(" {:?}", text(bytes)),
        Tree::Record(record) => {
            for (name, value) in &record.0 {
                *out += &format!("\n{:indent$}{name}:", "");
                lines(value, indent + 1, out);
            }
        }
        Tree::List(items) => {
            let mut shown: Vec<String> = Vec::new();
            for item in items {
                let mut text = String::new();
                lines(item, indent + 1, &mut text);
                shown.push(text);
            }
            let named = items.iter().any(|item| matches!(item, Tree::Record(record) if record.text("name").is_some()));
            let order = |item: &String| item.split("name: ").last().unwrap_or_default().to_owned();
            if named && items.iter().all(|item| !matches!(item, Tree::Record(record) if record.get("number").is_some() && record.get("extendee").is_none())) {
                shown.sort_by_key(order);
            }
            shown.iter().for_each(|text| *out += &format!(" -{text}"));
        }
        other => *out += &format!(" {other:?}"),
    }
}

fn assert_same(left: &Record, right: &Record, context: &str) {
    let text = |record: &Record| {
        let mut out = String::new();
        lines(&Tree::Record(record.clone()), 0, &mut out);
        out
    };
    let (left, right) = (text(left), text(right));
    if left == right {
        return;
    }
    let differs = left.lines().zip(right.lines()).position(|(a, b)| a != b).unwrap_or_default();
    let around = |text: &str| text.lines().skip(differs.saturating_sub(12)).take(20).collect::<Vec<_>>().join("\n");
    panic!("{context}:\n{}\n--- became\n{}", around(&left), around(&right));
}

#[test]
fn files_mean_what_protoc_makes_of_them() {
    for path in FILES {
        let Some(set) = protoc(&roots(), path) else { return };
        let loaded = load::load(&source(path), &Disk).unwrap_or_else(|error| panic!("{error}"));
        let symbols = Symbols::new(&loaded).unwrap_or_else(|error| panic!("{error}"));
        check::check(&symbols).unwrap_or_else(|error| panic!("{error}"));
        let options = Options::new(&symbols).unwrap_or_else(|error| panic!("{error}"));
        options.check().unwrap_or_else(|error| panic!("{error}"));
        let mut ours = descriptor::to_record(&options, &symbols, 0).unwrap();
        ours.0.remove("source_code_info");
        assert_same(&last(&options, &set), &ours, path);
    }
}

/// A module as JSON, its types in the order of their names.
fn canonical(module: &Module) -> serde_json::Value {
    let mut json: serde_json::Value = serde_json::from_str(&module.schema.to_text()).unwrap();
    let name = |ty: &serde_json::Value| ["record", "enum"].iter().find_map(|kind| ty[kind].as_str()).map(str::to_owned);
    let types = json["types"].as_array_mut().unwrap();
    types.sort_by_key(name);
    if module.schema.notes().get("protobuf.options").is_none_or(|options| !options.contains("com.google.protobuf")) {
        // The documentation of the standard files is not that of the built-in ones.
        types.retain(|ty| !name(ty).unwrap_or_default().starts_with("google.protobuf."));
    }
    json
}

fn assert_same_module(left: &Module, right: &Module, context: &str) {
    let (left, right) = (canonical(left), canonical(right));
    for (a, b) in left["types"].as_array().unwrap().iter().zip(right["types"].as_array().unwrap()) {
        let (a, b) = (format!("{a:#}"), format!("{b:#}"));
        let line = a.lines().zip(b.lines()).position(|(a, b)| a != b).unwrap_or_default();
        let around = |text: &str| text.lines().skip(line.saturating_sub(8)).take(12).collect::<Vec<_>>().join("\n");
        assert!(a == b, "{}\nbecame\n{}\n{context}", around(&a), around(&b));
    }
    assert!(left["types"].as_array().unwrap().len() == right["types"].as_array().unwrap().len(), "{context}");
    assert_eq!(left["notes"], right["notes"], "{context}");
}

#[test]
fn descriptor_sets_say_what_the_files_say() {
    let [text, binary] = ["proto", "descriptor-set"].map(|name| crate::find(name).unwrap());
    for path in FILES {
        let module = text.read(&source(path), &Disk).unwrap_or_else(|error| panic!("{error}"));
        if let Some(set) = protoc(&roots(), path) {
            let theirs = binary.read(&Source::new("set.binpb", set), &Disk).unwrap_or_else(|error| panic!("{error}"));
            assert_same_module(&module, &theirs, path);
            let places = |module: &Module| -> Vec<String> {
                let types = module.schema.named_types().map(Element::Type);
                types.filter_map(|element| module.places.get(element)).map(ToString::to_string).collect()
            };
            let (mut ours, mut theirs) = (places(&module), places(&theirs));
            ours.sort();
            theirs.sort();
            assert_eq!(ours, theirs);
        }
        let set = binary.write(&module).unwrap_or_else(|error| panic!("{path}: {error}"));
        let again = binary.read(&Source::new("set.binpb", set.bytes), &Disk).unwrap_or_else(|error| panic!("{error}"));
        assert_same_module(&module, &again, path);
    }
}

/// What is written of a file means what the file means; imports apart, which are written into it.
#[test]
fn files_are_written_back() {
    let language = crate::find("proto").unwrap();
    for path in FILES.iter().chain(&["data/everything2023.proto"]) {
        let module = language.read(&source(path), &Disk).unwrap_or_else(|error| panic!("{error}"));
        let written = language.write(&module).unwrap_or_else(|error| panic!("{path}: {error}"));
        // A proto2 file cannot have the open enums that it imports.
        assert_eq!(written.lost.len(), usize::from(path.contains("everything2.")), "{:?}", written.lost);
        let text = String::from_utf8(written.bytes).unwrap();
        let again = language.read(&Source::new(path, text.as_bytes()), &Disk);
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_same_module(&module, &again, &format!("{path}\n{text}"));
        if path.contains("2023") {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &text).unwrap();
        let mut all = vec![folder.path().to_owned()];
        all.extend(roots());
        let (Some(ours), Some(theirs)) = (protoc(&all, path), protoc(&roots(), path)) else { continue };
        let loaded = load::load(&source(path), &Disk).unwrap();
        let symbols = Symbols::new(&loaded).unwrap();
        let options = Options::new(&symbols).unwrap();
        let (mut ours, mut theirs) = (last(&options, &ours), last(&options, &theirs));
        for side in [&mut ours, &mut theirs] {
            side.0.retain(|name, _| !name.ends_with("dependency"));
        }
        // What is imported from elsewhere is part of the file now.
        if !path.contains("everything2") && !path.starts_with("google") {
            assert_same(&theirs, &ours, &format!("{path}\n{text}"));
        }
    }
}

#[test]
fn the_built_in_files_are_valid() {
    assert!(interpret::standard().named("google.protobuf.FeatureSet").is_some());
    for (path, _) in super::wkt::all() {
        let module = super::module(&load::load(&super::wkt::find(path).unwrap(), &Disk).unwrap());
        module.unwrap_or_else(|error| panic!("{error}"));
    }
}
