//! Types, and the tables around what FlatBuffers cannot hold directly.

use serde_json::Value as Json;
use wirewise_core::{Int, Kind, Notes, TypeId};
use wirewise_formats::flatbuffers::notes;

use super::{Writer, nowhere, unwritable};
use crate::Result;
use crate::languages::fbs::facts;
use crate::languages::fbs::ir::{Attributes, Default, Definition, Enum, Field, Object, Type};
use crate::names::{Case, identifier};

/// A table or struct without anything in it.
pub(super) fn object(name: String, is_struct: bool) -> Object {
    let (doc, attributes, fields) = (Vec::new(), Attributes::default(), Vec::new());
    Object { name, doc, is_struct, attributes, fields, explicit_ids: false, place: nowhere() }
}

/// An enum or union without anything in it.
pub(super) fn enumeration(name: String, is_union: bool) -> Enum {
    let (doc, attributes, values) = (Vec::new(), Attributes::default(), Vec::new());
    Enum { name, doc, is_union, underlying: Int::U8, attributes, values, place: nowhere() }
}

/// A field without anything special.
pub(super) fn plain_field(name: &str, ty: Type, id: u32) -> Field {
    Field {
        name: name.to_owned(),
        doc: Vec::new(),
        ty,
        default: Default::Zero,
        attributes: Attributes::default(),
        id,
        deprecated: false,
        required: false,
        key: false,
        nested: None,
        place: nowhere(),
    }
}

/// Where a type is used, for the names of wrappers: the owner's full name, and the field.
pub(super) struct Use<'a> {
    pub(super) owner: &'a str,
    pub(super) field: &'a str,
}

