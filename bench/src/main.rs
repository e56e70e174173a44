//! The comparison of the Wirewise engine with its peers. README.md says how it is done.

mod extras;
mod figures;
mod format;
mod generated;
mod machine;
mod matrix;
mod ours;
mod peers;
mod results;
mod shapes;
mod timing;
mod workloads;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;

use crate::format::Format;
use crate::matrix::{Matrix, Selection, Spin};
use crate::results::{Kind, Operation, Results};
use crate::timing::Pace;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Debug, Parser)]
#[command(name = "bench", about = "Compare the Wirewise engine with its peers")]
struct Cli {
    /// Only what has all these words: `--filter convert --filter json`
    #[arg(long)]
    filter: Vec<String>,
    /// Only this workload
    #[arg(long)]
    workload: Option<String>,
    /// Only this operation
    #[arg(long)]
    op: Option<Operation>,
    /// Only from this format
    #[arg(long)]
    from: Option<Format>,
    /// Only to this format
    #[arg(long)]
    to: Option<Format>,
    /// Another number of records, of generated data
    #[arg(long)]
    records: Option<u64>,
    /// Only the engine or only one sort of peers
    #[arg(long)]
    only: Option<Kind>,
    /// Do nothing but what was chosen, for so long: to run a profiler on
    #[arg(long)]
    seconds: Option<u64>,
    /// Write the results into a folder of today's date in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// What the file of results is called: how this program was built
    #[arg(long, default_value = "portable")]
    setting: String,
    /// Show every candidate, not only the fastest
    #[arg(long)]
    verbose: bool,
    /// Measure the cost by size too
    #[arg(long)]
    scaling: bool,
    /// Measure the compiling of a schema of 1,000 types too
    #[arg(long)]
    schemas: bool,
    /// Convert streams of 2 GB with this binary, and watch its memory (Linux)
    #[arg(long, value_name = "BINARY")]
    streams: Option<PathBuf>,
    /// Leave the comparison out
    #[arg(long)]
    no_matrix: bool,
    /// A few rounds: numbers to look at, not to publish
    #[arg(long)]
    quick: bool,
    /// How many rounds
    #[arg(long)]
    rounds: Option<usize>,
}

fn main() -> Result<()> {
    let cli = Cli::parse();
    let mut filter = cli.filter.clone();
    filter.extend(cli.workload.clone());
    filter.extend(cli.op.map(|op| format!("{op:?}").to_lowercase()));
    let rounds = cli.rounds.unwrap_or(if cli.quick { 5 } else { 11 });
    let pace = Pace { rounds, sample: Duration::from_millis(if cli.quick { 10 } else { 20 }) };
    let selection = Selection { filter, only: cli.only, from: cli.from, to: cli.to, records: cli.records };
    if let Some(seconds) = cli.seconds {
        let mut spin = Spin { selection, time: Duration::from_secs(seconds) };
        return workloads::each(&mut spin);
    }
    let mut results = Results {
        wirewise: results::VERSION.to_owned(),
        date: machine::today(),
        setting: cli.setting.clone(),
        machine: machine::describe(),
        peers: machine::peers(),
        rounds,
        sample_ms: pace.sample.as_secs_f64() * 1e3,
        ..Results::default()
    };
    if let Some(binary) = &cli.streams {
        results.streams = extras::streams(binary, if cli.quick { 0.1 } else { 2.0 })?;
    }
    if cli.schemas {
        results.schemas = extras::schemas(1000, rounds)?;
    }
    if cli.scaling {
        results.scaling = extras::scaling(rounds.min(9))?;
    }
    if !cli.no_matrix {
        let mut matrix = Matrix { selection, pace, verbose: cli.verbose, groups: Vec::new() };
        workloads::each(&mut matrix)?;
        results.groups = matrix.groups;
    }
    if let Some(folder) = &cli.out {
        let folder = folder.join(&results.date);
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{}.json", cli.setting));
        std::fs::write(&file, results.to_json()?)?;
        eprintln!("{} is written", file.display());
    }
    Ok(())
}
