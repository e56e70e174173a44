//! Messages.

use serde_json::Value as Json;
use wirewise_core::{Float, Int, Kind, Logical, Notes, Record, TypeId, Union};
use wirewise_formats::protobuf::notes;

use crate::names::{Case, identifier};
use crate::{Result, keys};

use super::super::ast::{self, ExtensionRanges, Item, Message, Name, Oneof, Range, Scalar, TypeRef};
use super::super::parser;
use super::homes::{self, Home};
use super::{Lowering, comment, unsupported};

impl Lowering<'_> {
    /// The declaration of a named type.
    pub(super) fn named_type(&mut self, id: TypeId) -> Result<Item> {
        let schema = self.schema;
        let mut said = schema.type_notes(id).clone();
        let model_name = schema.name(id).unwrap_or_default();
        let name = match self.homes.of(id) {
            Home::Top(name) | Home::Inside(_, name) => name.clone(),
            Home::Imported(_) => unreachable!("only what is declared is written"),
        };
        if self.homes.full_name(id) != model_name {
            said.set(keys::NAME, model_name);
        }
        match schema.kind(id) {
            Kind::Record(record) => self.record(id, record, name, said).map(Item::Message),
            Kind::Union(union) => self.union(id, union, name, said).map(Item::Message),
            Kind::Enum(e) => self.enumeration(id, e, name, said).map(Item::Enum),
            _ => unreachable!("only records, enums and unions have names"),
        }
    }

    fn record(&mut self, id: TypeId, record: &Record, name: String, mut said: Notes) -> Result<Message> {
        let mut message = Message { name: Name::new(name), ..Message::default() };
        message.options = self.options(&mut said);
        if ast::flag(&message.options, "message_set_wire_format") {
            said.take(notes::MESSAGE_SET);
        }
        if self.syntax != ast::Syntax::Proto3
            && let Some(ranges) = said.get(notes::EXTENSIONS).and_then(extension_ranges)
        {
            said.take(notes::EXTENSIONS);
            message.extension_ranges = ranges;
            for ranges in &mut message.extension_ranges {
                ranges.options.retain_mut(|option| super::rename(option, &self.custom));
            }
        }
        let (ranges, names) = (&record.reserved_numbers, &record.reserved_names);
        let most = parser::MOST_NUMBER as u32;
        let sayable = ranges.iter().all(|range| *range.start() >= 1 && *range.end() <= most)
            && names.iter().all(|name| homes::is_identifier(name));
        if !sayable {
            said.set(keys::RESERVED, keys::reserved_text(ranges, names));
        }
        let sayable = ranges.iter().filter(|range| *range.end() >= 1 && *range.start() <= most);
        message.reserved_ranges = sayable
            .map(|range| Range { numbers: (*range.start()).max(1).into()..=(*range.end()).min(most).into(), at: 0 })
            .collect();
        let names = names.iter().filter(|name| homes::is_identifier(name));
        message.reserved_names = names.map(Name::new).collect();
        for (i, oneof) in record.oneofs.iter().enumerate() {
            let mut said = oneof.notes.clone();
            let name = self.homes.oneof(id, i).to_owned();
            if name != oneof.name {
                said.set(keys::NAME, oneof.name.as_str());
            }
            if oneof.required {
                said.set(keys::REQUIRED, "true");
            }
            let options = self.options(&mut said);
            message.oneofs.push(Oneof {
                name: Name::new(name),
                comment: comment(oneof.doc.as_deref(), &said),
                options,
            });
        }
        let order = self.field_order(id, record);
        if order.iter().enumerate().any(|(i, &position)| i != position) {
            let places: Vec<String> = order.iter().map(usize::to_string).collect();
            said.set(keys::ORDER, places.join(","));
        }
        for position in order {
            let field = &record.fields[position];
            if homes::is_extension(self.schema, id, field, self.syntax) {
                self.extension(id, record, field)?;
            } else {
                let lowered = self.record_field(id, record, position)?;
                message.fields.push(lowered);
            }
        }
        message.comment = comment(record.doc.as_deref(), &said);
        Ok(message)
    }

    /// The order in which the fields are written and will be read: members of a oneof together, oneofs in their order,
    /// extensions last.
    fn field_order(&self, id: TypeId, record: &Record) -> Vec<usize> {
        let mut order = Vec::with_capacity(record.fields.len());
        let mut next = 0;
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); record.oneofs.len()];
        for (position, field) in record.fields.iter().enumerate() {
            if let Some(oneof) = field.oneof {
                members[oneof].push(position);
            }
        }
        let mut extensions = Vec::new();
        for (position, field) in record.fields.iter().enumerate() {
            match field.oneof {
                Some(oneof) => {
                    while next <= oneof {
                        order.append(&mut members[next]);
                        next += 1;
                    }
                }
                None if homes::is_extension(self.schema, id, field, self.syntax) => extensions.push(position),
                None => order.push(position),
            }
        }
        extensions.sort_by_key(|&position| record.fields[position].number);
        order.extend(extensions);
        order
    }

    fn union(&mut self, id: TypeId, union: &Union, name: String, mut said: Notes) -> Result<Message> {
        let mut message = Message { name: Name::new(name), ..Message::default() };
        message.options = self.options(&mut said);
        said.set(keys::KIND, "union");
        message.comment = comment(union.doc.as_deref(), &said);
        message.oneofs.push(Oneof { name: Name::new(self.homes.oneof(id, 0)), ..Oneof::default() });
        for (position, branch) in union.branches.iter().enumerate() {
            let (ty, natural) = self.element(branch.ty)?;
            let mut said = branch.notes.clone();
            let name = self.homes.field(id, position).to_owned();
            if name != branch.name {
                said.set(keys::NAME, branch.name.as_str());
            }
            let expected = self.schema.type_json(branch.ty);
            if natural.as_ref() != Some(&expected) {
                said.set(keys::TYPE, super::type_text(&expected));
            }
            let options = self.options(&mut said);
            self.check_number(&union.name, &branch.name, branch.number)?;
            let comment = comment(branch.doc.as_deref(), &said);
            message.fields.push(ast::Field {
                oneof: Some(0),
                options,
                comment,
                ..super::fields::plain(&name, ty, branch.number)
            });
        }
        Ok(message)
    }

    pub(super) fn check_number(&self, record: &str, field: &str, number: u32) -> Result<()> {
        if (19000..20000).contains(&number) {
            let what = format!("the number {number} is one of 19000 to 19999, which Protobuf itself uses");
            return Err(unsupported(&format!("{record}.{field}"), what));
        }
        Ok(())
    }

    /// What declares one value of a type, and the type expression that it is read as; `None` for a wrapper.
    pub(super) fn element(&mut self, ty: TypeId) -> Result<(TypeRef, Option<Json>)> {
        let schema = self.schema;
        Ok(match schema.kind(ty) {
            Kind::Record(_) | Kind::Union(_) | Kind::Enum(_) => {
                let name = Name::new(format!(".{}", self.homes.full_name(ty)));
                (TypeRef::Named(name), schema.name(ty).map(Json::from))
            }
            Kind::List(_) | Kind::Map(..) | Kind::Nullable(_) => (self.wrapper(ty)?, None),
            Kind::Null => (self.null(), None),
            _ => {
                let scalar = self.scalar(ty);
                (TypeRef::Scalar(scalar), Some(natural(scalar)))
            }
        })
    }

    pub(super) fn scalar(&self, ty: TypeId) -> Scalar {
        let note = self.schema.type_notes(ty).get(notes::TYPE);
        match self.schema.kind(ty) {
            Kind::Bool => Scalar::Bool,
            Kind::Int(int) => integer(*int, note),
            Kind::Float(Float::F32) => Scalar::Float,
            Kind::Float(Float::F64) => Scalar::Double,
            Kind::String | Kind::Any => Scalar::String,
            _ => Scalar::Bytes,
        }
    }

    /// The enum that stands for null.
    fn null(&mut self) -> TypeRef {
        if self.null.is_none() {
            let name = self.homes.scope(None).take("NullValue");
            let value = self.homes.scope(None).take("NULL_VALUE");
            self.null = Some(self.homes.inside(None, &name));
            self.wrapper_items.push(Item::Enum(ast::Enum {
                name: Name::new(name),
                comment: comment(Some("Null."), &Notes::default().with(keys::WRAPPER, "true")),
                values: vec![ast::EnumValue { name: Name::new(value), ..ast::EnumValue::default() }],
                ..ast::Enum::default()
            }));
        }
        TypeRef::Named(Name::new(format!(".{}", self.null.as_deref().unwrap_or_default())))
    }

    /// The message that holds a value where Protobuf cannot have it bare.
    fn wrapper(&mut self, ty: TypeId) -> Result<TypeRef> {
        let key = self.schema.type_json(ty).to_string();
        if !self.wrappers.contains_key(&key) {
            let wanted = wrapper_name(self.schema, ty, 0);
            let name = self.homes.scope(None).take(&wanted);
            let full_name = self.homes.inside(None, &name);
            self.wrappers.insert(key.clone(), full_name);
            let what = match self.schema.kind(ty) {
                Kind::List(_) => "Holds a list as one value.",
                Kind::Map(..) => "Holds a map as one value.",
                _ => "Holds a value that may be null.",
            };
            let mut item = self.wrapper_message(ty, name)?;
            item.comment = comment(Some(what), &Notes::default().with(keys::WRAPPER, "true"));
            self.wrapper_items.push(Item::Message(item));
        }
        Ok(TypeRef::Named(Name::new(format!(".{}", self.wrappers[&key]))))
    }

    fn wrapper_message(&mut self, ty: TypeId, name: String) -> Result<Message> {
        let field = self.wrapper_field(ty)?;
        Ok(Message { name: Name::new(name), fields: vec![field], ..Message::default() })
    }

    /// The message that is the payload when the root is neither a record nor a union.
    pub(super) fn root_wrapper(&mut self, root: TypeId) -> Result<()> {
        let wanted = wrapper_name(self.schema, root, 0);
        let wanted =
            if wanted.ends_with("List") || wanted.ends_with("Map") { wanted } else { format!("{wanted}Value") };
        let name = self.homes.scope(None).take(&wanted);
        let mut item = self.wrapper_message(root, name)?;
        item.comment = comment(Some("A message."), &Notes::default().with(keys::WRAPPER, "root"));
        self.wrapper_items.push(Item::Message(item));
        Ok(())
    }
}

