//! A recommendation in words, for every form of a report.

use wirewise_advice::{Advice, Assumption, Change, Flip, Goal, Link, Money, Sensitivity, Verdict, number};

use crate::advice::{goal, unit};
use crate::units::{grouped, percent};

/// How everything was measured, for readers of the numbers.
pub(crate) const METHODS: &[&str] = &[
    "Every variant is verified before it is timed: what it wrote is decoded again and compared with the original, bit for \
     bit. \"Exact\" means that; what was dropped, or could not be held, is named.",
    "Messages one at a time and all messages as one batch are measured apart, because their answers differ. Sizes of messages one \
     at a time are means.",
    "Times are those of the wirewise engine on one core: medians of repeated timings, with half the distance between the \
     quartiles. Samples of all variants are taken in turn, so that a slow moment of the machine hits all alike. Other \
     libraries of a format differ.",
    "MB/s counts the data as JSON objects for encoding and decoding, so that rows compare; for compressors it counts the \
     payload.",
    "Each payload is compressed on its own. A trained dictionary is made of one part of the messages and measured on the other; \
     a previous payload as a dictionary is what a receiver that polls has already.",
    "Shapes are reversible changes of schema and data. They are undone on the data and compared; for one that is not \
     exact the largest error is given.",
    "Processor times, sizes and the assumptions go through the formulas of this report: nothing else is computed. A choice on top of the \
     report takes, of all that are within 5% of the best, the one with the least effort.",
];

/// The recommendation in a line.
pub(crate) fn headline(advice: &Advice) -> String {
    match (advice.verdict, &advice.choice) {
        (Verdict::Change, Some(choice)) => format!("Change to {choice}"),
        (Verdict::Impossible, _) | (_, None) => "Nothing that was measured fulfils the constraints".to_owned(),
        (Verdict::Keep, Some(_)) => format!("Keep {}", advice.today),
    }
}

/// What the recommendation saves, and of what.
pub(crate) fn saving(advice: &Advice) -> Option<String> {
    let choice = advice.choice.as_ref()?;
    if *choice == advice.today {
        return Some("Nothing else that was measured and fulfils the constraints is better.".to_owned());
    }
    let what = match advice.goal {
        Goal::Bytes => "bytes".to_owned(),
        Goal::Time => format!("time of processors and link ({})", link(advice)),
        Goal::Cost => "cost a year".to_owned(),
    };
    let amount = percent(advice.saving.abs());
    let change = if advice.saving < 0.0 {
        format!("needs {amount} more {what} than")
    } else if advice.saving == 0.0 {
        format!("needs as much {what} as")
    } else {
        format!("saves {amount} of the {what} of")
    };
    let assumed = if advice.today_is_assumed { ", which is assumed to be used today" } else { ", used today" };
    Some(match advice.verdict {
        Verdict::Keep => format!("The best choice, {choice}, {change} {}{assumed}.", advice.today),
        _ => format!("It {change} {}{assumed}.", advice.today),
    })
}

/// The link that counts, by its title.
fn link(advice: &Advice) -> String {
    let assumed = advice.assumed();
    let same = |link: &&Link| link.bandwidth == assumed["bandwidth"] && link.round_trip == assumed["round_trip"];
    let found = advice.links.iter().map(|known| &known.link).find(same);
    found.map_or_else(|| "on the link that was given".to_owned(), |link| link.title.clone())
}

/// The money that it saves, with its range.
pub(crate) fn money(money: &Money, currency: &str) -> String {
    format!(
        "{} {currency} a year saved; between {} and {} as the measured times vary. Today costs {} {currency} a year, the \
         choice {}.",
        amount(money.saving),
        amount(money.saving_low),
        amount(money.saving_high),
        amount(money.today["year"]),
        amount(money.choice["year"]),
    )
}

/// The assumption on which the saving depends most.
pub(crate) fn most_sensitive(all: &[Sensitivity], currency: &str) -> Option<String> {
    let most = all.first()?;
    Some(format!(
        "The saving depends most on {} ({}): half of it saves {} {currency} a year, twice saves {}.",
        most.title,
        amount(most.value),
        amount(most.saving_at_half),
        amount(most.saving_at_twice),
    ))
}

/// What was asked for.
pub(crate) fn asked(advice: &Advice) -> String {
    let mut out = format!("{}; goal: {}; {}", unit(advice.unit), goal(advice), link(advice));
    for need in &advice.needs {
        out.push_str(&format!("; need: {need}"));
    }
    for language in &advice.languages {
        out.push_str(&format!("; language: {language}"));
    }
    if let Some(latency) = advice.latency {
        out.push_str(&format!("; at most {} ms from end to end", number(latency * 1e3)));
    }
    out
}

/// A change with what it saves.
pub(crate) fn change(change: &Change) -> String {
    format!("{}: saves {} of what is used today (effort {})", change.title, percent(change.saving), change.effort)
}

/// What would change the choice, and to what.
pub(crate) fn flip(flip: &Flip) -> String {
    format!("{}: {}, which then saves {}", flip.when, flip.then, percent(flip.saving))
}

/// An assumption with its unit.
pub(crate) fn assumption(assumption: &Assumption) -> String {
    format!("{} {}", amount(assumption.value), assumption.unit).trim_end().to_owned()
}

/// A number with four digits, and groups of three where there are many.
fn amount(value: f64) -> String {
    if value >= 1000.0 { grouped(value.round() as u64) } else { number(value) }
}
