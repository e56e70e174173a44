//! UUIDs as 36 lower-case characters (RFC 9562, section 4).

/// Where the hyphens are.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

/// The 16 bytes of a UUID in the text form that [`write()`] gives; `None` for anything else, upper case included.
pub fn parse(text: &[u8]) -> Option<[u8; 16]> {
    if text.len() != 36 || HYPHENS.iter().any(|&at| text[at] != b'-') {
        return None;
    }
    let mut digits = text.iter().enumerate().filter(|(i, _)| !HYPHENS.contains(i)).map(|(_, &c)| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    });
    let mut bytes = [0; 16];
    for byte in &mut bytes {
        *byte = digits.next()?? << 4 | digits.next()??;
    }
    Some(bytes)
}

/// Appends the text form.
pub fn write(bytes: &[u8; 16], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (i, byte) in bytes.iter().enumerate() {
        if matches!(i, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        out.extend([DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_the_text() {
        let text = b"157ae52a-e77a-56c9-bce7-1025260eb7b2";
        let mut out = Vec::new();
        write(&parse(text).unwrap(), &mut out);
        assert_eq!(out, text);
        for wrong in [
            "157AE52A-E77A-56C9-BCE7-1025260EB7B2",
            "157ae52ae77a56c9bce71025260eb7b2",
            "g57ae52a-e77a-56c9-bce7-1025260eb7b2",
        ] {
            assert_eq!(parse(wrong.as_bytes()), None);
        }
    }
}