/// How a scalar is read: the type expression.
pub(super) fn natural(scalar: Scalar) -> Json {
    let (kind, note) = super::super::model::scalar_kind(scalar);
    let name = match kind {
        Kind::Bool => "bool",
        Kind::Int(Int::I32) => "int32",
        Kind::Int(Int::I64) => "int64",
        Kind::Int(Int::U32) => "uint32",
        Kind::Int(_) => "uint64",
        Kind::Float(Float::F32) => "float32",
        Kind::Float(Float::F64) => "float64",
        Kind::String => "string",
        _ => "bytes",
    };
    match note {
        None => Json::from(name),
        Some(note) => serde_json::json!({"scalar": name, "notes": {notes::TYPE: note}}),
    }
}

fn integer(int: Int, note: Option<&str>) -> Scalar {
    match (note, int.bits(), int.signed()) {
        (Some("sint32"), ..=32, true) => Scalar::Sint32,
        (Some("sint64"), 64, true) => Scalar::Sint64,
        (Some("sfixed32"), ..=32, true) => Scalar::Sfixed32,
        (Some("sfixed64"), 64, true) => Scalar::Sfixed64,
        (Some("fixed32"), ..=32, false) => Scalar::Fixed32,
        (Some("fixed64"), 64, false) => Scalar::Fixed64,
        (_, 64, true) => Scalar::Int64,
        (_, 64, false) => Scalar::Uint64,
        (_, _, true) => Scalar::Int32,
        (_, _, false) => Scalar::Uint32,
    }
}

