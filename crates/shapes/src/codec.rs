//! A codec for messages that are shaped where they are written.

use std::sync::{Arc, Mutex, PoisonError};

use wirewise_core::{Arena, Document, Limits, Losses, Recorder, Result, Schema};
use wirewise_formats::Codec;

use crate::shaping::Shaping;

/// A codec for a variant of a format: of the base schema to whoever uses it, of the shaped one on the wire. So whatever
/// works with codecs works with shapes.
///
/// # Errors
/// As those of the format, for the shaped schema.
pub fn plan(variant: &str, shaping: &Arc<Shaping>) -> Result<Box<dyn Codec>> {
    Ok(wrap(wirewise_formats::plan(variant, shaping.shaped())?, shaping))
}

/// The same, of a codec for the shaped schema.
pub fn wrap(inner: Box<dyn Codec>, shaping: &Arc<Shaping>) -> Box<dyn Codec> {
    if shaping.steps().is_empty() {
        return inner;
    }
    Box::new(Shaped { inner, shaping: shaping.clone(), spaces: Mutex::default() })
}

struct Shaped {
    inner: Box<dyn Codec>,
    shaping: Arc<Shaping>,
    /// Memory that was used and can be used again: codecs are shared between threads.
    spaces: Mutex<Vec<Space>>,
}

struct Space {
    wire: Arena,
    between: [Arena; 2],
}

impl Shaped {
    fn with<T>(&self, limits: &Limits, work: impl FnOnce(&mut Space) -> Result<T>) -> Result<T> {
        let kept = self.spaces.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut space = kept.filter(|space| space.wire.limits() == limits).unwrap_or_else(|| Space {
            wire: Arena::new(*limits),
            between: [Arena::new(*limits), Arena::new(*limits)],
        });
        let done = work(&mut space);
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner).push(space);
        done
    }

    /// What is read into the arena for the wire, in its first form.
    fn undone(&self, input: &[u8], arena: &mut Arena, read: impl FnOnce(&mut Arena) -> Result<usize>) -> Result<usize> {
        let limits = *arena.limits();
        self.with(&limits, |space| {
            let used = read(&mut space.wire)?;
            let document = Document::new(self.shaping.shaped(), input, &space.wire);
            self.shaping.undo_to(&document, &mut space.between, arena)?;
            Ok(used)
        })
    }
}

impl Codec for Shaped {
    fn schema(&self) -> &Schema {
        self.shaping.base()
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        self.undone(input, arena, |wire| self.inner.read(input, wire, losses))
    }

    /// The bytes are explained as they are: what is read is of the shaped schema, and then undone.
    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        self.undone(input, arena, |wire| self.inner.trace(input, wire, losses, recorder))
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        self.with(document.limits(), |space| {
            self.shaping.apply_to(document, &mut space.between, &mut space.wire)?;
            let shaped = Document::new(self.shaping.shaped(), document.input(), &space.wire);
            self.inner.encode(&shaped, out, losses)
        })
    }
}
