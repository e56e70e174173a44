//! Writing messages: one segment, objects in the order in which the `capnp` tool writes them, each followed by what its
//! pointers lead to.

use wirewise_core::{
    Cell, Document, Enum, Error, ErrorKind, Kind, LossKind, LossName, Losses, Out, Record, RecordView, Result, State,
    TypeId,
};

use super::CapnpCodec;
use super::message::{WORD, traversal_limit};
use super::plan::{Arm, Element, Home, Member, Oneof, Scope, Slot, Struct, element};
use super::simple::Code;
use crate::json::any_to_text;

/// A pointer has 30 bits for an offset in words, and 29 for a count.
const MOST_WORDS: usize = 1 << 29;

/// Appends the message with its segment table to `out`.
pub(super) fn write(codec: &CapnpCodec, document: &Document<'_>, out: &mut Vec<u8>, losses: &mut Losses) -> Result<()> {
    let header = out.len();
    let mut out = Out::new(out);
    out.array([0; WORD]);
    let base = out.len();
    let mut writer = Writer { codec, document, losses, out, base, empty: 0, is_default: false, waiting: None };
    let pointer = writer.alloc(1)?;
    let plan = codec.plan.root(&codec.schema);
    let at = writer.new_struct(pointer, plan)?;
    writer.value(plan, at, codec.schema.root(), document.root())?;
    let Writer { empty, mut out, .. } = writer;
    let words = (out.len() - base) / WORD;
    if words as u64 + empty > traversal_limit(words as u64) {
        return Err(Error::new(
            ErrorKind::Unsupported,
            format!("lists have {empty} elements without size: readers of Cap'n Proto refuse so many"),
        ));
    }
    out.written_mut()[header + 4..header + 8].copy_from_slice(&(words as u32).to_le_bytes());
    Ok(())
}

/// A message whose root pointer leads to a value of this type, which is the document's root: a default of a schema.
pub(super) fn write_default(codec: &CapnpCodec, document: &Document<'_>, ty: TypeId) -> Result<Vec<u8>> {
    let mut out = vec![0; WORD];
    let mut losses = Losses::none();
    let mut writer = Writer {
        codec,
        document,
        losses: &mut losses,
        out: Out::new(&mut out),
        base: WORD,
        empty: 0,
        is_default: true,
        waiting: None,
    };
    let pointer = writer.alloc(1)?;
    writer.pointer(pointer, ty, document.root())?;
    drop(writer);
    let words = (out.len() / WORD - 1) as u32;
    out[4..8].copy_from_slice(&words.to_le_bytes());
    Ok(out)
}

struct Writer<'a> {
    codec: &'a CapnpCodec,
    document: &'a Document<'a>,
    losses: &'a mut Losses,
    out: Out<'a>,
    /// Where the segment begins in `out`. All places below are bytes from there.
    base: usize,
    /// Elements without size.
    empty: u64,
    /// Whether this is a default of the schema, which need not name a member of each union.
    is_default: bool,
    /// Pointers of the struct that is being filled, when its members are not in the order of these.
    waiting: Option<Box<Waiting<'a>>>,
}

/// Pointers to be written, and the groups that the next of them are in.
#[derive(Default)]
struct Waiting<'a> {
    path: Vec<&'a str>,
    pointers: Vec<Pending<'a>>,
}

struct Pending<'a> {
    index: usize,
    ty: TypeId,
    cell: Cell,
    path: Vec<&'a str>,
}

/// A struct that is being written.
#[derive(Clone, Copy)]
struct StructAt {
    data: usize,
    pointers: usize,
}

impl<'a> Writer<'a> {
    /// Zeroed words at the end.
    fn alloc(&mut self, words: usize) -> Result<usize> {
        let at = self.out.len() - self.base;
        if words > MOST_WORDS || at / WORD + words > MOST_WORDS {
            return Err(too_large());
        }
        const FEW: usize = 8;
        if words <= FEW {
            self.out.prefix([0; FEW * WORD], words * WORD);
        } else {
            self.out.with(|vec| vec.resize(vec.len() + words * WORD, 0));
        }
        Ok(at)
    }

    fn put(&mut self, at: usize, word: u64) {
        let at = self.base + at;
        self.out.written_mut()[at..at + WORD].copy_from_slice(&word.to_le_bytes());
    }

    /// Writes the pointer at `at` to an object at `target`.
    fn point(&mut self, at: usize, target: usize, kind: u64, high: u64) {
        let offset = (target as i64 - at as i64) / WORD as i64 - 1;
        self.put(at, u64::from((offset as u32) << 2) | kind | high << 32);
    }

