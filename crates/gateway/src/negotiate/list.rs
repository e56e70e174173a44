//! What the fields of negotiation are made of: lists of things with parameters (RFC 9110, 5.6).

/// The elements of a comma-separated list; commas in quoted strings separate nothing. Empty elements are passed over.
pub(super) fn elements(text: &str) -> impl Iterator<Item = &str> {
    split(text, b',').filter(|element| !element.is_empty())
}

/// A thing and its parameters, names in lower case and values without quotes. `None` when it is not written as one.
pub(super) fn parameters(element: &str) -> Option<(&str, Vec<(String, String)>)> {
    let mut parts = split(element, b';');
    let thing = parts.next()?;
    let mut found = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=')?;
        found.push((name.trim_end().to_ascii_lowercase(), unquoted(value.trim_start())?));
    }
    Some((thing, found))
}

/// A weight in thousandths (RFC 9110, 12.4.2). `None` when it is none.
pub(super) fn weight(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_short = fraction.len() <= 3 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let thousandths = format!("{fraction:0<3}").parse::<u16>().ok().filter(|_| is_short)?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

/// Splits at a byte, but not within quoted strings, and trims what lies between.
fn split(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (mut quoted, mut escaped) = (false, false);
        let end = text.bytes().position(|byte| {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                _ => return byte == separator && !quoted,
            }
            false
        });
        let (part, left) = end.map_or((text, None), |end| (&text[..end], Some(&text[end + 1..])));
        rest = left;
        Some(part.trim_matches([' ', '\t']))
    })
}

fn unquoted(text: &str) -> Option<String> {
    let Some(inner) = text.strip_prefix('"') else { return Some(text.to_owned()) };
    let inner = inner.strip_suffix('"')?;
    let (mut out, mut escaped) = (String::new(), false);
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
            continue;
        }
        escaped = false;
        out.push(c);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_separators() {
        let found: Vec<_> = elements(r#"a;x="1,2;\"3", ,b ;Y = z"#).collect();
        assert_eq!(found, [r#"a;x="1,2;\"3""#, "b ;Y = z"]);
        assert_eq!(parameters(found[0]), Some(("a", vec![("x".into(), "1,2;\"3".into())])));
        assert_eq!(parameters(found[1]), Some(("b", vec![("y".into(), "z".into())])));
        assert_eq!(parameters("a;x"), None);
        assert_eq!(parameters("a;x=\"1"), None);
    }

    #[test]
    fn weights_have_three_digits() {
        for (text, expected) in [
            ("1", Some(1000)),
            ("0", Some(0)),
            ("0.5", Some(500)),
            ("0.123", Some(123)),
            ("1.000", Some(1000)),
            ("1.001", None),
            ("0.1234", None),
            ("2", None),
            ("-1", None),
            ("", None),
            ("0.+1", None),
            ("1.", Some(1000)),
        ] {
            assert_eq!(weight(text), expected, "{text}");
        }
    }
}
