//! What the schema has no place for: a loss, or kept as it came and written back.

use wirewise_core::{LossKind, LossName, Out, Result, Role, Tracer, TypeId};

use super::decode::Reader;
use super::wire::WireType;

/// What unknown fields belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The record or union whose run is there.
    Run(u32),
    /// The entry of a map, which is known or unknown as a whole.
    Entry,
    /// A wrapper, which has no place to keep them.
    Nobody,
}

impl<T: Tracer> Reader<'_, T> {
    /// Passes over a field whose tag at `at` was just read, and which the schema has no place for.
    #[cold]
    pub(super) fn skip(
        &mut self,
        within: TypeId,
        number: u32,
        wire_type: WireType,
        at: usize,
        depth: usize,
    ) -> Result<()> {
        let owner = self.keeper();
        if owner.is_none() {
            self.unknown(within, number, at)?;
        }
        self.cursor.skip(number, wire_type, self.arena.limits().depth.saturating_sub(depth))?;
        if let Some(owner) = owner {
            let bytes = self.arena.text(&self.cursor.input[at..self.cursor.pos])?;
            self.arena.add_unknown(owner, bytes)?;
        }
        if T::ON {
            let bytes = at..self.cursor.pos;
            self.tracer.span(bytes, Role::Unknown, format_args!("field {number}, {wire_type}"), format_args!(""));
        }
        Ok(())
    }

    /// Where what is unknown here is kept, if it is.
    fn keeper(&self) -> Option<u32> {
        match self.owner {
            Owner::Run(at) if self.arena.keeps_unknown() => Some(at),
            _ => None,
        }
    }

    /// Notes a field, or a value, that the schema has no place for.
    #[cold]
    pub(super) fn unknown(&mut self, within: TypeId, number: u32, at: usize) -> Result<()> {
        let noted = self.losses.note(LossKind::UnknownField, within, LossName::Number(number.into()));
        noted.map_err(|error| error.at(at))
    }

    /// A number at `at` that the closed enum of field `number` does not have: to Protobuf an unknown field.
    #[cold]
    pub(super) fn unknown_number(&mut self, within: TypeId, number: u32, value: u64, at: usize) -> Result<()> {
        match self.keeper() {
            // It may come from a packed list, and is kept alone.
            Some(owner) => {
                let bytes = self.arena.text_with(|out| {
                    let mut out = Out::new(out);
                    out.varint(u64::from(number) << 3 | WireType::Varint as u64);
                    out.varint(value);
                    Ok(())
                })?;
                self.arena.add_unknown(owner, bytes)
            }
            // Then the entry is kept as a whole.
            None if self.owner == Owner::Entry && self.arena.keeps_unknown() => Ok(()),
            None => self.unknown(within, number, at),
        }
    }

    /// An entry of a map, from `start` up to here, whose value is a number that its enum does not have.
    #[cold]
    pub(super) fn unknown_entry(&mut self, number: u32, start: usize) -> Result<()> {
        let Some(owner) = self.keeper() else { return Ok(()) };
        let entry = &self.cursor.input[start..self.cursor.pos];
        let bytes = self.arena.text_with(|out| {
            let mut out = Out::new(out);
            out.varint(u64::from(number) << 3 | WireType::Len as u64);
            out.varint(entry.len() as u64);
            out.bytes(entry);
            Ok(())
        })?;
        self.arena.add_unknown(owner, bytes)
    }
}
