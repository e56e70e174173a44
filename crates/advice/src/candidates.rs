//! What can be chosen: every measured combination of variant, shaping, compressor and dictionary.

use serde::Serialize;
use wirewise_core::LossKind;
use wirewise_formats::{Info, Variant};
use wirewise_measure::{DictionaryKind, Exactness, Mode, Report, Row, Side, Spread};

/// Whether messages go one at a time, or all as one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// One at a time.
    Single,
    /// All as one batch.
    Batch,
}

/// A time in seconds, for one payload.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Seconds {
    /// Median.
    pub median: f64,
    /// Median without half the distance between the quartiles.
    pub low: f64,
    /// Median with it.
    pub high: f64,
}

/// A measured way of sending the data.
#[derive(Debug, Clone, Serialize)]
pub struct Candidate {
    /// Its name: `protobuf+columns, zstd:3`. Rows of the report have the part before the comma.
    pub id: String,
    /// Format.
    pub format: String,
    /// Variant.
    pub variant: String,
    /// Shaping.
    pub shape: Option<String>,
    /// Compressor with its level: `zstd:3`.
    pub compressor: Option<String>,
    /// Dictionary.
    pub dictionary: Option<DictionaryKind>,
    /// Bytes of a payload on the wire; mean of the payloads.
    pub bytes: f64,
    /// Payloads that were measured.
    pub payloads: u64,
    /// Document to bytes.
    pub encode: Seconds,
    /// Bytes to fewer bytes.
    pub compress: Seconds,
    /// And back.
    pub decompress: Seconds,
    /// Bytes to document.
    pub decode: Seconds,
    /// Why it cannot be chosen; empty when it can.
    pub excluded: Vec<String>,
    /// Whether no other candidate that can be chosen has fewer bytes and needs less processor time.
    pub pareto: bool,
    /// How much has to be changed to come here from what is used today; see `EFFORTS`.
    pub effort: u32,
    /// The format that it is of.
    #[serde(skip)]
    pub(crate) facts: Option<(&'static Info, &'static Variant)>,
}

impl Candidate {
    /// Processor time of both sides, in seconds.
    pub fn work(&self) -> f64 {
        self.encode.median + self.compress.median + self.decompress.median + self.decode.median
    }

    /// Half the distance between the quartiles of its times, as a share of the median.
    pub fn variation(&self) -> f64 {
        let times = [self.encode, self.compress, self.decompress, self.decode];
        let work = self.work();
        let spread: f64 = times.iter().map(|time| time.high - time.median).sum();
        if work > 0.0 { spread / work } else { 0.0 }
    }

    /// Whether it can be chosen.
    pub fn is_open(&self) -> bool {
        self.excluded.is_empty()
    }
}

/// Every candidate of a report, in the order of its rows. Rows that cannot hold the data are none.
pub(crate) fn candidates(report: &Report, unit: Unit) -> Vec<Candidate> {
    let mut all = Vec::new();
    for row in &report.rows {
        let mode = match unit {
            Unit::Single => Some(&row.single),
            Unit::Batch => row.batch.as_ref(),
        };
        if let Some((mode, side)) = mode.and_then(|mode| Some((mode, mode.side.as_ref()?))) {
            of_row(row, mode, side, &mut all);
        }
    }
    all
}

fn of_row(row: &Row, mode: &Mode, side: &Side, all: &mut Vec<Candidate>) {
    let found = wirewise_formats::find(&row.variant).ok();
    let excluded = match &mode.exactness {
        Exactness::Exact => Vec::new(),
        Exactness::Lossy { lost, .. } => {
            // What a shape changes within its bound was asked for: no such shape is used otherwise.
            let forced = lost.iter().filter(|lost| LossKind::by_name(&lost.kind).is_some());
            let count: u64 = forced.map(|lost| lost.count).sum();
            if count > 0 { vec![format!("it loses {count} values")] } else { Vec::new() }
        }
        Exactness::Refused { error } => vec![error.clone()],
        Exactness::Different { difference } => vec![difference.clone()],
    };
    let payloads = side.payloads.max(1) as f64;
    let plain = Candidate {
        id: row.label(),
        format: row.format.clone(),
        variant: row.variant.clone(),
        shape: row.shape.clone(),
        compressor: None,
        dictionary: None,
        bytes: side.bytes as f64 / payloads,
        payloads: side.payloads,
        encode: seconds(side.encode, payloads),
        compress: Seconds::default(),
        decompress: Seconds::default(),
        decode: seconds(side.decode, payloads),
        excluded,
        pareto: false,
        effort: 0,
        facts: found.map(|(format, variant)| (format.info(), variant)),
    };
    all.push(plain.clone());
    for compressed in &side.compressed {
        let label = compressed.label();
        all.push(Candidate {
            id: format!("{}, {label}", plain.id),
            compressor: Some(label),
            bytes: compressed.bytes as f64 / payloads,
            compress: seconds(compressed.compress, payloads),
            decompress: seconds(compressed.decompress, payloads),
            ..plain.clone()
        });
    }
    for dictionary in &side.dictionaries {
        let measured = dictionary.payloads.max(1) as f64;
        let (name, why) = match dictionary.kind {
            DictionaryKind::Trained => ("trained dictionary", None),
            DictionaryKind::Previous => {
                ("previous payload", Some("only a receiver that has the payload before can read it"))
            }
        };
        let compressor = format!("{}:{}", dictionary.compressor, dictionary.level);
        // The sizes of a part of the payloads, brought to all of them by what that part has without compression.
        let scale = (side.bytes as f64 / payloads) / (dictionary.plain_bytes as f64 / measured).max(f64::MIN_POSITIVE);
        let mut excluded = plain.excluded.clone();
        excluded.extend(why.map(str::to_owned));
        all.push(Candidate {
            id: format!("{}, {compressor} with {name}", plain.id),
            compressor: Some(compressor),
            dictionary: Some(dictionary.kind),
            bytes: dictionary.bytes as f64 / measured * scale,
            payloads: dictionary.payloads,
            compress: seconds(dictionary.compress, measured),
            decompress: seconds(dictionary.decompress, measured),
            excluded,
            ..plain.clone()
        });
    }
}

fn seconds(spread: Option<Spread>, payloads: f64) -> Seconds {
    let Some(spread) = spread else { return Seconds::default() };
    let median = spread.median_ns / 1e9 / payloads;
    Seconds { median, low: median * (1.0 - spread.spread).max(0.0), high: median * (1.0 + spread.spread) }
}
