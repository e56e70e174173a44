//! TCompactProtocol: variable-length integers, field numbers as differences, booleans in the field header.

use wirewise_core::{Error, Out, Result, varint};

use super::protocol::{Announced, Header, Input, ListHead, MapHead, Protocol, STOP, WireType, out_of_range, range};

pub(super) struct Compact;

/// `true` in a field header and, as a byte, in lists; also the element type of booleans.
const TRUE: u8 = 1;
/// `false` in the same places.
const FALSE: u8 = 2;

fn nibble(wire: WireType) -> u8 {
    match wire {
        WireType::Bool => TRUE,
        WireType::I8 => 3,
        WireType::I16 => 4,
        WireType::I32 => 5,
        WireType::I64 => 6,
        WireType::Double => 7,
        WireType::Binary => 8,
        WireType::List => 9,
        WireType::Set => 10,
        WireType::Map => 11,
        WireType::Struct => 12,
        WireType::Uuid => 13,
    }
}

fn wire_type(nibble: u8, at: usize) -> Result<WireType> {
    Ok(match nibble {
        TRUE | FALSE => WireType::Bool,
        3 => WireType::I8,
        4 => WireType::I16,
        5 => WireType::I32,
        6 => WireType::I64,
        7 => WireType::Double,
        8 => WireType::Binary,
        9 => WireType::List,
        10 => WireType::Set,
        11 => WireType::Map,
        12 => WireType::Struct,
        13 => WireType::Uuid,
        _ => return Err(Error::syntax(at, format!("the compact protocol has no type {nibble}"))),
    })
}

impl Protocol for Compact {
    const VARIABLE: bool = true;

    #[inline(always)]
    fn read_field(input: &mut Input<'_>, last: i16) -> Result<Option<Header>> {
        let at = input.pos;
        let byte = input.byte("a field or the end of a struct")?;
        if byte == STOP {
            return Ok(None);
        }
        let (delta, nibble) = (byte >> 4, byte & 15);
        let wire = wire_type(nibble, at)?;
        let id = match delta {
            0 => Compact::read_int(input, WireType::I16)? as i16,
            _ => last.checked_add(i16::from(delta)).ok_or_else(|| {
                out_of_range(at, WireType::I16, format!("field number {}", i32::from(last) + i32::from(delta)))
            })?,
        };
        let inline = (wire == WireType::Bool).then_some(nibble == TRUE);
        Ok(Some(Header { id, value: Announced { wire, inline } }))
    }

    fn read_bool(input: &mut Input<'_>) -> Result<bool> {
        let at = input.pos;
        match input.byte("a boolean")? {
            TRUE => Ok(true),
            // Some writers have 0 here.
            FALSE | 0 => Ok(false),
            byte => Err(Error::syntax(at, format!("expected a boolean (0, 1 or 2), found {byte}"))),
        }
    }

    #[inline(always)]
    fn read_int(input: &mut Input<'_>, wire: WireType) -> Result<i64> {
        if wire == WireType::I8 {
            return Ok(i64::from(input.byte("an i8")? as i8));
        }
        let at = input.pos;
        let value = varint::unzigzag(read_varint(input)?);
        if range(wire).contains(&value) { Ok(value) } else { Err(out_of_range(at, wire, value)) }
    }

    #[inline(always)]
    fn read_double(input: &mut Input<'_>) -> Result<f64> {
        // The specification once said big-endian; every implementation writes little-endian.
        Ok(f64::from_le_bytes(input.array("a double")?))
    }

    #[inline(always)]
    fn read_len(input: &mut Input<'_>) -> Result<usize> {
        let at = input.pos;
        let len = read_varint(input)?;
        if len > i32::MAX as u64 {
            return Err(Error::syntax(at, format!("a length of {len} is beyond the range of i32")));
        }
        Ok(len as usize)
    }

    fn read_list(input: &mut Input<'_>) -> Result<ListHead> {
        let at = input.pos;
        let byte = input.byte("a list")?;
        let count = match byte >> 4 {
            15 => Compact::read_len(input)?,
            count => usize::from(count),
        };
        let items = if count == 0 { None } else { Some(wire_type(byte & 15, at)?) };
        Ok(ListHead { items, count })
    }

