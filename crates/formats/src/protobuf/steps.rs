//! Writing a record of numbers, texts and such records in one loop, which calls nobody, so that all it needs is in
//! registers. The general way keeps the place to write to in memory, and calls itself for every record.

use wirewise_core::{Cell, Document, Out, State, varint};

use super::ops::{Code, IMPLICIT, OPTIONAL, Op, STATEFUL};
use super::plan::Message;
use super::wire::end_prefixed;

/// Most steps of one record: they, and the room for what they write, are a few KiB.
const STEPS: usize = 64;
/// How deep records nest that are written here.
const DEPTH: usize = 4;
/// Bytes of a text that are written at once.
const TEXT: usize = 64;
/// Bytes that one step writes.
const MOST: usize = 8 + TEXT;

/// What is written of a record, up to the first field that is neither a number, a text, nor a record of these.
#[derive(Debug, Default)]
pub(super) struct Steps {
    steps: Vec<Step>,
    /// Bytes for which there is room before a record is begun.
    room: usize,
    /// Fields that have steps, and fields that the record has.
    fields: usize,
    of: usize,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// The field's tag.
    tag: u32,
    tag_len: u8,
    kind: Kind,
    /// It is not written when it is zero.
    implicit: bool,
    /// Of a state: where in its word it is; otherwise: the bits of the tag.
    shift: u8,
    /// The cell in the record's run.
    slot: u32,
    /// Steps that are left out when it is not written.
    inner: u16,
    /// The place of the outermost field that it belongs to.
    place: u16,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Varint,
    ZigZag,
    Word64,
    Word32,
    Text,
    Enum,
    /// Begins a record.
    Begin,
    /// Ends the record that was begun last.
    End,
    /// Finds out whether a field has a value. It must not be null.
    State,
    /// The same for one that may be null.
    Null,
}

impl Steps {
    /// Compiles the steps of one of the messages.
    pub(super) fn new(message: &Message, messages: &[Message]) -> Steps {
        let mut all = Steps { of: message.ops.ops.len(), ..Steps::default() };
        if !message.oneofs.is_empty() {
            return all;
        }
        for (place, op) in message.ops.ops.iter().enumerate() {
            let before = all.steps.len();
            if all.add(op, place as u16, messages, DEPTH).is_none() {
                all.steps.truncate(before);
                break;
            }
            all.fields = place + 1;
        }
        all.room = MOST + all.steps.iter().map(|step| if step.kind == Kind::Text { MOST } else { 12 }).sum::<usize>();
        all
    }

    /// Adds the steps of a field, if it has any.
    fn add(&mut self, op: &Op, place: u16, messages: &[Message], depth: usize) -> Option<()> {
        let kind = match op.code {
            Code::Bool => Kind::Bool,
            Code::Int64 | Code::Int32 | Code::Uint32 => Kind::Varint,
            Code::Sint64 | Code::Sint32 => Kind::ZigZag,
            Code::Word64 => Kind::Word64,
            Code::Word32 | Code::Sword32 => Kind::Word32,
            Code::String | Code::Bytes => Kind::Text,
            Code::Enum | Code::ClosedEnum => Kind::Enum,
            Code::Record => Kind::Begin,
            Code::Other | Code::Strings | Code::Blobs | Code::Records | Code::Packed => return None,
        };
        let implicit = op.flags & IMPLICIT != 0;
        let (tag, tag_len) = (op.tag, op.tag_len);
        let step = Step { tag, tag_len, kind, implicit, shift: 8 * tag_len, slot: op.slot, inner: 0, place };
        let at = self.steps.len();
        if op.flags & STATEFUL != 0 {
            let kind = if op.flags & OPTIONAL != 0 { Kind::State } else { Kind::Null };
            self.steps.push(Step { kind, shift: op.shift, slot: op.word, implicit: false, ..step });
        }
        let begin = self.steps.len();
        self.steps.push(step);
        if kind == Kind::Begin {
            let message = &messages[op.place as usize];
            if depth == 0 || !message.oneofs.is_empty() || message.ops.cells == 0 {
                return None;
            }
            message.ops.ops.iter().try_for_each(|op| self.add(op, place, messages, depth - 1))?;
            self.steps.push(Step { kind: Kind::End, slot: 0, implicit: false, ..step });
        }
        let end = self.steps.len();
        for outer in at..=begin {
            self.steps[outer].inner = (end - outer - 1) as u16;
        }
        (end <= STEPS).then_some(())
    }

    /// Whether any fields have steps.
    pub(super) fn any(&self) -> bool {
        self.fields > 0
    }

    /// Whether these are all fields of the record.
    pub(super) fn all(&self, written: usize) -> bool {
        written == self.of
    }

    /// Writes the first fields of a record, and returns how many. The next one has something unusual, or there is none.
    #[inline(never)]
    pub(super) fn write(&self, document: &Document<'_>, cell: Cell, out: &mut Out<'_>) -> usize {
        out.reserve(self.room);
        let Err(Stop { place, begun, done }) = out.local(|out| self.usual(document, cell, out)) else {
            return self.fields;
        };
        if done {
            end_prefixed(out, 1, begun);
            return place + 1;
        }
        if begun > 0 {
            let first = self.steps.iter().find(|step| usize::from(step.place) == place);
            out.truncate(begun - 1 - first.map_or(0, |step| step.tag_len.into()));
        }
        place
    }

