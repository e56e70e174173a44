//! What a type becomes in Cap'n Proto: the members of its struct, with their ordinals. The codec lays them out and the
//! writer of `.capnp` files writes them down, so that both speak of the same struct.
//!
//! Ordinals count the fields in the order of their numbers, from 0, groups included. What a field needs beyond itself
//! comes at its place: the `none` of an optional scalar, the branches of a union.

use std::collections::HashSet;

use wirewise_core::{Error, ErrorKind, Field, Float, Kind, Record, Result, Schema, TypeId, Union};

use super::notes::{self, Skipped};

/// A struct.
#[derive(Debug, Clone)]
pub struct Shape {
    /// Its members, in the order of the model's fields.
    pub members: Vec<Member>,
    /// How many ordinals they have.
    pub ordinals: u32,
}

/// A member of a struct, group or union.
#[derive(Debug, Clone)]
pub struct Member {
    /// What it is in the model.
    pub what: What,
    /// How it is kept.
    pub form: Form,
}

/// What a member is in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The field at this position of the record that the struct or group is for.
    Field(usize),
    /// The oneof at this position of the record.
    Oneof(usize),
    /// The record's union whose members can none of them be said in the model.
    Unmodelled,
    /// The entry at this position of the note [`notes::SKIPPED`] of the record.
    Skipped(usize),
    /// The member of a union that says that there is nothing.
    Nothing,
    /// The value of a nullable or of an optional field, of a map's entry, or of a root that is no struct.
    Value,
    /// The key of a map's entry.
    Key,
    /// The branch at this position of a union that is a value.
    Branch(usize),
}

/// How a member is kept.
#[derive(Debug, Clone)]
pub enum Form {
    /// As a field of this type; of none, it is `Void` for [`What::Nothing`] and a pointer to anything otherwise.
    Slot {
        /// Its ordinal.
        ordinal: u32,
        /// Its type; never a nullable of something that is a pointer.
        ty: Option<TypeId>,
    },
    /// As a group.
    Group(Vec<Member>),
    /// As a union of at least two members.
    Union {
        /// The ordinal of the discriminant, when it has one.
        ordinal: Option<u32>,
        /// In the order of declaration.
        members: Vec<Member>,
    },
}

/// What a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// Nothing.
    Void,
    /// 2^n bits of the data section, n being at most 6.
    Data(u32),
    /// A pointer.
    Pointer,
}

/// What values of this type take in a struct.
pub fn size(schema: &Schema, ty: TypeId) -> Size {
    match schema.kind(ty) {
        Kind::Null => Size::Void,
        Kind::Bool => Size::Data(0),
        Kind::Int(int) => Size::Data(int.bits().ilog2()),
        Kind::Float(Float::F32) => Size::Data(5),
        Kind::Float(Float::F64) => Size::Data(6),
        Kind::Enum(_) => Size::Data(4),
        _ => Size::Pointer,
    }
}

impl Member {
    /// What it takes, when it is a field.
    pub fn size(&self, schema: &Schema) -> Option<Size> {
        match (&self.form, self.what) {
            (Form::Slot { ty: Some(ty), .. }, _) => Some(size(schema, *ty)),
            (Form::Slot { ty: None, .. }, What::Nothing) => Some(Size::Void),
            (Form::Slot { ty: None, .. }, _) => Some(Size::Pointer),
            _ => None,
        }
    }
}

/// Whether the fields of this field's record lie in the struct around it.
pub fn is_group(schema: &Schema, field: &Field) -> bool {
    // A group must have members.
    let has_members = || match schema.kind(field.ty) {
        Kind::Record(record) => !record.fields.is_empty() || schema.type_notes(field.ty).has(notes::SKIPPED),
        _ => false,
    };
    field.notes.has(notes::GROUP) && (field.oneof.is_some() || !field.is_optional()) && has_members()
}

/// The struct that a value of this type is where it is no field; `None`: it is none.
///
/// # Errors
/// [`ErrorKind::Schema`] when the notes contradict each other, [`ErrorKind::Unsupported`] when there are too many fields.
pub fn shape(schema: &Schema, ty: TypeId) -> Result<Option<Shape>> {
    let mut builder = Builder::new(schema);
    let members = match schema.kind(ty) {
        Kind::Record(record) => builder.record(ty, record, 0)?,
        Kind::Union(union) => vec![builder.union(What::Value, 1, union, false)],
        Kind::Nullable(inner) => vec![match schema.kind(*inner) {
            Kind::Union(union) => builder.union(What::Value, 1, union, true),
            _ => builder.field(What::Value, 1, *inner, true),
        }],
        Kind::Map(key, value) => {
            let (inner, maybe) = match schema.kind(*value) {
                Kind::Nullable(inner) => (*inner, true),
                _ => (*value, false),
            };
            vec![builder.field(What::Key, 1, *key, false), builder.field(What::Value, 2, inner, maybe)]
        }
        _ => return Ok(None),
    };
    builder.finish(members).map(Some)
}

