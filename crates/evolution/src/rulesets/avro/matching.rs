//! What of a writer's schema meets what of a reader's: fields and types by their names and aliases, branches of unions by
//! their types.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Float, Int, Kind, Logical, Record, Schema, TypeId, Union};
use wirewise_formats::avro::{is_name, notes};

use crate::rule::{Hop, Meeting};

use super::resolves::Resolves;

/// What a type is called in an Avro schema, where it is no union.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    Bytes,
    String,
    Array,
    Map,
    Fixed,
    Enum,
    Record,
}

impl Shape {
    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::Null => "null",
            Shape::Boolean => "boolean",
            Shape::Int => "int",
            Shape::Long => "long",
            Shape::Float => "float",
            Shape::Double => "double",
            Shape::Bytes => "bytes",
            Shape::String => "string",
            Shape::Array => "array",
            Shape::Map => "map",
            Shape::Fixed => "fixed",
            Shape::Enum => "enum",
            Shape::Record => "record",
        }
    }

    /// "The writer's schema may be promoted to the reader's as follows."
    pub(super) fn is_promoted_to(self, to: Shape) -> bool {
        use Shape::{Bytes, Double, Float, Int, Long, String};
        matches!(
            (self, to),
            (Int, Long | Float | Double) | (Long, Float | Double) | (Float, Double) | (String, Bytes) | (Bytes, String)
        )
    }
}

/// `None` for unions; of a nullable what it holds.
pub(super) fn shape(schema: &Schema, ty: TypeId) -> Option<Shape> {
    Some(match schema.kind(ty) {
        Kind::Null => Shape::Null,
        Kind::Bool => Shape::Boolean,
        Kind::Int(Int::I8 | Int::I16 | Int::I32 | Int::U8 | Int::U16) => Shape::Int,
        Kind::Int(Int::I64 | Int::U32 | Int::U64) => Shape::Long,
        Kind::Float(Float::F32) => Shape::Float,
        Kind::Float(Float::F64) => Shape::Double,
        Kind::String | Kind::Any => Shape::String,
        Kind::Bytes => Shape::Bytes,
        Kind::Fixed(_) => Shape::Fixed,
        Kind::List(_) => Shape::Array,
        Kind::Map(key, _) if *schema.kind(*key) == Kind::String => Shape::Map,
        // An array of keys and values.
        Kind::Map(..) => Shape::Array,
        Kind::Record(_) => Shape::Record,
        Kind::Enum(_) => Shape::Enum,
        Kind::Nullable(inner) => return shape(schema, *inner),
        Kind::Union(_) => return None,
    })
}

/// The type without a nullable around it.
pub(super) fn bare(schema: &Schema, ty: TypeId) -> TypeId {
    match schema.kind(ty) {
        Kind::Nullable(inner) => *inner,
        _ => ty,
    }
}

/// The full name of a named type; a fixed type that has none in its file is called by its size.
pub(super) fn name(schema: &Schema, ty: TypeId) -> String {
    match schema.kind(ty) {
        Kind::Fixed(size) => match schema.type_notes(ty).get(notes::NAME) {
            Some(name) => name.to_owned(),
            None if schema.logical(ty) == Some(Logical::Uuid) => "Uuid".to_owned(),
            None => format!("Fixed{size}"),
        },
        _ => schema.name(ty).unwrap_or_default().to_owned(),
    }
}

/// A name without its namespace.
pub(super) fn unqualified(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, name)| name)
}

/// The aliases of a named type, as its file has them.
pub(super) fn aliases(schema: &Schema, ty: TypeId) -> Vec<String> {
    let text = schema.type_notes(ty).get(notes::ALIASES).unwrap_or("[]");
    serde_json::from_str(text).unwrap_or_default()
}

/// How well two types fit that are no unions; the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The same type; named ones have the same full name.
    Same,
    /// Named types with the same unqualified name, or an alias.
    Named,
    /// What the reader's type is a promotion of.
    Promoted,
}

