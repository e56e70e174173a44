//! Places in a schema that have a type of their own.

use std::fmt;

use wirewise_core::{Error, ErrorKind, Kind, Result, Schema, TypeId};

/// A place in a schema that has a type of its own: the root, a field of a record, a branch of a union, or what is in a list
/// or map there. Written `$`, `Point.id`, `Point.tags[]`, `Point.labels{}`; names that are no words are JSON strings
/// (`Point."a b"`). Whether the value may be null makes no difference.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// A named type and its field or branch; `None` is the root.
    member: Option<(String, String)>,
    inside: Vec<Inside>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Inside {
    /// The elements of a list.
    Element,
    /// The values of a map.
    Value,
}

impl Slot {
    /// The type of a message.
    pub fn root() -> Slot {
        Slot { member: None, inside: Vec::new() }
    }

    /// A field of a record, or a branch of a union.
    pub fn member(named: &str, member: &str) -> Slot {
        Slot { member: Some((named.to_owned(), member.to_owned())), inside: Vec::new() }
    }

    /// The elements of the list that is here.
    #[must_use]
    pub fn element(&self) -> Slot {
        self.with(Inside::Element)
    }

    /// The values of the map that is here.
    #[must_use]
    pub fn value(&self) -> Slot {
        self.with(Inside::Value)
    }

    fn with(&self, inside: Inside) -> Slot {
        let mut slot = self.clone();
        slot.inside.push(inside);
        slot
    }

    /// Whether `other` lies in the type that is here.
    pub fn holds(&self, other: &Slot) -> bool {
        self.member == other.member && other.inside.starts_with(&self.inside)
    }

    /// The error that messages never come here, though the schema has such a place.
    pub(crate) fn unreached(&self) -> Error {
        Error::new(ErrorKind::Schema, format!("no message has a {self}"))
    }

    /// What is to be said of the field here, or of the message: for names of types that stand here.
    pub(crate) fn hint(&self) -> &str {
        self.member.as_ref().map_or("Message", |(_, member)| member)
    }

    /// Reads a slot at the start of a text; returns what follows it.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`], with the byte of the text where it is wrong.
    pub fn parse(text: &str) -> Result<(Slot, &str)> {
        let mut rest = text;
        let mut slot = match rest.strip_prefix('$') {
            Some(after) => {
                rest = after;
                Slot::root()
            }
            None => {
                let (named, after) = name(text, rest)?;
                let Some(after) = after.strip_prefix('.') else {
                    return Err(wrong(text, after, "expected . and the name of a field"));
                };
                let (member, after) = name(text, after)?;
                rest = after;
                Slot::member(&named, &member)
            }
        };
        loop {
            if let Some(after) = rest.strip_prefix("[]") {
                (slot, rest) = (slot.element(), after);
            } else if let Some(after) = rest.strip_prefix("{}") {
                (slot, rest) = (slot.value(), after);
            } else {
                return Ok((slot, rest));
            }
        }
    }

    /// The type that stands here; where it may be null, the type of the values.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] when the schema has no such place.
    pub fn find(&self, schema: &Schema) -> Result<TypeId> {
        let none = |what: String| Error::new(ErrorKind::Schema, format!("there is no {self} in the schema: {what}"));
        let mut ty = match &self.member {
            None => schema.root(),
            Some((named, member)) => {
                let id = schema.named(named).ok_or_else(|| none(format!("it has no type {named:?}")))?;
                let found = match schema.kind(id) {
                    Kind::Record(record) => record.position(member).map(|position| record.fields[position].ty),
                    Kind::Union(union) => {
                        union.branches.iter().find(|branch| branch.name == *member).map(|branch| branch.ty)
                    }
                    _ => None,
                };
                found.ok_or_else(|| none(format!("{named} has no {member:?}")))?
            }
        };
        ty = value_type(schema, ty);
        for inside in &self.inside {
            ty = match (inside, schema.kind(ty)) {
                (Inside::Element, Kind::List(item)) => *item,
                (Inside::Value, Kind::Map(_, value)) => *value,
                _ => return Err(none(format!("a {} is in its way", schema.describe(ty)))),
            };
            ty = value_type(schema, ty);
        }
        Ok(ty)
    }
}

