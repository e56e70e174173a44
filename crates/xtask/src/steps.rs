//! Named steps, timed and summed up.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::process;

/// What runs longer does not end: no test asserts how long it takes, so that one with too much to do is found here.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// How a step ended that did not fail.
pub(crate) enum Done {
    /// It did its work.
    Passed,
    /// There was nothing to do, and this is why.
    Skipped(String),
}

impl Done {
    /// Say why there was nothing to do.
    pub(crate) fn print(self) {
        if let Done::Skipped(why) = self {
            println!("skipped: {why}");
        }
    }
}

/// Runs steps in order and remembers how each ended. A failed step does not keep the later ones from running: one run
/// shows everything there is to repair.
#[derive(Default)]
pub(crate) struct Steps {
    ended: Vec<Ended>,
}

struct Ended {
    name: &'static str,
    time: Duration,
    outcome: Result<Done>,
}

impl Steps {
    /// Run one step and print its name, its outcome and its time. When it takes too long, the programs that it runs are
    /// killed, so that it fails.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<Done>) {
        println!("==> {name}");
        let start = Instant::now();
        let (end, ended) = mpsc::channel();
        let watchdog = thread::spawn(move || watch(name, &ended));
        let outcome = step();
        drop::<mpsc::Sender<()>>(end);
        drop(watchdog.join());
        if let Err(error) = &outcome {
            println!("error: {error:#}");
        }
        let ended = Ended { name, time: start.elapsed(), outcome };
        println!("{}\n", ended.line());
        self.ended.push(ended);
    }

    /// Print the summary; an error names the steps that failed.
    pub(crate) fn finish(self) -> Result<()> {
        println!("==> summary");
        for ended in &self.ended {
            println!("{}", ended.line());
        }
        let failed: Vec<_> = self.ended.iter().filter(|ended| ended.outcome.is_err()).map(|ended| ended.name).collect();
        if !failed.is_empty() {
            bail!("failed: {}", failed.join(", "));
        }
        Ok(())
    }
}

impl Ended {
    fn line(&self) -> String {
        let Ended { name, time, outcome } = self;
        let time = time.as_secs_f64();
        match outcome {
            Ok(Done::Passed) => format!("passed   {name} ({time:.1} s)"),
            Ok(Done::Skipped(why)) => format!("skipped  {name}: {why}"),
            Err(_) => format!("FAILED   {name} ({time:.1} s)"),
        }
    }
}

/// Kill what the step `name` runs, again and again, until the step is over.
fn watch(name: &str, ended: &Receiver<()>) {
    while ended.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
        println!("error: {name} runs for more than {} minutes: what it runs is killed", LONGEST.as_secs() / 60);
        process::kill_below(std::process::id());
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn all_steps_run_and_the_failed_ones_are_named() {
        let mut steps = Steps::default();
        let mut ran = 0;
        steps.run("first", || Err(anyhow!("broken")));
        steps.run("second", || {
            ran += 1;
            Ok(Done::Passed)
        });
        steps.run("third", || Ok(Done::Skipped("nothing there".to_owned())));
        assert_eq!(ran, 1);
        assert_eq!(steps.finish().unwrap_err().to_string(), "failed: first");
    }
}
