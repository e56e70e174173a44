//! Object container files: a header with the schema, then blocks of values, each after their count and size.
//!
//! [`Header`], [`BlockReader`] and [`Writer`] work on slices, so that a stream can be read and written in memory that
//! its largest block bounds.
//!
//! ```
//! use std::sync::Arc;
//! use wirewise_core::{Arena, Limits, Losses, Schema};
//! use wirewise_formats::avro::{self, container::{BlockReader, Header, Writer}};
//!
//! let schema = Arc::new(Schema::parse(r#"{"wirewise": "schema/1", "root": "int32", "types": []}"#)?);
//! let header = avro::container_header(&schema, "avro-container-deflate")?;
//! let mut file = Vec::new();
//! let mut writer = Writer::begin(&header, &mut file);
//! writer.append(b"\x02", &mut file)?;
//! writer.append(b"\x04", &mut file)?;
//! writer.finish(&mut file)?;
//!
//! let (header, mut pos) = Header::parse(&file)?;
//! let datum = avro::plan_for_container(&schema, &header)?;
//! let mut blocks = BlockReader::new(&header, Limits::default());
//! let (mut arena, mut losses) = (Arena::new(Limits::default()), Losses::none());
//! let mut values = Vec::new();
//! while pos < file.len() {
//!     let block = blocks.next(&file[pos..])?;
//!     let mut rest = block.data;
//!     for _ in 0..block.count {
//!         // A block is whole, so that an error of the kind `End` means damage here.
//!         let used = datum.read(rest, &mut arena, &mut losses)?;
//!         values.push(wirewise_core::Document::new(&schema, rest, &arena).root().as_i64());
//!         rest = &rest[used..];
//!     }
//!     assert!(rest.is_empty());
//!     pos += block.used;
//! }
//! assert_eq!(values, [1, 2]);
//! # Ok::<(), wirewise_core::Error>(())
//! ```

mod codec;
mod header;

use wirewise_core::{Error, ErrorKind, Limits, Result, Role, Silent, Tracer};

pub use codec::BlockCodec;
pub use header::{Header, sync_marker};

use super::wire::{Place, Reader, write_long};

/// Bytes of values, before compression, after which [`Writer`] ends a block: what the Java and Python libraries have
/// (`4000 * SYNC_SIZE`). Larger blocks compress little better, and cost every reader that much memory.
pub const BLOCK_BYTES: usize = 64_000;

/// A sync marker: 16 bytes after the header and after each block, by which a reader finds the next block from anywhere.
pub type SyncMarker = [u8; 16];

/// Takes the blocks of a container one by one.
#[derive(Debug)]
pub struct BlockReader {
    codec: BlockCodec,
    sync: SyncMarker,
    limits: Limits,
    /// The last block that was compressed.
    buffer: Vec<u8>,
}

/// One block of a container.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// How many values it has.
    pub count: u64,
    /// Their bytes, one after the other, decompressed.
    pub data: &'a [u8],
    /// Where `data` lies in the input, unless it was compressed.
    pub offset: Option<usize>,
    /// How many bytes of the input the block took, its sync marker included.
    pub used: usize,
}

impl BlockReader {
    /// A reader of the blocks that follow `header`. A block may have [`Limits::message_bytes`] and, decompressed,
    /// [`Limits::memory_bytes`].
    pub fn new(header: &Header, limits: Limits) -> Self {
        BlockReader { codec: header.codec, sync: header.sync, limits, buffer: Vec::new() }
    }

    /// The block at the start of `input`. A container ends where a block would begin, so ask only while there is
    /// input.
    ///
    /// # Errors
    /// [`ErrorKind::End`] when the block is incomplete; [`ErrorKind::Limit`] when it is too large.
    pub fn next<'a>(&'a mut self, input: &'a [u8]) -> Result<Block<'a>> {
        self.next_with(input, 0, &mut Silent)
    }

