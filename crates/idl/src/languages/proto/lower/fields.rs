//! Fields.

use serde_json::Value as Json;
use wirewise_core::{Field, Kind, Presence, Record, TypeId};
use wirewise_formats::protobuf::notes;

use crate::{Result, keys};

use super::super::ast::{self, Item, Label, Name, Opt, Scalar, Syntax, TypeRef, Value};
use super::super::text;
use super::{Lowering, comment, syntax, type_text};

/// A field that says no more than it must.
pub(super) fn plain(name: &str, ty: TypeRef, number: u32) -> ast::Field {
    ast::Field {
        name: Name::new(name),
        comment: None,
        label: None,
        at: 0,
        ty,
        number: number.into(),
        number_at: 0,
        options: Vec::new(),
        oneof: None,
        group: false,
        extendee: None,
    }
}

/// How a field is declared, and what that is read as.
struct Declared {
    label: Option<Label>,
    ty: TypeRef,
    options: Vec<Opt>,
    /// The type expression that is read; `None` if it is a wrapper's.
    natural: Option<Json>,
    presence: Presence,
    /// Whether it is one value that is no message, and whose absence can be seen.
    explicit_scalar: bool,
    is_list: bool,
}

impl Lowering<'_> {
    pub(super) fn record_field(&mut self, id: TypeId, record: &Record, position: usize) -> Result<ast::Field> {
        let field = &record.fields[position];
        let name = self.homes.field(id, position).to_owned();
        self.lower_field(record, field, &name, None)
    }

    /// Writes a field as an extension of its record.
    pub(super) fn extension(&mut self, id: TypeId, record: &Record, field: &Field) -> Result<()> {
        let full_name = field.notes.get(notes::EXTENSION).unwrap_or_default().to_owned();
        let (around, name) = self.homes.extension(&full_name);
        let mut lowered =
            self.lower_field(record, field, &name, Some((&full_name, &self.homes.inside(around, &name))))?;
        lowered.extendee = Some(Name::new(format!(".{}", self.homes.full_name(id))));
        self.extensions.entry(around).or_default().push(Item::Extension(lowered));
        Ok(())
    }

    fn lower_field(
        &mut self,
        record: &Record,
        field: &Field,
        name: &str,
        extension: Option<(&str, &str)>,
    ) -> Result<ast::Field> {
        let path = || format!("{}.{}", record.name, field.name);
        self.check_number(&record.name, &field.name, field.number)?;
        let mut said = field.notes.clone();
        let declared = self.declare(field.ty, Some(field))?;
        let mut lowered = plain(name, declared.ty, field.number);
        (lowered.label, lowered.options, lowered.oneof) = (declared.label, declared.options, field.oneof);
        let labelled = syntax::is_labelled(field);
        let presence = if labelled && self.syntax == Syntax::Proto2 && !declared.is_list {
            lowered.label = Some(Label::Required);
            said.take(notes::LABEL);
            Presence::Required
        } else if labelled && self.syntax == Syntax::Edition2023 && !declared.is_list {
            lowered.options.retain(|option| !option.is("features.field_presence"));
            Self::feature(&mut lowered.options, "field_presence", "LEGACY_REQUIRED");
            said.take(notes::LABEL);
            Presence::Required
        } else {
            declared.presence
        };
        let message = matches!(self.schema.kind(field.value_type()), Kind::Record(_) | Kind::Union(_));
        if said.get(notes::LABEL) == Some("optional")
            && self.syntax == Syntax::Proto3
            && message
            && lowered.label.is_none()
            && lowered.oneof.is_none()
        {
            lowered.label = Some(Label::Optional);
            said.take(notes::LABEL);
        }
        if presence != field.presence {
            let text = if field.presence == Presence::Required { "required" } else { "optional" };
            said.set(keys::PRESENCE, text);
        }
        let expected = self.schema.type_json(field.ty);
        if declared.natural.as_ref() != Some(&expected) {
            said.set(keys::TYPE, type_text(&expected));
        }
        self.default(field, &path(), declared.explicit_scalar, &mut lowered, &mut said);
        match extension {
            Some((full_name, output)) => {
                said.take(notes::EXTENSION);
                if full_name != output {
                    said.set(notes::EXTENSION, full_name);
                }
                if field.name != name {
                    said.set(keys::NAME, field.name.as_str());
                }
            }
            None => {
                if field.name != name {
                    said.set(keys::NAME, field.name.as_str());
                }
                match said.take(notes::JSON_NAME) {
                    Some(json) => lowered.options.push(Opt::new("json_name", Value::Text(json.into_bytes()))),
                    // Its JSON is the model's, as far as that is possible.
                    None if field.name != name
                        && is_json_name(&field.name)
                        && self.homes.is_free_in_json(record.type_id(), &field.name) =>
                    {
                        lowered.options.push(Opt::new("json_name", Value::Text(field.name.clone().into_bytes())));
                    }
                    None => {}
                }
            }
        }
        if !field.aliases.is_empty() {
            said.set(keys::ALIASES, Json::from(field.aliases.clone()).to_string());
        }
        if said.get(notes::PACKED) == Some("false") && is_packable(&lowered, self, field) {
            said.take(notes::PACKED);
        }
        if syntax::is_delimited(self.schema, field) {
            said.take(notes::ENCODING);
            if self.syntax == Syntax::Edition2023 {
                Self::feature(&mut lowered.options, "message_encoding", "DELIMITED");
            } else {
                lowered.group = true;
            }
        }
        let options = self.options(&mut said);
        lowered.options.extend(options);
        lowered.comment = comment(field.doc.as_deref(), &said);
        Ok(lowered)
    }

    /// The only field of a wrapper.
    pub(super) fn wrapper_field(&mut self, ty: TypeId) -> Result<ast::Field> {
        let declared = self.declare(ty, None)?;
        let mut field = plain("value", declared.ty, 1);
        (field.label, field.options) = (declared.label, declared.options);
        Ok(field)
    }

    /// Declares a field of a type, as the codec lays it out.
    fn declare(&mut self, ty: TypeId, field: Option<&Field>) -> Result<Declared> {
        let schema = self.schema;
        let (inner, nullable) = match schema.kind(ty) {
            Kind::Nullable(inner) => (*inner, true),
            _ => (ty, false),
        };
        let stateful = nullable || field.is_some_and(Field::is_optional);
        let list = |mut declared: Declared, natural| {
            declared.natural = natural;
            declared
        };
        let empty = Declared {
            label: None,
            ty: TypeRef::Scalar(Scalar::Bool),
            options: Vec::new(),
            natural: None,
            presence: Presence::Required,
            explicit_scalar: false,
            is_list: true,
        };
        match schema.kind(inner) {
            Kind::List(item) if !stateful => {
                let (ty, natural) = self.element(*item)?;
                let natural = natural.map(|item| serde_json::json!({"list": item}));
                let packable = match schema.kind(*item) {
                    Kind::Enum(_) | Kind::Null => true,
                    _ => matches!(ty, TypeRef::Scalar(scalar) if scalar.is_packable()),
                };
                let unpacked = field.is_some_and(|field| field.notes.get(notes::PACKED) == Some("false"));
                let mut options = Vec::new();
                match (self.syntax, unpacked) {
                    _ if !packable => {}
                    (Syntax::Proto2, false) => options.push(Opt::new("packed", Value::Word("true".to_owned()))),
                    (Syntax::Proto3, true) => options.push(Opt::new("packed", Value::Word("false".to_owned()))),
                    (Syntax::Edition2023, true) => Self::feature(&mut options, "repeated_field_encoding", "EXPANDED"),
                    _ => {}
                }
                let declared = Declared { label: Some(Label::Repeated), ty, options, ..empty };
                return Ok(list(declared, natural));
            }
            Kind::Map(key, value) if !stateful => {
                let (value_type, value) = self.element(*value)?;
                let key = self.scalar(*key);
                let natural = value.map(|value| {
                    let mut map = serde_json::json!({"map": value});
                    if key != Scalar::String {
                        map["key"] = super::types::natural(key);
                    }
                    map
                });
                let declared = Declared { ty: TypeRef::Map(key, 0, Box::new(value_type)), ..empty };
                return Ok(list(declared, natural));
            }
            _ => {}
        }
        let (ty, natural) = self.element(inner)?;
        // A nullable is never what is read; its value is.
        let natural = natural.filter(|_| !nullable);
        let message = matches!(
            schema.kind(inner),
            Kind::Record(_) | Kind::Union(_) | Kind::List(_) | Kind::Map(..) | Kind::Nullable(_)
        );
        let in_oneof = field.is_some_and(|field| field.oneof.is_some());
        let explicit = stateful
            || field.is_some_and(syntax::is_labelled)
            || *schema.kind(inner) == Kind::Any
            || !self.is_zero_when_missing(inner, field);
        let optional = (Some(Label::Optional), Presence::Optional);
        let mut options = Vec::new();
        let (label, presence) = match self.syntax {
            _ if in_oneof => (None, Presence::Optional),
            Syntax::Proto2 => optional,
            Syntax::Proto3 if message => (None, Presence::Optional),
            Syntax::Proto3 if explicit => optional,
            Syntax::Proto3 => (None, Presence::Required),
            Syntax::Edition2023 if message || explicit || self.is_closed(inner) => (None, Presence::Optional),
            Syntax::Edition2023 => {
                Self::feature(&mut options, "field_presence", "IMPLICIT");
                (None, Presence::Required)
            }
        };
        let explicit_scalar = !message && presence == Presence::Optional && !in_oneof;
        Ok(Declared { label, ty, options, natural, presence, explicit_scalar, is_list: false })
    }

    /// As the codec has it: whether what is left out reads as zero.
    fn is_zero_when_missing(&self, ty: TypeId, field: Option<&Field>) -> bool {
        let default = field.and_then(|field| field.default.as_ref());
        match (self.schema.kind(ty), default) {
            (Kind::Enum(e), Some(default)) => {
                let position = default.as_str().and_then(|name| e.position_of(name.as_bytes()));
                position.is_some_and(|position| e.symbols[position].number == 0)
            }
            (Kind::Enum(e), None) => e.symbols[0].number == 0,
            (_, None) => true,
            (Kind::Float(_), Some(default)) => default.as_f64().is_some_and(|value| value.to_bits() == 0),
            (_, Some(default)) => default.is_null() || default == false || default == 0 || default == "",
        }
    }

    fn is_closed(&self, ty: TypeId) -> bool {
        matches!(self.schema.kind(ty), Kind::Enum(e) if e.closed)
    }

    /// Writes the default, where Protobuf can have one.
    fn default(
        &mut self,
        field: &Field,
        path: &str,
        explicit: bool,
        lowered: &mut ast::Field,
        said: &mut wirewise_core::Notes,
    ) {
        if let Some(text) = said.get(notes::DEFAULT)
            && self.syntax != Syntax::Proto3
            && field.oneof.is_some()
            && let Some(parsed) = super::super::parser::parse_options(&format!("default = {text}"))
            && self.fits(field, &parsed[0].value)
        {
            said.take(notes::DEFAULT);
            lowered.options.extend(parsed);
        }
        let Some(default) = &field.default else { return };
        let nullable = field.is_nullable() && !field.is_optional();
        let value = if explicit && !nullable && self.syntax != Syntax::Proto3 {
            self.default_value(field.value_type(), default)
        } else {
            None
        };
        match value {
            Some(value) => {
                lowered.options.push(Opt::new("default", value));
                return;
            }
            None => said.set(keys::DEFAULT, default.to_string()),
        }
        let zero = default.is_null() || default.as_array().is_some() || default.is_object();
        let says_nothing = zero || !field.is_optional() && self.is_zero_when_missing(field.value_type(), Some(field));
        if !says_nothing {
            let what = format!("the default {default} is lost: readers take zero for what is absent");
            self.lost(path, what);
        }
    }

    fn fits(&self, field: &Field, value: &Value) -> bool {
        match self.schema.kind(field.value_type()) {
            Kind::Enum(e) => matches!(value, Value::Word(word) if e.position_of(word.as_bytes()).is_some()),
            Kind::Record(_) | Kind::Union(_) | Kind::List(_) | Kind::Map(..) | Kind::Null => false,
            _ => super::super::fields::fits(self.scalar(field.value_type()), value),
        }
    }

    fn default_value(&self, ty: TypeId, default: &Json) -> Option<Value> {
        Some(match (self.schema.kind(ty), default) {
            (_, Json::Bool(value)) => Value::Word(value.to_string()),
            (Kind::Float(_), Json::String(text)) => Value::Word(match text.as_str() {
                "Infinity" => "inf".to_owned(),
                "-Infinity" => "-inf".to_owned(),
                _ => "nan".to_owned(),
            }),
            (Kind::Float(_), Json::Number(value)) => Value::Float(value.as_f64()?),
            (_, Json::Number(value)) => match value.as_i64() {
                Some(value) => Value::Int(value.unsigned_abs(), value < 0),
                None => Value::Int(value.as_u64()?, false),
            },
            (Kind::Enum(e), Json::String(name)) => {
                Value::Word(self.homes.symbol(ty, e.position_of(name.as_bytes())?).to_owned())
            }
            (Kind::String, Json::String(text)) => Value::Text(text.clone().into_bytes()),
            (Kind::Bytes, Json::String(text)) => {
                let mut bytes = Vec::new();
                wirewise_core::text::base64::decode(text.as_bytes(), &mut bytes).then_some(())?;
                Value::Text(bytes)
            }
            _ => return None,
        })
    }
}

/// Whether the list of a field is one that can be packed.
fn is_packable(lowered: &ast::Field, lowering: &Lowering<'_>, field: &Field) -> bool {
    let Kind::List(item) = lowering.schema.kind(field.ty) else { return false };
    let packable = match &lowered.ty {
        TypeRef::Scalar(scalar) => scalar.is_packable(),
        _ => matches!(lowering.schema.kind(*item), Kind::Enum(_) | Kind::Null),
    };
    lowered.label == Some(Label::Repeated) && packable
}

/// Whether a name can be a name in JSON as protoc takes it.
fn is_json_name(name: &str) -> bool {
    let bracketed = name.starts_with('[') && name.ends_with(']');
    !bracketed && !name.contains('\0') && text::quoted(name.as_bytes()).len() < 500
}
