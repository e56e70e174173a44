//! A validator of others takes the schemas that we write, and the messages that our codec writes; it refuses messages with
//! a mistake in them.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use wirewise_core::{Arena, Document, Kind, Limits, Logical, Losses, Schema, TypeId};
use wirewise_testkit::random::{self, Rng};

use crate::cases;
use crate::common::{annotated, write};

fn validator(schema: &Schema, context: &str) -> jsonschema::Validator {
    let text = write(schema);
    let json: Json = serde_json::from_str(&text).unwrap();
    if let Err(error) = jsonschema::meta::validate(&json) {
        panic!("{context}: {error} at {}\n{text}", error.instance_path());
    }
    jsonschema::validator_for(&json).unwrap_or_else(|error| panic!("{context}: {error}\n{text}"))
}

/// A random message as our codec writes it. `None`: JSON cannot say it, or the validator's parser cannot read it.
fn message(schema: &Arc<Schema>, seed: u64, wild: bool) -> Option<Json> {
    let mut arena = Arena::new(Limits::default());
    let fill = if wild { random::wild_message } else { random::message };
    fill(schema, seed, &mut arena);
    let codec = wirewise_formats::plan("json", schema).unwrap();
    let mut out = Vec::new();
    codec.encode(&Document::new(schema, b"", &arena), &mut out, &mut Losses::none()).ok()?;
    serde_json::from_slice(&out).ok()
}

#[test]
fn a_validator_takes_what_the_codec_writes() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..cases() {
        let wild = seed % 3 == 1;
        let schema = Arc::new(if wild { random::wild_schema(seed) } else { random::schema(seed) });
        let schema = if seed % 5 == 0 { Arc::new(schema.list_of()) } else { schema };
        let validator = validator(&schema, &format!("seed {seed}"));
        let mut rng = Rng::new(seed);
        for i in 0..4 {
            let Some(message) = message(&schema, seed * 7 + i, wild) else { continue };
            if let Some(error) = validator.iter_errors(&message).next() {
                panic!("seed {seed}: {error} at {}\n{message}\n{}", error.instance_path(), write(&schema));
            }
            taken += 1;
            let mut mistakes = Vec::new();
            mistakes_of(&schema, schema.root(), &message, String::new(), &mut mistakes);
            for _ in 0..3 {
                if mistakes.is_empty() {
                    break;
                }
                let (pointer, mistake) = rng.pick(&mistakes);
                let wrong = with_mistake(&message, pointer, mistake);
                let context = || format!("seed {seed}: {pointer:?} {mistake:?}\n{wrong}\n{}", write(&schema));
                assert!(!validator.is_valid(&wrong), "{}", context());
                refused += 1;
            }
        }
    }
    assert!(taken > cases() * 2 && refused > cases() * 4, "{taken} {refused}");
}

#[test]
fn notes_do_not_make_a_schema_invalid() {
    for seed in 0..cases() / 2 {
        validator(&annotated(seed, 0), &format!("annotated seed {seed}"));
        validator(&annotated(seed, 7), &format!("annotated seed {seed}, draft-07"));
    }
}

#[derive(Debug)]
enum Mistake {
    Instead(Json),
    Without(String),
}

/// What would make a message invalid, and where.
fn mistakes_of(schema: &Schema, ty: TypeId, value: &Json, at: String, out: &mut Vec<(String, Mistake)>) {
    let mut instead = |value: Json| out.push((at.clone(), Mistake::Instead(value)));
    match (schema.kind(ty), schema.logical(ty)) {
        (Kind::Nullable(inner), _) if !value.is_null() => mistakes_of(schema, *inner, value, at, out),
        (Kind::Null, _) => instead(json!(0)),
        (Kind::Bool, _) => instead(json!("true")),
        (Kind::Int(_), Some(_)) => instead(json!(12)),
        (Kind::Int(int), None) => {
            instead(json!(0.5));
            instead(json!("1"));
            let (min, max) = int.range();
            if int.bits() < 64 {
                instead(json!((min - 1) as i64));
                instead(json!((max + 1) as i64));
            }
        }
        (Kind::String, Some(Logical::Number)) | (Kind::Float(_), _) => instead(json!("1")),
        (Kind::Fixed(16), Some(_)) => instead(json!(1)),
        (Kind::Fixed(size), _) => {
            instead(json!([]));
            let mut text = value.as_str().unwrap().to_owned();
            text.push_str("AAAA");
            instead(json!(text));
            if *size > 0 {
                instead(json!(""));
            }
        }
        (Kind::String | Kind::Bytes, _) => instead(json!(1)),
        (Kind::Enum(e), _) => {
            instead(json!("no such symbol"));
            instead(if e.closed { json!(1) } else { json!(1.5) });
        }
        (Kind::List(item), _) => {
            instead(json!({}));
            for (i, value) in value.as_array().unwrap().iter().enumerate() {
                mistakes_of(schema, *item, value, format!("{at}/{i}"), out);
            }
        }
        (Kind::Map(key, inner), _) => {
            instead(json!([]));
            if *schema.kind(*key) != Kind::String {
                instead(json!({"01": null}));
            }
            for (name, value) in value.as_object().unwrap() {
                mistakes_of(schema, *inner, value, child(&at, name), out);
            }
        }
        (Kind::Record(record), _) => {
            instead(json!([]));
            let object = value.as_object().unwrap();
            for field in &record.fields {
                if !field.is_optional() {
                    out.push((at.clone(), Mistake::Without(field.name.clone())));
                }
                if let Some(value) = object.get(&field.name) {
                    mistakes_of(schema, field.ty, value, child(&at, &field.name), out);
                }
            }
        }
        (Kind::Union(union), _) if wirewise_formats::json::is_tagged(schema, union) => {
            instead(json!({}));
            instead(json!({"no such branch": 1}));
            let (name, value) = value.as_object().unwrap().iter().next().unwrap();
            let branch = union.branches.iter().find(|branch| branch.name == *name).unwrap();
            mistakes_of(schema, branch.ty, value, child(&at, name), out);
        }
        (Kind::Union(_) | Kind::Nullable(_) | Kind::Any, _) => {}
    }
}

fn child(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn with_mistake(message: &Json, pointer: &str, mistake: &Mistake) -> Json {
    let mut wrong = message.clone();
    let place = wrong.pointer_mut(pointer).unwrap();
    match mistake {
        Mistake::Instead(value) => *place = value.clone(),
        Mistake::Without(name) => drop(place.as_object_mut().unwrap().remove(name)),
    }
    wrong
}

/// A oneof allows no two of its fields, and one that is required not none of them.
#[test]
fn oneofs_are_checked() {
    for (required, allowed) in [(false, [true, true, false]), (true, [false, true, false])] {
        let oneof = if required { r#"{"name": "which", "required": true}"# } else { r#"{"name": "which"}"# };
        let schema = Schema::parse(&format!(
            r#"{{"wirewise": "schema/1", "root": "R", "types": [
              {{"record": "R", "oneofs": [{oneof}], "fields": [
                {{"number": 1, "name": "a", "type": "string", "presence": "optional", "oneof": "which"}},
                {{"number": 2, "name": "b", "type": {{"nullable": "int32"}}, "presence": "optional", "oneof": "which"}},
                {{"number": 3, "name": "c", "type": "string"}}]}}]}}"#
        ));
        let validator = validator(&schema.unwrap(), "oneof");
        let messages = [json!({"c": ""}), json!({"c": "", "b": null}), json!({"c": "", "a": "", "b": 1})];
        assert_eq!(messages.map(|message| validator.is_valid(&message)), allowed);
    }
}
