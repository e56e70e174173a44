//! The bytes of a message without its schema: segments, pointers, structs and lists, every one checked to lie within
//! its segment before anything reads it.

use wirewise_core::{Error, ErrorKind, Limits, Result, utf8};

/// Bytes in a word.
pub(super) const WORD: usize = 8;

/// Words that may be read from any message, however small: 1 MiB.
const TRAVERSAL_FLOOR: u64 = 1 << 17;

/// Words that may be read from a message of `words` words. Objects may be shared, and lists of empty elements take no
/// space, so that a small message could otherwise stand for an endless one. Messages without either need one read of
/// each word.
pub(super) fn traversal_limit(words: u64) -> u64 {
    TRAVERSAL_FLOOR.max(words.saturating_mul(4))
}

/// A message whose segments all lie in `bytes`; places are offsets in it.
pub(super) struct Message<'a> {
    pub(super) bytes: &'a [u8],
    /// Start and end of each segment: of the first one, and of the others, which few messages have.
    first: (usize, usize),
    others: Vec<(usize, usize)>,
    /// Words that may still be read.
    pub(super) budget: u64,
    /// Whether some of it is not there: what leads there leads to nothing then, and lists are as long as they are there.
    pub(super) is_cut: bool,
}

/// Where a pointer or an object lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub(super) segment: usize,
    pub(super) byte: usize,
}

/// What a pointer points to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Target {
    Struct(StructView),
    List(ListView),
}

/// A struct, or an element of a list read as one. The default one has no fields: all of them read as their defaults.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StructView {
    pub(super) segment: usize,
    /// Where its data begins.
    pub(super) data: usize,
    pub(super) data_bits: usize,
    /// Where its pointers begin.
    pub(super) pointers: usize,
    pub(super) pointer_count: usize,
}

/// A list; `element_bits` and `pointer_count` are those of one element.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListView {
    pub(super) segment: usize,
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) data_bits: usize,
    pub(super) pointer_count: usize,
    /// Whether the elements are structs with a tag, rather than of a fixed size.
    pub(super) composite: bool,
}

impl ListView {
    /// An element as a struct: one of a fixed size has a single field.
    #[inline]
    pub(super) fn element(&self, index: usize) -> StructView {
        let start = self.start + (self.data_bits + 64 * self.pointer_count) / 8 * index;
        StructView {
            segment: self.segment,
            data: start,
            data_bits: self.data_bits,
            pointers: start + self.data_bits / 8,
            pointer_count: self.pointer_count,
        }
    }
}

impl StructView {
    /// Where pointer `index` lies; `None` when the struct is too short to have it.
    #[inline]
    pub(super) fn pointer(&self, index: usize) -> Option<At> {
        (index < self.pointer_count).then(|| At { segment: self.segment, byte: self.pointers + index * WORD })
    }

    /// The 2^`lg` bits that lie at `bit`; zero when the struct is too short to have them.
    #[inline(always)]
    pub(super) fn data(&self, bytes: &[u8], bit: usize, lg: u32) -> u64 {
        if bit + (1 << lg) > self.data_bits {
            return 0;
        }
        let at = self.data + bit / 8;
        match lg {
            0 => u64::from(bytes[at] >> (bit % 8) & 1),
            3 => bytes[at].into(),
            4 => u16::from_le_bytes([bytes[at], bytes[at + 1]]).into(),
            5 => u32::from_le_bytes(array(&bytes[at..at + 4])).into(),
            _ => u64::from_le_bytes(array(&bytes[at..at + 8])),
        }
    }
}

fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.try_into().expect("the slice has this length")
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(array(&bytes[at..at + 4]))
}

/// Size in bytes of the segment table that begins with these 4 bytes.
pub(super) fn table_bytes(first: [u8; 4]) -> usize {
    let segments = u32::from_le_bytes(first) as usize + 1;
    (4 + 4 * segments).next_multiple_of(WORD)
}

/// Size in bytes of a message with this segment table, table included.
pub(super) fn message_bytes(table: &[u8], limits: &Limits) -> Result<usize> {
    let segments = u32_at(table, 0) as usize + 1;
    let words: u64 = (1..=segments).map(|i| u64::from(u32_at(table, 4 * i))).sum();
    let bytes = words.saturating_mul(WORD as u64).saturating_add(table.len() as u64);
    within(bytes, limits)
}

/// `bytes` as a size, when a message may be so long.
pub(super) fn within(bytes: u64, limits: &Limits) -> Result<usize> {
    let most = limits.message_bytes.min(limits.memory_bytes).min(u32::MAX as usize);
    match usize::try_from(bytes) {
        Ok(bytes) if bytes <= most => Ok(bytes),
        _ => Err(Error::new(ErrorKind::Limit, format!("the message has {bytes} bytes, more than the limit of {most}"))
            .at(0)
            .hint("check that this is a Cap'n Proto message, or raise the limit")),
    }
}

