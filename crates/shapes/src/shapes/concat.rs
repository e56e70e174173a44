//! Fixed bytes one behind the other, without a head for each.

use wirewise_core::{Kind, Result};

use super::{data, rewrite};
use crate::shape::{Info, Params, Planned, Shape, Site, Values};
use crate::types::Types;

pub(super) struct Concat;

static INFO: Info = Info {
    name: "concat",
    about: "a list of values of a fixed size, like UUIDs, as their bytes one behind the other, without a head for each",
    takes: "lists of fixed bytes that are not null and not empty",
    params: &[],
    moves: false,
    lossy: false,
};

impl Shape for Concat {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn plan(&self, site: &Site<'_>, _: &Params, types: &mut Types<'_>) -> Result<Planned> {
        let size = size(site).ok_or_else(|| site.refuse(&INFO))?;
        let ty = types.add(Kind::Bytes);
        let rewrite = rewrite(
            move |walk, cell| {
                let from = walk.from;
                // Values may lie in each other: one more than there is memory for is enough to say so.
                let most = walk.to.limits().memory_bytes / size + 1;
                walk.to.text_with(|out| {
                    from.list(cell).iter().take(most).for_each(|&item| out.extend_from_slice(from.bytes(item)));
                    Ok(())
                })
            },
            move |walk, cell| {
                let bytes = walk.from.bytes(cell);
                if !bytes.len().is_multiple_of(size) {
                    return Err(data(format!("{} bytes are no values of {size} bytes", bytes.len())));
                }
                let mark = walk.to.mark();
                for value in bytes.chunks_exact(size) {
                    let value = walk.to.text(value)?;
                    walk.to.push(value)?;
                }
                walk.to.list(mark)
            },
        );
        Ok(Planned { ty, rewrite })
    }

    fn propose(&self, site: &Site<'_>, values: &Values<'_, '_>) -> Option<Params> {
        size(site)?;
        // One value has one head in a list and alone.
        values.elements().any(|(_, cells)| cells.len() > 1).then(Params::default)
    }
}

/// The size of the elements, if they are fixed bytes; there is no saying how many of none there were.
fn size(site: &Site<'_>) -> Option<usize> {
    match site.element() {
        Some((_, &Kind::Fixed(size @ 1..))) => Some(size as usize),
        _ => None,
    }
}
