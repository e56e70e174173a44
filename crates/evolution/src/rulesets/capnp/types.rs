//! Rules about the types of values.

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_formats::capnp::shape::{Size, size};
use wirewise_formats::capnp::{Fields, Place, fields};

use crate::mode::Level;
use crate::rule::{At, Check, Hop, Rule};
use crate::sample::Provoke;

use super::forms::{Misfit, form, misfit};

pub(super) const FIELD_TYPE: Rule = Rule {
    name: "field-type",
    title: "A value keeps its type",
    level: Level::Wire,
    why: "Nothing in a message says what a value is. A reader that expects another type takes the same bits for another number, or \
          follows a pointer to something else, and refuses it or reads nonsense. `Text` and `Data` are different, too: a text ends \
          with a zero byte.",
    check: Check::Types(field_type),
};

pub(super) const VALUE_RANGE: Rule = Rule {
    name: "value-range",
    title: "A reader's type holds every value of the writer's",
    level: Level::Wire,
    why: "Numbers of the same width have the same bits, but not the same values: a negative `Int32` is a large `UInt32`. A wider \
          reader finds zeros beyond a narrower number, or the field after it; a narrower one finds the lower bits only.",
    check: Check::Types(value_range),
};

pub(super) const LIST_ELEMENT: Rule = Rule {
    name: "list-element",
    title: "Elements of a list stay what they are, or become structs that begin with it",
    level: Level::Wire,
    why: "The elements of a list are packed without anything between them. A list of anything but `Bool` may become a list of structs \
          whose first field, `@0`, has the type of the elements: readers of either take the other. Nothing else may change.",
    check: Check::Types(list_element),
};

/// The types that a value is compared as: without what is nullable on both sides, or at a place that has room for that.
fn bare(at: &At<'_>, from: TypeId, to: TypeId) -> (TypeId, TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let inner = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Nullable(inner) => Some(*inner),
        _ => None,
    };
    let in_entry = at.trail.last() == Some(&Hop::Value);
    match (inner(writer, from), inner(reader, to)) {
        (Some(from), Some(to)) => (from, to),
        (one, other) if in_entry => (one.unwrap_or(from), other.unwrap_or(to)),
        // A message that is a pointer has it in a struct anyway.
        (one, other) if at.trail.is_empty() => {
            let alone = |schema: &Schema, ty: TypeId, inner: Option<TypeId>| match inner {
                Some(inner) if !is_struct(schema, inner) && size(schema, inner) == Size::Pointer => inner,
                Some(inner) if matches!(schema.kind(inner), Kind::Union(_)) => inner,
                _ => ty,
            };
            (alone(writer, from, one), alone(reader, to, other))
        }
        _ => (from, to),
    }
}

fn in_list(at: &At<'_>) -> bool {
    at.trail.last() == Some(&Hop::Item)
}

fn field_type(at: &mut At<'_>, from: TypeId, to: TypeId) {
    keys(at, from, to);
    let (from, to) = bare(at, from, to);
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    if in_list(at) || misfit(writer, from, reader, to) != Some(Misfit::Form) {
        return;
    }
    let what = format!("a value is written as {}, and read as {}", form(writer, from), form(reader, to));
    at.broken(what, "keep the type, and add a field with the number after all others for the new one");
}

/// The keys of a map are not visited by themselves.
fn keys(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let inner = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
        Kind::Nullable(inner) => *inner,
        _ => ty,
    };
    if let (Kind::Map(from, _), Kind::Map(to, _)) = (writer.kind(inner(writer, from)), reader.kind(inner(reader, to)))
        && misfit(writer, *from, reader, *to).is_some()
    {
        let (from, to) = (writer.describe(*from), reader.describe(*to));
        at.broken(format!("keys of a map are written as {from} and read as {to}"), format!("keep {from} keys"))
            .provoke(Provoke::Items(2));
    }
}

fn value_range(at: &mut At<'_>, from: TypeId, to: TypeId) {
    let (from, to) = bare(at, from, to);
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    // A list of wider elements is no list of narrower ones.
    if in_list(at) && !is_struct(writer, from) && upgrade(at, from, to).is_err() {
        return;
    }
    let Some(Misfit::Range(provoke)) = misfit(writer, from, reader, to) else { return };
    let (from, to) = (writer.describe(from), reader.describe(to));
    at.broken(
        format!("{from} is read as {to}, which does not hold all of its values"),
        format!("keep {from}, and add a field with the number after all others for the new type"),
    )
    .provoke(provoke);
}

