//! Random changes of schemas: what people do to them, safe or not.

use serde_json::Value as Json;
use wirewise_core::{Branch, Field, Float, Int, Kind, Oneof, Presence, Schema, SchemaBuilder, Symbol, Type, TypeId};

use crate::random::Rng;

/// The schema after one to three random changes; the types keep their ids. `None` when a change made no valid schema.
pub fn changed(schema: &Schema, seed: u64) -> Option<Schema> {
    let mut rng = Rng::new(seed);
    let mut change = Change { types: schema.types().to_vec(), rng: Rng::new(rng.bits()) };
    for _ in 0..1 + rng.below(3) {
        change.any()?;
    }
    let mut builder = SchemaBuilder::new();
    let ids: Vec<TypeId> = change.types.iter().map(|_| builder.declare()).collect();
    for (id, ty) in ids.iter().zip(change.types) {
        builder.define(*id, ty);
    }
    builder.set_notes(schema.notes().clone());
    builder.finish(schema.root()).ok()
}

struct Change {
    types: Vec<Type>,
    rng: Rng,
}

impl Change {
    fn any(&mut self) -> Option<()> {
        let named = |kind: &Kind| matches!(kind, Kind::Record(_) | Kind::Enum(_) | Kind::Union(_));
        let places: Vec<usize> = (0..self.types.len()).filter(|&i| named(&self.types[i].kind)).collect();
        let place = *self.rng.pick(&places);
        let mut ty = self.types[place].clone();
        match &mut ty.kind {
            Kind::Record(record) => self.record(record)?,
            Kind::Enum(e) => self.enumeration(e),
            Kind::Union(union) => self.union(union),
            _ => return None,
        }
        self.types[place] = ty;
        Some(())
    }

    fn add(&mut self, ty: impl Into<Type>) -> TypeId {
        self.types.push(ty.into());
        TypeId::from_index(self.types.len() - 1)
    }

    fn scalar(&mut self) -> TypeId {
        let kinds = [
            Kind::Bool,
            Kind::Int(Int::I8),
            Kind::Int(Int::I32),
            Kind::Int(Int::I64),
            Kind::Int(Int::U8),
            Kind::Int(Int::U32),
            Kind::Int(Int::U64),
            Kind::Float(Float::F32),
            Kind::Float(Float::F64),
            Kind::String,
            Kind::Bytes,
            Kind::Fixed(4),
        ];
        let kind = self.rng.pick(&kinds).clone();
        self.add(kind)
    }

    fn record(&mut self, record: &mut wirewise_core::Record) -> Option<()> {
        let next = record.fields.iter().map(|field| field.number).max().unwrap_or(0) + 1;
        let count = record.fields.len();
        let choice = self.rng.below(if count == 0 { 1 } else { 12 });
        let at = if count == 0 { 0 } else { self.rng.below(count) };
        match choice {
            0 => {
                let ty = self.scalar();
                let mut field = Field::new(next, format!("added_{next}"), ty);
                match self.rng.below(3) {
                    0 => field.presence = Presence::Optional,
                    1 => field.default = default(&self.types[ty.index()].kind),
                    _ => {}
                }
                record.fields.push(field);
            }
            1 => {
                let gone = record.fields.remove(at);
                if self.rng.one_in(2) {
                    record.reserved_names.push(gone.name);
                    record.reserved_numbers.push(gone.number..=gone.number);
                    record.reserved_numbers.sort_by_key(|range| *range.start());
                }
            }
            2 => {
                let field = &mut record.fields[at];
                let old = std::mem::replace(&mut field.name, format!("renamed_{next}"));
                if self.rng.one_in(2) {
                    field.aliases.push(old);
                }
            }
            3 => record.fields[at].number = next,
            4 | 5 => {
                let ty = self.scalar();
                let field = &mut record.fields[at];
                (field.ty, field.default) = (ty, None);
            }
            6 => {
                let field = &mut record.fields[at];
                if field.oneof.is_none() {
                    field.presence = if field.is_optional() { Presence::Required } else { Presence::Optional };
                }
            }
            7 => {
                let ty = record.fields[at].ty;
                let changed = match self.types[ty.index()].kind {
                    Kind::Nullable(inner) => inner,
                    Kind::Null | Kind::Any => return None,
                    _ => self.add(Kind::Nullable(ty)),
                };
                (record.fields[at].ty, record.fields[at].default) = (changed, None);
            }
            8 => {
                let ty = record.fields[at].ty;
                let changed = match self.types[ty.index()].kind {
                    Kind::List(item) => item,
                    _ => self.add(Kind::List(ty)),
                };
                (record.fields[at].ty, record.fields[at].default) = (changed, None);
            }
            9 => {
                let field = &mut record.fields[at];
                if field.oneof.is_none() {
                    let kind = &self.types[field.ty.index()].kind;
                    field.default = if field.default.is_some() { None } else { default(kind) };
                }
            }
            10 => {
                let other = self.rng.below(count);
                record.fields.swap(at, other);
            }
            _ => {
                // Optional fields become members of a new oneof, or leave the one that they are in.
                let group = record.oneofs.len();
                let mut joined = false;
                for field in &mut record.fields {
                    if field.is_optional() && field.default.is_none() && field.oneof.is_none() && self.rng.one_in(2) {
                        field.oneof = Some(group);
                        joined = true;
                    }
                }
                if joined {
                    record.oneofs.push(Oneof { name: format!("choice_{next}"), ..Oneof::default() });
                } else {
                    record.oneofs.clear();
                    record.fields.iter_mut().for_each(|field| field.oneof = None);
                }
            }
        }
        Some(())
    }

    fn enumeration(&mut self, e: &mut wirewise_core::Enum) {
        let next = e.symbols.iter().map(|symbol| symbol.number).max().unwrap_or(0).saturating_add(1);
        let at = self.rng.below(e.symbols.len());
        match self.rng.below(5) {
            0 => e.symbols.push(Symbol::new(format!("ADDED_{next}"), next)),
            1 if e.symbols.len() > 1 => {
                e.symbols.remove(at);
            }
            2 => e.symbols[at].name = format!("RENAMED_{next}"),
            3 => e.symbols[at].number = next,
            _ => e.closed = !e.closed,
        }
    }

    fn union(&mut self, union: &mut wirewise_core::Union) {
        let next = union.branches.iter().map(|branch| branch.number).max().unwrap_or(0) + 1;
        let at = self.rng.below(union.branches.len());
        match self.rng.below(4) {
            0 => {
                let ty = self.scalar();
                union.branches.push(Branch::new(next, format!("added_{next}"), ty));
            }
            1 if union.branches.len() > 1 => {
                union.branches.remove(at);
            }
            2 => union.branches[at].number = next,
            _ => union.branches[at].ty = self.scalar(),
        }
    }
}

/// Some default that is not zero.
fn default(kind: &Kind) -> Option<Json> {
    Some(match kind {
        Kind::Bool => Json::from(true),
        Kind::Int(_) => Json::from(5),
        Kind::Float(_) => Json::from(1.5),
        Kind::String => Json::from("default"),
        Kind::Enum(e) => Json::from(e.symbols[e.symbols.len() - 1].name.as_str()),
        _ => return None,
    })
}
