//! Base64 as ProtoJSON takes it: the standard or the URL-safe alphabet, with or without padding.

/// Appends the bytes that `text` stands for; `false` when it is no base64. Bits that are left over do not matter.
pub(super) fn decode(text: &[u8], out: &mut Vec<u8>) -> bool {
    let digits = match text {
        [digits @ .., b'=', b'='] | [digits @ .., b'='] => digits,
        digits => digits,
    };
    let padded = digits.len() < text.len();
    if digits.len() % 4 == 1 || padded && !text.len().is_multiple_of(4) {
        return false;
    }
    let (mut bits, mut count) = (0u32, 0);
    out.reserve(digits.len() / 4 * 3 + 2);
    for &digit in digits {
        let value = match digit {
            b'A'..=b'Z' => digit - b'A',
            b'a'..=b'z' => digit - b'a' + 26,
            b'0'..=b'9' => digit - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn decoded(text: &str) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        decode(text.as_bytes(), &mut out).then_some(out)
    }

    #[test]
    fn both_alphabets_with_and_without_padding() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("AQI=", b"\x01\x02"),
            ("AQI", b"\x01\x02"),
            ("AQ==", b"\x01"),
            ("AQ", b"\x01"),
            ("-_", b"\xfb"),
            ("+/+/", b"\xfb\xff\xbf"),
            ("-_-_", b"\xfb\xff\xbf"),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(bytes), "{text}");
        }
        for text in ["A", "A===", "AQ=", "AQI==", "AQ=I", "A Q=", "AQI\n", "=", "==", "ä"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
