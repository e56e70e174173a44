//! The schema file: Wirewise's own JSON form of a schema, documented in `docs/schema-file.md`.

mod expression;
mod read;
mod write;

pub use read::Offsets;

use super::{Float, Int, Kind, Logical, Unit};

/// Value of the `wirewise` member of every schema file this version writes and reads.
pub const FILE_VERSION: &str = "schema/1";

const SCALARS: [(&str, Kind); 15] = [
    ("null", Kind::Null),
    ("bool", Kind::Bool),
    ("int8", Kind::Int(Int::I8)),
    ("int16", Kind::Int(Int::I16)),
    ("int32", Kind::Int(Int::I32)),
    ("int64", Kind::Int(Int::I64)),
    ("uint8", Kind::Int(Int::U8)),
    ("uint16", Kind::Int(Int::U16)),
    ("uint32", Kind::Int(Int::U32)),
    ("uint64", Kind::Int(Int::U64)),
    ("float32", Kind::Float(Float::F32)),
    ("float64", Kind::Float(Float::F64)),
    ("string", Kind::String),
    ("bytes", Kind::Bytes),
    ("any", Kind::Any),
];

const LOGICALS: [(&str, Logical); 8] = [
    ("uuid", Logical::Uuid),
    ("timestamp-seconds", Logical::Timestamp(Unit::Seconds)),
    ("timestamp-millis", Logical::Timestamp(Unit::Millis)),
    ("timestamp-micros", Logical::Timestamp(Unit::Micros)),
    ("timestamp-nanos", Logical::Timestamp(Unit::Nanos)),
    ("date", Logical::Date),
    ("number", Logical::Number),
    ("base64", Logical::Base64),
];

/// Whether this is the name of a built-in type: no record, enum or union of a schema file can have it.
pub fn is_built_in(name: &str) -> bool {
    SCALARS.iter().any(|(scalar, _)| *scalar == name)
}

/// Name of a scalar in schema files and messages; `None` for what has parts or a name of its own.
pub(in crate::schema) fn scalar_name(kind: &Kind) -> Option<&'static str> {
    if let Kind::Fixed(_) = kind {
        return Some("fixed");
    }
    SCALARS.iter().find(|(_, scalar)| scalar == kind).map(|(name, _)| *name)
}

pub(in crate::schema) fn logical_name(logical: Logical) -> &'static str {
    LOGICALS.iter().find(|(_, known)| *known == logical).map_or("?", |(name, _)| name)
}

/// How deep lists, maps and nullables may nest in a schema file, from one named type to the next.
pub const MOST_NESTING: usize = 64;
