//! Building a schema, and the rules that every schema keeps.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use super::{Field, Float, Int, Kind, Logical, Notes, Oneof, Part, Presence, Record, Schema, Type, TypeId};
use crate::{Error, ErrorKind, Result};

/// Collects types, then checks them as a whole.
///
/// ```
/// use wirewise_core::{Field, Int, Kind, Record, SchemaBuilder};
///
/// let mut types = SchemaBuilder::new();
/// let node = types.declare();
/// let value = types.add(Kind::Int(Int::I64));
/// types.define(node, Kind::Record(Record::new("Node", vec![
///     Field::new(1, "value", value),
///     Field::new(2, "next", node).optional(),
/// ])));
/// let schema = types.finish(node)?;
/// assert_eq!(schema.name(schema.root()), Some("Node"));
/// # Ok::<(), wirewise_core::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct SchemaBuilder {
    types: Vec<Option<Type>>,
    scalars: HashMap<(&'static str, u32, Option<Logical>, Notes), TypeId>,
    notes: Notes,
}

impl SchemaBuilder {
    /// No types yet.
    pub fn new() -> Self {
        SchemaBuilder::default()
    }

    /// Adds a type; equal scalars share one entry.
    pub fn add(&mut self, kind: Kind) -> TypeId {
        self.add_logical(kind, None)
    }

    /// Adds a type with a meaning.
    pub fn add_logical(&mut self, kind: Kind, logical: Option<Logical>) -> TypeId {
        self.add_type(Type { kind, logical, notes: Notes::default() })
    }

    /// Adds a type with all that is known of it; equal scalars share one entry.
    pub fn add_type(&mut self, ty: Type) -> TypeId {
        let size = if let Kind::Fixed(size) = ty.kind { size } else { 0 };
        let shared = super::file::scalar_name(&ty.kind).map(|name| (name, size, ty.logical, ty.notes.clone()));
        if let Some(&id) = shared.as_ref().and_then(|key| self.scalars.get(key)) {
            return id;
        }
        let id = self.declare();
        self.types[id.index()] = Some(ty);
        if let Some(key) = shared {
            self.scalars.insert(key, id);
        }
        id
    }

    /// Sets the notes of the schema as a whole.
    pub fn set_notes(&mut self, notes: Notes) {
        self.notes = notes;
    }

    /// Reserves a place for a type that others refer to before it is known (recursion).
    pub fn declare(&mut self) -> TypeId {
        self.types.push(None);
        TypeId::from_index(self.types.len() - 1)
    }

    /// Fills a declared place.
    pub fn define(&mut self, id: TypeId, ty: impl Into<Type>) {
        self.types[id.index()] = Some(ty.into());
    }

    /// How many types there are so far, declared ones included.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is no type yet.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// A type added so far; `None` when it is only declared.
    pub fn ty(&self, id: TypeId) -> Option<&Type> {
        self.types[id.index()].as_ref()
    }

    /// The kind of a type added so far.
    pub fn kind(&self, id: TypeId) -> Option<&Kind> {
        self.types[id.index()].as_ref().map(|ty| &ty.kind)
    }

    /// The meaning of a type added so far.
    pub fn logical(&self, id: TypeId) -> Option<Logical> {
        self.types[id.index()].as_ref().and_then(|ty| ty.logical)
    }

    /// Checks the whole and completes it.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`], naming the type and field, when a rule that the model's documentation states is broken.
    pub fn finish(self, root: TypeId) -> Result<Schema> {
        let count = self.types.len();
        let types: Vec<Type> = self
            .types
            .into_iter()
            .enumerate()
            .map(|(i, ty)| ty.ok_or_else(|| wrong(format!("type {i} was declared but never defined"))))
            .collect::<Result<_>>()?;
        if root.index() >= count {
            return Err(wrong("the root type does not exist"));
        }
        let mut schema = Schema { types, root, notes: self.notes, by_name: Vec::new() };
        schema.sort_names();
        check(&schema)?;
        check_unnamed(&schema)?;
        complete(&mut schema);
        check_finite(&schema)?;
        Ok(schema)
    }
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Schema, message)
}

