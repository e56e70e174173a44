//! Checked reading from a buffer: every offset is followed only after it is known to lie inside.
//!
//! Offsets may point anywhere, also to what others point to. A buffer of a few hundred bytes can so describe a message
//! of astronomic size, which is why all that is read is counted against a [budget](Buffer::charge).

use wirewise_core::{Error, ErrorKind, Result, utf8};

/// One buffer within the input.
pub(super) struct Buffer<'a> {
    input: &'a [u8],
    /// Where the buffer ends in the input.
    end: usize,
    /// Whether more input could make it longer.
    open: bool,
    /// Bytes that may still be read.
    budget: u64,
    /// The vtable that was read last.
    known: Known,
}

/// How often each byte of the input may be read, on average: strings are legally shared, and tables too. A buffer in
/// which nothing is shared reads every byte at most once.
pub(super) const SHARING: u64 = 64;
/// Bytes that may be read in any case.
pub(super) const FREE: u64 = 1 << 20;

/// A table: where it starts, and where its vtable lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) at: usize,
    pub(super) vtable: usize,
    /// Bytes of the vtable.
    pub(super) len: usize,
    /// Bytes of the table.
    pub(super) size: usize,
}

/// The vtable of a table that was read lately.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// Where it lies; 0 when none was read yet.
    vtable: usize,
    len: usize,
    size: usize,
}

