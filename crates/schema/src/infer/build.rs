//! From what was seen to a schema.

use std::collections::{HashMap, HashSet, VecDeque};
use std::mem::discriminant;

use wirewise_core::schema::MOST_NESTING;
use wirewise_core::{Branch, Field, Kind, Notes, Record, Result, Schema, SchemaBuilder, Type, TypeId, Union};

use super::LogicalStyle;
use super::graph::{BodyId, Graph, Keys, ObjectId, Position, Slot};
use super::known::{Imported, Named};
use super::names::{pascal, singular};
use super::numbering::Numbering;
use super::shape::{Part, Shape, Shaper};

/// Longest name made of several fields' names, in bytes: names of names of names must end somewhere.
const MOST_NAME: usize = 120;

/// Makes the schema; maps and recursive types are settled in `graph` already.
pub(super) fn build(
    graph: &Graph,
    imported: &Imported,
    style: LogicalStyle,
    root: Position,
    root_name: &str,
) -> Result<Schema> {
    let mut builder = Builder {
        graph,
        imported,
        shapes: Shaper { graph, imported, style },
        types: SchemaBuilder::new(),
        names: HashSet::new(),
        numbered: HashMap::new(),
        objects: HashMap::new(),
        unions: HashMap::new(),
        enums: HashMap::new(),
        declared: Vec::new(),
        nullables: HashMap::new(),
        open: Vec::new(),
        nesting: 0,
    };
    builder.declare_imported();
    let base = pascal(root_name);
    builder.declare_reachable(root, if base.is_empty() { "Root".to_owned() } else { base });
    builder.define()?;
    let root = builder.position(root);
    if let Some(schema) = &imported.schema {
        builder.types.set_notes(schema.notes().clone());
    }
    builder.types.finish(root)
}

type Queue = VecDeque<(BodyId, String, String)>;

struct Builder<'a> {
    graph: &'a Graph,
    imported: &'a Imported,
    shapes: Shaper<'a>,
    types: SchemaBuilder,
    names: HashSet<String>,
    /// The next number for a name that is taken.
    numbered: HashMap<String, u32>,
    objects: HashMap<ObjectId, TypeId>,
    unions: HashMap<BodyId, TypeId>,
    enums: HashMap<TypeId, TypeId>,
    /// Records and unions in the order of the file, with their names.
    declared: Vec<(Named, String)>,
    nullables: HashMap<TypeId, TypeId>,
    /// Lists and maps that are being built: one inside itself, without a record between, has no type but `any`.
    open: Vec<BodyId>,
    /// How many lists, maps and nullables the type that is being built is inside: what nests deeper than a
    /// schema file may say has no type but `any` either.
    nesting: usize,
}

