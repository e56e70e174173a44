//! Defaults of a reader's fields: JSON compiled to what is put into a message that comes without the field.

use serde_json::Value as Json;
use wirewise_core::{Arena, Cell, Error, ErrorKind, Float, Kind, Result, Schema, State, TypeId};

use super::attributes as attribute;
use super::model::{AvroField, AvroSchema, NodeId, NodeKind};
use crate::json;

/// A value that the schema gives.
#[derive(Debug)]
pub(super) enum Literal {
    /// What fits in a cell.
    Cell(Cell),
    /// A string, bytes, or fixed bytes.
    Text(Vec<u8>),
    List(Vec<Literal>),
    Map(Vec<(Literal, Literal)>),
    Record(TypeId, Vec<(usize, FieldLiteral)>),
    /// The position of a branch, and its value.
    Union(usize, Box<Literal>),
    /// A value that may be null, outside a field.
    Nullable(Option<Box<Literal>>),
    /// The JSON text of an `any`.
    Any(String),
}

/// What a field gets.
#[derive(Debug)]
pub(super) enum FieldLiteral {
    /// Nothing, or the default that our model has and Avro cannot state.
    Absent,
    Null,
    Value(Literal),
}

/// Values that the defaults of a schema may have together: they may contain each other, and so become very many.
const MOST_VALUES: usize = 1 << 16;

/// How deep defaults may nest.
const MOST_NESTING: usize = 64;

