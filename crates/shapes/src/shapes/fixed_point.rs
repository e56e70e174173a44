//! Doubles as integers within a bound.

use wirewise_core::{Cell, Error, ErrorKind, Float, Kind, Result};

use super::decimal::{double, nearest, width};
use super::{data, rewrite};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

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
        let ty = types.add(Kind::Int(int));
        let rewrite = rewrite(
            move |_, cell| {
                let value = cell.as_f64();
                let nearest = nearest(value, scale).filter(|&nearest| int.holds(nearest.into()));
                nearest.map(Cell::int).ok_or_else(|| {
                    data(format!("{value} has no place in {} bits with {scale} digits after the point", int.bits()))
                })
            },
            move |_, cell| Ok(Cell::f64(double(cell.as_i64(), scale))),
        );
        Ok(Planned { ty, rewrite })
    }

    /// Never on its own: people say how much may be lost.
    fn propose(&self, _: &Site<'_>, _: &Values<'_, '_>) -> Option<Params> {
        None
    }
}
