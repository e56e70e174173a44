//! Taking messages out of a stream.

use std::io::Read;
use std::ops::Range;

use wirewise_core::{Arena, Document, ErrorKind, Limits, Losses, Result};
use wirewise_formats::avro::container::{BlockReader, Header};
use wirewise_formats::{Codec, Framing};

use crate::json_array::{self, Element, skip_space};
use crate::{Error, Place};

/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// Values without any bytes that a block of a container may have.
const MOST_EMPTY: u64 = 1 << 20;

/// A stream of messages.
pub struct Source<R> {
    reader: R,
    framing: Framing,
    limits: Limits,
    arena: Arena,
    /// Bytes read and not yet consumed are `buffer[start..]`.
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
    /// Where `start` is in the stream.
    place: Place,
    state: State,
}

/// Where the stream is in what surrounds its messages.
enum State {
    /// Before anything.
    Begin,
    /// Between messages.
    Open,
    /// In a container, after its header: what is left of the current block.
    Container { blocks: Box<BlockReader>, block: Vec<u8>, at: usize, left: u64 },
    /// After the last message.
    Done,
}

impl<R: Read> Source<R> {
    /// A stream of messages framed as `framing` says. Every message obeys `limits`.
    pub fn new(reader: R, framing: Framing, limits: Limits) -> Self {
        Source {
            reader,
            framing,
            limits,
            arena: Arena::new(limits),
            buffer: Vec::new(),
            start: 0,
            ended: false,
            place: Place::start(),
            state: State::Begin,
        }
    }

    /// Keeps fields that the schema does not know, for an encoder that can write them back: see
    /// [`Arena::keep_unknown`].
    #[must_use]
    pub fn keep_unknown(mut self) -> Self {
        self.arena.keep_unknown(true);
        self
    }

    /// Where the next message begins, more or less: white space and lengths may come before it.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Decodes the next message; `None` after the last one. After an error the stream is at its end.
    ///
    /// # Errors
    /// What reading or decoding says, with the message's place in the stream.
    pub fn next<'a>(&'a mut self, codec: &'a dyn Codec, losses: &mut Losses) -> Result<Option<Document<'a>>, Error>
    where
        R: Read,
    {
        if matches!(self.state, State::Done) {
            return Ok(None);
        }
        if self.framing == Framing::AvroContainer {
            return self.next_in_container(codec, losses);
        }
        loop {
            let framed = match self.split() {
                Ok(framed) => framed,
                Err(error) => return Err(self.fail(error)),
            };
            match framed {
                Frame::End => {
                    self.state = State::Done;
                    return Ok(None);
                }
                Frame::Partial => self.fill()?,
                Frame::Cut { error, .. } => return Err(self.fail(error)),
                Frame::Message { body, next } => {
                    let body = self.start + body.start..self.start + body.end;
                    let mut start = self.place;
                    start.advance(&self.buffer[self.start..body.start]);
                    match codec.decode(&self.buffer[body.clone()], &mut self.arena, losses) {
                        Ok(_) => {}
                        Err(error) => {
                            self.state = State::Done;
                            return Err(Error::in_message(error, start, &self.buffer[body]));
                        }
                    }
                    self.consume(next);
                    return Ok(Some(Document::new(codec.schema(), &self.buffer[body], &self.arena)));
                }
                Frame::Delimits => {
                    let rest = &self.buffer[self.start..];
                    // The buffer may have more than one message can have.
                    let input = &rest[..rest.len().min(self.limits.message_bytes)];
                    // What an attempt dropped must not count when there is another one.
                    let before = (!self.ended && losses.total() > 0).then(|| losses.clone());
                    let forget = |losses: &mut Losses| match before {
                        Some(before) => *losses = before,
                        None => losses.reset(),
                    };
                    match codec.read(input, &mut self.arena, losses) {
                        // A number, for one, may go on in what is not read yet.
                        Ok(used) if used == rest.len() && !self.ended => {
                            forget(losses);
                            self.fill()?;
                        }
                        // A message of no bytes would come for ever.
                        Ok(0) => {
                            return Err(self.fail(no_bytes()));
                        }
                        Ok(used) => {
                            let body = self.start..self.start + used;
                            self.consume(used);
                            return Ok(Some(Document::new(codec.schema(), &self.buffer[body], &self.arena)));
                        }
                        Err(error) if error.kind() == ErrorKind::End && input.len() < rest.len() => {
                            let error = self.too_long();
                            return Err(self.fail(error));
                        }
                        Err(error) if error.kind() == ErrorKind::End && !self.ended => {
                            forget(losses);
                            self.fill()?;
                        }
                        Err(error) => return Err(self.fail(error)),
                    }
                }
            }
        }
    }