/// Compiles defaults of one schema.
pub(super) struct Compiler<'a> {
    pub(super) schema: &'a Schema,
    pub(super) avro: &'a AvroSchema,
    count: usize,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(schema: &'a Schema, avro: &'a AvroSchema) -> Self {
        Compiler { schema, avro, count: 0 }
    }

    /// What the field at `position` of a record gets when a message comes without it; `None` when it has no default.
    ///
    /// # Errors
    /// `Schema` when its default is no value of its type.
    pub(super) fn field(&mut self, record: TypeId, position: usize, row: &AvroField) -> Result<Option<FieldLiteral>> {
        self.field_with(record, position, row, None, 0)
    }

    fn field_with(
        &mut self,
        record: TypeId,
        position: usize,
        row: &AvroField,
        given: Option<&Json>,
        depth: usize,
    ) -> Result<Option<FieldLiteral>> {
        let Kind::Record(ours) = self.schema.kind(record) else { unreachable!("a record has fields") };
        let field = &ours.fields[position];
        let Some(json) = given.or(row.default.as_ref()) else {
            let is_known = field.is_optional() || field.default.is_some();
            return Ok(is_known.then_some(FieldLiteral::Absent));
        };
        let is_null = *self.schema.kind(field.value_type()) == Kind::Null;
        if json.is_null() && field.is_optional() {
            return Ok(Some(FieldLiteral::Absent));
        }
        if json.is_null() && field.is_nullable() {
            return Ok(Some(FieldLiteral::Null));
        }
        let value = match self.avro.kind(row.ty) {
            NodeKind::Union(nodes) if field.is_stateful() && !is_null => {
                self.branch(field.value_type(), nodes, json, depth)
            }
            _ => self.value(field.value_type(), row.ty, json, depth),
        };
        let value = value.map_err(|error| error.in_field(&field.name))?;
        Ok(Some(FieldLiteral::Value(value)))
    }

    #[cold]
    fn misfit(&self, ty: TypeId, json: &Json) -> Error {
        let text: String = json.to_string().chars().take(100).collect();
        Error::new(ErrorKind::Schema, format!("the default {text} is no {}", self.schema.describe(ty)))
    }

    fn value(&mut self, ty: TypeId, node: NodeId, json: &Json, depth: usize) -> Result<Literal> {
        self.count += 1;
        if self.count > MOST_VALUES || depth > MOST_NESTING {
            return Err(Error::new(ErrorKind::Schema, "the defaults of the schema contain each other too often"));
        }
        let (schema, avro) = (self.schema, self.avro);
        let misfit = || self.misfit(ty, json);
        let cell = match (schema.kind(ty), avro.kind(node), json) {
            (Kind::Null, _, Json::Null) => Cell::EMPTY,
            (Kind::Bool, _, Json::Bool(value)) => Cell::bool(*value),
            (Kind::Int(int), _, Json::Number(number)) => {
                let value = number.as_i64().filter(|&value| int.holds(value.into())).ok_or_else(misfit)?;
                Cell::int(value)
            }
            (Kind::Float(float), _, _) => {
                let value = match json.as_str() {
                    Some("NaN") => f64::NAN,
                    Some("Infinity" | "INF") => f64::INFINITY,
                    Some("-Infinity" | "-INF") => f64::NEG_INFINITY,
                    _ => json.as_f64().ok_or_else(misfit)?,
                };
                if *float == Float::F32 { Cell::f32(value as f32) } else { Cell::f64(value) }
            }
            (Kind::String, _, Json::String(text)) => return Ok(Literal::Text(text.clone().into_bytes())),
            (Kind::Any, _, Json::String(text)) => {
                serde_json::from_str::<Json>(text).map_err(|_| misfit())?;
                return Ok(Literal::Any(text.clone()));
            }
            (Kind::Bytes | Kind::Fixed(_), _, Json::String(text)) => {
                // One character for each byte: ISO 8859-1.
                let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
                let fits = |bytes: &Vec<u8>| match schema.kind(ty) {
                    Kind::Fixed(size) => bytes.len() == *size as usize,
                    _ => true,
                };
                return bytes.filter(fits).map(Literal::Text).ok_or_else(misfit);
            }
            (Kind::Enum(e), NodeKind::Enum { symbols, .. }, Json::String(name)) => {
                let position = symbols.iter().position(|symbol| symbol == name).ok_or_else(misfit)?;
                Cell::int(e.symbols[position].number)
            }
            (Kind::List(item), NodeKind::Array(inner), Json::Array(rows)) => {
                let rows = rows.iter().enumerate();
                let rows =
                    rows.map(|(i, row)| self.value(*item, *inner, row, depth + 1).map_err(|error| error.in_index(i)));
                return rows.collect::<Result<_>>().map(Literal::List);
            }
            (Kind::Map(_, value), NodeKind::Map(inner), Json::Object(entries)) => {
                let entries = entries.iter().map(|(key, row)| {
                    let row = self.value(*value, *inner, row, depth + 1);
                    let row = row.map_err(|error| error.in_key(key.as_bytes()))?;
                    Ok((Literal::Text(key.clone().into_bytes()), row))
                });
                return entries.collect::<Result<_>>().map(Literal::Map);
            }
            (Kind::Map(key, value), NodeKind::Array(entry), Json::Array(rows)) => {
                let NodeKind::Record { fields, .. } = avro.kind(*entry) else { return Err(misfit()) };
                let [key_field, value_field] = &fields[..] else { return Err(misfit()) };
                let mut entries = Vec::with_capacity(rows.len());
                for row in rows {
                    let part = |name: &str| row.get(name).ok_or_else(|| self.misfit(ty, json));
                    let (key_json, value_json) = (part("key")?, part("value")?);
                    let key = self.value(*key, key_field.ty, key_json, depth + 1)?;
                    entries.push((key, self.value(*value, value_field.ty, value_json, depth + 1)?));
                }
                return Ok(Literal::Map(entries));
            }
            (Kind::Nullable(_), NodeKind::Union(_), Json::Null) => return Ok(Literal::Nullable(None)),
            (Kind::Nullable(inner), NodeKind::Union(nodes), _) => {
                let value = self.branch(*inner, nodes, json, depth)?;
                return Ok(Literal::Nullable(Some(Box::new(value))));
            }
            (Kind::Union(_), NodeKind::Union(nodes), _) => return self.branch(ty, nodes, json, depth),
            (Kind::Record(record), NodeKind::Record { fields, .. }, Json::Object(given)) => {
                let mut values = Vec::with_capacity(fields.len());
                for (position, row) in fields.iter().enumerate() {
                    let literal = self.field_with(ty, position, row, given.get(&row.name), depth + 1)?;
                    let literal = literal.ok_or_else(|| {
                        let what = format!("the default of a {} lacks the field {:?}", record.name, row.name);
                        Error::new(ErrorKind::Schema, what)
                    })?;
                    values.push((position, literal));
                }
                return Ok(Literal::Record(ty, values));
            }
            _ => return Err(misfit()),
        };
        Ok(Literal::Cell(cell))
    }

    /// A value of the type that the branches of a union beside null have: the first that fits.
    fn branch(&mut self, ty: TypeId, nodes: &[NodeId], json: &Json, depth: usize) -> Result<Literal> {
        let (schema, avro) = (self.schema, self.avro);
        let mut rest = nodes.iter().copied().filter(|&node| !avro.is_null(node));
        let Kind::Union(union) = schema.kind(ty) else {
            let node = rest.next().ok_or_else(|| self.misfit(ty, json))?;
            return self.value(ty, node, json, depth);
        };
        for (position, (branch, node)) in union.branches.iter().zip(rest).enumerate() {
            let (node, json) = match (avro.kind(node), json.get("value")) {
                (NodeKind::Record { fields, .. }, Some(inner))
                    if avro.nodes[node].attributes.contains_key(attribute::WRAPPER) && fields.len() == 1 =>
                {
                    (fields[0].ty, inner)
                }
                _ => (node, json),
            };
            if let Ok(value) = self.value(branch.ty, node, json, depth + 1) {
                return Ok(Literal::Union(position, Box::new(value)));
            }
        }
        Err(self.misfit(ty, json))
    }
}

