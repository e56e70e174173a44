//! Options of the commands that work with messages.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{format_names, framing_names, inspected_framing_names, loss_names};
use super::{LimitOptions, SchemaFile};

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
