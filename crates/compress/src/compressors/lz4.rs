//! The LZ4 frame format, by the `lz4_flex` crate.

use std::io::{BufRead, Write};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};

use crate::{Compressor, Error, Info, Result};

/// LZ4: the fastest to read.
///
/// Written with independent blocks and no checksums. What is read may have linked blocks, checksums and a content
/// size, and skippable frames in between; a dictionary and the legacy frame of 2011 are refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lz4;

static INFO: Info = Info {
    name: "lz4",
    content_encoding: None,
    extension: "lz4",
    about: "the fastest to unpack and the largest; choose it where the processor is the bottleneck",
    levels: 1..=1,
    default_level: 1,
    windows: None,
};

const MAGIC: u32 = 0x184D_2204;
/// The sixteen magic numbers of skippable frames differ in their last four bits.
const SKIPPABLE_MAGIC: u32 = 0x184D_2A50;
const SKIPPABLE_MASK: u32 = 0xFFFF_FFF0;

impl Compressor for Lz4 {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn compress(&self, level: Option<i32>, window: Option<u8>, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        INFO.level(level)?;
        INFO.window(window)?;
        let start = out.len();
        let mut encoder = FrameEncoder::new(&mut *out);
        let done = encoder.write_all(input).map_err(Into::into).and_then(|()| encoder.try_finish());
        drop(encoder);
        done.map_err(|error: lz4_flex::frame::Error| {
            out.truncate(start);
            Error::Encode { compressor: INFO.name, reason: error.to_string() }
        })
    }

    fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        let result = decompress(input, max_output_bytes, out);
        if result.is_err() {
            out.truncate(start);
        }
        result
    }
}

/// Walks over the frames. The library is given exactly one frame at a time: by itself it takes the end of the input
/// for the end of a frame, and reads on into what follows one.
fn decompress(input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
    let start = out.len();
    let mut pos = 0;
    while pos < input.len() || pos == 0 {
        match frame(&input[pos..]) {
            Frame::Data(len) => {
                let left = max_output_bytes - (out.len() - start);
                decode(&input[pos..pos + len], left, out).map_err(|stop| match stop {
                    Stop::Limit => Error::OutputLimit { compressor: INFO.name, max_output_bytes },
                    Stop::Corrupt(offset, reason) => corrupt(pos + offset, reason),
                })?;
                pos += len;
            }
            Frame::Skippable(len) => pos += len,
            Frame::Short => {
                return Err(Error::Truncated { compressor: INFO.name, offset: input.len() });
            }
            Frame::Other if pos == 0 => return Err(corrupt(0, "there is no LZ4 frame".to_owned())),
            Frame::Other => {
                let count = input.len() - pos;
                return Err(Error::TrailingBytes { compressor: INFO.name, offset: pos, count });
            }
        }
    }
    Ok(())
}

fn corrupt(offset: usize, reason: String) -> Error {
    Error::Corrupt { compressor: INFO.name, offset, reason }
}

/// Why a frame was not decoded: the limit, or the library's reason and how far it had read.
enum Stop {
    Limit,
    Corrupt(usize, String),
}

/// Appends the content of one whole frame, at most `left` bytes.
fn decode(frame: &[u8], left: usize, out: &mut Vec<u8>) -> std::result::Result<(), Stop> {
    let start = out.len();
    let mut decoder = FrameDecoder::new(frame);
    // A block may be empty, so that an empty buffer does not mean that the frame has ended; an empty reader does.
    while !decoder.get_ref().is_empty() {
        let block = match decoder.fill_buf() {
            Ok(block) => block,
            Err(error) => {
                return Err(Stop::Corrupt(frame.len() - decoder.get_ref().len(), error.to_string()));
            }
        };
        let (len, used) = (block.len(), out.len() - start);
        if len > left - used {
            return Err(Stop::Limit);
        }
        if out.capacity() - out.len() < len {
            out.reserve_exact(used.max(len).min(left - used));
        }
        out.extend_from_slice(block);
        decoder.consume(len);
    }
    Ok(())
}

/// What lies at the start of some bytes.
#[derive(Debug, PartialEq, Eq)]
enum Frame {
    /// A frame with content, and its length with everything that belongs to it.
    Data(usize),
    /// A frame to skip, and its length.
    Skippable(usize),
    /// The beginning of a frame.
    Short,
    /// Something else.
    Other,
}

/// Flags in the byte after the magic number.
const FLAG_DICTIONARY_ID: u8 = 1 << 0;
const FLAG_CONTENT_CHECKSUM: u8 = 1 << 2;
const FLAG_CONTENT_SIZE: u8 = 1 << 3;
const FLAG_BLOCK_CHECKSUMS: u8 = 1 << 4;
/// The bit of a block's size that says that the block is not compressed.
const BLOCK_IS_RAW: u32 = 1 << 31;

