//! What the tests of this crate share.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Schema, diff};
use wirewise_schema::{Inference, Options};
use wirewise_testkit::random::Rng;

/// How many random cases to try: `WIREWISE_CASES=n` runs more than the default.
pub(crate) fn cases(default: u64) -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

pub(crate) fn any() -> Arc<Schema> {
    Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap())
}

/// The schema of these samples.
pub(crate) fn infer<T: AsRef<[u8]>>(samples: &[T], options: Options) -> Schema {
    let mut inference = Inference::new(options);
    for sample in samples {
        inference.add(sample.as_ref()).unwrap();
    }
    inference.finish("Root").unwrap()
}

/// What goes wrong when a message is decoded with the schema, written again, and compared with itself.
pub(crate) fn comes_back(schema: &Arc<Schema>, json: &[u8]) -> Result<(), String> {
    let (typed, any) =
        (wirewise_formats::plan("json", schema).unwrap(), wirewise_formats::plan("json", &any()).unwrap());
    let mut losses = Losses::none();
    let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
    let mut again = Vec::new();
    let document = typed.decode(json, &mut first, &mut losses).map_err(|e| format!("it does not fit: {e}"))?;
    typed.encode(&document, &mut again, &mut losses).map_err(|e| format!("it cannot be written: {e}"))?;
    let before = any.decode(json, &mut first, &mut losses).map_err(|e| e.to_string())?;
    let after = any.decode(&again, &mut second, &mut losses).map_err(|e| e.to_string())?;
    diff(&before, &after).map_or(Ok(()), |difference| Err(difference.to_string()))
}

/// Fails unless every sample comes back.
pub(crate) fn assert_exact<T: AsRef<[u8]>>(schema: &Schema, samples: &[T], context: &str) {
    let schema = Arc::new(schema.clone());
    for sample in samples {
        let json = sample.as_ref();
        if let Err(error) = comes_back(&schema, json) {
            panic!("{context}: {error}\n{}\n{}", String::from_utf8_lossy(json), schema.to_text());
        }
    }
}

/// Random JSON texts that have something in common, as samples of one thing do.
pub(crate) fn batch(seed: u64) -> Vec<String> {
    let mut rng = Rng::new(seed);
    let template = template(&mut rng, 0);
    let noise = [0, 0, 60, 12, 3][rng.below(5)];
    (0..1 + rng.below(5))
        .map(|_| {
            let mut out = String::new();
            write(&template, &mut rng, noise, 0, &mut out);
            out
        })
        .collect()
}

/// What the values of a place look like.
#[derive(Clone)]
enum Template {
    Null,
    Bool,
    Numbers(&'static [&'static str]),
    Texts(&'static [&'static str]),
    List(Box<Template>),
    Record(Vec<(String, Template)>),
    Map(&'static [&'static str], Box<Template>),
    /// A record that contains lists of itself.
    Tree,
    Either(Vec<Template>),
}

const NUMBERS: &[&[&str]] = &[
    &["0", "1", "-5", "123456789"],
    &["0.5", "-1.25", "1e-7"],
    &["1", "0.5"],
    &["1", "1.0", "0.5"],
    &["9007199254740992", "0.5", "9007199254740993"],
    &["1.0", "1e5", "-0.0", "1e300"],
    &["18446744073709551615", "1"],
    &["18446744073709551615", "-1"],
    &["9223372036854775808", "0.25"],
    &["-0", "0.5", "3"],
    &["-0", "1.0"],
    &["1e400", "5"],
    &["123456789012345678901234567890", "0.1234567890123456789012345678901"],
    &["-9223372036854775808", "9223372036854775807"],
    &["0.1", "16777216", "3.4028235e38"],
];

const TEXTS: &[&[&str]] = &[
    &["", "a", "é€😀", "\\u0000\\n\\\"", "x\\/y"],
    &["157ae52a-e77a-56c9-bce7-1025260eb7b2", "00000000-0000-0000-0000-000000000000"],
    &["157ae52a-e77a-56c9-bce7-1025260eb7b2", "157AE52A-E77A-56C9-BCE7-1025260EB7B2"],
    &["2026-11-21T02:17:26Z", "1999-01-01T00:00:00Z"],
    &["2026-11-21T02:17:26Z", "2026-11-21T02:17:26.123Z"],
    &["2026-11-21T02:17:26.123456Z", "2026-11-21T02:17:26\\u002e123456Z"],
    &["2026-11-21", "2024-02-29"],
    &["2026-11-21", "2026-02-30"],
    &["q83vEjRWeJCrze8SNFZ4kA==", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5"],
    &["q83vEjRWeJCrze8SNFZ4kA==", "q83v\\/jRWeJCrze8SNFZ4kA=="],
    &["q83vEjRWeJCrze8SNFZ4kA==", "short"],
];

const NAMES: &[&str] = &["a", "b", "name", "addresses", "名前", "x y", "$ref", "value", "first_name", "children"];

const KEYS: &[&[&str]] = &[
    &["1", "2", "337100890", "42", "007"],
    &["2026-11-21", "2026-11-22", "2026-01-01"],
    &["157ae52a-e77a-56c9-bce7-1025260eb7b2", "d41d8cd98f00b204"],
    &["", "1", "true"],
    &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"],
    &["false", "true"],
];

/// One of the texts.
pub(crate) fn choose<'a>(rng: &mut Rng, texts: &[&'a str]) -> &'a str {
    texts[rng.below(texts.len())]
}

