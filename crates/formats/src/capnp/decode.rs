//! Reading messages by schema.

use wirewise_core::{
    Arena, Cell, Enum, Error, Float, Kind, Losses, Record, Recorder, Result, Role, Silent, Tracer, TypeId, utf8,
};

use super::CapnpCodec;
use super::frame::{frame, has_table, unpack, unpack_cut, unpacked};
use super::message::{At, ListView, Message, StructView, Target, WORD};
use super::packed::Mapped;
use super::plan::{Element, Home, Member, Scope, Slot, Struct, element};
use super::trace::Cover;
use crate::dynamic::{duplicate, too_deep};
use crate::json::any_from_text;

/// Reads a message with its segment table.
pub(super) fn read(codec: &CapnpCodec, input: &[u8], arena: &mut Arena, losses: &mut Losses) -> Result<usize> {
    arena.begin(input)?;
    if codec.packed {
        let (message, used) = unpack(input, arena.limits())?;
        let read = read_message(codec, &message, input, arena, losses, &mut Silent);
        return read.map(|()| used).map_err(|error| unpacked(error, input));
    }
    let bytes = frame(input, arena.limits())?;
    read_message(codec, &input[..bytes], input, arena, losses, &mut Silent)?;
    Ok(bytes)
}

/// The same, saying what each byte is.
pub(super) fn trace(
    codec: &CapnpCodec,
    input: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    recorder: &mut Recorder,
) -> Result<usize> {
    arena.begin(input)?;
    if codec.packed {
        let (message, used, cut) = unpack_cut(input, arena.limits());
        let mut mapped = Mapped::new(&input[..used], message.len() / WORD, recorder);
        if let Some(cut) = cut {
            if has_table(&message) {
                drop(read_message(codec, &message, input, arena, losses, &mut mapped));
            }
            return Err(cut);
        }
        let read = read_message(codec, &message, input, arena, losses, &mut mapped);
        return read.map(|()| used).map_err(|error| unpacked(error, input));
    }
    match frame(input, arena.limits()) {
        Ok(bytes) => read_message(codec, &input[..bytes], input, arena, losses, recorder).map(|()| bytes),
        Err(cut) => {
            // What there is of the message is explained all the same.
            if has_table(input) {
                drop(read_message(codec, input, input, arena, losses, recorder));
            }
            Err(cut)
        }
    }
}

fn read_message<T: Tracer>(
    codec: &CapnpCodec,
    bytes: &[u8],
    whole: &[u8],
    arena: &mut Arena,
    losses: &mut Losses,
    tracer: &mut T,
) -> Result<()> {
    let message = Message::new(bytes);
    let cover = Cover::new(tracer, bytes);
    let mut reader = Reader { codec, message, whole, arena, losses, cover, expanding: Vec::new() };
    if T::ON {
        reader.cover.table(bytes);
    }
    let root = reader.message.root()?;
    let root = reader.root(root)?;
    if T::ON && !reader.message.is_cut {
        reader.cover.rest(0..bytes.len(), "nothing leads here");
    }
    reader.arena.set_root(root);
    Ok(())
}

/// A message that is being read by schema; records are in `record.rs`, how it notes unknown data in `unknown.rs`.
pub(super) struct Reader<'a, T> {
    pub(super) codec: &'a CapnpCodec,
    pub(super) message: Message<'a>,
    /// The input that the arena was begun with: the message itself, or what it was unpacked from.
    whole: &'a [u8],
    pub(super) arena: &'a mut Arena,
    pub(super) losses: &'a mut Losses,
    pub(super) cover: Cover<'a, T>,
    /// Defaults that are being read, so that one in itself ends.
    pub(super) expanding: Vec<usize>,
}

impl<'a, T: Tracer> Reader<'a, T> {
    fn root(&mut self, at: At) -> Result<Cell> {
        let codec = self.codec;
        let plan = codec.plan.root(&codec.schema);
        let view = self.struct_at(Some(at))?;
        self.value(plan, view, codec.schema.root(), 0)
    }

