//! The recommendation.

use serde::Serialize;
use wirewise_core::{Error, ErrorKind, Result};
use wirewise_measure::Report;

use crate::candidates::{Candidate, Unit, candidates};
use crate::changes::{self, Change};
use crate::effort::effort;
use crate::expr::Values;
use crate::facts::{self, Looked};
use crate::formulas::{self, FORMULAS, Formula};
use crate::links::{Link, Segment, envelope};
use crate::money::{self, Money};

use crate::prices::Prices;
use crate::rules::{self, Finding, RuleKind, SAME};
use crate::scenario::{Assumption, Goal, Scenario};

/// What is used today, unless it is said.
const TODAY: &str = "json";

/// A recommendation, with everything that it was made from.
#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    /// Whether payloads are messages or batches.
    pub unit: Unit,
    /// What counts.
    pub goal: Goal,
    /// Whether times were measured.
    pub timed: bool,
    /// Names of the needs that were given.
    pub needs: Vec<&'static str>,
    /// Languages that must have a library.
    pub languages: Vec<String>,
    /// Seconds that must be kept, from end to end.
    pub latency: Option<f64>,
    /// All numbers that were not measured.
    pub assumptions: Vec<Assumption>,
    /// The prices, with their date and source.
    pub prices: Prices,
    /// How everything is computed.
    pub formulas: &'static [Formula],
    /// Every candidate, in the order of the report.
    pub candidates: Vec<Candidate>,
    /// The id of the candidate that is used today.
    pub today: String,
    /// Whether that was assumed.
    pub today_is_assumed: bool,
    /// What to do.
    pub verdict: Verdict,
    /// The best candidate, if any can be chosen: what is used today when nothing else is better.
    pub choice: Option<String>,
    /// The next best one of another variant, shaping, compressor or dictionary.
    pub runner_up: Option<String>,
    /// Share that the choice saves of what is used today, by the goal's measure.
    pub saving: f64,
    /// What would change the choice.
    pub would_change: Vec<Flip>,
    /// Up to three changes, in order of effort, which together lead to the choice or close to it.
    pub changes: Vec<Change>,
    /// The best candidate for each link.
    pub links: Vec<LinkAdvice>,
    /// Which candidate is the fastest at which bandwidth.
    pub segments: Vec<Segment>,
    /// Costs, when there is a load.
    pub money: Option<Money>,
    /// What the rules say.
    pub findings: Vec<Finding>,
}

impl Advice {
    /// The assumptions by name, as formulas want them.
    pub fn assumed(&self) -> Values {
        self.assumptions.iter().map(|known| (known.name.to_owned(), known.value)).collect()
    }
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Stay with what is used today.
    Keep,
    /// Go to the choice.
    Change,
    /// Nothing fulfils the constraints.
    Impossible,
}

/// Something that would change the choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flip {
    /// What would have to be so, in words.
    pub when: String,
    /// The candidate that would be chosen.
    pub then: String,
    /// Share of today's that it would save then.
    pub saving: f64,
}

/// A link, and what is fastest on it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkAdvice {
    /// The link.
    pub link: Link,
    /// The candidate that keeps processors and link busy for the shortest time.
    pub winner: Option<String>,
    /// Its time from end to end, in seconds.
    pub end_to_end: f64,
    /// The same with the queue, for 99 of 100 messages; `None` without a load.
    pub end_to_end_p99: Option<f64>,
    /// The time of what is used today.
    pub today: f64,
    /// The time from end to end of every candidate, in their order.
    pub times: Vec<f64>,
}

