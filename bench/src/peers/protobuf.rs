//! prost and buffa.

use buffa::view::{MessageView, ViewEncode};
use prost::Message;

use super::Peers;
use crate::format::Format;
use crate::shapes::{Buffa, Cows, Owned, Views};
use crate::workloads::Workload;

pub(super) fn owned<W: Workload>(peers: &mut Peers<Owned<W>>) {
    peers.decoder("prost", Format::Protobuf, |input, _| Ok(W::Owned::decode(input)?));
    peers.encoder("prost", Format::Protobuf, |value, _, out| Ok(value.encode(out)?));
}

pub(super) fn buffa<W: Workload>(peers: &mut Peers<Buffa<W>>) {
    peers.decoder("buffa", Format::Protobuf, |input, _| Ok(buffa::Message::decode_from_slice(input)?));
    peers.encoder("buffa", Format::Protobuf, |value, writing, out| {
        buffa::Message::encode_with_cache(value, &mut writing.buffa, out);
        Ok(())
    });
}

pub(super) fn views<W: Workload>(peers: &mut Peers<Views<W>>) {
    peers.decoder("buffa", Format::Protobuf, |input, _| Ok(W::View::decode_view(input)?));
    peers.encoder("buffa", Format::Protobuf, |value, writing, out| {
        value.encode_with_cache(&mut writing.buffa, out);
        Ok(())
    });
}

/// A view of what serde borrowed.
pub(super) fn cows<W: Workload>(peers: &mut Peers<Cows<W>>) {
    peers.encoder("buffa view", Format::Protobuf, |value, writing, out| {
        W::view(value).encode_with_cache(&mut writing.buffa, out);
        Ok(())
    });
}
