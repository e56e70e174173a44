//! Fields that writers leave out when they are zero.

use serde_json::{Value as Json, json};
use wirewise_core::{Field, Kind, Schema};

use crate::Language;
use crate::module::rebuilt;

/// The schema with zero as the default of every field that a language leaves out when it is zero.
///
/// Readers of such a format take a missing field as zero, and so its JSON, too, comes without such fields: with these
/// defaults every format reads it so. Nothing else changes: types, numbers and layout stay.
pub fn with_zeros(schema: &Schema, language: &dyn Language) -> Schema {
    let filled = rebuilt(schema, schema.notes().clone(), |ty| {
        if let Kind::Record(record) = &mut ty.kind {
            for field in &mut record.fields {
                if field.default.is_none() && !field.is_stateful() && language.leaves_out(schema, field) {
                    field.default = zero(schema, field);
                }
            }
        }
    });
    filled.unwrap_or_else(|_| schema.clone())
}

/// Zero as a schema file writes it; `None` for what has none, and for text that must have a form.
fn zero(schema: &Schema, field: &Field) -> Option<Json> {
    if schema.logical(field.ty).is_some() {
        return None;
    }
    Some(match schema.kind(field.ty) {
        Kind::Bool => json!(false),
        Kind::Int(_) | Kind::Float(_) => json!(0),
        Kind::String | Kind::Bytes => json!(""),
        Kind::List(_) => json!([]),
        Kind::Map(..) => json!({}),
        Kind::Enum(e) => json!(e.symbols.iter().find(|symbol| symbol.number == 0)?.name),
        _ => return None,
    })
}
