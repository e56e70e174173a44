//! From our schema to an Avro schema.

use std::collections::{HashMap, HashSet};

use serde_json::{Value as Json, json};
use wirewise_core::{
    Enum, Error, ErrorKind, Field, Float, Int, Kind, Logical, Record, Result, Schema, TypeId, Union, Unit, text,
};

use super::attributes as attribute;
use super::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind, Primitive, namespace_of};
use super::names::{self, Scope};

/// The Avro schema of values of type `root`.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when a type contains itself without a record between, or nests too deep.
pub(super) fn lower(schema: &Schema, root: TypeId) -> Result<AvroSchema> {
    let named: Vec<TypeId> = (0..schema.types().len())
        .map(TypeId::from_index)
        .filter(|&id| matches!(schema.kind(id), Kind::Record(_) | Kind::Enum(_)))
        .collect();
    let (full_names, scope) = names::legal_type_names(named.iter().filter_map(|&id| schema.name(id)));
    let namespace = full_names.first().map_or("", |name| namespace_of(name)).to_owned();
    let mut lowering = Lowering {
        schema,
        namespace,
        names: named.into_iter().zip(full_names).collect(),
        scope,
        out: AvroSchema::default(),
        done: HashMap::new(),
        fixed: HashMap::new(),
        wrappers: HashMap::new(),
        open: Vec::new(),
        depth: 0,
    };
    let root = lowering.value(root, "root")?;
    lowering.out.root = root;
    Ok(lowering.out)
}

/// How deep definitions may nest: a schema that needs more was made by a program, to hurt.
const MOST_NESTING: usize = 256;

/// Unions have no names in Avro and are repeated, so that a few of them inside each other can make very many types.
const MOST_NODES: usize = 1 << 20;

struct Lowering<'a> {
    schema: &'a Schema,
    /// That of generated names, where names have one.
    namespace: String,
    /// Full names of records and enums.
    names: HashMap<TypeId, String>,
    scope: Scope,
    out: AvroSchema,
    /// Named types (maps with other keys than strings have a named entry), which are defined once.
    done: HashMap<TypeId, NodeId>,
    fixed: HashMap<(u32, bool), NodeId>,
    wrappers: HashMap<(TypeId, usize), NodeId>,
    /// Types without a name that are being lowered, since the last named one: one of them again would be infinite.
    open: Vec<TypeId>,
    depth: usize,
}

