//! How values are stored: what a reader must expect at a field's place.

use wirewise_core::{Float, Kind, Schema, TypeId};
use wirewise_formats::flatbuffers::{notes, underlying};

/// What a field, or an element of a vector, holds.
pub(super) fn form(schema: &Schema, ty: TypeId) -> String {
    match schema.kind(ty) {
        Kind::Null => "nothing".to_owned(),
        Kind::Bool => "a bool".to_owned(),
        Kind::Int(int) => article(notes::integer_name(*int)),
        Kind::Enum(_) => article(underlying(schema, ty).map_or("number", notes::integer_name)),
        Kind::Float(Float::F32) => "a float".to_owned(),
        Kind::Float(Float::F64) => "a double".to_owned(),
        Kind::String => "a string".to_owned(),
        Kind::Any => "JSON text".to_owned(),
        Kind::Bytes | Kind::Fixed(_) => "a vector of bytes".to_owned(),
        Kind::Record(_) if is_struct(schema, ty) => "a struct".to_owned(),
        Kind::Record(_) => "a table".to_owned(),
        Kind::Union(_) => "a union".to_owned(),
        Kind::List(item) => format!("a vector, with {} for each element", element(schema, *item)),
        Kind::Map(key, value) => {
            format!("a vector of entries, with {} and {}", form(schema, *key), element(schema, *value))
        }
        Kind::Nullable(inner) => format!("{} or nothing", form(schema, *inner)),
    }
}

fn article(name: &str) -> String {
    if name == "int" { format!("an {name}") } else { format!("a {name}") }
}

/// What has no place in a vector of its own lies in a table around it.
fn element(schema: &Schema, ty: TypeId) -> String {
    let boxed = matches!(
        schema.kind(ty),
        Kind::List(_) | Kind::Map(..) | Kind::Union(_) | Kind::Nullable(_) | Kind::Bytes | Kind::Fixed(_)
    );
    if boxed { format!("a box around {}", form(schema, ty)) } else { form(schema, ty) }
}

pub(super) fn is_struct(schema: &Schema, ty: TypeId) -> bool {
    schema.type_notes(ty).has(notes::STRUCT)
}