/// Fills what is derived from the rest: nullability of fields, state words and places of records.
fn complete(schema: &mut Schema) {
    let inner: Vec<Option<u32>> =
        schema.types.iter().map(|ty| if let Kind::Nullable(inner) = ty.kind { Some(inner.0) } else { None }).collect();
    for (place, ty) in schema.types.iter_mut().enumerate() {
        if let Kind::Record(record) = &mut ty.kind {
            for field in &mut record.fields {
                field.nullable = inner[field.ty.index()].is_some();
                field.value_type = inner[field.ty.index()].unwrap_or(field.ty.0);
            }
            let stateful = record.fields.iter().any(super::Field::is_stateful);
            record.state_words = if stateful { record.fields.len().div_ceil(32) as u32 } else { 0 };
            record.id = place as u32;
        }
    }
}

fn check(schema: &Schema) -> Result<()> {
    let count = schema.types.len();
    let exists = |id: TypeId, what: &dyn Fn() -> String| {
        if id.index() < count { Ok(()) } else { Err(wrong(format!("{} has a type that does not exist", what()))) }
    };
    let mut names = HashSet::new();
    let mut symbols = Symbols::new();
    for place in 0..count {
        let id = TypeId::from_index(place);
        check_type(schema, id, &exists, &mut names, &mut symbols).map_err(|error| error.in_part(Part::Type(id)))?;
    }
    Ok(())
}

fn check_type<'a>(
    schema: &'a Schema,
    id: TypeId,
    exists: &Exists<'_>,
    names: &mut HashSet<&'a str>,
    symbols: &mut Symbols<'a>,
) -> Result<()> {
    let ty = schema.ty(id);
    if let Some(name) = schema.name(id) {
        if name.is_empty() {
            return Err(wrong("a record, enum or union has an empty name"));
        }
        if !names.insert(name) {
            return Err(wrong(format!("two types are called {name:?}")));
        }
    }
    match &ty.kind {
        Kind::List(item) => exists(*item, &|| "a list".into())?,
        Kind::Nullable(inner) => {
            exists(*inner, &|| "a nullable".into())?;
            if matches!(schema.kind(*inner), Kind::Nullable(_) | Kind::Null | Kind::Any) {
                return Err(wrong(format!("a nullable {} has null already", schema.describe(*inner))));
            }
        }
        Kind::Map(key, value) => {
            exists(*key, &|| "a map".into())?;
            exists(*value, &|| "a map".into())?;
            if !matches!(schema.kind(*key), Kind::String | Kind::Int(_) | Kind::Bool) {
                return Err(wrong(format!(
                    "a map has keys of type {}: keys are strings, integers or booleans",
                    schema.describe(*key)
                )));
            }
        }
        Kind::Record(record) => check_record(schema, id, record, exists, symbols)?,
        Kind::Enum(e) => {
            if e.symbols.is_empty() {
                return Err(wrong(format!("enum {} has no symbols", e.name)));
            }
            let mut seen = HashSet::new();
            check_reserved(&e.reserved_numbers, &e.name)?;
            let reserved: HashSet<&String> = e.reserved_names.iter().collect();
            for (i, symbol) in e.symbols.iter().enumerate() {
                let wrong = |message| wrong(message).in_part(Part::Symbol(id, i));
                if is_reserved(&e.reserved_numbers, symbol.number) || reserved.contains(&symbol.name) {
                    return Err(wrong(format!("symbol {} of enum {} is reserved", symbol.name, e.name)));
                }
                if symbol.name.is_empty() || !seen.insert(&symbol.name) {
                    return Err(wrong(format!("enum {} has two symbols {:?}", e.name, symbol.name)));
                }
            }
        }
        Kind::Union(union) => {
            if union.branches.is_empty() {
                return Err(wrong(format!("union {} has no branches", union.name)));
            }
            let (mut numbers, mut seen) = (HashSet::new(), HashSet::new());
            for (i, branch) in union.branches.iter().enumerate() {
                let wrong = |message| wrong(message).in_part(Part::Branch(id, i));
                let place = || format!("branch {} of union {}", branch.name, union.name);
                exists(branch.ty, &place)?;
                check_number(branch.number, &mut numbers, &place).map_err(|e| e.in_part(Part::Branch(id, i)))?;
                if branch.name.is_empty() || !seen.insert(&branch.name) {
                    return Err(wrong(format!("union {} has two branches {:?}", union.name, branch.name)));
                }
                if matches!(schema.kind(branch.ty), Kind::Nullable(_) | Kind::Null | Kind::Union(_)) {
                    return Err(wrong(format!(
                        "{} is {}: make the union itself nullable, and its branches flat",
                        place(),
                        schema.describe(branch.ty)
                    )));
                }
            }
        }
        _ => {}
    }
    check_logical(schema, id, ty)
}

