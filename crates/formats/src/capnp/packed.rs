//! Packing: each word becomes a byte that says which of its bytes are not zero, and those bytes. A word of zeros is
//! followed by the number of further words of zeros; a word without zeros by the number of words that follow as they
//! are.

use std::fmt;
use std::ops::Range;

use wirewise_core::{Error, Recorder, Result, Role, Tracer};

const WORD: usize = 8;

/// Appends `message`, packed, to `out`: byte for byte what the C++ implementation writes.
pub(super) fn pack(message: &[u8], out: &mut Vec<u8>) {
    let mut rest = message;
    while let Some((word, after)) = rest.split_first_chunk::<WORD>() {
        rest = after;
        let at = out.len();
        out.push(0);
        let mut tag = 0u8;
        for (i, &byte) in word.iter().enumerate() {
            if byte != 0 {
                tag |= 1 << i;
                out.push(byte);
            }
        }
        out[at] = tag;
        let run = match tag {
            0 => rest.chunks_exact(WORD).take(255).take_while(|word| zeros(word) == WORD).count(),
            // A word with two zeros is where packing begins to win again.
            0xFF => rest.chunks_exact(WORD).take(255).take_while(|word| zeros(word) < 2).count(),
            _ => continue,
        };
        out.push(run as u8);
        let (run, after) = rest.split_at(run * WORD);
        if tag == 0xFF {
            out.extend_from_slice(run);
        }
        rest = after;
    }
}

fn zeros(word: &[u8]) -> usize {
    word.iter().filter(|&&byte| byte == 0).count()
}

