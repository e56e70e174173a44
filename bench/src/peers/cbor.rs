//! ciborium, and minicbor through serde.

use serde::{Deserialize, Serialize};

use super::Peers;
use crate::format::Format;
use crate::shapes::{Owned, Shape};
use crate::workloads::Workload;

pub(super) fn serde<S: Shape>(peers: &mut Peers<S>)
where
    for<'a> S::Value<'a>: Deserialize<'a>,
{
    peers.decoder("minicbor-serde", Format::Cbor, |input, _| Ok(minicbor_serde::from_slice(input)?));
    peers.encoder("minicbor-serde", Format::Cbor, |value, _, out| {
        value.serialize(&mut minicbor_serde::Serializer::new(out))?;
        Ok(())
    });
}

/// ciborium lends nothing.
pub(super) fn owned<W: Workload>(peers: &mut Peers<Owned<W>>) {
    peers.decoder("ciborium", Format::Cbor, |input, _| Ok(ciborium::from_reader(input)?));
    peers.encoder("ciborium", Format::Cbor, |value, _, out| Ok(ciborium::into_writer(value, out)?));
}
