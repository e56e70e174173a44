//! What rules ask for, of a measurement and what was found in it.

use wirewise_measure::{DictionaryKind, Report, Side};

use crate::advise::{best, score};
use crate::candidates::{Candidate, Unit};
use crate::changes;
use crate::expr::Values;
use crate::money::Money;
use crate::rules::FACTS;
use crate::scenario::{Goal, Scenario};

/// A measurement that was looked at.
pub(crate) struct Looked<'a> {
    pub(crate) report: &'a Report,
    pub(crate) scenario: &'a Scenario,
    pub(crate) assumptions: &'a Values,
    pub(crate) all: &'a [Candidate],
    pub(crate) today: &'a Candidate,
    /// The choice and the runner-up, with their scores.
    pub(crate) found: Option<(&'a Candidate, f64)>,
    pub(crate) runner_up: Option<(&'a Candidate, f64)>,
}

/// Every fact of [`FACTS`].
pub(crate) fn facts(looked: &Looked<'_>, saving: f64, money: Option<&Money>) -> Values {
    let Looked { report, scenario, assumptions, all, today, found, runner_up } = *looked;
    let goal = scenario.goal;
    let truth = |is: bool| f64::from(u8::from(is));
    let choice = found.map(|(choice, _)| choice);
    let alone = changes::alone(all, today, goal, assumptions);
    let is_plain = |other: &&Candidate| other.id == today.id.split(", ").next().unwrap_or(&today.id);
    let is_brittle = |choice: &Candidate| choice.facts.is_some_and(|(_, variant)| !variant.evolves);
    let time = choice.map_or(0.0, |choice| score(choice, Goal::Time, assumptions));
    let work = choice.map_or(0.0, Candidate::work);
    let noise = choice.map_or(0.0, |choice| choice.variation() * work);
    let of_time = |part: f64| if time > 0.0 { part / time } else { 0.0 };
    let difference =
        found.zip(runner_up).map(|((_, best), (_, next))| if best > 0.0 { next / best - 1.0 } else { 0.0 });
    let dictionary = |kind| dictionary_saving(report, today, kind, scenario.unit);
    let facts = [
        ("messages", report.input.measured as f64),
        ("payloads", today.payloads as f64),
        ("today_bytes", today.bytes),
        ("plain_bytes", all.iter().find(is_plain).map_or(today.bytes, |plain| plain.bytes)),
        ("today_open", truth(today.is_open())),
        ("moves", truth(choice.is_some_and(|choice| choice.id != today.id))),
        ("brittle", truth(choice.is_some_and(is_brittle))),
        ("saving", saving),
        ("saving_year", money.map_or(0.0, |money| money.saving)),
        ("worth", scenario.load.worth),
        ("loaded", truth(money.is_some())),
        ("timed", truth(all.iter().any(|candidate| candidate.work() > 0.0))),
        ("work_share", of_time(work)),
        ("noise", if goal == Goal::Time { of_time(noise) } else { 0.0 }),
        ("difference", difference.map_or(1.0, f64::abs)),
        ("compression_saving", alone.compressor),
        ("format_saving", alone.format),
        ("shape_saving", alone.shape),
        ("dictionary_saving", dictionary(DictionaryKind::Trained)),
        ("previous_saving", dictionary(DictionaryKind::Previous)),
        ("grown", grown(report, today, scenario.unit)),
        ("lossy_saving", lossy_saving(looked, saving)),
        ("open", all.iter().filter(|candidate| candidate.is_open()).count() as f64),
    ];
    debug_assert!(facts.iter().map(|fact| fact.0).eq(FACTS.iter().map(|fact| fact.0)));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What is saved beyond the choice by what is only excluded because it loses values.
fn lossy_saving(looked: &Looked<'_>, saving: f64) -> f64 {
    let (goal, assumptions) = (looked.scenario.goal, looked.assumptions);
    let now = score(looked.today, goal, assumptions);
    let only_lossy = |other: &&Candidate| other.excluded.len() == 1 && other.excluded[0].starts_with("it loses");
    let found = best(looked.all.iter().filter(only_lossy), goal, assumptions);
    found.map_or(0.0, |(_, score)| if now > 0.0 { 1.0 - score / now - saving } else { 0.0 }).max(0.0)
}

/// The side of today's row.
fn side<'r>(report: &'r Report, today: &Candidate, unit: Unit) -> Option<&'r Side> {
    let row = report.rows.iter().find(|row| row.variant == today.variant && row.shape == today.shape)?;
    match unit {
        Unit::Single => row.single.side.as_ref(),
        Unit::Batch => row.batch.as_ref()?.side.as_ref(),
    }
}

/// What a dictionary saves in bytes, against the same compressor without one.
fn dictionary_saving(report: &Report, today: &Candidate, kind: DictionaryKind, unit: Unit) -> f64 {
    let Some(side) = side(report, today, unit) else { return 0.0 };
    let saved = side.dictionaries.iter().filter(|dictionary| dictionary.kind == kind && dictionary.without_bytes > 0);
    saved.map(|dictionary| 1.0 - dictionary.bytes as f64 / dictionary.without_bytes as f64).fold(0.0, f64::max)
}

/// The share of payloads that a compressor makes larger: today's, or else the first one.
fn grown(report: &Report, today: &Candidate, unit: Unit) -> f64 {
    let Some(side) = side(report, today, unit) else { return 0.0 };
    let same = side.compressed.iter().find(|compressed| Some(compressed.label()) == today.compressor);
    same.or(side.compressed.first()).map_or(0.0, |compressed| compressed.grown as f64 / side.payloads.max(1) as f64)
}
