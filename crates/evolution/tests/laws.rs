//! Laws, on random schemas and random changes of them:
//!
//! * what is called compatible survives: random messages arrive with the values that were written;
//! * what is called incompatible has a witness.
//!
//! `WIREWISE_CASES=n` sets how many pairs each format gets.

use std::collections::BTreeMap;

use wirewise_core::{Arena, Document, Limits, Schema};
use wirewise_evolution::witness::Crossing;
use wirewise_evolution::{Direction, Engine, Level, Mode, Options, RULESETS, Ruleset, Version, check};
use wirewise_idl::Module;
use wirewise_testkit::{evolve, random};

fn cases() -> u64 {
    std::env::var("WIREWISE_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(300)
}

/// Random messages for each pair that is called compatible.
const MESSAGES: u64 = 20;

#[test]
fn verdicts_hold() {
    // The laws of rules about schema files are in json_schema_laws.rs.
    for ruleset in RULESETS.iter().filter(|ruleset| ruleset.engine == Engine::Types) {
        let mut tally = Tally::default();
        for seed in 0..cases() {
            let old = if seed % 2 == 0 { random::schema(seed) } else { random::wild_schema(seed) };
            if let Some(new) = evolve::changed(&old, seed) {
                pair(ruleset, seed, old, new, &mut tally);
            }
        }
        println!("{}: {tally:?}", ruleset.format);
        assert!(tally.survived > 0 && tally.proven > 0, "{}: the test tests nothing: {tally:?}", ruleset.format);
        // A few findings have no message that shows them: what is lost is zero or empty.
        let unproven: u64 = tally.unproven.values().map(|(count, ..)| count).sum();
        assert!(unproven * 20 < tally.proven, "{}: findings without a witness: {:?}", ruleset.format, tally.unproven);
    }
}

#[derive(Debug, Default)]
struct Tally {
    /// Messages that arrived.
    survived: u64,
    /// Findings with a witness.
    proven: u64,
    /// Findings without one, by rule, with the seed of one.
    unproven: BTreeMap<&'static str, (u64, u64, String)>,
}

fn pair(ruleset: &'static Ruleset, seed: u64, old: Schema, new: Schema, tally: &mut Tally) {
    let version = |name: &str, schema| Version { name: name.to_owned(), module: Module::of(schema), source: None };
    let (old, new) = (version("old", old), version("new", new));
    for (mode, direction) in [(Mode::Backward, Direction::Backward), (Mode::Forward, Direction::Forward)] {
        let (writer, reader) = match direction {
            Direction::Backward => (&old.module, &new.module),
            Direction::Forward => (&new.module, &old.module),
        };
        let roots = (writer.schema.root(), reader.schema.root());
        // What the format cannot express at all has no messages to test with.
        let Ok(mut crossing) = Crossing::new(ruleset, writer, reader, roots) else { continue };
        let options = Options { mode, level: Level::Wire, type_name: None };
        let verdict = check(ruleset, std::slice::from_ref(&old), &new, &options).unwrap();
        for finding in &verdict.findings {
            if finding.witness.is_some() {
                tally.proven += 1;
            } else {
                let entry = tally.unproven.entry(finding.rule.name).or_default();
                *entry = (entry.0 + 1, seed, format!("{direction:?} {}: {}", finding.path, finding.what));
            }
        }
        if !verdict.is_compatible() {
            continue;
        }
        let mut arena = Arena::new(Limits::default());
        // The schema that the codecs were made for: types that no message has are gone from it.
        let schema = crossing.writer().clone();
        for message in 0..MESSAGES {
            random::message(&schema, seed * MESSAGES + message, &mut arena);
            let document = Document::new(&schema, b"", &arena);
            match crossing.send(&document) {
                Ok(None) => tally.survived += 1,
                Ok(Some(witness)) => panic!(
                    "{}: seed {seed}, {direction:?}: called compatible, but: {witness:#?}\nold: {}\nnew: {}",
                    ruleset.format,
                    old.module.schema.to_text(),
                    new.module.schema.to_text()
                ),
                // The format cannot hold this message.
                Err(_) => {}
            }
        }
    }
}
