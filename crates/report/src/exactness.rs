//! What is said of a row, in words.

use wirewise_measure::{DictionaryKind, Exactness};

use crate::units::counted;

/// Whether the data came back, and why not.
pub(crate) fn exactness(exactness: &Exactness) -> String {
    match exactness {
        Exactness::Exact => "exact".to_owned(),
        Exactness::Lossy { lost, .. } => {
            let places: Vec<String> = lost
                .iter()
                .map(|lost| format!("{} at {}: {}", lost.kind, lost.place, counted(lost.count, "value")))
                .collect();
            format!("lossy: {}", places.join(", "))
        }
        Exactness::Refused { error } => format!("cannot: {error}"),
        Exactness::Different { difference } => format!("DEFECT: {difference}"),
    }
}

/// Where a dictionary comes from.
pub(crate) fn dictionary(kind: DictionaryKind) -> &'static str {
    match kind {
        DictionaryKind::Trained => "trained",
        DictionaryKind::Previous => "previous",
    }
}
