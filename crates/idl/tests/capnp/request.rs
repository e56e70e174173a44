//! What the compiler says about a file: a `CodeGeneratorRequest`, read with our own reader and codec from the schema that
//! Cap'n Proto describes itself with.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value as Json;
use wirewise_core::{Arena, Limits, LossKind, Losses, Schema};
use wirewise_idl::{MemoryFiles, Source};
use wirewise_testkit::foreign;

use crate::common::capnp;

/// The structs of a file, by name.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) structs: BTreeMap<String, Known>,
}

/// The layout of a struct, with those of its groups.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) data_words: u32,
    pub(crate) pointers: u32,
    pub(crate) offsets: BTreeMap<u32, u32>,
    pub(crate) discriminants: Vec<u32>,
}

/// `schema.capnp`, as it comes with the Python package.
fn schema() -> Option<&'static Arc<Schema>> {
    static SCHEMA: OnceLock<Option<Arc<Schema>>> = OnceLock::new();
    let read = || {
        let find = "import capnp, os; print(os.path.join(os.path.dirname(capnp.__file__), 'schema.capnp'))";
        let output = foreign::python()?.args(["-c", find]).output().unwrap();
        let path = String::from_utf8(output.stdout).unwrap();
        let bytes = std::fs::read(path.trim_end()).unwrap();
        let module = capnp().read(&Source::new("schema.capnp", bytes), &MemoryFiles::none()).unwrap();
        Some(Arc::new(module.schema_of(Some("CodeGeneratorRequest")).unwrap()))
    };
    SCHEMA.get_or_init(read).as_ref()
}

/// Reads a request.
pub(crate) fn request(bytes: &[u8]) -> Option<Request> {
    let schema = schema()?;
    let codec = wirewise_formats::plan("capnp", schema).unwrap();
    let json = wirewise_formats::plan("json", schema).unwrap();
    let mut arena = Arena::new(Limits::default());
    // Values of types that the model cannot say, and defaults that JSON cannot.
    let mut losses = Losses::allowing([LossKind::UnknownField, LossKind::NotFinite]);
    let document = codec.decode(bytes, &mut arena, &mut losses).unwrap();
    let mut text = Vec::new();
    json.encode(&document, &mut text, &mut losses).unwrap();
    let json: Json = serde_json::from_slice(&text).unwrap();
    let nodes: BTreeMap<u64, &Json> =
        json["nodes"].as_array().unwrap().iter().map(|node| (node["id"].as_u64().unwrap(), node)).collect();
    let mut structs = BTreeMap::new();
    for node in nodes.values() {
        let Some(body) = node.get("struct").filter(|body| body["isGroup"] == false) else { continue };
        let name = node["displayName"].as_str().unwrap();
        let number = |name: &str| body[name].as_u64().unwrap() as u32;
        let mut known =
            Known { data_words: number("dataWordCount"), pointers: number("pointerCount"), ..Known::default() };
        collect(&nodes, body, &mut known);
        known.discriminants.sort_unstable();
        structs.insert(name.split_once(':').unwrap().1.to_owned(), known);
    }
    Some(Request { structs })
}

fn collect(nodes: &BTreeMap<u64, &Json>, body: &Json, known: &mut Known) {
    if body["discriminantCount"].as_u64().unwrap() > 0 {
        known.discriminants.push(body["discriminantOffset"].as_u64().unwrap() as u32);
    }
    for field in body["fields"].as_array().into_iter().flatten() {
        if let Some(group) = field.get("group") {
            collect(nodes, &nodes[&group["typeId"].as_u64().unwrap()]["struct"], known);
        } else if field["slot"]["type"].get("void").is_none() {
            let ordinal = field["ordinal"]["explicit"].as_u64().unwrap() as u32;
            known.offsets.insert(ordinal, field["slot"]["offset"].as_u64().unwrap() as u32);
        }
    }
}
