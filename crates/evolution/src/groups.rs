//! Groups: records whose fields lie in the record around them.
//!
//! Only Cap'n Proto has them. A group is no place of its own there: a field may be moved into one, and is found by the
//! same number as before. So fields are paired as if there were no groups: by their names, as a name that has another
//! number now is a field that was moved, and otherwise by their numbers, as names may change.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Branch, Field, Kind, Record, Schema, TypeId, Union};
use wirewise_formats::capnp;

use crate::rule::Ruleset;

/// How deep groups may nest; the codec refuses more.
const DEEPEST: usize = 64;

/// Fields of a record that are looked at; a Cap'n Proto struct has no more.
const MOST: usize = 65_536;

/// A field of a record, or of a group in it.
#[derive(Debug, Clone)]
pub(crate) struct Leaf<'a> {
    /// The positions of the groups around it, from the outermost.
    pub(crate) groups: Vec<usize>,
    /// The record that it is in, and its type.
    pub(crate) ty: TypeId,
    pub(crate) record: &'a Record,
    pub(crate) position: usize,
    /// Its name, after those of the groups.
    pub(crate) name: String,
}

impl<'a> Leaf<'a> {
    pub(crate) fn field(&self) -> &'a Field {
        &self.record.fields[self.position]
    }
}

impl Ruleset {
    /// Whether the field's record lies in the record around it.
    pub(crate) fn is_group(&self, schema: &Schema, field: &Field) -> bool {
        self.groups.is_some_and(|is_group| is_group(schema, field))
    }

    /// Whether records may have groups, and elements of lists become records.
    pub(crate) fn has_groups(&self) -> bool {
        self.groups.is_some()
    }

    /// The fields of a record, those of groups in place of these.
    pub(crate) fn leaves<'a>(&self, schema: &'a Schema, ty: TypeId, record: &'a Record) -> Vec<Leaf<'a>> {
        let mut leaves = Vec::with_capacity(record.fields.len());
        self.collect(schema, ty, record, (&[], ""), &mut leaves);
        leaves
    }

    fn collect<'a>(
        &self,
        schema: &'a Schema,
        ty: TypeId,
        record: &'a Record,
        (groups, names): (&[usize], &str),
        leaves: &mut Vec<Leaf<'a>>,
    ) {
        for (position, field) in record.fields.iter().enumerate() {
            if leaves.len() >= MOST {
                return;
            }
            match schema.kind(field.ty) {
                Kind::Record(inner) if groups.len() < DEEPEST && self.is_group(schema, field) => {
                    let inside = ([groups, &[position]].concat(), format!("{names}{}.", field.name));
                    self.collect(schema, field.ty, inner, (&inside.0, &inside.1), leaves);
                }
                _ => {
                    let (groups, name) = (groups.to_vec(), format!("{names}{}", field.name));
                    leaves.push(Leaf { groups, ty, record, position, name });
                }
            }
        }
    }

    /// Which of the reader's leaves takes what the writer wrote into each of its own.
    pub(crate) fn matches(
        &self,
        writer: &Schema,
        written: (&Record, &[Leaf<'_>]),
        reader: &Schema,
        read: (&Record, &[Leaf<'_>]),
    ) -> Vec<Option<usize>> {
        if !self.has_groups() {
            let other = |position: usize| (self.match_field)(writer, written.0, position, reader, read.0);
            return (0..written.1.len()).map(other).collect();
        }
        let numbers: HashMap<u32, usize> =
            read.1.iter().enumerate().map(|(i, leaf)| (leaf.field().number, i)).collect();
        let old: HashSet<&str> = written.1.iter().map(|leaf| leaf.name.as_str()).collect();
        let new: HashMap<&str, usize> = read.1.iter().enumerate().map(|(i, leaf)| (leaf.name.as_str(), i)).collect();
        let other = |leaf: &Leaf<'_>| {
            let renamed = |i: &usize| !old.contains(read.1[*i].name.as_str());
            let by_number = || numbers.get(&leaf.field().number).copied().filter(renamed);
            new.get(leaf.name.as_str()).copied().or_else(by_number)
        };
        written.1.iter().map(other).collect()
    }

    /// The types that only are groups, and never a message.
    pub(crate) fn groups(&self, schema: &Schema) -> HashSet<TypeId> {
        let records = schema.types().iter().filter_map(|ty| match &ty.kind {
            Kind::Record(record) if self.has_groups() => Some(record),
            _ => None,
        });
        let fields = records.flat_map(|record| &record.fields);
        fields.filter(|field| self.is_group(schema, field)).map(|field| field.ty).collect()
    }

    /// What tells a type from others whatever it is called.
    pub(crate) fn type_id<'a>(&self, schema: &'a Schema, ty: TypeId) -> Option<&'a str> {
        if self.has_groups() { schema.type_notes(ty).get(capnp::notes::ID) } else { None }
    }

    /// The types that have that.
    pub(crate) fn type_ids<'a>(&self, schema: &'a Schema) -> HashMap<&'a str, TypeId> {
        let mut ids = HashMap::new();
        for ty in schema.named_types() {
            if let Some(id) = self.type_id(schema, ty) {
                ids.entry(id).and_modify(|first| *first = None).or_insert(Some(ty));
            }
        }
        // Uses of a generic type share one.
        ids.into_iter().filter_map(|(id, ty)| Some((id, ty?))).collect()
    }

    /// The field that stands for a value where a list of such values became one of these records: the first by number.
    pub(crate) fn stands_for<'a>(&self, schema: &'a Schema, ty: TypeId) -> Option<Leaf<'a>> {
        match schema.kind(ty) {
            Kind::Record(record) if self.has_groups() => {
                self.leaves(schema, ty, record).into_iter().min_by_key(|leaf| leaf.field().number)
            }
            _ => None,
        }
    }
}

/// The branch that takes what is written into one: that of its name, or of its number where it was renamed.
pub(crate) fn same_branch(from: &Union, position: usize, to: &Union) -> Option<usize> {
    let branch = &from.branches[position];
    let renamed =
        |other: &Branch| other.number == branch.number && !from.branches.iter().any(|branch| branch.name == other.name);
    let by_name = to.branches.iter().position(|other| other.name == branch.name);
    by_name.or_else(|| to.branches.iter().position(renamed))
}
