//! rmp-serde, with field names.

use serde::{Deserialize, Serialize};

use super::Peers;
use crate::format::Format;
use crate::shapes::Shape;

pub(super) fn decoders<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("rmp-serde", Format::Msgpack, |input, _| Ok(rmp_serde::from_slice(input)?));
}

pub(super) fn encoders<S: Shape>(peers: &mut Peers<S>) {
    peers.encoder("rmp-serde", Format::Msgpack, |value, _, out| {
        Ok(value.serialize(&mut rmp_serde::Serializer::new(out).with_struct_map())?)
    });
}