/// Packed bytes, unpacked as far as asked for.
pub(super) struct Unpacker<'a> {
    input: &'a [u8],
    /// How much of the input was read.
    pub(super) pos: usize,
    /// Words that the last tag still stands for: zeros, or words as they are.
    zeros: usize,
    plain: usize,
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        Unpacker { input, pos: 0, zeros: 0, plain: 0 }
    }

    /// Where the byte at `offset` of the unpacked message comes from. A byte that is zero comes from the tag that says so.
    #[cold]
    pub(super) fn place(input: &[u8], offset: usize) -> usize {
        let (mut at, mut words) = (0, offset / WORD);
        while let Some(&tag) = input.get(at) {
            let size = 1 + tag.count_ones() as usize;
            if words == 0 {
                let before = u32::from(tag) & ((1 << (offset % WORD)) - 1);
                let is_there = tag >> (offset % WORD) & 1 != 0;
                return if is_there { at + 1 + before.count_ones() as usize } else { at };
            }
            words -= 1;
            let run = match tag {
                0 | 0xFF => usize::from(input.get(at + size).copied().unwrap_or_default()),
                _ => {
                    at += size;
                    continue;
                }
            };
            let after = at + size + 1;
            let stored = if tag == 0 { 0 } else { WORD };
            if words < run {
                return if tag == 0 { after - 1 } else { after + words * WORD + offset % WORD };
            }
            words -= run;
            at = after + run * stored;
        }
        input.len()
    }

    /// Whether the last tag stands for more words than were asked for.
    pub(super) fn is_within_run(&self) -> bool {
        self.zeros > 0 || self.plain > 0
    }

    fn byte(&mut self) -> Result<u8> {
        let byte = self.input.get(self.pos).ok_or_else(|| Error::end(self.input.len(), "more of a packed message"))?;
        self.pos += 1;
        Ok(*byte)
    }

    /// Appends `count` words to `out`. Memory grows with the input that is there, not with `count`.
    pub(super) fn words(&mut self, mut count: usize, out: &mut Vec<u8>) -> Result<()> {
        while count > 0 {
            if self.zeros > 0 {
                let run = self.zeros.min(count);
                out.resize(out.len() + run * WORD, 0);
                self.zeros -= run;
                count -= run;
                continue;
            }
            if self.plain > 0 {
                let run = self.plain.min(count);
                let Some(words) = self.input.get(self.pos..self.pos + run * WORD) else {
                    let left = (self.input.len() - self.pos) / WORD * WORD;
                    out.extend_from_slice(&self.input[self.pos..self.pos + left]);
                    self.pos += left;
                    return Err(Error::end(self.input.len(), "more of a packed message"));
                };
                out.extend_from_slice(words);
                self.pos += run * WORD;
                self.plain -= run;
                count -= run;
                continue;
            }
            let tag = self.byte()?;
            let mut word = [0; WORD];
            for (i, byte) in word.iter_mut().enumerate() {
                if tag & 1 << i != 0 {
                    *byte = self.byte()?;
                }
            }
            out.extend_from_slice(&word);
            count -= 1;
            match tag {
                0 => self.zeros = usize::from(self.byte()?),
                0xFF => self.plain = usize::from(self.byte()?),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reports what the bytes of an unpacked message are as places in the packed one.
///
/// Bytes that are zero are not there: what they say is known from the bytes around them, which are explained as tags.
pub(super) struct Mapped<'a> {
    recorder: &'a mut Recorder,
    /// For each word: where its bytes begin, and which of them are there.
    words: Vec<(u32, u8)>,
}

impl<'a> Mapped<'a> {
    /// For all of `input`, which was unpacked to so many words before. Explains what only packing needs.
    pub(super) fn new(input: &[u8], count: usize, recorder: &'a mut Recorder) -> Self {
        let mut words = Vec::with_capacity(count);
        let mut at = 0;
        while let (true, Some(&tag)) = (words.len() < count, input.get(at)) {
            recorder.span(at..at + 1, Role::Tag, format_args!("packing tag"), format_args!("{tag:#010b}"));
            words.push((at as u32 + 1, tag));
            at += 1 + tag.count_ones() as usize;
            let (what, size) = match tag {
                0 => ("further words of zeros", 0),
                0xFF => ("further words as they are", WORD),
                _ => continue,
            };
            let Some(&run) = input.get(at) else { break };
            recorder.span(at..at + 1, Role::Length, format_args!("{what}"), format_args!("{run}"));
            at += 1;
            for _ in 0..run {
                words.push((at as u32, tag));
                at += size;
            }
        }
        Mapped { recorder, words }
    }

    /// Where these bytes of the message, which lie in one word, are in the input.
    fn place(&self, bytes: &Range<usize>) -> Range<usize> {
        let Some(&(at, tag)) = self.words.get(bytes.start / WORD) else { return 0..0 };
        let there = |end: usize| (u32::from(tag) & ((1 << end) - 1)).count_ones() as usize;
        let from = bytes.start % WORD;
        let to = from + bytes.len();
        at as usize + there(from)..at as usize + there(to)
    }
}

impl Tracer for Mapped<'_> {
    const ON: bool = true;

    fn field(&mut self, name: &str) {
        self.recorder.field(name);
    }

    fn index(&mut self, index: usize) {
        self.recorder.index(index);
    }

    fn key(&mut self, key: &[u8]) {
        self.recorder.key(key);
    }

    fn leave(&mut self) {
        self.recorder.leave();
    }

    fn span(&mut self, bytes: Range<usize>, role: Role, what: fmt::Arguments<'_>, value: fmt::Arguments<'_>) {
        let mut open: Option<Range<usize>> = None;
        let mut at = bytes.start;
        while at < bytes.end {
            let end = (at / WORD * WORD + WORD).min(bytes.end);
            let place = self.place(&(at..end));
            at = end;
            match &mut open {
                // Words of a run lie side by side.
                Some(open) if open.end == place.start => open.end = place.end,
                _ if place.is_empty() => {}
                _ => {
                    if let Some(range) = open.replace(place) {
                        self.recorder.span(range, role, what, value);
                    }
                }
            }
        }
        if let Some(range) = open {
            self.recorder.span(range, role, what, value);
        }
    }
}
