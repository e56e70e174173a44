//! Where encoders write: the end of a `Vec<u8>`, without a call for every byte.
//!
//! `Vec::push` loads and stores the vector's length for each byte, and `extend_from_slice` calls `memcpy` even for three
//! of them. [`Out`] keeps the place to write to in a register and copies short texts inline; every method checks that
//! there is room, so none can write where it must not. The vector has its right length again when the `Out` is dropped.

#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr;

use crate::varint;

/// The end of a vector, to write to.
#[derive(Debug)]
pub struct Out<'a> {
    // Invariant: `start..end` is the vector's allocation, `start..next` is initialised, and start <= next <= end.
    start: *mut u8,
    next: *mut u8,
    end: *mut u8,
    vec: *mut Vec<u8>,
    life: PhantomData<&'a mut Vec<u8>>,
}

impl<'a> Out<'a> {
    /// Writes to the end of `vec`.
    pub fn new(vec: &'a mut Vec<u8>) -> Self {
        let mut out = Out {
            start: ptr::null_mut(),
            next: ptr::null_mut(),
            end: ptr::null_mut(),
            vec: ptr::from_mut(vec),
            life: PhantomData,
        };
        out.adopt();
        out
    }

    /// Takes the vector's allocation as it is now.
    fn adopt(&mut self) {
        // SAFETY: `vec` came from a `&'a mut` that nobody else can use while `self` lives.
        let vec = unsafe { &mut *self.vec };
        let (len, capacity) = (vec.len(), vec.capacity());
        self.start = vec.as_mut_ptr();
        // SAFETY: both are within the allocation or one past its end.
        (self.next, self.end) = unsafe { (self.start.add(len), self.start.add(capacity)) };
    }

    /// Gives the vector the length of what was written, and hands it out.
    fn release(&mut self) -> &mut Vec<u8> {
        let len = self.len();
        // SAFETY: as in `adopt`; the first `len` bytes are initialised and within the capacity.
        unsafe {
            let vec = &mut *self.vec;
            vec.set_len(len);
            vec
        }
    }

