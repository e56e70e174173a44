//! What would help most for how much work, and what would change the choice.

use serde::Serialize;

use crate::advise::{Flip, best, score};
use crate::candidates::Candidate;
use crate::effort::{Dimension, effort};
use crate::expr::Values;
use crate::rules::SAME;
use crate::scenario::{Assumption, Goal, Scenario};

/// A gain below which a change is not worth a word, as a share of what is used today.
const LEAST: f64 = 0.02;
/// How many changes are named.
const MOST: usize = 3;
/// How many assumptions are named that would change the choice.
const MOST_FLIPS: usize = 6;
/// How far assumptions are moved to find where the choice changes: this many times up or down by a factor of two.
const DOUBLINGS: i32 = 10;

/// A step from what is used today to something better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// What to do, as in `turn on zstd:3`.
    pub title: String,
    /// What is changed: names of efforts.
    pub changed: Vec<&'static str>,
    /// How much work it is; see `EFFORTS`.
    pub effort: u32,
    /// The candidate before.
    pub from: String,
    /// The candidate after.
    pub to: String,
    /// Share of what is used today that it saves, beyond those before it.
    pub saving: f64,
}

/// Shares that one kind of change alone saves.
pub(crate) struct Alone {
    pub(crate) compressor: f64,
    pub(crate) shape: f64,
    pub(crate) format: f64,
}

/// The best candidate that can be chosen, or `state` itself, and differs from `state` in nothing else. A dictionary comes with its
/// compressor.
fn step<'c>(
    all: &'c [Candidate],
    state: &'c Candidate,
    dimension: Dimension,
    goal: Goal,
    assumptions: &Values,
) -> Option<&'c Candidate> {
    let others = |other: &&Candidate| {
        let alike = Dimension::ALL.into_iter().filter(|&kind| kind != dimension).all(|kind| {
            !kind.differs(state, other) || (dimension == Dimension::Dictionary && kind == Dimension::Compressor)
        });
        other.is_open() && dimension.differs(state, other) && alike
    };
    best(all.iter().filter(others), goal, assumptions).map(|found| found.0)
}

/// What each kind of change saves when nothing else is changed.
pub(crate) fn alone(all: &[Candidate], today: &Candidate, goal: Goal, assumptions: &Values) -> Alone {
    let now = score(today, goal, assumptions);
    let saving = |dimension| {
        let found = step(all, today, dimension, goal, assumptions);
        found.map_or(0.0, |found| if now > 0.0 { 1.0 - score(found, goal, assumptions) / now } else { 0.0 }).max(0.0)
    };
    Alone {
        compressor: saving(Dimension::Compressor),
        shape: saving(Dimension::Shape),
        format: saving(Dimension::Format),
    }
}

/// Changes one after another, those with the least effort first; of more than three, those that gain least are left out.
/// Where single ones do not lead as far as the choice, the last one is all that is left to do at once.
pub(crate) fn changes(
    all: &[Candidate],
    today: &Candidate,
    choice: &Candidate,
    goal: Goal,
    assumptions: &Values,
) -> Vec<Change> {
    let mut dimensions = Dimension::ALL.to_vec();
    loop {
        let made = chain(all, today, &dimensions, goal, assumptions);
        let last = made.last().and_then(|(_, change)| all.iter().find(|candidate| candidate.id == change.to));
        let rest = last_step(last.unwrap_or(today), choice, today, goal, assumptions);
        if made.len() + usize::from(rest.is_some()) <= MOST {
            return made.into_iter().map(|(_, change)| change).chain(rest).collect();
        }
        let least = made.iter().min_by(|a, b| a.1.saving.total_cmp(&b.1.saving)).map(|(dimension, _)| *dimension);
        dimensions.retain(|dimension| Some(*dimension) != least);
    }
}

fn chain(
    all: &[Candidate],
    today: &Candidate,
    dimensions: &[Dimension],
    goal: Goal,
    assumptions: &Values,
) -> Vec<(Dimension, Change)> {
    let now = score(today, goal, assumptions);
    let mut state = today;
    let mut made = Vec::new();
    for &dimension in dimensions {
        let Some(next) = step(all, state, dimension, goal, assumptions) else { continue };
        let saving = (score(state, goal, assumptions) - score(next, goal, assumptions)) / now.max(f64::MIN_POSITIVE);
        if saving < LEAST {
            continue;
        }
        let (effort, changed) = effort(state, next);
        let title = title(state, next, dimension);
        let change = Change { title, changed, effort, from: state.id.clone(), to: next.id.clone(), saving };
        made.push((dimension, change));
        state = next;
    }
    made
}

/// From where the changes lead to the choice, when that is more than a little better.
fn last_step(
    state: &Candidate,
    choice: &Candidate,
    today: &Candidate,
    goal: Goal,
    assumptions: &Values,
) -> Option<Change> {
    let now = score(today, goal, assumptions).max(f64::MIN_POSITIVE);
    let saving = (score(state, goal, assumptions) - score(choice, goal, assumptions)) / now;
    let (effort, changed) = effort(state, choice);
    let title = format!("change to {} at once", choice.id);
    (saving >= LEAST).then(|| Change { title, changed, effort, from: state.id.clone(), to: choice.id.clone(), saving })
}

