//! Markdown for issues, pull requests and wikis.

use std::fmt::Write;

use wirewise_advice::expr::Values;
use wirewise_advice::{Advice, Candidate, Verdict, number, value_of};
use wirewise_measure::{Compressed, Mode, Report, Side, Spread};

use crate::advice::{bytes, unit};
use crate::decision::{self, METHODS};
use crate::exactness::{dictionary, exactness};
use crate::units::{counted, grouped, percent, time};

/// How many candidates are listed, the best ones; CSV has all of them.
const MOST_CANDIDATES: usize = 25;

// Writing to a String cannot fail, so the results of `write!` are dropped.

/// The report as Markdown: the decision, tables, warnings, and the formulas with their numbers.
pub fn markdown(report: &Report, advice: &[Advice]) -> String {
    let mut out = String::new();
    let input = &report.input;
    let _ = writeln!(out, "# Wire formats for {}\n", escape(&input.name));
    if let Some(first) = advice.first() {
        decision(first, &mut out);
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "> **Warning:** {}\n", escape(&warning.to_string()));
    }
    for advice in advice {
        candidates(advice, &mut out);
    }
    rows("Messages one at a time", report, |row| report.single(row), &mut out);
    if report.rows.iter().any(|row| row.batch.is_some()) {
        rows("All messages as one batch", report, |row| row.batch.as_ref(), &mut out);
    }
    dictionaries(report, &mut out);
    shapings(report, &mut out);
    if let Some(first) = advice.first() {
        formulas(first, &mut out);
        assumptions(first, &mut out);
    }
    methods(report, &mut out);
    out
}

fn decision(advice: &Advice, out: &mut String) {
    let _ = writeln!(out, "**{}**\n", escape(&decision::headline(advice)));
    if let Some(saving) = decision::saving(advice) {
        let _ = writeln!(out, "{}\n", escape(&saving));
    }
    if let Some(money) = &advice.money {
        let currency = &advice.prices.currency;
        let sensitive = decision::most_sensitive(&money.sensitivity, currency);
        let text = [Some(decision::money(money, currency)), sensitive];
        let text: Vec<String> = text.into_iter().flatten().map(|text| escape(&text)).collect();
        let _ = writeln!(out, "{}\n", text.join(" "));
    }
    let _ = writeln!(out, "Asked: {}.\n", escape(&decision::asked(advice)));
    if let Some(runner_up) = advice.runner_up.as_ref().filter(|_| advice.verdict != Verdict::Impossible) {
        let _ = writeln!(out, "Runner-up: {}.\n", escape(runner_up));
    }
    let findings = advice.findings.iter().map(|finding| escape(&finding.text));
    list("Findings", findings.collect(), false, out);
    let changes = advice.changes.iter().map(|change| escape(&decision::change(change)));
    list("Changes in order of effort", changes.collect(), true, out);
    let flips = advice.would_change.iter().map(|flip| escape(&decision::flip(flip)));
    list("What would change the choice", flips.collect(), false, out);
    let links: Vec<Vec<String>> = advice
        .links
        .iter()
        .map(|link| {
            vec![
                link.link.title.clone(),
                link.winner.clone().unwrap_or_else(|| "-".to_owned()),
                seconds(link.end_to_end),
                link.end_to_end_p99.map_or_else(|| "-".to_owned(), seconds),
                seconds(link.today),
            ]
        })
        .collect();
    table("Fastest on each link", &["link", "candidate", "end to end", "99 of 100", "today"], 2, &links, out);
}

fn candidates(advice: &Advice, out: &mut String) {
    let (values, by) = (advice.assumed(), advice.goal.value());
    let mut all: Vec<(&Candidate, Values)> =
        advice.candidates.iter().map(|candidate| (candidate, value_of(candidate, &values))).collect();
    all.sort_by(|a, b| b.0.is_open().cmp(&a.0.is_open()).then(a.1[by].total_cmp(&b.1[by])));
    let loaded = advice.money.is_some();
    let mut heads = vec!["candidate", "bytes", "encode", "compress", "transfer", "decompress", "decode", "end to end"];
    let year = format!("{} a year", advice.prices.currency);
    if loaded {
        heads.push(&year);
    }
    heads.push("excluded");
    let lines: Vec<Vec<String>> = all
        .iter()
        .take(MOST_CANDIDATES)
        .map(|(candidate, values)| {
            let mut line = vec![candidate.id.clone(), bytes(values["bytes"])];
            let stages = ["encode", "compress", "transfer", "decompress", "decode", "end_to_end"];
            line.extend(stages.map(|name| seconds(values[name])));
            if loaded {
                line.push(number(values["year"]));
            }
            line.push(candidate.excluded.join("; "));
            line
        })
        .collect();
    let title = format!("Candidates: {}", unit(advice.unit));
    let aligned = heads.len() - 1;
    ranged_table(&title, &heads, 1..aligned, &lines, out);
    if all.len() > lines.len() {
        let _ = writeln!(out, "The best {} of {}.\n", lines.len(), all.len());
    }
}

