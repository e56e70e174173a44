//! Decimal text to a double, when the double stands for all that the text says.
//!
//! The usual literal has at most 19 digits and a small exponent. Its digits are read eight at a time; the double nearest
//! to `digits * 10^exponent` is found with one or two multiplications (D. Lemire, "Number parsing at a gigabyte per
//! second", Software: Practice and Experience 51(8), 2021). The same product says how far the double is from the text:
//! whether it is, rounded to as many digits, the text again. Everything else is left to the slow way in `number`.

use super::simd::{digits_in, sixteen};

/// A literal: `digits * 10^exponent`, negated or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Decimal {
    pub(super) negative: bool,
    pub(super) digits: u64,
    pub(super) exponent: i32,
    /// Whether it has neither fraction nor exponent.
    pub(super) integer: bool,
    /// Where it ends in the input.
    pub(super) end: usize,
}

/// Reads the number at `at`, if it has the usual form; the grammar is checked as far as it goes.
#[inline(never)]
pub(super) fn scan(input: &[u8], at: usize) -> Option<Decimal> {
    scan_any(input, at)
}

/// The integer at `at` and where it ends, if it has at most 16 characters and is not at the start of the input. What
/// follows is not looked at: it may be more of the number. `-0` is none: it would come back as `0`.
///
/// No branch depends on how many digits there are: the sixteen bytes that end with the last digit are read again.
#[inline(always)]
pub(super) fn integer(input: &[u8], at: usize) -> Option<(i64, usize)> {
    let window = input.get(at..)?.first_chunk()?;
    let negative = window[0] == b'-';
    let len = (!(digits_in(window) | u32::from(negative))).trailing_zeros() as usize;
    let end = at + len;
    let count = len - usize::from(negative);
    let zero_first = window[usize::from(negative)] == b'0' && len > 1;
    if count == 0 || zero_first || end < 16 {
        return None;
    }
    let value = digits_before(input, end, count) as i64;
    Some((if negative { -value } else { value }, end))
}

/// The same for more digits, as far as they fit.
#[inline(never)]
pub(super) fn long_integer(input: &[u8], at: usize) -> Option<(i64, usize)> {
    let decimal = scan(input, at)?;
    Some((decimal.integer()?, decimal.end))
}

/// The double at `at` and where it ends, if its text has at most 8 digits before the point, 16 behind it and no exponent,
/// and if the double stands for all that the text says. What follows is not looked at.
#[inline(always)]
pub(super) fn double(input: &[u8], at: usize) -> Option<(f64, usize)> {
    let window: &[u8; 32] = input.get(at..)?.first_chunk()?;
    let (low, high) = (window.first_chunk().expect("half of it"), window.last_chunk().expect("half of it"));
    let negative = window[0] == b'-';
    let sign = usize::from(negative);
    let digits = digits_in(low) | digits_in(high) << 16 | u32::from(negative);
    let point = (!digits).trailing_zeros() as usize & 31;
    let len = (!(digits | 1 << point)).trailing_zeros() as usize;
    let (whole, fraction) = (point.wrapping_sub(sign), len - point - 1);
    if window[point] != b'.' || !(1..=8).contains(&whole) || !(1..=16).contains(&fraction) {
        return None;
    }
    let end = at + len;
    let zero_first = window[sign] == b'0' && whole > 1;
    if zero_first || whole + fraction > 19 || end < 16 {
        return None;
    }
    let first = u64::from_le_bytes(*window[sign..].first_chunk()?) & 0x0f0f_0f0f_0f0f_0f0f;
    let digits = eight(first << (64 - 8 * whole)) * TENS_U64[fraction] + digits_before(input, end, fraction);
    let magnitude = if digits < 1_000_000_000_000_000 {
        // Both are doubles, so one operation rounds correctly; and doubles tell 15 digits apart.
        digits as f64 / TENS[fraction]
    } else {
        nearest(digits, -(fraction as i32))?
    };
    // Without a branch: nobody can tell which coordinates are negative.
    Some((f64::from_bits(magnitude.to_bits() | u64::from(negative) << 63), end))
}

/// Whether nothing at `end` can belong to a number that was read up to there.
#[inline(always)]
pub(super) fn ends(input: &[u8], end: usize) -> bool {
    !matches!(input.get(end), Some(b'0'..=b'9' | b'.' | b'e' | b'E'))
}

/// The number that the last `count` digits before `end` make, sixteen at most. There must be as many bytes.
#[inline(always)]
fn digits_before(input: &[u8], end: usize, count: usize) -> u64 {
    sixteen(input[..end].last_chunk().expect("sixteen bytes come before"), count)
}

