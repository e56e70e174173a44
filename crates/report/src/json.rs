//! The stable JSON form, documented in `docs/measure-json.md`.

use wirewise_measure::Report;

/// The report as indented JSON, with a line feed at the end.
pub fn json(report: &Report) -> String {
    let mut out = serde_json::to_string_pretty(report).expect("reports have string keys and finite numbers");
    out.push('\n');
    out
}
