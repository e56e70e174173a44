//! Recommendations on made measurements: what is chosen, what is said, and that every number follows from the report.

use proptest::prelude::*;
use wirewise_advice::{
    Advice, Candidate, Goal, Link, Load, Need, Prices, Scenario, Seconds, Unit, Verdict, advise, envelope, value_of,
};
use wirewise_measure::{
    Compressed, Dictionary, DictionaryKind, Exactness, Input, Machine, Mode, REPORT_VERSION, Report, Row, Side, Spread,
};

/// A time of so many microseconds for each of 100 payloads.
fn spread(us: f64) -> Option<Spread> {
    let median_ns = us * 1e3 * 100.0;
    Some(Spread { median_ns, min_ns: median_ns, max_ns: median_ns, spread: 0.02, samples: 9, mb_per_s: 1.0 })
}

fn compressed(bytes: u64, us: f64) -> Compressed {
    Compressed {
        compressor: "zstd".to_owned(),
        level: 3,
        window: None,
        bytes: bytes * 100,
        grown: 0,
        break_even: None,
        compress: spread(us),
        decompress: spread(us / 4.0),
    }
}

/// A row of 100 payloads, with zstd.
fn row(variant: &str, shape: Option<&str>, bytes: u64, us: f64, zstd: u64) -> Row {
    let (format, _) = wirewise_formats::find(variant).unwrap();
    let side = Side {
        payloads: 100,
        bytes: bytes * 100,
        against_json: 1.0,
        compressed: vec![compressed(zstd, bytes as f64 / 200.0)],
        dictionaries: Vec::new(),
        fields: Vec::new(),
        encode: spread(us),
        decode: spread(us),
    };
    Row {
        format: format.info().name.to_owned(),
        variant: variant.to_owned(),
        shape: shape.map(str::to_owned),
        single: Mode { exactness: Exactness::Exact, side: Some(side) },
        batch: None,
    }
}

fn report(rows: Vec<Row>) -> Report {
    Report {
        wirewise: REPORT_VERSION.to_owned(),
        version: "0".to_owned(),
        measured_at: String::new(),
        command: None,
        machine: Machine { system: "test".to_owned(), processor: None, processors: 1 },
        input: Input {
            name: "made".to_owned(),
            bytes: 100_000,
            messages: 100,
            measured: 100,
            singles: 100,
            types: 1,
            fields: 4,
            schema: "inferred".to_owned(),
            framing: "lines".to_owned(),
        },
        shapings: Vec::new(),
        rows,
        warnings: Vec::new(),
    }
}

fn scenario() -> Scenario {
    Scenario {
        unit: Unit::Single,
        needs: Vec::new(),
        languages: Vec::new(),
        latency: None,
        link: Link::parse("region").unwrap(),
        links: Link::all(),
        load: Load::default(),
        prices: Prices::default(),
        today: None,
        goal: Goal::Bytes,
    }
}

fn typical() -> Report {
    report(vec![
        row("json", None, 1000, 5.0, 400),
        row("json", Some("values"), 700, 4.0, 280),
        row("json-compact", None, 600, 4.0, 350),
        row("msgpack-named", None, 800, 3.0, 380),
        row("protobuf", None, 500, 1.0, 340),
        row("protobuf", Some("values"), 330, 1.0, 250),
        row("flatbuffers", None, 900, 0.5, 420),
    ])
}

fn said<'a>(advice: &'a Advice, rule: &str) -> Option<&'a str> {
    advice.findings.iter().find(|finding| finding.rule == rule).map(|finding| &*finding.text)
}

#[test]
fn the_changes_lead_from_today_to_the_choice_in_order_of_effort() {
    let advice = advise(&typical(), &scenario()).unwrap();
    assert_eq!(advice.verdict, Verdict::Change);
    assert_eq!(advice.choice.as_deref(), Some("protobuf+values, zstd:3"));
    let steps: Vec<(&str, &str)> = advice.changes.iter().map(|change| (&*change.title, &*change.to)).collect();
    assert_eq!(
        steps,
        [
            ("keep json, turn on zstd:3", "json, zstd:3"),
            ("shape the data: values", "json+values, zstd:3"),
            ("write protobuf instead of json", "protobuf+values, zstd:3"),
        ]
    );
    let together: f64 = advice.changes.iter().map(|change| change.saving).sum();
    assert!((together - advice.saving).abs() < 1e-12);
    assert!((advice.saving - 0.75).abs() < 1e-12);
    assert!(said(&advice, "compress-first").is_some());
}

