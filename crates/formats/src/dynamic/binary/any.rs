//! Reading and writing values that carry their own type.

use wirewise_core::{AnyTag, AnyValue, Cell, Document, Error, ErrorKind, Out, Result, Tracer};

use super::decode::{Reader, integer_value, simple_value, stray_break};
use super::encode::{Sorter, write_bool, write_bytes, write_null, write_string};
use super::trace::Within;
use super::{Head, Length, Wire};
use crate::dynamic::{duplicate, too_deep};

/// Writes any value; maps in the order of their keys when `sorted`.
pub(super) fn write<W: Wire>(
    document: &Document<'_>,
    cell: Cell,
    sorted: bool,
    sorter: &mut Sorter,
    out: &mut Out<'_>,
) -> Result<()> {
    match document.any(cell) {
        AnyValue::Null => write_null::<W>(out),
        AnyValue::Bool(value) => write_bool::<W>(value, out),
        AnyValue::Int(value) => W::int(value).write(out),
        AnyValue::Uint(value) => W::uint(value).write(out),
        AnyValue::Float(value) => W::float64(value).write(out),
        AnyValue::Number(text) => return write_number::<W>(text, out),
        AnyValue::String(text) => write_string::<W>(text, out),
        AnyValue::Bytes(bytes) => write_bytes::<W>(bytes, out),
        AnyValue::List(items) => {
            W::list(items.len()).write(out);
            for (i, &item) in items.iter().enumerate() {
                write::<W>(document, item, sorted, sorter, out).map_err(|error| error.in_index(i))?;
            }
        }
        AnyValue::Map(pairs) => {
            W::map(pairs.len() / 2).write(out);
            let mark = sorter.begin();
            for pair in pairs.chunks_exact(2) {
                let start = out.len();
                write::<W>(document, pair[0], sorted, sorter, out)?;
                let key_end = out.len();
                let written = write::<W>(document, pair[1], sorted, sorter, out);
                written.map_err(|error| error.in_key(&key_text(document, pair[0])))?;
                if sorted {
                    sorter.add(start, key_end, out);
                }
            }
            sorter.finish(mark, out);
        }
        AnyValue::Tagged(tag, value) => {
            let bytes = if let AnyValue::Bytes(bytes) = document.any(value) { Some(bytes) } else { None };
            match (W::tagged(tag, bytes, out)?, bytes) {
                (true, Some(bytes)) => out.bytes(bytes),
                _ => return write::<W>(document, value, sorted, sorter, out),
            }
        }
    }
    Ok(())
}

/// A JSON number that no other kind of value can hold.
fn write_number<W: Wire>(text: &[u8], out: &mut Out<'_>) -> Result<()> {
    let text = String::from_utf8_lossy(text);
    let n = text.parse::<i128>().ok().filter(|&value| value < 0).and_then(|value| u64::try_from(-1 - value).ok());
    match n {
        Some(n) => {
            W::negative(n)?.write(out);
            Ok(())
        }
        None => {
            let shown: String = text.chars().take(40).collect();
            Err(Error::new(ErrorKind::Unsupported, format!("neither an integer nor a float64 can hold {shown}"))
                .hint("give the value a type of its own in the schema: a string of the logical type number"))
        }
    }
}

