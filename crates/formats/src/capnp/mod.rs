//! Cap'n Proto: framed and packed messages.

mod decode;
mod encode;
mod layout;
mod message;
mod packed;
mod plan;
mod unknown;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Losses, Result, Schema};

use crate::{Codec, Format, Framing, Info, Variant};

/// The Cap'n Proto format.
pub(crate) struct Capnp;

static INFO: Info = Info {
    name: "capnp",
    title: "Cap'n Proto",
    specification: "Cap'n Proto 1.0 encoding, https://capnproto.org/encoding.html",
    media_types: &["application/capnp", "application/x-capnp"],
    extensions: &["capnpb"],
    help: include_str!("help.md"),
    variants: &[
        Variant {
            id: "capnp",
            about: "segment table and segments as they are",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
        },
        Variant {
            id: "capnp-packed",
            about: "the same with zero bytes packed away",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
        },
    ],
};

impl Format for Capnp {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        let packed = variant.id == "capnp-packed";
        Ok(Box::new(CapnpCodec { plan: plan::Plan::new(schema)?, schema: schema.clone(), packed }))
    }
}

/// A schema compiled for Cap'n Proto.
struct CapnpCodec {
    schema: Arc<Schema>,
    plan: plan::Plan,
    packed: bool,
}

impl Codec for CapnpCodec {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read(self, input, arena, losses)
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
