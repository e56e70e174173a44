//! Options of the commands that measure, and of those that work with measurements.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{dictionary_size, format_names, goal_names, need_names, percentage, positive};
use super::{LimitOptions, SchemaFile};

/// Measure every format, variant and compressor on your data.
///
/// The input is one JSON document, an array of objects, or one document a line. Its schema is inferred. Every variant
/// encodes the data, decodes it again and is compared with the original before it is timed: messages one at a time,
/// and all of them as one batch. Shapes, which change the data reversibly before it is written, have rows of their own
/// (docs/shapes.md): for the first variant of each format, the compact ones, and those that --format names.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise measure corpus/geo-points.json
  wirewise measure --format protobuf,msgpack --compress zstd:9 corpus/people.json
  wirewise measure --format protobuf --shape packed --shape 'columns@$ split@GeoPointColumns.latitude' corpus/geo-points.json
  wirewise corpus geo-points | wirewise measure --sample 2000 --time 0 -
  wirewise measure --format json,protobuf --compress levels --time 0 corpus/time-series.json
  wirewise corpus people --records 90 -o /tmp/before.json
  wirewise measure --format json --compress zstd --time 0 --previous /tmp/before.json corpus/people.json
  wirewise measure --output json corpus/user-profile.json > /tmp/profile.json
  wirewise measure --time 5 --need browser,evolution --language go --report /tmp/profile.html corpus/user-profile.json
  wirewise measure --time 5 --qps 2000 --traffic zone --today json,gzip:6 --report /tmp/profile.md corpus/user-profile.json

What is advised, and how it is computed, is documented in docs/advice.md. The JSON form is documented in docs/measure-json.md.")]
pub(crate) struct Measure {
    /// File with the data; `-` for standard input.
    #[arg(default_value = "-", value_name = "FILE", hide_default_value = true)]
    pub(crate) input: PathBuf,
    /// Only these formats or variants (see `wirewise formats`).
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = format_names())]
    pub(crate) format: Vec<String>,
    /// Only these compressors, each with a level if not its default one, and a window: `zstd:9`, `brotli:11:24` (the
    /// binary logarithm of its bytes); `levels` for several of each; or `none`.
    #[arg(long, value_delimiter = ',', value_name = "NAME[:LEVEL[:WINDOW]]")]
    pub(crate) compress: Vec<String>,
    /// Measure these shapes: each a set (`values`, `columns`, `packed`; `auto` is the last), or steps with spaces between
    /// them, or `schema` for those that the schema notes; or `none`. By default each set that does something new.
    #[arg(long, value_name = "SHAPE")]
    pub(crate) shape: Vec<String>,
    /// Measure only the first N messages.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) records: Option<u64>,
    /// Measure only N messages, spread evenly over the input.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: Option<u64>,
    /// An earlier version of all of the data: shows what those receive who have it already.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["records", "sample"])]
    pub(crate) previous: Option<PathBuf>,
    /// Milliseconds for each timing; 0 measures sizes only.
    #[arg(long, value_name = "MS", default_value_t = 60)]
    pub(crate) time: u64,
    #[command(flatten)]
    pub(crate) schema: SchemaFile,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    #[command(flatten)]
    pub(crate) advising: Advising,
}

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Payload {
    /// Messages go one at a time.
    Messages,
    /// All go as one list.
    Batch,
}

/// What is asked of a measurement.
#[derive(Debug, Args)]
#[command(next_help_heading = "Advice")]
pub(crate) struct Advising {
    /// What is sent: messages one at a time, or all as one list; by default the latter when the input is an array.
    #[arg(long = "for", value_enum, value_name = "PAYLOAD")]
    pub(crate) unit: Option<Payload>,
    /// What counts; by default cost when a load is given, and time otherwise.
    #[arg(long, value_name = "GOAL", value_parser = goal_names())]
    pub(crate) goal: Option<String>,
    /// What is used today, as in the report: `json,gzip:6`; by default `json`.
    #[arg(long, value_name = "CANDIDATE")]
    pub(crate) today: Option<String>,
    /// What the choice must have; `none` for nothing.
    #[arg(long, value_delimiter = ',', value_name = "NEED", default_value = "evolution", value_parser = need_names())]
    pub(crate) need: Vec<String>,
    /// Languages that must have a library.
    #[arg(long, value_delimiter = ',', value_name = "LANGUAGE", value_parser = wirewise_formats::LANGUAGES)]
    pub(crate) language: Vec<String>,
    /// Time from end to end that must be kept: `200ms`.
    #[arg(long, value_name = "TIME")]
    pub(crate) latency: Option<String>,
    /// The link that counts: 10g, 1g, region, 4g, or one's own, `NAME=50Mbit/s,30ms`. May be given several times: all are
    /// reported, the first one counts.
    #[arg(long, value_name = "LINK")]
    pub(crate) link: Vec<String>,
    /// Payloads a day.
    #[arg(long, value_name = "N", conflicts_with = "qps", value_parser = positive)]
    pub(crate) per_day: Option<f64>,
    /// Payloads a second, on average.
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) qps: Option<f64>,
    /// Receivers of each payload [default: 1].
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) fan_out: Option<f64>,
    /// The busiest hour against the mean [default: 2].
    #[arg(long, value_name = "TIMES", value_parser = positive)]
    pub(crate) peak: Option<f64>,
    /// How far cores are loaded in the busiest hour [default: 0.6].
    #[arg(long, value_name = "SHARE", value_parser = positive)]
    pub(crate) utilisation: Option<f64>,
    /// Where the traffic goes: zone, region or internet (the default), or shares: `zone=0.7,internet=0.3`.
    #[arg(long, value_delimiter = ',', value_name = "WHERE")]
    pub(crate) traffic: Vec<String>,
    /// Days that payloads are kept in storage [default: 0].
    #[arg(long, value_name = "DAYS", value_parser = positive)]
    pub(crate) retention_days: Option<f64>,
    /// Copies that are kept [default: 1].
    #[arg(long, value_name = "N", value_parser = positive)]
    pub(crate) copies: Option<f64>,
    /// Money a year below which no change is worth it [default: 1000].
    #[arg(long, value_name = "MONEY", value_parser = positive)]
    pub(crate) worth: Option<f64>,
    /// A file of prices; `wirewise prices` writes the default one.
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// Also write a report: a page (.html), Markdown (.md) or a table (.csv).
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

