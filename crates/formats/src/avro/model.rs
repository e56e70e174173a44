//! An Avro schema as Avro sees it: a table of nodes, with names resolved.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use serde_json::{Map, Value as Json};

/// The place of a node in its [`AvroSchema`].
pub(super) type NodeId = usize;

/// Members beside those that shape the data: `logicalType`, aliases of types, custom properties, and our own.
pub(super) type Attributes = Map<String, Json>;

/// A resolved Avro schema. Only records make cycles.
#[derive(Debug, Default)]
pub(super) struct AvroSchema {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
    /// Where the symbols of enums and the branches of unions stand, of a schema that comes from a file.
    pub(super) parts: HashMap<NodeId, Vec<usize>>,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) attributes: Attributes,
    /// Where it stands in the schema file, if it comes from one: of a named type, where its name stands.
    pub(super) at: usize,
}

/// Names are full names: `com.example.User`.
#[derive(Debug, PartialEq)]
pub(super) enum NodeKind {
    Primitive(Primitive),
    Fixed { name: String, size: u32 },
    Enum { name: String, doc: Option<String>, symbols: Vec<String> },
    Array(NodeId),
    Map(NodeId),
    Union(Vec<NodeId>),
    Record { name: String, doc: Option<String>, fields: Vec<AvroField>, is_error: bool },
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct AvroField {
    pub(super) name: String,
    pub(super) ty: NodeId,
    pub(super) default: Option<Json>,
    pub(super) doc: Option<String>,
    pub(super) aliases: Vec<String>,
    pub(super) attributes: Attributes,
    pub(super) at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Primitive {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Bytes,
    String,
}

impl Primitive {
    const ALL: [Primitive; 8] = [
        Primitive::Null,
        Primitive::Boolean,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
        Primitive::Bytes,
        Primitive::String,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Primitive::Null => "null",
            Primitive::Boolean => "boolean",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
            Primitive::Bytes => "bytes",
            Primitive::String => "string",
        }
    }

    pub(super) fn by_name(name: &str) -> Option<Primitive> {
        Primitive::ALL.into_iter().find(|primitive| primitive.name() == name)
    }
}

impl AvroSchema {
    pub(super) fn add(&mut self, kind: NodeKind) -> NodeId {
        self.add_with(kind, Attributes::new())
    }

    pub(super) fn add_with(&mut self, kind: NodeKind, attributes: Attributes) -> NodeId {
        self.nodes.push(Node { kind, attributes, at: 0 });
        self.nodes.len() - 1
    }

    pub(super) fn kind(&self, id: NodeId) -> &NodeKind {
        &self.nodes[id].kind
    }

    pub(super) fn is_null(&self, id: NodeId) -> bool {
        *self.kind(id) == NodeKind::Primitive(Primitive::Null)
    }

    /// What two branches of a union must not share: the name of a named type, otherwise the name of its kind.
    pub(super) fn branch_key(&self, id: NodeId) -> &str {
        match self.kind(id) {
            NodeKind::Primitive(primitive) => primitive.name(),
            NodeKind::Fixed { name, .. } | NodeKind::Enum { name, .. } | NodeKind::Record { name, .. } => name,
            NodeKind::Array(_) => "array",
            NodeKind::Map(_) => "map",
            NodeKind::Union(_) => "union",
        }
    }

    /// The schema file (`.avsc`), without white space: members in the usual order, named types where they first occur.
    pub(super) fn to_json(&self) -> String {
        let mut writer = Writer { schema: self, defined: HashSet::new(), canonical: false, out: String::new() };
        writer.node(self.root, "");
        writer.out
    }

    /// The Parsing Canonical Form: the text that fingerprints are made of.
    pub(super) fn canonical_form(&self) -> String {
        let mut writer = Writer { schema: self, defined: HashSet::new(), canonical: true, out: String::new() };
        writer.node(self.root, "");
        writer.out
    }
}

struct Writer<'a> {
    schema: &'a AvroSchema,
    defined: HashSet<NodeId>,
    canonical: bool,
    out: String,
}

