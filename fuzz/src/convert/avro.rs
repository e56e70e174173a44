//! apache-avro, with the schema that we write.

use std::sync::Once;

use apache_avro::Schema as Theirs;
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::types::Value as Datum;
use wirewise_core::Schema;
use wirewise_idl::Module;

use super::value::Value;
use super::{Peer, is_plain};

pub(super) const PEER: Peer = Peer {
    name: "apache-avro",
    we_refuse: &[
        ("the input ends", "it takes the end of the input for null"),
        (
            "is not in the range of the type",
            "Avro has no integers of 8, 16 and unsigned 32 bits: it takes the next larger type",
        ),
        ("the block has another size than it says", "it does not look at the size of a block"),
        ("an integer has more than 64 bits", "it drops the bits beyond the 64th"),
        ("is negative", "it takes the length of a string without its sign"),
        ("twice", "it keeps the last of several entries of a map with one key"),
    ],
    it_refuses: &[(
        "to UUID",
        "a string with a meaning is still a string to us: a text that does not have it is carried",
    )],
};

/// Datums of one schema.
pub(super) struct Datums(Theirs);

impl Datums {
    /// For a schema whose datums can be compared.
    pub(super) fn of(schema: &Schema) -> Option<Datums> {
        // Lists of nulls take no bytes: it would make any number of them.
        static LIMIT: Once = Once::new();
        LIMIT.call_once(|| _ = apache_avro::util::max_allocation_bytes(crate::limits().memory_bytes));
        if !is_plain(schema) {
            return None;
        }
        // Of several types, of which the message needs only some, a file is a union.
        let schema = schema.rooted(schema.root());
        let written = wirewise_idl::find("avsc").ok()?.write(&Module::of(schema)).ok()?;
        let text = std::str::from_utf8(&written.bytes).expect("a schema is text");
        Theirs::parse_str(text).ok().map(Datums)
    }

    pub(super) fn value(&self, mut bytes: &[u8]) -> Result<Value, String> {
        let reader = GenericDatumReader::builder(&self.0).build().map_err(|error| error.to_string())?;
        let datum = reader.read_value(&mut bytes).map_err(|error| error.to_string())?;
        if bytes.is_empty() { Ok(of(datum)) } else { Err("bytes follow".to_owned()) }
    }
}

fn of(datum: Datum) -> Value {
    match datum {
        Datum::Null => Value::Null,
        Datum::Boolean(value) => Value::Bool(value),
        Datum::Int(value) | Datum::Date(value) | Datum::TimeMillis(value) => Value::Int(value.into()),
        Datum::Long(value)
        | Datum::TimeMicros(value)
        | Datum::TimestampMillis(value)
        | Datum::TimestampMicros(value)
        | Datum::TimestampNanos(value)
        | Datum::LocalTimestampMillis(value)
        | Datum::LocalTimestampMicros(value)
        | Datum::LocalTimestampNanos(value) => Value::Int(value.into()),
        Datum::Float(value) => Value::float(value.into()),
        Datum::Double(value) => Value::float(value),
        Datum::Bytes(bytes) | Datum::Fixed(_, bytes) => Value::Bytes(bytes),
        Datum::String(text) => Value::Text(text),
        Datum::Enum(number, _) => Value::Int(number.into()),
        Datum::Union(branch, value) => Value::Tagged(branch.into(), Box::new(of(*value))),
        Datum::Array(items) => Value::List(items.into_iter().map(of).collect()),
        Datum::Map(entries) => {
            Value::map(entries.into_iter().map(|(key, value)| (Value::Text(key), of(value))).collect())
        }
        Datum::Record(fields) => {
            Value::map(fields.into_iter().map(|(name, value)| (Value::Text(name), of(value))).collect())
        }
        // Decimals, durations, and what else our schemas do not have; and UUIDs.
        other => Value::Text(format!("{other:?}")),
    }
}
