//! What the self-describing formats (JSON, MessagePack, CBOR) share: telling a union's branches apart by their values,
//! and keeping track of the fields of a record that may come in any order.

pub(crate) mod binary;
pub(crate) mod show;

use std::collections::HashSet;

use wirewise_core::{
    AnyValue, Arena, Document, Error, ErrorKind, Float, Kind, Logical, LossKind, LossName, Losses, Record, RecordView,
    Result, Schema, State, TypeId, Union,
};

/// The kinds of value that a self-describing format shows on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Bool,
    Int,
    Float,
    String,
    Bytes,
    Array,
    Map,
}

const SHAPES: usize = 7;

/// What values look like in a variant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// Records are arrays of their fields, by number, and enums are numbers; otherwise maps and names.
    pub(crate) positional: bool,
    /// Bytes, UUIDs, timestamps and dates are strings, and enums always names: JSON.
    pub(crate) textual: bool,
}

/// How a union is written.
#[derive(Debug, Clone)]
pub(crate) enum UnionPlan {
    /// The value alone: its shape chooses the branch.
    Plain([Option<usize>; SHAPES]),
    /// With its branch, because two branches look alike: `{"name": value}`, or `[number, value]` when positional.
    Tagged,
}

impl UnionPlan {
    pub(crate) fn new(schema: &Schema, union: &Union, style: Style) -> Self {
        let mut branches = [None; SHAPES];
        for (position, branch) in union.branches.iter().enumerate() {
            let shapes = shapes(schema, branch.ty, style);
            if shapes.is_empty() || shapes.iter().any(|&shape| branches[shape as usize].is_some()) {
                return UnionPlan::Tagged;
            }
            for &shape in shapes {
                branches[shape as usize] = Some(position);
            }
        }
        if branches[Shape::Int as usize].is_none() {
            branches[Shape::Int as usize] = branches[Shape::Float as usize];
        }
        UnionPlan::Plain(branches)
    }

    /// The branch that a value of this shape belongs to; `None` when there is none, or the union is tagged.
    pub(crate) fn branch(&self, shape: Shape) -> Option<usize> {
        match self {
            UnionPlan::Plain(branches) => branches[shape as usize],
            UnionPlan::Tagged => None,
        }
    }
}

/// The shapes that values of a type can have; none when they can have any.
fn shapes(schema: &Schema, ty: TypeId, style: Style) -> &'static [Shape] {
    match (schema.kind(ty), schema.logical(ty)) {
        (Kind::String, Some(Logical::Number)) if style.textual => &[Shape::Int, Shape::Float],
        (Kind::Float(Float::F64), Some(Logical::Number)) if style.textual => &[Shape::Int, Shape::Float],
        (Kind::Int(_), Some(_)) if style.textual => &[Shape::String],
        (Kind::Bytes | Kind::Fixed(_), _) => {
            if style.textual {
                &[Shape::String]
            } else {
                &[Shape::Bytes]
            }
        }
        (Kind::Enum(_), _) => {
            // An open enum's unknown numbers have no name.
            if style.textual || !style.positional { &[Shape::String, Shape::Int] } else { &[Shape::Int] }
        }
        (Kind::Bool, _) => &[Shape::Bool],
        (Kind::Int(_), _) => &[Shape::Int],
        (Kind::Float(_), _) => &[Shape::Float],
        (Kind::String, _) => &[Shape::String],
        (Kind::List(_), _) => &[Shape::Array],
        (Kind::Map(..), _) => &[Shape::Map],
        (Kind::Record(_), _) => {
            if style.positional {
                &[Shape::Array]
            } else {
                &[Shape::Map]
            }
        }
        // Any, and what the schema does not allow in a branch.
        _ => &[],
    }
}

/// The error of a value nested too deep.
#[cold]
pub(crate) fn too_deep(pos: usize, arena: &Arena) -> Error {
    let depth = arena.limits().depth;
    Error::new(ErrorKind::Limit, format!("values nest deeper than the limit of {depth}")).at(pos)
}

/// Which fields of a record were seen.
#[derive(Default)]
pub(crate) struct Seen {
    first: u64,
    rest: Vec<u64>,
}

