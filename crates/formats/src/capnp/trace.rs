//! Saying what each byte of a message is, while it is read.

use std::fmt;
use std::ops::Range;

use wirewise_core::{Cell, Float, Kind, Role, Schema, Tracer, TypeId};

use super::decode::Reader;
use super::message::{At, ListView, Message, WORD, table_bytes, u32_at};

/// A tracer that knows which bytes have been explained: objects may be shared, and are explained once.
pub(super) struct Cover<'a, T> {
    tracer: &'a mut T,
    bytes: &'a [u8],
    /// A bit for each byte of the message.
    covered: Vec<u64>,
    /// The last byte of which single bits were explained.
    bits_of: usize,
    paused: bool,
}

impl<'a, T: Tracer> Cover<'a, T> {
    pub(super) fn new(tracer: &'a mut T, bytes: &'a [u8]) -> Self {
        let covered = if T::ON { vec![0; bytes.len() / 64 + 1] } else { Vec::new() };
        Cover { tracer, bytes, covered, bits_of: usize::MAX, paused: false }
    }

    #[inline(always)]
    pub(super) fn field(&mut self, name: &str) {
        if T::ON && !self.paused {
            self.tracer.field(name);
        }
    }

    #[inline(always)]
    pub(super) fn index(&mut self, index: usize) {
        if T::ON && !self.paused {
            self.tracer.index(index);
        }
    }

    #[inline(always)]
    pub(super) fn key(&mut self, key: &[u8]) {
        if T::ON && !self.paused {
            self.tracer.key(key);
        }
    }

    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if T::ON && !self.paused {
            self.tracer.leave();
        }
    }

    /// Stops listening, while something else than the message is read; returns what [`Cover::resume`] needs.
    pub(super) fn pause(&mut self) -> bool {
        std::mem::replace(&mut self.paused, true)
    }

    pub(super) fn resume(&mut self, paused: bool) {
        self.paused = paused;
    }

    fn is_covered(&self, byte: usize) -> bool {
        self.covered[byte / 64] >> (byte % 64) & 1 != 0
    }

    /// These bytes, unless some of them have been explained already.
    pub(super) fn span(
        &mut self,
        bytes: Range<usize>,
        role: Role,
        what: fmt::Arguments<'_>,
        value: fmt::Arguments<'_>,
    ) {
        if !T::ON || self.paused || bytes.end > self.bytes.len() || bytes.clone().any(|byte| self.is_covered(byte)) {
            return;
        }
        bytes.clone().for_each(|byte| self.covered[byte / 64] |= 1 << (byte % 64));
        self.tracer.span(bytes, role, what, value);
    }

    /// A scalar of 2^`lg` bits at `bit` of the message.
    pub(super) fn scalar(&mut self, schema: &Schema, ty: TypeId, bits: u64, default: u64, bit: usize, lg: u32) {
        if self.paused {
            return;
        }
        let note = if default == 0 { "" } else { ", xor its default" };
        let (kind, name) = (schema.kind(ty), schema.describe(ty));
        let value = Scalar(kind, bits);
        if lg > 0 {
            let at = bit / 8;
            let bytes = at..at + (1 << (lg - 3));
            self.span(bytes, Role::Payload, format_args!("{name}{note}"), format_args!("{value}"));
            return;
        }
        let byte = bit / 8;
        let what = format_args!("{name}, bit {}{note}", bit % 8);
        if self.bits_of == byte {
            self.tracer.span(byte..byte + 1, Role::Payload, what, format_args!("{value}"));
        } else if !self.is_covered(byte) {
            self.span(byte..byte + 1, Role::Payload, what, format_args!("{value}"));
            self.bits_of = byte;
        }
    }

    /// The segment table, which was checked to be there.
    pub(super) fn table(&mut self, bytes: &[u8]) {
        let count = u32_at(bytes, 0) as usize + 1;
        let plural = if count == 1 { "" } else { "s" };
        self.span(0..4, Role::Header, format_args!("segment count minus one"), format_args!("{count} segment{plural}"));
        for i in 0..count {
            let (at, words) = (4 + 4 * i, u32_at(bytes, 4 + 4 * i));
            self.span(at..at + 4, Role::Header, format_args!("size of segment {i}"), format_args!("{words} words"));
        }
        let end = table_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        self.span(4 + 4 * count..end, Role::Padding, format_args!("to the next word"), format_args!(""));
    }

    /// What has not been explained of these bytes: padding where it is zero, and otherwise unknown.
    pub(super) fn rest(&mut self, range: Range<usize>, what: &str) {
        if self.paused || range.end > self.bytes.len() {
            return;
        }
        let mut at = range.start;
        while at < range.end {
            if self.is_covered(at) {
                at += 1;
                continue;
            }
            // Runs of words alike.
            let unknown = |from: usize| self.bytes[from..self.word_end(from, range.end)].iter().any(|&byte| byte != 0);
            let is_unknown = unknown(at);
            let mut end = self.word_end(at, range.end);
            while end < range.end && !self.is_covered(end) && unknown(end) == is_unknown {
                end = self.word_end(end, range.end);
            }
            if is_unknown {
                self.span(at..end, Role::Unknown, format_args!("data without a field"), format_args!(""));
            } else {
                self.span(at..end, Role::Padding, format_args!("{what}"), format_args!(""));
            }
            at = end;
        }
    }

    /// Where the word of `from`, or the part of it that has not been explained, ends.
    fn word_end(&self, from: usize, most: usize) -> usize {
        let end = (from / WORD * WORD + WORD).min(most);
        (from + 1..end).find(|&byte| self.is_covered(byte)).unwrap_or(end)
    }
}

