//! What differs from the float before.

use wirewise_core::{Cell, Float, Int, Kind, Result};

use super::rewrite;
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Xor;

static INFO: Info = Info {
    name: "xor",
    about: "floats as the bits in which they differ from the one before: small numbers where few values change",
    takes: "lists of float64 or float32 that are not null",
    params: &[],
    moves: false,
    lossy: false,
};

impl Shape for Xor {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((_, &Kind::Float(float))) = site.element() else { return Err(site.refuse(&INFO)) };
        let item = types.add(Kind::Int(if float == Float::F32 { Int::U32 } else { Int::U64 }));
        let ty = types.add(Kind::List(item));
        let rewrite = rewrite(
            |walk, cell| {
                let mark = walk.to.mark();
                let mut last = 0;
                for value in walk.from.list(cell) {
                    walk.to.push(Cell::uint(value.as_u64() ^ last))?;
                    last = value.as_u64();
                }
                walk.to.list(mark)
            },
            |walk, cell| {
                let mark = walk.to.mark();
                let mut last = 0;
                for bits in walk.from.list(cell) {
                    last ^= bits.as_u64();
                    walk.to.push(Cell::uint(last))?;
                }
                walk.to.list(mark)
            },
        );
        Ok(Planned { ty, rewrite })
    }

    /// Where as varints they take less than half of the floats.
    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, &Kind::Float(float))) = site.element() else { return None };
        let (mut before, mut after) = (0, 0);
        for (_, cells) in values.elements() {
            let mut last = 0;
            for cell in cells {
                let bits = cell.as_u64() ^ std::mem::replace(&mut last, cell.as_u64());
                before += if float == Float::F32 { 4 } else { 8 };
                after += (64 - bits.leading_zeros()).div_ceil(7).max(1) as usize;
            }
        }
        (after * 2 < before).then(Params::default)
    }
}
