//! Apache Thrift: structs in the compact and in the binary protocol.

mod binary;
mod compact;
mod decode;
mod default;
mod encode;
mod guess;
mod ids;
pub mod notes;
mod plan;
mod protocol;
mod raw;
mod records;
mod show;
mod skip;
mod steps;

use std::marker::PhantomData;
use std::sync::Arc;

use wirewise_core::{Arena, Document, Limits, Losses, Recorder, Result, Schema, Silent};

pub use ids::{branch_ids, ids};
pub use plan::{entry, is_uuid, is_wide, wire_name};

use crate::{Codec, Format, Framing, Guess, Info, Variant};

/// The Thrift format.
pub(crate) struct Thrift;

static INFO: Info = Info {
    name: "thrift",
    title: "Apache Thrift",
    specification: "Thrift compact and binary protocol, \
                    https://github.com/apache/thrift/tree/master/doc/specs",
    media_types: &["application/vnd.apache.thrift.compact", "application/vnd.apache.thrift.binary"],
    extensions: &["thrift-compact"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "thrift"),
        ("javascript", "thrift"),
        ("browser", "thrift"),
        ("java", "libthrift"),
        ("ruby", "thrift"),
        ("erlang", "thrift"),
        ("python", "thrift"),
        ("go", "apache/thrift"),
    ],
    variants: &[
        Variant {
            id: "thrift-compact",
            media_type: "application/vnd.apache.thrift.compact",
            about: "TCompactProtocol: variable-length integers",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: true,
        },
        Variant {
            id: "thrift-binary",
            media_type: "application/vnd.apache.thrift.binary",
            about: "TBinaryProtocol: integers in their full width",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
    ],
};

impl Format for Thrift {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        Ok(match variant.id {
            "thrift-binary" => Box::new(ThriftCodec::<binary::Binary>::new(schema)?),
            _ => Box::new(ThriftCodec::<compact::Compact>::new(schema)?),
        })
    }

    fn explain(
        &self,
        variant: &'static Variant,
        input: &[u8],
        limits: &Limits,
        recorder: &mut Recorder,
    ) -> Result<usize> {
        match variant.id {
            "thrift-binary" => raw::explain::<binary::Binary>(input, limits, recorder),
            _ => raw::explain::<compact::Compact>(input, limits, recorder),
        }
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        let guesses = [guess::guess::<compact::Compact>(input), guess::guess::<binary::Binary>(input)];
        let of = |(variant, guess): (&'static Variant, Option<(u8, String)>)| {
            let (certainty, why) = guess?;
            Some(Guess { variant, framing: Framing::Concatenated, certainty, why })
        };
        let mut guesses: Vec<Guess> = INFO.variants.iter().zip(guesses).filter_map(of).collect();
        guesses.sort_by_key(|guess| std::cmp::Reverse(guess.certainty));
        guesses
    }
}

/// A plan that is run with one of the protocols.
struct ThriftCodec<P> {
    plan: plan::Plan,
    protocol: PhantomData<P>,
}

impl<P: protocol::Protocol> ThriftCodec<P> {
    fn new(schema: &Arc<Schema>) -> Result<Self> {
        Ok(ThriftCodec { plan: plan::Plan::new(schema, P::tag)?, protocol: PhantomData })
    }
}

impl<P: protocol::Protocol + Send + Sync> Codec for ThriftCodec<P> {
    fn schema(&self) -> &Schema {
        &self.plan.schema
    }

    fn read(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
        decode::read::<P, _>(&self.plan, input, arena, losses, &mut Silent)
    }

    fn trace(&self, input: &[u8], arena: &mut Arena, losses: &mut Losses, recorder: &mut Recorder) -> Result<usize> {
        decode::read::<P, _>(&self.plan, input, arena, losses, recorder)
    }

    fn encode(&self, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
        encode::write::<P>(&self.plan, document, out, losses)
    }
}

#[cfg(test)]
mod tests;
