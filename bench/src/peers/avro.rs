//! serde_avro_fast and apache-avro.

use serde::Deserialize;

use super::Peers;
use crate::format::Format;
use crate::shapes::{Owned, Shape};
use crate::workloads::Workload;

pub(super) fn decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("serde_avro_fast", Format::Avro, |input, reading| {
        Ok(serde_avro_fast::from_datum_slice(input, &reading.schemas.avro_fast)?)
    });
}

/// apache-avro lends nothing.
pub(super) fn owned<W: Workload>(peers: &mut Peers<Owned<W>>) {
    peers.decoder("apache-avro", Format::Avro, |mut input, reading| Ok(reading.avro.read_deser(&mut input)?));
    peers.encoder("apache-avro", Format::Avro, |value, writing, out| {
        writing.avro.write_ser(out, value)?;
        Ok(())
    });
}

pub(super) fn encoders<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("serde_avro_fast", Format::Avro, |value, writing, out| {
        serde_avro_fast::to_datum(value, out, &mut writing.avro_config)?;
        Ok(())
    });
}
