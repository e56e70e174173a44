//! What was seen at each place, as a graph.
//!
//! A *position* is where a value can be: the root, a field, the elements of a list, the values of a map. It has a
//! *body*: everything seen there but null. A body whose values are objects refers to an *object*: the names seen, each
//! with a position. Samples alone make a tree; named types of a schema at hand, and recursive types once they are
//! recognised, are shared. What turns out to be one type is merged (union-find: the loser forwards to the winner), so
//! that merging ends even where the graph has cycles.
//!
//! Invariant: places with types of the schema at hand are never merged, so that its names and numbers stay apart. They
//! hang together at the top of the graph, and only what samples added below them is ever merged.

use std::collections::HashMap;

use wirewise_core::{Int, TypeId};

use super::numbers::Numbers;
use super::texts::Texts;

pub(super) type BodyId = u32;
pub(super) type ObjectId = u32;

/// The body that is `any` from the start: for places beyond [`super::Options::max_places`].
pub(super) const ANY: BodyId = 0;

#[derive(Debug, Clone, Copy)]
pub(super) struct Position {
    pub(super) null: bool,
    pub(super) body: BodyId,
}

/// The kinds of value that one union tells apart, and the names of its branches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Bool,
    Int,
    Float,
    Text,
    List,
    Object,
}

impl Slot {
    pub(super) const ALL: [Slot; 6] = [Slot::Bool, Slot::Int, Slot::Float, Slot::Text, Slot::List, Slot::Object];
}

#[derive(Debug, Clone, Default)]
pub(super) struct Body {
    /// Nothing but `any` will do.
    pub(super) any: bool,
    /// When each slot was first seen: 1, 2, ...; 0 for not yet.
    rank: [u8; Slot::ALL.len()],
    pub(super) numbers: Numbers,
    pub(super) texts: Texts,
    pub(super) list: Option<Position>,
    pub(super) object: Option<ObjectId>,
    /// The union of the schema at hand that this is.
    pub(super) known: Option<Box<KnownUnion>>,
}

impl Body {
    pub(super) fn see(&mut self, slot: Slot) {
        if self.rank[slot as usize] == 0 {
            self.rank[slot as usize] = 1 + self.rank.iter().filter(|&&rank| rank != 0).count() as u8;
        }
    }

    /// The slots seen, in order of first appearance.
    pub(super) fn slots(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Slot::ALL.into_iter().filter(|&slot| self.rank[slot as usize] != 0).collect();
        slots.sort_by_key(|&slot| self.rank[slot as usize]);
        slots
    }

    /// Whether nothing but null was ever there.
    pub(super) fn is_empty(&self) -> bool {
        !self.any && self.known.is_none() && self.rank == [0; 6]
    }
}

/// A union of the schema at hand.
#[derive(Debug, Clone)]
pub(super) struct KnownUnion {
    pub(super) ty: TypeId,
    pub(super) branches: Vec<KnownBranch>,
    /// Whether JSON shows the branch, because two look alike: then `branches` have bodies of their own.
    pub(super) tagged: bool,
}

#[derive(Debug, Clone)]
pub(super) struct KnownBranch {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) slot: Slot,
    /// Of a tagged union only.
    pub(super) body: BodyId,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    /// Objects seen.
    pub(super) count: u64,
    pub(super) fields: Vec<Entry>,
    index: HashMap<Box<[u8]>, u32>,
    /// The position of all values, once this is a map; then there are no fields.
    pub(super) map: Option<Position>,
    pub(super) keys: Keys,
    /// The record of the schema at hand that this is.
    pub(super) known: Option<TypeId>,
    /// Whether it was found to contain itself.
    pub(super) recursive: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: Box<str>,
    pub(super) position: Position,
    /// Objects that have it.
    pub(super) count: u64,
    /// Its position in the known record.
    pub(super) known: Option<u32>,
}

/// What a map's keys are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Keys {
    #[default]
    String,
    Int(Int),
    Bool,
}

