//! A language is its folder, one line of registration, and its fuzz target.

use std::collections::BTreeSet;
use std::fs;

use wirewise_idl::LANGUAGES;

#[test]
fn every_language_that_reads_is_fuzzed() {
    let folder = wirewise_testkit::root().join("fuzz/fuzz_targets");
    let mut fuzzed = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        fuzzed += text.split("wirewise_fuzz::language(&[").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or("");
    }
    for info in LANGUAGES.iter().map(|language| language.info()).filter(|info| info.reads) {
        assert!(fuzzed.contains(&format!("\"{}\"", info.name)), "{} has no fuzz target: see fuzz/README.md", info.name);
    }
}

#[test]
fn names_are_unique_and_explained() {
    let mut names = BTreeSet::new();
    for info in LANGUAGES.iter().map(|language| language.info()) {
        for name in info.aliases.iter().chain([&info.name]) {
            assert!(names.insert(*name), "{name} stands for two languages");
        }
        assert!(info.extensions.iter().all(|extension| extension.starts_with('.')), "{}", info.name);
        assert!(info.specification.contains("http") || info.specification.starts_with("docs/"), "{}", info.name);
    }
}
