//! Rules about schemas that are made of others.

use super::facts::{Facts, Kinds};
use super::keywords;
use super::number::same_json;
use super::prove::Asked;
use super::sides::{Draft, Spot};
use crate::mode::Level;
use crate::rule::{Check, Rule};

pub(super) const ANY_OF: Rule = Rule {
    name: "any-of",
    title: "Some branch of an anyOf takes every value that was written",
    level: Level::Wire,
    why: "Readers refuse a value that is valid under no branch of `anyOf`. Branches may be added and widened, but not removed \
          or narrowed.",
    check: Check::Documents(any_of),
};

fn any_of<'a>(at: &mut Asked<'_, 'a>) {
    if at.keyword("anyOf", Kinds::ALL).is_none() {
        return;
    }
    let branches: Vec<Spot<'a>> = at.reader.list("anyOf").iter().map(|node| at.reader.to(node)).collect();
    let takes = |at: &mut Asked<'_, 'a>, facts: &Facts<'a>| branches.iter().any(|branch| takes(at, facts, *branch));
    let Some(refused) = refused(at, takes) else { return };
    let possible = at.prover.possible_kinds(&refused).describe();
    let why = reason(at, &refused, &branches);
    let what = format!("no branch of \"anyOf\" is proven to take what was allowed ({possible}){why}");
    at.broken("anyOf", what, "keep a branch for what was allowed").facts(refused);
}

pub(super) const ONE_OF: Rule = Rule {
    name: "one-of",
    title: "Exactly one branch of a oneOf takes every value that was written",
    level: Level::Wire,
    why: "Readers refuse a value that is valid under no branch of `oneOf`, and also one that is valid under two of them. So \
          even a branch that is added or widened may break, if it overlaps with another.",
    check: Check::Documents(one_of),
};

fn one_of<'a>(at: &mut Asked<'_, 'a>) {
    if at.keyword("oneOf", Kinds::ALL).is_none() {
        return;
    }
    let branches: Vec<Spot<'a>> = at.reader.list("oneOf").iter().map(|node| at.reader.to(node)).collect();
    let takes = |at: &mut Asked<'_, 'a>, facts: &Facts<'a>| {
        (0..branches.len()).any(|place| {
            takes(at, facts, branches[place])
                && (0..branches.len()).all(|other| other == place || at.prover.excludes(facts, branches[other]))
        })
    };
    let Some(refused) = refused(at, takes) else { return };
    let possible = at.prover.possible_kinds(&refused).describe();
    let taken = branches.iter().filter(|branch| self::takes(at, &refused, **branch)).count();
    let why = reason(at, &refused, &branches);
    let what = match taken {
        0 => format!("no branch of \"oneOf\" is proven to take what was allowed ({possible}){why}"),
        1 => format!("a second branch of \"oneOf\" may take what was allowed ({possible}), too"),
        _ => format!("{taken} branches of \"oneOf\" take what was allowed ({possible}), and readers want exactly one"),
    };
    at.broken("oneOf", what, "keep one branch for what was allowed, and branches apart from each other").facts(refused);
}

/// Whether a schema holds for all that the facts allow.
fn takes<'a>(at: &mut Asked<'_, 'a>, facts: &Facts<'a>, schema: Spot<'a>) -> bool {
    at.prover.fails(|prover| prover.implies(facts, schema)).is_none()
}

/// Why the only branch that could take it does not.
fn reason<'a>(at: &mut Asked<'_, 'a>, facts: &Facts<'a>, branches: &[Spot<'a>]) -> String {
    let mut fitting = branches.iter().filter(|branch| Kinds::of_type(**branch).has(facts.kinds));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => {
            let inner = at.prover.fails(|prover| prover.implies(facts, *only)).flatten();
            inner.map_or_else(String::new, |inner| format!(": {}", inner.what))
        }
        _ => String::new(),
    }
}

/// The values that are not taken: all together, or by kind, so that each kind may be taken by another branch.
fn refused<'a>(
    at: &mut Asked<'_, 'a>,
    mut takes: impl FnMut(&mut Asked<'_, 'a>, &Facts<'a>) -> bool,
) -> Option<Facts<'a>> {
    if takes(at, at.facts) {
        return None;
    }
    let each: Vec<Kinds> = at.facts.kinds.each().collect();
    for kind in each {
        let facts = at.facts.only(kind);
        if at.prover.is_empty(&facts) || takes(at, &facts) {
            continue;
        }
        // Of few values each is looked at by itself.
        if let Some(values) = facts.values(at.sides())
            && values.iter().all(|value| at.sides().valid(at.reader, value))
        {
            continue;
        }
        return Some(facts);
    }
    None
}

