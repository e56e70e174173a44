use serde_json::Value as Json;
use wirewise_core::Schema;
use wirewise_testkit::random;

use super::{Bfbs, Fbs};
use crate::{Language, MemoryFiles, Module, Source};

fn read(text: &str) -> Module {
    read_with(text, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn read_with(text: &str, files: &MemoryFiles) -> crate::Result<Module> {
    Fbs.read(&Source::new("a.fbs", text), files)
}

fn write(module: &Module) -> String {
    let written = Fbs.write(module).unwrap_or_else(|error| panic!("{error}\n{}", module.schema.to_text()));
    String::from_utf8(written.bytes).unwrap()
}

fn wrong(text: &str) -> String {
    match read_with(text, &MemoryFiles::none()) {
        Ok(module) => panic!("{text} was read as {}", module.schema.to_text()),
        Err(error) => error.to_string(),
    }
}

/// A schema without the order of its types, which no file keeps.
fn canonical(schema: &Schema) -> Json {
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let name = |ty: &Json| ["record", "enum", "union"].iter().find_map(|kind| ty[kind].as_str().map(str::to_owned));
    json["types"].as_array_mut().unwrap().sort_by_key(name);
    json
}

fn assert_same(before: &Schema, after: &Schema, context: &str) {
    let (before, after) = (canonical(before), canonical(after));
    if let Some(found) = difference(&before, &after, "$") {
        panic!("{found}\n{context}");
    }
}

/// Where two JSON values differ.
fn difference(a: &Json, b: &Json, path: &str) -> Option<String> {
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

#[test]
fn random_schemas_come_back() {
    for seed in 0..400 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = if seed % 5 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let text = write(&module);
        let again = read(&text);
        assert_same(&module.schema, &again.schema, &format!("seed {seed}\n{text}"));
        assert_eq!(write(&again), text, "seed {seed}");
    }
}

#[test]
fn random_schemas_come_back_from_bytes() {
    for seed in 0..400 {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = if seed % 5 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let bytes = Bfbs.write(&module).unwrap_or_else(|error| panic!("seed {seed}: {error}")).bytes;
        let again = Bfbs.read(&Source::new("a.bfbs", bytes), &MemoryFiles::none());
        let again = again.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", module.schema.to_text()));
        assert_same(&module.schema, &again.schema, &format!("seed {seed}\n{}", write(&module)));
    }
}
