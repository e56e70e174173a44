//! Cap'n Proto: framed and packed messages.

mod decode;
mod encode;
mod explain;
mod fields;
mod flat;
mod frame;
mod layout;
mod message;
pub mod notes;
mod packed;
mod plan;
mod record;
pub mod shape;
mod simple;
mod trace;
mod unknown;
mod value;

pub use fields::{FieldPlace, Fields, Place, UnionPlace, fields};
pub use plan::{Places, places};

use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Recorder, Result, Schema};

use crate::{Codec, Format, Framing, Guess, Info, Variant};

/// The Cap'n Proto format.
pub(crate) struct Capnp;

static INFO: Info = Info {
    name: "capnp",
    title: "Cap'n Proto",
    specification: "Cap'n Proto 1.0 encoding, https://capnproto.org/encoding.html",
    media_types: &["application/capnp", "application/x-capnp"],
    extensions: &["capnpb"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "capnp"),
        ("javascript", "capnp-es"),
        ("browser", "capnp-es"),
        ("java", "capnproto-java"),
        ("python", "pycapnp"),
        ("go", "capnproto.org/go/capnp"),
    ],
    variants: &[
        Variant {
            id: "capnp",
            media_type: "application/capnp",
            about: "segment table and segments as they are",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: true,
            partial_read: true,
            compact: false,
        },
        Variant {
            id: "capnp-packed",
            media_type: "application/capnp;variant=packed",
            about: "the same with zero bytes packed away",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: true,
        },
    ],
};

impl Format for Capnp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        let packed = variant.id == "capnp-packed";
        let mut codec = CapnpCodec { plan: plan::Plan::new(schema)?, schema: schema.clone(), packed };
        for i in 0..codec.plan.defaults.len() {
            codec.plan.defaults[i].message = codec.default_message(i)?;
        }
        Ok(Box::new(codec))
    }

    fn explain(
        &self,
        variant: &'static Variant,
        input: &[u8],
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<usize> {
        explain::explain(variant.id == "capnp-packed", input, limits, recorder)
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        explain::guess(input, INFO.variants)
    }
}

/// A schema compiled for Cap'n Proto.
struct CapnpCodec {
    schema: Arc<Schema>,
    plan: plan::Plan,
    packed: bool,
}

impl CapnpCodec {
    /// A default that only notes know, as a message.
    fn default_message(&self, index: usize) -> Result<Vec<u8>> {
        let default = &self.plan.defaults[index];
        let mut arena = Arena::new(Limits::default());
        arena.begin(b"")?;
        let cell = value::fill(&self.schema, &mut arena, default.ty, &default.json, 0)?;
        arena.set_root(cell);
        encode::write_default(self, &Document::new(&self.schema, b"", &arena), default.ty)
    }
}

impl Codec for CapnpCodec {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read(self, input, arena, losses)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        decode::trace(self, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        if self.packed {
            let mut message = Vec::new();
            encode::write(self, document, &mut message, losses)?;
            packed::pack(&message, out);
            return Ok(());
        }
        encode::write(self, document, out, losses)
    }
}

#[cfg(test)]
mod tests;
