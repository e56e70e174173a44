//! The stable JSON form, documented in `docs/measure-json.md`.

use serde::Serialize;
use wirewise_advice::Advice;
use wirewise_measure::Report;

#[derive(Serialize)]
struct Whole<'a> {
    #[serde(flatten)]
    report: &'a Report,
    advice: &'a [Advice],
}

/// The report with its advice as indented JSON, with a line feed at the end.
pub fn json(report: &Report, advice: &[Advice]) -> String {
    let whole = Whole { report, advice };
    let mut out = serde_json::to_string_pretty(&whole).expect("reports have string keys and finite numbers");
    out.push('\n');
    out
}
