//! A recommendation, as text.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use wirewise_advice::{Advice, Candidate, FORMULAS, Goal, Money, RuleKind, Unit, Verdict, number};

use crate::units::{grouped, percent, significant, time};

/// Formulas whose numbers are shown with the costs.
const SHOWN: [&str; 7] = ["sent_gb", "price_gb", "traffic_cost", "cores", "cpu_cost", "storage_cost", "year"];

/// Candidates of the Pareto front that are shown.
const MOST: usize = 8;

// Writing to a String cannot fail, so the results of `write!` are dropped.

/// The recommendation as text.
pub fn text(advice: &Advice) -> String {
    let mut out = String::new();
    let mut musts: Vec<String> = advice.needs.iter().map(|&need| need.to_owned()).collect();
    musts.extend(advice.languages.iter().map(|language| format!("a library for {language}")));
    musts.extend(advice.latency.map(|latency| format!("at most {} from end to end", time(latency * 1e9))));
    let musts = if musts.is_empty() { String::new() } else { format!("; it must have {}", musts.join(", ")) };
    let _ = writeln!(out, "Recommendation for {}, by {}{musts}", unit(advice.unit), goal(advice));
    let _ = writeln!(out, "\n  {}", verdict(advice));
    for finding in &advice.findings {
        let kind = match finding.kind {
            RuleKind::Keep => "keep",
            RuleKind::Hint => "hint",
            RuleKind::Caution => "caution",
        };
        let _ = writeln!(out, "  {kind}: {}", finding.text);
    }
    changes(advice, &mut out);
    if !advice.would_change.is_empty() {
        out.push_str("\nWhat would change the choice\n\n");
        for flip in &advice.would_change {
            let _ = writeln!(out, "  {}: {} (saves {})", flip.when, flip.then, percent(flip.saving));
        }
    }
    links(advice, &mut out);
    front(advice, &mut out);
    if let Some(money) = &advice.money {
        costs(advice, money, &mut out);
    }
    out
}

pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Single => "messages one at a time",
        Unit::Batch => "all messages as one batch",
    }
}

/// What counts, in words.
pub(crate) fn goal(advice: &Advice) -> String {
    let assumed = advice.assumed();
    match advice.goal {
        Goal::Bytes => "bytes".to_owned(),
        Goal::Time => format!("time of processors and of a link with {}", bits(assumed["bandwidth"])),
        Goal::Cost => format!("cost a year of {} payloads a day", grouped(assumed["per_day"] as u64)),
    }
}

/// A bandwidth: `200 Mbit/s`.
pub(crate) fn bits(value: f64) -> String {
    let (scale, unit) = match value {
        _ if value >= 1e9 => (1e9, "Gbit/s"),
        _ if value >= 1e6 => (1e6, "Mbit/s"),
        _ => (1e3, "kbit/s"),
    };
    let value = value / scale;
    let digits = if value >= 10.0 { format!("{value:.0}") } else { format!("{value:.1}") };
    format!("{} {unit}", digits.trim_end_matches(".0"))
}

pub(crate) fn candidate<'a>(advice: &'a Advice, id: &str) -> Option<&'a Candidate> {
    advice.candidates.iter().find(|candidate| candidate.id == id)
}

/// The answer, in a sentence or two.
pub(crate) fn verdict(advice: &Advice) -> String {
    let assumed = if advice.today_is_assumed { " (assumed to be used today: --today says what is)" } else { "" };
    let today = format!("{}{assumed}", advice.today);
    let Some(choice) = &advice.choice else { return format!("nothing can be chosen; today: {today}") };
    let bytes = |id: &str| candidate(advice, id).map_or(0.0, |candidate| candidate.bytes);
    let saving = if advice.goal == Goal::Bytes || bytes(&advice.today) == 0.0 {
        String::new()
    } else {
        format!(", {} of the bytes", percent(1.0 - bytes(choice) / bytes(&advice.today)))
    };
    let what = match advice.goal {
        Goal::Bytes => "of the bytes",
        Goal::Time => "of the time",
        Goal::Cost => "of the cost",
    };
    let saves = format!("saves {} {what}{saving}", percent(advice.saving));
    let runner_up = advice.runner_up.as_ref().map_or(String::new(), |next| format!("; runner-up: {next}"));
    match advice.verdict {
        Verdict::Impossible => format!("nothing can be chosen; today: {today}"),
        Verdict::Keep if *choice == advice.today => format!("keep {today}: nothing is better{runner_up}"),
        Verdict::Keep => format!("keep {today}; the best choice, {choice}, {saves}{runner_up}"),
        Verdict::Change => format!("{choice} instead of {today}: {saves}{runner_up}"),
    }
}

