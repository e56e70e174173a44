//! A `.proto` file as a tree. Text and descriptor sets are read into it, and written from it.

use std::ops::RangeInclusive;

use super::place::Origin;

/// A place in a file: a byte offset in its text, or the number of a location in its descriptor.
pub(super) type At = usize;

/// A file.
#[derive(Debug, Default)]
pub(super) struct File {
    /// The path that others import it by.
    pub(super) path: String,
    pub(super) origin: Origin,
    pub(super) syntax: Syntax,
    /// The comment before the syntax statement.
    pub(super) comment: Option<String>,
    pub(super) package: Option<Name>,
    pub(super) imports: Vec<Import>,
    pub(super) options: Vec<Opt>,
    pub(super) items: Vec<Item>,
    pub(super) services: Vec<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Syntax {
    #[default]
    Proto2,
    Proto3,
    Edition2023,
}

impl Syntax {
    /// Its name in notes: the value of `syntax` or `edition`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Syntax::Proto2 => "proto2",
            Syntax::Proto3 => "proto3",
            Syntax::Edition2023 => "2023",
        }
    }

    pub(super) fn by_name(name: &str) -> Option<Syntax> {
        [Syntax::Proto2, Syntax::Proto3, Syntax::Edition2023].into_iter().find(|syntax| syntax.name() == name)
    }
}

/// A name with its place. Names of types and packages may have dots.
#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) at: At,
}

impl Name {
    /// A name without a place.
    pub(super) fn new(text: impl Into<String>) -> Name {
        Name { text: text.into(), at: 0 }
    }
}

#[derive(Debug)]
pub(super) struct Import {
    pub(super) path: Name,
    pub(super) kind: ImportKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImportKind {
    Plain,
    Public,
    Weak,
}

/// What stands in a file or message beside fields.
#[derive(Debug)]
pub(super) enum Item {
    Message(Message),
    Enum(Enum),
    /// An extension; those of one `extend` statement follow each other.
    Extension(Field),
}

#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) name: Name,
    pub(super) comment: Option<String>,
    pub(super) fields: Vec<Field>,
    pub(super) oneofs: Vec<Oneof>,
    pub(super) items: Vec<Item>,
    pub(super) options: Vec<Opt>,
    pub(super) extension_ranges: Vec<ExtensionRanges>,
    pub(super) reserved_ranges: Vec<Range>,
    pub(super) reserved_names: Vec<Name>,
    /// Whether it was declared by a field: `optional group Name = 1 { ... }`.
    pub(super) group: bool,
}

/// One `extensions` statement.
#[derive(Debug, Clone)]
pub(super) struct ExtensionRanges {
    pub(super) ranges: Vec<Range>,
    pub(super) options: Vec<Opt>,
}

/// Numbers, both ends included.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub(super) numbers: RangeInclusive<i64>,
    pub(super) at: At,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Oneof {
    pub(super) name: Name,
    pub(super) comment: Option<String>,
    pub(super) options: Vec<Opt>,
}

#[derive(Debug, Clone)]
pub(super) struct Field {
    pub(super) name: Name,
    pub(super) comment: Option<String>,
    pub(super) label: Option<Label>,
    /// Where the statement begins.
    pub(super) at: At,
    pub(super) ty: TypeRef,
    pub(super) number: i64,
    pub(super) number_at: At,
    pub(super) options: Vec<Opt>,
    /// Its place in the message's oneofs.
    pub(super) oneof: Option<usize>,
    /// Whether it declares its type, a message beside it whose [`Message::group`] is set.
    pub(super) group: bool,
    /// The message that it extends.
    pub(super) extendee: Option<Name>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    Optional,
    Required,
    Repeated,
}

