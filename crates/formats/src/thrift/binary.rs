//! TBinaryProtocol: everything in its full width, most significant byte first.

use wirewise_core::{Error, Out, Result};

use super::protocol::{Announced, Header, Input, ListHead, MapHead, Protocol, STOP, WireType};

pub(super) struct Binary;

fn type_byte(wire: WireType) -> u8 {
    match wire {
        WireType::Bool => 2,
        WireType::I8 => 3,
        WireType::Double => 4,
        WireType::I16 => 6,
        WireType::I32 => 8,
        WireType::I64 => 10,
        WireType::Binary => 11,
        WireType::Struct => 12,
        WireType::Map => 13,
        WireType::Set => 14,
        WireType::List => 15,
        WireType::Uuid => 16,
    }
}

fn wire_type(byte: u8, at: usize) -> Result<WireType> {
    Ok(match byte {
        2 => WireType::Bool,
        3 => WireType::I8,
        4 => WireType::Double,
        6 => WireType::I16,
        8 => WireType::I32,
        10 => WireType::I64,
        11 => WireType::Binary,
        12 => WireType::Struct,
        13 => WireType::Map,
        14 => WireType::Set,
        15 => WireType::List,
        16 => WireType::Uuid,
        _ => return Err(Error::syntax(at, format!("the binary protocol has no type {byte}"))),
    })
}

impl Protocol for Binary {
    const VARIABLE: bool = false;

    #[inline(always)]
    fn read_field(input: &mut Input<'_>, _last: i16) -> Result<Option<Header>> {
        let at = input.pos;
        let byte = input.byte("a field or the end of a struct")?;
        if byte == STOP {
            return Ok(None);
        }
        let wire = wire_type(byte, at)?;
        let id = i16::from_be_bytes(input.array("a field's number")?);
        Ok(Some(Header { id, value: Announced::plain(wire) }))
    }

    fn read_bool(input: &mut Input<'_>) -> Result<bool> {
        let at = input.pos;
        match input.byte("a boolean")? {
            0 => Ok(false),
            1 => Ok(true),
            byte => Err(Error::syntax(at, format!("expected a boolean (0 or 1), found {byte}"))),
        }
    }

    #[inline(always)]
    fn read_int(input: &mut Input<'_>, wire: WireType) -> Result<i64> {
        Ok(match wire {
            WireType::I8 => i64::from(input.byte("an i8")? as i8),
            WireType::I16 => i64::from(i16::from_be_bytes(input.array("an i16")?)),
            WireType::I32 => i64::from(i32::from_be_bytes(input.array("an i32")?)),
            _ => i64::from_be_bytes(input.array("an i64")?),
        })
    }

    #[inline(always)]
    fn read_double(input: &mut Input<'_>) -> Result<f64> {
        Ok(f64::from_be_bytes(input.array("a double")?))
    }

    #[inline(always)]
    fn read_len(input: &mut Input<'_>) -> Result<usize> {
        let at = input.pos;
        let len = i32::from_be_bytes(input.array("a length")?);
        usize::try_from(len).map_err(|_| Error::syntax(at, format!("a length of {len}")))
    }

    fn read_list(input: &mut Input<'_>) -> Result<ListHead> {
        let at = input.pos;
        let byte = input.byte("a list")?;
        let count = Binary::read_len(input)?;
        let items = if count == 0 { None } else { Some(wire_type(byte, at)?) };
        Ok(ListHead { items, count })
    }

    fn read_map(input: &mut Input<'_>) -> Result<MapHead> {
        let at = input.pos;
        let [key, value] = input.array("the types of a map")?;
        let count = Binary::read_len(input)?;
        let entries = if count == 0 { None } else { Some((wire_type(key, at)?, wire_type(value, at + 1)?)) };
        Ok(MapHead { entries, count })
    }

    const HEADER: usize = 3;

    fn tag(wire: WireType) -> u8 {
        type_byte(wire)
    }

    #[inline(always)]
    fn is_next(bytes: &[u8], pos: usize, _last: i16, id: i16, tag: u8, _is_bool: bool) -> bool {
        let [high, low] = id.to_be_bytes();
        bytes.get(pos..).and_then(|rest| rest.first_chunk()) == Some(&[tag, high, low])
    }

    #[inline(always)]
    fn usual_bool(bytes: &[u8], pos: &mut usize) -> Option<bool> {
        let byte = *bytes.get(*pos)?;
        *pos += 1;
        (byte < 2).then_some(byte == 1)
    }

    #[inline(always)]
    fn usual_int(bytes: &[u8], pos: &mut usize, wire: WireType) -> Option<i64> {
        let rest = bytes.get(*pos..)?;
        let (value, len) = match wire {
            WireType::I8 => (i64::from(*rest.first()? as i8), 1),
            WireType::I16 => (i64::from(i16::from_be_bytes(*rest.first_chunk()?)), 2),
            WireType::I32 => (i64::from(i32::from_be_bytes(*rest.first_chunk()?)), 4),
            _ => (i64::from_be_bytes(*rest.first_chunk()?), 8),
        };
        *pos += len;
        Some(value)
    }

    #[inline(always)]
    fn usual_len(bytes: &[u8], pos: &mut usize) -> Option<usize> {
        let len = i32::from_be_bytes(*bytes.get(*pos..)?.first_chunk()?);
        *pos += 4;
        usize::try_from(len).ok()
    }

    #[inline(always)]
    fn double(bytes: [u8; 8]) -> u64 {
        u64::from_be_bytes(bytes)
    }

    #[inline(always)]
    fn write_field(out: &mut Out<'_>, tag: u8, _last: i16, id: i16) {
        let [high, low] = id.to_be_bytes();
        out.array([tag, high, low]);
    }

    #[inline(always)]
    fn write_bool_field(out: &mut Out<'_>, value: bool, last: i16, id: i16) {
        Binary::write_field(out, type_byte(WireType::Bool), last, id);
        Binary::write_bool(out, value);
    }

    fn write_bool(out: &mut Out<'_>, value: bool) {
        out.byte(u8::from(value));
    }

    #[inline(always)]
    fn write_int(out: &mut Out<'_>, wire: WireType, value: i64) {
        match wire {
            WireType::I8 => out.byte(value as u8),
            WireType::I16 => out.array((value as i16).to_be_bytes()),
            WireType::I32 => out.array((value as i32).to_be_bytes()),
            _ => out.array(value.to_be_bytes()),
        }
    }

    #[inline(always)]
    fn write_double(out: &mut Out<'_>, value: f64) {
        out.array(value.to_be_bytes());
    }

    #[inline(always)]
    fn write_len(out: &mut Out<'_>, len: u32) {
        out.array(len.to_be_bytes());
    }

    #[inline(always)]
    fn write_list(out: &mut Out<'_>, items: WireType, count: u32) {
        out.byte(type_byte(items));
        Binary::write_len(out, count);
    }

    fn write_map(out: &mut Out<'_>, key: WireType, value: WireType, count: u32) {
        out.array([type_byte(key), type_byte(value)]);
        Binary::write_len(out, count);
    }
}
