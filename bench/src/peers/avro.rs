//! serde_avro_fast.

use serde::Deserialize;

use super::Peers;
use crate::format::Format;
use crate::shapes::Shape;

pub(super) fn decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("serde_avro_fast", Format::Avro, |input, reading| {
        Ok(serde_avro_fast::from_datum_slice(input, &reading.schemas.avro_fast)?)
    });
}

pub(super) fn encoders<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("serde_avro_fast", Format::Avro, |value, writing, out| {
        serde_avro_fast::to_datum(value, out, &mut writing.avro_config)?;
        Ok(())
    });
}
