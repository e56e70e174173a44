//! Cap'n Proto schemas: read, written, and held against the `capnp` tool.

mod common;
mod messages;
mod round_trip;
mod tool;
