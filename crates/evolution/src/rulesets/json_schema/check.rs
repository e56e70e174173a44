//! A pair of schemas: what breaks, and documents that show it.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value as Json;
use wirewise_idl::json_schema::Documents;
use wirewise_idl::{Error, MemoryFiles, Module, Place, Result, Source};

use super::generate::{End, Maker, Pool, Random};
use super::judge::Judge;
use super::prove::{Found, Hop, Prover};
use super::sides::{Side, Sides, Spot};
use super::source;
use crate::mode::Level;
use crate::rule::{Rule, Ruleset};
use crate::witness::{Outcome, Witness};

/// Something that breaks.
pub(crate) struct Broken {
    pub(crate) rule: &'static Rule,
    pub(crate) path: String,
    pub(crate) what: String,
    pub(crate) fix: String,
    pub(crate) writer: Place,
    pub(crate) reader: Place,
    pub(crate) witness: Option<Witness>,
}

/// The files of a writer and a reader.
pub(crate) struct Pair {
    writer: Arc<Documents>,
    reader: Arc<Documents>,
}

impl Pair {
    /// # Errors
    /// When a module of another language cannot be written as JSON Schema.
    pub(crate) fn new(writer: &Module, reader: &Module) -> Result<Pair> {
        Ok(Pair { writer: documents(writer)?, reader: documents(reader)? })
    }
}

/// The files of a module; of another language's the JSON Schema that it would be written as.
pub(super) fn documents(module: &Module) -> Result<Arc<Documents>> {
    if let Some(documents) = &module.documents {
        return Ok(documents.clone());
    }
    let written = wirewise_idl::find("json-schema")?.write(module)?;
    let source = Source::new("(as JSON Schema)", written.bytes);
    Documents::load(&source, &MemoryFiles::none()).map(Arc::new)
}

/// How many documents are tried for one finding.
const TRIES: u64 = 400;

/// How many for all of a pair, before each further one gets fewer.
const MOST_TRIES: u64 = 20_000;

/// What breaks between a writer's schema and a reader's, of the rules of some levels.
///
/// # Errors
/// When one is no JSON Schema, or does not have the definition.
pub(crate) fn find(
    ruleset: &'static Ruleset,
    level: &dyn Fn(Level) -> bool,
    pair: &Pair,
    type_name: Option<&str>,
) -> Result<Vec<Broken>> {
    let sides = Sides::new(&pair.writer, &pair.reader)?;
    let roots = match type_name {
        Some(_) => vec![message(&sides, type_name)?],
        None => source::roots(&sides),
    };
    let rules: Vec<&'static Rule> = ruleset.rules.iter().filter(|rule| level(rule.level)).collect();
    let wire = level(Level::Wire);
    let pool = Pool::of(&sides);
    let (mut broken, mut tries) = (Vec::new(), 0);
    for (writer, reader) in roots {
        let mut prover = Prover::new(&sides, rules.clone());
        if !wire {
            source::walk(&mut prover, (writer, reader));
            broken.extend(prover.found.drain(..).map(|found| finish(found, None)));
            continue;
        }
        let ok = prover.compare(writer, reader);
        let exhausted = prover.is_exhausted();
        let mut found = std::mem::take(&mut prover.found);
        if !ok && found.is_empty() {
            found.push(undecided(ruleset, &sides, writer, reader, exhausted));
        }
        if found.is_empty() {
            continue;
        }
        // The same schema in two places breaks once.
        let mut seen = HashSet::new();
        found.retain(|found| {
            seen.insert((found.rule.name, found.writer.clone(), found.reader.clone(), found.what.clone()))
        });
        let judges = judges(pair, &sides, writer, reader)?;
        for found in found {
            let limit = if tries > MOST_TRIES { TRIES / 10 } else { TRIES };
            let witness = search(&sides, &pool, (writer, reader), &judges, &found, limit, &mut tries);
            broken.push(finish(found, witness));
        }
    }
    Ok(broken)
}

/// The schemas of one message.
fn message<'a>(sides: &Sides<'a>, type_name: Option<&str>) -> Result<(Spot<'a>, Spot<'a>)> {
    let one = |side: Side| {
        let root = sides.root(side);
        let Some(name) = type_name else { return Ok(root) };
        let titled = root.get("title").is_some_and(|title| title.node().as_str() == Some(name));
        let found = source::definition(root, name).or_else(|| titled.then_some(root));
        found.ok_or_else(|| Error::at(sides.place(root), format!("there is no definition {name:?}")))
    };
    Ok((one(Side::Writer)?, one(Side::Reader)?))
}

/// What is not proven, and no rule can say why: the schemas are too large, or too deep.
fn undecided<'a>(
    ruleset: &'static Ruleset,
    sides: &Sides<'a>,
    writer: Spot<'a>,
    reader: Spot<'a>,
    exhausted: bool,
) -> Found<'a> {
    let why = if exhausted {
        "they are too large to be compared"
    } else {
        "they are nested too deep, or refer to themselves"
    };
    Found {
        rule: ruleset
            .rules
            .iter()
            .find(|rule| rule.name == super::combined::UNDECIDED.name)
            .expect("it is one of them"),
        trail: Vec::new(),
        what: format!("it is not proven that readers take what was allowed: {why}"),
        fix: "change less at once, or make the schemas simpler".to_owned(),
        writer: sides.place(writer),
        reader: sides.place(reader),
        facts: super::facts::Facts::nothing(),
        provoke: Vec::new(),
    }
}

