//! Two structs held against each other: which places are the same field's, and what a reader finds in a place.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId, Union};
use wirewise_formats::capnp::{FieldPlace, Fields, Place, UnionPlace, fields};
use wirewise_idl::Element;

use crate::groups::{Leaf, same_branch};
use crate::rule::{At, Hop, Report};
use crate::sample::Provoke;

/// A writer's struct, and what the reader takes it for.
pub(super) struct Pair {
    pub(super) types: (TypeId, TypeId),
    pub(super) writer: Fields,
    pub(super) reader: Fields,
    /// Of each of the writer's fields, the reader's.
    pub(super) others: Vec<Option<usize>>,
    /// Of each of the reader's fields, the writer's.
    pub(super) origins: Vec<Option<usize>>,
    /// The writer's unions, and the reader's, by the bit of their discriminants.
    pub(super) unions: [HashMap<usize, Vec<usize>>; 2],
    /// Whether a nullable is around it, which the way does not say yet.
    is_inner: bool,
}

/// The structs that values of these types are.
pub(super) fn pairs(at: &At<'_>, from: TypeId, to: TypeId) -> Vec<Pair> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let in_field = matches!(at.trail.last(), Some(Hop::Field(_) | Hop::AsItem));
    let in_entry = at.trail.last() == Some(&Hop::Value);
    let mut pairs = Vec::new();
    let is_wrapper = |schema: &Schema, ty: TypeId| matches!(schema.kind(ty), Kind::Nullable(_) | Kind::Union(_));
    // In a field, and in the entry of a map, there is no struct around what may be null.
    if is_wrapper(writer, from) && is_wrapper(reader, to) && !in_field && !in_entry {
        pairs.extend(pair(at, from, to, false));
    }
    let bare = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Nullable(inner) => (*inner, true),
        _ => (ty, false),
    };
    let ((from, nullable), (to, _)) = (bare(writer, from), bare(reader, to));
    match (writer.kind(from), reader.kind(to)) {
        (Kind::Record(_), Kind::Record(_)) | (Kind::Map(..), Kind::Map(..)) => {
            pairs.extend(pair(at, from, to, nullable));
        }
        (Kind::Union(_), Kind::Union(_)) if in_entry => pairs.extend(pair(at, from, to, nullable)),
        _ => {}
    }
    pairs
}

fn pair(at: &At<'_>, from: TypeId, to: TypeId, is_inner: bool) -> Option<Pair> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (old, new) = (fields(writer, from).ok()??, fields(reader, to).ok()??);
    let branch = |place: &FieldPlace| place.branch;
    let others = match (writer.kind(from), reader.kind(to)) {
        (Kind::Record(written), Kind::Record(read)) => {
            let leaves = (at.ruleset.leaves(writer, from, written), at.ruleset.leaves(reader, to, read));
            let others = at.ruleset.matches(writer, (written, &leaves.0), reader, (read, &leaves.1));
            let way = |leaf: &Leaf<'_>| [leaf.groups.as_slice(), &[leaf.position]].concat();
            let ways: HashMap<Vec<usize>, usize> = leaves.0.iter().enumerate().map(|(i, l)| (way(l), i)).collect();
            let places: HashMap<(&[usize], Option<usize>), usize> =
                new.fields.iter().enumerate().map(|(i, place)| ((place.way.as_slice(), branch(place)), i)).collect();
            let other = |place: &FieldPlace| {
                let other = way(&leaves.1[others[*ways.get(&place.way)?]?]);
                let branch = match branch(place) {
                    Some(position) => {
                        let unions = (union_at(writer, from, &place.way)?, union_at(reader, to, &other)?);
                        Some(same_branch(unions.0, position, unions.1)?)
                    }
                    None => None,
                };
                places.get(&(other.as_slice(), branch)).copied()
            };
            old.fields.iter().map(other).collect::<Vec<_>>()
        }
        _ => {
            let unions = union_at(writer, from, &[]).zip(union_at(reader, to, &[]));
            let places: HashMap<_, usize> =
                new.fields.iter().enumerate().map(|(i, place)| ((place.number, branch(place)), i)).collect();
            let other = |place: &FieldPlace| {
                let branch = match branch(place) {
                    Some(position) => Some(unions.and_then(|(from, to)| same_branch(from, position, to))?),
                    None => None,
                };
                places.get(&(place.number, branch)).copied()
            };
            old.fields.iter().map(other).collect()
        }
    };
    let mut origins = vec![None; new.fields.len()];
    for (i, other) in others.iter().enumerate() {
        if let Some(other) = other {
            origins[*other] = Some(i);
        }
    }
    let by_bit = |fields: &Fields| {
        let mut unions: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, union) in fields.unions.iter().enumerate() {
            unions.entry(union.bit).or_default().push(i);
        }
        unions
    };
    let unions = [by_bit(&old), by_bit(&new)];
    Some(Pair { types: (from, to), writer: old, reader: new, others, origins, unions, is_inner })
}

