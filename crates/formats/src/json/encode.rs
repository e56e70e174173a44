//! Writing JSON.

use wirewise_core::{
    Cell, Document, Error, ErrorKind, Float, Kind, Logical, LossKind, LossName, Losses, Record, Result, State, TypeId,
    Union, text,
};

use super::number;
use super::scan;
use super::{JsonCodec, TypePlan};
use crate::dynamic::{UnionPlan, check_oneofs, positional_null};

pub(super) fn write(codec: &JsonCodec, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
    let mut writer = Writer { codec, document, losses };
    writer.value(codec.schema.root(), document.root(), codec.pretty.then_some(0), out)
}

struct Writer<'a> {
    codec: &'a JsonCodec,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
}

impl Writer<'_> {
    /// `indent` is the current depth when pretty.
    fn value(&mut self, ty: TypeId, cell: Cell, indent: Option<usize>, out: &mut Vec<u8>) -> Result<()> {
        let document = self.document;
        let schema = &self.codec.schema;
        match schema.kind(ty) {
            Kind::Null => out.extend_from_slice(b"null"),
            Kind::Bool => out.extend_from_slice(if cell.as_bool() { b"true" } else { b"false" }),
            Kind::Int(int) => match schema.logical(ty) {
                Some(logical) => return write_time(cell, logical, out),
                None if int.signed() => number::write_i64(cell.as_i64(), out),
                None => number::write_u64(cell.as_u64(), out),
            },
            Kind::Float(float) => return self.float(ty, *float, cell, out),
            Kind::String if schema.logical(ty) == Some(Logical::Number) => {
                return write_literal(document.bytes(cell), out);
            }
            Kind::String => write_string(document.bytes(cell), out),
            Kind::Bytes | Kind::Fixed(_) => {
                let bytes = document.bytes(cell);
                out.push(b'"');
                match <&[u8; 16]>::try_from(bytes) {
                    Ok(uuid) if schema.logical(ty) == Some(Logical::Uuid) => text::uuid::write(uuid, out),
                    _ => text::base64::encode(bytes, out),
                }
                out.push(b'"');
            }
            Kind::Enum(e) => match e.position(cell.as_i64()) {
                Some(position) => write_string(e.symbols[position].name.as_bytes(), out),
                None => number::write_i64(cell.as_i64(), out),
            },
            Kind::List(item) => {
                let items = document.list(cell).iter().enumerate();
                return array(indent, out, items, |(i, &cell), indent, out| {
                    self.value(*item, cell, indent, out).map_err(|error| error.in_index(i))
                });
            }
            Kind::Map(key, value) => {
                let pairs = document.map(cell).chunks_exact(2);
                return object(indent, out, pairs, |pair, indent, out| {
                    let start = out.len();
                    match schema.kind(*key) {
                        Kind::String => write_string(document.bytes(pair[0]), out),
                        Kind::Bool => write_string(pair[0].as_bool().to_string().as_bytes(), out),
                        Kind::Int(int) if int.signed() => write_string(pair[0].as_i64().to_string().as_bytes(), out),
                        _ => write_string(pair[0].as_u64().to_string().as_bytes(), out),
                    }
                    let end = out.len();
                    out.extend_from_slice(if indent.is_some() { b": " } else { b":" });
                    let written = self.value(*value, pair[1], indent, out);
                    written.map_err(|error| error.in_key(&out[start + 1..end - 1]))
                });
            }
            Kind::Nullable(inner) => match document.boxed(cell) {
                None => out.extend_from_slice(b"null"),
                Some(cell) => return self.value(*inner, cell, indent, out),
            },
            Kind::Record(record) => {
                return match &self.codec.types[ty.index()] {
                    TypePlan::Record { order, .. } if self.codec.style.positional => {
                        self.array_record(record, order, cell, out)
                    }
                    TypePlan::Record { keys, .. } => self.object_record(record, keys, cell, indent, out),
                    _ => unreachable!("planned as a record"),
                };
            }
            Kind::Union(union) => return self.union(ty, union, cell, indent, out),
            Kind::Any => {
                let mut not_finite = || self.losses.note(LossKind::NotFinite, ty, LossName::Name(""));
                return super::any::write(document, cell, indent, &mut not_finite, out);
            }
        }
        Ok(())
    }

    fn float(&mut self, ty: TypeId, float: Float, cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let value = match float {
            Float::F64 => cell.as_f64(),
            Float::F32 => f64::from(cell.as_f32()),
        };
        if !value.is_finite() {
            self.losses.note(LossKind::NotFinite, ty, LossName::Name(""))?;
            out.extend_from_slice(b"null");
            return Ok(());
        }
        match float {
            Float::F64 if self.codec.schema.logical(ty) == Some(Logical::Number) => number::write_number(value, out),
            Float::F64 => number::write_f64(value, out),
            Float::F32 => number::write_f32(cell.as_f32(), out),
        }
        Ok(())
    }

    fn object_record(
        &mut self,
        record: &Record,
        keys: &[Vec<u8>],
        cell: Cell,
        indent: Option<usize>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        let fields = record.fields.iter().enumerate().filter(|(position, _)| !view.is_absent(*position));
        object(indent, out, fields, |(position, field), indent, out| {
            out.extend_from_slice(&keys[position]);
            if indent.is_some() {
                out.push(b' ');
            }
            if view.state(position) == State::Null {
                out.extend_from_slice(b"null");
                return Ok(());
            }
            let written = self.value(field.value_type(), view.cell(position), indent, out);
            written.map_err(|error| error.in_field(&field.name))
        })
    }

    fn array_record(&mut self, record: &Record, order: &[usize], cell: Cell, out: &mut Vec<u8>) -> Result<()> {
        let view = self.document.record(record, cell);
        check_oneofs(record, &view)?;
        array(None, out, order.iter(), |&position, _, out| {
            let field = &record.fields[position];
            if positional_null(self.document, record, &view, position, self.losses)? {
                out.extend_from_slice(b"null");
                return Ok(());
            }
            self.value(field.value_type(), view.cell(position), None, out).map_err(|error| error.in_field(&field.name))
        })
    }

    fn union(&mut self, ty: TypeId, union: &Union, cell: Cell, indent: Option<usize>, out: &mut Vec<u8>) -> Result<()> {
        let (position, value) = self.document.union(cell);
        let branch = &union.branches[position];
        match &self.codec.types[ty.index()] {
            TypePlan::Union(UnionPlan::Tagged) if self.codec.style.positional => {
                out.push(b'[');
                number::write_u64(branch.number.into(), out);
                out.push(b',');
                self.value(branch.ty, value, None, out).map_err(|error| error.in_field(&branch.name))?;
                out.push(b']');
                Ok(())
            }
            TypePlan::Union(UnionPlan::Tagged) => object(indent, out, std::iter::once(()), |(), indent, out| {
                out.extend_from_slice(&key(branch.name.as_bytes()));
                if indent.is_some() {
                    out.push(b' ');
                }
                self.value(branch.ty, value, indent, out).map_err(|error| error.in_field(&branch.name))
            }),
            _ => self.value(branch.ty, value, indent, out),
        }
    }
}

