//! What stands between the network and the resources, against a port that is listened on: real TLS, HTTP/1.1 and HTTP/2.

mod checking;
mod connections;
mod cors;
mod ending;
mod issuer;
mod metrics;
mod server;
mod tls;
mod tokens;
mod traces;
