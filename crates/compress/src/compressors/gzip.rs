//! gzip (RFC 1952), by `zlib-rs` through `flate2`.

use std::io::Write;

use flate2::{Compression, Decompress, FlushDecompress, GzBuilder, Status};

use crate::drive::{Decoder, Fault, Step, drive};
use crate::{Compressor, Error, Info, Result};

/// gzip: understood by everything that speaks HTTP.
///
/// The header is always the same: no name, a time of 0, "unknown" as the operating system.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gzip;

static INFO: Info = Info {
    name: "gzip",
    content_encoding: Some("gzip"),
    extension: "gz",
    about: "DEFLATE with a checksum; choose it when any client at all must be able to read it",
    levels: 1..=9,
    default_level: 6,
    windows: None,
};

/// The operating system byte of RFC 1952 for "unknown".
const OS_UNKNOWN: u8 = 255;
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// A window of 32 KiB, the largest that DEFLATE has.
const WINDOW_BITS: u8 = 15;

impl Compressor for Gzip {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn compress(&self, level: Option<i32>, window: Option<u8>, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let level = Compression::new(INFO.level(level)?.unsigned_abs());
        INFO.window(window)?;
        let start = out.len();
        let mut encoder = GzBuilder::new().mtime(0).operating_system(OS_UNKNOWN).write(&mut *out, level);
        let done = encoder.write_all(input).and_then(|()| encoder.try_finish());
        drop(encoder);
        done.map_err(|error| {
            out.truncate(start);
            Error::Encode { compressor: INFO.name, reason: error.to_string() }
        })
    }

    fn decompress(&self, input: &[u8], max_output_bytes: usize, out: &mut Vec<u8>) -> Result<()> {
        drive(&mut Members(Decompress::new_gzip(WINDOW_BITS)), input, max_output_bytes, out)
    }
}

struct Members(Decompress);

impl Decoder for Members {
    const NAME: &'static str = "gzip";

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> std::result::Result<Step, Fault> {
        let (read, written) = (self.0.total_in(), self.0.total_out());
        let status = self
            .0
            .decompress(input, output, FlushDecompress::None)
            .map_err(|error| Fault::Corrupt(error.message().map_or_else(|| error.to_string(), str::to_owned)))?;
        Ok(Step {
            read: (self.0.total_in() - read) as usize,
            written: (self.0.total_out() - written) as usize,
            ended: status == Status::StreamEnd,
        })
    }

    fn starts_another(&mut self, rest: &[u8]) -> bool {
        self.0 = Decompress::new_gzip(WINDOW_BITS);
        let known = rest.len().min(MAGIC.len());
        rest[..known] == MAGIC[..known]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(level: i32) -> Vec<u8> {
        let mut out = Vec::new();
        Gzip.compress(Some(level), None, b"abc", &mut out).unwrap();
        out
    }

    #[test]
    fn the_header_says_nothing_about_machine_or_time() {
        assert_eq!(packed(6)[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        assert_eq!(packed(9)[4..10], [0, 0, 0, 0, 2, 255], "the eighth byte marks the slowest level");
    }

    #[test]
    fn a_changed_checksum_is_noticed() {
        let mut data = packed(6);
        let crc = data.len() - 8;
        data[crc] ^= 1;
        let error = Gzip.decompress(&data, 100, &mut Vec::new()).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{error}");
    }

    #[test]
    fn half_a_second_member_is_truncation() {
        let mut data = packed(6);
        data.push(MAGIC[0]);
        let error = Gzip.decompress(&data, 100, &mut Vec::new()).unwrap_err();
        assert_eq!(error, Error::Truncated { compressor: "gzip", offset: data.len() });
    }
}
