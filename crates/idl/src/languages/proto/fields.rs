//! What a field is, when its names are found, its features worked out and its rules checked.

use crate::{Error, Result};

use super::ast::{self, At, Field, Label, Opt, Scalar, Syntax, TypeRef, Value};
use super::features::{Features, Presence};
use super::symbols::{Decl, Extension, Node, ScopeId, Symbols};

/// A field as it is meant.
pub(super) struct Info<'a> {
    pub(super) ty: FieldType,
    pub(super) repeated: bool,
    pub(super) presence: Presence,
    /// Whether a list is packed; of types that can be.
    pub(super) packed: bool,
    /// Whether it is a group on the wire.
    pub(super) delimited: bool,
    pub(super) default: Option<&'a Opt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldType {
    Scalar(Scalar),
    /// By its place in [`Symbols::types`].
    Message(usize),
    Enum(usize),
    Map(Scalar, MapValue),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MapValue {
    Scalar(Scalar),
    Message(usize),
    Enum(usize),
}

/// Where a field stands.
pub(super) struct Around {
    pub(super) file: usize,
    pub(super) scope: ScopeId,
    /// Those of the message, oneof or file around it.
    pub(super) features: Features,
}

impl Around {
    pub(super) fn message(decl: &Decl<'_>) -> Around {
        Around { file: decl.file, scope: decl.scope, features: decl.features }
    }

    pub(super) fn extension(extension: &Extension<'_>) -> Around {
        Around { file: extension.file, scope: extension.scope, features: extension.features }
    }
}

