//! What a reader made of a message, held against what was written.
//!
//! The two documents have different schemas. A value is the same when it means the same: numbers by value, whatever
//! their widths; text and bytes by their bytes; enums by number or name; a field that is not there as its default, where
//! the format has no other nothing. What the reader's schema has no place for is not a difference: it is left out by
//! design, and rules speak about it where it matters.

mod values;

use wirewise_core::{Cell, Document, Enum, Field, Float, Int, Kind, Record, State, Symbol, TypeId};
use wirewise_formats::capnp;

use crate::groups::{Leaf, same_branch};
use crate::rule::Ruleset;

pub(crate) use values::default_of;
use values::{bare, branch, default_text, is_default, is_zero, is_zero_json, nothing, same_json, text, unwrapped};

/// A value that came out different.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path in the written message: `$.items[3].name`.
    pub path: String,
    /// What was written.
    pub wrote: String,
    /// What the reader got.
    pub got: String,
}

/// A value that the reader got differently: one below the fields of `focus`, if there is one, or else the first.
pub fn compare(ruleset: &Ruleset, wrote: &Document<'_>, got: &Document<'_>, focus: &[String]) -> Option<Difference> {
    let comparison = Comparison { ruleset, wrote, got, focus };
    let (from, to) = (wrote.schema().root(), got.schema().root());
    comparison.values(&mut String::from("$"), from, Some(wrote.root()), to, Some(got.root())).err().map(|found| *found)
}

/// Whether a path goes through these fields, in this order.
pub(crate) fn goes_through(path: &str, fields: &[String]) -> bool {
    let mut rest = path;
    fields.iter().all(|field| match rest.find(&format!(".{field}")) {
        Some(at) => {
            rest = &rest[at + 1 + field.len()..];
            true
        }
        None => false,
    })
}

struct Comparison<'a> {
    ruleset: &'a Ruleset,
    wrote: &'a Document<'a>,
    got: &'a Document<'a>,
    focus: &'a [String],
}

/// A value, as far as both sides can have the same.
#[derive(Debug, PartialEq)]
enum Plain<'a> {
    Null,
    Int(i128),
    Float(f64),
    Bytes(&'a [u8]),
    /// What has parts.
    Other,
}

/// A field of a message.
struct Part<'a> {
    field: &'a Field,
    state: State,
    cell: Cell,
    /// Of a member of a oneof, or of a group in one: whether it is the one that is there.
    chosen: Option<bool>,
}

impl Part<'_> {
    fn value(&self) -> Option<Cell> {
        (self.state == State::Present).then_some(self.cell)
    }
}

type Compared = Result<(), Box<Difference>>;

