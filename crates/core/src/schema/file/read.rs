//! Reading schema files.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::{FILE_VERSION, is_built_in};
use crate::json::{Member, Node, Object};
use crate::schema::{
    Branch, Enum, Field, Kind, Notes, Oneof, Part, Presence, Record, Schema, SchemaBuilder, Symbol, Type, TypeId, Union,
};
use crate::{Error, ErrorKind, Result};

/// Offsets of the parts of a schema in its file.
pub type Offsets = HashMap<Part, usize>;

impl Schema {
    /// Reads a schema file.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] where it is not JSON, [`ErrorKind::Schema`] where it is not a schema; with the byte offset.
    pub fn parse(text: &str) -> Result<Schema> {
        Schema::parse_with_offsets(text).map(|(schema, _)| schema)
    }

    /// The same, and where everything in it stands.
    ///
    /// # Errors
    /// As [`Schema::parse`].
    pub fn parse_with_offsets(text: &str) -> Result<(Schema, Offsets)> {
        let node = Node::parse(text).map_err(|problem| {
            Error::syntax(problem.at, format!("the schema file is not valid JSON: {}", problem.what))
        })?;
        Reader::default().schema(&node)
    }
}

#[derive(Default)]
struct Reader {
    types: SchemaBuilder,
    named: HashMap<String, TypeId>,
    offsets: Offsets,
}

impl Reader {
    fn schema(mut self, node: &Node) -> Result<(Schema, Offsets)> {
        let file = members(node, &["wirewise", "root", "notes", "types"])?;
        match file.get("wirewise") {
            Some(version) if version.as_str() == Some(FILE_VERSION) => {}
            Some(other) => {
                let what = format!("version {} is not supported, only {FILE_VERSION:?}", other.to_json());
                return Err(wrong(other.at, what));
            }
            None => {
                let what = format!("not a schema file: it must begin with \"wirewise\": \"{FILE_VERSION}\"");
                return Err(wrong(node.at, what));
            }
        }
        let types = match file.get("types") {
            None => &[][..],
            Some(types) => types.as_array().ok_or_else(|| wrong(types.at, "expected an array of types"))?,
        };
        for ty in types {
            let name = ["record", "enum", "union"].iter().find_map(|what| ty.get(what));
            let (at, name) = name.and_then(|node| Some((node.at, node.as_str()?))).ok_or_else(|| {
                wrong(ty.at, "expected a member \"record\", \"enum\" or \"union\" with the type's name")
            })?;
            if is_built_in(name) {
                return Err(wrong(at, format!("{name:?} is the name of a built-in type")));
            }
            let id = self.types.declare();
            self.offsets.insert(Part::Type(id), ty.at);
            if self.named.insert(name.to_owned(), id).is_some() {
                return Err(wrong(at, format!("two types are called {name:?}")));
            }
        }
        for ty in types {
            self.named_type(ty)?;
        }
        let root = file.get("root").ok_or_else(|| wrong(node.at, "\"root\" is missing: the type of a message"))?;
        let root = self.expression(root)?;
        self.types.set_notes(notes(file)?);
        let Reader { types, offsets, .. } = self;
        let schema = types.finish(root).map_err(|error| match error.part().and_then(|part| offsets.get(&part)) {
            Some(&offset) => error.at(offset),
            None => error.at(node.at),
        })?;
        Ok((schema, offsets))
    }

    fn expression(&mut self, node: &Node) -> Result<TypeId> {
        let named = &self.named;
        self.types.type_expression_at(node, &|name| named.get(name).copied())
    }

    fn named_type(&mut self, node: &Node) -> Result<()> {
        let name = ["record", "enum", "union"].iter().find_map(|what| node.get(what)?.as_str()).unwrap_or_default();
        let id = self.named[name];
        let (kind, notes) = if node.get("record").is_some() {
            self.record(id, node)?
        } else if node.get("enum").is_some() {
            self.enumeration(id, node)?
        } else {
            self.union(id, node)?
        };
        self.types.define(id, Type { kind, logical: None, notes });
        Ok(())
    }

