//! Message sets, from before there were extensions: each field is a group, number 1, of its number and its message.

use wirewise_core::{Cell, Error, ErrorKind, Kind, Out, Record, Result, Role, Schema, Tracer, TypeId};

use super::decode::Reader;
use super::encode::Writer;
use super::plan::{FieldPlan, Message, Shape, Value};
use super::unknown::Owner;
use super::wire::WireType;

/// The tags of an item, of the number in it, of the message in it, and of its end.
const ITEM: u8 = 1 << 3 | WireType::StartGroup as u8;
const NUMBER: u8 = 2 << 3 | WireType::Varint as u8;
const MESSAGE: u8 = 3 << 3 | WireType::Len as u8;
const END: u8 = 1 << 3 | WireType::EndGroup as u8;

/// Checks that a record can be a message set.
pub(super) fn check(schema: &Schema, ty: TypeId, fields: &[FieldPlan]) -> Result<()> {
    let Kind::Record(record) = schema.kind(ty) else { return Ok(()) };
    let fits = |plan: &&FieldPlan| {
        let field = &record.fields[plan.position];
        matches!(plan.shape, Shape::One(Value::Message(_)))
            && plan.oneof.is_none()
            && field.is_optional()
            && !field.is_nullable()
    };
    match fields.iter().find(|plan| !fits(plan)) {
        None => Ok(()),
        Some(plan) => {
            let what = format!("{} is a message set, whose fields are optional messages", record.name);
            Err(Error::new(ErrorKind::Unsupported, what).in_field(&record.fields[plan.position].name))
        }
    }
}

impl<'a, T: Tracer> Reader<'a, T> {
    /// Reads a message set into what earlier pieces left.
    pub(super) fn message_set(
        &mut self,
        message: &Message,
        record: &'a Record,
        existing: Option<Cell>,
        depth: usize,
    ) -> Result<Cell> {
        let at = match existing {
            Some(cell) => cell.as_index() as u32,
            None => self.arena.record(record)?,
        };
        let outer = std::mem::replace(&mut self.owner, Owner::Run(at));
        while self.cursor.pos < self.cursor.end {
            let start = self.cursor.pos;
            self.tag_at = start;
            let (number, wire_type) = self.cursor.tag()?;
            match (number, wire_type) {
                (1, WireType::StartGroup) => self.item(message, record, at, start, depth)?,
                (_, WireType::EndGroup) if number == self.cursor.group => {
                    self.trace_tag(number, wire_type);
                    self.owner = outer;
                    return Ok(Cell::index(at));
                }
                (_, WireType::EndGroup) => return Err(self.cursor.wrong_end(number, start)),
                // Written as if the set were any other message.
                (_, WireType::Len) if message.field(number, 0).is_some() => {
                    self.member(message, record, at, number, depth)?;
                }
                _ => self.skip(message.ty, number, wire_type, start, depth)?,
            }
        }
        self.owner = outer;
        match self.cursor.group {
            0 => Ok(Cell::index(at)),
            group => Err(self.cursor.ended(&format!("the end of group {group}"))),
        }
    }

    /// Reads the item whose start, at `start`, was just read. Its number and its message may come in either order; of
    /// each the first counts.
    fn item(&mut self, message: &Message, record: &'a Record, at: u32, start: usize, depth: usize) -> Result<()> {
        let inside = self.cursor.pos;
        let (mut number, mut place, mut extra) = (None, None, None);
        let outer = self.cursor.enter(1);
        loop {
            if self.cursor.pos == self.cursor.end {
                return Err(self.cursor.ended("the end of group 1"));
            }
            let tag_at = self.cursor.pos;
            match self.cursor.tag()? {
                (1, WireType::EndGroup) => break,
                (other, WireType::EndGroup) => return Err(self.cursor.wrong_end(other, tag_at)),
                (2, WireType::Varint) if number.is_none() => number = Some(self.cursor.varint()? as u32),
                (3, WireType::Len) if place.is_none() => {
                    place = Some(self.cursor.pos);
                    self.cursor.bytes()?;
                }
                (other, wire_type) => {
                    extra.get_or_insert((other, tag_at));
                    let depth = self.arena.limits().depth.saturating_sub(depth + 1);
                    self.cursor.skip(other, wire_type, depth)?;
                }
            }
        }
        self.cursor.release(outer);
        let end = self.cursor.pos;
        let known = number.filter(|&number| message.field(number, 0).is_some());
        let (Some(number), Some(place)) = (known, place) else {
            // An item that the schema does not know, or that is none.
            self.cursor.pos = inside;
            return self.skip_item(message.ty, number, start, depth);
        };
        if let Some((other, at)) = extra {
            self.unknown(message.ty, other, at)?;
        }
        if T::ON {
            let tag = start..place;
            self.tracer.span(tag, Role::Tag, format_args!("item {number} of a message set"), format_args!(""));
            self.tag_at = place;
        }
        self.cursor.pos = place;
        self.member(message, record, at, number, depth)?;
        if T::ON {
            let rest = self.cursor.pos..end;
            self.tracer.span(rest, Role::Tag, format_args!("end of item {number}"), format_args!(""));
        }
        self.cursor.pos = end;
        Ok(())
    }

    #[cold]
    fn skip_item(&mut self, within: TypeId, number: Option<u32>, start: usize, depth: usize) -> Result<()> {
        // Under the number that it would have, if the loss is reported.
        if !self.arena.keeps_unknown() {
            self.unknown(within, number.unwrap_or(1), start)?;
            let depth = self.arena.limits().depth.saturating_sub(depth);
            self.cursor.skip(1, WireType::StartGroup, depth)?;
            if T::ON {
                let bytes = start..self.cursor.pos;
                self.tracer.span(bytes, Role::Unknown, format_args!("item of a message set"), format_args!(""));
            }
            return Ok(());
        }
        self.skip(within, 1, WireType::StartGroup, start, depth)
    }

    /// Reads a message after its length as the field with this number.
    fn member(&mut self, message: &Message, record: &'a Record, at: u32, number: u32, depth: usize) -> Result<()> {
        let plan = &message.fields[message.field(number, 0).expect("the caller found it")];
        let name = &record.fields[plan.position].name;
        let before = self.arena.field(record, at, plan.position);
        self.tracer.field(name);
        if self.tag_at < self.cursor.pos {
            self.trace_tag(number, WireType::Len);
        }
        let read = self.field(message, plan, WireType::Len, before, depth);
        self.tracer.leave();
        if let Some(cell) = read.map_err(|error| error.in_field(name))? {
            self.arena.set_field(record, at, plan.position, cell);
        }
        Ok(())
    }
}

impl Writer<'_> {
    /// Writes a message set.
    pub(super) fn message_set(
        &mut self,
        message: &Message,
        record: &Record,
        cell: Cell,
        out: &mut Out<'_>,
    ) -> Result<()> {
        let view = self.document.record(record, cell);
        for plan in &message.fields {
            // A field that can be null cannot be one of a message set.
            if view.is_absent(plan.position) {
                continue;
            }
            let Shape::One(value) = plan.shape else { unreachable!("a message set has no other fields") };
            out.array([ITEM, NUMBER]);
            out.varint(plan.number.into());
            out.byte(MESSAGE);
            let written = self.value(value, view.cell(plan.position), out);
            written.map_err(|error| error.in_field(&record.fields[plan.position].name))?;
            out.byte(END);
        }
        self.unknown(cell, out);
        Ok(())
    }
}
