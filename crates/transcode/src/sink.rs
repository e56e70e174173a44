//! Putting messages into a stream.

use std::io::Write;

use wirewise_core::{Document, Losses};
use wirewise_formats::avro::container::{Header, Writer};
use wirewise_formats::{Codec, Framing};

use crate::Error;

/// Bytes gathered before they are written.
const CHUNK: usize = 64 << 10;

/// A stream of messages being written.
pub struct Sink<W> {
    writer: W,
    framing: Framing,
    /// Whole frames that are not written yet.
    ready: Vec<u8>,
    message: Vec<u8>,
    count: u64,
    /// Whether a stream of one message is that message alone.
    bare_when_single: bool,
    /// Whether messages are text: one after the other, two numbers would become one.
    text: bool,
    container: Option<Writer>,
}

impl<W: Write> Sink<W> {
    /// A stream with messages framed as `framing` says.
    pub fn new(writer: W, framing: Framing) -> Self {
        Sink {
            writer,
            framing,
            ready: Vec::new(),
            message: Vec::new(),
            count: 0,
            bare_when_single: false,
            text: false,
            container: None,
        }
    }

    /// An Avro container with this header; the messages are to be encoded as plain Avro values.
    pub fn container(writer: W, header: &Header) -> Self {
        let mut sink = Sink::new(writer, Framing::AvroContainer);
        sink.container = Some(Writer::begin(header, &mut sink.ready));
        sink
    }

    /// A stream that turns out to have one message is written without its length, as a file of one message usually
    /// is: for framings that put a length before each message.
    #[must_use]
    pub fn bare_when_single(mut self) -> Self {
        self.bare_when_single = matches!(self.framing, Framing::Varint | Framing::U32Be | Framing::U32Le);
        self
    }

    /// A stream whose messages are text, which stand on lines of their own when nothing else parts them.
    #[must_use]
    pub fn text(mut self, text: bool) -> Self {
        self.text = text;
        self
    }

    /// Encodes a message and adds it. Nothing of a message that cannot be encoded is written.
    ///
    /// # Errors
    /// What encoding or writing says; [`Error::Usage`] for a second message without a framing.
    pub fn put(&mut self, codec: &dyn Codec, document: &Document<'_>, losses: &mut Losses) -> Result<(), Error> {
        self.message.clear();
        codec.encode(document, &mut self.message, losses)?;
        if self.count > 0 && self.framing == Framing::None {
            return Err(Error::Usage(
                "there is more than one message, and nothing would tell them apart in the output".to_owned(),
            ));
        }
        self.count += 1;
        match self.count {
            // Only the second message tells whether the first needs a frame.
            1 if self.bare_when_single => {
                std::mem::swap(&mut self.ready, &mut self.message);
                return Ok(());
            }
            2 if self.bare_when_single => {
                let second = std::mem::take(&mut self.message);
                self.message = std::mem::take(&mut self.ready);
                self.frame()?;
                self.message = second;
            }
            _ => {}
        }
        self.frame()?;
        if self.ready.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    /// Adds the encoded message, in its frame, to what is ready.
    fn frame(&mut self) -> Result<(), Error> {
        let length = self.message.len();
        match self.framing {
            Framing::Concatenated if length == 0 => {
                return Err(Error::Usage(
                    "the message takes no bytes, so that nothing would tell it from no message".to_owned(),
                ));
            }
            Framing::None | Framing::Concatenated | Framing::Lines => {}
            Framing::AvroContainer => {
                let container = self.container.as_mut().ok_or_else(|| {
                    Error::Usage("an Avro container needs the schema of its values: see Sink::container".to_owned())
                })?;
                return Ok(container.append(&self.message, &mut self.ready)?);
            }
            Framing::JsonArray => self.ready.extend_from_slice(if self.count == 1 { b"[\n" } else { b",\n" }),
            Framing::Varint => write_varint(length as u64, &mut self.ready),
            Framing::U32Be | Framing::U32Le => {
                let short = u32::try_from(length).map_err(|_| {
                    Error::Usage(format!("a message of {length} bytes is too long for a length of 4 bytes"))
                })?;
                let bytes = if self.framing == Framing::U32Be { short.to_be_bytes() } else { short.to_le_bytes() };
                self.ready.extend_from_slice(&bytes);
            }
        }
        self.ready.extend_from_slice(&self.message);
        if self.framing == Framing::Lines || (self.framing == Framing::Concatenated && self.text) {
            self.ready.push(b'\n');
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        let written = self.writer.write_all(&self.ready);
        self.ready.clear();
        written.map_err(Error::Write)
    }

    /// Writes what is left and what ends the stream.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(mut self) -> Result<W, Error> {
        if self.framing == Framing::JsonArray {
            self.ready.extend_from_slice(if self.count == 0 { b"[]\n" } else { b"\n]\n" });
        }
        if let Some(container) = &mut self.container {
            container.flush(&mut self.ready)?;
        }
        self.flush()?;
        self.writer.flush().map_err(Error::Write)?;
        Ok(self.writer)
    }

    /// Writes what is complete, after an error: whole frames only, and no end.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn abandon(mut self) -> Result<(), Error> {
        self.flush()?;
        self.writer.flush().map_err(Error::Write)
    }
}

fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