/// What a note says of extension ranges.
pub(super) fn extension_ranges(text: &str) -> Option<Vec<ExtensionRanges>> {
    let statements: Vec<String> = text.split("; ").map(|ranges| format!("extensions {ranges};")).collect();
    let parsed = parser::parse_statements(&format!("message M {{ {} }}", statements.join(" ")))?;
    match parsed.items.into_iter().next()? {
        Item::Message(message) => Some(message.extension_ranges),
        _ => None,
    }
}

/// A name for a message that holds a value: `StringList`, `OptionalInt32`.
fn wrapper_name(schema: &wirewise_core::Schema, ty: TypeId, depth: usize) -> String {
    if depth > 4 {
        return "Value".to_owned();
    }
    let inner = |ty: &TypeId| wrapper_name(schema, *ty, depth + 1);
    match schema.kind(ty) {
        Kind::List(item) => format!("{}List", inner(item)),
        Kind::Map(_, value) => format!("{}Map", inner(value)),
        Kind::Nullable(value) => format!("Optional{}", inner(value)),
        _ if schema.logical(ty) == Some(Logical::Uuid) => "Uuid".to_owned(),
        _ if matches!(schema.logical(ty), Some(Logical::Timestamp(_))) => "Timestamp".to_owned(),
        _ => {
            let name = schema.describe(ty);
            let simple = name.rsplit('.').next().unwrap_or_default();
            let short: String = simple.chars().take(60).collect();
            identifier(&short, Case::Pascal)
        }
    }
}
