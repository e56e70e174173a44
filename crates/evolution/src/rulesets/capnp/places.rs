//! Rules about where fields lie, and what a reader finds where nothing was written.

use std::collections::HashMap;

use serde_json::Value as Json;
use wirewise_core::{Field, Kind, Schema, TypeId};
use wirewise_formats::capnp::{FieldPlace, Fields, Place, UnionPlace};

use crate::compare::default_of;
use crate::mode::Level;
use crate::rule::{At, Check, Rule};

use super::forms::misfit;
use super::structs::{Finds, Pair, bucket, describe, discriminant, overlap, pairs, together, widened};

pub(super) const FIELD_PLACE: Rule = Rule {
    name: "field-place",
    title: "A field keeps its place",
    level: Level::Wire,
    why: "Nothing in a message says which field is where. The compiler gives out the places in the order of the numbers, each field \
          next to those before it, so a number that is taken by another field, left out, or of another width moves everything after \
          it. Members of an existing union, and fields that form a new one, move as well.",
    check: Check::Types(field_place),
};

pub(super) const PLACE_REUSED: Rule = Rule {
    name: "place-reused",
    title: "A new field has a place where writers have nothing",
    level: Level::Wire,
    why: "Where a removed field was, a reader of the new one finds the old value, and takes it for its own. Members of one union \
          share their places, so a field that is taken out of its union finds what belongs to another member.",
    check: Check::Types(place_reused),
};

pub(super) const DEFAULT: Rule = Rule {
    name: "default",
    title: "A field keeps its default",
    level: Level::Wire,
    why: "The default is not in the message: values are kept as their difference to it, so that zero bits are the default. With \
          another default all values change, not only those that nobody set. A null pointer stands for the default too.",
    check: Check::Types(default),
};

fn is_moved(at: &At<'_>, pair: &Pair, from: &FieldPlace, to: &FieldPlace) -> bool {
    match (from.place, to.place) {
        (Place::Nowhere, _) | (_, Place::Nowhere) => false,
        (one, other) if one == other => false,
        _ if widened(pair, &at.writer.schema, from, to) => false,
        // Another type is the affair of another rule.
        (Place::Data { bit, .. }, Place::Data { bit: other, .. }) if bit == other => fits(at, from, to),
        (Place::Data { .. }, Place::Pointer(_)) | (Place::Pointer(_), Place::Data { .. }) => fits(at, from, to),
        _ => true,
    }
}

fn fits(at: &At<'_>, from: &FieldPlace, to: &FieldPlace) -> bool {
    let bare = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Nullable(inner) => *inner,
        _ => ty,
    };
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    misfit(writer, bare(writer, from.ty), reader, bare(reader, to.ty)).is_none()
}

fn field_place(at: &mut At<'_>, from: TypeId, to: TypeId) {
    for pair in pairs(at, from, to) {
        for (from, to) in pair.matched() {
            if !is_moved(at, &pair, from, to) {
                continue;
            }
            let (name, _) = pair.names(at, from, to);
            let what = format!("{name} is written to {}, and read from {}", describe(from.place), describe(to.place));
            let schemas = (&at.writer.schema, &at.reader.schema);
            let report = at.broken(
                what,
                "give new fields the numbers after all others, and keep the types of those that there are",
            );
            pair.show(schemas, report, from, Some(to));
        }
    }
}

/// Fields of the writer that are looked at for each place: in a large union all share one.
const MOST: usize = 1024;

/// Fields by the bit and member of the outermost union that they are in.
type Members = HashMap<Option<(usize, u16)>, Vec<usize>>;

/// The writer's fields and unions, by the word or pointer where they lie.
#[derive(Default)]
struct There<'a> {
    /// Those of a union by its bit and member.
    fields: HashMap<(bool, usize), Members>,
    unions: HashMap<(bool, usize), Vec<&'a UnionPlace>>,
}

