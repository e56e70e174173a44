//! Candidates that do the same thing, timed in turn.

use std::time::Duration;

use anyhow::{Context, Result};

use crate::results::{Kind, Timed};

/// Does the work once. What it writes is appended to the vector, which is empty.
pub type Work<'w> = Box<dyn FnMut(&mut Vec<u8>) -> Result<()> + 'w>;

/// One way to do what a group is about.
pub struct Candidate<'w> {
    pub kind: Kind,
    pub name: String,
    /// Where text is: `owned`, `borrowed`.
    pub memory: &'static str,
    pub work: Work<'w>,
}

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pub rounds: usize,
    /// Shortest time of one sample.
    pub sample: Duration,
}

/// Times all candidates: in each round every one of them takes its turn, so that a slow moment hits all alike.
pub fn time(mut candidates: Vec<Candidate<'_>>, pace: Pace) -> Result<Vec<Timed>> {
    let mut timed = Vec::new();
    let mut out = Vec::new();
    for candidate in &mut candidates {
        let repetitions =
            calibrate(&mut candidate.work, &mut out, pace.sample).with_context(|| candidate.name.clone())?;
        timed.push(Timed {
            kind: candidate.kind,
            name: candidate.name.clone(),
            memory: candidate.memory.to_owned(),
            repetitions,
            samples: Vec::with_capacity(pace.rounds),
        });
    }
    for round in 0..pace.rounds {
        // Another one begins each round, so that nobody always runs after the same neighbour's mess of the caches.
        for place in 0..candidates.len() {
            let place = (place + round) % candidates.len();
            let (candidate, timed) = (&mut candidates[place], &mut timed[place]);
            let sample = run(&mut candidate.work, &mut out, timed.repetitions)?;
            timed.samples.push(rounded(sample.as_secs_f64() * 1e3 / f64::from(timed.repetitions)));
        }
    }
    Ok(timed)
}

fn run(work: &mut Work<'_>, out: &mut Vec<u8>, repetitions: u32) -> Result<Duration> {
    let start = now();
    for _ in 0..repetitions {
        out.clear();
        work(out)?;
        std::hint::black_box(&*out);
    }
    Ok(now() - start)
}

/// The time that this thread has had a processor: what other programs do meanwhile is no part of the work.
#[cfg(unix)]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
pub fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Warms the work up and finds how many repetitions make a sample.
fn calibrate(work: &mut Work<'_>, out: &mut Vec<u8>, sample: Duration) -> Result<u32> {
    run(work, out, 1)?;
    let mut repetitions = 1;
    loop {
        let took = run(work, out, repetitions)?;
        if took >= sample / 2 {
            let exact = f64::from(repetitions) * sample.as_secs_f64() / took.as_secs_f64();
            return Ok(exact.ceil().max(1.0) as u32);
        }
        repetitions *= 2;
    }
}

/// Five digits: more would be noise in the file of results.
fn rounded(value: f64) -> f64 {
    format!("{value:.4e}").parse().expect("it was just printed")
}
