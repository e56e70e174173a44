//! From our schema to an Avro schema.

mod file;
mod named;

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Error, ErrorKind, Float, Int, Kind, Logical, Notes, Result, Schema, Type, TypeId, Union, Unit};

use super::attributes::{self as attribute, Documented, is_text_of, notes_json, put_key, put_notes};
use super::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind, Primitive, namespace_of};
use super::names::{self, Scope};
use super::notes;

pub(super) use file::lower_all;

/// The Avro schema of values of type `root`.
///
/// # Errors
/// [`ErrorKind::Unsupported`] when a type contains itself without a record between, or nests too deep.
pub(super) fn lower(schema: &Schema, root: TypeId) -> Result<AvroSchema> {
    let mut lowering = Lowering::new(schema);
    let node = lowering.value(root, "root")?;
    lowering.out.root = node;
    let mut about = Map::new();
    if !schema.notes().is_empty() {
        about.insert("notes".to_owned(), notes_json(schema.notes()));
    }
    lowering.describe_slot(root, &mut about);
    lowering.describe_file(about);
    Ok(lowering.out)
}

/// How deep the JSON of a schema may nest: what we write we must be able to read.
const MOST_NESTING: usize = wirewise_core::json::MOST_NESTING - 6;

/// Unions have no names in Avro and are repeated, so that a few of them inside each other can make very many types: no
/// schema of a sane size has more than this, and a few for each of its own types and fields.
const MOST_NODES: usize = 1 << 16;

/// What tells fixed types apart.
type Fixed<'a> = (u32, Option<Logical>, &'a Notes);

struct Lowering<'a> {
    schema: &'a Schema,
    /// That of generated names, where names have one.
    namespace: String,
    /// Whether some type has a namespace.
    has_namespaces: bool,
    /// Full names of records and enums.
    names: HashMap<TypeId, String>,
    scope: Scope,
    out: AvroSchema,
    /// Named types (maps with other keys than strings have a named entry), which are defined once.
    done: HashMap<TypeId, NodeId>,
    fixed: HashMap<Fixed<'a>, NodeId>,
    /// Names that fixed types bring along.
    fixed_names: HashMap<&'a str, Fixed<'a>>,
    wrappers: HashMap<(TypeId, usize), NodeId>,
    /// Types without a name that are being lowered, since the last named one: one of them again would be infinite.
    open: Vec<TypeId>,
    /// How deep the JSON nests.
    depth: usize,
    most_nodes: usize,
}

impl<'a> Lowering<'a> {
    fn new(schema: &'a Schema) -> Self {
        let named: Vec<TypeId> =
            schema.named_types().filter(|&id| matches!(schema.kind(id), Kind::Record(_) | Kind::Enum(_))).collect();
        let is_bare = |id: TypeId| schema.type_notes(id).get(notes::NAMESPACE) == Some("");
        let wanted = named.iter().filter_map(|&id| Some((schema.name(id)?, is_bare(id))));
        let (full_names, mut scope) = names::legal_type_names(wanted);
        let parts: usize = (0..schema.types().len()).map(|i| 1 + schema.parts(TypeId::from_index(i)).len()).sum();
        let mut fixed_names = HashMap::new();
        for Type { kind, logical, notes } in schema.types() {
            if let (Kind::Fixed(size), Some(name)) = (kind, notes.get(notes::NAME))
                && names::is_type_name(name)
                && scope.claim(name)
            {
                fixed_names.insert(name, (*size, *logical, notes));
            }
        }
        let namespace = full_names.first().map_or("", |name| namespace_of(name)).to_owned();
        Lowering {
            schema,
            namespace,
            has_namespaces: full_names.iter().any(|name| name.contains('.')),
            names: named.into_iter().zip(full_names).collect(),
            scope,
            out: AvroSchema::default(),
            done: HashMap::new(),
            fixed: HashMap::new(),
            fixed_names,
            wrappers: HashMap::new(),
            open: Vec::new(),
            depth: 0,
            most_nodes: MOST_NODES + 8 * parts,
        }
    }

    /// `context` is what generated names begin with.
    fn value(&mut self, ty: TypeId, context: &str) -> Result<NodeId> {
        self.value_in(ty, context, 1)
    }

