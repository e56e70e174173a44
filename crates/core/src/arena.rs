//! One decoded message as flat memory.
//!
//! A message is a run of 8-byte [`Cell`]s. What a cell means is known from the schema alone, so cells carry no tags:
//!
//! | type | its cell |
//! |---|---|
//! | `Null` | nothing (0) |
//! | `Bool`, `Int`, `Enum` | the value; an enum's is its number |
//! | `Float` | the bits of the `f64`, or of the `f32` in the low half |
//! | `String`, `Bytes`, `Fixed` | offset and length in the message's text |
//! | `List` | start and count of a run of cells, one per element |
//! | `Map` | start and count of a run of *pairs* of cells, key then value |
//! | `Record` | index of its run: the field states (2 bits each, if any field needs one), then a cell per field |
//! | `Union` | index of a run of two: the branch's position, then the value's cell |
//! | `Any` | index of a run of two: an [`AnyTag`], then the value's cell; a [`AnyTag::Tagged`] has a third |
//! | `Nullable` in a field | the inner cell: the field's state says whether it is null |
//! | `Nullable` elsewhere | [`Cell::NULL`], or the index of a run of one: the inner cell |
//!
//! Text lies in the input where the format allows, and otherwise in a scratch buffer; both make one address space, the
//! input first. So decoding allocates nothing once an arena has grown to the size of its messages.
//!
//! Lists must be contiguous although their elements allocate too, and most formats do not say how long a list will be:
//! decoders [`push`](Arena::push) finished elements on a stack, which [`list`](Arena::list) then moves in one copy.
//! A list of records is a run of indices for the same reason.

mod cell;
mod defaults;

pub(crate) use cell::decode_state;
pub use cell::{AnyTag, Cell, State};

use crate::schema::Record;
use crate::unknown::Unknown;
use crate::{Error, ErrorKind, Limits, Result};
/// The memory of one decoded message, reused from message to message.
#[derive(Debug)]
pub struct Arena {
    cells: Vec<Cell>,
    scratch: Vec<u8>,
    stack: Vec<Cell>,
    input_address: usize,
    pub(crate) input_len: usize,
    root: Cell,
    limits: Limits,
    pub(crate) unknown: Unknown,
}

impl Arena {
    /// An empty arena.
    pub fn new(limits: Limits) -> Self {
        let (cells, scratch, stack) = (Vec::new(), Vec::new(), Vec::new());
        let unknown = Unknown::default();
        Arena { cells, scratch, stack, input_address: 0, input_len: 0, root: Cell::EMPTY, limits, unknown }
    }

    /// The limits that decoders into this arena obey.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Forgets the last message and begins one that is decoded from `input`.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the input is longer than [`Limits::message_bytes`].
    pub fn begin(&mut self, input: &[u8]) -> Result<()> {
        self.cells.clear();
        self.scratch.clear();
        self.stack.clear();
        self.unknown.clear();
        self.root = Cell::EMPTY;
        self.input_address = input.as_ptr() as usize;
        self.input_len = input.len();
        let most = self.limits.message_bytes.min(u32::MAX as usize);
        if input.len() > most {
            return Err(Error::new(
                ErrorKind::Limit,
                format!("the message has {} bytes, more than the limit of {most}", input.len()),
            )
            .hint("split it with a framing, or raise the limit"));
        }
        Ok(())
    }

    /// Says what the message is, once it is decoded.
    pub fn set_root(&mut self, cell: Cell) {
        self.root = cell;
        self.unknown.settle();
    }

    pub(crate) fn root(&self) -> Cell {
        self.root
    }

    /// All cells, for reading.
    pub(crate) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Bytes of memory the message takes.
    pub fn used(&self) -> usize {
        (self.cells.len() + self.stack.len()) * size_of::<Cell>() + self.scratch.len() + self.unknown.used()
    }

