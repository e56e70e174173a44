//! What it costs a year, how sure that is, and on what it depends most.

use serde::Serialize;

use crate::advise::value_of;
use crate::candidates::{Candidate, Seconds};
use crate::expr::Values;
use crate::scenario::Scenario;

/// Costs of a year.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Money {
    /// Every value of what is used today, by the name of its formula.
    pub today: Values,
    /// The same of the choice.
    pub choice: Values,
    /// What the choice saves a year.
    pub saving: f64,
    /// What it saves if its times are as slow as they were measured, and today's as fast.
    pub saving_low: f64,
    /// And the other way round.
    pub saving_high: f64,
    /// Assumptions by how much the saving depends on them, the most sensitive one first.
    pub sensitivity: Vec<Sensitivity>,
}

/// How much the saving depends on an assumption.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sensitivity {
    /// The assumption's name.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Its value.
    pub value: f64,
    /// What the choice saves when it is half of that.
    pub saving_at_half: f64,
    /// What the choice saves when it is twice that, or the largest that it can be.
    pub saving_at_twice: f64,
}

/// The costs of today and of the choice; without a choice, of today twice.
pub(crate) fn money(choice: Option<&Candidate>, today: &Candidate, scenario: &Scenario) -> Money {
    let choice = choice.unwrap_or(today);
    let assumptions = scenario.values();
    let saving = |assumptions: &Values| value_of(today, assumptions)["year"] - value_of(choice, assumptions)["year"];
    let year =
        |candidate: &Candidate, pick: fn(&Seconds) -> f64| value_of(&timed(candidate, pick), &assumptions)["year"];
    let changed = |name: &str, value: f64| {
        let mut changed = assumptions.clone();
        changed.insert(name.to_owned(), value);
        saving(&changed)
    };
    let mut sensitivity: Vec<Sensitivity> = scenario
        .assumptions()
        .into_iter()
        .filter(|assumption| assumption.money && assumption.value > 0.0)
        .map(|assumption| Sensitivity {
            name: assumption.name,
            title: assumption.title,
            value: assumption.value,
            saving_at_half: changed(assumption.name, assumption.value / 2.0),
            saving_at_twice: changed(assumption.name, most(assumption.name, assumption.value * 2.0)),
        })
        .collect();
    let range = |sensitivity: &Sensitivity| (sensitivity.saving_at_twice - sensitivity.saving_at_half).abs();
    sensitivity.sort_by(|a, b| range(b).total_cmp(&range(a)));
    let (low, high) = (|time: &Seconds| time.low, |time: &Seconds| time.high);
    // What did not change has no range: its times are the same ones.
    let same = choice.id == today.id;
    Money {
        saving: saving(&assumptions),
        saving_low: if same { 0.0 } else { year(today, low) - year(choice, high) },
        saving_high: if same { 0.0 } else { year(today, high) - year(choice, low) },
        today: value_of(today, &assumptions),
        choice: value_of(choice, &assumptions),
        sensitivity,
    }
}

/// Shares end at all of it, and cores cannot do more than work.
fn most(name: &str, value: f64) -> f64 {
    match name {
        "utilisation" => value.min(0.95),
        _ if name.ends_with("_share") => value.min(1.0),
        _ => value,
    }
}

fn timed(candidate: &Candidate, pick: fn(&Seconds) -> f64) -> Candidate {
    let with = |time: Seconds| Seconds { median: pick(&time), ..time };
    Candidate {
        encode: with(candidate.encode),
        compress: with(candidate.compress),
        decompress: with(candidate.decompress),
        decode: with(candidate.decode),
        ..candidate.clone()
    }
}