    /// `levels` is how many levels of JSON the type lies below the last one.
    fn value_in(&mut self, ty: TypeId, context: &str, levels: usize) -> Result<NodeId> {
        if let Some(&node) = self.done.get(&ty) {
            return Ok(node);
        }
        if self.depth + levels > MOST_NESTING {
            let what = format!("types nest so deep that their JSON has more than {MOST_NESTING} levels");
            return Err(Error::new(ErrorKind::Unsupported, what));
        }
        if self.out.nodes.len() > self.most_nodes {
            let what = format!("the Avro schema has more than {} types", self.most_nodes);
            return Err(Error::new(ErrorKind::Unsupported, what)
                .hint("Avro repeats a union wherever it is used: put records between unions that contain each other"));
        }
        if self.open.contains(&ty) {
            let what = format!("Avro cannot express that {} contains itself", self.kind_name(ty));
            return Err(Error::new(ErrorKind::Unsupported, what).hint("put a record between"));
        }
        self.depth += levels;
        self.open.push(ty);
        let node = self.fresh(ty, context);
        self.open.pop();
        self.depth -= levels;
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
        let Type { kind, logical, notes } = schema.ty(ty);
        let mut attributes = Attributes::new();
        let kind = match kind {
            Kind::Null if notes.get(notes::UNION) == Some("true") => return Ok(self.only_null(notes)),
            Kind::Null => NodeKind::Primitive(Primitive::Null),
            Kind::Bool => NodeKind::Primitive(Primitive::Boolean),
            Kind::Int(int) => NodeKind::Primitive(int_primitive(*int, &mut attributes)),
            Kind::Float(Float::F32) => NodeKind::Primitive(Primitive::Float),
            Kind::Float(Float::F64) => NodeKind::Primitive(Primitive::Double),
            Kind::String => NodeKind::Primitive(Primitive::String),
            Kind::Bytes => NodeKind::Primitive(Primitive::Bytes),
            Kind::Any => {
                attributes.insert(attribute::TYPE.to_owned(), json!("any"));
                NodeKind::Primitive(Primitive::String)
            }
            Kind::Fixed(size) => return Ok(self.fixed(*size, *logical, notes)),
            Kind::Enum(e) => return Ok(self.enumeration(ty, e)),
            Kind::List(item) => {
                self.describe_slot(*item, &mut attributes);
                NodeKind::Array(self.value(*item, context)?)
            }
            Kind::Map(key, value) if *schema.kind(*key) == Kind::String => {
                put_key(schema, *key, &mut attributes);
                self.describe_slot(*value, &mut attributes);
                NodeKind::Map(self.value(*value, context)?)
            }
            Kind::Map(key, value) => return self.pairs(ty, *key, *value, context),
            Kind::Nullable(inner) => return self.nullable(*inner, context, null_place(notes).unwrap_or(0)),
            Kind::Union(union) => {
                let branches = self.branches(ty, union, context)?;
                return Ok(self.out.add(NodeKind::Union(branches)));
            }
            Kind::Record(record) => return self.record(ty, record),
        };
        if let (NodeKind::Primitive(primitive), Some(logical)) = (&kind, logical) {
            let (member, name) = logical_attribute(*primitive, *logical);
            attributes.insert(member.to_owned(), json!(name));
        }
        put_notes(notes, &[], Documented::No, &mut attributes);
        Ok(self.out.add_with(kind, attributes))
    }

    /// Null as a union of nothing else.
    fn only_null(&mut self, notes: &Notes) -> NodeId {
        let mut attributes = Attributes::new();
        put_notes(notes, &[notes::UNION], Documented::No, &mut attributes);
        let null = self.out.add_with(NodeKind::Primitive(Primitive::Null), attributes);
        self.out.add(NodeKind::Union(vec![null]))
    }

    fn fixed(&mut self, size: u32, logical: Option<Logical>, notes: &'a Notes) -> NodeId {
        if let Some(&node) = self.fixed.get(&(size, logical, notes)) {
            return node;
        }
        let mut attributes = Attributes::new();
        if logical == Some(Logical::Uuid) {
            attributes.insert(attribute::LOGICAL_TYPE.to_owned(), json!("uuid"));
        }
        let mut own = vec![];
        let wanted = notes.get(notes::NAME);
        let name = match wanted.filter(|name| self.fixed_names.get(name) == Some(&(size, logical, notes))) {
            Some(wanted) => {
                own.push(notes::NAME);
                wanted.to_owned()
            }
            None => {
                attributes.insert(attribute::GENERATED.to_owned(), json!(true));
                self.generated(if logical.is_some() { "Uuid".to_owned() } else { format!("Fixed{size}") })
            }
        };
        own.extend(put_aliases(notes, &mut attributes));
        put_notes(notes, &own, Documented::No, &mut attributes);
        let node = self.out.add_with(NodeKind::Fixed { name, size }, attributes);
        self.fixed.insert((size, logical, notes), node);
        node
    }

