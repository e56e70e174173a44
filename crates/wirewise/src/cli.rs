//! Every command and option, defined once: help and completions are made from this.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use wirewise_core::LossKind;
use wirewise_formats::{FORMATS, Framing};

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

/// Convert messages from any variant to any other.
///
/// Streams of any length are converted message by message in bounded memory. Without --schema, a schema is inferred
/// from the input where the target needs one. Nothing is dropped silently: what the target cannot hold is an error
/// with its path, unless --lossy allows it; then what was dropped is counted.
///
/// At most one side is shaped (docs/shapes.md). With --shape it is the output, and the input is plain. Without it, a schema
/// that notes shapes, as --schema-out writes it, means that they are undone: the input is shaped, and the output is plain.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise convert --to msgpack corpus/geo-points.json -o /tmp/points.msgpack
  wirewise convert --from msgpack --to json-pretty /tmp/points.msgpack
  wirewise schema infer corpus/people.json -o /tmp/people.schema.json
  wirewise convert --to avro-container-zstandard --schema /tmp/people.schema.json corpus/people.json -o /tmp/people.avro
  wirewise convert --from avro-container --to json /tmp/people.avro
  wirewise convert --shape auto --schema-out /tmp/points.schema.json corpus/geo-points.json --to protobuf -o /tmp/points.pb
  wirewise convert --from protobuf --schema /tmp/points.schema.json /tmp/points.pb --to json
  wirewise convert --from protobuf --to json --schema conformance/protobuf/profile.proto --type UserProfile conformance/protobuf/profile.pb
  echo '{\"id\":1,\"from\":\"json\",\"to\":\"cbor\",\"in\":\"eyJhIjoxfQ==\"}' | wirewise convert --stdio

With --stdio it serves other programs: a request a line, and an answer a line, both JSON, documented in docs/stdio.md.

Exit status: 0 done; 1 the target cannot hold a message, or something would be dropped; 2 bad usage or bad input.
The JSON form of results and errors is documented in docs/json-output.md.")]
pub(crate) struct Convert {
    /// File with the messages; `-` for standard input.
    #[arg(default_value = "-", value_name = "IN", hide_default_value = true)]
    pub(crate) input: PathBuf,
    /// File to write; it appears only when all is converted. `-` for standard output.
    #[arg(short, long, default_value = "-", value_name = "OUT", hide_default_value = true)]
    pub(crate) out: PathBuf,
    /// Variant of the input; by default that of the file's extension, or `json`.
    #[arg(long, value_name = "VARIANT", value_parser = format_names())]
    pub(crate) from: Option<String>,
    /// Variant of the output; by default that of the file's extension.
    #[arg(long, value_name = "VARIANT", value_parser = format_names())]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) schema: SchemaFile,
    /// How messages follow each other in the input.
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) in_framing: Option<String>,
    /// How messages follow each other in the output.
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) out_framing: Option<String>,
    /// Shape the output: steps such as `uuid@Point.id`, the name of a set (`values`, `columns`, `packed`; `auto` is the
    /// last), whose steps are found in the data, or `schema` for those that the schema notes; may be given several times,
    /// and is done in that order. `none` shapes nothing, `keep` leaves both sides shaped as the schema notes.
    #[arg(long, value_name = "SHAPE")]
    pub(crate) shape: Vec<String>,
    /// Write the schema to this file, with the shapes of the output.
    #[arg(long, value_name = "FILE")]
    pub(crate) schema_out: Option<PathBuf>,
    /// Drop what the target cannot hold, and count it.
    #[arg(long, value_delimiter = ',', value_name = "KIND", value_parser = loss_names())]
    pub(crate) lossy: Vec<String>,
    /// Drop fields of the input that the schema does not know, and count them: `--lossy unknown-field`.
    #[arg(long)]
    pub(crate) ignore_unknown: bool,
    /// Answer requests on standard input until it ends: each is a message with the names of its variants and schema.
    #[arg(long, conflicts_with_all = [
        "input", "out", "from", "to", "schema", "type_name", "include", "in_framing", "out_framing", "shape",
        "schema_out", "lossy", "ignore_unknown",
    ])]
    pub(crate) stdio: bool,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

