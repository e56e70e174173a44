//! A record as people have them, and the types that serde derives for it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Peer;
use super::value::Value;
use super::{cbor as cbor_peer, json as json_peer, msgpack as msgpack_peer};

pub(super) const SCHEMA: &str = r#"{"wirewise": "schema/1", "root": "Order", "types": [
    {"record": "Order", "fields": [
        {"number": 1, "name": "id", "type": "uint64"},
        {"number": 2, "name": "name", "type": "string"},
        {"number": 3, "name": "paid", "type": "bool"},
        {"number": 4, "name": "small", "type": "int8"},
        {"number": 5, "name": "count", "type": "int32"},
        {"number": 6, "name": "big", "type": "int64"},
        {"number": 7, "name": "ratio", "type": "float64"},
        {"number": 8, "name": "note", "type": {"nullable": "string"}, "presence": "optional"},
        {"number": 9, "name": "tags", "type": {"list": "string"}},
        {"number": 10, "name": "numbers", "type": {"list": "int64"}},
        {"number": 11, "name": "doubles", "type": {"list": "float64"}},
        {"number": 12, "name": "lines", "type": {"list": "Line"}},
        {"number": 13, "name": "parent", "type": {"nullable": "Order"}, "presence": "optional"},
        {"number": 14, "name": "labels", "type": {"map": "int32"}}]},
    {"record": "Line", "fields": [
        {"number": 1, "name": "what", "type": "string"},
        {"number": 2, "name": "x", "type": "float64"},
        {"number": 3, "name": "y", "type": "float64"},
        {"number": 4, "name": "count", "type": "uint16"}]}]}"#;

/// What [`SCHEMA`] says.
#[derive(Serialize, Deserialize)]
struct Order {
    id: u64,
    name: String,
    paid: bool,
    small: i8,
    count: i32,
    big: i64,
    ratio: f64,
    #[serde(default)]
    note: Option<String>,
    tags: Vec<String>,
    numbers: Vec<i64>,
    doubles: Vec<f64>,
    lines: Vec<Line>,
    #[serde(default)]
    parent: Option<Box<Order>>,
    labels: BTreeMap<String, i32>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    what: String,
    x: f64,
    y: f64,
    count: u16,
}

impl Order {
    fn value(self) -> Result<Value, String> {
        serde_json::to_value(self).map(json_peer::of).map_err(|error| error.to_string())
    }
}

pub(super) fn json(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice::<Order>(bytes).map_err(|error| error.to_string())?.value()
}

pub(super) fn msgpack(bytes: &[u8]) -> Result<Value, String> {
    let value = msgpack_peer::read(bytes)?;
    rmpv::ext::from_value::<Order>(value).map_err(|error| error.to_string())?.value()
}

pub(super) fn cbor(bytes: &[u8]) -> Result<Value, String> {
    cbor_peer::read::<Order>(bytes)?.value()
}

pub(super) const JSON: Peer = Peer {
    name: "serde_json with serde's structs",
    we_refuse: &[
        ("twice", "it keeps the last of several entries of a map with one key"),
        ("found an array", "serde reads structs from arrays, too"),
    ],
    it_refuses: &[],
};

pub(super) const MSGPACK: Peer = Peer {
    name: "rmpv with serde's structs",
    we_refuse: &[
        ("twice", "it keeps the last of several entries of a map with one key"),
        ("found an array", "serde reads structs from arrays, too"),
    ],
    it_refuses: &[],
};

pub(super) const CBOR: Peer = Peer {
    name: "ciborium with serde's structs",
    we_refuse: &[
        ("twice", "it keeps the last of several entries of a map with one key"),
        ("found an array", "serde reads structs from arrays, too"),
    ],
    it_refuses: &[],
};