    /// A free name for a type that only Avro needs; in the namespace that all others are in, if they are.
    fn generated(&mut self, name: String) -> String {
        let inside = self.namespace.is_empty() || name.contains('.');
        self.scope.free(if inside { name } else { format!("{}.{name}", self.namespace) })
    }

    /// A map that Avro has not: an array of records with a key and a value.
    fn pairs(&mut self, ty: TypeId, key: TypeId, value: TypeId, context: &str) -> Result<NodeId> {
        let name = self.generated(format!("{context}_entry"));
        let empty = NodeKind::Record { name: name.clone(), doc: None, fields: Vec::new(), is_error: false };
        let entry = self.out.add(empty);
        let mut attributes = Attributes::from_iter([(attribute::MAP.to_owned(), json!(true))]);
        put_notes(self.schema.type_notes(ty), &[], Documented::No, &mut attributes);
        let node = self.out.add_with(NodeKind::Array(entry), attributes);
        self.done.insert(ty, node);
        let outside = std::mem::take(&mut self.open);
        let mut fields = Vec::new();
        for (field, ty) in [("key", key), ("value", value)] {
            let mut attributes = Attributes::new();
            self.describe_slot(ty, &mut attributes);
            let ty = self.value_in(ty, &name, 4)?;
            fields.push(AvroField { name: field.to_owned(), ty, attributes, ..AvroField::default() });
        }
        self.open = outside;
        self.out.nodes[entry].kind = NodeKind::Record { name, doc: None, fields, is_error: false };
        Ok(node)
    }

    /// A value or null, which is the branch at `place`, or the last.
    fn nullable(&mut self, inner: TypeId, context: &str, place: usize) -> Result<NodeId> {
        let mut branches = match self.schema.kind(inner) {
            Kind::Union(union) => self.branches(inner, union, context)?,
            _ => vec![self.value(inner, context)?],
        };
        let null = self.out.add(NodeKind::Primitive(Primitive::Null));
        branches.insert(place.min(branches.len()), null);
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
        let field = AvroField { name: "value".to_owned(), ty: node, ..AvroField::default() };
        let wrapper = self.wrapper_of(name, field, branch);
        self.wrappers.insert(key, wrapper);
        wrapper
    }

    /// A record with one field, which adds no byte.
    fn wrapper_of(&mut self, name: String, field: AvroField, what: &str) -> NodeId {
        let attributes = Attributes::from_iter([(attribute::WRAPPER.to_owned(), json!(what))]);
        self.out.add_with(NodeKind::Record { name, doc: None, fields: vec![field], is_error: false }, attributes)
    }

    /// Says what Avro's unions have no place for, beside what the union is in: notes of a nullable type, and name,
    /// documentation and branches of a union.
    fn describe_slot(&self, ty: TypeId, attributes: &mut Attributes) {
        let Kind::Nullable(inner) = self.schema.kind(ty) else { return self.describe_slot_with(ty, None, attributes) };
        let place = null_place(self.schema.type_notes(ty)).map(|place| place.min(self.width(*inner)));
        self.describe_slot_with(ty, place.filter(|&place| place != 0), attributes);
    }

    /// The same where null is at a place that is not the usual one, which says enough.
    fn describe_slot_with(&self, ty: TypeId, place: Option<usize>, attributes: &mut Attributes) {
        let schema = self.schema;
        let mut inner = ty;
        if let Kind::Nullable(some) = schema.kind(ty) {
            inner = *some;
            let mut notes = schema.type_notes(ty).clone();
            if place.map(|place| place.to_string()).as_deref() == notes.get(notes::NULL) {
                notes.take(notes::NULL);
            }
            if !notes.is_empty() {
                attributes.insert(attribute::NULLABLE_NOTES.to_owned(), notes_json(&notes));
            }
        }
        if let Kind::Union(union) = schema.kind(inner) {
            // One branch beside null would be read as that, and as no union.
            let is_alone = union.branches.len() == 1 && (inner != ty || attributes.contains_key(attribute::PRESENCE));
            self.describe_union(union, schema.type_notes(inner), !is_alone, attributes);
        }
    }

