//! Every wire format, one folder each.
//!
//! A [`Format`] plans a [`Codec`] for a schema and a variant, once; the codec then decodes payloads into an
//! [`Arena`](wirewise_core::Arena) and encodes documents from it. [`FORMATS`] is the list of all of them: names,
//! media types, help pages, tests and reports follow from it, so that a new format costs one folder and one line.
//!
//! ```
//! use std::sync::Arc;
//! use wirewise_core::{Arena, Limits, Losses, Schema};
//!
//! let schema = Arc::new(Schema::parse(r#"{
//!   "wirewise": "schema/1", "root": "Point",
//!   "types": [{"record": "Point", "fields": [
//!     {"number": 1, "name": "x", "type": "int32"}, {"number": 2, "name": "y", "type": "int32"}]}]
//! }"#)?);
//! let json = wirewise_formats::plan("json", &schema)?;
//! let compact = wirewise_formats::plan("json-compact", &schema)?;
//!
//! let mut arena = Arena::new(Limits::default());
//! let mut losses = Losses::none();
//! let document = json.decode(br#"{"y": 2, "x": 1}"#, &mut arena, &mut losses)?;
//! let mut out = Vec::new();
//! compact.encode(&document, &mut out, &mut losses)?;
//! assert_eq!(out, b"[1,2]");
//! # Ok::<(), wirewise_core::Error>(())
//! ```

pub mod avro;
pub mod capnp;
mod cbor;
mod contract;
mod dynamic;
pub mod flatbuffers;
pub mod json;
mod msgpack;
pub mod protobuf;
#[cfg(test)]
mod testing;
pub mod thrift;

pub use contract::{Codec, Format, Framing, Guess, Info, LANGUAGES, Variant, find, plan};

/// Every format, in the order in which people read about them.
pub static FORMATS: &[&dyn Format] = &[
    &json::Json,
    &msgpack::MessagePack,
    &protobuf::Protobuf,
    &avro::Avro,
    &flatbuffers::FlatBuffers,
    &capnp::Capnp,
    &thrift::Thrift,
    &cbor::Cbor,
];
