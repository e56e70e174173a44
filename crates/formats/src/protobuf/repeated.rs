//! Reading lists and maps, whose elements are occurrences of one field, and need not come together.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use wirewise_core::{Cell, Error, Result, Tracer, TypeId};

use super::decode::Reader;
use super::encode::key_text;
use super::plan::{FieldPlan, Layout, MessageKind, Scalar, Shape, Value};
use super::unknown::Owner;
use super::usual::Tag;
use super::wire::WireType;
use crate::dynamic::duplicate;

impl FieldPlan {
    /// Whether the field may be laid out so. Lists of numbers may be packed or not, whatever was declared.
    #[inline]
    pub(super) fn accepts(&self, wire_type: WireType) -> bool {
        match self.shape {
            _ if self.layout == Layout::Group => wire_type == WireType::StartGroup,
            Shape::One(value) => value.wire_type() == wire_type,
            Shape::Repeated(value) => {
                value.wire_type() == wire_type
                    || wire_type == WireType::Len && matches!(value, Value::Scalar(scalar) if scalar.is_packable())
            }
            Shape::Map(..) => wire_type == WireType::Len,
        }
    }
}

/// A list or map that came in pieces. It has room to grow, so that many pieces do not cost their number squared.
pub(super) struct Grown {
    /// Cells in its run.
    capacity: usize,
    /// Where the pair with this key is; empty for a list.
    keys: HashMap<Key, usize>,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Text(Vec<u8>),
    Number(u64),
}

