//! What the self-describing formats (JSON, MessagePack, CBOR) share: telling a union's branches apart by their values.

use wirewise_core::{Float, Kind, Logical, Schema, TypeId, Union};

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
