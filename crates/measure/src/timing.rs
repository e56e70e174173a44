//! Timing closures: warm-up, batches long enough for the clock, medians with a spread.

use std::time::{Duration, Instant};

use crate::report::Spread;

/// Shortest batch: well above the clock's resolution and its own cost.
const SHORTEST: Duration = Duration::from_millis(1);

/// One thing to time, and its samples so far.
pub(crate) struct Timer {
    /// Runs for one sample.
    runs: u32,
    samples: Vec<f64>,
    wanted: usize,
}

impl Timer {
    /// Warms `work` up and finds how many runs make a sample, so that all samples take about `budget`.
    pub(crate) fn new(budget: Duration, mut work: impl FnMut()) -> Self {
        // The first run pages memory in and grows buffers; it is no sample.
        work();
        let (mut runs, mut took) = (1u32, run(&mut work, 1));
        while took < SHORTEST && runs < 1 << 24 {
            // Aim a little beyond the target, but never trust one short timing too far.
            let factor = (SHORTEST.as_secs_f64() * 1.2 / took.as_secs_f64().max(1e-9)).clamp(2.0, 16.0);
            runs = (f64::from(runs) * factor) as u32;
            took = run(&mut work, runs);
        }
        let wanted = (budget.as_secs_f64() / took.as_secs_f64().max(1e-9)) as usize;
        Timer { runs, samples: Vec::new(), wanted: wanted.clamp(3, 51) }
    }

    /// Whether more samples are wanted.
    pub(crate) fn wants(&self) -> bool {
        self.samples.len() < self.wanted
    }

    /// Takes a sample. Samples of different timers are taken in turn, so that a slow moment of the machine hits all of
    /// them alike.
    pub(crate) fn sample(&mut self, mut work: impl FnMut()) {
        let took = run(&mut work, self.runs);
        self.samples.push(took.as_secs_f64() * 1e9 / f64::from(self.runs));
    }

    /// The result; `bytes` is what one run works on.
    pub(crate) fn spread(&self, bytes: u64) -> Spread {
        let mut sorted = self.samples.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let median = at(0.5);
        Spread {
            median_ns: median,
            min_ns: sorted[0],
            max_ns: sorted[sorted.len() - 1],
            spread: (at(0.75) - at(0.25)) / 2.0 / median,
            samples: sorted.len(),
            mb_per_s: bytes as f64 / 1e6 / (median / 1e9),
        }
    }
}

/// Times compressing, which takes longer than encoding and matters less here: with a third of `budget`; not at all when
/// that is zero.
pub(crate) fn time(budget: Duration, bytes: u64, mut work: impl FnMut()) -> Option<Spread> {
    if budget.is_zero() {
        return None;
    }
    let mut timer = Timer::new(budget / 3, &mut work);
    while timer.wants() {
        timer.sample(&mut work);
    }
    Some(timer.spread(bytes))
}

fn run(work: &mut impl FnMut(), runs: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..runs {
        work();
    }
    start.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_robust_and_the_spread_is_half_the_quartile_distance() {
        let timer = Timer { runs: 1, samples: vec![100.0, 90.0, 110.0, 1000.0, 80.0], wanted: 5 };
        let spread = timer.spread(1000);
        assert_eq!((spread.median_ns, spread.min_ns, spread.max_ns, spread.samples), (100.0, 80.0, 1000.0, 5));
        assert_eq!(spread.spread, 0.1);
        assert_eq!(spread.mb_per_s, 10_000.0);
    }

    #[test]
    fn short_work_is_batched() {
        let mut runs = 0u64;
        let mut timer = Timer::new(Duration::from_millis(20), || runs += 1);
        assert!(timer.runs > 1000, "{}", timer.runs);
        while timer.wants() {
            timer.sample(|| runs += 1);
        }
        assert!(timer.samples.len() >= 5);
    }
}