/// Finds the end of the frame at the start of `data` by the lengths it states.
fn frame(data: &[u8]) -> Frame {
    let Some(magic) = read_u32(data, 0) else {
        let is_prefix = |magic: u32| magic.to_le_bytes().starts_with(data);
        let skippable = (0..16).any(|kind| is_prefix(SKIPPABLE_MAGIC | kind));
        return if is_prefix(MAGIC) || skippable { Frame::Short } else { Frame::Other };
    };
    let len = if magic & SKIPPABLE_MASK == SKIPPABLE_MAGIC {
        read_u32(data, 4).map(|len| Frame::Skippable((len as usize).saturating_add(8)))
    } else if magic == MAGIC {
        data_frame_len(data).map(Frame::Data)
    } else {
        return Frame::Other;
    };
    match len {
        Some(Frame::Data(len) | Frame::Skippable(len)) if len > data.len() => Frame::Short,
        Some(frame) => frame,
        None => Frame::Short,
    }
}

/// The length of a frame with content, which may be more than there is; `None` when the lengths themselves are cut off.
fn data_frame_len(data: &[u8]) -> Option<usize> {
    let flags = *data.get(4)?;
    let when = |flag: u8, len: usize| if flags & flag != 0 { len } else { 0 };
    // Magic number, flags, block descriptor, the optional fields, header checksum.
    let mut pos = 4 + 1 + 1 + when(FLAG_CONTENT_SIZE, 8) + when(FLAG_DICTIONARY_ID, 4) + 1;
    loop {
        let block = read_u32(data, pos)?;
        pos += 4;
        if block == 0 {
            return Some(pos + when(FLAG_CONTENT_CHECKSUM, 4));
        }
        pos = pos.checked_add((block & !BLOCK_IS_RAW) as usize + when(FLAG_BLOCK_CHECKSUMS, 4))?;
    }
}

fn read_u32(data: &[u8], pos: usize) -> Option<u32> {
    data.get(pos..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use lz4_flex::frame::{BlockMode, BlockSize, FrameInfo};

    use super::*;

    fn packed(input: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Lz4.compress(None, None, input, &mut out).unwrap();
        out
    }

    fn with(info: FrameInfo, input: &[u8]) -> Vec<u8> {
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(input).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(data: &[u8], max: usize) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        Lz4.decompress(data, max, &mut out).map(|()| out)
    }

    /// Bytes that compress, but not to nothing.
    fn sample(len: u32) -> Vec<u8> {
        (0..len).flat_map(|n| (n / 3 * 7919 % 1000).to_le_bytes()).collect()
    }

    #[test]
    fn every_kind_of_frame_is_read() {
        let input = sample(100_000);
        for mode in [BlockMode::Independent, BlockMode::Linked] {
            for checks in [false, true] {
                for size in [BlockSize::Max64KB, BlockSize::Max4MB] {
                    let info = FrameInfo::new()
                        .block_mode(mode)
                        .block_size(size)
                        .block_checksums(checks)
                        .content_checksum(checks)
                        .content_size(checks.then_some(input.len() as u64));
                    let data = with(info, &input);
                    assert_eq!(frame(&data), Frame::Data(data.len()));
                    assert_eq!(unpacked(&data, input.len()).unwrap(), input);
                }
            }
        }
    }

    #[test]
    fn frames_of_different_block_sizes_and_skippable_ones_make_one_stream() {
        let big = with(FrameInfo::new().block_size(BlockSize::Max4MB), &sample(10));
        let small = with(FrameInfo::new().block_mode(BlockMode::Linked), &sample(20));
        let skippable = [0x5f, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9];
        let data = [&skippable[..], &big, &skippable, &small, &skippable].concat();
        assert_eq!(unpacked(&data, 120).unwrap(), [sample(10), sample(20)].concat());
    }

    #[test]
    fn a_frame_cut_between_blocks_is_truncation() {
        let data = packed(&sample(100_000));
        let without_end = &data[..data.len() - 4];
        let error = unpacked(without_end, 1 << 20).unwrap_err();
        assert_eq!(error, Error::Truncated { compressor: "lz4", offset: without_end.len() });
    }

    #[test]
    fn an_empty_block_does_not_end_the_frame() {
        let mut data = packed(b"abc");
        // After the seven bytes of the header, a compressed block with one byte: a token of no literals.
        data.splice(7..7, [1, 0, 0, 0, 0]);
        assert_eq!(unpacked(&data, 10).unwrap(), b"abc");
    }

    #[test]
    fn a_legacy_frame_is_refused() {
        let data = [0x02, 0x21, 0x4c, 0x18, 0, 0, 0, 0];
        assert!(matches!(unpacked(&data, 10), Err(Error::Corrupt { .. })));
    }
}
