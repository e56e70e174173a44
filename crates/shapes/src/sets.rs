//! Shapes that people ask for by one name.

use wirewise_core::{Error, Result};

use crate::shape::Shape;
use crate::step::find;

/// Exact shapes that are proposed together.
#[derive(Debug)]
pub struct Set {
    /// Its name in options and reports.
    pub name: &'static str,
    /// What it does, for one line.
    pub about: &'static str,
    /// The names of the shapes that it has beside those of the sets before it.
    pub adds: &'static [&'static str],
}

/// The sets: each has the shapes of all before it too. Lossy shapes are in none.
pub static SETS: &[Set] = &[
    Set {
        name: "values",
        about: "each value in binary instead of text",
        adds: &["uuid", "time", "date", "decimal", "enum"],
    },
    Set {
        name: "columns",
        about: "values, and lists of records as one list for each field",
        adds: &["columns", "concat"],
    },
    Set {
        name: "packed",
        about: "columns, and lists as what is new in each element",
        adds: &["dictionary", "delta", "xor", "split"],
    },
];

/// Another name of the last set.
const ALL: &str = "auto";

impl Set {
    /// The set with this name; `auto` is the last one, which has all exact shapes.
    pub fn find(name: &str) -> Option<&'static Set> {
        SETS.iter().find(|set| set.name == name).or_else(|| SETS.last().filter(|_| name == ALL))
    }

    /// The names that [`Set::find`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SETS.iter().map(|set| set.name).chain([ALL])
    }

    /// Its shapes, in the order in which they are proposed.
    ///
    /// # Errors
    /// None, for the sets that there are.
    pub fn shapes(&self) -> Result<Vec<&'static dyn Shape>> {
        let last = SETS.iter().position(|set| set.name == self.name).unwrap_or(0);
        SETS[..=last].iter().flat_map(|set| set.adds).map(|name| find(name)).collect::<Result<_, Error>>()
    }

    /// Whether it changes lists of records: then it is of more use for a list of messages than for each of them.
    pub fn is_about_lists(&self) -> bool {
        self.shapes().is_ok_and(|shapes| shapes.iter().any(|shape| shape.info().moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SHAPES;

    #[test]
    fn every_exact_shape_is_in_one_set() {
        let named: Vec<&str> = SETS.iter().flat_map(|set| set.adds.iter().copied()).collect();
        let mut exact: Vec<&str> =
            SHAPES.iter().map(|shape| shape.info()).filter(|info| !info.lossy).map(|info| info.name).collect();
        let mut sorted = named.clone();
        sorted.sort_unstable();
        exact.sort_unstable();
        assert_eq!(sorted, exact);
        assert_eq!(Set::find("auto").unwrap().shapes().unwrap().len(), named.len());
        assert!(Set::find("rows").is_none());
        assert!(!SETS[0].is_about_lists() && SETS[1].is_about_lists());
    }
}
