//! What only the whole can tell: which objects are maps, and which records contain themselves.
//!
//! Both only decide how the schema reads. Whatever is decided here, every sample fits it and comes back the same.

use std::collections::{HashMap, HashSet};

use super::Options;
use super::graph::{BodyId, Entry, Graph, Object, ObjectId, Position, Slot};
use super::keys::is_id;

/// How often the graph is gone through again after merging changed it. What is not settled by then stays a record.
const MOST_PASSES: usize = 32;
/// How far up a record looks for itself.
const MOST_ANCESTORS: usize = 8;
/// How deep values are compared to see whether they have one shape.
const SHAPE_DEPTH: usize = 6;
/// Share of names that objects of one shape have in common, on average.
const ALIKE: f64 = 0.5;
/// The same for the scalars of a record and of the record inside it.
const SAME: f64 = 0.75;
/// Bits of the slots that are not scalars.
const NOT_SCALAR: u8 = 1 << Slot::List as u8 | 1 << Slot::Object as u8;

/// Turns objects into maps and merges records that contain themselves.
pub(super) fn settle(graph: &mut Graph, root: Position, options: &Options) {
    for _ in 0..MOST_PASSES {
        let mut pass =
            Pass { graph, options, bodies: HashSet::new(), steps: Vec::new(), ancestors: Vec::new(), changed: false };
        pass.body(root.body);
        if !pass.changed {
            break;
        }
    }
}

/// One step down from an object.
#[derive(Debug, Clone, PartialEq)]
enum Step {
    Field(Box<str>),
    Item,
    Value,
}

struct Pass<'a> {
    graph: &'a mut Graph,
    options: &'a Options,
    bodies: HashSet<BodyId>,
    /// The path from the root to here.
    steps: Vec<Step>,
    /// Records on this path, and the lengths of their own paths.
    ancestors: Vec<(ObjectId, usize)>,
    /// Whether records were merged, so that what was settled may have to be settled again.
    changed: bool,
}

