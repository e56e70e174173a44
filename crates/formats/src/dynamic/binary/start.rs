//! How values begin when they are written: without branches, because the widths of numbers are hard to predict.

use wirewise_core::Out;

/// What a value begins with, or a whole number: a byte, and up to eight more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    first: u8,
    /// The others, the next one in the lowest byte.
    rest: u64,
    /// How many others there are.
    len: u8,
}

impl Start {
    /// One byte.
    #[inline(always)]
    pub(crate) fn byte(first: u8) -> Start {
        Start { first, rest: 0, len: 0 }
    }

    /// `first`, and the `len` bytes of a number, the most significant one first.
    #[inline(always)]
    pub(crate) fn number(first: u8, value: u64, len: u8) -> Start {
        Start { first, rest: (value << (64 - 8 * len)).swap_bytes(), len }
    }

    /// With these bits set in the first byte.
    #[inline(always)]
    pub(crate) fn with(self, bits: u8) -> Start {
        Start { first: self.first | bits, ..self }
    }

    #[inline(always)]
    pub(crate) fn write(self, out: &mut Out<'_>) {
        match self.len {
            0 => out.byte(self.first),
            len => out.word(self.first, self.rest, len.into()),
        }
    }

    /// Appends the first `len` bytes of `key`, this, and the first `text_len` bytes of `text`, if there is room for all of
    /// them: otherwise nothing, and `false`.
    #[inline(always)]
    pub(crate) fn try_write<const N: usize, const M: usize>(
        self,
        key: &[u8; N],
        len: usize,
        text: &[u8; M],
        text_len: usize,
        out: &mut Out<'_>,
    ) -> bool {
        out.try_field(key, len, self.first, self.rest, self.len.into(), text, text_len)
    }
}

/// How lengths of each width are written, by the count of the zeros before their first one bit.
pub(crate) struct Widths([Width; 64]);

/// How values of one type are written whose cell has all their bits: one way for all types.
pub(crate) struct Numbers {
    /// Those with the highest bit last, each by the count of the bits that are like the highest one.
    widths: [Width; 128],
    /// What is written of those with the highest bit: themselves, or the bits that are not set in them.
    flip: u64,
}

/// Types of numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Number {
    Int,
    Uint,
    F32,
    F64,
    Bool,
}

#[derive(Clone, Copy)]
struct Width {
    first: u8,
    /// The bits of the number that are in the first byte.
    mask: u8,
    /// How many bytes follow, and how far the number is shifted to begin with the first of them.
    len: u8,
    shift: u8,
}

impl Width {
    const fn new(first: u8, mask: u8, len: u8) -> Width {
        Width { first, mask, len, shift: if len == 0 { 0 } else { 64 - 8 * len } }
    }

    #[inline(always)]
    fn start(self, value: u64) -> Start {
        let Width { first, mask, len, shift } = self;
        Start { first: first | value as u8 & mask, rest: (value << (shift & 63)).swap_bytes(), len }
    }
}

impl Numbers {
    /// All alike: the first byte, the bits of the number in it, and how many bytes follow.
    pub(crate) const fn all(first: u8, mask: u8, len: u8) -> Numbers {
        Numbers { widths: [Width::new(first, mask, len); 128], flip: 0 }
    }

    /// Integers with a sign. Negative ones, n, are written as such or, if `flip`, as -1 - n.
    pub(crate) const fn signed(positive: &Widths, negative: &Widths, flip: bool) -> Numbers {
        let mut numbers = Numbers::unsigned(positive);
        let mut i = 0;
        while i < 64 {
            numbers.widths[64 + i] = negative.0[i];
            i += 1;
        }
        numbers.flip = if flip { u64::MAX } else { 0 };
        numbers
    }

    /// Integers without a sign.
    pub(crate) const fn unsigned(widths: &Widths) -> Numbers {
        let mut numbers = Numbers { widths: [widths.0[0]; 128], flip: 0 };
        let mut i = 0;
        while i < 64 {
            numbers.widths[i] = widths.0[i];
            i += 1;
        }
        numbers
    }

    /// The start of the value with these bits. Integers below `few` are written as zero is.
    #[inline(always)]
    pub(crate) fn start(&self, bits: u64, few: u64) -> Start {
        let sign = (bits as i64 >> 63) as u64;
        let magnitude = bits ^ sign;
        let zeros = if magnitude < few { 63 } else { magnitude.leading_zeros() as usize & 63 };
        self.widths[zeros | sign as usize & 64].start(bits ^ sign & self.flip)
    }
}

impl Widths {
    /// Of numbers with up to so many bits each: the first byte, the bits of the number in it, and how many bytes follow.
    pub(crate) const fn new(steps: &[(u32, u8, u8, u8)]) -> Widths {
        let mut widths = [Width::new(0, 0, 0); 64];
        let mut zeros = 0;
        while zeros < 64 {
            let mut i = 0;
            while i < steps.len() && steps[i].0 < 64 - zeros {
                i += 1;
            }
            // Wider ones than the last step's are not asked for.
            if i < steps.len() {
                let (_, first, mask, len) = steps[i];
                widths[zeros as usize] = Width::new(first, mask, len);
            }
            zeros += 1;
        }
        Widths(widths)
    }

    /// The start of a length, which mostly is short enough to be in the first byte: then that is `first | value`.
    #[inline(always)]
    pub(crate) fn length(&self, first: u8, short: usize, value: usize) -> Start {
        if value <= short { Start::byte(first | value as u8) } else { self.start(value as u64) }
    }

    /// The start of `value`.
    #[inline(always)]
    pub(crate) fn start(&self, value: u64) -> Start {
        self.0[(value | 1).leading_zeros() as usize & 63].start(value)
    }
}
