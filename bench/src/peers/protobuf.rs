//! prost.

use prost::Message;

use super::Peers;
use crate::format::Format;
use crate::shapes::Owned;
use crate::workloads::Workload;

pub(super) fn owned<W: Workload>(peers: &mut Peers<Owned<W>>) {
    peers.decoder("prost", Format::Protobuf, |input, _| Ok(W::Owned::decode(input)?));
    peers.encoder("prost", Format::Protobuf, |value, _, out| Ok(value.encode(out)?));
}
