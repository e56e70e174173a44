//! Large schemas are written soon, and numbered soon.

use std::time::Instant;

use wirewise_core::Schema;
use wirewise_idl::{LANGUAGES, Lock, MemoryFiles, Module, Source};

use super::{HANGS, many};

/// A module of these types, of which the first is its root.
fn module(types: &str) -> Module {
    let text = format!(r#"{{"wirewise": "schema/1", "root": "T0", "types": [{types}]}}"#);
    Module::of(Schema::parse(&text).unwrap_or_else(|error| panic!("{error}")))
}

/// With commas between.
fn list(count: usize, one: impl Fn(usize) -> String) -> String {
    let list = many(count, |i| one(i) + ",");
    list.trim_end_matches(',').to_owned()
}

fn field(number: usize, name: &str, ty: &str) -> String {
    format!(r#"{{"number": {number}, "name": "{name}", "type": {ty}, "presence": "optional"}}"#)
}

/// What is large, and the module.
fn modules() -> Vec<(&'static str, Module)> {
    let symbols = |name: &dyn Fn(usize) -> String| {
        let symbols = list(100_000, |i| format!(r#"{{"number": {i}, "name": "{}"}}"#, name(i)));
        module(&format!(r#"{{"enum": "T0", "symbols": [{symbols}]}}"#))
    };
    let fields = |count, name: &dyn Fn(usize) -> String, ty: &str| {
        let fields = list(count, |i| field(if i < 18_999 { i + 1 } else { i + 1002 }, &name(i), ty));
        module(&format!(r#"{{"record": "T0", "fields": [{fields}]}}"#))
    };
    let oneof = list(30_000, |i| {
        let number = if i < 18_999 { i + 1 } else { i + 1002 };
        format!(r#"{{"number": {number}, "name": "f{i}", "type": "string", "presence": "optional", "oneof": "o"}}"#)
    });
    let records = |count, name: &dyn Fn(usize) -> String, next: &dyn Fn(usize) -> usize| {
        module(&list(count, |i| {
            let ty = format!("\"{}\"", name(next(i)));
            format!(r#"{{"record": "{}", "fields": [{}]}}"#, name(i), field(1, "a", &ty))
        }))
    };
    let branches = list(5_000, |i| format!(r#"{{"number": {}, "name": "b{i}", "type": "T{}"}}"#, i + 1, i + 1));
    let members = list(5_000, |i| format!(r#"{{"record": "T{}", "fields": []}}"#, i + 1));
    vec![
        ("100,000 symbols", symbols(&|i| format!("V{i}"))),
        ("symbols that are one identifier", symbols(&|i| odd(i, 'é'))),
        ("100,000 fields", fields(100_000, &|i| format!("f{i}"), "\"string\"")),
        ("fields that are one identifier", fields(30_000, &|i| odd(i, 'é'), "\"int32\"")),
        (
            "maps and lists",
            fields(20_000, &|i| format!("f{i}"), r#"{"map": {"list": {"list": "any"}}, "key": "int32"}"#),
        ),
        (
            "a oneof of 30,000",
            module(&format!(r#"{{"record": "T0", "oneofs": [{{"name": "o"}}], "fields": [{oneof}]}}"#)),
        ),
        ("5,000 types", records(5_000, &|i| format!("T{i}"), &|i| i.saturating_sub(1))),
        ("types that lead to each other", records(5_000, &|i| format!("T{i}"), &|i| (i + 1) % 5_000)),
        (
            "types that are one identifier",
            records(5_000, &|i| if i == 0 { "T0".to_owned() } else { odd(i, 'é') }, &|i| i / 2),
        ),
        ("types in types", records(1_000, &|i| format!("T0{}", ".T0".repeat(i)), &|i| (i + 1) % 1_000)),
        ("18,000 defaults in an enum of 60,000", defaults()),
        (
            "a name of 500,000 parts",
            module(&format!(
                r#"{{"record": "T0", "fields": []}}, {{"record": "T0{}", "fields": []}}"#,
                ".a".repeat(500_000)
            )),
        ),
        ("5,000 branches", module(&format!(r#"{{"union": "T0", "branches": [{branches}]}}, {members}"#))),
    ]
}

/// Fields with symbols of a large enum as their defaults.
fn defaults() -> Module {
    let fields = list(18_000, |i| {
        let number = i + 1;
        format!(r#"{{"number": {number}, "name": "f{i}", "type": "E", "default": {}}}"#, 59_999 - i)
    });
    let symbols = list(60_000, |i| format!(r#"{{"number": {i}, "name": "V{i}"}}"#));
    module(&format!(r#"{{"record": "T0", "fields": [{fields}]}}, {{"enum": "E", "symbols": [{symbols}]}}"#))
}

/// The `i`th of many names that differ, and have no letter that identifiers can have.
fn odd(i: usize, letter: char) -> String {
    (0..20).map(|bit| if i >> bit & 1 == 1 { letter } else { '日' }).collect()
}

#[test]
fn large_schemas_are_written_and_read_soon() {
    let mut wrong = Vec::new();
    for (what, module) in modules() {
        for language in LANGUAGES.iter().filter(|language| language.info().writes) {
            let info = language.info();
            let start = Instant::now();
            let written = language.write(&module);
            let wrote = start.elapsed();
            let mut read = Ok(());
            if let (Ok(written), true) = (&written, info.reads) {
                let source = Source::new(&format!("a{}", info.extensions[0]), written.bytes.clone());
                read = language.read(&source, &MemoryFiles::none()).map(drop);
            }
            let taken = start.elapsed();
            if std::env::var_os("WIREWISE_TIMES").is_some() {
                let lost = written.as_ref().map(|written| written.lost.len());
                eprintln!("{what}, {}: {wrote:?}, {taken:?}, {:?}", info.name, lost.map_err(|e| e.to_string()));
            }
            if let Err(error) = read {
                wrong.push(format!("{what}, {}: {error}", info.name));
            }
            if taken > HANGS {
                wrong.push(format!("{what}, {}: {wrote:?} to write, {taken:?} in all", info.name));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn large_schemas_are_numbered_soon() {
    for (what, module) in modules() {
        let start = Instant::now();
        let first = Lock::default().apply(&module).unwrap();
        let text = first.lock.to_text();
        let again = Lock::parse(&Source::new("a.lock.json", text)).unwrap().apply(&module).unwrap();
        assert_eq!(again.changes, Vec::<String>::new(), "{what}");
        if std::env::var_os("WIREWISE_TIMES").is_some() {
            eprintln!("{what}: {:?}", start.elapsed());
        }
        assert!(start.elapsed() < HANGS, "{what}: {:?}", start.elapsed());
    }
}