/// Advise on a measurement that was saved, without measuring again.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise measure --time 5 --output json corpus/user-profile.json > /tmp/profile.json
  wirewise advise /tmp/profile.json --goal bytes --need schema-less
  wirewise advise /tmp/profile.json --qps 5000 --fan-out 3 --traffic zone=0.5,internet=0.5 --report /tmp/profile.html

Everything that is computed, and every rule, is documented in docs/advice.md.")]
pub(crate) struct Advise {
    /// What `measure --output json` wrote; `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) advising: Advising,
}

/// Write the default prices, to copy and change.
///
/// Costs are computed with these prices unless --prices names another file. They are list prices of one day: put in what you pay.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Example:
  wirewise prices > /tmp/prices.toml")]
pub(crate) struct Prices {}

/// Compare two saved measurements: before and after, or two machines.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise measure --time 0 --output json corpus/user-profile.json > /tmp/before.json
  wirewise measure --time 0 --output json corpus/user-profile.json > /tmp/after.json
  wirewise compare /tmp/before.json /tmp/after.json
  wirewise compare --max-growth 2% --format json,protobuf /tmp/before.json /tmp/after.json

Times are shown when they differ by more than their spreads; only bytes make it fail.

Exit status: 0 done; 1 something grew by more than --max-growth; 2 bad usage or bad input.
The JSON form is documented in docs/json-output.md.")]
pub(crate) struct Compare {
    /// What `measure --output json` wrote first.
    #[arg(value_name = "BEFORE")]
    pub(crate) before: PathBuf,
    /// What it wrote later, or elsewhere.
    #[arg(value_name = "AFTER")]
    pub(crate) after: PathBuf,
    /// Fail when the bytes of a payload grew by more than this: `2%`.
    #[arg(long, value_name = "PERCENT", value_parser = percentage)]
    pub(crate) max_growth: Option<f64>,
    /// Only these formats or variants.
    #[arg(long, value_delimiter = ',', value_name = "NAME", value_parser = format_names())]
    pub(crate) format: Vec<String>,
}

/// Train a dictionary for zstd, and show what it saves on messages that it was not trained on.
///
/// A dictionary is what both sides know before the first message: with it small messages become much smaller. It is trained
/// on every second message of the input, and measured on the others. The file is what `zstd -D` and every zstd library take.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise dictionary train --size 4096 corpus/geo-points.json -o /tmp/points.dict
  wirewise dictionary train --format protobuf --size 1024 corpus/people.json -o /tmp/people.dict
  wirewise corpus geo-points --records 3000 | wirewise dictionary train --format msgpack - -o /tmp/points.dict

Exit status: 0 done; 1 the format cannot hold a message, or the dictionary saves nothing (then it is not written); 2 bad
usage, bad input, or messages that are too few or too small to make one.
The JSON form of results and errors is documented in docs/json-output.md.")]
pub(crate) struct Train {
    /// Files with JSON messages as for `wirewise measure`, or with --raw a payload each; `-` for standard input.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) inputs: Vec<PathBuf>,
    /// File to write; with `-` for standard output, what there is to say goes to standard error.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) out: PathBuf,
    /// Variant that messages are sent in (see `wirewise formats`).
    #[arg(long, value_name = "VARIANT", default_value = "json", hide_possible_values = true, value_parser = format_names())]
    pub(crate) format: String,
    /// Most bytes of the dictionary.
    #[arg(long, value_name = "BYTES", default_value_t = 16384, value_parser = dictionary_size())]
    pub(crate) size: usize,
    /// Level of zstd that it is measured at; the dictionary serves all levels.
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true)]
    pub(crate) level: i32,
    /// Every file is a payload, taken as it is.
    #[arg(long, conflicts_with_all = ["format", "schema"])]
    pub(crate) raw: bool,
    #[command(flatten)]
    pub(crate) schema: SchemaFile,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}
