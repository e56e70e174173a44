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
    for (a, b) in before["types"].as_array().unwrap().iter().zip(after["types"].as_array().unwrap()) {
        assert_eq!(a, b, "{context}");
    }
    assert_eq!(before, after, "{context}");
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