impl<'a> Symbols<'a> {
    /// Finds out what a field is, and checks all that can be said of it alone.
    pub(super) fn field(&self, around: &Around, field: &'a Field) -> Result<Info<'a>> {
        let Around { file, scope, .. } = *around;
        let node = self.file(file);
        let error = |at: At, what: String| self.error(file, at, what);
        let ty = self.field_type(file, scope, &field.ty)?;
        let features = around.features.with(&field.options, node)?;
        self.check_number(file, field)?;
        let repeated = field.label == Some(Label::Repeated);
        let mut info = Info {
            ty,
            repeated,
            presence: features.presence,
            packed: features.packed,
            delimited: (features.delimited || field.group) && matches!(ty, FieldType::Message(_)),
            default: ast::find(&field.options, "default"),
        };
        let is_list = repeated || matches!(ty, FieldType::Map(..));
        info.presence = match field.label {
            Some(Label::Required) => Presence::Required,
            Some(Label::Optional) => Presence::Explicit,
            _ if field.oneof.is_some() || field.extendee.is_some() => Presence::Explicit,
            _ if matches!(ty, FieldType::Message(_)) && features.presence == Presence::Implicit => Presence::Explicit,
            _ => features.presence,
        };
        let own = |name: &str| {
            let mut there = field.options.iter().filter(|option| option.name[0].name.text == "features");
            there.find(|option| match (&option.name[1..], &option.value) {
                ([], Value::Message(set)) => set.iter().any(|(key, _)| *key == ast::Key::Field(name.to_owned())),
                ([part], _) => part.name.text == name,
                _ => false,
            })
        };
        if let Some(option) = own("field_presence")
            && (is_list || field.oneof.is_some() || field.extendee.is_some())
        {
            return Err(error(
                option.at,
                "field_presence is not for lists, maps, extensions and fields of a oneof".into(),
            ));
        }
        if let Some(option) = own("field_presence")
            && matches!(ty, FieldType::Message(_))
            && features.presence == Presence::Implicit
        {
            return Err(error(option.at, "a field that holds a message cannot have the presence IMPLICIT".into()));
        }
        if let Some(option) = ast::find(&field.options, "packed") {
            let packable = match ty {
                FieldType::Scalar(scalar) => scalar.is_packable(),
                FieldType::Enum(_) => true,
                _ => false,
            };
            if !repeated || !packable {
                return Err(error(option.at, "only repeated numbers, booleans and enums can be packed".into()));
            }
            if node.syntax == Syntax::Edition2023 {
                let what = "there is no option packed in editions".to_owned();
                return Err(error(option.at, what).hint("use features.repeated_field_encoding"));
            }
            info.packed = matches!(&option.value, Value::Word(word) if word == "true");
        }
        self.check_enum(file, field, &info)?;
        if let Some(default) = info.default {
            self.check_default(file, &info, default, is_list)?;
        }
        Ok(info)
    }

    /// The type of a field, found by its names.
    pub(super) fn field_type(&self, file: usize, scope: ScopeId, ty: &TypeRef) -> Result<FieldType> {
        Ok(match ty {
            TypeRef::Scalar(scalar) => FieldType::Scalar(*scalar),
            TypeRef::Named(name) => {
                let place = self.resolve(file, scope, name)?;
                match self.types[place].node {
                    Node::Message(_) => FieldType::Message(place),
                    Node::Enum(_) => FieldType::Enum(place),
                }
            }
            TypeRef::Map(key, _, value) => {
                let value = match self.field_type(file, scope, value)? {
                    FieldType::Scalar(scalar) => MapValue::Scalar(scalar),
                    FieldType::Message(place) => MapValue::Message(place),
                    FieldType::Enum(place) => {
                        if let Node::Enum(e) = self.types[place].node
                            && e.values.first().is_some_and(|first| first.number != 0)
                        {
                            let at = if let TypeRef::Named(name) = value_of(ty) { name.at } else { 0 };
                            return Err(self.error(file, at, "the first value of an enum in a map must be 0"));
                        }
                        MapValue::Enum(place)
                    }
                    FieldType::Map(..) => unreachable!("the parser refuses maps of maps"),
                };
                FieldType::Map(*key, value)
            }
        })
    }

    fn check_number(&self, file: usize, field: &Field) -> Result<()> {
        let error = |what: String| Err(self.error(file, field.number_at, what));
        match field.number {
            1..19000 | 20000..=0x1FFF_FFFF => Ok(()),
            19000..20000 => {
                error(format!("{} is one of the numbers 19000 to 19999, which Protobuf itself uses", field.number))
            }
            number => error(format!("the number {number} is out of range: fields have 1 to 536870911")),
        }
    }

    /// Closed enums have no place where their first value stands for what is not there.
    fn check_enum(&self, file: usize, field: &Field, info: &Info<'_>) -> Result<()> {
        let place = match info.ty {
            FieldType::Enum(place) | FieldType::Map(_, MapValue::Enum(place)) => place,
            _ => return Ok(()),
        };
        let e = &self.types[place];
        if !e.features.closed_enums {
            return Ok(());
        }
        let proto3 = self.file(file).syntax == Syntax::Proto3 && field.extendee.is_none();
        if proto3 || info.presence == Presence::Implicit && !info.repeated && !matches!(info.ty, FieldType::Map(..)) {
            let at = match &field.ty {
                TypeRef::Named(name) => name.at,
                TypeRef::Map(_, at, _) => *at,
                TypeRef::Scalar(_) => field.at,
            };
            let what = format!("{} is a closed enum, which a field without presence cannot have", e.full_name);
            let what = if proto3 { format!("{} is a proto2 enum, which proto3 cannot use", e.full_name) } else { what };
            return Err(self.error(file, at, what));
        }
        Ok(())
    }

    fn check_default(&self, file: usize, info: &Info<'_>, default: &Opt, is_list: bool) -> Result<()> {
        let error = |what: String| -> Result<()> { Err(self.error(file, default.at, what)) };
        if self.file(file).syntax == Syntax::Proto3 {
            return error("there are no defaults in proto3".to_owned());
        }
        if is_list {
            return error("a list has no default".to_owned());
        }
        if info.presence == Presence::Implicit {
            return error("a field without presence has no default".to_owned());
        }
        let expected = match info.ty {
            FieldType::Message(_) | FieldType::Map(..) => return error("a message has no default".to_owned()),
            FieldType::Enum(place) => {
                let Node::Enum(e) = self.types[place].node else { return Ok(()) };
                let fits = matches!(&default.value, Value::Word(word) if e.values.iter().any(|v| v.name.text == *word));
                if fits {
                    return Ok(());
                }
                format!("a value of {}", self.types[place].full_name)
            }
            FieldType::Scalar(scalar) => {
                if fits(scalar, &default.value) {
                    return Ok(());
                }
                format!("a {}", scalar.name())
            }
        };
        error(format!("found the default {}, expected {expected}", super::text::value(&default.value)))
    }

    /// The options of a field that are not said otherwise.
    pub(super) fn json_name(&self, file: usize, field: &Field) -> Result<Option<String>> {
        let Some(option) = ast::find(&field.options, "json_name") else { return Ok(None) };
        let wrong = |what: &str| -> Error { self.error(file, option.at, what) };
        if field.extendee.is_some() {
            return Err(wrong("an extension has no json_name"));
        }
        match &option.value {
            Value::Text(text) => match String::from_utf8(text.clone()) {
                Ok(name) if name.starts_with('[') && name.ends_with(']') => {
                    Err(wrong("a json_name in brackets would look like an extension"))
                }
                Ok(name) if !name.contains('\0') => Ok(Some(name)),
                _ => Err(wrong("the json_name is no text")),
            },
            _ => Err(wrong("expected a string")),
        }
    }
}

fn value_of(ty: &TypeRef) -> &TypeRef {
    match ty {
        TypeRef::Map(_, _, value) => value,
        _ => unreachable!("only maps have values"),
    }
}

/// Whether a scalar can have a value.
pub(super) fn fits(scalar: Scalar, value: &Value) -> bool {
    let signed = |bits: u32, value: u64, negative: bool| {
        let limit = 1u64 << (bits - 1);
        if negative { value <= limit } else { value < limit }
    };
    match (scalar, value) {
        (Scalar::Bool, Value::Word(word)) => word == "true" || word == "false",
        (Scalar::String, Value::Text(text)) => std::str::from_utf8(text).is_ok(),
        (Scalar::Bytes, Value::Text(_)) => true,
        (Scalar::Float | Scalar::Double, Value::Int(..) | Value::Float(_)) => true,
        (Scalar::Float | Scalar::Double, Value::Word(word)) => {
            matches!(word.trim_start_matches('-'), "inf" | "infinity" | "nan")
        }
        (Scalar::Int32 | Scalar::Sint32 | Scalar::Sfixed32, Value::Int(value, negative)) => {
            signed(32, *value, *negative)
        }
        (Scalar::Int64 | Scalar::Sint64 | Scalar::Sfixed64, Value::Int(value, negative)) => {
            signed(64, *value, *negative)
        }
        (Scalar::Uint32 | Scalar::Fixed32, Value::Int(value, negative)) => {
            u32::try_from(*value).is_ok() && (!negative || *value == 0)
        }
        (Scalar::Uint64 | Scalar::Fixed64, Value::Int(value, negative)) => !negative || *value == 0,
        _ => false,
    }
}
