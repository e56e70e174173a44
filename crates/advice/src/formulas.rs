//! What is computed from measured sizes and times, in this order. These texts are the calculation: [`evaluate`] runs them,
//! the documentation lists them, and a report's page runs the same texts when its sliders move.

use std::sync::LazyLock;

use serde::Serialize;

use crate::expr::{Expr, Values};

/// A value that follows from others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Formula {
    /// Its name in others.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// How it is computed.
    pub text: &'static str,
    /// What it is, and why it is computed like this.
    pub about: &'static str,
}

/// What is known of a payload before anything is computed.
pub const MEASURED: &[(&str, &str, &str)] = &[
    ("bytes", "bytes", "of a payload on the wire, after the compressor; mean of the payloads"),
    ("encode", "s", "document to bytes, for a payload"),
    ("compress", "s", "bytes to fewer bytes; 0 without a compressor"),
    ("decompress", "s", "and back"),
    ("decode", "s", "bytes to document"),
    ("variation", "share", "half the distance between the quartiles of the times, as a share of the median"),
];

/// All formulas, each after those that it needs.
pub static FORMULAS: &[Formula] = &[
    Formula {
        name: "transfer",
        unit: "s",
        text: "round_trips * round_trip + 8 * bytes / bandwidth",
        about: "waiting for the answer of the other side, and the payload's bits at the link's rate; the connection is \
                open already, and nothing else uses the link",
    },
    Formula {
        name: "work",
        unit: "s",
        text: "encode + compress + decompress + decode",
        about: "processor time of both sides for one receiver",
    },
    Formula {
        name: "time",
        unit: "s",
        text: "work + 8 * bytes / bandwidth",
        about: "how long processors and the link are busy with a payload; waiting for the other side, which no format changes, \
                is left out",
    },
    Formula {
        name: "end_to_end",
        unit: "s",
        text: "encode + compress + transfer + decompress + decode",
        about: "from a document here to a document there: one stage after the other, nothing overlaps",
    },
    Formula {
        name: "sent_gb",
        unit: "GB a year",
        text: "per_day * 365 * fan_out * bytes / 1000000000",
        about: "every payload goes to fan_out receivers; GB of 10^9 bytes",
    },
    Formula {
        name: "price_gb",
        unit: "a GB",
        text: "zone_share * price_zone + region_share * price_region + internet_share * price_internet",
        about: "price of the traffic by where it goes",
    },
    Formula { name: "traffic_cost", unit: "a year", text: "sent_gb * price_gb", about: "the price of what is sent" },
    Formula {
        name: "message_work",
        unit: "s",
        text: "encode + compress + fan_out * (decompress + decode)",
        about: "processor time for one message: written once, read by every receiver",
    },
    Formula {
        name: "cores",
        unit: "cores",
        text: "per_day / 86400 * peak * message_work / utilisation",
        about: "cores that are paid for: enough for the busiest hour, and not loaded more than utilisation",
    },
    Formula { name: "cpu_cost", unit: "a year", text: "cores * price_core_year", about: "the price of these cores" },
    Formula {
        name: "stored_gb",
        unit: "GB",
        text: "per_day * retention_days * copies * bytes / 1000000000",
        about: "what lies in storage at any time",
    },
    Formula {
        name: "storage_cost",
        unit: "a year",
        text: "stored_gb * 12 * price_storage_month",
        about: "the price of keeping it",
    },
    Formula { name: "year", unit: "a year", text: "traffic_cost + cpu_cost + storage_cost", about: "all of it" },
    Formula {
        name: "service",
        unit: "s",
        text: "encode + compress",
        about: "how long the sender is busy with a message: what requests queue for",
    },
    Formula {
        name: "servers",
        unit: "cores",
        text: "max(1, ceil(per_day / 86400 * peak * service / utilisation))",
        about: "whole cores that send",
    },
    Formula {
        name: "busy",
        unit: "share",
        text: "per_day / 86400 * peak * service / servers",
        about: "load of each of them in the busiest hour, when messages are spread evenly",
    },
    Formula {
        name: "wait",
        unit: "s",
        text: "busy * service * (1 + variation * variation * 2.2) / (2 * (1 - busy))",
        about: "mean time in the queue of one such core: M/G/1, Pollaczek and Khinchine; messages come independently of each \
                other, and the variation is that of repeated timings (its square times 2.2 is the squared coefficient of \
                variation of a normal distribution with these quartiles)",
    },
    Formula {
        name: "wait_p99",
        unit: "s",
        text: "max(0, wait / max(busy, 0.000001) * ln(max(1, 100 * busy)))",
        about: "what 99 of 100 messages wait at most, when waiting times fall off exponentially, as in heavy traffic",
    },
    Formula {
        name: "end_to_end_p99",
        unit: "s",
        text: "end_to_end + wait_p99",
        about: "from a document here to a document there, with the queue, for 99 of 100 messages",
    },
];

