//! Numbers between text and binary, exactly or with an error.

use wirewise_core::{Error, Float, Int, LossKind, LossName, Losses, Out, Result, TypeId};

use super::decimal::TENS_U64;
use super::scan::Literal;
use super::simd;

/// Most significant digits that a double, or a float, needs to be told from all others: text with more is no double
/// that somebody printed.
const F64_DIGITS: usize = 17;
const F32_DIGITS: usize = 9;

/// The largest integer up to which every integer is a double.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

/// From here on, or before, floats are printed with an exponent.
const LARGE: f64 = 1e12;

/// An integer of the given width, as the bits of a cell.
pub(super) fn integer(literal: Literal<'_>, int: Int) -> Result<u64> {
    let wrong = |what: String| Err(Error::data(literal.at, what));
    if !literal.integer {
        return wrong(format!("expected {}, found {}", name(int), shorten(literal.text)));
    }
    // "-0" is an integer literal, but no integer: giving back "0" would change it.
    if literal.text == "-0" {
        return wrong(format!("expected {}, found -0", name(int)));
    }
    match literal.text.parse::<i128>() {
        Ok(value) if int.holds(value) => Ok(value as u64),
        _ => wrong(format!("{} does not fit {}", shorten(literal.text), name(int))),
    }
}

/// Whether a value that 18 digits can have is one of this type.
#[inline(always)]
pub(super) fn holds(int: Int, value: i64) -> bool {
    const RANGES: [(i64, i64); 8] = [
        (i8::MIN as i64, i8::MAX as i64),
        (i16::MIN as i64, i16::MAX as i64),
        (i32::MIN as i64, i32::MAX as i64),
        (i64::MIN, i64::MAX),
        (0, u8::MAX as i64),
        (0, u16::MAX as i64),
        (0, u32::MAX as i64),
        (0, i64::MAX),
    ];
    let (min, max) = RANGES[int as usize];
    min <= value && value <= max
}

pub(super) fn name(int: Int) -> String {
    format!("{}int{}", if int.signed() { "" } else { "u" }, int.bits())
}

fn shorten(text: &str) -> String {
    if text.len() > 40 { format!("{}... ({} characters)", &text[..30], text.len()) } else { text.to_owned() }
}

/// A float of the given width, as a double that holds it.
pub(super) fn float(literal: Literal<'_>, float: Float, ty: TypeId, losses: &mut Losses) -> Result<f64> {
    // `str::parse` rounds correctly, so the result is the nearest value.
    let wide: f64 = literal.text.parse().map_err(|_| Error::syntax(literal.at, "not a number"))?;
    let (value, exact) = match float {
        Float::F64 => (wide, is_exact(literal, wide)),
        Float::F32 => {
            let narrow: f32 = literal.text.parse().map_err(|_| Error::syntax(literal.at, "not a number"))?;
            let printed = significant_digits(literal.text) <= F32_DIGITS
                && (has_digits(literal.text, zmij::Buffer::new().format(narrow)) || is_rounded(literal.text, narrow));
            // Other writers print a float as the double that it is.
            (f64::from(narrow), printed || (f64::from(narrow) == wide && is_exact(literal, wide)))
        }
    };
    if value.is_infinite() {
        let what = format!("{} does not fit {}", shorten(literal.text), float_name(float));
        return Err(Error::data(literal.at, what));
    }
    if !exact {
        losses.note(LossKind::Precision, ty, LossName::Name("")).map_err(|error| error.at(literal.at))?;
    }
    Ok(value)
}

pub(super) fn float_name(float: Float) -> &'static str {
    match float {
        Float::F32 => "float32",
        Float::F64 => "float64",
    }
}

/// Whether a double stands for all that the literal says: an integer exactly, a fraction as what the double is when it
/// is printed with that many digits, at most 17. (So `0.10000000000000001`, which older printers write, is 0.1.)
pub(super) fn is_exact(literal: Literal<'_>, value: f64) -> bool {
    if value.is_infinite() || (value == 0.0 && significant_digits(literal.text) > 0) {
        return false;
    }
    let digits = significant_digits(literal.text);
    if literal.integer && digits > 15 {
        return literal.text.parse::<i128>().is_ok_and(|exact| exact == value as i128);
    }
    // Doubles tell all numbers of 15 digits apart, down to where they begin to have fewer.
    let safe = digits <= 15 && (value == 0.0 || value.abs() >= f64::MIN_POSITIVE);
    let shortest = || has_digits(literal.text, zmij::Buffer::new().format(value));
    safe || (digits <= F64_DIGITS && (shortest() || is_rounded(literal.text, value)))
}