/// Whether a reader's named type is the writer's.
pub(super) fn names_fit(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Option<Fit> {
    let (theirs, ours) = (name(writer, from), name(reader, to));
    let made_up = |schema: &Schema, ty: TypeId| {
        matches!(schema.kind(ty), Kind::Fixed(_)) && !schema.type_notes(ty).has(notes::NAME)
    };
    if theirs == ours {
        return Some(Fit::Same);
    }
    let is_alias = || aliases(reader, to).iter().any(|alias| unqualified(alias) == unqualified(&theirs));
    let fits = unqualified(&theirs) == unqualified(&ours) || made_up(writer, from) || made_up(reader, to) || is_alias();
    fits.then_some(Fit::Named)
}

/// How well a writer's type fits a reader's, none of them a union, by what they are and how they are called.
pub(super) fn fit(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Option<Fit> {
    let (theirs, ours) = (shape(writer, from)?, shape(reader, to)?);
    match theirs {
        _ if theirs != ours => theirs.is_promoted_to(ours).then_some(Fit::Promoted),
        Shape::Fixed | Shape::Enum | Shape::Record => names_fit(writer, from, reader, to),
        _ => Some(Fit::Same),
    }
}

/// A branch of a union.
#[derive(Debug, Clone, Copy)]
pub(super) struct Branch<'a> {
    pub(super) ty: TypeId,
    /// The name of the record that it is wrapped in, because another branch before it has the same Avro type.
    wrapper: Option<&'a str>,
}

impl Branch<'_> {
    /// A type that is in no union.
    pub(super) fn alone(ty: TypeId) -> Self {
        Branch { ty, wrapper: None }
    }

    /// Whether it is a record around its type.
    pub(super) fn is_wrapped(&self) -> bool {
        self.wrapper.is_some()
    }
}

/// The branches of a union as Avro has them.
pub(super) fn branches<'a>(schema: &'a Schema, union: &'a Union) -> Vec<Branch<'a>> {
    let mut taken = HashSet::new();
    let branches = union.branches.iter().map(|branch| {
        let key = match shape(schema, branch.ty) {
            Some(Shape::Fixed | Shape::Enum | Shape::Record) => name(schema, branch.ty),
            shape => shape.map_or("", Shape::name).to_owned(),
        };
        let wrapper = (!taken.insert(key)).then_some(branch.name.as_str());
        Branch { ty: branch.ty, wrapper }
    });
    branches.collect()
}

/// The branches of a reader's union, by what a writer's type that they take is.
pub(super) struct Choices<'a> {
    schema: &'a Schema,
    union: &'a Union,
    wrapped: HashMap<&'a str, usize>,
    by_shape: HashMap<Shape, Vec<usize>>,
    /// Named types, by unqualified names and aliases.
    by_name: HashMap<String, Vec<usize>>,
}

impl<'a> Choices<'a> {
    pub(super) fn new(schema: &'a Schema, union: &'a Union) -> Self {
        let mut choices =
            Choices { schema, union, wrapped: HashMap::new(), by_shape: HashMap::new(), by_name: HashMap::new() };
        for (position, branch) in branches(schema, union).into_iter().enumerate() {
            match (branch.wrapper, shape(schema, branch.ty)) {
                (Some(wrapper), _) => {
                    choices.wrapped.insert(wrapper, position);
                }
                (None, Some(Shape::Enum | Shape::Record)) => {
                    let names = aliases(schema, branch.ty).into_iter().chain([name(schema, branch.ty)]);
                    let names: HashSet<String> = names.map(|name| unqualified(&name).to_owned()).collect();
                    names.into_iter().for_each(|name| choices.by_name.entry(name).or_default().push(position));
                }
                // The names of fixed types may be made up, and mean nothing then.
                (None, shape) => {
                    shape.into_iter().for_each(|shape| choices.by_shape.entry(shape).or_default().push(position))
                }
            }
        }
        choices
    }

    /// The branches that a writer's type may become, in the order in which they are tried.
    pub(super) fn of(&self, writer: &Schema, from: Branch<'_>) -> Vec<usize> {
        if let Some(wrapper) = from.wrapper {
            return self.wrapped.get(wrapper).copied().into_iter().collect();
        }
        let own = shape(writer, from.ty);
        let found: Vec<usize> = match own {
            Some(Shape::Enum | Shape::Record) => {
                self.by_name.get(unqualified(&name(writer, from.ty))).cloned().unwrap_or_default()
            }
            _ => {
                let shapes = self
                    .by_shape
                    .iter()
                    .filter(|(shape, _)| own.is_some_and(|own| own == **shape || own.is_promoted_to(**shape)));
                shapes.flat_map(|(_, positions)| positions).copied().collect()
            }
        };
        let fit = |position: usize| fit(writer, from.ty, self.schema, self.union.branches[position].ty);
        let mut found: Vec<(Fit, usize)> =
            found.into_iter().filter_map(|position| Some((fit(position)?, position))).collect();
        found.sort_unstable();
        found.into_iter().map(|(_, position)| position).collect()
    }

