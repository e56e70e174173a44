//! The other forms of a report, and what the page is made of.

#[allow(dead_code)] // Each test file uses a part of it.
mod made;

use sha2::{Digest, Sha256};
use wirewise_advice::{Goal, value_of};

#[test]
fn csv_has_a_line_for_each_candidate() {
    let report = made::hostile(made::people());
    let advice = made::advice(&report, Goal::Cost);
    let text = wirewise_report::csv(&report, &advice);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("{name} in {heads:?}"));
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(lines.len(), advice.iter().map(|advice| advice.candidates.len()).sum::<usize>());
    let candidates =
        advice.iter().flat_map(|advice| advice.candidates.iter().map(move |candidate| (advice, candidate)));
    for (line, (advice, candidate)) in lines.iter().zip(candidates) {
        let assumptions = advice.assumptions.iter().map(|known| (known.name.to_owned(), known.value)).collect();
        assert_eq!(&line[at("candidate")], candidate.id);
        assert_eq!(&line[at("excluded")], candidate.excluded.join("; "));
        let year: f64 = line[at("year_USD")].parse().unwrap();
        assert_eq!(year, value_of(candidate, &assumptions)["year"]);
    }
    // RFC 4180: lines end in CRLF, the last one too.
    assert!(text.ends_with("\r\n"));
}

#[test]
fn csv_without_advice_has_a_line_for_each_row_and_compressor() {
    let report = made::people();
    let text = wirewise_report::csv(&report, &[]);
    let lines = csv::Reader::from_reader(text.as_bytes()).records().map(Result::unwrap).count();
    let modes = report.rows.iter().flat_map(|row| [report.single(row), row.batch.as_ref()]).flatten();
    let expected: usize = modes.map(|mode| 1 + mode.side.as_ref().map_or(0, |side| side.compressed.len())).sum();
    assert_eq!(lines, expected);
}

#[test]
fn markdown_says_what_was_decided_and_from_what() {
    let report = made::people();
    let advice = made::advice(&report, Goal::Cost);
    let text = wirewise_report::markdown(&report, &advice);
    for part in [
        "# Wire formats for people.json",
        "## Changes in order of effort",
        "## Candidates: messages one at a time",
        "## All messages as one batch",
        "## Dictionaries",
        "## Shapes",
        "## Formulas, with the numbers of ",
        "## Assumptions",
        "> **Warning:** 29 messages make no stable average",
        "| command | wirewise measure corpus/people.json",
        "AWS us-east-1 list prices",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    tables_are_whole(&text);
    assert!(!wirewise_report::markdown(&report, &[]).contains("Formulas"));
}

#[test]
fn nothing_in_the_data_is_markup() {
    let report = made::hostile(made::people());
    let advice = made::advice(&report, Goal::Bytes);
    let text = wirewise_report::markdown(&report, &advice);
    assert!(text.contains("\\</script\\>\\<img"), "{text}");
    tables_are_whole(&text);
    let page = wirewise_report::html(&report, &advice);
    assert!(!page.contains("</script><img"));
    assert_eq!(page.matches("</script>").count(), 3, "a script element ends where the template says");
    let data = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["report"]["input"]["name"], made::HOSTILE);
}

/// Every line of a table has as many cells as its header.
fn tables_are_whole(text: &str) {
    let mut cells = None;
    for line in text.lines() {
        let count = line.starts_with('|').then(|| line.replace("\\\\", "").replace("\\|", "").matches('|').count());
        if let (Some(before), Some(count)) = (cells, count) {
            assert_eq!(count, before, "{line}");
        }
        cells = count;
    }
}

#[test]
fn a_page_is_small_without_data() {
    let mut report = made::people();
    report.rows.clear();
    let size = wirewise_report::html(&report, &[]).len();
    assert!(size < 1_500_000, "{size}");
}

/// The vendored chart library is what its provenance says, and, where npm's packages are installed, what they have.
#[test]
fn the_chart_library_is_the_published_one() {
    let root = wirewise_testkit::root();
    let folder = root.join("crates/report/assets/vendor");
    let read =
        |path: std::path::PathBuf| std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let provenance: serde_json::Value = serde_json::from_slice(&read(folder.join("provenance.json"))).unwrap();
    let lock = root.join("crates/report/tests/browser/package-lock.json");
    let lock: serde_json::Value = serde_json::from_slice(&read(lock)).unwrap();
    // `npm ci` holds what it installs against the same hash.
    let locked = &lock["packages"]["node_modules/echarts"];
    assert_eq!((&locked["version"], &locked["integrity"]), (&provenance["version"], &provenance["integrity"]));
    let named = format!("Apache ECharts {}", provenance["version"].as_str().unwrap());
    assert!(wirewise_report::html(&made::people(), &[]).contains(&named), "the page names the library's version");
    let installed = wirewise_testkit::foreign::chromium().is_some();
    for (name, file) in provenance["files"].as_object().unwrap() {
        let bytes = read(folder.join(name));
        let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(file["sha256"], hash.as_str(), "{name}");
        if installed {
            let from = root.join("crates/report/tests/browser/node_modules").join(file["from"].as_str().unwrap());
            assert!(bytes == read(from), "{name} is not what the package has");
        }
    }
}