    /// Bytes in the vector, those before the `Out` was made included.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.next as usize - self.start as usize
    }

    /// Whether nothing is in the vector.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    fn room(&mut self, count: usize) {
        if self.end as usize - (self.next as usize) < count {
            // By value, so that one that nobody else refers to stays in registers.
            (self.start, self.next, self.end) = Self::grown(self.copy(), count);
        }
    }

    /// Whether there is room for so many more bytes: then the `try` methods write as many.
    #[inline(always)]
    pub fn has_room(&self, count: usize) -> bool {
        self.end as usize - self.next as usize >= count
    }

    #[inline(always)]
    fn copy(&self) -> ManuallyDrop<Out<'a>> {
        let Out { start, next, end, vec, life } = *self;
        ManuallyDrop::new(Out { start, next, end, vec, life })
    }

    #[cold]
    #[inline(never)]
    fn grown(mut out: ManuallyDrop<Self>, count: usize) -> (*mut u8, *mut u8, *mut u8) {
        out.release().reserve(count);
        out.adopt();
        (out.start, out.next, out.end)
    }

    /// Has a loop write that calls nothing but these methods: where all of them are inlined, the place stays in registers.
    /// Through a reference it is loaded and stored for every value, and each waits for the one before.
    #[inline(always)]
    pub fn local<R>(&mut self, write: impl FnOnce(&mut Out<'a>) -> R) -> R {
        struct Back<'o, 'a> {
            local: ManuallyDrop<Out<'a>>,
            home: &'o mut Out<'a>,
        }
        impl Drop for Back<'_, '_> {
            // Also when `write` panics: the vector may have moved.
            #[inline(always)]
            fn drop(&mut self) {
                let Out { start, next, end, vec, .. } = *self.local;
                (self.home.start, self.home.next, self.home.end, self.home.vec) = (start, next, end, vec);
            }
        }
        let mut back = Back { local: self.copy(), home: self };
        write(&mut back.local)
    }

    /// Appends a byte.
    #[inline(always)]
    pub fn byte(&mut self, byte: u8) {
        self.array([byte]);
    }

    /// Appends a few bytes.
    #[inline(always)]
    pub fn array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.room(N);
        // SAFETY: there is room for N bytes.
        unsafe {
            self.next.cast::<[u8; N]>().write_unaligned(bytes);
            self.next = self.next.add(N);
        }
    }

    /// Appends the first `len` of a few bytes, and may write (not append) the others behind them.
    ///
    /// # Panics
    /// When `len` is more than `N`.
    #[inline(always)]
    pub fn prefix<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        assert!(len <= N);
        self.room(N);
        // SAFETY: there is room for N bytes, and len is not more.
        unsafe {
            self.next.cast::<[u8; N]>().write_unaligned(bytes);
            self.next = self.next.add(len);
        }
    }

    /// Appends the first bytes of two arrays, each as [`Out::prefix`] does.
    ///
    /// # Panics
    /// When a length is more than its array has.
    #[inline(always)]
    pub fn prefixes<const M: usize, const N: usize>(&mut self, first: ([u8; M], usize), second: ([u8; N], usize)) {
        assert!(first.1 <= M && second.1 <= N);
        self.room(M + N);
        // SAFETY: there is room for M + N bytes, and the lengths are not more.
        unsafe {
            self.next.cast::<[u8; M]>().write_unaligned(first.0);
            self.next = self.next.add(first.1);
            self.next.cast::<[u8; N]>().write_unaligned(second.0);
            self.next = self.next.add(second.1);
        }
    }

    /// As [`Out::prefixes`] if there is room for both arrays, otherwise nothing, and `false`: for loops that call nobody.
    ///
    /// # Panics
    /// When a length is more than its array has.
    #[inline(always)]
    pub fn try_prefixes<const M: usize, const N: usize>(
        &mut self,
        first: ([u8; M], usize),
        second: (&[u8; N], usize),
    ) -> bool {
        assert!(first.1 <= M && second.1 <= N);
        if !self.has_room(M + N) {
            return false;
        }
        // SAFETY: there is room for M + N bytes, and the lengths are not more.
        unsafe {
            self.next.cast::<[u8; M]>().write_unaligned(first.0);
            self.next = self.next.add(first.1);
            self.next.cast::<[u8; N]>().write_unaligned(*second.0);
            self.next = self.next.add(second.1);
        }
        true
    }

    /// Appends `first`, and the `count` lowest bytes of `rest`, the lowest one first; the others may be written behind.
    ///
    /// # Panics
    /// When `count` is more than 8.
    #[inline(always)]
    pub fn word(&mut self, first: u8, rest: u64, count: usize) {
        self.room(9);
        self.try_field(&[], 0, first, rest, count, &[], 0);
    }

    /// Appends the first `len` bytes of `key`, then `first`, the `count` lowest bytes of `rest`, the lowest one first, and
    /// the first `text_len` bytes of `text`: if there is room for the arrays as a whole, otherwise nothing, and `false`.
    /// Bytes of the arrays that are not appended may be written behind.
    ///
    /// A loop that ends when there is no room, and calls nobody, has all that it needs in registers.
    ///
    /// # Panics
    /// When a length is more than its array has, or `count` more than 8.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub fn try_field<const N: usize, const M: usize>(
        &mut self,
        key: &[u8; N],
        len: usize,
        first: u8,
        rest: u64,
        count: usize,
        text: &[u8; M],
        text_len: usize,
    ) -> bool {
        assert!(len <= N && count <= 8 && text_len <= M);
        // One comparison with what is the same all through a loop; where the end is below that, `next` is not less than 0.
        if self.end as usize <= N + 9 + M || self.next as usize > self.end as usize - (N + 9 + M) {
            return false;
        }
        // SAFETY: there is room for N + 9 + M bytes, and no length is more than its share of them. What is copied does not
        // overlap, because the room belongs to the vector that is borrowed for `self`.
        unsafe {
            self.next.cast::<[u8; N]>().write_unaligned(*key);
            let behind = self.next.add(len);
            *behind = first;
            behind.add(1).cast::<u64>().write_unaligned(rest.to_le());
            let behind = behind.add(1 + count);
            behind.cast::<[u8; M]>().write_unaligned(*text);
            self.next = behind.add(text_len);
        }
        true
    }

    /// Appends bytes.
    #[inline(always)]
    pub fn bytes(&mut self, bytes: &[u8]) {
        let len = bytes.len();
        self.room(len);
        let (from, to) = (bytes.as_ptr(), self.next);
        // SAFETY: there is room for len bytes; each pair of blocks lies within the first len bytes of both, which cannot
        // overlap, since one belongs to the vector that is borrowed for `self`, and covers them.
        unsafe {
            match len {
                0 => {}
                1..4 => {
                    *to = *from;
                    *to.add(len / 2) = *from.add(len / 2);
                    *to.add(len - 1) = *from.add(len - 1);
                }
                4..8 => ends::<4>(from, to, len),
                8..=16 => ends::<8>(from, to, len),
                17..=32 => ends::<16>(from, to, len),
                33..=64 => ends::<32>(from, to, len),
                _ => ptr::copy_nonoverlapping(from, to, len),
            }
            self.next = to.add(len);
        }
    }

    /// Appends `base[start..start + len]`. Faster than [`Out::bytes`] where more of `base` follows, because a block of
    /// bytes can be copied then, whatever the length.
    ///
    /// # Panics
    /// When `base` has no such range.
    #[inline(always)]
    pub fn part(&mut self, base: &[u8], start: usize, len: usize) {
        let copied = match len {
            0..=32 => self.block::<32>(base, start, len),
            33..=64 => self.block::<64>(base, start, len),
            _ => false,
        };
        if !copied {
            self.bytes(&base[start..start + len]);
        }
    }

    /// Appends the first `len` bytes, no more than N, of a block of N bytes, if `base` has one at `start`.
    #[inline(always)]
    fn block<const N: usize>(&mut self, base: &[u8], start: usize, len: usize) -> bool {
        if base.len() < N || start > base.len() - N {
            return false;
        }
        assert!(len <= N);
        // Before the block is read, so that it stays in registers.
        self.room(N);
        // SAFETY: there is room for a block, and base has one at start; they do not overlap, as in `bytes`.
        unsafe {
            let block = base.as_ptr().add(start).cast::<[u8; N]>().read_unaligned();
            self.next.cast::<[u8; N]>().write_unaligned(block);
            self.next = self.next.add(len);
        }
        true
    }

    /// Appends `base[start..start + len]` with a byte before it and behind it, as [`Out::part`] does.
    ///
    /// # Panics
    /// When `base` has no such range.
    #[inline(always)]
    pub fn between(&mut self, mark: u8, base: &[u8], start: usize, len: usize) {
        let copied = match len {
            0..=32 => self.block_between::<32>(mark, base, start, len),
            33..=64 => self.block_between::<64>(mark, base, start, len),
            _ => false,
        };
        if !copied {
            self.byte(mark);
            self.bytes(&base[start..start + len]);
            self.byte(mark);
        }
    }

    /// As [`Out::block`], for [`Out::between`].
    #[inline(always)]
    fn block_between<const N: usize>(&mut self, mark: u8, base: &[u8], start: usize, len: usize) -> bool {
        if base.len() < N || start > base.len() - N {
            return false;
        }
        assert!(len <= N);
        self.room(N + 2);
        // SAFETY: as in `block`, and there is room for two bytes more: the last one is at most at N + 1.
        unsafe {
            let block = base.as_ptr().add(start).cast::<[u8; N]>().read_unaligned();
            *self.next = mark;
            self.next.add(1).cast::<[u8; N]>().write_unaligned(block);
            *self.next.add(1 + len) = mark;
            self.next = self.next.add(len + 2);
        }
        true
    }

    /// Changes a byte that was written before.
    ///
    /// # Panics
    /// When there is none at `at`.
    #[inline(always)]
    pub fn set(&mut self, at: usize, byte: u8) {
        self.written_mut()[at] = byte;
    }

    /// Appends a [varint](crate::varint).
    #[inline(always)]
    pub fn varint(&mut self, value: u64) {
        if value < 0x80 {
            self.byte(value as u8);
        } else {
            self.long_varint(value);
        }
    }

    /// Appends a varint of a number whose length is hard to predict.
    #[inline(always)]
    pub fn number(&mut self, value: u64) {
        if varint::is_byte(value) {
            self.byte(value as u8);
        } else {
            self.long_varint(value);
        }
    }

    /// Appends a varint whatever its length, without a branch on that where it is one of the usual ones.
    #[inline(always)]
    fn long_varint(&mut self, value: u64) {
        if value >> varint::WORD_BITS == 0 {
            let (word, len) = varint::word(value);
            self.prefix(word.to_le_bytes(), len);
        } else {
            let (bytes, len) = varint::bytes(value);
            self.prefix(bytes, len);
        }
    }

    /// What is in the vector.
    #[inline]
    pub fn written(&self) -> &[u8] {
        // SAFETY: these bytes are initialised.
        unsafe { std::slice::from_raw_parts(self.start, self.len()) }
    }

    /// The same, to change it.
    #[inline]
    pub fn written_mut(&mut self) -> &mut [u8] {
        // SAFETY: these bytes are initialised, and nobody else can use them.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len()) }
    }

    /// Forgets all after the first `len` bytes of the vector.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        assert!(len <= self.len());
        // SAFETY: it is within what was written.
        self.next = unsafe { self.start.add(len) };
    }

    /// Room for `count` more bytes, so that what follows need not move what was written.
    #[inline]
    pub fn reserve(&mut self, count: usize) {
        self.room(count);
    }

    /// Has something else write to the vector itself.
    pub fn with<R>(&mut self, write: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        struct Adopt<'o, 'a>(&'o mut Out<'a>);
        impl Drop for Adopt<'_, '_> {
            // Also when `write` panics: the vector may have moved.
            fn drop(&mut self) {
                self.0.adopt();
            }
        }
        let guard = Adopt(self);
        write(guard.0.release())
    }
}

