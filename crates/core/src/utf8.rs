//! Whether bytes are UTF-8, fast for what text mostly is: short, and ASCII.

/// Checks that bytes are UTF-8.
///
/// # Errors
/// How many bytes at the start are.
#[inline(always)]
pub fn check(bytes: &[u8]) -> Result<(), usize> {
    if is_ascii(bytes) { Ok(()) } else { check_all(bytes) }
}

#[inline(never)]
fn check_all(bytes: &[u8]) -> Result<(), usize> {
    match simdutf8::basic::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(_) => Err(std::str::from_utf8(bytes).expect_err("both libraries agree").valid_up_to()),
    }
}

/// Whether bytes are ASCII. Short ones are looked at as two overlapping words, which takes no loop.
#[inline(always)]
pub fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |at: usize| bytes[at..].first_chunk::<8>().map_or(0, |word| u64::from_ne_bytes(*word));
    let half = |at: usize| bytes[at..].first_chunk::<4>().map_or(0, |word| u32::from_ne_bytes(*word));
    match bytes.len() {
        0 => true,
        len @ 1..4 => bytes[0] | bytes[len / 2] | bytes[len - 1] < 0x80,
        len @ 4..8 => (half(0) | half(len - 4)) & HIGH as u32 == 0,
        len @ 8..=16 => (word(0) | word(len - 8)) & HIGH == 0,
        len @ 17..=32 => (word(0) | word(8) | word(len - 16) | word(len - 8)) & HIGH == 0,
        _ => bytes.is_ascii(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        for len in 0..80 {
            let ascii = vec![b'x'; len];
            assert!(is_ascii(&ascii) && check(&ascii).is_ok());
            for at in 0..len {
                for byte in [0x80, 0xc3, 0xff] {
                    let mut bytes = ascii.clone();
                    bytes[at] = byte;
                    assert!(!is_ascii(&bytes));
                    assert_eq!(check(&bytes), Err(at));
                }
                let mut text = "x".repeat(at) + "é漢😀";
                text.push_str(&"y".repeat(len - at));
                assert_eq!(check(text.as_bytes()), Ok(()));
            }
        }
    }
}
