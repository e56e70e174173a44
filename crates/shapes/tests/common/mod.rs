//! What the laws share with `examples/random_messages.rs`.

use std::sync::Arc;

use wirewise_core::{Document, Limits, LossKind, Losses, Schema};
use wirewise_shapes::{Params, SHAPES, Shaping, Step, slots};
use wirewise_testkit::random::Rng;

pub(crate) fn limits() -> Limits {
    Limits { memory_bytes: 64 << 20, ..Limits::default() }
}

/// Every shape at every slot that takes it, with parameters that it may have.
pub(crate) fn steps(schema: &Arc<Schema>, texts: &[String], rng: &mut Rng) -> Vec<Step> {
    let mut steps = Vec::new();
    for (slot, _) in slots(schema) {
        for &shape in SHAPES {
            let mut params = Params::default();
            for (name, _) in shape.info().params {
                if *name == "symbols" {
                    params = Params::of_texts(name, texts.iter().map(String::as_str));
                    continue;
                }
                params.set(
                    name,
                    *rng.pick(match *name {
                        "bits" => &[32, 32, 64],
                        "digits" => &[0, 3, 6, 9],
                        "planes" => &[1, 2, 4, 8],
                        _ => &[0, 1, 2, 7],
                    }),
                );
            }
            let step = Step { shape, slot: slot.clone(), params };
            if Shaping::new(schema, vec![step.clone()]).is_ok() {
                steps.push(step);
            }
        }
    }
    steps
}

/// All texts of a document: the symbols of enums.
pub(crate) fn texts(document: &Document<'_>) -> Vec<String> {
    let codec = wirewise_formats::plan("json", &Arc::new(document.schema().clone())).unwrap();
    let (mut out, mut found) = (Vec::new(), Vec::new());
    if codec.encode(document, &mut out, &mut Losses::allowing(LossKind::ALL)).is_ok() {
        let mut todo: Vec<serde_json::Value> = vec![serde_json::from_slice(&out).unwrap_or_default()];
        while let Some(value) = todo.pop() {
            match value {
                serde_json::Value::String(text) => found.push(text),
                serde_json::Value::Array(items) => todo.extend(items),
                serde_json::Value::Object(members) => todo.extend(members.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
    found.sort();
    found.dedup();
    found.retain(|text| !text.is_empty());
    found
}
