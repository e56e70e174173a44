//! Giving a module the numbers of a lock.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use wirewise_core::{Field, Kind, Notes, Schema, SchemaBuilder, Type, TypeId};

use super::{Lock, Locked, Numbers, Part};
use crate::{Error, Module, Result};

/// Numbers that Protobuf keeps for itself: they are not given out.
const KEPT: RangeInclusive<i64> = 19_000..=19_999;

/// Former full names of a type, as Avro has them: a JSON array of names.
const TYPE_ALIASES: &str = "avro.aliases";

impl Lock {
    /// Gives the fields, branches and symbols of a module the numbers of this lock.
    ///
    /// * A name that the lock knows gets its number, also when it was gone before.
    /// * A name whose alias the lock knows takes the number over; so does a type.
    /// * Other names get the number that the module has for them, if it has more to say than their order and the number
    ///   was never given out, and else the next free one.
    /// * Names that are gone are reserved, with their numbers.
    ///
    /// # Errors
    /// When the module reserves a number that the lock has given out.
    pub fn apply(&self, module: &Module) -> Result<Locked> {
        let mut lock = self.clone();
        let mut changes = Vec::new();
        let mut schema = SchemaBuilder::new();
        schema.set_notes(module.schema.notes().clone());
        let ids: Vec<TypeId> = module.schema.types().iter().map(|_| schema.declare()).collect();
        let names: HashSet<&str> = module.schema.named_types().filter_map(|id| module.schema.name(id)).collect();
        let places = former_places(&module.schema);
        for (&id, ty) in ids.iter().zip(module.schema.types()) {
            let mut ty = ty.clone();
            if let (Some(part), Some(name)) = (part(&ty), module.schema.name(id)) {
                let former = type_aliases(module.schema.type_notes(id), name);
                let former = former.into_iter().chain(places.get(&id).into_iter().flatten().cloned());
                let former = former.filter(|former| !names.contains(former.as_str()));
                let old = lock.entry(name, part, former, &mut changes);
                let members = members(&module.schema, &ty);
                let applied = Applied::to(name, &old, &members, &reserved(&ty), &mut changes)?;
                applied.set(&mut ty);
                lock.types.insert(name.to_owned(), applied.numbers);
            }
            schema.define(id, ty);
        }
        let schema = schema.finish(module.schema.root()).map_err(|error| {
            Error::from(error).hint("the numbers are those of the lock file, which keeps what was given out")
        })?;
        let module = Module { schema, ..module.clone() };
        Ok(Locked { module, lock, changes })
    }

    /// Takes the numbers of a type out, also under a name that it had before.
    fn entry(
        &mut self,
        name: &str,
        part: Part,
        mut former: impl Iterator<Item = String>,
        changes: &mut Vec<String>,
    ) -> Numbers {
        if let Some(numbers) = self.types.remove(name) {
            if numbers.part == part {
                return numbers;
            }
            changes.push(format!("{name} has {} now: its numbers are given out anew", part.member()));
            return Numbers::new(part);
        }
        let fits = |name: &String| self.types.get(name).is_some_and(|numbers| numbers.part == part);
        if let Some((former, numbers)) = former.find(fits).and_then(|former| self.types.remove_entry(&former)) {
            changes.push(format!("{name} was {former} and keeps its numbers"));
            return numbers;
        }
        changes.push(format!("{name} is new"));
        Numbers::new(part)
    }
}

fn part(ty: &Type) -> Option<Part> {
    match ty.kind {
        Kind::Record(_) => Some(Part::Fields),
        Kind::Enum(_) => Some(Part::Symbols),
        Kind::Union(_) => Some(Part::Branches),
        _ => None,
    }
}

/// What has a number.
struct Member<'a> {
    name: &'a str,
    /// Names that it had before.
    former: Vec<String>,
    /// The number that the module has for it.
    number: i64,
}

