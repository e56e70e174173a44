//! Numbers between text and binary, exactly or with an error.

use wirewise_core::{Error, Float, Int, LossKind, LossName, Losses, Result, TypeId};

use super::scan::Literal;

/// Most significant digits that a double, or a float, needs to be told from all others: text with more is no double
/// that somebody printed.
const F64_DIGITS: usize = 17;
const F32_DIGITS: usize = 9;

/// The largest integer up to which every integer is a double.
pub(super) const EXACT: f64 = 9_007_199_254_740_992.0;

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
            (f64::from(narrow), significant_digits(literal.text) <= F32_DIGITS || f64::from(narrow) == wide)
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

/// Whether a double stands for all that the literal says: an integer exactly, a fraction to 17 digits.
pub(super) fn is_exact(literal: Literal<'_>, value: f64) -> bool {
    if value.is_infinite() || (value == 0.0 && significant_digits(literal.text) > 0) {
        return false;
    }
    let digits = significant_digits(literal.text);
    if literal.integer && digits > 15 {
        return literal.text.parse::<i128>().is_ok_and(|exact| exact == value as i128);
    }
    digits <= F64_DIGITS
}

/// Digits of the mantissa without leading and trailing zeros; 0 for zero.
fn significant_digits(text: &str) -> usize {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    // Few literals are long enough to matter.
    if mantissa.len() <= F32_DIGITS {
        return usize::from(mantissa.bytes().any(|b| matches!(b, b'1'..=b'9'))) * mantissa.len();
    }
    let (mut digits, mut zeros) = (0, 0);
    for byte in mantissa.bytes().filter(u8::is_ascii_digit) {
        match byte {
            b'0' if digits == 0 => {}
            b'0' => zeros += 1,
            _ => {
                digits += zeros + 1;
                zeros = 0;
            }
        }
    }
    digits
}

/// Appends the shortest text that reads back as the same float; never one that looks like an integer.
pub(super) fn write_f64(value: f64, out: &mut Vec<u8>) {
    out.extend_from_slice(ryu::Buffer::new().format_finite(value).as_bytes());
}

/// The same for a float.
pub(super) fn write_f32(value: f32, out: &mut Vec<u8>) {
    out.extend_from_slice(ryu::Buffer::new().format_finite(value).as_bytes());
}

/// The same in the style of JavaScript: integral values look like integers (as far as integers are exact).
pub(super) fn write_number(value: f64, out: &mut Vec<u8>) {
    if value.trunc() == value && value.abs() <= EXACT {
        if value == 0.0 && value.is_sign_negative() {
            out.extend_from_slice(b"-0");
        } else {
            write_i64(value as i64, out);
        }
    } else {
        write_f64(value, out);
    }
}

/// Appends an integer.
pub(super) fn write_i64(value: i64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends an integer.
pub(super) fn write_u64(value: u64, out: &mut Vec<u8>) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}
