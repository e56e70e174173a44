//! Between the network and the gateway: connections and their limits, TLS, and what holds for every request.

mod connection;
mod cors;
mod door;
mod patience;
mod tls;
mod watch;

pub(crate) use connection::Acceptor;
pub(crate) use cors::Cors;
pub(crate) use door::{Door, wrong_scopes};
pub(crate) use tls::Certificates;
pub(crate) use watch::{Stamp, changed};
