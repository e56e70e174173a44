//! What is said of a measurement, as data: when, what, and why.

use std::fmt::Write;

use serde::Serialize;

use crate::expr::{Expr, Values};

/// What is said when something is so.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// What kind of thing it says.
    pub kind: RuleKind,
    /// When it says it: an expression over [`FACTS`].
    pub when: &'static str,
    /// What it says. A fact in braces is its value; `{saving:%}` as a percentage.
    pub says: &'static str,
    /// Why it is a rule.
    pub why: &'static str,
}

/// Kinds of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RuleKind {
    /// Speaks against any change: what is used today stays.
    Keep,
    /// Speaks for something that can be done.
    Hint,
    /// Limits what can be concluded from the data.
    Caution,
}

/// The differences up to which two candidates are as good as each other: the one that is less effort is taken.
pub const SAME: f64 = 0.05;

/// A saving below which no change is worth it.
pub const WORTH: f64 = 0.10;

/// What rules may ask for, with its meaning. Savings are shares of what is used today, by the goal's measure; truth is 1.
pub const FACTS: &[(&str, &str)] = &[
    ("messages", "messages that were measured"),
    ("payloads", "payloads that the sizes are about"),
    ("today_bytes", "bytes of a payload today, compressor included"),
    ("plain_bytes", "bytes of a payload today without its compressor"),
    ("today_open", "whether what is used today fulfils all constraints"),
    ("moves", "whether the best choice is another than what is used today"),
    ("brittle", "whether the best choice breaks readers when the schema changes"),
    ("saving", "share that the best choice saves"),
    ("saving_year", "money that it saves a year; 0 without a load"),
    ("worth", "money a year below which no change is worth it"),
    ("loaded", "whether a load was given, so that costs are known"),
    ("timed", "whether times were measured"),
    ("work_share", "share of processor time in the time of the best choice"),
    ("noise", "spread of the times of the best choice, as a share of its time"),
    ("difference", "how much worse the runner-up is, as a share of the best; 1 when there is none"),
    ("compression_saving", "share that a compressor alone saves"),
    ("format_saving", "share that another format or variant alone saves, with the compressor of today"),
    ("shape_saving", "share that shapes alone save, with the format and compressor of today"),
    ("dictionary_saving", "share that a trained dictionary saves, against the same compressor without one"),
    ("previous_saving", "share of bytes that the payload before saves as a dictionary, for receivers that poll"),
    ("grown", "share of payloads that the compressor of today's format makes larger"),
    ("lossy_saving", "share that a candidate saves which is only excluded because it loses values"),
    ("open", "candidates that can be chosen"),
];

