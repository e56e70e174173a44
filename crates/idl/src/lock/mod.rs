//! The number lock: numbers stay the same where a schema language has none.
//!
//! Avro and JSON Schema have names and an order, and Protobuf, Thrift, Cap'n Proto and FlatBuffers have numbers. A lock
//! keeps, in a file that is committed with the schema, which number each name was given. Names that are gone keep
//! theirs too, so that no number ever means two things. The file is documented in `docs/number-lock.md`.
//!
//! [`Lock::apply`] changes nothing but numbers and what is reserved: types keep their ids, and members their positions.

mod apply;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::Module;

pub use file::FILE_VERSION;

/// The numbers that were given out, by the full names of types.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lock {
    types: BTreeMap<String, Numbers>,
}

/// A module whose numbers are those of a lock.
#[derive(Debug, Clone)]
pub struct Locked {
    /// The module; only numbers and what is reserved differ.
    pub module: Module,
    /// The lock with what is new in the module.
    pub lock: Lock,
    /// How it differs from the lock before, each in a sentence: `User.email gets number 4`.
    pub changes: Vec<String>,
}

/// The numbers of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Numbers {
    part: Part,
    given: BTreeMap<String, i64>,
    /// Names that the schema does not have any more.
    gone: BTreeMap<String, i64>,
}

/// What is numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Of a record.
    Fields,
    /// Of an enum. Two of them may have the same number.
    Symbols,
    /// Of a union.
    Branches,
}

impl Part {
    const ALL: [Part; 3] = [Part::Fields, Part::Symbols, Part::Branches];

    /// Its name in the file.
    fn member(self) -> &'static str {
        match self {
            Part::Fields => "fields",
            Part::Symbols => "symbols",
            Part::Branches => "branches",
        }
    }

    /// The numbers that the model allows.
    fn range(self) -> std::ops::RangeInclusive<i64> {
        match self {
            Part::Fields | Part::Branches => 1..=0x1FFF_FFFF,
            Part::Symbols => i64::MIN..=i64::MAX,
        }
    }

    /// The number of what comes first where nothing else says so.
    fn first(self) -> i64 {
        match self {
            Part::Fields | Part::Branches => 1,
            Part::Symbols => 0,
        }
    }
}

impl Numbers {
    fn new(part: Part) -> Numbers {
        Numbers { part, given: BTreeMap::new(), gone: BTreeMap::new() }
    }
}