type Exists<'a> = dyn Fn(TypeId, &dyn Fn() -> String) -> Result<()> + 'a;

/// The symbols' names of the enums that have been asked for: a schema may have many defaults of one large enum.
type Symbols<'a> = HashMap<TypeId, HashSet<&'a str>>;

fn check_record<'a>(
    schema: &'a Schema,
    id: TypeId,
    record: &'a Record,
    exists: &Exists<'_>,
    symbols: &mut Symbols<'a>,
) -> Result<()> {
    let (mut numbers, mut names) = (HashSet::new(), HashSet::new());
    check_reserved(&record.reserved_numbers, &record.name)?;
    let field_names: HashSet<&String> = record.fields.iter().map(|field| &field.name).collect();
    let used: HashSet<usize> = record.fields.iter().filter_map(|field| field.oneof).collect();
    let mut oneofs = HashSet::new();
    for (i, Oneof { name, .. }) in record.oneofs.iter().enumerate() {
        let wrong = |message| wrong(message).in_part(Part::Oneof(id, i));
        if name.is_empty() || !oneofs.insert(name) {
            return Err(wrong(format!("record {} has two oneofs {name:?}", record.name)));
        }
        if field_names.contains(name) {
            return Err(wrong(format!("record {} has a field and a oneof {name:?}", record.name)));
        }
        if !used.contains(&i) {
            return Err(wrong(format!("oneof {name:?} of record {} has no fields", record.name)));
        }
    }
    let reserved_names: HashSet<&String> = record.reserved_names.iter().collect();
    for (i, field) in record.fields.iter().enumerate() {
        check_field(schema, record, field, exists, symbols, (&mut numbers, &mut names, &reserved_names))
            .map_err(|error| error.in_part(Part::Field(id, i)))?;
    }
    Ok(())
}

/// Numbers and names of the fields so far, and the reserved names.
type Taken<'a, 'b> = (&'b mut HashSet<u32>, &'b mut HashSet<&'a String>, &'b HashSet<&'a String>);

fn check_field<'a>(
    schema: &'a Schema,
    record: &'a Record,
    field: &'a Field,
    exists: &Exists<'_>,
    symbols: &mut Symbols<'a>,
    (numbers, names, reserved_names): Taken<'a, '_>,
) -> Result<()> {
    let place = || format!("field {:?} of record {}", field.name, record.name);
    exists(field.ty, &place)?;
    check_number(field.number, numbers, &place)?;
    if field.name.is_empty() || !names.insert(&field.name) {
        return Err(wrong(format!("record {} has two fields {:?}", record.name, field.name)));
    }
    if let Some(oneof) = field.oneof {
        if oneof >= record.oneofs.len() {
            return Err(wrong(format!("{} is in a oneof that does not exist", place())));
        }
        if !field.is_optional() || field.default.is_some() {
            return Err(wrong(format!("{} is in a oneof: it must be optional, without a default", place())));
        }
    }
    if is_reserved(&record.reserved_numbers, field.number) {
        return Err(wrong(format!("{} has the reserved number {}", place(), field.number)));
    }
    if reserved_names.contains(&field.name) {
        return Err(wrong(format!("{} has a reserved name", place())));
    }
    if let Some(default) = &field.default {
        check_default(schema, field.ty, default, symbols)
            .map_err(|why| wrong(format!("the default of {} {why}", place())))?;
    }
    Ok(())
}

