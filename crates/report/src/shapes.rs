//! What the shapes of rows do, for people.

use std::fmt::Write;

use wirewise_measure::{Report, Shaping, ShapingStep};

/// Steps of one shaping that are shown, and characters of each.
const MOST_STEPS: usize = 12;
const MOST_CHARS: usize = 100;

/// The steps of each shaping, below the tables.
pub(crate) fn legend(report: &Report, out: &mut String) {
    if report.shapings.is_empty() {
        return;
    }
    // Writing to a String cannot fail, so the results of `write!` are dropped.
    let _ = write!(out, "\nShapes, undone when messages are read (`wirewise convert --shape`):\n\n");
    for (i, shaping) in report.shapings.iter().enumerate() {
        let Shaping { name, about, single, batch } = shaping;
        let before = &report.shapings[..i];
        let _ = writeln!(out, " +{name}  {about}");
        if single.is_empty() && batch.is_empty() {
            let _ = writeln!(out, "   nothing suits the data");
        }
        if single == batch {
            steps("one at a time, and as one batch", single, before, |shaping| &shaping.batch, out);
            continue;
        }
        steps("one at a time", single, before, |shaping| &shaping.single, out);
        steps("as one batch", batch, before, |shaping| &shaping.batch, out);
    }
}

fn steps(
    mode: &str,
    steps: &[ShapingStep],
    before: &[Shaping],
    side: fn(&Shaping) -> &Vec<ShapingStep>,
    out: &mut String,
) {
    if steps.is_empty() {
        return;
    }
    // What another one begins with is not said again.
    let known = before.iter().filter(|known| !side(known).is_empty() && steps.starts_with(side(known)));
    let known = known.max_by_key(|known| side(known).len());
    let steps = &steps[known.map_or(0, |known| side(known).len())..];
    let _ = match known {
        Some(known) => writeln!(out, "   {mode}: as +{}, and", known.name),
        None => writeln!(out, "   {mode}:"),
    };
    for ShapingStep { step, largest_error } in steps.iter().take(MOST_STEPS) {
        let cut = step.char_indices().nth(MOST_CHARS).map(|(at, _)| at);
        let step = cut.map_or_else(|| step.clone(), |at| format!("{}...", &step[..at]));
        let _ = match largest_error {
            Some(error) => writeln!(out, "     {step}  (changes values by {error:.3e} at most)"),
            None => writeln!(out, "     {step}"),
        };
    }
    if steps.len() > MOST_STEPS {
        let _ = writeln!(out, "     and {} more: --output json has all", steps.len() - MOST_STEPS);
    }
}
