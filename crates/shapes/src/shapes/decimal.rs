//! Decimal fractions as integers: text with a fixed number of digits, and doubles that are exactly such a fraction.

use wirewise_core::schema::Notes;
use wirewise_core::{Cell, Error, ErrorKind, Float, Int, Kind, Result, Type};

use super::{data, rewrite, shown};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Decimal;

static INFO: Info = Info {
    name: "decimal",
    about: "decimal fractions as integers: \"12.50\", or a double that is exactly 12.5, as 1250 hundredths",
    takes: "strings that are decimal numbers, or float64",
    params: &[
        ("scale", "digits after the point: 0 to 18, of doubles 0 to 15"),
        ("bits", "of the integer: 32 or 64 (the default)"),
    ],
    moves: false,
    lossy: false,
};

impl Shape for Decimal {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let text = *site.kind() == Kind::String;
        if !text && *site.kind() != Kind::Float(Float::F64) {
            return Err(site.refuse(&INFO));
        }
        let scale = params.need(&INFO, "scale")?;
        let most = if text { 18 } else { 15 };
        if scale > most {
            return Err(Error::new(
                ErrorKind::Schema,
                format!("decimal takes a scale of 0 to {most} here, not {scale}"),
            ));
        }
        let int = width(&INFO, params)?;
        let ty = types.add(integer(int));
        let rewrite = if text {
            rewrite(
                move |walk, cell| {
                    let text = walk.from.bytes(cell);
                    let value = parse(text, scale).filter(|value| int.holds((*value).into()));
                    value.map(Cell::int).ok_or_else(|| {
                        data(format!(
                            "{} is no number with {scale} digits after the point in {} bits",
                            shown(text),
                            int.bits()
                        ))
                    })
                },
                move |walk, cell| {
                    let value = cell.as_i64();
                    walk.to.text_with(|out| {
                        write(value, scale, out);
                        Ok(())
                    })
                },
            )
        } else {
            rewrite(
                move |_, cell| {
                    let value = exact(cell.as_f64(), scale).filter(|value| int.holds((*value).into()));
                    value.map(Cell::int).ok_or_else(|| {
                        let digits = format!("with {scale} digits after the point in {} bits", int.bits());
                        data(format!("{} is no number {digits}", cell.as_f64()))
                            .hint("shape split or xor takes all doubles")
                    })
                },
                move |_, cell| Ok(Cell::f64(double(cell.as_i64(), scale))),
            )
        };
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let (scale, most) = match site.kind() {
            Kind::String => {
                let text = values.bytes().next()?;
                let scale = text.iter().rev().position(|&byte| byte == b'.').unwrap_or(0) as u32;
                let mut most = 0;
                let is = values.all(|(document, cell)| {
                    let value = parse(document.bytes(cell), scale);
                    most = most.max(value.unwrap_or_default().unsigned_abs());
                    scale <= 18 && value.is_some()
                });
                is.then_some((scale, most))?
            }
            Kind::Float(Float::F64) => {
                let most_with = |scale: u32| {
                    let mut most = 0;
                    let mut value_of = |cell: Cell| {
                        let value = exact(cell.as_f64(), scale);
                        most = most.max(value.unwrap_or_default().unsigned_abs());
                        value.is_some()
                    };
                    values.all(|(_, cell)| value_of(cell)).then_some((scale, most))
                };
                (0..=9).find_map(most_with)?
            }
            _ => return None,
        };
        let mut params = Params::one("scale", scale);
        // Room for twice of what was seen.
        if most < 1 << 30 {
            params.set("bits", 32);
        }
        Some(params)
    }
}

/// The integer that is wanted.
pub(super) fn width(info: &Info, params: &Params) -> Result<Int> {
    match params.get("bits").unwrap_or(64) {
        32 => Ok(Int::I32),
        64 => Ok(Int::I64),
        bits => Err(Error::new(ErrorKind::Schema, format!("{} takes 32 or 64 bits, not {bits}", info.name))),
    }
}

