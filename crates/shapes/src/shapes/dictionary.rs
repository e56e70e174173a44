//! Texts that repeat, once each, and numbers in their places.

use std::collections::{HashMap, HashSet};

use wirewise_core::{Cell, Error, ErrorKind, Field, Int, Kind, Record, Result, Type};

use super::{capital, data};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;
use crate::walk::{NodeId, Rewrite, Walk};

pub(super) struct Dictionary;

static INFO: Info = Info {
    name: "dictionary",
    about: "a list of texts that repeat as a list of the different ones, and their numbers in place of them",
    takes: "lists of strings that are not null",
    params: &[("bits", "of the numbers: 8, 16 or 32 (the default)")],
    moves: false,
    lossy: false,
};

impl Shape for Dictionary {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((item, Kind::String)) = site.element() else { return Err(site.refuse(&INFO)) };
        let int = match params.get("bits").unwrap_or(32) {
            8 => Int::U8,
            16 => Int::U16,
            32 => Int::U32,
            bits => {
                let message = format!("dictionary takes 8, 16 or 32 bits, not {bits}");
                return Err(Error::new(ErrorKind::Schema, message));
            }
        };
        let (item, number) = (types.same(item), types.add(Kind::Int(int)));
        let (values, numbers) = (types.add(Kind::List(item)), types.add(Kind::List(number)));
        let name = types.name(&format!("{}Dictionary", capital(site.slot.hint())));
        let fields = vec![Field::new(1, "values", values), Field::new(2, "numbers", numbers)];
        let ty = types.add(Type::from(Kind::Record(Record::new(name, fields))));
        Ok(Planned { ty, rewrite: Box::new(Table { int }) })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, Kind::String)) = site.element() else { return None };
        let (mut all, mut different, mut most, mut saved) = (0usize, 0usize, 0usize, 0isize);
        for (document, cells) in values.elements() {
            let table: HashSet<&[u8]> = cells.iter().map(|&cell| document.bytes(cell)).collect();
            let bytes: usize = cells.iter().map(|cell| cell.len() + 1).sum();
            let kept: usize = table.iter().map(|text| text.len() + 1).sum();
            let number = if table.len() < 128 { 1 } else { 2 };
            saved += bytes as isize - (kept + number * cells.len()) as isize;
            (all, different, most) = (all + cells.len(), different + table.len(), most.max(table.len()));
        }
        // Room for twice of what was seen.
        let bits = match most {
            ..128 => 8,
            128..32_768 => 16,
            _ => 32,
        };
        (saved > 0 && different * 4 <= all && all > 0).then(|| Params::one("bits", bits))
    }
}

struct Table {
    int: Int,
}

impl Rewrite for Table {
    fn apply(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        let document = walk.from;
        let texts = document.list(cell);
        let at = walk.to.alloc(2)? as usize;
        let mut places: HashMap<&[u8], u64> = HashMap::new();
        let mark = walk.to.mark();
        for &text in texts {
            let next = places.len() as u64;
            places.entry(document.bytes(text)).or_insert(next);
        }
        if !places.is_empty() && !self.int.holds(places.len() as i128 - 1) {
            let bits = self.int.bits();
            return Err(data(format!("there are {} different texts, too many for {bits} bits", places.len())));
        }
        for &text in texts {
            walk.to.push(Cell::uint(places[document.bytes(text)]))?;
        }
        let numbers = walk.to.list(mark)?;
        let mut values: Vec<(&[u8], u64)> = places.into_iter().collect();
        values.sort_unstable_by_key(|&(_, place)| place);
        for (text, _) in values {
            let text = walk.to.text(text)?;
            walk.to.push(text)?;
        }
        let values = walk.to.list(mark)?;
        walk.to.set(at, values);
        walk.to.set(at + 1, numbers);
        Ok(Cell::index(at as u32))
    }

    fn undo(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        let document = walk.from;
        let run = document.run(cell, 2);
        let (values, numbers) = (document.list(run[0]), document.list(run[1]));
        let texts: Vec<Cell> =
            values.iter().map(|&value| walk.to.text(document.bytes(value))).collect::<Result<_>>()?;
        let mark = walk.to.mark();
        // A few bytes must not become many when they are written again.
        let mut room = document.limits().memory_bytes;
        for (i, number) in numbers.iter().enumerate() {
            let Some(&text) = texts.get(number.as_u64() as usize) else {
                let message = format!("there is no text {} among {}", number.as_u64(), texts.len());
                return Err(data(message).in_index(i).in_field("numbers"));
            };
            room = room.checked_sub(text.len()).ok_or_else(|| {
                Error::new(ErrorKind::Limit, "the texts of a dictionary take more memory than the limit allows")
                    .in_index(i)
                    .in_field("numbers")
            })?;
            walk.to.push(text)?;
        }
        walk.to.list(mark)
    }
}
