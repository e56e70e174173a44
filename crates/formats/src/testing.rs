//! What the tests of several formats need.

use std::sync::Arc;

use wirewise_core::{Arena, Limits, Losses, Result, Schema};

use crate::plan;

/// Fields of every type of numbers, with and without defaults.
pub(crate) const NUMBERS: &str = r#"
    {"number": 1, "name": "flag", "type": "bool"}, {"number": 2, "name": "on", "type": "bool", "default": true},
    {"number": 3, "name": "i8", "type": "int8"}, {"number": 4, "name": "u8", "type": "uint8", "default": 200},
    {"number": 5, "name": "i16", "type": "int16", "default": -300}, {"number": 6, "name": "u16", "type": "uint16"},
    {"number": 7, "name": "i32", "type": "int32"}, {"number": 8, "name": "u32", "type": "uint32"},
    {"number": 9, "name": "i64", "type": "int64", "default": -1}, {"number": 10, "name": "u64", "type": "uint64"},
    {"number": 11, "name": "f32", "type": "float32"}, {"number": 12, "name": "f64", "type": "float64", "default": 1.5}"#;

/// A message in another variant.
pub(crate) fn convert(
    schema: &Arc<Schema>,
    from: &str,
    to: &str,
    input: &[u8],
    losses: &mut Losses,
) -> Result<Vec<u8>> {
    let (from, to) = (plan(from, schema)?, plan(to, schema)?);
    let mut arena = Arena::new(Limits::default());
    let document = from.decode(input, &mut arena, losses)?;
    let mut out = Vec::new();
    to.encode(&document, &mut out, losses)?;
    Ok(out)
}