    /// A run of `count` zero cells; returns its index.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the message would take more than [`Limits::memory_bytes`].
    #[inline(always)]
    pub fn alloc(&mut self, count: usize) -> Result<u32> {
        // A few cells of a fixed number are written inline, and not by a call.
        const FEW: usize = 8;
        let at = self.cells.len();
        if count <= FEW && self.cells.capacity() - at >= FEW {
            self.cells.extend_from_slice(&[Cell::EMPTY; FEW]);
            self.cells.truncate(at + count);
            return Ok(at as u32);
        }
        if count > self.cells.capacity() - at {
            self.grow(count)?;
        }
        self.cells.extend(std::iter::repeat_n(Cell::EMPTY, count));
        Ok(at as u32)
    }

    /// Runs of `count` zero cells each, one after the other: `most` of them where
    /// there is memory for all, and one otherwise.
    /// Returns the index of the first and the cells of all. [`Arena::push_runs`] keeps some of them.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline(always)]
    pub fn runs(&mut self, count: usize, most: usize) -> Result<(u32, &mut [Cell])> {
        let at = self.cells.len();
        if count > self.cells.capacity() - at {
            self.grow(count)?;
        }
        let all = count * most;
        let cells = if all <= self.cells.capacity() - at { all } else { count };
        self.cells.extend(std::iter::repeat_n(Cell::EMPTY, cells));
        Ok((at as u32, &mut self.cells[at..]))
    }

    /// Adds the first `kept` of the runs of `count` cells that begin at `at` and end the arena to the innermost list, and
    /// forgets the others.
    ///
    /// # Errors
    /// As [`Arena::push`], and which of the runs could not be added.
    #[inline(always)]
    pub fn push_runs(&mut self, at: u32, count: usize, kept: usize) -> Result<(), (usize, Error)> {
        self.cells.truncate(at as usize + kept * count);
        for i in 0..kept {
            self.push(Cell::index(at + (i * count) as u32)).map_err(|error| (i, error))?;
        }
        Ok(())
    }

