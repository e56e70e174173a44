//! Reading a schema file (`.avsc`) into Avro's own model, names resolved.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};
use wirewise_core::{Error, ErrorKind, Result};

use super::attributes::LOGICAL_TYPE;
use super::model::{Attributes, AvroField, AvroSchema, NodeId, NodeKind, Primitive};

/// Reads a schema.
///
/// # Errors
/// [`ErrorKind::Syntax`] where it is not JSON (or nests deeper than 127 values, which is about 40 records inside each
/// other), [`ErrorKind::Schema`] with the JSON path where it is not an Avro schema.
pub(super) fn parse(text: &str) -> Result<AvroSchema> {
    let json: Json = serde_json::from_str(text)
        .map_err(|error| Error::new(ErrorKind::Syntax, format!("the Avro schema is not valid JSON: {error}")))?;
    let mut reader = Reader { out: AvroSchema::default(), named: HashMap::new() };
    reader.out.root = reader.schema(&json, "", "$")?;
    Ok(reader.out)
}

#[cold]
fn wrong(place: &str, message: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Schema, format!("the Avro schema is wrong at {place}: {message}"))
}

struct Reader {
    out: AvroSchema,
    /// By full name.
    named: HashMap<String, NodeId>,
}

impl Reader {
    /// `namespace` is that of the type around this one.
    fn schema(&mut self, json: &Json, namespace: &str, place: &str) -> Result<NodeId> {
        match json {
            Json::String(name) => self.reference(name, namespace, place),
            Json::Array(branches) => {
                let branches = branches.iter().enumerate();
                let branches = branches.map(|(i, branch)| self.schema(branch, namespace, &format!("{place}[{i}]")));
                let nodes = branches.collect::<Result<Vec<_>>>()?;
                let mut keys = HashSet::new();
                for &node in &nodes {
                    if let NodeKind::Union(_) = self.out.kind(node) {
                        return Err(wrong(place, "a union is directly in a union"));
                    }
                    let key = self.out.branch_key(node);
                    if !keys.insert(key) {
                        return Err(wrong(place, format!("a union has two branches {key:?}")));
                    }
                }
                Ok(self.out.add(NodeKind::Union(nodes)))
            }
            Json::Object(object) => self.object(object, namespace, place),
            _ => Err(wrong(place, "expected a type: a string, an object or an array")),
        }
    }

    fn reference(&mut self, name: &str, namespace: &str, place: &str) -> Result<NodeId> {
        if let Some(primitive) = Primitive::by_name(name) {
            return Ok(self.out.add(NodeKind::Primitive(primitive)));
        }
        let inherited = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") };
        // As in Java, a name that its namespace does not have may be one without a namespace.
        let full = if name.contains('.') { name.trim_start_matches('.') } else { &inherited };
        let found = self.named.get(full).or_else(|| self.named.get(name));
        found.copied().ok_or_else(|| wrong(place, format!("there is no type {name:?} before this place")))
    }

