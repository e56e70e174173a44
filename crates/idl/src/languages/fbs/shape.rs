//! Whether a type that a note gives is written as the file says: a note must not change what the bytes mean.

use wirewise_core::{Int, Kind, Schema as Model, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::ir::{Schema, Type};

/// Compares what the file has for a value with how the format writes the noted type.
pub(super) fn check(schema: &Schema, found: &Type, model: &Model, noted: TypeId) -> Result<(), String> {
    let (found, expected) = (of_file(schema, found), of_model(model, noted));
    if found == expected || expected.is_empty() {
        return Ok(());
    }
    let noted = model.describe(noted);
    Err(format!("the note says {noted}, which is written as {expected}, but found {found}: correct or remove the note"))
}

fn of_file(schema: &Schema, ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(int) => notes::integer_name(*int).to_owned(),
        Type::Float(float) => format!("float of {}", if *float == wirewise_core::Float::F32 { 32 } else { 64 }),
        Type::String => "string".to_owned(),
        Type::Enum(index) => notes::integer_name(schema.enums[*index].underlying).to_owned(),
        Type::Union(_) => "a union".to_owned(),
        Type::Object(index) if schema.objects[*index].is_struct => "a struct".to_owned(),
        Type::Object(_) => "a table".to_owned(),
        Type::Vector(item) => format!("vector of {}", of_file(schema, item)),
        Type::Array(item, count) => format!("array of {count} of {}", of_file(schema, item)),
    }
}

fn of_model(model: &Model, ty: TypeId) -> String {
    match model.kind(ty) {
        Kind::Nullable(inner) => of_model(model, *inner),
        Kind::Null => "bool".to_owned(),
        Kind::Bytes | Kind::Fixed(_) if is_in_struct(model, ty) => String::new(),
        Kind::Bytes | Kind::Fixed(_) => "vector of ubyte".to_owned(),
        Kind::Map(..) => "vector of a table".to_owned(),
        Kind::Union(_) => "a union".to_owned(),
        Kind::List(item) => match (model.type_notes(ty).get(notes::ARRAY), model.kind(*item)) {
            (Some(count), _) => format!("array of {count} of {}", element(model, *item)),
            (None, Kind::Union(_)) if model.type_notes(ty).has(notes::UNION_VECTOR) => "vector of a union".to_owned(),
            (None, Kind::Null) => "vector of ubyte".to_owned(),
            _ => format!("vector of {}", element(model, *item)),
        },
        _ => element(model, ty),
    }
}

/// Of bytes alone it cannot be told whether they are an array in a struct.
fn is_in_struct(model: &Model, ty: TypeId) -> bool {
    matches!(model.kind(ty), Kind::Fixed(_))
}

fn element(model: &Model, ty: TypeId) -> String {
    match model.kind(ty) {
        Kind::Bool => "bool".to_owned(),
        Kind::Int(int) => notes::integer_name(*int).to_owned(),
        Kind::Float(float) => format!("float of {}", if *float == wirewise_core::Float::F32 { 32 } else { 64 }),
        Kind::String | Kind::Any => "string".to_owned(),
        Kind::Enum(e) => {
            let said = model.type_notes(ty).get(notes::TYPE).and_then(notes::integer);
            let narrow = e.symbols.iter().all(|symbol| i32::try_from(symbol.number).is_ok());
            notes::integer_name(said.unwrap_or(if narrow { Int::I32 } else { Int::I64 })).to_owned()
        }
        Kind::Record(_) if model.type_notes(ty).has(notes::STRUCT) => "a struct".to_owned(),
        _ => "a table".to_owned(),
    }
}
