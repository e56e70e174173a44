//! What the two protocols have in common: their wire types, the bytes they read from, and the trait behind which they
//! differ.

use wirewise_core::{Error, Out, Result};

/// The byte that ends a struct, in both protocols.
pub(super) const STOP: u8 = 0;

/// Thrift's types as they stand on the wire; each protocol has its own numbers for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WireType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Double,
    /// Text as well: the wire does not tell them apart.
    Binary,
    Struct,
    Map,
    Set,
    List,
    Uuid,
}

impl WireType {
    pub(super) fn name(self) -> &'static str {
        match self {
            WireType::Bool => "bool",
            WireType::I8 => "i8",
            WireType::I16 => "i16",
            WireType::I32 => "i32",
            WireType::I64 => "i64",
            WireType::Double => "double",
            WireType::Binary => "string",
            WireType::Struct => "struct",
            WireType::Map => "map",
            WireType::Set => "set",
            WireType::List => "list",
            WireType::Uuid => "uuid",
        }
    }
}

/// What stands before a field's value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    /// Any number is legal on the wire, negative ones included.
    pub(super) id: i16,
    pub(super) value: Announced,
}

/// A value about to be read: its type, and the value itself where the header has it (compact booleans).
#[derive(Debug, Clone, Copy)]
pub(super) struct Announced {
    pub(super) wire: WireType,
    pub(super) inline: Option<bool>,
}

impl Announced {
    pub(super) fn plain(wire: WireType) -> Self {
        Announced { wire, inline: None }
    }
}

/// The head of a list or set. An empty one has no element type worth knowing: writers differ in what they put there.
pub(super) struct ListHead {
    pub(super) items: Option<WireType>,
    pub(super) count: usize,
}

/// The head of a map; the same holds for an empty one.
pub(super) struct MapHead {
    pub(super) entries: Option<(WireType, WireType)>,
    pub(super) count: usize,
}

/// How one protocol writes what every Thrift value is made of. Everything above this is written once for both.
pub(super) trait Protocol {
    /// Whether integers and lengths take as many bytes as they need.
    const VARIABLE: bool;

    /// `None` at the stop byte. `last` is the number of the field before it, 0 at first.
    fn read_field(input: &mut Input<'_>, last: i16) -> Result<Option<Header>>;
    /// A boolean in a list or map, or where the field's header did not have it.
    fn read_bool(input: &mut Input<'_>) -> Result<bool>;
    /// An `I8`, `I16`, `I32` or `I64`, within its range.
    fn read_int(input: &mut Input<'_>, wire: WireType) -> Result<i64>;
    fn read_double(input: &mut Input<'_>) -> Result<f64>;
    /// The length of a string.
    fn read_len(input: &mut Input<'_>) -> Result<usize>;
    fn read_list(input: &mut Input<'_>) -> Result<ListHead>;
    fn read_map(input: &mut Input<'_>) -> Result<MapHead>;

    // What follows reads what is usual, and gives `None` and any `pos` otherwise: then the above say what it is.

    /// Bytes of the header of a field.
    const HEADER: usize;
    /// What a header says about a field of this type; compact booleans that are false have one more.
    fn tag(wire: WireType) -> u8;
    /// Whether the header of the field `id` follows the field `last`.
    fn is_next(bytes: &[u8], pos: usize, last: i16, id: i16, tag: u8, is_bool: bool) -> bool;
    /// A boolean whose header, of the usual length, is before `pos`.
    fn usual_bool(bytes: &[u8], pos: &mut usize) -> Option<bool>;
    /// An `I8`, `I16`, `I32` or `I64`, whose range is not checked.
    fn usual_int(bytes: &[u8], pos: &mut usize, wire: WireType) -> Option<i64>;
    fn usual_len(bytes: &[u8], pos: &mut usize) -> Option<usize>;
    /// The bits of a double.
    fn double(bytes: [u8; 8]) -> u64;

    /// The header of any field but a boolean.
    fn write_field(out: &mut Out<'_>, tag: u8, last: i16, id: i16);
    /// A boolean field, header and value.
    fn write_bool_field(out: &mut Out<'_>, value: bool, last: i16, id: i16);
    fn write_bool(out: &mut Out<'_>, value: bool);
    /// `value` is in the range of `wire`.
    fn write_int(out: &mut Out<'_>, wire: WireType, value: i64);
    fn write_double(out: &mut Out<'_>, value: f64);
    /// Lengths and counts are at most `i32::MAX`.
    fn write_len(out: &mut Out<'_>, len: u32);
    fn write_list(out: &mut Out<'_>, items: WireType, count: u32);
    fn write_map(out: &mut Out<'_>, key: WireType, value: WireType, count: u32);
}

/// The bytes of a message and how far they were read.
pub(super) struct Input<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) pos: usize,
}

impl<'a> Input<'a> {
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.pos
    }

    /// The error of an input that ends too early.
    #[cold]
    pub(super) fn end(&self, expected: &str) -> Error {
        Error::end(self.bytes.len(), expected)
    }

    #[inline(always)]
    pub(super) fn byte(&mut self, expected: &str) -> Result<u8> {
        let byte = *self.bytes.get(self.pos).ok_or_else(|| self.end(expected))?;
        self.pos += 1;
        Ok(byte)
    }

    #[inline(always)]
    pub(super) fn take(&mut self, len: usize, expected: &str) -> Result<&'a [u8]> {
        if len > self.remaining() {
            return Err(self.end(expected));
        }
        let taken = &self.bytes[self.pos..self.pos + len];
        self.pos += len;
        Ok(taken)
    }

    #[inline(always)]
    pub(super) fn array<const N: usize>(&mut self, expected: &str) -> Result<[u8; N]> {
        let taken = self.take(N, expected)?;
        Ok(taken.try_into().expect("as many bytes as were asked for"))
    }
}

/// The error of an integer outside the range of its wire type.
#[cold]
pub(super) fn out_of_range(at: usize, wire: WireType, value: impl std::fmt::Display) -> Error {
    Error::syntax(at, format!("{value} is beyond the range of {}", wire.name()))
}

/// The range of an integer type.
pub(super) fn range(wire: WireType) -> std::ops::RangeInclusive<i64> {
    match wire {
        WireType::I8 => i64::from(i8::MIN)..=i64::from(i8::MAX),
        WireType::I16 => i64::from(i16::MIN)..=i64::from(i16::MAX),
        WireType::I32 => i64::from(i32::MIN)..=i64::from(i32::MAX),
        _ => i64::MIN..=i64::MAX,
    }
}
