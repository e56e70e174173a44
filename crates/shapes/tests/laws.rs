//! Laws that every shape keeps, on random schemas and messages. A new shape is tested by being registered.
//! `WIREWISE_CASES=n` runs more cases than the default; a failure names its seed.

mod common;

use std::collections::HashMap;
use std::sync::Arc;

use common::{limits, steps, texts};
use wirewise_core::{Arena, Document, ErrorKind, LossKind, Losses, Schema, diff};
use wirewise_shapes::{SHAPES, Shaping, Step, Workspace, propose};
use wirewise_testkit::random::{self, Rng};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(150)
}

fn sample(seed: u64) -> (Arc<Schema>, Arena) {
    let schema = if seed % 4 == 1 { random::wild_schema(seed) } else { random::schema(seed) };
    let schema = Arc::new(if seed.is_multiple_of(3) { schema.list_of() } else { schema });
    let mut arena = Arena::new(limits());
    random::message(&schema, seed ^ 0xABCD, &mut arena);
    (schema, arena)
}

/// Shapes a document and undoes it; `None` when a value has no place in the new type.
fn there_and_back(shaping: &Shaping, document: &Document<'_>, seed: u64) -> Option<()> {
    let (mut space, mut back) = (Workspace::new(limits()), Workspace::new(limits()));
    let shaped = match shaping.apply(document, &mut space) {
        Ok(shaped) => shaped,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Data, "seed {seed}: {error}");
            return None;
        }
    };
    // Through bytes, so that the shaped document is one that decoders make.
    let codec = wirewise_formats::plan("msgpack", shaping.shaped()).unwrap();
    let mut bytes = Vec::new();
    codec.encode(&shaped, &mut bytes, &mut Losses::allowing(LossKind::ALL)).unwrap();
    let undone = shaping.undo(&shaped, &mut back).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    if shaping.steps().iter().all(|step| !step.shape.info().lossy)
        && let Some(difference) = diff(document, &undone)
    {
        panic!("seed {seed}: {:?}: {difference}\n{}", shaping.steps(), shaping.base().to_text());
    }
    Some(())
}

#[test]
fn what_is_shaped_comes_back_the_same() {
    let mut done: HashMap<&str, usize> = HashMap::new();
    for seed in 0..cases() {
        let (schema, arena) = sample(seed);
        let document = Document::new(&schema, b"", &arena);
        let mut rng = Rng::new(seed);
        for step in steps(&schema, &texts(&document), &mut rng) {
            let name = step.shape.info().name;
            let shaping = Shaping::new(&schema, vec![step]).unwrap();
            if there_and_back(&shaping, &document, seed).is_some() {
                *done.entry(name).or_default() += 1;
            }
        }
    }
    for name in ["columns", "concat", "delta", "dictionary", "split", "xor", "decimal", "fixed-point", "enum"] {
        assert!(done.get(name).is_some_and(|&count| count >= 3), "{name} was hardly tried: {done:?}");
    }
}

#[test]
fn steps_follow_each_other() {
    for seed in 0..cases() {
        let (schema, arena) = sample(seed);
        let document = Document::new(&schema, b"", &arena);
        let mut rng = Rng::new(seed);
        let mut chosen: Vec<Step> = Vec::new();
        for _ in 0..4 {
            let shaping = Shaping::new(&schema, chosen.clone()).unwrap();
            let more = steps(shaping.shaped(), &texts(&document), &mut rng);
            if more.is_empty() {
                break;
            }
            chosen.push(rng.pick(&more).clone());
        }
        let text: Vec<String> = chosen.iter().map(Step::to_string).collect();
        assert_eq!(Step::parse_all(&text.join(" ")).unwrap(), chosen, "seed {seed}");
        let shaping = Shaping::new(&schema, chosen).unwrap_or_else(|error| panic!("seed {seed}: {text:?}: {error}"));
        there_and_back(&shaping, &document, seed);
    }
}