    fn read_map(input: &mut Input<'_>) -> Result<MapHead> {
        let count = Compact::read_len(input)?;
        if count == 0 {
            return Ok(MapHead { entries: None, count });
        }
        let at = input.pos;
        let byte = input.byte("the types of a map")?;
        Ok(MapHead { entries: Some((wire_type(byte >> 4, at)?, wire_type(byte & 15, at)?)), count })
    }

    const HEADER: usize = 1;

    fn tag(wire: WireType) -> u8 {
        nibble(wire)
    }

    #[inline(always)]
    fn is_next(bytes: &[u8], pos: usize, last: i16, id: i16, tag: u8, is_bool: bool) -> bool {
        let delta = i32::from(id) - i32::from(last);
        let expected = (delta as u8) << 4 | tag;
        match bytes.get(pos) {
            Some(&byte) => (1..=15).contains(&delta) && (byte == expected || is_bool && byte == expected + 1),
            None => false,
        }
    }

    #[inline(always)]
    fn usual_bool(bytes: &[u8], pos: &mut usize) -> Option<bool> {
        Some(bytes[*pos - 1] & 15 == TRUE)
    }

    #[inline(always)]
    fn usual_int(bytes: &[u8], pos: &mut usize, wire: WireType) -> Option<i64> {
        if wire == WireType::I8 {
            let byte = *bytes.get(*pos)?;
            *pos += 1;
            return Some(i64::from(byte as i8));
        }
        varint::usual(bytes, pos).map(varint::unzigzag)
    }

    #[inline(always)]
    fn usual_len(bytes: &[u8], pos: &mut usize) -> Option<usize> {
        varint::usual(bytes, pos).filter(|&len| len <= i32::MAX as u64).map(|len| len as usize)
    }

    #[inline(always)]
    fn double(bytes: [u8; 8]) -> u64 {
        u64::from_le_bytes(bytes)
    }

    #[inline(always)]
    fn write_field(out: &mut Out<'_>, tag: u8, last: i16, id: i16) {
        match i32::from(id) - i32::from(last) {
            delta @ 1..=15 => out.byte((delta as u8) << 4 | tag),
            _ => {
                out.byte(tag);
                Compact::write_int(out, WireType::I16, i64::from(id));
            }
        }
    }

    #[inline(always)]
    fn write_bool_field(out: &mut Out<'_>, value: bool, last: i16, id: i16) {
        Compact::write_field(out, if value { TRUE } else { FALSE }, last, id);
    }

    fn write_bool(out: &mut Out<'_>, value: bool) {
        out.byte(if value { TRUE } else { FALSE });
    }

    #[inline(always)]
    fn write_int(out: &mut Out<'_>, wire: WireType, value: i64) {
        match wire {
            WireType::I8 => out.byte(value as u8),
            _ => out.number(varint::zigzag(value)),
        }
    }

    #[inline(always)]
    fn write_double(out: &mut Out<'_>, value: f64) {
        out.array(value.to_le_bytes());
    }

    #[inline(always)]
    fn write_len(out: &mut Out<'_>, len: u32) {
        out.varint(u64::from(len));
    }

    #[inline(always)]
    fn write_list(out: &mut Out<'_>, items: WireType, count: u32) {
        if count < 15 {
            out.byte((count as u8) << 4 | nibble(items));
        } else {
            out.byte(0xf0 | nibble(items));
            Compact::write_len(out, count);
        }
    }

    fn write_map(out: &mut Out<'_>, key: WireType, value: WireType, count: u32) {
        Compact::write_len(out, count);
        if count > 0 {
            out.byte(nibble(key) << 4 | nibble(value));
        }
    }
}

/// An unsigned LEB128 number. More bytes than necessary are legal.
#[inline]
fn read_varint(input: &mut Input<'_>) -> Result<u64> {
    let at = input.pos;
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = input.byte("the rest of a number")?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            // The tenth byte has one bit left.
            if shift == 63 && byte > 1 {
                break;
            }
            return Ok(value);
        }
    }
    Err(Error::syntax(at, "a number has more than 64 bits"))
}
