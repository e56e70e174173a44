//! The libraries that the engine is compared with, one module for each or for each format.
//!
//! A peer decodes a format into a [`Shape`], or encodes it from one. A conversion is a decoder and an encoder of the same
//! shape: no chain copies from one struct into another unless the libraries leave no other way.

mod avro;
mod json;
mod msgpack;
mod protobuf;

use anyhow::Result;
use serde::Deserialize;
use serde_avro_fast::ser::SerializerConfig;

use crate::format::Format;
use crate::shapes::{Cows, Owned, Shape, Slices};
use crate::workloads::Workload;

/// Schemas that peers need at run time. Made once, never freed.
pub struct Schemas {
    pub avro_fast: serde_avro_fast::Schema,
}

impl Schemas {
    /// Those of a workload.
    pub fn of<W: Workload>() -> Result<&'static Schemas> {
        Ok(Box::leak(Box::new(Schemas { avro_fast: W::AVSC.parse()? })))
    }
}

/// What decoders reuse from message to message.
pub struct Reading {
    pub schemas: &'static Schemas,
}

/// What encoders reuse from message to message.
pub struct Writing {
    pub schemas: &'static Schemas,
    pub avro_config: SerializerConfig<'static>,
}

impl Reading {
    pub fn new(schemas: &'static Schemas) -> Self {
        Reading { schemas }
    }
}

impl Writing {
    pub fn new(schemas: &'static Schemas) -> Self {
        Writing { schemas, avro_config: SerializerConfig::new(&schemas.avro_fast) }
    }
}

type Decode<S> = for<'a> fn(&'a [u8], &'a mut Reading) -> Result<<S as Shape>::Value<'a>>;
type Encode<S> = for<'v, 'a> fn(&'v <S as Shape>::Value<'a>, &mut Writing, &mut Vec<u8>) -> Result<()>;

/// A way to decode a format into a shape.
pub struct Decoder<S: Shape> {
    pub peer: &'static str,
    pub format: Format,
    pub decode: Decode<S>,
}

/// A way to encode a format from a shape; it appends.
pub struct Encoder<S: Shape> {
    pub peer: &'static str,
    pub format: Format,
    pub encode: Encode<S>,
}

/// All that can be done with a shape.
pub struct Peers<S: Shape> {
    pub decoders: Vec<Decoder<S>>,
    pub encoders: Vec<Encoder<S>>,
}

impl<S: Shape> Peers<S> {
    fn new() -> Self {
        Peers { decoders: Vec::new(), encoders: Vec::new() }
    }

    fn decoder(&mut self, peer: &'static str, format: Format, decode: Decode<S>) {
        self.decoders.push(Decoder { peer, format, decode });
    }

    fn encoder(&mut self, peer: &'static str, format: Format, encode: Encode<S>) {
        self.encoders.push(Encoder { peer, format, encode });
    }
}

/// Libraries for owned structs.
pub fn owned<W: Workload>() -> Peers<Owned<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    json::decoders(&mut peers);
    serde_encoders(&mut peers);
    protobuf::owned(&mut peers);
    peers
}

/// Libraries for structs with `Cow<str>`.
pub fn cows<W: Workload>() -> Peers<Cows<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    json::decoders(&mut peers);
    serde_encoders(&mut peers);
    peers
}

/// Libraries for structs with `&str`: not JSON's, where a text may have escapes.
pub fn slices<W: Workload>() -> Peers<Slices<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    serde_encoders(&mut peers);
    peers
}

fn serde_decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    msgpack::decoders(peers);
    avro::decoders(peers);
}

fn serde_encoders<S: Shape>(peers: &mut Peers<S>) {
    json::encoders(peers);
    msgpack::encoders(peers);
    avro::encoders(peers);
}
