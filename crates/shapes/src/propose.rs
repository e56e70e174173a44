//! Which shapes suit some data.

use std::collections::HashMap;
use std::sync::Arc;

use wirewise_core::{Cell, Document, Kind, Limits, Result, Schema, TypeId};

use crate::shape::{Shape, Site, Values};
use crate::shaping::Shaping;
use crate::slot::{Slot, slots, value_type};
use crate::step::Step;

/// The steps that suit the data: each shape of `allowed` wherever it holds all values and is likely to make them smaller.
/// Rounds, because what one step makes others may take: first single values, then columns, then what is in them.
///
/// # Errors
/// At a limit.
pub fn propose(
    schema: &Arc<Schema>,
    documents: &[Document<'_>],
    allowed: &[&'static dyn Shape],
    limits: Limits,
) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    for round in [Round::Values, Round::Columns, Round::Lists] {
        let shaping = Shaping::new(schema, steps.clone())?;
        let mut spaces = Vec::new();
        let shaped = shaping.apply_all(documents, limits, &mut spaces)?;
        let found = round.steps(shaping.shaped(), &shaped, allowed);
        steps.extend(found);
    }
    Ok(steps)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Values,
    Columns,
    Lists,
}

impl Round {
    fn of(schema: &Schema, ty: TypeId) -> Round {
        match schema.kind(ty) {
            Kind::List(item) if matches!(schema.kind(*item), Kind::Record(_)) => Round::Columns,
            Kind::List(_) => Round::Lists,
            _ => Round::Values,
        }
    }

    fn steps(self, schema: &Schema, documents: &[Document<'_>], allowed: &[&'static dyn Shape]) -> Vec<Step> {
        let places = slots(schema);
        let values = Collector::collect(schema, documents);
        let mut steps = Vec::new();
        // Inner ones first: the slots of outer ones stay.
        for (slot, ty) in places.into_iter().rev().filter(|&(_, ty)| Round::of(schema, ty) == self) {
            let Some(cells) = values.get(&slot) else { continue };
            let site = Site { schema, slot: &slot, ty };
            let values = Values { documents, cells };
            let proposed = allowed.iter().enumerate().find_map(|(i, shape)| Some((i, shape.propose(&site, &values)?)));
            if let Some((i, params)) = proposed {
                steps.push((i, Step { shape: allowed[i], slot, params }));
            }
        }
        // By shape: the steps of a set begin with those of the sets before it. Only columns take what others may be in.
        steps.sort_by_key(|&(i, _)| i);
        steps.into_iter().map(|(_, step)| step).collect()
    }
}

/// The values of all slots.
struct Collector<'c, 'd> {
    schema: &'c Schema,
    document: Document<'d>,
    message: u32,
    /// By record or union, then by field or branch: so no slot is made for each value.
    named: HashMap<TypeId, Vec<Vec<(u32, Cell)>>>,
    others: HashMap<Slot, Vec<(u32, Cell)>>,
}

impl<'c, 'd> Collector<'c, 'd> {
    fn collect(schema: &'c Schema, documents: &[Document<'d>]) -> HashMap<Slot, Vec<(u32, Cell)>> {
        let (mut named, mut others) = (HashMap::new(), HashMap::new());
        for (message, document) in documents.iter().enumerate() {
            let mut collector = Collector { schema, document: *document, message: message as u32, named, others };
            let root = document.root();
            collector.other(&Slot::root(), schema.root(), root);
            (named, others) = (collector.named, collector.others);
        }
        for (ty, fields) in named {
            let (name, members): (&str, Vec<&str>) = match schema.kind(ty) {
                Kind::Record(record) => (&record.name, record.fields.iter().map(|field| &*field.name).collect()),
                Kind::Union(union) => (&union.name, union.branches.iter().map(|branch| &*branch.name).collect()),
                _ => continue,
            };
            for (member, cells) in members.into_iter().zip(fields).filter(|(_, cells)| !cells.is_empty()) {
                others.insert(Slot::member(name, member), cells);
            }
        }
        others
    }

    /// Takes the value of a slot that is no field, and what is in it.
    fn other(&mut self, slot: &Slot, ty: TypeId, cell: Cell) {
        let mut cell = cell;
        if let Kind::Nullable(_) = self.schema.kind(ty) {
            let Some(inner) = self.document.boxed(cell) else { return };
            cell = inner;
        }
        let ty = value_type(self.schema, ty);
        let message = self.message;
        match self.others.get_mut(slot) {
            Some(cells) => cells.push((message, cell)),
            None => drop(self.others.insert(slot.clone(), vec![(message, cell)])),
        }
        self.inside(slot, ty, cell);
    }

    fn inside(&mut self, slot: &Slot, ty: TypeId, cell: Cell) {
        let (schema, document) = (self.schema, self.document);
        match schema.kind(ty) {
            Kind::List(item) => {
                let slot = slot.element();
                document.list(cell).iter().for_each(|&cell| self.other(&slot, *item, cell));
            }
            Kind::Map(_, value) => {
                let slot = slot.value();
                document.map(cell).chunks_exact(2).for_each(|pair| self.other(&slot, *value, pair[1]));
            }
            Kind::Record(record) => {
                for (position, field) in record.fields.iter().enumerate() {
                    if let Some(cell) = document.record(record, cell).get(position) {
                        self.member(ty, record.fields.len(), position, cell);
                        if schema.parts(field.value_type()).is_empty() {
                            continue;
                        }
                        let slot = Slot::member(&record.name, &field.name);
                        self.inside(&slot, field.value_type(), cell);
                    }
                }
            }
            Kind::Union(union) => {
                let (position, cell) = document.union(cell);
                let branch = &union.branches[position];
                self.member(ty, union.branches.len(), position, cell);
                self.inside(&Slot::member(&union.name, &branch.name), branch.ty, cell);
            }
            _ => {}
        }
    }

    fn member(&mut self, ty: TypeId, count: usize, position: usize, cell: Cell) {
        let fields = self.named.entry(ty).or_insert_with(|| vec![Vec::new(); count]);
        fields[position].push((self.message, cell));
    }
}
