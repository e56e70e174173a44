//! Differences instead of integers.

use wirewise_core::{Cell, Int, Kind, Result};

use super::decimal::integer;
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;
use crate::walk::{NodeId, Rewrite, Walk};

pub(super) struct Delta;

static INFO: Info = Info {
    name: "delta",
    about: "integers as differences from the one before: small numbers where they are sorted or close",
    takes: "lists of integers that are not null",
    params: &[],
    moves: false,
    lossy: false,
};

impl Shape for Delta {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((_, &Kind::Int(int))) = site.element() else { return Err(site.refuse(&INFO)) };
        let signed = match int.bits() {
            8 => Int::I8,
            16 => Int::I16,
            32 => Int::I32,
            _ => Int::I64,
        };
        let item = types.add(integer(signed));
        let ty = types.add(Kind::List(item));
        Ok(Planned { ty, rewrite: Box::new(Differences { int }) })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, &Kind::Int(int))) = site.element() else { return None };
        let size = |value: i64| (64 - (value << 1 ^ value >> 63).leading_zeros()).div_ceil(7).max(1) as usize;
        let (mut before, mut after) = (0, 0);
        for (_, cells) in values.elements() {
            let mut last = 0;
            for cell in cells {
                before += size(cell.as_i64());
                after += size(difference(int, cell.as_u64(), std::mem::replace(&mut last, cell.as_u64())));
            }
        }
        (before > 0 && after * 5 < before * 4).then(Params::default)
    }
}

/// What is left of a difference in as many bits as the integers have: so it never overflows.
fn difference(int: Int, value: u64, last: u64) -> i64 {
    let above = 64 - int.bits();
    (value.wrapping_sub(last) << above) as i64 >> above
}

/// The integer that comes of adding a difference.
fn sum(int: Int, last: u64, difference: u64) -> u64 {
    let above = 64 - int.bits();
    let sum = last.wrapping_add(difference) << above;
    if int.signed() { (sum as i64 >> above) as u64 } else { sum >> above }
}

struct Differences {
    int: Int,
}

impl Rewrite for Differences {
    fn apply(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        let mark = walk.to.mark();
        let mut last = 0;
        for value in walk.from.list(cell) {
            let value = value.as_u64();
            walk.to.push(Cell::int(difference(self.int, value, last)))?;
            last = value;
        }
        walk.to.list(mark)
    }

    fn undo(&self, walk: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        let mark = walk.to.mark();
        let mut last = 0;
        for difference in walk.from.list(cell) {
            last = sum(self.int, last, difference.as_u64());
            walk.to.push(Cell::uint(last))?;
        }
        walk.to.list(mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_steps_come_back() {
        for int in [Int::I8, Int::U8, Int::I16, Int::U16, Int::I32, Int::U32, Int::I64, Int::U64] {
            let (min, max) = int.range();
            for (last, value) in [(min, max), (max, min), (0, min), (max, max), (min, 0)] {
                let (last, value) = (last as u64, value as u64);
                let difference = difference(int, value, last);
                assert_eq!(sum(int, last, difference as u64), value, "{int:?}");
            }
        }
    }
}