    /// The branch that takes a writer's type: the first that it can be read as. Where it can be read as none, the first
    /// that it looks like.
    fn chosen(&self, writer: &Schema, from: Branch<'_>) -> Option<usize> {
        let candidates = self.of(writer, from);
        let (&first, more) = candidates.split_first()?;
        if more.is_empty() {
            return Some(first);
        }
        let mut resolves = Resolves::new(writer, self.schema);
        let found = candidates.iter().find(|&&position| resolves.values(from.ty, self.union.branches[position].ty));
        Some(*found.unwrap_or(&first))
    }
}

/// The pairs inside two types: elements, values of maps, and each branch of the writer's with the reader's that takes it.
pub(super) fn inside(writer: &Schema, from: TypeId, reader: &Schema, to: TypeId) -> Vec<Meeting> {
    match (writer.kind(from), reader.kind(to)) {
        (Kind::List(written), Kind::List(read)) => vec![Meeting::of(Hop::Item, *written, *read)],
        (Kind::Map(_, written), Kind::Map(_, read)) if shape(writer, from) == shape(reader, to) => {
            vec![Meeting::of(Hop::Value, *written, *read)]
        }
        (Kind::Union(written), read) => {
            let choices = if let Kind::Union(read) = read { Some(Choices::new(reader, read)) } else { None };
            let branches = branches(writer, written).into_iter().enumerate();
            let inside = branches.filter_map(|(position, branch)| {
                let (ty, other) = match &choices {
                    Some(choices) => {
                        let other = choices.chosen(writer, branch)?;
                        (choices.union.branches[other].ty, Some(other))
                    }
                    None => (fit(writer, branch.ty, reader, to).filter(|_| !branch.is_wrapped()).map(|_| to)?, None),
                };
                let hop = Some(Hop::Branch(position));
                Some(Meeting { hop, types: (branch.ty, ty), branches: (Some(position), other) })
            });
            inside.collect()
        }
        (_, Kind::Union(read)) => {
            let other = Choices::new(reader, read).chosen(writer, Branch::alone(from));
            let meeting = |other: usize| Meeting {
                hop: None,
                types: (from, read.branches[other].ty),
                branches: (None, Some(other)),
            };
            other.map(meeting).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The reader's field for one of the writer's: the one with its name, or one that has it as an alias and that the writer
/// has not under its own name.
pub(super) fn field(_: &Schema, written: &Record, position: usize, _: &Schema, read: &Record) -> Option<usize> {
    let name = &written.fields[position].name;
    if let Some(found) = read.position(name) {
        return Some(found);
    }
    let has_alias = |field: &&wirewise_core::Field| field.aliases.iter().any(|alias| alias == name && is_name(alias));
    let mut renamed = read.fields.iter().enumerate().filter(|(_, field)| has_alias(field));
    let first = renamed.next()?;
    if renamed.next().is_none() && first.1.aliases.len() == 1 {
        // Nobody else wants it, and it wants nothing else.
        return written.position(&first.1.name).is_none().then_some(first.0);
    }
    // Each takes the first of its aliases that is free, in turn.
    let own: HashMap<&str, usize> =
        written.fields.iter().enumerate().map(|(position, field)| (field.name.as_str(), position)).collect();
    let mut taken: HashSet<usize> = read.fields.iter().filter_map(|field| own.get(&*field.name).copied()).collect();
    for (other, field) in read.fields.iter().enumerate().filter(|(_, field)| !own.contains_key(&*field.name)) {
        let aliases = field.aliases.iter().filter(|alias| is_name(alias));
        let found = aliases.filter_map(|alias| own.get(&**alias)).find(|&&place| !taken.contains(&place));
        if let Some(&found) = found {
            if found == position {
                return Some(other);
            }
            taken.insert(found);
        }
    }
    None
}
