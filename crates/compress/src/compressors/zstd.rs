//! Zstandard (RFC 8878), by the reference library.

use std::io;

use ::zstd::stream::raw::{self, Operation};
use ::zstd::zstd_safe::{
    CCtx, CParameter, DParameter, ErrorCode, SafeResult, compress_bound, get_dict_id_from_frame, get_error_name,
};

use crate::drive::{Decoder, Fault, Step, drive};
use crate::{Compressor, Error, Info, Result};

/// Zstandard: the best trade of size for time.
///
/// Frames carry the content's length, and no checksum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Zstd;

pub(crate) static INFO: Info = Info {
    name: "zstd",
    content_encoding: Some("zstd"),
    extension: "zst",
    about: "fast and small; choose it between services, in Kafka and on disk",
    levels: -7..=22,
    default_level: 3,
    windows: Some(10..=27),
};

const MAGIC: u32 = 0xFD2F_B528;
/// The sixteen magic numbers of skippable frames differ in their last four bits.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A50;
const SKIPPABLE_MASK: u32 = 0xFFFF_FFF0;
/// A window of 2 MiB: what the tables of usual levels are made for.
const NEAR_WINDOW_LOG: u32 = 21;
/// A window of 8 MiB: what RFC 9659 tells HTTP senders to keep to.
const MIN_WINDOW_LOG: u32 = 23;
/// A window of 128 MiB: what the reference tool takes without being asked.
pub(crate) const MAX_WINDOW_LOG: u32 = 27;

impl Compressor for Zstd {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn compress(&self, level: Option<i32>, window: Option<u8>, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut context = CCtx::create();
        set_up(&mut context, INFO.level(level)?, INFO.window(window)?).map_err(refused)?;
        write(&mut context, input, out)
    }

    fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        decompress(raw::Decoder::new(), None, input, max_output_bytes, out)
    }
}

/// Sets level and window.
pub(crate) fn set_up(context: &mut CCtx<'_>, level: i32, window: Option<u8>) -> SafeResult {
    context.set_parameter(CParameter::CompressionLevel(level))?;
    let Some(window) = window.map(u32::from) else { return Ok(0) };
    context.set_parameter(CParameter::WindowLog(window))?;
    // Tables of lower levels forget what lies far back: it is found by looking for long matches, as `zstd --long` does.
    context.set_parameter(CParameter::EnableLongDistanceMatching(window > NEAR_WINDOW_LOG))
}

/// Appends `input` as one frame.
pub(crate) fn write(context: &mut CCtx<'_>, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    out.resize(start + compress_bound(input.len()), 0);
    let written = context.compress2(&mut out[start..], input);
    out.truncate(start + written.unwrap_or(0));
    written.map(|_| ()).map_err(refused)
}

pub(crate) fn refused(code: ErrorCode) -> Error {
    Error::Encode { compressor: INFO.name, reason: get_error_name(code).to_owned() }
}

/// Appends what all frames decompress to. Windows are taken as large as the output may be, within what every decoder
/// should take.
pub(crate) fn decompress(
    decoder: io::Result<raw::Decoder<'_>>,
    dictionary: Option<u32>,
    input: &[u8],
    max_output_bytes: usize,
    out: &mut Vec<u8>,
) -> Result<()> {
    let window_log = usize::BITS - max_output_bytes.saturating_sub(1).leading_zeros();
    let window_log = DParameter::WindowLogMax(window_log.clamp(MIN_WINDOW_LOG, MAX_WINDOW_LOG));
    let decoder = decoder.and_then(|mut decoder| decoder.set_parameter(window_log).map(|()| decoder));
    let decoder =
        decoder.map_err(|error| Error::Corrupt { compressor: INFO.name, offset: 0, reason: error.to_string() })?;
    drive(&mut Frames { decoder, dictionary, is_start: true }, input, max_output_bytes, out)
}

struct Frames<'a> {
    decoder: raw::Decoder<'a>,
    /// The number of the dictionary that the decoder has.
    dictionary: Option<u32>,
    /// Whether a frame begins.
    is_start: bool,
}

impl Decoder for Frames<'_> {
    const NAME: &'static str = "zstd";

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> std::result::Result<Step, Fault> {
        if self.is_start
            && input.starts_with(&MAGIC.to_le_bytes())
            && let Some(wanted) = get_dict_id_from_frame(input).map(u32::from)
            && self.dictionary != Some(wanted)
        {
            return Err(Fault::Dictionary { wanted, given: self.dictionary });
        }
        let status = self.decoder.run_on_buffers(input, output);
        let status = status.map_err(|error| Fault::Corrupt(error.to_string()))?;
        self.is_start = status.remaining == 0;
        Ok(Step { read: status.bytes_read, written: status.bytes_written, ended: self.is_start })
    }

    fn starts_another(&mut self, rest: &[u8]) -> bool {
        match rest.first_chunk() {
            Some(head) => {
                let magic = u32::from_le_bytes(*head);
                magic == MAGIC || magic & SKIPPABLE_MASK == SKIPPABLE_MAGIC
            }
            // Less than a magic number: if it is the start of one, the decoder asks for more and finds the end.
            None => MAGIC.to_le_bytes().starts_with(rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A skippable frame with three bytes of user data.
    const SKIPPABLE: [u8; 11] = [0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];

    fn packed(input: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Zstd.compress(None, None, input, &mut out).unwrap();
        out
    }

    #[test]
    fn skippable_frames_are_skipped() {
        let data = [&SKIPPABLE[..], &packed(b"one"), &SKIPPABLE, &packed(b"two"), &SKIPPABLE].concat();
        let mut out = Vec::new();
        Zstd.decompress(&data, 6, &mut out).unwrap();
        assert_eq!(out, b"onetwo");
    }

    #[test]
    fn a_window_larger_than_the_limit_allows_is_refused() {
        // No content size, a window descriptor of 2^27 bytes, then one empty last block.
        let head = |window_log: u8| {
            let mut data = MAGIC.to_le_bytes().to_vec();
            data.extend([0, (window_log - 10) << 3, 1, 0, 0]);
            data
        };
        let run = |data: &[u8], max: usize| Zstd.decompress(data, max, &mut Vec::new());
        assert_eq!(run(&head(23), 100), Ok(()));
        assert!(run(&head(24), 100).unwrap_err().to_string().contains("memory"));
        assert_eq!(run(&head(27), 128 << 20), Ok(()));
        assert!(run(&head(28), usize::MAX).is_err());
    }

    #[test]
    fn the_header_has_the_length() {
        let data = packed(&[7; 1000]);
        assert_eq!(::zstd::zstd_safe::get_frame_content_size(&data).ok().flatten(), Some(1000));
    }
}
