//! Options of the commands that work with schemas.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::LimitOptions;
use super::values::{
    format_names, framing_names, level_names, mode_names, read_languages, ruleset_names, written_languages,
};

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