fn rows<'r>(
    title: &str,
    report: &'r Report,
    mode: impl Fn(&'r wirewise_measure::Row) -> Option<&'r Mode>,
    out: &mut String,
) {
    let modes: Vec<_> = report.rows.iter().filter_map(|row| Some((row.label(), mode(row)?))).collect();
    let first = modes.iter().find_map(|(_, mode)| mode.side.as_ref());
    let labels: Vec<String> =
        first.map(|side| side.compressed.iter().map(Compressed::label).collect()).unwrap_or_default();
    let mut heads = vec!["variant", "bytes", "vs JSON"];
    heads.extend(labels.iter().map(String::as_str));
    heads.extend(["encode", "decode", "round trip"]);
    let lines: Vec<Vec<String>> = modes
        .iter()
        .map(|(label, mode)| {
            let mut line = vec![label.clone()];
            match &mode.side {
                None => line.resize(heads.len() - 1, "-".to_owned()),
                Some(side) => {
                    let payloads = side.payloads.max(1) as f64;
                    line.extend([bytes(side.bytes as f64 / payloads), percent(side.against_json)]);
                    line.extend(labels.iter().map(|label| {
                        let found = side.compressed.iter().find(|compressed| compressed.label() == *label);
                        found.map_or_else(|| "-".to_owned(), |compressed| bytes(compressed.bytes as f64 / payloads))
                    }));
                    line.extend([side.encode, side.decode].map(|spread| timing(spread, payloads)));
                }
            }
            line.push(exactness(&mode.exactness));
            line
        })
        .collect();
    let aligned = heads.len() - 1;
    ranged_table(title, &heads, 1..aligned, &lines, out);
}

fn dictionaries(report: &Report, out: &mut String) {
    let mut lines = Vec::new();
    for row in &report.rows {
        for side in sides(row) {
            lines.extend(side.dictionaries.iter().map(|found| {
                vec![
                    row.label(),
                    format!("{} ({}:{})", dictionary(found.kind), found.compressor, found.level),
                    grouped(found.dictionary_bytes),
                    grouped(found.trained_on),
                    grouped(found.payloads),
                    grouped(found.plain_bytes),
                    grouped(found.without_bytes),
                    grouped(found.bytes),
                    found.pays_after.map_or_else(|| "never".to_owned(), |after| counted(after, "message")),
                ]
            }));
        }
    }
    let heads = [
        "variant",
        "dictionary",
        "its bytes",
        "trained on",
        "measured on",
        "plain bytes",
        "without it",
        "with it",
        "pays after",
    ];
    ranged_table("Dictionaries", &heads, 2..9, &lines, out);
}

fn sides(row: &wirewise_measure::Row) -> impl Iterator<Item = &Side> {
    [Some(&row.single), row.batch.as_ref()].into_iter().flatten().filter_map(|mode| mode.side.as_ref())
}

fn shapings(report: &Report, out: &mut String) {
    let mut lines = Vec::new();
    for shaping in &report.shapings {
        for (unit, steps) in [("one at a time", &shaping.single), ("batch", &shaping.batch)] {
            let steps: Vec<String> = steps
                .iter()
                .map(|step| match step.largest_error {
                    Some(error) => format!("{} (largest error {error:e})", step.step),
                    None => step.step.clone(),
                })
                .collect();
            if !steps.is_empty() {
                lines.push(vec![shaping.name.clone(), shaping.about.clone(), unit.to_owned(), steps.join(", ")]);
            }
        }
    }
    table("Shapes", &["name", "what it does", "payloads", "steps"], 4, &lines, out);
}

