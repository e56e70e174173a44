//! Reading a schema file (`.avsc`, `.avpr`) into Avro's own model, names resolved.

use std::collections::HashMap;

use serde_json::Map;
use wirewise_core::Result;
use wirewise_core::json::{Node, Object, Value};

use super::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind, Primitive};
use super::problem::Problem;

type Parsed<T> = std::result::Result<T, Problem>;

/// What a file has.
#[derive(Debug)]
pub(super) struct File {
    pub(super) schema: AvroSchema,
    pub(super) protocol: Option<Protocol>,
}

/// What a protocol has beside its types, which are the branches of the schema's root.
#[derive(Debug)]
pub(super) struct Protocol {
    pub(super) name: String,
    /// Names of its messages.
    pub(super) messages: Vec<String>,
}

/// Reads a schema.
///
/// # Errors
/// [`ErrorKind::Syntax`](wirewise_core::ErrorKind::Syntax) where it is not JSON (or nests too deep),
/// [`ErrorKind::Schema`](wirewise_core::ErrorKind::Schema) with the JSON path where it is not an Avro schema.
pub(super) fn parse(text: &str) -> Result<AvroSchema> {
    let tree = tree(text).map_err(|problem| problem.into_error(text, None))?;
    let avro = schema(&tree).and_then(|avro| super::import::check_finite(&avro).map(|()| avro));
    avro.map_err(|problem| problem.into_error(text, Some(&tree)))
}

/// The JSON of a schema file.
pub(super) fn tree(text: &str) -> Parsed<Node> {
    Node::parse(text).map_err(Problem::from)
}

/// Reads a schema.
pub(super) fn schema(tree: &Node) -> Parsed<AvroSchema> {
    let mut reader = Reader::default();
    reader.out.root = reader.schema(tree, "")?;
    Ok(reader.out)
}

/// Reads a schema or a protocol.
pub(super) fn file(tree: &Node) -> Parsed<File> {
    let protocol = tree.as_object().filter(|object| object.get("protocol").is_some() && object.get("type").is_none());
    let Some(protocol) = protocol else { return Ok(File { schema: schema(tree)?, protocol: None }) };
    let name = protocol.get("protocol").and_then(Node::as_str);
    let name = name.ok_or_else(|| Problem::at(tree.at, "\"protocol\" must be the protocol's name"))?;
    // A name with dots is a full name, as with types.
    let own = protocol.get("namespace").and_then(Node::as_str).unwrap_or_default();
    let namespace = name.rsplit_once('.').map_or(own, |(namespace, _)| namespace);
    let mut reader = Reader::default();
    let mut types = Vec::new();
    if let Some(rows) = protocol.get("types") {
        for row in array(rows, "types")? {
            types.push(reader.schema(row, namespace)?);
        }
    }
    let messages = protocol.get("messages").and_then(Node::as_object);
    let messages = messages.map(|messages| messages.members().iter().map(|message| message.name.clone()).collect());
    reader.out.root = reader.out.add(NodeKind::Union(types));
    let protocol = Protocol { name: name.to_owned(), messages: messages.unwrap_or_default() };
    Ok(File { schema: reader.out, protocol: Some(protocol) })
}

#[derive(Default)]
struct Reader {
    out: AvroSchema,
    /// By full name.
    named: HashMap<String, NodeId>,
}

impl Reader {
    /// `namespace` is that of the type around this one.
    fn schema(&mut self, json: &Node, namespace: &str) -> Parsed<NodeId> {
        match &json.value {
            Value::String(name) => self.reference(name, namespace, json.at),
            Value::Array(branches) => {
                let mut nodes = Vec::with_capacity(branches.len());
                let mut keys: HashMap<String, usize> = HashMap::new();
                for branch in branches {
                    let node = self.schema(branch, namespace)?;
                    if let NodeKind::Union(_) = self.out.kind(node) {
                        return Err(Problem::at(branch.at, "a union is directly in a union"));
                    }
                    let key = self.out.branch_key(node).to_owned();
                    if let Some(&first) = keys.get(&key) {
                        let what = format!("a union has two branches {key:?}");
                        return Err(Problem::at(branch.at, what).after(first));
                    }
                    keys.insert(key, branch.at);
                    nodes.push(node);
                }
                let node = self.add(NodeKind::Union(nodes), Attributes::new(), json.at);
                self.out.parts.insert(node, branches.iter().map(|branch| branch.at).collect());
                Ok(node)
            }
            Value::Object(object) => self.object(object, namespace, json.at),
            _ => Err(Problem::at(json.at, "expected a type: a string, an object or an array")),
        }
    }

