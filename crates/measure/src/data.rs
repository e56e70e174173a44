//! The messages to measure, and their schema.

use std::ops::Range;
use std::sync::Arc;

use wirewise_core::{Error, ErrorKind, Result, Schema};
use wirewise_formats::Framing;
use wirewise_schema::Messages;

/// Messages of one schema, as JSON text.
pub struct Data {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) messages: Vec<Range<usize>>,
    pub(crate) total: u64,
    pub(crate) schema: Arc<Schema>,
    pub(crate) origin: String,
    pub(crate) framing: Framing,
    /// An earlier version of all of it, as a JSON array, or of the only message.
    pub(crate) previous: Option<Vec<u8>>,
}

impl Data {
    /// `messages` says where the messages lie in `bytes`; `name` and `origin` tell readers of the report where the data
    /// and the schema came from (`inferred`, or a file's name).
    ///
    /// # Errors
    /// [`ErrorKind::Data`] when there is no message.
    pub fn new(
        name: impl Into<String>,
        bytes: Vec<u8>,
        messages: &Messages,
        schema: Arc<Schema>,
        origin: impl Into<String>,
    ) -> Result<Self> {
        let (framing, messages) = (messages.framing(), messages.ranges().to_vec());
        if messages.is_empty() {
            return Err(Error::new(ErrorKind::Data, "there is no message in the input")
                .hint("give one JSON document, an array of objects, or one document a line"));
        }
        let total = messages.len() as u64;
        Ok(Data { name: name.into(), bytes, messages, total, schema, origin: origin.into(), framing, previous: None })
    }

    /// Adds an earlier version of the data, all of it: what someone who polls has already.
    ///
    /// # Errors
    /// [`ErrorKind::Data`] when there is one message in one of them and several in the other.
    pub fn with_previous(mut self, bytes: &[u8], messages: &Messages) -> Result<Self> {
        let messages = messages.ranges();
        self.previous = Some(match (self.messages.len(), messages) {
            (1, [message]) => bytes[message.clone()].to_vec(),
            (1, _) | (_, []) => {
                let message = format!("the earlier version has {} messages, the data {}", messages.len(), self.total);
                return Err(Error::new(ErrorKind::Data, message).hint("give two versions of the same data"));
            }
            _ => array(bytes, messages),
        });
        Ok(self)
    }

    /// Keeps the first `count` messages.
    #[must_use]
    pub fn first(mut self, count: usize) -> Self {
        self.messages.truncate(count.max(1));
        self.total = self.messages.len() as u64;
        self
    }

    /// Keeps `count` messages, spread evenly.
    #[must_use]
    pub fn sample(mut self, count: usize) -> Self {
        self.messages = evenly(self.messages.len(), count).map(|i| self.messages[i].clone()).collect();
        self
    }

    /// The input as it was given.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The schema of a message.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// How many messages are measured.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there are none; [`Data::new`] does not allow it.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(crate) fn message(&self, index: usize) -> &[u8] {
        &self.bytes[self.messages[index].clone()]
    }

    /// All messages as one JSON array.
    pub(crate) fn array(&self) -> Vec<u8> {
        array(&self.bytes, &self.messages)
    }
}

fn array(bytes: &[u8], messages: &[Range<usize>]) -> Vec<u8> {
    let mut out = vec![b'['];
    for (i, range) in messages.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&bytes[range.clone()]);
    }
    out.push(b']');
    out
}

/// `count` of `len` indices, spread evenly; all when there are no more.
pub(crate) fn evenly(len: usize, count: usize) -> impl Iterator<Item = usize> {
    let count = count.clamp(1, len.max(1)).min(len);
    (0..count).map(move |i| i * len / count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread_evenly() {
        assert_eq!(evenly(10, 3).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(evenly(3, 10).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(evenly(0, 10).count(), 0);
        assert_eq!(evenly(5, 0).count(), 1);
    }
}