impl Keys {
    /// Whether `key` is one, and is written back as it is.
    pub(super) fn holds(self, key: &[u8]) -> bool {
        match self {
            Keys::String => true,
            Keys::Bool => key == b"true" || key == b"false",
            Keys::Int(int) => std::str::from_utf8(key)
                .ok()
                .and_then(|text| text.parse::<i128>().ok().filter(|value| value.to_string() == text))
                .is_some_and(|value| int.holds(value)),
        }
    }
}

impl Object {
    /// Place of a name; `hint` is where it probably is.
    pub(super) fn find(&self, name: &[u8], hint: usize) -> Option<usize> {
        match self.fields.get(hint) {
            Some(entry) if entry.name.as_bytes() == name => Some(hint),
            _ => self.index.get(name).map(|&at| at as usize),
        }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.index.insert(entry.name.as_bytes().into(), self.fields.len() as u32);
        self.fields.push(entry);
    }
}

/// A body or object, or the one that it was merged into.
#[derive(Debug, Clone)]
enum Node<T> {
    Live(Box<T>),
    Forward(u32),
}

impl<T> Node<T> {
    fn live(&self) -> &T {
        match self {
            Node::Live(node) => node,
            Node::Forward(_) => unreachable!("ids are followed to their end first"),
        }
    }

    fn live_mut(&mut self) -> &mut T {
        match self {
            Node::Live(node) => node,
            Node::Forward(_) => unreachable!("ids are followed to their end first"),
        }
    }

    /// What was here, now that it is merged into another.
    fn take(&mut self, into: u32) -> T {
        match std::mem::replace(self, Node::Forward(into)) {
            Node::Live(node) => *node,
            Node::Forward(_) => unreachable!("ids are followed to their end first"),
        }
    }
}

fn follow<T>(nodes: &[Node<T>], mut id: u32) -> u32 {
    while let Node::Forward(next) = nodes[id as usize] {
        id = next;
    }
    id
}

/// All places.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    bodies: Vec<Node<Body>>,
    objects: Vec<Node<Object>>,
    /// Bodies that were not merged into another.
    live: usize,
}

enum Pair {
    Bodies(BodyId, BodyId),
    Objects(ObjectId, ObjectId),
}

impl Graph {
    pub(super) fn new() -> Self {
        let any = Body { any: true, ..Body::default() };
        Graph { bodies: vec![Node::Live(Box::new(any))], objects: Vec::new(), live: 1 }
    }

    /// How many places there are.
    pub(super) fn places(&self) -> usize {
        self.live
    }

    /// How many there ever were: those that were merged still take a few bytes.
    pub(super) fn places_ever(&self) -> usize {
        self.bodies.len()
    }

    pub(super) fn new_body(&mut self) -> BodyId {
        self.live += 1;
        self.bodies.push(Node::Live(Box::default()));
        (self.bodies.len() - 1) as BodyId
    }

    pub(super) fn new_object(&mut self) -> ObjectId {
        self.objects.push(Node::Live(Box::default()));
        (self.objects.len() - 1) as ObjectId
    }

    /// The body that this one was merged into.
    pub(super) fn body_id(&self, id: BodyId) -> BodyId {
        follow(&self.bodies, id)
    }

    /// The object that this one was merged into.
    pub(super) fn object_id(&self, id: ObjectId) -> ObjectId {
        follow(&self.objects, id)
    }

    pub(super) fn body(&self, id: BodyId) -> &Body {
        self.bodies[self.body_id(id) as usize].live()
    }

    pub(super) fn body_mut(&mut self, id: BodyId) -> &mut Body {
        let id = self.body_id(id);
        self.bodies[id as usize].live_mut()
    }

    pub(super) fn object(&self, id: ObjectId) -> &Object {
        self.objects[self.object_id(id) as usize].live()
    }

