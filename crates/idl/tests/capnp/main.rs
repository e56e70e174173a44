//! Cap'n Proto schemas: read, written, and held against the `capnp` tool.

mod common;
mod messages;
mod native;
mod request;
mod round_trip;
mod tool;
