//! Binary formats that tag every value with its type: MessagePack and CBOR. They share the data model, so they share
//! the walk along the schema; a [`Wire`] is what is left: how one value begins, and how it is written.

mod any;
mod decode;
mod encode;
mod flat;
pub(crate) mod float;
mod guess;
mod input;
mod plan;
mod record;
mod start;
mod tags;
mod trace;

use wirewise_core::{Kind, Logical, Out, Result};

pub(crate) use float::{narrow, widen};
pub(crate) use guess::guess;
pub(crate) use input::Input;
pub(crate) use plan::plan;
pub(crate) use start::{Number, Numbers, Start, Widths};

/// What a value begins with. Scalars are complete; text, bytes, and the elements of lists and maps follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Head {
    Null,
    Bool(bool),
    /// This integer.
    Uint(u64),
    /// The integer -1 - n.
    Negative(u64),
    /// A float of any width, widened.
    Float(f64),
    String(Length),
    Bytes(Length),
    List(Length),
    /// So many pairs.
    Map(Length),
    /// MessagePack: an application's type, and the length of the bytes that follow.
    Extension(i8, usize),
    /// CBOR: a simple value that no other format has, such as [`UNDEFINED`].
    Simple(u8),
    /// CBOR: the value that follows has this tag.
    Tag(u64),
    /// CBOR: the end of something of unknown length.
    Break,
}

/// The simple value that JavaScript has instead of a value.
pub(crate) const UNDEFINED: u8 = 23;

/// A length in bytes or elements; `None` when the end is marked instead.
pub(crate) type Length = Option<usize>;

impl Head {
    /// What it is, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Head::Null => "null",
            Head::Bool(_) => "a boolean",
            Head::Uint(_) | Head::Negative(_) => "an integer",
            Head::Float(_) => "a float",
            Head::String(_) => "a string",
            Head::Bytes(_) => "bytes",
            Head::List(_) => "an array",
            Head::Map(_) => "a map",
            Head::Extension(..) => "an extension type",
            Head::Simple(UNDEFINED) => "undefined",
            Head::Simple(_) => "a simple value",
            Head::Tag(_) => "a tag",
            Head::Break => "the end of a list or map",
        }
    }
}

/// What a CBOR tag says about a value whose type is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagMeaning {
    /// What the schema says too.
    Known,
    /// The bytes that follow are a large integer n, or -1 - n.
    BigInteger { negative: bool },
    /// The number that follows counts seconds since 1970, whatever the unit of the type.
    Seconds,
    /// Something that the schema does not say.
    Other,
}

/// How values of one format begin and are written.
pub(crate) trait Wire: Send + Sync + 'static {
    /// The format's name, with which the names of its variants begin.
    const NAME: &'static str;
    /// Advice to those whose bytes came as a string.
    const BYTES_ADVICE: &'static str;
    /// Whether maps are written in the order of the bytes of their keys.
    const SORTED: bool;
    /// How null is written.
    const NULL: u8;
    /// How false is written; true is the byte after it.
    const FALSE: u8;
    /// Integers below this, and -1 - n for such n, are in the first byte as zero is.
    const FEW: u64;
    /// Whether floats are written in the shortest form.
    const SHORTEST: bool = false;

    /// The integer n, or -1 - n when the flag says so, at the start of `rest`, and how many bytes it takes. This and those
    /// below read what nearly all messages have, without errors; what gives `None` is for [`Wire::head`].
    fn usual_int(rest: &[u8]) -> Option<(bool, u64, usize)>;
    /// A float, and how many bytes it takes.
    fn usual_float(rest: &[u8]) -> Option<(f64, usize)>;
    /// How many bytes the head of a string takes, and how many the text behind it has; which may not be there.
    fn usual_string(rest: &[u8]) -> Option<(usize, usize)>;
    /// How many bytes the head of a list takes, and how many elements follow.
    fn usual_list(rest: &[u8]) -> Option<(usize, usize)>;
    /// How many bytes the head of a map takes, and how many entries follow.
    fn usual_map(rest: &[u8]) -> Option<(usize, usize)>;

    /// Reads what the next value begins with.
    fn head(input: &mut Input<'_>) -> Result<Head>;

    /// The format's own name for how a value is written whose first byte is this.
    fn describe(first: u8) -> &'static str;

    /// What a tag before a value of this type means.
    fn tag_meaning(_tag: u64, _kind: &Kind, _logical: Option<Logical>) -> TagMeaning {
        TagMeaning::Other
    }

    /// The seconds and nanoseconds since 1970 that an extension stands for.
    fn timestamp(_extension: i8, _data: &[u8]) -> Option<(i64, u32)> {
        None
    }

    /// How numbers of a type are written, if that is by their width alone.
    fn numbers(number: Number) -> Option<&'static Numbers>;
    /// The double with these bits, if it is a usual one.
    #[inline(always)]
    fn usual_double(bits: u64) -> Option<Start> {
        Some(Self::float64(f64::from_bits(bits)))
    }
    fn uint(value: u64) -> Start;
    fn int(value: i64) -> Start;
    /// The integer -1 - n.
    ///
    /// # Errors
    /// [`wirewise_core::ErrorKind::Unsupported`] when it is too small.
    fn negative(n: u64) -> Result<Start>;
    fn float32(value: f32) -> Start;
    fn float64(value: f64) -> Start;
    /// What text of this length begins with; and so on. Longer ones than 4 GiB do not exist: see `Arena::begin`.
    fn string(len: usize) -> Start;
    fn bytes(len: usize) -> Start;
    fn list(len: usize) -> Start;
    fn map(len: usize) -> Start;
    /// What stands before a tagged value, or before the plain bytes of one that is bytes: then `true`.
    ///
    /// # Errors
    /// [`wirewise_core::ErrorKind::Unsupported`] when there is no such tag for such a value.
    fn tagged(tag: u64, bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool>;
}
