//! The gateway compared with nginx, Varnish and a bare axum handler, side by side in one run.
//!
//! All serve the same bytes: what the gateway answers for a small and a large resource in Protobuf with gzip, with the same fields
//! in the head; and nginx and the handler once more with the fields that they cannot do without (`-lean`). wrk asks each in turn as
//! fast as it can, and h2load at a rate that all can keep; in rounds, so that a slow moment of the machine hits all alike.
//! Servers have one processor, and those who ask another. Processor time is that of the server's processes, as the kernel counts
//! it. With `--go` it measures converting instead ([`transcode`]).

mod load;
mod servers;
mod transcode;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use serde::Serialize;

use load::Sample;
use servers::Server;

#[derive(Parser)]
struct Options {
    /// The gateway: a binary of wirewise.
    #[arg(long)]
    wirewise: PathBuf,
    /// The bare handler.
    #[arg(long, required_unless_present = "go")]
    bare: Option<PathBuf>,
    /// Measures converting instead: the folder of the servers in Go.
    #[arg(long)]
    go: Option<PathBuf>,
    /// Envoy's binary, to convert as well; without it, it is left out.
    #[arg(long)]
    envoy: Option<PathBuf>,
    /// Requests of each, in a round of converting.
    #[arg(long, default_value_t = 10)]
    requests: usize,
    /// Where results go.
    #[arg(long)]
    out: PathBuf,
    /// Rounds; in each, every server is asked once for everything.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Seconds of each.
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Points of the large resource.
    #[arg(long, default_value_t = 67_627)]
    points: usize,
    /// Only these servers.
    #[arg(long)]
    only: Vec<String>,
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Case {
    /// The large resource.
    Large,
    /// One of about a kilobyte.
    Small,
    /// The large one, which the client has already.
    NotModified,
    /// The large one, at a rate.
    LargeSteady,
    /// The small one, at a rate.
    SmallSteady,
}

const CASES: [Case; 5] = [Case::Large, Case::Small, Case::NotModified, Case::LargeSteady, Case::SmallSteady];

impl Case {
    fn path(self) -> &'static str {
        match self {
            Case::Small | Case::SmallSteady => "small",
            Case::Large | Case::LargeSteady | Case::NotModified => "large",
        }
    }

    /// Requests a second of each connection, where they are not as many as can be.
    fn rate(self) -> Option<usize> {
        match self {
            Case::SmallSteady => Some(1000),
            Case::LargeSteady => Some(20),
            Case::Large | Case::Small | Case::NotModified => None,
        }
    }
}

#[derive(Serialize)]
struct Results {
    wirewise: &'static str,
    machine: String,
    versions: Vec<(String, String)>,
    large_bytes: usize,
    small_bytes: usize,
    connections: usize,
    seconds: u64,
    samples: Vec<Measured>,
}

#[derive(Serialize)]
struct Measured {
    server: String,
    case: Case,
    round: usize,
    #[serde(flatten)]
    sample: Sample,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if options.go.is_some() {
        return transcode::run(&options);
    }
    let folder = tempfile::tempdir()?;
    let mut all = servers::start(&options, folder.path())?;
    all.servers.retain(|server| options.only.is_empty() || options.only.iter().any(|name| name == server.name));
    let mut samples = Vec::new();
    for round in 0..options.rounds {
        for case in CASES {
            // Another one begins in each round.
            let count = all.servers.len();
            for i in 0..count {
                let server = &all.servers[(i + round) % count];
                let sample = match case.rate() {
                    None => load::fastest(server, case, options.seconds)?,
                    Some(rate) => load::steady(server, case, rate, options.seconds, folder.path())?,
                };
                eprintln!(
                    "round {round} {case:?} {:10} {:>10.0} requests/s {:>9.1} us of CPU, p99 {:.3} ms",
                    server.name, sample.requests_per_second, sample.cpu_micros, sample.p99_millis
                );
                samples.push(Measured { server: server.name.to_owned(), case, round, sample });
            }
        }
    }
    let results = Results {
        wirewise: "bench-serve/1",
        machine: servers::machine(),
        versions: all.servers.iter().map(|server: &Server| (server.name.to_owned(), server.version.clone())).collect(),
        large_bytes: all.large_bytes,
        small_bytes: all.small_bytes,
        connections: load::CONNECTIONS,
        seconds: options.seconds,
        samples,
    };
    let text = serde_json::to_string_pretty(&results)?;
    std::fs::write(&options.out, text + "\n").with_context(|| options.out.display().to_string())
}