/// All rules, in the order in which they are said. What the measurement itself warns of (one message, few of them, a busy
/// machine) stands in its report.
pub static RULES: &[Rule] = &[
    Rule {
        name: "nothing-is-left",
        kind: RuleKind::Keep,
        when: "open == 0",
        says: "nothing that was measured fulfils all constraints: give up one of them",
        why: "a choice that breaks a constraint would be no answer",
    },
    Rule {
        name: "not-worth-it",
        kind: RuleKind::Keep,
        when: "open > 0 && moves && today_open && saving < 0.1",
        says: "not worth it: the best choice saves {saving:%}",
        why: "a change of format costs days of work in every service; data, load and prices will have changed by more than \
              a tenth when it is done",
    },
    Rule {
        name: "too-little-money",
        kind: RuleKind::Keep,
        when: "open > 0 && moves && today_open && loaded && saving >= 0.1 && saving_year < worth",
        says: "not worth it: the best choice saves {saving_year} a year, and {worth} is the least that is worth a change",
        why: "a large share of a small bill is little money",
    },
    Rule {
        name: "compress-first",
        kind: RuleKind::Hint,
        when: "compression_saving >= 0.1 && compression_saving > format_saving",
        says: "a compressor alone saves {compression_saving:%}, another format alone {format_saving:%}: turn on the compressor \
               first",
        why: "it is a setting of servers, and needs no change of any program",
    },
    Rule {
        name: "shapes-before-formats",
        kind: RuleKind::Hint,
        when: "shape_saving >= 0.1 && shape_saving > format_saving",
        says: "the form of the values matters more than the format: shapes alone save {shape_saving:%}, another format alone \
               {format_saving:%}",
        why: "text that stands for numbers stays large in every format",
    },
    Rule {
        name: "small-messages-grow",
        kind: RuleKind::Hint,
        when: "grown >= 0.5",
        says: "{grown:%} of the payloads are larger after the compressor: they are too small for it",
        why: "a compressor adds a header, and finds nothing to repeat in a small message",
    },
    Rule {
        name: "train-a-dictionary",
        kind: RuleKind::Hint,
        when: "dictionary_saving >= 0.1",
        says: "a trained dictionary saves {dictionary_saving:%} against the same compressor without one: \
               `wirewise dictionary train` makes it",
        why: "a dictionary knows what small messages have in common",
    },
    Rule {
        name: "send-differences",
        kind: RuleKind::Hint,
        when: "previous_saving >= 0.3",
        says: "receivers that have the payload before would need {previous_saving:%} fewer bytes with it as a dictionary",
        why: "what is polled changes little from one time to the next",
    },
    Rule {
        name: "losses-have-a-price",
        kind: RuleKind::Hint,
        when: "lossy_saving >= 0.1",
        says: "what loses values would save {lossy_saving:%}: look whether the table's losses matter to you",
        why: "whether a null may become absent is for people to say",
    },
    Rule {
        name: "breaks-readers",
        kind: RuleKind::Caution,
        when: "brittle",
        says: "readers of the choice break when a field is added or removed; --need evolution asks for one whose readers do not",
        why: "positional arrays and bare Avro values say nothing of the schema that they were written with",
    },
    Rule {
        name: "within-the-noise",
        kind: RuleKind::Caution,
        when: "timed && open > 1 && noise > difference",
        says: "choice and runner-up differ by {difference:%}, and the times by {noise:%} from one run to the next: take either",
        why: "a difference that is smaller than the noise is none",
    },
    Rule {
        name: "not-timed",
        kind: RuleKind::Caution,
        when: "!timed",
        says: "no times were measured: processor time counts as nothing here",
        why: "--time 0 measures sizes only",
    },
    Rule {
        name: "times-are-ours",
        kind: RuleKind::Caution,
        when: "timed && work_share > 0.25",
        says: "{work_share:%} of the time that the choice takes is processor time of the wirewise engine: libraries of your languages differ, by two \
               to fifty times",
        why: "sizes are facts of a format, times are facts of a library",
    },
];

/// What a rule said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Name of the rule.
    pub rule: &'static str,
    /// Its kind.
    pub kind: RuleKind,
    /// What it said.
    pub text: String,
}

/// What the rules say of these facts.
///
/// # Panics
/// When a rule asks for a fact that is not there: tests hold all of them against [`FACTS`].
pub(crate) fn findings(facts: &Values) -> Vec<Finding> {
    let holds = |rule: &&Rule| {
        let expr = Expr::parse(rule.when).expect("every rule is tested");
        expr.value(facts).unwrap_or_else(|error| panic!("{}: {error}", rule.name)) != 0.0
    };
    let said = RULES.iter().filter(holds);
    said.map(|rule| Finding { rule: rule.name, kind: rule.kind, text: fill(rule.says, facts) }).collect()
}

