//! From an Avro schema to ours.

mod named;
mod scalar;

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};
use wirewise_core::{Branch, Kind, Logical, Notes, Result, Schema, SchemaBuilder, Type, TypeId, Union};

use super::attributes::{self as attribute, notes_of, take_notes};
use super::model::{Attributes, AvroSchema, NodeId, NodeKind};
use super::names::Scope;
use super::notes;
use super::parse::Protocol;
use super::problem::Problem;

/// A part of a schema that a file has a place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A named type.
    Type(TypeId),
    /// A field, by its position in its record.
    Field(TypeId, usize),
    /// A symbol, by its position in its enum.
    Symbol(TypeId, usize),
    /// A branch, by its position in its union.
    Branch(TypeId, usize),
}

/// What a schema file stands for.
#[derive(Debug)]
pub(super) struct Imported {
    /// All its types.
    pub(super) schema: Schema,
    /// The type that the file is about, unless it is a collection of types.
    pub(super) root: Option<TypeId>,
    /// Offsets of what the file has a place for.
    pub(super) places: Vec<(Part, usize)>,
}

/// Our schema for an Avro schema. What Avro knows and we do not (sort orders, aliases of types, defaults that are records
/// or filled lists, decimals and durations) goes into [`notes`]: none of it changes a byte of the data.
///
/// # Errors
/// `Unsupported` when no value can have the type (an empty union), `Schema` when it breaks a rule of ours, such as a
/// record that must contain itself.
pub(super) fn import(avro: &AvroSchema) -> Result<Schema, Problem> {
    import_file(avro, None).map(|imported| imported.schema)
}

/// The same for a file; of a protocol the types are the branches of the root.
pub(super) fn import_file(avro: &AvroSchema, protocol: Option<&Protocol>) -> Result<Imported, Problem> {
    check_finite(avro)?;
    let mut import = Import::new(avro);
    let file = import.file();
    let empty = Map::new();
    let about = file.unwrap_or(&empty);
    let mut notes = notes_of(about.get("notes"));
    if let Some(protocol) = protocol {
        notes.set(notes::PROTOCOL, &protocol.name);
    }
    import.types.set_notes(notes);
    let is_list = protocol.is_some() || about.get("types") == Some(&json!(true));
    let (node, root) = match avro.kind(avro.root) {
        NodeKind::Union(nodes) if is_list => import.listed(nodes, about)?,
        _ => {
            let root = import.value(avro.root, "root", about)?;
            (root, Some(root))
        }
    };
    let schema = import.types.finish(node).map_err(|error| Problem {
        kind: error.kind(),
        at: None,
        what: error.message().to_owned(),
        first: None,
    })?;
    Ok(Imported { schema, root, places: import.places })
}

struct Import<'a> {
    avro: &'a AvroSchema,
    types: SchemaBuilder,
    /// Records and enums, which may come many times.
    done: HashMap<NodeId, TypeId>,
    /// Unions whose names are given, by them, and where they first came.
    unions: HashMap<String, (NodeId, TypeId)>,
    names: Scope,
    /// Places of the symbols of enums that fields have defaults of.
    symbols: HashMap<NodeId, HashMap<&'a str, usize>>,
    /// Whether some type has a namespace.
    namespaces: bool,
    places: Vec<(Part, usize)>,
}

impl<'a> Import<'a> {
    fn new(avro: &'a AvroSchema) -> Self {
        let mut import = Import {
            avro,
            types: SchemaBuilder::new(),
            done: HashMap::new(),
            unions: HashMap::new(),
            names: Scope::default(),
            symbols: HashMap::new(),
            namespaces: false,
            places: Vec::new(),
        };
        for (node, definition) in avro.nodes.iter().enumerate() {
            if let NodeKind::Record { .. } | NodeKind::Enum { .. } = definition.kind {
                import.names.claim(&import.name(node));
                import.namespaces |= avro.branch_key(node).contains('.');
            }
            let fields = if let NodeKind::Record { fields, .. } = &definition.kind { &fields[..] } else { &[] };
            for attributes in fields.iter().map(|field| &field.attributes).chain([&definition.attributes]) {
                let in_file = attributes.get(attribute::FILE).and_then(|file| file.get(attribute::UNION));
                for union in attributes.get(attribute::UNION).into_iter().chain(in_file) {
                    if let Some(name) = union.get("name").and_then(Json::as_str) {
                        import.names.claim(name);
                    }
                }
            }
        }
        import
    }

