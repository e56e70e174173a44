//! The bytes of floats, sorted by their places.

use wirewise_core::{Cell, Error, ErrorKind, Float, Kind, Result};

use super::{data, rewrite};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Split;

static INFO: Info = Info {
    name: "split",
    about: "floats as all their first bytes, all their second bytes and so on (byte stream split): what compressors like",
    takes: "lists of float64 or float32 that are not null",
    params: &[(
        "planes",
        "first bytes that lie apart (all unless said otherwise); the others of each float stay together, the lowest first",
    )],
    moves: false,
    lossy: false,
};

/// Elements that make it worth while.
const MANY: usize = 32;

/// Elements from which it shows whether bytes are random.
const ENOUGH: usize = 512;

impl Shape for Split {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, params: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let Some((_, &Kind::Float(float))) = site.element() else { return Err(site.refuse(&INFO)) };
        let ty = types.add(Kind::Bytes);
        let size = size(float);
        let planes = params.get("planes").map_or(size, |planes| planes as usize);
        if !(1..=size).contains(&planes) {
            let message = format!("split takes 1 to {size} planes here, not {planes}");
            return Err(Error::new(ErrorKind::Schema, message));
        }
        let rest = size - planes;
        let rewrite = rewrite(
            move |walk, cell| {
                let values = walk.from.list(cell);
                walk.to.text_with(|out| {
                    // The sign and the exponent first.
                    for byte in (rest..size).rev() {
                        out.extend(values.iter().map(|value| (value.as_u64() >> (8 * byte)) as u8));
                    }
                    if rest > 0 {
                        for value in values {
                            out.extend_from_slice(&value.as_u64().to_le_bytes()[..rest]);
                        }
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
                let (high, low) = bytes.split_at(planes * count);
                let mark = walk.to.mark();
                for i in 0..count {
                    let value = (0..planes).fold(0, |value, place| value << 8 | u64::from(high[place * count + i]));
                    let low = low[i * rest..][..rest].iter().rev();
                    let value = low.fold(value, |value, &byte| value << 8 | u64::from(byte));
                    walk.to.push(Cell::uint(value))?;
                }
                walk.to.list(mark)
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        let Some((_, &Kind::Float(float))) = site.element() else { return None };
        let all: usize = values.elements().map(|(_, cells)| cells.len()).sum();
        if all == 0 || all < MANY * values.cells.len() {
            return None;
        }
        let planes = (all >= ENOUGH).then(|| planes(size(float), values, all as u64)).flatten();
        Some(planes.map_or_else(Params::default, |planes| Params::one("planes", planes as u32)))
    }
}

fn size(float: Float) -> usize {
    if float == Float::F32 { 4 } else { 8 }
}

/// The bytes that lie apart, if the others are random in all values: those do not compress in any order, and together a changed
/// value is one difference from the version before, and not one in each plane.
fn planes(size: usize, values: &Values<'_, '_>, all: u64) -> Option<usize> {
    let mut counts = [[0u64; 256]; 8];
    for cell in values.elements().flat_map(|(_, cells)| cells) {
        for (counts, byte) in counts.iter_mut().zip(cell.as_u64().to_le_bytes()) {
            counts[usize::from(byte)] += 1;
        }
    }
    // How many pairs of values have the same byte: one in 256 when it is random.
    let is_random = |counts: &[u64; 256]| {
        let same: u64 = counts.iter().map(|&count| count * count.saturating_sub(1)).sum();
        same as f64 <= 1.2 / 256.0 * (all * (all - 1)) as f64
    };
    let random = counts[..size].iter().take_while(|counts| is_random(counts)).count();
    (2..size).contains(&random).then_some(size - random)
}
