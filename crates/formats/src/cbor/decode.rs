//! How CBOR values begin.

use wirewise_core::{Error, ErrorKind, Result};

use super::half;
use crate::dynamic::binary::{Head, Input, Length, widen};

#[inline]
pub(super) fn head(input: &mut Input<'_>) -> Result<Head> {
    let at = input.pos;
    let first = input.byte()?;
    let (major, info) = (first >> 5, first & 0x1f);
    if major == 7 {
        return simple(info, at, input);
    }
    let argument = match info {
        0..=23 => info.into(),
        24 => u8::from_be_bytes(input.array()?).into(),
        25 => u16::from_be_bytes(input.array()?).into(),
        26 => u32::from_be_bytes(input.array()?).into(),
        27 => u64::from_be_bytes(input.array()?),
        31 => {
            return match major {
                2 => Ok(Head::Bytes(None)),
                3 => Ok(Head::String(None)),
                4 => Ok(Head::List(None)),
                5 => Ok(Head::Map(None)),
                _ => Err(malformed(first, at)),
            };
        }
        _ => return Err(malformed(first, at)),
    };
    Ok(match major {
        0 => Head::Uint(argument),
        1 => Head::Negative(argument),
        2 => Head::Bytes(length(argument, at)?),
        3 => Head::String(length(argument, at)?),
        4 => Head::List(length(argument, at)?),
        5 => Head::Map(length(argument, at)?),
        _ => Head::Tag(argument),
    })
}

/// Integers of all widths. See [`Wire`](crate::dynamic::binary::Wire) for what these return.
#[inline(always)]
pub(super) fn usual_int(rest: &[u8]) -> Option<(bool, u64, usize)> {
    let &first = rest.first()?;
    let negative = first & 0x20 != 0;
    match first & !0x20 {
        info @ 0..=23 => Some((negative, info.into(), 1)),
        info @ 24..=27 => {
            let width = 1 << (info - 24);
            Some((negative, word(rest.first_chunk()?) >> (64 - 8 * width), 1 + width))
        }
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
    match *rest {
        [0xfb, a, b, c, d, e, f, g, h, ..] => Some((f64::from_be_bytes([a, b, c, d, e, f, g, h]), 9)),
        [0xfa, a, b, c, d, ..] => Some((widen(f32::from_be_bytes([a, b, c, d])), 5)),
        [0xf9, a, b, ..] => Some((half::to_f64(u16::from_be_bytes([a, b])), 3)),
        _ => None,
    }
}

/// A length in one or two bytes, of this major type.
#[inline(always)]
pub(super) fn usual_length(major: u8, rest: &[u8]) -> Option<(usize, usize)> {
    match (rest.first()? ^ major << 5, rest.get(1)) {
        (info @ 0..=23, _) => Some((1, info.into())),
        (24, Some(&len)) => Some((2, len.into())),
        _ => None,
    }
}

/// Major type 7: simple values and floats.
#[inline]
fn simple(info: u8, at: usize, input: &mut Input<'_>) -> Result<Head> {
    Ok(match info {
        20 => Head::Bool(false),
        21 => Head::Bool(true),
        22 => Head::Null,
        25 => Head::Float(half::to_f64(u16::from_be_bytes(input.array()?))),
        26 => Head::Float(widen(f32::from_be_bytes(input.array()?))),
        27 => Head::Float(f64::from_be_bytes(input.array()?)),
        31 => Head::Break,
        0..=19 | 23 => Head::Simple(info),
        24 => match u8::from_be_bytes(input.array()?) {
            value @ 0..=31 => {
                return Err(Error::syntax(
                    at,
                    format!("the simple value {value} in two bytes, which is not well-formed"),
                ));
            }
            value => Head::Simple(value),
        },
        _ => return Err(malformed(0xe0 | info, at)),
    })
}

/// No message is as long as 4 GiB: a longer length is no reason to wait for more input.
#[inline]
fn length(argument: u64, at: usize) -> Result<Length> {
    match u32::try_from(argument) {
        Ok(len) => Ok(Some(len as usize)),
        Err(_) => {
            Err(Error::new(ErrorKind::Limit, format!("a length of {argument}, more than any message has")).at(at))
        }
    }
}

#[cold]
fn malformed(first: u8, at: usize) -> Error {
    Error::syntax(at, format!("the byte 0x{first:02x}, with which no CBOR value begins"))
}

/// The specification's name for what begins with this byte.
pub(super) fn describe(first: u8) -> &'static str {
    const MAJOR: [&str; 7] =
        ["unsigned integer", "negative integer", "byte string", "text string", "array", "map", "tag"];
    match first {
        0xf4 => "false",
        0xf5 => "true",
        0xf6 => "null",
        0xf7 => "undefined",
        0xf9 => "half-precision float",
        0xfa => "single-precision float",
        0xfb => "double-precision float",
        0xff => "break",
        0xe0.. => "simple value",
        _ => MAJOR[usize::from(first >> 5)],
    }
}
