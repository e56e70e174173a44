//! The rules of flatc that are not about spelling.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::ir::{Default, Definition, Field, Layout, Object, Schema, Type};
use super::lexer::shortened;
use crate::{Error, Place, Result};

/// Rules for a single field.
pub(super) fn field(field: &Field, in_struct: bool) -> Result<()> {
    let wrong = |what: String| Err(Error::at(field.place.clone(), what));
    let name = shortened(&field.name);
    if in_struct && field.deprecated {
        return wrong(format!("field `{name}` is deprecated, but fields of structs stay"));
    }
    if field.required && (in_struct || field.ty.is_scalar()) {
        return wrong(format!("field `{name}` is required, but only fields of tables that are no scalars can be"));
    }
    if field.key && !field.ty.is_scalar() && field.ty != Type::String {
        return wrong(format!("field `{name}` is a key, expected a scalar or a string"));
    }
    if field.key && field.default == Default::Null {
        return wrong(format!("field `{name}` is a key, but may be null"));
    }
    for attribute in ["nested_flatbuffer", "flexbuffer"] {
        let has = field.attributes.has(attribute) || attribute == "nested_flatbuffer" && field.nested.is_some();
        if has && !field.ty.is_bytes() {
            return wrong(format!("field `{name}` has the attribute {attribute}, expected the type `[ubyte]`"));
        }
    }
    if let Some(align) = field.attributes.get("force_align") {
        alignment(align, &field.place)?;
    }
    Ok(())
}

fn alignment(text: &str, place: &Place) -> Result<()> {
    match text.parse::<u32>() {
        Ok(value) if value.is_power_of_two() && value <= 256 => Ok(()),
        _ => {
            let what = format!("found the alignment {:?}, expected a power of two up to 256", shortened(text));
            Err(Error::at(place.clone(), what))
        }
    }
}

/// Gives the fields of an object their ids.
pub(super) fn number(object: &mut Object) -> Result<()> {
    let given = object.fields.iter().filter(|field| field.attributes.has("id")).count();
    let mut key: Option<&Field> = None;
    for field in object.fields.iter().filter(|field| field.key) {
        if let Some(first) = key.replace(field) {
            let error = Error::at(field.place.clone(), format!("field `{}` is a second key", shortened(&field.name)));
            return Err(error.related(first.place.clone(), "the first key is"));
        }
    }
    if object.is_struct || given == 0 {
        let mut next = 0;
        for field in &mut object.fields {
            field.id = next + u32::from(!object.is_struct && field.ty.has_types());
            next = field.id + 1;
        }
        return Ok(());
    }
    if let Some(field) = object.fields.iter().find(|field| !field.attributes.has("id")) {
        let what = format!("field `{}` has no id, but other fields of the table have", shortened(&field.name));
        return Err(Error::at(field.place.clone(), what));
    }
    object.explicit_ids = true;
    let mut taken: BTreeMap<u32, Place> = BTreeMap::new();
    for field in &mut object.fields {
        let text = field.attributes.take("id").flatten().unwrap_or_default();
        let id = text.parse().ok().filter(|id: &u32| *id <= 0xFFFF && (!field.ty.has_types() || *id > 0));
        field.id = id.ok_or_else(|| {
            let least = if field.ty.has_types() { "1 (the type of a union takes the id before)" } else { "0" };
            let what = format!("found the id {:?}, expected a number from {least}", shortened(&text));
            Error::at(field.place.clone(), what)
        })?;
        for id in field.ids() {
            if let Some(first) = taken.insert(id, field.place.clone()) {
                return Err(
                    Error::at(field.place.clone(), format!("the id {id} is taken")).related(first, "first used")
                );
            }
        }
    }
    match (0..).zip(taken.keys()).find(|(expected, id)| expected != *id) {
        None => Ok(()),
        Some((missing, next)) => {
            let what = format!("found the id {next}, but no field has the id {missing}");
            Err(Error::at(taken[next].clone(), what)
                .hint("ids are all numbers from 0; mark fields that are no more as deprecated"))
        }
    }
}

