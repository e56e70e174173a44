//! UUIDs as 36 lower-case characters (RFC 9562, section 4).

/// Where the two digits of each byte are.
const PLACES: [usize; 16] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/// The values of digits; what is above 15 is none.
const VALUES: [u8; 256] = {
    let mut values = [0xFF; 256];
    let mut value = 0;
    while value < 16 {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The 16 bytes of a UUID in the text form that [`write()`] gives; `None` for anything else, upper case included.
pub fn parse(text: &[u8]) -> Option<[u8; 16]> {
    let text: &[u8; 36] = text.try_into().ok()?;
    let mut bytes = [0; 16];
    // Looked at once, at the end: no digit may be wrong.
    let mut wrong = text[8] ^ b'-' | text[13] ^ b'-' | text[18] ^ b'-' | text[23] ^ b'-';
    for (byte, place) in bytes.iter_mut().zip(PLACES) {
        let (high, low) = (VALUES[text[place] as usize], VALUES[text[place + 1] as usize]);
        wrong |= (high | low) & 0xF0;
        *byte = high << 4 | low & 15;
    }
    (wrong == 0).then_some(bytes)
}

/// Appends the text form.
pub fn write(bytes: &[u8; 16], out: &mut Vec<u8>) {
    let mut text = [b'-'; 36];
    for (byte, place) in bytes.iter().zip(PLACES) {
        text[place] = DIGITS[(byte >> 4) as usize];
        text[place + 1] = DIGITS[(byte & 15) as usize];
    }
    out.extend_from_slice(&text);
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
            "157ae52a-e77a-56c9-bce7-1025260eb7b",
            "157ae52a-e77a-56c9-bce7-1025260eb7b-",
            "157ae52a-e77a-56c9+bce7-1025260eb7b2",
        ] {
            assert_eq!(parse(wrong.as_bytes()), None);
        }
    }
}
