//! Numbers for new fields and branches.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use wirewise_core::{Error, ErrorKind, Result};

/// Field numbers that Protobuf keeps for itself.
const NOT_FOR_FIELDS: RangeInclusive<u32> = 19_000..=19_999;
/// The largest number of a field or branch.
const LARGEST: u32 = 0x1FFF_FFFF;

/// Gives numbers out.
pub(super) struct Numbering {
    used: HashSet<u32>,
    next: u32,
}

impl Numbering {
    /// Begins after the largest number ever used.
    pub(super) fn after(used: impl Iterator<Item = u32>) -> Self {
        let used: HashSet<u32> = used.collect();
        Numbering { next: used.iter().max().map_or(1, |max| max.saturating_add(1)), used }
    }

    pub(super) fn next(&mut self) -> Result<u32> {
        if NOT_FOR_FIELDS.contains(&self.next) {
            self.next = NOT_FOR_FIELDS.end() + 1;
        }
        if self.next > LARGEST {
            // The largest number is taken: fill the gaps.
            let free = (1..=LARGEST).find(|n| !self.used.contains(n) && !NOT_FOR_FIELDS.contains(n));
            let free = free.ok_or_else(|| Error::new(ErrorKind::Schema, "there are no field numbers left"))?;
            self.used.insert(free);
            return Ok(free);
        }
        self.used.insert(self.next);
        self.next += 1;
        Ok(self.next - 1)
    }
}