/// Inlined once, into [`scan`].
#[inline(always)]
fn scan_any(input: &[u8], at: usize) -> Option<Decimal> {
    let negative = input.get(at) == Some(&b'-');
    let mut pos = at + usize::from(negative);
    let first = *input.get(pos)?;
    let (mut digits, mut count) = (0, 0);
    read_digits(input, &mut pos, &mut digits, &mut count);
    if count == 0 || first == b'0' && count > 1 {
        return None;
    }
    let (mut exponent, mut integer) = (0, true);
    if input.get(pos) == Some(&b'.') {
        pos += 1;
        let before = count;
        read_digits(input, &mut pos, &mut digits, &mut count);
        if count == before {
            return None;
        }
        exponent = before as i32 - count as i32;
        integer = false;
    }
    // With more digits than these the value may have wrapped around; zeros in front are no digits.
    if count > 19 {
        let text = input[at..pos].iter().filter(|byte| byte.is_ascii_digit());
        let zeros = text.take_while(|&&digit| digit == b'0').count();
        if count - zeros as u32 > 19 || input.get(pos).is_some_and(u8::is_ascii_digit) {
            return None;
        }
    }
    if let Some(b'e' | b'E') = input.get(pos) {
        pos += 1;
        let sign = input.get(pos).copied();
        pos += usize::from(matches!(sign, Some(b'+' | b'-')));
        let start = pos;
        let mut power = 0;
        while let Some(digit @ b'0'..=b'9') = input.get(pos) {
            power = power * 10 + i32::from(digit - b'0');
            pos += 1;
            if pos - start > 4 {
                return None;
            }
        }
        if pos == start {
            return None;
        }
        exponent += if sign == Some(b'-') { -power } else { power };
        integer = false;
    }
    Some(Decimal { negative, digits, exponent, integer, end: pos })
}

/// Reads digits, as many as there are; the value wraps around when they are too many.
#[inline(always)]
fn read_digits(input: &[u8], pos: &mut usize, value: &mut u64, count: &mut u32) {
    while let Some(chunk) = input.get(*pos..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*chunk) ^ 0x3030_3030_3030_3030;
        // The high bit of each byte that is no digit; above the first such byte, carries may set others.
        let other = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
        let len = other.trailing_zeros() / 8;
        if len == 8 {
            *value = value.wrapping_mul(100_000_000).wrapping_add(eight(word));
        } else if len > 0 {
            // Zeros come in at the bytes of the first digits.
            *value = value.wrapping_mul(TENS_U64[len as usize]).wrapping_add(eight(word << (64 - 8 * len)));
        }
        *pos += len as usize;
        *count += len;
        if len < 8 || *count > 100 {
            return;
        }
    }
    while let Some(digit @ b'0'..=b'9') = input.get(*pos) {
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        *pos += 1;
        *count += 1;
    }
}

/// The number that eight digits make, the first of them in the lowest byte.
#[inline(always)]
pub(super) fn eight(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = (digits.wrapping_mul(10)).wrapping_add(digits >> 8);
    let low = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let high = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    low.wrapping_add(high) >> 32
}

/// Powers of ten up to that of a run.
pub(super) const TENS_U64: [u64; 17] = {
    let mut table = [1; 17];
    let mut i = 1;
    while i < 17 {
        table[i] = table[i - 1] * 10;
        i += 1;
    }
    table
};

impl Decimal {
    /// The integer that it is, if it is one below 10^18. `-0` is none: it would come back as `0`.
    #[inline(always)]
    pub(super) fn integer(&self) -> Option<i64> {
        let small = self.integer && self.digits < 1_000_000_000_000_000_000 && !(self.negative && self.digits == 0);
        small.then(|| if self.negative { -(self.digits as i64) } else { self.digits as i64 })
    }

    /// The double that stands for it: the nearest one, if the text is that double printed with as many digits. `None`
    /// when it is not, or when finding out takes longer.
    #[inline(always)]
    pub(super) fn float(&self) -> Option<f64> {
        let magnitude = if self.digits < 1_000_000_000_000_000 && (-22..=22).contains(&self.exponent) {
            // Both are doubles, so one operation rounds correctly; and doubles tell 15 digits apart.
            let power = TENS[self.exponent.unsigned_abs() as usize];
            if self.exponent < 0 { self.digits as f64 / power } else { self.digits as f64 * power }
        } else {
            // An integer is exact only if the double is that integer.
            if self.integer || self.digits == 0 {
                return None;
            }
            nearest(self.digits, self.exponent)?
        };
        Some(if self.negative { -magnitude } else { magnitude })
    }
}

