//! Figures from samples, and lines for the terminal.

use super::format::Format;
use super::results::{Group, Kind, Timed};

/// The middle of the samples.
pub fn median(samples: &[f64]) -> f64 {
    quantile(samples, 0.5)
}

/// A quantile, between two samples where it falls there.
pub fn quantile(samples: &[f64], at: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let place = at * (sorted.len().saturating_sub(1)) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

/// Half the distance of the quartiles, as a part of the median.
pub fn spread(samples: &[f64]) -> f64 {
    (quantile(samples, 0.75) - quantile(samples, 0.25)) / 2.0 / median(samples)
}

/// How many times longer `peer` took than `ours`: the median of the ratios of the rounds.
pub fn ratio(peer: &Timed, ours: &Timed) -> f64 {
    let ratios: Vec<f64> = peer.samples.iter().zip(&ours.samples).map(|(peer, ours)| peer / ours).collect();
    median(&ratios)
}

/// The engine's candidate.
pub fn ours(group: &Group) -> Option<&Timed> {
    group.candidates.iter().find(|candidate| candidate.kind == Kind::Ours)
}

/// The fastest of some candidates.
pub fn fastest(group: &Group, wanted: impl Fn(&Timed) -> bool) -> Option<&Timed> {
    let candidates = group.candidates.iter().filter(|candidate| wanted(candidate));
    candidates.min_by(|a, b| median(&a.samples).total_cmp(&median(&b.samples)))
}

/// One line for the terminal: `geo-points convert json protobuf: 9.1 ms; 12 ms x1.32 sonic-rs + prost (owned)`.
pub fn line(group: &Group) -> String {
    let formats: Vec<_> = [group.from, group.to].into_iter().flatten().map(Format::name).collect();
    let operation = format!("{:?}", group.operation).to_lowercase();
    let mut line = format!("{} {operation} {}:", group.workload, formats.join(" "));
    let ours = ours(group);
    if let Some(ours) = ours {
        line.push_str(&format!(" {} ms", time(median(&ours.samples))));
    }
    for kind in [Kind::Generated, Kind::Dynamic] {
        let Some(best) = fastest(group, |candidate| candidate.kind == kind) else { continue };
        let factor = ours.map(|ours| format!(" x{:.2}", ratio(best, ours))).unwrap_or_default();
        line.push_str(&format!("; {} ms{factor} {} ({})", time(median(&best.samples)), best.name, best.memory));
    }
    line
}

/// All candidates of a group, fastest first.
pub fn details(group: &Group) -> String {
    let mut candidates: Vec<&Timed> = group.candidates.iter().collect();
    candidates.sort_by(|a, b| median(&a.samples).total_cmp(&median(&b.samples)));
    let line = |one: &&Timed| {
        let (middle, spread, name) = (time(median(&one.samples)), spread(&one.samples) * 100.0, &one.name);
        let best = time(quantile(&one.samples, 0.0));
        format!("    {middle:>10} ms ±{spread:.0}% (best {best})  {name} ({})\n", one.memory)
    };
    candidates.iter().map(line).collect()
}

/// Milliseconds with three digits.
pub fn time(ms: f64) -> String {
    let digits = (2 - ms.abs().max(1e-9).log10().floor() as i32).clamp(0, 7) as usize;
    format!("{ms:.digits$}")
}
