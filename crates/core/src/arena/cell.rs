//! What an arena is made of.

/// Eight bytes whose meaning the schema gives; see the [arena](super) for the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(transparent)]
pub struct Cell(pub(super) u64);

impl Cell {
    /// Null, where a [`Kind::Nullable`](crate::Kind::Nullable) is not a field.
    pub const NULL: Cell = Cell(u64::MAX);
    /// The empty text, list and map.
    pub const EMPTY: Cell = Cell(0);

    /// A boolean.
    #[inline(always)]
    pub fn bool(value: bool) -> Cell {
        Cell(value as u64)
    }

    /// A signed integer, or an enum's number.
    #[inline(always)]
    pub fn int(value: i64) -> Cell {
        Cell(value as u64)
    }

    /// An unsigned integer.
    #[inline(always)]
    pub fn uint(value: u64) -> Cell {
        Cell(value)
    }

    /// A double.
    #[inline(always)]
    pub fn f64(value: f64) -> Cell {
        Cell(value.to_bits())
    }

    /// A float.
    #[inline(always)]
    pub fn f32(value: f32) -> Cell {
        Cell(u64::from(value.to_bits()))
    }

    /// A text, list or map: where it starts, and its length in bytes, elements or pairs.
    #[inline(always)]
    pub fn run(start: u32, len: u32) -> Cell {
        Cell(u64::from(start) << 32 | u64::from(len))
    }

    /// A record, union or `Any`, or a non-null boxed value: the index of its run.
    #[inline(always)]
    pub fn index(at: u32) -> Cell {
        Cell(u64::from(at))
    }

    /// The value of [`Cell::bool`].
    #[inline(always)]
    pub fn as_bool(self) -> bool {
        self.0 != 0
    }

    /// The value of [`Cell::int`].
    #[inline(always)]
    pub fn as_i64(self) -> i64 {
        self.0 as i64
    }

    /// The value of [`Cell::uint`].
    #[inline(always)]
    pub fn as_u64(self) -> u64 {
        self.0
    }

    /// The value of [`Cell::f64`].
    #[inline(always)]
    pub fn as_f64(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// The value of [`Cell::f32`].
    #[inline(always)]
    pub fn as_f32(self) -> f32 {
        f32::from_bits(self.0 as u32)
    }

    /// Start of a [`Cell::run`], or the index of [`Cell::index`] in the low half of one.
    #[inline(always)]
    pub fn start(self) -> usize {
        (self.0 >> 32) as usize
    }

    /// Length of a [`Cell::run`].
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0 as u32 as usize
    }

    /// Whether a [`Cell::run`] has no elements.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value of [`Cell::index`].
    #[inline(always)]
    pub fn as_index(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Whether a field that may be absent or null has a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// The message came without it.
    Absent = 0,
    /// It is there, and null.
    Null = 1,
    /// It has a value.
    Present = 2,
}

impl State {
    /// The state of the field at `position`, given the cells at the start of its record that hold the states.
    #[inline(always)]
    pub fn of(states: &[Cell], position: usize) -> State {
        decode_state(states[position / 32], position)
    }
}

/// What an `Any` value is. The second cell of its run holds it as the [arena](super) table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum AnyTag {
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An integer in the range of `i64`; integers that fit both are always this.
    Int,
    /// An integer above `i64::MAX`.
    Uint,
    /// A double. A JSON literal is this only when it is what the double prints, with at most 17 digits.
    Float,
    /// The text of a JSON number that neither an integer nor a double can hold (or `-0`).
    Number,
    /// UTF-8 text.
    String,
    /// Bytes.
    Bytes,
    /// A list of `Any`s.
    List,
    /// A map of `Any` keys to `Any`s. Keys from JSON are strings.
    Map,
    /// A value with a number that gives it meaning: a CBOR tag, or a MessagePack extension (whose value is bytes).
    /// The third cell of the run is the `Any` that it is about.
    Tagged,
}

impl AnyTag {
    pub(crate) const ALL: [AnyTag; 11] = [
        AnyTag::Null,
        AnyTag::Bool,
        AnyTag::Int,
        AnyTag::Uint,
        AnyTag::Float,
        AnyTag::Number,
        AnyTag::String,
        AnyTag::Bytes,
        AnyTag::List,
        AnyTag::Map,
        AnyTag::Tagged,
    ];
}

/// The state of the field at `position`, given the word that holds it.
#[inline(always)]
pub(crate) fn decode_state(word: Cell, position: usize) -> State {
    match word.0 >> (position % 32 * 2) & 3 {
        0 => State::Absent,
        1 => State::Null,
        _ => State::Present,
    }
}
