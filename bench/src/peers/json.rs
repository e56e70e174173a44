//! serde_json, sonic-rs.

use serde::Deserialize;

use super::Peers;
use crate::format::Format;
use crate::shapes::Shape;

pub(super) fn decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("serde_json", Format::Json, |input, _| Ok(serde_json::from_slice(input)?));
    peers.decoder("sonic-rs", Format::Json, |input, _| Ok(sonic_rs::from_slice(input)?));
}

pub(super) fn encoders<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("serde_json", Format::Json, |value, _, out| Ok(serde_json::to_writer(out, value)?));
    peers.encoder("sonic-rs", Format::Json, |value, _, out| Ok(sonic_rs::to_writer(out, value)?));
}
