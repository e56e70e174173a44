//! Varints, tags and the fields that nobody asked for.

use std::fmt;
use std::ops::Range;

use wirewise_core::{Error, Out, Result, varint};

/// How a field's value is laid out: the low three bits of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum WireType {
    Varint = 0,
    I64 = 1,
    Len = 2,
    StartGroup = 3,
    EndGroup = 4,
    I32 = 5,
}

impl fmt::Display for WireType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WireType::Varint => "varint",
            WireType::I64 => "64-bit",
            WireType::Len => "length-delimited",
            WireType::StartGroup => "group start",
            WireType::EndGroup => "group end",
            WireType::I32 => "32-bit",
        })
    }
}

/// Appends what `write` writes, after its length as a varint.
///
/// The length is not known before the content is. One byte is kept free for it, which nearly always does; when the
/// content turns out to have 128 bytes or more it is moved up by the one to four bytes that are missing. A move runs at
/// memory speed, while a pass over the document to compute all lengths costs about half as much again as encoding.
#[inline(always)]
pub(super) fn write_prefixed(out: &mut Out<'_>, write: impl FnOnce(&mut Out<'_>) -> Result<()>) -> Result<()> {
    let content = begin_prefixed(([0; 4], 0), 1, out);
    write(out)?;
    end_prefixed(out, 1, content);
    Ok(())
}

/// Writes a tag and the bytes, one or two, that are kept free for a length; returns where its content begins, for
/// [`end_prefixed`].
#[inline(always)]
pub(super) fn begin_prefixed((tag, len): ([u8; 4], usize), kept: usize, out: &mut Out<'_>) -> usize {
    // Zeros follow the tag.
    out.prefix(u64::from(u32::from_le_bytes(tag)).to_le_bytes(), len + kept);
    out.len()
}

/// Writes the length of what `out` has from `content` on in front of it, where `kept` bytes were kept free; returns it.
#[inline(always)]
pub(super) fn end_prefixed(out: &mut Out<'_>, kept: usize, content: usize) -> usize {
    let len = out.len() - content;
    match (kept, len) {
        (1, ..0x80) => out.written_mut()[content - 1] = len as u8,
        (2, 0x80..0x4000) => {
            let bytes = [len as u8 | 0x80, (len >> 7) as u8];
            out.written_mut()[content - 2..content].copy_from_slice(&bytes);
        }
        (2, ..0x80) => {
            shift(out.written_mut(), content - 2, &[len as u8], content..content + len);
            out.truncate(content - 1 + len);
        }
        _ => {
            let (prefix, width) = varint::word(len as u64);
            out.prefix([0; 8], width - kept);
            shift(out.written_mut(), content - kept, &prefix.to_le_bytes()[..width], content..content + len);
        }
    }
    len
}

/// Puts a length at `at`, and the content right behind it.
#[inline(never)]
fn shift(bytes: &mut [u8], at: usize, prefix: &[u8], content: Range<usize>) {
    bytes.copy_within(content, at + prefix.len());
    bytes[at..at + prefix.len()].copy_from_slice(prefix);
}

/// The eight bytes at `pos`, the first one lowest; zeros stand for those that are not there.
#[inline(always)]
pub(super) fn load(input: &[u8], pos: usize) -> u64 {
    match input.get(pos..pos + 8).and_then(|bytes| bytes.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => load_last(input, pos),
    }
}

#[inline(never)]
fn load_last(input: &[u8], pos: usize) -> u64 {
    let bytes = input.get(pos..).unwrap_or_default();
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Where the value begins and ends whose length is at `pos`; `None` if that is not before `end`.
#[inline(always)]
pub(super) fn length(input: &[u8], pos: usize, end: usize) -> Option<(usize, usize)> {
    let (start, next) = match input.get(pos) {
        Some(&byte) if byte < 0x80 => (pos + 1, pos + 1 + usize::from(byte)),
        _ => long_length(input, pos),
    };
    (next <= end).then_some((start, next))
}

/// A length of more than one byte. What is no length, or too long, ends nowhere.
#[inline(never)]
fn long_length(input: &[u8], pos: usize) -> (usize, usize) {
    match varint::read(input, pos) {
        Some((len, start)) if len <= i32::MAX as u64 => (start, start + len as usize),
        _ => (pos, usize::MAX),
    }
}

/// A position in a message. Everything up to `end` may be read; what lies behind belongs to somebody else.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    pub(super) input: &'a [u8],
    pub(super) pos: usize,
    pub(super) end: usize,
    /// Whether `end` is fixed by a length prefix, so that more input could not move it.
    pub(super) bounded: bool,
    /// The number of the group that the cursor is in; 0 in a message that ends at `end`.
    pub(super) group: u32,
}

/// How far the message reaches in which another one lies.
pub(super) struct Outer {
    end: usize,
    bounded: bool,
    group: u32,
}

impl<'a> Cursor<'a> {
    /// The error of a message that stops before `what` does.
    #[cold]
    pub(super) fn ended(&self, what: &str) -> Error {
        if self.bounded {
            return Error::syntax(self.end, format!("the message ends, but {what} should follow"));
        }
        Error::end(self.end, what)
    }