#[test]
fn where_no_single_change_helps_the_last_one_is_all_of_them() {
    let rows = vec![
        row("json", None, 1000, 5.0, 400),
        // Shapes do not help JSON, nor Avro without them.
        row("json", Some("values"), 1000, 5.0, 400),
        row("avro", None, 600, 1.0, 420),
        row("avro", Some("values"), 200, 1.0, 220),
    ];
    let advice = advise(&report(rows), &scenario()).unwrap();
    let steps: Vec<(&str, &str)> = advice.changes.iter().map(|change| (&*change.title, &*change.to)).collect();
    let expected = [("keep json, turn on zstd:3", "json, zstd:3"), ("change to avro+values at once", "avro+values")];
    assert_eq!(steps, expected);
    assert_eq!(advice.changes[1].changed, ["compressor", "shape of values", "format"]);
    assert!(said(&advice, "breaks-readers").is_some());
}

#[test]
fn of_candidates_that_are_as_good_the_one_with_less_effort_is_chosen() {
    let rows = vec![row("json", None, 1000, 5.0, 260), row("protobuf", None, 500, 1.0, 250)];
    let advice = advise(&report(rows), &scenario()).unwrap();
    assert_eq!(advice.choice.as_deref(), Some("json, zstd:3"));
    assert_eq!(advice.runner_up.as_deref(), Some("protobuf, zstd:3"));
}

#[test]
fn it_says_when_nothing_is_worth_it() {
    let rows = vec![row("json", None, 1000, 5.0, 950), row("protobuf", None, 930, 5.0, 940)];
    let advice = advise(&report(rows), &scenario()).unwrap();
    assert_eq!(advice.verdict, Verdict::Keep);
    assert_eq!(said(&advice, "not-worth-it"), Some("not worth it: the best choice saves 5.0%"));
    // A large share of a small bill.
    let load = Load { per_day: Some(1000.0), ..Load::default() };
    let advice = advise(&typical(), &Scenario { load, goal: Goal::Cost, ..scenario() }).unwrap();
    assert_eq!(advice.verdict, Verdict::Keep);
    assert!(said(&advice, "too-little-money").is_some());
}

#[test]
fn needs_exclude_with_their_reasons_and_what_they_cost_is_told() {
    let chosen = |names: &[&str]| {
        let needs = names.iter().map(|name| Need::by_name(name).unwrap()).collect();
        advise(&typical(), &Scenario { needs, ..scenario() }).unwrap()
    };
    for (names, choice) in [
        (&["human-readable"][..], "json+values, zstd:3"),
        (&["schema-less"], "msgpack-named, zstd:3"),
        (&["partial-read"], "flatbuffers"),
        // Protobuf is 3% smaller, and more work to change to.
        (&["same-schema"], "json-compact, zstd:3"),
        (&["human-readable", "evolution", "same-schema"], "json, zstd:3"),
    ] {
        let advice = chosen(names);
        assert_eq!(advice.choice.as_deref(), Some(choice), "{names:?}");
    }
    let advice = chosen(&["partial-read"]);
    let json = advice.candidates.iter().find(|candidate| candidate.id == "json").unwrap();
    assert_eq!(json.excluded, ["partial-read: it has to be read as a whole"]);
    assert!(advice.would_change.iter().any(|flip| flip.when == "without --need partial-read"));
    // What is used today cannot stay, however little the change saves.
    let advice = chosen(&["schema-less", "partial-read"]);
    assert_eq!(advice.verdict, Verdict::Impossible);
    let advice = chosen(&["partial-read"]);
    assert_eq!(advice.verdict, Verdict::Change);
    assert!(said(&advice, "not-worth-it").is_none());
    let advice = chosen(&["partial-read", "human-readable"]);
    assert_eq!((advice.verdict, advice.choice), (Verdict::Impossible, None));
}

#[test]
fn languages_without_a_library_and_a_latency_budget_exclude() {
    let advice = advise(&typical(), &Scenario { languages: vec!["erlang".to_owned()], ..scenario() }).unwrap();
    let flatbuffers = advice.candidates.iter().find(|candidate| candidate.id == "flatbuffers").unwrap();
    assert_eq!(flatbuffers.excluded, ["no library for erlang"]);
    let slow = Link::parse("modem=100kbit/s,10ms").unwrap();
    let advice = advise(&typical(), &Scenario { link: slow, latency: Some(0.05), ..scenario() }).unwrap();
    let json = advice.candidates.iter().find(|candidate| candidate.id == "json").unwrap();
    // 10 ms there and back, 80 ms of bits, 10 us of work.
    assert_eq!(json.excluded, ["it takes 90.0 ms, more than 50.0 ms"]);
}