pub(super) const NOT: Rule = Rule {
    name: "not",
    title: "What is forbidden was forbidden before",
    level: Level::Wire,
    why: "Readers refuse what is valid under `not`. The schema in it may be narrowed, which allows more. It is compared with \
          what the old schema allows as far as that can be decided.",
    check: Check::Documents(not),
};

fn not(at: &mut Asked<'_, '_>) {
    let Some(schema) = at.keyword("not", Kinds::ALL) else { return };
    if at.prover.excludes(at.facts, schema) {
        return;
    }
    let what = "it is not proven that what readers forbid with \"not\" was forbidden before";
    let mut facts = at.facts.clone();
    // Values that are valid under what is forbidden show it.
    if let Some(way) = at.sides().ways(&facts, &[schema]).into_iter().next() {
        facts = way;
    }
    at.broken("not", what, "leave \"not\" as it was, or forbid less").facts(facts);
}

pub(super) const CONDITION: Rule = Rule {
    name: "if-then-else",
    title: "What follows a condition was so before",
    level: Level::Wire,
    why: "Readers refuse what is valid under `if` and not under `then`, or neither under `if` nor `else`.",
    check: Check::Documents(condition),
};

fn condition(at: &mut Asked<'_, '_>) {
    let Some(condition) = at.keyword("if", Kinds::ALL) else { return };
    let then = at.reader.get("then").map(|then| (then, at.sides().ways(at.facts, &[condition]), "then"));
    let mut facts = at.facts.clone();
    facts.not.push(condition);
    let otherwise = at.reader.get("else").map(|otherwise| (otherwise, vec![facts], "else"));
    for (schema, ways, keyword) in then.into_iter().chain(otherwise) {
        for way in ways {
            if let Some(inner) = at.prover.fails(|prover| prover.implies(&way, schema)) {
                let what = format!("{keyword:?} may refuse what was allowed: {}", Asked::inner(&inner));
                at.broken(keyword, what, "leave the condition out").facts(way);
                break;
            }
        }
    }
}

pub(super) const UNKNOWN: Rule = Rule {
    name: "unknown-keyword",
    title: "A keyword that is not known here stays the same",
    level: Level::Wire,
    why: "A keyword of an extension, or a misspelt one, may mean something to some validator. As nothing is known of it, a \
          change of it is not proven safe. Names that begin with `x-` are taken for notes, which restrict nothing.",
    check: Check::Documents(unknown),
};

fn unknown(at: &mut Asked<'_, '_>) {
    let Some(object) = at.reader.object() else { return };
    let draft = at.draft();
    for member in object.members() {
        let name = member.name.as_str();
        let elsewhere = ["contentEncoding", "contentMediaType"].contains(&name);
        if keywords::is_known(name, draft) || keywords::says_nothing(name, draft) || elsewhere {
            continue;
        }
        let value = member.value.to_json();
        if at.facts.with(name).any(|(_, written)| same_json(&written.node().to_json(), &value)) {
            continue;
        }
        let what = format!("{name:?} is no keyword of JSON Schema, and new or changed: what it refuses is not known");
        at.broken(name, what, "leave it as it was; if it is a note, begin its name with \"x-\"");
    }
}

pub(super) const UNDECIDED: Rule = Rule {
    name: "undecided",
    title: "What schemas say can be followed",
    level: Level::Wire,
    why: "What a `$dynamicRef` with several anchors of its name, or a `$recursiveRef`, leads to depends on the schemas that \
          led there, which is not followed. And comparing schemas with very many alternatives is given up at some point. \
          What was not compared is not proven safe.",
    check: Check::Documents(dynamic),
};

fn dynamic(at: &mut Asked<'_, '_>) {
    let Some(object) = at.reader.object() else { return };
    if at.draft() == Draft::Draft07 {
        return;
    }
    for keyword in ["$dynamicRef", "$recursiveRef"] {
        if object.get(keyword).is_some_and(|reference| reference.as_str().is_some())
            && at.sides().is_dynamic(at.reader.side)
        {
            let what = format!("what {keyword:?} leads to depends on the way to it, which is not followed");
            at.broken(keyword, what, "refer with \"$ref\"");
        }
    }
}
