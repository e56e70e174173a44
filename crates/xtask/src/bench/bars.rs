//! What was asked of the engine, and what the results say.

use super::page::{DOCUMENTS, DYNAMIC, GENERATED, OWNED, duration, geometric_mean, times};
use super::results::{Operation, Results, Scale};

/// A table: each bar, and whether it is reached.
pub(super) fn table(results: &Results) -> String {
    let mut rows = Vec::new();
    let mut row = |what: String, asked: &str, found: String, reached: bool| {
        rows.push(format!("| {what} | {asked} | {found} | {} |\n", if reached { "yes" } else { "**no**" }));
    };
    let comparisons = [
        (Operation::Convert, GENERATED, 3.0, 1.0),
        (Operation::Convert, DYNAMIC, 10.0, 10.0),
        (Operation::Convert, DOCUMENTS, 10.0, 10.0),
        (Operation::Decode, OWNED, 2.0, 1.0),
        (Operation::Encode, OWNED, 2.0, 1.0),
    ];
    for (operation, against, mean, least) in comparisons {
        let mut ratios = against.ratios(results, operation);
        if ratios.is_empty() {
            continue;
        }
        ratios.sort_by(f64::total_cmp);
        let what = format!("{}, against {}", format!("{operation:?}").to_lowercase(), against.title);
        let found = geometric_mean(&ratios);
        row(format!("{what}: geometric mean"), &format!("{mean}"), times(found), found >= mean);
        let below = ratios.iter().filter(|&&ratio| ratio < least).count();
        let found = format!("{}; {below} of {} below", times(ratios[0]), ratios.len());
        row(format!("{what}: smallest"), &format!("{least}"), found, below == 0);
    }
    let spread = results.scaling.iter().map(spread).fold(0.0, f64::max);
    if spread > 0.0 {
        let found = format!("{:.0}%", (spread - 1.0) * 100.0);
        row("cost of a record, 1,000 to 1,000,000 records: largest difference".into(), "20%", found, spread <= 1.2);
    }
    if let Some(peak) = results.streams.iter().map(|stream| stream.peak_bytes).max() {
        let largest = results.streams.iter().map(|stream| stream.input_bytes).max().unwrap_or(0);
        let found = format!("{:.0} MB for {:.1} GB", peak as f64 / 1e6, largest as f64 / 1e9);
        let reached = peak < 100_000_000 && largest >= 2_000_000_000;
        row("a streamed conversion of 2 GB: peak memory".into(), "100 MB", found, reached);
    }
    if let Some(slowest) = results.schemas.iter().map(|compiled| compiled.ms).max_by(f64::total_cmp) {
        let types = results.schemas[0].types;
        row(format!("compiling a schema of {types} types: slowest"), "100 ms", duration(slowest), slowest < 100.0);
    }
    format!("| bar | asked | found | reached |\n|---|---:|---:|---|\n{}\n", rows.concat())
}

/// The largest cost of a record over the smallest.
pub(super) fn spread(scale: &Scale) -> f64 {
    let all = scale.points.iter().map(|&(_, ns)| ns);
    all.clone().fold(0.0, f64::max) / all.fold(f64::INFINITY, f64::min)
}
