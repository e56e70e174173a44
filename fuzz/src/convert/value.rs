//! What all peers' values are compared as.

/// A value without the accidents of a library: how wide an integer is, the order of a map, the payload of a NaN.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i128),
    /// Bits.
    Float(u64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    /// Sorted.
    Map(Vec<(Value, Value)>),
    /// A tag, an extension, or the branch of a union.
    Tagged(i128, Box<Value>),
}

impl Value {
    pub(super) fn float(value: f64) -> Value {
        Value::Float(if value.is_nan() { f64::NAN } else { value }.to_bits())
    }

    pub(super) fn map(mut entries: Vec<(Value, Value)>) -> Value {
        entries.sort();
        Value::Map(entries)
    }
}