    /// A value that is a struct of its own, whatever its type is called in the schema.
    pub(super) fn value(&mut self, plan: &'a Struct, view: StructView, ty: TypeId, depth: usize) -> Result<Cell> {
        self.enter(view.data, depth)?;
        self.check_unknown(plan, view)?;
        let codec = self.codec;
        // The struct of a union or a nullable is no level of its own.
        let outer = depth.saturating_sub(1);
        let cell = match codec.schema.kind(ty) {
            Kind::Record(record) => match &plan.simple {
                Some(simple) if self.is_usual(plan, view) => {
                    return self.simple_record(plan, simple, record, view, depth).map(Cell::index);
                }
                _ => self.record(&plan.scope, plan.ty, record, view, depth).map(Cell::index),
            },
            Kind::Nullable(_) => match self.member(&plan.scope.members[0], view, outer)? {
                Some(cell) => self.arena.boxed(cell),
                None => Ok(Cell::NULL),
            },
            _ => self.required(&plan.scope.members[0], view, outer),
        }?;
        if T::ON {
            self.cover.rest(view.data..view.pointers + view.pointer_count * WORD, "not used");
        }
        Ok(cell)
    }

    /// Whether a struct has all that is planned for it. Where each byte is explained, nothing is read in one go.
    #[inline(always)]
    fn is_usual(&self, plan: &Struct, view: StructView) -> bool {
        !T::ON && view.data_bits >= 64 * plan.data_words && view.pointer_count >= plan.pointers
    }

    fn enter(&self, at: usize, depth: usize) -> Result<()> {
        if depth > self.arena.limits().depth { Err(too_deep(at, self.arena)) } else { Ok(()) }
    }

    /// A member that always has a value: a null pointer is the default of its type.
    pub(super) fn required(&mut self, member: &'a Member, view: StructView, depth: usize) -> Result<Cell> {
        match self.member(member, view, depth)? {
            Some(cell) => Ok(cell),
            None => self.absent(member.ty, view, depth),
        }
    }

    /// A member's value; `None` when there is nothing: no value, or a null pointer.
    pub(super) fn member(&mut self, member: &'a Member, view: StructView, depth: usize) -> Result<Option<Cell>> {
        match &member.home {
            Home::Slot(slot) => self.slot(*slot, view, member.ty, depth),
            Home::Maybe(discriminant, slot) => match self.discriminant(view, *discriminant) {
                0 => Ok(None),
                1 => self.slot(*slot, view, member.ty, depth),
                other => Err(Error::data(view.data + discriminant / 8, no_member(other, "this optional field"))),
            },
            Home::Group(scope) => {
                let Kind::Record(record) = self.codec.schema.kind(member.ty) else {
                    unreachable!("planned as a group")
                };
                self.enter(view.data, depth + 1)?;
                self.group(scope, member.ty, record, view, depth + 1).map(|at| Some(Cell::index(at)))
            }
            Home::Union { discriminant, positions, branches } => {
                let codec = self.codec;
                let Kind::Union(union) = codec.schema.kind(member.ty) else { unreachable!("planned as a union") };
                let value = discriminant.map_or(0, |bit| self.discriminant(view, bit));
                let position = match positions.get(value as usize) {
                    Some(Some(position)) => *position,
                    Some(None) => return Ok(None),
                    None => {
                        let at = view.data + discriminant.unwrap_or_default() / 8;
                        return Err(Error::data(at, no_member(value, &format!("union {}", union.name))));
                    }
                };
                let branch = &union.branches[position];
                self.cover.field(&branch.name);
                let cell = self
                    .slot(branches[position].1, view, branch.ty, depth)
                    .and_then(|cell| cell.map_or_else(|| self.absent(branch.ty, view, depth), Ok))
                    .map_err(|error| error.in_field(&branch.name))?;
                self.cover.leave();
                self.arena.union(position, cell).map(Some)
            }
        }
    }

    /// As [`Reader::record`], which is fastest where it is part of its caller: of the one that structs go through.
    #[inline(never)]
    fn group(
        &mut self,
        scope: &'a Scope,
        ty: TypeId,
        record: &'a Record,
        view: StructView,
        depth: usize,
    ) -> Result<u32> {
        self.record(scope, ty, record, view, depth)
    }

    /// The value of a union's discriminant.
    pub(super) fn discriminant(&mut self, view: StructView, bit: usize) -> u64 {
        let value = view.data(self.message.bytes, bit, 4);
        if T::ON && bit + 16 <= view.data_bits {
            let at = view.data + bit / 8;
            self.cover.span(at..at + 2, Role::Tag, format_args!("union discriminant"), format_args!("{value}"));
        }
        value
    }

    #[inline(always)]
    fn slot(&mut self, slot: Slot, view: StructView, ty: TypeId, depth: usize) -> Result<Option<Cell>> {
        match slot {
            Slot::Void => Ok(Some(Cell::EMPTY)),
            Slot::Data { bit, lg, default } => {
                let bits = view.data(self.message.bytes, bit, lg) ^ default;
                if T::ON && bit + (1 << lg) <= view.data_bits {
                    self.cover.scalar(&self.codec.schema, ty, bits, default, view.data * 8 + bit, lg);
                }
                self.scalar(ty, bits, view.data + bit / 8).map(Some)
            }
            Slot::Pointer(index) => match view.pointer(index) {
                Some(at) => self.pointer(at, ty, depth),
                None => Ok(None),
            },
        }
    }

