//! The framings of files.

use std::io::Read;
use std::ops::ControlFlow;

use wirewise_core::{Error, Role, Span};
use wirewise_formats::Framing;
use wirewise_transcode::Source;

use crate::confluent::varint;
use crate::item::span;
use crate::walk::{Body, Failure, Walk};

pub(crate) fn walk(walk: &mut Walk<'_>, reader: impl Read, framing: Framing) -> Result<(), Failure> {
    let codec = walk.reading.codec()?;
    let mut source = Source::new(reader, framing, walk.limits);
    loop {
        let mut recorder = walk.recorder();
        let framed = source.frame(&mut |input| {
            recorder = walk.recorder();
            walk.trace(codec, input, &mut recorder)
        });
        let Some(framed) = framed.map_err(failure)? else { break };
        if walk.is_enough() {
            return Ok(());
        }
        let offset = framed.place.offset;
        let spans = before(framing, framed.before);
        if walk.framing(offset, framed.before, spans).is_break() {
            return Ok(());
        }
        // From here on offsets count from where the message begins.
        let skipped = framed.before.len();
        let error = framed.error.map(|error| unshifted(error, skipped));
        let body = Body { bytes: framed.body, offset: offset + skipped as u64, within: None };
        let flow = match framing {
            Framing::Concatenated => walk.traced(&body, recorder.into(), error),
            _ => walk.message(body, codec, error),
        };
        if flow.is_break() {
            return Ok(());
        }
        let end = offset + (skipped + framed.body.len()) as u64;
        if walk.framing(end, framed.after, syntax(framed.after)).is_break() {
            return Ok(());
        }
    }
    let offset = source.place().offset;
    let rest = source.rest().to_vec();
    let _: ControlFlow<()> = walk.framing(offset, &rest, syntax(&rest));
    Ok(())
}

fn failure(error: wirewise_transcode::Error) -> Failure {
    match error {
        wirewise_transcode::Error::Read(error) => Failure::Read(error),
        wirewise_transcode::Error::Message { error, .. } => Failure::Plan(error),
        other => Failure::Plan(Error::new(wirewise_core::ErrorKind::Unsupported, other.to_string())),
    }
}

/// The error with its offset counted from `base` on.
fn unshifted(error: Error, base: usize) -> Error {
    match error.offset() {
        None => error,
        Some(offset) => {
            let moved = Error::new(error.kind(), error.message()).at(offset.saturating_sub(base));
            match error.advice() {
                Some(advice) => moved.hint(advice),
                None => moved,
            }
        }
    }
}

/// What stands before a message.
fn before(framing: Framing, bytes: &[u8]) -> Vec<Span> {
    let length = |what: &str, value: u64| vec![span(0..bytes.len(), Role::Length, what, value.to_string())];
    match (framing, bytes.first_chunk()) {
        (Framing::Varint, _) => match varint(bytes, 0) {
            Ok((value, end)) if end == bytes.len() => length("length of the message, varint", value),
            _ => Vec::new(),
        },
        (Framing::U32Be, Some(bytes)) => length("length of the message, big-endian", u32::from_be_bytes(*bytes).into()),
        (Framing::U32Le, Some(bytes)) => {
            length("length of the message, little-endian", u32::from_le_bytes(*bytes).into())
        }
        _ => syntax(bytes),
    }
}

/// Brackets, commas and line feeds between messages.
fn syntax(bytes: &[u8]) -> Vec<Span> {
    let text: String = String::from_utf8_lossy(bytes).split_ascii_whitespace().collect();
    let what = match (text.is_empty(), bytes) {
        (false, _) => "punctuation",
        (true, b"\n" | b"\r\n") => "end of line",
        (true, _) => "white space",
    };
    if bytes.is_empty() { Vec::new() } else { vec![span(0..bytes.len(), Role::Syntax, what, text)] }
}
