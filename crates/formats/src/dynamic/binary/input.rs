//! The bytes of a message, and how far they are read.

use wirewise_core::{Error, Result};

/// A position in a message.
pub(crate) struct Input<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) pos: usize,
}

impl<'a> Input<'a> {
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8> {
        match self.bytes.get(self.pos) {
            Some(&byte) => {
                self.pos += 1;
                Ok(byte)
            }
            None => Err(Error::end(self.pos, "a value")),
        }
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes.get(self.pos..).and_then(<[u8]>::first_chunk) {
            Some(array) => {
                self.pos += N;
                Ok(*array)
            }
            None => Err(Error::end(self.bytes.len(), format_args!("{N} bytes of a number or length"))),
        }
    }

    /// The next `len` bytes.
    #[inline]
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        match rest.get(..len) {
            Some(bytes) => {
                self.pos += len;
                Ok(bytes)
            }
            None => Err(Error::end(self.bytes.len(), format_args!("{} more bytes", len - rest.len()))),
        }
    }
}