fn title(from: &Candidate, to: &Candidate, dimension: Dimension) -> String {
    let compressor = to.compressor.as_deref().unwrap_or("no compressor");
    match dimension {
        Dimension::Compressor => match &from.compressor {
            None => format!("keep {}, turn on {compressor}", from.variant),
            Some(old) => format!("keep {}, use {compressor} instead of {old}", from.variant),
        },
        Dimension::Dictionary => format!("train a dictionary for {compressor}"),
        Dimension::Shape => match &to.shape {
            Some(shape) => format!("shape the data: {shape}"),
            None => "leave the data in its own shape".to_owned(),
        },
        Dimension::Format => format!("write {} instead of {}", to.variant, from.variant),
    }
}

/// What would change the choice: other assumptions, and fewer constraints.
pub(crate) fn flips(
    all: &[Candidate],
    choice: &Candidate,
    today: &Candidate,
    scenario: &Scenario,
    assumptions: &Values,
) -> Vec<Flip> {
    let (mut flips, mut moved) = (Vec::new(), Vec::new());
    let goal = scenario.goal;
    for assumption in scenario.assumptions() {
        let counts = match goal {
            Goal::Bytes => false,
            Goal::Time => assumption.name == "bandwidth",
            Goal::Cost => assumption.money && scenario.load.per_day.is_some(),
        };
        if !counts || assumption.value <= 0.0 {
            continue;
        }
        for up in [false, true] {
            let Some((value, then, saving)) = flip(all, choice, today, goal, assumptions, &assumption, up) else {
                continue;
            };
            let side = if up { "above" } else { "below" };
            let when = format!("{} {side} {}", assumption.title, quantity(value, &assumption.unit));
            moved.push(((value / assumption.value).ln().abs(), Flip { when, then, saving }));
        }
    }
    // Those that are near matter most.
    moved.sort_by(|a, b| a.0.total_cmp(&b.0));
    flips.extend(moved.into_iter().take(MOST_FLIPS).map(|(_, flip)| flip));
    let now = score(today, goal, assumptions);
    let least = score(choice, goal, assumptions);
    let constraints = scenario.needs.iter().map(|need| (format!("--need {}", need.name), format!("{}: ", need.name)));
    let languages = scenario.languages.iter().map(|language| {
        let reason = format!("no library for {language}");
        (format!("--language {language}"), reason)
    });
    let latency = scenario.latency.iter().map(|_| ("the latency budget".to_owned(), "it takes ".to_owned()));
    for (name, reason) in constraints.chain(languages).chain(latency) {
        let freed = all.iter().filter(|other| other.excluded.iter().all(|why| why.starts_with(&reason)));
        let Some((other, score)) = best(freed, goal, assumptions) else { continue };
        if other.id != choice.id && score < least * (1.0 - SAME) {
            let saving = if now > 0.0 { 1.0 - score / now } else { 0.0 };
            flips.push(Flip { when: format!("without {name}"), then: other.id.clone(), saving });
        }
    }
    flips
}

/// The value of an assumption, nearest to its own and a sensible one, from which another candidate is chosen; with what that
/// saves there.
fn flip(
    all: &[Candidate],
    choice: &Candidate,
    today: &Candidate,
    goal: Goal,
    assumptions: &Values,
    assumption: &Assumption,
    up: bool,
) -> Option<(f64, String, f64)> {
    let (name, value) = (assumption.name, assumption.value);
    let with = |value: f64| {
        let mut changed = assumptions.clone();
        changed.insert(name.to_owned(), value);
        changed
    };
    let chosen = |value: f64| {
        let open = all.iter().filter(|candidate| candidate.is_open());
        best(open, goal, &with(value)).map(|(candidate, _)| candidate).filter(|candidate| candidate.id != choice.id)
    };
    let at = |doublings: i32| value * 2f64.powi(if up { doublings } else { -doublings });
    let sensible = assumption.low..=assumption.high;
    let mut tried = (1..=DOUBLINGS).take_while(|&doublings| sensible.contains(&at(doublings)));
    let first = tried.find(|&doublings| chosen(at(doublings)).is_some())?;
    let (mut same, mut other) = (at(first - 1), at(first));
    // To a hundredth: nobody knows their bandwidth better.
    while (same / other - 1.0).abs() > 0.01 {
        let middle = (same * other).sqrt();
        if chosen(middle).is_some() { other = middle } else { same = middle }
    }
    let then = chosen(other)?;
    let there = with(other);
    let now = score(today, goal, &there);
    let saving = if now > 0.0 { 1.0 - score(then, goal, &there) / now } else { 0.0 };
    Some((other, then.id.clone(), saving))
}

/// A number with its unit, as people say it.
fn quantity(value: f64, unit: &str) -> String {
    let digits = |value: f64| match value {
        _ if value >= 100.0 => format!("{value:.0}"),
        _ if value >= 1.0 => format!("{value:.1}"),
        _ => format!("{value:.4}"),
    };
    if unit == "bit/s" {
        let (scale, unit) = match value {
            _ if value >= 1e9 => (1e9, "Gbit/s"),
            _ if value >= 1e6 => (1e6, "Mbit/s"),
            _ => (1e3, "kbit/s"),
        };
        return format!("{} {unit}", digits(value / scale));
    }
    format!("{} {unit}", digits(value)).trim_end().to_owned()
}
