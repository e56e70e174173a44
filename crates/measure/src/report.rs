//! What a measurement says: plain data, serialized as the documented, stable JSON of `measure --output json`.

use serde::{Deserialize, Serialize};

/// Value of the `wirewise` member of the JSON form. Members are only ever added within a version.
pub const REPORT_VERSION: &str = "measure/1";

/// A whole measurement.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    pub wirewise: String,
    /// Version of the tool.
    pub version: String,
    /// When it was measured, as RFC 3339 in UTC; empty in reports of older versions.
    #[serde(default)]
    pub measured_at: String,
    /// The command line that measured it, where a command did.
    #[serde(default)]
    pub command: Option<String>,
    /// Where it ran.
    pub machine: Machine,
    /// What was measured.
    pub input: Input,
    /// The shapes that some rows have.
    #[serde(default)]
    pub shapings: Vec<Shaping>,
    /// A row for each variant, in the order of the formats; after it those of the same variant with shapes.
    pub rows: Vec<Row>,
    /// What readers should know before they believe the numbers.
    pub warnings: Vec<Warning>,
}

/// Where a measurement ran.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
    /// Name of the processor, where the system tells.
    pub processor: Option<String>,
    /// Logical processors; only one was used.
    pub processors: usize,
}

/// What was measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    /// How the messages followed each other: the name of a framing, such as `lines`.
    #[serde(default)]
    pub framing: String,
}

/// Steps that change schema and data reversibly before they are written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shaping {
    /// Its name in rows, such as `columns`.
    pub name: String,
    /// What it does, for one line.
    pub about: String,
    /// What is done with messages one at a time; empty when nothing is, and then there is no such side.
    pub single: Vec<ShapingStep>,
    /// What is done with the batch.
    pub batch: Vec<ShapingStep>,
}

/// A shape at a place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShapingStep {
    /// As `convert --shape` takes it: `uuid@Point.id`.
    pub step: String,
    /// For a shape that is not exact: the largest difference between a value and what came back.
    pub largest_error: Option<f64>,
}

/// One variant.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Row {
    /// Format, such as `msgpack`.
    pub format: String,
    /// Variant, such as `msgpack-named`.
    pub variant: String,
    /// Name of the shaping that the data went through first: one of [`Report::shapings`].
    #[serde(default)]
    pub shape: Option<String>,
    /// Messages one at a time.
    pub single: Mode,
    /// All messages as one batch; `None` when there is only one message.
    pub batch: Option<Mode>,
}

/// A variant on messages one at a time, or on a batch.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Mode {
    /// Whether decoding gave back what was encoded.
    pub exactness: Exactness,
    /// Sizes and times; `None` when the variant cannot hold the data.
    pub side: Option<Side>,
}

/// Sizes and times.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Side {
    /// Payloads that the sizes and times are about: 1 for a batch.
    pub payloads: u64,
    /// Bytes of all payloads.
    pub bytes: u64,
    /// Bytes against those of the `json` variant.
    pub against_json: f64,
    /// The same payloads compressed, each on its own.
    pub compressed: Vec<Compressed>,
    /// Some of the payloads compressed with a dictionary.
    #[serde(default)]
    pub dictionaries: Vec<Dictionary>,
    /// Where the bytes go; empty when it was not looked at.
    #[serde(default)]
    pub fields: Vec<FieldBytes>,
    /// Wirewise engine: document to bytes, for all payloads.
    pub encode: Option<Spread>,
    /// Wirewise engine: bytes to document, for all payloads.
    pub decode: Option<Spread>,
}

