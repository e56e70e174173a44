//! Reading scalars.

use wirewise_core::{Cell, Error, ErrorKind, Int, Kind, Result, Role, Tracer, TypeId};

use super::decode::Reader;
use super::plan::Scalar;
use super::trace;
use super::wire::WireType;
use crate::json::any_from_text;

impl<'a, T: Tracer> Reader<'a, T> {
    /// Reads a scalar. `None` is a number that a closed enum does not have, noted as unknown: so Protobuf has it.
    #[inline]
    pub(super) fn scalar(&mut self, scalar: Scalar, within: TypeId, number: u32) -> Result<Option<Cell>> {
        if !T::ON {
            return self.untraced(scalar, within, number);
        }
        let at = self.cursor.pos;
        if scalar.wire_type() == WireType::Len
            && let Some(error) = self.trace_cut()
        {
            let bytes = self.cursor.pos..self.cursor.end;
            self.tracer.span(bytes, Role::Payload, format_args!("what is there of it"), format_args!(""));
            return Err(error);
        }
        let read = self.untraced(scalar, within, number)?;
        trace::scalar(self, scalar, at, read);
        Ok(read)
    }

    #[inline]
    fn untraced(&mut self, scalar: Scalar, within: TypeId, number: u32) -> Result<Option<Cell>> {
        let at = self.cursor.pos;
        Ok(Some(match scalar {
            Scalar::Null => {
                let value = self.cursor.varint()?;
                if value as u32 != 0 {
                    self.unknown_number(within, number, value, at)?;
                    return Ok(None);
                }
                Cell::EMPTY
            }
            Scalar::Bool => Cell::bool(self.cursor.varint()? != 0),
            Scalar::Int(int) => integer(self.cursor.varint()?, int, at)?,
            Scalar::ZigZag(int) => {
                let varint = self.cursor.varint()?;
                // Of a sint32, as of every type of 32 bits, what is above them does not count.
                let varint = if int.bits() == 64 { varint } else { u64::from(varint as u32) };
                integer(varint >> 1 ^ (varint & 1).wrapping_neg(), int, at)?
            }
            Scalar::Word(int) if int.bits() == 64 => Cell::uint(u64::from_le_bytes(self.cursor.fixed()?)),
            Scalar::Word(int) => integer(u32::from_le_bytes(self.cursor.fixed()?).into(), int, at)?,
            Scalar::Float => Cell::f32(f32::from_le_bytes(self.cursor.fixed()?)),
            Scalar::Double => Cell::f64(f64::from_le_bytes(self.cursor.fixed()?)),
            Scalar::String => {
                let bytes = self.string()?;
                self.arena.text(bytes)?
            }
            Scalar::Bytes => {
                let bytes = self.cursor.bytes()?;
                self.arena.text(bytes)?
            }
            Scalar::Fixed(size) => {
                let bytes = self.cursor.bytes()?;
                if bytes.len() != size as usize {
                    return Err(Error::data(at, format!("expected {size} bytes, found {}", bytes.len())));
                }
                self.arena.text(bytes)?
            }
            Scalar::Enum(ty) => {
                // Enums are 32 bits wide: what is above them does not count.
                let varint = self.cursor.varint()?;
                let value = i64::from(varint as i32);
                let Kind::Enum(e) = self.codec.schema.kind(ty) else { unreachable!("planned as an enum") };
                if e.closed && e.position(value).is_none() {
                    self.unknown_number(within, number, varint, at)?;
                    return Ok(None);
                }
                Cell::int(value)
            }
            Scalar::Any => self.any()?,
        }))
    }

    fn string(&mut self) -> Result<&'a [u8]> {
        let bytes = self.cursor.bytes()?;
        match std::str::from_utf8(bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => {
                let at = self.cursor.pos - bytes.len() + error.valid_up_to();
                Err(Error::syntax(at, "the text is not valid UTF-8").hint("if it is not text, its type is bytes"))
            }
        }
    }

    fn any(&mut self) -> Result<Cell> {
        let text = self.string()?;
        if text.is_empty() {
            // What is left out reads as the empty text, so both mean the same.
            return self.arena.any(wirewise_core::AnyTag::Null, Cell::EMPTY);
        }
        let at = self.cursor.pos - text.len();
        any_from_text(text, self.cursor.input, at, self.arena, 0).map_err(|error| match error.kind() {
            // The text is complete, so more input cannot help.
            ErrorKind::End => Error::syntax(self.cursor.pos, "the JSON text in this string is incomplete"),
            _ => error,
        })
    }
}

/// Fits a varint into an integer type. Protobuf itself has 32 and 64 bits and drops what is above them; the narrower
/// types are ours, and what does not fit those is an error.
#[inline]
fn integer(varint: u64, int: Int, at: usize) -> Result<Cell> {
    let value = match int {
        Int::I64 | Int::U64 => return Ok(Cell::uint(varint)),
        Int::U8 | Int::U16 | Int::U32 => i64::from(varint as u32),
        Int::I8 | Int::I16 | Int::I32 => i64::from(varint as i32),
    };
    if matches!(int, Int::U32 | Int::I32) || int.holds(i128::from(value)) {
        return Ok(Cell::int(value));
    }
    let (min, max) = int.range();
    Err(Error::data(at, format!("{value} is out of range: the type has {min} to {max}")))
}
