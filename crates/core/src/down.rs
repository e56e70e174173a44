//! Where encoders write that begin with the end of a message: before what was written last.
//!
//! [`Out`](crate::Out) for formats whose offsets point forward. What is written grows downwards in the free memory of a
//! vector, which nobody has to fill with zeros before, and moves behind what the vector has once it is finished.

#![allow(unsafe_code)]

use std::ptr;

/// The free memory of a vector, to write to from its end.
#[derive(Debug)]
pub struct Down<'a> {
    // Invariant: `first..end` lies in the vector's allocation behind its length, `next..end` of it is initialised, and
    // first <= next <= end.
    first: *mut u8,
    next: *mut u8,
    end: *mut u8,
    vec: &'a mut Vec<u8>,
}

/// Bytes of text that are copied at once.
const BLOCK: usize = 32;

impl<'a> Down<'a> {
    /// Writes about so many bytes, which come behind those of `vec` then.
    #[inline]
    pub fn new(vec: &'a mut Vec<u8>, expected: usize) -> Self {
        vec.reserve(expected);
        let len = vec.len();
        // SAFETY: so much was reserved.
        let (first, end) = unsafe { (vec.as_mut_ptr().add(len), vec.as_mut_ptr().add(len + expected)) };
        Down { first, next: end, end, vec }
    }

    /// Bytes that were written.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.end as usize - self.next as usize
    }

    /// Whether nothing was.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What was written.
    #[inline(always)]
    pub fn written(&self) -> &[u8] {
        // SAFETY: these bytes are initialised.
        unsafe { std::slice::from_raw_parts(self.next, self.len()) }
    }

    /// The same, to change it.
    #[inline(always)]
    pub fn written_mut(&mut self) -> &mut [u8] {
        // SAFETY: these bytes are initialised, and nobody else can use them.
        unsafe { std::slice::from_raw_parts_mut(self.next, self.len()) }
    }

    /// Room for `count` more bytes, so that what follows need not move what was written.
    #[inline(always)]
    pub fn reserve(&mut self, count: usize) {
        if self.next as usize - (self.first as usize) < count {
            self.grow(count);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) {
        let (head, len) = (self.vec.len(), self.len());
        // What is too much for any vector is refused by the new one.
        let size = len.saturating_add(count.max(len));
        // The vector does not know of what lies behind its length: so that is moved here.
        let mut larger = Vec::new();
        if self.vec.capacity() - head < size {
            larger.reserve_exact(head.saturating_add(size));
            larger.extend_from_slice(self.vec);
        }
        let to = if larger.capacity() > 0 { &mut larger } else { &mut *self.vec };
        // SAFETY: there is room for head + size bytes, of which len are copied to the end, maybe within one allocation.
        unsafe {
            self.first = to.as_mut_ptr().add(head);
            self.end = self.first.add(size);
            let next = self.end.sub(len);
            ptr::copy(self.next, next, len);
            self.next = next;
        }
        if larger.capacity() > 0 {
            *self.vec = larger;
        }
    }

    /// Writes a few bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.reserve(N);
        // SAFETY: there is room for N bytes.
        unsafe {
            self.next = self.next.sub(N);
            self.next.cast::<[u8; N]>().write_unaligned(bytes);
        }
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        // SAFETY: there is room for them; they do not overlap with it, since it belongs to the vector that is borrowed.
        unsafe {
            self.next = self.next.sub(bytes.len());
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len());
        }
    }

    /// Writes so many zeros.
    #[inline(always)]
    pub fn zeros(&mut self, count: usize) {
        self.reserve(count.saturating_add(15));
        // SAFETY: there is room for 15 bytes more than are needed.
        unsafe {
            if count <= 128 {
                for i in 0..count.div_ceil(16) {
                    self.next.sub(16 * (i + 1)).cast::<u128>().write_unaligned(0);
                }
            } else {
                ptr::write_bytes(self.next.sub(count), 0, count);
            }
            self.next = self.next.sub(count);
        }
    }

    /// Writes the `size` low bytes of `value`, the lowest one first, so that [`Down::len`] is a multiple of `size`: with
    /// zeros behind them where it was not.
    ///
    /// # Panics
    /// When `size` is not 1, 2, 4 or 8.
    #[inline(always)]
    pub fn scalar(&mut self, value: u64, size: usize) {
        assert!(size.is_power_of_two() && size <= 8);
        self.reserve(16);
        let padding = self.len().wrapping_neg() & (size - 1);
        let word = value << (64 - 8 * size);
        // SAFETY: there is room for 16 bytes; the padding is less than 8, and size no more.
        unsafe {
            self.next.sub(8).cast::<u64>().write_unaligned(0);
            let end = self.next.sub(padding);
            end.sub(8).cast::<u64>().write_unaligned(word.to_le());
            self.next = end.sub(size);
        }
    }

    /// Writes `head`, `base[start..start + len]`, and `zeros` zeros behind it. Fast where more of `base` lies before,
    /// because a block of bytes can be copied then, whatever the length.
    ///
    /// # Panics
    /// When `base` has no such range, or for more than four zeros.
    #[inline(always)]
    pub fn text(&mut self, head: [u8; 4], base: &[u8], start: usize, len: usize, zeros: usize) {
        assert!(zeros <= 4);
        let text = &base[start..start + len];
        self.reserve(2 * BLOCK + 8 + len);
        let from = start + len;
        // SAFETY: there is room for four bytes behind the text, the text or two blocks, and four bytes before it. A block of
        // `base` that ends at `from` does not begin before `base`. Nothing overlaps, as in `bytes`.
        unsafe {
            self.next.sub(4).cast::<[u8; 4]>().write_unaligned([0; 4]);
            let end = self.next.sub(zeros);
            let (behind, last) = (base.as_ptr().wrapping_add(from), end);
            if len <= BLOCK && from >= BLOCK {
                block::<BLOCK>(behind, last);
            } else if len <= 2 * BLOCK && from >= 2 * BLOCK {
                block::<{ 2 * BLOCK }>(behind, last);
            } else {
                ptr::copy_nonoverlapping(text.as_ptr(), end.sub(len), len);
            }
            self.next = end.sub(len + 4);
            self.next.cast::<[u8; 4]>().write_unaligned(head);
        }
    }

    /// Room for so many bytes that are written as words that overlap.
    #[inline(always)]
    pub fn words(&mut self, room: usize) -> Words<'_, 'a> {
        self.reserve(room.saturating_add(8));
        Words { room, size: 0, missing: 0, next: self.next, down: self }
    }

    /// Forgets what was written before the last `len` bytes: all that came after them.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        assert!(len <= self.len());
        // SAFETY: it is within what was written.
        self.next = unsafe { self.end.sub(len) };
    }

    /// Appends to the vector what was written, and begins anew.
    #[inline]
    pub fn finish(&mut self) {
        let len = self.len();
        // SAFETY: `first` is where the vector ends, and what lies between that and `end` is its memory; after the move, the
        // first len bytes of it are initialised.
        unsafe {
            ptr::copy(self.next, self.first, len);
            self.vec.set_len(self.vec.len() + len);
            self.first = self.first.add(len);
        }
        (self.next, self.end) = (self.first, self.first);
    }
}

