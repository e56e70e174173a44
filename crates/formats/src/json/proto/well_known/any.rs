//! `Any`: the message that it holds, which its type URL names and the schema must have.

use wirewise_core::{
    Arena, Cell, Document, Error, ErrorKind, Kind, Limits, Losses, Out, Record, Result, Tracer, TypeId,
};

use super::super::plan::TypePlan;
use super::super::read::{Reader, Within};
use super::super::write::{Writer, unsayable};
use crate::json::encode::write_string;
use crate::json::scan::untraced;

impl<T: Tracer> Reader<'_, T> {
    /// Reads `{"@type": URL, ...}`: the rest are the fields of the message, or one `"value"` if that has a form of its
    /// own.
    pub(super) fn any(&mut self, ty: TypeId, record: &Record, url: usize, value: usize, depth: usize) -> Result<Cell> {
        let first = self.scan.peek();
        self.need(ty, first == Some(b'{'))?;
        let start = self.scan.pos;
        let at = self.arena.record(record)?;
        let Some(text) = self.type_of_any()? else {
            // Nothing, of no type.
            self.scan.pos += 1;
            return if self.scan.closes(b'}') {
                self.arena.set_field(record, at, url, Cell::EMPTY);
                self.arena.set_field(record, at, value, Cell::EMPTY);
                Ok(Cell::index(at))
            } else {
                Err(Error::data(start, "an Any says no \"@type\""))
            };
        };
        let codec = self.codec;
        let named = String::from_utf8_lossy(self.arena.bytes(self.scan.input, text)).into_owned();
        let (id, embedded) = codec.embedded(&named).map_err(|error| error.at(start))?;
        // The message has an arena of its own, in which text is borrowed from the same input.
        let limits = *self.arena.limits();
        let left = limits.memory_bytes.saturating_sub(self.arena.used());
        let mut inner = Arena::new(Limits { memory_bytes: left, ..limits });
        inner.begin(self.scan.input)?;
        std::mem::swap(self.arena, &mut inner);
        let mut bytes = Vec::new();
        let read = self.held(id, depth).and_then(|cell| {
            self.arena.set_root(cell);
            let document = Document::new(&codec.schema, self.scan.input, self.arena);
            embedded.encode(&document, &mut bytes, self.losses)
        });
        std::mem::swap(self.arena, &mut inner);
        read?;
        let bytes = self.arena.text_with(|out| {
            out.extend_from_slice(&bytes);
            Ok(())
        })?;
        self.arena.set_field(record, at, url, text);
        self.arena.set_field(record, at, value, bytes);
        Ok(Cell::index(at))
    }

    /// Reads the object of an `Any` as the message that it holds.
    fn held(&mut self, id: TypeId, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        let Kind::Record(record) = codec.schema.kind(id) else { unreachable!("it was found as a record") };
        if let TypePlan::Record(plan) = &codec.types[id.index()] {
            return self.object(id, record, plan, Within::Any, depth);
        }
        let start = self.scan.pos;
        self.scan.pos += 1;
        let (mut typed, mut value) = (false, None);
        loop {
            self.scan.peek();
            let at = self.scan.pos;
            let name = self.scan.string(self.arena)?;
            let name = self.arena.bytes(self.scan.input, name);
            let is_value = name == b"value";
            if !is_value && name != b"@type" {
                let name = String::from_utf8_lossy(name);
                return Err(Error::data(at, format!("an Any of {} has no member {name:?}", record.name)));
            }
            if is_value && value.is_some() || !is_value && std::mem::replace(&mut typed, true) {
                let name = String::from_utf8_lossy(name);
                return Err(Error::data(at, format!("the object has the name {name:?} twice")));
            }
            self.scan.expect(b':', "':'")?;
            self.scan.enter_named(at, name);
            if is_value {
                value = Some(self.value(id, depth + 1).map_err(|error| error.in_field("value"))?);
            } else {
                crate::json::any::skip(&mut self.scan, self.arena, depth + 1)?;
            }
            self.scan.leave();
            if !self.scan.more(b'}')? {
                break;
            }
        }
        value.ok_or_else(|| Error::data(start, format!("an Any of {} has no \"value\"", record.name)))
    }

    /// The text of the member `"@type"` of the object here, which may come after others; `None` when there is none, or
    /// the object is broken before it.
    fn type_of_any(&mut self) -> Result<Option<Cell>> {
        let input = self.scan.input;
        let mut scan = untraced(input, self.scan.whole);
        scan.pos = self.scan.pos + 1;
        if scan.closes(b'}') {
            return Ok(None);
        }
        loop {
            let name = scan.string(self.arena)?;
            let is_type = self.arena.bytes(input, name) == b"@type";
            scan.expect(b':', "':'")?;
            if is_type {
                scan.peek();
                return scan.string(self.arena).map(Some);
            }
            scan.peek();
            scan.pos = end_of_value(input, scan.pos);
            if !scan.more(b'}')? {
                return Ok(None);
            }
            scan.peek();
        }
    }
}

/// Where the value ends that begins at `at`, if it is valid: that is checked when it is read.
fn end_of_value(input: &[u8], at: usize) -> usize {
    let (mut pos, mut open) = (at, 0usize);
    while let Some(&byte) = input.get(pos) {
        match byte {
            b'"' => {
                pos += 1;
                while let Some(&byte) = input.get(pos).filter(|&&byte| byte != b'"') {
                    pos += if byte == b'\\' { 2 } else { 1 };
                }
            }
            b'{' | b'[' => open += 1,
            b'}' | b']' | b',' if open == 0 => return pos,
            b'}' | b']' => open -= 1,
            _ => {}
        }
        pos += 1;
    }
    input.len()
}

impl Writer<'_> {
    /// Writes the message that an `Any` holds.
    pub(super) fn any(&mut self, url: &[u8], bytes: &[u8], out: &mut Out<'_>) -> Result<()> {
        if url.is_empty() {
            if !bytes.is_empty() {
                return Err(unsayable("an Any has a value and no type"));
            }
            out.bytes(b"{}");
            return Ok(());
        }
        let limits = *self.document.limits();
        let Some(depth) = limits.depth.checked_sub(self.depth) else {
            return Err(Error::new(ErrorKind::Limit, format!("values nest deeper than the limit of {}", limits.depth)));
        };
        let codec = self.codec;
        let (id, embedded) = codec.embedded(&String::from_utf8_lossy(url))?;
        let mut arena = Arena::new(Limits { depth, ..limits });
        // What the schema does not know of the message would be lost.
        embedded.read(bytes, &mut arena, self.losses).map_err(|error| {
            let name = codec.schema.name(id).unwrap_or_default();
            Error::new(error.kind(), format!("an Any holds no valid {name}: {error}"))
        })?;
        let document = Document::new(&codec.schema, bytes, &arena);
        let losses: &mut Losses = self.losses;
        let mut writer = Writer { codec, document: &document, losses, depth: self.depth };
        out.bytes(b"{\"@type\":");
        write_string(url, out);
        match (&codec.types[id.index()], codec.schema.kind(id)) {
            (TypePlan::Record(plan), Kind::Record(record)) => {
                writer.depth += 1;
                writer.members(record, plan, document.root(), false, out)?;
            }
            _ => {
                out.bytes(b",\"value\":");
                writer.value(id, document.root(), out)?;
            }
        }
        out.byte(b'}');
        Ok(())
    }
}