impl Lowering<'_> {
    /// `context` is what generated names begin with.
    fn value(&mut self, ty: TypeId, context: &str) -> Result<NodeId> {
        if let Some(&node) = self.done.get(&ty) {
            return Ok(node);
        }
        if self.depth > MOST_NESTING {
            return Err(Error::new(ErrorKind::Unsupported, format!("types nest deeper than {MOST_NESTING}")));
        }
        if self.out.nodes.len() > MOST_NODES {
            let what = format!("the Avro schema has more than {MOST_NODES} types");
            return Err(Error::new(ErrorKind::Unsupported, what)
                .hint("Avro repeats a union wherever it is used: put records between unions that contain each other"));
        }
        if self.open.contains(&ty) {
            let what = format!("Avro cannot express that {} contains itself", self.kind_name(ty));
            return Err(Error::new(ErrorKind::Unsupported, what).hint("put a record between"));
        }
        self.depth += 1;
        self.open.push(ty);
        let node = self.fresh(ty, context);
        self.open.pop();
        self.depth -= 1;
        node
    }

    fn kind_name(&self, ty: TypeId) -> &'static str {
        match self.schema.kind(ty) {
            Kind::List(_) => "a list",
            Kind::Map(..) => "a map",
            _ => "a type without a name",
        }
    }

    fn fresh(&mut self, ty: TypeId, context: &str) -> Result<NodeId> {
        let schema = self.schema;
        let logical = schema.logical(ty);
        let kind = match schema.kind(ty) {
            Kind::Null => NodeKind::Primitive(Primitive::Null),
            Kind::Bool => NodeKind::Primitive(Primitive::Boolean),
            Kind::Int(int) => return Ok(self.int(*int, logical)),
            Kind::Float(Float::F32) => NodeKind::Primitive(Primitive::Float),
            Kind::Float(Float::F64) => return Ok(self.primitive(Primitive::Double, logical)),
            Kind::String => return Ok(self.primitive(Primitive::String, logical)),
            Kind::Bytes => NodeKind::Primitive(Primitive::Bytes),
            Kind::Any => {
                let attributes = Attributes::from_iter([(attribute::TYPE.to_owned(), json!("any"))]);
                return Ok(self.out.add_with(NodeKind::Primitive(Primitive::String), attributes));
            }
            Kind::Fixed(size) => return Ok(self.fixed(*size, logical == Some(Logical::Uuid))),
            Kind::Enum(e) => return Ok(self.enumeration(ty, e)),
            Kind::List(item) => NodeKind::Array(self.value(*item, context)?),
            Kind::Map(key, value) if *schema.kind(*key) == Kind::String => NodeKind::Map(self.value(*value, context)?),
            Kind::Map(key, value) => return self.pairs(ty, *key, *value, context),
            Kind::Nullable(inner) => return self.nullable(*inner, context, NullFirst::Yes),
            Kind::Union(union) => NodeKind::Union(self.branches(ty, union, context)?),
            Kind::Record(record) => return self.record(ty, record),
        };
        Ok(self.out.add(kind))
    }

    fn int(&mut self, int: Int, logical: Option<Logical>) -> NodeId {
        let (primitive, exact) = match int {
            Int::I8 => (Primitive::Int, Some("int8")),
            Int::I16 => (Primitive::Int, Some("int16")),
            Int::I32 => (Primitive::Int, None),
            Int::U8 => (Primitive::Int, Some("uint8")),
            Int::U16 => (Primitive::Int, Some("uint16")),
            Int::I64 => (Primitive::Long, None),
            Int::U32 => (Primitive::Long, Some("uint32")),
            Int::U64 => (Primitive::Long, Some("uint64")),
        };
        match exact {
            None => self.primitive(primitive, logical),
            Some(exact) => {
                let attributes = Attributes::from_iter([(attribute::TYPE.to_owned(), json!(exact))]);
                self.out.add_with(NodeKind::Primitive(primitive), attributes)
            }
        }
    }

    fn primitive(&mut self, primitive: Primitive, logical: Option<Logical>) -> NodeId {
        let mut attributes = Attributes::new();
        if let Some(logical) = logical {
            let (member, name) = logical_attribute(primitive, logical);
            attributes.insert(member.to_owned(), json!(name));
        }
        self.out.add_with(NodeKind::Primitive(primitive), attributes)
    }

    fn fixed(&mut self, size: u32, uuid: bool) -> NodeId {
        if let Some(&node) = self.fixed.get(&(size, uuid)) {
            return node;
        }
        let mut attributes = Attributes::new();
        if uuid {
            attributes.insert(attribute::LOGICAL_TYPE.to_owned(), json!("uuid"));
        }
        let name = self.generated(if uuid { "Uuid".to_owned() } else { format!("Fixed{size}") });
        let node = self.out.add_with(NodeKind::Fixed { name, size }, attributes);
        self.fixed.insert((size, uuid), node);
        node
    }

    /// A free name for a type that only Avro needs; in the namespace that all others are in, if they are.
    fn generated(&mut self, name: String) -> String {
        let inside = self.namespace.is_empty() || name.contains('.');
        self.scope.free(if inside { name } else { format!("{}.{name}", self.namespace) })
    }

    fn enumeration(&mut self, ty: TypeId, e: &Enum) -> NodeId {
        let names = e.symbols.iter().map(|symbol| symbol.name.as_str());
        let symbols = names::legal_names(names.clone());
        let mut attributes = self.named_attributes(ty, &e.name);
        if !symbols.iter().map(String::as_str).eq(names.clone()) {
            attributes.insert(attribute::SYMBOLS.to_owned(), names.collect());
        }
        if e.symbols.iter().enumerate().any(|(i, symbol)| symbol.number != i as i64) {
            attributes.insert(attribute::NUMBERS.to_owned(), e.symbols.iter().map(|symbol| symbol.number).collect());
        }
        if !e.closed {
            attributes.insert(attribute::OPEN.to_owned(), json!(true));
        }
        let kind = NodeKind::Enum { name: self.names[&ty].clone(), doc: e.doc.clone(), symbols };
        let node = self.out.add_with(kind, attributes);
        self.done.insert(ty, node);
        node
    }

    /// The original name of a type, where Avro calls it otherwise.
    fn named_attributes(&self, ty: TypeId, name: &str) -> Attributes {
        let mut attributes = Attributes::new();
        if self.names[&ty] != name {
            attributes.insert(attribute::NAME.to_owned(), json!(name));
        }
        attributes
    }

    /// A map that Avro has not: an array of records with a key and a value.
    fn pairs(&mut self, ty: TypeId, key: TypeId, value: TypeId, context: &str) -> Result<NodeId> {
        let name = self.generated(format!("{context}_entry"));
        let entry = self.out.add(NodeKind::Record { name: name.clone(), doc: None, fields: Vec::new() });
        let attributes = Attributes::from_iter([(attribute::MAP.to_owned(), json!(true))]);
        let node = self.out.add_with(NodeKind::Array(entry), attributes);
        self.done.insert(ty, node);
        let outside = std::mem::take(&mut self.open);
        let mut fields = Vec::new();
        for (field, ty) in [("key", key), ("value", value)] {
            let ty = self.value(ty, &name)?;
            fields.push(AvroField { name: field.to_owned(), ty, ..AvroField::default() });
        }
        self.open = outside;
        self.out.nodes[entry].kind = NodeKind::Record { name, doc: None, fields };
        Ok(node)
    }

    fn nullable(&mut self, inner: TypeId, context: &str, first: NullFirst) -> Result<NodeId> {
        let mut branches = match self.schema.kind(inner) {
            Kind::Union(union) => self.branches(inner, union, context)?,
            _ => vec![self.value(inner, context)?],
        };
        let null = self.out.add(NodeKind::Primitive(Primitive::Null));
        match first {
            NullFirst::Yes => branches.insert(0, null),
            NullFirst::No => branches.push(null),
        }
        Ok(self.out.add(NodeKind::Union(branches)))
    }

    /// The branches of a union. A branch whose type an earlier one has already, which Avro forbids, is wrapped in a
    /// record of its own; the earlier one stays as it is, so that adding a branch changes none of the others.
    fn branches(&mut self, ty: TypeId, union: &Union, context: &str) -> Result<Vec<NodeId>> {
        let mut nodes: Vec<NodeId> = Vec::with_capacity(union.branches.len());
        let mut taken = HashSet::new();
        for (position, branch) in union.branches.iter().enumerate() {
            let node = self.value(branch.ty, context)?;
            let is_new = taken.insert(self.out.branch_key(node).to_owned());
            nodes.push(if is_new { node } else { self.wrapper((ty, position), &branch.name, node, context) });
        }
        Ok(nodes)
    }

    fn wrapper(&mut self, key: (TypeId, usize), branch: &str, node: NodeId, context: &str) -> NodeId {
        if let Some(&wrapper) = self.wrappers.get(&key) {
            return wrapper;
        }
        let simple = names::legal_names(std::iter::once(branch)).remove(0);
        let name = self.generated(format!("{context}_{simple}"));
        let fields = vec![AvroField { name: "value".to_owned(), ty: node, ..AvroField::default() }];
        let attributes = Attributes::from_iter([(attribute::WRAPPER.to_owned(), json!(branch))]);
        let wrapper = self.out.add_with(NodeKind::Record { name, doc: None, fields }, attributes);
        self.wrappers.insert(key, wrapper);
        wrapper
    }

    fn record(&mut self, ty: TypeId, record: &Record) -> Result<NodeId> {
        let name = self.names[&ty].clone();
        let mut attributes = self.named_attributes(ty, &record.name);
        if !record.reserved_numbers.is_empty() {
            attributes.insert(
                attribute::RESERVED_NUMBERS.to_owned(),
                Json::from_iter(record.reserved_numbers.iter().map(|range| match (range.start(), range.end()) {
                    (from, to) if from == to => json!(from),
                    (from, to) => json!([from, to]),
                })),
            );
        }
        if !record.reserved_names.is_empty() {
            attributes.insert(attribute::RESERVED_NAMES.to_owned(), json!(record.reserved_names));
        }
        let empty = NodeKind::Record { name: name.clone(), doc: None, fields: Vec::new() };
        let node = self.out.add_with(empty, attributes);
        self.done.insert(ty, node);
        let outside = std::mem::take(&mut self.open);
        let names = names::legal_names(record.fields.iter().map(|field| field.name.as_str()));
        let mut fields = Vec::with_capacity(names.len());
        for (position, field) in record.fields.iter().enumerate() {
            let lowered = self.field(field, position, &names[position], &name);
            fields.push(lowered.map_err(|error| error.in_field(&field.name))?);
        }
        self.open = outside;
        self.out.nodes[node].kind = NodeKind::Record { name, doc: record.doc.clone(), fields };
        Ok(node)
    }

    fn field(&mut self, field: &Field, position: usize, name: &str, record: &str) -> Result<AvroField> {
        let context = format!("{record}_{name}");
        let mut attributes = Attributes::new();
        let mut default = match &field.default {
            Some(default) => self.default(field.value_type(), default),
            None => None,
        };
        let is_null = *self.schema.kind(field.value_type()) == Kind::Null;
        let ty = if !field.is_stateful() || is_null {
            self.value(field.value_type(), &context)?
        } else {
            // Avro wants a default to be of the first branch.
            let null_first = field.is_optional() || default.as_ref().is_none_or(Json::is_null);
            let first = if null_first { NullFirst::Yes } else { NullFirst::No };
            self.nullable(field.value_type(), &context, first)?
        };
        if field.is_optional() {
            default = Some(Json::Null);
            attributes.insert(attribute::PRESENCE.to_owned(), json!("optional"));
            if field.is_nullable() {
                attributes.insert(attribute::NULLABLE.to_owned(), json!(true));
            }
        }
        if let Some(exact) = &field.default
            && (field.is_optional() || default.is_none())
        {
            attributes.insert(attribute::DEFAULT.to_owned(), exact.clone());
        }
        if name != field.name {
            attributes.insert(attribute::NAME.to_owned(), json!(field.name));
        }
        if field.number as usize != position + 1 {
            attributes.insert(attribute::NUMBER.to_owned(), json!(field.number));
        }
        let (doc, name) = (field.doc.clone(), name.to_owned());
        let aliases: Vec<String> = field.aliases.iter().filter(|alias| names::is_simple(alias)).cloned().collect();
        if aliases.len() < field.aliases.len() {
            attributes.insert(attribute::ALIASES.to_owned(), json!(field.aliases));
        }
        Ok(AvroField { name, ty, default, doc, aliases, attributes })
    }

    /// A default as Avro writes it; `None` where it cannot.
    fn default(&mut self, ty: TypeId, default: &Json) -> Option<Json> {
        match (self.schema.kind(ty), default) {
            (Kind::Int(Int::U64), Json::Number(n)) if n.as_i64().is_none() => None,
            // NaN and the infinities are no JSON numbers.
            (Kind::Float(_), Json::String(_)) => None,
            (Kind::Bytes, Json::String(text)) => {
                let mut bytes = Vec::new();
                text::base64::decode(text.as_bytes(), &mut bytes);
                // One character for each byte: ISO 8859-1.
                Some(Json::String(bytes.into_iter().map(char::from).collect()))
            }
            (Kind::Enum(e), Json::String(name)) => {
                let node = self.done.get(&ty).copied().unwrap_or_else(|| self.enumeration(ty, e));
                let NodeKind::Enum { symbols, .. } = self.out.kind(node) else { return None };
                Some(Json::from(symbols[e.position_of(name.as_bytes())?].as_str()))
            }
            // A map that is an array.
            (Kind::Map(key, _), _) if *self.schema.kind(*key) != Kind::String => Some(json!([])),
            _ => Some(default.clone()),
        }
    }
}