fn members<'a>(schema: &'a Schema, ty: &'a Type) -> Vec<Member<'a>> {
    match &ty.kind {
        Kind::Record(record) => {
            let member = |field: &'a Field| Member {
                name: &field.name,
                former: field.aliases.clone(),
                number: field.number.into(),
            };
            record.fields.iter().map(member).collect()
        }
        Kind::Enum(e) => {
            e.symbols.iter().map(|s| Member { name: &s.name, former: Vec::new(), number: s.number }).collect()
        }
        Kind::Union(union) => {
            let members = union.branches.iter().map(|branch| {
                // A branch is often called like its type.
                let ty = schema.name(branch.ty).unwrap_or_default();
                let mut former = type_aliases(schema.type_notes(branch.ty), ty);
                former.extend(former.clone().iter().map(|name| simple(name).to_owned()));
                Member { name: &branch.name, former, number: branch.number.into() }
            });
            members.collect()
        }
        _ => Vec::new(),
    }
}

fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Full names that a type had before. An alias without a namespace is in that of the type.
fn type_aliases(notes: &Notes, name: &str) -> Vec<String> {
    let Some(text) = notes.get(TYPE_ALIASES) else { return Vec::new() };
    let names: Vec<String> = serde_json::from_str(text)
        .unwrap_or_else(|_| text.split(',').map(|alias| alias.trim().to_owned()).filter(|a| !a.is_empty()).collect());
    let namespace = name.rsplit_once('.').map(|(namespace, _)| namespace);
    let full = |alias: String| match (alias.contains('.'), namespace) {
        (false, Some(namespace)) => format!("{namespace}.{alias}"),
        _ => alias,
    };
    names.into_iter().map(full).collect()
}

/// Types without a name of their own are called after the field that they are in (`User_role`): names that they had when
/// the record or the field had another.
fn former_places(schema: &Schema) -> HashMap<TypeId, Vec<String>> {
    let mut places: HashMap<TypeId, Vec<String>> = HashMap::new();
    for id in schema.named_types() {
        let Kind::Record(record) = schema.kind(id) else { continue };
        let records = type_aliases(schema.type_notes(id), &record.name);
        for field in record.fields.iter().filter(|field| !records.is_empty() || !field.aliases.is_empty()) {
            let inner = innermost(schema, field.ty);
            let name = schema.name(inner).unwrap_or_default();
            let rest = name.strip_prefix(record.name.as_str()).and_then(|rest| {
                let rest = rest.strip_prefix(['_', '.'])?.strip_prefix(field.name.as_str())?;
                Some((&name[record.name.len()..][..1], rest))
            });
            let Some((between, rest)) = rest else { continue };
            for record in [&record.name].into_iter().chain(&records) {
                for field in [&field.name].into_iter().chain(&field.aliases) {
                    let former = format!("{record}{between}{field}{rest}");
                    places.entry(inner).or_default().extend(Some(former).filter(|former| former != name));
                }
            }
        }
    }
    places
}

/// What is in lists, maps and nullables.
fn innermost(schema: &Schema, mut id: TypeId) -> TypeId {
    while let Kind::List(inner) | Kind::Map(_, inner) | Kind::Nullable(inner) = schema.kind(id) {
        id = *inner;
    }
    id
}

/// What the module itself reserves, sorted.
fn reserved(ty: &Type) -> Vec<RangeInclusive<i64>> {
    match &ty.kind {
        Kind::Record(record) => {
            record.reserved_numbers.iter().map(|r| i64::from(*r.start())..=i64::from(*r.end())).collect()
        }
        Kind::Enum(e) => e.reserved_numbers.clone(),
        _ => Vec::new(),
    }
}

/// The numbers of one type, found.
struct Applied {
    /// Of the members, in their order.
    of_members: Vec<i64>,
    numbers: Numbers,
}

