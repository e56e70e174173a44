//! What the shapes of rows do, for people.

use std::fmt::Write;

use wirewise_measure::{Report, Shaping, ShapingStep};

/// The steps of each shaping, below the tables.
pub(crate) fn legend(report: &Report, out: &mut String) {
    if report.shapings.is_empty() {
        return;
    }
    // Writing to a String cannot fail, so the results of `write!` are dropped.
    let _ = write!(out, "\nShapes, undone when messages are read (`wirewise convert --shape`):\n\n");
    for Shaping { name, about, single, batch } in &report.shapings {
        let _ = writeln!(out, " +{name}  {about}");
        if single.is_empty() && batch.is_empty() {
            let _ = writeln!(out, "   nothing suits the data");
        }
        if single == batch && !single.is_empty() {
            steps("one at a time, and as one batch", single, out);
            continue;
        }
        steps("one at a time", single, out);
        steps("as one batch", batch, out);
    }
}

fn steps(mode: &str, steps: &[ShapingStep], out: &mut String) {
    if steps.is_empty() {
        return;
    }
    let _ = writeln!(out, "   {mode}:");
    for ShapingStep { step, largest_error } in steps {
        let _ = match largest_error {
            Some(error) => writeln!(out, "     {step}  (changes values by {error:.3e} at most)"),
            None => writeln!(out, "     {step}"),
        };
    }
}