#[test]
fn what_is_proposed_holds_the_data() {
    let mut proposed = 0;
    for seed in 0..cases() {
        let (schema, arena) = sample(seed);
        let document = Document::new(&schema, b"", &arena);
        let steps =
            propose(&schema, &[document], SHAPES, limits()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        proposed += steps.len();
        let shaping = Shaping::new(&schema, steps).unwrap();
        assert!(there_and_back(&shaping, &document, seed).is_some(), "seed {seed}: {:?}", shaping.steps());
    }
    assert!(proposed as u64 > cases() / 10, "{proposed}");
}

#[test]
fn every_format_carries_shaped_messages() {
    let mut carried = 0;
    for seed in 0..cases() {
        let (schema, arena) = sample(seed);
        let document = Document::new(&schema, b"", &arena);
        let mut rng = Rng::new(seed);
        let all = steps(&schema, &texts(&document), &mut rng);
        let exact: Vec<&Step> = all.iter().filter(|step| !step.shape.info().lossy).collect();
        if exact.is_empty() {
            continue;
        }
        let shaping = Arc::new(Shaping::new(&schema, vec![(*rng.pick(&exact)).clone()]).unwrap());
        for variant in wirewise_formats::FORMATS.iter().flat_map(|format| format.info().variants) {
            let Ok(codec) = wirewise_shapes::plan(variant.id, &shaping) else { continue };
            let (mut out, mut back) = (Vec::new(), Arena::new(limits()));
            if codec.encode(&document, &mut out, &mut Losses::none()).is_err() {
                continue;
            }
            let again = codec.decode(&out, &mut back, &mut Losses::none());
            let again =
                again.unwrap_or_else(|error| panic!("seed {seed}, {}, {:?}: {error}", variant.id, shaping.steps()));
            let difference = diff(&document, &again);
            assert!(difference.is_none(), "seed {seed}, {}, {:?}: {difference:?}", variant.id, shaping.steps());
            carried += 1;
        }
    }
    assert!(carried > cases(), "{carried}");
}

/// Bytes of anybody, under the schema of what was shaped: an error, or a document of the base schema.
#[test]
fn what_was_never_shaped_is_an_error_or_a_document() {
    for seed in 0..cases() {
        let (schema, arena) = sample(seed);
        let mut rng = Rng::new(seed);
        let all = steps(&schema, &texts(&Document::new(&schema, b"", &arena)), &mut rng);
        if all.is_empty() {
            continue;
        }
        let shaping = Shaping::new(&schema, vec![rng.pick(&all).clone()]).unwrap();
        let mut arena = Arena::new(limits());
        random::message(shaping.shaped(), seed, &mut arena);
        let document = Document::new(shaping.shaped(), b"", &arena);
        let mut space = Workspace::new(limits());
        match shaping.undo(&document, &mut space) {
            Ok(undone) => {
                let mut out = Vec::new();
                let codec = wirewise_formats::plan("msgpack", &schema).unwrap();
                codec.encode(&undone, &mut out, &mut Losses::allowing(LossKind::ALL)).unwrap();
            }
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Data | ErrorKind::Limit), "seed {seed}: {error}");
            }
        }
    }
}

