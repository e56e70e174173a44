//! What MessagePack values begin with, in the smallest encoding.

use wirewise_core::{Error, ErrorKind, Result};

#[inline]
pub(super) fn uint(value: u64, out: &mut Vec<u8>) {
    match value {
        0..=0x7f => out.push(value as u8),
        0x80..=0xff => out.extend_from_slice(&[0xcc, value as u8]),
        0x100..=0xffff => with_u16(0xcd, value as u16, out),
        0x1_0000..=0xffff_ffff => with_u32(0xce, value as u32, out),
        _ => with_u64(0xcf, value, out),
    }
}

/// The integer -1 - n.
#[inline]
pub(super) fn negative(n: u64, out: &mut Vec<u8>) -> Result<()> {
    let value = !n;
    match n {
        0..0x20 => out.push(value as u8),
        0x20..0x80 => out.extend_from_slice(&[0xd0, value as u8]),
        0x80..0x8000 => with_u16(0xd1, value as u16, out),
        0x8000..0x8000_0000 => with_u32(0xd2, value as u32, out),
        0x8000_0000..0x8000_0000_0000_0000 => with_u64(0xd3, value, out),
        _ => {
            let value = -1 - i128::from(n);
            return Err(Error::new(ErrorKind::Unsupported, format!("MessagePack integers cannot hold {value}"))
                .hint("they reach from -2^63 to 2^64 - 1"));
        }
    }
    Ok(())
}

#[inline]
pub(super) fn string(len: usize, out: &mut Vec<u8>) {
    match len {
        0..=0x1f => out.push(0xa0 | len as u8),
        0x20..=0xff => out.extend_from_slice(&[0xd9, len as u8]),
        _ => long(0xda, len, out),
    }
}

#[inline]
pub(super) fn bytes(len: usize, out: &mut Vec<u8>) {
    match len {
        0..=0xff => out.extend_from_slice(&[0xc4, len as u8]),
        _ => long(0xc5, len, out),
    }
}

#[inline]
pub(super) fn list(len: usize, out: &mut Vec<u8>) {
    match len {
        0..=0x0f => out.push(0x90 | len as u8),
        _ => long(0xdc, len, out),
    }
}

#[inline]
pub(super) fn map(len: usize, out: &mut Vec<u8>) {
    match len {
        0..=0x0f => out.push(0x80 | len as u8),
        _ => long(0xde, len, out),
    }
}

pub(super) fn extension(tag: u64, bytes: Option<&[u8]>, out: &mut Vec<u8>) -> Result<bool> {
    let (Ok(kind), Some(bytes)) = (i8::try_from(tag as i64), bytes) else {
        return Err(Error::new(ErrorKind::Unsupported, format!("MessagePack cannot hold the tag {tag} of this value"))
            .hint("its extension types are numbers from -128 to 127, and their values are bytes"));
    };
    match bytes.len() {
        len @ (1 | 2 | 4 | 8 | 16) => out.push(0xd4 + len.ilog2() as u8),
        len @ 0..=0xff => out.extend_from_slice(&[0xc7, len as u8]),
        len => long(0xc8, len, out),
    }
    out.push(kind as u8);
    Ok(true)
}

/// A length of 16 bits after `first`, or of 32 bits after the byte that follows it.
fn long(first: u8, len: usize, out: &mut Vec<u8>) {
    match u16::try_from(len) {
        Ok(len) => with_u16(first, len, out),
        Err(_) => with_u32(first + 1, len as u32, out),
    }
}

fn with_u16(first: u8, value: u16, out: &mut Vec<u8>) {
    let [a, b] = value.to_be_bytes();
    out.extend_from_slice(&[first, a, b]);
}

fn with_u32(first: u8, value: u32, out: &mut Vec<u8>) {
    let [a, b, c, d] = value.to_be_bytes();
    out.extend_from_slice(&[first, a, b, c, d]);
}

fn with_u64(first: u8, value: u64, out: &mut Vec<u8>) {
    out.push(first);
    out.extend_from_slice(&value.to_be_bytes());
}
