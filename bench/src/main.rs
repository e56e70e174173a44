//! The comparison of the Wirewise engine with its peers. README.md says how it is done.

mod format;
mod generated;
mod matrix;
mod ours;
mod peers;
mod render;
mod shapes;
mod timing;
mod workloads;

use std::time::Duration;

use anyhow::Result;
use clap::Parser;

use crate::format::Format;
use crate::matrix::{Matrix, Operation, Selection, Spin};
use crate::timing::{Kind, Pace};

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
    let rounds = cli.rounds.unwrap_or(if cli.quick { 5 } else { 21 });
    let pace = Pace { rounds, sample: Duration::from_millis(if cli.quick { 10 } else { 20 }) };
    let selection = Selection { filter, only: cli.only, from: cli.from, to: cli.to, records: cli.records };
    if let Some(seconds) = cli.seconds {
        let mut spin = Spin { selection, time: Duration::from_secs(seconds) };
        return workloads::each(&mut spin);
    }
    let mut matrix = Matrix { selection, pace, groups: Vec::new() };
    workloads::each(&mut matrix)?;
    Ok(())
}
