//! How MessagePack values begin.

use wirewise_core::{Error, Result};

use crate::dynamic::binary::{Head, Input, widen};

#[inline]
pub(super) fn head(input: &mut Input<'_>) -> Result<Head> {
    let at = input.pos;
    Ok(match input.byte()? {
        byte @ 0x00..=0x7f => Head::Uint(byte.into()),
        byte @ 0x80..=0x8f => Head::Map(Some((byte & 0x0f).into())),
        byte @ 0x90..=0x9f => Head::List(Some((byte & 0x0f).into())),
        byte @ 0xa0..=0xbf => Head::String(Some((byte & 0x1f).into())),
        0xc0 => Head::Null,
        0xc1 => return Err(Error::syntax(at, "the byte 0xc1, which MessagePack never uses")),
        0xc2 => Head::Bool(false),
        0xc3 => Head::Bool(true),
        0xc4 => Head::Bytes(Some(len8(input)?)),
        0xc5 => Head::Bytes(Some(len16(input)?)),
        0xc6 => Head::Bytes(Some(len32(input)?)),
        0xc7 => {
            let len = len8(input)?;
            extension(len, input)?
        }
        0xc8 => {
            let len = len16(input)?;
            extension(len, input)?
        }
        0xc9 => {
            let len = len32(input)?;
            extension(len, input)?
        }
        0xca => Head::Float(widen(f32::from_be_bytes(input.array()?))),
        0xcb => Head::Float(f64::from_be_bytes(input.array()?)),
        0xcc => Head::Uint(u8::from_be_bytes(input.array()?).into()),
        0xcd => Head::Uint(u16::from_be_bytes(input.array()?).into()),
        0xce => Head::Uint(u32::from_be_bytes(input.array()?).into()),
        0xcf => Head::Uint(u64::from_be_bytes(input.array()?)),
        0xd0 => signed(i8::from_be_bytes(input.array()?).into()),
        0xd1 => signed(i16::from_be_bytes(input.array()?).into()),
        0xd2 => signed(i32::from_be_bytes(input.array()?).into()),
        0xd3 => signed(i64::from_be_bytes(input.array()?)),
        byte @ 0xd4..=0xd8 => extension(1 << (byte - 0xd4), input)?,
        0xd9 => Head::String(Some(len8(input)?)),
        0xda => Head::String(Some(len16(input)?)),
        0xdb => Head::String(Some(len32(input)?)),
        0xdc => Head::List(Some(len16(input)?)),
        0xdd => Head::List(Some(len32(input)?)),
        0xde => Head::Map(Some(len16(input)?)),
        0xdf => Head::Map(Some(len32(input)?)),
        byte @ 0xe0..=0xff => signed((byte as i8).into()),
    })
}

/// Integers of all widths. See [`Wire`](crate::dynamic::binary::Wire) for what these return.
#[inline(always)]
pub(super) fn usual_int(rest: &[u8]) -> Option<(bool, u64, usize)> {
    let &first = rest.first()?;
    match first {
        0x00..=0x7f => Some((false, first.into(), 1)),
        0xcc..=0xcf => {
            let bytes = rest.first_chunk::<9>()?;
            let width = 1 << (first - 0xcc);
            Some((false, word(bytes) >> (64 - 8 * width), 1 + width))
        }
        0xd0..=0xd3 => {
            let bytes = rest.first_chunk::<9>()?;
            let width = 1 << (first - 0xd0);
            let value = word(bytes) as i64 >> (64 - 8 * width);
            Some((value < 0, (value ^ value >> 63) as u64, 1 + width))
        }
        0xe0..=0xff => Some((true, (!first).into(), 1)),
        _ => None,
    }
}

