//! One value: a datum alone, or with the fingerprint of its schema.

use wirewise_core::{Arena, Document, Error, ErrorKind, Losses, Result, Schema};

use super::bound::Bound;
use super::wire::{Place, Reader};
use crate::Codec;

/// The values alone: readers need the schema they were written with.
pub(super) struct Datum(pub(super) Bound);

/// A datum after two marker bytes and the fingerprint of its schema, by which readers find it in a registry.
pub(super) struct SingleObject(pub(super) Bound);

const MARKER: [u8; 2] = [0xC3, 0x01];

impl Codec for Datum {
    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        read(&self.0, input, 0, arena)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        self.0.encode(document, document.root(), out, losses)
    }
}

impl Codec for SingleObject {
    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        let mut wire = Reader { input, pos: 0, place: Place::Message };
        if !MARKER.starts_with(&input[..input.len().min(MARKER.len())]) {
            return Err(wire
                .syntax(0, "a single object begins with the bytes c3 01")
                .hint("a value without them is the variant avro"));
        }
        wire.take(MARKER.len(), "the bytes c3 01")?;
        let bytes = wire.take(8, "the fingerprint of a schema")?.try_into().expect("asked for 8 bytes");
        let found = u64::from_le_bytes(bytes);
        let ours = self.0.fingerprint;
        if found != ours {
            let what =
                format!("the value was written with another schema: its fingerprint is {found:016x}, not {ours:016x}");
            return Err(Error::new(ErrorKind::Unsupported, what)
                .at(MARKER.len())
                .hint("use the schema it was written with"));
        }
        read(&self.0, input, wire.pos, arena)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        out.extend_from_slice(&MARKER);
        out.extend_from_slice(&self.0.fingerprint.to_le_bytes());
        self.0.encode(document, document.root(), out, losses)
    }
}

fn read(bound: &Bound, input: &[u8], pos: usize, arena: &mut Arena) -> Result<usize> {
    arena.begin(input)?;
    let mut decoder = bound.decoder(&bound.plan, Reader { input, pos, place: Place::Message }, input, arena);
    let root = decoder.value(bound.plan.root, 0)?;
    let used = decoder.wire.pos;
    arena.set_root(root);
    Ok(used)
}
