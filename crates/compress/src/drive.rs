//! The loop around a library's decoder: output grows step by step and stops at the limit.

use crate::{Error, Result};

/// The first piece of output room; later pieces are as large as what was written so far.
const FIRST_PIECE: std::ops::RangeInclusive<usize> = 1024..=256 * 1024;

/// What one call of a decoder did.
pub(crate) struct Step {
    /// Bytes taken from the input.
    pub(crate) read: usize,
    /// Bytes put into the output.
    pub(crate) written: usize,
    /// Whether a member or frame is complete, all its output written.
    pub(crate) ended: bool,
}

/// Why a decoder stops.
pub(crate) enum Fault {
    /// The input is wrong; the library's own words.
    Corrupt(String),
    /// The input was compressed with a dictionary, and that is not the one that was given.
    Dictionary {
        /// Its number.
        wanted: u32,
        /// The number of the one that was given.
        given: Option<u32>,
    },
}

/// A library's streaming decoder.
pub(crate) trait Decoder {
    /// The compressor's name, for errors.
    const NAME: &'static str;

    /// Decodes as much as possible.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> std::result::Result<Step, Fault>;

    /// Called when a member has ended and `rest`, which is not empty, follows: whether another member starts there.
    /// If so, the decoder is ready for it when this returns.
    fn starts_another(&mut self, rest: &[u8]) -> bool;
}

/// Decodes all of `input` and appends at most `max_output_bytes` bytes to `out`; restores its length on failure.
pub(crate) fn drive<D: Decoder>(
    decoder: &mut D,
    input: &[u8],
    max_output_bytes: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    let start = out.len();
    let result = run(decoder, input, max_output_bytes, out, start);
    if result.is_err() {
        out.truncate(start);
    }
    result
}

fn run<D: Decoder>(
    decoder: &mut D,
    input: &[u8],
    max_output_bytes: usize,
    out: &mut Vec<u8>,
    start: usize,
) -> Result<()> {
    let mut pos = 0;
    let mut filled = start;
    loop {
        let full = filled - start == max_output_bytes;
        if filled == out.len() && !full {
            grow(out, input.len(), filled - start, max_output_bytes);
        }
        // When the output is full, the stream may still have to say that it has ended. Room for one byte outside the
        // output tells a stream that ends here from one that goes on.
        let mut one_too_many = [0];
        let room = if full { &mut one_too_many[..] } else { &mut out[filled..] };
        let step = decoder.step(&input[pos..], room).map_err(|fault| match fault {
            Fault::Corrupt(reason) => Error::Corrupt { compressor: D::NAME, offset: pos, reason },
            Fault::Dictionary { wanted, given } => {
                Error::Dictionary { compressor: D::NAME, offset: pos, wanted, given }
            }
        })?;
        if full && step.written > 0 {
            return Err(Error::OutputLimit { compressor: D::NAME, max_output_bytes });
        }
        pos += step.read;
        filled += step.written;
        if step.ended {
            if pos == input.len() {
                out.truncate(filled);
                return Ok(());
            }
            if !decoder.starts_another(&input[pos..]) {
                let count = input.len() - pos;
                return Err(Error::TrailingBytes { compressor: D::NAME, offset: pos, count });
            }
        } else if step.read == 0 && step.written == 0 {
            return Err(if pos == input.len() {
                Error::Truncated { compressor: D::NAME, offset: pos }
            } else {
                let reason = "the decoder makes no progress".to_owned();
                Error::Corrupt { compressor: D::NAME, offset: pos, reason }
            });
        }
    }
}

/// Makes room for the next piece of output, never past the limit.
fn grow(out: &mut Vec<u8>, input_len: usize, written: usize, max_output_bytes: usize) {
    let first = input_len.saturating_mul(4).clamp(*FIRST_PIECE.start(), *FIRST_PIECE.end());
    let piece = written.max(first).min(max_output_bytes - written);
    out.reserve_exact(piece);
    out.resize(out.len() + piece, 0);
}
