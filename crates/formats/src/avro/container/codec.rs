//! The compressions of blocks.

use std::io::Read;

use flate2::Compression;
use liblzma::stream::{Check, Filters, LzmaOptions, Stream};
use wirewise_core::{Error, ErrorKind, Result};

/// How the blocks of a container are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockCodec {
    /// Not at all.
    Null,
    /// DEFLATE (RFC 1951), without the zlib or gzip wrapper.
    Deflate,
    /// Zstandard (RFC 8878).
    Zstandard,
    /// Snappy, followed by the CRC-32 of the uncompressed bytes.
    Snappy,
    /// bzip2.
    Bzip2,
    /// The .xz format.
    Xz,
}

/// The preset that `xz` and other Avro writers use.
const XZ_PRESET: u32 = 6;
/// The dictionary of that preset; a larger one than the block only costs memory.
const XZ_DICTIONARY: usize = 8 << 20;
const LEAST_XZ_DICTIONARY: usize = 4 << 10;
/// Most memory for a decoder's window, whatever the limit on what it gives: 128 MiB, as Zstandard's own library has it
/// (where it is the default). Only the part that a block fills is ever touched.
const MOST_WINDOW: u64 = 128 << 20;

impl BlockCodec {
    /// All of them; the specification requires the first two.
    pub const ALL: [BlockCodec; 6] = [
        BlockCodec::Null,
        BlockCodec::Deflate,
        BlockCodec::Zstandard,
        BlockCodec::Snappy,
        BlockCodec::Bzip2,
        BlockCodec::Xz,
    ];

    /// Its name in the metadata of a container.
    pub fn name(self) -> &'static str {
        match self {
            BlockCodec::Null => "null",
            BlockCodec::Deflate => "deflate",
            BlockCodec::Zstandard => "zstandard",
            BlockCodec::Snappy => "snappy",
            BlockCodec::Bzip2 => "bzip2",
            BlockCodec::Xz => "xz",
        }
    }

    /// The codec with this name.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] with the list of what there is.
    pub fn by_name(name: &str) -> Result<BlockCodec> {
        BlockCodec::ALL.into_iter().find(|codec| codec.name() == name).ok_or_else(|| {
            let known = BlockCodec::ALL.map(BlockCodec::name).join(", ");
            Error::new(ErrorKind::Unsupported, format!("the blocks are compressed with {name:?}"))
                .hint(format!("there are {known}"))
        })
    }

    /// Appends `data`, compressed with the level that other writers use by default.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] when the library refuses, which it does for blocks beyond its size only.
    pub fn compress(self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let written = match self {
            BlockCodec::Null => {
                out.extend_from_slice(data);
                Ok(())
            }
            BlockCodec::Deflate => append(flate2::bufread::DeflateEncoder::new(data, Compression::default()), out),
            BlockCodec::Zstandard => {
                zstd::bulk::compress(data, zstd::DEFAULT_COMPRESSION_LEVEL).map(|bytes| out.extend_from_slice(&bytes))
            }
            BlockCodec::Snappy => snap::raw::Encoder::new().compress_vec(data).map_err(Into::into).map(|bytes| {
                out.extend_from_slice(&bytes);
                out.extend_from_slice(&crc32(data).to_be_bytes());
            }),
            BlockCodec::Bzip2 => append(bzip2::bufread::BzEncoder::new(data, bzip2_level(data.len())), out),
            BlockCodec::Xz => {
                xz_encoder(data.len()).and_then(|xz| append(liblzma::bufread::XzEncoder::new_stream(data, xz), out))
            }
        };
        written.map_err(|error| {
            Error::new(ErrorKind::Unsupported, format!("the block cannot be compressed with {}: {error}", self.name()))
        })
    }

    /// Puts the bytes of a compressed block into `out`, which is cleared first.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] when `data` is not what the codec writes, [`ErrorKind::Limit`] when the block would take
    /// more than `limit` bytes.
    pub fn decompress(self, data: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        let most = limit as u64 + 1;
        let read = match self {
            BlockCodec::Null => append(data.take(most), out),
            // Bytes after the stream are ignored: fastavro leaves a part of zlib's checksum there.
            BlockCodec::Deflate => append(flate2::bufread::DeflateDecoder::new(data).take(most), out),
            BlockCodec::Zstandard => {
                zstd::stream::read::Decoder::with_buffer(data).and_then(|decoder| append(decoder.take(most), out))
            }
            BlockCodec::Snappy => return unsnap(data, limit, out),
            BlockCodec::Bzip2 => append(bzip2::bufread::MultiBzDecoder::new(data).take(most), out),
            BlockCodec::Xz => Stream::new_stream_decoder(MOST_WINDOW, liblzma::stream::CONCATENATED)
                .map_err(Into::into)
                .and_then(|xz| append(liblzma::bufread::XzDecoder::new_stream(data, xz).take(most), out)),
        };
        if out.len() > limit {
            return Err(too_large(limit));
        }
        read.map_err(|error| self.corrupt(&error.to_string()))
    }

    fn corrupt(self, why: &str) -> Error {
        Error::new(ErrorKind::Syntax, format!("the block is not valid {}: {why}", self.name()))
    }
}

