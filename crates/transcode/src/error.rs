//! Errors of streams: which message, and where in the stream.

use std::{fmt, io};

/// Where a message begins in its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Messages before it.
    pub message: u64,
    /// Bytes before it.
    pub offset: u64,
    /// Its line, from 1.
    pub line: u64,
    /// Its column in bytes, from 1.
    pub column: u64,
}

impl Place {
    /// The start of a stream.
    pub(crate) fn start() -> Self {
        Place { message: 0, offset: 0, line: 1, column: 1 }
    }

    /// The place after `bytes`.
    pub(crate) fn advance(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        match memchr::memrchr(b'\n', bytes) {
            None => self.column += bytes.len() as u64,
            Some(last) => {
                self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
                self.column = (bytes.len() - last) as u64;
            }
        }
    }
}

/// Why a stream could not be read, converted or written.
#[derive(Debug)]
pub enum Error {
    /// A message is wrong, or the target cannot hold it.
    Message {
        /// Where the error happened: exactly where the error has an offset, else where the message begins.
        place: Place,
        /// What is wrong with it; its offset counts from the message's start.
        error: wirewise_core::Error,
    },
    /// Reading failed.
    Read(io::Error),
    /// Writing failed.
    Write(io::Error),
    /// What was asked for makes no sense: the text says why.
    Usage(String),
}

impl Error {
    /// An error in the message that begins at `start` and whose bytes are `message`.
    pub(crate) fn in_message(error: wirewise_core::Error, start: Place, message: &[u8]) -> Self {
        let mut place = start;
        if let Some(offset) = error.offset() {
            place.advance(&message[..offset.min(message.len())]);
        }
        Error::Message { place, error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Message { place, error } => write!(f, "message {}: {error}", place.message + 1),
            Error::Read(error) => write!(f, "cannot read: {error}"),
            Error::Write(error) => write!(f, "cannot write: {error}"),
            Error::Usage(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<wirewise_core::Error> for Error {
    fn from(error: wirewise_core::Error) -> Self {
        Error::Message { place: Place::start(), error }
    }
}
