//! A codec for messages that are shaped where they are written.

use std::sync::{Arc, Mutex, PoisonError};

use wirewise_core::{Arena, Document, Limits, Losses, Recorder, Result, Schema, TypeId};
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
    let places = places(shaping);
    Box::new(Shaped { inner, shaping: shaping.clone(), places, spaces: Mutex::default() })
}

/// For each type of the shaped schema the one of the base schema that people know instead. Types that shapes make are
/// named after what they are made of.
fn places(shaping: &Shaping) -> Vec<TypeId> {
    let (base, shaped) = (shaping.base(), shaping.shaped());
    let known = |name: &str| {
        let named = base.named_types().filter(|&id| base.name(id).is_some_and(|known| name.starts_with(known)));
        named.max_by_key(|&id| base.name(id).map_or(0, str::len))
    };
    let ids = (0..shaped.types().len()).map(TypeId::from_index);
    ids.map(|id| shaped.name(id).and_then(known).unwrap_or(base.root())).collect()
}

struct Shaped {
    inner: Box<dyn Codec>,
    shaping: Arc<Shaping>,
    places: Vec<TypeId>,
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

    /// Counts what is lost on the wire where people know it.
    fn counted<T>(&self, losses: &mut Losses, work: impl FnOnce(&mut Losses) -> Result<T>) -> Result<T> {
        let mut lost = losses.fresh();
        let done = work(&mut lost);
        losses.absorb(lost, |id| self.places.get(id.index()).copied().unwrap_or(self.shaping.base().root()));
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
        self.counted(losses, |losses| self.undone(input, arena, |wire| self.inner.read(input, wire, losses)))
    }

    /// The bytes are explained as they are: what is read is of the shaped schema, and then undone.
    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        self.counted(losses, |losses| self.undone(input, arena, |wire| self.inner.trace(input, wire, losses, recorder)))
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        self.with(document.limits(), |space| {
            self.shaping.apply_to(document, &mut space.between, &mut space.wire)?;
            let shaped = Document::new(self.shaping.shaped(), document.input(), &space.wire);
            self.counted(losses, |losses| self.inner.encode(&shaped, out, losses))
        })
    }
}
