//! What a measurement says: plain data, serialized as the documented, stable JSON of `measure --output json`.

use serde::Serialize;

/// Value of the `wirewise` member of the JSON form. Members are only ever added within a version.
pub const REPORT_VERSION: &str = "measure/1";

/// A whole measurement.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub wirewise: &'static str,
    /// Version of the tool.
    pub version: &'static str,
    /// Where it ran.
    pub machine: Machine,
    /// What was measured.
    pub input: Input,
    /// A row for each variant, in the order of the formats.
    pub rows: Vec<Row>,
    /// What readers should know before they believe the numbers.
    pub warnings: Vec<Warning>,
}

/// Where a measurement ran.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
    /// Name of the processor, where the system tells.
    pub processor: Option<String>,
    /// Logical processors; only one was used.
    pub processors: usize,
}

/// What was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Input {
    /// Name of the file, or `-` for standard input.
    pub name: String,
    /// Bytes of the input as it was given, white space included.
    pub bytes: u64,
    /// Messages in the input.
    pub messages: u64,
    /// Messages that were measured: all, unless a sample was asked for.
    pub measured: u64,
    /// Messages that were timed and compressed one at a time: an even sample of those measured.
    pub singles: u64,
    /// Types of the schema with a name, and fields in all of them.
    pub types: usize,
    /// Fields in all records.
    pub fields: usize,
    /// Where the schema came from: `inferred`, or the name of its file.
    pub schema: String,
}

/// One variant.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Format, such as `msgpack`.
    pub format: &'static str,
    /// Variant, such as `msgpack-named`.
    pub variant: &'static str,
    /// Messages one at a time.
    pub single: Mode,
    /// All messages as one batch; `None` when there is only one message.
    pub batch: Option<Mode>,
}

/// A variant on messages one at a time, or on a batch.
#[derive(Debug, Clone, Serialize)]
pub struct Mode {
    /// Whether decoding gave back what was encoded.
    pub exactness: Exactness,
    /// Sizes and times; `None` when the variant cannot hold the data.
    pub side: Option<Side>,
}

/// Sizes and times.
#[derive(Debug, Clone, Serialize)]
pub struct Side {
    /// Payloads that the sizes and times are about: 1 for a batch.
    pub payloads: u64,
    /// Bytes of all payloads.
    pub bytes: u64,
    /// Bytes against those of the `json` variant.
    pub against_json: f64,
    /// The same payloads compressed, each on its own.
    pub compressed: Vec<Compressed>,
    /// Wirewise engine: document to bytes, for all payloads.
    pub encode: Option<Spread>,
    /// Wirewise engine: bytes to document, for all payloads.
    pub decode: Option<Spread>,
}

/// Payloads after a compressor.
#[derive(Debug, Clone, Serialize)]
pub struct Compressed {
    /// Name of the compressor, such as `gzip`.
    pub compressor: &'static str,
    /// Its level.
    pub level: i32,
    /// Bytes of all payloads, each compressed on its own.
    pub bytes: u64,
    /// Compressing all payloads.
    pub compress: Option<Spread>,
    /// Decompressing all payloads.
    pub decompress: Option<Spread>,
}

/// Repeated timings of the same work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Median, in nanoseconds.
    pub median_ns: f64,
    /// Fastest.
    pub min_ns: f64,
    /// Slowest.
    pub max_ns: f64,
    /// Half the distance between the quartiles, as a share of the median: how far to trust the median.
    pub spread: f64,
    /// How many timings there were.
    pub samples: usize,
    /// Megabytes (10^6 bytes) a second at the median. The bytes are those of the data as JSON objects for encoding and
    /// decoding, so that rows compare; for compressors they are those of the payload.
    pub mb_per_s: f64,
}

/// Whether a variant gave the data back.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Exactness {
    /// Decoding gave back the same document, bit for bit.
    Exact,
    /// It did after something was dropped.
    Lossy {
        /// What was dropped.
        lost: Vec<Lost>,
        /// The first refusal before dropping was allowed, with its path.
        first: String,
    },
    /// The variant cannot hold the data.
    Refused {
        /// Why, with the path.
        error: String,
    },
    /// Decoding gave back something else: a defect of Wirewise.
    Different {
        /// The first difference, with its path.
        difference: String,
    },
}

/// Something that was dropped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lost {
    /// Kind of loss, such as `null-as-absent`.
    pub kind: &'static str,
    /// Record and field.
    pub place: String,
    /// How often.
    pub count: u64,
}

/// What readers should know before they believe the numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// One message says little about others.
    OneMessage,
    /// Fewer messages than make a stable average.
    FewMessages {
        /// How many.
        messages: u64,
    },
    /// The input was too large to be measured whole.
    Sampled {
        /// Messages measured.
        measured: u64,
        /// Messages in the input.
        messages: u64,
    },
    /// Timings vary by more than a tenth: the machine was busy.
    Noisy {
        /// Variant with the widest spread.
        variant: &'static str,
        /// That spread, as a share of the median.
        spread: f64,
    },
    /// Integers beyond 2^53 are exact in every variant here, but JavaScript rounds them when it reads JSON.
    BeyondJavaScript {
        /// How many.
        count: u64,
        /// Path of the first.
        first: String,
    },
    /// JSON written by the inferred schema is not the JSON that was read: a defect of Wirewise.
    InferenceLost {
        /// The first difference, with its path.
        difference: String,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::OneMessage => f.write_str("one message says little about others: measure a file of typical ones"),
            Warning::FewMessages { messages } => {
                write!(f, "{messages} messages make no stable average: measure a few hundred")
            }
            Warning::Sampled { measured, messages } => write!(
                f,
                "{measured} of {messages} messages were measured, spread evenly: --sample chooses another number"
            ),
            Warning::Noisy { variant, spread } => write!(
                f,
                "timings of {variant} vary by {:.0}%: close other programs, or give --time a longer budget",
                spread * 100.0
            ),
            Warning::BeyondJavaScript { count, first } => write!(
                f,
                "{count} {} beyond 2^53 (first at {first}): exact in every row, but JavaScript rounds such integers \
                 when it reads JSON",
                if *count == 1 { "integer is" } else { "integers are" }
            ),
            Warning::InferenceLost { difference } => {
                write!(f, "the inferred schema does not hold the data ({difference}): please report this")
            }
        }
    }
}