    #[inline(always)]
    fn scalar(&mut self, ty: TypeId, bits: u64, at: usize) -> Result<Cell> {
        Ok(match self.codec.schema.kind(ty) {
            Kind::Bool => Cell::bool(bits != 0),
            Kind::Int(int) if int.signed() => {
                let shift = 64 - int.bits();
                Cell::int((bits << shift) as i64 >> shift)
            }
            Kind::Float(Float::F32) => Cell::f32(f32::from_bits(bits as u32)),
            Kind::Enum(e) => return enumerator(e, bits, at),
            _ => Cell::uint(bits),
        })
    }

    /// What a null pointer stands for where there must be a value.
    pub(super) fn absent(&mut self, ty: TypeId, view: StructView, depth: usize) -> Result<Cell> {
        let codec = self.codec;
        match codec.schema.kind(ty) {
            Kind::Record(_) | Kind::Union(_) => {
                // Defaults nest as the schema does, which may be a wide graph.
                self.message.spend(1, view.data)?;
                self.value(codec.plan.of(ty), StructView::default(), ty, depth + 1)
            }
            kind => {
                if let Kind::Fixed(size) = kind {
                    self.message.spend(u64::from(*size) / WORD as u64, view.data)?;
                }
                self.arena.zero(&codec.schema, ty, 0)
            }
        }
    }

    /// What the pointer at `at` leads to; `None` when it is null.
    #[inline(always)]
    pub(super) fn pointer(&mut self, at: At, ty: TypeId, depth: usize) -> Result<Option<Cell>> {
        let codec = self.codec;
        match codec.schema.kind(ty) {
            Kind::Record(_) | Kind::Union(_) | Kind::Nullable(_) => {
                if self.message.is_null(at) {
                    self.trace_pointer(at);
                    return Ok(None);
                }
                let view = self.struct_at(Some(at))?;
                return self.value(codec.plan.of(ty), view, ty, depth + 1).map(Some);
            }
            _ => {}
        }
        self.trace_pointer(at);
        let Some(target) = self.message.follow(at)? else { return Ok(None) };
        let Target::List(list) = target else {
            return Err(self.mismatch(ty, at, "a struct"));
        };
        match codec.schema.kind(ty) {
            Kind::String => {
                let text = self.text(ty, list, at)?;
                self.trace_blob(list, true);
                self.arena.text(text).map(Some)
            }
            Kind::Any => {
                let text = self.text(ty, list, at)?;
                self.trace_blob(list, true);
                any_from_text(text, self.whole, list.start, self.arena, depth + 1).map(Some)
            }
            Kind::Bytes | Kind::Fixed(_) => {
                let bytes = self.bytes(ty, list, at)?;
                self.trace_blob(list, false);
                match codec.schema.kind(ty) {
                    Kind::Fixed(size) if *size as usize != bytes.len() => {
                        let found = bytes.len();
                        Err(Error::data(list.start, format!("expected {size} bytes, found {found}")))
                    }
                    _ => self.arena.text(bytes).map(Some),
                }
            }
            Kind::List(item) => self.list(*item, list, at, depth + 1).map(Some),
            Kind::Map(key, _) => self.map(ty, *key, list, at, depth + 1).map(Some),
            _ => Err(self.mismatch(ty, at, "a list")),
        }
    }

    fn struct_at(&mut self, at: Option<At>) -> Result<StructView> {
        let Some(at) = at else { return Ok(StructView::default()) };
        self.trace_pointer(at);
        match self.message.follow(at)? {
            None => Ok(StructView::default()),
            Some(Target::Struct(view)) => Ok(view),
            Some(Target::List(_)) => Err(Error::data(at.byte, "expected a pointer to a struct, found one to a list")),
        }
    }

    #[cold]
    fn mismatch(&self, ty: TypeId, at: At, found: &str) -> Error {
        let expected = self.codec.schema.describe(ty);
        Error::data(at.byte, format!("expected a pointer to {expected}, found one to {found}"))
    }