/// The union that the field at the end of this way is, or the type itself.
fn union_at<'a>(schema: &'a Schema, ty: TypeId, way: &[usize]) -> Option<&'a Union> {
    let mut value = ty;
    for &position in way {
        let Kind::Record(record) = schema.kind(value) else { return None };
        value = record.fields[position].ty;
    }
    if let Kind::Nullable(inner) = schema.kind(value) {
        value = *inner;
    }
    match schema.kind(value) {
        Kind::Union(union) => Some(union),
        _ => None,
    }
}

impl Pair {
    /// The writer's unions whose discriminant begins at this bit.
    pub(super) fn written_unions(&self, bit: usize) -> impl Iterator<Item = &UnionPlace> {
        self.unions[0].get(&bit).into_iter().flatten().map(|&i| &self.writer.unions[i])
    }

    /// The reader's.
    pub(super) fn read_unions(&self, bit: usize) -> impl Iterator<Item = &UnionPlace> {
        self.unions[1].get(&bit).into_iter().flatten().map(|&i| &self.reader.unions[i])
    }

    /// The pairs of fields.
    pub(super) fn matched(&self) -> impl Iterator<Item = (&FieldPlace, &FieldPlace)> {
        let both = |(i, other): (usize, &Option<usize>)| {
            other.map(|other| (&self.writer.fields[i], &self.reader.fields[other]))
        };
        self.others.iter().enumerate().filter_map(both)
    }

    /// Whether a discriminant is this in messages whose writer has what is in `arms`.
    fn finds(&self, arms: &[(usize, u16)], (bit, value): (usize, u16)) -> Finds {
        if let Some((_, there)) = arms.iter().find(|(other, _)| *other == bit) {
            return if *there == value { Finds::Always } else { Finds::Never };
        }
        if self.written_unions(bit).any(|union| together(&union.arms, arms)) {
            return Finds::Maybe;
        }
        let bits = self.writer.used.get(bit / 64).map_or(0, |word| word >> (bit % 64) & 0xffff);
        match (bits, value) {
            (0, 0) => Finds::Always,
            (0, _) => Finds::Never,
            _ => Finds::Maybe,
        }
    }

    /// The same of all discriminants that a field of the reader hangs on.
    pub(super) fn finds_all(&self, arms: &[(usize, u16)], wanted: &[(usize, u16)]) -> Finds {
        let mut all = Finds::Always;
        for &arm in wanted {
            match self.finds(arms, arm) {
                Finds::Never => return Finds::Never,
                Finds::Maybe => all = Finds::Maybe,
                Finds::Always => {}
            }
        }
        all
    }

    /// What a field is called in messages.
    pub(super) fn name(&self, schema: &Schema, ty: TypeId, place: &FieldPlace) -> String {
        if let (Kind::Map(..), number) = (schema.kind(ty), place.number) {
            return if number == 1 { "the key".to_owned() } else { "the value".to_owned() };
        }
        let mut names = Vec::new();
        let mut record = ty;
        for &position in &place.way {
            if let Kind::Record(inner) = schema.kind(record) {
                names.push(inner.fields[position].name.as_str());
                record = inner.fields[position].ty;
            }
        }
        if let Some((union, branch)) = union_at(schema, ty, &place.way).zip(place.branch) {
            names.push(&union.branches[branch].name);
        }
        if names.is_empty() { "the value".to_owned() } else { format!("{:?}", names.join(".")) }
    }

    pub(super) fn names(&self, at: &At<'_>, writer: &FieldPlace, reader: &FieldPlace) -> (String, String) {
        (self.name(&at.writer.schema, self.types.0, writer), self.name(&at.reader.schema, self.types.1, reader))
    }