/// Whether values of this type are structs where they are no fields.
fn is_struct(schema: &Schema, ty: TypeId) -> bool {
    matches!(schema.kind(ty), Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_))
}

/// Whether elements that are read as others are found: `Err` says how they lie.
fn upgrade(at: &At<'_>, from: TypeId, to: TypeId) -> Result<(), (String, String)> {
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let wrong = || Err((form(writer, from), form(reader, to)));
    match (is_struct(writer, from), is_struct(reader, to)) {
        (true, true) => {
            let kind = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
                Kind::Nullable(inner) if matches!(schema.kind(*inner), Kind::Union(_)) => 1,
                Kind::Nullable(_) => 0,
                Kind::Union(_) => 1,
                _ => 2,
            };
            if kind(writer, from) == kind(reader, to) { Ok(()) } else { wrong() }
        }
        (false, false) => match (size(writer, from), size(reader, to)) {
            (Size::Data(one), Size::Data(other)) if one == other || one > other && other > 0 => Ok(()),
            (Size::Pointer, Size::Pointer) => Ok(()),
            (Size::Void, Size::Void) => Ok(()),
            _ => wrong(),
        },
        (false, true) => {
            let takes = |fields: Fields| first(reader, to, &fields, size(writer, from), false);
            let takes = fields(reader, to).ok().flatten().is_some_and(takes);
            if takes || size(writer, from) == Size::Void { Ok(()) } else { wrong() }
        }
        (true, false) => {
            let has = |fields: Fields| first(writer, from, &fields, size(reader, to), true);
            if fields(writer, from).ok().flatten().is_some_and(has) { Ok(()) } else { wrong() }
        }
    }
}

/// Whether the first field of a struct lies where a list has its elements.
fn first(schema: &Schema, ty: TypeId, fields: &Fields, element: Size, is_writer: bool) -> bool {
    let place = match element {
        // The one exception: too expensive, says the documentation.
        Size::Data(0) => return false,
        Size::Void => Place::Nowhere,
        Size::Data(lg) => Place::Data { bit: 0, lg },
        Size::Pointer => Place::Pointer(0),
    };
    if matches!(schema.kind(ty), Kind::Union(_)) {
        return false;
    }
    // Where writers have no discriminant there is a zero; where they have one, there may be anything.
    let always =
        |arms: &[(usize, u16)]| arms.is_empty() || !is_writer && arms.iter().all(|arm| arm.1 == 0 && arm.0 > 0);
    let mut by_number: Vec<_> = fields.fields.iter().collect();
    by_number.sort_by_key(|field| field.number);
    by_number.first().is_some_and(|field| field.place == place && field.default == 0 && always(&field.arms))
}

fn list_element(at: &mut At<'_>, from: TypeId, to: TypeId) {
    if !in_list(at) {
        return;
    }
    let (writer, reader) = (&at.writer.schema, &at.reader.schema);
    let (one, other) = bare(at, from, to);
    let is_both = is_struct(writer, from) && is_struct(reader, to);
    let what = match upgrade(at, from, to) {
        Err((old, new)) => Some((old, new)),
        Ok(()) if is_struct(writer, one) != is_struct(reader, other) && !is_both => {
            // A nullable that became a struct, or was none, holds the element.
            let inner = |schema: &Schema, ty: TypeId| match schema.kind(ty) {
                Kind::Nullable(inner) => *inner,
                _ => ty,
            };
            let (one, other) = (inner(writer, one), inner(reader, other));
            let is_record =
                matches!(writer.kind(one), Kind::Record(_)) || matches!(reader.kind(other), Kind::Record(_));
            let misfit = if is_record { None } else { misfit(writer, one, reader, other) };
            misfit.map(|_| (form(writer, one), form(reader, other)))
        }
        Ok(()) if misfit(writer, one, reader, other) == Some(Misfit::Form) && !is_both => {
            Some((form(writer, one), form(reader, other)))
        }
        Ok(()) if is_both && one != from && misfit(writer, one, reader, other) == Some(Misfit::Form) => {
            Some((form(writer, one), form(reader, other)))
        }
        Ok(()) => None,
    };
    if let Some((old, new)) = what {
        at.broken(
            format!("an element of the list is written as {old}, and read as {new}"),
            "keep the type of the elements, or make it a struct whose first field has that type; lists of Bool must stay",
        );
    }
}