/// The type of integers that may be negative: Protobuf writes short ones as short then.
pub(super) fn integer(int: Int) -> Type {
    let zigzag = if int.bits() == 64 { "sint64" } else { "sint32" };
    Type { kind: Kind::Int(int), logical: None, notes: Notes::default().with("protobuf.type", zigzag) }
}

/// Integers that doubles hold exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Powers of ten, which doubles hold exactly.
const POWERS: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The double that so many parts of ten to the power of `scale` are. A quotient of two exact doubles is the double that
/// is nearest to the fraction, which a product with the inverse is not.
pub(super) fn double(value: i64, scale: u32) -> f64 {
    value as f64 / POWERS[scale as usize]
}

/// The nearest integer of so many parts, if doubles are still apart by one there.
pub(super) fn nearest(value: f64, scale: u32) -> Option<i64> {
    // Doubles of this size have no fraction: adding it rounds, without a call of a function.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let scaled = value * POWERS[scale as usize];
    let rounded = if scaled.abs() < EXACT / 4.0 { scaled + ROUND - ROUND } else { scaled.round() };
    (rounded.abs() < EXACT).then_some(rounded as i64)
}

/// The integer that becomes this very double again.
fn exact(value: f64, scale: u32) -> Option<i64> {
    nearest(value, scale).filter(|&int| double(int, scale).to_bits() == value.to_bits())
}

/// The number of a text that is written just so: no plus, no zeros in front, exactly `scale` digits behind the point.
fn parse(text: &[u8], scale: u32) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, fraction) = match scale as usize {
        0 => (digits, &[][..]),
        scale => {
            let (whole, rest) = digits.split_at_checked(digits.len().checked_sub(scale + 1)?)?;
            (whole, rest.strip_prefix(b".")?)
        }
    };
    if whole.is_empty() || whole.len() > 1 && whole[0] == b'0' {
        return None;
    }
    let value = whole.iter().chain(fraction).try_fold(0i64, |value, &byte| {
        let digit = byte.is_ascii_digit().then_some(i64::from(byte & 15))?;
        value.checked_mul(10)?.checked_add(digit)
    })?;
    // There is no -0 in integers.
    if digits.len() < text.len() { (value > 0).then_some(-value) } else { Some(value) }
}

fn write(value: i64, scale: u32, out: &mut Vec<u8>) {
    let scale = scale as usize;
    let digits = format!("{:0width$}", value.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(whole.as_bytes());
    if scale > 0 {
        out.push(b'.');
        out.extend_from_slice(fraction.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_as_they_were_or_are_refused() {
        for (text, scale, value) in [
            ("0", 0, Some(0)),
            ("12.50", 2, Some(1250)),
            ("-0.05", 2, Some(-5)),
            ("9223372036854775807", 0, Some(i64::MAX)),
            ("0.000000000000000001", 18, Some(1)),
            ("-0", 0, None),
            ("-0.0", 1, None),
            ("01", 0, None),
            ("+1", 0, None),
            ("1.5", 2, None),
            ("1.", 0, None),
            (".5", 1, None),
            ("", 0, None),
            ("-", 0, None),
            ("1e2", 0, None),
            ("9223372036854775808", 0, None),
        ] {
            assert_eq!(parse(text.as_bytes(), scale), value, "{text}");
            if let Some(value) = value {
                let mut out = Vec::new();
                write(value, scale, &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), text);
            }
        }
        let mut out = Vec::new();
        write(i64::MIN, 18, &mut out);
        assert_eq!(out, b"-9.223372036854775808");
    }

    #[test]
    fn doubles_come_back_bit_for_bit_or_are_refused() {
        for (value, scale, expected) in [
            (12.5, 2, Some(1250)),
            (0.1 + 0.2, 1, None),
            (0.3, 1, Some(3)),
            (-0.0, 0, None),
            (f64::NAN, 0, None),
            (f64::INFINITY, 3, None),
            (1e300, 0, None),
            (-179.123456, 6, Some(-179_123_456)),
        ] {
            assert_eq!(exact(value, scale), expected, "{value}");
        }
    }
}
