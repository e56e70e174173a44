//! serde_json.

use serde_json::Value as Json;

use super::Peer;
use super::value::Value;

pub(super) const PEER: Peer = Peer {
    name: "serde_json",
    we_refuse: &[("twice", "it keeps the last of several values with one name, and says nothing")],
    it_refuses: &[("number out of range", "we keep the text of a number that no double holds")],
};

pub(super) fn value(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map(of).map_err(|error| error.to_string())
}

pub(super) fn of(json: Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => match (number.as_i128(), number.as_f64()) {
            (Some(value), _) => Value::Int(value),
            (None, value) => Value::float(value.expect("without arbitrary precision all others are doubles")),
        },
        Json::String(text) => Value::Text(text),
        Json::Array(items) => Value::List(items.into_iter().map(of).collect()),
        Json::Object(entries) => {
            Value::map(entries.into_iter().map(|(name, value)| (Value::Text(name), of(value))).collect())
        }
    }
}
