//! rmpv.

use rmpv::Value as Theirs;

use super::Peer;
use super::value::Value;

pub(super) const PEER: Peer = Peer {
    name: "rmpv",
    we_refuse: &[
        ("the byte 0xc1", "it takes the one byte that MessagePack never uses for null"),
        ("twice", "it keeps all values that have one key"),
    ],
    it_refuses: &[],
};

pub(super) fn read(mut bytes: &[u8]) -> Result<Theirs, String> {
    let value = rmpv::decode::read_value(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.is_empty() { Ok(value) } else { Err("bytes follow".to_owned()) }
}

pub(super) fn value(bytes: &[u8]) -> Result<Value, String> {
    of(read(bytes)?)
}

fn of(value: Theirs) -> Result<Value, String> {
    Ok(match value {
        Theirs::Nil => Value::Null,
        Theirs::Boolean(value) => Value::Bool(value),
        Theirs::Integer(value) => match (value.as_i64(), value.as_u64()) {
            (Some(value), _) => Value::Int(value.into()),
            (None, value) => Value::Int(value.ok_or("an integer is one of the two")?.into()),
        },
        Theirs::F32(value) => Value::float(value.into()),
        Theirs::F64(value) => Value::float(value),
        // It gives bytes that are no text as such.
        Theirs::String(text) => Value::Text(text.into_str().ok_or("not UTF-8")?),
        Theirs::Binary(bytes) => Value::Bytes(bytes),
        Theirs::Array(items) => Value::List(items.into_iter().map(of).collect::<Result<_, _>>()?),
        Theirs::Map(entries) => {
            let entries = entries.into_iter().map(|(key, value)| Ok((of(key)?, of(value)?)));
            Value::map(entries.collect::<Result<_, String>>()?)
        }
        Theirs::Ext(tag, bytes) => Value::Tagged(tag.into(), Box::new(Value::Bytes(bytes))),
    })
}