/// Whether two literals of the same float have the same digits.
fn has_digits(text: &str, printed: &str) -> bool {
    // Their exponents are equal too: both are near to the float.
    trimmed(text).eq(trimmed(printed))
}

/// Whether the literal is what `value` is when it is rounded to as many digits.
fn is_rounded(text: &str, value: impl std::fmt::LowerExp) -> bool {
    let decimals = trimmed(text).count().saturating_sub(1);
    if has_digits(text, &format!("{value:.decimals$e}")) {
        return true;
    }
    // Halfway between two roundings, where printers do not agree: the float has one digit more, a 5.
    let digits = |text: &str| trimmed(text).fold(0u64, |all, digit| all * 10 + u64::from(digit - b'0'));
    let halfway = format!("{value:.40e}");
    trimmed(&halfway).count() == decimals + 2 && (digits(text) * 10).abs_diff(digits(&halfway)) == 5
}

/// Digits of the mantissa without leading and trailing zeros; 0 for zero.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    // Few literals are long enough to matter.
    if mantissa.len() <= F32_DIGITS {
        return usize::from(mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'))) * mantissa.len();
    }
    trimmed(text).count()
}

/// The digits of the mantissa without leading and trailing zeros.
fn trimmed(text: &str) -> impl Iterator<Item = u8> {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = |c: char| matches!(c, '0' | '.');
    let mantissa = mantissa.trim_start_matches('-').trim_start_matches(is_zero);
    // Zeros at the end of an integer are as good as an exponent.
    mantissa.trim_end_matches(is_zero).bytes().filter(u8::is_ascii_digit)
}

/// Appends a printed float without the plus before an exponent, which says nothing. Only `large` floats have one.
#[inline(always)]
fn write_printed(printed: &str, large: bool, out: &mut Out<'_>) {
    if large {
        printed.split('+').for_each(|part| out.bytes(part.as_bytes()));
    } else {
        out.bytes(printed.as_bytes());
    }
}

/// Appends the shortest text that reads back as the same float; never one that looks like an integer.
#[inline]
pub(super) fn write_f64(value: f64, out: &mut Out<'_>) {
    write_printed(zmij::Buffer::new().format_finite(value), value.abs() >= LARGE, out);
}

/// The same for a float.
pub(super) fn write_f32(value: f32, out: &mut Out<'_>) {
    write_printed(zmij::Buffer::new().format_finite(value), value.abs() >= LARGE as f32, out);
}

/// The same in the style of JavaScript: integral values look like integers (as far as integers are exact).
pub(super) fn write_number(value: f64, out: &mut Out<'_>) {
    if value.trunc() == value && value.abs() <= EXACT {
        if value == 0.0 && value.is_sign_negative() {
            out.array(*b"-0");
        } else {
            write_i64(value as i64, out);
        }
    } else {
        write_f64(value, out);
    }
}

/// Appends an integer.
#[inline(always)]
pub(super) fn write_i64(value: i64, out: &mut Out<'_>) {
    if value < 0 {
        out.byte(b'-');
    }
    write_u64(value.unsigned_abs(), out);
}

/// Appends an integer. No branch depends on how many digits it has, up to sixteen.
#[inline(always)]
pub(super) fn write_u64(value: u64, out: &mut Out<'_>) {
    if value < SIXTEEN {
        let count = count_digits(value);
        // As many zeros behind it as make sixteen digits.
        out.prefix(simd::text(value * TENS_U64[16 - count]), count);
    } else {
        write_long(value, out);
    }
}

#[inline(never)]
fn write_long(value: u64, out: &mut Out<'_>) {
    write_u64(value / SIXTEEN, out);
    out.array(simd::text(value % SIXTEEN));
}

/// The first number with more than sixteen digits.
const SIXTEEN: u64 = 10_000_000_000_000_000;

/// How many digits a number below 10^16 has; zero has one.
#[inline(always)]
fn count_digits(value: u64) -> usize {
    // log10(2) of the bits is the count, or one less.
    let bits = 64 - (value | 1).leading_zeros();
    let count = ((bits * 1233) >> 12) as usize;
    count + usize::from((value | 1) >= TENS_U64[count])
}

