//! Finding the bytes of a string that mean something, sixteen at a time where the processor can.
//!
//! SSE2 is part of every x86-64 processor, so nothing has to be detected. Longer registers were tried: most strings of
//! real data are shorter than 32 bytes, and for them a call of a function compiled for AVX2 costs more than it saves.

#![allow(unsafe_code)]

/// What ends the plain part of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stop {
    /// Where the first quote, backslash or control character is; the end of the range when it has none.
    pub(super) at: usize,
    /// Whether all before it is ASCII.
    pub(super) ascii: bool,
}

/// Looks for what a JSON string cannot hold as it is in `base[start..end]`.
///
/// # Panics
/// When `base` has no such range.
#[inline(always)]
pub(super) fn special(base: &[u8], start: usize, end: usize) -> Stop {
    assert!(start <= end && end <= base.len());
    #[cfg(target_arch = "x86_64")]
    return blocks::special(base, start, end);
    #[cfg(not(target_arch = "x86_64"))]
    return portable(base, start, end, true);
}

/// Whether a byte has to be escaped.
#[inline(always)]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The same for every processor, eight bytes at a time.
#[inline(always)]
fn portable(base: &[u8], start: usize, end: usize, mut ascii: bool) -> Stop {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let mut at = start;
    while end - at >= 8 {
        let word = u64::from_le_bytes(*base[at..].first_chunk().expect("eight bytes are there"));
        // The high bit of each byte that is below 0x20, a quote or a backslash; above the first such byte, borrows may set others.
        let below = word.wrapping_sub(0x20 * ONES) & !word;
        let zero = |word: u64| word.wrapping_sub(ONES) & !word;
        let found = (below | zero(word ^ (b'"' as u64 * ONES)) | zero(word ^ (b'\\' as u64 * ONES))) & HIGH;
        if found != 0 {
            let len = found.trailing_zeros() / 8;
            ascii &= word & HIGH & ((1 << (8 * len)) - 1) == 0;
            return Stop { at: at + len as usize, ascii };
        }
        ascii &= word & HIGH == 0;
        at += 8;
    }
    while at < end && !is_special(base[at]) {
        ascii &= base[at] < 0x80;
        at += 1;
    }
    Stop { at, ascii }
}

#[cfg(target_arch = "x86_64")]
mod blocks {
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
    };

    use super::{Stop, portable};

    /// As [`super::special`], which has checked the range.
    #[inline(always)]
    pub(super) fn special(base: &[u8], start: usize, end: usize) -> Stop {
        let (mut at, mut high) = (start, 0);
        while base.len() - at >= 16 {
            // SAFETY: sixteen bytes of `base` begin at `at`.
            let block = unsafe { _mm_loadu_si128(base.as_ptr().add(at).cast::<__m128i>()) };
            let (found, not_ascii) = masks(block);
            // What lies behind the range counts as found.
            let found = found | ((end - at < 16) as u32) << ((end - at) & 15);
            if found != 0 {
                let len = found.trailing_zeros();
                high |= not_ascii & ((1 << len) - 1);
                return Stop { at: at + len as usize, ascii: high == 0 };
            }
            high |= not_ascii;
            at += 16;
        }
        if at >= end {
            return Stop { at: end, ascii: high == 0 };
        }
        portable(base, at, end, high == 0)
    }

    /// A bit for each byte that is special, and for each that is not ASCII.
    #[inline(always)]
    fn masks(block: __m128i) -> (u32, u32) {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe {
            let quote = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'"' as i8));
            let backslash = _mm_cmpeq_epi8(block, _mm_set1_epi8(b'\\' as i8));
            let control = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1f)), block);
            let found = _mm_or_si128(_mm_or_si128(quote, backslash), control);
            (_mm_movemask_epi8(found) as u32, _mm_movemask_epi8(block) as u32)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(base: &[u8], start: usize, end: usize) -> Stop {
        let at = base[start..end].iter().position(|&byte| is_special(byte)).map_or(end, |len| start + len);
        Stop { at, ascii: base[start..at].is_ascii() }
    }

    #[test]
    fn finds_the_first_of_every_kind_wherever_it_is() {
        // Miri checks every access, and takes its time.
        let lens = if cfg!(miri) { vec![9, 16, 34] } else { (0..70).collect() };
        for len in lens {
            let text = vec![b'x'; len];
            for at in 0..len {
                for byte in [b'"', b'\\', 0, 0x1f, 0x20, 0x7f, 0x80, 0xff, b'!', b'#', b'[', b']'] {
                    let mut base = text.clone();
                    base[at] = byte;
                    base[len - 1 - at / 2] = 0x83;
                    for (start, end) in [(0, len), (at / 2, len), (at, at + 1), (0, at), (at / 3, len - at / 4)] {
                        if start <= end && end <= len {
                            assert_eq!(special(&base, start, end), plain(&base, start, end), "{base:?} {start} {end}");
                            let portable = portable(&base, start, end, true);
                            assert_eq!(portable, plain(&base, start, end), "{base:?} {start} {end}");
                        }
                    }
                }
            }
        }
    }
}
