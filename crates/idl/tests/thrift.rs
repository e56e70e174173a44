//! Thrift schemas: written, read back, and in the eyes of Apache Thrift.

mod thrift_schemas;

use wirewise_idl::{Language, MemoryFiles, Module, Source, find};

use thrift_schemas::decorated;

fn thrift() -> &'static dyn Language {
    find("thrift").unwrap()
}

fn read(text: &[u8]) -> Module {
    let source = Source::new("test.thrift", text);
    thrift()
        .read(&source, &MemoryFiles::none())
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(text)))
}

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(600)
}

#[test]
fn what_is_written_reads_back_the_same() {
    for seed in 0..cases() {
        let schema = decorated(seed);
        let written = thrift().write(&Module::of(schema.clone())).unwrap();
        let text = String::from_utf8_lossy(&written.bytes).into_owned();
        let module = read(&written.bytes);
        assert!(
            module.schema.to_text() == schema.to_text(),
            "seed {seed}: {text}\n{}",
            similar(&schema.to_text(), &module.schema.to_text())
        );
        assert_eq!(module.root, Some(module.schema.root()), "seed {seed}");
        let again = thrift().write(&module).unwrap();
        assert_eq!(String::from_utf8_lossy(&again.bytes), text, "seed {seed}");
    }
}

/// The lines that differ.
fn similar(a: &str, b: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (a.lines().collect(), b.lines().collect());
    let lost = a.iter().filter(|line| !b.contains(line)).map(|line| format!("- {line}"));
    let new = b.iter().filter(|line| !a.contains(line)).map(|line| format!("+ {line}"));
    lost.chain(new).collect::<Vec<_>>().join("\n")
}