fn changes(advice: &Advice, out: &mut String) {
    if advice.changes.is_empty() {
        return;
    }
    out.push_str("\nChanges, the one with the least effort first\n\n");
    for (i, change) in advice.changes.iter().enumerate() {
        let further = if i > 0 { "a further " } else { "" };
        let _ = writeln!(
            out,
            "  {}. {}: {further}{}  [effort {}: {}]",
            i + 1,
            change.title,
            percent(change.saving),
            change.effort,
            change.changed.join(", ")
        );
        let _ = writeln!(out, "     measured as {}", change.to);
    }
}

fn table(heads: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads.to_vec());
    table
}

fn align(table: &mut Table, columns: std::ops::Range<usize>) {
    for column in columns {
        table.column_mut(column).expect("the header has it").set_cell_alignment(CellAlignment::Right);
    }
}

fn put(table: &Table, out: &mut String) {
    for line in table.to_string().lines() {
        let _ = writeln!(out, " {}", line.trim_end());
    }
}

fn links(advice: &Advice, out: &mut String) {
    out.push_str("\nFrom end to end: encode, compress, transfer, decompress, decode\n\n");
    let queued = advice.links.iter().any(|link| link.end_to_end_p99.is_some());
    let mut heads = vec!["link", "fastest", "time", "today"];
    if queued {
        heads.push("p99 under load");
    }
    let mut rows = table(&heads);
    align(&mut rows, 2..heads.len());
    for link in &advice.links {
        let mut cells = vec![
            link.link.title.clone(),
            link.winner.clone().unwrap_or_else(|| "-".to_owned()),
            link.winner.as_ref().map_or_else(|| "-".to_owned(), |_| time(link.end_to_end * 1e9)),
            time(link.today * 1e9),
        ];
        if queued {
            cells.push(link.end_to_end_p99.map_or_else(|| "-".to_owned(), |p99| time(p99 * 1e9)));
        }
        rows.add_row(cells);
    }
    put(&rows, out);
    if advice.segments.len() > 1 {
        out.push('\n');
        for segment in &advice.segments {
            let range = match (segment.from > 0.0, segment.to) {
                (false, Some(to)) => format!("up to {}", bits(to)),
                (true, Some(to)) => format!("{} to {}", bits(segment.from), bits(to)),
                (true, None) => format!("from {}", bits(segment.from)),
                (false, None) => "at any bandwidth".to_owned(),
            };
            let _ = writeln!(out, "  {range}: {}", segment.winner);
        }
    }
}

fn front(advice: &Advice, out: &mut String) {
    let mut front: Vec<&Candidate> = advice.candidates.iter().filter(|candidate| candidate.pareto).collect();
    if front.len() < 2 {
        return;
    }
    front.sort_by(|a, b| a.bytes.total_cmp(&b.bytes));
    out.push_str("\nPareto front: nothing has fewer bytes for less work\n\n");
    let mut rows = table(&["candidate", "bytes", "work of both sides"]);
    align(&mut rows, 1..3);
    for candidate in front.iter().take(MOST) {
        rows.add_row([candidate.id.clone(), bytes(candidate.bytes), time(candidate.work() * 1e9)]);
    }
    put(&rows, out);
    if front.len() > MOST {
        let _ = writeln!(out, "  and {} more with less work and more bytes", front.len() - MOST);
    }
}

/// Bytes of a payload, on average.
pub(crate) fn bytes(bytes: f64) -> String {
    if bytes < 1000.0 && bytes.fract() != 0.0 { format!("{bytes:.1}") } else { grouped(bytes.round() as u64) }
}

fn costs(advice: &Advice, money: &Money, out: &mut String) {
    let prices = &advice.prices;
    let currency = &prices.currency;
    let _ = writeln!(out, "\nCosts a year in {currency}: prices of {}, {}\n", prices.date, prices.source);
    let mut rows = table(&["", "today", "choice"]);
    align(&mut rows, 1..3);
    for (title, name) in [
        ("bandwidth, GB", "sent_gb"),
        ("cores", "cores"),
        ("traffic", "traffic_cost"),
        ("cores, cost", "cpu_cost"),
        ("storage", "storage_cost"),
        ("all", "year"),
    ] {
        rows.add_row([title.to_owned(), significant(money.today[name]), significant(money.choice[name])]);
    }
    put(&rows, out);
    let _ = writeln!(
        out,
        "\n  saves {} {currency} a year, between {} and {} by the spread of the times",
        significant(money.saving),
        significant(money.saving_low),
        significant(money.saving_high)
    );
    if let Some(most) = money.sensitivity.first() {
        let _ = writeln!(
            out,
            "  depends most on {}: half of it saves {}, twice {}",
            most.title,
            significant(most.saving_at_half),
            significant(most.saving_at_twice)
        );
    }
    if advice.choice.is_none() {
        return;
    }
    out.push('\n');
    for formula in FORMULAS.iter().filter(|formula| SHOWN.contains(&formula.name)) {
        let numbers = formula.with_numbers(&money.choice);
        let _ = writeln!(out, "  {} = {}", formula.name, formula.text);
        let _ = writeln!(out, "    = {numbers} = {}", number(money.choice[formula.name]));
    }
}
