//! Walking over a stream.

use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;

use wirewise_core::{Arena, Error, ErrorKind, Limits, LossKind, Losses, Recorder, Span, Total};
use wirewise_formats::{Codec, Framing};

use crate::by_field::ByField;
use crate::item::{self, Item, Label};
use crate::reading::{Frames, Reading};
use crate::{confluent, container, frames, grpc};

/// What was found, all in all.
#[derive(Debug, Default)]
pub struct Summary {
    /// Messages, the broken one included.
    pub messages: u64,
    /// Bytes of the stream that they and what is around them take.
    pub bytes: u64,
    /// Why the stream was not read to its end.
    pub broken: Option<Broken>,
    /// Whether there are more messages, which were not asked for.
    pub more: bool,
}

/// What is wrong with a stream.
#[derive(Debug)]
pub struct Broken {
    /// Messages before the broken one.
    pub message: u64,
    /// Where it stopped being valid: in the stream, or in what `within` names.
    pub offset: u64,
    /// What the offset counts in, where that is not the stream.
    pub within: Option<String>,
    /// What is wrong. Its own offset counts from the start of a message.
    pub error: Error,
}

/// Why a stream could not be walked over at all.
#[derive(Debug)]
pub enum Failure {
    /// It cannot be read.
    Read(io::Error),
    /// It cannot be read in this way.
    Plan(Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Read(error) => write!(f, "cannot read: {error}"),
            Failure::Plan(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Read(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Plan(error)
    }
}

/// Whoever wants the items; it may say that it has seen enough.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&Item<'_>) -> ControlFlow<()>;

/// Explains a stream piece by piece, up to `most` messages if that is given. It ends at the first broken message, which
/// is explained as far as it goes.
///
/// Fields that the schema does not know are shown, and are no errors; nor is any other loss.
///
/// # Errors
/// [`Failure::Read`]; and [`Failure::Plan`] when a container has another schema than the one it should be read with.
pub fn inspect(
    reader: impl Read,
    reading: &Reading,
    limits: Limits,
    most: Option<u64>,
    each: &mut dyn FnMut(&Item<'_>) -> ControlFlow<()>,
) -> Result<Summary, Failure> {
    walk(reader, reading, limits, most, false, each)
}

/// Where the bytes of a stream go. As [`inspect`], but of messages only sums are kept, so that memory does not grow with
/// the values in a message either.
///
/// # Errors
/// As [`inspect`].
pub fn by_field(
    reader: impl Read,
    reading: &Reading,
    limits: Limits,
    most: Option<u64>,
) -> Result<(ByField, Summary), Failure> {
    let mut sums = ByField::default();
    let summary = walk(reader, reading, limits, most, true, &mut |item| {
        sums.add(item);
        ControlFlow::Continue(())
    })?;
    Ok((sums, summary))
}

fn walk(
    reader: impl Read,
    reading: &Reading,
    limits: Limits,
    most: Option<u64>,
    adds_up: bool,
    each: Each<'_>,
) -> Result<Summary, Failure> {
    let losses = Losses::allowing(LossKind::ALL);
    let (arena, summary) = (Arena::new(limits), Summary::default());
    let mut walk = Walk { reading, limits, most, adds_up, each, arena, losses, summary };
    match reading.frames {
        Frames::Framing(Framing::AvroContainer) => container::walk(&mut walk, reader)?,
        Frames::Framing(framing) => frames::walk(&mut walk, reader, framing)?,
        Frames::Grpc => grpc::walk(&mut walk, reader)?,
    }
    Ok(walk.summary)
}

/// What all ways of framing share.
pub(crate) struct Walk<'a> {
    pub(crate) reading: &'a Reading,
    pub(crate) limits: Limits,
    most: Option<u64>,
    /// Whether of messages only the sums are wanted.
    adds_up: bool,
    each: Each<'a>,
    arena: Arena,
    losses: Losses,
    pub(crate) summary: Summary,
}

/// The bytes of a message.
pub(crate) struct Body<'a> {
    pub(crate) bytes: &'a [u8],
    /// Where they lie: in the stream, or in what `within` names.
    pub(crate) offset: u64,
    pub(crate) within: Option<&'a str>,
}

impl Walk<'_> {
    /// Whether no other message is wanted. Ask only when there is one.
    pub(crate) fn is_enough(&mut self) -> bool {
        let enough = self.most.is_some_and(|most| self.summary.messages >= most);
        self.summary.more |= enough;
        enough
    }

    /// For a message.
    pub(crate) fn recorder(&self) -> Recorder {
        if self.adds_up { Recorder::adding_up() } else { Recorder::new() }
    }