impl From<u64> for Seen {
    /// Those of the first 64 positions whose bits are set.
    fn from(first: u64) -> Self {
        Seen { first, rest: Vec::new() }
    }
}

impl Seen {
    /// Marks a field; `false` when it already was.
    pub(crate) fn mark(&mut self, position: usize) -> bool {
        let word = match position / 64 {
            0 => &mut self.first,
            i => {
                if self.rest.len() < i {
                    self.rest.resize(i, 0);
                }
                &mut self.rest[i - 1]
            }
        };
        let bit = 1 << (position % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(crate) fn has(&self, position: usize) -> bool {
        let word = if position < 64 { self.first } else { self.rest.get(position / 64 - 1).copied().unwrap_or(0) };
        word & 1 << (position % 64) != 0
    }
}

/// Gives a field that the message came without its default, or leaves it absent where it may be.
///
/// # Errors
/// [`ErrorKind::Data`] when the field is required; `start` is where its record begins.
pub(crate) fn set_missing(
    arena: &mut Arena,
    schema: &Schema,
    record: &Record,
    at: u32,
    position: usize,
    start: usize,
) -> Result<()> {
    let field = &record.fields[position];
    if field.default.is_some() {
        return arena.set_default(schema, record, at, position);
    }
    if field.is_optional() {
        return Ok(());
    }
    Err(Error::data(start, format!("the required field {:?} of {} is missing", field.name, record.name)))
}

/// Whether a field is null or absent in a positional record, where both are written as null. A field that can be
/// both says so as a loss; one that is always null (`Null`, or an `Any` that is) counts as null too.
pub(crate) fn positional_null(
    document: &Document<'_>,
    record: &Record,
    view: &RecordView<'_>,
    position: usize,
    losses: &mut Losses,
) -> Result<bool> {
    let field = &record.fields[position];
    let null = match view.state(position) {
        State::Absent => return Ok(true),
        State::Null => true,
        State::Present => match document.schema().kind(field.value_type()) {
            Kind::Null => true,
            Kind::Any => document.any(view.cell(position)) == AnyValue::Null,
            _ => false,
        },
    };
    if null && field.is_optional() {
        let noted = losses.note(LossKind::NullAsAbsent, record.type_id(), LossName::Name(&field.name));
        noted.map_err(|error| error.in_field(&field.name))?;
    }
    Ok(null)
}

/// Checks that of every oneof of a record at most one field is there, and one of a required one: what
/// [`Arena::check_oneofs`] does for decoders, for encoders.
///
/// # Errors
/// [`ErrorKind::Data`], naming the fields.
pub(crate) fn check_oneofs(record: &Record, view: &RecordView<'_>) -> Result<()> {
    for (i, oneof) in record.oneofs.iter().enumerate() {
        let members = record.fields.iter().enumerate().filter(|(_, field)| field.oneof == Some(i));
        let mut there = members.filter(|&(position, _)| !view.is_absent(position));
        let name = &oneof.name;
        let what = match (there.next(), there.next()) {
            (Some((_, first)), Some((_, second))) => {
                format!("{:?} and {:?} are both there, but oneof {name:?} takes one of them", first.name, second.name)
            }
            (None, _) if oneof.required => format!("none of the fields of oneof {name:?} of {} is there", record.name),
            _ => continue,
        };
        return Err(Error::new(ErrorKind::Data, what));
    }
    Ok(())
}

/// The first item that comes twice. Quadratic only while that is faster than hashing; the hash is keyed at random, so
/// that nobody can choose keys that collide.
pub(crate) fn duplicate<T: Copy + Eq + std::hash::Hash>(items: impl ExactSizeIterator<Item = T> + Clone) -> Option<T> {
    const FEW: usize = 12;
    if items.len() <= FEW {
        let mut rest = items;
        while let Some(item) = rest.next() {
            if rest.clone().any(|other| other == item) {
                return Some(item);
            }
        }
        return None;
    }
    let mut seen = HashSet::with_capacity(items.len());
    items.into_iter().find(|item| !seen.insert(*item))
}
