//! `cargo xtask bench-serve`: the gateway beside nginx, Varnish and a bare handler, and the page made from the results.
//!
//! The comparison is a workspace of its own (`bench/serve/`), so that the peers are not dependencies of the product.

mod converting;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{process, setup};

/// The page, relative to the root of the repository.
const PAGE: &str = "docs/serve-benchmarks.md";

const RESULTS: &str = "bench/serve/results";

/// What the comparison starts, and the Debian packages that have it.
const PROGRAMS: [(&str, &str); 4] = [
    ("/usr/sbin/nginx", "nginx-light"),
    ("/usr/sbin/varnishd", "varnish"),
    ("/usr/bin/wrk", "wrk"),
    ("/usr/bin/h2load", "nghttp2-client"),
];

#[derive(Deserialize)]
struct Results {
    machine: String,
    versions: Vec<(String, String)>,
    large_bytes: usize,
    small_bytes: usize,
    connections: usize,
    seconds: u64,
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    server: String,
    case: String,
    round: usize,
    requests_per_second: f64,
    cpu_micros: f64,
    p99_millis: f64,
}

/// The cases, and what they are called.
const TITLES: [(&str, &str); 5] = [
    ("large", "The large one"),
    ("small", "The small one"),
    ("not-modified", "304: the client has the large one"),
    ("large-steady", "The large one, at a rate"),
    ("small-steady", "The small one, at a rate"),
];

/// Runs the comparison, then makes the page.
pub(crate) fn run(options: &[String]) -> Result<()> {
    let missing: Vec<_> =
        PROGRAMS.iter().filter(|(path, _)| !PathBuf::from(path).is_file()).map(|(_, name)| *name).collect();
    if !missing.is_empty() {
        setup::packages(&missing)?;
    }
    process::run(process::cargo().args(["build", "--release", "--locked", "--package", "wirewise"]))?;
    let bench = ["build", "--release", "--locked", "--manifest-path", "bench/serve/Cargo.toml"];
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| process::root().join("target"), PathBuf::from);
    process::run(process::cargo().args(bench).env("CARGO_TARGET_DIR", &target))?;
    let program = |name: &str| target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let folder = process::root().join(RESULTS).join(jiff::Zoned::now().date().to_string());
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut bench = process::command(program("wirewise-bench-serve"));
    bench.arg("--wirewise").arg(program("wirewise")).arg("--bare").arg(program("bare"));
    process::run(bench.arg("--out").arg(folder.join("serve.json")).args(options))?;
    let (bench, wirewise) = (program("wirewise-bench-serve"), program("wirewise"));
    converting::run(&bench, &wirewise, &target.join("envoy"), &folder.join("transcode.json"), options)?;
    write_page()
}

/// Makes the page from the newest results.
pub(crate) fn write_page() -> Result<()> {
    let page = page()?.with_context(|| format!("there are no results in {RESULTS}"))?;
    std::fs::write(process::root().join(PAGE), page)?;
    println!("{PAGE} is new");
    Ok(())
}

/// What the page must be; nothing where nothing was measured yet.
fn page() -> Result<Option<String>> {
    let Some(file) = newest("serve.json") else { return Ok(None) };
    let results: Results = serde_json::from_slice(&std::fs::read(&file)?)?;
    let shown = file.strip_prefix(process::root())?.display().to_string();
    let mut out = written(&results, &shown)?;
    if let Some(file) = newest("transcode.json") {
        out += &converting::written(&std::fs::read(file)?)?;
    }
    Ok(Some(out))
}

/// The newest results of this name.
fn newest(name: &str) -> Option<PathBuf> {
    let dates = process::root().join(RESULTS).read_dir().into_iter().flatten();
    dates.flatten().map(|entry| entry.path().join(name)).filter(|path| path.is_file()).max()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

fn written(results: &Results, shown: &str) -> Result<String> {
    let mut out = format!(
        "<!-- Made by `cargo xtask bench-serve --render` from {shown}: do not edit. -->\n
# The gateway beside other servers

All servers answer with the same bytes: {} of Protobuf with gzip for the large resource (67,627 points), {} for the small one. All
send the same fields in the head as the gateway does (`Server-Timing` and `Link` among them), but for those called lean, which send
what no response can do without. Each has one processor, and those who ask have another: on a shared one, the slowest answers would
be those that waited for a time slice (about 3 ms). wrk asks each in turn as fast as it can, with {} connections, {} s a turn, in {}
rounds; then h2load asks at a rate that all can keep, on all connections at the same moments. Processor time is that of the server's
processes for one request, as the kernel counts it. Figures are medians; ratios are the medians of the ratios of the rounds, the
gateway's to the other's. `cargo xtask bench-serve` measures all of it.

{}\n\n",
        bytes(results.large_bytes),
        bytes(results.small_bytes),
        results.connections,
        results.seconds,
        results.samples.iter().map(|sample| sample.round + 1).max().unwrap_or(0),
        results.machine,
    );
    for (server, version) in &results.versions {
        writeln!(out, "* {server}: {version}")?;
    }
    let mut cases: BTreeMap<&str, Vec<&Sample>> = BTreeMap::new();
    for sample in &results.samples {
        cases.entry(&sample.case).or_default().push(sample);
    }
    for (case, title) in TITLES {
        let samples = cases.get(case).map_or(&[][..], Vec::as_slice);
        writeln!(
            out,
            "\n## {title}\n\n| server | requests/s | CPU of one | p99 | requests/s of ours to its | CPU of ours to its |\n|---|---:|---:|---:|---:|---:|"
        )?;
        for (server, _) in &results.versions {
            let of = |field: fn(&Sample) -> f64| {
                median(samples.iter().filter(|s| s.server == *server).map(|s| field(s)).collect())
            };
            let ratio = |field: fn(&Sample) -> f64| {
                let pairs = samples.iter().filter(|s| s.server == "wirewise").filter_map(|ours| {
                    let other = samples.iter().find(|s| s.server == *server && s.round == ours.round)?;
                    Some(field(ours) / field(other))
                });
                median(pairs.collect())
            };
            writeln!(
                out,
                "| {server} | {:.0} | {:.1} µs | {:.2} ms | {:.2} | {:.2} |",
                of(|s| s.requests_per_second),
                of(|s| s.cpu_micros),
                of(|s| s.p99_millis),
                ratio(|s| s.requests_per_second),
                ratio(|s| s.cpu_micros),
            )?;
        }
    }
    Ok(out)
}

fn bytes(count: usize) -> String {
    match count {
        0..1000 => format!("{count} bytes"),
        1000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.2} MB", count as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_what_the_newest_results_say() {
        let committed = std::fs::read_to_string(process::root().join(PAGE)).ok();
        assert!(committed == page().unwrap(), "{PAGE} is out of date: cargo xtask bench-serve --render");
    }
}