impl Writer<'_> {
    /// How a field holds values of this type, which is not nullable; `None`: there is nothing to hold.
    pub(super) fn ty(&mut self, id: TypeId, of: &Use<'_>) -> Result<Option<Type>> {
        let model = self.model;
        Ok(Some(match model.kind(id) {
            Kind::Null => return Ok(None),
            Kind::Bytes | Kind::Fixed(_) => Type::Vector(Type::Int(Int::U8).into()),
            Kind::List(item) => match model.kind(*item) {
                Kind::Union(_) if model.type_notes(id).has(notes::UNION_VECTOR) => {
                    Type::Vector(Type::Union(self.enums[item.index()].expect("a union")).into())
                }
                _ => Type::Vector(self.element(*item, of)?.into()),
            },
            Kind::Map(..) => Type::Vector(Type::Object(self.entry(id, of)?).into()),
            Kind::Union(_) => Type::Union(self.enums[id.index()].expect("a union")),
            Kind::Nullable(_) => Type::Object(self.boxed(id, of.field, of.owner)?),
            _ => self.direct(id).expect("all others are direct"),
        }))
    }

    /// A scalar, a string, a table or a struct.
    fn direct(&self, id: TypeId) -> Option<Type> {
        Some(match self.model.kind(id) {
            Kind::Bool => Type::Bool,
            Kind::Int(int) => Type::Int(*int),
            Kind::Float(float) => Type::Float(*float),
            Kind::String | Kind::Any => Type::String,
            Kind::Enum(_) => Type::Enum(self.enums[id.index()].expect("an enum")),
            Kind::Record(_) => Type::Object(self.objects[id.index()].expect("a record")),
            _ => return None,
        })
    }

    /// How a vector holds values of this type.
    fn element(&mut self, id: TypeId, of: &Use<'_>) -> Result<Type> {
        match self.direct(id) {
            Some(ty) => Ok(ty),
            None if *self.model.kind(id) == Kind::Null => Ok(Type::Int(Int::U8)),
            None => Ok(Type::Object(self.boxed(id, &format!("{}_item", of.field), of.owner)?)),
        }
    }

    /// How a field of a struct holds values of this type.
    pub(super) fn inline(&mut self, id: TypeId, path: &str) -> Result<Type> {
        let model = self.model;
        let is_inline =
            |ty: &Type| ty.is_scalar() || matches!(ty, Type::Object(index) if self.out.objects[*index].is_struct);
        let found = match model.kind(id) {
            Kind::Fixed(size @ 1..=65535) => Some(Type::Array(Type::Int(Int::U8).into(), *size)),
            Kind::List(item) => {
                let count = model.type_notes(id).get(notes::ARRAY).and_then(|text| text.parse().ok());
                let item = self.direct(*item).filter(is_inline);
                count.filter(|count| (1..=65535).contains(count)).zip(item).map(|(n, item)| Type::Array(item.into(), n))
            }
            _ => self.direct(id).filter(is_inline),
        };
        let what = || format!("{path} is a {} in a FlatBuffers struct, which cannot hold it", model.describe(id));
        found.ok_or_else(|| unwritable(what()))
    }

    /// The table with a value as its only field.
    pub(super) fn boxed(&mut self, id: TypeId, field: &str, owner: &str) -> Result<usize> {
        let of = Use { owner, field };
        let Some(index) = self.wrapper(false, id, &of, "") else { return Ok(self.wrappers[&self.key(false, id, &of)]) };
        let (inner, nullable) = match self.model.kind(id) {
            Kind::Nullable(inner) => (*inner, true),
            _ => (id, false),
        };
        if let Some(ty) = self.ty(inner, &of)? {
            let mut value = plain_field("value", ty.clone(), u32::from(ty.has_types()));
            if ty.is_scalar() {
                value.default = if nullable { Default::Null } else { self.usual_default(&ty) };
            } else {
                value.required = !nullable;
            }
            self.out.objects[index].fields.push(value);
        }
        Ok(index)
    }

    /// The table of an entry of a map.
    fn entry(&mut self, id: TypeId, of: &Use<'_>) -> Result<usize> {
        let Some(index) = self.wrapper(true, id, of, "Entry") else {
            return Ok(self.wrappers[&self.key(true, id, of)]);
        };
        let Kind::Map(key, value) = *self.model.kind(id) else { unreachable!("asked for as a map") };
        let key_type = self.direct(key).expect("keys are scalars and strings");
        let mut field = plain_field("key", key_type.clone(), 0);
        (field.key, field.required) = (true, key_type == Type::String);
        self.out.objects[index].fields.push(field);
        let value_type = match self.model.kind(value) {
            Kind::Null => None,
            _ => Some(self.element(value, &Use { owner: of.owner, field: &format!("{}_value", of.field) })?),
        };
        if let Some(ty) = value_type {
            let mut field = plain_field("value", ty.clone(), 1);
            field.required = !ty.is_scalar();
            field.default = self.usual_default(&ty);
            self.out.objects[index].fields.push(field);
        }
        Ok(index)
    }

    /// A new wrapper of this type; `None` when there is one.
    fn wrapper(&mut self, entry: bool, id: TypeId, of: &Use<'_>, suffix: &str) -> Option<usize> {
        let key = self.key(entry, id, of);
        if self.wrappers.contains_key(&key) {
            return None;
        }
        let (space, short) = of.owner.rsplit_once('.').unwrap_or(("", of.owner));
        let wanted = format!("{short}{}{suffix}", identifier(of.field, Case::Pascal));
        let name = self.names.take(space, &wanted);
        let mut object = object(name, false);
        let what = if entry { "entry" } else { "box" };
        object.doc = facts::join(None, &Notes::default().with(facts::WRAPPER, what));
        self.out.objects.push(object);
        let index = self.out.objects.len() - 1;
        match self.sequence.last_mut() {
            Some((_, wrappers)) => wrappers.push(Definition::Object(index)),
            None => self.sequence.push((Definition::Object(index), Vec::new())),
        }
        self.wrappers.insert(key, index);
        Some(index)
    }

    /// What a wrapper holds, as text: equal types of one owner share one.
    fn key(&self, entry: bool, id: TypeId, of: &Use<'_>) -> (bool, String, String) {
        (entry, of.owner.to_owned(), self.model.type_json(id).to_string())
    }

    /// The default that the codec takes for a scalar without one.
    pub(super) fn usual_default(&self, ty: &Type) -> Default {
        let Type::Enum(index) = ty else { return Default::Zero };
        let id = self.enum_types[*index];
        match (self.model.kind(id), self.model.type_notes(id)) {
            (Kind::Enum(e), said) if e.position(0).is_none() && !said.has(notes::BIT_FLAGS) => {
                Default::Int(self.enum_number(*index, e.symbols[0].number))
            }
            _ => Default::Zero,
        }
    }

    /// A number of an enum as its underlying type has it.
    pub(super) fn enum_number(&self, index: usize, number: i64) -> i128 {
        if self.out.enums[index].underlying == Int::U64 { i128::from(number as u64) } else { number.into() }
    }

    /// The type that a reader of the file takes it for, without a note.
    pub(super) fn type_as_read(&self, ty: &Type) -> Json {
        // Wrappers are no types of the model.
        let name = |index: usize, types: &[TypeId]| {
            Json::from(types.get(index).and_then(|&id| self.model.name(id)).unwrap_or_default())
        };
        match ty {
            Type::Bool => Json::from("bool"),
            Type::Int(int) => Json::from(format!("{}int{}", if int.signed() { "" } else { "u" }, int.bits())),
            Type::Float(wirewise_core::Float::F32) => Json::from("float32"),
            Type::Float(wirewise_core::Float::F64) => Json::from("float64"),
            Type::String => Json::from("string"),
            Type::Enum(index) | Type::Union(index) => name(*index, &self.enum_types),
            Type::Object(index) => name(*index, &self.object_types),
            Type::Vector(item) if **item == Type::Int(Int::U8) => Json::from("bytes"),
            Type::Vector(item) if matches!(**item, Type::Union(_)) => {
                serde_json::json!({"list": self.type_as_read(item), "notes": {notes::UNION_VECTOR: "true"}})
            }
            Type::Vector(item) => serde_json::json!({"list": self.type_as_read(item)}),
            Type::Array(item, count) if **item == Type::Int(Int::U8) => serde_json::json!({"fixed": count}),
            Type::Array(item, count) => {
                serde_json::json!({"list": self.type_as_read(item), "notes": {notes::ARRAY: count.to_string()}})
            }
        }
    }

    /// The note of a type, where it would be read as another.
    pub(super) fn type_note(&self, id: TypeId, ty: &Type) -> Option<String> {
        let json = self.model.type_json(id);
        (json != self.type_as_read(ty)).then(|| json.to_string())
    }
}
