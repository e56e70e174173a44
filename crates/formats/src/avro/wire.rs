//! Avro's primitives: zigzag integers, and bytes after their length.

use wirewise_core::{Error, ErrorKind, Out, Result, varint};

/// A position in the bytes of a message, or of a block of a container.
pub(super) struct Reader<'a> {
    pub(super) input: &'a [u8],
    pub(super) pos: usize,
    pub(super) place: Place,
}

/// What the input of a [`Reader`] is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the message; more bytes may follow.
    Message,
    /// It begins at this offset, and is complete.
    Block(usize),
    /// It was compressed at this offset: all errors are there.
    Compressed(usize),
}

impl<'a> Reader<'a> {
    /// Where a position lies in the whole input.
    pub(super) fn offset(&self, pos: usize) -> usize {
        match self.place {
            Place::Message => pos,
            Place::Block(start) => start + pos,
            Place::Compressed(start) => start,
        }
    }

    #[cold]
    pub(super) fn syntax(&self, at: usize, message: impl Into<String>) -> Error {
        Error::syntax(self.offset(at), message)
    }

    #[cold]
    pub(super) fn data(&self, at: usize, message: impl Into<String>) -> Error {
        Error::data(self.offset(at), message)
    }

    #[cold]
    pub(super) fn ended(&self, expected: &str) -> Error {
        match self.place {
            Place::Message => Error::end(self.input.len(), expected),
            _ => self.syntax(self.input.len(), format!("the block ends, but {expected} should follow")),
        }
    }

    /// An error in text that a complete string holds: more bytes would not help.
    #[cold]
    pub(super) fn inside(&self, error: Error) -> Error {
        let kind = if error.kind() == ErrorKind::End { ErrorKind::Syntax } else { error.kind() };
        match self.place {
            Place::Compressed(start) => Error::new(kind, error.message()).at(start),
            _ if kind == error.kind() => error,
            _ => Error::new(kind, error.message()).at(error.offset().unwrap_or_default()),
        }
    }

    /// An `int` or `long`: zigzag, 7 bits to a byte, the lowest first.
    #[inline]
    pub(super) fn long(&mut self) -> Result<i64> {
        let mut value = 0;
        for i in 0..10 {
            let Some(&byte) = self.input.get(self.pos + i) else { return Err(self.ended("the rest of an integer")) };
            if i == 9 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                self.pos += i + 1;
                return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        Err(self.syntax(self.pos, "an integer has more than 64 bits"))
    }

    /// Exactly this many bytes.
    #[inline]
    pub(super) fn take(&mut self, len: usize, expected: &str) -> Result<&'a [u8]> {
        match self.input.get(self.pos..).and_then(|rest| rest.get(..len)) {
            Some(bytes) => {
                self.pos += len;
                Ok(bytes)
            }
            None => Err(self.ended(expected)),
        }
    }

    /// A length, which no message exceeds.
    #[inline]
    pub(super) fn len(&mut self, most: usize) -> Result<usize> {
        let at = self.pos;
        let len = self.long()?;
        match usize::try_from(len) {
            Ok(len) if len <= most => Ok(len),
            Ok(_) => Err(Error::new(ErrorKind::Limit, format!("a length of {len} bytes is above the limit of {most}"))
                .at(self.offset(at))),
            Err(_) => Err(self.syntax(at, format!("the length {len} is negative"))),
        }
    }
}

/// An `int` or `long` at `pos`, which is then after it; `None` as [`varint::usual`].
#[inline(always)]
pub(super) fn usual_long(input: &[u8], pos: &mut usize) -> Option<i64> {
    varint::usual(input, pos).map(varint::unzigzag)
}

/// Appends an `int` or `long`.
#[inline]
pub(super) fn write_long(value: i64, out: &mut Vec<u8>) {
    Out::new(out).varint(varint::zigzag(value));
}

/// Appends bytes after their length.
#[inline]
pub(super) fn write_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    write_long(bytes.len() as i64, out);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Result<i64> {
        Reader { input, pos: 0, place: Place::Message }.long()
    }

    #[test]
    fn longs() {
        for (value, bytes) in [(0, &b"\x00"[..]), (-1, b"\x01"), (1, b"\x02"), (-64, b"\x7f"), (64, b"\x80\x01")] {
            let mut out = Vec::new();
            write_long(value, &mut out);
            assert_eq!(out, bytes);
        }
        for value in [i64::MIN, i64::MAX, -65, 1 << 40] {
            let mut out = Vec::new();
            write_long(value, &mut out);
            let len = out.len();
            assert_eq!(read(&out).unwrap(), value);
            out.resize(20, 0);
            let mut pos = 0;
            // Those of nine and ten bytes are unusual.
            let usual = if len <= 8 { (Some(value), len) } else { (None, 0) };
            assert_eq!((usual_long(&out, &mut pos), pos), usual);
            assert_eq!(read(&out[..len - 1]).unwrap_err().kind(), ErrorKind::End);
        }
        // Longer than needed is allowed; longer than 64 bits is not.
        assert_eq!(read(b"\x82\x80\x00").unwrap(), 1);
        assert_eq!(read(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").unwrap_err().kind(), ErrorKind::Syntax);
        assert_eq!(read(&[0x80; 11]).unwrap_err().kind(), ErrorKind::Syntax);
    }
}
