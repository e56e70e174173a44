//! Libraries without generated code: values of any shape, and messages that know their schema at run time.

use anyhow::{Result, bail};
use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage, SerializeOptions};
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::{Deserializer, Serialize, Serializer};

use super::{Peers, Schemas};
use crate::format::Format;
use crate::matrix::{Data, Task};
use crate::results::Kind;
use crate::shapes::Shape;
use crate::timing::{Candidate, Work};

/// Adds what the shapes of this module can do.
pub fn dynamic_shapes<'d>(data: &'d Data, task: &Task, all: &mut Vec<Candidate<'d>>) -> Result<()> {
    data.of_shape(task, json_values(), all)?;
    data.of_shape(task, rmpv_values(), all)?;
    data.of_shape(task, avro_values(), all)?;
    data.of_shape(task, messages(data.nulls), all)
}

/// `serde_json::Value`, and everything that serde can do with it.
struct JsonValues;

impl Shape for JsonValues {
    const MEMORY: &'static str = "owned";
    const KIND: Kind = Kind::Dynamic;
    type Value<'a> = serde_json::Value;

    fn called(peers: &str) -> String {
        format!("serde_json::Value: {peers}")
    }
}

fn json_values() -> Peers<JsonValues> {
    let mut peers = Peers::new();
    peers.decoder("serde_json", Format::Json, |input, _| Ok(serde_json::from_slice(input)?));
    peers.decoder("sonic-rs", Format::Json, |input, _| Ok(sonic_rs::from_slice(input)?));
    super::serde_decoders(&mut peers);
    super::serde_encoders(&mut peers);
    peers
}

/// `rmpv::Value`.
struct RmpvValues;

impl Shape for RmpvValues {
    const MEMORY: &'static str = "owned";
    const KIND: Kind = Kind::Dynamic;
    type Value<'a> = rmpv::Value;

    fn called(peers: &str) -> String {
        format!("rmpv: {peers}")
    }
}

fn rmpv_values() -> Peers<RmpvValues> {
    let mut peers = Peers::new();
    peers.decoder("rmpv", Format::Msgpack, |mut input, _| Ok(rmpv::decode::read_value(&mut input)?));
    peers.encoder("rmpv", Format::Msgpack, |value, _, out| Ok(rmpv::encode::write_value(out, value)?));
    peers.encoder("serde_json", Format::Json, |value, _, out| Ok(serde_json::to_writer(out, value)?));
    peers
}

/// `apache_avro::types::Value`; JSON goes through `serde_json::Value`, as its documentation shows.
struct AvroValues;

struct AvroValue(apache_avro::types::Value);

impl Shape for AvroValues {
    const MEMORY: &'static str = "owned";
    const KIND: Kind = Kind::Dynamic;
    type Value<'a> = AvroValue;

    fn called(peers: &str) -> String {
        format!("apache_avro::Value: {peers}")
    }
}

impl Serialize for AvroValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = serde_json::Value::try_from(self.0.clone()).map_err(serde::ser::Error::custom)?;
        json.serialize(serializer)
    }
}

fn avro_values() -> Peers<AvroValues> {
    let mut peers = Peers::new();
    peers
        .decoder("apache-avro", Format::Avro, |mut input, reading| Ok(AvroValue(reading.avro.read_value(&mut input)?)));
    peers.decoder("serde_json", Format::Json, |input, reading| {
        let json: serde_json::Value = serde_json::from_slice(input)?;
        Ok(AvroValue(apache_avro::types::Value::try_from(json)?.resolve(&reading.schemas.avro)?))
    });
    peers.encoder("apache-avro", Format::Avro, |value: &AvroValue, writing, out| {
        writing.avro.write_value_ref(out, &value.0)?;
        Ok(())
    });
    peers.encoder("serde_json", Format::Json, |value, _, out| Ok(serde_json::to_writer(out, value)?));
    peers
}

/// `prost_reflect::DynamicMessage`.
struct Messages;

/// A message; a list of messages is the one field of a wrapper.
struct Message(DynamicMessage);

const OPTIONS: SerializeOptions =
    SerializeOptions::new().use_proto_field_name(true).stringify_64_bit_integers(false).skip_default_fields(false);

impl Shape for Messages {
    const MEMORY: &'static str = "owned";
    const KIND: Kind = Kind::Dynamic;
    type Value<'a> = Message;

    fn called(peers: &str) -> String {
        format!("prost-reflect: {peers}")
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Element<'v>(&'v prost_reflect::Value);
        impl Serialize for Element<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let message = self.0.as_message().ok_or_else(|| serde::ser::Error::custom("not a message"))?;
                message.serialize_with_options(serializer, &OPTIONS)
            }
        }
        if self.0.descriptor().name() != "Root" {
            return self.0.serialize_with_options(serializer, &OPTIONS);
        }
        let field = self.0.get_field_by_number(1);
        let elements = field.as_deref().and_then(prost_reflect::Value::as_list).unwrap_or_default();
        serializer.collect_seq(elements.iter().map(Element))
    }
}