/// Ranges must be sorted and apart from each other.
fn check_reserved<T: PartialOrd + std::fmt::Display>(ranges: &[RangeInclusive<T>], of: &str) -> Result<()> {
    for (i, range) in ranges.iter().enumerate() {
        let (from, to) = (range.start(), range.end());
        if from > to || i > 0 && ranges[i - 1].end() >= from {
            return Err(wrong(format!("the reserved numbers of {of} are not in order: {from} to {to}")));
        }
    }
    Ok(())
}

fn is_reserved<T: PartialOrd>(ranges: &[RangeInclusive<T>], number: T) -> bool {
    let place = ranges.partition_point(|range| *range.end() < number);
    ranges.get(place).is_some_and(|range| *range.start() <= number)
}

fn check_number(number: u32, seen: &mut HashSet<u32>, place: &dyn Fn() -> String) -> Result<()> {
    if !(1..=0x1FFF_FFFF).contains(&number) {
        return Err(wrong(format!("{} has number {number}: numbers are 1 to 536870911", place())));
    }
    if !seen.insert(number) {
        return Err(wrong(format!("{} has number {number}, which is taken", place())));
    }
    Ok(())
}

fn check_default<'a>(
    schema: &'a Schema,
    ty: TypeId,
    default: &serde_json::Value,
    symbols: &mut Symbols<'a>,
) -> Result<(), String> {
    use serde_json::Value as Json;
    let fits = match (schema.kind(ty), default) {
        (Kind::Nullable(_) | Kind::Null, Json::Null) => true,
        (Kind::Nullable(inner), other) => return check_default(schema, *inner, other, symbols),
        (Kind::Bool, Json::Bool(_)) | (Kind::String, Json::String(_)) => true,
        (Kind::Int(int), Json::Number(n)) => {
            n.as_i64().map(i128::from).or(n.as_u64().map(i128::from)).is_some_and(|n| int.holds(n))
        }
        (Kind::Float(Float::F32), Json::Number(n)) => n.as_f64().is_some_and(|n| (n as f32).is_finite()),
        (Kind::Float(Float::F64), Json::Number(_)) => true,
        (Kind::Float(_), Json::String(s)) => matches!(s.as_str(), "NaN" | "Infinity" | "-Infinity"),
        (Kind::Enum(e), Json::String(name)) => {
            let names = symbols.entry(ty).or_insert_with(|| e.symbols.iter().map(|s| s.name.as_str()).collect());
            names.contains(name.as_str())
        }
        // A combination of flags: an open enum carries any number.
        (Kind::Enum(e), Json::Number(n)) => !e.closed && n.as_i64().is_some(),
        (Kind::Bytes, Json::String(text)) => crate::text::base64::decode(text.as_bytes(), &mut Vec::new()),
        (Kind::List(_), Json::Array(items)) => items.is_empty(),
        (Kind::Map(..), Json::Object(entries)) => entries.is_empty(),
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("is {default}, which is no {}", schema.describe(ty))) }
}

fn check_logical(schema: &Schema, id: TypeId, ty: &Type) -> Result<()> {
    let Some(logical) = ty.logical else { return Ok(()) };
    let fits = match logical {
        Logical::Uuid => matches!(ty.kind, Kind::String | Kind::Fixed(16)),
        Logical::Timestamp(_) => matches!(ty.kind, Kind::String | Kind::Int(Int::I64)),
        Logical::Date => matches!(ty.kind, Kind::String | Kind::Int(Int::I32)),
        Logical::Number => matches!(ty.kind, Kind::String | Kind::Float(Float::F64)),
        Logical::Base64 => matches!(ty.kind, Kind::String),
    };
    if fits {
        Ok(())
    } else {
        Err(wrong(format!(
            "the logical type {} does not fit {}",
            super::file::logical_name(logical),
            schema.describe(id)
        )))
    }
}

