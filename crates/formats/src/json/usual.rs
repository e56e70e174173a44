//! What programs write: fields in the schema's order, plain values, no white space. Such text is read here, with the place
//! kept in a register; at anything else these arms stop, without an error, where the general ones of `decode` go on.

use wirewise_core::{Cell, Result, State, Tracer, utf8};

use super::decode::Reader;
use super::plan::{FieldPlan, Node, RecordPlan};
use super::simd::special;
use super::{decimal, number};

/// What comes next in a list or object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// An element or a name, perhaps after white space.
    Item,
    /// A comma or the end, after a value.
    Behind,
    /// It has ended.
    Ended,
}

impl<'a, T: Tracer> Reader<'a, T> {
    /// A plain value at `at`, and where it ends. `None` where more has to be looked at. What follows is not looked at.
    #[inline(always)]
    fn usual_value(&self, node: Node, input: &[u8], at: usize) -> Option<(Cell, usize)> {
        match node {
            Node::String if input.get(at) == Some(&b'"') => {
                let start = at + 1;
                let stop = special(input, start, input.len());
                let len = stop.at - start;
                if input.get(stop.at) != Some(&b'"') || !stop.ascii && utf8::check_part(input, start, len).is_err() {
                    return None;
                }
                Some((self.arena.borrowed(start, len), stop.at + 1))
            }
            Node::Int(int) => {
                let (value, end) = match decimal::integer(input, at) {
                    Some((_, end)) if input.get(end).is_some_and(u8::is_ascii_digit) => {
                        decimal::long_integer(input, at)?
                    }
                    short => short?,
                };
                number::holds(int, value).then_some((Cell::int(value), end))
            }
            Node::Double(_) => decimal::double(input, at).map(|(value, end)| (Cell::f64(value), end)),
            Node::Bool => match input.get(at..)?.first_chunk()? {
                b"true" => Some((Cell::bool(true), at + 4)),
                b"fals" if input.get(at + 4) == Some(&b'e') => Some((Cell::bool(false), at + 5)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Reads elements of a list as [`Reader::usual_fields`] reads fields, the first of them number `index`.
    #[inline(always)]
    pub(super) fn usual_items(&mut self, node: Node, index: usize, depth: usize) -> Result<(usize, Next)> {
        let input = self.scan.input;
        let mut read = 0;
        if let Node::Record(place) = node {
            if self.codec.style.positional {
                return Ok((0, Next::Item));
            }
            let plan = &self.codec.types.records[place as usize];
            while input.get(self.scan.pos) == Some(&b'{') {
                let cell = self.object_of(plan, depth + 1).map_err(|error| error.in_index(index + read))?;
                self.arena.push(cell)?;
                read += 1;
                match input.get(self.scan.pos) {
                    Some(b',') => self.scan.pos += 1,
                    Some(b']') => {
                        self.scan.pos += 1;
                        return Ok((read, Next::Ended));
                    }
                    _ => return Ok((read, Next::Behind)),
                }
            }
            return Ok((read, Next::Item));
        }
        while let Some((cell, end)) = self.usual_value(node, input, self.scan.pos) {
            let ended = match input.get(end) {
                Some(b',') => false,
                Some(b']') => true,
                _ => break,
            };
            self.arena.push(cell)?;
            self.scan.pos = end + 1;
            read += 1;
            if ended {
                return Ok((read, Next::Ended));
            }
        }
        Ok((read, Next::Item))
    }

    /// Reads fields from `expected` on, none of which has come before, as long as each has the next name and a usual value.
    /// Returns how many there were.
    #[inline(always)]
    pub(super) fn usual_fields(
        &mut self,
        plan: &'a RecordPlan,
        expected: usize,
        at: u32,
        depth: usize,
    ) -> Result<(usize, Next)> {
        let input = self.scan.input;
        let values = at as usize + plan.state_words;
        let mut fields = plan.fields[expected..].iter();
        let mut read = 0;
        let Some(mut field) = fields.next().filter(|field| field.is_next(input, self.scan.pos)) else {
            return Ok((0, Next::Item));
        };
        let mut value_at = self.scan.pos + field.len;
        loop {
            let position = expected + read;
            let (cell, end) = match self.usual_value(field.node, input, value_at) {
                Some((cell, end)) => {
                    if !matches!(input.get(end), Some(b',' | b'}')) {
                        return Ok((read, Next::Item));
                    }
                    (Some(cell), end)
                }
                None => {
                    let Some(cell) = self.usual_nested(plan, position, field, value_at, depth)? else {
                        return Ok((read, Next::Item));
                    };
                    (cell, self.scan.pos)
                }
            };
            match cell {
                Some(cell) => {
                    self.arena.set(values + position, cell);
                    if plan.state_words != 0 {
                        self.arena.set_present(at, position);
                    }
                }
                None => self.arena.set_state(self.record_of(plan), at, position, State::Null),
            }
            read += 1;
            let next = fields.next();
            if let Some(next) = next
                && next.follows(input, end)
            {
                field = next;
                self.scan.pos = end + 1;
                value_at = end + 1 + field.len;
                continue;
            }
            let (next, used) = match input.get(end) {
                Some(b'}') => (Next::Ended, 1),
                Some(b',') => (Next::Item, 1),
                _ => (Next::Behind, 0),
            };
            self.scan.pos = end + used;
            return Ok((read, next));
        }
    }

    /// The value at `at` of a field, if it is one that nests, a text with escapes, or null (which has no cell). Reads up to
    /// its end.
    #[inline(always)]
    fn usual_nested(
        &mut self,
        plan: &'a RecordPlan,
        position: usize,
        field: &FieldPlan,
        at: usize,
        depth: usize,
    ) -> Result<Option<Option<Cell>>> {
        let input = self.scan.input;
        let cell = match (field.node, input.get(at)) {
            (Node::Record(place), Some(b'{')) if !self.codec.style.positional => {
                self.scan.pos = at;
                self.object_record(place, depth + 1)
            }
            (Node::List(item), Some(b'[')) => {
                self.scan.pos = at;
                self.list(item, depth + 1)
            }
            // It has an escape, or is wrong.
            (Node::String, Some(b'"')) => {
                self.scan.pos = at;
                self.escaped_text()
            }
            (_, Some(b'n')) if field.nullable && input[at..].starts_with(b"null") => {
                self.scan.pos = at + 4;
                return Ok(Some(None));
            }
            _ => return Ok(None),
        };
        let cell = cell.map_err(|error| error.in_field(&self.record_of(plan).fields[position].name))?;
        Ok(Some(Some(cell)))
    }

    #[inline(never)]
    fn escaped_text(&mut self) -> Result<Cell> {
        self.scan.string(self.arena)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use wirewise_core::{Arena, Document, Limits, Losses, Recorder, Schema, diff};

    use crate::{Codec, plan};

    const SCHEMA: &str = r#"{"wirewise": "schema/1", "root": {"list": "R"}, "types": [
        {"record": "R", "fields": [
            {"number": 1, "name": "id", "type": "int64"},
            {"number": 2, "name": "a_name_of_more_than_sixteen_bytes", "type": {"nullable": "string"}},
            {"number": 3, "name": "on", "type": "bool"},
            {"number": 4, "name": "x", "type": "float64", "presence": "optional"},
            {"number": 5, "name": "inner", "type": {"list": "I"}},
            {"number": 6, "name": "texts", "type": {"list": "string"}},
            {"number": 7, "name": "last", "type": {"nullable": "int32"}}]},
        {"record": "I", "fields": [
            {"number": 1, "name": "small", "type": "int8"},
            {"number": 2, "name": "numbers", "type": {"list": "float64"}}]}]}"#;

    const MESSAGES: [&str; 2] = [
        r#"[{"id":505874924095815681,"a_name_of_more_than_sixteen_bytes":"é\n","on":true,"x":-12.345678901234567,"inner":[{"small":-7,"numbers":[1.5,0.25]},{"small":12,"numbers":[]}],"texts":["a","","\u00e9"],"last":null},{"id":1,"a_name_of_more_than_sixteen_bytes":null,"on":false,"inner":[],"texts":[],"last":34}]"#,
        r#"[{"on":false,"id":-0,"last":2147483647},{"last":1,"last":2},{"id":9999999999999999,"x":1e5,"on":tru}]"#,
    ];

    /// Both say the same, be it a message or an error.
    fn check(codec: &dyn Codec, text: &[u8]) {
        let (mut first, mut second) = (Arena::new(Limits::default()), Arena::new(Limits::default()));
        let usual = codec.read(text, &mut first, &mut Losses::none());
        let general = codec.trace(text, &mut second, &mut Losses::none(), &mut Recorder::new());
        let shown = String::from_utf8_lossy(text);
        assert_eq!(usual, general, "{shown}");
        if usual.is_ok() {
            let documents = [&first, &second].map(|arena| Document::new(codec.schema(), text, arena));
            assert_eq!(diff(&documents[0], &documents[1]).map(|difference| difference.to_string()), None, "{shown}");
        }
    }

    #[test]
    fn the_usual_arms_say_what_the_general_ones_say() {
        let codec = plan("json", &Arc::new(Schema::parse(SCHEMA).unwrap())).unwrap();
        for message in MESSAGES.map(str::as_bytes) {
            for at in 0..=message.len() {
                let (before, behind) = message.split_at(at);
                check(&*codec, before);
                for piece in [" ", "\n", "0", "9", ".", "-", "e", ",", "\"", "\\", "}", "]", "{", "[", "null", "\u{e9}"]
                {
                    check(&*codec, &[before, piece.as_bytes(), behind].concat());
                    check(&*codec, &[before, piece.as_bytes(), behind.get(1..).unwrap_or_default()].concat());
                }
                check(&*codec, &[before, b"\xff", behind].concat());
            }
        }
    }
}