    fn new_struct(&mut self, pointer: usize, plan: &Struct) -> Result<StructAt> {
        let words = plan.data_words + plan.pointers;
        let mut target = self.alloc(words)?;
        let data = target;
        if words == 0 {
            // It must not look null: it lies where the pointer itself does.
            target = pointer;
        }
        self.point(pointer, target, 0, (plan.data_words | plan.pointers << 16) as u64);
        Ok(StructAt { data, pointers: data + plan.data_words * WORD })
    }

    fn new_list(&mut self, pointer: usize, code: u64, count: usize, words: usize) -> Result<usize> {
        if count >= MOST_WORDS {
            return Err(too_large());
        }
        let target = self.alloc(words)?;
        self.point(pointer, target, 1, code | (count as u64) << 3);
        Ok(target)
    }

    /// A list of structs, with its tag; the first element begins after that.
    fn new_struct_list(&mut self, pointer: usize, plan: &Struct, count: usize) -> Result<usize> {
        let size = plan.data_words + plan.pointers;
        let words = size.checked_mul(count).filter(|&words| words < MOST_WORDS && count < MOST_WORDS);
        let words = words.ok_or_else(too_large)?;
        if size == 0 {
            self.empty += count as u64;
        }
        let tag = self.alloc(words + 1)?;
        self.point(pointer, tag, 1, 7 | (words as u64) << 3);
        self.put(tag, (count as u64) << 2 | ((plan.data_words | plan.pointers << 16) as u64) << 32);
        Ok(tag + WORD)
    }

    /// Fills the struct of a value.
    fn value(&mut self, plan: &'a Struct, at: StructAt, ty: TypeId, cell: Cell) -> Result<()> {
        let document = self.document;
        match self.codec.schema.kind(ty) {
            Kind::Record(record) if plan.is_ordered && plan.simple.is_some() => {
                self.simple_record(plan, at, record, cell)
            }
            Kind::Record(record) if plan.is_ordered => self.record(&plan.scope, at, record, cell),
            Kind::Record(record) => {
                self.waiting = Some(Box::default());
                self.record(&plan.scope, at, record, cell)?;
                self.write_waiting(at)
            }
            Kind::Nullable(_) => match document.boxed(cell) {
                Some(cell) => self.member(&plan.scope.members[0], at, cell),
                None => Ok(()),
            },
            _ => self.member(&plan.scope.members[0], at, cell),
        }
    }

    /// Writes the pointers that wait, in their order.
    fn write_waiting(&mut self, at: StructAt) -> Result<()> {
        let mut pointers = self.waiting.take().map(|waiting| waiting.pointers).unwrap_or_default();
        pointers.sort_by_key(|pending| pending.index);
        for Pending { index, ty, cell, path } in pointers {
            let written = match self.codec.schema.kind(ty) {
                Kind::Nullable(_) => self.boxed(at.pointers + index * WORD, ty, cell),
                _ => self.pointer(at.pointers + index * WORD, ty, cell),
            };
            written.map_err(|error| path.into_iter().rev().fold(error, Error::in_field))?;
        }
        Ok(())
    }

    /// Whether a pointer was put to those that wait.
    fn waits(&mut self, index: usize, ty: TypeId, cell: Cell) -> bool {
        let Some(waiting) = &mut self.waiting else { return false };
        waiting.pointers.push(Pending { index, ty, cell, path: waiting.path.clone() });
        true
    }

    /// The pointers of the next members belong to this field.
    fn enter(&mut self, name: &'a str) {
        if let Some(waiting) = &mut self.waiting {
            waiting.path.push(name);
        }
    }