/// Explains the pointer at `at`, with what lies between it and its target.
pub(super) fn explain_pointer<T: Tracer>(message: &Message<'_>, cover: &mut Cover<'_, T>, at: At) {
    let word = message.word(at.byte);
    explain_word(cover, at.byte, word, "");
    let mut target = (at.segment, at.byte, word);
    if word & 3 == 2 {
        let pads = if word & 4 == 0 { 1 } else { 2 };
        let Some(pad) = message.place((word >> 32) as usize, i64::from(word as u32 >> 3), pads) else { return };
        let first = message.word(pad);
        explain_word(cover, pad, first, "landing pad: ");
        target = ((word >> 32) as usize, pad, first);
        if pads == 2 {
            let tag = message.word(pad + WORD);
            explain_word(cover, pad + WORD, tag, "landing pad: tag of a ");
            let place = message.place((first >> 32) as usize, i64::from(first as u32 >> 3), 1);
            if let (1, 7, Some(start)) = (tag & 3, tag >> 32 & 7, place) {
                explain_tag(message, cover, start);
            }
            return;
        }
    }
    let (segment, byte, pointer) = target;
    if pointer & 3 == 1 && pointer >> 32 & 7 == 7 {
        let start = message.word_index(segment, byte) + 1 + i64::from(pointer as i32 >> 2);
        if let Some(start) = message.place(segment, start, 1) {
            explain_tag(message, cover, start);
        }
    }
}

fn explain_tag<T: Tracer>(message: &Message<'_>, cover: &mut Cover<'_, T>, at: usize) {
    let tag = message.word(at);
    let (count, data, pointers) = (tag as u32 >> 2, tag >> 32 & 0xFFFF, tag >> 48);
    let value = format_args!("{count} structs of {data} data words and {pointers} pointers");
    cover.span(at..at + WORD, Role::Length, format_args!("tag of a list of structs"), value);
}