    pub(super) fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        let id = self.object_id(id);
        self.objects[id as usize].live_mut()
    }

    /// Makes two objects one.
    pub(super) fn merge_objects(&mut self, a: ObjectId, b: ObjectId) {
        self.run(vec![Pair::Objects(a, b)]);
    }

    /// Makes a record a map: all its fields become one place.
    pub(super) fn make_map(&mut self, id: ObjectId) {
        let mut work = Vec::new();
        self.collapse(id, &mut work);
        self.run(work);
    }

    fn collapse(&mut self, id: ObjectId, work: &mut Vec<Pair>) {
        let object = self.object_mut(id);
        if object.map.is_some() {
            return;
        }
        let fields = std::mem::take(&mut object.fields);
        object.index = HashMap::new();
        let null = fields.iter().any(|entry| entry.position.null);
        let body = fields.first().map(|entry| entry.position.body);
        object.map = Some(Position { null, body: body.unwrap_or(ANY) });
        if body.is_none() {
            let body = self.new_body();
            self.object_mut(id).map = Some(Position { null, body });
        }
        let rest = fields.iter().skip(1).map(|entry| Pair::Bodies(fields[0].position.body, entry.position.body));
        work.extend(rest);
    }

    /// A list of pairs rather than recursion: merging can go as deep as the graph is large.
    fn run(&mut self, mut work: Vec<Pair>) {
        while let Some(pair) = work.pop() {
            match pair {
                Pair::Bodies(a, b) => self.merge_bodies_once(a, b, &mut work),
                Pair::Objects(a, b) => self.merge_objects_once(a, b, &mut work),
            }
        }
    }

    fn merge_bodies_once(&mut self, a: BodyId, b: BodyId, work: &mut Vec<Pair>) {
        let (a, b) = (self.body_id(a), self.body_id(b));
        if a == b {
            return;
        }
        debug_assert!(self.body(a).known.is_none() && self.body(b).known.is_none());
        // Nothing is ever merged into the shared `any`, and it is never merged into anything.
        if a == ANY || b == ANY {
            self.body_mut(a).any = true;
            self.body_mut(b).any = true;
            return;
        }
        let other = self.bodies[b as usize].take(a);
        self.live -= 1;
        let body = self.bodies[a as usize].live_mut();
        body.any |= other.any;
        other.slots().into_iter().for_each(|slot| body.see(slot));
        body.numbers.merge(&other.numbers);
        body.texts.merge(&other.texts);
        match (&mut body.list, other.list) {
            (Some(mine), Some(theirs)) => {
                mine.null |= theirs.null;
                work.push(Pair::Bodies(mine.body, theirs.body));
            }
            (mine, theirs) => *mine = mine.or(theirs),
        }
        match (body.object, other.object) {
            (Some(mine), Some(theirs)) => work.push(Pair::Objects(mine, theirs)),
            (mine, theirs) => body.object = mine.or(theirs),
        }
    }

    fn merge_objects_once(&mut self, a: ObjectId, b: ObjectId, work: &mut Vec<Pair>) {
        let (a, b) = (self.object_id(a), self.object_id(b));
        if a == b {
            return;
        }
        debug_assert!(self.object(a).known.is_none() && self.object(b).known.is_none());
        if self.object(a).map.is_some() || self.object(b).map.is_some() {
            self.collapse(a, work);
            self.collapse(b, work);
        }
        let other = self.objects[b as usize].take(a);
        let object = self.objects[a as usize].live_mut();
        object.count += other.count;
        object.recursive |= other.recursive;
        if let (Some(mine), Some(theirs)) = (&mut object.map, other.map) {
            mine.null |= theirs.null;
            work.push(Pair::Bodies(mine.body, theirs.body));
        }
        for entry in other.fields {
            match object.find(entry.name.as_bytes(), usize::MAX) {
                Some(at) => {
                    let mine = &mut object.fields[at];
                    mine.count += entry.count;
                    mine.position.null |= entry.position.null;
                    work.push(Pair::Bodies(mine.position.body, entry.position.body));
                }
                None => object.push(entry),
            }
        }
    }
}
