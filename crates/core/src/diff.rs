//! The first difference between two messages.

use std::collections::HashMap;
use std::io::Write;

use crate::arena::{Cell, State};
use crate::document::{AnyValue, Document};
use crate::error::{Segment, render_path};
use crate::schema::{Float, Kind, TypeId};

/// Where two messages differ, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path such as `$.items[3].name`.
    pub path: String,
    /// What the first message has there.
    pub left: String,
    /// What the second message has there.
    pub right: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} became {}", self.path, self.left, self.right)
    }
}

/// The first difference between two messages of equal schemas, or `None`.
///
/// Exact: integers and floats differ, floats are compared by their bits, an absent field differs from a null one. Only
/// the order of a map's entries means nothing.
pub fn diff(left: &Document<'_>, right: &Document<'_>) -> Option<Difference> {
    let mut differ = Differ { left, right, path: Vec::new() };
    let ty = left.schema().root();
    differ.value(ty, left.root(), right.root()).err().map(|found| *found)
}

struct Differ<'a> {
    left: &'a Document<'a>,
    right: &'a Document<'a>,
    path: Vec<Segment>,
}

type Found = Result<(), Box<Difference>>;

impl Differ<'_> {
    fn same(&self, same: bool, show: impl FnOnce() -> (String, String)) -> Found {
        if same {
            return Ok(());
        }
        let (left, right) = show();
        Err(Box::new(Difference { path: render_path(self.path.iter()), left, right }))
    }

    fn at(&mut self, segment: Segment, compare: impl FnOnce(&mut Self) -> Found) -> Found {
        self.path.push(segment);
        compare(self)?;
        self.path.pop();
        Ok(())
    }

    fn text(&self, a: Cell, b: Cell) -> Found {
        let (a, b) = (self.left.bytes(a), self.right.bytes(b));
        self.same(a == b, || (show_bytes(a), show_bytes(b)))
    }

    fn value(&mut self, ty: TypeId, a: Cell, b: Cell) -> Found {
        let schema = self.left.schema();
        match schema.kind(ty) {
            Kind::Null => Ok(()),
            Kind::Bool => self.same(a.as_bool() == b.as_bool(), || (a.as_bool().to_string(), b.as_bool().to_string())),
            Kind::Int(int) if int.signed() => self.same(a == b, || (a.as_i64().to_string(), b.as_i64().to_string())),
            Kind::Int(_) => self.same(a == b, || (a.as_u64().to_string(), b.as_u64().to_string())),
            Kind::Enum(_) => self.same(a == b, || (a.as_i64().to_string(), b.as_i64().to_string())),
            Kind::Float(Float::F64) => self.same(a == b, || (format!("{:?}", a.as_f64()), format!("{:?}", b.as_f64()))),
            Kind::Float(Float::F32) => self.same(a == b, || (format!("{:?}", a.as_f32()), format!("{:?}", b.as_f32()))),
            Kind::String | Kind::Bytes | Kind::Fixed(_) => self.text(a, b),
            Kind::List(item) => {
                let (a, b) = (self.left.list(a), self.right.list(b));
                self.same(a.len() == b.len(), || (format!("{} elements", a.len()), format!("{} elements", b.len())))?;
                for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
                    self.at(Segment::Index(i), |differ| differ.value(*item, a, b))?;
                }
                Ok(())
            }
            Kind::Map(key, value) => {
                let (a, b) = (self.left.map(a), self.right.map(b));
                self.entries(
                    a,
                    b,
                    &|document, cell| match schema.kind(*key) {
                        Kind::String => document.bytes(cell).to_vec(),
                        Kind::Int(int) if int.signed() => cell.as_i64().to_string().into_bytes(),
                        Kind::Bool => cell.as_bool().to_string().into_bytes(),
                        _ => cell.as_u64().to_string().into_bytes(),
                    },
                    &|differ, a, b| differ.value(*value, a, b),
                )
            }
            Kind::Nullable(inner) => match (self.left.boxed(a), self.right.boxed(b)) {
                (Some(a), Some(b)) => self.value(*inner, a, b),
                (a, b) => self.same(a.is_none() && b.is_none(), || {
                    let show = |value: Option<Cell>| if value.is_none() { "null" } else { "a value" }.to_owned();
                    (show(a), show(b))
                }),
            },
            Kind::Record(record) => {
                let (a, b) = (self.left.record(record, a), self.right.record(record, b));
                for (position, field) in record.fields.iter().enumerate() {
                    let states = (a.state(position), b.state(position));
                    self.at(Segment::Field(field.name.clone()), |differ| {
                        differ.same(states.0 == states.1, || (show_state(states.0), show_state(states.1)))?;
                        match states.0 {
                            State::Present => differ.value(field.value_type(), a.cell(position), b.cell(position)),
                            _ => Ok(()),
                        }
                    })?;
                }
                Ok(())
            }
            Kind::Union(union) => {
                let ((i, a), (j, b)) = (self.left.union(a), self.right.union(b));
                let name = |i: usize| union.branches[i].name.clone();
                self.same(i == j, || (name(i), name(j)))?;
                self.value(union.branches[i].ty, a, b)
            }
            Kind::Any => self.any(a, b),
        }
    }

    fn any(&mut self, a: Cell, b: Cell) -> Found {
        match (self.left.any(a), self.right.any(b)) {
            (AnyValue::Float(a), AnyValue::Float(b)) => {
                self.same(a.to_bits() == b.to_bits(), || (format!("{a:?}"), format!("{b:?}")))
            }
            (AnyValue::List(a), AnyValue::List(b)) => {
                self.same(a.len() == b.len(), || (format!("{} elements", a.len()), format!("{} elements", b.len())))?;
                for (i, (&a, &b)) in a.iter().zip(b).enumerate() {
                    self.at(Segment::Index(i), |differ| differ.any(a, b))?;
                }
                Ok(())
            }
            (AnyValue::Map(a), AnyValue::Map(b)) => self.entries(
                a,
                b,
                &|document, cell| {
                    let mut key = Vec::new();
                    any_key(document, cell, &mut key);
                    key
                },
                &|differ, a, b| differ.any(a, b),
            ),
            (AnyValue::Tagged(x, a), AnyValue::Tagged(y, b)) => {
                self.same(x == y, || (format!("tag {x}"), format!("tag {y}")))?;
                self.any(a, b)
            }
            (a, b) => self.same(a == b, || (show_any(a), show_any(b))),
        }
    }

    fn entries(
        &mut self,
        a: &[Cell],
        b: &[Cell],
        key: &dyn Fn(&Document<'_>, Cell) -> Vec<u8>,
        compare: &dyn Fn(&mut Self, Cell, Cell) -> Found,
    ) -> Found {
        self.same(a.len() == b.len(), || (format!("{} entries", a.len() / 2), format!("{} entries", b.len() / 2)))?;
        let mut rest: HashMap<Vec<u8>, Cell> =
            b.chunks_exact(2).map(|pair| (key(self.right, pair[0]), pair[1])).collect();
        for pair in a.chunks_exact(2) {
            let name = key(self.left, pair[0]);
            let found = rest.remove(&name);
            let shown = name.strip_prefix(b"\0").unwrap_or(&name);
            self.at(Segment::Key(String::from_utf8_lossy(shown).into_owned()), |differ| match found {
                Some(value) => compare(differ, pair[1], value),
                None => differ.same(false, || ("an entry".to_owned(), "no entry".to_owned())),
            })?;
        }
        Ok(())
    }
}

