//! What CBOR values begin with, in the shortest encoding (RFC 8949, section 4.2.1).

use wirewise_core::Out;

use super::half;
use crate::dynamic::binary::narrow;

/// A major type and its argument.
#[inline]
pub(super) fn head(major: u8, argument: u64, out: &mut Out<'_>) {
    let major = major << 5;
    match argument {
        0..=23 => out.byte(major | argument as u8),
        24..=0xff => out.array([major | 24, argument as u8]),
        0x100..=0xffff => {
            let [a, b] = (argument as u16).to_be_bytes();
            out.array([major | 25, a, b]);
        }
        0x1_0000..=0xffff_ffff => {
            let [a, b, c, d] = (argument as u32).to_be_bytes();
            out.array([major | 26, a, b, c, d]);
        }
        _ => {
            with_u64(major | 27, argument, out);
        }
    }
}

#[inline]
pub(super) fn float64(value: f64, out: &mut Out<'_>) {
    match narrow(value) {
        Some(value) => float32(value, out),
        None => {
            with_u64(0xfb, value.to_bits(), out);
        }
    }
}

#[inline]
pub(super) fn float32(value: f32, out: &mut Out<'_>) {
    match half::from_f32(value) {
        Some(bits) => {
            let [a, b] = bits.to_be_bytes();
            out.array([0xf9, a, b]);
        }
        None => {
            let [a, b, c, d] = value.to_be_bytes();
            out.array([0xfa, a, b, c, d]);
        }
    }
}

#[inline(always)]
fn with_u64(first: u8, value: u64, out: &mut Out<'_>) {
    let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
    out.array([first, a, b, c, d, e, f, g, h]);
}
