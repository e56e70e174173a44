//! Asking a server, with wrk.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::Case;
use crate::servers::Server;

/// Connections at a time.
pub const CONNECTIONS: usize = 16;

#[derive(Debug, Serialize)]
pub struct Sample {
    pub requests_per_second: f64,
    /// Of the server's processes, for one request.
    pub cpu_micros: f64,
    pub p99_millis: f64,
    pub requests: u64,
}

/// Asks for some seconds.
pub fn run(server: &Server, case: Case, seconds: u64) -> Result<Sample> {
    let path = if case == Case::Small { "small" } else { "large" };
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads", "1", "--latency", "--connections", &CONNECTIONS.to_string()]);
    wrk.args(["--duration", &format!("{seconds}s"), "--header", "Accept-Encoding: gzip"]);
    wrk.args(["--header", "Accept: application/protobuf"]);
    if case == Case::NotModified {
        wrk.args(["--header", &format!("If-None-Match: {}", server.etag)]);
    }
    wrk.arg(format!("http://{}/{path}", server.address));
    let before = server.cpu_micros()?;
    let output = wrk.output().context("wrk does not run; `cargo xtask bench serve` installs it")?;
    let after = server.cpu_micros()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() || text.contains("Non-2xx") || text.contains("Socket errors") {
        bail!("{}, {case:?}: {text}{}", server.name, String::from_utf8_lossy(&output.stderr));
    }
    let field = |name: &str| {
        text.lines()
            .find_map(|line| line.trim().strip_prefix(name))
            .map(|rest| rest.trim().to_owned())
            .context("wrk's output has changed")
    };
    let requests: u64 = text
        .lines()
        .find_map(|line| line.trim().split_once(" requests in "))
        .and_then(|(count, _)| count.parse().ok())
        .context("wrk's output has changed")?;
    Ok(Sample {
        requests_per_second: field("Requests/sec:")?.parse()?,
        cpu_micros: (after - before) / requests.max(1) as f64,
        p99_millis: millis(&field("99%")?)?,
        requests,
    })
}

fn millis(text: &str) -> Result<f64> {
    for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1000.0)] {
        if let Some(number) = text.strip_suffix(unit) {
            return Ok(number.parse::<f64>()? * factor);
        }
    }
    bail!("{text:?} is no time of wrk")
}
