//! Bytes of a stream that is taken apart piece by piece.

use std::io::{self, Read};

/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// What was read of a stream and is not taken yet.
pub(crate) struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
    ended: bool,
    /// Where the next byte lies in the stream.
    pub(crate) offset: u64,
}

impl<R: Read> Buffer<R> {
    pub(crate) fn new(reader: R) -> Self {
        Buffer { reader, bytes: Vec::new(), start: 0, ended: false, offset: 0 }
    }

    /// What there is.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Takes the first bytes away.
    pub(crate) fn consume(&mut self, len: usize) {
        self.start += len;
        self.offset += len as u64;
    }

    /// Reads more, at least doubling what there is; `false` at the end of the stream.
    pub(crate) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.bytes.drain(..self.start);
        self.start = 0;
        let want = self.bytes.len().max(CHUNK) as u64;
        let read = (&mut self.reader).take(want).read_to_end(&mut self.bytes)?;
        self.ended = (read as u64) < want;
        Ok(read > 0)
    }

    /// Reads until there are `len` bytes; `false` when the stream has less.
    pub(crate) fn have(&mut self, len: usize) -> io::Result<bool> {
        while self.rest().len() < len {
            if !self.fill()? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