/// The struct of a whole message: that of the root, or one with the root as its only field.
///
/// # Errors
/// As [`shape`].
pub fn root_shape(schema: &Schema) -> Result<Shape> {
    let root = schema.root();
    match schema.kind(root) {
        Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) => {
            Ok(shape(schema, root)?.expect("these are structs of their own"))
        }
        _ => {
            let mut builder = Builder::new(schema);
            let members = vec![builder.field(What::Value, 1, root, false)];
            builder.finish(members)
        }
    }
}

/// The fields of a record that only the notes know.
///
/// # Errors
/// [`ErrorKind::Schema`] when the note cannot be read.
pub fn skipped(schema: &Schema, ty: TypeId) -> Result<Vec<Skipped>> {
    match schema.type_notes(ty).get(notes::SKIPPED) {
        None => Ok(Vec::new()),
        Some(text) => {
            Skipped::parse(text).ok_or_else(|| wrong(format!("the note {} is wrong: {text}", notes::SKIPPED)))
        }
    }
}

/// How deep groups may nest.
const DEEPEST: usize = 64;

/// Ordinals of a struct; groups without fields count too, so that they cannot multiply without end.
const MOST: usize = 65535;

struct Builder<'a> {
    schema: &'a Schema,
    /// The number that places each entry; its index is its ordinal until [`Builder::finish`] sorts them.
    numbers: Vec<u32>,
    taken: HashSet<u32>,
    groups: usize,
}

impl<'a> Builder<'a> {
    fn new(schema: &'a Schema) -> Self {
        Builder { schema, numbers: Vec::new(), taken: HashSet::new(), groups: 0 }
    }

    fn entry(&mut self, number: u32) -> u32 {
        self.numbers.push(number);
        self.numbers.len() as u32 - 1
    }

    fn slot(&mut self, what: What, number: u32, ty: Option<TypeId>) -> Member {
        Member { what, form: Form::Slot { ordinal: self.entry(number), ty } }
    }

    fn take(&mut self, number: u32) -> Result<()> {
        if !self.taken.insert(number) {
            return Err(wrong(format!(
                "a group has a field with the number {number}, which another field of the struct around it has"
            )));
        }
        if self.numbers.len() + self.groups > MOST {
            return Err(too_many());
        }
        Ok(())
    }

    fn record(&mut self, ty: TypeId, record: &Record, depth: usize) -> Result<Vec<Member>> {
        if depth > DEEPEST {
            return Err(wrong(format!("groups nest deeper than {DEEPEST}")));
        }
        let skipped = skipped(self.schema, ty)?;
        let mut in_oneof: Vec<Vec<usize>> = vec![Vec::new(); record.oneofs.len()];
        for (position, field) in record.fields.iter().enumerate() {
            if let Some(oneof) = field.oneof {
                in_oneof[oneof].push(position);
            }
        }
        let unnamed = record.oneofs.iter().position(|oneof| oneof.notes.has(notes::UNNAMED));
        let mut members = Vec::new();
        for (position, field) in record.fields.iter().enumerate() {
            match field.oneof {
                None => members.push(self.plain(position, field, depth)?),
                // A oneof lies where its first member is.
                Some(oneof) if in_oneof[oneof].first() == Some(&position) => {
                    let skipped: &[Skipped] = if unnamed == Some(oneof) { &skipped } else { &[] };
                    members.push(self.oneof(record, oneof, &in_oneof[oneof], skipped, depth)?);
                }
                Some(_) => {}
            }
        }
        for (i, field) in skipped.iter().enumerate().filter(|(_, field)| !field.in_union) {
            self.take(field.number)?;
            members.push(self.slot(What::Skipped(i), field.number, None));
        }
        if unnamed.is_none() && skipped.iter().any(|field| field.in_union) {
            let inner = self.skipped(&skipped)?;
            members.push(Member { what: What::Unmodelled, form: union_of(None, inner) });
        }
        Ok(members)
    }

    /// A field that is no member of a oneof.
    fn plain(&mut self, position: usize, field: &Field, depth: usize) -> Result<Member> {
        let what = What::Field(position);
        if is_group(self.schema, field) {
            return self.group(what, field, depth);
        }
        self.take(field.number)?;
        let ty = field.value_type();
        Ok(match self.schema.kind(ty) {
            Kind::Union(union) => self.union(what, field.number, union, field.is_stateful()),
            _ => self.field(what, field.number, ty, field.is_stateful()),
        })
    }

