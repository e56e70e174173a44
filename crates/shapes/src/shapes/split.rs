//! The bytes of floats, sorted by their places.

use wirewise_core::{Cell, Float, Kind, Result};

use super::{data, rewrite};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Split;

static INFO: Info = Info {
    name: "split",
    about: "floats as all their first bytes, all their second bytes and so on (byte stream split): what compressors like",
    takes: "lists of float64 or float32 that are not null",
    params: &[],
    moves: false,
    lossy: false,
};

/// Elements that make it worth while.
const MANY: usize = 32;

impl Shape for Split {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((_, &Kind::Float(float))) = site.element() else { return Err(site.refuse(&INFO)) };
        let ty = types.add(Kind::Bytes);
        let size = if float == Float::F32 { 4 } else { 8 };
        let rewrite = rewrite(
            move |walk, cell| {
                let values = walk.from.list(cell);
                walk.to.text_with(|out| {
                    // The sign and the exponent first.
                    for byte in (0..size).rev() {
                        out.extend(values.iter().map(|value| (value.as_u64() >> (8 * byte)) as u8));
                    }
                    Ok(())
                })
            },
            move |walk, cell| {
                let bytes = walk.from.bytes(cell);
                if !bytes.len().is_multiple_of(size) {
                    return Err(data(format!("{} bytes are no floats of {size} bytes", bytes.len())));
                }
                let count = bytes.len() / size;
                let mark = walk.to.mark();
                for i in 0..count {
                    let value = (0..size).fold(0, |value, place| value << 8 | u64::from(bytes[place * count + i]));
                    walk.to.push(Cell::uint(value))?;
                }
                walk.to.list(mark)
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, Kind::Float(_))) = site.element() else { return None };
        let all: usize = values.elements().map(|(_, cells)| cells.len()).sum();
        (all > 0 && all >= MANY * values.cells.len()).then(Params::default)
    }
}
