//! From an Avro schema to ours.

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use wirewise_core::{
    Branch, Enum, Error, ErrorKind, Field, Float, Int, Kind, Logical, Record, Result, Schema, SchemaBuilder, Symbol,
    TypeId, Union, Unit, text,
};

use super::attributes as attribute;
use super::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind, Primitive};
use super::names::Scope;

/// Our schema for an Avro schema. What Avro knows and we do not (the order of fields, aliases of types, defaults that
/// are records or filled lists, decimals and durations) is left out: none of it changes a byte of the data.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when no value can have the type (an empty union), [`ErrorKind::Schema`] when it breaks a
/// rule of ours, such as a record that must contain itself.
pub(super) fn import(avro: &AvroSchema) -> Result<Schema> {
    let mut import = Import { avro, types: SchemaBuilder::new(), done: HashMap::new(), names: Scope::default() };
    for node in 0..avro.nodes.len() {
        if let NodeKind::Record { .. } | NodeKind::Enum { .. } = avro.kind(node) {
            import.names.claim(&import.name(node));
        }
    }
    let root = import.value(avro.root, "root")?;
    import.types.finish(root)
}

/// Enums with more symbols keep no defaults.
const MOST_SYMBOLS: usize = 4096;

struct Import<'a> {
    avro: &'a AvroSchema,
    types: SchemaBuilder,
    /// Records and enums, which may come many times.
    done: HashMap<NodeId, TypeId>,
    names: Scope,
}

