//! Protocol Buffers: one message, or messages after their lengths.

mod decode;
mod encode;
mod guess;
mod message_set;
pub mod names;
pub mod notes;
mod ops;
mod plan;
mod raw;
mod readings;
mod repeated;
mod scalars;
mod steps;
mod trace;
mod unknown;
mod usual;
mod wire;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Kind, Limits, Losses, Recorder, Result, Schema, TypeId};

use crate::{Codec, Format, Framing, Guess, Info, Variant};
use plan::Plan;
pub(crate) use plan::{is_labelled, is_zero_when_missing};

/// The Protocol Buffers format.
pub(crate) struct Protobuf;

static INFO: Info = Info {
    name: "protobuf",
    title: "Protocol Buffers",
    specification: "Protocol Buffers encoding, proto3, https://protobuf.dev/programming-guides/encoding/",
    media_types: &["application/protobuf", "application/x-protobuf", "application/vnd.google.protobuf"],
    extensions: &["pb", "binpb", "pbf"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "prost"),
        ("javascript", "@bufbuild/protobuf"),
        ("browser", "@bufbuild/protobuf"),
        ("java", "protobuf-java"),
        ("ruby", "google-protobuf"),
        ("erlang", "gpb"),
        ("python", "protobuf"),
        ("go", "google.golang.org/protobuf"),
    ],
    variants: &[
        Variant {
            id: "protobuf",
            media_type: "application/protobuf",
            about: "one message",
            text: false,
            schemaless: false,
            framing: Framing::Varint,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
        Variant {
            id: "protobuf-delimited",
            media_type: "application/protobuf;variant=delimited",
            about: "messages after their lengths",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: true,
            evolves: true,
            partial_read: false,
            compact: false,
        },
    ],
};

impl Format for Protobuf {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        let delimited = variant.id == "protobuf-delimited";
        let (root, payload) = match schema.kind(schema.root()) {
            Kind::List(item) if delimited => (*item, Payload::Stream),
            _ if delimited => (schema.root(), Payload::Delimited),
            _ => (schema.root(), Payload::Message),
        };
        Ok(Box::new(ProtobufCodec { schema: schema.clone(), plan: Plan::new(schema, root)?, payload }))
    }

    /// Numbers and layouts of fields are in the bytes; what they read as is not said, only what is plausible.
    fn explain(
        &self,
        variant: &'static Variant,
        input: &[u8],
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<usize> {
        raw::explain(variant.id == "protobuf-delimited", input, limits, recorder)
    }

    fn keeps_unknown(&self) -> bool {
        true
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        guess::guess(&INFO, input)
    }
}

/// A codec for single messages of type `ty` of a schema with another root: their documents' roots have that type.
pub(crate) fn message_codec(schema: &Arc<Schema>, ty: TypeId) -> Result<Box<dyn Codec>> {
    Ok(Box::new(ProtobufCodec { schema: schema.clone(), plan: Plan::new(schema, ty)?, payload: Payload::Message }))
}

/// A schema compiled for Protocol Buffers.
struct ProtobufCodec {
    schema: Arc<Schema>,
    plan: Plan,
    payload: Payload,
}

/// What a payload is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Payload {
    /// All of it is one message.
    Message,
    /// A message after its length.
    Delimited,
    /// The elements of a list, each a message after its length.
    Stream,
}

impl Codec for ProtobufCodec {
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
        encode::write(self, document, out, losses)
    }
}

#[cfg(test)]
mod tests;
