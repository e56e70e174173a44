//! Writing values that carry their own type.

use wirewise_core::{AnyValue, Cell, Document, Error, ErrorKind, Result};

use super::Wire;
use super::encode::{Sorter, write_bytes, write_i64, write_string};

/// Writes any value; maps in the order of their keys when `sorted`.
pub(super) fn write<W: Wire>(
    document: &Document<'_>,
    cell: Cell,
    sorted: bool,
    sorter: &mut Sorter,
    out: &mut Vec<u8>,
) -> Result<()> {
    match document.any(cell) {
        AnyValue::Null => W::null(out),
        AnyValue::Bool(value) => W::bool(value, out),
        AnyValue::Int(value) => return write_i64::<W>(value, out),
        AnyValue::Uint(value) => W::uint(value, out),
        AnyValue::Float(value) => W::float64(value, out),
        AnyValue::Number(text) => return write_number::<W>(text, out),
        AnyValue::String(text) => write_string::<W>(text, out),
        AnyValue::Bytes(bytes) => write_bytes::<W>(bytes, out),
        AnyValue::List(items) => {
            W::list(items.len(), out);
            for (i, &item) in items.iter().enumerate() {
                write::<W>(document, item, sorted, sorter, out).map_err(|error| error.in_index(i))?;
            }
        }
        AnyValue::Map(pairs) => {
            W::map(pairs.len() / 2, out);
            let mark = sorter.begin();
            for pair in pairs.chunks_exact(2) {
                let start = out.len();
                write::<W>(document, pair[0], sorted, sorter, out)?;
                let key_end = out.len();
                let written = write::<W>(document, pair[1], sorted, sorter, out);
                written.map_err(|error| error.in_key(&key_text(document, pair[0])))?;
                if sorted {
                    sorter.add(start, key_end, out);
                }
            }
            sorter.finish(mark, out);
        }
        AnyValue::Tagged(tag, value) => {
            let bytes = if let AnyValue::Bytes(bytes) = document.any(value) { Some(bytes) } else { None };
            match (W::tagged(tag, bytes, out)?, bytes) {
                (true, Some(bytes)) => out.extend_from_slice(bytes),
                _ => return write::<W>(document, value, sorted, sorter, out),
            }
        }
    }
    Ok(())
}

/// A JSON number that no other kind of value can hold.
fn write_number<W: Wire>(text: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let text = String::from_utf8_lossy(text);
    let n = text.parse::<i128>().ok().filter(|&value| value < 0).and_then(|value| u64::try_from(-1 - value).ok());
    match n {
        Some(n) => W::negative(n, out),
        None => {
            let shown: String = text.chars().take(40).collect();
            Err(Error::new(ErrorKind::Unsupported, format!("neither an integer nor a float64 can hold {shown}"))
                .hint("give the value a type of its own in the schema: a string of the logical type number"))
        }
    }
}

/// How a key is shown in a path.
pub(super) fn key_text(document: &Document<'_>, key: Cell) -> Vec<u8> {
    match document.any(key) {
        AnyValue::String(text) => text.to_vec(),
        AnyValue::Int(value) => value.to_string().into_bytes(),
        AnyValue::Uint(value) => value.to_string().into_bytes(),
        AnyValue::Bool(value) => value.to_string().into_bytes(),
        _ => b"(key)".to_vec(),
    }
}