impl Applied {
    fn to(
        ty: &str,
        old: &Numbers,
        members: &[Member<'_>],
        reserved: &[RangeInclusive<i64>],
        changes: &mut Vec<String>,
    ) -> Result<Applied> {
        let mut gone = old.gone.clone();
        gone.extend(old.given.iter().map(|(name, number)| (name.clone(), *number)));
        let names: HashSet<&str> = members.iter().map(|member| member.name).collect();
        // Names first, then former names: who has the name itself is never renamed away from.
        let mut found: Vec<Option<i64>> = members.iter().map(|member| gone.remove(member.name)).collect();
        for (member, number) in members.iter().zip(&mut found) {
            if number.is_some() {
                if old.gone.contains_key(member.name) {
                    changes.push(format!("{ty}.{} is back", member.name));
                }
                continue;
            }
            let former = member.former.iter().find(|name| !names.contains(name.as_str()) && gone.contains_key(*name));
            if let Some((former, kept)) = former.and_then(|former| gone.remove_entry(former)) {
                changes.push(format!("{ty}.{} was {former} and keeps number {kept}", member.name));
                *number = Some(kept);
            }
        }
        for (name, number) in gone.iter().filter(|(name, _)| old.given.contains_key(*name)) {
            changes.push(format!("{ty}.{name} is gone: number {number} stays reserved"));
        }
        give_new(ty, old.part, members, &mut found, gone.values().copied(), reserved, changes)?;
        let of_members: Vec<i64> = found.into_iter().flatten().collect();
        let given = members.iter().zip(&of_members).map(|(member, number)| (member.name.to_owned(), *number)).collect();
        Ok(Applied { of_members, numbers: Numbers { part: old.part, given, gone } })
    }

    /// Writes the numbers into the type, and what is reserved.
    fn set(&self, ty: &mut Type) {
        let used: HashSet<i64> = self.of_members.iter().copied().collect();
        let numbers: BTreeSet<i64> = self.numbers.gone.values().copied().filter(|n| !used.contains(n)).collect();
        let names = self.numbers.gone.keys();
        match &mut ty.kind {
            Kind::Record(record) => {
                for (field, &number) in record.fields.iter_mut().zip(&self.of_members) {
                    field.number = small(number);
                }
                reserve(&mut record.reserved_numbers, numbers.into_iter().map(small));
                reserve_names(&mut record.reserved_names, names);
            }
            Kind::Enum(e) => {
                for (symbol, &number) in e.symbols.iter_mut().zip(&self.of_members) {
                    symbol.number = number;
                }
                reserve(&mut e.reserved_numbers, numbers.into_iter());
                reserve_names(&mut e.reserved_names, names);
            }
            Kind::Union(union) => {
                for (branch, &number) in union.branches.iter_mut().zip(&self.of_members) {
                    branch.number = small(number);
                }
            }
            _ => {}
        }
    }
}

/// Finds numbers for members that have none.
fn give_new(
    ty: &str,
    part: Part,
    members: &[Member<'_>],
    found: &mut [Option<i64>],
    gone: impl Iterator<Item = i64>,
    reserved: &[RangeInclusive<i64>],
    changes: &mut Vec<String>,
) -> Result<()> {
    let mut free = Free::new(part, found.iter().copied().flatten().chain(gone), reserved);
    // Numbers that are only the order say nothing.
    let ordered = members.iter().zip(part.first()..).all(|(member, place)| member.number == place);
    // Two symbols of the module may be one number.
    let mut same: HashMap<i64, i64> = HashMap::new();
    if part == Part::Symbols {
        let known = members.iter().zip(&*found).filter_map(|(member, number)| Some((member.number, (*number)?)));
        same.extend(known);
    }
    let mut new: Vec<usize> = (0..members.len()).filter(|&i| found[i].is_none()).collect();
    if !ordered {
        for &i in &new {
            let number = members[i].number;
            let given = match same.get(&number) {
                Some(&given) => Some(given),
                None => free.take(number).then_some(number),
            };
            found[i] = given;
            if let (Some(given), Part::Symbols) = (given, part) {
                same.insert(number, given);
            }
        }
    }
    for &i in &new {
        if found[i].is_none() {
            let known = same.get(&members[i].number).copied().filter(|_| !ordered);
            let number = known.or_else(|| free.next());
            let none = || Error::new(format!("no number is free for {ty}.{}: all are reserved", members[i].name));
            found[i] = Some(number.ok_or_else(none)?);
            if part == Part::Symbols {
                same.extend(found[i].map(|number| (members[i].number, number)));
            }
        }
    }
    new.sort_by_key(|&i| found[i]);
    for i in new {
        changes.push(format!("{ty}.{} gets number {}", members[i].name, found[i].unwrap_or_default()));
    }
    Ok(())
}

/// Numbers that can be given out.
struct Free<'a> {
    part: Part,
    taken: HashSet<i64>,
    reserved: &'a [RangeInclusive<i64>],
    next: i64,
}

impl<'a> Free<'a> {
    fn new(part: Part, taken: impl Iterator<Item = i64>, reserved: &'a [RangeInclusive<i64>]) -> Self {
        let taken: HashSet<i64> = taken.collect();
        let next = taken.iter().max().map_or(part.first(), |max| max.saturating_add(1).max(part.first()));
        Free { part, taken, reserved, next }
    }