impl Pass<'_> {
    /// Goes down. Samples nest as deep as [`Options::max_depth`] allows, and so does this.
    fn body(&mut self, id: BodyId) {
        let id = self.graph.body_id(id);
        if !self.bodies.insert(id) || self.graph.body(id).any {
            return;
        }
        let (list, object) = (self.graph.body(id).list, self.graph.body(id).object);
        if let Some(item) = list {
            self.down(Step::Item, item.body);
        }
        if let Some(object) = object {
            self.object(object);
        }
        let branches = self.graph.body(id).known.as_ref().map(|union| union.branches.clone()).unwrap_or_default();
        for branch in branches {
            self.down(Step::Value, branch.body);
        }
    }

    fn down(&mut self, step: Step, body: BodyId) {
        self.steps.push(step);
        self.body(body);
        self.steps.pop();
    }

    fn object(&mut self, id: ObjectId) {
        let id = self.graph.object_id(id);
        if self.is_map(id) {
            self.graph.make_map(id);
        }
        if let Some(value) = self.graph.object(id).map {
            self.down(Step::Value, value.body);
            return;
        }
        if let Some(ancestor) = self.itself(id) {
            self.graph.merge_objects(ancestor, id);
            self.graph.object_mut(ancestor).recursive = true;
            self.changed = true;
            return;
        }
        self.ancestors.push((id, self.steps.len()));
        let mut at = 0;
        // Merging further down may add fields to this very record, or make it a map.
        while let Some(entry) = self.graph.object(id).fields.get(at) {
            let (name, body) = (entry.name.clone(), entry.position.body);
            self.down(Step::Field(name), body);
            at += 1;
        }
        self.ancestors.pop();
    }

    fn is_map(&self, id: ObjectId) -> bool {
        let object = self.graph.object(id);
        let names = object.fields.len();
        if object.map.is_some() || object.known.is_some() || names == 0 {
            return false;
        }
        let ids = object.fields.iter().all(|entry| is_id(&entry.name));
        let many = if object.count <= 1 {
            names >= self.options.map_names_single
        } else {
            let present: u64 = object.fields.iter().map(|entry| entry.count).sum();
            let share = present as f64 / (object.count as f64 * names as f64);
            names >= self.options.map_names && share <= self.options.map_share
        };
        (ids || many) && self.one_shape(object.fields.iter().map(|entry| entry.position.body).collect(), 0)
    }

    /// Whether the values of these bodies look like those of one type.
    fn one_shape(&self, bodies: Vec<BodyId>, depth: usize) -> bool {
        let slots = bodies.iter().map(|&id| self.slots(id)).filter(|&slots| slots != 0);
        let mut all: Vec<u8> = slots.collect();
        all.dedup();
        if all.windows(2).any(|pair| pair[0] != pair[1]) {
            return false;
        }
        if depth >= SHAPE_DEPTH {
            return true;
        }
        let lists: Vec<BodyId> =
            bodies.iter().filter_map(|&id| self.graph.body(id).list.map(|list| list.body)).collect();
        let objects: Vec<&Object> = bodies
            .iter()
            .filter_map(|&id| self.graph.body(id).object.map(|object| self.graph.object(object)))
            .filter(|object| object.map.is_some() || !object.fields.is_empty())
            .collect();
        self.one_shape_lists(lists, depth) && self.one_shape_objects(&objects, depth)
    }

    fn one_shape_lists(&self, items: Vec<BodyId>, depth: usize) -> bool {
        items.is_empty() || self.one_shape(items, depth + 1)
    }

    fn one_shape_objects(&self, objects: &[&Object], depth: usize) -> bool {
        let (maps, records): (Vec<&Object>, Vec<&Object>) = objects.iter().partition(|object| object.map.is_some());
        let mut fields: HashMap<&str, Vec<BodyId>> = HashMap::new();
        let mut total = 0;
        for entry in records.iter().flat_map(|object| &object.fields) {
            fields.entry(&entry.name).or_default().push(entry.position.body);
            total += 1;
        }
        if !maps.is_empty() || fields.keys().all(|name| is_id(name)) {
            let values = maps.iter().filter_map(|object| object.map.map(|value| value.body));
            let values: Vec<BodyId> = values.chain(fields.into_values().flatten()).collect();
            return values.is_empty() || self.one_shape(values, depth + 1);
        }
        let alike = total as f64 / (records.len() * fields.len()) as f64;
        alike >= ALIKE && fields.into_values().all(|bodies| self.one_shape(bodies, depth + 1))
    }

    /// The kinds of value of a body, as bits; both kinds of number are one.
    fn slots(&self, id: BodyId) -> u8 {
        let body = self.graph.body(id);
        if body.any {
            return u8::MAX;
        }
        body.slots().into_iter().fold(0, |bits, slot| {
            let slot = if slot == Slot::Float { Slot::Int } else { slot };
            bits | 1 << slot as u8
        })
    }

    /// The record on the path to this one that it is the same as.
    ///
    /// Looking alike once may be an accident. So the path that leads from the one to the other must lead on to a third
    /// that is alike, unless the first is known to be recursive.
    fn itself(&self, id: ObjectId) -> Option<ObjectId> {
        let object = self.graph.object(id);
        self.ancestors.iter().rev().take(MOST_ANCESTORS).find_map(|&(ancestor, from)| {
            let ancestor = self.graph.object_id(ancestor);
            let above = self.graph.object(ancestor);
            let path = &self.steps[from..];
            // Two types of the schema at hand never become one, nor does anything become one of them: that could.
            let known = above.known.is_some() || object.known.is_some();
            if ancestor == id || known || above.map.is_some() || !self.alike(above, object) {
                return None;
            }
            let again = || self.follow(id, path).is_some_and(|third| self.alike(object, self.graph.object(third)));
            (above.recursive || again()).then_some(ancestor)
        })
    }

    /// Whether two records have about the same names with scalars under them (a leaf of a tree lacks the others), and
    /// values of the same kinds under all names that both have.
    fn alike(&self, a: &Object, b: &Object) -> bool {
        if b.map.is_some() {
            return false;
        }
        let scalar = |entry: &&Entry| {
            let slots = self.slots(entry.position.body);
            slots != 0 && slots & NOT_SCALAR == 0
        };
        let mut common = 0;
        for entry in &a.fields {
            let Some(at) = b.find(entry.name.as_bytes(), usize::MAX) else { continue };
            let (mine, theirs) = (self.slots(entry.position.body), self.slots(b.fields[at].position.body));
            if mine != 0 && theirs != 0 && mine & theirs == 0 {
                return false;
            }
            common += usize::from(scalar(&entry) && scalar(&&b.fields[at]));
        }
        let all = a.fields.iter().filter(scalar).count() + b.fields.iter().filter(scalar).count() - common;
        common > 0 && common as f64 >= SAME * all as f64
    }

    /// Where a path leads from an object.
    fn follow(&self, from: ObjectId, path: &[Step]) -> Option<ObjectId> {
        let mut position: Option<Position> = None;
        let mut object = Some(from);
        for step in path {
            position = Some(match step {
                Step::Field(name) => {
                    let object = self.graph.object(object?);
                    object.fields[object.find(name.as_bytes(), usize::MAX)?].position
                }
                Step::Value => self.graph.object(object?).map?,
                Step::Item => self.graph.body(position?.body).list?,
            });
            object = self.graph.body(position?.body).object;
        }
        object.map(|object| self.graph.object_id(object))
    }
}
