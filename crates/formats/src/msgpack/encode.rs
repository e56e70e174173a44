//! What MessagePack values begin with, in the smallest encoding.

use wirewise_core::{Error, ErrorKind, Out, Result};

use crate::dynamic::binary::{Number, Numbers, Start, Widths};

const UINTS: Widths =
    Widths::new(&[(7, 0, 0x7f, 0), (8, 0xcc, 0, 1), (16, 0xcd, 0, 2), (32, 0xce, 0, 4), (64, 0xcf, 0, 8)]);

/// By the bits of -1 - n.
const NEGATIVE: Widths =
    Widths::new(&[(5, 0xe0, 0x1f, 0), (7, 0xd0, 0, 1), (15, 0xd1, 0, 2), (31, 0xd2, 0, 4), (63, 0xd3, 0, 8)]);

static STRINGS: Widths = Widths::new(&[(5, 0xa0, 0x1f, 0), (8, 0xd9, 0, 1), (16, 0xda, 0, 2), (32, 0xdb, 0, 4)]);
pub(super) static BYTES: Widths = Widths::new(&[(8, 0xc4, 0, 1), (16, 0xc5, 0, 2), (32, 0xc6, 0, 4)]);
pub(super) static LISTS: Widths = Widths::new(&[(4, 0x90, 0x0f, 0), (16, 0xdc, 0, 2), (32, 0xdd, 0, 4)]);
pub(super) static MAPS: Widths = Widths::new(&[(4, 0x80, 0x0f, 0), (16, 0xde, 0, 2), (32, 0xdf, 0, 4)]);
static EXTENSIONS: Widths = Widths::new(&[(8, 0xc7, 0, 1), (16, 0xc8, 0, 2), (32, 0xc9, 0, 4)]);

static UNSIGNED: Numbers = Numbers::unsigned(&UINTS);
static SIGNED: Numbers = Numbers::signed(&UINTS, &NEGATIVE, false);
static F32: Numbers = Numbers::all(0xca, 0, 4);
static F64: Numbers = Numbers::all(0xcb, 0, 8);
static BOOL: Numbers = Numbers::all(0xc2, 1, 0);

#[inline(always)]
pub(super) fn uint(value: u64) -> Start {
    UNSIGNED.start(value, 1)
}

#[inline(always)]
pub(super) fn int(value: i64) -> Start {
    SIGNED.start(value as u64, 1)
}

pub(super) fn numbers(number: Number) -> &'static Numbers {
    match number {
        Number::Int => &SIGNED,
        Number::Uint => &UNSIGNED,
        Number::F32 => &F32,
        Number::F64 => &F64,
        Number::Bool => &BOOL,
    }
}

/// What a string of this length begins with. Lengths are easier to predict than numbers.
#[inline(always)]
pub(super) fn string(len: usize) -> Start {
    if (0x20..=0xff).contains(&len) { Start::number(0xd9, len as u64, 1) } else { STRINGS.length(0xa0, 0x1f, len) }
}

/// The integer -1 - n.
pub(super) fn negative(n: u64) -> Result<Start> {
    match i64::try_from(n) {
        Ok(n) => Ok(int(!n)),
        Err(_) => {
            let value = -1 - i128::from(n);
            Err(Error::new(ErrorKind::Unsupported, format!("MessagePack integers cannot hold {value}"))
                .hint("they reach from -2^63 to 2^64 - 1"))
        }
    }
}

pub(super) fn extension(tag: u64, bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool> {
    let (Ok(kind), Some(bytes)) = (i8::try_from(tag as i64), bytes) else {
        return Err(Error::new(ErrorKind::Unsupported, format!("MessagePack cannot hold the tag {tag} of this value"))
            .hint("its extension types are numbers from -128 to 127, and their values are bytes"));
    };
    match bytes.len() {
        len @ (1 | 2 | 4 | 8 | 16) => out.byte(0xd4 + len.ilog2() as u8),
        len => EXTENSIONS.start(len as u64).write(out),
    }
    out.byte(kind as u8);
    Ok(true)
}
