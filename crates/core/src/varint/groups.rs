//! Seven bits to a byte and back: one instruction where the program is built for a processor that is fast at it, a few
//! shifts elsewhere.
//!
//! AMD's processors before Zen 3 have the instructions (BMI2) and take hundreds of cycles for them; none of them has VAES.

#![allow(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "vaes"))]
mod chosen {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};

    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;

    #[inline(always)]
    pub(super) fn join(bytes: u64) -> u64 {
        // SAFETY: the program is built for processors that have BMI2.
        unsafe { _pext_u64(bytes, LOW) }
    }

    #[inline(always)]
    pub(super) fn split(value: u64) -> u64 {
        // SAFETY: as above.
        unsafe { _pdep_u64(value, LOW) }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "vaes")))]
use portable as chosen;

/// Whether it is one instruction.
pub(super) const ONE: bool = cfg!(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "vaes"));

/// The seven low bits of each byte, one after the other.
#[inline(always)]
pub(super) fn join(bytes: u64) -> u64 {
    chosen::join(bytes)
}

/// The 56 low bits, seven in each byte.
#[inline(always)]
pub(super) fn split(value: u64) -> u64 {
    chosen::split(value)
}

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2", target_feature = "vaes"), cfg(test))]
mod portable {
    #[inline(always)]
    pub(super) fn join(bytes: u64) -> u64 {
        let pairs = bytes & 0x007f_007f_007f_007f | (bytes & 0x7f00_7f00_7f00_7f00) >> 1;
        let quads = pairs & 0x0000_3fff_0000_3fff | (pairs & 0x3fff_0000_3fff_0000) >> 2;
        quads & 0x0fff_ffff | (quads & 0x0fff_ffff_0000_0000) >> 4
    }

    #[inline(always)]
    pub(super) fn split(value: u64) -> u64 {
        let quads = value & 0x0fff_ffff | (value & 0x00ff_ffff_f000_0000) << 4;
        let pairs = quads & 0x0000_3fff_0000_3fff | (quads & 0x0fff_c000_0fff_c000) << 2;
        pairs & 0x007f_007f_007f_007f | (pairs & 0x3f80_3f80_3f80_3f80) << 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree() {
        let mut word = 0x0123_4567_89ab_cdef_u64;
        for _ in 0..if cfg!(miri) { 50 } else { 10_000 } {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let value = word >> 8 >> (word % 56);
            assert_eq!(split(value), portable::split(value));
            assert_eq!(join(word), portable::join(word));
            assert_eq!(join(split(value)), value);
        }
    }
}
