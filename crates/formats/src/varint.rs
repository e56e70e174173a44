//! Numbers in as many bytes as they need (LEB128), as they usually come: short, or with more input behind them.

/// The number at `pos`, which is then after it. `None`, and any `pos`, where it is not complete, longer than 64 bits, or
/// more than a byte and near the end of the input: then who reads byte by byte says what it is.
#[inline(always)]
pub(crate) fn usual(input: &[u8], pos: &mut usize) -> Option<u64> {
    let first = *input.get(*pos)?;
    if first < 0x80 {
        *pos += 1;
        return Some(first.into());
    }
    let (bits, len) = long(input.get(*pos..)?.first_chunk()?)?;
    *pos += len;
    Some(bits)
}

/// The signed number that these bits are: 0, -1, 1, -2, and so on.
#[inline(always)]
pub(crate) fn zigzag(bits: u64) -> i64 {
    (bits >> 1) as i64 ^ -((bits & 1) as i64)
}

/// The bits of a number that begins here, and how many bytes it has.
#[inline(always)]
fn long(bytes: &[u8; 10]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.first_chunk().expect("8 of 10 bytes"));
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        let low = pack(word);
        let (ninth, tenth) = (u64::from(bytes[8]), u64::from(bytes[9]));
        return match (ninth < 0x80, tenth) {
            (true, _) => Some((low | ninth << 56, 9)),
            (false, 0..=1) => Some((low | (ninth & 0x7f) << 56 | tenth << 63, 10)),
            _ => None,
        };
    }
    // The byte with the lowest of these bits is the last; what lies above is not the number's.
    let len = ends.trailing_zeros() as usize / 8 + 1;
    Some((pack(word & (ends ^ (ends - 1))), len))
}

/// The lower 7 bits of each of 8 bytes, without the gaps.
#[inline(always)]
fn pack(word: u64) -> u64 {
    let word = word & 0x7f7f_7f7f_7f7f_7f7f;
    let word = word & 0x007f_007f_007f_007f | (word & 0x7f00_7f00_7f00_7f00) >> 1;
    let word = word & 0x0000_3fff_0000_3fff | (word & 0x3fff_0000_3fff_0000) >> 2;
    word & 0x0fff_ffff | (word & 0x0fff_ffff_0000_0000) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths() {
        for shift in 0..64 {
            for value in [1 << shift, (1 << shift) - 1, u64::MAX >> shift] {
                let (mut bytes, mut rest) = (Vec::new(), value);
                while rest >= 0x80 {
                    bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                bytes.push(rest as u8);
                let len = bytes.len();
                bytes.extend([0xff; 10]);
                let mut pos = 0;
                assert_eq!((usual(&bytes, &mut pos), pos), (Some(value), len));
                // One more byte than needed is legal.
                if len < 9 {
                    bytes[len - 1] |= 0x80;
                    bytes[len] = 0;
                    let mut pos = 0;
                    assert_eq!((usual(&bytes, &mut pos), pos), (Some(value), len + 1));
                }
            }
        }
        assert_eq!(usual(&[0xff; 20], &mut 0), None);
        assert_eq!(usual(&[0x80, 1], &mut 0), None);
        assert_eq!([0, 1, 2, 3, u64::MAX].map(zigzag), [0, -1, 1, -2, i64::MIN]);
    }
}
