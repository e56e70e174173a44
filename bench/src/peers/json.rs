//! serde_json, sonic-rs and simd-json.

use serde::Deserialize;

use super::Peers;
use crate::format::Format;
use crate::shapes::Shape;

pub(super) fn decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("serde_json", Format::Json, |input, _| Ok(serde_json::from_slice(input)?));
    sonic(peers);
    // simd-json writes into its input: a copy is a part of using it.
    peers.decoder("simd-json", Format::Json, |input, reading| {
        reading.scratch.clear();
        reading.scratch.extend_from_slice(input);
        Ok(simd_json::serde::from_slice_with_buffers(&mut reading.scratch, &mut reading.simd_json)?)
    });
}

pub(super) fn sonic<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("sonic-rs", Format::Json, |input, _| Ok(sonic_rs::from_slice(input)?));
}

pub(super) fn encoders<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("serde_json", Format::Json, |value, _, out| Ok(serde_json::to_writer(out, value)?));
    peers.encoder("sonic-rs", Format::Json, |value, _, out| Ok(sonic_rs::to_writer(out, value)?));
}

pub(super) fn owned<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("simd-json", Format::Json, |value, _, out| Ok(simd_json::serde::to_writer(out, value)?));
}
