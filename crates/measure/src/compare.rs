//! Two measurements side by side: before and after, or two machines.

use serde::Serialize;

use crate::report::{Mode, Report, Row, Side, Spread};

/// What became of a measurement's numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Name of the first input.
    pub before: String,
    /// Name of the second.
    pub after: String,
    /// What speaks against comparing the two.
    pub cautions: Vec<String>,
    /// What both have, in the order of the second.
    pub entries: Vec<Entry>,
    /// What only the first has.
    pub gone: Vec<String>,
    /// What only the second has.
    pub new: Vec<String>,
}

/// A variant, with or without a compressor, in both measurements.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// `single` or `batch`.
    pub unit: &'static str,
    /// As candidates are called: `protobuf+columns, zstd:3`.
    pub id: String,
    /// Bytes of a message before and after; means, also in a batch.
    pub bytes: [f64; 2],
    /// Bytes after, less those before, as a share of those before.
    pub growth: f64,
    /// Its times.
    pub times: Vec<Timing>,
}

/// A time in both measurements.
#[derive(Debug, Clone, Serialize)]
pub struct Timing {
    /// `encode`, `decode`, `compress` or `decompress`.
    pub stage: &'static str,
    /// Medians before and after, in nanoseconds for a message.
    pub median_ns: [f64; 2],
    /// Whether they differ by more than the spreads of both together.
    pub differs: bool,
}

/// Compares two measurements.
pub fn compare(before: &Report, after: &Report) -> Comparison {
    let (old, new) = (sides(before), sides(after));
    let entries = new.iter().filter_map(|(unit, id, sized)| {
        let (.., was) = old.iter().find(|(old_unit, old_id, _)| old_unit == unit && old_id == id)?;
        let growth = if was.bytes > 0.0 { sized.bytes / was.bytes - 1.0 } else { 0.0 };
        let times = was.times.iter().zip(&sized.times).filter_map(|(was, is)| timing(was, is));
        Some(Entry { unit, id: id.clone(), bytes: [was.bytes, sized.bytes], growth, times: times.collect() })
    });
    let missing = |from: &[Sized], other: &[Sized]| {
        let lacks = |(unit, id, _): &&Sized| !other.iter().any(|(other, known, _)| other == unit && known == id);
        from.iter().filter(lacks).map(|(unit, id, _)| format!("{id} ({unit})")).collect()
    };
    Comparison {
        before: before.input.name.clone(),
        after: after.input.name.clone(),
        cautions: cautions(before, after),
        entries: entries.collect(),
        gone: missing(&old, &new),
        new: missing(&new, &old),
    }
}

/// What has a size: unit, id, and the numbers.
type Sized = (&'static str, String, Numbers);

struct Numbers {
    bytes: f64,
    times: Vec<(&'static str, Option<Spread>, f64)>,
}

fn sides(report: &Report) -> Vec<Sized> {
    let mut all = Vec::new();
    for row in &report.rows {
        add("single", row, Some(&row.single), 1, &mut all);
        add("batch", row, row.batch.as_ref(), report.input.measured, &mut all);
    }
    all
}

/// `messages` are in each payload.
fn add(unit: &'static str, row: &Row, mode: Option<&Mode>, messages: u64, all: &mut Vec<Sized>) {
    let Some(side) = mode.and_then(|mode| mode.side.as_ref()) else { return };
    let Side { encode, decode, .. } = side;
    let messages = side.payloads.saturating_mul(messages).max(1) as f64;
    let times = vec![("encode", *encode, messages), ("decode", *decode, messages)];
    all.push((unit, row.label(), Numbers { bytes: side.bytes as f64 / messages, times }));
    for compressed in &side.compressed {
        let times = vec![("compress", compressed.compress, messages), ("decompress", compressed.decompress, messages)];
        let id = format!("{}, {}", row.label(), compressed.label());
        all.push((unit, id, Numbers { bytes: compressed.bytes as f64 / messages, times }));
    }
}

type Timed = (&'static str, Option<Spread>, f64);

fn timing((stage, was, before): &Timed, (_, is, after): &Timed) -> Option<Timing> {
    let (was, is) = ((*was)?, (*is)?);
    let median_ns = [was.median_ns / before, is.median_ns / after];
    let noise = was.spread * median_ns[0] + is.spread * median_ns[1];
    Some(Timing { stage, median_ns, differs: (median_ns[1] - median_ns[0]).abs() > noise })
}

fn cautions(before: &Report, after: &Report) -> Vec<String> {
    let mut cautions = Vec::new();
    let (a, b) = (&before.input, &after.input);
    if a.measured != b.measured {
        cautions.push(format!("{} messages were measured before, {} after: sizes are means", a.measured, b.measured));
    } else if a.bytes != b.bytes {
        cautions.push(format!("the inputs differ: {} bytes before, {} after", a.bytes, b.bytes));
    }
    if a.singles != b.singles {
        cautions.push(format!("{} single messages were measured before, {} after", a.singles, b.singles));
    }
    if before.version != after.version {
        cautions.push(format!("measured by wirewise {} and {}", before.version, after.version));
    }
    let machine = |report: &Report| report.machine.processor.clone().unwrap_or_else(|| report.machine.system.clone());
    if machine(before) != machine(after) {
        cautions.push(format!("times are of two machines: {}; {}", machine(before), machine(after)));
    }
    cautions
}
