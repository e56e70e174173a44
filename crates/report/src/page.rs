//! A page for browsers: one file that asks for no other.

use serde_json::{Map, Value, json};
use wirewise_advice::Advice;
use wirewise_measure::{Compressed, Report};

use crate::decision;
use crate::exactness::exactness;

const TEMPLATE: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/page.css");
const CHARTS: &str = include_str!("../assets/vendor/echarts.common.min.js");
/// The scripts of the page, in the order in which they run; they share one scope.
const SCRIPTS: &[&str] = &[
    include_str!("../assets/js/data.js"),
    include_str!("../assets/js/format.js"),
    include_str!("../assets/js/dom.js"),
    include_str!("../assets/js/table.js"),
    include_str!("../assets/js/decision.js"),
    include_str!("../assets/js/controls.js"),
    include_str!("../assets/js/chart.js"),
    include_str!("../assets/js/charts.js"),
    include_str!("../assets/js/tables.js"),
    include_str!("../assets/js/main.js"),
];

/// The report as one page that opens offline. `advice` has an entry for each unit, the one that was asked for first; without
/// any the page has no decision and no sliders.
pub fn html(report: &Report, advice: &[Advice]) -> String {
    let parts = [
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", embedded(&data(report, advice))),
        ("{{charts}}", CHARTS.to_owned()),
        ("{{scripts}}", SCRIPTS.concat()),
    ];
    // Each part is put in once, and not looked into: data may hold anything.
    let mut out = String::new();
    let mut rest = TEMPLATE;
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).expect("the template has every mark, in this order");
        out.push_str(before);
        out.push_str(&part);
        rest = after;
    }
    out + rest
}

/// JSON that can stand in a script element: nothing in it ends the element, or a line of JavaScript.
fn embedded(value: &Value) -> String {
    let text = value.to_string();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// What the page shows. Words are written here, once for all forms of a report.
fn data(report: &Report, advice: &[Advice]) -> Value {
    json!({
        "report": with_labels(report),
        "advice": advice.iter().map(with_words).collect::<Vec<_>>(),
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "methods": decision::METHODS,
        "measured": wirewise_advice::MEASURED,
    })
}

fn with_labels(report: &Report) -> Value {
    let mut value = serde_json::to_value(report).expect("reports have string keys");
    for (row, of) in report.rows.iter().zip(value["rows"].as_array_mut().into_iter().flatten()) {
        of["label"] = row.label().into();
        for (name, mode) in [("single", report.single(row)), ("batch", row.batch.as_ref())] {
            let Some(mode) = mode else {
                of[name] = Value::Null;
                continue;
            };
            let of = &mut of[name];
            of["verdict"] = exactness(&mode.exactness).into();
            let labels = mode.side.iter().flat_map(|side| side.compressed.iter().map(Compressed::label));
            for (label, of) in labels.zip(of["side"]["compressed"].as_array_mut().into_iter().flatten()) {
                of["label"] = label.into();
            }
        }
    }
    value
}

fn with_words(advice: &Advice) -> Value {
    let mut value = serde_json::to_value(advice).expect("advice has string keys");
    for (candidate, of) in advice.candidates.iter().zip(value["candidates"].as_array_mut().into_iter().flatten()) {
        of["variation"] = candidate.variation().into();
    }
    let mut words = Map::new();
    words.insert("asked".to_owned(), decision::asked(advice).into());
    words.insert("headline".to_owned(), decision::headline(advice).into());
    words.insert("saving".to_owned(), decision::saving(advice).into());
    let currency = &advice.prices.currency;
    words.insert("money".to_owned(), advice.money.as_ref().map(|money| decision::money(money, currency)).into());
    let sensitive = advice.money.as_ref().and_then(|money| decision::most_sensitive(&money.sensitivity, currency));
    words.insert("sensitive".to_owned(), sensitive.into());
    value["words"] = words.into();
    value
}