    /// How many branches values of a type take in a union.
    fn width(&self, ty: TypeId) -> usize {
        if let Kind::Union(union) = self.schema.kind(ty) { union.branches.len() } else { 1 }
    }

    fn describe_union(&self, union: &Union, notes: &Notes, mut plain: bool, attributes: &mut Attributes) {
        let mut rows = Vec::new();
        for (position, branch) in union.branches.iter().enumerate() {
            let mut row = json!({"name": branch.name});
            if branch.number as usize != position + 1 {
                row["number"] = json!(branch.number);
            }
            if let Some(doc) = &branch.doc {
                row["doc"] = json!(doc);
            }
            if !branch.notes.is_empty() {
                row["notes"] = notes_json(&branch.notes);
            }
            plain &= row.as_object().is_some_and(|row| row.len() == 1) && self.usual_name(branch.ty) == branch.name;
            rows.push(row);
        }
        if plain && notes.get(notes::UNNAMED) == Some("true") && notes.iter().count() == 1 && union.doc.is_none() {
            return;
        }
        let mut about = json!({"name": union.name, "branches": rows});
        if let Some(doc) = &union.doc {
            about["doc"] = json!(doc);
        }
        if !notes.is_empty() {
            about["notes"] = notes_json(notes);
        }
        attributes.insert(attribute::UNION.to_owned(), about);
    }

    /// What a branch of this type is called when nothing else is said: as in Avro's JSON.
    fn usual_name(&self, ty: TypeId) -> &str {
        let schema = self.schema;
        match schema.kind(ty) {
            Kind::Record(_) | Kind::Enum(_) => &self.names[&ty],
            Kind::Fixed(_) => schema.type_notes(ty).get(notes::NAME).unwrap_or_default(),
            Kind::List(_) => "array",
            Kind::Map(key, _) if *schema.kind(*key) == Kind::String => "map",
            Kind::Map(..) => "array",
            Kind::Null | Kind::Nullable(_) | Kind::Union(_) => "",
            Kind::Bool => Primitive::Boolean.name(),
            Kind::Int(int) => int_primitive(*int, &mut Attributes::new()).name(),
            Kind::Float(Float::F32) => Primitive::Float.name(),
            Kind::Float(Float::F64) => Primitive::Double.name(),
            Kind::String | Kind::Any => Primitive::String.name(),
            Kind::Bytes => Primitive::Bytes.name(),
        }
    }

    /// Puts what is about the whole file into the first object of the schema: that of the root, or of its first branch.
    fn describe_file(&mut self, about: Map<String, Json>) {
        if about.is_empty() {
            return;
        }
        let mut node = self.out.root;
        if let NodeKind::Union(branches) = self.out.kind(node) {
            let first = branches.iter().copied().find(|&branch| !self.out.is_null(branch));
            let Some(first) = first.or(branches.first().copied()) else { return };
            node = first;
        }
        self.out.nodes[node].attributes.insert(attribute::FILE.to_owned(), Json::Object(about));
    }
}

/// Where null is among the branches, if a note says so.
fn null_place(notes: &Notes) -> Option<usize> {
    notes.get(notes::NULL).and_then(|place| place.parse().ok())
}

/// Aliases of a type, as the member that Avro has for them; the key of the note that is then done.
fn put_aliases(notes: &Notes, attributes: &mut Attributes) -> Option<&'static str> {
    let aliases: Json = serde_json::from_str(notes.get(notes::ALIASES)?).ok()?;
    let names = aliases.as_array()?;
    let legal = |name: &Json| name.as_str().is_some_and(|name| name.split('.').all(names::is_simple));
    if !names.iter().all(legal) || !is_text_of(notes.get(notes::ALIASES)?, &aliases) {
        return None;
    }
    attributes.insert(attribute::TYPE_ALIASES.to_owned(), aliases);
    Some(notes::ALIASES)
}

/// What Avro writes an integer as. An attribute says the exact type, where it is another.
fn int_primitive(int: Int, attributes: &mut Attributes) -> Primitive {
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
    if let Some(exact) = exact {
        attributes.insert(attribute::TYPE.to_owned(), json!(exact));
    }
    primitive
}

/// Whether Avro has this meaning for this type.
pub(super) fn is_own(primitive: Primitive, logical: Logical) -> bool {
    logical_attribute(primitive, logical).0 == attribute::LOGICAL_TYPE
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
