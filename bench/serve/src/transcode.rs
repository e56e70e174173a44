//! The gateway as a converter, compared with others that convert between JSON and Protobuf on the way.
//!
//! All stand in front of one API that has the whole map ready in Protobuf. A client asks each in turn, one request after the
//! other, in rounds, so that a slow moment of the machine hits all alike. Processor time is that of the middle process alone.

mod check;
mod client;
mod envoy;
mod middle;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::{Options, servers};
use client::Client;
use middle::{All, Middle};

/// What is asked of a server in the middle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// The map: the API answers Protobuf, the client gets JSON.
    ProtobufToJson,
    /// The client sends the map in JSON, the API gets Protobuf.
    JsonToProtobuf,
    /// The map: the API answers JSON, the client gets Protobuf.
    JsonApiToProtobuf,
    /// The map in Protobuf, as it is.
    PassProtobuf,
    /// The map in JSON, as it is.
    PassJson,
}

pub const CASES: [Case; 5] =
    [Case::ProtobufToJson, Case::JsonToProtobuf, Case::JsonApiToProtobuf, Case::PassProtobuf, Case::PassJson];

#[derive(Serialize)]
struct Results {
    wirewise: &'static str,
    machine: String,
    versions: Vec<(String, String)>,
    points: usize,
    json_bytes: usize,
    protobuf_bytes: usize,
    requests: usize,
    samples: Vec<Sample>,
}

#[derive(Serialize)]
struct Sample {
    server: &'static str,
    case: Case,
    round: usize,
    /// Of the middle process, for one request.
    cpu_micros: f64,
    /// The median of one sample's requests, as the client sees it.
    millis: f64,
}

/// Measures, and writes the results.
///
/// # Errors
/// When a server does not start or two answer different data.
pub fn run(options: &Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let all = middle::start(options, folder.path())?;
    let client = Client::new();
    check::same(&all, &client)?;
    let mut samples = Vec::new();
    for round in 0..options.rounds {
        for case in CASES {
            // Another one begins in each round.
            let count = all.middles.len();
            for i in 0..count {
                let middle = &all.middles[(i + round) % count];
                let Some(sample) = sample(middle, case, round, options.requests, &all, &client)? else { continue };
                eprintln!(
                    "round {round} {case:?} {:12} {:>9.0} us of CPU, {:.1} ms",
                    sample.server, sample.cpu_micros, sample.millis
                );
                samples.push(sample);
            }
        }
    }
    let results = Results {
        wirewise: "bench-transcode/1",
        machine: servers::machine(),
        versions: all.versions,
        points: options.points,
        json_bytes: all.json.len(),
        protobuf_bytes: all.protobuf.len(),
        requests: options.requests,
        samples,
    };
    let text = serde_json::to_string_pretty(&results)?;
    std::fs::write(&options.out, text + "\n").with_context(|| options.out.display().to_string())
}

/// Some requests, one after the other; nothing for a server that does not do this.
fn sample(
    middle: &Middle,
    case: Case,
    round: usize,
    requests: usize,
    all: &All,
    client: &Client,
) -> Result<Option<Sample>> {
    let Some(request) = middle.request(case) else { return Ok(None) };
    // Not counted: a connection, and threads that have ended since the last round.
    client.ask(&request, &all.json)?;
    let before = middle.server.cpu_micros()?;
    let mut millis = Vec::new();
    for _ in 0..requests {
        millis.push(client.ask(&request, &all.json)?.millis);
    }
    let cpu_micros = (middle.server.cpu_micros()? - before) / requests as f64;
    Ok(Some(Sample { server: middle.server.name, case, round, cpu_micros, millis: median(millis) }))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
