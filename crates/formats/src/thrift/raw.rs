//! Bytes of Thrift without a schema: they carry the ids and types of fields, so that only the names are missing.

use std::marker::PhantomData;
use std::ops::Range;

use wirewise_core::{Error, ErrorKind, Limits, Recorder, Result, Role, Tracer};

use super::protocol::{Announced, Input, Protocol, WireType};
use super::show;
use super::skip::{check_count, too_deep};

/// Explains one struct, with the envelope of a remote call if it has one, and returns how many bytes it took.
pub(super) fn explain<P: Protocol>(input: &[u8], limits: &Limits, recorder: &mut Recorder) -> Result<usize> {
    if input.len() > limits.message_bytes {
        let what = format!("the message has {} bytes, more than the limit of {}", input.len(), limits.message_bytes);
        return Err(Error::new(ErrorKind::Limit, what));
    }
    let input = Input { bytes: input, pos: 0 };
    let mut walker = Walker::<P> { input, recorder, deepest: limits.depth, protocol: PhantomData };
    if let Some(name) = envelope::<P>(walker.input.bytes) {
        walker.input.pos = name.end;
        walker.recorder.span(0..name.start, Role::Header, format_args!("head of a remote call"), format_args!(""));
        let value = show::text_or_hex(&walker.input.bytes[name.clone()]);
        walker.recorder.span(name, Role::Header, format_args!("name of the function"), format_args!("{value}"));
        if !P::VARIABLE {
            let start = walker.input.pos;
            let number = P::read_int(&mut walker.input, WireType::I32)?;
            let bytes = start..walker.input.pos;
            walker.recorder.span(bytes, Role::Header, format_args!("number of the call"), format_args!("{number}"));
        }
    }
    walker.structure(0)?;
    Ok(walker.input.pos)
}

/// Where the name of the function lies, if the bytes begin with the envelope of a remote call.
pub(super) fn envelope<P: Protocol>(bytes: &[u8]) -> Option<Range<usize>> {
    let mut input = Input { bytes, pos: 2 };
    match bytes {
        [0x80, 1, 0, 1..=4, ..] if !P::VARIABLE => input.pos = 4,
        [0x82, 0x21 | 0x41 | 0x61 | 0x81, ..] if P::VARIABLE => _ = P::read_len(&mut input).ok()?,
        _ => return None,
    }
    let len = P::read_len(&mut input).ok()?;
    let start = input.pos;
    let name = std::str::from_utf8(input.take(len, "a name").ok()?).ok()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.:".contains(c);
    (!name.is_empty() && name.chars().all(plain)).then_some(start..start + len)
}

struct Walker<'a, 'r, P> {
    input: Input<'a>,
    recorder: &'r mut Recorder,
    deepest: usize,
    protocol: PhantomData<P>,
}

impl<P: Protocol> Walker<'_, '_, P> {
    fn structure(&mut self, depth: usize) -> Result<()> {
        if depth > self.deepest {
            return Err(too_deep(self.input.pos, self.deepest));
        }
        let mut last = 0;
        loop {
            let at = self.input.pos;
            let Some(header) = P::read_field(&mut self.input, last)? else {
                let end = at..self.input.pos;
                self.recorder.span(end, Role::Syntax, format_args!("end of struct"), format_args!(""));
                return Ok(());
            };
            last = header.id;
            let name = header.id.to_string();
            self.recorder.field(&name);
            show::header(self.recorder, header, at..self.input.pos);
            self.value(header.value, depth + 1).map_err(|error| error.in_field(&name))?;
            self.recorder.leave();
        }
    }

    fn value(&mut self, announced: Announced, depth: usize) -> Result<()> {
        if depth > self.deepest {
            return Err(too_deep(self.input.pos, self.deepest));
        }
        let start = self.input.pos;
        match announced.wire {
            WireType::Struct => self.structure(depth),
            WireType::List | WireType::Set => {
                let list = P::read_list(&mut self.input)?;
                let (name, of) = (announced.wire.name(), list.items.map_or("nothing", WireType::name));
                let what = format_args!("{name} of {} {of}", list.count);
                self.recorder.span(start..self.input.pos, Role::Length, what, format_args!(""));
                check_count(&self.input, list.count, 1)?;
                let Some(items) = list.items else { return Ok(()) };
                for index in 0..list.count {
                    self.recorder.index(index);
                    let read = self.value(Announced::plain(items), depth + 1);
                    read.map_err(|error| error.in_index(index))?;
                    self.recorder.leave();
                }
                Ok(())
            }
            WireType::Map => self.map(start, depth),
            wire => {
                let value = self.scalar(announced)?;
                self.spans(wire, start, &value);
                Ok(())
            }
        }
    }

    fn map(&mut self, start: usize, depth: usize) -> Result<()> {
        let map = P::read_map(&mut self.input)?;
        let (key, value) = map.entries.map_or(("nothing", "nothing"), |(key, value)| (key.name(), value.name()));
        let what = format_args!("map of {} {key} to {value}", map.count);
        self.recorder.span(start..self.input.pos, Role::Length, what, format_args!(""));
        check_count(&self.input, map.count, 2)?;
        let Some((key, value)) = map.entries else { return Ok(()) };
        for index in 0..map.count {
            if matches!(key, WireType::Struct | WireType::List | WireType::Set | WireType::Map) {
                self.recorder.index(index);
                self.value(Announced::plain(key), depth + 1).map_err(|error| error.in_index(index))?;
            } else {
                let start = self.input.pos;
                let (name, content) = self.scalar(Announced::plain(key))?;
                // A text's key is its text, without the quotes.
                let text: String = serde_json::from_str(&name).unwrap_or_else(|_| name.clone());
                self.recorder.key(text.as_bytes());
                self.spans(key, start, &(name, content));
            }
            self.value(Announced::plain(value), depth + 1).map_err(|error| error.in_index(index))?;
            self.recorder.leave();
        }
        Ok(())
    }

    /// What a value without parts reads as, and how many bytes of content a string has.
    fn scalar(&mut self, announced: Announced) -> Result<(String, usize)> {
        let input = &mut self.input;
        Ok(match announced.wire {
            WireType::Bool => match announced.inline {
                Some(value) => (value.to_string(), 0),
                None => (P::read_bool(input)?.to_string(), 0),
            },
            WireType::Double => (P::read_double(input)?.to_string(), 0),
            WireType::Uuid => {
                let mut text = Vec::new();
                wirewise_core::text::uuid::write(&input.array("a uuid")?, &mut text);
                (format!("\"{}\"", String::from_utf8_lossy(&text)), 0)
            }
            WireType::Binary => {
                let len = P::read_len(input)?;
                (show::text_or_hex(input.take(len, "the rest of a string")?), len)
            }
            wire => (P::read_int(input, wire)?.to_string(), 0),
        })
    }

    fn spans(&mut self, wire: WireType, start: usize, (value, content): &(String, usize)) {
        let bytes = start..self.input.pos;
        match wire {
            WireType::Binary => show::text_spans::<P, _>(self.recorder, bytes, *content, value),
            _ => show::scalar_spans::<P, _>(self.recorder, wire, bytes, value),
        }
    }
}
