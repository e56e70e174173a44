//! What compression does to small messages, and what dictionaries save.

use std::fmt::Write;

use wirewise_measure::{Compressed, Dictionary, DictionaryKind, Report, Side};

use crate::text::{mean, print, table};
use crate::units::{counted, grouped};

// Writing to a String cannot fail, so the results of `write!` are dropped.

/// The rows that have messages one at a time.
fn singles(report: &Report) -> impl Iterator<Item = (String, &Side)> {
    report.rows.iter().filter_map(|row| Some((row.label(), row.single.side.as_ref()?)))
}

/// A line for each compressor that makes some messages larger: how many at worst, and from which size on it pays.
pub(crate) fn small_messages(report: &Report, out: &mut String) {
    let compressors = singles(report).next().map_or(0, |(_, side)| side.compressed.len());
    let mut lines = String::new();
    for index in 0..compressors {
        let all: Vec<(String, &Compressed)> =
            singles(report).filter_map(|(label, side)| Some((label, side.compressed.get(index)?))).collect();
        let Some((worst, compressed)) = all.iter().rev().max_by_key(|(_, compressed)| compressed.grown) else {
            continue;
        };
        if compressed.grown == 0 {
            continue;
        }
        let of = match report.input.singles {
            1 => "the message".to_owned(),
            singles => format!("{} of {} messages", grouped(compressed.grown), grouped(singles)),
        };
        let _ = write!(lines, "{} makes {of} larger ({worst}); ", compressed.label());
        // The size differs from variant to variant: what has much in common within a message pays early.
        let sizes = all.iter().filter_map(|(_, compressed)| compressed.break_even);
        let _ = match (sizes.clone().min(), sizes.max()) {
            (Some(least), Some(most)) if least < most => {
                writeln!(lines, "it pays from about {} to {} on", grouped(least), counted(most, "byte"))
            }
            (Some(size), _) => writeln!(lines, "it pays from about {} on", counted(size, "byte")),
            _ => writeln!(lines, "it never pays for this data"),
        };
    }
    if !lines.is_empty() {
        let _ = write!(out, "\n{lines}");
    }
}

/// A dictionary, and the row that it belongs to.
struct Entry<'a> {
    format: &'a str,
    label: String,
    is_batch: bool,
    dictionary: &'a Dictionary,
}

impl Entry<'_> {
    /// Entries of the same group are compared.
    fn group(&self) -> (bool, bool) {
        (self.is_batch, self.dictionary.kind == DictionaryKind::Previous)
    }
}

/// A table of dictionaries: those of the first row, and of each format the one with the smallest messages.
pub(crate) fn dictionaries(report: &Report, out: &mut String) {
    let mut all = Vec::new();
    for row in &report.rows {
        let batch = row.batch.as_ref().and_then(|batch| batch.side.as_ref());
        for (is_batch, side) in [(false, row.single.side.as_ref()), (true, batch)] {
            let dictionaries = side.map_or(&[][..], |side| &side.dictionaries[..]);
            all.extend(dictionaries.iter().map(|dictionary| Entry {
                format: &row.format,
                label: row.label(),
                is_batch,
                dictionary,
            }));
        }
    }
    let first = report.rows.first().map(wirewise_measure::Row::label).unwrap_or_default();
    let is_smallest = |one: &Entry<'_>| {
        let rivals = all.iter().filter(|other| other.group() == one.group() && other.format == one.format);
        let smallest = rivals.min_by_key(|other| other.dictionary.bytes);
        smallest.is_some_and(|smallest| smallest.label == one.label)
    };
    let mut shown: Vec<_> = all.iter().filter(|one| one.label == first || is_smallest(one)).collect();
    if shown.is_empty() {
        return;
    }
    shown.sort_by_key(|one| one.group());
    let mut table = table(&["variant", "dictionary", "its bytes", "plain", "without", "with it", "pays after"], 2..7);
    for Entry { label, is_batch, dictionary, .. } in shown {
        let is_whole = *is_batch || report.input.measured == 1;
        let kind = match (dictionary.kind, is_whole) {
            (DictionaryKind::Trained, _) => "trained",
            (DictionaryKind::Previous, false) => "message before",
            (DictionaryKind::Previous, true) => "earlier version",
        };
        let share = |bytes| mean(bytes, dictionary.payloads);
        table.add_row([
            label.clone(),
            format!("{kind}, {}:{}", dictionary.compressor, dictionary.level),
            grouped(dictionary.dictionary_bytes),
            share(dictionary.plain_bytes),
            share(dictionary.without_bytes),
            share(dictionary.bytes),
            match dictionary.pays_after {
                None => "never".to_owned(),
                Some(0) => "at once".to_owned(),
                Some(messages) => grouped(messages),
            },
        ]);
    }
    let mut measured = all.iter().map(|one| one.dictionary);
    let trained = measured.find(|dictionary| dictionary.kind == DictionaryKind::Trained);
    let how = trained.map_or_else(String::new, |dictionary| {
        format!(
            "; trained on {}, measured on {} others",
            counted(dictionary.trained_on, "message"),
            grouped(dictionary.payloads)
        )
    });
    print(&format!("With a dictionary that both sides have (mean of a payload{how})"), &table, out);
}
