//! Whether a type can be read as another at all: what decides between branches of a union that look alike.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId, Union};

use super::defaults;
use super::matching::{Branch, Choices, Shape, branches, field, fit, shape};
use super::types::decimal;

/// A type, and whether null is beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    ty: TypeId,
    null: bool,
}

impl Place {
    fn of(schema: &Schema, ty: TypeId) -> Place {
        match schema.kind(ty) {
            Kind::Nullable(inner) => Place { ty: *inner, null: true },
            _ => Place { ty, null: false },
        }
    }

    fn of_field(field: &wirewise_core::Field) -> Place {
        Place { ty: field.value_type(), null: field.is_stateful() }
    }
}

/// How deep types are held against each other; what lies deeper is taken to fit, as the codecs have refused it before.
const DEEPEST: usize = 256;

/// What can be read as what, of two schemas.
pub(super) struct Resolves<'a> {
    writer: &'a Schema,
    reader: &'a Schema,
    /// What was found out. A pair that is being looked at fits, if nothing else speaks against it.
    done: HashMap<(Place, Place), bool>,
    depth: usize,
}

impl<'a> Resolves<'a> {
    pub(super) fn new(writer: &'a Schema, reader: &'a Schema) -> Self {
        Resolves { writer, reader, done: HashMap::new(), depth: 0 }
    }

    /// Whether some value of the one type can be read as the other.
    pub(super) fn values(&mut self, from: TypeId, to: TypeId) -> bool {
        self.places(Place::of(self.writer, from), Place::of(self.reader, to))
    }

    fn places(&mut self, from: Place, to: Place) -> bool {
        if let Some(&done) = self.done.get(&(from, to)) {
            return done;
        }
        if self.depth > DEEPEST {
            return true;
        }
        self.done.insert((from, to), true);
        self.depth += 1;
        let fits = self.fresh(from, to);
        self.depth -= 1;
        self.done.insert((from, to), fits);
        fits
    }

    fn fresh(&mut self, from: Place, to: Place) -> bool {
        let null = from.null || *self.writer.kind(from.ty) == Kind::Null;
        if null && (to.null || *self.reader.kind(to.ty) == Kind::Null) {
            return true;
        }
        let (writer, reader) = (self.writer, self.reader);
        match writer.kind(from.ty) {
            Kind::Null => false,
            // Which branch it is shows when a value is read.
            Kind::Union(union) => {
                let branches = branches(writer, union);
                match reader.kind(to.ty) {
                    Kind::Union(read) => {
                        let choices = Choices::new(reader, read);
                        branches.into_iter().any(|branch| self.branch(branch, &choices, read))
                    }
                    _ => branches.into_iter().any(|branch| !branch.is_wrapped() && self.plain(branch.ty, to.ty)),
                }
            }
            _ => match reader.kind(to.ty) {
                Kind::Union(read) => self.branch(Branch::alone(from.ty), &Choices::new(reader, read), read),
                _ => self.plain(from.ty, to.ty),
            },
        }
    }

    fn branch(&mut self, from: Branch<'_>, choices: &Choices<'_>, read: &Union) -> bool {
        let candidates = choices.of(self.writer, from);
        candidates.into_iter().any(|position| self.values(from.ty, read.branches[position].ty))
    }

    /// Both are no unions.
    fn plain(&mut self, from: TypeId, to: TypeId) -> bool {
        let (writer, reader) = (self.writer, self.reader);
        if fit(writer, from, reader, to).is_none() {
            return false;
        }
        let decimals = (decimal(writer, from), decimal(reader, to));
        if let (Some(theirs), Some(ours)) = decimals
            && theirs != ours
        {
            return false;
        }
        match (writer.kind(from), reader.kind(to)) {
            (Kind::Fixed(theirs), Kind::Fixed(ours)) => theirs == ours,
            (Kind::List(theirs), Kind::List(ours)) => self.values(*theirs, *ours),
            (Kind::Map(key, theirs), Kind::Map(other, ours)) => {
                (shape(writer, from) == Some(Shape::Map) || self.values(*key, *other)) && self.values(*theirs, *ours)
            }
            (Kind::List(_), Kind::Map(..)) | (Kind::Map(..), Kind::List(_)) => false,
            (Kind::Record(written), Kind::Record(read)) => {
                let mut found = vec![false; read.fields.len()];
                let fit = (0..written.fields.len()).all(|position| {
                    let Some(other) = field(writer, written, position, reader, read) else { return true };
                    found[other] = true;
                    self.places(Place::of_field(&written.fields[position]), Place::of_field(&read.fields[other]))
                });
                let missing = || read.fields.iter().zip(&found).filter(|(_, found)| !**found);
                fit && missing().all(|(field, _)| defaults::of(reader, field).is_usable())
            }
            _ => true,
        }
    }
}