    /// Reads a varint. Longer encodings than necessary are legal, up to ten bytes; bits beyond the 64th are dropped.
    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64> {
        match self.input[..self.end].get(self.pos) {
            Some(&byte) if byte < 0x80 => {
                self.pos += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64> {
        let bytes = &self.input[self.pos..self.end];
        let mut value = 0;
        for (i, &byte) in bytes.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * i);
            if byte < 0x80 {
                self.pos += i + 1;
                return Ok(value);
            }
        }
        if bytes.len() < 10 {
            return Err(self.ended("the end of a varint"));
        }
        Err(Error::syntax(self.pos, "a varint has more than ten bytes"))
    }

    /// Reads a tag: the field's number and the layout of its value.
    #[inline(always)]
    pub(super) fn tag(&mut self) -> Result<(u32, WireType)> {
        let at = self.pos;
        let tag = self.varint()?;
        let wire_type = match tag & 7 {
            0 => WireType::Varint,
            1 => WireType::I64,
            2 => WireType::Len,
            3 => WireType::StartGroup,
            4 => WireType::EndGroup,
            5 => WireType::I32,
            other => return Err(Error::syntax(at, format!("there is no wire type {other}")).hint(NOT_PROTOBUF)),
        };
        match u32::try_from(tag >> 3) {
            Ok(0) => Err(Error::syntax(at, "a field has the number 0").hint(NOT_PROTOBUF)),
            Ok(number) if number < 1 << 29 => Ok((number, wire_type)),
            _ => Err(Error::syntax(at, "a field has a number above 536870911").hint(NOT_PROTOBUF)),
        }
    }

    /// Reads a length and checks that as many bytes follow; returns where they end.
    #[inline]
    pub(super) fn length(&mut self) -> Result<usize> {
        let at = self.pos;
        let len = self.varint()?;
        match i32::try_from(len) {
            Ok(len) if len as usize <= self.end - self.pos => Ok(self.pos + len as usize),
            Ok(len) => Err(self.ended(&format!("a value of {len} bytes"))),
            Err(_) => Err(Error::syntax(at, format!("a value of {len} bytes, more than 2 GiB")).hint(NOT_PROTOBUF)),
        }
    }

    /// Consumes `N` bytes.
    #[inline]
    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.input[self.pos..self.end].first_chunk::<N>() {
            Some(bytes) => {
                self.pos += N;
                Ok(*bytes)
            }
            None => Err(self.ended(&format!("a value of {N} bytes"))),
        }
    }

    /// Consumes bytes after their length.
    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'a [u8]> {
        let end = self.length()?;
        let bytes = &self.input[self.pos..end];
        self.pos = end;
        Ok(bytes)
    }

    /// Confines the cursor to the message that ends at `end`; returns what to put back after it.
    #[inline]
    pub(super) fn confine(&mut self, end: usize) -> Outer {
        let outer = Outer { end: self.end, bounded: self.bounded, group: self.group };
        (self.end, self.bounded, self.group) = (end, true, 0);
        outer
    }

    /// Enters the group with this number; returns what to put back after it.
    #[inline]
    pub(super) fn enter(&mut self, group: u32) -> Outer {
        let outer = Outer { end: self.end, bounded: self.bounded, group: self.group };
        self.group = group;
        outer
    }

    /// Ends [`Cursor::confine`] and [`Cursor::enter`].
    #[inline]
    pub(super) fn release(&mut self, outer: Outer) {
        (self.end, self.bounded, self.group) = (outer.end, outer.bounded, outer.group);
    }

    /// The error of a group's end tag that was found at `at`, and is not that of the group that the cursor is in.
    #[cold]
    pub(super) fn wrong_end(&self, number: u32, at: usize) -> Error {
        let what = match self.group {
            0 => format!("group {number} ends, but none has begun"),
            group => format!("group {number} ends inside group {group}"),
        };
        Error::syntax(at, what)
    }

    /// Passes over the value of a field whose tag was just read. `depth` is how deep groups may still nest.
    pub(super) fn skip(&mut self, number: u32, wire_type: WireType, depth: usize) -> Result<()> {
        match wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::I64 => self.fixed::<8>().map(drop),
            WireType::I32 => self.fixed::<4>().map(drop),
            WireType::Len => self.bytes().map(drop),
            WireType::EndGroup => Err(Error::syntax(self.pos, format!("group {number} ends, but none has begun"))),
            WireType::StartGroup => {
                let Some(depth) = depth.checked_sub(1) else {
                    return Err(Error::new(wirewise_core::ErrorKind::Limit, "groups nest too deep").at(self.pos));
                };
                loop {
                    if self.pos == self.end {
                        return Err(self.ended(&format!("the end of group {number}")));
                    }
                    let at = self.pos;
                    match self.tag()? {
                        (inner, WireType::EndGroup) if inner == number => return Ok(()),
                        (inner, WireType::EndGroup) => {
                            return Err(Error::syntax(at, format!("group {inner} ends inside group {number}")));
                        }
                        (inner, wire_type) => self.skip(inner, wire_type, depth)?,
                    }
                }
            }
        }
    }
}

const NOT_PROTOBUF: &str = "is this a Protobuf message, without a length or another frame around it?";