impl<'a> Comparison<'a> {
    fn values(&self, path: &mut String, from: TypeId, wrote: Option<Cell>, to: TypeId, got: Option<Cell>) -> Compared {
        let (writer, reader) = (self.wrote.schema(), self.got.schema());
        // One value read as a list of one, before a union is taken off that has a list in it.
        let (item_from, item_to) = (unwrapped(writer, from), unwrapped(reader, to));
        if let (Kind::List(item), Some(cell), false) = (reader.kind(item_to), got, self.ruleset.has_groups())
            && !matches!(writer.kind(item_from), Kind::List(_))
            && let (_, Some(list)) = bare(self.got, to, Some(cell))
            && let [only] = self.got.list(list)
        {
            return self.values(path, from, wrote, *item, Some(*only));
        }
        if self.ruleset.has_groups()
            && let (Some(one), Some(other)) = (branch(self.wrote, from, wrote), branch(self.got, to, got))
            && same_branch(one.0, one.1, other.0) != Some(other.1)
        {
            return self.differ(path, from, wrote, to, got);
        }
        let (from, wrote) = bare(self.wrote, from, wrote);
        let (to, got) = bare(self.got, to, got);
        let (Some(wrote), Some(got)) = (wrote, got) else {
            return match (wrote, got) {
                (None, None) => Ok(()),
                (Some(wrote), None) if self.ruleset.absent_is_default && is_zero(self.wrote, from, wrote) => Ok(()),
                (None, Some(got)) if self.ruleset.absent_is_default && is_zero(self.got, to, got) => Ok(()),
                _ => self.differ(path, from, wrote, to, got),
            };
        };
        match (writer.kind(from), reader.kind(to)) {
            (Kind::Record(written), Kind::Record(read)) => self.records(path, written, wrote, read, got),
            (Kind::List(item), Kind::List(other)) => {
                let (items, others) = (self.wrote.list(wrote), self.got.list(got));
                if items.len() != others.len() {
                    return self.differ(path, from, Some(wrote), to, Some(got));
                }
                for (i, (&cell, &other_cell)) in items.iter().zip(others).enumerate() {
                    self.inside(path, &format!("[{i}]"), |path| self.elements(path, *item, cell, *other, other_cell))?;
                }
                Ok(())
            }
            (Kind::Map(key, value), Kind::Map(other_key, other_value)) => {
                let (entries, others) = (self.wrote.map(wrote), self.got.map(got));
                if entries.len() != others.len() {
                    return self.differ(path, from, Some(wrote), to, Some(got));
                }
                for entry in entries.chunks_exact(2) {
                    let name = self.plain(self.wrote, *key, entry[0]);
                    let found = others.chunks_exact(2).find(|other| self.plain(self.got, *other_key, other[0]) == name);
                    let Some(found) = found else { return self.differ(path, from, Some(wrote), to, Some(got)) };
                    self.inside(path, ".*", |path| {
                        self.values(path, *value, Some(entry[1]), *other_value, Some(found[1]))
                    })?;
                }
                Ok(())
            }
            (Kind::List(_), _) | (_, Kind::List(_)) if self.ruleset.has_groups() => {
                self.differ(path, from, Some(wrote), to, Some(got))
            }
            // One value beside a list of one.
            (Kind::List(item), _) => match self.wrote.list(wrote) {
                [only] => self.values(path, *item, Some(*only), to, Some(got)),
                [] if is_zero(self.got, to, got) => Ok(()),
                _ => self.differ(path, from, Some(wrote), to, Some(got)),
            },
            (_, Kind::List(item)) => match self.got.list(got) {
                [only] => self.values(path, from, Some(wrote), *item, Some(*only)),
                [] if is_zero(self.wrote, from, wrote) => Ok(()),
                _ => self.differ(path, from, Some(wrote), to, Some(got)),
            },
            (Kind::Enum(e), Kind::Enum(other)) if self.ruleset.symbols_by_name => {
                let name = |e: &'a wirewise_core::Enum, cell: Cell| {
                    e.position(cell.as_i64()).map(|position| e.symbols[position].name.as_str())
                };
                // A number may have more than one name.
                let number = |name: &str| Some(other.symbols[other.position_of(name.as_bytes())?].number);
                let wrote_name = name(e, wrote);
                let same = wrote_name == name(other, got) || wrote_name.and_then(number) == Some(got.as_i64());
                match same || self.is_substitute(wrote_name, to, other, got) {
                    true => Ok(()),
                    false => self.differ(path, from, Some(wrote), to, Some(got)),
                }
            }
            // The position is what is written: names say whether it stands for the same, numbers where there is no name.
            (Kind::Enum(e), Kind::Enum(other)) if self.ruleset.has_groups() => {
                let same = match (e.position(wrote.as_i64()), other.position(got.as_i64())) {
                    (Some(from), Some(to)) => same_symbol(e, from, other, to),
                    _ => wrote.as_i64() == got.as_i64(),
                };
                if same { Ok(()) } else { self.differ(path, from, Some(wrote), to, Some(got)) }
            }
            (Kind::Any, _) | (_, Kind::Any) => match text(self.wrote, from, wrote) == text(self.got, to, got) {
                true => Ok(()),
                false => self.differ(path, from, Some(wrote), to, Some(got)),
            },
            _ => match (self.plain(self.wrote, from, wrote), self.plain(self.got, to, got)) {
                (Plain::Other, _) | (_, Plain::Other) => self.differ(path, from, Some(wrote), to, Some(got)),
                (Plain::Int(int), Plain::Float(float)) | (Plain::Float(float), Plain::Int(int)) => {
                    // A promotion rounds, by design, to the nearest.
                    let rounded =
                        if *reader.kind(to) == Kind::Float(Float::F32) { int as f32 as f64 } else { int as f64 };
                    if rounded == float { Ok(()) } else { self.differ(path, from, Some(wrote), to, Some(got)) }
                }
                (Plain::Float(left), Plain::Float(right)) if left == right || left.is_nan() && right.is_nan() => Ok(()),
                (left, right) if left == right => Ok(()),
                _ => self.differ(path, from, Some(wrote), to, Some(got)),
            },
        }
    }

    /// An element of a list, which may have become a record with a field for it.
    fn elements(&self, path: &mut String, from: TypeId, wrote: Cell, to: TypeId, got: Cell) -> Compared {
        let (writer, reader) = (self.wrote.schema(), self.got.schema());
        let is_record = (matches!(writer.kind(from), Kind::Record(_)), matches!(reader.kind(to), Kind::Record(_)));
        match is_record {
            (true, false) if let Some(leaf) = self.ruleset.stands_for(writer, from) => {
                let Kind::Record(record) = writer.kind(from) else { unreachable!("it is one") };
                let part = self.part(self.wrote, record, wrote, &leaf);
                self.values(path, part.field.value_type(), part.value(), to, Some(got))
            }
            (false, true) if let Some(leaf) = self.ruleset.stands_for(reader, to) => {
                let Kind::Record(record) = reader.kind(to) else { unreachable!("it is one") };
                let part = self.part(self.got, record, got, &leaf);
                self.values(path, from, Some(wrote), part.field.value_type(), part.value())
            }
            _ => self.values(path, from, Some(wrote), to, Some(got)),
        }
    }

    /// A field of a record or of a group in it.
    fn part(&self, document: &'a Document<'a>, record: &'a Record, cell: Cell, leaf: &Leaf<'a>) -> Part<'a> {
        let mut part = Part { field: leaf.field(), state: State::Absent, cell: Cell::EMPTY, chosen: None };
        let (mut record, mut at) = (record, Some(cell));
        for &position in leaf.groups.iter().chain([&leaf.position]) {
            let field = &record.fields[position];
            let view = at.map(|cell| document.record(record, cell));
            part.state = view.as_ref().map_or(State::Absent, |view| view.state(position));
            part.cell = if part.state == State::Present {
                view.map_or(Cell::EMPTY, |view| view.cell(position))
            } else {
                Cell::EMPTY
            };
            if field.oneof.is_some() {
                part.chosen = Some(part.chosen.unwrap_or(true) && part.state != State::Absent);
            }
            at = (part.state == State::Present).then_some(part.cell);
            if let Kind::Record(inner) = document.schema().kind(field.ty) {
                record = inner;
            }
        }
        part
    }

    /// Whether a symbol was read as the one that the reader's enum has for those that it does not know, as Avro's do.
    fn is_substitute(&self, wrote: Option<&str>, to: TypeId, read: &wirewise_core::Enum, got: Cell) -> bool {
        let default = self.ruleset.substitute.and_then(|substitute| substitute(self.got.schema(), to));
        let unknown = wrote.is_some_and(|name| read.position_of(name.as_bytes()).is_none());
        let number = default.and_then(|name| read.position_of(name.as_bytes())).map(|at| read.symbols[at].number);
        unknown && number == Some(got.as_i64())
    }

    fn records(&self, path: &mut String, written: &'a Record, wrote: Cell, read: &'a Record, got: Cell) -> Compared {
        let (writer, reader) = (self.wrote.schema(), self.got.schema());
        let leaves = (
            self.ruleset.leaves(writer, written.type_id(), written),
            self.ruleset.leaves(reader, read.type_id(), read),
        );
        let others = self.ruleset.matches(writer, (written, &leaves.0), reader, (read, &leaves.1));
        let mut taken = vec![false; leaves.1.len()];
        let mut first = Ok(());
        for (leaf, other) in leaves.0.iter().zip(others) {
            let Some(other) = other else { continue };
            taken[other] = true;
            let from = self.part(self.wrote, written, wrote, leaf);
            let to = self.part(self.got, read, got, &leaves.1[other]);
            let steps = leaf.groups.iter().scan(written, |record, &position| {
                let field = &record.fields[position];
                if let Kind::Record(inner) = writer.kind(field.ty) {
                    *record = inner;
                }
                Some(format!(".{}", field.name))
            });
            let step: String = steps.chain([format!(".{}", from.field.name)]).collect();
            match self.inside(path, &step, |path| self.fields(path, from, to)) {
                Err(found) if goes_through(&found.path, self.focus) => return Err(found),
                Err(found) => first = first.and(Err(found)),
                Ok(()) => {}
            }
        }
        first?;
        let unwritten = leaves.1.iter().zip(taken).filter(|(_, taken)| !taken);
        self.unwritten(path, read, got, unwritten.map(|(leaf, _)| leaf))
    }

    /// A field of the writer and the reader's field that takes it.
    fn fields(&self, path: &mut String, from: Part<'a>, to: Part<'a>) -> Compared {
        let (writer, reader) = (self.wrote.schema(), self.got.schema());
        let (field, other_field) = (from.field, to.field);
        let (wrote, got) = (from.value(), to.value());
        // Of a union, the member that is there is a value.
        if self.ruleset.has_groups()
            && let (Some(chosen), Some(other)) = (from.chosen, to.chosen)
            && chosen != other
        {
            let text = |chosen: bool| if chosen { "the union's member".to_owned() } else { "not there".to_owned() };
            return Err(Box::new(Difference { path: path.clone(), wrote: text(chosen), got: text(other) }));
        }
        // A null is no default, even where both are nothing.
        let absent = (from.state == State::Absent, to.state == State::Absent);
        let (default, other_default) = (default_of(writer, field), default_of(reader, other_field));
        let defaults = (default.as_ref().filter(|_| absent.0), other_default.as_ref().filter(|_| absent.1));
        let note = |field: &'a Field| field.notes.get(capnp::notes::DEFAULT).filter(|_| self.ruleset.has_groups());
        match (wrote, got) {
            // Nothing was written: what the reader takes instead is its own affair, unless the writer took
            // something else for the same nothing.
            (None, _) if !self.ruleset.absent_is_default => Ok(()),
            (None, _) | (_, None) if wrote.is_none() && got.is_none() => {
                let zero =
                    |default: Option<&serde_json::Value>| default.filter(|default| !is_zero_json(default)).cloned();
                match zero(defaults.0) == zero(defaults.1) {
                    true => Ok(()),
                    false => Err(Box::new(Difference {
                        path: path.clone(),
                        wrote: nothing(defaults.0),
                        got: nothing(defaults.1),
                    })),
                }
            }
            (None, Some(got)) if defaults.0.is_some() => {
                let text = default_text(self.got, other_field.value_type(), got);
                let default = defaults.0.map(ToString::to_string).unwrap_or_default();
                match same_json(&text, &default) {
                    true => Ok(()),
                    false => Err(Box::new(Difference { path: path.clone(), wrote: nothing(defaults.0), got: text })),
                }
            }
            (Some(wrote), None) if defaults.1.is_some() => {
                let text = default_text(self.wrote, field.value_type(), wrote);
                let default = defaults.1.map(ToString::to_string).unwrap_or_default();
                match same_json(&text, &default) {
                    true => Ok(()),
                    false => Err(Box::new(Difference { path: path.clone(), wrote: text, got: nothing(defaults.1) })),
                }
            }
            // A default that the codec knows from a note: the field is there when nobody wrote it.
            (None, Some(_)) if note(field).is_some() && note(field) == note(other_field) => Ok(()),
            _ => self.values(path, field.value_type(), wrote, other_field.value_type(), got),
        }
    }

    /// What the reader found in fields that the writer does not have: only formats that find fields by their place can
    /// take something for a value that nobody wrote.
    fn unwritten<'l>(
        &self,
        path: &mut String,
        read: &'a Record,
        got: Cell,
        leaves: impl Iterator<Item = &'l Leaf<'a>>,
    ) -> Compared
    where
        'a: 'l,
    {
        if !self.ruleset.absent_is_default {
            return Ok(());
        }
        for leaf in leaves {
            let part = self.part(self.got, read, got, leaf);
            let Some(cell) = part.value() else { continue };
            let ty = part.field.value_type();
            let (_, value) = bare(self.got, ty, Some(cell));
            if value.is_some() && !is_zero(self.got, ty, cell) && !is_default(self.got, part.field, cell) {
                path.push_str(&format!(".{}", part.field.name));
                let got = text(self.got, ty, cell);
                return Err(Box::new(Difference { path: path.clone(), wrote: "nothing".to_owned(), got }));
            }
        }
        Ok(())
    }

    fn inside(&self, path: &mut String, step: &str, work: impl FnOnce(&mut String) -> Compared) -> Compared {
        let length = path.len();
        path.push_str(step);
        let compared = work(path);
        path.truncate(length);
        compared
    }

    #[cold]
    fn differ(&self, path: &str, from: TypeId, wrote: Option<Cell>, to: TypeId, got: Option<Cell>) -> Compared {
        let show = |document: &Document<'_>, ty: TypeId, cell: Option<Cell>| match cell {
            Some(cell) => text(document, ty, cell),
            None => "nothing".to_owned(),
        };
        let (wrote, got) = (show(self.wrote, from, wrote), show(self.got, to, got));
        Err(Box::new(Difference { path: path.to_owned(), wrote, got }))
    }

    fn plain(&self, document: &'a Document<'a>, ty: TypeId, cell: Cell) -> Plain<'a> {
        match document.schema().kind(ty) {
            Kind::Null => Plain::Null,
            Kind::Bool => Plain::Int(i128::from(cell.as_bool())),
            Kind::Int(Int::U64) => Plain::Int(i128::from(cell.as_u64())),
            Kind::Int(_) | Kind::Enum(_) => Plain::Int(i128::from(cell.as_i64())),
            Kind::Float(Float::F32) => Plain::Float(f64::from(cell.as_f32())),
            Kind::Float(Float::F64) => Plain::Float(cell.as_f64()),
            Kind::String | Kind::Bytes | Kind::Fixed(_) => Plain::Bytes(document.bytes(cell)),
            _ => Plain::Other,
        }
    }
}

/// Whether two symbols at the same place are the same: of one name, or of one value with that name, or one renamed.
fn same_symbol(from: &Enum, at: usize, to: &Enum, other: usize) -> bool {
    let (old, new) = (&from.symbols[at], &to.symbols[other]);
    old.name == new.name
        || same_value(old, to.position_of(old.name.as_bytes()).map(|at| &to.symbols[at]), new, || {
            from.position_of(new.name.as_bytes()).map(|at| &from.symbols[at])
        })
}

/// The same, given the reader's symbol of the writer's name, and the writer's of the reader's.
pub(crate) fn same_value<'a>(
    old: &Symbol,
    there: Option<&Symbol>,
    new: &Symbol,
    here: impl FnOnce() -> Option<&'a Symbol>,
) -> bool {
    match there {
        Some(there) => there.number == new.number,
        None => here().is_none_or(|here| here.number == old.number),
    }
}