/// The double nearest to `digits * 10^exponent`, if that is what it rounds to with as many digits.
#[inline(always)]
fn nearest(digits: u64, exponent: i32) -> Option<f64> {
    let &(high, low) = FIVES.get(usize::try_from(exponent + MOST).ok()?)?;
    let zeros = digits.leading_zeros();
    let digits = digits << zeros;
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    // The power is less than one off in its last bit, and what is below the product is cut off: so the product is less
    // than two off.
    let product = wide(digits, high) + (wide(digits, low) >> 64);
    let top = (product >> 64) as u64;
    let upper = (top >> 63) as u32;
    let shift = upper + 9;
    // log2(10) * exponent, as in the paper.
    let power = ((217_706 * exponent) >> 16) + 63 + upper as i32 - zeros as i32 + 1023;
    if power <= 0 || power >= 2046 {
        return None;
    }
    // Halfway between two doubles, as far as the product can tell.
    if (product as u64).wrapping_add(2) <= 4 {
        let half = 1 << (shift + 64);
        if (product & (2 * half - 1)).abs_diff(half) <= 2 {
            return None;
        }
    }
    let mantissa = ((top >> shift) + 1) >> 1;
    // The text is what the double rounds to, if it is within half a unit of its last digit. Twenty bits below the top
    // word are enough to tell; those above the difference do not matter.
    let difference = ((product >> 44) as u64).wrapping_sub(mantissa << (shift + 21)) as i64;
    if zeros < 45 && difference.unsigned_abs() + 2 > high >> (45 - zeros) {
        return None;
    }
    // The mantissa's highest bit adds one to the exponent; two, if it was rounded up to the next power of two.
    Some(f64::from_bits(((power as u64 - 1) << 52) + mantissa))
}

/// Powers of ten that are doubles.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The largest power of five in the table: twice it, and all up to it, fit 128 bits.
const MOST: i32 = 54;

/// The 128 most significant bits of 5^-MOST to 5^MOST.
static FIVES: [(u64, u64); 2 * MOST as usize + 1] = {
    let mut table = [(0, 0); 2 * MOST as usize + 1];
    let (mut k, mut five) = (0, 1u128);
    while k <= MOST as usize {
        let up = five << five.leading_zeros();
        table[MOST as usize + k] = ((up >> 64) as u64, up as u64);
        // 2^(127 + bits) / 5^k, bit by bit.
        let bits = 128 - (five - 1).leading_zeros();
        let (mut quotient, mut rest, mut i) = (0u128, 1 % five, 0);
        while i < 127 + bits {
            rest *= 2;
            quotient *= 2;
            if rest >= five {
                rest -= five;
                quotient += 1;
            }
            i += 1;
        }
        if k > 0 {
            table[MOST as usize - k] = ((quotient >> 64) as u64, quotient as u64);
        }
        five *= 5;
        k += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Decimal> {
        scan(text.as_bytes(), 0).filter(|decimal| decimal.end == text.len())
    }

    /// What is taken is what the standard library takes, and the text of that double; also beside other bytes.
    fn check(text: &str) -> bool {
        let expected: f64 = text.parse().unwrap();
        let inside = format!("{text}, 12345678901234567890");
        let found = scan(inside.as_bytes(), 0).filter(|decimal| decimal.end == text.len());
        assert_eq!(parse(text), found, "{text}");
        let Some(value) = found.and_then(|decimal| decimal.float()) else { return false };
        assert_eq!(value.to_bits(), expected.to_bits(), "{text}");
        true
    }

    #[test]
    fn doubles_printed_in_any_way_are_read_the_fast_way() {
        let mut bits = 0x2545_F491_4F6C_DD1Du64;
        let (mut taken, mut all) = (0, 0);
        for _ in 0..50_000 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            // Exponents as people have them.
            let value = (bits >> 11) as f64 * 2f64.powi((bits % 97) as i32 - 90);
            for text in [format!("{value}"), format!("{value:e}"), format!("-{value:.16e}"), format!("{value:.7}")] {
                if text.contains(['.', 'e']) {
                    taken += usize::from(check(&text));
                    all += 1;
                }
            }
        }
        // The others lie halfway between two texts of so many digits.
        assert!(taken * 100 > all * 90, "{taken} of {all}");
    }

    #[test]
    fn the_awkward_ones_are_right_or_left_alone() {
        for text in [
            "0.1",
            "0.0",
            "-0.0",
            "1e23",
            "9007199254740993.0",
            "8.5",
            "1e-400",
            "5e-324",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "0.10000000000000001",
            "9.9999999999999992e22",
            "0.30000000000000004",
            "123456789012345678.5",
            "1.00000000000000022204",
            "4503599627370496.5",
            "4503599627370497.5",
            "9007199254740992.5",
            "1448997445238699e-22",
            "2.4703282292062328e-324",
            "3.0e-50",
            "179769313486231580793e10",
        ] {
            check(text);
        }
        for (text, value) in [
            ("0", Some(0)),
            ("-0", None),
            ("-17", Some(-17)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("1000000000000000000", None),
            ("1.0", None),
            ("1e3", None),
        ] {
            assert_eq!(parse(text).and_then(|decimal| decimal.integer()), value, "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "1e+", "-a", "12345678901234567890123", "1e99999"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_with_more_digits_than_its_double_is_left_alone() {
        for text in ["0.12345678901234568901", "9007199254740993.0", "0.1234567890123456789", "1.23456789012345678e5"] {
            let exact = parse(text).and_then(|decimal| decimal.float());
            let printed = exact.map(|value| format!("{value}"));
            assert!(printed.is_none_or(|printed| printed == text), "{text}");
        }
    }
}
