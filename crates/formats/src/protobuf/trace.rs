//! What a scalar's bytes are, for the tracer.

use std::fmt;

use wirewise_core::{Cell, Int, Kind, Role, Tracer};

use super::decode::Reader;
use super::plan::Scalar;
use super::wire::WireType;

/// Says what the bytes from `at` to the cursor are: a scalar that was read as `read`, or a number that a closed enum does
/// not have.
#[inline(never)]
pub(super) fn scalar<T: Tracer>(reader: &mut Reader<'_, T>, scalar: Scalar, mut at: usize, read: Option<Cell>) {
    let end = reader.cursor.pos;
    let input = reader.cursor.input;
    let Some(cell) = read else {
        reader.tracer.span(at..end, Role::Unknown, format_args!("{}", Name(scalar)), format_args!(""));
        return;
    };
    if scalar.wire_type() == WireType::Len {
        let len = input[at..end].iter().position(|byte| byte & 0x80 == 0).map_or(0, |last| last + 1);
        let bytes = end - at - len;
        reader.tracer.span(at..at + len, Role::Length, format_args!("length"), format_args!("{bytes}"));
        at += len;
    }
    let schema = reader.schema();
    let value = Shown { scalar, cell, bytes: &input[at..end], symbol: symbol(schema, scalar, cell) };
    reader.tracer.span(at..end, Role::Payload, format_args!("{}", Name(scalar)), format_args!("{value}"));
}

fn symbol(schema: &wirewise_core::Schema, scalar: Scalar, cell: Cell) -> Option<&str> {
    let Scalar::Enum(ty) = scalar else { return None };
    let Kind::Enum(e) = schema.kind(ty) else { return None };
    e.position(cell.as_i64()).map(|position| e.symbols[position].name.as_str())
}

/// The Protobuf type of a scalar.
struct Name(Scalar);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = |int: Int| if int.bits() == 64 { 64 } else { 32 };
        let unsigned = |int: Int| if int.signed() { "" } else { "u" };
        let sized = |int: Int| if int.signed() { "s" } else { "" };
        match self.0 {
            Scalar::Null => f.write_str("enum"),
            Scalar::Bool => f.write_str("bool"),
            Scalar::Int(int) => write!(f, "{}int{}", unsigned(int), wide(int)),
            Scalar::ZigZag(int) => write!(f, "sint{}", wide(int)),
            Scalar::Word(int) => write!(f, "{}fixed{}", sized(int), wide(int)),
            Scalar::Float => f.write_str("float"),
            Scalar::Double => f.write_str("double"),
            Scalar::String => f.write_str("string"),
            Scalar::Bytes | Scalar::Fixed(_) => f.write_str("bytes"),
            Scalar::Enum(_) => f.write_str("enum"),
            Scalar::Any => f.write_str("string of JSON"),
        }
    }
}

/// A scalar as JSON would write it.
struct Shown<'a> {
    scalar: Scalar,
    cell: Cell,
    bytes: &'a [u8],
    symbol: Option<&'a str>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = self.cell;
        match self.scalar {
            Scalar::Null => f.write_str("null"),
            Scalar::Bool => write!(f, "{}", cell.as_bool()),
            Scalar::Int(int) | Scalar::ZigZag(int) | Scalar::Word(int) if int.signed() => {
                write!(f, "{}", cell.as_i64())
            }
            Scalar::Int(_) | Scalar::ZigZag(_) | Scalar::Word(_) => write!(f, "{}", cell.as_u64()),
            Scalar::Float => write!(f, "{}", cell.as_f32()),
            Scalar::Double => write!(f, "{}", cell.as_f64()),
            Scalar::Enum(_) => match self.symbol {
                Some(symbol) => quoted(f, symbol.as_bytes()),
                None => write!(f, "{}", cell.as_i64()),
            },
            Scalar::String => quoted(f, self.bytes),
            Scalar::Any => f.write_str(&String::from_utf8_lossy(self.bytes)),
            Scalar::Bytes | Scalar::Fixed(_) => {
                let mut text = Vec::new();
                // The recorder keeps only the start of a long value.
                wirewise_core::text::base64::encode(&self.bytes[..self.bytes.len().min(300)], &mut text);
                quoted(f, &text)
            }
        }
    }
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
    let text = String::from_utf8_lossy(&text[..text.len().min(1000)]);
    write!(f, "{}", serde_json::Value::from(text.as_ref()))
}