/// A type without its null.
pub(crate) fn value_type(schema: &Schema, ty: TypeId) -> TypeId {
    if let Kind::Nullable(inner) = schema.kind(ty) { *inner } else { ty }
}

/// All places of a schema that messages can reach, outer ones first.
pub fn slots(schema: &Schema) -> Vec<(Slot, TypeId)> {
    let mut found = Vec::new();
    let mut seen = vec![false; schema.types().len()];
    let mut todo = vec![(Slot::root(), schema.root())];
    while let Some((slot, ty)) = todo.pop() {
        let ty = value_type(schema, ty);
        let first = todo.len();
        match schema.kind(ty) {
            Kind::List(item) => todo.push((slot.element(), *item)),
            Kind::Map(_, value) => todo.push((slot.value(), *value)),
            Kind::Record(record) if !std::mem::replace(&mut seen[ty.index()], true) => {
                todo.extend(record.fields.iter().map(|field| (Slot::member(&record.name, &field.name), field.ty)));
            }
            Kind::Union(union) if !std::mem::replace(&mut seen[ty.index()], true) => {
                todo.extend(union.branches.iter().map(|branch| (Slot::member(&union.name, &branch.name), branch.ty)));
            }
            _ => {}
        }
        todo[first..].reverse();
        found.push((slot, ty));
    }
    found
}

/// A word, or a JSON string.
fn name<'a>(text: &str, rest: &'a str) -> Result<(String, &'a str)> {
    if rest.starts_with('"') {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        if let Some(Ok(name)) = values.next() {
            return Ok((name, &rest[values.byte_offset()..]));
        }
        return Err(wrong(text, rest, "this is no JSON string"));
    }
    let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
    if end == 0 {
        return Err(wrong(text, rest, "expected $, or a name"));
    }
    Ok((rest[..end].to_owned(), &rest[end..]))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn wrong(text: &str, rest: &str, message: &str) -> Error {
    Error::syntax(text.len() - rest.len(), message).hint(
        "a place is $, Record.field, or one of these with [] for the elements of a list, {} for the values of a map",
    )
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.member {
            None => f.write_str("$")?,
            Some((named, member)) => {
                write_name(f, named)?;
                f.write_str(".")?;
                write_name(f, member)?;
            }
        }
        self.inside.iter().try_for_each(|inside| {
            f.write_str(match inside {
                Inside::Element => "[]",
                Inside::Value => "{}",
            })
        })
    }
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if !name.is_empty() && name.chars().all(is_word) {
        return f.write_str(name);
    }
    write!(f, "{}", serde_json::Value::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_written_as_they_are_read() {
        for text in ["$", "$[]", "$[]{}", "Point.id", "Point.tags[]", r#""a.b.Point"."x y"{}"#, r#"P."\"[]""#] {
            let (slot, rest) = Slot::parse(text).unwrap();
            assert_eq!((slot.to_string(), rest), (text.to_owned(), ""));
        }
        assert_eq!(Slot::parse("Point.id,a=1").unwrap().1, ",a=1");
        for (text, place) in [("", 0), ("Point", 5), ("Point.", 6), ("\"a", 0), (".a", 0)] {
            assert_eq!(Slot::parse(text).unwrap_err().offset(), Some(place), "{text}");
        }
    }

    #[test]
    fn they_are_found() {
        let schema = Schema::parse(
            r#"{"wirewise": "schema/1", "root": {"list": {"nullable": "P"}}, "types": [{"record": "P", "fields": [
                {"number": 1, "name": "a", "type": {"nullable": {"map": {"list": "int8"}}}},
                {"number": 2, "name": "p", "type": "P", "presence": "optional"}]}]}"#,
        )
        .unwrap();
        let all: Vec<String> = slots(&schema).iter().map(|(slot, _)| slot.to_string()).collect();
        assert_eq!(all, ["$", "$[]", "P.a", "P.a{}", "P.a{}[]", "P.p"]);
        for (slot, ty) in slots(&schema) {
            assert_eq!(slot.find(&schema).unwrap(), ty, "{slot}");
        }
        let error = Slot::parse("P.a[]").unwrap().0.find(&schema).unwrap_err();
        assert_eq!(error.to_string(), "there is no P.a[] in the schema: a map of list of int8 is in its way");
    }
}
