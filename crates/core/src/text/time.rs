//! Days and instants as RFC 3339 text in UTC, proleptic Gregorian, years 0000 to 9999.

use crate::Unit;

const DAY: i64 = 86_400;
/// 0000-01-01 and 10000-01-01, in days since 1970-01-01.
const DAYS: std::ops::Range<i64> = -719_528..2_932_897;

/// Days since 1970-01-01 of a `YYYY-MM-DD`; `None` for anything else.
pub fn parse_date(text: &[u8]) -> Option<i32> {
    if text.len() != 10 || text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&text[..4])?, number(&text[5..7])?, number(&text[8..])?);
    let days = days_from_civil(year, month, day);
    // An impossible day such as 30 February comes back as another one.
    (civil_from_days(days) == (year, month, day)).then_some(days as i32)
}

/// Appends `YYYY-MM-DD`; `false` when the day is outside the years 0000 to 9999.
pub fn write_date(days: i32, out: &mut Vec<u8>) -> bool {
    if !DAYS.contains(&i64::from(days)) {
        return false;
    }
    let (year, month, day) = civil_from_days(i64::from(days));
    digits(year, 4, out);
    out.push(b'-');
    digits(month, 2, out);
    out.push(b'-');
    digits(day, 2, out);
    true
}

/// Fraction digits that a unit's text has: 0, 3, 6 or 9.
pub fn fraction_digits(unit: Unit) -> usize {
    match unit {
        Unit::Seconds => 0,
        Unit::Millis => 3,
        Unit::Micros => 6,
        Unit::Nanos => 9,
    }
}

fn ticks_per_second(unit: Unit) -> i64 {
    10i64.pow(fraction_digits(unit) as u32)
}

/// The unit whose text has the shape of `text` (that many fraction digits), if it is an instant that
/// [`write_timestamp`] gives back the same.
pub fn timestamp_unit(text: &[u8]) -> Option<Unit> {
    let unit = match text.len() {
        20 => Unit::Seconds,
        24 => Unit::Millis,
        27 => Unit::Micros,
        30 => Unit::Nanos,
        _ => return None,
    };
    parse_timestamp(text, unit).map(|_| unit)
}

/// Ticks since 1970-01-01T00:00:00Z of a `YYYY-MM-DDTHH:MM:SS[.fraction]Z` with exactly the unit's fraction digits;
/// `None` for anything else (offsets, lower case, leap seconds, out of range).
pub fn parse_timestamp(text: &[u8], unit: Unit) -> Option<i64> {
    let fraction = fraction_digits(unit);
    let end = if fraction == 0 { 19 } else { 20 + fraction };
    let shaped = text.len() == end + 1
        && text[end] == b'Z'
        && text[10] == b'T'
        && text[13] == b':'
        && text[16] == b':'
        && (fraction == 0 || text[19] == b'.');
    if !shaped {
        return None;
    }
    let days = i64::from(parse_date(&text[..10])?);
    let (hour, minute, second) = (number(&text[11..13])?, number(&text[14..16])?, number(&text[17..19])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = days * DAY + hour * 3600 + minute * 60 + second;
    let ticks = if fraction == 0 { 0 } else { number(&text[20..end])? };
    i64::try_from(i128::from(seconds) * i128::from(ticks_per_second(unit)) + i128::from(ticks)).ok()
}

/// Appends the text of an instant; `false` when it is outside the years 0000 to 9999.
pub fn write_timestamp(ticks: i64, unit: Unit, out: &mut Vec<u8>) -> bool {
    let per_second = ticks_per_second(unit);
    let (seconds, fraction) = (ticks.div_euclid(per_second), ticks.rem_euclid(per_second));
    let (days, second) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    if !i32::try_from(days).is_ok_and(|days| write_date(days, out)) {
        return false;
    }
    for (mark, part) in [(b'T', second / 3600), (b':', second / 60 % 60), (b':', second % 60)] {
        out.push(mark);
        digits(part, 2, out);
    }
    if per_second > 1 {
        out.push(b'.');
        digits(fraction, fraction_digits(unit), out);
    }
    out.push(b'Z');
    true
}

fn number(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |n, c| c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0')))
}

fn digits(mut value: i64, width: usize, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + width, b'0');
    for place in out[start..].iter_mut().rev() {
        *place = b'0' + (value % 10) as u8;
        value /= 10;
    }
}

/// Howard Hinnant's `days_from_civil`.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Howard Hinnant's `civil_from_days`.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_comes_back() {
        for days in DAYS {
            let mut text = Vec::new();
            assert!(write_date(days as i32, &mut text));
            assert_eq!(parse_date(&text), Some(days as i32));
        }
        assert!(!write_date(DAYS.start as i32 - 1, &mut Vec::new()));
        assert!(!write_date(DAYS.end as i32, &mut Vec::new()));
        assert_eq!(parse_date(b"1970-01-01"), Some(0));
        assert_eq!(parse_date(b"2023-02-29"), None);
        assert_eq!(parse_date(b"2024-13-01"), None);
        assert_eq!(parse_date(b"2024-00-10"), None);
    }

    #[test]
    fn instants_come_back_or_are_refused() {
        for (text, unit, ticks) in [
            ("1970-01-01T00:00:00Z", Unit::Seconds, 0),
            ("1969-12-31T23:59:59.999Z", Unit::Millis, -1),
            ("2026-11-21T02:17:26.123456Z", Unit::Micros, 1_795_227_446_123_456),
            ("1677-09-21T00:12:43.145224192Z", Unit::Nanos, i64::MIN),
        ] {
            assert_eq!(timestamp_unit(text.as_bytes()), Some(unit));
            assert_eq!(parse_timestamp(text.as_bytes(), unit), Some(ticks), "{text}");
            let mut out = Vec::new();
            assert!(write_timestamp(ticks, unit, &mut out));
            assert_eq!(String::from_utf8(out).unwrap(), text);
        }
        for text in [
            "2026-11-21T02:17:26+00:00",
            "2026-11-21 02:17:26Z",
            "2026-11-21T24:00:00Z",
            "2026-11-21T02:17:60Z",
            "2026-11-21T02:17:26.1Z",
            "2026-11-21t02:17:26z",
            "9999-12-31T23:59:59.999999999Z",
        ] {
            assert_eq!(timestamp_unit(text.as_bytes()), None, "{text}");
        }
        assert!(!write_timestamp(i64::MAX, Unit::Seconds, &mut Vec::new()));
    }
}