/// Payloads after a compressor.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Compressed {
    /// Name of the compressor, such as `gzip`.
    pub compressor: String,
    /// Its level.
    pub level: i32,
    /// Its window, as the binary logarithm of bytes, where another than its level's was asked for.
    #[serde(default)]
    pub window: Option<u8>,
    /// Bytes of all payloads, each compressed on its own.
    pub bytes: u64,
    /// How many payloads became larger.
    #[serde(default)]
    pub grown: u64,
    /// Bytes from which payloads of this data become smaller: the median of searches that cut payloads, or join them,
    /// at several places. `None` for a batch, or when joining all of them, or 256 KiB, was not enough.
    #[serde(default)]
    pub break_even: Option<u64>,
    /// Compressing all payloads.
    pub compress: Option<Spread>,
    /// Decompressing all payloads.
    pub decompress: Option<Spread>,
}

/// Payloads compressed with a dictionary that both sides must have.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Dictionary {
    /// Where the dictionary comes from.
    pub kind: DictionaryKind,
    /// Name of the compressor, `zstd`.
    pub compressor: String,
    /// Its level.
    pub level: i32,
    /// Bytes of the dictionary; of an earlier payload the mean.
    pub dictionary_bytes: u64,
    /// Payloads that it was trained on; none of them is among the measured ones. 0 for an earlier payload.
    pub trained_on: u64,
    /// Payloads that were measured.
    pub payloads: u64,
    /// Their bytes before compression.
    pub plain_bytes: u64,
    /// Their bytes with the same compressor and level, without a dictionary.
    pub without_bytes: u64,
    /// Their bytes with the dictionary, without the dictionary itself.
    pub bytes: u64,
    /// Messages after which sending the dictionary once has paid for itself, against the same compressor without one.
    /// `None` when it never does; 0 when the receiver has the dictionary anyhow.
    pub pays_after: Option<u64>,
    /// Compressing these payloads.
    pub compress: Option<Spread>,
    /// Decompressing them.
    pub decompress: Option<Spread>,
}

/// Where a dictionary comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DictionaryKind {
    /// Trained on a part of the messages, and sent once.
    Trained,
    /// The payload before, which a receiver that polls has already.
    Previous,
}

/// What the values of a field take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldBytes {
    /// The place, such as `$.user.id`; `(framing)` for what belongs to none.
    pub place: String,
    /// Values there.
    pub count: u64,
    /// Bytes of the values themselves.
    pub payload: u64,
    /// Bytes that carry them: tags, lengths, padding.
    pub overhead: u64,
}

/// Repeated timings of the same work.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lost {
    /// Kind of loss, such as `null-as-absent`.
    pub kind: String,
    /// Record and field.
    pub place: String,
    /// How often.
    pub count: u64,
}

/// What readers should know before they believe the numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
        variant: String,
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

impl Report {
    /// The shaping of a row.
    pub fn shaping(&self, row: &Row) -> Option<&Shaping> {
        let name = row.shape.as_ref()?;
        self.shapings.iter().find(|shaping| shaping.name == *name)
    }

    /// What was measured of a row on messages one at a time: nothing, where its shaping is about the batch alone.
    pub fn single<'a>(&self, row: &'a Row) -> Option<&'a Mode> {
        let nothing = self.shaping(row).is_some_and(|shaping| shaping.single.is_empty());
        (!nothing).then_some(&row.single)
    }
}

impl Row {
    /// The variant, and its shaping if it has one: `protobuf+columns`.
    pub fn label(&self) -> String {
        self.shape.as_ref().map_or_else(|| self.variant.clone(), |shape| format!("{}+{shape}", self.variant))
    }
}

impl Compressed {
    /// The compressor as it is chosen on the command line: `zstd:3`, `zstd:19:27`; one without levels by its name.
    pub fn label(&self) -> String {
        let known = wirewise_compress::COMPRESSORS.iter().map(|known| known.info());
        let leveled =
            known.filter(|info| info.name == self.compressor).any(|info| info.levels.start() < info.levels.end());
        let mut label = self.compressor.clone();
        if leveled {
            label.push_str(&format!(":{}", self.level));
        }
        self.window.map_or(label.clone(), |window| format!("{label}:{window}"))
    }
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
