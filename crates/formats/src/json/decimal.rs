//! Decimal text to a double, when the double stands for all that the text says.
//!
//! The usual literal has at most 19 digits and a small exponent. Its digits are read eight at a time; the double nearest
//! to `digits * 10^exponent` is found with one or two multiplications (D. Lemire, "Number parsing at a gigabyte per
//! second", Software: Practice and Experience 51(8), 2021). The same product says how far the double is from the text:
//! whether it is, rounded to as many digits, the text again. Everything else is left to the slow way in `number`.

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

/// The integer at `at` and where it ends, if it has at most 15 digits and nothing behind it that belongs to a number.
/// `-0` is none: it would come back as `0`.
#[inline(always)]
pub(super) fn integer(input: &[u8], at: usize) -> Option<(i64, usize)> {
    let window = input.get(at..)?.first_chunk()?;
    let negative = window[0] == b'-';
    let sign = usize::from(negative);
    let run = Run::read(window, sign);
    let end = sign + run.count;
    let first = window[sign];
    if run.count == 16 || first == b'0' && (run.count > 1 || negative) {
        return None;
    }
    if run.count == 0 || matches!(window[end & (WINDOW - 1)], b'.' | b'e' | b'E') {
        return None;
    }
    let value = run.value as i64;
    Some((if negative { -value } else { value }, at + end))
}

/// The double at `at` and where it ends, if its text has at most 7 digits before the point, 15 behind it and no exponent,
/// and if the double stands for all that the text says.
#[inline(always)]
pub(super) fn double(input: &[u8], at: usize) -> Option<(f64, usize)> {
    let window = input.get(at..)?.first_chunk()?;
    let negative = window[0] == b'-';
    let sign = usize::from(negative);
    let whole = Run::read_few(window, sign)?;
    let point = sign + whole.count;
    if window[sign] == b'0' && whole.count > 1 || window[point] != b'.' {
        return None;
    }
    let fraction = Run::read(window, point + 1);
    let end = point + 1 + fraction.count;
    let count = whole.count + fraction.count;
    if fraction.count == 0 || fraction.count == 16 || count > 19 || matches!(window[end & (WINDOW - 1)], b'e' | b'E') {
        return None;
    }
    let digits = whole.value * TENS_U64[fraction.count] + fraction.value;
    let magnitude = if digits < 1_000_000_000_000_000 {
        // Both are doubles, so one operation rounds correctly; and doubles tell 15 digits apart.
        digits as f64 / TENS[fraction.count]
    } else {
        nearest(digits, -(fraction.count as i32))?
    };
    Some((if negative { -magnitude } else { magnitude }, at + end))
}

/// Bytes that are looked at for a number of the most usual form.
const WINDOW: usize = 32;

/// Digits beside each other, sixteen at most.
struct Run {
    value: u64,
    count: usize,
}

impl Run {
    /// Up to seven digits; there must be one.
    #[inline(always)]
    fn read_few(window: &[u8; WINDOW], at: usize) -> Option<Run> {
        let word = u64::from_le_bytes(*window[at & 1..].first_chunk()?) ^ 0x3030_3030_3030_3030;
        let count = digits_in(word);
        (1..8).contains(&count).then(|| Run { value: leading(word, count), count })
    }

    #[inline(always)]
    fn read(window: &[u8; WINDOW], at: usize) -> Run {
        let word = |at: usize| match window[at & (WINDOW - 1)..].first_chunk() {
            Some(word) => u64::from_le_bytes(*word) ^ 0x3030_3030_3030_3030,
            None => 0,
        };
        let first = word(at);
        let count = digits_in(first);
        if count < 8 {
            return Run { value: leading(first, count), count };
        }
        let second = word(at + 8);
        let more = digits_in(second);
        Run { value: eight(first) * TENS_U64[more] + leading(second, more), count: 8 + more }
    }
}

/// How many bytes of a word, from which the digit 0 was taken, are digits, from the first on.
#[inline(always)]
fn digits_in(word: u64) -> usize {
    // The high bit of each byte that is no digit; above the first such byte, carries may set others.
    let others = (word.wrapping_add(0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080;
    others.trailing_zeros() as usize / 8
}

/// The number that the first `count` digits of a word make.
#[inline(always)]
fn leading(word: u64, count: usize) -> u64 {
    // Zeros come in at the bytes of the first digits.
    eight(word.checked_shl(64 - 8 * count as u32).unwrap_or_default())
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
fn eight(digits: u64) -> u64 {
    const PAIRS: u64 = 0x0000_00ff_0000_00ff;
    let pairs = (digits.wrapping_mul(10)).wrapping_add(digits >> 8);
    let low = (pairs & PAIRS).wrapping_mul(100 + (1_000_000 << 32));
    let high = (pairs >> 16 & PAIRS).wrapping_mul(1 + (10_000 << 32));
    low.wrapping_add(high) >> 32
}

/// Powers of ten up to that of a run.
const TENS_U64: [u64; 17] = {
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
fn nearest(digits: u64, exponent: i32) -> Option<f64> {
    let (high, low) = *FIVES.get(usize::try_from(exponent + MOST).ok()?)?;
    let zeros = digits.leading_zeros();
    let digits = digits << zeros;
    let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
    let mut product = wide(digits, high);
    // Nine bits below the mantissa are ones: what is missing could carry into it.
    if product >> 64 & 0x1ff == 0x1ff {
        product += wide(digits, low) >> 64;
    }
    let top = (product >> 64) as u64;
    let upper = (top >> 63) as u32;
    let shift = upper + 9;
    let mut mantissa = top >> shift;
    // log2(10) * exponent, as in the paper.
    let power = ((217_706 * exponent) >> 16) + 63 + upper as i32 - zeros as i32 + 1023;
    if power <= 0 || power >= 2046 {
        return None;
    }
    if product as u64 == u64::MAX {
        return None;
    }
    // Halfway between two doubles, as far as 64 bits tell: to the even one, or the slow way.
    if product as u64 <= 1 && mantissa & 3 == 1 && mantissa << shift == top {
        return None;
    }
    mantissa = (mantissa + (mantissa & 1)) >> 1;
    if mantissa >> 53 != 0 {
        return None;
    }
    // The text is what the double rounds to, if it is within half a unit of its last digit. The product may be too
    // small by what was left out of the power.
    let half = (u128::from(high) << zeros) / 2;
    let rounded = u128::from(mantissa << (shift + 1)) << 64;
    if rounded.abs_diff(product) + (1 << 65) > half {
        return None;
    }
    Some(f64::from_bits((power as u64) << 52 | mantissa & ((1 << 52) - 1)))
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
        // Rounded up as long as one product is exact: see the paper.
        quotient += (k > 0 && k <= 27) as u128;
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
