//! One value: a datum alone, or with the fingerprint of its schema.

use wirewise_core::{Arena, Document, Error, ErrorKind, Losses, Recorder, Result, Role, Schema, Silent, Tracer};

use super::bound::Bound;
use super::plan::Plan;
use super::wire::{Place, Reader};
use crate::Codec;

/// The values alone: readers need the schema they were written with.
pub(super) struct Datum(pub(super) Bound);

/// A datum after two marker bytes and the fingerprint of its schema, by which readers find it in a registry.
pub(super) struct SingleObject(pub(super) Bound);

/// Values that were written with another schema.
pub(super) struct Resolved {
    /// The reader's.
    pub(super) bound: Bound,
    pub(super) plan: Plan,
    /// Of the writer's schema, when values begin with it.
    pub(super) fingerprint: Option<u64>,
}

pub(super) const MARKER: [u8; 2] = [0xC3, 0x01];

impl Codec for Datum {
    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        read(&self.0, &self.0.plan, None, input, arena, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        read(&self.0, &self.0.plan, None, input, arena, recorder)
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
        read(&self.0, &self.0.plan, Some(self.0.fingerprint), input, arena, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        read(&self.0, &self.0.plan, Some(self.0.fingerprint), input, arena, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        out.extend_from_slice(&MARKER);
        out.extend_from_slice(&self.0.fingerprint.to_le_bytes());
        self.0.encode(document, document.root(), out, losses)
    }
}

impl Codec for Resolved {
    fn schema(&self) -> &Schema {
        &self.bound.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses) -> Result<usize> {
        read(&self.bound, &self.plan, self.fingerprint, input, arena, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, _losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        read(&self.bound, &self.plan, self.fingerprint, input, arena, recorder)
    }

    fn encode(&self, _: &Document<'_>, _: &mut Vec<u8>, _: &mut Losses) -> Result<()> {
        Err(Error::new(ErrorKind::Unsupported, "values of a reader's schema are not written with the writer's")
            .hint("write them with their own schema"))
    }
}

fn read<T: Tracer>(
    bound: &Bound,
    plan: &Plan,
    fingerprint: Option<u64>,
    input: &[u8],
    arena: &mut Arena,
    tracer: &mut T,
) -> Result<usize> {
    let mut wire = Reader { input, pos: 0, place: Place::Message };
    if let Some(ours) = fingerprint {
        expect_fingerprint(&mut wire, ours, tracer)?;
    }
    arena.begin(input)?;
    let mut decoder = bound.decoder(plan, wire, input, arena, tracer);
    let root = decoder.root(0)?;
    let used = decoder.wire.pos;
    arena.set_root(root);
    Ok(used)
}

fn expect_fingerprint<T: Tracer>(wire: &mut Reader<'_>, ours: u64, tracer: &mut T) -> Result<()> {
    if !MARKER.starts_with(&wire.input[..wire.input.len().min(MARKER.len())]) {
        return Err(wire
            .syntax(0, "a single object begins with the bytes c3 01")
            .hint("a value without them is the variant avro"));
    }
    wire.take(MARKER.len(), "the bytes c3 01")?;
    tracer.span(0..MARKER.len(), Role::Header, format_args!("marker of single objects"), format_args!(""));
    let bytes = wire.take(8, "the fingerprint of a schema")?.try_into().expect("asked for 8 bytes");
    let found = u64::from_le_bytes(bytes);
    let what = format_args!("CRC-64-AVRO of the schema");
    tracer.span(MARKER.len()..wire.pos, Role::Header, what, format_args!("{found:016x}"));
    if found == ours {
        return Ok(());
    }
    let what = format!("the value was written with another schema: its fingerprint is {found:016x}, not {ours:016x}");
    Err(Error::new(ErrorKind::Unsupported, what).at(MARKER.len()).hint("use the schema it was written with"))
}
