//! Adding one document to what was seen.

use wirewise_core::{AnyValue, Cell, Document, TypeId};

use super::Options;
use super::graph::{ANY, BodyId, Entry, Graph, Keys, Object, ObjectId, Position, Slot};
use super::known::Enums;
use super::settle::settle;

/// Places that may have been merged for each that may be there: they are much smaller.
const MERGED: usize = 16;

/// Adds the values of one document.
pub(super) struct Observer<'a> {
    pub(super) graph: &'a mut Graph,
    pub(super) root: Position,
    /// When the graph has had this many places, it is settled, lest it grows although there is little to know.
    pub(super) settle_at: &'a mut usize,
    pub(super) enums: &'a mut Enums,
    pub(super) options: &'a Options,
    pub(super) document: &'a Document<'a>,
    /// The JSON text: strings that do not lie in it were written with escapes.
    pub(super) input: Option<&'a [u8]>,
}

impl Observer<'_> {
    /// Adds a value to a body; `true` when it is null, which the position has to remember.
    pub(super) fn value(&mut self, cell: Cell, body: BodyId, depth: usize) -> bool {
        let value = self.document.any(cell);
        if value == AnyValue::Null {
            return true;
        }
        if self.graph.places_ever() >= *self.settle_at {
            // The callers hold ids, which stay valid, but must not count on what they refer to.
            settle(self.graph, self.root, self.options);
            *self.settle_at = self.graph.places_ever() * 2;
        }
        if self.graph.body(body).any {
            return false;
        }
        if self.graph.body(body).known.as_ref().is_some_and(|union| union.tagged) {
            self.tagged(&value, body, depth);
            return false;
        }
        let seen = self.graph.body_mut(body);
        match value {
            AnyValue::Null => {}
            AnyValue::Bool(_) => seen.see(Slot::Bool),
            AnyValue::Int(_) | AnyValue::Uint(_) => {
                seen.see(Slot::Int);
                seen.numbers.add(&value);
            }
            AnyValue::Float(_) | AnyValue::Number(_) => {
                seen.see(Slot::Float);
                seen.numbers.add(&value);
            }
            AnyValue::String(text) => {
                seen.see(Slot::Text);
                match seen.texts.known_enum() {
                    Some(id) => self.symbol(id, text, body),
                    None => {
                        let escaped = self.is_escaped(text);
                        self.graph.body_mut(body).texts.add(text, escaped);
                    }
                }
            }
            AnyValue::Bytes(bytes) => {
                seen.see(Slot::Text);
                seen.texts.add_bytes(bytes);
            }
            AnyValue::List(_) | AnyValue::Map(_) if depth >= self.options.max_depth => seen.any = true,
            AnyValue::List(items) => self.list(items, body, depth),
            AnyValue::Map(pairs) => self.map(pairs, body, depth),
            AnyValue::Tagged(..) => seen.any = true,
        }
        false
    }

    fn is_escaped(&self, text: &[u8]) -> bool {
        self.input.is_some_and(|input| !text.is_empty() && !input.as_ptr_range().contains(&text.as_ptr()))
    }

    fn symbol(&mut self, id: TypeId, text: &[u8], body: BodyId) {
        let added = self.enums.add(id, text, self.options);
        let texts = &mut self.graph.body_mut(body).texts;
        if !added {
            texts.break_known();
        }
        texts.add(text, false);
    }

    /// A body for a new place, unless there are too many.
    fn place(&mut self) -> BodyId {
        if self.has_places(1) { self.graph.new_body() } else { ANY }
    }

    fn has_places(&self, count: usize) -> bool {
        let most = self.options.max_places;
        self.graph.places() + count <= most && self.graph.places_ever() + count <= most.saturating_mul(MERGED)
    }

    fn list(&mut self, items: &[Cell], body: BodyId, depth: usize) {
        self.graph.body_mut(body).see(Slot::List);
        let mut position = match self.graph.body(body).list {
            Some(position) => position,
            None => {
                let position = Position { null: false, body: self.place() };
                self.graph.body_mut(body).list = Some(position);
                position
            }
        };
        for &item in items {
            position.null |= self.value(item, position.body, depth + 1);
        }
        if position.null
            && let Some(list) = &mut self.graph.body_mut(body).list
        {
            list.null = true;
        }
    }

    fn map(&mut self, pairs: &[Cell], body: BodyId, depth: usize) {
        let object = match self.graph.body(body).object {
            Some(object) => object,
            None => {
                let object = self.graph.new_object();
                self.graph.body_mut(body).object = Some(object);
                object
            }
        };
        self.graph.body_mut(body).see(Slot::Object);
        let document = self.document;
        let names = || {
            pairs.chunks_exact(2).map(|pair| match document.any(pair[0]) {
                AnyValue::String(name) => Some(name),
                _ => None,
            })
        };
        // Keys of other kinds come from binary formats only.
        if names().any(|name| name.is_none()) {
            self.graph.body_mut(body).any = true;
            return;
        }
        if self.graph.object(object).map.is_none() && !self.can_be_record(object, names().flatten()) {
            if self.graph.object(object).known.is_some() {
                // The record may be used elsewhere too, where it still fits.
                self.graph.body_mut(body).any = true;
                return;
            }
            self.graph.make_map(object);
        }
        self.graph.object_mut(object).count += 1;
        for (at, (pair, name)) in pairs.chunks_exact(2).zip(names().flatten()).enumerate() {
            self.entry(object, at, name, pair[1], depth);
        }
    }

    /// Whether the record seen so far can take an object with these names as well.
    fn can_be_record<'n>(&self, object: ObjectId, names: impl Iterator<Item = &'n [u8]>) -> bool {
        let object = self.graph.object(object);
        let mut fields = object.fields.len();
        let mut places = 0;
        for (at, name) in names.enumerate() {
            if object.find(name, at).is_some() {
                continue;
            }
            fields += 1;
            places += 1;
            let fits = !name.is_empty()
                && name.len() <= self.options.max_name_bytes
                && fields <= self.options.max_fields
                && self.has_places(places);
            if !fits {
                return false;
            }
        }
        true
    }

    fn entry(&mut self, object: ObjectId, at: usize, name: &[u8], value: Cell, depth: usize) {
        let seen = self.graph.object_mut(object);
        if let Some(position) = seen.map {
            if !seen.keys.holds(name) {
                seen.keys = Keys::String;
            }
            if self.value(value, position.body, depth + 1) {
                entry_null(self.graph.object_mut(object), at, name);
            }
            return;
        }
        let at = match seen.find(name, at) {
            Some(at) => at,
            None => {
                let body = self.place();
                let name = String::from_utf8_lossy(name).into_owned().into_boxed_str();
                let seen = self.graph.object_mut(object);
                let position = Position { null: false, body };
                seen.push(Entry { name, position, count: 0, known: None });
                seen.fields.len() - 1
            }
        };
        let entry = &mut self.graph.object_mut(object).fields[at];
        entry.count += 1;
        let body = entry.position.body;
        if self.value(value, body, depth + 1) {
            entry_null(self.graph.object_mut(object), at, name);
        }
    }

    /// A value of a union of the schema at hand that JSON shows with its branch: `{"branch": value}`.
    fn tagged(&mut self, value: &AnyValue<'_>, body: BodyId, depth: usize) {
        let branch = match *value {
            AnyValue::Map([key, value]) => match self.document.any(*key) {
                AnyValue::String(name) => {
                    let union = self.graph.body(body).known.as_ref();
                    let branches = union.into_iter().flat_map(|union| &union.branches);
                    let found = branches.clone().find(|branch| branch.name.as_bytes() == name);
                    found.map(|branch| (branch.body, *value))
                }
                _ => None,
            },
            _ => None,
        };
        match branch {
            None => self.graph.body_mut(body).any = true,
            Some((branch, value)) => {
                if self.value(value, branch, depth + 1) {
                    // No branch is nullable.
                    self.graph.body_mut(branch).any = true;
                }
            }
        }
    }
}

/// Remembers that the value under a name may be null; the object may have become a map since the name was found at `at`.
fn entry_null(object: &mut Object, at: usize, name: &[u8]) {
    if let Some(map) = &mut object.map {
        map.null = true;
    } else if let Some(at) = object.find(name, at) {
        object.fields[at].position.null = true;
    }
}
