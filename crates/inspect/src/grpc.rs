//! The frames of gRPC: whether the message is compressed, its length, the message. gRPC-Web marks a frame of trailers.

use std::io::Read;
use std::ops::ControlFlow;

use wirewise_core::{Error, ErrorKind, Role, Span};

use crate::buffer::Buffer;
use crate::item::{Label, span};
use crate::layers;
use crate::walk::{Body, Failure, Walk};

/// Bytes of a frame before its message.
pub(crate) const HEAD: usize = 5;

/// The flag of a frame that has the trailers of gRPC-Web.
const TRAILERS: u8 = 0x80;

pub(crate) fn walk(walk: &mut Walk<'_>, reader: impl Read) -> Result<(), Failure> {
    let codec = walk.reading.codec()?;
    let mut buffer = Buffer::new(reader);
    loop {
        if !buffer.have(1)? || walk.is_enough() {
            return Ok(());
        }
        let whole = buffer.have(HEAD)?;
        let offset = buffer.offset;
        let Some(&[flag, a, b, c, d]) = buffer.rest().first_chunk().filter(|_| whole) else {
            let rest = buffer.rest();
            let error = Error::end(rest.len(), "a flag and 4 bytes of length");
            let _: ControlFlow<()> = walk.outside(Label::Framing, offset, rest, Vec::new(), Some(error));
            return Ok(());
        };
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let problem = if !matches!(flag & !TRAILERS, 0 | 1) {
            Some(Error::syntax(0, format!("a gRPC frame begins with 0 or 1, not with 0x{flag:02x}")))
        } else if length > walk.limits.message_bytes {
            let most = walk.limits.message_bytes;
            let what = format!("the message says it has {length} bytes, more than the limit of {most}");
            Some(Error::new(ErrorKind::Limit, what).at(1).hint("is this the right framing?"))
        } else {
            None
        };
        if problem.is_some() {
            let _: ControlFlow<()> = walk.outside(Label::Framing, offset, buffer.rest(), Vec::new(), problem);
            return Ok(());
        }
        let whole = buffer.have(HEAD + length)?;
        let rest = buffer.rest();
        let (head, rest) = rest.split_at(HEAD);
        if walk.framing(offset, head, spans(flag, length)).is_break() {
            return Ok(());
        }
        let bytes = &rest[..rest.len().min(length)];
        let cut =
            (!whole).then(|| Error::end(bytes.len(), format_args!("{} more bytes of a message", length - bytes.len())));
        let body = Body { bytes, offset: offset + HEAD as u64, within: None };
        let flow = match flag {
            0 => walk.message(body, codec, cut),
            1 if cut.is_none() => packed(walk, &body, codec),
            1 => walk.traced(&body, wirewise_core::Recorder::new().into(), cut),
            _ => {
                let text = String::from_utf8_lossy(bytes).trim_end().replace("\r\n", ", ");
                let spans = vec![span(0..bytes.len(), Role::Header, "trailers", text)];
                walk.outside(Label::Framing, body.offset, bytes, spans, cut)
            }
        };
        if flow.is_break() {
            return Ok(());
        }
        let used = HEAD + bytes.len();
        buffer.consume(used);
    }
}

fn spans(flag: u8, length: usize) -> Vec<Span> {
    let what = match flag {
        0 => "not compressed",
        1 => "compressed",
        _ => "trailers of gRPC-Web",
    };
    vec![
        span(0..1, Role::Header, "gRPC flag", what),
        span(1..HEAD, Role::Length, "length of the message, big-endian", length.to_string()),
    ]
}

/// A message that is compressed. The frame does not say how (a header of the call does), but its bytes do.
fn packed(walk: &mut Walk<'_>, body: &Body<'_>, codec: &dyn wirewise_formats::Codec) -> ControlFlow<()> {
    let compressor = layers::detect(body.bytes).ok_or_else(|| {
        let what = "the message is compressed, and not with gzip, zstd or lz4";
        Error::new(ErrorKind::Unsupported, what).at(0)
    });
    let unpacked = compressor.and_then(|compressor| {
        let unpacked = layers::unpack(compressor, body.bytes, walk.limits.message_bytes)?;
        Ok((compressor.info().name, unpacked))
    });
    match unpacked {
        Err(error) => walk.traced(body, wirewise_core::Recorder::new().into(), Some(error)),
        Ok((name, unpacked)) => {
            let (spans, len) = (layers::spans(name, body.bytes), unpacked.len() as u64);
            walk.outside(Label::Packed { unpacked: len }, body.offset, body.bytes, spans, None)?;
            let within = format!("message {}, decompressed", walk.summary.messages + 1);
            walk.message(Body { bytes: &unpacked, offset: 0, within: Some(&within) }, codec, None)
        }
    }
}
