//! The shapes, one file each.

mod columns;
mod concat;
mod date;
mod decimal;
mod delta;
mod dictionary;
mod fixed_point;
mod split;
mod symbols;
mod time;
mod uuid;
mod xor;

use wirewise_core::{Cell, Error, ErrorKind, Result};

use crate::shape::Shape;
use crate::walk::{NodeId, Rewrite, Walk};

/// All shapes, in the order in which they are proposed.
pub static SHAPES: &[&dyn Shape] = &[
    &uuid::Uuid,
    &time::Time,
    &date::Date,
    &decimal::Decimal,
    &symbols::Symbols,
    &fixed_point::FixedPoint,
    &columns::Columns,
    &concat::Concat,
    &dictionary::Dictionary,
    &delta::Delta,
    &xor::Xor,
    &split::Split,
];

/// A rewrite that looks at one cell.
struct Scalars<A, U> {
    apply: A,
    undo: U,
}

impl<A, U> Rewrite for Scalars<A, U>
where
    A: Fn(&mut Walk<'_, '_>, Cell) -> Result<Cell> + Send + Sync,
    U: Fn(&mut Walk<'_, '_>, Cell) -> Result<Cell> + Send + Sync,
{
    fn apply(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        (self.apply)(walk, cell)
    }

    fn undo(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        (self.undo)(walk, cell)
    }
}

/// The rewrite that these two functions are.
fn rewrite<A, U>(apply: A, undo: U) -> Box<dyn Rewrite>
where
    A: Fn(&mut Walk<'_, '_>, Cell) -> Result<Cell> + Send + Sync + 'static,
    U: Fn(&mut Walk<'_, '_>, Cell) -> Result<Cell> + Send + Sync + 'static,
{
    Box::new(Scalars { apply, undo })
}

/// A value that the new type cannot hold, or that no old one becomes.
#[cold]
fn data(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Data, message)
}

/// The beginning of a type's name.
fn capital(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The beginning of a text, for messages.
fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    format!("{short:?}")
}

/// Appends to the scratch memory of what is written to.
fn text_of(
    walk: &mut Walk<'_, '_>,
    write: impl FnOnce(&mut Vec<u8>) -> bool,
    wrong: impl FnOnce() -> Error,
) -> Result<Cell> {
    walk.to.text_with(|out| if write(out) { Ok(()) } else { Err(wrong()) })
}
