//! The tasks of Wirewise's developers: `cargo xtask <task>`.

mod bench;
mod bench_serve;
mod docs;
mod fuzz;
mod layers;
mod miri;
mod process;
mod setup;
mod steps;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "xtask", bin_name = "cargo xtask", about = "The tasks of Wirewise's developers")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install the foreign tools, and the Python and npm packages that the tests compare with
    Setup {
        /// Only report what is missing
        #[arg(long)]
        check: bool,
    },
    /// Set up, then run every check there is: what CI runs
    Test,
    /// Check that crates depend on lower layers only
    Layers,
    /// Fuzz the decoders: one target (`thrift`, `schema_file`), or each in turn
    Fuzz {
        /// A file in fuzz/fuzz_targets, without the extension
        target: Option<String>,
        /// How long each target runs
        #[arg(long, default_value_t = 60)]
        seconds: u64,
        /// Run this one input instead: a file that an earlier run left in fuzz/artifacts
        #[arg(long, requires = "target")]
        input: Option<PathBuf>,
    },
    /// Run the tests of the modules with unsafe code under Miri
    Miri,
    /// Compare the engine with other libraries, and write docs/benchmarks.md
    Bench {
        /// Only write the page again, from the newest results
        #[arg(long)]
        render: bool,
        /// Options of the comparison itself, after `--`: it then writes nothing. See `cargo xtask bench -- --help`
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// Compare the gateway with other servers, and write docs/serve-benchmarks.md
    BenchServe {
        /// Only write the page again, from the newest results
        #[arg(long)]
        render: bool,
        /// Options of the comparison itself, after `--`
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// Measure, and draw the picture in the README
    Docs,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Setup { check: true } => setup::check(),
        Task::Setup { check: false } => setup::install(),
        Task::Test => test::run(),
        Task::Layers => layers::run(),
        Task::Fuzz { target, seconds, input } => fuzz::run(target.as_deref(), seconds, input.as_ref()),
        Task::Miri => miri::run().map(steps::Done::print),
        Task::Bench { render: true, .. } => bench::write_page(),
        Task::Bench { render: false, options } => bench::run(&options),
        Task::BenchServe { render: true, .. } => bench_serve::write_page(),
        Task::BenchServe { render: false, options } => bench_serve::run(&options),
        Task::Docs => docs::run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
