//! The page `docs/benchmarks.md`.

use super::bars;
use super::figures::{fastest, median, ours, ratio, spread, time};
use super::format::Format;
use super::results::{Group, Kind, Operation, Results, Timed};

/// A duration in the unit that suits it.
pub(super) fn duration(ms: f64) -> String {
    match ms {
        ..0.001 => format!("{} ns", time(ms * 1e6)),
        ..1.0 => format!("{} µs", time(ms * 1e3)),
        _ => format!("{} ms", time(ms)),
    }
}

pub(super) fn times(ratio: f64) -> String {
    let digits = if ratio < 9.95 { 2 } else { 0 };
    if ratio < 1.0 { format!("**{ratio:.digits$}**") } else { format!("{ratio:.digits$}") }
}

/// A comparison that the page makes: how to choose the peer of a group.
pub(super) struct Against {
    pub(super) title: &'static str,
    wanted: fn(&Timed) -> bool,
}

pub(super) const GENERATED: Against = Against { title: "generated code", wanted: |one| one.kind == Kind::Generated };
pub(super) const OWNED: Against =
    Against { title: "generated code, owned", wanted: |one| one.kind == Kind::Generated && one.memory == "owned" };
const BORROWED: Against = Against {
    title: "generated code, borrowed",
    wanted: |one| one.kind == Kind::Generated && one.memory == "borrowed",
};
pub(super) const DYNAMIC: Against = Against { title: "dynamic", wanted: |one| one.kind == Kind::Dynamic };
/// Of the dynamic ones, those that make a document, as the engine does.
pub(super) const DOCUMENTS: Against = Against {
    title: "dynamic, with a document",
    wanted: |one| one.kind == Kind::Dynamic && !one.name.starts_with("serde-transcode"),
};

impl Against {
    fn ratio(&self, group: &Group) -> Option<f64> {
        Some(ratio(fastest(group, self.wanted)?, ours(group)?))
    }

    /// The ratios of all groups of an operation that have such a peer.
    pub(super) fn ratios(&self, results: &Results, operation: Operation) -> Vec<f64> {
        let groups = results.groups.iter().filter(|group| group.operation == operation);
        groups.filter_map(|group| self.ratio(group)).collect()
    }

    /// Name and ratio for a cell of a table.
    fn cell(&self, group: &Group) -> String {
        let Some(best) = fastest(group, self.wanted) else { return "– | –".to_owned() };
        let ratio = ours(group).map_or_else(String::new, |ours| times(ratio(best, ours)));
        format!("{}, {} | {ratio}", best.name, duration(median(&best.samples)))
    }
}

pub(super) fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// The whole page. The first file has the tables; of the others there are the means.
pub(super) fn page(files: &[(String, Results)]) -> String {
    let Some((path, results)) = files.first() else { return String::new() };
    let mut out = include_str!("page.md").replace("{raw}", path);
    let machine = &results.machine;
    out.push_str(&format!(
        "\n## Machine and versions\n\n{}, {} cores, {} GiB; {}; {}; commit {}; {}.\n\n",
        machine.cpu, machine.cores, machine.memory_gib, machine.os, machine.rustc, machine.commit, results.date
    ));
    let peers: Vec<_> = results.peers.iter().map(|(name, version)| format!("{name} {version}")).collect();
    out.push_str(&format!("Peers: {}.\n\n", peers.join(", ")));
    out.push_str(&format!("{} rounds; a sample takes at least {} ms.\n\n", results.rounds, results.sample_ms));
    out.push_str(include_str!("bars.md"));
    out.push_str(&bars::table(results));
    out.push_str(&pairs(results));
    out.push_str("## Means\n\n");
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

/// Conversions by their formats: geometric means over all workloads.
fn pairs(results: &Results) -> String {
    let groups: Vec<(Format, Format, f64)> = results
        .groups
        .iter()
        .filter(|group| group.operation == Operation::Convert)
        .filter_map(|group| Some((group.from?, group.to?, GENERATED.ratio(group)?)))
        .collect();
    let mut formats: Vec<Format> = Vec::new();
    for &(from, to, _) in &groups {
        formats.extend([from, to].into_iter().filter(|format| !formats.contains(format)).collect::<Vec<_>>());
    }
    let mean = |wanted: &dyn Fn(Format, Format) -> bool| {
        let ratios: Vec<f64> =
            groups.iter().filter(|(from, to, _)| wanted(*from, *to)).map(|&(_, _, ratio)| ratio).collect();
        if ratios.is_empty() { "–".to_owned() } else { times(geometric_mean(&ratios)) }
    };
    let heads: String = formats.iter().map(|to| format!(" to {} |", to.title())).collect();
    let rules = "---:|".repeat(formats.len() + 1);
    let mut out = format!(
        "Conversions against the fastest chain of generated code, geometric means over the workloads:\n\n| |{heads} all |\n|---|{rules}\n"
    );
    for &from in &formats {
        let cells: String = formats.iter().map(|&to| format!(" {} |", mean(&|a, b| a == from && b == to))).collect();
        out.push_str(&format!("| {} |{cells} {} |\n", from.title(), mean(&|a, _| a == from)));
    }
    let cells: String = formats.iter().map(|&to| format!(" {} |", mean(&|_, b| b == to))).collect();
    out.push_str(&format!("| all |{cells} {} |\n\n", mean(&|_, _| true)));
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
        (Operation::Convert, &[GENERATED, DYNAMIC, DOCUMENTS]),
        (Operation::Decode, &[OWNED, BORROWED, DYNAMIC]),
        (Operation::Encode, &[OWNED, BORROWED, DYNAMIC]),
    ];
    for (operation, comparisons) in rows {
        for against in comparisons {
            let ratios = against.ratios(results, operation);
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
            let (from, to, spread) = (scale.from.title(), scale.to.title(), bars::spread(scale));
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
