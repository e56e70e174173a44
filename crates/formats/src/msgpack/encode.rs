//! What MessagePack values begin with, in the smallest encoding.

use wirewise_core::{Error, ErrorKind, Out, Result};

#[inline]
pub(super) fn uint(value: u64, out: &mut Out<'_>) {
    match value {
        0..=0x7f => out.byte(value as u8),
        0x80..=0xff => out.array([0xcc, value as u8]),
        0x100..=0xffff => with_u16(0xcd, value as u16, out),
        0x1_0000..=0xffff_ffff => with_u32(0xce, value as u32, out),
        _ => with_u64(0xcf, value, out),
    }
}

/// The integer -1 - n.
#[inline]
pub(super) fn negative(n: u64, out: &mut Out<'_>) -> Result<()> {
    let value = !n;
    match n {
        0..0x20 => out.byte(value as u8),
        0x20..0x80 => out.array([0xd0, value as u8]),
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
pub(super) fn string(len: usize, out: &mut Out<'_>) {
    match len {
        0..=0x1f => out.byte(0xa0 | len as u8),
        0x20..=0xff => out.array([0xd9, len as u8]),
        _ => long(0xda, len, out),
    }
}

#[inline]
pub(super) fn bytes(len: usize, out: &mut Out<'_>) {
    match len {
        0..=0xff => out.array([0xc4, len as u8]),
        _ => long(0xc5, len, out),
    }
}

#[inline]
pub(super) fn list(len: usize, out: &mut Out<'_>) {
    match len {
        0..=0x0f => out.byte(0x90 | len as u8),
        _ => long(0xdc, len, out),
    }
}

#[inline]
pub(super) fn map(len: usize, out: &mut Out<'_>) {
    match len {
        0..=0x0f => out.byte(0x80 | len as u8),
        _ => long(0xde, len, out),
    }
}

pub(super) fn extension(tag: u64, bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool> {
    let (Ok(kind), Some(bytes)) = (i8::try_from(tag as i64), bytes) else {
        return Err(Error::new(ErrorKind::Unsupported, format!("MessagePack cannot hold the tag {tag} of this value"))
            .hint("its extension types are numbers from -128 to 127, and their values are bytes"));
    };
    match bytes.len() {
        len @ (1 | 2 | 4 | 8 | 16) => out.byte(0xd4 + len.ilog2() as u8),
        len @ 0..=0xff => out.array([0xc7, len as u8]),
        len => long(0xc8, len, out),
    }
    out.byte(kind as u8);
    Ok(true)
}

/// A length of 16 bits after `first`, or of 32 bits after the byte that follows it.
fn long(first: u8, len: usize, out: &mut Out<'_>) {
    match u16::try_from(len) {
        Ok(len) => with_u16(first, len, out),
        Err(_) => with_u32(first + 1, len as u32, out),
    }
}

#[inline(always)]
fn with_u16(first: u8, value: u16, out: &mut Out<'_>) {
    let [a, b] = value.to_be_bytes();
    out.array([first, a, b]);
}

#[inline(always)]
pub(super) fn with_u32(first: u8, value: u32, out: &mut Out<'_>) {
    let [a, b, c, d] = value.to_be_bytes();
    out.array([first, a, b, c, d]);
}

#[inline(always)]
pub(super) fn with_u64(first: u8, value: u64, out: &mut Out<'_>) {
    let [a, b, c, d, e, f, g, h] = value.to_be_bytes();
    out.array([first, a, b, c, d, e, f, g, h]);
}
