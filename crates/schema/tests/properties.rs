//! Laws of inference on random samples. `WIREWISE_CASES=n` runs more cases; a failure names its seed.

mod common;

use std::collections::HashMap;
use std::sync::Arc;

use common::{any, assert_exact, batch, cases, choose, infer};
use wirewise_core::{Arena, Document, Kind, Limits, Losses, Schema};
use wirewise_schema::{Inference, LogicalStyle, Options};
use wirewise_testkit::random::{self, Rng};

/// Options of all sorts, chosen by the seed.
fn options(seed: u64) -> Options {
    let mut rng = Rng::new(seed ^ 0x5EED);
    let mut options = Options::default();
    if rng.one_in(2) {
        options.logical = LogicalStyle::Stored;
    }
    match rng.below(12) {
        0 => options.max_depth = rng.below(4),
        1 => options.max_fields = rng.below(4),
        2 => options.max_name_bytes = 3,
        3 | 6 => options.max_places = rng.below(60),
        4 => options.map_names = 2,
        5 => options.map_names_single = 1,
        _ => {}
    }
    options
}

#[test]
fn every_sample_comes_back() {
    for seed in 0..cases(3000) {
        let samples = batch(seed);
        let schema = infer(&samples, options(seed));
        assert_exact(&schema, &samples, &format!("seed {seed}"));
        assert_eq!(Schema::parse(&schema.to_text()).unwrap().to_text(), schema.to_text());
    }
}

#[test]
fn the_same_samples_give_the_same_schema() {
    for seed in 0..cases(600) {
        let samples = batch(seed);
        assert_eq!(infer(&samples, options(seed)), infer(&samples, options(seed)), "seed {seed}");
    }
}

#[test]
fn the_same_samples_again_change_nothing() {
    for seed in 0..cases(1500) {
        let samples = batch(seed);
        let first = infer(&samples, Options::default());
        let mut inference = Inference::with_schema(&first, Options::default());
        for sample in &samples {
            inference.add(sample.as_bytes()).unwrap();
        }
        let second = inference.finish("Other").unwrap();
        assert_eq!(first.to_text(), second.to_text(), "seed {seed}: {samples:?}");
    }
}

#[test]
fn a_schema_at_hand_without_samples_stays_what_it_is() {
    for seed in 0..cases(1000) {
        let schema = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
        let same = Inference::with_schema(&schema, Options::default()).finish("Other").unwrap();
        assert_eq!(sorted(&schema), sorted(&same), "seed {seed}");
    }
}

/// The lines of a schema file; the order of types means nothing.
fn sorted(schema: &Schema) -> Vec<String> {
    let text = schema.to_text();
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end_matches([',', ']', '}']).to_owned()).collect();
    lines.sort();
    lines
}

#[test]
fn types_only_widen() {
    for seed in 0..cases(3000) {
        let (old, new) = (batch(seed), batch(if seed % 4 == 0 { seed + 1_000_000 } else { seed * 31 }));
        let first = infer(&old, options(seed));
        widen(&first, &old, &new, options(seed), &format!("seed {seed}"));
    }
}

#[test]
fn types_of_any_schema_only_widen() {
    for seed in 0..cases(1500) {
        let schema = Arc::new(if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) });
        let codec = wirewise_formats::plan("json", &schema).unwrap();
        let messages = |seeds: std::ops::Range<u64>| -> Vec<String> {
            let message = |seed: u64| {
                let mut arena = Arena::new(Limits::default());
                random::message(&schema, seed, &mut arena);
                let mut out = Vec::new();
                let written = codec.encode(&Document::new(&schema, b"", &arena), &mut out, &mut Losses::none());
                written.is_ok().then(|| String::from_utf8(out).unwrap())
            };
            seeds.filter_map(|i| message(seed * 10 + i)).collect()
        };
        // A list of null is taken for one that was always empty, which is not true of random messages.
        let null_lists = schema.types().iter().any(|ty| match ty.kind {
            Kind::List(item) => *schema.kind(item) == Kind::Null,
            _ => false,
        });
        let old = messages(if null_lists { 0..0 } else { 0..3 });
        // Messages of the schema, then also some with small changes, then also anything.
        let mut new = messages(5..8);
        let mut rng = Rng::new(seed);
        let mut changed: Vec<String> = new.iter().map(|json| change(json, &mut rng)).collect();
        widen(&schema, &old, &new, options(seed), &format!("seed {seed}, the same"));
        new.append(&mut changed);
        widen(&schema, &old, &new, options(seed), &format!("seed {seed}, changed"));
        new.extend(batch(seed));
        widen(&schema, &old, &new, options(seed), &format!("seed {seed}, anything"));
    }
}

