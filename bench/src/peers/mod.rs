//! The libraries that the engine is compared with, one module for each or for each format.
//!
//! A peer decodes a format into a [`Shape`], or encodes it from one. A conversion is a decoder and an encoder of the same
//! shape: no chain copies from one struct into another unless the libraries leave no other way.

mod avro;
mod cbor;
mod dynamic;
pub mod in_place;
mod json;
mod msgpack;
mod protobuf;
mod thrift;

use anyhow::{Context, Result};
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::writer::datum::GenericDatumWriter;
use serde::Deserialize;
use serde_avro_fast::ser::SerializerConfig;

use crate::format::Format;
use crate::shapes::{Buffa, Cows, Owned, Shape, Slices, Views};
use crate::workloads::Workload;
pub use dynamic::{dynamic_shapes, transcoders};

/// Schemas that peers need at run time. Made once, never freed.
pub struct Schemas {
    pub avro_fast: serde_avro_fast::Schema,
    pub avro: apache_avro::Schema,
    pub message: prost_reflect::MessageDescriptor,
}

impl Schemas {
    /// Those of a workload.
    pub fn of<W: Workload>() -> Result<&'static Schemas> {
        let pool = prost_reflect::DescriptorPool::decode(W::DESCRIPTORS)?;
        let message = pool.get_message_by_name(W::MESSAGE).context("no such message")?;
        Ok(Box::leak(Box::new(Schemas {
            avro_fast: W::AVSC.parse()?,
            avro: apache_avro::Schema::parse_str(W::AVSC)?,
            message,
        })))
    }
}

/// What decoders reuse from message to message.
pub struct Reading {
    pub schemas: &'static Schemas,
    pub avro: GenericDatumReader<'static>,
    pub scratch: Vec<u8>,
    pub simd_json: simd_json::Buffers,
}

/// What encoders reuse from message to message.
pub struct Writing {
    pub avro_config: SerializerConfig<'static>,
    pub avro: GenericDatumWriter<'static>,
    pub buffa: buffa::SizeCache,
}

impl Reading {
    pub fn new(schemas: &'static Schemas) -> Self {
        let avro = GenericDatumReader::builder(&schemas.avro).build().expect("the schema is complete");
        Reading { schemas, avro, scratch: Vec::new(), simd_json: simd_json::Buffers::default() }
    }
}

impl Writing {
    pub fn new(schemas: &'static Schemas) -> Self {
        let avro = GenericDatumWriter::builder(&schemas.avro).build().expect("the schema is complete");
        Writing { avro_config: SerializerConfig::new(&schemas.avro_fast), avro, buffa: Default::default() }
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

// A library is offered for a shape when it may be the fastest one there; each costs a minute of compile time.

/// Libraries for owned structs.
pub fn owned<W: Workload>() -> Peers<Owned<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    json::decoders(&mut peers);
    serde_encoders(&mut peers);
    json::owned(&mut peers);
    protobuf::owned(&mut peers);
    avro::owned(&mut peers);
    cbor::serde(&mut peers);
    cbor::owned(&mut peers);
    thrift::owned(&mut peers);
    peers
}

/// Libraries for structs with `Cow<str>`.
pub fn cows<W: Workload>() -> Peers<Cows<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    json::decoders(&mut peers);
    serde_encoders(&mut peers);
    cbor::serde(&mut peers);
    protobuf::cows(&mut peers);
    peers
}

/// Libraries for structs with `&str`: not JSON's, where a text may have escapes.
pub fn slices<W: Workload>() -> Peers<Slices<W>> {
    let mut peers = Peers::new();
    serde_decoders(&mut peers);
    serde_encoders(&mut peers);
    peers
}

/// buffa's structs, with serde.
pub fn buffa<W: Workload>() -> Peers<Buffa<W>> {
    let mut peers = Peers::new();
    protobuf::buffa(&mut peers);
    serde_decoders(&mut peers);
    json::sonic(&mut peers);
    serde_encoders(&mut peers);
    peers
}

/// buffa's views, with serde's way to write.
pub fn views<W: Workload>() -> Peers<Views<W>> {
    let mut peers = Peers::new();
    protobuf::views(&mut peers);
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
