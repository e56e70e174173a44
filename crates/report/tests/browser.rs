//! The page in a real Chromium: charts are drawn, sliders compute what the library computes, tables sort, nothing is loaded,
//! nothing in the data becomes markup. Screenshots are left in the target folder.

#[allow(dead_code)] // Each test file uses a part of it.
mod made;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use wirewise_advice::expr::Values;
use wirewise_advice::{Advice, Goal, Scenario, Unit, advise, value_of};
use wirewise_measure::Report;

#[test]
fn pages_in_chromium() {
    let Some(mut chromium) = wirewise_testkit::foreign::chromium() else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    std::fs::create_dir_all(&folder).unwrap();
    let report = made::people();
    let advice = made::advice(&report, Goal::Cost);
    let hostile = made::hostile(report.clone());
    let hostile_advice = made::advice(&hostile, Goal::Time);
    let untimed = without_times(report.clone());
    let many = many(&report);
    let many_advice = made::advice(&many, Goal::Bytes);
    // Nothing fulfils the constraints.
    let nobody = Scenario { languages: vec!["none".to_owned()], ..made::scenario(Unit::Single, Goal::Cost) };
    let impossible = [advise(&report, &nobody).unwrap()];
    let pages: [(&str, &Report, &[Advice]); 6] = [
        ("people", &report, &advice),
        ("plain", &report, &[]),
        ("hostile", &hostile, &hostile_advice),
        ("untimed", &untimed, &made::advice(&untimed, Goal::Bytes)),
        ("impossible", &report, &impossible),
        ("many", &many, &many_advice),
    ];
    for (name, report, advice) in pages {
        std::fs::write(folder.join(format!("{name}.html")), wirewise_report::html(report, advice)).unwrap();
    }
    let plan = json!({
        "pages": pages.map(|page| page.0),
        "pictured": ["people", "hostile"],
        "sorted": "people",
        "settings": { "people": settings(&advice), "many": [{ "sliders": { "bandwidth": 300 } }] },
    });
    std::fs::write(folder.join("plan.json"), plan.to_string()).unwrap();
    let seen = folder.join("seen.json");
    let _ = std::fs::remove_file(&seen);
    let status = chromium.arg("crates/report/tests/browser/check.mjs").arg(&folder).status().unwrap();
    assert!(status.success(), "check.mjs ended with {status}");
    let seen: Value = serde_json::from_slice(&std::fs::read(seen).unwrap()).unwrap();

    for (name, report, advice) in pages {
        let seen = &seen[name];
        assert_eq!(seen["problems"], json!([]), "{name}");
        assert_eq!(seen["evil"], true, "{name}");
        assert_eq!(seen["elements"], 0, "{name}: data became an element");
        let text = seen["text"].as_str().unwrap();
        for warning in &report.warnings {
            assert!(
                text.contains(&squeezed(&warning.to_string()))
                    || squeezed(text).contains(&squeezed(&warning.to_string())),
                "{name}: {warning}"
            );
        }
        assert!(squeezed(text).contains(&squeezed(report.command.as_ref().unwrap())), "{name}: the command");
        for chart in charts(name, advice) {
            let found = seen["charts"].as_array().unwrap().iter().find(|found| found["id"] == chart).unwrap();
            assert!(found["hidden"] == false && found["shapes"].as_u64().unwrap() >= 5, "{name}: {found}");
        }
        assert_eq!(seen["wide"].as_array().map_or(0, Vec::len), 0, "{name}: wider than the window: {}", seen["wide"]);
    }
    for (name, advice) in [("people", &advice), ("many", &many_advice)] {
        let settings = seen[name]["settings"].as_array().unwrap();
        assert!(!settings.is_empty());
        for setting in settings {
            same_numbers(setting, advice);
        }
    }
    assert!(seen["impossible"]["text"].as_str().unwrap().contains("Nothing that was measured fulfils the constraints"));
    sliders_moved(seen["people"]["settings"].as_array().unwrap());
    tables_sort(&seen["people"]);
    for contrast in seen["people"]["contrasts"].as_array().unwrap() {
        assert!(contrast["ratio"].as_f64().unwrap() >= 4.5, "{contrast}");
    }
    assert!(seen["people"]["tip"].as_str().unwrap().contains("bytes"), "{}", seen["people"]["tip"]);
}