fn template(rng: &mut Rng, depth: usize) -> Template {
    match rng.below(if depth > 4 { 6 } else { 14 }) {
        0 => Template::Null,
        1 => Template::Bool,
        2 | 3 => Template::Numbers(NUMBERS[rng.below(NUMBERS.len())]),
        4 | 5 => Template::Texts(TEXTS[rng.below(TEXTS.len())]),
        6 | 7 => Template::List(Box::new(template(rng, depth + 1))),
        8..=10 => Template::Record(
            (0..rng.below(6)).map(|i| (format!("{}{i}", choose(rng, NAMES)), template(rng, depth + 1))).collect(),
        ),
        11 => Template::Map(KEYS[rng.below(KEYS.len())], Box::new(template(rng, depth + 1))),
        12 => Template::Tree,
        _ => Template::Either((0..2 + rng.below(2)).map(|_| template(rng, depth + 1)).collect()),
    }
}

fn write(template: &Template, rng: &mut Rng, noise: usize, depth: usize, out: &mut String) {
    if noise != 0 && rng.one_in(noise) {
        let other = self::template(rng, depth.max(2));
        return write(&other, rng, 0, depth + 1, out);
    }
    match template {
        Template::Null => out.push_str("null"),
        Template::Bool => out.push_str(choose(rng, &["true", "false"])),
        Template::Numbers(numbers) => out.push_str(choose(rng, numbers)),
        Template::Texts(texts) => {
            out.push('"');
            out.push_str(choose(rng, texts));
            out.push('"');
        }
        Template::List(item) => {
            out.push('[');
            for i in 0..rng.below(4) {
                out.push_str(if i == 0 { "" } else { "," });
                write(item, rng, noise, depth + 1, out);
            }
            out.push(']');
        }
        Template::Record(fields) => {
            let mut fields: Vec<_> = fields.iter().filter(|_| noise == 0 || !rng.one_in(noise)).collect();
            if rng.one_in(4) {
                fields.reverse();
            }
            object(fields.into_iter().map(|(name, value)| (name.as_str(), value)).collect(), rng, noise, depth, out);
        }
        Template::Map(keys, value) => {
            let entries = keys.iter().filter(|_| !rng.one_in(2)).map(|key| (*key, &**value)).collect();
            object(entries, rng, noise, depth, out);
        }
        Template::Tree => tree(rng, 0, noise, out),
        Template::Either(choices) => {
            let choice = rng.pick(choices).clone();
            write(&choice, rng, noise, depth, out);
        }
    }
}

fn object(entries: Vec<(&str, &Template)>, rng: &mut Rng, noise: usize, depth: usize, out: &mut String) {
    out.push('{');
    for (i, (name, value)) in entries.into_iter().enumerate() {
        out.push_str(if i == 0 { "\"" } else { ",\"" });
        out.push_str(name);
        out.push_str("\":");
        write(value, rng, noise, depth + 1, out);
    }
    out.push('}');
}

fn tree(rng: &mut Rng, depth: usize, noise: usize, out: &mut String) {
    out.push_str("{\"name\":");
    write(&Template::Texts(TEXTS[0]), rng, noise, 9, out);
    out.push_str(",\"size\":");
    write(&Template::Numbers(NUMBERS[rng.below(3)]), rng, noise, 9, out);
    if depth < 5 && !rng.one_in(3) {
        out.push_str(",\"children\":[");
        for i in 0..rng.below(3) {
            out.push_str(if i == 0 { "" } else { "," });
            tree(rng, depth + 1, noise, out);
        }
        out.push(']');
    }
    if rng.one_in(3) && depth < 5 {
        out.push_str(",\"next\":");
        tree(rng, depth + 1, noise, out);
    } else if rng.one_in(3) {
        out.push_str(",\"next\":null");
    }
    out.push('}');
}
