//! Avro object containers: a header with the schema, then blocks of values.

use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use wirewise_core::{Error, ErrorKind, Recorder, Role, Span};
use wirewise_formats::avro;
use wirewise_formats::avro::container::{BlockReader, Header};

use crate::buffer::Buffer;
use crate::confluent::zigzag;
use crate::item::{Label, span};
use crate::walk::{Body, Failure, Walk};

/// Values without any bytes that a block may have.
const MOST_EMPTY: u64 = 1 << 20;

pub(crate) fn walk(walk: &mut Walk<'_>, reader: impl Read) -> Result<(), Failure> {
    let mut buffer = Buffer::new(reader);
    let (header, schema) = loop {
        match Header::parse(buffer.rest()) {
            Ok((header, used)) => {
                let spans = header_spans(buffer.rest(), used);
                let schema = match &walk.reading.schema {
                    Some(schema) => Ok(schema.clone()),
                    None => avro::parse_schema(&header.schema).map(Arc::new),
                };
                let (problem, schema) = match schema {
                    Ok(schema) => (None, Some(schema)),
                    Err(error) => (Some(error.at(schema_place(&spans))), None),
                };
                let flow = walk.outside(Label::Framing, 0, &buffer.rest()[..used], spans, problem);
                let (Some(schema), ControlFlow::Continue(())) = (schema, flow) else { return Ok(()) };
                buffer.consume(used);
                break (header, schema);
            }
            Err(error) if error.kind() == ErrorKind::End && buffer.fill()? => {}
            Err(error) => {
                let spans = header_spans(buffer.rest(), buffer.rest().len());
                let _: ControlFlow<()> = walk.outside(Label::Framing, 0, buffer.rest(), spans, Some(error));
                return Ok(());
            }
        }
    };
    let codec = avro::plan_for_container(&schema, &header)?;
    let mut blocks = BlockReader::new(&header, walk.limits);
    let mut number = 0u64;
    loop {
        if !buffer.have(1)? {
            return Ok(());
        }
        have_block(&mut buffer, walk.limits.message_bytes)?;
        number += 1;
        let offset = buffer.offset;
        let block = match blocks.next(buffer.rest()) {
            Ok(block) => block,
            Err(error) => {
                let spans = block_head(buffer.rest());
                let _: ControlFlow<()> = walk.outside(Label::Framing, offset, buffer.rest(), spans, Some(error));
                return Ok(());
            }
        };
        if block.count > 0 && walk.is_enough() {
            return Ok(());
        }
        let stored = &buffer.rest()[..block.used];
        let head = block_head(stored);
        let data = head.last().map_or(0, |span| span.bytes.end);
        let end = block.used - SYNC;
        if walk.framing(offset, &stored[..data], head).is_break() {
            return Ok(());
        }
        let place = offset + data as u64;
        let mut values = Values { place, within: None };
        if block.offset.is_none() {
            let what = format!("values, compressed ({})", header.codec.name());
            let spans = vec![span(0..end - data, Role::Payload, what, "")];
            let label = Label::Packed { unpacked: block.data.len() as u64 };
            if walk.outside(label, place, &stored[data..end], spans, None).is_break() {
                return Ok(());
            }
            values = Values { place: 0, within: Some(format!("block {number}, decompressed")) };
        }
        if values.walk(walk, block.data, block.count, &*codec).is_break() {
            return Ok(());
        }
        let sync = vec![span(0..SYNC, Role::Check, "sync marker", "")];
        if walk.framing(offset + end as u64, &stored[end..], sync).is_break() {
            return Ok(());
        }
        let used = block.used;
        buffer.consume(used);
    }
}

/// Bytes of a sync marker.
const SYNC: usize = 16;

/// Where the values of a block lie.
struct Values {
    place: u64,
    within: Option<String>,
}

