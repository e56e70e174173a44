//! Links between sender and receiver, and which candidate is fastest at which bandwidth.

use serde::Serialize;
use wirewise_core::{Error, ErrorKind, Result};

use crate::candidates::Candidate;

/// A link.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Link {
    /// Its name, such as `4g`.
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// Bits a second.
    pub bandwidth: f64,
    /// Seconds there and back.
    pub round_trip: f64,
}

/// The links that are always looked at: name, title, bits a second, seconds there and back.
const LINKS: &[(&str, &str, f64, f64)] = &[
    ("10g", "data centre, 10 Gbit/s", 10e9, 0.0002),
    ("1g", "1 Gbit/s", 1e9, 0.0005),
    ("region", "between regions, 200 Mbit/s", 200e6, 0.06),
    ("4g", "4G, 20 Mbit/s", 20e6, 0.05),
];

/// Units of a bandwidth.
const BANDWIDTHS: &[(&str, f64)] = &[("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1.0)];

/// Units of a time.
const TIMES: &[(&str, f64)] = &[("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];

impl Link {
    /// The links that are always looked at.
    pub fn all() -> Vec<Link> {
        let link = |&(name, title, bandwidth, round_trip): &(&str, &str, f64, f64)| Link {
            name: name.to_owned(),
            title: title.to_owned(),
            bandwidth,
            round_trip,
        };
        LINKS.iter().map(link).collect()
    }

    /// Reads the name of a link, or a link of one's own: `office=50Mbit/s,30ms`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] with what is expected.
    pub fn parse(text: &str) -> Result<Link> {
        let Some((name, rest)) = text.split_once('=') else {
            return Link::all().into_iter().find(|link| link.name == text).ok_or_else(|| {
                let names: Vec<&str> = LINKS.iter().map(|link| link.0).collect();
                Error::new(ErrorKind::Syntax, format!("there is no link {text:?}"))
                    .hint(format!("there are {}; or write NAME=50Mbit/s,30ms", names.join(", ")))
            });
        };
        let (bandwidth, round_trip) = rest.split_once(',').unwrap_or((rest, "0ms"));
        let bandwidth = quantity(bandwidth, BANDWIDTHS)?;
        if bandwidth < 1.0 {
            return Err(Error::new(ErrorKind::Syntax, "a link has at least 1 bit/s"));
        }
        let round_trip = quantity(round_trip, TIMES)?;
        Ok(Link { name: name.to_owned(), title: format!("{name}, {rest}"), bandwidth, round_trip })
    }
}

/// Reads a number with its unit.
///
/// # Errors
/// [`ErrorKind::Syntax`] with the units.
fn quantity(text: &str, units: &[(&str, f64)]) -> Result<f64> {
    let wrong = || {
        let units: Vec<&str> = units.iter().map(|unit| unit.0).collect();
        Error::new(ErrorKind::Syntax, format!("{text:?} is no number with a unit"))
            .hint(format!("write a number and one of {}", units.join(", ")))
    };
    let (number, scale) =
        units.iter().find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, scale))).ok_or_else(wrong)?;
    let number: f64 = number.trim().parse().map_err(|_| wrong())?;
    if number.is_finite() && (0.0..=1e15).contains(&number) { Ok(number * scale) } else { Err(wrong()) }
}

/// Reads a time: `200ms`.
///
/// # Errors
/// [`ErrorKind::Syntax`] with the units.
pub fn duration(text: &str) -> Result<f64> {
    quantity(text, TIMES)
}

/// A range of bandwidths in which one candidate is the fastest from end to end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Segment {
    /// Bits a second from which it is.
    pub from: f64,
    /// Bits a second up to which it is; `None` without end.
    pub to: Option<f64>,
    /// The candidate's id.
    pub winner: String,
}

/// Which candidate is the fastest at which bandwidth, from slow links to fast ones. The time from end to end is
/// `work + 8 * bytes / bandwidth` and a round trip that is the same for all: lines over `8 / bandwidth`, of which the
/// lowest are looked for.
pub fn envelope(candidates: &[&Candidate]) -> Vec<Segment> {
    let mut lines: Vec<&Candidate> = candidates.to_vec();
    // From the steepest, which wins where bits take no time, to the flattest.
    lines.sort_by(|a, b| b.bytes.total_cmp(&a.bytes).then(b.work().total_cmp(&a.work())));
    // Lines of the envelope, with the seconds a byte from which each of them is the lowest.
    let mut lowest: Vec<(&Candidate, f64)> = Vec::new();
    for line in lines {
        let mut from = 0.0;
        let mut covered = false;
        while let Some(&(last, since)) = lowest.last() {
            if line.work() <= last.work() {
                // Fewer bytes and no more work.
                lowest.pop();
                continue;
            }
            let saved = last.bytes - line.bytes;
            if saved <= 0.0 {
                covered = true;
                break;
            }
            from = (line.work() - last.work()) / saved;
            if from > since {
                break;
            }
            lowest.pop();
            from = 0.0;
        }
        if !covered {
            lowest.push((line, from));
        }
    }
    // Bits a second are 8 bits over the seconds a byte takes.
    let bandwidth = |seconds: f64| (seconds > 0.0).then(|| 8.0 / seconds);
    let ends = lowest.iter().skip(1).map(|&(_, from)| from).map(Some).chain([None]);
    let mut segments: Vec<Segment> = lowest
        .iter()
        .zip(ends)
        .map(|(&(candidate, from), end)| Segment {
            from: end.and_then(bandwidth).unwrap_or(0.0),
            to: bandwidth(from),
            winner: candidate.id.clone(),
        })
        .collect();
    segments.reverse();
    segments
}