    /// Makes room for `count` more cells. Limits are looked at when memory is asked for, and not for every cell.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Result<()> {
        let at = self.cells.len();
        let bytes = count.checked_mul(size_of::<Cell>()).and_then(|bytes| bytes.checked_add(self.used()));
        if bytes.is_none_or(|bytes| bytes > self.limits.memory_bytes) || at + count >= u32::MAX as usize {
            return Err(self.too_large());
        }
        // Twice as much as there is, but no more than the limits allow.
        let most = ((self.limits.memory_bytes - self.used()) / size_of::<Cell>()).min(u32::MAX as usize - 1 - at);
        self.cells.reserve_exact(count.max(at).max(64).min(most));
        Ok(())
    }

    /// A list of `count` records, whose runs of `cells` cells lie behind it, one after another.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    ///
    /// # Panics
    /// When `runs` are not as many cells.
    #[inline]
    pub fn records(&mut self, count: usize, cells: usize, runs: impl Iterator<Item = Cell>) -> Result<Cell> {
        let (at, all) = (self.cells.len(), count.saturating_mul(cells + 1));
        if all > self.cells.capacity() - at {
            self.grow(all)?;
        }
        let first = at + count;
        self.cells.extend((0..count).map(|i| Cell((first + i * cells) as u64)));
        self.cells.extend(runs);
        assert_eq!(self.cells.len(), at + all, "runs of another length");
        Ok(Cell::run(at as u32, count as u32))
    }

    /// Forgets the cells from `at` on, which were the last ones.
    pub fn rewind(&mut self, at: usize) {
        self.cells.truncate(at);
    }

    /// A run for a record, all its optional and nullable fields absent, all others zero. It has at least one cell: what is kept
    /// of a record ([`Arena::add_unknown`]) is kept by its place.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline]
    pub fn record(&mut self, record: &Record) -> Result<u32> {
        self.alloc(record.cells().max(1))
    }

    #[cold]
    pub(crate) fn too_large(&self) -> Error {
        Error::new(
            ErrorKind::Limit,
            format!("the message takes more memory than the limit of {} bytes", self.limits.memory_bytes),
        )
        .hint("split it with a framing, or raise the limit")
    }

    /// The cell at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Cell {
        self.cells[index]
    }

    /// Sets the cell at `index`.
    #[inline(always)]
    pub fn set(&mut self, index: usize, cell: Cell) {
        self.cells[index] = cell;
    }

    /// Gives field number `position` (not its wire number) of the record at `at` a value.
    #[inline]
    pub fn set_field(&mut self, record: &Record, at: u32, position: usize, cell: Cell) {
        let at = at as usize;
        if record.state_words() != 0 {
            self.set_state(record, at as u32, position, State::Present);
        }
        self.cells[at + record.state_words() + position] = cell;
    }

    /// The cell of a field, whatever its state.
    #[inline]
    pub fn field(&self, record: &Record, at: u32, position: usize) -> Cell {
        self.cells[at as usize + record.state_words() + position]
    }

    /// Sets a field's state; a record whose fields are all required keeps none.
    #[inline]
    pub fn set_state(&mut self, record: &Record, at: u32, position: usize, state: State) {
        if record.state_words() == 0 {
            return;
        }
        let word = &mut self.cells[at as usize + position / 32].0;
        let shift = position % 32 * 2;
        *word = *word & !(3 << shift) | (state as u64) << shift;
    }

    /// Sets the state of a field of a record that has not been given one yet, and that keeps states.
    #[inline(always)]
    pub fn set_present(&mut self, at: u32, position: usize) {
        self.cells[at as usize + position / 32].0 |= (State::Present as u64) << (position % 32 * 2);
    }

    /// Checks that of every `oneof` of a record, which has been read up to `offset`, at most one field is there, and one
    /// of a required one.
    ///
    /// # Errors
    /// [`ErrorKind::Data`], naming the fields.
    pub fn check_oneofs(&self, record: &Record, at: u32, offset: usize) -> Result<()> {
        for (i, oneof) in record.oneofs.iter().enumerate() {
            let members = record.fields.iter().enumerate().filter(|(_, field)| field.oneof == Some(i));
            let mut there = members.filter(|&(position, _)| self.state(record, at, position) != State::Absent);
            match (there.next(), there.next()) {
                (Some((_, first)), Some((_, second))) => {
                    let (first, second, name) = (&first.name, &second.name, &oneof.name);
                    let what = format!("{first:?} and {second:?} are both there, but oneof {name:?} takes one of them");
                    return Err(Error::data(offset, what));
                }
                (None, _) if oneof.required => {
                    let what = format!("none of the fields of oneof {:?} of {} is there", oneof.name, record.name);
                    return Err(Error::data(offset, what));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A run that was allocated before: `count` cells from `at` on.
    #[inline(always)]
    pub fn run_mut(&mut self, at: u32, count: usize) -> &mut [Cell] {
        &mut self.cells[at as usize..at as usize + count]
    }

    /// A field's state as set so far. Of a record with states this also tells whether a *required* field was set.
    pub fn state(&self, record: &Record, at: u32, position: usize) -> State {
        if record.state_words() == 0 {
            return State::Present;
        }
        decode_state(self.cells[at as usize + position / 32], position)
    }

    /// Text for a cell: borrowed when `bytes` lies in the input given to [`Arena::begin`], copied otherwise.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when a copy does not fit.
    #[inline]
    pub fn text(&mut self, bytes: &[u8]) -> Result<Cell> {
        let offset = (bytes.as_ptr() as usize).wrapping_sub(self.input_address);
        if offset <= self.input_len && bytes.len() <= self.input_len - offset {
            return Ok(Cell::run(offset as u32, bytes.len() as u32));
        }
        self.text_with(|scratch| {
            scratch.extend_from_slice(bytes);
            Ok(())
        })
    }

    /// Text that lies in the input at `start..start + len`, which the decoder has just read there.
    #[inline(always)]
    pub fn borrowed(&self, start: usize, len: usize) -> Cell {
        debug_assert!(start + len <= self.input_len, "only what lies in the input can be borrowed");
        Cell::run(start as u32, len as u32)
    }

    /// Text written by `write` at the end of the scratch buffer. When it fails, what it wrote is dropped.
    ///
    /// # Errors
    /// That of `write`, or [`ErrorKind::Limit`] when the text does not fit.
    #[inline]
    pub fn text_with(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<Cell> {
        let start = self.scratch.len();
        let written = write(&mut self.scratch);
        let end = self.scratch.len();
        let fits = self.used() <= self.limits.memory_bytes && self.input_len + end < u32::MAX as usize;
        if written.is_err() || !fits {
            self.scratch.truncate(start);
            written?;
            return Err(self.too_large());
        }
        Ok(Cell::run((self.input_len + start) as u32, (end - start) as u32))
    }

    /// Marks where a list of unknown length begins on the stack.
    #[inline(always)]
    pub fn mark(&self) -> usize {
        self.stack.len()
    }

    /// Adds a finished element (for a map: a key, then a value) to the innermost list.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] when the message would take too much memory.
    #[inline]
    pub fn push(&mut self, cell: Cell) -> Result<()> {
        if self.stack.len() == self.stack.capacity() {
            self.grow_stack()?;
        }
        self.stack.push(cell);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn grow_stack(&mut self) -> Result<()> {
        // The vector takes twice as much as it has.
        if self.used() > self.limits.memory_bytes / 2 {
            return Err(self.too_large());
        }
        self.stack.reserve(64);
        Ok(())
    }

    /// Ends the list begun at `mark`: moves its elements into a run and gives the list's cell.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline]
    pub fn list(&mut self, mark: usize) -> Result<Cell> {
        let (at, count) = (self.cells.len(), self.stack.len() - mark);
        if count > self.cells.capacity() - at {
            self.grow(count)?;
        }
        // Most lists are short.
        match self.stack[mark..] {
            [a] => self.cells.push(a),
            [a, b] => self.cells.extend_from_slice(&[a, b]),
            ref items => self.cells.extend_from_slice(items),
        }
        self.stack.truncate(mark);
        Ok(Cell::run(at as u32, count as u32))
    }

    /// Ends the map begun at `mark`, whose keys and values were pushed in turn.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    pub fn map(&mut self, mark: usize) -> Result<Cell> {
        let pairs = self.list(mark)?;
        Ok(Cell::run(pairs.start() as u32, (pairs.len() / 2) as u32))
    }

    /// The elements pushed since `mark`, for a decoder that has to look back (duplicate keys).
    pub fn pushed(&self, mark: usize) -> &[Cell] {
        &self.stack[mark..]
    }

    /// A value of a nullable type outside a field.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline]
    pub fn boxed(&mut self, cell: Cell) -> Result<Cell> {
        Ok(Cell::index(self.append(cell)?))
    }

    /// A run of one cell; returns its index. Several in a row make one run.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline(always)]
    pub fn append(&mut self, cell: Cell) -> Result<u32> {
        let at = self.cells.len();
        if at == self.cells.capacity() {
            self.grow(1)?;
        }
        self.cells.push(cell);
        Ok(at as u32)
    }

    /// A union's value: the position of the branch, and the value.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    #[inline]
    pub fn union(&mut self, branch: usize, cell: Cell) -> Result<Cell> {
        let at = self.alloc(2)?;
        self.cells[at as usize] = Cell::uint(branch as u64);
        self.cells[at as usize + 1] = cell;
        Ok(Cell::index(at))
    }

    /// An `Any`'s value.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    pub fn any(&mut self, tag: AnyTag, cell: Cell) -> Result<Cell> {
        self.union(tag as usize, cell)
    }

    /// An `Any` that is a tagged value: `value` is the cell of an `Any`.
    ///
    /// # Errors
    /// As [`Arena::alloc`].
    pub fn tagged(&mut self, tag: u64, value: Cell) -> Result<Cell> {
        let at = self.alloc(3)?;
        self.cells[at as usize] = Cell::uint(AnyTag::Tagged as u64);
        self.cells[at as usize + 1] = Cell::uint(tag);
        self.cells[at as usize + 2] = value;
        Ok(Cell::index(at))
    }

    /// The buffer in which a text cell lies, where it starts there, and its length.
    #[inline(always)]
    pub(crate) fn place<'a>(&'a self, input: &'a [u8], cell: Cell) -> (&'a [u8], usize, usize) {
        let (start, len) = (cell.start(), cell.len());
        match start.checked_sub(self.input_len) {
            _ if len == 0 => (b"", 0, 0),
            Some(start) => (&self.scratch, start, len),
            None => (input, start, len),
        }
    }

    /// The bytes of a text cell. `input` is the slice given to [`Arena::begin`].
    #[inline(always)]
    pub fn bytes<'a>(&'a self, input: &'a [u8], cell: Cell) -> &'a [u8] {
        let (base, start, len) = self.place(input, cell);
        &base[start..start + len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_borrowed_from_the_input_and_copied_from_elsewhere() {
        let input = b"hello world".to_vec();
        let mut arena = Arena::new(Limits::default());
        arena.begin(&input).unwrap();
        let borrowed = arena.text(&input[6..]).unwrap();
        assert_eq!((borrowed.start(), arena.used()), (6, 0));
        let copied = arena.text(b"elsewhere").unwrap();
        assert_eq!((arena.bytes(&input, borrowed), arena.bytes(&input, copied)), (&b"world"[..], &b"elsewhere"[..]));
        let empty = arena.text(b"").unwrap();
        assert_eq!(arena.bytes(&input, empty), b"");
    }

    #[test]
    fn runs_are_kept_and_forgotten() {
        let mut arena = Arena::new(Limits { memory_bytes: 1000, ..Limits::default() });
        arena.begin(b"").unwrap();
        let mark = arena.mark();
        let (at, cells) = arena.runs(3, 4).unwrap();
        // Memory for one is asked for; then there is some for all.
        let runs = cells.len() / 3;
        cells.fill(Cell::uint(7));
        assert_eq!((at, runs), (0, 4));
        assert!(arena.push_runs(at, 3, 2).is_ok());
        assert_eq!(arena.pushed(mark), [Cell::index(0), Cell::index(3)]);
        let (at, cells) = arena.runs(3, 1).unwrap();
        assert_eq!((at, &*cells), (6, &[Cell::EMPTY; 3][..]));
        // More than the limit allows: one at a time as long as there is room.
        let (at, cells) = arena.runs(3, 100).unwrap();
        assert_eq!((at, cells.len()), (9, 3));
        let full = (0..1000).try_for_each(|_| arena.runs(3, 100).map(drop));
        assert_eq!(full.unwrap_err().kind(), ErrorKind::Limit);
    }

    #[test]
    fn memory_is_bounded() {
        let mut arena = Arena::new(Limits { memory_bytes: 1000, ..Limits::default() });
        arena.begin(b"").unwrap();
        assert!(arena.alloc(100).is_ok());
        assert_eq!(arena.alloc(100).unwrap_err().kind(), ErrorKind::Limit);
        assert_eq!(arena.alloc(usize::MAX).unwrap_err().kind(), ErrorKind::Limit);
        assert!(arena.text(&[0; 300]).is_err());
        let pushed = (0..1_000_000).try_for_each(|_| arena.push(Cell::EMPTY));
        assert_eq!(pushed.unwrap_err().kind(), ErrorKind::Limit);
        let limits = Limits { message_bytes: 3, ..Limits::default() };
        assert!(Arena::new(limits).begin(b"four").is_err());
    }
}
