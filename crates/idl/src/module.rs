//! What was read: types, and where they were declared.

use std::collections::HashMap;
use std::sync::Arc;

use wirewise_core::{Kind, Notes, Part, Schema, SchemaBuilder, Type, TypeId};

use crate::json_schema::Documents;
use crate::{Error, Place, Result};

/// The types of a schema file and of what it imports.
///
/// Named types have full names with dots (`com.acme.Outer.Inner`). A type lies inside another when the other's full name
/// is its prefix; what remains before the outermost type is its namespace (a package of Protobuf, a namespace of Avro).
/// Namespaces are a matter of languages: they are not needed to be the same throughout a module.
#[derive(Debug, Clone)]
pub struct Module {
    /// All types. Its root is [`Module::root`] where that is known, otherwise the first record, otherwise any type.
    pub schema: Schema,
    /// The type of a message, where the file says which it is (`root_type`, an Avro or JSON schema), or where it can be
    /// only one.
    pub root: Option<TypeId>,
    /// Where things were declared.
    pub places: Places,
    /// What was passed over: services, interfaces.
    pub notices: Vec<String>,
    /// The files themselves, of a language that constrains more than types do: JSON Schema.
    pub documents: Option<Arc<Documents>>,
}

/// Something that has a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// A named type.
    Type(TypeId),
    /// A field, by its position in its record.
    Field(TypeId, usize),
    /// A symbol, by its position in its enum.
    Symbol(TypeId, usize),
    /// A branch, by its position in its union.
    Branch(TypeId, usize),
    /// A oneof, by its position in its record.
    Oneof(TypeId, usize),
}

impl From<Part> for Element {
    fn from(part: Part) -> Element {
        match part {
            Part::Type(id) => Element::Type(id),
            Part::Field(id, i) => Element::Field(id, i),
            Part::Symbol(id, i) => Element::Symbol(id, i),
            Part::Branch(id, i) => Element::Branch(id, i),
            Part::Oneof(id, i) => Element::Oneof(id, i),
        }
    }
}

/// Where the elements of a module were declared.
#[derive(Debug, Clone, Default)]
pub struct Places(HashMap<Element, Place>);

impl Places {
    /// Says where an element was declared.
    pub fn set(&mut self, element: Element, place: Place) {
        self.0.insert(element, place);
    }

    /// Where an element was declared; a part without a place of its own is where its type is.
    pub fn get(&self, element: Element) -> Option<&Place> {
        let whole = match element {
            Element::Type(ty) => ty,
            Element::Field(ty, _) | Element::Symbol(ty, _) | Element::Branch(ty, _) | Element::Oneof(ty, _) => ty,
        };
        self.0.get(&element).or_else(|| self.0.get(&Element::Type(whole)))
    }

    /// What is wrong with a schema, at the place of the part that is to blame, or else of `otherwise`.
    pub(crate) fn error(&self, error: wirewise_core::Error, otherwise: &Place) -> Error {
        let place = error.part().and_then(|part| self.get(part.into())).unwrap_or(otherwise).clone();
        let found = Error::at(place, error.message());
        match error.advice() {
            Some(advice) => found.hint(advice),
            None => found,
        }
    }
}

impl Module {
    /// A module of a schema that is known to be of its root type.
    pub fn of(schema: Schema) -> Module {
        let (places, notices) = (Places::default(), Vec::new());
        Module { root: Some(schema.root()), schema, places, notices, documents: None }
    }

    /// The type called `name`: its full name, or an end of it that only one type has.
    ///
    /// # Errors
    /// When there is none, or more than one, with the names that there are.
    pub fn type_named(&self, name: &str) -> Result<TypeId> {
        let schema = &self.schema;
        if let Some(id) = schema.named(name) {
            return Ok(id);
        }
        let ends = |id: &TypeId| {
            let full = schema.name(*id).unwrap_or_default();
            full.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        };
        let found: Vec<TypeId> = schema.named_types().filter(ends).collect();
        match found[..] {
            [only] => Ok(only),
            [] => {
                Err(Error::new(format!("the schema has no type {name:?}")).hint(self.names_hint(schema.named_types())))
            }
            _ => {
                Err(Error::new(format!("{name:?} may be one of several types"))
                    .hint(self.names_hint(found.into_iter())))
            }
        }
    }

    /// The schema of one message, with only the types that it needs: of the type called `name`, or else of the root,
    /// or else of the only record that no other type uses.
    ///
    /// # Errors
    /// When there is no such type, or a choice must be made.
    pub fn schema_of(&self, name: Option<&str>) -> Result<Schema> {
        let root = match (name, self.root) {
            (Some(name), _) => self.type_named(name)?,
            (None, Some(root)) => root,
            (None, None) => self.only_message()?,
        };
        Ok(self.schema.rooted(root))
    }

    /// The same with all types of the module, where a message may hold any of them: in an `Any` of Protobuf.
    ///
    /// # Errors
    /// As [`Module::schema_of`].
    pub fn whole_schema_of(&self, name: Option<&str>) -> Result<Schema> {
        let schema = self.schema_of(name)?;
        match schema.named("google.protobuf.Any").and_then(|_| self.schema.named(schema.name(schema.root())?)) {
            Some(root) => Ok(self.schema.with_root(root)),
            None => Ok(schema),
        }
    }

    fn only_message(&self) -> Result<TypeId> {
        let schema = &self.schema;
        let records: Vec<TypeId> =
            schema.named_types().filter(|&id| matches!(schema.kind(id), Kind::Record(_))).collect();
        let mut used = vec![false; schema.types().len()];
        for index in 0..used.len() {
            let id = TypeId::from_index(index);
            schema.parts(id).into_iter().filter(|&part| part != id).for_each(|part| used[part.index()] = true);
        }
        let unused: Vec<TypeId> = records.iter().copied().filter(|id| !used[id.index()]).collect();
        match (&unused[..], &records[..]) {
            ([only], _) | (_, [only]) => Ok(*only),
            (_, []) => Err(Error::new("the schema declares no message type")),
            _ => Err(Error::new("the schema has several types that a message may have")
                .hint(format!("choose one with --type; {}", self.names_hint(records.iter().copied())))),
        }
    }

    fn names_hint(&self, types: impl Iterator<Item = TypeId>) -> String {
        const MOST: usize = 12;
        let mut names: Vec<&str> = types.filter_map(|id| self.schema.name(id)).collect();
        let more = if names.len() > MOST { ", ..." } else { "" };
        names.truncate(MOST);
        format!("there are {}{more}", names.join(", "))
    }
}

/// The schema with other notes and changed types. All types keep their ids, and so places stay right.
pub(crate) fn rebuilt(
    schema: &Schema,
    notes: Notes,
    mut change: impl FnMut(&mut Type),
) -> wirewise_core::Result<Schema> {
    let mut builder = SchemaBuilder::new();
    builder.set_notes(notes);
    let ids: Vec<TypeId> = schema.types().iter().map(|_| builder.declare()).collect();
    for (&id, ty) in ids.iter().zip(schema.types()) {
        let mut ty = ty.clone();
        change(&mut ty);
        builder.define(id, ty);
    }
    builder.finish(schema.root())
}
