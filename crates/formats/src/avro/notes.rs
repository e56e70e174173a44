//! Keys of the notes in which a schema keeps what only Avro knows, documented in `help.md`.

/// On a record, enum or fixed type: its aliases, a JSON array of names as they stand in the schema file.
pub const ALIASES: &str = "avro.aliases";
/// On an enum: the symbol that readers take for one that they do not know, as Avro calls it. On a field: its default
/// as JSON, where the model has no such defaults (records, filled lists and maps, branches of unions).
pub const DEFAULT: &str = "avro.default";
/// On a field: its sort order.
pub const ORDER: &str = "avro.order";
/// On a type: a logical type that the model does not have, such as `decimal`.
pub const LOGICAL_TYPE: &str = "avro.logicalType";
/// On a type or field: all other members of its object, as a JSON object: custom properties, `precision`, `scale`.
pub const PROPERTIES: &str = "avro.properties";
/// On a nullable type, or an optional field: the position of `null` among the branches, where it is not the usual one.
pub const NULL: &str = "avro.null";
/// On a fixed type: its full name.
pub const NAME: &str = "avro.name";
/// On a type: empty, when it has no namespace although others have one.
pub const NAMESPACE: &str = "avro.namespace";
/// On a record: it is an `error`.
pub const ERROR: &str = "avro.error";
/// On `null`: it is a union of nothing else, which takes a byte.
pub const UNION: &str = "avro.union";
/// On a union: its name is not from a schema, but made from the place where it stands.
pub const UNNAMED: &str = "avro.unnamed";
/// On a schema: the name of the protocol that its types are from.
pub const PROTOCOL: &str = "avro.protocol";
