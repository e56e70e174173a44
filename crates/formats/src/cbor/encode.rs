//! What CBOR values begin with, in the shortest encoding (RFC 8949, section 4.2.1).

use super::half;
use crate::dynamic::binary::{Start, Widths, narrow};

/// The last one is for all arguments that are in the first byte.
static ARGUMENTS: Widths =
    Widths::new(&[(1, 0, 0x1f, 0), (8, 24, 0, 1), (16, 25, 0, 2), (32, 26, 0, 4), (64, 27, 0, 8)]);

/// A major type and a length.
#[inline(always)]
pub(super) fn length(major: u8, len: usize) -> Start {
    let start =
        if (24..=0xff).contains(&len) { Start::number(24, len as u64, 1) } else { ARGUMENTS.length(0, 23, len) };
    start.with(major << 5)
}

/// A major type and its argument.
#[inline(always)]
pub(super) fn head(major: u8, argument: u64) -> Start {
    let zeros = if argument < 24 { 63 } else { argument.leading_zeros() as usize };
    ARGUMENTS.at(zeros & 63, argument).with(major << 5)
}

/// The value of a double that is no float, as nearly all are, is told from its last bits.
#[inline(always)]
pub(super) fn float64(value: f64) -> Start {
    let bits = value.to_bits();
    if bits & 0x1fff_ffff != 0 { Start::number(0xfb, bits, 8) } else { short_float64(value) }
}

#[cold]
#[inline(never)]
fn short_float64(value: f64) -> Start {
    match narrow(value) {
        Some(value) => float32(value),
        None => Start::number(0xfb, value.to_bits(), 8),
    }
}

#[cold]
#[inline(never)]
pub(super) fn float32(value: f32) -> Start {
    match half::from_f32(value) {
        Some(bits) => Start::number(0xf9, bits.into(), 2),
        None => Start::number(0xfa, value.to_bits().into(), 4),
    }
}
