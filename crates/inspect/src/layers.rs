//! Compression around a stream.

use std::ops::Range;

use wirewise_compress::{COMPRESSORS, Compressor};
use wirewise_core::{Error, ErrorKind, Result, Role, Span};

use crate::item::{self, Row, span};

/// More layers than anybody has: what goes on decompressing to compressed data was made for that.
pub const MOST: usize = 4;

/// A layer that was peeled off.
#[derive(Debug)]
pub struct Layer {
    /// The compressor's name.
    pub name: &'static str,
    /// Its bytes.
    pub packed: Vec<u8>,
    /// What came out of it.
    pub unpacked: Vec<u8>,
    /// Why nothing did.
    pub error: Option<Error>,
}

impl Layer {
    /// Decompresses to at most `most` bytes.
    pub fn peel(compressor: &dyn Compressor, packed: Vec<u8>, most: usize) -> Layer {
        let name = compressor.info().name;
        match unpack(compressor, &packed, most) {
            Ok(unpacked) => Layer { name, packed, unpacked, error: None },
            Err(error) => Layer { name, packed, unpacked: Vec::new(), error: Some(error) },
        }
    }

    /// What its bytes are.
    pub fn rows(&self) -> Vec<Row> {
        let mut spans = spans(self.name, &self.packed);
        if self.error.is_some() {
            // Where it ends, and so where its trailer is, is not known.
            spans.retain(|span| span.role == Role::Header);
        }
        item::rows(spans, self.packed.len(), self.error.as_ref())
    }
}

/// The compressor whose data begins with its magic number. Brotli has none.
pub fn detect(bytes: &[u8]) -> Option<&'static dyn Compressor> {
    let name = match bytes {
        [0x1f, 0x8b, 8, ..] => "gzip",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
        [0x04, 0x22, 0x4d, 0x18, ..] => "lz4",
        _ => return None,
    };
    COMPRESSORS.iter().copied().find(|compressor| compressor.info().name == name)
}

/// Decompresses to at most `most` bytes.
pub(crate) fn unpack(compressor: &dyn Compressor, bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    let mut unpacked = Vec::new();
    compressor.decompress(bytes, most, &mut unpacked).map_err(|error| {
        use wirewise_compress::Error as E;
        let (kind, offset) = match &error {
            E::OutputLimit { .. } => (ErrorKind::Limit, None),
            E::Truncated { offset, .. } => (ErrorKind::End, Some(*offset)),
            E::TrailingBytes { offset, .. } | E::Corrupt { offset, .. } => (ErrorKind::Syntax, Some(*offset)),
            _ => (ErrorKind::Unsupported, None),
        };
        let error = Error::new(kind, error.to_string());
        match offset {
            Some(offset) => error.at(offset),
            None => error,
        }
    })?;
    Ok(unpacked)
}

/// What the bytes of a compressed stream are, as far as its head says.
pub(crate) fn spans(name: &str, bytes: &[u8]) -> Vec<Span> {
    let mut fields = Fields { bytes, pos: 0, spans: Vec::new() };
    // What ends too early is in no span: the decoder says why.
    let trailer = match name {
        "gzip" => gzip(&mut fields),
        "zstd" => zstd(&mut fields),
        "lz4" => lz4(&mut fields),
        _ => Some(0),
    };
    if let Some(trailer) = trailer {
        let end = bytes.len().saturating_sub(trailer).max(fields.pos);
        if end > fields.pos {
            fields.spans.push(span(fields.pos..end, Role::Payload, "compressed data", ""));
        }
        if end < bytes.len() {
            fields.spans.push(span(end..bytes.len(), Role::Check, "checksum", ""));
        }
    }
    fields.spans
}

struct Fields<'a> {
    bytes: &'a [u8],
    pos: usize,
    spans: Vec<Span>,
}

