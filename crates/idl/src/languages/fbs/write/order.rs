//! An order in which everything that must be declared before it is used is.

use std::collections::{HashMap, HashSet};

use crate::languages::fbs::ir::{Definition, Schema, Type};

/// The definitions in `sequence`, with enums, unions and structs moved before what uses them, and each with its wrappers
/// behind it.
pub(super) fn order(schema: &Schema, sequence: &[(Definition, Vec<Definition>)]) -> Vec<Definition> {
    let wrappers: HashMap<Definition, &[Definition]> =
        sequence.iter().map(|(owner, wrappers)| (*owner, wrappers.as_slice())).collect();
    let mut done = HashSet::new();
    let mut order = Vec::new();
    for (definition, _) in sequence {
        // A stack of what to declare: structs may nest deeply.
        let mut stack = vec![(*definition, false)];
        while let Some((definition, ready)) = stack.pop() {
            if done.contains(&definition) {
                continue;
            }
            let with_it = wrappers.get(&definition).copied().unwrap_or_default();
            if ready {
                done.insert(definition);
                order.push(definition);
                order.extend(with_it);
                continue;
            }
            stack.push((definition, true));
            let all = std::iter::once(&definition).chain(with_it).flat_map(|of| needs(schema, *of));
            let before: Vec<Definition> =
                all.filter(|needed| *needed != definition && !done.contains(needed)).collect();
            stack.extend(before.into_iter().rev().map(|needed| (needed, false)));
        }
    }
    order
}

/// What must be declared before a definition.
fn needs(schema: &Schema, definition: Definition) -> Vec<Definition> {
    let Definition::Object(index) = definition else { return Vec::new() };
    let object = &schema.objects[index];
    let needed = object.fields.iter().filter_map(|field| match &field.ty {
        Type::Vector(item) | Type::Array(item, _) => need(schema, item, object.is_struct),
        ty => need(schema, ty, object.is_struct),
    });
    needed.collect()
}

fn need(schema: &Schema, ty: &Type, in_struct: bool) -> Option<Definition> {
    match *ty {
        Type::Enum(index) | Type::Union(index) => Some(Definition::Enum(index)),
        Type::Object(index) if in_struct || schema.objects[index].is_struct => Some(Definition::Object(index)),
        _ => None,
    }
}
