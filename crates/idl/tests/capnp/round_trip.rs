//! What is written is read back as it was.

use serde_json::{Value as Json, json};
use wirewise_core::Schema;
use wirewise_idl::Module;
use wirewise_testkit::random::{self, Rng};

use crate::common::{assert_same, capnp, cases, must_read};

fn written(module: &Module) -> String {
    String::from_utf8(capnp().write(module).unwrap().bytes).unwrap()
}

/// Adds what random schemas do not have: documentation, notes, reserved numbers, former names, namespaces.
pub(crate) fn decorated(schema: &Schema, seed: u64) -> Schema {
    let mut rng = Rng::new(seed ^ 0xDEC0);
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let namespace = if rng.one_in(2) { "com.acme." } else { "" };
    let text = rename(&json.to_string(), &|name| {
        let nested = matches!(name.as_bytes().last(), Some(b'3' | b'6')) && name != "Record1";
        if nested { format!("{namespace}Record1.{name}") } else { format!("{namespace}{name}") }
    });
    json = serde_json::from_str(&text).unwrap();
    if rng.one_in(3) {
        json["notes"] = json!({"protobuf.syntax": "proto3", "capnp.id": "0x9fd69ebc87b9719c"});
    }
    for ty in json["types"].as_array_mut().unwrap() {
        decorate(ty, &mut rng);
        let is_record = ty.get("record").is_some();
        if is_record && rng.one_in(4) {
            ty["reserved_numbers"] = json!([[5000, 6000], 7000]);
            ty["reserved_names"] = json!(["gone", "also gone"]);
        }
        if is_record {
            let members = ty["fields"].as_array_mut().unwrap();
            // A oneof that is always there must not lead back to its record.
            let recursive = members.iter().any(|field| field["type"].as_str().is_some_and(|ty| ty.contains("Record")));
            for oneof in ty.get_mut("oneofs").and_then(Json::as_array_mut).into_iter().flatten() {
                decorate(oneof, &mut rng);
                if !recursive && rng.one_in(2) {
                    oneof["required"] = Json::from(true);
                }
            }
        }
        for part in ["fields", "symbols", "branches"] {
            for part in ty.get_mut(part).and_then(Json::as_array_mut).into_iter().flatten() {
                decorate(part, &mut rng);
                if is_record && rng.one_in(10) {
                    part["aliases"] = json!(["former", "former name"]);
                }
                if is_record && part["type"] == "int32" && rng.one_in(2) {
                    part["type"] = json!({"scalar": "int32", "notes": {"protobuf.type": "sint32"}});
                    part.as_object_mut().unwrap().remove("logical");
                }
            }
        }
    }
    Schema::parse(&json.to_string()).unwrap_or_else(|error| panic!("{error}\n{json:#}"))
}

fn rename(text: &str, name: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    for (i, part) in text.split('"').enumerate() {
        if i > 0 {
            out.push('"');
        }
        let is_name = ["Record", "Enum", "Union"].iter().any(|what| {
            part.strip_prefix(what).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        });
        out.push_str(&if is_name { name(part) } else { part.to_owned() });
    }
    out
}

fn decorate(thing: &mut Json, rng: &mut Rng) {
    if rng.one_in(3) {
        let docs = [
            "Short.",
            "Two\nlines.",
            "  indented\n\n# and a gap; { } \"quoted\"",
            "\n starts and ends with gaps\n\n",
            "@wirewise is a tool",
            "carriage\r\nreturn\r",
            "日本 \u{1} \\",
            "",
        ];
        thing["doc"] = Json::from(*rng.pick(&docs));
    }
    if rng.one_in(6) {
        thing["notes"] = json!({"avro.order": "ignore", "protobuf.option": "(x) = {\n a: \"b;\" }"});
    }
}

#[test]
fn random_schemas_come_back() {
    for seed in 0..cases() {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let schema = if seed % 3 == 0 { schema } else { decorated(&schema, seed) };
        let schema = if seed % 7 == 0 { schema.list_of() } else { schema };
        let module = Module::of(schema);
        let text = written(&module);
        let back = must_read(&text);
        let context = format!("seed {seed}\n{text}");
        assert_same(&module.schema, &back.schema, &context);
        let root = back.root.unwrap_or_else(|| panic!("no root: {context}"));
        assert_eq!(back.schema.type_json(root), module.schema.type_json(module.schema.root()), "{context}");
        assert_eq!(text, written(&back), "{context}");
    }
}

/// A union that holds maps of itself, and a type whose name means another one where it is used.
#[test]
fn types_that_lead_back_to_themselves_come_back() {
    let text = r#"{"wirewise": "schema/1", "root": "Node", "types": [
        {"record": "Node", "fields": [
            {"number": 1, "name": "tree", "type": "Tree"},
            {"number": 2, "name": "nodes", "type": {"map": {"nullable": {"map": "Node"}}}},
            {"number": 3, "name": "state", "type": "State"}]},
        {"union": "Tree", "branches": [
            {"number": 1, "name": "leaf", "type": "string"},
            {"number": 2, "name": "named", "type": {"map": "Tree"}},
            {"number": 3, "name": "listed", "type": {"list": {"nullable": "Tree"}}}]},
        {"enum": "State", "symbols": [{"number": 0, "name": "a"}]},
        {"record": "Node.Inner", "fields": [
            {"number": 1, "name": "own", "type": "Node.Inner.State"},
            {"number": 2, "name": "other", "type": "State"},
            {"number": 3, "name": "others", "type": {"list": "State"}}]},
        {"enum": "Node.Inner.State", "symbols": [{"number": 0, "name": "b"}]}]}"#;
    let module = Module::of(Schema::parse(text).unwrap());
    let text = written(&module);
    assert_same(&module.schema, &must_read(&text).schema, &text);
    let Some(mut tool) = wirewise_testkit::foreign::tool("capnp") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("node.capnp");
    std::fs::write(&path, &text).unwrap();
    let output = tool.args(["compile", "-o-"]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}
