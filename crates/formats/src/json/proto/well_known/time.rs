//! `Timestamp` and `Duration`: seconds and nanoseconds, as text with 0, 3, 6 or 9 fraction digits.

use wirewise_core::{Out, Unit, text};

use crate::json::number;

const NANOS: u32 = 1_000_000_000;

/// From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const INSTANTS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// About 10,000 years.
const LONGEST: u64 = 315_576_000_000;

/// Appends an instant; an error says what is wrong with it.
pub(super) fn write_timestamp(seconds: i64, nanos: i32, out: &mut Vec<u8>) -> Result<(), &'static str> {
    if !INSTANTS.contains(&seconds) {
        return Err("a timestamp is outside the years 0001 to 9999");
    }
    if !u32::try_from(nanos).is_ok_and(|nanos| nanos < NANOS) {
        return Err("the nanoseconds of a timestamp are outside 0 to 999999999");
    }
    text::time::write_timestamp(seconds, Unit::Seconds, out);
    out.pop();
    fraction(nanos as u32, out);
    out.push(b'Z');
    Ok(())
}

/// The instant of an RFC 3339 text, with any offset and up to nine fraction digits.
pub(super) fn parse_timestamp(text: &[u8]) -> Option<(i64, i32)> {
    let (main, rest) = text.split_at_checked(19)?;
    let mut plain = [b'Z'; 20];
    plain[..19].copy_from_slice(main);
    let local = text::time::parse_timestamp(&plain, Unit::Seconds)?;
    let (nanos, zone) = parse_fraction(rest)?;
    let offset = match zone {
        b"Z" => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let digit = |byte: &u8| byte.is_ascii_digit().then(|| i64::from(byte - b'0'));
            let (hours, minutes) = (digit(h1)? * 10 + digit(h2)?, digit(m1)? * 10 + digit(m2)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            (hours * 60 + minutes) * if *sign == b'-' { -60 } else { 60 }
        }
        _ => return None,
    };
    let seconds = local - offset;
    INSTANTS.contains(&seconds).then_some((seconds, nanos as i32))
}

/// Appends a duration; an error says what is wrong with it.
pub(super) fn write_duration(seconds: i64, nanos: i32, out: &mut Vec<u8>) -> Result<(), &'static str> {
    if seconds.unsigned_abs() > LONGEST {
        return Err("a duration is longer than 315576000000 seconds");
    }
    if nanos.unsigned_abs() >= NANOS {
        return Err("the nanoseconds of a duration are outside -999999999 to 999999999");
    }
    if seconds.signum() * i64::from(nanos.signum()) < 0 {
        return Err("seconds and nanoseconds of a duration have different signs");
    }
    if seconds < 0 || nanos < 0 {
        out.push(b'-');
    }
    number::write_u64(seconds.unsigned_abs(), &mut Out::new(out));
    fraction(nanos.unsigned_abs(), out);
    out.push(b's');
    Ok(())
}

/// The duration of a text such as `-1.5s`.
pub(super) fn parse_duration(text: &[u8]) -> Option<(i64, i32)> {
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        text => (false, text),
    };
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let seconds: u64 = std::str::from_utf8(&text[..len]).ok()?.parse().ok().filter(|&seconds| seconds <= LONGEST)?;
    let (nanos, rest) = parse_fraction(&text[len..])?;
    let (seconds, nanos) = (seconds as i64, nanos as i32);
    (rest == b"s").then_some(if negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

fn fraction(nanos: u32, out: &mut Vec<u8>) {
    let (value, width) = match nanos {
        0 => return,
        _ if nanos.is_multiple_of(1_000_000) => (nanos / 1_000_000, 3),
        _ if nanos.is_multiple_of(1000) => (nanos / 1000, 6),
        _ => (nanos, 9),
    };
    out.extend_from_slice(format!(".{value:0width$}").as_bytes());
}

/// The nanoseconds of a fraction, if there is one, and what follows it.
fn parse_fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let [b'.', text @ ..] = text else { return Some((0, text)) };
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=9).contains(&len) {
        return None;
    }
    let digits: u32 = std::str::from_utf8(&text[..len]).ok()?.parse().ok()?;
    Some((digits * 10u32.pow(9 - len as u32), &text[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants() {
        for (text, value, written) in [
            ("1970-01-01T00:00:00Z", (0, 0), "1970-01-01T00:00:00Z"),
            ("1969-12-31T23:59:59.5Z", (-1, 500_000_000), "1969-12-31T23:59:59.500Z"),
            ("2026-11-21T02:17:26.12345+08:00", (1_795_198_646, 123_450_000), "2026-11-20T18:17:26.123450Z"),
            ("0001-01-01T00:00:00Z", (-62_135_596_800, 0), "0001-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59.999999999Z", (253_402_300_799, 999_999_999), "9999-12-31T23:59:59.999999999Z"),
            ("1970-01-01T00:00:00-00:01", (60, 0), "1970-01-01T00:01:00Z"),
        ] {
            assert_eq!(parse_timestamp(text.as_bytes()), Some(value), "{text}");
            let mut out = Vec::new();
            write_timestamp(value.0, value.1, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
        for text in [
            "",
            "1970-01-01T00:00:00",
            "1970-01-01t00:00:00Z",
            "1970-01-01T00:00:00z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.0123456789Z",
            "1970-01-01T00:00:00+0100",
            "1970-01-01T00:00:00+24:00",
            "0000-01-01T00:00:00Z",
            "0001-01-01T00:00:00+00:01",
            "1970-01-01T00:00:00Zé",
            "1970-01-01T00:00:60Z",
        ] {
            assert_eq!(parse_timestamp(text.as_bytes()), None, "{text}");
        }
        for (seconds, nanos) in [(i64::MAX, 0), (-62_135_596_801, 0), (0, -1), (0, 1_000_000_000)] {
            assert!(write_timestamp(seconds, nanos, &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn durations() {
        for (text, value, written) in [
            ("0s", (0, 0), "0s"),
            ("-0.5s", (0, -500_000_000), "-0.500s"),
            ("1.000001s", (1, 1000), "1.000001s"),
            ("-1.000000001s", (-1, -1), "-1.000000001s"),
            ("315576000000.999999999s", (315_576_000_000, 999_999_999), "315576000000.999999999s"),
        ] {
            assert_eq!(parse_duration(text.as_bytes()), Some(value), "{text}");
            let mut out = Vec::new();
            write_duration(value.0, value.1, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), written);
        }
        for text in ["", "s", "1", "1.s", ".5s", "1 s", "+1s", "315576000001s", "1.0123456789s", "--1s", "1m"] {
            assert_eq!(parse_duration(text.as_bytes()), None, "{text}");
        }
        for (seconds, nanos) in [(i64::MIN, 0), (1, -1), (-1, 1), (0, i32::MIN)] {
            assert!(write_duration(seconds, nanos, &mut Vec::new()).is_err());
        }
    }
}