    /// The next message as it stands in the stream, with the bytes around it and not decoded; `None` after the last
    /// one: then [`Source::rest`] has what follows it. What is wrong with the stream itself comes with the bytes that it
    /// concerns, and is the end.
    ///
    /// Where messages delimit themselves, `length` says how many bytes the message takes that some input begins with.
    /// It is called again with more input when it fails with [`ErrorKind::End`].
    ///
    /// # Errors
    /// [`Error::Read`], and [`Error::Usage`] for containers, which have more than messages in them.
    pub fn frame(
        &mut self,
        length: &mut dyn FnMut(&[u8]) -> wirewise_core::Result<usize>,
    ) -> Result<Option<Framed<'_>>, Error> {
        if self.framing == Framing::AvroContainer {
            return Err(Error::Usage("the blocks of a container are not frames".to_owned()));
        }
        if matches!(self.state, State::Done) {
            return Ok(None);
        }
        let (body, next, error) = loop {
            let rest = self.buffer.len() - self.start;
            match self.split() {
                Err(error) => break (0..rest, rest, Some(error)),
                Ok(Frame::End) => {
                    self.state = State::Done;
                    return Ok(None);
                }
                Ok(Frame::Partial) if rest > self.limits.message_bytes => break (0..rest, rest, Some(self.too_long())),
                Ok(Frame::Partial) => self.fill()?,
                Ok(Frame::Cut { body, error }) => break (body..rest, rest, Some(error)),
                Ok(Frame::Message { body, next }) => break (body, next, None),
                Ok(Frame::Delimits) => {
                    let input = &self.buffer[self.start..];
                    let input = &input[..rest.min(self.limits.message_bytes)];
                    match length(input) {
                        Ok(used) if used == rest && !self.ended => self.fill()?,
                        Ok(0) => break (0..rest, rest, Some(no_bytes())),
                        Ok(used) => break (0..used, used, None),
                        Err(error) if error.kind() == ErrorKind::End && input.len() < rest => {
                            break (0..input.len(), input.len(), Some(self.too_long()));
                        }
                        Err(error) if error.kind() == ErrorKind::End && !self.ended => self.fill()?,
                        Err(error) => break (0..input.len(), input.len(), Some(error)),
                    }
                }
            }
        };
        let (start, place) = (self.start, self.place);
        self.consume(next);
        if error.is_some() {
            self.state = State::Done;
        }
        let bytes = &self.buffer[start..start + next];
        Ok(Some(Framed {
            place,
            before: &bytes[..body.start],
            body: &bytes[body.clone()],
            after: &bytes[body.end..],
            error,
        }))
    }

    /// The bytes after the last message.
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    fn next_in_container<'a>(
        &'a mut self,
        codec: &'a dyn Codec,
        losses: &mut Losses,
    ) -> Result<Option<Document<'a>>, Error> {
        loop {
            let input = &self.buffer[self.start..];
            let used = match &mut self.state {
                State::Done => return Ok(None),
                State::Container { block, at, left, .. } if *left > 0 => {
                    let place = self.place;
                    let used = match codec.read(&block[*at..], &mut self.arena, losses) {
                        // Values of no bytes cost a hostile writer nothing, and its reader time.
                        Ok(0) if *left > MOST_EMPTY => Err(wirewise_core::Error::new(
                            ErrorKind::Limit,
                            format!("a block has {left} values without any bytes, more than the limit of {MOST_EMPTY}"),
                        )),
                        read => read,
                    };
                    match used {
                        Ok(used) => {
                            let body = *at..*at + used;
                            (*at, *left) = (body.end, *left - 1);
                            self.place.message += 1;
                            let State::Container { block, .. } = &self.state else { unreachable!("matched above") };
                            return Ok(Some(Document::new(codec.schema(), &block[body], &self.arena)));
                        }
                        Err(error) => {
                            self.state = State::Done;
                            // The block is decompressed, so that an offset in it is none in the stream.
                            return Err(Error::Message { place, error });
                        }
                    }
                }
                State::Container { block, at, .. } if *at < block.len() => {
                    let rest = block.len() - *at;
                    Err(wirewise_core::Error::syntax(0, format!("{rest} bytes follow the last value of a block")))
                }
                State::Container { .. } if input.is_empty() && self.ended => {
                    self.state = State::Done;
                    return Ok(None);
                }
                State::Container { .. } if input.is_empty() => Err(wirewise_core::Error::end(0, "a block")),
                State::Container { blocks, block, at, left } => blocks.next(input).map(|next| {
                    block.clear();
                    block.extend_from_slice(next.data);
                    (*at, *left) = (0, next.count);
                    next.used
                }),
                State::Begin | State::Open => Header::parse(input).map(|(header, used)| {
                    let blocks = Box::new(BlockReader::new(&header, self.limits));
                    self.state = State::Container { blocks, block: Vec::new(), at: 0, left: 0 };
                    used
                }),
            };
            match used {
                Ok(used) => {
                    self.place.advance(&self.buffer[self.start..self.start + used]);
                    self.start += used;
                }
                Err(error) if error.kind() == ErrorKind::End && !self.ended => self.fill()?,
                Err(error) => return Err(self.fail(error)),
            }
        }
    }

    /// An error about the bytes at `start`.
    fn fail(&mut self, error: wirewise_core::Error) -> Error {
        self.state = State::Done;
        Error::in_message(error, self.place, &self.buffer[self.start..])
    }

    /// The message has been taken: the next one begins `used` bytes on.
    fn consume(&mut self, used: usize) {
        self.place.advance(&self.buffer[self.start..self.start + used]);
        self.place.message += 1;
        self.start += used;
    }

    fn too_long(&self) -> wirewise_core::Error {
        let what = format!("the message has more bytes than the limit of {}", self.limits.message_bytes);
        wirewise_core::Error::new(ErrorKind::Limit, what)
    }

    /// Reads more bytes, at least doubling what there is: work on a message that comes in pieces stays linear.
    fn fill(&mut self) -> Result<(), Error> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let have = self.buffer.len();
        if have > self.limits.message_bytes {
            let error = self.too_long();
            return Err(self.fail(error));
        }
        let want = have.max(CHUNK) as u64;
        let read = (&mut self.reader).take(want).read_to_end(&mut self.buffer).map_err(Error::Read)?;
        self.ended = read < want as usize;
        Ok(())
    }

    /// Finds the next message at `start`. Offsets count from there.
    fn split(&mut self) -> Result<Frame> {
        let bytes = &self.buffer[self.start..];
        let partial = |what: &str| {
            if self.ended { Err(wirewise_core::Error::end(bytes.len(), what)) } else { Ok(Frame::Partial) }
        };
        match self.framing {
            Framing::None => {
                if !self.ended {
                    return Ok(Frame::Partial);
                }
                // One message, even of no bytes; after it, the end.
                if matches!(self.state, State::Open) {
                    return Ok(Frame::End);
                }
                self.state = State::Open;
                Ok(Frame::whole(0..bytes.len(), bytes.len()))
            }
            Framing::Lines => {
                // Empty lines are no messages.
                let start = skip_space(bytes, 0);
                match memchr::memchr(b'\n', &bytes[start..]) {
                    Some(end) => Ok(Frame::whole(start..start + end, start + end + 1)),
                    None if !self.ended => Ok(Frame::Partial),
                    None if start == bytes.len() => Ok(Frame::End),
                    None => Ok(Frame::whole(start..bytes.len(), bytes.len())),
                }
            }
            Framing::Concatenated => Ok(match bytes.is_empty() {
                true if self.ended => Frame::End,
                true => Frame::Partial,
                false => Frame::Delimits,
            }),
            Framing::JsonArray => {
                let first = matches!(self.state, State::Begin);
                // After an element the stream stands at the comma or bracket that ended it.
                let at = match bytes.first() {
                    _ if first => match json_array::open(bytes)? {
                        None => return partial("a JSON array"),
                        Some(after) => after,
                    },
                    Some(b',') => 1,
                    _ => return self.array_end(1),
                };
                match json_array::element(&bytes[at..], first).map_err(|error| error.shifted(at))? {
                    Element::Partial if self.ended => {
                        let error = wirewise_core::Error::end(bytes.len(), "the rest of a JSON array");
                        Ok(Frame::Cut { body: skip_space(bytes, at), error })
                    }
                    Element::Partial => Ok(Frame::Partial),
                    Element::End(end) => self.array_end(at + end),
                    Element::Found { start, end } => {
                        self.state = State::Open;
                        Ok(Frame::whole(at + start..at + end, at + end))
                    }
                }
            }
            Framing::Varint => {
                let (mut length, mut at) = (0u64, 0);
                loop {
                    match bytes.get(at) {
                        None if at == 0 && self.ended => return Ok(Frame::End),
                        None => return partial("the rest of a length"),
                        Some(&byte) => {
                            if at == 9 && byte > 1 {
                                return Err(wirewise_core::Error::syntax(at, "a length of more than 64 bits"));
                            }
                            length |= u64::from(byte & 0x7F) << (7 * at);
                            at += 1;
                            if byte < 0x80 {
                                return self.counted(at, length);
                            }
                        }
                    }
                }
            }
            Framing::U32Be | Framing::U32Le => match bytes.first_chunk() {
                Some(&length) if self.framing == Framing::U32Be => self.counted(4, u32::from_be_bytes(length).into()),
                Some(&length) => self.counted(4, u32::from_le_bytes(length).into()),
                None if bytes.is_empty() && self.ended => Ok(Frame::End),
                None => partial("4 bytes of length"),
            },
            Framing::AvroContainer => unreachable!("containers have a loop of their own"),
        }
    }

    /// After the closing bracket of a JSON array, at `at`, only white space may come.
    fn array_end(&self, at: usize) -> Result<Frame> {
        let bytes = &self.buffer[self.start..];
        let rest = skip_space(bytes, at);
        if rest < bytes.len() {
            return Err(wirewise_core::Error::syntax(rest, "bytes follow the end of the array"));
        }
        Ok(if self.ended { Frame::End } else { Frame::Partial })
    }

    /// A message of `length` bytes after `prefix` bytes of length.
    fn counted(&self, prefix: usize, length: u64) -> Result<Frame> {
        if length > self.limits.message_bytes as u64 {
            let what =
                format!("the message says it has {length} bytes, more than the limit of {}", self.limits.message_bytes);
            return Err(wirewise_core::Error::new(ErrorKind::Limit, what).at(0).hint("is this the right framing?"));
        }
        let end = prefix + length as usize;
        let have = self.buffer.len() - self.start;
        if have >= end {
            Ok(Frame::whole(prefix..end, end))
        } else if self.ended {
            let error = wirewise_core::Error::end(have, format_args!("{} more bytes of a message", end - have));
            Ok(Frame::Cut { body: prefix, error })
        } else {
            Ok(Frame::Partial)
        }
    }
}

