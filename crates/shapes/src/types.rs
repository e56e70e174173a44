//! Making a schema anew, with other types in some slots.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Kind, Result, Schema, SchemaBuilder, Type, TypeId};

use crate::shape::{Planned, Site};
use crate::shaping::NOTE;
use crate::slot::{Slot, value_type};

/// The types of the new schema, while they are made.
pub struct Types<'a> {
    old: &'a Schema,
    new: SchemaBuilder,
    /// The ids in the new schema of the named types of the old one.
    named: HashMap<TypeId, TypeId>,
    names: HashSet<String>,
}

/// What makes the type of a slot.
pub(crate) type Change<'c> = dyn Fn(&Site<'_>, &mut Types<'_>) -> Result<Planned> + 'c;

/// Makes the schema that differs in these slots, and says what was planned for each of them, in their order.
pub(crate) fn change(old: &Schema, changes: &[(Slot, &Change<'_>)]) -> Result<(Schema, Vec<Planned>)> {
    let mut types = Types { old, new: SchemaBuilder::new(), named: HashMap::new(), names: HashSet::new() };
    for id in old.named_types() {
        let new = types.new.declare();
        types.named.insert(id, new);
        types.names.extend(old.name(id).map(str::to_owned));
    }
    let mut planned: Vec<Option<Planned>> = changes.iter().map(|_| None).collect();
    let mut maker = Maker { types: &mut types, changes, planned: &mut planned };
    for id in old.named_types() {
        maker.define(id)?;
    }
    let root = maker.slot(&Slot::root(), old.root())?;
    let mut notes = old.notes().clone();
    // It says what is done to the old one.
    notes.take(NOTE);
    types.new.set_notes(notes);
    let schema = types.new.finish(root)?;
    let planned = changes
        .iter()
        .zip(planned)
        .map(|((slot, _), planned)| planned.ok_or_else(|| slot.find(old).err().unwrap_or_else(|| slot.unreached())));
    let planned = planned.collect::<Result<_>>()?;
    // What only the old types needed goes away.
    Ok((schema.rooted(schema.root()), planned))
}

struct Maker<'m, 'a> {
    types: &'m mut Types<'a>,
    changes: &'m [(Slot, &'m Change<'m>)],
    planned: &'m mut [Option<Planned>],
}

impl Maker<'_, '_> {
    fn define(&mut self, id: TypeId) -> Result<()> {
        let old = self.types.old;
        let mut ty = old.ty(id).clone();
        match &mut ty.kind {
            Kind::Record(record) => {
                for field in &mut record.fields {
                    let slot = Slot::member(&record.name, &field.name);
                    field.ty = self.slot(&slot, field.ty)?;
                    if self.changes.iter().any(|(changed, _)| *changed == slot) {
                        // It was a value of the old type.
                        field.default = None;
                    }
                }
            }
            Kind::Union(union) => {
                for branch in &mut union.branches {
                    branch.ty = self.slot(&Slot::member(&union.name, &branch.name), branch.ty)?;
                }
            }
            _ => {}
        }
        let place = self.types.named[&id];
        self.types.new.define(place, ty);
        Ok(())
    }

    /// The type of a slot in the new schema.
    fn slot(&mut self, slot: &Slot, ty: TypeId) -> Result<TypeId> {
        let old = self.types.old;
        let inner = value_type(old, ty);
        let new = match self.changes.iter().position(|(changed, _)| changed == slot) {
            Some(place) => {
                let site = Site { schema: old, slot, ty: inner };
                let planned = (self.changes[place].1)(&site, self.types)?;
                let new = planned.ty;
                self.planned[place] = Some(planned);
                new
            }
            None => self.plain(slot, inner)?,
        };
        if inner == ty {
            return Ok(new);
        }
        let Type { logical, notes, .. } = old.ty(ty).clone();
        Ok(self.types.new.add_type(Type { kind: Kind::Nullable(new), logical, notes }))
    }

    fn plain(&mut self, slot: &Slot, ty: TypeId) -> Result<TypeId> {
        let mut made = self.types.old.ty(ty).clone();
        match &mut made.kind {
            Kind::List(item) => *item = self.slot(&slot.element(), *item)?,
            Kind::Map(key, value) => {
                *key = self.types.same(*key);
                *value = self.slot(&slot.value(), *value)?;
            }
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => return Ok(self.types.named[&ty]),
            _ => {}
        }
        Ok(self.types.new.add_type(made))
    }
}

impl Types<'_> {
    /// The same type in the new schema, whatever may be changed in it.
    pub fn same(&mut self, ty: TypeId) -> TypeId {
        let mut made = self.old.ty(ty).clone();
        match &mut made.kind {
            Kind::List(inner) | Kind::Nullable(inner) => *inner = self.same(*inner),
            Kind::Map(key, value) => (*key, *value) = (self.same(*key), self.same(*value)),
            Kind::Record(_) | Kind::Enum(_) | Kind::Union(_) => return self.named[&ty],
            _ => {}
        }
        self.new.add_type(made)
    }

    /// Adds a type.
    pub fn add(&mut self, ty: impl Into<Type>) -> TypeId {
        self.new.add_type(ty.into())
    }

    /// A name that no type has yet: this one, or one like it.
    pub fn name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut count = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}{count}");
            count += 1;
        }
        name
    }
}