/// Show what each byte of a payload is.
///
/// Every message is shown byte by byte: where it lies, what it is for, which field it belongs to, and what it reads as.
/// With --schema any variant. Without one, formats that say themselves what their values are (JSON, MessagePack, CBOR,
/// Avro containers); of Protobuf, Thrift and Cap'n Proto numbers instead of names, and for Protobuf the readings of a
/// value that are plausible. What is not told is guessed, and how sure the guess is goes to standard error. A broken
/// message is explained up to where it stops being valid.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise inspect --max-messages 1 corpus/geo-points.json
  wirewise convert --to msgpack corpus/geo-points.json -o /tmp/points.msgpack
  wirewise inspect --by-field /tmp/points.msgpack
  wirewise schema infer corpus/people.json -o /tmp/people.schema.json
  wirewise convert --to cbor-positional --schema /tmp/people.schema.json corpus/people.json -o /tmp/people.cbor
  wirewise inspect --from cbor-positional --schema /tmp/people.schema.json --max-messages 1 /tmp/people.cbor

Exit status: 0 all is valid; 1 the format cannot be explained like this; 2 bad usage, or a broken payload (which is
shown as far as it goes). The JSON form is documented in docs/inspect-json.md.")]
pub(crate) struct Inspect {
    /// File with the payload; `-` for standard input.
    #[arg(default_value = "-", value_name = "FILE", hide_default_value = true)]
    pub(crate) input: PathBuf,
    /// Variant of the input; by default what its name and its bytes say.
    #[arg(long, value_name = "VARIANT", value_parser = format_names())]
    pub(crate) from: Option<String>,
    /// How messages follow each other in the input; by default what its bytes say.
    #[arg(long, value_name = "FRAMING", value_parser = inspected_framing_names())]
    pub(crate) in_framing: Option<String>,
    /// What is around the data, from the outside in, instead of what its bytes say.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LAYER")]
    pub(crate) unwrap: Vec<Wrapper>,
    #[command(flatten)]
    pub(crate) schema: SchemaFile,
    /// Show where the bytes go: for each field what its values take, and what carrying them takes.
    #[arg(long)]
    pub(crate) by_field: bool,
    /// Stop after N messages.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_messages: Option<u64>,
    /// Show long values whole, instead of their first lines.
    #[arg(long)]
    pub(crate) full: bool,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

/// What can be around data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wrapper {
    /// Nothing.
    None,
    Gzip,
    Zstd,
    Lz4,
    Brotli,
    /// Magic byte and schema id of Confluent's serializers, before each message.
    Confluent,
}

impl Wrapper {
    /// The name of the compressor that it is.
    pub(crate) fn compressor(self) -> Option<&'static str> {
        match self {
            Wrapper::None | Wrapper::Confluent => None,
            Wrapper::Gzip => Some("gzip"),
            Wrapper::Zstd => Some("zstd"),
            Wrapper::Lz4 => Some("lz4"),
            Wrapper::Brotli => Some("brotli"),
        }
    }
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

/// Infer the schema of messages, with stable field numbers.
///
/// Writes Wirewise's schema file (documented in docs/schema-file.md). With --old, every number that the old file gave
/// out is kept, new fields get new ones, and types only widen: data that fitted the old schema fits the new one.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise schema infer corpus/people.json
  wirewise schema infer --name Point corpus/geo-points.json -o /tmp/points.schema.json
  wirewise schema infer --name Point --old /tmp/points.schema.json corpus/geo-points.json
  wirewise schema infer --lock /tmp/people.wirewise-lock.json corpus/people.json

With --lock the numbers are kept in a file beside the schema (docs/number-lock.md): the schema is that of the samples
alone, and what is not in them any more is reserved.")]
pub(crate) struct Infer {
    /// Files with messages; `-` for standard input.
    #[arg(default_value = "-", value_name = "FILE", hide_default_value = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// File to write; `-` for standard output.
    #[arg(short, long, default_value = "-", value_name = "OUT", hide_default_value = true)]
    pub(crate) out: PathBuf,
    /// The schema file from before, whose numbers are kept.
    #[arg(long, value_name = "FILE")]
    pub(crate) old: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) lock: LockOptions,
    /// Name of the message type; by default made from the file's name.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Whether UUIDs, timestamps, dates and base64 stay text or are stored in binary types.
    #[arg(long, value_enum, default_value_t = LogicalTypes::Text, value_name = "HOW")]
    pub(crate) logical: LogicalTypes,
    /// Variant of the input, which must be self-describing; by default that of the file's extension, or `json`.
    #[arg(long, value_name = "VARIANT", value_parser = format_names())]
    pub(crate) from: Option<String>,
    /// How messages follow each other in the input.
    #[arg(long, value_name = "FRAMING", value_parser = framing_names())]
    pub(crate) in_framing: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