#[cfg(test)]
mod tests {
    use wirewise_core::{ErrorKind, TypeId};

    use super::*;

    fn parse(text: &str, width: Float) -> Result<f64> {
        let integer = !text.contains(['.', 'e', 'E']);
        float(Literal { text, at: 0, integer }, width, TypeId::from_index(0), &mut Losses::none())
    }

    #[test]
    fn a_float_that_the_literal_does_not_print_is_a_loss() {
        for (text, width) in [
            ("9007199254740993.0", Float::F64),
            ("1.23456789e-320", Float::F64),
            ("2.4703282292062328e-324", Float::F64),
            ("1e-400", Float::F64),
            ("0.1234567890123456789", Float::F64),
            ("9007199254740993", Float::F64),
            ("16777217", Float::F32),
            ("16777217.0", Float::F32),
            ("1e-60", Float::F32),
            ("1.23456e-45", Float::F32),
            ("3.14159265", Float::F32),
            ("0.5000000000000000000000001", Float::F32),
        ] {
            let error = parse(text, width).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Loss(LossKind::Precision), "{text}");
        }
    }

    #[test]
    fn a_float_that_somebody_printed_is_exact() {
        for (text, value) in [
            ("0", 0.0),
            ("0.000", 0.0),
            ("0.1", 0.1),
            ("0.10000000000000001", 0.1),
            ("-65.613616999999977", -65.613_616_999_999_98),
            ("100000000000000000000000", 1e23),
            ("1e23", 1e23),
            ("5e-324", 5e-324),
            ("4.9406564584124654e-324", 5e-324),
            ("1.2347e-320", 1.2347e-320),
            ("1.7976931348623157E+308", f64::MAX),
            ("2.2250738585072014e-308", f64::MIN_POSITIVE),
            ("9.9999999999999992e22", 1e23),
        ] {
            assert_eq!(parse(text, Float::F64).unwrap().to_bits(), f64::to_bits(value), "{text}");
        }
        for (text, value) in [
            ("0.1", 0.1f32),
            ("0.10000000149011612", 0.1),
            ("0.100000001", 0.1),
            ("16777216", 16_777_216.0),
            ("1e-45", 1e-45),
            ("3.4028235e38", f32::MAX),
        ] {
            assert_eq!(parse(text, Float::F32).unwrap().to_bits(), f64::from(value).to_bits(), "{text}");
        }
    }

    #[test]
    fn integers_are_written_as_the_standard_library_does() {
        let mut value = 1u64;
        let mut numbers = vec![0, u64::MAX, i64::MIN as u64];
        for i in 0..20_000u64 {
            value = value.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            numbers.extend([value >> (i % 64), i * 5003]);
        }
        numbers.extend((0..20).flat_map(|power| [10u64.pow(power) - 1, 10u64.pow(power), 10u64.pow(power) + 1]));
        for number in numbers {
            let mut out = Vec::new();
            write_u64(number, &mut Out::new(&mut out));
            assert_eq!(String::from_utf8(out.clone()).unwrap(), number.to_string());
            out.clear();
            write_i64(number as i64, &mut Out::new(&mut out));
            assert_eq!(String::from_utf8(out).unwrap(), (number as i64).to_string());
        }
    }

    #[test]
    fn every_float_comes_back_however_it_is_printed() {
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let (wide, narrow) = (f64::from_bits(bits), f32::from_bits((bits >> 32) as u32));
            let mut text = Vec::new();
            if wide.is_finite() {
                write_f64(wide, &mut Out::new(&mut text));
                for text in [String::from_utf8(text.clone()).unwrap(), format!("{wide:.16e}"), format!("{wide:e}")] {
                    let parsed = parse(&text, Float::F64).map(f64::to_bits);
                    assert_eq!(parsed.ok(), Some(wide.to_bits()), "{text}");
                }
            }
            text.clear();
            if narrow.is_finite() {
                write_f32(narrow, &mut Out::new(&mut text));
                let double = f64::from(narrow);
                for text in [String::from_utf8(text).unwrap(), format!("{narrow:.8e}"), format!("{double:e}")] {
                    let parsed = parse(&text, Float::F32).map(f64::to_bits);
                    assert_eq!(parsed.ok(), Some(double.to_bits()), "{text}");
                }
            }
        }
    }
}
