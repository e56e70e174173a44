//! What the tests share.

use serde_json::Value as Json;
use wirewise_core::Schema;
use wirewise_idl::{Language, MemoryFiles, Module, Result, Source, find};

pub(crate) fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

pub(crate) fn capnp() -> &'static dyn Language {
    find("capnp").unwrap()
}

/// Reads one file that imports nothing.
pub(crate) fn read(text: &str) -> Result<Module> {
    capnp().read(&Source::new("test.capnp", text), &MemoryFiles::none())
}

#[track_caller]
pub(crate) fn must_read(text: &str) -> Module {
    read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What a schema says, whatever the order of its types.
pub(crate) fn content(schema: &Schema) -> Json {
    let mut json: Json = serde_json::from_str(&schema.to_text()).unwrap();
    let name = |ty: &Json| ["record", "enum", "union"].iter().find_map(|what| ty[what].as_str()).unwrap().to_owned();
    json["types"].as_array_mut().unwrap().sort_by_key(name);
    json
}

/// Where two schemas differ, for people.
#[track_caller]
pub(crate) fn assert_same(expected: &Schema, found: &Schema, context: &str) {
    let (expected, found) = (content(expected), content(found));
    if expected == found {
        return;
    }
    let (a, b) = (lines(&expected), lines(&found));
    let at = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let show = |lines: &[String]| lines[at.saturating_sub(12)..(at + 12).min(lines.len())].join("\n");
    panic!("expected\n{}\nfound\n{}\n{context}", show(&a), show(&b));
}

fn lines(json: &Json) -> Vec<String> {
    serde_json::to_string_pretty(json).unwrap().lines().map(str::to_owned).collect()
}
