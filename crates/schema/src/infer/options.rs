//! What a caller may decide.

use wirewise_core::Limits;

/// How a schema is inferred. `Options::default()` suits files that people have.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// What UUIDs, instants, days and base64 become. Default [`LogicalStyle::Text`].
    pub logical: LogicalStyle,
    /// How deep lists and objects may nest (those at the root have depth 0) before they become `any`. Default 128, as
    /// deep as [`Limits::depth`] lets messages nest: a smaller number makes `any` of what nests deeper, also in a
    /// recursive type.
    pub max_depth: usize,
    /// Distinct names that the objects of one place may have and still be a record; one more makes them a map. Default
    /// 1000: no record that people write has more, and it bounds the memory that a place takes.
    pub max_fields: usize,
    /// Longest name of a field in bytes: an object with a longer one is a map. Default 256.
    pub max_name_bytes: usize,
    /// Places (a field, the elements of a list, the values of a map) that are told apart in all. Objects that would
    /// need more become maps, and what cannot even be that becomes `any`. From half of it on, what was seen so far is
    /// searched for maps and recursive types, whose places then count once. Default 100,000, up to about 100 MB.
    pub max_places: usize,
    /// From how many distinct names on a single object whose values all have one shape is a map. Default 100: an
    /// object like that is a table, and with one sample nothing else tells it from a record.
    pub map_names_single: usize,
    /// From how many distinct names on several objects whose values all have one shape, and of whose names each is
    /// rare, are maps. Default 16.
    pub map_names: usize,
    /// What "rare" means for that: the mean share of the objects that has a given name. Default 0.25.
    pub map_share: f64,
    /// Symbols that samples may add to an enum of the schema at hand before its field becomes a string. Default 64.
    pub max_new_symbols: usize,
    /// Limits for decoding samples.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            logical: LogicalStyle::Text,
            max_depth: 128,
            max_fields: 1000,
            max_name_bytes: 256,
            max_places: 100_000,
            map_names_single: 100,
            map_names: 16,
            map_share: 0.25,
            max_new_symbols: 64,
            limits: Limits::default(),
        }
    }
}

/// What texts with a meaning become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogicalStyle {
    /// Strings with the meaning noted: binary formats carry the text, and later data that does not fit breaks nothing.
    Text,
    /// What the text stands for: `Fixed(16)`, `I64`, `I32` and `Bytes`. Smaller in binary formats; later data that
    /// does not fit is an error.
    Stored,
}