/// All values of a candidate: measured, assumed and computed.
pub fn value_of(candidate: &Candidate, assumptions: &Values) -> Values {
    let mut values = assumptions.clone();
    values.extend(
        [
            ("bytes", candidate.bytes),
            ("encode", candidate.encode.median),
            ("compress", candidate.compress.median),
            ("decompress", candidate.decompress.median),
            ("decode", candidate.decode.median),
            ("variation", candidate.variation()),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    formulas::evaluate(values)
}

/// What counts, of a candidate.
pub(crate) fn score(candidate: &Candidate, goal: Goal, assumptions: &Values) -> f64 {
    // The formulas are not needed for what was measured.
    if goal == Goal::Bytes { candidate.bytes } else { value_of(candidate, assumptions)[goal.value()] }
}

/// The best of some candidates: of those that are as good as the one with the lowest score, the one that is least effort;
/// then the better one.
pub(crate) fn best<'c>(
    candidates: impl Iterator<Item = &'c Candidate>,
    goal: Goal,
    assumptions: &Values,
) -> Option<(&'c Candidate, f64)> {
    let scored: Vec<(&Candidate, f64)> =
        candidates.map(|candidate| (candidate, score(candidate, goal, assumptions))).collect();
    let lowest = scored.iter().map(|(_, score)| *score).min_by(f64::total_cmp)?;
    let good = scored.into_iter().filter(|(_, score)| *score <= lowest * (1.0 + SAME));
    good.min_by(|a, b| a.0.effort.cmp(&b.0.effort).then(a.1.total_cmp(&b.1)))
}

/// Makes a recommendation.
///
/// # Errors
/// [`ErrorKind::Data`] when the report has no such payloads, or what is used today is not in it.
pub fn advise(report: &Report, scenario: &Scenario) -> Result<Advice> {
    let mut all = candidates(report, scenario.unit);
    let today = find_today(&all, scenario)?;
    let assumptions = scenario.values();
    prepare(&mut all, today, scenario, &assumptions);
    let today = &all[today];
    let goal = scenario.goal;
    let open = || all.iter().filter(|candidate| candidate.is_open());

    let found = best(open(), goal, &assumptions);
    let today_score = score(today, goal, &assumptions);
    let saved = |score: f64| if today_score > 0.0 { 1.0 - score / today_score } else { 0.0 };
    let runner_up = found.and_then(|(choice, _)| {
        let others =
            open().filter(|other| other.id != choice.id).map(|other| (other, score(other, goal, &assumptions)));
        others.min_by(|a, b| a.1.total_cmp(&b.1))
    });
    let saving = found.map_or(0.0, |(_, score)| saved(score));
    let changes = found.map_or_else(Vec::new, |(choice, _)| changes::changes(&all, today, choice, goal, &assumptions));
    let money = scenario.load.per_day.map(|_| money::money(found.map(|found| found.0), today, scenario));

    let looked = Looked { report, scenario, assumptions: &assumptions, all: &all, today, found, runner_up };
    let facts = facts::facts(&looked, saving, money.as_ref());
    let findings = rules::findings(&facts);

    let keep = findings.iter().any(|finding| finding.kind == RuleKind::Keep);
    let verdict = match found {
        None => Verdict::Impossible,
        Some((choice, _)) if keep || choice.id == today.id => {
            // What does not fulfil the constraints cannot stay.
            if today.is_open() { Verdict::Keep } else { Verdict::Change }
        }
        Some(_) => Verdict::Change,
    };
    let mut links = scenario.links.clone();
    if !links.contains(&scenario.link) {
        links.push(scenario.link.clone());
    }
    let open_candidates: Vec<&Candidate> = open().collect();
    Ok(Advice {
        unit: scenario.unit,
        goal,
        timed: facts["timed"] != 0.0,
        needs: scenario.needs.iter().map(|need| need.name).collect(),
        languages: scenario.languages.clone(),
        latency: scenario.latency,
        assumptions: scenario.assumptions(),
        prices: scenario.prices.clone(),
        formulas: FORMULAS,
        today: today.id.clone(),
        today_is_assumed: scenario.today.is_none(),
        verdict,
        choice: found.map(|(choice, _)| choice.id.clone()),
        runner_up: runner_up.map(|(candidate, _)| candidate.id.clone()),
        saving,
        would_change: found
            .map_or_else(Vec::new, |(choice, _)| changes::flips(&all, choice, today, scenario, &assumptions)),
        changes,
        links: links.into_iter().map(|link| on_link(link, &all, &open_candidates, today, scenario)).collect(),
        segments: envelope(&open_candidates),
        money,
        findings,
        candidates: all,
    })
}

fn find_today(all: &[Candidate], scenario: &Scenario) -> Result<usize> {
    if all.is_empty() {
        return Err(Error::new(ErrorKind::Data, "the report has no such payloads: there is only one message"));
    }
    // `json,gzip:6` and `json, gzip:6` are the same.
    let plain = |id: &str| id.replace(", ", ",");
    let wanted = scenario.today.as_deref().unwrap_or(TODAY);
    let found = all.iter().position(|candidate| plain(&candidate.id) == plain(wanted));
    match (found, &scenario.today) {
        (Some(found), _) => Ok(found),
        // Only some formats were measured.
        (None, None) => Ok(0),
        (None, Some(today)) => {
            let names: Vec<&str> = all.iter().map(|candidate| &*candidate.id).take(8).collect();
            Err(Error::new(ErrorKind::Data, format!("{today:?} was not measured"))
                .hint(format!("there are for example: {}", names.join("; "))))
        }
    }
}

/// Fills in what depends on the scenario: what cannot be chosen, effort, and the Pareto front.
fn prepare(all: &mut [Candidate], today: usize, scenario: &Scenario, assumptions: &Values) {
    let now = all[today].clone();
    for candidate in all.iter_mut() {
        candidate.effort = effort(&now, candidate).0;
        let unmet = scenario.needs.iter().filter(|need| !need.is_met(candidate));
        let mut reasons: Vec<String> = unmet.map(|need| format!("{}: {}", need.name, need.otherwise)).collect();
        for language in &scenario.languages {
            if candidate.facts.is_some_and(|(info, _)| info.library(language).is_none()) {
                reasons.push(format!("no library for {language}"));
            }
        }
        if let Some(latency) = scenario.latency {
            let time = value_of(candidate, assumptions)["end_to_end"];
            if time > latency {
                reasons.push(format!("it takes {:.1} ms, more than {:.1} ms", time * 1e3, latency * 1e3));
            }
        }
        candidate.excluded.extend(reasons);
    }
    let open: Vec<(f64, f64)> =
        all.iter().filter(|other| other.is_open()).map(|other| (other.bytes, other.work())).collect();
    for candidate in all.iter_mut().filter(|candidate| candidate.is_open()) {
        let (bytes, work) = (candidate.bytes, candidate.work());
        let better = |&(b, w): &(f64, f64)| b <= bytes && w <= work && (b < bytes || w < work);
        candidate.pareto = !open.iter().any(better);
    }
}

fn on_link(link: Link, all: &[Candidate], open: &[&Candidate], today: &Candidate, scenario: &Scenario) -> LinkAdvice {
    let scenario = Scenario { link: link.clone(), ..scenario.clone() };
    let assumptions = scenario.values();
    let time = |candidate: &Candidate| value_of(candidate, &assumptions)["end_to_end"];
    let winner = open.iter().copied().min_by(|a, b| time(a).total_cmp(&time(b)));
    LinkAdvice {
        end_to_end: winner.map_or(0.0, time),
        end_to_end_p99: winner
            .filter(|_| scenario.load.per_day.is_some())
            .map(|winner| value_of(winner, &assumptions)["end_to_end_p99"]),
        winner: winner.map(|winner| winner.id.clone()),
        today: time(today),
        times: all.iter().map(time).collect(),
        link,
    }
}
