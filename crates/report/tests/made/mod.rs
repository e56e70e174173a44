//! A measurement to report: real numbers of the sample people, and by hand what a short measurement leaves out.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use wirewise_advice::{Advice, Goal, Link, Load, Prices, Scenario, Unit, advise};
use wirewise_measure::{
    Data, Dictionary, DictionaryKind, FieldBytes, Options, Report, Row, Shaping, ShapingStep, Side, Warning, run,
};
use wirewise_schema::Inference;

/// Names with everything that would break out of HTML, JSON, JavaScript, Markdown or CSV if somebody forgot.
pub(crate) const HOSTILE: &str =
    "</script><img src=x data-evil onerror=\"evil=1\">'\\\"`|\u{2028}\u{1}\n<!--{b}&amp;,\r";

/// The first 200 people, measured shortly, and only once.
pub(crate) fn people() -> Report {
    static MEASURED: LazyLock<Report> = LazyLock::new(measured);
    MEASURED.clone()
}

fn measured() -> Report {
    let path = wirewise_testkit::root().join("corpus/people.json");
    let bytes = std::fs::read(path).unwrap();
    let messages = wirewise_schema::split_json(&bytes).unwrap();
    let mut inference = Inference::new(wirewise_schema::Options::default());
    for range in messages.ranges() {
        inference.add(&bytes[range.clone()]).unwrap();
    }
    let schema = inference.finish("Person").unwrap();
    let data = Data::new("people.json", bytes, &messages, Arc::new(schema), "inferred").unwrap().first(200);
    let options = Options { budget: Duration::from_millis(1), singles: 60, ..Options::all() };
    let mut report = run(&data, &options, &mut |_| {}).unwrap();
    report.command = Some("wirewise measure corpus/people.json --records 200 --report people.html".to_owned());
    report.warnings.push(Warning::FewMessages { messages: 29 });
    complete(&mut report);
    report
}

/// Adds fields, dictionaries, a shaping and break-even sizes where the measurement has none.
fn complete(report: &mut Report) {
    if report.shapings.is_empty() {
        let step = |step: &str, largest_error| ShapingStep { step: step.to_owned(), largest_error };
        report.shapings.push(Shaping {
            name: "made".to_owned(),
            about: "columns, and numbers rounded".to_owned(),
            single: vec![step("fixed@Person.age", Some(0.000_5))],
            batch: vec![step("columns@$", None), step("fixed@Person.age", Some(0.000_5))],
        });
        let plain: Vec<Row> = report.rows.iter().filter(|row| row.variant == "protobuf").cloned().collect();
        report.rows.extend(plain.into_iter().map(|row| Row { shape: Some("made".to_owned()), ..row }));
    }
    for row in &mut report.rows {
        let modes = [Some(&mut row.single), row.batch.as_mut()];
        for side in modes.into_iter().flatten().filter_map(|mode| mode.side.as_mut()) {
            fill(side);
        }
    }
}

fn fill(side: &mut Side) {
    if side.fields.is_empty() {
        let parts = [("(framing)", 10), ("$.name", 4), ("$.mobiles[]", 5), ("$.emails[]", 3)];
        let field = |(place, part): &(&str, u64)| FieldBytes {
            place: (*place).to_owned(),
            count: side.payloads,
            payload: side.bytes / part,
            overhead: side.bytes / 50,
        };
        side.fields = parts.iter().map(field).collect();
    }
    for compressed in &mut side.compressed {
        compressed.break_even.get_or_insert(220);
    }
    if side.dictionaries.is_empty() {
        let part = side.payloads.div_ceil(2);
        for (kind, bytes) in [(DictionaryKind::Trained, 4), (DictionaryKind::Previous, 5)] {
            side.dictionaries.push(Dictionary {
                kind,
                compressor: "zstd".to_owned(),
                level: 3,
                dictionary_bytes: 4096,
                trained_on: side.payloads - part,
                payloads: part,
                plain_bytes: side.bytes / 2,
                without_bytes: side.bytes / 3,
                bytes: side.bytes / bytes,
                pays_after: (kind == DictionaryKind::Trained).then_some(120),
                compress: None,
                decompress: None,
            });
        }
    }
}

/// What is asked for: a busy service on a mobile link.
pub(crate) fn scenario(unit: Unit, goal: Goal) -> Scenario {
    Scenario {
        unit,
        needs: Vec::new(),
        languages: Vec::new(),
        latency: None,
        link: Link::parse("4g").unwrap(),
        links: Link::all(),
        load: Load { per_day: Some(5e6), fan_out: 3.0, retention_days: 30.0, ..Load::default() },
        prices: Prices::default(),
        today: Some("json, gzip:6".to_owned()),
        goal,
    }
}

/// The advice for both kinds of payloads.
pub(crate) fn advice(report: &Report, goal: Goal) -> Vec<Advice> {
    [Unit::Single, Unit::Batch].map(|unit| advise(report, &scenario(unit, goal)).unwrap()).to_vec()
}

/// The same with hostile names wherever a name comes from the data.
pub(crate) fn hostile(mut report: Report) -> Report {
    report.input.name = HOSTILE.to_owned();
    report.input.schema = HOSTILE.to_owned();
    report.command = Some(HOSTILE.to_owned());
    report.machine.processor = Some(HOSTILE.to_owned());
    for shaping in &mut report.shapings {
        shaping.about = HOSTILE.to_owned();
        for step in shaping.single.iter_mut().chain(&mut shaping.batch) {
            step.step = HOSTILE.to_owned();
        }
    }
    for row in &mut report.rows {
        for mode in [Some(&mut row.single), row.batch.as_mut()].into_iter().flatten() {
            for field in mode.side.iter_mut().flat_map(|side| &mut side.fields) {
                field.place = format!("{}{HOSTILE}", field.place);
            }
        }
    }
    let path = format!("at {HOSTILE}");
    report.rows[0].single.exactness = wirewise_measure::Exactness::Different { difference: path.clone() };
    report.warnings.push(Warning::InferenceLost { difference: path });
    report
}
