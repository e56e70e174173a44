//! Where a message ends, packed or not.

use wirewise_core::{Error, Limits, Result};

use super::message::{self, WORD};
use super::packed::Unpacker;

/// The error of a message that was unpacked from this input, which is where its place is.
pub(super) fn unpacked(error: Error, input: &[u8]) -> Error {
    error.relocated(|offset| Unpacker::place(input, offset))
}

/// Whether the whole segment table is there.
pub(super) fn has_table(message: &[u8]) -> bool {
    message.first_chunk().is_some_and(|&first| message.len() >= message::table_bytes(first))
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
    match unpack_cut(input, limits) {
        (message, used, None) => Ok((message, used)),
        (.., Some(error)) => Err(error),
    }
}

/// The same, with what could be unpacked of a message that is not whole.
pub(super) fn unpack_cut(input: &[u8], limits: &Limits) -> (Vec<u8>, usize, Option<Error>) {
    let mut unpacker = Unpacker::new(input);
    let mut out = Vec::with_capacity(input.len().saturating_mul(2).min(1 << 16));
    let error = unpack_message(&mut unpacker, limits, &mut out).err();
    (out, unpacker.pos, error)
}

fn unpack_message(unpacker: &mut Unpacker<'_>, limits: &Limits, out: &mut Vec<u8>) -> Result<()> {
    unpacker.words(1, out)?;
    let first = *out.first_chunk().unwrap_or(&[0; 4]);
    let table = message::within(message::table_bytes(first) as u64, limits)?;
    unpacker.words(table / WORD - 1, out)?;
    let bytes = message::message_bytes(out, limits)?;
    unpacker.words((bytes - table) / WORD, out)?;
    if unpacker.is_within_run() {
        return Err(Error::syntax(unpacker.pos, "a run of packed words goes on after the end of the message"));
    }
    Ok(())
}
