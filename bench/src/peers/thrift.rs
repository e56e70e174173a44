//! Apache Thrift's own library and code.

use thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol, TSerializable};

use super::Peers;
use crate::format::Format;
use crate::shapes::Owned;
use crate::workloads::Workload;

pub(super) fn owned<W: Workload>(peers: &mut Peers<Owned<W>>) {
    peers.decoder("thrift", Format::Thrift, |input, _| {
        Ok(W::Owned::read_from_in_protocol(&mut TCompactInputProtocol::new(input))?)
    });
    peers.encoder("thrift", Format::Thrift, |value, _, out| {
        Ok(value.write_to_out_protocol(&mut TCompactOutputProtocol::new(out))?)
    });
}
