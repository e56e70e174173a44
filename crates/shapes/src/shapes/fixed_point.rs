//! Doubles as integers within a bound.

use std::sync::atomic::{AtomicU64, Ordering};

use wirewise_core::{Cell, Error, ErrorKind, Float, Int, Kind, Result};

use super::data;
use super::decimal::{double, integer, nearest, width};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;
use crate::walk::{Lost, NodeId, Rewrite, Walk};

pub(super) struct FixedPoint;

static INFO: Info = Info {
    name: "fixed-point",
    about: "float64 as integers of a power of ten, rounded: coordinates to 1e-7 degrees with scale=7",
    takes: "float64",
    params: &[
        ("scale", "digits after the point, 0 to 15: values change by half a unit of the last one at most"),
        ("bits", "of the integer: 32 or 64 (the default)"),
    ],
    moves: false,
    lossy: true,
};

impl Shape for FixedPoint {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        if *site.kind() != Kind::Float(Float::F64) {
            return Err(site.refuse(&INFO));
        }
        let scale = params.need(&INFO, "scale")?;
        if scale > 15 {
            return Err(Error::new(ErrorKind::Schema, format!("fixed-point takes a scale of 0 to 15, not {scale}")));
        }
        let int = width(&INFO, params)?;
        let ty = types.add(integer(int));
        let rewrite = Box::new(Rounding { scale, int, changed: AtomicU64::new(0), largest: AtomicU64::new(0) });
        Ok(Planned { ty, rewrite })
    }

    /// Never on its own: people say how much may be lost.
    fn propose(&self, _: &Site<'_>, _: &Values<'_, '_>) -> Option<Params> {
        None
    }
}

struct Rounding {
    scale: u32,
    int: Int,
    /// Values that come back as others.
    changed: AtomicU64,
    /// The bits of the largest difference, which are in the order of the differences.
    largest: AtomicU64,
}

impl Rewrite for Rounding {
    fn apply(&self, _: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        let (value, int) = (cell.as_f64(), self.int);
        let nearest = nearest(value, self.scale).filter(|&nearest| int.holds(nearest.into())).ok_or_else(|| {
            let digits = format!("in {} bits with {} digits after the point", int.bits(), self.scale);
            data(format!("{value} has no place {digits}"))
        })?;
        let back = double(nearest, self.scale);
        if back.to_bits() != value.to_bits() {
            self.changed.fetch_add(1, Ordering::Relaxed);
            self.largest.fetch_max((back - value).abs().to_bits(), Ordering::Relaxed);
        }
        Ok(Cell::int(nearest))
    }

    fn undo(&self, _: &mut Walk<'_, '_>, _: NodeId, cell: Cell) -> Result<Cell> {
        Ok(Cell::f64(double(cell.as_i64(), self.scale)))
    }

    fn lost(&self) -> Option<Lost> {
        let largest_error = f64::from_bits(self.largest.load(Ordering::Relaxed));
        Some(Lost { values: self.changed.load(Ordering::Relaxed), largest_error })
    }
}