/// Puts a literal into a message, and gives its cell.
///
/// # Errors
/// `Limit` as [`Arena::alloc`].
pub(super) fn put(literal: &Literal, schema: &Schema, arena: &mut Arena) -> Result<Cell> {
    Ok(match literal {
        Literal::Cell(cell) => *cell,
        Literal::Text(bytes) => arena.text_with(|out| {
            out.extend_from_slice(bytes);
            Ok(())
        })?,
        Literal::List(items) => {
            let mark = arena.mark();
            for item in items {
                let cell = put(item, schema, arena)?;
                arena.push(cell)?;
            }
            arena.list(mark)?
        }
        Literal::Map(entries) => {
            let mark = arena.mark();
            for (key, value) in entries {
                let key = put(key, schema, arena)?;
                arena.push(key)?;
                let value = put(value, schema, arena)?;
                arena.push(value)?;
            }
            arena.map(mark)?
        }
        Literal::Record(ty, fields) => {
            let Kind::Record(record) = schema.kind(*ty) else { unreachable!("compiled as a record") };
            let at = arena.record(record)?;
            for (position, literal) in fields {
                put_field(literal, schema, *ty, at, *position, arena)?;
            }
            Cell::index(at)
        }
        Literal::Union(position, value) => {
            let value = put(value, schema, arena)?;
            arena.union(*position, value)?
        }
        Literal::Nullable(None) => Cell::NULL,
        Literal::Nullable(Some(value)) => {
            let value = put(value, schema, arena)?;
            arena.boxed(value)?
        }
        Literal::Any(text) => json::any_from_text(text.as_bytes(), b"", 0, arena, 0)?,
    })
}

/// Gives a field its literal.
pub(super) fn put_field(
    literal: &FieldLiteral,
    schema: &Schema,
    record: TypeId,
    at: u32,
    position: usize,
    arena: &mut Arena,
) -> Result<()> {
    let Kind::Record(record) = schema.kind(record) else { unreachable!("compiled as a record") };
    match literal {
        FieldLiteral::Absent if record.fields[position].default.is_some() => {
            arena.set_default(schema, record, at, position)?;
        }
        FieldLiteral::Absent => {}
        FieldLiteral::Null => arena.set_state(record, at, position, State::Null),
        FieldLiteral::Value(value) => {
            let cell = put(value, schema, arena)?;
            arena.set_field(record, at, position, cell);
        }
    }
    Ok(())
}
