//! ciborium.

use ciborium::Value as Theirs;
use serde::de::DeserializeOwned;

use super::Peer;
use super::value::Value;

pub(super) const PEER: Peer = Peer {
    name: "ciborium",
    we_refuse: &[
        ("twice", "it keeps all values that have one key"),
        ("undefined, which", "it takes undefined for null"),
    ],
    it_refuses: &[],
};

pub(super) fn read<T: DeserializeOwned>(mut bytes: &[u8]) -> Result<T, String> {
    let value = ciborium::from_reader(&mut bytes).map_err(|error| format!("{error:?}"))?;
    if bytes.is_empty() { Ok(value) } else { Err("bytes follow".to_owned()) }
}

pub(super) fn value(bytes: &[u8]) -> Result<Value, String> {
    Ok(of(read(bytes)?))
}

fn of(value: Theirs) -> Value {
    match value {
        Theirs::Integer(value) => Value::Int(value.into()),
        Theirs::Bytes(bytes) => Value::Bytes(bytes),
        Theirs::Float(value) => Value::float(value),
        Theirs::Text(text) => Value::Text(text),
        Theirs::Bool(value) => Value::Bool(value),
        Theirs::Null => Value::Null,
        Theirs::Tag(tag, value) => Value::Tagged(tag.into(), Box::new(of(*value))),
        Theirs::Array(items) => Value::List(items.into_iter().map(of).collect()),
        Theirs::Map(entries) => Value::map(entries.into_iter().map(|(key, value)| (of(key), of(value))).collect()),
        other => panic!("ciborium has a new kind of value: {other:?}"),
    }
}
