//! Numbers with their units, short enough for a table.

/// Digits in groups of three: `8,059,540`.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: `1 byte`, `2,000 bytes`.
pub fn counted(value: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(value), if value == 1 { "" } else { "s" })
}

/// A time with three significant digits: `1.23 ms`.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if ns < 999.5 => (ns, "ns"),
        _ if ns < 999.5e3 => (ns / 1e3, "µs"),
        _ if ns < 999.5e6 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{} {unit}", significant(value))
}

/// Three significant digits, never an exponent.
pub fn significant(value: f64) -> String {
    match value {
        _ if value < 9.995 => format!("{value:.2}"),
        _ if value < 99.95 => format!("{value:.1}"),
        _ => grouped(value.round() as u64),
    }
}

/// A share of a whole: `31%`, and `9.2%` where that says more.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent < 9.95 { format!("{percent:.1}%") } else { format!("{percent:.0}%") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!((grouped(0), grouped(999), grouped(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!((time(12.34), time(999.6), time(1.5e6)), ("12.3 ns".into(), "1.00 µs".into(), "1.50 ms".into()));
        assert_eq!((counted(1, "byte"), counted(2000, "byte")), ("1 byte".into(), "2,000 bytes".into()));
        assert_eq!(time(2.5e9), "2.50 s");
        assert_eq!((significant(123.4), significant(12_345.0)), ("123".into(), "12,345".into()));
        assert_eq!((percent(0.092), percent(0.314), percent(1.0)), ("9.2%".into(), "31%".into(), "100%".into()));
    }
}