/// Replaces a few values of a JSON text by others.
fn change(json: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    let mut after_colon = false;
    for c in json.chars() {
        if after_colon && rng.one_in(12) {
            out.push_str(choose(rng, &["[", "[null,", "{\"new\":", "[1,", "[\"text\",[", "{\"\":"]));
            let closes = out.ends_with(":");
            let twice = out.ends_with(",[");
            out.push_str("true");
            out.push_str(if closes {
                "}"
            } else if twice {
                "]]"
            } else {
                "]"
            });
            // What was here moves to a new name, so that the text stays valid.
            out.push_str(&format!(",\"moved {}\":", out.len()));
        }
        after_colon = c == ':';
        out.push(c);
    }
    // A colon inside a text may have made it no JSON: then it stays as it was.
    let codec = wirewise_formats::plan("json", &any()).unwrap();
    let valid = codec.decode(out.as_bytes(), &mut Arena::new(Limits::default()), &mut Losses::none()).is_ok();
    if valid { out } else { json.to_owned() }
}

/// Goes on from `schema`, which has the samples `old`, with the samples `new`.
fn widen(schema: &Schema, old: &[String], new: &[String], options: Options, context: &str) {
    let mut inference = Inference::with_schema(schema, options);
    for sample in new {
        inference.add(sample.as_bytes()).unwrap();
    }
    let wider = inference.finish("Other").unwrap();
    let context = format!("{context}, from\n{}\n", schema.to_text());
    assert_exact(&wider, old, &format!("{context}an old sample"));
    assert_exact(&wider, new, &format!("{context}a new sample"));
    let (before, after) = (numbers(schema), numbers(&wider));
    for (place, number) in &before {
        let type_name = place.split('.').next().unwrap();
        match after.get(place) {
            Some(now) => assert_eq!(now, number, "{context}: {place} has another number\n{}", wider.to_text()),
            // The type may have become `any`, which is wide enough; but no field of it gets lost, except where all
            // numbers have to become one branch of a union.
            None => assert!(
                wider.named(type_name).is_none_or(|id| matches!(wider.kind(id), Kind::Union(_))),
                "{context}: {place} is gone\n{}",
                wider.to_text()
            ),
        }
    }
}

/// Numbers of all fields, branches and symbols by place: `Person.name`.
fn numbers(schema: &Schema) -> HashMap<String, i64> {
    let mut all = HashMap::new();
    for ty in schema.types() {
        match &ty.kind {
            Kind::Record(r) => {
                all.extend(r.fields.iter().map(|f| (format!("{}.{}", r.name, f.name), i64::from(f.number))));
            }
            Kind::Union(u) => {
                all.extend(u.branches.iter().map(|b| (format!("{}.{}", u.name, b.name), i64::from(b.number))));
            }
            Kind::Enum(e) => all.extend(e.symbols.iter().map(|s| (format!("{}.{}", e.name, s.name), s.number))),
            _ => {}
        }
    }
    all
}

#[test]
fn documents_give_the_same_schema_as_their_text() {
    let codec = wirewise_formats::plan("json", &any()).unwrap();
    for seed in 0..cases(500) {
        let samples = batch(seed);
        let mut inference = Inference::new(Options::default());
        for sample in &samples {
            let mut arena = Arena::new(Limits::default());
            let document = codec.decode(sample.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
            inference.add_document(&document).unwrap();
        }
        assert_eq!(inference.finish("Root").unwrap(), infer(&samples, Options::default()), "seed {seed}");
    }
}
