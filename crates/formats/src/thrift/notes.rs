//! Notes of schemas that only Thrift gives meaning to.
//!
//! Those of the first group decide what the codec reads and writes; the others keep what a `.thrift` file says beside
//! that, so that it can be written back. A note that says yes has the text `true`.

/// On a list: it is a `set`.
pub const SET: &str = "thrift.set";
/// On a list of records with two required fields: it is a `map` from the first to the second, whose keys are of a type
/// that keys of the model cannot have.
pub const MAP: &str = "thrift.map";
/// On a type: what it is called in Thrift. `uuid` on 16 fixed bytes makes them a `uuid`. On an integer that is a map's
/// key, the enum that it is a number of.
pub const TYPE: &str = "thrift.type";
/// On a field: `default` when it is neither `required` nor `optional`. A required field of the model with this note reads
/// as its default, or as zero, when a message comes without it.
pub const REQUIREDNESS: &str = "thrift.requiredness";
/// On a field: its default, as JSON, where the model has no defaults of that kind (lists, maps and structs with
/// something in them).
pub const DEFAULT: &str = "thrift.default";
/// On a field or branch: its id, where that is not what [`ids`](super::ids) would give it.
pub const ID: &str = "thrift.id";

/// On a record: it is a `union`; all its fields are in one required oneof.
pub const UNION: &str = "thrift.union";
/// On a record: it is an `exception`.
pub const EXCEPTION: &str = "thrift.exception";
/// On a record: it is the entry of a list noted [`MAP`], and has no struct of its own.
pub const ENTRY: &str = "thrift.entry";
/// On a type, or on a field whose type has a name: the `typedef` that it was declared by.
pub const TYPEDEF: &str = "thrift.typedef";
/// On a field: it is written as a reference (`&`).
pub const REFERENCE: &str = "thrift.reference";
/// On a list or map: its `cpp_type`.
pub const CPP_TYPE: &str = "thrift.cpp_type";
/// Before the key of an annotation: `thrift.annotation.cpp.type`.
pub const ANNOTATION: &str = "thrift.annotation.";
/// Before the key of an annotation of the typedef that a type was declared by.
pub const TYPEDEF_ANNOTATION: &str = "thrift.typedef_annotation.";
/// On a type that was declared by a typedef: the typedef's documentation.
pub const TYPEDEF_DOC: &str = "thrift.typedef_doc";
/// On a schema: its namespaces, a line for each: `py com.acme`.
pub const NAMESPACES: &str = "thrift.namespaces";
/// On a schema: what C++ code includes, a line for each.
pub const CPP_INCLUDES: &str = "thrift.cpp_includes";
/// On a schema: its constants, a line for each.
pub const CONSTANTS: &str = "thrift.constants";
