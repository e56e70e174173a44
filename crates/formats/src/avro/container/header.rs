//! The header: magic, metadata, sync marker.

use wirewise_core::{Error, Result, Role, Silent, Tracer};

use super::{BlockCodec, SyncMarker};
use crate::avro::wire::{Place, Reader, write_bytes, write_long};

const MAGIC: &[u8; 4] = b"Obj\x01";
const SCHEMA: &str = "avro.schema";
const CODEC: &str = "avro.codec";

/// Longest header in bytes: schemas of real files are a thousandth of this.
const MOST_BYTES: usize = 16 << 20;

/// What a container says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The schema of its values, as JSON.
    pub schema: String,
    /// How its blocks are compressed.
    pub codec: BlockCodec,
    /// What stands after each block.
    pub sync: SyncMarker,
    /// Other metadata: names that begin with `avro.` are reserved.
    pub metadata: Vec<(String, Vec<u8>)>,
}

impl Header {
    /// Reads the header at the start of `input`, and says how many bytes it takes.
    ///
    /// # Errors
    /// [`ErrorKind::End`](wirewise_core::ErrorKind::End) when it is incomplete, `Syntax` when this is no container,
    /// `Data` when it lacks a schema, `Unsupported` when the codec is unknown.
    pub fn parse(input: &[u8]) -> Result<(Header, usize)> {
        Header::parse_with(input, &mut Silent)
    }

    /// The same, saying what the bytes are.
    pub(in crate::avro) fn parse_with<T: Tracer>(input: &[u8], tracer: &mut T) -> Result<(Header, usize)> {
        let start = &input[..input.len().min(MAGIC.len())];
        if !MAGIC.starts_with(start) {
            let old = input.starts_with(b"Obj\x00");
            let error = Error::syntax(0, "this is no Avro object container: it does not begin with \"Obj\" and 1");
            return Err(error.hint(match old {
                true => "it is one of Avro 1.2 or older: rewrite it with a library of that time",
                false => "values without a container are the variants avro and avro-single-object",
            }));
        }
        let mut wire = Reader { input, pos: 0, place: Place::Message };
        wire.take(MAGIC.len(), "the rest of \"Obj\" and 1")?;
        tracer.span(0..wire.pos, Role::Header, format_args!("magic bytes"), format_args!("Obj 1"));
        let (mut schema, mut codec, mut metadata) = (None, BlockCodec::Null, Vec::new());
        loop {
            let start = wire.pos;
            let count = wire.long()?;
            if count < 0 {
                wire.len(MOST_BYTES)?;
            }
            tracer.span(start..wire.pos, Role::Header, format_args!("number of metadata"), format_args!("{count}"));
            if count == 0 {
                break;
            }
            for _ in 0..count.unsigned_abs() {
                let at = wire.pos;
                let name_at = at;
                let len = wire.len(MOST_BYTES)?;
                let name = text(wire.take(len, "the rest of a metadata name")?, at)?;
                let at = wire.pos;
                let len = wire.len(MOST_BYTES)?;
                if T::ON {
                    tracer.span(name_at..at, Role::Header, format_args!("metadata name"), format_args!("{name:?}"));
                    let what = format_args!("length of {name}");
                    tracer.span(at..wire.pos, Role::Header, what, format_args!("{len}"));
                    // Of one that is cut, what there is.
                    let value = wire.pos..input.len().min(wire.pos.saturating_add(len));
                    let shown = String::from_utf8_lossy(&input[value.start..value.end.min(value.start + 300)]);
                    tracer.span(value, Role::Header, format_args!("{name}"), format_args!("{shown}"));
                }
                let value = wire.take(len, "the rest of a metadata value")?;
                match name {
                    SCHEMA => schema = Some(text(value, at)?.to_owned()),
                    CODEC => codec = BlockCodec::by_name(text(value, at)?).map_err(|error| error.at(at))?,
                    _ => metadata.push((name.to_owned(), value.to_vec())),
                }
                if wire.pos > MOST_BYTES {
                    let what = format!("the header is longer than {MOST_BYTES} bytes");
                    return Err(Error::new(wirewise_core::ErrorKind::Limit, what).at(wire.pos));
                }
            }
        }
        let sync = wire.take(16, "the sync marker")?.try_into().expect("asked for 16 bytes");
        tracer.span(wire.pos - 16..wire.pos, Role::Header, format_args!("sync marker"), format_args!(""));
        let schema = schema.ok_or_else(|| Error::data(0, "the container has no schema (avro.schema)"))?;
        Ok((Header { schema, codec, sync, metadata }, wire.pos))
    }

    /// Appends the header. The codec is always named, and first, as most writers do.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        write_long(2 + self.metadata.len() as i64, out);
        for (name, value) in [(CODEC, self.codec.name()), (SCHEMA, &self.schema)] {
            write_bytes(name.as_bytes(), out);
            write_bytes(value.as_bytes(), out);
        }
        for (name, value) in &self.metadata {
            write_bytes(name.as_bytes(), out);
            write_bytes(value, out);
        }
        out.push(0);
        out.extend_from_slice(&self.sync);
    }
}

fn text(bytes: &[u8], at: usize) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| Error::syntax(at, "metadata is not valid UTF-8"))
}

/// The sync marker that we write: made from the schema's fingerprint, where others take 16 random bytes.
///
/// So the same values always give the same file, which caches, tests and comparisons of files can rely on. The price:
/// who writes values into a file that others split at its markers (as Hadoop does) could put the marker into a value on
/// purpose. Readers that begin at the header, such as ours, are not affected.
pub fn sync_marker(fingerprint: u64) -> SyncMarker {
    // splitmix64: spreads the 64 bits over 128.
    let mut state = fingerprint;
    let mut next = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    };
    let mut marker = [0; 16];
    marker[..8].copy_from_slice(&next().to_le_bytes());
    marker[8..].copy_from_slice(&next().to_le_bytes());
    marker
}