/// Few texts, each of them often, are an enum: through every format, whatever they are.
#[test]
fn few_texts_are_an_enum() {
    let text = r#"{"wirewise": "schema/1", "root": {"list": "User"}, "types": [{"record": "User", "fields": [
        {"number": 1, "name": "tier", "type": {"nullable": "string"}}, {"number": 2, "name": "id", "type": "int32"}]}]}"#;
    let schema = Arc::new(Schema::parse(text).unwrap());
    let tiers = [r#""free""#, r#""paid, twice""#, r#""1""#, r#""é""#, r#""Free""#, "null"];
    let users = |count: usize| -> String {
        let users: Vec<String> =
            (0..count).map(|i| format!("{{\"tier\":{},\"id\":{i}}}", tiers[i % tiers.len()])).collect();
        format!("[{}]", users.join(","))
    };
    let json = wirewise_formats::plan("json", &schema).unwrap();
    let proposed = |input: &str| {
        let mut arena = Arena::new(limits());
        let document = json.decode(input.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
        let shapes = wirewise_shapes::SETS[0].shapes().unwrap();
        propose(&schema, &[document], &shapes, limits()).unwrap()
    };
    assert!(proposed(&users(90)).is_empty(), "too few are seen");
    let input = users(600);
    let steps = proposed(&input);
    let written: Vec<String> = steps.iter().map(Step::to_string).collect();
    assert_eq!(written, [r#"enum@User.tier,symbols=["1","Free","free","paid, twice","é"]"#]);

    let shaping = Arc::new(Shaping::new(&schema, steps).unwrap());
    let mut arena = Arena::new(limits());
    let document = json.decode(input.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    for variant in wirewise_formats::FORMATS.iter().flat_map(|format| format.info().variants) {
        let codec =
            wirewise_shapes::plan(variant.id, &shaping).unwrap_or_else(|error| panic!("{}: {error}", variant.id));
        let (mut out, mut back) = (Vec::new(), Arena::new(limits()));
        let mut losses = Losses::allowing([LossKind::NullAsAbsent]);
        codec.encode(&document, &mut out, &mut losses).unwrap_or_else(|error| panic!("{}: {error}", variant.id));
        let again = codec.decode(&out, &mut back, &mut Losses::none()).unwrap();
        assert!(losses.total() > 0 || diff(&document, &again).is_none(), "{}", variant.id);
    }

    let mut other = Arena::new(limits());
    let other = json.decode(br#"[{"tier":"gold","id":1}]"#, &mut other, &mut Losses::none()).unwrap();
    let mut space = Workspace::new(limits());
    let error = shaping.apply(&other, &mut space).err().unwrap();
    assert!(error.to_string().starts_with("\"gold\" is none of the 5 symbols, in $[0].tier"), "{error}");
    for step in [
        "enum@User.tier",
        "enum@User.tier,symbols=[]",
        r#"enum@User.tier,symbols=["a","a"]"#,
        r#"enum@User.id,symbols=["a"]"#,
    ] {
        assert!(Shaping::new(&schema, Step::parse_all(step).unwrap()).is_err(), "{step}");
    }
}

#[test]
fn random_bytes_of_floats_stay_together() {
    let schema =
        Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": {"list": "float64"}, "types": []}"#).unwrap());
    let json = wirewise_formats::plan("json", &schema).unwrap();
    let split = [*SHAPES.iter().find(|shape| shape.info().name == "split").unwrap()];
    let proposed = |value: &mut dyn FnMut() -> f64, count: usize| {
        let values: Vec<f64> = (0..count).map(|_| value()).collect();
        let input = serde_json::to_vec(&values).unwrap();
        let mut arena = Arena::new(limits());
        let document = json.decode(&input, &mut arena, &mut Losses::none()).unwrap();
        let steps = propose(&schema, &[document], &split, limits()).unwrap();
        steps.iter().map(Step::to_string).collect::<Vec<_>>().join(" ")
    };
    let mut rng = Rng::new(7);
    let mut degrees = || f64::from_bits(0x4050_0000_0000_0000 | rng.bits() >> 12);
    // The exponent is alike in all; the rest is random.
    assert_eq!(proposed(&mut degrees, 5000), "split@$,planes=2");
    assert_eq!(proposed(&mut degrees, 100), "split@$", "too few are seen");
    // The last bytes are zeros, which compress apart from the others.
    assert_eq!(proposed(&mut || f64::from(degrees() as f32), 5000), "split@$");

    for (step, why) in [("split@$,planes=0", "not 0"), ("split@$,planes=9", "not 9")] {
        let error = Shaping::new(&schema, Step::parse_all(step).unwrap()).err().unwrap();
        assert!(error.to_string().contains("1 to 8 planes") && error.to_string().contains(why), "{error}");
    }
}

#[test]
fn fixed_bytes_lie_one_behind_the_other() {
    let schema = |root: &str| {
        let text = format!(
            r#"{{"wirewise": "schema/1", "root": {root}, "types": [{{"record": "P", "fields": [
            {{"number": 1, "name": "id", "type": "string"}}, {{"number": 2, "name": "ids", "type": {{"list": {{"fixed": 2}}}}}}]}}]}}"#
        );
        Arc::new(Schema::parse(&text).unwrap())
    };
    let points = schema(r#"{"list": "P"}"#);
    let point = |i: u32| {
        format!(
            r#"{{"id":"6b5fcfe2-25bd-523d-97b4-{i:012x}","ids":[{}]}}"#,
            [r#""AAE=""#; 3][..i as usize % 4].join(",")
        )
    };
    let input = format!("[{}]", (0..40).map(point).collect::<Vec<_>>().join(","));
    let mut arena = Arena::new(limits());
    let json = wirewise_formats::plan("json", &points).unwrap();
    let document = json.decode(input.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    for set in &wirewise_shapes::SETS[1..] {
        let steps = propose(&points, &[document], &set.shapes().unwrap(), limits()).unwrap();
        let written: Vec<String> = steps.iter().map(Step::to_string).collect();
        assert_eq!(written, ["uuid@P.id", "columns@$", "concat@PColumns.ids[]", "concat@PColumns.id"], "{}", set.name);
        let shaping = Shaping::new(&points, steps).unwrap();
        assert!(there_and_back(&shaping, &document, 0).is_some());
        let codec = wirewise_shapes::plan("protobuf", &Arc::new(shaping)).unwrap();
        let mut out = Vec::new();
        codec.encode(&document, &mut out, &mut Losses::none()).unwrap();
        assert!(out.len() < 40 * (16 + 8), "{}", out.len());
    }

    let shaping = |root: &str, step: &str| Shaping::new(&schema(root), Step::parse_all(step).unwrap());
    for (root, step) in [
        (r#"{"list": {"fixed": 0}}"#, "concat@$"),
        (r#"{"list": {"nullable": {"fixed": 2}}}"#, "concat@$"),
        (r#"{"list": "bytes"}"#, "concat@$"),
    ] {
        assert!(shaping(root, step).is_err(), "{root}");
    }
    let fixed = Arc::new(shaping(r#"{"list": {"fixed": 2}}"#, "concat@$").unwrap());
    let codec = wirewise_shapes::plan("msgpack", &fixed).unwrap();
    let mut back = Arena::new(limits());
    let empty = codec.decode(&[0xc4, 0], &mut back, &mut Losses::none()).unwrap();
    assert_eq!(empty.root().len(), 0);
    let error = codec.decode(&[0xc4, 3, 1, 2, 3], &mut back, &mut Losses::none()).err().unwrap();
    assert!(error.to_string().starts_with("3 bytes are no values of 2 bytes"), "{error}");

    // More than there is memory for.
    let json = wirewise_formats::plan("json", fixed.base()).unwrap();
    let input = format!("[{}]", [r#""AAE=""#; 5000].join(","));
    let document = json.decode(input.as_bytes(), &mut arena, &mut Losses::none()).unwrap();
    let mut space = Workspace::new(wirewise_core::Limits { memory_bytes: 4096, ..limits() });
    assert_eq!(fixed.apply(&document, &mut space).err().unwrap().kind(), ErrorKind::Limit);
}
