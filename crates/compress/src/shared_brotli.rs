//! Brotli with a dictionary: shared brotli with a raw prefix (RFC 9841), the `dcb` coding of RFC 9842.

use ::brotli::enc::{BrotliEncoderParams, StandardAlloc};
use ::brotli::{BrotliCompressCustomIoCustomDict, BrotliState, IoReaderWrapper, IoWriterWrapper};

use crate::compressors::brotli::{INFO, PIECE, Stream};
use crate::drive::drive;
use crate::{Compressor, Dictionary, Error, Result, compressors};

/// The largest window of brotli.
const MAX_WINDOW_BITS: i32 = 24;

/// How much dictionary and input may be together: the encoder sees both as one window, and within it the distances are those of
/// shared brotli.
const MAX_BYTES: usize = (1 << MAX_WINDOW_BITS) - 16;

/// What the encoder needs of a dictionary: it ignores one of a byte.
const LEAST_BYTES: usize = 2;

impl Dictionary {
    /// Appends the compressed form of `input` to `out`, with the dictionary as what came before it. `None`, and nothing is
    /// appended, when dictionary and input have more than 16 MiB together: brotli looks no further back.
    ///
    /// # Errors
    ///
    /// [`Error::Level`] when brotli does not have that level; [`Error::Encode`] when the library refuses, which no known
    /// input causes.
    pub fn compress_brotli(&self, level: i32, input: &[u8], out: &mut Vec<u8>) -> Result<Option<()>> {
        let quality = INFO.level(Some(level))?;
        if self.bytes().len() + input.len() > MAX_BYTES {
            return Ok(None);
        }
        if self.bytes().len() < LEAST_BYTES {
            return compressors::brotli::Brotli.compress(Some(level), None, input, out).map(Some);
        }
        let params =
            BrotliEncoderParams { quality, lgwin: MAX_WINDOW_BITS, size_hint: input.len(), ..Default::default() };
        let start = out.len();
        let mut unread = input;
        let piece = input.len().clamp(1024, PIECE);
        let (mut from, mut into) = (vec![0; piece], vec![0; piece]);
        let done = BrotliCompressCustomIoCustomDict(
            &mut IoReaderWrapper(&mut unread),
            &mut IoWriterWrapper(&mut *out),
            &mut from,
            &mut into,
            &params,
            StandardAlloc::default(),
            &mut |_, _, _, _| (),
            self.bytes(),
            std::io::ErrorKind::UnexpectedEof.into(),
        );
        done.map(|_| Some(())).map_err(|error: std::io::Error| {
            out.truncate(start);
            Error::Encode { compressor: INFO.name, reason: error.to_string() }
        })
    }

    /// Appends what `input` decompresses to, at most `max_output_bytes` bytes of it, to `out`.
    ///
    /// # Errors
    ///
    /// Those of [`Compressor::decompress`]. Brotli has no checksum: with another dictionary the result is another one.
    pub fn decompress_brotli(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        let alloc = StandardAlloc::default;
        let dictionary = self.bytes().to_vec().into();
        let state = BrotliState::new_with_custom_dictionary(alloc(), alloc(), alloc(), dictionary);
        drive(&mut Stream(Box::new(state)), input, max_output_bytes, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(dictionary: &Dictionary, level: i32, input: &[u8]) -> usize {
        let (mut packed, mut unpacked) = (Vec::new(), Vec::new());
        dictionary.compress_brotli(level, input, &mut packed).unwrap().unwrap();
        dictionary.decompress_brotli(&packed, input.len(), &mut unpacked).unwrap();
        assert!(unpacked == input, "level {level}, {} bytes", input.len());
        packed.len()
    }

    #[test]
    fn a_new_version_is_a_small_difference() {
        let line = |i: u32| format!("{{\"id\":{i},\"value\":{}}}\n", i.wrapping_mul(2_654_435_761));
        let before: String = (0..20_000).map(line).collect();
        let after: String = (0..20_000).map(|i| line(if i % 500 == 0 { i + 1 } else { i })).collect();
        let dictionary = Dictionary::raw(before.as_bytes());
        for level in [5, 9] {
            let len = back(&dictionary, level, after.as_bytes());
            assert!(len < after.len() / 100, "level {level}: {len}");
        }
    }

    #[test]
    fn any_sizes_come_back() {
        let bytes: Vec<u8> = (0..70_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for size in [0, 1, 2, 3, 7, 100, 5000, 70_000] {
            let dictionary = Dictionary::raw(&bytes[..size]);
            for level in [0, 1, 2, 5, 9, 11] {
                for input in [0, 1, 2, 600, 9000] {
                    back(&dictionary, level, &bytes[bytes.len() - input..]);
                    back(&dictionary, level, &bytes[..input]);
                }
            }
        }
    }

    #[test]
    fn more_than_the_window_is_not_tried() {
        let dictionary = Dictionary::raw(vec![7; MAX_BYTES]);
        let mut out = vec![1];
        assert_eq!(dictionary.compress_brotli(5, b"x", &mut out).unwrap(), None);
        assert_eq!(out, [1]);
    }
}
