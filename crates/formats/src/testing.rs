//! What the tests of several formats need.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};

use crate::plan;

/// Fields of every type of numbers, with and without defaults.
pub(crate) const NUMBERS: &str = r#"
    {"number": 1, "name": "flag", "type": "bool"}, {"number": 2, "name": "on", "type": "bool", "default": true},
    {"number": 3, "name": "i8", "type": "int8"}, {"number": 4, "name": "u8", "type": "uint8", "default": 200},
    {"number": 5, "name": "i16", "type": "int16", "default": -300}, {"number": 6, "name": "u16", "type": "uint16"},
    {"number": 7, "name": "i32", "type": "int32"}, {"number": 8, "name": "u32", "type": "uint32"},
    {"number": 9, "name": "i64", "type": "int64", "default": -1}, {"number": 10, "name": "u64", "type": "uint64"},
    {"number": 11, "name": "f32", "type": "float32"}, {"number": 12, "name": "f64", "type": "float64", "default": 1.5}"#;

/// A record of numbers, texts and such records; some of it may be absent or null, and not all of it is so simple.
const TREE: &str = r#"
    {"record": "R", "fields": [
        {"number": 1, "name": "id", "type": "int64"},
        {"number": 2, "name": "inner", "type": "S"},
        {"number": 3000, "name": "name", "type": "string"},
        {"number": 4, "name": "other", "type": "O"},
        {"number": 5, "name": "nothing", "type": {"nullable": "bool"}},
        {"number": 6, "name": "tags", "type": {"list": "string"}},
        {"number": 7, "name": "last", "type": "string"}]},
    {"record": "S", "fields": [
        {"number": 1, "name": "text", "type": "string"},
        {"number": 2, "name": "deep", "type": "T"},
        {"number": 3, "name": "on", "type": "bool"}]},
    {"record": "T", "fields": [
        {"number": 1, "name": "words", "type": "string"},
        {"number": 2, "name": "value", "type": "float64"}]},
    {"record": "O", "fields": [
        {"number": 1, "name": "maybe", "type": "T", "presence": "optional"},
        {"number": 2, "name": "count", "type": "int32", "presence": "optional"},
        {"number": 3, "name": "end", "type": "string"}]}"#;

/// The schema of one record `R` of [`TREE`], and that of a list of them.
pub(crate) fn tree_schemas() -> [Arc<Schema>; 2] {
    ["\"R\"", r#"{"list": "R"}"#].map(|root| {
        let text = format!(r#"{{"wirewise": "schema/1", "root": {root}, "types": [{TREE}]}}"#);
        Arc::new(Schema::parse(&text).unwrap())
    })
}

/// Values of [`TREE`]'s record `R` as JSON, with texts of all kinds of lengths.
pub(crate) fn trees() -> Vec<String> {
    let mut trees = Vec::new();
    for (i, id) in [0, 1, 127, 128, -1, i64::MAX, 1 << 55, 1 << 56].into_iter().enumerate() {
        for len in [0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 120, 127, 128, 300] {
            let text = |every: usize| "x".repeat(if i % every == 0 { len } else { 3 });
            let deep = format!(r#"{{"words":"{}","value":{i}.5}}"#, text(3));
            let maybe = if len % 2 == 0 { format!(r#""maybe":{deep},"#) } else { String::new() };
            let count = if len % 3 == 0 { format!(r#""count":{},"#, len as i64 - 20) } else { String::new() };
            let nothing = ["null", "true", "false"][len % 3];
            trees.push(format!(
                r#"{{"id":{id},"inner":{{"text":"{}","deep":{deep},"on":{}}},"name":"{}",
                    "other":{{{maybe}{count}"end":"{}"}},"nothing":{nothing},"tags":["a"],"last":"{}"}}"#,
                text(2),
                i % 2 == 0,
                text(4),
                text(5),
                text(1)
            ));
        }
    }
    trees
}

/// A message in another variant.
pub(crate) fn convert(
    schema: &Arc<Schema>,
    from: &str,
    to: &str,
    input: &[u8],
    losses: &mut Losses,
) -> Result<Vec<u8>> {
    let (from, to) = (plan(from, schema)?, plan(to, schema)?);
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(input, &mut arena, losses)?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, losses)?;
    Ok(out)
}