    fn add(&mut self, kind: NodeKind, attributes: Attributes, at: usize) -> NodeId {
        let node = self.out.add_with(kind, attributes);
        self.out.nodes[node].at = at;
        node
    }

    fn reference(&mut self, name: &str, namespace: &str, at: usize) -> Parsed<NodeId> {
        if let Some(primitive) = Primitive::by_name(name) {
            return Ok(self.add(NodeKind::Primitive(primitive), Attributes::new(), at));
        }
        let inherited = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        // As in Java, a name that its namespace does not have may be one without a namespace.
        let full = if name.contains('.') { name.trim_start_matches('.') } else { &inherited };
        let found = self.named.get(full).or_else(|| self.named.get(name));
        found.copied().ok_or_else(|| {
            let name: String = name.chars().take(100).collect();
            Problem::at(at, format!("there is no type {name:?} before this place"))
        })
    }

    fn object(&mut self, object: &Object, namespace: &str, at: usize) -> Parsed<NodeId> {
        let ty = object.get("type").ok_or_else(|| Problem::at(at, "\"type\" is missing"))?;
        let Some(what) = ty.as_str() else { return self.schema(ty, namespace) };
        let part = |name: &str| {
            object.get(name).ok_or_else(|| Problem::at(at, format!("{what} without {name:?}, which it must have")))
        };
        match what {
            "array" => {
                let item = self.schema(part("items")?, namespace)?;
                Ok(self.add(NodeKind::Array(item), attributes(object, &["type", "items"]), at))
            }
            "map" => {
                let value = self.schema(part("values")?, namespace)?;
                Ok(self.add(NodeKind::Map(value), attributes(object, &["type", "values"]), at))
            }
            "fixed" => {
                let (name, name_at) = full_name(object, namespace, at)?;
                let size = part("size")?;
                // The canonical form's rules mention sizes in quotes.
                let number = size.as_u64().or_else(|| size.as_str()?.parse().ok());
                let bytes = number.and_then(|size| u32::try_from(size).ok());
                let bytes = bytes.ok_or_else(|| Problem::at(size.at, "\"size\" must be a number of bytes"))?;
                let attributes = attributes(object, &["type", "name", "namespace", "size"]);
                self.define(name.clone(), NodeKind::Fixed { name, size: bytes }, attributes, name_at)
            }
            "enum" => {
                let (name, name_at) = full_name(object, namespace, at)?;
                let (mut symbols, mut places, mut seen) = (Vec::new(), Vec::new(), HashMap::new());
                let rows = part("symbols")?;
                for row in array(rows, "symbols")? {
                    let symbol = row.as_str().filter(|symbol| !symbol.is_empty());
                    let symbol = symbol.ok_or_else(|| Problem::at(row.at, "expected a symbol: a string"))?;
                    if let Some(first) = seen.insert(symbol, row.at) {
                        let what = format!("the enum has two symbols {symbol:?}");
                        return Err(Problem::at(row.at, what).after(first));
                    }
                    symbols.push(symbol.to_owned());
                    places.push(row.at);
                }
                if symbols.is_empty() {
                    return Err(Problem::at(rows.at, format!("enum {name} has no symbols")));
                }
                let doc = text(object, "doc");
                let attributes = attributes(object, &["type", "name", "namespace", "doc", "symbols"]);
                let node = self.define(name.clone(), NodeKind::Enum { name, doc, symbols }, attributes, name_at)?;
                self.out.parts.insert(node, places);
                Ok(node)
            }
            "record" | "error" => self.record(object, namespace, what == "error", at),
            _ => match Primitive::by_name(what) {
                Some(primitive) => Ok(self.add(NodeKind::Primitive(primitive), attributes(object, &["type"]), at)),
                None => self.reference(what, namespace, ty.at),
            },
        }
    }

