//! General-purpose compression behind one small trait: gzip, brotli, zstd and lz4.
//!
//! A compressor is one file in `src/compressors/` and one line in [`COMPRESSORS`]; its command-line name, its HTTP
//! content coding, its file extension and its range of levels all come from its [`Info`].
//!
//! ```
//! use wirewise_compress::by_name;
//!
//! let gzip = by_name("gzip:9")?;
//! let message = b"{\"status\":1,\"longitude\":13.404953999999999}".repeat(50);
//!
//! let mut packed = Vec::new();
//! gzip.compress(&message, &mut packed)?;
//! assert!(packed.len() < message.len() / 10);
//!
//! let mut unpacked = Vec::new();
//! gzip.decompress(&packed, 1 << 20, &mut unpacked)?;
//! assert_eq!(unpacked, message);
//! # Ok::<(), wirewise_compress::Error>(())
//! ```
//!
//! Small messages share more with each other than within themselves: a [`Dictionary`] holds what they share, for zstd.
//!
//! # Hostile input
//!
//! [`Compressor::decompress`] and [`WithDictionary::decompress`] take any bytes. They never panic, they never grow the
//! output past `max_output_bytes`, and what a decoder needs besides is bounded: about 50 KiB for gzip, 16 MiB for brotli
//! (the largest window of RFC 7932), about 12 MiB for lz4 (the largest block of its frame format, linked), and for zstd a window of 8 MiB (what
//! RFC 9659 lets a web server assume) or of the output limit where that is larger, up to 128 MiB.
//!
//! # What is deliberately absent
//!
//! No streams: a measured payload and a served response are whole in memory. No threads, no IO, no clock: the same
//! input, level and library version give the same bytes. No checksum is added where the format leaves it open (zstd
//! without an earlier payload as its dictionary, lz4); gzip always has one, brotli never.

mod compressor;
pub mod compressors;
mod dictionary;
mod drive;
mod error;
mod lookup;
mod shared_brotli;

pub use compressor::{Choice, Compressor, Info};
pub use compressors::COMPRESSORS;
pub use dictionary::{Dictionary, WithDictionary};
pub use error::{Error, Result};
pub use lookup::{by_content_encoding, by_extension, by_name};
