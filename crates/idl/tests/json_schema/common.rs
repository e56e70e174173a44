//! Reading, writing, and schemas with everything on them.

use serde_json::{Value as Json, json};
use wirewise_core::Schema;
use wirewise_idl::{Language, MemoryFiles, Module, Result, Source, find};
use wirewise_testkit::random::{self, Rng};

fn language() -> &'static dyn Language {
    find("json-schema").unwrap()
}

pub(crate) fn read(text: &str) -> Result<Module> {
    language().read(&Source::new("test.schema.json", text), &MemoryFiles::none())
}

pub(crate) fn write(schema: &Schema) -> String {
    String::from_utf8(language().write(&Module::of(schema.clone())).unwrap().bytes).unwrap()
}

/// The first lines that differ.
pub(crate) fn difference(expected: &str, found: &str) -> String {
    let mut lines = expected.lines().zip(found.lines()).filter(|(a, b)| a != b);
    match lines.next() {
        Some((a, b)) => format!("expected {a}\nfound    {b}"),
        None => "one is longer".to_owned(),
    }
}

/// A random schema with documentation and notes on everything.
pub(crate) fn annotated(seed: u64, draft: u64) -> Schema {
    let mut file: Json = serde_json::from_str(&random::wild_schema(seed).to_text()).unwrap();
    let mut rng = Rng::new(seed);
    if draft == 7 {
        file["notes"] = json!({"json-schema.draft": "07", "protobuf.package": "a.b"});
    } else if rng.one_in(2) {
        file["notes"] = json!({"json-schema.$id": "https://example.org/a.json", "avro.x": "\"", "name": "x"});
    }
    let types = file["types"].as_array_mut().unwrap();
    for ty in types {
        decorate(ty, &mut rng);
        reserve(ty, &mut rng);
        for rows in ["fields", "symbols", "branches", "oneofs"] {
            for row in ty.get_mut(rows).and_then(Json::as_array_mut).into_iter().flatten() {
                decorate(row, &mut rng);
                if rows == "fields" && rng.one_in(5) {
                    row["aliases"] = json!(["old", "older name"]);
                }
                if let Some(inner) = row.get("type").filter(|_| row.get("logical").is_none()) {
                    row["type"] = with_notes(inner.clone(), &mut rng);
                }
                if rows == "oneofs" && rng.one_in(2) {
                    row["required"] = json!(true);
                }
            }
        }
    }
    Schema::parse(&file.to_string()).unwrap_or_else(|_| {
        // Oneofs of which one must be there may leave no finite message.
        for oneof in file["types"].as_array_mut().unwrap().iter_mut().filter_map(|ty| ty.get_mut("oneofs")) {
            oneof.as_array_mut().unwrap().iter_mut().for_each(|row| row["required"] = json!(false));
        }
        Schema::parse(&file.to_string()).unwrap_or_else(|error| panic!("{error}\n{file:#}"))
    })
}

const DOCS: [&str; 4] = ["Short.", "Two\nlines, \"quoted\" */ and more", " spaced ", "é"];

const NOTES: [(&str, &str); 12] = [
    ("json-schema.title", "A title"),
    ("json-schema.deprecated", "true"),
    ("json-schema.deprecated", "maybe"),
    ("json-schema.examples", "[1,{\"a\":2.50}]"),
    ("json-schema.x-internal", "{\"b\":[],\"a\":{}}"),
    ("json-schema.description", "not the doc"),
    ("json-schema.minLength", "3"),
    ("json-schema.format", "uuid"),
    ("json-schema.pattern", "^a\"$"),
    ("protobuf.type", "sint32"),
    ("deprecated", "true"),
    ("avro.order", "ignore; \"x\""),
];

fn some_notes(rng: &mut Rng) -> Json {
    let mut notes = json!({});
    for _ in 0..1 + rng.below(3) {
        let (key, text) = rng.pick(&NOTES);
        notes[*key] = json!(text);
    }
    notes
}

fn decorate(row: &mut Json, rng: &mut Rng) {
    if rng.one_in(3) {
        row["doc"] = json!(rng.pick(&DOCS));
    }
    if rng.one_in(3) {
        row["notes"] = some_notes(rng);
    }
}

fn reserve(ty: &mut Json, rng: &mut Rng) {
    if ty.get("union").is_some() || rng.one_in(2) {
        return;
    }
    ty["reserved_names"] = json!(["gone", "gone too"]);
    ty["reserved_numbers"] = json!([100_000, [100_002, 100_010]]);
    if ty.get("enum").is_some() && rng.one_in(2) {
        ty["reserved_numbers"] = json!([[i64::MIN, -3_000_000_000i64], -3, [i64::MAX - 5, i64::MAX]]);
    }
}

/// Notes on a type and its parts.
fn with_notes(ty: Json, rng: &mut Rng) -> Json {
    const SCALARS: [&str; 15] = [
        "null", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
        "string", "bytes", "any",
    ];
    let mut ty = match &ty {
        Json::String(name) if SCALARS.contains(&name.as_str()) => json!({"scalar": name}),
        Json::String(_) => return ty,
        _ => ty,
    };
    for part in ["list", "map", "nullable"] {
        if let Some(inner) = ty.get(part) {
            ty[part] = with_notes(inner.clone(), rng);
        }
    }
    if rng.one_in(3) {
        ty["notes"] = some_notes(rng);
        if rng.one_in(4) {
            ty["notes"]["json-schema.def"] = json!(format!("Def{}", rng.below(5)));
        }
    }
    ty
}