    /// The end of what is reserved around a number.
    fn reserved(&self, number: i64) -> Option<i64> {
        if self.part != Part::Symbols && KEPT.contains(&number) {
            return Some(*KEPT.end());
        }
        let place = self.reserved.partition_point(|range| *range.end() < number);
        self.reserved.get(place).filter(|range| range.contains(&number)).map(|range| *range.end())
    }

    /// Whether a number was free, and takes it.
    fn take(&mut self, number: i64) -> bool {
        if self.reserved(number).is_some() || !self.taken.insert(number) {
            return false;
        }
        self.next = self.next.max(number.saturating_add(1));
        true
    }

    /// The number after all that were given out; when that is beyond what there is, the first one that is free.
    fn next(&mut self) -> Option<i64> {
        // Symbols have 32 bits in most languages.
        let most = if self.part == Part::Symbols { i32::MAX.into() } else { *self.part.range().end() };
        let mut turned = false;
        loop {
            if self.next > most {
                if std::mem::replace(&mut turned, true) {
                    return None;
                }
                self.next = self.part.first();
            }
            let number = self.next;
            self.next = self.reserved(number).unwrap_or(number).saturating_add(1);
            if self.take(number) {
                return Some(number);
            }
        }
    }
}

fn small(number: i64) -> u32 {
    u32::try_from(number).expect("numbers of fields and branches are checked when a lock is read")
}

/// Adds single numbers to sorted ranges.
fn reserve<T: Copy + Ord + Into<i64>>(ranges: &mut Vec<RangeInclusive<T>>, numbers: impl Iterator<Item = T>) {
    let has = |number: T| {
        let place = ranges.partition_point(|range| *range.end() < number);
        ranges.get(place).is_some_and(|range| range.contains(&number))
    };
    let more: Vec<_> = numbers.filter(|number| !has(*number)).map(|number| number..=number).collect();
    if more.is_empty() {
        return;
    }
    let mut all = std::mem::take(ranges);
    all.extend(more);
    all.sort_by_key(|range| *range.start());
    // Neighbours that were single numbers read better as a range.
    *ranges = all.into_iter().fold(Vec::new(), |mut merged: Vec<RangeInclusive<T>>, range| {
        match merged.last_mut() {
            Some(last) if (*last.end()).into().checked_add(1) == Some((*range.start()).into()) => {
                *last = *last.start()..=*range.end()
            }
            _ => merged.push(range),
        }
        merged
    });
}

fn reserve_names<'a>(names: &mut Vec<String>, more: impl Iterator<Item = &'a String>) {
    let known: HashSet<String> = names.iter().cloned().collect();
    names.extend(more.filter(|name| !known.contains(*name)).cloned());
}
