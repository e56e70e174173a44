//! Which bytes have been explained: offsets may point to the same place again, and what nothing points to is padding.

use std::collections::BTreeMap;
use std::ops::Range;

use wirewise_core::{Role, Tracer};

/// The bytes that spans were reported for, and what is known of the others.
#[derive(Debug, Default)]
pub(super) struct Spans {
    /// Ends by starts; none overlap.
    ranges: BTreeMap<usize, usize>,
    /// Where fields lie that the schema does not know, with their ids.
    unknown: BTreeMap<usize, usize>,
    /// Up to where everything is explained.
    filled: usize,
}

impl Spans {
    /// Remembers these bytes; `false` when some of them were explained before.
    pub(super) fn add(&mut self, bytes: Range<usize>) -> bool {
        let before = self.ranges.range(..bytes.end).next_back();
        let free = !bytes.is_empty() && before.is_none_or(|(_, &end)| end <= bytes.start);
        if free {
            self.ranges.insert(bytes.start, bytes.end);
        }
        free
    }

    /// Remembers where a field starts that the schema does not know.
    pub(super) fn unknown(&mut self, at: usize, id: usize) {
        self.unknown.insert(at, id);
    }

    /// Explains what lies between the spans, up to `end`.
    pub(super) fn fill<T: Tracer>(&mut self, input: &[u8], end: usize, tracer: &mut T) {
        let ranges = std::mem::take(&mut self.ranges);
        let mut at = self.filled;
        for (start, stop) in ranges.into_iter().chain([(end, end)]) {
            if at < start {
                self.gap(input, at..start, tracer);
            }
            at = at.max(stop);
        }
        self.filled = end;
        self.unknown.clear();
    }

    /// Explains what only aligns, between what was explained of a buffer that is broken.
    pub(super) fn pad<T: Tracer>(&mut self, input: &[u8], tracer: &mut T) {
        let mut at = self.filled;
        for (&start, &end) in &self.ranges {
            if (at + 1..at + 8).contains(&start) && input[at..start].iter().all(|&byte| byte == 0) {
                tracer.span(at..start, Role::Padding, format_args!("padding"), format_args!(""));
            }
            at = at.max(end);
        }
    }

    fn gap<T: Tracer>(&self, input: &[u8], bytes: Range<usize>, tracer: &mut T) {
        let first = self.unknown.range(bytes.clone()).next().map_or(bytes.end, |(&at, _)| at);
        let padding = bytes.start..first;
        if input[padding.clone()].iter().all(|&byte| byte == 0) {
            tracer.span(padding, Role::Padding, format_args!("padding"), format_args!(""));
        } else {
            tracer.span(padding, Role::Unknown, format_args!("bytes that nothing refers to"), format_args!(""));
        }
        let mut starts = self.unknown.range(bytes.clone()).peekable();
        while let Some((&at, id)) = starts.next() {
            let end = starts.peek().map_or(bytes.end, |&(&at, _)| at);
            let what = format_args!("field {id}, which the schema does not have");
            tracer.span(at..end, Role::Unknown, what, format_args!(""));
        }
    }
}