/// Charts that a page must have.
fn charts<'c>(page: &str, advice: &[Advice]) -> Vec<&'c str> {
    let mut charts = vec!["size-by-variant", "bytes-by-field"];
    if !advice.is_empty() {
        charts.extend(["time-by-stage", "over-bandwidth"]);
        if page != "untimed" {
            charts.push("pareto");
        }
    }
    charts
}

/// Text without white space and control characters, which browsers show in their own way.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect()
}

/// What is set in the page: each slider from one end to the other, presets, goals, payloads, exact numbers.
fn settings(advice: &[Advice]) -> Vec<Value> {
    let mut settings = vec![json!({})];
    for assumption in &advice[0].assumptions {
        for position in [0, 900] {
            settings.push(json!({ "sliders": { assumption.name: position } }));
        }
    }
    for link in &advice[0].links {
        for (unit, goal) in [(0, "time"), (1, "time"), (1, "cost"), (0, "bytes")] {
            settings.push(json!({ "link": link.link.name, "unit": unit, "goal": goal }));
        }
    }
    settings
        .push(json!({ "today": "json", "goal": "cost", "unit": 0, "sliders": { "bandwidth": 420, "per_day": 900 } }));
    settings.push(json!({ "exact": { "bandwidth": 3.5, "round_trip": 12.25, "per_day": 123_456_789 } }));
    settings.push(json!({ "keys": ["bandwidth", "fan_out", "retention_days"] }));
    settings
}

/// Compares everything that the page computed with the library, and what it shows with what it computed.
fn same_numbers(setting: &Value, advice: &[Advice]) {
    let unit = if setting["unit"] == "single" { Unit::Single } else { Unit::Batch };
    let advice = advice.iter().find(|advice| advice.unit == unit).unwrap();
    let assumptions: Values = serde_json::from_value(setting["assumptions"].clone()).unwrap();
    let computed: BTreeMap<String, Values> = serde_json::from_value(setting["values"].clone()).unwrap();
    assert_eq!(computed.len(), advice.candidates.len());
    let measure = match setting["goal"].as_str().unwrap() {
        "bytes" => "bytes",
        "time" => "time",
        _ => "year",
    };
    let mut lowest = f64::INFINITY;
    for candidate in &advice.candidates {
        let expected = value_of(candidate, &assumptions);
        let found = &computed[&candidate.id];
        assert_eq!(found.len(), expected.len());
        for (name, expected) in &expected {
            let close = (found[name] - expected).abs() <= expected.abs() * 1e-9;
            assert!(close, "{} {name}: {} in the page, {expected} here", candidate.id, found[name]);
        }
        if candidate.is_open() {
            lowest = lowest.min(expected[measure]);
        }
    }
    let winner = setting["winner"].as_str().unwrap();
    assert!(advice.candidates.iter().any(|candidate| candidate.id == winner && candidate.is_open()));
    assert!(computed[winner][measure] <= lowest * (1.0 + 1e-9), "{winner} by {measure}");
    let loaded = assumptions["per_day"] > 0.0;
    if measure != "year" || loaded {
        assert_eq!(setting["shown_winner"], winner);
    }
    let shown = setting["shown"].as_array().unwrap();
    assert!(shown.len() >= 16, "{shown:?}");
    for shown in shown {
        let id = match shown["role"].as_str().unwrap() {
            "today" => setting["today"].as_str().unwrap(),
            "winner" => winner,
            _ => advice.choice.as_deref().unwrap(),
        };
        let value = computed[id][shown["name"].as_str().unwrap()];
        assert!(shown["value"].as_str().unwrap().parse::<f64>().unwrap() == value, "{shown}");
        is_rounded(shown["text"].as_str().unwrap(), value);
    }
}