    fn group(&mut self, what: What, field: &Field, depth: usize) -> Result<Member> {
        self.groups += 1;
        if self.groups + self.numbers.len() > MOST {
            return Err(too_many());
        }
        let Kind::Record(record) = self.schema.kind(field.ty) else { unreachable!("groups are records") };
        Ok(Member { what, form: Form::Group(self.record(field.ty, record, depth + 1)?) })
    }

    fn oneof(
        &mut self,
        record: &Record,
        oneof: usize,
        positions: &[usize],
        skipped: &[Skipped],
        depth: usize,
    ) -> Result<Member> {
        let notes = &record.oneofs[oneof].notes;
        let mut ordinal = None;
        if let Some(number) = notes.get(notes::NUMBER) {
            let number = number.parse().ok().filter(|number| (1..=1 << 16).contains(number));
            let number = number.ok_or_else(|| wrong(format!("the note {} is no number", notes::NUMBER)))?;
            self.take(number)?;
            ordinal = Some(self.entry(number));
        }
        let mut members = Vec::new();
        if !record.oneofs[oneof].required && !notes.has(notes::UNNAMED) {
            let first = positions.iter().map(|&position| record.fields[position].number).min().unwrap_or_default();
            members.push(self.slot(What::Nothing, first, None));
        }
        for &position in positions {
            let field = &record.fields[position];
            let what = What::Field(position);
            if is_group(self.schema, field) {
                members.push(self.group(what, field, depth)?);
                continue;
            }
            self.take(field.number)?;
            // No unions in unions: the compiler refuses some of these.
            let inner = field.value_type();
            let boxed = field.is_nullable() && size(self.schema, inner) != Size::Pointer;
            members.push(self.slot(what, field.number, Some(if boxed { field.ty } else { inner })));
        }
        members.extend(self.skipped(skipped)?);
        Ok(Member { what: What::Oneof(oneof), form: union_of(ordinal, members) })
    }

    /// The skipped members of the record's union.
    fn skipped(&mut self, all: &[Skipped]) -> Result<Vec<Member>> {
        let inside = all.iter().enumerate().filter(|(_, field)| field.in_union);
        inside
            .map(|(i, field)| {
                self.take(field.number)?;
                Ok(self.slot(What::Skipped(i), field.number, None))
            })
            .collect()
    }

    /// A field that is no union in place.
    fn field(&mut self, what: What, number: u32, ty: TypeId, maybe: bool) -> Member {
        if !maybe || size(self.schema, ty) == Size::Pointer {
            return self.slot(what, number, Some(ty));
        }
        let nothing = self.slot(What::Nothing, number, None);
        let value = self.slot(What::Value, number, Some(ty));
        Member { what, form: Form::Union { ordinal: None, members: vec![nothing, value] } }
    }

    fn union(&mut self, what: What, number: u32, union: &Union, maybe: bool) -> Member {
        let mut order: Vec<usize> = (0..union.branches.len()).collect();
        order.sort_by_key(|&i| union.branches[i].number);
        let mut members = Vec::new();
        if maybe {
            members.push(self.slot(What::Nothing, number, None));
        }
        for branch in order {
            members.push(self.slot(What::Branch(branch), number, Some(union.branches[branch].ty)));
        }
        Member { what, form: union_of(None, members) }
    }

    /// Gives out the ordinals.
    fn finish(self, mut members: Vec<Member>) -> Result<Shape> {
        if self.numbers.len() > MOST {
            return Err(too_many());
        }
        let mut order: Vec<usize> = (0..self.numbers.len()).collect();
        order.sort_by_key(|&entry| self.numbers[entry]);
        let mut ordinals = vec![0; order.len()];
        for (ordinal, &entry) in order.iter().enumerate() {
            ordinals[entry] = ordinal as u32;
        }
        renumber(&mut members, &ordinals);
        Ok(Shape { members, ordinals: ordinals.len() as u32 })
    }
}

/// A union of one is no union to the compiler: it is a group.
fn union_of(ordinal: Option<u32>, members: Vec<Member>) -> Form {
    if members.len() == 1 && ordinal.is_none() { Form::Group(members) } else { Form::Union { ordinal, members } }
}

fn renumber(members: &mut [Member], ordinals: &[u32]) {
    for member in members {
        match &mut member.form {
            Form::Slot { ordinal, .. } => *ordinal = ordinals[*ordinal as usize],
            Form::Group(members) => renumber(members, ordinals),
            Form::Union { ordinal, members } => {
                if let Some(ordinal) = ordinal {
                    *ordinal = ordinals[*ordinal as usize];
                }
                renumber(members, ordinals);
            }
        }
    }
}

fn wrong(what: String) -> Error {
    Error::new(ErrorKind::Schema, what)
}

fn too_many() -> Error {
    Error::new(ErrorKind::Unsupported, "there are more fields than a Cap'n Proto struct can have")
}