    fn record(&mut self, object: &Object, namespace: &str, is_error: bool, at: usize) -> Parsed<NodeId> {
        let (name, name_at) = full_name(object, namespace, at)?;
        let doc = text(object, "doc");
        let empty = NodeKind::Record { name: name.clone(), doc: doc.clone(), fields: Vec::new(), is_error };
        let own = attributes(object, &["type", "name", "namespace", "doc", "fields"]);
        let node = self.define(name.clone(), empty, own, name_at)?;
        let rows = object.get("fields").ok_or_else(|| Problem::at(at, "a record without \"fields\""))?;
        let rows = array(rows, "fields")?;
        let namespace = super::model::namespace_of(&name).to_owned();
        let mut fields: Vec<AvroField> = Vec::with_capacity(rows.len());
        let mut seen = HashMap::new();
        for row in rows {
            let field = self.field(row, &namespace)?;
            if let Some(first) = seen.insert(field.name.clone(), field.at) {
                let what = format!("the record has two fields {:?}", field.name);
                return Err(Problem::at(field.at, what).after(first));
            }
            fields.push(field);
        }
        self.out.nodes[node].kind = NodeKind::Record { name, doc, fields, is_error };
        Ok(node)
    }

    fn define(&mut self, name: String, kind: NodeKind, attributes: Attributes, at: usize) -> Parsed<NodeId> {
        if Primitive::by_name(&name).is_some() {
            return Err(Problem::at(at, format!("{name:?} is the name of a primitive type")));
        }
        let node = self.add(kind, attributes, at);
        match self.named.insert(name, node) {
            None => Ok(node),
            Some(other) => {
                let what = format!("two types are called {:?}", self.out.branch_key(other));
                Err(Problem::at(at, what).after(self.out.nodes[other].at))
            }
        }
    }

    fn field(&mut self, json: &Node, namespace: &str) -> Parsed<AvroField> {
        let object = json.as_object().ok_or_else(|| Problem::at(json.at, "expected a field: an object"))?;
        let name = object.get("name").and_then(|name| Some((name.as_str()?, name.at)));
        let (name, at) = name.ok_or_else(|| Problem::at(json.at, "\"name\" is missing: a field has a name"))?;
        if name.is_empty() {
            return Err(Problem::at(at, "a field has an empty name"));
        }
        let ty = object.get("type").ok_or_else(|| Problem::at(json.at, "\"type\" is missing: a field has a type"))?;
        let ty = self.schema(ty, namespace)?;
        let aliases = object.get("aliases").and_then(Node::as_array).into_iter().flatten();
        Ok(AvroField {
            name: name.to_owned(),
            ty,
            default: object.get("default").map(Node::to_json),
            doc: text(object, "doc"),
            aliases: aliases.filter_map(|alias| alias.as_str().map(str::to_owned)).collect(),
            attributes: attributes(object, &["type", "name", "doc", "default", "aliases"]),
            at,
        })
    }
}

fn array<'a>(node: &'a Node, name: &str) -> Parsed<&'a [Node]> {
    node.as_array().ok_or_else(|| Problem::at(node.at, format!("found {}, expected an array of {name}", node.kind())))
}

fn text(object: &Object, name: &str) -> Option<String> {
    object.get(name).and_then(Node::as_str).map(str::to_owned)
}

/// All members but the named ones, which the model has places for.
fn attributes(object: &Object, own: &[&str]) -> Attributes {
    let members = object.members().iter().filter(|member| !own.contains(&member.name.as_str()));
    Map::from_iter(members.map(|member| (member.name.clone(), member.value.to_json())))
}

/// A name with dots is a full name; otherwise it is in the namespace that the definition names, or that is around it.
fn full_name(object: &Object, namespace: &str, at: usize) -> Parsed<(String, usize)> {
    let name = object.get("name").and_then(|name| Some((name.as_str()?, name.at)));
    let (name, at) = name.ok_or_else(|| Problem::at(at, "\"name\" is missing: the type has a name"))?;
    if name.trim_start_matches('.').is_empty() {
        return Err(Problem::at(at, "a type has an empty name"));
    }
    if name.contains('.') {
        return Ok((name.trim_start_matches('.').to_owned(), at));
    }
    let own = object.get("namespace").and_then(Node::as_str);
    let full = match own.unwrap_or(namespace) {
        "" => name.to_owned(),
        namespace => format!("{namespace}.{name}"),
    };
    Ok((full, at))
}