impl<'a> Import<'a> {
    fn attributes(&self, node: NodeId) -> &'a Attributes {
        &self.avro.nodes[node].attributes
    }

    /// What we call a named type: its full name, or the one it had before Avro.
    fn name(&self, node: NodeId) -> String {
        own_name(self.attributes(node), self.avro.branch_key(node)).to_owned()
    }

    /// `context` is what generated names begin with.
    fn value(&mut self, node: NodeId, context: &str) -> Result<TypeId> {
        if let Some(&ty) = self.done.get(&node) {
            return Ok(ty);
        }
        let avro = self.avro;
        match avro.kind(node) {
            NodeKind::Primitive(primitive) => {
                let (kind, logical) = primitive_type(*primitive, self.attributes(node));
                Ok(self.types.add_logical(kind, logical))
            }
            NodeKind::Fixed { size, .. } => {
                let uuid = *size == 16 && is(self.attributes(node), attribute::LOGICAL_TYPE, "uuid");
                Ok(self.types.add_logical(Kind::Fixed(*size), uuid.then_some(Logical::Uuid)))
            }
            NodeKind::Enum { doc, symbols, .. } => Ok(self.enumeration(node, doc, symbols)),
            NodeKind::Array(item) => {
                if let Some(entry) = self.entry(node, *item) {
                    let ids = [self.value(entry.0, context)?, self.value(entry.1, context)?];
                    return Ok(self.types.add(Kind::Map(ids[0], ids[1])));
                }
                let item = self.value(*item, context)?;
                Ok(self.types.add(Kind::List(item)))
            }
            NodeKind::Map(value) => {
                let key = self.types.add(Kind::String);
                let value = self.value(*value, context)?;
                Ok(self.types.add(Kind::Map(key, value)))
            }
            NodeKind::Union(_) => {
                let (inner, null) = self.union(node, context)?;
                Ok(if null { self.nullable(inner, context) } else { inner })
            }
            NodeKind::Record { doc, fields, .. } => self.record(node, doc, fields),
        }
    }

    /// Types of the key and value of an array that we wrote for a map.
    fn entry(&self, array: NodeId, item: NodeId) -> Option<(NodeId, NodeId)> {
        self.attributes(array).get(attribute::MAP)?;
        match self.avro.kind(item) {
            NodeKind::Record { fields, .. } => match &fields[..] {
                [key, value] if key.name == "key" && value.name == "value" => Some((key.ty, value.ty)),
                _ => None,
            },
            _ => None,
        }
    }

    fn enumeration(&mut self, node: NodeId, doc: &Option<String>, symbols: &[String]) -> TypeId {
        let attributes = self.attributes(node);
        let list = |name: &str| attributes.get(name).and_then(Json::as_array);
        let (names, numbers) = (list(attribute::SYMBOLS), list(attribute::NUMBERS));
        let symbols = symbols.iter().enumerate().map(|(i, symbol)| {
            let name = names.and_then(|names| names.get(i)?.as_str()).unwrap_or(symbol);
            Symbol::new(name, numbers.and_then(|numbers| numbers.get(i)?.as_i64()).unwrap_or(i as i64))
        });
        let closed = attributes.get(attribute::OPEN) != Some(&Json::Bool(true));
        let e = Enum { name: self.name(node), doc: doc.clone(), symbols: symbols.collect(), closed, ..Enum::default() };
        let kind = Kind::Enum(e);
        let ty = self.types.add(kind);
        self.done.insert(node, ty);
        ty
    }

    /// A value or null. `Null` is both already; an `Any` beside a null of its own is a union's only branch.
    fn nullable(&mut self, ty: TypeId, context: &str) -> TypeId {
        let inner = match self.types.kind(ty) {
            Some(Kind::Null) => return ty,
            Some(Kind::Any) => {
                let branches = vec![Branch::new(1, "any", ty)];
                let name = self.names.free(context.to_owned());
                self.types.add(Kind::Union(Union { name, doc: None, branches }))
            }
            _ => ty,
        };
        self.types.add(Kind::Nullable(inner))
    }

    /// The type of a union beside its null, and whether it has one. Branches are called as Avro's JSON calls them.
    fn union(&mut self, node: NodeId, context: &str) -> Result<(TypeId, bool)> {
        let avro = self.avro;
        let NodeKind::Union(nodes) = avro.kind(node) else { unreachable!("asked for a union") };
        let rest: Vec<NodeId> = nodes.iter().copied().filter(|&node| !avro.is_null(node)).collect();
        let null = rest.len() < nodes.len();
        match rest[..] {
            [] if null => return Ok((self.types.add(Kind::Null), true)),
            [] => return Err(Error::new(ErrorKind::Unsupported, "the Avro schema has a union without branches")),
            [only] if null => return Ok((self.value(only, context)?, true)),
            _ => {}
        }
        let mut union = Union { name: self.names.free(context.to_owned()), doc: None, branches: Vec::new() };
        for (position, &node) in rest.iter().enumerate() {
            let attributes = self.attributes(node);
            let wrapper = attributes.get(attribute::WRAPPER).and_then(Json::as_str);
            let (name, ty) = match (avro.kind(node), wrapper) {
                (NodeKind::Record { fields, .. }, Some(branch)) if fields.len() == 1 => (branch, fields[0].ty),
                _ => (avro.branch_key(node), node),
            };
            let ty = self.value(ty, context)?;
            union.branches.push(Branch::new(position as u32 + 1, name, ty));
        }
        Ok((self.types.add(Kind::Union(union)), null))
    }

    fn record(&mut self, node: NodeId, doc: &Option<String>, rows: &[AvroField]) -> Result<TypeId> {
        let ty = self.types.declare();
        self.done.insert(node, ty);
        let mut record = Record::new(self.name(node), Vec::with_capacity(rows.len()));
        record.doc = doc.clone();
        let list = |name: &str| self.attributes(node).get(name).and_then(Json::as_array).cloned().unwrap_or_default();
        let number = |json: &Json| json.as_u64().and_then(|number| u32::try_from(number).ok());
        let range = |json: &Json| match json.as_array().map(Vec::as_slice) {
            Some([from, to]) => Some(number(from)?..=number(to)?),
            _ => number(json).map(|number| number..=number),
        };
        record.reserved_numbers = list(attribute::RESERVED_NUMBERS).iter().filter_map(range).collect();
        record.reserved_numbers.sort_unstable_by_key(|range| *range.start());
        let names = list(attribute::RESERVED_NAMES);
        record.reserved_names = names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect();

        let given: Vec<Option<u32>> =
            rows.iter().map(|row| row.attributes.get(attribute::NUMBER).and_then(number)).collect();
        let taken: HashSet<u32> = given.iter().flatten().copied().collect();
        let reserved = record.reserved_numbers.clone();
        let is_taken = |number: u32| {
            let place = reserved.partition_point(|range| *range.end() < number);
            taken.contains(&number) || reserved.get(place).is_some_and(|range| *range.start() <= number)
        };
        let mut next = 0;
        for (position, row) in rows.iter().enumerate() {
            // A field's number is its place, or the next one that is free.
            let number = given[position].unwrap_or_else(|| {
                next = (next + 1).max(position as u32 + 1);
                while is_taken(next) {
                    next += 1;
                }
                next
            });
            let context = format!("{}_{}", record.name, row.name);
            record.fields.push(self.field(row, number, &context)?);
        }
        self.types.define(ty, Kind::Record(record));
        Ok(ty)
    }

    fn field(&mut self, row: &AvroField, number: u32, context: &str) -> Result<Field> {
        let optional = is(&row.attributes, attribute::PRESENCE, "optional");
        let (mut ty, mut nullable) = match self.avro.kind(row.ty) {
            NodeKind::Union(_) => self.union(row.ty, context)?,
            _ => (self.value(row.ty, context)?, false),
        };
        let default = match row.attributes.get(attribute::DEFAULT) {
            Some(default) => Some(default.clone()),
            None if optional => None,
            None => row.default.as_ref().and_then(|default| self.default(ty, row.ty, nullable, default)),
        };
        if optional {
            nullable = row.attributes.get(attribute::NULLABLE) == Some(&Json::Bool(true));
        }
        if nullable {
            ty = self.nullable(ty, context);
        }
        let mut field = Field::new(number, own_name(&row.attributes, &row.name), ty);
        if optional {
            field = field.optional();
        }
        field.default = default;
        field.doc = row.doc.clone();
        let aliases = row.attributes.get(attribute::ALIASES).and_then(Json::as_array);
        field.aliases = match aliases {
            Some(aliases) => aliases.iter().filter_map(|alias| alias.as_str().map(str::to_owned)).collect(),
            None => row.aliases.clone(),
        };
        Ok(field)
    }

    /// The symbols of an enum, or of the enum in a union.
    fn symbols(&self, node: NodeId) -> &'a [String] {
        match self.avro.kind(node) {
            NodeKind::Enum { symbols, .. } => symbols,
            NodeKind::Union(branches) => {
                branches.iter().map(|&branch| self.symbols(branch)).max_by_key(|s| s.len()).unwrap_or_default()
            }
            _ => &[],
        }
    }

    /// An Avro default as our model has it: a scalar, or an empty list or map.
    fn default(&self, ty: TypeId, node: NodeId, nullable: bool, default: &Json) -> Option<Json> {
        let kind = self.types.kind(ty)?;
        let symbols = self.symbols(node);
        let fits = match (kind, default) {
            (_, Json::Null) => nullable || *kind == Kind::Null,
            (Kind::Bool, Json::Bool(_)) | (Kind::String, Json::String(_)) | (Kind::Float(_), Json::Number(_)) => true,
            (Kind::Int(int), Json::Number(n)) => n.as_i64().is_some_and(|n| int.holds(n.into())),
            (Kind::Enum(e), Json::String(name)) => {
                // The symbol as Avro calls it. The search is linear: so many symbols are not meant well.
                let position =
                    symbols.iter().position(|symbol| symbol == name).filter(|_| symbols.len() < MOST_SYMBOLS)?;
                return Some(Json::from(e.symbols[position].name.as_str()));
            }
            (Kind::Bytes, Json::String(characters)) => {
                let bytes: Option<Vec<u8>> = characters.chars().map(|c| u8::try_from(c).ok()).collect();
                let mut out = Vec::new();
                text::base64::encode(&bytes?, &mut out);
                return String::from_utf8(out).ok().map(Json::String);
            }
            (Kind::List(_), Json::Array(items)) => items.is_empty(),
            (Kind::Map(..), Json::Object(entries)) => entries.is_empty(),
            (Kind::Map(..), Json::Array(entries)) if entries.is_empty() => return Some(Json::Object(<_>::default())),
            _ => false,
        };
        fits.then(|| default.clone())
    }
}