/// Where numbers are kept that the schema itself does not have.
#[derive(Debug, Args)]
pub(crate) struct LockOptions {
    /// The number lock: a file that keeps which number each name was given. It is made if there is none.
    #[arg(long, value_name = "FILE")]
    pub(crate) lock: Option<PathBuf>,
    /// Refuse to change the number lock: for CI.
    #[arg(long)]
    pub(crate) locked: bool,
}

/// Translate a schema from any language to any other.
///
/// Numbers, widths, signedness, defaults, documentation, reserved names and numbers, oneofs and maps are kept. What the
/// target cannot express is listed with its path, and written only with --lossy. Where the source has no numbers (Avro,
/// JSON Schema) and the target needs them, the number lock NAME.wirewise-lock.json beside the source keeps them the same
/// from one run to the next; --lock makes one.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise schema translate conformance/protobuf/profile.proto --type Subscription --to avro -o /tmp/user.avsc
  wirewise schema translate /tmp/user.avsc --to wirewise --lock /tmp/user.wirewise-lock.json
  wirewise schema translate /tmp/user.avsc --to wirewise --locked

Exit status: 0 done; 1 the target cannot express something, or --locked forbids a change; 2 bad usage or a bad schema.
The JSON form of results and errors is documented in docs/json-output.md.")]
pub(crate) struct Translate {
    /// The schema file; `-` for standard input.
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Language of the output; by default that of the file's extension.
    #[arg(long, value_name = "LANGUAGE", value_parser = written_languages())]
    pub(crate) to: Option<String>,
    /// File to write; `-` for standard output.
    #[arg(short, long, default_value = "-", value_name = "OUT", hide_default_value = true)]
    pub(crate) out: PathBuf,
    /// Language of the input; by default that of the file's extension.
    #[arg(long, value_name = "LANGUAGE", value_parser = read_languages())]
    pub(crate) from: Option<String>,
    /// Only this message type and what it needs.
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) type_name: Option<String>,
    /// A folder with schemas that others import; may be given several times.
    #[arg(short = 'I', long = "include", value_name = "ROOT")]
    pub(crate) include: Vec<PathBuf>,
    /// Write the schema of what is on the wire, where the schema notes shapes (docs/shapes.md).
    #[arg(long)]
    pub(crate) shaped: bool,
    /// Write what the target can express, and list what it cannot.
    #[arg(long)]
    pub(crate) lossy: bool,
    #[command(flatten)]
    pub(crate) lock: LockOptions,
}

/// Show the types of a schema: fields, numbers, types, defaults; and how Avro identifies it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise schema show conformance/protobuf/profile.proto
  wirewise schema show --avro conformance/avro/user-profile.avsc
  wirewise schema show --output json corpus/real/quickstop-null.avro

The JSON form is documented in docs/json-output.md.")]
pub(crate) struct Show {
    /// The schema file; `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Its language; by default that of the file's extension.
    #[arg(long, value_name = "LANGUAGE", value_parser = read_languages())]
    pub(crate) from: Option<String>,
    /// Only this type and what it needs.
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) type_name: Option<String>,
    /// A folder with schemas that others import; may be given several times.
    #[arg(short = 'I', long = "include", value_name = "ROOT")]
    pub(crate) include: Vec<PathBuf>,
    /// Show the Avro schema's Parsing Canonical Form and its fingerprints instead.
    #[arg(long)]
    pub(crate) avro: bool,
}

/// Prove that a schema may follow older ones, or show the message that breaks.
///
/// BACKWARD asks whether the new schema reads what the old one wrote, FORWARD the reverse, FULL both; the TRANSITIVE modes ask
/// it of every older version that is given, the others only of the last one before the new. For everything that breaks
/// there is a message, written with one schema and read with the other, that shows it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  wirewise schema check corpus/schemas/user-v1.proto corpus/schemas/user-v2.proto
  wirewise schema check --mode full --level source corpus/schemas/user-v1.proto corpus/schemas/user-v2.proto
  wirewise schema check corpus/schemas/user-v1.proto corpus/schemas/user-v3.proto || echo 'it breaks readers'
  wirewise schema check --mode backward_transitive corpus/schemas/user-v1.proto corpus/schemas/user-v1.proto corpus/schemas/user-v2.proto