/// A list, map or nullable that contains itself, without a named type between, could not be written down.
fn check_unnamed(schema: &Schema) -> Result<()> {
    const NEVER: usize = usize::MAX;
    // From which start each type was first reached.
    let mut reached = vec![NEVER; schema.types.len()];
    for start in 0..schema.types.len() {
        let mut place = start;
        while reached[place] == NEVER {
            reached[place] = start;
            match schema.types[place].kind {
                Kind::List(inner) | Kind::Map(_, inner) | Kind::Nullable(inner) => place = inner.index(),
                _ => break,
            }
            if reached[place] == start {
                return Err(wrong("a list, map or nullable contains itself: only records and unions can"));
            }
        }
    }
    Ok(())
}

/// A record that must contain itself has no finite value: neither directly, nor because every branch of a union, or every
/// field of a oneof of which one must be there, leads back to it.
fn check_finite(schema: &Schema) -> Result<()> {
    let count = schema.types.len();
    let is_must = |field: &super::Field| field.presence == Presence::Required && !field.nullable;
    // What must be finite for each type to be: how many parts of a record; one branch of a union, one field of a oneof.
    let mut open: Vec<usize> = vec![0; count];
    let mut oneofs: Vec<Vec<bool>> = vec![Vec::new(); count];
    let mut users: Vec<Vec<(usize, Option<usize>)>> = vec![Vec::new(); count];
    for (place, ty) in schema.types.iter().enumerate() {
        match &ty.kind {
            Kind::Record(record) => {
                for field in &record.fields {
                    match field.oneof {
                        Some(oneof) if record.oneofs[oneof].required => {
                            users[field.value_type as usize].push((place, Some(oneof)));
                        }
                        _ if is_must(field) => {
                            open[place] += 1;
                            users[field.ty.index()].push((place, None));
                        }
                        _ => {}
                    }
                }
                oneofs[place] = record.oneofs.iter().map(|oneof| oneof.required).collect();
                open[place] += record.oneofs.iter().filter(|oneof| oneof.required).count();
            }
            Kind::Union(union) => {
                open[place] = 1;
                union.branches.iter().for_each(|branch| users[branch.ty.index()].push((place, None)));
            }
            _ => {}
        }
    }
    let mut finite = vec![false; count];
    let mut todo: Vec<usize> = (0..count).filter(|&place| open[place] == 0).collect();
    while let Some(place) = todo.pop() {
        if std::mem::replace(&mut finite[place], true) {
            continue;
        }
        for &(user, oneof) in &users[place] {
            // A oneof counts once, with its first field that is finite.
            let counts = oneof.is_none_or(|oneof| std::mem::replace(&mut oneofs[user][oneof], false));
            if counts && open[user] > 0 {
                open[user] -= 1;
                if open[user] == 0 {
                    todo.push(user);
                }
            }
        }
    }
    for (place, ty) in schema.types.iter().enumerate().filter(|(place, _)| !finite[*place]) {
        match &ty.kind {
            Kind::Record(record) => {
                let id = TypeId::from_index(place);
                let through = record.fields.iter().position(|field| is_must(field) && !finite[field.ty.index()]);
                let name = |at: usize| format!(" (through field {:?})", record.fields[at].name);
                let what = format!(
                    "record {} must contain itself{}, so that no message can be finite",
                    record.name,
                    through.map_or_else(String::new, name)
                );
                return Err(wrong(what).in_part(through.map_or(Part::Type(id), |at| Part::Field(id, at))));
            }
            // A union's branches are never unions: the record in it is the one to speak of.
            _ => debug_assert!(matches!(ty.kind, Kind::Union(_)), "type {place} has no parts"),
        }
    }
    Ok(())
}
