//! A FlatBuffers schema as data: what the text and the binary form both are read into, and written from.

use wirewise_core::{Float, Int};

use crate::Place;

/// Everything that a schema and its includes declare, names resolved.
#[derive(Debug, Default)]
pub(super) struct Schema {
    /// In the order of their declarations.
    pub(super) order: Vec<Definition>,
    pub(super) objects: Vec<Object>,
    pub(super) enums: Vec<Enum>,
    /// The object that `root_type` names.
    pub(super) root: Option<usize>,
    pub(super) identifier: Option<String>,
    pub(super) extension: Option<String>,
    /// Attributes of users that were declared.
    pub(super) declared: Vec<String>,
    /// What documents the file itself.
    pub(super) doc: Vec<String>,
    /// What was passed over.
    pub(super) notices: Vec<String>,
}

/// A place in [`Schema::objects`] or [`Schema::enums`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Definition {
    Object(usize),
    Enum(usize),
}

/// A table or struct.
#[derive(Debug)]
pub(super) struct Object {
    /// With its namespace.
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) is_struct: bool,
    pub(super) attributes: Attributes,
    /// As they are declared.
    pub(super) fields: Vec<Field>,
    /// Whether the ids were given.
    pub(super) explicit_ids: bool,
    pub(super) place: Place,
}

/// A field of a table or struct.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) ty: Type,
    pub(super) default: Default,
    /// All but `id`, and what has a member here.
    pub(super) attributes: Attributes,
    /// Its place in the vtable; of a union, and a vector of unions, that of the value. In a struct its position.
    pub(super) id: u32,
    pub(super) deprecated: bool,
    pub(super) required: bool,
    pub(super) key: bool,
    /// The object that the field's bytes are a buffer of.
    pub(super) nested: Option<usize>,
    pub(super) place: Place,
}

impl Field {
    /// The ids that it takes: that of a union's type is the one before its own.
    pub(super) fn ids(&self) -> std::ops::RangeInclusive<u32> {
        self.id - u32::from(self.ty.has_types())..=self.id
    }
}

/// What a field reads as when it is not there.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Default {
    /// Zero, or nothing.
    Zero,
    /// `null`: that it is not there can be told.
    Null,
    /// Of integers, booleans and enums.
    Int(i128),
    Float(f64),
    Text(String),
    /// `[]`
    EmptyVector,
}

/// An enum or union.
#[derive(Debug)]
pub(super) struct Enum {
    /// With its namespace.
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    pub(super) is_union: bool,
    pub(super) underlying: Int,
    pub(super) attributes: Attributes,
    /// As they are declared; `NONE` of unions is not among them.
    pub(super) values: Vec<EnumValue>,
    pub(super) place: Place,
}

impl Enum {
    pub(super) fn is_bit_flags(&self) -> bool {
        self.attributes.has("bit_flags")
    }
}

/// A value of an enum, or a type of a union.
#[derive(Debug)]
pub(super) struct EnumValue {
    pub(super) name: String,
    pub(super) doc: Vec<String>,
    /// Of a `ulong` its bits.
    pub(super) number: i64,
    /// Of unions.
    pub(super) ty: Option<Type>,
    pub(super) place: Place,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    Bool,
    Int(Int),
    Float(Float),
    String,
    Enum(usize),
    Union(usize),
    Object(usize),
    Vector(Box<Type>),
    Array(Box<Type>, u32),
}

impl Type {
    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Type::Bool | Type::Int(_) | Type::Float(_) | Type::Enum(_))
    }

    /// Whether a field of it takes a second id, for the types of its unions.
    pub(super) fn has_types(&self) -> bool {
        match self {
            Type::Union(_) => true,
            Type::Vector(item) => matches!(**item, Type::Union(_)),
            _ => false,
        }
    }

    /// Whether it is `[ubyte]`.
    pub(super) fn is_bytes(&self) -> bool {
        matches!(self, Type::Vector(item) if **item == Type::Int(Int::U8))
    }
}

/// Attributes with their values, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Attributes(pub(super) Vec<(String, Option<String>)>);

impl Attributes {
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// The value of an attribute, empty where it has none.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(known, _)| known == name)?;
        Some(value.as_deref().unwrap_or_default())
    }

    /// Takes an attribute out.
    pub(super) fn take(&mut self, name: &str) -> Option<Option<String>> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Sets an attribute; the first value of one stays.
    pub(super) fn add(&mut self, name: &str, value: Option<String>) {
        if !self.has(name) {
            self.0.push((name.to_owned(), value));
        }
    }
}

/// Where the parts of a struct lie.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    pub(super) size: u64,
    pub(super) align: u64,
    /// Of each field where it starts.
    pub(super) offsets: Vec<u64>,
}

impl Schema {
    /// The layout of a struct, given those of the structs before it.
    pub(super) fn layout(&self, object: &Object, known: &[Option<Layout>]) -> Option<Layout> {
        let mut layout = Layout { size: 0, align: 1, offsets: Vec::new() };
        for field in &object.fields {
            let (size, align) = self.extent(&field.ty, known)?;
            layout.align = layout.align.max(align);
            let at = layout.size.next_multiple_of(align);
            layout.offsets.push(at);
            layout.size = at.saturating_add(size).min(1 << 40);
        }
        let forced = object.attributes.get("force_align").and_then(|text| text.parse().ok());
        layout.align = layout.align.max(forced.filter(|n: &u64| n.is_power_of_two()).unwrap_or(1));
        layout.size = layout.size.next_multiple_of(layout.align);
        Some(layout)
    }

    /// Size and alignment of a value that lies where it is used.
    pub(super) fn extent(&self, ty: &Type, known: &[Option<Layout>]) -> Option<(u64, u64)> {
        Some(match ty {
            Type::Bool => (1, 1),
            Type::Int(int) => (u64::from(int.bits() / 8), u64::from(int.bits() / 8)),
            Type::Enum(index) => return self.extent(&Type::Int(self.enums[*index].underlying), known),
            Type::Float(Float::F32) => (4, 4),
            Type::Float(Float::F64) => (8, 8),
            Type::Object(index) if self.objects[*index].is_struct => {
                let layout = known.get(*index)?.as_ref()?;
                (layout.size, layout.align)
            }
            Type::Array(item, count) => {
                let (size, align) = self.extent(item, known)?;
                (size.saturating_mul((*count).into()), align)
            }
            _ => (4, 4),
        })
    }
}
