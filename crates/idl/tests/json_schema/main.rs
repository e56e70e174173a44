//! JSON Schema: what is written is valid, describes the JSON that our codec writes, and comes back as the same schema.

mod common;
mod validation;
mod wild;

use common::{annotated, read, write};
use wirewise_core::Schema;
use wirewise_testkit::random;

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

fn comes_back(schema: &Schema, context: &str) {
    let text = write(schema);
    let module = read(&text).unwrap_or_else(|error| panic!("{context}: {error}\n{text}"));
    assert!(module.notices.is_empty(), "{context}: {:?}\n{text}", module.notices);
    let (found, expected) = (module.schema.to_text(), schema.to_text());
    assert!(found == expected, "{context}:\n{}\n{text}", common::difference(&expected, &found));
    assert_eq!(write(&module.schema), text, "{context}");
}

#[test]
fn what_is_written_comes_back() {
    for seed in 0..cases() {
        comes_back(&random::schema(seed), &format!("seed {seed}"));
        comes_back(&random::wild_schema(seed), &format!("wild seed {seed}"));
        let list = random::schema(seed).list_of();
        comes_back(&list, &format!("list of seed {seed}"));
    }
}

/// Docs, notes of any language, aliases, reserved names and numbers, on everything that can have them.
#[test]
fn all_that_the_model_has_comes_back() {
    for seed in 0..cases() {
        comes_back(&annotated(seed, 0), &format!("annotated seed {seed}"));
        comes_back(&annotated(seed, 7), &format!("annotated seed {seed}, draft-07"));
    }
}
