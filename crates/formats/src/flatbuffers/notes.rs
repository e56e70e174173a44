//! The notes that FlatBuffers gives meaning: what a `.fbs` file says beyond the schema model, and which bytes follow.
//!
//! A note that is only there or not has the text `true`.

/// On the schema: the four characters after the root's offset.
pub const FILE_IDENTIFIER: &str = "flatbuffers.file_identifier";
/// On the schema: the extension of files, which no byte depends on.
pub const FILE_EXTENSION: &str = "flatbuffers.file_extension";
/// On the schema: attributes that are declared and not used, separated by commas.
pub const DECLARED: &str = "flatbuffers.declared_attributes";
/// On a record: it is a struct, of fixed size, which lies where it is used.
pub const STRUCT: &str = "flatbuffers.struct";
/// On a struct, or a field that is a vector: its alignment, a power of two.
pub const FORCE_ALIGN: &str = "flatbuffers.force_align";
/// On a record: its table holds fields in the order of their ids instead of that of their sizes.
pub const ORIGINAL_ORDER: &str = "flatbuffers.original_order";
/// On a record: `explicit` when its file gives each field an id although the order alone would.
pub const IDS: &str = "flatbuffers.ids";
/// On a record: its deprecated fields, whose ids stay taken, as a JSON list.
pub const DEPRECATED: &str = "flatbuffers.deprecated";
/// On a field: its id (of a union that of the value), where that is not the next one.
pub const ID: &str = "flatbuffers.id";
/// On a field: vectors of its table or struct are sorted by it.
pub const KEY: &str = "flatbuffers.key";
/// On a field that is a string, or a vector of them: equal ones are written once. On one that is a table: the same value
/// is written once.
pub const SHARED: &str = "flatbuffers.shared";
/// On a field of bytes: the table that they are a buffer of.
pub const NESTED: &str = "flatbuffers.nested_flatbuffer";
/// On a field of bytes: they are a FlexBuffer.
pub const FLEXBUFFER: &str = "flatbuffers.flexbuffer";
/// On any type or field: attributes that only other programs give meaning, as a `.fbs` file writes them.
pub const ATTRIBUTES: &str = "flatbuffers.attributes";
/// On an enum: its underlying type, where that is not `int`, or `long` for numbers beyond 32 bits.
pub const TYPE: &str = "flatbuffers.type";
/// On an enum: its numbers are bits, which may be combined; so 0 is one of them.
pub const BIT_FLAGS: &str = "flatbuffers.bit_flags";
/// On a list in a struct: its length.
pub const ARRAY: &str = "flatbuffers.array";
/// On a list of unions: it is a vector of types and one of values, and not one of boxes.
pub const UNION_VECTOR: &str = "flatbuffers.union_vector";
/// On a union's branch that is a string or a struct: it is not boxed.
pub const DIRECT: &str = "flatbuffers.direct";
/// On anything with a name: the name in `.fbs` files, where it is not spelled as there is usual.
pub const NAME: &str = "flatbuffers.name";

/// The integer type that a `.fbs` file calls so.
pub fn integer(name: &str) -> Option<wirewise_core::Int> {
    INTEGERS.iter().find(|(_, names)| names.contains(&name)).map(|(int, _)| *int)
}

/// What a `.fbs` file calls an integer type.
pub fn integer_name(int: wirewise_core::Int) -> &'static str {
    INTEGERS.iter().find(|(known, _)| *known == int).map_or("int", |(_, names)| names[0])
}

const INTEGERS: [(wirewise_core::Int, [&str; 2]); 8] = {
    use wirewise_core::Int;
    [
        (Int::I8, ["byte", "int8"]),
        (Int::U8, ["ubyte", "uint8"]),
        (Int::I16, ["short", "int16"]),
        (Int::U16, ["ushort", "uint16"]),
        (Int::I32, ["int", "int32"]),
        (Int::U32, ["uint", "uint32"]),
        (Int::I64, ["long", "int64"]),
        (Int::U64, ["ulong", "uint64"]),
    ]
};
