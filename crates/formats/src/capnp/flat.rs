//! Lists of structs of nothing but scalars, read and written field by field for many structs at once.

use wirewise_core::{Arena, Cell, Record};

use super::message::WORD;
use super::simple::{Code, Simple};

/// A record whose struct has nothing but scalars.
pub(super) struct Flat {
    /// Words of its struct, and cells of its record.
    words: usize,
    pub(super) cells: usize,
    fields: Vec<Field>,
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
    /// `None` where there is more than scalars.
    pub(super) fn new(record: &Record, simple: &Simple, words: usize, pointers: usize, used: &[u64]) -> Option<Flat> {
        if words == 0 || pointers > 0 || simple.state_words > 0 || simple.fields.len() != record.fields.len() {
            return None;
        }
        let field = |field: &super::simple::Field| {
            let (bits, signed) = match field.code {
                Code::Bool => (1, false),
                Code::I8 => (8, true),
                Code::U8 => (8, false),
                Code::I16 => (16, true),
                Code::U16 => (16, false),
                Code::I32 => (32, true),
                Code::U32 => (32, false),
                Code::Word => (64, false),
                Code::Text | Code::List | Code::Other => return None,
            };
            let byte = field.at as usize;
            Some(Field {
                position: field.position as usize,
                at: byte / WORD * WORD,
                shift: (byte % WORD * 8) as u32 + u32::from(field.bit),
                default: field.default,
                mask: u64::MAX >> (64 - bits),
                sign: if signed { 1 << (bits - 1) } else { 0 },
            })
        };
        let fields: Vec<Field> = simple.fields.iter().map(field).collect::<Option<_>>()?;
        let holes = used.iter().enumerate().filter(|&(_, &bits)| bits != u64::MAX);
        let same = |field: &Field| field.at == field.position * WORD && field.mask == u64::MAX && field.default == 0;
        Some(Flat {
            words,
            cells: simple.cells,
            holes: holes.map(|(word, &bits)| (word * WORD, !bits)).collect(),
            same: words == simple.cells && fields.iter().all(same),
            fields,
        })
    }

    /// Bytes of a struct.
    pub(super) fn size(&self) -> usize {
        self.words * WORD
    }

    /// The list of the structs that `data` is. `None` if they have data of no field, or there is not enough memory: then
    /// they are to be read one by one.
    pub(super) fn read(&self, data: &[u8], arena: &mut Arena) -> Option<Cell> {
        let word = |bytes: &[u8]| u64::from_le_bytes(*bytes.first_chunk().expect("structs have words"));
        let count = data.len() / self.size();
        for &(at, hole) in &self.holes {
            let bits = data.chunks_exact(self.size()).fold(0, |bits, bytes| bits | word(&bytes[at..]));
            if bits & hole != 0 {
                return None;
            }
        }
        if self.same {
            return arena.records(count, self.cells, data.chunks_exact(WORD).map(|bytes| Cell::uint(word(bytes)))).ok();
        }
        let zeros = std::iter::repeat_n(Cell::EMPTY, count * self.cells);
        let list = arena.records(count, self.cells, zeros).ok()?;
        let runs = arena.run_mut((list.start() + count) as u32, count * self.cells);
        for (runs, data) in runs.chunks_mut(BLOCK * self.cells).zip(data.chunks(BLOCK * self.size())) {
            for &Field { position, at, shift, default, mask, sign } in &self.fields {
                for (run, bytes) in runs.chunks_exact_mut(self.cells).zip(data.chunks_exact(self.size())) {
                    let bits = (word(&bytes[at..]) >> shift ^ default) & mask;
                    run[position] = Cell::uint((bits ^ sign).wrapping_sub(sign));
                }
            }
        }
        Some(list)
    }

    /// Fills the structs that `data` is, zero so far, from the runs of as many records.
    pub(super) fn write(&self, runs: &[Cell], data: &mut [u8]) {
        if self.same {
            for (bytes, cell) in data.chunks_exact_mut(WORD).zip(runs) {
                bytes.copy_from_slice(&cell.as_u64().to_le_bytes());
            }
            return;
        }
        for (runs, data) in runs.chunks(BLOCK * self.cells).zip(data.chunks_mut(BLOCK * self.size())) {
            for &Field { position, at, shift, default, mask, .. } in &self.fields {
                for (run, bytes) in runs.chunks_exact(self.cells).zip(data.chunks_exact_mut(self.size())) {
                    let word = bytes[at..].first_chunk_mut().expect("structs have words");
                    let bits = (run[position].as_u64() ^ default) & mask;
                    *word = (u64::from_le_bytes(*word) | bits << shift).to_le_bytes();
                }
            }
        }
    }
}