fn formulas(advice: &Advice, out: &mut String) {
    let chosen = advice.choice.as_ref().unwrap_or(&advice.today);
    let Some(candidate) = advice.candidates.iter().find(|candidate| candidate.id == *chosen) else { return };
    let values = value_of(candidate, &advice.assumed());
    let lines: Vec<String> = advice
        .formulas
        .iter()
        .map(|formula| {
            format!(
                "| {} | {} | {} | {} {} | {} |",
                escape(formula.name),
                code(formula.text),
                code(&formula.with_numbers(&values)),
                number(values[formula.name]),
                escape(formula.unit),
                escape(formula.about),
            )
        })
        .collect();
    let _ = writeln!(out, "## Formulas, with the numbers of {}\n", escape(chosen));
    let _ = writeln!(out, "| name | formula | numbers | value | what it is |\n|---|---|---|---|---|");
    let _ = writeln!(out, "{}\n", lines.join("\n"));
}

fn assumptions(advice: &Advice, out: &mut String) {
    let lines: Vec<Vec<String>> = advice
        .assumptions
        .iter()
        .map(|known| vec![known.name.to_owned(), known.title.to_owned(), decision::assumption(known)])
        .collect();
    table("Assumptions", &["name", "what it is", "value"], 2, &lines, out);
    let prices = &advice.prices;
    let _ = writeln!(out, "Prices: {}, {}.\n", escape(&prices.source), escape(&prices.date));
}

fn methods(report: &Report, out: &mut String) {
    list("How it was measured", METHODS.iter().map(|text| escape(text)).collect(), false, out);
    let (input, machine) = (&report.input, &report.machine);
    let of = match input.measured == input.messages {
        true => counted(input.messages, "message"),
        false => format!("{} of {}", grouped(input.measured), counted(input.messages, "message")),
    };
    let mut lines = vec![
        vec![
            "data".to_owned(),
            format!("{}, {}, {of}, {} timed one at a time", input.name, counted(input.bytes, "byte"), input.singles),
        ],
        vec!["schema".to_owned(), format!("{}, {}", input.schema, counted(input.fields as u64, "field"))],
        vec![
            "machine".to_owned(),
            format!(
                "{}, {}, {}",
                machine.processor.as_deref().unwrap_or("unknown processor"),
                machine.system,
                counted(machine.processors as u64, "logical processor")
            ),
        ],
        vec!["version".to_owned(), format!("wirewise {}", report.version)],
    ];
    lines.extend(report.command.iter().map(|command| vec!["command".to_owned(), command.clone()]));
    if !report.measured_at.is_empty() {
        lines.push(vec!["measured at".to_owned(), report.measured_at.clone()]);
    }
    table("Where, when, with what", &["", ""], 2, &lines, out);
}

fn list(title: &str, items: Vec<String>, numbered: bool, out: &mut String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "## {title}\n");
    for (i, item) in items.iter().enumerate() {
        let _ = if numbered { writeln!(out, "{}. {item}", i + 1) } else { writeln!(out, "* {item}") };
    }
    out.push('\n');
}

/// A table whose columns from `numbers` on are numbers.
fn table(title: &str, heads: &[&str], numbers: usize, lines: &[Vec<String>], out: &mut String) {
    ranged_table(title, heads, numbers..heads.len(), lines, out);
}

/// A table of which some columns are numbers; none when there is no line.
fn ranged_table(title: &str, heads: &[&str], numbers: std::ops::Range<usize>, lines: &[Vec<String>], out: &mut String) {
    if lines.is_empty() {
        return;
    }
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let _ = writeln!(out, "## {title}\n");
    out.push_str(&row(heads.iter().map(|head| escape(head)).collect()));
    let marks: Vec<&str> = (0..heads.len()).map(|i| if numbers.contains(&i) { "---:" } else { "---" }).collect();
    let _ = writeln!(out, "|{}|", marks.join("|"));
    for line in lines {
        out.push_str(&row(line.iter().map(|cell| escape(cell)).collect()));
    }
    out.push('\n');
}

/// Text in which nothing is markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '<' | '>' | '*' | '_' | '[' | ']' | '`' | '~' | '#' | '&' => out.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A formula as code; in tables pipes have to be escaped there too.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

fn seconds(seconds: f64) -> String {
    if seconds == 0.0 { "-".to_owned() } else { time(seconds * 1e9) }
}

fn timing(spread: Option<Spread>, payloads: f64) -> String {
    spread.map_or_else(
        || "-".to_owned(),
        |spread| format!("{} ±{:.0}%", time(spread.median_ns / payloads), spread.spread * 100.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_data_is_markup() {
        assert_eq!(escape("a|b <i>*_x_*\n`c`"), "a\\|b \\<i\\>\\*\\_x\\_\\* \\`c\\`");
        assert_eq!(code("a || b"), "`a \\|\\| b`");
    }
}
