//! Where data comes from and where writes go: real databases, real servers.

mod http;
#[cfg(unix)]
mod postgres;
mod schemas;
#[cfg(unix)]
mod server;
mod sqlite;
mod support;
mod writes;
