//! Two measurements side by side, as text and as JSON.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Value as Json, json as object};
use wirewise_measure::Comparison;

use crate::advice::bytes;
use crate::units::time;

/// Entries that are named of those that only one of the two has.
const MOST_NAMES: usize = 5;

/// For people: what grew or shrank, and times that differ by more than their noise.
///
/// `max_growth` is the share of bytes that entries may grow by.
pub fn text(comparison: &Comparison, max_growth: Option<f64>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail, so the results of `writeln!` are dropped.
    let _ = writeln!(out, "{} -> {}", comparison.before, comparison.after);
    for caution in &comparison.cautions {
        let _ = writeln!(out, "caution: {caution}");
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["a message as", "bytes before", "after", "change", ""]);
    for column in 1..4 {
        table.column_mut(column).expect("the header has it").set_cell_alignment(CellAlignment::Right);
    }
    let (mut same, mut shown) = (0, 0);
    for entry in &comparison.entries {
        let times: Vec<String> = entry
            .times
            .iter()
            .filter(|timing| timing.differs)
            .map(|timing| {
                let [before, after] = timing.median_ns;
                format!("{} {} -> {} ({})", timing.stage, time(before), time(after), change(after / before - 1.0))
            })
            .collect();
        if entry.growth == 0.0 && times.is_empty() {
            same += 1;
            continue;
        }
        shown += 1;
        let over = max_growth.is_some_and(|most| entry.growth > most);
        let mark = if over { "TOO LARGE " } else { "" };
        table.add_row([
            format!("{} ({})", entry.id, entry.unit),
            bytes(entry.bytes[0]),
            bytes(entry.bytes[1]),
            change(entry.growth),
            format!("{mark}{}", times.join(", ")),
        ]);
    }
    if shown > 0 {
        out.push('\n');
        for line in table.to_string().lines() {
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{same} of {} entries are the same", comparison.entries.len());
    for (what, names) in [("only before", &comparison.gone), ("only after", &comparison.new)] {
        if !names.is_empty() {
            let more = names.len().saturating_sub(MOST_NAMES);
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
            let _ = writeln!(out, "{what}: {}{more}", shown.join("; "));
        }
    }
    if let Some(most) = max_growth {
        let over = regressions(comparison, most);
        let _ = match over {
            0 => writeln!(out, "no entry grew by more than {}", limit(most)),
            1 => writeln!(out, "1 entry grew by more than {}", limit(most)),
            over => writeln!(out, "{over} entries grew by more than {}", limit(most)),
        };
    }
    out
}

/// How many entries grew by more than this share.
pub fn regressions(comparison: &Comparison, max_growth: f64) -> usize {
    comparison.entries.iter().filter(|entry| entry.growth > max_growth).count()
}

fn limit(share: f64) -> String {
    let text = format!("{:.3}", share * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

fn change(share: f64) -> String {
    match share {
        0.0 => "-".to_owned(),
        _ if share.abs() < 0.0995 => format!("{:+.2}%", share * 100.0),
        _ => format!("{:+.0}%", share * 100.0),
    }
}

/// The object `compare/1`, which `docs/json-output.md` describes.
pub fn json(comparison: &Comparison, max_growth: Option<f64>) -> Json {
    let mut json = object!(comparison);
    json["wirewise"] = object!("compare/1");
    json["max_growth"] = object!(max_growth);
    json["regressions"] = object!(max_growth.map(|most| regressions(comparison, most)));
    json
}
