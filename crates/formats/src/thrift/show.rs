//! Bytes of Thrift and their values in words: for traced decoding, with a schema and without one.

use std::fmt::Write;
use std::ops::Range;

use wirewise_core::{Cell, Int, Kind, Logical, Role, Schema, Tracer, TypeId, text};

use super::protocol::{Header, Protocol, WireType};

/// Longest part of a text that is turned into a value: nobody reads more in an annotation.
const LONGEST: usize = 300;

/// A field's header: number, type, and the value of compact booleans.
pub(super) fn header<T: Tracer>(tracer: &mut T, header: Header, bytes: Range<usize>) {
    let (id, wire) = (header.id, header.value.wire.name());
    match header.value.inline {
        Some(value) => tracer.span(bytes, Role::Tag, format_args!("field {id}, bool"), format_args!("{value}")),
        None => tracer.span(bytes, Role::Tag, format_args!("field {id}, {wire}"), format_args!("")),
    }
}

/// The bytes of a value that has no parts; what it reads as is `value`.
pub(super) fn scalar_spans<P: Protocol, T: Tracer>(tracer: &mut T, wire: WireType, bytes: Range<usize>, value: &str) {
    if bytes.is_empty() {
        return;
    }
    let what = wire.name();
    let shown = format_args!("{value}");
    match wire {
        WireType::I16 | WireType::I32 | WireType::I64 if P::VARIABLE => {
            tracer.span(bytes, Role::Payload, format_args!("{what} as zigzag varint"), shown);
        }
        _ => tracer.span(bytes, Role::Payload, format_args!("{what}"), shown),
    }
}

/// A string or binary: its length, and `content` bytes of what it says.
pub(super) fn text_spans<P: Protocol, T: Tracer>(tracer: &mut T, bytes: Range<usize>, content: usize, value: &str) {
    let middle = bytes.end - content;
    let what = if P::VARIABLE { "length as varint" } else { "length" };
    tracer.span(bytes.start..middle, Role::Length, format_args!("{what}"), format_args!("{content}"));
    tracer.span(middle..bytes.end, Role::Payload, format_args!("string"), format_args!("{value}"));
}

/// A scalar's value as JSON writes it. `bytes` is the content of texts.
pub(super) fn scalar(schema: &Schema, ty: TypeId, cell: Cell, bytes: &[u8]) -> String {
    let mut out = Vec::new();
    let logical = match (schema.kind(ty), schema.logical(ty)) {
        (Kind::Int(Int::I64), Some(Logical::Timestamp(unit))) => {
            text::time::write_timestamp(cell.as_i64(), unit, &mut out)
        }
        (Kind::Int(_), Some(Logical::Date)) => {
            i32::try_from(cell.as_i64()).is_ok_and(|days| text::time::write_date(days, &mut out))
        }
        (Kind::Fixed(16), Some(Logical::Uuid)) => match bytes.try_into() {
            Ok(bytes) => {
                text::uuid::write(bytes, &mut out);
                true
            }
            Err(_) => false,
        },
        _ => false,
    };
    if logical {
        return format!("\"{}\"", String::from_utf8_lossy(&out));
    }
    match schema.kind(ty) {
        Kind::Bool => cell.as_bool().to_string(),
        Kind::Int(int) if int.signed() => cell.as_i64().to_string(),
        Kind::Int(_) => cell.as_u64().to_string(),
        Kind::Float(wirewise_core::Float::F64) => cell.as_f64().to_string(),
        Kind::Float(_) => cell.as_f32().to_string(),
        Kind::Enum(e) => match e.position(cell.as_i64()) {
            Some(position) => format!("{:?}", e.symbols[position].name),
            None => cell.as_i64().to_string(),
        },
        Kind::Any => clipped(bytes),
        Kind::String => quoted(bytes),
        _ => base64(bytes),
    }
}

/// Text in quotes when it is UTF-8, otherwise in hexadecimal.
pub(super) fn text_or_hex(bytes: &[u8]) -> String {
    let visible = |text: &str| !text.chars().any(|c| c.is_control() && !c.is_ascii_whitespace());
    match std::str::from_utf8(bytes) {
        Ok(text) if visible(text) => quoted(bytes),
        _ => bytes.iter().take(LONGEST).fold(String::from("0x"), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        }),
    }
}

fn clipped(bytes: &[u8]) -> String {
    // Characters that were cut in two are none of the text's.
    let short = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]);
    short.trim_end_matches('\u{FFFD}').to_owned()
}

fn quoted(bytes: &[u8]) -> String {
    serde_json::Value::from(clipped(bytes)).to_string()
}

fn base64(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    text::base64::encode(&bytes[..bytes.len().min(LONGEST)], &mut out);
    format!("\"{}\"", String::from_utf8_lossy(&out))
}
