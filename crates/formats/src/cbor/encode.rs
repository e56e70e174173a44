//! What CBOR values begin with, in the shortest encoding (RFC 8949, section 4.2.1).

use super::half;
use crate::dynamic::binary::narrow;

/// A major type and its argument.
#[inline]
pub(super) fn head(major: u8, argument: u64, out: &mut Vec<u8>) {
    let major = major << 5;
    match argument {
        0..=23 => out.push(major | argument as u8),
        24..=0xff => out.extend_from_slice(&[major | 24, argument as u8]),
        0x100..=0xffff => {
            let [a, b] = (argument as u16).to_be_bytes();
            out.extend_from_slice(&[major | 25, a, b]);
        }
        0x1_0000..=0xffff_ffff => {
            let [a, b, c, d] = (argument as u32).to_be_bytes();
            out.extend_from_slice(&[major | 26, a, b, c, d]);
        }
        _ => {
            out.push(major | 27);
            out.extend_from_slice(&argument.to_be_bytes());
        }
    }
}

#[inline]
pub(super) fn float64(value: f64, out: &mut Vec<u8>) {
    match narrow(value) {
        Some(value) => float32(value, out),
        None => {
            out.push(0xfb);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}

#[inline]
pub(super) fn float32(value: f32, out: &mut Vec<u8>) {
    match half::from_f32(value) {
        Some(bits) => {
            let [a, b] = bits.to_be_bytes();
            out.extend_from_slice(&[0xf9, a, b]);
        }
        None => {
            out.push(0xfa);
            out.extend_from_slice(&value.to_be_bytes());
        }
    }
}
