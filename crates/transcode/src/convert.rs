//! One stream into another.

use std::io::{Read, Write};

use wirewise_core::Losses;
use wirewise_formats::Codec;

use crate::{Error, Sink, Source};

/// Converts every message of `source`, read with `from`, and puts it into `sink`, written with `to`. Returns how many
/// there were. Both codecs must have been planned for the same schema.
///
/// # Errors
/// The first thing that goes wrong, with its place in the source. What was converted before it is in the sink: see
/// [`Sink::abandon`].
pub fn convert<R: Read, W: Write>(
    source: &mut Source<R>,
    from: &dyn Codec,
    sink: &mut Sink<W>,
    to: &dyn Codec,
    losses: &mut Losses,
) -> Result<u64, Error> {
    let mut count = 0;
    loop {
        let before = source.place();
        let Some(document) = source.next(from, losses)? else { return Ok(count) };
        // An error of the encoder has a path, and offsets of the message it could not finish: only the place of the
        // message in the source means something to the reader.
        sink.put(to, &document, losses).map_err(|error| match error {
            Error::Message { error, .. } => Error::Message { place: before, error },
            other => other,
        })?;
        count += 1;
    }
}
