//! Spans of a message added up as they come: memory grows with the fields that there are, not with the values.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::Role;
use crate::error::{Segment, render_path};

/// Places that are told apart; what comes later is added up as one.
const MOST_PLACES: usize = 20_000;

/// Its name.
const OTHERS: &str = "(others)";

/// Values of which it is known whether they were counted before; those that come later are counted each time that a
/// decoder comes to them, which is once for nearly all.
const MOST_VALUES: usize = 1 << 21;

/// What all values of a place take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    /// The place, as [`Span::place`](super::Span::place).
    pub place: String,
    /// How many values there are.
    pub count: u64,
    /// Bytes by role, in the order of [`Role::ALL`].
    pub bytes: [u64; Role::ALL.len()],
}

/// A place, and where it goes on from there.
#[derive(Debug)]
struct Node {
    total: Total,
    fields: HashMap<String, usize>,
    index: Option<usize>,
    key: Option<usize>,
}

/// A step of the path that is open.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: usize,
    /// Of the whole path, with indices and keys.
    hash: u64,
    is_counted: bool,
}

#[derive(Debug)]
pub(super) struct Totals {
    nodes: Vec<Node>,
    path: Vec<Step>,
    values: HashSet<u64>,
    /// A bit for each byte of the message: bytes that several values share are counted once.
    covered: Vec<u64>,
}

impl Totals {
    pub(super) fn new() -> Totals {
        let mut totals = Totals { nodes: Vec::new(), path: Vec::new(), values: HashSet::new(), covered: Vec::new() };
        totals.clear();
        totals
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.values.clear();
        self.covered.clear();
        self.node("$".to_owned());
        self.path = vec![Step { node: 0, hash: 0, is_counted: false }];
    }

    /// A new place; the last one is for all that are too many.
    fn node(&mut self, place: String) -> usize {
        if self.nodes.len() > MOST_PLACES {
            return MOST_PLACES;
        }
        let place = if self.nodes.len() == MOST_PLACES { OTHERS.to_owned() } else { place };
        let total = Total { place, count: 0, bytes: [0; Role::ALL.len()] };
        self.nodes.push(Node { total, fields: HashMap::new(), index: None, key: None });
        self.nodes.len() - 1
    }

    fn top(&self) -> Step {
        *self.path.last().expect("the root is never left")
    }

    fn enter(&mut self, node: usize, step: impl Hash) {
        let mut hasher = DefaultHasher::new();
        (self.top().hash, step).hash(&mut hasher);
        self.path.push(Step { node, hash: hasher.finish(), is_counted: false });
    }

    pub(super) fn field(&mut self, name: &str) {
        let parent = self.top().node;
        let node = match self.nodes[parent].fields.get(name) {
            Some(&node) => node,
            None if parent == MOST_PLACES || self.nodes.len() > MOST_PLACES => MOST_PLACES,
            None => {
                let step = Segment::Field(name.to_owned());
                let step = render_path(std::iter::once(&step));
                let place = format!("{}{}", self.nodes[parent].total.place, step.strip_prefix('$').unwrap_or(&step));
                let node = self.node(place);
                self.nodes[parent].fields.insert(name.to_owned(), node);
                node
            }
        };
        self.enter(node, (0, name));
    }

    pub(super) fn index(&mut self, index: usize) {
        let parent = self.top().node;
        let node = match self.nodes[parent].index {
            Some(node) => node,
            None if parent == MOST_PLACES => MOST_PLACES,
            None => {
                let node = self.node(format!("{}[*]", self.nodes[parent].total.place));
                self.nodes[parent].index = Some(node);
                node
            }
        };
        self.enter(node, (1, index));
    }

    pub(super) fn key(&mut self, key: &[u8]) {
        let parent = self.top().node;
        let node = match self.nodes[parent].key {
            Some(node) => node,
            None if parent == MOST_PLACES => MOST_PLACES,
            None => {
                let node = self.node(format!("{}.*", self.nodes[parent].total.place));
                self.nodes[parent].key = Some(node);
                node
            }
        };
        self.enter(node, (2, key));
    }

    pub(super) fn leave(&mut self) {
        if self.path.len() > 1 {
            self.path.pop();
        }
    }

    pub(super) fn span(&mut self, bytes: Range<usize>, role: Role) {
        let top = self.top();
        if !top.is_counted {
            self.path.last_mut().expect("the root is never left").is_counted = true;
            let is_new = self.values.len() >= MOST_VALUES || self.values.insert(top.hash);
            self.nodes[top.node].total.count += u64::from(is_new);
        }
        self.nodes[top.node].total.bytes[role as usize] += self.cover(bytes);
    }

    /// Marks bytes; how many of them were not marked before.
    fn cover(&mut self, bytes: Range<usize>) -> u64 {
        let words = bytes.end.div_ceil(64);
        if self.covered.len() < words {
            self.covered.resize(words.max(2 * self.covered.len()), 0);
        }
        let mut new = 0;
        let mut at = bytes.start;
        while at < bytes.end {
            let end = (at / 64 * 64 + 64).min(bytes.end);
            let mask = (u64::MAX >> (64 - (end - at))) << (at % 64);
            let word = &mut self.covered[at / 64];
            new += u64::from((mask & !*word).count_ones());
            *word |= mask;
            at = end;
        }
        new
    }

    /// The places that something was said of.
    pub(super) fn take(&mut self) -> Vec<Total> {
        let totals = self.nodes.drain(..).map(|node| node.total).filter(|total| total.count > 0).collect();
        self.clear();
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_bytes_are_counted_once() {
        let mut totals = Totals::new();
        totals.span(0..1, Role::Length);
        for index in [0, 1, 1] {
            totals.field("tags");
            totals.index(index);
            totals.span(1 + 70 * index..71 + 70 * index, Role::Payload);
            totals.span(1 + 70 * index..71 + 70 * index, Role::Name);
            totals.leave();
            totals.leave();
        }
        totals.leave();
        totals.key(b"k");
        totals.span(200..300, Role::Payload);
        let found: Vec<_> = totals
            .take()
            .into_iter()
            .map(|total| (total.place, total.count, total.bytes.iter().sum::<u64>()))
            .collect();
        let expected = [("$", 1, 1), ("$.tags[*]", 2, 140), ("$.*", 1, 100)];
        assert_eq!(found, expected.map(|(place, count, bytes)| (place.to_owned(), count, bytes)));
        assert!(totals.take().is_empty());
    }

    #[test]
    fn places_are_bounded() {
        let mut totals = Totals::new();
        for i in 0..50_000 {
            totals.field(&i.to_string());
            totals.index(0);
            totals.span(i..i + 1, Role::Payload);
            totals.leave();
            totals.leave();
        }
        assert!(totals.nodes.len() <= MOST_PLACES + 1);
        let found = totals.take();
        assert_eq!(found.iter().map(|total| total.bytes.iter().sum::<u64>()).sum::<u64>(), 50_000);
        assert_eq!(found.last().unwrap().place, OTHERS);
    }
}