impl<'a> Fields<'a> {
    /// The next `len` bytes, which are a `what`.
    fn take(&mut self, len: usize, what: &str, value: impl FnOnce(&'a [u8]) -> String) -> Option<&'a [u8]> {
        let range: Range<usize> = self.pos..self.pos.checked_add(len)?;
        let bytes = self.bytes.get(range.clone())?;
        if len > 0 {
            self.spans.push(span(range.clone(), Role::Header, what, value(bytes)));
        }
        self.pos = range.end;
        Some(bytes)
    }

    /// A text that a zero ends.
    fn text(&mut self, what: &str) -> Option<()> {
        let len = self.bytes.get(self.pos..)?.iter().position(|&byte| byte == 0)? + 1;
        let show = |text: &[u8]| {
            let text = String::from_utf8_lossy(&text[..text.len() - 1]);
            format!("{:?}", text.chars().take(100).collect::<String>())
        };
        self.take(len, what, show).map(drop)
    }
}

fn nothing(_: &[u8]) -> String {
    String::new()
}

/// RFC 1952. How many bytes the trailer has.
fn gzip(fields: &mut Fields<'_>) -> Option<usize> {
    fields.take(2, "magic number", nothing)?;
    fields.take(1, "method", |_| "deflate".to_owned())?;
    let flags = fields.take(1, "flags", |byte| byte[0].to_string())?[0];
    fields.take(4, "time of the file", |time| {
        let seconds = u32::from_le_bytes([time[0], time[1], time[2], time[3]]);
        let mut text = Vec::new();
        wirewise_core::text::time::write_timestamp(seconds.into(), wirewise_core::Unit::Seconds, &mut text);
        if seconds == 0 { "none".to_owned() } else { String::from_utf8_lossy(&text).into_owned() }
    })?;
    fields.take(2, "level and system", nothing)?;
    if flags & 4 != 0 {
        let len = fields.take(2, "length of extra fields", nothing)?;
        let len = u16::from_le_bytes([len[0], len[1]]);
        fields.take(len.into(), "extra fields", nothing)?;
    }
    if flags & 8 != 0 {
        fields.text("name of the file")?;
    }
    if flags & 16 != 0 {
        fields.text("comment")?;
    }
    if flags & 2 != 0 {
        fields.take(2, "checksum of the header", nothing)?;
    }
    // CRC-32 and length.
    Some(8)
}

/// RFC 8878, section 3.1.1.
fn zstd(fields: &mut Fields<'_>) -> Option<usize> {
    fields.take(4, "magic number", nothing)?;
    let flags = fields.take(1, "frame descriptor", |byte| byte[0].to_string())?[0];
    let single = flags & 0x20 != 0;
    if !single {
        fields.take(1, "window descriptor", nothing)?;
    }
    fields.take([0, 1, 2, 4][usize::from(flags & 3)], "dictionary id", nothing)?;
    let size = [usize::from(single), 2, 4, 8][usize::from(flags >> 6)];
    fields.take(size, "content size", |bytes| {
        let value = bytes.iter().rev().fold(0, |value: u64, &byte| value << 8 | u64::from(byte));
        // Two bytes begin at 256.
        (value.wrapping_add(if size == 2 { 256 } else { 0 })).to_string()
    })?;
    Some(if flags & 4 != 0 { 4 } else { 0 })
}

/// The LZ4 frame format, 1.6.
fn lz4(fields: &mut Fields<'_>) -> Option<usize> {
    fields.take(4, "magic number", nothing)?;
    let flags = fields.take(1, "flags", |byte| byte[0].to_string())?[0];
    fields.take(1, "block descriptor", nothing)?;
    if flags & 8 != 0 {
        fields.take(8, "content size", |size| {
            size.first_chunk().map(|size| u64::from_le_bytes(*size).to_string()).unwrap_or_default()
        })?;
    }
    if flags & 1 != 0 {
        fields.take(4, "dictionary id", nothing)?;
    }
    fields.take(1, "checksum of the header", nothing)?;
    Some(if flags & 4 != 0 { 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_compressor_with_a_magic_number_is_found_and_explained() {
        for compressor in COMPRESSORS {
            let mut packed = Vec::new();
            compressor.compress(None, None, &b"{\"a\":1}".repeat(100), &mut packed).unwrap();
            let name = compressor.info().name;
            assert_eq!(detect(&packed).map(|found| found.info().name), (name != "brotli").then_some(name));
            let layer = Layer::peel(*compressor, packed.clone(), 700);
            assert_eq!(layer.unpacked.len(), 700);
            let rows = layer.rows();
            let covered: usize = rows.iter().map(|row| row.bytes.len()).sum();
            assert_eq!(covered, packed.len(), "{name}: {rows:?}");
            assert!(rows.iter().all(|row| matches!(row.kind, item::Kind::Role(_))), "{name}: {rows:?}");
            assert_eq!(unpack(*compressor, &packed, 699).unwrap_err().kind(), ErrorKind::Limit);
            for end in 0..packed.len() {
                assert!(unpack(*compressor, &packed[..end], 700).is_err());
                assert!(spans(name, &packed[..end]).iter().all(|span| span.bytes.end <= end));
            }
        }
    }

    #[test]
    fn fields_of_gzip() {
        let head = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x02\xffname\0data12345678";
        let shown: Vec<_> = spans("gzip", head).into_iter().map(|span| (span.bytes, span.what, span.value)).collect();
        assert_eq!(shown[5], (10..15, "name of the file".to_owned(), "\"name\"".to_owned()));
        assert_eq!(shown[6].0, 15..19);
        assert_eq!(shown[7].0, 19..27);
    }
}
