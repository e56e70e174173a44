//! The formats of the comparison.

use serde::{Deserialize, Serialize};

/// A wire format, in the variant that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    Json,
    Msgpack,
    Protobuf,
    Avro,
    Thrift,
    Cbor,
    Flatbuffers,
    Capnp,
}

impl Format {
    /// Those between which all conversions are compared.
    pub const CONVERTED: [Format; 5] = [Format::Json, Format::Msgpack, Format::Protobuf, Format::Avro, Format::Thrift];

    /// Every one.
    pub const ALL: [Format; 8] = [
        Format::Json,
        Format::Msgpack,
        Format::Protobuf,
        Format::Avro,
        Format::Thrift,
        Format::Cbor,
        Format::Flatbuffers,
        Format::Capnp,
    ];

    /// The id of the variant of `wirewise_formats`.
    pub fn variant(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Msgpack => "msgpack-named",
            Format::Protobuf => "protobuf",
            Format::Avro => "avro",
            Format::Thrift => "thrift-compact",
            Format::Cbor => "cbor-named",
            Format::Flatbuffers => "flatbuffers",
            Format::Capnp => "capnp",
        }
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Msgpack => "msgpack",
            Format::Protobuf => "protobuf",
            Format::Avro => "avro",
            Format::Thrift => "thrift",
            Format::Cbor => "cbor",
            Format::Flatbuffers => "flatbuffers",
            Format::Capnp => "capnp",
        }
    }

    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Format::Json => "JSON",
            Format::Msgpack => "MessagePack",
            Format::Protobuf => "Protobuf",
            Format::Avro => "Avro",
            Format::Thrift => "Thrift",
            Format::Cbor => "CBOR",
            Format::Flatbuffers => "FlatBuffers",
            Format::Capnp => "Cap'n Proto",
        }
    }
}