    /// Traces a message.
    pub(crate) fn trace(&mut self, codec: &dyn Codec, input: &[u8], recorder: &mut Recorder) -> Result<usize, Error> {
        self.losses.reset();
        codec.trace(input, &mut self.arena, &mut self.losses, recorder)
    }

    /// Bytes around messages.
    pub(crate) fn framing(&mut self, offset: u64, bytes: &[u8], spans: Vec<Span>) -> ControlFlow<()> {
        self.outside(Label::Framing, offset, bytes, spans, None)
    }

    /// Bytes around messages; an error ends the walk.
    pub(crate) fn outside(
        &mut self,
        label: Label,
        offset: u64,
        bytes: &[u8],
        spans: Vec<Span>,
        error: Option<Error>,
    ) -> ControlFlow<()> {
        if bytes.is_empty() && error.is_none() {
            return ControlFlow::Continue(());
        }
        self.summary.bytes += bytes.len() as u64;
        self.emit(label, &Body { bytes, offset, within: None }, spans.into(), error)
    }

    /// A message, with what is around it inside of its frame. `cut` is what is wrong with the frame.
    pub(crate) fn message(&mut self, body: Body<'_>, codec: &dyn Codec, cut: Option<Error>) -> ControlFlow<()> {
        let mut header = 0;
        if self.reading.confluent {
            let mut spans = Vec::new();
            match confluent::header(body.bytes, self.reading.protobuf, &mut spans) {
                Ok(len) => header = len,
                Err(error) => return self.traced(&body, spans.into(), Some(error)),
            }
            let head = Body { bytes: &body.bytes[..header], ..body };
            self.count(&head);
            self.emit(Label::Framing, &head, spans.into(), None)?;
        }
        let bytes = &body.bytes[header..];
        let mut recorder = self.recorder();
        let error = match self.trace(codec, bytes, &mut recorder) {
            Ok(used) if used < bytes.len() => {
                let left = bytes.len() - used;
                Some(Error::syntax(used, format!("{left} bytes follow the end of the message")))
            }
            Ok(_) => cut,
            // That the frame is not whole says more than that the message is not.
            Err(error) if error.kind() == ErrorKind::End && cut.is_some() => cut,
            Err(error) => Some(error),
        };
        let body = Body { bytes, offset: body.offset + header as u64, ..body };
        self.traced(&body, recorder.into(), error)
    }

    /// A message that was traced.
    pub(crate) fn traced(&mut self, body: &Body<'_>, recorded: Recorded, error: Option<Error>) -> ControlFlow<()> {
        self.count(body);
        let index = self.summary.messages;
        let flow = self.emit(Label::Message { index }, body, recorded, error);
        self.summary.messages += 1;
        flow
    }

    /// Bytes of the stream itself, not of something that was decompressed, which are counted where they are packed.
    fn count(&mut self, body: &Body<'_>) {
        if body.within.is_none() {
            self.summary.bytes += body.bytes.len() as u64;
        }
    }

    fn emit(&mut self, label: Label, body: &Body<'_>, recorded: Recorded, error: Option<Error>) -> ControlFlow<()> {
        let (bytes, offset, within) = (body.bytes, body.offset, body.within);
        let broken = error.is_some();
        if let Some(error) = &error {
            self.summary.broken = Some(Broken {
                message: self.summary.messages,
                offset: offset + error.offset().unwrap_or(0).min(bytes.len()) as u64,
                within: within.map(str::to_owned),
                error: error.clone(),
            });
        }
        let Recorded { spans, totals, truncated } = recorded;
        // Sums say nothing of bytes that were not explained; whoever adds up counts what is missing.
        let is_sum = self.adds_up && spans.is_empty() && matches!(label, Label::Message { .. });
        let rows = if is_sum { Vec::new() } else { item::rows(spans, bytes.len(), error.as_ref()) };
        let flow = (self.each)(&Item { label, offset, within, bytes, rows, totals, error, truncated });
        if broken { ControlFlow::Break(()) } else { flow }
    }
}

/// What a decoder said.
pub(crate) struct Recorded {
    spans: Vec<Span>,
    totals: Vec<Total>,
    truncated: bool,
}

impl From<Vec<Span>> for Recorded {
    fn from(spans: Vec<Span>) -> Self {
        Recorded { spans, totals: Vec::new(), truncated: false }
    }
}

impl From<Recorder> for Recorded {
    fn from(mut recorder: Recorder) -> Self {
        let (totals, truncated) = (recorder.totals(), recorder.is_truncated());
        Recorded { spans: recorder.finish(), totals, truncated }
    }
}
