//! Protocol Buffers schemas: there and back, and against Google's own tools.

mod errors;
mod foreign;
mod protojson;
mod round_trip;

use serde_json::Value as Json;
use wirewise_idl::{Files, Language, MemoryFiles, Module, Source, find};

fn proto() -> &'static dyn Language {
    find("proto").unwrap()
}

fn read(text: &str) -> Module {
    read_with(text, &MemoryFiles::none())
}

fn read_with(text: &str, files: &dyn Files) -> Module {
    match proto().read(&Source::new("test.proto", text), files) {
        Ok(module) => module,
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn write(module: &Module) -> String {
    String::from_utf8(proto().write(module).unwrap().bytes).unwrap()
}

/// A schema as JSON with its types in the order of their names: their order in the table means nothing.
fn canonical(module: &Module) -> Json {
    let mut json: Json = serde_json::from_str(&module.schema.to_text()).unwrap();
    let name = |ty: &Json| ["record", "enum", "union"].iter().find_map(|kind| ty[kind].as_str()).map(str::to_owned);
    // Standard types are imported, whatever their documentation was.
    let is_standard = |ty: &Json| name(ty).is_some_and(|name| name.starts_with("google.protobuf."));
    for ty in json["types"].as_array_mut().unwrap().iter_mut().filter(|ty| is_standard(ty)) {
        without_docs(ty);
    }
    json["types"].as_array_mut().unwrap().sort_by_key(name);
    json["root"] = module.root.map_or(Json::Null, |root| module.schema.type_json(root));
    json
}

fn without_docs(json: &mut Json) {
    match json {
        Json::Object(members) => {
            members.remove("doc");
            members.values_mut().for_each(without_docs);
        }
        Json::Array(items) => items.iter_mut().for_each(without_docs),
        _ => {}
    }
}

/// Fails where two schemas differ, and shows only that.
fn assert_same(left: &Module, right: &Module, context: &str) {
    let (left, right) = (canonical(left), canonical(right));
    if left == right {
        return;
    }
    for (a, b) in left["types"].as_array().unwrap().iter().zip(right["types"].as_array().unwrap()) {
        assert!(a == b, "{a:#}\nbecame\n{b:#}\n{context}");
    }
    panic!("{left}\nbecame\n{right}\n{context}");
}