#[test]
fn dictionaries_are_candidates_unless_only_pollers_have_them() {
    let mut report = typical();
    let dictionary = |kind, bytes| Dictionary {
        kind,
        compressor: "zstd".to_owned(),
        level: 3,
        dictionary_bytes: 4096,
        trained_on: 50,
        payloads: 50,
        plain_bytes: 50_000,
        without_bytes: 20_000,
        bytes,
        pays_after: Some(20),
        compress: None,
        decompress: None,
    };
    let side = report.rows[0].single.side.as_mut().unwrap();
    side.dictionaries = vec![dictionary(DictionaryKind::Trained, 5000), dictionary(DictionaryKind::Previous, 500)];
    let advice = advise(&report, &scenario()).unwrap();
    assert_eq!(advice.choice.as_deref(), Some("json, zstd:3 with trained dictionary"));
    assert_eq!(advice.changes[1].title, "train a dictionary for zstd:3");
    assert!(said(&advice, "send-differences").is_some());
    let needs = vec![Need::by_name("stateless").unwrap()];
    let advice = advise(&report, &Scenario { needs, ..scenario() }).unwrap();
    assert_eq!(advice.choice.as_deref(), Some("protobuf+values, zstd:3"));
}

#[test]
fn what_loses_values_is_never_chosen() {
    let mut report = typical();
    let row = report.rows.iter_mut().find(|row| row.label() == "protobuf+values").unwrap();
    let lost = vec![wirewise_measure::Lost { kind: "null-as-absent".to_owned(), place: "A.b".to_owned(), count: 3 }];
    row.single.exactness = Exactness::Lossy { lost, first: "null".to_owned() };
    let advice = advise(&report, &scenario()).unwrap();
    assert_eq!(advice.choice.as_deref(), Some("json+values, zstd:3"));
    let lossy = advice.candidates.iter().find(|candidate| candidate.id == "protobuf+values").unwrap();
    assert_eq!(lossy.excluded, ["it loses 3 values"]);
}

#[test]
fn what_a_shape_changes_within_its_bound_was_asked_for() {
    let mut report = typical();
    let row = report.rows.iter_mut().find(|row| row.label() == "protobuf+values").unwrap();
    let lost = vec![wirewise_measure::Lost { kind: "fixed-point".to_owned(), place: "A.b".to_owned(), count: 3 }];
    row.single.exactness = Exactness::Lossy { lost, first: "fixed-point".to_owned() };
    let advice = advise(&report, &scenario()).unwrap();
    assert_eq!(advice.choice.as_deref(), Some("protobuf+values, zstd:3"));
}

#[test]
fn costs_follow_from_their_formulas() {
    let load = Load { per_day: Some(86_400_000.0), fan_out: 3.0, retention_days: 30.0, ..Load::default() };
    let asked = Scenario { load, goal: Goal::Cost, today: Some("json,zstd:3".to_owned()), ..scenario() };
    let advice = advise(&typical(), &asked).unwrap();
    let money = advice.money.as_ref().unwrap();
    // 400 bytes, 3 receivers, a year; 0.09 a GB.
    let sent = 86_400_000.0 * 365.0 * 3.0 * 400.0 / 1e9;
    assert!((money.today["sent_gb"] - sent).abs() < 1e-6);
    assert!((money.today["traffic_cost"] - sent * 0.09).abs() < 1e-6);
    // Encode 5 us and compress 5 us once; decompress 1.25 us and decode 5 us three times; a peak of 2 at 0.6.
    let work = (5.0 + 5.0 + 3.0 * (1.25 + 5.0)) * 1e-6;
    assert!((money.today["cores"] - 1000.0 * 2.0 * work / 0.6).abs() < 1e-9);
    let stored = 86_400_000.0 * 30.0 * 400.0 / 1e9;
    assert!((money.today["storage_cost"] - stored * 12.0 * 0.023).abs() < 1e-6);
    assert!((money.saving - (money.today["year"] - money.choice["year"])).abs() < 1e-6);
    assert!(money.saving_low <= money.saving && money.saving <= money.saving_high);
    assert_eq!(money.sensitivity[0].name, "per_day");
    let half = &money.sensitivity[0];
    assert!((half.saving_at_half - money.saving / 2.0).abs() < 1e-6);
}