fn append(mut from: impl Read, out: &mut Vec<u8>) -> std::io::Result<()> {
    from.read_to_end(out).map(drop)
}

/// Levels of bzip2 differ in the size of their blocks only, 100,000 bytes for each: the default of 9 would do no better
/// on what fits in one block, and cost readers and writers nine times the memory.
fn bzip2_level(len: usize) -> bzip2::Compression {
    bzip2::Compression::new(len.div_ceil(100_000).clamp(1, 9) as u32)
}

fn xz_encoder(len: usize) -> std::io::Result<Stream> {
    let mut options = LzmaOptions::new_preset(XZ_PRESET)?;
    options.dict_size(len.next_power_of_two().clamp(LEAST_XZ_DICTIONARY, XZ_DICTIONARY) as u32);
    Ok(Stream::new_stream_encoder(Filters::new().lzma2(&options), Check::Crc64)?)
}

fn unsnap(data: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<()> {
    let corrupt = |why: &str| BlockCodec::Snappy.corrupt(why);
    let Some((data, checksum)) = data.split_last_chunk::<4>() else { return Err(corrupt("it has no checksum")) };
    let len = snap::raw::decompress_len(data).map_err(|error| corrupt(&error.to_string()))?;
    if len > limit {
        return Err(too_large(limit));
    }
    // The shortest code for most bytes is 3 bytes for 64: a larger claim is a lie, and must not be believed first.
    if len / 64 > data.len() {
        return Err(corrupt("it is too short for the length it claims"));
    }
    out.resize(len, 0);
    let len = snap::raw::Decoder::new().decompress(data, out).map_err(|error| corrupt(&error.to_string()))?;
    out.truncate(len);
    if crc32(out) == u32::from_be_bytes(*checksum) { Ok(()) } else { Err(corrupt("its checksum is another")) }
}

fn crc32(data: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(data);
    crc.sum()
}

#[cold]
fn too_large(limit: usize) -> Error {
    Error::new(ErrorKind::Limit, format!("a block takes more memory than the limit of {limit} bytes"))
        .hint("raise the limit, or write the file with smaller blocks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_give_back_what_they_took() {
        for len in [0, 1, 1000, 100_000] {
            let data: Vec<u8> = (0..len).map(|i: u32| (i.wrapping_mul(i) >> 7) as u8).collect();
            for codec in BlockCodec::ALL {
                let (mut packed, mut out) = (Vec::new(), b"rubbish".to_vec());
                codec.compress(&data, &mut packed).unwrap();
                codec.decompress(&packed, data.len(), &mut out).unwrap();
                assert_eq!(out, data, "{}", codec.name());
                if len > 0 {
                    let error = codec.decompress(&packed, data.len() - 1, &mut out).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Limit, "{}: {error}", codec.name());
                }
            }
        }
    }

    #[test]
    fn bombs_stop_at_the_limit() {
        let zeros = vec![0; 5 << 20];
        for codec in BlockCodec::ALL {
            let (mut packed, mut out) = (Vec::new(), Vec::new());
            codec.compress(&zeros, &mut packed).unwrap();
            let error = codec.decompress(&packed, 1 << 20, &mut out).unwrap_err();
            assert!(error.message().contains("the limit of 1048576 bytes"), "{}: {error}", codec.name());
            assert!(out.capacity() <= 4 << 20, "{} took {}", codec.name(), out.capacity());
        }
    }

    #[test]
    fn damage_is_found() {
        let data = b"some text that is long enough, some text that is long enough".repeat(20);
        for codec in &BlockCodec::ALL[1..] {
            let (mut packed, mut out) = (Vec::new(), Vec::new());
            codec.compress(&data, &mut packed).unwrap();
            let error = codec.decompress(&packed[..packed.len() / 2], 1 << 20, &mut out).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Syntax, "{}: {error}", codec.name());
            assert!(codec.decompress(b"\xff\xff\xff\xff\xff\xff\xff\xff", 1 << 20, &mut out).is_err());
        }
    }
}