/// A message in a stream, not decoded.
#[derive(Debug)]
pub struct Framed<'a> {
    /// Where `before` begins.
    pub place: Place,
    /// What stands before it: its length, a bracket or comma, empty lines.
    pub before: &'a [u8],
    /// The message itself; when the stream is broken, what there is of it.
    pub body: &'a [u8],
    /// What ends it: a line feed.
    pub after: &'a [u8],
    /// What is wrong with the stream; the offset counts from where `before` begins.
    pub error: Option<wirewise_core::Error>,
}

fn no_bytes() -> wirewise_core::Error {
    let what = "messages of this schema take no bytes, so nothing tells one from the next";
    wirewise_core::Error::new(ErrorKind::Unsupported, what).hint("choose another framing")
}

/// What lies at the start of the unread bytes.
enum Frame {
    /// A message's bytes, and where the next one begins.
    Message { body: Range<usize>, next: usize },
    /// A message that the codec finds the end of.
    Delimits,
    /// More bytes are needed to tell.
    Partial,
    /// The stream ends in the message that begins at `body`.
    Cut { body: usize, error: wirewise_core::Error },
    /// No more messages.
    End,
}

impl Frame {
    fn whole(body: Range<usize>, next: usize) -> Frame {
        Frame::Message { body, next }
    }
}