impl<'a> Message<'a> {
    /// The message that `bytes` are, segment table included, whose sizes were checked. Of one that is cut the segments end
    /// where the bytes do.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let count = u32_at(bytes, 0) as usize + 1;
        let mut start = table_bytes(array(&bytes[..4]));
        let mut is_cut = false;
        let mut next = |i: usize| {
            let end = start + u32_at(bytes, 4 * i) as usize * WORD;
            is_cut |= end > bytes.len();
            let end = end.min(bytes.len() / WORD * WORD);
            (std::mem::replace(&mut start, end), end)
        };
        let first = next(1);
        let others = (2..=count).map(next).collect();
        Message { bytes, first, others, budget: traversal_limit((bytes.len() / WORD) as u64), is_cut }
    }

    /// Start and end of a segment, which must be there.
    #[inline(always)]
    fn segment(&self, index: usize) -> (usize, usize) {
        if index == 0 { self.first } else { self.others[index - 1] }
    }

    /// How many segments there are.
    fn segments(&self) -> usize {
        1 + self.others.len()
    }

    /// The pointer to the root.
    pub(super) fn root(&self) -> Result<At> {
        let (start, end) = self.first;
        if start == end {
            return Err(Error::syntax(start, "the first segment is empty: there is no root pointer"));
        }
        Ok(At { segment: 0, byte: start })
    }

    /// Takes `words` from what may still be read.
    #[inline]
    pub(super) fn spend(&mut self, words: u64, at: usize) -> Result<()> {
        match self.budget.checked_sub(words) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::Limit,
                "the message would read its words more than 4 times over: it shares objects, or has huge lists of \
                 elements without size",
            )
            .at(at)),
        }
    }

    /// Where the words `start` to `start + words` of a segment begin, when they lie in it.
    pub(super) fn place(&self, segment: usize, start: i64, words: u64) -> Option<usize> {
        if segment < self.segments() { self.object(segment, start, words, 0).ok() } else { None }
    }

    /// Which word of its segment the byte is in.
    pub(super) fn word_index(&self, segment: usize, byte: usize) -> i64 {
        ((byte - self.segment(segment).0) / WORD) as i64
    }

    /// The word at `at`, which must lie in its segment.
    pub(super) fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(array(&self.bytes[at..at + WORD]))
    }

    /// Whether the pointer at `at` is null.
    pub(super) fn is_null(&self, at: At) -> bool {
        self.word(at.byte) == 0
    }

    /// The start of `words` words at `start` (in words, from the start of the segment), checked to lie in it.
    fn object(&self, segment: usize, start: i64, words: u64, pointer: usize) -> Result<usize> {
        let (from, to) = self.segment(segment);
        let size = ((to - from) / WORD) as i64;
        let words = i64::try_from(words).unwrap_or(i64::MAX);
        if start < 0 || start > size || words > size - start {
            return Err(Error::syntax(pointer, "a pointer leads out of its segment"));
        }
        Ok(from + start as usize * WORD)
    }

    /// How many words there are from the word `start` of a segment on.
    fn left(&self, segment: usize, start: i64) -> usize {
        let (from, to) = self.segment(segment);
        ((to - from) / WORD).saturating_sub(usize::try_from(start).unwrap_or(usize::MAX))
    }

    /// Follows the pointer at `at`; `None` when it is null.
    #[inline]
    pub(super) fn follow(&mut self, at: At) -> Result<Option<Target>> {
        if self.is_cut { self.follow_cut(at) } else { self.target_of(at) }
    }

    /// The text that the pointer at byte `at` leads to, without its zero, if that is in the same segment and all is well.
    #[inline(always)]
    pub(super) fn usual_text(&mut self, segment: usize, at: usize) -> Option<(usize, usize)> {
        let pointer = self.word(at);
        let (kind, code, count) = (pointer & 3, pointer >> 32 & 7, (pointer >> 35) as usize);
        let start = usize::try_from(at as i64 + 8 + i64::from(pointer as i32 >> 2) * 8).ok()?;
        let (from, to) = self.segment(segment);
        let words = count.div_ceil(WORD);
        if kind != 1 || code != 2 || count == 0 || start < from || start > to || words * WORD > to - start {
            return None;
        }
        let left = self.budget.checked_sub(words as u64)?;
        let len = count - 1;
        if self.bytes[start + len] != 0 || utf8::check_part(self.bytes, start, len).is_err() {
            return None;
        }
        self.budget = left;
        Some((start, len))
    }

    /// The same in a message that is not whole.
    #[cold]
    fn follow_cut(&mut self, at: At) -> Result<Option<Target>> {
        match self.target_of(at) {
            Err(error) if error.kind() == ErrorKind::Syntax => Ok(None),
            target => target,
        }
    }

    #[inline(always)]
    fn target_of(&mut self, at: At) -> Result<Option<Target>> {
        let pointer = self.word(at.byte);
        if pointer == 0 {
            return Ok(None);
        }
        let here = self.word_index(at.segment, at.byte);
        if pointer & 3 != 2 {
            let start = here + 1 + i64::from(pointer as i32 >> 2);
            return self.target(at.segment, start, pointer, at.byte).map(Some);
        }
        let (segment, pad) = self.far(pointer, at.byte)?;
        if pointer & 4 == 0 {
            let landing = self.object(segment, pad, 1, at.byte)?;
            let pointer = self.word(landing);
            if pointer & 3 == 2 {
                return Err(Error::syntax(landing, "a far pointer leads to another far pointer"));
            }
            let start = pad + 1 + i64::from(pointer as i32 >> 2);
            return self.target(segment, start, pointer, landing).map(Some);
        }
        let landing = self.object(segment, pad, 2, at.byte)?;
        let (inner, tag) = (self.word(landing), self.word(landing + WORD));
        if inner & 7 != 2 {
            return Err(Error::syntax(landing, "the landing pad of a double-far pointer is no far pointer"));
        }
        let (segment, start) = self.far(inner, landing)?;
        if tag & 3 == 2 || tag & 3 != 3 && tag as u32 >> 2 != 0 {
            return Err(Error::syntax(landing + WORD, "the tag of a double-far pointer has an offset"));
        }
        self.target(segment, start, tag, landing + WORD).map(Some)
    }

    /// Where a far pointer leads: segment, and word in it.
    fn far(&self, pointer: u64, at: usize) -> Result<(usize, i64)> {
        let segment = (pointer >> 32) as usize;
        if segment >= self.segments() {
            return Err(Error::syntax(
                at,
                format!("a far pointer leads to segment {segment}, and there are {}", self.segments()),
            ));
        }
        Ok((segment, i64::from(pointer as u32 >> 3)))
    }

    /// The object at word `start`, described by the pointer at byte `at`.
    #[inline]
    fn target(&mut self, segment: usize, start: i64, pointer: u64, at: usize) -> Result<Target> {
        let high = (pointer >> 32) as u32;
        match pointer & 3 {
            0 => {
                let (data, pointers) = (high as usize & 0xFFFF, high as usize >> 16);
                let words = (data + pointers) as u64;
                let data_at = self.object(segment, start, words, at)?;
                self.spend(words.max(1), at)?;
                Ok(Target::Struct(StructView {
                    segment,
                    data: data_at,
                    data_bits: data * 64,
                    pointers: data_at + data * WORD,
                    pointer_count: pointers,
                }))
            }
            1 => self.list(segment, start, high, at).map(Target::List),
            _ if pointer as u32 == 3 => {
                Err(Error::new(ErrorKind::Unsupported, "the message has a capability, which means nothing outside RPC")
                    .at(at))
            }
            _ => Err(Error::syntax(at, "a pointer of an unknown kind")),
        }
    }

    fn list(&mut self, segment: usize, start: i64, high: u32, at: usize) -> Result<ListView> {
        let count = high as usize >> 3;
        let (data_bits, pointer_count) = match high & 7 {
            0 => (0, 0),
            1 => (1, 0),
            2 => (8, 0),
            3 => (16, 0),
            4 => (32, 0),
            5 => (64, 0),
            6 => (0, 1),
            _ => return self.composite(segment, start, count as u64, at),
        };
        let mut count = count;
        if self.is_cut {
            count = count.min(self.left(segment, start) * 64 / (data_bits + 64 * pointer_count).max(1) as usize);
        }
        let words = (count as u64 * (data_bits + 64 * pointer_count)).div_ceil(64);
        let start = self.object(segment, start, words, at)?;
        self.spend(if high & 7 == 0 { count as u64 } else { words }, at)?;
        let (data_bits, pointer_count) = (data_bits as usize, pointer_count as usize);
        Ok(ListView { segment, start, count, data_bits, pointer_count, composite: false })
    }

    /// A list of structs: a tag says how many there are and how large they are.
    fn composite(&mut self, segment: usize, start: i64, mut words: u64, at: usize) -> Result<ListView> {
        if self.is_cut {
            words = words.min((self.left(segment, start) as u64).saturating_sub(1));
        }
        let tag_at = self.object(segment, start, words + 1, at)?;
        let tag = self.word(tag_at);
        if tag & 3 != 0 {
            return Err(Error::syntax(tag_at, "the tag of a list of structs is no struct pointer"));
        }
        let mut count = u64::from(tag as u32 >> 2);
        let (data, pointer_count) = ((tag >> 32) as usize & 0xFFFF, (tag >> 48) as usize);
        let size = (data + pointer_count) as u64;
        if self.is_cut {
            count = count.min(words / size.max(1));
        }
        if count * size > words {
            return Err(Error::syntax(tag_at, "the structs of a list take more space than the list has"));
        }
        self.spend(words + 1 + if size == 0 { count } else { 0 }, at)?;
        let (start, count) = (tag_at + WORD, count as usize);
        Ok(ListView { segment, start, count, data_bits: data * 64, pointer_count, composite: true })
    }
}
