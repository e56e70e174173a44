//! The question as people ask it: may this schema follow those?

use std::collections::HashMap;

use wirewise_core::TypeId;
use wirewise_idl::{Module, Place, Result, Source};

use crate::json_schema::{self, Pair};
use crate::mode::{Direction, Level, Mode};
use crate::rule::{Engine, Found, Rule, Ruleset};
use crate::walk::{path, walk};
use crate::witness::{Crossing, Outcome, Witness, search};

/// A version of a schema.
#[derive(Debug, Clone)]
pub struct Version {
    /// What it is called in verdicts: its file.
    pub name: String,
    /// Its types.
    pub module: Module,
    /// The file itself, for languages whose rules are about more than types.
    pub source: Option<Source>,
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// In which directions, and against how many versions.
    pub mode: Mode,
    /// How strictly.
    pub level: Level,
    /// The type of the messages, where it is not all of them.
    pub type_name: Option<String>,
}

/// The answer.
#[derive(Debug)]
pub struct Verdict {
    /// Everything that breaks, in the order of the versions, then of the schema.
    pub findings: Vec<Finding>,
    /// How many versions the new one was held against.
    pub versions: usize,
}

impl Verdict {
    /// Whether nothing breaks.
    pub fn is_compatible(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Something that breaks.
#[derive(Debug)]
pub struct Finding {
    /// The rule that says so.
    pub rule: &'static Rule,
    /// Who writes and who reads.
    pub direction: Direction,
    /// The older version that it is about.
    pub version: String,
    /// Where, in the writer's terms: `User.addresses[*].zip`.
    pub path: String,
    /// What is not as it should be, in a sentence.
    pub what: String,
    /// What would make it safe.
    pub fix: String,
    /// The place in the old schema.
    pub old: Option<Place>,
    /// The place in the new schema.
    pub new: Option<Place>,
    /// A message that shows it; `None` where no message can (it breaks source code, or JSON names), none was found, or
    /// none was searched for.
    pub witness: Option<Witness>,
    /// Whether a message was searched for: not for names and source code, and not when there are very many findings.
    pub searched: bool,
}

/// Findings of one direction and version for which a message is searched: each takes as long as messages are large.
const MOST_SEARCHED: usize = 250;

impl Finding {
    /// Who breaks, in words.
    pub fn who(&self) -> String {
        let (reader, messages) = match self.direction {
            Direction::Backward => ("the new schema", "messages written with the old schema"),
            Direction::Forward => ("the old schema", "messages written with the new schema"),
        };
        match (self.rule.level, &self.witness) {
            (Level::Json, _) => {
                "programs that exchange the JSON form of messages do not understand each other".to_owned()
            }
            (Level::Source, _) => "source code that uses the old schema's generated types must be changed".to_owned(),
            (_, Some(Witness { outcome: Outcome::Different { .. }, .. })) => {
                format!("readers with {reader} silently get different values from {messages}")
            }
            (_, Some(_)) => format!("readers with {reader} cannot read {messages}"),
            (_, None) => format!("readers with {reader} may not be able to read {messages}"),
        }
    }
}

/// Holds `new` against the last of `old`, or all of them where the mode is transitive.
///
/// # Errors
/// When there is no type of that name in one of them.
pub fn check(ruleset: &'static Ruleset, old: &[Version], new: &Version, options: &Options) -> Result<Verdict> {
    let from = if options.mode.is_transitive() { 0 } else { old.len().saturating_sub(1) };
    let mut verdict = Verdict { findings: Vec::new(), versions: old.len() - from };
    for version in &old[from..] {
        let first = verdict.findings.len();
        for &direction in options.mode.directions() {
            let (writer, reader) = match direction {
                Direction::Backward => (version, new),
                Direction::Forward => (new, version),
            };
            if ruleset.engine == Engine::Documents {
                let found =
                    documents(ruleset, &|level| level == Level::Wire, direction, version, (writer, reader), options)?;
                verdict.findings.extend(found);
                continue;
            }
            let types = types(&writer.module, &reader.module, options)?;
            let mut crossings = HashMap::new();
            let mut searches = 0;
            for found in walk(ruleset, &|level| level == Level::Wire, &writer.module, &reader.module, types) {
                let crossing = crossings.entry(found.roots).or_insert_with(|| {
                    Crossing::new(ruleset, &writer.module, &reader.module, found.roots)
                        .map_err(|error| error.to_string())
                });
                searches += 1;
                let searched = searches <= MOST_SEARCHED;
                let crossing = crossing.as_mut().ok().filter(|_| searched);
                let witness = crossing.and_then(|crossing| search(crossing, &found));
                let finding = finish(found, direction, version, (writer, reader), witness);
                verdict.findings.push(Finding { searched, ..finding });
            }
        }
        // What breaks names or source code is a matter of old and new, not of who writes.
        let above = |level: Level| level > Level::Wire && level <= options.level;
        if ruleset.engine == Engine::Documents {
            let found = documents(ruleset, &above, Direction::Backward, version, (version, new), options)?;
            verdict.findings.extend(found);
            sort(&mut verdict.findings[first..]);
            continue;
        }
        let types = types(&version.module, &new.module, options)?;
        for found in walk(ruleset, &above, &version.module, &new.module, types) {
            verdict.findings.push(finish(found, Direction::Backward, version, (version, new), None));
        }
        sort(&mut verdict.findings[first..]);
    }
    Ok(verdict)
}

/// What breaks most comes first, then the order of the file.
fn sort(findings: &mut [Finding]) {
    let place = |finding: &Finding| finding.old.clone().or_else(|| finding.new.clone());
    findings.sort_by_key(|found| (found.rule.level, found.direction, place(found)));
}

/// What rules about schema files find.
fn documents(
    ruleset: &'static Ruleset,
    level: &dyn Fn(Level) -> bool,
    direction: Direction,
    version: &Version,
    (writer, reader): (&Version, &Version),
    options: &Options,
) -> Result<Vec<Finding>> {
    let pair = Pair::new(&writer.module, &reader.module)?;
    let found = json_schema::find(ruleset, level, &pair, options.type_name.as_deref())?;
    let finding = |broken: json_schema::Broken| {
        let (old, new) = match direction {
            Direction::Backward => (broken.writer, broken.reader),
            Direction::Forward => (broken.reader, broken.writer),
        };
        Finding {
            rule: broken.rule,
            direction,
            version: version.name.clone(),
            path: broken.path,
            what: broken.what,
            fix: broken.fix,
            old: Some(old),
            new: Some(new),
            searched: broken.rule.level == Level::Wire,
            witness: broken.witness,
        }
    };
    Ok(found.into_iter().map(finding).collect())
}

fn types(writer: &Module, reader: &Module, options: &Options) -> Result<Option<(TypeId, TypeId)>> {
    options.type_name.as_deref().map(|name| Ok((writer.type_named(name)?, reader.type_named(name)?))).transpose()
}

fn finish(
    found: Found,
    direction: Direction,
    version: &Version,
    (writer, reader): (&Version, &Version),
    witness: Option<Witness>,
) -> Finding {
    let place = |version: &Version, element: Option<wirewise_idl::Element>| {
        element.and_then(|element| version.module.places.get(element)).cloned()
    };
    let (written, read) = (place(writer, found.writer), place(reader, found.reader));
    let (old, new) = match direction {
        Direction::Backward => (written, read),
        Direction::Forward => (read, written),
    };
    Finding {
        rule: found.rule,
        direction,
        version: version.name.clone(),
        path: path(&writer.module, found.roots.0, &found.trail),
        what: found.what,
        fix: found.fix,
        old,
        new,
        searched: witness.is_some(),
        witness,
    }
}