impl<W: Wire, T: Tracer> Reader<'_, W, T> {
    pub(super) fn any_head(&mut self, depth: usize) -> Result<Head> {
        if depth > self.arena.limits().depth {
            return Err(too_deep(self.input.pos, self.arena));
        }
        self.head(None)
    }

    pub(super) fn any(&mut self, depth: usize) -> Result<Cell> {
        let head = self.any_head(depth)?;
        self.any_of(head, depth)
    }

    pub(super) fn any_of(&mut self, head: Head, depth: usize) -> Result<Cell> {
        let (tag, cell) = match head {
            Head::Null => (AnyTag::Null, Cell::EMPTY),
            Head::Bool(value) => (AnyTag::Bool, Cell::bool(value)),
            Head::Uint(value) => match i64::try_from(value) {
                Ok(value) => (AnyTag::Int, Cell::int(value)),
                Err(_) => (AnyTag::Uint, Cell::uint(value)),
            },
            Head::Negative(n) => match i64::try_from(n) {
                Ok(n) => (AnyTag::Int, Cell::int(!n)),
                // Only CBOR has integers below those of 64 bits.
                Err(_) => (AnyTag::Number, self.arena.text(integer_value(head).to_string().as_bytes())?),
            },
            Head::Float(value) => (AnyTag::Float, Cell::f64(value)),
            Head::String(len) => (AnyTag::String, self.string(len)?),
            Head::Bytes(len) => (AnyTag::Bytes, self.bytes(len)?),
            Head::List(len) => {
                let mark = self.arena.mark();
                let mut index = 0;
                while self.more(len, index)? {
                    self.tracer.index(index);
                    let cell = self.any(depth + 1).map_err(|error| error.in_index(index))?;
                    self.tracer.leave();
                    self.arena.push(cell)?;
                    index += 1;
                }
                (AnyTag::List, self.arena.list(mark)?)
            }
            Head::Map(len) => (AnyTag::Map, self.any_map(len, depth)?),
            Head::Extension(kind, len) => {
                let bytes = self.bytes(Some(len))?;
                let value = self.arena.any(AnyTag::Bytes, bytes)?;
                return self.arena.tagged(kind as u64, value);
            }
            Head::Tag(tag) => {
                let value = self.any(depth + 1)?;
                return self.arena.tagged(tag, value);
            }
            Head::Break => return Err(stray_break(self.at)),
            Head::Simple(value) => return Err(simple_value(value, self.at)),
        };
        self.arena.any(tag, cell)
    }

    fn any_map(&mut self, len: Length, depth: usize) -> Result<Cell> {
        let start = self.at;
        let mark = self.arena.mark();
        let mut count = 0;
        let mut strings = true;
        while self.more(len, count)? {
            if T::ON {
                self.enter_any_key();
            }
            let key = self.inside(Within::Name, |reader| reader.any(depth + 1))?;
            strings &= self.arena.get(key.as_index()).as_u64() == AnyTag::String as u64;
            self.arena.push(key)?;
            let value = self.any(depth + 1);
            let value = value.map_err(|error| {
                let document = Document::new(&self.codec.schema, self.input.bytes, self.arena);
                error.in_key(&key_text(&document, key))
            })?;
            self.tracer.leave();
            self.arena.push(value)?;
            count += 1;
        }
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let document = Document::new(&self.codec.schema, self.input.bytes, self.arena);
        let twice = if strings {
            let text = |pair: &[Cell]| self.arena.bytes(self.input.bytes, self.arena.get(pair[0].as_index() + 1));
            duplicate(pairs.map(text)).map(|key| String::from_utf8_lossy(key).into_owned())
        } else {
            // Keys are equal when they are written alike.
            let mut written = Vec::new();
            let mut ends = Vec::new();
            let mut out = Out::new(&mut written);
            for pair in pairs.clone() {
                write::<W>(&document, pair[0], true, &mut Sorter::default(), &mut out)?;
                ends.push(out.len());
            }
            drop(out);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let keys: Vec<&[u8]> = starts.zip(&ends).map(|(start, &end)| &written[start..end]).collect();
            let twice = duplicate(keys.iter().copied());
            let place = twice.and_then(|twice| keys.iter().position(|key| *key == twice));
            place
                .and_then(|place| pairs.clone().nth(place))
                .map(|pair| String::from_utf8_lossy(&key_text(&document, pair[0])).into_owned())
        };
        match twice {
            Some(key) => Err(Error::data(start, format!("the map has the key {key:?} twice"))),
            None => self.arena.map(mark),
        }
    }
}

/// How a key is shown in a path.
pub(super) fn key_text(document: &Document<'_>, key: Cell) -> Vec<u8> {
    match document.any(key) {
        AnyValue::String(text) => text.to_vec(),
        AnyValue::Int(value) => value.to_string().into_bytes(),
        AnyValue::Uint(value) => value.to_string().into_bytes(),
        AnyValue::Bool(value) => value.to_string().into_bytes(),
        _ => b"(key)".to_vec(),
    }
}