Exit status: 0 compatible; 1 incompatible; 2 bad usage or bad input.
Every rule is explained in docs/evolution-rules.md. The JSON form is documented in docs/json-output.md.")]
pub(crate) struct Check {
    /// The older versions of the schema, oldest first, and then the new one.
    #[arg(required = true, num_args = 2.., value_names = ["OLD", "NEW"])]
    pub(crate) versions: Vec<PathBuf>,
    /// Which readers must be able to read which messages.
    #[arg(long, value_name = "MODE", default_value = "BACKWARD", ignore_case = true, value_parser = mode_names())]
    pub(crate) mode: String,
    /// What must stay the same: messages as bytes, their JSON form too, or source code that uses generated types too.
    #[arg(long, value_name = "LEVEL", default_value = "wire", value_parser = level_names())]
    pub(crate) level: String,
    /// The format whose rules count; by default that of the schema's language.
    #[arg(long, value_name = "FORMAT", value_parser = ruleset_names())]
    pub(crate) format: Option<String>,
    /// The type of the messages; by default that of the schema, or every type where any may be a message.
    #[arg(long = "type", value_name = "NAME")]
    pub(crate) type_name: Option<String>,
    /// Language of the schemas; by default that of their extensions.
    #[arg(long, value_name = "LANGUAGE", value_parser = read_languages())]
    pub(crate) from: Option<String>,
    /// A folder with schemas that others import; may be given several times.
    #[arg(short = 'I', long = "include", value_name = "ROOT")]
    pub(crate) include: Vec<PathBuf>,
    /// A file with recorded messages: each is read with the last old schema and must arrive under the new one.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) data: Vec<PathBuf>,
    /// Variant of the recorded messages; by default that of the file's extension, or `json`.
    #[arg(long, value_name = "VARIANT", requires = "data", value_parser = format_names())]
    pub(crate) data_from: Option<String>,
    /// How messages follow each other in the recorded files.
    #[arg(long, value_name = "FRAMING", requires = "data", value_parser = framing_names())]
    pub(crate) in_framing: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogicalTypes {
    /// Strings that are known to have that form: data that breaks it later breaks nothing.
    Text,
    /// 16 bytes, integers and bytes: smaller, and data must keep the form.
    Stored,
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

fn format_names() -> PossibleValuesParser {
    let mut names: Vec<&'static str> = Vec::new();
    for format in FORMATS {
        let info = format.info();
        names.extend(info.variants.iter().map(|variant| variant.id));
        if !names.contains(&info.name) {
            names.push(info.name);
        }
    }
    PossibleValuesParser::new(names)
}

fn need_names() -> PossibleValuesParser {
    let need = |need: &wirewise_advice::Need| clap::builder::PossibleValue::new(need.name).help(need.about);
    let none = clap::builder::PossibleValue::new("none").help("anything that holds the data exactly");
    PossibleValuesParser::new(wirewise_advice::NEEDS.iter().map(need).chain([none]))
}

fn goal_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_advice::Goal::ALL.map(wirewise_advice::Goal::name))
}

/// A number that is not negative.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1e15).contains(&value) => Ok(value),
        _ => Err("expected a number that is not negative".to_owned()),
    }
}

/// `2%` as 0.02.
fn percentage(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    let number = number.filter(|number| (0.0..=1e6).contains(number));
    number.map(|number| number / 100.0).ok_or_else(|| "expected a percentage, such as 2%".to_owned())
}

/// Larger ones than the default of `zstd --train` help little, and much larger ones slow decoders down.
fn dictionary_size() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(256..=1 << 20)
}

/// Languages that can be written, and those that can be read.
fn written_languages() -> PossibleValuesParser {
    language_names(|info| info.writes)
}

fn read_languages() -> PossibleValuesParser {
    language_names(|info| info.reads)
}

fn language_names(which: fn(&wirewise_idl::Info) -> bool) -> PossibleValuesParser {
    let infos = wirewise_idl::LANGUAGES.iter().map(|language| language.info()).filter(|info| which(info));
    PossibleValuesParser::new(infos.map(|info| {
        clap::builder::PossibleValue::new(info.name).aliases(info.aliases.iter().copied()).help(info.title)
    }))
}

fn mode_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::Mode::ALL.map(wirewise_evolution::Mode::name))
}

fn level_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::Level::ALL.map(wirewise_evolution::Level::name))
}

fn ruleset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(wirewise_evolution::RULESETS.iter().map(|ruleset| ruleset.format))
}

fn framing_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Framing::ALL.map(Framing::name))
}

/// The frames of gRPC are no framing of files.
fn inspected_framing_names() -> PossibleValuesParser {
    PossibleValuesParser::new(Framing::ALL.map(Framing::name).into_iter().chain(["grpc"]))
}

fn loss_names() -> PossibleValuesParser {
    PossibleValuesParser::new(LossKind::ALL.map(LossKind::name))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        super::Cli::command().debug_assert();
    }
}
