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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wirewise_core::{Arena, Limits, Losses, Schema};

    use crate::plan;

    fn schema() -> Arc<Schema> {
        let text = r#"{"wirewise": "schema/1", "root": "M", "types": [
            {"record": "M", "fields": [
                {"number": 1, "name": "a", "type": "int32"},
                {"number": 2, "name": "inner", "type": "M", "presence": "optional"},
                {"number": 3, "name": "kinds", "type": {"list": "E"}},
                {"number": 4, "name": "by_name", "type": {"map": "E"}},
                {"number": 5, "name": "kind", "type": "E", "presence": "optional"},
                {"number": 6, "name": "either", "type": "U", "presence": "optional"},
                {"number": 7, "name": "nested", "type": {"list": {"list": "E"}}},
                {"number": 8, "name": "set", "type": "S", "presence": "optional"},
                {"number": 9, "name": "empty", "type": {"list": "N"}}]},
            {"record": "N", "fields": []},
            {"record": "S", "notes": {"protobuf.message_set": "true"}, "fields": [
                {"number": 100, "name": "known", "type": "M", "presence": "optional"}]},
            {"union": "U", "branches": [{"number": 1, "name": "x", "type": "int32"}]},
            {"enum": "E", "closed": true, "symbols": [{"number": 0, "name": "A"}, {"number": 1, "name": "B"}]}]}"#;
        Arc::new(Schema::parse(text).unwrap())
    }

    fn again(bytes: &[u8], limits: Limits) -> wirewise_core::Result<Vec<u8>> {
        let schema = schema();
        let codec = plan("protobuf", &schema).unwrap();
        let (mut arena, mut out) = (Arena::new(limits), Vec::new());
        arena.keep_unknown(true);
        let document = codec.decode(bytes, &mut arena, &mut Losses::none())?;
        codec.encode(&document, &mut out, &mut Losses::none())?;
        Ok(out)
    }

    fn kept(bytes: &[u8]) -> Vec<u8> {
        again(bytes, Limits::default()).unwrap_or_else(|error| panic!("{error}: {bytes:02x?}"))
    }

    #[test]
    fn unknown_fields_come_back_after_the_known_ones() {
        for (bytes, written) in [
            // Every layout, and a known number with another one.
            (&b"\x50\x01\x08\x02\x52\x01x"[..], &b"\x08\x02\x50\x01\x52\x01x"[..]),
            (b"\x55abcd\x51abcdefgh", b"\x55abcd\x51abcdefgh"),
            (b"\x53\x5b\x08\x01\x5c\x54\x08\x01", b"\x08\x01\x53\x5b\x08\x01\x5c\x54"),
            (b"\x0a\x01x", b"\x0a\x01x"),
            // Each in its own message, also when that comes in pieces.
            (b"\x50\x01\x12\x02\x50\x02\x50\x03\x12\x02\x50\x04", b"\x12\x04\x50\x02\x50\x04\x50\x01\x50\x03"),
            // Numbers that a closed enum does not have: alone, in lists, in maps as a whole.
            (b"\x28\x07", b"\x28\x07"),
            (b"\x28\x01\x28\x07", b"\x28\x01\x28\x07"),
            (b"\x1a\x03\x00\x07\x01\x18\x08", b"\x1a\x02\x00\x01\x18\x07\x18\x08"),
            (
                b"\x22\x05\x0a\x01k\x10\x07\x22\x05\x0a\x01l\x10\x01",
                b"\x22\x05\x0a\x01l\x10\x01\x22\x05\x0a\x01k\x10\x07",
            ),
            // Unions.
            (b"\x32\x04\x10\x05\x08\x01", b"\x32\x04\x08\x01\x10\x05"),
            // Messages without any field that is known, and others beside them.
            (b"\x4a\x02\x08\x01\x4a\x02\x08\x02\x12\x02\x50\x03", b"\x12\x02\x50\x03\x4a\x02\x08\x01\x4a\x02\x08\x02"),
            // Items of a message set, and what is no item.
            (
                b"\x42\x0e\x0b\x10\x65\x1a\x00\x0c\x0b\x1a\x00\x10\x64\x0c\x28\x09",
                b"\x42\x0e\x0b\x10\x64\x1a\x00\x0c\x0b\x10\x65\x1a\x00\x0c\x28\x09",
            ),
        ] {
            assert_eq!(kept(bytes), written, "{bytes:02x?}");
            assert_eq!(kept(written), written, "{written:02x?}");
        }
    }

    #[test]
    fn what_has_no_place_is_a_loss() {
        // In the message around an element of a list of lists; in an entry of a map.
        for bytes in [&b"\x3a\x02\x08\x07"[..], b"\x22\x05\x0a\x01k\x18\x07"] {
            let error = again(bytes, Limits::default()).unwrap_err();
            assert!(error.to_string().contains("--lossy unknown-field"), "{error}");
        }
    }

    #[test]
    fn many_take_little_memory_or_an_error() {
        let many = b"\x50\x01".repeat(100_000);
        let limits = Limits { memory_bytes: 10_000, ..Limits::default() };
        assert_eq!(again(&many, limits).unwrap(), many);
        let scattered = b"\x50\x01\x08\x00".repeat(100_000);
        assert_eq!(again(&scattered, limits).unwrap_err().kind(), wirewise_core::ErrorKind::Limit);
    }
}
