//! Every command and option, defined once: help and completions are made from this.

mod convert;
mod measure;
mod schema;
mod serve;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use values::format_names;

pub(crate) use convert::{Convert, Inspect, Wrapper};
pub(crate) use measure::{Advise, Advising, Compare, Measure, Payload, Prices, Train};
pub(crate) use schema::{Check, Infer, LockOptions, LogicalTypes, Show, Translate};
pub(crate) use serve::Serve;

/// Pick, prove and ship a wire format: measure every format on your data, convert anything to anything.
#[derive(Debug, Parser)]
#[command(name = "wirewise", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    /// How results and errors are written: for people, or as stable JSON for programs.
    #[arg(long, global = true, value_enum, default_value_t = Output::Text, value_name = "FORM")]
    pub(crate) output: Output,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Output {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Measure(Box<Measure>),
    Advise(Box<Advise>),
    Compare(Compare),
    Prices(Prices),
    Convert(Convert),
    Inspect(Inspect),
    /// Work with schemas.
    Schema {
        #[command(subcommand)]
        command: SchemaCommand,
    },
    /// Make dictionaries for compressing small messages.
    Dictionary {
        #[command(subcommand)]
        command: DictionaryCommand,
    },
    Serve(Serve),
    Corpus(Corpus),
    Formats(Formats),
    Completions(Completions),
}

#[derive(Debug, Subcommand)]
pub(crate) enum SchemaCommand {
    Infer(Infer),
    Translate(Translate),
    Show(Show),
    Check(Check),
}

#[derive(Debug, Subcommand)]
pub(crate) enum DictionaryCommand {
    Train(Train),
}
/// Where a schema comes from, unless it is inferred.
#[derive(Debug, Args)]
pub(crate) struct SchemaFile {
    /// The schema of a message: .proto, .avsc, .fbs, .capnp, .thrift, JSON Schema, or Wirewise's own.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema: Option<PathBuf>,
    /// The type of a message, where the schema leaves that open, or another one is wanted.
    #[arg(long = "type", value_name = "NAME", requires = "schema")]
    pub(crate) type_name: Option<String>,
    /// A folder with schemas that others import; may be given several times.
    #[arg(short = 'I', long = "include", value_name = "ROOT", requires = "schema")]
    pub(crate) include: Vec<PathBuf>,
}

/// What hostile input may make us do.
#[derive(Debug, Args)]
pub(crate) struct LimitOptions {
    /// How deep values may nest.
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) max_depth: u16,
    /// Longest message, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..4096))]
    pub(crate) max_message: u64,
    /// Most memory for one decoded message, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..32768))]
    pub(crate) max_memory: u64,
}

impl LimitOptions {
    pub(crate) fn limits(&self) -> wirewise_core::Limits {
        wirewise_core::Limits {
            depth: self.max_depth.into(),
            message_bytes: (self.max_message as usize) << 20,
            memory_bytes: (self.max_memory as usize) << 20,
        }
    }
}

/// Write a sample data set, the same on every machine.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise corpus
  wirewise corpus geo-points --records 3
  wirewise corpus people -o /tmp/people.json")]
pub(crate) struct Corpus {
    /// Name of the set; without one, they are listed.
    pub(crate) name: Option<String>,
    /// Records to write, instead of the set's full size.
    #[arg(long, value_name = "N", requires = "name")]
    pub(crate) records: Option<u64>,
    /// File to write; `-` for standard output.
    #[arg(short, long, default_value = "-", value_name = "OUT", hide_default_value = true)]
    pub(crate) out: PathBuf,
}

/// List formats and variants, or explain one.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise formats
  wirewise formats msgpack")]
pub(crate) struct Formats {
    /// A format or variant to explain.
    #[arg(value_parser = format_names())]
    pub(crate) name: Option<String>,
}

/// Write a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  wirewise completions bash > ~/.local/share/bash-completion/completions/wirewise")]
pub(crate) struct Completions {
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
