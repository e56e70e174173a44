//! Tables for terminals: one for messages one at a time, one for the batch.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use wirewise_advice::Advice;
use wirewise_measure::{Compressed, Exactness, Lost, Mode, Report, Side, Spread};

use crate::compression;
use crate::shapes;
use crate::units::{counted, grouped, percent, significant, time};

/// The report as text, and the first advice below it.
pub fn text(report: &Report, advice: &[Advice]) -> String {
    let mut out = String::new();
    header(report, &mut out);
    let input = &report.input;
    let singles = match (input.singles, input.measured) {
        (1, 1) => "The message".to_owned(),
        (singles, measured) if singles == measured => format!("One at a time: {} messages", grouped(singles)),
        (singles, measured) => format!("One at a time: {} of the {} messages", grouped(singles), grouped(measured)),
    };
    let mean = if input.singles > 1 { " (mean of a message)" } else { "" };
    section(&format!("{singles}{mean}"), report, |row| report.single(row), &mut out);
    compression::small_messages(report, &mut out);
    if report.rows.iter().any(|row| row.batch.is_some()) {
        let title = format!("As one batch: a list of {} messages", grouped(input.measured));
        section(&title, report, |row| row.batch.as_ref(), &mut out);
    }
    compression::dictionaries(report, &mut out);
    shapes::legend(report, &mut out);
    footer(report, &mut out);
    if let Some(advice) = advice.first() {
        out.push('\n');
        out.push_str(&crate::advice::text(advice));
    }
    out
}

// Writing to a String cannot fail, so the results of `write!` are dropped.

fn header(report: &Report, out: &mut String) {
    let (input, machine) = (&report.input, &report.machine);
    let _ = writeln!(
        out,
        "{}: {}, {}, schema {} with {}",
        if input.name == "-" { "<stdin>" } else { &input.name },
        counted(input.bytes, "byte"),
        counted(input.messages, "message"),
        input.schema,
        counted(input.fields as u64, "field"),
    );
    let processor = machine.processor.as_deref().unwrap_or("unknown processor");
    let _ = writeln!(out, "wirewise {} on {processor}, {}", report.version, machine.system);
}

/// Explanations of a table's rows, below it: each reason once, however many rows have it.
#[derive(Default)]
struct Notes(Vec<String>);

impl Notes {
    /// The mark that leads to `reason`.
    fn mark(&mut self, reason: String) -> String {
        let index = self.0.iter().position(|known| *known == reason).unwrap_or_else(|| {
            self.0.push(reason);
            self.0.len() - 1
        });
        format!("({})", index + 1)
    }
}

fn section<'a>(
    title: &str,
    report: &'a Report,
    mode: impl Fn(&'a wirewise_measure::Row) -> Option<&'a Mode>,
    out: &mut String,
) {
    let modes: Vec<_> = report.rows.iter().filter_map(|row| Some((row.label(), mode(row)?))).collect();
    let mut sides = modes.iter().filter_map(|(_, mode)| mode.side.as_ref());
    let compressors: Vec<_> =
        sides.next().map(|side| side.compressed.iter().map(Compressed::label).collect()).unwrap_or_default();
    let timed = modes.iter().any(|(_, mode)| mode.side.as_ref().is_some_and(|side| side.encode.is_some()));

    let mut heads = vec!["variant", "bytes", "vs JSON"];
    heads.extend(compressors.iter().map(String::as_str));
    if timed {
        heads.extend(["encode", "MB/s", "decode", "MB/s"]);
    }
    heads.push("round trip");
    let last = heads.len() - 1;
    let mut table = table(&heads, 1..last);
    let mut notes = Notes::default();
    for (variant, mode) in &modes {
        let mut cells = vec![variant.clone()];
        match &mode.side {
            None => cells.resize(last, "-".to_owned()),
            Some(side) => {
                cells.extend([bytes(side.bytes, side), percent(side.against_json)]);
                cells.extend(side.compressed.iter().map(|compressed| bytes(compressed.bytes, side)));
                if timed {
                    for spread in [side.encode, side.decode] {
                        cells.extend(timing(spread, side));
                    }
                }
            }
        }
        cells.push(verdict(&mode.exactness, &mut notes));
        table.add_row(cells);
    }
    print(title, &table, out);
    if !notes.0.is_empty() {
        out.push('\n');
    }
    for (i, note) in notes.0.iter().enumerate() {
        let _ = writeln!(out, " ({}) {note}", i + 1);
    }
}

/// An empty table; `numbers` are the columns that are aligned to the right.
pub(crate) fn table(heads: &[&str], numbers: std::ops::Range<usize>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(heads);
    for column in numbers {
        table.column_mut(column).expect("the header has it").set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A table under its title.
pub(crate) fn print(title: &str, table: &Table, out: &mut String) {
    let _ = write!(out, "\n{title}\n\n");
    for line in table.to_string().lines() {
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

/// Bytes of one payload, on average.
fn bytes(total: u64, side: &Side) -> String {
    mean(total, side.payloads)
}

/// A share of `total` for each of `payloads`.
pub(crate) fn mean(total: u64, payloads: u64) -> String {
    match payloads {
        1 => grouped(total),
        payloads if total.is_multiple_of(payloads) => grouped(total / payloads),
        payloads => {
            let mean = total as f64 / payloads as f64;
            if mean < 1000.0 { format!("{mean:.1}") } else { grouped(mean.round() as u64) }
        }
    }
}

fn timing(spread: Option<Spread>, side: &Side) -> [String; 2] {
    let Some(spread) = spread else { return ["-".to_owned(), "-".to_owned()] };
    let one = time(spread.median_ns / side.payloads as f64);
    [format!("{one} ±{:.0}%", spread.spread * 100.0), significant(spread.mb_per_s)]
}

/// Whether the data came back, in a word; why not is in the notes.
fn verdict(exactness: &Exactness, notes: &mut Notes) -> String {
    match exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::Lossy { lost, .. } => {
            let count: u64 = lost.iter().map(|lost| lost.count).sum();
            format!("loses {} {}", counted(count, "value"), notes.mark(places(lost)))
        }
        Exactness::Refused { error } => format!("cannot {}", notes.mark(error.clone())),
        Exactness::Different { difference } => format!("DEFECT {}", notes.mark(difference.clone())),
    }
}

/// What was lost where.
fn places(lost: &[Lost]) -> String {
    const MOST: usize = 5;
    let shown = lost.iter().take(MOST);
    let mut shown: Vec<_> =
        shown.map(|lost| format!("{} at {}: {}", lost.kind, lost.place, counted(lost.count, "value"))).collect();
    if lost.len() > MOST {
        shown.push(counted((lost.len() - MOST) as u64, "more place"));
    }
    shown.join(", ")
}

fn footer(report: &Report, out: &mut String) {
    let timed = |mode: &Mode| mode.side.as_ref().is_some_and(|side| side.encode.is_some());
    if report.rows.iter().any(|row| timed(&row.single)) {
        out.push_str(
            "\nTimes are medians of the wirewise engine on one core, with half the distance between the quartiles;\n",
        );
        out.push_str(
            "MB/s counts the data as JSON objects, so that rows compare. Other libraries of a format differ.\n",
        );
    }
    if !report.warnings.is_empty() {
        out.push('\n');
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
}