/// A text that two keys have in common exactly when they are equal. A string's begins with a zero, and is itself after
/// that, so that it can be shown.
fn any_key(document: &Document<'_>, cell: Cell, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail, so the results of `write!` are dropped.
    let _ = match document.any(cell) {
        AnyValue::Null => write!(out, "null"),
        AnyValue::Bool(value) => write!(out, "{value}"),
        AnyValue::Int(value) => write!(out, "{value}"),
        AnyValue::Uint(value) => write!(out, "{value}"),
        // The bits too: not every NaN is the same.
        AnyValue::Float(value) => write!(out, "{value:?} (float {:x})", value.to_bits()),
        AnyValue::Number(text) => write!(out, "{} (number)", String::from_utf8_lossy(text)),
        AnyValue::String(text) => {
            out.push(0);
            out.extend_from_slice(text);
            Ok(())
        }
        AnyValue::Bytes(bytes) => write!(out, "bytes {bytes:02x?}"),
        AnyValue::List(items) => {
            let _ = write!(out, "list");
            items.iter().for_each(|&item| any_part(document, item, out));
            Ok(())
        }
        AnyValue::Map(pairs) => {
            let mut entries: Vec<Vec<u8>> = Vec::new();
            for pair in pairs.chunks_exact(2) {
                let mut entry = Vec::new();
                pair.iter().for_each(|&cell| any_part(document, cell, &mut entry));
                entries.push(entry);
            }
            entries.sort();
            let _ = write!(out, "map");
            entries.iter().for_each(|entry| out.extend_from_slice(entry));
            Ok(())
        }
        AnyValue::Tagged(tag, value) => {
            let _ = write!(out, "tag {tag}");
            any_part(document, value, out);
            Ok(())
        }
    };
}