/// Puts facts into a text.
fn fill(text: &str, facts: &Values) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let (name, percent) = name.strip_suffix(":%").map_or((name, false), |name| (name, true));
        let value = facts.get(name).copied().unwrap_or(f64::NAN);
        // Writing to a String cannot fail.
        let _ = match percent {
            true if value.abs() < 0.0995 => write!(out, "{:.1}%", value * 100.0),
            true => write!(out, "{:.0}%", value * 100.0),
            false => write!(out, "{value:.0}"),
        };
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(set: &[(&str, f64)]) -> Values {
        let mut facts: Values = FACTS.iter().map(|(name, _)| ((*name).to_owned(), 0.0)).collect();
        facts.extend(
            [
                ("messages", 1000.0),
                ("open", 5.0),
                ("saving", 0.5),
                ("moves", 1.0),
                ("today_open", 1.0),
                ("difference", 1.0),
                ("timed", 1.0),
            ]
            .map(own),
        );
        facts.extend(set.iter().copied().map(own));
        facts
    }

    fn own((name, value): (&str, f64)) -> (String, f64) {
        (name.to_owned(), value)
    }

    #[test]
    fn rules_ask_for_facts_that_there_are() {
        for rule in RULES {
            let expr = Expr::parse(rule.when).unwrap_or_else(|error| panic!("{}: {error}", rule.name));
            let braces = rule.says.split('{').skip(1).map(|part| part.split(['}', ':']).next().unwrap());
            for name in expr.names().into_iter().chain(braces) {
                assert!(FACTS.iter().any(|(known, _)| *known == name), "{}: {name}", rule.name);
            }
        }
        let names: std::collections::BTreeSet<_> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), RULES.len());
    }

    /// For every rule a case that it speaks in, and one close by that it does not.
    #[test]
    fn every_rule_has_cases() {
        type Case<'a> = (&'a str, &'a [(&'a str, f64)], &'a [(&'a str, f64)]);
        let cases: &[Case<'_>] = &[
            ("nothing-is-left", &[("open", 0.0)], &[]),
            ("not-worth-it", &[("saving", 0.09)], &[("saving", 0.1)]),
            (
                "too-little-money",
                &[("loaded", 1.0), ("saving_year", 900.0), ("worth", 1000.0)],
                &[("loaded", 1.0), ("saving_year", 1000.0), ("worth", 1000.0)],
            ),
            (
                "compress-first",
                &[("compression_saving", 0.6), ("format_saving", 0.5)],
                &[("compression_saving", 0.5), ("format_saving", 0.6)],
            ),
            (
                "shapes-before-formats",
                &[("shape_saving", 0.3), ("format_saving", 0.2)],
                &[("shape_saving", 0.09), ("format_saving", 0.01)],
            ),
            ("small-messages-grow", &[("grown", 0.5)], &[("grown", 0.4)]),
            ("train-a-dictionary", &[("dictionary_saving", 0.2)], &[("dictionary_saving", 0.05)]),
            ("send-differences", &[("previous_saving", 0.9)], &[("previous_saving", 0.2)]),
            ("losses-have-a-price", &[("lossy_saving", 0.1)], &[]),
            ("breaks-readers", &[("brittle", 1.0)], &[]),
            ("within-the-noise", &[("noise", 0.2), ("difference", 0.1)], &[("noise", 0.1), ("difference", 0.2)]),
            ("not-timed", &[("timed", 0.0)], &[]),
            ("times-are-ours", &[("work_share", 0.3)], &[("work_share", 0.2)]),
        ];
        let names: Vec<&str> = cases.iter().map(|case| case.0).collect();
        assert_eq!(names, RULES.iter().map(|rule| rule.name).collect::<Vec<_>>());
        for (name, speaks, silent) in cases {
            let said = |set: &[(&str, f64)]| findings(&facts(set)).iter().any(|finding| finding.rule == *name);
            assert!(said(speaks), "{name} is silent");
            assert!(!said(silent), "{name} speaks");
        }
    }

    #[test]
    fn texts_have_the_numbers() {
        let said = findings(&facts(&[("saving", 0.034)]));
        assert_eq!(said[0].text, "not worth it: the best choice saves 3.4%");
    }
}