// Writing to a String cannot fail, so the results of `write!` are dropped.
impl Writer<'_> {
    fn node(&mut self, id: NodeId, namespace: &str) {
        let Node { kind, attributes, .. } = &self.schema.nodes[id];
        match kind {
            NodeKind::Primitive(primitive) if self.canonical || attributes.is_empty() => {
                let _ = write!(self.out, "\"{}\"", primitive.name());
            }
            NodeKind::Primitive(primitive) => {
                let _ = write!(self.out, "{{\"type\":\"{}\"", primitive.name());
                self.close(attributes);
            }
            NodeKind::Array(item) => {
                self.out.push_str("{\"type\":\"array\",\"items\":");
                self.node(*item, namespace);
                self.close(attributes);
            }
            NodeKind::Map(value) => {
                self.out.push_str("{\"type\":\"map\",\"values\":");
                self.node(*value, namespace);
                self.close(attributes);
            }
            NodeKind::Union(branches) => {
                self.out.push('[');
                for (i, branch) in branches.iter().enumerate() {
                    self.comma(i);
                    self.node(*branch, namespace);
                }
                self.out.push(']');
            }
            NodeKind::Fixed { name, size } => {
                if self.begin_named("fixed", name, &None, id, namespace) {
                    let _ = write!(self.out, ",\"size\":{size}");
                    self.close(attributes);
                }
            }
            NodeKind::Enum { name, doc, symbols } => {
                if self.begin_named("enum", name, doc, id, namespace) {
                    self.out.push_str(",\"symbols\":[");
                    for (i, symbol) in symbols.iter().enumerate() {
                        self.comma(i);
                        self.out.push_str(&quoted(symbol));
                    }
                    self.out.push(']');
                    self.close(attributes);
                }
            }
            NodeKind::Record { name, doc, fields, is_error } => {
                let what = if *is_error && !self.canonical { "error" } else { "record" };
                if self.begin_named(what, name, doc, id, namespace) {
                    self.out.push_str(",\"fields\":[");
                    for (i, field) in fields.iter().enumerate() {
                        self.comma(i);
                        self.field(field, namespace_of(name));
                    }
                    self.out.push(']');
                    self.close(attributes);
                }
            }
        }
    }

    fn field(&mut self, field: &AvroField, namespace: &str) {
        let _ = write!(self.out, "{{\"name\":{},\"type\":", quoted(&field.name));
        self.node(field.ty, namespace);
        if !self.canonical {
            if let Some(doc) = &field.doc {
                let _ = write!(self.out, ",\"doc\":{}", quoted(doc));
            }
            if let Some(default) = &field.default {
                let _ = write!(self.out, ",\"default\":{default}");
            }
            if !field.aliases.is_empty() {
                let _ = write!(self.out, ",\"aliases\":{}", Json::from(field.aliases.clone()));
            }
        }
        self.close(&field.attributes);
    }

    /// Writes the start of a definition, or the name alone (and `false`) of what is defined already.
    fn begin_named(&mut self, what: &str, name: &str, doc: &Option<String>, id: NodeId, namespace: &str) -> bool {
        // Within its own namespace a name needs none; the canonical form has full names only.
        let own = namespace_of(name);
        let inherited = !self.canonical && own == namespace;
        if !self.defined.insert(id) {
            self.out.push_str(&quoted(if inherited { simple_name(name) } else { name }));
            return false;
        }
        if self.canonical {
            let _ = write!(self.out, "{{\"name\":{},\"type\":\"{what}\"", quoted(name));
            return true;
        }
        let _ = write!(self.out, "{{\"type\":\"{what}\",\"name\":{}", quoted(simple_name(name)));
        if !inherited {
            let _ = write!(self.out, ",\"namespace\":{}", quoted(own));
        }
        if let Some(doc) = doc {
            let _ = write!(self.out, ",\"doc\":{}", quoted(doc));
        }
        true
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.out.push(',');
        }
    }

    fn close(&mut self, attributes: &Attributes) {
        if !self.canonical {
            for (name, value) in attributes {
                let _ = write!(self.out, ",{}:{value}", quoted(name));
            }
        }
        self.out.push('}');
    }
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// The part of a full name before the last dot; empty when there is none.
pub(super) fn namespace_of(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(namespace, _)| namespace)
}

/// The part of a full name after the last dot.
pub(super) fn simple_name(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, simple)| simple)
}