#[derive(Clone, Copy)]
enum NullFirst {
    Yes,
    No,
}

/// Where a meaning is written down, and how it is called there.
fn logical_attribute(primitive: Primitive, logical: Logical) -> (&'static str, &'static str) {
    let own = attribute::LOGICAL_TYPE;
    match (primitive, logical) {
        (Primitive::String, Logical::Uuid) => (own, "uuid"),
        (Primitive::Long, Logical::Timestamp(Unit::Millis)) => (own, "timestamp-millis"),
        (Primitive::Long, Logical::Timestamp(Unit::Micros)) => (own, "timestamp-micros"),
        (Primitive::Long, Logical::Timestamp(Unit::Nanos)) => (own, "timestamp-nanos"),
        (Primitive::Int, Logical::Date) => (own, "date"),
        (_, Logical::Uuid) => (attribute::LOGICAL, "uuid"),
        (_, Logical::Timestamp(Unit::Seconds)) => (attribute::LOGICAL, "timestamp-seconds"),
        (_, Logical::Timestamp(Unit::Millis)) => (attribute::LOGICAL, "timestamp-millis"),
        (_, Logical::Timestamp(Unit::Micros)) => (attribute::LOGICAL, "timestamp-micros"),
        (_, Logical::Timestamp(Unit::Nanos)) => (attribute::LOGICAL, "timestamp-nanos"),
        (_, Logical::Date) => (attribute::LOGICAL, "date"),
        (_, Logical::Number) => (attribute::LOGICAL, "number"),
        (_, Logical::Base64) => (attribute::LOGICAL, "base64"),
    }
}