/// How deep structs may lie in each other.
const DEEPEST: usize = 64;

/// The largest struct.
const MOST_BYTES: u64 = 1 << 30;

/// The rules that need all declarations. Binary schemas break that of defaults: flatc drops those above 2^63 there.
pub(super) fn check(schema: &Schema, is_text: bool) -> Result<()> {
    let mut layouts: Vec<Option<Layout>> = vec![None; schema.objects.len()];
    let mut depths = vec![0; schema.objects.len()];
    let mut numbers = HashMap::new();
    for definition in &schema.order {
        let Definition::Object(index) = *definition else { continue };
        let object = &schema.objects[index];
        for field in &object.fields {
            if let Some(nested) = field.nested
                && schema.objects[nested].is_struct
            {
                let what = format!("`{}` is a struct, expected a table", shortened(&schema.objects[nested].name));
                return Err(Error::at(field.place.clone(), what));
            }
            if is_text {
                default(schema, field, &mut numbers)?;
            }
        }
        if object.is_struct {
            if object.fields.is_empty() {
                let what = format!("the struct `{}` is empty, expected fields", shortened(&object.name));
                return Err(Error::at(object.place.clone(), what));
            }
            if let Some(align) = object.attributes.get("force_align") {
                alignment(align, &object.place)?;
            }
            let item = |field: &'_ Field| match &field.ty {
                Type::Array(item, _) => (**item).clone(),
                ty => ty.clone(),
            };
            let is_inline = |field: &&Field| match item(field) {
                Type::Object(index) => schema.objects[index].is_struct,
                ty => ty.is_scalar(),
            };
            if let Some(field) = object.fields.iter().find(|field| !is_inline(field)) {
                let what = format!("the field `{}` is in a struct", shortened(&field.name));
                return Err(
                    Error::at(field.place.clone(), what).hint("structs hold scalars, structs, and arrays of them")
                );
            }
            let inner = object.fields.iter().filter_map(|field| match &field.ty {
                Type::Object(inner) => Some(depths[*inner] + 1),
                Type::Array(item, _) => {
                    if let Type::Object(inner) = **item {
                        Some(depths[inner] + 1)
                    } else {
                        None
                    }
                }
                _ => None,
            });
            depths[index] = inner.max().unwrap_or(0);
            if depths[index] > DEEPEST {
                return Err(Error::at(object.place.clone(), format!("structs nest deeper than {DEEPEST}")));
            }
            layouts[index] = schema.layout(object, &layouts);
            match &layouts[index] {
                None => {
                    let what = format!("the struct `{}` contains itself", shortened(&object.name));
                    return Err(Error::at(object.place.clone(), what));
                }
                Some(layout) if layout.size > MOST_BYTES => {
                    let what = format!(
                        "the struct `{}` has {} bytes, expected at most {MOST_BYTES}",
                        shortened(&object.name),
                        layout.size
                    );
                    return Err(Error::at(object.place.clone(), what));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}

/// Checks that the default of an enum is one of its values.
fn default(schema: &Schema, field: &Field, numbers: &mut HashMap<usize, HashSet<i64>>) -> Result<()> {
    let Type::Enum(index) = field.ty else { return Ok(()) };
    let e = &schema.enums[index];
    if e.is_bit_flags() || field.default == Default::Null {
        return Ok(());
    }
    let all = || e.values.iter().map(|value| value.number).collect();
    let number = if let Default::Int(number) = field.default { number } else { 0 };
    if numbers.entry(index).or_insert_with(all).contains(&(number as i64)) {
        return Ok(());
    }
    let what = format!("the default of `{}` is {number}, which is no value of {}", shortened(&field.name), e.name);
    Err(Error::at(field.place.clone(), what).hint("give it one of the values as its default"))
}
