//! The random numbers of this crate.

/// SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, a fixed step, and a mixing function.
///
/// It is here, and not a dependency, because a library may improve its numbers from one version to the next. This one
/// must never change: every byte of every set depends on it.
///
/// ```
/// use wirewise_corpus::Rng;
///
/// let mut rng = Rng::new(1234567);
/// assert_eq!(rng.next_u64(), 6457827717110365317);
/// assert_eq!(rng.next_u64(), 3203168211198807973);
/// ```
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts at a seed; the same seed gives the same numbers.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number, any of the 2^64.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `end`; 0 when `end` is 0.
    ///
    /// It is the high half of a product, which favours no number by more than `end` in 2^64.
    pub const fn below(&mut self, end: u64) -> u64 {
        ((self.next_u64() as u128 * end as u128) >> 64) as u64
    }

    /// A number from 0 up to, but not including, 1: a multiple of 2^-53.
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// True in `percent` of 100 cases.
    pub const fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of the items, each as likely as another.
    ///
    /// # Panics
    ///
    /// When there are no items.
    pub const fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_kept() {
        let mut rng = Rng::new(1);
        for _ in 0..10_000 {
            assert!(rng.below(7) < 7);
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert_eq!(rng.below(0), 0);
        assert!(!rng.chance(0) && rng.chance(100));
    }

    #[test]
    fn numbers_are_spread_evenly() {
        let mut rng = Rng::new(2);
        let mut counts = [0; 10];
        for _ in 0..100_000 {
            counts[rng.below(10) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
