//! Reading records: the fields of a struct, those of its groups, and the members of its unions.

use wirewise_core::{Cell, Error, Kind, Record, Result, State, Tracer, TypeId};

use super::decode::{Reader, no_member};
use super::message::{At, Message, StructView, WORD};
use super::plan::{Arm, Home, Member, Oneof, Scope, Slot, Struct};
use super::simple::{Code, Simple};

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
        let at = self.arena.record(record).map_err(|error| error.at(view.data))?;
        for member in &scope.members {
            self.field(member, record, at, view, depth)?;
        }
        for oneof in &scope.oneofs {
            self.oneof(oneof, ty, record, at, view, depth)?;
        }
        for (pointer, name) in &scope.skipped {
            self.skipped(*pointer, name, ty, view)?;
        }
        Ok(at)
    }

    /// A field of the record whose cells are at `at`.
    #[inline(always)]
    fn field(&mut self, member: &'a Member, record: &'a Record, at: u32, view: StructView, depth: usize) -> Result<()> {
        let codec = self.codec;
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
        Ok(())
    }

    /// The record of a struct that has at least the size that is planned for it, and neither unions nor groups.
    pub(super) fn simple_record(
        &mut self,
        plan: &'a Struct,
        simple: &Simple,
        record: &'a Record,
        view: StructView,
        depth: usize,
    ) -> Result<u32> {
        let run = self.arena.alloc(simple.cells).map_err(|error| error.at(view.data))?;
        let bytes = self.message.bytes;
        let data = &bytes[view.data..view.data + plan.data_words * WORD];
        let mut states = 0;
        for (i, field) in simple.fields.iter().enumerate() {
            let at = field.at as usize;
            let cell = match field.code {
                Code::Word => Cell::uint(u64::from_le_bytes(load(data, at)) ^ field.default),
                Code::U32 => Cell::uint((u32::from_le_bytes(load(data, at)) ^ field.default as u32).into()),
                Code::I32 => Cell::int((i32::from_le_bytes(load(data, at)) ^ field.default as i32).into()),
                Code::U16 => Cell::uint((u16::from_le_bytes(load(data, at)) ^ field.default as u16).into()),
                Code::I16 => Cell::int((i16::from_le_bytes(load(data, at)) ^ field.default as i16).into()),
                Code::U8 => Cell::uint((data[at] ^ field.default as u8).into()),
                Code::I8 => Cell::int(((data[at] ^ field.default as u8) as i8).into()),
                Code::Bool => Cell::bool((data[at] >> field.bit & 1) ^ field.default as u8 != 0),
                Code::Text => match self.message.usual_text(view.segment, view.pointers + at) {
                    Some((start, len)) => self.arena.text(&bytes[start..start + len])?,
                    None => {
                        self.other_field(plan, i, record, run, view, depth)?;
                        continue;
                    }
                },
                Code::List if self.message.word(view.pointers + at) != 0 => {
                    let at = At { segment: view.segment, byte: view.pointers + at };
                    match self.pointer(at, field.ty, depth) {
                        Ok(cell) => cell.unwrap_or_default(),
                        Err(error) => return Err(error.in_field(&record.fields[field.position as usize].name)),
                    }
                }
                Code::List | Code::Other => {
                    self.other_field(plan, i, record, run, view, depth)?;
                    continue;
                }
            };
            self.arena.set(run as usize + simple.state_words + field.position as usize, cell);
            states |= field.present;
        }
        for word in 0..simple.state_words.min(2) {
            let before = self.arena.get(run as usize + word).as_u64();
            self.arena.set(run as usize + word, Cell::uint(before | (states >> (64 * word)) as u64));
        }
        Ok(run)
    }

    /// A field that is read as its member says.
    #[inline(never)]
    fn other_field(
        &mut self,
        plan: &'a Struct,
        index: usize,
        record: &'a Record,
        at: u32,
        view: StructView,
        depth: usize,
    ) -> Result<()> {
        self.field(&plan.scope.members[index], record, at, view, depth)
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

/// So many bytes at `at`.
#[inline(always)]
fn load<const N: usize>(data: &[u8], at: usize) -> [u8; N] {
    *data[at..].first_chunk().expect("fields lie in their struct")
}
