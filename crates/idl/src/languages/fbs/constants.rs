//! Numbers and other constants, in every notation of the language.

use std::f64::consts::PI;

/// An integer: decimal or hexadecimal, with or without a sign.
pub(super) fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = sign(text);
    let hex = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hex.map_or((digits, 10), |hex| (hex, 16));
    // What follows a sign must be digits: a second sign would be parsed too.
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok()?;
    Some(if negative { -value } else { value })
}

/// A floating point number: decimal, hexadecimal (`0x1.8p3`), not a number or infinite.
pub(super) fn float(text: &str) -> Option<f64> {
    let (negative, digits) = sign(text);
    let value = match digits {
        "nan" => f64::NAN,
        "inf" | "infinity" => f64::INFINITY,
        _ => match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => hexadecimal(hex)?,
            None if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') => digits.parse().ok()?,
            None => return None,
        },
    };
    Some(if negative { -value } else { value })
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// `1.8p3`: digits, and a power of two.
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let exponent = exponent.saturating_sub(i32::try_from(fraction.len()).ok()?.saturating_mul(4));
    Some(value * 2f64.powi(exponent))
}

/// A function that constants may be made with.
pub(super) fn function(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "deg" => |x| x / PI * 180.0,
        "rad" => |x| x * PI / 180.0,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "asin" => f64::asin,
        "acos" => f64::acos,
        "atan" => f64::atan,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation() {
        let integers = ["0", "-5", "+5", "0x1F", "-0X10", "18446744073709551615"].map(|text| integer(text).unwrap());
        assert_eq!(integers, [0, -5, 5, 31, -16, u64::MAX.into()]);
        for bad in ["", "-", "--5", "1.5", "0x", "12a", "0b11", "99999999999999999999999999999999999999999999"] {
            assert_eq!(integer(bad), None, "{bad}");
        }
        let floats =
            ["1", "-.5", "5.", "1e3", "-inf", "infinity", "0x1.8p3", "0xAp-1"].map(|text| float(text).unwrap());
        assert_eq!(floats, [1.0, -0.5, 5.0, 1000.0, f64::NEG_INFINITY, f64::INFINITY, 12.0, 5.0]);
        assert!(float("-nan").unwrap().is_nan());
        for bad in ["", "-", ".", "1e", "0x", "0x1p", "abc", "1.2.3"] {
            assert_eq!(float(bad), None, "{bad}");
        }
    }
}