/// Writes `[`, the items, `]`; each on a line of its own when `indent` says how deep this is.
pub(super) fn array<T>(
    indent: Option<usize>,
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    write: impl FnMut(T, Option<usize>, &mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    brackets(b'[', b']', indent, out, items, write)
}

/// The same with braces: `write` writes name, colon and value.
pub(super) fn object<T>(
    indent: Option<usize>,
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    write: impl FnMut(T, Option<usize>, &mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    brackets(b'{', b'}', indent, out, items, write)
}

fn brackets<T>(
    open: u8,
    close: u8,
    indent: Option<usize>,
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(T, Option<usize>, &mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    out.push(open);
    let inner = indent.map(|depth| depth + 1);
    let mut empty = true;
    for item in items {
        if !empty {
            out.push(b',');
        }
        empty = false;
        new_line(inner, out);
        write(item, inner, out)?;
    }
    if !empty {
        new_line(indent, out);
    }
    out.push(close);
    Ok(())
}

fn new_line(indent: Option<usize>, out: &mut Vec<u8>) {
    if let Some(depth) = indent {
        out.push(b'\n');
        out.resize(out.len() + 2 * depth, b' ');
    }
}

/// A name as it stands in an object: `"name":`.
pub(super) fn key(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    write_string(name, &mut out);
    out.push(b':');
    out
}

/// How a byte is written in a string: 0 as it is, otherwise the letter of its escape (`u` for `\u00XX`).
static ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 0x20 {
        table[i] = b'u';
        i += 1;
    }
    table[8] = b'b';
    table[12] = b'f';
    table[b'\n' as usize] = b'n';
    table[b'\r' as usize] = b'r';
    table[b'\t' as usize] = b't';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Writes a string, escaping only what must be.
pub(super) fn write_string(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&byte| ESCAPES[byte as usize] != 0) {
        out.extend_from_slice(&rest[..at]);
        let byte = rest[at];
        match ESCAPES[byte as usize] {
            b'u' => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                out.extend_from_slice(b"\\u00");
                out.extend([DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]);
            }
            letter => out.extend([b'\\', letter]),
        }
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Writes the text of a number; it may have come from a format where it is a string like any other.
fn write_literal(literal: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut scan = scan::untraced(literal, literal);
    if scan.number().is_err() || scan.pos != literal.len() {
        let shown: String = String::from_utf8_lossy(literal).chars().take(40).collect();
        return Err(Error::new(ErrorKind::Data, format!("expected the text of a number, found {shown:?}")));
    }
    out.extend_from_slice(literal);
    Ok(())
}

fn write_time(cell: Cell, logical: Logical, out: &mut Vec<u8>) -> Result<()> {
    out.push(b'"');
    let written = match logical {
        Logical::Timestamp(unit) => text::time::write_timestamp(cell.as_i64(), unit, out),
        _ => text::time::write_date(cell.as_i64() as i32, out),
    };
    out.push(b'"');
    if written {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::Unsupported,
        format!("RFC 3339 has years 0000 to 9999 only; {} is beyond them", cell.as_i64()),
    ))
}