/// Blocks of bytes, each of which is written as words, from its last one to its first. They are there once all is
/// [finished](Words::finish).
#[derive(Debug)]
pub struct Words<'w, 'a> {
    // Invariant: there is room for `room + 8` bytes before `next`, and all from `next + missing` on is initialised, as far
    // as what `down` has. The block is the `size` bytes at `next`.
    room: usize,
    size: usize,
    missing: usize,
    next: *mut u8,
    down: &'w mut Down<'a>,
}

impl Words<'_, '_> {
    /// Begins a block of bytes before the last one, which has to be whole.
    ///
    /// # Panics
    /// When it is not, or when there is no room.
    #[inline(always)]
    pub fn begin(&mut self, size: usize) {
        assert!(self.missing == 0 && size <= self.room);
        self.room -= size;
        (self.size, self.missing) = (size, size);
        // SAFETY: there is room.
        self.next = unsafe { self.next.sub(size) };
    }

    /// Writes a word that ends where the first `end` bytes of the block do: over what the last one has before that.
    ///
    /// # Panics
    /// When there are fewer bytes, or some between this word and the last one, or the end.
    #[inline(always)]
    pub fn put(&mut self, end: usize, word: u64) {
        assert!(self.missing <= end && end <= self.size);
        // SAFETY: the word ends in the block, before which there are eight bytes more.
        unsafe { self.next.add(end).sub(8).cast::<u64>().write_unaligned(word.to_le()) };
        self.missing = end.saturating_sub(8);
    }

    /// What was written behind the blocks.
    #[inline(always)]
    pub fn behind(&self) -> &[u8] {
        self.down.written()
    }

