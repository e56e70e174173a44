//! What a run measured: the file of results.
//!
//! This file, `format.rs` and `figures.rs` are also a part of `cargo xtask`, which makes the page from the file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::format::Format;

/// The version of the form of the file.
pub const VERSION: &str = "bench/1";

/// Who a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The engine.
    Ours,
    /// Code generated for the schema, or derived from types.
    Generated,
    /// A library that learns the schema at run time, or has none.
    Dynamic,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// From bytes to a document in memory.
    Decode,
    /// From a document in memory to bytes.
    Encode,
    /// From bytes to bytes.
    Convert,
}

/// All who did the same.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Group {
    pub workload: String,
    pub operation: Operation,
    pub from: Option<Format>,
    pub to: Option<Format>,
    pub input_bytes: Option<usize>,
    pub output_bytes: Option<usize>,
    pub candidates: Vec<Timed>,
}

/// What was measured of a candidate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Timed {
    pub kind: Kind,
    pub name: String,
    pub memory: String,
    /// How often the work was done for one sample.
    pub repetitions: u32,
    /// Milliseconds for doing it once, a sample for each round.
    pub samples: Vec<f64>,
}

/// A file of results.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// [`VERSION`].
    pub wirewise: String,
    /// The day, in UTC.
    pub date: String,
    /// How the program was built: `tuned`, `portable`.
    pub setting: String,
    pub machine: Machine,
    /// Versions of the peers.
    pub peers: BTreeMap<String, String>,
    pub rounds: usize,
    /// Shortest time of a sample, in milliseconds.
    pub sample_ms: f64,
    pub groups: Vec<Group>,
    #[serde(default)]
    pub scaling: Vec<Scale>,
    #[serde(default)]
    pub schemas: Vec<Compiled>,
    #[serde(default)]
    pub streams: Vec<Stream>,
}

/// Where it was measured.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub cores: usize,
    pub memory_gib: f64,
    pub os: String,
    pub rustc: String,
    pub commit: String,
    /// Instruction sets that the compiler could take for granted.
    pub target_features: Vec<String>,
    pub allocator: String,
}

/// A conversion of ours at several sizes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Scale {
    pub workload: String,
    pub from: Format,
    pub to: Format,
    /// Records, and nanoseconds for each of them.
    pub points: Vec<(u64, f64)>,
}

/// How long a large schema takes.
#[derive(Debug, Serialize, Deserialize)]
pub struct Compiled {
    pub format: Format,
    pub types: usize,
    pub ms: f64,
}

/// A stream that was converted by the binary.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stream {
    pub command: String,
    pub input_bytes: u64,
    pub output_bytes: u64,
    pub seconds: f64,
    /// The most memory that it ever had, from VmHWM of /proc.
    pub peak_bytes: u64,
}

impl Results {
    /// The file: a line for each group, so that differences can be read.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut head = serde_json::to_value(self)?;
        let groups = self.groups.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>()?;
        head["groups"] = serde_json::Value::Null;
        let head = serde_json::to_string_pretty(&head)?;
        Ok(head.replacen("\"groups\": null", &format!("\"groups\": [\n{}\n]", groups.join(",\n")), 1) + "\n")
    }
}