#[derive(Debug, Clone)]
pub(super) enum TypeRef {
    Scalar(Scalar),
    /// A message or enum. A name that begins with a dot is a full one.
    Named(Name),
    Map(Scalar, At, Box<TypeRef>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    String,
    Bytes,
}

/// Names of scalars, with their numbers in `FieldDescriptorProto.Type`.
const SCALARS: [(Scalar, &str, &str); 15] = [
    (Scalar::Double, "double", "TYPE_DOUBLE"),
    (Scalar::Float, "float", "TYPE_FLOAT"),
    (Scalar::Int32, "int32", "TYPE_INT32"),
    (Scalar::Int64, "int64", "TYPE_INT64"),
    (Scalar::Uint32, "uint32", "TYPE_UINT32"),
    (Scalar::Uint64, "uint64", "TYPE_UINT64"),
    (Scalar::Sint32, "sint32", "TYPE_SINT32"),
    (Scalar::Sint64, "sint64", "TYPE_SINT64"),
    (Scalar::Fixed32, "fixed32", "TYPE_FIXED32"),
    (Scalar::Fixed64, "fixed64", "TYPE_FIXED64"),
    (Scalar::Sfixed32, "sfixed32", "TYPE_SFIXED32"),
    (Scalar::Sfixed64, "sfixed64", "TYPE_SFIXED64"),
    (Scalar::Bool, "bool", "TYPE_BOOL"),
    (Scalar::String, "string", "TYPE_STRING"),
    (Scalar::Bytes, "bytes", "TYPE_BYTES"),
];

impl Scalar {
    pub(super) fn by_name(name: &str) -> Option<Scalar> {
        SCALARS.iter().find(|(_, known, _)| *known == name).map(|(scalar, ..)| *scalar)
    }

    pub(super) fn by_descriptor(name: &str) -> Option<Scalar> {
        SCALARS.iter().find(|(.., known)| *known == name).map(|(scalar, ..)| *scalar)
    }

    pub(super) fn name(self) -> &'static str {
        SCALARS[self as usize].1
    }

    /// Its name in `FieldDescriptorProto.Type`.
    pub(super) fn descriptor(self) -> &'static str {
        SCALARS[self as usize].2
    }

    /// Whether it can be the key of a map.
    pub(super) fn is_key(self) -> bool {
        !matches!(self, Scalar::Double | Scalar::Float | Scalar::Bytes)
    }

    /// Whether a list of these can be packed.
    pub(super) fn is_packable(self) -> bool {
        !matches!(self, Scalar::String | Scalar::Bytes)
    }
}

#[derive(Debug, Default)]
pub(super) struct Enum {
    pub(super) name: Name,
    pub(super) comment: Option<String>,
    pub(super) values: Vec<EnumValue>,
    pub(super) options: Vec<Opt>,
    pub(super) reserved_ranges: Vec<Range>,
    pub(super) reserved_names: Vec<Name>,
}

#[derive(Debug, Default)]
pub(super) struct EnumValue {
    pub(super) name: Name,
    pub(super) comment: Option<String>,
    pub(super) number: i64,
    pub(super) number_at: At,
    pub(super) options: Vec<Opt>,
}

/// An option: `name.(custom).part = value`.
#[derive(Debug, Clone)]
pub(super) struct Opt {
    pub(super) name: Vec<NamePart>,
    pub(super) value: Value,
    /// Where the value is.
    pub(super) at: At,
}

#[derive(Debug, Clone)]
pub(super) struct NamePart {
    pub(super) name: Name,
    /// Whether it stands in parentheses: a custom option.
    pub(super) custom: bool,
}

impl Opt {
    /// The option of this plain name.
    pub(super) fn new(name: &str, value: Value) -> Opt {
        let name = name.split('.').map(|part| NamePart { name: Name::new(part), custom: false }).collect();
        Opt { name, value, at: 0 }
    }

    /// Its name, if that is a plain one: `features.enum_type`.
    pub(super) fn plain(&self) -> Option<String> {
        let plain = self.name.iter().all(|part| !part.custom);
        plain.then(|| self.name.iter().map(|part| part.name.text.as_str()).collect::<Vec<_>>().join("."))
    }

    /// Whether its name is this plain one.
    pub(super) fn is(&self, name: &str) -> bool {
        match &self.name[..] {
            [part] => !part.custom && part.name.text == name,
            _ => self.plain().is_some_and(|plain| plain == name),
        }
    }
}

/// The option of this plain name.
pub(super) fn find<'a>(options: &'a [Opt], name: &str) -> Option<&'a Opt> {
    options.iter().find(|option| option.is(name))
}

/// Whether an option is there and true.
pub(super) fn flag(options: &[Opt], name: &str) -> bool {
    find(options, name).is_some_and(|option| matches!(&option.value, Value::Word(word) if word == "true"))
}

/// The value of an option, or of a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// An enum's value, `true`, `false`, `inf` or `nan`; `-inf` too.
    Word(String),
    /// An integer and whether it is negative.
    Int(u64, bool),
    Float(f64),
    Text(Vec<u8>),
    /// `{ name: value }`
    Message(Vec<(Key, Value)>),
    /// `[value, value]`, inside a message.
    List(Vec<Value>),
}

/// A name in a [`Value::Message`].
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Key {
    Field(String),
    /// `[full.name]`; with a `/` the type of an `Any`.
    Extension(String),
}
