//! Rules about strings.

use super::facts::Kinds;
use super::number::count;
use super::prove::Asked;
use super::sides::Draft;
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const MIN_LENGTH: Rule = Rule {
    name: "min-length",
    title: "The least length of a string does not grow",
    level: Level::Wire,
    why: "Readers refuse strings of fewer characters than `minLength`.",
    check: Check::Documents(|at| least(at, "minLength", Kinds::STRING, "characters")),
};

pub(super) const MAX_LENGTH: Rule = Rule {
    name: "max-length",
    title: "The greatest length of a string does not shrink",
    level: Level::Wire,
    why: "Readers refuse strings of more characters than `maxLength`.",
    check: Check::Documents(|at| most(at, "maxLength", Kinds::STRING, "characters", u64::MAX)),
};

/// A keyword with the least number of something: the writer's must not be smaller.
pub(super) fn least(at: &mut Asked<'_, '_>, keyword: &str, kinds: Kinds, of: &str) {
    least_known(at, keyword, kinds, of, 0);
}

/// The same, where the writer's is known to be at least `known`.
pub(super) fn least_known(at: &mut Asked<'_, '_>, keyword: &str, kinds: Kinds, of: &str, known: u64) {
    let Some(read) = at.keyword(keyword, kinds).and_then(|value| count(value.node())) else { return };
    let written = at.facts.at_least(keyword).max(known);
    if written < read && !at.holds_for_all_values(keyword) {
        let what = format!("{written} {of} are enough, and readers want at least {read}");
        let facts = at.facts.only(kinds);
        at.broken(keyword, what, format!("keep {keyword:?} at {written}")).facts(facts);
    }
}

/// A keyword with the greatest number of something: the writer's must not be greater.
pub(super) fn most(at: &mut Asked<'_, '_>, keyword: &str, kinds: Kinds, of: &str, known: u64) {
    let Some(read) = at.keyword(keyword, kinds).and_then(|value| count(value.node())) else { return };
    let written = at.facts.at_most(keyword).min(known);
    if written > read && !at.holds_for_all_values(keyword) {
        let was = if written == u64::MAX { "any number of".to_owned() } else { format!("up to {written}") };
        let what = format!("{was} {of} are allowed, and readers take at most {read}");
        let fix = if written == u64::MAX {
            format!("leave {keyword:?} out")
        } else {
            format!("keep {keyword:?} at {written}")
        };
        let facts = at.facts.only(kinds);
        at.broken(keyword, what, fix).facts(facts);
    }
}

pub(super) const PATTERN: Rule = Rule {
    name: "pattern",
    title: "The pattern of a string stays the same, or goes",
    level: Level::Wire,
    why: "Readers refuse strings without a match of the `pattern`. Whether all that matches one pattern matches another is \
          not decided here: a pattern that differs is not proven safe. The message shows it, where one is found.",
    check: Check::Documents(pattern),
};

/// Patterns that match everything.
const ANYTHING: [&str; 5] = ["", ".*", "^", "$", "^.*"];

fn pattern(at: &mut Asked<'_, '_>) {
    let Some(read) = at.keyword("pattern", Kinds::STRING).and_then(|pattern| pattern.node().as_str()) else { return };
    let written: Vec<&str> = at.facts.with("pattern").filter_map(|(_, pattern)| pattern.node().as_str()).collect();
    if ANYTHING.contains(&read) || written.contains(&read) || at.holds_for_all_values("pattern") {
        return;
    }
    let what = match written.first() {
        Some(written) => {
            format!("strings match {written:?}, of which it is not proven that they match {read:?}, as readers want")
        }
        None => format!("any string is allowed, and readers take only those that match {read:?}"),
    };
    let facts = at.facts.only(Kinds::STRING);
    at.broken("pattern", what, "keep the pattern, or leave it out").facts(facts);
}

pub(super) const CONTENT: Rule = Rule {
    name: "content",
    title: "In draft-07 the encoding and media type of a string stay the same, or go",
    level: Level::Wire,
    why: "Validators of draft-07 may refuse strings that are not what `contentEncoding` and `contentMediaType` say. Later \
          drafts made them notes that refuse nothing.",
    check: Check::Documents(content),
};

fn content(at: &mut Asked<'_, '_>) {
    if at.draft() > Draft::Draft07 {
        return;
    }
    let text = |spot: super::sides::Spot<'_>, keyword| {
        spot.get(keyword).and_then(|value| value.node().as_str().map(str::to_owned))
    };
    let both = |spot| ["contentEncoding", "contentMediaType"].map(|keyword| text(spot, keyword));
    let read = both(at.reader);
    if !at.facts.kinds.has(Kinds::STRING) || read == [const { None }; 2] {
        return;
    }
    if at.facts.layers.iter().any(|layer| at.sides().draft(*layer) == Draft::Draft07 && both(*layer) == read) {
        return;
    }
    let keyword = if read[0].is_some() { "contentEncoding" } else { "contentMediaType" };
    let say = read.into_iter().flatten().collect::<Vec<_>>().join(" of ");
    let facts = at.facts.only(Kinds::STRING);
    at.broken(
        keyword,
        format!("strings need not be {say}, and readers may refuse those that are not"),
        "keep what it was",
    )
    .facts(facts)
    .provoke(["{", "%", "=", "text"].map(serde_json::Value::from));
}

pub(super) const FORMAT: Rule = Rule {
    name: "format",
    title: "The format of a string stays the same, or goes",
    level: Level::Json,
    why: "`format` is a note: by the specification validators refuse nothing because of it, unless they are told to. Where \
          they are, a format that is added or changed refuses what was written before.",
    check: Check::Documents(format),
};

fn format(at: &mut Asked<'_, '_>) {
    let Some(keyword) = super::source::read(at, "format") else { return };
    let Some(read) = keyword.node().as_str() else { return };
    if at.facts.with("format").any(|(_, format)| format.node().as_str() == Some(read)) {
        return;
    }
    let what = format!("values need not have the format {read:?}, and validators that assert formats refuse others");
    at.broken("format", what, "keep the format that it was, or leave it out").reader(keyword);
}
