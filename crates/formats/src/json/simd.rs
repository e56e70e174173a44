//! Finding the bytes of a string that mean something, and digits, sixteen at a time where the processor can.
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

/// A bit for each byte that is a digit.
#[inline(always)]
pub(super) fn digits_in(block: &[u8; 16]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    return blocks::digits_in(block);
    #[cfg(not(target_arch = "x86_64"))]
    return portable_digits_in(block);
}

/// The number that the last `count` bytes make, which are digits.
///
/// # Panics
/// When there are not as many.
#[inline(always)]
pub(super) fn sixteen(block: &[u8; 16], count: usize) -> u64 {
    // What takes the digits from their bytes, and nothing from those before.
    const MASKS: [u8; 32] = {
        let mut masks = [0; 32];
        let mut i = 16;
        while i < 32 {
            masks[i] = 0x0f;
            i += 1;
        }
        masks
    };
    let mask = MASKS[count..].first_chunk().expect("sixteen digits at most");
    #[cfg(target_arch = "x86_64")]
    return blocks::sixteen(block, mask);
    #[cfg(not(target_arch = "x86_64"))]
    return portable_sixteen(block, mask);
}

/// A number below 10^16 as sixteen digits.
#[inline(always)]
pub(super) fn text(value: u64) -> [u8; 16] {
    const EIGHT: u64 = 100_000_000;
    debug_assert!(value < EIGHT * EIGHT);
    let (first, last) = (value / EIGHT, value % EIGHT);
    #[cfg(target_arch = "x86_64")]
    return blocks::text(first, last);
    #[cfg(not(target_arch = "x86_64"))]
    return portable_text(first, last);
}

