//! Ordinals that do not count up, comments that contradict the file, and unions whose defaults have no end.

use std::collections::HashMap;

use wirewise_core::{Kind, Schema, TypeId};
use wirewise_formats::capnp::shape::{self, What};

use super::ast::{Form, Member};
use super::build::Build;
use super::record::least_ordinal;
use super::scope::{Env, NodeId, Ty, TyId};
use crate::{Result, docs};

impl<'a> Build<'a> {
    /// Ordinals count from 0 without gaps, each once.
    pub(super) fn check_ordinals(&mut self, node: NodeId, members: &[Member]) -> Result<()> {
        if !self.ordinals.insert(node) {
            return Ok(());
        }
        let mut all = Vec::new();
        ordinals(members, &mut all);
        all.sort_unstable();
        for (expected, window) in all.iter().enumerate() {
            let (ordinal, at) = *window;
            if ordinal as usize == expected {
                continue;
            }
            if expected > 0 && all[expected - 1].0 == ordinal {
                let first = self.place(node, all[expected - 1].1);
                let what = format!("found @{ordinal}, which is taken");
                return Err(self.scopes.error(node, at, what).related(first, "first used"));
            }
            let what = format!("found @{ordinal}, expected @{expected}: numbers have no gaps");
            return Err(self.scopes.error(node, at, what));
        }
        Ok(())
    }

    /// Remembers what a struct declares, when comments say what it stands for.
    pub(super) fn remember(&mut self, index: usize, env: &Env, members: &'a [Member]) -> Result<()> {
        let mut fields = Vec::new();
        if has_notes(members) {
            self.declared_fields(env, members, &mut fields)?;
            self.remembered.push((index, env.node, fields));
        }
        Ok(())
    }

    fn declared_fields(&mut self, env: &Env, members: &'a [Member], all: &mut Vec<Declared>) -> Result<()> {
        for member in members {
            match (&member.form, member.ordinal) {
                (Form::Field { ty, .. }, Some((ordinal, _))) => {
                    let ty = self.scopes.type_of(env, ty)?;
                    all.push(Declared { ordinal, ty, at: member.at });
                }
                (Form::Group(members) | Form::Union(members), _) => self.declared_fields(env, members, all)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// What comments say of types must have the place that the file declares: they may be older than it.
    pub(super) fn check_fits(&self, schema: &Schema) -> Result<()> {
        for (index, node, declared) in &self.remembered {
            let shape = shape::shape(schema, TypeId::from_index(*index));
            let shape = shape.map_err(|error| self.scopes.error(*node, 0, error.message()))?;
            let mut known = HashMap::new();
            if let Some(shape) = &shape {
                slots(&shape.members, &mut known);
            }
            for field in declared {
                let fits = match known.get(&field.ordinal) {
                    None => false,
                    Some((What::Nothing, None)) => *self.scopes.ty(field.ty) == Ty::Void,
                    Some((_, None)) => matches!(self.scopes.ty(field.ty), Ty::Pointer(_)),
                    Some((_, Some(ty))) => self.fits(schema, *ty, field.ty),
                };
                if !fits {
                    let ty = self.scopes.text(field.ty);
                    let what = format!("the comments say that @{} is something else than a {ty}", field.ordinal);
                    return Err(self
                        .scopes
                        .error(*node, field.at, what)
                        .hint("correct the line that begins with @wirewise, or take it out"));
                }
            }
        }
        Ok(())
    }

    /// Whether values of the model's type are kept as this type of the file.
    fn fits(&self, schema: &Schema, model: TypeId, declared: TyId) -> bool {
        match (schema.kind(model), self.scopes.ty(declared)) {
            (Kind::Null, Ty::Void) | (Kind::Bool, Ty::Bool) | (Kind::Enum(_), Ty::Enum(_)) => true,
            (Kind::Int(a), Ty::Int(b)) => a == b,
            (Kind::Float(a), Ty::Float(b)) => a == b,
            (Kind::String | Kind::Any, Ty::Text) | (Kind::Bytes | Kind::Fixed(_), Ty::Data) => true,
            (Kind::List(a), Ty::List(b)) => self.fits(schema, *a, *b),
            (Kind::Map(..), Ty::List(entry)) => matches!(self.scopes.ty(*entry), Ty::Struct(..)),
            (Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_), Ty::Struct(..)) => true,
            _ => false,
        }
    }

    /// The structs that the default of these members has behind pointers: those that a union begins with.
    pub(super) fn default_structs(&mut self, env: &Env, members: &'a [Member]) -> Result<Vec<TyId>> {
        let mut all = Vec::new();
        for member in members {
            match &member.form {
                Form::Group(members) => all.extend(self.default_structs(env, members)?),
                Form::Union(members) => {
                    let first = members.iter().min_by_key(|member| least_ordinal(std::slice::from_ref(*member)));
                    let Some(first) = first else { continue };
                    match &first.form {
                        Form::Group(members) => all.extend(self.default_structs(env, members)?),
                        Form::Union(_) => all.extend(self.default_structs(env, std::slice::from_ref(first))?),
                        _ => all.extend(self.default_struct(env, first)?),
                    }
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// The struct that a field is of, when its default is that struct's.
    pub(super) fn default_struct(&mut self, env: &Env, member: &'a Member) -> Result<Option<TyId>> {
        let Form::Field { ty, default: None } = &member.form else { return Ok(None) };
        let ty = self.scopes.type_of(env, ty)?;
        Ok(matches!(self.scopes.ty(ty), Ty::Struct(..)).then_some(ty))
    }
}

/// A field that a struct declares.
pub(super) struct Declared {
    ordinal: u32,
    ty: TyId,
    at: usize,
}

fn has_notes(members: &[Member]) -> bool {
    members.iter().any(|member| {
        let inside = match &member.form {
            Form::Group(members) | Form::Union(members) => has_notes(members),
            _ => false,
        };
        inside || member.doc.as_deref().is_some_and(|doc| doc.contains(docs::MARK))
    })
}

/// What the codec has at each ordinal.
fn slots(members: &[shape::Member], all: &mut HashMap<u32, (What, Option<TypeId>)>) {
    for member in members {
        match &member.form {
            shape::Form::Slot { ordinal, ty } => {
                all.insert(*ordinal, (member.what, *ty));
            }
            shape::Form::Group(members) | shape::Form::Union { members, .. } => slots(members, all),
        }
    }
}

fn ordinals(members: &[Member], all: &mut Vec<(u32, usize)>) {
    for member in members {
        all.extend(member.ordinal);
        if let Form::Group(members) | Form::Union(members) = &member.form {
            ordinals(members, all);
        }
    }
}
