//! What the machine is.

use crate::report::Machine;

pub(crate) fn describe() -> Machine {
    let processor = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    });
    Machine {
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        processor,
        processors: std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The time, as RFC 3339 in UTC, to the second.
pub(crate) fn now() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Second).unwrap_or(now).to_string()
}