/// Whether nothing in `base[start..start + len]` has to be escaped. Texts of up to 64 bytes are looked at without a loop.
///
/// # Panics
/// When `base` has no such range.
#[inline(always)]
pub(super) fn is_plain(base: &[u8], start: usize, len: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    if let Some(plain) = blocks::is_plain(base, start, len) {
        return plain;
    }
    special(base, start, start + len).at == start + len
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_text(first: u64, last: u64) -> [u8; 16] {
    // Halves, pairs and digits are split in all parts of a word at once, with multiplications for the divisions.
    let [first, last] = [first, last].map(|value| {
        let halves = (value / 10_000) | ((value % 10_000) << 32);
        let hundreds = (halves * 10_486) >> 20 & 0x0000_007f_0000_007f;
        let pairs = (halves - 100 * hundreds) << 16 | hundreds;
        let tens = (pairs * 103) >> 10 & 0x000f_000f_000f_000f;
        ((pairs - 10 * tens) << 8 | tens) + 0x3030_3030_3030_3030
    });
    (u128::from(last) << 64 | u128::from(first)).to_le_bytes()
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn halves(block: &[u8; 16]) -> [u64; 2] {
    let word = u128::from_le_bytes(*block);
    [word as u64, (word >> 64) as u64]
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_digits_in(block: &[u8; 16]) -> u32 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let [low, high] = halves(block).map(|word| {
        let word = word ^ 0x3030_3030_3030_3030;
        let digits = !(((word & LOW) + 0x7676_7676_7676_7676) | word) & !LOW;
        // Each byte's high bit goes to its place in the highest byte.
        ((digits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    });
    low | high << 8
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_sixteen(block: &[u8; 16], mask: &[u8; 16]) -> u64 {
    let (digits, masks) = (halves(block), halves(mask));
    let [first, last] = [0, 1].map(|half| super::decimal::eight(digits[half] & masks[half]));
    first * 100_000_000 + last
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
        __m128i, _mm_add_epi8, _mm_add_epi16, _mm_and_si128, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_loadu_si128,
        _mm_madd_epi16, _mm_min_epu8, _mm_movemask_epi8, _mm_mul_epu32, _mm_mulhi_epu16, _mm_mullo_epi16, _mm_or_si128,
        _mm_packs_epi32, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32, _mm_set1_epi64x,
        _mm_slli_epi16, _mm_slli_epi32, _mm_slli_epi64, _mm_srli_epi16, _mm_srli_epi64, _mm_storeu_si128, _mm_sub_epi8,
        _mm_sub_epi16, _mm_sub_epi32,
    };

    use super::{Stop, portable};

    /// As [`super::special`], which has checked the range.
    #[inline(always)]
    pub(super) fn special(base: &[u8], start: usize, end: usize) -> Stop {
        let (mut at, mut high) = (start, 0);
        // Most texts end within 32 bytes: no branch depends on where.
        while base.len() - at >= 32 {
            // SAFETY: 32 bytes of `base` begin at `at`.
            let (low, high_half) = unsafe {
                let block = base.as_ptr().add(at).cast::<__m128i>();
                (masks(_mm_loadu_si128(block)), masks(_mm_loadu_si128(block.add(1))))
            };
            let (found, not_ascii) = (low.0 | high_half.0 << 16, low.1 | high_half.1 << 16);
            // What lies behind the range counts as found.
            let found = found | ((end - at < 32) as u32) << ((end - at) & 31);
            if found != 0 {
                let len = found.trailing_zeros();
                high |= not_ascii & ((1 << len) - 1);
                return Stop { at: at + len as usize, ascii: high == 0 };
            }
            high |= not_ascii;
            at += 32;
        }
        if base.len() - at >= 16 {
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

    #[inline(always)]
    pub(super) fn digits_in(block: &[u8; 16]) -> u32 {
        // SAFETY: every x86-64 processor has SSE2, and the load needs no alignment.
        unsafe {
            let block = _mm_loadu_si128(block.as_ptr().cast());
            let digits = _mm_sub_epi8(block, _mm_set1_epi8(b'0' as i8));
            let found = _mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits);
            _mm_movemask_epi8(found) as u32
        }
    }

    /// Pairs of digits, then of pairs, then of those are put together in all lanes at once.
    #[inline(always)]
    pub(super) fn sixteen(block: &[u8; 16], mask: &[u8; 16]) -> u64 {
        // SAFETY: every x86-64 processor has SSE2, and the loads need no alignment.
        let eights = unsafe {
            let digits = _mm_and_si128(_mm_loadu_si128(block.as_ptr().cast()), _mm_loadu_si128(mask.as_ptr().cast()));
            let tens = _mm_mullo_epi16(_mm_and_si128(digits, _mm_set1_epi16(0xff)), _mm_set1_epi16(10));
            let pairs = _mm_add_epi16(tens, _mm_srli_epi16(digits, 8));
            let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
            let fours = _mm_packs_epi32(fours, fours);
            _mm_cvtsi128_si64(_mm_madd_epi16(fours, _mm_set1_epi32(10_000 | 1 << 16))) as u64
        };
        (eights & 0xffff_ffff) * 100_000_000 + (eights >> 32)
    }

    /// Fours of digits, then pairs, then digits are split in all lanes at once: multiplications do for the divisions.
    #[inline(always)]
    pub(super) fn text(first: u64, last: u64) -> [u8; 16] {
        let mut text = [0; 16];
        // SAFETY: every x86-64 processor has SSE2, and the store needs no alignment.
        unsafe {
            let eights = _mm_set_epi64x(last as i64, first as i64);
            let high = _mm_srli_epi64(_mm_mul_epu32(eights, _mm_set1_epi64x(0xd1b7_1759)), 45);
            let low = _mm_sub_epi32(eights, _mm_mul_epu32(high, _mm_set1_epi64x(10_000)));
            let fours = _mm_or_si128(high, _mm_slli_epi64(low, 32));
            let high = _mm_srli_epi16(_mm_mulhi_epu16(fours, _mm_set1_epi16(5243)), 3);
            let low = _mm_sub_epi16(fours, _mm_mullo_epi16(high, _mm_set1_epi16(100)));
            let pairs = _mm_or_si128(high, _mm_slli_epi32(low, 16));
            let high = _mm_mulhi_epu16(pairs, _mm_set1_epi16(6554));
            let low = _mm_sub_epi16(pairs, _mm_mullo_epi16(high, _mm_set1_epi16(10)));
            let digits = _mm_or_si128(high, _mm_slli_epi16(low, 8));
            _mm_storeu_si128(text.as_mut_ptr().cast(), _mm_add_epi8(digits, _mm_set1_epi8(b'0' as i8)));
        }
        text
    }

    /// As [`super::is_plain`], if the text is short and `base` goes on long enough.
    #[inline(always)]
    pub(super) fn is_plain(base: &[u8], start: usize, len: usize) -> Option<bool> {
        let rest = base.get(start..)?;
        let found = |block: &[u8; 16]| {
            // SAFETY: the load needs no alignment.
            u64::from(masks(unsafe { _mm_loadu_si128(block.as_ptr().cast()) }).0)
        };
        if len <= 32 {
            let (blocks, _) = rest.first_chunk::<32>()?.as_chunks();
            return Some((found(&blocks[0]) | found(&blocks[1]) << 16) & ((1 << len) - 1) == 0);
        }
        if len <= 64 {
            let (blocks, _) = rest.first_chunk::<64>()?.as_chunks();
            let (low, high) =
                (found(&blocks[0]) | found(&blocks[1]) << 16, found(&blocks[2]) | found(&blocks[3]) << 16);
            return Some((low | high << 32) << (64 - len) == 0);
        }
        None
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
    fn digits_are_found_and_put_together() {
        let mut bits = 0x2545_F491_4F6C_DD1Du64;
        for _ in 0..if cfg!(miri) { 50 } else { 5000 } {
            let mut block = [0; 16];
            for byte in &mut block {
                bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
                *byte = (bits >> 56) as u8;
            }
            let digits =
                |block: &[u8; 16]| (0..16).filter(|&at| block[at].is_ascii_digit()).map(|at| 1 << at).sum::<u32>();
            assert_eq!((digits_in(&block), portable_digits_in(&block)), (digits(&block), digits(&block)), "{block:x?}");
            let near = block.map(|byte| b'0' - 1 + byte % 12);
            assert_eq!((digits_in(&near), portable_digits_in(&near)), (digits(&near), digits(&near)), "{near:x?}");
            let count = (bits >> 30) as usize % 17;
            for byte in &mut block[16 - count..] {
                *byte = b'0' + *byte % 10;
            }
            let value = block[16 - count..].iter().fold(0, |value, byte| value * 10 + u64::from(byte - b'0'));
            let mask: [u8; 16] = std::array::from_fn(|at| if at < 16 - count { 0 } else { 0x0f });
            {
                let number = text(value);
                assert_eq!(number[16 - count..], block[16 - count..], "{value}");
                assert!(number[..16 - count].iter().all(|&byte| byte == b'0'), "{value}");
                assert_eq!(number, portable_text(value / 100_000_000, value % 100_000_000));
            }
            assert_eq!((sixteen(&block, count), portable_sixteen(&block, &mask)), (value, value), "{block:x?} {count}");
        }
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
                            assert_eq!(is_plain(&base, start, end - start), plain(&base, start, end).at == end);
                            let portable = portable(&base, start, end, true);
                            assert_eq!(portable, plain(&base, start, end), "{base:?} {start} {end}");
                        }
                    }
                }
            }
        }
    }
}