/// Reads a message of this type.
struct Seed<'s>(&'s MessageDescriptor);

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Message;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Message, D::Error> {
        match self.0.name() {
            "Root" => deserializer.deserialize_seq(self),
            _ => DynamicMessage::deserialize(self.0.clone(), deserializer).map(Message),
        }
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Message;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Message, A::Error> {
        struct Element(MessageDescriptor);
        impl<'de> DeserializeSeed<'de> for Element {
            type Value = DynamicMessage;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<DynamicMessage, D::Error> {
                DynamicMessage::deserialize(self.0, deserializer)
            }
        }
        let field = self.0.get_field(1).expect("the wrapper has a field");
        let element = field.kind().as_message().expect("a list of messages").clone();
        let mut list = Vec::new();
        while let Some(message) = elements.next_element_seed(Element(element.clone()))? {
            list.push(prost_reflect::Value::Message(message));
        }
        let mut message = DynamicMessage::new(self.0.clone());
        message.set_field(&field, prost_reflect::Value::List(list));
        Ok(Message(message))
    }
}

/// prost-reflect leaves out what is null: where there are nulls, what it writes through serde is not the same message.
fn messages(nulls: bool) -> Peers<Messages> {
    let mut peers = Peers::new();
    peers.decoder("prost-reflect", Format::Protobuf, |input, reading| {
        Ok(Message(DynamicMessage::decode(reading.schemas.message.clone(), input)?))
    });
    peers.decoder("serde_json", Format::Json, |input, reading| {
        Ok(Seed(&reading.schemas.message).deserialize(&mut serde_json::Deserializer::from_slice(input))?)
    });
    peers.decoder("rmp-serde", Format::Msgpack, |input, reading| {
        Ok(Seed(&reading.schemas.message).deserialize(&mut rmp_serde::Deserializer::from_read_ref(input))?)
    });
    peers.decoder("serde_avro_fast", Format::Avro, |input, reading| {
        let mut state = serde_avro_fast::de::DeserializerState::from_slice(input, &reading.schemas.avro_fast);
        Ok(Seed(&reading.schemas.message).deserialize(state.deserializer())?)
    });
    peers.encoder("prost-reflect", Format::Protobuf, |value: &Message, _, out| {
        Ok(prost::Message::encode(&value.0, out)?)
    });
    if !nulls {
        super::serde_encoders(&mut peers);
    }
    peers
}

/// serde-transcode: from one library's deserializer into another one's serializer.
pub fn transcoders<'d>(task: &Task, input: &'d [u8], schemas: &'static Schemas) -> Vec<Candidate<'d>> {
    let (Some(from), Some(to)) = (task.from, task.to) else { return Vec::new() };
    let name = |format| match format {
        Format::Json => "serde_json",
        Format::Msgpack => "rmp-serde",
        _ => "serde_avro_fast",
    };
    const ABLE: [Format; 3] = [Format::Json, Format::Msgpack, Format::Avro];
    if !ABLE.contains(&from) || !ABLE.contains(&to) {
        return Vec::new();
    }
    let mut config = serde_avro_fast::ser::SerializerConfig::new(&schemas.avro_fast);
    let work: Work<'d> = Box::new(move |out| {
        let input = std::hint::black_box(input);
        match from {
            Format::Json => transcode(&mut serde_json::Deserializer::from_slice(input), to, &mut config, out),
            Format::Msgpack => transcode(&mut rmp_serde::Deserializer::from_read_ref(input), to, &mut config, out),
            _ => {
                let mut state = serde_avro_fast::de::DeserializerState::from_slice(input, &schemas.avro_fast);
                transcode(state.deserializer(), to, &mut config, out)
            }
        }
    });
    let name = format!("serde-transcode: {} + {}", name(from), name(to));
    vec![Candidate { kind: Kind::Dynamic, name, memory: "none", work }]
}

fn transcode<'de, D: Deserializer<'de>>(
    from: D,
    to: Format,
    config: &mut serde_avro_fast::ser::SerializerConfig<'static>,
    out: &mut Vec<u8>,
) -> Result<()> {
    match to {
        Format::Json => {
            serde_transcode::transcode(from, &mut serde_json::Serializer::new(out))?;
        }
        Format::Msgpack => {
            serde_transcode::transcode(from, &mut rmp_serde::Serializer::new(out).with_struct_map())?;
        }
        Format::Avro => {
            let mut state = serde_avro_fast::ser::SerializerState::from_writer(out, config);
            serde_transcode::transcode(from, state.serializer())?;
        }
        _ => bail!("nothing transcodes to {}", to.title()),
    }
    Ok(())
}
