//! Pick, prove and ship a wire format: the command line.

mod cli;
mod completions;
mod convert;
mod corpus;
mod failure;
mod files;
mod formats;
mod measure;
mod schema;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let output = cli.output;
    let done = match cli.command {
        cli::Command::Measure(options) => measure::run(options, output),
        cli::Command::Convert(options) => convert::run(options, output),
        cli::Command::Schema { command: cli::SchemaCommand::Infer(options) } => schema::infer(options, output),
        cli::Command::Corpus(options) => corpus::run(options, output),
        cli::Command::Formats(options) => formats::run(options, output),
        cli::Command::Completions(options) => completions::run(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(output),
    }
}