fn explain_word<T: Tracer>(cover: &mut Cover<'_, T>, at: usize, word: u64, before: &str) {
    let (offset, high) = (word as i32 >> 2, word >> 32);
    let count = high >> 3;
    let (what, value) = match word & 3 {
        _ if word == 0 => ("null pointer", "null".to_owned()),
        0 => {
            let (data, pointers) = (high & 0xFFFF, high >> 16);
            ("struct pointer", format!("{offset:+} words: {data} data words, {pointers} pointers"))
        }
        1 if high & 7 == 7 => ("list pointer", format!("{offset:+} words: structs of {count} words")),
        1 => {
            let kinds = [
                "elements without size",
                "bits",
                "bytes",
                "elements of 2 bytes",
                "elements of 4 bytes",
                "elements of 8 bytes",
                "pointers",
            ];
            ("list pointer", format!("{offset:+} words: {count} {}", kinds[high as usize & 7]))
        }
        2 if word & 4 == 0 => ("far pointer", format!("segment {high}, word {}", word as u32 >> 3)),
        2 => ("double-far pointer", format!("segment {high}, word {}", word as u32 >> 3)),
        _ => ("capability", high.to_string()),
    };
    cover.span(at..at + WORD, Role::Pointer, format_args!("{before}{what}"), format_args!("{value}"));
}

/// Explains a text with its end, or bytes.
pub(super) fn explain_blob<T: Tracer>(bytes: &[u8], cover: &mut Cover<'_, T>, list: ListView, is_text: bool) {
    let end = list.start + list.count - usize::from(is_text);
    let bytes = &bytes[list.start..end];
    if is_text {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
        let text = serde_json::Value::from(text);
        cover.span(list.start..end, Role::Payload, format_args!("text"), format_args!("{text}"));
        cover.span(end..end + 1, Role::Syntax, format_args!("end of text"), format_args!("0"));
    } else {
        let count = list.count;
        cover.span(list.start..end, Role::Payload, format_args!("data"), format_args!("{count} bytes"));
    }
    explain_end(cover, list);
}

/// Explains the space between the last element of a list and the next word.
pub(super) fn explain_end<T: Tracer>(cover: &mut Cover<'_, T>, list: ListView) {
    let bits = list.count * (list.data_bits + 64 * list.pointer_count);
    cover.rest(list.start..list.start + bits.div_ceil(64) * WORD, "to the next word");
}

impl<T: Tracer> Reader<'_, T> {
    /// Explains the pointer at `at`, with what lies between it and its target.
    #[inline(always)]
    pub(super) fn trace_pointer(&mut self, at: At) {
        if T::ON {
            explain_pointer(&self.message, &mut self.cover, at);
        }
    }

    /// Explains a text with its end, or bytes.
    #[inline(always)]
    pub(super) fn trace_blob(&mut self, list: ListView, is_text: bool) {
        if T::ON {
            explain_blob(self.message.bytes, &mut self.cover, list, is_text);
        }
    }

    /// Explains the space between the last element of a list and the next word.
    #[inline(always)]
    pub(super) fn trace_list_end(&mut self, list: ListView) {
        if T::ON {
            explain_end(&mut self.cover, list);
        }
    }
}

/// A scalar as JSON would write it.
struct Scalar<'a>(&'a Kind, u64);

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = self.1;
        match self.0 {
            Kind::Bool => write!(f, "{}", Cell::uint(bits).as_bool()),
            Kind::Int(int) if int.signed() => {
                let shift = 64 - int.bits();
                write!(f, "{}", (bits << shift) as i64 >> shift)
            }
            Kind::Float(Float::F32) => write!(f, "{}", f32::from_bits(bits as u32)),
            Kind::Float(Float::F64) => write!(f, "{}", f64::from_bits(bits)),
            Kind::Enum(e) => match e.symbols.get(bits as usize) {
                Some(symbol) => write!(f, "{}", serde_json::Value::from(symbol.name.as_str())),
                None => write!(f, "{bits}"),
            },
            _ => write!(f, "{bits}"),
        }
    }
}