/// Whether a text is a number rounded to the digits that it has.
fn is_rounded(text: &str, value: f64) {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let scale = match unit {
        "ns" => 1e-9,
        "µs" => 1e-6,
        "ms" => 1e-3,
        "" | "s" => 1.0,
        unit => panic!("{unit}"),
    };
    let plain = number.replace(',', "").replace('−', "-");
    let (mantissa, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
    let digits = mantissa.split_once('.').map_or(0, |(_, digits)| digits.len()) as i32;
    let half = 0.5 * 10f64.powi(exponent.parse::<i32>().unwrap() - digits) * scale;
    let shown = plain.parse::<f64>().unwrap() * scale;
    assert!((shown - value).abs() <= half * 1.0001, "{text} for {value}");
}

/// That every slider changed its assumption.
fn sliders_moved(settings: &[Value]) {
    let names: Vec<String> = settings[0]["assumptions"].as_object().unwrap().keys().cloned().collect();
    for name in names {
        let all: std::collections::BTreeSet<String> =
            settings.iter().map(|setting| setting["assumptions"][&name].to_string()).collect();
        assert!(all.len() >= 2, "{name} is only {all:?}");
    }
    let exact = settings.iter().find(|setting| setting["assumptions"]["per_day"] == 123_456_789.0).unwrap();
    assert_eq!(exact["assumptions"]["bandwidth"], 3.5e6);
    let winners: std::collections::BTreeSet<&str> =
        settings.iter().map(|setting| setting["winner"].as_str().unwrap()).collect();
    assert!(winners.len() >= 2, "no slider changes the winner: {winners:?}");
}

/// Sorted by mouse and keyboard.
fn tables_sort(seen: &Value) {
    let numbers = |sorted: &Value| -> Vec<f64> {
        let cells = sorted["cells"].as_array().unwrap();
        cells.iter().map(|cell| seconds(cell.as_str().unwrap())).collect()
    };
    let sorts = seen["sorts"].as_array().unwrap();
    let wanted = ["ascending", "descending", "ascending", "descending"];
    for (sorted, wanted) in sorts.iter().zip(wanted) {
        assert_eq!(sorted["sort"], wanted);
        let numbers = numbers(sorted);
        assert!(numbers.len() >= 10);
        let ordered = |pair: &[f64]| if wanted == "ascending" { pair[0] <= pair[1] } else { pair[0] >= pair[1] };
        assert!(numbers.windows(2).all(ordered), "{wanted}: {numbers:?}");
    }
    assert_eq!(sorts[4]["sort"], "ascending");
    let filtered = seen["filtered"].as_array().unwrap();
    assert!(!filtered.is_empty() && filtered.iter().all(|id| id.as_str().unwrap().contains("json")), "{filtered:?}");
}

/// A number or a time, as tables show them.
fn seconds(text: &str) -> f64 {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let scale = [("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("", 1.0)];
    let scale = scale.iter().find(|known| known.0 == unit).unwrap().1;
    number.replace(',', "").parse::<f64>().unwrap() * scale
}

fn without_times(mut report: Report) -> Report {
    for row in &mut report.rows {
        for mode in [Some(&mut row.single), row.batch.as_mut()].into_iter().flatten() {
            let Some(side) = &mut mode.side else { continue };
            (side.encode, side.decode) = (None, None);
            for compressed in &mut side.compressed {
                (compressed.compress, compressed.decompress) = (None, None);
            }
        }
    }
    report
}

/// Thousands of candidates.
fn many(report: &Report) -> Report {
    let mut many = report.clone();
    for i in 0..20 {
        for row in report.rows.iter().filter(|row| row.shape.is_none()) {
            many.rows.push(wirewise_measure::Row { shape: Some(format!("made-{i}")), ..row.clone() });
        }
    }
    many
}
