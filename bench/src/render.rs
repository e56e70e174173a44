//! Results as text: lines for the terminal, and the page `docs/benchmarks.md`.

use super::format::Format;
use super::results::{Group, Kind, Operation, Results, Timed};

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

fn ours(group: &Group) -> Option<&Timed> {
    group.candidates.iter().find(|candidate| candidate.kind == Kind::Ours)
}

fn fastest(group: &Group, wanted: impl Fn(&Timed) -> bool) -> Option<&Timed> {
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

/// A duration in the unit that suits it.
fn duration(ms: f64) -> String {
    match ms {
        ..0.001 => format!("{} ns", time(ms * 1e6)),
        ..1.0 => format!("{} µs", time(ms * 1e3)),
        _ => format!("{} ms", time(ms)),
    }
}

fn times(ratio: f64) -> String {
    let digits = if ratio < 9.95 { 2 } else { 0 };
    if ratio < 1.0 { format!("**{ratio:.digits$}**") } else { format!("{ratio:.digits$}") }
}

/// A comparison that the page makes: how to choose the peer of a group.
struct Against {
    title: &'static str,
    wanted: fn(&Timed) -> bool,
}

const GENERATED: Against = Against { title: "generated code", wanted: |one| one.kind == Kind::Generated };
const OWNED: Against =
    Against { title: "generated code, owned", wanted: |one| one.kind == Kind::Generated && one.memory == "owned" };
const BORROWED: Against = Against {
    title: "generated code, borrowed",
    wanted: |one| one.kind == Kind::Generated && one.memory == "borrowed",
};
const DYNAMIC: Against = Against { title: "dynamic", wanted: |one| one.kind == Kind::Dynamic };

impl Against {
    fn ratio(&self, group: &Group) -> Option<f64> {
        Some(ratio(fastest(group, self.wanted)?, ours(group)?))
    }

    /// Name and ratio for a cell of a table.
    fn cell(&self, group: &Group) -> String {
        let Some(best) = fastest(group, self.wanted) else { return "– | –".to_owned() };
        let ratio = ours(group).map_or_else(String::new, |ours| times(ratio(best, ours)));
        format!("{}, {} | {ratio}", best.name, duration(median(&best.samples)))
    }
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// The whole page. The first file has the tables; of the others there are the means.
pub fn page(files: &[(String, Results)]) -> String {
    let Some((path, results)) = files.first() else { return String::new() };
    let mut out = include_str!("page.md").replace("{raw}", path);
    let machine = &results.machine;
    out.push_str(&format!(
        "\n## Machine and versions\n\n{}, {} cores, {} GiB; {}; {}; commit {}; {}.\n\n",
        machine.cpu, machine.cores, machine.memory_gib, machine.os, machine.rustc, machine.commit, results.date
    ));
    let peers: Vec<_> = results.peers.iter().map(|(name, version)| format!("{name} {version}")).collect();
    out.push_str(&format!("Peers: {}.\n\n", peers.join(", ")));
    out.push_str(&format!(
        "{} rounds; a sample takes at least {} ms.\n\n## Means\n\n",
        results.rounds, results.sample_ms
    ));
    for (_, results) in files {
        out.push_str(&means(results));
    }
    let mut workloads: Vec<&str> = Vec::new();
    for group in &results.groups {
        if !workloads.contains(&group.workload.as_str()) {
            workloads.push(&group.workload);
        }
    }
    for workload in workloads {
        let groups: Vec<&Group> = results.groups.iter().filter(|group| group.workload == workload).collect();
        let sizes = groups.iter().filter(|group| group.operation == Operation::Decode);
        let sizes = sizes.filter_map(|group| Some(format!("{} {}", group.from?.title(), group.input_bytes?)));
        out.push_str(&format!("## {workload}\n\nBytes: {}.\n\n", sizes.collect::<Vec<_>>().join(", ")));
        out.push_str(&table(&groups, Operation::Convert, &[GENERATED, DYNAMIC]));
        out.push_str(&table(&groups, Operation::Decode, &[OWNED, BORROWED, DYNAMIC]));
        out.push_str(&table(&groups, Operation::Encode, &[OWNED, BORROWED, DYNAMIC]));
    }
    out.push_str(&extras(results));
    out
}

/// Geometric means over all workloads, for each operation.
fn means(results: &Results) -> String {
    let machine = &results.machine;
    let mut out = format!(
        "Built `{}`: {}; allocator: {}.\n\n| operation | against the fastest | pairs | geometric mean | smallest | pairs below 1 |\n|---|---|---:|---:|---:|---:|\n",
        results.setting,
        machine.target_features.join(", "),
        machine.allocator,
    );
    let rows: [(Operation, &[Against]); 3] = [
        (Operation::Convert, &[GENERATED, DYNAMIC]),
        (Operation::Decode, &[OWNED, BORROWED, DYNAMIC]),
        (Operation::Encode, &[OWNED, BORROWED, DYNAMIC]),
    ];
    for (operation, comparisons) in rows {
        for against in comparisons {
            let groups = results.groups.iter().filter(|group| group.operation == operation);
            let ratios: Vec<f64> = groups.filter_map(|group| against.ratio(group)).collect();
            if ratios.is_empty() {
                continue;
            }
            let smallest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            out.push_str(&format!(
                "| {} | {} | {} | {} | {} | {} |\n",
                format!("{operation:?}").to_lowercase(),
                against.title,
                ratios.len(),
                times(geometric_mean(&ratios)),
                times(smallest),
                ratios.iter().filter(|&&ratio| ratio < 1.0).count(),
            ));
        }
    }
    out + "\n"
}

fn table(groups: &[&Group], operation: Operation, comparisons: &[Against]) -> String {
    let groups: Vec<&&Group> = groups.iter().filter(|group| group.operation == operation).collect();
    if groups.is_empty() {
        return String::new();
    }
    let titles: String = comparisons.iter().map(|against| format!(" {} | ratio |", against.title)).collect();
    let rules: String = comparisons.iter().map(|_| "---|---:|").collect();
    let mut out = format!("| {} | wirewise |{titles}\n|---|---:|{rules}\n", format!("{operation:?}").to_lowercase());
    for group in groups {
        let formats: Vec<_> = [group.from, group.to].into_iter().flatten().map(Format::title).collect();
        let own = ours(group).map_or("–".to_owned(), |ours| {
            format!("{} ±{:.0}%", duration(median(&ours.samples)), spread(&ours.samples) * 100.0)
        });
        let cells: Vec<_> = comparisons.iter().map(|against| against.cell(group)).collect();
        out.push_str(&format!("| {} | {own} | {} |\n", formats.join(" → "), cells.join(" | ")));
    }
    out + "\n"
}

/// Linear cost, schemas, streams.
fn extras(results: &Results) -> String {
    let mut out = String::new();
    if let Some(first) = results.scaling.first() {
        let sizes: String = first.points.iter().map(|(records, _)| format!(" {records} records |")).collect();
        let rules: String = first.points.iter().map(|_| "---:|").collect();
        out.push_str("## Cost by size\n\nNanoseconds a record, the median of the rounds; the last column is the largest over the smallest.\n\n");
        out.push_str(&format!("| conversion |{sizes} spread |\n|---|{rules}---:|\n"));
        for scale in &results.scaling {
            let each: String = scale.points.iter().map(|(_, ns)| format!(" {ns:.1} |")).collect();
            let all = scale.points.iter().map(|&(_, ns)| ns);
            let spread = all.clone().fold(0.0, f64::max) / all.fold(f64::INFINITY, f64::min);
            let (from, to) = (scale.from.title(), scale.to.title());
            out.push_str(&format!("| {}: {from} → {to} |{each} {spread:.2} |\n", scale.workload));
        }
        out.push('\n');
    }
    if let Some(first) = results.schemas.first() {
        out.push_str(&format!("## Compiling a schema of {} types\n\n| codec | time |\n|---|---:|\n", first.types));
        for compiled in &results.schemas {
            out.push_str(&format!("| {} | {} |\n", compiled.format.title(), duration(compiled.ms)));
        }
        out.push('\n');
    }
    if !results.streams.is_empty() {
        out.push_str("## Streams\n\nPeak memory is `VmHWM` of the process that converts.\n\n| command | in | out | time | peak memory |\n|---|---:|---:|---:|---:|\n");
        for stream in &results.streams {
            let mb = |bytes: u64| format!("{:.0} MB", bytes as f64 / 1e6);
            let (input, output, peak) = (mb(stream.input_bytes), mb(stream.output_bytes), mb(stream.peak_bytes));
            out.push_str(&format!(
                "| `{}` | {input} | {output} | {:.1} s | {peak} |\n",
                stream.command, stream.seconds
            ));
        }
        out.push('\n');
    }
    out
}
