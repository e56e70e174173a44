//! The notes that Protobuf's schema language and codec share; the help page says what each means for the bytes.

/// On the type of an integer: the Protobuf type when it is not the plain one of its width (`sint32`, `sfixed64`, ...).
pub const TYPE: &str = "protobuf.type";

/// On a field that holds a list of numbers: `false` when each element is a field of its own.
pub const PACKED: &str = "protobuf.packed";

/// On a field that holds messages: `delimited` when they lie between a start and an end tag, as groups do.
pub const ENCODING: &str = "protobuf.encoding";

/// On a required field: `required` when it is written even if it is zero, and missing is an error. On a message in
/// proto3: `optional` when it had that label, which says nothing more.
pub const LABEL: &str = "protobuf.label";

/// On a record: `true` for the ancient message sets, each of whose fields is a group with a number and a message.
pub const MESSAGE_SET: &str = "protobuf.message_set";

/// On a field: its name in Protobuf's JSON, when that is not the one made from its name.
pub const JSON_NAME: &str = "protobuf.json_name";

/// On a field: the full name of the extension that it is.
pub const EXTENSION: &str = "protobuf.extension";

/// On a record: its extension ranges, as after the word `extensions`; several statements are separated by `;`.
pub const EXTENSIONS: &str = "protobuf.extensions";

/// On a member of a oneof, which has no default in the model: the default, as text.
pub const DEFAULT: &str = "protobuf.default";

/// On anything: the options that have no other place, as between the brackets after a field.
pub const OPTIONS: &str = "protobuf.options";

/// On the schema: `proto2`, `proto3` or the edition (`2023`).
pub const SYNTAX: &str = "protobuf.syntax";

/// On the schema: the package, when it is not that of its first type.
pub const PACKAGE: &str = "protobuf.package";

/// On the schema: the `extend` statements that declare custom options.
pub const CUSTOM_OPTIONS: &str = "protobuf.custom_options";