    fn bytes(&self, ty: TypeId, list: ListView, at: At) -> Result<&'a [u8]> {
        if list.composite || list.data_bits != 8 {
            return Err(self.mismatch(ty, at, "a list of something else than bytes"));
        }
        Ok(&self.message.bytes[list.start..list.start + list.count])
    }

    fn text(&self, ty: TypeId, list: ListView, at: At) -> Result<&'a [u8]> {
        let Some((0, text)) = self.bytes(ty, list, at)?.split_last() else {
            return Err(Error::syntax(list.start + list.count, "a text does not end with a zero byte"));
        };
        match utf8::check(text) {
            Ok(()) => Ok(text),
            Err(valid) => Err(Error::syntax(list.start + valid, "the text is not valid UTF-8")),
        }
    }

    fn list(&mut self, item: TypeId, list: ListView, at: At, depth: usize) -> Result<Cell> {
        self.enter(list.start, depth)?;
        let element = element(&self.codec.schema, item);
        self.check_elements(element, item, list, at)?;
        if !T::ON
            && let Some(cell) = self.usual_list(element, item, list, depth)?
        {
            return Ok(cell);
        }
        let mark = self.arena.mark();
        if let (Element::Data(0), false, 1) = (element, list.composite, list.data_bits) {
            for i in 0..list.count {
                let bit = self.message.bytes[list.start + i / 8] >> (i % 8) & 1;
                if T::ON {
                    self.cover.index(i);
                    self.cover.scalar(&self.codec.schema, item, bit.into(), 0, list.start * 8 + i, 0);
                    self.cover.leave();
                }
                self.arena.push(Cell::bool(bit != 0))?;
            }
            self.trace_list_end(list);
            return self.arena.list(mark).map_err(|error| error.at(list.start));
        }
        for i in 0..list.count {
            self.cover.index(i);
            let cell = self.element(element, item, list.element(i), depth).map_err(|error| error.in_index(i))?;
            self.cover.leave();
            self.arena.push(cell)?;
        }
        self.trace_list_end(list);
        self.arena.list(mark).map_err(|error| error.at(list.start))
    }

    /// A list of the elements that the schema has, of one of the kinds that most lists are.
    #[inline(always)]
    fn usual_list(&mut self, element: Element, item: TypeId, list: ListView, depth: usize) -> Result<Option<Cell>> {
        let (codec, bytes) = (self.codec, self.message.bytes);
        let count = list.count;
        let run = match (element, codec.schema.kind(item)) {
            (Element::Struct, Kind::Record(_)) => {
                let plan = codec.plan.of(item);
                let is_ours = list.data_bits == 64 * plan.data_words && list.pointer_count == plan.pointers;
                // What was unpacked, and defaults, do not lie in the input.
                let is_input = !codec.packed && self.expanding.is_empty();
                if let Some(flat) = &plan.flat
                    && is_ours
                    && (is_input || flat.texts.is_empty())
                    && depth < self.arena.limits().depth
                    && let Some(cell) = flat.read(&mut self.message, list, self.arena)
                {
                    return Ok(Some(cell));
                }
                let run = self.arena.alloc(count).map_err(|error| error.at(list.start))?;
                for i in 0..count {
                    let cell = self.value(plan, list.element(i), item, depth + 1).map_err(|error| error.in_index(i))?;
                    self.arena.set(run as usize + i, cell);
                }
                run
            }
            (Element::Pointer, Kind::String) if !list.composite => {
                let run = self.arena.alloc(count).map_err(|error| error.at(list.start))?;
                for i in 0..count {
                    let cell = match self.message.usual_text(list.segment, list.start + i * WORD) {
                        Some((start, len)) => self.arena.text(&bytes[start..start + len])?,
                        None => {
                            self.element(element, item, list.element(i), depth).map_err(|error| error.in_index(i))?
                        }
                    };
                    self.arena.set(run as usize + i, cell);
                }
                run
            }
            (Element::Data(6), Kind::Int(_) | Kind::Float(_)) if !list.composite && list.data_bits == 64 => {
                let run = self.arena.alloc(count).map_err(|error| error.at(list.start))?;
                let words = bytes[list.start..list.start + count * WORD].chunks_exact(WORD);
                for (cell, word) in self.arena.run_mut(run, count).iter_mut().zip(words) {
                    *cell = Cell::uint(u64::from_le_bytes(word.try_into().expect("a word")));
                }
                run
            }
            _ => return Ok(None),
        };
        Ok(Some(Cell::run(run, count as u32)))
    }

    /// Lists may be read as lists of structs with their element as the first field, and the other way round.
    fn check_elements(&self, element: Element, item: TypeId, list: ListView, at: At) -> Result<()> {
        let bits = list.data_bits;
        let fits = match element {
            Element::Void => bits != 1,
            Element::Data(0) => bits == 1,
            // As the C++ implementation does: wider elements, too, whose upper bits are unknown data.
            Element::Data(lg) => bits >= 1 << lg,
            Element::Pointer => list.pointer_count > 0,
            Element::Struct => bits != 1,
        };
        if fits || list.count == 0 {
            return Ok(());
        }
        let expected = self.codec.schema.describe(item);
        let found = match (list.composite, bits) {
            (true, _) => "structs".to_owned(),
            _ if list.pointer_count > 0 => "pointers".to_owned(),
            _ => format!("elements of {bits} bits"),
        };
        Err(Error::data(at.byte, format!("expected a list of {expected}, found one of {found}")))
    }

    fn element(&mut self, element: Element, item: TypeId, view: StructView, depth: usize) -> Result<Cell> {
        match element {
            Element::Void => {
                self.check_unknown_element(item, view, 0, 0)?;
                Ok(Cell::EMPTY)
            }
            Element::Data(lg) => {
                self.check_unknown_element(item, view, 1 << lg, 0)?;
                let bits = view.data(self.message.bytes, 0, lg);
                if T::ON && 1 << lg <= view.data_bits {
                    self.cover.scalar(&self.codec.schema, item, bits, 0, view.data * 8, lg);
                }
                self.scalar(item, bits, view.data)
            }
            Element::Pointer => {
                self.check_unknown_element(item, view, 0, 1)?;
                match self.slot(Slot::Pointer(0), view, item, depth)? {
                    Some(cell) => Ok(cell),
                    None => self.absent(item, view, depth),
                }
            }
            Element::Struct => self.value(self.codec.plan.of(item), view, item, depth + 1),
        }
    }

    fn map(&mut self, ty: TypeId, key: TypeId, list: ListView, at: At, depth: usize) -> Result<Cell> {
        self.enter(list.start, depth)?;
        let codec = self.codec;
        self.check_elements(Element::Struct, ty, list, at)?;
        let Kind::Map(_, value) = *codec.schema.kind(ty) else { unreachable!("called for maps") };
        let boxed = matches!(codec.schema.kind(value), Kind::Nullable(_));
        let plan = codec.plan.of(ty);
        let mark = self.arena.mark();
        for i in 0..list.count {
            let view = list.element(i);
            let members = &plan.scope.members;
            self.check_unknown(plan, view).map_err(|error| error.in_index(i))?;
            self.cover.index(i);
            let key_cell = self.required(&members[0], view, depth).map_err(|error| error.in_index(i))?;
            self.cover.leave();
            self.arena.push(key_cell)?;
            if T::ON {
                match codec.schema.kind(key) {
                    Kind::String => self.cover.key(self.arena.bytes(self.whole, key_cell)),
                    _ => self.cover.key(key_cell.as_i64().to_string().as_bytes()),
                }
            }
            let value = if boxed {
                self.member(&members[1], view, depth)
                    .and_then(|cell| cell.map_or(Ok(Cell::NULL), |cell| self.arena.boxed(cell)))
            } else {
                self.required(&members[1], view, depth)
            };
            if T::ON {
                self.cover.rest(view.data..view.pointers + view.pointer_count * WORD, "not used");
                self.cover.leave();
            }
            let value = value.map_err(|error| match codec.schema.kind(key) {
                Kind::String => error.in_key(self.arena.bytes(self.whole, key_cell)),
                _ => error.in_index(i),
            })?;
            self.arena.push(value)?;
        }
        self.trace_list_end(list);
        let pairs = self.arena.pushed(mark).chunks_exact(2);
        let twice = match codec.schema.kind(key) {
            Kind::String => duplicate(pairs.map(|pair| self.arena.bytes(self.whole, pair[0])))
                .map(|key| String::from_utf8_lossy(key).into_owned()),
            _ => duplicate(pairs.map(|pair| pair[0].as_u64())).map(|key| key.to_string()),
        };
        match twice {
            Some(name) => Err(Error::data(list.start, format!("the map has the key {name:?} twice"))),
            None => self.arena.map(mark).map_err(|error| error.at(list.start)),
        }
    }
}

pub(super) fn no_member(tag: u64, what: &str) -> String {
    format!("{what} has no member {tag}")
}

fn enumerator(e: &Enum, ordinal: u64, at: usize) -> Result<Cell> {
    if let Some(symbol) = e.symbols.get(ordinal as usize) {
        return Ok(Cell::int(symbol.number));
    }
    // An unknown ordinal is kept as the number, unless that is the number of a known symbol.
    if e.closed || e.position(ordinal as i64).is_some() {
        return Err(Error::data(at, format!("enum {} has no ordinal {ordinal}", e.name)));
    }
    Ok(Cell::int(ordinal as i64))
}
