//! Asking a server: with wrk as fast as it answers, with h2load at a rate.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::Case;
use crate::servers::{LOAD, Server, on};

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

/// Asks for some seconds, each connection again as soon as it has an answer.
pub fn fastest(server: &Server, case: Case, seconds: u64) -> Result<Sample> {
    let mut wrk = on(LOAD, "wrk");
    wrk.args(["--threads", "1", "--latency", "--connections", &CONNECTIONS.to_string()]);
    wrk.args(["--duration", &format!("{seconds}s")]);
    if case == Case::NotModified {
        wrk.args(["--header", &format!("If-None-Match: {}", server.etag)]);
    }
    let (text, cpu_micros) = ask(server, case, wrk)?;
    if text.contains("Non-2xx") || text.contains("Socket errors") {
        bail!("{}, {case:?}: {text}", server.name);
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
        cpu_micros: cpu_micros / requests.max(1) as f64,
        p99_millis: millis(&field("99%")?)?,
        requests,
    })
}

/// Asks for some seconds, `rate` times a second on each connection.
pub fn steady(server: &Server, case: Case, rate: usize, seconds: u64, folder: &Path) -> Result<Sample> {
    let log = folder.join("h2load.log");
    let _ = std::fs::remove_file(&log);
    let mut h2load = on(LOAD, "h2load");
    h2load.args(["--h1", "--threads", "1", "--clients", &CONNECTIONS.to_string(), "--rps", &rate.to_string()]);
    h2load.args(["--duration", &seconds.to_string()]).arg("--log-file").arg(&log);
    let (text, cpu_micros) = ask(server, case, h2load)?;
    if !text.contains(" 0 failed, 0 errored, 0 timeout") {
        bail!("{}, {case:?}: {text}", server.name);
    }
    // A line for each request: when it began, its status, and how long it took, in microseconds.
    let log = std::fs::read_to_string(&log)?;
    let times = log.lines().map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        match (fields.next(), fields.next().and_then(|time| time.parse::<f64>().ok())) {
            (Some("200"), Some(time)) => Ok(time),
            _ => bail!("{}, {case:?}: h2load says {line:?}", server.name),
        }
    });
    let mut times = times.collect::<Result<Vec<_>>>()?;
    times.sort_by(f64::total_cmp);
    let p99 = times.get(times.len() * 99 / 100).context("h2load asked nothing")?;
    Ok(Sample {
        requests_per_second: times.len() as f64 / seconds as f64,
        cpu_micros: cpu_micros / times.len() as f64,
        p99_millis: p99 / 1000.0,
        requests: times.len() as u64,
    })
}

/// What the program says that asks, and the processor time of the server meanwhile, in microseconds.
fn ask(server: &Server, case: Case, mut load: Command) -> Result<(String, f64)> {
    load.args(["--header", "Accept-Encoding: gzip", "--header", "Accept: application/protobuf"]);
    load.arg(format!("http://{}/{}", server.address, case.path()));
    let before = server.cpu_micros()?;
    let output =
        load.output().with_context(|| format!("{load:?}: `cargo xtask bench-serve` installs what it needs"))?;
    let after = server.cpu_micros()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!("{}, {case:?}: {text}{}", server.name, String::from_utf8_lossy(&output.stderr));
    }
    Ok((text, after - before))
}

fn millis(text: &str) -> Result<f64> {
    for (unit, factor) in [("us", 0.001), ("ms", 1.0), ("s", 1000.0)] {
        if let Some(number) = text.strip_suffix(unit) {
            return Ok(number.parse::<f64>()? * factor);
        }
    }
    bail!("{text:?} is no time of wrk")
}