/// The eight bytes behind the first.
#[inline(always)]
fn word(bytes: &[u8; 9]) -> u64 {
    let &[_, a, b, c, d, e, f, g, h] = bytes;
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

#[inline(always)]
pub(super) fn usual_float(rest: &[u8]) -> Option<(f64, usize)> {
    match rest.first_chunk::<9>() {
        Some(bytes) if bytes[0] == 0xcb => Some((f64::from_bits(word(bytes)), 9)),
        _ => None,
    }
}

#[inline(always)]
pub(super) fn usual_string(rest: &[u8]) -> Option<(usize, usize)> {
    match *rest {
        [first @ 0xa0..=0xbf, ..] => Some((1, (first & 0x1f).into())),
        [0xd9, len, ..] => Some((2, len.into())),
        _ => None,
    }
}

#[inline(always)]
pub(super) fn usual_list(rest: &[u8]) -> Option<(usize, usize)> {
    match *rest {
        [first @ 0x90..=0x9f, ..] => Some((1, (first & 0x0f).into())),
        _ => None,
    }
}

#[inline(always)]
pub(super) fn usual_map(rest: &[u8]) -> Option<(usize, usize)> {
    match *rest {
        [first @ 0x80..=0x8f, ..] => Some((1, (first & 0x0f).into())),
        [0xde, a, b, ..] => Some((3, u16::from_be_bytes([a, b]).into())),
        _ => None,
    }
}

#[inline]
fn signed(value: i64) -> Head {
    if value < 0 { Head::Negative(!value as u64) } else { Head::Uint(value as u64) }
}

#[inline]
fn len8(input: &mut Input<'_>) -> Result<usize> {
    Ok(u8::from_be_bytes(input.array()?).into())
}

#[inline]
fn len16(input: &mut Input<'_>) -> Result<usize> {
    Ok(u16::from_be_bytes(input.array()?).into())
}

#[inline]
fn len32(input: &mut Input<'_>) -> Result<usize> {
    Ok(u32::from_be_bytes(input.array()?) as usize)
}

fn extension(len: usize, input: &mut Input<'_>) -> Result<Head> {
    Ok(Head::Extension(input.byte()? as i8, len))
}

/// The extension type -1: seconds and nanoseconds since 1970, in three lengths.
pub(super) fn timestamp(extension: i8, data: &[u8]) -> Option<(i64, u32)> {
    let (seconds, nanos) = match (extension, data.len()) {
        (-1, 4) => (u32::from_be_bytes(data.try_into().ok()?).into(), 0),
        (-1, 8) => {
            let both = u64::from_be_bytes(data.try_into().ok()?);
            ((both & 0x3_ffff_ffff) as i64, (both >> 34) as u32)
        }
        (-1, 12) => {
            let (nanos, seconds) = data.split_at(4);
            (i64::from_be_bytes(seconds.try_into().ok()?), u32::from_be_bytes(nanos.try_into().ok()?))
        }
        _ => return None,
    };
    (nanos < 1_000_000_000).then_some((seconds, nanos))
}

/// The specification's name for each first byte.
pub(super) fn describe(first: u8) -> &'static str {
    const NAMES: [&str; 32] = [
        "nil",
        "never used",
        "false",
        "true",
        "bin 8",
        "bin 16",
        "bin 32",
        "ext 8",
        "ext 16",
        "ext 32",
        "float 32",
        "float 64",
        "uint 8",
        "uint 16",
        "uint 32",
        "uint 64",
        "int 8",
        "int 16",
        "int 32",
        "int 64",
        "fixext 1",
        "fixext 2",
        "fixext 4",
        "fixext 8",
        "fixext 16",
        "str 8",
        "str 16",
        "str 32",
        "array 16",
        "array 32",
        "map 16",
        "map 32",
    ];
    match first {
        0x00..=0x7f => "positive fixint",
        0x80..=0x8f => "fixmap",
        0x90..=0x9f => "fixarray",
        0xa0..=0xbf => "fixstr",
        0xc0..=0xdf => NAMES[usize::from(first - 0xc0)],
        0xe0..=0xff => "negative fixint",
    }
}