impl Builder<'_> {
    /// Named types of the schema at hand come first, in its order.
    fn declare_imported(&mut self) {
        let Some(schema) = &self.imported.schema else { return };
        for (index, _) in schema.types().iter().enumerate() {
            self.names.extend(schema.name(TypeId::from_index(index)).map(str::to_owned));
        }
        for named in &self.imported.named {
            match *named {
                Named::Enum(id) => {
                    let kind = Kind::Enum(self.imported.enums.get(id).clone());
                    let new = self.types.add_type(Type { kind, logical: None, notes: self.imported.notes(id) });
                    self.enums.insert(id, new);
                }
                Named::Record(id) => {
                    let object = self.graph.object(id);
                    if let (Some(known), None) = (object.known, object.map) {
                        let name = self.imported.record(known).name.clone();
                        self.declare_object(self.graph.object_id(id), name);
                    }
                }
                Named::Union(id) => {
                    let id = self.graph.body_id(id);
                    if let Some(known) = &self.graph.body(id).known
                        && !matches!(self.shapes.shape(id), Shape::Any)
                    {
                        self.declare_union(id, self.imported.union(known.ty).name.clone());
                    }
                }
            }
        }
    }

    fn declare_object(&mut self, id: ObjectId, name: String) {
        if !self.objects.contains_key(&id) {
            self.objects.insert(id, self.types.declare());
            self.declared.push((Named::Record(id), name));
        }
    }

    fn declare_union(&mut self, id: BodyId, name: String) {
        if !self.unions.contains_key(&id) {
            self.unions.insert(id, self.types.declare());
            self.declared.push((Named::Union(id), name));
        }
    }

    /// A name that no other type has: the base, with the parent's name before it, or with a number.
    fn name(&mut self, parent: &str, base: &str) -> String {
        let long = format!("{parent}{base}");
        let mut name = if self.names.contains(base) && long.len() <= MOST_NAME { long } else { base.to_owned() };
        while self.names.contains(&name) {
            let number = self.numbered.entry(base.to_owned()).or_insert(1);
            *number += 1;
            name = format!("{base}{number}");
        }
        self.names.insert(name.clone());
        name
    }

    /// Names records and unions level by level, so that those nearest to the root have the shortest names.
    fn declare_reachable(&mut self, root: Position, root_name: String) {
        let mut queue = Queue::new();
        queue.push_back((root.body, String::new(), root_name));
        for (named, name) in self.declared.clone() {
            match named {
                Named::Record(id) => self.queue_fields(id, &name, &mut queue),
                Named::Union(id) => self.queue_branches(id, &name, &mut queue),
                Named::Enum(_) => {}
            }
        }
        let mut visited = HashSet::new();
        while let Some((body, parent, base)) = queue.pop_front() {
            let body = self.graph.body_id(body);
            if !visited.insert(body) {
                continue;
            }
            match self.shapes.shape(body) {
                Shape::Any | Shape::Nothing => {}
                Shape::One(part) => self.declare_part(&part, &parent, &base, &mut queue),
                Shape::Union(_) | Shape::Tagged(_) => {
                    if !self.unions.contains_key(&body) {
                        let name = self.name(&parent, &base);
                        self.declare_union(body, name.clone());
                        self.queue_branches(body, &name, &mut queue);
                    }
                }
            }
        }
    }

    fn declare_part(&mut self, part: &Part, parent: &str, base: &str, queue: &mut Queue) {
        match part {
            Part::Any | Part::Scalar(..) | Part::Enum(_) => {}
            Part::List(item) => queue.push_back((item.body, parent.to_owned(), singular(base))),
            Part::Object(id) => match self.graph.object(*id).map {
                Some(value) => queue.push_back((value.body, parent.to_owned(), singular(base))),
                None if self.objects.contains_key(id) => {}
                None => {
                    let name = self.name(parent, base);
                    self.declare_object(*id, name.clone());
                    self.queue_fields(*id, &name, queue);
                }
            },
        }
    }

    fn queue_fields(&self, id: ObjectId, name: &str, queue: &mut Queue) {
        for (at, entry) in self.graph.object(id).fields.iter().enumerate() {
            let base = match pascal(&entry.name) {
                base if base.is_empty() => format!("{name}Field{}", at + 1),
                base => base,
            };
            queue.push_back((entry.position.body, name.to_owned(), base));
        }
    }

    fn queue_branches(&mut self, id: BodyId, name: &str, queue: &mut Queue) {
        let parts: Vec<Part> = match self.shapes.shape(id) {
            Shape::Union(parts) => parts.into_iter().map(|(_, part)| part).collect(),
            Shape::Tagged(parts) => parts,
            Shape::One(part) => vec![part],
            Shape::Any | Shape::Nothing => return,
        };
        for part in parts {
            let suffix = match part {
                Part::List(_) => "Item",
                Part::Object(id) if self.graph.object(id).map.is_some() => "Value",
                _ => "Record",
            };
            self.declare_part(&part, name, &format!("{name}{suffix}"), queue);
        }
    }

    fn define(&mut self) -> Result<()> {
        for (named, name) in std::mem::take(&mut self.declared) {
            match named {
                Named::Record(id) => {
                    let record = self.record(id, name)?;
                    let notes = self.graph.object(id).known.map(|known| self.imported.notes(known));
                    self.define_named(self.objects[&id], Kind::Record(record), notes);
                }
                Named::Union(id) => {
                    let union = self.union(id, name)?;
                    let notes = self.graph.body(id).known.as_ref().map(|known| self.imported.notes(known.ty));
                    self.define_named(self.unions[&id], Kind::Union(union), notes);
                }
                Named::Enum(_) => {}
            }
        }
        Ok(())
    }

    fn define_named(&mut self, id: TypeId, kind: Kind, notes: Option<Notes>) {
        self.types.define(id, Type { kind, logical: None, notes: notes.unwrap_or_default() });
    }

    fn record(&mut self, id: ObjectId, name: String) -> Result<Record> {
        let object = self.graph.object(id);
        let old = object.known.map(|known| self.imported.record(known));
        let used = old.into_iter().flat_map(|old| {
            old.fields.iter().map(|field| field.number).chain(old.reserved_numbers.iter().map(|range| *range.end()))
        });
        let mut numbers = Numbering::after(used);
        let mut record = Record::new(name, Vec::new());
        for entry in &object.fields {
            let ty = self.position(entry.position);
            let old_field = old.zip(entry.known).map(|(old, at)| &old.fields[at as usize]);
            let always = entry.count == object.count;
            let mut field = match old_field {
                Some(old_field) => self.kept(old_field, ty),
                None => Field::new(numbers.next()?, &*entry.name, ty),
            };
            if !always || (old.is_some() && old_field.is_none()) {
                field = field.optional();
            }
            field.oneof = None;
            record.fields.push(field);
        }
        if let Some(old) = old {
            // Samples may have two fields of a oneof: only where there are none is it known to hold.
            if object.count == 0 && record.fields.len() == old.fields.len() {
                record.oneofs = old.oneofs.clone();
                for (field, old) in record.fields.iter_mut().zip(&old.fields) {
                    field.oneof = old.oneof.filter(|_| field.is_optional());
                }
            }
            record.doc = old.doc.clone();
            record.reserved_numbers = old.reserved_numbers.clone();
            let back = |name: &String| object.find(name.as_bytes(), usize::MAX).is_some();
            record.reserved_names = old.reserved_names.iter().filter(|name| !back(name)).cloned().collect();
        }
        Ok(record)
    }

    /// A type with the notes that the schema at hand has on it: how a scalar is encoded must not change unseen.
    fn noted(&mut self, old: TypeId, new: TypeId) -> TypeId {
        let Some(schema) = &self.imported.schema else { return new };
        let notes = schema.type_notes(old).clone();
        let Some(kind) = self.types.kind(new).cloned() else { return new };
        let kind = match (schema.kind(old), kind) {
            (Kind::Nullable(old), Kind::Nullable(inner)) => Kind::Nullable(self.noted(*old, inner)),
            (Kind::List(old), Kind::List(item)) => Kind::List(self.noted(*old, item)),
            (Kind::Map(old_key, old), Kind::Map(key, value)) => {
                Kind::Map(self.noted(*old_key, key), self.noted(*old, value))
            }
            // Named types have theirs where they are defined.
            (Kind::Record(_) | Kind::Enum(_) | Kind::Union(_), _) => return new,
            (old, kind) if *old == kind => kind,
            _ => return new,
        };
        match Some(&kind) == self.types.kind(new) && notes.is_empty() {
            true => new,
            false => self.types.add_type(Type { kind, logical: self.types.logical(new), notes }),
        }
    }

    /// A field of the schema at hand, without its default if that is no value of the new type: then it is optional,
    /// because messages may have come without it.
    fn kept(&mut self, old: &Field, ty: TypeId) -> Field {
        let mut field = old.clone();
        let ty = self.noted(old.ty, ty);
        field.ty = ty;
        let Some(schema) = &self.imported.schema else { return field };
        let (new, nullable) = match self.types.kind(ty) {
            Some(Kind::Nullable(inner)) => (self.types.kind(*inner), true),
            kind => (kind, false),
        };
        let null = old.default.as_ref().is_some_and(|default| default.is_null());
        // What is not defined yet is a record or a union, of which there are no defaults.
        let alike = |new| discriminant(new) == discriminant(schema.kind(old.value_type()));
        let same = if null { nullable || new == Some(&Kind::Null) } else { new.is_some_and(alike) };
        if !same && field.default.take().is_some() {
            field = field.optional();
        }
        field
    }

    fn union(&mut self, id: BodyId, name: String) -> Result<Union> {
        let known = self.graph.body(id).known.clone();
        let old = known.as_ref().map(|known| self.imported.union(known.ty));
        let doc = old.and_then(|old| old.doc.clone());
        let old_branches = known.map(|known| known.branches).unwrap_or_default();
        let mut branches: Vec<Branch> = Vec::new();
        match self.shapes.shape(id) {
            Shape::Tagged(parts) => {
                for (part, branch) in parts.into_iter().zip(old_branches) {
                    let ty = self.part(id, &part);
                    branches.push(Branch::new(branch.number, branch.name, ty));
                }
            }
            Shape::Union(parts) => {
                let mut numbers = Numbering::after(old_branches.iter().map(|branch| branch.number));
                let is_number = |slot| matches!(slot, Slot::Int | Slot::Float);
                let one_number = parts.iter().filter(|(slot, _)| is_number(*slot)).count() == 1;
                for (slot, part) in parts {
                    let ty = self.part(id, &part);
                    let old = old_branches.iter().find(|branch| branch.slot == slot).or_else(|| {
                        // One type for all numbers: it goes on from either branch.
                        let either = old_branches.iter().find(|branch| is_number(branch.slot));
                        either.filter(|_| one_number && is_number(slot))
                    });
                    let (number, name) = match old {
                        Some(old) => (old.number, old.name.clone()),
                        None => {
                            let base = part.name(self.graph);
                            let taken = |name: &String| old_branches.iter().any(|branch| branch.name == *name);
                            let numbered = (2..).map(|n| format!("{base}{n}"));
                            let name = std::iter::once(base.to_owned()).chain(numbered).find(|name| !taken(name));
                            (numbers.next()?, name.unwrap_or_default())
                        }
                    };
                    branches.push(Branch::new(number, name, ty));
                }
            }
            _ => unreachable!("declared as a union"),
        }
        Ok(Union { name, doc, branches })
    }

    fn position(&mut self, position: Position) -> TypeId {
        self.nesting += usize::from(position.null);
        let ty = self.body(position.body);
        self.nesting -= usize::from(position.null);
        if !position.null || matches!(self.types.kind(ty), Some(Kind::Null | Kind::Any)) {
            return ty;
        }
        if let Some(&nullable) = self.nullables.get(&ty) {
            return nullable;
        }
        let nullable = self.types.add(Kind::Nullable(ty));
        self.nullables.insert(ty, nullable);
        nullable
    }

    fn body(&mut self, id: BodyId) -> TypeId {
        let id = self.graph.body_id(id);
        if let Some(&union) = self.unions.get(&id) {
            return union;
        }
        match self.shapes.shape(id) {
            Shape::Nothing => self.types.add(Kind::Null),
            Shape::One(part) => self.part(id, &part),
            Shape::Any | Shape::Union(_) | Shape::Tagged(_) => self.types.add(Kind::Any),
        }
    }

    fn value_is_null(&self, map: ObjectId) -> bool {
        self.graph.object(map).map.is_some_and(|value| value.null)
    }

    fn part(&mut self, body: BodyId, part: &Part) -> TypeId {
        match part {
            Part::Any => self.types.add(Kind::Any),
            Part::Scalar(kind, logical) => self.types.add_logical(kind.clone(), *logical),
            Part::Enum(id) => self.enums[id],
            Part::Object(id) if self.graph.object(*id).map.is_none() => self.objects[id],
            Part::List(_) | Part::Object(_) if self.open.contains(&body) => self.types.add(Kind::Any),
            // One for this type, and one for an element that may be null.
            Part::List(item) if self.nesting + 1 + usize::from(item.null) > MOST_NESTING => self.types.add(Kind::Any),
            Part::Object(id) if self.nesting + 1 + usize::from(self.value_is_null(*id)) > MOST_NESTING => {
                self.types.add(Kind::Any)
            }
            Part::List(item) => {
                self.open.push(body);
                self.nesting += 1;
                // `list of null` is what a list that was always empty is: elements that may come need a wider type.
                let only_null = item.null && self.graph.body(item.body).is_empty();
                let item = if only_null { self.types.add(Kind::Any) } else { self.position(*item) };
                self.nesting -= 1;
                self.open.pop();
                self.types.add(Kind::List(item))
            }
            Part::Object(id) => {
                self.open.push(body);
                self.nesting += 1;
                let object = self.graph.object(*id);
                let value = object.map.map(|value| self.position(value));
                self.nesting -= 1;
                self.open.pop();
                let value = value.unwrap_or_else(|| self.types.add(Kind::Any));
                let key = self.types.add(match object.keys {
                    Keys::String => Kind::String,
                    Keys::Int(int) => Kind::Int(int),
                    Keys::Bool => Kind::Bool,
                });
                self.types.add(Kind::Map(key, value))
            }
        }
    }
}
