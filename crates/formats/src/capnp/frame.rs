//! Where a message ends, packed or not.

use wirewise_core::{Error, Limits, Result};

use super::message::{self, WORD};
use super::packed::Unpacker;

/// The error of a message that was unpacked.
pub(super) fn unpacked(error: Error) -> Error {
    if error.offset().is_some() { error.hint("the place is counted in the unpacked message") } else { error }
}

/// Size in bytes of the message at the start of the input, which is checked to be there.
pub(super) fn frame(input: &[u8], limits: &Limits) -> Result<usize> {
    let expected = "the segment table of a message";
    let first = *input.first_chunk().ok_or_else(|| Error::end(input.len(), expected))?;
    let table = message::within(message::table_bytes(first) as u64, limits)?;
    let table = input.get(..table).ok_or_else(|| Error::end(input.len(), expected))?;
    let bytes = message::message_bytes(table, limits)?;
    if input.len() < bytes {
        let expected = format_args!("the end of a message of {bytes} bytes, as its segment table says,");
        return Err(Error::end(input.len(), expected));
    }
    Ok(bytes)
}

/// The message at the start of packed input, unpacked, and how much of the input it took.
pub(super) fn unpack(input: &[u8], limits: &Limits) -> Result<(Vec<u8>, usize)> {
    let mut unpacker = Unpacker::new(input);
    let mut out = Vec::with_capacity(input.len().saturating_mul(2).min(1 << 16));
    unpacker.words(1, &mut out)?;
    let first = *out.first_chunk().unwrap_or(&[0; 4]);
    let table = message::within(message::table_bytes(first) as u64, limits)?;
    unpacker.words(table / WORD - 1, &mut out)?;
    let bytes = message::message_bytes(&out, limits)?;
    unpacker.words((bytes - table) / WORD, &mut out)?;
    if unpacker.is_within_run() {
        return Err(Error::syntax(unpacker.pos, "a run of packed words goes on after the end of the message"));
    }
    Ok((out, unpacker.pos))
}
