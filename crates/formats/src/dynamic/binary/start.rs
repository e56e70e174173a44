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

/// How numbers of each width are written, by the count of the zeros before their first one bit.
pub(crate) struct Widths([Width; 64]);

#[derive(Clone, Copy)]
struct Width {
    first: u8,
    /// The bits of the number that are in the first byte.
    mask: u8,
    /// How many bytes follow, and how far the number is shifted to begin with the first of them.
    len: u8,
    shift: u8,
}

impl Widths {
    /// Of numbers with up to so many bits each: the first byte, the bits of the number in it, and how many bytes follow.
    pub(crate) const fn new(steps: &[(u32, u8, u8, u8)]) -> Widths {
        let mut widths = [Width { first: 0, mask: 0, len: 0, shift: 0 }; 64];
        let mut zeros = 0;
        while zeros < 64 {
            let mut i = 0;
            while i < steps.len() && steps[i].0 < 64 - zeros {
                i += 1;
            }
            // Wider ones than the last step's are not asked for.
            if i < steps.len() {
                let (_, first, mask, len) = steps[i];
                let shift = if len == 0 { 0 } else { 64 - 8 * len };
                widths[zeros as usize] = Width { first, mask, len, shift };
            }
            zeros += 1;
        }
        Widths(widths)
    }

    /// The start of a length, which mostly is short enough to be in the first byte: then that is `first | value`.
    #[inline(always)]
    pub(crate) fn length(&self, first: u8, short: usize, value: usize) -> Start {
        if value <= short { Start::byte(first | value as u8) } else { self.start(value as u64, value as u64) }
    }

    /// The start of `value`, as wide as `magnitude` is.
    #[inline(always)]
    pub(crate) fn start(&self, magnitude: u64, value: u64) -> Start {
        self.at((magnitude | 1).leading_zeros() as usize & 63, value)
    }

    /// The start of `value`, as wide as numbers with so many zeros before their first bit.
    #[inline(always)]
    pub(crate) fn at(&self, zeros: usize, value: u64) -> Start {
        let Width { first, mask, len, shift } = self.0[zeros];
        Start { first: first | value as u8 & mask, rest: (value << (shift & 63)).swap_bytes(), len }
    }
}