impl<'a> There<'a> {
    fn new(writer: &'a Fields) -> There<'a> {
        let mut there = There::default();
        for (i, field) in writer.fields.iter().enumerate() {
            if let Some(bucket) = bucket(field.place) {
                there.fields.entry(bucket).or_default().entry(field.arms.first().copied()).or_default().push(i);
            }
        }
        for union in &writer.unions {
            if let Some(bucket) = bucket(discriminant(union)) {
                there.unions.entry(bucket).or_default().push(union);
            }
        }
        there
    }

    /// The fields that may be at a place when a reader finds these discriminants.
    fn near(&self, place: Place, arms: &[(usize, u16)]) -> Vec<usize> {
        let Some(near) = bucket(place).and_then(|bucket| self.fields.get(&bucket)) else { return Vec::new() };
        let of = |arm: Option<(usize, u16)>| near.get(&arm).into_iter().flatten().copied();
        let own = of(None).chain(of(arms.first().copied()).filter(|_| !arms.is_empty()));
        // Another member of the same union is not there then.
        let is_other = |arm: &Option<(usize, u16)>| match (arm, arms.first()) {
            (Some(arm), Some(own)) => arm.0 != own.0,
            (arm, _) => arm.is_some(),
        };
        let others =
            near.iter().take(MOST).filter(|(arm, _)| is_other(arm)).flat_map(|(_, fields)| fields.iter().copied());
        let mut near: Vec<usize> = own.chain(others).take(MOST).collect();
        near.sort_unstable();
        near
    }
}

fn place_reused(at: &mut At<'_>, from: TypeId, to: TypeId) {
    for pair in pairs(at, from, to) {
        let there = There::new(&pair.writer);
        let moved: Vec<bool> = (pair.writer.fields.iter().zip(&pair.others))
            .map(|(field, other)| other.is_some_and(|other| is_moved(at, &pair, field, &pair.reader.fields[other])))
            .collect();
        for (r, read) in pair.reader.fields.iter().enumerate() {
            let origin = pair.origins[r];
            // What was moved is reported already.
            if origin.is_some_and(|i| moved[i]) {
                continue;
            }
            let mistaken = there.near(read.place, &read.arms).into_iter().find(|&i| {
                let written = &pair.writer.fields[i];
                Some(i) != origin
                    && !moved[i]
                    && overlap(written.place, read.place)
                    && !origin.is_some_and(|origin| beside(&pair, i, origin, r))
                    && pair.finds_all(&written.arms, &read.arms) != Finds::Never
            });
            if let Some(i) = mistaken {
                let written = &pair.writer.fields[i];
                let (old, new) = pair.names(at, written, read);
                let what = format!("{new} is read from {}, where writers have {old}", describe(read.place));
                reused(at, &pair, what, written, read);
                continue;
            }
            // A discriminant that is not zero.
            let unions = bucket(read.place).and_then(|bucket| there.unions.get(&bucket));
            let union = unions.into_iter().flatten().find(|union| {
                overlap(discriminant(union), read.place) && pair.finds_all(&union.arms, &read.arms) != Finds::Never
            });
            let is_other = |arm: &(usize, u16)| union.is_some_and(|union| arm.0 == union.bit) && arm.1 != 0;
            let member = || pair.writer.fields.iter().find(|field| field.arms.iter().any(is_other));
            if let Some(member) = union.and_then(|_| member()) {
                let (_, new) = pair.names(at, member, read);
                let place = describe(read.place);
                let what = format!("{new} is read from {place}, where the writer's discriminant of a union lies");
                reused(at, &pair, what, member, read);
            }
        }
        for union in &pair.reader.unions {
            if pair.written_unions(union.bit).any(|other| together(&other.arms, &union.arms)) {
                continue;
            }
            let place = discriminant(union);
            let mistaken = there.near(place, &union.arms).into_iter().find(|&i| {
                let written = &pair.writer.fields[i];
                overlap(written.place, place) && pair.finds_all(&written.arms, &union.arms) != Finds::Never
            });
            let member = || pair.reader.fields.iter().find(|field| field.arms.iter().any(|arm| arm.0 == union.bit));
            if let Some((i, member)) = mistaken.and_then(|i| Some((i, member()?))) {
                let written = &pair.writer.fields[i];
                let (old, new) = pair.names(at, written, member);
                let what = format!("whether there is {new} is read from {}, where writers have {old}", describe(place));
                reused(at, &pair, what, written, member);
            }
        }
    }
}

/// Whether a field that shares its place with this one does so for the reader as well, in the same union.
fn beside(pair: &Pair, i: usize, origin: usize, r: usize) -> bool {
    let (field, own) = (&pair.writer.fields[i], &pair.writer.fields[origin]);
    !together(&field.arms, &own.arms) && own.arms == pair.reader.fields[r].arms
}

fn reused(at: &mut At<'_>, pair: &Pair, what: String, written: &FieldPlace, read: &FieldPlace) {
    let schemas = (&at.writer.schema, &at.reader.schema);
    let report = at.broken(what, "keep the old field, and give the new one the number after all others");
    pair.show(schemas, report, written, Some(read));
}

/// The field of a record that has this place.
fn field<'a>(schema: &'a Schema, mut ty: TypeId, place: &FieldPlace) -> Option<&'a Field> {
    let mut field = None;
    for &position in &place.way {
        let Kind::Record(record) = schema.kind(ty) else { return None };
        field = Some(&record.fields[position]);
        ty = record.fields[position].ty;
    }
    field
}

