//! prost-reflect, with the descriptors that we write for a schema.

use prost_reflect::{DescriptorPool, DynamicMessage, MapKey, MessageDescriptor, ReflectMessage, Value as Theirs};
use wirewise_core::Schema;
use wirewise_idl::Module;

use super::value::Value;
use super::{Peer, is_plain};

pub(super) const PEER: Peer = Peer {
    name: "prost-reflect",
    we_refuse: &[
        ("the required field", "a record, union or fixed that our schema requires is optional in Protobuf"),
        (" bytes, found ", "Protobuf has no bytes of a fixed length"),
        ("is out of range: the type has", "Protobuf has no integers of 8 and 16 bits: it takes those of 32"),
    ],
    it_refuses: &[
        ("invalid varint", "bits beyond the 64th are dropped, as protoc drops them"),
        ("invalid wire type", "fields that are not laid out as their type are unknown fields to us, as to protoc"),
    ],
};

/// Messages of one type.
pub(super) struct Messages(MessageDescriptor);

impl Messages {
    /// For the root of a schema, where messages of it can be compared. A map's field is read by prost-reflect as a map
    /// whatever its wire type is, so that what is unknown to us may be anything to it; and it takes any number for a closed
    /// enum's, where we follow the specification and take it for an unknown field.
    pub(super) fn of(schema: &Schema) -> Option<Messages> {
        let text = schema.to_text();
        if !is_plain(schema) || text.contains(r#"{"map":"#) || text.contains(r#""closed": true"#) {
            return None;
        }
        let written = wirewise_idl::find("descriptor-set").ok()?.write(&Module::of(schema.clone())).ok()?;
        let pool = DescriptorPool::decode(&written.bytes[..]).expect("we write descriptors that others read");
        let name = schema.name(schema.root())?;
        let message = pool.all_messages().find(|message| message.name() == name).expect("the root is written");
        Some(Messages(message))
    }

    pub(super) fn value(&self, bytes: &[u8]) -> Result<Value, String> {
        DynamicMessage::decode(self.0.clone(), bytes).map(|message| of(&message)).map_err(|error| error.to_string())
    }
}

/// All fields, those that are not there as what they read as then: unless somebody can tell.
fn of(message: &DynamicMessage) -> Value {
    let descriptor = message.descriptor();
    let fields = descriptor.fields().filter(|field| !field.supports_presence() || message.has_field(field));
    Value::map(fields.map(|field| (Value::Int(field.number().into()), one(&message.get_field(&field)))).collect())
}

fn one(value: &Theirs) -> Value {
    match value {
        Theirs::Bool(value) => Value::Bool(*value),
        Theirs::I32(value) | Theirs::EnumNumber(value) => Value::Int((*value).into()),
        Theirs::I64(value) => Value::Int((*value).into()),
        Theirs::U32(value) => Value::Int((*value).into()),
        Theirs::U64(value) => Value::Int((*value).into()),
        Theirs::F32(value) => Value::float((*value).into()),
        Theirs::F64(value) => Value::float(*value),
        Theirs::String(text) => Value::Text(text.clone()),
        Theirs::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        Theirs::Message(message) => of(message),
        Theirs::List(items) => Value::List(items.iter().map(one).collect()),
        Theirs::Map(entries) => Value::map(entries.iter().map(|(key, value)| (of_key(key), one(value))).collect()),
    }
}

fn of_key(key: &MapKey) -> Value {
    match key {
        MapKey::Bool(key) => Value::Bool(*key),
        MapKey::I32(key) => Value::Int((*key).into()),
        MapKey::I64(key) => Value::Int((*key).into()),
        MapKey::U32(key) => Value::Int((*key).into()),
        MapKey::U64(key) => Value::Int((*key).into()),
        MapKey::String(key) => Value::Text(key.clone()),
    }
}