fn judges(pair: &Pair, sides: &Sides<'_>, writer: Spot<'_>, reader: Spot<'_>) -> Result<Option<[Judge; 2]>> {
    let whole = sides.root(Side::Writer).key() == writer.key() && sides.root(Side::Reader).key() == reader.key();
    if whole {
        return Ok(None);
    }
    Ok(Some([Judge::at(&pair.writer, writer.at)?, Judge::at(&pair.reader, reader.at)?]))
}

fn finish(found: Found<'_>, witness: Option<Witness>) -> Broken {
    Broken {
        rule: found.rule,
        path: path(&found.trail),
        what: found.what,
        fix: found.fix,
        writer: found.writer,
        reader: found.reader,
        witness,
    }
}

/// The way to a place, for people.
fn path(trail: &[Hop]) -> String {
    let mut path = "$".to_owned();
    for hop in trail {
        match hop {
            Hop::Property(name) if is_plain(name) => path.push_str(&format!(".{name}")),
            Hop::Property(name) => path.push_str(&format!("[{name:?}]")),
            Hop::AnyProperty(None) => path.push_str(".*"),
            Hop::AnyProperty(Some(pattern)) => path.push_str(&format!("[/{pattern}/]")),
            Hop::Item(place) => path.push_str(&format!("[{place}]")),
            Hop::AnyItem(_) => path.push_str("[*]"),
            Hop::Name => path.push_str(" (names)"),
        }
    }
    path
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// Looks for a document that is valid under the writer's schema and not under the reader's.
fn search<'a>(
    sides: &Sides<'a>,
    pool: &Pool,
    (writer, _): (Spot<'a>, Spot<'a>),
    judges: &Option<[Judge; 2]>,
    found: &Found<'a>,
    limit: u64,
    tries: &mut u64,
) -> Option<Witness> {
    let [valid, refused] = match judges {
        Some([writer, reader]) => [writer, reader],
        None => [sides.judge(Side::Writer), sides.judge(Side::Reader)],
    };
    let mut other: Option<(Json, super::judge::Problem)> = None;
    let provoked = found.provoke.iter().take(20).map(Some).chain(std::iter::repeat(None));
    for (seed, value) in (0..limit + found.provoke.len().min(20) as u64).zip(provoked) {
        *tries += 1;
        let mut maker = Maker { sides, pool, random: Random::new(seed), plain: seed < limit / 2 || value.is_some() };
        let end = End { facts: &found.facts, value };
        let Some(document) = maker.value(&[writer], &found.trail, Some(&end), 0) else { continue };
        if !valid.is_valid(&document) {
            continue;
        }
        let Some(problem) = refused.problem(&document) else { continue };
        if shows(&found.trail, &problem.path) {
            return Some(witness(&document, problem));
        }
        other.get_or_insert((document, problem));
    }
    other.map(|(document, problem)| witness(&document, problem))
}

/// Whether a problem is at the place of the finding, or in it.
fn shows(trail: &[Hop], path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    trail.iter().all(|hop| match (hop, parts.next()) {
        (Hop::Property(name), Some(part)) => part.replace("~1", "/").replace("~0", "~") == *name,
        (Hop::Item(place), Some(part)) => part == place.to_string(),
        (Hop::Name, _) => true,
        (_, Some(_)) => true,
        (_, None) => false,
    })
}

/// What shows that a document is refused.
pub(crate) fn witness(document: &Json, problem: super::judge::Problem) -> Witness {
    let message = document.to_string();
    let place = if problem.path.is_empty() { "the document".to_owned() } else { problem.path };
    Witness {
        bytes: message.clone().into_bytes(),
        message,
        variant: "json",
        outcome: Outcome::Refused { error: format!("{place}: {}", problem.what) },
    }
}

/// Recorded documents on their way from one schema to another.
pub struct Crossing {
    writer: Judge,
    reader: Judge,
}

impl Crossing {
    /// Documents of the roots of two schemas, or of the definition of that name.
    ///
    /// # Errors
    /// When one is no JSON Schema, or does not have the definition.
    pub fn new(writer: &Module, reader: &Module, type_name: Option<&str>) -> Result<Crossing> {
        let pair = Pair::new(writer, reader)?;
        let sides = Sides::new(&pair.writer, &pair.reader)?;
        let (from, to) = message(&sides, type_name)?;
        Ok(Crossing { writer: Judge::at(&pair.writer, from.at)?, reader: Judge::at(&pair.reader, to.at)? })
    }

    /// Whether the reader takes a document, which is JSON. `None`: it does. That a document is no document of the writer
    /// either is said, and makes no difference.
    pub fn send(&self, text: &[u8]) -> Option<Witness> {
        let document: Json = match serde_json::from_slice(text) {
            Ok(document) => document,
            Err(error) => {
                let problem = super::judge::Problem { path: String::new(), what: error.to_string() };
                return Some(witness(&Json::Null, problem));
            }
        };
        let mut problem = self.reader.problem(&document)?;
        if !self.writer.is_valid(&document) {
            problem.what.push_str(" (nor is it valid under the old schema)");
        }
        let shown = witness(&document, problem);
        // What was recorded is shown, as it is.
        let message = String::from_utf8_lossy(text).trim().to_owned();
        Some(Witness { bytes: message.clone().into_bytes(), message, ..shown })
    }
}