/// What a field is when nothing was written.
fn when_missing(schema: &Schema, ty: TypeId, place: &FieldPlace) -> Json {
    let Some(field) = field(schema, ty, place) else { return Json::from(0) };
    let null = field.is_nullable() && !field.is_optional();
    match default_of(schema, field).filter(|default| !null && !default.is_null()) {
        Some(default) => default,
        None => match schema.kind(field.value_type()) {
            Kind::Enum(e) if !field.is_stateful() => Json::from(e.symbols[0].number),
            _ => Json::from(0),
        },
    }
}

fn default(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let zero = |json: &Json| {
        json.as_f64() == Some(0.0)
            || *json == false
            || *json == ""
            || json.as_array().is_some_and(Vec::is_empty)
            || json.as_object().is_some_and(serde_json::Map::is_empty)
    };
    let number = |json: &Json| json.as_f64().or(json.as_bool().map(|bool| f64::from(u8::from(bool))));
    for pair in pairs(at, from, to) {
        for (from, to) in pair.matched() {
            if is_moved(at, &pair, from, to) || !fits(at, from, to) {
                continue;
            }
            let (old, new) = (
                when_missing(&at.writer.schema, pair.types.0, from),
                when_missing(&at.reader.schema, pair.types.1, to),
            );
            let is_missing = from.place == Place::Nowhere
                || !from.arms.is_empty()
                || field(&at.writer.schema, pair.types.0, from).is_some_and(Field::is_stateful);
            let same = old == new || zero(&old) && zero(&new) || number(&old).is_some() && number(&old) == number(&new);
            let is_data = matches!(from.place, Place::Data { .. });
            if is_data && from.default != to.default || is_missing && !same || from.null != to.null {
                let (name, _) = pair.names(at, from, to);
                let text = |json: &Json, place: &FieldPlace| match &place.null {
                    Some(null) => null.to_string(),
                    None if zero(json) => "0 or empty".to_owned(),
                    None => json.to_string(),
                };
                let (old, new) = (text(&old, from), text(&new, to));
                let what = format!("the default of {name} is {old} to writers, and {new} to readers");
                let schemas = (&at.writer.schema, &at.reader.schema);
                let report = at.broken(what, format!("keep the default {old}"));
                let report = report.provoke(crate::sample::Provoke::Absent).provoke(crate::sample::Provoke::Zero);
                pair.show(schemas, report, from, Some(to));
            }
        }
    }
}