    #[inline(always)]
    fn usual(&self, document: &Document<'_>, cell: Cell, out: &mut Out<'_>) -> Result<(), Stop> {
        let cells = document.cells();
        let mut run = &cells[cell.as_index()..];
        // Of the records that are being written: where their contents begin, and the runs that they are in.
        let mut outer = [(0, run); DEPTH];
        let mut depth = 0;
        let mut steps = self.steps.iter();
        while let Some(step) = steps.next() {
            // The only question about the room, because all that is written below is less.
            let has_room = out.has_room(MOST);
            let cell = run[step.slot as usize];
            if cell == Cell::EMPTY && step.implicit {
                continue;
            }
            let usual = has_room
                && match step.kind {
                    Kind::Bool => out.try_prefixes(step.head(cell.as_bool().into()), (&[], 0)),
                    Kind::Varint => step.varint(cell.as_u64(), out),
                    Kind::ZigZag => step.varint(varint::zigzag(cell.as_i64()), out),
                    Kind::Word64 => out.try_prefixes(step.tag(), (&cell.as_u64().to_le_bytes(), 8)),
                    Kind::Word32 => out.try_prefixes(step.tag(), (&(cell.as_u64() as u32).to_le_bytes(), 4)),
                    Kind::Text => step.text(document, cell, out),
                    Kind::Enum => i32::try_from(cell.as_i64()).is_ok() && step.varint(cell.as_u64(), out),
                    Kind::Begin => {
                        out.try_prefixes(step.head(0), (&[], 0));
                        outer[depth % DEPTH] = (out.len(), run);
                        depth += 1;
                        run = &cells[cell.as_index()..];
                        true
                    }
                    Kind::End => {
                        depth -= 1;
                        let content;
                        (content, run) = outer[depth % DEPTH];
                        let len = out.len() - content;
                        if len >= 0x80 {
                            return Err(Stop { place: step.place.into(), begun: outer[0].0, done: depth == 0 });
                        }
                        out.set(content - 1, len as u8);
                        true
                    }
                    Kind::State => step.skip(cell, &mut steps) != State::Null as u64,
                    Kind::Null => {
                        step.skip(cell, &mut steps);
                        true
                    }
                };
            if !usual {
                let begun = if depth > 0 { outer[0].0 } else { 0 };
                return Err(Stop { place: step.place.into(), begun, done: false });
            }
        }
        Ok(())
    }
}

/// Why not all was written.
struct Stop {
    /// The field that is unusual.
    place: usize,
    /// Where the content of the record begins that it is, if something of it was written; else 0.
    begun: usize,
    /// Whether all of it was written, but for the length.
    done: bool,
}

impl Step {
    /// Leaves out the steps of a field that has no value; returns its state.
    #[inline(always)]
    fn skip(&self, states: Cell, steps: &mut std::slice::Iter<'_, Step>) -> u64 {
        let state = states.as_u64() >> self.shift & 3;
        if state != State::Present as u64 {
            for _ in 0..self.inner {
                steps.next();
            }
        }
        state
    }

    #[inline(always)]
    fn varint(&self, value: u64, out: &mut Out<'_>) -> bool {
        if varint::is_byte(value) {
            out.try_prefixes(self.head(value), (&[], 0))
        } else if value >> varint::WORD_BITS == 0 {
            let (word, len) = varint::word(value);
            out.try_prefixes(self.tag(), (&word.to_le_bytes(), len))
        } else {
            false
        }
    }

    /// Writes a text of up to 64 bytes.
    #[inline(always)]
    fn text(&self, document: &Document<'_>, cell: Cell, out: &mut Out<'_>) -> bool {
        let len = cell.len();
        let head = self.head(len as u64);
        if matches!(len, 1..=32) {
            if let Some(block) = document.block::<32>(cell) {
                return out.try_prefixes(head, (block, len));
            }
        } else if len == 0 {
            return self.implicit || out.try_prefixes(head, (&[], 0));
        } else if len <= TEXT
            && let Some(block) = document.block::<TEXT>(cell)
        {
            return out.try_prefixes(head, (block, len));
        }
        match document.last_block(cell) {
            Some(block) => out.try_prefixes(head, (&block, len)),
            None => false,
        }
    }

    #[inline(always)]
    fn tag(&self) -> ([u8; 4], usize) {
        (self.tag.to_le_bytes(), usize::from(self.tag_len & 7))
    }

    /// The tag and a byte behind it.
    #[inline(always)]
    fn head(&self, byte: u64) -> ([u8; 8], usize) {
        let word = u64::from(self.tag) | byte.wrapping_shl(self.shift.into());
        (word.to_le_bytes(), usize::from(self.tag_len & 7) + 1)
    }
}

#[cfg(test)]
mod tests {
    use wirewise_core::{Losses, Out};

    use crate::testing;

    /// Alone, a record is written by its steps; the records of a stream are not.
    #[test]
    fn what_has_steps_is_written_as_in_a_stream() {
        let [one, list] = testing::tree_schemas();
        let records = testing::trees();
        let json = format!("[{}]", records.join(","));
        let mut losses = Losses::none();
        let whole = testing::convert(&list, "json", "protobuf-delimited", json.as_bytes(), &mut losses).unwrap();
        let mut each = Vec::new();
        for record in &records {
            let message = testing::convert(&one, "json", "protobuf", record.as_bytes(), &mut losses).unwrap();
            let mut out = Out::new(&mut each);
            out.varint(message.len() as u64);
            out.bytes(&message);
        }
        assert!(whole == each);
    }
}