impl<T: Tracer> Reader<'_, T> {
    /// Reads this occurrence of a repeated field, and those that follow it at once, as elements after `before`.
    pub(super) fn repeated(
        &mut self,
        value: Value,
        within: TypeId,
        number: u32,
        wire_type: WireType,
        before: Cell,
        depth: usize,
    ) -> Result<Cell> {
        let mark = self.arena.mark();
        if !T::ON
            && wire_type == WireType::Len
            && let Value::Message(place) = value
            && self.codec.plan.messages[place].kind == MessageKind::Record
            && let Some(tag) = Tag::new(number, wire_type)
        {
            let start = self.cursor.pos;
            self.cursor.pos = self.records(tag, place, start, self.cursor.end, before.len(), depth + 1)?;
            if self.cursor.pos != start && !self.repeats(number, wire_type) {
                return if before.is_empty() { self.arena.list(mark) } else { self.append(before, mark) };
            }
        }
        loop {
            let index = before.len() + self.arena.pushed(mark).len();
            self.tracer.index(index);
            let read = match value {
                Value::Scalar(scalar) if wire_type != scalar.wire_type() => self.packed(scalar, within, number, index),
                Value::Scalar(scalar) => match self.scalar(scalar, within, number) {
                    Ok(Some(cell)) => self.arena.push(cell),
                    other => other.map(drop),
                },
                Value::Message(place) => {
                    let read = self.submessage(place, number, wire_type, None, depth + 1);
                    read.and_then(|cell| self.arena.push(cell))
                }
            };
            self.tracer.leave();
            read.map_err(|error| match value {
                // What is left on the stack of a message that was not finished does not count.
                Value::Message(_) => error.in_index(index),
                Value::Scalar(_) => error.in_index(before.len() + self.arena.pushed(mark).len()),
            })?;
            if !self.repeats(number, wire_type) {
                return if before.is_empty() { self.arena.list(mark) } else { self.append(before, mark) };
            }
        }
    }

    /// Pushes scalars that lie in one field, one after the other.
    fn packed(&mut self, scalar: Scalar, within: TypeId, number: u32, mut index: usize) -> Result<()> {
        // The length is that of all elements.
        self.tracer.leave();
        let end = self.length();
        self.tracer.index(index);
        let end = end?;
        let outer = self.cursor.confine(end);
        while self.cursor.pos < end {
            if let Some(cell) = self.scalar(scalar, within, number)? {
                self.arena.push(cell)?;
                if T::ON {
                    index += 1;
                    self.tracer.leave();
                    self.tracer.index(index);
                }
            }
        }
        self.cursor.release(outer);
        Ok(())
    }

    /// Reads this entry of a map, and those that follow it at once, after those in `before`.
    pub(super) fn map(
        &mut self,
        key: Scalar,
        value: Value,
        within: TypeId,
        number: u32,
        before: Cell,
        depth: usize,
    ) -> Result<Cell> {
        let mark = self.arena.mark();
        let mut more = true;
        while more {
            if let Some(error) = self.trace_cut() {
                let (end, mark) = (self.cursor.end, self.arena.mark());
                self.cursor.confine(end);
                drop(self.entry(key, value, within, number, depth));
                drop(self.arena.list(mark));
                return Err(error);
            }
            let end = self.length()?;
            let start = self.cursor.pos;
            let outer = self.cursor.confine(end);
            let owner = std::mem::replace(&mut self.owner, Owner::Entry);
            let entry = self.entry(key, value, within, number, depth)?;
            self.owner = owner;
            match entry {
                Some((key, value)) => {
                    self.arena.push(key)?;
                    self.arena.push(value)?;
                }
                None => self.unknown_entry(number, start)?,
            }
            self.cursor.release(outer);
            more = self.repeats(number, WireType::Len);
        }
        let input = self.cursor.input;
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let twice = match key {
            Scalar::String => duplicate(pairs.map(|pair| self.arena.bytes(input, pair[0]))).is_some(),
            _ => duplicate(pairs.map(|pair| pair[0].as_u64())).is_some(),
        };
        if before.is_empty() && !twice { self.arena.map(mark) } else { self.merge(before, mark, key) }
    }

    /// Whether the same field follows; its tag is consumed then. What is no tag is for the message to report.
    #[inline]
    fn repeats(&mut self, number: u32, wire_type: WireType) -> bool {
        let start = self.cursor.pos;
        if start < self.cursor.end && self.cursor.tag().is_ok_and(|tag| tag == (number, wire_type)) {
            if T::ON {
                self.tag_at = start;
                self.trace_tag(number, wire_type);
            }
            return true;
        }
        self.cursor.pos = start;
        false
    }

    /// The key and value of an entry; what did not come is zero. `None` when its value is a number that a closed enum
    /// does not have: then the entry as a whole counts as unknown.
    fn entry(
        &mut self,
        key: Scalar,
        value: Value,
        within: TypeId,
        number: u32,
        depth: usize,
    ) -> Result<Option<(Cell, Cell)>> {
        let (mut key_cell, mut value_cell, mut known) = (Cell::EMPTY, None, true);
        while self.cursor.pos < self.cursor.end {
            let at = self.cursor.pos;
            if T::ON {
                self.tag_at = at;
            }
            match self.cursor.tag()? {
                (1, wire_type) if wire_type == key.wire_type() => {
                    self.trace_tag(1, wire_type);
                    key_cell = self.scalar(key, within, 1)?.unwrap_or_default();
                }
                (2, wire_type) if wire_type == value.wire_type() => {
                    if T::ON {
                        let key = self.key_bytes(key, key_cell);
                        self.tracer.key(&key);
                    }
                    self.trace_tag(2, wire_type);
                    let read = match value {
                        Value::Scalar(scalar) => self.scalar(scalar, within, number),
                        Value::Message(place) => self.prefixed(place, value_cell, depth + 1).map(Some),
                    };
                    self.tracer.leave();
                    let read = read.map_err(|error| self.in_entry(error, key, key_cell))?;
                    known = read.is_some();
                    value_cell = read;
                }
                (unknown, WireType::EndGroup) => return Err(self.cursor.wrong_end(unknown, at)),
                (unknown, wire_type) => self.skip(within, unknown, wire_type, at, depth)?,
            }
        }
        if !known {
            return Ok(None);
        }
        let value = match value_cell {
            Some(cell) => cell,
            None => self.missing_value(value, depth + 1).map_err(|error| self.in_entry(error, key, key_cell))?,
        };
        Ok(Some((key_cell, value)))
    }

    #[cold]
    fn in_entry(&self, error: Error, key: Scalar, cell: Cell) -> Error {
        error.in_key(&self.key_bytes(key, cell))
    }

    fn key_bytes(&self, key: Scalar, cell: Cell) -> Vec<u8> {
        match key {
            Scalar::String => self.arena.bytes(self.cursor.input, cell).to_vec(),
            key => key_text(key, cell).into_bytes(),
        }
    }

    /// Adds the elements since `mark` to the list `before`.
    #[cold]
    fn append(&mut self, before: Cell, mark: usize) -> Result<Cell> {
        let new = self.arena.list(mark)?;
        let count = before.len() + new.len();
        let start = self.reserve(before, before.len(), count)?;
        for i in 0..new.len() {
            self.arena.set(start + before.len() + i, self.arena.get(new.start() + i));
        }
        Ok(Cell::run(start as u32, count as u32))
    }

    /// Adds the entries since `mark` to the map `before`; of two with the same key the last wins.
    #[cold]
    fn merge(&mut self, before: Cell, mark: usize, key: Scalar) -> Result<Cell> {
        let new = self.arena.map(mark)?;
        let start = self.reserve(before, 2 * before.len(), 2 * (before.len() + new.len()))?;
        let mut grown = self.grown.get_or_insert_default().remove(&start).expect("it was just reserved");
        let mut count = before.len();
        if grown.keys.is_empty() {
            for i in 0..before.len() {
                grown.keys.insert(self.key(key, self.arena.get(start + 2 * i)), start + 2 * i);
            }
        }
        for i in 0..new.len() {
            let pair = new.start() + 2 * i;
            let at = match grown.keys.entry(self.key(key, self.arena.get(pair))) {
                Entry::Occupied(entry) => *entry.get(),
                Entry::Vacant(entry) => {
                    count += 1;
                    *entry.insert(start + 2 * (count - 1))
                }
            };
            self.arena.set(at, self.arena.get(pair));
            self.arena.set(at + 1, self.arena.get(pair + 1));
        }
        self.grown.get_or_insert_default().insert(start, grown);
        Ok(Cell::run(start as u32, count as u32))
    }

    fn key(&self, key: Scalar, cell: Cell) -> Key {
        match key {
            Scalar::String => Key::Text(self.arena.bytes(self.cursor.input, cell).to_vec()),
            _ => Key::Number(cell.as_u64()),
        }
    }

    /// Makes room for `needed` cells in a run of which `used` are used; returns where it starts now.
    fn reserve(&mut self, before: Cell, used: usize, needed: usize) -> Result<usize> {
        let start = before.start();
        let old = if used == 0 { None } else { self.grown.get_or_insert_default().remove(&start) };
        if let Some(grown) = old
            && grown.capacity >= needed
        {
            self.grown.get_or_insert_default().insert(start, grown);
            return Ok(start);
        }
        let capacity = needed.next_power_of_two().max(16);
        let to = self.arena.alloc(capacity)? as usize;
        for i in 0..used {
            self.arena.set(to + i, self.arena.get(start + i));
        }
        // The places of the keys have moved: they are indexed anew, which happens as rarely as the run moves.
        self.grown.get_or_insert_default().insert(to, Grown { capacity, keys: HashMap::new() });
        Ok(to)
    }
}