impl<'a> Buffer<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        Buffer {
            input,
            end: input.len(),
            open: true,
            budget: FREE + SHARING * input.len() as u64,
            known: Known::default(),
        }
    }

    /// All of the input.
    pub(super) fn input(&self) -> &'a [u8] {
        self.input
    }

    /// The input up to the end of the buffer.
    pub(super) fn bytes_to_end(&self) -> &'a [u8] {
        &self.input[..self.end]
    }

    /// Goes on with the size-prefixed buffer at `at`; returns where it ends.
    pub(super) fn enter(&mut self, at: usize) -> Result<usize> {
        (self.end, self.open) = (self.input.len(), true);
        let size = self.u32(at, "the size of a buffer")? as usize;
        if size > self.input.len() - at - 4 {
            return Err(Error::end(self.input.len(), format_args!("the end of a buffer of {size} bytes")));
        }
        (self.end, self.open) = (at + 4 + size, false);
        // What lies outside of this buffer is none of its vtables.
        self.known = Known::default();
        Ok(self.end)
    }

    /// Counts bytes that are about to be read.
    #[inline]
    pub(super) fn charge(&mut self, bytes: usize, at: usize) -> Result<()> {
        match self.budget.checked_sub(bytes as u64) {
            Some(left) => {
                self.budget = left;
                Ok(())
            }
            None => Err(exhausted(at)),
        }
    }

    /// What may still be read: for who may have to read it again.
    pub(super) fn budget(&self) -> u64 {
        self.budget
    }

    pub(super) fn set_budget(&mut self, budget: u64) {
        self.budget = budget;
    }

    #[cold]
    fn outside(&self, at: usize, what: &str) -> Error {
        if self.open {
            Error::end(self.end, what)
        } else {
            Error::syntax(at.min(self.end), format!("{what} lies outside of the buffer"))
        }
    }

    /// `len` bytes at `at`.
    #[inline]
    pub(super) fn slice(&self, at: usize, len: usize, what: &str) -> Result<&'a [u8]> {
        let inside = at <= self.end && len <= self.end - at;
        if inside { Ok(&self.input[at..at + len]) } else { Err(self.outside(at, what)) }
    }

    #[inline]
    fn array<const N: usize>(&self, at: usize, what: &str) -> Result<[u8; N]> {
        let slice = self.slice(at, N, what)?;
        Ok(slice.try_into().expect("a slice of N bytes"))
    }

    #[inline]
    fn u16(&self, at: usize, what: &str) -> Result<u16> {
        self.array(at, what).map(u16::from_le_bytes)
    }

    #[inline]
    pub(super) fn u32(&self, at: usize, what: &str) -> Result<u32> {
        self.array(at, what).map(u32::from_le_bytes)
    }

    /// The place that the offset at `at` points to.
    #[inline]
    pub(super) fn follow(&self, at: usize, what: &str) -> Result<usize> {
        let offset = self.u32(at, "an offset")? as usize;
        if offset == 0 {
            return Err(Error::syntax(at, format!("the offset of {what} is 0")));
        }
        let target = at.saturating_add(offset);
        if target < self.end { Ok(target) } else { Err(self.outside(at, what)) }
    }

    /// The table at `at`.
    #[inline]
    pub(super) fn table(&mut self, at: usize) -> Result<View> {
        let distance = self.u32(at, "a table")? as i32;
        let vtable = usize::try_from(at as i64 - i64::from(distance))
            .map_err(|_| Error::syntax(at, "the vtable of a table lies outside of the buffer"))?;
        if vtable == self.known.vtable && vtable != 0 {
            let Known { vtable, len, size } = self.known;
            self.charge(size, at)?;
            return Ok(View { at, vtable, len, size });
        }
        // What is wrong is the offset to it, if it is not there.
        if self.slice(vtable, 4, "").is_err() {
            return Err(self.outside(at, "a vtable"));
        }
        let len = usize::from(self.u16(vtable, "a vtable")?);
        let size = usize::from(self.u16(vtable + 2, "a vtable")?);
        if len < 4 || !len.is_multiple_of(2) || size < 4 {
            return Err(Error::syntax(vtable, format!("a vtable of {len} bytes for a table of {size} bytes")));
        }
        self.slice(vtable, len, "a vtable")?;
        self.charge(size, at)?;
        self.known = Known { vtable, len, size };
        Ok(View { at, vtable, len, size })
    }

    /// The place of a field's scalar or offset; `None` when the table has none. The place itself is yet unchecked.
    #[inline]
    pub(super) fn field(&self, table: View, id: u16) -> Option<usize> {
        let entry = 4 + 2 * usize::from(id);
        if entry + 2 > table.len {
            return None;
        }
        let entry = table.vtable + entry;
        let offset = u16::from_le_bytes([self.input[entry], self.input[entry + 1]]);
        (offset != 0).then(|| table.at + usize::from(offset))
    }

    /// Whether all of the table, as large as its vtable says, lies in the buffer.
    #[inline(always)]
    pub(super) fn holds(&self, table: View) -> bool {
        table.at <= self.end && table.size <= self.end - table.at
    }

    /// The bytes of a table from `at` on, which must be in the input.
    #[inline(always)]
    pub(super) fn load<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.input[at..].first_chunk().expect("in the buffer")
    }

    /// The text that the offset at `at` points to, if all is well with it.
    #[inline(always)]
    pub(super) fn usual_text(&mut self, at: usize) -> Option<(usize, usize)> {
        let offset = u32::from_le_bytes(self.load(at)) as usize;
        let start = at + offset + 4;
        if offset == 0 || start > self.end {
            return None;
        }
        let len = u32::from_le_bytes(self.load(start - 4)) as usize;
        let left = self.budget.checked_sub(4 + len as u64)?;
        if len > self.end - start || utf8::check_part(self.input, start, len).is_err() {
            return None;
        }
        self.budget = left;
        Some((start, len))
    }

    /// The vector at `at`: where its elements start, and their count.
    #[inline]
    pub(super) fn vector(&mut self, at: usize, size: usize, what: &str) -> Result<(usize, usize)> {
        let count = self.u32(at, what)? as usize;
        let bytes = count.checked_mul(size).filter(|&bytes| bytes <= self.end - at - 4);
        let Some(bytes) = bytes else { return Err(self.outside(at, what)) };
        self.charge(4 + bytes, at)?;
        Ok((at + 4, count))
    }

    /// The bytes of a string or vector of bytes.
    #[inline]
    pub(super) fn bytes(&mut self, at: usize, what: &str) -> Result<&'a [u8]> {
        let (start, len) = self.vector(at, 1, what)?;
        Ok(&self.input[start..start + len])
    }
}

#[cold]
fn exhausted(at: usize) -> Error {
    Error::new(ErrorKind::Limit, format!("parts of the buffer are used again and again, more than {SHARING} times"))
        .at(at)
        .hint("no FlatBuffers writer shares that much: the buffer may be made to exhaust its readers")
}
