//! Which counter, and which `Server-Timing`, belongs to which body of a version: looked up by place, so that a request neither
//! locks nor makes text.

use std::sync::Arc;
use std::time::SystemTime;

use arc_swap::ArcSwapOption;
use http::HeaderValue;

use super::ResourceMeters;
use super::meters::Hit;
use crate::respond::Chosen;
use crate::version::{Body, Representation, Version};

/// The codings of differences.
const DELTAS: [&str; 2] = ["dcz", "dcb"];

/// The counters of a version.
pub struct Tally {
    /// The size of plain JSON, where that is served.
    json: u64,
    made: SystemTime,
    has_timing: bool,
    rows: Vec<Vec<Slot>>,
}

struct Slot {
    hit: Arc<Hit>,
    /// What `Server-Timing` says, and at which age.
    timing: ArcSwapOption<(u64, HeaderValue)>,
}

impl Tally {
    /// The counters of a version; they are those of the resource.
    pub fn new(version: &Version, meters: &ResourceMeters, has_timing: bool) -> Tally {
        let slots = |representation: &Representation| {
            let codings = representation.bodies.iter().map(|body| body.coding).chain(DELTAS);
            let slot = |coding| Slot {
                hit: meters.hit((representation.variant.id, representation.is_shaped, coding)),
                timing: ArcSwapOption::empty(),
            };
            codings.map(slot).collect()
        };
        let json = version.representations.iter().find(|found| found.variant.id == "json" && !found.is_shaped);
        Tally {
            json: json.map_or(0, |json| json.identity().len() as u64),
            made: version.made,
            has_timing,
            rows: version.representations.iter().map(slots).collect(),
        }
    }

    fn slot(&self, version: &Version, chosen: &Chosen<'_>) -> Option<&Slot> {
        let row = version.representations.iter().position(|found| std::ptr::eq(found, chosen.representation))?;
        let bodies = &chosen.representation.bodies;
        let at = bodies.iter().position(|body| std::ptr::eq(body, chosen.body)).or_else(|| {
            let delta = DELTAS.iter().position(|coding| *coding == chosen.body.coding)?;
            Some(bodies.len() + delta)
        })?;
        self.rows.get(row)?.get(at)
    }

    /// Counts a response with this many bytes of the body.
    pub(crate) fn count(&self, version: &Version, chosen: &Chosen<'_>, sent: usize, is_whole: bool) {
        let Some(slot) = self.slot(version, chosen) else { return };
        slot.hit.count.add(1);
        slot.hit.sent.add(sent as u64);
        if is_whole {
            slot.hit.saved.add(self.json.saturating_sub(sent as u64));
        }
    }

    /// What `Server-Timing` says of the body: made anew once a second at most.
    pub(crate) fn timing(&self, version: &Version, chosen: &Chosen<'_>) -> Option<HeaderValue> {
        let slot = self.slot(version, chosen).filter(|_| self.has_timing)?;
        let age = SystemTime::now().duration_since(self.made).map_or(0, |age| age.as_secs());
        if let Some(made) = &*slot.timing.load()
            && made.0 == age
        {
            return Some(made.1.clone());
        }
        let made = timing(chosen.representation, chosen.body, age)?;
        slot.timing.store(Some(Arc::new((age, made.clone()))));
        Some(made)
    }
}

fn timing(representation: &Representation, body: &Body, age: u64) -> Option<HeaderValue> {
    let encode = representation.encode.as_secs_f64() * 1e3;
    let compress = match body.coding {
        "identity" => String::new(),
        coding => format!(", compress;desc={coding};dur={:.3}", body.time.as_secs_f64() * 1e3),
    };
    HeaderValue::try_from(format!("encode;dur={encode:.3}{compress}, age;dur={}", age * 1000)).ok()
}
