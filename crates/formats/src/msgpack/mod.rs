//! MessagePack (specification of 2017): records as maps or as arrays.

mod decode;
mod encode;

use std::sync::Arc;

use wirewise_core::{Out, Result, Schema};

use crate::dynamic::binary::{self, Head, Input, Wire};
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
    variants: &[
        Variant {
            id: "msgpack-named",
            about: "records as maps",
            text: false,
            schemaless: true,
            framing: Framing::Concatenated,
            list_is_stream: false,
        },
        Variant {
            id: "msgpack-positional",
            about: "records as arrays of their fields",
            text: false,
            schemaless: false,
            framing: Framing::Concatenated,
            list_is_stream: false,
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

    #[inline]
    fn uint(value: u64, out: &mut Out<'_>) {
        encode::uint(value, out);
    }

    #[inline]
    fn negative(n: u64, out: &mut Out<'_>) -> Result<()> {
        encode::negative(n, out)
    }

    #[inline]
    fn float32(value: f32, out: &mut Out<'_>) {
        encode::with_u32(0xca, value.to_bits(), out);
    }

    #[inline]
    fn float64(value: f64, out: &mut Out<'_>) {
        encode::with_u64(0xcb, value.to_bits(), out);
    }

    #[inline]
    fn string(len: usize, out: &mut Out<'_>) {
        encode::string(len, out);
    }

    #[inline]
    fn bytes(len: usize, out: &mut Out<'_>) {
        encode::bytes(len, out);
    }

    #[inline]
    fn list(len: usize, out: &mut Out<'_>) {
        encode::list(len, out);
    }

    #[inline]
    fn map(len: usize, out: &mut Out<'_>) {
        encode::map(len, out);
    }

    fn tagged(tag: u64, bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool> {
        encode::extension(tag, bytes, out)
    }
}

#[cfg(test)]
mod tests;
