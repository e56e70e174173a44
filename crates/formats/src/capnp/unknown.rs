//! Data that the schema has no field for: fields of a newer schema. It may be dropped, but never silently.

use wirewise_core::{LossKind, LossName, Result, Tracer, TypeId};

use super::decode::Reader;
use super::message::StructView;
use super::plan::Struct;

impl<T: Tracer> Reader<'_, T> {
    /// Notes what a struct has that the schema does not know.
    pub(super) fn check_unknown(&mut self, plan: &Struct, view: StructView) -> Result<()> {
        let is_ours = view.data_bits == 64 * plan.data_words && view.pointer_count == plan.pointers;
        if is_ours && !plan.has_holes {
            return Ok(());
        }
        for (word, start) in (0..view.data_bits).step_by(64).enumerate() {
            let used = plan.used.get(word).copied().unwrap_or_default();
            if used != u64::MAX && self.data_word(view, start) & !used != 0 {
                self.unknown(plan.ty, format!("data word {word}"), view.data + start / 8)?;
            }
        }
        self.check_pointers(plan.ty, view, plan.pointers)
    }

    /// The same for an element that is no struct in the schema.
    pub(super) fn check_unknown_element(
        &mut self,
        item: TypeId,
        view: StructView,
        bits: usize,
        pointers: usize,
    ) -> Result<()> {
        if view.data_bits > bits {
            for (word, start) in (0..view.data_bits).step_by(64).enumerate() {
                let used = if word == 0 && bits > 0 { u64::MAX >> (64 - bits) } else { 0 };
                if self.data_word(view, start) & !used != 0 {
                    self.unknown(item, format!("data word {word}"), view.data + start / 8)?;
                }
            }
        }
        self.check_pointers(item, view, pointers)
    }

    fn check_pointers(&mut self, ty: TypeId, view: StructView, known: usize) -> Result<()> {
        for index in known..view.pointer_count {
            if let Some(at) = view.pointer(index).filter(|&at| !self.message.is_null(at)) {
                self.unknown(ty, format!("pointer {index}"), at.byte)?;
            }
        }
        Ok(())
    }

    /// The data that begins at bit `start`, at most a word; an element of a list may have less.
    fn data_word(&self, view: StructView, start: usize) -> u64 {
        let lg = (view.data_bits - start).min(64).ilog2();
        view.data(self.message.bytes, start, lg)
    }

    #[cold]
    pub(super) fn unknown(&mut self, ty: TypeId, name: String, at: usize) -> Result<()> {
        self.losses.note(LossKind::UnknownField, ty, LossName::Name(&name)).map_err(|error| error.at(at))
    }
}
