//! Types that are being made. A slot may turn out to be another's type, which a schema builder cannot say.

use std::collections::{BTreeMap, HashMap};

use wirewise_core::{Kind, Type, TypeId};

use super::super::keywords::Form;
use super::documents::At;
use crate::{Element, Place};

/// A type that is being made.
#[derive(Debug)]
pub(super) enum Slot {
    /// Nobody has read it yet.
    Waiting,
    /// The same type as another.
    Same(usize),
    /// A type, whose parts are slots.
    Made(Type),
}

/// The notes of a type or field whose text is known at the end only, when everything has its name.
#[derive(Debug, Default, Clone)]
pub(super) struct Keywords<'a>(BTreeMap<String, Kept<'a>>);

/// The value of a keyword.
#[derive(Debug, Clone)]
pub(super) enum Kept<'a> {
    At(At<'a>, Form),
    /// Several schemas that must all hold.
    All(Vec<Keywords<'a>>),
}

impl<'a> Keywords<'a> {
    pub(super) fn set(&mut self, name: &str, at: At<'a>, form: Form) {
        self.0.insert(name.to_owned(), Kept::At(at, form));
    }

    pub(super) fn get(&self, name: &str) -> Option<At<'a>> {
        match self.0.get(name)? {
            Kept::At(at, _) => Some(*at),
            Kept::All(_) => None,
        }
    }

    pub(super) fn take(&mut self, name: &str) {
        self.0.remove(name);
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name).and_then(|at| at.node.as_str())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &Kept<'a>)> {
        self.0.iter().map(|(name, kept)| (name.as_str(), kept))
    }

    /// Adds what another schema says that must hold as well.
    pub(super) fn and(&mut self, other: Keywords<'a>) {
        let conditions = ["if", "then", "else"];
        let clash = |name: &str| {
            self.0.contains_key(name)
                || conditions.contains(&name) && conditions.iter().any(|name| self.0.contains_key(*name))
        };
        if !other.0.keys().any(|name| clash(name)) {
            self.0.extend(other.0);
        } else if let Some(Kept::All(all)) = self.0.get_mut("allOf") {
            all.push(other);
        } else if !self.0.contains_key("allOf") {
            self.0.insert("allOf".to_owned(), Kept::All(vec![other]));
        }
    }

    /// Adds what says something about values in another way.
    pub(super) fn extend(&mut self, other: Keywords<'a>) {
        self.0.extend(other.0);
    }
}

/// All types that are being made, and what is known about them beside.
#[derive(Default)]
pub(super) struct Slots<'a> {
    slots: Vec<Slot>,
    pub(super) types: BTreeMap<usize, Keywords<'a>>,
    pub(super) fields: BTreeMap<(usize, usize), Keywords<'a>>,
    pub(super) symbols: BTreeMap<(usize, usize), Keywords<'a>>,
    pub(super) branches: BTreeMap<(usize, usize), Keywords<'a>>,
    /// Defaults, which can be checked when all types are known.
    pub(super) defaults: HashMap<(usize, usize), At<'a>>,
    /// By slot, which an element has for its type.
    pub(super) places: Vec<(Element, Place)>,
}

impl<'a> Slots<'a> {
    pub(super) fn declare(&mut self) -> usize {
        self.slots.push(Slot::Waiting);
        self.slots.len() - 1
    }

    pub(super) fn define(&mut self, slot: usize, made: Slot) {
        self.slots[slot] = made;
    }

    pub(super) fn add(&mut self, ty: impl Into<Type>) -> usize {
        self.slots.push(Slot::Made(ty.into()));
        self.slots.len() - 1
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn get(&self, slot: usize) -> &Slot {
        &self.slots[slot]
    }

    pub(super) fn made(&self, slot: usize) -> Option<&Type> {
        match &self.slots[slot] {
            Slot::Made(ty) => Some(ty),
            _ => None,
        }
    }

    /// The name of the record, enum or union that a slot has, or leads to.
    pub(super) fn name(&self, mut slot: usize) -> Option<&str> {
        const STEPS: usize = 64;
        for _ in 0..STEPS {
            match &self.slots[slot] {
                Slot::Same(other) => slot = *other,
                Slot::Waiting => return None,
                Slot::Made(ty) => {
                    return match &ty.kind {
                        Kind::Record(record) => Some(&record.name),
                        Kind::Enum(e) => Some(&e.name),
                        Kind::Union(union) => Some(&union.name),
                        _ => None,
                    };
                }
            }
        }
        None
    }

    pub(super) fn made_mut(&mut self, slot: usize) -> Option<&mut Type> {
        match &mut self.slots[slot] {
            Slot::Made(ty) => Some(ty),
            _ => None,
        }
    }

    /// Keeps keywords as notes of a type.
    pub(super) fn note(&mut self, slot: usize, keywords: Keywords<'a>) {
        if !keywords.is_empty() {
            self.types.entry(slot).or_default().extend(keywords);
        }
    }
}

/// As a part of a type that is being made.
pub(super) fn part(slot: usize) -> TypeId {
    TypeId::from_index(slot)
}

/// The types that a type has as parts.
pub(super) fn parts_mut(kind: &mut Kind) -> Vec<&mut TypeId> {
    match kind {
        Kind::List(inner) | Kind::Nullable(inner) => vec![inner],
        Kind::Map(key, value) => vec![key, value],
        Kind::Record(record) => record.fields.iter_mut().map(|field| &mut field.ty).collect(),
        Kind::Union(union) => union.branches.iter_mut().map(|branch| &mut branch.ty).collect(),
        _ => Vec::new(),
    }
}