    /// The same, saying what the bytes before and after the values are; the block is at `base` of the whole input.
    pub(super) fn next_with<'a, T: Tracer>(
        &'a mut self,
        input: &'a [u8],
        base: usize,
        tracer: &mut T,
    ) -> Result<Block<'a>> {
        let mut wire = Reader { input, pos: 0, place: Place::Message };
        let count = wire.long()?;
        tracer.span(base..base + wire.pos, Role::Length, format_args!("number of values"), format_args!("{count}"));
        let size_at = wire.pos;
        let count = u64::try_from(count).map_err(|_| wire.syntax(0, format!("a block has {count} values")))?;
        let size = wire.len(self.limits.message_bytes)?;
        let start = wire.pos;
        tracer.span(
            base + size_at..base + start,
            Role::Length,
            format_args!("size of the block"),
            format_args!("{size}"),
        );
        let stored = wire.take(size, "the rest of a block")?;
        let at = wire.pos;
        if wire.take(self.sync.len(), "the sync marker after a block")? != self.sync {
            return Err(wire
                .syntax(at, "the block does not end with the sync marker of the file")
                .hint("the file is damaged, or two files were joined"));
        }
        let used = wire.pos;
        if self.codec == BlockCodec::Null {
            return Ok(Block { count, data: stored, offset: Some(start), used });
        }
        let what = format_args!("values, compressed with {}", self.codec.name());
        tracer.span(base + start..base + start + size, Role::Payload, what, format_args!("{count} values"));
        self.codec.decompress(stored, self.limits.memory_bytes, &mut self.buffer).map_err(|error| error.at(start))?;
        Ok(Block { count, data: &self.buffer, offset: None, used })
    }
}

/// Writes a container.
#[derive(Debug)]
pub struct Writer {
    codec: BlockCodec,
    sync: SyncMarker,
    block: Vec<u8>,
    count: i64,
}

impl Writer {
    /// Begins a container: appends its header to `out`.
    pub fn begin(header: &Header, out: &mut Vec<u8>) -> Self {
        header.write(out);
        Writer { codec: header.codec, sync: header.sync, block: Vec::new(), count: 0 }
    }

    /// Adds one value, an encoded datum. A block that is full goes to `out`.
    ///
    /// # Errors
    /// That of [`Writer::flush`].
    pub fn append(&mut self, datum: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.append_with(out, |block| {
            block.extend_from_slice(datum);
            Ok(())
        })
    }

    /// Adds the value that `encode` appends. When it fails, nothing is added.
    ///
    /// # Errors
    /// Those of `encode` and of [`Writer::flush`].
    pub fn append_with(&mut self, out: &mut Vec<u8>, encode: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
        let start = self.block.len();
        if let Err(error) = encode(&mut self.block) {
            self.block.truncate(start);
            return Err(error);
        }
        self.count += 1;
        // Values without any bytes (records without fields) count too, so that readers can bound their work.
        if self.block.len() >= BLOCK_BYTES || self.count as usize >= BLOCK_BYTES {
            return self.flush(out);
        }
        Ok(())
    }

    /// Appends what was added since the last block to `out` as a block of its own.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] as [`BlockCodec::compress`].
    pub fn flush(&mut self, out: &mut Vec<u8>) -> Result<()> {
        if self.count == 0 {
            return Ok(());
        }
        write_long(self.count, out);
        if self.codec == BlockCodec::Null {
            write_long(self.block.len() as i64, out);
            out.extend_from_slice(&self.block);
        } else {
            let mut packed = Vec::new();
            self.codec.compress(&self.block, &mut packed)?;
            write_long(packed.len() as i64, out);
            out.extend_from_slice(&packed);
        }
        out.extend_from_slice(&self.sync);
        self.block.clear();
        self.count = 0;
        Ok(())
    }

    /// Ends the container. (There is no trailer: a file may also be continued after its last block.)
    ///
    /// # Errors
    /// That of [`Writer::flush`].
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<()> {
        self.flush(out)
    }
}

/// The error of a file with another schema than the one that was asked for.
#[cold]
pub(super) fn other_schema(why: &Error) -> Error {
    let place = why.path().map(|path| format!(", in {path}")).unwrap_or_default();
    let what = format!("the file was written with another schema: {}{place}", why.message());
    Error::new(ErrorKind::Unsupported, what).hint("leave --schema out to use the file's own")
}