    fn leave(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            waiting.path.pop();
        }
    }

    /// A nullable scalar in a union: a struct of its own.
    fn boxed(&mut self, pointer: usize, ty: TypeId, cell: Cell) -> Result<()> {
        let plan = self.codec.plan.of(ty);
        let at = self.new_struct(pointer, plan)?;
        self.member(&plan.scope.members[0], at, cell)
    }

    /// Fills the fields of a struct that has neither unions nor groups.
    #[inline(always)]
    fn simple_record(&mut self, plan: &'a Struct, at: StructAt, record: &'a Record, cell: Cell) -> Result<()> {
        let Some(simple) = &plan.simple else { return self.record(&plan.scope, at, record, cell) };
        let run = self.document.run(cell, simple.cells);
        for (i, field) in simple.fields.iter().enumerate() {
            if field.stateful {
                let position = field.position as usize;
                match run[position / 32].as_u64() >> (position % 32 * 2) & 3 {
                    0 => continue,
                    1 => {
                        self.null(record, position)?;
                        continue;
                    }
                    _ => {}
                }
            }
            let cell = run[simple.state_words + field.position as usize];
            let (value, byte) = (cell.as_u64() ^ field.default, self.base + at.data + field.at as usize);
            let written = match field.code {
                Code::Word => {
                    self.out.written_mut()[byte..byte + 8].copy_from_slice(&value.to_le_bytes());
                    continue;
                }
                Code::U32 | Code::I32 => {
                    self.out.written_mut()[byte..byte + 4].copy_from_slice(&(value as u32).to_le_bytes());
                    continue;
                }
                Code::U16 | Code::I16 => {
                    self.out.written_mut()[byte..byte + 2].copy_from_slice(&(value as u16).to_le_bytes());
                    continue;
                }
                Code::U8 | Code::I8 => {
                    self.out.written_mut()[byte] = value as u8;
                    continue;
                }
                Code::Bool => {
                    self.out.written_mut()[byte] |= (value as u8 & 1) << field.bit;
                    continue;
                }
                Code::Text => self.blob(at.pointers + field.at as usize, cell, true),
                Code::List => self.pointer(at.pointers + field.at as usize, field.ty, cell),
                Code::Other => self.member(&plan.scope.members[i], at, cell),
            };
            if let Err(error) = written {
                return Err(error.in_field(&record.fields[field.position as usize].name));
            }
        }
        Ok(())
    }

    /// A field that is null: nothing is written, which is a loss where that means that it is absent.
    #[cold]
    fn null(&mut self, record: &Record, position: usize) -> Result<()> {
        let field = &record.fields[position];
        if !field.is_optional() {
            return Ok(());
        }
        let noted = self.losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(&field.name));
        noted.map_err(|error| error.in_field(&field.name))
    }

    /// Fills the fields of a record, or of a group that is one.
    fn record(&mut self, scope: &'a Scope, at: StructAt, record: &'a Record, cell: Cell) -> Result<()> {
        let view = self.document.record(record, cell);
        for member in &scope.members {
            let position = member.position;
            let field = &record.fields[position];
            self.enter(&field.name);
            let written = match view.state(position) {
                State::Present => self.member(member, at, view.cell(position)),
                State::Null if field.is_optional() => {
                    self.losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(&field.name))
                }
                // Discriminant 0 and null pointers are nothing.
                _ => Ok(()),
            };
            written.map_err(|error| error.in_field(&field.name))?;
            self.leave();
        }
        for oneof in &scope.oneofs {
            self.oneof(oneof, at, record, view)?;
        }
        Ok(())
    }

    /// Writes the member of a union that a record has.
    fn oneof(&mut self, oneof: &'a Oneof, at: StructAt, record: &'a Record, view: RecordView<'a>) -> Result<()> {
        let mut chosen = None;
        for (value, arm) in oneof.arms.iter().enumerate() {
            let Arm::Member(member) = arm else { continue };
            if !view.is_absent(member.position)
                && let Some((_, first)) = chosen.replace((value as u16, member))
            {
                let oneof = oneof.oneof.map_or("", |oneof| &record.oneofs[oneof].name);
                return Err(two_of_one(record, oneof, first.position, member.position));
            }
        }
        let value = match chosen {
            Some((value, _)) => value,
            None => match (oneof.nothing, oneof.oneof) {
                (Some(value), _) => value,
                (None, Some(oneof)) if !self.is_default => return Err(none_of(record, &record.oneofs[oneof].name)),
                _ => 0,
            },
        };
        if let Some(bit) = oneof.discriminant {
            self.set(at.data, bit, 4, value.into());
        }
        let Some((_, member)) = chosen else { return Ok(()) };
        let field = &record.fields[member.position];
        self.enter(&field.name);
        let written = match (view.state(member.position), self.codec.schema.kind(member.ty)) {
            // A null pointer.
            (State::Null, _) => Ok(()),
            // A nullable scalar is a struct of its own here.
            (_, Kind::Nullable(_)) => match member.home {
                Home::Slot(Slot::Pointer(index)) => {
                    let cell = view.cell(member.position);
                    if self.waits(index, member.ty, cell) {
                        Ok(())
                    } else {
                        self.boxed(at.pointers + index * WORD, member.ty, cell)
                    }
                }
                _ => Ok(()),
            },
            _ => self.member(member, at, view.cell(member.position)),
        };
        self.leave();
        written.map_err(|error| error.in_field(&field.name))
    }

    /// Writes a member that has a value.
    fn member(&mut self, member: &'a Member, at: StructAt, cell: Cell) -> Result<()> {
        match &member.home {
            Home::Slot(slot) => self.slot(*slot, at, member.ty, cell),
            Home::Maybe(discriminant, slot) => {
                self.set(at.data, *discriminant, 4, 1);
                self.slot(*slot, at, member.ty, cell)
            }
            Home::Group(scope) => {
                let Kind::Record(record) = self.codec.schema.kind(member.ty) else {
                    unreachable!("planned as a group")
                };
                self.record(scope, at, record, cell)
            }
            Home::Union { discriminant, branches, .. } => {
                let codec = self.codec;
                let Kind::Union(union) = codec.schema.kind(member.ty) else { unreachable!("planned as a union") };
                let (position, cell) = self.document.union(cell);
                let (value, slot) = branches[position];
                if let Some(bit) = discriminant {
                    self.set(at.data, *bit, 4, value.into());
                }
                let branch = &union.branches[position];
                self.enter(&branch.name);
                self.slot(slot, at, branch.ty, cell).map_err(|error| error.in_field(&branch.name))?;
                self.leave();
                Ok(())
            }
        }
    }

    fn slot(&mut self, slot: Slot, at: StructAt, ty: TypeId, cell: Cell) -> Result<()> {
        match slot {
            Slot::Void => Ok(()),
            Slot::Data { bit, lg, default } => {
                let bits = self.scalar(ty, cell)?;
                self.set(at.data, bit, lg, bits ^ default);
                Ok(())
            }
            Slot::Pointer(index) if self.waits(index, ty, cell) => Ok(()),
            Slot::Pointer(index) => self.pointer(at.pointers + index * WORD, ty, cell),
        }
    }

    /// The bits of a scalar; those beyond its width do not matter.
    fn scalar(&self, ty: TypeId, cell: Cell) -> Result<u64> {
        match self.codec.schema.kind(ty) {
            Kind::Bool => Ok(cell.as_bool().into()),
            Kind::Enum(e) => ordinal(e, cell.as_i64()),
            _ => Ok(cell.as_u64()),
        }
    }

    /// Sets 2^`lg` bits, zero so far, at `bit` of the data at `data`.
    fn set(&mut self, data: usize, bit: usize, lg: u32, bits: u64) {
        let at = self.base + data + bit / 8;
        match lg {
            0 => self.out.written_mut()[at] |= (bits as u8 & 1) << (bit % 8),
            _ => {
                let bytes = 1 << (lg - 3);
                self.out.written_mut()[at..at + bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
            }
        }
    }

    /// Writes an object and the pointer at `at` to it.
    fn pointer(&mut self, at: usize, ty: TypeId, cell: Cell) -> Result<()> {
        let (document, codec) = (self.document, self.codec);
        match codec.schema.kind(ty) {
            Kind::String => self.blob(at, cell, true),
            Kind::Bytes | Kind::Fixed(_) => self.blob(at, cell, false),
            Kind::Any => {
                let start = self.out.len();
                self.out.with(|vec| any_to_text(document, cell, vec))?;
                self.end_blob(at, start, true)
            }
            Kind::List(item) => self.list(at, *item, document.list(cell)),
            Kind::Map(..) => self.map(at, ty, document.map(cell)),
            _ => {
                let plan = codec.plan.of(ty);
                let new = self.new_struct(at, plan)?;
                self.value(plan, new, ty, cell)
            }
        }
    }

    #[inline(always)]
    fn blob(&mut self, at: usize, cell: Cell, text: bool) -> Result<()> {
        let start = self.out.len();
        self.document.copy(cell, &mut self.out);
        self.end_blob(at, start, text)
    }

    /// Completes the list of bytes that begins at `start` of the output and ends where that ends; a text has one more.
    #[inline(always)]
    fn end_blob(&mut self, at: usize, start: usize, text: bool) -> Result<()> {
        let bytes = self.out.len() - start + usize::from(text);
        let end = start + bytes.next_multiple_of(WORD);
        self.out.prefix([0; WORD], end - self.out.len());
        if bytes >= MOST_WORDS || (self.out.len() - self.base) / WORD > MOST_WORDS {
            return Err(too_large());
        }
        self.point(at, start - self.base, 1, 2 | (bytes as u64) << 3);
        Ok(())
    }

    fn list(&mut self, at: usize, item: TypeId, items: &'a [Cell]) -> Result<()> {
        let codec = self.codec;
        let count = items.len();
        match element(&codec.schema, item) {
            Element::Void => {
                self.empty += count as u64;
                self.new_list(at, 0, count, 0).map(drop)
            }
            Element::Data(lg) => {
                let code = if lg == 0 { 1 } else { u64::from(lg) - 1 };
                let start = self.new_list(at, code, count, (count << lg).div_ceil(64))?;
                if lg == 6 && !matches!(codec.schema.kind(item), Kind::Enum(_)) {
                    let from = self.base + start;
                    let words = self.out.written_mut()[from..from + count * WORD].chunks_exact_mut(WORD);
                    words.zip(items).for_each(|(to, cell)| to.copy_from_slice(&cell.as_u64().to_le_bytes()));
                    return Ok(());
                }
                for (i, &cell) in items.iter().enumerate() {
                    let bits = self.scalar(item, cell).map_err(|error| error.in_index(i))?;
                    self.set(start, i << lg, lg, bits);
                }
                Ok(())
            }
            Element::Pointer => {
                let start = self.new_list(at, 6, count, count)?;
                if let Kind::String = codec.schema.kind(item) {
                    for (i, &cell) in items.iter().enumerate() {
                        self.blob(start + i * WORD, cell, true).map_err(|error| error.in_index(i))?;
                    }
                    return Ok(());
                }
                for (i, &cell) in items.iter().enumerate() {
                    self.pointer(start + i * WORD, item, cell).map_err(|error| error.in_index(i))?;
                }
                Ok(())
            }
            Element::Struct => {
                let plan = codec.plan.of(item);
                let start = self.new_struct_list(at, plan, count)?;
                if let Some(flat) = &plan.flat
                    && flat.texts.is_empty()
                    && let Some(runs) = self.document.runs(items, flat.cells)
                {
                    let start = self.base + start;
                    flat.write(runs, &mut self.out.written_mut()[start..start + count * flat.size]);
                    return Ok(());
                }
                for (i, &cell) in items.iter().enumerate() {
                    self.value(plan, element_at(plan, start, i), item, cell).map_err(|error| error.in_index(i))?;
                }
                Ok(())
            }
        }
    }

    fn map(&mut self, at: usize, ty: TypeId, pairs: &'a [Cell]) -> Result<()> {
        let (document, codec) = (self.document, self.codec);
        let Kind::Map(key, value) = codec.schema.kind(ty) else { unreachable!("called for maps") };
        let plan = codec.plan.of(ty);
        let start = self.new_struct_list(at, plan, pairs.len() / 2)?;
        for (i, pair) in pairs.chunks_exact(2).enumerate() {
            let at = element_at(plan, start, i);
            self.member(&plan.scope.members[0], at, pair[0])?;
            let cell = match codec.schema.kind(*value) {
                Kind::Nullable(_) => document.boxed(pair[1]),
                _ => Some(pair[1]),
            };
            let Some(cell) = cell else { continue };
            self.member(&plan.scope.members[1], at, cell).map_err(|error| match codec.schema.kind(*key) {
                Kind::String => error.in_key(document.bytes(pair[0])),
                _ => error.in_index(i),
            })?;
        }
        Ok(())
    }
}

