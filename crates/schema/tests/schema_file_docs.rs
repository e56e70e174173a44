//! Holds the examples of `docs/schema-file.md` to what the parser takes.

use std::path::Path;

use wirewise_core::Schema;

#[test]
fn every_example_is_a_schema_file() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema-file.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut examples = 0;
    for block in page.split("```json\n").skip(1) {
        let (example, _) = block.split_once("```").expect("a fenced block ends");
        let schema = Schema::parse(example).unwrap_or_else(|error| panic!("{error}:\n{example}"));
        assert_eq!(Schema::parse(&schema.to_text()).unwrap(), schema);
        examples += 1;
    }
    assert!(examples >= 5, "only {examples} examples were found");
}

#[test]
fn every_built_in_name_is_on_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema-file.md");
    let page = std::fs::read_to_string(page).unwrap();
    // The parser lists what there is when a name is unknown.
    let names = |schema: &str| {
        let error = Schema::parse(schema).unwrap_err().message().to_owned();
        let (_, list) = error.rsplit_once(" are ").unwrap_or_else(|| panic!("{error}"));
        list.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let scalars = names(r#"{"wirewise": "schema/1", "root": "nothing"}"#);
    let logicals = names(r#"{"wirewise": "schema/1", "root": {"scalar": "string", "logical": "nothing"}}"#);
    assert!(scalars.len() >= 15 && logicals.len() >= 8, "{scalars:?} {logicals:?}");
    for name in scalars.iter().chain(&logicals) {
        let name = name.strip_prefix("timestamp").filter(|unit| *unit != "-seconds").unwrap_or(name);
        assert!(page.contains(&format!("`{name}`")) || page.contains(&format!("`\"{name}\"`")), "{name} is missing");
    }
}

#[test]
fn every_member_is_on_the_page() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema-file.md");
    let page = std::fs::read_to_string(page).unwrap();
    let with = |ty: &str| format!(r#"{{"wirewise": "schema/1", "root": "R", "types": [{ty}]}}"#);
    for wrong in [
        r#"{"wrong": 1}"#.to_owned(),
        with(r#"{"record": "R", "wrong": 1}"#),
        with(r#"{"record": "R", "fields": [{"wrong": 1}]}"#),
        with(r#"{"record": "R", "oneofs": [{"wrong": 1}]}"#),
        with(r#"{"enum": "R", "wrong": 1}"#),
        with(r#"{"enum": "R", "symbols": [{"wrong": 1}]}"#),
        with(r#"{"union": "R", "wrong": 1}"#),
        with(r#"{"union": "R", "branches": [{"wrong": 1}]}"#),
    ] {
        // The parser lists what there is when a member is unknown.
        let error = Schema::parse(&wrong).unwrap_err().message().to_owned();
        let (_, list) = error.rsplit_once("there are ").unwrap_or_else(|| panic!("{error}"));
        for name in list.split(", ") {
            assert!(page.contains(&format!("`{name}`")), "{name} is missing");
        }
    }
}
