//! Writing a schema file, and what Avro cannot say.

use wirewise_core::{Int, Kind, Record, Schema};
use wirewise_formats::avro;

use crate::{Lost, Module, Result, Written, json};

/// Writes all types of a module.
pub(super) fn write(module: &Module) -> Result<Written> {
    let schema = &module.schema;
    let root = module.root.or_else(|| schema.named_types().next().is_none().then(|| schema.root()));
    let text = avro::schemas_json(schema, root)?;
    Ok(Written { bytes: json::pretty(&text).into_bytes(), lost: lost(schema) })
}

/// What a program would do otherwise that has the Avro schema only, and does not know our members.
fn lost(schema: &Schema) -> Vec<Lost> {
    let mut lost = Vec::new();
    for id in schema.named_types() {
        let name = schema.name(id).unwrap_or_default();
        match schema.kind(id) {
            Kind::Record(record) => record_lost(schema, record, &mut lost),
            Kind::Enum(e) => {
                if !e.closed {
                    let what = "numbers without a symbol are refused: Avro writes symbols only";
                    lost.push(Lost { path: name.to_owned(), what: what.to_owned() });
                }
                let mut numbers: Vec<i64> = e.symbols.iter().map(|symbol| symbol.number).collect();
                numbers.sort_unstable();
                if let Some(twice) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
                    let what = format!("two symbols have the number {}: the first one is written", twice[0]);
                    lost.push(Lost { path: name.to_owned(), what });
                }
            }
            Kind::Union(union) => {
                for branch in &union.branches {
                    type_lost(schema, branch.ty, &format!("{name}.{}", branch.name), &mut lost);
                }
            }
            _ => {}
        }
    }
    if schema.name(schema.root()).is_none() {
        type_lost(schema, schema.root(), "$", &mut lost);
    }
    lost
}

fn record_lost(schema: &Schema, record: &Record, lost: &mut Vec<Lost>) {
    let mut say = |path: String, what: String| lost.push(Lost { path, what });
    for oneof in &record.oneofs {
        let what = "the fields become optional one by one: that at most one is there is not checked by other readers";
        say(format!("{}.{}", record.name, oneof.name), what.to_owned());
    }
    if !record.reserved_numbers.is_empty() || !record.reserved_names.is_empty() {
        say(record.name.clone(), "reserved numbers and names are not checked by other tools".to_owned());
    }
    for field in &record.fields {
        let path = format!("{}.{}", record.name, field.name);
        if field.is_optional() && field.is_nullable() {
            lost.push(Lost { path: path.clone(), what: "an absent field and a null one become the same".to_owned() });
        }
        if field.is_optional() && field.default.as_ref().is_some_and(|default| !default.is_null()) {
            let what = "the default of an optional field becomes null for other readers";
            lost.push(Lost { path: path.clone(), what: what.to_owned() });
        }
        type_lost(schema, field.ty, &path, lost);
    }
}

fn type_lost(schema: &Schema, ty: wirewise_core::TypeId, path: &str, lost: &mut Vec<Lost>) {
    let what = match schema.kind(ty) {
        Kind::List(inner) | Kind::Nullable(inner) => return type_lost(schema, *inner, path, lost),
        Kind::Map(key, value) => {
            if *schema.kind(*key) != Kind::String {
                let what = "a map with keys that are no strings becomes an array of keys and values";
                lost.push(Lost { path: path.to_owned(), what: what.to_owned() });
            }
            return type_lost(schema, *value, path, lost);
        }
        Kind::Int(Int::U64) => "a uint64 becomes a long: values from 2^63 are refused",
        Kind::Int(Int::U32) => "a uint32 becomes a long: other writers may write values that do not fit",
        Kind::Int(Int::I8 | Int::U8) => "8 bits become an int: other writers may write values that do not fit",
        Kind::Int(Int::I16 | Int::U16) => "16 bits become an int: other writers may write values that do not fit",
        Kind::Any => "a value of any type becomes a string of JSON",
        _ => return,
    };
    lost.push(Lost { path: path.to_owned(), what: what.to_owned() });
}