fn element_at(plan: &Struct, start: usize, index: usize) -> StructAt {
    let data = start + index * (plan.data_words + plan.pointers) * WORD;
    StructAt { data, pointers: data + plan.data_words * WORD }
}

fn ordinal(e: &Enum, number: i64) -> Result<u64> {
    let ordinal = match e.position(number) {
        Some(position) => position as u64,
        // One that a newer schema knows; as long as it cannot be taken for one of ours.
        None => u64::try_from(number).unwrap_or(u64::MAX),
    };
    let fits = e.position(number).is_some() || ordinal >= e.symbols.len() as u64 && ordinal <= u64::from(u16::MAX);
    if fits { Ok(ordinal) } else { Err(no_ordinal(e, number)) }
}

#[cold]
fn two_of_one(record: &Record, oneof: &str, first: usize, second: usize) -> Error {
    let (first, second) = (&record.fields[first].name, &record.fields[second].name);
    let what = format!("{first:?} and {second:?} are both there, but oneof {oneof:?} takes one of them");
    Error::new(ErrorKind::Data, what)
}

#[cold]
fn none_of(record: &Record, oneof: &str) -> Error {
    Error::new(ErrorKind::Data, format!("none of the fields of oneof {oneof:?} of {} is there", record.name))
}

#[cold]
fn no_ordinal(e: &Enum, number: i64) -> Error {
    Error::new(
        ErrorKind::Unsupported,
        format!("Cap'n Proto writes enums as positions: enum {} has no symbol with the number {number}", e.name),
    )
    .hint("add the symbol to the schema")
}

#[cold]
fn too_large() -> Error {
    Error::new(
        ErrorKind::Unsupported,
        "Cap'n Proto has at most 2^29 words (4 GiB) in a segment, and 2^29 - 1 elements or bytes in a list or text",
    )
    .hint("split it into several messages")
}
