//! Lists of structs of nothing but scalars and texts, read and written field by field for many structs at once.

use wirewise_core::{Arena, Cell, Record};

use super::message::{ListView, Message, WORD};
use super::plan::Scope;
use super::simple::{Code, Simple};

/// A record whose struct has nothing but scalars and texts.
pub(super) struct Flat {
    /// Bytes of its struct, and cells of its record.
    pub(super) size: usize,
    pub(super) cells: usize,
    fields: Vec<Field>,
    /// Of each text the byte of its pointer, and its position. Only structs without any are written so.
    pub(super) texts: Vec<(usize, usize)>,
    /// Words that have bits of no field, and which bits that are.
    holes: Vec<(usize, u64)>,
    /// Whether the cells are the words.
    same: bool,
}

/// Where a field lies, as it takes the fewest steps to read: a word shifted, inverted, masked, and its sign extended.
#[derive(Clone, Copy)]
struct Field {
    position: usize,
    /// Byte of the word.
    at: usize,
    shift: u32,
    default: u64,
    mask: u64,
    /// The sign bit, if it has one.
    sign: u64,
}

/// Structs that are read field by field before the next ones are, so that they are in the cache all the time.
const BLOCK: usize = 128;

impl Flat {
    /// `None` where there is more than these.
    pub(super) fn new(
        record: &Record,
        simple: &Simple,
        scope: &Scope,
        words: usize,
        pointers: usize,
        used: &[u64],
    ) -> Option<Flat> {
        if words + pointers == 0 || simple.state_words > 0 || simple.fields.len() != record.fields.len() {
            return None;
        }
        let (mut fields, mut texts) = (Vec::new(), Vec::new());
        for (field, member) in simple.fields.iter().zip(&scope.members) {
            let (byte, position) = (field.at as usize, field.position as usize);
            let (bits, signed) = match field.code {
                Code::Bool => (1, false),
                Code::I8 => (8, true),
                Code::U8 => (8, false),
                Code::I16 => (16, true),
                Code::U16 => (16, false),
                Code::I32 => (32, true),
                Code::U32 => (32, false),
                Code::Word => (64, false),
                Code::Text if member.default.is_none() && record.fields[position].default.is_none() => {
                    texts.push((words * WORD + byte, position));
                    continue;
                }
                Code::Text | Code::List | Code::Other => return None,
            };
            fields.push(Field {
                position,
                at: byte / WORD * WORD,
                shift: (byte % WORD * 8) as u32 + u32::from(field.bit),
                default: field.default,
                mask: u64::MAX >> (64 - bits),
                sign: if signed { 1 << (bits - 1) } else { 0 },
            });
        }
        let holes = used.iter().enumerate().filter(|&(_, &bits)| bits != u64::MAX);
        let same = |field: &Field| field.at == field.position * WORD && field.mask == u64::MAX && field.default == 0;
        (texts.len() == pointers).then(|| Flat {
            size: (words + pointers) * WORD,
            cells: simple.cells,
            holes: holes.map(|(word, &bits)| (word * WORD, !bits)).collect(),
            same: pointers == 0 && words == simple.cells && fields.iter().all(same),
            fields,
            texts,
        })
    }

    /// A list of such structs, which lies in the input. `None` if they have data of no field, a text is unusual, or there is
    /// not enough memory: then nothing was read, and they are to be read one by one.
    pub(super) fn read(&self, message: &mut Message<'_>, list: ListView, arena: &mut Arena) -> Option<Cell> {
        let word = |bytes: &[u8]| u64::from_le_bytes(*bytes.first_chunk().expect("structs have words"));
        let ListView { segment, start, count, .. } = list;
        let data = &message.bytes[start..start + count * self.size];
        for &(at, hole) in &self.holes {
            let bits = data.chunks_exact(self.size).fold(0, |bits, bytes| bits | word(&bytes[at..]));
            if bits & hole != 0 {
                return None;
            }
        }
        if self.same {
            return arena.records(count, self.cells, data.chunks_exact(WORD).map(|bytes| Cell::uint(word(bytes)))).ok();
        }
        let zeros = std::iter::repeat_n(Cell::EMPTY, count * self.cells);
        let cell = arena.records(count, self.cells, zeros).ok()?;
        let runs = arena.run_mut((cell.start() + count) as u32, count * self.cells);
        let budget = message.budget;
        let blocks = runs.chunks_mut(BLOCK * self.cells).zip(data.chunks(BLOCK * self.size));
        for (block, (runs, data)) in blocks.enumerate() {
            for &Field { position, at, shift, default, mask, sign } in &self.fields {
                for (run, bytes) in runs.chunks_exact_mut(self.cells).zip(data.chunks_exact(self.size)) {
                    let bits = (word(&bytes[at..]) >> shift ^ default) & mask;
                    run[position] = Cell::uint((bits ^ sign).wrapping_sub(sign));
                }
            }
            for &(at, position) in &self.texts {
                let mut pointer = start + block * BLOCK * self.size + at;
                for run in runs.chunks_exact_mut(self.cells) {
                    if message.word(pointer) != 0 {
                        let Some((start, len)) = message.usual_text(segment, pointer) else {
                            message.budget = budget;
                            arena.rewind(cell.start());
                            return None;
                        };
                        run[position] = Cell::run(start as u32, len as u32);
                    }
                    pointer += self.size;
                }
            }
        }
        Some(cell)
    }

    /// Fills the structs that `data` is, zero so far, from the runs of as many records.
    pub(super) fn write(&self, runs: &[Cell], data: &mut [u8]) {
        if self.same {
            for (bytes, cell) in data.chunks_exact_mut(WORD).zip(runs) {
                bytes.copy_from_slice(&cell.as_u64().to_le_bytes());
            }
            return;
        }
        for (runs, data) in runs.chunks(BLOCK * self.cells).zip(data.chunks_mut(BLOCK * self.size)) {
            for &Field { position, at, shift, default, mask, .. } in &self.fields {
                for (run, bytes) in runs.chunks_exact(self.cells).zip(data.chunks_exact_mut(self.size)) {
                    let word = bytes[at..].first_chunk_mut().expect("structs have words");
                    let bits = (run[position].as_u64() ^ default) & mask;
                    *word = (u64::from_le_bytes(*word) | bits << shift).to_le_bytes();
                }
            }
        }
    }
}
