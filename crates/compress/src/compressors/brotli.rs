//! Brotli (RFC 7932), by the `brotli` crate.

use ::brotli::enc::{BrotliEncoderParams, StandardAlloc};
use ::brotli::{BrotliCompressCustomAlloc, BrotliDecompressStream, BrotliResult, BrotliState};

use crate::drive::{Decoder, Fault, Step, drive};
use crate::{Compressor, Error, Info, Result};

/// Brotli: the smallest that every browser reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Brotli;

pub(crate) static INFO: Info = Info {
    name: "brotli",
    content_encoding: Some("br"),
    extension: "br",
    about: "small, and every browser reads it; use 5 on the fly, 11 for what is compressed once",
    levels: 0..=11,
    default_level: 5,
    windows: Some(10..=24),
};

/// Binary logarithm of the usual window: 4 MiB, the default of the reference tool.
const WINDOW_BITS: u8 = 22;
/// Size of the pieces in which data goes into and comes out of the encoder.
pub(crate) const PIECE: usize = 64 * 1024;

impl Compressor for Brotli {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn compress(&self, level: Option<i32>, window: Option<u8>, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let params = BrotliEncoderParams {
            quality: INFO.level(level)?,
            lgwin: INFO.window(window)?.unwrap_or(WINDOW_BITS).into(),
            size_hint: input.len(),
            ..Default::default()
        };
        let start = out.len();
        let mut unread = input;
        let piece = input.len().clamp(1024, PIECE);
        let (mut from, mut into) = (vec![0; piece], vec![0; piece]);
        let alloc = StandardAlloc::default();
        BrotliCompressCustomAlloc(&mut unread, out, &mut from, &mut into, &params, alloc).map(|_| ()).map_err(|error| {
            out.truncate(start);
            Error::Encode { compressor: INFO.name, reason: error.to_string() }
        })
    }

    fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        drive(&mut Stream(Box::new(state())), input, max_output_bytes, out)
    }
}

pub(crate) type State = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

/// A decoder that keeps to RFC 7932: windows of up to 16 MiB, without the "large window" extension.
fn state() -> State {
    BrotliState::new_strict(StandardAlloc::default(), StandardAlloc::default(), StandardAlloc::default())
}

pub(crate) struct Stream(pub(crate) Box<State>);

impl Decoder for Stream {
    const NAME: &'static str = "brotli";

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> std::result::Result<Step, Fault> {
        let (mut unread, mut read) = (input.len(), 0);
        let (mut room, mut written, mut total) = (output.len(), 0, 0);
        let result = BrotliDecompressStream(
            &mut unread,
            &mut read,
            input,
            &mut room,
            &mut written,
            output,
            &mut total,
            &mut self.0,
        );
        match result {
            BrotliResult::ResultFailure => Err(Fault::Corrupt(format!("{:?}", self.0.error_code))),
            BrotliResult::ResultSuccess => Ok(Step { read, written, ended: true }),
            BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => Ok(Step { read, written, ended: false }),
        }
    }

    /// A brotli stream is alone: its specification has no way to join two.
    fn starts_another(&mut self, _rest: &[u8]) -> bool {
        false
    }
}
