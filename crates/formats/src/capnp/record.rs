//! Reading records: the fields of a struct, those of its groups, and the members of its unions.

use wirewise_core::{Cell, Error, Kind, Record, Result, State, Tracer, TypeId};

use super::decode::{Reader, no_member};
use super::message::{Message, StructView};
use super::plan::{Arm, Home, Member, Oneof, Scope, Slot};

impl<'a, T: Tracer> Reader<'a, T> {
    /// The record of a struct, or of a group in one, of type `ty`.
    #[inline(always)]
    pub(super) fn record(
        &mut self,
        scope: &'a Scope,
        ty: TypeId,
        record: &'a Record,
        view: StructView,
        depth: usize,
    ) -> Result<u32> {
        let codec = self.codec;
        let at = self.arena.record(record)?;
        for member in &scope.members {
            let position = member.position;
            let field = &record.fields[position];
            self.cover.field(&field.name);
            let read = self.member_or_default(member, view, depth);
            match read.map_err(|error| error.in_field(&field.name))? {
                Some(cell) => self.arena.set_field(record, at, position, cell),
                None if field.is_optional() => {
                    if field.default.is_some() {
                        self.arena.set_default(&codec.schema, record, at, position)?;
                    }
                }
                None if field.is_nullable() => self.arena.set_state(record, at, position, State::Null),
                None => match &field.default {
                    Some(_) => self.arena.set_default(&codec.schema, record, at, position)?,
                    None => {
                        let cell = self.absent(member.ty, view, depth).map_err(|e| e.in_field(&field.name))?;
                        self.arena.set_field(record, at, position, cell);
                    }
                },
            }
            self.cover.leave();
        }
        for oneof in &scope.oneofs {
            self.oneof(oneof, ty, record, at, view, depth)?;
        }
        for (pointer, name) in &scope.skipped {
            self.skipped(*pointer, name, ty, view)?;
        }
        Ok(at)
    }

    /// The member of a union that is there.
    fn oneof(
        &mut self,
        oneof: &'a Oneof,
        ty: TypeId,
        record: &'a Record,
        at: u32,
        view: StructView,
        depth: usize,
    ) -> Result<()> {
        let value = oneof.discriminant.map_or(0, |bit| self.discriminant(view, bit));
        let place = view.data + oneof.discriminant.unwrap_or_default() / 8;
        let known = u16::try_from(value).ok().filter(|_| oneof.nothing.is_some());
        match oneof.arms.get(value as usize) {
            Some(Arm::Nothing) => Ok(()),
            Some(Arm::Skipped(pointer, name)) => {
                // One of them stands for nothing when it is null; the others cannot be written again.
                if known == oneof.nothing && known.is_some() || oneof.oneof.is_none() && value == 0 {
                    return self.skipped(*pointer, name, ty, view);
                }
                self.unknown(ty, name.clone(), place)
            }
            Some(Arm::Member(member)) => {
                let null = matches!(member.home, Home::Slot(Slot::Pointer(index))
                    if view.pointer(index).is_none_or(|at| self.message.is_null(at)));
                if null && known.is_some() && known == oneof.nothing {
                    return Ok(());
                }
                let name = &record.fields[member.position].name;
                self.cover.field(name);
                self.chosen(member, record, at, view, depth).map_err(|error| error.in_field(name))?;
                self.cover.leave();
                Ok(())
            }
            None => match oneof.oneof.map(|oneof| &record.oneofs[oneof]) {
                Some(oneof) if oneof.required => {
                    Err(Error::data(place, no_member(value, &format!("union {}", oneof.name))))
                }
                _ => self.unknown(ty, format!("member {value} of a union"), place),
            },
        }
    }

    /// A member of a union that is there: a null pointer is an empty value, a default, or null where that is possible.
    fn chosen(
        &mut self,
        member: &'a Member,
        record: &'a Record,
        at: u32,
        view: StructView,
        depth: usize,
    ) -> Result<()> {
        let field = &record.fields[member.position];
        let cell = match self.member_or_default(member, view, depth)? {
            // A nullable scalar is a struct of its own here.
            Some(cell) if matches!(self.codec.schema.kind(member.ty), Kind::Nullable(_)) => match cell {
                Cell::NULL => None,
                boxed => Some(self.arena.get(boxed.as_index())),
            },
            Some(cell) => Some(cell),
            None if field.is_nullable() => None,
            None => Some(self.absent(member.ty, view, depth)?),
        };
        match cell {
            Some(cell) => self.arena.set_field(record, at, member.position, cell),
            None => self.arena.set_state(record, at, member.position, State::Null),
        }
        Ok(())
    }

    /// A member, or what the notes say that its null pointer stands for.
    #[inline(always)]
    fn member_or_default(&mut self, member: &'a Member, view: StructView, depth: usize) -> Result<Option<Cell>> {
        let read = self.member(member, view, depth)?;
        match (read, member.default) {
            (None, Some(default)) if !self.expanding.contains(&default) => self.default(default, view, depth).map(Some),
            (read, _) => Ok(read),
        }
    }

    /// The value of a default, which is a message of its own.
    fn default(&mut self, index: usize, view: StructView, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        let default = &codec.plan.defaults[index];
        self.message.spend(default.message.len() as u64 / 8, view.data)?;
        let outer = std::mem::replace(&mut self.message, Message::new(&default.message));
        let is_listening = self.cover.pause();
        self.expanding.push(index);
        let root = self.message.root();
        let read = root.and_then(|at| self.pointer(at, default.ty, depth));
        self.expanding.pop();
        self.cover.resume(is_listening);
        self.message = outer;
        match read.map_err(|error| error.at(view.data))? {
            Some(cell) => Ok(cell),
            None => self.absent(default.ty, view, depth),
        }
    }

    /// A pointer that the model cannot say: it must be null.
    fn skipped(&mut self, pointer: usize, name: &str, ty: TypeId, view: StructView) -> Result<()> {
        match view.pointer(pointer) {
            Some(at) if !self.message.is_null(at) => self.unknown(ty, name.to_owned(), at.byte),
            _ => Ok(()),
        }
    }
}
