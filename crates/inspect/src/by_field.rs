//! Where the bytes go.

use std::collections::{HashMap, HashSet};

use crate::item::{Item, Kind, Label};

/// Places that are told apart; the bytes of all that come later are added up as one, so that what is read cannot grow
/// the table without bound.
const MOST_PLACES: usize = 20_000;

/// The name of what comes after [`MOST_PLACES`].
const OTHERS: &str = "(others)";

/// Bytes of a stream, added up by the field they are about.
#[derive(Debug, Default)]
pub struct ByField {
    places: HashMap<String, Place>,
    /// What stands around messages.
    pub framing: Place,
    /// Messages.
    pub messages: u64,
    /// Bytes of all that is counted: of messages and what is around them.
    pub bytes: u64,
    /// Compressed bytes inside of the stream, and what they decompress to. The latter are what is counted.
    pub packed: u64,
    /// See `packed`.
    pub unpacked: u64,
}

/// A field of all messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Its path, `$.items[*].name`.
    pub place: String,
    /// How many values there are.
    pub count: u64,
    /// Bytes by [`Kind::index`].
    pub bytes: [u64; Kind::COUNT],
}

impl Place {
    /// All bytes.
    pub fn total(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// Bytes of the values themselves.
    pub fn payload(&self) -> u64 {
        let is_payload = |kind: &Kind| matches!(kind, Kind::Role(role) if role.is_payload());
        Kind::all().filter(is_payload).map(|kind| self.bytes[kind.index()]).sum()
    }

    /// Bytes that carry the values.
    pub fn overhead(&self) -> u64 {
        self.total() - self.payload()
    }
}

impl ByField {
    /// Adds an item.
    pub fn add(&mut self, item: &Item<'_>) {
        match item.label {
            Label::Packed { unpacked } => {
                self.packed += item.bytes.len() as u64;
                self.unpacked += unpacked;
                return;
            }
            Label::Framing => self.framing.count += 1,
            Label::Message { .. } => self.messages += 1,
        }
        self.bytes += item.bytes.len() as u64;
        if item.rows.is_empty() && !item.bytes.is_empty() {
            return self.add_totals(item);
        }
        let mut end = 0;
        let mut paths: HashSet<&str> = HashSet::new();
        for row in &item.rows {
            // Several values in the same bytes: they are counted for the first.
            let len = row.bytes.end.saturating_sub(row.bytes.start.max(end)) as u64;
            end = end.max(row.bytes.end);
            match item.label {
                Label::Framing => self.framing.bytes[row.kind.index()] += len,
                _ => {
                    let place = self.place(&row.place);
                    place.bytes[row.kind.index()] += len;
                    place.count += u64::from(paths.insert(&row.path));
                }
            }
        }
    }

    /// Adds a message of which there are only sums.
    fn add_totals(&mut self, item: &Item<'_>) {
        let mut left = item.bytes.len() as u64;
        for total in &item.totals {
            let place = self.place(&total.place);
            place.count += total.count;
            for (sum, bytes) in place.bytes.iter_mut().zip(total.bytes) {
                *sum += bytes;
                left -= bytes;
            }
        }
        if left > 0 {
            let kind = if item.error.is_some() { Kind::Unread } else { Kind::Unexplained };
            let place = self.place("");
            place.count += 1;
            place.bytes[kind.index()] += left;
        }
    }

    fn place(&mut self, name: &str) -> &mut Place {
        let name = match name {
            // What the format says nothing of.
            "" => "(no field)",
            name if self.places.len() < MOST_PLACES || self.places.contains_key(name) => name,
            _ => OTHERS,
        };
        if !self.places.contains_key(name) {
            self.places.insert(name.to_owned(), Place { place: name.to_owned(), ..Place::default() });
        }
        self.places.get_mut(name).expect("it was put there")
    }

    /// The fields, those with the most bytes first.
    pub fn places(&self) -> Vec<&Place> {
        let mut places: Vec<_> = self.places.values().collect();
        places.sort_by(|a, b| b.total().cmp(&a.total()).then_with(|| a.place.cmp(&b.place)));
        places
    }
}