    fn record(&mut self, id: TypeId, node: &Node) -> Result<(Kind, Notes)> {
        let allowed = ["record", "doc", "fields", "oneofs", "reserved_numbers", "reserved_names", "notes"];
        let ty = members(node, &allowed)?;
        let mut record = Record::new(string(node, "record")?, Vec::new());
        record.doc = optional_string(ty, "doc")?;
        let mut oneofs = HashMap::new();
        for (i, node) in optional_rows(ty, "oneofs")?.iter().enumerate() {
            let oneof = members(node, &["name", "required", "doc", "notes"])?;
            let name = string(node, "name")?;
            self.offsets.insert(Part::Oneof(id, i), node.at);
            oneofs.insert(name.clone(), i);
            record.oneofs.push(Oneof {
                name,
                required: flag(oneof, "required")?,
                doc: optional_string(oneof, "doc")?,
                notes: notes(oneof)?,
            });
        }
        for (i, node) in rows(node, "fields")?.iter().enumerate() {
            self.offsets.insert(Part::Field(id, i), node.at);
            record.fields.push(self.field(node, &oneofs)?);
        }
        let number = |node: &Node| node.as_u64().and_then(|n| u32::try_from(n).ok());
        record.reserved_numbers = reserved(ty, number)?;
        record.reserved_names = strings(ty, "reserved_names")?;
        Ok((Kind::Record(record), notes(ty)?))
    }

    fn enumeration(&mut self, id: TypeId, node: &Node) -> Result<(Kind, Notes)> {
        let allowed = ["enum", "doc", "closed", "symbols", "reserved_numbers", "reserved_names", "notes"];
        let ty = members(node, &allowed)?;
        let mut symbols = Vec::new();
        for (i, node) in rows(node, "symbols")?.iter().enumerate() {
            let symbol = members(node, &["number", "name", "doc", "notes"])?;
            self.offsets.insert(Part::Symbol(id, i), node.at);
            let number = symbol.get("number").ok_or_else(|| wrong(node.at, "\"number\" is missing"))?;
            symbols.push(Symbol {
                name: string(node, "name")?,
                number: number
                    .as_i64()
                    .ok_or_else(|| wrong(number.at, format!("number {} is out of range", number.to_json())))?,
                doc: optional_string(symbol, "doc")?,
                notes: notes(symbol)?,
            });
        }
        let e = Enum {
            name: string(node, "enum")?,
            doc: optional_string(ty, "doc")?,
            symbols,
            closed: flag(ty, "closed")?,
            reserved_numbers: reserved(ty, Node::as_i64)?,
            reserved_names: strings(ty, "reserved_names")?,
        };
        Ok((Kind::Enum(e), notes(ty)?))
    }

    fn union(&mut self, id: TypeId, node: &Node) -> Result<(Kind, Notes)> {
        let ty = members(node, &["union", "doc", "branches", "notes"])?;
        let mut branches = Vec::new();
        for (i, node) in rows(node, "branches")?.iter().enumerate() {
            let branch = members(node, &["number", "name", "type", "doc", "notes"])?;
            self.offsets.insert(Part::Branch(id, i), node.at);
            let expression = branch.get("type").ok_or_else(|| wrong(node.at, "\"type\" is missing"))?;
            branches.push(Branch {
                number: number(node)?,
                name: string(node, "name")?,
                ty: self.expression(expression)?,
                doc: optional_string(branch, "doc")?,
                notes: notes(branch)?,
            });
        }
        let union = Union { name: string(node, "union")?, doc: optional_string(ty, "doc")?, branches };
        Ok((Kind::Union(union), notes(ty)?))
    }

    fn field(&mut self, node: &Node, oneofs: &HashMap<String, usize>) -> Result<Field> {
        let allowed = ["number", "name", "type", "logical", "presence", "default", "doc", "aliases", "oneof", "notes"];
        let members = members(node, &allowed)?;
        let expression = members.get("type").ok_or_else(|| wrong(node.at, "\"type\" is missing"))?;
        let ty = match members.get("logical") {
            None => self.expression(expression)?,
            Some(logical) => self.types.scalar(expression, Some(logical), Notes::default())?,
        };
        let mut field = Field::new(number(node)?, string(node, "name")?, ty);
        field.presence = match members.get("presence").map(|presence| (presence, presence.as_str())) {
            None | Some((_, Some("required"))) => Presence::Required,
            Some((_, Some("optional"))) => Presence::Optional,
            Some((other, _)) => {
                let what = format!("presence {}: expected \"required\" or \"optional\"", other.to_json());
                return Err(wrong(other.at, what));
            }
        };
        field.default = members.get("default").map(Node::to_json);
        field.doc = optional_string(members, "doc")?;
        field.aliases = strings(members, "aliases")?;
        if let Some(name) = optional_string(members, "oneof")? {
            let at = members.get("oneof").map_or(node.at, |oneof| oneof.at);
            let oneof = oneofs.get(&name).copied();
            field.oneof = Some(oneof.ok_or_else(|| wrong(at, format!("the record has no oneof {name:?}")))?);
        }
        field.notes = notes(members)?;
        Ok(field)
    }
}

