//! FlatBuffers: tables behind offsets, read in place; plain and size-prefixed.

mod buffer;
mod builder;
mod decode;
mod encode;
mod flat;
mod guess;
pub mod notes;
mod plan;
mod sorted;
mod structs;
mod vtables;

use std::sync::Arc;

use wirewise_core::{Arena, Document, Losses, Recorder, Result, Schema, Silent};

use crate::{Codec, Format, Framing, Guess, Info, Variant};
use plan::Plan;
pub use plan::{ids, underlying};

/// The FlatBuffers format.
pub(crate) struct FlatBuffers;

static INFO: Info = Info {
    name: "flatbuffers",
    title: "FlatBuffers",
    specification: "FlatBuffers internals (binary format of 2.0), https://flatbuffers.dev/internals/",
    media_types: &["application/x-flatbuffers"],
    extensions: &["fb"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "flatbuffers"),
        ("javascript", "flatbuffers"),
        ("browser", "flatbuffers"),
        ("java", "flatbuffers-java"),
        ("python", "flatbuffers"),
        ("go", "google/flatbuffers"),
    ],
    variants: &[
        Variant {
            id: "flatbuffers",
            media_type: "application/x-flatbuffers",
            about: "one buffer, as flatc writes it",
            text: false,
            schemaless: false,
            framing: Framing::U32Le,
            list_is_stream: false,
            evolves: true,
            partial_read: true,
            compact: false,
        },
        Variant {
            id: "flatbuffers-size-prefixed",
            media_type: "application/x-flatbuffers;variant=size-prefixed",
            about: "each buffer after its size as 4 bytes",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: true,
            evolves: true,
            partial_read: true,
            compact: false,
        },
    ],
};

impl Format for FlatBuffers {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        let size_prefixed = variant.id == "flatbuffers-size-prefixed";
        let plan = Plan::new(schema, variant.list_is_stream)?;
        Ok(Box::new(FlatBuffersCodec { schema: schema.clone(), plan, size_prefixed }))
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        guess::guess(input)
    }
}

/// A schema compiled for FlatBuffers.
struct FlatBuffersCodec {
    schema: Arc<Schema>,
    plan: Plan,
    size_prefixed: bool,
}

impl Codec for FlatBuffersCodec {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read(self, input, arena, losses, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        decode::read(self, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        encode::write(self, document, out, losses)
    }
}

#[cfg(test)]
mod flat_tests;
#[cfg(test)]
mod tests;
