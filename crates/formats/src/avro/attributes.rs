//! Members that we add to Avro schemas so that reading them gives back the schema they were made from. Avro allows
//! members it does not define and ignores them; none of them changes a byte of the data.

/// Name of a type, field or branch, where Avro does not allow it.
pub(super) const NAME: &str = "wirewise.name";
/// The exact scalar: `uint8` for an `int`, `any` for a string of JSON text.
pub(super) const TYPE: &str = "wirewise.type";
/// Former names of a field, where Avro does not allow one of them.
pub(super) const ALIASES: &str = "wirewise.aliases";
/// A logical type that Avro does not have.
pub(super) const LOGICAL: &str = "wirewise.logical";
/// A field's number, where it is not its place counted from 1.
pub(super) const NUMBER: &str = "wirewise.number";
/// `"optional"`: null in this field means that it is absent.
pub(super) const PRESENCE: &str = "wirewise.presence";
/// On an optional field: its values can be null too.
pub(super) const NULLABLE: &str = "wirewise.nullable";
/// A field's default, where Avro cannot state it.
pub(super) const DEFAULT: &str = "wirewise.default";
/// On an array of records: it is a map, which Avro has with string keys only.
pub(super) const MAP: &str = "wirewise.map";
/// On a record with one field: it only sets apart two branches of a union; the value is the name of the branch.
pub(super) const WRAPPER: &str = "wirewise.wrapper";
/// Symbols of an enum, where Avro does not allow one of them.
pub(super) const SYMBOLS: &str = "wirewise.symbols";
/// Numbers of an enum's symbols, where they are not 0, 1, 2, ...
pub(super) const NUMBERS: &str = "wirewise.numbers";
/// On an enum: numbers without a symbol are allowed elsewhere.
pub(super) const OPEN: &str = "wirewise.open";
/// Numbers of a record that must not be given out again.
pub(super) const RESERVED_NUMBERS: &str = "wirewise.reserved_numbers";
/// Names of a record that must not be given out again.
pub(super) const RESERVED_NAMES: &str = "wirewise.reserved_names";
/// Avro's own.
pub(super) const LOGICAL_TYPE: &str = "logicalType";