impl Values {
    fn walk(
        &self,
        walk: &mut Walk<'_>,
        data: &[u8],
        count: u64,
        codec: &dyn wirewise_formats::Codec,
    ) -> ControlFlow<()> {
        let within = self.within.as_deref();
        let mut pos = 0;
        for left in (0..count).rev() {
            if walk.is_enough() {
                return ControlFlow::Break(());
            }
            let mut recorder = walk.recorder();
            let offset = self.place + pos as u64;
            let rest = &data[pos..];
            match walk.trace(codec, rest, &mut recorder) {
                Ok(0) if left > MOST_EMPTY => {
                    let what = format!(
                        "a block has {left} more values without any bytes, more than the limit of {MOST_EMPTY}"
                    );
                    let error = Error::new(ErrorKind::Limit, what);
                    walk.traced(&Body { bytes: rest, offset, within }, recorder.into(), Some(error))?;
                }
                Ok(used) => {
                    walk.traced(&Body { bytes: &rest[..used], offset, within }, recorder.into(), None)?;
                    pos += used;
                }
                Err(error) => {
                    walk.traced(&Body { bytes: rest, offset, within }, recorder.into(), Some(error))?;
                }
            }
        }
        let rest = &data[pos..];
        if rest.is_empty() {
            return ControlFlow::Continue(());
        }
        let error = Error::syntax(0, format!("{} bytes follow the last value of a block", rest.len()));
        walk.traced(&Body { bytes: rest, offset: self.place + pos as u64, within }, Recorder::new().into(), Some(error))
    }
}

/// Reads the whole of the next block, if the stream has it and it is not too large.
fn have_block(buffer: &mut Buffer<impl Read>, most: usize) -> std::io::Result<()> {
    // Two numbers of at most 10 bytes.
    buffer.have(20)?;
    let input = buffer.rest();
    let size = zigzag(input, 0).and_then(|(_, end)| zigzag(input, end));
    match size.map(|(size, end)| (usize::try_from(size), end)) {
        Ok((Ok(size), end)) if size <= most => buffer.have(end + size + SYNC).map(drop),
        // The reader of blocks says what is wrong.
        _ => Ok(()),
    }
}

/// The count and the size that a block begins with, as far as they are there.
fn block_head(input: &[u8]) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut pos = 0;
    for what in ["values in the block", "bytes of the block"] {
        let Ok((value, end)) = zigzag(input, pos) else { break };
        spans.push(span(pos..end, Role::Length, what, value.to_string()));
        pos = end;
    }
    spans
}

/// What the bytes of a header are, as far as they go.
fn header_spans(input: &[u8], len: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    // What is wrong was said by who parsed it.
    let _ = header_fields(&input[..len], &mut spans);
    spans
}

/// Where the schema lies in a header.
fn schema_place(spans: &[Span]) -> usize {
    let name = spans.iter().position(|span| span.what == "name" && span.value == "avro.schema");
    let value = name.and_then(|name| spans[name..].iter().find(|span| span.what == "value"));
    value.map_or(0, |value| value.bytes.start)
}

fn header_fields(input: &[u8], spans: &mut Vec<Span>) -> Option<()> {
    const MOST_SHOWN: usize = 200;
    input.starts_with(b"Obj\x01").then(|| spans.push(span(0..4, Role::Header, "magic number", "\"Obj\", 1")))?;
    let mut pos = 4;
    loop {
        let (mut count, end) = zigzag(input, pos).ok()?;
        spans.push(span(pos..end, Role::Header, "entries of metadata", count.to_string()));
        pos = end;
        if count == 0 {
            break;
        }
        if count < 0 {
            count = count.checked_neg()?;
            let (size, end) = zigzag(input, pos).ok()?;
            spans.push(span(pos..end, Role::Header, "bytes of metadata", size.to_string()));
            pos = end;
        }
        for _ in 0..count {
            for what in ["name", "value"] {
                let (len, end) = zigzag(input, pos).ok()?;
                spans.push(span(pos..end, Role::Header, format!("length of the {what}"), len.to_string()));
                // Of one that is cut, what there is.
                let stop = end.checked_add(usize::try_from(len).ok()?)?.min(input.len());
                let text = &input[end..stop];
                let shown: String = String::from_utf8_lossy(&text[..text.len().min(MOST_SHOWN)]).into_owned();
                let more = if text.len() > MOST_SHOWN { "..." } else { "" };
                if !text.is_empty() {
                    spans.push(span(end..end + text.len(), Role::Header, what, format!("{shown}{more}")));
                }
                pos = end + text.len();
            }
        }
    }
    input.get(pos..pos + SYNC)?;
    spans.push(span(pos..pos + SYNC, Role::Check, "sync marker", ""));
    Some(())
}