    fn object(&mut self, object: &Map<String, Json>, namespace: &str, place: &str) -> Result<NodeId> {
        let ty = object.get("type").ok_or_else(|| wrong(place, "\"type\" is missing"))?;
        let inner = format!("{place}.type");
        let Some(ty) = ty.as_str() else { return self.schema(ty, namespace, &inner) };
        let part = |name: &str| object.get(name).ok_or_else(|| wrong(place, format!("{name:?} is missing")));
        let attributes = attributes(object);
        match ty {
            "array" => {
                let item = self.schema(part("items")?, namespace, &format!("{place}.items"))?;
                Ok(self.out.add_with(NodeKind::Array(item), attributes))
            }
            "map" => {
                let value = self.schema(part("values")?, namespace, &format!("{place}.values"))?;
                Ok(self.out.add_with(NodeKind::Map(value), attributes))
            }
            "fixed" => {
                let name = full_name(object, namespace, place)?;
                let size = part("size")?;
                // The canonical form's rules mention sizes in quotes.
                let number = size.as_u64().or_else(|| size.as_str()?.parse().ok());
                let size = number.and_then(|size| u32::try_from(size).ok());
                let size = size.ok_or_else(|| wrong(place, "\"size\" must be a number of bytes"))?;
                self.define(name.clone(), NodeKind::Fixed { name, size }, attributes, place)
            }
            "enum" => {
                let name = full_name(object, namespace, place)?;
                let symbols = part("symbols")?.as_array().and_then(|symbols| {
                    symbols.iter().map(|symbol| symbol.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
                });
                let symbols = symbols.ok_or_else(|| wrong(place, "\"symbols\" must be an array of strings"))?;
                let doc = text(object, "doc");
                self.define(name.clone(), NodeKind::Enum { name, doc, symbols }, attributes, place)
            }
            "record" | "error" => {
                let name = full_name(object, namespace, place)?;
                let doc = text(object, "doc");
                let empty = NodeKind::Record { name: name.clone(), doc: doc.clone(), fields: Vec::new() };
                let node = self.define(name.clone(), empty, attributes, place)?;
                let rows = part("fields")?.as_array().ok_or_else(|| wrong(place, "\"fields\" must be an array"))?;
                let namespace = super::model::namespace_of(&name).to_owned();
                let mut fields = Vec::with_capacity(rows.len());
                for (i, field) in rows.iter().enumerate() {
                    fields.push(self.field(field, &namespace, &format!("{place}.fields[{i}]"))?);
                }
                self.out.nodes[node].kind = NodeKind::Record { name, doc, fields };
                Ok(node)
            }
            _ => match Primitive::by_name(ty) {
                Some(primitive) => Ok(self.out.add_with(NodeKind::Primitive(primitive), attributes)),
                None => self.reference(ty, namespace, &inner),
            },
        }
    }

    fn define(&mut self, name: String, kind: NodeKind, attributes: Attributes, place: &str) -> Result<NodeId> {
        if Primitive::by_name(&name).is_some() {
            return Err(wrong(place, format!("{name:?} is the name of a primitive type")));
        }
        let node = self.out.add_with(kind, attributes);
        match self.named.insert(name, node) {
            None => Ok(node),
            Some(other) => Err(wrong(place, format!("two types are called {:?}", self.out.branch_key(other)))),
        }
    }

    fn field(&mut self, json: &Json, namespace: &str, place: &str) -> Result<AvroField> {
        let object = json.as_object().ok_or_else(|| wrong(place, "expected an object"))?;
        let name = text(object, "name").ok_or_else(|| wrong(place, "\"name\" is missing"))?;
        let ty = object.get("type").ok_or_else(|| wrong(place, "\"type\" is missing"))?;
        let ty = self.schema(ty, namespace, &format!("{place}.type"))?;
        let aliases = object.get("aliases").and_then(Json::as_array).into_iter().flatten();
        Ok(AvroField {
            name,
            ty,
            default: object.get("default").cloned(),
            doc: text(object, "doc"),
            aliases: aliases.filter_map(|alias| alias.as_str().map(str::to_owned)).collect(),
            attributes: attributes(object),
        })
    }
}

fn text(object: &Map<String, Json>, name: &str) -> Option<String> {
    object.get(name).and_then(Json::as_str).map(str::to_owned)
}

/// Ours, and the logical type.
fn attributes(object: &Map<String, Json>) -> Attributes {
    let known = |name: &str| name == LOGICAL_TYPE || name.starts_with("wirewise.");
    object.iter().filter(|(name, _)| known(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A name with dots is a full name; otherwise it is in the namespace that the definition names, or that is around it.
fn full_name(object: &Map<String, Json>, namespace: &str, place: &str) -> Result<String> {
    let name = text(object, "name").ok_or_else(|| wrong(place, "\"name\" is missing"))?;
    if name.is_empty() {
        return Err(wrong(place, "a type has an empty name"));
    }
    if name.contains('.') {
        return Ok(name.trim_start_matches('.').to_owned());
    }
    let own = object.get("namespace").and_then(Json::as_str);
    Ok(match own.unwrap_or(namespace) {
        "" => name,
        namespace => format!("{namespace}.{name}"),
    })
}
