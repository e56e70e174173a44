//! What CBOR values begin with, in the shortest encoding (RFC 8949, section 4.2.1).

use super::half;
use crate::dynamic::binary::{Number, Numbers, Start, Widths, narrow};

/// Integers below this are in the first byte.
pub(super) const FEW: u64 = 24;

const fn arguments(major: u8) -> Widths {
    let first = major << 5;
    // The first one is for all that are in the first byte.
    Widths::new(&[
        (1, first, 0x1f, 0),
        (8, first | 24, 0, 1),
        (16, first | 25, 0, 2),
        (32, first | 26, 0, 4),
        (64, first | 27, 0, 8),
    ])
}

static ARGUMENTS: Widths = arguments(0);
static UNSIGNED: Numbers = Numbers::unsigned(&arguments(0));
static SIGNED: Numbers = Numbers::signed(&arguments(0), &arguments(1), true);
static BOOL: Numbers = Numbers::all(0xf4, 1, 0);

/// Floats are of three widths.
pub(super) fn numbers(number: Number) -> Option<&'static Numbers> {
    match number {
        Number::Int => Some(&SIGNED),
        Number::Uint => Some(&UNSIGNED),
        Number::Bool => Some(&BOOL),
        Number::F32 | Number::F64 => None,
    }
}

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
    UNSIGNED.start(argument, FEW).with(major << 5)
}

#[inline(always)]
pub(super) fn int(value: i64) -> Start {
    SIGNED.start(value as u64, FEW)
}

/// The double with these bits: most are known by the last ones to have no shorter form. The width of the others is found
/// without branches, except for infinity, NaN, and what is so small that it would be subnormal as a half or a float.
#[inline(always)]
pub(super) fn usual_double(bits: u64) -> Option<Start> {
    if bits & 0x1fff_ffff != 0 {
        return Some(Start::number(0xfb, bits, 8));
    }
    let magnitude = bits & u64::MAX >> 1;
    let (sign, exponent) = (bits >> 63, magnitude >> 52);
    if magnitude != 0 && !(1023 - 14..0x7ff).contains(&exponent) {
        return None;
    }
    let float = exponent < 1023 + 128;
    let half = (bits & 0x3ff_ffff_ffff == 0) & (exponent < 1023 + 16);
    // Their exponents are less by these; zero stays.
    let wide = if float { sign << 31 | (magnitude >> 29).saturating_sub((1023 - 127) << 23) } else { bits };
    let value = if half { sign << 15 | (magnitude >> 42).saturating_sub((1023 - 15) << 10) } else { wide };
    let shorter = float as u8 + half as u8;
    Some(Start::number(0xfb - shorter, value, 8 >> shorter))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamic::binary::widen;

    #[test]
    fn usual_doubles_are_as_short_as_all() {
        let mut unusual = 0;
        let mut check = |value: f64| {
            for value in [value, -value] {
                match usual_double(value.to_bits()) {
                    Some(start) => assert_eq!(format!("{start:?}"), format!("{:?}", float64(value)), "{value:?}"),
                    None => unusual += 1,
                }
            }
        };
        for bits in 0..=u16::MAX {
            check(half::to_f64(bits));
            check(widen(f32::from_bits(u32::from(bits) << 16)));
            check(widen(f32::from_bits(u32::from(bits) << 16 | 1)));
            check(f64::from_bits(u64::from(bits) << 48));
            check(f64::from_bits(u64::from(bits) << 48 | 1));
        }
        for edge in [65504.0, 65505.0, 65520.0, 65536.0, f64::from(f32::MAX), 2f64.powi(128), f64::MAX, 0.0] {
            check(edge);
        }
        assert!(unusual > 0);
        assert_eq!(
            usual_double(1.5f64.to_bits()).map(|start| format!("{start:?}")),
            Some(format!("{:?}", float64(1.5)))
        );
    }
}