#[test]
fn a_choice_flips_where_it_is_said_to_flip() {
    let asked = Scenario { goal: Goal::Time, link: Link::parse("1g").unwrap(), ..scenario() };
    let advice = advise(&typical(), &asked).unwrap();
    let flip = advice.would_change.iter().find(|flip| flip.when.starts_with("bandwidth")).expect("it flips somewhere");
    let value: f64 = flip.when.split(' ').rev().nth(1).unwrap().parse().unwrap();
    let unit = if flip.when.ends_with("Mbit/s") { 1e6 } else { 1e9 };
    let below = flip.when.contains("below");
    let at = |factor: f64| {
        let link = Link { bandwidth: value * unit * factor, ..asked.link.clone() };
        advise(&typical(), &Scenario { link, ..asked.clone() }).unwrap().choice
    };
    assert_eq!(at(if below { 0.95 } else { 1.05 }).as_ref(), Some(&flip.then));
    assert_eq!(at(if below { 1.05 } else { 0.95 }), advice.choice);
}

#[test]
fn unknown_candidates_of_today_are_named_with_those_that_there_are() {
    let error = advise(&typical(), &Scenario { today: Some("xml".to_owned()), ..scenario() }).unwrap_err();
    assert!(error.to_string().starts_with("\"xml\" was not measured"));
    assert!(error.advice().unwrap().contains("json, zstd:3"));
    let batch = Scenario { unit: Unit::Batch, ..scenario() };
    assert!(advise(&typical(), &batch).is_err());
}

#[test]
fn links_are_read_and_refused() {
    let link = Link::parse("office=50Mbit/s,30ms").unwrap();
    assert_eq!((&*link.name, link.bandwidth, link.round_trip), ("office", 50e6, 0.03));
    for text in ["5g", "a=50", "a=0bit/s", "a=-1Mbit/s", "a=1Mbit/s,1h", "a=NaNMbit/s", "=", "a=1e300Gbit/s"] {
        assert!(Link::parse(text).is_err(), "{text}");
    }
}

fn candidates(numbers: &[(u32, u32)]) -> Vec<Candidate> {
    let template = advise(&typical(), &scenario()).unwrap().candidates.remove(0);
    let time = |us: u32| Seconds { median: f64::from(us) * 1e-6, low: 0.0, high: 0.0 };
    let numbered = numbers.iter().enumerate();
    let made = numbered.map(|(i, &(bytes, us))| {
        let mut made = template.clone();
        (made.id, made.bytes) = (i.to_string(), f64::from(bytes));
        (made.encode, made.decode) = (time(us), time(0));
        made
    });
    made.collect()
}

proptest! {
    /// At any bandwidth the segment's winner takes no longer than anything else, and segments join without gaps.
    #[test]
    fn the_envelope_is_the_fastest_everywhere(
        numbers in prop::collection::vec((1u32..50, 0u32..50), 1..12),
        exponent in 3.0f64..12.0,
    ) {
        let all = candidates(&numbers);
        let open: Vec<&Candidate> = all.iter().collect();
        let segments = envelope(&open);
        prop_assert_eq!(segments[0].from, 0.0);
        prop_assert_eq!(segments.last().unwrap().to, None);
        for pair in segments.windows(2) {
            prop_assert_eq!(pair[0].to, Some(pair[1].from));
            prop_assert!(pair[0].from < pair[1].from);
        }
        let bandwidth = 10f64.powf(exponent);
        let segment = segments.iter().find(|segment| segment.to.is_none_or(|to| bandwidth <= to)).unwrap();
        let time = |candidate: &Candidate| candidate.work() + 8.0 * candidate.bytes / bandwidth;
        let best = all.iter().map(time).fold(f64::INFINITY, f64::min);
        let winner = all.iter().find(|candidate| candidate.id == segment.winner).unwrap();
        prop_assert!(time(winner) <= best * (1.0 + 1e-9), "{} {best}", time(winner));
    }

    /// Queues: no load is no wait, and waits grow with the load.
    #[test]
    fn waits_grow_with_the_load(us in 1u32..1000, day in 1.0f64..1e9) {
        let all = candidates(&[(100, us)]);
        let wait = |per_day: f64| {
            let load = Load { per_day: Some(per_day), ..Load::default() };
            value_of(&all[0], &Scenario { load, ..scenario() }.values())
        };
        let (idle, busy) = (wait(0.0), wait(day));
        prop_assert_eq!(idle["wait_p99"], 0.0);
        prop_assert!(busy["wait"] >= 0.0 && busy["busy"] <= 0.6 + 1e-9);
        prop_assert!(busy["end_to_end_p99"] >= busy["end_to_end"]);
    }
}