impl Drop for Out<'_> {
    fn drop(&mut self) {
        self.release();
    }
}

/// Copies the first and the last N bytes of `len`.
///
/// # Safety
/// N <= len; `from` can be read and `to` written for `len` bytes, which do not overlap.
#[inline(always)]
unsafe fn ends<const N: usize>(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: both blocks are within `len` bytes.
    unsafe {
        let first = from.cast::<[u8; N]>().read_unaligned();
        let last = from.add(len - N).cast::<[u8; N]>().read_unaligned();
        to.cast::<[u8; N]>().write_unaligned(first);
        to.add(len - N).cast::<[u8; N]>().write_unaligned(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lengths_are_written_as_they_are() {
        let source: Vec<u8> = (0..200).collect();
        // Miri checks every access, and takes its time.
        for len in (0..100).step_by(if cfg!(miri) { 5 } else { 1 }) {
            let (mut ours, mut plain) = (b"head".to_vec(), b"head".to_vec());
            let mut out = Out::new(&mut ours);
            for start in [0, 7, 100, 200 - len] {
                out.bytes(&source[start..start + len]);
                out.part(&source, start, len);
                out.between(b'|', &source, start, len);
                plain.extend_from_slice(&source[start..start + len]);
                plain.extend_from_slice(&source[start..start + len]);
                plain.push(b'|');
                plain.extend_from_slice(&source[start..start + len]);
                plain.push(b'|');
            }
            assert_eq!(out.written(), plain, "{len}");
            drop(out);
            assert_eq!(ours, plain, "{len}");
        }
    }

    #[test]
    fn varints_are_as_the_plain_loop_writes_them() {
        let plain = |mut value: u64| {
            let mut out = Vec::new();
            while value >= 0x80 {
                out.push(value as u8 | 0x80);
                value >>= 7;
            }
            out.push(value as u8);
            out
        };
        for shift in 0..64 {
            for value in [(1 << shift) - 1, 1 << shift, u64::MAX >> shift] {
                let (mut ours, mut other) = (Vec::new(), Vec::new());
                Out::new(&mut ours).varint(value);
                Out::new(&mut other).number(value);
                assert_eq!(ours, plain(value), "{value}");
                assert_eq!(other, ours, "{value}");
            }
        }
    }

    #[test]
    fn what_others_write_and_what_is_taken_back_is_in_order() {
        let mut vec = Vec::new();
        let mut out = Out::new(&mut vec);
        out.array(*b"abc");
        out.with(|vec| vec.extend_from_slice(&[b'd'; 100]));
        out.byte(b'e');
        assert_eq!((out.len(), out.is_empty()), (104, false));
        out.truncate(4);
        out.set(0, b'A');
        out.prefix(*b"xyz_____", 3);
        out.reserve(1000);
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            out.with(|vec| {
                vec.extend_from_slice(&[b'!'; 5000]);
                panic!("on the way")
            })
        }));
        assert!(unwound.is_err());
        out.byte(b'.');
        drop(out);
        assert_eq!(&vec[..7], b"Abcdxyz");
        assert_eq!((vec.len(), vec[5007]), (5008, b'.'));
    }

    #[test]
    fn what_a_loop_writes_on_its_own_is_there_also_when_it_panics() {
        let mut vec = b"abc".to_vec();
        let mut out = Out::new(&mut vec);
        let written = out.local(|out| {
            for i in 0..100_u8 {
                out.prefixes(([i, 0xff], 1), ([0xee; 8], 2));
            }
            out.len()
        });
        assert_eq!((written, out.len()), (303, 303));
        let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            out.local(|out| {
                out.bytes(&[b'!'; 5000]);
                panic!("on the way")
            })
        }));
        assert!(unwound.is_err());
        out.byte(b'.');
        drop(out);
        assert_eq!(&vec[..9], b"abc\x00\xee\xee\x01\xee\xee");
        assert_eq!((vec.len(), vec[5303]), (5304, b'.'));
    }

    #[test]
    fn fields_are_appended_as_a_whole() {
        let mut vec = Vec::new();
        let mut out = Out::new(&mut vec);
        let mut plain = Vec::new();
        for i in 0..100 {
            let (len, count, text_len) = (i % 5, i % 9, i % 6);
            while !out.try_field(b"name", len, i as u8, 0x0807_0605_0403_0201, count, b"value", text_len) {
                out.reserve(26);
            }
            plain.extend_from_slice(&b"name"[..len]);
            plain.push(i as u8);
            plain.extend_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8][..count]);
            plain.extend_from_slice(&b"value"[..text_len]);
        }
        drop(out);
        assert_eq!(vec, plain);
    }

    #[test]
    #[should_panic]
    fn a_part_that_is_not_there_is_not_read() {
        Out::new(&mut Vec::new()).part(&[0; 40], 30, 11);
    }
}