    /// Ends the last block, which has to be whole.
    ///
    /// # Panics
    /// When it is not.
    #[inline(always)]
    pub fn finish(self) {
        assert!(self.missing == 0);
        self.down.next = self.next;
    }
}

/// Copies the N bytes before `from` to those before `to`.
///
/// # Safety
/// These can be read and written, and do not overlap.
#[inline(always)]
unsafe fn block<const N: usize>(from: *const u8, to: *mut u8) {
    // SAFETY: as asked for.
    unsafe {
        let block = from.sub(N).cast::<[u8; N]>().read_unaligned();
        to.sub(N).cast::<[u8; N]>().write_unaligned(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_there_however_much_was_expected() {
        let source: Vec<u8> = (0..200).collect();
        for expected in [0, 1, 30, 1000, 10_000] {
            let mut vec = b"head".to_vec();
            let mut down = Down::new(&mut vec, expected);
            // The same from its end to its start.
            let mut plain = Vec::new();
            let mut add = |bytes: &[u8]| plain.extend(bytes.iter().rev());
            for i in 0..if cfg!(miri) { 10 } else { 100 } {
                let start = i * 7 % 100;
                down.array(*b"abc");
                add(b"abc");
                down.zeros(i % 20);
                add(&[0; 20][..i % 20]);
                down.bytes(&source[..i]);
                add(&source[..i]);
                down.text(*b"size", &source, start, i, i % 5);
                add(&[0; 5][..i % 5]);
                add(&source[start..start + i]);
                add(b"size");
            }
            plain.reverse();
            assert_eq!((down.len(), down.written()), (plain.len(), &plain[..]), "{expected}");
            down.finish();
            assert!(down.is_empty());
            down.array(*b"more");
            down.finish();
            assert_eq!(vec, [b"head", &plain[..], b"more"].concat(), "{expected}");
        }
    }

    #[test]
    fn scalars_are_aligned() {
        for (before, size, expected) in
            [(0, 8, &[8, 7, 6, 5, 4, 3, 2, 1][..]), (3, 2, &[8, 7, 0, 1, 1, 1]), (5, 4, &[8, 7, 6, 5, 0, 0, 0, 1])]
        {
            let mut vec = Vec::new();
            let mut down = Down::new(&mut vec, 0);
            (0..before).for_each(|_| down.array([1]));
            down.scalar(0x0102_0304_0506_0708, size);
            assert_eq!(&down.written()[..expected.len()], expected);
            assert_eq!(down.len() % size, 0);
        }
    }

    #[test]
    fn words_overlap_without_gaps() {
        let mut vec = Vec::new();
        let mut down = Down::new(&mut vec, 0);
        down.array([9]);
        let mut words = down.words(20);
        words.begin(15);
        words.put(15, 0);
        words.put(13, u64::from_le_bytes(*b"12345678"));
        words.put(6, u64::from_le_bytes(*b"......ab"));
        words.put(4, u64::from_le_bytes(*b"....head"));
        words.begin(3);
        words.put(3, u64::from_le_bytes(*b".....new"));
        assert_eq!(words.behind(), [9]);
        words.finish();
        assert_eq!(down.written(), b"newheadab2345678\0\0\x09");
        for ends in [&[14][..], &[16], &[15, 6], &[15]] {
            let write = || {
                let mut words = down.words(15);
                words.begin(15);
                ends.iter().for_each(|&end| words.put(end, 0));
                words.finish();
            };
            assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).is_err());
        }
        assert_eq!(down.len(), 19);
    }

    #[test]
    fn what_is_taken_back_or_not_finished_is_not_there() {
        let mut vec = b"head".to_vec();
        let mut down = Down::new(&mut vec, 100);
        down.array(*b"end");
        down.array([7; 500]);
        down.truncate(3);
        down.written_mut()[0] = b'E';
        down.finish();
        down.array(*b"lost");
        assert_eq!(vec, b"headEnd");
    }

    #[test]
    fn more_than_any_vector_holds_is_refused() {
        for count in [usize::MAX, usize::MAX - 10, usize::MAX / 2] {
            let mut vec = b"head".to_vec();
            let mut down = Down::new(&mut vec, 10);
            let refused = |write: &mut dyn FnMut()| {
                assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(write)).is_err());
            };
            refused(&mut || down.zeros(count));
            refused(&mut || down.words(count).finish());
        }
    }

    #[test]
    #[should_panic]
    fn a_text_that_is_not_there_is_not_read() {
        Down::new(&mut Vec::new(), 100).text([0; 4], &[0; 40], 30, 11, 1);
    }
}