pub(super) fn wrong(at: usize, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Schema, message).at(at)
}

pub(super) fn members<'a>(node: &'a Node, allowed: &[&str]) -> Result<&'a Object> {
    let object =
        node.as_object().ok_or_else(|| wrong(node.at, format!("expected an object, found {}", node.kind())))?;
    match object.members().iter().find(|member| !allowed.contains(&member.name.as_str())) {
        Some(Member { at, name, .. }) => {
            Err(wrong(*at, format!("unknown member {name:?}; there are {}", allowed.join(", "))))
        }
        None => Ok(object),
    }
}

fn string(node: &Node, name: &str) -> Result<String> {
    let object = node.as_object().map_or(Ok(None), |object| optional_string(object, name))?;
    object.ok_or_else(|| wrong(node.at, format!("{name:?} is missing")))
}

fn optional_string(object: &Object, name: &str) -> Result<Option<String>> {
    let Some(node) = object.get(name) else { return Ok(None) };
    let text = node.as_str().map(str::to_owned);
    text.map(Some).ok_or_else(|| wrong(node.at, format!("{name:?} must be a string")))
}

fn flag(object: &Object, name: &str) -> Result<bool> {
    let Some(node) = object.get(name) else { return Ok(false) };
    node.as_bool().ok_or_else(|| wrong(node.at, format!("{name:?} must be true or false")))
}

pub(super) fn notes(object: &Object) -> Result<Notes> {
    let mut notes = Notes::default();
    if let Some(node) = object.get("notes") {
        let object = node.as_object().ok_or_else(|| wrong(node.at, "\"notes\" must be an object"))?;
        for Member { at, name, value } in object.members() {
            notes.set(name, value.as_str().ok_or_else(|| wrong(*at, format!("{name:?} must be a string")))?);
        }
    }
    Ok(notes)
}

/// Numbers and `[from, to]`, sorted.
fn reserved<T: Copy + Ord>(object: &Object, number: impl Fn(&Node) -> Option<T>) -> Result<Vec<RangeInclusive<T>>> {
    let mut ranges = Vec::new();
    for node in optional_rows(object, "reserved_numbers")? {
        let range = match node.as_array() {
            Some([from, to]) => number(from).zip(number(to)),
            Some(_) => None,
            None => number(node).map(|number| (number, number)),
        };
        let (from, to) = range.ok_or_else(|| wrong(node.at, "expected a number, or [from, to]"))?;
        ranges.push(from..=to);
    }
    ranges.sort_unstable_by_key(|range| *range.start());
    Ok(ranges)
}

fn strings(object: &Object, name: &str) -> Result<Vec<String>> {
    let text = |node: &Node| node.as_str().map(str::to_owned).ok_or_else(|| wrong(node.at, "expected a string"));
    optional_rows(object, name)?.iter().map(text).collect()
}

fn number(node: &Node) -> Result<u32> {
    let number = node.get("number").ok_or_else(|| wrong(node.at, "\"number\" is missing"))?;
    let value = number.as_u64().and_then(|n| u32::try_from(n).ok());
    value.ok_or_else(|| wrong(number.at, format!("number {} is out of range", number.to_json())))
}

fn rows<'a>(node: &'a Node, name: &str) -> Result<&'a [Node]> {
    let object = node.as_object().filter(|object| object.get(name).is_some());
    optional_rows(object.ok_or_else(|| wrong(node.at, format!("{name:?} is missing")))?, name)
}

fn optional_rows<'a>(object: &'a Object, name: &str) -> Result<&'a [Node]> {
    let Some(node) = object.get(name) else { return Ok(&[]) };
    node.as_array().ok_or_else(|| wrong(node.at, format!("{name:?} must be an array")))
}
