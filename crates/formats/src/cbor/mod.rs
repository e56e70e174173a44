//! CBOR (RFC 8949) in its deterministic encoding: records as maps or as arrays.

mod decode;
mod encode;
mod half;
mod tags;

use std::sync::Arc;

use wirewise_core::{Kind, Logical, Out, Result, Schema};

use crate::dynamic::binary::{self, Head, Input, Number, Numbers, Start, TagMeaning, Wire};
use crate::{Codec, Format, Framing, Guess, Info, Variant};

/// The CBOR format.
pub(crate) struct Cbor;

static INFO: Info = Info {
    name: "cbor",
    title: "CBOR",
    specification: "RFC 8949, https://www.rfc-editor.org/rfc/rfc8949",
    media_types: &["application/cbor", "application/cbor-seq"],
    extensions: &["cbor", "cborseq"],
    help: include_str!("help.md"),
    libraries: &[
        ("rust", "ciborium"),
        ("javascript", "cbor-x"),
        ("browser", "cbor-x"),
        ("java", "jackson-dataformat-cbor"),
        ("ruby", "cbor"),
        ("python", "cbor2"),
        ("go", "fxamacker/cbor"),
    ],
    variants: &[
        Variant {
            id: "cbor-named",
            media_type: "application/cbor",
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
            id: "cbor-positional",
            media_type: "application/cbor;variant=positional",
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

impl Format for Cbor {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, schema: &Arc<Schema>, variant: &'static Variant) -> Result<Box<dyn Codec>> {
        Ok(binary::plan::<Cbor>(schema, variant.id == "cbor-positional"))
    }

    fn guess(&self, input: &[u8]) -> Vec<Guess> {
        binary::guess::<Cbor>(input, &INFO.variants[0], &INFO.variants[1])
    }
}

impl Wire for Cbor {
    const NAME: &'static str = INFO.name;
    const BYTES_ADVICE: &'static str = "bytes have to be written as a byte string (major type 2)";
    const SORTED: bool = true;
    const NULL: u8 = 0xf6;
    const FALSE: u8 = 0xf4;
    const FEW: u64 = encode::FEW;
    const SHORTEST: bool = true;

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
        decode::usual_length(3, rest)
    }

    #[inline(always)]
    fn usual_list(rest: &[u8]) -> Option<(usize, usize)> {
        decode::usual_length(4, rest)
    }

    #[inline(always)]
    fn usual_map(rest: &[u8]) -> Option<(usize, usize)> {
        decode::usual_length(5, rest)
    }

    #[inline]
    fn head(input: &mut Input<'_>) -> Result<Head> {
        decode::head(input)
    }

    fn describe(first: u8) -> &'static str {
        decode::describe(first)
    }

    fn tag_meaning(tag: u64, kind: &Kind, logical: Option<Logical>) -> TagMeaning {
        tags::meaning(tag, kind, logical)
    }

    fn numbers(number: Number) -> Option<&'static Numbers> {
        encode::numbers(number)
    }

    #[inline(always)]
    fn usual_double(bits: u64) -> Option<Start> {
        encode::usual_double(bits)
    }

    #[inline(always)]
    fn uint(value: u64) -> Start {
        encode::head(0, value)
    }

    #[inline(always)]
    fn int(value: i64) -> Start {
        encode::int(value)
    }

    fn negative(n: u64) -> Result<Start> {
        Ok(encode::head(1, n))
    }

    #[inline(always)]
    fn float32(value: f32) -> Start {
        encode::float32(value)
    }

    #[inline(always)]
    fn float64(value: f64) -> Start {
        encode::float64(value)
    }

    #[inline(always)]
    fn bytes(len: usize) -> Start {
        encode::length(2, len)
    }

    #[inline(always)]
    fn string(len: usize) -> Start {
        encode::length(3, len)
    }

    #[inline(always)]
    fn list(len: usize) -> Start {
        encode::length(4, len)
    }

    #[inline(always)]
    fn map(len: usize) -> Start {
        encode::length(5, len)
    }

    fn tagged(tag: u64, _bytes: Option<&[u8]>, out: &mut Out<'_>) -> Result<bool> {
        encode::head(6, tag).write(out);
        Ok(false)
    }
}

#[cfg(test)]
mod tests;
