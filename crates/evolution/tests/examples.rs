//! Every rule has an example, and the documentation is made from them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use wirewise_evolution::{Finding, Level, Mode, Options, Outcome, RULESETS, Rule, Ruleset, Version, check};
use wirewise_idl::{MemoryFiles, Source};
use wirewise_testkit::root;

fn folder(ruleset: &Ruleset) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(ruleset.format)
}

/// A version of an example. It is called `previous/schema.proto`, as people would.
fn version(ruleset: &Ruleset, rule: &str, which: &str) -> Version {
    let file = format!("schema.{}", ruleset.extension);
    let path = folder(ruleset).join(rule).join(which).join(&file);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let source = Source::new(&format!("{which}/{file}"), bytes);
    let module = wirewise_idl::read(&source, &MemoryFiles::none()).unwrap_or_else(|error| panic!("{rule}: {error}"));
    Version { name: source.name.to_string(), module, source: Some(source) }
}

/// What is found in the example of a rule: the least mode and level that show it.
fn findings(ruleset: &'static Ruleset, rule: &Rule) -> Vec<Finding> {
    let (old, new) = (version(ruleset, rule.name, "previous"), version(ruleset, rule.name, "current"));
    let options = Options { mode: Mode::Full, level: rule.level, type_name: None };
    check(ruleset, &[old], &new, &options).unwrap().findings
}

#[test]
fn every_rule_has_an_example_that_breaks_it() {
    for ruleset in RULESETS {
        for rule in ruleset.rules {
            let found = findings(ruleset, rule);
            let own: Vec<&Finding> = found.iter().filter(|finding| finding.rule.name == rule.name).collect();
            assert!(!own.is_empty(), "{}/{} is not broken by its example: {found:#?}", ruleset.format, rule.name);
            for finding in own {
                let shown = finding.witness.is_some();
                assert_eq!(shown, rule.level == Level::Wire, "{}/{}: {finding:#?}", ruleset.format, rule.name);
                assert!(
                    finding.old.is_some() && finding.new.is_some() || rule.name.contains("removed"),
                    "{finding:#?}"
                );
            }
        }
    }
}

#[test]
fn every_example_is_of_a_rule() {
    for ruleset in RULESETS {
        let rules: BTreeSet<String> = ruleset.rules.iter().map(|rule| rule.name.to_owned()).collect();
        assert_eq!(rules.len(), ruleset.rules.len(), "{}: two rules have one name", ruleset.format);
        let folders = fs::read_dir(folder(ruleset)).unwrap().map(|entry| entry.unwrap().file_name());
        let folders: BTreeSet<String> = folders.map(|name| name.into_string().unwrap()).collect();
        assert_eq!(folders, rules, "{}", ruleset.format);
    }
}

#[test]
fn the_documentation_is_made_from_the_rules() {
    let path = root().join("docs/evolution-rules.md");
    let text = documentation();
    if std::env::var_os("WIREWISE_REWRITE").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "docs/evolution-rules.md is not what the rules say: WIREWISE_REWRITE=1 writes it again");
}

fn documentation() -> String {
    let mut out = String::from(
        "# Rules of schema evolution\n\n\
         What `wirewise schema check` asks, rule by rule. This page is made from the rules and their examples, which lie in\n\
         `crates/evolution/rules`; the verdicts and messages in it are what the tool finds.\n\n\
         A rule of the level *wire* is about messages as bytes, *json* about their JSON form, *source* about source code that uses\n\
         generated types. `--level` chooses how many count. A reader with a schema that breaks a rule of the level wire cannot read\n\
         a message, or gets other values from it: for those the message is shown.\n",
    );
    for ruleset in RULESETS {
        let _ = write!(out, "\n## {}\n\n| rule | level | |\n|---|---|---|\n", ruleset.title);
        for rule in ruleset.rules {
            let anchor = format!("{}-{}", ruleset.format, rule.name);
            let _ = writeln!(out, "| [`{}`](#{anchor}) | {} | {} |", rule.name, rule.level.name(), rule.title);
        }
        for rule in ruleset.rules {
            document(ruleset, rule, &mut out);
        }
    }
    out
}

fn document(ruleset: &'static Ruleset, rule: &Rule, out: &mut String) {
    let _ = write!(out, "\n### {} {}\n\n{}. {}\n\n", ruleset.format, rule.name, rule.title, rule.why);
    for which in ["previous", "current"] {
        let source = version(ruleset, rule.name, which).source.unwrap();
        let text = String::from_utf8(source.bytes.to_vec()).unwrap();
        let _ = write!(out, "`{}`\n\n```{}\n{}\n```\n\n", source.name, ruleset.extension, text.trim_end());
    }
    let found = findings(ruleset, rule);
    let finding = found.iter().find(|finding| finding.rule.name == rule.name).expect("another test checks it");
    let _ = writeln!(out, "{}: {}. Safe: {}.", sentence(&finding.who()), finding.what, finding.fix);
    if let Some(witness) = &finding.witness {
        let got = match &witness.outcome {
            Outcome::Refused { error } => format!("is refused: {error}"),
            Outcome::Different { read, .. } => format!("is read as `{read}`"),
        };
        let _ = writeln!(out, "The message `{}` {got}.", witness.message);
    }
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().collect::<String>() + chars.as_str()).unwrap_or_default()
}
