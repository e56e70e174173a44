//! Integers as ProtoJSON takes them: `1.0`, `1e5` and `10e-1` are integers too.

use wirewise_core::{Error, Int, Result};

use crate::json::number::name;
use crate::json::scan::Literal;

/// An integer of the given width, as the bits of a cell.
pub(super) fn integer(literal: Literal<'_>, int: Int) -> Result<u64> {
    let what = match exact(literal.text) {
        Exact::Integer(value) if int.holds(value) => return Ok(value as u64),
        Exact::Fraction => "is no",
        _ => "does not fit",
    };
    let shown: String = literal.text.chars().take(40).collect();
    let dots = if literal.text.len() > 40 { "..." } else { "" };
    Err(Error::data(literal.at, format!("{shown}{dots} {what} {}", name(int))))
}

/// What a number is.
#[derive(Debug, PartialEq)]
enum Exact {
    Integer(i128),
    /// An integer of more digits than any of ours.
    Large,
    Fraction,
}

/// The value of a number's text, whose grammar was checked, without rounding.
fn exact(text: &str) -> Exact {
    const MOST_DIGITS: i64 = 20;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let negative = whole.starts_with('-');
    let whole = whole.trim_start_matches(['-', '0']);
    let fraction = fraction.trim_end_matches('0');
    let digits = || whole.bytes().chain(fraction.bytes()).skip_while(|&digit| digit == b'0');
    let count = digits().count() as i64;
    if count == 0 {
        return Exact::Integer(0);
    }
    // The number is its digits times ten to the power of this; one that does not fit is as good as the largest.
    let limit = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    let power = exponent.parse::<i64>().unwrap_or(limit).clamp(i64::MIN / 2, i64::MAX / 2) - fraction.len() as i64;
    let zeros = if fraction.is_empty() { whole.bytes().rev().take_while(|&digit| digit == b'0').count() } else { 0 };
    if power + (zeros as i64) < 0 {
        return Exact::Fraction;
    }
    if count + power > MOST_DIGITS {
        return Exact::Large;
    }
    // At most 20 digits remain: of those behind them all are zeros.
    let kept = digits().take((count + power.min(0)) as usize);
    let value = kept.fold(0i128, |value, digit| value * 10 + i128::from(digit - b'0'));
    let value = value * 10i128.pow(power.max(0) as u32);
    Exact::Integer(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_they_say() {
        for (text, value) in [
            ("0", 0),
            ("-0", 0),
            ("-0.0e5", 0),
            ("0e99999999999999999999", 0),
            ("1", 1),
            ("-1.0", -1),
            ("1e5", 100_000),
            ("1.5E+1", 15),
            ("10e-1", 1),
            ("120.00e-1", 12),
            ("0.001e3", 1),
            ("18446744073709551615", 18_446_744_073_709_551_615),
            ("1.8446744073709551615e19", 18_446_744_073_709_551_615),
            ("-9223372036854775808.000", i128::from(i64::MIN)),
            ("100000000000000000000000000000e-28", 10),
        ] {
            assert_eq!(exact(text), Exact::Integer(value), "{text}");
        }
        for text in ["0.5", "1e-1", "15e-1", "1.05e1", "1e-99999999999999999999", "100e-3"] {
            assert_eq!(exact(text), Exact::Fraction, "{text}");
        }
        for text in ["1e20", "123456789012345678901", "1e99999999999999999999"] {
            assert_eq!(exact(text), Exact::Large, "{text}");
        }
    }
}
