//! Verdicts on small schemas.

use wirewise_core::Schema;
use wirewise_evolution::{Level, Mode, Options, Outcome, Version, check, find};
use wirewise_idl::Module;

fn version(name: &str, fields: &str) -> Version {
    let text = format!(
        r#"{{"wirewise": "schema/1", "root": "Person", "types": [{{"record": "Person", "fields": [{fields}]}}]}}"#
    );
    Version { name: name.to_owned(), module: Module::of(Schema::parse(&text).unwrap()), source: None }
}

#[test]
fn a_changed_type_has_a_witness() {
    let old = version("old", r#"{"number": 1, "name": "id", "type": "string"}"#);
    let new = version("new", r#"{"number": 1, "name": "id", "type": "int32"}"#);
    let options = Options { mode: Mode::Full, level: Level::Wire, type_name: None };
    let verdict = check(find("protobuf").unwrap(), &[old], &new, &options).unwrap();
    assert_eq!(verdict.findings.len(), 2, "{verdict:#?}");
    for finding in &verdict.findings {
        assert_eq!((finding.rule.name, finding.path.as_str()), ("field-type", "Person.id"));
        let witness = finding.witness.as_ref().unwrap();
        assert!(matches!(witness.outcome, Outcome::Different { .. }), "{witness:?}");
    }
}

#[test]
fn what_readers_do_not_know_breaks_nobody() {
    let old = version("old", r#"{"number": 1, "name": "id", "type": "string"}"#);
    let new = version(
        "new",
        r#"{"number": 1, "name": "id", "type": "string"}, {"number": 2, "name": "age", "type": "int32"}"#,
    );
    let options = Options { mode: Mode::FullTransitive, level: Level::Wire, type_name: None };
    assert!(check(find("protobuf").unwrap(), &[old], &new, &options).unwrap().is_compatible());
}