fn own_name<'a>(attributes: &'a Attributes, name: &'a str) -> &'a str {
    attributes.get(attribute::NAME).and_then(Json::as_str).unwrap_or(name)
}

fn is(attributes: &Attributes, name: &str, value: &str) -> bool {
    attributes.get(name).and_then(Json::as_str) == Some(value)
}

fn primitive_type(primitive: Primitive, attributes: &Attributes) -> (Kind, Option<Logical>) {
    let text = |name: &str| attributes.get(name).and_then(Json::as_str);
    let exact = text(attribute::TYPE);
    let logical = text(attribute::LOGICAL_TYPE).or(text(attribute::LOGICAL)).and_then(logical_by_name);
    let (kind, fits) = match primitive {
        Primitive::Null => (Kind::Null, false),
        Primitive::Boolean => (Kind::Bool, false),
        Primitive::Int => match exact {
            Some("int8") => (Kind::Int(Int::I8), false),
            Some("int16") => (Kind::Int(Int::I16), false),
            Some("uint8") => (Kind::Int(Int::U8), false),
            Some("uint16") => (Kind::Int(Int::U16), false),
            _ => (Kind::Int(Int::I32), logical == Some(Logical::Date)),
        },
        Primitive::Long => match exact {
            Some("uint32") => (Kind::Int(Int::U32), false),
            Some("uint64") => (Kind::Int(Int::U64), false),
            _ => (Kind::Int(Int::I64), matches!(logical, Some(Logical::Timestamp(_)))),
        },
        Primitive::Float => (Kind::Float(Float::F32), false),
        Primitive::Double => (Kind::Float(Float::F64), logical == Some(Logical::Number)),
        Primitive::Bytes => (Kind::Bytes, false),
        Primitive::String if exact == Some("any") => (Kind::Any, false),
        Primitive::String => (Kind::String, true),
    };
    (kind, logical.filter(|_| fits))
}

fn logical_by_name(name: &str) -> Option<Logical> {
    Some(match name {
        "uuid" => Logical::Uuid,
        "date" => Logical::Date,
        "timestamp-seconds" => Logical::Timestamp(Unit::Seconds),
        "timestamp-millis" => Logical::Timestamp(Unit::Millis),
        "timestamp-micros" => Logical::Timestamp(Unit::Micros),
        "timestamp-nanos" => Logical::Timestamp(Unit::Nanos),
        "number" => Logical::Number,
        "base64" => Logical::Base64,
        _ => return None,
    })
}
