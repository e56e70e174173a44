//! Whether bytes are UTF-8, fast for what text mostly is: short, and ASCII.

/// Checks that bytes are UTF-8.
///
/// # Errors
/// How many bytes at the start are.
#[inline(always)]
pub fn check(bytes: &[u8]) -> Result<(), usize> {
    if is_ascii(bytes) { Ok(()) } else { check_all(bytes) }
}

/// Checks that `base[start..start + len]` is UTF-8. Faster than [`check`] where more of `base` follows, because blocks of
/// bytes can be looked at then, whatever the length: no branch depends on it.
///
/// # Errors
/// How many bytes at the start are.
///
/// # Panics
/// When `base` has no such range.
#[inline(always)]
pub fn check_part(base: &[u8], start: usize, len: usize) -> Result<(), usize> {
    let block = |at: usize| base.get(at..).and_then(|rest| rest.first_chunk::<BLOCK>());
    if len <= BLOCK {
        if let Some(block) = block(start) {
            return if high_bits(block, len) == 0 { Ok(()) } else { check_block(block, len) };
        }
    } else if len <= 2 * BLOCK
        && let (Some(first), Some(last)) = (block(start), block(start + len - BLOCK))
        && high_bits(first, BLOCK) | high_bits(last, BLOCK) == 0
    {
        return Ok(());
    }
    check(&base[start..start + len])
}

const BLOCK: usize = 32;

/// The high bits of the first `len` bytes of a block.
#[inline(always)]
fn high_bits(block: &[u8; BLOCK], len: usize) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mask = mask(len);
    let word = |at: usize| word(block, at) & word(mask, at);
    (word(0) | word(8) | word(16) | word(24)) & HIGH
}

#[inline(always)]
fn word(block: &[u8; BLOCK], at: usize) -> u64 {
    u64::from_le_bytes(*block[at..].first_chunk().expect("a block has four words"))
}

/// All bits of the first `len` bytes.
#[inline(always)]
fn mask(len: usize) -> &'static [u8; BLOCK] {
    static MASKS: [u8; 2 * BLOCK] = {
        let mut masks = [0; 2 * BLOCK];
        let mut i = 0;
        while i < BLOCK {
            masks[i] = 0xff;
            i += 1;
        }
        masks
    };
    MASKS[BLOCK - len..].first_chunk().expect("len is at most a block")
}

/// Checks the first `len` bytes of a block, with what follows taken for zeros: by a machine whose step is one shift.
#[inline(never)]
fn check_block(block: &[u8; BLOCK], len: usize) -> Result<(), usize> {
    let mut state = 0;
    // A zero ends a character that is not complete: text that fills all groups is followed by one.
    let mut at = 0;
    while at <= len {
        let mut word = if at < BLOCK { word(block, at) & word(mask(len), at) } else { 0 };
        for _ in 0..8 {
            state = STEPS[word as usize & 0xff] >> (state & 63);
            word >>= 8;
        }
        at += 8;
    }
    match state & 63 {
        0 => Ok(()),
        _ => check_all(&block[..len]),
    }
}

/// For each byte, the next state of each state, at the bit that the state is.
static STEPS: [u64; 256] = {
    let mut steps = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut state = 0;
        while state < 9 {
            steps[i] |= (6 * step(state, i as u8)) << (6 * state);
            state += 1;
        }
        i += 1;
    }
    steps
};

/// The state after `byte`: 0 between characters, 1 after what is not UTF-8, 2 to 4 when so many minus one bytes of
/// continuation follow, the others where the next one must be in a part of their range.
const fn step(state: u64, byte: u8) -> u64 {
    match (state, byte) {
        (0, 0..=0x7f) => 0,
        (0, 0xc2..=0xdf) => 2,
        (0, 0xe0) => 5,
        (0, 0xed) => 6,
        (0, 0xe1..=0xef) => 3,
        (0, 0xf0) => 7,
        (0, 0xf1..=0xf3) => 4,
        (0, 0xf4) => 8,
        (2, 0x80..=0xbf) => 0,
        (3, 0x80..=0xbf) | (5, 0xa0..=0xbf) | (6, 0x80..=0x9f) => 2,
        (4, 0x80..=0xbf) | (7, 0x90..=0xbf) | (8, 0x80..=0x8f) => 3,
        _ => 1,
    }
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
    fn parts_agree_with_the_standard_library() {
        let plain = |bytes: &[u8]| std::str::from_utf8(bytes).map(|_| ()).map_err(|error| error.valid_up_to());
        // All pairs of bytes, and what must follow some of them.
        let step = if cfg!(miri) { 29 } else { 1 };
        for first in (0x70..=255u8).step_by(step) {
            for second in (0..=255u8).step_by(step) {
                for rest in [&[][..], &[0x80], &[0x80, 0x80], &[0xbf, 0x7f], &[0xc0]] {
                    let mut base = b"ab".to_vec();
                    base.extend([first, second]);
                    base.extend(rest);
                    let len = base.len();
                    assert_eq!(check_part(&base, 0, len), plain(&base));
                    base.extend([0x80; 64]);
                    assert_eq!(check_part(&base, 0, len), plain(&base[..len]), "{:x?}", &base[..len]);
                }
            }
        }
        let text = "naïve 漢字 😀 plain text, for a while; ascii only, for a while. öäü and so on to the end, and more";
        for start in (0..text.len()).step_by(step) {
            for len in (0..=text.len() - start).step_by(step.min(7)) {
                let part = &text.as_bytes()[start..start + len];
                assert_eq!(check_part(text.as_bytes(), start, len), plain(part), "{start} {len}");
            }
        }
    }

    #[test]
    fn agrees_with_the_standard_library() {
        for len in (0..80).step_by(if cfg!(miri) { 13 } else { 1 }) {
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