/// A part of such a text, after its length: nothing in one part can be taken for the next.
fn any_part(document: &Document<'_>, cell: Cell, out: &mut Vec<u8>) {
    let mut part = Vec::new();
    any_key(document, cell, &mut part);
    let _ = write!(out, " {}:", part.len());
    out.extend_from_slice(&part);
}

fn show_state(state: State) -> String {
    match state {
        State::Absent => "absent",
        State::Null => "null",
        State::Present => "a value",
    }
    .to_owned()
}

fn show_any(value: AnyValue<'_>) -> String {
    match value {
        AnyValue::Null => "null".to_owned(),
        AnyValue::Bool(value) => value.to_string(),
        AnyValue::Int(value) => value.to_string(),
        AnyValue::Uint(value) => value.to_string(),
        AnyValue::Float(value) => format!("{value:?}"),
        AnyValue::Number(text) => String::from_utf8_lossy(text).into_owned(),
        AnyValue::String(text) | AnyValue::Bytes(text) => show_bytes(text),
        AnyValue::List(_) => "a list".to_owned(),
        AnyValue::Map(_) => "an object".to_owned(),
        AnyValue::Tagged(tag, _) => format!("tag {tag}"),
    }
}

fn show_bytes(bytes: &[u8]) -> String {
    let shown: String = String::from_utf8_lossy(bytes).chars().take(60).collect();
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnyTag, Arena, Limits, Schema};

    /// `{key: true}` for each key, after `padding` cells, so that equal values lie at different places.
    fn map(padding: usize, keys: &[&dyn Fn(&mut Arena) -> Cell]) -> Arena {
        let mut arena = Arena::new(Limits::default());
        arena.begin(b"").unwrap();
        arena.alloc(padding).unwrap();
        let mark = arena.mark();
        for key in keys {
            let key = key(&mut arena);
            arena.push(key).unwrap();
            let value = arena.any(AnyTag::Bool, Cell::bool(true)).unwrap();
            arena.push(value).unwrap();
        }
        let map = arena.map(mark).unwrap();
        let root = arena.any(AnyTag::Map, map).unwrap();
        arena.set_root(root);
        arena
    }

    fn text(text: &'static str) -> impl Fn(&mut Arena) -> Cell {
        move |arena| {
            let cell = arena.text(text.as_bytes()).unwrap();
            arena.any(AnyTag::String, cell).unwrap()
        }
    }

    fn list(value: i64) -> impl Fn(&mut Arena) -> Cell {
        move |arena| {
            let mark = arena.mark();
            let item = arena.any(AnyTag::Int, Cell::int(value)).unwrap();
            arena.push(item).unwrap();
            let list = arena.list(mark).unwrap();
            arena.any(AnyTag::List, list).unwrap()
        }
    }

    fn differs(left: &Arena, right: &Arena) -> Option<String> {
        let schema = Schema::parse(r#"{"wirewise": "schema/1", "root": "any"}"#).unwrap();
        let found = diff(&Document::new(&schema, b"", left), &Document::new(&schema, b"", right));
        found.map(|difference| difference.path)
    }

    #[test]
    fn keys_of_all_kinds_are_compared_by_value() {
        let one = |arena: &mut Arena| arena.any(AnyTag::Int, Cell::int(1)).unwrap();
        let nan =
            |bits: u64| move |arena: &mut Arena| arena.any(AnyTag::Float, Cell::f64(f64::from_bits(bits))).unwrap();
        let (quiet, other) = (nan(0x7FF8_0000_0000_0000), nan(0x7FF8_0000_0000_0001));
        let (words, debug, list_1, list_2) = (text("1"), text("Int(1)"), list(1), list(2));

        let keys: &[&dyn Fn(&mut Arena) -> Cell] = &[&one, &words, &debug, &list_1, &list_2, &quiet, &other];
        let reversed: Vec<_> = keys.iter().rev().copied().collect();
        assert_eq!(differs(&map(0, keys), &map(5, &reversed)), None);
        // Both lists have one element at the same place.
        assert!(differs(&map(0, &[&list_1]), &map(0, &[&list_2])).is_some());
        assert!(differs(&map(0, &[&quiet]), &map(0, &[&other])).is_some());
        assert!(differs(&map(0, &[&one]), &map(0, &[&words])).is_some());
        assert_eq!(differs(&map(0, &[&words]), &map(0, &[&debug])).as_deref(), Some("$[\"1\"]"));
    }
}