    fn attributes(&self, node: NodeId) -> &'a Attributes {
        &self.avro.nodes[node].attributes
    }

    /// What is about the file as a whole: it stands in its first object.
    fn file(&self) -> Option<&'a Map<String, Json>> {
        let of = |node: NodeId| self.attributes(node).get(attribute::FILE).and_then(Json::as_object);
        match self.avro.kind(self.avro.root) {
            NodeKind::Union(branches) => branches.iter().find_map(|&branch| of(branch)),
            _ => of(self.avro.root),
        }
    }

    /// What we call a named type: its full name, or the one it had before Avro.
    fn name(&self, node: NodeId) -> String {
        own_name(self.attributes(node), self.avro.branch_key(node)).to_owned()
    }

    /// The types of a collection, and its root.
    fn listed(&mut self, nodes: &[NodeId], about: &Map<String, Json>) -> Result<(TypeId, Option<TypeId>), Problem> {
        let avro = self.avro;
        let wanted = about.get("root").and_then(Json::as_str);
        let (mut root, mut first, mut record) = (None, None, None);
        for &node in nodes {
            let ty = match avro.kind(node) {
                NodeKind::Record { fields, .. } if self.wrapper(node).is_some() && fields.len() == 1 => {
                    self.value(fields[0].ty, "root", &fields[0].attributes)?
                }
                _ => self.value(node, "types", &Map::new())?,
            };
            if wanted == Some(avro.branch_key(node)) {
                root = Some(ty);
            }
            if matches!(avro.kind(node), NodeKind::Record { .. }) {
                record.get_or_insert(ty);
            }
            first.get_or_insert(ty);
        }
        let node = match root.or(record).or(first) {
            Some(node) => node,
            None => self.types.add(Kind::Null),
        };
        Ok((node, root))
    }

    /// The branch that a record only wraps.
    fn wrapper(&self, node: NodeId) -> Option<&'a str> {
        self.attributes(node).get(attribute::WRAPPER).and_then(Json::as_str)
    }

    /// `context` is what generated names begin with, `around` what the object around the type has.
    fn value(&mut self, node: NodeId, context: &str, around: &Attributes) -> Result<TypeId, Problem> {
        if let Some(&ty) = self.done.get(&node) {
            return Ok(ty);
        }
        let avro = self.avro;
        let attributes = self.attributes(node);
        match avro.kind(node) {
            NodeKind::Primitive(primitive) => Ok(self.types.add_type(scalar::primitive(*primitive, attributes))),
            NodeKind::Fixed { name, size } => Ok(self.types.add_type(scalar::fixed(name, *size, attributes))),
            NodeKind::Enum { doc, symbols, .. } => self.enumeration(node, doc, symbols),
            NodeKind::Array(item) => {
                if let Some([key, value]) = self.entry(node, *item) {
                    let key = self.value(key.ty, context, &key.attributes)?;
                    let value = self.value(value.ty, context, &value.attributes)?;
                    let notes = take_notes(attributes, &[]);
                    return Ok(self.types.add_type(Type { kind: Kind::Map(key, value), logical: None, notes }));
                }
                let item = self.value(*item, context, attributes)?;
                let notes = take_notes(attributes, &[]);
                Ok(self.types.add_type(Type { kind: Kind::List(item), logical: None, notes }))
            }
            NodeKind::Map(value) => {
                let key = self.types.add_type(scalar::key(attributes.get(attribute::KEY)));
                let value = self.value(*value, context, attributes)?;
                let notes = take_notes(attributes, &[]);
                Ok(self.types.add_type(Type { kind: Kind::Map(key, value), logical: None, notes }))
            }
            NodeKind::Union(_) => {
                let (inner, null) = self.union(node, context, around)?;
                match null {
                    Some(place) => Ok(self.nullable(inner, around, Some(place).filter(|&place| place != 0))),
                    None => Ok(inner),
                }
            }
            NodeKind::Record { doc, fields, .. } => self.record(node, doc, fields),
        }
    }

    /// Key and value of an array that we wrote for a map.
    fn entry(&self, array: NodeId, item: NodeId) -> Option<[&'a super::model::AvroField; 2]> {
        self.attributes(array).get(attribute::MAP)?;
        match self.avro.kind(item) {
            NodeKind::Record { fields, .. } => match &fields[..] {
                [key, value] if key.name == "key" && value.name == "value" => Some([key, value]),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value or null. `Null` is both already. `place` is that of null, where it is not the usual one.
    fn nullable(&mut self, ty: TypeId, around: &Attributes, place: Option<usize>) -> TypeId {
        let inner = match self.types.kind(ty) {
            Some(Kind::Null) => return ty,
            Some(Kind::Any) => {
                // An `any` beside a null of its own is a union's only branch.
                let branches = vec![Branch::new(1, "any", ty)];
                let name = self.names.free("any".to_owned());
                self.types.add(Kind::Union(Union { name, doc: None, branches }))
            }
            _ => ty,
        };
        let mut notes = notes_of(around.get(attribute::NULLABLE_NOTES));
        if let Some(place) = place.filter(|_| !notes.has(notes::NULL)) {
            notes.set(notes::NULL, place.to_string());
        }
        self.types.add_type(Type { kind: Kind::Nullable(inner), logical: None, notes })
    }

    /// The type of a union beside its null, and the place of that. Branches are called as Avro's JSON calls them.
    fn union(&mut self, node: NodeId, context: &str, around: &Attributes) -> Result<(TypeId, Option<usize>), Problem> {
        let avro = self.avro;
        let NodeKind::Union(nodes) = avro.kind(node) else { unreachable!("asked for a union") };
        let null = nodes.iter().position(|&node| avro.is_null(node));
        let rest: Vec<NodeId> = nodes.iter().copied().filter(|&node| !avro.is_null(node)).collect();
        let about = around.get(attribute::UNION);
        match rest[..] {
            [] if null.is_some() => {
                let mut notes = take_notes(self.attributes(nodes[0]), &[]);
                notes.set(notes::UNION, "true");
                return Ok((self.types.add_type(Type { kind: Kind::Null, logical: None, notes }), null));
            }
            [] => return Err(Problem::at(avro.nodes[node].at, "the union has no branches").unsupported()),
            [only] if null.is_some() && about.is_none() => return Ok((self.value(only, context, &Map::new())?, null)),
            _ => {}
        }
        let given = about.and_then(|about| about.get("name")?.as_str());
        let mut name = None;
        if let Some(given) = given.filter(|name| !name.is_empty()) {
            match self.unions.get(given) {
                Some(&(first, ty)) if self.same(first, node) => return Ok((ty, null)),
                Some(_) => {}
                None => name = Some(given.to_owned()),
            }
        }
        let ty = self.types.declare();
        let mut notes = notes_of(about.and_then(|about| about.get("notes")));
        if let Some(name) = &name {
            self.unions.insert(name.clone(), (node, ty));
        } else {
            notes.set(notes::UNNAMED, "true");
        }
        let name = name.unwrap_or_else(|| self.names.free(context.to_owned()));
        let text = |json: Option<&Json>, member: &str| Some(json?.get(member)?.as_str()?.to_owned());
        let mut union = Union { name, doc: text(about, "doc"), branches: Vec::with_capacity(rest.len()) };
        let rows = about.and_then(|about| about.get("branches")?.as_array());
        let rows = rows.filter(|rows| rows.len() == rest.len());
        for (position, &branch) in rest.iter().enumerate() {
            let row = rows.map(|rows| &rows[position]);
            let (name, inner) = match (avro.kind(branch), self.wrapper(branch)) {
                (NodeKind::Record { fields, .. }, Some(name)) if fields.len() == 1 => (name, fields[0].ty),
                _ => (avro.branch_key(branch), branch),
            };
            let number = row.and_then(|row| u32::try_from(row.get("number")?.as_u64()?).ok());
            let mut branch = Branch::new(
                number.unwrap_or(position as u32 + 1),
                text(row, "name").unwrap_or_else(|| name.to_owned()),
                self.value(inner, context, &Map::new())?,
            );
            branch.doc = text(row, "doc");
            branch.notes = notes_of(row.and_then(|row| row.get("notes")));
            union.branches.push(branch);
        }
        let places = nodes.iter().zip(avro.parts.get(&node).into_iter().flatten());
        let places = places.filter(|(branch, _)| !avro.is_null(**branch)).map(|(_, &at)| at).enumerate();
        self.places.extend(places.map(|(position, at)| (Part::Branch(ty, position), at)));
        self.places.push((Part::Type(ty), avro.nodes[node].at));
        self.types.define(ty, Type { kind: Kind::Union(union), logical: None, notes });
        Ok((ty, null))
    }

    /// Whether two unions have the same branches: then they are one union that is used twice.
    fn same(&self, a: NodeId, b: NodeId) -> bool {
        let beside = |nodes: &[NodeId]| nodes.iter().copied().filter(|&node| !self.avro.is_null(node)).collect();
        match (self.avro.kind(a), self.avro.kind(b)) {
            (NodeKind::Union(a), NodeKind::Union(b)) => {
                let (a, b): (Vec<NodeId>, Vec<NodeId>) = (beside(a), beside(b));
                a.len() == b.len() && a.iter().zip(&b).all(|(&a, &b)| self.same(a, b))
            }
            (NodeKind::Array(a), NodeKind::Array(b)) | (NodeKind::Map(a), NodeKind::Map(b)) => self.same(*a, *b),
            (NodeKind::Primitive(x), NodeKind::Primitive(y)) => x == y && self.attributes(a) == self.attributes(b),
            _ => a == b,
        }
    }
}

fn own_name<'a>(attributes: &'a Attributes, name: &'a str) -> &'a str {
    attributes.get(attribute::NAME).and_then(Json::as_str).unwrap_or(name)
}

fn is(attributes: &Attributes, name: &str, value: &str) -> bool {
    attributes.get(name).and_then(Json::as_str) == Some(value)
}

/// A record that must contain itself has no finite value: says which of its fields is to blame.
pub(super) fn check_finite(avro: &AvroSchema) -> Result<(), Problem> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; avro.nodes.len()];
    for start in 0..avro.nodes.len() {
        let mut stack = if marks[start] == Mark::New { vec![(start, 0)] } else { vec![] };
        while let Some((node, next)) = stack.pop() {
            marks[node] = Mark::Open;
            let NodeKind::Record { fields, name, .. } = avro.kind(node) else { continue };
            let Some(field) = fields.get(next) else {
                marks[node] = Mark::Done;
                continue;
            };
            stack.push((node, next + 1));
            if matches!(avro.kind(field.ty), NodeKind::Record { .. }) {
                match marks[field.ty] {
                    Mark::New => stack.push((field.ty, 0)),
                    Mark::Done => {}
                    Mark::Open => {
                        let what = format!(
                            "record {name} must contain itself (through field {:?}), so that no value can be finite",
                            field.name
                        );
                        return Err(Problem::at(field.at, what).after(avro.nodes[field.ty].at));
                    }
                }
            }
        }
    }
    Ok(())
}