    /// Completes a report: its places in the schemas, and a message with the writer's field.
    pub(super) fn show(
        &self,
        schemas: (&Schema, &Schema),
        report: Report<'_>,
        writer: &FieldPlace,
        reader: Option<&FieldPlace>,
    ) {
        let mut report = report.writer(element(schemas.0, self.types.0, &writer.way));
        report = report
            .reader(reader.map_or(Element::Type(self.types.1), |place| element(schemas.1, self.types.1, &place.way)));
        if self.is_inner {
            report = report.hop(Hop::Inner);
        }
        for &position in &writer.way {
            report = report.hop(Hop::Field(position));
        }
        let _ = match (schemas.0.kind(self.types.0), writer.number, writer.branch) {
            (_, _, Some(branch)) => report.provoke(Provoke::Branch(branch)),
            (Kind::Map(..), 1, _) => report.provoke(Provoke::Items(1)),
            (Kind::Map(..), ..) => report.hop(Hop::Value),
            (Kind::Nullable(_), ..) => report.hop(Hop::Inner),
            _ => report,
        };
    }
}

fn element(schema: &Schema, ty: TypeId, way: &[usize]) -> Element {
    let mut element = Element::Type(ty);
    let mut record = ty;
    for &position in way {
        if let Kind::Record(inner) = schema.kind(record) {
            element = Element::Field(record, position);
            record = inner.fields[position].ty;
        }
    }
    element
}

/// What a reader may find where it looks for a discriminant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finds {
    /// What it looks for, always.
    Always,
    /// What it looks for, or something else.
    Maybe,
    /// Never what it looks for.
    Never,
}

/// Whether two fields, or what is in these unions, may be there together.
pub(super) fn together(one: &[(usize, u16)], other: &[(usize, u16)]) -> bool {
    // Only the same union in the same unions: what differs first decides.
    let first = one.iter().zip(other).find(|(one, other)| one != other);
    first.is_none_or(|(one, other)| one.0 != other.0)
}

/// Whether two places share a bit or a pointer.
pub(super) fn overlap(one: Place, other: Place) -> bool {
    match (one, other) {
        (Place::Pointer(one), Place::Pointer(other)) => one == other,
        (Place::Data { bit, lg }, Place::Data { bit: other, lg: other_lg }) => {
            bit < other + (1 << other_lg) && other < bit + (1 << lg)
        }
        _ => false,
    }
}

/// Where a discriminant lies.
pub(super) fn discriminant(union: &UnionPlace) -> Place {
    Place::Data { bit: union.bit, lg: 4 }
}

/// A place for people.
pub(super) fn describe(place: Place) -> String {
    match place {
        Place::Nowhere => "no place".to_owned(),
        Place::Pointer(index) => format!("pointer {index}"),
        Place::Data { bit, lg: 0 } => format!("bit {bit} of the data"),
        Place::Data { bit, lg: 3 } => format!("byte {} of the data", bit / 8),
        Place::Data { bit, lg } => format!("bytes {} to {} of the data", bit / 8, (bit + (1 << lg)) / 8 - 1),
    }
}

/// Whether a reader may take more bits than the writer has: the others are always zero, and so is what they mean.
pub(super) fn widened(pair: &Pair, schema: &Schema, from: &FieldPlace, to: &FieldPlace) -> bool {
    let (Place::Data { bit, lg }, Place::Data { bit: other, lg: other_lg }) = (from.place, to.place) else {
        return false;
    };
    let unsigned = match schema.kind(from.ty) {
        Kind::Bool | Kind::Enum(_) => true,
        Kind::Int(int) => !int.signed(),
        _ => false,
    };
    let mask = |bit: usize, lg: u32| u64::MAX >> (64 - (1u32 << lg)) << (bit % 64);
    let rest = mask(other, other_lg) & !mask(bit, lg);
    bit == other && lg < other_lg && unsigned && pair.writer.used.get(bit / 64).is_none_or(|used| used & rest == 0)
}

/// Buckets of places: a word of the data, or a pointer.
pub(super) fn bucket(place: Place) -> Option<(bool, usize)> {
    match place {
        Place::Nowhere => None,
        Place::Pointer(index) => Some((true, index)),
        Place::Data { bit, .. } => Some((false, bit / 64)),
    }
}
