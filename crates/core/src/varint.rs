//! Varints (LEB128): seven bits a byte, the least significant first, the high bit set in all but the last.
//!
//! The lengths of the numbers of real data are hard to predict, so a loop over their bytes mostly waits for branches that
//! were guessed wrongly. Here eight bytes are read or made at once, whatever the length.

mod groups;

/// The varint at the start of these bytes and its length, if it has at most eight bytes. `None` is for [`read`].
#[inline(always)]
pub fn read_word(word: u64) -> Option<(u64, usize)> {
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        return None;
    }
    // All bits up to the one that ends the number.
    let bits = word & (ends ^ (ends - 1));
    Some((groups::join(bits), ends.trailing_zeros() as usize / 8 + 1))
}

/// The varint at `at` and where it ends. Bits beyond the 64th are dropped; `None` when it does not end in `bytes`, or within ten bytes.
#[inline(always)]
pub fn read(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let rest = bytes.get(at..)?;
    let first = u64::from(*rest.first()?);
    if first < 0x80 {
        return Some((first, at + 1));
    }
    if let Some(word) = rest.first_chunk()
        && let Some((value, len)) = read_word(u64::from_le_bytes(*word))
    {
        return Some((value, at + len));
    }
    let (value, len) = read_bytes(rest)?;
    Some((value, at + len))
}

/// The varint at `pos`, which is then after it, if it is as they usually come: of one byte, or of up to eight with more of
/// `bytes` behind them. `None`, and `pos` as it was, where a reader that goes byte by byte has to say what it is.
#[inline(always)]
pub fn usual(bytes: &[u8], pos: &mut usize) -> Option<u64> {
    let first = *bytes.get(*pos)?;
    if first < 0x80 {
        *pos += 1;
        return Some(first.into());
    }
    let (value, len) = read_word(u64::from_le_bytes(*bytes.get(*pos..)?.first_chunk()?))?;
    *pos += len;
    Some(value)
}

/// The bits of a signed number, of which those near zero are small: 0, 1, 2, 3 for 0, -1, 1, -2.
#[inline(always)]
pub fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The signed number that these bits are: 0, -1, 1, -2, and so on.
#[inline(always)]
pub fn unzigzag(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

#[cold]
fn read_bytes(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (i, &byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            return Some((value, i + 1));
        }
    }
    None
}

/// Most bits that [`word`] takes.
pub const WORD_BITS: u32 = 56;

/// Whether a number that may well have one byte only is better looked at first: where [`word`] takes more than a branch
/// that is guessed wrongly now and then.
#[inline(always)]
pub fn is_byte(value: u64) -> bool {
    !groups::ONE && value < 0x80
}

/// The bytes of a number of at most [`WORD_BITS`] bits as a varint, the first in the lowest byte, and how many they are.
#[inline(always)]
pub fn word(value: u64) -> (u64, usize) {
    // ceil(bits / 7), for up to 56 of them.
    let bits = 64 - (value | 1).leading_zeros();
    let len = (bits * 37 + 222) >> 8;
    let more = 0x8080_8080_8080_8080 & ((1 << (8 * (len - 1))) - 1);
    (groups::split(value) | more, len as usize)
}

/// The bytes of any number as a varint, and how many they are.
#[cold]
#[inline(never)]
pub fn bytes(mut value: u64) -> ([u8; 10], usize) {
    let (mut bytes, mut len) = ([0; 10], 0);
    while value >= 0x80 {
        bytes[len] = value as u8 | 0x80;
        value >>= 7;
        len += 1;
    }
    bytes[len] = value as u8;
    (bytes, len + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(mut value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
        out
    }

    #[test]
    fn agrees_with_the_plain_loop() {
        for shift in (0..64).step_by(if cfg!(miri) { 5 } else { 1 }) {
            for value in [(1 << shift) - 1, 1 << shift, u64::MAX >> shift, 0xa5a5_5a5a_0ff0_1234 >> shift] {
                let bytes = plain(value);
                if value >> WORD_BITS == 0 {
                    let (word, len) = word(value);
                    assert_eq!(&word.to_le_bytes()[..len], bytes, "{value:x}");
                    assert!(word.to_le_bytes()[len..].iter().all(|&byte| byte == 0));
                }
                for behind in [&[][..], &[0xff; 12], &[0; 12]] {
                    let mut input = vec![0xaa; 3];
                    input.extend_from_slice(&bytes);
                    input.extend_from_slice(behind);
                    assert_eq!(read(&input, 3), Some((value, 3 + bytes.len())), "{value:x}");
                    let mut pos = 3;
                    match usual(&input, &mut pos) {
                        Some(usual) => assert_eq!((usual, pos), (value, 3 + bytes.len())),
                        None => assert!(pos == 3 && (bytes.len() > 8 || behind.is_empty()), "{value:x}"),
                    }
                }
                assert_eq!(read(&bytes[..bytes.len() - 1], 0), None);
            }
        }
        assert_eq!(read(&[0x80, 0x80, 0x80, 0x00, 0xff], 0), Some((0, 4)), "longer than necessary");
        assert_eq!(read(&[0xff; 10], 0), None);
        assert_eq!([0, 1, 2, 3, u64::MAX].map(unzigzag), [0, -1, 1, -2, i64::MIN]);
        assert_eq!([0, -1, 1, -2, i64::MIN].map(zigzag), [0, 1, 2, 3, u64::MAX]);
        assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 0), Some((u64::MAX, 10)));
    }
}