static PARSED: LazyLock<Vec<(&'static Formula, Expr)>> = LazyLock::new(|| {
    let parse = |formula: &'static Formula| Expr::parse(formula.text).expect("every formula is tested");
    FORMULAS.iter().map(|formula| (formula, parse(formula))).collect()
});

/// Adds the value of every formula to what is measured and assumed.
///
/// # Panics
/// When a name of [`MEASURED`] or of the assumptions has no value: that is a mistake of the caller.
pub fn evaluate(mut values: Values) -> Values {
    for (formula, expr) in PARSED.iter() {
        let value = expr.value(&values).unwrap_or_else(|error| panic!("{}: {error}", formula.name));
        values.insert(formula.name.to_owned(), value);
    }
    values
}

impl Formula {
    /// Its text with numbers in place of names: `12.5 * 0.09`.
    pub fn with_numbers(&self, values: &Values) -> String {
        let mut out = String::new();
        let mut rest = self.text;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, after) =
                rest.split_at(if end == 0 { rest.chars().next().map_or(0, char::len_utf8) } else { end });
            match values.get(word) {
                Some(value) => out.push_str(&number(*value)),
                None => out.push_str(word),
            }
            rest = after;
        }
        out
    }
}

/// A number with four significant digits, and no exponent where it has a usual size.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}");
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    match digits {
        ..=0 => format!("{value:.0}"),
        1..=9 => {
            let text = format!("{value:.*}", digits as usize);
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::candidates::Unit;
    use crate::links::Link;
    use crate::scenario::{Goal, Load, Scenario};

    #[test]
    fn every_name_is_measured_assumed_or_computed_before() {
        let scenario = Scenario {
            unit: Unit::Single,
            needs: Vec::new(),
            languages: Vec::new(),
            latency: None,
            link: Link::all().remove(0),
            links: Vec::new(),
            load: Load::default(),
            prices: crate::Prices::default(),
            today: None,
            goal: Goal::Time,
        };
        let mut known: BTreeSet<String> = scenario.values().into_keys().collect();
        known.extend(MEASURED.iter().map(|(name, ..)| (*name).to_owned()));
        for formula in FORMULAS {
            let expr = Expr::parse(formula.text).unwrap_or_else(|error| panic!("{}: {error}", formula.name));
            for name in expr.names() {
                assert!(known.contains(name), "{} needs {name}", formula.name);
            }
            assert!(known.insert(formula.name.to_owned()), "{} is there twice", formula.name);
        }
    }

    #[test]
    fn numbers_replace_names() {
        let formula = Formula { name: "x", unit: "", text: "max(1, ab * a_b / 2)", about: "" };
        let values = Values::from([("ab".to_owned(), 12.345_67), ("a_b".to_owned(), 0.002)]);
        assert_eq!(formula.with_numbers(&values), "max(1, 12.35 * 0.002 / 2)");
        for (value, text) in
            [(0.0, "0"), (123_456.7, "123457"), (1.0, "1"), (0.00001234, "0.00001234"), (1e-12, "1.000e-12")]
        {
            assert_eq!(number(value), text);
        }
    }
}
