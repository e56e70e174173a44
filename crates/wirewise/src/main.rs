//! Pick, prove and ship a wire format: the command line.

mod advise;
mod asked;
mod cli;
mod completions;
mod convert;
mod corpus;
mod dictionary;
mod disk;
mod failure;
mod files;
mod formats;
mod framing;
mod inspect;
mod interrupt;
mod measure;
mod samples;
mod schema;
mod schemas;
mod serve;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && wants_json() => {
            return failure::Failure::usage(&error).report(cli::Output::Json);
        }
        Err(error) => error.exit(),
    };
    let output = cli.output;
    let done = match cli.command {
        cli::Command::Measure(options) => measure::run(&options, output),
        cli::Command::Advise(options) => advise::advise(&options, output),
        cli::Command::Compare(options) => advise::compare(&options, output),
        cli::Command::Prices(_) => advise::prices(),
        cli::Command::Convert(options) => convert::run(options, output),
        cli::Command::Inspect(options) => inspect::run(options, output),
        cli::Command::Schema { command } => schema::run(command, output),
        cli::Command::Dictionary { command } => dictionary::run(command, output),
        cli::Command::Serve(options) => serve::run(&options, output),
        cli::Command::Corpus(options) => corpus::run(options, output),
        cli::Command::Formats(options) => formats::run(options, output),
        cli::Command::Completions(options) => completions::run(options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(output),
    }
}

/// Whether the command line asks for JSON, as far as one can tell when the rest of it is wrong.
fn wants_json() -> bool {
    let arguments: Vec<_> = std::env::args_os().take_while(|argument| argument != "--").collect();
    let two = arguments.windows(2).any(|pair| pair[0] == "--output" && pair[1] == "json");
    two || arguments.iter().any(|argument| argument == "--output=json")
}
