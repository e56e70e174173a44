//! MessagePack (specification of 2017): records as maps or as arrays.

mod decode;
mod encode;

use std::sync::Arc;

use wirewise_core::{Out, Result, Schema};

use crate::dynamic::binary::{self, Head, Input, Number, Numbers, Start, Wire};
use crate::{Codec, Format, Framing, Guess, Info, Variant};

/// The MessagePack format.
pub(crate) struct MessagePack;

static INFO: Info = Info {
    name: "msgpack",
    title: "MessagePack",
    specification: "MessagePack specification of 2017-08-09, https://github.com/msgpack/msgpack/blob/master/spec.md",
    media_types: &["application/vnd.msgpack", "application/msgpack", "application/x-msgpack"],
    extensions: &["msgpack", "mp", "mpk"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "rmp-serde"),
        ("javascript", "@msgpack/msgpack"),
        ("browser", "@msgpack/msgpack"),
        ("java", "msgpack-java"),
        ("ruby", "msgpack"),
        ("erlang", "msgpack"),
        ("python", "msgpack"),
        ("go", "vmihailenco/msgpack"),
    ],
    variants: &[
        Variant {
            id: "msgpack-named",
            media_type: "application/vnd.msgpack",
            about: "records as maps",
            text: false,
            schemaless: true,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: true,
            partial_read: false,
            compact: false,
        },
        Variant {
            id: "msgpack-positional",
            media_type: "application/vnd.msgpack;variant=positional",
            about: "records as arrays of their fields",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
            evolves: false,
            partial_read: false,
            compact: true,
        },
    ],
};

impl Format for MessagePack {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        Ok(binary::plan::<MessagePack>(schema, variant.id == "msgpack-positional"))
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        binary::guess::<MessagePack>(input, &INFO.variants[0], &INFO.variants[1])
    }
}

impl Wire for MessagePack {
    const NAME: &'static str = INFO.name;
    const BYTES_ADVICE: &'static str =
        "writers of the specification before 2013 write bytes as strings: tell yours to use the bin family";
    const SORTED: bool = false;
    const NULL: u8 = 0xc0;
    const FALSE: u8 = 0xc2;
    const FEW: u64 = 1;

    #[inline(always)]
    fn usual_int(rest: &[u8]) -> Option<(bool, u64, usize)> {
        decode::usual_int(rest)
    }

    #[inline(always)]
    fn usual_float(rest: &[u8]) -> Option<(f64, usize)> {
        decode::usual_float(rest)
    }

    #[inline(always)]
    fn usual_string(rest: &[u8]) -> Option<(usize, usize)> {
        decode::usual_string(rest)
    }

    #[inline(always)]
    fn usual_list(rest: &[u8]) -> Option<(usize, usize)> {
        decode::usual_list(rest)
    }

    #[inline(always)]
    fn usual_map(rest: &[u8]) -> Option<(usize, usize)> {
        decode::usual_map(rest)
    }

    #[inline]
    fn head(input: &mut Input<'_>) -> Result<Head> {
        decode::head(input)
    }

    fn describe(first: u8) -> &'static str {
        decode::describe(first)
    }

    fn timestamp(extension: i8, data: &[u8]) -> Option<(i64, u32)> {
        decode::timestamp(extension, data)
    }

    fn numbers(number: Number) -> Option<&'static Numbers> {
        Some(encode::numbers(number))
    }

    #[inline(always)]
    fn uint(value: u64) -> Start {
        encode::uint(value)
    }

    #[inline(always)]
    fn int(value: i64) -> Start {
        encode::int(value)
    }

    fn negative(n: u64) -> Result<Start> {
        encode::negative(n)
    }

    #[inline(always)]
    fn float32(value: f32) -> Start {
        Start::number(0xca, value.to_bits().into(), 4)
    }

    #[inline(always)]
    fn float64(value: f64) -> Start {
        Start::number(0xcb, value.to_bits(), 8)
    }

    #[inline(always)]
    fn string(len: usize) -> Start {
        encode::string(len)
    }

    #[inline(always)]
    fn bytes(len: usize) -> Start {
        encode::BYTES.start(len as u64)
    }

    #[inline(always)]
    fn list(len: usize) -> Start {
        encode::LISTS.length(0x90, 0x0f, len)
    }

    #[inline(always)]
    fn map(len: usize) -> Start {
        encode::MAPS.length(0x80, 0x0f, len)
    }

    fn tagged(tag: u64, bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool> {
        encode::extension(tag, bytes, out)
    }
}

#[cfg(test)]
mod tests;
